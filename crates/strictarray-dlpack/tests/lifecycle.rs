//! Who owns a tensor when, and that its deleter is called exactly once. All of it in one file, so
//! that it can be run under a memory checker.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail a test")]

use core::cell::Cell;
use core::convert::Infallible;
use core::ffi::{CStr, c_void};
use core::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use strictarray_dlpack::ffi::*;
use strictarray_dlpack::{
    Carrier, ConsumeError, Destroyed, Export, ExportError, Flags, Invalid, OwnedTensor, RawTensor, Rejected,
    SpecStrides, TensorSpec, consume, consume_if, destroy,
};

/// Counts how often something was dropped.
#[derive(Clone, Default)]
struct Count(Arc<AtomicUsize>);

impl Count {
    fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    fn up(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Data with a count of its drops.
struct Owner {
    data: Vec<f64>,
    drops: Count,
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.drops.up();
    }
}

impl Owner {
    fn new(drops: &Count) -> Self {
        Self { data: (0..6).map(f64::from).collect(), drops: drops.clone() }
    }
}

/// A 2×3 tensor of this crate.
fn export(drops: &Count, versioned: bool) -> RawTensor {
    let mut owner = Owner::new(drops);
    let data = owner.data.as_mut_ptr().cast();
    let spec = TensorSpec::new(data, DLDevice::CPU, DLDataType::FLOAT64, &[2usize, 3]);
    // SAFETY: the owner keeps six numbers at `data`.
    unsafe { Export::new(owner, spec) }.into_raw(versioned).unwrap()
}

/// A tensor of a producer written in C, as it were: a struct on the heap, and a context.
struct Foreign {
    managed: DLManagedTensorVersioned,
    shape: [i64; 2],
    strides: [i64; 2],
    data: [f64; 6],
    deletions: Count,
}

unsafe extern "C" fn delete_foreign(this: *mut DLManagedTensorVersioned) {
    // SAFETY: made by `foreign` from a box, and deleted once.
    let foreign = unsafe {
        let context = (*this).manager_ctx.cast::<Foreign>();
        Box::from_raw(context)
    };
    foreign.deletions.up();
}

fn foreign(deletions: &Count, change: impl FnOnce(&mut DLManagedTensorVersioned)) -> RawTensor {
    let foreign = Box::into_raw(Box::new(Foreign {
        managed: DLManagedTensorVersioned {
            version: DLPackVersion::CURRENT,
            manager_ctx: ptr::null_mut(),
            deleter: Some(delete_foreign),
            flags: 0,
            dl_tensor: DLTensor {
                data: ptr::null_mut(),
                device: DLDevice::CPU,
                ndim: 2,
                dtype: DLDataType::FLOAT64,
                shape: ptr::null_mut(),
                strides: ptr::null_mut(),
                byte_offset: 0,
            },
        },
        shape: [2, 3],
        strides: [3, 1],
        data: [0.0; 6],
        deletions: deletions.clone(),
    }));
    // SAFETY: just allocated; nobody else has the pointer.
    unsafe {
        let managed = &raw mut (*foreign).managed;
        (*managed).manager_ctx = foreign.cast();
        (*managed).dl_tensor.data = (&raw mut (*foreign).data).cast();
        (*managed).dl_tensor.shape = (&raw mut (*foreign).shape).cast();
        (*managed).dl_tensor.strides = (&raw mut (*foreign).strides).cast();
        change(&mut *managed);
        RawTensor::Versioned(ptr::NonNull::new(managed).unwrap())
    }
}

/// A stand-in for a capsule, which destroys itself as an interpreter's does.
struct Capsule {
    pointer: *mut c_void,
    name: Cell<Option<&'static CStr>>,
    can_rename: bool,
    renames: Cell<usize>,
}

#[derive(Debug, PartialEq, Eq)]
enum CapsuleError {
    WrongName,
    CannotRename,
}

impl Carrier for Capsule {
    type Error = CapsuleError;

    fn name(&self) -> Option<&CStr> {
        self.name.get()
    }

