//! Arrays through DLPack: the policies of the devices on one side, the checked foreign tensor on the other.

use std::ptr::NonNull;

use strictarray_dlpack::ffi::{DLDataType, DLDevice, DLTensor};
use strictarray_dlpack::{Export, ExportError, Flags, OwnedTensor, RawTensor, SpecStrides, TensorSpec, TensorView};
use strictarray_standard::{DType, rule};

use crate::{Array, Buffer, Device, Dims, Error, HostExport, Layout, Result, Strides, copy};

const TYPES: [(DType, DLDataType); 13] = [
    (DType::Bool, DLDataType::BOOL),
    (DType::Int8, DLDataType::INT8),
    (DType::Int16, DLDataType::INT16),
    (DType::Int32, DLDataType::INT32),
    (DType::Int64, DLDataType::INT64),
    (DType::UInt8, DLDataType::UINT8),
    (DType::UInt16, DLDataType::UINT16),
    (DType::UInt32, DLDataType::UINT32),
    (DType::UInt64, DLDataType::UINT64),
    (DType::Float32, DLDataType::FLOAT32),
    (DType::Float64, DLDataType::FLOAT64),
    (DType::Complex64, DLDataType::COMPLEX64),
    (DType::Complex128, DLDataType::COMPLEX128),
];

/// The data type as DLPack writes it.
pub fn dtype_to_dlpack(dtype: DType) -> DLDataType {
    TYPES[dtype as usize].1
}

/// The data type that DLPack's code, bits and lanes mean, if it is one of the standard's.
pub fn dtype_from_dlpack(dtype: DLDataType) -> Option<DType> {
    TYPES.iter().find(|(_, d)| *d == dtype).map(|(d, _)| *d)
}

/// What a consumer asks of `__dlpack__`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportRequest {
    /// A versioned tensor (`max_version` of 1.0 or later), else a legacy one.
    pub versioned: bool,
    /// The device type and id that the consumer wants.
    pub dl_device: Option<(i64, i64)>,
    /// `copy`.
    pub copy: Option<bool>,
}

const HOST: (i64, i64) = (DLDevice::CPU.device_type as i64, DLDevice::CPU.device_id as i64);

/// A managed tensor of the array, as the policy of its device allows.
///
/// The caller owns the tensor and sees to it that its deleter is called.
pub fn export(array: &Array, request: ExportRequest) -> Result<RawTensor> {
    export_by(array, request, array.device().spec().host_export)
}

/// The same by a policy that is not that of the array's device.
pub fn export_by(array: &Array, request: ExportRequest, policy: HostExport) -> Result<RawTensor> {
    let device = array.device();
    let copied = match policy {
        HostExport::Shared => {
            if request.dl_device.is_some_and(|d| d != HOST) {
                return Err(wrong_device(request));
            }
            request.copy == Some(true)
        }
        HostExport::Refused => {
            return Err(Error::new(&rule::DLPACK_DEVICE_REFUSED, format!("an array on device {device}")));
        }
        HostExport::OnRequest => {
            match request.dl_device {
                Some(HOST) => {}
                Some(_) => return Err(wrong_device(request)),
                None => {
                    let got = format!("an array on device {device} and no dl_device");
                    return Err(Error::new(&rule::DLPACK_DEVICE_REFUSED, got));
                }
            }
            if request.copy == Some(false) {
                let got = format!("copy=False for an array on device {device}");
                return Err(Error::new(&rule::DLPACK_DEVICE_REFUSED, got).argument("copy"));
            }
            true
        }
    };
    if copied {
        let copy = Array::uninit(array.shape(), array.dtype(), Device::CPU)?;
        copy::copy_elements(&copy.operand(), &array.operand())?;
        return tensor(&copy, request.versioned, Flags::IS_COPIED);
    }
    if array.read_only() && !request.versioned {
        return Err(Error::new(&rule::DLPACK_READ_ONLY, "a read-only array and no max_version"));
    }
    tensor(array, request.versioned, if array.read_only() { Flags::READ_ONLY } else { Flags::NONE })
}

