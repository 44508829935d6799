//! Data type objects, and the limits that `finfo` and `iinfo` give.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyType};
use strictarray_core::DType;

use crate::identity::Identity;
use crate::once::Once;

/// A data type of the array API standard: `bool`, `int8` to `int64`, `uint8` to `uint64`, `float32`, `float64`, `complex64`
/// and `complex128` are the thirteen objects of this class. They are compared by `==`; `isdtype` tells their kind, `finfo`
/// and `iinfo` their limits.
#[pyclass(frozen, module = "strictarray._strictarray", name = "DType", weakref)]
pub(crate) struct PyDType(pub(crate) DType, Identity);

static OBJECTS: [Once<[Py<PyDType>; 13]>; Identity::ALL.len()] = [const { Once::new() }; Identity::ALL.len()];

/// The one object of a data type by a name of the library.
pub(crate) fn object<'py>(py: Python<'py>, dtype: DType, identity: Identity) -> PyResult<Bound<'py, PyDType>> {
    let objects = OBJECTS[identity as usize].get_or_try_init(py, || -> PyResult<[Py<PyDType>; 13]> {
        let mut made = Vec::with_capacity(13);
        for dtype in DType::ALL {
            made.push(Py::new(py, PyDType(dtype, identity))?);
        }
        made.try_into().map_err(|_| pyo3::exceptions::PyRuntimeError::new_err("thirteen data types"))
    })?;
    Ok(objects[dtype as usize].bind(py).clone())
}

#[pymethods]
impl PyDType {
    fn __repr__(&self) -> String {
        format!("{}.{}", self.1.name(), self.0)
    }

    fn __hash__(&self) -> u64 {
        // Apart from small ints, so that dicts keyed by both don't collide all the time.
        0x5a_d7_90_00 + self.0 as u64
    }

    fn __eq__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<bool> {
        if let Ok(other) = other.cast_exact::<PyDType>() {
            return Ok(other.get().0 == self.0);
        }
        warn_of_foreign(py, self, other)?;
        Ok(false)
    }

    /// What pickles hold: its name and the library's.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str, &'static str))> {
        Ok((py.import("strictarray._strictarray")?.getattr("_dtype")?, (self.0.name(), self.1.name())))
    }
}

/// A comparison with what stands for a data type elsewhere is always False: a slip that would stay unseen.
#[cold]
fn warn_of_foreign(py: Python<'_>, dtype: &PyDType, other: &Bound<'_, PyAny>) -> PyResult<()> {
    let Some(what) = foreign(py, other, dtype.1.lenient()) else { return Ok(()) };
    let (name, library) = (dtype.0, dtype.1.name());
    // A comparison does not fail because something can't be shown; what was asked to stop stops.
    let shown = match other.repr() {
        Ok(text) => text.to_string_lossy().replace('\0', "\\0"),
        Err(error) if error.is_instance_of::<PyException>(py) => "<it has no repr>".into(),
        Err(error) => return Err(error),
    };
    let text = format!(
        "{name} of {library} is compared with {shown}, {what}: they are never equal here, but may be elsewhere, and the \
         standard does not specify such comparisons. Compare data types of one namespace: x.dtype == xp.{name}."
    );
    let category = py.get_type::<pyo3::exceptions::PyUserWarning>();
    PyErr::warn(py, &category, &std::ffi::CString::new(text)?, 1)
}

