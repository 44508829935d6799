"""Linear algebra: an extension of the array API standard."""

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Literal

from ._results import EighResult, EigResult, QRResult, SlogdetResult, SVDResult
from ._strictarray import Array, DType

# --- generated from the rows of strictarray-standard: edit those, not this

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]

def cholesky(x: Array, /, *, upper: _bool = False) -> Array:
    """The Cholesky decompositions of positive definite symmetric or Hermitian matrices.

    Parameters
    ----------
    x : array (floating-point dtype)
        positive definite symmetric or Hermitian matrices, of shape (..., M, M); what others give is open (here the
        triangles asked for count)
    upper : bool
        whether U of x = Uᴴ U is computed; else L of x = L Lᴴ

    Returns
    -------
    triangular matrices, of the shape and data type of x.
    """

def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """The cross products of vectors.

    Parameters
    ----------
    x1 : array (numeric dtype)
        vectors of 3 elements along the axis
    x2 : array (numeric dtype)
        vectors of 3 elements along the axis; the other axes broadcast (before 2022.12: of the shape of x1)
    axis : int
        axis of the vectors in both, counted from the end: in [-N, -1] for the smaller number of axes N; before 2023.12,
        of the broadcast shape and in [-N, N)

    Returns
    -------
    array of the broadcast shape, and of the data type that both promote to.
    """

def det(x: Array, /) -> Array:
    """The determinants of square matrices.

    Parameters
    ----------
    x : array (floating-point dtype)
        square matrices, of shape (..., M, M)

    Returns
    -------
    array of shape (...) and of the data type of x.
    """

def diagonal(x: Array, /, *, offset: int = 0) -> Array:
    """A diagonal of each matrix.

    Parameters
    ----------
    x : array (any dtype)
        matrices, of shape (..., M, N)
    offset : int
        which diagonal: 0 is the main one, positive ones lie above it, negative ones below

    Returns
    -------
    array of shape (..., size of the diagonal) and of the data type of x.
    """

def eig(x: Array, /) -> EigResult:
    """The eigenvalues and eigenvectors of square matrices: x v = λ v.

    Parameters
    ----------
    x : array (floating-point dtype)
        square matrices, of shape (..., M, M)

    Returns
    -------
    named tuple of eigenvalues (shape (..., M)) and eigenvectors (the columns of matrices of the shape of x, of length
    1), both of the complex data type of the precision of x.
    """

def eigh(x: Array, /) -> EighResult:
    """The eigenvalues and eigenvectors of symmetric or Hermitian matrices: x = Q Λ Qᴴ.

    Parameters
    ----------
    x : array (floating-point dtype)
        symmetric or Hermitian matrices, of shape (..., M, M); what others give is open (here the lower triangles count)

    Returns
    -------
    named tuple of eigenvalues (shape (..., M), of the real data type of the precision of x) and eigenvectors (the
    columns of orthogonal or unitary matrices, of the shape and data type of x).
    """

def eigvals(x: Array, /) -> Array:
    """The eigenvalues of square matrices.

    Parameters
    ----------
    x : array (floating-point dtype)
        square matrices, of shape (..., M, M)

    Returns
    -------
    array of shape (..., M), of the complex data type of the precision of x.
    """

def eigvalsh(x: Array, /) -> Array:
    """The eigenvalues of symmetric or Hermitian matrices.

    Parameters
    ----------
    x : array (floating-point dtype)
        symmetric or Hermitian matrices, of shape (..., M, M); what others give is open (here the lower triangles count)

    Returns
    -------
    array of shape (..., M), of the real data type of the precision of x.
    """

def inv(x: Array, /) -> Array:
    """The inverses of square matrices; those of nearly singular ones are far off, and not refused.

    Parameters
    ----------
    x : array (floating-point dtype)
        square matrices, of shape (..., M, M)

    Returns
    -------
    array of the shape and data type of x.
    """

