//! The lanes of operands along an axis, and their elements as keys.

use std::mem::MaybeUninit;
use std::slice;

use smallvec::SmallVec;
use strictarray_core::{Operand, Result};

use super::key::{Key, Sortable};
use crate::ctx::TICK;
use crate::simd::per_level;
use crate::{Ctx, run};

/// Elements along an axis: the first one's address, the stride in bytes, their number.
#[derive(Clone, Copy)]
pub(crate) struct Lane {
    pub(crate) ptr: *mut u8,
    pub(crate) stride: isize,
    pub(crate) n: usize,
}

impl Lane {
    #[inline(always)]
    pub(crate) fn at<T>(&self, i: usize) -> *mut T {
        self.ptr.wrapping_offset(self.stride * i as isize).cast()
    }

    /// The elements, if they lie side by side.
    ///
    /// # Safety
    ///
    /// The lane's elements are of `T`, and nobody writes to them meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn contiguous<T>(&self) -> Option<*mut T> {
        (self.stride == size_of::<T>() as isize || self.n == 1).then_some(self.ptr.cast())
    }
}

/// Calls `each` for the lanes along an axis at every position of the other axes.
pub(crate) fn for_each_lane<const N: usize>(
    operands: [&Operand<'_>; N],
    axis: usize,
    mut each: impl FnMut([Lane; N]) -> Result<()>,
) -> Result<()> {
    run::same_shape(operands)?;
    let shape = operands[0].shape();
    let Some(&n) = shape.get(axis) else {
        return Err(run::misuse("an axis that is not there"));
    };
    if shape.contains(&0) {
        return Ok(());
    }
    let mut lanes = operands.map(|o| Lane { ptr: o.ptr(), stride: o.strides()[axis], n });
    let mut counters: SmallVec<[usize; 8]> = SmallVec::from_elem(0, shape.len());
    loop {
        each(lanes)?;
        let mut outer = shape.len();
        loop {
            if outer == 0 {
                return Ok(());
            }
            outer -= 1;
            if outer == axis {
                continue;
            }
            counters[outer] += 1;
            let steps = if counters[outer] < shape[outer] {
                1
            } else {
                counters[outer] = 0;
                1 - shape[outer] as isize
            };
            for (lane, operand) in lanes.iter_mut().zip(operands) {
                lane.ptr = lane.ptr.wrapping_offset(operand.strides()[outer] * steps);
            }
            if steps == 1 {
                break;
            }
        }
    }
}

/// What [`load`] saw.
#[derive(Clone, Copy)]
pub(crate) struct Seen<K> {
    pub(crate) min: K,
    pub(crate) max: K,
    pub(crate) nan: bool,
    pub(crate) negative_zero: bool,
    pub(crate) positive_zero: bool,
}

/// Which keys [`load`] makes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Exact,
    Rank,
    /// Ranks from the greatest to the least.
    Reversed,
}

per_level! {
    fn load_contiguous<T: Sortable>(from: *const T, n: usize, keys: *mut T::Key, kind: Kind, seen: &mut Seen<T::Key>) = load_loop;
    fn store_contiguous<T: Sortable>(to: *mut T, keys: *const T::Key, n: usize, reversed: bool) = store_loop;
}

/// # Safety
///
/// `n` elements and room for `n` keys, apart.
#[inline(always)]
unsafe fn load_loop<T: Sortable>(from: *const T, n: usize, keys: *mut T::Key, kind: Kind, seen: &mut Seen<T::Key>) {
    // SAFETY: as the caller promises.
    unsafe {
        let (from, keys) = (slice::from_raw_parts(from, n), slice::from_raw_parts_mut(keys.cast(), n));
        match kind {
            Kind::Exact => load_each::<T>(n, |i| from[i], keys, T::exact, seen),
            Kind::Rank => load_each::<T>(n, |i| from[i], keys, T::rank, seen),
            Kind::Reversed => load_each::<T>(n, |i| from[i], keys, reversed_rank, seen),
        }
    }
}

