//! The steps of the quicksort with AVX2: keys are brought to the front and to the end of a register by a table.

use std::arch::x86_64::*;

use strictarray_core::Result;

use super::Steps;
use crate::Ctx;
use crate::ctx::TICK;
use crate::simd::Level;

/// For each set of lanes the halves or wholes of eight bytes in which those of the set come first, the others after them.
const fn to_the_front<const SETS: usize>(lanes: usize) -> [[u32; 8]; SETS] {
    let words = 8 / lanes;
    let mut table = [[0; 8]; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut at, mut wanted) = (0, 1);
        while at < 8 {
            let mut lane = 0;
            while lane < lanes {
                if set >> lane & 1 == wanted {
                    let mut word = 0;
                    while word < words {
                        table[set][at] = (lane * words + word) as u32;
                        at += 1;
                        word += 1;
                    }
                }
                lane += 1;
            }
            wanted = 0;
        }
        set += 1;
    }
    table
}

macro_rules! steps {
    ($name:ident: $key:ty, $signed:ty, $lanes:literal, $sets:literal, $small:literal, $sort:ident,
     $splat:ident $greater:ident $cast:ident $movemask:ident) => {
        pub(super) struct $name;

        // SAFETY: keys are moved whole, each to a place of its own.
        unsafe impl Steps for $name {
            type Key = $key;
            const LEVEL: Level = Level::Avx2;
            const LANES: usize = $lanes;
            const SMALL: usize = $small;
            const LEAST: usize = 16;

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
                unsafe { $sort(from, n, to) }
            }
        }

        impl $name {
            /// # Safety
            ///
            /// As [`Steps::partition`].
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn partition_of<const EQUAL: bool>(
                ctx: &Ctx<'_>,
                from: *const $key,
                n: usize,
                to: *mut $key,
                pivot: $key,
            ) -> Result<usize> {
                static FRONT: [[u32; 8]; $sets] = to_the_front($lanes);
                // Comparisons are of signed numbers.
                const SIGN: $signed = <$signed>::MIN;
                let (sign, pivots) = ($splat(SIGN), $splat(pivot as $signed ^ SIGN));
                let (mut left, mut right) = (0, n);
                let mut done = 0;
                // SAFETY: what is read lies before n. Between `left` and `right` there are as many places as keys are left:
                // at least two vectors' in the first loop, so that all keys of one may be written to both ends without
                // touching one another's.
                unsafe {
                    while n - done >= 2 * $lanes {
                        let x = _mm256_loadu_si256(from.add(done).cast());
                        let signed = _mm256_xor_si256(x, sign);
                        let front = if EQUAL {
                            !$movemask($cast($greater(signed, pivots))) as usize & ($sets - 1)
                        } else {
                            $movemask($cast($greater(pivots, signed))) as usize
                        };
                        let places = _mm256_loadu_si256(FRONT[front].as_ptr().cast());
                        let x = _mm256_permutevar8x32_epi32(x, places);
                        _mm256_storeu_si256(to.add(left).cast(), x);
                        _mm256_storeu_si256(to.add(right - $lanes).cast(), x);
                        let count = front.count_ones() as usize;
                        left += count;
                        right -= $lanes - count;
                        done += $lanes;
                        if done.is_multiple_of(TICK) {
                            ctx.check_cancelled()?;
                        }
                    }
                    while done < n {
                        let key = from.add(done).read();
                        let front = if EQUAL { key <= pivot } else { key < pivot };
                        to.add(left).write(key);
                        to.add(right - 1).write(key);
                        left += usize::from(front);
                        right -= usize::from(!front);
                        done += 1;
                    }
                }
                Ok(left)
            }
        }
    };
}

steps! {
    OfU64: u64, i64, 4, 16, 32, sort_u64,
    _mm256_set1_epi64x _mm256_cmpgt_epi64 _mm256_castsi256_pd _mm256_movemask_pd
}

steps! {
    OfU32: u32, i32, 8, 256, 32, sort_u32,
    _mm256_set1_epi32 _mm256_cmpgt_epi32 _mm256_castsi256_ps _mm256_movemask_ps
}

