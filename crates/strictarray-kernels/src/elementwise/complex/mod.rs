//! Functions of complex numbers.
//!
//! Each is computed in double precision from pieces of twice that ([`pair`], [`pieces`]), so that each part of the value is
//! rounded about once, wherever it is; single precision is rounded once more. Signs of zeros say the side of a cut, and the
//! symmetries hold to the bit, because the sizes of the parts are what is computed with.

pub(crate) mod arithmetic;
mod exp;
mod hyperbolic;
mod integer_power;
mod inverse;
mod log;
mod pair;
mod pieces;
mod power;
mod root;
mod tables;

use strictarray_core::Complex;

use super::{Unary, classes, real, roots};
use crate::float::InDouble;

/// A function of a complex number.
pub(crate) trait Function {
    /// Whether [`quick`](Function::quick) gives the value.
    fn holds(z: Complex<f64>) -> bool;
    /// The value of an ordinary number, without a branch.
    fn quick(z: Complex<f64>) -> Complex<f64>;
    /// The value of any other number.
    fn slow(z: Complex<f64>) -> Complex<f64>;
}

/// The function out of line, for numbers here and there.
#[inline(never)]
fn call<O: Function>(z: Complex<f64>) -> Complex<f64> {
    if O::holds(z) { O::quick(z) } else { O::slow(z) }
}

/// Makes functions elementwise ones of both precisions.
macro_rules! elementwise {
    ($($op:ty)*) => { $(
        impl Unary<Complex<f64>> for $op {
            type Out = Complex<f64>;
            #[inline(always)]
            fn call(z: Complex<f64>) -> Complex<f64> {
                call::<$op>(z)
            }
            const QUICK: bool = true;
            #[inline(always)]
            fn quick(z: Complex<f64>) -> Complex<f64> {
                <$op as Function>::quick(z)
            }
            #[inline(always)]
            fn holds(z: Complex<f64>) -> bool {
                <$op as Function>::holds(z)
            }
        }
        impl Unary<Complex<f32>> for $op {
            type Out = Complex<f32>;
            #[inline(always)]
            fn call(z: Complex<f32>) -> Complex<f32> {
                InDouble::narrow(call::<$op>(z.wide()))
            }
            const QUICK: bool = true;
            #[inline(always)]
            fn quick(z: Complex<f32>) -> Complex<f32> {
                InDouble::narrow(<$op as Function>::quick(z.wide()))
            }
            #[inline(always)]
            fn holds(z: Complex<f32>) -> bool {
                <$op as Function>::holds(z.wide())
            }
        }
    )* };
}

elementwise! {
    classes::Sign
    real::Acos
    real::Acosh
    real::Asin
    real::Asinh
    real::Atan
    real::Atanh
    real::Cos
    real::Cosh
    real::Exp
    real::Expm1
    real::Log
    real::Log10
    real::Log1p
    real::Log2
    real::Sin
    real::Sinh
    real::Tan
    real::Tanh
    roots::Sqrt
}
