//! From Python objects to ours: exactly the kinds that the standard documents, nothing that only looks like them.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyTuple, PyType};
use smallvec::SmallVec;
use strictarray_core::{Complex, DType, DTypeSet, Device, Dims, Error, Scalar, check_ndim};
use strictarray_standard::{ScalarKinds, rule};

use crate::array::PyArray;
use crate::device::PyDevice;
use crate::dtype::PyDType;
use crate::errors::Outcome;
use crate::once::interned;

/// The name of a value's type, with its module where that tells something.
pub(crate) fn type_name(value: &Bound<'_, PyAny>) -> String {
    let class = value.get_type();
    match class.fully_qualified_name() {
        Ok(name) => name.to_string(),
        Err(_) => "an object".to_owned(),
    }
}

/// A short text of a value for a message.
pub(crate) fn show(value: &Bound<'_, PyAny>) -> String {
    let name = type_name(value);
    let plain = value.is_none()
        || value.is_instance_of::<PyInt>()
        || value.is_instance_of::<PyFloat>()
        || value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyComplex>();
    if let Ok(class) = value.cast::<PyType>() {
        return format!("the type {}", class.fully_qualified_name().map_or_else(|_| name, |n| n.to_string()));
    }
    match value.repr() {
        // The repr of other objects may be long, slow, or an error.
        Ok(text) if plain => {
            let text = text.to_string();
            let short: String =
                if text.chars().count() > 40 { text.chars().take(37).chain("...".chars()).collect() } else { text };
            if value.is_none() { short } else { format!("{short} ({name})") }
        }
        _ => format!("an object of type {name}"),
    }
}

fn got(value: &Bound<'_, PyAny>) -> String {
    format!("got {}", show(value))
}

/// An array of ours.
pub(crate) fn array<'a, 'py>(value: &'a Bound<'py, PyAny>, name: &'static str) -> Outcome<&'a Bound<'py, PyArray>> {
    match value.cast_exact::<PyArray>() {
        Ok(array) => Ok(array),
        Err(_) => Err(Error::new(&rule::NOT_AN_ARRAY, got(value)).argument(name).into()),
    }
}

/// Refuses a data type outside the documented kind.
#[inline]
pub(crate) fn check_kind(dtype: DType, set: DTypeSet, function: &str, name: &'static str) -> Outcome<()> {
    if set.contains(dtype) { Ok(()) } else { Err(wrong_kind(dtype, set, function, name).into()) }
}

#[cold]
pub(crate) fn wrong_kind(dtype: DType, set: DTypeSet, function: &str, name: &'static str) -> Error {
    let requires = format!("Only {} dtypes are allowed in {function}", set.describe());
    Error::new(&rule::DTYPE_KIND, format!("got an array of dtype {dtype}")).requires(requires).argument(name)
}

/// A Python int, no subclass. What exceeds an i128 is saturated: it is out of every range that is asked for.
pub(crate) fn int(value: &Bound<'_, PyAny>, name: &'static str) -> Outcome<i128> {
    match value.cast_exact::<PyInt>() {
        Ok(value) => Ok(int_value(value)?),
        Err(_) => Err(Error::new(&rule::NOT_AN_INT, got(value)).argument(name).into()),
    }
}

/// Axes in the order given.
pub(crate) type Axes = SmallVec<[usize; 4]>;

/// An axis or a tuple of different axes, in the order given; and whether one of them is counted from the end.
pub(crate) fn axes_in_order(value: &Bound<'_, PyAny>, ndim: usize, name: &'static str) -> Outcome<(Axes, bool)> {
    let (mut axes, mut seen, mut from_the_end) = (Axes::new(), 0 as AxisSet, false);
    let mut push = |item: &Bound<'_, PyAny>| -> Outcome<()> {
        let Ok(int) = item.cast_exact::<PyInt>() else {
            return Err(Error::new(&rule::AXES_TYPE, got(item)).argument(name).into());
        };
        let value = int_value(int)?;
        let axis = axis_of(value, ndim, name)?;
        if seen & 1 << axis != 0 {
            return Err(Error::new(&rule::AXIS_REPEATED, format!("got {axis} twice")).argument(name).into());
        }
        seen |= 1 << axis;
        from_the_end |= value < 0;
        axes.push(axis);
        Ok(())
    };
    match value.cast_exact::<PyTuple>() {
        Ok(items) => items.iter_borrowed().try_for_each(|item| push(&item))?,
        Err(_) => push(value)?,
    }
    Ok((axes, from_the_end))
}

