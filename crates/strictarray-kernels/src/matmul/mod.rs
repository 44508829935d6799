//! Products of matrices.
//!
//! Every element of a product is summed in one order, which depends on the sizes alone: in blocks of 256 products, each from
//! its first to its last by fused multiply-add, the blocks' sums added up; of a product with a vector in 16 partial sums. What
//! layouts and instruction sets change is only which elements are computed together: so results depend on neither, and 0·inf
//! is NaN as it should be.

#![allow(clippy::needless_range_loop, reason = "iterators over arrays in registers are not always inlined")]

mod kernel;
mod panels;

use std::slice;

use strictarray_core::{Complex, Element, Operand, Result, dispatch};

use crate::simd::per_level;
use crate::{Ctx, run};
use kernel::Kernels;

/// Products summed before their sum is added to the other blocks'.
const DEPTH: usize = 256;

/// What elements of matrices can do.
pub(crate) trait Number: Element {
    const ZERO: Self;
    /// `self * b + sum`; of floats rounded once, of integers wrapped.
    fn mul_add(self, b: Self, sum: Self) -> Self;
    fn plus(self, other: Self) -> Self;
    /// Whether [`mul_add`](Number::mul_add) gives the same bits when `self` and `b` change places: it does not of complex
    /// numbers, where the order of its steps shows.
    const COMMUTES: bool = true;
    /// Whether it is a NaN: which one depends on the order of factors even so.
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
}

macro_rules! integers {
    ($($ty:ty)*) => { $(
        impl Number for $ty {
            const ZERO: $ty = 0;
            #[inline(always)]
            fn mul_add(self, b: $ty, sum: $ty) -> $ty {
                self.wrapping_mul(b).wrapping_add(sum)
            }
            #[inline(always)]
            fn plus(self, other: $ty) -> $ty {
                self.wrapping_add(other)
            }
        }
    )* };
}

macro_rules! floats {
    ($($ty:ty)*) => { $(
        impl Number for $ty {
            const ZERO: $ty = 0.0;
            #[inline(always)]
            fn mul_add(self, b: $ty, sum: $ty) -> $ty {
                <$ty>::mul_add(self, b, sum)
            }
            #[inline(always)]
            fn plus(self, other: $ty) -> $ty {
                self + other
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                <$ty>::is_nan(self)
            }
        }
        impl Number for Complex<$ty> {
            const ZERO: Self = Complex::new(0.0, 0.0);
            const COMMUTES: bool = false;
            #[inline(always)]
            fn mul_add(self, b: Self, sum: Self) -> Self {
                Complex::new(
                    (-self.im).mul_add(b.im, self.re.mul_add(b.re, sum.re)),
                    self.im.mul_add(b.re, self.re.mul_add(b.im, sum.im)),
                )
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }
        }
    )* };
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64);
floats!(f32 f64);

/// A matrix in memory: its first element, the strides in bytes of a step down and a step right.
#[derive(Clone, Copy)]
pub(crate) struct Matrix {
    ptr: *mut u8,
    down: isize,
    right: isize,
}

impl Matrix {
    fn new(x: &Operand<'_>) -> Matrix {
        Matrix { ptr: x.ptr(), down: x.strides()[0], right: x.strides()[1] }
    }

    #[inline(always)]
    pub(crate) fn at<T>(&self, row: usize, column: usize) -> *mut T {
        self.ptr.wrapping_offset(self.down * row as isize + self.right * column as isize).cast()
    }

    /// Whether the other one is this one transposed: not equal elements, the same.
    fn is_transpose_of(&self, other: &Matrix) -> bool {
        std::ptr::eq(self.ptr, other.ptr) && self.down == other.right && self.right == other.down
    }

    fn transposed(&self) -> Matrix {
        Matrix { ptr: self.ptr, down: self.right, right: self.down }
    }
}

/// Sizes of a product: M, N and K.
pub(crate) type Sizes = [usize; 3];

per_level! {
    /// Small products.
    fn small<T: Number>(matrices: [Matrix; 3], sizes: Sizes) = small_product;
    /// Products with a vector, N = 1.
    fn vector<T: Number>(matrices: [Matrix; 3], sizes: Sizes) = vector_product;
}

