//! The operators: forward, reflected and in place, all through one function.

use std::sync::OnceLock;

use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyFloat, PyInt, PyList, PyTuple};
use strictarray_core::{Array, Error};
use strictarray_standard::{Function, Method, relaxation, rule};

use super::{PyArray, wrap};
use crate::errors::{Fail, Outcome};
use crate::functions::elementwise::{self, Operation, Side};
use crate::functions::{Kernel, linear_algebra};
use crate::parse::PyScalar;
use crate::{dispatch, parse, relaxed, settings};

macro_rules! operators {
    ($($id:ident $name:literal;)*) => {
        #[derive(Clone, Copy)]
        enum Op { $($id),* }
        const NAMES: &[&str] = &[$($name),*];
    };
}

operators! {
    Abs "__abs__"; Add "__add__"; And "__and__"; Eq "__eq__"; FloorDiv "__floordiv__"; Ge "__ge__"; Gt "__gt__";
    Invert "__invert__"; Le "__le__"; LShift "__lshift__"; Lt "__lt__"; MatMul "__matmul__"; Mod "__mod__"; Mul "__mul__";
    Ne "__ne__"; Neg "__neg__"; Or "__or__"; Pos "__pos__"; Pow "__pow__"; RShift "__rshift__"; Sub "__sub__";
    TrueDiv "__truediv__"; Xor "__xor__";
}

/// What stands behind an operator.
struct Operator {
    method: &'static Method,
    row: &'static Function,
    kernel: Kernel,
}

/// The operators' rows and kernels, looked up once.
fn operator(op: Op) -> PyResult<&'static Operator> {
    static OPERATORS: OnceLock<Vec<Option<Operator>>> = OnceLock::new();
    let operators = OPERATORS.get_or_init(|| {
        let find = |name: &&str| {
            let method = strictarray_standard::method(name)?;
            let row = strictarray_standard::function(method.function?)?;
            Some(Operator { method, row, kernel: Kernel::of(row.name) })
        };
        NAMES.iter().map(find).collect()
    });
    operators[op as usize]
        .as_ref()
        .ok_or_else(|| pyo3::exceptions::PyRuntimeError::new_err("an operator without a row"))
}

/// How an operator is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `x + y`
    Forward,
    /// `y + x`, where y is not an array
    Reflected,
    /// `x += y`
    InPlace,
}

fn named(method: &Method, form: Form) -> &'static str {
    // The names of the forms are few and live as long as the process.
    static NAMES: OnceLock<std::collections::HashMap<(&'static str, bool), &'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let with = |m: &'static Method, prefix: &str, in_place: bool| {
            m.forms.map(|f| ((m.name, in_place), &*Box::leak(format!("__{prefix}{f}__").into_boxed_str())))
        };
        strictarray_standard::methods().flat_map(|m| [with(m, "r", false), with(m, "i", true)]).flatten().collect()
    });
    match form {
        Form::Forward => method.name,
        Form::Reflected | Form::InPlace => {
            names.get(&(method.name, form == Form::InPlace)).copied().unwrap_or(method.name)
        }
    }
}

fn not_implemented(py: Python<'_>) -> Bound<'_, PyAny> {
    py.NotImplemented().into_bound(py)
}

/// Both operands of a binary operator; `None` for an operand that is neither an array nor an exact Python scalar.
fn binary<'py>(
    slf: &Bound<'py, PyArray>,
    other: &Bound<'py, PyAny>,
    op: Op,
    form: Form,
) -> PyResult<Bound<'py, PyAny>> {
    let py = slf.py();
    let x = slf.get().array();
    let Operator { method, row, kernel } = operator(op)?;
    let name = named(method, form);
    let theirs = other.cast_exact::<PyArray>().ok();
    let side = match theirs {
        Some(y) => Side::Array(y.get().array()),
        None => match PyScalar::of(other)? {
            Some(scalar) => Side::Scalar(scalar),
            None if form == Form::Reflected
                && slf.get().identity().relaxes(&relaxation::SCALAR_SUBCLASSES)
                && let Some(scalar) = relaxed::subclass(other)? =>
            {
                Side::Scalar(scalar)
            }
            None => return dispatch::watched(slf, name, &[other], || decline(slf, other, op)),
        },
    };
    let run = || -> Outcome<Bound<'py, PyAny>> {
        if form == Form::InPlace {
            in_place(py, x, &side, row, *kernel, name)?;
            return Ok(slf.clone().into_any());
        }
        let (x1, x2) = match form {
            Form::Reflected => (&side, &Side::Array(x)),
            _ => (&Side::Array(x), &side),
        };
        let result = match *kernel {
            Kernel::Binary(kernel) => elementwise::binary(py, x1, x2, Operation { row, kernel }, name)?,
            _ => linear_algebra::matmul(py, x1, x2, row, name)?,
        };
        if result.dtype().is_complex() || x.dtype().is_complex() {
            dispatch::no_complex(settings::current(py)?.api_version)?;
        }
        wrap(py, result.in_namespace(x.namespace()))
    };
    dispatch::watched(slf, name, &[other], || run().map_err(|e| finish(e, name, row)))
}

