//! Functions of real numbers in [`Lanes`], of either precision.
//!
//! What they keep in two parts is what lets one precision do. Logarithms begin at the nearest of sixteen points, from tables
//! that lie in registers. Each function says of which elements its values hold; elsewhere another one takes over.

use crate::lanes::{InRegisters, Lanes, Table};

/// What the functions need of a precision: constants in parts, the highest first, polynomials, the lowest coefficient first,
/// tables, and how far the functions reach. tools/polynomials.py makes them, and says how.
pub(in super::super) trait Constants: InRegisters + Sized + 'static {
    /// 1.5 · 2^FRACTION: adding it rounds to an integer, which is then in the low bits.
    const SHIFTER: Self;
    /// 2^-FRACTION: steps of the exponent as integers times it are the exponent.
    const STEP: Self;
    /// ln 2; multiples of the first part have few digits.
    const LN2: (Self, Self);
    const HALF_LN2: (Self, Self);
    const LOG2_E: (Self, Self);
    const THIRD_LOG2_E: (Self, Self);
    const LOG10_2: (Self, Self);
    const LOG10_E: (Self, Self);
    const HALF_PI: (Self, Self, Self);
    const WHOLE_HALF_PI: Self;
    /// What π/2 as one float lacks, and powers of two times it, as a part of it.
    const HALF_PI_LACKS: Self;
    const TWO_OVER_PI: Self;
    /// (cosh r - 1)/r² by r², (sinh r - r)/r³ by r², for |r| up to ½ ln 2.
    const COSH: &'static [Self];
    const SINH: &'static [Self];
    /// 1.5 · 2^(FRACTION - 3): adding it rounds to eighths.
    const EIGHTHS: Self;
    /// (2^r - 1)/r for |r| up to 1/16.
    const EXP2: &'static [Self];
    /// (e^r - 1 - r)/r² for |r| up to ln 2 / 16.
    const EXP_OF_EIGHTH: &'static [Self];
    /// 2^(i/8) to the last bit, its bits less what i in the three bits below the exponent adds; and what it lacks, as a part of
    /// it.
    const ROOT: (&'static Table<Self>, &'static Table<Self>);
    /// (e^r - 1 - r)/r².
    const EXP: &'static [Self];
    /// (tan r - r)/r³ by r², for |r| up to π/4.
    const TAN: &'static [Self];
    /// (atanh s - s)/s³ by s², for s up to 0.3.
    const ATANH: &'static [Self];
    /// (asin s - s)/s³ by s², for s up to 1/2.
    const ASIN: &'static [Self];
    /// Less half the bits of x, those of about half the inverse root of x.
    const HALF_INVERSE_ROOT: Self::Word;
    /// The bits of the first number of the first interval of logarithms: 1 is in the middle of the ninth.
    const LOG_START: Self::Word;
    /// About 1/m for the m of each interval: m times it, less 1, is exact.
    const LOG_INVERSE: &'static Table<Self>;
    /// What that leaves of ln m, log2 m, log10 m.
    const LN: (&'static Table<Self>, &'static Table<Self>);
    const LOG2: (&'static Table<Self>, &'static Table<Self>);
    const LOG10: (&'static Table<Self>, &'static Table<Self>);
    /// ln(1 + r) and the others without the first term, over r².
    const LN_REST: &'static [Self];
    const LOG2_REST: &'static [Self];
    const LOG10_REST: &'static [Self];
    /// log2(1 + r) without the first three terms, over r⁴.
    const LOG2_FOURTH: &'static [Self];
    /// Of the intervals of atan, 1 and the center, of the last one 0 and 1: the angle is that of the point (1, center), or
    /// (0, 1), and of what it lacks.
    const ATAN_NUMBER: &'static Table<Self>;
    const ATAN_CENTER: &'static Table<Self>;
    /// The angle.
    const ATAN: (&'static Table<Self>, &'static Table<Self>);
    /// (atan t - t)/t³ by t², for t up to 1/4.
    const ATAN_REST: &'static [Self];
    /// The bits of 1/4 less half a step: half a step is an interval of atan.
    const QUARTER: Self::Word;
    /// How much earlier than 2^k the quotients of atanh begin with k, in bits.
    const EARLIER: Self::Word;
    /// The ninth interval.
    const NINTH: Self::Word;
    /// Up to here both powers of the hyperbolic functions are normal.
    const HYPERBOLIC: Self;
    /// Up to here the exponential is normal.
    const EXPONENTIAL: Self;
    /// Beyond it 1 + u and √(u² ± 1) are no longer cared for.
    const LARGE: Self;
    /// From here on 2^k + 1 has too many digits for atanh.
    const NEAR_ONE: Self;
    /// The largest number below 1.
    const BELOW_ONE: Self;
    /// Up to here the reduction of angles does.
    const REACH: Self;
    /// Powers of two to here are surely normal.
    const POWERS: Self;
}

