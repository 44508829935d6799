//! Flags and modes: which standard is in force, here and now.
//!
//! One process-wide word, and a ContextVar with the blocks that are open in a context. While no context has an open block,
//! reading them is one relaxed load. What a block set holds for its thread, or asyncio task, and for the contexts that were
//! copied from it, as with every ContextVar.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString, PyTuple};
use smallvec::SmallVec;
use strictarray_core::Error;
use strictarray_standard::{Extension, Extensions, Flags, MODE_BITS, Rule, Version, rule};

use crate::errors::Outcome;
use crate::namespace;
use crate::once::{Once, interned};
use crate::parse::{self, type_name};

static PROCESS: AtomicU64 = AtomicU64::new(Flags::DEFAULT.pack());
/// How many [`OpenBlocks`] are alive, in whatever context.
static IN_CONTEXTS: AtomicUsize = AtomicUsize::new(0);
/// How many of them give a context these names: see [`names`].
static GIVING: [AtomicUsize; NAMES] = [const { AtomicUsize::new(0) }; NAMES];
static VARIABLE: Once<Py<PyAny>> = Once::new();

/// A block that is open, by its number, and the flags inside it.
type Open = (u64, Flags);

/// The value of the ContextVar: the blocks that are open in a context, innermost last. Never changed, since copies of the
/// context share it, and never without a block.
#[pyclass(frozen, module = "strictarray._strictarray", name = "_OpenBlocks")]
pub(crate) struct OpenBlocks(SmallVec<[Open; 2]>);

impl OpenBlocks {
    /// Counts it.
    fn new(blocks: SmallVec<[Open; 2]>) -> OpenBlocks {
        let blocks = OpenBlocks(blocks);
        IN_CONTEXTS.fetch_add(1, Ordering::Relaxed);
        if let Some(giving) = blocks.giving() {
            giving.fetch_add(1, Ordering::Relaxed);
        }
        blocks
    }

    fn giving(&self) -> Option<&'static AtomicUsize> {
        self.0.last().map(|(_, flags)| &GIVING[names(*flags)])
    }
}

impl Drop for OpenBlocks {
    fn drop(&mut self) {
        if let Some(giving) = self.giving() {
            giving.fetch_sub(1, Ordering::Relaxed);
        }
        IN_CONTEXTS.fetch_sub(1, Ordering::Relaxed);
    }
}

const NAMES: usize = Version::ALL.len() << Extension::ALL.len();

/// A number for what decides about the names of a namespace: the version and the extensions.
fn names(flags: Flags) -> usize {
    let extensions = Extension::ALL.into_iter().enumerate().filter(|(_, e)| flags.extensions.contains(*e));
    extensions.fold((flags.api_version as usize) << Extension::ALL.len(), |number, (bit, _)| number | 1 << bit)
}

fn variable<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyAny>> {
    let variable = VARIABLE.get_or_try_init(py, || {
        let class = py.import("contextvars")?.getattr("ContextVar")?;
        let kwargs = PyDict::new(py);
        kwargs.set_item("default", py.None())?;
        class.call(("strictarray_flags",), Some(&kwargs)).map(Bound::unbind)
    })?;
    Ok(variable.bind(py))
}

/// The flags whose names every context has, those in which blocks are open too; `None` where the names depend on the context.
pub(crate) fn process_wide() -> Option<Flags> {
    let flags = Flags::unpack(PROCESS.load(Ordering::Relaxed));
    let open = IN_CONTEXTS.load(Ordering::Relaxed);
    (open == 0 || open == GIVING[names(flags)].load(Ordering::Relaxed)).then_some(flags)
}

/// The flags in force in this context.
#[inline]
pub(crate) fn current(py: Python<'_>) -> PyResult<Flags> {
    if IN_CONTEXTS.load(Ordering::Relaxed) == 0 {
        return Ok(Flags::unpack(PROCESS.load(Ordering::Relaxed)));
    }
    let innermost = open_blocks(py)?.last().map(|(_, flags)| *flags);
    Ok(innermost.unwrap_or_else(|| Flags::unpack(PROCESS.load(Ordering::Relaxed))))
}

