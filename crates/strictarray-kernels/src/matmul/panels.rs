//! Products of large matrices: blocks that fit the caches, packed into panels in the order in which the kernel reads them.

use std::mem::MaybeUninit;

use strictarray_core::{Buffer, Result};

use super::kernel::{Kernel, Kernels, Rows, TILE, Target};
use super::{DEPTH, Matrix, Number, Sizes};
use crate::Ctx;
use crate::simd::per_level;

/// Bytes of a block of rows: half of a small second-level cache.
const ROW_BLOCK: usize = 128 << 10;
/// Bytes of a block of columns: a part of the last-level cache.
const COLUMN_BLOCK: usize = 2 << 20;

/// Bytes of rows that stay in the first-level cache while all columns pass: those are not packed.
const NEAR: usize = 32 << 10;

/// Complex numbers whose parts are brought apart at once.
const SOME: usize = 4;
/// Panels up to so many columns wide: in wider ones the compiler's loops do better.
const NARROW: usize = 8;

/// Memory for the packed blocks, and how they are cut.
pub(super) struct Panels<T: Kernels> {
    kernel: Kernel<T::Part>,
    /// Rows and columns of a block: multiples of the kernel's.
    block: [usize; 2],
    rows: Buffer,
    columns: Buffer,
    pack: unsafe fn(*mut T::Part, Matrix, [usize; 2], [usize; 2]),
    unload: unsafe fn(*const T, usize, Matrix, [usize; 2], bool),
}

per_level! {
    /// Packs a block.
    fn packing<T: Kernels>(to: *mut T::Part, from: Matrix, sizes: [usize; 2], units: [usize; 2]) = pack;
    /// Writes a tile.
    fn unloading<T: Kernels>(tile: *const T, line: usize, to: Matrix, sizes: [usize; 2], add: bool) = unload_tile;
}

impl<T: Kernels> Panels<T> {
    pub(super) fn new(ctx: &Ctx<'_>, [m, n, k]: Sizes) -> Result<Self> {
        let kernel = T::kernel(ctx.simd());
        let line = k.min(DEPTH) * size_of::<T>();
        // Once around, every tile's parts fit; large depths are cut, so that a line is at least an element.
        let cut = |size: usize, bytes: usize, unit: usize| size.min((bytes / line).max(1)).next_multiple_of(unit);
        let block = [cut(m, ROW_BLOCK, kernel.rows), cut(n, COLUMN_BLOCK, kernel.columns())];
        debug_assert!(kernel.rows * kernel.columns() * T::PARTS <= TILE);
        let rows = ctx.scratch(block[0] * line)?;
        let columns = ctx.scratch(block[1] * line)?;
        let (pack, unload) = (packing::<T>(ctx.simd()), unloading::<T>(ctx.simd()));
        Ok(Panels { kernel, block, rows, columns, pack, unload })
    }

    pub(super) fn product(&mut self, ctx: &Ctx<'_>, matrices: [Matrix; 3], sizes: Sizes) -> Result<()> {
        let [out, a, b] = matrices;
        // A matrix and its transpose: what is right of the diagonal is what is below it. Slices of one matrix may begin at one
        // place, too, and differ in their sizes.
        if T::COMMUTES && sizes[0] == sizes[1] && b.is_transpose_of(&a) {
            self.tiles(ctx, matrices, sizes, true)?;
            // SAFETY: the output's elements, of T, a square of them; those on the diagonal and below it are set.
            if unsafe { mirror::<T>(ctx, out, sizes[0])? } {
                return Ok(());
            }
        }
        self.tiles(ctx, matrices, sizes, false)
    }

