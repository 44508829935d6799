//! The values of arrays that are made from numbers.

use strictarray_core::iter::Order;
use strictarray_core::{Complex, DType, Element, Error, Operand, Result, Scalar, dispatch};
use strictarray_standard::rule;

use crate::cast::CastTo;
use crate::{Ctx, run};

/// Writes `value(i, j)` to element i + j of a one-dimensional operand, then the elements that are given by their place.
///
/// The value has no branches of its own, so that the loop vectorises; what is different at the ends is written over. So does
/// it count from some i on in numbers of 32 bits: of those alone every machine makes floats in vectors.
pub(crate) fn fill<T: Element>(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    value: impl Fn(usize, i32) -> T + Copy,
    ends: impl IntoIterator<Item = (usize, T)>,
) -> Result<()> {
    if T::DTYPE != out.dtype() || out.shape().len() != 1 {
        return Err(run::misuse("creation: output"));
    }
    let mut i = 0;
    run::for_each_tick(ctx, [out], Order::C, |[ptr], [stride], n| {
        // A copy that no store can change, else the loop does not vectorise.
        let (value, i_now) = (value, i);
        // SAFETY: the walk stays on the operand's elements, which are of T.
        unsafe {
            if stride == size_of::<T>() as isize {
                let to = ptr.cast::<T>();
                for j in 0..n {
                    to.add(j).write(value(i_now, j as i32));
                }
            } else {
                for j in 0..n {
                    ptr.offset(j as isize * stride).cast::<T>().write(value(i_now, j as i32));
                }
            }
        }
        i += n;
        Ok(())
    })?;
    let (ptr, stride) = (out.ptr(), out.strides()[0]);
    for (place, value) in ends {
        if place < out.size() {
            // SAFETY: an element of the operand, which is of T.
            unsafe { ptr.offset(place as isize * stride).cast::<T>().write(value) };
        }
    }
    Ok(())
}

/// The sum of both as a float, exactly: no array has 2^53 elements.
#[inline(always)]
pub(crate) fn place(i: usize, j: i32) -> f64 {
    i as f64 + f64::from(j)
}

/// A real scalar as a float.
fn real(scalar: Scalar) -> Result<f64> {
    match scalar {
        Scalar::Int(i) => Ok(i as f64),
        Scalar::Float(x) => Ok(x),
        Scalar::Bool(_) | Scalar::Complex(_) => Err(run::misuse("arange: kind of scalar")),
    }
}

/// The sum as Python computes it: of two ints exactly.
fn sum(a: Scalar, b: Scalar) -> Result<Scalar> {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => {
            a.checked_add(b).map(Scalar::Int).ok_or_else(|| Error::new(&rule::VALUE, "start + step is too large"))
        }
        _ => Ok(Scalar::Float(real(a)? + real(b)?)),
    }
}

/// Writes start + i·step to element i of a one-dimensional output of a real data type.
///
/// Integers are exact (what leaves the range of the type wraps: the caller has checked). Floats are what NumPy gives: the
/// step is what start and start + step, rounded to the type, differ by.
pub fn arange(ctx: &Ctx<'_>, out: &Operand<'_>, start: Scalar, step: Scalar) -> Result<()> {
    let next = sum(start, step)?;
    match out.dtype() {
        DType::Float32 => {
            let narrow = |scalar: Scalar| match scalar {
                // At once: through f64 it would be rounded twice.
                Scalar::Int(i) => Ok(i as f32),
                other => real(other).map(|x| x as f32),
            };
            let (start, next) = (narrow(start)?, narrow(next)?);
            let delta = next - start;
            fill(ctx, out, move |i, j| start + place(i, j) as f32 * delta, [(0, start), (1, next)])
        }
        DType::Float64 => {
            let (start, next) = (real(start)?, real(next)?);
            let delta = next - start;
            fill(ctx, out, move |i, j| start + place(i, j) * delta, [(0, start), (1, next)])
        }
        dtype => {
            let whole = |scalar: Scalar| match scalar {
                // The low bits are all that an element keeps.
                Scalar::Int(i) => Ok(i as i64),
                other => real(other).map(CastTo::<i64>::cast),
            };
            let (start, next) = (whole(start)?, whole(next)?);
            let step = next.wrapping_sub(start);
            dispatch!(INTEGER, dtype, T => {
                // The low bits are all that an element keeps, so they are all that is added. A sum that runs on vectorises,
                // where a product of 64 bits would not.
                let (mut value, step) = (start as T, step as T);
                run::for_each_tick(ctx, [out], Order::C, |[ptr], [stride], n| {
                    let side_by_side = size_of::<T>() as isize;
                    // SAFETY: the walk stays on the operand's elements, which are of T.
                    value = unsafe {
                        if stride == side_by_side {
                            count(ptr, side_by_side, n, value, step, T::wrapping_add)
                        } else {
                            count(ptr, stride, n, value, step, T::wrapping_add)
                        }
                    };
                    Ok(())
                })
            })
            .unwrap_or_else(|| Err(run::misuse("arange: data type")))
        }
    }
}

