//! The extension `linalg`.

use pyo3::prelude::*;
use strictarray_core::{
    Array, Complex, DType, Device, Dims, Error, Layout, Scalar, Strides, broadcast_shapes, show_shape,
};
use strictarray_kernels::linalg as kernel;
use strictarray_kernels::reduce::{self, Extreme, norm_of_sums};
use strictarray_kernels::{Ctx, UnaryKernel, cast, elementwise};
use strictarray_standard::{Exception, Feature, ScalarKinds, Version, rule};

use super::elementwise::{Side, no_kernel};
use super::linear_algebra::{contraction, last_two, matrices, promoted, vector_axis};
use super::reduced::{Axes, check_not_empty, reduce};
use super::statistical::accumulated;
use super::{named, run_kernel, same_device_as};
use crate::arguments::ScalarOrChoice;
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::{Fail, Outcome};
use crate::once::Once;
use crate::parse;

/// The handler of the function of this name. Those of the main namespace have theirs in `linear_algebra.rs`.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    Some(match name {
        "linalg.cholesky" => cholesky,
        "linalg.cross" => cross,
        "linalg.det" => det,
        "linalg.diagonal" => diagonal,
        "linalg.eig" => eig,
        "linalg.eigh" => eigh,
        "linalg.eigvals" => eigvals,
        "linalg.eigvalsh" => eigvalsh,
        "linalg.inv" => inv,
        "linalg.matrix_norm" => matrix_norm,
        "linalg.matrix_power" => matrix_power,
        "linalg.matrix_rank" => matrix_rank,
        "linalg.outer" => outer,
        "linalg.pinv" => pinv,
        "linalg.qr" => qr,
        "linalg.slogdet" => slogdet,
        "linalg.solve" => solve,
        "linalg.svd" => svd,
        "linalg.svdvals" => svdvals,
        "linalg.trace" => trace,
        "linalg.vector_norm" => vector_norm,
        _ => return None,
    })
}

fn finish<'py>(call: &Call<'_, 'py>, result: Array) -> Outcome<Bound<'py, PyAny>> {
    wrap(call.py, result.in_namespace(call.namespace))
}

/// The array at the first place, of square matrices.
fn square<'a>(call: &Call<'a, '_>) -> Outcome<&'a Array> {
    let x = matrices(call, 0)?;
    check_square(call, x)?;
    Ok(x)
}

fn check_square(call: &Call<'_, '_>, x: &Array) -> Outcome<()> {
    let (m, n) = last_two(x.shape());
    if m == n {
        return Ok(());
    }
    let got = format!("got an array of shape {}", show_shape(x.shape()));
    Err(Error::new(&rule::SQUARE, got).argument(call.name(0)).into())
}

/// An array beside the one of matrices: the leading axes of that, and these, on its device.
fn result(call: &Call<'_, '_>, x: &Array, axes: &[usize], dtype: DType) -> Outcome<Array> {
    let mut shape = leading(x);
    shape.extend_from_slice(axes);
    Ok(Array::uninit(&shape, dtype, x.device())?.in_namespace(call.namespace))
}

/// The axes but the last two.
fn leading(x: &Array) -> Dims {
    Dims::from_slice(&x.shape()[..x.ndim() - 2])
}

/// Runs a kernel on matrices, whose work is about that of so many products of them, and to which outputs of so many elements
/// belong.
fn run(
    call: &Call<'_, '_>,
    x: &Array,
    products: usize,
    outputs: usize,
    kernel: impl FnOnce(&Ctx<'_>) -> strictarray_core::Result<()> + Send,
) -> Outcome<()> {
    let (m, n) = last_two(x.shape());
    let work = x.size().saturating_mul(m.min(n).max(1)).saturating_mul(products);
    run_kernel(call.py, work.saturating_add(outputs), kernel).map_err(|fail| of_matrix(fail, call.name(0)))
}

/// Names the argument where a matrix is to blame.
fn of_matrix(fail: Fail, name: &'static str) -> Fail {
    match fail {
        Fail::Ours(error) if error.rule().exception == Exception::LinearAlgebra => Fail::Ours(error.argument(name)),
        fail => fail,
    }
}

// ---- one matrix from one ---------------------------------------------------------------------------------------

fn cholesky<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = square(call)?;
    let upper = call.bool(1, false)?;
    let out = result(call, x, &x.shape()[x.ndim() - 2..], x.dtype())?;
    run(call, x, 1, out.size(), |ctx| kernel::cholesky(ctx, &out.operand(), &x.operand(), upper))?;
    wrap(call.py, out)
}

