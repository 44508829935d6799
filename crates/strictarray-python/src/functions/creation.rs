//! Creation functions.

use pyo3::exceptions::{PyAttributeError, PyModuleNotFoundError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use strictarray_core::{Array, Complex, DType, DTypeSet, Device, Dims, ElementBytes, Error, Kind, Scalar, show_shape};
use strictarray_kernels::{creation as kernel, elementwise};
use strictarray_standard::{ScalarKinds, promote_scalar, relaxation, rule};

use super::elementwise::no_kernel;
use super::{recast, run_kernel, transfer};
use crate::array::{self, PyArray, wrap};
use crate::dispatch::{Call, Handler};
use crate::errors::{Fail, Outcome};
use crate::once::Once;
use crate::parse::{self, PyScalar, type_name};

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    Some(match name {
        "arange" => arange,
        "asarray" => asarray,
        "empty" | "ones" | "zeros" => filled,
        "empty_like" | "ones_like" | "zeros_like" => filled_like,
        "eye" => eye,
        "from_dlpack" => array::from_dlpack,
        "full" => full,
        "full_like" => full_like,
        "linspace" => linspace,
        "meshgrid" => meshgrid,
        "tril" | "triu" => triangle,
        _ => return None,
    })
}

/// The result, in the call's namespace.
fn finish<'py>(call: &Call<'_, 'py>, array: Array) -> Outcome<Bound<'py, PyAny>> {
    wrap(call.py, array.in_namespace(call.namespace))
}

/// An array of zeros, ones, or any values, as the function's name says.
fn of_shape(name: &str, shape: &[usize], dtype: DType, device: Device) -> Outcome<Array> {
    device.check(dtype).map_err(|e| e.argument("dtype"))?;
    let made = if name.starts_with("ones") {
        let one = Scalar::Bool(true).to_element(dtype);
        Array::full(shape, one.ok_or_else(|| Error::new(&rule::INTERNAL, "one"))?, dtype, device)
    } else if name.starts_with("empty") && dtype != DType::Bool {
        Array::uninit(shape, dtype, device)
    } else {
        // Bytes that another array left are no bools.
        Array::zeros(shape, dtype, device)
    };
    Ok(made.map_err(|e| e.argument("shape"))?)
}

fn filled<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let shape = call.shape(0)?;
    let device = call.device_or_none(2)?.unwrap_or(Device::CPU);
    let dtype = call.dtype_or_none(1)?.unwrap_or(device.defaults().real_floating);
    finish(call, of_shape(call.row.name, &shape, dtype, device)?)
}

fn filled_like<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let device = call.device_or_none(2)?.unwrap_or(x.device());
    let dtype = call.dtype_or_none(1)?.unwrap_or(x.dtype());
    finish(call, of_shape(call.row.name, x.shape(), dtype, device)?)
}

/// The element that a fill value is: it must promote to the data type, and an int must be in range.
fn fill_element(call: &Call<'_, '_>, value: &PyScalar<'_>, dtype: DType, name: &'static str) -> Outcome<ElementBytes> {
    let refuse = || loses_kind(value.type_name(), dtype, name);
    if promote_scalar(dtype, value.kind()) == Some(dtype) {
        return Ok(value.value_for(dtype, name)?.to_element(dtype).ok_or_else(refuse)?);
    }
    match value {
        PyScalar::Small(scalar) if call.relaxes(&relaxation::CREATION_CASTS) => {
            let cast = scalar.cast_to_kind(dtype).ok_or_else(refuse)?;
            let out_of_range = || parse::out_of_range(&parse::shown(*scalar), dtype, name);
            Ok(cast.to_element(dtype).ok_or_else(out_of_range)?)
        }
        _ => Err(refuse().into()),
    }
}

#[cold]
fn loses_kind(kind: &str, dtype: DType, name: &'static str) -> Error {
    Error::new(&rule::CREATION_CAST, format!("got a Python {kind} for dtype {dtype}")).argument(name)
}

/// The default data type of a Python scalar's kind on a device.
fn default_for(kind: ScalarKinds, device: Device) -> DType {
    let defaults = device.defaults();
    match kind {
        ScalarKinds::BOOL => DType::Bool,
        ScalarKinds::INT => defaults.integral,
        ScalarKinds::FLOAT => defaults.real_floating,
        _ => defaults.complex_floating,
    }
}

