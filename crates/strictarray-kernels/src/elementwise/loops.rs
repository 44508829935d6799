//! The inner loops: generic over the operation, compiled for each instruction set.
//!
//! They see contiguous elements only, so that one loop of each is enough and the compiler vectorises it:
//! [`run`](crate::run) brings operands of other strides there.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::slice;

use strictarray_core::Element;

use super::extremes::Clippable;
use super::{Binary, InLanes, PairsInLanes, Unary};
use crate::ctx::TICK;
use crate::lanes::{Lanes, per_lanes};
use crate::run::{BinaryLoops, OntoLoop, RepeatedLoop};
use crate::simd::{self, AHEAD, Ask, Level, per_level};

/// The loops of a function of two elements, compiled for this level.
#[inline]
pub(super) fn both<T: Element, O: Binary<T>>(level: Level) -> BinaryLoops {
    let plain = !O::QUICK && !O::BLOCKS;
    let in_place = plain && size_of::<T>() == size_of::<O::Out>() && O::Out::DTYPE == T::DTYPE;
    BinaryLoops {
        apart: binary::<T, O>(level),
        onto: in_place.then(|| onto::<T, O>(level) as OntoLoop),
        repeated: (!O::BLOCKS).then(|| [first_repeated::<T, O>(level) as RepeatedLoop, second_repeated::<T, O>(level)]),
    }
}

per_level! {
    /// The loop of a function of one element.
    fn unary<T: Element, O: Unary<T>>(out: *mut u8, x: *const u8, n: usize) = unary_loop;
    /// The loop of a function of two elements.
    fn binary<T: Element, O: Binary<T>>(out: *mut u8, a: *const u8, b: *const u8, n: usize) = binary_loop;
    /// The same, where one element is the first of all pairs.
    fn first_repeated<T: Element, O: Binary<T>>(out: *mut u8, a: *const u8, b: *const u8, n: usize) = first_repeated_loop;
    /// The same, where one element is the second of all pairs.
    fn second_repeated<T: Element, O: Binary<T>>(out: *mut u8, a: *const u8, b: *const u8, n: usize) = second_repeated_loop;
    /// The loop of a function of two elements whose result takes the place of the first.
    fn onto<T: Element, O: Binary<T>>(a: *mut u8, b: *const u8, n: usize) = onto_loop;
    /// The loop of `clip`.
    fn clip<T: Clippable>(out: *mut u8, x: *const u8, min: *const u8, max: *const u8, n: usize) = clip_loop;
}

per_lanes! {
    /// The loop of a function of one element in lanes.
    fn unary_lanes<T, O: InLanes<T>>(out: *mut u8, x: *const u8, n: usize) = unary_lanes_loop;
    /// The loop of a function of two elements in lanes.
    fn binary_lanes<T, O: PairsInLanes<T>>(out: *mut u8, a: *const u8, b: *const u8, n: usize) = binary_lanes_loop;
}

/// What gives the values of a block register by register. No closure: only what is always inlined is compiled for the level.
trait Registers<V: Lanes> {
    /// The values of the register that begins with this element, and whether they hold.
    ///
    /// # Safety
    ///
    /// It is in the block, and the machine has the instructions of `V`.
    unsafe fn at(&self, i: usize) -> (V, V::Mask);
}

struct One<T, O>(*const T, PhantomData<O>);

impl<V: Lanes, O: InLanes<V::Item>> Registers<V> for One<V::Item, O> {
    #[inline(always)]
    unsafe fn at(&self, i: usize) -> (V, V::Mask) {
        // SAFETY: as the caller promises; `lanes_of` gave whole registers.
        O::lanes(unsafe { V::load(self.0.add(i)) })
    }
}

struct Two<T, O>(*const T, *const T, PhantomData<O>);

impl<V: Lanes, O: PairsInLanes<V::Item>> Registers<V> for Two<V::Item, O> {
    #[inline(always)]
    unsafe fn at(&self, i: usize) -> (V, V::Mask) {
        // SAFETY: as the caller promises; `lanes_of` gave whole registers.
        unsafe { O::lanes(V::load(self.0.add(i)), V::load(self.1.add(i))) }
    }
}

