//! The innermost product: a tile of the output from a panel of rows and a panel of columns, in registers.

#![allow(clippy::needless_range_loop, reason = "iterators over arrays in registers are not always inlined")]

use strictarray_core::Complex;

use super::Number;
use crate::simd::{self, Ask, Level};

/// Numbers computed at once.
///
/// # Safety
///
/// The methods need the instruction set of the type; pointers need room for all its numbers.
pub(crate) unsafe trait Vector: Copy {
    type Item: Copy;
    const LANES: usize;
    unsafe fn splat(x: Self::Item) -> Self;
    unsafe fn load(from: *const Self::Item) -> Self;
    unsafe fn store(self, to: *mut Self::Item);
    unsafe fn plus(self, other: Self) -> Self;
    /// `self * b + sum`.
    unsafe fn mul_add(self, b: Self, sum: Self) -> Self;
    /// `-(self * b) + sum`.
    unsafe fn neg_mul_add(self, b: Self, sum: Self) -> Self;
}

/// Vectors of parts of complex numbers.
///
/// # Safety
///
/// As for [`Vector`].
pub(crate) unsafe trait Parts: Vector {
    /// The numbers with these real parts and the other imaginary parts, as they lie in memory.
    unsafe fn in_turn(self, other: Self) -> [Self; 2];
}

/// A vector that the compiler makes of single numbers.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<T, const N: usize>([T; N]);

// SAFETY: no instruction set is needed, and the pointers are used for N numbers.
unsafe impl<T: Number + Negate, const N: usize> Vector for Lanes<T, N> {
    type Item = T;
    const LANES: usize = N;
    #[inline(always)]
    unsafe fn splat(x: T) -> Self {
        Lanes([x; N])
    }
    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: as the caller promises.
        Lanes(unsafe { from.cast::<[T; N]>().read() })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: as the caller promises.
        unsafe { to.cast::<[T; N]>().write(self.0) };
    }
    #[inline(always)]
    unsafe fn plus(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] = self.0[i].plus(other.0[i]);
        }
        self
    }
    #[inline(always)]
    unsafe fn mul_add(self, b: Self, mut sum: Self) -> Self {
        for i in 0..N {
            sum.0[i] = self.0[i].mul_add(b.0[i], sum.0[i]);
        }
        sum
    }
    #[inline(always)]
    unsafe fn neg_mul_add(self, b: Self, mut sum: Self) -> Self {
        for i in 0..N {
            sum.0[i] = self.0[i].negate().mul_add(b.0[i], sum.0[i]);
        }
        sum
    }
}

// SAFETY: no instruction set is needed.
unsafe impl<T: Number + Negate, const N: usize> Parts for Lanes<T, N> {
    #[inline(always)]
    unsafe fn in_turn(self, other: Self) -> [Self; 2] {
        let mut numbers = [self; 2];
        for i in 0..N {
            numbers[2 * i / N].0[2 * i % N] = self.0[i];
            numbers[(2 * i + 1) / N].0[(2 * i + 1) % N] = other.0[i];
        }
        numbers
    }
}

