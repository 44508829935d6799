//! Exponentials, logarithms, angles and hyperbolic functions of real numbers.

use super::{Binary, Unary};

macro_rules! functions {
    ($($op:ident, $doc:literal, $x:ident => $value:expr;)*) => { $(
        #[doc = $doc]
        pub(crate) struct $op;
        impl Unary<f64> for $op {
            type Out = f64;
            #[inline(always)]
            fn call($x: f64) -> f64 {
                $value
            }
        }
        impl Unary<f32> for $op {
            type Out = f32;
            #[inline(always)]
            fn call(x: f32) -> f32 {
                let $x = f64::from(x);
                $value as f32
            }
        }
    )* };
}

functions! {
    Acos, "The arc cosine.", x => x.acos();
    Acosh, "The inverse hyperbolic cosine.", x => x.acosh();
    Asin, "The arc sine.", x => x.asin();
    Asinh, "The inverse hyperbolic sine.", x => x.asinh();
    Atan, "The arc tangent.", x => x.atan();
    Atanh, "The inverse hyperbolic tangent.", x => x.atanh();
    Cos, "The cosine.", x => x.cos();
    Cosh, "The hyperbolic cosine.", x => x.cosh();
    Exp, "The exponential.", x => x.exp();
    Expm1, "The exponential less 1.", x => x.exp_m1();
    Log, "The natural logarithm.", x => x.ln();
    Log10, "The logarithm to base 10.", x => x.log10();
    Log1p, "The logarithm of 1 and it.", x => x.ln_1p();
    Log2, "The logarithm to base 2.", x => x.log2();
    Sin, "The sine.", x => x.sin();
    Sinh, "The hyperbolic sine.", x => x.sinh();
    Tan, "The tangent.", x => x.tan();
    Tanh, "The hyperbolic tangent.", x => x.tanh();
}

/// The angle of a point, of which the ordinate comes first.
pub(crate) struct Atan2;
/// The length of the vector with these components.
pub(crate) struct Hypot;
/// The logarithm of the sum of both exponentials.
pub(crate) struct LogAddExp;

fn log_add_exp(a: f64, b: f64) -> f64 {
    if a == b {
        // Also where both are infinite.
        return a + std::f64::consts::LN_2;
    }
    let larger = if a > b { a } else { b };
    let distance = -(a - b).abs();
    if distance.is_nan() { f64::NAN } else { larger + distance.exp().ln_1p() }
}

macro_rules! binary {
    ($($op:ident, $a:ident, $b:ident => $value:expr;)*) => { $(
        impl Binary<f64> for $op {
            type Out = f64;
            #[inline(always)]
            fn call($a: f64, $b: f64) -> f64 {
                $value
            }
        }
        impl Binary<f32> for $op {
            type Out = f32;
            #[inline(always)]
            fn call(a: f32, b: f32) -> f32 {
                let ($a, $b) = (f64::from(a), f64::from(b));
                $value as f32
            }
        }
    )* };
}

binary! {
    Atan2, a, b => a.atan2(b);
    LogAddExp, a, b => log_add_exp(a, b);
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
