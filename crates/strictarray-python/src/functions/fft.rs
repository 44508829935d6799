//! The extension `fft`.

use pyo3::prelude::*;
use smallvec::SmallVec;
use strictarray_core::{Array, DType, Device, Dims, Error, show_shape};
use strictarray_kernels::Ctx;
use strictarray_kernels::fft::{self as kernel, Direction};
use strictarray_standard::rule;

use super::elementwise::cast_to;
use super::manipulation::shifted;
use super::run_kernel;
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::{Fail, Outcome};
use crate::parse;

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    Some(match name {
        "fft.fft" => |call| along_axis(call, Kind::Complex(Direction::Forward)),
        "fft.fftfreq" => |call| frequencies(call, true),
        "fft.fftn" => |call| along_axes(call, Kind::Complex(Direction::Forward)),
        "fft.fftshift" => |call| shift(call, |n| n / 2),
        "fft.hfft" => |call| along_axis(call, Kind::HalfToReal { hermitian: true }),
        "fft.ifft" => |call| along_axis(call, Kind::Complex(Direction::Inverse)),
        "fft.ifftn" => |call| along_axes(call, Kind::Complex(Direction::Inverse)),
        "fft.ifftshift" => |call| shift(call, |n| n - n / 2),
        "fft.ihfft" => |call| along_axis(call, Kind::RealToHalf { hermitian: true }),
        "fft.irfft" => |call| along_axis(call, Kind::HalfToReal { hermitian: false }),
        "fft.irfftn" => |call| along_axes(call, Kind::HalfToReal { hermitian: false }),
        "fft.rfft" => |call| along_axis(call, Kind::RealToHalf { hermitian: false }),
        "fft.rfftfreq" => |call| frequencies(call, false),
        "fft.rfftn" => |call| along_axes(call, Kind::RealToHalf { hermitian: false }),
        _ => return None,
    })
}

fn finish<'py>(call: &Call<'_, 'py>, result: Array) -> Outcome<Bound<'py, PyAny>> {
    wrap(call.py, result.in_namespace(call.namespace))
}

// ---- transforms ------------------------------------------------------------------------------------------------

/// What is transformed into what: the transforms of Hermitian symmetry are those of real numbers the other way round,
/// conjugated.
#[derive(Clone, Copy)]
enum Kind {
    Complex(Direction),
    RealToHalf { hermitian: bool },
    HalfToReal { hermitian: bool },
}

impl Kind {
    /// Whether it is by default divided by the number of elements.
    fn is_inverse(self) -> bool {
        match self {
            Kind::Complex(direction) => direction == Direction::Inverse,
            Kind::RealToHalf { hermitian } => hermitian,
            Kind::HalfToReal { hermitian } => !hermitian,
        }
    }

    /// How many elements are transformed along an axis of this size if nobody says it.
    fn size(self, size: usize) -> usize {
        match self {
            Kind::HalfToReal { .. } => size.saturating_sub(1).saturating_mul(2),
            _ => size,
        }
    }

    /// How many elements the result has along the axis when so many are transformed.
    fn written(self, n: usize) -> usize {
        match self {
            Kind::RealToHalf { .. } => n / 2 + 1,
            _ => n,
        }
    }

    fn result(self, dtype: DType) -> Option<DType> {
        match self {
            Kind::Complex(_) => Some(dtype),
            Kind::RealToHalf { .. } => dtype.to_complex(),
            Kind::HalfToReal { .. } => Some(dtype.to_real()),
        }
    }

    /// Transforms `n` elements along an axis.
    fn run(
        self,
        ctx: &Ctx<'_>,
        out: &Array,
        x: &Array,
        axis: usize,
        n: usize,
        scale: f64,
    ) -> strictarray_core::Result<()> {
        let (out, x) = (&out.operand(), &x.operand());
        match self {
            Kind::Complex(direction) => kernel::complex(ctx, out, x, axis, direction, scale),
            Kind::RealToHalf { hermitian } => kernel::real_to_half(ctx, out, x, axis, n, hermitian, scale),
            Kind::HalfToReal { hermitian } => kernel::half_to_real(ctx, out, x, axis, hermitian, scale),
        }
    }
}

/// One axis of a transform, and how many elements along it are transformed.
type Step = (usize, usize);

/// What the result is multiplied by.
fn scale(call: &Call<'_, '_>, place: usize, kind: Kind, steps: &[Step]) -> Outcome<f64> {
    let n: f64 = steps.iter().map(|(_, n)| *n as f64).product();
    // backward, ortho, forward: the first divides the inverse, the last the transform itself.
    Ok(match (call.choice(place)?.unwrap_or(0), kind.is_inverse()) {
        (1, _) => 1.0 / n.sqrt(),
        (0, true) | (2, false) => 1.0 / n,
        _ => 1.0,
    })
}

