//! Data type functions.

use pyo3::prelude::*;
use pyo3::types::PyBool;
use strictarray_core::{DType, Error};
use strictarray_standard::{Feature, can_cast as may_cast, promote, promote_scalar, rule};

use super::elementwise::no_promotion;
use super::{recast, same_device_as, transfer};
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::dtype::{self, FInfo, IInfo};
use crate::errors::Outcome;
use crate::parse::{self, PyScalar};

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    Some(match name {
        "astype" => astype,
        "can_cast" => can_cast,
        "finfo" => finfo,
        "iinfo" => iinfo,
        "isdtype" => isdtype,
        "result_type" => result_type,
        _ => return None,
    })
}

fn astype<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let object = call.array_object(0)?;
    let x = object.get().array();
    let (dtype, copy) = (call.dtype(1)?, call.bool(2, true)?);
    let device = call.device_or_none(3)?.unwrap_or(x.device());
    device.check(dtype).map_err(|e| e.argument("dtype"))?;
    if x.dtype().is_complex() && !dtype.is_complex() && dtype != DType::Bool {
        let got = format!("got an array of dtype {} for dtype {dtype}", x.dtype());
        return Err(Error::new(&rule::CAST, got).argument("dtype").into());
    }
    if x.dtype() == dtype && x.device() == device && !copy {
        return call.same(object);
    }
    let result =
        if x.dtype() == dtype { transfer(call.py, x, device, Some(true))? } else { recast(call.py, x, dtype, device)? };
    wrap(call.py, result.in_namespace(call.namespace))
}

fn can_cast<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let (from, array) = call.array_or_dtype(0)?;
    let to = call.dtype(1)?;
    // With an array, by the graph of its device; with data types, irrespective of devices.
    let available = array.is_none_or(|x| x.device().supports(to));
    Ok(PyBool::new(call.py, available && may_cast(from, to)).to_owned().into_any())
}

fn finfo<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let (dtype, _) = call.array_or_dtype(0)?;
    Ok(Bound::new(call.py, FInfo::new(call.py, dtype, call.identity())?)?.into_any())
}

fn iinfo<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let (dtype, _) = call.array_or_dtype(0)?;
    let info = IInfo::new(call.py, dtype, call.identity())?
        .ok_or_else(|| Error::new(&rule::INTERNAL, "an integer without limits"))?;
    Ok(Bound::new(call.py, info)?.into_any())
}

fn isdtype<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let dtype = call.dtype(0)?;
    let found = parse::dtype_kinds(call.required(1)?, call.name(1), true)?.contains(dtype);
    Ok(PyBool::new(call.py, found).to_owned().into_any())
}

fn result_type<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let name = call.name(0);
    let mut scalars: Vec<PyScalar<'py>> = Vec::new();
    let mut result: Option<DType> = None;
    let mut on: Option<&strictarray_core::Array> = None;
    for value in call.rest {
        if let Some(scalar) = PyScalar::of(value)? {
            if !call.has(Feature::Scalar) {
                return Err(call.later(0, Feature::Scalar, &parse::show(value)));
            }
            scalars.push(scalar);
            continue;
        }
        let (dtype, array) = call.array_or_dtype_of(value, 0)?;
        if let Some(x) = array {
            match on {
                Some(first) => same_device_as(first, x, name)?,
                None => on = Some(x),
            }
        }
        result = Some(match result {
            None => dtype,
            Some(so_far) => promote(so_far, dtype).ok_or_else(|| no_promotion(so_far, dtype).argument(name))?,
        });
    }
    let Some(mut dtype) = result else {
        let got = if call.rest.is_empty() { "got no argument" } else { "got Python scalars only" };
        return Err(Error::new(&rule::PROMOTION_EMPTY, got).argument(name).into());
    };
    for scalar in &scalars {
        let Some(promoted) = promote_scalar(dtype, scalar.kind()) else {
            let got = format!("got a Python {} beside {dtype}", scalar.type_name());
            return Err(Error::new(&rule::SCALAR_KIND, got).argument(name).into());
        };
        scalar.value_for(promoted, name)?;
        dtype = promoted;
    }
    if let Some(x) = on {
        x.device().check(dtype).map_err(|e| e.argument(name))?;
    }
    Ok(dtype::object(call.py, dtype, call.identity())?.into_any())
}
