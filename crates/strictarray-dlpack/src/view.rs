//! A checked view of a tensor that somebody else described.
//!
//! A [`DLTensor`] comes from another library. [`TensorView::check`] reads it field by field, in an
//! order in which no field is trusted before those it depends on are known to be good, and with
//! arithmetic that can't overflow. What comes out can be computed with: extents are not negative,
//! their product fits, and every element lies at an address that can exist.
//!
//! | field | accepted |
//! |---|---|
//! | `ndim` | 0 to [`MAX_NDIM`] |
//! | `shape` | aligned and not NULL, unless `ndim` is 0, when it is not looked at |
//! | `shape[i]` | not negative; the product of those that are not 0 fits in `i64` and `usize` |
//! | `strides` | aligned, or NULL for C order; not looked at if `ndim` is 0 |
//! | `strides[i]` | anything, as long as the elements they lead to are within reach of an address |
//! | `dtype` | any code; bits and lanes not 0 |
//! | `byte_offset` | fits in `isize`, together with the elements behind it |
//! | `data` | not NULL unless there are no elements; in host memory no element beyond the address space |
//! | `device` | anything |
//!
//! Which codes and devices are supported is for the caller to say.

use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use core::ptr;
use core::slice;

use crate::error::Invalid;
use crate::ffi::{DLDataType, DLDevice, DLTensor};
use crate::flags::Flags;

/// The highest number of dimensions that is read.
///
/// DLPack has no limit, but `ndim` says how many integers `shape` and `strides` point to, and so
/// how much memory is read on the word of the producer. A garbage `ndim` must be found out
/// beforehand. 64 is the most any array library supports.
pub const MAX_NDIM: usize = 64;

/// Dimensions for which strides are computed without an allocation.
const INLINE: usize = 6;

/// The bytes that the elements of a tensor touch, relative to its first element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteSpan {
    /// Offset of the first byte: 0, or less with negative strides.
    pub low: isize,
    /// Offset of one past the last byte.
    pub high: isize,
}

impl ByteSpan {
    /// The number of bytes from the first to the last.
    pub const fn len(self) -> usize {
        // Checked when the span was computed: it is not negative and fits.
        (self.high - self.low).unsigned_abs()
    }

    /// Whether there are no bytes.
    pub const fn is_empty(self) -> bool {
        self.low == self.high
    }
}

#[derive(Clone)]
enum Strides {
    /// In the producer's memory, `ndim` of them.
    Given(*const i64),
    Inline([i64; INLINE]),
    Heap(Box<[i64]>),
}

/// A [`DLTensor`] all of whose fields were checked.
///
/// It copies what is small and borrows shape and strides.
///
/// ```
/// use strictarray_dlpack::TensorView;
/// use strictarray_dlpack::ffi::{DLDataType, DLDevice, DLTensor};
///
/// let mut data = [1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let mut shape = [3, 2];
/// let mut strides = [-2, 1];
/// let tensor = DLTensor {
///     data: data.as_mut_ptr().cast(),
///     device: DLDevice::CPU,
///     ndim: 2,
///     dtype: DLDataType::FLOAT64,
///     shape: shape.as_mut_ptr(),
///     strides: strides.as_mut_ptr(),
///     byte_offset: 32,
/// };
/// // SAFETY: shape and strides point to two integers each.
/// let view = unsafe { TensorView::check(&tensor) }?;
/// assert_eq!((view.size(), view.shape(), view.strides()), (6, &[3, 2][..], &[-2, 1][..]));
/// assert_eq!((view.span().low, view.span().high), (-32, 16));
/// assert!(!view.is_c_contiguous());
/// # Ok::<(), strictarray_dlpack::Invalid>(())
/// ```
#[derive(Clone)]
pub struct TensorView<'a> {
    first: *mut c_void,
    device: DLDevice,
    dtype: DLDataType,
    ndim: usize,
    shape: *const i64,
    strides: Strides,
    size: usize,
    item_bits: u32,
    span: ByteSpan,
    // Pointers inside rather than references: `OwnedTensor` keeps a view of memory that its
    // deleter frees.
    borrows: PhantomData<&'a DLTensor>,
}

impl<'a> TensorView<'a> {
    /// Checks a tensor whose elements, if narrower than a byte, are packed.
    ///
    /// # Errors
    ///
    /// [`Invalid`] names the first field that is wrong.
    ///
    /// # Safety
    ///
    /// If `ndim` is within 1 to [`MAX_NDIM`], then `shape` and `strides`, where neither NULL nor
    /// misaligned, must point to `ndim` readable integers each, which nobody changes or frees
    /// during `'a`. `data` is not read.
    pub unsafe fn check(tensor: &'a DLTensor) -> Result<Self, Invalid> {
        // SAFETY: the same contract.
        unsafe { Self::check_with_flags(tensor, Flags::NONE) }
    }

