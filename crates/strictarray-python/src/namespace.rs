//! Namespaces: each an instance of one factory.
//!
//! A namespace is a module object with a name, and a version or "follow the flags". `strictarray` is the first; each
//! version of the standard that somebody asks for is one more.

use std::sync::atomic::{AtomicU8, Ordering};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCFunction, PyFloat, PyList, PyModule, PyString};
use strictarray_core::{DType, Error, NamespaceId};
use strictarray_standard::{Extensions, Version, rows, rule};

use crate::errors::Fail;
use crate::{device, dispatch, dtype, settings};

/// The name of the first namespace.
pub(crate) const MAIN_NAME: &str = "strictarray";

/// The first namespace.
pub(crate) const MAIN: NamespaceId = NamespaceId(0);

/// The modules by id: the first namespace, then one for each version, made when somebody asks for it.
static MODULES: [PyOnceLock<Py<PyModule>>; 1 + Version::ALL.len()] =
    [const { PyOnceLock::new() }; 1 + Version::ALL.len()];

/// The names that came after the first version, with the version that brought each: of the first namespace, whose
/// `__getattr__` gives out those that the version in force has.
static LATER: PyOnceLock<Vec<(&'static str, Version, Py<PyAny>)>> = PyOnceLock::new();

/// Fills a module with a namespace: of a version, or following the flags.
fn fill<'py>(module: &Bound<'py, PyModule>, id: NamespaceId, version: Option<Version>) -> PyResult<()> {
    let py = module.py();
    let mut names: Vec<(&'static str, Version, Bound<'py, PyAny>)> = Vec::new();
    for row in rows::functions() {
        let Some(handler) = dispatch::handler(row.name) else { continue };
        names.push((row.name, row.since, dispatch::function_object(py, row, handler, id, version, module.as_any())?));
    }
    for dtype in DType::ALL {
        names.push((dtype.name(), dtype.since(), dtype::object(py, dtype)?.into_any()));
    }
    for (name, value) in rows::CONSTANTS {
        names.push((name, Version::V2021_12, PyFloat::new(py, value).into_any()));
    }
    names.push(("newaxis", Version::V2021_12, py.None().into_bound(py)));
    names.extend(own_names(py)?.map(|(name, object)| (name, Version::V2021_12, object)));
    let (early, later): (Vec<_>, Vec<_>) =
        names.into_iter().partition(|(_, since, _)| *since <= version.unwrap_or(Version::V2021_12));
    let mut all: Vec<&str> = Vec::with_capacity(early.len());
    for (name, _, object) in early {
        module.setattr(name, object)?;
        all.push(name);
    }
    module.setattr("__version__", env!("CARGO_PKG_VERSION"))?;
    if let Some(version) = version {
        module.setattr("__array_api_version__", version.as_str())?;
        all.sort_unstable();
        module.setattr("__all__", PyList::new(py, all)?)?;
        return Ok(());
    }
    let later = later.into_iter().map(|(name, since, object)| (name, since, object.unbind())).collect();
    let _ = LATER.set(py, later);
    let _ = GETATTR.set(py, wrap_pyfunction!(later_name, py)?.into_any().unbind());
    decide(module, false)?;
    module.setattr("__dir__", wrap_pyfunction!(dir, py)?)?;
    Ok(())
}

/// The `__getattr__` of the first namespace.
static GETATTR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Lets the dict decide what names the first namespace has, or its `__getattr__`. A module that has a `__getattr__` pays for
/// it at each attribute, also at those in its dict: so it has none while its dict has every name there is.
fn decide(module: &Bound<'_, PyModule>, by_dict: bool) -> PyResult<()> {
    let (py, dict) = (module.py(), module.dict());
    if by_dict {
        let version = settings::process_wide().unwrap_or(Version::DEFAULT);
        dict.set_item("__array_api_version__", version.as_str())?;
        dict.set_item("__all__", PyList::new(py, all(py)?)?)?;
    } else {
        for name in ["__array_api_version__", "__all__"] {
            if dict.contains(name)? {
                dict.del_item(name)?;
            }
        }
    }
    match (by_dict, GETATTR.get(py)) {
        (false, Some(getattr)) => dict.set_item("__getattr__", getattr),
        (true, _) if dict.contains("__getattr__")? => dict.del_item("__getattr__"),
        _ => Ok(()),
    }
}

/// The version whose names the first namespace's dict has beyond those of the first version.
static SHOWN: AtomicU8 = AtomicU8::new(0);

/// Puts the names into the first namespace's dict that the version in force has: then they cost what a module's names cost.
/// While a block is open anywhere, the version depends on the context, and later names are left to `__getattr__`; it also
/// says of a name that the version does not have which one brought it.
///
/// To be called when the process-wide version changes, and when the first block opens or the last one closes.
pub(crate) fn show(py: Python<'_>) -> PyResult<()> {
    let process_wide = settings::process_wide();
    let version = process_wide.unwrap_or(Version::V2021_12);
    let before = SHOWN.swap(version as u8, Ordering::Relaxed);
    let (Some(later), Some(main)) = (LATER.get(py), MODULES[0].get(py)) else {
        // The namespace is being made: `install` calls again.
        SHOWN.store(0, Ordering::Relaxed);
        return Ok(());
    };
    if before == version as u8 {
        return Ok(());
    }
    let dict = main.bind(py).dict();
    for (name, since, object) in later {
        let there = dict.get_item(name)?;
        // What a test has patched is not ours to touch.
        match there {
            None if *since <= version => dict.set_item(name, object)?,
            Some(present) if *since > version && present.is(object) => dict.del_item(name)?,
            _ => {}
        }
    }
    let complete = later.iter().all(|(_, since, _)| *since <= version);
    decide(main.bind(py), process_wide.is_some() && complete)
}

