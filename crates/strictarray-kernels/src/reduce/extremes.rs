//! The largest and the smallest of elements that lie side by side: in vectors by hand on machines with AVX2. Of a fold that
//! keeps NaNs and tells zeros apart the compiler makes less, and of the few integers in a row of a matrix, too.
//!
//! Of zeros of both signs the positive one is the larger, and a NaN is any NaN until the result is settled: so the order in
//! which elements come together makes no difference, and the results are those of [`Fold::join`](super::tree::Fold::join).

use strictarray_core::{DType, dispatch};

use super::arg::{Extreme, extreme_of, position};
#[cfg(target_arch = "x86_64")]
use super::first::First;
use super::folds::{Max, Min};
use crate::simd::{Level, per_level};

/// The way for a data type and a direction.
///
/// What its functions ask of their callers: one element at least (a row and a column), all of the data type, aligned, inside
/// their blocks and not written to meanwhile; room for the results at `to`, apart from them and set unless this is the
/// `first` time; the machine has the instruction set that [`Extremes::of`] was told.
#[derive(Clone, Copy)]
pub(super) struct Extremes {
    /// The extreme of one element or more side by side, or with what is there.
    pub(super) run: unsafe fn(to: *mut u8, x: *const u8, n: usize, first: bool),
    /// For each of some columns side by side the extreme of rows, or with what is there.
    pub(super) rows: unsafe fn(to: *mut u8, x: *const u8, stride: isize, sizes: [usize; 2], first: bool),
    /// The place of the first of some elements side by side that is their extreme, which is one of them.
    pub(super) place: unsafe fn(x: *const u8, n: usize, extreme: *const u8) -> usize,
    /// Columns from which on that is worth it.
    pub(super) columns: usize,
    /// Both the extreme and its place in one pass, if there is a way.
    #[cfg(target_arch = "x86_64")]
    first: Option<First>,
}

impl Extremes {
    /// The place of the first of some elements side by side that is their extreme, which is written to `value`.
    ///
    /// # Safety
    ///
    /// As for `run`, of 2 to the power of 31 elements at most.
    pub(super) unsafe fn first(&self, x: *const u8, n: usize, value: *mut u8) -> usize {
        // SAFETY: as the caller promises.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            if let Some(First { least, find }) = self.first
                && n >= least
            {
                return find(x, n, value);
            }
            (self.run)(value, x, n, true);
            (self.place)(x, n, value)
        }
    }

    /// For a real data type.
    pub(super) fn of(level: Level, dtype: DType, largest: bool) -> Option<Extremes> {
        let extremes = Extremes::of_runs(level, dtype, largest);
        #[cfg(target_arch = "x86_64")]
        return extremes.map(|extremes| Extremes { first: First::of(level, dtype, largest), ..extremes });
        #[cfg(not(target_arch = "x86_64"))]
        extremes
    }

    fn of_runs(level: Level, dtype: DType, largest: bool) -> Option<Extremes> {
        #[cfg(target_arch = "x86_64")]
        if level >= Level::Avx2 {
            match (dtype, largest) {
                (DType::Float32, true) => return Some(x86::float32::extremes::<true>()),
                (DType::Float32, false) => return Some(x86::float32::extremes::<false>()),
                (DType::Float64, true) => return Some(x86::float64::extremes::<true>()),
                (DType::Float64, false) => return Some(x86::float64::extremes::<false>()),
                _ => {}
            }
        }
        let plain = dispatch!(REAL, dtype, T => if largest { Extremes::plain::<Max<T>>(level) } else { Extremes::plain::<Min<T>>(level) });
        #[cfg(target_arch = "x86_64")]
        if level >= Level::Avx2 {
            // Integers are equal if their bits are.
            let place = x86::place_of_size(dtype.size());
            let run = x86::run_of_integers(level, dtype, largest);
            return plain.map(|plain| Extremes { place, run: run.unwrap_or(plain.run), ..plain });
        }
        plain
    }

    /// The way that the compiler makes.
    fn plain<E: Extreme>(level: Level) -> Extremes {
        Extremes {
            run: run_of::<E>(level),
            rows: rows_of::<E>(level),
            place: place_of::<E>(level),
            columns: 64 / size_of::<E::In>(),
            #[cfg(target_arch = "x86_64")]
            first: None,
        }
    }
}

