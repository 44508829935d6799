//! Searching functions.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version};

const KEEPDIMS: Param = Param::kw("keepdims", Bool, "whether reduced axes stay, with size 1").or("False");

static PLACE: [Param; 3] = [
    Param::pos("x", Array(DTypeSet::REAL), "input"),
    Param::kw("axis", IntOrNone, "axis to search along; None: x flattened in C order").or("None"),
    KEEPDIMS,
];

const fn place(name: &'static str, summary: &'static str, example: &'static str) -> Function {
    Function {
        name,
        category: Category::Searching,
        params: &PLACE,
        since: Version::V2021_12,
        shape: ShapeRule::Reduced,
        result: ResultDType::Index,
        open: Open::NAN_PLACE,
        summary,
        returns: "array of the default index data type, of the shape of x without the axis.",
        example,
    }
}

pub(super) static ROWS: &[Function] = &[
    place(
        "argmax",
        "The index of the first of the largest elements, or of the first NaN. No elements are refused.",
        ">>> xp.argmax(xp.asarray([1, 3, 3]))\nArray(1, dtype=strictarray.int64)",
    ),
    place(
        "argmin",
        "The index of the first of the smallest elements, or of the first NaN. No elements are refused.",
        ">>> xp.argmin(xp.asarray([3, 1, 1]))\nArray(1, dtype=strictarray.int64)",
    ),
    Function {
        name: "count_nonzero",
        category: Category::Searching,
        params: &[
            Param::pos("x", Array(DTypeSet::ALL), "input"),
            Param::kw("axis", AxesOrNone, "axis or axes to reduce; None: all").or("None"),
            KEEPDIMS,
        ],
        since: Version::V2024_12,
        shape: ShapeRule::Reduced,
        result: ResultDType::Index,
        open: Open::NOTHING,
        summary: "How many elements are not zero (a complex number is zero if both parts are).",
        returns: "array of the default index data type, of the shape of x without the reduced axes.",
        example: ">>> xp.count_nonzero(xp.asarray([1, 0, 2]))\nArray(2, dtype=strictarray.int64)",
    },
];
