//! The array object: attributes, conversions, protocols. Operators, indexing and exchange have files of their own.

mod buffer;
mod dlpack;
mod indexing;
mod operators;
mod repr;
mod ufunc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyComplex, PyDict, PyFloat, PyInt, PyString, PyTuple};
use strictarray_core::{Array, DType, Device, Error, Kind, Result, Scalar, copy};
use strictarray_standard::{Feature, Version, relaxation, rule};

use crate::arguments::{has, later};
use crate::errors::{Fail, Outcome};
use crate::identity::Identity;
use crate::{device, dispatch, dtype, functions, namespace, parse, settings};

pub(crate) use buffer::{drain_releases, from_buffer, has_buffer, is_numpy_scalar};
pub(crate) use dlpack::from_dlpack;
pub(crate) use ufunc::ArrayUfunc;

/// An n-dimensional array of the array API standard, on an emulated device.
///
/// Arrays are made by creation functions such as `asarray`. For annotations the class is `strictarray.typing.Array`.
///
/// Operators call functions of the namespace, which say what they take, give and refuse. One side may be a Python scalar, but
/// for `@`; in-place forms keep dtype and shape. With objects of other libraries they give NotImplemented.
///
/// - `x + y` is add, `x - y` subtract, `x * y` multiply, `x / y` divide, `x // y` floor_divide, `x % y` remainder,
///   `x ** y` pow, `x @ y` matmul;
/// - `abs(x)` is abs, `-x` negative, `+x` positive, `~x` bitwise_invert;
/// - `x & y` is bitwise_and, `x | y` bitwise_or, `x ^ y` bitwise_xor, `x << y` bitwise_left_shift, `x >> y`
///   bitwise_right_shift;
/// - `x == y` is equal, `x != y` not_equal, `x < y` less, `x <= y` less_equal, `x > y` greater, `x >= y` greater_equal.
///
/// `x[key]` takes an int, slice or None for each axis, with `...` for those left out; or one boolean array; or an int or
/// integer array for each axis (since 2024.12). Ints and slices must be within bounds. All but arrays as keys give views.
/// `x[key] = value` takes the same keys but None and integer arrays; value must promote to the dtype of x and broadcast to
/// the selection. IndexError for other keys [index-type, index-flat, index-bounds, slice-bounds, mask-shape and others].
///
/// `bool(x)`, `int(x)`, `float(x)`, `complex(x)` and, of integers, `operator.index(x)` convert an array without axes, else
/// TypeError [scalar-conversion]. An array of one axis iterates over its elements. Arrays have no `len`, `in` and `hash`.
///
/// Examples
/// --------
/// >>> x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
/// >>> x[0, :] + 1
/// Array([2., 3.], dtype=strictarray.float64)
#[pyclass(frozen, module = "strictarray._strictarray", name = "Array", weakref)]
pub(crate) struct PyArray {
    inner: std::mem::ManuallyDrop<Array>,
    /// Shape and strides as DLPack writes them, for the exchange that borrows: made when first asked for.
    extents: std::sync::OnceLock<Box<[i64]>>,
}

impl PyArray {
    #[inline]
    pub(crate) fn array(&self) -> &Array {
        &self.inner
    }

    /// What the namespace that made it is called.
    pub(crate) fn identity(&self) -> Identity {
        Identity::of(self.inner.namespace())
    }

    fn extents(&self) -> &[i64] {
        self.extents.get_or_init(|| strictarray_core::dlpack_extents(&self.inner))
    }
}

impl Drop for PyArray {
    #[inline]
    fn drop(&mut self) {
        if !self.inner.buffer().is_borrowed() {
            // SAFETY: dropped here once, and never used after.
            unsafe { std::mem::ManuallyDrop::drop(&mut self.inner) }
            return;
        }
        keeping_exception(|| {
            // SAFETY: dropped here once, and never used after.
            unsafe { std::mem::ManuallyDrop::drop(&mut self.inner) }
            // The interpreter is attached here: buffers whose last user went away may go back to their exporters.
            drain_releases();
        });
    }
}

