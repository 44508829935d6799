//! Rounding to integers, in the data type that it is.

use strictarray_core::{Complex, Element};

use super::Unary;
use crate::float::Float;

macro_rules! rounding {
    ($($op:ident, $method:ident, $doc:literal;)*) => { $(
        #[doc = $doc]
        pub(crate) struct $op;
        rounding!(@integers $op, i8 i16 i32 i64 u8 u16 u32 u64);
        rounding!(@floats $op, $method, f32 f64);
    )* };
    (@integers $op:ident, $($ty:ty)*) => { $(
        impl Unary<$ty> for $op {
            type Out = $ty;
            #[inline(always)]
            fn call(x: $ty) -> $ty {
                x
            }
        }
    )* };
    (@floats $op:ident, $method:ident, $($ty:ty)*) => { $(
        impl Unary<$ty> for $op {
            type Out = $ty;
            #[inline(always)]
            fn call(x: $ty) -> $ty {
                x.$method()
            }
        }
    )* };
}

rounding! {
    Ceil, ceil, "The smallest integer that is not less.";
    Floor, floor, "The largest integer that is not greater.";
    Round, round_ties_even, "The nearest integer, the even one of two.";
    Trunc, trunc, "The integer part.";
}

impl<F: Float> Unary<Complex<F>> for Round
where
    Complex<F>: Element,
    Round: Unary<F, Out = F>,
{
    type Out = Complex<F>;
    #[inline(always)]
    fn call(x: Complex<F>) -> Complex<F> {
        Complex::new(Round::call(x.re), Round::call(x.im))
    }
}
