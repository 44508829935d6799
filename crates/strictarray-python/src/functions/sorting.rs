//! Sorting functions.

use pyo3::prelude::*;
use strictarray_core::{Array, DType};
use strictarray_kernels::{Ctx, sort};
use strictarray_standard::ResultDType;

use super::{index_dtype, run_kernel};
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    match name {
        "argsort" => Some(|call| along_axis(call, sort::argsort)),
        "sort" => Some(|call| along_axis(call, sort::sort)),
        _ => None,
    }
}

type Kernel = fn(
    &Ctx<'_>,
    &strictarray_core::Operand<'_>,
    &strictarray_core::Operand<'_>,
    usize,
    bool,
) -> strictarray_core::Result<()>;

fn along_axis<'py>(call: &Call<'_, 'py>, kernel: Kernel) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axis = call.axis(1, x.ndim(), -1)?;
    let descending = call.bool(2, false)?;
    // Every sort is stable: what is asked for makes no difference.
    call.bool(3, true)?;
    let dtype: DType = match call.row.result {
        ResultDType::Index => index_dtype(x, x.shape()[axis])?,
        _ => x.dtype(),
    };
    let result = Array::uninit(x.shape(), dtype, x.device())?;
    let work = x.size().saturating_mul(4);
    run_kernel(call.py, work, |ctx| kernel(ctx, &result.operand(), &x.operand(), axis, descending))?;
    wrap(call.py, result.in_namespace(call.namespace))
}
