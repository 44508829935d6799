//! The way through an operand: which axes are kept, which are reduced, and which elements are taken side by side.

use std::mem::MaybeUninit;

use smallvec::SmallVec;
use strictarray_core::{Array, Buffer, DType, Device, Operand, Result};

use super::extremes::Extremes;
use super::tree::{AppendFn, FeedFn, FinishFn, ROWS, Rows, Tree, levels, max_width, part_levels};
use crate::ctx::TICK;
use crate::{Ctx, run};

/// An axis of the operand that the result has too.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    pub(crate) size: usize,
    pub(crate) stride: isize,
    pub(crate) out_stride: isize,
    /// From parameter to parameter, where results have given ones.
    param_stride: isize,
}

/// An axis of the operand that the result does not have.
#[derive(Clone, Copy)]
pub(crate) struct Reduced {
    pub(crate) size: usize,
    pub(crate) stride: isize,
}

/// Both kinds of axes, those of one element left out.
pub(crate) struct Plan {
    /// The largest strides first: the order of the results does not matter.
    pub(crate) kept: SmallVec<[Kept; 4]>,
    /// In C order, neighbours merged where they lie evenly.
    pub(crate) reduced: SmallVec<[Reduced; 4]>,
    /// Elements that make a result.
    pub(crate) count: usize,
    /// How many `finish` is told: more, where these are already results of several.
    pub(crate) told: usize,
    /// Results.
    pub(crate) results: usize,
}

impl Plan {
    /// `out` has the shape of `x`, with 1 for each reduced axis.
    pub(crate) fn new(out: &Operand<'_>, x: &Operand<'_>) -> Result<Plan> {
        Plan::with(out, x, None)
    }