/// The forms of `/`. By the stand-in's name they warn as NumPy's do.
fn divide<'py>(slf: &Bound<'py, PyArray>, other: &Bound<'py, PyAny>, form: Form) -> PyResult<Bound<'py, PyAny>> {
    if !slf.get().identity().relaxes(&relaxation::DIVISION_WARNINGS) {
        return binary(slf, other, Op::TrueDiv, form);
    }
    let (x1, x2) = if form == Form::Reflected { (other, slf.as_any()) } else { (slf.as_any(), other) };
    // In place x1 is written over; else what is refused is not looked at.
    let before = if form == Form::InPlace { relaxed::zero_division(x1, x2)? } else { None };
    let result = binary(slf, other, Op::TrueDiv, form)?;
    if result.is(not_implemented(slf.py())) {
        return Ok(result);
    }
    let warning = if form == Form::InPlace { before } else { relaxed::zero_division(x1, x2)? };
    if let Some(warning) = warning {
        warning.give()?;
    }
    Ok(result)
}

#[cold]
fn finish(fail: Fail, name: &'static str, row: &Function) -> PyErr {
    match fail {
        Fail::Ours(error) => Fail::Ours(error.function(name).section_of(row.section())).into(),
        Fail::Python(error) => error,
    }
}

/// `x op= y`: the result has x's data type and shape, and is written into x.
fn in_place(
    py: Python<'_>,
    x: &Array,
    other: &Side<'_, '_>,
    row: &'static Function,
    kernel: Kernel,
    name: &'static str,
) -> Outcome<()> {
    x.check_writable().map_err(|e| e.argument("self"))?;
    if let Kernel::Binary(kernel) = kernel {
        return elementwise::binary_into(py, x, other, Operation { row, kernel }, name);
    }
    let result = linear_algebra::matmul(py, &Side::Array(x), other, row, name)?;
    elementwise::check_in_place(x, result.dtype(), result.shape())?;
    Ok(strictarray_core::copy::copy_elements(&x.operand(), &result.operand())?)
}

fn unary<'py>(slf: &Bound<'py, PyArray>, op: Op) -> PyResult<Bound<'py, PyAny>> {
    let py = slf.py();
    let Operator { method, row, kernel } = operator(op)?;
    let x = slf.get().array();
    let run = || {
        let Kernel::Unary(kernel) = *kernel else { return Err(elementwise::no_kernel().into()) };
        if x.dtype().is_complex() {
            dispatch::no_complex(settings::current(py)?.api_version)?;
        }
        wrap(py, elementwise::unary(py, x, Operation { row, kernel }, method.name)?)
    };
    dispatch::watched(slf, method.name, &[], || run().map_err(|e| finish(e, method.name, row)))
}