/// The blocks that are open in this context, innermost last.
#[cold]
fn open_blocks(py: Python<'_>) -> PyResult<SmallVec<[Open; 2]>> {
    let value = variable(py)?.call_method0(interned!(py, "get"))?;
    Ok(value.cast_exact::<OpenBlocks>().map(|blocks| blocks.get().0.clone()).unwrap_or_default())
}

fn set_open_blocks(py: Python<'_>, blocks: SmallVec<[Open; 2]>) -> PyResult<()> {
    let value = if blocks.is_empty() {
        py.None().into_bound(py)
    } else {
        let blocks = OpenBlocks::new(blocks);
        // The names that depend on the context are gone before anything runs that could let another thread in.
        namespace::show(py)?;
        Bound::new(py, blocks)?.into_any()
    };
    variable(py)?.call_method1(interned!(py, "set"), (value,))?;
    // The last one may also go with a context, later: then names are asked for until the flags change again.
    namespace::show(py)
}

/// Puts flags in force: in the innermost block of this context if one is open, else in the process.
fn publish(py: Python<'_>, flags: Flags) -> PyResult<()> {
    let mut blocks = open_blocks(py)?;
    match blocks.last_mut() {
        Some((_, innermost)) => {
            *innermost = flags;
            set_open_blocks(py, blocks)
        }
        None => {
            PROCESS.store(flags.pack(), Ordering::Relaxed);
            namespace::show(py)
        }
    }
}

/// The flags that a call asks to change.
#[derive(Clone, Copy, Default)]
struct Change {
    api_version: Option<Version>,
    boolean_indexing: Option<bool>,
    data_dependent_shapes: Option<bool>,
    extensions: Option<Extensions>,
}

impl Change {
    fn parse(
        api_version: Option<&Bound<'_, PyAny>>,
        boolean_indexing: Option<&Bound<'_, PyAny>>,
        data_dependent_shapes: Option<&Bound<'_, PyAny>>,
        enabled_extensions: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Change> {
        Ok(Change {
            api_version: api_version.map(version).transpose()?,
            boolean_indexing: boolean_indexing.map(|v| switch(v, "boolean_indexing")).transpose()?,
            data_dependent_shapes: data_dependent_shapes.map(|v| switch(v, "data_dependent_shapes")).transpose()?,
            extensions: enabled_extensions.map(extensions).transpose()?,
        })
    }

    fn apply(self, flags: Flags) -> Outcome<Flags> {
        let flags = self.api_version.map_or(flags, |version| flags.with_version(version));
        if let Some(asked) = self.extensions
            && !asked.is_subset(Extensions::of_version(flags.api_version))
        {
            let got = format!("an extension that version {} does not have", flags.api_version);
            return Err(Error::new(&rule::FLAG_VALUE, got).argument("enabled_extensions").into());
        }
        Ok(Flags {
            boolean_indexing: self.boolean_indexing.unwrap_or(flags.boolean_indexing),
            data_dependent_shapes: self.data_dependent_shapes.unwrap_or(flags.data_dependent_shapes),
            extensions: self.extensions.unwrap_or(flags.extensions),
            ..flags
        })
    }
}

/// A version from its text.
pub(crate) fn version(value: &Bound<'_, PyAny>) -> Outcome<Version> {
    if !value.is_instance_of::<PyString>() {
        let error = Error::new(&rule::VERSION_TYPE, format!("got {}", parse::show(value)));
        return Err(error.argument("api_version").into());
    }
    let got = || -> Outcome<Error> {
        Ok(Error::new(&rule::UNKNOWN_VERSION, format!("got {}", value.repr()?)).argument("api_version"))
    };
    let text: Option<String> = value.cast::<PyString>().ok().and_then(|t| t.extract().ok());
    match text.and_then(|t| t.parse().ok()) {
        Some(version) => Ok(version),
        None => Err(got()?.into()),
    }
}

fn switch(value: &Bound<'_, PyAny>, name: &'static str) -> Outcome<bool> {
    match value.cast::<PyBool>() {
        Ok(value) => Ok(value.is_true()),
        Err(_) => {
            let error = Error::new(&rule::FLAG_TYPE, format!("got {}", parse::show(value)));
            Err(error.argument(name).requires("True or False is required").into())
        }
    }
}

fn extensions(value: &Bound<'_, PyAny>) -> Outcome<Extensions> {
    let refuse = |rule: &'static Rule, got: String| {
        let error = Error::new(rule, got).argument("enabled_extensions");
        error.requires("a collection of extension names (\"linalg\", \"fft\") is required")
    };
    if value.is_instance_of::<PyString>() {
        return Err(refuse(&rule::FLAG_TYPE, format!("got the str {}", value.repr()?)).into());
    }
    let mut result = Extensions::NONE;
    let items = value.try_iter().map_err(|_| refuse(&rule::FLAG_TYPE, format!("got {}", type_name(value))))?;
    for item in items {
        let item = item?;
        let name: Option<String> = item.cast::<PyString>().ok().and_then(|t| t.extract().ok());
        match name.as_deref().and_then(Extension::from_name) {
            Some(extension) => result = result.with(extension),
            None => return Err(refuse(&rule::FLAG_VALUE, format!("got the item {}", item.repr()?)).into()),
        }
    }
    Ok(result)
}

