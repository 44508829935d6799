//! What functions that reduce axes have in common.

use pyo3::prelude::*;
use strictarray_core::{Array, DType, Dims, Error, Layout, Operand, Result as CoreResult, show_shape};
use strictarray_kernels::Ctx;
use strictarray_standard::rule;

use super::run_kernel;
use crate::array::wrap;
use crate::dispatch::Call;
use crate::errors::Outcome;
use crate::parse::AxisSet;

/// Which axes are reduced, and whether they stay.
pub(crate) struct Axes {
    set: AxisSet,
    keepdims: bool,
}

impl Axes {
    /// The last two axes.
    pub(crate) fn of_matrices(ndim: usize, keepdims: bool) -> Axes {
        Axes { set: 0b11 << (ndim - 2), keepdims }
    }

    /// The axes of arguments at these places: an int, a tuple of ints, or None for all.
    pub(crate) fn several(call: &Call<'_, '_>, ndim: usize, axis: usize, keepdims: usize) -> Outcome<Axes> {
        let set = call.axes_or_none(axis, ndim)?.unwrap_or(AxisSet::MAX);
        Ok(Axes { set, keepdims: call.bool(keepdims, false)? })
    }

    /// The axis of arguments at these places: an int, or None for all.
    pub(crate) fn one(call: &Call<'_, '_>, ndim: usize, axis: usize, keepdims: usize) -> Outcome<Axes> {
        let set = call.axis_or_none(axis, ndim)?.map_or(AxisSet::MAX, |axis| 1 << axis);
        Ok(Axes { set, keepdims: call.bool(keepdims, false)? })
    }

    fn has(&self, axis: usize) -> bool {
        self.set >> axis & 1 == 1
    }
}

/// Runs a kernel that reduces axes and wraps its result.
pub(crate) fn reduce<'py>(
    call: &Call<'_, 'py>,
    x: &Array,
    axes: &Axes,
    dtype: DType,
    kernel: impl FnOnce(&Ctx<'_>, &Operand<'_>, &Operand<'_>) -> CoreResult<()> + Send,
) -> Outcome<Bound<'py, PyAny>> {
    let sizes = x.shape().iter().enumerate();
    let kept: Dims = sizes.clone().map(|(i, &n)| if axes.has(i) { 1 } else { n }).collect();
    let mut result = Array::uninit(&kept, dtype, x.device())?;
    run_kernel(call.py, x.size(), |ctx| kernel(ctx, &result.operand(), &x.operand()))?;
    if !axes.keepdims && x.ndim() > 0 {
        // In C order, axes of size 1 come and go freely.
        let shape: Dims = sizes.filter(|&(i, _)| !axes.has(i)).map(|(_, &n)| n).collect();
        result = result.with_layout(Layout::c_order(&shape, dtype.size())?)?;
    }
    wrap(call.py, result.in_namespace(call.namespace))
}

/// Refuses to reduce an axis of no elements.
pub(crate) fn check_not_empty(call: &Call<'_, '_>, x: &Array, axes: &Axes) -> Outcome<()> {
    if !x.shape().iter().enumerate().any(|(i, &n)| n == 0 && axes.has(i)) {
        return Ok(());
    }
    let got = format!("got an array of shape {}", show_shape(x.shape()));
    Err(Error::new(&rule::EMPTY, got).argument(call.name(0)).into())
}
