//! Device objects.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};
use strictarray_core::{Device, Error};
use strictarray_standard::rule;

use crate::errors::Fail;
use crate::identity::Identity;
use crate::once::Once;
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
#[pyclass(frozen, subclass, module = "strictarray", name = "Device", weakref)]
pub(crate) struct PyDevice(pub(crate) Device, Identity);

/// The devices of the stand-in: `strictarray.Device` by another name.
///
/// Parameters
/// ----------
/// device : str
///     one of "CPU_DEVICE", "device1", "device2", "no_float64", "no_x64"
#[pyclass(frozen, extends = PyDevice, module = "array_api_strict", name = "Device")]
pub(crate) struct StandInDevice;

/// A name that was given, or none: None is a value here, and refused.
struct Name<'py>(Option<Bound<'py, PyAny>>);

impl<'py> FromPyObject<'_, 'py> for Name<'py> {
    type Error = std::convert::Infallible;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> Result<Self, Self::Error> {
        Ok(Name(Some(value.to_owned())))
    }
}

impl PyDevice {
    /// A device of ours: an object of one of the two classes, no other subclass.
    pub(crate) fn of(value: &Bound<'_, PyAny>) -> Option<Device> {
        if let Ok(device) = value.cast_exact::<PyDevice>() {
            return Some(device.get().0);
        }
        Some(value.cast_exact::<StandInDevice>().ok()?.as_super().get().0)
    }

    fn named(device: Name<'_>, identity: Identity) -> PyResult<PyDevice> {
        let Name(Some(device)) = device else { return Ok(PyDevice(Device::CPU, identity)) };
        let name = device.cast::<PyString>().map(|name| name.to_string_lossy().into_owned());
        let found = match name {
            Ok(name) => Device::from_name(&name),
            Err(_) => Err(Error::new(&rule::DEVICE_NAME_TYPE, format!("got {}", parse::show(&device)))),
        };
        found
            .map(|device| PyDevice(device, identity))
            .map_err(|e| Fail::Ours(e.argument("device").function("Device")).into())
    }
}

/// The class of the devices of a namespace.
pub(crate) fn class(py: Python<'_>, identity: Identity) -> Bound<'_, PyType> {
    match identity {
        Identity::Strictarray => py.get_type::<PyDevice>(),
        Identity::StandIn => py.get_type::<StandInDevice>(),
    }
}

static OBJECTS: [Once<Vec<Py<PyDevice>>>; Identity::ALL.len()] = [const { Once::new() }; Identity::ALL.len()];

/// An object of a device, by a name of the library.
pub(crate) fn object<'py>(py: Python<'py>, device: Device, identity: Identity) -> PyResult<Bound<'py, PyDevice>> {
    let make = |device: Device| -> PyResult<Bound<'py, PyDevice>> {
        let base = PyDevice(device, identity);
        match identity {
            Identity::Strictarray => Bound::new(py, base),
            Identity::StandIn => {
                let init = PyClassInitializer::from(base).add_subclass(StandInDevice);
                Ok(Bound::new(py, init)?.into_super())
            }
        }
    };
    let objects = OBJECTS[identity as usize]
        .get_or_try_init(py, || Device::all().map(|d| make(d).map(Bound::unbind)).collect::<PyResult<_>>())?;
    match objects.get(usize::from(device.id())) {
        Some(object) => Ok(object.bind(py).clone()),
        None => make(device),
    }
}

/// The device of this name: what pickles name.
#[pyfunction]
#[pyo3(name = "_device")]
pub(crate) fn by_name<'py>(py: Python<'py>, name: &str, library: &str) -> PyResult<Bound<'py, PyDevice>> {
    let identity = Identity::from_name(library)
        .ok_or_else(|| pyo3::exceptions::PyValueError::new_err(format!("no device {library}.{name}")))?;
    let device = Device::from_name(name).map_err(|e| PyErr::from(Fail::Ours(e)))?;
    object(py, device, identity)
}

#[pymethods]
impl PyDevice {
    #[new]
    #[pyo3(signature = (device=Name(None)), text_signature = "(device='CPU_DEVICE')")]
    fn new(device: Name<'_>) -> PyResult<PyDevice> {
        PyDevice::named(device, Identity::Strictarray)
    }

    /// The class is final for Python code: the stand-in's, made in C, has it as its base.
    #[classmethod]
    #[pyo3(signature = (**_keywords))]
    fn __init_subclass__(cls: &Bound<'_, PyType>, _keywords: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let text = format!("type 'Device' is not an acceptable base type of {}", cls.name()?);
        Err(pyo3::exceptions::PyTypeError::new_err(text))
    }

    fn __repr__(&self) -> String {
        format!("{}.Device('{}')", self.1.name(), self.0)
    }

    fn __hash__(&self) -> u64 {
        0x0d_e7_1c_e0 + u64::from(self.0.id())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        PyDevice::of(other) == Some(self.0)
    }

    /// What pickles hold: its name and the library's.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str, &'static str))> {
        Ok((py.import("strictarray._strictarray")?.getattr("_device")?, (self.0.name(), self.1.name())))
    }
}

#[pymethods]
impl StandInDevice {
    #[new]
    #[pyo3(signature = (device=Name(None)), text_signature = "(device='CPU_DEVICE')")]
    fn new(device: Name<'_>) -> PyResult<PyClassInitializer<StandInDevice>> {
        let base = PyDevice::named(device, Identity::StandIn)?;
        Ok(PyClassInitializer::from(base).add_subclass(StandInDevice))
    }
}
