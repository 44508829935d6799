//! How kernels walk over operands: checks once per call, runs cut so that a call can be cancelled, and every operand brought
//! to the contiguous elements that inner loops take.

use std::mem::MaybeUninit;

use strictarray_core::iter::{Order, for_each_run};
use strictarray_core::stream::{Stream, WORTH};
use strictarray_core::{DType, Error, Operand, Result};
use strictarray_standard::rule;

use crate::ctx::TICK;
#[cfg(target_arch = "x86_64")]
use crate::simd::Level;
use crate::simd::{self, AHEAD, Ask};
use crate::{Ctx, cast};

/// An inner loop over `n` contiguous elements of one operand and the output, which lies apart from it.
pub(crate) type UnaryLoop = unsafe fn(out: *mut u8, x: *const u8, n: usize);
/// An inner loop over `n` contiguous elements of two operands and the output, which lies apart from them.
pub(crate) type BinaryLoop = unsafe fn(out: *mut u8, a: *const u8, b: *const u8, n: usize);
/// The same with one element at one of the operands, for all of the other one.
pub(crate) type RepeatedLoop = BinaryLoop;
/// An inner loop over `n` contiguous elements of two operands, of which the first gives its place to the result.
pub(crate) type OntoLoop = unsafe fn(a: *mut u8, b: *const u8, n: usize);
/// The inner loops of a function of two operands.
#[derive(Clone, Copy)]
pub(crate) struct BinaryLoops {
    /// The output lies apart from the operands.
    pub(crate) apart: BinaryLoop,
    /// It is the first operand: where there is no such loop, elements are copied first.
    pub(crate) onto: Option<OntoLoop>,
    /// One element is the first of all pairs, or the second: where there are no such loops, it is copied many times.
    pub(crate) repeated: Option<[RepeatedLoop; 2]>,
}
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
        let n = n as isize;
        let item = size_of::<T>() as isize;
        // SAFETY: as the caller promises.
        let read = |i: isize| unsafe { from.offset(i * strides[1]).cast::<T>().read_unaligned() };
        let mut i = 0;
        // Four at a time: the addresses cost more than the elements.
        if strides[0] == item {
            // Of every second one vectors are made of vectors. The last four are left out: what follows them may not be there.
            if strides[1] == 2 * item && size_of::<T>() <= 8 {
                #[cfg(target_arch = "x86_64")]
                if Level::detected() >= Level::Avx2 {
                    // SAFETY: as the caller promises; the machine has AVX2.
                    i = unsafe { x86::every_second::<T>(to, from, n as usize) } as isize;
                }
                while i + 5 <= n {
                    // SAFETY: as the caller promises: a fifth element lies behind these eight.
                    unsafe {
                        let eight = from.offset(i * strides[1]).cast::<[T; 8]>().read_unaligned();
                        let four = [eight[0], eight[2], eight[4], eight[6]];
                        to.offset(i * item).cast::<[T; 4]>().write_unaligned(four);
                    }
                    i += 4;
                }
            }
            while i + 4 <= n {
                let four = [read(i), read(i + 1), read(i + 2), read(i + 3)];
                // SAFETY: as the caller promises.
                unsafe { to.offset(i * item).cast::<[T; 4]>().write_unaligned(four) };
                i += 4;
            }
        } else if strides[1] == item {
            while i + 4 <= n {
                // SAFETY: as the caller promises.
                unsafe {
                    let four = from.offset(i * item).cast::<[T; 4]>().read_unaligned();
                    for (k, value) in (i..).zip(four) {
                        to.offset(k * strides[0]).cast::<T>().write_unaligned(value);
                    }
                }
                i += 4;
            }
        }
        while i < n {
            // SAFETY: as the caller promises.
            unsafe { to.offset(i * strides[0]).cast::<T>().write_unaligned(read(i)) };
            i += 1;
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

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    /// Brings every second element together, of 4 or 8 bytes, as many as vectors hold; says how many.
    ///
    /// # Safety
    ///
    /// `n` elements of `T`'s size lie at twice that size, and there is room for as many side by side, apart from them; the
    /// machine has AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn every_second<T>(to: *mut u8, from: *const u8, n: usize) -> usize {
        const VECTOR: usize = size_of::<__m256i>();
        let lanes = VECTOR / size_of::<T>();
        let mut done = 0;
        // The last one is left out: what follows it may not be there.
        while (size_of::<T>() == 4 || size_of::<T>() == 8) && done + 2 * lanes < n {
            // SAFETY: so many elements, and one more, are there, and so is the room.
            unsafe {
                let from = from.add(2 * done * size_of::<T>());
                let [a, b, c, d] = [0, 1, 2, 3].map(|k| _mm256_loadu_pd(from.add(k * VECTOR).cast()));
                let evens = |a: __m256d, b: __m256d| {
                    // Of each half of both, then those of one half side by side.
                    let mixed = if size_of::<T>() == 8 {
                        _mm256_unpacklo_pd(a, b)
                    } else {
                        let (a, b) = (_mm256_castpd_ps(a), _mm256_castpd_ps(b));
                        _mm256_castps_pd(_mm256_shuffle_ps::<0b10_00_10_00>(a, b))
                    };
                    _mm256_permute4x64_pd::<0b11_01_10_00>(mixed)
                };
                let to = to.add(done * size_of::<T>());
                _mm256_storeu_pd(to.cast(), evens(a, b));
                _mm256_storeu_pd(to.add(VECTOR).cast(), evens(c, d));
            }
            done += 2 * lanes;
        }
        done
    }
}

