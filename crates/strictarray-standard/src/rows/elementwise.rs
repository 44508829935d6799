//! Elementwise functions.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version};

const fn unary(
    name: &'static str,
    params: &'static [Param],
    result: ResultDType,
    open: Open,
    summary: &'static str,
    example: &'static str,
) -> Function {
    Function {
        name,
        category: Category::Elementwise,
        params,
        since: Version::V2021_12,
        shape: ShapeRule::Same,
        result,
        open,
        summary,
        returns: "array of the shape of x.",
        example,
    }
}

const fn binary(
    name: &'static str,
    params: &'static [Param],
    result: ResultDType,
    open: Open,
    summary: &'static str,
    example: &'static str,
) -> Function {
    Function {
        shape: ShapeRule::Broadcast,
        returns: "array of the broadcast shape; its data type is what both promote to, or bool.",
        ..unary(name, params, result, open, summary, example)
    }
}

/// One argument of a kind.
const fn one(set: DTypeSet) -> [Param; 1] {
    [Param::pos("x", Array(set), "input")]
}

/// Two arguments of a kind; since 2024.12 one of them may be a Python scalar.
const fn two(set: DTypeSet) -> [Param; 2] {
    [
        Param::pos("x1", ArrayOrScalar(set), "first input"),
        Param::pos("x2", ArrayOrScalar(set), "second input, broadcast with the first"),
    ]
}

static ONE_NUMERIC: [Param; 1] = one(DTypeSet::NUMERIC);
static ONE_INTEGER_OR_BOOL: [Param; 1] = one(DTypeSet::INTEGER_OR_BOOL);
static TWO_ALL: [Param; 2] = two(DTypeSet::ALL);
static TWO_NUMERIC: [Param; 2] = two(DTypeSet::NUMERIC);
static TWO_REAL: [Param; 2] = two(DTypeSet::REAL);
static TWO_FLOATING: [Param; 2] = two(DTypeSet::FLOATING);
static TWO_INTEGER: [Param; 2] = two(DTypeSet::INTEGER);
static TWO_INTEGER_OR_BOOL: [Param; 2] = two(DTypeSet::INTEGER_OR_BOOL);

