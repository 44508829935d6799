//! Namespaces: each an instance of one factory.
//!
//! A namespace is a module object with a name ([`Identity`]), and a version or "follow the flags". `strictarray` is the
//! first; each version of the standard that somebody asks for is one more, and so are those of the stand-in. Each has the
//! modules of its extensions.

use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyFloat, PyList, PyModule, PyString};
use strictarray_core::{DType, Error, NamespaceId};
use strictarray_standard::{Extension, Flags, Version, function, functions_of, relaxation, rows, rule};

use crate::errors::Fail;
use crate::identity::{Identity, NAMESPACES, version_of};
use crate::once::Once;
use crate::{device, dispatch, dtype, identity, settings};

/// A module that has the names of the standard in force: a namespace, or an extension inside one.
struct Face {
    module: Py<PyModule>,
    /// The version of a versioned namespace; `None` where that of the flags counts.
    version: Option<Version>,
    extension: Option<Extension>,
    /// The names that it has under some flags only.
    conditional: Vec<Conditional>,
}

/// A name that the flags decide about.
struct Conditional {
    name: &'static str,
    /// The version that brought it.
    since: Version,
    /// The extension that it is the module of.
    extension: Option<Extension>,
    object: Py<PyAny>,
}

impl Conditional {
    /// Whether it is there under these flags.
    fn is_in(&self, flags: Flags) -> bool {
        self.since <= flags.api_version && self.extension.is_none_or(|extension| flags.extensions.contains(extension))
    }
}

impl Conditional {
    /// Puts the module of an extension where `from strictarray import fft` looks for what is no attribute, or takes it away from
    /// there. Where it is not, `import strictarray.fft` runs `strictarray/fft.py`, which asks for the attribute.
    fn let_import_find(&self, py: Python<'_>, namespace: &Bound<'_, PyModule>, wanted: bool) -> PyResult<()> {
        let modules = py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
        let (name, package) = (self.object.bind(py).getattr("__name__")?, self.object.bind(py).getattr("__package__")?);
        // Another package may go by the name of a namespace that was not asked for.
        let wanted = wanted && modules.get_item(package)?.is_some_and(|present| present.is(namespace));
        match modules.get_item(&name)? {
            None if wanted => modules.set_item(&name, &self.object),
            Some(present) if !wanted && present.is(&self.object) => modules.del_item(&name),
            _ => Ok(()),
        }
    }
}

/// The faces of each namespace, made when somebody asks for it: the namespace itself, then its extensions.
static FACES: [[Once<Face>; 1 + Extension::ALL.len()]; NAMESPACES] =
    [const { [const { Once::new() }; 1 + Extension::ALL.len()] }; NAMESPACES];

/// The place of an extension's face.
const fn place(extension: Option<Extension>) -> usize {
    match extension {
        None => 0,
        Some(extension) => 1 + extension as usize,
    }
}

