//! The real functions that the complex ones are made of, each with what its rounded value lacks.
//!
//! Relative errors are about 2^-60 or less, unless it says otherwise. None of them branches.

use super::pair::Pair;
use super::tables::{ARC_TAN, HALF_PI, QUARTER_1, QUARTER_2, QUARTER_3, QUARTER_4, SIN_COS, TURNS, TWO_OVER_PI};
use crate::elementwise::power;

/// 1.5 · 2^52: adding it rounds to an integer, which is then in the low bits.
const SHIFTER: f64 = 6_755_399_441_055_744.0;

/// An angle without its multiples of a quarter turn.
#[derive(Clone, Copy)]
pub(super) struct Angle {
    /// How many were taken away; only the last two bits count.
    quarters: u64,
    /// What remains, about π / 4 at most.
    pub(super) rest: Pair,
}

impl Angle {
    /// Whether only whole turns were taken away.
    #[inline(always)]
    pub(super) fn is_near_whole_turns(self) -> bool {
        self.quarters & 3 == 0
    }
}

/// Angles below this may go through [`angle`].
pub(super) const LARGE_ANGLE: f64 = 1_048_576.0;

/// Of an angle below [`LARGE_ANGLE`].
///
/// The multiples of the first three pieces of π / 2 are exact.
#[inline(always)]
pub(super) fn angle(y: f64) -> Angle {
    let shifted = y.mul_add(TURNS, SHIFTER);
    let n = shifted - SHIFTER;
    let first = (-n).mul_add(QUARTER_1, y);
    let second = Pair::sum(first, -n * QUARTER_2);
    let third = Pair::sum(second.hi, -n * QUARTER_3);
    let lo = (-n).mul_add(QUARTER_4, second.lo + third.lo);
    let rest = Pair::fast_sum(third.hi, lo);
    // -0 stays itself.
    let rest = Pair::select(n == 0.0, Pair::from(y), rest);
    Angle { quarters: shifted.to_bits(), rest }
}

/// Of any finite angle: multiplied by those bits of 2 / π that count.
#[cold]
#[inline(never)]
pub(super) fn any_angle(y: f64) -> Angle {
    if y.abs() < LARGE_ANGLE {
        return angle(y);
    }
    let bits = y.to_bits();
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1023 - 52;
    // y / 2π = mantissa · 2^(exponent - 2) · 2/π: bits of higher weight make whole turns. The table begins with 64 zeros.
    let start = (64 + exponent - 2).clamp(0, 64 * (TWO_OVER_PI.len() as i64 - 5)) as usize;
    let (word, shift) = (start / 64, start % 64);
    let mut window = [0u64; 4];
    for (i, piece) in window.iter_mut().enumerate() {
        let next = (TWO_OVER_PI[word + i + 1] >> 1) >> (63 - shift);
        *piece = TWO_OVER_PI[word + i] << shift | next;
    }
    // The fraction of a turn, 256 bits, the highest first.
    let mut turn = [0u64; 4];
    let mut carry = 0u64;
    for i in (0..4).rev() {
        let product = u128::from(window[i]) * u128::from(mantissa) + u128::from(carry);
        turn[i] = product as u64;
        carry = (product >> 64) as u64;
    }
    // Two bits of quarters, rounded to nearest by the third; then the signed rest.
    let quarters = (turn[0] >> 62).wrapping_add(turn[0] >> 61 & 1);
    let negative = turn[0] >> 61 & 1 == 1;
    let mut rest = [0u64; 4];
    for i in 0..4 {
        rest[i] = turn[i] << 2 | if i < 3 { turn[i + 1] >> 62 } else { 0 };
    }
    if negative {
        // One quarter less what there is; the last bit does not count.
        for piece in &mut rest {
            *piece = !*piece;
        }
    }
    // As a sum of pieces of 32 bits, which are exact. The rest is at least 2^-62 or so: the first five or six pieces decide.
    let mut sum = Pair::from(0.0);
    let mut weight = 1.0 / 4_294_967_296.0;
    for piece in rest {
        for half in [piece >> 32, piece & 0xffff_ffff] {
            let next = Pair::sum(sum.hi, half as f64 * weight);
            sum = Pair::fast_sum(next.hi, next.lo + sum.lo);
            weight /= 4_294_967_296.0;
        }
    }
    let rest = sum.mul(HALF_PI);
    let turned = Angle { quarters, rest: if negative { rest.neg() } else { rest } };
    if y < 0.0 { Angle { quarters: turned.quarters.wrapping_neg(), rest: turned.rest.neg() } } else { turned }
}