pub(crate) trait Negate {
    fn negate(self) -> Self;
}
macro_rules! negate {
    ($($ty:ty, $x:ident => $expr:expr;)*) => { $(
        impl Negate for $ty {
            #[inline(always)]
            fn negate(self) -> $ty {
                let $x = self;
                $expr
            }
        }
    )* };
}
negate! { f32, x => -x; f64, x => -x; u8, x => x.wrapping_neg(); u16, x => x.wrapping_neg(); u32, x => x.wrapping_neg(); u64, x => x.wrapping_neg(); }

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Parts, Vector};

    macro_rules! vector {
        ($ty:ident, $item:ty, $lanes:literal, $splat:ident, $load:ident, $store:ident, $add:ident, $fma:ident, $fnma:ident) => {
            // SAFETY: the intrinsics are those of the type's instruction set; loads and stores need no alignment.
            unsafe impl Vector for $ty {
                type Item = $item;
                const LANES: usize = $lanes;
                #[inline(always)]
                unsafe fn splat(x: $item) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $splat(x) }
                }
                #[inline(always)]
                unsafe fn load(from: *const $item) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $load(from) }
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $item) {
                    // SAFETY: the caller's promise.
                    unsafe { $store(to, self) };
                }
                #[inline(always)]
                unsafe fn plus(self, other: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $add(self, other) }
                }
                #[inline(always)]
                unsafe fn mul_add(self, b: Self, sum: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $fma(self, b, sum) }
                }
                #[inline(always)]
                unsafe fn neg_mul_add(self, b: Self, sum: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $fnma(self, b, sum) }
                }
            }
        };
    }
    vector!(
        __m256,
        f32,
        8,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_add_ps,
        _mm256_fmadd_ps,
        _mm256_fnmadd_ps
    );
    vector!(
        __m256d,
        f64,
        4,
        _mm256_set1_pd,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_add_pd,
        _mm256_fmadd_pd,
        _mm256_fnmadd_pd
    );
    vector!(
        __m512,
        f32,
        16,
        _mm512_set1_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_add_ps,
        _mm512_fmadd_ps,
        _mm512_fnmadd_ps
    );
    vector!(
        __m512d,
        f64,
        8,
        _mm512_set1_pd,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_add_pd,
        _mm512_fmadd_pd,
        _mm512_fnmadd_pd
    );

    /// Numbers of both vectors in turn are put together in each half of 128 bits, the halves brought to their places then.
    macro_rules! parts_256 {
        ($($ty:ident, $low:ident, $high:ident, $halves:ident;)*) => { $(
            // SAFETY: the intrinsics are those of the type's instruction set.
            unsafe impl Parts for $ty {
                #[inline(always)]
                unsafe fn in_turn(self, other: Self) -> [Self; 2] {
                    // SAFETY: the caller's promise.
                    unsafe {
                        let (low, high) = ($low(self, other), $high(self, other));
                        [$halves::<0x20>(low, high), $halves::<0x31>(low, high)]
                    }
                }
            }
        )* };
    }
    parts_256! {
        __m256, _mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_permute2f128_ps;
        __m256d, _mm256_unpacklo_pd, _mm256_unpackhi_pd, _mm256_permute2f128_pd;
    }

    // SAFETY: the intrinsics are those of the type's instruction set.
    unsafe impl Parts for __m512 {
        #[inline(always)]
        unsafe fn in_turn(self, other: Self) -> [Self; 2] {
            // SAFETY: the caller's promise. Places from 16 on are the other vector's.
            unsafe {
                let first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
                let second = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
                [_mm512_permutex2var_ps(self, first, other), _mm512_permutex2var_ps(self, second, other)]
            }
        }
    }

    // SAFETY: the intrinsics are those of the type's instruction set.
    unsafe impl Parts for __m512d {
        #[inline(always)]
        unsafe fn in_turn(self, other: Self) -> [Self; 2] {
            // SAFETY: the caller's promise. Places from 8 on are the other vector's.
            unsafe {
                let first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
                let second = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
                [_mm512_permutex2var_pd(self, first, other), _mm512_permutex2var_pd(self, second, other)]
            }
        }
    }

    /// 32-bit integers: of these alone the compiler does not make vectors by itself.
    macro_rules! integers {
        ($name:ident, $ty:ident, $lanes:literal, $splat:ident, $load:ident, $store:ident, $multiply:ident, $add:ident, $subtract:ident) => {
            #[derive(Clone, Copy)]
            pub(crate) struct $name($ty);

            // SAFETY: the intrinsics are those of the type's instruction set; loads and stores need no alignment.
            unsafe impl Vector for $name {
                type Item = u32;
                const LANES: usize = $lanes;
                #[inline(always)]
                unsafe fn splat(x: u32) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $name($splat(x as i32)) }
                }
                #[inline(always)]
                unsafe fn load(from: *const u32) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $name($load(from.cast())) }
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut u32) {
                    // SAFETY: the caller's promise.
                    unsafe { $store(to.cast(), self.0) };
                }
                #[inline(always)]
                unsafe fn plus(self, other: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $name($add(self.0, other.0)) }
                }
                #[inline(always)]
                unsafe fn mul_add(self, b: Self, sum: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $name($add($multiply(self.0, b.0), sum.0)) }
                }
                #[inline(always)]
                unsafe fn neg_mul_add(self, b: Self, sum: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { $name($subtract(sum.0, $multiply(self.0, b.0))) }
                }
            }
        };
    }
    integers!(
        U32x8,
        __m256i,
        8,
        _mm256_set1_epi32,
        _mm256_loadu_si256,
        _mm256_storeu_si256,
        _mm256_mullo_epi32,
        _mm256_add_epi32,
        _mm256_sub_epi32
    );
    integers!(
        U32x16,
        __m512i,
        16,
        _mm512_set1_epi32,
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        _mm512_mullo_epi32,
        _mm512_add_epi32,
        _mm512_sub_epi32
    );
}

