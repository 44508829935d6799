//! The different elements of an array.

use std::mem::MaybeUninit;

use strictarray_core::{Array, Bool, Complex, DType, Element, Operand, Result, dispatch};

use crate::ctx::TICK;
use crate::scratch::Scratch;
use crate::sort::key::Sortable;
use crate::sort::lanes::{Kind, Lane, load};
use crate::sort::order::Orderer;
use crate::sort::{InOrder, Values, check_index, write_index};
use crate::{Ctx, run};

/// What is asked for besides the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Where each value occurs first, and which value each element is.
    pub places: bool,
    /// How often each value occurs.
    pub counts: bool,
}

/// The different elements of an array, found and counted: they are written when there is room for them.
///
/// They come in ascending order, complex numbers by their real parts first; NaNs, and complex numbers with a part that is
/// NaN, are all different and come last (of the latter those with a number as their real part first). Of zeros of both signs there is the one that occurs first.
pub struct Unique {
    dtype: DType,
    size: usize,
    len: usize,
    /// The elements, a value of `dtype` each.
    values: Scratch<u8>,
    counts: Option<Scratch<u64>>,
    first: Option<Scratch<u64>>,
    inverse: Option<Scratch<u64>>,
}

impl Unique {
    /// Of an array in C order, of any data type.
    pub fn new(ctx: &Ctx<'_>, x: &Array, wanted: Wanted) -> Result<Unique> {
        if !x.is_c_contiguous() {
            return Err(run::misuse("unique: layout"));
        }
        let lane = Lane { ptr: x.ptr(), stride: x.dtype().size() as isize, n: x.size() };
        let found = match x.dtype() {
            // SAFETY: a lane of Bool.
            DType::Bool => Some(unsafe { real::<Bool>(ctx, lane, wanted) }),
            dtype if dtype.is_complex() => dispatch!(COMPLEX_FLOATING, dtype, T => {
                // SAFETY: a lane of T.
                unsafe { complex::<T>(ctx, lane, wanted) }
            }),
            dtype => dispatch!(REAL, dtype, T => {
                // SAFETY: a lane of T.
                unsafe { real::<T>(ctx, lane, wanted) }
            }),
        };
        found.unwrap_or_else(|| Err(run::misuse("unique: data type")))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes the values, into as many contiguous elements of the array's data type.
    pub fn values(&mut self, out: &Operand<'_>) -> Result<()> {
        let item = self.dtype.size();
        if out.dtype() != self.dtype || out.shape() != [self.len] || (self.len > 1 && out.strides() != [item as isize])
        {
            return Err(run::misuse("unique: values"));
        }
        let from = self.values.room().as_ptr();
        // SAFETY: the first `len` values were set, and there is room for them, apart.
        unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), out.ptr(), self.len * item) };
        Ok(())
    }

    /// Writes how often each value occurs.
    pub fn counts(&mut self, ctx: &Ctx<'_>, out: &Operand<'_>) -> Result<()> {
        write(ctx, self.counts.as_mut(), self.len, out)
    }

    /// Writes where each value occurs first.
    pub fn first(&mut self, ctx: &Ctx<'_>, out: &Operand<'_>) -> Result<()> {
        write(ctx, self.first.as_mut(), self.len, out)
    }

    /// Writes which value each element is, in C order, into a contiguous output.
    pub fn inverse(&mut self, ctx: &Ctx<'_>, out: &Operand<'_>) -> Result<()> {
        write(ctx, self.inverse.as_mut(), self.size, out)
    }
}

/// Writes the first `n` numbers into a contiguous output of indices.
fn write(ctx: &Ctx<'_>, numbers: Option<&mut Scratch<u64>>, n: usize, out: &Operand<'_>) -> Result<()> {
    check_index(out.dtype())?;
    let Some(numbers) = numbers.filter(|_| out.size() == n) else {
        return Err(run::misuse("unique: not asked for"));
    };
    let narrow = out.dtype() == DType::Int32;
    let lane = Lane { ptr: out.ptr(), stride: out.dtype().size() as isize, n };
    for (chunk, numbers) in numbers.room()[..n].chunks(TICK).enumerate() {
        for (i, number) in numbers.iter().enumerate() {
            // SAFETY: the first n numbers were set; the lane has n elements of this data type, ours to write.
            unsafe { write_index(lane, chunk * TICK + i, number.assume_init() as usize, narrow) };
        }
        ctx.check_cancelled()?;
    }
    Ok(())
}