/// Whether an object is an array of another library, by the protocols that arrays have.
fn is_foreign_array(other: &Bound<'_, PyAny>) -> PyResult<bool> {
    let class = other.get_type();
    for name in ["__array_namespace__", "__dlpack__", "__array_interface__", "__array__", "__array_ufunc__"] {
        if class.hasattr(name)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What an operator gives for what is neither an array of ours nor a scalar: the other side has its turn.
#[cold]
fn decline<'py>(slf: &Bound<'py, PyArray>, other: &Bound<'py, PyAny>, op: Op) -> PyResult<Bound<'py, PyAny>> {
    match op {
        Op::Eq | Op::Ne => foreign_equality(slf, other, op),
        _ => Ok(not_implemented(slf.py())),
    }
}

/// `==` and `!=` with what is neither an array of ours nor a scalar. Python would say False where both sides decline, so
/// another library's array is asked here, and declined aloud; for anything else Python's answer is right.
fn foreign_equality<'py>(slf: &Bound<'py, PyArray>, other: &Bound<'py, PyAny>, op: Op) -> PyResult<Bound<'py, PyAny>> {
    let py = slf.py();
    if !is_foreign_array(other)? {
        // A subclass of a Python scalar, an enum's member say, is refused as by the other operators, but aloud.
        // So is a list, which other libraries compare element by element, or not at all.
        let scalar =
            other.is_instance_of::<PyInt>() || other.is_instance_of::<PyFloat>() || other.is_instance_of::<PyComplex>();
        if !scalar && !other.is_instance_of::<PyList>() && !other.is_instance_of::<PyTuple>() {
            return Ok(not_implemented(py));
        }
        let Operator { method, row, .. } = operator(op)?;
        let error = Error::new(&rule::NOT_ARRAY_OR_SCALAR, format!("got {}", parse::show(other))).argument("other");
        return Err(finish(error.into(), method.name, row));
    }
    let Operator { method, .. } = operator(op)?;
    let answer = other.get_type().call_method1(method.name, (other, slf))?;
    if answer.is(not_implemented(py)) { Err(foreign_comparison(other, op)) } else { Ok(answer) }
}

/// The refusal of `==` or `!=` with another library's array.
fn foreign_comparison(other: &Bound<'_, PyAny>, op: Op) -> PyErr {
    let error = Error::new(&rule::FOREIGN_COMPARISON, format!("got {}", parse::show(other))).argument("other");
    operator(op).map_or_else(|fault| fault, |Operator { method, row, .. }| finish(error.into(), method.name, row))
}

/// What `other op x` gives where NumPy's operator calls this ufunc instead of declining: what Python makes of it where
/// NumPy's declines, but `None` for the refusal that both declined.
pub(super) fn in_place_of_ufunc<'py>(
    other: &Bound<'py, PyAny>,
    x: &Bound<'py, PyArray>,
    ufunc: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    // Python's scalars and arrays of ours don't come by NumPy's operators: then the ufunc itself was called.
    if other.is_exact_instance_of::<PyArray>() || PyScalar::of(other)?.is_some() {
        return Ok(None);
    }
    let op = match ufunc {
        "equal" => return Err(foreign_comparison(other, Op::Eq)),
        "not_equal" => return Err(foreign_comparison(other, Op::Ne)),
        "add" => Op::Add,
        "subtract" => Op::Sub,
        "multiply" => Op::Mul,
        "divide" | "true_divide" => Op::TrueDiv,
        "floor_divide" => Op::FloorDiv,
        "remainder" => Op::Mod,
        "power" => Op::Pow,
        "left_shift" => Op::LShift,
        "right_shift" => Op::RShift,
        "bitwise_and" => Op::And,
        "bitwise_or" => Op::Or,
        "bitwise_xor" => Op::Xor,
        _ => return Ok(None),
    };
    let answer = match op {
        Op::TrueDiv => divide(x, other, Form::Reflected)?,
        op => binary(x, other, op, Form::Reflected)?,
    };
    Ok(Some(answer).filter(|answer| !answer.is(not_implemented(x.py()))))
}

#[pymethods]
impl PyArray {
    fn __abs__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        unary(slf, Op::Abs)
    }

    fn __neg__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        unary(slf, Op::Neg)
    }

    fn __pos__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        unary(slf, Op::Pos)
    }

    fn __invert__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        unary(slf, Op::Invert)
    }

    fn __richcmp__<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let op = match op {
            CompareOp::Eq => Op::Eq,
            CompareOp::Ne => Op::Ne,
            CompareOp::Lt => Op::Lt,
            CompareOp::Le => Op::Le,
            CompareOp::Gt => Op::Gt,
            CompareOp::Ge => Op::Ge,
        };
        binary(slf, other, op, Form::Forward)
    }
}

/// What an operator takes: an array of ours or an exact Python scalar. PyO3 answers NotImplemented for anything else, which
/// is how the in-place forms decline.
struct Known<'a, 'py>(Borrowed<'a, 'py, PyAny>);

impl<'a, 'py> FromPyObject<'a, 'py> for Known<'a, 'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if value.cast_exact::<PyArray>().is_ok() || PyScalar::of(&value)?.is_some() {
            Ok(Known(value))
        } else {
            Err(pyo3::exceptions::PyTypeError::new_err("neither an array nor a Python scalar"))
        }
    }
}

