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
pub(crate) mod scratch;

use std::mem::MaybeUninit;

use strictarray_core::{DType, Operand, Result, dispatch};

use crate::ctx::TICK;
use crate::{Ctx, run};
use key::Sortable;
use lanes::{Kind, Lane, count_up, for_each_lane, is_sorted, is_turned, load, store};
use order::Orderer;
use radix::{Field, sort_values};
use scratch::Scratch;

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
            // SAFETY: a lane of an operand of T.
            if unsafe { is_sorted::<T>(ctx, x, descending)? } {
                // SAFETY: a lane of an operand of this data type, ours to write.
                unsafe { count_up(ctx, out, narrow)? };
                return tick(ctx, &mut since, n);
            }
            // SAFETY: a lane of an operand of T.
            if unsafe { is_turned::<T>(ctx, x, descending)? } {
                let (ptr, stride) = (out.at::<u8>(n - 1), -out.stride);
                // SAFETY: the lane from its end, of an operand of this data type, ours to write.
                unsafe { count_up(ctx, Lane { ptr, stride, n }, narrow)? };
                return tick(ctx, &mut since, n);
            }
            // SAFETY: a lane of an operand of T; `load` sets every key.
            let (seen, keys) = unsafe { (load::<T>(ctx, x, keys.room(), kind)?, keys.values()) };
            let places = orderer.order(ctx, keys, seen.min, seen.max)?;
            for (i, place) in places.iter().enumerate() {
                // SAFETY: a lane of an operand of this data type, ours to write.
                unsafe { write_index(out, i, place, narrow) };
            }
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
    spare: Scratch<T::Key>,
}

/// Sorted exact keys of the elements that are numbers, and what else was seen.
pub(crate) struct Sorted<'a, T: Sortable> {
    pub(crate) keys: &'a mut [T::Key],
    pub(crate) both_zeros: bool,
}

impl<T: Sortable> Values<T> {
    pub(crate) fn new(ctx: &Ctx<'_>, n: usize) -> Result<Self> {
        Ok(Values { keys: Scratch::new(ctx, n)?, spare: Scratch::new(ctx, n)? })
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
            (seen.min, seen.max) = (<T::Key as key::Key>::MAX, <T::Key as key::Key>::narrow(0));
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
        let spare: &mut [MaybeUninit<T::Key>] = &mut self.spare.room()[..n];
        let keys = sort_values(ctx, keys, spare, Field::between(seen.min, seen.max))?;
        Ok(Sorted { keys, both_zeros })
    }

    /// # Safety
    ///
    /// Lanes of `T` of one length, apart, no longer than was said.
    unsafe fn lane(&mut self, ctx: &Ctx<'_>, out: Lane, x: Lane, descending: bool) -> Result<()> {
        // SAFETY: as the caller promises, all along: what is written are the places of the keys, of the zeros among them,
        // and of the NaNs that are left.
        unsafe {
            let Sorted { keys, both_zeros } = self.sorted(ctx, x)?;
            let (n, nans) = (keys.len(), x.n - keys.len());
            let first = if descending { nans } else { 0 };
            let numbers = Lane { ptr: out.at(first), n, ..out };
            store::<T>(ctx, numbers, keys, descending)?;
            if both_zeros {
                // Keys tell zeros apart, the standard does not: they stand as they stood.
                let below = keys.partition_point(|&k| k < T::zero_key());
                let zeros = keys[below..].iter().take_while(|&&k| T::of_exact(k).is_zero()).count();
                let start = if descending { n - below - zeros } else { below };
                let all = (0..x.n).map(|i| x.at::<T>(i).read()).filter(|v| v.is_zero());
                for (i, zero) in all.take(zeros).enumerate() {
                    numbers.at::<T>(start + i).write(zero);
                }
            }
            if nans > 0 {
                let start = if descending { 0 } else { n };
                let all = (0..x.n).map(|i| x.at::<T>(i).read()).filter(|v| v.is_nan());
                for (i, nan) in all.take(nans).enumerate() {
                    out.at::<T>(start + i).write(nan);
                }
            }
        }
        Ok(())
    }
}
