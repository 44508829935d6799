//! Manipulation functions: views where strides can express them, else one copy.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;
use strictarray_core::{
    Array, DType, Dims, Error, Layout, Strides, broadcast_shapes as common_shape, bytes_of, check_ndim, show_shape,
};
use strictarray_kernels::Ctx;
use strictarray_kernels::arrange::{self, Counts};
use strictarray_standard::{promote, rule};

use super::elementwise::no_promotion;
use super::run_kernel;
use crate::arguments::CountOrArray;
use crate::array::{PyArray, shape_tuple, wrap};
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;
use crate::parse;

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    Some(match name {
        "broadcast_arrays" => broadcast_arrays,
        "broadcast_shapes" => broadcast_shapes,
        "broadcast_to" => broadcast_to,
        "concat" => concat,
        "expand_dims" => expand_dims,
        "flip" => flip,
        "moveaxis" => moveaxis,
        "permute_dims" => permute_dims,
        "repeat" => repeat,
        "reshape" => reshape,
        "roll" => roll,
        "squeeze" => squeeze,
        "stack" => stack,
        "tile" => tile,
        "unstack" => unstack,
        _ => return None,
    })
}

fn finish<'py>(call: &Call<'_, 'py>, result: Array) -> Outcome<Bound<'py, PyAny>> {
    wrap(call.py, result.in_namespace(call.namespace))
}

/// A view of an array as the result.
fn view<'py>(call: &Call<'_, 'py>, x: &Array, layout: Layout) -> Outcome<Bound<'py, PyAny>> {
    finish(call, x.with_layout(layout)?)
}

/// A tuple of results; `results` says how many there are.
fn tuple<'py>(
    call: &Call<'_, 'py>,
    results: impl ExactSizeIterator<Item = Outcome<Bound<'py, PyAny>>>,
) -> Outcome<Vec<Bound<'py, PyAny>>> {
    let mut items = Vec::new();
    let n = results.len();
    items.try_reserve_exact(n).map_err(|_| Error::new(&rule::MEMORY, format!("{n} arrays")).argument(call.name(0)))?;
    for result in results {
        items.push(result?);
    }
    Ok(items)
}

// ---- broadcasting ----------------------------------------------------------------------------------------------

/// An array broadcast to a shape. Where elements are repeated, a write to one would be a write to others: so it is refused.
fn broadcast(x: &Array, shape: &[usize]) -> strictarray_core::Result<Array> {
    let view = x.with_layout(x.layout().broadcast_to(shape)?)?;
    let repeated = x.size() > 0 && x.shape().iter().product::<usize>() != shape.iter().product::<usize>();
    let read_only = view.read_only() || repeated;
    Ok(view.set_read_only(read_only))
}

fn broadcast_arrays<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let name = call.name(0);
    let arrays = call.arrays(0)?;
    let shape = common_shape(arrays.iter().map(|x| x.shape())).map_err(|e| e.argument(name))?;
    let results = arrays.iter().map(|x| finish(call, broadcast(x, &shape)?));
    call.several(tuple(call, results)?)
}

fn broadcast_shapes<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let shapes = call.shapes(0)?;
    let shape = common_shape(shapes.iter().map(|s| &s[..])).map_err(|e| e.argument(call.name(0)))?;
    Ok(shape_tuple(call.py, &shape)?.into_any())
}

fn broadcast_to<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let shape = call.sizes(1)?;
    // No array may have more bytes than the address space, even if most of them are the same memory.
    bytes_of(&shape, x.dtype().size()).map_err(|e| e.argument(call.name(1)))?;
    finish(call, broadcast(x, &shape).map_err(|e| e.argument(call.name(1)))?)
}

// ---- axes ------------------------------------------------------------------------------------------------------

fn expand_dims<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let count = call.tuple_len(1)?;
    let ndim = x.ndim() + count.unwrap_or(1);
    check_ndim(ndim).map_err(|e| e.argument(call.name(1)))?;
    view(call, x, x.layout().expanded(&parse::axes_of(call.axes(1, ndim)?))?)
}