#[inline(always)]
fn reversed_rank<T: Sortable>(x: T) -> T::Key {
    T::Key::narrow(!x.rank().wide())
}

#[inline(always)]
fn load_each<T: Sortable>(
    n: usize,
    at: impl Fn(usize) -> T,
    keys: &mut [MaybeUninit<T::Key>],
    key: impl Fn(T) -> T::Key,
    seen: &mut Seen<T::Key>,
) {
    let Seen { mut min, mut max, mut nan, mut negative_zero, mut positive_zero } = *seen;
    let keys = &mut keys[..n];
    for (i, place) in keys.iter_mut().enumerate() {
        let x = at(i);
        let key = key(x);
        place.write(key);
        min = min.min(key);
        max = max.max(key);
        if T::FLOAT {
            nan |= x.is_nan();
            negative_zero |= x.is_negative_zero();
            positive_zero |= x.is_zero() & !x.is_negative_zero();
        }
    }
    *seen = Seen { min, max, nan, negative_zero, positive_zero };
}

/// # Safety
///
/// `n` keys and room for `n` elements, apart.
#[inline(always)]
unsafe fn store_loop<T: Sortable>(to: *mut T, keys: *const T::Key, n: usize, reversed: bool) {
    // SAFETY: as the caller promises.
    let (to, keys) =
        unsafe { (slice::from_raw_parts_mut(to.cast::<MaybeUninit<T>>(), n), slice::from_raw_parts(keys, n)) };
    if reversed {
        for (to, &key) in to.iter_mut().zip(keys.iter().rev()) {
            to.write(T::of_exact(key));
        }
    } else {
        for (to, &key) in to.iter_mut().zip(keys) {
            to.write(T::of_exact(key));
        }
    }
}

/// Writes the keys of a lane's elements, and says what they are.
///
/// # Safety
///
/// The lane's elements are of `T`, apart from `keys`, which has room for as many.
pub(crate) unsafe fn load<T: Sortable>(
    ctx: &Ctx<'_>,
    lane: Lane,
    keys: &mut [MaybeUninit<T::Key>],
    kind: Kind,
) -> Result<Seen<T::Key>> {
    let mut seen =
        Seen { min: T::Key::MAX, max: T::Key::narrow(0), nan: false, negative_zero: false, positive_zero: false };
    for start in (0..lane.n).step_by(TICK) {
        let part = Lane { ptr: lane.at(start), n: TICK.min(lane.n - start), ..lane };
        let keys = &mut keys[start..start + part.n];
        // SAFETY: as the caller promises; the level is the machine's.
        unsafe {
            if let Some(from) = part.contiguous::<T>() {
                let inner = load_contiguous::<T>(ctx.simd());
                inner(from, part.n, keys.as_mut_ptr().cast(), kind, &mut seen);
            } else {
                let at = |i| part.at::<T>(i).read();
                match kind {
                    Kind::Exact => load_each::<T>(part.n, at, keys, T::exact, &mut seen),
                    Kind::Rank => load_each::<T>(part.n, at, keys, T::rank, &mut seen),
                    Kind::Reversed => load_each::<T>(part.n, at, keys, reversed_rank, &mut seen),
                }
            }
        }
        if part.n == TICK {
            ctx.check_cancelled()?;
        }
    }
    Ok(seen)
}

/// Writes the elements of exact keys into a lane, or from the last key to the first.
///
/// # Safety
///
/// The lane has room for as many elements of `T` as there are keys.
pub(crate) unsafe fn store<T: Sortable>(ctx: &Ctx<'_>, lane: Lane, keys: &[T::Key], reversed: bool) -> Result<()> {
    for (i, part) in keys.chunks(TICK).enumerate() {
        let start = if reversed { keys.len() - i * TICK - part.len() } else { i * TICK };
        let lane = Lane { ptr: lane.at(start), n: part.len(), ..lane };
        // SAFETY: as the caller promises; the level is the machine's.
        unsafe {
            if let Some(to) = lane.contiguous::<T>() {
                store_contiguous::<T>(ctx.simd())(to, part.as_ptr(), part.len(), reversed);
            } else {
                for (i, &key) in part.iter().enumerate() {
                    let i = if reversed { part.len() - 1 - i } else { i };
                    lane.at::<T>(i).write(T::of_exact(key));
                }
            }
        }
        if part.len() == TICK {
            ctx.check_cancelled()?;
        }
    }
    Ok(())
}

