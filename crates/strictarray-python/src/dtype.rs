//! Data type objects, and the limits that `finfo` and `iinfo` give.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use strictarray_core::DType;

use crate::identity::Identity;

/// A data type of the array API standard: `bool`, `int8` to `int64`, `uint8` to `uint64`, `float32`, `float64`, `complex64`
/// and `complex128` are the thirteen objects of this class. They are compared by `==`; `isdtype` tells their kind, `finfo`
/// and `iinfo` their limits.
#[pyclass(frozen, module = "strictarray._strictarray", name = "DType", weakref)]
pub(crate) struct PyDType(pub(crate) DType, Identity);

static OBJECTS: [PyOnceLock<[Py<PyDType>; 13]>; Identity::ALL.len()] =
    [const { PyOnceLock::new() }; Identity::ALL.len()];

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

/// A comparison with another library's data type is always False: a slip that would stay unseen.
#[cold]
fn warn_of_foreign(py: Python<'_>, dtype: &PyDType, other: &Bound<'_, PyAny>) -> PyResult<()> {
    let class = other.get_type();
    let class = if class.is(py.get_type::<pyo3::types::PyType>()) {
        other.cast::<pyo3::types::PyType>()?.clone()
    } else {
        class
    };
    let module = class.getattr("__module__").ok();
    let foreign = module.is_some_and(|m| m.cast::<PyString>().is_ok_and(|m| m.to_string().starts_with("numpy")));
    if foreign {
        let text = format!(
            "{} of {} is compared with {}, a data type of another library: they are never equal, and the \
             standard does not specify such comparisons. Compare data types of one namespace.",
            dtype.0,
            dtype.1.name(),
            other.repr()?
        );
        let category = py.get_type::<pyo3::exceptions::PyUserWarning>();
        PyErr::warn(py, &category, &std::ffi::CString::new(text)?, 1)?;
    }
    Ok(())
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