/// Multiplies matrices: shapes `(…, M, N)`, `(…, M, K)` and `(…, K, N)` with the same leading axes, one numeric data type.
///
/// Integers wrap. Where K is 0 the product is zero. The output overlaps no input.
pub fn matmul(ctx: &Ctx<'_>, out: &Operand<'_>, x1: &Operand<'_>, x2: &Operand<'_>) -> Result<()> {
    let dtype = out.dtype();
    if x1.dtype() != dtype || x2.dtype() != dtype {
        return Err(run::misuse("matmul: data types differ"));
    }
    let (Some((batch, &[m, n])), Some((batch1, &[m1, k])), Some((batch2, &[k2, n2]))) =
        (out.shape().split_last_chunk(), x1.shape().split_last_chunk(), x2.shape().split_last_chunk())
    else {
        return Err(run::misuse("matmul: no matrices"));
    };
    if batch1 != batch || batch2 != batch || (m1, n2, k2) != (m, n, k) {
        return Err(run::misuse("matmul: shapes"));
    }
    if out.size() == 0 {
        return Ok(());
    }
    dispatch!(NUMERIC, dtype, T => {
        let mut work = Work::<T>::new(ctx, [m, n, k])?;
        batches([out, x1, x2], batch.len(), &mut |matrices| work.product(matrices))
    })
    .unwrap_or_else(|| Err(run::misuse("matmul: data type")))
}

/// Calls `each` for the matrices at every position of the leading axes.
fn batches(operands: [&Operand<'_>; 3], axes: usize, each: &mut dyn FnMut([Matrix; 3]) -> Result<()>) -> Result<()> {
    if axes == 0 {
        return each(operands.map(Matrix::new));
    }
    for i in 0..operands[0].shape()[0] {
        let inner = operands.map(|o| o.at(i));
        batches(inner.each_ref(), axes - 1, each)?;
    }
    Ok(())
}

/// What all products of a call share.
struct Work<'a, T: Kernels> {
    ctx: &'a Ctx<'a>,
    sizes: Sizes,
    /// Multiply-adds since it was last asked whether to stop.
    since: usize,
    panels: Option<panels::Panels<T>>,
}

/// Below so many multiply-adds packing costs more than it saves.
const SMALL: usize = 8 * 8 * 8;
/// Rows that a product with a vector handles at once, a multiple of what its loops do.
const STRIP: usize = 128;
/// Multiply-adds of about a millisecond.
const TICK: usize = 1 << 22;

impl<'a, T: Kernels> Work<'a, T> {
    fn new(ctx: &'a Ctx<'a>, sizes: Sizes) -> Result<Self> {
        let [m, n, k] = sizes;
        let direct = m == 1 || n == 1 || k == 0 || m.saturating_mul(n).saturating_mul(k) <= SMALL;
        let panels = if direct { None } else { Some(panels::Panels::new(ctx, sizes)?) };
        Ok(Work { ctx, sizes, since: 0, panels })
    }

    fn product(&mut self, matrices: [Matrix; 3]) -> Result<()> {
        let [m, n, k] = self.sizes;
        if let Some(panels) = &mut self.panels {
            return panels.product(self.ctx, matrices, self.sizes);
        }
        let [out, a, b] = matrices;
        // SAFETY: the matrices are the operands', of elements of T and these sizes, and the level is the machine's.
        unsafe {
            if m.saturating_mul(n).saturating_mul(k) <= SMALL {
                small::<T>(self.ctx.simd())(matrices, self.sizes);
                self.tick(m * n * (k + 1))
            } else if n == 1 {
                self.vectors([out, a, b], m)
            } else {
                self.vectors([out.transposed(), b.transposed(), a.transposed()], n)
            }
        }
    }

    /// A matrix of so many rows times a vector, in strips after which it may stop.
    ///
    /// # Safety
    ///
    /// Matrices of `T`: `rows` × 1, `rows` × K and K × 1.
    unsafe fn vectors(&mut self, [out, a, b]: [Matrix; 3], rows: usize) -> Result<()> {
        let k = self.sizes[2];
        let item = size_of::<T>();
        let packed = if k > 1 && b.down != item as isize { Some(self.ctx.scratch(k * item)?) } else { None };
        let b = match &packed {
            None => b,
            Some(memory) => {
                let to = memory.data().as_ptr();
                for l in 0..k {
                    // SAFETY: the memory has room for k elements, and the vector has so many.
                    unsafe { to.cast::<T>().add(l).write(b.at::<T>(l, 0).read()) };
                }
                Matrix { ptr: to, down: item as isize, right: 0 }
            }
        };
        let strip = (TICK / k.max(1)).next_multiple_of(STRIP).max(STRIP);
        for start in (0..rows).step_by(strip) {
            let rows = strip.min(rows - start);
            let [out, a] = [out, a].map(|x| Matrix { ptr: x.at(start, 0), ..x });
            // SAFETY: as the caller promises, for these rows; the level is the machine's.
            unsafe { vector::<T>(self.ctx.simd())([out, a, b], [rows, 1, k]) };
            self.tick(rows * k)?;
        }
        Ok(())
    }