fn inv<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = square(call)?;
    let out = result(call, x, &x.shape()[x.ndim() - 2..], x.dtype())?;
    run(call, x, 2, out.size(), |ctx| kernel::inv(ctx, &out.operand(), &x.operand()))?;
    wrap(call.py, out)
}

fn matrix_power<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = square(call)?;
    let n = call.int(1, 0)?;
    if n.unsigned_abs() >= i128::MAX.unsigned_abs() {
        // Larger ones are not told apart.
        let error = Error::new(&rule::VALUE, "got an exponent of 2**127 - 1 or more in size").argument(call.name(1));
        return Err(error.requires("the exponent must be smaller than that").into());
    }
    let mut power = None;
    // About as many products as the exponent has bits, and an inverse.
    run(call, x, 2 * (i128::BITS - n.unsigned_abs().leading_zeros()) as usize + 2, x.size(), |ctx| {
        power = Some(kernel::matrix_power(ctx, x, n)?);
        Ok(())
    })?;
    finish(call, power.ok_or_else(|| Error::new(&rule::INTERNAL, "no power"))?)
}

/// What singular values up to this times the largest one count as 0: float64, for each matrix.
fn rtol(call: &Call<'_, '_>, x: &Array, place: usize) -> Outcome<Array> {
    let name = call.name(place);
    let lead = leading(x);
    let everywhere = |value: f64| -> Outcome<Array> {
        let bytes = Scalar::Float(value).to_element(DType::Float64);
        let bytes = bytes.ok_or_else(|| Error::new(&rule::INTERNAL, "a tolerance that is no float"))?;
        let one = Array::full(&[], bytes, DType::Float64, Device::CPU)?;
        Ok(one.with_layout(one.layout().broadcast_to(&lead)?)?)
    };
    if call.some(place).is_none() {
        let (m, n) = last_two(x.shape());
        let eps = if x.dtype().to_real() == DType::Float32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
        return everywhere(m.max(n) as f64 * eps);
    }
    match call.operand(place)? {
        Side::Scalar(scalar) => {
            if !ScalarKinds::REAL.contains(scalar.kind()) {
                let got = format!("got a Python {}", scalar.type_name());
                let requires = "a Python float or int, or an array of a real floating-point dtype, is required";
                return Err(Error::new(&rule::SCALAR_KIND, got).requires(requires).argument(name).into());
            }
            let value = Complex::from(scalar.value_for(DType::Float64, name)?).re;
            check_tolerance(value, name)?;
            everywhere(value)
        }
        Side::Array(tolerance) => {
            call.check(place, tolerance.dtype(), call.row.params[place].accepts.dtypes())?;
            same_device_as(x, tolerance, name)?;
            if tolerance.layout().broadcast_to(&lead).is_err() {
                let shapes = [tolerance, x].map(|x| show_shape(x.shape()));
                let error = Error::new(
                    &rule::BROADCAST,
                    format!("got shape {} for matrices of shape {}", shapes[0], shapes[1]),
                );
                let requires = "rtol must broadcast to the leading axes of x, those but the last two";
                return Err(error.requires(requires).argument(name).into());
            }
            let wide = Array::uninit(tolerance.shape(), DType::Float64, Device::CPU)?;
            run_kernel(call.py, wide.size(), |ctx| cast::cast(ctx, &wide.operand(), &tolerance.operand()))?;
            if wide.size() > 0 {
                // NaN if there is one.
                let least = Array::uninit(&Dims::from_elem(1, wide.ndim()), DType::Float64, Device::CPU)?;
                run_kernel(call.py, wide.size(), |ctx| reduce::min(ctx, &least.operand(), &wide.operand()))?;
                let least = least.with_layout(Layout::c_order(&[], DType::Float64.size())?)?;
                check_tolerance(Complex::from(least.item()?).re, name)?;
            }
            Ok(wide.with_layout(wide.layout().broadcast_to(&lead)?)?)
        }
    }
}

