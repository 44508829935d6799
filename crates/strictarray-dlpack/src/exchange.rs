//! The table for exchange in C: [`DLPackExchangeAPI`].
//!
//! A producer puts one table, which lives as long as the process, where consumers find it. Its
//! functions return 0, or -1 with an error set. Three of them depend on the host language and are
//! the producer's to write; for a producer in host memory [`allocate_host`] and
//! [`host_work_stream`] are the other two.
//!
//! ```
//! use core::ffi::{c_int, c_void};
//! use strictarray_dlpack::exchange::{allocate_host, host_work_stream};
//! use strictarray_dlpack::ffi::{DLManagedTensorVersioned, DLPackExchangeAPI};
//!
//! unsafe extern "C" fn export(_: *mut c_void, _: *mut *mut DLManagedTensorVersioned) -> c_int {
//!     -1 // ... and an error set as the host language does
//! }
//! unsafe extern "C" fn import(_: *mut DLManagedTensorVersioned, _: *mut *mut c_void) -> c_int {
//!     -1
//! }
//!
//! static TABLE: DLPackExchangeAPI =
//!     DLPackExchangeAPI::new(allocate_host, export, import, host_work_stream);
//! assert!(TABLE.is_complete());
//! ```

use core::ffi::{CStr, c_char, c_int, c_void};
use core::fmt::{self, Write};
use core::ptr::{self, NonNull};
use std::alloc::{self, Layout};

use crate::error::{ExportError, Invalid};
use crate::export::{Export, Extents, TensorSpec};
use crate::ffi::*;
use crate::view::TensorView;

/// Alignment of memory from [`allocate_host`]: a cache line, enough for every vector unit.
pub const HOST_ALIGNMENT: usize = 64;

// SAFETY: the tables are only read, and what their pointers lead to lives as long as the process;
// using those pointers is unsafe by itself.
unsafe impl Send for DLPackExchangeAPIHeader {}
// SAFETY: as above.
unsafe impl Sync for DLPackExchangeAPIHeader {}

impl DLPackExchangeAPI {
    /// A table of version [`DLPackVersion::CURRENT`] with the functions that every table has.
    ///
    /// Add the optional one with
    /// [`with_dltensor_from_py_object`](Self::with_dltensor_from_py_object).
    pub const fn new(
        allocator: unsafe extern "C" fn(
            *mut DLTensor,
            *mut *mut DLManagedTensorVersioned,
            *mut c_void,
            DLPackSetError,
        ) -> c_int,
        from_py_object: unsafe extern "C" fn(*mut c_void, *mut *mut DLManagedTensorVersioned) -> c_int,
        to_py_object: unsafe extern "C" fn(*mut DLManagedTensorVersioned, *mut *mut c_void) -> c_int,
        current_work_stream: unsafe extern "C" fn(DLDeviceType, i32, *mut *mut c_void) -> c_int,
    ) -> Self {
        Self {
            header: DLPackExchangeAPIHeader { version: DLPackVersion::CURRENT, prev_api: ptr::null_mut() },
            managed_tensor_allocator: Some(allocator),
            managed_tensor_from_py_object_no_sync: Some(from_py_object),
            managed_tensor_to_py_object_no_sync: Some(to_py_object),
            dltensor_from_py_object_no_sync: None,
            current_work_stream: Some(current_work_stream),
        }
    }

    /// The same table with the function that describes an object for the time of one call.
    #[must_use]
    pub const fn with_dltensor_from_py_object(
        mut self,
        function: unsafe extern "C" fn(*mut c_void, *mut DLTensor) -> c_int,
    ) -> Self {
        self.dltensor_from_py_object_no_sync = Some(function);
        self
    }

    /// Whether every function is there that must be.
    pub const fn is_complete(&self) -> bool {
        self.managed_tensor_allocator.is_some()
            && self.managed_tensor_from_py_object_no_sync.is_some()
            && self.managed_tensor_to_py_object_no_sync.is_some()
            && self.current_work_stream.is_some()
    }

