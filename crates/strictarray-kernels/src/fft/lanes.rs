//! The lanes of two operands along an axis, some at a time, and memory where they are brought together.

use std::marker::PhantomData;
use std::slice;

use smallvec::SmallVec;
use strictarray_core::{Operand, Result};

use crate::ctx::TICK;
use crate::float::InDouble;
use crate::scratch::Scratch;
use crate::{Ctx, run};

/// Lanes that are brought together: of strided ones a line of the cache holds an element of each.
const LANES: usize = 16;
/// Bytes that they may take, so that they stay in the cache; more only for the sake of whole lines of it ...
const BYTES: usize = 1 << 18;
const LINE: usize = 64;
/// ... and no more than this.
const MOST_BYTES: usize = 1 << 26;

/// Lanes of one operand, of which each has the address, and the next one, `step` bytes further.
#[derive(Clone, Copy)]
pub(super) struct End<T> {
    ptr: *mut u8,
    /// Bytes between elements of a lane.
    stride: isize,
    step: isize,
    /// The number of lanes.
    pub(super) count: usize,
    /// Elements that a lane has here, of those that are transformed.
    there: usize,
    /// Elements that are transformed.
    n: usize,
    of: PhantomData<T>,
}

impl<T: InDouble> End<T> {
    const ITEM: isize = size_of::<T>() as isize;

    /// Whether the elements of a lane lie side by side.
    fn contiguous(&self) -> bool {
        self.stride == Self::ITEM || self.n == 1
    }

    /// Whether the lanes are those places, with nothing to add.
    pub(super) fn lies_in(&self, places: Places<T::Wide>) -> bool {
        T::is_wide()
            && std::ptr::eq(self.ptr, places.ptr.cast())
            && self.contiguous()
            && (self.step == places.step || self.count == 1)
            && self.there == places.n
    }

    /// Sets the lanes of a place each: to what a function makes of the elements, then zeros.
    ///
    /// # Safety
    ///
    /// Lanes of an operand of `T`; as many places, of `n` elements each, apart from them.
    #[inline(always)]
    pub(super) unsafe fn gather(&self, places: Places<T::Wide>, make: impl Fn(T::Wide) -> T::Wide + Copy) {
        // SAFETY: as the caller promises, all along.
        unsafe {
            if self.contiguous() {
                for l in 0..self.count {
                    let (to, from) = (places.lane(l), self.ptr.offset(l as isize * self.step).cast::<T>());
                    for i in 0..self.there {
                        to.add(i).write(make(from.add(i).read().wide()));
                    }
                }
            } else if self.step == Self::ITEM {
                self.gather_across(places, Self::ITEM, make);
            } else {
                self.gather_across(places, self.step, make);
            }
            for l in 0..self.count {
                (self.there..self.n).for_each(|i| places.lane(l).add(i).write(T::ZERO));
            }
        }
    }

    /// The elements of each place in the lanes, one after another: they lie nearer to each other than those of a lane.
    ///
    /// # Safety
    ///
    /// As for `gather`.
    #[inline(always)]
    unsafe fn gather_across(&self, places: Places<T::Wide>, step: isize, make: impl Fn(T::Wide) -> T::Wide) {
        for i in 0..self.there {
            let from = self.ptr.wrapping_offset(i as isize * self.stride);
            for l in 0..self.count {
                // SAFETY: as the caller promises.
                unsafe {
                    let x = from.offset(l as isize * step).cast::<T>().read();
                    places.lane(l).add(i).write(make(x.wide()));
                }
            }
        }
    }

    /// Writes the lanes.
    ///
    /// # Safety
    ///
    /// Lanes of an operand of `T`, ours to write; as many places, of `n` elements each, that are set and apart from them.
    unsafe fn scatter(&self, places: Places<T::Wide>) {
        // SAFETY: as the caller promises, all along.
        unsafe {
            if self.contiguous() {
                for l in 0..self.count {
                    let (to, from) = (self.ptr.offset(l as isize * self.step).cast::<T>(), places.lane(l));
                    for i in 0..self.n {
                        to.add(i).write(T::narrow(from.add(i).read()));
                    }
                }
                return;
            }
            for i in 0..self.n {
                let to = self.ptr.wrapping_offset(i as isize * self.stride);
                for l in 0..self.count {
                    to.offset(l as isize * self.step).cast::<T>().write(T::narrow(places.lane(l).add(i).read()));
                }
            }
        }
    }
}

