//! Where the largest and the smallest elements are.

use std::mem::MaybeUninit;

use strictarray_core::{DType, Operand, Result, dispatch};

use super::extremes::Extremes;
use super::folds::{Max, Min};
use super::plan::{Plan, Ticker};
use super::tree::{Fold, ROWS};
use crate::ctx::TICK;
use crate::simd::per_level;
use crate::{Ctx, run};

/// The place of the first of the largest elements along the reduced axes, in C order of these, as `int32` or `int64`; that
/// of the first NaN if there is one. There must be elements.
pub fn argmax(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    let fns =
        dispatch!(REAL, x.dtype(), T => Fns { run: run_of::<Max<T>>(ctx.simd()), row: row_of::<Max<T>>(ctx.simd()) });
    // SAFETY: the loops are for elements of this type and for this level.
    unsafe { search(ctx, out, x, fns.ok_or_else(|| run::misuse("argmax: data type"))?, true) }
}

/// The place of the first of the smallest elements along the reduced axes, as [`argmax`].
pub fn argmin(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    let fns =
        dispatch!(REAL, x.dtype(), T => Fns { run: run_of::<Min<T>>(ctx.simd()), row: row_of::<Min<T>>(ctx.simd()) });
    // SAFETY: the loops are for elements of this type and for this level.
    unsafe { search(ctx, out, x, fns.ok_or_else(|| run::misuse("argmin: data type"))?, false) }
}

/// The best element so far: its bytes and its place. `seen` elements were looked at.
pub(crate) struct Best {
    value: MaybeUninit<[u64; 1]>,
    place: u64,
    seen: u64,
    /// The way to find an extreme.
    extremes: Extremes,
}

struct Fns {
    /// Looks at a run of elements of one result.
    run: unsafe fn(best: &mut Best, x: *const u8, stride: isize, n: usize),
    /// Looks at one element of each of the results side by side.
    row: unsafe fn(values: *mut u8, places: *mut u64, row: Row),
}

/// One element of each of the results side by side.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    x: *const u8,
    stride: isize,
    n: usize,
    place: u64,
}

/// # Safety
///
/// The loops are for the elements of `x` and this direction, and the machine has their instruction set.
unsafe fn search(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, fns: Fns, largest: bool) -> Result<()> {
    if !matches!(out.dtype(), DType::Int32 | DType::Int64) {
        return Err(run::misuse("argmax: data type"));
    }
    let plan = Plan::new(out, x)?;
    if plan.results == 0 {
        return Ok(());
    }
    if plan.count == 0 {
        return Err(run::misuse("argmax of no elements"));
    }
    let narrow = out.dtype() == DType::Int32;
    let write = |to: *mut u8, place: u64| {
        // SAFETY: a place in the output, of the data type that was checked.
        unsafe { if narrow { to.cast::<i32>().write(place as i32) } else { to.cast::<i64>().write(place as i64) } }
    };
    let extremes = Extremes::of(ctx.simd(), x.dtype(), largest);
    let extremes = extremes.ok_or_else(|| run::misuse("argmax: data type"))?;
    let mut ticker = Ticker::new(ctx);
    let width = if plan.side_by_side() { WIDTH } else { 1 };
    let (column, out_stride) = plan.kept.last().map_or((0, 0), |axis| (axis.stride, axis.out_stride));
    plan.for_each_group(out.ptr(), x.ptr(), width, |to, from, n| {
        if width == 1 {
            debug_assert_eq!(n, 1);
            let mut best = Best { value: MaybeUninit::uninit(), place: 0, seen: 0, extremes };
            plan.for_each_run(from, |mut ptr, stride, mut left| {
                while left > 0 {
                    let now = left.min(TICK);
                    // SAFETY: the plan stays on the operand's elements.
                    unsafe { (fns.run)(&mut best, ptr, stride, now) };
                    ticker.tick(now)?;
                    left -= now;
                    ptr = ptr.wrapping_offset(stride * now as isize);
                }
                Ok(())
            })?;
            write(to, best.place);
            return Ok(());
        }
        let mut values = MaybeUninit::<[u64; WIDTH]>::uninit();
        let mut places = [0u64; WIDTH];
        let mut place = 0;
        plan.for_each_run(from, |ptr, stride, count| {
            for i in 0..count as isize {
                let row = Row { x: ptr.wrapping_offset(i * stride), stride: column, n, place };
                // SAFETY: the plan stays on the operand's elements, and there is room for those of a group.
                unsafe { (fns.row)(values.as_mut_ptr().cast(), places.as_mut_ptr(), row) };
                place += 1;
                ticker.tick(n)?;
            }
            Ok(())
        })?;
        for (i, &place) in places[..n].iter().enumerate() {
            write(to.wrapping_offset(i as isize * out_stride), place);
        }
        Ok(())
    })
}

