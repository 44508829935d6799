//! Strided n-dimensional arrays on emulated devices.
//!
//! The nouns: [`DType`] and [`Element`], [`Layout`] (shape and byte strides), [`Buffer`] (a counted block of memory),
//! [`Device`], [`Array`]. The verbs that need no math: views, broadcasting, indexing, copies, transfer between devices,
//! exchange through DLPack, and the walk over several operands ([`iter`]). No Python here, and no kernels.

mod array;
mod buffer;
pub mod copy;
mod device;
mod element;
mod error;
mod exchange;
pub mod gather;
pub mod index;
pub mod iter;
mod layout;
pub mod stream;

pub use array::{Array, NamespaceId, Operand};
pub use buffer::{Buffer, ExportRef};
pub use device::{DefaultDTypes, Device, DeviceSpec, HostExport};
pub use element::{Bool, Element, ElementBytes, Scalar};
pub use error::{Error, Result};
pub use exchange::{
    ExportRequest, borrowed_tensor, copy_misaligned, dlpack_extents, dtype_from_dlpack, dtype_to_dlpack, export,
    export_by, import, import_check,
};
pub use layout::{Dims, Layout, MAX_NDIM, Strides, broadcast_shapes, bytes_of, check_ndim, show_shape};
pub use num_complex::Complex;
pub use strictarray_standard::{DType, DTypeSet, Kind};
