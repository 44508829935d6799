//! Products that are made of others: powers of matrices, cross products.

use strictarray_core::{Array, Device, Operand, Result, copy};

use crate::matmul::matmul;
use crate::{BinaryKernel, Ctx, creation, elementwise, run};

/// The power of square matrices, of which a negative one is that of the inverse: by squaring.
pub fn matrix_power(ctx: &Ctx<'_>, x: &Array, n: i128) -> Result<Array> {
    let new = || Array::uninit(x.shape(), x.dtype(), x.device());
    let product = |a: &Array, b: &Array| -> Result<Array> {
        let out = new()?;
        matmul(ctx, &out.operand(), &a.operand(), &b.operand())?;
        Ok(out)
    };
    if n == 0 || x.size() == 0 {
        let out = new()?;
        identities(ctx, &out)?;
        return Ok(out);
    }
    let mut square = if n < 0 {
        let out = new()?;
        super::inv(ctx, &out.operand(), &x.operand())?;
        out
    } else {
        x.to_owned_copy()?
    };
    // The powers of two that the exponent is made of.
    let (mut left, mut power) = (n.unsigned_abs(), None);
    loop {
        if left & 1 == 1 {
            power = Some(match power {
                None => square.clone(),
                Some(power) => product(&power, &square)?,
            });
        }
        left >>= 1;
        match power {
            Some(power) if left == 0 => return Ok(power),
            _ => square = product(&square, &square)?,
        }
    }
}

/// Makes identities of square matrices.
fn identities(ctx: &Ctx<'_>, out: &Array) -> Result<()> {
    let &[.., rows, columns] = out.shape() else { return Err(run::misuse("matrix_power: no matrices")) };
    if out.size() == 0 {
        return Ok(());
    }
    let one = Array::zeros(&[rows, columns], out.dtype(), out.device())?;
    creation::eye(ctx, &one.operand(), 0)?;
    copy::copy_elements(&out.operand(), &one.operand_over(out.shape())?)
}

/// The cross products of vectors along an axis of size 3, of arrays of one shape and data type.
pub fn cross(ctx: &Ctx<'_>, out: &Array, x1: &Array, x2: &Array, axis: usize) -> Result<()> {
    /// Elements of some vectors, which stay in the cache: each is read twice.
    const TOGETHER: usize = 1 << 12;
    let shape = out.shape();
    if shape.get(axis) != Some(&3) || [x1, x2].iter().any(|x| x.shape() != shape || x.dtype() != out.dtype()) {
        return Err(run::misuse("cross: shapes or data types"));
    }
    if out.size() == 0 {
        return Ok(());
    }
    let steps = if axis > 0 { shape[0] } else { 1 };
    let step = TOGETHER.saturating_mul(steps).div_ceil(out.size()).clamp(1, steps);
    for start in (0..steps).step_by(step) {
        let some = |x: &Array| match axis {
            0 => Ok(x.clone()),
            _ => x.with_layout(x.layout().narrowed(0, start, step.min(steps - start))),
        };
        cross_of_some(ctx, &some(out)?, [&some(x1)?, &some(x2)?], axis)?;
    }
    Ok(())
}

fn cross_of_some(ctx: &Ctx<'_>, out: &Array, [x1, x2]: [&Array; 2], axis: usize) -> Result<()> {
    let kernel = |name| elementwise::binary(name).ok_or_else(|| run::misuse("cross: no kernel"));
    let (multiply, subtract): (BinaryKernel, BinaryKernel) = (kernel("multiply")?, kernel("subtract")?);
    let part = |x: &Array, i: usize| x.with_layout(x.layout().narrowed(axis, i, 1));
    let other = Array::uninit(part(out, 0)?.shape(), out.dtype(), Device::CPU)?;
    let product =
        |to: &Operand<'_>, a: Result<Array>, b: Result<Array>| multiply(ctx, to, &a?.operand(), &b?.operand());
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let target = part(out, i)?;
        product(&target.operand(), part(x1, j), part(x2, k))?;
        product(&other.operand(), part(x1, k), part(x2, j))?;
        subtract(ctx, &target.operand(), &target.operand(), &other.operand())?;
    }
    Ok(())
}
