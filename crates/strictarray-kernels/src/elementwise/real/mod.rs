//! Exponentials, logarithms, angles and hyperbolic functions of real numbers, of our own, so that they vectorise and have
//! the same bits everywhere.
//!
//! Those of double precision keep sums in two parts up to the last one, which rounds: their errors stay well below one unit
//! of the last place. Those of single precision are computed the same way, or in double.

mod arc;
mod circular;
mod constants;
mod exponential;
mod logarithm;
mod narrow;
mod pair;

use pair::Pair;

use super::{Binary, Unary};

/// a^b for a positive, normal and finite `a`, where the power is surely so too.
#[inline(always)]
pub(super) fn quick_power(a: f64, b: f64) -> f64 {
    let log = logarithm::log_for_power(a);
    let high = Pair::product(b, log.high);
    exponential::quick_exp_of(high.plus(b * log.low))
}

/// The same of single precision, to which the result is still to be rounded; |b · log2 a| is below 1000.
#[inline(always)]
pub(super) fn quick_power_single(a: f64, b: f64) -> f64 {
    exponential::single::exp2(b * logarithm::single::quick_log2(a))
}

/// `Op, doc, file::function of f64, function of f32`, each with `quick holds` where another one holds for most numbers.
/// A function of f32 in `in double` is computed in double.
macro_rules! functions {
    ($($op:ident, $doc:literal, $double:tt, $single:tt;)*) => { $(
        #[doc = $doc]
        pub(crate) struct $op;
        functions!(@one $op, f64, $double);
        functions!(@one $op, f32, $single);
    )* };
    (@one $op:ident, $ty:ty, [$function:path $(, $quick:path, $holds:path)?]) => {
        impl Unary<$ty> for $op {
            type Out = $ty;
            #[inline(always)]
            fn call(x: $ty) -> $ty {
                $function(x)
            }
            $(
                const QUICK: bool = true;
                #[inline(always)]
                fn quick(x: $ty) -> $ty {
                    $quick(x)
                }
                #[inline(always)]
                fn holds(x: $ty) -> bool {
                    $holds(x)
                }
            )?
        }
    };
    (@one $op:ident, $ty:ty, (in double $function:path $(, $quick:path, $holds:path)?)) => {
        impl Unary<$ty> for $op {
            type Out = $ty;
            #[inline(always)]
            fn call(x: $ty) -> $ty {
                $(
                    if $holds(x) {
                        return $quick(x);
                    }
                )?
                $function(f64::from(x)) as f32
            }
            $(
                const QUICK: bool = true;
                #[inline(always)]
                fn quick(x: $ty) -> $ty {
                    $quick(x)
                }
                #[inline(always)]
                fn holds(x: $ty) -> bool {
                    $holds(x)
                }
            )?
        }
    };
}

functions! {
    Acos, "The arc cosine.", [arc::acos], [narrow::acos];
    Acosh, "The inverse hyperbolic cosine.", [logarithm::acosh], (in double logarithm::single::acosh);
    Asin, "The arc sine.", [arc::asin], [narrow::asin];
    Asinh, "The inverse hyperbolic sine.", [logarithm::asinh], (in double logarithm::single::asinh);
    Atan, "The arc tangent.", [arc::atan], [narrow::atan];
    Atanh, "The inverse hyperbolic tangent.", [logarithm::atanh], (in double logarithm::single::atanh);
    Cosh, "The hyperbolic cosine.", [exponential::cosh], [narrow::cosh];
    Exp, "The exponential.", [exponential::exp, exponential::quick_exp, exponential::exp_holds],
        (in double exponential::single::exp, narrow::exp, narrow::exp_holds);
    Expm1, "The exponential less 1.", [exponential::expm1], [narrow::expm1];
    Log, "The natural logarithm.", [logarithm::log, logarithm::quick_log, logarithm::holds],
        (in double logarithm::single::log, narrow::log, narrow::log_holds);
    Log10, "The logarithm to base 10.", [logarithm::log10, logarithm::quick_log10, logarithm::holds],
        (in double logarithm::single::log10, narrow::log10, narrow::log_holds);
    Log1p, "The logarithm of 1 and it.", [logarithm::log1p], (in double logarithm::single::log1p);
    Log2, "The logarithm to base 2.", [logarithm::log2, logarithm::quick_log2, logarithm::holds],
        (in double logarithm::single::log2, narrow::log2, narrow::log_holds);
    Sinh, "The hyperbolic sine.", [exponential::sinh], [narrow::sinh];
    Tanh, "The hyperbolic tangent.", [exponential::tanh], [narrow::tanh];
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
        narrow::atan2(y, x)
    }
    #[inline(always)]
    fn holds(y: f32, x: f32) -> bool {
        narrow::atan2_holds(y, x)
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
                super::complex::arithmetic::$ty::modulus(strictarray_core::Complex::new(a, b))
            }
        }
    )* };
}

hypot!(f32 f64);