/// Runs what may end in another library's deleter, and puts an exception in flight back afterwards: a deleter that runs
/// Python code would lose it.
#[cold]
fn keeping_exception(run: impl FnOnce()) {
    // SAFETY: called where the interpreter destroys objects, so attached; what is fetched is put back.
    unsafe {
        let (mut kind, mut value, mut traceback) = (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        #[allow(deprecated, reason = "the stable ABI of 3.11 has no other way")]
        pyo3::ffi::PyErr_Fetch(&raw mut kind, &raw mut value, &raw mut traceback);
        run();
        #[allow(deprecated, reason = "the stable ABI of 3.11 has no other way")]
        pyo3::ffi::PyErr_Restore(kind, value, traceback);
    }
}

/// The Python object of an array.
#[inline]
pub(crate) fn wrap<'py>(py: Python<'py>, array: Array) -> Outcome<Bound<'py, PyAny>> {
    Ok(Bound::new(py, PyArray { inner: std::mem::ManuallyDrop::new(array), extents: Default::default() })?.into_any())
}

/// The sizes of a shape as a tuple.
pub(crate) fn shape_tuple<'py>(py: Python<'py>, shape: &[usize]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, shape)
}

fn fail(function: &'static str) -> impl Fn(Error) -> Fail {
    move |error| Fail::Ours(error.function(function))
}

/// The only value of a 0-d array, for a conversion to a Python scalar.
fn scalar_of(x: &Array, function: &'static str) -> Outcome<Scalar> {
    if x.ndim() != 0 {
        let got = format!("got an array of shape {}", strictarray_core::show_shape(x.shape()));
        return Err(fail(function)(Error::new(&rule::SCALAR_CONVERSION, got).argument("self")));
    }
    x.item().map_err(fail(function))
}

fn wrong_kind(x: &Array, function: &'static str, requires: &'static str) -> Fail {
    let error = Error::new(&rule::SCALAR_CONVERSION_KIND, format!("got an array of dtype {}", x.dtype()));
    fail(function)(error.requires(requires).argument("self"))
}

/// Refuses a conversion to a Python scalar of another kind than the array's in the version that had none.
#[inline]
fn later_kind(py: Python<'_>, own: bool, function: &'static str) -> Outcome<()> {
    if own {
        return Ok(());
    }
    since(py, function, Feature::Kind, "an array of another kind")
}

/// Refuses what came to a method later.
fn since(py: Python<'_>, function: &'static str, feature: Feature, got: &str) -> Outcome<()> {
    let version = settings::current(py)?.api_version;
    if has(version, function, feature) {
        return Ok(());
    }
    Err(fail(function)(later(version, function, feature, got).argument("self")))
}

impl PyArray {
    /// What a pickle holds beside the bytes of the elements.
    fn reduced<'py>(
        &self,
        py: Python<'py>,
        data: Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let x = self.array();
        let rebuild = py.import("strictarray._strictarray")?.getattr("_rebuild")?;
        let shape = shape_tuple(py, x.shape())?;
        let little = cfg!(target_endian = "little");
        let state = (x.dtype().name(), shape, x.device().name(), little, data, self.identity().name());
        Ok((rebuild, state.into_pyobject(py)?))
    }
}

/// The conversions of an array without axes to Python's scalars.
impl PyArray {
    fn to_bool(&self, py: Python<'_>) -> PyResult<bool> {
        let value = scalar_of(self.array(), "__bool__")?;
        later_kind(py, matches!(value, Scalar::Bool(_)), "__bool__")?;
        Ok(match value {
            Scalar::Bool(b) => b,
            Scalar::Int(i) => i != 0,
            Scalar::Float(v) => v != 0.0,
            Scalar::Complex(z) => z.re != 0.0 || z.im != 0.0,
        })
    }