/// Where lanes lie with their elements side by side.
#[derive(Clone, Copy)]
pub(super) struct Places<T> {
    ptr: *mut T,
    /// Bytes from one to the next.
    step: isize,
    n: usize,
}

impl<T: Copy> Places<T> {
    #[inline(always)]
    fn lane(&self, l: usize) -> *mut T {
        self.ptr.wrapping_byte_offset(l as isize * self.step)
    }

    /// The first `count` lanes.
    ///
    /// # Safety
    ///
    /// They are there, apart from each other, and set; nobody else looks at them as long as the slices live.
    #[inline(always)]
    pub(super) unsafe fn each<'a>(self, count: usize) -> impl Iterator<Item = &'a mut [T]>
    where
        T: 'a,
    {
        // SAFETY: as the caller promises.
        (0..count).map(move |l| unsafe { slice::from_raw_parts_mut(self.lane(l), self.n) })
    }

    /// Sets all elements of the first `count` lanes.
    ///
    /// # Safety
    ///
    /// They are there, and ours to write.
    pub(super) unsafe fn fill(self, count: usize, value: T) {
        for l in 0..count {
            // SAFETY: as the caller promises.
            (0..self.n).for_each(|i| unsafe { self.lane(l).add(i).write(value) });
        }
    }
}

/// Memory where some lanes are brought together; none where they are used in their places.
pub(super) struct Lanes<T: InDouble> {
    memory: Option<Scratch<T::Wide>>,
    pitch: usize,
    n: usize,
}

impl<T: InDouble> Lanes<T> {
    /// Memory for lanes like these.
    pub(super) fn apart(ctx: &Ctx<'_>, end: &End<T>) -> Result<Lanes<T>> {
        // Not a power of two, which would put an element of each lane into the same few lines of the cache.
        let line = LINE / size_of::<T::Wide>();
        let pitch = if end.count > 1 { (end.n.div_ceil(line) | 1) * line } else { end.n };
        Ok(Lanes { memory: Some(Scratch::new(ctx, pitch * end.count)?), pitch, n: end.n })
    }

    /// Memory for lanes like these, if a transform can't run where they lie.
    pub(super) fn in_place(ctx: &Ctx<'_>, end: &End<T>) -> Result<Lanes<T>> {
        let in_place = end.contiguous() && T::is_wide();
        if in_place { Ok(Lanes { memory: None, pitch: 0, n: end.n }) } else { Lanes::apart(ctx, end) }
    }

    /// Where these lanes are to be put.
    pub(super) fn places(&mut self, end: End<T>) -> Places<T::Wide> {
        let (pitch, n) = (self.pitch, self.n);
        match &mut self.memory {
            Some(memory) => {
                let step = (pitch * size_of::<T::Wide>()) as isize;
                Places { ptr: memory.start().cast(), step, n }
            }
            None => Places { ptr: end.ptr.cast(), step: end.step, n },
        }
    }

    /// Brings them to where they belong, if they are not there.
    ///
    /// # Safety
    ///
    /// The lanes that `places` was called with, all set.
    pub(super) unsafe fn scatter(&mut self, end: End<T>) {
        if self.memory.is_some() {
            let places = self.places(end);
            // SAFETY: as the caller promises.
            unsafe { end.scatter(places) };
        }
    }
}

/// The lanes of an output and an input that are handled together, and how to come to the others.
pub(super) struct Ends<O, I> {
    pub(super) out: End<O>,
    pub(super) x: End<I>,
    /// How many lanes lie side by side.
    beside: usize,
    /// The other axes: size, and bytes between neighbours in the output and the input.
    outer: SmallVec<[(usize, [isize; 2]); 4]>,
}

/// Lanes that are handled at once.
pub(super) struct Block<O, I> {
    pub(super) out: End<O>,
    pub(super) x: End<I>,
}

