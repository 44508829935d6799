//! Linear algebra functions of the main namespace.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version};

pub(super) static ROWS: &[Function] = &[Function {
    name: "matmul",
    category: Category::LinearAlgebra,
    params: &[
        Param::pos("x1", Array(DTypeSet::NUMERIC), "matrices of shape (..., M, K), or a vector of shape (K,)"),
        Param::pos("x2", Array(DTypeSet::NUMERIC), "matrices of shape (..., K, N), or a vector of shape (K,)"),
    ],
    since: Version::V2021_12,
    shape: ShapeRule::Matmul,
    result: ResultDType::Promoted,
    open: Open::OVERFLOW.and(Open::ROUNDING),
    summary: "The matrix product; leading axes broadcast, a vector counts as a row on the left and as a column on the right.",
    returns: "array of shape (..., M, N), without the axis of a vector.",
    example: ">>> xp.matmul(xp.asarray([[1, 2], [3, 4]]), xp.asarray([1, 1]))\nArray([3, 7], dtype=strictarray.int64)",
}];