/// Shape, then strides in elements, as DLPack writes them: what [`borrowed_tensor`] points to.
pub fn dlpack_extents(array: &Array) -> Box<[i64]> {
    let item = array.dtype().size() as isize;
    let shape = array.shape().iter().map(|&n| n as i64);
    // An axis of one or no element may have a stride that is no whole number of elements: it leads nowhere.
    shape.chain(array.layout().strides().iter().map(|&s| (s / item) as i64)).collect()
}

/// A tensor that borrows the array and its extents: valid as long as both live. It carries no flags, so that a read-only
/// array is refused, and the device's policy is that of [`export`].
pub fn borrowed_tensor(array: &Array, extents: &[i64]) -> Result<DLTensor> {
    array.host_shared(&rule::DLPACK_DEVICE_REFUSED)?;
    if array.read_only() {
        let requires = "a tensor that is borrowed can't say that memory is read-only";
        return Err(Error::new(&rule::DLPACK_READ_ONLY, "a read-only array").requires(requires));
    }
    let (shape, strides) = extents.split_at(array.ndim());
    Ok(DLTensor {
        data: if array.size() == 0 { std::ptr::null_mut() } else { array.ptr().cast() },
        device: DLDevice::CPU,
        ndim: array.ndim() as i32,
        dtype: dtype_to_dlpack(array.dtype()),
        shape: shape.as_ptr().cast_mut(),
        strides: strides.as_ptr().cast_mut(),
        byte_offset: 0,
    })
}

#[cold]
fn wrong_device(request: ExportRequest) -> Error {
    let got = request.dl_device.map_or_else(String::new, |(kind, id)| format!("got ({kind}, {id})"));
    Error::new(&rule::DLPACK_DL_DEVICE, got).argument("dl_device")
}

fn tensor(array: &Array, versioned: bool, flags: Flags) -> Result<RawTensor> {
    let mut spec = TensorSpec::new(array.ptr().cast(), DLDevice::CPU, dtype_to_dlpack(array.dtype()), array.shape());
    spec.strides = SpecStrides::Bytes(array.layout().strides());
    spec.flags = flags;
    // SAFETY: the export's count keeps the block alive, and the array's elements lie inside it; a read-only array has
    // the flag.
    let export = unsafe { Export::new(array.buffer().export(), spec) };
    export.into_raw(versioned).map_err(|error| match error {
        ExportError::LegacyReadOnly => Error::new(&rule::DLPACK_READ_ONLY, "a read-only array and no max_version"),
        other => Error::new(&rule::INTERNAL, other.to_string()),
    })
}

/// Looks whether a foreign tensor can be taken in on a device: its memory, its data type, and whether `copy` false can be
/// honoured. Nothing is consumed yet.
pub fn import_check(view: &TensorView<'_>, flags: Flags, target: Device, copy: Option<bool>) -> Result<DType> {
    if view.device() != DLDevice::CPU {
        return Err(Error::new(&rule::DLPACK_FOREIGN_DEVICE, format!("got a tensor on device {}", view.device())));
    }
    let dtype = dtype_from_dlpack(view.dtype())
        .ok_or_else(|| Error::new(&rule::DLPACK_DTYPE, format!("got a tensor of dtype {}", view.dtype())))?;
    if !target.supports(dtype) {
        return Err(Error::new(&rule::DLPACK_DTYPE, format!("got a tensor of dtype {dtype} for device {target}")));
    }
    if copy == Some(false) {
        let why = if flags.is_copied() {
            "got a tensor that the exporter says it copied".to_owned()
        } else if target != Device::CPU {
            format!("got a tensor in CPU memory for device {target}")
        } else if view.size() > 0 && !view.is_aligned(dtype.align()) {
            format!("got a tensor that is not aligned to its dtype {dtype}")
        } else {
            return Ok(dtype);
        };
        return Err(Error::new(&rule::DLPACK_COPY_NEEDED, why).argument("copy"));
    }
    Ok(dtype)
}

