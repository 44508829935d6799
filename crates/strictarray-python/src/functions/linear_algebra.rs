//! Linear algebra functions of the main namespace, which the extension has too.

use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};
use strictarray_core::{Array, Dims, Error, Layout, Strides, broadcast_shapes, check_ndim, show_shape};
use strictarray_kernels::matmul as kernel;
use strictarray_kernels::vecdot::vecdot as vecdot_kernel;
use strictarray_standard::{Function, Version, rule};

use super::elementwise::{Side, cast_to, plan};
use super::manipulation::reshaped_copy;
use super::run_kernel;
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;
use crate::parse;

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    match name {
        "matmul" | "linalg.matmul" => Some(matmul_handler),
        "matrix_transpose" | "linalg.matrix_transpose" => Some(matrix_transpose),
        "tensordot" | "linalg.tensordot" => Some(tensordot),
        "vecdot" | "linalg.vecdot" => Some(vecdot),
        _ => None,
    }
}

fn matmul_handler<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let (x1, x2) = (call.array(0)?, call.array(1)?);
    let result = matmul(call.py, &Side::Array(x1), &Side::Array(x2), call.row, call.row.name)?;
    wrap(call.py, result.in_namespace(call.namespace))
}

/// The matrix product.
pub(crate) fn matmul(
    py: Python<'_>,
    x1: &Side<'_, '_>,
    x2: &Side<'_, '_>,
    row: &'static Function,
    name: &'static str,
) -> Outcome<Array> {
    let sides = [x1, x2];
    let (Side::Array(x1), Side::Array(x2)) = (x1, x2) else {
        let argument = if matches!(x1, Side::Scalar(_)) { row.params[0].name } else { row.params[1].name };
        return Err(Error::new(&rule::NOT_AN_ARRAY, "got a Python scalar").argument(argument).into());
    };
    let dtype = plan(sides, row, [0, 1], name)?.dtype;
    let bad = || {
        let got = format!("got shapes {} and {}", show_shape(x1.shape()), show_shape(x2.shape()));
        Error::new(&rule::MATMUL_SHAPE, got).argument(row.params[1].name)
    };
    // A vector is a row on the left, a column on the right; its axis is taken away again at the end.
    let left = with_matrix_axes(x1, true).ok_or_else(bad)?;
    let right = with_matrix_axes(x2, false).ok_or_else(bad)?;
    let (m, k) = last_two(left.shape());
    let (inner, n) = last_two(right.shape());
    if k != inner {
        return Err(bad().into());
    }
    let batch = broadcast_shapes([&left.shape()[..left.ndim() - 2], &right.shape()[..right.ndim() - 2]])
        .map_err(|e| e.argument(row.params[1].name))?;
    let over = |x: &Array| -> Outcome<Array> {
        let (rows, columns) = last_two(x.shape());
        let mut shape = batch.clone();
        shape.extend([rows, columns]);
        let x = if x.dtype() == dtype { x.clone() } else { cast_to(py, x, dtype)? };
        Ok(x.with_layout(x.layout().broadcast_to(&shape)?)?)
    };
    let (left, right) = (over(&left)?, over(&right)?);
    let mut shape: Dims = batch.clone();
    shape.extend([m, n]);
    let full = Array::uninit(&shape, dtype, x1.device())?;
    let work = full.size().saturating_mul(k.max(1));
    run_kernel(py, work, |ctx| kernel::matmul(ctx, &full.operand(), &left.operand(), &right.operand()))?;
    let mut result: Dims = batch;
    if x1.ndim() != 1 {
        result.push(m);
    }
    if x2.ndim() != 1 {
        result.push(n);
    }
    // In C order, axes of size 1 come and go freely.
    let layout = Layout::c_order(&result, dtype.size())?;
    Ok(full.with_layout(layout)?.in_namespace(x1.namespace()))
}

pub(super) fn last_two(shape: &[usize]) -> (usize, usize) {
    match shape {
        [.., a, b] => (*a, *b),
        _ => (1, 1),
    }
}

/// The array with at least two axes; `None` for a 0-d array.
fn with_matrix_axes(x: &Array, row: bool) -> Option<Array> {
    match x.ndim() {
        0 => None,
        1 => {
            let (n, stride) = (x.shape()[0], x.layout().strides()[0]);
            let (shape, strides): (Dims, Strides) = if row {
                (Dims::from_slice(&[1, n]), Strides::from_slice(&[0, stride]))
            } else {
                (Dims::from_slice(&[n, 1]), Strides::from_slice(&[stride, 0]))
            };
            x.with_layout(Layout::new(shape, strides, x.layout().offset())).ok()
        }
        _ => Some(x.clone()),
    }
}

