//! The inspection API: `__array_namespace_info__`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use strictarray_core::{DTypeSet, Device, MAX_NDIM, NamespaceId};
use strictarray_standard::{Feature, Flags, Version, relaxation};

use crate::arguments::has;
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;
use crate::identity::{Identity, version_of};
use crate::{device, dtype, parse, settings};

const NAME: &str = "__array_namespace_info__";

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    match name {
        NAME => Some(info),
        _ => None,
    }
}

fn info<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    Ok(Bound::new(call.py, Info { namespace: call.namespace })?.into_any())
}

/// What the namespace can do: what `__array_namespace_info__()` returns (since 2023.12).
#[pyclass(frozen, module = "strictarray._strictarray", name = "NamespaceInfo")]
pub(crate) struct Info {
    namespace: NamespaceId,
}

impl Info {
    fn identity(&self) -> Identity {
        Identity::of(self.namespace)
    }

    fn device_or_default(&self, value: Option<&Bound<'_, PyAny>>) -> Outcome<Device> {
        let Some(value) = value else { return Ok(Device::CPU) };
        match value.cast_exact::<PyString>() {
            Ok(name) if self.identity().relaxes(&relaxation::DEVICE_NAMES) => {
                Ok(Device::from_name(&name.to_string_lossy()).map_err(|e| e.argument("device"))?)
            }
            _ => parse::device(value, "device"),
        }
    }

    /// The version of a versioned namespace, else that of the flags.
    fn version(&self, flags: Flags) -> Version {
        version_of(self.namespace).unwrap_or(flags.api_version)
    }
}

#[pymethods]
impl Info {
    /// The optional features, as the flags have them.
    ///
    /// Returns
    /// -------
    /// dict with "boolean indexing", "data-dependent shapes" (bool) and "max dimensions" (int, since 2024.12).
    ///
    /// Examples
    /// --------
    /// >>> xp.__array_namespace_info__().capabilities()["max dimensions"]
    /// 64
    fn capabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let flags = settings::current(py)?;
        let dict = PyDict::new(py);
        dict.set_item("boolean indexing", flags.boolean_indexing)?;
        dict.set_item("data-dependent shapes", flags.data_dependent_shapes)?;
        if has(self.version(flags), NAME, Feature::Capabilities) {
            dict.set_item("max dimensions", MAX_NDIM)?;
        }
        Ok(dict)
    }

    /// The device that functions use when none is given.
    ///
    /// Returns
    /// -------
    /// Device: `CPU_DEVICE`.
    ///
    /// Examples
    /// --------
    /// >>> xp.__array_namespace_info__().default_device()
    /// strictarray.Device('CPU_DEVICE')
    fn default_device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, device::PyDevice>> {
        device::object(py, Device::CPU, self.identity())
    }

    /// The default data types of a device.
    ///
    /// Parameters
    /// ----------
    /// device : Device or None, default None
    ///     a device; None: the default one
    ///
    /// Returns
    /// -------
    /// dict with the dtypes "real floating", "complex floating", "integral" and "indexing".
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     device is not a device of this namespace [not-a-device].
    ///
    /// Examples
    /// --------
    /// >>> xp.__array_namespace_info__().default_dtypes(device=xp.Device("no_x64"))["integral"]
    /// strictarray.int32
    #[pyo3(signature = (*, device=None))]
    fn default_dtypes<'py>(&self, py: Python<'py>, device: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyDict>> {
        let defaults = self.device_or_default(device).map_err(|e| e.function("default_dtypes"))?.defaults();
        let dict = PyDict::new(py);
        for (kind, default) in [
            ("real floating", defaults.real_floating),
            ("complex floating", defaults.complex_floating),
            ("integral", defaults.integral),
            ("indexing", defaults.indexing),
        ] {
            dict.set_item(kind, dtype::object(py, default, self.identity())?)?;
        }
        Ok(dict)
    }

    /// The data types of a device, by name.
    ///
    /// Parameters
    /// ----------
    /// device : Device or None, default None
    ///     a device; None: the default one
    /// kind : str, tuple of str, or None, default None
    ///     kinds as for `isdtype`; None: all
    ///
    /// Returns
    /// -------
    /// dict of names and dtypes.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     device is not a device of this namespace [not-a-device]; kind is anything else [not-a-choice].
    ///
    /// Examples
    /// --------
    /// >>> list(xp.__array_namespace_info__().dtypes(kind="real floating"))
    /// ['float32', 'float64']
    #[pyo3(signature = (*, device=None, kind=None))]
    fn dtypes<'py>(
        &self,
        py: Python<'py>,
        device: Option<&Bound<'py, PyAny>>,
        kind: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let wanted = || -> Outcome<DTypeSet> {
            let device = self.device_or_default(device)?;
            let set = match kind {
                None => DTypeSet::ALL,
                Some(kind) => parse::dtype_kinds(kind, "kind", false)?,
            };
            Ok(set.intersection(device.spec().dtypes))
        };
        let dict = PyDict::new(py);
        for each in wanted().map_err(|e| e.function("dtypes"))?.iter() {
            dict.set_item(each.name(), dtype::object(py, each, self.identity())?)?;
        }
        Ok(dict)
    }

    /// The devices.
    ///
    /// Returns
    /// -------
    /// tuple of Device (a list before 2025.12).
    ///
    /// Examples
    /// --------
    /// >>> len(xp.__array_namespace_info__().devices())
    /// 5
    fn devices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let devices = Device::all().map(|d| device::object(py, d, self.identity())).collect::<PyResult<Vec<_>>>()?;
        Ok(if has(self.version(settings::current(py)?), NAME, Feature::Devices) {
            PyTuple::new(py, devices)?.into_any()
        } else {
            PyList::new(py, devices)?.into_any()
        })
    }
}