/// The axes of a set, in ascending order.
pub(crate) fn axes_of(mut set: AxisSet) -> Axes {
    let mut axes = Axes::new();
    while set != 0 {
        axes.push(set.trailing_zeros() as usize);
        set &= set - 1;
    }
    axes
}

/// A tuple of ints.
pub(crate) fn ints(value: &Bound<'_, PyAny>, name: &'static str) -> Outcome<SmallVec<[i128; 4]>> {
    match value.cast_exact::<PyTuple>() {
        Ok(items) => {
            // A plain loop: to collect what may fail takes a tenth of the time of a `reshape`.
            let mut ints = SmallVec::new();
            for item in items.iter_borrowed() {
                ints.push(int(&item, name)?);
            }
            Ok(ints)
        }
        Err(_) => Err(not_ints(value, name).into()),
    }
}

#[cold]
pub(crate) fn not_ints(value: &Bound<'_, PyAny>, name: &'static str) -> Error {
    Error::new(&rule::NOT_A_TUPLE, got(value)).requires("a tuple of Python ints is required").argument(name)
}

/// A tuple of sizes: a shape where the standard does not allow an int for it.
pub(crate) fn shape_tuple(value: &Bound<'_, PyAny>, name: &'static str) -> Outcome<Dims> {
    if value.cast_exact::<PyTuple>().is_err() {
        return Err(not_ints(value, name).into());
    }
    shape(value, name)
}

/// The value of an int, saturated to an i128.
pub(crate) fn int_value(value: &Bound<'_, PyInt>) -> PyResult<i128> {
    if let Ok(small) = value.extract::<i64>() {
        return Ok(small.into());
    }
    match value.extract::<i128>() {
        Ok(large) => Ok(large),
        Err(_) => Ok(if value.lt(0)? { i128::MIN } else { i128::MAX }),
    }
}

/// A Python bool.
pub(crate) fn bool(value: &Bound<'_, PyAny>, name: &'static str) -> Outcome<bool> {
    match value.cast_exact::<PyBool>() {
        Ok(value) => Ok(value.is_true()),
        Err(_) => Err(Error::new(&rule::NOT_A_BOOL, got(value)).argument(name).into()),
    }
}

/// The size of one axis: an int that is not negative.
fn size(item: &Bound<'_, PyAny>, name: &'static str) -> Outcome<usize> {
    let Ok(int) = item.cast_exact::<PyInt>() else {
        return Err(Error::new(&rule::SHAPE_TYPE, got(item)).argument(name).into());
    };
    let size = int_value(int)?;
    if size < 0 {
        return Err(Error::new(&rule::SHAPE_NEGATIVE, got(item)).argument(name).into());
    }
    usize::try_from(size).map_err(|_| Error::new(&rule::SHAPE_TOO_LARGE, got(item)).argument(name).into())
}

/// A size or a tuple of sizes.
pub(crate) fn shape(value: &Bound<'_, PyAny>, name: &'static str) -> Outcome<Dims> {
    if let Ok(items) = value.cast_exact::<PyTuple>() {
        check_ndim(items.len()).map_err(|e| e.argument(name))?;
        return items.iter_borrowed().map(|item| size(&item, name)).collect();
    }
    Ok(Dims::from_slice(&[size(value, name)?]))
}

/// A set of axes, a bit each.
pub(crate) type AxisSet = u64;

/// The axis that an int names in an array of `ndim` dimensions.
pub(crate) fn axis_of(value: i128, ndim: usize, name: &'static str) -> Outcome<usize> {
    let n = ndim as i128;
    if (-n..n).contains(&value) {
        return Ok(value.rem_euclid(n) as usize);
    }
    Err(no_axis(value, ndim, name).into())
}