    /// Checks a tensor that came with flags: they say whether elements narrower than a byte are
    /// packed or padded to whole bytes.
    ///
    /// # Errors
    ///
    /// [`Invalid`] names the first field that is wrong.
    ///
    /// # Safety
    ///
    /// As for [`check`](Self::check).
    pub unsafe fn check_with_flags(tensor: &'a DLTensor, flags: Flags) -> Result<Self, Invalid> {
        let ndim = match usize::try_from(tensor.ndim) {
            Ok(ndim) if ndim <= MAX_NDIM => ndim,
            _ => return Err(Invalid::Ndim { got: tensor.ndim }),
        };
        let dtype = tensor.dtype;
        if dtype.bits == 0 {
            return Err(Invalid::BitsZero);
        }
        if dtype.lanes == 0 {
            return Err(Invalid::LanesZero);
        }
        let item_bits = if flags.subbyte_padded() { dtype.item_bits().next_multiple_of(8) } else { dtype.item_bits() };

        let (shape, given) = if ndim == 0 {
            (ptr::null(), ptr::null())
        } else {
            (tensor.shape.cast_const(), tensor.strides.cast_const())
        };
        if ndim > 0 {
            if shape.is_null() {
                return Err(Invalid::ShapeNull { ndim });
            }
            if !shape.is_aligned() {
                return Err(Invalid::ShapeMisaligned { address: shape.addr() });
            }
            if !given.is_aligned() {
                return Err(Invalid::StridesMisaligned { address: given.addr() });
            }
        }
        // SAFETY: neither NULL nor misaligned if `ndim` > 0; the caller vouches for the length.
        let extents: &[i64] = unsafe { slice_of(shape, ndim) };

        let mut product: i64 = 1;
        let mut empty = false;
        for (dim, &extent) in extents.iter().enumerate() {
            if extent < 0 {
                return Err(Invalid::NegativeExtent { dim, got: extent });
            }
            if extent == 0 {
                empty = true;
                continue;
            }
            product = match product.checked_mul(extent) {
                Some(product) if usize::try_from(product).is_ok() => product,
                _ => return Err(Invalid::SizeOverflow { dim, extent }),
            };
        }
        let size = if empty { 0 } else { product as usize };

        // The elements furthest before and behind the first one.
        let mut low: i64 = 0;
        let mut high: i64 = 0;
        let strides = if given.is_null() {
            high = if empty { 0 } else { product - 1 };
            c_order(extents)
        } else {
            // SAFETY: neither NULL nor misaligned; the caller vouches for the length.
            let steps: &[i64] = unsafe { slice_of(given, ndim) };
            // Without elements no stride leads anywhere, so whatever they are does no harm; the same
            // goes for an extent of 1, where the product below is 0.
            let used = if empty { &[] } else { extents };
            for (dim, (&extent, &stride)) in used.iter().zip(steps).enumerate() {
                let end = if stride < 0 { &mut low } else { &mut high };
                *end = (extent - 1)
                    .checked_mul(stride)
                    .and_then(|reach| end.checked_add(reach))
                    .ok_or(Invalid::SpanOverflow { dim, extent, stride })?;
            }
            Strides::Given(given)
        };

        let span = if empty {
            ByteSpan { low: 0, high: 0 }
        } else {
            // 64 bits times 24 bits fit in 128; the shift rounds down, the sum before it up.
            let bits = i128::from(item_bits);
            let first = (i128::from(low) * bits) >> 3;
            let last = ((i128::from(high) + 1) * bits + 7) >> 3;
            let fits = |low: isize, high: isize| high.checked_sub(low).is_some();
            match (isize::try_from(first), isize::try_from(last)) {
                (Ok(low), Ok(high)) if fits(low, high) => ByteSpan { low, high },
                _ => {
                    return Err(Invalid::SpanBytes { low: first, high: last });
                }
            }
        };

        let byte_offset = tensor.byte_offset;
        let offset = match isize::try_from(byte_offset) {
            Ok(offset) if offset.checked_add(span.high).is_some() => offset,
            _ => {
                return Err(Invalid::ByteOffset { got: byte_offset, high: span.high });
            }
        };
        if !empty {
            let data = tensor.data.addr();
            if data == 0 {
                return Err(Invalid::DataNull { size });
            }
            // Elsewhere `data` may be a handle, and its value says nothing.
            if tensor.device.is_host_accessible() {
                let first = data as i128 + offset as i128;
                if first + (span.low as i128) < 0 || first + span.high as i128 > usize::MAX as i128 {
                    return Err(Invalid::Address { data, byte_offset, low: span.low, high: span.high });
                }
            }
        }

        Ok(Self {
            first: tensor.data.wrapping_byte_offset(offset),
            device: tensor.device,
            dtype,
            ndim,
            shape,
            strides,
            size,
            item_bits,
            span,
            borrows: PhantomData,
        })
    }

