//! The inverse hyperbolic and trigonometric functions.
//!
//! Of z = sin(a + ib), with x = sin a cosh b and y = cos a sinh b, all come from sinh b and cos a, of which the larger is the
//! root of a sum that does not cancel: sinh² b + cos² a = |1 - z²| and sinh² b - cos² a = |z|² - 1, and the smaller is y
//! over it. Everything is computed in the first quadrant, so that symmetries hold to the bit, and signs, those of zeros
//! too, say the side of a cut.

use strictarray_core::Complex;

use super::Function;
use super::arithmetic::f64::{divide, magnitude};
use super::hyperbolic::turned;
use super::log::log_of;
use super::pair::Pair;
use super::pieces::{arc_tan, log_of_one_more, squares_less_one};
use super::tables::{HALF_PI, LN2, PI};
use crate::elementwise::real::{Acos, Acosh, Asin, Asinh, Atan, Atanh};

/// From here on 1 is lost on the square of a number.
const LARGE: f64 = 1_099_511_627_776.0;
/// The square of smaller ones is lost on a difference from 1.
const TINY: f64 = 1e-120;

/// b and cos a cosh b of x and y, which are not negative and below [`LARGE`].
#[inline(always)]
fn of_sine(x: f64, y: f64) -> (Pair, Pair) {
    let twice = y + y;
    let difference = squares_less_one(x, y);
    let size = Pair::select(difference.hi < 0.0, difference.neg(), difference);
    let root = size.square().plus(Pair::product(twice, twice)).sqrt();
    // Where the square is too small to be added or to be there: one of both is 0 or lost on the other.
    let sum = Pair::select(y < TINY, Pair::select(size.hi > twice, size, Pair::from(twice)), root);
    let larger = sum.plus(size).scaled(0.5).sqrt();
    let smaller = Pair::from(y).div(larger);
    let smaller = Pair::select(larger.hi > 0.0, smaller, Pair::from(0.0));
    let outside = difference.hi >= 0.0;
    let (sinh, cos) = (Pair::select(outside, larger, smaller), Pair::select(outside, smaller, larger));
    let cosh = Pair::from(1.0).add(sinh.square()).sqrt();
    // e^b - 1 = sinh b + cosh b - 1.
    let rest = sinh.hi * sinh.hi / (1.0 + cosh.hi);
    let b = log_of_one_more(sinh.plus(Pair::from(rest)));
    (b, cos.mul(cosh))
}

/// b and cos a cosh b, both without a power of two, of larger numbers; and x without it.
#[inline(always)]
fn of_large_sine(x: f64, y: f64) -> (Pair, Pair, Pair) {
    let (_, inverse) = magnitude(Complex::new(x, y));
    let (log, _) = log_of(x, y);
    (log.plus(LN2), Pair::from(y * inverse), Pair::from(x * inverse))
}

/// a of infinite numbers, where a part may be any: the angle between y and x.
#[inline(always)]
fn infinite_angle(x: f64, y: f64) -> Pair {
    match (x.is_infinite(), y.is_infinite()) {
        (true, true) => HALF_PI.scaled(0.5),
        (true, false) => HALF_PI,
        _ => Pair::from(0.0),
    }
}

impl Function for Asin {
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        (z.re.abs() < LARGE) & (z.im.abs() < LARGE)
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        let (x, y) = (z.re.abs(), z.im.abs());
        let (b, cos_cosh) = of_sine(x, y);
        let a = arc_tan(Pair::from(x), cos_cosh);
        Complex::new(a.value().copysign(z.re), b.value().copysign(z.im))
    }
    fn slow(z: Complex<f64>) -> Complex<f64> {
        let (x, y) = (z.re.abs(), z.im.abs());
        let (a, b) = if x.is_finite() && y.is_finite() {
            let (b, cos_cosh, x) = of_large_sine(x, y);
            (arc_tan(x, cos_cosh).value(), b.value())
        } else if x.is_nan() || y.is_nan() {
            let a = if x == 0.0 { x } else { f64::NAN };
            (a, if x.is_infinite() || y.is_infinite() { f64::INFINITY } else { f64::NAN })
        } else {
            (infinite_angle(x, y).value(), f64::INFINITY)
        };
        Complex::new(a.copysign(z.re), b.copysign(z.im))
    }
}