/// An angle of twice the precision, the larger part below [`LARGE_ANGLE`].
#[inline(always)]
pub(super) fn angle_of(y: Pair) -> Angle {
    let Angle { quarters, rest } = angle(y.hi);
    let sum = Pair::sum(rest.hi, y.lo);
    Angle { quarters, rest: Pair::fast_sum(sum.hi, sum.lo + rest.lo) }
}

/// The sine and the cosine; absolute errors are about 2^-66, relative ones too where there are no quarters.
#[inline(always)]
pub(super) fn sin_cos(angle: Angle) -> (Pair, Pair) {
    let Angle { quarters, rest } = angle;
    // About a number of the table, of which the angle is the mirror image where it is negative.
    let size = rest.hi.abs();
    let lo = if rest.hi < 0.0 { -rest.lo } else { rest.lo };
    let shifted = size.mul_add(64.0, SHIFTER);
    let [sin, sin_lo, cos, cos_lo] = SIN_COS[shifted.to_bits() as usize & 63].map(f64::from_bits);
    let hi = (shifted - SHIFTER).mul_add(-1.0 / 64.0, size);
    let d = hi + lo;
    let d2 = d * d;
    // sin d - d and cos d - 1.
    let s = (d2 * d) * d2.mul_add(d2.mul_add(-1.0 / 5040.0, 1.0 / 120.0), -1.0 / 6.0);
    let c = d2 * d2.mul_add(d2.mul_add(-1.0 / 720.0, 1.0 / 24.0), -0.5);
    let p = Pair::product(cos, hi);
    let sum = Pair::fast_sum(sin, p.hi);
    let small = sin.mul_add(c, cos.mul_add(s, cos.mul_add(lo, cos_lo.mul_add(d, sin_lo)))) + (sum.lo + p.lo);
    let sine = Pair::fast_sum(sum.hi, small);
    let p = Pair::product(-sin, hi);
    let sum = Pair::fast_sum(cos, p.hi);
    let small = cos.mul_add(c, (-sin).mul_add(s, (-sin).mul_add(lo, (-sin_lo).mul_add(d, cos_lo)))) + (sum.lo + p.lo);
    let cosine = Pair::fast_sum(sum.hi, small);
    let sine = Pair::new(sine.hi.copysign(rest.hi), if rest.hi < 0.0 { -sine.lo } else { sine.lo });
    // Turned back.
    let swap = quarters & 1 == 1;
    let (s, c) = (Pair::select(swap, cosine, sine), Pair::select(swap, sine, cosine));
    let s = Pair::select(quarters & 2 == 2, s.neg(), s);
    let c = Pair::select(quarters.wrapping_add(1) & 2 == 2, c.neg(), c);
    (s, c)
}

/// cos y - 1, of an angle that is at most a quarter in size.
#[inline(always)]
pub(super) fn cos_less_one(y: Pair) -> Pair {
    let square = y.square();
    let y2 = square.hi;
    // y⁴/4! - y⁶/6! + …
    let p = y2.mul_add(-1.0 / 479_001_600.0, 1.0 / 3_628_800.0);
    let p = y2.mul_add(y2.mul_add(p, -1.0 / 40_320.0), 1.0 / 720.0);
    let p = y2.mul_add(-p, 1.0 / 24.0);
    Pair::fast_sum(-0.5 * y2, (y2 * y2).mul_add(p, -0.5 * square.lo))
}

/// The exponential: a number from about 1 to 2, and the power of two that it lacks. The argument is at most
/// [`EXP_MOST`].
#[inline(always)]
pub(super) fn exp(x: f64) -> (Pair, i64) {
    exp_of(Pair::from(x))
}

