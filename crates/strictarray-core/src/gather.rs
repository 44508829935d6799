//! Indexing with arrays: integer arrays and boolean masks. What comes out is a copy.

use std::borrow::Cow;

use smallvec::SmallVec;
use strictarray_standard::{DTypeSet, rule};

use crate::iter::{Order, for_each_run};
use crate::{
    Array, Bool, DType, Dims, Error, Layout, Operand, Result, Strides, broadcast_shapes, copy, dispatch, index,
    show_shape,
};

/// The elements at the positions that integer arrays give, one array for each axis; they broadcast.
///
/// Source: "Indexing: Integer Array Indexing".
pub fn take_points(x: &Array, indices: &[Array]) -> Result<Array> {
    index::check_count(x.shape(), indices.len(), 0)?;
    let shape = broadcast_shapes(indices.iter().map(Array::shape))?;
    let result = Array::uninit(&shape, x.dtype(), x.device())?.in_namespace(x.namespace());
    if shape.contains(&0) {
        // Nothing is taken, but an index out of bounds beside an empty one is still one.
        for (axis, indices) in indices.iter().enumerate() {
            check_positions(&indices.operand(), x.shape()[axis], axis)?;
        }
        return Ok(result);
    }
    let spread: SmallVec<[Cow<'_, Array>; 4]> =
        indices.iter().map(|indices| spread(indices, &shape)).collect::<Result<_>>()?;
    let operands: Points<'_> = spread.iter().map(|indices| indices.operand_over(&shape)).collect::<Result<_>>()?;
    let item = x.dtype().size();
    let mut to = result.ptr();
    let inside = for_each_line(&operands, &mut |lines, n| {
        for start in (0..n).step_by(BLOCK) {
            let mut offsets = [0; BLOCK];
            let offsets = &mut offsets[..BLOCK.min(n - start)];
            for (axis, line) in lines.iter().enumerate() {
                if !line.add_offsets(start, x.shape()[axis], x.layout().strides()[axis], offsets)? {
                    return Ok(false);
                }
            }
            // SAFETY: every offset was checked to be that of an element of x; the result has as many elements, ours alone.
            unsafe { gather(to, x.ptr(), offsets, item) };
            to = to.wrapping_add(offsets.len() * item);
        }
        Ok(true)
    })?;
    if !inside {
        // The first index out of bounds of the first axis that has one.
        for (axis, indices) in operands.iter().enumerate() {
            check_positions(indices, x.shape()[axis], axis)?;
        }
        return Err(Error::new(&rule::INDEX_BOUNDS, "an index that another thread changed meanwhile"));
    }
    Ok(result)
}

/// An index array whose elements, repeated over a shape, lie evenly or in long lines that do: this one or a copy.
fn spread<'a>(indices: &'a Array, shape: &[usize]) -> Result<Cow<'a, Array>> {
    /// Indices in a line that are worth a call.
    const LONG: usize = 32;
    let operand = indices.operand_over(shape)?;
    let even = chunk_of(shape, operand.strides(), indices.dtype().size()).is_some();
    if even || shape.len() < 2 || shape.last().is_some_and(|n| *n >= LONG) {
        return Ok(Cow::Borrowed(indices));
    }
    indices.with_layout(indices.layout().broadcast_to(shape)?)?.to_owned_copy().map(Cow::Owned)
}

/// Points that are looked up at once.
const BLOCK: usize = 128;

/// Index arrays, all of one shape.
type Points<'a> = SmallVec<[Operand<'a>; 4]>;

/// Indices that lie evenly.
struct Line {
    ptr: *mut u8,
    stride: isize,
    dtype: DType,
}

