//! Utility functions.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version, rule};

const AXES: Param =
    Param::kw("axis", AxesOrNone, "axis or axes to reduce, each in [-N, N) for N axes; None: all").or("None");
const KEEPDIMS: Param = Param::kw("keepdims", Bool, "whether reduced axes stay, with size 1").or("False");

static TEST: [Param; 3] = [Param::pos("x", Array(DTypeSet::ALL), "input, of any shape"), AXES, KEEPDIMS];

const fn test(name: &'static str, summary: &'static str, example: &'static str) -> Function {
    Function {
        name,
        category: Category::Utility,
        params: &TEST,
        since: Version::V2021_12,
        shape: ShapeRule::Reduced,
        result: ResultDType::Bool,
        open: Open::NOTHING,
        refuses: &[],
        special: "",
        summary,
        returns: "array of bool of the shape of x without the reduced axes.",
        example,
    }
}

pub(super) static ROWS: &[Function] = &[
    test(
        "all",
        "Whether no element is zero; a complex number is zero if both parts are.",
        ">>> xp.all(xp.asarray([1, 0]))\nArray(False, dtype=strictarray.bool)",
    )
    .special("NaN is not zero; True of no elements."),
    test(
        "any",
        "Whether an element is not zero; a complex number is zero if both parts are.",
        ">>> xp.any(xp.asarray([1, 0]))\nArray(True, dtype=strictarray.bool)",
    )
    .special("NaN is not zero; False of no elements."),
    Function {
        name: "diff",
        category: Category::Utility,
        params: &[
            Param::pos("x", Array(DTypeSet::NUMERIC), "input, of any shape"),
            Param::kw("axis", Axis, "axis to go along, in [-N, N)").or("-1"),
            Param::kw("n", Count, "how many times to take differences, not negative").or("1"),
            Param::kw("prepend", ArrayOrNone(DTypeSet::NUMERIC), "put before x along the axis; of its data type")
                .or("None"),
            Param::kw("append", ArrayOrNone(DTypeSet::NUMERIC), "put after x along the axis; of its data type")
                .or("None"),
        ],
        since: Version::V2024_12,
        shape: ShapeRule::Computed,
        result: ResultDType::Same,
        open: Open::OVERFLOW,
        refuses: &[],
        special: "",
        summary: "The differences of neighbours along an axis, taken n times.",
        returns: "array of the data type of x, n elements shorter along the axis than x and what is put beside it (but not \
                  below 0).",
        example: ">>> xp.diff(xp.asarray([1, 2, 4]))\nArray([1, 2], dtype=strictarray.int64)",
    }
    .refuses(&[
        (&rule::NDIM_ONE, "x is 0-d"),
        (&rule::PROMOTION, "the arrays have different dtypes"),
        (&rule::VALUE, "the shapes differ apart from the axis"),
    ]),
];
