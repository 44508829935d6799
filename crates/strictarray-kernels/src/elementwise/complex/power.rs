//! Powers.
//!
//! a^b = exp(b · ln a), with the logarithm and the product in twice the precision. Real exponents that are small integers go
//! through products ([`integer_power`]), so that what a number holds is exact.

use std::mem::MaybeUninit;

use strictarray_core::Complex;

use super::integer_power;
use super::log::{is_ordinary, log_of};
use super::pair::Pair;
use super::pieces::{EXP_MOST, angle_of, any_angle, exp_of, product, sin_cos};
use super::tables::{LN2, PI};
use crate::elementwise::Binary;
use crate::elementwise::loops::QUICK_BLOCK;
use crate::elementwise::power::{Pow, uniform};
use crate::float::InDouble;

/// Exponents up to here are ordinary: their multiples of a logarithm are no large angles.
const ORDINARY: f64 = 1000.0;
#[inline(always)]
fn is_small_integer(b: Complex<f64>) -> bool {
    (b.im == 0.0) & (b.re.abs() <= integer_power::MOST as f64) & (b.re.trunc() == b.re)
}

#[inline(always)]
fn holds(a: Complex<f64>, b: Complex<f64>) -> bool {
    is_ordinary(a.re, a.im) & (b.re.abs() < ORDINARY) & (b.im.abs() < ORDINARY) & !is_small_integer(b)
}

/// b · ln a, from the logarithm's parts.
#[inline(always)]
fn exponent(b: Complex<f64>, log: Pair, turn: Pair) -> (Pair, Pair) {
    let (re, im) = (Pair::from(b.re), Pair::from(b.im));
    (re.mul(log).add(im.mul(turn).neg()), re.mul(turn).add(im.mul(log)))
}

/// The logarithm's imaginary part with its sign.
#[inline(always)]
fn signed(turn: Pair, a: Complex<f64>) -> Pair {
    if a.im.is_sign_negative() { turn.neg() } else { turn }
}

/// A real power of a real number keeps the sign of its zero.
#[inline(always)]
fn with_zero(value: Complex<f64>, b: Complex<f64>, turn: Pair) -> Complex<f64> {
    let zero = b.re * turn.hi;
    Complex::new(value.re, if (b.im == 0.0) & (zero == 0.0) { zero } else { value.im })
}

#[inline(always)]
fn quick(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
    let (log, turn) = log_of(a.re, a.im);
    let turn = signed(turn, a);
    let (size, angle) = exponent(b, log, turn);
    // Cut to what is infinite or 0 in any case, and then without what it lacks.
    let within = size.hi.abs() < EXP_MOST;
    let size = Pair::select(within, size, Pair::from(size.hi.clamp(-EXP_MOST, EXP_MOST)));
    let (e, k) = exp_of(size);
    let (sin, cos) = sin_cos(angle_of(angle));
    with_zero(Complex::new(product(e, cos, k), product(e, sin, k)), b, turn)
}

#[inline(never)]
fn power(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
    if holds(a, b) {
        return quick(a, b);
    }
    if a.re == 0.0 && a.im == 0.0 {
        return of_zero(b);
    }
    if is_small_integer(b) && a.re.is_finite() && a.im.is_finite() {
        return integer_power::power(a, b.re as i32);
    }
    by_logarithm(a, b)
}

/// As NumPy has it: 0 where the exponent has a positive real part, else NaN.
fn of_zero(b: Complex<f64>) -> Complex<f64> {
    if b.re > 0.0 { Complex::new(0.0, 0.0) } else { Complex::new(f64::NAN, f64::NAN) }
}

