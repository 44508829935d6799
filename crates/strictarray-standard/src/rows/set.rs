//! Set functions.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version, rule};

static ANY: [Param; 1] = [Param::pos("x", Array(DTypeSet::ALL), "array of any shape, read in C order")];

const fn unique(name: &'static str, summary: &'static str, returns: &'static str, example: &'static str) -> Function {
    Function {
        name,
        category: Category::Set,
        params: &ANY,
        since: Version::V2021_12,
        shape: ShapeRule::Computed,
        result: ResultDType::Same,
        open: Open::ORDER.and(Open::TIES),
        refuses: &[],
        special: "",
        summary,
        returns,
        example,
    }
}

pub(super) static ROWS: &[Function] = &[
    Function {
        name: "isin",
        category: Category::Set,
        params: &[
            Param::pos("x1", ArrayOrScalar(DTypeSet::INTEGER), "what is looked for"),
            Param::pos("x2", ArrayOrScalar(DTypeSet::INTEGER), "where it is looked for"),
            Param::kw("invert", Bool, "whether to say which elements are not there").or("False"),
        ],
        since: Version::V2025_12,
        shape: ShapeRule::Same,
        result: ResultDType::Bool,
        open: Open::NOTHING,
        refuses: &[],
        special: "",
        summary: "Whether each element of x1 is equal to an element of x2; one of the two may be a Python int.",
        returns: "bool array of the shape of x1, 0-d for an int.",
        example: ">>> xp.isin(xp.asarray([1, 2, 3]), xp.asarray([2, 4]))\nArray([False,  True, False], dtype=strictarray.bool)",
    },
    unique(
        "unique_all",
        "The different elements, where each occurs first, which of them every element is, and how often each occurs.",
        "named tuple of values (1-d, of the data type of x), and of the default data type of indices: indices and counts \
         (of the shape of values) and inverse_indices (of the shape of x).",
        ">>> xp.unique_all(xp.asarray([5, 3, 5])).indices\nArray([1, 0], dtype=strictarray.int64)",
    )
    .refuses(&[(&rule::FLAG_OFF, "the flag data_dependent_shapes is off")])
    .special("each NaN is an element of its own; zeros of both signs are one."),
    unique(
        "unique_counts",
        "The different elements and how often each occurs.",
        "named tuple of values (1-d, of the data type of x) and counts (of their shape, of the default data type of indices).",
        ">>> xp.unique_counts(xp.asarray([5, 3, 5])).counts\nArray([1, 2], dtype=strictarray.int64)",
    )
    .refuses(&[(&rule::FLAG_OFF, "the flag data_dependent_shapes is off")])
    .special("each NaN is an element of its own; zeros of both signs are one."),
    unique(
        "unique_inverse",
        "The different elements and which of them every element is.",
        "named tuple of values (1-d, of the data type of x) and inverse_indices (of the shape of x, of the default data type \
         of indices).",
        ">>> xp.unique_inverse(xp.asarray([5, 3, 5])).inverse_indices\nArray([1, 0, 1], dtype=strictarray.int64)",
    )
    .refuses(&[(&rule::FLAG_OFF, "the flag data_dependent_shapes is off")])
    .special("each NaN is an element of its own; zeros of both signs are one."),
    unique(
        "unique_values",
        "The different elements.",
        "1-d array of the data type of x; its size depends on the values.",
        ">>> xp.unique_values(xp.asarray([5, 3, 5]))\nArray([3, 5], dtype=strictarray.int64)",
    )
    .refuses(&[(&rule::FLAG_OFF, "the flag data_dependent_shapes is off")])
    .special("each NaN is an element of its own; zeros of both signs are one."),
];