fn full<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let shape = call.shape(0)?;
    let value = call.scalar(1)?;
    let device = call.device_or_none(3)?.unwrap_or(Device::CPU);
    let dtype = call.dtype_or_none(2)?.unwrap_or(default_for(value.kind(), device));
    device.check(dtype).map_err(|e| e.argument("dtype"))?;
    let element = fill_element(call, &value, dtype, call.name(1))?;
    finish(call, Array::full(&shape, element, dtype, device).map_err(|e| e.argument("shape"))?)
}

fn full_like<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let value = call.scalar(1)?;
    let device = call.device_or_none(3)?.unwrap_or(x.device());
    let dtype = call.dtype_or_none(2)?.unwrap_or(x.dtype());
    device.check(dtype).map_err(|e| e.argument("dtype"))?;
    let element = fill_element(call, &value, dtype, call.name(1))?;
    finish(call, Array::full(x.shape(), element, dtype, device)?)
}

/// The data type of another kind than a range has, where that passes: its numbers are cast to it.
fn cast_after(call: &Call<'_, '_>, kind: impl Fn(&DType) -> bool) -> Outcome<Option<DType>> {
    match call.some(3) {
        Some(asked) if call.relaxes(&relaxation::RANGE_DTYPES) => {
            Ok(Some(parse::dtype(asked, call.name(3))?).filter(kind))
        }
        _ => Ok(None),
    }
}

/// The first number and the step of integers that NumPy makes of a range of floats: those of the first two numbers, cast.
fn truncated(start: Scalar, step: Scalar) -> (Scalar, Scalar) {
    let [start, step] = [start, step].map(|scalar| Complex::<f64>::from(scalar).re);
    let (first, second) = (start.trunc() as i128, (start + step).trunc() as i128);
    (Scalar::Int(first), Scalar::Int(second.saturating_sub(first)))
}

fn arange<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let first = call.scalar(0)?;
    let (start, stop) = match call.scalar_or_none(1)? {
        Some(stop) => (first, stop),
        None => (PyScalar::Small(Scalar::Int(0)), first),
    };
    let step = call.scalar_or_none(2)?.unwrap_or(PyScalar::Small(Scalar::Int(1)));
    let device = call.device_or_none(4)?.unwrap_or(Device::CPU);
    let kinds = [&start, &stop, &step].map(PyScalar::kind);
    let kind = if kinds.contains(&ScalarKinds::FLOAT) { ScalarKinds::FLOAT } else { ScalarKinds::INT };
    let cast = cast_after(call, |dtype| {
        let floats = kind == ScalarKinds::FLOAT && dtype.is_integer();
        dtype.is_complex() || *dtype == DType::Bool || floats
    })?;
    // Integers are computed as such; complex numbers and bools are cast in the end.
    let (dtype, on) = match cast {
        Some(cast) if cast.is_integer() => (cast, device),
        Some(_) => (default_for(kind, Device::CPU), Device::CPU),
        None => (call.dtype_or_none(3)?.unwrap_or(default_for(kind, device)), device),
    };
    device.check(cast.unwrap_or(dtype)).map_err(|e| e.argument("dtype"))?;
    if cast.is_none() && dtype.is_integer() && kinds.contains(&ScalarKinds::FLOAT) {
        return Err(loses_kind("float", dtype, "dtype").into());
    }
    // Ints are computed as ints, however the data type rounds them in the end.
    let value = |scalar: &PyScalar<'_>, name: &'static str| match scalar {
        PyScalar::Small(scalar) => Ok(*scalar),
        PyScalar::Huge(_) => scalar.value_for(dtype, name),
    };
    let (start, stop, step) = (value(&start, "start")?, value(&stop, "stop")?, value(&step, "step")?);
    if matches!(step, Scalar::Int(0)) || matches!(step, Scalar::Float(s) if s == 0.0) {
        return Err(Error::new(&rule::STEP_ZERO, "got 0").argument("step").into());
    }
    let len = kernel::arange_len(start, stop, step)?;
    if cast == Some(DType::Bool) && len > 2 {
        let requires = "arange() is only supported for booleans when the result has at most length 2";
        let error = Error::new(&rule::DTYPE_ARGUMENT, format!("got bool for {len} numbers")).requires(requires);
        return Err(error.argument("dtype").into());
    }
    let (start, step) = if cast == Some(dtype) { truncated(start, step) } else { (start, step) };
    if len > 0
        && dtype.is_integer()
        && let (Scalar::Int(a), Scalar::Int(s)) = (start, step)
    {
        let last = Scalar::Int(a.saturating_add(s.saturating_mul(len as i128 - 1)));
        for (end, name) in [(start, if call.some(1).is_some() { "start" } else { "stop" }), (last, "stop")] {
            if !end.in_range(dtype) {
                return Err(parse::out_of_range(&parse::shown(end), dtype, name).into());
            }
        }
    }
    let result = Array::uninit(&[len], dtype, on).map_err(|e| e.argument("stop"))?;
    run_kernel(call.py, len, |ctx| kernel::arange(ctx, &result.operand(), start, step))?;
    match cast {
        Some(cast) => finish(call, recast(call.py, &result, cast, device)?),
        None => finish(call, result),
    }
}