/// Lanes of elements of which there are constants.
pub(in super::super) trait Real: Lanes<Item: Constants> {}
impl<V: Lanes<Item: Constants>> Real for V {}

/// Values, and of which of them it is sure that they hold.
pub(in super::super) type Sure<V> = (V, <V as Lanes>::Mask);

/// The constants' type.
type C<V> = <V as Lanes>::Item;

/// A short number in each lane.
#[inline(always)]
pub(super) fn of<V: Lanes>(x: f32) -> V {
    V::splat(C::<V>::from(x))
}

/// a + b and what it lacks, where |a| ≥ |b| or a is 0.
#[inline(always)]
pub(super) fn ordered_sum<V: Lanes>(a: V, b: V) -> (V, V) {
    let sum = a + b;
    (sum, (a - sum) + b)
}

/// a + b and what it lacks.
#[inline(always)]
fn exact_sum<V: Lanes>(a: V, b: V) -> (V, V) {
    let sum = a + b;
    let back = sum - a;
    (sum, (a - (sum - back)) + (b - back))
}

/// The polynomial with these coefficients, the lowest first. Long ones in two chains, which take half the time of one; of
/// short ones the next lanes fill it.
#[inline(always)]
pub(super) fn polynomial<V: Lanes>(x: V, coefficients: &'static [V::Item]) -> V {
    let n = coefficients.len();
    if n < 8 {
        return chain(x, coefficients, n - 1, 1);
    }
    let square = x * x;
    let (even, odd) = ((n - 1) & !1, (n - 2) | 1);
    x.mul_add(chain(square, coefficients, odd, 2), chain(square, coefficients, even, 2))
}

/// The polynomial with every `step`th coefficient up to the one at `i`.
#[inline(always)]
fn chain<V: Lanes>(x: V, coefficients: &'static [V::Item], mut i: usize, step: usize) -> V {
    let mut sum = V::splat(coefficients[i]);
    while i >= step {
        i -= step;
        sum = x.mul_add(sum, V::splat(coefficients[i]));
    }
    sum
}

/// x = k ln 2 + r + low.
pub(super) struct Cut<V> {
    /// With k in the low bits.
    pub(super) shifted: V,
    pub(super) r: V,
    pub(super) low: V,
}

/// |x| is such that k has no more digits than the shifter leaves it.
#[inline(always)]
pub(super) fn cut<V: Real>(x: V) -> Cut<V> {
    let shifted = x.mul_add(V::splat(C::<V>::LOG2_E.0), V::splat(C::<V>::SHIFTER));
    let k = shifted - V::splat(C::<V>::SHIFTER);
    Cut { shifted, r: k.mul_add(-V::splat(C::<V>::LN2.0), x), low: k * -V::splat(C::<V>::LN2.1) }
}

impl<V: Real> Cut<V> {
    /// e^r - 1 without the first term.
    #[inline(always)]
    pub(super) fn rest(&self) -> V {
        let r = self.r + self.low;
        (r * r).mul_add(polynomial(r, C::<V>::EXP), self.low)
    }

