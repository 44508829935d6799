//! The square root and the sign.

use strictarray_core::Complex;

use super::Function;
use super::arithmetic::f64::magnitude;
use crate::elementwise::classes::Sign;
use crate::elementwise::roots::Sqrt;


/// Whether the larger part is finite and neither near subnormal nor among the largest numbers.
#[inline(always)]
fn is_ordinary(z: Complex<f64>) -> bool {
    let size = z.re.abs().to_bits().max(z.im.abs().to_bits()) >> 52;
    size.wrapping_sub(4) < 2040
}

/// √(x² + y²) of numbers about 1.
#[inline(always)]
fn hypot(x: f64, y: f64) -> f64 {
    let (x2, y2) = (x * x, y * y);
    let (large, small) = if x2 > y2 { (x2, y2) } else { (y2, x2) };
    let square = large + small;
    let lacks = (large - square) + small + x.mul_add(x, -x2) + y.mul_add(y, -y2);
    let root = square.sqrt();
    root + (lacks - root.mul_add(root, -square)) / (root + root)
}

/// The larger part is √((|z| + |x|) / 2), the other one |y| over twice of it.
#[inline(always)]
fn sqrt(z: Complex<f64>) -> Complex<f64> {
    let (x, y) = (z.re.abs(), z.im.abs());
    // Scaled by an even power of two, and back by the root of it.
    let size = x.to_bits().max(y.to_bits()) >> 52;
    let odd = size | 1;
    let inverse = f64::from_bits((2046 - odd).max(1) << 52);
    let back = f64::from_bits((odd + 1023) / 2 << 52);
    let there = f64::from_bits((2046 - (odd + 1023) / 2) << 52);
    let large = ((hypot(x * inverse, y * inverse) + x * inverse) * 0.5).sqrt();
    let small = (y * there) * 0.5 / large;
    let large = large * back;
    let (re, im) = if z.re >= 0.0 { (large, small) } else { (small, large) };
    Complex::new(re, im.copysign(z.im))
}

impl Function for Sqrt {
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        is_ordinary(z)
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        sqrt(z)
    }
    fn slow(z: Complex<f64>) -> Complex<f64> {
        let (x, y) = (z.re, z.im);
        if y.is_infinite() {
            return Complex::new(f64::INFINITY, y);
        }
        if x == f64::INFINITY {
            return Complex::new(x, if y.is_nan() { y } else { 0f64.copysign(y) });
        }
        if x == f64::NEG_INFINITY {
            return if y.is_nan() { Complex::new(y, -x) } else { Complex::new(0.0, f64::INFINITY.copysign(y)) };
        }
        if x.is_nan() || y.is_nan() {
            return Complex::new(f64::NAN, f64::NAN);
        }
        if x == 0.0 && y == 0.0 {
            return Complex::new(0.0, y);
        }
        // Small numbers are left, and the very largest.
        let (there, back) = if x.abs().max(y.abs()) < 1.0 { (2f64.powi(108), 2f64.powi(-54)) } else { (0.0625, 4.0) };
        let root = sqrt(Complex::new(x * there, y * there));
        Complex::new(root.re * back, root.im * back)
    }
}

#[inline(always)]
fn sign(z: Complex<f64>) -> Complex<f64> {
    let (_, inverse) = magnitude(z);
    let (x, y) = (z.re * inverse, z.im * inverse);
    let modulus = hypot(x, y);
    Complex::new(x / modulus, y / modulus)
}

impl Function for Sign {
    #[inline(always)]
    fn holds(z: Complex<f64>) -> bool {
        is_ordinary(z)
    }
    #[inline(always)]
    fn quick(z: Complex<f64>) -> Complex<f64> {
        sign(z)
    }
    fn slow(z: Complex<f64>) -> Complex<f64> {
        let (x, y) = (z.re, z.im);
        if x == 0.0 && y == 0.0 {
            // Whatever the signs of the zeros.
            return Complex::new(0.0, 0.0);
        }
        if x.is_finite() && y.is_finite() {
            let there = if x.abs().max(y.abs()) < 1.0 { 2f64.powi(108) } else { 0.0625 };
            return sign(Complex::new(x * there, y * there));
        }
        // As NumPy: along the axis of the one infinite part, whatever the other; no direction between two.
        let zero = |part: f64| if part.is_nan() { 0.0 } else { 0f64.copysign(part) };
        match (x.is_infinite(), y.is_infinite()) {
            (true, false) => Complex::new(1f64.copysign(x), zero(y)),
            (false, true) => Complex::new(zero(x), 1f64.copysign(y)),
            _ => Complex::new(f64::NAN, f64::NAN),
        }
    }
}