    /// As [`Plan::new`], with parameters: of the shape of `out`, or with 1 for axes along which they stay the same.
    fn with(out: &Operand<'_>, x: &Operand<'_>, params: Option<&Operand<'_>>) -> Result<Plan> {
        let (shape, out_shape) = (x.shape(), out.shape());
        let broadcasts = |p: &Operand<'_>| {
            p.shape().len() == out_shape.len() && p.shape().iter().zip(out_shape).all(|(n, m)| n == m || *n == 1)
        };
        if !params.is_none_or(broadcasts) {
            return Err(run::misuse("parameters whose shape is not that of the result"));
        }
        let param_stride = |axis: usize| params.map_or(0, |p| if p.shape()[axis] == 1 { 0 } else { p.strides()[axis] });
        if shape.len() != out_shape.len() || shape.iter().zip(out_shape).any(|(n, m)| n != m && *m != 1) {
            return Err(run::misuse("a result whose shape is not that of the operand reduced"));
        }
        let mut plan = Plan { kept: SmallVec::new(), reduced: SmallVec::new(), count: 1, told: 1, results: 1 };
        let strides = x.strides().iter().zip(out.strides());
        for (axis, ((&size, &out_size), (&stride, &out_stride))) in shape.iter().zip(out_shape).zip(strides).enumerate()
        {
            if size == out_size {
                plan.results *= size;
                if size != 1 {
                    plan.kept.push(Kept { size, stride, out_stride, param_stride: param_stride(axis) });
                }
                continue;
            }
            plan.count *= size;
            match plan.reduced.last_mut() {
                Some(last) if last.stride == stride.wrapping_mul(size as isize) => {
                    *last = Reduced { size: last.size * size, stride };
                }
                _ => plan.reduced.push(Reduced { size, stride }),
            }
        }
        plan.told = plan.count;
        if plan.kept.len() > 1 {
            plan.kept.sort_by_key(|axis| std::cmp::Reverse(axis.stride.unsigned_abs()));
            let mut merged: SmallVec<[Kept; 4]> = SmallVec::new();
            for &axis in &plan.kept {
                let n = axis.size as isize;
                match merged.last_mut() {
                    Some(last)
                        if last.stride == axis.stride.wrapping_mul(n)
                            && last.out_stride == axis.out_stride.wrapping_mul(n)
                            && last.param_stride == axis.param_stride.wrapping_mul(n) =>
                    {
                        *last = Kept { size: last.size * axis.size, ..axis };
                    }
                    _ => merged.push(axis),
                }
            }
            plan.kept = merged;
        }
        Ok(plan)
    }

    /// Reduced axes ordered by how they lie in memory: for folds to which their order makes no difference.
    pub(crate) fn in_any_order(&mut self) {
        if self.reduced.len() < 2 {
            return;
        }
        self.reduced.sort_by_key(|axis| std::cmp::Reverse(axis.stride.unsigned_abs()));
        let mut merged: SmallVec<[Reduced; 4]> = SmallVec::new();
        for &Reduced { size, stride } in &self.reduced {
            match merged.last_mut() {
                Some(last) if last.stride == stride.wrapping_mul(size as isize) => {
                    *last = Reduced { size: last.size * size, stride };
                }
                _ => merged.push(Reduced { size, stride }),
            }
        }
        self.reduced = merged;
    }

    /// Whether results are computed side by side: those along the last kept axis, where its elements lie closer than those
    /// that are reduced, or where there are few of these.
    pub(crate) fn side_by_side(&self) -> bool {
        const FEW: usize = 32;
        match (self.kept.last(), self.reduced.last()) {
            (Some(kept), Some(reduced)) => {
                let closer = kept.stride.unsigned_abs() < reduced.stride.unsigned_abs();
                closer || self.count <= FEW && kept.size >= 8
            }
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// Whether elements of results side by side stand side by side too.
    pub(crate) fn together(&self, item: usize) -> bool {
        self.kept.last().is_some_and(|kept| kept.stride == item as isize)
    }

    /// How many results are computed side by side.
    fn width(&self, folding: &Folding) -> usize {
        match self.kept.last() {
            Some(kept) if self.side_by_side() => {
                let Folding { lanes, acc, item, .. } = *folding;
                kept.size.min(max_width(self.count, lanes, acc, item, self.together(item)))
            }
            _ => 1,
        }
    }

    /// Calls `each` for every group of up to `width` results along the last kept axis: where its elements and the
    /// results begin, and how many there are.
    pub(crate) fn for_each_group(
        &self,
        out: *mut u8,
        x: *const u8,
        width: usize,
        mut each: impl FnMut(*mut u8, *const u8, usize) -> Result<()>,
    ) -> Result<()> {
        self.for_each_group_with(out, x, std::ptr::null(), width, |out, x, _, n| each(out, x, n))
    }

    /// As [`Plan::for_each_group`], and where their parameters begin.
    fn for_each_group_with(
        &self,
        out: *mut u8,
        x: *const u8,
        params: *const u8,
        width: usize,
        mut each: impl FnMut(*mut u8, *const u8, *const u8, usize) -> Result<()>,
    ) -> Result<()> {
        if self.results == 0 {
            return Ok(());
        }
        let Some((inner, outer)) = self.kept.split_last() else { return each(out, x, params, 1) };
        let mut at: SmallVec<[usize; 8]> = SmallVec::from_elem(0, outer.len());
        let (mut out, mut x, mut params) = (out, x, params);
        loop {
            let mut start = 0;
            while start < inner.size {
                let n = width.min(inner.size - start);
                let first = start as isize;
                each(
                    out.wrapping_offset(first * inner.out_stride),
                    x.wrapping_offset(first * inner.stride),
                    params.wrapping_offset(first * inner.param_stride),
                    n,
                )?;
                start += n;
            }
            let mut axis = outer.len();
            loop {
                if axis == 0 {
                    return Ok(());
                }
                axis -= 1;
                let Kept { size, stride, out_stride, param_stride } = outer[axis];
                at[axis] += 1;
                // On to the next, or back to the first.
                let steps = if at[axis] < size { 1 } else { 1 - size as isize };
                x = x.wrapping_offset(stride * steps);
                out = out.wrapping_offset(out_stride * steps);
                params = params.wrapping_offset(param_stride * steps);
                if steps == 1 {
                    break;
                }
                at[axis] = 0;
            }
        }
    }

    /// Calls `each` for the elements of one result in C order, run by run: where a run begins, its stride and its length.
    #[inline]
    pub(crate) fn for_each_run(
        &self,
        x: *const u8,
        mut each: impl FnMut(*const u8, isize, usize) -> Result<()>,
    ) -> Result<()> {
        let Some((inner, outer)) = self.reduced.split_last() else { return each(x, 0, 1) };
        if outer.is_empty() {
            return each(x, inner.stride, inner.size);
        }
        if self.count == 0 {
            return Ok(());
        }
        let mut at: SmallVec<[usize; 8]> = SmallVec::from_elem(0, outer.len());
        let mut x = x;
        loop {
            each(x, inner.stride, inner.size)?;
            let mut axis = outer.len();
            loop {
                if axis == 0 {
                    return Ok(());
                }
                axis -= 1;
                let Reduced { size, stride } = outer[axis];
                at[axis] += 1;
                if at[axis] < size {
                    x = x.wrapping_offset(stride);
                    break;
                }
                at[axis] = 0;
                x = x.wrapping_offset(-stride * (size as isize - 1));
            }
        }
    }
}

/// Counts elements and asks about every millisecond whether to stop.
pub(crate) struct Ticker<'a> {
    ctx: &'a Ctx<'a>,
    since: usize,
}