    fn pointer(&self, name: &CStr) -> Result<*mut c_void, CapsuleError> {
        if self.name.get() == Some(name) { Ok(self.pointer) } else { Err(CapsuleError::WrongName) }
    }

    fn set_name(&self, name: &'static CStr) -> Result<(), CapsuleError> {
        if !self.can_rename {
            return Err(CapsuleError::CannotRename);
        }
        self.renames.set(self.renames.get() + 1);
        self.name.set(Some(name));
        Ok(())
    }
}

impl Capsule {
    fn new(tensor: RawTensor) -> Self {
        Self {
            pointer: tensor.as_ptr(),
            name: Cell::new(Some(tensor.capsule_name())),
            can_rename: true,
            renames: Cell::new(0),
        }
    }

    fn of(pointer: *mut c_void, name: Option<&'static CStr>) -> Self {
        Self { pointer, name: Cell::new(name), can_rename: true, renames: Cell::new(0) }
    }

    fn consume(&self) -> Result<OwnedTensor, ConsumeError<Infallible, CapsuleError>> {
        // SAFETY: the tensors of these tests are live, or their pointers NULL or misaligned.
        unsafe { consume(self) }
    }

    fn destroy(self) -> Destroyed {
        // SAFETY: as above.
        let done = unsafe { destroy(&self) };
        core::mem::forget(self);
        done
    }
}

impl Drop for Capsule {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { destroy(self) };
    }
}

const BOTH: [bool; 2] = [false, true];

// ---- export and import without a capsule ----

