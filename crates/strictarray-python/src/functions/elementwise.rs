//! Elementwise functions and operators: check, promote, broadcast, one kernel.

use pyo3::prelude::*;
use strictarray_core::{Array, DType, Device, ElementBytes, Error, Operand, broadcast_shapes};
use strictarray_kernels::{BinaryKernel, UnaryKernel, cast, elementwise};
use strictarray_standard::{Category, Function, Param, ResultDType, promote, promote_scalar, rule};

use super::{Kernel, run_kernel, same_device_as};
use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::Outcome;
use crate::parse::{PyScalar, check_kind};

/// The handler of an elementwise function: the same for all, row and kernel make the difference.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    let row = strictarray_standard::function(name).filter(|row| row.category == Category::Elementwise)?;
    match row.params.len() {
        1 => strictarray_kernels::elementwise::unary(name).map(|_| unary_handler as Handler),
        2 => strictarray_kernels::elementwise::binary(name).map(|_| binary_handler as Handler),
        3 if name == "clip" => Some(clip_handler),
        _ => None,
    }
}

/// One operand of a binary function.
pub(crate) enum Side<'a, 'py> {
    Array(&'a Array),
    Scalar(PyScalar<'py>),
}

impl Side<'_, '_> {
    pub(super) fn shape(&self) -> &[usize] {
        match self {
            Side::Array(x) => x.shape(),
            Side::Scalar(_) => &[],
        }
    }
}

fn result_dtype(row: &Function, dtype: DType) -> DType {
    match row.result {
        ResultDType::Bool => DType::Bool,
        ResultDType::RealPart => dtype.to_real(),
        _ => dtype,
    }
}

fn unary_handler<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    // A part of a complex array, and what the array is already, is a view, as in NumPy; the standard leaves it open.
    let part = match call.row.name {
        "real" => x.complex_part(false),
        "imag" => x.complex_part(true),
        // Integers are their own.
        "ceil" | "floor" | "trunc" if x.dtype().is_integer() => Some(x.clone()),
        _ => None,
    };
    if let Some(part) = part {
        return wrap(call.py, part.in_namespace(call.namespace));
    }
    let Kernel::Unary(kernel) = call.kernel else { return Err(no_kernel().into()) };
    let result = unary(call.py, x, Operation { row: call.row, kernel }, call.row.name)?;
    wrap(call.py, result.in_namespace(call.namespace))
}

fn binary_handler<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let [x1, x2] = call.operands([0, 1])?;
    let Kernel::Binary(kernel) = call.kernel else { return Err(no_kernel().into()) };
    let result = binary(call.py, &x1, &x2, Operation { row: call.row, kernel }, call.row.name)?;
    wrap(call.py, result.in_namespace(call.namespace))
}

/// A row of the standard and the kernel that computes it.
#[derive(Clone, Copy)]
pub(crate) struct Operation<K> {
    pub(crate) row: &'static Function,
    pub(crate) kernel: K,
}

/// A function of one array.
pub(crate) fn unary(py: Python<'_>, x: &Array, op: Operation<UnaryKernel>, name: &'static str) -> Outcome<Array> {
    let Operation { row, kernel } = op;
    check_kind(x.dtype(), row.params[0].accepts.dtypes(), name, row.params[0].name)?;
    let result = Array::uninit(x.shape(), result_dtype(row, x.dtype()), x.device())?;
    run_kernel(py, result.size(), |ctx| kernel(ctx, &result.operand(), &x.operand()))?;
    Ok(result.in_namespace(x.namespace()))
}

#[cold]
pub(crate) fn no_kernel() -> Error {
    Error::new(&rule::INTERNAL, "a row without a kernel")
}

/// What both operands promote to, after all checks: kinds, devices, promotion.
pub(super) struct Plan {
    pub(super) dtype: DType,
    pub(super) device: Device,
}