/// The array to transform: complex where it is, or had to be.
fn input(call: &Call<'_, '_>, kind: Kind) -> Outcome<Array> {
    let x = call.array(0)?;
    match kind {
        Kind::RealToHalf { .. } => Ok(x.clone()),
        _ if x.dtype().is_complex() => Ok(x.clone()),
        // Real numbers were taken before a version took them away.
        _ => cast_to(call.py, x, x.dtype().to_complex().ok_or_else(no_complex)?),
    }
}

#[cold]
fn no_complex() -> Error {
    Error::new(&rule::INTERNAL, "a floating-point data type without a complex one")
}

/// As many elements as are transformed along an axis of this size: those that were asked for, or the kind's own number.
fn elements(call: &Call<'_, '_>, kind: Kind, asked: Option<usize>, size: usize, axis: usize) -> Outcome<usize> {
    let n = asked.unwrap_or(kind.size(size));
    if n > 0 {
        return Ok(n);
    }
    let error = match asked {
        Some(_) => Error::new(&rule::TRANSFORM_SIZE, format!("got 0 for axis {axis}")).argument(call.name(1)),
        None => {
            let half = if size > 0 { ", the half of none" } else { "" };
            let got = format!("got size {size} along axis {axis}{half}");
            Error::new(&rule::TRANSFORM_EMPTY, got).argument(call.name(0))
        }
    };
    Err(error.into())
}

fn along_axis<'py>(call: &Call<'_, 'py>, kind: Kind) -> Outcome<Bound<'py, PyAny>> {
    let x = input(call, kind)?;
    let asked = call.size(1)?;
    let axis = call.axis(2, x.ndim(), -1)?;
    let size = x.shape()[axis];
    let n = elements(call, kind, asked, size, axis)?;
    let scale = scale(call, 3, kind, &[(axis, n)])?;
    let name = call.name(if asked.is_some() { 1 } else { 0 });
    finish(call, step(call.py, &x, kind, (axis, n), scale).map_err(|fail| blame(fail, name))?)
}

/// The refusal of a result that is too large, which is this argument's doing.
fn blame(fail: Fail, name: &'static str) -> Fail {
    match fail {
        Fail::Ours(error) => Fail::Ours(error.argument(name)),
        other => other,
    }
}

/// The array transformed along one axis.
fn step(py: Python<'_>, x: &Array, kind: Kind, (axis, n): Step, scale: f64) -> Outcome<Array> {
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] = kind.written(n);
    let dtype = kind.result(x.dtype()).ok_or_else(no_complex)?;
    let out = Array::uninit(&shape, dtype, x.device())?;
    run_kernel(py, work(&out, n), |ctx| kind.run(ctx, &out, x, axis, n, scale))?;
    Ok(out)
}

/// About how many elements of a cheap loop a transform is.
fn work(out: &Array, n: usize) -> usize {
    out.size().saturating_mul(1 + n.ilog2() as usize / 2)
}

fn along_axes<'py>(call: &Call<'_, 'py>, kind: Kind) -> Outcome<Bound<'py, PyAny>> {
    let mut x = input(call, kind)?;
    let steps = steps(call, &x, kind)?;
    let scale = scale(call, 3, kind, &steps)?;
    let complex = match kind {
        Kind::HalfToReal { .. } => Kind::Complex(Direction::Inverse),
        Kind::RealToHalf { .. } => Kind::Complex(Direction::Forward),
        complex => complex,
    };
    let Some((&last, others)) = steps.split_last() else {
        // Along no axis at all, everything stays as it is.
        return finish(call, x.to_owned_copy()?);
    };
    // What is cut away on one axis need not be transformed along another.
    for &(axis, n) in &steps {
        let read = if axis == last.0 && matches!(kind, Kind::HalfToReal { .. }) { n / 2 + 1 } else { n };
        if read < x.shape()[axis] {
            x = x.with_layout(x.layout().narrowed(axis, 0, read))?;
        }
    }
    // Real numbers become complex in the first step, complex ones real in the last; the results are multiplied in the last.
    let mut order: SmallVec<[(Kind, Step); 4]> = others.iter().rev().map(|step| (complex, *step)).collect();
    match kind {
        Kind::HalfToReal { .. } => order.push((kind, last)),
        _ => order.insert(0, (kind, last)),
    }
    let name = call.name(if call.some(1).is_some() { 1 } else { 0 });
    let count = order.len();
    // Whether the array is one of ours, which may be written over.
    let mut ours = false;
    for (i, (kind, (axis, n))) in order.into_iter().enumerate() {
        let scale = if i + 1 == count { scale } else { 1.0 };
        if ours && matches!(kind, Kind::Complex(_)) && x.shape()[axis] == n {
            run_kernel(call.py, work(&x, n), |ctx| kind.run(ctx, &x, &x, axis, n, scale))?;
        } else {
            x = step(call.py, &x, kind, (axis, n), scale).map_err(|fail| blame(fail, name))?;
        }
        ours = true;
    }
    finish(call, x)
}

