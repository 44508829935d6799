//! Device objects.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use strictarray_core::{Device, Error};
use strictarray_standard::rule;

use crate::errors::Fail;
use crate::parse;

/// An emulated device, with memory of its own. Two are equal if they have the same name.
///
/// Parameters
/// ----------
/// device : str
///     one of "CPU_DEVICE", "device1", "device2", "no_float64", "no_x64"
///
/// Raises
/// ------
/// ValueError
///     device is another name [device-name].
/// TypeError
///     device is not a str [device-name-type].
///
/// Examples
/// --------
/// >>> xp.Device("no_x64")
/// strictarray.Device('no_x64')
#[pyclass(frozen, module = "strictarray", name = "Device", weakref)]
pub(crate) struct PyDevice(pub(crate) Device);

/// A name that was given, or none: None is a value here, and refused.
struct Name<'py>(Option<Bound<'py, PyAny>>);

impl<'py> FromPyObject<'_, 'py> for Name<'py> {
    type Error = std::convert::Infallible;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> Result<Self, Self::Error> {
        Ok(Name(Some(value.to_owned())))
    }
}

static OBJECTS: PyOnceLock<Vec<Py<PyDevice>>> = PyOnceLock::new();

/// An object of a device.
pub(crate) fn object<'py>(py: Python<'py>, device: Device) -> PyResult<Bound<'py, PyDevice>> {
    let objects =
        OBJECTS.get_or_try_init(py, || Device::all().map(|d| Py::new(py, PyDevice(d))).collect::<PyResult<_>>())?;
    match objects.get(usize::from(device.id())) {
        Some(object) => Ok(object.bind(py).clone()),
        None => Bound::new(py, PyDevice(device)),
    }
}

#[pymethods]
impl PyDevice {
    #[new]
    #[pyo3(signature = (device=Name(None)), text_signature = "(device='CPU_DEVICE')")]
    fn new(device: Name<'_>) -> PyResult<PyDevice> {
        let Name(Some(device)) = device else { return Ok(PyDevice(Device::CPU)) };
        let name = device.cast::<PyString>().map(|name| name.to_string_lossy().into_owned());
        let found = match name {
            Ok(name) => Device::from_name(&name),
            Err(_) => Err(Error::new(&rule::DEVICE_NAME_TYPE, format!("got {}", parse::show(&device)))),
        };
        found.map(PyDevice).map_err(|e| Fail::Ours(e.argument("device").function("Device")).into())
    }

    fn __repr__(&self) -> String {
        format!("{}.Device('{}')", crate::namespace::MAIN_NAME, self.0)
    }

    fn __hash__(&self) -> u64 {
        0x0d_e7_1c_e0 + u64::from(self.0.id())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast_exact::<PyDevice>().is_ok_and(|other| other.get().0 == self.0)
    }

    /// What pickles hold: the name.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (&'static str,)) {
        (py.get_type::<PyDevice>().into_any(), (self.0.name(),))
    }
}
