//! The C structs and constants of DLPack 1.3, field for field.
//!
//! Everything the other side can write is a plain integer here, never a Rust enum: an unknown
//! device type, type code or version is a value like any other, not undefined behaviour.
//!
//! Structs and fields have the names of the C header, so that its documentation applies. On 64-bit targets the
//! layouts are asserted at compile time.

use core::ffi::{CStr, c_char, c_int, c_void};

/// The major version of the ABI this crate speaks.
pub const DLPACK_MAJOR_VERSION: u32 = 1;
/// The minor version this crate writes into the tensors it exports.
pub const DLPACK_MINOR_VERSION: u32 = 3;

/// Flag: the consumer must not write to the data.
pub const DLPACK_FLAG_BITMASK_READ_ONLY: u64 = 1;
/// Flag: the producer made a copy, which nobody else sees.
pub const DLPACK_FLAG_BITMASK_IS_COPIED: u64 = 1 << 1;
/// Flag: elements narrower than a byte take a whole byte each instead of being packed.
pub const DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED: u64 = 1 << 2;

/// Name of a capsule that holds a [`DLManagedTensor`].
pub const CAPSULE_LEGACY: &CStr = c"dltensor";
/// Name of such a capsule after a consumer took the tensor.
pub const CAPSULE_LEGACY_USED: &CStr = c"used_dltensor";
/// Name of a capsule that holds a [`DLManagedTensorVersioned`].
pub const CAPSULE_VERSIONED: &CStr = c"dltensor_versioned";
/// Name of such a capsule after a consumer took the tensor.
pub const CAPSULE_VERSIONED_USED: &CStr = c"used_dltensor_versioned";
/// Name of the capsule that holds a [`DLPackExchangeAPI`].
pub const CAPSULE_EXCHANGE_API: &CStr = c"dlpack_exchange_api";

/// What a device is, as a plain integer; the known values are in [`device_type`].
pub type DLDeviceType = i32;

/// The device types of DLPack 1.3.
pub mod device_type {
    use super::DLDeviceType;

    /// Host memory.
    ///
    /// C: `kDLCPU`.
    pub const CPU: DLDeviceType = 1;
    /// Memory of a CUDA device.
    ///
    /// C: `kDLCUDA`.
    pub const CUDA: DLDeviceType = 2;
    /// Host memory pinned by CUDA.
    ///
    /// C: `kDLCUDAHost`.
    pub const CUDA_HOST: DLDeviceType = 3;
    /// An OpenCL buffer: `data` is a handle, not an address.
    ///
    /// C: `kDLOpenCL`.
    pub const OPENCL: DLDeviceType = 4;
    /// A Vulkan buffer.
    ///
    /// C: `kDLVulkan`.
    pub const VULKAN: DLDeviceType = 7;
    /// A Metal buffer.
    ///
    /// C: `kDLMetal`.
    pub const METAL: DLDeviceType = 8;
    /// A buffer of the Verilog simulator.
    ///
    /// C: `kDLVPI`.
    pub const VPI: DLDeviceType = 9;
    /// Memory of a ROCm device.
    ///
    /// C: `kDLROCM`.
    pub const ROCM: DLDeviceType = 10;
    /// Host memory pinned by ROCm.
    ///
    /// C: `kDLROCMHost`.
    pub const ROCM_HOST: DLDeviceType = 11;
    /// For experiments: what it means is between producer and consumer.
    ///
    /// C: `kDLExtDev`.
    pub const EXT_DEV: DLDeviceType = 12;
    /// Memory managed by CUDA, reachable from host and device.
    ///
    /// C: `kDLCUDAManaged`.
    pub const CUDA_MANAGED: DLDeviceType = 13;
    /// Unified shared memory of oneAPI.
    ///
    /// C: `kDLOneAPI`.
    pub const ONE_API: DLDeviceType = 14;
    /// A WebGPU buffer.
    ///
    /// C: `kDLWebGPU`.
    pub const WEBGPU: DLDeviceType = 15;
    /// Memory of a Hexagon signal processor.
    ///
    /// C: `kDLHexagon`.
    pub const HEXAGON: DLDeviceType = 16;
    /// Memory of a MAIA device.
    ///
    /// C: `kDLMAIA`.
    pub const MAIA: DLDeviceType = 17;
    /// Memory of a Trainium device.
    ///
    /// C: `kDLTrn`.
    pub const TRN: DLDeviceType = 18;
}