per_level! {
    fn run_of<E: Extreme>(to: *mut u8, x: *const u8, n: usize, first: bool) = plain_run;
    fn rows_of<E: Extreme>(to: *mut u8, x: *const u8, stride: isize, sizes: [usize; 2], first: bool) = plain_rows;
    fn place_of<E: Extreme>(x: *const u8, n: usize, extreme: *const u8) -> usize = plain_place;
}

/// # Safety
///
/// As [`Extremes::run`].
#[inline(always)]
unsafe fn plain_run<E: Extreme>(to: *mut u8, x: *const u8, n: usize, first: bool) {
    let to = to.cast::<E::In>();
    // SAFETY: as the caller promises.
    unsafe {
        let best = extreme_of::<E>(std::slice::from_raw_parts(x.cast(), n));
        to.write(if first { best } else { E::join(to.read(), best) });
    }
}

/// # Safety
///
/// As [`Extremes::rows`].
#[inline(always)]
unsafe fn plain_rows<E: Extreme>(to: *mut u8, x: *const u8, stride: isize, [rows, columns]: [usize; 2], first: bool) {
    let to = to.cast::<E::In>();
    let row = |r: usize| x.wrapping_offset(r as isize * stride).cast::<E::In>();
    let mut done = 0;
    // SAFETY: as the caller promises; rows and the results lie apart.
    unsafe {
        if first {
            std::ptr::copy_nonoverlapping(row(0), to, columns);
            done = 1;
        }
        while done < rows {
            let now = (rows - done).min(4);
            // Beyond the last row the last one again, which makes no difference.
            let [a, b, c, d] = [0, 1, 2, 3].map(|r: usize| row(done + r.min(now - 1)));
            for i in 0..columns {
                let one = E::join(a.add(i).read(), b.add(i).read());
                let other = E::join(c.add(i).read(), d.add(i).read());
                to.add(i).write(E::join(to.add(i).read(), E::join(one, other)));
            }
            done += now;
        }
    }
}

