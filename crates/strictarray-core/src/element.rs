//! The Rust types of elements, and the dispatch from a data type to its Rust type.

use num_complex::Complex;
use strictarray_standard::{DType, Kind, ScalarKinds};

/// A boolean element: one byte, of which any value but 0 counts as true, since foreign memory may hold any.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Bool(u8);

impl Bool {
    /// The element of this truth value.
    #[inline(always)]
    pub const fn new(value: bool) -> Bool {
        Bool(value as u8)
    }

    /// Its truth value.
    #[inline(always)]
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl PartialEq for Bool {
    #[inline(always)]
    fn eq(&self, other: &Bool) -> bool {
        self.get() == other.get()
    }
}

/// A type that elements in memory have. Every bit pattern is a valid value.
///
/// # Safety
///
/// `DTYPE` must have the size and alignment of `Self`, and every bit pattern must be a valid `Self`.
pub unsafe trait Element: Copy + Send + Sync + PartialEq + 'static {
    /// Its data type.
    const DTYPE: DType;
    /// The Python scalar of this value.
    fn to_scalar(self) -> Scalar;
}

macro_rules! elements {
    ($($ty:ty, $dtype:ident, $value:ident => $scalar:expr;)*) => { $(
        // SAFETY: size and alignment are asserted below; integers, floats, pairs of floats and `Bool` (a u8) have no
        // invalid bit pattern.
        unsafe impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
            #[inline]
            fn to_scalar(self) -> Scalar {
                let $value = self;
                $scalar
            }
        }
        const _: () = assert!(size_of::<$ty>() == DType::$dtype.size() && align_of::<$ty>() == DType::$dtype.align());
    )* };
}

elements! {
    Bool, Bool, v => Scalar::Bool(v.get());
    i8, Int8, v => Scalar::Int(v.into());
    i16, Int16, v => Scalar::Int(v.into());
    i32, Int32, v => Scalar::Int(v.into());
    i64, Int64, v => Scalar::Int(v.into());
    u8, UInt8, v => Scalar::Int(v.into());
    u16, UInt16, v => Scalar::Int(v.into());
    u32, UInt32, v => Scalar::Int(v.into());
    u64, UInt64, v => Scalar::Int(v.into());
    f32, Float32, v => Scalar::Float(v.into());
    f64, Float64, v => Scalar::Float(v);
    Complex<f32>, Complex64, v => Scalar::Complex(Complex::new(v.re.into(), v.im.into()));
    Complex<f64>, Complex128, v => Scalar::Complex(v);
}

/// Runs a block with a type name bound to the Rust type of a data type.
///
/// The set says which data types are meant; any other gives `None`.
///
/// ```
/// use strictarray_core::{DType, dispatch};
/// fn size(dtype: DType) -> Option<usize> {
///     dispatch!(INTEGER, dtype, T => size_of::<T>())
/// }
/// assert_eq!(size(DType::Int16), Some(2));
/// assert_eq!(size(DType::Float64), None);
/// ```
#[macro_export]
macro_rules! dispatch {
    (@arms $dtype:expr, $t:ident, $body:expr, $($variant:ident $ty:ty),*) => {
        match $dtype {
            $($crate::DType::$variant => { type $t = $ty; Some($body) })*
            #[allow(unreachable_patterns, reason = "the set may be all")]
            _ => None,
        }
    };
    (BOOL, $dtype:expr, $t:ident => $body:expr) => {
        $crate::dispatch!(@arms $dtype, $t, $body, Bool $crate::Bool)
    };
    (INTEGER, $dtype:expr, $t:ident => $body:expr) => {
        $crate::dispatch!(@arms $dtype, $t, $body, Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32, UInt64 u64)
    };
    (REAL_FLOATING, $dtype:expr, $t:ident => $body:expr) => {
        $crate::dispatch!(@arms $dtype, $t, $body, Float32 f32, Float64 f64)
    };
    (COMPLEX_FLOATING, $dtype:expr, $t:ident => $body:expr) => {
        $crate::dispatch!(@arms $dtype, $t, $body, Complex64 $crate::Complex<f32>, Complex128 $crate::Complex<f64>)
    };
    (FLOATING, $dtype:expr, $t:ident => $body:expr) => {
        $crate::dispatch!(@arms $dtype, $t, $body, Float32 f32, Float64 f64, Complex64 $crate::Complex<f32>, Complex128 $crate::Complex<f64>)
    };
    (REAL, $dtype:expr, $t:ident => $body:expr) => {
        $crate::dispatch!(@arms $dtype, $t, $body, Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32, UInt64 u64, Float32 f32, Float64 f64)
    };
    (NUMERIC, $dtype:expr, $t:ident => $body:expr) => {
        $crate::dispatch!(@arms $dtype, $t, $body, Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32, UInt64 u64, Float32 f32, Float64 f64, Complex64 $crate::Complex<f32>, Complex128 $crate::Complex<f64>)
    };
    (ALL, $dtype:expr, $t:ident => $body:expr) => {
        $crate::dispatch!(@arms $dtype, $t, $body, Bool $crate::Bool, Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32, UInt64 u64, Float32 f32, Float64 f64, Complex64 $crate::Complex<f32>, Complex128 $crate::Complex<f64>)
    };
}

