//! Elementwise functions.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version, rule};

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
        refuses: &[],
        special: "",
        summary,
        returns: match result {
            ResultDType::Bool => "bool array of the shape of x.",
            ResultDType::RealPart => {
                "array of the shape of x; of the data type of its parts, if it is complex, else of its own."
            }
            _ => "array of the shape and data type of x.",
        },
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
        returns: match result {
            ResultDType::Bool => "bool array of the shape that both broadcast to.",
            ResultDType::Same => "array of the shape that both broadcast to, and of their data type.",
            _ => "array of the shape that both broadcast to, and of the data type that they promote to.",
        },
        ..unary(name, params, result, open, summary, example)
    }
}

/// A row that came with a later version than the first.
const fn since(version: Version, row: Function) -> Function {
    Function { since: version, ..row }
}

/// One argument of a kind.
const fn one(set: DTypeSet) -> [Param; 1] {
    [Param::pos("x", Array(set), "input, of any shape")]
}

/// Two arguments of a kind; since 2024.12 one of them may be a Python scalar.
const fn two(set: DTypeSet) -> [Param; 2] {
    [
        Param::pos("x1", ArrayOrScalar(set), "first input, of any shape"),
        Param::pos("x2", ArrayOrScalar(set), "second input, of a shape that broadcasts with that of the first"),
    ]
}

static ONE_BOOL: [Param; 1] = one(DTypeSet::BOOL);
static ONE_COMPLEX_FLOATING: [Param; 1] = one(DTypeSet::COMPLEX_FLOATING);
static ONE_FLOATING: [Param; 1] = one(DTypeSet::FLOATING);
static ONE_INTEGER_OR_BOOL: [Param; 1] = one(DTypeSet::INTEGER_OR_BOOL);
static ONE_NUMERIC: [Param; 1] = one(DTypeSet::NUMERIC);
static ONE_REAL: [Param; 1] = one(DTypeSet::REAL);
static ONE_REAL_FLOATING: [Param; 1] = one(DTypeSet::REAL_FLOATING);
static TWO_ALL: [Param; 2] = two(DTypeSet::ALL);
static TWO_BOOL: [Param; 2] = two(DTypeSet::BOOL);
static TWO_FLOATING: [Param; 2] = two(DTypeSet::FLOATING);
static TWO_INTEGER: [Param; 2] = two(DTypeSet::INTEGER);
static TWO_INTEGER_OR_BOOL: [Param; 2] = two(DTypeSet::INTEGER_OR_BOOL);
static TWO_NUMERIC: [Param; 2] = two(DTypeSet::NUMERIC);
static TWO_REAL: [Param; 2] = two(DTypeSet::REAL);
static TWO_REAL_FLOATING: [Param; 2] = two(DTypeSet::REAL_FLOATING);
static CLIP: [Param; 3] = [
    Param::pos("x", Array(DTypeSet::REAL), "input, of any shape"),
    Param::any(
        "min",
        ArrayOrScalarOrNone(DTypeSet::REAL),
        "lower bounds of the data type of x, broadcast with x; None for none",
    )
    .or("None"),
    Param::any(
        "max",
        ArrayOrScalarOrNone(DTypeSet::REAL),
        "upper bounds of the data type of x, broadcast with x; None for none",
    )
    .or("None"),
];

