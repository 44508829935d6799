//! Functions along axes: sums and the like, extremes and their places, what is not zero, running sums.
//!
//! A result has the shape of its operand, with 1 for each axis that is reduced; where that axis has one element anyway,
//! there is nothing to tell. In which order elements come together depends on their places only, never on how they lie in
//! memory: see `tree.rs`.

mod arg;
mod cumulative;
mod extremes;
#[cfg(target_arch = "x86_64")]
mod first;
mod folds;
mod nonzero;
mod norm;
mod plan;
mod tree;

use strictarray_core::{Array, DType, Device, ElementBytes, Kind, Operand, Result, Scalar, copy};

pub use arg::{argmax, argmin};
pub use cumulative::{cumulative_prod, cumulative_sum};
pub use nonzero::{all, any, count_nonzero};
pub use norm::{Extreme, norm_of_sums, vector_norm};

use crate::{Ctx, cast, run};
use extremes::Extremes;
use folds::{accumulating, extreme, mean as mean_folding, spread};
use plan::{Folding, Plan, fold, fold_nested, fold_side_by_side, nested_axis};

/// The sum along the reduced axes, in the data type of `out`; elements of another one are cast first. No elements give 0.
pub fn sum(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    accumulate(ctx, out, x, false)
}

/// The product along the reduced axes, in the data type of `out`; elements of another one are cast first. No elements
/// give 1.
pub fn prod(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    accumulate(ctx, out, x, true)
}

fn accumulate(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, product: bool) -> Result<()> {
    let (from, to) = erased(x.dtype(), out.dtype());
    let Some(folding) = accumulating(ctx.simd(), from, to, product) else {
        if x.dtype() == out.dtype() {
            return Err(run::misuse("sum: data type"));
        }
        let same = Array::uninit(x.shape(), out.dtype(), Device::CPU)?;
        cast::cast(ctx, &same.operand(), x)?;
        return accumulate(ctx, out, &same.operand(), product);
    };
    // Integers come to the same in any order.
    let ordered = !out.dtype().is_integer();
    let empty = if product { Scalar::Int(1) } else { Scalar::Int(0) };
    // SAFETY: the fold is for elements of these sizes, of which every bit pattern is valid, and for this level.
    unsafe { run_fold(ctx, out, x, folding, ordered, Some(empty)) }
}

/// The data types by which a fold is looked up: of integers whose sign makes no difference those without.
fn erased(from: DType, to: DType) -> (DType, DType) {
    if !from.is_integer() || !to.is_integer() {
        return (from, to);
    }
    let signed = from.kind() == Kind::SignedInteger && to.size() > from.size();
    let like = |dtype: DType| match (dtype.size(), signed) {
        (1, false) => DType::UInt8,
        (2, false) => DType::UInt16,
        (4, false) => DType::UInt32,
        (8, false) => DType::UInt64,
        (1, true) => DType::Int8,
        (2, true) => DType::Int16,
        (4, true) => DType::Int32,
        _ => DType::Int64,
    };
    (like(from), like(to))
}

/// The largest element along the reduced axes, NaN if there is one; of zeros the positive one. There must be elements.
pub fn max(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    extremum(ctx, out, x, true)
}

/// The smallest element along the reduced axes, NaN if there is one; of zeros the negative one. There must be elements.
pub fn min(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    extremum(ctx, out, x, false)
}

fn extremum(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, largest: bool) -> Result<()> {
    let dtype = same_dtype(out, x)?;
    let folding = extreme(ctx.simd(), dtype, largest).ok_or_else(|| run::misuse("max: data type"))?;
    let mut plan = Plan::new(out, x)?;
    if plan.count == 0 {
        return fill(out, None);
    }
    // They come to the same in any order.
    plan.in_any_order();
    let extremes = Extremes::of(ctx.simd(), dtype, largest).ok_or_else(|| run::misuse("max: data type"))?;
    // SAFETY: the folds are for elements of this type and for this level.
    unsafe {
        if !fold_side_by_side(ctx, out, x, &plan, folding, extremes)? {
            fold(ctx, out, x, &plan, folding)?;
        }
    }
    Ok(())
}

/// The mean along the reduced axes of floating-point numbers, accumulated in double precision. No elements give NaN.
pub fn mean(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    average(ctx, out, x, false)
}

/// [`mean`] as libraries give it that sum in the data type: infinite where the sum is.
pub fn mean_of_sum(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    average(ctx, out, x, true)
}

fn average(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, sum_must_fit: bool) -> Result<()> {
    let folding = mean_folding(ctx.simd(), same_dtype(out, x)?, sum_must_fit);
    let folding = folding.ok_or_else(|| run::misuse("mean: data type"))?;
    // SAFETY: the fold is for elements of this type and for this level.
    unsafe { run_fold(ctx, out, x, folding, true, Some(Scalar::Float(f64::NAN))) }
}

/// The variance along the reduced axes of real floating-point numbers, accumulated in double precision: the mean of the
/// squared distances from the mean, where `correction` is taken off the number of elements. NaN where that leaves nothing.
pub fn var(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, correction: f64) -> Result<()> {
    deviation(ctx, out, x, correction, false)
}

/// The square root of [`var`].
pub fn std(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, correction: f64) -> Result<()> {
    deviation(ctx, out, x, correction, true)
}

fn deviation(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, correction: f64, root: bool) -> Result<()> {
    let folding = spread(ctx.simd(), same_dtype(out, x)?, correction, root);
    let folding = folding.ok_or_else(|| run::misuse("var: data type"))?;
    // SAFETY: the folds are for elements of this type and for this level.
    unsafe { run_fold(ctx, out, x, folding, true, Some(Scalar::Float(f64::NAN))) }
}

fn same_dtype(out: &Operand<'_>, x: &Operand<'_>) -> Result<DType> {
    if out.dtype() == x.dtype() { Ok(x.dtype()) } else { Err(run::misuse("data types that the kernel does not take")) }
}

/// Folds `x` into `out`; `empty` is the result of no elements, if there is one.
///
/// # Safety
///
/// As [`fold`].
unsafe fn run_fold(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    folding: Folding,
    ordered: bool,
    empty: Option<Scalar>,
) -> Result<()> {
    let mut plan = Plan::new(out, x)?;
    if plan.count == 0 {
        return fill(out, empty);
    }
    if !ordered {
        plan.in_any_order();
    }
    // SAFETY: as the caller promises.
    unsafe {
        match (folding.nested, nested_axis(out, x)) {
            (Some(nested), Some(axis)) => fold_nested(ctx, out, x, axis, folding, nested),
            _ => fold(ctx, out, x, &plan, folding),
        }
    }
}

/// Writes one value to every element.
fn fill(out: &Operand<'_>, value: Option<Scalar>) -> Result<()> {
    if out.size() == 0 {
        return Ok(());
    }
    let value = match value {
        Some(Scalar::Float(x)) if out.dtype().is_complex() => {
            Some(Scalar::Complex(strictarray_core::Complex::new(x, x)))
        }
        value => value,
    };
    let bytes: Option<ElementBytes> = value.and_then(|value| value.to_element(out.dtype()));
    let bytes = bytes.ok_or_else(|| run::misuse("a reduction of no elements"))?;
    copy::copy_elements(out, &Operand::repeated(&bytes, out.dtype(), out.shape()))
}