/// What gives the pairs of a block. No closure, as above.
trait Pairs<T> {
    /// The pair of this place.
    ///
    /// # Safety
    ///
    /// It is in the block.
    unsafe fn at(&self, i: usize) -> (T, T);
}

struct Each<T>(*const T, *const T);
/// Each with one element that is the same in all pairs.
struct Repeated<T, R>(*const T, R);

impl<T: Copy> Pairs<T> for Each<T> {
    #[inline(always)]
    unsafe fn at(&self, i: usize) -> (T, T) {
        // SAFETY: as the caller promises.
        unsafe { (*self.0.add(i), *self.1.add(i)) }
    }
}

impl<T: Copy, R: OneOf<T>> Pairs<T> for Repeated<T, R> {
    #[inline(always)]
    unsafe fn at(&self, i: usize) -> (T, T) {
        // SAFETY: as the caller promises.
        self.1.with(unsafe { *self.0.add(i) })
    }
}

/// The element that is the same in all pairs.
trait OneOf<T>: Copy {
    /// A pair of it and another one.
    fn with(self, other: T) -> (T, T);
}

#[derive(Clone, Copy)]
struct First<T>(T);
#[derive(Clone, Copy)]
struct Second<T>(T);

impl<T: Copy> OneOf<T> for First<T> {
    #[inline(always)]
    fn with(self, other: T) -> (T, T) {
        (self.0, other)
    }
}

impl<T: Copy> OneOf<T> for Second<T> {
    #[inline(always)]
    fn with(self, other: T) -> (T, T) {
        (other, self.0)
    }
}

/// Computes a block the quick way, then those of its elements for which that does not hold.
///
/// # Safety
///
/// There are as many pairs as places.
#[inline(always)]
unsafe fn quick_block<T: Element, O: Binary<T>>(out: &mut [MaybeUninit<O::Out>], pairs: &impl Pairs<T>) {
    // SAFETY: as the caller promises.
    unsafe {
        let mut all = true;
        for (i, out) in out.iter_mut().enumerate() {
            let (a, b) = pairs.at(i);
            out.write(O::quick(a, b));
        }
        for i in 0..out.len() {
            let (a, b) = pairs.at(i);
            all &= O::holds(a, b);
        }
        if !all {
            for (i, out) in out.iter_mut().enumerate() {
                let (a, b) = pairs.at(i);
                if !O::holds(a, b) {
                    out.write(O::call(a, b));
                }
            }
        }
    }
}

/// Whether so many elements behind a block are worth asking for.
#[inline(always)]
fn is_far_from_end<T>(behind: usize) -> bool {
    behind >= AHEAD / size_of::<T>()
}

/// Asks for what lies ahead of this block. Where a function takes about as long as memory, too few elements are held to go on
/// while the processor waits at a page.
#[inline(always)]
fn ask_ahead<T>(block: &[T]) {
    ask(block, AHEAD);
}

/// Asks for what lies so many bytes ahead of a block.
#[inline(always)]
fn ask<T>(block: &[T], ahead: usize) {
    simd::ask_ahead(Ask::Read, block.as_ptr().cast(), ahead, QUICK_BLOCK * size_of::<T>());
}