/// The array at this place, which must have at least two axes.
pub(super) fn matrices<'a>(call: &Call<'a, '_>, place: usize) -> Outcome<&'a Array> {
    let x = call.array(place)?;
    if x.ndim() >= 2 {
        return Ok(x);
    }
    let got = format!("got an array of shape {}", show_shape(x.shape()));
    Err(Error::new(&rule::NDIM_TWO, got).argument(call.name(place)).into())
}

fn matrix_transpose<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = matrices(call, 0)?;
    let layout = x.layout().matrix_transposed().ok_or_else(|| Error::new(&rule::INTERNAL, "no matrix"))?;
    wrap(call.py, x.with_layout(layout)?.in_namespace(call.namespace))
}

/// The two arrays of a call, in what they promote to.
pub(super) fn promoted(call: &Call<'_, '_>) -> Outcome<[Array; 2]> {
    let (x1, x2) = (call.array(0)?, call.array(1)?);
    let dtype = plan([&Side::Array(x1), &Side::Array(x2)], call.row, [0, 1], call.row.name)?.dtype;
    let cast = |x: &Array| if x.dtype() == dtype { Ok(x.clone()) } else { cast_to(call.py, x, dtype) };
    Ok([cast(x1)?, cast(x2)?])
}

#[cold]
pub(super) fn contraction(got: String, name: &'static str) -> Error {
    Error::new(&rule::CONTRACTION, got).argument(name)
}

/// A view in another shape of as many elements, or a copy.
fn reshaped(py: Python<'_>, x: &Array, shape: &[usize]) -> Outcome<Array> {
    match x.layout().reshaped(shape, x.dtype().size()) {
        Some(layout) => Ok(x.with_layout(layout)?),
        None => reshaped_copy(py, x, shape),
    }
}

// ---- tensordot -------------------------------------------------------------------------------------------------

fn tensordot<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let [x1, x2] = promoted(call)?;
    let name = call.name(2);
    let [axes1, axes2] = contracted(call, [x1.ndim(), x2.ndim()])?;
    if axes1.len() != axes2.len() {
        let got = format!("got {} axes of x1 and {} of x2", axes1.len(), axes2.len());
        return Err(Error::new(&rule::AXIS_COUNT, got)
            .requires("as many axes of each are required")
            .argument(name)
            .into());
    }
    if axes1.iter().zip(&axes2).any(|(&a, &b)| x1.shape()[a] != x2.shape()[b]) {
        let got = format!(
            "got axes {axes1:?} of shape {} and {axes2:?} of shape {}",
            show_shape(x1.shape()),
            show_shape(x2.shape())
        );
        return Err(contraction(got, name).into());
    }
    // As matrices: what stays of x1 times what is contracted, and that times what stays of x2.
    let free =
        |x: &Array, axes: &[usize]| -> parse::Axes { (0..x.ndim()).filter(|axis| !axes.contains(axis)).collect() };
    let (free1, free2) = (free(&x1, &axes1), free(&x2, &axes2));
    check_ndim(free1.len() + free2.len())?;
    let size = |x: &Array, axes: &[usize]| -> usize { axes.iter().map(|&axis| x.shape()[axis]).product() };
    let (m, k, n) = (size(&x1, &free1), size(&x1, &axes1), size(&x2, &free2));
    let matrix = |x: &Array, first: &[usize], second: &[usize], shape: [usize; 2]| -> Outcome<Array> {
        let order = [first, second].concat();
        reshaped(call.py, &x.with_layout(x.layout().permuted(&order))?, &shape)
    };
    let left = matrix(&x1, &free1, &axes1, [m, k])?;
    let right = matrix(&x2, &axes2, &free2, [k, n])?;
    let shape: Dims = free1.iter().map(|&a| x1.shape()[a]).chain(free2.iter().map(|&a| x2.shape()[a])).collect();
    let result = Array::uninit(&shape, x1.dtype(), x1.device())?;
    if result.size() > 0 {
        let product = result.with_layout(Layout::c_order(&[m, n], result.dtype().size())?)?;
        let work = result.size().saturating_mul(k.max(1));
        run_kernel(call.py, work, |ctx| kernel::matmul(ctx, &product.operand(), &left.operand(), &right.operand()))?;
    }
    wrap(call.py, result.in_namespace(call.namespace))
}