/// The type codes of DLPack 1.3.
pub mod type_code {
    /// Signed integer.
    ///
    /// C: `kDLInt`.
    pub const INT: u8 = 0;
    /// Unsigned integer.
    ///
    /// C: `kDLUInt`.
    pub const UINT: u8 = 1;
    /// IEEE 754 binary floating point.
    ///
    /// C: `kDLFloat`.
    pub const FLOAT: u8 = 2;
    /// A handle whose meaning is between producer and consumer.
    ///
    /// C: `kDLOpaqueHandle`.
    pub const OPAQUE_HANDLE: u8 = 3;
    /// bfloat16.
    ///
    /// C: `kDLBfloat`.
    pub const BFLOAT: u8 = 4;
    /// Complex; `bits` counts both parts together.
    ///
    /// C: `kDLComplex`.
    pub const COMPLEX: u8 = 5;
    /// Boolean, stored in 8 bits.
    ///
    /// C: `kDLBool`.
    pub const BOOL: u8 = 6;
    /// 8-bit float, 3 exponent and 4 mantissa bits.
    ///
    /// C: `kDLFloat8_e3m4`.
    pub const FLOAT8_E3M4: u8 = 7;
    /// 8-bit float, 4 exponent and 3 mantissa bits.
    ///
    /// C: `kDLFloat8_e4m3`.
    pub const FLOAT8_E4M3: u8 = 8;
    /// 8-bit float e4m3, bias 11, finite, no negative zero.
    ///
    /// C: `kDLFloat8_e4m3b11fnuz`.
    pub const FLOAT8_E4M3B11FNUZ: u8 = 9;
    /// 8-bit float e4m3, finite.
    ///
    /// C: `kDLFloat8_e4m3fn`.
    pub const FLOAT8_E4M3FN: u8 = 10;
    /// 8-bit float e4m3, finite, no negative zero.
    ///
    /// C: `kDLFloat8_e4m3fnuz`.
    pub const FLOAT8_E4M3FNUZ: u8 = 11;
    /// 8-bit float, 5 exponent and 2 mantissa bits.
    ///
    /// C: `kDLFloat8_e5m2`.
    pub const FLOAT8_E5M2: u8 = 12;
    /// 8-bit float e5m2, finite, no negative zero.
    ///
    /// C: `kDLFloat8_e5m2fnuz`.
    pub const FLOAT8_E5M2FNUZ: u8 = 13;
    /// 8-bit exponent only, finite, unsigned.
    ///
    /// C: `kDLFloat8_e8m0fnu`.
    pub const FLOAT8_E8M0FNU: u8 = 14;
    /// 6-bit float, 2 exponent and 3 mantissa bits, finite.
    ///
    /// C: `kDLFloat6_e2m3fn`.
    pub const FLOAT6_E2M3FN: u8 = 15;
    /// 6-bit float, 3 exponent and 2 mantissa bits, finite.
    ///
    /// C: `kDLFloat6_e3m2fn`.
    pub const FLOAT6_E3M2FN: u8 = 16;
    /// 4-bit float, 2 exponent bits and 1 mantissa bit, finite.
    ///
    /// C: `kDLFloat4_e2m1fn`.
    pub const FLOAT4_E2M1FN: u8 = 17;
}

/// The version of the ABI a struct was written for.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DLPackVersion {
    /// Another major version means another layout.
    pub major: u32,
    /// Another minor version means more constants, in the same layout.
    pub minor: u32,
}

/// Where data lives.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DLDevice {
    /// One of [`device_type`], or anything else the producer wrote.
    pub device_type: DLDeviceType,
    /// Which device of that type; 0 for host memory.
    pub device_id: i32,
}

