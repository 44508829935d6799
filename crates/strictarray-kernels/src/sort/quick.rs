//! A quicksort of keys, or of elements as they are, in vectors, for machines with AVX2 or AVX-512.
//!
//! A pass brings keys below a pivot to the front, the rest to the end, without a branch on the data: the first one on the way
//! to where they are wanted, the others in place. What fits some registers is sorted there. Sorted keys are the same however
//! they were sorted, so results do not depend on whether the machine has this; of floats as they are that is true but for the
//! signs of zeros, which the caller puts right.

pub(super) mod avx2;
pub(super) mod avx512;
mod network;
mod steps;

use strictarray_core::Result;

use super::key::{Sortable, Vectors};
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

    /// As [`partition`](Steps::partition), of keys where they are.
    ///
    /// # Safety
    ///
    /// `n` keys; the machine has the instruction set.
    unsafe fn partition_in_place<const EQUAL: bool>(
        ctx: &Ctx<'_>,
        keys: *mut Self::Key,
        n: usize,
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

/// Elements that can be sorted in vectors.
pub(super) trait Quick: Copy + Sized {
    /// What there is for them on a machine of this level.
    fn vectors(level: Level) -> Option<Vectors<Self>>;
}

macro_rules! quick {
    ($($element:ty: $vector:ident;)*) => { $(
        impl Quick for $element {
            #[inline]
            fn vectors(level: Level) -> Option<Vectors<$element>> {
                match level {
                    Level::Baseline => None,
                    Level::Avx2 => Some(avx2::vectors::<avx2::$vector>()),
                    Level::Avx512 => Some(avx512::vectors::<avx512::$vector>()),
                }
            }
        }
    )* };
}

quick! {
    f32: F32;
    f64: F64;
    i32: I32;
    i64: I64;
    u32: U32;
    u64: U64;
}

/// Sorts `n` keys into a place, which may be where they are.
///
/// # Safety
///
/// `n` keys, and room for as many, which is apart from them or theirs. The machine has the instruction set.
unsafe fn sort_into<S: Steps>(ctx: &Ctx<'_>, from: *const S::Key, n: usize, to: *mut S::Key) -> Result<()> {
    // Twice what halving needs: pivots are seldom that bad, and then another sort takes over.
    let budget = 2 * (usize::BITS - n.leading_zeros());
    // SAFETY: as the caller promises; the parts lie inside the place.
    unsafe {
        if n <= S::SMALL {
            S::small(from, n, to);
            return Ok(());
        }
        if std::ptr::eq(from, to) {
            return quick::<S>(ctx, to, n, budget);
        }
        let pivot = S::middle(from, n);
        let left = S::partition::<false>(ctx, from, n, to, pivot)?;
        quick::<S>(ctx, to, left, budget)?;
        quick::<S>(ctx, to.add(left), n - left, budget)
    }
}

/// Sorts `n` keys where they are. Calls itself `budget` times deep at most.
///
/// # Safety
///
/// `n` keys; the machine has the instruction set.
unsafe fn quick<S: Steps>(ctx: &Ctx<'_>, mut keys: *mut S::Key, mut n: usize, mut budget: u32) -> Result<()> {
    // SAFETY: as the caller promises, all along: the parts lie inside the keys.
    unsafe {
        while n > S::SMALL {
            if budget == 0 {
                std::slice::from_raw_parts_mut(keys, n).sort_unstable_by_key(|key| key.exact());
                return Ok(());
            }
            budget -= 1;
            if n >= TICK / 8 {
                ctx.check_cancelled()?;
            }
            let pivot = S::middle(keys, n);
            let mut left = S::partition_in_place::<false>(ctx, keys, n, pivot)?;
            if left == 0 {
                // The pivot is the least key: those equal to it are sorted.
                left = S::partition_in_place::<true>(ctx, keys, n, pivot)?;
            } else {
                quick::<S>(ctx, keys, left, budget)?;
            }
            keys = keys.add(left);
            n -= left;
        }
        S::small(keys, n, keys);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<S: Steps<Key: PartialEq + std::fmt::Debug>>(level: Level, of: impl Fn(i32) -> S::Key) {
        let ctx = Ctx::new();
        if ctx.simd() < level {
            return;
        }
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as i32 - (1 << 23)
        };
        // All lengths of small sorts, and some around those of passes.
        let lengths = (0..=S::SMALL + 40).chain([511, 512, 513, 600, 1000, 1023, 1024, 1025, 5000, 20_000]);
        for n in lengths {
            // Of many values, and of few: so that many are equal to the pivot, or all.
            for values in [1 << 24, 100, 2, 1] {
                let keys: Vec<S::Key> = (0..n).map(|_| of(random().rem_euclid(values) - values / 2)).collect();
                let mut expected = keys.clone();
                expected.sort_unstable_by_key(|key| key.exact());
                let mut to = vec![of(0); n];
                // SAFETY: the machine has the instruction set; places of n keys, apart.
                unsafe { sort_into::<S>(&ctx, keys.as_ptr(), n, to.as_mut_ptr()).unwrap() };
                assert_eq!(to, expected, "{n} {values}");
                // As if all pivots were bad from some depth on, or from the start.
                for budget in [0, 1, 2, 5, 40] {
                    let mut to = keys.clone();
                    // SAFETY: the machine has the instruction set.
                    unsafe { quick::<S>(&ctx, to.as_mut_ptr(), n, budget).unwrap() };
                    assert_eq!(to, expected, "{n} {values} {budget}");
                }
            }
        }
    }

    /// Whether passes bring to the front what belongs there, and lose no key, whatever the share of either.
    fn check_passes<S: Steps<Key: PartialEq + PartialOrd + std::fmt::Debug>>(level: Level, of: impl Fn(i32) -> S::Key) {
        let ctx = Ctx::new();
        if ctx.simd() < level {
            return;
        }
        let mut state = 1u32;
        for n in (0..300).chain([511, 512, 513, 777, 1024, 4000]) {
            for share in [0, 1, 10, 50, 90, 99, 100] {
                // Runs of one kind, too: then one end is read from for long.
                for run in [1, 7, 300] {
                    let mut front = false;
                    let keys: Vec<S::Key> = (0..n)
                        .map(|i| {
                            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                            front = if i % run == 0 { (state >> 16) % 100 < share } else { front };
                            of(if front { -1 - i as i32 } else { i as i32 })
                        })
                        .collect();
                    for equal in [false, true] {
                        let pivot = of(0);
                        let before = |key: &S::Key| *key < pivot || equal && *key == pivot;
                        let (mut apart, mut here) = (vec![of(0); n], keys.clone());
                        // SAFETY: the machine has the instruction set; places of n keys, apart.
                        let counts = unsafe {
                            let (from, to, here) = (keys.as_ptr(), apart.as_mut_ptr(), here.as_mut_ptr());
                            if equal {
                                let count = S::partition::<true>(&ctx, from, n, to, pivot).unwrap();
                                [count, S::partition_in_place::<true>(&ctx, here, n, pivot).unwrap()]
                            } else {
                                let count = S::partition::<false>(&ctx, from, n, to, pivot).unwrap();
                                [count, S::partition_in_place::<false>(&ctx, here, n, pivot).unwrap()]
                            }
                        };
                        let mut sorted = keys.clone();
                        sorted.sort_unstable_by_key(|key| key.exact());
                        for (mut got, count) in [apart, here].into_iter().zip(counts) {
                            assert_eq!(count, keys.iter().filter(|key| before(key)).count(), "{n} {share} {run}");
                            assert!(got[..count].iter().all(before) && !got[count..].iter().any(before));
                            got.sort_unstable_by_key(|key| key.exact());
                            assert_eq!(got, sorted, "{n} {share} {run} {equal}");
                        }
                    }
                }
            }
        }
    }

    macro_rules! all {
        ($check:ident) => {
            $check::<avx2::Avx2<avx2::F64>>(Level::Avx2, f64::from);
            $check::<avx2::Avx2<avx2::F32>>(Level::Avx2, |k| k as f32);
            $check::<avx2::Avx2<avx2::I64>>(Level::Avx2, i64::from);
            $check::<avx2::Avx2<avx2::I32>>(Level::Avx2, |k| k);
            $check::<avx2::Avx2<avx2::U64>>(Level::Avx2, |k| (i64::from(k) + (1 << 40)) as u64);
            $check::<avx2::Avx2<avx2::U32>>(Level::Avx2, |k| k as u32 ^ 1 << 31);
            $check::<avx512::Avx512<avx512::F64>>(Level::Avx512, f64::from);
            $check::<avx512::Avx512<avx512::F32>>(Level::Avx512, |k| k as f32);
            $check::<avx512::Avx512<avx512::I64>>(Level::Avx512, i64::from);
            $check::<avx512::Avx512<avx512::I32>>(Level::Avx512, |k| k);
            $check::<avx512::Avx512<avx512::U64>>(Level::Avx512, |k| (i64::from(k) + (1 << 40)) as u64);
            $check::<avx512::Avx512<avx512::U32>>(Level::Avx512, |k| k as u32 ^ 1 << 31);
        };
    }

    #[test]
    fn all_lengths_are_sorted_and_bad_pivots_lead_to_another_sort() {
        all!(check);
    }

    #[test]
    fn passes_bring_keys_to_their_ends() {
        all!(check_passes);
    }
}