/// Sorts keys by counting for each how many come before it: lesser ones, and equal ones that stand before it.
macro_rules! by_counting {
    ($name:ident: $key:ty, $signed:ty, $lanes:literal, $vectors:literal, $splat:ident $greater:ident $equal:ident
     $add:ident $sub:ident $numbers:expr) => {
        /// # Safety
        ///
        /// As [`Steps::small`], of as many keys as the registers have; the machine has AVX2.
        #[target_feature(enable = "avx2")]
        unsafe fn $name(from: *const $key, n: usize, to: *mut $key) {
            const SIGN: $key = 1 << (<$key>::BITS - 1);
            // What is not a key is a greatest one that stands after all.
            let (mut keys, mut places) = ([<$signed>::MAX; $lanes * $vectors], [0 as $key; $lanes * $vectors]);
            // SAFETY: as the caller promises; vectors lie inside the arrays, and each key's place is its own, below n.
            unsafe {
                for (i, key) in keys[..n].iter_mut().enumerate() {
                    *key = (from.add(i).read() ^ SIGN) as $signed;
                }
                let x: [__m256i; $vectors] =
                    std::array::from_fn(|v| _mm256_loadu_si256(keys.as_ptr().add($lanes * v).cast()));
                // As if all keys of the vectors before were lesser: those that are greater are taken off.
                let mut place: [__m256i; $vectors] = std::array::from_fn(|v| $splat(($lanes * v) as $signed));
                let lane = $numbers;
                for group in 0..$vectors {
                    for j in 0..$lanes {
                        let key = $splat(keys[$lanes * group + j]);
                        for v in 0..group {
                            place[v] = $sub(place[v], $greater(x[v], key));
                        }
                        let before = _mm256_and_si256($equal(x[group], key), $greater(lane, $splat(j as $signed)));
                        place[group] = $sub(place[group], _mm256_or_si256(before, $greater(x[group], key)));
                        for v in group + 1..$vectors {
                            place[v] = $add(place[v], $greater(key, x[v]));
                        }
                    }
                }
                for v in 0..$vectors {
                    _mm256_storeu_si256(places.as_mut_ptr().add($lanes * v).cast(), place[v]);
                }
                for i in 0..n {
                    to.add(places[i] as usize).write(keys[i] as $key ^ SIGN);
                }
            }
        }
    };
}

by_counting! {
    count_16_u64: u64, i64, 4, 4, _mm256_set1_epi64x _mm256_cmpgt_epi64 _mm256_cmpeq_epi64 _mm256_add_epi64 _mm256_sub_epi64
    _mm256_setr_epi64x(0, 1, 2, 3)
}
by_counting! {
    count_16_u32: u32, i32, 8, 2, _mm256_set1_epi32 _mm256_cmpgt_epi32 _mm256_cmpeq_epi32 _mm256_add_epi32 _mm256_sub_epi32
    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
}
by_counting! {
    count_32_u32: u32, i32, 8, 4, _mm256_set1_epi32 _mm256_cmpgt_epi32 _mm256_cmpeq_epi32 _mm256_add_epi32 _mm256_sub_epi32
    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
}

/// # Safety
///
/// As [`Steps::small`].
#[inline(always)]
unsafe fn sort_u32(from: *const u32, n: usize, to: *mut u32) {
    // SAFETY: as the caller promises.
    unsafe { if n <= 16 { count_16_u32(from, n, to) } else { count_32_u32(from, n, to) } }
}

/// # Safety
///
/// As [`Steps::small`].
#[inline(always)]
unsafe fn sort_u64(from: *const u64, n: usize, to: *mut u64) {
    // SAFETY: as the caller promises.
    unsafe { if n <= 16 { count_16_u64(from, n, to) } else { network(from, n, to) } }
}

/// Four keys from a place on as signed numbers in the same order; the greatest one where there are no more. Straight from
/// where they are: what was just written in pieces could not be read as a whole at once.
///
/// # Safety
///
/// `n` keys; the machine has AVX2.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load_signed(from: *const u64, n: usize, start: usize) -> __m256i {
    let lane = _mm256_setr_epi64x(0, 1, 2, 3);
    let there = _mm256_cmpgt_epi64(_mm256_set1_epi64x(n as i64 - start as i64), lane);
    // SAFETY: only lanes below n are read.
    let keys = unsafe { _mm256_maskload_epi64(from.wrapping_add(start).cast(), there) };
    let signed = _mm256_xor_si256(keys, _mm256_set1_epi64x(i64::MIN));
    _mm256_blendv_epi8(_mm256_set1_epi64x(i64::MAX), signed, there)
}

/// The lesser of both in each lane to the first, the greater to the second.
#[inline]
#[target_feature(enable = "avx2")]
fn exchange(a: &mut __m256i, b: &mut __m256i) {
    let greater = _mm256_cmpgt_epi64(*a, *b);
    (*a, *b) = (_mm256_blendv_epi8(*a, *b, greater), _mm256_blendv_epi8(*b, *a, greater));
}

#[inline]
#[target_feature(enable = "avx2")]
fn reversed(x: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b00_01_10_11>(x)
}

