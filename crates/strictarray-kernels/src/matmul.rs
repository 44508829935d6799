//! Products of matrices.

use strictarray_core::{Element, Operand, Result, dispatch};

use crate::elementwise::{Binary, arithmetic};
use crate::{Ctx, run};

/// Multiplies matrices: shapes `(…, M, N)`, `(…, M, K)` and `(…, K, N)` with the same leading axes, one numeric data type.
///
/// Integers wrap. Where K is 0 the product is zero. The output overlaps no input.
pub fn matmul(ctx: &Ctx<'_>, out: &Operand<'_>, x1: &Operand<'_>, x2: &Operand<'_>) -> Result<()> {
    let dtype = out.dtype();
    if x1.dtype() != dtype || x2.dtype() != dtype {
        return Err(run::misuse("matmul: data types differ"));
    }
    let (Some((batch, [m, n])), Some((batch1, [m1, k])), Some((batch2, [k2, n2]))) =
        (out.shape().split_last_chunk(), x1.shape().split_last_chunk(), x2.shape().split_last_chunk())
    else {
        return Err(run::misuse("matmul: no matrices"));
    };
    if batch1 != batch || batch2 != batch || (m1, n2, k2) != (m, n, k) {
        return Err(run::misuse("matmul: shapes"));
    }
    batches(ctx, [out.clone(), x1.clone(), x2.clone()], batch.len(), &mut |[out, x1, x2]| {
        dispatch!(NUMERIC, dtype, T => naive::<T>(ctx, out, x1, x2))
            .unwrap_or_else(|| Err(run::misuse("matmul: data type")))
    })
}

fn batches(
    ctx: &Ctx<'_>,
    operands: [Operand<'_>; 3],
    axes: usize,
    each: &mut dyn FnMut([&Operand<'_>; 3]) -> Result<()>,
) -> Result<()> {
    if axes == 0 {
        return each(operands.each_ref());
    }
    for i in 0..operands[0].shape()[0] {
        batches(ctx, operands.each_ref().map(|o| o.at(i)), axes - 1, each)?;
    }
    Ok(())
}

fn naive<T: Element + Zero>(ctx: &Ctx<'_>, out: &Operand<'_>, x1: &Operand<'_>, x2: &Operand<'_>) -> Result<()>
where
    arithmetic::Add: Binary<T, Out = T>,
    arithmetic::Multiply: Binary<T, Out = T>,
{
    let (m, n, k) = (out.shape()[0], out.shape()[1], x1.shape()[1]);
    let at = |o: &Operand<'_>, i: usize, j: usize| {
        o.ptr().wrapping_offset(o.strides()[0] * i as isize + o.strides()[1] * j as isize).cast::<T>()
    };
    for i in 0..m {
        ctx.check_cancelled()?;
        for j in 0..n {
            let mut sum = T::ZERO;
            for l in 0..k {
                // SAFETY: the indices are inside the shapes, and the operands have elements of T.
                let product = unsafe { arithmetic::Multiply::call(at(x1, i, l).read(), at(x2, l, j).read()) };
                sum = arithmetic::Add::call(sum, product);
            }
            // SAFETY: as above.
            unsafe { at(out, i, j).write(sum) };
        }
    }
    Ok(())
}

trait Zero {
    const ZERO: Self;
}
macro_rules! zero { ($($ty:ty => $zero:expr;)*) => { $(impl Zero for $ty { const ZERO: Self = $zero; })* }; }
zero! { i8 => 0; i16 => 0; i32 => 0; i64 => 0; u8 => 0; u16 => 0; u32 => 0; u64 => 0; f32 => 0.0; f64 => 0.0;
strictarray_core::Complex<f32> => strictarray_core::Complex::new(0.0, 0.0); strictarray_core::Complex<f64> => strictarray_core::Complex::new(0.0, 0.0); }
