//! The table for exchange in C.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail a test")]

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;

use strictarray_dlpack::OwnedTensor;
use strictarray_dlpack::exchange::{HOST_ALIGNMENT, allocate_host, host_work_stream, report};
use strictarray_dlpack::ffi::*;

/// Kind and message of each error reported.
type Errors = Vec<(String, String)>;

unsafe extern "C" fn set_error(errors: *mut c_void, kind: *const c_char, message: *const c_char) {
    // SAFETY: `errors` is what `allocate` below hands over; both texts end with a NUL.
    unsafe {
        let text = |text| CStr::from_ptr(text).to_str().unwrap().to_owned();
        (*errors.cast::<Errors>()).push((text(kind), text(message)));
    }
}

fn prototype(shape: &mut [i64], dtype: DLDataType) -> DLTensor {
    DLTensor {
        // None of these is to be looked at.
        data: ptr::null_mut(),
        strides: ptr::without_provenance_mut(3),
        byte_offset: u64::MAX,
        device: DLDevice::CPU,
        ndim: shape.len() as i32,
        dtype,
        shape: shape.as_mut_ptr(),
    }
}

fn allocate(mut prototype: DLTensor) -> Result<OwnedTensor, (String, String)> {
    let mut errors = Errors::new();
    let mut out = ptr::without_provenance_mut(8);
    // SAFETY: the prototype's shape is live.
    let status = unsafe { allocate_host(&raw mut prototype, &raw mut out, (&raw mut errors).cast(), Some(set_error)) };
    if status == 0 {
        assert!(errors.is_empty());
        // SAFETY: allocated just now.
        Ok(unsafe { OwnedTensor::from_versioned(out) }.unwrap())
    } else {
        assert_eq!((status, errors.len()), (-1, 1));
        assert!(out.is_null());
        Err(errors.remove(0))
    }
}

#[test]
fn allocates() {
    for shape in [&mut [][..], &mut [3], &mut [2, 0], &mut [100, 7, 3]] {
        for dtype in [DLDataType::BOOL, DLDataType::COMPLEX128, DLDataType::new(type_code::FLOAT4_E2M1FN, 4)] {
            let tensor = allocate(prototype(shape, dtype)).unwrap();
            let view = tensor.view();
            assert_eq!(view.shape(), shape);
            assert_eq!(view.dtype(), dtype);
            assert!(view.is_c_contiguous() && view.has_strides());
            if view.size() > 0 {
                assert!(view.first().addr().is_multiple_of(HOST_ALIGNMENT));
                let bytes = view.size() * dtype.item_bytes();
                // SAFETY: as many bytes were asked for, and nobody else has them.
                let memory = unsafe { core::slice::from_raw_parts_mut(view.first().cast::<u8>(), bytes) };
                assert!(memory.iter().all(|&byte| byte == 0));
                memory.fill(0xff);
            }
        }
    }
}

#[test]
fn refuses_with_one_error() {
    let kind = |shape: &mut [i64], change: fn(&mut DLTensor)| {
        let mut prototype = prototype(shape, DLDataType::FLOAT64);
        change(&mut prototype);
        let (kind, message) = allocate(prototype).unwrap_err();
        assert!(!message.is_empty());
        kind
    };
    assert_eq!(kind(&mut [2], |tensor| tensor.ndim = -1), "BufferError");
    assert_eq!(kind(&mut [-2], |_| ()), "BufferError");
    assert_eq!(kind(&mut [2], |tensor| tensor.shape = ptr::null_mut()), "BufferError");
    assert_eq!(kind(&mut [2], |tensor| tensor.dtype.bits = 0), "BufferError");
    assert_eq!(kind(&mut [2], |tensor| tensor.device.device_type = 2), "BufferError");
    assert_eq!(kind(&mut [i64::MAX, 2], |_| ()), "BufferError");
    // A size that can be counted but not had.
    assert_eq!(kind(&mut [1 << 58], |_| ()), "MemoryError");
}

#[test]
fn nothing_to_write_to() {
    let mut errors = Errors::new();
    let context = (&raw mut errors).cast();
    let mut tensor = prototype(&mut [], DLDataType::INT8);
    let mut out = ptr::null_mut();
    // SAFETY: NULL is refused.
    unsafe {
        let status = allocate_host(&raw mut tensor, ptr::null_mut(), context, Some(set_error));
        assert_eq!(status, -1);
        let status = allocate_host(ptr::null_mut(), &raw mut out, context, Some(set_error));
        assert_eq!(status, -1);
        // Nobody to tell.
        assert_eq!(allocate_host(ptr::null_mut(), &raw mut out, context, None), -1);
    }
    assert_eq!(errors.len(), 2);
    assert!(errors.iter().all(|(kind, _)| kind == "ValueError"));
}

#[test]
fn long_messages_are_cut_at_a_character() {
    let mut errors = Errors::new();
    for skip in 0..10 {
        let message = "x".repeat(skip) + &"é€".repeat(80);
        // SAFETY: `errors` is live.
        unsafe { report((&raw mut errors).cast(), Some(set_error), c"ValueError", &message) };
        let (_, text) = errors.pop().unwrap();
        assert!(message.starts_with(&text));
        assert!((252..=255).contains(&text.len()));
    }
}

#[test]
fn streams() {
    let mut stream = ptr::without_provenance_mut(8);
    // SAFETY: a pointer to write to, or NULL.
    unsafe {
        assert_eq!(host_work_stream(1, 0, &raw mut stream), 0);
        assert_eq!(host_work_stream(1, 0, ptr::null_mut()), -1);
    }
    assert!(stream.is_null());
}

unsafe extern "C" fn no_export(_: *mut c_void, _: *mut *mut DLManagedTensorVersioned) -> c_int {
    -1
}

unsafe extern "C" fn no_import(_: *mut DLManagedTensorVersioned, _: *mut *mut c_void) -> c_int {
    -1
}

unsafe extern "C" fn no_describe(_: *mut c_void, _: *mut DLTensor) -> c_int {
    -1
}

static TABLE: DLPackExchangeAPI = DLPackExchangeAPI::new(allocate_host, no_export, no_import, host_work_stream)
    .with_dltensor_from_py_object(no_describe);

#[test]
fn the_table_of_our_version_is_found() {
    assert_eq!(TABLE.header.version, DLPackVersion { major: 1, minor: 3 });
    assert!(TABLE.is_complete() && TABLE.dltensor_from_py_object_no_sync.is_some());
    let mut incomplete = TABLE;
    incomplete.current_work_stream = None;
    assert!(!incomplete.is_complete());

    let ours = &raw const TABLE.header;
    let mut newer =
        DLPackExchangeAPIHeader { version: DLPackVersion { major: 2, minor: 0 }, prev_api: ours.cast_mut() };
    // SAFETY: the headers live long enough for what is done with the result.
    unsafe {
        for header in [ours, &raw const newer] {
            let found = DLPackExchangeAPI::find(header).unwrap();
            assert!(ptr::eq(found, &TABLE));
        }
        assert!(DLPackExchangeAPI::find(ptr::null()).is_none());
        newer.prev_api = ptr::null_mut();
        assert!(DLPackExchangeAPI::find(&raw const newer).is_none());
        // In a circle.
        newer.prev_api = &raw mut newer;
        assert!(DLPackExchangeAPI::find(&raw const newer).is_none());
    }
}