/// Results side by side.
const WIDTH: usize = 128;

/// An order: which of two elements a fold keeps.
pub(crate) trait Extreme: Fold<Param = (), Acc = <Self as Fold>::In> {
    /// Whether `new` takes the place of an `old` that came before it.
    fn better(new: Self::In, old: Self::In) -> bool;
    /// Whether this is the element that the fold gave.
    fn is(x: Self::In, extreme: Self::In) -> bool;
    /// Whether one of some elements is.
    fn any_is(x: &[Self::In], extreme: Self::In) -> bool;
}

macro_rules! extreme {
    ($($ty:ty: $bits:ty)*, $new:ident, $old:ident, $nan:expr, $both:expr) => { $(
        impl Extreme for Max<$ty> {
            #[inline(always)]
            fn better($new: $ty, $old: $ty) -> bool {
                ($new > $old) | $nan
            }
            #[inline(always)]
            fn is($new: $ty, $old: $ty) -> bool {
                ($new == $old) | $both
            }
            #[inline(always)]
            fn any_is(x: &[$ty], extreme: $ty) -> bool {
                // In numbers as wide as elements: so the loop vectorises without packing.
                x.iter().fold(0 as $bits, |any, &x| any | <$bits>::from(Self::is(x, extreme))) != 0
            }
        }
        impl Extreme for Min<$ty> {
            #[inline(always)]
            fn better($new: $ty, $old: $ty) -> bool {
                ($new < $old) | $nan
            }
            #[inline(always)]
            fn is($new: $ty, $old: $ty) -> bool {
                ($new == $old) | $both
            }
            #[inline(always)]
            fn any_is(x: &[$ty], extreme: $ty) -> bool {
                // In numbers as wide as elements: so the loop vectorises without packing.
                x.iter().fold(0 as $bits, |any, &x| any | <$bits>::from(Self::is(x, extreme))) != 0
            }
        }
    )* };
}

extreme!(i8: u8 i16: u16 i32: u32 i64: u64 u8: u8 u16: u16 u32: u32 u64: u64, new, old, false, false);
extreme!(f32: u32 f64: u64, new, old, new.is_nan() & !old.is_nan(), new.is_nan() & old.is_nan());

per_level! {
    fn run_of<E: Extreme>(best: &mut Best, x: *const u8, stride: isize, n: usize) = search_run;
    fn row_of<E: Extreme>(values: *mut u8, places: *mut u64, row: Row) = search_row;
}

/// Elements whose extreme is found before its place is looked for.
const CHUNK: usize = 1024;
/// The most lanes of an order.
const LANES: usize = 64;

/// # Safety
///
/// `n` elements at this stride; `best` holds one of them if any was seen.
#[inline(always)]
unsafe fn search_run<E: Extreme>(best: &mut Best, x: *const u8, stride: isize, n: usize) {
    const { assert!(size_of::<E::In>() <= 8) };
    let mut gathered = MaybeUninit::<[E::In; CHUNK]>::uninit();
    let value = best.value.as_mut_ptr().cast::<E::In>();
    let mut start = 0;
    // SAFETY: as the caller promises.
    unsafe {
        if best.seen == 0 && n > 0 {
            value.write(x.cast::<E::In>().read());
        }
        let mut top = value.read();
        while start < n {
            let now = CHUNK.min(n - start);
            let from = x.offset(start as isize * stride);
            let chunk: *const E::In = if stride == size_of::<E::In>() as isize {
                from.cast()
            } else {
                let to = gathered.as_mut_ptr().cast::<E::In>();
                for i in 0..now {
                    to.add(i).write(from.offset(i as isize * stride).cast::<E::In>().read());
                }
                to
            };
            let chunk = std::slice::from_raw_parts(chunk, now);
            let mut here = MaybeUninit::<E::In>::uninit();
            (best.extremes.run)(here.as_mut_ptr().cast(), chunk.as_ptr().cast(), now, true);
            let here = here.assume_init();
            if E::better(here, top) {
                top = here;
                let place = (best.extremes.place)(chunk.as_ptr().cast(), now, (&raw const here).cast());
                best.place = best.seen + (start + place) as u64;
            }
            start += now;
        }
        value.write(top);
    }
    best.seen += n as u64;
}