#[test]
fn exported_tensors_say_what_they_are() {
    let drops = Count::default();
    for versioned in BOTH {
        // SAFETY: exported just now.
        let tensor = unsafe { OwnedTensor::new(export(&drops, versioned)) }.unwrap();
        let view = tensor.view();
        assert_eq!(view.shape(), [2, 3]);
        assert_eq!(view.strides(), [3, 1]);
        assert!(view.has_strides());
        assert_eq!(view.dtype(), DLDataType::FLOAT64);
        assert_eq!(view.device(), DLDevice::CPU);
        // SAFETY: six numbers, alive as long as the tensor.
        let data = unsafe { core::slice::from_raw_parts(view.first().cast::<f64>(), view.size()) };
        assert_eq!(data, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        let version = versioned.then_some(DLPackVersion { major: 1, minor: 3 });
        assert_eq!(tensor.version(), version);
        assert!(!tensor.read_only() && !tensor.is_copied());
        assert_eq!(drops.get(), usize::from(versioned));
    }
    assert_eq!(drops.get(), 2);
}

#[test]
fn strides_in_bytes_and_flags() {
    let drops = Count::default();
    let mut owner = Owner::new(&drops);
    let spec = TensorSpec {
        strides: SpecStrides::Bytes(&[8, -16]),
        byte_offset: 32,
        flags: Flags::READ_ONLY | Flags::IS_COPIED,
        ..TensorSpec::new(owner.data.as_mut_ptr().cast(), DLDevice::CPU, DLDataType::FLOAT64, &[2i64, 3])
    };
    // SAFETY: the owner keeps six numbers at `data`, the fifth of which is the first element.
    let raw = unsafe { Export::new(owner, spec) }.into_raw(true).unwrap();
    // SAFETY: exported just now.
    let tensor = unsafe { OwnedTensor::new(raw) }.unwrap();
    assert_eq!(tensor.view().strides(), [1, -2]);
    assert_eq!((tensor.view().span().low, tensor.view().span().high), (-32, 16));
    assert!(tensor.read_only() && tensor.is_copied());
    drop(tensor);
    assert_eq!(drops.get(), 1);
}

#[test]
fn strides_in_bytes_that_lead_nowhere() {
    let drops = Count::default();
    for shape in [[1usize, 6], [0, 6]] {
        let mut owner = Owner::new(&drops);
        let data = owner.data.as_mut_ptr().cast();
        let spec = TensorSpec {
            strides: SpecStrides::Bytes(&[13, 8]),
            ..TensorSpec::new(data, DLDevice::CPU, DLDataType::FLOAT64, &shape)
        };
        // SAFETY: the owner keeps six numbers at `data`, or there are no elements.
        let raw = unsafe { Export::new(owner, spec) }.into_raw(true).unwrap();
        // SAFETY: exported just now.
        let tensor = unsafe { OwnedTensor::new(raw) }.unwrap();
        assert!(tensor.view().is_c_contiguous());
    }
    assert_eq!(drops.get(), 2);
}

#[test]
fn without_dimensions_or_elements() {
    let drops = Count::default();
    for versioned in BOTH {
        for shape in [&[][..], &[0, 3], &[3, 0, 2]] {
            let mut owner = Owner::new(&drops);
            let data = owner.data.as_mut_ptr().cast();
            let spec = TensorSpec::new(data, DLDevice::CPU, DLDataType::FLOAT64, shape);
            // SAFETY: one element or none.
            let raw = unsafe { Export::<Owner>::new(owner, spec) }.into_raw(versioned).unwrap();
            // SAFETY: exported just now.
            let tensor = unsafe { OwnedTensor::new(raw) }.unwrap();
            let view = tensor.view();
            assert_eq!(view.shape(), shape);
            assert_eq!(view.first().is_null(), view.size() == 0);
        }
    }
    assert_eq!(drops.get(), 6);
}

#[test]
fn a_refused_export_drops_the_owner() {
    let drops = Count::default();
    let mut expected = 0;
    let mut refused = |versioned: bool, change: &dyn Fn(&mut TensorSpec<'static>)| {
        let mut owner = Owner::new(&drops);
        let data = owner.data.as_mut_ptr().cast();
        let mut spec = TensorSpec::new(data, DLDevice::CPU, DLDataType::FLOAT64, &[2usize, 3]);
        change(&mut spec);
        // SAFETY: not exported at all, as the test asserts.
        let error = unsafe { Export::new(owner, spec) }.into_raw(versioned).unwrap_err();
        expected += 1;
        assert_eq!(drops.get(), expected);
        error
    };
    assert_eq!(refused(false, &|spec| spec.flags = Flags::READ_ONLY), ExportError::LegacyReadOnly);
    assert_eq!(
        refused(false, &|spec| {
            spec.flags = Flags::SUBBYTE_PADDED;
            spec.dtype = DLDataType::new(type_code::FLOAT4_E2M1FN, 4);
        }),
        ExportError::LegacyPadded
    );
    assert_eq!(refused(true, &|spec| spec.shape = (&[1i64; 65]).into()), Invalid::Ndim { got: 65 }.into());
    assert_eq!(
        refused(true, &|spec| spec.shape = (&[-1i64, 3]).into()),
        Invalid::NegativeExtent { dim: 0, got: -1 }.into()
    );
    assert_eq!(
        refused(true, &|spec| spec.shape = (&[usize::MAX, 3]).into()),
        ExportError::Extent { dim: 0, got: usize::MAX }
    );
    assert!(matches!(
        refused(true, &|spec| spec.shape = (&[1usize << 40, 1 << 40, 1 << 40]).into()),
        ExportError::Invalid(Invalid::SizeOverflow { .. })
    ));
    assert_eq!(
        refused(true, &|spec| spec.strides = SpecStrides::Elements(&[1])),
        ExportError::StridesLength { ndim: 2, got: 1 }
    );
    assert_eq!(
        refused(true, &|spec| {
            spec.shape = (&[0usize; 0]).into();
            spec.strides = SpecStrides::Bytes(&[8]);
        }),
        ExportError::StridesLength { ndim: 0, got: 1 }
    );
    assert_eq!(
        refused(true, &|spec| spec.strides = SpecStrides::Bytes(&[24, 12])),
        ExportError::StrideNotWhole { dim: 1, stride: 12, item_bits: 64 }
    );
    assert_eq!(refused(true, &|spec| spec.data = ptr::null_mut()), Invalid::DataNull { size: 6 }.into());
    assert_eq!(
        refused(true, &|spec| {
            spec.dtype.bits = 0;
            spec.strides = SpecStrides::Bytes(&[24, 8]);
        }),
        Invalid::BitsZero.into()
    );
}

#[test]
fn an_owner_with_great_alignment() {
    #[repr(align(128))]
    struct Aligned(Owner);
    let drops = Count::default();
    for versioned in BOTH {
        let mut owner = Aligned(Owner::new(&drops));
        let data = owner.0.data.as_mut_ptr().cast();
        let spec = TensorSpec::new(data, DLDevice::CPU, DLDataType::FLOAT64, &[6usize]);
        // SAFETY: the owner keeps six numbers at `data`.
        let raw = unsafe { Export::new(owner, spec) }.into_raw(versioned).unwrap();
        // SAFETY: exported just now.
        drop(unsafe { OwnedTensor::new(raw) }.unwrap());
    }
    assert_eq!(drops.get(), 2);
}

#[test]
fn a_consumer_that_writes_to_the_struct_does_not_confuse_the_deleter() {
    let drops = Count::default();
    let RawTensor::Versioned(tensor) = export(&drops, true) else {
        panic!("asked for a versioned tensor");
    };
    // SAFETY: exported just now, and ours; deleted once.
    unsafe {
        let managed = tensor.as_ptr();
        (*managed).dl_tensor.ndim = 60;
        (*managed).dl_tensor.shape = ptr::null_mut();
        (*managed).manager_ctx = ptr::null_mut();
        (*managed).version.major = 9;
        let deleter = (*managed).deleter.unwrap();
        deleter(managed);
    }
    assert_eq!(drops.get(), 1);
}

#[test]
fn into_raw_gives_up_ownership() {
    let drops = Count::default();
    let RawTensor::Versioned(managed) = export(&drops, true) else {
        panic!("asked for a versioned tensor");
    };
    // SAFETY: exported just now, and ours.
    let raw = unsafe {
        (*managed.as_ptr()).dl_tensor.strides = ptr::null_mut();
        OwnedTensor::from_versioned(managed.as_ptr())
    }
    .unwrap()
    .into_raw();
    assert_eq!(drops.get(), 0);
    // SAFETY: ours again.
    assert!(unsafe { raw.delete() });
    assert_eq!(drops.get(), 1);
}

#[test]
fn many_dimensions_without_strides() {
    let deletions = Count::default();
    let mut shape = [1i64; 40];
    shape[39] = 6;
    for keep in BOTH {
        let raw = foreign(&deletions, |managed| {
            managed.dl_tensor.ndim = 40;
            managed.dl_tensor.shape = shape.as_mut_ptr();
            managed.dl_tensor.strides = ptr::null_mut();
        });
        // SAFETY: live; the shape outlives the tensor.
        let tensor = unsafe { OwnedTensor::new(raw) }.unwrap();
        assert_eq!(tensor.view().strides()[38], 6);
        if keep {
            // SAFETY: ours.
            unsafe { tensor.into_raw().delete() };
        }
    }
    assert_eq!(deletions.get(), 2);
}

#[test]
fn null_pointers_and_deleters() {
    // SAFETY: NULL is refused.
    let null = unsafe { OwnedTensor::from_versioned(ptr::null_mut()) };
    assert_eq!(null.unwrap_err(), Rejected::Null);
    // SAFETY: as above.
    let null = unsafe { OwnedTensor::from_legacy(ptr::null_mut()) };
    assert_eq!(null.unwrap_err(), Rejected::Null);
    // SAFETY: misaligned pointers are refused before they are read.
    let odd = unsafe { OwnedTensor::from_legacy(ptr::without_provenance_mut(0x1001)) };
    assert_eq!(odd.unwrap_err(), Rejected::Misaligned { address: 0x1001 });

    let mut shape = [6i64];
    let mut data = [0f64; 6];
    let mut tensor = DLManagedTensor {
        dl_tensor: DLTensor {
            data: data.as_mut_ptr().cast(),
            device: DLDevice::CPU,
            ndim: 1,
            dtype: DLDataType::FLOAT64,
            shape: shape.as_mut_ptr(),
            strides: ptr::null_mut(),
            byte_offset: 0,
        },
        manager_ctx: ptr::null_mut(),
        deleter: None,
    };
    // SAFETY: everything lives to the end of this function.
    let owned = unsafe { OwnedTensor::from_legacy(&raw mut tensor) }.unwrap();
    assert_eq!(owned.view().size(), 6);
    drop(owned);
    let raw = RawTensor::Legacy(ptr::NonNull::from(&mut tensor));
    assert_eq!(Capsule::new(raw).destroy(), Destroyed::NoDeleter);
    drop(Capsule::new(raw).consume().unwrap());
}

#[test]
fn an_invalid_tensor_that_is_stolen_is_deleted() {
    let deletions = Count::default();
    let raw = foreign(&deletions, |managed| managed.dl_tensor.ndim = -3);
    // SAFETY: live and ours.
    let error = unsafe { OwnedTensor::new(raw) }.unwrap_err();
    assert_eq!(error, Invalid::Ndim { got: -3 }.into());
    let raw = foreign(&deletions, |managed| managed.version.major = 2);
    // SAFETY: live and ours.
    let error = unsafe { OwnedTensor::new(raw) }.unwrap_err();
    assert_eq!(error, Rejected::UnknownMajor { got: 2 });
    assert_eq!(deletions.get(), 2);
}

#[test]
fn unknown_minor_versions_and_flags_are_no_obstacle() {
    let deletions = Count::default();
    for minor in [0, 4, u32::MAX] {
        let raw = foreign(&deletions, |managed| {
            managed.version.minor = minor;
            managed.flags = !0 << 3;
        });
        // SAFETY: live and ours.
        let tensor = unsafe { OwnedTensor::new(raw) }.unwrap();
        assert_eq!(tensor.version(), Some(DLPackVersion { major: 1, minor }));
        assert!(!tensor.read_only() && !tensor.is_copied());
    }
    assert_eq!(deletions.get(), 3);
}

#[test]
fn deleted_on_another_thread() {
    let drops = Count::default();
    for versioned in BOTH {
        // SAFETY: exported just now.
        let tensor = unsafe { OwnedTensor::new(export(&drops, versioned)) }.unwrap();
        let size = thread::spawn(move || tensor.view().size()).join().unwrap();
        assert_eq!(size, 6);
    }
    assert_eq!(drops.get(), 2);

    // SAFETY: exported just now.
    let shared = Arc::new(unsafe { OwnedTensor::new(export(&drops, true)) }.unwrap());
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.view().shape().iter().sum::<i64>())
        })
        .collect();
    drop(shared);
    for each in threads {
        assert_eq!(each.join().unwrap(), 5);
    }
    assert_eq!(drops.get(), 3);
}