/// Whether a lane's elements ascend (`reversed`: descend) by rank.
///
/// # Safety
///
/// A lane of `T`.
pub(crate) unsafe fn is_sorted<T: Sortable>(ctx: &Ctx<'_>, lane: Lane, reversed: bool) -> Result<bool> {
    // SAFETY: as the caller promises.
    unsafe { all_fit::<T>(ctx, lane, if reversed { Fit::Descending } else { Fit::Ascending }) }
}

/// How an element's rank is to that of the one before it.
#[derive(Clone, Copy)]
pub(crate) enum Fit {
    /// Not below.
    Ascending,
    /// Not above.
    Descending,
    Below,
    Above,
    /// Below, or the same in every bit.
    NotAbove,
    /// Above, or the same in every bit.
    NotBelow,
}

/// # Safety
///
/// A lane of `T`.
unsafe fn all_fit<T: Sortable>(ctx: &Ctx<'_>, lane: Lane, fit: Fit) -> Result<bool> {
    let pairs = lane.n.saturating_sub(1);
    for start in (0..pairs).step_by(TICK) {
        // SAFETY: as the caller promises: so many pairs begin there; the level is the machine's.
        let sorted = unsafe { fits::<T>(ctx.simd())(lane.at(start), lane.stride, TICK.min(pairs - start), fit) };
        if !sorted {
            return Ok(false);
        }
        if pairs - start > TICK {
            ctx.check_cancelled()?;
        }
    }
    Ok(true)
}

per_level! {
    fn fits<T: Sortable>(x: *const u8, stride: isize, pairs: usize, fit: Fit) -> bool = fits_loop;
}

/// # Safety
///
/// One element of `T` more than pairs at this stride.
#[inline(always)]
unsafe fn fits_loop<T: Sortable>(x: *const u8, stride: isize, pairs: usize, fit: Fit) -> bool {
    let side_by_side = size_of::<T>() as isize;
    // SAFETY: as the caller promises. A stride that is known makes loops that vectorise.
    unsafe {
        if stride == side_by_side {
            fits_at::<T>(x, side_by_side, pairs, fit, |_, _| {})
        } else {
            fits_at::<T>(x, stride, pairs, fit, |_, _| {})
        }
    }
}

/// Hands out the number and the first element of each pair that is looked at: as many as fit at least.
///
/// # Safety
///
/// As [`fits_loop`].
#[inline(always)]
unsafe fn fits_at<T: Sortable>(x: *const u8, stride: isize, pairs: usize, fit: Fit, each: impl Fn(isize, T)) -> bool {
    let same = |a: T, b: T| a.exact() == b.exact();
    // SAFETY: as the caller promises.
    unsafe {
        match fit {
            Fit::Ascending => all_pairs::<T>(x, stride, pairs, each, |a, b| a.fits_before(b)),
            Fit::Descending => all_pairs::<T>(x, stride, pairs, each, |a, b| b.fits_before(a)),
            Fit::Below => all_pairs::<T>(x, stride, pairs, each, |a, b| !a.fits_before(b)),
            Fit::Above => all_pairs::<T>(x, stride, pairs, each, |a, b| !b.fits_before(a)),
            Fit::NotAbove => all_pairs::<T>(x, stride, pairs, each, |a, b| !a.fits_before(b) | same(a, b)),
            Fit::NotBelow => all_pairs::<T>(x, stride, pairs, each, |a, b| !b.fits_before(a) | same(a, b)),
        }
    }
}