    fn to_int<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let x = self.array();
        let value = scalar_of(x, "__int__")?;
        later_kind(py, matches!(value, Scalar::Int(_) | Scalar::Complex(_)), "__int__")?;
        match value {
            Scalar::Bool(b) => Ok(PyInt::new(py, i32::from(b)).into_any()),
            Scalar::Int(i) => Ok(i.into_pyobject(py)?.into_any()),
            Scalar::Float(v) if v.is_nan() => Err(fail("__int__")(Error::new(&rule::INT_OF_NAN, "got nan")).into()),
            Scalar::Float(v) if v.is_infinite() => {
                Err(fail("__int__")(Error::new(&rule::INT_OF_INF, format!("got {v}"))).into())
            }
            Scalar::Float(v) => PyFloat::new(py, v).call_method0("__int__"),
            Scalar::Complex(_) => Err(wrong_kind(x, "__int__", "a real dtype is required").into()),
        }
    }

    fn to_float(&self, py: Python<'_>) -> PyResult<f64> {
        let x = self.array();
        let value = scalar_of(x, "__float__")?;
        later_kind(py, matches!(value, Scalar::Float(_) | Scalar::Complex(_)), "__float__")?;
        Ok(match value {
            Scalar::Bool(b) => f64::from(u8::from(b)),
            Scalar::Int(i) => i as f64,
            Scalar::Float(v) => v,
            Scalar::Complex(_) => return Err(wrong_kind(x, "__float__", "a real dtype is required").into()),
        })
    }

    fn to_complex<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyComplex>> {
        since(py, "__complex__", Feature::Complex, "an array")?;
        let z = match scalar_of(self.array(), "__complex__")? {
            // The standard wants NaN in both parts of a real NaN.
            Scalar::Float(v) if v.is_nan() => strictarray_core::Complex::new(v, v),
            scalar => scalar.into(),
        };
        Ok(PyComplex::from_doubles(py, z.re, z.im))
    }

    /// The Python scalar of the array's own kind, read as its conversion reads it, between the hooks.
    pub(crate) fn read<'py>(slf: &Bound<'py, PyArray>) -> PyResult<Bound<'py, PyAny>> {
        let name = match slf.get().array().dtype().kind() {
            Kind::Bool => "__bool__",
            Kind::RealFloating => "__float__",
            Kind::ComplexFloating => "__complex__",
            _ => "__int__",
        };
        dispatch::watched(slf, name, &[], || slf.get().to_scalar(slf.py()))
    }

    /// The Python scalar of the array's own kind.
    fn to_scalar<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match scalar_of(self.array(), "__float__")? {
            Scalar::Bool(b) => pyo3::types::PyBool::new(py, b).to_owned().into_any(),
            Scalar::Int(i) => i.into_pyobject(py)?.into_any(),
            Scalar::Float(v) => PyFloat::new(py, v).into_any(),
            Scalar::Complex(z) => PyComplex::from_doubles(py, z.re, z.im).into_any(),
        })
    }

    fn to_index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let x = self.array();
        match scalar_of(x, "__index__")? {
            Scalar::Int(i) => Ok(i.into_pyobject(py)?.into_any()),
            _ => Err(wrong_kind(x, "__index__", "an integer dtype is required").into()),
        }
    }
}

#[pymethods]
impl PyArray {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<PyArray> {
        Err(fail("Array")(Error::new(&rule::CONSTRUCTOR, "Array() was called")).into())
    }