fn check_tolerance(value: f64, name: &'static str) -> Outcome<()> {
    if value >= 0.0 {
        return Ok(());
    }
    let error = Error::new(&rule::VALUE, format!("got {value:?}")).argument(name);
    Err(error.requires("a tolerance must be 0 or more").into())
}

fn pinv<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = matrices(call, 0)?;
    let rtol = rtol(call, x, 1)?;
    let (m, n) = last_two(x.shape());
    let out = result(call, x, &[n, m], x.dtype())?;
    run(call, x, 16, out.size(), |ctx| kernel::pinv(ctx, &out.operand(), &x.operand(), &rtol.operand()))?;
    wrap(call.py, out)
}

// ---- decompositions --------------------------------------------------------------------------------------------

fn qr<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    static CLASS: Once<Py<PyAny>> = Once::new();
    let x = matrices(call, 0)?;
    let complete = call.choice(1)? == Some(1);
    let (m, n) = last_two(x.shape());
    let k = if complete { m } else { m.min(n) };
    let (q, r) = (result(call, x, &[m, k], x.dtype())?, result(call, x, &[k, n], x.dtype())?);
    run(call, x, 2, (q.size() + r.size()).saturating_mul(k.min(n)), |ctx| {
        kernel::qr(ctx, &q.operand(), &r.operand(), &x.operand())
    })?;
    named(call.py, &CLASS, "QRResult", [q, r])
}

fn svd<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    static CLASS: Once<Py<PyAny>> = Once::new();
    let x = matrices(call, 0)?;
    let full = call.bool(1, true)?;
    let (m, n) = last_two(x.shape());
    let k = m.min(n);
    let u = result(call, x, &[m, if full { m } else { k }], x.dtype())?;
    let s = result(call, x, &[k], x.dtype().to_real())?;
    let vh = result(call, x, &[if full { n } else { k }, n], x.dtype())?;
    run(call, x, 16, u.size().saturating_add(vh.size()).saturating_mul(k), |ctx| {
        kernel::svd(ctx, &u.operand(), &s.operand(), &vh.operand(), &x.operand())
    })?;
    named(call.py, &CLASS, "SVDResult", [u, s, vh])
}

fn svdvals<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    wrap(call.py, singular_values(call, matrices(call, 0)?)?)
}

fn singular_values(call: &Call<'_, '_>, x: &Array) -> Outcome<Array> {
    let (m, n) = last_two(x.shape());
    let s = result(call, x, &[m.min(n)], x.dtype().to_real())?;
    run(call, x, 4, s.size(), |ctx| kernel::svdvals(ctx, &s.operand(), &x.operand()))?;
    Ok(s)
}

fn eigh<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    static CLASS: Once<Py<PyAny>> = Once::new();
    let x = square(call)?;
    let (m, n) = last_two(x.shape());
    let (values, vectors) = (result(call, x, &[n], x.dtype().to_real())?, result(call, x, &[m, n], x.dtype())?);
    run(call, x, 8, vectors.size(), |ctx| {
        kernel::eigh(ctx, &values.operand(), Some(&vectors.operand()), &x.operand())
    })?;
    named(call.py, &CLASS, "EighResult", [values, vectors])
}

