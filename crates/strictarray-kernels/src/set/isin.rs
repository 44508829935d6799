//! Whether elements are among others.

use std::mem::MaybeUninit;
use std::slice;

use strictarray_core::{Array, Bool, DType, Element, Operand, Result, dispatch, iter::Order};

use crate::ctx::TICK;
use crate::scratch::Scratch;
use crate::search::sorted;
use crate::simd::per_level;
use crate::sort::Values;
use crate::sort::key::{Key, Sortable};
use crate::sort::lanes::Lane;
use crate::{Ctx, run};

/// Up to so many values are compared one after the other.
const FEW: usize = 8;

/// Whether each element of `x1` is equal to one of `x2`, or with `invert` to none. Both have one integer data type; `x2` is
/// contiguous.
///
/// Few values are compared with; values within a small range become a table of flags; others are sorted and searched.
pub fn isin(ctx: &Ctx<'_>, out: &Operand<'_>, x1: &Operand<'_>, x2: &Array, invert: bool) -> Result<()> {
    run::same_shape([out, x1])?;
    if out.dtype() != DType::Bool || x1.dtype() != x2.dtype() || !x2.is_c_contiguous() {
        return Err(run::misuse("isin: operands"));
    }
    if x1.size() == 0 {
        return Ok(());
    }
    let (from, n) = (x2.ptr(), x2.size());
    dispatch!(INTEGER, x1.dtype(), T => {
        if n <= FEW {
            // SAFETY: contiguous elements of T.
            let values = unsafe { slice::from_raw_parts(from.cast::<T>(), n) };
            let inner = few_loops::<T>(ctx.simd());
            // SAFETY: the places and elements are the loop's, and the level is the machine's.
            return in_parts::<T>(ctx, out, x1, |out, x, n| unsafe { inner(out, x, n, values, invert) });
        }
        let mut work = Values::<T>::new(ctx, n)?;
        let lane = Lane { ptr: from, stride: size_of::<T>() as isize, n };
        // SAFETY: a lane of T, as long as was said.
        let keys = unsafe { work.extremes(ctx, lane)? };
        let (min, max) = (keys.0.wide(), keys.1.wide());
        let range = max - min;
        if range / 4 <= (n as u64 + x1.size() as u64) {
            let mut table = Scratch::filled(ctx, range as usize + 1, 0u8)?;
            // SAFETY: filled; contiguous elements of T.
            let (table, values) =
                unsafe { (table.values(), slice::from_raw_parts(from.cast::<T>(), n)) };
            for part in values.chunks(TICK) {
                for value in part {
                    // Below the range only if another thread writes to x2 meanwhile.
                    if let Some(flag) = table.get_mut(value.exact().wide().wrapping_sub(min) as usize) {
                        *flag = 1;
                    }
                }
                ctx.check_cancelled()?;
            }
            let table = &*table;
            return in_parts::<T>(ctx, out, x1, |out, x, n| {
                for i in 0..n {
                    // SAFETY: n elements and places.
                    unsafe {
                        let place = x.add(i).read().exact().wide().wrapping_sub(min);
                        let found = table.get(place as usize).is_some_and(|&flag| flag != 0);
                        out.add(i).write(Bool::new(found != invert));
                    }
                }
            });
        }
        // SAFETY: as above.
        let sorted = unsafe { work.sorted(ctx, lane)? };
        let sorted = &*sorted.keys;
        in_parts::<T>(ctx, out, x1, |out, x, n| {
            const BLOCK: usize = 64;
            for start in (0..n).step_by(BLOCK) {
                let now = BLOCK.min(n - start);
                // SAFETY: n elements and places.
                let keys: [<T as Sortable>::Key; BLOCK] =
                    std::array::from_fn(|i| unsafe { x.add(start + i.min(now - 1)).read() }.exact());
                let mut found = [false; BLOCK];
                sorted::contains(sorted, &keys[..now], &mut found[..now]);
                for (i, &found) in found[..now].iter().enumerate() {
                    // SAFETY: as above.
                    unsafe { out.add(start + i).write(Bool::new(found != invert)) };
                }
            }
        })
    })
    .unwrap_or_else(|| Err(run::misuse("isin: data type")))
}

/// Calls `each` with contiguous places and elements, at most some thousand.
fn in_parts<T: Element>(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    each: impl Fn(*mut Bool, *const T, usize),
) -> Result<()> {
    /// Searches that take less than a millisecond.
    const PART: usize = 1 << 12;
    let item = size_of::<T>() as isize;
    run::for_each_tick(ctx, [out, x], Order::Any, |[out, x], [out_stride, stride], n| {
        let (out, x) = (Lane { ptr: out, stride: out_stride, n }, Lane { ptr: x, stride, n });
        for start in (0..n).step_by(PART) {
            let now = PART.min(n - start);
            if out_stride == 1 && stride == item {
                each(out.at(start), x.at::<T>(start).cast_const(), now);
            } else {
                // SAFETY: elements of T at places below n; the output's are ours to write.
                unsafe {
                    let mut values = [MaybeUninit::<T>::uninit(); PART];
                    let mut found = [Bool::new(false); PART];
                    for (i, value) in values[..now].iter_mut().enumerate() {
                        value.write(x.at::<T>(start + i).read());
                    }
                    each(found.as_mut_ptr(), values.as_ptr().cast(), now);
                    for (i, &found) in found[..now].iter().enumerate() {
                        out.at::<Bool>(start + i).write(found);
                    }
                }
            }
            ctx.check_cancelled()?;
        }
        Ok(())
    })
}

per_level! {
    fn few_loops<T: Element>(out: *mut Bool, x: *const T, n: usize, values: &[T], invert: bool) = few_loop;
}

/// # Safety
///
/// `n` places and elements, apart.
#[inline(always)]
unsafe fn few_loop<T: Element>(out: *mut Bool, x: *const T, n: usize, values: &[T], invert: bool) {
    // SAFETY: as the caller promises.
    let (out, x) =
        unsafe { (slice::from_raw_parts_mut(out.cast::<MaybeUninit<u8>>(), n), slice::from_raw_parts(x, n)) };
    for place in out.iter_mut() {
        place.write(invert.into());
    }
    for &value in values {
        for (place, &x) in out.iter_mut().zip(x) {
            // SAFETY: written above.
            let so_far = unsafe { place.assume_init() };
            let equal = u8::from(x == value);
            place.write(if invert { so_far & !equal } else { so_far | equal });
        }
    }
}