fn squeeze<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axes = parse::axes_of(call.axes(1, x.ndim())?);
    if let Some(&axis) = axes.iter().find(|&&axis| x.shape()[axis] != 1) {
        let got = format!("got axis {axis} of an array of shape {}", show_shape(x.shape()));
        return Err(Error::new(&rule::SQUEEZE_SIZE, got).argument(call.name(1)).into());
    }
    view(call, x, x.layout().without(&axes))
}

fn flip<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axes = match call.axes_or_none(1, x.ndim())? {
        Some(axes) => parse::axes_of(axes),
        None => (0..x.ndim()).collect(),
    };
    view(call, x, x.layout().flipped(&axes))
}

fn permute_dims<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let name = call.name(1);
    let axes = call.axes_in_order(1, x.ndim())?;
    if axes.len() != x.ndim() {
        let got = format!("got {} axes for an array of shape {}", axes.len(), show_shape(x.shape()));
        let requires = "axes must name every axis of x once";
        return Err(Error::new(&rule::AXIS_COUNT, got).requires(requires).argument(name).into());
    }
    view(call, x, x.layout().permuted(&axes))
}

fn moveaxis<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let source = call.axes_in_order(1, x.ndim())?;
    let destination = call.axes_in_order(2, x.ndim())?;
    if source.len() != destination.len() {
        let got = format!("got {} axes for {} places", source.len(), destination.len());
        let requires = "source and destination must name as many axes";
        return Err(Error::new(&rule::AXIS_COUNT, got).requires(requires).argument(call.name(2)).into());
    }
    let mut others = (0..x.ndim()).filter(|axis| !source.contains(axis));
    let axes: parse::Axes = (0..x.ndim())
        .filter_map(|place| match destination.iter().position(|d| *d == place) {
            Some(i) => Some(source[i]),
            None => others.next(),
        })
        .collect();
    view(call, x, x.layout().permuted(&axes))
}

fn unstack<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axis = call.axis(1, x.ndim(), 0)?;
    let (n, stride) = (x.shape()[axis], x.layout().strides()[axis]);
    let part = x.layout().without(&[axis]);
    // Nothing lies at any position of an empty array: stay at its first.
    let stride = if x.size() == 0 { 0 } else { stride };
    let results = (0..n).map(|i| {
        let offset = part.offset().wrapping_add_signed(stride * i as isize);
        view(call, x, Layout::new(Dims::from_slice(part.shape()), Strides::from_slice(part.strides()), offset))
    });
    Ok(PyTuple::new(call.py, tuple(call, results)?)?.into_any())
}

// ---- reshape ---------------------------------------------------------------------------------------------------

fn reshape<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let shape = new_shape(x, &call.ints(1)?).map_err(|e| e.argument(call.name(1)))?;
    let copy = call.bool_or_none(2)?;
    if copy != Some(true)
        && let Some(layout) = x.layout().reshaped(&shape, x.dtype().size())
    {
        return view(call, x, layout);
    }
    if copy == Some(false) {
        let got = format!("got an array of shape {} for shape {}", show_shape(x.shape()), show_shape(&shape));
        return Err(Error::new(&rule::COPY_NEEDED, got).argument(call.name(2)).into());
    }
    finish(call, reshaped_copy(call.py, x, &shape)?)
}

/// A copy in C order, in another shape of as many elements.
pub(super) fn reshaped_copy(py: Python<'_>, x: &Array, shape: &[usize]) -> Outcome<Array> {
    let result = Array::uninit(x.shape(), x.dtype(), x.device())?;
    run_kernel(py, x.size(), |ctx| arrange::copy(ctx, &result.operand(), &x.operand()))?;
    Ok(result.with_layout(Layout::c_order(shape, x.dtype().size())?)?)
}