/// The plan of two operands, which are the arguments at these places of the row.
#[inline]
pub(super) fn plan(
    [x1, x2]: [&Side<'_, '_>; 2],
    row: &'static Function,
    places: [usize; 2],
    name: &'static str,
) -> Outcome<Plan> {
    let params = places.map(|place| &row.params[place]);
    match (x1, x2) {
        (Side::Array(a), Side::Array(b)) => {
            check_kind(a.dtype(), params[0].accepts.dtypes(), name, params[0].name)?;
            check_kind(b.dtype(), params[1].accepts.dtypes(), name, params[1].name)?;
            same_device_as(a, b, params[1].name)?;
            if row.result == ResultDType::Same && a.dtype() != b.dtype() {
                let got = format!("got arrays of dtype {} and {}", a.dtype(), b.dtype());
                let requires = "both must have one data type (elsewhere the result's is unspecified)";
                return Err(Error::new(&rule::PROMOTION, got).requires(requires).argument(params[1].name).into());
            }
            match promote(a.dtype(), b.dtype()) {
                Some(dtype) if dtype == a.dtype() || a.device().supports(dtype) => {
                    Ok(Plan { dtype, device: a.device() })
                }
                Some(dtype) => Err(no_such_dtype(a, b, dtype).argument(params[1].name).into()),
                None => Err(no_promotion(a.dtype(), b.dtype()).argument(params[1].name).into()),
            }
        }
        (Side::Array(a), Side::Scalar(s)) => beside(a, s, name, params),
        (Side::Scalar(s), Side::Array(a)) => beside(a, s, name, [params[1], params[0]]),
        (Side::Scalar(_), Side::Scalar(_)) => Err(Error::new(&rule::ONLY_SCALARS, "two scalars").into()),
    }
}

/// The refusal of what promotes to a data type that the device does not have.
#[cold]
fn no_such_dtype(a: &Array, b: &Array, dtype: DType) -> Error {
    let got = format!("got arrays of dtype {} and {}, which promote to {dtype}", a.dtype(), b.dtype());
    Error::new(&rule::DEVICE_DTYPE, format!("{got}, on device {}", a.device()))
}

/// The plan of an array and a scalar, the arguments of these parameters.
fn beside(array: &Array, scalar: &PyScalar<'_>, name: &'static str, params: [&'static Param; 2]) -> Outcome<Plan> {
    let set = params[0].accepts.dtypes();
    check_kind(array.dtype(), set, name, params[0].name)?;
    let Some(dtype) = promote_scalar(array.dtype(), scalar.kind()) else {
        let got = format!("got a Python {} beside an array of dtype {}", scalar.type_name(), array.dtype());
        let requires = "Python scalars can only be promoted with arrays of their kind: bool with bool; int with numeric; \
                        float and complex with floating-point";
        return Err(Error::new(&rule::SCALAR_KIND, got).requires(requires).argument(params[1].name).into());
    };
    check_kind(dtype, set, name, params[1].name)?;
    Ok(Plan { dtype, device: array.device() })
}

#[cold]
pub(crate) fn no_promotion(a: DType, b: DType) -> Error {
    let requires = format!("{a} and {b} cannot be type promoted together: {}", rule::PROMOTION.requires);
    Error::new(&rule::PROMOTION, format!("got arrays of dtype {a} and {b}")).requires(requires)
}

/// An operand in the promoted data type, and what keeps it alive.
pub(super) enum Ready<'a> {
    Same(&'a Array),
    Cast(Array),
    Scalar(ElementBytes),
}

impl Ready<'_> {
    fn shape(&self) -> &[usize] {
        match self {
            Ready::Same(x) => x.shape(),
            Ready::Cast(x) => x.shape(),
            Ready::Scalar(_) => &[],
        }
    }

    #[inline]
    pub(super) fn operand<'a>(&'a self, dtype: DType, shape: &'a [usize]) -> strictarray_core::Result<Operand<'a>> {
        match self {
            Ready::Same(x) => x.operand_over(shape),
            Ready::Cast(x) => x.operand_over(shape),
            Ready::Scalar(bytes) => Ok(Operand::repeated(bytes, dtype, shape)),
        }
    }
}

