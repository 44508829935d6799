//! Linear algebra functions of the main namespace.

use pyo3::prelude::*;
use strictarray_core::{Array, Dims, Error, Layout, Strides, broadcast_shapes, show_shape};
use strictarray_kernels::matmul as kernel;
use strictarray_standard::{Function, promote, rule};

use super::elementwise::{Side, accepted, cast_to, no_promotion};
use super::{run_kernel, same_device};
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;
use crate::parse::{self, check_kind};

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    match name {
        "matmul" => Some(matmul_handler),
        _ => None,
    }
}

fn matmul_handler<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x1 = parse::array(call.required(0)?, call.name(0))?.get().array();
    let x2 = parse::array(call.required(1)?, call.name(1))?.get().array();
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
    let (Side::Array(x1), Side::Array(x2)) = (x1, x2) else {
        let argument = if matches!(x1, Side::Scalar(_)) { row.params[0].name } else { row.params[1].name };
        return Err(Error::new(&rule::NOT_AN_ARRAY, "got a Python scalar").argument(argument).into());
    };
    check_kind(x1.dtype(), accepted(row, 0), name, row.params[0].name)?;
    check_kind(x2.dtype(), accepted(row, 1), name, row.params[1].name)?;
    same_device(x1, x2)?;
    let dtype = promote(x1.dtype(), x2.dtype())
        .ok_or_else(|| no_promotion(x1.dtype(), x2.dtype()).argument(row.params[1].name))?;
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

fn last_two(shape: &[usize]) -> (usize, usize) {
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
