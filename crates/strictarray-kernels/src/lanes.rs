//! Some floats side by side, as wide as a level's registers, for what the compiler does not make of a loop over elements:
//! short tables that lie in registers, of which each lane takes an entry.
//!
//! A function is written once, generic over [`Lanes`], and gives the same bits at each width: `f32` and `f64` themselves are
//! one lane. It must be always inlined, down to the last closure: only so is it compiled for the level.

use std::num::Wrapping;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};

use strictarray_core::Element;

/// Entries of a table: as many as the widest register has lanes of `f32`.
pub(crate) const ENTRIES: usize = 16;
/// A table of which [`Lanes::entry`] takes entries.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Table<T>(pub(crate) [T; ENTRIES]);

/// A type of elements that registers hold, and its bits.
pub(crate) trait InRegisters: Element + From<f32> + PartialOrd + Lanes<Item = Self> {
    /// The lanes of the levels: named by [`per_lanes!`] alone.
    #[cfg(target_arch = "x86_64")]
    type Avx2: Lanes<Item = Self>;
    #[cfg(target_arch = "x86_64")]
    type Avx512: Lanes<Item = Self>;
    type Word: Copy;
    /// The bits of the fraction. (`DIGITS` would be the decimal ones of `f64` itself.)
    const FRACTION: u32;
    /// The sign's bit.
    const SIGN: Self::Word;
    /// All but the sign's.
    const SIZE: Self::Word;
    /// Sign and exponent.
    const POWER: Self::Word;
    /// No bit, and the lowest one.
    const NONE: Self::Word;
    const BIT: Self::Word;
    /// The bits of 1 and of 1/2.
    const ONE: Self::Word;
    const HALF: Self::Word;
    /// The bits of the least normal number, and how many there are from there to infinity's.
    const NORMAL: (Self::Word, Self::Word);
}

macro_rules! in_registers {
    ($($ty:ident $word:ident $signed:ident $avx2:ident $avx512:ident;)*) => { $(
        impl InRegisters for $ty {
            #[cfg(target_arch = "x86_64")]
            type Avx2 = $avx2;
            #[cfg(target_arch = "x86_64")]
            type Avx512 = $avx512;
            type Word = $word;
            const FRACTION: u32 = $ty::MANTISSA_DIGITS - 1;
            const SIGN: $word = $signed::MIN.cast_unsigned();
            const SIZE: $word = $signed::MAX.cast_unsigned();
            const POWER: $word = $word::MAX << Self::FRACTION;
            const NONE: $word = 0;
            const BIT: $word = 1;
            const ONE: $word = $ty::to_bits(1.0);
            const HALF: $word = $ty::to_bits(0.5);
            const NORMAL: ($word, $word) = {
                let least = $ty::to_bits($ty::MIN_POSITIVE);
                (least, $ty::to_bits($ty::INFINITY) - least)
            };
        }

        // SAFETY: of one lane.
        unsafe impl Lanes for $ty {
            type Item = $ty;
            const COUNT: usize = 1;
            type Mask = bool;
            type Bits = Wrapping<$word>;

            #[inline(always)]
            unsafe fn load(from: *const $ty) -> $ty {
                // SAFETY: as the caller promises.
                unsafe { from.read() }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $ty) {
                // SAFETY: as the caller promises.
                unsafe { to.write(self) }
            }
            #[inline(always)]
            fn splat(x: $ty) -> $ty {
                x
            }
            #[inline(always)]
            fn bits_of(x: $word) -> Wrapping<$word> {
                Wrapping(x)
            }
            #[inline(always)]
            fn mul_add(self, b: $ty, c: $ty) -> $ty {
                $ty::mul_add(self, b, c)
            }
            #[inline(always)]
            fn sqrt(self) -> $ty {
                $ty::sqrt(self)
            }
            #[inline(always)]
            fn min(self, other: $ty) -> $ty {
                if self < other { self } else { other }
            }
            #[inline(always)]
            fn max(self, other: $ty) -> $ty {
                if self > other { self } else { other }
            }
            #[inline(always)]
            fn less(self, other: $ty) -> bool {
                self < other
            }
            #[inline(always)]
            fn differs(self, other: $ty) -> bool {
                self != other
            }
            #[inline(always)]
            fn everywhere() -> bool {
                true
            }
            #[inline(always)]
            fn select(mask: bool, yes: $ty, no: $ty) -> $ty {
                if mask { yes } else { no }
            }
            #[inline(always)]
            fn all(mask: bool) -> bool {
                mask
            }
            #[inline(always)]
            fn to_bits(self) -> Wrapping<$word> {
                Wrapping($ty::to_bits(self))
            }
            #[inline(always)]
            fn from_bits(bits: Wrapping<$word>) -> $ty {
                $ty::from_bits(bits.0)
            }
            #[inline(always)]
            fn shift_left(bits: Wrapping<$word>, by: u32) -> Wrapping<$word> {
                Wrapping(bits.0 << by)
            }
            #[inline(always)]
            fn shift_right(bits: Wrapping<$word>, by: u32) -> Wrapping<$word> {
                Wrapping(bits.0 >> by)
            }
            #[inline(always)]
            fn equal(a: Wrapping<$word>, b: Wrapping<$word>) -> bool {
                a == b
            }
            #[inline(always)]
            fn below(a: Wrapping<$word>, b: Wrapping<$word>) -> bool {
                a < b
            }
            #[inline(always)]
            fn from_steps(bits: Wrapping<$word>) -> $ty {
                bits.0.cast_signed() as $ty
            }
            #[inline(always)]
            fn entry(table: &Table<$ty>, bits: Wrapping<$word>) -> $ty {
                table.0[bits.0 as usize % ENTRIES]
            }
        }
    )* };
}