fn linspace<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let (start, stop) = (call.scalar(0)?, call.scalar(1)?);
    let num = call.size(2)?.unwrap_or_default();
    let device = call.device_or_none(4)?.unwrap_or(Device::CPU);
    let endpoint = call.bool(5, true)?;
    let complex = [&start, &stop].iter().any(|s| s.kind() == ScalarKinds::COMPLEX);
    let kind = if complex { ScalarKinds::COMPLEX } else { ScalarKinds::FLOAT };
    let cast = cast_after(call, |dtype| dtype.is_integer() || *dtype == DType::Bool)?;
    let dtype = match cast {
        Some(cast) => cast,
        None => call.dtype_or_none(3)?.unwrap_or(default_for(kind, device)),
    };
    device.check(dtype).map_err(|e| e.argument("dtype"))?;
    if complex && !dtype.is_complex() {
        return Err(loses_kind("complex", dtype, "dtype").into());
    }
    let (dtype, on) = if cast.is_some() { (DType::Float64, Device::CPU) } else { (dtype, device) };
    let value = |scalar: &PyScalar<'_>, name| Ok::<Complex<f64>, Fail>(scalar.value_for(dtype, name)?.into());
    let (start, stop) = (value(&start, call.name(0))?, value(&stop, call.name(1))?);
    let result = Array::uninit(&[num], dtype, on).map_err(|e| e.argument("num"))?;
    run_kernel(call.py, num, |ctx| kernel::linspace(ctx, &result.operand(), start, stop, endpoint))?;
    let Some(cast) = cast else { return finish(call, result) };
    if cast.is_integer() {
        // NumPy's integers are the floors.
        let floor = elementwise::unary("floor").ok_or_else(no_kernel)?;
        run_kernel(call.py, num, |ctx| floor(ctx, &result.operand(), &result.operand()))?;
    }
    finish(call, recast(call.py, &result, cast, device)?)
}

fn eye<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let rows = call.size(0)?.unwrap_or_default();
    let columns = call.size(1)?.unwrap_or(rows);
    let k = call.int(2, 0)?;
    let device = call.device_or_none(4)?.unwrap_or(Device::CPU);
    let dtype = call.dtype_or_none(3)?.unwrap_or(device.defaults().real_floating);
    device.check(dtype).map_err(|e| e.argument("dtype"))?;
    let result = Array::zeros(&[rows, columns], dtype, device).map_err(|e| e.argument("n_rows"))?;
    run_kernel(call.py, result.size(), |ctx| kernel::eye(ctx, &result.operand(), k))?;
    finish(call, result)
}

fn triangle<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let k = call.int(1, 0)?;
    if x.ndim() < 2 {
        let got = format!("got an array of shape {}", show_shape(x.shape()));
        return Err(Error::new(&rule::NDIM_TWO, got).argument(call.name(0)).into());
    }
    let lower = call.row.name == "tril";
    let result = Array::uninit(x.shape(), x.dtype(), x.device())?;
    run_kernel(call.py, result.size(), |ctx| kernel::triangle(ctx, &result.operand(), &x.operand(), k, lower))?;
    finish(call, result)
}

