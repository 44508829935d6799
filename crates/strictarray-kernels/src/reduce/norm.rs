//! Norms of vectors, and of matrices those that are made of sums of magnitudes.

use std::slice;

use strictarray_core::{Array, DType, Device, Dims, Element, Operand, Result, Scalar};

use super::folds::{length, sum_of_magnitudes, sum_of_powers};
use super::plan::{Folding, Plan};
use super::{count_nonzero, fill, max, min, run_fold, sum};
use crate::{BinaryKernel, Ctx, cast, elementwise, run};

/// The norms of this order along the reduced axes, of the real data type of the precision of `x`. Of no elements they are 0, of
/// negative orders infinity; order -inf has none.
pub fn vector_norm(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, order: f64) -> Result<()> {
    if out.dtype() != x.dtype().to_real() || !out.dtype().is_floating() || order.is_nan() {
        return Err(run::misuse("vector_norm: data type or order"));
    }
    let empty = Plan::new(out, x)?.count == 0;
    if order == 2.0 && !empty {
        return euclidean(ctx, out, x);
    }
    if order == 0.0 {
        let counts = Array::uninit(out.shape(), DType::Int64, Device::CPU)?;
        count_nonzero(ctx, &counts.operand(), x)?;
        return cast::cast(ctx, out, &counts.operand());
    }
    if empty {
        let value = match order {
            f64::NEG_INFINITY => None,
            order => Some(Scalar::Float(if order < 0.0 { f64::INFINITY } else { 0.0 })),
        };
        return fill(out, value);
    }
    match order {
        1.0 => sums_of_magnitudes(ctx, out, x),
        f64::INFINITY if !x.dtype().is_complex() => farthest(ctx, out, x),
        f64::INFINITY => max(ctx, out, &magnitudes(ctx, x)?.operand()),
        f64::NEG_INFINITY => min(ctx, out, &magnitudes(ctx, x)?.operand()),
        _ => match sum_of_powers(ctx.simd(), x.dtype(), order) {
            Some(folding) if of_folded_powers(ctx, out, x, folding, order)? => Ok(()),
            _ => of_powers(ctx, out, &magnitudes(ctx, x)?, order),
        },
    }
}

/// The sums of magnitudes along the reduced axes, of which there may be none.
fn sums_of_magnitudes(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    match sum_of_magnitudes(ctx.simd(), x.dtype()) {
        // SAFETY: the fold is for elements of this type and for this level.
        Some(folding) => unsafe { run_fold(ctx, out, x, folding, true, Some(Scalar::Float(0.0))) },
        None => sum(ctx, out, &magnitudes(ctx, x)?.operand()),
    }
}

/// The largest magnitude of real numbers: that of the largest or of the smallest one.
fn farthest(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    let ends = Array::uninit(out.shape(), out.dtype(), Device::CPU)?;
    let (ends, maximum) = (ends.operand(), kernel("maximum")?);
    let abs = elementwise::unary("abs").ok_or_else(|| run::misuse("norm: no kernel"))?;
    max(ctx, out, x)?;
    min(ctx, &ends, x)?;
    abs(ctx, out, out)?;
    abs(ctx, &ends, &ends)?;
    maximum(ctx, out, out, &ends)
}

/// The largest or the smallest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Extreme {
    Largest,
    Smallest,
}

/// The largest or the smallest sum of magnitudes along one of two axes; the other one is that of the sums, and both are
/// reduced. Of no sums the largest is 0; there is no smallest.
pub fn norm_of_sums(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, axis: usize, extreme: Extreme) -> Result<()> {
    if out.dtype() != x.dtype().to_real() || axis >= x.shape().len() {
        return Err(run::misuse("norm_of_sums: data type or axis"));
    }
    if x.size() == 0 {
        return fill(out, (extreme == Extreme::Largest).then_some(Scalar::Float(0.0)));
    }
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] = 1;
    let sums = Array::uninit(&shape, out.dtype(), Device::CPU)?;
    sums_of_magnitudes(ctx, &sums.operand(), x)?;
    match extreme {
        Extreme::Largest => max(ctx, out, &sums.operand()),
        Extreme::Smallest => min(ctx, out, &sums.operand()),
    }
}

