//! What later versions added to functions that were there before. Under the versions before, it is refused, or the result is
//! the older one. Arguments that came later have their version in their row (`Param::since`), functions in theirs.

use crate::{DType, Version};

/// What was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// Arrays of complex data types.
    Complex,
    /// Arrays of real data types, in functions that took complex ones only.
    Real,
    /// A Python scalar beside an array.
    Scalar,
    /// A tuple of axes for one axis, a tuple of arrays for a list.
    Tuple,
    /// Axes counted from the end.
    Negative,
    /// Arrays of different shapes that broadcast.
    Broadcast,
    /// Conversion to a Python scalar of another kind than the array's.
    Kind,
    /// Integer arrays as indices.
    Arrays,
    /// Iteration over a 1-d array.
    Iteration,
    /// The keywords of `__dlpack__` beside `stream`.
    Keywords,
    /// Floating-point sums in the data type of the array rather than a default.
    DType,
    /// `capabilities()` says the largest number of dimensions.
    Capabilities,
    /// `devices()` gives a tuple.
    Devices,
}

impl Feature {
    /// Every feature.
    pub const ALL: [Feature; 13] = [
        Feature::Complex,
        Feature::Real,
        Feature::Scalar,
        Feature::Tuple,
        Feature::Negative,
        Feature::Broadcast,
        Feature::Kind,
        Feature::Arrays,
        Feature::Iteration,
        Feature::Keywords,
        Feature::DType,
        Feature::Capabilities,
        Feature::Devices,
    ];

    /// Its id in `data/behaviour.json`.
    pub const fn id(self) -> &'static str {
        match self {
            Feature::Complex => "complex",
            Feature::Real => "real",
            Feature::Scalar => "scalar",
            Feature::Tuple => "tuple",
            Feature::Negative => "negative",
            Feature::Broadcast => "broadcast",
            Feature::Kind => "kind",
            Feature::Arrays => "arrays",
            Feature::Iteration => "iteration",
            Feature::Keywords => "keywords",
            Feature::DType => "dtype",
            Feature::Capabilities => "capabilities",
            Feature::Devices => "devices",
        }
    }

    /// What a function takes since, for the message of a refusal.
    pub const fn describe(self) -> &'static str {
        match self {
            Feature::Complex => "complex dtypes",
            Feature::Real => "real dtypes",
            Feature::Scalar => "Python scalars",
            Feature::Tuple => "tuples",
            Feature::Negative => "negative axes",
            Feature::Broadcast => "arrays of different shapes",
            Feature::Kind => "other kinds of dtypes",
            Feature::Arrays => "integer arrays as indices",
            Feature::Iteration => "1-d arrays",
            Feature::Keywords => "keywords other than stream",
            Feature::DType => "the dtype of the array as its result's",
            Feature::Capabilities => "a largest number of dimensions",
            Feature::Devices => "a tuple of devices",
        }
    }
}

/// What one version added to functions or methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addition {
    /// What was added.
    pub feature: Feature,
    /// The version that added it.
    pub since: Version,
    /// The functions and methods that it was added to.
    pub functions: &'static [&'static str],
}

const fn row(feature: Feature, since: Version, functions: &'static [&'static str]) -> Addition {
    Addition { feature, since, functions }
}

/// Every addition but that of complex data types, which came to all functions at once ([`added`]).
pub static ADDITIONS: &[Addition] = &[
    row(Feature::Complex, Version::V2024_12, &["mean"]),
    row(Feature::Real, Version::V2024_12, &["conj", "real"]),
    row(
        Feature::Scalar,
        Version::V2024_12,
        &[
            "add",
            "atan2",
            "bitwise_and",
            "bitwise_left_shift",
            "bitwise_or",
            "bitwise_right_shift",
            "bitwise_xor",
            "copysign",
            "divide",
            "equal",
            "floor_divide",
            "greater",
            "greater_equal",
            "hypot",
            "less",
            "less_equal",
            "logaddexp",
            "logical_and",
            "logical_or",
            "logical_xor",
            "maximum",
            "minimum",
            "multiply",
            "not_equal",
            "pow",
            "remainder",
            "subtract",
            "result_type",
            "where",
        ],
    ),
    row(Feature::Scalar, Version::V2025_12, &["searchsorted"]),
    row(Feature::Tuple, Version::V2025_12, &["broadcast_arrays", "expand_dims", "meshgrid"]),
    row(Feature::Negative, Version::V2023_12, &["tensordot", "linalg.tensordot"]),
    row(Feature::Negative, Version::V2025_12, &["permute_dims"]),
    row(Feature::Broadcast, Version::V2022_12, &["linalg.cross"]),
    row(Feature::Kind, Version::V2022_12, &["__bool__", "__float__", "__int__"]),
    row(Feature::Arrays, Version::V2024_12, &["__getitem__"]),
    row(Feature::Iteration, Version::V2024_12, &["__iter__"]),
    row(Feature::Keywords, Version::V2023_12, &["__dlpack__"]),
    row(Feature::DType, Version::V2023_12, &["prod", "sum", "linalg.trace"]),
    row(Feature::Capabilities, Version::V2024_12, &["__array_namespace_info__"]),
    row(Feature::Devices, Version::V2025_12, &["__array_namespace_info__"]),
];

/// What a version took away again: since then it is refused.
pub static REMOVALS: &[Addition] =
    &[row(Feature::Real, Version::V2023_12, &["fft.fft", "fft.fftn", "fft.hfft", "fft.ifft", "fft.ifftn"])];

/// The version that took a feature away from a function, if one did.
pub fn removed(function: &str, feature: Feature) -> Option<Version> {
    let mut removals = REMOVALS.iter();
    removals.find(|row| row.feature == feature && row.functions.contains(&function)).map(|row| row.since)
}

/// The version since which a function or method has a feature; the first where it always did.
pub fn added(function: &str, feature: Feature) -> Version {
    let row = ADDITIONS.iter().find(|row| row.feature == feature && row.functions.contains(&function));
    match (row, feature) {
        (Some(row), _) => row.since,
        (None, Feature::Complex) => DType::Complex128.since(),
        (None, _) => Version::V2021_12,
    }
}
