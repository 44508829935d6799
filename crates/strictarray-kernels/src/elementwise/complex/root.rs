//! The square root and the sign.

use strictarray_core::Complex;

use super::Function;
use super::arithmetic::f64::magnitude;
use crate::elementwise::classes::Sign;
use crate::elementwise::roots::Sqrt;

/// Whether the larger part is finite and not near subnormal.
#[inline(always)]
fn is_ordinary(z: Complex<f64>) -> bool {
    let size = z.re.abs().to_bits().max(z.im.abs().to_bits()) >> 52;
    size.wrapping_sub(4) < 2043
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
    let odd = (size.clamp(1, 2046) - 1) | 1;
    let inverse = f64::from_bits((2046 - odd) << 52);
    let back = f64::from_bits(((odd + 1023) / 2) << 52);
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
        // The smallest numbers are left.
        let root = sqrt(Complex::new(x * 2f64.powi(108), y * 2f64.powi(108)));
        Complex::new(root.re * 2f64.powi(-54), root.im * 2f64.powi(-54))
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
            return sign(Complex::new(x * 2f64.powi(108), y * 2f64.powi(108)));
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
