//! The one place where a refusal becomes a Python exception.

use std::cell::RefCell;

use pyo3::PyTypeInfo;
use pyo3::exceptions::{
    PyAttributeError, PyBufferError, PyIndexError, PyKeyboardInterrupt, PyMemoryError, PyOverflowError, PyRuntimeError,
    PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use strictarray_core::Error;
use strictarray_standard::Exception;

use crate::once::Once;

/// What a handler fails with: a refusal of ours, or an exception that Python code raised.
#[derive(Debug)]
pub(crate) enum Fail {
    Ours(Error),
    Python(PyErr),
}

pub(crate) type Outcome<T> = Result<T, Fail>;

impl From<Error> for Fail {
    fn from(error: Error) -> Fail {
        Fail::Ours(error)
    }
}

impl From<PyErr> for Fail {
    fn from(error: PyErr) -> Fail {
        Fail::Python(error)
    }
}

impl From<pyo3::CastError<'_, '_>> for Fail {
    fn from(error: pyo3::CastError<'_, '_>) -> Fail {
        Fail::Python(error.into())
    }
}

impl From<Fail> for PyErr {
    fn from(fail: Fail) -> PyErr {
        match fail {
            Fail::Ours(error) => Python::attach(|py| raise(py, &error)),
            Fail::Python(error) => error,
        }
    }
}

impl Fail {
    /// Names the argument, unless a more precise name is there.
    pub(crate) fn argument(self, name: &'static str) -> Fail {
        match self {
            Fail::Ours(error) => Fail::Ours(error.argument(name)),
            python => python,
        }
    }

    /// Says what is required, more exactly than the rule does.
    pub(crate) fn requires(self, text: impl FnOnce() -> String) -> Fail {
        match self {
            Fail::Ours(error) => Fail::Ours(error.requires(text())),
            python => python,
        }
    }

    /// Names the function, unless a more precise name is there.
    pub(crate) fn function(self, name: &'static str) -> Fail {
        match self {
            Fail::Ours(error) => Fail::Ours(error.function(name)),
            python => python,
        }
    }
}

thread_local! {
    /// What a signal handler raised while a kernel ran on this thread.
    static INTERRUPT: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Keeps what a signal handler raised until the kernel has come back.
pub(crate) fn keep_interrupt(error: PyErr) {
    INTERRUPT.with(|slot| *slot.borrow_mut() = Some(error));
}

static COPY_REFUSED: Once<Py<PyType>> = Once::new();
static AXIS: Once<Py<PyType>> = Once::new();
static NO_SUCH_VALUE: Once<Py<PyType>> = Once::new();
static LINEAR_ALGEBRA: Once<Py<PyType>> = Once::new();
static LATER_ARGUMENT: Once<Py<PyType>> = Once::new();

/// `ValueError` and `BufferError` in one: the standard names either where a copy is needed and refused.
pub(crate) fn copy_refused<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    both::<PyValueError, PyBufferError>(
        py,
        &COPY_REFUSED,
        "CopyRefusedError",
        "copy=False, but a copy is needed: a ValueError and a BufferError.",
    )
}

/// `IndexError` and `ValueError` in one: the standard leaves open which one an invalid axis raises, and NumPy raises both.
pub(crate) fn axis_error<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    both::<PyValueError, PyIndexError>(
        py,
        &AXIS,
        "AxisError",
        "An axis that the array does not have: a ValueError and an IndexError.",
    )
}

/// `TypeError` and `ValueError` in one: what a function of an older version raises, and array-api-strict's type.
pub(crate) fn later_argument<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    both::<PyTypeError, PyValueError>(
        py,
        &LATER_ARGUMENT,
        "LaterArgumentError",
        "An argument that came with a later version: a TypeError and a ValueError.",
    )
}

/// `AttributeError` and `ValueError` in one: so that hasattr(), dir() and completion get along with an attribute that only
/// some arrays have.
pub(crate) fn no_such_value<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    both::<PyAttributeError, PyValueError>(
        py,
        &NO_SUCH_VALUE,
        "NoSuchValueError",
        "An attribute that this array does not have: an AttributeError and a ValueError.",
    )
}

/// A `ValueError` of the name that NumPy's has.
pub(crate) fn linear_algebra<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    made(
        py,
        &LINEAR_ALGEBRA,
        "LinAlgError",
        "A matrix that does not have what is asked for (an inverse, say): a ValueError.",
        &[PyValueError::type_object(py)],
    )
}

fn both<'py, A: PyTypeInfo, B: PyTypeInfo>(
    py: Python<'py>,
    slot: &'static Once<Py<PyType>>,
    name: &'static str,
    doc: &'static str,
) -> PyResult<&'py Bound<'py, PyType>> {
    made(py, slot, name, doc, &[A::type_object(py), B::type_object(py)])
}

fn made<'py>(
    py: Python<'py>,
    slot: &'static Once<Py<PyType>>,
    name: &'static str,
    doc: &'static str,
    bases: &[Bound<'py, PyType>],
) -> PyResult<&'py Bound<'py, PyType>> {
    let class = slot.get_or_try_init(py, || {
        // PyErr::new_type takes one base: a class of two is made as the class statement makes it.
        let bases = PyTuple::new(py, bases)?;
        let namespace = PyDict::new(py);
        namespace.set_item("__module__", "strictarray._strictarray")?;
        namespace.set_item("__doc__", doc)?;
        let class = py.get_type::<PyType>().call1((name, bases, namespace))?;
        Ok::<_, PyErr>(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(class.bind(py))
}

/// The exception of a refusal, with `rule`, `argument` and `section`.
#[cold]
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    let text = error.to_string();
    let class = match error.rule().exception {
        Exception::Type => py.get_type::<PyTypeError>(),
        Exception::Value => py.get_type::<PyValueError>(),
        Exception::Index => py.get_type::<PyIndexError>(),
        Exception::Overflow => py.get_type::<PyOverflowError>(),
        Exception::Buffer => py.get_type::<PyBufferError>(),
        Exception::Memory => py.get_type::<PyMemoryError>(),
        Exception::Runtime => py.get_type::<PyRuntimeError>(),
        Exception::Attribute => py.get_type::<PyAttributeError>(),
        Exception::CopyRefused => match copy_refused(py) {
            Ok(class) => class.clone(),
            Err(error) => return error,
        },
        Exception::Axis => match axis_error(py) {
            Ok(class) => class.clone(),
            Err(error) => return error,
        },
        Exception::LaterArgument => match later_argument(py) {
            Ok(class) => class.clone(),
            Err(error) => return error,
        },
        Exception::NoSuchValue => match no_such_value(py) {
            Ok(class) => class.clone(),
            Err(error) => return error,
        },
        Exception::LinearAlgebra => match linear_algebra(py) {
            Ok(class) => class.clone(),
            Err(error) => return error,
        },
        Exception::Interrupted => match INTERRUPT.with(|slot| slot.borrow_mut().take()) {
            Some(error) => return error,
            None => py.get_type::<PyKeyboardInterrupt>(),
        },
    };
    let exception = PyErr::from_type(class, text);
    let value = exception.value(py);
    let attributes =
        [("rule", Some(error.rule().id)), ("argument", error.argument_name()), ("section", Some(error.section()))];
    for (name, attribute) in attributes {
        if let Err(error) = value.setattr(name, attribute) {
            return error;
        }
    }
    exception
}
