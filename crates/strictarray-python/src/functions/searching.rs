//! Searching functions.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use strictarray_core::{Array, Error, Operand, broadcast_shapes, show_shape};
use strictarray_kernels::reduce as kernel;
use strictarray_kernels::search::{self, Nonzero, Side as Before};
use strictarray_standard::{Version, promote, rule};

use super::elementwise::{Ready, Side, accepted, beside, cast_to, no_promotion, ready, side};
use super::reduced::{Axes, check_not_empty, operand, reduce};
use super::{data_dependent, index_dtype, later_complex, run_kernel, same_device_as};
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;
use crate::parse::{self, check_kind};

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
    let x = operand(call, Version::V2021_12)?;
    let axes = Axes::one(call, x.ndim(), 1, 2)?;
    check_not_empty(call, x, &axes)?;
    let index = x.device().defaults().indexing;
    reduce(call, x, &axes, index, if largest { kernel::argmax } else { kernel::argmin })
}

fn count_nonzero<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = operand(call, Version::V2022_12)?;
    let axes = Axes::several(call, x.ndim(), 1, 2)?;
    reduce(call, x, &axes, x.device().defaults().indexing, kernel::count_nonzero)
}

fn nonzero<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    data_dependent(call)?;
    let x = parse::array(call.required(0)?, call.name(0))?.get().array();
    later_complex(call, x, 0)?;
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
    let x1 = parse::array(call.required(0)?, call.name(0))?.get().array();
    let given = call.required(1)?;
    let x2 = side(given, call.name(1))?;
    let before = match call.given(2) {
        None => Before::Left,
        Some(text) => match text.cast_exact::<PyString>().ok().and_then(|t| t.to_str().ok()) {
            Some("left") => Before::Left,
            Some("right") => Before::Right,
            _ => {
                let error = Error::new(&rule::NOT_A_CHOICE, format!("got {}", parse::show(text)));
                return Err(error.requires("'left' or 'right' is required").argument(call.name(2)).into());
            }
        },
    };
    let sorter = match call.some(3) {
        None => None,
        Some(value) => Some(parse::array(value, call.name(3))?.get().array()),
    };
    check_kind(x1.dtype(), accepted(call.row, 0), name, call.name(0))?;
    let dtype = match &x2 {
        Side::Array(x2) => {
            check_kind(x2.dtype(), accepted(call.row, 1), name, call.name(1))?;
            same_device_as(x1, x2, call.name(1))?;
            promote(x1.dtype(), x2.dtype())
                .ok_or_else(|| no_promotion(x1.dtype(), x2.dtype()).argument(call.name(1)))?
        }
        Side::Scalar(scalar) => {
            if call.flags.api_version < Version::V2025_12 {
                let got = format!("got {} in version {}", parse::show(given), call.flags.api_version);
                let error = Error::new(&rule::LATER_BEHAVIOUR, got).argument(call.name(1));
                return Err(error.requires("a scalar as x2 came with version 2025.12").into());
            }
            beside(x1, scalar, accepted(call.row, 1), name, call.name(0), call.name(1))?.dtype
        }
    };
    if x1.ndim() != 1 {
        let got = format!("got an array of shape {}", show_shape(x1.shape()));
        return Err(Error::new(&rule::NOT_A_VECTOR, got).argument(call.name(0)).into());
    }
    if let Some(sorter) = sorter {
        check_kind(sorter.dtype(), accepted(call.row, 3), name, call.name(3))?;
        same_device_as(x1, sorter, call.name(3))?;
        if sorter.shape() != x1.shape() {
            let got = format!("got shape {} for x1 of shape {}", show_shape(sorter.shape()), show_shape(x1.shape()));
            return Err(Error::new(&rule::SORTER_SHAPE, got).argument(call.name(3)).into());
        }
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
    let (py, name) = (call.py, call.row.name);
    let condition = parse::array(call.required(0)?, call.name(0))?.get().array();
    let (first, second) = (call.required(1)?, call.required(2)?);
    let (x1, x2) = (side(first, call.name(1))?, side(second, call.name(2))?);
    check_kind(condition.dtype(), accepted(call.row, 0), name, call.name(0))?;
    let set = accepted(call.row, 1);
    for (side, value, place) in [(&x1, first, 1), (&x2, second, 2)] {
        match side {
            Side::Array(x) => same_device_as(condition, x, call.name(place))?,
            Side::Scalar(_) if call.flags.api_version < Version::V2024_12 => {
                let got = format!("got {} in version {}", parse::show(value), call.flags.api_version);
                let error = Error::new(&rule::LATER_BEHAVIOUR, got).argument(call.name(place));
                return Err(error.requires("scalars as arguments of functions came with version 2024.12").into());
            }
            Side::Scalar(_) => {}
        }
    }
    let dtype = match (&x1, &x2) {
        (Side::Array(a), Side::Array(b)) => {
            promote(a.dtype(), b.dtype()).ok_or_else(|| no_promotion(a.dtype(), b.dtype()).argument(call.name(2)))?
        }
        (Side::Array(a), Side::Scalar(s)) => beside(a, s, set, name, call.name(1), call.name(2))?.dtype,
        (Side::Scalar(s), Side::Array(a)) => beside(a, s, set, name, call.name(2), call.name(1))?.dtype,
        (Side::Scalar(_), Side::Scalar(_)) => {
            let got = format!("got {} and {}", parse::show(first), parse::show(second));
            let error = Error::new(&rule::ONLY_SCALARS, got).argument(call.name(1));
            return Err(error.requires("at least one of x1 and x2 must be an array").into());
        }
    };
    let shape = broadcast_shapes([condition.shape(), x1.shape(), x2.shape()])?;
    let result = Array::uninit(&shape, dtype, condition.device())?;
    let (a, b): (Ready<'_>, Ready<'_>) = (ready(py, &x1, dtype, call.name(1))?, ready(py, &x2, dtype, call.name(2))?);
    let (a, b): (Operand<'_>, Operand<'_>) = (a.operand(dtype, &shape)?, b.operand(dtype, &shape)?);
    let condition = condition.operand_over(&shape)?;
    run_kernel(py, result.size(), |ctx| search::choose(ctx, &result.operand(), &condition, &a, &b))?;
    wrap(py, result.in_namespace(call.namespace))
}
