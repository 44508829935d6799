//! What `TensorView::check` accepts and refuses: rule by rule, and against an independent
//! computation on random fields.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail a test")]

use core::ptr;

use proptest::prelude::*;
use strictarray_dlpack::ffi::{DLDataType, DLDevice, DLTensor, device_type};
use strictarray_dlpack::{Flags, Invalid, MAX_NDIM, TensorView};

const DATA: usize = 0x10_0000;

/// Fields to be made into a tensor whose pointers are good for `ndim` integers.
#[derive(Clone, Debug)]
struct Fields {
    data: usize,
    device: DLDevice,
    dtype: DLDataType,
    shape: Vec<i64>,
    strides: Option<Vec<i64>>,
    byte_offset: u64,
    flags: Flags,
}

impl Fields {
    fn new(shape: &[i64], strides: Option<&[i64]>) -> Self {
        Self {
            data: DATA,
            device: DLDevice::CPU,
            dtype: DLDataType::FLOAT64,
            shape: shape.to_vec(),
            strides: strides.map(<[i64]>::to_vec),
            byte_offset: 0,
            flags: Flags::NONE,
        }
    }

    fn tensor(&mut self) -> DLTensor {
        DLTensor {
            data: ptr::without_provenance_mut(self.data),
            device: self.device,
            ndim: self.shape.len() as i32,
            dtype: self.dtype,
            shape: self.shape.as_mut_ptr(),
            strides: self.strides.as_mut().map_or(ptr::null_mut(), |strides| strides.as_mut_ptr()),
            byte_offset: self.byte_offset,
        }
    }

