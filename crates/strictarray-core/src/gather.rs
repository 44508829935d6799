//! Indexing with arrays: integer arrays and boolean masks. What comes out is a copy.

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
            each_position(&indices.operand(), x.shape()[axis], axis, |_| {})?;
        }
        return Ok(result);
    }
    let mut offsets = vec_of(0isize, result.size())?;
    for (axis, indices) in indices.iter().enumerate() {
        let stride = x.layout().strides()[axis];
        let mut at = 0;
        each_position(&indices.operand_over(&shape)?, x.shape()[axis], axis, |position| {
            offsets[at] += stride * position as isize;
            at += 1;
        })?;
    }
    // SAFETY: every offset was checked to be an element of x; the result has as many elements, ours alone.
    unsafe { gather_elements(&result, x, &offsets) };
    Ok(result)
}

/// The places in an axis of `n` elements that an index array gives, in C order.
fn each_position(indices: &Operand<'_>, n: usize, axis: usize, mut visit: impl FnMut(usize)) -> Result<()> {
    for_each_run([indices], Order::C, |[ptr], [step], count| {
        let known = dispatch!(INTEGER, indices.dtype(), T => {
            for i in 0..count as isize {
                // SAFETY: the walk stays on the index array's elements of type T.
                let value = unsafe { ptr.offset(i * step).cast::<T>().read() };
                visit(index::position(saturated(value), n, axis)?);
            }
        });
        known.ok_or_else(|| Error::new(&rule::INTERNAL, "an index array that is not of integers"))
    })
}

/// The value of an index; what exceeds an isize is out of bounds of every axis.
fn saturated<T: TryInto<isize>>(index: T) -> isize {
    index.try_into().unwrap_or(isize::MAX)
}

/// Copies the elements of `from` at these distances from its first into `to`, which is in C order.
///
/// # Safety
///
/// Each offset is that of an element of `from`; `to` has as many elements of the same data type, and nobody else's.
unsafe fn gather_elements(to: &Array, from: &Array, offsets: &[isize]) {
    let item = from.dtype().size() as isize;
    // SAFETY: as the caller promises; the elements of `to` stand side by side.
    unsafe {
        move_elements(from.dtype(), offsets.len(), |i| {
            (to.ptr().offset(i as isize * item), from.ptr().offset(offsets[i]))
        })
    }
}

/// Copies elements one by one, from the second address to the first of each pair.
///
/// # Safety
///
/// For each of `n` numbers, `pair` gives two addresses of valid, aligned elements of the data type.
unsafe fn move_elements(dtype: DType, n: usize, pair: impl Fn(usize) -> (*mut u8, *mut u8)) {
    /// # Safety
    ///
    /// As for [`move_elements`], with elements of the size and alignment of `T`.
    #[inline(always)]
    unsafe fn each<T: Copy>(n: usize, pair: impl Fn(usize) -> (*mut u8, *mut u8)) {
        for i in 0..n {
            let (to, from) = pair(i);
            // SAFETY: as the caller promises.
            unsafe { to.cast::<T>().write(from.cast::<T>().read()) };
        }
    }
    // SAFETY: as the caller promises: elements are moved as words of their size and alignment.
    unsafe {
        match (dtype.size(), dtype.align()) {
            (1, _) => each::<u8>(n, pair),
            (2, _) => each::<u16>(n, pair),
            (4, _) => each::<u32>(n, pair),
            (8, 4) => each::<[u32; 2]>(n, pair),
            (8, _) => each::<u64>(n, pair),
            _ => each::<[u64; 2]>(n, pair),
        }
    }
}

/// A vector, or a MemoryError.
fn vec_of<T: Clone>(value: T, n: usize) -> Result<Vec<T>> {
    let mut v = Vec::new();
    v.try_reserve_exact(n).map_err(|_| Error::new(&rule::MEMORY, format!("{n} indices")))?;
    v.resize(n, value);
    Ok(v)
}

/// The positions that a mask selects, as distances from x's first element, and the layout of what is selected at each.
struct Selection {
    offsets: Vec<isize>,
    inner_shape: Dims,
    inner_strides: Strides,
}