#[cold]
fn no_axis(value: i128, ndim: usize, name: &'static str) -> Error {
    Error::new(&rule::AXIS, format!("got {value}, out of range for an array of {ndim} dimensions")).argument(name)
}

/// One axis of an array of `ndim` dimensions, counted from 0.
pub(crate) fn axis(value: &Bound<'_, PyAny>, ndim: usize, name: &'static str) -> Outcome<usize> {
    axis_of(int(value, name)?, ndim, name)
}

/// An axis or a tuple of different axes of an array of `ndim` dimensions.
pub(crate) fn axes(value: &Bound<'_, PyAny>, ndim: usize, name: &'static str) -> Outcome<AxisSet> {
    const { assert!(strictarray_core::MAX_NDIM <= AxisSet::BITS as usize) };
    let bit = |item: &Bound<'_, PyAny>| -> Outcome<AxisSet> {
        let Ok(int) = item.cast_exact::<PyInt>() else {
            return Err(Error::new(&rule::AXES_TYPE, got(item)).argument(name).into());
        };
        Ok(1 << axis_of(int_value(int)?, ndim, name)?)
    };
    let Ok(items) = value.cast_exact::<PyTuple>() else { return bit(value) };
    let mut set = 0;
    for item in items.iter_borrowed() {
        let one = bit(&item)?;
        if set & one != 0 {
            let got = format!("got {} twice", one.trailing_zeros());
            return Err(Error::new(&rule::AXIS_REPEATED, got).argument(name).into());
        }
        set |= one;
    }
    Ok(set)
}

/// A dtype object of ours.
pub(crate) fn dtype(value: &Bound<'_, PyAny>, name: &'static str) -> Outcome<DType> {
    match value.cast_exact::<PyDType>() {
        Ok(dtype) => Ok(dtype.get().0),
        Err(_) => Err(Error::new(&rule::NOT_A_DTYPE, got(value)).argument(name).into()),
    }
}

/// The kinds of data types, as `isdtype` and the inspection API name them: a text, or a tuple of such; `isdtype` takes data
/// types too.
pub(crate) fn dtype_kinds(value: &Bound<'_, PyAny>, name: &'static str, dtypes: bool) -> Outcome<DTypeSet> {
    let one = |kind: &Bound<'_, PyAny>| -> Outcome<DTypeSet> {
        let text = kind.cast_exact::<PyString>().ok();
        if let Some(set) = text.and_then(|text| DTypeSet::from_kind(text.to_str().ok()?)) {
            return Ok(set);
        }
        match kind.cast_exact::<PyDType>() {
            Ok(dtype) if dtypes => return Ok(DTypeSet::of(&[dtype.get().0])),
            _ => {}
        }
        let wrong = if dtypes && text.is_none() { &rule::NOT_A_DTYPE } else { &rule::NOT_A_CHOICE };
        let requires = format!(
            "a kind is required: {}'bool', 'signed integer', 'unsigned integer', 'integral', 'real floating', \
             'complex floating', 'numeric', or a tuple of these",
            if dtypes { "a dtype, " } else { "" }
        );
        Err(Error::new(wrong, got(kind)).requires(requires).argument(name).into())
    };
    // Each of a tuple is looked at, so that a wrong one is refused wherever it stands.
    match value.cast_exact::<PyTuple>() {
        Ok(kinds) => kinds.iter_borrowed().try_fold(DTypeSet::EMPTY, |set, kind| Ok(set.union(one(&kind)?))),
        Err(_) => one(value),
    }
}

/// A device object of ours.
pub(crate) fn device(value: &Bound<'_, PyAny>, name: &'static str) -> Outcome<Device> {
    PyDevice::of(value).ok_or_else(|| Error::new(&rule::NOT_A_DEVICE, got(value)).argument(name).into())
}

/// A Python scalar: bool, int, float or complex, no subclass.
#[derive(Clone, Debug)]
pub(crate) enum PyScalar<'py> {
    Small(Scalar),
    /// An int beyond every integer data type: still a number for floating-point ones.
    Huge(Bound<'py, PyInt>),
}