impl Face {
    /// Fills a module with a namespace or an extension: of a version, or following the flags.
    fn new<'py>(module: &Bound<'py, PyModule>, id: NamespaceId, extension: Option<Extension>) -> PyResult<Face> {
        let (py, identity, version) = (module.py(), Identity::of(id), version_of(id));
        let mut names: Vec<(&'static str, Version, Bound<'py, PyAny>)> = Vec::new();
        for row in functions_of(extension) {
            let Some(handler) = dispatch::handler(row.name) else { continue };
            let function = dispatch::function_object(py, row, handler, id, module.as_any())?;
            names.push((row.attribute(), row.since, function));
        }
        let mut conditional = Vec::new();
        if extension.is_none() {
            for dtype in DType::ALL {
                names.push((dtype.name(), dtype.since(), dtype::object(py, dtype, identity)?.into_any()));
            }
            for (name, value) in rows::CONSTANTS {
                names.push((name, Version::V2021_12, PyFloat::new(py, value).into_any()));
            }
            names.push(("newaxis", Version::V2021_12, py.None().into_bound(py)));
            names.extend(own_names(py, identity)?.map(|(name, object)| (name, Version::V2021_12, object)));
            for extension in Extension::ALL {
                if version.is_none_or(|version| extension.since() <= version)
                    && let Some(module) = extension_module(py, id, extension)?
                {
                    let (name, since) = (extension.name(), extension.since());
                    let object = module.into_any();
                    conditional.push(Conditional { name, since, extension: Some(extension), object });
                }
            }
        }
        // The module of an extension is there since its first version: until then nobody sees its names.
        let first = version.unwrap_or(extension.map_or(Version::V2021_12, Extension::since));
        for (name, since, object) in names {
            if since <= first {
                module.setattr(name, object)?;
            } else if version.is_none() {
                conditional.push(Conditional { name, since, extension: None, object: object.unbind() });
            }
        }
        if extension.is_none() {
            module.setattr("__version__", identity.version())?;
        }
        module.setattr("__dir__", wrap_pyfunction!(dir, module)?)?;
        let face = Face { module: module.clone().unbind(), version, extension, conditional };
        face.show(py, settings::process_wide())?;
        Ok(face)
    }

    /// The flags under which its names are chosen.
    fn flags(&self, flags: Flags) -> Flags {
        self.version.map_or(flags, |version| flags.with_version(version))
    }

    /// Puts the names into the module's dict that the flags give it; `None` where they depend on the context.
    fn show(&self, py: Python<'_>, process_wide: Option<Flags>) -> PyResult<()> {
        let flags = process_wide.map(|flags| self.flags(flags));
        let dict = self.module.bind(py).dict();
        let mut complete = true;
        for each in &self.conditional {
            let wanted = flags.is_some_and(|flags| each.is_in(flags));
            complete &= wanted;
            let there = dict.get_item(each.name)?;
            // What a test has patched is not ours to touch.
            match there {
                None if wanted => dict.set_item(each.name, &each.object)?,
                Some(present) if !wanted && present.is(&each.object) => dict.del_item(each.name)?,
                _ => {}
            }
            if each.extension.is_some() && self.version.is_none() {
                each.let_import_find(py, self.module.bind(py), wanted)?;
            }
        }
        self.decide(py, flags.filter(|_| complete))
    }

    /// Lets the dict decide what names there are, under these flags, or the module's `__getattr__`. A module that has a
    /// `__getattr__` pays for it at each attribute, also at those in its dict: so it has none while its dict has every name
    /// there is.
    fn decide(&self, py: Python<'_>, by_dict: Option<Flags>) -> PyResult<()> {
        let module = self.module.bind(py);
        let dict = module.dict();
        if let Some(flags) = by_dict {
            if self.extension.is_none() {
                dict.set_item("__array_api_version__", flags.api_version.as_str())?;
            }
            dict.set_item("__all__", PyList::new(py, self.all(py, flags)?)?)?;
            return if dict.contains("__getattr__")? { dict.del_item("__getattr__") } else { Ok(()) };
        }
        for name in ["__array_api_version__", "__all__"] {
            if dict.contains(name)? {
                dict.del_item(name)?;
            }
        }
        if dict.contains("__getattr__")? {
            return Ok(());
        }
        dict.set_item("__getattr__", wrap_pyfunction!(absent, module)?)
    }

    /// The names under these flags: those in the dict that the flags don't decide about, and those that they give.
    fn all(&self, py: Python<'_>, flags: Flags) -> PyResult<Vec<String>> {
        let conditional = |name: &str| self.conditional.iter().find(|each| each.name == name);
        let given = self.conditional.iter().filter(|each| each.is_in(flags));
        let mut names: Vec<String> = given.map(|each| each.name.to_owned()).collect();
        for (name, value) in self.module.bind(py).dict() {
            let name = name.extract::<String>()?;
            // Names with underscores are Python's and ours, but for a function; `typing` is there once somebody imported it.
            let own = !name.starts_with('_') || function(&name).is_some();
            if own && !value.is_instance_of::<PyModule>() && conditional(&name).is_none() {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }
}

/// The module of an extension of a namespace; `None` where no function of it is there yet.
fn extension_module(py: Python<'_>, id: NamespaceId, extension: Extension) -> PyResult<Option<Py<PyModule>>> {
    if functions_of(Some(extension)).next().is_none() {
        return Ok(None);
    }
    let slot = &FACES[usize::from(id.0)][place(Some(extension))];
    let face = slot.get_or_try_init(py, || {
        let package = Identity::of(id).name();
        let name = format!("{package}.{}", extension.name());
        let module = PyModule::new(py, &name)?;
        let of = version_of(id).map_or_else(String::new, |version| format!(" {version}"));
        let title = extension.title();
        module.setattr("__doc__", format!("{title}: an extension of the array API standard{of}, by strictarray."))?;
        module.setattr("__package__", package)?;
        let spec = py.import("importlib.machinery")?.getattr("ModuleSpec")?;
        module.setattr("__spec__", spec.call1((name, py.None()))?)?;
        Face::new(&module, id, Some(extension))
    })?;
    Ok(Some(face.module.clone_ref(py)))
}

/// The face whose module this is.
fn face_of<'py>(module: &Bound<'py, PyModule>) -> PyResult<&'static Face> {
    let mut faces = FACES.iter().flatten().filter_map(|slot| slot.get(module.py()));
    let none = || pyo3::exceptions::PyRuntimeError::new_err("not a namespace of strictarray");
    faces.find(|face| module.is(&face.module)).ok_or_else(none)
}

