//! `x[key]` and `x[key] = value`: from Python keys to the core's.

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyInt, PySlice, PyTuple};
use smallvec::SmallVec;
use strictarray_core::index::{self, Index};
use strictarray_core::{Array, DType, ElementBytes, Error, Operand, copy, gather, show_shape};
use strictarray_kernels::arrange;
use strictarray_standard::{Feature, Flags, promote, promote_scalar, relaxation, rule};

use super::{PyArray, wrap};
use crate::arguments::{has, later};
use crate::errors::{Fail, Outcome};
use crate::functions::elementwise::cast_to;
use crate::functions::run_kernel;
use crate::identity::Identity;
use crate::once::interned;
use crate::parse::{self, PyScalar};
use crate::{dispatch, relaxed, settings};

/// What a key is.
enum Key {
    Basic(SmallVec<[Index; 4]>),
    Mask(Array),
    Points(Vec<Array>),
}

impl Key {
    fn parse(x: &Array, key: &Bound<'_, PyAny>, assign: bool, flags: Flags) -> Outcome<Key> {
        match key.cast::<PyTuple>() {
            Ok(items) => Key::of_items(x, items.iter_borrowed(), items.len(), assign, flags),
            Err(_) => Key::of_items(x, std::iter::once(key.as_borrowed()), 1, assign, flags),
        }
    }

    fn of_items<'a, 'py>(
        x: &Array,
        items: impl Iterator<Item = Borrowed<'a, 'py, PyAny>>,
        count: usize,
        assign: bool,
        flags: Flags,
    ) -> Outcome<Key>
    where
        'py: 'a,
    {
        let mut basic: SmallVec<[Index; 4]> = SmallVec::new();
        // Integer arrays with axes, and where among the indices they stand.
        let mut arrays: SmallVec<[(usize, Array); 2]> = SmallVec::new();
        for item in items {
            if let Ok(i) = item.cast_exact::<PyInt>() {
                basic.push(Index::Int(saturated(&i)?));
            } else if item.is_none() {
                if assign {
                    return Err(Error::new(&rule::NEWAXIS_ASSIGN, "got None").into());
                }
                basic.push(Index::NewAxis);
            } else if item.is(PyEllipsis::get(item.py())) {
                basic.push(Index::Ellipsis);
            } else if let Ok(slice) = item.cast::<PySlice>() {
                basic.push(slice_of(x, &slice)?);
            } else if let Ok(array) = item.cast_exact::<PyArray>() {
                let array = array.get().array();
                same_device(x, array)?;
                if array.dtype() == DType::Bool {
                    if count != 1 {
                        return Err(
                            Error::new(&rule::MASK_SOLE, format!("got a boolean array among {count} indices")).into()
                        );
                    }
                    if !flags.boolean_indexing {
                        return Err(Error::new(
                            &rule::FLAG_OFF,
                            "got a boolean array, and the boolean_indexing flag is off",
                        )
                        .into());
                    }
                    return Ok(Key::Mask(array.clone()));
                }
                if !array.dtype().is_integer() {
                    let got = format!("got an index array of dtype {}", array.dtype());
                    return Err(Error::new(&rule::INDEX_TYPE, got).into());
                }
                if array.ndim() == 0 {
                    basic.push(Index::Int(point_of(array)?));
                } else {
                    arrays.push((basic.len(), array.clone()));
                    basic.push(Index::Int(0));
                }
            } else if let Some(i) = indexed(&item)? {
                basic.push(Index::Int(i));
            } else {
                return Err(Error::new(&rule::INDEX_TYPE, format!("got {}", parse::show(&item))).into());
            }
        }
        if arrays.is_empty() {
            return Ok(Key::Basic(basic));
        }
        if assign {
            return Err(Error::new(&rule::INDEX_ARRAY_ASSIGN, "got an integer array").into());
        }
        if !has(flags.api_version, "__getitem__", Feature::Arrays) {
            return Err(later(flags.api_version, "__getitem__", Feature::Arrays, "an integer array").into());
        }
        let mut points = Vec::with_capacity(basic.len());
        let mut arrays = arrays.into_iter().peekable();
        for (place, index) in basic.iter().enumerate() {
            match (*index, arrays.next_if(|(at, _)| *at == place)) {
                (_, Some((_, array))) => points.push(array),
                (Index::Int(i), None) => {
                    points.push(Array::from_slice(&[i as i64], &[], x.device()).or_else(|_| {
                        // The device has no int64: an index that does not fit int32 is out of bounds anyway.
                        Array::from_slice(&[i32::try_from(i).unwrap_or(i32::MAX)], &[], x.device())
                    })?)
                }
                _ => {
                    return Err(Error::new(
                        &rule::INDEX_ARRAY_MIXED,
                        "got an integer array beside a slice, ... or None",
                    )
                    .into());
                }
            }
        }
        Ok(Key::Points(points))
    }
}