#[test]
fn a_panic_in_the_owner_does_not_cross() {
    /// Panics when dropped, and again when the payload of that panic is dropped.
    struct Bomb {
        _rest: Owner,
        twice: bool,
    }
    struct Payload;
    impl Drop for Payload {
        fn drop(&mut self) {
            std::panic::panic_any("again");
        }
    }
    impl Drop for Bomb {
        fn drop(&mut self) {
            if self.twice {
                std::panic::panic_any(Payload);
            }
            panic!("an owner that panics when dropped; this message is expected");
        }
    }
    let drops = Count::default();
    let mut calls = 0;
    for versioned in BOTH {
        for twice in BOTH {
            let mut rest = Owner::new(&drops);
            let data = rest.data.as_mut_ptr().cast();
            let owner = Bomb { _rest: rest, twice };
            let spec = TensorSpec::new(data, DLDevice::CPU, DLDataType::FLOAT64, &[6usize]);
            // SAFETY: the owner keeps six numbers at `data`.
            let raw = unsafe { Export::new(owner, spec) }.into_raw(versioned).unwrap();
            assert_eq!(Capsule::new(raw).destroy(), Destroyed::Deleted);
            calls += 1;
            // What the owner had was dropped all the same.
            assert_eq!(drops.get(), calls);
        }
    }
}

