//! Owned tensors on the producer's side.
//!
//! [`Export`] makes the managed tensor that a consumer frees later through its deleter. It is one
//! block of memory: the C struct, the owner that keeps the data alive, shape and strides.
//!
//! The deleter drops the owner and frees the block. It can run on any thread, which is why the
//! owner is [`Send`]. If the owner's [`Drop`] panics, the panic ends there and does not reach the
//! consumer (with `panic = "abort"` the process ends, as with every panic).

use core::ffi::c_void;
use core::mem::{self, ManuallyDrop};
use core::ptr::{self, NonNull};
use std::alloc::{self, Layout};
use std::panic::{self, AssertUnwindSafe};

use crate::error::{ExportError, Invalid};
use crate::ffi::*;
use crate::flags::Flags;
use crate::import::RawTensor;
use crate::view::{MAX_NDIM, TensorView};

/// The extents of a tensor to export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extents<'a> {
    /// As DLPack has them.
    I64(&'a [i64]),
    /// As Rust has them.
    Usize(&'a [usize]),
}

impl Extents<'_> {
    /// The number of dimensions.
    pub const fn ndim(self) -> usize {
        match self {
            Self::I64(extents) => extents.len(),
            Self::Usize(extents) => extents.len(),
        }
    }
}

impl<'a> From<&'a [i64]> for Extents<'a> {
    fn from(extents: &'a [i64]) -> Self {
        Self::I64(extents)
    }
}

impl<'a> From<&'a [usize]> for Extents<'a> {
    fn from(extents: &'a [usize]) -> Self {
        Self::Usize(extents)
    }
}

impl<'a, const N: usize> From<&'a [i64; N]> for Extents<'a> {
    fn from(extents: &'a [i64; N]) -> Self {
        Self::I64(extents)
    }
}

impl<'a, const N: usize> From<&'a [usize; N]> for Extents<'a> {
    fn from(extents: &'a [usize; N]) -> Self {
        Self::Usize(extents)
    }
}

/// The strides of a tensor to export. They are written in every case, as DLPack 1.2 asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecStrides<'a> {
    /// C order, to be computed.
    COrder,
    /// In elements, as DLPack has them.
    Elements(&'a [i64]),
    /// In bytes. Each must be a whole number of elements, except where it leads to no element.
    Bytes(&'a [isize]),
}

/// What a tensor to export looks like.
#[derive(Clone, Copy, Debug)]
pub struct TensorSpec<'a> {
    /// Address or handle of the data. For a tensor without elements NULL is exported instead, as
    /// DLPack asks.
    pub data: *mut c_void,
    /// Where the data lives.
    pub device: DLDevice,
    /// Type of one element.
    pub dtype: DLDataType,
    /// The extents.
    pub shape: Extents<'a>,
    /// The strides.
    pub strides: SpecStrides<'a>,
    /// Bytes from `data` to the first element. Some consumers ignore it: 0 is the safest.
    pub byte_offset: u64,
    /// What the consumer must know.
    pub flags: Flags,
}

impl<'a> TensorSpec<'a> {
    /// A tensor in C order, without flags. The fields can be changed afterwards.
    pub fn new(data: *mut c_void, device: DLDevice, dtype: DLDataType, shape: impl Into<Extents<'a>>) -> Self {
        Self {
            data,
            device,
            dtype,
            shape: shape.into(),
            strides: SpecStrides::COrder,
            byte_offset: 0,
            flags: Flags::NONE,
        }
    }
}

/// A tensor about to be exported.
///
/// ```
/// use strictarray_dlpack::ffi::{DLDataType, DLDevice};
/// use strictarray_dlpack::{Export, OwnedTensor, TensorSpec};
///
/// let mut owner = vec![1i32, 2, 3, 4, 5, 6];
/// let data = owner.as_mut_ptr().cast();
/// let spec = TensorSpec::new(data, DLDevice::CPU, DLDataType::INT32, &[2usize, 3]);
/// // SAFETY: the vector keeps six integers at `data` until it is dropped.
/// let tensor = unsafe { Export::new(owner, spec) }.into_versioned()?;
///
/// // ... `tensor` crosses to another library, which calls the deleter in the end:
/// // SAFETY: a tensor just exported, given away here.
/// let imported = unsafe { OwnedTensor::from_versioned(tensor.as_ptr()) }?;
/// assert_eq!(imported.view().strides(), [3, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing is exported before `into_versioned` or `into_legacy`"]
pub struct Export<'a, T> {
    owner: T,
    spec: TensorSpec<'a>,
}