fn meshgrid<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    // 'xy', the first of the texts, or 'ij'.
    let swap = call.choice(1)? != Some(1);
    let arrays = match call.relaxes(&relaxation::MESHGRID_BOOL) {
        true => call.arrays_of(0, DTypeSet::ALL)?,
        false => call.arrays(0)?,
    };
    let name = call.name(0);
    for x in &arrays {
        if x.ndim() != 1 {
            let got = format!("got an array of shape {}", show_shape(x.shape()));
            let error = Error::new(&rule::VALUE, got).requires("1-d (one-dimensional) arrays are required");
            return Err(error.argument(name).into());
        }
        if arrays[0].dtype() != x.dtype() {
            let got = format!("got arrays of dtype {} and {}", arrays[0].dtype(), x.dtype());
            let requires = "all arrays must have one data type";
            return Err(Error::new(&rule::DTYPE_KIND, got).requires(requires).argument(name).into());
        }
    }
    let n = arrays.len();
    strictarray_core::check_ndim(n).map_err(|e| e.argument(name))?;
    // Where 'xy' swaps the first two axes, the first two arrays vary along each other's.
    let axis_of = |i: usize| if swap && n >= 2 && i < 2 { 1 - i } else { i };
    let mut shape = Dims::from_elem(1, n);
    for (i, x) in arrays.iter().enumerate() {
        shape[axis_of(i)] = x.size();
    }
    let mut results = Vec::with_capacity(n);
    for (i, x) in arrays.iter().enumerate() {
        let mut along = Dims::from_elem(1, n);
        along[axis_of(i)] = x.size();
        let mut strides = strictarray_core::Strides::from_elem(0, n);
        strides[axis_of(i)] = x.layout().strides()[0];
        let thin = x.with_layout(strictarray_core::Layout::new(along, strides, x.layout().offset()))?;
        let wide = thin.with_layout(thin.layout().broadcast_to(&shape)?)?;
        let grid = run_kernel(call.py, wide.size(), |_| wide.to_owned_copy())?;
        results.push(finish(call, grid)?);
    }
    call.several(results)
}

// ---- asarray ---------------------------------------------------------------------------------------------------

fn asarray<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let object = call.required(0)?;
    let (dtype, device, copy) = (call.dtype_or_none(1)?, call.device_or_none(2)?, call.bool_or_none(3)?);
    if let Ok(x) = object.cast_exact::<PyArray>() {
        let array = x.get().array();
        let same = dtype.is_none_or(|d| d == array.dtype()) && device.is_none_or(|d| d == array.device());
        if same && copy != Some(true) {
            return call.same(x);
        }
        return finish(call, converted(call, array, dtype, device, copy)?);
    }
    let target = device.unwrap_or(Device::CPU);
    let refusal = match of_scalars(call, object, dtype, target, copy) {
        Ok(Some(array)) => return finish(call, array),
        Ok(None) => match array::from_buffer(object, copy)? {
            Some(array) => return finish(call, converted(call, &array, dtype, Some(target), copy)?),
            None => not_convertible(call, object),
        },
        Err(Fail::Ours(refusal)) => refusal,
        Err(python) => return Err(python),
    };
    if call.relaxes(&relaxation::ASARRAY_BY_NUMPY)
        && relaxation::ASARRAY_BY_NUMPY.lifts.iter().any(|rule| rule.id == refusal.rule().id)
        && copy != Some(false)
        && let Some(array) = by_numpy(object, dtype)?
    {
        let dtype = dtype.or_else(|| (!target.supports(array.dtype())).then(|| default_like(array.dtype(), target)));
        return finish(call, converted(call, &array, dtype, Some(target), copy)?);
    }
    Err(refusal.into())
}