/// Calls `each` for the points in C order, as many at a time as lie evenly in each of the index arrays, until it says no; gives
/// what it said.
fn for_each_line(points: &Points<'_>, each: &mut impl FnMut(&[Line], usize) -> Result<bool>) -> Result<bool> {
    let shape = points.first().map_or(&[][..], Operand::shape);
    let even = points.iter().all(|p| chunk_of(shape, p.strides(), p.dtype().size()).is_some());
    if shape.len() > 1 && !even {
        for i in 0..shape[0] {
            if !for_each_line(&points.iter().map(|p| p.at(i)).collect(), each)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    let stride = |p: &Operand<'_>| if even { p.dtype().size() as isize } else { p.strides()[0] };
    let lines: SmallVec<[Line; 4]> =
        points.iter().map(|p| Line { ptr: p.ptr(), stride: stride(p), dtype: p.dtype() }).collect();
    each(&lines, shape.iter().product())
}

impl Line {
    /// Adds to some offsets those of the positions that indices from the `start`-th on mean along an axis; says whether all
    /// of them are positions that it has.
    fn add_offsets(&self, start: usize, size: usize, stride: isize, offsets: &mut [isize]) -> Result<bool> {
        let known = dispatch!(INTEGER, self.dtype, T => {
            let first = self.ptr.wrapping_offset(start as isize * self.stride);
            // Without a way out of the loop: which index is wrong is asked later.
            let mut inside = true;
            let mut add = |step: isize| {
                for (i, offset) in offsets.iter_mut().enumerate() {
                    // SAFETY: the line has so many indices of type T.
                    let index = saturated(unsafe { first.offset(i as isize * step).cast::<T>().read() });
                    let at = index.wrapping_add(if index < 0 { size as isize } else { 0 });
                    inside &= (at as usize) < size;
                    *offset = offset.wrapping_add(stride.wrapping_mul(at));
                }
            };
            // A stride that is known makes the common case fast.
            let side_by_side = size_of::<T>() as isize;
            if self.stride == side_by_side {
                add(side_by_side);
            } else {
                add(self.stride);
            }
            inside
        });
        known.ok_or_else(no_integers)
    }
}

fn no_integers() -> Error {
    Error::new(&rule::INTERNAL, "an index array that is not of integers")
}

/// Refuses an index array with one that an axis of `n` elements does not have: the first in C order.
fn check_positions(indices: &Operand<'_>, n: usize, axis: usize) -> Result<()> {
    for_each_run([indices], Order::C, |[ptr], [step], count| {
        let known = dispatch!(INTEGER, indices.dtype(), T => {
            for i in 0..count as isize {
                // SAFETY: the walk stays on the index array's elements of type T.
                index::position(saturated(unsafe { ptr.offset(i * step).cast::<T>().read() }), n, axis)?;
            }
        });
        known.ok_or_else(no_integers)
    })
}

/// The value of an index; what exceeds an isize is out of bounds of every axis.
fn saturated<T: TryInto<isize>>(index: T) -> isize {
    index.try_into().unwrap_or(isize::MAX)
}

/// Copies elements of `item` bytes at these distances from the second address to the first, side by side.
///
/// # Safety
///
/// There are such elements, and there is room for them apart.
unsafe fn gather(to: *mut u8, from: *const u8, offsets: &[isize], item: usize) {
    macro_rules! each {
        ($T:ty) => {
            for (i, &offset) in offsets.iter().enumerate() {
                // SAFETY: as the caller promises; the type has no alignment to keep.
                unsafe { to.cast::<$T>().add(i).write_unaligned(from.offset(offset).cast::<$T>().read_unaligned()) };
            }
        };
    }
    match item {
        1 => each!(u8),
        2 => each!(u16),
        4 => each!(u32),
        8 => each!(u64),
        _ => each!([u64; 2]),
    }
}

/// Elements of a mask that are looked at together.
const WORD: usize = u64::BITS as usize;

/// The positions where a mask over the leading axes of an array is true, counted.
struct Selection<'a> {
    x: &'a Array,
    mask: &'a Array,
    count: usize,
}

impl<'a> Selection<'a> {
    fn new(x: &'a Array, mask: &'a Array) -> Result<Selection<'a>> {
        if !DTypeSet::BOOL.contains(mask.dtype()) {
            return Err(Error::new(&rule::INTERNAL, "a mask that is not boolean"));
        }
        // A size of 0 selects nothing, whatever x's size is there.
        let fits = mask.ndim() <= x.ndim() && mask.shape().iter().zip(x.shape()).all(|(m, n)| m == n || *m == 0);
        if !fits {
            let got =
                format!("a mask of shape {} for an array of shape {}", show_shape(mask.shape()), show_shape(x.shape()));
            return Err(Error::new(&rule::MASK_SHAPE, got));
        }
        let mut count = 0;
        for_each_run([&mask.operand()], Order::Any, |[bit], [step], n| {
            // SAFETY: the walk stays on the mask's elements.
            count += unsafe { count_true(bit, step, n) };
            Ok(())
        })?;
        Ok(Selection { x, mask, count })
    }

    /// What is selected at each position: the other axes.
    fn inner(&self) -> (&'a [usize], &'a [isize]) {
        let masked = self.mask.ndim();
        (&self.x.shape()[masked..], &self.x.layout().strides()[masked..])
    }

    fn shape(&self) -> Dims {
        let mut shape = Dims::from_elem(self.count, 1);
        shape.extend_from_slice(self.inner().0);
        shape
    }

    /// Calls `each` for every few positions that lie evenly, in C order, if one of them is selected at least: where the first
    /// of them is in x, their stride, which are selected (the lowest bit is the first one's), and how many of these to take.
    ///
    /// These add up to no more than were counted, whatever another thread writes to the mask meanwhile; gives how many are
    /// missing.
    fn for_each_word(&self, mut each: impl FnMut(*mut u8, isize, u64, usize) -> Result<()>) -> Result<usize> {
        // The mask beside x's own leading axes: the walk gives both pointers.
        let lead = self.x.operand().along(0..self.mask.ndim());
        let mut left = self.count;
        for_each_run([&lead, &self.mask.operand()], Order::C, |[at, bit], [stride, step], n| {
            for start in (0..n).step_by(WORD) {
                let now = WORD.min(n - start);
                // SAFETY: the walk stays on the mask's elements.
                let bits = unsafe {
                    let bit = bit.offset(start as isize * step);
                    if now == WORD && step == 1 { whole_word(bit) } else { word(bit, step, now) }
                };
                let count = left.min(bits.count_ones() as usize);
                if count > 0 {
                    each(at.wrapping_offset(start as isize * stride), stride, bits, count)?;
                    left -= count;
                }
            }
            Ok(())
        })?;
        Ok(left)
    }

    /// Copies what is selected to the rows of `rows`, or with `TAKE` false the rows to what is selected; gives how many rows
    /// are left. The rows do not overlap with x.
    fn copy<const TAKE: bool>(&self, rows: &Operand<'_>) -> Result<usize> {
        let (shape, strides) = self.inner();
        let item = self.x.dtype().size();
        let (next, mut row) = (rows.strides()[0], 0);
        if let Some(chunk) = chunk_of(shape, strides, item)
            && chunk_of(shape, &rows.strides()[1..], item).is_some()
        {
            return self.for_each_word(|at, stride, bits, count| {
                let rows = rows.ptr().wrapping_offset(row as isize * next);
                row += count;
                // SAFETY: the walk stays on x's elements, where each position has a chunk; there are as many rows as were
                // counted, each of a chunk.
                unsafe {
                    if TAKE {
                        move_chunks::<true>([rows, at], [next, stride], (bits, count), chunk);
                    } else {
                        move_chunks::<false>([at, rows], [stride, next], (bits, count), chunk);
                    }
                }
                Ok(())
            });
        }
        let origin = self.x.ptr() as isize;
        self.for_each_word(|at, stride, mut bits, count| {
            for _ in 0..count {
                let at = at.wrapping_offset(bits.trailing_zeros() as isize * stride) as isize - origin;
                let start = self.x.layout().offset().wrapping_add_signed(at);
                let layout = Layout::new(Dims::from_slice(shape), Strides::from_slice(strides), start);
                let selected = self.x.with_layout(layout)?;
                let (to, from) = (rows.at(row), selected.operand());
                let (to, from) = if TAKE { (&to, &from) } else { (&from, &to) };
                copy::copy_elements(to, from)?;
                bits &= bits - 1;
                row += 1;
            }
            Ok(())
        })
    }
}

