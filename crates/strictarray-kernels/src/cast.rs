//! Conversions between data types.

use std::mem::MaybeUninit;
use std::slice;

use strictarray_core::{Bool, Complex, DType, Element, Operand, Result, copy, dispatch};

use crate::run::{Bound, UnaryLoop};
use crate::simd::per_level;
use crate::{Ctx, run};

/// Converts each element of `x` to the data type of `out`.
///
/// Integers wrap, a complex number becomes its real part, and everything but zero is true. A float outside the range of
/// an integer type, and NaN, becomes what NumPy gives on x86-64 (the standard leaves it open): the conversion of the
/// processor to 32 bits (64 for the 64-bit types and uint32), wrapped.
pub fn cast(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    if out.dtype() == x.dtype() && out.dtype() != DType::Bool {
        run::same_shape([out, x])?;
        return copy::copy_elements(out, x);
    }
    let Some(inner) = conversion(ctx, x.dtype(), out.dtype()) else {
        return Err(run::misuse("cast: data type"));
    };
    // SAFETY: it is the loop for elements of these types, compiled for what the machine has.
    unsafe { run::unary(ctx, out, x, (out.dtype(), x.dtype()), inner, Bound::Memory) }
}

/// The loop that converts elements of one data type to another.
pub(crate) fn conversion(ctx: &Ctx<'_>, from: DType, to: DType) -> Option<UnaryLoop> {
    dispatch!(ALL, from, T => dispatch!(ALL, to, U => cast_loops::<T, U>(ctx.simd()) as UnaryLoop)).flatten()
}

/// The conversion to `U`.
pub(crate) trait CastTo<U>: Element {
    fn cast(self) -> U;
}

per_level! {
    fn cast_loops<T: CastTo<U>, U: Element>(out: *mut u8, x: *const u8, n: usize) = cast_loop;
}

/// # Safety
///
/// `n` aligned elements of `T` and `U`; the output is apart from the input.
#[inline(always)]
unsafe fn cast_loop<T: CastTo<U>, U: Element>(out: *mut u8, x: *const u8, n: usize) {
    // SAFETY: as the caller promises.
    let (out, x) = unsafe {
        (slice::from_raw_parts_mut(out.cast::<MaybeUninit<U>>(), n), slice::from_raw_parts(x.cast::<T>(), n))
    };
    for i in 0..n {
        out[i].write(x[i].cast());
    }
}

/// The processor's conversion: what does not fit is the smallest number.
macro_rules! truncate {
    ($name:ident, $float:ty, $int:ty) => {
        #[inline(always)]
        fn $name(x: $float) -> $int {
            const LOW: $float = <$int>::MIN as $float;
            // -LOW is the first number too large. Below LOW, numbers within 1 of it are cut to it, which is also the
            // value of what does not fit.
            let fits = (LOW..-LOW).contains(&x);
            let x = if fits { x } else { LOW };
            // SAFETY: x is in the range of the integer type.
            unsafe { x.to_int_unchecked() }
        }
    };
}

truncate!(f32_to_i32, f32, i32);
truncate!(f32_to_i64, f32, i64);
truncate!(f64_to_i32, f64, i32);
truncate!(f64_to_i64, f64, i64);

macro_rules! to_u64 {
    ($name:ident, $signed:ident, $float:ty) => {
        #[inline(always)]
        fn $name(x: $float) -> u64 {
            const HALF: $float = (1u64 << 63) as $float;
            if x >= HALF { $signed(x - HALF) as u64 ^ (1 << 63) } else { $signed(x) as u64 }
        }
    };
}

to_u64!(f32_to_u64, f32_to_i64, f32);
to_u64!(f64_to_u64, f64_to_i64, f64);

macro_rules! casts {
    ($from:ty, $x:ident => $($to:ty: $expr:expr;)*) => { $(
        impl CastTo<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to {
                let $x = self;
                $expr
            }
        }
    )* };
}

macro_rules! from_integer {
    ($($from:ty)*) => { $(
        casts! { $from, x =>
            Bool: Bool::new(x != 0);
            i8: x as i8; i16: x as i16; i32: x as i32; i64: x as i64;
            u8: x as u8; u16: x as u16; u32: x as u32; u64: x as u64;
            f32: x as f32; f64: x as f64;
            Complex<f32>: Complex::new(x as f32, 0.0);
            Complex<f64>: Complex::new(x as f64, 0.0);
        }
    )* };
}

from_integer!(i8 i16 i32 i64 u8 u16 u32 u64);

casts! { Bool, x =>
    Bool: Bool::new(x.get());
    i8: x.get().into(); i16: x.get().into(); i32: x.get().into(); i64: x.get().into();
    u8: x.get().into(); u16: x.get().into(); u32: x.get().into(); u64: x.get().into();
    f32: x.get().into(); f64: x.get().into();
    Complex<f32>: Complex::new(x.get().into(), 0.0);
    Complex<f64>: Complex::new(x.get().into(), 0.0);
}

macro_rules! from_float {
    ($from:ty, $i32:ident, $i64:ident, $u64:ident) => {
        casts! { $from, x =>
            Bool: Bool::new(x != 0.0);
            i8: $i32(x) as i8; i16: $i32(x) as i16; i32: $i32(x); i64: $i64(x);
            u8: $i32(x) as u8; u16: $i32(x) as u16; u32: $i64(x) as u32; u64: $u64(x);
            f32: x as f32; f64: x as f64;
            Complex<f32>: Complex::new(x as f32, 0.0);
            Complex<f64>: Complex::new(x as f64, 0.0);
        }
        casts! { Complex<$from>, z =>
            Bool: Bool::new(z.re != 0.0 || z.im != 0.0);
            i8: z.re.cast(); i16: z.re.cast(); i32: z.re.cast(); i64: z.re.cast();
            u8: z.re.cast(); u16: z.re.cast(); u32: z.re.cast(); u64: z.re.cast();
            f32: z.re.cast(); f64: z.re.cast();
            Complex<f32>: Complex::new(z.re as f32, z.im as f32);
            Complex<f64>: Complex::new(z.re as f64, z.im as f64);
        }
    };
}

from_float!(f32, f32_to_i32, f32_to_i64, f32_to_u64);
from_float!(f64, f64_to_i32, f64_to_i64, f64_to_u64);
