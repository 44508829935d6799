//! Namespaces: each an instance of one factory.
//!
//! A namespace is a module object with a name, and a version or "follow the flags". `strictarray` is the first; each
//! version of the standard that somebody asks for is one more.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyModule};
use strictarray_core::{DType, NamespaceId};
use strictarray_standard::{Version, rows};

use crate::{device, dispatch, dtype, settings};

/// The name of the first namespace.
pub(crate) const MAIN_NAME: &str = "strictarray";

/// The first namespace.
pub(crate) const MAIN: NamespaceId = NamespaceId(0);

/// The modules by id: the first namespace, then one for each version, made when somebody asks for it.
static MODULES: [PyOnceLock<Py<PyModule>>; 1 + Version::ALL.len()] =
    [const { PyOnceLock::new() }; 1 + Version::ALL.len()];

/// Fills a module with a namespace: of a version, or following the flags.
fn fill<'py>(module: &Bound<'py, PyModule>, id: NamespaceId, version: Option<Version>) -> PyResult<()> {
    let py = module.py();
    let shown = version.unwrap_or(Version::ALL[Version::ALL.len() - 1]);
    let mut names: Vec<&str> = Vec::new();
    for row in rows::functions().filter(|row| row.since <= shown) {
        let Some(handler) = dispatch::handler(row.name) else { continue };
        module.setattr(row.name, dispatch::function_object(py, row, handler, id, version, module.as_any())?)?;
        names.push(row.name);
    }
    for dtype in DType::ALL {
        // Complex data types came with 2022.12.
        if dtype.is_complex() && shown < Version::V2022_12 {
            continue;
        }
        module.setattr(dtype.name(), dtype::object(py, dtype)?)?;
        names.push(dtype.name());
    }
    for (name, value) in rows::CONSTANTS {
        module.setattr(name, value)?;
        names.push(name);
    }
    module.setattr("newaxis", py.None())?;
    names.push("newaxis");
    let own: [(&str, Bound<'py, PyAny>); 7] = [
        ("Device", py.get_type::<device::PyDevice>().into_any()),
        ("CPU_DEVICE", device::object(py, strictarray_core::Device::CPU)?.into_any()),
        ("ALL_DEVICES", all_devices(py)?.into_any()),
        ("ArrayAPIStrictFlags", py.get_type::<settings::Block>().into_any()),
        ("set_array_api_strict_flags", wrap_pyfunction!(settings::set_array_api_strict_flags, py)?.into_any()),
        ("get_array_api_strict_flags", wrap_pyfunction!(settings::get_array_api_strict_flags, py)?.into_any()),
        ("reset_array_api_strict_flags", wrap_pyfunction!(settings::reset_array_api_strict_flags, py)?.into_any()),
    ];
    for (name, object) in own {
        if object.hasattr("__module__")? && object.is_instance_of::<pyo3::types::PyCFunction>() {
            object.setattr("__module__", MAIN_NAME)?;
        }
        module.setattr(name, object)?;
        names.push(name);
    }
    module.setattr("__version__", env!("CARGO_PKG_VERSION"))?;
    module.setattr("__array_api_version__", version.unwrap_or(Version::DEFAULT).as_str())?;
    names.sort_unstable();
    module.setattr("__all__", PyList::new(py, names)?)?;
    Ok(())
}

fn all_devices<'py>(py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
    let devices: Vec<_> = strictarray_core::Device::all().map(|d| device::object(py, d)).collect::<PyResult<_>>()?;
    pyo3::types::PyTuple::new(py, devices)
}

/// Makes a module the first namespace, `strictarray`. Called once, by the package.
#[pyfunction]
#[pyo3(name = "_install")]
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    MODULES[0].get_or_try_init(module.py(), || fill(module, MAIN, None).map(|()| module.clone().unbind()))?;
    Ok(())
}

/// The module of a namespace: what its functions pickle by.
#[pyfunction]
#[pyo3(name = "_namespace")]
pub(crate) fn module(py: Python<'_>, id: u8) -> PyResult<Py<PyModule>> {
    let version = id.checked_sub(1).and_then(Version::from_index);
    let Some(slot) = MODULES.get(usize::from(id)) else {
        return Err(pyo3::exceptions::PyValueError::new_err(format!("no namespace {id}")));
    };
    let Some(version) = version else {
        let main = slot.get(py).map(|module| module.clone_ref(py));
        return main.ok_or_else(|| pyo3::exceptions::PyRuntimeError::new_err("import strictarray first"));
    };
    let module = slot.get_or_try_init(py, || {
        let module = PyModule::new(py, MAIN_NAME)?;
        module.setattr("__doc__", format!("The array API standard {version}, by strictarray."))?;
        fill(&module, NamespaceId(id), Some(version))?;
        Ok::<_, PyErr>(module.unbind())
    })?;
    Ok(module.clone_ref(py))
}

/// The module of a version: the first namespace for the version in force, else one that is fixed to it.
pub(crate) fn of_version(py: Python<'_>, version: Option<Version>) -> PyResult<Py<PyModule>> {
    let in_force = settings::current(py)?.api_version;
    match version.filter(|v| *v != in_force) {
        None => module(py, MAIN.0),
        Some(version) => module(py, 1 + version as u8),
    }
}
