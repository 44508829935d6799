//! Complex division and modulus, for either size of the parts.
//!
//! Each part is rounded about once, however much products cancel in it and however far the parts are from each other: sums
//! of products are computed with what they lack; numbers that are not of ordinary size are scaled by powers of two first,
//! part by part. Single precision is computed in double. With infinities, NaN and zero divisors the values are those of
//! Smith's division, as NumPy's.

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

    use crate::elementwise::complex::pair::Pair;

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

    /// a·b + c·d, within a unit of the last place however much they cancel, and what it lacks of the products' own roundings.
    #[inline(always)]
    fn sum_of_products(a: f64, b: f64, c: f64, d: f64) -> Pair {
        let (p, q) = (Pair::product(a, b), Pair::product(c, d));
        // Where it cancels the first sum is exact, else the second one is far less than it.
        Pair::fast_sum(p.hi + q.hi, p.lo + q.lo)
    }

    /// The quotient, where [`divide_holds`].
    #[inline(always)]
    pub(crate) fn quick_divide(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
        let (p, q) = (Pair::product(b.re, b.re), Pair::product(b.im, b.im));
        let square = Pair::sum(p.hi, q.hi);
        let lacks = square.lo + (p.lo + q.lo);
        // One division for both parts: what the products with the inverse miss is added to them.
        let inverse = 1.0 / square.hi;
        let part = |n: Pair| {
            let quotient = n.hi * inverse;
            let rest = (-quotient).mul_add(square.hi, n.hi) + (-quotient).mul_add(lacks, n.lo);
            rest.mul_add(inverse, quotient)
        };
        Complex::new(part(sum_of_products(a.re, b.re, a.im, b.im)), part(sum_of_products(a.im, b.re, -a.re, b.im)))
    }

    /// Whether a part is 0 or from 2^-200 to 2^200 in size: so no product, square or quotient overflows or loses digits that
    /// count, however much two of them cancel.
    #[inline(always)]
    fn is_moderate(part: f64) -> bool {
        const HIGH: f64 = f64::from_bits((1023 + 200) << 52);
        const LOW: f64 = f64::from_bits((1023 - 200) << 52);
        let size = part.abs();
        (size <= HIGH) & ((size >= LOW) | (size == 0.0))
    }

    #[inline(always)]
    pub(crate) fn divide_holds(a: Complex<f64>, b: Complex<f64>) -> bool {
        let moderate = is_moderate(a.re) & is_moderate(a.im) & is_moderate(b.re) & is_moderate(b.im);
        moderate & ((b.re != 0.0) | (b.im != 0.0))
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
        let [x, y, re, im] = [a.re, a.im, b.re, b.im].map(split);
        let (square, size) = sum_of_split_products([re, re], [im, im]);
        let part = |(n, exponent): (Pair, i32)| scaled(n.div(square).hi, exponent - size);
        let minus_x = (-x.0, x.1);
        Complex::new(part(sum_of_split_products([x, re], [y, im])), part(sum_of_split_products([y, re], [minus_x, im])))
    }

    /// A number from 1 to 2 in size, or 0, and the power of two that it lacks.
    type Split = (f64, i32);

    /// Of a finite number. 0 lacks so small a power that it is lost on any other number.
    pub(crate) fn split(x: f64) -> Split {
        if x == 0.0 {
            return (x, -10_000);
        }
        let (x, before) = if x.abs() < f64::MIN_POSITIVE { (x * 2f64.powi(54), -54) } else { (x, 0) };
        let exponent = ((x.to_bits() & EXPONENT) >> 52) as i32 - 1023;
        (f64::from_bits(x.to_bits() & !EXPONENT | 1023 << 52), exponent + before)
    }

    /// The sum of two products, and the power of two that it lacks.
    fn sum_of_split_products(first: [Split; 2], second: [Split; 2]) -> (Pair, i32) {
        let exponents = [first, second].map(|[a, b]| a.1 + b.1);
        let exponent = exponents[0].max(exponents[1]);
        let product = |[a, b]: [Split; 2], own: i32| {
            // What is farther below does not count.
            Pair::product(a.0, b.0).scaled(2f64.powi((own - exponent).max(-200)))
        };
        (product(first, exponents[0]).add(product(second, exponents[1])), exponent)
    }

    /// x · 2^exponent, of a number from 2^-350 to 2^350 in size: only the last of the products may round.
    pub(crate) fn scaled(x: f64, exponent: i32) -> f64 {
        let exponent = exponent.clamp(-2200, 2200);
        let third = exponent / 3;
        x * 2f64.powi(third) * 2f64.powi(third) * 2f64.powi(exponent - 2 * third)
    }

    /// √(large² + small²) and large² + small², of numbers that are not negative.
    #[inline(always)]
    fn root_of_squares(large: f64, small: f64) -> (f64, f64) {
        let small2 = small * small;
        let square = large.mul_add(large, small2);
        let root = square.sqrt();
        // large² + small² - root²: the difference is exact, and so is its product with 2 large but for what does not count.
        let more = root - large;
        let rest = (-more).mul_add(more, (-2.0 * large).mul_add(more, small2)) + small.mul_add(small, -small2);
        // 1/(2 root) to a thirtieth, by the well-known integer: more of what is below the last bit does not count.
        let inverse = f64::from_bits(0x5fd6_eb50_c7b5_37a9u64.wrapping_sub(square.to_bits() >> 1));
        (rest.mul_add(inverse, root), square)
    }

    /// The modulus, and whether it is: [`modulus`] gives the same bits then.
    #[inline(always)]
    pub(crate) fn quick_modulus(z: Complex<f64>) -> (f64, bool) {
        const HIGH: f64 = f64::from_bits((1023 + 1000) << 52);
        const LOW: f64 = f64::from_bits((1023 - 900) << 52);
        let (re, im) = (z.re.abs(), z.im.abs());
        let (large, small) = if re > im { (re, im) } else { (im, re) };
        let (value, square) = root_of_squares(large, small);
        // 0 is also the square of what is too small, unless the larger part is 0.
        (value, (square <= HIGH) & ((square >= LOW) | (large == 0.0)))
    }

    /// The modulus: infinite where a part is, whatever the other one.
    #[inline(always)]
    pub(crate) fn modulus(z: Complex<f64>) -> f64 {
        let (re, im) = (z.re.abs(), z.im.abs());
        let (large, small) = if re > im { (re, im) } else { (im, re) };
        let (size, inverse) = magnitude_of(large);
        let value = root_of_squares(large * inverse, small * inverse).0 * size;
        // One NaN, whichever operand a compiler takes its sign from.
        let value = if value.is_nan() { f64::NAN } else { value };
        if (re == f64::INFINITY) | (im == f64::INFINITY) { f64::INFINITY } else { value }
    }
}

