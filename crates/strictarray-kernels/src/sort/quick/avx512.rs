//! The steps of the quicksort with AVX-512: compressed stores and masks.

use std::arch::x86_64::*;

use strictarray_core::Result;

use super::Steps;
use crate::Ctx;
use crate::ctx::TICK;
use crate::simd::Level;

/// Registers that hold the keys of a small sort.
const VECTORS: usize = 4;

/// From so many keys on the pivot is worth a closer look.
const MANY: usize = 2048;
/// The most keys that are sorted in registers.
const MOST: usize = 64;

/// The middle one of some keys: of a register of them and of eight at least, or of more where there are many.
///
/// # Safety
///
/// More than [`SMALL`](Steps::SMALL) keys; the machine has the instruction set.
unsafe fn middle_of_samples<S: Steps<Key: Default>>(from: *const S::Key, n: usize, lanes: usize) -> S::Key {
    const { assert!(S::SMALL <= MOST) };
    let size = if n < MANY { lanes.max(8) } else { S::SMALL };
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

macro_rules! steps {
    ($name:ident: $key:ty, $signed:ty, $mask:ty, $lanes:literal,
     $splat:ident $load:ident $mask_load:ident $store:ident $mask_store:ident
     $lt:ident $le:ident $compress:ident $mask_add:ident) => {
        pub(super) struct $name;

        // SAFETY: keys are moved whole, each to a place of its own.
        unsafe impl Steps for $name {
            type Key = $key;
            const LEVEL: Level = Level::Avx512;
            const SMALL: usize = $lanes * VECTORS;

            #[inline(always)]
            unsafe fn middle(from: *const $key, n: usize) -> $key {
                // SAFETY: as the caller promises.
                unsafe { middle_of_samples::<$name>(from, n, $lanes) }
            }

            #[inline(always)]
            unsafe fn partition<const EQUAL: bool>(
                ctx: &Ctx<'_>,
                from: *const $key,
                n: usize,
                to: *mut $key,
                pivot: $key,
            ) -> Result<usize> {
                // SAFETY: as the caller promises.
                unsafe { $name::partition_of::<EQUAL>(ctx, from, n, to, pivot) }
            }

            #[inline(always)]
            unsafe fn small(from: *const $key, n: usize, to: *mut $key) {
                // SAFETY: as the caller promises.
                unsafe {
                    match n.div_ceil($lanes) {
                        0 | 1 => $name::small_of::<1>(from, n, to),
                        2 => $name::small_of::<2>(from, n, to),
                        _ => $name::small_of::<VECTORS>(from, n, to),
                    }
                }
            }
        }

        impl $name {
            /// The mask of the first lanes.
            #[inline(always)]
            fn first(lanes: usize) -> $mask {
                if lanes >= $lanes { <$mask>::MAX } else { ((1u32 << lanes) - 1) as $mask }
            }

            /// # Safety
            ///
            /// As [`Steps::partition`].
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn partition_of<const EQUAL: bool>(
                ctx: &Ctx<'_>,
                from: *const $key,
                n: usize,
                to: *mut $key,
                pivot: $key,
            ) -> Result<usize> {
                let pivots = $splat(pivot as $signed);
                let (mut left, mut right) = (0, n);
                let mut done = 0;
                // SAFETY: what is read lies before n. Between `left` and `right` there are as many places as keys are left:
                // at least a vector's in the loop, so that a full one may be written at `left`, and all that are not below
                // the pivot fit before `right`.
                unsafe {
                    while n - done >= $lanes {
                        let x = $load(from.add(done).cast());
                        let front = if EQUAL { $le(x, pivots) } else { $lt(x, pivots) };
                        let count = front.count_ones() as usize;
                        $store(to.add(left).cast(), $compress(front, x));
                        left += count;
                        right -= $lanes - count;
                        $mask_store(to.add(right).cast(), Self::first($lanes - count), $compress(!front, x));
                        done += $lanes;
                        if done.is_multiple_of(TICK) {
                            ctx.check_cancelled()?;
                        }
                    }
                    let rest = Self::first(n - done);
                    let x = $mask_load($splat(0), rest, from.add(done).cast());
                    let front = (if EQUAL { $le(x, pivots) } else { $lt(x, pivots) }) & rest;
                    let count = front.count_ones() as usize;
                    $mask_store(to.add(left).cast(), Self::first(count), $compress(front, x));
                    let back = !front & rest;
                    $mask_store(to.add(left + count).cast(), Self::first(n - done - count), $compress(back, x));
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
            unsafe fn small_of<const V: usize>(from: *const $key, n: usize, to: *mut $key) {
                let (mut keys, mut places) = ([0 as $key; $lanes * VECTORS], [0 as $key; $lanes * VECTORS]);
                // SAFETY: what is read lies before n, and the vectors inside the arrays. No place is above the number of
                // other keys, so all are below n.
                unsafe {
                    let x: [_; V] = std::array::from_fn(|v| {
                        let start = (v * $lanes).min(n);
                        $mask_load($splat(0), Self::first(n - start), from.add(start).cast())
                    });
                    for v in 0..V {
                        $store(keys.as_mut_ptr().add(v * $lanes).cast(), x[v]);
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
                        $store(places.as_mut_ptr().add(v * $lanes).cast(), place[v]);
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

steps! {
    OfU64: u64, i64, __mmask8, 8,
    _mm512_set1_epi64 _mm512_loadu_epi64 _mm512_mask_loadu_epi64 _mm512_storeu_epi64 _mm512_mask_storeu_epi64
    _mm512_cmplt_epu64_mask _mm512_cmple_epu64_mask _mm512_maskz_compress_epi64 _mm512_mask_add_epi64
}

steps! {
    OfU32: u32, i32, __mmask16, 16,
    _mm512_set1_epi32 _mm512_loadu_epi32 _mm512_mask_loadu_epi32 _mm512_storeu_epi32 _mm512_mask_storeu_epi32
    _mm512_cmplt_epu32_mask _mm512_cmple_epu32_mask _mm512_maskz_compress_epi32 _mm512_mask_add_epi32
}
