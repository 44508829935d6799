//! The inner loops.

use strictarray_core::Element;

use super::{Binary, Unary};
use crate::simd::per_level;

per_level! {
    /// The loop of a function of one element.
    fn unary<T: Element, O: Unary<T>>(out: *mut u8, x: *const u8, strides: [isize; 2], n: usize) = unary_loop;
    /// The loop of a function of two elements.
    fn binary<T: Element, O: Binary<T>>(out: *mut u8, a: *const u8, b: *const u8, strides: [isize; 3], n: usize) = binary_loop;
}

/// # Safety
///
/// `n` elements of `T` and `O::Out` at these strides, aligned; the output is the input's memory or apart from it.
#[inline(always)]
unsafe fn unary_loop<T: Element, O: Unary<T>>(out: *mut u8, x: *const u8, strides: [isize; 2], n: usize) {
    for i in 0..n as isize {
        // SAFETY: as the caller promises.
        unsafe {
            out.offset(i * strides[0]).cast::<O::Out>().write(O::call(x.offset(i * strides[1]).cast::<T>().read()))
        };
    }
}

/// # Safety
///
/// As [`unary_loop`].
#[inline(always)]
unsafe fn binary_loop<T: Element, O: Binary<T>>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    strides: [isize; 3],
    n: usize,
) {
    for i in 0..n as isize {
        // SAFETY: as the caller promises.
        unsafe {
            let a = a.offset(i * strides[1]).cast::<T>().read();
            let b = b.offset(i * strides[2]).cast::<T>().read();
            out.offset(i * strides[0]).cast::<O::Out>().write(O::call(a, b));
        }
    }
}