/// The axes of a call, and how many elements are transformed along each.
fn steps(call: &Call<'_, '_>, x: &Array, kind: Kind) -> Outcome<SmallVec<[Step; 4]>> {
    let sizes = call.int_sequence_or_none(1)?;
    let axes = call.axis_sequence_or_none(2, x.ndim())?;
    let count = |got: String, requires: &'static str, place: usize| -> Fail {
        Error::new(&rule::AXIS_COUNT, got).requires(requires).argument(call.name(place)).into()
    };
    let axes = match axes {
        Some(axes) => axes,
        None if sizes.is_some() => {
            let error = Error::new(&rule::SIZES_WITHOUT_AXES, "got s and no axes");
            return Err(error.argument(call.name(2)).into());
        }
        None => (0..x.ndim()).collect(),
    };
    if let Some(sizes) = sizes.as_ref().filter(|sizes| sizes.len() != axes.len()) {
        let got = format!("got {} sizes for {} axes", sizes.len(), axes.len());
        return Err(count(got, "s must have a size for each of axes", 1));
    }
    let Some(&last) = axes.last() else {
        if matches!(kind, Kind::Complex(_)) {
            return Ok(SmallVec::new());
        }
        let place = if call.some(2).is_some() { 2 } else { 0 };
        return Err(count(
            format!("got no axes for shape {}", show_shape(x.shape())),
            "at least one axis is required",
            place,
        ));
    };
    let mut steps = SmallVec::new();
    for (i, &axis) in axes.iter().enumerate() {
        let size = x.shape()[axis];
        let half = axis == last && matches!(kind, Kind::HalfToReal { .. });
        let kind = if half { kind } else { Kind::Complex(Direction::Forward) };
        let refuse = |rule, n| Error::new(rule, format!("got {n} for axis {axis}")).argument(call.name(1));
        let n = match sizes.as_ref().map(|sizes| sizes[i]) {
            None => elements(call, kind, None, size, axis)?,
            // Of a half it does not say whether the whole is even or odd.
            Some(-1) if half => return Err(refuse(&rule::TRANSFORM_HALF, -1).into()),
            Some(-1) => elements(call, kind, None, size, axis)?,
            Some(n) if n < 0 => return Err(refuse(&rule::TRANSFORM_SIZE, n).into()),
            Some(n) => {
                let asked = usize::try_from(n).map_err(|_| refuse(&rule::SHAPE_TOO_LARGE, n))?;
                elements(call, kind, Some(asked), size, axis)?
            }
        };
        steps.push((axis, n));
    }
    Ok(steps)
}

// ---- frequencies and shifts ------------------------------------------------------------------------------------

fn frequencies<'py>(call: &Call<'_, 'py>, whole: bool) -> Outcome<Bound<'py, PyAny>> {
    let n = call.size(0)?.unwrap_or(0);
    if n == 0 {
        return Err(Error::new(&rule::TRANSFORM_SIZE, "got 0").argument(call.name(0)).into());
    }
    let spacing = match call.scalar_or_none(1)? {
        Some(scalar) => strictarray_core::Complex::from(scalar.value_for(DType::Float64, call.name(1))?).re,
        None => 1.0,
    };
    if spacing == 0.0 {
        return Err(Error::new(&rule::SPACING, "got 0").argument(call.name(1)).into());
    }
    let device = call.device_or_none(3)?.unwrap_or(Device::CPU);
    let dtype = call.dtype_or_none(2)?.unwrap_or(device.defaults().real_floating);
    device.check(dtype).map_err(|e| e.argument(call.name(2)))?;
    let size = if whole { n } else { n / 2 + 1 };
    let out = Array::uninit(&[size], dtype, device).map_err(|e| e.argument(call.name(0)))?;
    run_kernel(call.py, out.size(), |ctx| kernel::frequencies(ctx, &out.operand(), n, spacing, whole))?;
    finish(call, out)
}

fn shift<'py>(call: &Call<'_, 'py>, places: fn(usize) -> usize) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axes = call.axis_sequence_or_none(1, x.ndim())?.unwrap_or_else(|| (0..x.ndim()).collect::<parse::Axes>());
    let mut by = Dims::from_elem(0, x.ndim());
    for axis in axes {
        // Of one element, or none, there is nothing to shift.
        let n = x.shape()[axis];
        by[axis] = places(n).checked_rem(n).unwrap_or(0);
    }
    finish(call, shifted(call.py, x, &by)?)
}