    /// The data type of the elements: one of the namespace's thirteen.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, dtype::PyDType>> {
        dtype::object(py, self.array().dtype(), self.identity())
    }

    /// The device that the array is on: what `device=` takes.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, device::PyDevice>> {
        device::object(py, self.array().device(), self.identity())
    }

    /// The number of axes, an int.
    #[getter]
    fn ndim(&self) -> usize {
        self.array().ndim()
    }

    /// The sizes of the axes, a tuple of ints.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        shape_tuple(py, self.array().shape())
    }

    /// The number of elements, an int: the product of the sizes.
    #[getter]
    fn size(&self) -> usize {
        self.array().size()
    }

    /// The transpose of a matrix. AttributeError and ValueError unless there are exactly two axes [T-needs-2d].
    #[getter(T)]
    fn transpose<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let x = self.array();
        if x.ndim() != 2 {
            let got = format!("got an array of shape {}", strictarray_core::show_shape(x.shape()));
            return Err(fail("T")(Error::new(&rule::NOT_A_MATRIX, got).argument("self")).into());
        }
        Ok(wrap(py, x.with_layout(x.layout().reversed()).map_err(fail("T"))?)?)
    }

    /// The transposes of matrices: the last two axes are swapped. AttributeError and ValueError with fewer axes [mT-needs-2d].
    #[getter(mT)]
    fn matrix_transpose<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let x = self.array();
        let layout = x.layout().matrix_transposed().ok_or_else(|| {
            let got = format!("got an array of shape {}", strictarray_core::show_shape(x.shape()));
            fail("mT")(Error::new(&rule::NOT_MATRICES, got).argument("self"))
        })?;
        Ok(wrap(py, x.with_layout(layout).map_err(fail("mT"))?)?)
    }

    /// The namespace of the standard that the array belongs to.
    ///
    /// Parameters
    /// ----------
    /// api_version : str or None, default None
    ///     a version of the standard; None: the one in force
    ///
    /// Returns
    /// -------
    /// module with the names of that version: the namespace itself for the version in force.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     api_version is not a str [version-type].
    /// ValueError
    ///     api_version is not a version of the standard [unknown-version].
    ///
    /// Examples
    /// --------
    /// >>> xp.zeros(3).__array_namespace__() is xp
    /// True
    #[pyo3(signature = (*, api_version=None))]
    fn __array_namespace__(&self, py: Python<'_>, api_version: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyModule>> {
        let version: Option<Version> =
            api_version.map(settings::version).transpose().map_err(|e| e.function("__array_namespace__"))?;
        namespace::of_version(py, self.identity(), version)
    }

    /// A copy on another device; on its own device the array itself.
    ///
    /// Parameters
    /// ----------
    /// device : Device
    ///     where the result is placed
    /// stream : None, default None
    ///     devices here have no streams
    ///
    /// Returns
    /// -------
    /// array of the same shape, data type and values on the device.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     device is not a device of this namespace [not-a-device]; it does not have the dtype [device-dtype]; stream is not
    ///     None [stream].
    ///
    /// Examples
    /// --------
    /// >>> xp.zeros(3).to_device(xp.Device("device1")).device
    /// strictarray.Device('device1')
    #[pyo3(signature = (device, /, *, stream=None))]
    fn to_device<'py>(
        slf: &Bound<'py, PyArray>,
        device: &Bound<'py, PyAny>,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let run = || -> Outcome<Bound<'py, PyAny>> {
            let target = parse::device(device, "device")?;
            if let Some(stream) = stream {
                return Err(Error::new(&rule::STREAM, format!("got {}", parse::show(stream)))
                    .argument("stream")
                    .into());
            }
            let x = slf.get().array();
            if x.device() == target {
                return Ok(slf.clone().into_any());
            }
            wrap(slf.py(), functions::transfer(slf.py(), x, target, None).map_err(|e| e.argument("device"))?)
        };
        let run = || Ok(run().map_err(|e| e.function("to_device"))?);
        if !dispatch::hooked() {
            return run();
        }
        let (py, keywords) = (slf.py(), PyDict::new(slf.py()));
        if let Some(stream) = stream {
            keywords.set_item("stream", stream)?;
        }
        let args = PyTuple::new(py, [slf.as_any(), device])?;
        dispatch::observed(py, "to_device", &args, Some(&keywords), settings::current(py)?, run)
    }

    fn __bool__(slf: &Bound<'_, Self>) -> PyResult<bool> {
        dispatch::watched(slf, "__bool__", &[], || slf.get().to_bool(slf.py()))
    }

    fn __int__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        dispatch::watched(slf, "__int__", &[], || slf.get().to_int(slf.py()))
    }

    fn __float__(slf: &Bound<'_, Self>) -> PyResult<f64> {
        dispatch::watched(slf, "__float__", &[], || slf.get().to_float(slf.py()))
    }

    /// The value of an array without axes as a Python complex.
    fn __complex__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyComplex>> {
        dispatch::watched(slf, "__complex__", &[], || slf.get().to_complex(slf.py()))
    }

    fn __index__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        dispatch::watched(slf, "__index__", &[], || slf.get().to_index(slf.py()))
    }

    /// What an attribute that the standard does not have is told by: the function to write instead.
    fn __getattr__(&self, py: Python<'_>, name: &Bound<'_, PyString>) -> PyResult<Py<PyAny>> {
        let name = name.to_string_lossy();
        // Their getters raised an AttributeError, which is why Python asks here: it stands.
        match &*name {
            "T" => return self.transpose(py).map(Bound::unbind),
            "mT" => return self.matrix_transpose(py).map(Bound::unbind),
            _ => {}
        }
        // The functions that other libraries have as methods, and where the names differ.
        let instead = match &*name {
            "copy" => Some("asarray(x, copy=True)".to_owned()),
            "item" | "tolist" => Some("float(x), int(x) or the like of each element".to_owned()),
            "flatten" | "ravel" => Some("reshape(x, (-1,))".to_owned()),
            "transpose" | "swapaxes" => Some("permute_dims(x, axes), x.T or x.mT".to_owned()),
            "dot" => Some("x @ y".to_owned()),
            "cpu" | "cuda" | "to" => Some("x.to_device(device)".to_owned()),
            "numpy" => Some("numpy.asarray(x), or numpy.from_dlpack(x), on the CPU".to_owned()),
            "conjugate" => Some("conj(x)".to_owned()),
            "cumsum" => Some("cumulative_sum(x)".to_owned()),
            "cumprod" => Some("cumulative_prod(x)".to_owned()),
            "nbytes" | "itemsize" | "strides" | "flags" | "base" | "data" => {
                Some("only shape, size, ndim, dtype and device".to_owned())
            }
            other => strictarray_standard::function(other).map(|f| format!("{}(x, ...)", f.name)),
        };
        let error = Error::new(&rule::NO_METHOD, format!("'Array' object has no attribute '{name}'"));
        let error = match instead {
            Some(instead) => error.requires(format!("{}: write {instead}", rule::NO_METHOD.requires)),
            None => error,
        };
        Err(Fail::Ours(error).into())
    }

    fn __delitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let refused = fail("__delitem__")(Error::new(&rule::DELETION, "del of elements of an array").argument("key"));
        dispatch::watched(slf, "__delitem__", &[key], || Err::<Option<Bound<'_, PyAny>>, _>(refused.into())).map(drop)
    }

    fn __hash__(slf: &Bound<'_, Self>) -> PyResult<isize> {
        dispatch::watched(slf, "__hash__", &[], || {
            Err(fail("__hash__")(Error::new(&rule::HASH, "hash() of an array").argument("self")).into())
        })
    }

    fn __contains__(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        dispatch::watched(slf, "__contains__", &[value], || {
            let x = slf.get();
            let passes = x.array().ndim() == 1 && parse::PyScalar::of(value)?.is_some();
            if passes && x.identity().relaxes(&relaxation::CONTAINS) {
                let equal = slf.as_any().rich_compare(value, pyo3::basic::CompareOp::Eq)?.cast_into::<PyArray>()?;
                return Ok(functions::utility::any_of(slf.py(), equal.get().array())?);
            }
            Err(fail("__contains__")(Error::new(&rule::CONTAINS, "`in` with an array").argument("self")).into())
        })
    }

    fn __iter__<'py>(slf: &Bound<'py, PyArray>) -> PyResult<Bound<'py, PyAny>> {
        dispatch::watched(slf, "__iter__", &[], || Ok(Bound::new(slf.py(), Elements::of(slf)?)?.into_any()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(repr::repr(py, self.array())?)
    }

    /// The text that `str` gives. A format is refused: numbers have formats.
    fn __format__<'py>(slf: &Bound<'py, PyArray>, spec: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        dispatch::watched(slf, "__format__", &[spec.as_any()], || {
            if spec.len()? == 0 {
                return Ok(slf.str()?.into_any());
            }
            let x = slf.get();
            if x.array().ndim() == 0 && x.identity().relaxes(&relaxation::FORMAT) {
                return x.to_scalar(slf.py())?.call_method1("__format__", (spec,));
            }
            let got = format!("got the format {}", spec.repr()?);
            Err(fail("__format__")(Error::new(&rule::FORMAT, got).argument("self")).into())
        })
    }

    /// A copy in memory of its own, on the same device.
    fn __copy__(slf: &Bound<'_, PyArray>) -> PyResult<Py<PyAny>> {
        Ok(wrap(slf.py(), functions::transfer(slf.py(), slf.get().array(), slf.get().array().device(), Some(true))?)?
            .unbind())
    }

    /// The same as `copy.copy`: elements hold no objects.
    #[pyo3(signature = (memo, /), text_signature = "($self, memo, /)")]
    fn __deepcopy__(slf: &Bound<'_, PyArray>, memo: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let _ = memo;
        PyArray::__copy__(slf)
    }

    /// What pickles hold: data type, shape, device and the bytes of the elements.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let x = self.array().to_c_contiguous().map_err(fail("__reduce__"))?;
        let bytes = x.size() * x.dtype().size();
        let data = PyBytes::new_with(py, bytes, |to| {
            // SAFETY: a contiguous array has this many bytes at its first element, which live as long as `x`.
            unsafe { copy::copy_bytes(to.as_mut_ptr(), x.ptr(), bytes) };
            Ok(())
        })?;
        self.reduced(py, data.into_any())
    }

    /// The same; from protocol 5 on the bytes are a `PickleBuffer`, which may travel beside the pickle without a copy.
    fn __reduce_ex__<'py>(
        slf: &Bound<'py, PyArray>,
        protocol: i32,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, x) = (slf.py(), slf.get().array());
        if protocol < 5 {
            return slf.get().__reduce__(py);
        }
        let host = if x.device() == Device::CPU && x.is_c_contiguous() {
            slf.clone().into_any()
        } else {
            let fail = fail("__reduce_ex__");
            let x = x.to_c_contiguous().map_err(&fail)?;
            wrap(py, if x.device() == Device::CPU { x } else { functions::transfer(py, &x, Device::CPU, None)? })?
        };
        let data = py.import("pickle")?.getattr("PickleBuffer")?.call1((host,))?;
        slf.get().reduced(py, data)
    }

    /// NumPy's view of an array on the CPU: it shares memory unless a dtype or `copy` asks for a copy.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, PyArray>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.get().array().host_shared(&rule::HOST_READ).map_err(|e| fail("__array__")(e.argument("self")))?;
        let py = slf.py();
        let view = py.import("builtins")?.getattr("memoryview")?.call1((slf,))?;
        let asarray = py.import("numpy")?.getattr("asarray")?;
        let kwargs = PyDict::new(py);
        kwargs.set_item("dtype", dtype)?;
        if let Some(copy) = copy {
            kwargs.set_item("copy", copy)?;
        }
        asarray.call((view,), Some(&kwargs))
    }

    /// None, but where the stand-in is in force.
    #[classattr]
    #[pyo3(name = "__array_ufunc__")]
    const __ARRAY_UFUNC__: ArrayUfunc = ArrayUfunc;
}

