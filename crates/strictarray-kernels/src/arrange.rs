//! Elements brought to other places, without a change of their data type: copies, repetitions, and gathers by positions.

use smallvec::SmallVec;
use strictarray_core::iter::{Order, for_each_run};
use strictarray_core::{Dims, Error, Operand, Result, copy as core_copy, dispatch, index};
use strictarray_standard::rule;

use crate::ctx::TICK;
use crate::run::{self, same_shape};
use crate::simd::{AHEAD, Ask, ask_ahead, per_level};
use crate::{Ctx, cast};

/// Copies `from` to `to`, which have one shape and do not overlap: elements of another data type are cast.
pub fn copy(ctx: &Ctx<'_>, to: &Operand<'_>, from: &Operand<'_>) -> Result<()> {
    if to.dtype() != from.dtype() {
        return cast::cast(ctx, to, from);
    }
    same_shape([to, from])?;
    core_copy::copy_in_parts(to, from, TICK, &mut || ctx.check_cancelled())
}

/// Copies each of some operands to another one, as [`copy`] does. The targets do not overlap, but may lie between one
/// another: then all copies go on together, so that a cache line which they share is written at once.
pub fn copy_each(ctx: &Ctx<'_>, pairs: &[(Operand<'_>, Operand<'_>)]) -> Result<()> {
    const LINE: usize = 64;
    let between = |to: &Operand<'_>| {
        let group = pairs.len() * to.dtype().size();
        to.shape() == pairs[0].0.shape()
            && to.strides().last() == Some(&(group as isize))
            && group <= LINE
            && to.size() * group > TOGETHER
    };
    if pairs.len() > 1 && pairs.iter().all(|(to, from)| to.shape() == from.shape() && between(to)) {
        if let [first, second] = pairs
            && alternate((&first.0, &first.1), (&second.0, &second.1))
        {
            return copy_alternately(ctx, &first.0, [&first.1, &second.1]);
        }
        return copy_together(pairs, ctx, &mut Ticks(ctx, 0));
    }
    pairs.iter().try_for_each(|(to, from)| copy(ctx, to, from))
}

/// Bytes of parts that are copied one after the other: they stay in the first-level cache.
const TOGETHER: usize = 1 << 14;

/// Copies operands of one shape part by part.
fn copy_together(pairs: &[(Operand<'_>, Operand<'_>)], ctx: &Ctx<'_>, ticks: &mut Ticks<'_>) -> Result<()> {
    let Some((&n, rest)) = pairs[0].0.shape().split_first() else { return Err(run::misuse("copy_each: no axes")) };
    let line = rest.iter().product::<usize>() * pairs.len();
    let most = TOGETHER / pairs[0].0.dtype().size();
    if line > most && !rest.is_empty() {
        for i in 0..n {
            let lines: SmallVec<[_; 4]> = pairs.iter().map(|(to, from)| (to.at(i), from.at(i))).collect();
            copy_together(&lines, ctx, ticks)?;
        }
        return Ok(());
    }
    let at_once = (most / line.max(1)).max(1);
    let mut shape = Dims::from_slice(pairs[0].0.shape());
    for start in (0..n).step_by(at_once) {
        shape[0] = at_once.min(n - start);
        for (to, from) in pairs {
            let (Some(to), Some(from)) = (to.part(start, &shape), from.part(start, &shape)) else {
                return Err(run::misuse("copy_each: parts"));
            };
            copy(ctx, &to, &from)?;
        }
        ticks.passed(shape[0] * line)?;
    }
    Ok(())
}

/// Elements copied since it was last asked whether to stop.
struct Ticks<'a>(&'a Ctx<'a>, usize);

impl Ticks<'_> {
    #[inline(always)]
    fn passed(&mut self, elements: usize) -> Result<()> {
        self.1 += elements;
        if self.1 < TICK {
            return Ok(());
        }
        self.1 = 0;
        self.0.check_cancelled()
    }
}

