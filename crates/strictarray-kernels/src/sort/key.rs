//! Keys: unsigned integers in the order in which elements are sorted.

use strictarray_core::{Bool, Element, Result};

use crate::Ctx;
use crate::simd::Level;

/// Sorts elements, none of which is NaN: from where they are, so many, to a place.
///
/// What it asks of its callers: so many elements, and room for as many, which is apart from them or where they are.
pub(crate) type Sort<T> = unsafe fn(&Ctx<'_>, *const T, usize, *mut T) -> Result<()>;

/// Writes those of sorted elements, so many, none of which is NaN, that are different, and says how many they are.
///
/// What it asks of its callers: so many elements, and room for as many, which may be where they are.
pub(crate) type Distinct<T> = unsafe fn(&Ctx<'_>, *const T, usize, *mut T) -> Result<usize>;

/// What can be done in vectors with elements as they are, on a machine that has the instruction set. Zeros of both signs are
/// equal to it, and one may come out as the other.
#[derive(Clone, Copy)]
pub(crate) struct Vectors<T> {
    pub(crate) sort: Sort<T>,
    pub(crate) distinct: Distinct<T>,
}

/// An unsigned integer that elements are sorted by.
pub(crate) trait Key: Copy + Ord + Send + Sync + 'static {
    const MAX: Self;
    /// As a number of 64 bits.
    fn wide(self) -> u64;
    /// The low bits of a number.
    fn narrow(wide: u64) -> Self;
    /// What there is for vectors of keys on a machine of this level.
    #[inline(always)]
    fn in_vectors(_: Level) -> Option<Vectors<Self>> {
        None
    }
}

macro_rules! keys {
    ($($ty:ty $(, $vectors:ident)?;)*) => { $(
        impl Key for $ty {
            $(
                #[cfg(target_arch = "x86_64")]
                #[inline(always)]
                fn $vectors(level: Level) -> Option<Vectors<Self>> {
                    <$ty as super::quick::Quick>::vectors(level)
                }
            )?
            const MAX: $ty = <$ty>::MAX;
            #[inline(always)]
            fn wide(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn narrow(wide: u64) -> $ty {
                wide as $ty
            }
        }
    )* };
}

keys! {
    u8;
    u16;
    u32, in_vectors;
    u64, in_vectors;
}

/// An element with an order: numbers by value, NaNs after all of them.
pub(crate) trait Sortable: Element {
    type Key: Key;
    /// Whether there are elements that [`exact`](Sortable::exact) does not sort as the standard says.
    const FLOAT: bool;
    /// A key that has all of the element's bits: -0.0 comes before 0.0, NaNs anywhere.
    fn exact(self) -> Self::Key;
    /// The key of the first zero.
    #[inline(always)]
    fn zero_key() -> Self::Key {
        <Self::Key as Key>::MAX
    }
    /// The element of such a key.
    fn of_exact(key: Self::Key) -> Self;
    /// The key that elements are compared by: the same for both zeros, the greatest for every NaN.
    #[inline(always)]
    fn rank(self) -> Self::Key {
        self.exact()
    }
    /// Whether the rank is not above the other's.
    #[inline(always)]
    fn fits_before(self, other: Self) -> bool {
        self.rank() <= other.rank()
    }
    /// What there is for vectors of an instruction set.
    #[inline]
    fn vectors(_: Level) -> Option<Vectors<Self>> {
        None
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        false
    }
    #[inline(always)]
    fn is_negative_zero(self) -> bool {
        false
    }
}

impl Sortable for Bool {
    type Key = u8;
    const FLOAT: bool = false;
    #[inline(always)]
    fn exact(self) -> u8 {
        self.get().into()
    }
    #[inline(always)]
    fn of_exact(key: u8) -> Bool {
        Bool::new(key != 0)
    }
}

macro_rules! vectors {
    ($name:ident) => {
        #[cfg(target_arch = "x86_64")]
        #[inline]
        fn $name(level: Level) -> Option<Vectors<Self>> {
            <Self as super::quick::Quick>::vectors(level)
        }
    };
}

macro_rules! integers {
    ($($ty:ty: $key:ty, $flip:expr $(, $vector:ident)?;)*) => { $(
        impl Sortable for $ty {
            type Key = $key;
            const FLOAT: bool = false;
            $(vectors!($vector);)?
            #[inline(always)]
            fn exact(self) -> $key {
                self as $key ^ $flip
            }
            #[inline(always)]
            fn of_exact(key: $key) -> $ty {
                (key ^ $flip) as $ty
            }
        }
    )* };
}

integers! {
    i8: u8, 1 << 7;
    i16: u16, 1 << 15;
    i32: u32, 1 << 31, vectors;
    i64: u64, 1 << 63, vectors;
    u8: u8, 0;
    u16: u16, 0;
    u32: u32, 0, vectors;
    u64: u64, 0, vectors;
}

macro_rules! floats {
    ($($ty:ty: $key:ty, $signed:ty;)*) => { $(
        impl Sortable for $ty {
            type Key = $key;
            const FLOAT: bool = true;
            vectors!(vectors);
            #[inline(always)]
            fn exact(self) -> $key {
                // Negative numbers: every bit, so that the larger comes first; others: the sign alone.
                let bits = self.to_bits();
                let flip = ((bits as $signed) >> (<$key>::BITS - 1)) as $key | (1 << (<$key>::BITS - 1));
                bits ^ flip
            }
            #[inline(always)]
            fn zero_key() -> $key {
                (-0.0 as $ty).exact()
            }
            #[inline(always)]
            fn of_exact(key: $key) -> $ty {
                let flip = (((!key) as $signed) >> (<$key>::BITS - 1)) as $key | (1 << (<$key>::BITS - 1));
                <$ty>::from_bits(key ^ flip)
            }
            #[inline(always)]
            fn rank(self) -> $key {
                // Adding 0.0 makes 0.0 of -0.0 and leaves all else.
                let key = (self + 0.0).exact();
                if self.is_nan() { <$key>::MAX } else { key }
            }
            #[inline(always)]
            fn fits_before(self, other: $ty) -> bool {
                (self <= other) | (other != other)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                self != self
            }
            #[inline(always)]
            fn is_zero(self) -> bool {
                self == 0.0
            }
            #[inline(always)]
            fn is_negative_zero(self) -> bool {
                self.to_bits() == 1 << (<$key>::BITS - 1)
            }
        }
    )* };
}

floats! {
    f32: u32, i32;
    f64: u64, i64;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Sortable + PartialOrd + std::fmt::Debug>(ascending: &[T]) {
        for (i, &a) in ascending.iter().enumerate() {
            assert_eq!(T::of_exact(a.exact()), a);
            for &b in &ascending[i..] {
                assert_eq!(a.rank() == b.rank(), a == b, "{a:?} {b:?}");
                assert!(a.rank() <= b.rank() && a.exact() <= b.exact(), "{a:?} {b:?}");
                assert!(a.fits_before(b) && b.fits_before(a) == (a == b), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn keys_have_the_order_of_the_elements_and_give_them_back() {
        check(&[i8::MIN, -1, 0, 1, i8::MAX]);
        check(&[i16::MIN, -1, 0, 1, i16::MAX]);
        check(&[i32::MIN, -1, 0, 1, i32::MAX]);
        check(&[i64::MIN, -1, 0, 1, i64::MAX]);
        check(&[0u8, 1, u8::MAX]);
        check(&[0u64, 1, u64::MAX]);
        check(&[f64::NEG_INFINITY, f64::MIN, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1.0, f64::MAX, f64::INFINITY]);
        check(&[f32::NEG_INFINITY, f32::MIN, -1.0, -1e-45, -0.0, 0.0, 1e-45, 1.0, f32::MAX, f32::INFINITY]);
        for nan in [f64::NAN, -f64::NAN, f64::from_bits(0x7FF0_0000_0000_0001), f64::from_bits(u64::MAX)] {
            assert_eq!(nan.rank(), u64::MAX);
            assert!(nan.fits_before(nan) && f64::INFINITY.fits_before(nan) && !nan.fits_before(f64::INFINITY));
            assert_eq!(f64::of_exact(nan.exact()).to_bits(), nan.to_bits());
        }
        assert!(f64::INFINITY.rank() < u64::MAX && f32::INFINITY.rank() < u32::MAX);
        assert_eq!(f64::of_exact((-0.0f64).exact()).to_bits(), (-0.0f64).to_bits());
        assert!(Bool::new(false).rank() < Bool::new(true).rank());
    }
}