/// The shape that is meant, a -1 inferred.
fn new_shape(x: &Array, given: &[i128]) -> strictarray_core::Result<Dims> {
    check_ndim(given.len())?;
    let size = x.size();
    let refuse = |rule, requires: Option<&'static str>| {
        let sizes = given.iter().map(i128::to_string).collect::<Vec<_>>().join(", ");
        let comma = if given.len() == 1 { "," } else { "" };
        let error = Error::new(rule, format!("got ({sizes}{comma}) for an array of shape {}", show_shape(x.shape())));
        Err(if let Some(text) = requires { error.requires(text) } else { error })
    };
    if given.iter().any(|n| *n < -1) {
        return refuse(&rule::RESHAPE_INFER, Some("sizes must not be negative, but for one that may be -1"));
    }
    if given.iter().filter(|n| **n == -1).count() > 1 {
        return refuse(&rule::RESHAPE_INFER, Some("only one size may be -1"));
    }
    let mut shape = Dims::with_capacity(given.len());
    let mut inferred = None;
    for (i, &n) in given.iter().enumerate() {
        if n == -1 {
            inferred = Some(i);
        }
        match usize::try_from(n.max(1 - i128::from(n == 0))) {
            Ok(n) => shape.push(n),
            Err(_) => return refuse(&rule::RESHAPE_SIZE, None),
        }
    }
    let known = if shape.contains(&0) { Some(0) } else { shape.iter().try_fold(1usize, |p, n| p.checked_mul(*n)) };
    match (known, inferred) {
        (Some(0), Some(_)) => {
            return refuse(&rule::RESHAPE_INFER, Some("-1 can't be inferred beside a size of 0"));
        }
        (Some(known), Some(i)) if size.is_multiple_of(known) => shape[i] = size / known,
        (_, Some(_)) => {
            return refuse(&rule::RESHAPE_INFER, Some("the other sizes must divide the number of elements"));
        }
        (Some(known), None) if known == size => {}
        (_, None) => return refuse(&rule::RESHAPE_SIZE, None),
    }
    bytes_of(&shape, x.dtype().size())?;
    Ok(shape)
}

// ---- joining ---------------------------------------------------------------------------------------------------

/// The arrays of a tuple or list, at least one, all on one device, and what they promote to.
struct Joined<'py> {
    arrays: SmallVec<[Bound<'py, PyArray>; 8]>,
    dtype: DType,
}

impl<'py> Joined<'py> {
    fn parse(call: &Call<'_, 'py>) -> Outcome<Joined<'py>> {
        let (arrays, name) = (call.array_sequence(0)?, call.name(0));
        let Some((first, others)) = arrays.split_first() else {
            return Err(Error::new(&rule::NOTHING_TO_JOIN, "got an empty sequence").argument(name).into());
        };
        let first = first.get().array();
        let mut dtype = first.dtype();
        for other in others {
            let other = other.get().array();
            if other.dtype() != dtype {
                dtype =
                    promote(dtype, other.dtype()).ok_or_else(|| no_promotion(dtype, other.dtype()).argument(name))?;
            }
        }
        first.device().check(dtype).map_err(|e| e.argument(name))?;
        Ok(Joined { arrays, dtype })
    }

    fn first(&self) -> &Array {
        self.arrays[0].get().array()
    }

    fn iter(&self) -> impl Iterator<Item = &Array> {
        self.arrays.iter().map(|x| x.get().array())
    }

    /// The result: each array copied to the part of it that `part` gives for its number, of the array's shape.
    fn copied(
        &self,
        call: &Call<'_, 'py>,
        shape: &[usize],
        mut part: impl FnMut(&Layout, usize, &Array) -> strictarray_core::Result<Layout>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let result = Array::uninit(shape, self.dtype, self.first().device()).map_err(|e| e.argument(call.name(0)))?;
        if result.size() > 0 {
            let mut pairs: SmallVec<[(Array, &Array); 4]> = SmallVec::with_capacity(self.arrays.len());
            for (i, x) in self.iter().enumerate() {
                pairs.push((result.with_layout(part(result.layout(), i, x)?)?, x));
            }
            run_kernel(call.py, result.size(), |ctx| {
                let pairs: SmallVec<[_; 4]> = pairs.iter().map(|(to, x)| (to.operand(), x.operand())).collect();
                arrange::copy_each(ctx, &pairs)
            })?;
        }
        finish(call, result)
    }

    #[cold]
    fn shapes_differ(&self, other: &Array, name: &'static str) -> Error {
        let got =
            format!("got arrays of shapes {} and {}", show_shape(self.first().shape()), show_shape(other.shape()));
        Error::new(&rule::JOIN_SHAPES, got).argument(name)
    }
}