/// Runs a block with a type name bound to a plain type of so many bytes; of other sizes the second block.
macro_rules! sized {
    ($bytes:expr, $T:ident => $block:expr, else $other:expr) => {
        match $bytes {
            1 => {
                type $T = u8;
                $block
            }
            2 => {
                type $T = u16;
                $block
            }
            4 => {
                type $T = u32;
                $block
            }
            8 => {
                type $T = u64;
                $block
            }
            16 => {
                type $T = [u64; 2];
                $block
            }
            32 => {
                type $T = [u64; 4];
                $block
            }
            _ => $other,
        }
    };
}

/// Whether the elements of two targets alternate in memory, and are those of the others as they are.
fn alternate((to, from): (&Operand<'_>, &Operand<'_>), (other, other_from): (&Operand<'_>, &Operand<'_>)) -> bool {
    let dtype = to.dtype();
    to.strides() == other.strides()
        && std::ptr::eq(to.ptr().wrapping_add(dtype.size()), other.ptr())
        && [from, other, other_from].iter().all(|o| o.dtype() == dtype)
}

/// Copies two operands to places of which one lies behind the other: each two elements are written as one.
fn copy_alternately(ctx: &Ctx<'_>, to: &Operand<'_>, [x, y]: [&Operand<'_>; 2]) -> Result<()> {
    let item = to.dtype().size();
    run::for_each_tick(ctx, [to, x, y], Order::Any, |[to, x, y], [to_stride, x_stride, y_stride], n| {
        let side_by_side = item as isize;
        sized!(item, T => {
            let pairs = |to_stride: isize, x_stride: isize, y_stride: isize| {
                for i in 0..n as isize {
                    // SAFETY: the walk gives n elements of each; behind each of the target is one of the other target. The
                    // types have no alignment to keep.
                    unsafe {
                        let x = x.offset(i * x_stride).cast::<T>().read_unaligned();
                        let y = y.offset(i * y_stride).cast::<T>().read_unaligned();
                        to.offset(i * to_stride).cast::<[T; 2]>().write_unaligned([x, y]);
                    }
                }
            };
            // Strides that are known make a loop that vectorises.
            if [to_stride, x_stride, y_stride] == [2 * side_by_side, side_by_side, side_by_side] {
                pairs(2 * size_of::<T>() as isize, size_of::<T>() as isize, size_of::<T>() as isize);
            } else {
                pairs(to_stride, x_stride, y_stride);
            }
            Ok(())
        }, else Err(run::misuse("copy_each: size of elements")))
    })
}

/// How often elements are repeated.
#[derive(Clone, Copy)]
pub enum Counts<'a> {
    /// Each so often.
    Same(usize),
    /// One number for each along the axis.
    Each(&'a [usize]),
}

impl Counts<'_> {
    #[inline(always)]
    fn of(&self, i: usize) -> usize {
        match self {
            Counts::Same(n) => *n,
            Counts::Each(counts) => counts[i],
        }
    }
}

/// The numbers in a 1-d array of integers, refused where one is negative.
pub fn counts(x: &Operand<'_>) -> Result<Vec<usize>> {
    let [n] = *x.shape() else { return Err(run::misuse("counts: not 1-d")) };
    let mut counts = Vec::new();
    counts.try_reserve_exact(n).map_err(|_| Error::new(&rule::MEMORY, format!("{n} counts")))?;
    let known = dispatch!(INTEGER, x.dtype(), T => {
        for i in 0..n as isize {
            // SAFETY: the operand has n elements of type T.
            let count = unsafe { x.ptr().offset(i * x.strides()[0]).cast::<T>().read() };
            counts.push(count_of(count)?);
        }
        Ok(())
    });
    known.unwrap_or_else(|| Err(run::misuse("counts: not integers"))).map(|()| counts)
}

#[allow(clippy::unnecessary_fallible_conversions, reason = "of some types only")]
fn count_of<T: Copy + TryInto<usize> + std::fmt::Display>(count: T) -> Result<usize> {
    count.try_into().map_err(|_| Error::new(&rule::REPETITIONS, format!("got {count}")))
}