/// The rows that a kernel multiplies: packed, or where they lie.
#[derive(Clone, Copy)]
pub(crate) struct Rows<P> {
    pub(crate) first: *const P,
    /// How many there are; the kernel takes the last one for those beyond, of which nobody asks.
    pub(crate) count: usize,
    /// Bytes to the next row.
    pub(crate) down: isize,
    /// Bytes to the next number of a row; of complex numbers, which are always packed, to the next depth.
    pub(crate) right: isize,
}

/// Where a kernel writes a tile, the numbers of a row side by side.
#[derive(Clone, Copy)]
pub(crate) struct Target<P> {
    pub(crate) first: *mut P,
    /// Bytes to the next row.
    pub(crate) down: isize,
    /// Whether the numbers are added to those that are there.
    pub(crate) add: bool,
}

impl<P> Target<P> {
    #[inline(always)]
    fn row(&self, r: usize) -> *mut P {
        self.first.wrapping_byte_offset(self.down * r as isize)
    }

    /// Asks for the lines of so many rows and bytes of each: they may be far away, and are needed when the sums are done.
    #[inline(always)]
    fn ask_ahead(&self, rows: usize, bytes: usize) {
        for r in 0..rows {
            simd::ask_ahead(Ask::Write, self.row(r).cast(), 0, bytes);
        }
    }

    /// Writes a vector of a row, whose place in it is counted in vectors.
    ///
    /// # Safety
    ///
    /// There is room for it, numbers if they are added to.
    #[inline(always)]
    unsafe fn put<V: Vector<Item = P>>(&self, r: usize, w: usize, sum: V) {
        // SAFETY: as the caller promises.
        unsafe {
            let place = self.row(r).add(w * V::LANES);
            let sum = if self.add { V::load(place).plus(sum) } else { sum };
            sum.store(place);
        }
    }
}

/// The product of `ROWS` rows, wherever they lie, and a panel of `W` vectors of columns.
///
/// # Safety
///
/// There is a row, and all have `depth` numbers; `b` has `depth` × `W` vectors; `to` has room for `ROWS` rows of `W` vectors,
/// numbers if they are added to.
#[inline(always)]
unsafe fn real<V: Vector, const ROWS: usize, const W: usize>(
    depth: usize,
    a: Rows<V::Item>,
    b: *const V::Item,
    to: Target<V::Item>,
    zero: V::Item,
) {
    let rows: [*const V::Item; ROWS] =
        std::array::from_fn(|r| a.first.wrapping_byte_offset(a.down * r.min(a.count - 1) as isize));
    // SAFETY: as the caller promises: there is such a row, and its number at this depth.
    let at = |l: usize, r: usize| unsafe { rows[r].byte_offset(a.right * l as isize).read() };
    // SAFETY: as the caller promises.
    unsafe { product::<V, ROWS, W>(depth, at, b, to, zero) }
}

/// The same of packed rows: the compiler makes vectors of integers of these only.
///
/// # Safety
///
/// As [`real`]; the rows are packed.
#[inline(always)]
unsafe fn packed<V: Vector, const ROWS: usize, const W: usize>(
    depth: usize,
    a: Rows<V::Item>,
    b: *const V::Item,
    to: Target<V::Item>,
    zero: V::Item,
) {
    // SAFETY: as the caller promises: the panel has so many numbers for each depth.
    let at = |l: usize, r: usize| unsafe { a.first.add(l * ROWS + r).read() };
    // SAFETY: as the caller promises.
    unsafe { product::<V, ROWS, W>(depth, at, b, to, zero) }
}