/// The sum of sizes, refused where it exceeds what a size can be.
fn total(sizes: impl Iterator<Item = usize>) -> strictarray_core::Result<usize> {
    let mut total = 0usize;
    for size in sizes {
        total = total.checked_add(size).ok_or_else(|| Error::new(&rule::SHAPE_TOO_LARGE, "a size beyond 64 bits"))?;
    }
    Ok(total)
}

fn concat<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let joined = Joined::parse(call)?;
    let first = joined.first();
    let name = call.name(0);
    let axis = match call.given(1) {
        Some(_) => call.axis_or_none(1, first.ndim())?,
        None => Some(parse::axis_of(0, first.ndim(), call.name(1))?),
    };
    let item = joined.dtype.size();
    let mut start = 0;
    let Some(axis) = axis else {
        let size = total(joined.iter().map(Array::size)).map_err(|e| e.argument(name))?;
        return joined.copied(call, &[size], |_, _, x| {
            let part = Layout::c_order(x.shape(), item)?;
            let offset = start * item;
            start += x.size();
            Ok(Layout::new(Dims::from_slice(part.shape()), Strides::from_slice(part.strides()), offset))
        });
    };
    for x in joined.iter() {
        let fits = |(i, (a, b)): (usize, (&usize, &usize))| a == b || i == axis;
        if x.ndim() != first.ndim() || !x.shape().iter().zip(first.shape()).enumerate().all(fits) {
            return Err(joined.shapes_differ(x, name).into());
        }
    }
    let mut shape = Dims::from_slice(first.shape());
    shape[axis] = total(joined.iter().map(|x| x.shape()[axis])).map_err(|e| e.argument(name))?;
    joined.copied(call, &shape, |result, _, x| {
        let part = result.narrowed(axis, start, x.shape()[axis]);
        start += x.shape()[axis];
        Ok(part)
    })
}

fn stack<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let joined = Joined::parse(call)?;
    let first = joined.first();
    let ndim = first.ndim() + 1;
    check_ndim(ndim).map_err(|e| e.argument(call.name(0)))?;
    // The standard's interval is written with the number of axes of x, but its examples and 0-d arrays, which it would
    // leave without a valid axis, show that the axes of the result are meant.
    let axis = call.axis(1, ndim, 0)?;
    for x in joined.iter() {
        if x.shape() != first.shape() {
            return Err(joined.shapes_differ(x, call.name(0)).into());
        }
    }
    let mut shape = Dims::from_slice(first.shape());
    shape.insert(axis, joined.arrays.len());
    joined.copied(call, &shape, |result, i, _| Ok(result.narrowed(axis, i, 1).without(&[axis])))
}

// ---- repetitions -----------------------------------------------------------------------------------------------

/// The refusal of a negative number of repetitions, or one that is not to be had.
fn repetitions(value: i128, name: &'static str) -> Outcome<usize> {
    if value < 0 {
        return Err(Error::new(&rule::REPETITIONS, format!("got {value}")).argument(name).into());
    }
    usize::try_from(value).map_err(|_| Error::new(&rule::SHAPE_TOO_LARGE, format!("got {value}")).argument(name).into())
}

#[cold]
fn too_often(times: usize, size: usize, name: &'static str) -> Error {
    Error::new(&rule::SHAPE_TOO_LARGE, format!("got {times} repetitions of {size} elements")).argument(name)
}

