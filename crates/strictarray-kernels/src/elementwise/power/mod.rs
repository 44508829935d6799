//! Powers.

mod real;
mod tables;

use strictarray_core::iter::Order;
use strictarray_core::{DType, Element, Error, Operand, Result};
use strictarray_standard::rule;

use super::Binary;
use crate::{Ctx, run};

pub(crate) use real::{exp_pair, log};

/// The first raised to the power of the second.
pub(crate) struct Pow;

macro_rules! pow {
    ($($ty:ty)*) => { $(
        impl Binary<$ty> for Pow {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                let (mut base, mut exponent) = (a, b);
                let mut result: $ty = 1;
                while exponent > 0 {
                    if exponent & 1 == 1 {
                        result = result.wrapping_mul(base);
                    }
                    base = base.wrapping_mul(base);
                    exponent >>= 1;
                }
                result
            }
        }
    )* };
}

pow!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! float_pow {
    ($ty:ty, $power:path, $quick:path, $holds:path) => {
        impl Binary<$ty> for Pow {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                $power(a, b)
            }
            const QUICK: bool = true;
            #[inline(always)]
            fn quick(a: $ty, b: $ty) -> $ty {
                $quick(a, b)
            }
            #[inline(always)]
            fn holds(a: $ty, b: $ty) -> bool {
                $holds(a, b)
            }
        }
    };
}

float_pow!(f32, real::power_single, real::quick_single, real::holds_single);
float_pow!(f64, real::power, real::quick, real::holds);

/// Refuses negative exponents of integers, whose powers are no integers.
pub(crate) fn check_exponents(ctx: &Ctx<'_>, exponents: &Operand<'_>) -> Result<()> {
    match exponents.dtype() {
        DType::Int8 => check::<i8>(ctx, exponents),
        DType::Int16 => check::<i16>(ctx, exponents),
        DType::Int32 => check::<i32>(ctx, exponents),
        DType::Int64 => check::<i64>(ctx, exponents),
        _ => Ok(()),
    }
}

fn check<T: Element + Default + PartialOrd>(ctx: &Ctx<'_>, exponents: &Operand<'_>) -> Result<()> {
    let mut negative = false;
    run::for_each_tick(ctx, [exponents], Order::Any, |[ptr], [stride], n| {
        for i in 0..n as isize {
            // SAFETY: the walk stays on the operand's elements, which are of T.
            let value = unsafe { ptr.offset(i * stride).cast::<T>().read() };
            negative |= value < T::default();
        }
        Ok(())
    })?;
    if negative {
        return Err(Error::new(&rule::INTEGER_POWER, "got a negative exponent").argument("x2"));
    }
    Ok(())
}
