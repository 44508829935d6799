//! Where the first of the largest or smallest of elements side by side is, found in one pass: on machines with AVX2.
//!
//! Each lane of a vector keeps the best element that it met and the number of the block of vectors where it met that first.
//! Of the lanes whose best element is the best of all the lowest number is that of the block to look into: nothing of it
//! depends on a branch that could be guessed wrong, so that the search in one row of a matrix goes on beside the next one's.

use std::arch::x86_64::*;

use strictarray_core::DType;

use crate::simd::Level;

/// The way for a data type and a direction.
#[derive(Clone, Copy)]
pub(super) struct First {
    /// Elements from which on there is enough for it.
    pub(super) least: usize,
    /// Gives the place of the first extreme of so many elements, 2 to the power of 31 at most, and writes what is there to
    /// the last pointer. What it asks of its caller is what [`Extremes`](super::extremes::Extremes) says.
    pub(super) find: unsafe fn(x: *const u8, n: usize, value: *mut u8) -> usize,
}

impl First {
    pub(super) fn of(level: Level, dtype: DType, largest: bool) -> Option<First> {
        macro_rules! pick {
            ($name:ident) => {
                Some(if largest { $name::first::<true>() } else { $name::first::<false>() })
            };
        }
        match (level, dtype) {
            (Level::Baseline, _) => None,
            (Level::Avx2, DType::Float32) => pick!(avx2_f32),
            (Level::Avx2, DType::Float64) => pick!(avx2_f64),
            (Level::Avx2, DType::Int32) => pick!(avx2_i32),
            (Level::Avx2, DType::UInt32) => pick!(avx2_u32),
            (Level::Avx2, DType::Int64) => pick!(avx2_i64),
            (Level::Avx2, DType::UInt64) => pick!(avx2_u64),
            (Level::Avx512, DType::Float32) => pick!(avx512_f32),
            (Level::Avx512, DType::Float64) => pick!(avx512_f64),
            (Level::Avx512, DType::Int32) => pick!(avx512_i32),
            (Level::Avx512, DType::UInt32) => pick!(avx512_u32),
            (Level::Avx512, DType::Int64) => pick!(avx512_i64),
            (Level::Avx512, DType::UInt64) => pick!(avx512_u64),
            _ => None,
        }
    }
}

macro_rules! first {
    ($($name:ident: $features:literal, [$element:ident, $place:ident, $vector:ident], $rows:literal rows,
        $max:ident $min:ident $above:ident $equal:ident $unordered:ident, $or:ident $choose:ident $bits:ident;)*) => { $(
        mod $name {
            use super::*;

            const LANES: usize = size_of::<$vector>() / size_of::<$element>();
            /// Vectors of a block, where there are so many elements: each lane then waits seldom for what it was before.
            const ROWS: usize = $rows;
            const FEW_ROWS: usize = 4;

            pub(super) fn first<const LARGEST: bool>() -> First {
                First { least: FEW_ROWS * LANES, find: find::<LARGEST> }
            }

            /// # Safety
            ///
            /// As [`First::find`], of these elements; the machine has the features.
            #[target_feature(enable = $features)]
            unsafe fn find<const LARGEST: bool>(x: *const u8, n: usize, value: *mut u8) -> usize {
                // SAFETY: as the caller promises.
                unsafe {
                    let x = x.cast::<$element>();
                    let place = if n >= ROWS * LANES {
                        find_in_blocks::<LARGEST, ROWS>(x, n)
                    } else {
                        find_in_blocks::<LARGEST, FEW_ROWS>(x, n)
                    };
                    value.cast::<$element>().write(x.add(place).read());
                    place
                }
            }

            /// # Safety
            ///
            /// As `find`, with as many elements as a block of `N` vectors has at least.
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn find_in_blocks<const LARGEST: bool, const N: usize>(x: *const $element, n: usize) -> usize {
                let block = N * LANES;
                let better = |a: $vector, b: $vector| if LARGEST { $max(a, b) } else { $min(a, b) };
                let above = |a: $vector, b: $vector| if LARGEST { $above(a, b) } else { $above(b, a) };
                // The last block begins before the one before it ends, maybe: what is looked at twice is no better.
                let start_of = |block_number: usize| (block_number * block).min(n - block);
                // SAFETY: as the caller promises: each block ends before n. A vector has the layout of its lanes.
                unsafe {
                    let rows = |start: usize| -> [$vector; N] {
                        std::array::from_fn(|r| x.add(start + r * LANES).cast::<$vector>().read_unaligned())
                    };
                    let splat = |place: usize| std::mem::transmute([place as $place; LANES]);
                    let mut best = rows(0)[0];
                    let (mut at, mut nan) = (splat(0), $unordered(best, best));
                    for number in 0..n.div_ceil(block) {
                        let mut rows = rows(start_of(number));
                        let mut half = N / 2;
                        for r in 0..half {
                            nan = $or(nan, $unordered(rows[r], rows[half + r]));
                        }
                        while half > 0 {
                            for r in 0..half {
                                rows[r] = better(rows[r], rows[half + r]);
                            }
                            half /= 2;
                        }
                        at = $choose(at, splat(number), above(rows[0], best));
                        best = better(rows[0], best);
                    }
                    if $bits(nan) != 0 {
                        return (0..n).find(|&i| is_nan(x.add(i).read())).unwrap_or(0);
                    }
                    let lanes: [$element; LANES] = std::mem::transmute(best);
                    let extreme = halved(lanes, |a, b| if (a > b) == LARGEST { a } else { b });
                    let extreme: $vector = std::mem::transmute([extreme; LANES]);
                    let at = $choose(splat($place::MAX as usize), at, $equal(best, extreme));
                    let at: [$place; LANES] = std::mem::transmute(at);
                    let start = start_of(halved(at, |a, b| a.min(b)) as usize);
                    let rows = rows(start);
                    let bits = (0..N).fold(0, |bits, r| bits | ($bits($equal(rows[r], extreme)) as u64) << (r * LANES));
                    // The last one, if another thread has changed them meanwhile.
                    start + (bits | 1 << (block - 1)).trailing_zeros() as usize
                }
            }
        }
    )* };
}

