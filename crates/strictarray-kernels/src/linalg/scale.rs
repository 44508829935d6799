//! Powers of two that keep numbers away from where they overflow or lose digits.

use super::matrix::Number;

/// The largest magnitude of a part of any of these numbers; `None` if one is not finite.
pub(super) fn largest<W: Number>(values: &[W]) -> Option<f64> {
    // Side by side: no one waits for the one before.
    let (mut largest, mut odd) = ([0.0f64; 4], [0.0; 4]);
    let mut look = |lane: usize, value: W| {
        let magnitude = value.magnitude();
        largest[lane] = if magnitude > largest[lane] { magnitude } else { largest[lane] };
        // A NaN from then on, if a part is not finite.
        odd[lane] += value.real_part() * 0.0 + value.imaginary_part() * 0.0;
    };
    let blocks = values.chunks_exact(4);
    blocks.remainder().iter().for_each(|&x| look(0, x));
    for block in blocks {
        (0..4).for_each(|lane| look(lane, block[lane]));
    }
    (odd == [0.0; 4]).then_some(largest.into_iter().fold(0.0, f64::max))
}

/// Whether all are finite.
pub(super) fn finite<W: Number>(values: &[W]) -> bool {
    values.iter().map(|x| x.real_part() * 0.0 + x.imaginary_part() * 0.0).sum::<f64>() == 0.0
}

/// The e of which 2^e <= x < 2^(e + 1), for a positive finite x; 0 for 0.
pub(super) fn exponent(x: f64) -> i32 {
    const LEAST_NORMAL: f64 = f64::MIN_POSITIVE;
    let of_normal = |x: f64| (x.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    if x == 0.0 {
        0
    } else if x < LEAST_NORMAL {
        of_normal(x * TWO_54) - 54
    } else {
        of_normal(x)
    }
}

const TWO_54: f64 = (1u64 << 54) as f64;

/// A power of two, which need not be a number: multiplying by it is exact where the result is a normal number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Power {
    exponent: i32,
    /// Three factors that are numbers: of a product of 2000 powers of two, or of one.
    factors: [f64; 3],
}

impl Power {
    pub(super) const ONE: Power = Power { exponent: 0, factors: [1.0; 3] };

    pub(super) fn new(exponent: i32) -> Power {
        // Beyond 3000 all that is not 0 is infinite or 0.
        let mut left = exponent.clamp(-3000, 3000);
        let factors = [0; 3].map(|_: i32| {
            let now = left.clamp(-1000, 1000);
            left -= now;
            f64::from_bits(((now + 1023) as u64) << 52)
        });
        Power { exponent, factors }
    }

    pub(super) fn exponent(self) -> i32 {
        self.exponent
    }

    #[inline(always)]
    pub(super) fn times<W: Number>(self, x: W) -> W {
        x.times(self.factors[0]).times(self.factors[1]).times(self.factors[2])
    }

    /// Multiplies each.
    pub(super) fn scale<W: Number>(self, values: &mut [W]) {
        if self.exponent != 0 {
            values.iter_mut().for_each(|x| *x = self.times(*x));
        }
    }
}

/// The power of two that brings numbers with this largest magnitude near 1, where squares and their products neither overflow
/// nor vanish, and the library finds what it finds of numbers of any size. It loses what is far below the smallest rounding of
/// the largest numbers.
pub(super) fn toward_one(largest: f64) -> Power {
    const BOUND: i32 = 8;
    let e = exponent(largest);
    if largest == 0.0 || (-BOUND..=BOUND).contains(&e) { Power::ONE } else { Power::new(-e) }
}

/// The power of two that brings numbers with this largest magnitude as high as numbers go, so that the smallest are kept.
pub(super) fn toward_top(largest: f64) -> Power {
    const TOP: i32 = 1022;
    if largest == 0.0 { Power::ONE } else { Power::new((TOP - exponent(largest)).max(0)) }
}
