//! Powers.
//!
//! a^b = exp(b · ln a), with the logarithm and the product in twice the precision. Real exponents that are small integers go
//! through products of twice the precision, so that what a number holds is exact.

use std::mem::MaybeUninit;

use strictarray_core::{Complex, Element};

use super::arithmetic::f64::{divide, divide_holds, quick_divide, two_products};
use super::log::{is_ordinary, log_of};
use super::pair::Pair;
use super::pieces::{EXP_MOST, angle_of, any_angle, exp_of, product, sin_cos};
use super::tables::{LN2, PI};
use super::{narrow, wide};
use crate::elementwise::Binary;
use crate::elementwise::loops::QUICK_BLOCK;
use crate::elementwise::power::{Pow, uniform};

/// Exponents up to here are ordinary: their multiples of a logarithm are no large angles.
const ORDINARY: f64 = 1000.0;
/// Real exponents that are integers up to here go through products.
const SMALL: f64 = 100.0;

#[inline(always)]
fn is_small_integer(b: Complex<f64>) -> bool {
    (b.im == 0.0) & (b.re.abs() <= SMALL) & (b.re.trunc() == b.re)
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

/// As NumPy has it at the ends: 1 where b is 0; of 0 it is 0 where b has a positive real part, else NaN.
#[inline(never)]
fn power(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
    if holds(a, b) {
        return quick(a, b);
    }
    if b.re == 0.0 && b.im == 0.0 {
        return Complex::new(1.0, 0.0);
    }
    if a.re == 0.0 && a.im == 0.0 {
        return if b.re > 0.0 { Complex::new(0.0, 0.0) } else { Complex::new(f64::NAN, f64::NAN) };
    }
    if is_small_integer(b) {
        // Some of them come here twice: their powers are not finite, or lost.
        let power = integer_power(a, b.re.abs() as u32);
        let result = if b.re < 0.0 { divide(Complex::new(1.0, 0.0), power) } else { power };
        // What overflowed or was lost on the way may still be right the other way.
        let lost = result.re == 0.0 && result.im == 0.0;
        if b.re == 1.0 || result.re.is_finite() && result.im.is_finite() && !lost {
            return result;
        }
        let other = by_logarithm(a, b);
        if b.re < 0.0 || lost {
            return other;
        }
        // A part that is finite does not depend on what overflowed, and is exact where the logarithm is not.
        let part = |product: f64, other: f64| if product.is_finite() { product } else { other };
        return Complex::new(part(result.re, other.re), part(result.im, other.im));
    }
    by_logarithm(a, b)
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

/// Any power. Small positive integers, of which there are usually many beside each other, go the short way in the loop, where
/// the instruction set is the machine's.
#[inline(always)]
fn any(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
    if is_small_integer(b) & (b.re > 0.0) {
        let result = integer_power(a, b.re as u32);
        if result.re.is_finite() && result.im.is_finite() && (result.re != 0.0 || result.im != 0.0) {
            return result;
        }
    }
    power(a, b)
}

/// The product, each part rounded about once even where it cancels.
#[inline(always)]
fn times(a: (Pair, Pair), b: (Pair, Pair)) -> (Pair, Pair) {
    (a.0.mul(b.0).add(a.1.mul(b.1).neg()), a.0.mul(b.1).add(a.1.mul(b.0)))
}

#[inline(always)]
fn integer_power(a: Complex<f64>, mut exponent: u32) -> Complex<f64> {
    if exponent == 1 {
        return a;
    }
    if exponent == 2 {
        return Complex::new(two_products(a.re, a.re, -a.im, a.im), 2.0 * a.re * a.im);
    }
    let mut base = (Pair::from(a.re), Pair::from(a.im));
    let mut result = None;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = Some(result.map_or(base, |r| times(r, base)));
        }
        exponent >>= 1;
        if exponent > 0 {
            base = times(base, base);
        }
    }
    result.map_or(Complex::new(1.0, 0.0), |(re, im)| Complex::new(re.value(), im.value()))
}

/// A block of numbers, part by part, so that loops over them vectorise.
#[derive(Clone, Copy)]
struct Block {
    re: [f64; QUICK_BLOCK],
    re_low: [f64; QUICK_BLOCK],
    im: [f64; QUICK_BLOCK],
    im_low: [f64; QUICK_BLOCK],
}

impl Block {
    const ZERO: Block = {
        let zeros = [0.0; QUICK_BLOCK];
        Block { re: zeros, re_low: zeros, im: zeros, im_low: zeros }
    };

    #[inline(always)]
    fn get(&self, i: usize) -> (Pair, Pair) {
        (Pair::new(self.re[i], self.re_low[i]), Pair::new(self.im[i], self.im_low[i]))
    }

