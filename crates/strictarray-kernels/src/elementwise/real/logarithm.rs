//! Logarithms, and the inverse hyperbolic functions made of them.
//!
//! x = 2^k (1 + f) with 1 + f from √½ to √2; ln(1 + f) = f - f²/2 + s (f²/2 + R) for s = f/(2 + f), with a series R in s². The
//! first two terms are summed exactly, so that what is rounded before the last sum is a twentieth of it or less.

use super::constants::{
    LN2_HIGH, LN2_LOW, LOG, LOG2_E_HIGH, LOG2_E_LOW, LOG10_2_HIGH, LOG10_2_LOW, LOG10_E_HIGH, LOG10_E_LOW, SINGLE_LOG,
    SINGLE_POWER_LOG,
};
use super::exponential::{TINY_CUBIC, exp_pair};
use super::pair::{Pair, SHIFTER, polynomial, power_of_two, select};

/// ln(1 + f) for 1 + f from √½ to √2, and s.
#[inline(always)]
fn log_near_one(f: f64) -> (Pair, f64) {
    let s = f / (2.0 + f);
    let z = s * s;
    let half = Pair::product(0.5 * f, f);
    let first = Pair::ordered_sum(f, -half.high);
    let small = s.mul_add(z.mul_add(polynomial(z, &LOG), half.high), -half.low);
    (first.plus(small), s)
}

const ONE_BITS: u64 = 0x3ff0_0000_0000_0000;
const ROOT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;

/// k and 1 + f of a positive, normal and finite number.
#[inline(always)]
fn cut(x: f64) -> (f64, f64) {
    let bits = x.to_bits().wrapping_add(ONE_BITS - ROOT_HALF_BITS);
    let k = f64::from_bits(SHIFTER.to_bits().wrapping_add(bits >> 52)) - (SHIFTER + 1023.0);
    let mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff).wrapping_add(ROOT_HALF_BITS));
    (k, mantissa)
}

/// k ln 2 + a logarithm.
#[inline(always)]
fn with_twos(k: f64, log: Pair) -> f64 {
    let sum = Pair::ordered_sum(k * LN2_HIGH, log.high);
    sum.high + (sum.low + k.mul_add(LN2_LOW, log.low))
}

/// The logarithm times a constant, to which k times another one is added.
#[inline(always)]
fn to_base(k: f64, log: Pair, of_two: (f64, f64), of_e: (f64, f64)) -> f64 {
    let scaled = Pair::product(log.high, of_e.0);
    let low = log.high.mul_add(of_e.1, log.low.mul_add(of_e.0, scaled.low));
    let sum = Pair::ordered_sum(k * of_two.0, scaled.high);
    sum.high + (sum.low + k.mul_add(of_two.1, low))
}

/// What a logarithm is at the ends: -∞ of 0, NaN of negative numbers, ∞ of ∞.
#[inline(always)]
fn at_ends(x: f64, value: f64) -> f64 {
    let value = select(x < f64::INFINITY, value, x);
    let value = select(x < 0.0, f64::NAN, value);
    select(x == 0.0, f64::NEG_INFINITY, value)
}

macro_rules! anywhere {
    ($($name:ident, $of:expr;)*) => { $(
        #[inline(always)]
        pub(super) fn $name(x: f64) -> f64 {
            // Subnormal numbers are made normal.
            let small = x < f64::MIN_POSITIVE;
            let (k, mantissa) = cut(select(small, x * 18_014_398_509_481_984.0, x));
            let k = select(small, k - 54.0, k);
            at_ends(x, $of(k, log_near_one(mantissa - 1.0).0))
        }
    )* };
}

anywhere! {
    log, with_twos;
    log2, |k, log| to_base(k, log, (1.0, 0.0), (LOG2_E_HIGH, LOG2_E_LOW));
    log10, |k, log| to_base(k, log, (LOG10_2_HIGH, LOG10_2_LOW), (LOG10_E_HIGH, LOG10_E_LOW));
}