    /// The bits of 2^k, less those of 1.
    #[inline(always)]
    pub(super) fn power(&self) -> V::Bits {
        V::shift_left(self.shifted.to_bits(), C::<V>::FRACTION)
    }
}

/// 2^k for a sum of k, a number of eighths, and [`Constants::EIGHTHS`], and what it lacks, as a part of it.
#[inline(always)]
fn power_of_eighths<V: Real>(shifted: V) -> (V, V) {
    let bits = shifted.to_bits();
    let root = V::entry(C::<V>::ROOT.0, bits).to_bits() + V::shift_left(bits, C::<V>::FRACTION - 3);
    (V::from_bits(root), V::entry(C::<V>::ROOT.1, bits))
}

/// e^x = p (1 + r + rest), where p is a power of two, k eighths. Where k is 0 it is 1, and r is x.
struct ByEighths<V> {
    power: V,
    r: V,
    rest: V,
}

#[inline(always)]
fn by_eighths<V: Real>(x: V) -> ByEighths<V> {
    let shifter = V::splat(C::<V>::EIGHTHS);
    let shifted = x.mul_add(V::splat(C::<V>::LOG2_E.0), shifter);
    let k = shifted - shifter;
    // The first is exact. What r lacks counts where the result is small, near the first eighths.
    let high = k.mul_add(-V::splat(C::<V>::LN2.0), x);
    let r = k.mul_add(-V::splat(C::<V>::LN2.1), high);
    let low = k.mul_add(-V::splat(C::<V>::LN2.1), high - r);
    let (power, lacks) = power_of_eighths(shifted);
    ByEighths { power, r, rest: (r * r).mul_add(polynomial(r, C::<V>::EXP_OF_EIGHTH), lacks + low) }
}

impl<V: Real> ByEighths<V> {
    /// a + e^x - p and what it lacks, where a is `a` and a small part of it, and 0 or the larger one.
    #[inline(always)]
    fn and(&self, (a, low): (V, V)) -> (V, V) {
        let sum = self.power.mul_add(self.r, a);
        (sum, self.power.mul_add(self.rest, self.power.mul_add(self.r, a - sum)) + low)
    }
}

#[inline(always)]
pub(super) fn expm1<V: Real>(x: V) -> Sure<V> {
    // Below it nothing changes.
    let parts = by_eighths(of::<V>(-50.0).max(x));
    let (sum, lacks) = parts.and(exact_sum(parts.power, of(-1.0)));
    ((sum + lacks).copysign(x), x.less(V::splat(C::<V>::EXPONENTIAL)))
}

/// (e^-2x - 1)/(-e^-2x - 1), without the sign.
#[inline(always)]
pub(super) fn tanh<V: Real>(x: V) -> Sure<V> {
    // From 20 on it rounds to 1.
    let size = of::<V>(20.0).min(x.abs());
    let parts = by_eighths(size * of(-2.0));
    let (over, over_lacks) = parts.and(ordered_sum(of(-1.0), parts.power));
    let (under, under_lacks) = parts.and(ordered_sum(of(1.0), parts.power));
    let inverse = of::<V>(1.0) / (under + under_lacks);
    let quotient = (over + over_lacks) * inverse;
    let lacks = quotient.mul_add(-under, over) + quotient.mul_add(-under_lacks, over_lacks);
    (lacks.mul_add(inverse, quotient).copysign(x), V::everywhere())
}

/// k, r and what the sums' theorems need: cosh and sinh of k ln 2, what they lack of the smaller power, and cosh r - 1 and
/// sinh r, of which the first terms are left out.
struct Hyperbolic<V> {
    r: V,
    cosh_k: V,
    sinh_k: V,
    up: V,
    down: V,
    cosh_r: V,
    sinh_r: V,
}