    #[inline(always)]
    fn set(&mut self, i: usize, (re, im): (Pair, Pair)) {
        (self.re[i], self.re_low[i], self.im[i], self.im_low[i]) = (re.hi, re.lo, im.hi, im.lo);
    }

    /// The powers of the first `n` numbers, in the high parts: each as [`integer_power`] computes it.
    #[inline(always)]
    fn raise(&mut self, n: usize, mut exponent: u32) {
        let n = n.min(QUICK_BLOCK);
        match exponent {
            1 => {}
            2 => {
                for i in 0..n {
                    let z = integer_power(Complex::new(self.re[i], self.im[i]), 2);
                    (self.re[i], self.im[i]) = (z.re, z.im);
                }
            }
            _ => {
                let mut base = *self;
                let mut first = true;
                loop {
                    if exponent & 1 == 1 {
                        for i in 0..n {
                            self.set(i, if first { base.get(i) } else { times(self.get(i), base.get(i)) });
                        }
                        first = false;
                    }
                    exponent >>= 1;
                    if exponent == 0 {
                        break;
                    }
                    for i in 0..n {
                        base.set(i, times(base.get(i), base.get(i)));
                    }
                }
                for i in 0..n {
                    let (re, im) = self.get(i);
                    (self.re[i], self.im[i]) = (re.value(), im.value());
                }
            }
        }
    }
}

const ONE: Complex<f64> = Complex::new(1.0, 0.0);

/// Neither infinite nor lost.
#[inline(always)]
fn is_usual(z: Complex<f64>) -> bool {
    (z.re.abs() < f64::INFINITY) & (z.im.abs() < f64::INFINITY) & ((z.re != 0.0) | (z.im != 0.0))
}

/// Both precisions, computed in double. (Functions, not closures, which are not sure to be inlined.)
trait Part: Element {
    fn wide(self) -> Complex<f64>;
    fn narrow(z: Complex<f64>) -> Self;
}

impl Part for Complex<f64> {
    #[inline(always)]
    fn wide(self) -> Complex<f64> {
        self
    }
    #[inline(always)]
    fn narrow(z: Complex<f64>) -> Self {
        z
    }
}

impl Part for Complex<f32> {
    #[inline(always)]
    fn wide(self) -> Complex<f64> {
        wide(self)
    }
    #[inline(always)]
    fn narrow(z: Complex<f64>) -> Self {
        narrow(z)
    }
}

/// A block with one exponent for all, which is a small integer: the same bits as of [`any`].
#[inline(always)]
fn block<T: Part>(out: &mut [MaybeUninit<T>], a: &[T], b: &[T]) -> bool {
    let exponent = b[0].wide();
    if !is_small_integer(exponent) || !uniform(b) {
        return false;
    }
    let n = a.len().min(QUICK_BLOCK);
    let (out, a) = (&mut out[..n], &a[..n]);
    if exponent.re == 0.0 {
        for out in out {
            out.write(T::narrow(ONE));
        }
        return true;
    }
    let mut block = Block::ZERO;
    for (i, a) in a.iter().enumerate() {
        let z = a.wide();
        (block.re[i], block.im[i]) = (z.re, z.im);
    }
    block.raise(n, exponent.re.abs() as u32);
    let mut all = true;
    if exponent.re > 0.0 {
        for (i, out) in out.iter_mut().enumerate() {
            out.write(T::narrow(Complex::new(block.re[i], block.im[i])));
        }
        for i in 0..n {
            all &= is_usual(Complex::new(block.re[i], block.im[i]));
        }
    } else {
        for i in 0..n {
            all &= divide_holds(ONE, Complex::new(block.re[i], block.im[i]));
        }
        for (i, out) in out.iter_mut().enumerate() {
            let z = quick_divide(ONE, Complex::new(block.re[i], block.im[i]));
            out.write(T::narrow(z));
            (block.re[i], block.im[i]) = (z.re, z.im);
        }
        for i in 0..n {
            all &= is_usual(Complex::new(block.re[i], block.im[i]));
        }
    }
    if !all {
        for i in 0..n {
            out[i].write(T::narrow(any(a[i].wide(), b[i].wide())));
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
        narrow(any(wide(a), wide(b)))
    }
    const QUICK: bool = true;
    #[inline(always)]
    fn quick(a: Complex<f32>, b: Complex<f32>) -> Complex<f32> {
        narrow(quick(wide(a), wide(b)))
    }
    #[inline(always)]
    fn holds(a: Complex<f32>, b: Complex<f32>) -> bool {
        holds(wide(a), wide(b))
    }
    const BLOCKS: bool = true;
    #[inline(always)]
    fn block(out: &mut [MaybeUninit<Self::Out>], a: &[Complex<f32>], b: &[Complex<f32>]) -> bool {
        block(out, a, b)
    }
}