/// Of an argument of twice the precision.
#[inline(always)]
pub(super) fn exp_of(x: Pair) -> (Pair, i64) {
    let (hi, lo, k) = power::exp_pair(x.hi, x.lo);
    (Pair::new(hi, lo), k)
}

/// Beyond it the exponential times any sine but 0 is infinite, or 0.
pub(super) const EXP_MOST: f64 = 1500.0;

/// Arguments cut to where [`exp`] gives the value in any case.
#[inline(always)]
pub(super) fn exp_range(x: f64) -> f64 {
    x.clamp(-EXP_MOST, EXP_MOST)
}

/// Two powers of two, whose product is 2^k; k may be up to 2040 in size. Multiplied one after the other only the last may round.
#[inline(always)]
pub(super) fn powers_of_two(k: i64) -> (f64, f64) {
    // Shifted so that it is a division of a positive number.
    let half = (((k + 4096) as u64) >> 1) as i64 - 2048;
    let power = |k: i64| f64::from_bits(((k + 1023) as u64) << 52);
    (power(half), power(k - half))
}

/// The product of an exponential, which lacks a power of two, and a sine, which may be tiny, or a cosine.
#[inline(always)]
pub(super) fn product(e: Pair, sine: Pair, k: i64) -> f64 {
    // Digits that a large power of two brings back must not be lost before.
    let tiny = sine.hi.abs() < 1e-150;
    let k = if tiny { k - 512 } else { k };
    let (p, q) = powers_of_two(k.clamp(-2040, 2040));
    e.times(sine.scaled(if tiny { TWO_512 } else { 1.0 })) * p * q
}

/// 2^512.
const TWO_512: f64 = f64::from_bits((512 + 1023) << 52);

/// sinh a and cosh a without a power of two, and its exponent, of a number that is not negative and at most [`EXP_MOST`].
#[inline(always)]
pub(super) fn sinh_cosh(a: f64) -> (Pair, Pair, i64) {
    let (e, k) = exp(a);
    // exp(-a), as far from the other one as it is.
    let inverse = Pair::from(1.0).div(e);
    let far = f64::from_bits(((1023 - 2 * k).max(1) << 52) as u64);
    let inverse = inverse.scaled(far);
    let sinh = e.plus(inverse.neg());
    let cosh = e.plus(inverse);
    // Where the difference loses digits.
    let x = if a < 0.25 { a } else { 0.0 };
    let square = Pair::product(x, x);
    let x2 = square.hi;
    let p = x2.mul_add(x2.mul_add(1.0 / 6_227_020_800.0, 1.0 / 39_916_800.0), 1.0 / 362_880.0);
    let p = x2.mul_add(x2.mul_add(x2.mul_add(p, 1.0 / 5040.0), 1.0 / 120.0), 1.0 / 6.0);
    // Twice, as the others; k is 0 there.
    let small = Pair::fast_sum(x + x, 2.0 * (x * x2) * p);
    (Pair::select(a < 0.25, small, sinh), cosh, k - 1)
}

/// exp(x) - 1, of a number at most a quarter in size.
#[inline(always)]
pub(super) fn exp_less_one(x: f64) -> Pair {
    let square = Pair::product(x, x);
    let p = x.mul_add(x.mul_add(1.0 / 6_227_020_800.0, 1.0 / 479_001_600.0), 1.0 / 39_916_800.0);
    let p = x.mul_add(x.mul_add(p, 1.0 / 3_628_800.0), 1.0 / 362_880.0);
    let p = x.mul_add(x.mul_add(p, 1.0 / 40_320.0), 1.0 / 5040.0);
    let p = x.mul_add(x.mul_add(x.mul_add(p, 1.0 / 720.0), 1.0 / 120.0), 1.0 / 24.0);
    let cube = Pair::product(square.hi, x * (1.0 / 6.0));
    let sum = Pair::fast_sum(x, 0.5 * square.hi);
    let small = (square.hi * square.hi).mul_add(p, cube.hi) + 0.5 * square.lo;
    Pair::fast_sum(sum.hi, sum.lo + small)
}

