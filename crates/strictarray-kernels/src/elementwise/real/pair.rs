//! Numbers in two parts, and what polynomials and powers of two need.

/// 1.5 · 2^52: adding it rounds to an integer, which is then in the low bits.
pub(super) const SHIFTER: f64 = 6_755_399_441_055_744.0;

/// The sum of two doubles, the second about 2^-53 of the first or less.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) high: f64,
    pub(super) low: f64,
}

impl Pair {
    #[inline(always)]
    pub(super) fn new(high: f64, low: f64) -> Pair {
        Pair { high, low }
    }

    /// a + b, exactly.
    #[inline(always)]
    pub(super) fn sum(a: f64, b: f64) -> Pair {
        let high = a + b;
        let back = high - a;
        Pair { high, low: (a - (high - back)) + (b - back) }
    }

    /// a + b, exactly where |a| ≥ |b| or a is 0.
    #[inline(always)]
    pub(super) fn ordered_sum(a: f64, b: f64) -> Pair {
        let high = a + b;
        Pair { high, low: (a - high) + b }
    }

    /// a · b, exactly where nothing underflows.
    #[inline(always)]
    pub(super) fn product(a: f64, b: f64) -> Pair {
        let high = a * b;
        Pair { high, low: a.mul_add(b, -high) }
    }

    /// The same sum, with the low part as small as it can be.
    #[inline(always)]
    pub(super) fn normal(self) -> Pair {
        Pair::ordered_sum(self.high, self.low)
    }

    /// With more in the low part.
    #[inline(always)]
    pub(super) fn plus(self, low: f64) -> Pair {
        Pair { low: self.low + low, ..self }
    }

    #[inline(always)]
    pub(super) fn times(self, power_of_two: f64) -> Pair {
        Pair { high: self.high * power_of_two, low: self.low * power_of_two }
    }

    #[inline(always)]
    pub(super) fn value(self) -> f64 {
        self.high + self.low
    }

    /// The quotient, to about 2^-100; low parts must be small.
    #[inline(always)]
    pub(super) fn over(self, d: Pair) -> Pair {
        let inverse = 1.0 / d.high;
        let high = self.high * inverse;
        let rest = high.mul_add(-d.high, self.high) + high.mul_add(-d.low, self.low);
        Pair { high, low: rest * inverse }
    }

    /// The quotient, rounded; low parts may be as large as a tenth.
    #[inline(always)]
    pub(super) fn ratio(self, d: Pair) -> f64 {
        let inverse = 1.0 / d.value();
        let quotient = self.value() * inverse;
        let rest = quotient.mul_add(-d.high, self.high) + quotient.mul_add(-d.low, self.low);
        rest.mul_add(inverse, quotient)
    }

    /// The square root; of 0 it is 0. The low part must be small.
    #[inline(always)]
    pub(super) fn sqrt(self) -> Pair {
        let high = self.high.sqrt();
        let rest = high.mul_add(-high, self.high) + self.low;
        let low = rest / (high + high);
        Pair { high, low: if high == 0.0 { 0.0 } else { low } }
    }
}

/// The polynomial with these coefficients, the lowest first.
#[inline(always)]
pub(super) fn polynomial<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    // Two chains side by side: half the latency.
    let square = x * x;
    let (mut even, mut odd) = (0.0, 0.0);
    let mut i = N;
    while i > 0 {
        i -= 1;
        if i & 1 == 0 {
            even = square.mul_add(even, coefficients[i]);
        } else {
            odd = square.mul_add(odd, coefficients[i]);
        }
    }
    x.mul_add(odd, even)
}

/// 2^k for a whole k from -1022 to 1023.
#[inline(always)]
pub(super) fn power_of_two(k: f64) -> f64 {
    f64::from_bits((k + SHIFTER).to_bits().wrapping_add(1023) << 52)
}

/// The nearest whole number, for |x| below 2^51.
#[inline(always)]
pub(super) fn nearest(x: f64) -> f64 {
    (x + SHIFTER) - SHIFTER
}

/// `yes` where it holds, else `no`.
#[inline(always)]
pub(super) fn select(condition: bool, yes: f64, no: f64) -> f64 {
    if condition { yes } else { no }
}
