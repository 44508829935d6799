//! The life of a DLPack capsule, as a state machine.
//!
//! In Python a managed tensor travels in a *capsule*: a pointer with a name and a destructor. The
//! name is the state, and both sides act on it. This module has the rules; [`Carrier`] is what it
//! needs of a capsule, so that the binding to an interpreter is a few lines and the rules can be
//! tested without one.
//!
//! # States
//!
//! | state | name | who owns the tensor |
//! |---|---|---|
//! | fresh | `dltensor`, `dltensor_versioned` | the capsule |
//! | used | `used_dltensor`, `used_dltensor_versioned` | a consumer, or nobody any more |
//! | foreign | any other, or none | not our business |
//!
//! # Transitions
//!
//! | state | event | what is done | state after |
//! |---|---|---|---|
//! | fresh | [`consume_if`]: checks and `accept` are content, renaming works | rename, then own | used |
//! | fresh | [`consume_if`]: a field is wrong, or the pointer | nothing | fresh |
//! | fresh | [`consume_if`]: `accept` refuses | nothing | fresh |
//! | fresh | [`consume_if`]: renaming fails | nothing | fresh |
//! | fresh | [`consume_if`]: unknown major version | rename, then call the deleter | used |
//! | fresh | [`consume_if`]: unknown major version, renaming fails | nothing | fresh |
//! | fresh | another consumer took it while `accept` ran | nothing | used |
//! | fresh | [`destroy`] | rename, then call the deleter if there is one | used |
//! | used | [`consume_if`] | nothing; [`ConsumeError::AlreadyUsed`] | used |
//! | used | [`destroy`] | nothing | used |
//! | foreign | [`consume_if`] | nothing; [`ConsumeError::NotDlpack`] | foreign |
//! | foreign | [`destroy`] | nothing | foreign |
//!
//! In each of them the deleter is called at most once, and the tensor has an owner or is deleted.
//!
//! An unknown major version is the one rejection that consumes: DLPack asks the consumer to call
//! the deleter, and then the capsule must not call it again, so the name says *used*.
//!
//! # Threads
//!
//! Checking and renaming are separate steps. Two consumers that work on one capsule at the same
//! time must be kept apart from outside (by the interpreter's lock or a critical section). The
//! name is looked at once more after `accept`, so a lock that is let go *during* `accept` does not
//! lead to two owners; but `accept` itself must then not use the view any more.

use core::convert::Infallible;
use core::error::Error;
use core::ffi::{CStr, c_void};
use core::fmt;
use core::ptr::NonNull;

use crate::error::Rejected;
use crate::ffi::*;
use crate::flags::Flags;
use crate::import::{OwnedTensor, RawTensor};
use crate::view::TensorView;

/// A pointer with a name: a Python capsule, or a stand-in.
pub trait Carrier {
    /// What the carrier's own operations fail with.
    type Error;

    /// The present name.
    fn name(&self) -> Option<&CStr>;

    /// The pointer, which is given out only to those who know the name.
    ///
    /// # Errors
    ///
    /// If `name` is not the present name.
    fn pointer(&self, name: &CStr) -> Result<*mut c_void, Self::Error>;

    /// Changes the name. The carrier keeps the pointer to the name, not a copy.
    ///
    /// # Errors
    ///
    /// If it can't; the name is then the old one.
    fn set_name(&self, name: &'static CStr) -> Result<(), Self::Error>;
}

/// What the name of a capsule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CapsuleName {
    /// `dltensor`
    Legacy,
    /// `dltensor_versioned`
    Versioned,
    /// `used_dltensor`
    UsedLegacy,
    /// `used_dltensor_versioned`
    UsedVersioned,
    /// Any other name, or none.
    Other,
}

impl CapsuleName {
    /// What a name says.
    ///
    /// ```
    /// use strictarray_dlpack::CapsuleName;
    /// assert_eq!(CapsuleName::of(Some(c"dltensor")), CapsuleName::Legacy);
    /// assert_eq!(CapsuleName::of(Some(c"dltensor ")), CapsuleName::Other);
    /// ```
    pub fn of(name: Option<&CStr>) -> Self {
        match name {
            Some(name) if name == CAPSULE_VERSIONED => Self::Versioned,
            Some(name) if name == CAPSULE_LEGACY => Self::Legacy,
            Some(name) if name == CAPSULE_VERSIONED_USED => Self::UsedVersioned,
            Some(name) if name == CAPSULE_LEGACY_USED => Self::UsedLegacy,
            _ => Self::Other,
        }
    }

