//! Set functions.

use pyo3::prelude::*;
use strictarray_core::{Array, DType};
use strictarray_kernels::set::{self, Unique, Wanted};

use super::elementwise::{Plan, Ready, plan, ready};
use super::{data_dependent, index_dtype, named, run_kernel};
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;
use crate::once::Once;

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    Some(match name {
        "isin" => isin,
        "unique_all" => unique_all,
        "unique_counts" => unique_counts,
        "unique_inverse" => unique_inverse,
        "unique_values" => unique_values,
        _ => return None,
    })
}

fn isin<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let py = call.py;
    let [x1, x2] = call.operands([0, 1])?;
    let invert = call.bool(2, false)?;
    let Plan { dtype, device } = plan([&x1, &x2], call.row, [0, 1], call.row.name)?;
    let result = Array::uninit(x1.shape(), DType::Bool, device)?;
    let a = ready(py, &x1, dtype, call.name(0))?;
    let a = a.operand(dtype, x1.shape())?;
    let b = match ready(py, &x2, dtype, call.name(1))? {
        Ready::Same(x) => x.to_c_contiguous()?,
        Ready::Cast(x) => x,
        Ready::Scalar(bytes) => Array::full(&[], bytes, dtype, device)?,
    };
    let work = result.size().saturating_add(b.size()).saturating_mul(2);
    run_kernel(py, work, |ctx| set::isin(ctx, &result.operand(), &a, &b, invert))?;
    wrap(py, result.in_namespace(call.namespace))
}

/// The arrays that were asked for, in the order of `unique_all`.
struct Found {
    values: Array,
    places: Option<(Array, Array)>,
    counts: Option<Array>,
}

fn unique(call: &Call<'_, '_>, wanted: Wanted) -> Outcome<Found> {
    data_dependent(call)?;
    let x = call.array(0)?;
    let (index, device, namespace) = (index_dtype(x, x.size())?, x.device(), call.namespace);
    let work = x.size().saturating_mul(4);
    run_kernel(call.py, work, |ctx| {
        let flat = x.to_c_contiguous()?;
        let mut found = Unique::new(ctx, &flat, wanted)?;
        let new = |shape: &[usize], dtype| Ok(Array::uninit(shape, dtype, device)?.in_namespace(namespace));
        let shape = [found.len()];
        let values = new(&shape, x.dtype())?;
        found.values(&values.operand())?;
        let places = if wanted.places {
            let (first, inverse) = (new(&shape, index)?, new(x.shape(), index)?);
            found.first(ctx, &first.operand())?;
            found.inverse(ctx, &inverse.operand())?;
            Some((first, inverse))
        } else {
            None
        };
        let counts = if wanted.counts {
            let counts = new(&shape, index)?;
            found.counts(ctx, &counts.operand())?;
            Some(counts)
        } else {
            None
        };
        Ok(Found { values, places, counts })
    })
}

fn unique_all<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    static CLASS: Once<Py<PyAny>> = Once::new();
    let Found { values, places, counts } = unique(call, Wanted { places: true, counts: true })?;
    let places = places.into_iter().flat_map(|(first, inverse)| [first, inverse]);
    named(call.py, &CLASS, "UniqueAllResult", [values].into_iter().chain(places).chain(counts))
}

fn unique_counts<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    static CLASS: Once<Py<PyAny>> = Once::new();
    let Found { values, counts, .. } = unique(call, Wanted { places: false, counts: true })?;
    named(call.py, &CLASS, "UniqueCountsResult", [values].into_iter().chain(counts))
}

fn unique_inverse<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    static CLASS: Once<Py<PyAny>> = Once::new();
    let Found { values, places, .. } = unique(call, Wanted { places: true, counts: false })?;
    named(call.py, &CLASS, "UniqueInverseResult", [values].into_iter().chain(places.map(|(_, inverse)| inverse)))
}

fn unique_values<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    wrap(call.py, unique(call, Wanted::default())?.values)
}