/// The axes that are contracted, of both arrays.
fn contracted(call: &Call<'_, '_>, ndim: [usize; 2]) -> Outcome<[parse::Axes; 2]> {
    let name = call.name(2);
    let count = match call.given(2) {
        None => 2,
        Some(value) if value.cast_exact::<PyInt>().is_ok() => parse::int(value, name)?,
        Some(value) => {
            let pair = value.cast_exact::<PyTuple>().ok().filter(|pair| pair.len() == 2);
            let Some(pair) = pair else {
                let error = Error::new(&rule::NOT_A_TUPLE, format!("got {}", parse::show(value))).argument(name);
                return Err(error.requires("an int or a tuple of two sequences of ints is required").into());
            };
            let axes = |i: usize| sequence(call, &pair.get_item(i)?, ndim[i]);
            return Ok([axes(0)?, axes(1)?]);
        }
    };
    let most = ndim[0].min(ndim[1]);
    match usize::try_from(count) {
        Ok(count) if count <= most => Ok([(ndim[0] - count..ndim[0]).collect(), (0..count).collect()]),
        _ => {
            let got = format!("got {count} axes to contract for arrays of {} and {} axes", ndim[0], ndim[1]);
            let requires = "a number of axes that both arrays have is required";
            Err(Error::new(&rule::AXIS_COUNT, got).requires(requires).argument(name).into())
        }
    }
}

/// One of the two sequences of axes.
fn sequence<'py>(call: &Call<'_, 'py>, value: &Bound<'py, PyAny>, ndim: usize) -> Outcome<parse::Axes> {
    call.ordered(call.items(value, 2, false)?.as_any(), 2, ndim)
}

// ---- vecdot ----------------------------------------------------------------------------------------------------

fn vecdot<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let [x1, x2] = promoted(call)?;
    let axis = call.axis_number(2, -1)?;
    // How far the axis is from the end, from 1 on.
    let back = vector_axis(call, axis, [x1.ndim(), x2.ndim()])?;
    let along = |x: &Array| x.ndim().checked_sub(back).map_or(1, |axis| x.shape()[axis]);
    let k = along(&x1);
    if k != along(&x2) {
        let got = format!("got shapes {} and {} with axis {axis}", show_shape(x1.shape()), show_shape(x2.shape()));
        return Err(contraction(got, call.name(1)).into());
    }
    // Without the axis, as it stands for both, counted from the end.
    let ends = |x: &Array| -> Outcome<(Array, Dims)> {
        let missing: parse::Axes = (0..back.saturating_sub(x.ndim())).collect();
        let x = x.with_layout(x.layout().expanded(&missing)?)?;
        let axis = x.ndim() - back;
        let order: parse::Axes = (0..x.ndim()).filter(|i| *i != axis).chain([axis]).collect();
        let x = x.with_layout(x.layout().permuted(&order))?;
        let lead = Dims::from_slice(&x.shape()[..x.ndim() - 1]);
        Ok((x, lead))
    };
    let ((x1, lead1), (x2, lead2)) = (ends(&x1)?, ends(&x2)?);
    let shape = broadcast_shapes([&lead1[..], &lead2]).map_err(|e| e.argument(call.name(1)))?;
    let result = Array::uninit(&shape, x1.dtype(), x1.device())?;
    // The vectors last, the other axes repeated.
    let mut wide = shape;
    wide.push(k);
    let (x1, x2) = (x1.operand_over(&wide)?, x2.operand_over(&wide)?);
    let work = result.size().saturating_mul(k.max(1));
    run_kernel(call.py, work, |ctx| vecdot_kernel(ctx, &result.operand(), &x1, &x2))?;
    wrap(call.py, result.in_namespace(call.namespace))
}

/// How far from the end the axis is.
pub(super) fn vector_axis(call: &Call<'_, '_>, axis: i128, ndim: [usize; 2]) -> Outcome<usize> {
    let name = call.name(2);
    if ndim.contains(&0) {
        return Err(Error::new(&rule::NDIM_ONE, "got a 0-d array")
            .argument(call.name(usize::from(ndim[0] != 0)))
            .into());
    }
    if call.flags.api_version < Version::V2023_12 {
        // The axis is that of the broadcast shape, from either end.
        let most = ndim[0].max(ndim[1]);
        return Ok(most - parse::axis_of(axis, most, name)?);
    }
    let least = ndim[0].min(ndim[1]);
    match usize::try_from(axis.saturating_neg()) {
        Ok(back) if (1..=least).contains(&back) => Ok(back),
        _ => {
            let got = format!("got {axis} for arrays of {} and {} axes", ndim[0], ndim[1]);
            let requires = format!("the axis must be in [-{least}, -1] here: it is counted from the end of both");
            Err(Error::new(&rule::AXIS, got).requires(requires).argument(name).into())
        }
    }
}
