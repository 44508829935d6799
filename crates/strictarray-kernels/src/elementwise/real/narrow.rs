//! Exponentials, logarithms, hyperbolic functions and their angles' inverses in single precision throughout: twice as many
//! at once as in double.
//!
//! The ways are those of the functions of double precision, with shorter polynomials: what they keep in two parts is what
//! lets single precision do. Where they don't hold, double precision takes over.

use super::constants::{
    F32_ASIN, F32_ATAN, F32_COSH, F32_EXP, F32_LN2_HIGH, F32_LN2_LOW, F32_LOG, F32_LOG2_E_HIGH, F32_LOG2_E_LOW,
    F32_LOG10_2_HIGH, F32_LOG10_2_LOW, F32_LOG10_E_HIGH, F32_LOG10_E_LOW, F32_QUARTER_PI_HIGH, F32_QUARTER_PI_LOW,
    F32_SINH,
};

/// 1.5 · 2^23: adding it rounds to an integer, which is then in the low bits.
const SHIFTER: f32 = 12_582_912.0;

#[inline(always)]
fn select(condition: bool, yes: f32, no: f32) -> f32 {
    if condition { yes } else { no }
}

/// a + b and what it lacks, where |a| ≥ |b| or a is 0.
#[inline(always)]
fn ordered_sum(a: f32, b: f32) -> (f32, f32) {
    let sum = a + b;
    (sum, (a - sum) + b)
}

#[inline(always)]
fn polynomial<const N: usize>(x: f32, coefficients: &[f32; N]) -> f32 {
    let square = x * x;
    let (mut even, mut odd) = (0.0, 0.0);
    let mut i = N;
    while i > 0 {
        i -= 1;
        if i & 1 == 0 {
            even = square.mul_add(even, coefficients[i]);
        } else {
            odd = square.mul_add(odd, coefficients[i]);
        }
    }
    x.mul_add(odd, even)
}

/// x = k ln 2 + r + low.
struct Cut {
    k: f32,
    shifted: f32,
    r: f32,
    low: f32,
}

/// |x| is below 2^8.
#[inline(always)]
fn cut(x: f32) -> Cut {
    let shifted = x.mul_add(F32_LOG2_E_HIGH, SHIFTER);
    let k = shifted - SHIFTER;
    Cut { k, shifted, r: k.mul_add(-F32_LN2_HIGH, x), low: k * -F32_LN2_LOW }
}

impl Cut {
    /// e^r - 1 without the first term.
    #[inline(always)]
    fn rest(&self) -> f32 {
        let r = self.r + self.low;
        (r * r).mul_add(polynomial(r, &F32_EXP), self.low)
    }

    /// 2^(k - j), where that is normal.
    #[inline(always)]
    fn power(&self, j: u32) -> f32 {
        f32::from_bits(self.shifted.to_bits().wrapping_add(127 - j) << 23)
    }
}

/// Whether the exponential is surely normal.
#[inline(always)]
pub(super) fn exp_holds(x: f32) -> bool {
    x.abs() < 87.0
}

#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    let cut = cut(x);
    let (one, lacks) = ordered_sum(1.0, cut.r);
    let value = one + (lacks + cut.rest());
    f32::from_bits(value.to_bits().wrapping_add(cut.shifted.to_bits() << 23))
}

/// Below it x and x + x²/2 round alike.
const TINY: f32 = 2.9e-8;

#[inline(always)]
pub(super) fn expm1(x: f32) -> f32 {
    let low = select(x < -25.0, -25.0, x);
    let cut = cut(select(low > 88.8, 88.8, low));
    let scale = cut.power(1);
    let whole = scale - 0.5;
    let high = scale.mul_add(cut.r, whole);
    let lacks = scale.mul_add(cut.r, whole - high) + ((scale - whole) - 0.5);
    let value = 2.0 * (high + scale.mul_add(cut.rest(), lacks));
    select(x.abs() < TINY, x, value)
}

/// Below it x and x ± x³/2 round alike.
const TINY_CUBIC: f32 = 1.6e-4;

