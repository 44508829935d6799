//! Linear algebra functions of the main namespace.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version, rule};

const fn row(
    name: &'static str,
    params: &'static [Param],
    shape: ShapeRule,
    summary: &'static str,
    returns: &'static str,
    example: &'static str,
) -> Function {
    Function {
        name,
        category: Category::LinearAlgebra,
        params,
        since: Version::V2021_12,
        shape,
        result: ResultDType::Promoted,
        open: Open::OVERFLOW.and(Open::ROUNDING),
        refuses: &[],
        special: "",
        summary,
        returns,
        example,
    }
}

pub(super) static MATMUL: Function = row(
    "matmul",
    &[
        Param::pos("x1", Array(DTypeSet::NUMERIC), "matrices of shape (..., M, K), or a vector of shape (K,)"),
        Param::pos("x2", Array(DTypeSet::NUMERIC), "matrices of shape (..., K, N), or a vector of shape (K,)"),
    ],
    ShapeRule::Matmul,
    "The matrix product; leading axes broadcast, a vector counts as a row on the left and as a column on the right.",
    "array of shape (..., M, N), without the axis of a vector, and of the data type that both promote to.",
    ">>> xp.matmul(xp.asarray([[1, 2], [3, 4]]), xp.asarray([1, 1]))\nArray([3, 7], dtype=strictarray.int64)",
)
.refuses(&[(&rule::MATMUL_SHAPE, "an array is 0-d, or the sizes do not fit")]);

pub(super) static MATRIX_TRANSPOSE: Function = Function {
    result: ResultDType::Same,
    open: Open::VIEW_OR_COPY,
    ..row(
        "matrix_transpose",
        &[Param::pos("x", Array(DTypeSet::ALL), "matrices, of shape (..., M, N)")],
        ShapeRule::Computed,
        "The transposes of matrices.",
        "array of shape (..., N, M) and of the data type of x.",
        ">>> xp.matrix_transpose(xp.zeros((2, 3, 4))).shape\n(2, 4, 3)",
    )
}
.refuses(&[(&rule::NDIM_TWO, "x has fewer than two axes")]);

pub(super) static TENSORDOT: Function = row(
        "tensordot",
        &[
            Param::pos("x1", Array(DTypeSet::NUMERIC), "array of any shape"),
            Param::pos("x2", Array(DTypeSet::NUMERIC), "array of any shape"),
            Param::kw("axes", AxesPair, "number of axes to contract, the last of x1 with the first of x2; or the axes of x1 and those of x2 as two sequences, negative ones since 2023.12").or("2"),
        ],
        ShapeRule::Computed,
        "The sum of products over pairs of axes of the same size.",
        "array of the data type that both promote to; its axes are those of x1 that are not contracted, then those of x2.",
        ">>> xp.tensordot(xp.asarray([[1, 2], [3, 4]]), xp.asarray([1, 1]), axes=1)\nArray([3, 7], dtype=strictarray.int64)",
    )
    .refuses(&[
        (&rule::NOT_A_TUPLE, "the axes of an array are not a sequence"),
        (&rule::AXIS, "an axis is out of bounds"),
        (&rule::AXIS_REPEATED, "an axis is named twice"),
        (&rule::AXIS_COUNT, "there are not so many axes"),
        (&rule::CONTRACTION, "the sizes of contracted axes differ"),
        (&rule::NDIM, "there are more than 64 axes"),
    ]);

pub(super) static VECDOT: Function = row(
        "vecdot",
        &[
            Param::pos("x1", Array(DTypeSet::NUMERIC), "vectors along the axis; complex ones are conjugated"),
            Param::pos("x2", Array(DTypeSet::NUMERIC), "vectors of the same size along the axis; the other axes broadcast"),
            Param::kw("axis", Axis, "axis of the vectors in both, counted from the end: in [-N, -1] for the smaller number of axes N; before 2023.12, of the broadcast shape and in [-N, N)").or("-1"),
        ],
        ShapeRule::Computed,
        "The dot products of vectors.",
        "array of the broadcast shape without the axis, and of the data type that both promote to.",
        ">>> xp.vecdot(xp.asarray([1, 2]), xp.asarray([3, 4]))\nArray(11, dtype=strictarray.int64)",
    )
    .refuses(&[
        (&rule::NDIM_ONE, "an array is 0-d"),
        (&rule::CONTRACTION, "the sizes along the axis differ"),
        (&rule::BROADCAST, "the other axes do not broadcast"),
    ]);

pub(super) static ROWS: &[Function] = &[MATMUL, MATRIX_TRANSPOSE, TENSORDOT, VECDOT];
