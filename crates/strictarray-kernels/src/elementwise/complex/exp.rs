//! The exponential, and it less one.

use strictarray_core::Complex;

use super::pair::Pair;
use super::pieces::{
    Angle, LARGE_ANGLE, angle, any_angle, cos_less_one, exp_less_one, exp_range, powers_of_two, product, sin_cos,
};
use super::{Function, pieces};
use crate::elementwise::real::{Exp, Expm1};

/// Whether the parts are ordinary: the real one finite, the imaginary one no large angle.
#[inline(always)]
pub(super) fn is_ordinary(x: f64, y: f64) -> bool {
    (x.abs() < f64::INFINITY) & (y.abs() < LARGE_ANGLE)
}

/// What both functions are where a part is infinite or NaN; `far` is the value towards minus infinity.
#[inline(always)]
fn at_the_ends(x: f64, y: f64, far: f64) -> Complex<f64> {
    if y == 0.0 {
        // NaN stays NaN.
        return Complex::new(if x == f64::NEG_INFINITY { far } else { x }, y);
    }
    if x == f64::NEG_INFINITY {
        if y.is_finite() {
            let (sin, cos) = sin_cos(any_angle(y));
            return Complex::new(if far == 0.0 { 0f64.copysign(cos.hi) } else { far }, 0f64.copysign(sin.hi));
        }
        return Complex::new(far, if y.is_nan() { 0.0 } else { 0f64.copysign(y) });
    }
    if x == f64::INFINITY {
        if y.is_finite() {
            let (sin, cos) = sin_cos(any_angle(y));
            return Complex::new(x.copysign(cos.hi), x.copysign(sin.hi));
        }
        return Complex::new(x, f64::NAN);
    }
    Complex::new(f64::NAN, f64::NAN)
}

#[inline(always)]
fn exp(x: f64, angle: Angle) -> Complex<f64> {
    let (e, k) = pieces::exp(exp_range(x));
    let (sin, cos) = sin_cos(angle);
    Complex::new(product(e, cos, k), product(e, sin, k))
}

impl Function for Exp {
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        is_ordinary(z.re, z.im)
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        exp(z.re, angle(z.im))
    }
    fn slow(z: Complex<f64>) -> Complex<f64> {
        if z.re.is_finite() && z.im.is_finite() { exp(z.re, any_angle(z.im)) } else { at_the_ends(z.re, z.im, 0.0) }
    }
}

/// Up to here the real and the imaginary part, less whole turns, are small: the 1 is taken away beforehand.
const SMALL: f64 = 0.25;

#[inline(always)]
fn exp_minus_one(x: f64, angle: Angle) -> Complex<f64> {
    let (e, k) = pieces::exp(exp_range(x));
    let (sin, cos) = sin_cos(angle);
    let im = product(e, sin, k);
    // The 1 is lost on larger numbers, and they on it, whatever the cosine: at most 2^62 times smaller than 1.
    let near = k.clamp(-200, 200);
    let (p, q) = powers_of_two((k - near).max(0));
    let power = f64::from_bits(((near + 1023) << 52) as u64);
    let less = e.mul(cos).scaled(power).add(Pair::from(-1.0));
    let less = less.value() * p * q;
    // (1 + a)(1 + b) - 1.
    let small = (x.abs() < SMALL) & (angle.rest.hi.abs() < SMALL) & angle.is_near_whole_turns();
    let a = exp_less_one(if small { x } else { 0.0 });
    let b = cos_less_one(Pair::select(small, angle.rest, Pair::from(0.0)));
    let near = a.add(b).add(a.mul(b)).value();
    // The standard wants 0 of -0.
    Complex::new(if small { near } else { less } + 0.0, im)
}

impl Function for Expm1 {
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        is_ordinary(z.re, z.im)
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        exp_minus_one(z.re, angle(z.im))
    }
    fn slow(z: Complex<f64>) -> Complex<f64> {
        if z.re.is_finite() && z.im.is_finite() {
            exp_minus_one(z.re, any_angle(z.im))
        } else {
            at_the_ends(z.re, z.im, -1.0)
        }
    }
}