/// An operand that an inner loop reads: its elements as they lie, or a block of them brought together.
#[derive(Clone, Copy)]
struct Source {
    ptr: *const u8,
    stride: isize,
    item: usize,
    /// Whether they are read where they lie.
    direct: bool,
    /// Converts them to what the loop takes.
    cast: Option<UnaryLoop>,
}

impl Source {
    /// `out` is where the output begins: an input that begins there is the same memory.
    #[inline(always)]
    fn new(ptr: *const u8, stride: isize, item: usize, out: *mut u8) -> Source {
        Source { ptr, stride, item, direct: stride == item as isize && !std::ptr::eq(ptr, out), cast: None }
    }

    /// The same, of elements that are converted, if there is a conversion.
    #[inline(always)]
    fn converted(self, cast: Option<UnaryLoop>) -> Source {
        Source { cast, direct: self.direct & cast.is_none(), ..self }
    }

    /// The next elements side by side.
    ///
    /// # Safety
    ///
    /// The operand has so many more, and they fit the block. A repeated element is only brought there the `first` time,
    /// which must be the longest. A conversion is one of this operand's elements.
    #[inline(always)]
    unsafe fn next(&mut self, block: &mut Block, n: usize, first: bool) -> *const u8 {
        let from = self.ptr;
        self.ptr = self.ptr.wrapping_offset(self.stride * n as isize);
        if self.direct {
            return from;
        }
        if self.stride == 0 && !first {
            return block.ptr();
        }
        let contiguous = self.stride == self.item as isize;
        // SAFETY: as the caller promises.
        unsafe {
            match self.cast {
                Some(cast) if contiguous => cast(block.ptr(), from, n),
                Some(cast) => {
                    let mut apart = Block::new();
                    move_elements(apart.ptr(), from, [self.item as isize, self.stride], self.item, n);
                    cast(block.ptr(), apart.ptr(), n);
                }
                None if contiguous => std::ptr::copy_nonoverlapping(from, block.ptr(), n * self.item),
                None => move_elements(block.ptr(), from, [self.item as isize, self.stride], self.item, n),
            }
        }
        block.ptr()
    }
}

/// What takes the time of a loop over large arrays. Where it is memory, large outputs go past the caches; where it is
/// arithmetic, that would only come on top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Memory,
    Arithmetic,
}

