//! Searching functions.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version, rule};

const KEEPDIMS: Param = Param::kw("keepdims", Bool, "whether reduced axes stay, with size 1").or("False");

static PLACE: [Param; 3] = [
    Param::pos("x", Array(DTypeSet::REAL), "input, of any shape"),
    Param::kw("axis", AxisOrNone, "axis to search along; None: x flattened in C order").or("None"),
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
        refuses: &[],
        special: "",
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
    )
    .refuses(&[(&rule::EMPTY, "there are no elements to choose from")])
    .special("the first NaN counts as the largest element."),
    place(
        "argmin",
        "The index of the first of the smallest elements, or of the first NaN. No elements are refused.",
        ">>> xp.argmin(xp.asarray([3, 1, 1]))\nArray(1, dtype=strictarray.int64)",
    )
    .refuses(&[(&rule::EMPTY, "there are no elements to choose from")])
    .special("the first NaN counts as the smallest element."),
    Function {
        name: "count_nonzero",
        category: Category::Searching,
        params: &[
            Param::pos("x", Array(DTypeSet::ALL), "input, of any shape"),
            Param::kw("axis", AxesOrNone, "axis or axes to reduce; None: all").or("None"),
            KEEPDIMS,
        ],
        since: Version::V2024_12,
        shape: ShapeRule::Reduced,
        result: ResultDType::Index,
        open: Open::NOTHING,
        refuses: &[],
        special: "",
        summary: "How many elements are not zero (a complex number is zero if both parts are).",
        returns: "array of the default index data type, of the shape of x without the reduced axes.",
        example: ">>> xp.count_nonzero(xp.asarray([1, 0, 2]))\nArray(2, dtype=strictarray.int64)",
    }
    .special("NaN is not zero."),
    Function {
        name: "nonzero",
        category: Category::Searching,
        params: &[Param::pos("x", Array(DTypeSet::ALL), "array of at least one axis")],
        since: Version::V2021_12,
        shape: ShapeRule::Computed,
        result: ResultDType::Index,
        open: Open::NOTHING,
        refuses: &[],
        special: "",
        summary: "The indices of the elements that are not zero, in C order; a complex number is zero if both parts are.",
        returns: "tuple of 1-d arrays of the default data type of indices, one for each axis of x; their size depends on the values.",
        example: ">>> xp.nonzero(xp.asarray([0, 7, 8]))\n(Array([1, 2], dtype=strictarray.int64),)",
    }
    .refuses(&[(&rule::NDIM_ONE, "x is 0-d"), (&rule::FLAG_OFF, "the flag data_dependent_shapes is off")])
    .special("NaN is not zero."),
    Function {
        name: "searchsorted",
        category: Category::Searching,
        params: &[
            Param::pos(
                "x1",
                Array(DTypeSet::REAL),
                "1-d array, in ascending order as sort() gives it unless there is a sorter",
            ),
            Param::pos("x2", ArrayOrScalar(DTypeSet::REAL), "the values (a Python scalar since 2025.12)"),
            Param::kw("side", Choice(&["left", "right"]), "whether the index before or after equal elements is meant")
                .or("'left'"),
            Param::kw(
                "sorter",
                ArrayOrNone(DTypeSet::INTEGER),
                "indices that sort x1, as argsort() gives them, of the shape of x1",
            )
            .or("None"),
        ],
        since: Version::V2023_12,
        shape: ShapeRule::Computed,
        result: ResultDType::Index,
        open: Open::NAN_PLACE.and(Open::TIES),
        refuses: &[],
        special: "",
        summary: "The indices at which values can be inserted into a sorted array so that it stays sorted; NaNs come last.",
        returns: "array of the shape of x2 and the default data type of indices.",
        example: ">>> xp.searchsorted(xp.asarray([1, 2, 2, 3]), xp.asarray([2, 5]))\nArray([1, 4], dtype=strictarray.int64)",
    }
    .refuses(&[
        (&rule::NOT_A_VECTOR, "x1 is not 1-d"),
        (&rule::SORTER_SHAPE, "sorter does not have the shape of x1"),
        (&rule::SORTER_BOUNDS, "sorter has an index out of bounds"),
    ])
    .special("NaNs come after all numbers, and zeros of both signs are equal."),
    Function {
        name: "where",
        category: Category::Searching,
        params: &[
            Param::pos("condition", Array(DTypeSet::BOOL), "what is chosen: true for x1, false for x2"),
            Param::pos("x1", ArrayOrScalar(DTypeSet::ALL), "values where the condition is true"),
            Param::pos("x2", ArrayOrScalar(DTypeSet::ALL), "values where it is false"),
        ],
        since: Version::V2021_12,
        shape: ShapeRule::Broadcast,
        result: ResultDType::Promoted,
        open: Open::NOTHING,
        refuses: &[],
        special: "",
        summary: "The elements of one array or another, depending on a condition; one of the two may be a Python scalar (since 2024.12).",
        returns: "array of the shape that all three broadcast to; its data type is what x1 and x2 promote to.",
        example: ">>> x = xp.asarray([1, -2])\n>>> xp.where(x > 0, x, 0)\nArray([1, 0], dtype=strictarray.int64)",
    },
];
