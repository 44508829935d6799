//! Functions of single precision only, in single precision throughout and in [`Lanes`]. Where they don't hold, double
//! precision takes over.

use super::constants::{
    F32_ATAN, F32_COS, F32_QUARTER_PI_HIGH, F32_QUARTER_PI_LOW, F32_SIN, F32_TANH, F32_TANH_CENTER, F32_TANH_START,
};
use super::in_lanes::{Constants, Sure, angle, cut, of, ordered_sum, polynomial};
use crate::lanes::{InRegisters, Lanes};

#[inline(always)]
pub(super) fn exp<V: Lanes<Item = f32>>(x: V) -> Sure<V> {
    let cut = cut(x);
    let (one, lacks) = ordered_sum(of(1.0), cut.r);
    let value = one + (lacks + cut.rest());
    // Where the power is surely normal.
    (V::from_bits(value.to_bits() + cut.power()), x.abs().less(of(87.0)))
}

/// The polynomial around the center of the interval. Up to 1/4 that is 0, and x itself the first term.
#[inline(always)]
pub(super) fn tanh<V: Lanes<Item = f32>>(x: V) -> Sure<V> {
    // From 9.1 on it rounds to 1.
    let size = of::<V>(9.1).min(x.abs());
    let index = V::shift_right(size.max(of(0.1875)).to_bits() - V::bits_of(F32_TANH_START), f32::FRACTION - 1);
    let d = size - V::entry(&F32_TANH_CENTER, index);
    let mut i = F32_TANH.len() - 1;
    let mut sum = V::entry(&F32_TANH[i], index);
    while i > 1 {
        i -= 1;
        sum = d.mul_add(sum, V::entry(&F32_TANH[i], index));
    }
    let first = V::select(size.less(of(0.25)), size, V::entry(&F32_TANH[0], index));
    (d.mul_add(sum, first).copysign(x), V::everywhere())
}

/// Sine, in the first or third quarter of a turn, else cosine.
#[inline(always)]
fn sine<V: Lanes<Item = f32>>(quarter: V::Bits, r: V, low: V) -> V {
    let z = r * r;
    let sin = r - (r * z).mul_add(polynomial(z, &F32_SIN), low);
    let (one, lacks) = ordered_sum(of(1.0), z * of(-0.5));
    let cos = one + (z * z).mul_add(polynomial(z, &F32_COS), r.mul_add(low, lacks));
    let even = V::equal(quarter & V::bits_of(1), V::bits_of(0));
    V::from_bits(V::select(even, sin, cos).to_bits() ^ V::shift_left(quarter & V::bits_of(2), 30))
}

#[inline(always)]
pub(super) fn sin<V: Lanes<Item = f32>>(x: V) -> Sure<V> {
    let (quarter, r, low) = angle(x);
    (sine(quarter, r, low), x.abs().less(of(f32::REACH)))
}

#[inline(always)]
pub(super) fn cos<V: Lanes<Item = f32>>(x: V) -> Sure<V> {
    let (quarter, r, low) = angle(x);
    (sine(quarter + V::bits_of(1), r, low), x.abs().less(of(f32::REACH)))
}

/// The angle of a point by its distances from the axes: where it is less steep than 1/2 that of the quotient, up to the
/// diagonal that of the quotient of difference and sum from π/4, else what that lacks to π/2; or to π, where the sign of
/// `side` says that it is on the left.
#[inline(always)]
fn angle_of<V: Lanes<Item = f32>>(above: V, beside: V, side: V) -> V {
    let steep = beside.less(above);
    let (less, more) = (above.min(beside), beside.max(above));
    // From here on the difference is exact.
    let middle = (more * of(0.5)).less(less);
    let sum = less + more;
    let sum_lacks = V::select(middle, (more - sum) + less, of(0.0));
    let (over, under) = (V::select(middle, less - more, less), V::select(middle, sum, more));
    let inverse = of::<V>(1.0) / under;
    let t = over * inverse;
    let lacks = (t.mul_add(-under, over) - t * sum_lacks) * inverse;
    let z = t * t;
    let rest = (t * z).mul_add(polynomial(z, &F32_ATAN), lacks);
    let quarters = V::select(middle, of(1.0), of(0.0));
    let quarters = V::select(steep, of::<V>(2.0) - quarters, quarters);
    let quarters = V::select(side.less(of(0.0)), of::<V>(4.0) - quarters, quarters);
    // Back from there, if it is either steep or on the left.
    let sign = (V::select(steep, of(-0.0), of(0.0)).to_bits() ^ side.to_bits()) & V::bits_of(f32::SIGN);
    let (t, rest) = (V::from_bits(t.to_bits() ^ sign), V::from_bits(rest.to_bits() ^ sign));
    let (sum, lacks) = ordered_sum(quarters * of(F32_QUARTER_PI_HIGH), t);
    sum + (lacks + quarters.mul_add(of(F32_QUARTER_PI_LOW), rest))
}

/// Whether a size is neither large nor small.
#[inline(always)]
fn is_moderate<V: Lanes<Item = f32>>(size: V) -> V::Mask {
    V::below(size.to_bits() - V::bits_of((127 - 60) << 23), V::bits_of(121 << 23))
}

/// Sure where both coordinates are of ordinary size, so that no quotient and nothing that it lacks is too small.
#[inline(always)]
pub(super) fn atan2<V: Lanes<Item = f32>>(y: V, x: V) -> Sure<V> {
    let (above, beside) = (y.abs(), x.abs());
    (angle_of(above, beside, x).copysign(y), is_moderate(above) & is_moderate(beside))
}
