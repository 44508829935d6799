//! What the stand-in for array-api-strict lets pass although strictarray refuses it.
//!
//! Test suites that run on array-api-strict rely on these; each row says on which ground strictarray refuses it, and which
//! suite needs it. They are in force together, by the flag `compat="array_api_strict"`, in the stand-in and nowhere else.

use crate::{Accepts, Rule, rule};

/// One thing that passes. Two are equal if they are the same row.
#[derive(Debug)]
pub struct Relaxation {
    /// Its name in the documentation.
    pub id: &'static str,
    /// The rules that refuse it in strictarray; none where it is no refusal.
    pub lifts: &'static [&'static Rule],
    /// What passes.
    pub passes: &'static str,
    /// What the standard says, or leaves open.
    pub standard: &'static str,
    /// The suites that need it.
    pub needed_by: &'static [&'static str],
}

impl PartialEq for Relaxation {
    fn eq(&self, other: &Relaxation) -> bool {
        self.id == other.id
    }
}

macro_rules! relaxations {
    ($($(#[$doc:meta])* $name:ident: $id:literal, [$($rule:ident),*], $passes:literal, $standard:literal, [$($suite:literal),+];)*) => {
        $($(#[$doc])* pub static $name: Relaxation = Relaxation {
            id: $id,
            lifts: &[$(&rule::$rule),*],
            passes: $passes,
            standard: $standard,
            needed_by: &[$($suite),+],
        };)*

        /// All of them.
        pub static RELAXATIONS: &[&Relaxation] = &[$(&$name),*];
    };
}

relaxations! {
    /// NumPy's scalars and sequences of its arrays, to `asarray`.
    ASARRAY_BY_NUMPY: "asarray-by-numpy", [ASARRAY_OBJECT, ASARRAY_RAGGED],
        "`asarray` of NumPy scalars, and of sequences that hold them, or sequences of NumPy's arrays: NumPy converts them",
        "asarray: obj is an array, a Python scalar, a (nested) sequence of Python scalars, or supports the buffer protocol",
        ["array_api_extra", "scipy", "sklearn"];
    /// Values that change their kind in creation functions.
    CREATION_CASTS: "creation-casts", [CREATION_CAST],
        "`asarray`, `full` and `full_like` cast Python's real numbers to integer data types, if they are in range, and to bool",
        "these functions say nothing of values that are not of the kind of dtype",
        ["array_api_extra", "marray", "scipy", "xarray"];
    /// NumPy's scalars where Python's are asked for.
    NUMPY_SCALARS: "numpy-scalars", [SHAPE_TYPE, NOT_AN_INT, AXES_TYPE, NOT_A_TUPLE, NOT_A_SCALAR],
        "NumPy integers as axes, counts and, alone or in a tuple, as shapes; NumPy numbers as bounds of `arange` and `linspace`",
        "the type of such arguments is int, float, or a tuple of ints",
        ["scipy"];
    /// Instances of subclasses of Python's scalars beside an array.
    SCALAR_SUBCLASSES: "scalar-subclasses", [NOT_ARRAY_OR_SCALAR],
        "instances of subclasses of `int`, `float` and `complex` (`np.float64` is one of `float`) as left operands, and assigned",
        "Mixing arrays with Python scalars: the Python scalar is an instance of int, float, complex, bool",
        ["scipy", "sklearn"];
    /// Arrays without axes where Python's scalars are asked for.
    ARRAYS_AS_SCALARS: "arrays-as-scalars", [NOT_A_SCALAR],
        "arrays without axes, on the CPU, as bounds of `arange` and `linspace`",
        "arange, linspace: start and stop are of type int, float, complex",
        ["scipy"];
    /// Lists where tuples are asked for.
    LISTS: "lists", [NOT_A_TUPLE, SHAPE_TYPE, AXES_TYPE],
        "lists as shapes of creation functions and `broadcast_to`, and as axes of `permute_dims` and `moveaxis`",
        "the type of such arguments is a tuple of ints",
        ["scipy"];
    /// Ranges of other kinds.
    RANGE_DTYPES: "range-dtypes", [DTYPE_ARGUMENT, CREATION_CAST],
        "`arange` and `linspace` with a dtype of another kind than their values, with NumPy's results",
        "arange: dtype is real-valued; linspace: dtype is floating-point; nothing is said of floats for an integer one",
        ["marray", "scipy"];
    /// Grids of bools.
    MESHGRID_BOOL: "meshgrid-bool", [DTYPE_KIND],
        "`meshgrid` of bools",
        "meshgrid: the arrays should have numeric data types",
        ["marray"];
    /// `in` for arrays of one axis.
    CONTAINS: "contains", [CONTAINS],
        "`value in x` where x has one axis, and value is a Python scalar",
        "the array object has no such operator",
        ["sklearn"];
    /// Formats of arrays without axes.
    FORMAT: "format", [FORMAT],
        "`format(x, spec)` of an array without axes: that of its number",
        "the array object has no such method",
        ["scipy"];
    /// Names of devices.
    DEVICE_NAMES: "device-names", [NOT_A_DEVICE],
        "names of devices for `device` in the inspection API",
        "dtypes, default_dtypes: device is a device object",
        ["sklearn"];
    /// The host's copy by DLPack.
    HOST_BY_DLPACK: "host-by-dlpack", [DLPACK_DEVICE_REFUSED],
        "`x.__dlpack__(dl_device=(1, 0))` gives the host a copy from every device",
        "__dlpack__: dl_device is a request for a device, and an exporter may raise BufferError",
        ["sklearn"];
    /// NumPy's functions of one array.
    UFUNCS: "ufuncs", [],
        "NumPy's ufuncs of one array on the CPU (`np.abs(x)`), which give what NumPy gives",
        "the array object is for functions of its own namespace",
        ["scipy"];
    /// NumPy's warnings of divisions by zero.
    DIVISION_WARNINGS: "division-warnings", [],
        "`/` and `/=` warn of divisions by zero as NumPy does, where it is imported and `np.errstate` does not say otherwise",
        "divide: the results are infinities and NaN; nothing is said of warnings",
        ["scipy"];
    /// Sums that overflow before they are divided.
    MEAN_OVERFLOW: "mean-overflow", [],
        "`mean` is infinite where the sum is beyond the range of the data type",
        "mean: how it is computed is left open",
        ["scipy"];
    /// One module for all versions.
    ONE_MODULE: "one-module", [],
        "`x.__array_namespace__(api_version=...)` is the module that follows the flags, whichever version was named",
        "__array_namespace__: an object representing the array API namespace of that version",
        ["array_api_compat"];
}

static SHAPES: [&Relaxation; 2] = [&NUMPY_SCALARS, &LISTS];
static INTEGERS: [&Relaxation; 1] = [&NUMPY_SCALARS];
static BOUNDS: [&Relaxation; 2] = [&ARRAYS_AS_SCALARS, &NUMPY_SCALARS];

/// What may pass as an argument of this kind of a function.
pub fn passing(function: &str, accepts: Accepts) -> &'static [&'static Relaxation] {
    match accepts {
        Accepts::Shape | Accepts::Sizes | Accepts::AllAxes => &SHAPES,
        Accepts::Int | Accepts::Count | Accepts::CountOrNone => &INTEGERS,
        Accepts::Axes if function == "moveaxis" => &SHAPES,
        Accepts::Ints if function == "reshape" => &INTEGERS,
        Accepts::Axis | Accepts::AxisOrNone | Accepts::Axes | Accepts::AxesOrNone => &INTEGERS,
        Accepts::Scalar(_) | Accepts::ScalarOrNone(_) if matches!(function, "arange" | "linspace") => &BOUNDS,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_named_once_and_whole() {
        for (i, each) in RELAXATIONS.iter().enumerate() {
            assert!(RELAXATIONS[..i].iter().all(|other| other.id != each.id), "{}", each.id);
            assert!(!each.passes.is_empty() && !each.standard.is_empty() && !each.needed_by.is_empty(), "{}", each.id);
        }
    }
}