// ---- capsules ----

#[test]
fn consumed_once() {
    let drops = Count::default();
    for (n, versioned) in BOTH.into_iter().enumerate() {
        let capsule = Capsule::new(export(&drops, versioned));
        let tensor = capsule.consume().unwrap();
        let used = if versioned { CAPSULE_VERSIONED_USED } else { CAPSULE_LEGACY_USED };
        assert_eq!(capsule.name.get(), Some(used));
        assert_eq!(capsule.consume().unwrap_err(), ConsumeError::AlreadyUsed);
        assert_eq!(capsule.renames.get(), 1);
        // The capsule goes first, as it mostly does.
        assert_eq!(capsule.destroy(), Destroyed::Used);
        assert_eq!(tensor.view().size(), 6);
        assert_eq!(drops.get(), n);
        drop(tensor);
        assert_eq!(drops.get(), n + 1);
    }
}

#[test]
fn the_tensor_may_go_before_the_capsule() {
    let drops = Count::default();
    let capsule = Capsule::new(export(&drops, true));
    drop(capsule.consume().unwrap());
    assert_eq!(drops.get(), 1);
    assert_eq!(capsule.consume().unwrap_err(), ConsumeError::AlreadyUsed);
    assert_eq!(capsule.destroy(), Destroyed::Used);
    assert_eq!(drops.get(), 1);
}

