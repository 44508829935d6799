//! The Python face of strictarray: parse, check against the standard, call one kernel, wrap.

mod arguments;
mod array;
mod device;
mod dispatch;
mod dtype;
mod errors;
mod function;
mod functions;
mod identity;
mod namespace;
mod once;
mod parse;
mod relaxed;
mod rows;
mod settings;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// Refuses to be imported in a sub-interpreter: state is the process's, and calls attach to the main interpreter.
fn refuse_subinterpreter() -> PyResult<()> {
    // SAFETY: the module is being imported, so a thread of an interpreter is attached.
    let id = unsafe { pyo3::ffi::PyInterpreterState_GetID(pyo3::ffi::PyInterpreterState_Get()) };
    if id == 0 { Ok(()) } else { Err(PyImportError::new_err("strictarray can't be used in sub-interpreters")) }
}

/// Makes the types that the module has no name for, which would else be made at the first use: what `once` says of other values
/// goes for types, too.
fn make_types(py: Python<'_>) {
    py.get_type::<array::ArrayUfunc>();
    py.get_type::<array::Elements>();
    py.get_type::<device::StandInDevice>();
    py.get_type::<dispatch::Entry>();
    py.get_type::<function::Function>();
    py.get_type::<settings::OpenBlocks>();
}

/// The compiled part of strictarray. Its names are private; import `strictarray`.
#[pymodule]
fn _strictarray(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    refuse_subinterpreter()?;
    make_types(py);
    module.add_class::<array::PyArray>()?;
    module.add_class::<dtype::PyDType>()?;
    module.add_class::<dtype::FInfo>()?;
    module.add_class::<dtype::IInfo>()?;
    module.add_class::<device::PyDevice>()?;
    module.add_class::<settings::Block>()?;
    module.add_class::<functions::info::Info>()?;
    module.add("AxisError", errors::axis_error(py)?)?;
    module.add("CopyRefusedError", errors::copy_refused(py)?)?;
    module.add("NoSuchValueError", errors::no_such_value(py)?)?;
    module.add("LaterArgumentError", errors::later_argument(py)?)?;
    module.add("LinAlgError", errors::linear_algebra(py)?)?;
    module.add_function(wrap_pyfunction!(array::rebuild, module)?)?;
    module.add_function(wrap_pyfunction!(array::counts, module)?)?;
    module.add_function(wrap_pyfunction!(dtype::by_name, module)?)?;
    module.add_function(wrap_pyfunction!(device::by_name, module)?)?;
    module.add_function(wrap_pyfunction!(identity::set_compat, module)?)?;
    module.add_function(wrap_pyfunction!(identity::get_compat, module)?)?;
    module.add_function(wrap_pyfunction!(identity::relaxations, module)?)?;
    module.add_function(wrap_pyfunction!(namespace::install, module)?)?;
    module.add_function(wrap_pyfunction!(namespace::module, module)?)?;
    module.add_function(wrap_pyfunction!(rows::rows, module)?)?;
    module.add_function(wrap_pyfunction!(settings::register_mode, module)?)?;
    module.add_function(wrap_pyfunction!(settings::mode, module)?)?;
    module.add_function(wrap_pyfunction!(dispatch::add_hook, module)?)?;
    module.add_function(wrap_pyfunction!(dispatch::remove_hook, module)?)?;
    Ok(())
}
