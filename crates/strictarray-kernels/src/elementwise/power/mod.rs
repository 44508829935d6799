//! Powers.

mod real;
mod tables;

use std::mem::MaybeUninit;
use std::ops::{BitAnd, BitOr, Not};

use strictarray_core::iter::Order;
use strictarray_core::{DType, Element, ElementBytes, Error, Operand, Result};
use strictarray_standard::rule;

use super::loops::{self, QUICK_BLOCK};
use super::real::in_lanes;
use super::{Binary, PairsInLanes};
use crate::lanes::Lanes;
use crate::run::BinaryLoops;
use crate::simd::{Level, per_level};
use crate::{Ctx, run};

pub(crate) use real::{exp_pair, log};

/// The first raised to the power of the second.
pub(crate) struct Pow;

/// Whether all are the same one.
#[inline(always)]
pub(super) fn uniform<T: Copy + PartialEq>(b: &[T]) -> bool {
    let mut same = true;
    // Without an early exit, so that it vectorises.
    for x in b {
        same &= *x == b[0];
    }
    same
}

#[inline(always)]
fn fill<T: Copy>(out: &mut [MaybeUninit<T>], a: &[T], value: impl Fn(T) -> T) {
    for (out, a) in out.iter_mut().zip(a) {
        out.write(value(*a));
    }
}

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
            const BLOCKS: bool = true;
            /// One exponent for all: the same products side by side.
            #[inline(always)]
            fn block(out: &mut [MaybeUninit<$ty>], a: &[$ty], b: &[$ty]) -> bool {
                if !uniform(b) {
                    return false;
                }
                match b[0] {
                    0 => fill(out, a, |_| 1),
                    1 => fill(out, a, |a| a),
                    2 => fill(out, a, |a| a.wrapping_mul(a)),
                    3 => fill(out, a, |a| a.wrapping_mul(a).wrapping_mul(a)),
                    exponent => {
                        let (mut bases, mut results) = ([0; QUICK_BLOCK], [1; QUICK_BLOCK]);
                        let (bases, results) = (&mut bases[..a.len()], &mut results[..a.len()]);
                        bases.copy_from_slice(a);
                        let mut exponent = exponent;
                        while exponent > 0 {
                            if exponent & 1 == 1 {
                                for (result, base) in results.iter_mut().zip(&*bases) {
                                    *result = <$ty>::wrapping_mul(*result, *base);
                                }
                            }
                            exponent >>= 1;
                            if exponent > 0 {
                                for base in &mut *bases {
                                    *base = base.wrapping_mul(*base);
                                }
                            }
                        }
                        fill(out, results, |x| x);
                    }
                }
                true
            }
        }
    )* };
}

pow!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! float_pow {
    ($ty:ident, $elsewhere:path) => {
        impl Binary<$ty> for Pow {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                let (value, holds) = in_lanes::pow(a, b);
                if holds { value } else { <Pow as PairsInLanes<$ty>>::elsewhere(a, b) }
            }
            const BLOCKS: bool = true;
            /// One exponent for all that takes one operation.
            #[inline(always)]
            fn block(out: &mut [MaybeUninit<$ty>], a: &[$ty], b: &[$ty]) -> bool {
                use real::$ty::{inverse, is_short, root, square};
                if !(is_short(b[0]) | (b[0] == 0.0)) || !uniform(b) {
                    return false;
                }
                match b[0] {
                    0.0 => fill(out, a, |_| 1.0),
                    1.0 => fill(out, a, |a| a),
                    2.0 => fill(out, a, square),
                    0.5 => fill(out, a, root),
                    _ => fill(out, a, inverse),
                }
                true
            }
            #[inline]
            fn inner(level: Level) -> BinaryLoops {
                BinaryLoops { apart: loops::binary_lanes::<$ty, Pow>(level), onto: None, repeated: None }
            }
        }

        impl PairsInLanes<$ty> for Pow {
            #[inline(always)]
            fn lanes<V: Lanes<Item = $ty>>(a: V, b: V) -> (V, V::Mask) {
                in_lanes::pow(a, b)
            }
            #[inline(always)]
            fn elsewhere(a: $ty, b: $ty) -> $ty {
                $elsewhere(a, b)
            }
        }
    };
}

float_pow!(f32, real::power_single);
float_pow!(f64, real::power);

/// Refuses negative exponents of integers, whose powers are no integers. Where all are the same one, gives it: they need not be
/// read again.
pub(crate) fn check_exponents(ctx: &Ctx<'_>, exponents: &Operand<'_>) -> Result<Option<ElementBytes>> {
    match exponents.dtype() {
        DType::Int8 => check::<i8>(ctx, exponents),
        DType::Int16 => check::<i16>(ctx, exponents),
        DType::Int32 => check::<i32>(ctx, exponents),
        DType::Int64 => check::<i64>(ctx, exponents),
        _ => Ok(None),
    }
}

/// An integer that may be negative.
pub(crate) trait Exponent:
    Element + Default + PartialOrd + Not<Output = Self> + BitOr<Output = Self> + BitAnd<Output = Self>
{
}

impl<T> Exponent for T where T: Element + Default + PartialOrd + Not<Output = T> + BitOr<Output = T> + BitAnd<Output = T>
{}

per_level! {
    /// The bits that any of the elements has, and those that all have; of those before, too.
    fn bits<T: Exponent>(x: *const T, n: usize, before: (T, T)) -> (T, T) = bits_loop;
}

/// # Safety
///
/// `n` aligned elements of `T`.
#[inline(always)]
unsafe fn bits_loop<T: Exponent>(x: *const T, n: usize, before: (T, T)) -> (T, T) {
    // SAFETY: as the caller promises.
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    x.iter().fold(before, |(any, all), x| (any | *x, all & *x))
}

fn check<T: Exponent>(ctx: &Ctx<'_>, exponents: &Operand<'_>) -> Result<Option<ElementBytes>> {
    let (mut any, mut all) = (T::default(), !T::default());
    let bits = bits::<T>(ctx.simd());
    run::for_each_tick(ctx, [exponents], Order::Any, |[ptr], [stride], n| {
        if stride == size_of::<T>() as isize {
            // SAFETY: the walk gives n elements of T here, aligned as all are; the machine has the level.
            (any, all) = unsafe { bits(ptr.cast_const().cast(), n, (any, all)) };
            return Ok(());
        }
        // Of a repeated element one will do.
        let n = if stride == 0 { n.min(1) } else { n };
        for i in 0..n as isize {
            // SAFETY: the walk stays on the operand's elements, which are of T.
            let value = unsafe { ptr.offset(i * stride).cast::<T>().read() };
            (any, all) = (any | value, all & value);
        }
        Ok(())
    })?;
    if any < T::default() {
        return Err(Error::new(&rule::INTEGER_POWER, "got a negative exponent").argument("x2"));
    }
    Ok(if any == all { any.to_scalar().to_element(T::DTYPE) } else { None })
}
