//! The rows: one for each name, a file for each section of the standard.

mod array_object;
mod creation;
mod data_type;
mod elementwise;
mod fft;
mod indexing;
mod info;
mod linalg;
mod linear_algebra;
mod manipulation;
mod searching;
mod set;
mod sorting;
mod statistical;
mod utility;

pub use array_object::{ARRAY_ATTRIBUTES, Method, method, methods};

use crate::{Extension, Function};

/// The constants of the namespace: name and value (`newaxis` is None and not here).
pub const CONSTANTS: [(&str, f64); 4] =
    [("e", std::f64::consts::E), ("inf", f64::INFINITY), ("nan", f64::NAN), ("pi", std::f64::consts::PI)];

static SECTIONS: &[&[Function]] = &[
    creation::ROWS,
    data_type::ROWS,
    elementwise::ROWS,
    indexing::ROWS,
    linear_algebra::ROWS,
    manipulation::ROWS,
    searching::ROWS,
    set::ROWS,
    sorting::ROWS,
    statistical::ROWS,
    utility::ROWS,
    info::ROWS,
    linalg::ROWS,
    fft::ROWS,
];

/// Every function, those of the extensions included.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    SECTIONS.iter().copied().flatten()
}

/// The functions of an extension; of the main namespace for `None`.
pub fn functions_of(extension: Option<Extension>) -> impl Iterator<Item = &'static Function> {
    functions().filter(move |f| f.extension() == extension)
}

/// The row of this name: "add", "fft.rfft".
pub fn function(name: &str) -> Option<&'static Function> {
    functions().find(|f| f.name == name)
}