    /// Computes all tiles, or those that reach the diagonal or what is below it.
    fn tiles(&mut self, ctx: &Ctx<'_>, [out, a, b]: [Matrix; 3], [m, n, k]: Sizes, lower: bool) -> Result<()> {
        let columns = self.columns.data().as_ptr().cast::<T::Part>();
        let rows = self.rows.data().as_ptr().cast::<T::Part>();
        for right in (0..n).step_by(self.block[1]) {
            let width = self.block[1].min(n - right);
            for start in (0..k).step_by(DEPTH) {
                let depth = DEPTH.min(k - start);
                let b = Matrix { ptr: b.at(start, right), ..b }.transposed();
                // SAFETY: a block of the operand, of this size; the memory holds a whole block.
                unsafe { (self.pack)(columns, b, [width, depth], [self.kernel.columns(), self.kernel.lanes]) };
                for down in (0..m).step_by(self.block[0]) {
                    let height = self.block[0].min(m - down);
                    if lower && down + height <= right {
                        continue;
                    }
                    let a = Matrix { ptr: a.at(down, start), ..a };
                    let packed = !self.kernel.anywhere || height * depth * size_of::<T>() > NEAR;
                    if packed {
                        // SAFETY: as above.
                        unsafe { (self.pack)(rows, a, [height, depth], [self.kernel.rows; 2]) };
                    }
                    let out = Matrix { ptr: out.at(down, right), ..out };
                    let lower = lower.then_some([down, right]);
                    let from = if packed { None } else { Some(a) };
                    // SAFETY: both are packed for this block of the output, or the rows lie in this block of the operand.
                    unsafe { self.block([rows, columns], from, out, [height, width, depth], start > 0, lower) };
                    // A block is some ten million multiply-adds at most.
                    ctx.check_cancelled()?;
                }
            }
        }
        Ok(())
    }

    /// With the place of the block in the output only the tiles that reach the diagonal or what is below it.
    ///
    /// # Safety
    ///
    /// Packed panels and a block of the output of these sizes; the rows may lie in a block of a matrix of real numbers instead.
    unsafe fn block(
        &self,
        [rows, columns]: [*const T::Part; 2],
        from: Option<Matrix>,
        out: Matrix,
        [height, width, depth]: Sizes,
        add: bool,
        lower: Option<[usize; 2]>,
    ) {
        let Kernel { rows: unit_rows, lanes, run, .. } = self.kernel;
        let widest = self.kernel.columns();
        // A complex number is its parts side by side.
        const { assert!(size_of::<T>() == T::PARTS * size_of::<T::Part>()) };
        let mut tile = [const { MaybeUninit::<T::Part>::uninit() }; TILE];
        for right in (0..width).step_by(widest) {
            let vectors = run.len().min((width - right).div_ceil(lanes));
            let (run, unit_columns) = (run[vectors - 1], vectors * lanes);
            for down in (0..height).step_by(unit_rows) {
                if lower.is_some_and(|[top, left]| top + down + unit_rows <= left + right) {
                    continue;
                }
                let count = unit_rows.min(height - down);
                // SAFETY: panels follow one another, each `depth` times its unit; real numbers are their own parts. The tile
                // has room, and what is written is inside the block of the output.
                unsafe {
                    let a = match from {
                        None => Rows {
                            first: rows.add(down * depth * T::PARTS),
                            count: unit_rows,
                            down: size_of::<T::Part>() as isize,
                            right: (unit_rows * size_of::<T>()) as isize,
                        },
                        Some(a) => Rows { first: a.at(down, 0), count, down: a.down, right: a.right },
                    };
                    let b = columns.add(right * depth * T::PARTS);
                    let to = Matrix { ptr: out.at(down, right), ..out };
                    let sizes = [count, unit_columns.min(width - right)];
                    let side_by_side = out.right == size_of::<T>() as isize;
                    if side_by_side && sizes == [unit_rows, unit_columns] {
                        run(depth, a, b, Target { first: to.at(0, 0), down: to.down, add });
                        continue;
                    }
                    let line = (unit_columns * size_of::<T>()) as isize;
                    run(depth, a, b, Target { first: tile.as_mut_ptr().cast(), down: line, add: false });
                    (self.unload)(tile.as_ptr().cast(), unit_columns, to, sizes, add);
                }
            }
        }
    }
}

/// Writes a tile, whose lines are so many numbers long, or adds it to what is there.
///
/// # Safety
///
/// The tile and the matrix of `T` have so many rows and columns.
#[inline(always)]
unsafe fn unload_tile<T: Kernels>(tile: *const T, line: usize, to: Matrix, sizes: [usize; 2], add: bool) {
    let [rows, columns] = sizes;
    for i in 0..rows {
        // SAFETY: as the caller promises.
        unsafe {
            let (from, first) = (tile.add(i * line), to.at::<T>(i, 0));
            if to.right == size_of::<T>() as isize {
                unload(first, size_of::<T>() as isize, from, columns, add);
            } else {
                unload(first, to.right, from, columns, add);
            }
        }
    }
}

