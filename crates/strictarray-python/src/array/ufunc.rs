//! What NumPy's ufuncs and operators find in arrays: `__array_ufunc__`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule, PyTuple};
use strictarray_standard::relaxation;

use super::{PyArray, operators};
use crate::identity::Identity;

/// The attribute `__array_ufunc__` of the class: None, so that NumPy leaves arrays of ours alone instead of making ndarrays
/// of them. NumPy asks the class, and not the array: so where the stand-in, whose arrays it may convert, is in force, this is
/// what NumPy calls for arrays by both names, and those of strictarray are refused here.
#[pyclass(frozen, module = "strictarray._strictarray", name = "_ArrayUfunc")]
pub(crate) struct ArrayUfunc;

/// Whether `import array_api_strict` gives the stand-in, and it lets ufuncs pass.
fn in_force(py: Python<'_>) -> PyResult<bool> {
    if !Identity::StandIn.relaxes(&relaxation::UFUNCS) {
        return Ok(false);
    }
    let modules = py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
    let Some(present) = modules.get_item(Identity::StandIn.name())? else { return Ok(false) };
    Ok(present.cast::<PyModule>().is_ok_and(|module| module.hasattr("_is_stand_in").unwrap_or(false)))
}

#[pymethods]
impl ArrayUfunc {
    /// Of an array of strictarray it is None in any case.
    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        instance: Option<&Bound<'py, PyAny>>,
        owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, _) = (slf.py(), owner);
        let strict = instance
            .is_some_and(|x| x.cast_exact::<PyArray>().is_ok_and(|x| !x.get().identity().relaxes(&relaxation::UFUNCS)));
        if strict || !in_force(py)? {
            return Ok(py.None().into_bound(py));
        }
        match instance {
            None => Ok(slf.clone().into_any()),
            Some(x) => py.import("types")?.getattr("MethodType")?.call1((slf, x)),
        }
    }

    /// What NumPy calls, for its operators too: a ufunc of one array of the stand-in passes, all else is refused, or is what
    /// the array's own operator makes of it.
    #[pyo3(signature = (x, ufunc, method, /, *inputs, **keywords))]
    fn __call__<'py>(
        &self,
        x: &Bound<'py, PyArray>,
        ufunc: &Bound<'py, PyAny>,
        method: &str,
        inputs: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let operands: Vec<Bound<'py, PyAny>> = if method == "__call__" { inputs.iter().collect() } else { Vec::new() };
        let answer = match operands.as_slice() {
            [one] if one.is(x) && x.get().identity().relaxes(&relaxation::UFUNCS) => {
                Some(ufunc.call((PyArray::__array__(x, None, None)?,), keywords)?)
            }
            [left, right] if right.is(x) && keywords.is_none_or(|keywords| keywords.is_empty()) => {
                operators::in_place_of_ufunc(left, x, &ufunc.getattr("__name__")?.extract::<String>()?)?
            }
            _ => None,
        };
        // NumPy's own text, as it refuses arrays whose attribute is None, which suites and users know; then what to write.
        answer.ok_or_else(|| match x.get_type().name() {
            Ok(class) => PyTypeError::new_err(format!(
                "operand '{class}' does not support ufuncs (__array_ufunc__=None): call the function of \
                     x.__array_namespace__(), or give NumPy np.asarray(x)"
            )),
            Err(error) => error,
        })
    }
}