#[inline(always)]
fn hyperbolic<V: Real>(size: V) -> Hyperbolic<V> {
    let cut = cut(size);
    let half = V::bits_of(C::<V>::HALF);
    let (up, down) = (V::from_bits(half + cut.power()), V::from_bits(half - cut.power()));
    let r = cut.r + cut.low;
    let z = r * r;
    let cosh_r = z * polynomial(z, C::<V>::COSH);
    let sinh_r = (r * z).mul_add(polynomial(z, C::<V>::SINH), cut.low);
    Hyperbolic { r: cut.r, cosh_k: up + down, sinh_k: up - down, up, down, cosh_r, sinh_r }
}

#[inline(always)]
pub(super) fn sinh<V: Real>(x: V) -> Sure<V> {
    let size = x.abs();
    let Hyperbolic { r, cosh_k, sinh_k, up, down, cosh_r, sinh_r } = hyperbolic(size);
    let high = cosh_k.mul_add(r, sinh_k);
    let low = sinh_k.mul_add(cosh_r, cosh_k.mul_add(sinh_r, cosh_k.mul_add(r, sinh_k - high)));
    let value = high + (low + ((up - sinh_k) - down));
    (value.copysign(x), size.less(V::splat(C::<V>::HYPERBOLIC)))
}

#[inline(always)]
pub(super) fn cosh<V: Real>(x: V) -> Sure<V> {
    let size = x.abs();
    let Hyperbolic { r, cosh_k, sinh_k, up, down, cosh_r, sinh_r } = hyperbolic(size);
    let high = sinh_k.mul_add(r, cosh_k);
    let low = cosh_k.mul_add(cosh_r, sinh_k.mul_add(sinh_r, sinh_k.mul_add(r, cosh_k - high)));
    (high + (low + (down - (cosh_k - up))), size.less(V::splat(C::<V>::HYPERBOLIC)))
}

/// x = 2^k m, and in which of sixteen intervals m lies.
struct Interval<V: Real> {
    /// k where exponents are, as an integer and as a float.
    power: V::Bits,
    k: V,
    m: V,
    /// In its lowest four bits.
    index: V::Bits,
}

/// A constant for k as it is in the bits, where it needs no shift.
#[inline(always)]
fn each_step<V: Real>(constant: C<V>) -> V {
    V::splat(C::<V>::STEP) * V::splat(constant)
}

#[inline(always)]
fn interval<V: Real>(x: V) -> Interval<V> {
    let place = x.to_bits() - V::bits_of(C::<V>::LOG_START);
    let power = place & V::bits_of(C::<V>::POWER);
    let m = V::from_bits(x.to_bits() - power);
    Interval { power, k: V::from_steps(power), m, index: V::shift_right(place, C::<V>::FRACTION - 4) }
}

impl<V: Real> Interval<V> {
    /// About 1/m.
    #[inline(always)]
    fn inverse(&self) -> V {
        V::short_entry(C::<V>::LOG_INVERSE, self.index)
    }

    /// m times its inverse, less 1, which is exact.
    #[inline(always)]
    fn rest(&self) -> V {
        self.m.mul_add(self.inverse(), of(-1.0))
    }

    /// The natural logarithm; `r` is the rest, `low` a small correction.
    #[inline(always)]
    fn ln(&self, r: V, low: V) -> V {
        // Exact.
        let high = self.k.mul_add(each_step(C::<V>::LN2.0), V::short_entry(C::<V>::LN.0, self.index));
        let low = self.k.mul_add(each_step(C::<V>::LN2.1), V::entry(C::<V>::LN.1, self.index)) + low;
        let (sum, lacks) = ordered_sum(high, r);
        sum + (lacks + (r * r).mul_add(polynomial(r, C::<V>::LN_REST), low))
    }
}

#[inline(always)]
pub(super) fn log<V: Real>(x: V) -> Sure<V> {
    let at = interval(x);
    (at.ln(at.rest(), of(0.0)), x.is_ordinary())
}