/// An array on the target device that has a foreign tensor's elements: shared where device, layout and `copy` allow it.
pub fn import(tensor: OwnedTensor, target: Device, copy: Option<bool>) -> Result<Array> {
    let dtype = import_check(tensor.view(), tensor.flags(), target, copy)?;
    let already_copied = tensor.is_copied();
    let read_only = tensor.read_only();
    let view = tensor.view();
    let item = dtype.size();
    let shape: Dims = view.shape().iter().map(|&n| n as usize).collect();
    let mut strides = Strides::new();
    for (axis, &n) in shape.iter().enumerate() {
        // An axis of one or no element leads nowhere: its stride may be anything.
        let stride = if n > 1 { view.byte_stride(axis) } else { Some(item as isize) };
        strides.push(stride.ok_or_else(|| Error::new(&rule::DLPACK_INVALID, "a stride that overflows"))?);
    }
    let span = view.span();
    let aligned = view.size() == 0 || view.is_aligned(dtype.align());
    let (len, offset) = if view.size() == 0 { (0, 0) } else { (span.len(), span.low.unsigned_abs()) };
    let data = NonNull::new(view.lowest().cast::<u8>()).filter(|_| view.size() > 0).unwrap_or(dangling());
    // SAFETY: the checked view says that these bytes belong to the tensor until its deleter is called, which the lender's
    // drop does; it forbids writes where the array below is made read-only.
    let buffer = unsafe { Buffer::borrowed(data, len, Device::CPU, Box::new(tensor)) }?;
    let must_copy = target != Device::CPU || !aligned;
    if !must_copy && (copy != Some(true) || already_copied) {
        return Array::from_parts(buffer, Layout::new(shape, strides, offset), dtype, read_only);
    }
    copy_misaligned(buffer, &Layout::new(shape, strides, offset), dtype, target)
}

/// A copy on a device of elements that need not be aligned: they are moved as bytes.
pub fn copy_misaligned(buffer: Buffer, layout: &Layout, dtype: DType, target: Device) -> Result<Array> {
    let result = Array::uninit(layout.shape(), dtype, target)?;
    if result.size() > 0 {
        let to = bytes_view(result.buffer().clone(), result.layout(), dtype.size())?;
        let from = bytes_view(buffer, layout, dtype.size())?;
        copy::copy_elements(&to.operand(), &from.operand())?;
    }
    Ok(result)
}

fn dangling() -> NonNull<u8> {
    // Aligned for every data type; nothing is ever read there.
    NonNull::<u128>::dangling().cast()
}

