//! Statistical functions.

use pyo3::prelude::*;
use strictarray_core::{Array, DType, Device, Dims, Error, Kind, Layout, Operand, Scalar, copy, show_shape};
use strictarray_kernels::reduce as kernel;
use strictarray_standard::{Feature, relaxation, rule};

use super::reduced::{Axes, check_not_empty, reduce};
use super::run_kernel;
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    Some(match name {
        "cumulative_prod" => |call| cumulative(call, true),
        "cumulative_sum" => |call| cumulative(call, false),
        "max" => |call| extreme(call, true),
        "mean" => mean,
        "min" => |call| extreme(call, false),
        "prod" => |call| accumulate(call, true),
        "std" => |call| spread(call, true),
        "sum" => |call| accumulate(call, false),
        "var" => |call| spread(call, false),
        _ => return None,
    })
}

/// The data type in which to add or multiply: the argument at this place, or what the standard says for None.
pub(super) fn accumulated(call: &Call<'_, '_>, x: &Array, place: usize) -> Outcome<DType> {
    let Some(dtype) = call.dtype_or_none(place)? else {
        // cumulative_sum came with 2023.12: it never had another rule.
        return Ok(default_dtype(x.dtype(), x.device(), call.has(Feature::DType)));
    };
    let rank = |dtype: DType| match dtype.kind() {
        Kind::ComplexFloating => 2,
        Kind::RealFloating => 1,
        _ => 0,
    };
    if rank(dtype) < rank(x.dtype()) {
        let got = format!("got {dtype} for an array of dtype {}", x.dtype());
        return Err(Error::new(&rule::LOSSY_DTYPE, got).argument(call.name(place)).into());
    }
    x.device().check(dtype).map_err(|e| e.argument(call.name(place)))?;
    Ok(dtype)
}

/// `own`: floating-point numbers keep their data type.
fn default_dtype(dtype: DType, device: Device, own: bool) -> DType {
    let defaults = device.defaults();
    let wider = |default: DType| if default.size() > dtype.size() { default } else { dtype };
    match dtype.kind() {
        Kind::SignedInteger => wider(defaults.integral),
        Kind::UnsignedInteger => wider(if defaults.integral == DType::Int32 { DType::UInt32 } else { DType::UInt64 }),
        Kind::RealFloating if !own => wider(defaults.real_floating),
        Kind::ComplexFloating if !own => wider(defaults.complex_floating),
        _ => dtype,
    }
}

fn accumulate<'py>(call: &Call<'_, 'py>, product: bool) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axes = Axes::several(call, x.ndim(), 1, 3)?;
    let dtype = accumulated(call, x, 2)?;
    reduce(call, x, &axes, dtype, if product { kernel::prod } else { kernel::sum })
}

fn extreme<'py>(call: &Call<'_, 'py>, largest: bool) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axes = Axes::several(call, x.ndim(), 1, 2)?;
    check_not_empty(call, x, &axes)?;
    reduce(call, x, &axes, x.dtype(), if largest { kernel::max } else { kernel::min })
}

fn mean<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axes = Axes::several(call, x.ndim(), 1, 2)?;
    let of_sum = call.relaxes(&relaxation::MEAN_OVERFLOW);
    reduce(call, x, &axes, x.dtype(), if of_sum { kernel::mean_of_sum } else { kernel::mean })
}

fn spread<'py>(call: &Call<'_, 'py>, root: bool) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axes = Axes::several(call, x.ndim(), 1, 3)?;
    let correction = match call.scalar_or_none(2)? {
        None => 0.0,
        Some(scalar) => match scalar.value_for(DType::Float64, call.name(2))? {
            Scalar::Float(x) => x,
            Scalar::Int(i) => i as f64,
            _ => return Err(Error::new(&rule::INTERNAL, "a correction that is no number").into()),
        },
    };
    reduce(call, x, &axes, x.dtype(), move |ctx, out, x| {
        if root { kernel::std(ctx, out, x, correction) } else { kernel::var(ctx, out, x, correction) }
    })
}

/// The axis at this place; left out, the only one there is.
fn only_axis(call: &Call<'_, '_>, x: &Array, place: usize) -> Outcome<usize> {
    if x.ndim() == 0 {
        let got = "got a 0-d array";
        let error = Error::new(&rule::NDIM_ONE, got).argument(call.name(0));
        return Err(error.requires("at least one dimension is required (a 0-d array is unspecified)").into());
    }
    match call.axis_or_none(place, x.ndim())? {
        Some(axis) => Ok(axis),
        None if x.ndim() == 1 => Ok(0),
        None => {
            let got = format!("got None for an array of shape {}", show_shape(x.shape()));
            Err(Error::new(&rule::AXIS_REQUIRED, got).argument(call.name(place)).into())
        }
    }
}

fn cumulative<'py>(call: &Call<'_, 'py>, product: bool) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axis = only_axis(call, x, 1)?;
    let dtype = accumulated(call, x, 2)?;
    let initial = call.bool(3, false)?;
    let kernel = if product { kernel::cumulative_prod } else { kernel::cumulative_sum };
    if !initial {
        let result = Array::uninit(x.shape(), dtype, x.device())?;
        run_kernel(call.py, x.size(), |ctx| kernel(ctx, &result.operand(), &x.operand(), axis))?;
        return wrap(call.py, result.in_namespace(call.namespace));
    }
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] += 1;
    let result = Array::uninit(&shape, dtype, x.device())?;
    let (first, rest) = split(&result, axis)?;
    let start = Scalar::Bool(product).to_element(dtype).ok_or_else(|| Error::new(&rule::INTERNAL, "start"))?;
    copy::copy_elements(&first.operand(), &Operand::repeated(&start, dtype, first.shape()))?;
    run_kernel(call.py, x.size(), |ctx| kernel(ctx, &rest.operand(), &x.operand(), axis))?;
    wrap(call.py, result.in_namespace(call.namespace))
}

/// The first elements along an axis, and the others.
fn split(x: &Array, axis: usize) -> Outcome<(Array, Array)> {
    let part = |start: usize, size: usize| {
        let mut shape = Dims::from_slice(x.shape());
        shape[axis] = size;
        let skip = if shape.contains(&0) { 0 } else { start * x.layout().strides()[axis].unsigned_abs() };
        x.with_layout(Layout::new(shape, x.layout().strides().into(), x.layout().offset() + skip))
    };
    Ok((part(0, 1)?, part(1, x.shape()[axis] - 1)?))
}