impl<'a> Ticker<'a> {
    pub(crate) fn new(ctx: &'a Ctx<'a>) -> Ticker<'a> {
        Ticker { ctx, since: 0 }
    }

    #[inline]
    pub(crate) fn tick(&mut self, elements: usize) -> Result<()> {
        self.since += elements;
        if self.since < TICK {
            return Ok(());
        }
        self.since = 0;
        self.ctx.check_cancelled()
    }
}

/// The most long lines that are taken together.
const MOST_LINES: usize = 32;

/// Elements that follow one another in C order but lie far apart, while those that follow much later lie close: several
/// lines of them are brought together at once.
struct Turned {
    /// Room for the elements.
    memory: Buffer,
    lines: usize,
    /// Elements of a line that are brought together at once: all, unless lines are long.
    columns: usize,
    /// Room for the tree of a part, for each of long lines.
    parts: Option<(Buffer, usize)>,
}

impl Turned {
    /// Lines that are brought together: those of a cache line or more.
    fn new(ctx: &Ctx<'_>, plan: &Plan, folding: &Folding) -> Result<Option<Turned>> {
        const LINE: usize = 64;
        const ENOUGH: usize = 4096;
        /// Bytes that stay in the second-level cache.
        const MOST: usize = 256 << 10;
        /// Bytes of parts of long lines, and of what lies side by side in them.
        const PARTS: usize = 128 << 10;
        const WIDE: usize = 256;
        let Folding { lanes, acc, item, .. } = *folding;
        let [.., outer, inner] = &plan.reduced[..] else { return Ok(None) };
        let apart = inner.stride.unsigned_abs();
        let lines = (LINE / item).max(ENOUGH / inner.size.max(1)).min(outer.size);
        if outer.stride.unsigned_abs() >= apart || lines < 2 {
            return Ok(None);
        }
        let bytes = inner.size.saturating_mul(item * lines);
        // Short lines stay in the cache, and need not be turned unless each element is in a cache line of its own.
        if apart < if bytes <= MOST { LINE } else { 4 * item } {
            return Ok(None);
        }
        if bytes <= MOST {
            return Ok(Some(Turned { memory: ctx.scratch(bytes.max(1))?, lines, columns: inner.size, parts: None }));
        }
        // So many bytes are lines of 4096 elements at least, each of which has whole blocks.
        let lines = (WIDE / item).clamp(1, MOST_LINES).min(outer.size);
        // A cache line less, so that the lines of a power of two do not all fall to the same places of the cache.
        let columns = (PARTS / lines - LINE) / item;
        let part = part_levels(inner.size, lanes) * lanes * acc;
        let parts = Some((ctx.scratch(part * lines)?, part));
        Ok(Some(Turned { memory: ctx.scratch(lines * columns * item)?, lines, columns, parts }))
    }

