//! Integer powers, by products of twice the precision.
//!
//! They are taken of the larger and the smaller part without their signs, so that symmetries hold to the bit. The products
//! have an error of about |n| · 2^-103 of the modulus: parts that are so small by cancellation that it counts, as those of
//! roots of unity are, come from all digits of the power, so that each part is rounded about once.

use std::mem::MaybeUninit;

use strictarray_core::Complex;

use super::arithmetic::f64::{divide, divide_holds, quick_divide, scaled, split, two_products};
use super::pair::Pair;
use crate::float::InDouble;

const ONE: Complex<f64> = Complex::new(1.0, 0.0);

/// Exponents up to here, in size, go through products.
pub(super) const MOST: i32 = 100;

/// The power of a number that is finite and not 0, whatever its size.
#[inline(never)]
pub(super) fn power(z: Complex<f64>, n: i32) -> Complex<f64> {
    if let Some(power) = quick(z, n) {
        return power;
    }
    if n == -1 {
        return divide(ONE, z);
    }
    // The larger part is brought to 1, and the other one to where it is not lost. The power's smaller part is proportional to
    // it there, so that it may be brought back afterwards.
    let (large, small) = sorted(z);
    let ((large, exponent), (small, other)) = (split(large), split(small));
    let below = other - exponent;
    let kept = below.max(-200);
    let sizes = (large, small * 2f64.powi(kept));
    let mut powers = Powers::<1>::ZERO;
    powers.raise(&[Complex::new(sizes.0, sizes.1)], n.unsigned_abs());
    let power = powers.get(0);
    let power = if keeps(sizes, power) { power } else { exactly(sizes, n.unsigned_abs()) };
    let (re, im) = if n < 0 { inverse(power) } else { power };
    let exponent = exponent * n;
    let w = Complex::new(scaled(re.value(), exponent), scaled(im.value(), exponent + below - kept));
    turned(w, z, n)
}

/// The power of one number, where it is as [`block`] computes it.
#[inline(always)]
pub(super) fn quick(z: Complex<f64>, n: i32) -> Option<Complex<f64>> {
    if !Range::of(n).holds(z) {
        return None;
    }
    let sizes = sorted(z);
    let power = match n {
        0 => return Some(ONE),
        1 => return Some(z),
        2 => return Some(square_of(z)),
        -1 => return Some(quick_divide(ONE, z)),
        3 => cube(sizes),
        _ => {
            let mut powers = Powers::<1>::ZERO;
            powers.raise(&[z], n.unsigned_abs());
            powers.get(0)
        }
    };
    keeps(sizes, power).then(|| finish(z, power, n))
}

/// The powers of up to N numbers, and whether all are right: [`quick`] gives the others none.
#[inline(always)]
pub(super) fn block<T: InDouble<Wide = Complex<f64>>, const N: usize>(
    out: &mut [MaybeUninit<T>],
    z: &[T],
    n: i32,
) -> bool {
    let len = z.len().min(out.len()).min(N);
    let (out, z) = (&mut out[..len], &z[..len]);
    let range = Range::of(n);
    let mut all = true;
    match n {
        0 => fill(out, z, |_| ONE),
        1 => fill(out, z, |z| z),
        2 => fill(out, z, square_of),
        -1 => fill(out, z, |z| quick_divide(ONE, z)),
        3 => fill(out, z, |z| {
            let sizes = sorted(z);
            let power = cube(sizes);
            all &= keeps(sizes, power);
            finish(z, power, 3)
        }),
        _ => {
            let mut powers = Powers::<N>::ZERO;
            powers.raise(z, n.unsigned_abs());
            for i in 0..len {
                let power = powers.get(i);
                all &= keeps((powers.large[i], powers.small[i]), power);
                out[i].write(T::narrow(finish(z[i].wide(), power, n)));
            }
        }
    }
    for z in z {
        all &= range.holds(z.wide());
    }
    all
}

#[inline(always)]
fn fill<T: InDouble<Wide = Complex<f64>>>(
    out: &mut [MaybeUninit<T>],
    z: &[T],
    mut power: impl FnMut(Complex<f64>) -> Complex<f64>,
) {
    for (out, z) in out.iter_mut().zip(z) {
        out.write(T::narrow(power(z.wide())));
    }
}

/// Of numbers for which the products of a power neither overflow nor lose digits that count.
#[derive(Clone, Copy)]
struct Range {
    n: i32,
    low: f64,
    high: f64,
}

impl Range {
    #[inline(always)]
    fn of(n: i32) -> Range {
        let power = 250 / u64::from(n.unsigned_abs().max(1));
        Range { n, low: f64::from_bits((1023 - power) << 52), high: f64::from_bits((1023 + power) << 52) }
    }

