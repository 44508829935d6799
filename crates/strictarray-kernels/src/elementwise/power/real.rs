//! Powers of real numbers, of our own, so that they vectorise and have the same bits everywhere.
//!
//! a^b = exp(b · ln a). The logarithm and the product have twice the precision of `f64`, since their absolute error becomes
//! the relative one of the result. Where the power is surely normal it is computed in lanes (`real/in_lanes.rs`). Elsewhere,
//! and for complex numbers, ln a = k ln 2 + ln c +
//! ln(1 + r), where c is one of 128 numbers and r is exact and small; the exponential is a power of two, one of 128 roots of
//! two, and a short polynomial.
//!
//! Exponents for which one operation gives the power, rounded once, are left to it wherever they stand.

use super::super::real::{in_lanes, quick_power_single};
use super::tables::{
    INVERSE, LN2_HIGH, LN2_LOW, LOG, LOG_REST, LOG_START, ROOT, ROOT_REST, STEP_HIGH, STEP_LOW, STEPS,
};

/// 1.5 · 2^52: adding it rounds to an integer, which is then in the low bits.
const SHIFTER: f64 = 6_755_399_441_055_744.0;

/// How a positive number is cut: z = c (1 + r), z · 2^k.
struct Cut {
    r: f64,
    k: f64,
    log_c: f64,
    log_c_rest: f64,
}

/// The number is positive, normal and finite.
#[inline(always)]
fn cut(a: f64) -> Cut {
    let distance = a.to_bits().wrapping_sub(LOG_START);
    let index = (distance >> 45) as usize & 127;
    let (inverse, log_c, log_c_rest) =
        (f64::from_bits(INVERSE[index]), f64::from_bits(LOG[index]), f64::from_bits(LOG_REST[index]));
    let k = (distance as i64) >> 52;
    let z = f64::from_bits(a.to_bits().wrapping_sub(distance & 0xfff0_0000_0000_0000));
    // k is small: the shifter's bits plus k are the float of both.
    let k = f64::from_bits(SHIFTER.to_bits().wrapping_add(k as u64)) - SHIFTER;
    Cut { r: z.mul_add(inverse, -1.0), k, log_c, log_c_rest }
}

/// a + b and what it lacks.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let back = sum - a;
    (sum, (a - (sum - back)) + (b - back))
}

/// The natural logarithm and what it lacks, of a positive, normal and finite number, plus `more` times ln 2.
///
/// The error is about 2^-68 of the value.
#[inline(always)]
pub(crate) fn log(a: f64, more: f64) -> (f64, f64) {
    let Cut { r, k, log_c, log_c_rest } = cut(a);
    let k = k + more;
    // Exact: both are multiples of 2^-43 and below 2^10.
    let whole = k.mul_add(LN2_HIGH, log_c);
    let rest = k.mul_add(LN2_LOW, log_c_rest);
    let (first, first_lacks) = two_sum(whole, r);
    // -r²/2, exactly.
    let half = -0.5 * r;
    let square = half * r;
    let square_lacks = half.mul_add(r, -square);
    let (second, second_lacks) = two_sum(first, square);
    // r³/3 - r⁴/4 + …
    let r2 = r * r;
    let p = r.mul_add(-1.0 / 4.0, 1.0 / 3.0)
        + r2 * (r.mul_add(-1.0 / 6.0, 1.0 / 5.0) + r2 * (r.mul_add(-1.0 / 8.0, 1.0 / 7.0) + r2 * (1.0 / 9.0)));
    let small = (r2 * r).mul_add(p, rest + first_lacks + square_lacks + second_lacks);
    let high = second + small;
    (high, (second - high) + small)
}