    /// The newest table of our major version in a chain, or `None` if there is none.
    ///
    /// At most 64 tables are looked at, so that a chain in a circle has an end.
    ///
    /// # Safety
    ///
    /// `header` is NULL or leads to a table that lives as long as the process, and so does each
    /// `prev_api` in turn.
    pub unsafe fn find(header: *const DLPackExchangeAPIHeader) -> Option<&'static Self> {
        let mut header = header;
        for _ in 0..64 {
            if header.is_null() || !header.is_aligned() {
                return None;
            }
            // SAFETY: neither NULL nor misaligned, and live by the caller's contract.
            let found = unsafe { &*header };
            if found.version.major == DLPACK_MAJOR_VERSION {
                // SAFETY: a header of this version is the start of a whole table.
                return Some(unsafe { &*header.cast::<Self>() });
            }
            header = found.prev_api;
        }
        None
    }
}

/// Zeroed, aligned host memory.
struct HostMemory {
    block: NonNull<u8>,
    layout: Layout,
    /// The first address in the block with the alignment asked for.
    start: NonNull<u8>,
}

// SAFETY: a plain allocation, which any thread may free.
unsafe impl Send for HostMemory {}

impl HostMemory {
    fn new(bytes: usize) -> Result<Self, ExportError> {
        let out_of_memory = ExportError::OutOfMemory { bytes };
        // An allocator gets zeroed pages from the system for free, but only at the alignment it
        // has anyway: with a greater one it writes all the zeros itself, and so makes every page
        // of a tensor resident, however large. Hence the alignment is made here.
        let layout = bytes
            .checked_add(HOST_ALIGNMENT)
            .and_then(|bytes| Layout::from_size_align(bytes, align_of::<usize>()).ok())
            .ok_or(out_of_memory)?;
        // SAFETY: the size is not 0.
        let block = NonNull::new(unsafe { alloc::alloc_zeroed(layout) }).ok_or(out_of_memory)?;
        let skip = block.addr().get().wrapping_neg() % HOST_ALIGNMENT;
        // SAFETY: less than the alignment, by which the block is longer than what is asked for.
        let start = unsafe { block.add(skip) };
        Ok(Self { block, layout, start })
    }
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { alloc::dealloc(self.block.as_ptr(), self.layout) };
    }
}

/// Why [`allocate_like`] could not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AllocateError {
    /// The prototype is NULL or misaligned.
    Prototype,
    /// There is nowhere to put the result: `out` is NULL or misaligned.
    Out,
    /// The prototype is not for host memory.
    Device(DLDevice),
    /// The prototype is wrong, or there is no memory.
    Export(ExportError),
}

impl AllocateError {
    /// The name of a Python exception that fits, as a [`DLPackSetError`] takes it.
    pub const fn kind(self) -> &'static CStr {
        match self {
            Self::Export(ExportError::OutOfMemory { .. }) => c"MemoryError",
            Self::Prototype | Self::Out => c"ValueError",
            Self::Device(_) | Self::Export(_) => c"BufferError",
        }
    }
}

impl From<ExportError> for AllocateError {
    fn from(error: ExportError) -> Self {
        Self::Export(error)
    }
}

impl From<Invalid> for AllocateError {
    fn from(error: Invalid) -> Self {
        Self::Export(error.into())
    }
}