/// Writes what is below the diagonal to its places above it. Not where a NaN is: then it says false.
///
/// # Safety
///
/// A square of elements of `T`.
unsafe fn mirror<T: Kernels>(ctx: &Ctx<'_>, out: Matrix, n: usize) -> Result<bool> {
    /// Squares of so many elements stay in the first-level cache.
    const SIDE: usize = 16;
    for top in (0..n).step_by(SIDE) {
        for left in (0..=top).step_by(SIDE) {
            let mut nan = false;
            for i in top..n.min(top + SIDE) {
                for j in left..i.min(left + SIDE) {
                    // SAFETY: as the caller promises.
                    unsafe {
                        let value = out.at::<T>(i, j).read();
                        nan |= value.is_nan();
                        out.at::<T>(j, i).write(value);
                    }
                }
            }
            if nan {
                return Ok(false);
            }
        }
        ctx.check_cancelled()?;
    }
    Ok(true)
}

/// Writes a line of a tile, or adds it to what is there.
///
/// # Safety
///
/// `n` elements at both.
#[inline(always)]
unsafe fn unload<T: Kernels>(to: *mut T, stride: isize, from: *const T, n: usize, add: bool) {
    for j in 0..n {
        // SAFETY: as the caller promises.
        unsafe {
            let (value, to) = (from.add(j).read(), to.byte_offset(j as isize * stride));
            to.write(if add { to.read().plus(value) } else { value });
        }
    }
}

/// Packs rows into panels of `widest`, the last one as many times `unit` as it needs: for each depth the rows' numbers side
/// by side (of complex numbers first the real parts), zeros beyond the last row.
///
/// # Safety
///
/// The matrix has so many rows and columns (`depth`), `to` room for whole panels.
#[inline(always)]
unsafe fn pack<T: Kernels>(to: *mut T::Part, from: Matrix, sizes: [usize; 2], units: [usize; 2]) {
    let ([rows, depth], [widest, unit]) = (sizes, units);
    let mut to = to;
    for first in (0..rows).step_by(widest) {
        let count = widest.min(rows - first);
        let unit = count.next_multiple_of(unit);
        // SAFETY: as the caller promises.
        unsafe {
            if T::PARTS == 1 && count == unit && from.down == size_of::<T>() as isize {
                for l in 0..depth {
                    let line = from.at::<T::Part>(first, l);
                    std::ptr::copy_nonoverlapping(line.cast_const(), to.add(l * unit), unit);
                }
            } else if from.down == size_of::<T>() as isize {
                for l in 0..depth {
                    let line = from.at::<T>(first, l);
                    let mut done = 0;
                    while T::PARTS == 2 && count <= NARROW && done + SOME <= count {
                        let some = line.add(done).cast::<[T; SOME]>().read();
                        for part in 0..2 {
                            let to = to.add((l * 2 + part) * unit + done).cast::<[T::Part; SOME]>();
                            to.write([0, 1, 2, 3].map(|r: usize| some[r].part(part)));
                        }
                        done += SOME;
                    }
                    for part in 0..T::PARTS {
                        let to = to.add((l * T::PARTS + part) * unit);
                        for r in done..count {
                            to.add(r).write(line.add(r).read().part(part));
                        }
                    }
                }
            } else {
                for r in 0..count {
                    let line = from.at::<u8>(first + r, 0);
                    for l in 0..depth {
                        let value = line.wrapping_offset(from.right * l as isize).cast::<T>().read();
                        for part in 0..T::PARTS {
                            to.add((l * T::PARTS + part) * unit + r).write(value.part(part));
                        }
                    }
                }
            }
            if count < unit {
                for l in 0..depth * T::PARTS {
                    for r in count..unit {
                        to.add(l * unit + r).write(T::Part::ZERO);
                    }
                }
            }
            to = to.add(unit * depth * T::PARTS);
        }
    }
}
