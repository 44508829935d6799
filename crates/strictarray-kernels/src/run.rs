//! How kernels walk over operands: checks once per call, runs cut so that a call can be cancelled.

use strictarray_core::iter::{Order, for_each_run};
use strictarray_core::{DType, Error, Operand, Result};
use strictarray_standard::rule;

use crate::Ctx;
use crate::ctx::TICK;

/// An inner loop over one operand beside the output: pointers, strides in bytes, number of elements.
pub(crate) type UnaryLoop = unsafe fn(out: *mut u8, x: *const u8, strides: [isize; 2], n: usize);
/// An inner loop over two operands beside the output.
pub(crate) type BinaryLoop = unsafe fn(out: *mut u8, a: *const u8, b: *const u8, strides: [isize; 3], n: usize);

/// What the caller should have prevented.
#[cold]
pub(crate) fn misuse(what: &'static str) -> Error {
    Error::new(&rule::INTERNAL, what)
}

/// Refuses operands of different shapes: the walk reads them all by the first one's.
#[inline]
pub(crate) fn same_shape<const N: usize>(operands: [&Operand<'_>; N]) -> Result<()> {
    let shape = operands[0].shape();
    if operands[1..].iter().all(|o| o.shape() == shape) { Ok(()) } else { Err(misuse("operands of different shapes")) }
}

/// Calls `run` for each run of the operands, none longer than [`TICK`] elements, and asks between whether to stop.
#[inline]
pub(crate) fn for_each_tick<const N: usize>(
    ctx: &Ctx<'_>,
    operands: [&Operand<'_>; N],
    order: Order,
    mut run: impl FnMut([*mut u8; N], [isize; N], usize) -> Result<()>,
) -> Result<()> {
    let mut since = 0;
    for_each_run(operands, order, |mut ptrs, strides, mut n| {
        while n > 0 {
            let now = n.min(TICK);
            run(ptrs, strides, now)?;
            since += now;
            if since >= TICK {
                ctx.check_cancelled()?;
                since = 0;
            }
            n -= now;
            if n > 0 {
                ptrs = std::array::from_fn(|k| ptrs[k].wrapping_offset(strides[k] * now as isize));
            }
        }
        Ok(())
    })
}

/// Runs an inner loop that reads one operand of `dtypes.1` and writes one of `dtypes.0`.
///
/// # Safety
///
/// The loop must be sound for elements of these types at any strides, where the output may be the input's memory.
#[inline]
pub(crate) unsafe fn unary(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    dtypes: (DType, DType),
    inner: UnaryLoop,
) -> Result<()> {
    same_shape([out, x])?;
    if (out.dtype(), x.dtype()) != dtypes {
        return Err(misuse("data types that the kernel does not take"));
    }
    for_each_tick(ctx, [out, x], Order::Any, |[out, x], strides, n| {
        // SAFETY: the types are the loop's, and the walk gives n elements inside each operand.
        unsafe { inner(out, x, strides, n) };
        Ok(())
    })
}

/// Runs an inner loop that reads two operands of `dtypes.1` and writes one of `dtypes.0`.
///
/// # Safety
///
/// As [`unary`].
#[inline]
pub(crate) unsafe fn binary(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x1: &Operand<'_>,
    x2: &Operand<'_>,
    dtypes: (DType, DType),
    inner: BinaryLoop,
) -> Result<()> {
    same_shape([out, x1, x2])?;
    if (out.dtype(), x1.dtype(), x2.dtype()) != (dtypes.0, dtypes.1, dtypes.1) {
        return Err(misuse("data types that the kernel does not take"));
    }
    for_each_tick(ctx, [out, x1, x2], Order::Any, |[out, a, b], strides, n| {
        // SAFETY: the types are the loop's, and the walk gives n elements inside each operand.
        unsafe { inner(out, a, b, strides, n) };
        Ok(())
    })
}
