//! Indexing functions.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version, rule};

const fn row(
    name: &'static str,
    params: &'static [Param],
    since: Version,
    summary: &'static str,
    returns: &'static str,
    example: &'static str,
) -> Function {
    Function {
        name,
        category: Category::Indexing,
        params,
        since,
        shape: ShapeRule::Computed,
        result: ResultDType::Same,
        open: Open::NOTHING,
        refuses: &[],
        special: "",
        summary,
        returns,
        example,
    }
}

pub(super) static ROWS: &[Function] = &[
    row(
        "take",
        &[
            Param::pos("x", Array(DTypeSet::ALL), "array of one or more axes"),
            Param::pos(
                "indices",
                Array(DTypeSet::INTEGER),
                "1-d array of positions in [-n, n) for an axis of size n; negative ones count from the end",
            ),
            Param::kw("axis", AxisOrNone, "axis along which elements are taken, in [-N, N); None for 1-d x only")
                .or("None"),
        ],
        Version::V2022_12,
        "The elements at positions along an axis.",
        "array of the data type and shape of x, but for the axis, which has the size of indices.",
        ">>> xp.take(xp.asarray([5, 6, 7]), xp.asarray([2, 0]))\nArray([7, 5], dtype=strictarray.int64)",
    )
    .refuses(&[
        (&rule::NDIM_ONE, "x is 0-d"),
        (&rule::AXIS_REQUIRED, "axis is None and x is not 1-d"),
        (&rule::NOT_A_VECTOR, "indices is not 1-d"),
        (&rule::INDEX_BOUNDS, "an index is out of bounds"),
    ]),
    row(
        "take_along_axis",
        &[
            Param::pos("x", Array(DTypeSet::ALL), "array of one or more axes"),
            Param::pos(
                "indices",
                Array(DTypeSet::INTEGER),
                "array of as many axes: positions in [-n, n); its shape broadcasts with that of x but for the axis",
            ),
            Param::kw("axis", Axis, "axis along which elements are taken, in [-N, N)").or("-1"),
        ],
        Version::V2024_12,
        "The elements at positions along an axis, with positions of its own for each vector along it.",
        "array of the data type of x and the broadcast shape, but for the axis, which has the size of that of indices.",
        ">>> xp.take_along_axis(xp.asarray([[5, 6], [7, 8]]), xp.asarray([[1], [0]]))\nArray([[6],\n       [7]], dtype=strictarray.int64)",
    )
    .refuses(&[
        (&rule::NDIM_ONE, "x is 0-d"),
        (&rule::AXIS_COUNT, "the arrays have different numbers of axes"),
        (&rule::BROADCAST, "the shapes do not broadcast apart from the axis"),
        (&rule::INDEX_BOUNDS, "an index is out of bounds"),
    ]),
];
