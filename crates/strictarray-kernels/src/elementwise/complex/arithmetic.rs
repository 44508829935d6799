//! Complex division and modulus, for either size of the parts.
//!
//! Numbers of ordinary size are scaled by a power of two, so that nothing overflows or is lost, and sums of products are
//! computed as one rounding would give them; single precision is computed in double. With infinities, NaN and zero divisors
//! the values are those of Smith's division, as NumPy's.

use strictarray_core::Complex;

/// Smith's division.
#[inline(never)]
fn smith(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
    let (abs_re, abs_im) = (b.re.abs(), b.im.abs());
    if abs_re >= abs_im {
        if abs_re == 0.0 && abs_im == 0.0 {
            return Complex::new(a.re / abs_re, a.im / abs_re);
        }
        let ratio = b.im / b.re;
        let scale = 1.0 / (b.re + b.im * ratio);
        Complex::new((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale)
    } else {
        let ratio = b.re / b.im;
        let scale = 1.0 / (b.im + b.re * ratio);
        Complex::new((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale)
    }
}

pub(crate) mod f64 {
    use strictarray_core::Complex;

    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    /// 2^1022.
    const LARGEST: f64 = f64::from_bits(2045 << 52);

    /// A power of two about the larger part's size, and its inverse. Those of the smallest and largest numbers are left a little
    /// off, so that both are normal.
    #[inline(always)]
    pub(crate) fn magnitude(z: Complex<f64>) -> (f64, f64) {
        let (re, im) = (z.re.abs(), z.im.abs());
        magnitude_of(if re > im { re } else { im })
    }

    #[inline(always)]
    fn magnitude_of(larger: f64) -> (f64, f64) {
        let size = if larger > f64::MIN_POSITIVE { larger } else { f64::MIN_POSITIVE };
        let size = if size < LARGEST { size } else { LARGEST };
        let size = size.to_bits() & EXPONENT;
        (f64::from_bits(size), f64::from_bits((2046 << 52) - size))
    }

    /// a·b + c·d, rounded almost as once.
    #[inline(always)]
    pub(crate) fn two_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
        let second = c * d;
        let lacks = c.mul_add(d, -second);
        a.mul_add(b, second) + lacks
    }

    /// The divisor is scaled, so that its square fits; the dividend need not be.
    #[inline(always)]
    pub(crate) fn quick_divide(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
        let (size, inverse) = magnitude(b);
        let (re, im) = (b.re * inverse, b.im * inverse);
        // Less than 8, and in range at any size for which `divide_holds`. Scaled before the division: a part may be subnormal
        // on the way there whose quotient is not.
        let square = two_products(re, re, im, im) * size;
        Complex::new(two_products(a.re, re, a.im, im) / square, two_products(a.im, re, -a.re, im) / square)
    }

    /// Whether the dividend's larger part is from 2^-500 to 2^1000, the divisor's from 2^-1000 to 2^1000: so no product
    /// overflows or loses digits that count.
    #[inline(always)]
    pub(crate) fn divide_holds(a: Complex<f64>, b: Complex<f64>) -> bool {
        const POWER: fn(u64) -> f64 = |exponent| f64::from_bits((1023 + exponent) << 52);
        let within = |z: Complex<f64>, low: f64| {
            let (re, im, high) = (z.re.abs(), z.im.abs(), POWER(1000));
            (re < high) & (im < high) & ((re > low) | (im > low))
        };
        within(a, 1.0 / POWER(500)) & within(b, 1.0 / POWER(1000))
    }

    #[inline(never)]
    pub(crate) fn divide(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
        if divide_holds(a, b) {
            return quick_divide(a, b);
        }
        if !(a.re.is_finite() && a.im.is_finite() && b.re.is_finite() && b.im.is_finite())
            || b == Complex::new(0.0, 0.0)
        {
            return super::smith(a, b);
        }
        // To ordinary size, and back in two steps that do not leave the range before the last.
        let [(a, a_exponent), (b, b_exponent)] = [a, b].map(normalised);
        let quotient = quick_divide(a, b);
        let exponent = a_exponent - b_exponent;
        Complex::new(scaled(quotient.re, exponent), scaled(quotient.im, exponent))
    }

    /// A finite number with the larger part near 1, and the power of two that it lacks.
    fn normalised(z: Complex<f64>) -> (Complex<f64>, i32) {
        let largest = z.re.abs().max(z.im.abs());
        let (z, before) = if largest < 2f64.powi(-900) { (z * 2f64.powi(200), -200) } else { (z, 0) };
        let largest = z.re.abs().max(z.im.abs());
        if largest == 0.0 {
            return (z, 0);
        }
        let exponent = (largest.to_bits() >> 52) as i32 - 1023;
        (Complex::new(scaled(z.re, -exponent), scaled(z.im, -exponent)), exponent + before)
    }

    fn scaled(x: f64, exponent: i32) -> f64 {
        let exponent = exponent.clamp(-2200, 2200);
        let third = exponent / 3;
        // Towards the far end the last step alone can leave the normal numbers, unless x is far from 1.
        x * 2f64.powi(third) * 2f64.powi(third) * 2f64.powi(exponent - 2 * third)
    }

    /// The modulus: infinite where a part is, whatever the other one.
    #[inline(always)]
    pub(crate) fn modulus(z: Complex<f64>) -> f64 {
        let (re, im) = (z.re.abs(), z.im.abs());
        let (large, small) = if re > im { (re, im) } else { (im, re) };
        let (size, inverse) = magnitude_of(large);
        let (large, small) = (large * inverse, small * inverse);
        let small2 = small * small;
        let square = large.mul_add(large, small2);
        let root = square.sqrt();
        // large² + small² - root²: the difference is exact, and so is its product with 2 large but for what does not count.
        let more = root - large;
        let rest = (-more).mul_add(more, (-2.0 * large).mul_add(more, small2)) + small.mul_add(small, -small2);
        // 1/(2 root) to a thirtieth, by the well-known integer: more of what is below the last bit does not count.
        let inverse = f64::from_bits(0x5fd6_eb50_c7b5_37a9u64.wrapping_sub(square.to_bits() >> 1));
        let value = rest.mul_add(inverse, root) * size;
        if (re == f64::INFINITY) | (im == f64::INFINITY) { f64::INFINITY } else { value }
    }
}

pub(crate) mod f32 {
    use strictarray_core::Complex;

    #[inline(always)]
    fn wide(z: Complex<f32>) -> Complex<f64> {
        Complex::new(z.re.into(), z.im.into())
    }

    #[inline(always)]
    fn narrow(z: Complex<f64>) -> Complex<f32> {
        Complex::new(z.re as f32, z.im as f32)
    }

    /// Products of `f32` are exact in `f64` and no square leaves its range.
    #[inline(always)]
    pub(crate) fn quick_divide(a: Complex<f32>, b: Complex<f32>) -> Complex<f32> {
        let (a, b) = (wide(a), wide(b));
        let square = b.re * b.re + b.im * b.im;
        narrow(Complex::new((a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square))
    }

    #[inline(always)]
    pub(crate) fn divide_holds(a: Complex<f32>, b: Complex<f32>) -> bool {
        let finite = a.re.is_finite() & a.im.is_finite() & b.re.is_finite() & b.im.is_finite();
        finite & ((b.re != 0.0) | (b.im != 0.0))
    }

    #[inline(never)]
    pub(crate) fn divide(a: Complex<f32>, b: Complex<f32>) -> Complex<f32> {
        if divide_holds(a, b) { quick_divide(a, b) } else { narrow(super::smith(wide(a), wide(b))) }
    }

    #[inline(always)]
    pub(crate) fn modulus(z: Complex<f32>) -> f32 {
        let (re, im) = (f64::from(z.re), f64::from(z.im));
        let root = (re * re + im * im).sqrt() as f32;
        let infinite = (z.re.abs() == f32::INFINITY) | (z.im.abs() == f32::INFINITY);
        if infinite { f32::INFINITY } else { root }
    }
}
