//! The one dispatcher: every function of the namespace is called through [`call`], every operator through [`observed`].
//!
//! A function object is a builtin whose `__self__` is its [`Entry`]: row, handler, namespace. The call binds arguments by
//! the row, refuses those that the version in force does not have, runs the handler, and turns a refusal into an
//! exception. Hooks, when there are any, see each call before and after, or what it raised: one predictable branch when
//! there are none.

use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use pyo3::{IntoPyObjectExt, ffi};
use smallvec::SmallVec;
use strictarray_core::{DType, Error, NamespaceId};
use strictarray_standard::{Extension, Flags, Function, ParamKind, Relaxation, Version, rule};

use crate::array::{PyArray, wrap};
use crate::errors::{Fail, Outcome};
use crate::functions::Kernel;
use crate::identity::{Identity, version_of};
use crate::{relaxed, settings};

/// What a handler gets.
pub(crate) struct Call<'a, 'py> {
    pub(crate) py: Python<'py>,
    pub(crate) row: &'static Function,
    pub(crate) kernel: Kernel,
    pub(crate) namespace: NamespaceId,
    pub(crate) flags: Flags,
    /// One place for each parameter of the row; a `*parameter` stays empty.
    args: &'a [Option<&'a Bound<'py, PyAny>>],
    /// What a `*parameter` took.
    pub(crate) rest: &'a [Bound<'py, PyAny>],
}

/// The code of a function: from bound arguments to a result.
pub(crate) type Handler = for<'a, 'py> fn(&Call<'a, 'py>) -> Outcome<Bound<'py, PyAny>>;

impl<'a, 'py> Call<'a, 'py> {
    /// The argument at this place of the row, if it was given.
    #[inline]
    pub(crate) fn given(&self, place: usize) -> Option<&'a Bound<'py, PyAny>> {
        self.args[place]
    }

    /// The argument, unless it was left out or is None.
    #[inline]
    pub(crate) fn some(&self, place: usize) -> Option<&'a Bound<'py, PyAny>> {
        self.args[place].filter(|value| !value.is_none())
    }

    /// An argument without a default: binding has seen to it that it is there.
    pub(crate) fn required(&self, place: usize) -> Outcome<&'a Bound<'py, PyAny>> {
        self.args[place].ok_or_else(|| missing(self.row, place).into())
    }

    /// What the namespace is called.
    pub(crate) fn identity(&self) -> Identity {
        Identity::of(self.namespace)
    }

    /// An argument as the result: another object where it belongs to a namespace of the other name.
    pub(crate) fn same(&self, object: &Bound<'py, PyArray>) -> Outcome<Bound<'py, PyAny>> {
        if object.get().identity() == self.identity() {
            return Ok(object.clone().into_any());
        }
        wrap(self.py, object.get().array().clone().in_namespace(self.namespace))
    }

    /// Whether the namespace lets this pass.
    pub(crate) fn relaxes(&self, what: &'static Relaxation) -> bool {
        self.identity().relaxes(what)
    }

    /// The name of the parameter at this place.
    pub(crate) fn name(&self, place: usize) -> &'static str {
        self.row.params[place].name
    }
}

/// What stands behind a function object.
#[pyclass(frozen, module = "strictarray._strictarray", name = "_Entry")]
pub(crate) struct Entry {
    row: &'static Function,
    handler: Handler,
    kernel: Kernel,
    namespace: NamespaceId,
    /// The version of a versioned namespace; else that of the flags counts.
    version: Option<Version>,
}

/// The number of a namespace and the name of an extension.
type Place = (u8, Option<&'static str>);

#[pymethods]
impl Entry {
    /// A function object pickles as an attribute of its `__self__`: as one of the namespace's module.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Place)> {
        let of = (self.namespace.0, self.row.extension().map(Extension::name));
        Ok((py.import("strictarray._strictarray")?.getattr("_namespace")?, of))
    }
}

