//! The inner loops: generic over the operation, compiled for each instruction set.
//!
//! They see contiguous elements only, so that one loop of each is enough and the compiler vectorises it:
//! [`run`](crate::run) brings operands of other strides there.

use std::mem::MaybeUninit;
use std::slice;

use strictarray_core::Element;

use super::extremes::Clippable;
use super::{Binary, Unary};
use crate::run::{BinaryLoops, OntoLoop};
use crate::simd::{Level, per_level};

/// The loops of a function of two elements, compiled for this level.
#[inline]
pub(super) fn both<T: Element, O: Binary<T>>(level: Level) -> BinaryLoops {
    let in_place = size_of::<T>() == size_of::<O::Out>() && O::Out::DTYPE == T::DTYPE && !O::QUICK && !O::BLOCKS;
    BinaryLoops { apart: binary::<T, O>(level), onto: in_place.then(|| onto::<T, O>(level) as OntoLoop) }
}

per_level! {
    /// The loop of a function of one element.
    fn unary<T: Element, O: Unary<T>>(out: *mut u8, x: *const u8, n: usize) = unary_loop;
    /// The loop of a function of two elements.
    fn binary<T: Element, O: Binary<T>>(out: *mut u8, a: *const u8, b: *const u8, n: usize) = binary_loop;
    /// The loop of a function of two elements whose result takes the place of the first.
    fn onto<T: Element, O: Binary<T>>(a: *mut u8, b: *const u8, n: usize) = onto_loop;
    /// The loop of `clip`.
    fn clip<T: Clippable>(out: *mut u8, x: *const u8, min: *const u8, max: *const u8, n: usize) = clip_loop;
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
        for i in 0..n {
            out[i].write(O::call(a[i], b[i]));
        }
        return;
    }
    let mut start = 0;
    while start < n {
        let end = n.min(start + QUICK_BLOCK);
        let (out, a, b) = (&mut out[start..end], &a[start..end], &b[start..end]);
        start = end;
        if O::BLOCKS && O::block(out, a, b) {
            continue;
        }
        if !O::QUICK {
            for i in 0..a.len() {
                out[i].write(O::call(a[i], b[i]));
            }
            continue;
        }
        let mut all = true;
        for i in 0..a.len() {
            out[i].write(O::quick(a[i], b[i]));
        }
        for i in 0..a.len() {
            all &= O::holds(a[i], b[i]);
        }
        if !all {
            for i in 0..a.len() {
                if !O::holds(a[i], b[i]) {
                    out[i].write(O::call(a[i], b[i]));
                }
            }
        }
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
