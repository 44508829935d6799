//! Arrays as sets of their elements.

mod isin;
mod unique;

pub use isin::isin;
pub use unique::{Unique, Wanted};