/// The environment variables of array-api-strict, one for each flag.
const ENVIRONMENT: [&str; 4] = [
    "ARRAY_API_STRICT_API_VERSION",
    "ARRAY_API_STRICT_BOOLEAN_INDEXING",
    "ARRAY_API_STRICT_DATA_DEPENDENT_SHAPES",
    "ARRAY_API_STRICT_ENABLED_EXTENSIONS",
];

/// Puts into force what the environment says, at import. A value that is none is refused by the variable's name.
pub(crate) fn from_environment(py: Python<'_>) -> PyResult<()> {
    let [version, boolean_indexing, data_dependent_shapes, extensions] = ENVIRONMENT;
    let text = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let refuse = |name: &'static str, value: &str, requires: &'static str| {
        Error::new(&rule::FLAG_VALUE, format!("got {value:?} in the environment")).argument(name).requires(requires)
    };
    let switch = |name: &'static str| -> Outcome<Option<bool>> {
        let Some(value) = text(name) else { return Ok(None) };
        match value.trim().to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" => Ok(Some(true)),
            "0" | "false" | "no" => Ok(Some(false)),
            _ => Err(refuse(name, &value, "1, true or yes, or 0, false or no is required").into()),
        }
    };
    let change = || -> Outcome<Change> {
        let api_version = text(version).map(|value| {
            let requires = "a version such as 2025.12 is required";
            value.trim().parse::<Version>().map_err(|()| refuse(version, &value, requires))
        });
        let enabled = text(extensions).map(|value| {
            let names = value.split(',').map(str::trim).filter(|name| !name.is_empty());
            let known = |set: Extensions, name: &str| Some(set.with(Extension::from_name(name)?));
            let requires = "names of extensions (linalg, fft), separated by commas, are required";
            names.clone().try_fold(Extensions::NONE, known).ok_or_else(|| refuse(extensions, &value, requires))
        });
        Ok(Change {
            api_version: api_version.transpose()?,
            boolean_indexing: switch(boolean_indexing)?,
            data_dependent_shapes: switch(data_dependent_shapes)?,
            extensions: enabled.transpose()?,
        })
    };
    let flags = change().and_then(|change| change.apply(current(py)?)).map_err(|e| e.function("import strictarray"))?;
    publish(py, flags)
}

/// Set flags: process-wide, or inside an `ArrayAPIStrictFlags` block for that block.
///
/// Parameters
/// ----------
/// api_version : str, optional
///     the version of the standard: "2021.12" to "2025.12", or the draft "2026.12"
/// boolean_indexing : bool, optional
///     whether boolean arrays may be keys
/// data_dependent_shapes : bool, optional
///     whether functions may be called whose result's shape depends on values
/// enabled_extensions : collection of str, optional
///     of "linalg" and "fft"
///
/// Raises
/// ------
/// ValueError
///     api_version is not a version [unknown-version]; another flag does not take the value [flag-value].
/// TypeError
///     api_version is not a str [version-type]; the value is of another kind [flag-type].
///
/// Examples
/// --------
/// >>> with xp.ArrayAPIStrictFlags():
/// ...     xp.set_array_api_strict_flags(boolean_indexing=False)
/// ...     xp.get_array_api_strict_flags()["boolean_indexing"]
/// False
#[pyfunction]
#[pyo3(signature = (*, api_version=None, boolean_indexing=None, data_dependent_shapes=None, enabled_extensions=None))]
pub(crate) fn set_array_api_strict_flags(
    py: Python<'_>,
    api_version: Option<&Bound<'_, PyAny>>,
    boolean_indexing: Option<&Bound<'_, PyAny>>,
    data_dependent_shapes: Option<&Bound<'_, PyAny>>,
    enabled_extensions: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let change = Change::parse(api_version, boolean_indexing, data_dependent_shapes, enabled_extensions);
    let flags =
        change.and_then(|change| change.apply(current(py)?)).map_err(|e| e.function("set_array_api_strict_flags"))?;
    publish(py, flags)
}