/// The type of one element.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DLDataType {
    /// One of [`type_code`], or anything else the producer wrote.
    pub code: u8,
    /// Bits of one lane.
    pub bits: u8,
    /// Lanes of one element; 1 except for vector types.
    pub lanes: u16,
}

/// A tensor that somebody else keeps alive.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DLTensor {
    /// Address or handle of the data. The first element is `byte_offset` bytes further on.
    pub data: *mut c_void,
    /// Where the data lives.
    pub device: DLDevice,
    /// Number of dimensions.
    pub ndim: i32,
    /// Type of one element.
    pub dtype: DLDataType,
    /// `ndim` extents; may be NULL if `ndim` is 0.
    pub shape: *mut i64,
    /// `ndim` strides, in elements. NULL if `ndim` is 0 and, before DLPack 1.2, for C order.
    pub strides: *mut i64,
    /// Bytes from `data` to the first element.
    pub byte_offset: u64,
}

/// Frees a [`DLManagedTensor`], itself included.
pub type DLManagedTensorDeleter = Option<unsafe extern "C" fn(this: *mut DLManagedTensor)>;

/// Frees a [`DLManagedTensorVersioned`], itself included.
pub type DLManagedTensorVersionedDeleter = Option<unsafe extern "C" fn(this: *mut DLManagedTensorVersioned)>;

/// A tensor with an owner, as it was before DLPack 1.0: no version, no flags.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DLManagedTensor {
    /// The tensor.
    pub dl_tensor: DLTensor,
    /// The producer's own; may be NULL.
    pub manager_ctx: *mut c_void,
    /// Frees everything; may be NULL.
    pub deleter: DLManagedTensorDeleter,
}

/// A tensor with an owner, a version and flags.
///
/// Every major version keeps the fields up to and including `flags` where they are, so that the
/// deleter of a tensor of an unknown major version can be called. Nothing else of it may be used.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DLManagedTensorVersioned {
    /// The version the producer wrote this struct for.
    pub version: DLPackVersion,
    /// The producer's own; may be NULL.
    pub manager_ctx: *mut c_void,
    /// Frees everything; may be NULL.
    pub deleter: DLManagedTensorVersionedDeleter,
    /// The `DLPACK_FLAG_BITMASK_…` bits; unknown ones are to be ignored.
    pub flags: u64,
    /// The tensor.
    pub dl_tensor: DLTensor,
}

/// How a [`DLPackManagedTensorAllocator`] reports an error: a kind such as `MemoryError` and a
/// message, both NUL-terminated.
pub type DLPackSetError =
    Option<unsafe extern "C" fn(error_ctx: *mut c_void, kind: *const c_char, message: *const c_char)>;

/// Allocates a tensor like a prototype, of which only dtype, shape and device count.
pub type DLPackManagedTensorAllocator = Option<
    unsafe extern "C" fn(
        prototype: *mut DLTensor,
        out: *mut *mut DLManagedTensorVersioned,
        error_ctx: *mut c_void,
        set_error: DLPackSetError,
    ) -> c_int,
>;

/// Exports an object of the host language as an owned tensor, without waiting for a stream.
pub type DLPackManagedTensorFromPyObjectNoSync =
    Option<unsafe extern "C" fn(py_object: *mut c_void, out: *mut *mut DLManagedTensorVersioned) -> c_int>;

/// Makes an object of the host language from an owned tensor, without waiting for a stream.
pub type DLPackManagedTensorToPyObjectNoSync =
    Option<unsafe extern "C" fn(tensor: *mut DLManagedTensorVersioned, out_py_object: *mut *mut c_void) -> c_int>;

/// Describes an object of the host language in a struct of the caller, for the time of one call.
pub type DLPackDLTensorFromPyObjectNoSync =
    Option<unsafe extern "C" fn(py_object: *mut c_void, out: *mut DLTensor) -> c_int>;

/// Gives the stream on which a device works at present.
pub type DLPackCurrentWorkStream = Option<
    unsafe extern "C" fn(device_type: DLDeviceType, device_id: i32, out_current_stream: *mut *mut c_void) -> c_int,
>;