/// How many elements of a mask are true.
///
/// # Safety
///
/// `n` of them at this stride.
unsafe fn count_true(bit: *const u8, step: isize, n: usize) -> usize {
    /// Words whose bytes are added up in bytes.
    const WORDS: usize = u8::MAX as usize;
    if step != 1 {
        // SAFETY: as the caller promises.
        return (0..n as isize).filter(|i| unsafe { bit.offset(i * step).cast::<Bool>().read() }.get()).count();
    }
    // SAFETY: as the caller promises; a `Bool` is any byte.
    let (words, rest) = unsafe { std::slice::from_raw_parts(bit, n) }.as_chunks::<8>();
    let mut count = rest.iter().filter(|b| **b != 0).count();
    for words in words.chunks(WORDS) {
        let sums = words.iter().fold(0, |sums, word| sums + ones(*word));
        count += sums.to_ne_bytes().iter().map(|n| usize::from(*n)).sum::<usize>();
    }
    count
}

/// A byte of 1 for each byte that is not 0, the first one the lowest.
#[inline(always)]
fn ones(bytes: [u8; 8]) -> u64 {
    const LOW: u64 = u64::from_ne_bytes([0x7f; 8]);
    let word = u64::from_le_bytes(bytes);
    // The highest bit of each byte: set already, or by a carry from the others.
    ((((word & LOW) + LOW) | word) & !LOW) >> 7
}