fn eigvalsh<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = square(call)?;
    let values = result(call, x, &[last_two(x.shape()).1], x.dtype().to_real())?;
    run(call, x, 4, values.size(), |ctx| kernel::eigh(ctx, &values.operand(), None, &x.operand()))?;
    wrap(call.py, values)
}

/// The complex data type of the array's precision: every device that has the one has the other.
fn complex_dtype(x: &Array) -> DType {
    x.dtype().to_complex().unwrap_or(x.dtype())
}

fn eig<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    static CLASS: Once<Py<PyAny>> = Once::new();
    let x = square(call)?;
    let dtype = complex_dtype(x);
    let (m, n) = last_two(x.shape());
    let (values, vectors) = (result(call, x, &[n], dtype)?, result(call, x, &[m, n], dtype)?);
    run(call, x, 32, vectors.size(), |ctx| {
        kernel::eig(ctx, &values.operand(), Some(&vectors.operand()), &x.operand())
    })?;
    named(call.py, &CLASS, "EigResult", [values, vectors])
}

fn eigvals<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = square(call)?;
    let values = result(call, x, &[last_two(x.shape()).1], complex_dtype(x))?;
    run(call, x, 16, values.size(), |ctx| kernel::eig(ctx, &values.operand(), None, &x.operand()))?;
    wrap(call.py, values)
}

// ---- numbers of matrices ---------------------------------------------------------------------------------------

fn det<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = square(call)?;
    let out = result(call, x, &[], x.dtype())?;
    run(call, x, 1, out.size(), |ctx| kernel::det(ctx, &out.operand(), &x.operand()))?;
    wrap(call.py, out)
}

fn slogdet<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    static CLASS: Once<Py<PyAny>> = Once::new();
    let x = square(call)?;
    let (sign, logabsdet) = (result(call, x, &[], x.dtype())?, result(call, x, &[], x.dtype().to_real())?);
    run(call, x, 1, sign.size(), |ctx| kernel::slogdet(ctx, &sign.operand(), &logabsdet.operand(), &x.operand()))?;
    named(call.py, &CLASS, "SlogdetResult", [sign, logabsdet])
}

fn matrix_rank<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = matrices(call, 0)?;
    let rtol = rtol(call, x, 1)?;
    let out = result(call, x, &[], x.device().defaults().integral)?;
    run(call, x, 4, out.size(), |ctx| kernel::matrix_rank(ctx, &out.operand(), &x.operand(), &rtol.operand()))?;
    wrap(call.py, out)
}

fn trace<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = matrices(call, 0)?;
    let diagonal = x.with_layout(diagonal_of(x, call.int(1, 0)?))?;
    // Before 2022.12 the result was of the data type of x, whatever that is.
    let dtype = if call.flags.api_version < Version::V2022_12 { x.dtype() } else { accumulated(call, x, 2)? };
    let out = result(call, x, &[1], dtype)?;
    run_kernel(call.py, diagonal.size(), |ctx| reduce::sum(ctx, &out.operand(), &diagonal.operand()))?;
    wrap(call.py, out.with_layout(Layout::c_order(&leading(x), dtype.size())?)?)
}

fn diagonal<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = matrices(call, 0)?;
    finish(call, x.with_layout(diagonal_of(x, call.int(1, 0)?))?)
}

/// The layout of a diagonal: above the main one for a positive offset.
fn diagonal_of(x: &Array, offset: i128) -> Layout {
    let (m, n) = last_two(x.shape());
    let skip = |by: i128, size: usize| usize::try_from(by.max(0)).map_or(size, |by| by.min(size));
    let (down, right) = (skip(offset.saturating_neg(), m), skip(offset, n));
    let axis = x.ndim() - 2;
    let size = (m - down).min(n - right);
    let rest = x.layout().narrowed(axis, down.min(m - size), size).narrowed(axis + 1, right.min(n - size), size);
    let (mut shape, mut strides) = (leading(x), Strides::from_slice(&rest.strides()[..axis]));
    shape.push(size);
    strides.push(rest.strides()[axis] + rest.strides()[axis + 1]);
    Layout::new(shape, strides, rest.offset())
}