in_registers! {
    f32 u32 i32 F32x8 F32x16;
    f64 u64 i64 F64x4 F64x8;
}

/// The bits of an element of some lanes.
type Word<V> = <<V as Lanes>::Item as InRegisters>::Word;

/// The lanes of a register. Comparisons with NaN are false; sums and products round as those of one element do.
///
/// # Safety
///
/// Types of wider lanes execute instructions that not every machine has: only [`per_lanes!`] names them, for a loop that is
/// compiled for their level. All else is generic over lanes, and `f32` and `f64` are sound anywhere.
pub(crate) unsafe trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    type Item: InRegisters;
    /// How many there are.
    const COUNT: usize;
    /// Of each lane, yes or no.
    type Mask: Copy + BitAnd<Output = Self::Mask>;
    /// The bits of each lane, as integers that wrap around.
    type Bits: Copy
        + Add<Output = Self::Bits>
        + Sub<Output = Self::Bits>
        + BitAnd<Output = Self::Bits>
        + BitOr<Output = Self::Bits>
        + BitXor<Output = Self::Bits>;

    /// # Safety
    ///
    /// `COUNT` elements to read, and the machine has the instructions.
    unsafe fn load(from: *const Self::Item) -> Self;
    /// # Safety
    ///
    /// `COUNT` elements to write, and the machine has the instructions.
    unsafe fn store(self, to: *mut Self::Item);
    /// The same number everywhere.
    fn splat(x: Self::Item) -> Self;
    /// The same bits everywhere.
    fn bits_of(x: Word<Self>) -> Self::Bits;
    /// self · b + c, rounded once.
    fn mul_add(self, b: Self, c: Self) -> Self;
    fn sqrt(self) -> Self;
    /// The smaller one, or `other` if there is a NaN.
    fn min(self, other: Self) -> Self;
    /// The larger one, or `other` if there is a NaN.
    fn max(self, other: Self) -> Self;
    fn less(self, other: Self) -> Self::Mask;
    /// Whether it is another number, or one of them NaN.
    fn differs(self, other: Self) -> Self::Mask;
    /// Yes of each lane.
    fn everywhere() -> Self::Mask;
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether the mask says yes everywhere.
    fn all(mask: Self::Mask) -> bool;
    fn to_bits(self) -> Self::Bits;
    fn from_bits(bits: Self::Bits) -> Self;
    fn shift_left(bits: Self::Bits, by: u32) -> Self::Bits;
    fn shift_right(bits: Self::Bits, by: u32) -> Self::Bits;
    fn equal(a: Self::Bits, b: Self::Bits) -> Self::Mask;
    /// Whether a < b, both without a sign.
    fn below(a: Self::Bits, b: Self::Bits) -> Self::Mask;
    /// The bits as integers with a sign: steps of the exponent, as many as lie between a number and 1.
    fn from_steps(bits: Self::Bits) -> Self;
    /// The entry that the lowest four bits name.
    fn entry(table: &Table<Self::Item>, bits: Self::Bits) -> Self;
    /// The same of a table whose entries have no more than 20 digits behind the first.
    #[inline(always)]
    fn short_entry(table: &Table<Self::Item>, bits: Self::Bits) -> Self {
        Self::entry(table, bits)
    }

    /// Whether it is positive, normal and finite.
    #[inline(always)]
    fn is_ordinary(self) -> Self::Mask {
        let (least, count) = Self::Item::NORMAL;
        Self::below(self.to_bits() - Self::bits_of(least), Self::bits_of(count))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self::from_bits(self.to_bits() & Self::bits_of(Self::Item::SIZE))
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        let (size, sign) = (self.to_bits() & Self::bits_of(Self::Item::SIZE), sign.to_bits());
        Self::from_bits(size | sign & Self::bits_of(Self::Item::SIGN))
    }
}