pub(super) fn ready<'a>(py: Python<'_>, side: &Side<'a, '_>, dtype: DType, name: &'static str) -> Outcome<Ready<'a>> {
    Ok(match side {
        Side::Array(x) if x.dtype() == dtype => Ready::Same(x),
        Side::Array(x) => Ready::Cast(cast_to(py, x, dtype)?),
        Side::Scalar(scalar) => {
            let value = scalar.value_for(dtype, name)?;
            let bytes = value.to_element(dtype);
            Ready::Scalar(bytes.ok_or_else(|| Error::new(&rule::INTERNAL, "a scalar that does not promote"))?)
        }
    })
}

/// A cast copy on the array's own device. The device may lack the data type where a device promotes within its own only,
/// which is then refused.
pub(crate) fn cast_to(py: Python<'_>, x: &Array, dtype: DType) -> Outcome<Array> {
    let result = Array::uninit(x.shape(), dtype, x.device())?;
    run_kernel(py, result.size(), |ctx| cast::cast(ctx, &result.operand(), &x.operand()))?;
    Ok(result.in_namespace(x.namespace()))
}

/// A bound of `clip`: a scalar or an array of the data type of x, whose device is x's.
fn bound<'a, 'py>(call: &Call<'a, 'py>, x: &Array, place: usize) -> Outcome<Option<Ready<'a>>> {
    if call.some(place).is_none() {
        return Ok(None);
    }
    let (bound, name) = (call.operand(place)?, call.name(place));
    match bound {
        Side::Array(bound) => {
            call.check(place, bound.dtype(), call.row.params[place].accepts.dtypes())?;
            same_device_as(x, bound, name)?;
            if bound.dtype() != x.dtype() {
                let got = format!("got bounds of dtype {} for an array of dtype {}", bound.dtype(), x.dtype());
                let requires = "bounds must have the data type of x (elsewhere the result is unspecified)";
                return Err(Error::new(&rule::PROMOTION, got).requires(requires).argument(name).into());
            }
            Ok(Some(Ready::Same(bound)))
        }
        Side::Scalar(ref scalar) => {
            beside(x, scalar, call.row.name, [&call.row.params[0], &call.row.params[place]])?;
            Ok(Some(ready(call.py, &bound, x.dtype(), name)?))
        }
    }
}

fn clip_handler<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let x = call.array(0)?;
    let (min, max) = (bound(call, x, 1)?, bound(call, x, 2)?);
    let shapes = [Some(x.shape()), min.as_ref().map(Ready::shape), max.as_ref().map(Ready::shape)];
    let shape = broadcast_shapes(shapes.into_iter().flatten())?;
    let dtype = x.dtype();
    // First the result: a shape that no memory holds is refused before anything is computed over it.
    let result = Array::uninit(&shape, dtype, x.device())?;
    if let (Some(min), Some(max)) = (&min, &max) {
        let shape = broadcast_shapes([min.shape(), max.shape()])?;
        let (min, max) = (min.operand(dtype, &shape)?, max.operand(dtype, &shape)?);
        let size = shape.iter().product();
        if run_kernel(call.py, size, |ctx| elementwise::any_greater(ctx, &min, &max))? {
            return Err(Error::new(&rule::CLIP_BOUNDS, "got a lower bound above the upper one").argument("min").into());
        }
    }
    let min = min.as_ref().map(|b| b.operand(dtype, result.shape())).transpose()?;
    let max = max.as_ref().map(|b| b.operand(dtype, result.shape())).transpose()?;
    let x = x.operand_over(result.shape())?;
    run_kernel(call.py, result.size(), |ctx| {
        elementwise::clip(ctx, &result.operand(), &x, min.as_ref(), max.as_ref())
    })?;
    wrap(call.py, result.in_namespace(call.namespace))
}

