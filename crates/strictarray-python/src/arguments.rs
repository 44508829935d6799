//! A call's arguments, by their places in the row. What each takes (kinds of object, data types, texts) is read from the row's
//! `accepts`, so that it stands there and nowhere else; so is what came to the function with a later version.
//!
//! A handler that reads an argument as another kind than its row says is a fault of ours: every call of it fails.

use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyRange, PyString, PyTuple};
use smallvec::SmallVec;
use strictarray_core::{Array, DType, Device, Dims, Error};
use strictarray_standard::{Accepts, DTypeSet, Feature, ScalarKinds, Version, added, removed, rule};

use crate::array::PyArray;
use crate::dispatch::Call;
use crate::errors::{Fail, Outcome};
use crate::functions::elementwise::Side;
use crate::functions::same_device_as;
use crate::parse::{self, AxisSet, PyScalar};

/// Whether a version has what may have come later to a function or method.
#[inline]
pub(crate) fn has(version: Version, function: &str, feature: Feature) -> bool {
    // Nothing came after the default version (a test of the table says so).
    version >= Version::DEFAULT || version >= added(function, feature)
}

/// The refusal of what came later.
#[cold]
pub(crate) fn later(version: Version, function: &str, feature: Feature, got: &str) -> Error {
    let requires = format!("{function} takes {} since version {}", feature.describe(), added(function, feature));
    Error::new(&rule::LATER_BEHAVIOUR, format!("got {got} in version {version}")).requires(requires)
}

/// `let pattern = self.accepts(place)`, or the refusal of a handler that does not fit its row.
macro_rules! accepts {
    ($call:expr, $place:expr, $($($pattern:pat_param)|+ => $value:expr),+) => {
        match $call.row.params[$place].accepts {
            $($($pattern)|+ => $value,)+
            _ => return Err($call.mismatch($place)),
        }
    };
}

/// A number, or the number of a text among those of the row.
pub(crate) enum ScalarOrChoice<'py> {
    Scalar(PyScalar<'py>),
    Choice(usize),
}

/// The texts in quotation marks.
fn or(texts: &[&str]) -> String {
    texts.iter().map(|t| format!("'{t}'")).collect::<Vec<_>>().join(" or ")
}

/// What `repeat` takes for its counts.
pub(crate) enum CountOrArray<'a> {
    Count(i128),
    Array(&'a Array),
}

impl<'a, 'py> Call<'a, 'py> {
    #[cold]
    fn mismatch(&self, place: usize) -> Fail {
        let got = format!("a parameter that {} reads as what its row does not say", self.row.name);
        Error::new(&rule::INTERNAL, got).argument(self.name(place)).into()
    }

    /// Whether the version in force has what may have come later to the function.
    #[inline]
    pub(crate) fn has(&self, feature: Feature) -> bool {
        has(self.flags.api_version, self.row.name, feature)
    }

    /// The refusal of what came later.
    #[cold]
    pub(crate) fn later(&self, place: usize, feature: Feature, got: &str) -> Fail {
        later(self.flags.api_version, self.row.name, feature, got).argument(self.name(place)).into()
    }

    // ---- arrays ------------------------------------------------------------------------------------------------

    /// Refuses a data type outside the set, or one that came to the function with a later version.
    #[inline]
    pub(crate) fn check(&self, place: usize, dtype: DType, set: DTypeSet) -> Outcome<()> {
        if self.flags.api_version < Version::DEFAULT {
            return self.check_older(place, dtype, set);
        }
        parse::check_kind(dtype, set, self.row.name, self.name(place))
    }

    /// The same in a version before the default one.
    fn check_older(&self, place: usize, dtype: DType, set: DTypeSet) -> Outcome<()> {
        let until = removed(self.row.name, Feature::Real);
        let had_real = dtype.is_floating() && until.is_some_and(|until| self.flags.api_version < until);
        if !had_real {
            parse::check_kind(dtype, set, self.row.name, self.name(place))?;
            let feature = if dtype.is_complex() { Feature::Complex } else { Feature::Real };
            if !self.has(feature) {
                return Err(self.later(place, feature, &format!("an array of dtype {dtype}")));
            }
        }
        Ok(())
    }

