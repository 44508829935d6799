//! Owned tensors on the consumer's side.
//!
//! A managed tensor is a pointer whose deleter must run exactly once. [`RawTensor`] names the two
//! structs such a pointer can lead to; [`OwnedTensor`] owns one and has looked at its fields.

use core::ffi::{CStr, c_void};
use core::fmt;
use core::ptr::NonNull;

use crate::error::Rejected;
use crate::ffi::*;
use crate::flags::Flags;
use crate::view::TensorView;

/// A pointer to a managed tensor of either kind. Owns nothing by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawTensor {
    /// Without version and flags.
    Legacy(NonNull<DLManagedTensor>),
    /// With version and flags.
    Versioned(NonNull<DLManagedTensorVersioned>),
}

/// What [`RawTensor::inspect`] found.
#[derive(Clone, Debug)]
pub struct Inspected<'a> {
    /// The checked fields of the tensor.
    pub view: TensorView<'a>,
    /// The flags; none for a legacy tensor.
    pub flags: Flags,
    /// The version; none for a legacy tensor.
    pub version: Option<DLPackVersion>,
}

impl RawTensor {
    /// The pointer without its type, as a capsule holds it.
    pub fn as_ptr(self) -> *mut c_void {
        match self {
            Self::Legacy(tensor) => tensor.as_ptr().cast(),
            Self::Versioned(tensor) => tensor.as_ptr().cast(),
        }
    }

    /// The name of a capsule that holds the tensor.
    pub fn capsule_name(self) -> &'static CStr {
        match self {
            Self::Legacy(_) => CAPSULE_LEGACY,
            Self::Versioned(_) => CAPSULE_VERSIONED,
        }
    }

    /// Reads and checks the fields, without taking ownership.
    ///
    /// Of a tensor of an unknown major version only that version is read; an unknown minor
    /// version is no obstacle.
    ///
    /// # Errors
    ///
    /// [`Rejected`] says why the tensor can't be used. The deleter was not called.
    ///
    /// # Safety
    ///
    /// If the pointer is aligned, it must lead to a live struct of its type, and shape and strides
    /// must be as [`TensorView::check`] asks. Nobody may change or free them during `'a`.
    pub unsafe fn inspect<'a>(self) -> Result<Inspected<'a>, Rejected> {
        self.aligned()?;
        match self {
            Self::Legacy(tensor) => {
                // SAFETY: aligned, and live by the caller's contract.
                let tensor = unsafe { &(*tensor.as_ptr()).dl_tensor };
                Ok(Inspected {
                    // SAFETY: the caller's contract.
                    view: unsafe { TensorView::check(tensor) }?,
                    flags: Flags::NONE,
                    version: None,
                })
            }
            Self::Versioned(tensor) => {
                // SAFETY: aligned, and live by the caller's contract. No reference is made before
                // the layout is known to be ours.
                let major = unsafe { (&raw const (*tensor.as_ptr()).version.major).read() };
                if major != DLPACK_MAJOR_VERSION {
                    return Err(Rejected::UnknownMajor { got: major });
                }
                // SAFETY: as above; the layout is ours.
                let managed = unsafe { &*tensor.as_ptr() };
                let flags = Flags::from_bits(managed.flags);
                Ok(Inspected {
                    // SAFETY: the caller's contract.
                    view: unsafe { TensorView::check_with_flags(&managed.dl_tensor, flags) }?,
                    flags,
                    version: Some(managed.version),
                })
            }
        }
    }

    /// Calls the deleter, if there is one, and says whether there was. Nothing but the deleter
    /// is read, so this works for every major version.
    ///
    /// # Safety
    ///
    /// If the pointer is aligned, it must lead to a live struct of its type which the caller owns,
    /// and which nobody uses afterwards. A pointer that is not aligned is left alone.
    pub unsafe fn delete(self) -> bool {
        if self.aligned().is_err() {
            return false;
        }
        match self {
            Self::Legacy(tensor) => {
                let tensor = tensor.as_ptr();
                // SAFETY: aligned, and live by the caller's contract.
                let deleter = unsafe { (&raw const (*tensor).deleter).read() };
                if let Some(deleter) = deleter {
                    // SAFETY: the caller gives up its ownership.
                    unsafe { deleter(tensor) };
                }
                deleter.is_some()
            }
            Self::Versioned(tensor) => {
                let tensor = tensor.as_ptr();
                // SAFETY: aligned, and live by the caller's contract. The deleter is at the same
                // place in every version.
                let deleter = unsafe { (&raw const (*tensor).deleter).read() };
                if let Some(deleter) = deleter {
                    // SAFETY: the caller gives up its ownership.
                    unsafe { deleter(tensor) };
                }
                deleter.is_some()
            }
        }
    }

    fn aligned(self) -> Result<(), Rejected> {
        let aligned = match self {
            Self::Legacy(tensor) => tensor.is_aligned(),
            Self::Versioned(tensor) => tensor.is_aligned(),
        };
        if aligned { Ok(()) } else { Err(Rejected::Misaligned { address: self.as_ptr().addr() }) }
    }
}