#[cfg(target_arch = "x86_64")]
use x86::{F32x8, F32x16, F64x4, F64x8};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Compiles an `#[inline(always)]` unsafe function that is generic over [`Lanes`] of an element and another type for each
/// [`Level`](crate::simd::Level), and defines a function that gives the instance of a level: as
/// [`per_level!`](crate::simd::per_level) does.
macro_rules! per_lanes {
    ($(
        $(#[$doc:meta])*
        fn $pick:ident<$item:ident, $generic:ident: $bound:path>($($arg:ident: $ty:ty),* $(,)?) = $body:ident;
    )*) => { $(
        $(#[$doc])*
        #[inline]
        pub(crate) fn $pick<$item: $crate::lanes::InRegisters, $generic: $bound>(level: $crate::simd::Level) -> unsafe fn($($ty),*) {
            /// # Safety
            ///
            /// As the loop requires.
            unsafe fn baseline<$item: $crate::lanes::InRegisters, $generic: $bound>($($arg: $ty),*) {
                // SAFETY: as the caller promises.
                unsafe { $body::<$item, $generic>($($arg),*) }
            }
            /// # Safety
            ///
            /// As the loop requires; the machine has the features.
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn avx2<$item: $crate::lanes::InRegisters, $generic: $bound>($($arg: $ty),*) {
                // SAFETY: as the caller promises.
                unsafe { $body::<$item::Avx2, $generic>($($arg),*) }
            }
            /// # Safety
            ///
            /// As the loop requires; the machine has the features.
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn avx512<$item: $crate::lanes::InRegisters, $generic: $bound>($($arg: $ty),*) {
                // SAFETY: as the caller promises.
                unsafe { $body::<$item::Avx512, $generic>($($arg),*) }
            }
            match level {
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Level::Avx2 => avx2::<$item, $generic>,
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Level::Avx512 => avx512::<$item, $generic>,
                _ => baseline::<$item, $generic>,
            }
        }
    )* };
}
pub(crate) use per_lanes;

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::simd::Level;

    /// What each operation gives of each lane, as bits; masks choose between the two first numbers.
    #[inline(always)]
    unsafe fn everything<V: Lanes>(x: *const V::Item, out: *mut V::Item, table: &Table<V::Item>) {
        // SAFETY: as the caller promises: three registers to read, and one to write for each result.
        unsafe {
            let [a, b, c] = [V::load(x), V::load(x.add(ROOM)), V::load(x.add(2 * ROOM))];
            let power = a.abs().to_bits() & V::bits_of(V::Item::POWER);
            let results: [V; RESULTS] = [
                a + b,
                a - b,
                a * b,
                a / b,
                -a,
                a.mul_add(b, c),
                a.abs().sqrt(),
                a.min(b),
                a.max(b),
                a.abs(),
                a.copysign(b),
                V::select(a.less(b), a, b),
                V::select(a.differs(b), a, b),
                V::select(a.less(b) & b.less(c), a, b),
                V::select(V::everywhere(), a, b),
                V::select(V::equal(a.to_bits(), b.to_bits()), a, b),
                V::select(V::below(a.to_bits(), b.to_bits()), a, b),
                V::select(a.is_ordinary(), a, b),
                V::from_bits(a.to_bits() + b.to_bits()),
                V::from_bits(a.to_bits() - b.to_bits()),
                V::from_bits(a.to_bits() & b.to_bits()),
                V::from_bits(a.to_bits() | b.to_bits()),
                V::from_bits(a.to_bits() ^ b.to_bits()),
                V::from_bits(V::shift_left(a.to_bits(), 7)),
                V::from_bits(V::shift_right(a.to_bits(), 7)),
                V::from_steps(power - V::bits_of(V::Item::ONE)),
                V::entry(table, a.to_bits()),
                V::short_entry(table, b.to_bits()),
            ];
            let mut i = 0;
            while i < results.len() {
                results[i].store(out.add(i * ROOM));
                i += 1;
            }
        }
    }

    /// Room for the widest register.
    const ROOM: usize = 16;
    const RESULTS: usize = 28;

    macro_rules! widths {
        ($($name:ident: $ty:ident $word:ident $avx2:ident $avx512:ident;)*) => { $(
            #[test]
            fn $name() {
                #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
                unsafe fn avx2(x: *const $ty, out: *mut $ty, table: &Table<$ty>) {
                    // SAFETY: as the caller promises.
                    unsafe { everything::<$avx2>(x, out, table) }
                }
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
                unsafe fn avx512(x: *const $ty, out: *mut $ty, table: &Table<$ty>) {
                    // SAFETY: as the caller promises.
                    unsafe { everything::<$avx512>(x, out, table) }
                }
                let mut seed = 88_172_645_463_325_252u64;
                let mut random = || {
                    seed ^= seed << 13;
                    seed ^= seed >> 7;
                    seed ^= seed << 17;
                    seed.wrapping_mul(0x2545_F491_4F6C_DD1D)
                };
                let special = [0.0, -0.0, 1.0, -1.0, $ty::INFINITY, $ty::NEG_INFINITY, $ty::NAN, $ty::MIN_POSITIVE, 1e-40];
                for round in 0..400 {
                    let mut x = [0.0; 3 * ROOM];
                    for x in &mut x {
                        *x = match random() % 8 {
                            0 => special[random() as usize % special.len()],
                            1..4 => $ty::from_bits((random() >> 3) as $word),
                            _ => (random() as i64 as $ty) / (i64::MAX as $ty) * 8.0,
                        };
                    }
                    let table = Table(std::array::from_fn(|i| (i * i + 3 * round) as $ty * 0.0625));
                    let (mut narrow, mut wide) = ([0.0; RESULTS * ROOM], [0.0; RESULTS * ROOM]);
                    for i in 0..ROOM {
                        // SAFETY: an element and its results; the arrays have room for all.
                        unsafe { everything::<$ty>(x.as_ptr().add(i), narrow.as_mut_ptr().add(i), &table) }
                    }
                    for (level, function, count) in [
                        (Level::Avx2, avx2 as unsafe fn(*const $ty, *mut $ty, &Table<$ty>), $avx2::COUNT),
                        (Level::Avx512, avx512, $avx512::COUNT),
                    ] {
                        if Level::detected() < level {
                            continue;
                        }
                        for start in (0..ROOM).step_by(count) {
                            // SAFETY: the machine has the level, and the arrays have room for all registers.
                            unsafe { function(x.as_ptr().add(start), wide.as_mut_ptr().add(start), &table) }
                        }
                        for i in 0..RESULTS * ROOM {
                            let (a, b): ($ty, $ty) = (narrow[i], wide[i]);
                            let same = a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
                            let [a, b, c] = [0, 1, 2].map(|k| x[k * ROOM + i % ROOM]);
                            assert!(same, "{level:?}, result {} of {a:e} {b:e} {c:e}: {} and {}", i / ROOM, narrow[i], wide[i]);
                        }
                    }
                }
            }
        )* };
    }

    widths! {
        each_width_computes_as_f32_does: f32 u32 F32x8 F32x16;
        each_width_computes_as_f64_does: f64 u64 F64x4 F64x8;
    }
}
