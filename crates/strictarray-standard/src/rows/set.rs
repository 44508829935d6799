//! Set functions.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version};

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
        summary: "Whether each element of x1 is equal to an element of x2; one of the two may be a Python int.",
        returns: "bool array of the shape of x1, 0-d for an int.",
        example: ">>> xp.isin(xp.asarray([1, 2, 3]), xp.asarray([2, 4]))\nArray([False,  True, False], dtype=strictarray.bool)",
    },
    unique(
        "unique_all",
        "The different elements, where each occurs first, which of them every element is, and how often each occurs; every \
         NaN is different, both zeros are equal.",
        "named tuple of values (1-d), indices and counts (of their shape) and inverse_indices (of the shape of x).",
        ">>> xp.unique_all(xp.asarray([5, 3, 5])).indices\nArray([1, 0], dtype=strictarray.int64)",
    ),
    unique(
        "unique_counts",
        "The different elements and how often each occurs; every NaN is different, both zeros are equal.",
        "named tuple of values (1-d) and counts (of their shape).",
        ">>> xp.unique_counts(xp.asarray([5, 3, 5])).counts\nArray([1, 2], dtype=strictarray.int64)",
    ),
    unique(
        "unique_inverse",
        "The different elements and which of them every element is; every NaN is different, both zeros are equal.",
        "named tuple of values (1-d) and inverse_indices (of the shape of x).",
        ">>> xp.unique_inverse(xp.asarray([5, 3, 5])).inverse_indices\nArray([1, 0, 1], dtype=strictarray.int64)",
    ),
    unique(
        "unique_values",
        "The different elements; every NaN is different, both zeros are equal.",
        "1-d array of the data type of x; its size depends on the values.",
        ">>> xp.unique_values(xp.asarray([5, 3, 5]))\nArray([3, 5], dtype=strictarray.int64)",
    ),
];