/// # Safety
///
/// As [`fits_loop`].
#[inline(always)]
unsafe fn all_pairs<T: Sortable>(
    x: *const u8,
    stride: isize,
    pairs: usize,
    each: impl Fn(isize, T),
    fits: impl Fn(T, T) -> bool,
) -> bool {
    /// Pairs that are compared without a branch.
    const BLOCK: usize = 128;
    let mut start = 0;
    while start < pairs {
        // Most lanes that do not fit show it at once.
        let end = (start + if start == 0 { BLOCK / 16 } else { BLOCK }).min(pairs);
        let mut sorted = true;
        for i in start as isize..end as isize {
            // SAFETY: as the caller promises.
            let (a, b) =
                unsafe { (x.offset(i * stride).cast::<T>().read(), x.offset((i + 1) * stride).cast::<T>().read()) };
            sorted &= fits(a, b);
            each(i, a);
        }
        if !sorted {
            return false;
        }
        start = end;
    }
    true
}

/// What is written of an element and of its place.
pub(crate) trait Output<T>: 'static {
    type Item: Copy;
    fn of(x: T, place: usize) -> Self::Item;
}

/// The element.
pub(crate) struct Itself;

/// The place, as an integer of this type.
pub(crate) struct Place<I>(std::marker::PhantomData<I>);

impl<T: Copy> Output<T> for Itself {
    type Item = T;
    #[inline(always)]
    fn of(x: T, _: usize) -> T {
        x
    }
}

impl<T> Output<T> for Place<i32> {
    type Item = i32;
    #[inline(always)]
    fn of(_: T, place: usize) -> i32 {
        place as i32
    }
}

impl<T> Output<T> for Place<i64> {
    type Item = i64;
    #[inline(always)]
    fn of(_: T, place: usize) -> i64 {
        place as i64
    }
}

/// Copies a lane whose elements are sorted, or are in the opposite order, to another one, and says whether it was. If it was
/// not, some of what was there may be written over.
///
/// # Safety
///
/// Lanes of `T` of one length, apart, with one element at least; the first one is ours to write.
pub(crate) unsafe fn copy_sorted<T: Sortable>(ctx: &Ctx<'_>, out: Lane, x: Lane, reversed: bool) -> Result<bool> {
    // What is the same in every bit may change places.
    let fits = if reversed { [Fit::Descending, Fit::NotBelow] } else { [Fit::Ascending, Fit::NotAbove] };
    // SAFETY: as the caller promises.
    unsafe { write_sorted::<T, Itself>(ctx, out, x, fits) }
}

/// Writes the places of a lane's elements in their order, if they are sorted or strictly in the opposite order, and says whether
/// they are. If not, some of what was there may be written over.
///
/// # Safety
///
/// Lanes of one length, apart, with one element at least: the first one of int32 (`narrow`) or int64 elements, ours to write,
/// the other one of `T`.
pub(crate) unsafe fn count_sorted<T: Sortable>(
    ctx: &Ctx<'_>,
    out: Lane,
    x: Lane,
    reversed: bool,
    narrow: bool,
) -> Result<bool> {
    // Equal elements keep their order.
    let fits = if reversed { [Fit::Descending, Fit::Above] } else { [Fit::Ascending, Fit::Below] };
    // SAFETY: as the caller promises.
    unsafe {
        if narrow {
            write_sorted::<T, Place<i32>>(ctx, out, x, fits)
        } else {
            write_sorted::<T, Place<i64>>(ctx, out, x, fits)
        }
    }
}

/// Writes what there is of elements that all fit in the first way, or from the end what there is of those that all fit in the
/// other way.
///
/// # Safety
///
/// As [`copy_sorted`], of items of the output.
unsafe fn write_sorted<T: Sortable, O: Output<T>>(ctx: &Ctx<'_>, out: Lane, x: Lane, fits: [Fit; 2]) -> Result<bool> {
    let n = x.n;
    let turned = Lane { ptr: out.at(n - 1), stride: -out.stride, n };
    let [sorted, opposite] = fits;
    // SAFETY: as the caller promises.
    unsafe { Ok(write_fitting::<T, O>(ctx, out, x, sorted)? || write_fitting::<T, O>(ctx, turned, x, opposite)?) }
}