impl fmt::Display for AllocateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prototype => f.write_str("the prototype of the tensor is NULL or misaligned"),
            Self::Out => f.write_str("the place for the new tensor is NULL or misaligned"),
            Self::Device(device) => {
                write!(f, "no tensor can be allocated on {device}; only on {}", DLDevice::CPU)
            }
            Self::Export(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for AllocateError {}

/// Allocates a tensor in host memory, zeroed, in C order, aligned to [`HOST_ALIGNMENT`], with the
/// shape and type of a prototype. The other fields of the prototype, except for its device, are
/// not looked at.
///
/// The memory is zeroed so that a consumer in Rust may read it before it is written to.
///
/// # Errors
///
/// [`AllocateError`], if the prototype is wrong, on another device, or too large.
///
/// # Safety
///
/// If `ndim` of the prototype is within 1 to [`MAX_NDIM`](crate::MAX_NDIM), its `shape`, where neither NULL nor
/// misaligned, must point to as many readable integers.
pub unsafe fn allocate_like(prototype: &DLTensor) -> Result<NonNull<DLManagedTensorVersioned>, AllocateError> {
    if prototype.device.device_type != device_type::CPU {
        return Err(AllocateError::Device(prototype.device));
    }
    let described = DLTensor {
        // Not NULL, as the check asks for it; nothing is read there.
        data: ptr::without_provenance_mut(HOST_ALIGNMENT),
        strides: ptr::null_mut(),
        byte_offset: 0,
        ..*prototype
    };
    // SAFETY: the caller's contract.
    let view = unsafe { TensorView::check(&described) }?;
    // Whole bytes for each element, which is what the header of DLPack computes for a tensor.
    let bytes =
        view.size().checked_mul(view.dtype().item_bytes()).ok_or(ExportError::OutOfMemory { bytes: usize::MAX })?;
    let owner = HostMemory::new(bytes)?;
    let spec = TensorSpec::new(owner.start.as_ptr().cast(), DLDevice::CPU, view.dtype(), Extents::I64(view.shape()));
    // SAFETY: the memory has room for every element, and lives as long as its owner.
    Ok(unsafe { Export::new(owner, spec) }.into_versioned()?)
}

/// [`allocate_like`] as the `managed_tensor_allocator` of a table.
///
/// On failure `*out` is NULL, `set_error` was called once with the name of a Python exception and
/// a message, and the result is -1.
///
/// # Safety
///
/// `prototype` and `out`, where neither NULL nor misaligned, are live; the prototype is as
/// [`allocate_like`] asks; `set_error`, if there is one, can be called with `error_ctx`.
pub unsafe extern "C" fn allocate_host(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    error_ctx: *mut c_void,
    set_error: DLPackSetError,
) -> c_int {
    let result = if out.is_null() || !out.is_aligned() {
        Err(AllocateError::Out)
    } else if prototype.is_null() || !prototype.is_aligned() {
        // SAFETY: neither NULL nor misaligned, and live by the caller's contract.
        unsafe { out.write(ptr::null_mut()) };
        Err(AllocateError::Prototype)
    } else {
        // SAFETY: neither NULL nor misaligned, and live by the caller's contract. A copy, as the
        // caller may let `out` and the prototype be in one struct.
        let prototype = unsafe { prototype.read() };
        // SAFETY: the caller's contract.
        let result = unsafe { allocate_like(&prototype) };
        let tensor = result.map_or(ptr::null_mut(), NonNull::as_ptr);
        // SAFETY: as above.
        unsafe { out.write(tensor) };
        result.map(|_| ())
    };
    match result {
        Ok(()) => 0,
        Err(error) => {
            // SAFETY: the caller's contract.
            unsafe { report(error_ctx, set_error, error.kind(), &error) };
            -1
        }
    }
}

/// The `current_work_stream` of a table whose tensors are all in host memory: there are no
/// streams, so it is always NULL.
///
/// Returns -1, without an error set, only if there is nowhere to write to.
///
/// # Safety
///
/// `out_current_stream` is NULL, misaligned, or can be written to.
pub unsafe extern "C" fn host_work_stream(
    _device_type: DLDeviceType,
    _device_id: i32,
    out_current_stream: *mut *mut c_void,
) -> c_int {
    if out_current_stream.is_null() || !out_current_stream.is_aligned() {
        return -1;
    }
    // SAFETY: neither NULL nor misaligned, and writable by the caller's contract.
    unsafe { out_current_stream.write(ptr::null_mut()) };
    0
}

/// Calls a [`DLPackSetError`], if there is one, with a message of at most 255 bytes. Does not
/// allocate: the error may be that there is no memory.
///
/// # Safety
///
/// `set_error`, if there is one, can be called with `error_ctx`.
pub unsafe fn report(error_ctx: *mut c_void, set_error: DLPackSetError, kind: &CStr, message: &dyn fmt::Display) {
    if let Some(set_error) = set_error {
        let mut text = Message::default();
        // What does not fit is cut off.
        let _ = write!(text, "{message}");
        // SAFETY: the caller's contract; both texts end with a NUL.
        unsafe { set_error(error_ctx, kind.as_ptr(), text.as_ptr()) };
    }
}

/// A text of limited length with a NUL at its end.
struct Message {
    bytes: [u8; 256],
    len: usize,
}

impl Default for Message {
    fn default() -> Self {
        Self { bytes: [0; 256], len: 0 }
    }
}

impl Message {
    fn as_ptr(&self) -> *const c_char {
        self.bytes.as_ptr().cast()
    }
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // The last byte stays NUL.
        let room = self.bytes.len() - 1 - self.len;
        let mut take = text.len().min(room);
        while !text.is_char_boundary(take) {
            take -= 1;
        }
        let (Some(to), Some(from)) = (self.bytes.get_mut(self.len..self.len + take), text.as_bytes().get(..take))
        else {
            return Err(fmt::Error);
        };
        to.copy_from_slice(from);
        self.len += take;
        if take == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}