/// # Safety
///
/// `n` aligned elements; the output is apart from the input, and the machine has the instructions of `V`.
#[inline(always)]
unsafe fn unary_lanes_loop<V: Lanes, O: InLanes<V::Item>>(out: *mut u8, x: *const u8, n: usize) {
    // SAFETY: as the caller promises.
    let (out, x) = unsafe {
        (
            slice::from_raw_parts_mut(out.cast::<MaybeUninit<V::Item>>(), n),
            slice::from_raw_parts(x.cast::<V::Item>(), n),
        )
    };
    let mut room = [V::Item::from(0.0); QUICK_BLOCK];
    let mut start = 0;
    while start < n {
        let end = n.min(start + QUICK_BLOCK);
        let (out, x) = (&mut out[start..end], &x[start..end]);
        start = end;
        if is_far_from_end::<V::Item>(n - end) {
            ask_ahead(x);
            ask_ahead(out);
        }
        let values = One::<V::Item, O>(lanes_of::<V>(x, &mut room), PhantomData);
        // SAFETY: the machine has the instructions, as the caller promises.
        if unsafe { all_sure::<V, _>(out, &values) } {
            continue;
        }
        for i in 0..x.len() {
            if !<V::Item as Lanes>::all(O::lanes(x[i]).1) {
                out[i].write(O::elsewhere(x[i]));
            }
        }
    }
}

/// # Safety
///
/// `n` aligned elements; the output is apart from the inputs, and the machine has the instructions of `V`.
#[inline(always)]
unsafe fn binary_lanes_loop<V: Lanes, O: PairsInLanes<V::Item>>(out: *mut u8, a: *const u8, b: *const u8, n: usize) {
    // SAFETY: as the caller promises.
    let (out, a, b) = unsafe {
        (
            slice::from_raw_parts_mut(out.cast::<MaybeUninit<V::Item>>(), n),
            slice::from_raw_parts(a.cast::<V::Item>(), n),
            slice::from_raw_parts(b.cast::<V::Item>(), n),
        )
    };
    let (mut for_a, mut for_b) = ([V::Item::from(0.0); QUICK_BLOCK], [V::Item::from(0.0); QUICK_BLOCK]);
    let mut start = 0;
    while start < n {
        let end = n.min(start + QUICK_BLOCK);
        let (out, a, b) = (&mut out[start..end], &a[start..end], &b[start..end]);
        start = end;
        if O::BLOCKS && O::block(out, a, b) {
            continue;
        }
        if is_far_from_end::<V::Item>(n - end) {
            ask_ahead(a);
            ask_ahead(b);
            ask_ahead(out);
        }
        let values = Two::<V::Item, O>(lanes_of::<V>(a, &mut for_a), lanes_of::<V>(b, &mut for_b), PhantomData);
        // SAFETY: the machine has the instructions, as the caller promises.
        if unsafe { all_sure::<V, _>(out, &values) } {
            continue;
        }
        for i in 0..a.len() {
            if !<V::Item as Lanes>::all(O::lanes(a[i], b[i]).1) {
                out[i].write(O::elsewhere(a[i], b[i]));
            }
        }
    }
}

/// Where whole registers with these elements lie: they themselves, or copies in `room` and the last one repeated.
#[inline(always)]
fn lanes_of<V: Lanes>(x: &[V::Item], room: &mut [V::Item; QUICK_BLOCK]) -> *const V::Item {
    if x.len().is_multiple_of(V::COUNT) {
        return x.as_ptr();
    }
    room[..x.len()].copy_from_slice(x);
    let whole = x.len().next_multiple_of(V::COUNT);
    room[x.len()..whole].fill(x[x.len() - 1]);
    room.as_ptr()
}

/// Writes the values of a block and says whether all of them hold.
///
/// # Safety
///
/// The values are of this block, and the machine has the instructions of `V`.
#[inline(always)]
unsafe fn all_sure<V: Lanes, R: Registers<V>>(out: &mut [MaybeUninit<V::Item>], values: &R) -> bool {
    let mut sure = V::everywhere();
    let mut i = 0;
    // One register after the other: unrolled, their masks would wait in memory for the end of the block.
    while i + V::COUNT <= out.len() {
        // SAFETY: a whole register in the block; the rest as the caller promises.
        unsafe {
            let (value, holds) = values.at(i);
            sure = sure & holds;
            value.store(out.as_mut_ptr().add(i).cast());
        }
        i += V::COUNT;
    }
    if i < out.len() {
        let mut register = [V::Item::from(0.0); QUICK_BLOCK];
        // SAFETY: the last register begins in the block, and a block has room for one; the rest as the caller promises.
        unsafe {
            let (value, holds) = values.at(i);
            sure = sure & holds;
            value.store(register.as_mut_ptr());
        }
        for (out, value) in out[i..].iter_mut().zip(register) {
            out.write(value);
        }
    }
    V::all(sure)
}