/// The names beside the standard's.
fn own_names(py: Python<'_>) -> PyResult<[(&'static str, Bound<'_, PyAny>); 7]> {
    let names = [
        ("Device", py.get_type::<device::PyDevice>().into_any()),
        ("CPU_DEVICE", device::object(py, strictarray_core::Device::CPU)?.into_any()),
        ("ALL_DEVICES", all_devices(py)?.into_any()),
        ("ArrayAPIStrictFlags", py.get_type::<settings::Block>().into_any()),
        ("set_array_api_strict_flags", wrap_pyfunction!(settings::set_array_api_strict_flags, py)?.into_any()),
        ("get_array_api_strict_flags", wrap_pyfunction!(settings::get_array_api_strict_flags, py)?.into_any()),
        ("reset_array_api_strict_flags", wrap_pyfunction!(settings::reset_array_api_strict_flags, py)?.into_any()),
    ];
    for (_, object) in names.iter().filter(|(_, object)| object.is_instance_of::<PyCFunction>()) {
        object.setattr("__module__", MAIN_NAME)?;
    }
    Ok(names)
}

/// The later names that the version in force has.
fn available(py: Python<'_>) -> PyResult<impl Iterator<Item = &(&'static str, Version, Py<PyAny>)>> {
    let version = settings::current(py)?.api_version;
    Ok(LATER.get(py).into_iter().flatten().filter(move |(_, since, _)| *since <= version))
}

/// What `strictarray` gives for a name that is not in its dict.
#[pyfunction]
#[pyo3(name = "__getattr__")]
fn later_name<'py>(py: Python<'py>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    let name = &*name.to_string_lossy();
    if let Some((_, _, object)) = available(py)?.find(|(known, _, _)| *known == name) {
        return Ok(object.bind(py).clone());
    }
    let version = settings::current(py)?.api_version;
    match name {
        "__array_api_version__" => return Ok(PyString::new(py, version.as_str()).into_any()),
        "__all__" => return Ok(PyList::new(py, all(py)?)?.into_any()),
        _ => {}
    }
    let known = LATER.get(py).into_iter().flatten().find(|(known, _, _)| *known == name);
    let error = match known {
        Some((_, since, _)) => Error::new(&rule::LATER_NAME, format!("got {name} in version {version}"))
            .requires(format!("{name} came with version {since}")),
        None if Extensions::from_name(name).is_some() => Error::new(&rule::NOT_YET, format!("got {name}")),
        None => Error::new(&rule::UNKNOWN_NAME, format!("module '{MAIN_NAME}' has no attribute '{name}'")),
    };
    Err(Fail::Ours(error).into())
}

/// The names of the namespace in force: those in the dict that no later version brought, and the later ones that it has.
fn all(py: Python<'_>) -> PyResult<Vec<String>> {
    let mut names: Vec<String> = available(py)?.map(|(name, _, _)| (*name).to_owned()).collect();
    for (name, value) in module(py, MAIN.0)?.bind(py).dict() {
        let name = name.extract::<String>()?;
        // Names with underscores are Python's and ours, not the namespace's; `typing` is there once somebody imported it.
        if value.is_instance_of::<PyModule>() && Extensions::from_name(&name).is_none() {
            continue;
        }
        let later = LATER.get(py).into_iter().flatten().any(|(known, _, _)| *known == name);
        if !name.starts_with('_') && !later {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// What `dir(strictarray)` lists.
#[pyfunction]
#[pyo3(name = "__dir__")]
fn dir(py: Python<'_>) -> PyResult<Vec<String>> {
    let mut names = all(py)?;
    names.extend(
        ["__array_api_version__", "__version__", "__name__", "__doc__", "__file__", "__path__"].map(str::to_owned),
    );
    names.sort_unstable();
    Ok(names)
}

fn all_devices<'py>(py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
    let devices: Vec<_> = strictarray_core::Device::all().map(|d| device::object(py, d)).collect::<PyResult<_>>()?;
    pyo3::types::PyTuple::new(py, devices)
}

/// Makes a module the first namespace, `strictarray`, and gives it; where there is one already, gives that. Called by the
/// package.
#[pyfunction]
#[pyo3(name = "_install")]
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<Py<PyModule>> {
    let py = module.py();
    let first = MODULES[0].get_or_try_init(py, || {
        settings::from_environment(py)?;
        fill(module, MAIN, None).map(|()| module.clone().unbind())
    })?;
    show(py)?;
    Ok(first.clone_ref(py))
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