/// The version and the extensions that the dicts show, packed; 0 for what any context has.
static SHOWN: AtomicU64 = AtomicU64::new(0);

/// Puts the names into the dicts of the modules that the flags in force give them: then they cost what a module's names cost.
/// While a block is open anywhere that has other names, these depend on the context, and those that the flags decide about
/// are left to `__getattr__`, which also says of a name that is not there why.
///
/// To be called when the process-wide flags change, and when the first block opens or the last one closes.
pub(crate) fn show(py: Python<'_>) -> PyResult<()> {
    // Again and again, until nothing changed on the way: what is written may run the garbage collector, and that anything.
    loop {
        let process_wide = settings::process_wide();
        let state = process_wide.map_or(0, |Flags { api_version, extensions, .. }| {
            Flags { api_version, extensions, modes: 1, ..Flags::DEFAULT }.pack()
        });
        if SHOWN.load(Ordering::Relaxed) == state {
            return if state == 0 { hide_again(py) } else { Ok(()) };
        }
        FACES.iter().flatten().filter_map(|slot| slot.get(py)).try_for_each(|face| face.show(py, process_wide))?;
        SHOWN.store(state, Ordering::Relaxed);
    }
}

/// Takes an extension out of the dict where the context decides: an import statement has set it there.
fn hide_again(py: Python<'_>) -> PyResult<()> {
    for identity in Identity::ALL {
        let Some(face) = FACES[usize::from(identity.namespace(None).0)][0].get(py) else { continue };
        let dict = face.module.bind(py).dict();
        for each in face.conditional.iter().filter(|each| each.extension.is_some()) {
            if dict.get_item(each.name)?.is_some_and(|present| present.is(&each.object)) {
                face.show(py, None)?;
                break;
            }
        }
    }
    Ok(())
}

/// What a module gives for a name that is not in its dict.
#[pyfunction(pass_module)]
#[pyo3(name = "__getattr__")]
fn absent<'py>(module: &Bound<'py, PyModule>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    let (py, name) = (module.py(), &*name.to_string_lossy());
    let face = face_of(module)?;
    let flags = face.flags(settings::current(py)?);
    let known = face.conditional.iter().find(|each| each.name == name);
    if let Some(found) = known.filter(|each| each.is_in(flags)) {
        return Ok(found.object.bind(py).clone());
    }
    let version = flags.api_version;
    match name {
        "__array_api_version__" if face.extension.is_none() => {
            return Ok(PyString::new(py, version.as_str()).into_any());
        }
        "__all__" => return Ok(PyList::new(py, face.all(py, flags)?)?.into_any()),
        _ => {}
    }
    let error = match known {
        Some(Conditional { since, .. }) if *since > version => {
            Error::new(&rule::LATER_NAME, format!("got {name} in version {version}"))
                .requires(format!("{name} came with version {since}"))
        }
        Some(_) => Error::new(&rule::EXTENSION_ABSENT, format!("got {name}, which is not among enabled_extensions")),
        None => {
            let module = module.name()?;
            Error::new(&rule::UNKNOWN_NAME, format!("module '{module}' has no attribute '{name}'"))
        }
    };
    Err(Fail::Ours(error).into())
}

/// What `dir` of a module lists.
#[pyfunction(pass_module)]
#[pyo3(name = "__dir__")]
fn dir(module: &Bound<'_, PyModule>) -> PyResult<Vec<String>> {
    let (py, face) = (module.py(), face_of(module)?);
    let mut names = face.all(py, face.flags(settings::current(py)?))?;
    names.extend(["__name__", "__doc__"].map(str::to_owned));
    if face.extension.is_none() {
        names.extend(["__array_api_version__", "__version__"].map(str::to_owned));
    }
    if module.dict().contains("__file__")? {
        names.extend(["__file__", "__path__"].map(str::to_owned));
    }
    names.sort_unstable();
    Ok(names)
}

