//! A quicksort of keys in vectors, for machines with AVX-512.
//!
//! A pass reads the keys once and writes those below a pivot to the front of the other place, the rest to its end, without a
//! branch on the data. What fits a few registers is sorted by counting for each key how many come before it. Sorted keys are
//! the same however they were sorted, so results do not depend on whether the machine has this.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use strictarray_core::Result;

use crate::Ctx;
use crate::ctx::TICK;
use crate::simd::Level;

/// Registers that hold the keys of a small sort.
const VECTORS: usize = 4;
/// From so many keys on the pivot is worth a closer look.
const MANY: usize = 2048;

macro_rules! quick {
    ($name:ident: $key:ty, $signed:ty, $mask:ty, $lanes:literal,
     $splat:ident $load:ident $mask_load:ident $store:ident $mask_store:ident
     $lt:ident $le:ident $compress:ident $mask_add:ident) => {
        pub(super) mod $name {
            use super::*;

            type K = $key;
            const LANES: usize = $lanes;
            /// Keys that are sorted in registers.
            const SMALL: usize = LANES * VECTORS;

            /// Sorts keys, if the machine can; the sorted ones are in the first place.
            pub(crate) fn sort(ctx: &Ctx<'_>, keys: &mut [K], spare: &mut [MaybeUninit<K>]) -> Option<Result<()>> {
                if ctx.simd() < Level::Avx512 || spare.len() < keys.len() {
                    return None;
                }
                let n = keys.len();
                // Twice what halving needs: pivots are seldom that bad, and then another sort takes over.
                let budget = 2 * (usize::BITS - n.leading_zeros());
                // SAFETY: the machine has the features; both places have room for n keys, apart.
                Some(unsafe { quick(ctx, keys.as_mut_ptr(), spare.as_mut_ptr().cast(), n, false, budget) })
            }

            /// The mask of the first lanes.
            #[inline(always)]
            fn first(lanes: usize) -> $mask {
                if lanes >= LANES { <$mask>::MAX } else { ((1u32 << lanes) - 1) as $mask }
            }

            /// Sorts `n` keys at `from`, into `to` or else where they are. Calls itself `budget` times deep at most.
            ///
            /// # Safety
            ///
            /// Two places with room for `n` keys, apart; the first has them. The machine has the features.
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn quick(ctx: &Ctx<'_>, from: *mut K, to: *mut K, n: usize, into: bool, budget: u32) -> Result<()> {
                // SAFETY: as the caller promises, all along: the parts lie inside the two places.
                unsafe {
                    if n <= SMALL {
                        let to = if into { to } else { from };
                        match n.div_ceil(LANES) {
                            0 | 1 => small::<1>(from, n, to),
                            2 => small::<2>(from, n, to),
                            _ => small::<VECTORS>(from, n, to),
                        }
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
                    let pivot = middle(from, n);
                    let mut left = partition::<false>(ctx, from, n, to, pivot)?;
                    if left == 0 {
                        // The pivot is the least key: those equal to it are sorted.
                        left = partition::<true>(ctx, from, n, to, pivot)?;
                        if !into {
                            std::ptr::copy_nonoverlapping(to, from, left);
                        }
                    } else {
                        quick(ctx, to, from, left, !into, budget - 1)?;
                    }
                    quick(ctx, to.add(left), from.add(left), n - left, !into, budget - 1)
                }
            }

            /// The middle one of some keys: of a vector of them, or of more where there are many.
            ///
            /// # Safety
            ///
            /// More than [`SMALL`] keys; the machine has the features.
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn middle(from: *const K, n: usize) -> K {
                let size = if n < MANY { LANES } else { SMALL };
                let step = n / size;
                let mut sample = [0; SMALL];
                for (i, key) in sample[..size].iter_mut().enumerate() {
                    // SAFETY: below n.
                    *key = unsafe { from.add(i * step + step / 2).read() };
                }
                let place = sample.as_mut_ptr();
                // SAFETY: as many keys as the sample has, which are read before any is written.
                unsafe {
                    if n < MANY {
                        small::<1>(place, size, place);
                    } else {
                        small::<VECTORS>(place, size, place);
                    }
                }
                sample[size / 2]
            }

            /// Writes keys below the pivot (or equal to it, where that is asked for) to the front, the others to the end, and
            /// says how many are in front.
            ///
            /// # Safety
            ///
            /// Two places of `n` keys, apart; the machine has the features.
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn partition<const EQUAL: bool>(
                ctx: &Ctx<'_>,
                from: *const K,
                n: usize,
                to: *mut K,
                pivot: K,
            ) -> Result<usize> {
                let pivots = $splat(pivot as $signed);
                let (mut left, mut right) = (0, n);
                let mut done = 0;
                // SAFETY: what is read lies before n. Between `left` and `right` there are as many places as keys are left:
                // at least a vector's in the loop, so that a full one may be written at `left`, and all that are not below
                // the pivot fit before `right`.
                unsafe {
                    while n - done >= LANES {
                        let x = $load(from.add(done).cast());
                        let front = if EQUAL { $le(x, pivots) } else { $lt(x, pivots) };
                        let count = front.count_ones() as usize;
                        $store(to.add(left).cast(), $compress(front, x));
                        left += count;
                        right -= LANES - count;
                        $mask_store(to.add(right).cast(), first(LANES - count), $compress(!front, x));
                        done += LANES;
                        if done.is_multiple_of(TICK) {
                            ctx.check_cancelled()?;
                        }
                    }
                    let rest = first(n - done);
                    let x = $mask_load($splat(0), rest, from.add(done).cast());
                    let front = (if EQUAL { $le(x, pivots) } else { $lt(x, pivots) }) & rest;
                    let count = front.count_ones() as usize;
                    $mask_store(to.add(left).cast(), first(count), $compress(front, x));
                    let back = !front & rest;
                    $mask_store(to.add(left + count).cast(), first(n - done - count), $compress(back, x));
                    Ok(left + count)
                }
            }

            /// Sorts keys that fit `V` registers: each goes to the place that as many lesser ones come before.
            ///
            /// # Safety
            ///
            /// `n` keys, at most `V` vectors of them, and room for as many, which may be the same; the machine has the
            /// features.
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn small<const V: usize>(from: *const K, n: usize, to: *mut K) {
                let (mut keys, mut places) = ([0 as K; SMALL], [0 as K; SMALL]);
                // SAFETY: what is read lies before n, and the vectors inside the arrays. No place is above the number of
                // other keys, so all are below n.
                unsafe {
                    let x: [_; V] = std::array::from_fn(|v| {
                        let start = (v * LANES).min(n);
                        $mask_load($splat(0), first(n - start), from.add(start).cast())
                    });
                    for v in 0..V {
                        $store(keys.as_mut_ptr().add(v * LANES).cast(), x[v]);
                    }
                    let mut place = [$splat(0); V];
                    let one = $splat(1);
                    for &key in &keys[..n] {
                        let key = $splat(key as $signed);
                        for v in 0..V {
                            place[v] = $mask_add(place[v], $lt(key, x[v]), place[v], one);
                        }
                    }
                    for v in 0..V {
                        $store(places.as_mut_ptr().add(v * LANES).cast(), place[v]);
                    }
                    let mut sum = 0;
                    for i in 0..n {
                        to.add(places[i] as usize).write(keys[i]);
                        sum += places[i] as usize;
                    }
                    // Equal keys share a place: then it is not each place from 0 to n - 1 that was written.
                    if sum != n * n.saturating_sub(1) / 2 {
                        let to = std::slice::from_raw_parts_mut(to, n);
                        to.copy_from_slice(&keys[..n]);
                        to.sort_unstable();
                    }
                }
            }
        }
    };
}

quick! {
    of_u64: u64, i64, __mmask8, 8,
    _mm512_set1_epi64 _mm512_loadu_epi64 _mm512_mask_loadu_epi64 _mm512_storeu_epi64 _mm512_mask_storeu_epi64
    _mm512_cmplt_epu64_mask _mm512_cmple_epu64_mask _mm512_maskz_compress_epi64 _mm512_mask_add_epi64
}

quick! {
    of_u32: u32, i32, __mmask16, 16,
    _mm512_set1_epi32 _mm512_loadu_epi32 _mm512_mask_loadu_epi32 _mm512_storeu_epi32 _mm512_mask_storeu_epi32
    _mm512_cmplt_epu32_mask _mm512_cmple_epu32_mask _mm512_maskz_compress_epi32 _mm512_mask_add_epi32
}