/// Collects what is found, value by value.
struct Collector<T> {
    values: Scratch<u8>,
    counts: Option<Scratch<u64>>,
    len: usize,
    of: std::marker::PhantomData<T>,
}

impl<T: Element> Collector<T> {
    /// For up to `n` values.
    fn new(ctx: &Ctx<'_>, n: usize, wanted: Wanted) -> Result<Self> {
        let bytes = strictarray_core::bytes_of(&[n], size_of::<T>())?;
        let counts = if wanted.counts { Some(Scratch::new(ctx, n)?) } else { None };
        Ok(Collector { values: Scratch::new(ctx, bytes)?, counts, len: 0, of: std::marker::PhantomData })
    }

    #[inline(always)]
    fn push(&mut self, value: T, count: usize) {
        let room = self.values.room();
        if (self.len + 1) * size_of::<T>() > room.len() {
            // Only where another thread writes to the array meanwhile.
            return;
        }
        // SAFETY: there is room, and scratch memory is aligned for every element.
        unsafe { room.as_mut_ptr().cast::<T>().add(self.len).write(value) };
        if let Some(counts) = &mut self.counts {
            counts.room()[self.len].write(count as u64);
        }
        self.len += 1;
    }

    /// The different ones of sorted elements, as many as there is room for at most, without a branch on the data.
    fn runs(&mut self, ctx: &Ctx<'_>, n: usize, at: impl Fn(usize) -> T) -> Result<()> {
        let values = self.room();
        let mut ends = self.counts.as_mut().map(Scratch::room);
        let mut len = 0;
        for start in (0..n).step_by(TICK) {
            let end = (start + TICK).min(n);
            for i in start..end {
                let value = at(i);
                // SAFETY: `len` is at most i, and there is room for as many values as elements; the memory is aligned for
                // every element.
                unsafe { values.add(len).write(value) };
                if let Some(ends) = &mut ends {
                    ends[len].write(i as u64 + 1);
                }
                len += usize::from(i + 1 == n || at(i + 1) != value);
            }
            ctx.check_cancelled()?;
        }
        if let Some(ends) = ends {
            // SAFETY: all were written above.
            unsafe { differences(&mut ends[..len]) };
        }
        self.len = len;
        Ok(())
    }

    /// Where values are written.
    fn room(&mut self) -> *mut T {
        self.values.start().cast()
    }

    /// The values so far.
    fn so_far(&mut self) -> &mut [T] {
        // SAFETY: so many were written, and scratch memory is aligned for every element.
        unsafe { std::slice::from_raw_parts_mut(self.room(), self.len) }
    }

    fn finish(self, size: usize, first: Option<Scratch<u64>>, inverse: Option<Scratch<u64>>) -> Unique {
        let Collector { values, counts, len, .. } = self;
        Unique { dtype: T::DTYPE, size, len, values, counts, first, inverse }
    }
}

/// # Safety
///
/// A lane of `T`.
unsafe fn real<T: Sortable>(ctx: &Ctx<'_>, x: Lane, wanted: Wanted) -> Result<Unique> {
    if !wanted.places {
        // SAFETY: as the caller promises.
        return unsafe { sorted_values::<T>(ctx, x, wanted) };
    }
    let mut keys = Scratch::<T::Key>::new(ctx, x.n)?;
    // SAFETY: as the caller promises; `load` sets every key.
    let (seen, keys) = unsafe { (load::<T>(ctx, x, keys.room(), Kind::Rank)?, keys.values()) };
    let mut orderer = Orderer::new(ctx, x.n)?;
    let places = orderer.order(ctx, keys, seen.min, seen.max)?;
    // SAFETY: as the caller promises.
    unsafe { by_places::<T>(ctx, x, wanted, |i| places.at(i)) }
}

