//! Quotients and remainders.

use strictarray_core::Complex;

use super::Binary;
use crate::float::Float;

/// The quotient of floating-point numbers.
pub(crate) struct Divide;
/// The quotient rounded towards minus infinity.
pub(crate) struct FloorDivide;
/// What remains of the floor division; it has the divisor's sign.
pub(crate) struct Remainder;

macro_rules! divide {
    ($($ty:ty)*) => { $(
        impl Binary<$ty> for Divide {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                a / b
            }
        }
        impl Binary<$ty> for FloorDivide {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                floor_divide(a, b)
            }
        }
        impl Binary<$ty> for Remainder {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                remainder(a, b)
            }
        }
    )* };
}

divide!(f32 f64);

impl<F: Float> Binary<Complex<F>> for Divide
where
    Complex<F>: strictarray_core::Element,
{
    type Out = Complex<F>;
    #[inline(always)]
    fn call(a: Complex<F>, b: Complex<F>) -> Complex<F> {
        F::complex_divide(a, b)
    }
}

/// The standard's special cases: with a zero or an infinity on either side it is the quotient, and infinity over a finite
/// number is infinite (NumPy gives NaN), -1 over infinity is -0 (NumPy gives -1).
#[inline(always)]
fn floor_divide<F: Float>(a: F, b: F) -> F {
    let quotient = a / b;
    if a == F::ZERO || b == F::ZERO || a.is_infinite() || b.is_infinite() || a != a || b != b {
        return quotient;
    }
    let rest = a % b;
    let mut exact = (a - rest) / b;
    if rest != F::ZERO && (rest < F::ZERO) != (b < F::ZERO) {
        exact = exact - F::ONE;
    }
    if exact == F::ZERO {
        return F::ZERO.copysign(quotient);
    }
    let floor = exact.floor();
    if exact - floor > F::HALF { floor + F::ONE } else { floor }
}

#[inline(always)]
fn remainder<F: Float>(a: F, b: F) -> F {
    let rest = a % b;
    if rest == F::ZERO {
        F::ZERO.copysign(b)
    } else if (rest < F::ZERO) != (b < F::ZERO) {
        rest + b
    } else {
        rest
    }
}

/// Division by zero gives NumPy's value, 0; the smallest number over -1 wraps.
macro_rules! integers {
    (signed $($ty:ty)*) => { $(
        impl Binary<$ty> for FloorDivide {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                if b == 0 {
                    return 0;
                }
                let quotient = a.wrapping_div(b);
                let rest = a.wrapping_rem(b);
                if rest != 0 && (rest ^ b) < 0 { quotient - 1 } else { quotient }
            }
        }
        impl Binary<$ty> for Remainder {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                if b == 0 {
                    return 0;
                }
                let rest = a.wrapping_rem(b);
                if rest != 0 && (rest ^ b) < 0 { rest + b } else { rest }
            }
        }
    )* };
    (unsigned $($ty:ty)*) => { $(
        impl Binary<$ty> for FloorDivide {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                a.checked_div(b).unwrap_or(0)
            }
        }
        impl Binary<$ty> for Remainder {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                a.checked_rem(b).unwrap_or(0)
            }
        }
    )* };
}

integers!(signed i8 i16 i32 i64);
integers!(unsigned u8 u16 u32 u64);