    /// The number of dimensions.
    pub fn ndim(&self) -> usize {
        self.ndim
    }

    /// The extents, none of which is negative.
    pub fn shape(&self) -> &[i64] {
        // SAFETY: checked on construction; the caller of `check` vouched for length and lifetime.
        unsafe { slice_of(self.shape, self.ndim) }
    }

    /// The strides in elements: the producer's, or those of C order if it gave none.
    ///
    /// The stride of a dimension of extent 0 or 1, and every stride of a tensor without elements,
    /// can be any number at all: see [`byte_stride`](Self::byte_stride).
    pub fn strides(&self) -> &[i64] {
        match &self.strides {
            // SAFETY: checked on construction; the caller of `check` vouched for length and
            // lifetime.
            Strides::Given(strides) => unsafe { slice_of(*strides, self.ndim) },
            Strides::Inline(strides) => strides.get(..self.ndim).unwrap_or(&[]),
            Strides::Heap(strides) => strides,
        }
    }

    /// Whether the producer gave strides. DLPack 1.2 asks for them if there are dimensions.
    pub fn has_strides(&self) -> bool {
        matches!(self.strides, Strides::Given(_)) || self.ndim == 0
    }

    /// The stride of a dimension in bytes, ready for pointer arithmetic.
    ///
    /// Where a stride leads to no element (extent 0 or 1, or no elements at all) and does not fit
    /// in bytes, it is 0. `None` if there is no such dimension or if elements are not whole bytes.
    pub fn byte_stride(&self, dim: usize) -> Option<isize> {
        let stride = *self.strides().get(dim)?;
        let item = isize::try_from(self.item_size()?).ok()?;
        let bytes = isize::try_from(stride).ok().and_then(|stride| stride.checked_mul(item));
        Some(bytes.unwrap_or(0))
    }

    /// The element type as the producer wrote it.
    pub fn dtype(&self) -> DLDataType {
        self.dtype
    }

    /// The device as the producer wrote it.
    pub fn device(&self) -> DLDevice {
        self.device
    }

    /// The number of elements.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Bits from one element to the next, with all lanes and with padding if there is any.
    pub fn item_bits(&self) -> u32 {
        self.item_bits
    }

    /// Bytes from one element to the next, or `None` if that is not a whole number.
    pub fn item_size(&self) -> Option<usize> {
        self.item_bits.is_multiple_of(8).then_some(self.item_bits as usize / 8)
    }

    /// The bytes a compact copy takes, or `None` if they would not fit in `isize` (a tensor with
    /// strides of 0 can have more elements than memory has room for).
    pub fn nbytes(&self) -> Option<usize> {
        let bits = self.size as u128 * u128::from(self.item_bits);
        isize::try_from(bits.div_ceil(8)).ok().map(isize::unsigned_abs)
    }

    /// The first element: `data` plus `byte_offset`.
    ///
    /// Not to be used if there are no elements: it can be NULL, or point anywhere. It need not be
    /// aligned for the element type either: see [`is_aligned`](Self::is_aligned).
    pub fn first(&self) -> *mut c_void {
        self.first
    }

    /// The bytes that the elements touch, relative to the first element.
    pub fn span(&self) -> ByteSpan {
        self.span
    }

    /// The lowest byte that an element touches; [`span().len()`](ByteSpan::len) bytes follow.
    pub fn lowest(&self) -> *mut c_void {
        self.first.wrapping_byte_offset(self.span.low)
    }

    /// Whether the elements lie next to each other in C order. Dimensions of extent 1 don't
    /// matter, and a tensor without elements always is.
    pub fn is_c_contiguous(&self) -> bool {
        if self.size == 0 || matches!(self.strides, Strides::Inline(_) | Strides::Heap(_)) {
            return true;
        }
        let mut expected: i64 = 1;
        for (&extent, &stride) in self.shape().iter().zip(self.strides()).rev() {
            if extent != 1 {
                if stride != expected {
                    return false;
                }
                // Partial products of a product that was checked.
                expected *= extent;
            }
        }
        true
    }