/// An array from what a pickle holds. Bytes that are not Python's own `bytes` have come without a copy, and stay where they
/// are if an array can lie there.
#[pyfunction]
#[pyo3(name = "_rebuild", signature = (dtype, shape, device, little_endian, data, library="strictarray"))]
pub(crate) fn rebuild<'py>(
    py: Python<'py>,
    dtype: &str,
    shape: Vec<usize>,
    device: &str,
    little_endian: bool,
    data: &Bound<'py, PyAny>,
    library: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let bad = || Error::new(&rule::VALUE, "a pickle that does not fit").requires("the pickle must be whole");
    let build = || -> Outcome<Array> {
        let dtype: DType = dtype.parse().map_err(|()| bad())?;
        let namespace = Identity::from_name(library).ok_or_else(bad)?.namespace(None);
        let device = Device::from_name(device)?;
        let own_order = little_endian == cfg!(target_endian = "little");
        if let Ok(bytes) = data.cast::<PyBytes>() {
            return Ok(of_bytes(bytes.as_bytes(), &shape, dtype, device, own_order)?.in_namespace(namespace));
        }
        let lent = buffer::from_buffer(data, None)?.ok_or_else(|| {
            pyo3::exceptions::PyTypeError::new_err("the elements of a pickled array must be bytes or a buffer")
        })?;
        let stays = device == Device::CPU && own_order && !lent.read_only();
        if stays && let Some(array) = lent.reinterpreted(&shape, dtype)? {
            return Ok(array.in_namespace(namespace));
        }
        let lent = lent.to_c_contiguous()?;
        let bytes = lent.size() * lent.dtype().size();
        // SAFETY: a contiguous array has this many bytes at its first element, which live as long as `lent`. Its memory may
        // be another program part's, which must not write to it now: as in every call that reads an array.
        let bytes = unsafe { std::slice::from_raw_parts(lent.ptr(), bytes) };
        Ok(of_bytes(bytes, &shape, dtype, device, own_order)?.in_namespace(namespace))
    };
    Ok(wrap(py, build().map_err(|e| e.function("unpickle"))?)?)
}

