//! Where values belong in a sorted array.

use strictarray_core::{Array, DType, Element, Error, Operand, Result, dispatch, iter::Order};
use strictarray_standard::rule;

use crate::simd::per_level;
use crate::sort::check_index;
use crate::sort::key::{Key, Sortable};
use crate::sort::lanes::{Lane, for_each_lane};
use crate::{Ctx, run};

/// Before or behind the elements that are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before them.
    Left,
    /// Behind them.
    Right,
}

/// Values that are searched for at once: their reads of memory overlap.
const AT_ONCE: usize = 16;

/// For each element of `x2` the number of elements of `x1` before which it does not belong: those less than it, or with
/// [`Side::Right`] those not greater. `x1` has one axis and is sorted as [`sort`](crate::sort::sort) sorts: NaNs last.
///
/// Where `x1` is not sorted, the results are any places from 0 to its size.
pub fn searchsorted(ctx: &Ctx<'_>, out: &Operand<'_>, x1: &Operand<'_>, x2: &Operand<'_>, side: Side) -> Result<()> {
    check_index(out.dtype())?;
    let ([n], [stride]) = (x1.shape(), x1.strides()) else {
        return Err(run::misuse("searchsorted: x1 is not 1-d"));
    };
    if x1.dtype() != x2.dtype() {
        return Err(run::misuse("searchsorted: data types differ"));
    }
    run::same_shape([out, x2])?;
    let x1 = Lane { ptr: x1.ptr(), stride: *stride, n: *n };
    dispatch!(REAL, x2.dtype(), T => {
        let inner = match side {
            Side::Left => left::<T>(ctx.simd()),
            Side::Right => right::<T>(ctx.simd()),
        };
        // SAFETY: x1 has n elements of T, the places are those that it gave before, and the level is the machine's.
        blocks::<T>(ctx, out, x2, |values, places| unsafe { inner(x1, values, places) })
    })
    .unwrap_or_else(|| Err(run::misuse("searchsorted: data type")))
}

type Block<T> = [T; AT_ONCE];

/// Brings elements of `x2` into blocks and writes the places that come back. The last block is filled up with its last value.
fn blocks<T: Element>(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x2: &Operand<'_>,
    mut each: impl FnMut(&Block<T>, &mut Block<usize>),
) -> Result<()> {
    /// Blocks that take about a millisecond at most.
    const BLOCKS: usize = 1 << 9;
    let narrow = out.dtype() == DType::Int32;
    let mut places = [0; AT_ONCE];
    run::for_each_tick(ctx, [out, x2], Order::Any, |[out, x2], [out_stride, stride], n| {
        let (out, x2) = (Lane { ptr: out, stride: out_stride, n }, Lane { ptr: x2, stride, n });
        for (block, start) in (0..n).step_by(AT_ONCE).enumerate() {
            let now = AT_ONCE.min(n - start);
            // SAFETY: elements of T at places below n; a lane of this data type of indices, ours to write.
            unsafe {
                let values: Block<T> = std::array::from_fn(|i| x2.at::<T>(start + i.min(now - 1)).read());
                each(&values, &mut places);
                for (i, &place) in places[..now].iter().enumerate() {
                    crate::sort::write_index(out, start + i, place, narrow);
                }
            }
            if block % BLOCKS == BLOCKS - 1 {
                ctx.check_cancelled()?;
            }
        }
        Ok(())
    })
}

per_level! {
    fn left<T: Sortable>(x1: Lane, values: &Block<T>, places: &mut Block<usize>) = left_block;
    fn right<T: Sortable>(x1: Lane, values: &Block<T>, places: &mut Block<usize>) = right_block;
}

/// # Safety
///
/// A lane of `T`, and places of it.
#[inline(always)]
unsafe fn left_block<T: Sortable>(x1: Lane, values: &Block<T>, places: &mut Block<usize>) {
    let ranks = values.map(T::rank);
    // SAFETY: as the caller promises.
    unsafe { search::<T>(x1, places, ranks.is_sorted(), |x, i| x.rank() < ranks[i]) }
}

