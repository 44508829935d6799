//! A quicksort of keys, or of elements as they are, in vectors, for machines with AVX2.
//!
//! A pass reads the keys once and writes those below a pivot to the front of another place, the rest to its end, without a
//! branch on the data. What fits some registers is sorted there. Sorted keys are the same however they were sorted, so
//! results do not depend on whether the machine has this; of floats as they are that is true but for the signs of zeros, which
//! the caller puts right.

pub(super) mod avx2;
mod network;

use std::mem::MaybeUninit;

use strictarray_core::Result;

use super::key::Sortable;
use crate::Ctx;
use crate::ctx::TICK;
use crate::simd::Level;

/// What an instruction set does for a type of keys, none of which is NaN.
///
/// # Safety
///
/// The methods do what they say.
unsafe trait Steps {
    type Key: Sortable;
    /// The instruction set.
    const LEVEL: Level;
    /// Keys that are sorted in registers.
    const SMALL: usize;

    /// A key that is somewhere in the middle.
    ///
    /// # Safety
    ///
    /// `n` keys, more than [`SMALL`](Steps::SMALL); the machine has the instruction set.
    unsafe fn middle(from: *const Self::Key, n: usize) -> Self::Key;

    /// Writes keys below the pivot (or equal to it, where that is asked for) to the front, the others to the end, and says how
    /// many are in front.
    ///
    /// # Safety
    ///
    /// Two places of `n` keys, apart; the machine has the instruction set.
    unsafe fn partition<const EQUAL: bool>(
        ctx: &Ctx<'_>,
        from: *const Self::Key,
        n: usize,
        to: *mut Self::Key,
        pivot: Self::Key,
    ) -> Result<usize>;

    /// Sorts keys.
    ///
    /// # Safety
    ///
    /// `n` keys, at most [`SMALL`](Steps::SMALL), and room for as many, which may be the same; the machine has the instruction
    /// set.
    unsafe fn small(from: *const Self::Key, n: usize, to: *mut Self::Key);
}