impl<'a, T: Send + 'static> Export<'a, T> {
    /// Pairs a description with what keeps its data alive.
    ///
    /// # Safety
    ///
    /// Until `owner` is dropped, on whatever thread, all elements that `spec` describes must be
    /// valid to read, and to write unless [`Flags::READ_ONLY`] is set. A `data` that is NULL or a
    /// handle must mean what DLPack says it means for the device.
    pub unsafe fn new(owner: T, spec: TensorSpec<'a>) -> Self {
        Self { owner, spec }
    }

    /// Makes a versioned tensor, which carries [`DLPackVersion::CURRENT`].
    ///
    /// Whoever gets the pointer owns the tensor and must see to it that its deleter is called.
    ///
    /// # Errors
    ///
    /// [`ExportError`] says what is wrong with the spec. The owner is dropped.
    pub fn into_versioned(self) -> Result<NonNull<DLManagedTensorVersioned>, ExportError> {
        build(self.owner, self.spec)
    }

    /// Makes a legacy tensor, for consumers that don't know versions.
    ///
    /// Whoever gets the pointer owns the tensor and must see to it that its deleter is called.
    ///
    /// # Errors
    ///
    /// [`ExportError`] says what is wrong with the spec; in particular, it can't be
    /// [read-only](ExportError::LegacyReadOnly). The owner is dropped.
    pub fn into_legacy(self) -> Result<NonNull<DLManagedTensor>, ExportError> {
        if self.spec.flags.read_only() {
            return Err(ExportError::LegacyReadOnly);
        }
        if self.spec.flags.subbyte_padded() && !self.spec.dtype.item_bits().is_multiple_of(8) {
            return Err(ExportError::LegacyPadded);
        }
        build(self.owner, self.spec)
    }

    /// Makes a tensor of the kind asked for.
    ///
    /// # Errors
    ///
    /// As for [`into_versioned`](Self::into_versioned) and [`into_legacy`](Self::into_legacy).
    pub fn into_raw(self, versioned: bool) -> Result<RawTensor, ExportError> {
        if versioned {
            self.into_versioned().map(RawTensor::Versioned)
        } else {
            self.into_legacy().map(RawTensor::Legacy)
        }
    }
}

/// The two structs that can head a block.
trait Managed: Sized {
    fn assemble(
        tensor: DLTensor,
        flags: Flags,
        manager_ctx: *mut c_void,
        deleter: unsafe extern "C" fn(*mut Self),
    ) -> Self;
}

impl Managed for DLManagedTensor {
    fn assemble(
        dl_tensor: DLTensor,
        _: Flags,
        manager_ctx: *mut c_void,
        deleter: unsafe extern "C" fn(*mut Self),
    ) -> Self {
        Self { dl_tensor, manager_ctx, deleter: Some(deleter) }
    }
}

impl Managed for DLManagedTensorVersioned {
    fn assemble(
        dl_tensor: DLTensor,
        flags: Flags,
        manager_ctx: *mut c_void,
        deleter: unsafe extern "C" fn(*mut Self),
    ) -> Self {
        Self { version: DLPackVersion::CURRENT, manager_ctx, deleter: Some(deleter), flags: flags.bits(), dl_tensor }
    }
}

/// The head of a block; shape and strides follow.
#[repr(C)]
struct Block<M, T> {
    managed: M,
    /// Of the whole block. Kept here because the consumer can write to `managed`.
    layout: Layout,
    owner: ManuallyDrop<T>,
}

/// Memory that is freed unless it is kept.
struct Memory {
    start: NonNull<u8>,
    layout: Layout,
}

impl Memory {
    fn new(layout: Layout) -> Result<Self, ExportError> {
        // SAFETY: a block is never of size 0, as it begins with a C struct.
        NonNull::new(unsafe { alloc::alloc(layout) })
            .map(|start| Self { start, layout })
            .ok_or(ExportError::OutOfMemory { bytes: layout.size() })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout in `new`, and not kept.
        unsafe { alloc::dealloc(self.start.as_ptr(), self.layout) };
    }
}

fn build<M: Managed, T: Send + 'static>(owner: T, spec: TensorSpec<'_>) -> Result<NonNull<M>, ExportError> {
    let ndim = spec.shape.ndim();
    let dims = match i32::try_from(ndim) {
        Ok(dims) if ndim <= MAX_NDIM => dims,
        dims => {
            let got = dims.unwrap_or(i32::MAX);
            return Err(Invalid::Ndim { got }.into());
        }
    };
    let too_large = |_| ExportError::OutOfMemory { bytes: usize::MAX };
    let (layout, tail) = Layout::array::<i64>(2 * ndim)
        .and_then(|numbers| Layout::new::<Block<M, T>>().extend(numbers))
        .map_err(too_large)?;
    let memory = Memory::new(layout)?;

    let (shape, strides) = if ndim == 0 {
        if let SpecStrides::Elements([_, ..]) | SpecStrides::Bytes([_, ..]) = spec.strides {
            let got = spec.strides.len();
            return Err(ExportError::StridesLength { ndim, got });
        }
        (ptr::null_mut(), ptr::null_mut())
    } else {
        // SAFETY: the layout has room for `2 * ndim` integers from `tail` on.
        let numbers = unsafe { memory.start.as_ptr().add(tail) }.cast::<i64>();
        // SAFETY: in bounds and aligned, as above; written before it becomes a slice. The two
        // slices don't overlap.
        let (shape, strides) = unsafe {
            numbers.write_bytes(0, 2 * ndim);
            (core::slice::from_raw_parts_mut(numbers, ndim), core::slice::from_raw_parts_mut(numbers.add(ndim), ndim))
        };
        write_shape(shape, spec.shape)?;
        write_strides(strides, shape, spec)?;
        // SAFETY: in bounds, as above. The pointers come from that of the block, so that they are
        // good for as long as it is.
        (numbers, unsafe { numbers.add(ndim) })
    };

    let mut tensor = DLTensor {
        data: spec.data,
        device: spec.device,
        ndim: dims,
        dtype: spec.dtype,
        shape,
        strides,
        byte_offset: spec.byte_offset,
    };
    // SAFETY: shape and strides were written just now.
    let size = unsafe { TensorView::check_with_flags(&tensor, spec.flags) }?.size();
    if size == 0 {
        tensor.data = ptr::null_mut();
        tensor.byte_offset = 0;
    }

    let layout = memory.layout;
    let block = memory.start.cast::<Block<M, T>>();
    // From here on nothing fails: the memory belongs to the tensor.
    mem::forget(memory);
    let managed =
        M::assemble(tensor, spec.flags, block.as_ptr().cast(), delete::<M, T> as unsafe extern "C" fn(*mut M));
    // SAFETY: fresh memory with the layout of a block at its start.
    unsafe {
        block.write(Block { managed, layout, owner: ManuallyDrop::new(owner) });
    }
    Ok(block.cast())
}

