//! Manipulation functions.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version, rule};

const X: Param = Param::pos("x", Array(DTypeSet::ALL), "array of any shape");
const ARRAYS: Param = Param::pos(
    "arrays",
    ArraySequence(DTypeSet::ALL),
    "one or more arrays on one device, whose data types promote to a common one",
);

const fn row(
    name: &'static str,
    params: &'static [Param],
    summary: &'static str,
    returns: &'static str,
    example: &'static str,
) -> Function {
    Function {
        name,
        category: Category::Manipulation,
        params,
        since: Version::V2021_12,
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

/// A function whose result may share the memory of its argument: here it does, wherever strides can express it.
const fn view(row: Function) -> Function {
    Function { open: Open::VIEW_OR_COPY, ..row }
}

pub(super) static ROWS: &[Function] = &[
    view(row(
        "broadcast_arrays",
        &[Param::var("arrays", Arrays(DTypeSet::ALL), "arrays whose shapes broadcast")],
        "Arrays broadcast against one another.",
        "tuple of arrays of one shape, each with its own data type (a list before 2025.12).",
        ">>> x, y = xp.broadcast_arrays(xp.asarray([1, 2]), xp.asarray([[3], [4]]))\n>>> y\nArray([[3, 3],\n       [4, 4]], dtype=strictarray.int64)",
    ))
    .refuses(&[(&rule::BROADCAST, "the shapes do not broadcast")]),
    Function {
        since: Version::V2025_12,
        shape: ShapeRule::NoArray,
        result: ResultDType::NoArray,
        ..row(
            "broadcast_shapes",
            &[Param::var("shapes", Shapes, "shapes, each a tuple of sizes")],
            "The shape that shapes broadcast to.",
            "tuple of ints; an empty one without arguments.",
            ">>> xp.broadcast_shapes((2, 1), (3,))\n(2, 3)",
        )
    }
    .refuses(&[
        (&rule::SHAPE_TYPE, "a size is not an int"),
        (&rule::SHAPE_NEGATIVE, "a size is negative"),
        (&rule::NDIM, "there are more than 64 axes"),
        (&rule::BROADCAST, "the shapes do not broadcast"),
    ]),
    Function {
        shape: ShapeRule::Argument,
        ..view(row(
            "broadcast_to",
            &[X, Param::any("shape", Sizes, "shape that the array's shape broadcasts to")],
            "An array broadcast to a shape.",
            "array of that shape and the data type of x; read-only where elements are repeated.",
            ">>> xp.broadcast_to(xp.asarray([1, 2]), (2, 2))\nArray([[1, 2],\n       [1, 2]], dtype=strictarray.int64)",
        ))
    }
    .refuses(&[
        (&rule::SHAPE_TYPE, "a size is not an int"),
        (&rule::SHAPE_NEGATIVE, "a size is negative"),
        (&rule::NDIM, "there are more than 64 axes"),
        (&rule::SHAPE_TOO_LARGE, "the result is too large for the address space"),
        (&rule::BROADCAST, "x does not broadcast to the shape"),
    ]),
    Function {
        result: ResultDType::Promoted,
        ..row(
            "concat",
            &[
                ARRAYS,
                Param::kw(
                    "axis",
                    AxisOrNone,
                    "axis along which they are joined, in [-N, N); None: they are flattened first",
                )
                .or("0"),
            ],
            "Arrays joined along an axis that they have; their shapes are equal but for that axis.",
            "array of their shape, but for the axis, and of the data type that they promote to.",
            ">>> xp.concat((xp.asarray([1, 2]), xp.asarray([3])))\nArray([1, 2, 3], dtype=strictarray.int64)",
        )
    }
    .refuses(&[
        (&rule::NOTHING_TO_JOIN, "there are no arrays"),
        (&rule::JOIN_SHAPES, "the shapes differ apart from the axis"),
    ]),
    view(row(
        "expand_dims",
        &[
            X,
            Param::any(
                "axis",
                Axes,
                "places of the new axes in the result, each in [-M, M) for its M axes; a tuple since 2025.12",
            ),
        ],
        "An array with new axes of size 1.",
        "array of the shape of x with the new axes, and of its data type.",
        ">>> xp.expand_dims(xp.asarray([1, 2]), axis=1).shape\n(2, 1)",
    ))
    .refuses(&[(&rule::NDIM, "there are more than 64 axes")]),
    Function {
        shape: ShapeRule::Same,
        ..view(row(
            "flip",
            &[X, Param::kw("axis", AxesOrNone, "axis or axes to reverse, in [-N, N); None: all").or("None")],
            "An array with the order of its elements reversed along axes.",
            "array of the shape and data type of x.",
            ">>> xp.flip(xp.asarray([1, 2, 3]))\nArray([3, 2, 1], dtype=strictarray.int64)",
        ))
    },
    Function {
        since: Version::V2023_12,
        ..view(row(
            "moveaxis",
            &[
                X,
                Param::pos("source", Axes, "axis or axes to move, in [-N, N), each once"),
                Param::pos("destination", Axes, "as many places for them, in [-N, N), each once"),
            ],
            "An array with some axes at other places; the others keep their order.",
            "array of the data type of x; its shape has the sizes of x in the new order.",
            ">>> xp.moveaxis(xp.zeros((2, 3, 4)), 0, -1).shape\n(3, 4, 2)",
        ))
    }
    .refuses(&[(&rule::AXIS_COUNT, "source and destination name different numbers of axes")]),
    view(row(
        "permute_dims",
        &[X, Param::any("axes", AllAxes, "all axes of x in their new order, in [-N, N); negative ones since 2025.12")],
        "An array with its axes in another order.",
        "array of the data type of x; its shape has the sizes of x in the new order.",
        ">>> xp.permute_dims(xp.zeros((2, 3, 4)), (2, 0, 1)).shape\n(4, 2, 3)",
    ))
    .refuses(&[(&rule::AXIS_COUNT, "axes does not name every axis")]),
    Function {
        since: Version::V2023_12,
        ..row(
            "repeat",
            &[
                X,
                Param::pos(
                    "repeats",
                    CountOrArray(DTypeSet::INTEGER),
                    "how often each element is repeated: an int, or a 1-d array with one count, or as many as the axis has elements",
                ),
                Param::kw(
                    "axis",
                    AxisOrNone,
                    "axis along which elements are repeated, in [-N, N); None: x is flattened first",
                )
                .or("None"),
            ],
            "An array with each element repeated.",
            "array of the data type of x, and of its shape but for the axis.",
            ">>> xp.repeat(xp.asarray([1, 2]), 2)\nArray([1, 1, 2, 2], dtype=strictarray.int64)",
        )
    }
    .refuses(&[
        (&rule::REPETITIONS, "a count is negative, or their number does not fit the axis"),
        (&rule::NOT_A_VECTOR, "the array of counts is not 1-d"),
        (&rule::SHAPE_TOO_LARGE, "the result is too large for the address space"),
        (&rule::MEMORY, "the result is too large for the memory"),
        (&rule::FLAG_OFF, "repeats is an array and the flag data_dependent_shapes is off"),
    ]),
    Function {
        shape: ShapeRule::Argument,
        ..view(row(
            "reshape",
            &[
                X,
                Param::any("shape", Ints, "new shape of as many elements; one size may be -1 and is inferred"),
                Param::kw(
                    "copy",
                    BoolOrNone,
                    "True: always copy; False: never, ValueError where it would be needed; None: only then",
                )
                .or("None"),
            ],
            "An array with its elements, in C order, in another shape.",
            "array of that shape and of the data type of x.",
            ">>> xp.reshape(xp.arange(4), (2, -1))\nArray([[0, 1],\n       [2, 3]], dtype=strictarray.int64)",
        ))
    }
    .refuses(&[
        (&rule::NOT_AN_INT, "a size is not an int"),
        (&rule::RESHAPE_SIZE, "the new shape has another number of elements"),
        (&rule::RESHAPE_INFER, "a size is negative, but for one -1 that can be inferred"),
        (&rule::NDIM, "there are more than 64 axes"),
        (&rule::COPY_NEEDED, "copy is False and a copy is needed"),
    ]),
    Function {
        shape: ShapeRule::Same,
        ..row(
            "roll",
            &[
                X,
                Param::any(
                    "shift",
                    IntOrInts,
                    "by how many places, towards larger indices; a tuple: one for each axis",
                ),
                Param::kw(
                    "axis",
                    AxesOrNone,
                    "axis or axes to shift along, in [-N, N); None: along the flattened array",
                )
                .or("None"),
            ],
            "An array with its elements shifted along axes; those that leave at one end come back at the other.",
            "array of the shape and data type of x.",
            ">>> xp.roll(xp.asarray([1, 2, 3]), 1)\nArray([3, 1, 2], dtype=strictarray.int64)",
        )
    }
    .refuses(&[
        (&rule::AXIS_COUNT, "shift and axis are tuples of different lengths, or shift is a tuple and axis None"),
    ]),
    view(row(
        "squeeze",
        &[X, Param::any("axis", Axes, "axis or axes of size 1 to take away, in [-N, N)")],
        "An array without some of its axes of size 1.",
        "array of the shape of x without these axes, and of its data type.",
        ">>> xp.squeeze(xp.zeros((1, 2, 1)), axis=0).shape\n(2, 1)",
    ))
    .refuses(&[(&rule::SQUEEZE_SIZE, "an axis does not have size 1")]),
    Function {
        result: ResultDType::Promoted,
        ..row(
            "stack",
            &[
                ARRAYS,
                Param::kw("axis", Axis, "place of the new axis in the result, in [-M, M) for its M axes").or("0"),
            ],
            "Arrays of one shape joined along a new axis.",
            "array of the data type that they promote to, with one more axis.",
            ">>> xp.stack([xp.asarray([1, 2]), xp.asarray([3, 4])], axis=1)\nArray([[1, 3],\n       [2, 4]], dtype=strictarray.int64)",
        )
    }
    .refuses(&[
        (&rule::NOTHING_TO_JOIN, "there are no arrays"),
        (&rule::JOIN_SHAPES, "the shapes differ"),
        (&rule::NDIM, "there are more than 64 axes"),
    ]),
    Function {
        since: Version::V2023_12,
        ..row(
            "tile",
            &[
                X,
                Param::pos(
                    "repetitions",
                    Sizes,
                    "how often x is repeated along each axis; ones are prepended to it, or axes to x, where one is shorter",
                ),
            ],
            "An array made of copies of another, side by side along each axis.",
            "array of the shape of x, each size times its repetitions, and of the data type of x.",
            ">>> xp.tile(xp.asarray([1, 2]), (2,))\nArray([1, 2, 1, 2], dtype=strictarray.int64)",
        )
    }
    .refuses(&[
        (&rule::NOT_AN_INT, "a repetition is not an int"),
        (&rule::REPETITIONS, "a repetition is negative"),
        (&rule::NDIM, "there are more than 64 axes"),
        (&rule::SHAPE_TOO_LARGE, "the result is too large for the address space"),
        (&rule::MEMORY, "the result is too large for the memory"),
    ]),
    Function {
        since: Version::V2023_12,
        ..view(row(
            "unstack",
            &[X, Param::kw("axis", Axis, "axis along which x is split, in [-N, N)").or("0")],
            "An array split along an axis, which goes away.",
            "tuple of as many arrays as the axis has elements, of the shape of x without the axis and of its data type.",
            ">>> xp.unstack(xp.asarray([[1, 2], [3, 4]]))[1]\nArray([3, 4], dtype=strictarray.int64)",
        ))
    },
];