    fn tick(&mut self, done: usize) -> Result<()> {
        self.since += done;
        if self.since >= TICK {
            self.since = 0;
            self.ctx.check_cancelled()?;
        }
        Ok(())
    }
}

/// # Safety
///
/// Matrices of `T` of these sizes; the first overlaps no other.
#[inline(always)]
unsafe fn small_product<T: Number>([out, a, b]: [Matrix; 3], [m, n, k]: Sizes) {
    for i in 0..m {
        for j in 0..n {
            let mut total = T::ZERO;
            for start in (0..k).step_by(DEPTH) {
                let mut sum = T::ZERO;
                for l in start..k.min(start + DEPTH) {
                    // SAFETY: as the caller promises.
                    sum = unsafe { T::mul_add(a.at::<T>(i, l).read(), b.at::<T>(l, j).read(), sum) };
                }
                total = if start == 0 { sum } else { total.plus(sum) };
            }
            // SAFETY: as the caller promises.
            unsafe { out.at::<T>(i, j).write(total) };
        }
    }
}

/// Partial sums of an element of a product with a vector: product l goes to sum l mod 16, so that elements of a row are
/// multiplied side by side.
const SUMS: usize = 16;

/// The sum of partial sums: halves added until one is left.
#[inline(always)]
fn total<T: Number>(mut sums: [T; SUMS]) -> T {
    let mut half = SUMS / 2;
    while half > 0 {
        for j in 0..half {
            sums[j] = sums[j].plus(sums[j + half]);
        }
        half /= 2;
    }
    sums[0]
}

/// # Safety
///
/// Matrices of `T` of these sizes, N = 1, of which the third lies side by side; the first overlaps no other.
#[inline(always)]
unsafe fn vector_product<T: Number>([out, a, b]: [Matrix; 3], [m, _, k]: Sizes) {
    const DOWN: usize = 128;
    let item = size_of::<T>() as isize;
    let vector = b.at::<T>(0, 0).cast_const();
    let mut done = 0;
    // SAFETY: as the caller promises, all along: rows are below m, places in them below k.
    unsafe {
        if a.right == item {
            while done + 4 <= m {
                rows_product::<T, 4>(out, a, vector, done, k);
                done += 4;
            }
            while done < m {
                rows_product::<T, 1>(out, a, vector, done, k);
                done += 1;
            }
        } else if a.down == item {
            while done < m {
                let rows = DOWN.min(m - done);
                let mut sums = [[T::ZERO; DOWN]; SUMS];
                for l in 0..k {
                    let column = slice::from_raw_parts(a.at::<T>(done, l).cast_const(), rows);
                    let factor = vector.add(l).read();
                    let sums = &mut sums[l % SUMS][..rows];
                    for r in 0..rows {
                        sums[r] = column[r].mul_add(factor, sums[r]);
                    }
                }
                for r in 0..rows {
                    let mut line = [T::ZERO; SUMS];
                    for j in 0..SUMS {
                        line[j] = sums[j][r];
                    }
                    out.at::<T>(done + r, 0).write(total(line));
                }
                done += rows;
            }
        }
        for row in done..m {
            let mut sums = [T::ZERO; SUMS];
            for l in 0..k {
                sums[l % SUMS] = a.at::<T>(row, l).read().mul_add(vector.add(l).read(), sums[l % SUMS]);
            }
            out.at::<T>(row, 0).write(total(sums));
        }
    }
}

/// Some rows times a vector, whose elements lie side by side in both.
///
/// # Safety
///
/// As [`vector_product`]: there are so many rows from the first on.
#[inline(always)]
unsafe fn rows_product<T: Number, const ROWS: usize>(out: Matrix, a: Matrix, vector: *const T, first: usize, k: usize) {
    let rows: [*const T; ROWS] = std::array::from_fn(|r| a.at::<T>(first + r, 0).cast_const());
    let mut sums = [[T::ZERO; SUMS]; ROWS];
    let mut l = 0;
    // SAFETY: as the caller promises; places are below k.
    unsafe {
        while l + SUMS <= k {
            let factors = vector.add(l).cast::<[T; SUMS]>().read();
            for r in 0..ROWS {
                let row = rows[r].add(l).cast::<[T; SUMS]>().read();
                for j in 0..SUMS {
                    sums[r][j] = row[j].mul_add(factors[j], sums[r][j]);
                }
            }
            l += SUMS;
        }
        for j in 0..k - l {
            for r in 0..ROWS {
                sums[r][j] = rows[r].add(l + j).read().mul_add(vector.add(l + j).read(), sums[r][j]);
            }
        }
        for r in 0..ROWS {
            out.at::<T>(first + r, 0).write(total(sums[r]));
        }
    }
}