/// exp(high + low) as a factor near 1 and the power of two that it lacks; `high` is below 2^20 and no NaN.
#[inline(always)]
pub(super) fn exp(high: f64, low: f64) -> (f64, i64) {
    let shifted = high.mul_add(STEPS, SHIFTER);
    let steps = shifted - SHIFTER;
    let index = shifted.to_bits().wrapping_sub(SHIFTER.to_bits()) as i64;
    let (root, lacks) = (f64::from_bits(ROOT[index as usize & 127]), f64::from_bits(ROOT_REST[index as usize & 127]));
    let r = steps.mul_add(-STEP_LOW, steps.mul_add(-STEP_HIGH, high)) + low;
    let r2 = r * r;
    let p = r.mul_add(1.0 / 6.0, 0.5) + r2 * r.mul_add(1.0 / 120.0, 1.0 / 24.0);
    let small = r2.mul_add(p, lacks + r);
    (root.mul_add(small, root), index >> 7)
}

/// As [`exp`], with what the factor lacks: the error is about 2^-68 of the value.
#[inline(always)]
pub(crate) fn exp_pair(high: f64, low: f64) -> (f64, f64, i64) {
    let shifted = high.mul_add(STEPS, SHIFTER);
    let steps = shifted - SHIFTER;
    let index = shifted.to_bits().wrapping_sub(SHIFTER.to_bits()) as i64;
    let (root, lacks) = (f64::from_bits(ROOT[index as usize & 127]), f64::from_bits(ROOT_REST[index as usize & 127]));
    // Exact.
    let whole = steps.mul_add(-STEP_HIGH, high);
    let step_low = steps * STEP_LOW;
    let r = whole - step_low;
    let r_lacks = (whole - r) - step_low + low;
    let r2 = r * r;
    let p = r.mul_add(1.0 / 6.0, 0.5) + r2 * r.mul_add(1.0 / 120.0, 1.0 / 24.0) + r2 * r2 * (1.0 / 720.0);
    let small = r2.mul_add(p, lacks + r_lacks);
    let product = root * r;
    let product_lacks = root.mul_add(r, -product);
    let first = root + product;
    let second = root.mul_add(small, product - (first - root) + product_lacks);
    let hi = first + second;
    (hi, second - (hi - first), index >> 7)
}

/// A number from 1 to 2 times a power of two for which the result is normal.
#[inline(always)]
fn scale(x: f64, k: i64) -> f64 {
    f64::from_bits(x.to_bits().wrapping_add((k << 52) as u64))
}

/// Times any power of two, in steps of which only the last may round.
fn scale_anywhere(x: f64, k: i64) -> f64 {
    match k {
        -1021..=1022 => scale(x, k),
        1023..=1024 => scale(x, k - 2) * 4.0,
        1025.. => f64::INFINITY,
        _ => scale(x, (k + 200).max(-1000)) * f64::from_bits((1023 - 200) << 52),
    }
}

/// The natural logarithm and what it lacks, of a number that is not negative.
fn log_anywhere(a: f64) -> (f64, f64) {
    if a == 0.0 {
        (f64::NEG_INFINITY, 0.0)
    } else if !a.is_finite() {
        (a, 0.0)
    } else if a < f64::MIN_POSITIVE {
        log(a * 2f64.powi(52), -52.0)
    } else {
        log(a, 0.0)
    }
}

/// exp(high + low), whatever they are.
fn exp_anywhere(high: f64, low: f64) -> f64 {
    if !high.is_finite() {
        return if high == f64::NEG_INFINITY { 0.0 } else { high };
    }
    // The second may be the larger one.
    let (high, low) = two_sum(high, low);
    if high > 800.0 {
        f64::INFINITY
    } else if high < -800.0 {
        0.0
    } else if high.is_nan() {
        f64::NAN
    } else {
        let (x, k) = exp(high, low);
        scale_anywhere(x, k)
    }
}