/// Half of sinh x and cosh x for x from 0 to 89.5, each in two parts.
#[inline(always)]
fn hyperbolic(x: f32) -> ((f32, f32), (f32, f32)) {
    let cut = cut(x);
    // The other power counts nothing where it would be subnormal.
    let k = select(cut.k > 100.0, 100.0, cut.k);
    let down = f32::from_bits(((SHIFTER - 2.0) - k).to_bits().wrapping_add(127) << 23);
    let up = cut.power(2);
    let (cosh_k, sinh_k) = (up + down, up - down);
    let r = cut.r + cut.low;
    let z = r * r;
    let cosh_r = z * polynomial(z, &F32_COSH);
    let sinh_r = (r * z).mul_add(polynomial(z, &F32_SINH), cut.low);
    // What both lack of the smaller power.
    let (cosh_lacks, sinh_lacks) = (down - (cosh_k - up), (up - sinh_k) - down);
    let pair = |one: f32, one_lacks: f32, other: f32, other_lacks: f32| {
        let high = other.mul_add(cut.r, one);
        let lacks = other.mul_add(cut.r, one - high) + other_lacks.mul_add(r, one_lacks);
        (high, lacks + one.mul_add(cosh_r, other * sinh_r))
    };
    (pair(sinh_k, sinh_lacks, cosh_k, cosh_lacks), pair(cosh_k, cosh_lacks, sinh_k, sinh_lacks))
}

#[inline(always)]
pub(super) fn sinh(x: f32) -> f32 {
    let size = x.abs();
    let (sinh, _) = hyperbolic(select(size > 89.5, 89.5, size));
    select(size < TINY_CUBIC, x, (2.0 * (sinh.0 + sinh.1)).copysign(x))
}

#[inline(always)]
pub(super) fn cosh(x: f32) -> f32 {
    let size = x.abs();
    let (_, cosh) = hyperbolic(select(size > 89.5, 89.5, size));
    2.0 * (cosh.0 + cosh.1)
}

#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    let size = x.abs();
    // From 10 on it rounds to 1.
    let (sinh, cosh) = hyperbolic(select(size > 10.0, 10.0, size));
    let inverse = 1.0 / (cosh.0 + cosh.1);
    let quotient = (sinh.0 + sinh.1) * inverse;
    let rest = quotient.mul_add(-cosh.0, sinh.0) + quotient.mul_add(-cosh.1, sinh.1);
    select(size < TINY_CUBIC, x, rest.mul_add(inverse, quotient).copysign(x))
}

/// Whether it is positive, normal and finite.
#[inline(always)]
pub(super) fn log_holds(x: f32) -> bool {
    x.to_bits().wrapping_sub(0x0080_0000) < 0x7f00_0000
}

/// k, and ln(1 + f) in two parts, of x = 2^k (1 + f) with 1 + f from √½ to √2.
#[inline(always)]
fn log_parts(x: f32) -> (f32, f32, f32) {
    const ROOT_HALF: u32 = 0x3f35_04f3;
    let bits = x.to_bits().wrapping_add(0x3f80_0000 - ROOT_HALF);
    let k = f32::from_bits(SHIFTER.to_bits().wrapping_add(bits >> 23)) - (SHIFTER + 127.0);
    let f = f32::from_bits((bits & 0x007f_ffff).wrapping_add(ROOT_HALF)) - 1.0;
    let half = 0.5 * f;
    let square = half * f;
    let square_lacks = half.mul_add(f, -square);
    let (high, lacks) = ordered_sum(f, -square);
    let cube = f * f * f;
    (k, high, cube.mul_add(polynomial(f, &F32_LOG), lacks - square_lacks))
}

#[inline(always)]
pub(super) fn log(x: f32) -> f32 {
    let (k, high, low) = log_parts(x);
    let (sum, lacks) = ordered_sum(k * F32_LN2_HIGH, high);
    sum + (lacks + k.mul_add(F32_LN2_LOW, low))
}

#[inline(always)]
fn to_base(x: f32, of_two: (f32, f32), of_e: (f32, f32)) -> f32 {
    let (k, high, low) = log_parts(x);
    let scaled = high * of_e.0;
    let lacks = high.mul_add(of_e.0, -scaled);
    let low = high.mul_add(of_e.1, low.mul_add(of_e.0, lacks));
    let (sum, lacks) = ordered_sum(k * of_two.0, scaled);
    sum + (lacks + k.mul_add(of_two.1, low))
}

#[inline(always)]
pub(super) fn log2(x: f32) -> f32 {
    to_base(x, (1.0, 0.0), (F32_LOG2_E_HIGH, F32_LOG2_E_LOW))
}

