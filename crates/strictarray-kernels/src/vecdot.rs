//! Dot products of vectors.
//!
//! The order of each sum depends on the size of the vectors alone: up to 16 products from the first to the last, more of them
//! in 16 partial sums, and those of more than 4096 in parts of so many whose sums are added up. So results depend neither
//! on layouts nor on instruction sets.

#![allow(clippy::needless_range_loop, reason = "iterators over arrays in registers are not always inlined")]

use strictarray_core::iter::{Order, for_each_run};
use strictarray_core::{Complex, Operand, Result, dispatch};

use crate::ctx::TICK;
use crate::matmul::Number;
use crate::simd::{keep_turn, per_level};
use crate::{Ctx, run};

/// Partial sums.
const SUMS: usize = 16;
/// Products that are summed before their sum is added to that of the earlier ones.
const PART: usize = 4096;

const _: () = assert!(TICK.is_multiple_of(PART));

/// A number whose products are summed, the first factors conjugated.
pub(crate) trait Factor: Number {
    fn conjugate(self) -> Self;
    /// Any NaN as the one: which sign and payload a fused product keeps depends on the registers that the compiler chose.
    fn settled(self) -> Self;
    /// The sum of more than [`SUMS`] products.
    ///
    /// # Safety
    ///
    /// As many elements of the type at these steps.
    unsafe fn sum(a: *const u8, b: *const u8, steps: [isize; 2], k: usize) -> Self;
}

/// An element of an operand.
///
/// # Safety
///
/// There is one of type `T`.
#[inline(always)]
unsafe fn at<T: Copy>(from: *const u8, step: isize, i: usize) -> T {
    // SAFETY: as the caller promises.
    unsafe { from.offset(i as isize * step).cast::<T>().read() }
}

/// The sum of partial sums: halves added until one is left.
#[inline(always)]
fn total<T: Number>(mut sums: [T; SUMS]) -> T {
    let mut half = SUMS / 2;
    while half > 0 {
        for j in 0..half {
            sums[j] = sums[j].plus(sums[j + half]);
        }
        half /= 2;
    }
    sums[0]
}

macro_rules! real {
    ($($ty:ty: $settled:expr;)*) => { $(impl Factor for $ty {
        #[inline(always)]
        fn conjugate(self) -> $ty {
            self
        }
        #[inline(always)]
        fn settled(self) -> $ty {
            $settled(self)
        }
        #[inline(always)]
        unsafe fn sum(a: *const u8, b: *const u8, steps: [isize; 2], k: usize) -> $ty {
            let mut sums = [<$ty as Number>::ZERO; SUMS];
            let mut i = 0;
            // Products from i on to partial sums from j on, as many as are said.
            macro_rules! block {
                ($n:literal to $j:literal) => {{
                    for l in 0..$n {
                        // SAFETY: as the caller promises: i + n is at most k.
                        let (a, b): ($ty, $ty) = unsafe { (at(a, steps[0], i + l), at(b, steps[1], i + l)) };
                        sums[$j + l] = Number::mul_add(a, b, sums[$j + l]);
                    }
                    i += $n;
                }};
            }
            while i + 16 <= k {
                keep_turn();
                block!(16 to 0);
            }
            let rest = k - i;
            if rest & 8 != 0 {
                block!(8 to 0);
            }
            if rest & 4 != 0 {
                block!(4 to 8);
            }
            if rest & 2 != 0 {
                block!(2 to 12);
            }
            if rest & 1 != 0 {
                block!(1 to 14);
            }
            debug_assert_eq!(i, k);
            total(sums)
        }
    })* };
}

/// What is no NaN by its type.
#[inline(always)]
fn itself<T>(x: T) -> T {
    x
}

macro_rules! one_nan {
    ($ty:ty) => {
        |x: $ty| if x.is_nan() { <$ty>::NAN } else { x }
    };
}

real! {
    i8: itself; i16: itself; i32: itself; i64: itself; u8: itself; u16: itself; u32: itself; u64: itself;
    f32: one_nan!(f32); f64: one_nan!(f64);
}

macro_rules! complex {
    ($($ty:ty)*) => { $(impl Factor for Complex<$ty> {
        #[inline(always)]
        fn conjugate(self) -> Self {
            Complex::new(self.re, -self.im)
        }
        #[inline(always)]
        fn settled(self) -> Self {
            Complex::new(self.re.settled(), self.im.settled())
        }
        #[inline(always)]
        unsafe fn sum(a: *const u8, b: *const u8, steps: [isize; 2], k: usize) -> Self {
            // Parts times parts as they lie, and times the other parts: (re·re, im·im) and (re·im, im·re).
            let (mut same, mut other) = ([0 as $ty; SUMS], [0 as $ty; SUMS]);
            let mut i = 0;
            macro_rules! block {
                ($n:literal to $j:literal) => {{
                    for l in 0..$n {
                        // SAFETY: as the caller promises: i + n is at most k.
                        let (a, b): (Self, Self) = unsafe { (at(a, steps[0], i + l), at(b, steps[1], i + l)) };
                        let j = $j + 2 * l;
                        same[j] = a.re.mul_add(b.re, same[j]);
                        same[j + 1] = a.im.mul_add(b.im, same[j + 1]);
                        other[j] = a.re.mul_add(b.im, other[j]);
                        other[j + 1] = a.im.mul_add(b.re, other[j + 1]);
                    }
                    i += $n;
                }};
            }
            while i + 8 <= k {
                keep_turn();
                block!(8 to 0);
            }
            let rest = k - i;
            if rest & 4 != 0 {
                block!(4 to 0);
            }
            if rest & 2 != 0 {
                block!(2 to 8);
            }
            if rest & 1 != 0 {
                block!(1 to 12);
            }
            debug_assert_eq!(i, k);
            for j in (1..SUMS).step_by(2) {
                other[j] = -other[j];
            }
            Complex::new(total(same), total(other))
        }
    })* };
}
complex!(f32 f64);