/// # Safety
///
/// As [`Extremes::place`].
#[inline(always)]
unsafe fn plain_place<E: Extreme>(x: *const u8, n: usize, extreme: *const u8) -> usize {
    // SAFETY: as the caller promises.
    unsafe { position::<E>(std::slice::from_raw_parts(x.cast(), n), extreme.cast::<E::In>().read()) }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use std::arch::x86_64::*;

    use strictarray_core::DType;

    use super::Extremes;
    use crate::reduce::folds::{Max, Min};
    use crate::reduce::tree::Fold;
    use crate::simd::Level;

    /// The way to find the first element with the bits of the extreme, for elements of a size.
    pub(super) fn place_of_size(size: usize) -> unsafe fn(x: *const u8, n: usize, extreme: *const u8) -> usize {
        match size {
            1 => place_of_bits::<1>,
            2 => place_of_bits::<2>,
            4 => place_of_bits::<4>,
            _ => place_of_bits::<8>,
        }
    }

    /// # Safety
    ///
    /// As [`Extremes::place`], of integers of this size; the machine has AVX2.
    #[target_feature(enable = "avx2")]
    unsafe fn place_of_bits<const SIZE: usize>(x: *const u8, n: usize, extreme: *const u8) -> usize {
        const VECTOR: usize = size_of::<__m256i>();
        let bytes = n * SIZE;
        // SAFETY: as the caller promises: what is read lies before n.
        unsafe {
            let wanted = match SIZE {
                1 => _mm256_set1_epi8(extreme.cast::<i8>().read()),
                2 => _mm256_set1_epi16(extreme.cast::<i16>().read()),
                4 => _mm256_set1_epi32(extreme.cast::<i32>().read()),
                _ => _mm256_set1_epi64x(extreme.cast::<i64>().read()),
            };
            let is = |at: usize| {
                let a = _mm256_loadu_si256(x.add(at).cast());
                match SIZE {
                    1 => _mm256_cmpeq_epi8(a, wanted),
                    2 => _mm256_cmpeq_epi16(a, wanted),
                    4 => _mm256_cmpeq_epi32(a, wanted),
                    _ => _mm256_cmpeq_epi64(a, wanted),
                }
            };
            let mut at = 0;
            while at + 4 * VECTOR <= bytes {
                let [a, b, c, d] = [0, 1, 2, 3].map(|k| is(at + k * VECTOR));
                if _mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d))) != 0 {
                    break;
                }
                at += 4 * VECTOR;
            }
            while at < bytes && bytes >= VECTOR {
                // At the end some that were looked at: none of them is the extreme.
                at = at.min(bytes - VECTOR);
                let found = _mm256_movemask_epi8(is(at));
                if found != 0 {
                    return (at + found.trailing_zeros() as usize) / SIZE;
                }
                at += VECTOR;
            }
            let element = |from: *const u8| std::slice::from_raw_parts(from, SIZE);
            (at / SIZE..n).find(|i| element(x.add(i * SIZE)) == element(extreme)).unwrap_or(0)
        }
    }

    /// Finds the extreme of one element or more side by side: see [`Extremes::run`].
    type Run = unsafe fn(to: *mut u8, x: *const u8, n: usize, first: bool);

    /// The larger or the smaller of numbers of 64 bits; of unsigned ones, whose order is that of signed ones with the
    /// highest bit changed, so changed.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn better_of_words<const LARGEST: bool, const SIGNED: bool>(a: __m256i, b: __m256i) -> __m256i {
        let flip = _mm256_set1_epi64x(if SIGNED { 0 } else { i64::MIN });
        let above = _mm256_cmpgt_epi64(_mm256_xor_si256(a, flip), _mm256_xor_si256(b, flip));
        if LARGEST { _mm256_blendv_epi8(b, a, above) } else { _mm256_blendv_epi8(a, b, above) }
    }

    macro_rules! integers {
        ($name:ident $features:literal $vector:ident $load:ident $store:ident;
         $($int:ident $max:expr, $min:expr;)*) => {
            mod $name {
                use super::*;

                $(pub(super) mod $int {
                    use super::*;

                    const LANES: usize = size_of::<$vector>() / size_of::<$int>();

                    /// # Safety
                    ///
                    /// As [`Extremes::run`], of these integers; the machine has the features.
                    #[target_feature(enable = $features)]
                    pub(in super::super) unsafe fn run<const LARGEST: bool>(
                        to: *mut u8,
                        x: *const u8,
                        n: usize,
                        first: bool,
                    ) {
                        let (to, x) = (to.cast::<$int>(), x.cast::<$int>());
                        let join = |a: $int, b: $int| if LARGEST { a.max(b) } else { a.min(b) };
                        // SAFETY: as the caller promises: what is read lies before n.
                        unsafe {
                            let load = |at: usize| $load(x.add(at).cast());
                            let better = |a: $vector, b: $vector| if LARGEST { $max(a, b) } else { $min(a, b) };
                            let mut best = x.read();
                            if n < LANES {
                                for i in 1..n {
                                    best = join(best, x.add(i).read());
                                }
                            } else {
                                // The last ones twice, maybe, which makes no difference.
                                let last = load(n - LANES);
                                let [mut a, mut b, mut c, mut d] = [last; 4];
                                let mut i = 0;
                                while i + 4 * LANES <= n {
                                    a = better(a, load(i));
                                    b = better(b, load(i + LANES));
                                    c = better(c, load(i + 2 * LANES));
                                    d = better(d, load(i + 3 * LANES));
                                    i += 4 * LANES;
                                }
                                while i + LANES <= n {
                                    a = better(a, load(i));
                                    i += LANES;
                                }
                                let mut lanes = [best; LANES];
                                $store(lanes.as_mut_ptr().cast(), better(better(a, b), better(c, d)));
                                let mut half = LANES / 2;
                                while half > 0 {
                                    for k in 0..half {
                                        lanes[k] = join(lanes[k], lanes[half + k]);
                                    }
                                    half /= 2;
                                }
                                best = lanes[0];
                            }
                            to.write(if first { best } else { join(to.read(), best) });
                        }
                    }
                })*
            }
        };
    }

    integers! {
        avx2 "avx2" __m256i _mm256_loadu_si256 _mm256_storeu_si256;
        i8 _mm256_max_epi8, _mm256_min_epi8;
        u8 _mm256_max_epu8, _mm256_min_epu8;
        i16 _mm256_max_epi16, _mm256_min_epi16;
        u16 _mm256_max_epu16, _mm256_min_epu16;
        i32 _mm256_max_epi32, _mm256_min_epi32;
        u32 _mm256_max_epu32, _mm256_min_epu32;
        i64 better_of_words::<true, true>, better_of_words::<false, true>;
        u64 better_of_words::<true, false>, better_of_words::<false, false>;
    }

    integers! {
        avx512 "avx512f" __m512i _mm512_loadu_si512 _mm512_storeu_si512;
        i64 _mm512_max_epi64, _mm512_min_epi64;
        u64 _mm512_max_epu64, _mm512_min_epu64;
    }

    /// The way to find the extreme of integers of a type.
    pub(super) fn run_of_integers(level: Level, dtype: DType, largest: bool) -> Option<Run> {
        macro_rules! pick {
            ($set:ident $int:ident) => {
                if largest { $set::$int::run::<true> } else { $set::$int::run::<false> }
            };
        }
        let words = level >= Level::Avx512;
        Some(match dtype {
            DType::Int8 => pick!(avx2 i8),
            DType::UInt8 => pick!(avx2 u8),
            DType::Int16 => pick!(avx2 i16),
            DType::UInt16 => pick!(avx2 u16),
            DType::Int32 => pick!(avx2 i32),
            DType::UInt32 => pick!(avx2 u32),
            DType::Int64 if words => pick!(avx512 i64),
            DType::UInt64 if words => pick!(avx512 u64),
            DType::Int64 => pick!(avx2 i64),
            DType::UInt64 => pick!(avx2 u64),
            _ => return None,
        })
    }

    macro_rules! float {
        ($name:ident: $float:ty, $vector:ty, $lanes:literal, $load:ident $store:ident $splat:ident
         $max:ident $min:ident $and:ident $or:ident $cmp:ident $mask:ident) => {
            pub(in crate::reduce) mod $name {
                use super::*;

                const LANES: usize = $lanes;

                pub(in crate::reduce) fn extremes<const LARGEST: bool>() -> Extremes {
                    Extremes {
                        run: run_bytes::<LARGEST>,
                        rows: rows::<LARGEST>,
                        place,
                        columns: 2 * LANES,
                        first: None,
                    }
                }

                #[inline(always)]
                fn join<const LARGEST: bool>(a: $float, b: $float) -> $float {
                    if LARGEST { Max::<$float>::join(a, b) } else { Min::<$float>::join(a, b) }
                }

                /// The better of numbers; anything where there is a NaN, any of zeros.
                #[inline]
                #[target_feature(enable = "avx2")]
                fn better<const LARGEST: bool>(a: $vector, b: $vector) -> $vector {
                    if LARGEST { $max(a, b) } else { $min(a, b) }
                }

                /// Joins signs: what all have for the largest, what any has for the smallest.
                #[inline]
                #[target_feature(enable = "avx2")]
                fn signs<const LARGEST: bool>(a: $vector, b: $vector) -> $vector {
                    if LARGEST { $and(a, b) } else { $or(a, b) }
                }

                /// The better one with the sign that zeros of these signs give, or NaN where one was seen.
                #[inline]
                #[target_feature(enable = "avx2")]
                fn settled<const LARGEST: bool>(best: $vector, sign: $vector, nan: $vector) -> $vector {
                    let negative = $splat(-0.0);
                    // The largest is negative only where all are, the smallest positive only where all are: to other
                    // numbers than zeros this changes nothing.
                    let best = if LARGEST {
                        $and(best, $or(sign, $splat(<$float>::from_bits(!(-0.0 as $float).to_bits()))))
                    } else {
                        $or(best, $and(sign, negative))
                    };
                    $or(best, nan)
                }

                /// The better one of numbers, any of zeros.
                #[inline]
                #[target_feature(enable = "avx2")]
                fn best_lane<const LARGEST: bool>(all: $vector) -> $float {
                    let mut lanes = [0.0; LANES];
                    // SAFETY: there is room for as many.
                    unsafe { $store(lanes.as_mut_ptr(), all) };
                    let mut half = LANES / 2;
                    while half > 0 {
                        for i in 0..half {
                            let (a, b) = (lanes[i], lanes[half + i]);
                            lanes[i] = if LARGEST == (a > b) { a } else { b };
                        }
                        half /= 2;
                    }
                    lanes[0]
                }

                /// # Safety
                ///
                /// As [`Extremes::place`], of these floats; the machine has AVX2.
                #[target_feature(enable = "avx2")]
                unsafe fn place(x: *const u8, n: usize, extreme: *const u8) -> usize {
                    // SAFETY: as the caller promises.
                    unsafe {
                        let extreme = extreme.cast::<$float>().read();
                        if extreme.is_nan() {
                            first::<true>(x.cast(), n, extreme)
                        } else {
                            first::<false>(x.cast(), n, extreme)
                        }
                    }
                }

                /// The place of the first NaN, or of the first element that is equal.
                ///
                /// # Safety
                ///
                /// `n` elements; the machine has AVX2.
                #[inline]
                #[target_feature(enable = "avx2")]
                unsafe fn first<const NAN: bool>(x: *const $float, n: usize, extreme: $float) -> usize {
                    let wanted = $splat(extreme);
                    // SAFETY: as the caller promises: what is read lies before n.
                    unsafe {
                        let is = |at: usize| {
                            let a = $load(x.add(at));
                            if NAN { $cmp::<_CMP_UNORD_Q>(a, a) } else { $cmp::<_CMP_EQ_OQ>(a, wanted) }
                        };
                        let mut i = 0;
                        while i + 4 * LANES <= n {
                            let [a, b, c, d] = [0, 1, 2, 3].map(|k| is(i + k * LANES));
                            if $mask($or($or(a, b), $or(c, d))) != 0 {
                                break;
                            }
                            i += 4 * LANES;
                        }
                        while i < n && n >= LANES {
                            // At the end some that were looked at: none of them is the extreme.
                            i = i.min(n - LANES);
                            let found = $mask(is(i));
                            if found != 0 {
                                return i + found.trailing_zeros() as usize;
                            }
                            i += LANES;
                        }
                        let is = |x: $float| if NAN { x.is_nan() } else { x == extreme };
                        (i..n).find(|&i| is(x.add(i).read())).unwrap_or(0)
                    }
                }

                /// # Safety
                ///
                /// As [`Extremes::run`], of these floats; the machine has AVX2.
                #[target_feature(enable = "avx2")]
                unsafe fn run_bytes<const LARGEST: bool>(to: *mut u8, x: *const u8, n: usize, first: bool) {
                    let to = to.cast::<$float>();
                    // SAFETY: as the caller promises.
                    unsafe {
                        let best = run::<LARGEST>(x.cast(), n);
                        to.write(if first { best } else { join::<LARGEST>(to.read(), best) });
                    }
                }

                /// The extreme of elements.
                ///
                /// # Safety
                ///
                /// One element or more; the machine has AVX2.
                #[target_feature(enable = "avx2")]
                pub(in crate::reduce) unsafe fn run<const LARGEST: bool>(x: *const $float, n: usize) -> $float {
                    // SAFETY: as the caller promises: what is read lies before n.
                    unsafe {
                        let mut i = 0;
                        let mut best = x.read();
                        if n >= LANES {
                            // Some twice, which makes no difference.
                            let head = $load(x);
                            let (mut bests, mut sign) = ([head; 4], [head; 2]);
                            let mut nan = [$cmp::<_CMP_UNORD_Q>(head, head); 2];
                            while i + 4 * LANES <= n {
                                let [a, b, c, d] = [0, 1, 2, 3].map(|k| $load(x.add(i + k * LANES)));
                                bests[0] = better::<LARGEST>(a, bests[0]);
                                bests[1] = better::<LARGEST>(b, bests[1]);
                                bests[2] = better::<LARGEST>(c, bests[2]);
                                bests[3] = better::<LARGEST>(d, bests[3]);
                                nan[0] = $or(nan[0], $cmp::<_CMP_UNORD_Q>(a, b));
                                nan[1] = $or(nan[1], $cmp::<_CMP_UNORD_Q>(c, d));
                                sign[0] = signs::<LARGEST>(sign[0], signs::<LARGEST>(a, b));
                                sign[1] = signs::<LARGEST>(sign[1], signs::<LARGEST>(c, d));
                                i += 4 * LANES;
                            }
                            while i + LANES <= n {
                                let a = $load(x.add(i));
                                bests[0] = better::<LARGEST>(a, bests[0]);
                                nan[0] = $or(nan[0], $cmp::<_CMP_UNORD_Q>(a, a));
                                sign[0] = signs::<LARGEST>(sign[0], a);
                                i += LANES;
                            }
                            if i < n {
                                let a = $load(x.add(n - LANES));
                                bests[1] = better::<LARGEST>(a, bests[1]);
                                nan[1] = $or(nan[1], $cmp::<_CMP_UNORD_Q>(a, a));
                                sign[1] = signs::<LARGEST>(sign[1], a);
                                i = n;
                            }
                            let [a, b, c, d] = bests;
                            let all = better::<LARGEST>(better::<LARGEST>(a, b), better::<LARGEST>(c, d));
                            if $mask($or(nan[0], nan[1])) != 0 {
                                return <$float>::NAN;
                            }
                            best = best_lane::<LARGEST>(all);
                            if best == 0.0 {
                                let signs = $mask(signs::<LARGEST>(sign[0], sign[1]));
                                let negative = if LARGEST { signs == (1 << LANES) - 1 } else { signs != 0 };
                                best = if negative { -0.0 } else { 0.0 };
                            }
                        }
                        for i in i..n {
                            best = join::<LARGEST>(best, x.add(i).read());
                        }
                        best
                    }
                }

                /// # Safety
                ///
                /// As [`Extremes::rows`], of these floats, of one row or more; the machine has AVX2.
                #[target_feature(enable = "avx2")]
                unsafe fn rows<const LARGEST: bool>(
                    to: *mut u8,
                    x: *const u8,
                    stride: isize,
                    [rows, columns]: [usize; 2],
                    first: bool,
                ) {
                    let to = to.cast::<$float>();
                    let row = |r: usize| x.wrapping_offset(r as isize * stride).cast::<$float>();
                    let mut done = 0;
                    // SAFETY: as the caller promises: what is read and written lies in these rows and columns.
                    unsafe {
                        if first {
                            std::ptr::copy_nonoverlapping(row(0), to, columns);
                            done = 1;
                        }
                        while done < rows {
                            let now = (rows - done).min(4);
                            // Beyond the last row the last one again, which makes no difference.
                            let [a, b, c, d] = [0, 1, 2, 3].map(|r: usize| row(done + r.min(now - 1)));
                            let mut i = 0;
                            while i + LANES <= columns {
                                let old = $load(to.add(i));
                                let [a, b, c, d] = [a, b, c, d].map(|row| $load(row.add(i)));
                                let best = better::<LARGEST>(better::<LARGEST>(a, b), better::<LARGEST>(c, d));
                                let nan = $or($cmp::<_CMP_UNORD_Q>(a, b), $cmp::<_CMP_UNORD_Q>(c, d));
                                let nan = $or(nan, $cmp::<_CMP_UNORD_Q>(old, old));
                                let sign = signs::<LARGEST>(signs::<LARGEST>(a, b), signs::<LARGEST>(c, d));
                                let sign = signs::<LARGEST>(sign, old);
                                let best = better::<LARGEST>(best, old);
                                $store(to.add(i), settled::<LARGEST>(best, sign, nan));
                                i += LANES;
                            }
                            for i in i..columns {
                                let mut best = to.add(i).read();
                                for row in [a, b, c, d] {
                                    best = join::<LARGEST>(best, row.add(i).read());
                                }
                                to.add(i).write(best);
                            }
                            done += now;
                        }
                    }
                }
            }
        };
    }

    float! {
        float32: f32, __m256, 8, _mm256_loadu_ps _mm256_storeu_ps _mm256_set1_ps
        _mm256_max_ps _mm256_min_ps _mm256_and_ps _mm256_or_ps _mm256_cmp_ps _mm256_movemask_ps
    }

    float! {
        float64: f64, __m256d, 4, _mm256_loadu_pd _mm256_storeu_pd _mm256_set1_pd
        _mm256_max_pd _mm256_min_pd _mm256_and_pd _mm256_or_pd _mm256_cmp_pd _mm256_movemask_pd
    }
}
