//! The hyperbolic functions, and the trigonometric ones, which are the same of a turned number.

use strictarray_core::Complex;

use super::exp::is_ordinary;
use super::pair::Pair;
use super::pieces::{Angle, angle, any_angle, exp_less_one, powers_of_two, product, sin_cos};
use super::{Function, pieces};
use crate::elementwise::real::{Cos, Cosh, Sin, Sinh, Tan, Tanh};

/// 1 with the sign.
#[inline(always)]
fn sign(x: f64) -> f64 {
    1f64.copysign(x)
}

/// sinh x cos y + i cosh x sin y.
#[inline(always)]
fn sinh(x: f64, angle: Angle) -> Complex<f64> {
    let (sinh, cosh, k) = pieces::sinh_cosh(x.abs().min(pieces::EXP_MOST));
    let (sin, cos) = sin_cos(angle);
    Complex::new(product(sinh, cos, k) * sign(x), product(cosh, sin, k))
}

/// cosh x cos y + i sinh x sin y.
#[inline(always)]
fn cosh(x: f64, angle: Angle) -> Complex<f64> {
    let (sinh, cosh, k) = pieces::sinh_cosh(x.abs().min(pieces::EXP_MOST));
    let (sin, cos) = sin_cos(angle);
    Complex::new(product(cosh, cos, k), product(sinh, sin, k) * sign(x))
}

/// With t = e^(-2|x|): (1 - t)(1 + t) and 4t sin y cos y over (1 - t)² + 4t cos² y, where nothing cancels.
#[inline(always)]
fn tanh(x: f64, angle: Angle) -> Complex<f64> {
    let twice = -2.0 * x.abs().min(700.0);
    let (e, k) = pieces::exp(twice);
    let (sin, cos) = sin_cos(angle);
    // Far away it does not count in the divisor.
    let t = e.scaled(f64::from_bits(((k.max(-1000) + 1023) << 52) as u64));
    let small = twice > -0.25;
    let less = Pair::select(small, exp_less_one(if small { twice } else { 0.0 }).neg(), Pair::from(1.0).plus(t.neg()));
    let more = Pair::fast_sum(1.0, t.hi);
    let more = Pair::new(more.hi, more.lo + t.lo);
    let divisor = less.square().plus(t.mul(cos.square()).scaled(4.0));
    let re = less.mul(more).div(divisor).value();
    let im = e.mul(cos.mul(sin.scaled(4.0))).div(divisor).value();
    let (p, q) = powers_of_two(k);
    Complex::new(re.copysign(x), (im * p * q).copysign(sin.hi * sign(cos.hi)))
}

impl Function for Sinh {
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        is_ordinary(z.re, z.im)
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        sinh(z.re, angle(z.im))
    }
    fn slow(z: Complex<f64>) -> Complex<f64> {
        let (x, y) = (z.re, z.im);
        if y.is_finite() && (x.is_finite() || x.is_infinite() && y != 0.0) {
            // Infinities are as the largest numbers.
            return sinh(x, any_angle(y));
        }
        if y == 0.0 || x == 0.0 {
            return Complex::new(x, if y == 0.0 { y } else { f64::NAN });
        }
        Complex::new(if x.is_infinite() { x } else { f64::NAN }, f64::NAN)
    }
}

impl Function for Cosh {
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        is_ordinary(z.re, z.im)
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        cosh(z.re, angle(z.im))
    }
    fn slow(z: Complex<f64>) -> Complex<f64> {
        let (x, y) = (z.re, z.im);
        if y.is_finite() && (x.is_finite() || x.is_infinite() && y != 0.0) {
            return cosh(x, any_angle(y));
        }
        // An even function: the zero has the sign of both; NaN has none.
        let of = |x: f64| if x.is_nan() { 1.0 } else { sign(x) };
        let zero = 0f64.copysign(of(x) * of(y));
        if y == 0.0 {
            return Complex::new(x.abs(), zero);
        }
        if x == 0.0 {
            return Complex::new(f64::NAN, zero);
        }
        Complex::new(if x.is_infinite() { f64::INFINITY } else { f64::NAN }, f64::NAN)
    }
}

impl Function for Tanh {
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        is_ordinary(z.re, z.im)
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        tanh(z.re, angle(z.im))
    }
    fn slow(z: Complex<f64>) -> Complex<f64> {
        let (x, y) = (z.re, z.im);
        if x.is_infinite() {
            // The zero has the sign of y, as the standard says, whatever sin 2y is.
            return Complex::new(sign(x), if y.is_nan() { 0.0 } else { 0f64.copysign(y) });
        }
        if x.is_finite() && y.is_finite() {
            return tanh(x, any_angle(y));
        }
        if y == 0.0 || x == 0.0 {
            return Complex::new(x, if y == 0.0 { y } else { f64::NAN });
        }
        Complex::new(f64::NAN, f64::NAN)
    }
}

/// The number with its parts exchanged: i times its conjugate.
#[inline(always)]
pub(super) fn exchanged(z: Complex<f64>) -> Complex<f64> {
    Complex::new(z.im, z.re)
}

/// Defines a function as that of the exchanged number, exchanged: for an odd f, -i f(iz).
macro_rules! turned {
    ($($name:ident = $of:ident;)*) => { $(
        impl Function for $name {
            #[inline(always)]
            fn holds(z: Complex<f64>) -> bool {
                $of::holds($crate::elementwise::complex::hyperbolic::exchanged(z))
            }
            #[inline(always)]
            fn quick(z: Complex<f64>) -> Complex<f64> {
                use $crate::elementwise::complex::hyperbolic::exchanged;
                exchanged($of::quick(exchanged(z)))
            }
            #[inline(always)]
            fn slow(z: Complex<f64>) -> Complex<f64> {
                use $crate::elementwise::complex::hyperbolic::exchanged;
                exchanged($of::slow(exchanged(z)))
            }
        }
    )* };
}
pub(super) use turned;

turned! {
    Sin = Sinh;
    Tan = Tanh;
}

/// cosh(iz), and the function is even.
impl Function for Cos {
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        Cosh::holds(exchanged(z))
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        let turned = Cosh::quick(exchanged(z));
        Complex::new(turned.re, -turned.im)
    }
    #[inline(always)]
    fn slow(z: Complex<f64>) -> Complex<f64> {
        let turned = Cosh::slow(exchanged(z));
        Complex::new(turned.re, -turned.im)
    }
}
