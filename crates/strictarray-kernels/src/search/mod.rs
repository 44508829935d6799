//! Finding places: of values in a sorted array, of what is not zero; and choosing between two arrays.

mod choose;
mod nonzero;
pub(crate) mod sorted;

pub use choose::choose;
pub use nonzero::Nonzero;
pub use sorted::{Side, gather_sorted, searchsorted};
