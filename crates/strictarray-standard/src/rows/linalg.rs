//! The extension `linalg`.

use super::linear_algebra::{MATMUL, MATRIX_TRANSPOSE, TENSORDOT, VECDOT};
use crate::Version::{V2021_12, V2022_12, V2025_12};
use crate::{Accepts::*, Category, DTypeSet, Function, Open, Param, ResultDType, Rule, ScalarKinds, ShapeRule, rule};

const MATRICES: Param = Param::pos("x", Array(DTypeSet::FLOATING), "matrices, of shape (..., M, N)");
const SQUARE: Param = Param::pos("x", Array(DTypeSet::FLOATING), "square matrices, of shape (..., M, M)");
const HERMITIAN: Param = Param::pos(
    "x",
    Array(DTypeSet::FLOATING),
    "symmetric or Hermitian matrices, of shape (..., M, M); what others give is open (here the lower triangles count)",
);
const KEEPDIMS: Param = Param::kw("keepdims", Bool, "whether reduced axes stay, with size 1").or("False");
const OFFSET: Param =
    Param::kw("offset", Int, "which diagonal: 0 is the main one, positive ones lie above it, negative ones below")
        .or("0");
const RTOL: Param = Param::kw(
    "rtol",
    ArrayOrScalarOrNone(DTypeSet::REAL_FLOATING),
    "singular values up to this times the largest one count as 0; an array broadcasts to the leading axes of x; None: max(M, N) \
     times the eps of the data type of x",
)
.or("None");

const AT_LEAST_2D: (&Rule, &str) = (&rule::NDIM_TWO, "x has fewer than two axes");
const NOT_SQUARE: (&Rule, &str) = (&rule::SQUARE, "the matrices are not square");
const SINGULAR: (&Rule, &str) = (&rule::SINGULAR, "a matrix is singular");
const NOT_FINITE: (&Rule, &str) = (&rule::NOT_FINITE, "a matrix has an element that is NaN or infinite");
const RTOL_VALUE: (&Rule, &str) = (&rule::VALUE, "rtol is negative or NaN");
const RTOL_SHAPE: (&Rule, &str) = (&rule::BROADCAST, "rtol does not broadcast to the leading axes of x");
const NO_ORDER: (&Rule, &str) = (&rule::NORM_ORDER, "ord is not one of these orders");

const NAN_IN: &str = "a matrix with NaN or an infinity gives NaN.";

const fn row(
    name: &'static str,
    params: &'static [Param],
    result: ResultDType,
    summary: &'static str,
    returns: &'static str,
    example: &'static str,
) -> Function {
    Function {
        name,
        category: Category::Linalg,
        params,
        since: V2021_12,
        shape: ShapeRule::Computed,
        result,
        open: Open::ROUNDING,
        refuses: &[AT_LEAST_2D, NOT_SQUARE],
        special: "",
        summary,
        returns,
        example,
    }
}

/// A function of the main namespace, under another name.
const fn alias(name: &'static str, of: Function, example: &'static str) -> Function {
    Function { name, category: Category::Linalg, example, ..of }
}