    /// Takes the elements of one result into a tree.
    ///
    /// # Safety
    ///
    /// The tree and the pass are of the folding, `params` is for it; `x` is where the elements of a result begin.
    unsafe fn feed(
        &self,
        plan: &Plan,
        tree: &mut Tree,
        x: *const u8,
        (folding, pass, params): (&Folding, Pass, *const u8),
        ticker: &mut Ticker<'_>,
    ) -> Result<()> {
        let Folding { lanes, item, .. } = *folding;
        let block = lanes * ROWS;
        let mut done = 0usize;
        let row = |ptr: *const u8, count: usize, stride: isize| Rows { ptr, count, stride, column_stride: 0, params };
        let Some((memory, bytes)) = &self.parts else {
            return self.for_each_run(plan, x, item, &mut |ptr, stride, count| {
                // SAFETY: as the caller promises; the elements were brought there.
                unsafe { (pass.feed)(tree, row(ptr, count, stride)) };
                ticker.tick(count)
            });
        };
        let base = memory.data().as_ptr();
        self.for_each_group(plan, x, &mut |x, outer, inner, lines| {
            // Of each line what are whole blocks, with those of the others beside it.
            let begin = |line: usize| (done + line * inner.size).next_multiple_of(block) - (done + line * inner.size);
            let end = |line: usize| begin(line) + (inner.size - begin(line)) / block * block;
            // SAFETY: there is room for the part of each line, and whole blocks are taken into it, as many as it has.
            let mut parts: SmallVec<[Tree; MOST_LINES]> = (0..lines)
                .map(|line| unsafe {
                    let before = (done + line * inner.size + begin(line)) / block;
                    Tree::part(base.wrapping_add(line * bytes), before)
                })
                .collect();
            let mut start = 0;
            while start < inner.size {
                let n = self.columns.min(inner.size - start);
                let to = self.memory.data().as_ptr();
                // SAFETY: the plan stays on the operand's elements, and the memory holds so many of so many lines.
                unsafe {
                    let from = x.wrapping_offset(start as isize * inner.stride);
                    turn_sized(to, from, (outer.stride, inner.stride), (lines, n), item);
                    for (line, part) in parts.iter_mut().enumerate() {
                        let (first, past) = (begin(line).max(start), end(line).min(start + n));
                        if first < past {
                            let from = to.wrapping_add((line * n + first - start) * item);
                            (pass.feed)(part, row(from, past - first, item as isize));
                        }
                    }
                }
                ticker.tick(lines * n)?;
                start += n;
            }
            // Then one line after the other, with what is left at its ends.
            for (line, part) in parts.iter().enumerate() {
                let x = x.wrapping_offset(line as isize * outer.stride);
                let (first, past) = (begin(line), end(line));
                // SAFETY: the plan stays on the operand's elements; the tree ends where the part begins.
                unsafe {
                    (pass.feed)(tree, row(x, first, inner.stride));
                    (pass.append)(tree, part);
                    let rest = x.wrapping_offset(past as isize * inner.stride);
                    (pass.feed)(tree, row(rest, inner.size - past, inner.stride));
                }
            }
            done += lines * inner.size;
            Ok(())
        })
    }