/// Which of eight elements of a mask are true.
#[inline(always)]
fn eight(bytes: [u8; 8]) -> u64 {
    // Brings the bit of each byte to the highest byte, each to a place of its own.
    ones(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Which of [`WORD`] elements of a mask side by side are true.
///
/// # Safety
///
/// They are there.
#[inline(always)]
unsafe fn whole_word(bit: *const u8) -> u64 {
    // SAFETY: as the caller promises; a `Bool` is any byte.
    let bytes = unsafe { bit.cast::<[[u8; 8]; WORD / 8]>().read() };
    bytes.iter().rev().fold(0, |bits, bytes| bits << 8 | eight(*bytes))
}

/// Which of some elements of a mask are true.
///
/// # Safety
///
/// `n` of them at this stride, [`WORD`] at most.
unsafe fn word(bit: *const u8, step: isize, n: usize) -> u64 {
    let (mut bits, mut i) = (0, 0);
    // SAFETY: as the caller promises; a `Bool` is any byte.
    unsafe {
        while step == 1 && i + 8 <= n {
            bits |= eight(bit.add(i).cast::<[u8; 8]>().read()) << i;
            i += 8;
        }
        for i in i..n {
            bits |= u64::from(bit.offset(i as isize * step).cast::<Bool>().read().get()) << i;
        }
    }
    bits
}

/// The bytes of elements of this shape, if they stand side by side in C order.
fn chunk_of(shape: &[usize], strides: &[isize], item: usize) -> Option<usize> {
    shape
        .iter()
        .zip(strides)
        .rev()
        .try_fold(item, |bytes, (&n, &stride)| (n == 1 || stride == bytes as isize).then(|| bytes.wrapping_mul(n)))
}

/// Copies a chunk of bytes for each of the `count` lowest bits that are set: from the place of the bit's number to the next
/// place with `TAKE`, else from the next place to that of the bit's number. Places are told by those of the first and strides.
///
/// # Safety
///
/// `chunk` bytes at all these places, in memory that does not overlap; no more bits than are set.
unsafe fn move_chunks<const TAKE: bool>(
    [to, from]: [*mut u8; 2],
    [to_stride, from_stride]: [isize; 2],
    (bits, count): (u64, usize),
    chunk: usize,
) {
    if count == WORD && [to_stride, from_stride] == [chunk as isize; 2] {
        // SAFETY: as the caller promises.
        unsafe { copy::copy_bytes(to, from, WORD * chunk) };
        return;
    }
    /// Calls `copy` for each pair of places.
    #[inline(always)]
    fn each<const TAKE: bool>(
        [to, from]: [*mut u8; 2],
        [to_stride, from_stride]: [isize; 2],
        (mut bits, count): (u64, usize),
        copy: impl Fn(*mut u8, *mut u8),
    ) {
        if count == WORD {
            for i in 0..WORD as isize {
                copy(to.wrapping_offset(i * to_stride), from.wrapping_offset(i * from_stride));
            }
            return;
        }
        // From bit to bit, without a branch on each: where they are set is past guessing.
        for next in 0..count as isize {
            let place = bits.trailing_zeros() as isize;
            bits &= bits - 1;
            let (i, j) = if TAKE { (next, place) } else { (place, next) };
            copy(to.wrapping_offset(i * to_stride), from.wrapping_offset(j * from_stride));
        }
    }
    macro_rules! each {
        ($T:ty) => {
            each::<TAKE>([to, from], [to_stride, from_stride], (bits, count), |to, from| {
                // SAFETY: as the caller promises; the type has no alignment to keep.
                unsafe { to.cast::<$T>().write_unaligned(from.cast::<$T>().read_unaligned()) }
            })
        };
    }
    match chunk {
        1 => each!(u8),
        2 => each!(u16),
        4 => each!(u32),
        8 => each!(u64),
        16 => each!([u64; 2]),
        _ => each::<TAKE>([to, from], [to_stride, from_stride], (bits, count), |to, from| {
            // SAFETY: as the caller promises.
            unsafe { copy::copy_bytes(to, from, chunk) }
        }),
    }
}

/// The elements where a mask over the leading axes is true.
///
/// Source: "Indexing: Boolean Array Indexing".
pub fn take_mask(x: &Array, mask: &Array) -> Result<Array> {
    let selected = Selection::new(x, mask)?;
    let result = Array::uninit(&selected.shape(), x.dtype(), x.device())?.in_namespace(x.namespace());
    if result.size() > 0 {
        let missing = selected.copy::<true>(&result.operand())?;
        // Another thread may have cleared elements of the mask since they were counted: what is left is set all the same.
        let row = result.size() / selected.count * x.dtype().size();
        // SAFETY: so many rows at the end of the result, which is in C order, are ours to write; 0 is a value of each type.
        unsafe { result.ptr().add((selected.count - missing) * row).write_bytes(0, missing * row) };
    }
    Ok(result)
}

/// Writes a value where a mask over the leading axes is true. The value has x's data type, and does not share its memory.
pub fn put_mask(x: &Array, mask: &Array, value: impl FnOnce(&[usize]) -> Result<Array>) -> Result<()> {
    let selected = Selection::new(x, mask)?;
    let shape = selected.shape();
    let value = value(&shape)?;
    debug_assert_eq!(value.dtype(), x.dtype());
    let rows = value.operand_over(&shape)?;
    if !shape.contains(&0) {
        selected.copy::<false>(&rows)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Device, Element, Scalar};

    fn array<T: Element>(values: &[T], shape: &[usize]) -> Array {
        Array::from_slice(values, shape, Device::CPU).unwrap()
    }

    fn mask(bits: &[u8], shape: &[usize]) -> Array {
        array(&bits.iter().map(|b| Bool::new(*b != 0)).collect::<Vec<_>>(), shape)
    }

    fn ints(x: &Array) -> Vec<i128> {
        let value = |s| if let Scalar::Int(i) = s { i } else { panic!() };
        x.to_scalars().unwrap().into_iter().map(value).collect()
    }

    fn matrix() -> Array {
        array(&(0..12i32).collect::<Vec<_>>(), &[3, 4])
    }

    /// As if another thread had written to the mask since its elements were counted.
    #[test]
    fn no_more_is_moved_than_was_counted_and_what_is_missing_is_told() {
        let x = array(&(0..200i32).collect::<Vec<_>>(), &[200]);
        let bits: Vec<u8> = (0..200).map(|i| u8::from(i % 3 == 0)).collect();
        let chosen = mask(&bits, &[200]);
        let all: Vec<i128> = (0..200).filter(|i| i % 3 == 0).collect();
        for by in [-67isize, -5, -1, 0, 1, 5] {
            let mut selected = Selection::new(&x, &chosen).unwrap();
            selected.count = selected.count.strict_add_signed(by);
            let (count, there) = (selected.count, selected.count.min(all.len()));
            let rows = array(&vec![-1i32; count], &[count]);
            if count > 0 {
                assert_eq!(selected.copy::<true>(&rows.operand()).unwrap(), count - there);
            }
            assert_eq!(ints(&rows)[..there], all[..there]);
            assert!(ints(&rows)[there..].iter().all(|x| *x == -1));
        }
    }

    #[test]
    fn points_broadcast_count_from_the_end_and_are_checked() {
        let x = matrix();
        let rows = array(&[0i8, -1], &[2, 1]);
        let columns = array(&[1u64, 3], &[2]);
        let got = take_points(&x, &[rows.clone(), columns]).unwrap();
        assert_eq!((got.shape(), ints(&got)), (&[2, 2][..], vec![1, 3, 9, 11]));
        let transposed = x.with_layout(x.layout().reversed()).unwrap();
        let got = take_points(&transposed, &[array(&[3i64], &[1]), array(&[2i64], &[1])]).unwrap();
        assert_eq!(ints(&got), [11]);
        for bad in [array(&[u64::MAX], &[1]), array(&[4u64], &[1])] {
            let error = take_points(&x, &[array(&[0i64], &[1]), bad]).unwrap_err();
            assert_eq!(error.rule().id, "index-bounds");
        }
        assert_eq!(take_points(&x, &[rows]).unwrap_err().rule().id, "index-flat");
    }

    #[test]
    fn masks_over_all_leading_and_no_axes() {
        let x = matrix();
        let whole = mask(&[0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0], &[3, 4]);
        assert_eq!(ints(&take_mask(&x, &whole).unwrap()), [1, 7, 8]);
        let rows = take_mask(&x, &mask(&[1, 0, 1], &[3])).unwrap();
        assert_eq!((rows.shape(), ints(&rows)), (&[2, 4][..], vec![0, 1, 2, 3, 8, 9, 10, 11]));
        for (bit, n) in [(1, 1), (0, 0)] {
            assert_eq!(take_mask(&x, &mask(&[bit], &[])).unwrap().shape(), [n, 3, 4]);
        }
        assert_eq!(take_mask(&x, &mask(&[], &[0])).unwrap().shape(), [0, 4]);
        let empty = array::<i32>(&[], &[2, 0]);
        assert_eq!(take_mask(&empty, &mask(&[1, 1], &[2])).unwrap().shape(), [2, 0]);
        for (bits, shape) in [(&[1u8, 0][..], &[2][..]), (&[1], &[1]), (&[1; 3], &[3, 1, 1])] {
            assert_eq!(take_mask(&x, &mask(bits, shape)).unwrap_err().rule().id, "mask-shape");
        }
        let backwards = x
            .with_layout(
                index::select(
                    x.layout(),
                    &[index::Index::Slice { start: None, stop: None, step: -1 }, index::Index::Ellipsis],
                )
                .unwrap(),
            )
            .unwrap();
        assert_eq!(ints(&take_mask(&backwards, &whole).unwrap()), [9, 7, 0]);
    }

    #[test]
    fn masked_writes_reach_only_what_is_selected() {
        let x = matrix();
        put_mask(&x, &mask(&[0, 1, 1], &[3]), |shape| {
            assert_eq!(shape, [2, 4]);
            Ok(array(&[-1i32, -2, -3, -4], &[4]))
        })
        .unwrap();
        assert_eq!(ints(&x), [0, 1, 2, 3, -1, -2, -3, -4, -1, -2, -3, -4]);
        let error = put_mask(&x, &mask(&[0, 1, 1], &[3]), |_| Ok(array(&[0i32; 3], &[3]))).unwrap_err();
        assert_eq!(error.rule().id, "broadcast");
        put_mask(&x, &mask(&[0; 12], &[3, 4]), |_| Ok(array(&[9i32], &[]))).unwrap();
        assert_eq!(x.dtype(), DType::Int32);
        assert_eq!(ints(&x)[11], -4);
    }

    /// Numbers that look random.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }
    }

    /// A view of an axis of so many elements, at every `step`-th element of an array of its own.
    fn every(x: impl FnOnce(usize) -> Array, n: usize, step: isize) -> Array {
        let all = x((n * step.unsigned_abs()).max(1));
        let stride = step * all.dtype().size() as isize;
        let offset = if step < 0 && n > 0 { (n - 1) * stride.unsigned_abs() } else { 0 };
        all.with_layout(Layout::new(Dims::from_slice(&[n]), Strides::from_slice(&[stride]), offset)).unwrap()
    }

    /// Elements whose bytes are all different from those of the next ones.
    fn counting(dtype: DType, n: usize, first: u8) -> Array {
        let x = Array::zeros(&[n], dtype, Device::CPU).unwrap();
        for i in 0..n * dtype.size() {
            let byte = (i as u8).wrapping_mul(7).wrapping_add(first);
            let byte = if dtype == DType::Bool { byte & 1 } else { byte };
            // SAFETY: C order, i below the number of bytes.
            unsafe { x.ptr().add(i).write(byte) };
        }
        x
    }

    /// The bytes of each element along the only axis.
    fn elements(x: &Array) -> Vec<Vec<u8>> {
        let (item, stride) = (x.dtype().size(), x.layout().strides()[0]);
        let at = |i: usize| x.ptr().wrapping_offset(i as isize * stride).cast_const();
        // SAFETY: so many elements at this stride.
        (0..x.size()).map(|i| unsafe { std::slice::from_raw_parts(at(i), item) }.to_vec()).collect()
    }

    fn check_mask(numbers: &mut Numbers, dtype: DType, n: usize, density: u64, [step, mask_step]: [isize; 2]) {
        let bit = |numbers: &mut Numbers| if numbers.next() % 100 < density { 1 << (numbers.next() % 8) } else { 0u8 };
        let random = |n| {
            let x = Array::zeros(&[n], DType::Bool, Device::CPU).unwrap();
            for i in 0..n {
                // SAFETY: C order, i below the size; any byte is a `Bool`.
                unsafe { x.ptr().add(i).write(bit(numbers)) };
            }
            x
        };
        let mask = every(random, n, mask_step);
        let bits = elements(&mask);
        let places: Vec<usize> = (0..n).filter(|&i| bits[i][0] != 0).collect();
        let what = format!("{dtype}, {n} elements, {density} %, steps {step} and {mask_step}");

        let x = every(|n| counting(dtype, n, 3), n, step);
        let old = elements(&x);
        let expected: Vec<_> = places.iter().map(|&i| old[i].clone()).collect();
        assert_eq!(elements(&take_mask(&x, &mask).unwrap()), expected, "{what}");

        for value_step in [1, 2, -1, 0] {
            let n_values = if value_step == 0 { 1 } else { places.len() };
            let value = every(|n| counting(dtype, n, 101), n_values, if value_step == 0 { 1 } else { value_step });
            let x = every(|n| counting(dtype, n, 3), n, step);
            let mut expected = old.clone();
            let values = elements(&value);
            for (k, &i) in places.iter().enumerate() {
                expected[i] = values[if value_step == 0 { 0 } else { k }].clone();
            }
            put_mask(&x, &mask, |shape| {
                assert_eq!(shape, [places.len()]);
                Ok(value)
            })
            .unwrap();
            assert_eq!(elements(&x), expected, "{what}, values at {value_step}");
        }
    }

    #[test]
    fn points_of_any_number_shape_and_layout() {
        let mut numbers = Numbers(521288629);
        for dtype in [DType::Bool, DType::Int16, DType::Float32, DType::Complex64, DType::Complex128] {
            let x = counting(dtype, 5 * 7, 3);
            let all = elements(&x);
            let x = x.with_layout(Layout::c_order(&[5, 7], dtype.size()).unwrap()).unwrap();
            for n in [0, 1, 2, 63, 255, 256, 257, 511, 512, 513, 1100] {
                let rows: Vec<i8> = (0..n).map(|_| (numbers.next() % 10) as i8 - 5).collect();
                let columns: Vec<i64> = (0..n).map(|_| (numbers.next() % 14) as i64 - 7).collect();
                let at = |i: usize, j: usize| {
                    let (row, column) = (rows[i].rem_euclid(5) as usize, columns[j].rem_euclid(7) as usize);
                    all[row * 7 + column].clone()
                };
                let pairs: Vec<_> = (0..n).map(|i| at(i, i)).collect();
                let got = take_points(&x, &[array(&rows, &[n]), array(&columns, &[n])]).unwrap();
                assert_eq!(elements(&got), pairs);
                let [first, second] = [array(&rows, &[n]), array(&columns, &[n])]
                    .map(|indices| indices.with_layout(indices.layout().flipped(&[0])).unwrap());
                let got = take_points(&x, &[first, second]).unwrap();
                assert_eq!(elements(&got), pairs.into_iter().rev().collect::<Vec<_>>());
                // Each of some rows with each of some columns, and the same in Fortran order.
                let few = n.min(20);
                let grid: Vec<_> = (0..few).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| at(i, j)).collect();
                let got = take_points(&x, &[array(&rows[..few], &[few, 1]), array(&columns, &[n])]).unwrap();
                assert_eq!(got.shape(), [few, n]);
                assert_eq!(
                    elements(&got.with_layout(Layout::c_order(&[few * n], dtype.size()).unwrap()).unwrap()),
                    grid
                );
                let turned = [&rows, &rows].map(|r| array(&r[..few / 2 * 2], &[2, few / 2]));
                let [r, c] = turned.map(|indices| indices.with_layout(indices.layout().reversed()).unwrap());
                let got = take_points(&x, &[r, c]).unwrap();
                let expected: Vec<_> = (0..few / 2)
                    .flat_map(|i| [i, few / 2 + i])
                    .map(|i| all[rows[i].rem_euclid(5) as usize * 7 + rows[i].rem_euclid(7) as usize].clone())
                    .collect();
                assert_eq!(
                    elements(
                        &got.to_c_contiguous()
                            .unwrap()
                            .with_layout(Layout::c_order(&[few / 2 * 2], dtype.size()).unwrap())
                            .unwrap()
                    ),
                    expected
                );
            }
        }
        // The first of the first axis that has one out of bounds, though another axis has one before it.
        let mut rows = vec![0i32; 1000];
        let mut columns = rows.clone();
        (rows[900], rows[950], columns[3]) = (5, 6, -8);
        let x = counting(DType::Int8, 35, 0);
        let x = x.with_layout(Layout::c_order(&[5, 7], 1).unwrap()).unwrap();
        let error = take_points(&x, &[array(&rows, &[1000]), array(&columns, &[1000])]).unwrap_err();
        assert_eq!((error.rule().id, error.got()), ("index-bounds", "got index 5 for axis 0 of size 5"));
    }

    #[test]
    fn masks_of_any_density_length_and_stride() {
        let mut numbers = Numbers(88172645463325252);
        let dtypes = [DType::Bool, DType::Int16, DType::Float32, DType::Int64, DType::Complex64, DType::Complex128];
        let lengths = || (0..=20).chain(60..=68).chain(125..=131).chain([191, 192, 193, 200, 520, 2100]);
        for density in [0, 3, 50, 97, 100] {
            for n in lengths() {
                for steps in [[1, 1], [2, 1], [-1, 1], [1, -1], [-3, 2]] {
                    let dtype = dtypes[numbers.next() as usize % dtypes.len()];
                    check_mask(&mut numbers, dtype, n, density, steps);
                }
            }
            for dtype in dtypes {
                check_mask(&mut numbers, dtype, 200, density, [1, 1]);
            }
        }
    }

    #[test]
    fn masks_over_axes_that_do_not_merge() {
        let mut numbers = Numbers(362436069);
        for (rows, columns, inner) in [(3, 70, 1), (70, 3, 2), (5, 64, 3), (2, 130, 0), (1, 65, 4)] {
            // Every second column, and every second element of what is selected.
            let (wide, deep) = (2 * columns, 2 * inner);
            let values: Vec<i32> = (0..(rows * wide * deep) as i32).collect();
            let bits: Vec<u8> = (0..rows * columns).map(|_| (numbers.next() % 2) as u8).collect();
            let all = array(&values, &[rows, wide, deep]);
            for [every_column, every_inner] in [[1, 1], [2, 1], [2, 2]] {
                let strides = [wide * deep * 4, every_column * deep * 4, every_inner * 4].map(|s| s as isize);
                let layout = Layout::new(Dims::from_slice(&[rows, columns, inner]), Strides::from_slice(&strides), 0);
                let x = all.with_layout(layout).unwrap();
                let selected = take_mask(&x, &mask(&bits, &[rows, columns])).unwrap();
                let mut expected = Vec::new();
                for (i, _) in bits.iter().enumerate().filter(|(_, bit)| **bit != 0) {
                    let first = i / columns * wide * deep + i % columns * every_column * deep;
                    expected.extend((0..inner).map(|k| (first + k * every_inner) as i128));
                }
                assert_eq!(ints(&selected), expected, "{rows} x {columns} x {inner}");

                let copy = all.to_owned_copy().unwrap();
                let x = copy.with_layout(x.layout().clone()).unwrap();
                let negative: Vec<i32> = expected.iter().map(|v| -1 - *v as i32).collect();
                let value = array(&negative, selected.shape());
                put_mask(&x, &mask(&bits, &[rows, columns]), |_| Ok(value)).unwrap();
                let written: Vec<i128> = values
                    .iter()
                    .map(|&v| i128::from(v))
                    .map(|v| if expected.contains(&v) { -1 - v } else { v })
                    .collect();
                assert_eq!(ints(&copy), written, "{rows} x {columns} x {inner}");
            }
        }
    }
}