/// Joins the halves of some elements until one is left.
#[inline(always)]
fn halved<T: Copy, const N: usize>(mut all: [T; N], join: impl Fn(T, T) -> T) -> T {
    let mut half = N / 2;
    while half > 0 {
        for i in 0..half {
            all[i] = join(all[i], all[half + i]);
        }
        half /= 2;
    }
    all[0]
}

#[inline(always)]
#[allow(clippy::eq_op, reason = "a NaN is not equal to itself")]
fn is_nan<T: PartialEq + Copy>(x: T) -> bool {
    x != x
}

macro_rules! functions {
    ($features:literal $($name:ident($($arg:ident: $in:ty),*) -> $out:ty = $body:expr;)*) => { $(
        #[inline]
        #[target_feature(enable = $features)]
        fn $name($($arg: $in),*) -> $out {
            $body
        }
    )* };
}

// What the sets of instructions do not have by one name. An answer for each lane is a mask of all of its bits, or one bit.
functions! {
    "avx2"
    above_f64(a: __m256d, b: __m256d) -> __m256i = _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_GT_OQ>(a, b));
    equal_f64(a: __m256d, b: __m256d) -> __m256i = _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_EQ_OQ>(a, b));
    unordered_f64(a: __m256d, b: __m256d) -> __m256i = _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_UNORD_Q>(a, b));
    above_f32(a: __m256, b: __m256) -> __m256i = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b));
    equal_f32(a: __m256, b: __m256) -> __m256i = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_EQ_OQ>(a, b));
    unordered_f32(a: __m256, b: __m256) -> __m256i = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(a, b));
    // The order of unsigned numbers is that of signed ones with the highest bit changed.
    above_u32(a: __m256i, b: __m256i) -> __m256i = {
        let flip = _mm256_set1_epi32(i32::MIN);
        _mm256_cmpgt_epi32(_mm256_xor_si256(a, flip), _mm256_xor_si256(b, flip))
    };
    above_u64(a: __m256i, b: __m256i) -> __m256i = {
        let flip = _mm256_set1_epi64x(i64::MIN);
        _mm256_cmpgt_epi64(_mm256_xor_si256(a, flip), _mm256_xor_si256(b, flip))
    };
    max_i64(a: __m256i, b: __m256i) -> __m256i = _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b));
    min_i64(a: __m256i, b: __m256i) -> __m256i = _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
    max_u64(a: __m256i, b: __m256i) -> __m256i = _mm256_blendv_epi8(b, a, above_u64(a, b));
    min_u64(a: __m256i, b: __m256i) -> __m256i = _mm256_blendv_epi8(a, b, above_u64(a, b));
    never(_a: __m256i, _b: __m256i) -> __m256i = _mm256_setzero_si256();
    bits_of_words(answers: __m256i) -> u8 = _mm256_movemask_pd(_mm256_castsi256_pd(answers)) as u8;
    bits_of_halves(answers: __m256i) -> u8 = _mm256_movemask_ps(_mm256_castsi256_ps(answers)) as u8;
}