/// Repeats what lies at each position of an axis of `x`. Both are in C order: `out` has the shape of `x` but for the axis,
/// whose size is the sum of the counts.
pub fn repeat(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, axis: usize, counts: Counts<'_>) -> Result<()> {
    let item = x.dtype().size();
    let in_c_order = |o: &Operand<'_>| {
        let mut expected = item as isize;
        o.size() == 0
            || o.shape().iter().zip(o.strides()).rev().all(|(&n, &s)| {
                let fits = n == 1 || s == expected;
                expected = expected.wrapping_mul(n as isize);
                fits
            })
    };
    let (Some(&n), Some(&total)) = (x.shape().get(axis), out.shape().get(axis)) else {
        return Err(run::misuse("repeat: no such axis"));
    };
    let sum = match counts {
        Counts::Same(count) => n.checked_mul(count),
        Counts::Each(each) if each.len() == n => each.iter().try_fold(0usize, |sum, c| sum.checked_add(*c)),
        Counts::Each(_) => None,
    };
    let others = |i: usize| i == axis || x.shape()[i] == out.shape()[i];
    let shapes = x.shape().len() == out.shape().len() && (0..x.shape().len()).all(others) && sum == Some(total);
    if !shapes || x.dtype() != out.dtype() || !in_c_order(x) || !in_c_order(out) {
        return Err(run::misuse("repeat: operands that do not fit"));
    }
    if out.size() == 0 {
        return Ok(());
    }
    let outer: usize = x.shape()[..axis].iter().product();
    let chunk = x.shape()[axis + 1..].iter().product::<usize>() * item;
    let (mut to, mut from) = (out.ptr(), x.ptr().cast_const());
    let past = to.wrapping_add(out.size() * item);
    let longest = (TICK * 8 / chunk).max(1);
    let mut ticks = Ticks(ctx, 0);
    for _ in 0..outer {
        let mut i = 0;
        while i < n {
            // As many positions as have few copies together; or one, with copies in parts.
            let (end, copies) = match counts {
                Counts::Same(count) => {
                    let end = n.min(i + (longest / count.max(1)).min(TICK));
                    (end, (end - i) * count)
                }
                Counts::Each(each) => {
                    let mut end = n.min(i + 1024);
                    loop {
                        let copies = each[i..end].iter().sum::<usize>();
                        if copies <= longest || end == i {
                            break (end, copies);
                        }
                        end = i + (end - i) / 2;
                    }
                }
            };
            // SAFETY: both are in C order, so chunk after chunk of the input is repeated at the end of what was written; the
            // counts add up to the output's size.
            unsafe {
                if end > i {
                    match counts {
                        Counts::Same(count) => {
                            let n = end - i;
                            let done = match count {
                                2 => repeat_evenly::<2>(to, from, chunk, n),
                                3 => repeat_evenly::<3>(to, from, chunk, n),
                                4 => repeat_evenly::<4>(to, from, chunk, n),
                                _ => false,
                            };
                            if !done {
                                repeat_all([to, past], from, chunk, n, |_| count);
                            }
                        }
                        Counts::Each(each) => repeat_all([to, past], from, chunk, end - i, |k| each[i + k]),
                    }
                    to = to.wrapping_add(chunk * copies);
                    from = from.wrapping_add(chunk * (end - i));
                    ticks.passed(copies * chunk.div_ceil(8) + end - i)?;
                    i = end;
                    continue;
                }
                let mut left = counts.of(i);
                while left > 0 && chunk > FAR {
                    let now = left.min(STREAMS);
                    for start in (0..chunk).step_by(PART) {
                        let n = PART.min(chunk - start);
                        for copy in 0..now {
                            core_copy::copy_bytes(to.add(copy * chunk + start), from.add(start), n);
                        }
                        ticks.passed(now * n.div_ceil(8))?;
                    }
                    to = to.wrapping_add(chunk * now);
                    left -= now;
                }
                while left > 0 {
                    let now = left.min(longest);
                    fill(to, from, chunk, now);
                    to = to.wrapping_add(chunk * now);
                    left -= now;
                    ticks.passed(now * chunk.div_ceil(8))?;
                }
            }
            from = from.wrapping_add(chunk);
            i += 1;
        }
    }
    Ok(())
}

