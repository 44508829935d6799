//! Exponentials, logarithms, angles and hyperbolic functions of real numbers, of our own, so that they vectorise and have
//! the same bits everywhere.
//!
//! They keep sums in two parts up to the last one, which rounds, as far as errors of about one unit of the last place need
//! it. Those of single precision are computed in single precision; where they don't hold, in double.

mod arc;
mod circular;
mod constants;
mod exponential;
pub(super) mod in_lanes;
mod logarithm;
pub(super) mod narrow;
mod pair;

use super::{Binary, InLanes, PairsInLanes, Unary, loops};
use crate::lanes::Lanes;
use crate::run::{BinaryLoops, UnaryLoop};
use crate::simd::Level;

/// a^b for a positive, normal and finite `a`, for single precision, to which the result is still to be rounded; |b · log2 a|
/// is below 1000.
#[inline(always)]
pub(super) fn quick_power_single(a: f64, b: f64) -> f64 {
    exponential::single::exp2(b * logarithm::single::quick_log2(a))
}

/// A type with functions in lanes, and what computes where they do not hold: double precision.
trait Elsewhere: Sized {
    fn elsewhere(self, function: fn(f64) -> f64) -> Self;
}

impl Elsewhere for f64 {
    #[inline(always)]
    fn elsewhere(self, function: fn(f64) -> f64) -> f64 {
        function(self)
    }
}

impl Elsewhere for f32 {
    #[inline(always)]
    fn elsewhere(self, function: fn(f64) -> f64) -> f32 {
        function(self.into()) as f32
    }
}

/// `Op, doc, of f64, of f32`: what computes it. That is `[function]`, or `[function, quick, holds]` where another one holds for
/// most numbers, or `(function in lanes)`, or `(function in lanes, elsewhere)` where it does not hold for all.
macro_rules! functions {
    ($($op:ident, $doc:literal, $double:tt, $single:tt;)*) => { $(
        #[doc = $doc]
        pub(crate) struct $op;
        functions!(@one $op, f64, $double);
        functions!(@one $op, f32, $single);
    )* };
    (@one $op:ident, $ty:ident, [$function:path $(, $quick:path, $holds:path)?]) => {
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
    // They hold for all.
    (@elsewhere $x:ident,) => {
        $x
    };
    (@elsewhere $x:ident, $function:path) => {
        $x.elsewhere($function)
    };
    (@one $op:ident, $ty:ident, ($lanes:path $(, $elsewhere:path)?)) => {
        impl Unary<$ty> for $op {
            type Out = $ty;
            #[inline(always)]
            fn call(x: $ty) -> $ty {
                let (value, holds) = $lanes(x);
                if holds { value } else { <$op as InLanes<$ty>>::elsewhere(x) }
            }
            #[inline]
            fn inner(level: Level) -> UnaryLoop {
                loops::unary_lanes::<$ty, $op>(level)
            }
        }
        impl InLanes<$ty> for $op {
            #[inline(always)]
            fn lanes<V: Lanes<Item = $ty>>(x: V) -> (V, V::Mask) {
                $lanes(x)
            }
            #[inline(always)]
            fn elsewhere(x: $ty) -> $ty {
                functions!(@elsewhere x, $($elsewhere)?)
            }
        }
    };
}

functions! {
    Acos, "The arc cosine.", (in_lanes::acos), (in_lanes::acos);
    Acosh, "The inverse hyperbolic cosine.", (in_lanes::acosh, logarithm::acosh), (in_lanes::acosh, logarithm::single::acosh);
    Asin, "The arc sine.", (in_lanes::asin), (in_lanes::asin);
    Asinh, "The inverse hyperbolic sine.", (in_lanes::asinh, logarithm::asinh), (in_lanes::asinh, logarithm::single::asinh);
    Atan, "The arc tangent.", (in_lanes::atan), (in_lanes::atan);
    Atanh, "The inverse hyperbolic tangent.", (in_lanes::atanh, logarithm::atanh),
        (in_lanes::atanh, logarithm::single::atanh);
    Cos, "The cosine.", [circular::cos, circular::near_cos, circular::near], (narrow::cos, circular::single::cos);
    Cosh, "The hyperbolic cosine.", (in_lanes::cosh, exponential::cosh), (in_lanes::cosh, exponential::cosh);
    Exp, "The exponential.", [exponential::exp, exponential::quick_exp, exponential::exp_holds],
        (narrow::exp, exponential::single::exp);
    Expm1, "The exponential less 1.", (in_lanes::expm1, exponential::expm1), (in_lanes::expm1, exponential::expm1);
    Log, "The natural logarithm.", (in_lanes::log, logarithm::log), (in_lanes::log, logarithm::single::log);
    Log10, "The logarithm to base 10.", (in_lanes::log10, logarithm::log10), (in_lanes::log10, logarithm::single::log10);
    Log1p, "The logarithm of 1 and it.", (in_lanes::log1p, logarithm::log1p), (in_lanes::log1p, logarithm::single::log1p);
    Log2, "The logarithm to base 2.", (in_lanes::log2, logarithm::log2), (in_lanes::log2, logarithm::single::log2);
    Sin, "The sine.", [circular::sin, circular::near_sin, circular::near], (narrow::sin, circular::single::sin);
    Sinh, "The hyperbolic sine.", (in_lanes::sinh, exponential::sinh), (in_lanes::sinh, exponential::sinh);
    Tan, "The tangent.", (in_lanes::tan, circular::tan), (in_lanes::tan, circular::single::tan);
    Tanh, "The hyperbolic tangent.", (in_lanes::tanh), (narrow::tanh);
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
        let (value, holds) = narrow::atan2(y, x);
        if holds { value } else { <Atan2 as PairsInLanes<f32>>::elsewhere(y, x) }
    }
    #[inline]
    fn inner(level: Level) -> BinaryLoops {
        BinaryLoops { apart: loops::binary_lanes::<f32, Atan2>(level), onto: None, repeated: None }
    }
}

impl PairsInLanes<f32> for Atan2 {
    #[inline(always)]
    fn lanes<V: Lanes<Item = f32>>(y: V, x: V) -> (V, V::Mask) {
        narrow::atan2(y, x)
    }
    #[inline(always)]
    fn elsewhere(y: f32, x: f32) -> f32 {
        arc::atan2(f64::from(y), f64::from(x)) as f32
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