/// A managed tensor that is ours: its fields are checked, and its deleter runs once, on drop.
///
/// A NULL deleter is nothing to call; the memory is then nobody's to free.
///
/// It can be sent to and shared with other threads: DLPack lets a deleter run on any thread, and
/// the view only reads what nobody changes. Access to the *data* is for the owner to regulate.
pub struct OwnedTensor {
    raw: RawTensor,
    // Points into the memory of `raw`, which is freed on drop only.
    inspected: Inspected<'static>,
}

// SAFETY: DLPack asks producers for deleters that can run on any thread. The other fields are
// only read.
unsafe impl Send for OwnedTensor {}
// SAFETY: through a shared reference, fields are only read, and nobody writes them.
unsafe impl Sync for OwnedTensor {}

impl OwnedTensor {
    /// Takes ownership of a managed tensor and checks it.
    ///
    /// # Errors
    ///
    /// [`Rejected`] says why the tensor can't be used. Its deleter has been called: ownership is
    /// taken in every case, as with a tensor that an exchange function steals. To look first and
    /// own later use [`RawTensor::inspect`].
    ///
    /// # Safety
    ///
    /// If the pointer is aligned, it must lead to a live struct of its type which the caller owns
    /// and gives up. Shape and strides must be as [`TensorView::check`] asks, until the deleter
    /// is called. The deleter must be sound to call on any thread.
    pub unsafe fn new(raw: RawTensor) -> Result<Self, Rejected> {
        // SAFETY: the caller's contract.
        match unsafe { raw.inspect() } {
            Ok(inspected) => Ok(Self { raw, inspected }),
            Err(rejected) => {
                // SAFETY: the caller gave up its ownership.
                unsafe { raw.delete() };
                Err(rejected)
            }
        }
    }

    /// Takes ownership of a versioned tensor and checks it.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new); a NULL pointer is rejected too.
    ///
    /// # Safety
    ///
    /// As for [`new`](Self::new).
    pub unsafe fn from_versioned(tensor: *mut DLManagedTensorVersioned) -> Result<Self, Rejected> {
        let tensor = NonNull::new(tensor).ok_or(Rejected::Null)?;
        // SAFETY: the same contract.
        unsafe { Self::new(RawTensor::Versioned(tensor)) }
    }

    /// Takes ownership of a legacy tensor and checks it.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new); a NULL pointer is rejected too.
    ///
    /// # Safety
    ///
    /// As for [`new`](Self::new).
    pub unsafe fn from_legacy(tensor: *mut DLManagedTensor) -> Result<Self, Rejected> {
        let tensor = NonNull::new(tensor).ok_or(Rejected::Null)?;
        // SAFETY: the same contract.
        unsafe { Self::new(RawTensor::Legacy(tensor)) }
    }

    /// Takes ownership of a tensor that was inspected before.
    ///
    /// # Safety
    ///
    /// `inspected` came from `raw`, nothing changed since, and the contract of
    /// [`new`](Self::new) holds.
    pub(crate) unsafe fn from_inspected(raw: RawTensor, inspected: Inspected<'_>) -> Self {
        Self {
            raw,
            inspected: Inspected {
                // SAFETY: the memory lives until the deleter is called, which is in `drop`.
                view: unsafe { inspected.view.extend() },
                flags: inspected.flags,
                version: inspected.version,
            },
        }
    }

    /// The checked fields.
    pub fn view(&self) -> &TensorView<'_> {
        &self.inspected.view
    }

    /// The flags; none for a legacy tensor.
    pub fn flags(&self) -> Flags {
        self.inspected.flags
    }

    /// The version; `None` for a legacy tensor.
    pub fn version(&self) -> Option<DLPackVersion> {
        self.inspected.version
    }

    /// Whether the data must not be written to. A legacy tensor can't say so.
    pub fn read_only(&self) -> bool {
        self.flags().read_only()
    }

    /// Whether the producer says that it made a copy. A legacy tensor can't say so.
    pub fn is_copied(&self) -> bool {
        self.flags().is_copied()
    }

    /// The pointer, which remains owned.
    pub fn raw(&self) -> RawTensor {
        self.raw
    }

    /// Gives up ownership: the deleter is the caller's to call.
    pub fn into_raw(self) -> RawTensor {
        let mut this = core::mem::ManuallyDrop::new(self);
        // What the view allocated is not part of the tensor.
        this.inspected.view.forget_strides();
        this.raw
    }
}

impl Drop for OwnedTensor {
    fn drop(&mut self) {
        // SAFETY: this is the one owner, and the last use.
        unsafe { self.raw.delete() };
    }
}

impl fmt::Debug for OwnedTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedTensor")
            .field("version", &self.version())
            .field("flags", &format_args!("{}", self.flags()))
            .field("view", self.view())
            .finish()
    }
}
