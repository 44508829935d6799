//! Discrete Fourier transforms along an axis, of any length: of complex numbers, and between real numbers and the half of
//! what has Hermitian symmetry.
//!
//! The transforms of one lane are rustfft's and realfft's, in double precision. They choose their own instruction set: the
//! last bits of results depend on it, and on nothing else. Each lane is transformed by a call of its own, in the same way
//! wherever it lies: in its place in the output if that can be, else in memory where some lanes are brought together.

mod lanes;
mod plans;

use strictarray_core::{Complex, DType, Error, Operand, Result};

use crate::creation::{fill, place};
use crate::float::InDouble;
use crate::scratch::Scratch;
use crate::{Ctx, run};
use lanes::{Ends, Lanes, for_each_block};

pub use plans::Direction;

/// Memory for rustfft to work in, which it wants to be set.
fn room(ctx: &Ctx<'_>, len: usize) -> Result<Scratch<C>> {
    Scratch::filled(ctx, len, C::new(0.0, 0.0))
}

/// What transforms are computed in: in single precision lengths with a large prime factor would lose ten times what rounding
/// the result costs.
type C = Complex<f64>;

/// Refuses operands whose shapes differ elsewhere than along the axis.
fn check_shapes(out: &Operand<'_>, x: &Operand<'_>, axis: usize) -> Result<()> {
    let (a, b) = (out.shape(), x.shape());
    let same = a.len() == b.len() && axis < a.len() && (0..a.len()).all(|i| i == axis || a[i] == b[i]);
    if same { Ok(()) } else { Err(run::misuse("fft: shapes")) }
}

/// Without lanes there is nothing to do, and no plan to pay for; without elements there is no transform.
fn no_lanes(n: usize) -> Result<()> {
    if n > 0 { Ok(()) } else { Err(run::misuse("fft: length")) }
}

/// What a transform of another length than was asked for would be.
fn unfit(_: realfft::FftError) -> Error {
    run::misuse("fft: length")
}

/// Transforms complex numbers along an axis, to as many as the output has there, which is at least one: the input is cut, or
/// padded with zeros. Results are multiplied by `scale`. The output may be the input itself.
pub fn complex(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    axis: usize,
    direction: Direction,
    scale: f64,
) -> Result<()> {
    check_shapes(out, x, axis)?;
    match (out.dtype(), x.dtype()) {
        (DType::Complex64, DType::Complex64) => complex_of::<Complex<f32>>(ctx, out, x, axis, direction, scale),
        (DType::Complex128, DType::Complex128) => complex_of::<C>(ctx, out, x, axis, direction, scale),
        _ => Err(run::misuse("fft: data types")),
    }
}

fn complex_of<T: InDouble<Wide = C>>(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    axis: usize,
    direction: Direction,
    scale: f64,
) -> Result<()> {
    let n = out.shape()[axis];
    if out.size() == 0 {
        return no_lanes(n);
    }
    let plan = plans::complex(n, direction)?;
    let ends = Ends::<T, T>::new(out, x, axis, n, n)?;
    let (mut work, mut lanes) = (room(ctx, plan.get_inplace_scratch_len())?, Lanes::in_place(ctx, &ends.out)?);
    for_each_block(ctx, &ends, |block| {
        // SAFETY: the block is of the operands; every element of each lane is set before it is read.
        unsafe {
            let places = lanes.places(block.out);
            if !block.x.lies_in(places) {
                block.x.gather(places, |z| z);
            }
            for lane in places.each(block.x.count) {
                plan.process_with_scratch(lane, work.values());
                scaled(lane, scale);
            }
            lanes.scatter(block.out);
        }
        Ok(())
    })
}

/// Multiplies each.
fn scaled<T: Copy + std::ops::Mul<f64, Output = T>>(values: &mut [T], scale: f64) {
    if scale != 1.0 {
        values.iter_mut().for_each(|x| *x = *x * scale);
    }
}

/// Transforms real numbers along an axis: the first `n` of each lane, padded with zeros, to n/2 + 1 elements. Results are
/// multiplied by `scale`, and conjugated if that is asked for.
pub fn real_to_half(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    axis: usize,
    n: usize,
    conjugate: bool,
    scale: f64,
) -> Result<()> {
    check_shapes(out, x, axis)?;
    if n == 0 || out.shape()[axis] != n / 2 + 1 {
        return Err(run::misuse("fft: length"));
    }
    match (out.dtype(), x.dtype()) {
        (DType::Complex64, DType::Float32) => {
            real_to_half_of::<Complex<f32>, f32>(ctx, out, x, axis, n, conjugate, scale)
        }
        (DType::Complex128, DType::Float64) => real_to_half_of::<C, f64>(ctx, out, x, axis, n, conjugate, scale),
        _ => Err(run::misuse("fft: data types")),
    }
}