/// high + low and the logarithm of 1 + r to another base, of whose number e the logarithm is `of_e`.
#[inline(always)]
fn to_base<V: Real>(r: V, high: V, low: V, of_e: (C<V>, C<V>), rest: &'static [C<V>]) -> V {
    let sum = r.mul_add(V::splat(of_e.0), high);
    let lacks = r.mul_add(V::splat(of_e.0), high - sum);
    sum + (lacks + r.mul_add(r.mul_add(polynomial(r, rest), V::splat(of_e.1)), low))
}

#[inline(always)]
pub(super) fn log2<V: Real>(x: V) -> Sure<V> {
    let at = interval(x);
    let high = at.k.mul_add(V::splat(C::<V>::STEP), V::short_entry(C::<V>::LOG2.0, at.index));
    let low = V::entry(C::<V>::LOG2.1, at.index);
    (to_base(at.rest(), high, low, C::<V>::LOG2_E, C::<V>::LOG2_REST), x.is_ordinary())
}

#[inline(always)]
pub(super) fn log10<V: Real>(x: V) -> Sure<V> {
    let at = interval(x);
    let high = at.k.mul_add(each_step(C::<V>::LOG10_2.0), V::short_entry(C::<V>::LOG10.0, at.index));
    let low = at.k.mul_add(each_step(C::<V>::LOG10_2.1), V::entry(C::<V>::LOG10.1, at.index));
    (to_base(at.rest(), high, low, C::<V>::LOG10_E, C::<V>::LOG10_REST), x.is_ordinary())
}

/// ln(1 + u + low) of u > -1.
#[inline(always)]
fn log_of_one_and<V: Real>(u: V, low: V) -> V {
    let (sum, lacks) = exact_sum(of(1.0), u);
    log_of_sum(sum, lacks + low, u, low)
}

/// ln(sum + lacks), a sum of 1 and u + low.
#[inline(always)]
fn log_of_sum<V: Real>(sum: V, lacks: V, u: V, low: V) -> V {
    let at = interval(sum);
    // Near 1 the rest is u itself.
    let near = V::equal(at.index, V::bits_of(C::<V>::NINTH));
    let r = V::select(near, u, at.rest());
    // What the sum lacks, times 2^-k and the inverse: over 1 + r, to a few digits.
    let correction = lacks * (V::from_bits(V::bits_of(C::<V>::ONE) - at.power) * at.inverse());
    at.ln(r, V::select(near, low, correction.mul_add(-r, correction)))
}

#[inline(always)]
pub(super) fn log1p<V: Real>(x: V) -> Sure<V> {
    (log_of_one_and(x, of(0.0)).copysign(x), of::<V>(-1.0).less(x) & x.less(V::splat(C::<V>::LARGE)))
}

/// ln(1 + u) with u = x + x²/(1 + √(1 + x²)).
#[inline(always)]
pub(super) fn asinh<V: Real>(x: V) -> Sure<V> {
    let size = x.abs();
    let root = size.mul_add(size, of(1.0)).sqrt();
    let rest = size * size / (of::<V>(1.0) + root);
    let (u, low) = ordered_sum(size, rest);
    // The root is 1 and the rest: the sum need not wait for the quotient, which says what it lacks.
    let (sum, lacks) = ordered_sum(root, size);
    let lacks = (rest - (root - of(1.0))) + lacks;
    (log_of_sum(sum, lacks, u, low).copysign(x), size.less(V::splat(C::<V>::LARGE)))
}

/// About 1/(2√x), within a thirtieth, of a normal number; of 0 finite. It is enough for what a root lacks, of which few
/// digits count.
#[inline(always)]
fn half_inverse_root<V: Real>(x: V) -> V {
    V::from_bits(V::bits_of(C::<V>::HALF_INVERSE_ROOT) - V::shift_right(x.to_bits(), 1))
}

