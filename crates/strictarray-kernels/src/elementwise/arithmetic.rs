//! Sums, differences, products, signs.

use strictarray_core::Complex;

use super::{Binary, Unary};
use crate::float::Float;

/// Defines an operation on integers (which wrap), floats and complex numbers alike.
macro_rules! arithmetic {
    ($op:ident, $doc:literal, $wrapping:ident, |$a:ident, $b:ident| $real:expr, $complex:expr) => {
        #[doc = $doc]
        pub(crate) struct $op;
        arithmetic!(@integers $op, $wrapping, i8 i16 i32 i64 u8 u16 u32 u64);
        arithmetic!(@floats $op, $a, $b, $real, f32 f64);
        impl<F: Float> Binary<Complex<F>> for $op
        where
            Complex<F>: strictarray_core::Element,
        {
            type Out = Complex<F>;
            #[inline(always)]
            fn call($a: Complex<F>, $b: Complex<F>) -> Complex<F> {
                $complex
            }
        }
    };
    (@integers $op:ident, $wrapping:ident, $($ty:ty)*) => { $(
        impl Binary<$ty> for $op {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                a.$wrapping(b)
            }
        }
    )* };
    (@floats $op:ident, $a:ident, $b:ident, $real:expr, $($ty:ty)*) => { $(
        impl Binary<$ty> for $op {
            type Out = $ty;
            #[inline(always)]
            fn call($a: $ty, $b: $ty) -> $ty {
                $real
            }
        }
    )* };
}

arithmetic!(Add, "The sum.", wrapping_add, |a, b| a + b, Complex::new(a.re + b.re, a.im + b.im));
arithmetic!(Subtract, "The difference.", wrapping_sub, |a, b| a - b, Complex::new(a.re - b.re, a.im - b.im));
// The textbook product, as the standard leaves open and NumPy does.
arithmetic!(
    Multiply,
    "The product.",
    wrapping_mul,
    |a, b| a * b,
    Complex::new(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
);

/// The absolute value; of a complex number its modulus.
pub(crate) struct Abs;
/// The value with the other sign.
pub(crate) struct Negative;
/// The value.
pub(crate) struct Positive;

macro_rules! signs {
    ($($ty:ty, $x:ident => $abs:expr, $negative:expr;)*) => { $(
        impl Unary<$ty> for Abs {
            type Out = $ty;
            #[inline(always)]
            fn call($x: $ty) -> $ty {
                $abs
            }
        }
        impl Unary<$ty> for Negative {
            type Out = $ty;
            #[inline(always)]
            fn call($x: $ty) -> $ty {
                $negative
            }
        }
    )* };
}

signs! {
    i8, x => x.wrapping_abs(), x.wrapping_neg();
    i16, x => x.wrapping_abs(), x.wrapping_neg();
    i32, x => x.wrapping_abs(), x.wrapping_neg();
    i64, x => x.wrapping_abs(), x.wrapping_neg();
    u8, x => x, x.wrapping_neg();
    u16, x => x, x.wrapping_neg();
    u32, x => x, x.wrapping_neg();
    u64, x => x, x.wrapping_neg();
    f32, x => x.abs(), -x;
    f64, x => x.abs(), -x;
}

impl<F: Float> Unary<Complex<F>> for Abs
where
    Complex<F>: strictarray_core::Element,
{
    type Out = F;
    #[inline(always)]
    fn call(x: Complex<F>) -> F {
        F::modulus(x)
    }
}

impl<F: Float> Unary<Complex<F>> for Negative
where
    Complex<F>: strictarray_core::Element,
{
    type Out = Complex<F>;
    #[inline(always)]
    fn call(x: Complex<F>) -> Complex<F> {
        Complex::new(-x.re, -x.im)
    }
}

impl<T: strictarray_core::Element> Unary<T> for Positive {
    type Out = T;
    #[inline(always)]
    fn call(x: T) -> T {
        x
    }
}