impl<'py> PyScalar<'py> {
    /// The scalar, or `None` for any other object.
    pub(crate) fn of(value: &Bound<'py, PyAny>) -> PyResult<Option<PyScalar<'py>>> {
        let scalar = if let Ok(x) = value.cast_exact::<PyFloat>() {
            Scalar::Float(x.value())
        } else if let Ok(i) = value.cast_exact::<PyInt>() {
            match i.extract::<i64>() {
                Ok(small) => Scalar::Int(small.into()),
                Err(_) => match i.extract::<i128>() {
                    Ok(large) => Scalar::Int(large),
                    Err(_) => return Ok(Some(PyScalar::Huge(i.clone()))),
                },
            }
        } else if let Ok(b) = value.cast_exact::<PyBool>() {
            Scalar::Bool(b.is_true())
        } else if let Ok(z) = value.cast_exact::<PyComplex>() {
            Scalar::Complex(Complex::new(z.real(), z.imag()))
        } else {
            return Ok(None);
        };
        Ok(Some(PyScalar::Small(scalar)))
    }

    pub(crate) fn kind(&self) -> ScalarKinds {
        match self {
            PyScalar::Small(scalar) => scalar.kind(),
            PyScalar::Huge(_) => ScalarKinds::INT,
        }
    }

    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            PyScalar::Small(scalar) => scalar.type_name(),
            PyScalar::Huge(_) => "int",
        }
    }

    /// The value for an element of a data type; a huge int is a float for floating-point ones, else out of range.
    pub(crate) fn value_for(&self, dtype: DType, name: &'static str) -> Outcome<Scalar> {
        match self {
            PyScalar::Small(scalar) if scalar.in_range(dtype) => Ok(*scalar),
            PyScalar::Small(scalar) => Err(out_of_range(&shown(*scalar), dtype, name).into()),
            PyScalar::Huge(int) if dtype.is_floating() => {
                let float: f64 = int
                    .call_method0(interned!(int.py(), "__float__"))
                    .and_then(|f| f.extract())
                    .map_err(|_| crate::errors::Fail::Ours(out_of_range("a very large int", dtype, name)))?;
                Ok(Scalar::Float(float))
            }
            PyScalar::Huge(_) => Err(out_of_range("a very large int", dtype, name).into()),
        }
    }
}

/// A scalar as errors show it. Larger floats are the largest ints on their way to integer data types.
#[cold]
pub(crate) fn shown(scalar: Scalar) -> String {
    match scalar {
        Scalar::Int(i128::MAX) => "a number of 1.7e38 or more".into(),
        Scalar::Int(i128::MIN) => "a number of -1.7e38 or less".into(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Float(value) => format!("{value:?}"),
        Scalar::Bool(value) => if value { "True" } else { "False" }.into(),
        Scalar::Complex(value) => format!("({:?}{:+?}j)", value.re, value.im),
    }
}

/// The refusal of a number outside a data type's range.
#[cold]
pub(crate) fn out_of_range(shown: &str, dtype: DType, name: &'static str) -> Error {
    let requires = match dtype.integer_range() {
        Some((min, max)) => {
            format!("Python int scalars must be within the bounds of the dtype: [{min}, {max}] for {dtype}")
        }
        None => format!("the value must be finite as {dtype}"),
    };
    Error::new(&rule::SCALAR_RANGE, format!("got {shown}")).requires(requires).argument(name)
}

/// A Python scalar of these kinds.
pub(crate) fn scalar<'py>(value: &Bound<'py, PyAny>, kinds: ScalarKinds, name: &'static str) -> Outcome<PyScalar<'py>> {
    match PyScalar::of(value)? {
        Some(scalar) if kinds.contains(scalar.kind()) => Ok(scalar),
        _ => {
            let error = Error::new(&rule::NOT_A_SCALAR, got(value)).argument(name);
            Err(error.requires(format!("a Python {} is required (no subclass, no array)", kinds.describe())).into())
        }
    }
}
