//! Statistical functions.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version, rule};

const fn row(
    name: &'static str,
    params: &'static [Param],
    open: Open,
    summary: &'static str,
    returns: &'static str,
    example: &'static str,
) -> Function {
    Function {
        name,
        category: Category::Statistical,
        params,
        since: Version::V2021_12,
        shape: ShapeRule::Reduced,
        result: ResultDType::Same,
        open,
        refuses: &[],
        special: "",
        summary,
        returns,
        example,
    }
}

const fn x(set: DTypeSet) -> Param {
    Param::pos("x", Array(set), "input, of any shape")
}

const AXES: Param =
    Param::kw("axis", AxesOrNone, "axis or axes to reduce, each in [-N, N) for N axes; None: all").or("None");
const AXIS: Param = Param::kw("axis", AxisOrNone, "axis to go along, in [-N, N); required unless x is 1-d").or("None");
const KEEPDIMS: Param = Param::kw("keepdims", Bool, "whether reduced axes stay, with size 1").or("False");
const INITIAL: Param = Param::kw("include_initial", Bool, "whether the result of no element comes first").or("False");
const DTYPE: Param = Param::kw(
    "dtype",
    DTypeOrNone(DTypeSet::NUMERIC),
    "data type in which to compute, not of a lesser kind than that of x; None: that of x, or the device's default where that is a \
     wider integer (unsigned as wide)",
)
.or("None");
const CORRECTION: Param =
    Param::kw("correction", Scalar(crate::ScalarKinds::REAL), "what is taken off the number of elements to divide by")
        .or("0.0");

const REDUCED: &str = "array of the shape of x without the reduced axes, and of its data type.";

pub(super) static ROWS: &[Function] = &[
    Function {
        since: Version::V2024_12,
        shape: ShapeRule::Computed,
        result: ResultDType::Accumulated,
        ..row(
            "cumulative_prod",
            &[x(DTypeSet::NUMERIC), AXIS, DTYPE, INITIAL],
            Open::OVERFLOW.and(Open::ROUNDING),
            "The products of the first elements along an axis, of one element more each time.",
            "array of the shape of x, with one element more along the axis if include_initial; of the data type in which it was computed.",
            ">>> xp.cumulative_prod(xp.asarray([1, 2, 3]))\nArray([1, 2, 6], dtype=strictarray.int64)",
        )
    }
    .refuses(&[
        (&rule::NDIM_ONE, "x is 0-d"),
        (&rule::AXIS_REQUIRED, "axis is None and x is not 1-d"),
        (&rule::LOSSY_DTYPE, "dtype is of a lesser kind than x"),
    ]),
    Function {
        since: Version::V2023_12,
        shape: ShapeRule::Computed,
        result: ResultDType::Accumulated,
        ..row(
            "cumulative_sum",
            &[x(DTypeSet::NUMERIC), AXIS, DTYPE, INITIAL],
            Open::OVERFLOW.and(Open::ROUNDING),
            "The sums of the first elements along an axis, of one element more each time.",
            "array of the shape of x, with one element more along the axis if include_initial; of the data type in which it was computed.",
            ">>> xp.cumulative_sum(xp.asarray([1, 2, 3]), include_initial=True)\nArray([0, 1, 3, 6], dtype=strictarray.int64)",
        )
    }
    .refuses(&[
        (&rule::NDIM_ONE, "x is 0-d"),
        (&rule::AXIS_REQUIRED, "axis is None and x is not 1-d"),
        (&rule::LOSSY_DTYPE, "dtype is of a lesser kind than x"),
    ]),
    row(
        "max",
        &[x(DTypeSet::REAL), AXES, KEEPDIMS],
        Open::TIES,
        "The largest element.",
        REDUCED,
        ">>> xp.max(xp.asarray([1, 3, 2]))\nArray(3, dtype=strictarray.int64)",
    )
    .refuses(&[(&rule::EMPTY, "there are no elements to choose from")])
    .special("NaN if an element is NaN; of zeros of both signs the positive one."),
    row(
        "mean",
        &[x(DTypeSet::FLOATING), AXES, KEEPDIMS],
        Open::ROUNDING,
        "The arithmetic mean.",
        REDUCED,
        ">>> xp.mean(xp.asarray([1.0, 2.0]))\nArray(1.5, dtype=strictarray.float64)",
    )
    .special("NaN if an element is NaN, or infinities of both signs are there, and of no elements."),
    row(
        "min",
        &[x(DTypeSet::REAL), AXES, KEEPDIMS],
        Open::TIES,
        "The smallest element.",
        REDUCED,
        ">>> xp.min(xp.asarray([3, 1, 2]))\nArray(1, dtype=strictarray.int64)",
    )
    .refuses(&[(&rule::EMPTY, "there are no elements to choose from")])
    .special("NaN if an element is NaN; of zeros of both signs the negative one."),
    Function {
        result: ResultDType::Accumulated,
        ..row(
            "prod",
            &[x(DTypeSet::NUMERIC), AXES, DTYPE, KEEPDIMS],
            Open::OVERFLOW.and(Open::ROUNDING),
            "The product of elements. Before 2023.12 that of floating-point numbers has the default data type.",
            "array of the shape of x without the reduced axes, and of the data type in which it was computed.",
            ">>> xp.prod(xp.asarray([[1, 2], [3, 4]]), axis=0)\nArray([3, 8], dtype=strictarray.int64)",
        )
    }
    .refuses(&[(&rule::LOSSY_DTYPE, "dtype is of a lesser kind than x")])
    .special("NaN if an element is NaN, or both 0 and an infinity are there; 1 of no elements."),
    row(
        "std",
        &[x(DTypeSet::REAL_FLOATING), AXES, CORRECTION, KEEPDIMS],
        Open::ROUNDING,
        "The standard deviation: the square root of the variance.",
        REDUCED,
        ">>> xp.std(xp.asarray([1.0, 3.0]))\nArray(1., dtype=strictarray.float64)",
    )
    .special("NaN if an element is NaN or infinite, or correction is the number of elements or more."),
    Function {
        result: ResultDType::Accumulated,
        ..row(
            "sum",
            &[x(DTypeSet::NUMERIC), AXES, DTYPE, KEEPDIMS],
            Open::OVERFLOW.and(Open::ROUNDING),
            "The sum of elements. Before 2023.12 that of floating-point numbers has the default data type.",
            "array of the shape of x without the reduced axes, and of the data type in which it was computed.",
            ">>> xp.sum(xp.asarray([[1, 2], [3, 4]]), axis=0)\nArray([4, 6], dtype=strictarray.int64)",
        )
    }
    .refuses(&[(&rule::LOSSY_DTYPE, "dtype is of a lesser kind than x")])
    .special("NaN if an element is NaN, or infinities of both signs are there; 0 of no elements."),
    row(
        "var",
        &[x(DTypeSet::REAL_FLOATING), AXES, CORRECTION, KEEPDIMS],
        Open::ROUNDING,
        "The variance: the mean of the squared distances from the mean.",
        REDUCED,
        ">>> xp.var(xp.asarray([1.0, 3.0]), correction=1)\nArray(2., dtype=strictarray.float64)",
    )
    .special("NaN if an element is NaN or infinite, or correction is the number of elements or more."),
];
