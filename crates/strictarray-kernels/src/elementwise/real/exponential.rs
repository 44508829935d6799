//! The exponential and the hyperbolic functions.
//!
//! x = k ln 2 + r with |r| up to ln 2 / 2. The first terms of what e^r, cosh r and sinh r are made of are summed exactly, so
//! that what is rounded before the last sum is a sixth of the result or less.

use super::constants::{COSH, EXP, LN2_HIGH, LN2_LOW, LOG2_E_HIGH, SINGLE_EXP, SINH};
use super::pair::{Pair, SHIFTER, nearest, polynomial, power_of_two, select};

/// x = k ln 2 + r + low.
struct Cut {
    /// k, and in the low bits of the sum with [`SHIFTER`].
    k: f64,
    shifted: f64,
    r: f64,
    low: f64,
}

/// |x| is below 2^11.
#[inline(always)]
fn cut(x: f64) -> Cut {
    let shifted = x.mul_add(LOG2_E_HIGH, SHIFTER);
    let k = shifted - SHIFTER;
    // The product is exact, and so is the difference.
    Cut { k, shifted, r: k.mul_add(-LN2_HIGH, x), low: k * -LN2_LOW }
}

impl Cut {
    /// e^r - 1 without the first term.
    #[inline(always)]
    fn rest(&self) -> f64 {
        let r = self.r + self.low;
        (r * r).mul_add(polynomial(r, &EXP), self.low)
    }

    /// 2^(k - j), where that is normal.
    #[inline(always)]
    fn power(&self, j: u64) -> f64 {
        f64::from_bits(self.shifted.to_bits().wrapping_add(1023 - j) << 52)
    }
}

/// x between these, and NaN as it is.
#[inline(always)]
pub(super) fn between(x: f64, low: f64, high: f64) -> f64 {
    let x = select(x < low, low, x);
    select(x > high, high, x)
}

/// Times 2^k, to any power: only the last step rounds.
#[inline(always)]
fn scaled(value: f64, k: f64) -> f64 {
    let half = nearest(0.5 * k);
    value * power_of_two(half) * power_of_two(k - half)
}

/// Whether e^x is surely normal.
#[inline(always)]
pub(super) fn exp_holds(x: f64) -> bool {
    x.abs() < 708.0
}

/// e^x where [`exp_holds`] says so.
#[inline(always)]
pub(super) fn quick_exp(x: f64) -> f64 {
    let cut = cut(x);
    let one = Pair::ordered_sum(1.0, cut.r);
    let value = one.high + (one.low + cut.rest());
    f64::from_bits(value.to_bits().wrapping_add(cut.shifted.to_bits() << 52))
}

/// e^x for any x.
#[inline(always)]
pub(super) fn exp(x: f64) -> f64 {
    let cut = cut(between(x, -746.0, 711.0));
    let one = Pair::ordered_sum(1.0, cut.r);
    scaled(one.high + (one.low + cut.rest()), cut.k)
}

/// e^x for x from -746 to 0, in two parts.
#[inline(always)]
pub(super) fn exp_pair(x: Pair) -> Pair {
    let cut = cut(x.high);
    let one = Pair::ordered_sum(1.0, cut.r);
    let one = one.plus(cut.rest()).normal();
    let low = one.high.mul_add(x.low, one.low);
    Pair::new(scaled(one.high, cut.k), scaled(low, cut.k))
}

/// Below it x and x + x²/2 round alike.
const TINY: f64 = 5.5e-17;

#[inline(always)]
pub(super) fn expm1(x: f64) -> f64 {
    let cut = cut(between(x, -50.0, 709.8));
    // Halved, so that no power overflows: (2^k - 1) + 2^k r is summed exactly.
    let scale = cut.power(1);
    let whole = scale - 0.5;
    let high = scale.mul_add(cut.r, whole);
    let lacks = scale.mul_add(cut.r, whole - high) + ((scale - whole) - 0.5);
    let value = 2.0 * (high + scale.mul_add(cut.rest(), lacks));
    select(x.abs() < TINY, x, value)
}

/// Below it x and x ± x³/2 round alike.
pub(super) const TINY_CUBIC: f64 = 7e-9;

/// Half of sinh x and cosh x for x from 0 to 710.6, by the sums' theorems for k ln 2 and r.
#[inline(always)]
fn hyperbolic(x: f64) -> (Pair, Pair) {
    let cut = cut(x);
    // The other power counts nothing where it would be subnormal.
    let (up, down) = (cut.power(2), power_of_two(select(cut.k > 1000.0, -1002.0, -2.0 - cut.k)));
    let (cosh_k, sinh_k) = (up + down, up - down);
    let r = cut.r + cut.low;
    let z = r * r;
    // Without the first terms, 1 and r.
    let cosh_r = z * polynomial(z, &COSH);
    let sinh_r = (r * z).mul_add(polynomial(z, &SINH), cut.low);
    // What both lack of the smaller power.
    let (cosh_lacks, sinh_lacks) = (down - (cosh_k - up), (up - sinh_k) - down);
    let pair = |one: f64, one_lacks: f64, other: f64, other_lacks: f64| {
        let high = other.mul_add(cut.r, one);
        let lacks = other.mul_add(cut.r, one - high) + other_lacks.mul_add(r, one_lacks);
        Pair::new(high, lacks + one.mul_add(cosh_r, other * sinh_r))
    };
    (pair(sinh_k, sinh_lacks, cosh_k, cosh_lacks), pair(cosh_k, cosh_lacks, sinh_k, sinh_lacks))
}

#[inline(always)]
pub(super) fn sinh(x: f64) -> f64 {
    let size = x.abs();
    let (sinh, _) = hyperbolic(select(size > 710.6, 710.6, size));
    select(size < TINY_CUBIC, x, (2.0 * sinh.value()).copysign(x))
}

#[inline(always)]
pub(super) fn cosh(x: f64) -> f64 {
    let size = x.abs();
    let (_, cosh) = hyperbolic(select(size > 710.6, 710.6, size));
    2.0 * cosh.value()
}

/// The exponential for single precision, in double: one part is enough.
pub(super) mod single {
    use super::*;

    /// 2^k, and e^r - 1.
    #[inline(always)]
    fn cut(x: f64) -> (f64, f64) {
        let cut = super::cut(x);
        let r = cut.r + cut.low;
        (cut.power(0), (r * r).mul_add(polynomial(r, &SINGLE_EXP), r))
    }

    #[inline(always)]
    pub(in super::super) fn exp(x: f64) -> f64 {
        let (scale, t) = cut(between(x, -150.0, 150.0));
        scale.mul_add(t, scale)
    }

    /// 2^x for |x| below 1000.
    #[inline(always)]
    pub(in super::super) fn exp2(x: f64) -> f64 {
        let shifted = x + SHIFTER;
        let r = (x - (shifted - SHIFTER)) * (LN2_HIGH + LN2_LOW);
        let t = (r * r).mul_add(polynomial(r, &SINGLE_EXP), r);
        let scale = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
        scale.mul_add(t, scale)
    }
}