/// Writes a value, and after each the one with the step added; gives the value after the last.
///
/// # Safety
///
/// `n` elements of `T` at this stride.
#[inline(always)]
unsafe fn count<T: Copy>(to: *mut u8, stride: isize, n: usize, mut value: T, step: T, add: impl Fn(T, T) -> T) -> T {
    for j in 0..n as isize {
        // SAFETY: as the caller promises.
        unsafe { to.offset(j * stride).cast::<T>().write(value) };
        value = add(value, step);
    }
    value
}

/// How many elements `arange` has: ceil((stop - start) / step), 0 where that is negative. Exact for ints.
///
/// A step of 0, NaN and what is too large for an array are refused.
pub fn arange_len(start: Scalar, stop: Scalar, step: Scalar) -> Result<usize> {
    let too_large = || Error::new(&rule::SHAPE_TOO_LARGE, "got a range of too many elements");
    if let (Scalar::Int(start), Scalar::Int(stop), Scalar::Int(step)) = (start, stop, step) {
        if step == 0 {
            return Err(Error::new(&rule::STEP_ZERO, "got 0").argument("step"));
        }
        if (stop > start) != (step > 0) || stop == start {
            return Ok(0);
        }
        let length = stop.abs_diff(start).div_ceil(step.unsigned_abs());
        return usize::try_from(length).ok().filter(|&n| n <= isize::MAX as usize).ok_or_else(too_large);
    }
    let (start, stop, step) = (real(start)?, real(stop)?, real(step)?);
    if step == 0.0 {
        return Err(Error::new(&rule::STEP_ZERO, "got 0.0").argument("step"));
    }
    let quotient = (stop - start) / step;
    if quotient.is_nan() {
        return Err(Error::new(&rule::VALUE, format!("got {start}, {stop} and {step}")));
    }
    if quotient == 0.0 {
        // The quotient of numbers that differ may have underflowed.
        return Ok(usize::from(stop != start && (stop > start) == (step > 0.0)));
    }
    let length = quotient.ceil();
    if length <= 0.0 {
        Ok(0)
    } else if length < isize::MAX as f64 {
        Ok(length as usize)
    } else {
        Err(too_large())
    }
}

/// One part of `linspace`: element i of `intervals` equal steps.
#[derive(Clone, Copy)]
struct Steps {
    start: f64,
    stop: f64,
    delta: f64,
    step: f64,
    intervals: f64,
    /// The difference of the ends overflows: everything is computed of halves.
    halves: bool,
}

impl Steps {
    fn new(start: f64, stop: f64, intervals: usize) -> Steps {
        let intervals = intervals as f64;
        let halves = start.is_finite() && stop.is_finite() && !(stop - start).is_finite();
        let scale = if halves { 0.5 } else { 1.0 };
        let (start, stop) = (start * scale, stop * scale);
        let delta = stop - start;
        Steps { start, stop, delta, step: delta / intervals, intervals, halves }
    }

    /// Whether element i is simply `start + i * step`.
    fn plain(&self) -> bool {
        self.step != 0.0 && !self.halves
    }

    fn at(&self, i: f64) -> f64 {
        // A step that underflows to 0 would lose what the whole way does not.
        let way = if self.step == 0.0 { i / self.intervals * self.delta } else { i * self.step };
        let value = way + self.start;
        if self.halves { value * 2.0 } else { value }
    }

    fn last(&self) -> f64 {
        if self.halves { self.stop * 2.0 } else { self.stop }
    }
}

/// Writes evenly spaced numbers to a one-dimensional output of a floating-point data type, from `start` to `stop`, which is
/// the last one with `endpoint`.
///
/// The values are NumPy's, but ends whose difference overflows give finite numbers.
pub fn linspace(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    start: Complex<f64>,
    stop: Complex<f64>,
    endpoint: bool,
) -> Result<()> {
    let num = out.size();
    let intervals = if endpoint { num.saturating_sub(1) } else { num };
    let re = Steps::new(start.re, stop.re, intervals);
    let im = Steps::new(start.im, stop.im, intervals);
    // The first one is the start, whatever 0 steps of infinite size would be; the last one is exactly the stop.
    let first = |part: &Steps, start: f64| if intervals == 0 || start.is_finite() { start } else { part.at(0.0) };
    let last = |part: &Steps, start: f64| if intervals == 0 { start } else { part.last() };
    let ends_re = [Some((0, first(&re, start.re))), endpoint.then(|| (num.saturating_sub(1), last(&re, start.re)))];
    match out.dtype() {
        DType::Float32 | DType::Float64 => {
            let ends = ends_re.into_iter().flatten();
            match (out.dtype(), re.plain()) {
                (DType::Float32, _) => {
                    fill(ctx, out, move |i, j| re.at(place(i, j)) as f32, ends.map(|(i, x)| (i, x as f32)))
                }
                (_, true) => fill(ctx, out, move |i, j| place(i, j) * re.step + re.start, ends),
                (_, false) => fill(ctx, out, move |i, j| re.at(place(i, j)), ends),
            }
        }
        DType::Complex64 | DType::Complex128 => {
            let ends_im = [first(&im, start.im), last(&im, start.im)];
            let ends = ends_re.into_iter().flatten().zip(ends_im).map(|((i, re), im)| (i, Complex::new(re, im)));
            let value = move |i, j| Complex::new(re.at(place(i, j)), im.at(place(i, j)));
            if out.dtype() == DType::Complex128 {
                return fill(ctx, out, value, ends);
            }
            fill(
                ctx,
                out,
                move |i, j| CastTo::<Complex<f32>>::cast(value(i, j)),
                ends.map(|(i, z)| (i, CastTo::cast(z))),
            )
        }
        _ => Err(run::misuse("linspace: data type")),
    }
}