def matmul(x1: Array, x2: Array, /) -> Array:
    """The matrix product; leading axes broadcast, a vector counts as a row on the left and as a column on the right.

    Parameters
    ----------
    x1 : array (numeric dtype)
        matrices of shape (..., M, K), or a vector of shape (K,)
    x2 : array (numeric dtype)
        matrices of shape (..., K, N), or a vector of shape (K,)

    Returns
    -------
    array of shape (..., M, N), without the axis of a vector, and of the data type that both promote to.
    """

def matrix_norm(x: Array, /, *, keepdims: _bool = False, ord: float | Literal["fro", "nuc"] = "fro") -> Array:
    """The norms of matrices.

    Parameters
    ----------
    x : array (floating-point dtype)
        matrices, of shape (..., M, N)
    keepdims : bool
        whether reduced axes stay, with size 1
    ord : Python scalar (int, float) or "fro" or "nuc"
        which norm: 'fro' the root of the sum of squares, 'nuc' the sum of the singular values, 2 and -2 the largest and
        the smallest one, 1 and -1 the largest and the smallest sum of magnitudes of a column, inf and -inf of a row

    Returns
    -------
    array of shape (...), or (..., 1, 1) with keepdims, of the real data type of the precision of x.
    """

def matrix_power(x: Array, n: int, /) -> Array:
    """The powers of square matrices.

    Parameters
    ----------
    x : array (floating-point dtype)
        square matrices, of shape (..., M, M)
    n : int
        the exponent; a negative one stands for powers of the inverse

    Returns
    -------
    array of the shape and data type of x.
    """

def matrix_rank(x: Array, /, *, rtol: Array | float | None = None) -> Array:
    """The ranks of matrices: how many singular values are not 0.

    Parameters
    ----------
    x : array (floating-point dtype)
        matrices, of shape (..., M, N)
    rtol : array (real floating-point dtype), Python scalar or None
        singular values up to this times the largest one count as 0; an array broadcasts to the leading axes of x; None:
        max(M, N) times the eps of the data type of x

    Returns
    -------
    array of shape (...), of the device's default integer data type.
    """

def matrix_transpose(x: Array, /) -> Array:
    """The transposes of matrices.

    Parameters
    ----------
    x : array (any dtype)
        matrices, of shape (..., M, N)

    Returns
    -------
    array of shape (..., N, M) and of the data type of x.
    """

def outer(x1: Array, x2: Array, /) -> Array:
    """The outer product of two vectors: each element of one times each of the other.

    Parameters
    ----------
    x1 : array (numeric dtype)
        vector of N elements
    x2 : array (numeric dtype)
        vector of M elements

    Returns
    -------
    array of shape (N, M), of the data type that both promote to.
    """

def pinv(x: Array, /, *, rtol: Array | float | None = None) -> Array:
    """The pseudo-inverses (Moore and Penrose) of matrices.

    Parameters
    ----------
    x : array (floating-point dtype)
        matrices, of shape (..., M, N)
    rtol : array (real floating-point dtype), Python scalar or None
        singular values up to this times the largest one count as 0; an array broadcasts to the leading axes of x; None:
        max(M, N) times the eps of the data type of x

    Returns
    -------
    array of shape (..., N, M), of the data type of x.
    """