/// The natural logarithm of a positive, normal and finite number.
#[inline(always)]
pub(super) fn log(a: Pair) -> Pair {
    let (hi, lo) = power::log(a.hi, 0.0);
    let sum = Pair::sum(hi, a.lo / a.hi);
    Pair::fast_sum(sum.hi, sum.lo + lo)
}

/// The natural logarithm of 1 + a, which is positive.
#[inline(always)]
pub(super) fn log_of_one_more(a: Pair) -> Pair {
    let sum = Pair::sum(1.0, a.hi);
    let lo = sum.lo + a.lo;
    let (hi, lacks) = power::log(sum.hi, 0.0);
    let sum = Pair::sum(hi, lo / sum.hi);
    Pair::fast_sum(sum.hi, sum.lo + lacks)
}

/// The angle of the point (x, y), which is not the origin; y is not negative and neither is far from 1, unless it is small
/// against the other.
#[inline(always)]
pub(super) fn arc_tan(y: Pair, x: Pair) -> Pair {
    let negative = x.hi < 0.0;
    let x = Pair::select(negative, x.neg(), x);
    let swap = y.hi > x.hi;
    let (small, large) = (Pair::select(swap, x, y), Pair::select(swap, y, x));
    // About the nearest number of the table.
    let shifted = (small.hi / large.hi).mul_add(64.0, SHIFTER);
    let c = (shifted - SHIFTER) * (1.0 / 64.0);
    let [arc, arc_lo] = ARC_TAN[shifted.to_bits() as usize & 127].map(f64::from_bits);
    let product = Pair::product(c, large.hi);
    // Exact: both are close to each other, unless c is 0.
    let numerator = small.hi - product.hi;
    let numerator_lo = (-c).mul_add(large.lo, small.lo - product.lo);
    let product = Pair::product(c, small.hi);
    let denominator = Pair::fast_sum(large.hi, product.hi);
    let denominator_lo = denominator.lo + (product.lo + large.lo);
    let inverse = 1.0 / denominator.hi;
    let t = numerator * inverse;
    let lacks = (-t).mul_add(denominator.hi, numerator) + (-t).mul_add(denominator_lo, numerator_lo);
    let t2 = t * t;
    let p = t2.mul_add(t2.mul_add(t2.mul_add(1.0 / 9.0, -1.0 / 7.0), 1.0 / 5.0), -1.0 / 3.0);
    let sum = Pair::fast_sum(arc, t);
    let rest = (t2 * t).mul_add(p, lacks * inverse) + (sum.lo + arc_lo);
    let octant = Pair::fast_sum(sum.hi, rest);
    let quadrant = Pair::select(swap, HALF_PI.plus(octant.neg()), octant);
    Pair::select(negative, super::tables::PI.plus(quadrant.neg()), quadrant)
}

/// x² + y² - 1, where both are below 2^500 and not both tiny squares count: with the precision that it has as a sum of exact
/// products, however much they cancel.
#[inline(always)]
pub(super) fn squares_less_one(x: f64, y: f64) -> Pair {
    let (x, y) = (x.abs(), y.abs());
    let (large, small) = if x > y { (x, y) } else { (y, x) };
    let (l, s) = (Pair::product(large, large), Pair::product(small, small));
    sum_of_six(Pair::sum(l.hi, -1.0), l.lo, s)
}

/// The sum of numbers that may cancel, the larger ones first.
#[inline(always)]
pub(super) fn sum_of_six(a: Pair, b: f64, c: Pair) -> Pair {
    let first = Pair::sum(a.hi, c.hi);
    let second = Pair::sum(b, first.lo);
    let third = Pair::sum(second.hi, c.lo);
    let fourth = Pair::sum(first.hi, third.hi);
    let fifth = Pair::sum(a.lo, third.lo);
    let sixth = Pair::sum(fourth.lo, fifth.hi);
    let hi = Pair::sum(fourth.hi, sixth.hi);
    Pair::fast_sum(hi.hi, hi.lo + (sixth.lo + fifth.lo + second.lo))
}
