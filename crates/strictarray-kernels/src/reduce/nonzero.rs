//! What is not zero: whether any or all elements are, and how many.

use std::mem::MaybeUninit;
use std::ops::{BitAnd, BitOr};

use strictarray_core::{Bool, Complex, DType, Element, Operand, Result};

use super::folds::{self, Question};
use super::plan::{Plan, Ticker, fold};
use crate::cast::CastTo;
use crate::ctx::TICK;
use crate::simd::{Level, per_level};
use crate::{Ctx, run};

/// Whether any element along the reduced axes is not zero (NaN is not). Of no elements none is.
pub fn any(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    if out.dtype() != DType::Bool {
        return Err(run::misuse("any: data type"));
    }
    ask(ctx, out, x, Question::Any)
}

/// Whether no element along the reduced axes is zero (NaN is not). Of no elements none is.
pub fn all(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    if out.dtype() != DType::Bool {
        return Err(run::misuse("all: data type"));
    }
    ask(ctx, out, x, Question::All)
}

/// The number of elements along the reduced axes that are not zero, as `int32` or `int64`.
pub fn count_nonzero(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    if !matches!(out.dtype(), DType::Int32 | DType::Int64) {
        return Err(run::misuse("count_nonzero: data type"));
    }
    ask(ctx, out, x, Question::Count(out.dtype()))
}

fn ask(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, question: Question) -> Result<()> {
    // Integers of one size are zero alike, and so are bools, whose true may be any byte but 0.
    let dtype = match (x.dtype().is_floating(), x.dtype().size()) {
        (true, _) => x.dtype(),
        (false, 1) => DType::UInt8,
        (false, 2) => DType::UInt16,
        (false, 4) => DType::UInt32,
        (false, _) => DType::UInt64,
    };
    let mut plan = Plan::new(out, x)?;
    plan.in_any_order();
    let folding = folds::nonzero(ctx.simd(), dtype, question);
    let (Some(folding), Some(Tallies { tally, marks })) = (folding, tallies_of(ctx.simd(), dtype)) else {
        return Err(run::misuse("nonzero: data type"));
    };
    if plan.count > 0 && plan.side_by_side() {
        let all = question == Question::All;
        if (all || question == Question::Any) && plan.together(x.dtype().size()) {
            // SAFETY: the marks are of elements of this type and for this level.
            return unsafe { mark_side_by_side(ctx, out, x, &plan, marks, all) };
        }
        // SAFETY: the fold is for elements of this type and for this level.
        return unsafe { fold(ctx, out, x, &plan, folding) };
    }
    let mut ticker = Ticker::new(ctx);
    plan.for_each_group(out.ptr(), x.ptr(), 1, |to, from, _| {
        let mut found = 0;
        // The answer stands once an element says so: the rest is not looked at.
        let mut settled = false;
        if plan.count > 0 {
            plan.for_each_run(from, |mut ptr, stride, mut left| {
                let mut now = match question {
                    Question::Count(_) => TICK,
                    // Short at first: the answer is often near.
                    _ => 256,
                };
                while left > 0 && !settled {
                    let n = now.min(left);
                    // SAFETY: the plan stays on the operand's elements.
                    let here = unsafe { tally(ptr, stride, n) };
                    found += here;
                    settled = match question {
                        Question::Any => here > 0,
                        Question::All => here < n,
                        Question::Count(_) => false,
                    };
                    ptr = ptr.wrapping_offset(stride * n as isize);
                    left -= n;
                    now = (now * 2).min(8192).max(if matches!(question, Question::Count(_)) { TICK } else { 0 });
                    ticker.tick(n)?;
                }
                Ok(())
            })?;
        }
        // SAFETY: the result's place, of the data type that was checked above.
        unsafe {
            match question {
                Question::Any => to.write(u8::from(settled)),
                Question::All => to.write(u8::from(!settled)),
                Question::Count(DType::Int32) => to.cast::<i32>().write(found as i32),
                Question::Count(_) => to.cast::<i64>().write(found as i64),
            }
        }
        Ok(())
    })
}

/// The answers of columns side by side, with rows of elements of which each asks one.
///
/// # Safety
///
/// The marks are of the elements of `x`, which lie side by side along the last kept axis; the machine has their
/// instruction set.
unsafe fn mark_side_by_side(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    plan: &Plan,
    marks: MarkFn,
    all: bool,
) -> Result<()> {
    let mut room = MaybeUninit::<[u64; COLUMNS]>::uninit();
    let out_stride = plan.kept.last().map_or(0, |axis| axis.out_stride);
    let mut ticker = Ticker::new(ctx);
    plan.for_each_group(out.ptr(), x.ptr(), COLUMNS, |to, from, width| {
        let rows_at_once = (TICK / width).max(1);
        let mut seen = 0;
        plan.for_each_run(from, |mut ptr, stride, mut left| {
            while left > 0 {
                let now = left.min(rows_at_once);
                seen += now;
                let rows = Rows { x: ptr, stride, sizes: [now, width], first: seen == now, last: seen == plan.count };
                // SAFETY: the plan stays on the operand's elements, and there is room for the marks of a group.
                unsafe { marks(room.as_mut_ptr().cast(), rows, all, to, out_stride) };
                ticker.tick(now * width)?;
                left -= now;
                ptr = ptr.wrapping_offset(stride * now as isize);
            }
            Ok(())
        })
    })
}