/// The array of a Python scalar, or of a (nested) sequence of them; `None` for other objects.
fn of_scalars(
    call: &Call<'_, '_>,
    object: &Bound<'_, PyAny>,
    dtype: Option<DType>,
    device: Device,
    copy: Option<bool>,
) -> Outcome<Option<Array>> {
    let Some(mut nested) = Nested::of(object)? else { return Ok(None) };
    if copy == Some(false) {
        let got = format!("got {}", parse::type_name(object));
        return Err(Error::new(&rule::COPY_NEEDED, got).argument("copy").into());
    }
    if let Some(dtype) = dtype
        && call.relaxes(&relaxation::CREATION_CASTS)
    {
        nested.cast(dtype);
    }
    Ok(Some(nested.into_array(dtype, device)?))
}

/// The device's default data type of the same kind.
fn default_like(dtype: DType, device: Device) -> DType {
    default_for(
        match dtype.kind() {
            Kind::Bool => ScalarKinds::BOOL,
            Kind::RealFloating => ScalarKinds::FLOAT,
            Kind::ComplexFloating => ScalarKinds::COMPLEX,
            _ => ScalarKinds::INT,
        },
        device,
    )
}

/// What NumPy makes of its scalars, and of sequences that hold them or sequences of arrays; `None` for other objects, and where
/// it makes nothing that is an array of the standard.
#[cold]
fn by_numpy(object: &Bound<'_, PyAny>, dtype: Option<DType>) -> Outcome<Option<Array>> {
    let py = object.py();
    let of_arrays = match Sequence::of(object)? {
        Some(sequence) => {
            let mut items = (0..sequence.len()).map(|i| sequence.item(i));
            items.any(|item| item.is_ok_and(|item| item.cast_exact::<PyArray>().is_ok()))
        }
        None => !array::is_numpy_scalar(object)?,
    };
    if of_arrays {
        return Ok(None);
    }
    let asarray = match py.import("numpy").and_then(|numpy| numpy.getattr("asarray")) {
        Ok(asarray) => asarray,
        // There is none, or it has just begun to be: then nothing is made by it.
        Err(error) if error.is_instance_of::<PyModuleNotFoundError>(py) => return Ok(None),
        Err(error) if error.is_instance_of::<PyAttributeError>(py) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let keywords = PyDict::new(py);
    keywords.set_item("dtype", dtype.map(DType::name))?;
    match asarray.call((object,), Some(&keywords)) {
        Ok(array) => Ok(array::from_buffer(&array, None).unwrap_or_default()),
        // Where NumPy refuses too, the first refusal tells more; any other exception is that of code of the user's.
        Err(error) if error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyValueError>(py) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cold]
fn not_convertible(call: &Call<'_, '_>, object: &Bound<'_, PyAny>) -> Error {
    let exporter = object.get_type().hasattr("__dlpack__").unwrap_or(false);
    let mut requires = format!("The {} namespace: {}", call.identity().name(), rule::ASARRAY_OBJECT.requires);
    if exporter {
        requires += "; a DLPack exporter is taken in by from_dlpack()";
    }
    let error = Error::new(&rule::ASARRAY_OBJECT, format!("got {}", parse::show(object)));
    error.requires(requires).argument(call.name(0))
}

/// An array in the data type, on the device, copied or not, as asked.
fn converted(
    call: &Call<'_, '_>,
    x: &Array,
    dtype: Option<DType>,
    device: Option<Device>,
    copy: Option<bool>,
) -> Outcome<Array> {
    let dtype = dtype.unwrap_or(x.dtype());
    let device = device.unwrap_or(x.device());
    device.check(dtype).map_err(|e| e.argument(if device == x.device() { "dtype" } else { "device" }))?;
    if dtype == x.dtype() {
        return transfer(call.py, x, device, copy);
    }
    let keeps_kind = match (x.dtype().kind(), dtype.kind()) {
        (_, Kind::Bool) => false,
        (Kind::ComplexFloating, to) => to == Kind::ComplexFloating,
        (Kind::RealFloating, to) => matches!(to, Kind::RealFloating | Kind::ComplexFloating),
        _ => true,
    };
    let cast = !x.dtype().is_complex() && call.relaxes(&relaxation::CREATION_CASTS);
    if !keeps_kind && !cast {
        let got = format!("got an array of dtype {} for dtype {dtype}", x.dtype());
        return Err(Error::new(&rule::CREATION_CAST, got).argument("dtype").into());
    }
    if copy == Some(false) {
        let got = format!("got an array of dtype {} for dtype {dtype}", x.dtype());
        return Err(Error::new(&rule::COPY_NEEDED, got).argument("copy").into());
    }
    recast(call.py, x, dtype, device)
}

/// A Python scalar, or a (nested) sequence of them: the scalars in C order and the shape.
struct Nested {
    scalars: Vec<Scalar>,
    shape: Dims,
    kind: ScalarKinds,
    /// An int that only a floating-point data type can take.
    huge: Option<f64>,
}

enum Sequence<'a, 'py> {
    List(&'a Bound<'py, PyList>),
    Tuple(&'a Bound<'py, PyTuple>),
    /// What any other sequence holds: a range, a deque, a class of the user's.
    Other(Bound<'py, PyList>),
}

fn sequence_class<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyAny>> {
    static CLASS: Once<Py<PyAny>> = Once::new();
    let class = || Ok::<_, PyErr>(py.import("collections.abc")?.getattr("Sequence")?.unbind());
    Ok(CLASS.get_or_try_init(py, class)?.bind(py))
}

impl<'a, 'py> Sequence<'a, 'py> {
    /// A list, a tuple or another registered sequence; `None` for text, buffers and all else.
    fn of(value: &'a Bound<'py, PyAny>) -> Outcome<Option<Sequence<'a, 'py>>> {
        if let Ok(list) = value.cast::<PyList>() {
            return Ok(Some(Sequence::List(list)));
        }
        if let Ok(tuple) = value.cast::<PyTuple>() {
            return Ok(Some(Sequence::Tuple(tuple)));
        }
        // Most values are scalars: they are kept away from the slow check of abstract classes.
        let plain = value.is_none() || value.is_instance_of::<PyString>() || PyScalar::of(value)?.is_some();
        if plain || array::has_buffer(value) || !value.is_instance(sequence_class(value.py())?)? {
            return Ok(None);
        }
        // No more than the length says is read: what lies about it may never end.
        let length = value.len()?;
        let list = PyList::empty(value.py());
        for item in value.try_iter()?.take(length.saturating_add(1)) {
            list.append(item?)?;
        }
        if list.len() != length {
            let items = if list.len() > length { "more".to_owned() } else { list.len().to_string() };
            let got = format!("got {} of length {length} that gives {items} items", type_name(value));
            return Err(Error::new(&rule::ASARRAY_RAGGED, got).argument("obj").into());
        }
        Ok(Some(Sequence::Other(list)))
    }

    fn len(&self) -> usize {
        match self {
            Sequence::List(list) => list.len(),
            Sequence::Tuple(tuple) => tuple.len(),
            Sequence::Other(list) => list.len(),
        }
    }

    fn item(&self, i: usize) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Sequence::List(list) => list.get_item(i),
            Sequence::Tuple(tuple) => tuple.get_item(i),
            Sequence::Other(list) => list.get_item(i),
        }
    }
}

/// A list that other code changes while it is read.
#[cold]
fn changes() -> Fail {
    Error::new(&rule::ASARRAY_RAGGED, "got a sequence that changes while it is read").argument("obj").into()
}

impl Nested {
    /// Makes the scalars ones of a data type's kind, where they may be cast to it.
    fn cast(&mut self, dtype: DType) {
        for scalar in &mut self.scalars {
            if let Some(cast) = scalar.cast_to_kind(dtype) {
                *scalar = cast;
            }
        }
        if dtype == DType::Bool {
            self.huge = None;
        }
    }

    /// `None` for an object that is neither a Python scalar nor a sequence.
    fn of(object: &Bound<'_, PyAny>) -> Outcome<Option<Nested>> {
        let mut nested = Nested { scalars: Vec::new(), shape: Dims::new(), kind: ScalarKinds::BOOL, huge: None };
        if let Some(scalar) = PyScalar::of(object)? {
            nested.push(&scalar)?;
            return Ok(Some(nested));
        }
        let Some(sequence) = Sequence::of(object)? else { return Ok(None) };
        nested.measure(&sequence)?;
        nested.fill(&sequence, 0)?;
        if nested.scalars.is_empty() {
            nested.kind = ScalarKinds::FLOAT;
        }
        Ok(Some(nested))
    }

    /// The shape, from the first items all the way down.
    fn measure(&mut self, sequence: &Sequence<'_, '_>) -> Outcome<()> {
        strictarray_core::check_ndim(self.shape.len() + 1).map_err(|e| e.argument("obj"))?;
        self.shape.push(sequence.len());
        if sequence.len() > 0 {
            let first = sequence.item(0)?;
            if let Some(inner) = Sequence::of(&first)? {
                self.measure(&inner)?;
            }
        }
        Ok(())
    }

    fn fill(&mut self, sequence: &Sequence<'_, '_>, depth: usize) -> Outcome<()> {
        if sequence.len() != self.shape[depth] {
            let got = format!("got a sequence of length {} beside one of length {}", sequence.len(), self.shape[depth]);
            return Err(Error::new(&rule::ASARRAY_RAGGED, got).argument("obj").into());
        }
        let last = depth + 1 == self.shape.len();
        for i in 0..self.shape[depth] {
            if i >= sequence.len() {
                return Err(changes());
            }
            let item = sequence.item(i)?;
            if last && let Some(scalar) = PyScalar::of(&item)? {
                self.push(&scalar)?;
                continue;
            }
            match (Sequence::of(&item)?, last) {
                (Some(inner), false) => self.fill(&inner, depth + 1)?,
                (None, _) if PyScalar::of(&item)?.is_none() => {
                    let got = format!("got a sequence that holds {}", parse::show(&item));
                    return Err(Error::new(&rule::ASARRAY_OBJECT, got).argument("obj").into());
                }
                _ => {
                    let got = "got a sequence that holds scalars beside sequences";
                    return Err(Error::new(&rule::ASARRAY_RAGGED, got).argument("obj").into());
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, scalar: &PyScalar<'_>) -> Outcome<()> {
        let rank = |kind: ScalarKinds| match kind {
            ScalarKinds::BOOL => 0,
            ScalarKinds::INT => 1,
            ScalarKinds::FLOAT => 2,
            _ => 3,
        };
        if rank(scalar.kind()) > rank(self.kind) {
            self.kind = scalar.kind();
        }
        let value = match scalar {
            PyScalar::Small(scalar) => *scalar,
            PyScalar::Huge(_) => {
                let value = scalar.value_for(DType::Float64, "obj")?;
                if let Scalar::Float(float) = value {
                    self.huge = Some(float);
                }
                value
            }
        };
        self.scalars.try_reserve(1).map_err(|_| Error::new(&rule::MEMORY, "a long sequence"))?;
        self.scalars.push(value);
        Ok(())
    }

    fn into_array(self, dtype: Option<DType>, device: Device) -> Outcome<Array> {
        let dtype = dtype.unwrap_or_else(|| default_for(self.kind, device));
        device.check(dtype).map_err(|e| e.argument("dtype"))?;
        if let Some(huge) = self.huge
            && !dtype.is_floating()
        {
            return Err(parse::out_of_range(&format!("an int of about {huge:e}"), dtype, "obj").into());
        }
        let array = Array::uninit(&self.shape, dtype, device)?;
        let (to, item) = (array.ptr(), dtype.size());
        if self.scalars.len() != array.size() {
            return Err(changes());
        }
        for (i, scalar) in self.scalars.iter().enumerate() {
            if let (Scalar::Float(value), DType::Float64) = (*scalar, dtype) {
                // SAFETY: element i of a fresh float64 array in C order, ours alone.
                unsafe { to.cast::<f64>().add(i).write(value) };
                continue;
            }
            let Some(element) = scalar.to_element(dtype) else {
                return Err(if scalar.fits_kind(dtype) {
                    parse::out_of_range(&parse::shown(*scalar), dtype, "obj").into()
                } else {
                    loses_kind(scalar.type_name(), dtype, "obj").into()
                });
            };
            // SAFETY: element i of a fresh array in C order, ours alone; 16 bytes hold any element.
            unsafe { std::ptr::copy_nonoverlapping(element.0.as_ptr(), to.add(i * item), item) };
        }
        Ok(array)
    }
}