impl<O: InDouble, I: InDouble> Ends<O, I> {
    /// The operands' shapes are the same but for the axis. Along it the output has `written` elements, and of the input the
    /// first `read` are used, if there are so many.
    pub(super) fn new(
        out: &Operand<'_>,
        x: &Operand<'_>,
        axis: usize,
        written: usize,
        read: usize,
    ) -> Result<Ends<O, I>> {
        if out.dtype() != O::DTYPE || x.dtype() != I::DTYPE || written != out.shape()[axis] {
            return Err(run::misuse("fft: operands"));
        }
        let strides = |i: usize| [out.strides()[i], x.strides()[i]];
        let others = (0..x.shape().len()).filter(|i| *i != axis && x.shape()[*i] != 1);
        let mut outer: SmallVec<[_; 4]> = others.map(|i| (x.shape()[i], strides(i))).collect();
        let [along_out, along_x] = strides(axis);
        let mut ends = Ends {
            out: End {
                ptr: out.ptr(),
                stride: along_out,
                step: 0,
                count: 1,
                there: written,
                n: written,
                of: PhantomData,
            },
            x: End {
                ptr: x.ptr(),
                stride: along_x,
                step: 0,
                count: 1,
                there: read.min(x.shape()[axis]),
                n: read,
                of: PhantomData,
            },
            beside: 1,
            outer: SmallVec::new(),
        };
        let apart = !ends.out.contiguous() || !ends.x.contiguous();
        let nearest = (0..outer.len()).min_by_key(|&i| outer[i].1[1].unsigned_abs());
        if let Some(nearest) = nearest.filter(|_| apart) {
            let (size, [step_out, step_x]) = outer.remove(nearest);
            let item = size_of::<O::Wide>().max(size_of::<I::Wide>());
            // So many that each line of the cache is used up at once.
            let least = LINE / size_of::<O>().min(size_of::<I>());
            let fitting = |bytes: usize| bytes / item / read.max(written).max(1);
            let count = fitting(BYTES).clamp(least.min(fitting(MOST_BYTES)).max(1), LANES).min(size);
            (ends.beside, ends.out.step, ends.x.step) = (size, step_out, step_x);
            (ends.out.count, ends.x.count) = (count, count);
        }
        ends.outer = outer;
        Ok(ends)
    }
}

/// Calls `each` for all lanes, so many at a time as the ends say or fewer, and asks between whether to stop.
pub(super) fn for_each_block<O: InDouble, I: InDouble>(
    ctx: &Ctx<'_>,
    ends: &Ends<O, I>,
    mut each: impl FnMut(Block<O, I>) -> Result<()>,
) -> Result<()> {
    if ends.beside == 0 || ends.outer.iter().any(|(size, _)| *size == 0) {
        return Ok(());
    }
    let (mut out, mut x) = (ends.out, ends.x);
    let mut counters: SmallVec<[usize; 8]> = SmallVec::from_elem(0, ends.outer.len());
    let mut since = 0;
    loop {
        // Where nothing lies side by side there is one lane, of one at a time.
        for first in (0..ends.beside).step_by(ends.x.count.max(1)) {
            let count = ends.x.count.min(ends.beside - first);
            let at = |ptr: *mut u8, step: isize| ptr.wrapping_offset(first as isize * step);
            each(Block {
                out: End { ptr: at(out.ptr, out.step), count, ..out },
                x: End { ptr: at(x.ptr, x.step), count, ..x },
            })?;
            // A transform takes some ten times what a cheap loop does.
            since += count * x.n.max(out.n);
            if since >= TICK / 16 {
                since = 0;
                ctx.check_cancelled()?;
            }
        }
        let mut axis = ends.outer.len();
        loop {
            if axis == 0 {
                return Ok(());
            }
            axis -= 1;
            let (size, strides) = ends.outer[axis];
            counters[axis] += 1;
            let steps = if counters[axis] < size { 1 } else { 1 - size as isize };
            out.ptr = out.ptr.wrapping_offset(strides[0] * steps);
            x.ptr = x.ptr.wrapping_offset(strides[1] * steps);
            if steps == 1 {
                break;
            }
            counters[axis] = 0;
        }
    }
}