/// The names beside the standard's.
fn own_names(py: Python<'_>, identity: Identity) -> PyResult<[(&'static str, Bound<'_, PyAny>); 7]> {
    let names = [
        ("Device", device::class(py, identity).into_any()),
        ("CPU_DEVICE", device::object(py, strictarray_core::Device::CPU, identity)?.into_any()),
        ("ALL_DEVICES", all_devices(py, identity)?.into_any()),
        ("ArrayAPIStrictFlags", py.get_type::<settings::Block>().into_any()),
        ("set_array_api_strict_flags", wrap_pyfunction!(settings::set_array_api_strict_flags, py)?.into_any()),
        ("get_array_api_strict_flags", wrap_pyfunction!(settings::get_array_api_strict_flags, py)?.into_any()),
        ("reset_array_api_strict_flags", wrap_pyfunction!(settings::reset_array_api_strict_flags, py)?.into_any()),
    ];
    for (_, object) in names.iter().filter(|(_, object)| object.is_instance_of::<PyCFunction>()) {
        object.setattr("__module__", identity.name())?;
    }
    Ok(names)
}

fn all_devices(py: Python<'_>, identity: Identity) -> PyResult<Bound<'_, pyo3::types::PyTuple>> {
    let devices: Vec<_> =
        strictarray_core::Device::all().map(|d| device::object(py, d, identity)).collect::<PyResult<_>>()?;
    pyo3::types::PyTuple::new(py, devices)
}

/// Makes a module the namespace of this name that follows the flags, and gives it; where there is one already, gives that.
/// Called by the package `strictarray`, and by its stand-in.
#[pyfunction]
#[pyo3(name = "_install")]
pub(crate) fn install(module: &Bound<'_, PyModule>, name: &str) -> PyResult<Py<PyModule>> {
    let py = module.py();
    let identity = Identity::from_name(name)
        .ok_or_else(|| pyo3::exceptions::PyValueError::new_err(format!("no namespace goes by the name {name}")))?;
    let id = identity.namespace(None);
    let face = FACES[usize::from(id.0)][0].get_or_try_init(py, || {
        if identity == Identity::Strictarray {
            settings::from_environment(py)?;
            // Another value is refused when the stand-in is installed.
            identity::set_compat(std::env::var_os("STRICTARRAY_COMPAT").is_none_or(|value| value != "none"));
        }
        Face::new(module, id, None)
    })?;
    show(py)?;
    // Its extensions may have been removed from the loaded modules with it.
    face.show(py, settings::process_wide())?;
    Ok(face.module.clone_ref(py))
}

/// The module of a namespace, or of an extension of it: what its functions pickle by.
#[pyfunction]
#[pyo3(name = "_namespace", signature = (id, extension=None))]
pub(crate) fn module(py: Python<'_>, id: u8, extension: Option<&str>) -> PyResult<Py<PyModule>> {
    let Some(slots) = FACES.get(usize::from(id)) else {
        return Err(pyo3::exceptions::PyValueError::new_err(format!("no namespace {id}")));
    };
    let id = NamespaceId(id);
    let identity = Identity::of(id);
    match version_of(id) {
        Some(version) => {
            slots[0].get_or_try_init(py, || {
                let module = PyModule::new(py, identity.name())?;
                module.setattr("__doc__", format!("The array API standard {version}, by strictarray."))?;
                Face::new(&module, id, None)
            })?;
        }
        // An array of the stand-in may come by pickle to a process that has not asked for the name.
        None if slots[0].get(py).is_none() && identity == Identity::StandIn => {
            py.import("strictarray.stand_in")?.call_method0("_namespace")?;
        }
        None => {}
    }
    let none = || pyo3::exceptions::PyRuntimeError::new_err(format!("import {} first", identity.name()));
    let extension = extension.and_then(Extension::from_name);
    Ok(slots[place(extension)].get(py).ok_or_else(none)?.module.clone_ref(py))
}

/// The module of a version: the namespace that follows the flags for the version in force, else one that is fixed to it.
pub(crate) fn of_version(py: Python<'_>, identity: Identity, version: Option<Version>) -> PyResult<Py<PyModule>> {
    let version = version.filter(|_| !identity.relaxes(&relaxation::ONE_MODULE));
    let in_force = settings::current(py)?.api_version;
    module(py, identity.namespace(version.filter(|v| *v != in_force)).0, None)
}