/// An array of the elements that these bytes are, in this machine's order or the other.
fn of_bytes(data: &[u8], shape: &[usize], dtype: DType, device: Device, own_order: bool) -> Result<Array> {
    let x = Array::uninit(shape, dtype, device)?;
    if data.len() != x.size() * dtype.size() {
        return Err(Error::new(&rule::VALUE, "a pickle that does not fit").requires("the pickle must be whole"));
    }
    let part = if dtype.is_complex() { dtype.size() / 2 } else { dtype.size() };
    // SAFETY: as many bytes as the fresh array in C order has, ours alone; the pool's blocks may be unset, so they are
    // written before they are seen as a slice.
    let bytes = unsafe {
        copy::copy_bytes(x.ptr(), data.as_ptr(), data.len());
        std::slice::from_raw_parts_mut(x.ptr(), data.len())
    };
    if !own_order {
        bytes.chunks_exact_mut(part).for_each(<[u8]>::reverse);
    }
    Ok(x)
}

/// The elements of a 1-d array as 0-d arrays.
#[pyclass(frozen, module = "strictarray._strictarray", name = "_Elements")]
pub(crate) struct Elements {
    array: Py<PyArray>,
    next: std::sync::atomic::AtomicUsize,
}

impl Elements {
    fn of(slf: &Bound<'_, PyArray>) -> PyResult<Elements> {
        let x = slf.get().array();
        if x.ndim() != 1 {
            let got = format!("got an array of shape {}", strictarray_core::show_shape(x.shape()));
            return Err(fail("__iter__")(Error::new(&rule::ITERATION, got).argument("self")).into());
        }
        since(slf.py(), "__iter__", Feature::Iteration, "a 1-d array")?;
        Ok(Elements { array: slf.clone().unbind(), next: std::sync::atomic::AtomicUsize::new(0) })
    }
}

#[pymethods]
impl Elements {
    fn __iter__(slf: Bound<'_, Elements>) -> Bound<'_, Elements> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let x = self.array.get().array();
        let i = self.next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if i >= x.size() {
            // Stay at the end, however often it is asked.
            self.next.store(x.size(), std::sync::atomic::Ordering::Relaxed);
            return Ok(None);
        }
        let key = [strictarray_core::index::Index::Int(i as isize)];
        let element = strictarray_core::index::select(x.layout(), &key).and_then(|l| x.with_layout(l));
        Ok(Some(wrap(py, element.map_err(fail("__next__"))?)?))
    }
}

/// How many arrays and how many exports live on an array's block: for tests of life cycles.
#[pyfunction]
#[pyo3(name = "_counts")]
pub(crate) fn counts(array: &Bound<'_, PyArray>) -> (u64, u64) {
    let buffer = array.get().array().buffer();
    (buffer.arrays(), buffer.exports())
}
