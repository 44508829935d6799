//! Parts of complex numbers.

use strictarray_core::{Complex, Element};

use super::Unary;
use crate::float::Float;

/// The real part.
pub(crate) struct Real;
/// The imaginary part.
pub(crate) struct Imag;
/// The conjugate.
pub(crate) struct Conj;

macro_rules! real_numbers {
    ($($ty:ty)*) => { $(
        impl Unary<$ty> for Real {
            type Out = $ty;
            #[inline(always)]
            fn call(x: $ty) -> $ty {
                x
            }
        }
        impl Unary<$ty> for Conj {
            type Out = $ty;
            #[inline(always)]
            fn call(x: $ty) -> $ty {
                x
            }
        }
    )* };
}

real_numbers!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

macro_rules! complex_numbers {
    ($($op:ident: $out:ty, $x:ident => $value:expr;)*) => { $(
        impl<F: Float> Unary<Complex<F>> for $op
        where
            Complex<F>: Element,
        {
            type Out = $out;
            #[inline(always)]
            fn call($x: Complex<F>) -> $out {
                $value
            }
        }
    )* };
}

complex_numbers! {
    Real: F, x => x.re;
    Imag: F, x => x.im;
    Conj: Complex<F>, x => Complex::new(x.re, -x.im);
}