// ---- norms -----------------------------------------------------------------------------------------------------

/// The order that was given, as a number.
fn order(call: &Call<'_, '_>, scalar: &parse::PyScalar<'_>, place: usize) -> Outcome<f64> {
    Ok(Complex::from(scalar.value_for(DType::Float64, call.name(place))?).re)
}

#[cold]
fn no_such_norm(call: &Call<'_, '_>, order: f64, place: usize, requires: &'static str) -> Error {
    Error::new(&rule::NORM_ORDER, format!("got {order:?}")).requires(requires).argument(call.name(place))
}

fn vector_norm<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let axes = Axes::several(call, x.ndim(), 1, 2)?;
    let order = call.scalar_or_none(3)?.map_or(Ok(2.0), |scalar| order(call, &scalar, 3))?;
    if order.is_nan() {
        return Err(no_such_norm(call, order, 3, "ord must be a number").into());
    }
    if order == f64::NEG_INFINITY {
        check_not_empty(call, x, &axes)?;
    }
    reduce(call, x, &axes, x.dtype().to_real(), move |ctx, out, x| reduce::vector_norm(ctx, out, x, order))
}

fn matrix_norm<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = matrices(call, 0)?;
    let axes = Axes::of_matrices(x.ndim(), call.bool(1, false)?);
    let dtype = x.dtype().to_real();
    let order = match call.scalar_or_choice(2)? {
        None | Some(ScalarOrChoice::Choice(0)) => {
            return reduce(call, x, &axes, dtype, |ctx, out, x| reduce::vector_norm(ctx, out, x, 2.0));
        }
        Some(ScalarOrChoice::Choice(_)) => return of_singular_values(call, x, &axes, reduce::sum),
        Some(ScalarOrChoice::Scalar(scalar)) => order(call, &scalar, 2)?,
    };
    if order.abs() == 2.0 || order.abs() == 1.0 || order.is_infinite() {
        if order < 0.0 {
            check_not_empty(call, x, &axes)?;
        }
        let extreme = if order < 0.0 { Extreme::Smallest } else { Extreme::Largest };
        if order.abs() == 2.0 {
            return of_singular_values(call, x, &axes, if order < 0.0 { reduce::min } else { reduce::max });
        }
        let axis = x.ndim() - if order.is_infinite() { 1 } else { 2 };
        return reduce(call, x, &axes, dtype, move |ctx, out, x| norm_of_sums(ctx, out, x, axis, extreme));
    }
    let requires = "ord must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf";
    Err(no_such_norm(call, order, 2, requires).into())
}

/// What the singular values of each matrix come to.
fn of_singular_values<'py>(
    call: &Call<'_, 'py>,
    x: &Array,
    axes: &Axes,
    kernel: UnaryKernel,
) -> Outcome<Bound<'py, PyAny>> {
    let s = singular_values(call, x)?;
    // As matrices of one column, so that the same axes are reduced.
    let s = s.with_layout(s.layout().expanded(&[s.ndim()])?)?;
    if s.shape()[s.ndim() - 2] == 0 {
        return reduce(call, &s, axes, s.dtype(), reduce::sum);
    }
    reduce(call, &s, axes, s.dtype(), kernel)
}

// ---- products --------------------------------------------------------------------------------------------------

fn outer<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let arrays = [call.array(0)?, call.array(1)?];
    for (place, x) in arrays.into_iter().enumerate() {
        if x.ndim() != 1 {
            let got = format!("got an array of shape {}", show_shape(x.shape()));
            return Err(Error::new(&rule::NOT_A_VECTOR, got).argument(call.name(place)).into());
        }
    }
    let [x1, x2] = promoted(call)?;
    let shape = [x1.size(), x2.size()];
    let column = x1.with_layout(x1.layout().expanded(&[1])?)?;
    let out = Array::uninit(&shape, x1.dtype(), x1.device())?;
    let multiply = elementwise::binary("multiply").ok_or_else(no_kernel)?;
    let (a, b) = (column.operand_over(&shape)?, x2.operand_over(&shape)?);
    run_kernel(call.py, out.size(), |ctx| multiply(ctx, &out.operand(), &a, &b))?;
    finish(call, out)
}