/// Writes ones on diagonal `k` (above the main one where positive) of a two-dimensional output, and nothing elsewhere: the
/// caller gives zeros, which cost nothing where memory is fresh.
pub fn eye(ctx: &Ctx<'_>, out: &Operand<'_>, k: i128) -> Result<()> {
    let &[rows, columns] = out.shape() else {
        return Err(run::misuse("eye: output"));
    };
    let Some(one) = Scalar::Bool(true).to_element(out.dtype()) else {
        return Err(run::misuse("eye: data type"));
    };
    let k = k.clamp(-(rows as i128), columns as i128);
    // The rows and columns where the diagonal begins, and its length.
    let (row, column) = ((-k).max(0) as usize, k.max(0) as usize);
    let length = (rows - row).min(columns - column);
    if length == 0 {
        return Ok(());
    }
    ctx.check_cancelled()?;
    let stride = out.strides()[0] + out.strides()[1];
    let start = out.ptr().wrapping_offset(out.strides()[0] * row as isize + out.strides()[1] * column as isize);
    let item = out.dtype().size();
    for i in 0..length as isize {
        // SAFETY: row + i and column + i are inside the shape; 16 bytes hold an element of any data type.
        unsafe { std::ptr::copy_nonoverlapping(one.0.as_ptr(), start.offset(i * stride), item) };
    }
    Ok(())
}

/// Copies of the last two axes of `x` what is on diagonal `k` and below it (`lower`) or above it, and writes zeros elsewhere.
pub fn triangle(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, k: i128, lower: bool) -> Result<()> {
    run::same_shape([out, x])?;
    if out.dtype() != x.dtype() || out.shape().len() < 2 {
        return Err(run::misuse("triangle: operands"));
    }
    dispatch!(ALL, out.dtype(), T => triangles::<T>(ctx, out, x, k, lower, &mut 0))
        .unwrap_or_else(|| Err(run::misuse("triangle: data type")))
}

fn triangles<T: Element>(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    k: i128,
    lower: bool,
    since: &mut usize,
) -> Result<()> {
    if out.shape().len() > 2 {
        for i in 0..out.shape()[0] {
            triangles::<T>(ctx, &out.at(i), &x.at(i), k, lower, since)?;
        }
        return Ok(());
    }
    let (rows, columns) = (out.shape()[0], out.shape()[1]);
    let k = k.clamp(-(rows as i128) - 1, columns as i128 + 1);
    for i in 0..rows {
        // The first column above the diagonal (lower), or the first one on it.
        let edge = (i as i128 + k + i128::from(lower)).clamp(0, columns as i128) as usize;
        let (to, from) = (out.at(i), x.at(i));
        let (kept, zeroed) = if lower { (0..edge, edge..columns) } else { (edge..columns, 0..edge) };
        let (out_stride, in_stride) = (to.strides()[0], from.strides()[0]);
        // SAFETY: row i and these columns are inside the shape, and the elements are of T, for which all bits may be zero.
        unsafe {
            if [out_stride, in_stride] == [size_of::<T>() as isize; 2] {
                let (to, from) = (to.ptr().cast::<T>(), from.ptr().cast::<T>());
                std::ptr::copy(from.add(kept.start), to.add(kept.start), kept.len());
                to.add(zeroed.start).write_bytes(0, zeroed.len());
            } else {
                for j in kept {
                    let value = from.ptr().offset(in_stride * j as isize).cast::<T>().read();
                    to.ptr().offset(out_stride * j as isize).cast::<T>().write(value);
                }
                for j in zeroed {
                    to.ptr().offset(out_stride * j as isize).cast::<T>().write(std::mem::zeroed());
                }
            }
        }
        *since += columns;
        if *since >= crate::ctx::TICK {
            ctx.check_cancelled()?;
            *since = 0;
        }
    }
    Ok(())
}