macro_rules! short {
    ($($ty:ident)*) => { $(
        pub(super) mod $ty {
            #[inline(always)]
            pub(in super::super) fn is_short(b: $ty) -> bool {
                (b == 2.0) | (b == 1.0) | (b == 0.5) | (b == -1.0)
            }

            #[inline(always)]
            pub(in super::super) fn square(a: $ty) -> $ty {
                a * a
            }

            /// The root of -0 is 0, that of -∞ is ∞, unlike those of `sqrt`.
            #[inline(always)]
            pub(in super::super) fn root(a: $ty) -> $ty {
                let root = (a + 0.0).sqrt();
                if a == $ty::NEG_INFINITY { $ty::INFINITY } else { root }
            }

            #[inline(always)]
            pub(in super::super) fn inverse(a: $ty) -> $ty {
                1.0 / a
            }

            /// `a` to the power of `b`, where [`is_short`] says so of it.
            #[inline(always)]
            pub(super) fn power(a: $ty, b: $ty) -> $ty {
                match b {
                    2.0 => square(a),
                    0.5 => root(a),
                    -1.0 => inverse(a),
                    _ => a,
                }
            }
        }
    )* };
}

short!(f32 f64);

#[derive(Clone, Copy, PartialEq)]
enum Parity {
    Odd,
    Even,
    NoInteger,
}

/// Of a finite number.
fn parity(b: f64) -> Parity {
    let size = b.abs();
    if size.trunc() != size {
        Parity::NoInteger
    } else if size < 9_007_199_254_740_992.0 && size as u64 & 1 == 1 {
        Parity::Odd
    } else {
        Parity::Even
    }
}

/// `a` to the power of `b`, whatever they are: where the quick way holds it is that.
#[inline(never)]
pub(super) fn power(a: f64, b: f64) -> f64 {
    if f64::is_short(b) {
        return f64::power(a, b);
    }
    if b == 0.0 || a == 1.0 {
        return 1.0;
    }
    if a.is_nan() || b.is_nan() {
        return f64::NAN;
    }
    let size = a.abs();
    if b.is_infinite() {
        return match (size > 1.0, b > 0.0) {
            _ if size == 1.0 => 1.0,
            (true, true) | (false, false) => f64::INFINITY,
            _ => 0.0,
        };
    }
    let parity = parity(b);
    let sign = if a.is_sign_negative() && parity == Parity::Odd { -1.0 } else { 1.0 };
    if size == 0.0 || size.is_infinite() {
        let grows = (size == 0.0) != (b > 0.0);
        return sign * if grows { f64::INFINITY } else { 0.0 };
    }
    if a < 0.0 && parity == Parity::NoInteger {
        return f64::NAN;
    }
    let (value, holds) = in_lanes::pow(size, b);
    if holds {
        return sign * value;
    }
    let (log, lacks) = log_anywhere(size);
    let high = b * log;
    if high.abs() > 800.0 {
        return sign * if high > 0.0 { f64::INFINITY } else { 0.0 };
    }
    sign * exp_anywhere(high, b.mul_add(lacks, b.mul_add(log, -high)))
}

/// For single precision, to which the result is rounded: one precision is enough.
#[inline(always)]
pub(super) fn quick_single(a: f32, b: f32) -> f32 {
    quick_power_single(a.into(), b.into()) as f32
}

/// Whether `a` is positive and finite, and the result is one of `f64` (of `f32` it may overflow) and takes more than one
/// operation.
#[inline(always)]
pub(super) fn holds_single(a: f32, b: f32) -> bool {
    // Of subnormals, which are normal as f64, |log2 a| may be a sixth more than this.
    let bound = ((a.to_bits() >> 23) as i32 - 127).abs() + 1;
    (a > 0.0) & (a < f32::INFINITY) & (b.abs() * (bound as f32) < 850.0) & !f32::is_short(b)
}

/// `a` to the power of `b`, whatever they are.
#[inline(never)]
pub(super) fn power_single(a: f32, b: f32) -> f32 {
    if holds_single(a, b) {
        quick_single(a, b)
    } else if f32::is_short(b) {
        f32::power(a, b)
    } else {
        // Of a negative base that of its size, so that both differ in the sign alone.
        let parity = parity(b.into());
        if let (value, true) = in_lanes::pow(-a, b)
            && parity != Parity::NoInteger
        {
            return if parity == Parity::Odd { -value } else { value };
        }
        power(a.into(), b.into()) as f32
    }
}