functions! {
    "avx512f"
    above_wide_f64(a: __m512d, b: __m512d) -> u8 = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(a, b);
    equal_wide_f64(a: __m512d, b: __m512d) -> u8 = _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(a, b);
    unordered_wide_f64(a: __m512d, b: __m512d) -> u8 = _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(a, b);
    above_wide_f32(a: __m512, b: __m512) -> u16 = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b);
    equal_wide_f32(a: __m512, b: __m512) -> u16 = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(a, b);
    unordered_wide_f32(a: __m512, b: __m512) -> u16 = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(a, b);
    never_words(_a: __m512i, _b: __m512i) -> u8 = 0;
    never_halves(_a: __m512i, _b: __m512i) -> u16 = 0;
    any_of_words(a: u8, b: u8) -> u8 = a | b;
    any_of_halves(a: u16, b: u16) -> u16 = a | b;
    choose_words(a: __m512i, b: __m512i, answers: u8) -> __m512i = _mm512_mask_mov_epi64(a, answers, b);
    choose_halves(a: __m512i, b: __m512i, answers: u16) -> __m512i = _mm512_mask_mov_epi32(a, answers, b);
    same_words(answers: u8) -> u8 = answers;
    same_halves(answers: u16) -> u16 = answers;
}

first! {
    avx2_f64: "avx2,bmi1", [f64, u64, __m256d], 8 rows,
        _mm256_max_pd _mm256_min_pd above_f64 equal_f64 unordered_f64, _mm256_or_si256 _mm256_blendv_epi8 bits_of_words;
    avx2_f32: "avx2,bmi1", [f32, u32, __m256], 8 rows,
        _mm256_max_ps _mm256_min_ps above_f32 equal_f32 unordered_f32, _mm256_or_si256 _mm256_blendv_epi8 bits_of_halves;
    avx2_i64: "avx2,bmi1", [i64, u64, __m256i], 8 rows,
        max_i64 min_i64 _mm256_cmpgt_epi64 _mm256_cmpeq_epi64 never, _mm256_or_si256 _mm256_blendv_epi8 bits_of_words;
    avx2_u64: "avx2,bmi1", [u64, u64, __m256i], 8 rows,
        max_u64 min_u64 above_u64 _mm256_cmpeq_epi64 never, _mm256_or_si256 _mm256_blendv_epi8 bits_of_words;
    avx2_i32: "avx2,bmi1", [i32, u32, __m256i], 8 rows, _mm256_max_epi32 _mm256_min_epi32
        _mm256_cmpgt_epi32 _mm256_cmpeq_epi32 never, _mm256_or_si256 _mm256_blendv_epi8 bits_of_halves;
    avx2_u32: "avx2,bmi1", [u32, u32, __m256i], 8 rows, _mm256_max_epu32 _mm256_min_epu32
        above_u32 _mm256_cmpeq_epi32 never, _mm256_or_si256 _mm256_blendv_epi8 bits_of_halves;
    avx512_f64: "avx512f,avx512dq,bmi1", [f64, u64, __m512d], 4 rows, _mm512_max_pd _mm512_min_pd
        above_wide_f64 equal_wide_f64 unordered_wide_f64, any_of_words choose_words same_words;
    avx512_f32: "avx512f,avx512dq,bmi1", [f32, u32, __m512], 4 rows, _mm512_max_ps _mm512_min_ps
        above_wide_f32 equal_wide_f32 unordered_wide_f32, any_of_halves choose_halves same_halves;
    avx512_i64: "avx512f,avx512dq,bmi1", [i64, u64, __m512i], 4 rows, _mm512_max_epi64 _mm512_min_epi64
        _mm512_cmpgt_epi64_mask _mm512_cmpeq_epi64_mask never_words, any_of_words choose_words same_words;
    avx512_u64: "avx512f,avx512dq,bmi1", [u64, u64, __m512i], 4 rows, _mm512_max_epu64 _mm512_min_epu64
        _mm512_cmpgt_epu64_mask _mm512_cmpeq_epi64_mask never_words, any_of_words choose_words same_words;
    avx512_i32: "avx512f,avx512dq,bmi1", [i32, u32, __m512i], 4 rows, _mm512_max_epi32 _mm512_min_epi32
        _mm512_cmpgt_epi32_mask _mm512_cmpeq_epi32_mask never_halves, any_of_halves choose_halves same_halves;
    avx512_u32: "avx512f,avx512dq,bmi1", [u32, u32, __m512i], 4 rows, _mm512_max_epu32 _mm512_min_epu32
        _mm512_cmpgt_epu32_mask _mm512_cmpeq_epi32_mask never_halves, any_of_halves choose_halves same_halves;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use strictarray_core::{DType, Element};

    use super::First;
    use crate::simd::Level;

    /// Looks among elements of a type everywhere, and compares with a plain search.
    fn check<T: Element + PartialOrd + std::fmt::Debug>(make: impl Fn(u64) -> T) {
        let mut seed = 88172645463325252u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed >> 20
        };
        let lengths: Vec<usize> = (1..=200).chain([255, 256, 257, 300, 511, 512, 513, 1000, 1024, 2048]).collect();
        for (level, largest) in Level::ALL.into_iter().flat_map(|level| [(level, true), (level, false)]) {
            if level > Level::detected() {
                continue;
            }
            let Some(First { least, find }) = First::of(level, T::DTYPE, largest) else { continue };
            for &n in lengths.iter().filter(|n| **n >= least) {
                // Few values, many, rising and falling ones.
                for way in 0..6 {
                    let x: Vec<T> = (0..n)
                        .map(|i| match way {
                            0 => make(random() % 3),
                            1 => make(random() % 1000),
                            2 => make(i as u64),
                            3 => make((n - i) as u64),
                            4 => make(u64::from(random() % n as u64 == 0)),
                            _ => make(random()),
                        })
                        .collect();
                    let better = |new: T, old: T| if largest { new > old } else { new < old };
                    let nan = |x: T| x.partial_cmp(&x).is_none();
                    let mut expected = 0;
                    for i in 1..n {
                        let (new, old) = (x[i], x[expected]);
                        if better(new, old) || nan(new) && !nan(old) {
                            expected = i;
                        }
                    }
                    let mut value = x[0];
                    // SAFETY: so many elements of the type, and room for one; the machine has the level.
                    let place = unsafe { find(x.as_ptr().cast(), n, (&raw mut value).cast()) };
                    assert_eq!(place, expected, "{level:?} {largest} {x:?}");
                    assert!(value == x[place] || nan(value), "{level:?} {largest} {x:?}");
                }
            }
        }
    }

    /// Looks among elements of which another thread writes two.
    fn check_while_written<T: Element + Send>(make: impl Fn(u64) -> T + Sync) {
        const N: usize = 64;
        let mut x = [make(0); N];
        let from = std::sync::atomic::AtomicPtr::new(x.as_mut_ptr());
        let stop = AtomicBool::new(false);
        let mut outside = 0;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut k = 1;
                while !stop.load(Ordering::Relaxed) {
                    k = k % 1000 + 1;
                    // SAFETY: two of the elements, which are there until the thread has ended.
                    unsafe { from.load(Ordering::Relaxed).add(60 + k as usize % 2).write_volatile(make(k)) };
                }
            });
            for level in Level::ALL.into_iter().filter(|level| *level <= Level::detected()) {
                let Some(First { find, .. }) = First::of(level, T::DTYPE, true) else { continue };
                for _ in 0..50_000 {
                    let mut value = make(0);
                    // SAFETY: so many elements of the type, and room for one; the machine has the level.
                    let place = unsafe { find(from.load(Ordering::Relaxed).cast(), N, (&raw mut value).cast()) };
                    outside = outside.max(place.saturating_sub(N - 1));
                }
            }
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!(outside, 0);
    }

    #[test]
    fn places_stay_inside_while_another_thread_writes() {
        check_while_written(|k| k as f64);
        check_while_written(|k| k as f32);
        check_while_written(|k| k as i32);
        check_while_written(|k| k);
    }

    #[test]
    fn places_are_those_of_a_plain_search() {
        assert!(First::of(Level::Avx2, DType::Int8, true).is_none());
        check(|i| i as i32 - 500);
        check(|i| (i as u32).rotate_right(2));
        check(|i| i as i64 - 500);
        check(|i| i.rotate_right(2));
        check(|i| i as f32 - 500.0);
        check(|i| i as f64 - 500.0);
        // Zeros of both signs are equal, the first NaN is found, and infinities are elements like others.
        check(|i| [0.0, -0.0, 0.0f32][i as usize % 3]);
        check(|i| [0.0, -0.0, -1.0f64][i as usize % 3]);
        check(|i| if i % 97 == 1 { f32::NAN } else { i as f32 });
        check(|i| if i % 97 == 1 { -f64::NAN } else { i as f64 });
        check(|i| if i % 97 == 1 { f64::NEG_INFINITY } else { f64::INFINITY });
        check(|i| if i % 50 == 49 { f32::INFINITY } else { f32::NEG_INFINITY });
    }
}
