//! How kernels walk over operands: checks once per call, runs cut so that a call can be cancelled, and every operand brought
//! to the contiguous elements that inner loops take.

use std::mem::MaybeUninit;

use strictarray_core::iter::{Order, for_each_run};
use strictarray_core::{DType, Error, Operand, Result};
use strictarray_standard::rule;

use crate::Ctx;
use crate::ctx::TICK;

/// An inner loop over `n` contiguous elements of one operand and the output, which lies apart from it.
pub(crate) type UnaryLoop = unsafe fn(out: *mut u8, x: *const u8, n: usize);
/// An inner loop over `n` contiguous elements of two operands and the output, which lies apart from them.
pub(crate) type BinaryLoop = unsafe fn(out: *mut u8, a: *const u8, b: *const u8, n: usize);
/// An inner loop over `n` contiguous elements of three operands and the output, which lies apart from them.
pub(crate) type TernaryLoop = unsafe fn(out: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize);

/// What the caller should have prevented.
#[cold]
pub(crate) fn misuse(what: &'static str) -> Error {
    Error::new(&rule::INTERNAL, what)
}

/// Refuses operands of different shapes: the walk reads them all by the first one's.
#[inline]
pub(crate) fn same_shape<const N: usize>(operands: [&Operand<'_>; N]) -> Result<()> {
    let shape = operands[0].shape();
    if operands[1..].iter().all(|o| o.shape() == shape) { Ok(()) } else { Err(misuse("operands of different shapes")) }
}

/// Calls `run` for each run of the operands, none longer than [`TICK`] elements, and asks between whether to stop.
#[inline]
pub(crate) fn for_each_tick<const N: usize>(
    ctx: &Ctx<'_>,
    operands: [&Operand<'_>; N],
    order: Order,
    mut run: impl FnMut([*mut u8; N], [isize; N], usize) -> Result<()>,
) -> Result<()> {
    let mut since = 0;
    for_each_run(operands, order, |mut ptrs, strides, mut n| {
        while n > 0 {
            let now = n.min(TICK);
            run(ptrs, strides, now)?;
            since += now;
            if since >= TICK {
                ctx.check_cancelled()?;
                since = 0;
            }
            n -= now;
            if n > 0 {
                ptrs = std::array::from_fn(|k| ptrs[k].wrapping_offset(strides[k] * now as isize));
            }
        }
        Ok(())
    })
}

/// Room for some elements of any type, where an operand's are brought together.
#[repr(align(64))]
struct Block(MaybeUninit<[u8; Block::BYTES]>);

impl Block {
    const BYTES: usize = 2048;

    #[inline(always)]
    fn new() -> Block {
        Block(MaybeUninit::uninit())
    }

    #[inline(always)]
    fn ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// Copies `n` elements of `item` bytes between strides.
///
/// # Safety
///
/// The elements lie at these strides in both, apart from one another.
#[inline]
unsafe fn move_elements(to: *mut u8, from: *const u8, strides: [isize; 2], item: usize, n: usize) {
    /// # Safety
    ///
    /// As above, for elements of `T`'s size; they need not be aligned.
    #[inline(always)]
    unsafe fn each<T: Copy>(to: *mut u8, from: *const u8, strides: [isize; 2], n: usize) {
        for i in 0..n as isize {
            // SAFETY: as the caller promises.
            unsafe {
                let value = from.offset(i * strides[1]).cast::<T>().read_unaligned();
                to.offset(i * strides[0]).cast::<T>().write_unaligned(value);
            }
        }
    }
    // SAFETY: as the caller promises.
    unsafe {
        match item {
            1 => each::<u8>(to, from, strides, n),
            2 => each::<u16>(to, from, strides, n),
            4 => each::<u32>(to, from, strides, n),
            8 => each::<u64>(to, from, strides, n),
            _ => each::<[u64; 2]>(to, from, strides, n),
        }
    }
}

/// An operand that an inner loop reads: its elements as they lie, or a block of them brought together.
struct Source {
    ptr: *const u8,
    stride: isize,
    item: usize,
    /// Whether they are read where they lie.
    direct: bool,
}

impl Source {
    /// `out` is where the output begins: an input that begins there is the same memory.
    #[inline(always)]
    fn new(ptr: *const u8, stride: isize, item: usize, out: *mut u8) -> Source {
        Source { ptr, stride, item, direct: stride == item as isize && !std::ptr::eq(ptr, out) }
    }

    /// The next elements side by side.
    ///
    /// # Safety
    ///
    /// The operand has so many more, and they fit the block. A repeated element is only brought there the `first` time,
    /// which must be the longest.
    #[inline(always)]
    unsafe fn next(&mut self, block: &mut Block, n: usize, first: bool) -> *const u8 {
        let from = self.ptr;
        self.ptr = self.ptr.wrapping_offset(self.stride * n as isize);
        if self.direct {
            return from;
        }
        if self.stride == self.item as isize {
            // SAFETY: as the caller promises.
            unsafe { std::ptr::copy_nonoverlapping(from, block.ptr(), n * self.item) };
        } else if self.stride != 0 || first {
            // SAFETY: as the caller promises.
            unsafe { move_elements(block.ptr(), from, [self.item as isize, self.stride], self.item, n) };
        }
        block.ptr()
    }
}

/// Runs `inner` on blocks: a place to write and the sources' elements side by side.
///
/// # Safety
///
/// `n` elements at these strides; `inner` writes as many as it is told.
#[inline(always)]
unsafe fn by_blocks<const N: usize>(
    out: (*mut u8, isize, usize),
    mut sources: [Source; N],
    n: usize,
    inner: impl Fn(*mut u8, [*const u8; N], usize),
) {
    let (mut out, out_stride, out_item) = out;
    let out_direct = out_stride == out_item as isize;
    let largest = sources.iter().map(|s| s.item).fold(out_item, usize::max);
    let length = (Block::BYTES / largest).min(n);
    let (mut out_block, mut blocks) = (Block::new(), [const { Block(MaybeUninit::uninit()) }; N]);
    let mut done = 0;
    while done < n {
        let now = length.min(n - done);
        let from = std::array::from_fn(|k| {
            // SAFETY: so many are left, they fit, and the first time is the longest.
            unsafe { sources[k].next(&mut blocks[k], now, done == 0) }
        });
        if out_direct {
            inner(out, from, now);
        } else {
            inner(out_block.ptr(), from, now);
            // SAFETY: the block has the elements, the output so many more.
            unsafe { move_elements(out, out_block.ptr(), [out_stride, out_item as isize], out_item, now) };
        }
        out = out.wrapping_offset(out_stride * now as isize);
        done += now;
    }
}

/// Runs an inner loop that reads one operand of `dtypes.1` and writes one of `dtypes.0`.
///
/// # Safety
///
/// The loop must be sound for elements of these types.
#[inline]
pub(crate) unsafe fn unary(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    dtypes: (DType, DType),
    inner: UnaryLoop,
) -> Result<()> {
    same_shape([out, x])?;
    if (out.dtype(), x.dtype()) != dtypes {
        return Err(misuse("data types that the kernel does not take"));
    }
    let (out_item, item) = (dtypes.0.size(), dtypes.1.size());
    for_each_tick(ctx, [out, x], Order::Any, |[out, x], [out_stride, stride], n| {
        let source = Source::new(x, stride, item, out);
        // SAFETY: the types are the loop's, and the walk gives n elements inside each operand.
        unsafe {
            if source.direct && out_stride == out_item as isize {
                inner(out, x, n);
            } else {
                by_blocks((out, out_stride, out_item), [source], n, |out, [x], n| inner(out, x, n));
            }
        }
        Ok(())
    })
}

/// Runs an inner loop that reads two operands of `dtypes.1` and writes one of `dtypes.0`.
///
/// # Safety
///
/// As [`unary`].
#[inline]
pub(crate) unsafe fn binary(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x1: &Operand<'_>,
    x2: &Operand<'_>,
    dtypes: (DType, DType),
    inner: BinaryLoop,
) -> Result<()> {
    same_shape([out, x1, x2])?;
    if (out.dtype(), x1.dtype(), x2.dtype()) != (dtypes.0, dtypes.1, dtypes.1) {
        return Err(misuse("data types that the kernel does not take"));
    }
    let (out_item, item) = (dtypes.0.size(), dtypes.1.size());
    for_each_tick(ctx, [out, x1, x2], Order::Any, |[out, a, b], [out_stride, a_stride, b_stride], n| {
        let sources = [Source::new(a, a_stride, item, out), Source::new(b, b_stride, item, out)];
        // SAFETY: the types are the loop's, and the walk gives n elements inside each operand.
        unsafe {
            if sources[0].direct && sources[1].direct && out_stride == out_item as isize {
                inner(out, a, b, n);
            } else {
                by_blocks((out, out_stride, out_item), sources, n, |out, [a, b], n| inner(out, a, b, n));
            }
        }
        Ok(())
    })
}

/// Runs an inner loop that reads three operands of `dtypes.1` and writes one of `dtypes.0`.
///
/// # Safety
///
/// As [`unary`].
#[inline]
pub(crate) unsafe fn ternary(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    operands: [&Operand<'_>; 3],
    dtypes: (DType, [DType; 3]),
    inner: TernaryLoop,
) -> Result<()> {
    let [x1, x2, x3] = operands;
    same_shape([out, x1, x2, x3])?;
    if (out.dtype(), operands.map(Operand::dtype)) != dtypes {
        return Err(misuse("data types that the kernel does not take"));
    }
    let (out_item, items) = (dtypes.0.size(), dtypes.1.map(DType::size));
    for_each_tick(ctx, [out, x1, x2, x3], Order::Any, |[out, ptrs @ ..], [out_stride, strides @ ..], n| {
        let sources = std::array::from_fn::<_, 3, _>(|k| Source::new(ptrs[k], strides[k], items[k], out));
        // SAFETY: the types are the loop's, and the walk gives n elements inside each operand.
        unsafe {
            if sources.iter().all(|s| s.direct) && out_stride == out_item as isize {
                inner(out, ptrs[0], ptrs[1], ptrs[2], n);
            } else {
                by_blocks((out, out_stride, out_item), sources, n, |out, [a, b, c], n| inner(out, a, b, c, n));
            }
        }
        Ok(())
    })
}