fn tile<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let name = call.name(1);
    let given = call.ints(1)?;
    check_ndim(given.len()).map_err(|e| e.argument(name))?;
    let mut times: Dims = given.iter().map(|n| repetitions(*n, name)).collect::<Outcome<_>>()?;
    let new_axes: parse::Axes = (0..times.len().saturating_sub(x.ndim())).collect();
    let source = x.layout().expanded(&new_axes)?;
    while times.len() < source.ndim() {
        times.insert(0, 1);
    }
    let shape = source
        .shape()
        .iter()
        .zip(&times)
        .map(|(&n, &r)| n.checked_mul(r).ok_or_else(|| too_often(r, n, name)))
        .collect::<Result<Dims, Error>>()?;
    // Refuses what is too large, before any work.
    bytes_of(&shape, x.dtype().size()).map_err(|e| e.argument(name))?;
    if shape.contains(&0) {
        return finish(call, Array::uninit(&shape, x.dtype(), x.device())?);
    }
    // From the last axis on: what lies behind an axis is one chunk, which is repeated.
    let mut result = if x.is_c_contiguous() { x.clone() } else { reshaped_copy(call.py, x, x.shape())? };
    let mut behind = 1;
    for (&n, &r) in source.shape().iter().zip(&times).rev() {
        behind *= n;
        if r > 1 {
            let outer = result.size() / behind;
            let two_axes = |x: &Array, outer: usize| x.with_layout(in_c_order(x, &[outer, behind])?);
            let from = two_axes(&result, outer)?;
            let wide = Array::uninit(&[outer * r, behind], x.dtype(), x.device()).map_err(|e| e.argument(name))?;
            run_kernel(call.py, wide.size(), |ctx| {
                arrange::repeat(ctx, &wide.operand(), &from.operand(), 0, Counts::Same(r))
            })?;
            result = wide;
            behind *= r;
        }
    }
    let same_memory = result.ptr() == x.ptr();
    let result = if same_memory { reshaped_copy(call.py, &result, &shape)? } else { result };
    view(call, &result, in_c_order(&result, &shape)?)
}

/// The layout of a contiguous array's elements in another shape.
fn in_c_order(x: &Array, shape: &[usize]) -> strictarray_core::Result<Layout> {
    let layout = Layout::c_order(shape, x.dtype().size())?;
    Ok(Layout::new(Dims::from_slice(shape), Strides::from_slice(layout.strides()), x.layout().offset()))
}

fn repeat<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let name = call.name(1);
    let given = call.count_or_array(1, x)?;
    let axis = call.axis_or_none(2, x.ndim())?;
    let n = axis.map_or(x.size(), |axis| x.shape()[axis]);
    let each: Vec<usize>;
    let counts = match given {
        CountOrArray::Count(times) => Counts::Same(repetitions(times, name)?),
        CountOrArray::Array(counts) => {
            if !call.flags.data_dependent_shapes {
                let got = "got an array, and the data_dependent_shapes flag is off";
                return Err(Error::new(&rule::FLAG_OFF, got).argument(name).into());
            }
            if counts.ndim() != 1 {
                let got = format!("got an array of shape {}", show_shape(counts.shape()));
                return Err(Error::new(&rule::NOT_A_VECTOR, got).argument(name).into());
            }
            if counts.size() != 1 && counts.size() != n {
                let got = format!("got {} counts for {n} elements", counts.size());
                let requires = "repeats must have one count, or one for each element along the axis";
                return Err(Error::new(&rule::REPETITIONS, got).requires(requires).argument(name).into());
            }
            each = arrange::counts(&counts.operand()).map_err(|e| e.argument(name))?;
            if let [one] = each[..] { Counts::Same(one) } else { Counts::Each(&each) }
        }
    };
    let size = match counts {
        Counts::Same(times) => n.checked_mul(times).ok_or_else(|| too_often(times, n, name))?,
        Counts::Each(each) => total(each.iter().copied()).map_err(|e| e.argument(name))?,
    };
    let (mut shape, axis) = match axis {
        Some(axis) => (Dims::from_slice(x.shape()), axis),
        None => (Dims::from_slice(&[n]), 0),
    };
    // The kernel wants the elements side by side.
    let x = match x.layout().reshaped(&shape, x.dtype().size()) {
        Some(layout) if layout.is_c_contiguous(x.dtype().size()) => x.with_layout(layout)?,
        _ => reshaped_copy(call.py, x, &shape)?,
    };
    shape[axis] = size;
    let result = Array::uninit(&shape, x.dtype(), x.device()).map_err(|e| e.argument(name))?;
    run_kernel(call.py, result.size().max(n), |ctx| {
        arrange::repeat(ctx, &result.operand(), &x.operand(), axis, counts)
    })?;
    finish(call, result)
}