/// # Safety
///
/// A lane of `T`.
unsafe fn sorted_values<T: Sortable>(ctx: &Ctx<'_>, x: Lane, wanted: Wanted) -> Result<Unique> {
    let mut work = Values::<T>::new(ctx, x.n)?;
    let mut found = Collector::<T>::new(ctx, x.n, wanted)?;
    // SAFETY: as the caller promises, a lane as long as was said.
    let (sorted, both_zeros) = unsafe { work.in_order(ctx, x, found.room())? };
    let n = match sorted {
        // SAFETY: there is room for as many values as the lane has elements.
        InOrder::Elements { from, n, distinct } if !wanted.counts => unsafe {
            found.len = distinct(ctx, from, n, found.room())?;
            n
        },
        InOrder::Elements { from, n, .. } => {
            // SAFETY: the elements that were sorted; of those that are written over none is read again.
            found.runs(ctx, n, |i| unsafe { from.add(i).read() })?;
            n
        }
        InOrder::Keys(keys) => {
            found.runs(ctx, keys.len(), |i| T::of_exact(keys[i]))?;
            keys.len()
        }
    };
    // SAFETY: as the caller promises.
    let all = || (0..x.n).map(|i| unsafe { x.at::<T>(i).read() });
    if both_zeros
        && let Some(first) = all().find(|v| v.is_zero())
        && let Some(zero) = found.so_far().iter_mut().find(|v| v.is_zero())
    {
        *zero = first;
    }
    if n < x.n {
        all().filter(|v| v.is_nan()).for_each(|nan| found.push(nan, 1));
    }
    Ok(found.finish(x.n, None, None))
}

/// A complex number: its parts are sorted by one after the other.
trait Pair: Element {
    type Part: Sortable;
}

impl Pair for Complex<f32> {
    type Part = f32;
}

impl Pair for Complex<f64> {
    type Part = f64;
}

/// # Safety
///
/// A lane of `T`.
unsafe fn complex<T: Pair>(ctx: &Ctx<'_>, x: Lane, wanted: Wanted) -> Result<Unique> {
    let part = size_of::<T>() / 2;
    // The imaginary parts first, then stably the real ones.
    let mut orderer = Orderer::new(ctx, x.n)?;
    let mut keys = Scratch::<<T::Part as Sortable>::Key>::new(ctx, x.n)?;
    let imaginary = Lane { ptr: x.ptr.wrapping_add(part), ..x };
    // SAFETY: as the caller promises, a lane of parts; `load` sets every key.
    let (seen, values) = unsafe { (load::<T::Part>(ctx, imaginary, keys.room(), Kind::Rank)?, keys.values()) };
    let mut before = Scratch::<u64>::new(ctx, x.n)?;
    for (to, place) in before.room().iter_mut().zip(orderer.order(ctx, values, seen.min, seen.max)?.iter()) {
        to.write(place as u64);
    }
    let imaginary_nan = seen.nan;
    // SAFETY: as many places as elements were set.
    let before = &*unsafe { before.values() };
    ctx.check_cancelled()?;
    // SAFETY: as above.
    let seen = unsafe { load::<T::Part>(ctx, x, keys.room(), Kind::Rank)? };
    let mut permuted = Scratch::<<T::Part as Sortable>::Key>::new(ctx, x.n)?;
    // SAFETY: `load` set every key.
    let values = &*unsafe { keys.values() };
    for (to, &place) in permuted.room().iter_mut().zip(before) {
        to.write(values[place as usize]);
    }
    // SAFETY: all were set.
    let places = orderer.order(ctx, unsafe { permuted.values() }, seen.min, seen.max)?;
    let mut ordered = Scratch::<u64>::new(ctx, x.n)?;
    // Of the numbers whose real part is none the last, and before them those whose imaginary part alone is none.
    let nan = |place: u64, lane: Lane| {
        // SAFETY: as the caller promises: places are below n.
        unsafe { lane.at::<T::Part>(place as usize).read() }.is_nan()
    };
    let all = || places.iter().map(|place| before[place]);
    let numbers = all().filter(|&p| !nan(p, imaginary) && !nan(p, x));
    let half = all().filter(|&p| nan(p, imaginary) && !nan(p, x));
    let rest = all().filter(|&p| nan(p, x));
    let mut set = 0;
    let room = ordered.room();
    let write = |place| {
        room[set].write(place);
        set += 1;
    };
    if imaginary_nan {
        numbers.chain(half).chain(rest).take(x.n).for_each(write);
    } else {
        all().for_each(write);
    }
    if set < x.n {
        return Err(run::misuse("an array that changes while it is read"));
    }
    // SAFETY: as many places as elements were set.
    let ordered = &*unsafe { ordered.values() };
    // SAFETY: as the caller promises.
    unsafe { by_places::<T>(ctx, x, wanted, |i| ordered[i] as usize) }
}