/// k and ln(1 + f) of 1 + u > 0; `large` says that u is taken for 1 + u, and k is one more.
#[inline(always)]
fn log1p_pair(u: Pair, large: bool) -> (f64, Pair) {
    let near = (u.high > -0.29) & (u.high < 0.41);
    let sum = Pair::sum(1.0, u.high);
    let (high, low) = (select(large, u.high, sum.high), select(large, 0.0, sum.low + u.low));
    let (k, mantissa) = cut(high);
    let scale = power_of_two(select(k > 1000.0, -1000.0, -k));
    let f = select(near, u.high, mantissa - 1.0);
    let low = select(near, u.low, low * scale);
    let (log, s) = log_near_one(f);
    // The low part over 1 + f = (1 + s)/(1 - s), to a few digits.
    let slope = (1.0 - s) * (s * s).mul_add((1.0 - s) * s.mul_add(s, 1.0), 1.0 - s);
    let k = select(large, k + 1.0, k);
    (select(near, 0.0, k), log.plus(low * slope))
}

/// ln(1 + u), as [`log1p_pair`].
#[inline(always)]
fn log1p_value(u: Pair, large: bool) -> f64 {
    let (k, log) = log1p_pair(u, large);
    with_twos(k, log)
}

/// Below it x and x - x²/2 round alike.
const TINY: f64 = 5.5e-17;

#[inline(always)]
pub(super) fn log1p(x: f64) -> f64 {
    let value = log1p_value(Pair::new(x, 0.0), false);
    let value = select(x < f64::INFINITY, value, x);
    let value = select(x < -1.0, f64::NAN, value);
    let value = select(x == -1.0, f64::NEG_INFINITY, value);
    select(x.abs() < TINY, x, value)
}

/// From here on √(x² ± 1) is x.
const LARGE: f64 = 1e150;

#[inline(always)]
pub(super) fn asinh(x: f64) -> f64 {
    let size = x.abs();
    let large = size > LARGE;
    // ln(1 + u) with u = x + √(1 + x²) - 1: the root's low part has what is small.
    let square = Pair::product(size, size);
    let sum = Pair::sum(1.0, square.high).plus(square.low);
    let root = sum.normal().sqrt();
    let u = Pair::sum(size, root.high - 1.0).plus(root.low);
    let u = if large { Pair::new(size, 0.0) } else { u };
    let value = log1p_value(u, large);
    let value = select(size < f64::INFINITY, value, size);
    select(size < TINY_CUBIC, x, value.copysign(x))
}

#[inline(always)]
pub(super) fn acosh(x: f64) -> f64 {
    let large = x > LARGE;
    // ln(1 + u) with u = t + √(t² + 2t), t = x - 1.
    let t = Pair::sum(x, -1.0);
    let other = Pair::sum(x, 1.0);
    let product = Pair::product(t.high, other.high);
    let root = product.plus(t.high.mul_add(other.low, t.low * other.high)).sqrt();
    let u = Pair::sum(t.high, root.high).plus(t.low + root.low);
    let u = if large { Pair::new(x, 0.0) } else { u };
    let value = log1p_value(u, large);
    let value = select(x < f64::INFINITY, value, x);
    select(x < 1.0, f64::NAN, value)
}

#[inline(always)]
pub(super) fn atanh(x: f64) -> f64 {
    let size = x.abs();
    // ½ ln(1 + u) with u = 2x/(1 - x).
    let u = Pair::new(2.0 * size, 0.0).over(Pair::ordered_sum(1.0, -size));
    let value = 0.5 * log1p_value(u, false);
    let value = select(size < 1.0, value, select(size == 1.0, f64::INFINITY, f64::NAN));
    select(size < TINY_CUBIC, x, value.copysign(x))
}

/// ln(e^a + e^b): the larger one and ln(1 + e^-distance).
#[inline(always)]
pub(super) fn log_add_exp(a: f64, b: f64) -> f64 {
    let larger = select(a > b, a, b);
    let smaller = select(a > b, b, a);
    let distance = Pair::sum(smaller, -larger);
    let far = (distance.high < -746.0) | distance.high.is_nan();
    let distance = if far { Pair::new(-746.0, 0.0) } else { distance };
    let (k, log) = log1p_pair(exp_pair(distance), false);
    let with_k = Pair::ordered_sum(k * LN2_HIGH, log.high);
    let log = with_k.plus(k.mul_add(LN2_LOW, log.low));
    let sum = Pair::sum(larger, log.high);
    // Far apart, or one of them infinite, or both: the larger one. ln(e^-0 + 0) is ln 1, so +0.
    let value = select(far | (larger == f64::INFINITY), larger + 0.0, sum.high + (sum.low + log.low));
    select(a.is_nan() | b.is_nan(), f64::NAN, value)
}