/// Keys that can be sorted in vectors.
pub(super) trait Quick: Copy + Sized {
    /// Sorts keys, if the machine can; the sorted ones are in the first place.
    fn sort(ctx: &Ctx<'_>, keys: &mut [Self], spare: &mut [MaybeUninit<Self>]) -> Option<Result<()>>;
}

macro_rules! quick {
    ($key:ty: $steps:ty) => {
        impl Quick for $key {
            fn sort(ctx: &Ctx<'_>, keys: &mut [$key], spare: &mut [MaybeUninit<$key>]) -> Option<Result<()>> {
                sort::<$steps>(ctx, keys, spare)
            }
        }
    };
}

quick!(u32: avx2::Avx2<avx2::U32>);
quick!(u64: avx2::Avx2<avx2::U64>);

fn sort<S: Steps>(ctx: &Ctx<'_>, keys: &mut [S::Key], spare: &mut [MaybeUninit<S::Key>]) -> Option<Result<()>> {
    let (n, keys) = (keys.len(), keys.as_mut_ptr());
    if ctx.simd() < S::LEVEL || spare.len() < n {
        return None;
    }
    // SAFETY: the machine has the instruction set; both places have room for n keys, apart.
    Some(unsafe { sort_into::<S>(ctx, keys, n, keys, spare.as_mut_ptr().cast()) })
}

/// Sorts `n` keys into a place, which may be where they are.
///
/// # Safety
///
/// `n` keys, and room for as many in two places, apart from each other; the spare one is apart from the keys too. The machine
/// has the instruction set.
unsafe fn sort_into<S: Steps>(
    ctx: &Ctx<'_>,
    from: *const S::Key,
    n: usize,
    to: *mut S::Key,
    spare: *mut S::Key,
) -> Result<()> {
    // Twice what halving needs: pivots are seldom that bad, and then another sort takes over.
    let budget = 2 * (usize::BITS - n.leading_zeros());
    // SAFETY: as the caller promises.
    unsafe { quick::<S>(ctx, from, spare, to, n, false, budget) }
}

/// Sorts `n` keys at `from`, `into` the first place or else into the other one. Calls itself `budget` times deep at most.
///
/// # Safety
///
/// As [`sort_into`]: the first place is apart from the keys, the other may be where they are.
unsafe fn quick<S: Steps>(
    ctx: &Ctx<'_>,
    mut from: *const S::Key,
    mut to: *mut S::Key,
    mut other: *mut S::Key,
    mut n: usize,
    mut into: bool,
    mut budget: u32,
) -> Result<()> {
    // SAFETY: as the caller promises, all along: the parts lie inside the two places.
    unsafe {
        while n > S::SMALL {
            if budget == 0 {
                let to = if into { to } else { other };
                std::ptr::copy(from, to, n);
                std::slice::from_raw_parts_mut(to, n).sort_unstable_by_key(|key| key.exact());
                return Ok(());
            }
            budget -= 1;
            if n >= TICK / 8 {
                ctx.check_cancelled()?;
            }
            let pivot = S::middle(from, n);
            let mut left = S::partition::<false>(ctx, from, n, to, pivot)?;
            if left == 0 {
                // The pivot is the least key: those equal to it are sorted.
                left = S::partition::<true>(ctx, from, n, to, pivot)?;
                if !into {
                    std::ptr::copy_nonoverlapping(to, other, left);
                }
            } else {
                quick::<S>(ctx, to, other, to, left, !into, budget)?;
            }
            // What was written is what is read next.
            (from, to, other) = (to.add(left), other.add(left), to.add(left));
            n -= left;
            into = !into;
        }
        S::small(from, n, if into { to } else { other });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<S: Steps<Key: PartialEq + std::fmt::Debug>>(of: impl Fn(i32) -> S::Key) {
        let ctx = Ctx::new();
        if ctx.simd() < S::LEVEL {
            return;
        }
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as i32 - (1 << 23)
        };
        for n in [0, 1, 63, 64, 65, 128, 129, 1000, 5000] {
            let keys: Vec<S::Key> = (0..n).map(|_| of(random())).collect();
            let mut expected = keys.clone();
            expected.sort_unstable_by_key(|key| key.exact());
            // As if all pivots were bad from some depth on, or from the start.
            for budget in [0, 1, 2, 5, 40] {
                for into in [false, true] {
                    let (mut to, mut other) = (vec![of(0); n], keys.clone());
                    let (first, second) = (to.as_mut_ptr(), other.as_mut_ptr());
                    // SAFETY: the machine has the instruction set; places of n keys, apart.
                    unsafe { quick::<S>(&ctx, keys.as_ptr(), first, second, n, into, budget).unwrap() };
                    assert_eq!(if into { &to } else { &other }, &expected, "{n} {budget} {into}");
                    let (mut to, mut keys) = (vec![of(0); n], keys.clone());
                    let (first, second) = (to.as_mut_ptr(), keys.as_mut_ptr());
                    // SAFETY: as above; the keys are where they may be sorted into.
                    unsafe { quick::<S>(&ctx, second, first, second, n, into, budget).unwrap() };
                    assert_eq!(if into { &to } else { &keys }, &expected, "{n} {budget} {into}");
                }
            }
        }
    }

    #[test]
    fn bad_pivots_lead_to_another_sort() {
        check::<avx2::Avx2<avx2::F64>>(f64::from);
        check::<avx2::Avx2<avx2::F32>>(|k| k as f32);
        check::<avx2::Avx2<avx2::I64>>(i64::from);
        check::<avx2::Avx2<avx2::I32>>(|k| k);
        check::<avx2::Avx2<avx2::U64>>(|k| k as u64);
        check::<avx2::Avx2<avx2::U32>>(|k| k as u32);
    }
}