impl Bound {
    /// The stream to write to, if any.
    #[inline(always)]
    fn stream(self, out: &Operand<'_>, operands: &[&Operand<'_>]) -> Option<Stream> {
        if self == Bound::Memory { Stream::open(out, operands) } else { None }
    }
}

/// Where a kernel writes.
#[derive(Clone, Copy)]
struct Target<'a> {
    ptr: *mut u8,
    stride: isize,
    item: usize,
    /// Past the caches, if there is one: then elements are side by side.
    stream: Option<&'a Stream>,
}

impl Target<'_> {
    /// Of a run of `n` elements.
    #[inline(always)]
    fn new(ptr: *mut u8, stride: isize, item: usize, stream: Option<&Stream>, n: usize) -> Target<'_> {
        let stream = stream.filter(|_| stride == item as isize && n * item >= WORTH);
        Target { ptr, stride, item, stream }
    }

    #[inline(always)]
    fn is_side_by_side(&self) -> bool {
        self.stride == self.item as isize
    }

    /// Whether a loop can write to it.
    #[inline(always)]
    fn is_direct(&self) -> bool {
        self.is_side_by_side() && self.stream.is_none()
    }
}

/// Runs `inner` on blocks: a place to write and the sources' elements side by side.
///
/// # Safety
///
/// `n` elements at these strides, those of `out` apart from the operands', or each at the place of an operand's that is read
/// with it; `inner` reads elements of up to `largest` bytes, and writes as many as it is told.
#[inline(always)]
unsafe fn by_blocks<const N: usize>(
    out: Target<'_>,
    mut sources: [Source; N],
    largest: usize,
    n: usize,
    inner: impl Fn(*mut u8, [*const u8; N], usize),
) {
    let out_direct = out.is_direct();
    let Target { ptr: mut out, stride: out_stride, item: out_item, stream } = out;
    let largest = sources.iter().map(|s| s.item).fold(out_item.max(largest), usize::max);
    // Where elements lie apart, memory should hear of the next operand before this one's page is through; while a block goes past
    // the caches, the processor should read on.
    let apart = sources.iter().any(|s| !s.direct && s.stride != 0 && s.stride != s.item as isize);
    let parts = if stream.is_some() {
        4
    } else if apart {
        2
    } else {
        1
    };
    let length = (Block::BYTES / parts / largest).min(n);
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
            // SAFETY: the block has the elements, the output so many more; a stream's are apart from the operands, and written
            // once.
            unsafe {
                if let Some(stream) = stream {
                    if N == 1 && sources[0].direct {
                        simd::ask_ahead(Ask::Read, from[0], AHEAD, now * sources[0].item);
                    }
                    stream.copy(out, out_block.ptr(), now * out_item);
                } else {
                    move_elements(out, out_block.ptr(), [out_stride, out_item as isize], out_item, now);
                }
            }
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
    bound: Bound,
) -> Result<()> {
    same_shape([out, x])?;
    if (out.dtype(), x.dtype()) != dtypes {
        return Err(misuse("data types that the kernel does not take"));
    }
    let (out_item, item) = (dtypes.0.size(), dtypes.1.size());
    let stream = bound.stream(out, &[x]);
    for_each_tick(ctx, [out, x], Order::Any, |[out, x], [out_stride, stride], n| {
        let source = Source::new(x, stride, item, out);
        let to = Target::new(out, out_stride, out_item, stream.as_ref(), n);
        // SAFETY: the types are the loop's, and the walk gives n elements inside each operand.
        unsafe {
            if source.direct && to.is_direct() {
                inner(out, x, n);
            } else {
                by_blocks(to, [source], item, n, |out, [x], n| inner(out, x, n));
            }
        }
        Ok(())
    })
}

/// The data type that a kernel of two operands computes in.
#[inline]
pub(crate) fn common(x1: &Operand<'_>, x2: &Operand<'_>) -> Result<DType> {
    if x1.dtype() == x2.dtype() {
        return Ok(x1.dtype());
    }
    strictarray_standard::promote(x1.dtype(), x2.dtype()).ok_or_else(|| misuse("data types that do not promote"))
}