#[test]
fn never_consumed() {
    let drops = Count::default();
    for versioned in BOTH {
        let capsule = Capsule::new(export(&drops, versioned));
        assert_eq!(capsule.destroy(), Destroyed::Deleted);
    }
    assert_eq!(drops.get(), 2);
    // Twice by mistake.
    let capsule = Capsule::new(export(&drops, true));
    // SAFETY: the capsule is fresh.
    assert_eq!(unsafe { destroy(&capsule) }, Destroyed::Deleted);
    assert_eq!(capsule.destroy(), Destroyed::Used);
    assert_eq!(drops.get(), 3);
}

#[test]
fn a_rejected_capsule_is_left_alone() {
    let deletions = Count::default();
    let bad: [fn(&mut DLTensor); 6] = [
        |tensor| tensor.ndim = -1,
        |tensor| tensor.ndim = i32::MAX,
        |tensor| tensor.shape = ptr::null_mut(),
        |tensor| tensor.data = ptr::null_mut(),
        |tensor| tensor.dtype.lanes = 0,
        |tensor| tensor.byte_offset = u64::MAX,
    ];
    for (n, change) in bad.into_iter().enumerate() {
        let raw = foreign(&deletions, |managed| change(&mut managed.dl_tensor));
        let capsule = Capsule::new(raw);
        for _ in 0..2 {
            assert!(matches!(capsule.consume(), Err(ConsumeError::Rejected(Rejected::Invalid(_)))));
        }
        assert_eq!(capsule.name.get(), Some(CAPSULE_VERSIONED));
        assert_eq!((capsule.renames.get(), deletions.get()), (0, n));
        assert_eq!(capsule.destroy(), Destroyed::Deleted);
        assert_eq!(deletions.get(), n + 1);
    }
}

#[test]
fn a_refused_capsule_goes_to_the_next_consumer() {
    let drops = Count::default();
    let capsule = Capsule::new(export(&drops, true));
    // SAFETY: the capsule is fresh.
    let refused = unsafe {
        consume_if(&capsule, |view, flags| {
            assert_eq!((view.size(), flags), (6, Flags::NONE));
            Err::<(), _>(view.dtype().to_string())
        })
    };
    let error = refused.unwrap_err();
    assert_eq!(error, ConsumeError::Refused("float64".into()));
    assert_eq!((capsule.renames.get(), drops.get()), (0, 0));
    // SAFETY: the capsule is fresh.
    let accepted = unsafe { consume_if(&capsule, |view, _| Ok::<_, Infallible>(view.size())) };
    let (tensor, size) = accepted.unwrap();
    assert_eq!(size, 6);
    drop(tensor);
    assert_eq!(capsule.destroy(), Destroyed::Used);
    assert_eq!(drops.get(), 1);
}