    /// As [`Plan::for_each_run`], the elements of runs side by side.
    fn for_each_run(
        &self,
        plan: &Plan,
        x: *const u8,
        item: usize,
        run: &mut dyn FnMut(*const u8, isize, usize) -> Result<()>,
    ) -> Result<()> {
        let to = self.memory.data().as_ptr();
        self.for_each_group(plan, x, &mut |x, outer, inner, lines| {
            // SAFETY: the plan stays on the operand's elements, and the memory holds so many lines.
            unsafe { turn_sized(to, x, (outer.stride, inner.stride), (lines, inner.size), item) };
            run(to, item as isize, lines * inner.size)
        })
    }

    /// Calls `each` for lines that are taken together: where they begin, both axes, and how many there are.
    fn for_each_group(
        &self,
        plan: &Plan,
        x: *const u8,
        each: &mut dyn FnMut(*const u8, Reduced, Reduced, usize) -> Result<()>,
    ) -> Result<()> {
        let [outermost @ .., outer, inner] = &plan.reduced[..] else { return Err(run::misuse("turned runs")) };
        let mut at: SmallVec<[usize; 8]> = SmallVec::from_elem(0, outermost.len());
        let mut x = x;
        loop {
            let mut start = 0;
            while start < outer.size {
                let lines = self.lines.min(outer.size - start);
                each(x.wrapping_offset(start as isize * outer.stride), *outer, *inner, lines)?;
                start += lines;
            }
            let mut axis = outermost.len();
            loop {
                if axis == 0 {
                    return Ok(());
                }
                axis -= 1;
                let Reduced { size, stride } = outermost[axis];
                at[axis] += 1;
                if at[axis] < size {
                    x = x.wrapping_offset(stride);
                    break;
                }
                at[axis] = 0;
                x = x.wrapping_offset(-stride * (size as isize - 1));
            }
        }
    }
}

/// Copies lines of elements that lie far apart, the elements of a line side by side.
///
/// # Safety
///
/// So many lines of so many elements of `T`'s size at these strides, and room for them apart.
unsafe fn turn<T: Copy>(to: *mut u8, from: *const u8, strides: (isize, isize), (lines, n): (usize, usize)) {
    let (item, to) = (size_of::<T>(), to.cast::<T>());
    // Squares of lines that stand side by side are turned in registers.
    let (down, right) =
        if strides.0 == item as isize && square_of::<T>() { (lines / 4 * 4, n / 4 * 4) } else { (0, 0) };
    let at = |line: usize, i: usize| from.wrapping_offset(line as isize * strides.0 + i as isize * strides.1);
    // SAFETY: as the caller promises. Complex numbers are aligned to their parts only.
    unsafe {
        for i in (0..right).step_by(4) {
            for line in (0..down).step_by(4) {
                turn_square(to.add(line * n + i), n, at(line, i), strides.1);
            }
        }
        for i in 0..n {
            for line in if i < right { down } else { 0 }..lines {
                to.add(line * n + i).write_unaligned(at(line, i).cast::<T>().read_unaligned());
            }
        }
    }
}

/// Whether squares of this type are turned in registers.
const fn square_of<T>() -> bool {
    cfg!(target_arch = "x86_64") && matches!(size_of::<T>(), 4 | 8)
}

/// Turns four columns of four elements, which stand at a stride, into rows that are `n` elements apart.
///
/// # Safety
///
/// They are there, and room for them; there are squares of the type.
#[inline(always)]
unsafe fn turn_square<T>(to: *mut T, n: usize, from: *const u8, stride: isize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: as the caller promises; loads and stores need no alignment, and every machine has these instructions.
    unsafe {
        use std::arch::x86_64::*;
        let load = |i: isize, half: usize| _mm_loadu_si128(from.offset(i * stride).cast::<__m128i>().add(half));
        let store = |line: usize, half: usize, row| _mm_storeu_si128(to.add(line * n).cast::<__m128i>().add(half), row);
        if size_of::<T>() == 8 {
            for half in 0..2 {
                let [a, b, c, d] = [load(0, half), load(1, half), load(2, half), load(3, half)];
                store(2 * half, 0, _mm_unpacklo_epi64(a, b));
                store(2 * half, 1, _mm_unpacklo_epi64(c, d));
                store(2 * half + 1, 0, _mm_unpackhi_epi64(a, b));
                store(2 * half + 1, 1, _mm_unpackhi_epi64(c, d));
            }
        } else {
            let [a, b, c, d] = [load(0, 0), load(1, 0), load(2, 0), load(3, 0)];
            let (first, second) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
            store(0, 0, _mm_unpacklo_epi64(first, second));
            store(1, 0, _mm_unpackhi_epi64(first, second));
            let (first, second) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
            store(2, 0, _mm_unpacklo_epi64(first, second));
            store(3, 0, _mm_unpackhi_epi64(first, second));
        }
    }
}