    #[inline(always)]
    fn holds(self, z: Complex<f64>) -> bool {
        const LEAST: f64 = f64::from_bits((1023 - 300) << 52);
        match self.n {
            0 | 1 => true,
            -1 => divide_holds(ONE, z),
            _ => {
                // A NaN is the smaller one, or else the larger.
                let (re, im) = (z.re.abs(), z.im.abs());
                let (large, small) = if re > im { (re, im) } else { (im, re) };
                (large >= self.low) & (large <= self.high) & ((small >= LEAST) | (small == 0.0))
            }
        }
    }
}

/// The power of z from the one of the number with its sorted parts.
#[inline(always)]
fn turned(w: Complex<f64>, z: Complex<f64>, n: i32) -> Complex<f64> {
    const SIGN: u64 = 1 << 63;
    let sign_if = |condition: bool| if condition { SIGN } else { 0 };
    let odd = n & 1 == 1;
    // z = i · conj(w) where the parts are swapped, and i^n turns its power by quarters:
    // to (re, -im), (im, re), (-re, im), (-im, -re).
    let swapped = z.im.abs() > z.re.abs();
    let exchanged = swapped & odd;
    let (re, im) = (if exchanged { w.im } else { w.re }, if exchanged { w.re } else { w.im });
    let (re_turn, im_turn) = (sign_if(n & 2 == 2), sign_if(n & 3 == 0 || n & 3 == 3));
    let (re_turn, im_turn) = (if swapped { re_turn } else { 0 }, if swapped { im_turn } else { 0 });
    // The power of -conj(z) is (-1)^n times the conjugate of z's.
    let left = z.re.to_bits() & SIGN;
    let (re_left, im_left) = (left & sign_if(odd), left & sign_if(!odd));
    let below = z.im.to_bits() & SIGN;
    Complex::new(
        f64::from_bits(re.to_bits() ^ re_turn ^ re_left),
        f64::from_bits(im.to_bits() ^ im_turn ^ im_left ^ below),
    )
}

type Number = (Pair, Pair);

/// A sum of two products and more, which is far less than them.
#[inline(always)]
fn sum(p: Pair, q: Pair, more: f64) -> Pair {
    let sum = Pair::sum(p.hi, q.hi);
    Pair::fast_sum(sum.hi, sum.lo + ((p.lo + q.lo) + more))
}

#[inline(always)]
fn times((a, b): Number, (c, d): Number) -> Number {
    let re = a.hi.mul_add(c.lo, a.lo * c.hi) - b.hi.mul_add(d.lo, b.lo * d.hi);
    let im = a.hi.mul_add(d.lo, a.lo * d.hi) + b.hi.mul_add(c.lo, b.lo * c.hi);
    (
        sum(Pair::product(a.hi, c.hi), Pair::product(-b.hi, d.hi), re),
        sum(Pair::product(a.hi, d.hi), Pair::product(b.hi, c.hi), im),
    )
}

#[inline(always)]
fn square((a, b): Number) -> Number {
    // Both rounded, so that equal ones leave nothing.
    let re = 2.0 * (a.hi * a.lo - b.hi * b.lo);
    (sum(Pair::product(a.hi, a.hi), Pair::product(-b.hi, b.hi), re), a.mul(b).scaled(2.0))
}

/// x (x² - 3y²) and y (3x² - y²), with a third of the operations.
#[inline(always)]
fn cube((x, y): (f64, f64)) -> Number {
    let (x2, y2) = (Pair::product(x, x), Pair::product(y, y));
    let thrice = |p: Pair| {
        let t = Pair::product(3.0, p.hi);
        Pair::new(t.hi, p.lo.mul_add(3.0, t.lo))
    };
    let (re, im) = (sum(x2, thrice(y2).neg(), 0.0), sum(thrice(x2), y2.neg(), 0.0));
    let times = |x: f64, y: Pair| {
        let p = Pair::product(x, y.hi);
        Pair::new(p.hi, x.mul_add(y.lo, p.lo))
    };
    (times(x, re), times(y, im))
}

/// The inverse.
#[inline(always)]
fn inverse((re, im): Number) -> Number {
    let size = re.square().plus(im.square());
    (re.div(size), im.neg().div(size))
}

/// The larger part and the smaller one, without signs.
#[inline(always)]
fn sorted(z: Complex<f64>) -> (f64, f64) {
    let (re, im) = (z.re.abs(), z.im.abs());
    if im > re { (im, re) } else { (re, im) }
}

/// Whether no part of a power is so small by cancellation that its last digits are not right. Near an axis parts are small
/// without it, and on the diagonal they are 0 or equal.
#[inline(always)]
fn keeps((large, small): (f64, f64), (re, im): Number) -> bool {
    const MUCH: f64 = f64::from_bits((1023 + 40) << 52);
    const NEAR: f64 = f64::from_bits((1023 + 17) << 52);
    let (re, im) = (re.hi.abs(), im.hi.abs());
    ((re * MUCH >= im) & (im * MUCH >= re)) | (small * NEAR <= large) | (small == large)
}

/// Up to N numbers side by side, so that loops over them vectorise: their sorted parts, and their powers.
struct Powers<const N: usize> {
    large: [f64; N],
    small: [f64; N],
    re: [f64; N],
    re_low: [f64; N],
    im: [f64; N],
    im_low: [f64; N],
}