/// A function of two operands, of which at least one is an array.
pub(crate) fn binary<'a>(
    py: Python<'_>,
    x1: &Side<'a, '_>,
    x2: &Side<'a, '_>,
    op: Operation<BinaryKernel>,
    name: &'static str,
) -> Outcome<Array> {
    let Operation { row, kernel } = op;
    let Plan { dtype, device } = plan([x1, x2], row, [0, 1], name)?;
    let dtype_out = result_dtype(row, dtype);
    if let (Side::Array(a), Side::Array(b)) = (x1, x2)
        && a.dtype() == dtype
        && b.dtype() == dtype
        && a.shape() == b.shape()
    {
        // The common case at once: nothing to cast, nothing to broadcast.
        let result = Array::uninit(a.shape(), dtype_out, device)?;
        run_kernel(py, result.size(), |ctx| kernel(ctx, &result.operand(), &a.operand(), &b.operand()))?;
        return Ok(result);
    }
    // A scalar, or a second array of the same shape, leaves the first one's shape as it is.
    let result = match (x1, x2) {
        (Side::Array(a), Side::Array(b)) if a.shape() != b.shape() => {
            let shape = broadcast_shapes([a.shape(), b.shape()]).map_err(|e| e.argument(row.params[1].name))?;
            Array::uninit(&shape, dtype_out, device)?
        }
        (Side::Array(x), _) | (_, Side::Array(x)) => Array::uninit(x.shape(), dtype_out, device)?,
        _ => return Err(Error::new(&rule::ONLY_SCALARS, "two scalars").into()),
    };
    // Kernels of two operands promote on the way.
    let as_is = |side: &Side<'a, '_>, name| match side {
        Side::Array(x) => Ok(Ready::Same(x)),
        side => ready(py, side, dtype, name),
    };
    let a = as_is(x1, row.params[0].name)?;
    let b = as_is(x2, row.params[1].name)?;
    run_binary(py, kernel, &result, &a, &b, dtype)?;
    Ok(result)
}

fn run_binary(
    py: Python<'_>,
    kernel: BinaryKernel,
    out: &Array,
    a: &Ready<'_>,
    b: &Ready<'_>,
    dtype: DType,
) -> Outcome<()> {
    let (a, b) = (a.operand(dtype, out.shape())?, b.operand(dtype, out.shape())?);
    run_kernel(py, out.size(), |ctx| kernel(ctx, &out.operand(), &a, &b))
}

/// Refuses a result that does not have the data type and the shape of the left operand.
pub(crate) fn check_in_place(x: &Array, dtype: DType, shape: &[usize]) -> Outcome<()> {
    if dtype != x.dtype() {
        let got = format!("got a result of dtype {dtype} for an array of dtype {}", x.dtype());
        return Err(Error::new(&rule::INPLACE_DTYPE, got).argument("other").into());
    }
    if *shape != *x.shape() {
        let show = strictarray_core::show_shape;
        let got = format!("got a result of shape {} for an array of shape {}", show(shape), show(x.shape()));
        return Err(Error::new(&rule::INPLACE_SHAPE, got).argument("other").into());
    }
    Ok(())
}

/// `x op= other`: the result written into x.
pub(crate) fn binary_into(
    py: Python<'_>,
    x: &Array,
    other: &Side<'_, '_>,
    op: Operation<BinaryKernel>,
    name: &'static str,
) -> Outcome<()> {
    let Operation { row, kernel } = op;
    let left = Side::Array(x);
    let Plan { dtype, .. } = plan([&left, other], row, [0, 1], name)?;
    let shape = broadcast_shapes([x.shape(), other.shape()]).map_err(|e| e.argument("other"))?;
    check_in_place(x, result_dtype(row, dtype), &shape)?;
    let mut b = match other {
        Side::Array(y) if !x.shares_memory(y) => Ready::Same(y),
        _ => ready(py, other, dtype, row.params[1].name)?,
    };
    if let Ready::Same(y) = b
        && x.write_disturbs(y)
    {
        b = Ready::Cast(y.to_owned_copy()?);
    }
    if x.overlaps_itself() {
        // Elements that are one memory would be read after they were written: so the result is made apart.
        let apart = Array::uninit(x.shape(), dtype, x.device())?;
        run_binary(py, kernel, &apart, &Ready::Same(x), &b, dtype)?;
        return Ok(strictarray_core::copy::copy_elements(&x.operand(), &apart.operand())?);
    }
    run_binary(py, kernel, x, &Ready::Same(x), &b, dtype)
}