    /// Whether every element is at an address that is a multiple of `alignment` bytes. True if
    /// there are no elements; false for an alignment of 0.
    pub fn is_aligned(&self, alignment: usize) -> bool {
        if self.size == 0 {
            return alignment != 0;
        }
        let aligned = |address: usize| alignment != 0 && address.is_multiple_of(alignment);
        if !aligned(self.first.addr()) {
            return false;
        }
        let Some(item) = self.item_size() else {
            return alignment == 1;
        };
        aligned(item)
            || self
                .shape()
                .iter()
                .zip(self.strides())
                .all(|(&extent, &stride)| extent == 1 || aligned((stride.unsigned_abs() as usize).wrapping_mul(item)))
    }

    /// The elements as a slice, if they are whole items of the size of `T` in C order, in memory
    /// the host can read, and aligned for `T`. Without elements the slice is empty, wherever
    /// `data` points to.
    ///
    /// ```
    /// # use strictarray_dlpack::TensorView;
    /// # use strictarray_dlpack::ffi::{DLDataType, DLDevice, DLTensor};
    /// # let mut data = [1u16, 2, 3];
    /// # let mut shape = [3];
    /// # let tensor = DLTensor {
    /// #     data: data.as_mut_ptr().cast(),
    /// #     device: DLDevice::CPU,
    /// #     ndim: 1,
    /// #     dtype: DLDataType::UINT16,
    /// #     shape: shape.as_mut_ptr(),
    /// #     strides: core::ptr::null_mut(),
    /// #     byte_offset: 0,
    /// # };
    /// # // SAFETY: the shape is one integer.
    /// # let view = unsafe { TensorView::check(&tensor) }?;
    /// assert_eq!(view.dtype(), DLDataType::UINT16);
    /// // SAFETY: three numbers, which nobody writes to.
    /// assert_eq!(unsafe { view.as_slice::<u16>() }, Some(&[1, 2, 3][..]));
    /// // SAFETY: no slice comes of it.
    /// assert_eq!(unsafe { view.as_slice::<u32>() }, None);
    /// # Ok::<(), strictarray_dlpack::Invalid>(())
    /// ```
    ///
    /// # Safety
    ///
    /// The elements must be initialised, valid for `T` whatever their type code says, and alive,
    /// and nobody may write to them while the slice is in use.
    pub unsafe fn as_slice<T>(&self) -> Option<&[T]> {
        if self.item_size() != Some(size_of::<T>())
            || !self.device.is_host_accessible()
            || !self.is_c_contiguous()
            || !self.is_aligned(align_of::<T>())
        {
            return None;
        }
        if self.size == 0 {
            return Some(&[]);
        }
        // SAFETY: not NULL, aligned, next to each other, and all bytes within `isize`; the caller
        // vouches for the rest.
        Some(unsafe { slice::from_raw_parts(self.first.cast::<T>(), self.size) })
    }

    /// Frees what the view allocated for computed strides; it is not to be used afterwards.
    pub(crate) fn forget_strides(&mut self) {
        self.strides = Strides::Given(ptr::null());
        self.ndim = 0;
    }

    /// The same view, with a lifetime for which the caller vouches.
    ///
    /// # Safety
    ///
    /// The memory of shape and strides must outlive every use of the result.
    pub(crate) unsafe fn extend<'b>(self) -> TensorView<'b> {
        TensorView { borrows: PhantomData, ..self }
    }
}

impl fmt::Debug for TensorView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TensorView")
            .field("first", &self.first)
            .field("device", &format_args!("{}", self.device))
            .field("dtype", &format_args!("{}", self.dtype))
            .field("shape", &self.shape())
            .field("strides", &self.strides())
            .field("span", &self.span)
            .finish()
    }
}

/// The strides of C order. The product of the extents that are not 0 was checked.
fn c_order(extents: &[i64]) -> Strides {
    let fill = |strides: &mut [i64]| {
        let mut step: i64 = 1;
        for (stride, &extent) in strides.iter_mut().zip(extents).rev() {
            *stride = step;
            step *= extent.max(1);
        }
    };
    let mut inline = [0; INLINE];
    if let Some(strides) = inline.get_mut(..extents.len()) {
        fill(strides);
        Strides::Inline(inline)
    } else {
        let mut strides = vec![0; extents.len()].into_boxed_slice();
        fill(&mut strides);
        Strides::Heap(strides)
    }
}

/// A slice of `len` integers; an empty one does not look at the pointer.
///
/// # Safety
///
/// If `len` > 0, `pointer` is aligned and points to `len` integers that live for `'a`.
unsafe fn slice_of<'a>(pointer: *const i64, len: usize) -> &'a [i64] {
    if len == 0 {
        &[]
    } else {
        // SAFETY: the caller's contract.
        unsafe { slice::from_raw_parts(pointer, len) }
    }
}