/// What was told last, for calls without a change between.
static LAST: Mutex<Option<(Flags, Py<PyDict>)>> = Mutex::new(None);

/// The flags in force.
///
/// Returns
/// -------
/// dict with "api_version" (str), "boolean_indexing", "data_dependent_shapes" (bool) and "enabled_extensions" (tuple of str).
///
/// Examples
/// --------
/// >>> xp.get_array_api_strict_flags()["api_version"]
/// '2025.12'
#[pyfunction]
pub(crate) fn get_array_api_strict_flags(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let flags = current(py)?;
    let kept = LAST
        .lock()
        .unwrap_or_else(|e| e.into_inner())
        .as_ref()
        .filter(|last| last.0 == flags)
        .map(|last| last.1.clone_ref(py));
    // Not under the lock: a copy may run the garbage collector, and that anything.
    if let Some(dict) = kept {
        return dict.bind(py).copy();
    }
    let dict = PyDict::new(py);
    dict.set_item("api_version", flags.api_version.as_str())?;
    dict.set_item("boolean_indexing", flags.boolean_indexing)?;
    dict.set_item("data_dependent_shapes", flags.data_dependent_shapes)?;
    dict.set_item("enabled_extensions", PyTuple::new(py, flags.extensions.names().collect::<Vec<_>>())?)?;
    let last = (flags, dict.copy()?.unbind());
    let before = LAST.lock().unwrap_or_else(|e| e.into_inner()).replace(last);
    drop(before);
    Ok(dict)
}

/// Set all flags to their defaults: process-wide, or inside an `ArrayAPIStrictFlags` block for that block.
///
/// Examples
/// --------
/// >>> with xp.ArrayAPIStrictFlags(api_version="2022.12"):
/// ...     xp.reset_array_api_strict_flags()
/// ...     xp.get_array_api_strict_flags()["api_version"]
/// '2025.12'
#[pyfunction]
pub(crate) fn reset_array_api_strict_flags(py: Python<'_>) -> PyResult<()> {
    let modes = current(py)?.modes;
    publish(py, Flags { modes, ..Flags::DEFAULT })
}

/// What a block changes: the standard's flags, or a mode's bits.
#[derive(Clone, Copy)]
enum Effect {
    Flags(Change),
    Mode { mask: u32, bits: u32 },
}

impl Effect {
    fn apply(self, flags: Flags) -> Outcome<Flags> {
        match self {
            Effect::Flags(change) => change.apply(flags),
            Effect::Mode { mask, bits } => Ok(Flags { modes: flags.modes & !mask | bits, ..flags }),
        }
    }
}

/// A block in which flags have other values: in this thread or asyncio task only.
///
/// Blocks may end out of order: one that is still open keeps its flags, and when none is open, what it was before is back.
///
/// Parameters
/// ----------
/// api_version, boolean_indexing, data_dependent_shapes, enabled_extensions : optional
///     as for `set_array_api_strict_flags`
///
/// Examples
/// --------
/// >>> with xp.ArrayAPIStrictFlags(api_version="2022.12"):
/// ...     xp.get_array_api_strict_flags()["api_version"]
/// '2022.12'
#[pyclass(frozen, module = "strictarray", name = "ArrayAPIStrictFlags")]
pub(crate) struct Block {
    effect: Effect,
    number: u64,
    /// How often it is open, in whatever contexts.
    open: AtomicUsize,
}

impl Block {
    fn of(effect: Effect) -> Block {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        Block { effect, number: NUMBERS.fetch_add(1, Ordering::Relaxed), open: AtomicUsize::new(0) }
    }
}