/// Columns whose marks are held at once.
const COLUMNS: usize = 1024;

/// Rows of elements, of the columns' first or last ones or of others.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    x: *const u8,
    stride: isize,
    /// Of rows and columns.
    sizes: [usize; 2],
    first: bool,
    last: bool,
}

/// Marks columns by rows, and writes the answers after the last ones.
type MarkFn = unsafe fn(marks: *mut u8, rows: Rows, all: bool, to: *mut u8, to_stride: isize);

/// The loops over elements of a type.
struct Tallies {
    tally: TallyFn,
    marks: MarkFn,
}

/// Counts what is not zero.
type TallyFn = unsafe fn(x: *const u8, stride: isize, n: usize) -> usize;

/// Elements that are counted before the count is carried over.
const CHUNK: usize = 128;

/// A type that counts up to [`CHUNK`] in the width of an element, so that as many are counted at once as are compared.
pub(crate) trait Tallied: Element + CastTo<Bool> {
    type Tally: Copy + Default + Into<u64> + From<bool> + BitAnd<Output = Self::Tally> + BitOr<Output = Self::Tally>;
    fn counted(tally: Self::Tally, x: Self) -> Self::Tally;
}

macro_rules! tallied {
    ($($ty:ty: $tally:ty;)*) => {
        $(
            impl Tallied for $ty {
                type Tally = $tally;
                #[inline(always)]
                fn counted(tally: $tally, x: $ty) -> $tally {
                    tally + <$tally>::from(CastTo::<Bool>::cast(x).get())
                }
            }
        )*
        fn tallies_of(level: Level, dtype: DType) -> Option<Tallies> {
            $(
                if dtype == <$ty>::DTYPE {
                    return Some(Tallies { tally: tally::<$ty>(level), marks: marks::<$ty>(level) });
                }
            )*
            None
        }
    };
}

tallied! {
    u8: u8; u16: u16; u32: u32; u64: u64; f32: u32; f64: u64; Complex<f32>: u64; Complex<f64>: u64;
}

per_level! {
    fn tally<T: Tallied>(x: *const u8, stride: isize, n: usize) -> usize = count;
    fn marks<T: Tallied>(marks: *mut u8, rows: Rows, all: bool, to: *mut u8, to_stride: isize) = mark;
}

/// # Safety
///
/// The rows are elements of `T`, side by side in a row; there is room for as many marks and answers as there are columns.
#[inline(always)]
unsafe fn mark<T: Tallied>(marks: *mut u8, rows: Rows, all: bool, to: *mut u8, to_stride: isize) {
    let marks = marks.cast::<T::Tally>();
    let [_, columns] = rows.sizes;
    // SAFETY: as the caller promises.
    unsafe {
        if rows.first {
            for i in 0..columns {
                marks.add(i).write(all.into());
            }
        }
        if all {
            mark_rows::<T>(marks, rows, |a, b| a & b);
        } else {
            mark_rows::<T>(marks, rows, |a, b| a | b);
        }
        if rows.last {
            for i in 0..columns {
                to.wrapping_offset(i as isize * to_stride).write(u8::from(marks.add(i).read().into() != 0));
            }
        }
    }
}

/// # Safety
///
/// As [`mark`].
#[inline(always)]
unsafe fn mark_rows<T: Tallied>(marks: *mut T::Tally, rows: Rows, join: impl Fn(T::Tally, T::Tally) -> T::Tally) {
    let Rows { x, stride, sizes: [rows, columns], .. } = rows;
    let row = |r: usize| x.wrapping_offset(r as isize * stride).cast::<T>();
    let mut done = 0;
    while done < rows {
        let now = (rows - done).min(4);
        // Beyond the last row the last one again, which makes no difference.
        let [a, b, c, d] = [0, 1, 2, 3].map(|r: usize| row(done + r.min(now - 1)));
        for i in 0..columns {
            // SAFETY: as the caller promises; rows and marks lie apart.
            unsafe {
                let [a, b, c, d] = [a, b, c, d].map(|row| T::counted(T::Tally::default(), row.add(i).read()));
                marks.add(i).write(join(marks.add(i).read(), join(join(a, b), join(c, d))));
            }
        }
        done += now;
    }
}

/// # Safety
///
/// `n` elements of `T` at this stride.
#[inline(always)]
unsafe fn count<T: Tallied>(x: *const u8, stride: isize, n: usize) -> usize {
    let mut total = 0;
    // SAFETY: as the caller promises.
    unsafe {
        if stride == size_of::<T>() as isize {
            for chunk in std::slice::from_raw_parts(x.cast::<T>(), n).chunks(CHUNK) {
                let mut tally = T::Tally::default();
                for &x in chunk {
                    tally = T::counted(tally, x);
                }
                total += tally.into();
            }
        } else {
            for i in 0..n as isize {
                total += u64::from(CastTo::<Bool>::cast(x.offset(i * stride).cast::<T>().read()).get());
            }
        }
    }
    total as usize
}