pub(super) static ROWS: &[Function] = &[
    unary(
        "abs",
        &ONE_NUMERIC,
        ResultDType::RealPart,
        Open::OVERFLOW.and(Open::COMPLEX_ROUNDING),
        "The absolute value; of a complex number its modulus.",
        ">>> xp.abs(xp.asarray([-1, 2]))\nArray([1, 2], dtype=strictarray.int64)",
    )
    .special(
        "NaN stays NaN, -0 gives +0 and -infinity +infinity; a complex number with an infinite part gives \
         +infinity, even beside a NaN.",
    ),
    unary(
        "acos",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "The angle in [0, pi] whose cosine is x; NaN outside [-1, 1], where a complex number has one of its own.",
        ">>> xp.acos(xp.asarray([1.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special(
        "NaN outside [-1, 1] and for NaN; 1 gives +0. Complex: with an infinite part, the real part is the limit \
         of the angle (NaN beside a NaN) and the imaginary part infinite; conjugates give conjugates.",
    ),
    unary(
        "acosh",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "The inverse hyperbolic cosine, which is not negative; NaN below 1.",
        ">>> xp.acosh(xp.asarray([1.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special(
        "NaN below 1 and for NaN; 1 gives +0, +infinity stays. Complex: with an infinite part, the real part is \
         +infinity and the imaginary part the limit of the angle (NaN beside a NaN); conjugates give conjugates.",
    ),
    binary(
        "add",
        &TWO_NUMERIC,
        ResultDType::Promoted,
        Open::OVERFLOW.and(Open::COMPLEX_ROUNDING),
        "The sum.",
        ">>> xp.add(xp.asarray([1, 2]), 3)\nArray([4, 5], dtype=strictarray.int64)",
    )
    .special(
        "NaN if either is NaN, or both are infinities of opposite sign; -0 and -0 give -0, numbers that cancel +0. \
         Complex numbers by parts.",
    ),
    unary(
        "asin",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "The angle in [-pi/2, pi/2] whose sine is x; NaN outside [-1, 1], where a complex number has one of its own.",
        ">>> xp.asin(xp.asarray([0.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special("NaN outside [-1, 1] and for NaN; zeros keep their sign. Complex: asinh of 1j * z, times -1j."),
    unary(
        "asinh",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "The inverse hyperbolic sine.",
        ">>> xp.asinh(xp.asarray([0.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special(
        "NaN, zeros and infinities stay as they are. Complex: with an infinite part, the real part is infinite and \
         the imaginary part the limit of the angle (NaN beside a NaN); the function is odd, and conjugates give \
         conjugates.",
    ),
    unary(
        "atan",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "The angle in [-pi/2, pi/2] whose tangent is x.",
        ">>> xp.atan(xp.asarray([0.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special(
        "NaN stays NaN, zeros keep their sign, infinities give pi/2 with their sign. Complex: atanh of 1j * z, \
         times -1j.",
    ),
    binary(
        "atan2",
        &TWO_REAL_FLOATING,
        ResultDType::Promoted,
        Open::ROUNDING,
        "The angle in [-pi, pi] of the point with the ordinate x1 and the abscissa x2; the signs of zeros count.",
        ">>> xp.atan2(xp.asarray([0.0]), 1.0)\nArray([0.], dtype=strictarray.float64)",
    )
    .special(
        "NaN if either is NaN. The signs of zeros count: ±0 over a positive number or +0 gives ±0, over a negative \
         number or -0 ±pi; a number over ±0 gives ±pi/2. Infinities give the limits, multiples of pi/4.",
    ),
    unary(
        "atanh",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "The inverse hyperbolic tangent: infinite at -1 and 1, NaN beyond.",
        ">>> xp.atanh(xp.asarray([0.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special(
        "NaN outside [-1, 1] and for NaN; zeros keep their sign, -1 and 1 give infinities. Complex: with an \
         infinite part, the real part is a zero and the imaginary part ±pi/2 (NaN if it was NaN); the function is \
         odd, and conjugates give conjugates.",
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
    unary(
        "ceil",
        &ONE_REAL,
        ResultDType::Same,
        Open::VIEW_OR_COPY,
        "The smallest integer that is not less than x, in the data type of x.",
        ">>> xp.ceil(xp.asarray([1.5, -1.5]))\nArray([ 2., -1.], dtype=strictarray.float64)",
    )
    .special("NaN, infinities, zeros and integers stay as they are; numbers in (-1, 0) give -0."),
    Function {
        shape: ShapeRule::Broadcast,
        returns: "array of the broadcast shape and the data type of x.",
        ..since(
            Version::V2023_12,
            unary(
                "clip",
                &CLIP,
                ResultDType::Same,
                Open::TIES,
                "The value, or the bound that it is beyond; NaN where one of them is. No lower bound may exceed an upper one.",
                ">>> xp.clip(xp.asarray([-5, 0, 5]), -1, 1)\nArray([-1,  0,  1], dtype=strictarray.int64)",
            ),
        )
    }
    .refuses(&[(&rule::CLIP_BOUNDS, "a lower bound is greater than the upper one")])
    .special("NaN where x or a bound is NaN."),
    since(
        Version::V2022_12,
        unary(
            "conj",
            &ONE_NUMERIC,
            ResultDType::Same,
            Open::VIEW_OR_COPY,
            "The complex conjugate; a real number is its own.",
            ">>> xp.conj(xp.asarray([1 + 2j]))\nArray([1.-2.j], dtype=strictarray.complex128)",
        ),
    ),
    since(
        Version::V2023_12,
        binary(
            "copysign",
            &TWO_REAL_FLOATING,
            ResultDType::Promoted,
            Open::NOTHING,
            "The magnitude of x1 with the sign of x2, also of zeros and NaN.",
            ">>> xp.copysign(xp.asarray([1.0, 2.0]), -0.0)\nArray([-1., -2.], dtype=strictarray.float64)",
        ),
    )
    .special("the signs of zeros, infinities and NaNs in x2 count as those of any number; a NaN in x1 stays one."),
    unary(
        "cos",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "The cosine of an angle in radians; NaN of infinities.",
        ">>> xp.cos(xp.asarray([0.0]))\nArray([1.], dtype=strictarray.float64)",
    )
    .special("zeros give 1; infinities and NaN give NaN. Complex: cosh of 1j * z."),
    unary(
        "cosh",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "The hyperbolic cosine.",
        ">>> xp.cosh(xp.asarray([0.0]))\nArray([1.], dtype=strictarray.float64)",
    )
    .special(
        "zeros give 1, infinities +infinity, NaN stays NaN. Complex: an infinite real part gives infinities in the \
         direction of the imaginary part; an imaginary part that is not finite gives a NaN part; the function is \
         even, and conjugates give conjugates.",
    ),
    binary(
        "divide",
        &TWO_FLOATING,
        ResultDType::Promoted,
        Open::COMPLEX_ROUNDING.and(Open::COMPLEX_INFINITY),
        "The quotient of floating-point numbers.",
        ">>> xp.divide(xp.asarray([1.0]), 4)\nArray([0.25], dtype=strictarray.float64)",
    )
    .special(
        "NaN if either is NaN, for 0 / 0 and for infinity / infinity; other numbers / 0 are infinite, and finite \
         numbers / infinity 0, with the sign that the operands' signs give.",
    ),
    binary(
        "equal",
        &TWO_ALL,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether x1 == x2.",
        ">>> xp.equal(xp.asarray([1, 2]), 1)\nArray([ True, False], dtype=strictarray.bool)",
    ),
    unary(
        "exp",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "e raised to the power of x.",
        ">>> xp.exp(xp.asarray([0.0]))\nArray([1.], dtype=strictarray.float64)",
    )
    .special(
        "NaN stays NaN; zeros give 1, +infinity stays, -infinity gives +0. Complex: the real part -infinity gives \
         zeros, +infinity infinities in the direction of the imaginary part; else an imaginary part that is not \
         finite gives NaNs; conjugates give conjugates.",
    ),
    unary(
        "expm1",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "exp(x) - 1, exact also where x is near 0.",
        ">>> xp.expm1(xp.asarray([0.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special(
        "NaN, zeros and +infinity stay as they are, -infinity gives -1. Complex: the real part -infinity gives -1 \
         and a zero, +infinity infinities in the direction of the imaginary part; else an imaginary part that is \
         not finite gives NaNs; conjugates give conjugates.",
    ),
    unary(
        "floor",
        &ONE_REAL,
        ResultDType::Same,
        Open::VIEW_OR_COPY,
        "The largest integer that is not greater than x, in the data type of x.",
        ">>> xp.floor(xp.asarray([1.5, -1.5]))\nArray([ 1., -2.], dtype=strictarray.float64)",
    )
    .special("NaN, infinities, zeros and integers stay as they are; numbers in (0, 1) give +0."),
    binary(
        "floor_divide",
        &TWO_REAL,
        ResultDType::Promoted,
        Open::OVERFLOW.and(Open::ZERO_DIVISION),
        "The quotient, rounded towards minus infinity.",
        ">>> xp.floor_divide(xp.asarray([7, -7]), 2)\nArray([ 3, -4], dtype=strictarray.int64)",
    )
    .special(
        "NaN if either is NaN, for 0 // 0 and for infinity // infinity; infinities // finite numbers, and \
             other numbers // 0, are infinite, and finite numbers // infinity 0, with the sign that the operands' signs give.",
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
    since(
        Version::V2023_12,
        binary(
            "hypot",
            &TWO_REAL_FLOATING,
            ResultDType::Promoted,
            Open::ROUNDING,
            "The square root of x1² + x2², without overflow on the way; infinite where either is.",
            ">>> xp.hypot(xp.asarray([3.0]), 4.0)\nArray([5.], dtype=strictarray.float64)",
        ),
    )
    .special("infinite if either is, even beside a NaN; else NaN if either is."),
    since(
        Version::V2022_12,
        unary(
            "imag",
            &ONE_COMPLEX_FLOATING,
            ResultDType::RealPart,
            Open::VIEW_OR_COPY,
            "The imaginary part.",
            ">>> xp.imag(xp.asarray([1 + 2j]))\nArray([2.], dtype=strictarray.float64)",
        ),
    ),
    unary(
        "isfinite",
        &ONE_NUMERIC,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether x is neither infinite nor NaN, in both parts if complex.",
        ">>> xp.isfinite(xp.asarray([1.0, xp.inf, xp.nan]))\nArray([ True, False, False], dtype=strictarray.bool)",
    )
    .special("False for NaN and infinities; a complex number is finite if both parts are."),
    unary(
        "isinf",
        &ONE_NUMERIC,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether x, or a part of it, is infinite.",
        ">>> xp.isinf(xp.asarray([1.0, xp.inf, xp.nan]))\nArray([False,  True, False], dtype=strictarray.bool)",
    )
    .special("a complex number with an infinite part is infinite, even beside a NaN."),
    unary(
        "isnan",
        &ONE_NUMERIC,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether x, or a part of it, is NaN.",
        ">>> xp.isnan(xp.asarray([1.0, xp.inf, xp.nan]))\nArray([False, False,  True], dtype=strictarray.bool)",
    )
    .special("a complex number with a NaN part is NaN, even beside an infinity."),
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
    unary(
        "log",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING,
        "The natural logarithm: -infinity of zeros, NaN of negative real numbers.",
        ">>> xp.log(xp.asarray([1.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special(
        "NaN stays NaN; negative numbers give NaN, zeros -infinity, 1 +0, +infinity stays. Complex: the cut is the \
         negative real axis, on which the sign of the zero imaginary part names the side; with an infinite part, \
         the real part is +infinity and the imaginary part the limit of the angle (NaN beside a NaN).",
    ),
    unary(
        "log10",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING,
        "The logarithm to base 10: -infinity of zeros, NaN of negative real numbers.",
        ">>> xp.log10(xp.asarray([1.0, 100.0]))\nArray([0., 2.], dtype=strictarray.float64)",
    )
    .special("as for log."),
    unary(
        "log1p",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING,
        "log(1 + x), exact also where x is near 0; -infinity of -1, NaN of real numbers below.",
        ">>> xp.log1p(xp.asarray([0.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special(
        "NaN, zeros and +infinity stay as they are; numbers below -1 give NaN, -1 -infinity. Complex: the cut is \
         the real axis below -1, on which the sign of the zero imaginary part names the side; with an infinite \
         part, the real part is +infinity and the imaginary part the limit of the angle (NaN beside a NaN).",
    ),
    unary(
        "log2",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING,
        "The logarithm to base 2: -infinity of zeros, NaN of negative real numbers.",
        ">>> xp.log2(xp.asarray([1.0, 8.0]))\nArray([0., 3.], dtype=strictarray.float64)",
    )
    .special("as for log."),
    binary(
        "logaddexp",
        &TWO_REAL_FLOATING,
        ResultDType::Promoted,
        Open::ROUNDING,
        "log(exp(x1) + exp(x2)), without overflow on the way.",
        ">>> xp.logaddexp(xp.asarray([-xp.inf]), 1.0)\nArray([1.], dtype=strictarray.float64)",
    )
    .special("NaN if either is NaN; else +infinity if either is +infinity, and the other one beside -infinity."),
    binary(
        "logical_and",
        &TWO_BOOL,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether both are true.",
        ">>> xp.logical_and(xp.asarray([True, False]), True)\nArray([ True, False], dtype=strictarray.bool)",
    ),
    unary(
        "logical_not",
        &ONE_BOOL,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether x is false.",
        ">>> xp.logical_not(xp.asarray([True, False]))\nArray([False,  True], dtype=strictarray.bool)",
    ),
    binary(
        "logical_or",
        &TWO_BOOL,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether at least one is true.",
        ">>> xp.logical_or(xp.asarray([True, False]), False)\nArray([ True, False], dtype=strictarray.bool)",
    ),
    binary(
        "logical_xor",
        &TWO_BOOL,
        ResultDType::Bool,
        Open::NOTHING,
        "Whether exactly one is true.",
        ">>> xp.logical_xor(xp.asarray([True, False]), True)\nArray([False,  True], dtype=strictarray.bool)",
    ),
    since(
        Version::V2023_12,
        binary(
            "maximum",
            &TWO_REAL,
            ResultDType::Promoted,
            Open::TIES,
            "The larger of both; NaN where either is. Which of two zeros of different sign is taken is open.",
            ">>> xp.maximum(xp.asarray([1, 5]), 3)\nArray([3, 5], dtype=strictarray.int64)",
        ),
    )
    .special("NaN if either is NaN."),
    since(
        Version::V2023_12,
        binary(
            "minimum",
            &TWO_REAL,
            ResultDType::Promoted,
            Open::TIES,
            "The smaller of both; NaN where either is. Which of two zeros of different sign is taken is open.",
            ">>> xp.minimum(xp.asarray([1, 5]), 3)\nArray([1, 3], dtype=strictarray.int64)",
        ),
    )
    .special("NaN if either is NaN."),
    binary(
        "multiply",
        &TWO_NUMERIC,
        ResultDType::Promoted,
        Open::OVERFLOW.and(Open::COMPLEX_ROUNDING).and(Open::COMPLEX_INFINITY),
        "The product.",
        ">>> xp.multiply(xp.asarray([1, 2]), 3)\nArray([3, 6], dtype=strictarray.int64)",
    )
    .special(
        "NaN if either is NaN and for 0 * infinity; zeros and infinities have the sign that the operands' signs \
         give.",
    ),
    unary(
        "negative",
        &ONE_NUMERIC,
        ResultDType::Same,
        Open::OVERFLOW,
        "The value with the other sign.",
        ">>> xp.negative(xp.asarray([1, -2]))\nArray([-1,  2], dtype=strictarray.int64)",
    ),
    since(
        Version::V2024_12,
        binary(
            "nextafter",
            &TWO_REAL_FLOATING,
            ResultDType::Same,
            Open::NOTHING,
            "The next number after x1 towards x2, which has the same data type; x2 itself where they are equal.",
            ">>> xp.nextafter(xp.asarray([0.0]), 1.0)\nArray([5.e-324], dtype=strictarray.float64)",
        ),
    )
    .refuses(&[(&rule::PROMOTION, "the dtypes differ")])
    .special("NaN if either is NaN; x2 where both are equal, also zeros of different sign."),
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
        Open::OVERFLOW.and(Open::INTEGER_POWER).and(Open::ROUNDING),
        "x1 raised to the power of x2; negative exponents of integers are refused.",
        ">>> xp.pow(xp.asarray([2, 3]), 2)\nArray([4, 9], dtype=strictarray.int64)",
    )
    .refuses(&[(&rule::INTEGER_POWER, "an exponent is a negative integer and x1 is integer")])
    .special(
        "anything ** 0 and 1 ** anything is 1, NaN included; else NaN if either is NaN. Negative numbers to a \
         finite power that is no integer give NaN; zeros to negative powers are infinite; an infinite power gives \
         infinity or 0 as abs(x1) lies beyond or within 1, and 1 for -1.",
    ),
    since(
        Version::V2022_12,
        unary(
            "real",
            &ONE_NUMERIC,
            ResultDType::RealPart,
            Open::VIEW_OR_COPY,
            "The real part; a real number is its own.",
            ">>> xp.real(xp.asarray([1 + 2j]))\nArray([1.], dtype=strictarray.float64)",
        ),
    ),
    since(
        Version::V2024_12,
        unary(
            "reciprocal",
            &ONE_FLOATING,
            ResultDType::Same,
            Open::COMPLEX_ROUNDING.and(Open::COMPLEX_INFINITY),
            "1 / x.",
            ">>> xp.reciprocal(xp.asarray([4.0]))\nArray([0.25], dtype=strictarray.float64)",
        ),
    )
    .special("zeros give infinities and infinities zeros, with their sign."),
    binary(
        "remainder",
        &TWO_REAL,
        ResultDType::Promoted,
        Open::ZERO_DIVISION,
        "What remains of the floor division; it has the sign of x2.",
        ">>> xp.remainder(xp.asarray([7, -7]), 3)\nArray([1, 2], dtype=strictarray.int64)",
    )
    .special(
        "NaN if either is NaN, x1 is infinite or x2 is 0; a result of 0 has the sign of x2; of finite x1 and \
         infinite x2 x1 where the signs agree, else x2.",
    ),
    unary(
        "round",
        &ONE_NUMERIC,
        ResultDType::Same,
        Open::NOTHING,
        "The nearest integer, in the data type of x; the even one of two as near. Of complex numbers by parts.",
        ">>> xp.round(xp.asarray([0.5, 1.5, -2.7]))\nArray([ 0.,  2., -3.], dtype=strictarray.float64)",
    )
    .special("NaN, infinities, zeros and integers stay as they are; numbers in [-0.5, 0) give -0."),
    unary(
        "sign",
        &ONE_NUMERIC,
        ResultDType::Same,
        Open::COMPLEX_ROUNDING.and(Open::COMPLEX_INFINITY),
        "-1, 0 or 1 as x is negative, zero or positive; of a complex number x / abs(x). NaN of NaN.",
        ">>> xp.sign(xp.asarray([-3, 0, 2]))\nArray([-1,  0,  1], dtype=strictarray.int64)",
    )
    .special("NaN stays NaN and zeros give 0; a complex number with a NaN part gives NaN."),
    since(
        Version::V2023_12,
        unary(
            "signbit",
            &ONE_REAL_FLOATING,
            ResultDType::Bool,
            Open::NOTHING,
            "Whether the sign bit is set: of -0 and of negative NaN too.",
            ">>> xp.signbit(xp.asarray([-0.0, 0.0]))\nArray([ True, False], dtype=strictarray.bool)",
        ),
    )
    .special("True for -0, -infinity and NaN whose sign bit is set."),
    unary(
        "sin",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "The sine of an angle in radians; NaN of infinities.",
        ">>> xp.sin(xp.asarray([0.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special("zeros keep their sign; infinities and NaN give NaN. Complex: sinh of 1j * z, times -1j."),
    unary(
        "sinh",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "The hyperbolic sine.",
        ">>> xp.sinh(xp.asarray([0.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special(
        "NaN, zeros and infinities stay as they are. Complex: an infinite real part gives infinities in the \
         direction of the imaginary part; an imaginary part that is not finite gives a NaN part; the function is \
         odd, and conjugates give conjugates.",
    ),
    unary(
        "sqrt",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::COMPLEX_ROUNDING.and(Open::SIGN),
        "The principal square root; NaN of negative real numbers.",
        ">>> xp.sqrt(xp.asarray([4.0, 9.0]))\nArray([2., 3.], dtype=strictarray.float64)",
    )
    .special(
        "NaN, zeros and +infinity stay as they are; negative numbers give NaN. Complex: the cut is the negative \
         real axis, on which the sign of the zero imaginary part names the side; an infinite imaginary part gives \
         it beside the real part +infinity, whatever the real part was.",
    ),
    unary(
        "square",
        &ONE_NUMERIC,
        ResultDType::Same,
        Open::OVERFLOW.and(Open::COMPLEX_ROUNDING).and(Open::COMPLEX_INFINITY),
        "The product of x with itself.",
        ">>> xp.square(xp.asarray([2, -3]))\nArray([4, 9], dtype=strictarray.int64)",
    ),
    binary(
        "subtract",
        &TWO_NUMERIC,
        ResultDType::Promoted,
        Open::OVERFLOW.and(Open::COMPLEX_ROUNDING),
        "The difference.",
        ">>> xp.subtract(xp.asarray([1, 2]), 3)\nArray([-2, -1], dtype=strictarray.int64)",
    )
    .special("as x1 + (-x2): see add."),
    unary(
        "tan",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "The tangent of an angle in radians; NaN of infinities.",
        ">>> xp.tan(xp.asarray([0.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special("zeros keep their sign; infinities and NaN give NaN. Complex: tanh of 1j * z, times -1j."),
    unary(
        "tanh",
        &ONE_FLOATING,
        ResultDType::Same,
        Open::ROUNDING.and(Open::SIGN),
        "The hyperbolic tangent.",
        ">>> xp.tanh(xp.asarray([0.0]))\nArray([0.], dtype=strictarray.float64)",
    )
    .special(
        "NaN and zeros stay as they are, infinities give 1 with their sign. Complex: an infinite real part gives 1 \
         with its sign and a zero; else an imaginary part that is not finite gives a NaN part; the function is \
         odd, and conjugates give conjugates.",
    ),
    unary(
        "trunc",
        &ONE_REAL,
        ResultDType::Same,
        Open::VIEW_OR_COPY,
        "The integer part, in the data type of x.",
        ">>> xp.trunc(xp.asarray([1.5, -1.5]))\nArray([ 1., -1.], dtype=strictarray.float64)",
    )
    .special("NaN, infinities, zeros and integers stay as they are; numbers in (-1, 0) give -0."),
];