/// ln(1 + u) with u = t + √(2t + t²), t = x - 1.
#[inline(always)]
pub(super) fn acosh<V: Real>(x: V) -> Sure<V> {
    let t = x - of(1.0);
    // What the sum lacks counts where t is small, and the root of it nearly all.
    let sum = t.mul_add(t, t + t);
    let sum_lacks = t.mul_add(t, (t + t) - sum);
    let root = sum.sqrt();
    let root_lacks = (root.mul_add(-root, sum) + sum_lacks) * half_inverse_root(sum);
    let (u, lacks) = ordered_sum(root, t);
    // Below 1 there is none.
    let value = V::select(V::splat(C::<V>::BELOW_ONE).less(x), log_of_one_and(u, lacks + root_lacks), of(f32::NAN));
    (value, x.less(V::splat(C::<V>::LARGE)))
}

/// ½ ln((1 + x)/(1 - x)) = k/2 ln 2 + atanh s, with s = (1 + x - 2^k (1 - x))/(1 + x + 2^k (1 - x)). k is such that s is
/// from -0.1 to 0.29: little is lost where they have different signs. Up to x = 1/4, k is 0 and s is x.
#[inline(always)]
pub(super) fn atanh<V: Real>(x: V) -> Sure<V> {
    let size = x.abs();
    let (more, less) = (of::<V>(1.0) + size, of::<V>(1.0) - size);
    let bits = (more.to_bits() - less.to_bits() + V::bits_of(C::<V>::EARLIER)) & V::bits_of(C::<V>::POWER);
    let power = V::from_bits(bits + V::bits_of(C::<V>::ONE));
    let (plus, minus) = (of::<V>(1.0) + power, of::<V>(1.0) - power);
    let s = plus.mul_add(size, minus) / minus.mul_add(size, plus);
    let z = s * s;
    let k = V::from_steps(bits);
    let rest = (s * z).mul_add(polynomial(z, C::<V>::ATANH), k * each_step(C::<V>::HALF_LN2.1));
    let (sum, lacks) = ordered_sum(k * each_step(C::<V>::HALF_LN2.0), s);
    // So near 1 that 2^k + 1 has too many digits.
    ((sum + (lacks + rest)).copysign(x), size.less(V::splat(C::<V>::NEAR_ONE)))
}

/// x = k π/2 + r - low: k is in the lowest bits of the first.
#[inline(always)]
pub(super) fn angle<V: Real>(x: V) -> (V::Bits, V, V) {
    let shifted = x.mul_add(V::splat(C::<V>::TWO_OVER_PI), V::splat(C::<V>::SHIFTER));
    let k = shifted - V::splat(C::<V>::SHIFTER);
    // Exact: the high part has 16 digits in single precision; in double both terms are multiples of 2^-53, and the
    // difference is below 1.
    let first = k.mul_add(-V::splat(C::<V>::HALF_PI.0), x);
    let second = k * V::splat(C::<V>::HALF_PI.1);
    let second_lacks = k.mul_add(V::splat(C::<V>::HALF_PI.1), -second);
    let r = first - second;
    // The sign is such that of x = -0 nothing positive is added.
    (shifted.to_bits(), r, k.mul_add(V::splat(C::<V>::HALF_PI.2), second_lacks - ((first - r) - second)))
}

#[inline(always)]
pub(super) fn tan<V: Real>(x: V) -> Sure<V> {
    let (quarter, r, low) = angle(x);
    let z = r * r;
    let z_lacks = r.mul_add(r, -z);
    let slope = r * polynomial(z, C::<V>::TAN);
    // 1 + tan² r, roughly.
    let low = low * z.mul_add(of(1.55), of(1.0));
    let rest = slope.mul_add(z, -slope.mul_add(-z_lacks, low));
    let tan = r + rest;
    // -1/(r + rest), corrected.
    let inverse = of::<V>(-1.0) / tan;
    let error = inverse.mul_add(rest, inverse.mul_add(r, of(1.0)));
    let even = V::equal(quarter & V::bits_of(C::<V>::BIT), V::bits_of(C::<V>::NONE));
    (V::select(even, tan, inverse.mul_add(error, inverse)), x.abs().less(V::splat(C::<V>::REACH)))
}