turned! {
    Asinh = Asin;
    Atan = Atanh;
}

impl Function for Acos {
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        Asin::holds(z)
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        let (b, cos_cosh) = of_sine(z.re.abs(), z.im.abs());
        let a = arc_tan(cos_cosh, Pair::from(z.re));
        Complex::new(a.value(), b.value().copysign(-z.im))
    }
    fn slow(z: Complex<f64>) -> Complex<f64> {
        let (x, y) = (z.re.abs(), z.im.abs());
        let (a, b) = if x.is_finite() && y.is_finite() {
            let (b, cos_cosh, x) = of_large_sine(x, y);
            let x = if z.re < 0.0 { x.neg() } else { x };
            (arc_tan(cos_cosh, x), b.value())
        } else if x.is_nan() || y.is_nan() {
            let a = if x == 0.0 { HALF_PI } else { Pair::from(f64::NAN) };
            (a, if x.is_infinite() || y.is_infinite() { f64::INFINITY } else { f64::NAN })
        } else {
            let a = infinite_angle(x, y);
            (HALF_PI.plus(if z.re < 0.0 { a } else { a.neg() }), f64::INFINITY)
        };
        Complex::new(a.value(), b.copysign(-z.im))
    }
}

/// acosh from acos.
#[inline(always)]
fn turned_acos(acos: Complex<f64>, z: Complex<f64>) -> Complex<f64> {
    let side = if z.im.is_nan() { 1.0 } else { z.im };
    Complex::new(acos.im.abs(), acos.re.copysign(side))
}

impl Function for Acosh {
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        Acos::holds(z)
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        turned_acos(Acos::quick(z), z)
    }
    #[inline(always)]
    fn slow(z: Complex<f64>) -> Complex<f64> {
        turned_acos(Acos::slow(z), z)
    }
}

/// ln(1 + 4x / ((1 - x)² + y²)) / 4 and half the angle of 1 - |z|² + 2iy.
impl Function for Atanh {
    /// Below the square root of what loses 1 - |z|² - 2iy on its multiples of π, and where the squares of a number and its
    /// distance from 1 are there.
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        let (x, y) = (z.re.abs(), z.im.abs());
        (x < LARGE) & (y < LARGE) & ((x != 1.0) | (y > TINY))
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        let (x, y) = (z.re.abs(), z.im.abs());
        let difference = squares_less_one(x, y);
        let distance = Pair::sum(1.0, -x).square().plus(Pair::product(y, y));
        let re = log_of_one_more(Pair::from(4.0 * x).div(distance)).scaled(0.25);
        let im = arc_tan(Pair::from(y + y), difference.neg()).scaled(0.5);
        Complex::new(re.value().copysign(z.re), im.value().copysign(z.im))
    }
    fn slow(z: Complex<f64>) -> Complex<f64> {
        let (x, y) = (z.re.abs(), z.im.abs());
        let (re, im) = if x.is_infinite() || y.is_infinite() {
            let im = if y.is_nan() || x.is_nan() && y.is_finite() { f64::NAN } else { HALF_PI.hi };
            (0.0, im)
        } else if x.is_nan() || y.is_nan() {
            (if x == 0.0 { x } else { f64::NAN }, f64::NAN)
        } else if x < LARGE && y < LARGE {
            // At 1: the first factor's logarithm alone. The angle is that of y to 2.
            let re = if y == 0.0 { f64::INFINITY } else { LN2.add(log_of(0.0, y).0.neg()).scaled(0.5).value() };
            let im = if y == 0.0 { 0.0 } else { HALF_PI.scaled(0.5).value() };
            (re, im)
        } else {
            // πi/2 + 1/z, where the next term is lost on each part.
            let inverse = divide(Complex::new(1.0, 0.0), Complex::new(x, y));
            (inverse.re, HALF_PI.plus(Pair::from(inverse.im)).value())
        };
        Complex::new(re.copysign(z.re), im.copysign(z.im))
    }
}

const _: () = assert!(PI.hi == HALF_PI.hi * 2.0);
