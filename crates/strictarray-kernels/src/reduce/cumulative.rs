//! Running sums and products.

use smallvec::SmallVec;
use strictarray_core::{Array, Complex, DType, Device, Element, Operand, Result};

use super::folds::{Number, Settled};
use crate::ctx::TICK;
use crate::simd::{Level, per_level};
use crate::{Ctx, cast, run};

/// The sums of the first elements along an axis, one element more each time, in the data type of `out`; elements of
/// another one are cast first.
pub fn cumulative_sum(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, axis: usize) -> Result<()> {
    accumulate::<Adding>(ctx, out, x, axis)
}

/// The products of the first elements along an axis, as [`cumulative_sum`].
pub fn cumulative_prod(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, axis: usize) -> Result<()> {
    accumulate::<Multiplying>(ctx, out, x, axis)
}

/// How a number joins those before it.
pub(crate) trait Step: 'static {
    fn step<T: Number>(so_far: T, x: T) -> T;
}

struct Adding;
struct Multiplying;

impl Step for Adding {
    #[inline(always)]
    fn step<T: Number>(so_far: T, x: T) -> T {
        so_far.plus(x)
    }
}

impl Step for Multiplying {
    #[inline(always)]
    fn step<T: Number>(so_far: T, x: T) -> T {
        so_far.times(x)
    }
}

/// A number whose NaN is the one that results have.
pub(crate) trait Running: Number + Settled {}
impl<T: Number + Settled> Running for T {}

/// Where a line along the axis, or what lies beside it, begins and how it goes on.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    out: *mut u8,
    x: *const u8,
    out_stride: isize,
    stride: isize,
    n: usize,
}

struct Fns {
    /// Along the axis; `from` is the result before the first, or null.
    line: unsafe fn(span: Span, from: *const u8),
    /// Across it, elements side by side; `from` are the results before, or null.
    row: unsafe fn(span: Span, from: *const u8),
}

fn fns<S: Step>(level: Level, dtype: DType) -> Option<Fns> {
    // Integers with a sign add up and multiply as those without.
    let dtype = match dtype {
        DType::Int8 => DType::UInt8,
        DType::Int16 => DType::UInt16,
        DType::Int32 => DType::UInt32,
        DType::Int64 => DType::UInt64,
        other => other,
    };
    macro_rules! pick {
        ($($ty:ty)*) => { $(
            if dtype == <$ty>::DTYPE {
                return Some(Fns { line: line::<$ty, S>(level), row: row::<$ty, S>(level) });
            }
        )* };
    }
    pick!(u8 u16 u32 u64 f32 f64 Complex<f32> Complex<f64>);
    None
}