/// The elements as rows of bytes. Axes of one element are left out, so that there is always room for the new axis: an
/// array with 64 axes of two or more elements would have more than the address space.
fn bytes_view(buffer: Buffer, layout: &Layout, item: usize) -> Result<Array> {
    let axes = layout.shape().iter().zip(layout.strides()).filter(|(n, _)| **n != 1);
    let (mut shape, mut strides): (Dims, Strides) = axes.map(|(&n, &s)| (n, s)).unzip();
    shape.push(item);
    strides.push(1);
    Array::from_parts(buffer, Layout::new(shape, strides, layout.offset()), DType::UInt8, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DTypeSet, DeviceSpec};
    use std::ffi::c_void;
    use strictarray_dlpack::ffi::DLManagedTensor;

    fn own(raw: RawTensor) -> OwnedTensor {
        // SAFETY: a tensor just exported, given away here.
        unsafe { OwnedTensor::new(raw) }.unwrap()
    }

    fn versioned() -> ExportRequest {
        ExportRequest { versioned: true, ..Default::default() }
    }

    fn sample(device: Device) -> Array {
        Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3], device).unwrap()
    }

    #[test]
    fn the_host_shares_or_copies_as_asked() {
        let x = sample(Device::CPU);
        for copy in [None, Some(false), Some(true)] {
            for dl_device in [None, Some((1, 0))] {
                for versioned in [true, false] {
                    let t = own(export(&x, ExportRequest { versioned, dl_device, copy }).unwrap());
                    let copied = copy == Some(true);
                    assert_eq!(t.view().first().cast::<u8>() != x.ptr(), copied);
                    // A legacy tensor has no flags to say so.
                    assert_eq!(t.is_copied(), copied && versioned);
                    assert_eq!(x.buffer().exports(), u64::from(!copied));
                    assert_eq!((t.view().shape(), t.view().strides()), (&[2i64, 3][..], &[3i64, 1][..]));
                }
            }
        }
        assert_eq!(x.buffer().exports(), 0);
        for dl_device in [(1, 1), (2, 0), (0, 0), (-1, 0), (i64::MAX, i64::MIN)] {
            let error = export(&x, ExportRequest { dl_device: Some(dl_device), ..versioned() }).unwrap_err();
            assert_eq!(error.rule().id, "dlpack-dl-device");
        }
    }

    #[test]
    fn read_only_travels_as_a_flag_and_not_in_legacy_tensors() {
        let x = sample(Device::CPU).set_read_only(true);
        assert!(own(export(&x, versioned()).unwrap()).read_only());
        assert_eq!(export(&x, ExportRequest::default()).unwrap_err().rule().id, "dlpack-read-only");
        let copy = export(&x, ExportRequest { copy: Some(true), ..Default::default() }).unwrap();
        assert!(!own(copy).read_only());
    }

    #[test]
    fn emulated_accelerators_refuse_every_request() {
        for device in Device::all().filter(|d| *d != Device::CPU) {
            let x = sample(device);
            for copy in [None, Some(false), Some(true)] {
                for dl_device in [None, Some((1, 0)), Some((2, 0))] {
                    for versioned in [true, false] {
                        let error = export(&x, ExportRequest { versioned, dl_device, copy }).unwrap_err();
                        assert_eq!(error.rule().id, "dlpack-device-refused");
                    }
                }
            }
        }
    }

    #[test]
    fn a_device_that_exports_on_request_copies_when_the_host_is_named() {
        static SPEC: DeviceSpec = DeviceSpec {
            name: "on_request",
            dtypes: DTypeSet::ALL,
            defaults: *Device::CPU.defaults(),
            host_export: HostExport::OnRequest,
        };
        let x = sample(Device::of_test(&SPEC));
        for copy in [None, Some(true)] {
            let t = own(export(&x, ExportRequest { dl_device: Some((1, 0)), copy, ..versioned() }).unwrap());
            assert!(t.is_copied() && t.view().first().cast::<u8>() != x.ptr());
        }
        for (dl_device, copy) in [(Some((1, 0)), Some(false)), (None, None), (None, Some(true)), (Some((2, 0)), None)] {
            assert!(export(&x, ExportRequest { dl_device, copy, ..versioned() }).is_err(), "{dl_device:?} {copy:?}");
        }
    }

    #[test]
    fn views_survive_a_round_trip_and_share() {
        let x = sample(Device::CPU);
        let back = crate::index::select(
            x.layout(),
            &[crate::index::Index::Slice { start: None, stop: None, step: -1 }, crate::index::Index::Ellipsis],
        )
        .unwrap();
        let back = x.with_layout(back).unwrap();
        let y = import(own(export(&back, versioned()).unwrap()), Device::CPU, Some(false)).unwrap();
        assert_eq!(y.to_scalars().unwrap(), back.to_scalars().unwrap());
        assert_eq!(y.ptr(), back.ptr());
        assert!(y.buffer().is_borrowed());
        assert_eq!((x.buffer().arrays(), x.buffer().exports()), (2, 1));
        drop(y);
        assert_eq!(x.buffer().exports(), 0);
        for target in Device::all() {
            for copy in [None, Some(true), Some(false)] {
                let got = import(own(export(&back, versioned()).unwrap()), target, copy);
                let shares = target == Device::CPU && copy != Some(true);
                match got {
                    Ok(y) => {
                        assert_eq!(y.shares_memory(&x), shares);
                        assert_eq!((y.device(), y.to_scalars().unwrap()), (target, back.to_scalars().unwrap()));
                    }
                    Err(e) => {
                        assert_eq!(e.rule().id, "dlpack-copy-needed");
                        assert!(target != Device::CPU && copy == Some(false));
                    }
                }
            }
        }
        assert_eq!(x.buffer().exports(), 0);
    }

    /// A foreign tensor over `data`; its deleter does nothing.
    fn foreign(
        data: *mut u8,
        shape: &mut [i64],
        strides: &mut [i64],
        dtype: DLDataType,
        device: DLDevice,
    ) -> OwnedTensor {
        unsafe extern "C" fn delete(tensor: *mut DLManagedTensor) {
            // SAFETY: made by `Box::into_raw` below, deleted once.
            drop(unsafe { Box::from_raw(tensor) });
        }
        let dl_tensor = DLTensor {
            data: data.cast::<c_void>(),
            device,
            ndim: shape.len() as i32,
            dtype,
            shape: shape.as_mut_ptr(),
            strides: strides.as_mut_ptr(),
            byte_offset: 0,
        };
        let tensor = Box::new(DLManagedTensor { dl_tensor, manager_ctx: std::ptr::null_mut(), deleter: Some(delete) });
        // SAFETY: the callers keep data, shape and strides alive for as long as the tensor.
        unsafe { OwnedTensor::from_legacy(Box::into_raw(tensor)) }.unwrap()
    }

    #[test]
    fn misaligned_tensors_are_copied_also_with_many_axes() {
        let mut bytes: Vec<u8> = (0..=40).collect();
        let first = bytes.as_ptr().align_offset(4) + 1;
        let expected: Vec<i32> =
            (0..3).map(|i| i32::from_ne_bytes(bytes[first + 8 * i..first + 8 * i + 4].try_into().unwrap())).collect();
        let mut shape = vec![1i64; 64];
        shape[40] = 3;
        let mut strides = vec![1i64; 64];
        strides[40] = 2;
        // SAFETY: inside the vector.
        let data = unsafe { bytes.as_mut_ptr().add(first) };
        let mut take =
            |copy| import(foreign(data, &mut shape, &mut strides, DLDataType::INT32, DLDevice::CPU), Device::CPU, copy);
        for copy in [None, Some(true)] {
            let x = take(copy).unwrap();
            assert_eq!(x.ndim(), 64);
            let got: Vec<_> = x.to_scalars().unwrap();
            assert_eq!(got, expected.iter().map(|&v| crate::Scalar::Int(v.into())).collect::<Vec<_>>());
        }
        assert_eq!(take(Some(false)).unwrap_err().rule().id, "dlpack-copy-needed");
    }

    #[test]
    fn foreign_devices_and_dtypes_are_named() {
        let mut word = [0u64; 2];
        let data = word.as_mut_ptr().cast::<u8>();
        let half = DLDataType { code: 2, bits: 16, lanes: 1 };
        let vector = DLDataType { code: 2, bits: 32, lanes: 2 };
        let odd = DLDataType { code: 99, bits: 32, lanes: 1 };
        let cuda = DLDevice { device_type: 2, device_id: 3 };
        let no_x64 = Device::from_name("no_x64").unwrap();
        for (dtype, device, target, rule_id, name) in [
            (half, DLDevice::CPU, Device::CPU, "dlpack-dtype", "float16"),
            (vector, DLDevice::CPU, Device::CPU, "dlpack-dtype", "float32×2"),
            (odd, DLDevice::CPU, Device::CPU, "dlpack-dtype", "code 99"),
            (DLDataType::INT64, DLDevice::CPU, no_x64, "dlpack-dtype", "int64"),
            (DLDataType::INT32, cuda, Device::CPU, "dlpack-foreign-device", "CUDA (2, 3)"),
        ] {
            let error = import(foreign(data, &mut [1], &mut [1], dtype, device), target, None).unwrap_err();
            assert_eq!(error.rule().id, rule_id);
            assert!(error.to_string().contains(name), "{error}");
        }
    }

    #[test]
    fn empty_tensors_need_no_memory() {
        let x = import(
            foreign(std::ptr::null_mut(), &mut [0, 3], &mut [77, 5], DLDataType::FLOAT64, DLDevice::CPU),
            Device::CPU,
            None,
        );
        let x = x.unwrap();
        assert_eq!((x.shape(), x.size()), (&[0, 3][..], 0));
        assert!(x.to_owned_copy().is_ok());
    }
}
