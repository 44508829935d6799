//! Complex division, modulus and powers, for either size of the parts.

pub(crate) mod f64 {
    use strictarray_core::Complex;

    /// Smith's division, as NumPy's.
    #[inline(always)]
    pub(crate) fn divide(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
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

    #[inline(always)]
    pub(crate) fn modulus(z: Complex<f64>) -> f64 {
        z.re.hypot(z.im)
    }

    pub(crate) fn pow(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
        if b.re == 0.0 && b.im == 0.0 {
            return Complex::new(1.0, 0.0);
        }
        a.powc(b)
    }
}

pub(crate) mod f32 {
    use strictarray_core::Complex;

    fn wide(z: Complex<f32>) -> Complex<f64> {
        Complex::new(z.re.into(), z.im.into())
    }

    fn narrow(z: Complex<f64>) -> Complex<f32> {
        Complex::new(z.re as f32, z.im as f32)
    }

    #[inline(always)]
    pub(crate) fn divide(a: Complex<f32>, b: Complex<f32>) -> Complex<f32> {
        narrow(super::f64::divide(wide(a), wide(b)))
    }

    #[inline(always)]
    pub(crate) fn modulus(z: Complex<f32>) -> f32 {
        super::f64::modulus(wide(z)) as f32
    }

    pub(crate) fn pow(a: Complex<f32>, b: Complex<f32>) -> Complex<f32> {
        narrow(super::f64::pow(wide(a), wide(b)))
    }
}