/// a^b = 2^(b · log2 a), the logarithm and the product in two parts. Sure where `a` is ordinary, and the result far from the
/// ends; short exponents are left to one operation.
#[inline(always)]
pub(in super::super) fn pow<V: Real>(a: V, b: V) -> Sure<V> {
    let at = interval(a);
    let r = at.rest();
    // log2(1 + r) = r (first + r (second + r third)) and what begins with r⁴. What is in brackets has two parts: were the
    // cube rounded, it would be off by 2^-64 of the logarithm, of which the product may be 2^10.
    let (first, first_low) = (V::splat(C::<V>::LOG2_E.0), V::splat(C::<V>::LOG2_E.1));
    let (third, third_low) = (V::splat(C::<V>::THIRD_LOG2_E.0), V::splat(C::<V>::THIRD_LOG2_E.1));
    let (second, second_low) = (first * of(-0.5), first_low * of(-0.5));
    let bend = r.mul_add(third, second);
    let bend_lacks = r.mul_add(third, second - bend);
    let slope = r.mul_add(bend, first);
    let constants_lack = r.mul_add(r.mul_add(third_low, second_low), first_low);
    let slope_lacks = r.mul_add(bend, first - slope) + r.mul_add(bend_lacks, constants_lack);
    let high = at.k.mul_add(V::splat(C::<V>::STEP), V::short_entry(C::<V>::LOG2.0, at.index));
    let sum = r.mul_add(slope, high);
    let lacks = r.mul_add(slope, high - sum);
    // With the fourth term this is near enough to choose k, which need not wait for the rest.
    let square = r * r;
    let fourth = square * square;
    let (coefficient, rest) = C::<V>::LOG2_FOURTH.split_at(1);
    let most = fourth.mul_add(V::splat(coefficient[0]), V::entry(C::<V>::LOG2.1, at.index));
    let low = (fourth * r).mul_add(polynomial(r, rest), r.mul_add(slope_lacks, most) + lacks);
    // 2^k/8, k a whole number.
    let shifter = V::splat(C::<V>::EIGHTHS);
    let shifted = b.mul_add(sum + most, shifter);
    let eighths = shifted - shifter;
    let x = b.mul_add(low, b.mul_add(sum, -eighths));
    let (root, lacks) = power_of_eighths(shifted);
    let rest = x.mul_add(polynomial(x, C::<V>::EXP2), lacks);
    let value = root.mul_add(rest, root);
    // Zero for -1 and 1, and for 1/2 and 2; neither rounds to it nor becomes so small that the product does.
    let (size, between) = (b.mul_add(b, of(-1.0)), b.mul_add(b - of(2.5), of(1.0)));
    let long = (size * between).differs(of(0.0));
    (value, a.is_ordinary() & eighths.abs().less(V::splat(C::<V>::POWERS)) & long)
}

/// The angle of the center of the interval, and that of what is left: (x - c)/(1 + x c), or -1/x.
#[inline(always)]
pub(super) fn atan<V: Real>(x: V) -> Sure<V> {
    // Beyond it nothing changes.
    let size = of::<V>(1e30).min(x.abs());
    let within = of::<V>(0.1875).max(of::<V>(32.0).min(size));
    let index = V::shift_right(within.to_bits() - V::bits_of(C::<V>::QUARTER), C::<V>::FRACTION - 1);
    let (number, center) = (V::short_entry(C::<V>::ATAN_NUMBER, index), V::short_entry(C::<V>::ATAN_CENTER, index));
    // The difference is exact.
    let t = number.mul_add(size, -center) / center.mul_add(size, number);
    let z = t * t;
    let rest = (t * z).mul_add(polynomial(z, C::<V>::ATAN_REST), V::entry(C::<V>::ATAN.1, index));
    let (sum, lacks) = ordered_sum(V::short_entry(C::<V>::ATAN.0, index), t);
    ((sum + (lacks + rest)).copysign(x), V::everywhere())
}