/// exp(b · ln a) where neither is 0.
#[inline(never)]
fn by_logarithm(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
    let (log, turn) = if is_ordinary(a.re, a.im) {
        log_of(a.re, a.im)
    } else if a.re.is_finite() && a.im.is_finite() {
        let (log, turn) = log_of(a.re * 2f64.powi(60), a.im * 2f64.powi(60));
        (log.add(LN2.mul(Pair::from(-60.0))), turn)
    } else {
        let infinite = a.re.is_infinite() || a.im.is_infinite();
        let turn = a.im.abs().atan2(a.re);
        let turn = if turn == PI.hi { PI } else { Pair::from(turn) };
        (Pair::from(if infinite { f64::INFINITY } else { f64::NAN }), turn)
    };
    let turn = signed(turn, a);
    // A part of b that is 0 contributes nothing, also where the logarithm is infinite.
    let times = |x: f64, y: Pair| match () {
        () if x == 0.0 => Pair::from(0.0),
        () if (x * y.hi).is_finite() => Pair::from(x).mul(y),
        () => Pair::from(x * y.hi),
    };
    let minus = |a: Pair, b: Pair| if (a.hi - b.hi).is_finite() { a.add(b.neg()) } else { Pair::from(a.hi - b.hi) };
    let size = minus(times(b.re, log), times(b.im, turn));
    let angle = minus(times(b.re, turn), times(b.im, log).neg());
    let (sin, cos) = if angle.hi.abs() < 1e6 {
        sin_cos(angle_of(angle))
    } else if angle.hi.is_finite() {
        sin_cos(any_angle(angle.hi))
    } else {
        (Pair::from(f64::NAN), Pair::from(f64::NAN))
    };
    if size.hi.is_nan() {
        return with_zero(Complex::new(f64::NAN, f64::NAN), b, turn);
    }
    let size = if size.hi.abs() < EXP_MOST { size } else { Pair::from(size.hi.clamp(-EXP_MOST, EXP_MOST)) };
    let (e, k) = exp_of(size);
    with_zero(Complex::new(product(e, cos, k), product(e, sin, k)), b, turn)
}

/// Any power. Small integers, of which there are usually many beside each other, go the short way in the loop, where the
/// instruction set is the machine's.
#[inline(always)]
fn any(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
    if is_small_integer(b)
        && let Some(value) = integer_power::quick(a, b.re as i32)
    {
        return value;
    }
    power(a, b)
}

/// A block with one exponent for all, which is a small integer: the same bits as of [`any`].
#[inline(always)]
fn block<T: InDouble<Wide = Complex<f64>>>(out: &mut [MaybeUninit<T>], a: &[T], b: &[T]) -> bool {
    let exponent = b[0].wide();
    if !is_small_integer(exponent) || !uniform(b) {
        return false;
    }
    if !integer_power::block::<T, QUICK_BLOCK>(out, a, exponent.re as i32) {
        for (out, a) in out.iter_mut().zip(a) {
            out.write(T::narrow(any(a.wide(), exponent)));
        }
    }
    true
}

impl Binary<Complex<f64>> for Pow {
    type Out = Complex<f64>;
    #[inline(always)]
    fn call(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
        any(a, b)
    }
    const QUICK: bool = true;
    #[inline(always)]
    fn quick(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
        quick(a, b)
    }
    #[inline(always)]
    fn holds(a: Complex<f64>, b: Complex<f64>) -> bool {
        holds(a, b)
    }
    const BLOCKS: bool = true;
    #[inline(always)]
    fn block(out: &mut [MaybeUninit<Self::Out>], a: &[Complex<f64>], b: &[Complex<f64>]) -> bool {
        block(out, a, b)
    }
}

impl Binary<Complex<f32>> for Pow {
    type Out = Complex<f32>;
    #[inline(always)]
    fn call(a: Complex<f32>, b: Complex<f32>) -> Complex<f32> {
        InDouble::narrow(any(a.wide(), b.wide()))
    }
    const QUICK: bool = true;
    #[inline(always)]
    fn quick(a: Complex<f32>, b: Complex<f32>) -> Complex<f32> {
        InDouble::narrow(quick(a.wide(), b.wide()))
    }
    #[inline(always)]
    fn holds(a: Complex<f32>, b: Complex<f32>) -> bool {
        holds(a.wide(), b.wide())
    }
    const BLOCKS: bool = true;
    #[inline(always)]
    fn block(out: &mut [MaybeUninit<Self::Out>], a: &[Complex<f32>], b: &[Complex<f32>]) -> bool {
        block(out, a, b)
    }
}