/// # Safety
///
/// `n` aligned elements of `T` and `O::Out`; the output is apart from the input.
#[inline(always)]
unsafe fn unary_loop<T: Element, O: Unary<T>>(out: *mut u8, x: *const u8, n: usize) {
    // SAFETY: as the caller promises.
    let (out, x) = unsafe {
        (slice::from_raw_parts_mut(out.cast::<MaybeUninit<O::Out>>(), n), slice::from_raw_parts(x.cast::<T>(), n))
    };
    if !O::QUICK && !O::BLOCKS {
        for i in 0..n {
            out[i].write(O::call(x[i]));
        }
        return;
    }
    let mut start = 0;
    while start < n {
        let end = n.min(start + QUICK_BLOCK);
        let (out, x) = (&mut out[start..end], &x[start..end]);
        start = end;
        if is_far_from_end::<T>(n - end) {
            ask_ahead(x);
            ask_ahead(out);
        }
        if O::BLOCKS && O::block(out, x) {
            continue;
        }
        let mut all = true;
        for i in 0..x.len() {
            out[i].write(O::quick(x[i]));
        }
        for x in x {
            all &= O::holds(*x);
        }
        if !all {
            for i in 0..x.len() {
                if !O::holds(x[i]) {
                    out[i].write(O::call(x[i]));
                }
            }
        }
    }
}

/// # Safety
///
/// `n` aligned elements of `T`; the output is apart from the inputs.
#[inline(always)]
unsafe fn clip_loop<T: Clippable>(out: *mut u8, x: *const u8, min: *const u8, max: *const u8, n: usize) {
    // SAFETY: as the caller promises.
    let (out, x, min, max) = unsafe {
        (
            slice::from_raw_parts_mut(out.cast::<MaybeUninit<T>>(), n),
            slice::from_raw_parts(x.cast::<T>(), n),
            slice::from_raw_parts(min.cast::<T>(), n),
            slice::from_raw_parts(max.cast::<T>(), n),
        )
    };
    for i in 0..n {
        out[i].write(x[i].clip(min[i], max[i]));
    }
}

/// # Safety
///
/// `n` aligned elements of `T` and `O::Out`; the output is apart from the inputs.
#[inline(always)]
unsafe fn binary_loop<T: Element, O: Binary<T>>(out: *mut u8, a: *const u8, b: *const u8, n: usize) {
    // SAFETY: as the caller promises.
    let (out, a, b) = unsafe {
        (
            slice::from_raw_parts_mut(out.cast::<MaybeUninit<O::Out>>(), n),
            slice::from_raw_parts(a.cast::<T>(), n),
            slice::from_raw_parts(b.cast::<T>(), n),
        )
    };
    if !O::QUICK && !O::BLOCKS {
        let mut start = 0;
        if size_of::<O::Out>() < size_of::<T>() && size_of_val(a) >= FROM_MEMORY {
            let blocks =
                out.chunks_exact_mut(QUICK_BLOCK).zip(a.chunks_exact(QUICK_BLOCK).zip(b.chunks_exact(QUICK_BLOCK)));
            start = blocks.len() * QUICK_BLOCK;
            for (out, (a, b)) in blocks {
                ask(a, PAGE);
                ask(b, PAGE);
                for i in 0..out.len() {
                    out[i].write(O::call(a[i], b[i]));
                }
            }
        }
        for i in start..n {
            out[i].write(O::call(a[i], b[i]));
        }
        return;
    }
    let mut start = 0;
    while start < n {
        let end = n.min(start + QUICK_BLOCK);
        let (out, a, b) = (&mut out[start..end], &a[start..end], &b[start..end]);
        start = end;
        // What takes a short way takes less time than asking does.
        if O::BLOCKS && O::block(out, a, b) {
            continue;
        }
        if is_far_from_end::<T>(n - end) {
            ask_ahead(a);
            ask_ahead(b);
            ask_ahead(out);
        }
        if !O::QUICK {
            for i in 0..a.len() {
                out[i].write(O::call(a[i], b[i]));
            }
            continue;
        }
        // SAFETY: the blocks are of one length.
        unsafe { quick_block::<T, O>(out, &Each(a.as_ptr(), b.as_ptr())) };
    }
}

