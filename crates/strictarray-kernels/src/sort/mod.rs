//! Sorting along an axis.
//!
//! Numbers are sorted by value, NaNs after all of them (before all of them in descending order), both zeros as equals. Equal
//! elements, and NaNs, always keep their order.

pub(crate) mod key;
pub(crate) mod lanes;
pub(crate) mod order;
#[cfg(target_arch = "x86_64")]
mod quick;
pub(crate) mod radix;

use std::mem::MaybeUninit;

use strictarray_core::{DType, Operand, Result, dispatch};

use crate::ctx::TICK;
use crate::scratch::Scratch;
use crate::{Ctx, run};
use key::{Distinct, Key, Sortable, Vectors};
use lanes::{Kind, Lane, copy_sorted, count_sorted, for_each_lane, is_sorted, load, look, store};
use order::Orderer;
use radix::{Field, sort_values};

/// Sorts real numbers along an axis. The output, of the same shape and data type, overlaps no input.
pub fn sort(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, axis: usize, descending: bool) -> Result<()> {
    if out.dtype() != x.dtype() {
        return Err(run::misuse("sort: data types differ"));
    }
    dispatch!(REAL, x.dtype(), T => {
        let n = x.shape().get(axis).copied().unwrap_or(0);
        let mut work = Values::<T>::new(ctx, n)?;
        let mut since = 0;
        for_each_lane([out, x], axis, |[out, x]| {
            // SAFETY: lanes of operands of T, the first one ours to write.
            unsafe { work.lane(ctx, out, x, descending)? };
            tick(ctx, &mut since, n)
        })
    })
    .unwrap_or_else(|| Err(run::misuse("sort: data type")))
}

/// The places of elements in the order in which [`sort`] puts them. The output has the same shape and an integer data type
/// that holds the size of the axis, and overlaps no input.
pub fn argsort(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, axis: usize, descending: bool) -> Result<()> {
    check_index(out.dtype())?;
    dispatch!(REAL, x.dtype(), T => {
        let n = x.shape().get(axis).copied().unwrap_or(0);
        let mut keys = Scratch::<<T as Sortable>::Key>::new(ctx, n)?;
        let mut orderer = Orderer::new(ctx, n)?;
        let kind = if descending { Kind::Reversed } else { Kind::Rank };
        let narrow = out.dtype() == DType::Int32;
        let mut since = 0;
        for_each_lane([out, x], axis, |[out, x]| {
            // SAFETY: lanes of operands of this data type, ours to write, and of T.
            if unsafe { count_sorted::<T>(ctx, out, x, descending, narrow)? } {
                return tick(ctx, &mut since, n);
            }
            // SAFETY: a lane of an operand of T; `load` sets every key.
            let (seen, keys) = unsafe { (load::<T>(ctx, x, keys.room(), kind)?, keys.values()) };
            orderer.order_into(ctx, keys, seen.min, seen.max, |i, place| {
                // SAFETY: a lane of an operand of this data type, ours to write.
                unsafe { write_index(out, i, place, narrow) }
            })?;
            tick(ctx, &mut since, n)
        })
    })
    .unwrap_or_else(|| Err(run::misuse("argsort: data type")))
}

/// Refuses what can't hold indices.
pub(crate) fn check_index(dtype: DType) -> Result<()> {
    if matches!(dtype, DType::Int32 | DType::Int64) { Ok(()) } else { Err(run::misuse("a data type of indices")) }
}

/// Writes an index into a lane.
///
/// # Safety
///
/// A lane of more than `i` int32 (`narrow`) or int64 elements.
#[inline(always)]
pub(crate) unsafe fn write_index(lane: Lane, i: usize, index: usize, narrow: bool) {
    // SAFETY: as the caller promises.
    unsafe { if narrow { lane.at::<i32>(i).write(index as i32) } else { lane.at::<i64>(i).write(index as i64) } }
}

/// Asks whether to stop after about a millisecond of short lanes.
fn tick(ctx: &Ctx<'_>, since: &mut usize, n: usize) -> Result<()> {
    // Sorting takes some ten times what a cheap loop does.
    *since += n.max(1);
    if *since >= TICK / 16 {
        *since = 0;
        ctx.check_cancelled()?;
    }
    Ok(())
}

/// Where values are sorted: reused from lane to lane.
pub(crate) struct Values<T: Sortable> {
    keys: Scratch<T::Key>,
    /// As many, for sorts that need a second place.
    spare: Option<Scratch<T::Key>>,
}

/// Sorted exact keys of the elements that are numbers, and what else was seen.
pub(crate) struct Sorted<'a, T: Sortable> {
    pub(crate) keys: &'a mut [T::Key],
    pub(crate) both_zeros: bool,
}

