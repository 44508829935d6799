//! Utility functions.

use pyo3::prelude::*;
use strictarray_core::{Array, DType, Dims, Error, Layout, Scalar, copy, show_shape};
use strictarray_kernels::{elementwise, reduce as kernel};
use strictarray_standard::rule;

use super::elementwise::no_kernel;
use super::reduced::{Axes, reduce};
use super::run_kernel;
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    Some(match name {
        "all" => |call| test(call, true),
        "any" => |call| test(call, false),
        "diff" => diff,
        _ => return None,
    })
}

fn test<'py>(call: &Call<'_, 'py>, all: bool) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axes = Axes::several(call, x.ndim(), 1, 2)?;
    reduce(call, x, &axes, DType::Bool, if all { kernel::all } else { kernel::any })
}

/// Whether an element of an array of one axis is true.
pub(crate) fn any_of(py: Python<'_>, x: &Array) -> Outcome<bool> {
    let found = Array::uninit(&[1], DType::Bool, x.device())?;
    run_kernel(py, x.size(), |ctx| kernel::any(ctx, &found.operand(), &x.operand()))?;
    Ok(found.item()? == Scalar::Bool(true))
}

/// Whether all elements of an array are true, or not zero.
pub(crate) fn all_of(py: Python<'_>, x: &Array) -> Outcome<bool> {
    let shape: Dims = x.shape().iter().map(|_| 1).collect();
    let found = Array::uninit(&shape, DType::Bool, x.device())?;
    run_kernel(py, x.size(), |ctx| kernel::all(ctx, &found.operand(), &x.operand()))?;
    Ok(found.item()? == Scalar::Bool(true))
}

fn diff<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    if x.ndim() == 0 {
        return Err(Error::new(&rule::NDIM_ONE, "got a 0-d array").argument(call.name(0)).into());
    }
    let axis = call.axis(1, x.ndim(), -1)?;
    let times = call.count(2)?.unwrap_or(1);
    let beside = |place: usize| -> Outcome<Option<&Array>> {
        let y = call.array_or_none(place, x)?;
        y.map(|y| check_beside(call, x, y, axis, place)).transpose()?;
        Ok(y)
    };
    let (before, after) = (beside(3)?, beside(4)?);
    let whole = if before.is_none() && after.is_none() && times > 0 {
        x.clone()
    } else {
        let parts = [before, Some(x), after];
        let mut shape = Dims::from_slice(x.shape());
        let mut sizes = parts.iter().flatten().map(|part| part.shape()[axis]);
        let size = sizes.try_fold(0usize, usize::checked_add);
        shape[axis] = size.ok_or_else(|| Error::new(&rule::SHAPE_TOO_LARGE, "the arrays beside x"))?;
        let whole = Array::uninit(&shape, x.dtype(), x.device())?;
        let mut start = 0;
        for part in parts.into_iter().flatten() {
            let to = slice(&whole, axis, start, part.shape()[axis])?;
            run_kernel(call.py, part.size(), |_| copy::copy_elements(&to.operand(), &part.operand()))?;
            start += part.shape()[axis];
        }
        whole
    };
    let subtract = elementwise::binary("subtract").ok_or_else(no_kernel)?;
    let mut result = whole;
    // Beyond the size there is nothing left, however often.
    let times = times.min(result.shape()[axis] as i128);
    for _ in 0..times {
        let n = result.shape()[axis].saturating_sub(1);
        let (left, right) = (slice(&result, axis, 0, n)?, slice(&result, axis, result.shape()[axis] - n, n)?);
        let next = Array::uninit(left.shape(), x.dtype(), x.device())?;
        run_kernel(call.py, next.size(), |ctx| subtract(ctx, &next.operand(), &right.operand(), &left.operand()))?;
        result = next;
    }
    if times == 0 && result.buffer().data() == x.buffer().data() {
        // Never x itself.
        result = result.to_owned_copy()?;
    }
    wrap(call.py, result.in_namespace(call.namespace))
}

/// Refuses what can't stand beside `x` along an axis.
fn check_beside(call: &Call<'_, '_>, x: &Array, y: &Array, axis: usize, place: usize) -> Outcome<()> {
    let name = call.name(place);
    if x.dtype() != y.dtype() {
        let got = format!("got an array of dtype {} for an x of dtype {}", y.dtype(), x.dtype());
        let error = Error::new(&rule::PROMOTION, got).argument(name);
        return Err(error.requires("the data type of x is required (a mixture is unspecified)").into());
    }
    let same = |i: usize| i == axis || x.shape()[i] == y.shape()[i];
    if x.ndim() == y.ndim() && (0..x.ndim()).all(same) {
        return Ok(());
    }
    let got = format!("got shape {} for an x of shape {}", show_shape(y.shape()), show_shape(x.shape()));
    let error = Error::new(&rule::VALUE, got).argument(name);
    Err(error.requires(format!("the shape of x is required, except for axis {axis}")).into())
}

/// Some elements along an axis, as a view.
fn slice(x: &Array, axis: usize, start: usize, size: usize) -> Outcome<Array> {
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] = size;
    let skip = if shape.contains(&0) { 0 } else { start as isize * x.layout().strides()[axis] };
    let offset = x.layout().offset().wrapping_add_signed(skip);
    Ok(x.with_layout(Layout::new(shape, x.layout().strides().into(), offset))?)
}