/// The product of rows, whose numbers `at` gives by depth and row, and a panel of columns.
///
/// # Safety
///
/// `b` has `depth` × `W` vectors; `to` is as for [`real`].
#[inline(always)]
unsafe fn product<V: Vector, const ROWS: usize, const W: usize>(
    depth: usize,
    at: impl Fn(usize, usize) -> V::Item,
    mut b: *const V::Item,
    to: Target<V::Item>,
    zero: V::Item,
) {
    to.ask_ahead(ROWS, W * size_of::<V>());
    // SAFETY: as the caller promises.
    unsafe {
        let mut sums = [[V::splat(zero); W]; ROWS];
        for l in 0..depth {
            let mut columns = [V::splat(zero); W];
            for w in 0..W {
                columns[w] = V::load(b.add(w * V::LANES));
            }
            for r in 0..ROWS {
                let row = V::splat(at(l, r));
                for w in 0..W {
                    sums[r][w] = row.mul_add(columns[w], sums[r][w]);
                }
            }
            b = b.add(W * V::LANES);
        }
        for r in 0..ROWS {
            for w in 0..W {
                to.put(r, w, sums[r][w]);
            }
        }
    }
}

/// The same for complex numbers, whose panels hold for each depth all real parts, then all imaginary parts.
///
/// # Safety
///
/// As [`real`], with twice as many numbers; the rows are packed.
#[inline(always)]
unsafe fn complex<V: Parts, const ROWS: usize, const W: usize>(
    depth: usize,
    a: Rows<V::Item>,
    mut b: *const V::Item,
    to: Target<V::Item>,
    zero: V::Item,
) {
    to.ask_ahead(ROWS, 2 * W * size_of::<V>());
    // SAFETY: as the caller promises.
    unsafe {
        let mut a = a.first;
        let mut re = [[V::splat(zero); W]; ROWS];
        let mut im = [[V::splat(zero); W]; ROWS];
        for _ in 0..depth {
            let mut b_re = [V::splat(zero); W];
            let mut b_im = [V::splat(zero); W];
            for w in 0..W {
                b_re[w] = V::load(b.add(w * V::LANES));
                b_im[w] = V::load(b.add((W + w) * V::LANES));
            }
            // All real parts before the imaginary ones: so one number of the rows at a time needs a register, which leaves
            // enough of them for a larger tile.
            for r in 0..ROWS {
                let a_re = V::splat(a.add(r).read());
                for w in 0..W {
                    re[r][w] = a_re.mul_add(b_re[w], re[r][w]);
                    im[r][w] = a_re.mul_add(b_im[w], im[r][w]);
                }
            }
            for r in 0..ROWS {
                let a_im = V::splat(a.add(ROWS + r).read());
                for w in 0..W {
                    re[r][w] = a_im.neg_mul_add(b_im[w], re[r][w]);
                    im[r][w] = a_im.mul_add(b_re[w], im[r][w]);
                }
            }
            a = a.add(2 * ROWS);
            b = b.add(2 * W * V::LANES);
        }
        for r in 0..ROWS {
            for w in 0..W {
                let [first, second] = re[r][w].in_turn(im[r][w]);
                to.put(r, 2 * w, first);
                to.put(r, 2 * w + 1, second);
            }
        }
    }
}

/// Takes the depth, the rows, a panel of columns and where to write.
pub(crate) type Run<P> = unsafe fn(usize, Rows<P>, *const P, Target<P>);

/// A kernel for a data type and an instruction set.
pub(crate) struct Kernel<P: 'static> {
    /// Rows of a tile.
    pub(crate) rows: usize,
    /// Columns of a vector.
    pub(crate) lanes: usize,
    /// For tiles of one vector of columns, of two and so on.
    pub(crate) run: &'static [Run<P>],
    /// Whether it takes rows where they lie.
    pub(crate) anywhere: bool,
}

impl<P: 'static> Kernel<P> {
    /// Columns of the widest tile.
    pub(crate) fn columns(&self) -> usize {
        self.lanes * self.run.len()
    }
}

/// The most numbers that a tile has, in parts.
pub(crate) const TILE: usize = 512;

/// An element type with a kernel for each instruction set.
pub(crate) trait Kernels: Number {
    /// What panels are made of: the parts of complex numbers.
    type Part: Number;
    /// 2 for complex numbers.
    const PARTS: usize;
    fn part(self, which: usize) -> Self::Part;
    fn kernel(level: Level) -> Kernel<Self::Part>;
}

