//! What kind of number it is: finite, infinite, NaN, and its sign.

use strictarray_core::{Bool, Complex};

use super::{Binary, Unary};

/// Whether it is neither infinite nor NaN.
pub(crate) struct IsFinite;
/// Whether it is infinite.
pub(crate) struct IsInf;
/// Whether it is NaN.
pub(crate) struct IsNan;
/// Whether the sign bit is set.
pub(crate) struct SignBit;
/// -1, 0 or 1; of a complex number the one of modulus 1 in its direction.
pub(crate) struct Sign;
/// The first with the sign of the second.
pub(crate) struct CopySign;
/// The next number towards the second.
pub(crate) struct NextAfter;

macro_rules! classes {
    (@integers $($ty:ty)*) => { $(
        classes!(@class $ty, IsFinite, _x => true);
        classes!(@class $ty, IsInf, _x => false);
        classes!(@class $ty, IsNan, _x => false);
        impl Unary<$ty> for Sign {
            type Out = $ty;
            #[inline(always)]
            fn call(x: $ty) -> $ty {
                #[allow(unused_comparisons, reason = "unsigned types are among them")]
                let sign = (x > 0) as $ty - (x < 0) as $ty;
                sign
            }
        }
    )* };
    (@floats $($ty:ty)*) => { $(
        classes!(@class $ty, IsFinite, x => x.is_finite());
        classes!(@class $ty, IsInf, x => x.is_infinite());
        classes!(@class $ty, IsNan, x => x.is_nan());
        classes!(@class $ty, SignBit, x => x.is_sign_negative());
        classes!(@class Complex<$ty>, IsFinite, x => x.re.is_finite() & x.im.is_finite());
        classes!(@class Complex<$ty>, IsInf, x => x.re.is_infinite() | x.im.is_infinite());
        classes!(@class Complex<$ty>, IsNan, x => x.re.is_nan() | x.im.is_nan());
        impl Unary<$ty> for Sign {
            type Out = $ty;
            #[inline(always)]
            fn call(x: $ty) -> $ty {
                let sign = ((x > 0.0) as i8 - (x < 0.0) as i8) as $ty;
                if x.is_nan() { x } else { sign }
            }
        }
        impl Binary<$ty> for CopySign {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                a.copysign(b)
            }
        }
        impl Binary<$ty> for NextAfter {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                // Away from zero the bits count up, towards it down; from zero the first number has b's sign.
                let bits = a.to_bits();
                let away = (b > a) == (a > 0.0);
                let next = if away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
                let next = if a == 0.0 { (<$ty>::from_bits(1)).copysign(b) } else { <$ty>::from_bits(next) };
                let next = if a == b { b } else { next };
                if a.is_nan() | b.is_nan() { a + b } else { next }
            }
        }
    )* };
    (@class $ty:ty, $op:ident, $x:ident => $class:expr) => {
        impl Unary<$ty> for $op {
            type Out = Bool;
            #[inline(always)]
            fn call($x: $ty) -> Bool {
                Bool::new($class)
            }
        }
    };
}

classes!(@integers i8 i16 i32 i64 u8 u16 u32 u64);
classes!(@floats f32 f64);
