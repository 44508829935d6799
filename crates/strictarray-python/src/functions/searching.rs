//! Searching functions.

use pyo3::prelude::*;
use strictarray_kernels::reduce as kernel;
use strictarray_standard::Version;

use super::reduced::{Axes, check_not_empty, operand, reduce};
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    Some(match name {
        "argmax" => |call| place(call, true),
        "argmin" => |call| place(call, false),
        "count_nonzero" => count_nonzero,
        _ => return None,
    })
}

fn place<'py>(call: &Call<'_, 'py>, largest: bool) -> Outcome<Bound<'py, PyAny>> {
    let x = operand(call, Version::V2021_12)?;
    let axes = Axes::one(call, x.ndim(), 1, 2)?;
    check_not_empty(call, x, &axes)?;
    let index = x.device().defaults().indexing;
    reduce(call, x, &axes, index, if largest { kernel::argmax } else { kernel::argmin })
}

fn count_nonzero<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = operand(call, Version::V2022_12)?;
    let axes = Axes::several(call, x.ndim(), 1, 2)?;
    reduce(call, x, &axes, x.device().defaults().indexing, kernel::count_nonzero)
}
