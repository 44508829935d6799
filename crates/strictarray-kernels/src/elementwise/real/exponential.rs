//! The exponential and the hyperbolic functions made of it.
//!
//! x = k ln 2 + r with |r| up to ln 2 / 2; e^r - 1 is a polynomial of which the first two terms are summed exactly, so
//! that it has about 2^-58 of relative error. What is made of it keeps both parts to the end, where one rounding is left.

use super::constants::{EXP, LN2_HIGH, LN2_LOW, LOG2_E_HIGH, SINGLE_EXP};
use super::pair::{Pair, nearest, polynomial, power_of_two, select};

/// k, and e^r - 1; |x| is below 2^12.
#[inline(always)]
fn cut(x: f64) -> (f64, Pair) {
    let k = nearest(x * LOG2_E_HIGH);
    // The product is exact, and so is the difference.
    let first = k.mul_add(-LN2_HIGH, x);
    let r = k.mul_add(-LN2_LOW, first);
    let r_low = k.mul_add(-LN2_LOW, first - r);
    let half = 0.5 * r;
    let square = Pair::product(half, r);
    let sum = Pair::ordered_sum(r, square.high);
    let small = (r * r * r).mul_add(polynomial(r, &EXP), square.low + r.mul_add(r_low, r_low));
    (k, sum.plus(small).normal())
}

/// x between these, and NaN as it is.
#[inline(always)]
pub(super) fn between(x: f64, low: f64, high: f64) -> f64 {
    let x = select(x < low, low, x);
    select(x > high, high, x)
}

/// (1 + t) · 2^k, to any power: only the last step rounds.
#[inline(always)]
fn scaled(value: f64, k: f64) -> f64 {
    let half = nearest(0.5 * k);
    value * power_of_two(half) * power_of_two(k - half)
}

#[inline(always)]
pub(super) fn exp(x: f64) -> f64 {
    let (k, t) = cut(between(x, -746.0, 711.0));
    let one = Pair::ordered_sum(1.0, t.high);
    scaled(one.high + (one.low + t.low), k)
}

/// e^x for x from -1070 to 0, in two parts.
#[inline(always)]
pub(super) fn exp_pair(x: Pair) -> Pair {
    let (k, t) = cut(between(x.high, -746.0, 0.0));
    let one = Pair::ordered_sum(1.0, t.high);
    let one = one.plus(t.low);
    let low = one.high.mul_add(x.low, one.low);
    Pair::new(scaled(one.high, k), scaled(low, k))
}

/// (e^x - 1) · 2^-j, for x from -50 to what leaves k - j below 1024.
#[inline(always)]
fn expm1_pair(x: f64, j: f64) -> Pair {
    let (k, t) = cut(x);
    let scale = power_of_two(k - j);
    let t = t.times(scale);
    Pair::sum(scale - power_of_two(-j), t.high).plus(t.low).normal()
}

/// Below it x and x + x²/2 round alike.
const TINY: f64 = 5.5e-17;

#[inline(always)]
pub(super) fn expm1(x: f64) -> f64 {
    let value = 2.0 * expm1_pair(between(x, -50.0, 709.8), 1.0).value();
    select(x.abs() < TINY, x, value)
}

/// Below it x and x ± x³/2 round alike.
pub(super) const TINY_CUBIC: f64 = 7e-9;

#[inline(always)]
pub(super) fn sinh(x: f64) -> f64 {
    let size = x.abs();
    // t = (e^x - 1)/4; sinh x = 2t + 2t/(4t + 1).
    let t = expm1_pair(select(size > 710.6, 710.6, size), 2.0);
    let four = t.times(4.0);
    let quotient = t.over(Pair::sum(four.high, 1.0).plus(four.low));
    // Where e^x is large, e^-x counts nothing.
    let large = size > 45.0;
    let sum = Pair::ordered_sum(t.high, select(large, 0.0, quotient.high));
    let value = 2.0 * (sum.high + (sum.low + t.low + select(large, 0.0, quotient.low)));
    select(size < TINY_CUBIC, x, value.copysign(x))
}

#[inline(always)]
pub(super) fn cosh(x: f64) -> f64 {
    let size = x.abs();
    let (k, t) = cut(select(size > 710.6, 710.6, size));
    let one = Pair::ordered_sum(1.0, t.high);
    // p = e^x / 4; cosh x = 2 (p + 1/(16p)).
    let p = one.plus(t.low).times(power_of_two(k - 2.0));
    let inverse = Pair::new(0.0625, 0.0).over(p);
    let large = size > 45.0;
    let sum = Pair::ordered_sum(p.high, select(large, 0.0, inverse.high));
    let value = 2.0 * (sum.high + (sum.low + p.low + select(large, 0.0, inverse.low)));
    select(size == f64::INFINITY, f64::INFINITY, value)
}

#[inline(always)]
pub(super) fn tanh(x: f64) -> f64 {
    let size = x.abs();
    // t = (e^2x - 1)/4; tanh x = t/(t + 1/2). From 20 on it rounds to 1.
    let t = expm1_pair(2.0 * select(size > 20.0, 20.0, size), 2.0);
    let below = Pair::sum(t.high, 0.5).plus(t.low);
    let value = t.over(below).value();
    select(size < TINY_CUBIC, x, value.copysign(x))
}

/// The same for single precision, in double: one part is enough.
pub(super) mod single {
    use super::*;

    /// k, and e^r - 1.
    #[inline(always)]
    fn cut(x: f64) -> (f64, f64) {
        let k = nearest(x * LOG2_E_HIGH);
        let r = k.mul_add(-LN2_LOW, k.mul_add(-LN2_HIGH, x));
        (k, (r * r).mul_add(polynomial(r, &SINGLE_EXP), r))
    }

    #[inline(always)]
    pub(in super::super) fn exp(x: f64) -> f64 {
        let (k, t) = cut(between(x, -150.0, 150.0));
        let scale = power_of_two(k);
        scale.mul_add(t, scale)
    }

    #[inline(always)]
    pub(in super::super) fn expm1(x: f64) -> f64 {
        let (k, t) = cut(between(x, -150.0, 150.0));
        let scale = power_of_two(k);
        let value = scale.mul_add(t, scale - 1.0);
        select(x == 0.0, x, value)
    }

    #[inline(always)]
    pub(in super::super) fn sinh(x: f64) -> f64 {
        let t = expm1(x.abs());
        (0.5 * (t + t / (t + 1.0))).copysign(x)
    }

    #[inline(always)]
    pub(in super::super) fn cosh(x: f64) -> f64 {
        let e = exp(x.abs());
        0.5 * (e + 1.0 / e)
    }

    #[inline(always)]
    pub(in super::super) fn tanh(x: f64) -> f64 {
        let t = expm1(2.0 * x.abs());
        (t / (t + 2.0)).copysign(x)
    }
}