/// # Safety
///
/// As [`binary_loop`], with one element at `a`.
#[inline(always)]
unsafe fn first_repeated_loop<T: Element, O: Binary<T>>(out: *mut u8, a: *const u8, b: *const u8, n: usize) {
    // SAFETY: as the caller promises.
    unsafe { repeated_loop::<T, O>(out, b, First(*a.cast::<T>()), n) };
}

/// # Safety
///
/// As [`binary_loop`], with one element at `b`.
#[inline(always)]
unsafe fn second_repeated_loop<T: Element, O: Binary<T>>(out: *mut u8, a: *const u8, b: *const u8, n: usize) {
    // SAFETY: as the caller promises.
    unsafe { repeated_loop::<T, O>(out, a, Second(*b.cast::<T>()), n) };
}

/// # Safety
///
/// `n` aligned elements of `T` and `O::Out`; the output is apart from the input.
#[inline(always)]
unsafe fn repeated_loop<T: Element, O: Binary<T>>(out: *mut u8, x: *const u8, one: impl OneOf<T>, n: usize) {
    // SAFETY: as the caller promises.
    let (out, x) = unsafe {
        (slice::from_raw_parts_mut(out.cast::<MaybeUninit<O::Out>>(), n), slice::from_raw_parts(x.cast::<T>(), n))
    };
    if !O::QUICK {
        for i in 0..n {
            let (a, b) = one.with(x[i]);
            out[i].write(O::call(a, b));
        }
        return;
    }
    let mut start = 0;
    while start < n {
        let end = n.min(start + QUICK_BLOCK);
        let (out, x) = (&mut out[start..end], &x[start..end]);
        start = end;
        if is_far_from_end::<T>(n - end) {
            ask_ahead(x);
            ask_ahead(out);
        }
        // SAFETY: the blocks are of one length.
        unsafe { quick_block::<T, O>(out, &Repeated(x.as_ptr(), one)) };
    }
}

/// # Safety
///
/// `n` aligned elements of `T`, which is `O::Out`; `b` lies apart from `a`.
#[inline(always)]
unsafe fn onto_loop<T: Element, O: Binary<T>>(a: *mut u8, b: *const u8, n: usize) {
    // SAFETY: as the caller promises.
    let (a, b) = unsafe { (slice::from_raw_parts_mut(a.cast::<T>(), n), slice::from_raw_parts(b.cast::<T>(), n)) };
    for i in 0..n {
        let value = O::call(a[i], b[i]);
        // SAFETY: both types are the same.
        a[i] = unsafe { std::mem::transmute_copy(&value) };
    }
}

/// Elements that are computed the quick way before those are repaired for which it does not hold.
pub(super) const QUICK_BLOCK: usize = 64;

