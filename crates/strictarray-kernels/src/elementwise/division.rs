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
            const QUICK: bool = true;
            #[inline(always)]
            fn quick(a: $ty, b: $ty) -> $ty {
                quick_remainder(a, b)
            }
            #[inline(always)]
            fn holds(a: $ty, b: $ty) -> bool {
                quick_remainder_holds(a, b)
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
    const QUICK: bool = true;
    #[inline(always)]
    fn quick(a: Complex<F>, b: Complex<F>) -> Complex<F> {
        F::complex_quick_divide(a, b)
    }
    #[inline(always)]
    fn holds(a: Complex<F>, b: Complex<F>) -> bool {
        F::complex_divide_holds(a, b)
    }
}

/// With a zero, an infinity or NaN on either side it is the quotient, as the standard's special cases say: infinity over a
/// finite number is infinite (NumPy gives NaN), -1 over infinity is -0 (NumPy gives -1).
#[inline(always)]
fn floor_divide<F: Float>(a: F, b: F) -> F {
    let quotient = a / b;
    let floor = quotient.floor();
    // A quotient just below an integer may have been rounded up to it: what remains then has the wrong sign. The remainder
    // is rounded once, which keeps its sign.
    let rest = (-floor).mul_add(b, a);
    let over = (rest < F::ZERO) & (b > F::ZERO) | (rest > F::ZERO) & (b < F::ZERO);
    let floor = if over { floor - F::ONE } else { floor };
    // Large quotients are integers, infinities or NaN.
    let ordinary = (a != F::ZERO) & (quotient.abs() < F::INTEGERS) & (b.abs() < F::INFINITY);
    if ordinary { floor } else { quotient }
}

/// Whether the quotient is small enough for the remainder to be one fused operation.
#[inline(always)]
fn quick_remainder_holds<F: Float>(a: F, b: F) -> bool {
    ((a / b).abs() < F::INTEGERS) & (b.abs() < F::INFINITY)
}

#[inline(always)]
fn quick_remainder<F: Float>(a: F, b: F) -> F {
    let quotient = a / b;
    let floor = quotient.floor();
    let rest = (-floor).mul_add(b, a);
    let over = (rest < F::ZERO) & (b > F::ZERO) | (rest > F::ZERO) & (b < F::ZERO);
    // Again from a, so that it is rounded once.
    let rest = if over { (F::ONE - floor).mul_add(b, a) } else { rest };
    if rest == F::ZERO { F::ZERO.copysign(b) } else { rest }
}

#[inline(always)]
fn remainder<F: Float>(a: F, b: F) -> F {
    if quick_remainder_holds(a, b) { quick_remainder(a, b) } else { slow_remainder(a, b) }
}

#[cold]
#[inline(never)]
fn slow_remainder<F: Float>(a: F, b: F) -> F {
    let rest = a % b;
    if rest == F::ZERO {
        F::ZERO.copysign(b)
    } else if (rest < F::ZERO) != (b < F::ZERO) {
        rest + b
    } else {
        rest
    }
}

/// Defines both divisions of integers through a quotient of floats that hold them, which is exact: the error of a quotient
/// q = a / b is at most |q|·2^-p, less than the distance 1/|b| of q to the next integer as long as |a| < 2^p.
///
/// By zero they give NumPy's value, 0; the smallest number over -1 wraps.
macro_rules! through_float {
    ($float:ty, $to_integer:expr => $($ty:ty)*) => { $(
        impl Binary<$ty> for FloorDivide {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                let floor = (a as $float / b as $float).floor();
                let floor = if b == 0 { 0.0 } else { floor };
                $to_integer(floor) as $ty
            }
        }
        impl Binary<$ty> for Remainder {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                let quotient = <FloorDivide as Binary<$ty>>::call(a, b);
                let rest = a.wrapping_sub(quotient.wrapping_mul(b));
                if b == 0 { 0 } else { rest }
            }
        }
    )* };
}

/// Of a quotient of 16-bit numbers.
#[inline(always)]
fn to_short(quotient: f32) -> i32 {
    // SAFETY: such quotients fit 32 bits, and one by zero has been replaced.
    unsafe { quotient.to_int_unchecked() }
}

through_float!(f32, to_short => i8 u8 i16 u16);
through_float!(f64, to_integer => i32 u32);

/// Adding it to an integer below 2^51 as bits, or to such a float as a float, converts one into the other: 1.5·2^52, whose
/// last bit counts ones. Faster than the conversions that processors before AVX-512 have for 64 bits.
const SHIFTER: f64 = 6_755_399_441_055_744.0;
const SHIFTER_BITS: i64 = SHIFTER.to_bits() as i64;

#[inline(always)]
fn to_float(small: i64) -> f64 {
    f64::from_bits(small.wrapping_add(SHIFTER_BITS) as u64) - SHIFTER
}

#[inline(always)]
fn to_integer(small: f64) -> i64 {
    ((small + SHIFTER).to_bits() as i64).wrapping_sub(SHIFTER_BITS)
}

#[inline(always)]
fn is_small(x: i64) -> bool {
    // -2^50 <= x < 2^50.
    (x.wrapping_add(1 << 50) as u64) < 1 << 51
}

/// The quotient rounded down, and what remains, of small numbers.
#[inline(always)]
fn quick_division(a: i64, b: i64) -> (f64, f64) {
    let (x, y) = (to_float(a), to_float(b));
    let floor = (x / y).floor();
    let floor = if b == 0 { 0.0 } else { floor };
    let rest = if b == 0 { 0.0 } else { x - floor * y };
    (floor, rest)
}

macro_rules! sixty_four {
    ($ty:ty, $is_small:expr, |$a:ident, $b:ident| $quotient:expr, $rest:expr) => {
        impl Binary<$ty> for FloorDivide {
            type Out = $ty;
            #[inline(always)]
            fn call($a: $ty, $b: $ty) -> $ty {
                if $b == 0 { 0 } else { $quotient }
            }
            const QUICK: bool = true;
            #[inline(always)]
            fn quick(a: $ty, b: $ty) -> $ty {
                to_integer(quick_division(a as i64, b as i64).0) as $ty
            }
            #[inline(always)]
            fn holds(a: $ty, b: $ty) -> bool {
                $is_small(a) & $is_small(b)
            }
        }
        impl Binary<$ty> for Remainder {
            type Out = $ty;
            #[inline(always)]
            fn call($a: $ty, $b: $ty) -> $ty {
                if $b == 0 { 0 } else { $rest }
            }
            const QUICK: bool = true;
            #[inline(always)]
            fn quick(a: $ty, b: $ty) -> $ty {
                to_integer(quick_division(a as i64, b as i64).1) as $ty
            }
            #[inline(always)]
            fn holds(a: $ty, b: $ty) -> bool {
                $is_small(a) & $is_small(b)
            }
        }
    };
}

sixty_four!(i64, is_small, |a, b| signed_division(a, b).0, signed_division(a, b).1);
sixty_four!(u64, (|x: u64| x < 1 << 50), |a, b| a / b, a % b);

/// The divisor is not 0.
#[inline(always)]
fn signed_division(a: i64, b: i64) -> (i64, i64) {
    let (quotient, rest) = (a.wrapping_div(b), a.wrapping_rem(b));
    if rest != 0 && (rest ^ b) < 0 { (quotient - 1, rest + b) } else { (quotient, rest) }
}