/// A Python scalar: what a fill value, an operand beside an array or an element read by the host is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// `bool`.
    Bool(bool),
    /// `int`, as far as any integer data type reaches; the binding refuses what is larger.
    Int(i128),
    /// `float`.
    Float(f64),
    /// `complex`.
    Complex(Complex<f64>),
}

/// The bytes of one element, aligned for every data type.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct ElementBytes(pub [u8; 16]);

impl Scalar {
    /// Its kind.
    pub const fn kind(self) -> ScalarKinds {
        match self {
            Scalar::Bool(_) => ScalarKinds::BOOL,
            Scalar::Int(_) => ScalarKinds::INT,
            Scalar::Float(_) => ScalarKinds::FLOAT,
            Scalar::Complex(_) => ScalarKinds::COMPLEX,
        }
    }

    /// The name of its Python type.
    pub const fn type_name(self) -> &'static str {
        match self {
            Scalar::Bool(_) => "bool",
            Scalar::Int(_) => "int",
            Scalar::Float(_) => "float",
            Scalar::Complex(_) => "complex",
        }
    }

    /// Whether the value is representable without losing its kind: bool to anything numeric, int to numeric, float to
    /// floating-point, complex to complex.
    pub const fn fits_kind(self, dtype: DType) -> bool {
        match self {
            Scalar::Bool(_) => true,
            Scalar::Int(_) => !matches!(dtype.kind(), Kind::Bool),
            Scalar::Float(_) => dtype.is_floating(),
            Scalar::Complex(_) => dtype.is_complex(),
        }
    }

    /// Whether the value is inside the range of an integer data type (of any other it always is).
    pub fn in_range(self, dtype: DType) -> bool {
        match (self, dtype.integer_range()) {
            (Scalar::Int(value), Some((min, max))) => (min..=max).contains(&value),
            _ => true,
        }
    }

    /// A real number as one of a data type's kind: its integer part, or whether it is not zero. `None` where it is cast to no
    /// other kind; a number that is not finite has no integer part.
    pub fn cast_to_kind(self, dtype: DType) -> Option<Scalar> {
        match self {
            Scalar::Int(i) if dtype == DType::Bool => Some(Scalar::Bool(i != 0)),
            Scalar::Float(x) if dtype == DType::Bool => Some(Scalar::Bool(x != 0.0)),
            Scalar::Float(x) if dtype.is_integer() && x.is_finite() => Some(Scalar::Int(x.trunc() as i128)),
            _ => None,
        }
    }

    /// The element of a data type that has this value, rounded to nearest where the type is narrower.
    ///
    /// `None` where the kind does not fit or an integer is out of range.
    pub fn to_element(self, dtype: DType) -> Option<ElementBytes> {
        if !self.fits_kind(dtype) || !self.in_range(dtype) {
            return None;
        }
        let mut bytes = [0; 16];
        let (re, im) = match self {
            Scalar::Bool(b) => (f64::from(u8::from(b)), 0.0),
            // Rounds once: i128 to f64 is correctly rounded, and f32 is handled from the integer below.
            Scalar::Int(i) => (i as f64, 0.0),
            Scalar::Float(x) => (x, 0.0),
            Scalar::Complex(z) => (z.re, z.im),
        };
        let single = |x: f64| match self {
            Scalar::Int(i) => i as f32,
            _ => x as f32,
        };
        match dtype {
            DType::Bool => bytes[0] = u8::from(matches!(self, Scalar::Bool(true))),
            DType::Float32 => bytes[..4].copy_from_slice(&single(re).to_ne_bytes()),
            DType::Float64 => bytes[..8].copy_from_slice(&re.to_ne_bytes()),
            DType::Complex64 => {
                bytes[..4].copy_from_slice(&single(re).to_ne_bytes());
                bytes[4..8].copy_from_slice(&(im as f32).to_ne_bytes());
            }
            DType::Complex128 => {
                bytes[..8].copy_from_slice(&re.to_ne_bytes());
                bytes[8..].copy_from_slice(&im.to_ne_bytes());
            }
            _ => {
                let value = match self {
                    Scalar::Bool(b) => i128::from(b),
                    Scalar::Int(i) => i,
                    _ => return None,
                };
                // In range: the low bytes of the two's complement are the element, whatever its sign.
                let size = dtype.size();
                if cfg!(target_endian = "little") {
                    bytes[..size].copy_from_slice(&value.to_le_bytes()[..size]);
                } else {
                    bytes[..size].copy_from_slice(&value.to_be_bytes()[16 - size..]);
                }
            }
        }
        Some(ElementBytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: Element>(bytes: ElementBytes) -> T {
        // SAFETY: 16 bytes aligned to 16 hold any element, and every bit pattern is valid.
        unsafe { bytes.0.as_ptr().cast::<T>().read() }
    }

    #[test]
    fn real_numbers_are_cast_to_other_kinds_where_that_means_something() {
        let cast = |scalar: Scalar, dtype| scalar.cast_to_kind(dtype);
        assert_eq!(cast(Scalar::Float(-1.5), DType::Int8), Some(Scalar::Int(-1)));
        assert_eq!(
            cast(Scalar::Float(1e30), DType::Int64),
            Some(Scalar::Int(1_000_000_000_000_000_019_884_624_838_656))
        );
        assert_eq!(cast(Scalar::Float(0.5), DType::Bool), Some(Scalar::Bool(true)));
        assert_eq!(cast(Scalar::Float(f64::NAN), DType::Bool), Some(Scalar::Bool(true)));
        assert_eq!(cast(Scalar::Int(0), DType::Bool), Some(Scalar::Bool(false)));
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(cast(Scalar::Float(x), DType::Int64), None);
        }
        assert_eq!(cast(Scalar::Complex(Complex::new(1.0, 0.0)), DType::Int8), None);
        assert_eq!(cast(Scalar::Float(1.5), DType::Float32), None);
    }

    #[test]
    fn scalars_become_elements_of_every_dtype_and_come_back() {
        for dtype in DType::ALL {
            for scalar in
                [Scalar::Bool(true), Scalar::Int(1), Scalar::Float(1.0), Scalar::Complex(Complex::new(1.0, 0.0))]
            {
                let element = scalar.to_element(dtype);
                assert_eq!(element.is_some(), scalar.fits_kind(dtype), "{scalar:?} as {dtype}");
                let Some(element) = element else { continue };
                let back = dispatch!(ALL, dtype, T => read::<T>(element).to_scalar()).unwrap();
                let one = match back {
                    Scalar::Bool(b) => f64::from(u8::from(b)),
                    Scalar::Int(i) => i as f64,
                    Scalar::Float(x) => x,
                    Scalar::Complex(z) => z.re,
                };
                assert_eq!(one, 1.0, "{scalar:?} as {dtype}");
            }
        }
    }

    #[test]
    fn range_ends_are_in_and_their_neighbours_out() {
        for dtype in DType::ALL {
            let Some((min, max)) = dtype.integer_range() else { continue };
            for (value, inside) in [(min, true), (max, true), (min - 1, false), (max + 1, false)] {
                let element = Scalar::Int(value).to_element(dtype);
                assert_eq!(element.is_some(), inside, "{value} as {dtype}");
                if let Some(element) = element {
                    assert_eq!(
                        dispatch!(INTEGER, dtype, T => read::<T>(element).to_scalar()),
                        Some(Scalar::Int(value))
                    );
                }
            }
        }
    }

    #[test]
    fn ints_round_once_to_float32() {
        // 2^24 + 1 + a bit far below: through f64 first it would tie to even the wrong way.
        let value = (1i128 << 60) + (1 << 36) + 1;
        let element = Scalar::Int(value).to_element(DType::Float32).unwrap();
        assert_eq!(read::<f32>(element), value as f32);
    }
}