pub(crate) mod f32 {
    use strictarray_core::Complex;

    use crate::float::InDouble;

    /// Products of `f32` are exact in `f64` and no square leaves its range.
    #[inline(always)]
    pub(crate) fn quick_divide(a: Complex<f32>, b: Complex<f32>) -> Complex<f32> {
        let (a, b) = (a.wide(), b.wide());
        let square = b.re * b.re + b.im * b.im;
        InDouble::narrow(Complex::new((a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square))
    }

    #[inline(always)]
    pub(crate) fn divide_holds(a: Complex<f32>, b: Complex<f32>) -> bool {
        let finite = a.re.is_finite() & a.im.is_finite() & b.re.is_finite() & b.im.is_finite();
        finite & ((b.re != 0.0) | (b.im != 0.0))
    }

    #[inline(never)]
    pub(crate) fn divide(a: Complex<f32>, b: Complex<f32>) -> Complex<f32> {
        if divide_holds(a, b) { quick_divide(a, b) } else { InDouble::narrow(super::smith(a.wide(), b.wide())) }
    }

    #[inline(always)]
    pub(crate) fn modulus(z: Complex<f32>) -> f32 {
        let (re, im) = (f64::from(z.re), f64::from(z.im));
        let root = (re * re + im * im).sqrt() as f32;
        let infinite = (z.re.abs() == f32::INFINITY) | (z.im.abs() == f32::INFINITY);
        if infinite { f32::INFINITY } else { root }
    }

    #[inline(always)]
    pub(crate) fn quick_modulus(z: Complex<f32>) -> (f32, bool) {
        (modulus(z), true)
    }
}
