//! Data type functions.

use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, ShapeRule, Version, rule};

const fn row(
    name: &'static str,
    params: &'static [Param],
    summary: &'static str,
    returns: &'static str,
    example: &'static str,
) -> Function {
    Function {
        name,
        category: Category::DataType,
        params,
        since: Version::V2021_12,
        shape: ShapeRule::NoArray,
        result: ResultDType::NoArray,
        open: Open::NOTHING,
        refuses: &[],
        special: "",
        summary,
        returns,
        example,
    }
}

pub(super) static ROWS: &[Function] = &[
    Function {
        shape: ShapeRule::Same,
        result: ResultDType::Argument,
        open: Open::CAST,
        ..row(
            "astype",
            &[
                Param::pos("x", Array(DTypeSet::ALL), "array to cast"),
                Param::pos("dtype", DType(DTypeSet::ALL), "data type of the result; not real for complex x"),
                Param::kw("copy", Bool, "False: return x itself if it has the data type and the device already")
                    .or("True"),
                Param::kw("device", DeviceOrNone, "where the result is placed; None: where x is")
                    .or("None")
                    .since(Version::V2023_12),
            ],
            "Cast an array to a data type, whatever type promotion says; complex to real is refused.",
            "array of the shape of x and of the data type dtype.",
            ">>> xp.astype(xp.asarray([1.7, -1.7]), xp.int8)\nArray([ 1, -1], dtype=strictarray.int8)",
        )
    }
    .refuses(&[(&rule::CAST, "x is complex and dtype is real")])
    .special(
        "bool of NaN is True; numbers of bool are 0 and 1; the fraction is cut off in casts from floating-point to \
         integer dtypes.",
    ),
    row(
        "can_cast",
        &[
            Param::pos("from_", ArrayOrDType(DTypeSet::ALL), "array or data type to cast from"),
            Param::pos("to", DType(DTypeSet::ALL), "data type to cast to"),
        ],
        "Whether one data type can be cast to another by type promotion.",
        "bool; for an array by the promotion graph of its device, for a dtype by the whole one.",
        ">>> xp.can_cast(xp.int8, xp.int16)\nTrue",
    ),
    row(
        "finfo",
        &[Param::pos("type", ArrayOrDType(DTypeSet::FLOATING), "floating-point array or data type")],
        "Machine limits of a floating-point data type.",
        "object with bits, eps, max, min, smallest_normal (Python scalars) and dtype (the real data type).",
        ">>> xp.finfo(xp.float32).bits\n32",
    ),
    row(
        "iinfo",
        &[Param::pos("type", ArrayOrDType(DTypeSet::INTEGER), "integer array or data type")],
        "Machine limits of an integer data type.",
        "object with bits, max, min (Python ints) and dtype.",
        ">>> xp.iinfo(xp.int8).max\n127",
    ),
    Function {
        since: Version::V2022_12,
        ..row(
            "isdtype",
            &[
                Param::any("dtype", DType(DTypeSet::ALL), "data type to look at"),
                Param::any(
                    "kind",
                    DTypeKinds,
                    "'bool', 'signed integer', 'unsigned integer', 'integral', 'real floating', 'complex floating', 'numeric', a dtype, or a tuple of these",
                ),
            ],
            "Whether a data type is of a kind.",
            "bool.",
            ">>> xp.isdtype(xp.int8, 'integral')\nTrue",
        )
    },
    row(
        "result_type",
        &[Param::var(
            "arrays_and_dtypes",
            ArraysOrDTypes,
            "arrays, dtypes and (since 2024.12) Python scalars beside at least one of the former",
        )],
        "The data type that the arguments promote to.",
        "dtype.",
        ">>> xp.result_type(xp.int8, xp.uint8)\nstrictarray.int16",
    )
    .refuses(&[
        (&rule::PROMOTION_EMPTY, "there is neither an array nor a dtype"),
        (&rule::PROMOTION, "the dtypes do not promote to a common one"),
        (&rule::SCALAR_KIND, "a Python scalar is not of the kind of the dtype"),
        (&rule::SCALAR_RANGE, "a Python scalar is out of the range of the dtype"),
    ]),
];
