//! The larger and the smaller of two, and the bounds of `clip`.

use strictarray_core::iter::Order;
use strictarray_core::{Element, Operand, Result, dispatch};
use strictarray_standard::DTypeSet;

use super::{Binary, loops, vectors};
use crate::{Ctx, run};

/// The larger one; NaN where one is.
pub(crate) struct Maximum;
/// The smaller one; NaN where one is.
pub(crate) struct Minimum;

/// A type with an order and ends.
pub(crate) trait Ordered: Element + PartialOrd {
    const LOWEST: Self;
    const HIGHEST: Self;
}

macro_rules! extremes {
    (@integers $($ty:ty)*) => { $(
        impl Ordered for $ty {
            const LOWEST: $ty = <$ty>::MIN;
            const HIGHEST: $ty = <$ty>::MAX;
        }
        extremes!(@one $ty, a, b => if a > b { a } else { b }, if a < b { a } else { b });
    )* };
    (@floats $($ty:ty)*) => { $(
        impl Ordered for $ty {
            const LOWEST: $ty = <$ty>::NEG_INFINITY;
            const HIGHEST: $ty = <$ty>::INFINITY;
        }
        // Where b is NaN the comparison is false.
        extremes!(@one $ty, a, b =>
            if (a >= b) | a.is_nan() { a } else { b }, if (a <= b) | a.is_nan() { a } else { b });
    )* };
    (@one $ty:ty, $a:ident, $b:ident => $larger:expr, $smaller:expr) => {
        impl Binary<$ty> for Maximum {
            type Out = $ty;
            #[inline(always)]
            fn call($a: $ty, $b: $ty) -> $ty {
                $larger
            }
        }
        impl Binary<$ty> for Minimum {
            type Out = $ty;
            #[inline(always)]
            fn call($a: $ty, $b: $ty) -> $ty {
                $smaller
            }
        }
    };
}

extremes!(@integers i8 i16 i32 i64 u8 u16 u32 u64);
extremes!(@floats f32 f64);

/// A type whose elements can be held between bounds.
pub(crate) trait Clippable: Ordered {
    /// The value, or the bound that it is beyond; NaN where one of them is.
    fn clip(self, min: Self, max: Self) -> Self;
}

impl<T: Ordered> Clippable for T
where
    Maximum: Binary<T, Out = T>,
    Minimum: Binary<T, Out = T>,
{
    #[inline(always)]
    fn clip(self, min: T, max: T) -> T {
        Minimum::call(Maximum::call(self, min), max)
    }
}

/// The elements of `x` between bounds of its type; a bound that is `None` bounds nothing.
pub fn clip(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    min: Option<&Operand<'_>>,
    max: Option<&Operand<'_>>,
) -> Result<()> {
    let dtype = x.dtype();
    let Some((inner, [lowest, highest])) = dispatch!(REAL, dtype, T =>
        (loops::clip::<T>(vectors(ctx, dtype, Some(DTypeSet::ALL))), [T::LOWEST, T::HIGHEST].map(|end| end.to_scalar().to_element(dtype))))
    else {
        return Err(run::misuse("clip: data type"));
    };
    let (Some(lowest), Some(highest)) = (lowest, highest) else { return Err(run::misuse("clip: ends")) };
    let lowest = Operand::repeated(&lowest, dtype, x.shape());
    let highest = Operand::repeated(&highest, dtype, x.shape());
    // SAFETY: `loops` gives a loop for elements of this type, compiled for what the machine has.
    unsafe { run::ternary(ctx, out, [x, min.unwrap_or(&lowest), max.unwrap_or(&highest)], (dtype, [dtype; 3]), inner) }
}

/// Whether an element of the first is greater than that of the second.
pub fn any_greater(ctx: &Ctx<'_>, a: &Operand<'_>, b: &Operand<'_>) -> Result<bool> {
    run::same_shape([a, b])?;
    if a.dtype() != b.dtype() {
        return Err(run::misuse("operands of different data types"));
    }
    let found = dispatch!(REAL, a.dtype(), T => {
        let mut found = false;
        run::for_each_tick(ctx, [a, b], Order::Any, |[a, b], strides, n| {
            for i in 0..n as isize {
                // SAFETY: the walk stays on the operands' elements, which are of T.
                let (a, b) = unsafe {
                    (a.offset(i * strides[0]).cast::<T>().read(), b.offset(i * strides[1]).cast::<T>().read())
                };
                found |= a > b;
            }
            Ok(())
        })?;
        found
    });
    found.ok_or_else(|| run::misuse("data type without an order"))
}