/// The magnitude of each element.
fn magnitudes(ctx: &Ctx<'_>, x: &Operand<'_>) -> Result<Array> {
    let abs = elementwise::unary("abs").ok_or_else(|| run::misuse("norm: no kernel"))?;
    let result = Array::uninit(x.shape(), x.dtype().to_real(), Device::CPU)?;
    abs(ctx, &result.operand(), x)?;
    Ok(result)
}

// ---- the root of the sum of squares ----------------------------------------------------------------------------

/// Elements are multiplied by two to this power, or divided by it, where their squares would vanish or overflow.
const FAR: i32 = 600;
/// Below this, squares that vanished may be missing: those of the elements that matter are subnormal.
const SMALL: f64 = 1e-144;

fn euclidean(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    if out.dtype() == DType::Float32 {
        // The squares are computed in double: none overflows.
        return lengths::<0>(ctx, out, x);
    }
    let result = Array::uninit(out.shape(), DType::Float64, Device::CPU)?;
    lengths::<0>(ctx, &result.operand(), x)?;
    let mut others: [Option<Array>; 2] = [None, None];
    for (i, wrong) in [is_small as fn(f64) -> bool, f64::is_infinite].into_iter().enumerate() {
        // SAFETY: the values are set, and nobody writes them meanwhile.
        if unsafe { values(&result) }.iter().any(|value| wrong(*value)) {
            let other = Array::uninit(out.shape(), DType::Float64, Device::CPU)?;
            match i {
                0 => lengths::<FAR>(ctx, &other.operand(), x)?,
                _ => lengths::<{ -FAR }>(ctx, &other.operand(), x)?,
            }
            others[i] = Some(other);
        }
    }
    for (other, wrong) in others.iter().zip([is_small as fn(f64) -> bool, f64::is_infinite]) {
        let Some(other) = other else { continue };
        // SAFETY: both are set, of one shape, and apart.
        let (results, others) = unsafe { (values(&result), values(other)) };
        for (value, other) in results.iter_mut().zip(others) {
            if wrong(*value) {
                *value = *other;
            }
        }
    }
    cast::cast(ctx, out, &result.operand())
}

fn is_small(length: f64) -> bool {
    length < SMALL
}

fn lengths<const EXPONENT: i32>(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    let folding = length::<EXPONENT>(ctx.simd(), x.dtype()).ok_or_else(|| run::misuse("vector_norm: data type"))?;
    // SAFETY: the fold is for elements of this type and for this level.
    unsafe { run_fold(ctx, out, x, folding, true, Some(Scalar::Float(0.0))) }
}

/// The elements of an array of ours in C order.
///
/// # Safety
///
/// It was made by `Array::uninit` of `Float64`, its elements are set, and nobody else reads or writes them while the slice is
/// there.
#[allow(
    clippy::mut_from_ref,
    reason = "the memory is not the array's own: the caller sees to it that nobody else uses it"
)]
unsafe fn values(x: &Array) -> &mut [f64] {
    // SAFETY: such an array lies side by side; all else as the caller promises.
    unsafe { slice::from_raw_parts_mut(x.ptr().cast(), x.size()) }
}

// ---- other powers ----------------------------------------------------------------------------------------------

/// `sum(x**order)**(1/order)` of magnitudes.
fn of_powers(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Array, order: f64) -> Result<()> {
    let (pow, result) = (kernel("pow")?, real(out.shape())?);
    let powers = wide(ctx, x)?;
    raise(ctx, pow, &powers, order)?;
    sum(ctx, &result.operand(), &powers.operand())?;
    if !are_whole(&result) {
        return of_scaled_powers(ctx, out, x, order);
    }
    root(ctx, &result, order)?;
    cast::cast(ctx, out, &result.operand())
}