/// # Safety
///
/// A lane of `T`, and places of it.
#[inline(always)]
unsafe fn right_block<T: Sortable>(x1: Lane, values: &Block<T>, places: &mut Block<usize>) {
    let ranks = values.map(T::rank);
    // SAFETY: as the caller promises.
    unsafe { search::<T>(x1, places, ranks.is_sorted(), |x, i| x.rank() <= ranks[i]) }
}

/// Halves what is left for all values together, without a branch on the data.
///
/// `places` are those of the block before: of `ascending` values the first is likely to belong not far behind its last one.
///
/// # Safety
///
/// A lane of `T`, and places of it.
#[inline(always)]
unsafe fn search<T: Element>(x1: Lane, places: &mut Block<usize>, ascending: bool, before: impl Fn(T, usize) -> bool) {
    const LAST: usize = AT_ONCE - 1;
    // SAFETY: called for places below n only.
    let before_at = |place: usize, i: usize| before(unsafe { x1.at::<T>(place).read() }, i);
    let (mut first, mut left) = (0, x1.n);
    if ascending {
        let hint = places[LAST];
        if hint > 0 && before_at(hint - 1, 0) {
            first = hint;
        }
        // Further and further, until the last value does not belong behind what is there.
        let mut end = first;
        let mut step = AT_ONCE;
        while end < x1.n && before_at(end, LAST) {
            end = end.saturating_add(step).min(x1.n);
            step *= 2;
        }
        left = end - first;
    }
    *places = [first; AT_ONCE];
    while left > 1 {
        let half = left / 2;
        for (i, place) in places.iter_mut().enumerate() {
            // place + left <= n all along.
            *place += if before_at(*place + half - 1, i) { half } else { 0 };
        }
        left -= half;
    }
    if left == 1 {
        for (i, place) in places.iter_mut().enumerate() {
            // As above: place + 1 <= n.
            *place += usize::from(before_at(*place, i));
        }
    }
}

/// The elements of `x`, of one axis, in the order of `sorter`, whose integers must be places of `x`.
pub fn gather_sorted(ctx: &Ctx<'_>, x: &Array, sorter: &Array) -> Result<Array> {
    let out = Array::uninit(sorter.shape(), x.dtype(), x.device())?;
    let item = x.dtype().size();
    let ([n], [stride]) = (x.shape(), x.layout().strides()) else {
        return Err(run::misuse("sorter: not 1-d"));
    };
    let x = Lane { ptr: x.ptr(), stride: *stride, n: *n };
    dispatch!(INTEGER, sorter.dtype(), I => {
        for_each_lane([&out.operand(), &sorter.operand()], 0, |[out, sorter]| {
            for i in 0..sorter.n {
                // SAFETY: a lane of I.
                let place: I = unsafe { sorter.at::<I>(i).read() };
                #[allow(clippy::unnecessary_fallible_conversions, reason = "other integers may not fit")]
                let Some(place) = usize::try_from(place).ok().filter(|&place| place < x.n) else {
                    let got = format!("got {place} for {} elements", x.n);
                    return Err(Error::new(&rule::SORTER_BOUNDS, got).argument("sorter"));
                };
                // SAFETY: a place of x, and one of the output; elements of so many bytes, apart.
                unsafe { std::ptr::copy_nonoverlapping(x.at::<u8>(place), out.at::<u8>(i), item) };
                if i % crate::ctx::TICK == crate::ctx::TICK - 1 {
                    ctx.check_cancelled()?;
                }
            }
            Ok(())
        })
    })
    .unwrap_or_else(|| Err(run::misuse("sorter: data type")))?;
    Ok(out)
}

/// Whether keys are among sorted ones, of which there are some.
pub(crate) fn contains<K: Key>(sorted: &[K], keys: &[K], found: &mut [bool]) {
    for (keys, found) in keys.chunks(AT_ONCE).zip(found.chunks_mut(AT_ONCE)) {
        let block: Block<K> = std::array::from_fn(|i| keys[i.min(keys.len() - 1)]);
        let mut places = [0; AT_ONCE];
        let mut left = sorted.len();
        while left > 1 {
            let half = left / 2;
            for (place, key) in places.iter_mut().zip(&block) {
                *place += if sorted[*place + half] <= *key { half } else { 0 };
            }
            left -= half;
        }
        for ((found, place), key) in found.iter_mut().zip(places).zip(&block) {
            *found = sorted.get(place) == Some(key);
        }
    }
}