/// # Safety
///
/// As [`write_sorted`].
unsafe fn write_fitting<T: Sortable, O: Output<T>>(ctx: &Ctx<'_>, out: Lane, x: Lane, fit: Fit) -> Result<bool> {
    let pairs = x.n - 1;
    for start in (0..pairs).step_by(TICK) {
        let (part, to) = (Lane { ptr: x.at(start), ..x }, Lane { ptr: out.at(start), ..out });
        // SAFETY: as the caller promises: so many pairs begin there; the level is the machine's.
        if !unsafe { write_while::<T, O>(ctx.simd())(to, part, start, TICK.min(pairs - start), fit) } {
            return Ok(false);
        }
        if pairs - start > TICK {
            ctx.check_cancelled()?;
        }
    }
    // SAFETY: as the caller promises: the last element.
    unsafe { out.at::<O::Item>(pairs).write(O::of(x.at::<T>(pairs).read(), pairs)) };
    Ok(true)
}

per_level! {
    fn write_while<T: Sortable, O: Output<T>>(out: Lane, x: Lane, place: usize, pairs: usize, fit: Fit) -> bool
        = write_while_loop;
}

/// Writes what there is of the first elements of pairs as long as they fit. The first one has this place.
///
/// # Safety
///
/// One element of `T` more than pairs, and room for as many items, apart.
#[inline(always)]
unsafe fn write_while_loop<T: Sortable, O: Output<T>>(
    out: Lane,
    x: Lane,
    place: usize,
    pairs: usize,
    fit: Fit,
) -> bool {
    let (step, out_step) = (size_of::<T>() as isize, size_of::<O::Item>() as isize);
    let write = |out_stride: isize| {
        move |i: isize, value: T| {
            let item = O::of(value, place + i as usize);
            // SAFETY: as the caller promises.
            unsafe { out.ptr.offset(i * out_stride).cast::<O::Item>().write(item) }
        }
    };
    // SAFETY: as the caller promises. Strides that are known make loops that vectorise.
    unsafe {
        match (x.stride == step, out.stride == out_step, out.stride == -out_step) {
            (true, true, _) => fits_at::<T>(x.ptr, step, pairs, fit, write(out_step)),
            (true, _, true) => fits_at::<T>(x.ptr, step, pairs, fit, write(-out_step)),
            _ => fits_at::<T>(x.ptr, x.stride, pairs, fit, write(out.stride)),
        }
    }
}

/// What [`look`] saw.
#[derive(Clone, Copy, Default)]
pub(crate) struct Special {
    pub(crate) nan: bool,
    pub(crate) negative_zero: bool,
    pub(crate) positive_zero: bool,
}

/// Whether there are NaNs and zeros of either sign among floats side by side.
///
/// # Safety
///
/// `n` elements.
pub(crate) unsafe fn look<T: Sortable>(ctx: &Ctx<'_>, x: *const T, n: usize) -> Result<Special> {
    let mut seen = Special::default();
    for start in (0..n).step_by(TICK) {
        // SAFETY: as the caller promises; the level is the machine's.
        unsafe { look_at::<T>(ctx.simd())(x.add(start), TICK.min(n - start), &mut seen) };
        if n - start > TICK {
            ctx.check_cancelled()?;
        }
    }
    Ok(seen)
}

per_level! {
    fn look_at<T: Sortable>(x: *const T, n: usize, seen: &mut Special) = look_loop;
}

/// # Safety
///
/// As [`look`].
#[inline(always)]
unsafe fn look_loop<T: Sortable>(x: *const T, n: usize, seen: &mut Special) {
    let Special { mut nan, mut negative_zero, mut positive_zero } = *seen;
    // SAFETY: as the caller promises.
    for &x in unsafe { slice::from_raw_parts(x, n) } {
        nan |= x.is_nan();
        negative_zero |= x.is_negative_zero();
        positive_zero |= x.is_zero() & !x.is_negative_zero();
    }
    *seen = Special { nan, negative_zero, positive_zero };
}
