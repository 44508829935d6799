//! Exponentials, logarithms, angles and hyperbolic functions of real numbers, of our own, so that they vectorise and have
//! the same bits everywhere.
//!
//! Those of double precision keep sums in two parts up to the last one, which rounds: their errors stay well below one unit
//! of the last place. Those of single precision are computed in double.

mod arc;
mod circular;
mod constants;
mod exponential;
mod logarithm;
mod pair;

use super::{Binary, Unary};

macro_rules! functions {
    ($($op:ident, $doc:literal, $file:ident::$double:ident, $single:path $(, $quick:ident $holds:ident)?;)*) => { $(
        #[doc = $doc]
        pub(crate) struct $op;
        impl Unary<f64> for $op {
            type Out = f64;
            #[inline(always)]
            fn call(x: f64) -> f64 {
                $file::$double(x)
            }
            $(
                const QUICK: bool = true;
                #[inline(always)]
                fn quick(x: f64) -> f64 {
                    $file::$quick(x)
                }
                #[inline(always)]
                fn holds(x: f64) -> bool {
                    $file::$holds(x)
                }
            )?
        }
        impl Unary<f32> for $op {
            type Out = f32;
            #[inline(always)]
            fn call(x: f32) -> f32 {
                $single(f64::from(x)) as f32
            }
        }
    )* };
}

functions! {
    Acos, "The arc cosine.", arc::acos, arc::single::acos;
    Acosh, "The inverse hyperbolic cosine.", logarithm::acosh, logarithm::single::acosh;
    Asin, "The arc sine.", arc::asin, arc::single::asin;
    Asinh, "The inverse hyperbolic sine.", logarithm::asinh, logarithm::single::asinh;
    Atan, "The arc tangent.", arc::atan, arc::single::atan;
    Atanh, "The inverse hyperbolic tangent.", logarithm::atanh, logarithm::single::atanh;
    Cosh, "The hyperbolic cosine.", exponential::cosh, exponential::single::cosh;
    Exp, "The exponential.", exponential::exp, exponential::single::exp, quick_exp exp_holds;
    Expm1, "The exponential less 1.", exponential::expm1, exponential::single::expm1;
    Log, "The natural logarithm.", logarithm::log, logarithm::single::log, quick_log holds;
    Log10, "The logarithm to base 10.", logarithm::log10, logarithm::single::log10, quick_log10 holds;
    Log1p, "The logarithm of 1 and it.", logarithm::log1p, logarithm::single::log1p;
    Log2, "The logarithm to base 2.", logarithm::log2, logarithm::single::log2, quick_log2 holds;
    Sinh, "The hyperbolic sine.", exponential::sinh, exponential::single::sinh;
    Tanh, "The hyperbolic tangent.", exponential::tanh, exponential::single::tanh;
}

/// Functions of an angle: quick where its reduction is short.
macro_rules! circular {
    ($($op:ident, $doc:literal, $name:ident, $near:ident;)*) => { $(
        #[doc = $doc]
        pub(crate) struct $op;
        impl Unary<f64> for $op {
            type Out = f64;
            #[inline(always)]
            fn call(x: f64) -> f64 {
                circular::$name(x)
            }
            const QUICK: bool = true;
            #[inline(always)]
            fn quick(x: f64) -> f64 {
                circular::$near(x)
            }
            #[inline(always)]
            fn holds(x: f64) -> bool {
                circular::near(x)
            }
        }
        impl Unary<f32> for $op {
            type Out = f32;
            #[inline(always)]
            fn call(x: f32) -> f32 {
                if Self::holds(x) { Self::quick(x) } else { circular::$name(f64::from(x)) as f32 }
            }
            const QUICK: bool = true;
            #[inline(always)]
            fn quick(x: f32) -> f32 {
                circular::single::$near(f64::from(x)) as f32
            }
            #[inline(always)]
            fn holds(x: f32) -> bool {
                circular::near(f64::from(x))
            }
        }
    )* };
}

circular! {
    Cos, "The cosine.", cos, near_cos;
    Sin, "The sine.", sin, near_sin;
    Tan, "The tangent.", tan, near_tan;
}

/// The angle of a point, of which the ordinate comes first.
pub(crate) struct Atan2;
/// The length of the vector with these components.
pub(crate) struct Hypot;
/// The logarithm of the sum of both exponentials.
pub(crate) struct LogAddExp;

impl Binary<f64> for Atan2 {
    type Out = f64;
    #[inline(always)]
    fn call(y: f64, x: f64) -> f64 {
        arc::atan2(y, x)
    }
    const QUICK: bool = true;
    #[inline(always)]
    fn quick(y: f64, x: f64) -> f64 {
        arc::ordinary_atan2(y, x)
    }
    #[inline(always)]
    fn holds(y: f64, x: f64) -> bool {
        arc::ordinary(y, x)
    }
}

impl Binary<f32> for Atan2 {
    type Out = f32;
    #[inline(always)]
    fn call(y: f32, x: f32) -> f32 {
        if Self::holds(y, x) { Self::quick(y, x) } else { arc::atan2(f64::from(y), f64::from(x)) as f32 }
    }
    const QUICK: bool = true;
    #[inline(always)]
    fn quick(y: f32, x: f32) -> f32 {
        arc::single::ordinary_atan2(f64::from(y), f64::from(x)) as f32
    }
    #[inline(always)]
    fn holds(y: f32, x: f32) -> bool {
        arc::single::ordinary(f64::from(y), f64::from(x))
    }
}

impl Binary<f64> for LogAddExp {
    type Out = f64;
    #[inline(always)]
    fn call(a: f64, b: f64) -> f64 {
        logarithm::log_add_exp(a, b)
    }
}

impl Binary<f32> for LogAddExp {
    type Out = f32;
    #[inline(always)]
    fn call(a: f32, b: f32) -> f32 {
        logarithm::single::log_add_exp(f64::from(a), f64::from(b)) as f32
    }
}

macro_rules! hypot {
    ($($ty:ident)*) => { $(
        impl Binary<$ty> for Hypot {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                super::complex::$ty::modulus(strictarray_core::Complex::new(a, b))
            }
        }
    )* };
}

hypot!(f32 f64);