/// As [`turn`], of elements of `item` bytes.
///
/// # Safety
///
/// As [`turn`].
unsafe fn turn_sized(to: *mut u8, from: *const u8, strides: (isize, isize), sizes: (usize, usize), item: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        match item {
            1 => turn::<u8>(to, from, strides, sizes),
            2 => turn::<u16>(to, from, strides, sizes),
            4 => turn::<u32>(to, from, strides, sizes),
            8 => turn::<u64>(to, from, strides, sizes),
            _ => turn::<[u64; 2]>(to, from, strides, sizes),
        }
    }
}

/// One pass over the elements of a group of results.
#[derive(Clone, Copy)]
pub(crate) struct Pass {
    pub(crate) feed: FeedFn,
    pub(crate) append: AppendFn,
    pub(crate) finish: FinishFn,
}

/// A function that folds elements.
#[derive(Clone, Copy)]
pub(crate) struct Folding {
    pub(crate) lanes: usize,
    /// Bytes of an accumulator.
    pub(crate) acc: usize,
    /// Bytes of an element.
    pub(crate) item: usize,
    /// What gives the parameters of the pass, float64 each, if that has some.
    pub(crate) before: Option<Before>,
    pub(crate) pass: Pass,
    /// How results along all but one of the axes come together, if those of all of them may be made so.
    pub(crate) nested: Option<Nested>,
    /// What `finish` gets of the function.
    pub(crate) extra: f64,
}

/// The fold of the same elements that gives the parameters of another one.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    pub(crate) pass: Pass,
    pub(crate) nested: Nested,
}

/// The fold of what others accumulated.
#[derive(Clone, Copy)]
pub(crate) struct Nested {
    /// Leaves what was accumulated as it is.
    pub(crate) leave: FinishFn,
    /// Its data type.
    pub(crate) dtype: DType,
    pub(crate) lanes: usize,
    pub(crate) pass: Pass,
}

/// Accumulators that need no memory from the pool: those of a single result of a quarter of a million elements.
#[repr(align(64))]
struct Inline(MaybeUninit<[u8; 3072]>);

/// Folds `x` along the reduced axes into `out`; there must be elements to fold.
///
/// # Safety
///
/// The passes are for elements of the data types of `x` and `out`, have these lanes and accumulators, and the machine has
/// their instruction set.
pub(crate) unsafe fn fold(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    plan: &Plan,
    folding: Folding,
) -> Result<()> {
    // SAFETY: as the caller promises; no parameters are given.
    unsafe { fold_given(ctx, out, x, plan, folding, None) }
}

/// The axis after whose all others elements are folded: the last one that is reduced, where along it and along the others
/// there are many. So whichever of them lies closest in memory, elements are read as they lie. It is the shape that
/// decides, not the strides: the order of the elements is another one than that of a single fold.
pub(crate) fn nested_axis(out: &Operand<'_>, x: &Operand<'_>) -> Option<usize> {
    /// Enough to be taken side by side.
    const SIDE_BY_SIDE: usize = 32;
    /// A whole block of each: see `tree.rs`.
    const BLOCK: usize = 256;
    let reduced = || x.shape().iter().zip(out.shape()).enumerate().filter(|(_, (n, m))| n != m);
    let (axis, (&last, _)) = reduced().next_back()?;
    let others = reduced().filter(|(other, _)| *other != axis).map(|(_, (n, _))| *n).fold(1, usize::saturating_mul);
    (last >= SIDE_BY_SIDE && others >= BLOCK).then_some(axis)
}

