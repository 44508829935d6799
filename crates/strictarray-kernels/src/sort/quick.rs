//! A quicksort of keys in vectors, for machines with AVX2 or AVX-512.
//!
//! A pass reads the keys once and writes those below a pivot to the front of the other place, the rest to its end, without a
//! branch on the data. What fits a few registers is sorted there. Sorted keys are the same however they were sorted, so
//! results do not depend on whether the machine has this.

mod avx2;
mod avx512;

use std::mem::MaybeUninit;

use strictarray_core::Result;

use crate::Ctx;
use crate::ctx::TICK;
use crate::simd::Level;

/// What an instruction set does for a type of keys.
///
/// # Safety
///
/// The methods do what they say.
unsafe trait Steps {
    type Key: Copy + Ord + Default;
    /// The instruction set.
    const LEVEL: Level;
    /// Keys of a register.
    const LANES: usize;
    /// Keys that are sorted in registers, [`MOST`] at most.
    const SMALL: usize;
    /// Up to so many keys on their own are sorted as well without vectors.
    const LEAST: usize;

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

/// From so many keys on the pivot is worth a closer look.
const MANY: usize = 2048;
/// The most keys that are sorted in registers.
const MOST: usize = 64;

/// Keys that can be sorted in vectors.
pub(super) trait Quick: Copy + Sized {
    /// Sorts keys, if the machine can; the sorted ones are in the first place.
    fn sort(ctx: &Ctx<'_>, keys: &mut [Self], spare: &mut [MaybeUninit<Self>]) -> Option<Result<()>>;
}

macro_rules! quick {
    ($key:ty: $avx2:ty, $avx512:ty) => {
        impl Quick for $key {
            fn sort(ctx: &Ctx<'_>, keys: &mut [$key], spare: &mut [MaybeUninit<$key>]) -> Option<Result<()>> {
                match ctx.simd() {
                    Level::Baseline => None,
                    Level::Avx2 => sort::<$avx2>(ctx, keys, spare),
                    Level::Avx512 => sort::<$avx512>(ctx, keys, spare),
                }
            }
        }
    };
}

quick!(u32: avx2::OfU32, avx512::OfU32);
quick!(u64: avx2::OfU64, avx512::OfU64);

fn sort<S: Steps>(ctx: &Ctx<'_>, keys: &mut [S::Key], spare: &mut [MaybeUninit<S::Key>]) -> Option<Result<()>> {
    let n = keys.len();
    if ctx.simd() < S::LEVEL || spare.len() < n || n <= S::LEAST {
        return None;
    }
    // Twice what halving needs: pivots are seldom that bad, and then another sort takes over.
    let budget = 2 * (usize::BITS - n.leading_zeros());
    // SAFETY: the machine has the instruction set; both places have room for n keys, apart.
    Some(unsafe { quick::<S>(ctx, keys.as_mut_ptr(), spare.as_mut_ptr().cast(), n, false, budget) })
}

/// Sorts `n` keys at `from`, into `to` or else where they are. Calls itself `budget` times deep at most.
///
/// # Safety
///
/// Two places with room for `n` keys, apart; the first has them. The machine has the instruction set.
unsafe fn quick<S: Steps>(
    ctx: &Ctx<'_>,
    from: *mut S::Key,
    to: *mut S::Key,
    n: usize,
    into: bool,
    budget: u32,
) -> Result<()> {
    // SAFETY: as the caller promises, all along: the parts lie inside the two places.
    unsafe {
        if n <= S::SMALL {
            S::small(from, n, if into { to } else { from });
            return Ok(());
        }
        if budget == 0 {
            std::slice::from_raw_parts_mut(from, n).sort_unstable();
            if into {
                std::ptr::copy_nonoverlapping(from, to, n);
            }
            return Ok(());
        }
        if n >= TICK / 8 {
            ctx.check_cancelled()?;
        }
        let pivot = middle::<S>(from, n);
        let mut left = S::partition::<false>(ctx, from, n, to, pivot)?;
        if left == 0 {
            // The pivot is the least key: those equal to it are sorted.
            left = S::partition::<true>(ctx, from, n, to, pivot)?;
            if !into {
                std::ptr::copy_nonoverlapping(to, from, left);
            }
        } else {
            quick::<S>(ctx, to, from, left, !into, budget - 1)?;
        }
        quick::<S>(ctx, to.add(left), from.add(left), n - left, !into, budget - 1)
    }
}

/// The middle one of some keys: of a register of them and of eight at least, or of more where there are many.
///
/// # Safety
///
/// More than [`SMALL`](Steps::SMALL) keys; the machine has the instruction set.
unsafe fn middle<S: Steps>(from: *const S::Key, n: usize) -> S::Key {
    let few = const {
        let few = if S::LANES > 8 { S::LANES } else { 8 };
        assert!(few <= S::SMALL && S::SMALL <= MOST);
        few
    };
    let size = if n < MANY { few } else { S::SMALL };
    let step = n / size;
    let mut sample = [S::Key::default(); MOST];
    for (i, key) in sample[..size].iter_mut().enumerate() {
        // SAFETY: below n.
        *key = unsafe { from.add(i * step + step / 2).read() };
    }
    let place = sample.as_mut_ptr();
    // SAFETY: as many keys as the sample has, which are read before any is written.
    unsafe { S::small(place, size, place) };
    sample[size / 2]
}