fn selection(x: &Array, mask: &Array) -> Result<Selection> {
    let (ndim, masked) = (x.ndim(), mask.ndim());
    if !DTypeSet::BOOL.contains(mask.dtype()) {
        return Err(Error::new(&rule::INTERNAL, "a mask that is not boolean"));
    }
    // A size of 0 selects nothing, whatever x's size is there.
    let fits = masked <= ndim && mask.shape().iter().zip(x.shape()).all(|(m, n)| m == n || *m == 0);
    if !fits {
        let got =
            format!("a mask of shape {} for an array of shape {}", show_shape(mask.shape()), show_shape(x.shape()));
        return Err(Error::new(&rule::MASK_SHAPE, got));
    }
    let mut offsets = Vec::new();
    // The mask beside x's own leading axes: the walk gives both pointers.
    let lead = Layout::new(
        Dims::from_slice(mask.shape()),
        Strides::from_slice(&x.layout().strides()[..masked]),
        x.layout().offset(),
    );
    if mask.size() > 0 && x.size() > 0 {
        let lead = x.with_layout(lead)?;
        let origin = x.ptr() as isize;
        for_each_run([&lead.operand(), &mask.operand()], Order::C, |[at, bit], [stride, step], n| {
            for i in 0..n as isize {
                // SAFETY: the walk stays on the mask's elements.
                if unsafe { bit.offset(i * step).cast::<Bool>().read() }.get() {
                    offsets.try_reserve(1).map_err(|_| Error::new(&rule::MEMORY, "a mask"))?;
                    offsets.push(at.wrapping_offset(i * stride) as isize - origin);
                }
            }
            Ok(())
        })?;
    } else if mask.size() > 0 {
        // x has a size of 0 behind the mask: only the number of positions matters.
        let mut count = 0;
        for_each_run([&mask.operand()], Order::Any, |[bit], [step], n| {
            // SAFETY: the walk stays on the mask's elements.
            count += (0..n as isize).filter(|i| unsafe { bit.offset(i * step).cast::<Bool>().read() }.get()).count();
            Ok(())
        })?;
        offsets = vec_of(0, count)?;
    }
    Ok(Selection {
        offsets,
        inner_shape: Dims::from_slice(&x.shape()[masked..]),
        inner_strides: Strides::from_slice(&x.layout().strides()[masked..]),
    })
}

impl Selection {
    fn shape(&self) -> Dims {
        let mut shape = Dims::from_elem(self.offsets.len(), 1);
        shape.extend_from_slice(&self.inner_shape);
        shape
    }

    fn inner(&self, x: &Array, offset: isize) -> Result<Array> {
        let start = x.layout().offset().wrapping_add_signed(offset);
        x.with_layout(Layout::new(self.inner_shape.clone(), self.inner_strides.clone(), start))
    }
}

/// The elements where a mask over the leading axes is true.
///
/// Source: "Indexing: Boolean Array Indexing".
pub fn take_mask(x: &Array, mask: &Array) -> Result<Array> {
    let selected = selection(x, mask)?;
    let result = Array::uninit(&selected.shape(), x.dtype(), x.device())?.in_namespace(x.namespace());
    if result.size() == 0 {
        return Ok(result);
    }
    if selected.inner_shape.is_empty() {
        // SAFETY: every offset is a position of x; the result has as many elements, ours alone.
        unsafe { gather_elements(&result, x, &selected.offsets) };
        return Ok(result);
    }
    let rows = result.operand();
    for (i, &offset) in selected.offsets.iter().enumerate() {
        copy::copy_elements(&rows.at(i), &selected.inner(x, offset)?.operand())?;
    }
    Ok(result)
}

/// The shape that a mask selects: what a value assigned there must broadcast to.
pub fn mask_shape(x: &Array, mask: &Array) -> Result<Dims> {
    Ok(selection(x, mask)?.shape())
}

/// Writes a value where a mask over the leading axes is true. The value has x's data type, and does not share its memory.
pub fn put_mask(x: &Array, mask: &Array, value: impl FnOnce(&[usize]) -> Result<Array>) -> Result<()> {
    let selected = selection(x, mask)?;
    let shape = selected.shape();
    let value = value(&shape)?;
    debug_assert_eq!(value.dtype(), x.dtype());
    if shape.contains(&0) {
        return value.operand_over(&shape).map(drop);
    }
    let rows = value.operand_over(&shape)?;
    if selected.inner_shape.is_empty() {
        let (from, stride, to) = (rows.ptr(), rows.strides()[0], x.ptr());
        let pair = |i: usize| (to.wrapping_offset(selected.offsets[i]), from.wrapping_offset(i as isize * stride));
        // SAFETY: every offset is a position of x, the rows are the value's elements, and both have one data type.
        unsafe { move_elements(x.dtype(), selected.offsets.len(), pair) };
        return Ok(());
    }
    for (i, &offset) in selected.offsets.iter().enumerate() {
        let to = selected.inner(x, offset)?;
        let row: Operand<'_> = rows.at(i);
        copy::copy_elements(&to.operand(), &row)?;
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
}