pub(super) static ROWS: &[Function] = &[
    row(
        "linalg.cholesky",
        &[
            Param::pos(
                "x",
                Array(DTypeSet::FLOATING),
                "positive definite symmetric or Hermitian matrices, of shape (..., M, M); what others give is open (here the triangles \
                 asked for count)",
            ),
            Param::kw("upper", Bool, "whether U of x = Uᴴ U is computed; else L of x = L Lᴴ").or("False"),
        ],
        ResultDType::Same,
        "The Cholesky decompositions of positive definite symmetric or Hermitian matrices.",
        "triangular matrices, of the shape and data type of x.",
        ">>> xp.linalg.cholesky(xp.asarray([[4.0, 2.0], [2.0, 5.0]]))\nArray([[2., 0.],\n       [1., 2.]], dtype=strictarray.float64)",
    )
    .refuses(&[AT_LEAST_2D, NOT_SQUARE, (&rule::NOT_POSITIVE_DEFINITE, "a matrix is not positive definite")]),
    row(
        "linalg.cross",
        &[
            Param::pos("x1", Array(DTypeSet::NUMERIC), "vectors of 3 elements along the axis"),
            Param::pos(
                "x2",
                Array(DTypeSet::NUMERIC),
                "vectors of 3 elements along the axis; the other axes broadcast (before 2022.12: of the shape of x1)",
            ),
            Param::kw("axis", Axis, "axis of the vectors in both, counted from the end: in [-N, -1] for the smaller number of axes N; before 2023.12, of the broadcast shape and in [-N, N)").or("-1"),
        ],
        ResultDType::Promoted,
        "The cross products of vectors.",
        "array of the broadcast shape, and of the data type that both promote to.",
        ">>> xp.linalg.cross(xp.asarray([1, 0, 0]), xp.asarray([0, 1, 0]))\nArray([0, 0, 1], dtype=strictarray.int64)",
    )
    .open(Open::OVERFLOW.and(Open::ROUNDING))
    .refuses(&[
        (&rule::NDIM_ONE, "an array is 0-d"),
        (&rule::CROSS_SIZE, "the axis has another size than 3"),
        (&rule::BROADCAST, "the other axes do not broadcast"),
    ]),
    row(
        "linalg.det",
        &[SQUARE],
        ResultDType::Same,
        "The determinants of square matrices.",
        "array of shape (...) and of the data type of x.",
        ">>> xp.linalg.det(xp.asarray([[2.0, 0.0], [1.0, 3.0]]))\nArray(6., dtype=strictarray.float64)",
    )
    .special("1 for matrices of shape (0, 0); a matrix with NaN or an infinity gives NaN."),
    row(
        "linalg.diagonal",
        &[Param::pos("x", Array(DTypeSet::ALL), "matrices, of shape (..., M, N)"), OFFSET],
        ResultDType::Same,
        "A diagonal of each matrix.",
        "array of shape (..., size of the diagonal) and of the data type of x.",
        ">>> xp.linalg.diagonal(xp.asarray([[1, 2], [3, 4]]))\nArray([1, 4], dtype=strictarray.int64)",
    )
    .open(Open::VIEW_OR_COPY)
    .refuses(&[AT_LEAST_2D]),
    Function {
        since: V2025_12,
        ..row(
            "linalg.eig",
            &[SQUARE],
            ResultDType::Complex,
            "The eigenvalues and eigenvectors of square matrices: x v = λ v.",
            "named tuple of eigenvalues (shape (..., M)) and eigenvectors (the columns of matrices of the shape of x, of length 1), \
             both of the complex data type of the precision of x.",
            ">>> xp.linalg.eig(xp.asarray([[2.0, 0.0], [0.0, 2.0]])).eigenvalues\nArray([2.+0.j, 2.+0.j], dtype=strictarray.complex128)",
        )
    }
    .open(Open::ROUNDING.and(Open::ORDER).and(Open::VECTORS))
    .refuses(&[AT_LEAST_2D, NOT_SQUARE, NOT_FINITE]),
    row(
        "linalg.eigh",
        &[HERMITIAN],
        ResultDType::RealPart,
        "The eigenvalues and eigenvectors of symmetric or Hermitian matrices: x = Q Λ Qᴴ.",
        "named tuple of eigenvalues (shape (..., M), of the real data type of the precision of x) and eigenvectors (the columns of \
         orthogonal or unitary matrices, of the shape and data type of x).",
        ">>> xp.linalg.eigh(xp.asarray([[3.0, 0.0], [0.0, 2.0]])).eigenvalues\nArray([2., 3.], dtype=strictarray.float64)",
    )
    .open(Open::ROUNDING.and(Open::ORDER).and(Open::VECTORS))
    .refuses(&[AT_LEAST_2D, NOT_SQUARE, NOT_FINITE]),
    Function {
        since: V2025_12,
        ..row(
            "linalg.eigvals",
            &[SQUARE],
            ResultDType::Complex,
            "The eigenvalues of square matrices.",
            "array of shape (..., M), of the complex data type of the precision of x.",
            ">>> xp.linalg.eigvals(xp.asarray([[2.0, 0.0], [0.0, 2.0]]))\nArray([2.+0.j, 2.+0.j], dtype=strictarray.complex128)",
        )
    }
    .open(Open::ROUNDING.and(Open::ORDER))
    .refuses(&[AT_LEAST_2D, NOT_SQUARE, NOT_FINITE]),
    row(
        "linalg.eigvalsh",
        &[HERMITIAN],
        ResultDType::RealPart,
        "The eigenvalues of symmetric or Hermitian matrices.",
        "array of shape (..., M), of the real data type of the precision of x.",
        ">>> xp.linalg.eigvalsh(xp.asarray([[3.0, 0.0], [0.0, 2.0]]))\nArray([2., 3.], dtype=strictarray.float64)",
    )
    .open(Open::ROUNDING.and(Open::ORDER))
    .refuses(&[AT_LEAST_2D, NOT_SQUARE, NOT_FINITE]),
    row(
        "linalg.inv",
        &[SQUARE],
        ResultDType::Same,
        "The inverses of square matrices; those of nearly singular ones are far off, and not refused.",
        "array of the shape and data type of x.",
        ">>> xp.linalg.inv(xp.asarray([[2.0, 0.0], [0.0, 4.0]]))\nArray([[0.5 , 0.  ],\n       [0.  , 0.25]], dtype=strictarray.float64)",
    )
    .refuses(&[AT_LEAST_2D, NOT_SQUARE, SINGULAR])
    .special(NAN_IN),
    alias(
        "linalg.matmul",
        MATMUL,
        ">>> xp.linalg.matmul(xp.asarray([[1, 2], [3, 4]]), xp.asarray([1, 1]))\nArray([3, 7], dtype=strictarray.int64)",
    ),
    row(
        "linalg.matrix_norm",
        &[
            MATRICES,
            KEEPDIMS,
            Param::kw(
                "ord",
                ScalarOrChoice(ScalarKinds::REAL, &["fro", "nuc"]),
                "which norm: 'fro' the root of the sum of squares, 'nuc' the sum of the singular values, 2 and -2 the largest and \
                 the smallest one, 1 and -1 the largest and the smallest sum of magnitudes of a column, inf and -inf of a row",
            )
            .or("'fro'"),
        ],
        ResultDType::RealPart,
        "The norms of matrices.",
        "array of shape (...), or (..., 1, 1) with keepdims, of the real data type of the precision of x.",
        ">>> xp.linalg.matrix_norm(xp.asarray([[3.0, 0.0], [0.0, 4.0]]))\nArray(5., dtype=strictarray.float64)",
    )
    .refuses(&[
        AT_LEAST_2D,
        NO_ORDER,
        (&rule::EMPTY, "ord is negative and there are no elements"),
        (&rule::NOT_FINITE, "ord asks for singular values and a matrix has an element that is NaN or infinite"),
    ])
    .special("0 for matrices without elements, where ord is not negative."),
    row(
        "linalg.matrix_power",
        &[SQUARE, Param::pos("n", Int, "the exponent; a negative one stands for powers of the inverse")],
        ResultDType::Same,
        "The powers of square matrices.",
        "array of the shape and data type of x.",
        ">>> xp.linalg.matrix_power(xp.asarray([[1.0, 1.0], [0.0, 1.0]]), 3)\nArray([[1., 3.],\n       [0., 1.]], dtype=strictarray.float64)",
    )
    .refuses(&[AT_LEAST_2D, NOT_SQUARE, (&rule::SINGULAR, "n is negative and a matrix is singular"), (&rule::VALUE, "n is 2**127 - 1 or more in size")])
    .special("the identity where n is 0."),
    row(
        "linalg.matrix_rank",
        &[MATRICES, RTOL],
        ResultDType::Index,
        "The ranks of matrices: how many singular values are not 0.",
        "array of shape (...), of the device's default integer data type.",
        ">>> xp.linalg.matrix_rank(xp.asarray([[1.0, 2.0], [2.0, 4.0]]))\nArray(1, dtype=strictarray.int64)",
    )
    .refuses(&[AT_LEAST_2D, NOT_FINITE, RTOL_VALUE, RTOL_SHAPE]),
    alias(
        "linalg.matrix_transpose",
        MATRIX_TRANSPOSE,
        ">>> xp.linalg.matrix_transpose(xp.zeros((2, 3, 4))).shape\n(2, 4, 3)",
    ),
    row(
        "linalg.outer",
        &[
            Param::pos("x1", Array(DTypeSet::NUMERIC), "vector of N elements"),
            Param::pos("x2", Array(DTypeSet::NUMERIC), "vector of M elements"),
        ],
        ResultDType::Promoted,
        "The outer product of two vectors: each element of one times each of the other.",
        "array of shape (N, M), of the data type that both promote to.",
        ">>> xp.linalg.outer(xp.asarray([1, 2]), xp.asarray([3, 4]))\nArray([[3, 4],\n       [6, 8]], dtype=strictarray.int64)",
    )
    .open(Open::OVERFLOW)
    .refuses(&[
        (&rule::NOT_A_VECTOR, "an array is not 1-d"),
        (&rule::SHAPE_TOO_LARGE, "the result is too large for the address space"),
        (&rule::MEMORY, "the result is too large for the memory"),
    ]),
    row(
        "linalg.pinv",
        &[MATRICES, RTOL],
        ResultDType::Same,
        "The pseudo-inverses (Moore and Penrose) of matrices.",
        "array of shape (..., N, M), of the data type of x.",
        ">>> xp.linalg.pinv(xp.asarray([[2.0, 0.0], [0.0, 0.0]]))\nArray([[0.5, 0. ],\n       [0. , 0. ]], dtype=strictarray.float64)",
    )
    .refuses(&[AT_LEAST_2D, NOT_FINITE, RTOL_VALUE, RTOL_SHAPE]),
    row(
        "linalg.qr",
        &[
            MATRICES,
            Param::kw(
                "mode",
                Choice(&["reduced", "complete"]),
                "whether Q has min(M, N) columns and R as many rows, or M of both",
            )
            .or("'reduced'"),
        ],
        ResultDType::Same,
        "The QR decompositions of matrices: x = Q R.",
        "named tuple of Q (orthonormal columns, of shape (..., M, K)) and R (upper triangles with a real diagonal, of shape \
         (..., K, N)), both of the data type of x; K is min(M, N), or M for 'complete'.",
        ">>> xp.abs(xp.linalg.qr(xp.asarray([[3.0], [4.0]])).R)\nArray([[5.]], dtype=strictarray.float64)",
    )
    .open(Open::ROUNDING.and(Open::VECTORS))
    .refuses(&[AT_LEAST_2D])
    .special(NAN_IN),
    row(
        "linalg.slogdet",
        &[SQUARE],
        ResultDType::Same,
        "The signs of the determinants of square matrices, and the logarithms of their magnitudes.",
        "named tuple of sign (of the data type of x: -1, 0 or 1, or a complex number of magnitude 1) and logabsdet (of the real data \
         type of the precision of x), both of shape (...).",
        ">>> xp.linalg.slogdet(xp.asarray([[2.0, 0.0], [0.0, -0.5]])).sign\nArray(-1., dtype=strictarray.float64)",
    )
    .special("a determinant of 0 has sign 0 and logarithm -inf; a matrix with NaN or an infinity gives NaN."),
    row(
        "linalg.solve",
        &[
            Param::pos("x1", Array(DTypeSet::FLOATING), "square matrices A, of shape (..., M, M)"),
            Param::pos(
                "x2",
                Array(DTypeSet::FLOATING),
                "right-hand sides B: one vector of shape (M,), or matrices of shape (..., M, K), whose leading axes broadcast with \
                 those of x1",
            ),
        ],
        ResultDType::Promoted,
        "The solutions of systems of linear equations: A X = B.",
        "array of shape (..., M) for a vector, else (..., M, K), of the data type that both promote to.",
        ">>> xp.linalg.solve(xp.asarray([[2.0, 0.0], [0.0, 4.0]]), xp.asarray([2.0, 8.0]))\nArray([1., 2.], dtype=strictarray.float64)",
    )
    .refuses(&[
        (&rule::NDIM_TWO, "x1 has fewer than two axes"),
        (&rule::NDIM_ONE, "x2 is 0-d"),
        NOT_SQUARE,
        (&rule::CONTRACTION, "x2 has not as many rows as x1"),
        (&rule::BROADCAST, "the leading axes do not broadcast"),
        SINGULAR,
    ])
    .special(NAN_IN),
    row(
        "linalg.svd",
        &[
            MATRICES,
            Param::kw("full_matrices", Bool, "whether U is (..., M, M) and Vh (..., N, N); else K = min(M, N) columns and rows")
                .or("True"),
        ],
        ResultDType::Same,
        "The singular value decompositions of matrices: x = U S Vh.",
        "named tuple of U (orthonormal columns) and Vh (orthonormal rows), of the data type of x, and between them S (singular \
         values, the largest first, of shape (..., min(M, N)) and of the real data type of the precision of x).",
        ">>> u, s, vh = xp.linalg.svd(xp.asarray([[0.0, 4.0], [3.0, 0.0]]), full_matrices=False)\n>>> xp.matmul(u * s[None, :], vh)\nArray([[0., 4.],\n       [3., 0.]], dtype=strictarray.float64)",
    )
    .open(Open::ROUNDING.and(Open::VECTORS))
    .refuses(&[AT_LEAST_2D, NOT_FINITE]),
    row(
        "linalg.svdvals",
        &[MATRICES],
        ResultDType::RealPart,
        "The singular values of matrices.",
        "array of shape (..., min(M, N)), the largest first, of the real data type of the precision of x.",
        ">>> xp.linalg.svdvals(xp.asarray([[3.0, 0.0], [0.0, 4.0]]))\nArray([4., 3.], dtype=strictarray.float64)",
    )
    .refuses(&[AT_LEAST_2D, NOT_FINITE]),
    alias(
        "linalg.tensordot",
        TENSORDOT,
        ">>> xp.linalg.tensordot(xp.asarray([[1, 2], [3, 4]]), xp.asarray([1, 1]), axes=1)\nArray([3, 7], dtype=strictarray.int64)",
    ),
    row(
        "linalg.trace",
        &[
            Param::pos("x", Array(DTypeSet::NUMERIC), "matrices, of shape (..., M, N)"),
            OFFSET,
            Param::kw(
                "dtype",
                DTypeOrNone(DTypeSet::NUMERIC),
                "data type in which to add, not of a lesser kind than that of x; None: that of x, or the device's default where that is a \
                 wider integer (unsigned as wide)",
            )
            .or("None")
            .since(V2022_12),
        ],
        ResultDType::Accumulated,
        "The sum along a diagonal of each matrix.",
        "array of shape (...), of the data type in which it was added.",
        ">>> xp.linalg.trace(xp.asarray([[1, 2], [3, 4]]))\nArray(5, dtype=strictarray.int64)",
    )
    .open(Open::OVERFLOW.and(Open::ROUNDING))
    .refuses(&[AT_LEAST_2D, (&rule::LOSSY_DTYPE, "dtype is of a lesser kind than x")])
    .special("0 for a diagonal of no elements."),
    alias(
        "linalg.vecdot",
        VECDOT,
        ">>> xp.linalg.vecdot(xp.asarray([1, 2]), xp.asarray([3, 4]))\nArray(11, dtype=strictarray.int64)",
    ),
    Function {
        shape: ShapeRule::Reduced,
        ..row(
            "linalg.vector_norm",
            &[
                Param::pos("x", Array(DTypeSet::FLOATING), "input, of any shape"),
                Param::kw("axis", AxesOrNone, "axis or axes of the vectors, each in [-N, N) for N axes; None: all").or("None"),
                KEEPDIMS,
                Param::kw(
                    "ord",
                    Scalar(ScalarKinds::REAL),
                    "which norm: inf and -inf the largest and the smallest magnitude, 0 the number of elements that are not 0, else \
                     sum(abs(x)**ord)**(1/ord)",
                )
                .or("2"),
            ],
            ResultDType::RealPart,
            "The norms of vectors.",
            "array of the shape of x without the axes of the vectors, and of the real data type of the precision of x.",
            ">>> xp.linalg.vector_norm(xp.asarray([3.0, 4.0]))\nArray(5., dtype=strictarray.float64)",
        )
    }
    .refuses(&[
        (&rule::NORM_ORDER, "ord is NaN"),
        (&rule::EMPTY, "ord is -inf and there are no elements"),
    ])
    .special("0 for no elements, infinity where ord is negative; a NaN gives NaN, but where ord is 0 it counts."),
];
