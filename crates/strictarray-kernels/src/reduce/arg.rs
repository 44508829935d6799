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
    let fns = dispatch!(REAL, x.dtype(), T => Fns::of::<Max<T>>(ctx));
    // SAFETY: the loops are for elements of this type and for this level.
    unsafe { search(ctx, out, x, fns.ok_or_else(|| run::misuse("argmax: data type"))?, true) }
}

/// The place of the first of the smallest elements along the reduced axes, as [`argmax`].
pub fn argmin(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    let fns = dispatch!(REAL, x.dtype(), T => Fns::of::<Min<T>>(ctx));
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
    /// Looks at some elements of each of the results side by side; places are `u32` or `u64`.
    short_rows: unsafe fn(values: *mut u8, places: *mut u64, rows: Rows),
    rows: unsafe fn(values: *mut u8, places: *mut u64, rows: Rows),
}

impl Fns {
    fn of<E: Extreme>(ctx: &Ctx<'_>) -> Fns {
        let level = ctx.simd();
        // A vector should hold as many places as elements, if these are not so small that there is no hope.
        let short_rows = if size_of::<E::In>() < 8 { rows_of::<E, u32>(level) } else { rows_of::<E, u64>(level) };
        Fns { run: run_of::<E>(level), short_rows, rows: rows_of::<E, u64>(level) }
    }
}

/// Some elements of each of the results side by side.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    x: *const u8,
    /// From an element to the next of the same result.
    down: isize,
    /// From result to result.
    right: isize,
    count: usize,
    n: usize,
    /// The place of the first elements.
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
    let short = x.dtype().size() < 8 && plan.count <= u32::MAX as usize;
    let look = if short { fns.short_rows } else { fns.rows };
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
        let mut places = MaybeUninit::<[u64; WIDTH]>::uninit();
        let mut place = 0;
        plan.for_each_run(from, |mut x, down, mut left| {
            while left > 0 {
                let count = left.min(ROWS_AT_ONCE);
                let rows = Rows { x, down, right: column, count, n, place };
                // SAFETY: the plan stays on the operand's elements, and there is room for those of a group; short places
                // hold all that there are.
                unsafe { look(values.as_mut_ptr().cast(), places.as_mut_ptr().cast(), rows) };
                place += count as u64;
                ticker.tick(count * n)?;
                left -= count;
                x = x.wrapping_offset(down * count as isize);
            }
            Ok(())
        })?;
        for i in 0..n {
            let places = places.as_ptr();
            // SAFETY: the loop that was chosen has set so many places.
            let place = unsafe {
                if short { u64::from(places.cast::<u32>().add(i).read()) } else { places.cast::<u64>().add(i).read() }
            };
            write(to.wrapping_offset(i as isize * out_stride), place);
        }
        Ok(())
    })
}

/// Results side by side.
const WIDTH: usize = 128;
/// Those of them that are kept in registers.
const COLUMNS: usize = 16;
/// Elements of each that are looked at before the next columns are: their rows stay in the first-level cache.
const ROWS_AT_ONCE: usize = 16;

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
    fn rows_of<E: Extreme, P: Place>(values: *mut u8, places: *mut u64, rows: Rows) = search_rows;
}

/// Bytes of elements that are looked at together.
const CHUNK: usize = 8192;
/// The most lanes of an order.
const LANES: usize = 64;