impl SpecStrides<'_> {
    fn len(&self) -> usize {
        match self {
            Self::COrder => 0,
            Self::Elements(strides) => strides.len(),
            Self::Bytes(strides) => strides.len(),
        }
    }
}

fn write_shape(shape: &mut [i64], extents: Extents<'_>) -> Result<(), ExportError> {
    match extents {
        Extents::I64(extents) => shape.copy_from_slice(extents),
        Extents::Usize(extents) => {
            for (dim, (to, &from)) in shape.iter_mut().zip(extents).enumerate() {
                *to = i64::try_from(from).map_err(|_| ExportError::Extent { dim, got: from })?;
            }
        }
    }
    Ok(())
}

fn write_strides(strides: &mut [i64], shape: &[i64], spec: TensorSpec<'_>) -> Result<(), ExportError> {
    let ndim = shape.len();
    let got = spec.strides.len();
    if got != ndim && spec.strides != SpecStrides::COrder {
        return Err(ExportError::StridesLength { ndim, got });
    }
    match spec.strides {
        SpecStrides::COrder => {
            let mut step: i64 = 1;
            for (stride, &extent) in strides.iter_mut().zip(shape).rev() {
                *stride = step;
                // If this overflows, so does the size, which is checked after this.
                step = step.wrapping_mul(extent.max(1));
            }
        }
        SpecStrides::Elements(from) => strides.copy_from_slice(from),
        SpecStrides::Bytes(from) => {
            let empty = shape.contains(&0);
            let bits = spec.dtype.item_bits();
            let item_bits = if spec.flags.subbyte_padded() { bits.next_multiple_of(8) } else { bits };
            if item_bits == 0 {
                // The check that follows says which of bits and lanes is wrong.
                return Ok(());
            }
            for (dim, ((to, &stride), &extent)) in strides.iter_mut().zip(from).zip(shape).enumerate() {
                let (quotient, rest) = if item_bits.is_multiple_of(8) {
                    let item = i64::from(item_bits / 8);
                    (stride as i64 / item, stride as i64 % item)
                } else {
                    let (stride, item) = (stride as i128 * 8, i128::from(item_bits));
                    let quotient = i64::try_from(stride / item);
                    let rest = i64::from(stride % item != 0 || quotient.is_err());
                    (quotient.unwrap_or(0), rest)
                };
                if rest != 0 && extent > 1 && !empty {
                    return Err(ExportError::StrideNotWhole { dim, stride, item_bits });
                }
                *to = quotient;
            }
        }
    }
    Ok(())
}

/// The deleter of every exported tensor.
///
/// # Safety
///
/// `this` was made by `build::<M, T>` and is not used afterwards.
unsafe extern "C" fn delete<M, T>(this: *mut M) {
    let block = this.cast::<Block<M, T>>();
    if block.is_null() {
        return;
    }
    // SAFETY: the head of a live block.
    let layout = unsafe { (&raw const (*block).layout).read() };
    contain(|| {
        // SAFETY: the owner was moved in once and is dropped here, once.
        unsafe { ptr::drop_in_place((&raw mut (*block).owner).cast::<T>()) };
    });
    // SAFETY: allocated with this layout.
    unsafe { alloc::dealloc(block.cast(), layout) };
}

/// Runs something and ends any panic in it. The payload of a panic can itself panic when it is
/// dropped, with a payload that can do the same: after some rounds of that it is leaked.
fn contain(run: impl FnOnce()) {
    let mut outcome = panic::catch_unwind(AssertUnwindSafe(run));
    for _ in 0..8 {
        match outcome {
            Ok(()) => return,
            Err(payload) => outcome = panic::catch_unwind(AssertUnwindSafe(|| drop(payload))),
        }
    }
    mem::forget(outcome);
}