/// A function object of a namespace.
pub(crate) fn function_object<'py>(
    py: Python<'py>,
    row: &'static Function,
    handler: Handler,
    namespace: NamespaceId,
    module: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let version = version_of(namespace);
    let signature = version.map_or_else(|| row.text_signature(), |version| row.text_signature_in(version));
    let doc = format!("{}{signature}\n--\n\n{}", row.attribute(), row.docstring());
    // Function objects live as long as the process, and so do their descriptions.
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: CString::new(row.attribute())?.into_raw(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: trampoline },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: CString::new(doc)?.into_raw(),
    }));
    let entry = Bound::new(py, Entry { row, handler, kernel: Kernel::of(row.name), namespace, version })?;
    // SAFETY: the definition is leaked, so it outlives the object; entry and module are live objects, of which the new
    // function takes references of its own; the result is a new reference or NULL with an exception.
    let builtin = unsafe {
        let module_name = module.getattr("__name__")?;
        let object = ffi::PyCFunction_NewEx(definition, entry.as_ptr(), module_name.as_ptr());
        Bound::from_owned_ptr_or_err(py, object)?
    };
    if Identity::of(namespace) == Identity::StandIn {
        return Ok(Bound::new(py, crate::function::Function::new(builtin.unbind()))?.into_any());
    }
    Ok(builtin)
}

/// What the interpreter calls for every function object.
///
/// # Safety
///
/// The interpreter's fastcall convention: `slf` is the function's [`Entry`], `args` has `nargs` positional arguments and
/// then one for each name in `kwnames`, all borrowed for the call; the thread is attached.
unsafe extern "C" fn trampoline(
    slf: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    nargs: ffi::Py_ssize_t,
    kwnames: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    Python::attach(|py| {
        // SAFETY: `Bound` has the layout of a pointer to an object that is not NULL; the convention says that there are
        // this many, borrowed for the call. `slf` and `kwnames` (or NULL) are borrowed likewise.
        let (entry, positional, names, named) = unsafe {
            let positional = arguments(args, nargs as usize);
            let names = Bound::from_borrowed_ptr_or_opt(py, kwnames);
            let count = if kwnames.is_null() { 0 } else { ffi::PyTuple_Size(kwnames).max(0) as usize };
            let named = arguments(args.wrapping_add(nargs as usize), count);
            (Bound::from_borrowed_ptr(py, slf), positional, names, named)
        };
        let result = catch_unwind(AssertUnwindSafe(|| {
            let entry = entry.cast_exact::<Entry>()?;
            call(py, entry.get(), positional, names.as_ref(), named)
        }));
        match result {
            Ok(Ok(value)) => value.into_ptr(),
            Ok(Err(error)) => {
                error.restore(py);
                std::ptr::null_mut()
            }
            Err(_) => {
                our_fault().restore(py);
                std::ptr::null_mut()
            }
        }
    })
}

/// What a panic becomes.
pub(crate) fn our_fault() -> PyErr {
    PyRuntimeError::new_err("a fault of strictarray: please report the call that led here")
}