/// Writes each of `n` chunks of bytes at `from` so often, all side by side, if they have a size that an element may have: then
/// the loop vectorises. Says whether it did.
///
/// # Safety
///
/// `n` chunks at `from`, room for all copies, apart from one another.
unsafe fn repeat_evenly<const COUNT: usize>(to: *mut u8, from: *const u8, chunk: usize, n: usize) -> bool {
    /// Elements that are repeated before memory is asked again.
    const BLOCK: usize = 64;
    // SAFETY: as the caller promises; the types have no alignment to keep.
    unsafe {
        sized!(chunk, T => {
            for start in (0..n).step_by(BLOCK) {
                for i in start..n.min(start + BLOCK) {
                    let value = from.cast::<T>().add(i).read_unaligned();
                    to.cast::<[T; COUNT]>().add(i).write_unaligned([value; COUNT]);
                }
                if n - start >= 2 * BLOCK {
                    let bytes = size_of::<[[T; COUNT]; BLOCK]>();
                    ask_ahead(Ask::Write, to.cast::<[T; COUNT]>().wrapping_add(start + BLOCK).cast(), AHEAD, bytes);
                }
            }
            true
        }, else false)
    }
}

/// Writes each of `n` chunks of bytes at `from` as often as `count` says, all side by side. The output ends at the second
/// pointer.
///
/// # Safety
///
/// `n` chunks at `from`, room for all copies before the end, apart from one another.
#[inline(always)]
unsafe fn repeat_all(
    [mut to, past]: [*mut u8; 2],
    from: *const u8,
    chunk: usize,
    n: usize,
    count: impl Fn(usize) -> usize,
) {
    /// Copies written at once: what is too much, the next chunk's overwrite.
    const AHEAD: usize = 4;
    // SAFETY: as the caller promises; the types have no alignment to keep.
    unsafe {
        sized!(chunk, T => {
            for i in 0..n {
                let value = from.cast::<T>().add(i).read_unaligned();
                let count = count(i);
                if count <= AHEAD && past.addr() - to.addr() >= AHEAD * chunk {
                    to.cast::<[T; AHEAD]>().write_unaligned([value; AHEAD]);
                } else {
                    for k in 0..count {
                        to.cast::<T>().add(k).write_unaligned(value);
                    }
                }
                to = to.add(count * chunk);
            }
        }, else for i in 0..n {
            let count = count(i);
            fill(to, from.add(i * chunk), chunk, count);
            to = to.add(count * chunk);
        });
    }
}

/// Writes `count` copies of the bytes at `from` side by side.
///
/// # Safety
///
/// `chunk` bytes at `from`, room for `count` times as many at `to`, apart from one another.
#[inline(always)]
unsafe fn fill(to: *mut u8, from: *const u8, chunk: usize, count: usize) {
    // SAFETY: as the caller promises; the types have no alignment to keep.
    unsafe {
        sized!(chunk, T => {
            let value = from.cast::<T>().read_unaligned();
            for i in 0..count {
                to.cast::<T>().add(i).write_unaligned(value);
            }
        }, else {
            // What was written is copied on, twice as much each time; a large chunk is read from where it is: the caches have it.
            let most = (FILLED / chunk).max(1);
            let mut done = count.min(1);
            core_copy::copy_bytes(to, from, chunk * done);
            while done < count {
                let now = done.min(most).min(count - done);
                let from = if most == 1 { from } else { to.cast_const() };
                core_copy::copy_bytes(to.add(done * chunk), from, now * chunk);
                done += now;
            }
        });
    }
}

/// Bytes of copies that are copied on at once.
const FILLED: usize = 1 << 14;

/// Bytes of a chunk that does not stay in the second-level cache until it is copied again: of such a one some copies are made
/// together, part by part, so that it is read from memory once for all of these.
const FAR: usize = 1 << 20;
const PART: usize = 1 << 12;
const STREAMS: usize = 4;

/// Positions that are looked up at once.
const BLOCK: usize = 1024;

