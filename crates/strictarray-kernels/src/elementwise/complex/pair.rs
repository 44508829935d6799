//! Numbers of twice the precision, as unevaluated sums: what the parts of complex functions are put together from, so that
//! each part is rounded about once.
//!
//! Nothing here branches, so that loops of it vectorise.

/// `hi + lo`, where `lo` is what `hi` lacks, or close to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) hi: f64,
    pub(super) lo: f64,
}

impl Pair {
    #[inline(always)]
    pub(super) const fn new(hi: f64, lo: f64) -> Pair {
        Pair { hi, lo }
    }

    #[inline(always)]
    pub(super) const fn from(x: f64) -> Pair {
        Pair { hi: x, lo: 0.0 }
    }

    /// a + b, exactly, where a is 0 or not the smaller one.
    #[inline(always)]
    pub(super) fn fast_sum(a: f64, b: f64) -> Pair {
        let hi = a + b;
        Pair { hi, lo: b - (hi - a) }
    }

    /// a + b, exactly.
    #[inline(always)]
    pub(super) fn sum(a: f64, b: f64) -> Pair {
        let hi = a + b;
        let back = hi - a;
        Pair { hi, lo: (a - (hi - back)) + (b - back) }
    }

    /// a · b, exactly unless it is tiny.
    #[inline(always)]
    pub(super) fn product(a: f64, b: f64) -> Pair {
        let hi = a * b;
        Pair { hi, lo: a.mul_add(b, -hi) }
    }

    #[inline(always)]
    pub(super) fn value(self) -> f64 {
        self.hi + self.lo
    }

    #[inline(always)]
    pub(super) fn neg(self) -> Pair {
        Pair { hi: -self.hi, lo: -self.lo }
    }

    /// Times a power of two.
    #[inline(always)]
    pub(super) fn scaled(self, power: f64) -> Pair {
        Pair { hi: self.hi * power, lo: self.lo * power }
    }

    #[inline(always)]
    pub(super) fn add(self, b: Pair) -> Pair {
        let s = Pair::sum(self.hi, b.hi);
        let t = Pair::sum(self.lo, b.lo);
        let s = Pair::fast_sum(s.hi, s.lo + t.hi);
        Pair::fast_sum(s.hi, s.lo + t.lo)
    }

    /// The sum of two that have one sign, where some last bits do not count.
    #[inline(always)]
    pub(super) fn plus(self, b: Pair) -> Pair {
        let s = Pair::sum(self.hi, b.hi);
        Pair::fast_sum(s.hi, s.lo + (self.lo + b.lo))
    }

    #[inline(always)]
    pub(super) fn mul(self, b: Pair) -> Pair {
        let p = Pair::product(self.hi, b.hi);
        Pair::fast_sum(p.hi, self.hi.mul_add(b.lo, self.lo.mul_add(b.hi, p.lo)))
    }

    #[inline(always)]
    pub(super) fn square(self) -> Pair {
        let p = Pair::product(self.hi, self.hi);
        Pair::fast_sum(p.hi, (self.hi + self.hi).mul_add(self.lo, p.lo))
    }

    /// The product, rounded about once; a zero has its sign.
    #[inline(always)]
    pub(super) fn times(self, b: Pair) -> f64 {
        let product = self.hi.mul_add(b.hi, self.hi.mul_add(b.lo, self.lo * b.hi));
        product.copysign(self.hi * b.hi)
    }

    /// The quotient.
    #[inline(always)]
    pub(super) fn div(self, b: Pair) -> Pair {
        let inverse = 1.0 / b.hi;
        let q = self.hi * inverse;
        let rest = (-q).mul_add(b.hi, self.hi) + (-q).mul_add(b.lo, self.lo);
        Pair::fast_sum(q, rest * inverse)
    }

    /// The square root; of 0 it is 0.
    #[inline(always)]
    pub(super) fn sqrt(self) -> Pair {
        let root = self.hi.sqrt();
        let rest = (-root).mul_add(root, self.hi) + self.lo;
        let lo = if root > 0.0 { rest / (root + root) } else { 0.0 };
        Pair::fast_sum(root, lo)
    }

    /// The first where `condition` holds, else the second.
    #[inline(always)]
    pub(super) fn select(condition: bool, a: Pair, b: Pair) -> Pair {
        Pair { hi: if condition { a.hi } else { b.hi }, lo: if condition { a.lo } else { b.lo } }
    }
}
