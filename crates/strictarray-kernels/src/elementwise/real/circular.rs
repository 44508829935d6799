//! Sine, cosine, tangent.
//!
//! x = k π/2 + r with |r| up to π/4, r in two parts. Up to [`REACH`] π/2 in three parts does; beyond, the digits of 2/π that
//! count are multiplied out in integers.

use super::constants::{
    COS, HALF_PI_HIGH, HALF_PI_LOW, HALF_PI_MIDDLE, SIN, SINGLE_COS, SINGLE_SIN, TWO_OVER_PI, TWO_OVER_PI_DIGITS,
};
use super::exponential::TINY_CUBIC;
use super::pair::{Pair, SHIFTER, polynomial, select};

/// Up to here the short reduction does: k is below 2^30, so that k times the parts of π/2 is exact enough.
const REACH: f64 = 1_073_741_824.0;

/// Whether the short reduction does.
#[inline(always)]
pub(super) fn near(x: f64) -> bool {
    x.abs() < REACH
}

/// An angle: its quarter, in the lowest two bits, and what is left.
#[derive(Clone, Copy)]
struct Angle {
    quarter: u64,
    rest: Pair,
}

#[inline(always)]
fn short(x: f64) -> Angle {
    let shifted = x.mul_add(TWO_OVER_PI, SHIFTER);
    let k = shifted - SHIFTER;
    // Exact: the difference is below 1 and a multiple of 2^-53, or k is 0.
    let first = k.mul_add(-HALF_PI_HIGH, x);
    let second = Pair::product(k, HALF_PI_MIDDLE);
    let rest = Pair::sum(first, -second.high);
    let rest = Pair::ordered_sum(rest.high, k.mul_add(-HALF_PI_LOW, rest.low - second.low));
    Angle { quarter: shifted.to_bits(), rest }
}

/// Of a finite number from 2^30 on, m · 2^e with a whole m of 53 bits.
///
/// The digits of 2/π which times m · 2^e give multiples of 4 are left out: those before the place e - 1 behind the point.
/// The 256 digits from there on times m, modulo 2^256, are two bits of the quarter and 254 of what is left, of which the
/// last 55 are not sure. What is left is 2^-65 or more, so it has 120 digits and more.
fn long(x: f64) -> Angle {
    let bits = x.abs().to_bits();
    let place = (bits >> 52) as usize - (1075 + 2 - 64);
    let mantissa = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
    // The word before the first one of the table is 0: e may be as low as -22.
    let word = |i: usize| i.checked_sub(1).and_then(|i| TWO_OVER_PI_DIGITS.get(i)).copied().unwrap_or(0);
    let digits = |i: usize| {
        let (first, bit) = (place / 64 + i, place % 64);
        if bit == 0 { word(first) } else { word(first) << bit | word(first + 1) >> (64 - bit) }
    };
    let mut product = [0u64; 4];
    let mut carry = 0;
    for i in (0..4).rev() {
        let partial = u128::from(digits(i)) * u128::from(mantissa) + carry;
        product[i] = partial as u64;
        carry = partial >> 64;
    }
    let mut quarter = product[0] >> 62;
    let mut high = (u128::from(product[0]) << 64 | u128::from(product[1])) << 2 | u128::from(product[2] >> 62);
    let mut low = product[2] << 2 | product[3] >> 62;
    // To the nearest quarter.
    let negative = high >> 127 == 1;
    if negative {
        quarter += 1;
        (high, low) = (!high, !low);
    }
    let zeros = high.leading_zeros();
    let digits =
        if zeros == 0 { high } else { high.unbounded_shl(zeros) | u128::from(low).unbounded_shr(64 - zeros.min(64)) };
    let scale = 2f64.powi(-(zeros as i32));
    // 53 digits, and the 53 behind them.
    let first = (digits >> 75) as f64 * 2f64.powi(-53) * scale;
    let second = (digits >> 22 & 0x001f_ffff_ffff_ffff) as f64 * 2f64.powi(-106) * scale;
    let product = Pair::product(first, HALF_PI_HIGH);
    let rest =
        Pair::ordered_sum(product.high, first.mul_add(HALF_PI_MIDDLE, second.mul_add(HALF_PI_HIGH, product.low)));
    let rest = if negative == x.is_sign_negative() { rest } else { rest.times(-1.0) };
    Angle { quarter: if x.is_sign_negative() { quarter.wrapping_neg() } else { quarter }, rest }
}

