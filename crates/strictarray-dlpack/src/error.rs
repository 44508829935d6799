//! What can be wrong with a tensor somebody hands over.

use core::error::Error;
use core::fmt;

use crate::ffi::{DLPACK_MAJOR_VERSION, DLPackVersion};
use crate::view::MAX_NDIM;

/// A field of a [`DLTensor`](crate::ffi::DLTensor) breaks the rules of DLPack, or describes
/// memory that can't exist.
///
/// The texts name the field, the value found and what is required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Invalid {
    /// `ndim` is negative or above [`MAX_NDIM`].
    Ndim {
        /// The value found.
        got: i32,
    },
    /// `shape` is NULL although there are dimensions.
    ShapeNull {
        /// The number of dimensions.
        ndim: usize,
    },
    /// `shape` is not an address of 64-bit integers.
    ShapeMisaligned {
        /// The value found.
        address: usize,
    },
    /// `strides` is not an address of 64-bit integers.
    StridesMisaligned {
        /// The value found.
        address: usize,
    },
    /// `dtype.bits` is 0.
    BitsZero,
    /// `dtype.lanes` is 0.
    LanesZero,
    /// An extent is negative.
    NegativeExtent {
        /// The dimension.
        dim: usize,
        /// The value found.
        got: i64,
    },
    /// The product of the extents, zeros left out, does not fit in an integer.
    SizeOverflow {
        /// The dimension at which the product overflows.
        dim: usize,
        /// Its extent.
        extent: i64,
    },
    /// An element would be further from the first one than an address can express.
    SpanOverflow {
        /// The dimension at which the distance overflows.
        dim: usize,
        /// Its extent.
        extent: i64,
        /// Its stride in elements.
        stride: i64,
    },
    /// The elements lie within the integers, but their bytes do not.
    SpanBytes {
        /// First byte, relative to the first element.
        low: i128,
        /// One past the last byte, relative to the first element.
        high: i128,
    },
    /// `byte_offset`, alone or with the bytes behind it, does not fit in an address.
    ByteOffset {
        /// The value found.
        got: u64,
        /// One past the last byte, relative to the first element.
        high: isize,
    },
    /// `data` is NULL although there are elements.
    DataNull {
        /// The number of elements.
        size: usize,
    },
    /// The bytes of a tensor in host memory would lie outside the address space.
    Address {
        /// The value of `data`.
        data: usize,
        /// The value of `byte_offset`.
        byte_offset: u64,
        /// First byte, relative to the first element.
        low: isize,
        /// One past the last byte, relative to the first element.
        high: isize,
    },
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Ndim { got } => write!(f, "DLTensor.ndim is {got}; it must be at least 0 and at most {MAX_NDIM}"),
            Self::ShapeNull { ndim } => {
                write!(f, "DLTensor.shape is NULL with ndim {ndim}; it must point to {ndim} extents")
            }
            Self::ShapeMisaligned { address } => {
                write!(f, "DLTensor.shape is {address:#x}; it must be aligned for 64-bit integers")
            }
            Self::StridesMisaligned { address } => {
                write!(f, "DLTensor.strides is {address:#x}; it must be aligned for 64-bit integers")
            }
            Self::BitsZero => f.write_str("DLTensor.dtype.bits is 0; it must be at least 1"),
            Self::LanesZero => f.write_str("DLTensor.dtype.lanes is 0; it must be at least 1"),
            Self::NegativeExtent { dim, got } => {
                write!(f, "DLTensor.shape[{dim}] is {got}; it must be at least 0")
            }
            Self::SizeOverflow { dim, extent } => {
                write!(f, "DLTensor.shape[{dim}] is {extent}; the number of elements must fit in an address")
            }
            Self::SpanOverflow { dim, extent, stride } => write!(
                f,
                "DLTensor.strides[{dim}] is {stride} with extent {extent}; \
                 the distance between elements must fit in an address"
            ),
            Self::SpanBytes { low, high } => write!(
                f,
                "DLTensor.shape and strides reach from byte {low} to byte {high} of the first \
                 element; the distance must fit in an address"
            ),
            Self::ByteOffset { got, high } => write!(
                f,
                "DLTensor.byte_offset is {got} with {high} bytes behind it; \
                 the sum must fit in an address"
            ),
            Self::DataNull { size } => write!(
                f,
                "DLTensor.data is NULL with {size} elements; only a tensor without elements may \
                 have no data"
            ),
            Self::Address { data, byte_offset, low, high } => write!(
                f,
                "DLTensor.data is {data:#x} with byte_offset {byte_offset} and elements from byte \
                 {low} to byte {high}; all of it must lie within the address space"
            ),
        }
    }
}

