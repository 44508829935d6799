//! The Python array API standard as data.
//!
//! What the standard says stands here as tables: its versions, its data types and their promotion, one [`Function`] row
//! for each name of the namespace, one [`Rule`] for each thing that is refused. Nothing here computes on arrays: the
//! binding reads these rows to parse a call, to refuse it, and to describe it (signature, docstring, stub).
//!
//! ```
//! use strictarray_standard::{DType, promote, function};
//!
//! assert_eq!(promote(DType::Int8, DType::UInt8), Some(DType::Int16));
//! assert_eq!(promote(DType::Int64, DType::Float32), None); // mixed kinds: undefined in the standard
//! assert_eq!(function("zeros").unwrap().text_signature(), "(shape, *, dtype=None, device=None)");
//! ```

mod addition;
mod docstring;
mod dtype;
mod flags;
mod function;
mod promotion;
pub mod relaxation;
pub mod rows;
pub mod rule;
mod stub;
mod version;

pub use addition::{ADDITIONS, Addition, Feature, REMOVALS, added, removed};
pub use docstring::Refused;
pub use dtype::{DType, DTypeSet, Kind};
pub use flags::{Extension, Extensions, Flags, MODE_BITS};
pub use function::{Accepts, Category, Function, Open, Param, ParamKind, ResultDType, ScalarKinds, ShapeRule};
pub use promotion::{can_cast, promote, promote_all, promote_scalar};
pub use relaxation::{RELAXATIONS, Relaxation};
pub use rows::{ARRAY_ATTRIBUTES, Method, function, functions, functions_of, method, methods};
pub use rule::{Exception, Rule};
pub use stub::{extension_protocol, extension_stubs, protocol, stub, stubs};
pub use version::Version;