fn real_to_half_of<O: InDouble<Wide = C>, I: InDouble<Wide = f64>>(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    axis: usize,
    n: usize,
    conjugate: bool,
    scale: f64,
) -> Result<()> {
    if out.size() == 0 {
        return no_lanes(n);
    }
    let plan = plans::real_to_half(n)?;
    let ends = Ends::<O, I>::new(out, x, axis, n / 2 + 1, n)?;
    let mut work = room(ctx, plan.get_scratch_len())?;
    let (mut inputs, mut lanes) = (Lanes::apart(ctx, &ends.x)?, Lanes::in_place(ctx, &ends.out)?);
    for_each_block(ctx, &ends, |block| {
        // SAFETY: the block is of the operands; every element of each lane is set before it is read.
        unsafe {
            let (inputs, places) = (inputs.places(block.x), lanes.places(block.out));
            block.x.gather(inputs, |x| x);
            places.fill(block.x.count, O::ZERO);
            for (input, lane) in inputs.each(block.x.count).zip(places.each(block.x.count)) {
                plan.process_with_scratch(input, lane, work.values()).map_err(unfit)?;
                scaled(lane, scale);
                if conjugate {
                    lane.iter_mut().for_each(|z| z.im = -z.im);
                }
            }
            lanes.scatter(block.out);
        }
        Ok(())
    })
}

/// The real numbers along an axis whose transform has this first half: as many as the output has there, at least one. The
/// input is conjugated if that is asked for, and cut to n/2 + 1 elements or padded with zeros; the imaginary parts of the
/// first element, and of the last one of an even n, are not looked at. Results are multiplied by `scale`.
pub fn half_to_real(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    axis: usize,
    conjugate: bool,
    scale: f64,
) -> Result<()> {
    check_shapes(out, x, axis)?;
    match (out.dtype(), x.dtype()) {
        (DType::Float32, DType::Complex64) => half_to_real_of::<f32, Complex<f32>>(ctx, out, x, axis, conjugate, scale),
        (DType::Float64, DType::Complex128) => half_to_real_of::<f64, C>(ctx, out, x, axis, conjugate, scale),
        _ => Err(run::misuse("fft: data types")),
    }
}

fn half_to_real_of<O: InDouble<Wide = f64>, I: InDouble<Wide = C>>(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    axis: usize,
    conjugate: bool,
    scale: f64,
) -> Result<()> {
    let n = out.shape()[axis];
    if out.size() == 0 {
        return no_lanes(n);
    }
    let plan = plans::half_to_real(n)?;
    let ends = Ends::<O, I>::new(out, x, axis, n, n / 2 + 1)?;
    let mut work = room(ctx, plan.get_scratch_len())?;
    let (mut inputs, mut lanes) = (Lanes::apart(ctx, &ends.x)?, Lanes::in_place(ctx, &ends.out)?);
    for_each_block(ctx, &ends, |block| {
        // SAFETY: the block is of the operands; every element of each lane is set before it is read.
        unsafe {
            let (inputs, places) = (inputs.places(block.x), lanes.places(block.out));
            if conjugate {
                block.x.gather(inputs, |z| z.conj());
            } else {
                block.x.gather(inputs, |z| z);
            }
            places.fill(block.x.count, O::ZERO);
            for (input, lane) in inputs.each(block.x.count).zip(places.each(block.x.count)) {
                input[0].im = 0.0;
                if n % 2 == 0 {
                    input[n / 2].im = 0.0;
                }
                plan.process_with_scratch(input, lane, work.values()).map_err(unfit)?;
                scaled(lane, scale);
            }
            lanes.scatter(block.out);
        }
        Ok(())
    })
}

/// Writes the frequencies that belong to the elements of a transform of `n` numbers at distance `spacing`: 0, 1, … divided by
/// the product of both, and in a `whole` transform from the middle on those below 0.
pub fn frequencies(ctx: &Ctx<'_>, out: &Operand<'_>, n: usize, spacing: f64, whole: bool) -> Result<()> {
    let (size, divisor) = (n as f64, spacing * n as f64);
    let positive = if whole { n.div_ceil(2) as f64 } else { size };
    let at = move |i, j| {
        let i = place(i, j);
        (if i < positive { i } else { i - size }) / divisor
    };
    match out.dtype() {
        DType::Float32 => fill(ctx, out, move |i, j| at(i, j) as f32, []),
        DType::Float64 => fill(ctx, out, at, []),
        _ => Err(run::misuse("frequencies: data type")),
    }
}
