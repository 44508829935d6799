//! Data type functions.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyTuple};
use strictarray_core::{DType, DTypeSet, Error};
use strictarray_standard::{Version, can_cast as may_cast, promote, promote_scalar, rule};

use super::elementwise::{cast_to, no_promotion};
use super::{same_device_as, transfer};
use crate::array::{PyArray, wrap};
use crate::dispatch::{Call, Handler};
use crate::dtype::{self, FInfo, IInfo, PyDType};
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
    let object = parse::array(call.required(0)?, call.name(0))?;
    let x = object.get().array();
    let dtype = parse::dtype(call.required(1)?, call.name(1))?;
    let copy = call.given(2).map_or(Ok(true), |value| parse::bool(value, call.name(2)))?;
    let device = call.some(3).map_or(Ok(x.device()), |value| parse::device(value, call.name(3)))?;
    device.check(dtype).map_err(|e| e.argument("dtype"))?;
    if x.dtype().is_complex() && !dtype.is_complex() && dtype != DType::Bool {
        let got = format!("got an array of dtype {} for dtype {dtype}", x.dtype());
        return Err(Error::new(&rule::CAST, got).argument("dtype").into());
    }
    if x.dtype() == dtype && x.device() == device && !copy {
        return Ok(object.clone().into_any());
    }
    let result = if x.dtype() == dtype {
        transfer(call.py, x, device, Some(true))?
    } else if x.device().supports(dtype) {
        transfer(call.py, &cast_to(call.py, x, dtype)?, device, None)?
    } else {
        // The source device lacks the data type: move first, in a type that both have, then cast.
        cast_to(call.py, &transfer(call.py, x, device, None)?, dtype)?
    };
    wrap(call.py, result.in_namespace(call.namespace))
}

/// An array's data type and device, or a dtype.
fn array_or_dtype<'a>(
    value: &'a Bound<'_, PyAny>,
    name: &'static str,
) -> Outcome<(DType, Option<&'a strictarray_core::Array>)> {
    if let Ok(x) = value.cast_exact::<PyArray>() {
        return Ok((x.get().array().dtype(), Some(x.get().array())));
    }
    match value.cast_exact::<PyDType>() {
        Ok(dtype) => Ok((dtype.get().0, None)),
        Err(_) => {
            let error = Error::new(&rule::NOT_A_DTYPE, format!("got {}", parse::show(value)));
            Err(error.requires("an array or a dtype object of this namespace is required").argument(name).into())
        }
    }
}

fn can_cast<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let (from, array) = array_or_dtype(call.required(0)?, call.name(0))?;
    let to = parse::dtype(call.required(1)?, call.name(1))?;
    // With an array, by the graph of its device; with data types, irrespective of devices.
    let available = array.is_none_or(|x| x.device().supports(to));
    Ok(PyBool::new(call.py, available && may_cast(from, to)).to_owned().into_any())
}

fn finfo<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let (dtype, _) = array_or_dtype(call.required(0)?, call.name(0))?;
    if !dtype.is_floating() {
        return Err(wrong_type(call, dtype, DTypeSet::FLOATING).into());
    }
    Ok(Bound::new(call.py, FInfo::new(call.py, dtype)?)?.into_any())
}

fn iinfo<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let (dtype, _) = array_or_dtype(call.required(0)?, call.name(0))?;
    match IInfo::new(call.py, dtype)? {
        Some(info) => Ok(Bound::new(call.py, info)?.into_any()),
        None => Err(wrong_type(call, dtype, DTypeSet::INTEGER).into()),
    }
}

#[cold]
fn wrong_type(call: &Call<'_, '_>, dtype: DType, set: DTypeSet) -> Error {
    let requires = format!("Only {} dtypes are allowed in {}", set.describe(), call.row.name);
    Error::new(&rule::DTYPE_ARGUMENT, format!("got {dtype}")).requires(requires).argument(call.name(0))
}

fn isdtype<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let dtype = parse::dtype(call.required(0)?, call.name(0))?;
    let kind = call.required(1)?;
    let found = match kind.cast_exact::<PyTuple>() {
        Ok(kinds) => {
            // Each is looked at, so that a wrong one is refused wherever it stands.
            let mut found = false;
            for kind in kinds.iter_borrowed() {
                found |= kind_of(&kind)?.contains(dtype);
            }
            found
        }
        Err(_) => kind_of(kind)?.contains(dtype),
    };
    Ok(PyBool::new(call.py, found).to_owned().into_any())
}

fn kind_of(kind: &Bound<'_, PyAny>) -> Outcome<DTypeSet> {
    let requires = "a kind is required: a dtype, 'bool', 'signed integer', 'unsigned integer', 'integral', 'real floating', \
                    'complex floating', 'numeric', or a tuple of these";
    if let Ok(dtype) = kind.cast_exact::<PyDType>() {
        return Ok(DTypeSet::of(&[dtype.get().0]));
    }
    let Ok(text) = kind.cast_exact::<PyString>() else {
        let error = Error::new(&rule::NOT_A_DTYPE, format!("got {}", parse::show(kind)));
        return Err(error.requires(requires).argument("kind").into());
    };
    match text.to_str().ok().and_then(DTypeSet::from_kind) {
        Some(set) => Ok(set),
        None => {
            let error = Error::new(&rule::NOT_A_CHOICE, format!("got {}", parse::show(kind)));
            Err(error.requires(requires).argument("kind").into())
        }
    }
}

fn result_type<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let name = call.name(0);
    let mut scalars: Vec<PyScalar<'py>> = Vec::new();
    let mut result: Option<DType> = None;
    let mut on: Option<&strictarray_core::Array> = None;
    for value in call.rest {
        if let Some(scalar) = PyScalar::of(value)? {
            if call.flags.api_version < Version::V2024_12 {
                let got = format!("got {} in version {}", parse::show(value), call.flags.api_version);
                let error = Error::new(&rule::LATER_BEHAVIOUR, got).argument(name);
                return Err(error.requires("scalars in result_type came with version 2024.12").into());
            }
            scalars.push(scalar);
            continue;
        }
        let (dtype, array) = array_or_dtype(value, name)?;
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
    Ok(dtype::object(call.py, dtype)?.into_any())
}