    /// The name itself, if it is one of DLPack's.
    pub const fn as_c_str(self) -> Option<&'static CStr> {
        match self {
            Self::Legacy => Some(CAPSULE_LEGACY),
            Self::Versioned => Some(CAPSULE_VERSIONED),
            Self::UsedLegacy => Some(CAPSULE_LEGACY_USED),
            Self::UsedVersioned => Some(CAPSULE_VERSIONED_USED),
            Self::Other => None,
        }
    }
}

/// The two kinds of fresh capsule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Legacy,
    Versioned,
}

impl Kind {
    const fn fresh(self) -> &'static CStr {
        match self {
            Self::Legacy => CAPSULE_LEGACY,
            Self::Versioned => CAPSULE_VERSIONED,
        }
    }

    const fn used(self) -> &'static CStr {
        match self {
            Self::Legacy => CAPSULE_LEGACY_USED,
            Self::Versioned => CAPSULE_VERSIONED_USED,
        }
    }

    fn raw(self, pointer: *mut c_void) -> Option<RawTensor> {
        Some(match self {
            Self::Legacy => RawTensor::Legacy(NonNull::new(pointer.cast())?),
            Self::Versioned => RawTensor::Versioned(NonNull::new(pointer.cast())?),
        })
    }
}

/// Why a capsule was not consumed. `R` is what `accept` refuses with, `C` the carrier's error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConsumeError<R = Infallible, C = Infallible> {
    /// The name is not one of DLPack's.
    NotDlpack {
        /// The name found, made readable.
        name: Option<String>,
    },
    /// A consumer took the tensor before.
    AlreadyUsed,
    /// The tensor can't be used. The capsule still owns it, except that one of an
    /// [unknown major version](Rejected::UnknownMajor) has been deleted.
    Rejected(Rejected),
    /// The caller's own check refused. The capsule still owns the tensor.
    Refused(R),
    /// The carrier failed. The capsule still owns the tensor.
    Carrier(C),
}

impl<R: fmt::Display, C: fmt::Display> fmt::Display for ConsumeError<R, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDlpack { name: Some(name) } => write!(
                f,
                "a capsule named {name:?} is not a DLPack tensor; \
                 the name must be \"dltensor\" or \"dltensor_versioned\""
            ),
            Self::NotDlpack { name: None } => f.write_str(
                "a capsule without a name is not a DLPack tensor; \
                 the name must be \"dltensor\" or \"dltensor_versioned\"",
            ),
            Self::AlreadyUsed => f.write_str("the DLPack capsule was consumed before; each can be consumed once"),
            Self::Rejected(error) => error.fmt(f),
            Self::Refused(error) => error.fmt(f),
            Self::Carrier(error) => error.fmt(f),
        }
    }
}

impl<R, C> Error for ConsumeError<R, C>
where
    R: fmt::Debug + fmt::Display,
    C: fmt::Debug + fmt::Display,
{
}

/// Takes the tensor out of a capsule, if it is fresh and all fields are valid.
///
/// # Errors
///
/// [`ConsumeError`]; the module's table says what happens to the capsule.
///
/// # Safety
///
/// As for [`consume_if`].
pub unsafe fn consume<C: Carrier + ?Sized>(carrier: &C) -> Result<OwnedTensor, ConsumeError<Infallible, C::Error>> {
    // SAFETY: the same contract.
    unsafe { consume_if(carrier, |_, _| Ok(())) }.map(|(tensor, ())| tensor)
}

