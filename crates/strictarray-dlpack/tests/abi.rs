//! Layouts and constants against a second, generated transcription of the C header.

use core::mem::{align_of, offset_of, size_of};

use dlpack_ffi as c;
use strictarray_dlpack::ffi;

macro_rules! same_layout {
    ($($name:ident { $($field:ident),* })*) => {$(
        assert_eq!(size_of::<ffi::$name>(), size_of::<c::$name>(), stringify!($name));
        assert_eq!(align_of::<ffi::$name>(), align_of::<c::$name>(), stringify!($name));
        $(assert_eq!(
            offset_of!(ffi::$name, $field),
            offset_of!(c::$name, $field),
            concat!(stringify!($name), ".", stringify!($field)),
        );)*
        // Exhaustive: a field that is not listed does not compile.
        let _ = |value: ffi::$name| { let ffi::$name { $($field: _),* } = value; };
        let _ = |value: c::$name| { let c::$name { $($field: _),* } = value; };
    )*};
}

#[test]
fn layouts() {
    same_layout! {
        DLPackVersion { major, minor }
        DLDevice { device_type, device_id }
        DLDataType { code, bits, lanes }
        DLTensor { data, device, ndim, dtype, shape, strides, byte_offset }
        DLManagedTensor { dl_tensor, manager_ctx, deleter }
        DLManagedTensorVersioned { version, manager_ctx, deleter, flags, dl_tensor }
        DLPackExchangeAPIHeader { version, prev_api }
        DLPackExchangeAPI {
            header,
            managed_tensor_allocator,
            managed_tensor_from_py_object_no_sync,
            managed_tensor_to_py_object_no_sync,
            dltensor_from_py_object_no_sync,
            current_work_stream
        }
    }
    assert_eq!(size_of::<ffi::DLDeviceType>(), size_of::<c::DLDeviceType>());
}

#[test]
fn version_and_flags() {
    assert_eq!(ffi::DLPACK_MAJOR_VERSION, c::DLPACK_MAJOR_VERSION);
    assert_eq!(ffi::DLPACK_MINOR_VERSION, c::DLPACK_MINOR_VERSION);
    for (ours, theirs) in [
        (ffi::DLPACK_FLAG_BITMASK_READ_ONLY, c::DLPACK_FLAG_BITMASK_READ_ONLY),
        (ffi::DLPACK_FLAG_BITMASK_IS_COPIED, c::DLPACK_FLAG_BITMASK_IS_COPIED),
        (ffi::DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED, c::DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED),
    ] {
        assert_eq!(ours, u64::from(theirs));
    }
}

#[test]
fn device_types() {
    use c::DLDeviceType as C;
    use ffi::device_type::*;
    let pairs = [
        (CPU, C::kDLCPU),
        (CUDA, C::kDLCUDA),
        (CUDA_HOST, C::kDLCUDAHost),
        (OPENCL, C::kDLOpenCL),
        (VULKAN, C::kDLVulkan),
        (METAL, C::kDLMetal),
        (VPI, C::kDLVPI),
        (ROCM, C::kDLROCM),
        (ROCM_HOST, C::kDLROCMHost),
        (EXT_DEV, C::kDLExtDev),
        (CUDA_MANAGED, C::kDLCUDAManaged),
        (ONE_API, C::kDLOneAPI),
        (WEBGPU, C::kDLWebGPU),
        (HEXAGON, C::kDLHexagon),
        (MAIA, C::kDLMAIA),
        (TRN, C::kDLTrn),
    ];
    for (ours, theirs) in pairs {
        assert_eq!(i64::from(ours), i64::from(theirs.0));
        assert!(ffi::DLDevice::new(ours, 0).type_name().is_some());
    }
    let named = (-1000..1000).filter(|&n| ffi::DLDevice::new(n, 0).type_name().is_some());
    assert_eq!(named.count(), pairs.len());
}

#[test]
fn type_codes() {
    use c::DLDataTypeCode as C;
    use ffi::type_code::*;
    let pairs = [
        (INT, C::kDLInt),
        (UINT, C::kDLUInt),
        (FLOAT, C::kDLFloat),
        (OPAQUE_HANDLE, C::kDLOpaqueHandle),
        (BFLOAT, C::kDLBfloat),
        (COMPLEX, C::kDLComplex),
        (BOOL, C::kDLBool),
        (FLOAT8_E3M4, C::kDLFloat8_e3m4),
        (FLOAT8_E4M3, C::kDLFloat8_e4m3),
        (FLOAT8_E4M3B11FNUZ, C::kDLFloat8_e4m3b11fnuz),
        (FLOAT8_E4M3FN, C::kDLFloat8_e4m3fn),
        (FLOAT8_E4M3FNUZ, C::kDLFloat8_e4m3fnuz),
        (FLOAT8_E5M2, C::kDLFloat8_e5m2),
        (FLOAT8_E5M2FNUZ, C::kDLFloat8_e5m2fnuz),
        (FLOAT8_E8M0FNU, C::kDLFloat8_e8m0fnu),
        (FLOAT6_E2M3FN, C::kDLFloat6_e2m3fn),
        (FLOAT6_E3M2FN, C::kDLFloat6_e3m2fn),
        (FLOAT4_E2M1FN, C::kDLFloat4_e2m1fn),
    ];
    for (ours, theirs) in pairs {
        assert_eq!(u32::from(ours), theirs.0);
    }
    let unknown = (0..=u8::MAX)
        .filter(|&code| {
            let dtype = ffi::DLDataType::new(code, 8);
            dtype.to_string().starts_with("type code")
        })
        .count();
    assert_eq!(unknown, 256 - pairs.len());
}

#[test]
fn names_of_types() {
    use ffi::DLDataType as D;
    for (dtype, name) in [
        (D::BOOL, "bool"),
        (D::INT8, "int8"),
        (D::UINT64, "uint64"),
        (D::FLOAT16, "float16"),
        (D::BFLOAT16, "bfloat16"),
        (D::COMPLEX128, "complex128"),
        (D::new(ffi::type_code::BOOL, 1), "bool of 1 bits"),
        (D::new(ffi::type_code::FLOAT4_E2M1FN, 4), "float4_e2m1fn"),
        (D::new(ffi::type_code::OPAQUE_HANDLE, 64), "opaque handle of 64 bits"),
        (D::new(200, 0), "type code 200 of 0 bits"),
        (D { lanes: 4, ..D::FLOAT32 }, "float32×4"),
    ] {
        assert_eq!(dtype.to_string(), name);
    }
}