#[pymethods]
impl Block {
    #[new]
    #[pyo3(signature = (*, api_version=None, boolean_indexing=None, data_dependent_shapes=None, enabled_extensions=None))]
    fn new(
        api_version: Option<&Bound<'_, PyAny>>,
        boolean_indexing: Option<&Bound<'_, PyAny>>,
        data_dependent_shapes: Option<&Bound<'_, PyAny>>,
        enabled_extensions: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Block> {
        let change = Change::parse(api_version, boolean_indexing, data_dependent_shapes, enabled_extensions)
            .map_err(|e| e.function("ArrayAPIStrictFlags"))?;
        Ok(Block::of(Effect::Flags(change)))
    }

    /// Opens the block.
    fn __enter__(&self, py: Python<'_>) -> PyResult<()> {
        let flags = self.effect.apply(current(py)?).map_err(|e| e.function("ArrayAPIStrictFlags"))?;
        let mut blocks = open_blocks(py)?;
        blocks.push((self.number, flags));
        set_open_blocks(py, blocks)?;
        self.open.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Ends the block; an exception is passed on.
    #[pyo3(signature = (*exc))]
    fn __exit__(&self, py: Python<'_>, exc: &Bound<'_, PyTuple>) -> PyResult<()> {
        let _ = exc;
        let closed = self.open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        let mut blocks = open_blocks(py)?;
        let place = blocks.iter().rposition(|(number, _)| *number == self.number);
        // Another context may have ended it before: here it is still to be ended.
        if closed.is_err() && place.is_none() {
            return Err(crate::errors::Fail::Ours(
                Error::new(&rule::FLAG_VALUE, "a block that is not open")
                    .function("ArrayAPIStrictFlags.__exit__")
                    .requires("a block must be entered before it ends"),
            )
            .into());
        }
        // It may have been entered in another context: then it does nothing here.
        if let Some(place) = place {
            blocks.remove(place);
            set_open_blocks(py, blocks)?;
        }
        Ok(())
    }
}

struct Mode {
    name: String,
    shift: u32,
    bits: u32,
}

static MODES: Mutex<Vec<Mode>> = Mutex::new(Vec::new());

/// Gives a mode a name and bits of `Flags.modes`. Registering it again gives the same bits.
#[pyfunction]
#[pyo3(name = "_register_mode", signature = (name, bits=1))]
pub(crate) fn register_mode(name: String, bits: u32) -> PyResult<u32> {
    let mut modes = MODES.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(mode) = modes.iter().find(|m| m.name == name) {
        return Ok(mode.shift);
    }
    let shift = modes.last().map_or(0, |m| m.shift + m.bits);
    if bits == 0 || bits > 8 || shift + bits > MODE_BITS {
        return Err(pyo3::exceptions::PyValueError::new_err(format!("no {bits} bits are left for mode {name}")));
    }
    modes.push(Mode { name, shift, bits });
    Ok(shift)
}

/// A block in which a mode has a value.
#[pyfunction]
#[pyo3(name = "_mode")]
pub(crate) fn mode(name: &str, value: u32) -> PyResult<Block> {
    let modes = MODES.lock().unwrap_or_else(|e| e.into_inner());
    let found = modes.iter().find(|m| m.name == name).filter(|m| value < 1 << m.bits);
    let Some(mode) = found else {
        return Err(pyo3::exceptions::PyValueError::new_err(format!("mode {name} can't be {value}")));
    };
    let mask = ((1u32 << mode.bits) - 1) << mode.shift;
    Ok(Block::of(Effect::Mode { mask, bits: value << mode.shift }))
}

/// The modes in force, as a dict of names and values.
pub(crate) fn modes_of<'py>(py: Python<'py>, flags: Flags) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    // Copied out first: nothing of Python runs under the lock.
    let value = |mode: &Mode| (mode.name.clone(), flags.modes >> mode.shift & ((1 << mode.bits) - 1));
    let modes: Vec<_> = MODES.lock().unwrap_or_else(|e| e.into_inner()).iter().map(value).collect();
    for (name, value) in modes {
        dict.set_item(name, value)?;
    }
    Ok(dict)
}