/// Takes the tensor out of a capsule, if it is fresh, all fields are valid and `accept` agrees.
///
/// `accept` is for what only the caller knows, such as which types and devices it supports. It
/// runs before anything is changed, so that a refusal leaves the capsule for others. What it
/// returns is handed back with the tensor.
///
/// # Errors
///
/// [`ConsumeError`]; the module's table says what happens to the capsule.
///
/// # Safety
///
/// - A carrier with the name of a fresh capsule holds a pointer to a managed tensor of that kind,
///   alive and owned by the capsule, or else one that is NULL or misaligned. Its shape and strides
///   are as [`TensorView::check`] asks, and its deleter is sound to call on any thread.
/// - Nobody else consumes or destroys the capsule meanwhile, except that `accept` may let it
///   happen if it does not use the view afterwards.
pub unsafe fn consume_if<C, T, R, F>(carrier: &C, accept: F) -> Result<(OwnedTensor, T), ConsumeError<R, C::Error>>
where
    C: Carrier + ?Sized,
    F: FnOnce(&TensorView<'_>, Flags) -> Result<T, R>,
{
    let (kind, pointer) = fresh(carrier)?;
    let raw = kind.raw(pointer).ok_or(ConsumeError::Rejected(Rejected::Null))?;
    // SAFETY: the caller's contract.
    let inspected = match unsafe { raw.inspect() } {
        Ok(inspected) => inspected,
        Err(rejected) => {
            if let Rejected::UnknownMajor { .. } = rejected {
                carrier.set_name(kind.used()).map_err(ConsumeError::Carrier)?;
                // SAFETY: the capsule owned the tensor and, by its name, no longer does.
                unsafe { raw.delete() };
            }
            return Err(ConsumeError::Rejected(rejected));
        }
    };
    let accepted = accept(&inspected.view, inspected.flags).map_err(ConsumeError::Refused)?;
    // `accept` may have run code of others.
    if fresh(carrier)? != (kind, pointer) {
        return Err(ConsumeError::AlreadyUsed);
    }
    carrier.set_name(kind.used()).map_err(ConsumeError::Carrier)?;
    // SAFETY: the capsule owned the tensor and, by its name, no longer does; nothing was changed
    // since the inspection.
    let tensor = unsafe { OwnedTensor::from_inspected(raw, inspected) };
    Ok((tensor, accepted))
}

/// What [`destroy`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destroyed {
    /// The tensor was never consumed, and its deleter was called.
    Deleted,
    /// The tensor was never consumed, and has no deleter (or no readable struct) to call.
    NoDeleter,
    /// A consumer took the tensor; there was nothing to do.
    Used,
    /// The capsule is not one of DLPack's.
    Foreign,
}

/// What the destructor of a capsule does: delete the tensor, unless a consumer took it.
///
/// No error is reported, as a destructor has nobody to report to. The deleter is foreign code: a
/// binding saves an exception in flight before this and restores it afterwards.
///
/// # Safety
///
/// As for [`consume_if`].
pub unsafe fn destroy<C: Carrier + ?Sized>(carrier: &C) -> Destroyed {
    let (kind, pointer) = match fresh::<C, Infallible>(carrier) {
        Ok(fresh) => fresh,
        Err(ConsumeError::AlreadyUsed) => return Destroyed::Used,
        Err(_) => return Destroyed::Foreign,
    };
    let Some(raw) = kind.raw(pointer) else {
        return Destroyed::NoDeleter;
    };
    // So that a deleter that gets back to the capsule finds nothing to delete. If it fails, the
    // capsule is about to go in any case.
    let _ = carrier.set_name(kind.used());
    // SAFETY: the capsule owned the tensor and is about to go.
    if unsafe { raw.delete() } { Destroyed::Deleted } else { Destroyed::NoDeleter }
}

/// Kind and pointer of a fresh capsule.
fn fresh<C: Carrier + ?Sized, R>(carrier: &C) -> Result<(Kind, *mut c_void), ConsumeError<R, C::Error>> {
    let name = carrier.name();
    let kind = match CapsuleName::of(name) {
        CapsuleName::Legacy => Kind::Legacy,
        CapsuleName::Versioned => Kind::Versioned,
        CapsuleName::UsedLegacy | CapsuleName::UsedVersioned => {
            return Err(ConsumeError::AlreadyUsed);
        }
        CapsuleName::Other => {
            return Err(ConsumeError::NotDlpack { name: name.map(|name| name.to_string_lossy().into_owned()) });
        }
    };
    let pointer = carrier.pointer(kind.fresh()).map_err(ConsumeError::Carrier)?;
    Ok((kind, pointer))
}