/// The sine of what is left.
#[inline(always)]
fn sin_rest(r: Pair) -> Pair {
    let z = r.high * r.high;
    Pair::new(r.high, (r.high * z).mul_add(polynomial(z, &SIN), r.low * (-0.5f64).mul_add(z, 1.0)))
}

/// The cosine of what is left.
#[inline(always)]
fn cos_rest(r: Pair) -> Pair {
    let z = Pair::product(r.high, r.high);
    let one = Pair::ordered_sum(1.0, -0.5 * z.high);
    one.plus((z.high * z.high).mul_add(polynomial(z.high, &COS), (-0.5f64).mul_add(z.low, -r.high * r.low)))
}

/// With the sign turned in the second half of a turn.
#[inline(always)]
fn turned(value: f64, quarter: u64) -> f64 {
    f64::from_bits(value.to_bits() ^ (quarter & 2) << 62)
}

#[inline(always)]
fn sin_of(Angle { quarter, rest }: Angle) -> f64 {
    turned(select(quarter & 1 == 0, sin_rest(rest).value(), cos_rest(rest).value()), quarter)
}

#[inline(always)]
fn tan_of(Angle { quarter, rest }: Angle) -> f64 {
    let (sin, cos) = (sin_rest(rest), cos_rest(rest));
    let odd = quarter & 1 == 1;
    let pick = |a: Pair, b: Pair| Pair::new(select(odd, a.high, b.high), select(odd, a.low, b.low));
    pick(cos.times(-1.0), sin).ratio(pick(sin, cos))
}

#[inline(always)]
pub(super) fn near_sin(x: f64) -> f64 {
    select(x.abs() < TINY_CUBIC, x, sin_of(short(x)))
}

#[inline(always)]
pub(super) fn near_cos(x: f64) -> f64 {
    let angle = short(x);
    sin_of(Angle { quarter: angle.quarter.wrapping_add(1), ..angle })
}

#[inline(always)]
pub(super) fn near_tan(x: f64) -> f64 {
    select(x.abs() < TINY_CUBIC, x, tan_of(short(x)))
}

macro_rules! anywhere {
    ($($name:ident, $near:ident, $angle:ident => $value:expr;)*) => { $(
        #[inline(never)]
        pub(super) fn $name(x: f64) -> f64 {
            if near(x) {
                return $near(x);
            }
            if !x.is_finite() {
                return f64::NAN;
            }
            let $angle = long(x);
            $value
        }
    )* };
}

anywhere! {
    sin, near_sin, angle => sin_of(angle);
    cos, near_cos, angle => sin_of(Angle { quarter: angle.quarter.wrapping_add(1), ..angle });
    tan, near_tan, angle => tan_of(angle);
}

/// The same for single precision, in double: one part is enough.
pub(super) mod single {
    use super::*;

    #[inline(always)]
    fn short(x: f64) -> (u64, f64) {
        let shifted = x.mul_add(TWO_OVER_PI, SHIFTER);
        let k = shifted - SHIFTER;
        (shifted.to_bits(), k.mul_add(-HALF_PI_MIDDLE, k.mul_add(-HALF_PI_HIGH, x)))
    }

    #[inline(always)]
    fn parts(r: f64) -> (f64, f64) {
        let z = r * r;
        let sin = (r * z).mul_add(polynomial(z, &SINGLE_SIN), r);
        (sin, (z * z).mul_add(polynomial(z, &SINGLE_COS), (-0.5f64).mul_add(z, 1.0)))
    }

    #[inline(always)]
    fn near_sin(x: f64) -> f64 {
        let (quarter, r) = short(x);
        let (sin, cos) = parts(r);
        let value = turned(select(quarter & 1 == 0, sin, cos), quarter);
        select(x == 0.0, x, value)
    }

    #[inline(always)]
    fn near_cos(x: f64) -> f64 {
        let (quarter, r) = short(x);
        let (sin, cos) = parts(r);
        turned(select(quarter & 1 == 1, sin, cos), quarter.wrapping_add(1))
    }

    #[inline(always)]
    fn near_tan(x: f64) -> f64 {
        let (quarter, r) = short(x);
        let (sin, cos) = parts(r);
        let odd = quarter & 1 == 1;
        let value = select(odd, -cos, sin) / select(odd, sin, cos);
        select(x == 0.0, x, value)
    }

    macro_rules! anywhere {
        ($($name:ident, $near:ident;)*) => { $(
            #[inline(never)]
            pub(in super::super) fn $name(x: f64) -> f64 {
                if near(x) { $near(x) } else { super::$name(x) }
            }
        )* };
    }

    anywhere! {
        sin, near_sin;
        cos, near_cos;
        tan, near_tan;
    }
}
