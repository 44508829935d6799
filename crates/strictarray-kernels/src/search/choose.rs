//! Elements of one array or another.

use std::mem::MaybeUninit;
use std::slice;

use strictarray_core::{Bool, DType, Operand, Result};

use crate::simd::per_level;
use crate::{Ctx, run};

/// Writes the elements of `x1` where the condition is true, else those of `x2`. All operands have one shape, all but the
/// condition one data type; the condition is boolean.
pub fn choose(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    condition: &Operand<'_>,
    x1: &Operand<'_>,
    x2: &Operand<'_>,
) -> Result<()> {
    let level = ctx.simd();
    // Elements are moved as words of their size; a complex128 as two, and a complex64 too, since its alignment is that of
    // its parts.
    let inner = match (out.dtype().size(), out.dtype().align()) {
        (1, _) => choose_loops::<u8>(level),
        (2, _) => choose_loops::<u16>(level),
        (4, _) => choose_loops::<u32>(level),
        (8, 8) => choose_loops::<u64>(level),
        (8, _) => choose_loops::<[u32; 2]>(level),
        _ => choose_loops::<[u64; 2]>(level),
    };
    // SAFETY: a loop for elements of this size and alignment, compiled for what the machine has.
    unsafe {
        run::ternary(ctx, out, [condition, x1, x2], (out.dtype(), [DType::Bool, out.dtype(), out.dtype()]), inner)
    }
}

/// Words of which every bit pattern is valid.
pub(crate) trait Word: Copy {
    /// The one or the other. No branch: conditions that alternate by chance would be guessed wrong every second time.
    fn choose(condition: bool, a: Self, b: Self) -> Self;
}

macro_rules! words {
    ($($ty:ty)*) => { $(
        impl Word for $ty {
            #[inline(always)]
            fn choose(condition: bool, a: $ty, b: $ty) -> $ty {
                let all = <$ty>::from(condition).wrapping_neg();
                (a & all) | (b & !all)
            }
        }
    )* };
}
words!(u8 u16 u32 u64);

impl<T: Word> Word for [T; 2] {
    #[inline(always)]
    fn choose(condition: bool, a: [T; 2], b: [T; 2]) -> [T; 2] {
        [T::choose(condition, a[0], b[0]), T::choose(condition, a[1], b[1])]
    }
}

per_level! {
    fn choose_loops<T: Word>(out: *mut u8, condition: *const u8, a: *const u8, b: *const u8, n: usize) = choose_loop;
}

/// # Safety
///
/// `n` conditions and aligned elements of `T` in each; the output is apart from the inputs.
#[inline(always)]
unsafe fn choose_loop<T: Word>(out: *mut u8, condition: *const u8, a: *const u8, b: *const u8, n: usize) {
    // SAFETY: as the caller promises.
    let (out, condition, a, b) = unsafe {
        (
            slice::from_raw_parts_mut(out.cast::<MaybeUninit<T>>(), n),
            slice::from_raw_parts(condition.cast::<Bool>(), n),
            slice::from_raw_parts(a.cast::<T>(), n),
            slice::from_raw_parts(b.cast::<T>(), n),
        )
    };
    for i in 0..n {
        out[i].write(T::choose(condition[i].get(), a[i], b[i]));
    }
}