/// As [`fold`]: first along all reduced axes but this one, then along it.
///
/// # Safety
///
/// As [`fold`]; the nested fold is of the accumulators of the other.
pub(crate) unsafe fn fold_nested(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    axis: usize,
    folding: Folding,
    nested: Nested,
) -> Result<()> {
    let count = Plan::new(out, x)?.count;
    let mut shape: SmallVec<[usize; 8]> = SmallVec::from_slice(out.shape());
    shape[axis] = x.shape()[axis];
    // SAFETY: as the caller promises, for the folds of parameters too; these are float64.
    let in_two = |out: &Operand<'_>, pass: Pass, nested: Nested, params: Option<&Operand<'_>>| unsafe {
        let parts = Array::uninit(&shape, nested.dtype, Device::CPU)?;
        let parts = parts.operand();
        let plan = Plan::with(&parts, x, params)?;
        let each = Folding { before: None, pass: Pass { finish: nested.leave, ..pass }, ..folding };
        fold_given(ctx, &parts, x, &plan, each, params)?;
        let plan = Plan { told: count, ..Plan::new(out, &parts)? };
        let acc = nested.dtype.size();
        let all = Folding { lanes: nested.lanes, acc, item: acc, before: None, pass: nested.pass, ..folding };
        fold_given(ctx, out, &parts, &plan, all, None)
    };
    let Some(before) = folding.before else { return in_two(out, folding.pass, nested, None) };
    let params = Array::uninit(out.shape(), DType::Float64, Device::CPU)?;
    in_two(&params.operand(), before.pass, before.nested, None)?;
    in_two(out, folding.pass, nested, Some(&params.operand()))
}

/// As [`fold`]; the parameters may be given, by which the plan was made then.
///
/// # Safety
///
/// As [`fold`]; given parameters are float64.
unsafe fn fold_given(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    plan: &Plan,
    folding: Folding,
    given: Option<&Operand<'_>>,
) -> Result<()> {
    let Folding { lanes, acc, before, pass, extra, .. } = folding;
    debug_assert!(plan.count > 0);
    if plan.results == 0 {
        return Ok(());
    }
    let width = plan.width(&folding);
    let bytes = levels(plan.count, lanes) * lanes * acc * width;
    let mut inline = Inline(MaybeUninit::uninit());
    let scratch: Buffer;
    let base: *mut u8 = if bytes <= size_of::<Inline>() {
        inline.0.as_mut_ptr().cast()
    } else {
        scratch = ctx.scratch(bytes)?;
        scratch.data().as_ptr()
    };
    let params_memory: Option<Buffer> = match (before, given) {
        (None, None) => None,
        _ => Some(ctx.scratch(width * size_of::<f64>())?),
    };
    let params: *mut u8 = params_memory.as_ref().map_or(base, |memory| memory.data().as_ptr());
    let turned = if width == 1 { Turned::new(ctx, plan, &folding)? } else { None };
    let column_stride = plan.kept.last().map_or(0, |axis| axis.stride);
    let out_stride = plan.kept.last().map_or(0, |axis| axis.out_stride);
    let param_stride = plan.kept.last().map_or(0, |axis| axis.param_stride);
    let mut ticker = Ticker::new(ctx);
    let count = plan.told as f64;
    let rows_at_once = (TICK / width).max(1);
    let given = given.map_or(std::ptr::null(), |given| given.ptr().cast_const());
    plan.for_each_group_with(out.ptr(), x.ptr(), given, width, |to, from, given, width| {
        let mut all = |pass: Pass, to: *mut u8, stride: isize| -> Result<()> {
            // SAFETY: there is room for the accumulators of a whole group.
            let mut tree = unsafe { Tree::new(base, width) };
            if let (Some(turned), 1) = (&turned, width) {
                // SAFETY: the tree, the pass and the parameters are the folding's.
                unsafe {
                    turned.feed(plan, &mut tree, from, (&folding, pass, params), &mut ticker)?;
                    (pass.finish)(&mut tree, to, stride, count, extra);
                }
                return Ok(());
            }
            plan.for_each_run(from, |mut ptr, stride, mut left| {
                while left > 0 {
                    let now = left.min(rows_at_once);
                    // SAFETY: the plan stays on the operand's elements.
                    unsafe { (pass.feed)(&mut tree, Rows { ptr, count: now, stride, column_stride, params }) };
                    ticker.tick(now * width)?;
                    left -= now;
                    ptr = ptr.wrapping_offset(stride * now as isize);
                }
                Ok(())
            })?;
            // SAFETY: so many results are there, and there were elements.
            unsafe { (pass.finish)(&mut tree, to, stride, count, extra) };
            Ok(())
        };
        if !given.is_null() {
            for i in 0..width {
                // SAFETY: the plan stays on the given parameters, and there is room for those of a group.
                unsafe {
                    let param = given.wrapping_offset(i as isize * param_stride).cast::<f64>().read();
                    params.cast::<f64>().add(i).write(param);
                }
            }
        } else if let Some(before) = before {
            all(before.pass, params, size_of::<f64>() as isize)?;
        }
        all(pass, to, out_stride)
    })
}

