//! Functions of complex numbers by their textbook formulas, computed in double precision.

use strictarray_core::Complex;

use super::{Unary, real, roots};

macro_rules! functions {
    ($($op:path, $z:ident => $value:expr;)*) => { $(
        impl Unary<Complex<f64>> for $op {
            type Out = Complex<f64>;
            #[inline(always)]
            fn call($z: Complex<f64>) -> Complex<f64> {
                $value
            }
        }
        impl Unary<Complex<f32>> for $op {
            type Out = Complex<f32>;
            #[inline(always)]
            fn call(z: Complex<f32>) -> Complex<f32> {
                let $z = Complex::new(f64::from(z.re), f64::from(z.im));
                let value: Complex<f64> = $value;
                Complex::new(value.re as f32, value.im as f32)
            }
        }
    )* };
}

functions! {
    real::Acos, z => z.acos();
    real::Acosh, z => z.acosh();
    real::Asin, z => z.asin();
    real::Asinh, z => z.asinh();
    real::Atan, z => z.atan();
    real::Atanh, z => z.atanh();
    real::Cos, z => z.cos();
    real::Cosh, z => z.cosh();
    real::Exp, z => z.exp();
    real::Expm1, z => z.exp() - 1.0;
    real::Log, z => z.ln();
    real::Log10, z => z.log10();
    real::Log1p, z => (z + 1.0).ln();
    real::Log2, z => z.log2();
    real::Sin, z => z.sin();
    real::Sinh, z => z.sinh();
    real::Tan, z => z.tan();
    real::Tanh, z => z.tanh();
    roots::Sqrt, z => z.sqrt();
}