impl Error for Invalid {}

/// Why a managed tensor can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejected {
    /// The pointer to the managed tensor is NULL.
    Null,
    /// The pointer to the managed tensor is not aligned, so nothing was read through it.
    Misaligned {
        /// The pointer.
        address: usize,
    },
    /// The major version is not ours, so nothing but the deleter may be used.
    UnknownMajor {
        /// The major version found.
        got: u32,
    },
    /// A field is wrong.
    Invalid(Invalid),
}

impl From<Invalid> for Rejected {
    fn from(error: Invalid) -> Self {
        Self::Invalid(error)
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Null => f.write_str("the pointer to the DLPack tensor is NULL"),
            Self::Misaligned { address } => {
                write!(f, "the pointer to the DLPack tensor is {address:#x}, which is not aligned for one")
            }
            Self::UnknownMajor { got } => {
                write!(f, "the DLPack tensor has major version {got}; only {DLPACK_MAJOR_VERSION} is known")
            }
            Self::Invalid(error) => error.fmt(f),
        }
    }
}

impl Error for Rejected {}

/// Why a tensor can't be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportError {
    /// The spec breaks the rules a consumer would check.
    Invalid(Invalid),
    /// There are more, or fewer, strides than extents.
    StridesLength {
        /// The number of dimensions.
        ndim: usize,
        /// The number of strides.
        got: usize,
    },
    /// An extent is larger than DLPack's integers.
    Extent {
        /// The dimension.
        dim: usize,
        /// The value found.
        got: usize,
    },
    /// A stride in bytes is not a whole number of elements, which is how DLPack counts.
    StrideNotWhole {
        /// The dimension.
        dim: usize,
        /// The stride in bytes.
        stride: isize,
        /// Bits of one element.
        item_bits: u32,
    },
    /// A legacy tensor can't say that it is read-only.
    LegacyReadOnly,
    /// A legacy tensor can't say that elements narrower than a byte are padded.
    LegacyPadded,
    /// No memory for the struct.
    OutOfMemory {
        /// The bytes asked for.
        bytes: usize,
    },
}

impl From<Invalid> for ExportError {
    fn from(error: Invalid) -> Self {
        Self::Invalid(error)
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Invalid(error) => error.fmt(f),
            Self::StridesLength { ndim, got } => {
                write!(f, "{got} strides for {ndim} dimensions; there must be one each")
            }
            Self::Extent { dim, got } => {
                write!(f, "extent {got} of dimension {dim} does not fit in a signed 64-bit integer")
            }
            Self::StrideNotWhole { dim, stride, item_bits } => write!(
                f,
                "stride of {stride} bytes in dimension {dim} is not a multiple of the item size \
                 ({item_bits} bits); DLPack strides count items"
            ),
            Self::LegacyReadOnly => f.write_str(
                "a read-only tensor can't be exported as an unversioned DLPack tensor, \
                 which has no flag for it",
            ),
            Self::LegacyPadded => f.write_str(
                "a padded sub-byte tensor can't be exported as an unversioned DLPack tensor, \
                 which has no flag for it",
            ),
            Self::OutOfMemory { bytes } => {
                write!(f, "out of memory: {bytes} bytes for a DLPack tensor")
            }
        }
    }
}

impl Error for ExportError {}

/// `1.3` and the like.
impl fmt::Display for DLPackVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl DLPackVersion {
    /// The version this crate writes.
    pub const CURRENT: DLPackVersion =
        DLPackVersion { major: DLPACK_MAJOR_VERSION, minor: crate::ffi::DLPACK_MINOR_VERSION };
}