/// The elements at positions of the first axis of `x`, in the order of the positions: `out` has as many along its first axis,
/// and the other axes of `x`. Negative positions count from the end; one that `x` does not have is refused, and `axis` is
/// the number by which the refusal calls it.
pub fn take(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, indices: &Operand<'_>, axis: usize) -> Result<()> {
    let (Some((&n, rest)), Some((&size, x_rest)), [count]) =
        (out.shape().split_first(), x.shape().split_first(), indices.shape())
    else {
        return Err(run::misuse("take: axes"));
    };
    if rest != x_rest || n != *count || out.dtype() != x.dtype() {
        return Err(run::misuse("take: operands that do not fit"));
    }
    // The last axes that lie side by side in both are moved as one.
    let item = x.dtype().size();
    let (mut chunk, mut last) = (item, out.shape().len());
    while last > 1 {
        let m = out.shape()[last - 1];
        let beside = |o: &Operand<'_>| m == 1 || o.strides()[last - 1] == chunk as isize;
        if !beside(out) || !beside(x) {
            break;
        }
        chunk *= m;
        last -= 1;
    }
    let empty = rest.contains(&0);
    let (to, from) = (out.strides()[0], x.strides()[0]);
    let mut positions = [0isize; BLOCK];
    let mut ticks = Ticks(ctx, 0);
    for start in (0..n).step_by(BLOCK) {
        let positions = &mut positions[..BLOCK.min(n - start)];
        read_positions(ctx, indices, start, positions, size, axis)?;
        if empty {
            continue;
        }
        let (out, x) = (out.along(1..last), x.along(1..last));
        for_each_run([&out, &x], Order::Any, |[out, x], [out_stride, x_stride], runs| {
            let out = out.wrapping_offset(start as isize * to);
            for i in 0..runs as isize {
                let (out, x) = (out.wrapping_offset(i * out_stride), x.wrapping_offset(i * x_stride));
                // SAFETY: every position is one of x's, so that chunks lie inside both operands, which do not overlap.
                unsafe { gather([out, x], [to, from], positions, chunk) };
                ticks.passed(positions.len() * chunk.div_ceil(8))?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Copies chunks of bytes at these positions of a second row of places to the first row, one after the other.
///
/// # Safety
///
/// `chunk` bytes at each of the places, in memory that does not overlap.
#[inline(always)]
unsafe fn gather([to, from]: [*mut u8; 2], [stride, step]: [isize; 2], positions: &[isize], chunk: usize) {
    // SAFETY: as the caller promises; the types have no alignment to keep.
    unsafe {
        sized!(chunk, T => {
            let side_by_side = size_of::<T>() as isize;
            // Strides that are known make the common case fast.
            if stride == side_by_side && step == side_by_side {
                for (i, &at) in positions.iter().enumerate() {
                    to.cast::<T>().add(i).write_unaligned(from.cast::<T>().offset(at).read_unaligned());
                }
            } else {
                for (i, &at) in positions.iter().enumerate() {
                    let value = from.offset(at * step).cast::<T>().read_unaligned();
                    to.offset(i as isize * stride).cast::<T>().write_unaligned(value);
                }
            }
        }, else for (i, &at) in positions.iter().enumerate() {
            core_copy::copy_bytes(to.offset(i as isize * stride), from.offset(at * step), chunk);
        });
    }
}

/// An integer that may be a position.
pub(crate) trait Position: Copy {
    /// Its value as an isize, and whether it is none that an isize has.
    fn value(self) -> (isize, bool);
}

macro_rules! positions {
    ($($ty:ty)*) => { $(impl Position for $ty {
        #[inline(always)]
        #[allow(clippy::absurd_extreme_comparisons, unused_comparisons, reason = "of unsigned types only")]
        fn value(self) -> (isize, bool) {
            let value = self as isize;
            (value, (value < 0) != (self < 0))
        }
    })* };
}
positions!(i8 i16 i32 i64 u8 u16 u32 u64);

per_level! {
    /// Positions of some indices, and whether any of them is out of bounds.
    fn positions<T: Position>(to: *mut isize, from: *const u8, stride: isize, n: usize, size: usize, outside: *mut bool)
        = positions_loop;
}

/// # Safety
///
/// `n` integers of type `T` at this stride, room for as many positions and for a truth value.
#[inline(always)]
unsafe fn positions_loop<T: Position>(
    to: *mut isize,
    from: *const u8,
    stride: isize,
    n: usize,
    size: usize,
    outside: *mut bool,
) {
    // Without a way out of the loop, so that it vectorises: which index is wrong is asked later.
    let mut wrong = false;
    let mut read = |stride: isize| {
        for i in 0..n {
            // SAFETY: as the caller promises.
            unsafe {
                let (value, beyond) = from.offset(i as isize * stride).cast::<T>().read().value();
                let at = value.wrapping_add((value >> (isize::BITS - 1)) & size as isize);
                wrong |= beyond | (at < 0) | (at >= size as isize);
                to.add(i).write(at);
            }
        }
    };
    let side_by_side = size_of::<T>() as isize;
    if stride == side_by_side {
        read(side_by_side)
    } else {
        read(stride)
    }
    // SAFETY: as the caller promises.
    unsafe { outside.write(wrong) };
}

/// The positions that indices from `start` on mean, each checked.
fn read_positions(
    ctx: &Ctx<'_>,
    indices: &Operand<'_>,
    start: usize,
    to: &mut [isize],
    size: usize,
    axis: usize,
) -> Result<()> {
    let stride = indices.strides()[0];
    let from = indices.ptr().wrapping_offset(stride * start as isize);
    dispatch!(INTEGER, indices.dtype(), T => {
        let mut outside = false;
        // SAFETY: the caller asks for no more indices than the operand has, of type T; the level is the machine's.
        unsafe { positions::<T>(ctx.simd())(to.as_mut_ptr(), from, stride, to.len(), size, &raw mut outside) };
        if outside {
            for i in 0..to.len() as isize {
                // SAFETY: as above.
                position_of(unsafe { from.offset(i * stride).cast::<T>().read() }, size, axis)?;
            }
            // The positions that were read are not of x all the same.
            let got = format!("an index for axis {axis} of size {size} that another thread changed meanwhile");
            return Err(Error::new(&rule::INDEX_BOUNDS, got));
        }
        Ok(())
    })
    .unwrap_or_else(|| Err(run::misuse("take: indices that are not integers")))
}

/// The position that an index means; what exceeds an isize is out of bounds of every axis.
#[inline(always)]
fn position_of<T: Copy + TryInto<isize>>(index: T, size: usize, axis: usize) -> Result<isize> {
    let index = index.try_into().unwrap_or(isize::MAX);
    if index >= 0 && index < size as isize { Ok(index) } else { Ok(index::position(index, size, axis)? as isize) }
}

/// The elements of `x` at positions along an axis, a position for each: `out` and `indices` have one shape, which is that of
/// `x` but for the axis.
pub fn take_along(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, indices: &Operand<'_>, axis: usize) -> Result<()> {
    same_shape([out, indices])?;
    if out.dtype() != x.dtype() || axis >= x.shape().len() {
        return Err(run::misuse("take_along_axis: operands that do not fit"));
    }
    if out.size() == 0 {
        return Ok(());
    }
    let (size, step) = (x.shape()[axis], x.strides()[axis]);
    if size == 0 {
        let got = format!("an index for axis {axis} of size 0");
        return Err(Error::new(&rule::INDEX_BOUNDS, got));
    }
    let Some(first) = x.first_repeated(axis, out.shape()) else {
        return Err(run::misuse("take_along_axis: operands that do not fit"));
    };
    let item = x.dtype().size();
    let known = dispatch!(INTEGER, indices.dtype(), I => {
        run::for_each_tick(ctx, [out, indices, &first], Order::Any, |[out, at, x], strides, n| {
            sized!(item, T => {
                for i in 0..n as isize {
                    // SAFETY: the walk gives n elements of each, the indices of type I; x's is the first along the axis,
                    // from which every checked position is so many steps away.
                    unsafe {
                        let index = at.offset(i * strides[1]).cast::<I>().read();
                        let from = x.offset(i * strides[2] + position_of(index, size, axis)? * step);
                        out.offset(i * strides[0]).cast::<T>().write_unaligned(from.cast::<T>().read_unaligned());
                    }
                }
                Ok(())
            }, else Err(run::misuse("take_along_axis: size of elements")))
        })
    });
    known.unwrap_or_else(|| Err(run::misuse("take_along_axis: indices that are not integers")))
}