/// # Safety
///
/// `n` live objects at `args`, borrowed for the lifetime; none where `n` is 0.
unsafe fn arguments<'a, 'py>(args: *const *mut ffi::PyObject, n: usize) -> &'a [Bound<'py, PyAny>] {
    const { assert!(size_of::<Bound<'static, PyAny>>() == size_of::<*mut ffi::PyObject>()) };
    if n == 0 {
        return &[];
    }
    // SAFETY: as the caller promises; Bound<PyAny> is a transparent pointer beside a zero-sized token.
    unsafe { std::slice::from_raw_parts(args.cast(), n) }
}

fn call<'py>(
    py: Python<'py>,
    entry: &Entry,
    positional: &[Bound<'py, PyAny>],
    names: Option<&Bound<'py, PyAny>>,
    named: &[Bound<'py, PyAny>],
) -> PyResult<Bound<'py, PyAny>> {
    let row = entry.row;
    let mut flags = settings::current(py)?;
    if let Some(version) = entry.version {
        flags = flags.with_version(version);
    }
    let body = || -> Outcome<Bound<'py, PyAny>> {
        if flags.api_version < row.since {
            let got = format!("got a call in version {}", flags.api_version);
            let requires = format!("it came with version {}", row.since);
            return Err(Error::new(&rule::LATER_NAME, got).requires(requires).into());
        }
        if let Some(extension) = row.extension()
            && !flags.extensions.contains(extension)
        {
            let got = format!("got a call while {} is not among enabled_extensions", extension.name());
            return Err(Error::new(&rule::EXTENSION_OFF, got).into());
        }
        let passing: Vec<(usize, Bound<'py, PyAny>)>;
        let mut args: SmallVec<[Option<&Bound<'py, PyAny>>; 8]> = SmallVec::from_elem(None, row.params.len());
        let rest = bind(row, &mut args, positional, names, named, flags.api_version)?;
        if Identity::of(entry.namespace).lenient() {
            passing = relaxed::arguments(row, &args)?;
            passing.iter().for_each(|(place, value)| args[*place] = Some(value));
        }
        let call = Call { py, row, kernel: entry.kernel, namespace: entry.namespace, flags, args: &args, rest };
        let result = (entry.handler)(&call)?;
        refuse_complex(&result, flags.api_version)?;
        Ok(result)
    };
    let run = || {
        body().map_err(|fail| match fail {
            Fail::Ours(error) => Fail::Ours(error.function(row.name).section_of(row.section())).into(),
            Fail::Python(error) => error,
        })
    };
    if !hooked() {
        return run();
    }
    let keywords = PyDict::new(py);
    for (i, value) in named.iter().enumerate() {
        keywords.set_item(names.map(|names| names.get_item(i)).transpose()?, value)?;
    }
    observed(py, row.name, &PyTuple::new(py, positional)?, Some(&keywords), flags, run)
}

/// Complex data types came with a later version than the first: before, nothing makes a complex array.
pub(crate) fn refuse_complex(result: &Bound<'_, PyAny>, version: Version) -> Outcome<()> {
    if version >= DType::Complex128.since() {
        return Ok(());
    }
    for part in result.cast::<PyTuple>().into_iter().flat_map(|parts| parts.iter_borrowed()) {
        refuse_complex(&part, version)?;
    }
    for part in result.cast::<PyList>().into_iter().flat_map(|parts| parts.iter()) {
        refuse_complex(&part, version)?;
    }
    match result.cast_exact::<PyArray>() {
        Ok(array) if array.get().array().dtype().is_complex() => no_complex(version),
        _ => Ok(()),
    }
}

/// Refuses complex operands and results in a version that does not have them.
pub(crate) fn no_complex(version: Version) -> Outcome<()> {
    if version >= DType::Complex128.since() {
        return Ok(());
    }
    let error = Error::new(&rule::LATER_BEHAVIOUR, format!("got complex numbers in version {version}"));
    Err(error.requires(format!("complex data types came with version {}", DType::Complex128.since())).into())
}

/// Puts the arguments into their places. What is left over for a `*parameter` comes back.
fn bind<'a, 'py>(
    row: &'static Function,
    args: &mut [Option<&'a Bound<'py, PyAny>>],
    positional: &'a [Bound<'py, PyAny>],
    names: Option<&Bound<'py, PyAny>>,
    named: &'a [Bound<'py, PyAny>],
    version: Version,
) -> Outcome<&'a [Bound<'py, PyAny>]> {
    let params = row.params;
    let mut rest: &[Bound<'py, PyAny>] = &[];
    let by_place = params
        .iter()
        .take_while(|p| matches!(p.kind, ParamKind::PositionalOnly | ParamKind::PositionalOrKeyword))
        .count();
    let variadic = params.get(by_place).is_some_and(|p| p.kind == ParamKind::VarPositional);
    let placed = positional.len().min(by_place);
    for (place, value) in positional[..placed].iter().enumerate() {
        args[place] = Some(value);
    }
    if variadic {
        rest = &positional[placed..];
    } else if positional.len() > by_place {
        let got = format!("{} positional arguments", positional.len());
        return Err(unfit(row, got, format!("takes at most {by_place}")).into());
    }
    if let Some(names) = names {
        for (i, value) in named.iter().enumerate() {
            let name = names.get_item(i)?;
            // A name that is no text is no parameter's.
            let name = name.cast::<pyo3::types::PyString>()?.to_str().unwrap_or("\u{fffd}");
            let place = params.iter().position(|p| p.name == name);
            match place.map(|place| (place, params[place].kind)) {
                Some((place, ParamKind::PositionalOrKeyword | ParamKind::KeywordOnly)) => {
                    if args[place].is_some() {
                        return Err(unfit(row, format!("two values for {name}"), "takes one".into()).into());
                    }
                    args[place] = Some(value);
                }
                Some((_, ParamKind::PositionalOnly)) => {
                    let got = format!("{name} as a keyword argument");
                    return Err(unfit(row, got, format!("takes {name} by position only")).into());
                }
                _ => {
                    let got = format!("an unexpected keyword argument {name:?}");
                    return Err(unfit(row, got, "has no such parameter".into()).into());
                }
            }
        }
    }
    for (place, param) in params.iter().enumerate() {
        match args[place] {
            None if param.default.is_none() && param.kind != ParamKind::VarPositional => {
                return Err(missing(row, place).into());
            }
            Some(_) if param.since > version => {
                let got = format!("an unexpected keyword argument {:?} in version {version}", param.name);
                let requires = format!("{} came with version {}", param.name, param.since);
                return Err(Error::new(&rule::LATER_ARGUMENT, got).requires(requires).argument(param.name).into());
            }
            _ => {}
        }
    }
    Ok(rest)
}

#[cold]
fn unfit(row: &'static Function, got: String, requires: String) -> Error {
    let requires = format!("the signature is {}{}: it {requires}", row.name, row.text_signature());
    Error::new(&rule::ARGUMENTS, format!("got {got}")).requires(requires)
}

#[cold]
fn missing(row: &'static Function, place: usize) -> Error {
    let name = row.params[place].name;
    unfit(row, format!("no value for {name}"), format!("requires {name}")).argument(name)
}

// ---- hooks -----------------------------------------------------------------------------------------------------

static HOOKED: AtomicBool = AtomicBool::new(false);
static HOOKS: Mutex<Vec<Hook>> = Mutex::new(Vec::new());

struct Hook {
    id: u64,
    before: Option<Py<PyAny>>,
    after: Option<Py<PyAny>>,
    failed: Option<Py<PyAny>>,
}

/// Whether any hook is there.
#[inline]
pub(crate) fn hooked() -> bool {
    HOOKED.load(Ordering::Relaxed)
}

/// Runs a call between the hooks: `before(name, args, kwargs, modes)` for each, then
/// `after(name, args, kwargs, modes, result)`, or `failed(name, args, kwargs, modes, exception)` where the call raised.
///
/// A hook may replace the result by returning something other than None, and stop the call by raising.
#[cold]
pub(crate) fn observed<'py>(
    py: Python<'py>,
    name: &'static str,
    args: &Bound<'py, PyTuple>,
    keywords: Option<&Bound<'py, PyDict>>,
    flags: Flags,
    run: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (before, after, failed): (Vec<_>, Vec<_>, Vec<_>) = {
        let hooks = HOOKS.lock().unwrap_or_else(|e| e.into_inner());
        let copies = |pick: fn(&Hook) -> &Option<Py<PyAny>>| {
            hooks.iter().filter_map(|h| pick(h).as_ref().map(|f| f.clone_ref(py))).collect()
        };
        (copies(|h| &h.before), copies(|h| &h.after), copies(|h| &h.failed))
    };
    let keywords = keywords.cloned().unwrap_or_else(|| PyDict::new(py));
    let modes: Bound<'py, PyDict> = settings::modes_of(py, flags)?;
    for hook in before {
        call_python(hook.bind(py), &(name, args, &keywords, &modes).into_pyobject(py)?)?;
    }
    let mut result = match run() {
        Ok(result) => result,
        Err(error) => {
            for hook in failed {
                call_python(hook.bind(py), &(name, args, &keywords, &modes, error.value(py)).into_pyobject(py)?)?;
            }
            return Err(error);
        }
    };
    for hook in after {
        let replaced = call_python(hook.bind(py), &(name, args, &keywords, &modes, &result).into_pyobject(py)?)?;
        if !replaced.is_none() {
            result = replaced;
        }
    }
    Ok(result)
}

