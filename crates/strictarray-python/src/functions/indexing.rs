//! Indexing functions.

use pyo3::prelude::*;
use strictarray_core::{Array, Dims, Error, broadcast_shapes, show_shape};
use strictarray_kernels::arrange;
use strictarray_standard::rule;

use super::run_kernel;
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;
use crate::parse;

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    match name {
        "take" => Some(take),
        "take_along_axis" => Some(take_along_axis),
        _ => None,
    }
}

/// `x` and `indices`, of an integer data type and on the device of `x`.
fn operands<'a>(call: &Call<'a, '_>) -> Outcome<(&'a Array, &'a Array)> {
    let x = call.array(0)?;
    let indices = call.array_beside(1, x)?;
    if x.ndim() == 0 {
        return Err(Error::new(&rule::NDIM_ONE, "got a 0-d array").argument(call.name(0)).into());
    }
    Ok((x, indices))
}

fn take<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let (x, indices) = operands(call)?;
    let axis = match call.axis_or_none(2, x.ndim())? {
        Some(axis) => axis,
        None if x.ndim() == 1 => 0,
        None => {
            let got = format!("got no axis for an array of shape {}", show_shape(x.shape()));
            return Err(Error::new(&rule::AXIS_REQUIRED, got).argument(call.name(2)).into());
        }
    };
    if indices.ndim() != 1 {
        let got = format!("got an array of shape {}", show_shape(indices.shape()));
        return Err(Error::new(&rule::NOT_A_VECTOR, got).argument(call.name(1)).into());
    }
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] = indices.size();
    let result = Array::uninit(&shape, x.dtype(), x.device())?;
    let run = |out: &Array, x: &Array| {
        run_kernel(call.py, result.size().max(indices.size()), |ctx| {
            arrange::take(ctx, &out.operand(), &x.operand(), &indices.operand(), axis)
        })
    };
    let taken = if axis == 0 {
        run(&result, x)
    } else {
        // The kernel takes along the first axis.
        let order: parse::Axes = std::iter::once(axis).chain((0..x.ndim()).filter(|i| *i != axis)).collect();
        run(&result.with_layout(result.layout().permuted(&order))?, &x.with_layout(x.layout().permuted(&order))?)
    };
    taken.map_err(|e| e.argument(call.name(1)))?;
    wrap(call.py, result.in_namespace(call.namespace))
}

fn take_along_axis<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let (x, indices) = operands(call)?;
    let axis = call.axis(2, x.ndim(), -1)?;
    if indices.ndim() != x.ndim() {
        let got =
            format!("got an array of shape {} for one of shape {}", show_shape(indices.shape()), show_shape(x.shape()));
        let requires = "indices must have as many axes as x";
        return Err(Error::new(&rule::AXIS_COUNT, got).requires(requires).argument(call.name(1)).into());
    }
    // Broadcast but for the axis, along which each has its own size.
    let (mut of_x, mut shape) = (Dims::from_slice(x.shape()), Dims::from_slice(indices.shape()));
    of_x[axis] = 1;
    shape[axis] = 1;
    let common = broadcast_shapes([&of_x[..], &shape]).map_err(|e| {
        let got = format!("got shapes {} and {}", show_shape(x.shape()), show_shape(indices.shape()));
        let requires = "the shapes must be broadcast-compatible but for the axis";
        Error::new(e.rule(), got).requires(requires).argument(call.name(1))
    })?;
    let with_axis = |size: usize| {
        let mut shape = common.clone();
        shape[axis] = size;
        shape
    };
    let (shape, of_x) = (with_axis(indices.shape()[axis]), with_axis(x.shape()[axis]));
    let result = Array::uninit(&shape, x.dtype(), x.device())?;
    let (x, indices) = (x.operand_over(&of_x)?, indices.operand_over(&shape)?);
    run_kernel(call.py, result.size(), |ctx| arrange::take_along(ctx, &result.operand(), &x, &indices, axis))
        .map_err(|e| e.argument(call.name(1)))?;
    wrap(call.py, result.in_namespace(call.namespace))
}