/// The three forms of each arithmetic operator. (PyO3's attribute can't be used inside a macro of ours.)
#[pymethods]
impl PyArray {
    fn __add__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::Add, Form::Forward)
    }

    fn __radd__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::Add, Form::Reflected)
    }

    fn __iadd__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>) -> PyResult<()> {
        binary(slf, &other.0, Op::Add, Form::InPlace).map(drop)
    }

    fn __sub__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::Sub, Form::Forward)
    }

    fn __rsub__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::Sub, Form::Reflected)
    }

    fn __isub__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>) -> PyResult<()> {
        binary(slf, &other.0, Op::Sub, Form::InPlace).map(drop)
    }

    fn __mul__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::Mul, Form::Forward)
    }

    fn __rmul__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::Mul, Form::Reflected)
    }

    fn __imul__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>) -> PyResult<()> {
        binary(slf, &other.0, Op::Mul, Form::InPlace).map(drop)
    }

    fn __matmul__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::MatMul, Form::Forward)
    }

    fn __rmatmul__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::MatMul, Form::Reflected)
    }

    fn __imatmul__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>) -> PyResult<()> {
        binary(slf, &other.0, Op::MatMul, Form::InPlace).map(drop)
    }

    fn __truediv__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divide(slf, other, Form::Forward)
    }

    fn __rtruediv__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divide(slf, other, Form::Reflected)
    }

    fn __itruediv__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>) -> PyResult<()> {
        divide(slf, &other.0, Form::InPlace).map(drop)
    }

    fn __floordiv__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::FloorDiv, Form::Forward)
    }

    fn __rfloordiv__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::FloorDiv, Form::Reflected)
    }

    fn __ifloordiv__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>) -> PyResult<()> {
        binary(slf, &other.0, Op::FloorDiv, Form::InPlace).map(drop)
    }

    fn __mod__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::Mod, Form::Forward)
    }

    fn __rmod__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::Mod, Form::Reflected)
    }

    fn __imod__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>) -> PyResult<()> {
        binary(slf, &other.0, Op::Mod, Form::InPlace).map(drop)
    }

    fn __lshift__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::LShift, Form::Forward)
    }

    fn __rlshift__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::LShift, Form::Reflected)
    }

    fn __ilshift__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>) -> PyResult<()> {
        binary(slf, &other.0, Op::LShift, Form::InPlace).map(drop)
    }

    fn __rshift__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::RShift, Form::Forward)
    }

    fn __rrshift__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::RShift, Form::Reflected)
    }

    fn __irshift__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>) -> PyResult<()> {
        binary(slf, &other.0, Op::RShift, Form::InPlace).map(drop)
    }

    fn __and__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::And, Form::Forward)
    }

    fn __rand__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::And, Form::Reflected)
    }

    fn __iand__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>) -> PyResult<()> {
        binary(slf, &other.0, Op::And, Form::InPlace).map(drop)
    }

    fn __or__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::Or, Form::Forward)
    }

    fn __ror__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::Or, Form::Reflected)
    }

    fn __ior__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>) -> PyResult<()> {
        binary(slf, &other.0, Op::Or, Form::InPlace).map(drop)
    }

    fn __xor__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::Xor, Form::Forward)
    }

    fn __rxor__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        binary(slf, other, Op::Xor, Form::Reflected)
    }

    fn __ixor__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>) -> PyResult<()> {
        binary(slf, &other.0, Op::Xor, Form::InPlace).map(drop)
    }
}

/// `pow(x, y, z)` with a modulus is not an operator of arrays.
fn without_modulus(modulus: &Bound<'_, PyAny>) -> bool {
    modulus.is_none()
}

#[pymethods]
impl PyArray {
    fn __pow__<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
        modulus: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if without_modulus(modulus) {
            binary(slf, other, Op::Pow, Form::Forward)
        } else {
            Ok(not_implemented(slf.py()))
        }
    }

    fn __rpow__<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
        modulus: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if without_modulus(modulus) {
            binary(slf, other, Op::Pow, Form::Reflected)
        } else {
            Ok(not_implemented(slf.py()))
        }
    }

    fn __ipow__<'py>(slf: &Bound<'py, Self>, other: Known<'_, 'py>, _modulus: &Bound<'py, PyAny>) -> PyResult<()> {
        binary(slf, &other.0, Op::Pow, Form::InPlace).map(drop)
    }
}