    fn check<T>(mut self, then: impl FnOnce(&TensorView<'_>) -> T) -> Result<T, Invalid> {
        let flags = self.flags;
        let tensor = self.tensor();
        // SAFETY: shape and strides are vectors of `ndim` integers.
        unsafe { TensorView::check_with_flags(&tensor, flags) }.map(|view| then(&view))
    }

    fn error(self) -> Invalid {
        self.check(|_| ()).unwrap_err()
    }
}

fn fields(shape: &[i64], strides: &[i64]) -> Fields {
    Fields::new(shape, Some(strides))
}

fn hostile(change: impl FnOnce(&mut DLTensor)) -> Result<(), Invalid> {
    let mut fields = fields(&[2, 3], &[3, 1]);
    let mut tensor = fields.tensor();
    change(&mut tensor);
    // SAFETY: the changes below leave pointers that are NULL, misaligned, good for two integers,
    // or not looked at.
    unsafe { TensorView::check(&tensor) }.map(|_| ())
}

#[test]
fn ndim_is_checked_before_any_pointer_is_read() {
    for got in [-1, i32::MIN, MAX_NDIM as i32 + 1, 1 << 20, i32::MAX] {
        let dangling = ptr::without_provenance_mut(8);
        let result = hostile(|tensor| {
            tensor.ndim = got;
            tensor.shape = dangling;
            tensor.strides = dangling;
        });
        assert_eq!(result, Err(Invalid::Ndim { got }));
    }
}

#[test]
fn no_dimensions_means_no_pointers() {
    for pointer in [0, 1, 8, usize::MAX] {
        let result = hostile(|tensor| {
            tensor.ndim = 0;
            tensor.shape = ptr::without_provenance_mut(pointer);
            tensor.strides = ptr::without_provenance_mut(pointer);
        });
        assert_eq!(result, Ok(()));
    }
}

#[test]
fn highest_ndim() {
    let shape = [1; MAX_NDIM];
    let view = Fields::new(&shape, None).check(|view| (view.ndim(), view.strides().to_vec(), view.size())).unwrap();
    assert_eq!(view, (MAX_NDIM, vec![1; MAX_NDIM], 1));
}

#[test]
fn pointers() {
    let null = hostile(|tensor| tensor.shape = ptr::null_mut());
    assert_eq!(null, Err(Invalid::ShapeNull { ndim: 2 }));
    let odd = hostile(|tensor| tensor.shape = tensor.shape.wrapping_byte_add(1));
    assert!(matches!(odd, Err(Invalid::ShapeMisaligned { .. })));
    let odd = hostile(|tensor| tensor.strides = tensor.strides.wrapping_byte_add(4));
    assert!(matches!(odd, Err(Invalid::StridesMisaligned { .. })));
    assert_eq!(hostile(|tensor| tensor.strides = ptr::null_mut()), Ok(()));
    let null = hostile(|tensor| tensor.data = ptr::null_mut());
    assert_eq!(null, Err(Invalid::DataNull { size: 6 }));
    let offset_does_not_help = hostile(|tensor| {
        tensor.data = ptr::null_mut();
        tensor.byte_offset = 4096;
    });
    assert_eq!(offset_does_not_help, Err(Invalid::DataNull { size: 6 }));
}

#[test]
fn unknown_codes_and_devices_are_for_the_caller() {
    for code in 0..=u8::MAX {
        let result = hostile(|tensor| tensor.dtype.code = code);
        assert_eq!(result, Ok(()));
    }
    for device_type in [i32::MIN, -1, 0, 5, 6, 19, 1000, i32::MAX] {
        for device_id in [i32::MIN, -1, 0, 7, i32::MAX] {
            let device = DLDevice::new(device_type, device_id);
            assert_eq!(hostile(|tensor| tensor.device = device), Ok(()));
        }
    }
}

#[test]
fn item_size() {
    assert_eq!(hostile(|tensor| tensor.dtype.bits = 0), Err(Invalid::BitsZero));
    assert_eq!(hostile(|tensor| tensor.dtype.lanes = 0), Err(Invalid::LanesZero));
    let widest = DLDataType { code: 2, bits: 255, lanes: u16::MAX };
    assert_eq!(hostile(|tensor| tensor.dtype = widest), Ok(()));
    let mut huge = fields(&[1 << 43], &[1]);
    huge.dtype = widest;
    assert!(matches!(huge.error(), Invalid::SpanBytes { .. }));
}

#[test]
fn extents() {
    for got in [-1, i64::MIN] {
        for shape in [[got, 2], [2, got], [0, got]] {
            let dim = shape.iter().position(|&extent| extent == got).unwrap();
            let error = Invalid::NegativeExtent { dim, got };
            assert_eq!(fields(&shape, &[0, 0]).error(), error);
        }
    }
    let error = Invalid::SizeOverflow { dim: 1, extent: i64::MAX };
    assert_eq!(fields(&[2, i64::MAX], &[0, 0]).error(), error);
    // An extent of 0 does not hide an overflow from those who multiply in another order.
    assert_eq!(fields(&[2, i64::MAX, 0], &[0, 0, 0]).error(), Invalid::SizeOverflow { dim: 1, extent: i64::MAX });
    let size = fields(&[i64::MAX], &[0]).check(|view| view.size()).unwrap();
    assert_eq!(size, i64::MAX as usize);
}

#[test]
fn strides() {
    let far = |stride| fields(&[3, 3], &[0, stride]).error();
    for stride in [i64::MAX, i64::MIN, i64::MIN + 1, i64::MAX / 2 + 1] {
        assert_eq!(far(stride), Invalid::SpanOverflow { dim: 1, extent: 3, stride });
    }
    // In elements it fits, in bytes not.
    assert!(matches!(far(i64::MAX / 2), Invalid::SpanBytes { .. }));
    // Two dimensions together.
    let half = i64::MAX / 2 + 1;
    assert_eq!(fields(&[2, 2], &[half, half]).error(), Invalid::SpanOverflow { dim: 1, extent: 2, stride: half });
    // Each end fits, the distance between them not.
    let quarter = i64::MAX / 16;
    let mut both = fields(&[2, 2], &[quarter, -quarter - 1]);
    both.device.device_type = device_type::CUDA;
    assert!(matches!(both.error(), Invalid::SpanBytes { .. }));
}

#[test]
fn strides_that_lead_nowhere_are_ignored() {
    for stride in [i64::MIN, i64::MAX, -1, 0, 12345] {
        let (c_order, step) =
            fields(&[4, 1], &[1, stride]).check(|view| (view.is_c_contiguous(), view.byte_stride(1))).unwrap();
        assert!(c_order);
        assert_eq!(step, Some(stride.checked_mul(8).unwrap_or(0) as isize));
        let (size, span) = fields(&[4, 0], &[stride, stride]).check(|view| (view.size(), view.span())).unwrap();
        assert_eq!((size, span.is_empty(), span.len()), (0, true, 0));
    }
}

#[test]
fn no_elements() {
    let mut empty = fields(&[0, 5], &[5, 1]);
    empty.data = 0;
    let seen = empty.clone().check(|view| (view.size(), view.nbytes(), view.is_aligned(64))).unwrap();
    assert_eq!(seen, (0, Some(0), true));
    empty.data = usize::MAX;
    empty.byte_offset = isize::MAX as u64;
    assert_eq!(empty.check(|view| view.is_c_contiguous()), Ok(true));
}

#[test]
fn addresses() {
    let mut offset = fields(&[2], &[1]);
    for got in [u64::MAX, 1 << 63, isize::MAX as u64, isize::MAX as u64 - 15] {
        offset.byte_offset = got;
        let error = offset.clone().error();
        assert_eq!(error, Invalid::ByteOffset { got, high: 16 });
    }

    let mut last = fields(&[2], &[1]);
    last.data = usize::MAX - 16;
    assert!(last.clone().check(|_| ()).is_ok());
    last.data += 1;
    assert!(matches!(last.error(), Invalid::Address { .. }));

    let mut below = fields(&[2], &[-2]);
    below.data = 16;
    assert!(below.clone().check(|_| ()).is_ok());
    below.data = 15;
    assert!(matches!(below.clone().error(), Invalid::Address { .. }));
    // A handle is not an address.
    below.device.device_type = device_type::OPENCL;
    assert!(below.check(|_| ()).is_ok());
}

#[test]
fn first_and_lowest() {
    let mut reversed = fields(&[3, 2], &[-2, 1]);
    reversed.byte_offset = 32;
    reversed
        .check(|view| {
            assert_eq!(view.first().addr(), DATA + 32);
            assert_eq!(view.lowest().addr(), DATA);
            assert_eq!(view.span().len(), 48);
            assert_eq!(view.nbytes(), Some(48));
            assert_eq!(view.byte_stride(0), Some(-16));
            assert_eq!(view.byte_stride(2), None);
            assert!(view.has_strides());
            assert!(!view.is_c_contiguous());
        })
        .unwrap();
}

#[test]
fn c_order_is_computed() {
    for shape in [&[4, 3, 2][..], &[4, 0, 2], &[7], &[2, 1, 2, 1, 2, 1, 2, 1, 2]] {
        let mut expected = vec![1; shape.len()];
        for dim in (0..shape.len() - 1).rev() {
            expected[dim] = expected[dim + 1] * shape[dim + 1].max(1);
        }
        Fields::new(shape, None)
            .check(|view| {
                assert_eq!(view.strides(), expected);
                assert!(view.is_c_contiguous());
                assert!(!view.has_strides());
                assert_eq!(view.clone().strides(), expected);
            })
            .unwrap();
        let given = fields(shape, &expected);
        assert_eq!(given.check(|view| view.is_c_contiguous()), Ok(true));
    }
}

#[test]
fn contiguity() {
    for (shape, strides, expected) in [
        (&[][..], &[][..], true),
        (&[5], &[1], true),
        (&[5], &[2], false),
        (&[5], &[-1], false),
        (&[5], &[0], false),
        (&[2, 3], &[3, 1], true),
        (&[2, 3], &[1, 2], false),
        (&[2, 1, 3], &[3, 99, 1], true),
        (&[1, 1], &[7, -7], true),
        (&[0, 3], &[-9, 9], true),
    ] {
        let seen = fields(shape, strides).check(|view| view.is_c_contiguous());
        assert_eq!(seen, Ok(expected), "{shape:?} {strides:?}");
    }
}

#[test]
fn alignment() {
    let aligned = |data: usize, dtype, shape: &[i64], strides: &[i64], alignment| {
        let mut fields = fields(shape, strides);
        fields.data = data;
        fields.dtype = dtype;
        fields.check(|view| view.is_aligned(alignment)).unwrap()
    };
    use DLDataType as D;
    assert!(aligned(64, D::FLOAT64, &[3], &[1], 8));
    assert!(!aligned(68, D::FLOAT64, &[3], &[1], 8));
    assert!(aligned(68, D::FLOAT64, &[3], &[1], 4));
    assert!(!aligned(64, D::FLOAT64, &[3], &[1], 16));
    assert!(aligned(64, D::FLOAT64, &[3], &[2], 16));
    assert!(aligned(64, D::FLOAT64, &[3], &[-2], 16));
    assert!(aligned(64, D::FLOAT64, &[1], &[1], 64));
    assert!(aligned(64, D::COMPLEX128, &[3], &[1], 8));
    assert!(!aligned(64, D::FLOAT64, &[3], &[1], 0));
    assert!(aligned(64, D::new(17, 4), &[3], &[1], 1));
}

#[test]
fn packed_and_padded() {
    let mut fields = fields(&[3], &[1]);
    fields.dtype = DLDataType::new(17, 4);
    fields
        .clone()
        .check(|view| {
            assert_eq!((view.item_bits(), view.item_size()), (4, None));
            assert_eq!((view.span().len(), view.nbytes()), (2, Some(2)));
            assert_eq!(view.byte_stride(0), None);
        })
        .unwrap();
    fields.flags = Flags::SUBBYTE_PADDED | Flags::from_bits(1 << 40);
    fields
        .clone()
        .check(|view| {
            assert_eq!((view.item_bits(), view.item_size()), (8, Some(1)));
            assert_eq!((view.span().len(), view.nbytes()), (3, Some(3)));
        })
        .unwrap();
    // Backwards: two whole elements and half a byte before the first one.
    fields.flags = Flags::NONE;
    fields.strides = Some(vec![-1]);
    let span = fields.check(|view| view.span()).unwrap();
    assert_eq!((span.low, span.high), (-1, 1));
}

#[test]
fn more_elements_than_memory() {
    let (size, bytes) = fields(&[1 << 40, 1 << 22], &[0, 0]).check(|view| (view.size(), view.nbytes())).unwrap();
    assert_eq!((size, bytes), (1 << 62, None));
}

#[test]
fn texts_name_the_field() {
    for (error, text) in [
        (Invalid::Ndim { got: -1 }, "DLTensor.ndim is -1; it must be at least 0 and at most 64"),
        (Invalid::NegativeExtent { dim: 1, got: -2 }, "DLTensor.shape[1] is -2; it must be at least 0"),
        (
            Invalid::DataNull { size: 6 },
            "DLTensor.data is NULL with 6 elements; only a tensor without elements may have no data",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn slices() {
    let numbers = [1.0f64, 2.0, 3.0, 4.0];
    let good = || {
        let mut fields = fields(&[2, 2], &[2, 1]);
        fields.data = numbers.as_ptr().addr();
        fields
    };
    let slice = |fields: Fields| {
        fields
            // SAFETY: where a slice is had, it is the numbers above, or empty.
            .check(|view| unsafe { view.as_slice::<f64>() }.map(<[f64]>::len))
            .unwrap()
    };
    numbers.as_ptr().expose_provenance();
    let change = |change: fn(&mut Fields)| {
        let mut fields = good();
        change(&mut fields);
        slice(fields)
    };
    assert_eq!(slice(good()), Some(4));
    assert_eq!(change(|fields| fields.strides = None), Some(4));
    assert_eq!(change(|fields| fields.strides = Some(vec![1, 2])), None);
    assert_eq!(change(|fields| fields.byte_offset = 4), None);
    assert_eq!(change(|fields| fields.dtype = DLDataType::FLOAT32), None);
    assert_eq!(change(|fields| fields.device.device_type = 2), None);
    // Wherever `data` points to.
    assert_eq!(change(|fields| (fields.shape, fields.data) = (vec![0, 2], 0)), Some(0));
    assert_eq!(change(|fields| (fields.shape, fields.data) = (vec![2, 0], 13)), Some(0));
}

// ---- random fields ----

/// The kind of refusal, without the dimension at which it was noticed.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Bits,
    Lanes,
    Extent,
    Size,
    Span,
    Offset,
    Data,
    Address,
}

impl From<Invalid> for Kind {
    fn from(error: Invalid) -> Self {
        match error {
            Invalid::BitsZero => Self::Bits,
            Invalid::LanesZero => Self::Lanes,
            Invalid::NegativeExtent { .. } => Self::Extent,
            Invalid::SizeOverflow { .. } => Self::Size,
            Invalid::SpanOverflow { .. } | Invalid::SpanBytes { .. } => Self::Span,
            Invalid::ByteOffset { .. } => Self::Offset,
            Invalid::DataNull { .. } => Self::Data,
            Invalid::Address { .. } => Self::Address,
            other => panic!("pointers are good here: {other}"),
        }
    }
}

/// What is expected, in wide integers and in no particular hurry.
fn expected(fields: &Fields) -> Result<(i128, i128, i128), Kind> {
    let DLDataType { bits, lanes, .. } = fields.dtype;
    if bits == 0 {
        return Err(Kind::Bits);
    }
    if lanes == 0 {
        return Err(Kind::Lanes);
    }
    let wide: Vec<i128> = fields.shape.iter().map(|&extent| extent.into()).collect();
    // Which of the two comes first depends on the dimension.
    let mut product: i128 = 1;
    for &extent in &wide {
        if extent < 0 {
            return Err(Kind::Extent);
        }
        product *= extent.max(1);
        if product > i64::MAX.into() {
            return Err(Kind::Size);
        }
    }
    let empty = wide.contains(&0);
    let size = if empty { 0 } else { product };

    let mut item: i128 = i128::from(bits) * i128::from(lanes);
    if fields.flags.bits() & 4 != 0 {
        item = (item + 7) / 8 * 8;
    }
    let (mut first, mut last) = (0i128, 0i128);
    match &fields.strides {
        None => last = size - 1,
        Some(strides) => {
            for (&extent, &stride) in wide.iter().zip(strides) {
                let reach = (extent - 1).saturating_mul(stride.into());
                first = first.saturating_add(reach.min(0));
                last = last.saturating_add(reach.max(0));
            }
        }
    }
    let (low, high) = if empty {
        (0, 0)
    } else {
        if first < i64::MIN.into() || last > i64::MAX.into() {
            return Err(Kind::Span);
        }
        let low = (first * item).div_euclid(8);
        let high = -(-(last + 1) * item).div_euclid(8);
        if low < isize::MIN as i128 || high > isize::MAX as i128 || high - low > isize::MAX as i128 {
            return Err(Kind::Span);
        }
        (low, high)
    };
    let offset = i128::from(fields.byte_offset);
    if offset + high > isize::MAX as i128 {
        return Err(Kind::Offset);
    }
    if !empty {
        if fields.data == 0 {
            return Err(Kind::Data);
        }
        let start = fields.data as i128 + offset;
        let host = [1, 3, 11, 13].contains(&fields.device.device_type);
        if host && (start + low < 0 || start + high > usize::MAX as i128) {
            return Err(Kind::Address);
        }
    }
    Ok((size, low, high))
}

fn edge() -> impl Strategy<Value = i64> {
    prop_oneof![
        6 => 0i64..6,
        1 => Just(-1i64),
        2 => (0u32..63).prop_map(|bit| 1i64 << bit),
        2 => (0u32..63).prop_map(|bit| (1i64 << bit) - 1),
        1 => any::<i64>(),
    ]
}

fn stride() -> impl Strategy<Value = i64> {
    prop_oneof![edge(), edge().prop_map(i64::wrapping_neg), -6i64..6]
}

fn address() -> impl Strategy<Value = usize> {
    prop_oneof![
        1 => Just(0usize),
        1 => 1usize..200,
        4 => any::<u32>().prop_map(|low| low as usize + DATA),
        1 => (0usize..4096).prop_map(|below| usize::MAX - below),
        1 => any::<usize>(),
    ]
}

fn dtype() -> impl Strategy<Value = DLDataType> {
    let bits = prop_oneof![
        8 => prop::sample::select(vec![8u8, 16, 32, 64, 128]),
        4 => any::<u8>(),
        1 => Just(0u8),
    ];
    let lanes = prop_oneof![20 => Just(1u16), 2 => any::<u16>(), 1 => Just(0u16)];
    (any::<u8>(), bits, lanes).prop_map(|(code, bits, lanes)| DLDataType { code, bits, lanes })
}

fn any_fields() -> impl Strategy<Value = Fields> {
    let device = prop_oneof![3 => Just(1i32), 2 => 0i32..20, 1 => any::<i32>()];
    let byte_offset = prop_oneof![
        4 => Just(0u64),
        3 => 0u64..100_000,
        1 => (0u64..5000).prop_map(|below| isize::MAX as u64 - below),
        1 => any::<u64>(),
    ];
    let dims = prop::collection::vec((edge(), stride()), 0..9);
    (address(), device, dtype(), dims, prop::bool::weighted(0.2), byte_offset, 0u64..16).prop_map(
        |(data, device, dtype, dims, no_strides, byte_offset, flags)| {
            let (shape, strides): (Vec<_>, Vec<_>) = dims.into_iter().unzip();
            // Without dimensions the pointer to the strides is not looked at.
            let strides = (!no_strides).then_some(strides);
            Fields {
                data,
                device: DLDevice::new(device, 0),
                dtype,
                shape,
                strides,
                byte_offset,
                flags: Flags::from_bits(flags),
            }
        },
    )
}

/// Every element, by odometer.
fn each_element(shape: &[i64], mut visit: impl FnMut(&[i64])) {
    if shape.contains(&0) {
        return;
    }
    let mut index = vec![0; shape.len()];
    'all: loop {
        visit(&index);
        for dim in (0..shape.len()).rev() {
            index[dim] += 1;
            if index[dim] < shape[dim] {
                continue 'all;
            }
            index[dim] = 0;
        }
        return;
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn agrees_with_wide_integers(fields in any_fields()) {
        let expected = expected(&fields);
        let first = fields.data.wrapping_add(fields.byte_offset as usize);
        let seen = fields.check(|view| {
            // None of these may panic or overflow, whatever the fields are.
            for dim in 0..view.ndim() {
                view.byte_stride(dim);
            }
            view.is_c_contiguous();
            view.is_aligned(16);
            view.nbytes();
            let _ = format!("{view:?}");
            assert_eq!(view.first().addr(), first);
            let span = view.span();
            (view.size() as i128, span.low as i128, span.high as i128)
        });
        prop_assert_eq!(seen.map_err(Kind::from), expected);
    }

    #[test]
    fn agrees_with_every_element(
        dims in prop::collection::vec((0i64..4, -20i64..20), 0..5),
        no_strides in prop::bool::weighted(0.2),
        bits in prop::sample::select(vec![1u8, 3, 4, 6, 8, 16, 32, 64]),
        alignment in prop::sample::select(vec![1usize, 2, 4, 8, 16]),
        data in DATA..DATA + 64,
    ) {
        let (shape, strides): (Vec<_>, Vec<_>) = dims.into_iter().unzip();
        let mut fields = Fields::new(&shape, (!no_strides).then_some(&strides));
        fields.dtype.bits = bits;
        fields.data = data;
        let bits = i64::from(bits);
        fields.check(|view| {
            let strides = view.strides();
            let (mut low, mut high, mut count) = (i64::MAX, i64::MIN, 0);
            let (mut in_order, mut aligned) = (true, true);
            each_element(&shape, |index| {
                let at: i64 = index.iter().zip(strides).map(|(i, stride)| i * stride).sum();
                low = low.min((at * bits).div_euclid(8));
                high = high.max(((at + 1) * bits - 1).div_euclid(8) + 1);
                in_order &= at == count;
                aligned &= (data as i64 + at * bits / 8).rem_euclid(alignment as i64) == 0;
                count += 1;
            });
            if count == 0 {
                (low, high) = (0, 0);
            }
            assert_eq!(view.size() as i64, count);
            assert_eq!((view.span().low as i64, view.span().high as i64), (low, high));
            assert_eq!(view.is_c_contiguous(), in_order);
            if bits % 8 == 0 {
                assert_eq!(view.is_aligned(alignment), aligned);
            }
        }).unwrap();
    }
}