/// Runs a method of an array, of one argument or none besides the array, between the hooks where there are any.
#[inline]
pub(crate) fn watched<'py, T>(
    array: &Bound<'py, PyArray>,
    name: &'static str,
    args: &[&Bound<'py, PyAny>],
    run: impl FnOnce() -> PyResult<T>,
) -> PyResult<T>
where
    T: IntoPyObject<'py> + FromPyObjectOwned<'py>,
{
    if !hooked() {
        return run();
    }
    let py = array.py();
    let args = PyTuple::new(py, std::iter::once(array.as_any()).chain(args.iter().copied()).collect::<Vec<_>>())?;
    let result = observed(py, name, &args, None, settings::current(py)?, || run()?.into_bound_py_any(py))?;
    result.extract().map_err(Into::into)
}

/// Calls Python code. A daemon thread that is in it while the interpreter ends is unwound by force (before Python 3.14),
/// which Rust code can't stand: it stops here for good, as later versions do.
fn call_python<'py>(function: &Bound<'py, PyAny>, args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    struct Stop;
    impl Drop for Stop {
        fn drop(&mut self) {
            while !std::thread::panicking() {
                std::thread::park();
            }
        }
    }
    // PyO3 declares it as a function that never unwinds, and then nothing is dropped on the way.
    unsafe extern "C-unwind" {
        #[link_name = "PyObject_Call"]
        fn call(
            function: *mut ffi::PyObject,
            args: *mut ffi::PyObject,
            kwargs: *mut ffi::PyObject,
        ) -> *mut ffi::PyObject;
    }
    let stop = Stop;
    // SAFETY: live objects, args a tuple, no keywords.
    let result = unsafe { call(function.as_ptr(), args.as_ptr(), std::ptr::null_mut()) };
    std::mem::forget(stop);
    // SAFETY: a new reference, or NULL with an exception.
    unsafe { Bound::from_owned_ptr_or_err(function.py(), result) }
}