/// The place of the first element that is this extreme.
#[inline(always)]
pub(super) fn position<E: Extreme>(x: &[E::In], extreme: E::In) -> usize {
    /// Elements that are looked at without a branch.
    const BLOCK: usize = 64;
    let mut start = 0;
    for block in x.chunks_exact(BLOCK) {
        if E::any_is(block, extreme) {
            break;
        }
        start += BLOCK;
    }
    start + x[start..].iter().position(|&x| E::is(x, extreme)).unwrap_or(0)
}

/// The extreme of elements, of which there is one at least.
#[inline(always)]
pub(super) fn extreme_of<E: Extreme>(x: &[E::In]) -> E::In {
    const { assert!(E::LANES <= LANES) };
    let (mut best, mut next) = ([x[0]; LANES], MaybeUninit::<[E::In; LANES]>::uninit());
    let join_all = |best: &mut [E::In], next: &[E::In]| {
        for (best, &next) in best.iter_mut().zip(next) {
            *best = E::join(*best, next);
        }
    };
    let blocks = x.chunks_exact(E::LANES * ROWS);
    let rows = blocks.remainder().chunks_exact(E::LANES);
    let rest = rows.remainder();
    for block in blocks {
        let next = next.as_mut_ptr().cast::<E::In>();
        // SAFETY: so many elements are in the block, and there is room for as many lanes, which are set then.
        let next = unsafe {
            E::block(block.as_ptr(), (), next);
            std::slice::from_raw_parts(next, E::LANES)
        };
        join_all(&mut best[..E::LANES], next);
    }
    for row in rows {
        join_all(&mut best[..E::LANES], row);
    }
    join_all(&mut best[..rest.len()], rest);
    extreme_of_lanes::<E>(&mut best[..E::LANES])
}

/// The extreme of a number of elements that is a power of 2.
#[inline(always)]
fn extreme_of_lanes<E: Extreme>(lanes: &mut [E::In]) -> E::In {
    let mut half = lanes.len() / 2;
    while half > 0 {
        for i in 0..half {
            lanes[i] = E::join(lanes[i], lanes[half + i]);
        }
        half /= 2;
    }
    lanes[0]
}

/// # Safety
///
/// `n` elements at this stride, [`WIDTH`] at most, and room for as many values and places, which are set unless the place
/// is 0.
#[inline(always)]
unsafe fn search_row<E: Extreme>(values: *mut u8, places: *mut u64, row: Row) {
    let Row { x, stride, n, place } = row;
    let values = values.cast::<E::In>();
    // SAFETY: as the caller promises.
    unsafe {
        if place == 0 {
            for i in 0..n {
                values.add(i).write(x.offset(i as isize * stride).cast::<E::In>().read());
            }
            return;
        }
        let mut gathered = MaybeUninit::<[E::In; WIDTH]>::uninit();
        let x: *const E::In = if stride == size_of::<E::In>() as isize {
            x.cast()
        } else {
            let to = gathered.as_mut_ptr().cast::<E::In>();
            for i in 0..n {
                to.add(i).write(x.offset(i as isize * stride).cast::<E::In>().read());
            }
            to
        };
        for i in 0..n {
            step::<E>(values.add(i), places.add(i), x.add(i).read(), place);
        }
    }
}

/// Without a branch, so that it vectorises.
///
/// # Safety
///
/// Both hold what is best so far.
#[inline(always)]
unsafe fn step<E: Extreme>(value: *mut E::In, at: *mut u64, x: E::In, place: u64) {
    // SAFETY: as the caller promises.
    unsafe {
        let (old, old_place) = (value.read(), at.read());
        let better = E::better(x, old);
        value.write(if better { x } else { old });
        at.write(if better { place } else { old_place });
    }
}