/// The elements of a lane that are numbers, side by side, and what else was seen.
struct Numbers<T> {
    from: *const T,
    n: usize,
    both_zeros: bool,
}

/// The sorted elements of a lane that are numbers, or their exact keys.
pub(crate) enum InOrder<'a, T: Sortable> {
    Elements { from: *const T, n: usize, distinct: Distinct<T> },
    Keys(&'a [T::Key]),
}

impl<T: Sortable> Values<T> {
    pub(crate) fn new(ctx: &Ctx<'_>, n: usize) -> Result<Self> {
        Ok(Values { keys: Scratch::new(ctx, n)?, spare: None })
    }

    /// The least and the greatest key of a lane that has no NaNs.
    ///
    /// # Safety
    ///
    /// A lane of `T`, no longer than was said.
    pub(crate) unsafe fn extremes(&mut self, ctx: &Ctx<'_>, x: Lane) -> Result<(T::Key, T::Key)> {
        // SAFETY: as the caller promises.
        let seen = unsafe { load::<T>(ctx, x, self.keys.room(), Kind::Exact)? };
        Ok((seen.min, seen.max))
    }

    /// The sorted keys of a lane's elements without its NaNs.
    ///
    /// # Safety
    ///
    /// A lane of `T`, no longer than was said.
    pub(crate) unsafe fn sorted(&mut self, ctx: &Ctx<'_>, x: Lane) -> Result<Sorted<'_, T>> {
        // SAFETY: as the caller promises.
        let mut seen = unsafe { load::<T>(ctx, x, self.keys.room(), Kind::Exact)? };
        let mut n = x.n;
        if seen.nan {
            n = 0;
            (seen.min, seen.max) = (T::Key::MAX, T::Key::narrow(0));
            let room = self.keys.room();
            for i in 0..x.n {
                // SAFETY: as the caller promises.
                let value = unsafe { x.at::<T>(i).read() };
                if !value.is_nan() && n < room.len() {
                    let key = value.exact();
                    room[n].write(key);
                    (seen.min, seen.max) = (seen.min.min(key), seen.max.max(key));
                    n += 1;
                }
            }
        }
        // SAFETY: the first n were set.
        let keys = unsafe { &mut self.keys.values()[..n] };
        let both_zeros = seen.negative_zero && seen.positive_zero;
        if keys.is_sorted() {
            return Ok(Sorted { keys, both_zeros });
        }
        if keys.is_sorted_by(|a, b| a >= b) {
            keys.reverse();
            return Ok(Sorted { keys, both_zeros });
        }
        let spare = match &mut self.spare {
            Some(spare) => spare,
            spare => spare.insert(Scratch::new(ctx, x.n)?),
        };
        let spare: &mut [MaybeUninit<T::Key>] = &mut spare.room()[..n];
        let keys = sort_values(ctx, keys, spare, Field::between(seen.min, seen.max))?;
        Ok(Sorted { keys, both_zeros })
    }

    /// The way to sort a lane's elements as they are, where that is the best.
    ///
    /// # Safety
    ///
    /// A lane of `T`.
    unsafe fn vectors(ctx: &Ctx<'_>, x: Lane) -> Option<Vectors<T>> {
        /// Elements that are looked at.
        const SAMPLE: usize = 64;
        let vectors = T::vectors(ctx.simd())?;
        if T::FLOAT {
            return Some(vectors);
        }
        let step = (x.n / SAMPLE).max(1);
        let (mut min, mut max) = (T::Key::MAX, T::Key::narrow(0));
        for i in (0..x.n).step_by(step) {
            // SAFETY: as the caller promises.
            let key = unsafe { x.at::<T>(i).read() }.exact();
            (min, max) = (min.min(key), max.max(key));
        }
        radix::elements_in_vectors(x.n, Field::between(min, max).bits).then_some(vectors)
    }

    /// The numbers of a lane, brought together if they do not lie side by side.
    ///
    /// # Safety
    ///
    /// A lane of `T`, no longer than was said.
    unsafe fn numbers(&mut self, ctx: &Ctx<'_>, x: Lane) -> Result<Numbers<T>> {
        let room: *mut T = self.keys.start().cast();
        // SAFETY: as the caller promises: there is room for as many elements, whose keys are of their size.
        unsafe {
            let from = match x.contiguous::<T>() {
                Some(from) => from,
                None => {
                    for start in (0..x.n).step_by(TICK) {
                        (start..x.n.min(start + TICK)).for_each(|i| room.add(i).write(x.at::<T>(i).read()));
                        ctx.check_cancelled()?;
                    }
                    room
                }
            };
            if !T::FLOAT {
                return Ok(Numbers { from, n: x.n, both_zeros: false });
            }
            let seen = look::<T>(ctx, from, x.n)?;
            let both_zeros = seen.negative_zero && seen.positive_zero;
            if !seen.nan {
                return Ok(Numbers { from, n: x.n, both_zeros });
            }
            let mut n = 0;
            for i in 0..x.n {
                let value = from.add(i).read();
                room.add(n).write(value);
                n += usize::from(!value.is_nan());
            }
            Ok(Numbers { from: room, n, both_zeros })
        }
    }

    /// Sorts the elements of a lane without its NaNs, into a place if that is the best way. And whether there are zeros of both
    /// signs: elements may have them in any order.
    ///
    /// # Safety
    ///
    /// A lane of `T`, no longer than was said, which nobody writes to as long as the elements are used, and room for as many.
    pub(crate) unsafe fn in_order(&mut self, ctx: &Ctx<'_>, x: Lane, to: *mut T) -> Result<(InOrder<'_, T>, bool)> {
        // SAFETY: as the caller promises, all along.
        unsafe {
            let Some(vectors) = Self::vectors(ctx, x) else {
                let Sorted { keys, both_zeros } = self.sorted(ctx, x)?;
                return Ok((InOrder::Keys(keys), both_zeros));
            };
            let Numbers { mut from, n, both_zeros } = self.numbers(ctx, x)?;
            let lane = Lane { ptr: from.cast_mut().cast(), stride: size_of::<T>() as isize, n };
            if !is_sorted::<T>(ctx, lane, false)? {
                (vectors.sort)(ctx, from, n, to)?;
                from = to;
            }
            Ok((InOrder::Elements { from, n, distinct: vectors.distinct }, both_zeros))
        }
    }

    /// # Safety
    ///
    /// Lanes of `T` of one length, apart, no longer than was said.
    unsafe fn lane(&mut self, ctx: &Ctx<'_>, out: Lane, x: Lane, descending: bool) -> Result<()> {
        // SAFETY: as the caller promises, all along: what is written are the places of the numbers, of the zeros among them,
        // and of the NaNs that are left.
        unsafe {
            if copy_sorted::<T>(ctx, out, x, descending)? {
                return Ok(());
            }
            let numbers = |n: usize| {
                let first = if descending { x.n - n } else { 0 };
                Lane { ptr: out.at(first), n, ..out }
            };
            let (numbers, both_zeros) = if let Some(vectors) = Self::vectors(ctx, x) {
                let Numbers { from, n, both_zeros } = self.numbers(ctx, x)?;
                let numbers = numbers(n);
                let room = self.keys.start().cast();
                let to: *mut T = numbers.contiguous::<T>().unwrap_or(room);
                (vectors.sort)(ctx, from, n, to)?;
                let sorted = std::slice::from_raw_parts_mut(to, n);
                if descending {
                    sorted.reverse();
                }
                if to == room {
                    for (i, &mut value) in sorted.iter_mut().enumerate() {
                        numbers.at::<T>(i).write(value);
                    }
                }
                (numbers, both_zeros)
            } else {
                let Sorted { keys, both_zeros } = self.sorted(ctx, x)?;
                let numbers = numbers(keys.len());
                store::<T>(ctx, numbers, keys, descending)?;
                (numbers, both_zeros)
            };
            if both_zeros {
                // Sorts tell zeros apart or take them for one another, the standard does neither: they stand as they stood.
                let before = |v: T| !v.is_zero() && (v.exact() < T::zero_key()) != descending;
                let (mut start, mut end) = (0, numbers.n);
                while start < end {
                    let middle = start.midpoint(end);
                    if before(numbers.at::<T>(middle).read()) { start = middle + 1 } else { end = middle }
                }
                let zeros = (start..numbers.n).take_while(|&i| numbers.at::<T>(i).read().is_zero()).count();
                let all = (0..x.n).map(|i| x.at::<T>(i).read()).filter(|v| v.is_zero());
                for (i, zero) in all.take(zeros).enumerate() {
                    numbers.at::<T>(start + i).write(zero);
                }
            }
            let nans = x.n - numbers.n;
            if nans > 0 {
                let start = if descending { 0 } else { numbers.n };
                let all = (0..x.n).map(|i| x.at::<T>(i).read()).filter(|v| v.is_nan());
                for (i, nan) in all.take(nans).enumerate() {
                    out.at::<T>(start + i).write(nan);
                }
            }
        }
        Ok(())
    }
}
