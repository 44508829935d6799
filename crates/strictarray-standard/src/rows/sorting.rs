//! Sorting functions.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version};

static PARAMS: [Param; 4] = [
    Param::pos("x", Array(DTypeSet::REAL), "array of at least one axis"),
    Param::kw("axis", Axis, "axis along which to sort").or("-1"),
    Param::kw("descending", Bool, "whether the greatest comes first").or("False"),
    Param::kw("stable", Bool, "whether equal elements must keep their order; here they always do").or("True"),
];

pub(super) static ROWS: &[Function] = &[
    Function {
        name: "argsort",
        category: Category::Sorting,
        params: &PARAMS,
        since: Version::V2021_12,
        shape: ShapeRule::Same,
        result: ResultDType::Index,
        open: Open::NAN_PLACE.and(Open::TIES),
        refuses: &[],
        special: "",
        summary: "The indices that sort an array along an axis; NaNs count as greater than all numbers, both zeros as equal.",
        returns: "array of the shape of x and the default data type of indices.",
        example: ">>> xp.argsort(xp.asarray([3, 1, 2]))\nArray([1, 2, 0], dtype=strictarray.int64)",
    }
    .special("NaNs count as greater than all numbers, and zeros of both signs are equal."),
    Function {
        name: "sort",
        category: Category::Sorting,
        params: &PARAMS,
        since: Version::V2021_12,
        shape: ShapeRule::Same,
        result: ResultDType::Same,
        open: Open::NAN_PLACE.and(Open::TIES),
        refuses: &[],
        special: "",
        summary: "A sorted copy of an array; NaNs count as greater than all numbers, both zeros as equal.",
        returns: "array of the shape and data type of x, sorted along the axis.",
        example: ">>> xp.sort(xp.asarray([3, 1, 2]), descending=True)\nArray([3, 2, 1], dtype=strictarray.int64)",
    }
    .special("NaNs count as greater than all numbers, and zeros of both signs are equal."),
];