#[inline]
#[target_feature(enable = "avx2")]
fn transposed([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    let (a, b) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    let (c, d) = (_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
    [
        _mm256_permute2x128_si256::<0x20>(a, c),
        _mm256_permute2x128_si256::<0x20>(b, d),
        _mm256_permute2x128_si256::<0x31>(a, c),
        _mm256_permute2x128_si256::<0x31>(b, d),
    ]
}

/// Sorts the four keys of each of two registers, which rise and then fall, or the other way around from some lane on.
#[inline]
#[target_feature(enable = "avx2")]
fn merge_lanes(a: &mut __m256i, b: &mut __m256i) {
    let mut low = _mm256_permute2x128_si256::<0x20>(*a, *b);
    let mut high = _mm256_permute2x128_si256::<0x31>(*a, *b);
    exchange(&mut low, &mut high);
    let mut even = _mm256_unpacklo_epi64(low, high);
    let mut odd = _mm256_unpackhi_epi64(low, high);
    exchange(&mut even, &mut odd);
    let (low, high) = (_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd));
    *a = _mm256_permute2x128_si256::<0x20>(low, high);
    *b = _mm256_permute2x128_si256::<0x31>(low, high);
}

/// Merges two times eight sorted keys.
#[inline]
#[target_feature(enable = "avx2")]
fn merge_8([mut a, mut b]: [__m256i; 2], [c, d]: [__m256i; 2]) -> [__m256i; 4] {
    let (mut c, mut d) = (reversed(d), reversed(c));
    exchange(&mut a, &mut c);
    exchange(&mut b, &mut d);
    exchange(&mut a, &mut b);
    exchange(&mut c, &mut d);
    merge_lanes(&mut a, &mut b);
    merge_lanes(&mut c, &mut d);
    [a, b, c, d]
}

/// Sorts sixteen keys that rise and then fall, or the other way around from some on.
#[inline]
#[target_feature(enable = "avx2")]
fn merge_16([mut a, mut b, mut c, mut d]: [__m256i; 4]) -> [__m256i; 4] {
    exchange(&mut a, &mut c);
    exchange(&mut b, &mut d);
    exchange(&mut a, &mut b);
    exchange(&mut c, &mut d);
    merge_lanes(&mut a, &mut b);
    merge_lanes(&mut c, &mut d);
    [a, b, c, d]
}

/// Sorts up to 32 keys by a network: the lanes of eight registers, then these merged.
///
/// # Safety
///
/// As [`Steps::small`]; the machine has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn network(from: *const u64, n: usize, to: *mut u64) {
    debug_assert!(n <= 32);
    let sign = _mm256_set1_epi64x(i64::MIN);
    let mut keys = [0; 32];
    // SAFETY: what is read lies before n.
    let mut x: [__m256i; 8] = std::array::from_fn(|v| unsafe { load_signed(from, n, 4 * v) });
    macro_rules! exchanges {
        ($($a:literal $b:literal,)*) => { $(
            let (mut a, mut b) = (x[$a], x[$b]);
            exchange(&mut a, &mut b);
            (x[$a], x[$b]) = (a, b);
        )* };
    }
    exchanges! {
        0 1, 2 3, 4 5, 6 7,
        0 2, 1 3, 4 6, 5 7,
        1 2, 5 6, 0 4, 3 7,
        1 5, 2 6,
        1 4, 3 6,
        2 4, 3 5,
        3 4,
    }
    let [a, b, c, d, e, f, g, h] = x;
    let (low, high) = (transposed([a, b, c, d]), transposed([e, f, g, h]));
    let [mut a, mut b, mut c, mut d] = merge_8([low[0], high[0]], [low[1], high[1]]);
    let [e, f, g, h] = merge_8([low[2], high[2]], [low[3], high[3]]);
    let (mut e, mut f, mut g, mut h) = (reversed(h), reversed(g), reversed(f), reversed(e));
    exchange(&mut a, &mut e);
    exchange(&mut b, &mut f);
    exchange(&mut c, &mut g);
    exchange(&mut d, &mut h);
    let [a, b, c, d] = merge_16([a, b, c, d]);
    let [e, f, g, h] = merge_16([e, f, g, h]);
    for (v, x) in [a, b, c, d, e, f, g, h].into_iter().enumerate() {
        // SAFETY: the vectors lie inside the array.
        unsafe { _mm256_storeu_si256(keys.as_mut_ptr().add(4 * v).cast(), _mm256_xor_si256(sign, x)) };
    }
    // SAFETY: as the caller promises.
    unsafe { std::ptr::copy_nonoverlapping(keys.as_ptr(), to, n) };
}