/// Folds `x` along the reduced axes into `out`, if its elements lie side by side along an axis of either kind; says whether
/// they do. There must be elements to fold.
///
/// # Safety
///
/// As [`fold`]; the extremes are of the same fold, whose accumulators are elements.
pub(crate) unsafe fn fold_side_by_side(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    plan: &Plan,
    folding: Folding,
    extremes: Extremes,
) -> Result<bool> {
    /// Bytes of results side by side: they stay in the first-level cache.
    const MOST: usize = 1 << 14;
    let Folding { item, pass, extra, .. } = folding;
    let side_by_side = plan.side_by_side();
    let (width, out_stride) = match (plan.kept.last(), plan.reduced.last()) {
        (Some(kept), _) if side_by_side => (kept.size.min(MOST / item), kept.out_stride),
        (_, Some(inner)) if inner.stride == item as isize => (1, 0),
        _ => return Ok(false),
    };
    if side_by_side && (width < extremes.columns || !plan.together(item)) {
        return Ok(false);
    }
    let mut inline = Inline(MaybeUninit::uninit());
    let scratch: Buffer;
    let best: *mut u8 = if width * item <= size_of::<Inline>() {
        inline.0.as_mut_ptr().cast()
    } else {
        scratch = ctx.scratch(width * item)?;
        scratch.data().as_ptr()
    };
    let mut ticker = Ticker::new(ctx);
    let rows_at_once = (TICK / width).max(1);
    plan.for_each_group(out.ptr(), x.ptr(), width, |to, from, width| {
        let mut first = true;
        plan.for_each_run(from, |mut ptr, stride, mut left| {
            while left > 0 {
                let now = left.min(rows_at_once);
                // SAFETY: the plan stays on the operand's elements, which lie side by side, and there is room for a group.
                unsafe {
                    if side_by_side {
                        (extremes.rows)(best, ptr, stride, [now, width], first);
                    } else {
                        (extremes.run)(best, ptr, now, first);
                    }
                }
                first = false;
                ticker.tick(now * width)?;
                left -= now;
                ptr = ptr.wrapping_offset(stride * now as isize);
            }
            Ok(())
        })?;
        // SAFETY: as many accumulators as results are set.
        unsafe { (pass.finish)(&mut Tree::of_one(best, width), to, out_stride, plan.count as f64, extra) };
        Ok(())
    })?;
    Ok(true)
}