per_level! {
    /// Sums for some rows.
    fn rows<T: Factor>(
        ptrs: [*mut u8; 3],
        strides: [isize; 3],
        steps: [isize; 2],
        sizes: [usize; 2],
        first: bool,
    ) = sum_rows;
}

/// The sums of products along the last axis of `x1`, conjugated, and `x2`, for each position of the other axes, which are
/// those of `out`. One numeric data type; integers wrap.
pub fn vecdot(ctx: &Ctx<'_>, out: &Operand<'_>, x1: &Operand<'_>, x2: &Operand<'_>) -> Result<()> {
    run::same_shape([x1, x2])?;
    let Some((&k, lead)) = x1.shape().split_last() else { return Err(run::misuse("vecdot: no vectors")) };
    if lead != out.shape() || x1.dtype() != out.dtype() || x2.dtype() != out.dtype() {
        return Err(run::misuse("vecdot: operands that do not fit"));
    }
    if out.size() == 0 {
        return Ok(());
    }
    let steps = [x1, x2].map(|x| x.strides()[lead.len()]);
    let [a, b] = [x1, x2].map(|x| x.along(0..lead.len()));
    let known = dispatch!(NUMERIC, out.dtype(), T => {
        let rows = rows::<T>(ctx.simd());
        let at_once = (TICK / k.max(1)).max(1);
        let mut since = 0;
        for_each_run([out, &a, &b], Order::Any, |mut ptrs, strides, mut n| {
            while n > 0 {
                let now = at_once.min(n);
                // A long vector is cut too: the sum of each part is added to what is there.
                let mut done = 0;
                loop {
                    let part = TICK.min(k - done);
                    let [out, a, b] = ptrs;
                    let shifted = |ptr: *mut u8, step: isize| ptr.wrapping_offset(step * done as isize);
                    let from = [out, shifted(a, steps[0]), shifted(b, steps[1])];
                    // SAFETY: the walk gives n rows in each operand, of k elements of T in the last two; the level is
                    // the machine's.
                    unsafe { rows(from, strides, steps, [now, part], done == 0) };
                    done += part;
                    since += now * part.max(1);
                    if since >= TICK {
                        ctx.check_cancelled()?;
                        since = 0;
                    }
                    if done == k {
                        break;
                    }
                }
                ptrs = std::array::from_fn(|i| ptrs[i].wrapping_offset(strides[i] * now as isize));
                n -= now;
            }
            Ok(())
        })
    });
    known.unwrap_or_else(|| Err(run::misuse("vecdot: data type")))
}

/// Sums of `k` products for each of `n` rows; added to what is there unless they are the `first` ones.
///
/// # Safety
///
/// Three operands of `n` rows at these strides, the last two of `k` elements of `T` at these steps. The first overlaps no
/// other.
#[inline(always)]
unsafe fn sum_rows<T: Factor>(
    [out, a, b]: [*mut u8; 3],
    strides: [isize; 3],
    steps: [isize; 2],
    [n, k]: [usize; 2],
    first: bool,
) {
    let item = size_of::<T>() as isize;
    let side_by_side = steps == [item, item];
    for i in 0..n as isize {
        // SAFETY: as the caller promises.
        unsafe {
            let (a, b) = (a.offset(i * strides[1]), b.offset(i * strides[2]));
            let out = out.offset(i * strides[0]).cast::<T>();
            let mut total = if first { T::ZERO } else { out.read() };
            let mut start = 0;
            while start < k {
                let count = PART.min(k - start);
                let (a, b) = (a.offset(start as isize * steps[0]), b.offset(start as isize * steps[1]));
                let sum = if side_by_side {
                    sum_part::<T>(a, b, [item; 2], count)
                } else {
                    sum_part::<T>(a, b, steps, count)
                };
                total = if first && start == 0 { sum } else { total.plus(sum) };
                start += count;
            }
            out.write(total.settled());
        }
    }
}

/// The sum of `k` products.
///
/// # Safety
///
/// As many elements of `T` at these steps.
#[inline(always)]
unsafe fn sum_part<T: Factor>(a: *const u8, b: *const u8, steps: [isize; 2], k: usize) -> T {
    // SAFETY: as the caller promises.
    unsafe {
        if k > SUMS {
            return T::sum(a, b, steps, k);
        }
        let mut sum = T::ZERO;
        for i in 0..k {
            sum = at::<T>(a, steps[0], i).conjugate().mul_add(at(b, steps[1], i), sum);
        }
        sum
    }
}