impl<const N: usize> Powers<N> {
    const ZERO: Powers<N> = {
        let zeros = [0.0; N];
        Powers { large: zeros, small: zeros, re: zeros, re_low: zeros, im: zeros, im_low: zeros }
    };

    #[inline(always)]
    fn get(&self, i: usize) -> Number {
        (Pair::new(self.re[i], self.re_low[i]), Pair::new(self.im[i], self.im_low[i]))
    }

    #[inline(always)]
    fn set(&mut self, i: usize, (re, im): Number) {
        (self.re[i], self.re_low[i], self.im[i], self.im_low[i]) = (re.hi, re.lo, im.hi, im.lo);
    }

    /// The powers, which are no first ones.
    #[inline(always)]
    fn raise<T: InDouble<Wide = Complex<f64>>>(&mut self, z: &[T], exponent: u32) {
        let len = z.len().min(N);
        for (i, z) in z[..len].iter().enumerate() {
            let (x, y) = sorted(z.wide());
            (self.large[i], self.small[i]) = (x, y);
            self.set(i, (sum(Pair::product(x, x), Pair::product(-y, y), 0.0), Pair::product(x + x, y)));
        }
        // The exponent's binary digits, from the one after the highest on.
        let highest = exponent.checked_ilog2().unwrap_or(0);
        for digit in (0..highest).rev() {
            if digit + 1 < highest {
                for i in 0..len {
                    self.set(i, square(self.get(i)));
                }
            }
            if exponent >> digit & 1 == 1 {
                for i in 0..len {
                    let base = (Pair::from(self.large[i]), Pair::from(self.small[i]));
                    self.set(i, times(self.get(i), base));
                }
            }
        }
    }
}

/// The square.
#[inline(always)]
fn square_of(z: Complex<f64>) -> Complex<f64> {
    Complex::new(two_products(z.re, z.re, -z.im, z.im), 2.0 * z.re * z.im)
}

/// The power of z from the one of its sorted parts.
#[inline(always)]
fn finish(z: Complex<f64>, power: Number, n: i32) -> Complex<f64> {
    let (re, im) = if n < 0 { inverse(power) } else { power };
    turned(Complex::new(re.value(), im.value()), z, n)
}

/// A power of numbers from 1 to 2 and from 2^-18 to 2, from all its digits.
fn exactly((x, y): (f64, f64), n: u32) -> Number {
    const SCALE: f64 = f64::from_bits((1023 + 70) << 52);
    let (x, y) = ((x * SCALE) as u128, (y * SCALE) as u128);
    // No power is longer: 71 digits a part, and their sum.
    let width = 72 * n as usize / 64 + 2;
    let (mut re, mut im) = (integer(x), integer(y));
    for _ in 1..n {
        let minus_im = negative(&im);
        let product = |a: &Digits, b: &Digits| {
            let mut sum = [0; WIDTH];
            for (a, b) in [(a, x), (b, y)] {
                add_product(&mut sum[..width], &a[..width], b as u64);
                add_product(&mut sum[1..width], &a[..width - 1], (b >> 64) as u64);
            }
            sum
        };
        (re, im) = (product(&re, &minus_im), product(&im, &re));
    }
    let unit = -70 * n as i32;
    (rounded(re, width, unit), rounded(im, width, unit))
}

/// An integer modulo 2^64 to the number of its digits, the low ones first.
type Digits = [u64; WIDTH];
const WIDTH: usize = 72 * MOST as usize / 64 + 2;

fn integer(x: u128) -> Digits {
    let mut digits = [0; WIDTH];
    (digits[0], digits[1]) = (x as u64, (x >> 64) as u64);
    digits
}

fn negative(a: &Digits) -> Digits {
    let mut carry = true;
    a.map(|digit| {
        let (next, more) = (!digit).overflowing_add(carry.into());
        carry = more;
        next
    })
}

fn add_product(sum: &mut [u64], a: &[u64], b: u64) {
    let mut carry = 0;
    for (digit, a) in sum.iter_mut().zip(a) {
        let next = u128::from(*a) * u128::from(b) + u128::from(*digit) + carry;
        (*digit, carry) = (next as u64, next >> 64);
    }
}

/// The first 106 binary digits of an integer times 2^unit.
fn rounded(a: Digits, width: usize, unit: i32) -> Pair {
    let below_0 = a[width - 1] >> 63 == 1;
    let a = if below_0 { negative(&a) } else { a };
    let bit = |i: i32| if i < 0 { 0 } else { a[i as usize / 64] >> (i % 64) & 1 };
    let top = (0..64 * width as i32).rev().find(|&i| bit(i) == 1).unwrap_or(0);
    let part = |from: i32| {
        let digits = (0..53).fold(0, |part, k| part << 1 | bit(from - k));
        digits as f64 * 2f64.powi(from - 52 + unit)
    };
    let pair = Pair::new(part(top), part(top - 53));
    if below_0 { pair.neg() } else { pair }
}