#[test]
fn a_panic_in_accept_changes_nothing() {
    let drops = Count::default();
    let capsule = Capsule::new(export(&drops, true));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        // SAFETY: the capsule is fresh.
        let _ = unsafe {
            consume_if(&capsule, |_, _| -> Result<(), Infallible> {
                panic!("a check that panics; this message is expected")
            })
        };
    }));
    assert!(result.is_err());
    assert_eq!((capsule.renames.get(), drops.get()), (0, 0));
    drop(capsule);
    assert_eq!(drops.get(), 1);
}

#[test]
fn consumed_by_another_while_accept_runs() {
    let drops = Count::default();
    let capsule = Capsule::new(export(&drops, true));
    let mut inner = None;
    // SAFETY: the capsule is fresh; the view is not used after the inner consumer.
    let outer = unsafe {
        consume_if(&capsule, |_, _| {
            inner = Some(capsule.consume());
            Ok::<_, Infallible>(())
        })
    };
    assert_eq!(outer.unwrap_err(), ConsumeError::AlreadyUsed);
    assert_eq!(capsule.renames.get(), 1);
    drop(capsule);
    assert_eq!(drops.get(), 0);
    drop(inner.unwrap().unwrap());
    assert_eq!(drops.get(), 1);

    // The inner one even lets go of the tensor.
    let capsule = Capsule::new(export(&drops, true));
    // SAFETY: as above.
    let outer = unsafe {
        consume_if(&capsule, |_, _| {
            drop(capsule.consume());
            Ok::<_, Infallible>(())
        })
    };
    assert_eq!(outer.unwrap_err(), ConsumeError::AlreadyUsed);
    drop(capsule);
    assert_eq!(drops.get(), 2);
}

#[test]
fn an_unknown_major_version_is_deleted_once() {
    let deletions = Count::default();
    for (n, got) in [0, 2, u32::MAX].into_iter().enumerate() {
        // Nothing behind the deleter makes sense in that version.
        let raw = foreign(&deletions, |managed| {
            managed.version.major = got;
            managed.dl_tensor.ndim = 64;
            managed.dl_tensor.shape = ptr::without_provenance_mut(8);
        });
        let capsule = Capsule::new(raw);
        let error = capsule.consume().unwrap_err();
        assert_eq!(error, ConsumeError::Rejected(Rejected::UnknownMajor { got }));
        assert_eq!(capsule.name.get(), Some(CAPSULE_VERSIONED_USED));
        assert_eq!(deletions.get(), n + 1);
        assert_eq!(capsule.consume().unwrap_err(), ConsumeError::AlreadyUsed);
        assert_eq!(capsule.destroy(), Destroyed::Used);
        assert_eq!(deletions.get(), n + 1);
    }
    // Never looked at, so it is the destructor that deletes it.
    let raw = foreign(&deletions, |managed| managed.version.major = 7);
    assert_eq!(Capsule::new(raw).destroy(), Destroyed::Deleted);
    assert_eq!(deletions.get(), 4);
    // A deleter that is not there.
    let raw = foreign(&deletions, |managed| {
        managed.version.major = 7;
        managed.deleter = None;
    });
    let capsule = Capsule::new(raw);
    assert!(capsule.consume().is_err());
    assert_eq!(capsule.destroy(), Destroyed::Used);
    let RawTensor::Versioned(leftover) = raw else {
        panic!("asked for a versioned tensor");
    };
    // SAFETY: nobody deleted it.
    unsafe { delete_foreign(leftover.as_ptr()) };
}

