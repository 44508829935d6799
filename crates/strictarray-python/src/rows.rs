//! The rows of `strictarray-standard` as plain Python data: what tests and tools are made from.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use strictarray_standard::{ADDITIONS, Accepts, Function, Param, functions, methods, rule};

/// The rows: `functions`, `methods` (operators among them), `additions` of later versions and `rules`.
#[pyfunction]
#[pyo3(name = "_rows")]
pub(crate) fn rows(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    all.set_item("functions", functions().map(|f| function(py, f)).collect::<PyResult<Vec<_>>>()?)?;
    let methods = methods().map(|m| {
        let row = PyDict::new(py);
        row.set_item("name", m.name)?;
        row.set_item("since", m.since.as_str())?;
        row.set_item("params", m.params.iter().map(|(name, _, _)| *name).collect::<Vec<_>>())?;
        row.set_item("function", m.function)?;
        row.set_item("forms", m.forms)?;
        Ok(row)
    });
    all.set_item("methods", methods.collect::<PyResult<Vec<_>>>()?)?;
    let additions = ADDITIONS.iter().map(|a| (a.feature.id(), a.since.as_str(), a.functions));
    all.set_item("additions", additions.collect::<Vec<_>>())?;
    let rules = rule::ALL.iter().map(|rule| {
        let row = PyDict::new(py);
        row.set_item("id", rule.id)?;
        row.set_item("exception", rule.exception.name())?;
        row.set_item("section", rule.section)?;
        row.set_item("requires", rule.requires)?;
        row.set_item("instead", rule.instead)?;
        Ok(row)
    });
    all.set_item("rules", rules.collect::<PyResult<Vec<_>>>()?)?;
    Ok(all)
}

fn function<'py>(py: Python<'py>, f: &Function) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("name", f.name)?;
    row.set_item("section", f.section())?;
    row.set_item("since", f.since.as_str())?;
    row.set_item("shape", format!("{:?}", f.shape))?;
    row.set_item("result", format!("{:?}", f.result))?;
    row.set_item("open", f.open.names())?;
    let params = f.params.iter().map(|p| param(py, p)).collect::<PyResult<Vec<_>>>()?;
    row.set_item("params", PyList::new(py, params)?)?;
    Ok(row)
}

fn param<'py>(py: Python<'py>, p: &Param) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("name", p.name)?;
    row.set_item("kind", p.kind.as_str())?;
    row.set_item("default", p.default)?;
    row.set_item("since", p.since.as_str())?;
    // The name of the variant, without what it holds.
    let accepts = format!("{:?}", p.accepts);
    row.set_item("accepts", accepts.split('(').next())?;
    let dtypes = p.accepts.dtypes();
    if !dtypes.is_empty() {
        row.set_item("dtypes", dtypes.iter().map(|dtype| dtype.name()).collect::<Vec<_>>())?;
    }
    match p.accepts {
        Accepts::Scalar(kinds) | Accepts::ScalarOrNone(kinds) => {
            row.set_item("scalars", kinds.describe().split(", ").collect::<Vec<_>>())?;
        }
        Accepts::Choice(texts) => row.set_item("texts", texts)?,
        Accepts::ScalarOrChoice(kinds, texts) => {
            row.set_item("scalars", kinds.describe().split(", ").collect::<Vec<_>>())?;
            row.set_item("texts", texts)?;
        }
        _ => {}
    }
    Ok(row)
}