/// What this object is, if some library may take it for a data type: a name or a type of Python's, an object of a class whose
/// name ends in "dtype", a scalar type of NumPy's; of NumPy's alone, as array-api-strict does, or of any.
fn foreign(py: Python<'_>, other: &Bound<'_, PyAny>, of_numpy: bool) -> Option<&'static str> {
    if !of_numpy {
        if other.cast::<PyString>().is_ok_and(|s| s.to_str().is_ok_and(|s| s.parse::<DType>().is_ok())) {
            return Some("a string");
        }
        let scalars =
            [py.get_type::<PyBool>(), py.get_type::<PyInt>(), py.get_type::<PyFloat>(), py.get_type::<PyComplex>()];
        if scalars.iter().any(|scalar| other.is(scalar)) {
            return Some("a type of Python's");
        }
    }
    let is = |class: &Bound<'_, PyType>, name: &str, test: fn(&str) -> bool| {
        class.getattr(name).is_ok_and(|text| text.cast::<PyString>().is_ok_and(|text| text.to_str().is_ok_and(test)))
    };
    let of_numpys = |class| is(class, "__module__", |module| module == "numpy" || module.starts_with("numpy."));
    let found = match other.cast::<PyType>() {
        // NumPy's scalar types stand for data types.
        Ok(class) => of_numpys(class),
        Err(_) => {
            let class = other.get_type();
            let called_dtype = is(&class, "__name__", |name| name.to_ascii_lowercase().ends_with("dtype"));
            called_dtype && (!of_numpy || of_numpys(&class))
        }
    };
    found.then_some("a data type of another library")
}

/// The data type of this name: what pickles name.
#[pyfunction]
#[pyo3(name = "_dtype", signature = (name, library="strictarray"))]
pub(crate) fn by_name<'py>(py: Python<'py>, name: &str, library: &str) -> PyResult<Bound<'py, PyDType>> {
    match (name.parse(), Identity::from_name(library)) {
        (Ok(dtype), Some(identity)) => object(py, dtype, identity),
        _ => Err(pyo3::exceptions::PyValueError::new_err(format!("no data type {library}.{name}"))),
    }
}

/// Machine limits of a floating-point data type.
#[pyclass(frozen, module = "strictarray._strictarray", name = "finfo_object", get_all)]
pub(crate) struct FInfo {
    /// Number of bits of a real number (of one part, for a complex data type).
    bits: u32,
    /// Distance of 1 and the next larger number.
    eps: f64,
    /// Largest number.
    max: f64,
    /// Smallest number, the negative of `max`.
    min: f64,
    /// Smallest positive number with full precision.
    smallest_normal: f64,
    /// The real data type.
    dtype: Py<PyDType>,
}

impl FInfo {
    pub(crate) fn new(py: Python<'_>, dtype: DType, identity: Identity) -> PyResult<FInfo> {
        let real = dtype.to_real();
        let (eps, max, smallest_normal) = match real {
            DType::Float32 => (f32::EPSILON.into(), f32::MAX.into(), f32::MIN_POSITIVE.into()),
            _ => (f64::EPSILON, f64::MAX, f64::MIN_POSITIVE),
        };
        Ok(FInfo {
            bits: real.size() as u32 * 8,
            eps,
            max,
            min: -max,
            smallest_normal,
            dtype: object(py, real, identity)?.unbind(),
        })
    }
}

#[pymethods]
impl FInfo {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let FInfo { bits, eps, max, min, smallest_normal, dtype } = self;
        let show = |x: &f64| -> PyResult<String> { Ok(pyo3::types::PyFloat::new(py, *x).repr()?.to_string()) };
        Ok(format!(
            "finfo(bits={bits}, eps={}, max={}, min={}, smallest_normal={}, dtype={})",
            show(eps)?,
            show(max)?,
            show(min)?,
            show(smallest_normal)?,
            dtype.bind(py).repr()?
        ))
    }
}

/// Machine limits of an integer data type.
#[pyclass(frozen, module = "strictarray._strictarray", name = "iinfo_object", get_all)]
pub(crate) struct IInfo {
    /// Number of bits.
    bits: u32,
    /// Largest number.
    max: i128,
    /// Smallest number.
    min: i128,
    /// The data type.
    dtype: Py<PyDType>,
}

impl IInfo {
    /// Of an integer data type; `None` for another.
    pub(crate) fn new(py: Python<'_>, dtype: DType, identity: Identity) -> PyResult<Option<IInfo>> {
        let Some((min, max)) = dtype.integer_range() else { return Ok(None) };
        Ok(Some(IInfo { bits: dtype.size() as u32 * 8, max, min, dtype: object(py, dtype, identity)?.unbind() }))
    }
}

#[pymethods]
impl IInfo {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let IInfo { bits, max, min, dtype } = self;
        Ok(format!("iinfo(bits={bits}, max={max}, min={min}, dtype={})", dtype.bind(py).repr()?))
    }
}