    /// The array at this place, as an object.
    #[inline]
    pub(crate) fn array_object(&self, place: usize) -> Outcome<&'a Bound<'py, PyArray>> {
        let set = accepts!(self, place, Accepts::Array(set) => set);
        let object = parse::array(self.required(place)?, self.name(place))?;
        self.check(place, object.get().array().dtype(), set)?;
        Ok(object)
    }

    /// The array at this place.
    #[inline]
    pub(crate) fn array(&self, place: usize) -> Outcome<&'a Array> {
        Ok(self.array_object(place)?.get().array())
    }

    /// The array at this place, on the device of the first.
    pub(crate) fn array_beside(&self, place: usize, first: &Array) -> Outcome<&'a Array> {
        let x = self.array(place)?;
        same_device_as(first, x, self.name(place))?;
        Ok(x)
    }

    /// The array at this place, on the device of the first; `None` where it was left out or is None.
    pub(crate) fn array_or_none(&self, place: usize, first: &Array) -> Outcome<Option<&'a Array>> {
        let set = accepts!(self, place, Accepts::ArrayOrNone(set) => set);
        let Some(value) = self.some(place) else { return Ok(None) };
        let x = parse::array(value, self.name(place))?.get().array();
        self.check(place, x.dtype(), set)?;
        same_device_as(first, x, self.name(place))?;
        Ok(Some(x))
    }

    /// What a `*arrays` parameter took, all on one device.
    pub(crate) fn arrays(&self, place: usize) -> Outcome<SmallVec<[&'a Array; 8]>> {
        let set = accepts!(self, place, Accepts::Arrays(set) => set);
        self.arrays_of(place, set)
    }

    /// The same with data types of another set.
    pub(crate) fn arrays_of(&self, place: usize, set: DTypeSet) -> Outcome<SmallVec<[&'a Array; 8]>> {
        let name = self.name(place);
        let mut arrays: SmallVec<[&Array; 8]> = SmallVec::with_capacity(self.rest.len());
        for value in self.rest {
            let x = parse::array(value, name)?.get().array();
            self.check(place, x.dtype(), set)?;
            if let Some(first) = arrays.first() {
                same_device_as(first, x, name)?;
            }
            arrays.push(x);
        }
        Ok(arrays)
    }

    /// The arrays of a tuple or list, all on one device. They are held: a list may change while a long copy runs.
    pub(crate) fn array_sequence(&self, place: usize) -> Outcome<SmallVec<[Bound<'py, PyArray>; 8]>> {
        let set = accepts!(self, place, Accepts::ArraySequence(set) => set);
        let (value, name) = (self.required(place)?, self.name(place));
        let mut arrays: SmallVec<[Bound<'py, PyArray>; 8]> = SmallVec::new();
        if let Ok(items) = value.cast::<PyTuple>() {
            for item in items.iter_borrowed() {
                arrays.push(parse::array(&item, name)?.clone());
            }
        } else if let Ok(items) = value.cast::<PyList>() {
            for item in items.iter() {
                arrays.push(parse::array(&item, name)?.clone());
            }
        } else {
            return Err(Error::new(&rule::NOT_A_SEQUENCE, format!("got {}", parse::show(value))).argument(name).into());
        }
        for x in &arrays {
            let x = x.get().array();
            self.check(place, x.dtype(), set)?;
            same_device_as(arrays[0].get().array(), x, name)?;
        }
        Ok(arrays)
    }

    /// An array or a Python scalar. Data types are checked where it is known what both operands promote to.
    #[inline]
    pub(crate) fn operand(&self, place: usize) -> Outcome<Side<'a, 'py>> {
        let set = accepts!(self, place, Accepts::ArrayOrScalar(set) | Accepts::ArrayOrScalarOrNone(set) => set);
        let value = self.required(place)?;
        if let Ok(x) = value.cast_exact::<PyArray>() {
            let x = x.get().array();
            if self.flags.api_version < Version::DEFAULT {
                self.check(place, x.dtype(), set)?;
            }
            return Ok(Side::Array(x));
        }
        let Some(scalar) = PyScalar::of(value)? else {
            let error = Error::new(&rule::NOT_ARRAY_OR_SCALAR, format!("got {}", parse::show(value)));
            return Err(error.argument(self.name(place)).into());
        };
        if !self.has(Feature::Scalar) {
            return Err(self.later(place, Feature::Scalar, &parse::show(value)));
        }
        Ok(Side::Scalar(scalar))
    }

    /// Two operands, at least one of which is an array.
    #[inline]
    pub(crate) fn operands(&self, places: [usize; 2]) -> Outcome<[Side<'a, 'py>; 2]> {
        let sides = [self.operand(places[0])?, self.operand(places[1])?];
        if let [Side::Scalar(_), Side::Scalar(_)] = sides {
            let [first, second] = places.map(|place| self.required(place).map(parse::show));
            let error = Error::new(&rule::ONLY_SCALARS, format!("got {} and {}", first?, second?));
            let names = places.map(|place| self.name(place));
            return Err(error
                .requires(format!("at least one of {} and {} must be an array", names[0], names[1]))
                .argument(names[0])
                .into());
        }
        Ok(sides)
    }

    /// The data type of the array or dtype at this place, and the array.
    pub(crate) fn array_or_dtype(&self, place: usize) -> Outcome<(DType, Option<&'a Array>)> {
        let set = accepts!(self, place, Accepts::ArrayOrDType(set) => set);
        let (dtype, array) = self.array_or_dtype_of(self.required(place)?, place)?;
        if !set.contains(dtype) {
            return Err(self.wrong_dtype(dtype, set, place));
        }
        Ok((dtype, array))
    }

    /// The same for a value of a `*arrays_and_dtypes` parameter.
    pub(crate) fn array_or_dtype_of(
        &self,
        value: &'a Bound<'py, PyAny>,
        place: usize,
    ) -> Outcome<(DType, Option<&'a Array>)> {
        let known = |dtype: DType, got: &dyn Fn() -> String| {
            if dtype.is_complex() && !self.has(Feature::Complex) {
                return Err(self.later(place, Feature::Complex, &got()));
            }
            Ok(dtype)
        };
        if let Ok(x) = value.cast_exact::<PyArray>() {
            let x = x.get().array();
            return Ok((known(x.dtype(), &|| format!("an array of dtype {}", x.dtype()))?, Some(x)));
        }
        match parse::dtype(value, self.name(place)) {
            Ok(dtype) => Ok((known(dtype, &|| dtype.to_string())?, None)),
            Err(_) => {
                let error = Error::new(&rule::NOT_A_DTYPE, format!("got {}", parse::show(value)));
                let error = error.requires("an array or a dtype object of this namespace is required");
                Err(error.argument(self.name(place)).into())
            }
        }
    }

    // ---- Python scalars ----------------------------------------------------------------------------------------

    fn scalar_of(&self, value: &Bound<'py, PyAny>, kinds: ScalarKinds, place: usize) -> Outcome<PyScalar<'py>> {
        parse::scalar(value, kinds, self.name(place))
    }

    /// The Python scalar at this place; `None` where it was left out, or is None and may be.
    pub(crate) fn scalar_or_none(&self, place: usize) -> Outcome<Option<PyScalar<'py>>> {
        let (kinds, value) = match self.row.params[place].accepts {
            Accepts::Scalar(kinds) => (kinds, self.given(place)),
            Accepts::ScalarOrNone(kinds) => (kinds, self.some(place)),
            _ => return Err(self.mismatch(place)),
        };
        value.map(|value| self.scalar_of(value, kinds, place)).transpose()
    }

    /// The Python scalar at this place, or one of the texts of the row by its number; `None` where it was left out.
    pub(crate) fn scalar_or_choice(&self, place: usize) -> Outcome<Option<ScalarOrChoice<'py>>> {
        let (kinds, texts) = accepts!(self, place, Accepts::ScalarOrChoice(kinds, texts) => (kinds, texts));
        let Some(value) = self.given(place) else { return Ok(None) };
        let requires =
            || format!("a number ({}; no subclass, no array) or {} is required", kinds.describe(), or(texts));
        let found = if value.cast_exact::<PyString>().is_ok() {
            self.one_of(value, texts, place).map(ScalarOrChoice::Choice)
        } else {
            self.scalar_of(value, kinds, place).map(ScalarOrChoice::Scalar)
        };
        found.map(Some).map_err(|fail| fail.requires(requires))
    }

    /// The Python scalar at this place, which has no default.
    pub(crate) fn scalar(&self, place: usize) -> Outcome<PyScalar<'py>> {
        let kinds = accepts!(self, place, Accepts::Scalar(kinds) => kinds);
        self.scalar_of(self.required(place)?, kinds, place)
    }

    /// The bool at this place.
    #[inline]
    pub(crate) fn bool(&self, place: usize, default: bool) -> Outcome<bool> {
        accepts!(self, place, Accepts::Bool => ());
        self.given(place).map_or(Ok(default), |value| parse::bool(value, self.name(place)))
    }

    /// The bool at this place, or None.
    pub(crate) fn bool_or_none(&self, place: usize) -> Outcome<Option<bool>> {
        accepts!(self, place, Accepts::BoolOrNone => ());
        self.some(place).map(|value| parse::bool(value, self.name(place))).transpose()
    }

    /// The int at this place.
    pub(crate) fn int(&self, place: usize, default: i128) -> Outcome<i128> {
        accepts!(self, place, Accepts::Int => ());
        self.given(place).map_or(Ok(default), |value| parse::int(value, self.name(place)))
    }

    /// The int at this place, which is not negative; `None` where it was left out, or is None and may be.
    pub(crate) fn count(&self, place: usize) -> Outcome<Option<i128>> {
        let value = match self.row.params[place].accepts {
            Accepts::Count => self.given(place),
            Accepts::CountOrNone => self.some(place),
            _ => return Err(self.mismatch(place)),
        };
        let Some(value) = value else { return Ok(None) };
        let count = parse::int(value, self.name(place))?;
        if count < 0 {
            let error = Error::new(&rule::VALUE, format!("got {}", parse::show(value))).argument(self.name(place));
            return Err(error.requires(format!("{} must not be negative", self.name(place))).into());
        }
        Ok(Some(count))
    }

    /// A count that is the size of an axis.
    pub(crate) fn size(&self, place: usize) -> Outcome<Option<usize>> {
        let too_large = |count| Error::new(&rule::SHAPE_TOO_LARGE, format!("got {count}")).argument(self.name(place));
        let count = self.count(place)?;
        Ok(count.map(|count| usize::try_from(count).map_err(|_| too_large(count))).transpose()?)
    }

    /// An int that is not negative, or an array on the device of the first.
    pub(crate) fn count_or_array(&self, place: usize, first: &Array) -> Outcome<CountOrArray<'a>> {
        let set = accepts!(self, place, Accepts::CountOrArray(set) => set);
        let (value, name) = (self.required(place)?, self.name(place));
        if let Ok(x) = value.cast_exact::<PyArray>() {
            let x = x.get().array();
            self.check(place, x.dtype(), set)?;
            same_device_as(first, x, name)?;
            return Ok(CountOrArray::Array(x));
        }
        if value.cast_exact::<PyInt>().is_ok() {
            return Ok(CountOrArray::Count(parse::int(value, name)?));
        }
        let error = Error::new(&rule::NOT_AN_INT, format!("got {}", parse::show(value))).argument(name);
        Err(error.requires("a Python int or an array of this namespace is required").into())
    }

    /// One of the texts of the row, by its number.
    pub(crate) fn choice(&self, place: usize) -> Outcome<Option<usize>> {
        let texts = accepts!(self, place, Accepts::Choice(texts) => texts);
        self.given(place).map(|value| self.one_of(value, texts, place)).transpose()
    }

    fn one_of(&self, value: &Bound<'py, PyAny>, texts: &[&str], place: usize) -> Outcome<usize> {
        let text = value.cast_exact::<PyString>().ok().and_then(|text| text.to_str().ok());
        match text.and_then(|text| texts.iter().position(|t| *t == text)) {
            Some(number) => Ok(number),
            None => {
                let error = Error::new(&rule::NOT_A_CHOICE, format!("got {}", parse::show(value)));
                Err(error.requires(format!("{} is required", or(texts))).argument(self.name(place)).into())
            }
        }
    }

    // ---- shapes and axes ---------------------------------------------------------------------------------------

    /// A size or a tuple of sizes.
    pub(crate) fn shape(&self, place: usize) -> Outcome<Dims> {
        accepts!(self, place, Accepts::Shape => ());
        parse::shape(self.required(place)?, self.name(place))
    }

    /// A tuple of sizes.
    pub(crate) fn sizes(&self, place: usize) -> Outcome<Dims> {
        accepts!(self, place, Accepts::Sizes => ());
        parse::shape_tuple(self.required(place)?, self.name(place))
    }

    /// A tuple of ints. What must not be negative is left to the function.
    pub(crate) fn ints(&self, place: usize) -> Outcome<SmallVec<[i128; 4]>> {
        accepts!(self, place, Accepts::Ints | Accepts::Sizes => ());
        parse::ints(self.required(place)?, self.name(place))
    }

    /// The tuples of sizes that a `*shapes` parameter took.
    pub(crate) fn shapes(&self, place: usize) -> Outcome<SmallVec<[Dims; 4]>> {
        accepts!(self, place, Accepts::Shapes => ());
        self.rest.iter().map(|value| parse::shape_tuple(value, self.name(place))).collect()
    }

    /// An int or a tuple of ints, as objects; and whether it is a tuple.
    pub(crate) fn int_or_ints(&self, place: usize) -> Outcome<(SmallVec<[Bound<'py, PyInt>; 4]>, bool)> {
        accepts!(self, place, Accepts::IntOrInts => ());
        let (value, name) = (self.required(place)?, self.name(place));
        let int = |value: &Bound<'py, PyAny>| -> Outcome<Bound<'py, PyInt>> {
            parse::int(value, name)?;
            Ok(value.cast_exact::<PyInt>()?.clone())
        };
        match value.cast_exact::<PyTuple>() {
            Ok(items) => Ok((items.iter().map(|item| int(&item)).collect::<Outcome<_>>()?, true)),
            Err(_) => Ok((SmallVec::from_iter([int(value)?]), false)),
        }
    }

    /// The number of an axis of an array of `ndim` dimensions as it was given: an int.
    pub(crate) fn axis_number(&self, place: usize, default: i128) -> Outcome<i128> {
        accepts!(self, place, Accepts::Axis => ());
        self.given(place).map_or(Ok(default), |value| parse::int(value, self.name(place)))
    }

    /// The axis at this place, of an array of `ndim` dimensions.
    #[inline]
    pub(crate) fn axis(&self, place: usize, ndim: usize, default: i128) -> Outcome<usize> {
        parse::axis_of(self.axis_number(place, default)?, ndim, self.name(place))
    }

    /// The axis at this place, or None.
    #[inline]
    pub(crate) fn axis_or_none(&self, place: usize, ndim: usize) -> Outcome<Option<usize>> {
        accepts!(self, place, Accepts::AxisOrNone => ());
        self.some(place).map(|value| parse::axis(value, ndim, self.name(place))).transpose()
    }

    /// An axis or a tuple of different axes.
    pub(crate) fn axes(&self, place: usize, ndim: usize) -> Outcome<AxisSet> {
        accepts!(self, place, Accepts::Axes => ());
        parse::axes(self.required(place)?, ndim, self.name(place))
    }

    /// An axis, a tuple of different axes, or None.
    #[inline]
    pub(crate) fn axes_or_none(&self, place: usize, ndim: usize) -> Outcome<Option<AxisSet>> {
        accepts!(self, place, Accepts::AxesOrNone => ());
        self.some(place).map(|value| parse::axes(value, ndim, self.name(place))).transpose()
    }

    /// An axis or a tuple of different axes, in the order given.
    pub(crate) fn axes_in_order(&self, place: usize, ndim: usize) -> Outcome<parse::Axes> {
        accepts!(self, place, Accepts::Axes | Accepts::AllAxes => ());
        let (value, name) = (self.required(place)?, self.name(place));
        if matches!(self.row.params[place].accepts, Accepts::AllAxes) && value.cast_exact::<PyTuple>().is_err() {
            return Err(parse::not_ints(value, name).into());
        }
        self.ordered(value, place, ndim)
    }

    /// The same for a part of an argument.
    pub(crate) fn ordered(&self, value: &Bound<'py, PyAny>, place: usize, ndim: usize) -> Outcome<parse::Axes> {
        let (axes, from_the_end) = parse::axes_in_order(value, ndim, self.name(place))?;
        if from_the_end && !self.has(Feature::Negative) {
            return Err(self.later(place, Feature::Negative, "a negative axis"));
        }
        Ok(axes)
    }

    /// A sequence of different axes in the order given, an axis where the row says so, or None.
    pub(crate) fn axis_sequence_or_none(&self, place: usize, ndim: usize) -> Outcome<Option<parse::Axes>> {
        let one = accepts!(self, place, Accepts::AxisSequenceOrNone => false, Accepts::AxesOrSequenceOrNone => true);
        let Some(value) = self.some(place) else { return Ok(None) };
        let items = match value.cast_exact::<PyInt>() {
            Ok(_) if one => value.clone(),
            _ => self.items(value, place, one)?.into_any(),
        };
        Ok(Some(self.ordered(&items, place, ndim)?))
    }

    /// A sequence of ints, or None.
    pub(crate) fn int_sequence_or_none(&self, place: usize) -> Outcome<Option<SmallVec<[i128; 4]>>> {
        accepts!(self, place, Accepts::IntSequenceOrNone => ());
        let Some(value) = self.some(place) else { return Ok(None) };
        parse::ints(self.items(value, place, false)?.as_any(), self.name(place)).map(Some)
    }

    /// The items of a sequence (tuple, list or range), which may stand for an int.
    pub(crate) fn items(&self, value: &Bound<'py, PyAny>, place: usize, or_int: bool) -> Outcome<Bound<'py, PyTuple>> {
        if let Ok(items) = value.cast_exact::<PyTuple>() {
            return Ok(items.clone());
        }
        if !value.is_instance_of::<PyTuple>() && !value.is_instance_of::<PyList>() && !value.is_instance_of::<PyRange>()
        {
            let error = Error::new(&rule::AXES_TYPE, format!("got {}", parse::show(value))).argument(self.name(place));
            let int = if or_int { "an int or " } else { "" };
            return Err(error
                .requires(format!("{int}a sequence (tuple, list or range) of Python ints is required"))
                .into());
        }
        Ok(PyTuple::new(self.py, value.try_iter()?.collect::<PyResult<Vec<_>>>()?)?)
    }

    /// Whether the argument is a tuple, where tuples may have come later.
    pub(crate) fn tuple_len(&self, place: usize) -> Outcome<Option<usize>> {
        let count = self.required(place)?.cast_exact::<PyTuple>().ok().map(|axes| axes.len());
        if count.is_some() && !self.has(Feature::Tuple) {
            return Err(self.later(place, Feature::Tuple, "a tuple"));
        }
        Ok(count)
    }

    /// Several results: a tuple, or a list where tuples came later.
    pub(crate) fn several(&self, items: Vec<Bound<'py, PyAny>>) -> Outcome<Bound<'py, PyAny>> {
        if self.has(Feature::Tuple) {
            return Ok(PyTuple::new(self.py, items)?.into_any());
        }
        Ok(PyList::new(self.py, items)?.into_any())
    }

    // ---- data types and devices --------------------------------------------------------------------------------

    fn dtype_of(&self, value: &Bound<'py, PyAny>, set: DTypeSet, place: usize) -> Outcome<DType> {
        let dtype = parse::dtype(value, self.name(place))?;
        if !set.contains(dtype) {
            return Err(self.wrong_dtype(dtype, set, place));
        }
        if dtype.is_complex() && !self.has(Feature::Complex) {
            return Err(self.later(place, Feature::Complex, &format!("{dtype}")));
        }
        Ok(dtype)
    }

    /// The refusal of a data type as an argument.
    #[cold]
    fn wrong_dtype(&self, dtype: DType, set: DTypeSet, place: usize) -> Fail {
        let requires = format!("Only {} dtypes are allowed in {}", set.describe(), self.row.name);
        let error = Error::new(&rule::DTYPE_ARGUMENT, format!("got {dtype}")).requires(requires);
        error.argument(self.name(place)).into()
    }

    /// The dtype at this place.
    pub(crate) fn dtype(&self, place: usize) -> Outcome<DType> {
        let set = accepts!(self, place, Accepts::DType(set) => set);
        self.dtype_of(self.required(place)?, set, place)
    }

    /// The dtype at this place, or None.
    #[inline]
    pub(crate) fn dtype_or_none(&self, place: usize) -> Outcome<Option<DType>> {
        let set = accepts!(self, place, Accepts::DTypeOrNone(set) => set);
        self.some(place).map(|value| self.dtype_of(value, set, place)).transpose()
    }

    /// The device at this place, or None.
    pub(crate) fn device_or_none(&self, place: usize) -> Outcome<Option<Device>> {
        accepts!(self, place, Accepts::DeviceOrNone => ());
        self.some(place).map(|value| parse::device(value, self.name(place))).transpose()
    }
}