#[inline(always)]
pub(super) fn log10(x: f32) -> f32 {
    to_base(x, (F32_LOG10_2_HIGH, F32_LOG10_2_LOW), (F32_LOG10_E_HIGH, F32_LOG10_E_LOW))
}

/// asin s in two parts, the second of which is small, of s up to 1/2: of x itself, or of √((1 - |x|)/2), half of whose arc
/// is what is missing to π/2.
#[inline(always)]
fn half_arc(size: f32) -> (bool, f32, f32) {
    let outer = size > 0.5;
    let z = select(outer, 0.5 - 0.5 * size, size * size);
    let root = z.sqrt();
    let s = select(outer, root, size);
    // What the root lacks; of 0 nothing.
    let lacks = select(outer & (z > 0.0), root.mul_add(-root, z) * (0.5 / root), 0.0);
    (outer, s, (s * z).mul_add(polynomial(z, &F32_ASIN), lacks))
}

#[inline(always)]
pub(super) fn asin(x: f32) -> f32 {
    let (outer, s, rest) = half_arc(x.abs());
    let (sum, lacks) = ordered_sum(2.0 * F32_QUARTER_PI_HIGH, -2.0 * s);
    let far = sum + (lacks + (2.0 * F32_QUARTER_PI_LOW - 2.0 * rest));
    select(outer, far, s + rest).copysign(x)
}

#[inline(always)]
pub(super) fn acos(x: f32) -> f32 {
    let (outer, s, rest) = half_arc(x.abs());
    let right = x > 0.0;
    // Of outer numbers twice the arc, or what it lacks to π; of inner ones what x's lacks to π/2.
    let quarters = select(outer, select(right, 0.0, 4.0), 2.0);
    let times = select(outer, select(right, 2.0, -2.0), select(right, -1.0, 1.0));
    let (sum, lacks) = ordered_sum(quarters * F32_QUARTER_PI_HIGH, times * s);
    sum + (lacks + quarters.mul_add(F32_QUARTER_PI_LOW, times * rest))
}

/// The angle of a point by its distances from the axes: where it is less steep than 1/2 that of the quotient, up to the
/// diagonal that of the quotient of difference and sum from π/4, else what that lacks to π/2; or to π, on the left side.
#[inline(always)]
fn angle(above: f32, beside: f32, left: bool) -> f32 {
    let steep = above > beside;
    let (less, more) = (select(steep, beside, above), select(steep, above, beside));
    // From here on the difference is exact.
    let middle = less > 0.5 * more;
    let sum = less + more;
    let sum_lacks = select(middle, (more - sum) + less, 0.0);
    let (over, under) = (select(middle, less - more, less), select(middle, sum, more));
    let inverse = 1.0 / under;
    let t = over * inverse;
    let lacks = (t.mul_add(-under, over) - t * sum_lacks) * inverse;
    let z = t * t;
    let rest = (t * z).mul_add(polynomial(z, &F32_ATAN), lacks);
    let quarters = select(middle, 1.0, 0.0);
    let quarters = select(steep, 2.0 - quarters, quarters);
    let quarters = select(left, 4.0 - quarters, quarters);
    let back = steep != left;
    let (t, rest) = (select(back, -t, t), select(back, -rest, rest));
    let (sum, lacks) = ordered_sum(quarters * F32_QUARTER_PI_HIGH, t);
    sum + (lacks + quarters.mul_add(F32_QUARTER_PI_LOW, rest))
}

#[inline(always)]
pub(super) fn atan(x: f32) -> f32 {
    let size = x.abs();
    // Beyond it nothing changes.
    angle(select(size > 1e30, 1e30, size), 1.0, false).copysign(x)
}

/// Whether both coordinates are of ordinary size, so that no quotient and nothing that it lacks is too small.
#[inline(always)]
pub(super) fn atan2_holds(y: f32, x: f32) -> bool {
    let size = |a: f32| (a.to_bits() >> 23 & 0xff).wrapping_sub(127 - 60);
    (size(y) <= 120) & (size(x) <= 120)
}

#[inline(always)]
pub(super) fn atan2(y: f32, x: f32) -> f32 {
    angle(y.abs(), x.abs(), x < 0.0).copysign(y)
}