/// asin s in two parts, the second of which is small, of s up to 1/2: of x itself, or of √((1 - |x|)/2), half of whose arc
/// is what is missing to π/2. The mask says which it is not.
#[inline(always)]
fn half_arc<V: Real>(size: V) -> (V::Mask, V, V) {
    let outer = of::<V>(0.5).less(size);
    let less = size.mul_add(of(-0.5), of(0.5));
    // Above 1 it is NaN.
    let root = less.sqrt();
    let lacks = V::select(outer, root.mul_add(-root, less) * half_inverse_root(less), of(0.0));
    let s = V::select(outer, root, size);
    let z = V::select(outer, less, size * size);
    (outer, s, (s * z).mul_add(polynomial(z, C::<V>::ASIN), lacks))
}

/// A multiple of π/2 and so many times an arc in two parts.
#[inline(always)]
fn arc_from<V: Real>(angle: V, times: V, (s, rest): (V, V)) -> V {
    let sum = times.mul_add(s, angle);
    let lacks = angle.mul_add(V::splat(C::<V>::HALF_PI_LACKS), times.mul_add(s, angle - sum));
    sum + times.mul_add(rest, lacks)
}

#[inline(always)]
pub(super) fn asin<V: Real>(x: V) -> Sure<V> {
    let (outer, s, rest) = half_arc(x.abs());
    let angle = V::select(outer, V::splat(C::<V>::WHOLE_HALF_PI), of(0.0));
    let times = V::select(outer, of(-2.0), of(1.0));
    (arc_from(angle, times, (s, rest)).copysign(x), V::everywhere())
}

#[inline(always)]
pub(super) fn acos<V: Real>(x: V) -> Sure<V> {
    let (outer, s, rest) = half_arc(x.abs());
    // Of outer numbers twice the arc, or what it lacks to π; of inner ones what x's lacks to π/2.
    let half_pi = V::splat(C::<V>::WHOLE_HALF_PI);
    let angle = V::select(outer, V::select(x.less(of(0.0)), half_pi + half_pi, of(0.0)), half_pi);
    let times = V::select(outer, of(2.0), of(-1.0));
    let times = V::from_bits(times.to_bits() ^ (x.to_bits() & V::bits_of(C::<V>::SIGN)));
    (arc_from(angle, times, (s, rest)), V::everywhere())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lanes of four take the upper halves alone.
    #[test]
    fn entries_of_short_tables_are_short() {
        type C = f64;
        for table in [C::LOG_INVERSE, C::LN.0, C::LOG2.0, C::LOG10.0, C::ATAN_NUMBER, C::ATAN_CENTER, C::ATAN.0] {
            for entry in table.0 {
                assert_eq!(entry.to_bits() as u32, 0, "{entry}");
            }
        }
    }

    /// And those alone.
    #[test]
    fn short_exponents_are_left_to_one_operation() {
        for b in [2.0f32, 1.0, 0.5, -1.0] {
            assert!(!pow(3.0, b).1 && !pow(3.0, f64::from(b)).1, "{b}");
            for near in [b.next_up(), b.next_down(), b.next_up().next_up(), 8.0 * b.abs(), -0.5 * b.abs() - 1.0] {
                assert!(pow(3.0, near).1, "{near}");
            }
            let b = f64::from(b);
            for near in [b.next_up(), b.next_down(), b.next_up().next_up(), -3.0 * b.abs()] {
                assert!(pow(3.0, near).1, "{near}");
            }
        }
        for b in [0.0f32, -0.0, 1e-45, -2.0, -0.5, 0.25, 1e-30, 2.5, 40.0, -60.0] {
            assert!(pow(3.0, b).1 && pow(3.0, f64::from(b)).1, "{b}");
        }
    }
}