/// The same by a fold that sums these powers, where none is too large or too small a number: says whether.
fn of_folded_powers(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, folding: Folding, order: f64) -> Result<bool> {
    let result = real(out.shape())?;
    // SAFETY: the fold is for elements of this type and for this level, and gives float64.
    unsafe { run_fold(ctx, &result.operand(), x, folding, true, Some(Scalar::Float(0.0)))? };
    if !are_whole(&result) {
        return Ok(false);
    }
    root(ctx, &result, order)?;
    cast::cast(ctx, out, &result.operand())?;
    Ok(true)
}

/// Whether terms that vanished do not show in any of these sums, of which there are all, and none overflowed.
fn are_whole(sums: &Array) -> bool {
    // SAFETY: the array is ours alone, and set.
    unsafe { values(sums) }.iter().all(|sum| (1e-280..=1e300).contains(sum))
}

fn real(shape: &[usize]) -> Result<Array> {
    Array::uninit(shape, DType::Float64, Device::CPU)
}

/// A copy in double precision.
fn wide(ctx: &Ctx<'_>, x: &Array) -> Result<Array> {
    let wide = real(x.shape())?;
    cast::cast(ctx, &wide.operand(), &x.operand())?;
    Ok(wide)
}

/// The same of magnitudes that are divided by the one that counts most, so that no power overflows that the result does not.
fn of_scaled_powers(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Array, order: f64) -> Result<()> {
    let wide = wide(ctx, x)?;
    let (most, result) = (real(out.shape())?, real(out.shape())?);
    if order > 0.0 {
        max(ctx, &most.operand(), &wide.operand())?;
    } else {
        min(ctx, &most.operand(), &wide.operand())?;
    }
    // SAFETY: the array is ours alone, and set.
    for value in unsafe { values(&most) } {
        // With 1 the powers of zeros, infinities and NaN speak for themselves.
        if *value == 0.0 || !value.is_finite() {
            *value = 1.0;
        }
    }
    let (pow, divide, multiply) = (kernel("pow")?, kernel("divide")?, kernel("multiply")?);
    let operand = wide.operand();
    divide(ctx, &operand, &operand, &most.operand_over(wide.shape())?)?;
    raise(ctx, pow, &wide, order)?;
    sum(ctx, &result.operand(), &operand)?;
    root(ctx, &result, order)?;
    let operand = result.operand();
    multiply(ctx, &operand, &operand, &most.operand())?;
    cast::cast(ctx, out, &operand)
}

fn kernel(name: &str) -> Result<BinaryKernel> {
    elementwise::binary(name).ok_or_else(|| run::misuse("norm: no kernel"))
}

/// The root of this order of each element, in place.
fn root(ctx: &Ctx<'_>, x: &Array, order: f64) -> Result<()> {
    let inverse = 1.0 / order;
    // What the inverse lacks shows in powers of large and of small numbers: half a unit of 1/3 is a hundred units of the cube
    // root of 1e300.
    let rest = (-inverse).mul_add(order, 1.0) / order;
    if rest == 0.0 || !rest.is_finite() {
        return raise(ctx, kernel("pow")?, x, inverse);
    }
    let logarithms = real(x.shape())?;
    let log = elementwise::unary("log").ok_or_else(|| run::misuse("norm: no kernel"))?;
    log(ctx, &logarithms.operand(), &x.operand())?;
    raise(ctx, kernel("pow")?, x, inverse)?;
    // SAFETY: both arrays are ours alone, set, and apart.
    let (roots, logarithms) = unsafe { (values(x), values(&logarithms)) };
    for (root, logarithm) in roots.iter_mut().zip(logarithms) {
        let more = *root * (rest * *logarithm);
        // Zeros, infinities and NaN are roots already.
        if more.is_finite() {
            *root += more;
        }
    }
    Ok(())
}

/// Raises each element to a power, in place.
fn raise(ctx: &Ctx<'_>, pow: BinaryKernel, x: &Array, exponent: f64) -> Result<()> {
    let bytes = exponent.to_scalar().to_element(DType::Float64).ok_or_else(|| run::misuse("norm: exponent"))?;
    let operand = x.operand();
    pow(ctx, &operand, &operand, &Operand::repeated(&bytes, DType::Float64, x.shape()))
}
