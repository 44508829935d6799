//! The function objects of the stand-in.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::once::{Once, interned};

// A function object that has its `inspect.Signature`. Of a builtin `inspect.signature` parses the text each time, which
// takes ten times as long as what it does for a function in Python, as those of array-api-strict are; libraries that
// wrap a whole namespace ask for hundreds. In all else it is the builtin: it says so, too. (A docstring of the class would
// be in the place of the functions' own.)
#[pyclass(frozen, weakref, module = "strictarray._strictarray", name = "_Function")]
pub(crate) struct Function {
    builtin: Py<PyAny>,
    signature: Once<Py<PyAny>>,
}

impl Function {
    pub(crate) fn new(builtin: Py<PyAny>) -> Function {
        Function { builtin, signature: Once::new() }
    }
}

#[pymethods]
impl Function {
    #[pyo3(signature = (*args, **keywords))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.builtin.bind(py).call(args, keywords)
    }

    /// Parsed when first asked for.
    #[getter(__signature__)]
    fn signature(&self, py: Python<'_>) -> PyResult<&Py<PyAny>> {
        self.signature.get_or_try_init(py, || {
            Ok(py.import("inspect")?.call_method1(interned!(py, "signature"), (&self.builtin,))?.unbind())
        })
    }

    #[getter(__class__)]
    fn class<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.builtin.bind(py).get_type().into_any()
    }

    #[getter(__doc__)]
    fn doc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.builtin.bind(py).getattr(interned!(py, "__doc__"))
    }

    #[getter(__module__)]
    fn module<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.builtin.bind(py).getattr(interned!(py, "__module__"))
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.builtin.bind(py).getattr(name)
    }

    /// Functions are their own copies, as builtins are.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (memo, /))]
    fn __deepcopy__(slf: Py<Self>, memo: &Bound<'_, PyAny>) -> Py<Self> {
        let _ = memo;
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.builtin.bind(py).call_method0(interned!(py, "__reduce__"))
    }

    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.builtin.bind(py).repr()?.into_any())
    }
}