#[test]
fn a_capsule_that_can_not_be_renamed_keeps_its_tensor() {
    let deletions = Count::default();
    for (n, major) in [1, 5].into_iter().enumerate() {
        let raw = foreign(&deletions, |managed| managed.version.major = major);
        let mut capsule = Capsule::new(raw);
        capsule.can_rename = false;
        let error = capsule.consume().unwrap_err();
        assert_eq!(error, ConsumeError::Carrier(CapsuleError::CannotRename));
        assert_eq!(deletions.get(), n);
        assert_eq!(capsule.destroy(), Destroyed::Deleted);
        assert_eq!(deletions.get(), n + 1);
    }
}

#[test]
fn foreign_names_and_bad_pointers() {
    let somewhere = ptr::without_provenance_mut(64);
    for name in [None, Some(c""), Some(c"dltensor2"), Some(c"DLTENSOR"), Some(c"used_"), Some(c"dlpack_exchange_api")] {
        let capsule = Capsule::of(somewhere, name);
        assert_eq!(
            capsule.consume().unwrap_err(),
            ConsumeError::NotDlpack { name: name.map(|name| name.to_str().unwrap().to_owned()) }
        );
        assert_eq!(capsule.destroy(), Destroyed::Foreign);
    }
    for name in [CAPSULE_LEGACY_USED, CAPSULE_VERSIONED_USED] {
        let capsule = Capsule::of(somewhere, Some(name));
        assert_eq!(capsule.consume().unwrap_err(), ConsumeError::AlreadyUsed);
        assert_eq!(capsule.destroy(), Destroyed::Used);
    }
    for name in [CAPSULE_LEGACY, CAPSULE_VERSIONED] {
        let capsule = Capsule::of(ptr::null_mut(), Some(name));
        assert_eq!(capsule.consume().unwrap_err(), ConsumeError::Rejected(Rejected::Null));
        assert_eq!(capsule.destroy(), Destroyed::NoDeleter);
        let capsule = Capsule::of(ptr::without_provenance_mut(0x1003), Some(name));
        assert_eq!(capsule.consume().unwrap_err(), ConsumeError::Rejected(Rejected::Misaligned { address: 0x1003 }));
        assert_eq!(capsule.destroy(), Destroyed::NoDeleter);
    }
    let text = Capsule::of(somewhere, Some(c"x"))
        .consume()
        .map_err(|error| match error {
            ConsumeError::Carrier(_) => panic!("the carrier did not fail"),
            ConsumeError::NotDlpack { name } => ConsumeError::<Infallible>::NotDlpack { name },
            _ => panic!("the name is foreign"),
        })
        .unwrap_err()
        .to_string();
    assert_eq!(
        text,
        "a capsule named \"x\" is not a DLPack tensor; \
         the name must be \"dltensor\" or \"dltensor_versioned\""
    );
}

#[test]
fn a_hundred_thousand_round_trips() {
    const TRIPS: usize = 100_000;
    let (drops, deletions) = (Count::default(), Count::default());
    let mut ours = 0;
    for n in 0..TRIPS {
        let raw = if n % 3 == 2 {
            foreign(&deletions, |_| ())
        } else {
            ours += 1;
            export(&drops, n % 3 == 0)
        };
        let capsule = Capsule::new(raw);
        match n % 5 {
            // Never consumed.
            0 => drop(capsule),
            // The capsule goes first.
            1 => {
                let tensor = capsule.consume().unwrap();
                drop(capsule);
                assert_eq!(tensor.view().size(), 6);
            }
            // The tensor goes first.
            2 => {
                drop(capsule.consume().unwrap());
                drop(capsule);
            }
            // Refused.
            3 => {
                // SAFETY: the capsule is fresh.
                let refused = unsafe { consume_if(&capsule, |_, _| Err::<(), _>(n)) };
                assert_eq!(refused.unwrap_err(), ConsumeError::Refused(n));
                drop(capsule);
            }
            // Twice.
            _ => {
                let tensor = capsule.consume().unwrap();
                assert!(capsule.consume().is_err());
                drop(capsule);
                drop(tensor);
            }
        }
        assert_eq!(drops.get() + deletions.get(), n + 1);
    }
    assert_eq!(drops.get(), ours);
    assert_eq!(deletions.get(), TRIPS - ours);
}