/// What every version of [`DLPackExchangeAPI`] begins with.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DLPackExchangeAPIHeader {
    /// The version of this table.
    pub version: DLPackVersion,
    /// A table of an older major version, or NULL.
    pub prev_api: *mut DLPackExchangeAPIHeader,
}

/// A table of functions for exchange in C, without capsules. It lives as long as the process.
///
/// Every function returns 0, or -1 with an error set.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DLPackExchangeAPI {
    /// Version, and the way to older versions.
    pub header: DLPackExchangeAPIHeader,
    /// Never NULL.
    pub managed_tensor_allocator: DLPackManagedTensorAllocator,
    /// Never NULL.
    pub managed_tensor_from_py_object_no_sync: DLPackManagedTensorFromPyObjectNoSync,
    /// Never NULL.
    pub managed_tensor_to_py_object_no_sync: DLPackManagedTensorToPyObjectNoSync,
    /// NULL if the producer does not support it.
    pub dltensor_from_py_object_no_sync: DLPackDLTensorFromPyObjectNoSync,
    /// Never NULL.
    pub current_work_stream: DLPackCurrentWorkStream,
}

#[cfg(target_pointer_width = "64")]
const _: () = {
    use core::mem::{align_of, offset_of, size_of};

    assert!(size_of::<DLPackVersion>() == 8);
    assert!(offset_of!(DLPackVersion, major) == 0);
    assert!(offset_of!(DLPackVersion, minor) == 4);

    assert!(size_of::<DLDevice>() == 8);
    assert!(offset_of!(DLDevice, device_type) == 0);
    assert!(offset_of!(DLDevice, device_id) == 4);

    assert!(size_of::<DLDataType>() == 4);
    assert!(offset_of!(DLDataType, code) == 0);
    assert!(offset_of!(DLDataType, bits) == 1);
    assert!(offset_of!(DLDataType, lanes) == 2);

    assert!(size_of::<DLTensor>() == 48);
    assert!(align_of::<DLTensor>() == 8);
    assert!(offset_of!(DLTensor, data) == 0);
    assert!(offset_of!(DLTensor, device) == 8);
    assert!(offset_of!(DLTensor, ndim) == 16);
    assert!(offset_of!(DLTensor, dtype) == 20);
    assert!(offset_of!(DLTensor, shape) == 24);
    assert!(offset_of!(DLTensor, strides) == 32);
    assert!(offset_of!(DLTensor, byte_offset) == 40);

    assert!(size_of::<DLManagedTensor>() == 64);
    assert!(offset_of!(DLManagedTensor, dl_tensor) == 0);
    assert!(offset_of!(DLManagedTensor, manager_ctx) == 48);
    assert!(offset_of!(DLManagedTensor, deleter) == 56);

    assert!(size_of::<DLManagedTensorVersioned>() == 80);
    assert!(offset_of!(DLManagedTensorVersioned, version) == 0);
    assert!(offset_of!(DLManagedTensorVersioned, manager_ctx) == 8);
    assert!(offset_of!(DLManagedTensorVersioned, deleter) == 16);
    assert!(offset_of!(DLManagedTensorVersioned, flags) == 24);
    assert!(offset_of!(DLManagedTensorVersioned, dl_tensor) == 32);

    assert!(size_of::<DLPackExchangeAPIHeader>() == 16);
    assert!(offset_of!(DLPackExchangeAPIHeader, version) == 0);
    assert!(offset_of!(DLPackExchangeAPIHeader, prev_api) == 8);

    assert!(size_of::<DLPackExchangeAPI>() == 56);
    assert!(offset_of!(DLPackExchangeAPI, header) == 0);
    assert!(offset_of!(DLPackExchangeAPI, managed_tensor_allocator) == 16);
    assert!(offset_of!(DLPackExchangeAPI, managed_tensor_from_py_object_no_sync) == 24);
    assert!(offset_of!(DLPackExchangeAPI, managed_tensor_to_py_object_no_sync) == 32);
    assert!(offset_of!(DLPackExchangeAPI, dltensor_from_py_object_no_sync) == 40);
    assert!(offset_of!(DLPackExchangeAPI, current_work_stream) == 48);
};