macro_rules! kernel {
    (real $($rest:tt)*) => { kernel!(@ true, real $($rest)*) };
    (packed $($rest:tt)*) => { kernel!(@ false, packed $($rest)*) };
    (complex $($rest:tt)*) => { kernel!(@ false, complex $($rest)*) };
    (@ $anywhere:literal, $generic:ident, $vector:ty, $item:ty, $rows:literal, [$($w:literal)*], $($feature:literal)?) => {{
        /// # Safety
        ///
        /// As the generic kernel; the machine has the features.
        $(#[target_feature(enable = $feature)])?
        unsafe fn run<const W: usize>(depth: usize, a: Rows<$item>, b: *const $item, to: Target<$item>) {
            // SAFETY: as the caller promises.
            unsafe { $generic::<$vector, $rows, W>(depth, a, b, to, <$item as Number>::ZERO) }
        }
        Kernel { rows: $rows, lanes: <$vector as Vector>::LANES, run: &[$(run::<$w>),*], anywhere: $anywhere }
    }};
}

macro_rules! float_kernels {
    ($item:ty, $v256:ident, $v512:ident, $lanes:literal) => {
        impl Kernels for $item {
            type Part = $item;
            const PARTS: usize = 1;
            #[inline(always)]
            fn part(self, _: usize) -> $item {
                self
            }
            fn kernel(level: Level) -> Kernel<$item> {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => kernel!(real, std::arch::x86_64::$v512, $item, 8, [1 2 3], "avx512f"),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => kernel!(real, std::arch::x86_64::$v256, $item, 6, [1 2], "avx2,fma"),
                    _ => kernel!(real, Lanes<$item, $lanes>, $item, 4, [1 2], ),
                }
            }
        }
        impl Kernels for Complex<$item> {
            type Part = $item;
            const PARTS: usize = 2;
            #[inline(always)]
            fn part(self, which: usize) -> $item {
                if which == 0 { self.re } else { self.im }
            }
            fn kernel(level: Level) -> Kernel<$item> {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => kernel!(complex, std::arch::x86_64::$v512, $item, 6, [1 2], "avx512f"),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => kernel!(complex, std::arch::x86_64::$v256, $item, 6, [1], "avx2,fma"),
                    _ => kernel!(complex, Lanes<$item, $lanes>, $item, 2, [1 2], ),
                }
            }
        }
    };
}

float_kernels!(f32, __m256, __m512, 4);
float_kernels!(f64, __m256d, __m512d, 2);

/// Sums and products of signed numbers have the bits of the unsigned ones'.
macro_rules! integer_kernels {
    ($($ty:ty, $unsigned:ty, $base:ty, $avx2:ty, $avx512:ty;)*) => { $(
        impl Kernels for $ty {
            type Part = $unsigned;
            const PARTS: usize = 1;
            #[inline(always)]
            fn part(self, _: usize) -> $unsigned {
                self as $unsigned
            }
            fn kernel(level: Level) -> Kernel<$unsigned> {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => kernel!(packed, $avx512, $unsigned, 4, [1 2], "avx512f,avx512bw,avx512dq,avx512vl"),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => kernel!(packed, $avx2, $unsigned, 4, [1 2], "avx2"),
                    _ => kernel!(packed, $base, $unsigned, 4, [1 2], ),
                }
            }
        }
    )* };
}

integer_kernels! {
    i8, u8, Lanes<u8, 16>, Lanes<u8, 32>, Lanes<u8, 64>;
    u8, u8, Lanes<u8, 16>, Lanes<u8, 32>, Lanes<u8, 64>;
    i16, u16, Lanes<u16, 8>, Lanes<u16, 16>, Lanes<u16, 32>;
    u16, u16, Lanes<u16, 8>, Lanes<u16, 16>, Lanes<u16, 32>;
    i32, u32, Lanes<u32, 4>, x86::U32x8, x86::U32x16;
    u32, u32, Lanes<u32, 4>, x86::U32x8, x86::U32x16;
    i64, u64, Lanes<u64, 2>, Lanes<u64, 4>, Lanes<u64, 8>;
    u64, u64, Lanes<u64, 2>, Lanes<u64, 4>, Lanes<u64, 8>;
}
