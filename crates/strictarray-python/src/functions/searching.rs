//! Searching functions.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use strictarray_core::{Array, Error, Operand, broadcast_shapes, show_shape};
use strictarray_kernels::reduce as kernel;
use strictarray_kernels::search::{self, Nonzero, Side as Before};
use strictarray_standard::rule;

use super::elementwise::{Ready, Side, cast_to, plan, ready};
use super::reduced::{Axes, check_not_empty, reduce};
use super::{data_dependent, index_dtype, run_kernel, same_device_as};
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    Some(match name {
        "argmax" => |call| place(call, true),
        "argmin" => |call| place(call, false),
        "count_nonzero" => count_nonzero,
        "nonzero" => nonzero,
        "searchsorted" => searchsorted,
        "where" => choose,
        _ => return None,
    })
}

fn place<'py>(call: &Call<'_, 'py>, largest: bool) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axes = Axes::one(call, x.ndim(), 1, 2)?;
    check_not_empty(call, x, &axes)?;
    let index = x.device().defaults().indexing;
    reduce(call, x, &axes, index, if largest { kernel::argmax } else { kernel::argmin })
}

fn count_nonzero<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axes = Axes::several(call, x.ndim(), 1, 2)?;
    reduce(call, x, &axes, x.device().defaults().indexing, kernel::count_nonzero)
}

fn nonzero<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    data_dependent(call)?;
    let x = call.array(0)?;
    if x.ndim() == 0 {
        return Err(Error::new(&rule::NDIM_ONE, "got a 0-d array").argument(call.name(0)).into());
    }
    let dtype = index_dtype(x, x.shape().iter().copied().max().unwrap_or(0))?;
    let places = run_kernel(call.py, x.size(), |ctx| {
        let found = Nonzero::new(ctx, x)?;
        let places: Vec<Array> =
            x.shape().iter().map(|_| Array::uninit(&[found.count()], dtype, x.device())).collect::<Result<_, _>>()?;
        found.places(ctx, &places.iter().map(Array::operand).collect::<Vec<_>>())?;
        Ok(places)
    })?;
    let places: Vec<_> =
        places.into_iter().map(|x| wrap(call.py, x.in_namespace(call.namespace))).collect::<Outcome<_>>()?;
    Ok(PyTuple::new(call.py, places)?.into_any())
}

fn searchsorted<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let (py, name) = (call.py, call.row.name);
    let (x1, x2) = (call.array(0)?, call.operand(1)?);
    let before = if call.choice(2)? == Some(1) { Before::Right } else { Before::Left };
    let sorter = call.array_or_none(3, x1)?;
    let dtype = plan([&Side::Array(x1), &x2], call.row, [0, 1], name)?.dtype;
    if x1.ndim() != 1 {
        let got = format!("got an array of shape {}", show_shape(x1.shape()));
        return Err(Error::new(&rule::NOT_A_VECTOR, got).argument(call.name(0)).into());
    }
    if let Some(sorter) = sorter
        && sorter.shape() != x1.shape()
    {
        let got = format!("got shape {} for x1 of shape {}", show_shape(sorter.shape()), show_shape(x1.shape()));
        return Err(Error::new(&rule::SORTER_SHAPE, got).argument(call.name(3)).into());
    }
    let index = index_dtype(x1, x1.size())?;
    let mut sorted = if x1.dtype() == dtype { x1.clone() } else { cast_to(py, x1, dtype)? };
    if let Some(sorter) = sorter {
        sorted = run_kernel(py, x1.size(), |ctx| search::gather_sorted(ctx, &sorted, sorter))?;
    }
    let values = ready(py, &x2, dtype, call.name(1))?;
    let shape = match &x2 {
        Side::Array(x2) => x2.shape(),
        Side::Scalar(_) => &[],
    };
    let result = Array::uninit(shape, index, x1.device())?;
    let values = values.operand(dtype, shape)?;
    let work = result.size().saturating_mul(4);
    run_kernel(py, work, |ctx| search::searchsorted(ctx, &result.operand(), &sorted.operand(), &values, before))?;
    wrap(py, result.in_namespace(call.namespace))
}

fn choose<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let (py, condition) = (call.py, call.array(0)?);
    let [x1, x2] = call.operands([1, 2])?;
    for (side, place) in [(&x1, 1), (&x2, 2)] {
        if let Side::Array(x) = side {
            same_device_as(condition, x, call.name(place))?;
        }
    }
    let dtype = plan([&x1, &x2], call.row, [1, 2], call.row.name)?.dtype;
    if let (Side::Array(a), Side::Array(b)) = (&x1, &x2)
        && [a, b].iter().all(|x| x.dtype() == dtype && x.shape() == condition.shape())
    {
        // The common case at once: nothing to cast, nothing to broadcast.
        let result = Array::uninit(condition.shape(), dtype, condition.device())?;
        run_kernel(py, result.size(), |ctx| {
            search::choose(ctx, &result.operand(), &condition.operand(), &a.operand(), &b.operand())
        })?;
        return wrap(py, result.in_namespace(call.namespace));
    }
    let shape = broadcast_shapes([condition.shape(), x1.shape(), x2.shape()])?;
    let result = Array::uninit(&shape, dtype, condition.device())?;
    let (a, b): (Ready<'_>, Ready<'_>) = (ready(py, &x1, dtype, call.name(1))?, ready(py, &x2, dtype, call.name(2))?);
    let (a, b): (Operand<'_>, Operand<'_>) = (a.operand(dtype, &shape)?, b.operand(dtype, &shape)?);
    let condition = condition.operand_over(&shape)?;
    run_kernel(py, result.size(), |ctx| search::choose(ctx, &result.operand(), &condition, &a, &b))?;
    wrap(py, result.in_namespace(call.namespace))
}
