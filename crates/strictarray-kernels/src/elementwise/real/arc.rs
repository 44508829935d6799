//! The angle of a point.

use super::constants::{ATAN, HALF_PI_HIGH, HALF_PI_MIDDLE, PI_HIGH, PI_LOW, QUARTER_PI_HIGH, QUARTER_PI_LOW};
use super::pair::{Pair, polynomial, select};

/// tan(π/8) and its inverse: between them the angle is taken from π/4.
const EIGHTH: f64 = 0.414_213_562_373_095_03;
const THREE_EIGHTHS: f64 = 2.414_213_562_373_095;

/// The angle in [0, π/2] of a point whose coordinates are positive.
#[inline(always)]
fn angle(y: f64, x: f64) -> Pair {
    let low = y < EIGHTH * x;
    let middle = y < THREE_EIGHTHS * x;
    // y/x, (y - x)/(y + x), -x/y.
    let difference = Pair::sum(y, -x);
    let sum = Pair::sum(y, x);
    let over = if middle { difference } else { Pair::new(-x, 0.0) };
    let over = if low { Pair::new(y, 0.0) } else { over };
    let under = if middle { sum } else { Pair::new(y, 0.0) };
    let under = if low { Pair::new(x, 0.0) } else { under };
    let t = over.over(under);
    let z = t.high * t.high;
    let small = (t.high * z).mul_add(polynomial(z, &ATAN), t.low);
    let base = select(low, 0.0, select(middle, QUARTER_PI_HIGH, HALF_PI_HIGH));
    let base_low = select(low, 0.0, select(middle, QUARTER_PI_LOW, HALF_PI_MIDDLE));
    Pair::ordered_sum(base, t.high).plus(small + base_low)
}

/// Whether both coordinates are of ordinary size, so that nothing overflows or is lost.
#[inline(always)]
pub(super) fn ordinary(y: f64, x: f64) -> bool {
    let size = |a: f64| (a.to_bits() >> 52 & 0x7ff).wrapping_sub(523);
    (size(y) <= 1000) & (size(x) <= 1000)
}

/// The angle of a point with ordinary coordinates.
#[inline(always)]
pub(super) fn ordinary_atan2(y: f64, x: f64) -> f64 {
    let angle = angle(y.abs(), x.abs());
    let left = Pair::ordered_sum(PI_HIGH, -angle.high);
    let left = left.high + (left.low + (PI_LOW - angle.low));
    select(x < 0.0, left, angle.value()).copysign(y)
}

#[inline(never)]
pub(super) fn atan2(y: f64, x: f64) -> f64 {
    if ordinary(y, x) {
        return ordinary_atan2(y, x);
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let left = x.is_sign_negative();
    let angle = match (y.abs(), x.abs()) {
        (0.0, _) => {
            if left {
                PI_HIGH
            } else {
                0.0
            }
        }
        (_, 0.0) => HALF_PI_HIGH,
        (f64::INFINITY, f64::INFINITY) => {
            if left {
                3.0 * QUARTER_PI_HIGH
            } else {
                QUARTER_PI_HIGH
            }
        }
        (f64::INFINITY, _) => HALF_PI_HIGH,
        (_, f64::INFINITY) => {
            if left {
                PI_HIGH
            } else {
                0.0
            }
        }
        (above, beside) => {
            let exponent = |a: f64| {
                let bits = a.to_bits() >> 52;
                if bits == 0 { a.to_bits().leading_zeros() as i32 - 11 } else { 0 }.wrapping_neg()
                    + (bits.max(1) as i32)
            };
            let distance = exponent(above) - exponent(beside);
            if distance < -60 {
                // The angle is the quotient to far beyond its last bit.
                if left { PI_HIGH } else { above / beside }
            } else if distance > 60 {
                HALF_PI_HIGH
            } else {
                // Both to ordinary size, exactly: they differ by less than 2^61.
                let scale = if exponent(beside) > 1023 { 2f64.powi(-500) } else { 2f64.powi(600) };
                return ordinary_atan2(y * scale, x * scale);
            }
        }
    };
    angle.copysign(y)
}