fn cross<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let [x1, x2] = promoted(call)?;
    let shapes = || format!("shapes {} and {}", show_shape(x1.shape()), show_shape(x2.shape()));
    if x1.shape() != x2.shape() && !call.has(Feature::Broadcast) {
        return Err(call.later(1, Feature::Broadcast, &shapes()));
    }
    let back = vector_axis(call, call.axis_number(2, -1)?, [x1.ndim(), x2.ndim()])?;
    for (place, x) in [&x1, &x2].into_iter().enumerate() {
        let size = x.ndim().checked_sub(back).map_or(1, |axis| x.shape()[axis]);
        if size != 3 {
            let got = format!("got size {size} of an array of shape {}", show_shape(x.shape()));
            return Err(Error::new(&rule::CROSS_SIZE, got).argument(call.name(place)).into());
        }
    }
    let shape = broadcast_shapes([x1.shape(), x2.shape()]).map_err(|e| e.argument(call.name(1)))?;
    let axis = shape.len() - back;
    let out = Array::uninit(&shape, x1.dtype(), x1.device())?;
    let over = |x: &Array| -> Outcome<Array> { Ok(x.with_layout(x.layout().broadcast_to(&shape)?)?) };
    let (x1, x2) = (over(&x1)?, over(&x2)?);
    run_kernel(call.py, out.size(), |ctx| kernel::cross(ctx, &out, &x1, &x2, axis))?;
    finish(call, out)
}

// ---- systems of equations --------------------------------------------------------------------------------------

fn solve<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x1 = matrices(call, 0)?;
    let x2 = call.array(1)?;
    check_square(call, x1)?;
    if x2.ndim() == 0 {
        return Err(Error::new(&rule::NDIM_ONE, "got a 0-d array").argument(call.name(1)).into());
    }
    let got = format!("got shapes {} and {}", show_shape(x1.shape()), show_shape(x2.shape()));
    let [a, b] = promoted(call)?;
    // A vector is a matrix of one column.
    let vector = b.ndim() == 1;
    let b = if vector { b.with_layout(b.layout().expanded(&[1])?)? } else { b };
    let (n, (rows, columns)) = (last_two(a.shape()).0, last_two(b.shape()));
    if rows != n {
        let requires = "x2 must have as many rows as x1: its last axis but one, or its only one (one vector for each matrix of a \
                        stack is written x2[..., None])";
        return Err(contraction(got.clone(), call.name(1)).requires(requires).into());
    }
    let lead = broadcast_shapes([&leading(&a)[..], &leading(&b)]).map_err(|_| {
        let requires = "the leading axes, all but the last two, must broadcast";
        Error::new(&rule::BROADCAST, got.clone()).requires(requires).argument(call.name(1))
    })?;
    let over = |x: &Array, axes: [usize; 2]| -> Outcome<Array> {
        let mut shape = lead.clone();
        shape.extend(axes);
        Ok(x.with_layout(x.layout().broadcast_to(&shape)?)?)
    };
    let (a, b) = (over(&a, [n, n])?, over(&b, [n, columns])?);
    let out = Array::uninit(b.shape(), a.dtype(), a.device())?;
    let work = out.size().saturating_add(a.size()).saturating_mul(n.max(1));
    run_kernel(call.py, work, |ctx| kernel::solve(ctx, &out.operand(), &a.operand(), &b.operand()))
        .map_err(|fail| of_matrix(fail, call.name(0)))?;
    if !vector {
        return finish(call, out);
    }
    let mut shape = lead;
    shape.push(n);
    finish(call, out.with_layout(Layout::c_order(&shape, out.dtype().size())?)?)
}
