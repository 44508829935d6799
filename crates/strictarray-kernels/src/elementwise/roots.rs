//! Square roots, squares, reciprocals.

use std::mem::MaybeUninit;

use strictarray_core::{Complex, Element};

use super::Unary;
use super::arithmetic::complex_products;
use crate::float::Float;

/// The square root.
pub(crate) struct Sqrt;
/// The product with itself.
pub(crate) struct Square;
/// What gives 1 with it.
pub(crate) struct Reciprocal;

macro_rules! real_numbers {
    ($($op:ident, $x:ident => $value:expr, $($ty:ty)*;)*) => { $($(
        impl Unary<$ty> for $op {
            type Out = $ty;
            #[inline(always)]
            fn call($x: $ty) -> $ty {
                $value
            }
        }
    )*)* };
}

real_numbers! {
    Sqrt, x => x.sqrt(), f32 f64;
    Square, x => x * x, f32 f64;
    Square, x => x.wrapping_mul(x), i8 i16 i32 i64 u8 u16 u32 u64;
    Reciprocal, x => 1.0 / x, f32 f64;
}

// As the product and the quotient.
impl<F: Float> Unary<Complex<F>> for Square
where
    Complex<F>: Element,
{
    type Out = Complex<F>;
    #[inline(always)]
    fn call(x: Complex<F>) -> Complex<F> {
        Complex::new(x.re * x.re - x.im * x.im, x.re * x.im + x.im * x.re)
    }
    const BLOCKS: bool = true;
    #[inline(always)]
    fn block(out: &mut [MaybeUninit<Complex<F>>], x: &[Complex<F>]) -> bool {
        complex_products(out, x, x);
        true
    }
}

impl<F: Float> Unary<Complex<F>> for Reciprocal
where
    Complex<F>: Element,
{
    type Out = Complex<F>;
    #[inline(always)]
    fn call(x: Complex<F>) -> Complex<F> {
        F::complex_divide(Complex::new(F::ONE, F::ZERO), x)
    }
    const QUICK: bool = true;
    #[inline(always)]
    fn quick(x: Complex<F>) -> Complex<F> {
        F::complex_quick_divide(Complex::new(F::ONE, F::ZERO), x)
    }
    #[inline(always)]
    fn holds(x: Complex<F>) -> bool {
        F::complex_divide_holds(Complex::new(F::ONE, F::ZERO), x)
    }
}