/// What converts the operand's elements, if they are not of this data type.
fn conversion(ctx: &Ctx<'_>, x: &Operand<'_>, dtype: DType) -> Result<Option<UnaryLoop>> {
    if x.dtype() == dtype {
        return Ok(None);
    }
    cast::conversion(ctx, x.dtype(), dtype).map(Some).ok_or_else(|| misuse("data types without a conversion"))
}

/// Runs inner loops that read two operands of `dtypes.1` and write one of `dtypes.0`. Operands of other data types are
/// converted on the way.
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
    inner: BinaryLoops,
    bound: Bound,
) -> Result<()> {
    same_shape([out, x1, x2])?;
    if out.dtype() != dtypes.0 {
        return Err(misuse("data types that the kernel does not take"));
    }
    let (out_item, item) = (dtypes.0.size(), dtypes.1.size());
    let casts = if x1.dtype() == dtypes.1 && x2.dtype() == dtypes.1 {
        [None; 2]
    } else {
        [conversion(ctx, x1, dtypes.1)?, conversion(ctx, x2, dtypes.1)?]
    };
    let items = [x1.dtype().size(), x2.dtype().size()];
    let stream = bound.stream(out, &[x1, x2]);
    for_each_tick(ctx, [out, x1, x2], Order::Any, |[out, a, b], [out_stride, strides @ ..], n| {
        let to = Target::new(out, out_stride, out_item, stream.as_ref(), n);
        let sources = [
            Source::new(a, strides[0], items[0], out).converted(casts[0]),
            Source::new(b, strides[1], items[1], out).converted(casts[1]),
        ];
        // SAFETY: the types are the loop's, and the walk gives n elements inside each operand.
        unsafe {
            if sources[0].direct && sources[1].direct && to.is_direct() {
                (inner.apart)(out, a, b, n);
            } else if let Some(repeated) = inner.repeated
                && to.is_side_by_side()
                && casts.iter().all(Option::is_none)
                && let Some(which) =
                    (0..2).find(|&k| strides[k] == 0 && !std::ptr::eq([a, b][k], out) && sources[1 - k].direct)
            {
                // Neither begins where the output does: so both lie apart from it.
                let run = repeated[which];
                match which {
                    _ if to.is_direct() => run(out, a, b, n),
                    0 => by_blocks(to, [sources[1]], item, n, |out, [b], n| run(out, a, b, n)),
                    _ => by_blocks(to, [sources[0]], item, n, |out, [a], n| run(out, a, b, n)),
                }
            } else if let Some(onto) = inner.onto
                && std::ptr::eq(out, a)
                && casts[0].is_none()
                && out_stride == item as isize
                && strides[0] == out_stride
            {
                if sources[1].direct {
                    onto(out, b, n);
                } else {
                    by_blocks(to, [sources[1]], item, n, |out, [b], n| onto(out, b, n));
                }
            } else {
                by_blocks(to, sources, item, n, |out, [a, b], n| (inner.apart)(out, a, b, n));
            }
        }
        Ok(())
    })
}

/// Runs an inner loop that reads three operands of `dtypes.1` and writes one of `dtypes.0`. It writes through the caches:
/// measured (`where`, `clip`), going past them gains nothing.
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
        let to = Target::new(out, out_stride, out_item, None, n);
        let sources = std::array::from_fn::<_, 3, _>(|k| Source::new(ptrs[k], strides[k], items[k], out));
        // SAFETY: the types are the loop's, and the walk gives n elements inside each operand.
        unsafe {
            if sources.iter().all(|s| s.direct) && to.is_direct() {
                inner(out, ptrs[0], ptrs[1], ptrs[2], n);
            } else {
                let largest = items.into_iter().fold(out_item, usize::max);
                by_blocks(to, sources, largest, n, |out, [a, b, c], n| inner(out, a, b, c, n));
            }
        }
        Ok(())
    })
}
