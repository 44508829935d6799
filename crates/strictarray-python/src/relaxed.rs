//! What the stand-in lets pass, brought to what strictarray takes: so that no handler need know of it. Which arguments these
//! are says `strictarray_standard::relaxation::passing`.

use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyDict, PyFloat, PyInt, PyList, PyTuple};
use strictarray_core::{Complex, Device, Scalar};
use strictarray_standard::{Function, Relaxation, relaxation};

use crate::array::{PyArray, is_numpy_scalar, wrap};
use crate::functions;
use crate::parse::PyScalar;

/// The arguments that pass as something else, by their places.
pub(crate) fn arguments<'py>(
    row: &Function,
    args: &[Option<&Bound<'py, PyAny>>],
) -> PyResult<Vec<(usize, Bound<'py, PyAny>)>> {
    let mut changed = Vec::new();
    for (place, (value, param)) in args.iter().zip(row.params).enumerate() {
        let passing = relaxation::passing(row.name, param.accepts);
        if let Some(value) = value
            && !passing.is_empty()
            && let Some(other) = argument(passing, value)?
        {
            changed.push((place, other));
        }
    }
    Ok(changed)
}

/// What an argument passes as; `None` where that is itself.
fn argument<'py>(passing: &[&'static Relaxation], value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if passing.contains(&&relaxation::ARRAYS_AS_SCALARS) {
        let Ok(object) = value.cast_exact::<PyArray>() else { return number(value, "iuf") };
        let x = object.get().array();
        let scalar = x.ndim() == 0 && x.device() == Device::CPU;
        return if scalar { PyArray::read(object).map(Some) } else { Ok(None) };
    }
    if !passing.contains(&&relaxation::NUMPY_SCALARS) {
        return Ok(None);
    }
    let list = value.cast_exact::<PyList>().ok().filter(|_| passing.contains(&&relaxation::LISTS));
    let items: Vec<Bound<'py, PyAny>> = match (list, value.cast_exact::<PyTuple>()) {
        (Some(list), _) => list.iter().collect(),
        (None, Ok(tuple)) => tuple.iter().collect(),
        (None, Err(_)) => return integer(value),
    };
    let integers = items.iter().map(integer).collect::<PyResult<Vec<_>>>()?;
    if list.is_none() && integers.iter().all(Option::is_none) {
        return Ok(None);
    }
    let items = items.into_iter().zip(integers).map(|(item, integer)| integer.unwrap_or(item));
    Ok(Some(PyTuple::new(value.py(), items.collect::<Vec<_>>())?.into_any()))
}

/// The Python int that a NumPy integer is; `None` for all else.
fn integer<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    number(value, "iu")
}

/// The Python number that a NumPy scalar of these kinds is; `None` for all else, dates among it, whose items may be ints too.
fn number<'py>(value: &Bound<'py, PyAny>, kinds: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    // Most are Python's: the other question is a slow one.
    if value.is_none() || PyScalar::of(value)?.is_some() || !is_numpy_scalar(value)? {
        return Ok(None);
    }
    // What only looks like a scalar of NumPy's is refused as the object that it is.
    let kind = value.getattr("dtype").and_then(|dtype| dtype.getattr("kind")?.extract::<String>());
    let Ok(kind) = kind else { return Ok(None) };
    let number = value.call_method0("item")?;
    // A longdouble is its own item.
    Ok((kinds.contains(&kind) && PyScalar::of(&number)?.is_some()).then_some(number))
}

/// A division of which NumPy would warn: what it divides.
pub(crate) struct ZeroDivision<'py> {
    numpy: Bound<'py, PyAny>,
    operands: (Bound<'py, PyAny>, Bound<'py, PyAny>),
}

/// Whether something is divided by zero in `x1 / x2`, each an array of ours or a Python scalar. `None` too where NumPy was
/// not imported: nobody expects its warnings then.
pub(crate) fn zero_division<'py>(
    x1: &Bound<'py, PyAny>,
    x2: &Bound<'py, PyAny>,
) -> PyResult<Option<ZeroDivision<'py>>> {
    let py = x1.py();
    let modules = py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
    // Not None, which says that it must not be imported, nor what has just begun to be.
    let numpy = modules.get_item("numpy")?.filter(|numpy| numpy.hasattr("divide").unwrap_or(false));
    let Some(numpy) = numpy else { return Ok(None) };
    let zero = match x2.cast_exact::<PyArray>() {
        Ok(x2) => !functions::utility::all_of(py, x2.get().array())?,
        Err(_) => matches!(
            PyScalar::of(x2)?,
            Some(PyScalar::Small(Scalar::Int(0) | Scalar::Float(0.0) | Scalar::Complex(Complex { re: 0.0, im: 0.0 })))
        ),
    };
    if !zero {
        return Ok(None);
    }
    let copy = |x: &Bound<'py, PyAny>| -> PyResult<Bound<'py, PyAny>> {
        let Ok(array) = x.cast_exact::<PyArray>() else { return Ok(x.clone()) };
        let copy = functions::transfer(py, array.get().array(), Device::CPU, Some(true))?;
        numpy.call_method1("asarray", (wrap(py, copy)?,))
    };
    Ok(Some(ZeroDivision { operands: (copy(x1)?, copy(x2)?), numpy }))
}

impl ZeroDivision<'_> {
    /// Lets NumPy divide, too: so it warns, raises or is silent as `np.errstate` says.
    pub(crate) fn give(self) -> PyResult<()> {
        self.numpy.call_method1("divide", self.operands).map(drop)
    }
}

/// The Python scalar that an instance of a subclass is; `None` for all else.
pub(crate) fn subclass<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<PyScalar<'py>>> {
    let scalar = if let Ok(x) = value.cast::<PyFloat>() {
        Scalar::Float(x.value())
    } else if let Ok(z) = value.cast::<PyComplex>() {
        Scalar::Complex(Complex::new(z.real(), z.imag()))
    } else if value.is_instance_of::<PyInt>() {
        // int's own addition gives an int, whatever the subclass says of itself.
        let exact = value.py().get_type::<PyInt>().call_method1("__add__", (value, 0))?;
        return PyScalar::of(&exact);
    } else {
        return Ok(None);
    };
    Ok(Some(PyScalar::Small(scalar)))
}