/// # Safety
///
/// `n` elements at this stride; `best` holds one of them if any was seen.
#[inline(always)]
unsafe fn search_run<E: Extreme>(best: &mut Best, x: *const u8, stride: isize, n: usize) {
    const { assert!(size_of::<E::In>() <= 8) };
    let mut gathered = MaybeUninit::<[u64; CHUNK / 8]>::uninit();
    let value = best.value.as_mut_ptr().cast::<E::In>();
    let mut start = 0;
    // SAFETY: as the caller promises.
    unsafe {
        while start < n {
            let now = (CHUNK / size_of::<E::In>()).min(n - start);
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
            if best.seen == 0 && start == 0 {
                best.place = best.extremes.first(chunk.as_ptr().cast(), now, value.cast()) as u64;
            } else {
                // Seldom is the best of all in a later one: then only is its place looked for.
                let mut here = MaybeUninit::<E::In>::uninit();
                (best.extremes.run)(here.as_mut_ptr().cast(), chunk.as_ptr().cast(), now, true);
                let here = here.assume_init();
                if E::better(here, value.read()) {
                    value.write(here);
                    let place = (best.extremes.place)(chunk.as_ptr().cast(), now, (&raw const here).cast());
                    best.place = best.seen + (start + place) as u64;
                }
            }
            start += now;
        }
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

/// The place of an element.
pub(crate) trait Place: Copy + 'static {
    fn of(place: u64) -> Self;
}

impl Place for u32 {
    #[inline(always)]
    fn of(place: u64) -> u32 {
        place as u32
    }
}

impl Place for u64 {
    #[inline(always)]
    fn of(place: u64) -> u64 {
        place
    }
}

/// # Safety
///
/// So many elements of `n` results, [`WIDTH`] at most, and room for as many values and places of `P`, which are set unless
/// the place is 0. The largest place is one of `P`.
#[inline(always)]
unsafe fn search_rows<E: Extreme, P: Place>(values: *mut u8, places: *mut u64, rows: Rows) {
    let Rows { x, down, right, count, n, place } = rows;
    let (values, places) = (values.cast::<E::In>(), places.cast::<P>());
    let item = size_of::<E::In>() as isize;
    // SAFETY: as the caller promises.
    unsafe {
        if place == 0 {
            for i in 0..n {
                values.add(i).write(x.offset(i as isize * right).cast::<E::In>().read());
                places.add(i).write(P::of(0));
            }
        }
        if right == item {
            columns::<E, P>(values, places, rows);
            return;
        }
        let mut gathered = MaybeUninit::<[E::In; WIDTH]>::uninit();
        let to = gathered.as_mut_ptr().cast::<E::In>();
        for r in 0..count {
            let x = x.offset(r as isize * down);
            for i in 0..n {
                to.add(i).write(x.offset(i as isize * right).cast::<E::In>().read());
            }
            let row = Rows { x: to.cast_const().cast(), right: item, count: 1, place: place + r as u64, ..rows };
            columns::<E, P>(values, places, row);
        }
    }
}

/// Looks at rows of elements that stand side by side: some columns at once, in registers.
///
/// # Safety
///
/// As [`search_rows`]; all values and places are set.
#[inline(always)]
unsafe fn columns<E: Extreme, P: Place>(values: *mut E::In, places: *mut P, rows: Rows) {
    let Rows { x, down, count, n, place, .. } = rows;
    let mut start = 0;
    // SAFETY: as the caller promises; an array has the layout of its elements side by side.
    unsafe {
        while start + COLUMNS <= n {
            let to = (values.add(start).cast::<[E::In; COLUMNS]>(), places.add(start).cast::<[P; COLUMNS]>());
            let (mut value, mut at) = (to.0.read(), to.1.read());
            for r in 0..count {
                let row = x.offset(r as isize * down).cast::<E::In>().add(start).cast::<[E::In; COLUMNS]>().read();
                for i in 0..COLUMNS {
                    step::<E, P>(&mut value[i], &mut at[i], row[i], P::of(place + r as u64));
                }
            }
            to.0.write(value);
            to.1.write(at);
            start += COLUMNS;
        }
        for i in start..n {
            for r in 0..count {
                let x = x.offset(r as isize * down).cast::<E::In>().add(i).read();
                step::<E, P>(&mut *values.add(i), &mut *places.add(i), x, P::of(place + r as u64));
            }
        }
    }
}

/// Without a branch, so that it vectorises.
#[inline(always)]
fn step<E: Extreme, P: Place>(value: &mut E::In, at: &mut P, x: E::In, place: P) {
    let better = E::better(x, *value);
    *value = if better { x } else { *value };
    *at = if better { place } else { *at };
}