pub(super) static ROWS: &[Function] = &[
    unary(
        "abs",
        &ONE_NUMERIC,
        ResultDType::RealPart,
        Open::OVERFLOW,
        "The absolute value; of a complex number its modulus.",
        ">>> xp.abs(xp.asarray([-1, 2]))\nArray([1, 2], dtype=strictarray.int64)",
    ),
    binary(
        "add",
        &TWO_NUMERIC,
        ResultDType::Promoted,
        Open::OVERFLOW,
        "The sum.",
        ">>> xp.add(xp.asarray([1, 2]), 3)\nArray([4, 5], dtype=strictarray.int64)",
    ),
    binary(
        "bitwise_and",
        &TWO_INTEGER_OR_BOOL,
        ResultDType::Promoted,
        Open::NOTHING,
        "The bitwise AND.",
        ">>> xp.bitwise_and(xp.asarray([6]), 3)\nArray([2], dtype=strictarray.int64)",
    ),
    unary(
        "bitwise_invert",
        &ONE_INTEGER_OR_BOOL,
        ResultDType::Same,
        Open::NOTHING,
        "Every bit inverted; of bool the logical NOT.",
        ">>> xp.bitwise_invert(xp.asarray([0, 1]))\nArray([-1, -2], dtype=strictarray.int64)",
    ),
    binary(
        "bitwise_left_shift",
        &TWO_INTEGER,
        ResultDType::Promoted,
        Open::OVERFLOW.and(Open::SHIFT_RANGE),
        "The bits of x1 shifted left by x2, which must be in [0, width).",
        ">>> xp.bitwise_left_shift(xp.asarray([1]), 3)\nArray([8], dtype=strictarray.int64)",
    ),
    binary(
        "bitwise_or",
        &TWO_INTEGER_OR_BOOL,
        ResultDType::Promoted,
        Open::NOTHING,
        "The bitwise OR.",
        ">>> xp.bitwise_or(xp.asarray([6]), 3)\nArray([7], dtype=strictarray.int64)",
    ),
    binary(
        "bitwise_right_shift",
        &TWO_INTEGER,
        ResultDType::Promoted,
        Open::SHIFT_RANGE,
        "The bits of x1 shifted right by x2, which must be in [0, width); the sign is kept.",
        ">>> xp.bitwise_right_shift(xp.asarray([8]), 2)\nArray([2], dtype=strictarray.int64)",
    ),
    binary(
        "bitwise_xor",
        &TWO_INTEGER_OR_BOOL,
        ResultDType::Promoted,
        Open::NOTHING,
        "The bitwise exclusive OR.",
        ">>> xp.bitwise_xor(xp.asarray([6]), 3)\nArray([5], dtype=strictarray.int64)",
    ),
    binary(
        "divide",
        &TWO_FLOATING,
        ResultDType::Promoted,
        Open::NOTHING,
        "The quotient of floating-point numbers.",
        ">>> xp.divide(xp.asarray([1.0]), 4)\nArray([0.25], dtype=strictarray.float64)",
    ),
    binary(
        "equal",
        &TWO_ALL,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether x1 == x2.",
        ">>> xp.equal(xp.asarray([1, 2]), 1)\nArray([ True, False], dtype=strictarray.bool)",
    ),
    binary(
        "floor_divide",
        &TWO_REAL,
        ResultDType::Promoted,
        Open::OVERFLOW.and(Open::ZERO_DIVISION),
        "The quotient, rounded towards minus infinity.",
        ">>> xp.floor_divide(xp.asarray([7, -7]), 2)\nArray([ 3, -4], dtype=strictarray.int64)",
    ),
    binary(
        "greater",
        &TWO_REAL,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether x1 > x2.",
        ">>> xp.greater(xp.asarray([1, 2, 3]), 2)\nArray([False, False,  True], dtype=strictarray.bool)",
    ),
    binary(
        "greater_equal",
        &TWO_REAL,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether x1 >= x2.",
        ">>> xp.greater_equal(xp.asarray([1, 2, 3]), 2)\nArray([False,  True,  True], dtype=strictarray.bool)",
    ),
    binary(
        "less",
        &TWO_REAL,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether x1 < x2.",
        ">>> xp.less(xp.asarray([1, 2, 3]), 2)\nArray([ True, False, False], dtype=strictarray.bool)",
    ),
    binary(
        "less_equal",
        &TWO_REAL,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether x1 <= x2.",
        ">>> xp.less_equal(xp.asarray([1, 2, 3]), 2)\nArray([ True,  True, False], dtype=strictarray.bool)",
    ),
    binary(
        "multiply",
        &TWO_NUMERIC,
        ResultDType::Promoted,
        Open::OVERFLOW,
        "The product.",
        ">>> xp.multiply(xp.asarray([1, 2]), 3)\nArray([3, 6], dtype=strictarray.int64)",
    ),
    unary(
        "negative",
        &ONE_NUMERIC,
        ResultDType::Same,
        Open::OVERFLOW,
        "The value with the other sign.",
        ">>> xp.negative(xp.asarray([1, -2]))\nArray([-1,  2], dtype=strictarray.int64)",
    ),
    binary(
        "not_equal",
        &TWO_ALL,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether x1 != x2.",
        ">>> xp.not_equal(xp.asarray([1, 2]), 1)\nArray([False,  True], dtype=strictarray.bool)",
    ),
    unary(
        "positive",
        &ONE_NUMERIC,
        ResultDType::Same,
        Open::NOTHING,
        "A copy of the value.",
        ">>> xp.positive(xp.asarray([1, -2]))\nArray([ 1, -2], dtype=strictarray.int64)",
    ),
    binary(
        "pow",
        &TWO_NUMERIC,
        ResultDType::Promoted,
        Open::OVERFLOW.and(Open::INTEGER_POWER),
        "x1 raised to the power of x2; negative exponents of integers are refused.",
        ">>> xp.pow(xp.asarray([2, 3]), 2)\nArray([4, 9], dtype=strictarray.int64)",
    ),
    binary(
        "remainder",
        &TWO_REAL,
        ResultDType::Promoted,
        Open::ZERO_DIVISION,
        "What remains of the floor division; it has the sign of x2.",
        ">>> xp.remainder(xp.asarray([7, -7]), 3)\nArray([1, 2], dtype=strictarray.int64)",
    ),
    binary(
        "subtract",
        &TWO_NUMERIC,
        ResultDType::Promoted,
        Open::OVERFLOW,
        "The difference.",
        ">>> xp.subtract(xp.asarray([1, 2]), 3)\nArray([-2, -1], dtype=strictarray.int64)",
    ),
];