/// Adds a hook and gives its id.
#[pyfunction]
#[pyo3(name = "_add_hook", signature = (*, before=None, after=None, failed=None))]
pub(crate) fn add_hook(before: Option<Py<PyAny>>, after: Option<Py<PyAny>>, failed: Option<Py<PyAny>>) -> u64 {
    static IDS: AtomicU64 = AtomicU64::new(1);
    // Never used again: removing a hook twice must not take another one away.
    let id = IDS.fetch_add(1, Ordering::Relaxed);
    let mut hooks = HOOKS.lock().unwrap_or_else(|e| e.into_inner());
    hooks.push(Hook { id, before, after, failed });
    HOOKED.store(true, Ordering::Relaxed);
    id
}

/// Takes a hook away.
#[pyfunction]
#[pyo3(name = "_remove_hook")]
pub(crate) fn remove_hook(id: u64) -> bool {
    // It is dropped after the lock: what it holds may have destructors that add or remove hooks.
    let removed = {
        let mut hooks = HOOKS.lock().unwrap_or_else(|e| e.into_inner());
        let place = hooks.iter().position(|h| h.id == id);
        let removed = place.map(|place| hooks.remove(place));
        HOOKED.store(!hooks.is_empty(), Ordering::Relaxed);
        removed
    };
    removed.is_some()
}

/// The handlers by name: what a row needs to become a function.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    crate::functions::handler(name)
}
