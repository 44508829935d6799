//! Logarithms.

use strictarray_core::Complex;

use super::Function;
use super::arithmetic::f64::magnitude;
use super::pair::Pair;
use super::pieces::{arc_tan, log, squares_less_one, sum_of_six};
use super::tables::{HALF_PI, LN2, LOG2_E, LOG10_E, PI};
use crate::elementwise::real::{Log, Log1p, Log2, Log10};

/// Both parts with what they lack; the imaginary one without its sign.
pub(super) type Parts = (Pair, Pair);

/// Whether the larger part is finite and normal.
#[inline(always)]
pub(super) fn is_ordinary(x: f64, y: f64) -> bool {
    let size = x.abs().to_bits().max(y.abs().to_bits()) >> 52;
    size.wrapping_sub(1) < 2046
}

/// Of x + iy, which is [ordinary](is_ordinary). `near` says whether x² + y² is near 1, and `unit` gives it less 1 then.
#[inline(always)]
fn parts(x: Pair, y: f64, near: bool, unit: Pair) -> Parts {
    let y = y.abs();
    let (size, inverse) = magnitude(Complex::new(x.hi, y));
    let exponent = (size.to_bits() >> 52) as i64 - 1023;
    let (x, y) = (x.scaled(inverse), y * inverse);
    let (x2, y2) = (x.square(), Pair::product(y, y));
    let square = x2.plus(y2);
    let about_one = Pair::fast_sum(1.0, unit.hi);
    let about_one = Pair::new(about_one.hi, about_one.lo + unit.lo);
    let log = log(Pair::select(near, about_one, square)).scaled(0.5);
    // Small integers convert with few instructions this way.
    let exponent = if near { 0 } else { exponent };
    const SHIFTER: f64 = 6_755_399_441_055_744.0;
    let exponent = f64::from_bits(SHIFTER.to_bits().wrapping_add(exponent as u64)) - SHIFTER;
    let whole = Pair::product(exponent, LN2.hi);
    let whole = Pair::new(whole.hi, exponent.mul_add(LN2.lo, whole.lo));
    (whole.plus(log), arc_tan(Pair::from(y), x))
}

/// Whether a sum of squares is so near 1 that it is computed less 1.
#[inline(always)]
fn is_near_one(square: f64) -> bool {
    (square > 0.5) & (square < 2.0)
}

#[inline(always)]
fn log_parts(x: f64, y: f64) -> Parts {
    let near = is_near_one(x.mul_add(x, y * y));
    let unit = if near { (x, y) } else { (1.0, 0.0) };
    parts(Pair::from(x), y, near, squares_less_one(unit.0, unit.1))
}

/// What is not ordinary: the logarithm of x + iy, and its imaginary part without sign.
#[inline(always)]
fn at_the_ends(x: f64, y: f64) -> (f64, Pair) {
    let nan = Pair::from(f64::NAN);
    if x.is_infinite() || y.is_infinite() {
        let turn = if x.is_nan() || y.is_nan() {
            nan
        } else if y.is_infinite() {
            let eighth = HALF_PI.scaled(0.5);
            match (x.is_infinite(), x > 0.0) {
                (false, _) => HALF_PI,
                (true, true) => eighth,
                (true, false) => HALF_PI.plus(eighth),
            }
        } else if x > 0.0 {
            Pair::from(0.0)
        } else {
            PI
        };
        return (f64::INFINITY, turn);
    }
    if x.is_nan() || y.is_nan() {
        return (f64::NAN, nan);
    }
    // The origin.
    (f64::NEG_INFINITY, if x.is_sign_negative() { PI } else { Pair::from(0.0) })
}

/// The logarithm of x + iy, ordinary or not, in a base given by its inverse logarithm.
#[inline(always)]
fn any(x: f64, y: f64, of: impl Fn(f64, f64) -> Parts, base: Option<Pair>) -> Complex<f64> {
    if is_ordinary(x, y) {
        return finish(of(x, y), y, base);
    }
    if x.is_finite() && y.is_finite() && (x != 0.0 || y != 0.0) {
        // Only subnormal numbers are left, which are not near 1.
        let (re, im) = parts(Pair::from(x * 2f64.powi(60)), y * 2f64.powi(60), false, Pair::from(0.0));
        return finish((re.add(LN2.mul(Pair::from(-60.0))), im), y, base);
    }
    let (re, turn) = at_the_ends(x, y);
    let Complex { im, .. } = finish((Pair::from(0.0), turn), y, base);
    Complex::new(re, im)
}

#[inline(always)]
fn finish((re, im): Parts, y: f64, base: Option<Pair>) -> Complex<f64> {
    let (re, im) = match base {
        Some(base) => (re.mul(base).value(), im.mul(base).value()),
        None => (re.value(), im.value()),
    };
    Complex::new(re, im.copysign(y))
}

macro_rules! log {
    ($($name:ident, $base:expr;)*) => { $(
        impl Function for $name {
            #[inline(always)]
            fn holds(z: Complex<f64>) -> bool {
                is_ordinary(z.re, z.im)
            }
            #[inline(always)]
            fn quick(z: Complex<f64>) -> Complex<f64> {
                finish(log_parts(z.re, z.im), z.im, $base)
            }
            fn slow(z: Complex<f64>) -> Complex<f64> {
                any(z.re, z.im, log_parts, $base)
            }
        }
    )* };
}

log! {
    Log, None;
    Log2, Some(LOG2_E);
    Log10, Some(LOG10_E);
}

/// Of x + iy, x being given less 1.
#[inline(always)]
fn log_of_one_more(x: f64, y: f64) -> Parts {
    let more = Pair::sum(1.0, x);
    let near = is_near_one(more.hi.mul_add(more.hi, y * y));
    // 2x + x² + y².
    let (u, v) = if near { (x, y) } else { (0.0, 0.0) };
    let square = Pair::product(u, u);
    let unit = sum_of_six(Pair::sum(u + u, square.hi), square.lo, Pair::product(v, v));
    parts(more, y, near, unit)
}

impl Function for Log1p {
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        is_ordinary(1.0 + z.re, z.im)
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        finish(log_of_one_more(z.re, z.im), z.im, None)
    }
    fn slow(z: Complex<f64>) -> Complex<f64> {
        // What is not ordinary is at -1 or far from it, where the sum is exact.
        any(1.0 + z.re, z.im, |_, y| log_of_one_more(z.re, y), None)
    }
}

/// The logarithm of a number with an ordinary part, for others to build on.
#[inline(always)]
pub(super) fn log_of(x: f64, y: f64) -> Parts {
    log_parts(x, y)
}