// ---- roll ------------------------------------------------------------------------------------------------------

fn roll<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let (shifts, several) = call.int_or_ints(1)?;
    // An axis may be named twice: it is shifted twice.
    let axes: Option<parse::Axes> = match call.some(2) {
        None => None,
        Some(axis) => Some(match axis.cast_exact::<PyTuple>() {
            Ok(items) => items
                .iter_borrowed()
                .map(|axis| parse::axis(&axis, x.ndim(), call.name(2)))
                .collect::<Outcome<parse::Axes>>()?,
            Err(_) => parse::axes_in_order(axis, x.ndim(), call.name(2))?.0,
        }),
    };
    let axes_given = axes.as_ref().map_or(0, |axes| axes.len());
    let axis_is_tuple = call.some(2).is_some_and(|axis| axis.cast_exact::<PyTuple>().is_ok());
    if several && (!axis_is_tuple || axes_given != shifts.len()) {
        let got = format!("got {} shifts", shifts.len());
        let requires = "with a tuple of shifts, axis must be a tuple of as many axes";
        return Err(Error::new(&rule::AXIS_COUNT, got).requires(requires).argument(call.name(2)).into());
    }
    let (x, axes) = match axes {
        Some(axes) => (x.clone(), axes),
        None => (flattened(call.py, x)?, parse::Axes::from_slice(&[0])),
    };
    // By how many places each axis is shifted in all.
    let mut places = Dims::from_elem(0, x.ndim());
    for (i, &axis) in axes.iter().enumerate() {
        let n = x.shape()[axis];
        if n > 0 {
            let shift = &shifts[if several { i } else { 0 }];
            places[axis] = (places[axis] + modulo(shift, n)?) % n;
        }
    }
    let result = shifted(call.py, &x, &places)?;
    // Flattened and rolled, it has its shape back: in C order, any shape of as many elements will do.
    let shape = call.array(0)?.shape();
    view(call, &result, Layout::c_order(shape, result.dtype().size())?)
}

/// A copy whose elements are moved on by so many places along each axis, less than there are: at its end they go on from the
/// start.
pub(super) fn shifted(py: Python<'_>, x: &Array, places: &[usize]) -> Outcome<Array> {
    let result = Array::uninit(x.shape(), x.dtype(), x.device())?;
    let moved: parse::Axes = (0..x.ndim()).filter(|&axis| places[axis] > 0).collect();
    if result.size() > 0 {
        run_kernel(py, result.size(), |ctx| rolled(ctx, &result, x, &moved, places))?;
    }
    Ok(result)
}

/// The elements as one axis, in C order.
fn flattened(py: Python<'_>, x: &Array) -> Outcome<Array> {
    let shape = [x.size()];
    match x.layout().reshaped(&shape, x.dtype().size()) {
        Some(layout) => Ok(x.with_layout(layout)?),
        None => reshaped_copy(py, x, &shape),
    }
}

/// The remainder of an int of any size.
fn modulo(shift: &Bound<'_, PyAny>, n: usize) -> Outcome<usize> {
    if let Ok(small) = shift.extract::<i64>() {
        return Ok(i128::from(small).rem_euclid(n as i128) as usize);
    }
    Ok(shift.rem(n)?.extract()?)
}

/// Copies what stands before and after the seam of each of these axes.
fn rolled(ctx: &Ctx<'_>, to: &Array, from: &Array, axes: &[usize], places: &[usize]) -> strictarray_core::Result<()> {
    let Some((&axis, others)) = axes.split_first() else {
        return arrange::copy(ctx, &to.operand(), &from.operand());
    };
    let (n, shift) = (to.shape()[axis], places[axis]);
    for (to_start, from_start, count) in [(shift, 0, n - shift), (0, n - shift, shift)] {
        let to = to.with_layout(to.layout().narrowed(axis, to_start, count))?;
        let from = from.with_layout(from.layout().narrowed(axis, from_start, count))?;
        rolled(ctx, &to, &from, others, places)?;
    }
    Ok(())
}