def qr(x: Array, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """The QR decompositions of matrices: x = Q R.

    Parameters
    ----------
    x : array (floating-point dtype)
        matrices, of shape (..., M, N)
    mode : "reduced" or "complete"
        whether Q has min(M, N) columns and R as many rows, or M of both

    Returns
    -------
    named tuple of Q (orthonormal columns, of shape (..., M, K)) and R (upper triangles with a real diagonal, of shape
    (..., K, N)), both of the data type of x; K is min(M, N), or M for 'complete'.
    """

def slogdet(x: Array, /) -> SlogdetResult:
    """The signs of the determinants of square matrices, and the logarithms of their magnitudes.

    Parameters
    ----------
    x : array (floating-point dtype)
        square matrices, of shape (..., M, M)

    Returns
    -------
    named tuple of sign (of the data type of x: -1, 0 or 1, or a complex number of magnitude 1) and logabsdet (of the
    real data type of the precision of x), both of shape (...).
    """

def solve(x1: Array, x2: Array, /) -> Array:
    """The solutions of systems of linear equations: A X = B.

    Parameters
    ----------
    x1 : array (floating-point dtype)
        square matrices A, of shape (..., M, M)
    x2 : array (floating-point dtype)
        right-hand sides B: one vector of shape (M,), or matrices of shape (..., M, K), whose leading axes broadcast
        with those of x1

    Returns
    -------
    array of shape (..., M) for a vector, else (..., M, K), of the data type that both promote to.
    """

def svd(x: Array, /, *, full_matrices: _bool = True) -> SVDResult:
    """The singular value decompositions of matrices: x = U S Vh.

    Parameters
    ----------
    x : array (floating-point dtype)
        matrices, of shape (..., M, N)
    full_matrices : bool
        whether U is (..., M, M) and Vh (..., N, N); else K = min(M, N) columns and rows

    Returns
    -------
    named tuple of U (orthonormal columns) and Vh (orthonormal rows), of the data type of x, and between them S
    (singular values, the largest first, of shape (..., min(M, N)) and of the real data type of the precision of x).
    """

def svdvals(x: Array, /) -> Array:
    """The singular values of matrices.

    Parameters
    ----------
    x : array (floating-point dtype)
        matrices, of shape (..., M, N)

    Returns
    -------
    array of shape (..., min(M, N)), the largest first, of the real data type of the precision of x.
    """

def tensordot(x1: Array, x2: Array, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Array:
    """The sum of products over pairs of axes of the same size.

    Parameters
    ----------
    x1 : array (numeric dtype)
        array of any shape
    x2 : array (numeric dtype)
        array of any shape
    axes : int or tuple of two sequences of ints
        number of axes to contract, the last of x1 with the first of x2; or the axes of x1 and those of x2 as two
        sequences, negative ones since 2023.12

    Returns
    -------
    array of the data type that both promote to; its axes are those of x1 that are not contracted, then those of x2.
    """

def trace(x: Array, /, *, offset: int = 0, dtype: DType | None = None) -> Array:
    """The sum along a diagonal of each matrix.

    Parameters
    ----------
    x : array (numeric dtype)
        matrices, of shape (..., M, N)
    offset : int
        which diagonal: 0 is the main one, positive ones lie above it, negative ones below
    dtype : dtype (numeric) or None
        data type in which to add, not of a lesser kind than that of x; None: that of x, or the device's default where
        that is a wider integer (unsigned as wide) (since 2022.12)

    Returns
    -------
    array of shape (...), of the data type in which it was added.
    """

def vecdot(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """The dot products of vectors.

    Parameters
    ----------
    x1 : array (numeric dtype)
        vectors along the axis; complex ones are conjugated
    x2 : array (numeric dtype)
        vectors of the same size along the axis; the other axes broadcast
    axis : int
        axis of the vectors in both, counted from the end: in [-N, -1] for the smaller number of axes N; before 2023.12,
        of the broadcast shape and in [-N, N)

    Returns
    -------
    array of the broadcast shape without the axis, and of the data type that both promote to.
    """

def vector_norm(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: _bool = False,
    ord: float = 2,
) -> Array:
    """The norms of vectors.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape
    axis : int, tuple of ints, or None
        axis or axes of the vectors, each in [-N, N) for N axes; None: all
    keepdims : bool
        whether reduced axes stay, with size 1
    ord : Python scalar (int, float)
        which norm: inf and -inf the largest and the smallest magnitude, 0 the number of elements that are not 0, else
        sum(abs(x)**ord)**(1/ord)

    Returns
    -------
    array of the shape of x without the axes of the vectors, and of the real data type of the precision of x.
    """

# --- end of what is generated
