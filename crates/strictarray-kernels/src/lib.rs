//! The math of strictarray on buffers and layouts.
//!
//! Every kernel is a safe function of a [`Ctx`] and operands of one shape: an [`Operand`](strictarray_core::Operand) can only
//! be made of an array whose elements lie inside its block, and shapes and data types are checked once per call. The output
//! may be exactly the memory of an input; otherwise operands do not overlap. Which data types a function takes
//! is the caller's business (`strictarray-standard` says it): what does not fit is refused as an internal error.
//!
//! Results depend neither on the layout nor on the instruction set, bit for bit; only the transforms of [`fft`] and the
//! decompositions of [`linalg`] choose an instruction set of their own.

pub mod arrange;
pub mod cast;
pub mod creation;
pub mod ctx;
pub mod elementwise;
pub mod fft;
mod float;
mod lanes;
pub mod linalg;
pub mod matmul;
pub mod reduce;
mod run;
mod scratch;
pub mod search;
pub mod set;
pub mod simd;
pub mod sort;
pub mod vecdot;

pub use ctx::Ctx;
pub use elementwise::{BinaryKernel, UnaryKernel};