/// The same for single precision, in double: one part is enough.
pub(super) mod single {
    use super::super::exponential::single::exp;
    use super::*;

    /// k ln 2 + ln(1 + f).
    #[inline(always)]
    fn log_of(k: f64, f: f64) -> f64 {
        let s = f / (2.0 + f);
        let z = s * s;
        let log = (s * z).mul_add(polynomial(z, &SINGLE_LOG), 2.0 * s);
        k.mul_add(LN2_HIGH, k.mul_add(LN2_LOW, log))
    }

    #[inline(always)]
    pub(in super::super) fn log(x: f64) -> f64 {
        let (k, mantissa) = cut(x);
        at_ends(x, log_of(k, mantissa - 1.0))
    }

    #[inline(always)]
    pub(in super::super) fn log2(x: f64) -> f64 {
        let (k, mantissa) = cut(x);
        at_ends(x, log_of(0.0, mantissa - 1.0).mul_add(LOG2_E_HIGH, k))
    }

    #[inline(always)]
    pub(in super::super) fn log10(x: f64) -> f64 {
        let (k, mantissa) = cut(x);
        let log = log_of(0.0, mantissa - 1.0) * LOG10_E_HIGH;
        at_ends(x, k.mul_add(LOG10_2_HIGH, k.mul_add(LOG10_2_LOW, log)))
    }

    /// log2 x of a positive, normal and finite number, with an error of about 2^-39 of it: times an exponent it may become 150.
    #[inline(always)]
    pub(in super::super) fn quick_log2(x: f64) -> f64 {
        let (k, mantissa) = cut(x);
        let f = mantissa - 1.0;
        let s = f / (2.0 + f);
        let z = s * s;
        (s * z).mul_add(polynomial(z, &SINGLE_POWER_LOG), 2.0 * s).mul_add(LOG2_E_HIGH, k)
    }

    /// ln(1 + u) for u > -1; no u has digits that 1 + u lacks, unless it is small.
    #[inline(always)]
    fn log1p_any(u: f64) -> f64 {
        let near = (u > -0.29) & (u < 0.41);
        let (k, mantissa) = cut(1.0 + u);
        log_of(select(near, 0.0, k), select(near, u, mantissa - 1.0))
    }

    #[inline(always)]
    pub(in super::super) fn log1p(x: f64) -> f64 {
        let value = select(x < f64::INFINITY, log1p_any(x), x);
        let value = select(x < -1.0, f64::NAN, value);
        let value = select(x == -1.0, f64::NEG_INFINITY, value);
        select(x == 0.0, x, value)
    }

    #[inline(always)]
    pub(in super::super) fn asinh(x: f64) -> f64 {
        let size = x.abs();
        let square = size * size;
        let value = log1p_any(size + square / (1.0 + (1.0 + square).sqrt()));
        select(size < f64::INFINITY, value, size).copysign(x)
    }

    #[inline(always)]
    pub(in super::super) fn acosh(x: f64) -> f64 {
        let t = x - 1.0;
        let value = log1p_any(t + (t * (x + 1.0)).sqrt());
        let value = select(x < f64::INFINITY, value, x);
        select(x < 1.0, f64::NAN, value)
    }

    #[inline(always)]
    pub(in super::super) fn atanh(x: f64) -> f64 {
        let size = x.abs();
        let value = 0.5 * log1p_any(2.0 * size / (1.0 - size));
        select(size < 1.0, value, select(size == 1.0, f64::INFINITY, f64::NAN)).copysign(x)
    }

    #[inline(always)]
    pub(in super::super) fn log_add_exp(a: f64, b: f64) -> f64 {
        let (larger, smaller) = (select(a > b, a, b), select(a > b, b, a));
        let distance = smaller - larger;
        let value = larger + log1p_any(exp(distance));
        // Both infinite of one sign: they have no distance.
        let value = select(larger.abs() == f64::INFINITY, larger, value);
        select(a.is_nan() | b.is_nan(), f64::NAN, value)
    }
}