/// Collects runs of the same element in an order in which equal ones stand together as they stood: `place` says where what comes
/// at some time stands.
///
/// # Safety
///
/// A lane of `T`; each of its places comes once.
unsafe fn by_places<T: Element>(
    ctx: &Ctx<'_>,
    x: Lane,
    wanted: Wanted,
    place: impl Fn(usize) -> usize,
) -> Result<Unique> {
    /// Elements that are read from all over memory before others are written there, so that accesses overlap.
    const BLOCK: usize = 64;
    let n = x.n;
    let mut found = Collector::<T>::new(ctx, n, wanted)?;
    let (mut first, mut inverse) = (None, None);
    if wanted.places {
        (first, inverse) = (Some(Scratch::<u64>::new(ctx, n)?), Some(Scratch::<u64>::new(ctx, n)?));
    }
    let values = found.room();
    let mut ends = found.counts.as_mut().map(Scratch::room);
    let mut last = None;
    let (mut places, mut elements, mut numbers) = ([0; BLOCK], [MaybeUninit::<T>::uninit(); BLOCK], [0; BLOCK]);
    for start in (0..n).step_by(BLOCK) {
        let size = BLOCK.min(n - start);
        for (i, (element, to)) in elements.iter_mut().zip(&mut places).enumerate().take(size) {
            *to = place(start + i);
            // SAFETY: as the caller promises.
            element.write(unsafe { x.at::<T>(*to).read() });
        }
        for i in 0..size {
            // SAFETY: written above.
            let value = unsafe { elements[i].assume_init() };
            // What is no new one is written over by the next that is.
            // SAFETY: at most as many were found as elements came before, and there is room for all; scratch memory is aligned
            // for every element.
            unsafe { values.add(found.len).write(value) };
            if let Some(first) = &mut first {
                first.room()[found.len].write(places[i] as u64);
            }
            found.len += usize::from(last != Some(value));
            last = Some(value);
            numbers[i] = found.len - 1;
            if let Some(ends) = &mut ends {
                ends[found.len - 1].write((start + i + 1) as u64);
            }
        }
        if let Some(inverse) = &mut inverse {
            for (&place, &number) in places.iter().zip(&numbers).take(size) {
                inverse.room()[place].write(number as u64);
            }
        }
        if (start + size).is_multiple_of(TICK) {
            ctx.check_cancelled()?;
        }
    }
    if let Some(ends) = ends {
        // SAFETY: of each that was found the last end is written.
        unsafe { differences(&mut ends[..found.len]) };
    }
    Ok(found.finish(n, first, inverse))
}

/// Makes counts of ends.
///
/// # Safety
///
/// All are written.
unsafe fn differences(ends: &mut [MaybeUninit<u64>]) {
    let mut before = 0;
    for end in ends {
        // SAFETY: as the caller promises.
        let count = unsafe { end.assume_init() } - before;
        before += count;
        end.write(count);
    }
}