fn accumulate<S: Step>(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, axis: usize) -> Result<()> {
    run::same_shape([out, x])?;
    if x.dtype() != out.dtype() {
        let same = Array::uninit(x.shape(), out.dtype(), Device::CPU)?;
        cast::cast(ctx, &same.operand(), x)?;
        return accumulate::<S>(ctx, out, &same.operand(), axis);
    }
    let Some(fns) = fns::<S>(ctx.simd(), out.dtype()) else {
        return Err(run::misuse("cumulative_sum: data type"));
    };
    let Some(&length) = x.shape().get(axis) else {
        return Err(run::misuse("cumulative_sum: axis"));
    };
    if x.shape().contains(&0) {
        return Ok(());
    }
    // The axes across, the one whose elements lie closest last.
    let mut others: SmallVec<[usize; 8]> = (0..x.shape().len()).filter(|&i| i != axis && x.shape()[i] > 1).collect();
    others.sort_by_key(|&i| std::cmp::Reverse(out.strides()[i].unsigned_abs()));
    let item = out.dtype().size() as isize;
    let along = (out.strides()[axis], x.strides()[axis]);
    let across = others.last().map(|&i| (x.shape()[i], out.strides()[i], x.strides()[i]));
    let rows = match across {
        Some((_, out_stride, stride)) => out_stride == item && stride == item && along.0 != item,
        None => false,
    };
    let inner = if rows { others.pop() } else { None };
    let width = inner.map_or(1, |i| x.shape()[i]);
    let mut at: SmallVec<[usize; 8]> = SmallVec::from_elem(0, others.len());
    let (mut to, mut from) = (out.ptr(), x.ptr().cast_const());
    let mut since = 0;
    let mut tick = |elements: usize| {
        since += elements;
        if since < TICK {
            return Ok(());
        }
        since = 0;
        ctx.check_cancelled()
    };
    loop {
        if rows {
            let mut before = std::ptr::null::<u8>();
            for i in 0..length as isize {
                let (out, x) = (to.wrapping_offset(i * along.0), from.wrapping_offset(i * along.1));
                let mut done = 0;
                while done < width {
                    let n = (width - done).min(TICK);
                    let skip = (done * item as usize) as isize;
                    let previous = if before.is_null() { before } else { before.wrapping_offset(skip) };
                    let (out, x) = (out.wrapping_offset(skip), x.wrapping_offset(skip));
                    // SAFETY: rows of both operands, whose elements stand side by side, of the type of the loops.
                    unsafe { (fns.row)(Span { out, x, out_stride: item, stride: item, n }, previous) };
                    tick(n)?;
                    done += n;
                }
                before = out;
            }
        } else {
            let (mut out, mut x, mut left) = (to, from, length);
            let mut before = std::ptr::null::<u8>();
            while left > 0 {
                let n = left.min(TICK);
                // SAFETY: a line of both operands, of the type of the loops.
                unsafe { (fns.line)(Span { out, x, out_stride: along.0, stride: along.1, n }, before) };
                tick(n)?;
                before = out.wrapping_offset(along.0 * (n as isize - 1));
                out = out.wrapping_offset(along.0 * n as isize);
                x = x.wrapping_offset(along.1 * n as isize);
                left -= n;
            }
        }
        let mut k = others.len();
        loop {
            if k == 0 {
                return Ok(());
            }
            k -= 1;
            let i = others[k];
            let (out_stride, stride) = (out.strides()[i], x.strides()[i]);
            at[k] += 1;
            if at[k] < x.shape()[i] {
                to = to.wrapping_offset(out_stride);
                from = from.wrapping_offset(stride);
                break;
            }
            at[k] = 0;
            let back = x.shape()[i] as isize - 1;
            to = to.wrapping_offset(-out_stride * back);
            from = from.wrapping_offset(-stride * back);
        }
    }
}

per_level! {
    fn line<T: Running, S: Step>(span: Span, from: *const u8) = line_loop;
    fn row<T: Running, S: Step>(span: Span, from: *const u8) = row_loop;
}

/// # Safety
///
/// `n` elements of `T` at these strides, one at least, and one at `from` unless that is null.
#[inline(always)]
unsafe fn line_loop<T: Running, S: Step>(span: Span, from: *const u8) {
    let Span { out, x, out_stride, stride, n } = span;
    // SAFETY: as the caller promises; the branches let the compiler see constant strides.
    unsafe {
        let first = x.cast::<T>().read();
        let mut so_far = if from.is_null() { first } else { S::step(from.cast::<T>().read(), first) };
        out.cast::<T>().write(so_far.settle());
        let item = size_of::<T>() as isize;
        if stride == item && out_stride == item {
            let (out, x) = (out.cast::<T>(), x.cast::<T>());
            for i in 1..n {
                so_far = S::step(so_far, x.add(i).read());
                out.add(i).write(so_far.settle());
            }
        } else {
            for i in 1..n as isize {
                so_far = S::step(so_far, x.offset(i * stride).cast::<T>().read());
                out.offset(i * out_stride).cast::<T>().write(so_far.settle());
            }
        }
    }
}

/// # Safety
///
/// `n` elements of `T` side by side, as many at `from` unless that is null.
#[inline(always)]
unsafe fn row_loop<T: Running, S: Step>(span: Span, from: *const u8) {
    let (out, x, n) = (span.out.cast::<T>(), span.x.cast::<T>(), span.n);
    // SAFETY: as the caller promises.
    unsafe {
        if from.is_null() {
            for i in 0..n {
                out.add(i).write(x.add(i).read().settle());
            }
        } else {
            let from = from.cast::<T>();
            for i in 0..n {
                out.add(i).write(S::step(from.add(i).read(), x.add(i).read()).settle());
            }
        }
    }
}
