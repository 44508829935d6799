//! Creation functions.

use crate::{
    Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ScalarKinds, ShapeRule, Version::V2023_12, rule,
};

const DTYPE: Param =
    Param::kw("dtype", DTypeOrNone(DTypeSet::ALL), "data type of the result; None: a default of the device").or("None");
const LIKE_DTYPE: Param =
    Param::kw("dtype", DTypeOrNone(DTypeSet::ALL), "data type of the result; None: that of x").or("None");
const DEVICE: Param =
    Param::kw("device", DeviceOrNone, "where the result is placed; None: the default device").or("None");
const LIKE_DEVICE: Param = Param::kw("device", DeviceOrNone, "where the result is placed; None: that of x").or("None");
const SHAPE: Param = Param::any("shape", Shape, "shape of the result");
const LIKE: Param = Param::pos("x", Array(DTypeSet::ALL), "array whose shape is taken");
const MATRIX: Param = Param::pos("x", Array(DTypeSet::ALL), "matrices, of shape (..., M, N)");
const DIAGONAL: Param = Param::kw("k", Int, "diagonal: 0 the main one, positive above it, negative below it").or("0");

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
        category: Category::Creation,
        params,
        since: crate::Version::V2021_12,
        shape,
        result: ResultDType::Argument,
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
        "arange",
        &[
            Param::pos("start", Scalar(ScalarKinds::REAL), "first value; the end, if stop is None"),
            Param::any("stop", ScalarOrNone(ScalarKinds::REAL), "end, not included").or("None"),
            Param::any("step", Scalar(ScalarKinds::REAL), "distance of two values, not 0").or("1"),
            Param::kw("dtype", DTypeOrNone(DTypeSet::REAL), "data type of the result; None: the default integer dtype if all are int, else the default real floating-point one").or("None"),
            DEVICE,
        ],
        ShapeRule::Computed,
        "Evenly spaced values in the half-open interval [start, stop).",
        "1-d array of ceil((stop - start) / step) values, none if that is negative; of the data type asked for.",
        ">>> xp.arange(2, 8, 3)\nArray([2, 5], dtype=strictarray.int64)",
    )
    .open(Open::ROUNDING)
    .refuses(&[
        (&rule::STEP_ZERO, "step is 0"),
        (&rule::SHAPE_TOO_LARGE, "the result is too large for the address space"),
        (&rule::MEMORY, "the result is too large for the memory"),
    ]),
    Function {
        open: Open::VIEW_OR_COPY.and(Open::CAST),
        result: ResultDType::Object,
        ..row(
            "asarray",
            &[
                Param::pos("obj", Sequence, "what is converted"),
                Param::kw("dtype", DTypeOrNone(DTypeSet::ALL), "data type of the result; None: that of obj, or inferred from its scalars").or("None"),
                Param::kw("device", DeviceOrNone, "where the result is placed; None: that of obj, or the default device").or("None"),
                Param::kw("copy", BoolOrNone, "True: always copy; False: never; None: only where memory can't be shared").or("None"),
            ],
            ShapeRule::Object,
            "Convert an array, a Python scalar, a (nested) sequence of Python scalars, or a buffer to an array.",
            "array of the shape of obj, with its data, in the data type asked for.",
            ">>> xp.asarray([[1.5, 2.0], [3.0, 4.0]])\nArray([[1.5, 2. ],\n       [3. , 4. ]], dtype=strictarray.float64)",
        )
    }
    .refuses(&[
        (&rule::SCALAR_RANGE, "an int is out of the range of the dtype"),
        (&rule::CREATION_CAST, "dtype is of a lesser kind than the values"),
        (&rule::BUFFER_FORMAT, "the format of a buffer is not that of a dtype"),
        (&rule::COPY_NEEDED, "copy is False and a copy is needed"),
    ]),
    Function {
        open: Open::VALUES,
        ..row("empty", &[SHAPE, DTYPE, DEVICE], ShapeRule::Argument, "An array whose values are not set.", "array of the shape and dtype asked for, with any values.", ">>> xp.empty((2, 3)).shape\n(2, 3)")
    },
    Function {
        open: Open::VALUES,
        ..row("empty_like", &[LIKE, LIKE_DTYPE, LIKE_DEVICE], ShapeRule::Same, "An array of the shape of x whose values are not set.", "array of the shape and dtype asked for, with any values.", ">>> xp.empty_like(xp.zeros((2, 3))).shape\n(2, 3)")
    },
    row(
        "eye",
        &[
            Param::pos("n_rows", Count, "number of rows"),
            Param::pos("n_cols", CountOrNone, "number of columns; None: n_rows").or("None"),
            DIAGONAL,
            DTYPE,
            DEVICE,
        ],
        ShapeRule::Computed,
        "A matrix with ones on one diagonal and zeros elsewhere.",
        "array of shape (n_rows, n_cols) and of the data type asked for.",
        ">>> xp.eye(2, dtype=xp.int8)\nArray([[1, 0],\n       [0, 1]], dtype=strictarray.int8)",
    )
    .refuses(&[
        (&rule::SHAPE_TOO_LARGE, "the result is too large for the address space"),
        (&rule::MEMORY, "the result is too large for the memory"),
    ]),
    Function {
        open: Open::VIEW_OR_COPY,
        result: ResultDType::Object,
        ..row(
            "from_dlpack",
            &[
                Param::pos("x", Exporter, "array of any library"),
                Param::kw("device", DeviceOrNone, "where the result is placed; None: where x is").or("None").since(V2023_12),
                Param::kw("copy", BoolOrNone, "True: always copy; False: never; None: only where memory can't be shared").or("None").since(V2023_12),
            ],
            ShapeRule::Object,
            "An array that holds the data of another library's array, through DLPack.",
            "array of the shape and data type of x, which shares its memory where it can.",
            ">>> xp.from_dlpack(xp.asarray([1, 2]))\nArray([1, 2], dtype=strictarray.int64)",
        )
    }
    .refuses(&[
        (&rule::DLPACK_COPY_NEEDED, "copy is False and a copy is needed"),
        (&rule::DLPACK_FOREIGN_DEVICE, "x is not in CPU memory"),
        (&rule::DLPACK_DTYPE, "x has a dtype that the standard or the device does not have"),
    ]),
    row(
        "full",
        &[SHAPE, Param::any("fill_value", Scalar(ScalarKinds::ALL), "the value"), Param { doc: "data type of the result; None: the device's default for the kind of fill_value", ..DTYPE }, DEVICE],
        ShapeRule::Argument,
        "An array filled with one value.",
        "array of the shape and dtype asked for, with fill_value everywhere.",
        ">>> xp.full((2,), 7)\nArray([7, 7], dtype=strictarray.int64)",
    )
    .open(Open::CAST)
    .refuses(&[(&rule::CREATION_CAST, "dtype is of a lesser kind than fill_value")]),
    row(
        "full_like",
        &[LIKE, Param::any("fill_value", Scalar(ScalarKinds::ALL), "the value"), LIKE_DTYPE, LIKE_DEVICE],
        ShapeRule::Same,
        "An array of the shape of x, filled with one value.",
        "array of the shape and dtype asked for, with fill_value everywhere.",
        ">>> xp.full_like(xp.zeros(2), 7)\nArray([7., 7.], dtype=strictarray.float64)",
    )
    .open(Open::CAST)
    .refuses(&[(&rule::CREATION_CAST, "the dtype is of a lesser kind than fill_value")]),
    row(
        "linspace",
        &[
            Param::pos("start", Scalar(ScalarKinds::NUMERIC), "first value"),
            Param::pos("stop", Scalar(ScalarKinds::NUMERIC), "last value, or the end that is not included"),
            Param::any("num", Count, "number of values, 0 or more"),
            Param::kw("dtype", DTypeOrNone(DTypeSet::FLOATING), "floating-point data type of the result; None: the device's default, complex if start or stop is").or("None"),
            DEVICE,
            Param::kw("endpoint", Bool, "whether stop is the last value").or("True"),
        ],
        ShapeRule::Computed,
        "Evenly spaced numbers over an interval.",
        "1-d array of num values, of the data type asked for.",
        ">>> xp.linspace(0, 1, 3)\nArray([0. , 0.5, 1. ], dtype=strictarray.float64)",
    )
    .open(Open::ROUNDING.and(Open::CAST))
    .refuses(&[
        (&rule::SHAPE_TOO_LARGE, "the result is too large for the address space"),
        (&rule::MEMORY, "the result is too large for the memory"),
    ]),
    Function {
        result: ResultDType::Same,
        open: Open::VIEW_OR_COPY,
        ..row(
            "meshgrid",
            &[
                Param::var("arrays", Arrays(DTypeSet::NUMERIC), "1-d arrays of one data type: the coordinates of each axis"),
                Param::kw("indexing", Choice(&["xy", "ij"]), "'xy' swaps the first two axes of the results, 'ij' does not").or("'xy'"),
            ],
            ShapeRule::Computed,
            "Coordinate matrices from coordinate vectors.",
            "tuple of arrays of their data type, one for each argument, with as many axes as there are arguments (a list before 2025.12).",
            ">>> xx, yy = xp.meshgrid(xp.asarray([1, 2]), xp.asarray([3, 4]))\n>>> yy\nArray([[3, 3],\n       [4, 4]], dtype=strictarray.int64)",
        )
    }
    .refuses(&[(&rule::VALUE, "an array is not 1-d"), (&rule::DTYPE_KIND, "the dtypes differ")]),
    row("ones", &[SHAPE, DTYPE, DEVICE], ShapeRule::Argument, "An array of ones.", "array of the shape and dtype asked for, with 1 everywhere.", ">>> xp.ones(2)\nArray([1., 1.], dtype=strictarray.float64)"),
    row("ones_like", &[LIKE, LIKE_DTYPE, LIKE_DEVICE], ShapeRule::Same, "An array of ones of the shape of x.", "array of the shape and dtype asked for, with 1 everywhere.", ">>> xp.ones_like(xp.asarray([5, 6]))\nArray([1, 1], dtype=strictarray.int64)"),
    Function {
        result: ResultDType::Same,
        ..row("tril", &[MATRIX, DIAGONAL], ShapeRule::Same, "The lower triangle of matrices, zeros elsewhere.", "array of the shape and data type of x.", ">>> xp.tril(xp.ones((2, 2), dtype=xp.int8))\nArray([[1, 0],\n       [1, 1]], dtype=strictarray.int8)")
    }
    .refuses(&[(&rule::NDIM_TWO, "x has fewer than two axes")]),
    Function {
        result: ResultDType::Same,
        ..row("triu", &[MATRIX, DIAGONAL], ShapeRule::Same, "The upper triangle of matrices, zeros elsewhere.", "array of the shape and data type of x.", ">>> xp.triu(xp.ones((2, 2), dtype=xp.int8))\nArray([[1, 1],\n       [0, 1]], dtype=strictarray.int8)")
    }
    .refuses(&[(&rule::NDIM_TWO, "x has fewer than two axes")]),
    row("zeros", &[SHAPE, DTYPE, DEVICE], ShapeRule::Argument, "An array of zeros.", "array of the shape and dtype asked for, with 0 everywhere.", ">>> xp.zeros(2)\nArray([0., 0.], dtype=strictarray.float64)"),
    row("zeros_like", &[LIKE, LIKE_DTYPE, LIKE_DEVICE], ShapeRule::Same, "An array of zeros of the shape of x.", "array of the shape and dtype asked for, with 0 everywhere.", ">>> xp.zeros_like(xp.asarray([5, 6]))\nArray([0, 0], dtype=strictarray.int64)"),
];