/// Runs of so many bytes of each operand, whole ones of elements of 8 bytes, come from memory or from caches far away. Where
/// little is written, the processor could read them faster than it asks by itself. (Smaller elements gained nothing.)
const FROM_MEMORY: usize = TICK * 8;
const PAGE: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementwise::arithmetic::{Multiply, Subtract};
    use crate::elementwise::compare::{Equal, Less};
    use crate::elementwise::division::{Divide, FloorDivide, Remainder};
    use strictarray_core::Complex;

    /// What the loops with one element give is what those with many equal ones do, and what the function of one pair does.
    fn check<T: Element + PartialEq, O: Binary<T>>(of: impl Fn(usize) -> T)
    where
        O::Out: PartialEq + std::fmt::Debug,
    {
        let long = FROM_MEMORY / size_of::<T>() + QUICK_BLOCK + 13;
        // Each of the values repeated, and those of some lengths.
        for (n, one) in (0..31).map(|one| (QUICK_BLOCK + 45, one)).chain([1, 7, 64, 301, long].map(|n| (n, 3))) {
            let (a, b): (Vec<T>, Vec<T>) =
                ((0..n).map(|i| of(i * 7 % 31)).collect(), (0..n).map(|i| of(i * 5 % 17)).collect());
            let same = vec![of(one); n];
            let wanted = [(&a, &b), (&a, &same), (&same, &a)]
                .map(|(a, b)| a.iter().zip(b).map(|(a, b)| O::call(*a, *b)).collect::<Vec<_>>());
            // As text zeros have signs, and NaNs are alike.
            let text = |values: &Vec<O::Out>| format!("{:?}", &values[..values.len().min(400)]);
            for level in Level::ALL.map(|level| crate::Ctx::new().simd_at_most(level).simd()) {
                let loops = both::<T, O>(level);
                let [first, second] = loops.repeated.unwrap();
                let check = |run: RepeatedLoop, a: &[T], b: &[T], wanted: &Vec<O::Out>| {
                    let mut out: Vec<O::Out> = Vec::with_capacity(n);
                    // SAFETY: there are n elements, or one where the loop reads one; it sets all of the output.
                    unsafe {
                        run(out.as_mut_ptr().cast(), a.as_ptr().cast(), b.as_ptr().cast(), n);
                        out.set_len(n);
                    }
                    assert_eq!(text(&out), text(wanted), "{n} {one} {level:?}");
                    // A NaN is not equal to itself.
                    let alike = |(a, b): (&O::Out, &O::Out)| a == b || a.ne(a) && b.ne(b);
                    assert!(out.iter().zip(wanted).all(alike), "{n} {one} {level:?}");
                };
                check(loops.apart, &a, &b, &wanted[0]);
                check(second, &a, &same[..1], &wanted[1]);
                check(first, &same[..1], &a, &wanted[2]);
            }
        }
    }

    #[test]
    fn one_element_is_as_many_equal_ones() {
        /// What stands at some places among ordinary values.
        fn with<T: Copy>(ordinary: impl Fn(usize) -> T, special: &[T]) -> impl Fn(usize) -> T {
            move |i| if i % 3 == 1 && i / 3 < special.len() { special[i / 3] } else { ordinary(i) }
        }
        let floats = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e-300];
        let nan = with(|i| i as f64 - 9.5, &[f64::NAN, 0.0, -0.0]);
        let integers = [0, -1, i64::MIN, i64::MAX, 1 << 51, -(1 << 53)];
        check::<f64, Less>(&nan);
        check::<f64, Equal>(nan);
        check::<i64, Less>(with(|i| i as i64 - 9, &integers));
        check::<f32, Equal>(|i| i as f32);
        check::<Complex<f64>, Equal>(|i| Complex::new(i as f64, (i % 2) as f64));
        check::<f64, Subtract>(with(|i| i as f64 / 3.0, &floats[..2]));
        check::<u8, Multiply>(|i| i as u8);
        // The quick way holds for some of them.
        check::<f64, Remainder>(with(|i| (i as f64 - 9.5) * 10f64.powi(i as i32 % 20), &floats));
        check::<i64, FloorDivide>(with(|i| (i as i64 - 9) << (i % 5 * 14), &integers));
        check::<i64, Remainder>(with(|i| (i as i64 - 9) << (i % 5 * 14), &integers));
        let z = |i| Complex::new((i as f64 - 5.5) * 10f64.powi(i as i32 % 7 * 20), 1.5 - i as f64);
        check::<Complex<f64>, Divide>(with(z, &floats.map(|x| Complex::new(x, 1.0 / x))));
    }
}
