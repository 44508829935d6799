#![doc = include_str!("../README.md")]

pub mod capsule;
mod device;
mod dtype;
pub mod error;
pub mod exchange;
pub mod export;
pub mod ffi;
mod flags;
pub mod import;
pub mod view;

pub use capsule::{CapsuleName, Carrier, ConsumeError, Destroyed, consume, consume_if, destroy};
pub use error::{ExportError, Invalid, Rejected};
pub use export::{Export, Extents, SpecStrides, TensorSpec};
pub use flags::Flags;
pub use import::{Inspected, OwnedTensor, RawTensor};
pub use view::{ByteSpan, MAX_NDIM, TensorView};