/// Refuses an index on another device.
fn same_device(x: &Array, index: &Array) -> Outcome<()> {
    if index.device() == x.device() {
        return Ok(());
    }
    let got = format!("got an index on device {} for an array on device {}", index.device(), x.device());
    Err(Error::new(&rule::DEVICE_MIXED, got).into())
}

/// What `__index__` gives, as NumPy's integers do; `None` where the object has none, or it does not answer.
fn indexed(value: &Bound<'_, PyAny>) -> Outcome<Option<isize>> {
    if value.is_instance_of::<PyBool>() || !value.hasattr(interned!(value.py(), "__index__"))? {
        return Ok(None);
    }
    // SAFETY: a live object; a new reference comes back, or NULL with an exception.
    let int = unsafe { Bound::from_owned_ptr_or_err(value.py(), ffi::PyNumber_Index(value.as_ptr())) };
    match int {
        Ok(int) => Ok(Some(saturated(int.cast::<PyInt>()?)?)),
        // Another library's arrays have the method, and refuse it with a TypeError where they are no ints.
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) && value.cast_exact::<PyArray>().is_err() => {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// The value of an int, saturated: what exceeds an isize is out of bounds of every axis.
fn saturated(int: &Bound<'_, PyInt>) -> PyResult<isize> {
    let value = parse::int_value(int)?;
    Ok(isize::try_from(value).unwrap_or(if value < 0 { isize::MIN } else { isize::MAX }))
}

fn point_of(array: &Array) -> Outcome<isize> {
    match array.item()? {
        strictarray_core::Scalar::Int(i) => {
            Ok(isize::try_from(i).unwrap_or(if i < 0 { isize::MIN } else { isize::MAX }))
        }
        _ => Err(Error::new(&rule::INTERNAL, "an index that is no integer").into()),
    }
}

fn slice_of(x: &Array, slice: &Bound<'_, PySlice>) -> Outcome<Index> {
    let py = slice.py();
    let bound = |name: &Bound<'_, pyo3::types::PyString>| -> Outcome<Option<isize>> {
        let value = slice.getattr(name)?;
        if value.is_none() {
            return Ok(None);
        }
        if let Ok(int) = value.cast_exact::<PyInt>() {
            return Ok(Some(saturated(int)?));
        }
        let ours = value.cast_exact::<PyArray>().ok().map(|array| array.get().array());
        ours.map(|array| same_device(x, array)).transpose()?;
        // Our own arrays say in an error of their own that they are no ints.
        let int = if ours.is_some_and(|array| !array.dtype().is_integer()) { None } else { indexed(&value)? };
        match int {
            Some(bound) => Ok(Some(bound)),
            None => {
                let got = format!("got {} as {name} of a slice", parse::show(&value));
                Err(Error::new(&rule::SLICE_TYPE, got).into())
            }
        }
    };
    Ok(Index::Slice {
        start: bound(interned!(py, "start"))?,
        stop: bound(interned!(py, "stop"))?,
        step: bound(interned!(py, "step"))?.unwrap_or(1),
    })
}

fn get(py: Python<'_>, x: &Array, key: &Bound<'_, PyAny>, flags: Flags) -> Outcome<Array> {
    Ok(match Key::parse(x, key, false, flags)? {
        Key::Basic(keys) => x.with_layout(index::select(x.layout(), &keys)?)?,
        Key::Mask(mask) => run_kernel(py, x.size(), |_| gather::take_mask(x, &mask))?,
        Key::Points(points) if x.ndim() == 1 && points.len() == 1 && points[0].ndim() == 1 => {
            let result = Array::uninit(points[0].shape(), x.dtype(), x.device())?.in_namespace(x.namespace());
            run_kernel(py, result.size(), |ctx| {
                arrange::take(ctx, &result.operand(), &x.operand(), &points[0].operand(), 0)
            })?;
            result
        }
        Key::Points(points) => {
            strictarray_core::broadcast_shapes(points.iter().map(Array::shape))
                .map_err(|e| Error::new(&rule::INDEX_ARRAY_SHAPES, e.got().to_owned()))?;
            let count = points.iter().map(Array::size).max().unwrap_or(0);
            run_kernel(py, count, |_| gather::take_points(x, &points))?
        }
    })
}

fn set(py: Python<'_>, x: &Array, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>, flags: Flags) -> Outcome<()> {
    x.check_writable().map_err(|e| e.argument("self"))?;
    let key = Key::parse(x, key, true, flags)?;
    let value = assignable(py, x, value)?;
    match key {
        Key::Basic(keys) => {
            let to = x.with_layout(index::select(x.layout(), &keys)?)?;
            match value {
                Value::Scalar(bytes) => {
                    let from = Operand::repeated(&bytes, x.dtype(), to.shape());
                    run_kernel(py, to.size(), |_| copy::copy_elements(&to.operand(), &from))
                }
                Value::Array(value) => {
                    let from = apart(value, &to)?;
                    fits(&from, to.shape())?;
                    let from = from.operand_over(to.shape())?;
                    run_kernel(py, to.size(), |_| copy::copy_elements(&to.operand(), &from))
                }
            }
        }
        Key::Mask(mask) => {
            let from = match value {
                Value::Scalar(bytes) => Array::full(&[], bytes, x.dtype(), x.device())?,
                Value::Array(value) => apart(value, x)?,
            };
            let mask = apart(mask, x)?;
            run_kernel(py, x.size(), |_| {
                gather::put_mask(x, &mask, |shape| {
                    fits(&from, shape)?;
                    Ok(from)
                })
            })
        }
        // Refused while parsing.
        Key::Points(_) => Err(Error::new(&rule::INDEX_ARRAY_ASSIGN, "got an integer array").into()),
    }
}

/// The value, or a copy where a write to `to` could change it.
fn apart(value: Array, to: &Array) -> Outcome<Array> {
    Ok(if value.shares_memory(to) { value.to_owned_copy()? } else { value })
}

fn fits(value: &Array, shape: &[usize]) -> Result<(), Error> {
    // A broadcast may repeat the value, but not give it fewer axes.
    if value.layout().broadcast_strides(shape).is_some() {
        return Ok(());
    }
    let got =
        format!("got a value of shape {} for a selection of shape {}", show_shape(value.shape()), show_shape(shape));
    Err(Error::new(&rule::ASSIGN_SHAPE, got).argument("value"))
}

/// What is assigned, in the data type of the array that it is assigned to.
enum Value {
    Scalar(ElementBytes),
    Array(Array),
}

/// The value in x's data type, if it promotes to it.
fn assignable(py: Python<'_>, x: &Array, value: &Bound<'_, PyAny>) -> Outcome<Value> {
    let dtype = x.dtype();
    if let Ok(value) = value.cast_exact::<PyArray>() {
        let value = value.get().array();
        if value.device() != x.device() {
            let got = format!("got a value on device {} for an array on device {}", value.device(), x.device());
            return Err(Error::new(&rule::DEVICE_MIXED, got).argument("value").into());
        }
        if promote(value.dtype(), dtype) != Some(dtype) {
            let got = format!("got a value of dtype {} for an array of dtype {dtype}", value.dtype());
            return Err(Error::new(&rule::ASSIGN_DTYPE, got).argument("value").into());
        }
        let value = if value.dtype() == dtype { value.clone() } else { cast_to(py, value, dtype)? };
        return Ok(Value::Array(value));
    }
    let lenient = Identity::of(x.namespace()).relaxes(&relaxation::SCALAR_SUBCLASSES);
    let scalar = match PyScalar::of(value)? {
        None if lenient => relaxed::subclass(value)?,
        scalar => scalar,
    };
    let Some(scalar) = scalar else {
        let error = Error::new(&rule::NOT_ARRAY_OR_SCALAR, format!("got {}", parse::show(value)));
        return Err(error.argument("value").into());
    };
    if promote_scalar(dtype, scalar.kind()) != Some(dtype) {
        let got = format!("got a Python {} for an array of dtype {dtype}", scalar.type_name());
        return Err(Error::new(&rule::ASSIGN_DTYPE, got).argument("value").into());
    }
    let bytes = scalar.value_for(dtype, "value")?.to_element(dtype);
    Ok(Value::Scalar(bytes.ok_or_else(|| Error::new(&rule::INTERNAL, "a scalar that does not promote"))?))
}

fn finish(fail: Fail, name: &'static str) -> PyErr {
    match fail {
        Fail::Ours(error) => Fail::Ours(error.argument("key").function(name)).into(),
        Fail::Python(error) => error,
    }
}

#[pymethods]
impl PyArray {
    fn __getitem__<'py>(slf: &Bound<'py, Self>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let flags = settings::current(py)?;
        let run = || {
            let found = get(py, slf.get().array(), key, flags).and_then(|x| wrap(py, x));
            found.map_err(|e| finish(e, "__getitem__"))
        };
        dispatch::watched(slf, "__getitem__", &[key], run)
    }

    fn __setitem__<'py>(slf: &Bound<'py, Self>, key: &Bound<'py, PyAny>, value: &Bound<'py, PyAny>) -> PyResult<()> {
        let py = slf.py();
        let flags = settings::current(py)?;
        let run = || match set(py, slf.get().array(), key, value, flags) {
            Ok(()) => Ok(None::<Bound<'py, PyAny>>),
            Err(e) => Err(finish(e, "__setitem__")),
        };
        dispatch::watched(slf, "__setitem__", &[key, value], run).map(drop)
    }
}
