"""A strict, minimal implementation of the Python array API standard.

What works here is what the standard guarantees; what it leaves open is refused, with the rule and the portable way to
write it. Import it as ``import strictarray as xp``.
"""

from builtins import bool as _bool
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, Protocol, TypedDict, overload, type_check_only

from typing_extensions import Buffer

from . import fft as fft
from . import linalg as linalg
from ._results import UniqueAllResult, UniqueCountsResult, UniqueInverseResult
from ._strictarray import (
    Array,
    ArrayAPIStrictFlags,
    Device,
    DType,
    NamespaceInfo,
    _Kind,
    finfo_object,
    iinfo_object,
)

@type_check_only
class _Nested(Protocol):
    """A (nested) sequence of Python scalars; a str is none, because it can't be asked whether it contains an object."""

    def __len__(self, /) -> int: ...
    def __iter__(self, /) -> Iterator[complex | _Nested]: ...
    def __getitem__(self, index: int, /) -> complex | _Nested: ...
    def __contains__(self, value: object, /) -> _bool: ...
    def count(self, value: Any, /) -> int: ...
    def index(self, value: Any, /) -> int: ...

@type_check_only
class _SupportsDLPack(Protocol):
    """An array of any library, as DLPack knows it."""

    def __dlpack__(self, /, *, stream: None = None) -> object: ...
    def __dlpack_device__(self, /) -> tuple[int, int]: ...

@type_check_only
class _Flags(TypedDict):
    api_version: str
    boolean_indexing: _bool
    data_dependent_shapes: _bool
    enabled_extensions: tuple[str, ...]

__version__: str
__array_api_version__: str

# Constants
e: float
inf: float
nan: float
newaxis: None
pi: float

# Data types
bool: DType
int8: DType
int16: DType
int32: DType
int64: DType
uint8: DType
uint16: DType
uint32: DType
uint64: DType
float32: DType
float64: DType
complex64: DType
complex128: DType

# Devices
CPU_DEVICE: Device
ALL_DEVICES: tuple[Device, ...]

# Flags
def set_array_api_strict_flags(
    *,
    api_version: str | None = None,
    boolean_indexing: _bool | None = None,
    data_dependent_shapes: _bool | None = None,
    enabled_extensions: Iterable[str] | None = None,
) -> None:
    """Set flags: process-wide, or inside an `ArrayAPIStrictFlags` block for that block."""

def get_array_api_strict_flags() -> _Flags:
    """The flags in force, as a dict."""

def reset_array_api_strict_flags() -> None:
    """Set all flags to their defaults: process-wide, or inside an `ArrayAPIStrictFlags` block for that block."""

# --- generated from the rows of strictarray-standard: edit those, not this

__all__ = [
    "ALL_DEVICES",
    "CPU_DEVICE",
    "ArrayAPIStrictFlags",
    "Device",
    "__array_namespace_info__",
    "abs",
    "acos",
    "acosh",
    "add",
    "all",
    "any",
    "arange",
    "argmax",
    "argmin",
    "argsort",
    "asarray",
    "asin",
    "asinh",
    "astype",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "bool",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "can_cast",
    "ceil",
    "clip",
    "complex64",
    "complex128",
    "concat",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "count_nonzero",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "divide",
    "e",
    "empty",
    "empty_like",
    "equal",
    "exp",
    "expand_dims",
    "expm1",
    "eye",
    "fft",
    "finfo",
    "flip",
    "float32",
    "float64",
    "floor",
    "floor_divide",
    "from_dlpack",
    "full",
    "full_like",
    "get_array_api_strict_flags",
    "greater",
    "greater_equal",
    "hypot",
    "iinfo",
    "imag",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "isdtype",
    "isfinite",
    "isin",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "linalg",
    "linspace",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matmul",
    "matrix_transpose",
    "max",
    "maximum",
    "mean",
    "meshgrid",
    "min",
    "minimum",
    "moveaxis",
    "multiply",
    "nan",
    "negative",
    "newaxis",
    "nextafter",
    "nonzero",
    "not_equal",
    "ones",
    "ones_like",
    "permute_dims",
    "pi",
    "positive",
    "pow",
    "prod",
    "real",
    "reciprocal",
    "remainder",
    "repeat",
    "reset_array_api_strict_flags",
    "reshape",
    "result_type",
    "roll",
    "round",
    "searchsorted",
    "set_array_api_strict_flags",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sort",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "subtract",
    "sum",
    "take",
    "take_along_axis",
    "tan",
    "tanh",
    "tensordot",
    "tile",
    "tril",
    "triu",
    "trunc",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "unstack",
    "var",
    "vecdot",
    "where",
    "zeros",
    "zeros_like",
]

def __array_namespace_info__() -> NamespaceInfo:
    """What this namespace can do: its devices, data types, defaults and optional features.

    Returns
    -------
    object with capabilities(), default_device(), default_dtypes(device=), devices() and dtypes(device=, kind=).
    """

def abs(x: Array, /) -> Array:
    """The absolute value; of a complex number its modulus.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape

    Returns
    -------
    array of the shape of x; of the data type of its parts, if it is complex, else of its own.
    """

def acos(x: Array, /) -> Array:
    """The angle in [0, pi] whose cosine is x; NaN outside [-1, 1], where a complex number has one of its own.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def acosh(x: Array, /) -> Array:
    """The inverse hyperbolic cosine, which is not negative; NaN below 1.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

@overload
def add(x1: Array, x2: Array | complex, /) -> Array:
    """The sum.

    Parameters
    ----------
    x1 : array (numeric dtype) or Python scalar
        first input, of any shape
    x2 : array (numeric dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def add(x1: complex, x2: Array, /) -> Array: ...
def all(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> Array:
    """Whether no element is zero; a complex number is zero if both parts are.

    Parameters
    ----------
    x : array (any dtype)
        input, of any shape
    axis : int, tuple of ints, or None
        axis or axes to reduce, each in [-N, N) for N axes; None: all
    keepdims : bool
        whether reduced axes stay, with size 1

    Returns
    -------
    array of bool of the shape of x without the reduced axes.
    """

def any(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> Array:
    """Whether an element is not zero; a complex number is zero if both parts are.

    Parameters
    ----------
    x : array (any dtype)
        input, of any shape
    axis : int, tuple of ints, or None
        axis or axes to reduce, each in [-N, N) for N axes; None: all
    keepdims : bool
        whether reduced axes stay, with size 1

    Returns
    -------
    array of bool of the shape of x without the reduced axes.
    """

def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: DType | None = None,
    device: Device | None = None,
) -> Array:
    """Evenly spaced values in the half-open interval [start, stop).

    Parameters
    ----------
    start : Python scalar (int, float)
        first value; the end, if stop is None
    stop : Python scalar (int, float) or None
        end, not included
    step : Python scalar (int, float)
        distance of two values, not 0
    dtype : dtype (real numeric) or None
        data type of the result; None: the default integer dtype if all are int, else the default real floating-point
        one
    device : device or None
        where the result is placed; None: the default device

    Returns
    -------
    1-d array of ceil((stop - start) / step) values, none if that is negative; of the data type asked for.
    """

def argmax(x: Array, /, *, axis: int | None = None, keepdims: _bool = False) -> Array:
    """The index of the first of the largest elements, or of the first NaN. No elements are refused.

    Parameters
    ----------
    x : array (real numeric dtype)
        input, of any shape
    axis : int or None
        axis to search along; None: x flattened in C order
    keepdims : bool
        whether reduced axes stay, with size 1

    Returns
    -------
    array of the default index data type, of the shape of x without the axis.
    """

def argmin(x: Array, /, *, axis: int | None = None, keepdims: _bool = False) -> Array:
    """The index of the first of the smallest elements, or of the first NaN. No elements are refused.

    Parameters
    ----------
    x : array (real numeric dtype)
        input, of any shape
    axis : int or None
        axis to search along; None: x flattened in C order
    keepdims : bool
        whether reduced axes stay, with size 1

    Returns
    -------
    array of the default index data type, of the shape of x without the axis.
    """

def argsort(x: Array, /, *, axis: int = -1, descending: _bool = False, stable: _bool = True) -> Array:
    """The indices that sort an array along an axis; NaNs count as greater than all numbers, both zeros as equal.

    Parameters
    ----------
    x : array (real numeric dtype)
        array of at least one axis
    axis : int
        axis along which to sort
    descending : bool
        whether the greatest comes first
    stable : bool
        whether equal elements must keep their order; here they always do

    Returns
    -------
    array of the shape of x and the default data type of indices.
    """

def asarray(
    obj: Array | complex | _Nested | Buffer,
    /,
    *,
    dtype: DType | None = None,
    device: Device | None = None,
    copy: _bool | None = None,
) -> Array:
    """Convert an array, a Python scalar, a (nested) sequence of Python scalars, or a buffer to an array.

    Parameters
    ----------
    obj : array, Python scalar, (nested) sequence of Python scalars, or buffer
        what is converted
    dtype : dtype (any) or None
        data type of the result; None: that of obj, or inferred from its scalars
    device : device or None
        where the result is placed; None: that of obj, or the default device
    copy : bool or None
        True: always copy; False: never; None: only where memory can't be shared

    Returns
    -------
    array of the shape of obj, with its data, in the data type asked for.
    """

def asin(x: Array, /) -> Array:
    """The angle in [-pi/2, pi/2] whose sine is x; NaN outside [-1, 1], where a complex number has one of its own.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def asinh(x: Array, /) -> Array:
    """The inverse hyperbolic sine.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def astype(x: Array, dtype: DType, /, *, copy: _bool = True, device: Device | None = None) -> Array:
    """Cast an array to a data type, whatever type promotion says; complex to real is refused.

    Parameters
    ----------
    x : array (any dtype)
        array to cast
    dtype : dtype (any)
        data type of the result; not real for complex x
    copy : bool
        False: return x itself if it has the data type and the device already
    device : device or None
        where the result is placed; None: where x is (since 2023.12)

    Returns
    -------
    array of the shape of x and of the data type dtype.
    """

def atan(x: Array, /) -> Array:
    """The angle in [-pi/2, pi/2] whose tangent is x.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

@overload
def atan2(x1: Array, x2: Array | float, /) -> Array:
    """The angle in [-pi, pi] of the point with the ordinate x1 and the abscissa x2; the signs of zeros count.

    Parameters
    ----------
    x1 : array (real floating-point dtype) or Python scalar
        first input, of any shape
    x2 : array (real floating-point dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def atan2(x1: float, x2: Array, /) -> Array: ...
def atanh(x: Array, /) -> Array:
    """The inverse hyperbolic tangent: infinite at -1 and 1, NaN beyond.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

@overload
def bitwise_and(x1: Array, x2: Array | int, /) -> Array:
    """The bitwise AND.

    Parameters
    ----------
    x1 : array (integer or boolean dtype) or Python scalar
        first input, of any shape
    x2 : array (integer or boolean dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def bitwise_and(x1: int, x2: Array, /) -> Array: ...
def bitwise_invert(x: Array, /) -> Array:
    """Every bit inverted; of bool the logical NOT.

    Parameters
    ----------
    x : array (integer or boolean dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

@overload
def bitwise_left_shift(x1: Array, x2: Array | int, /) -> Array:
    """The bits of x1 shifted left by x2, which must be in [0, width).

    Parameters
    ----------
    x1 : array (integer dtype) or Python scalar
        first input, of any shape
    x2 : array (integer dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def bitwise_left_shift(x1: int, x2: Array, /) -> Array: ...
@overload
def bitwise_or(x1: Array, x2: Array | int, /) -> Array:
    """The bitwise OR.

    Parameters
    ----------
    x1 : array (integer or boolean dtype) or Python scalar
        first input, of any shape
    x2 : array (integer or boolean dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def bitwise_or(x1: int, x2: Array, /) -> Array: ...
@overload
def bitwise_right_shift(x1: Array, x2: Array | int, /) -> Array:
    """The bits of x1 shifted right by x2, which must be in [0, width); the sign is kept.

    Parameters
    ----------
    x1 : array (integer dtype) or Python scalar
        first input, of any shape
    x2 : array (integer dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def bitwise_right_shift(x1: int, x2: Array, /) -> Array: ...
@overload
def bitwise_xor(x1: Array, x2: Array | int, /) -> Array:
    """The bitwise exclusive OR.

    Parameters
    ----------
    x1 : array (integer or boolean dtype) or Python scalar
        first input, of any shape
    x2 : array (integer or boolean dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def bitwise_xor(x1: int, x2: Array, /) -> Array: ...
def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]:
    """Arrays broadcast against one another.

    Parameters
    ----------
    *arrays : arrays (any dtype)
        arrays whose shapes broadcast

    Returns
    -------
    tuple of arrays of one shape, each with its own data type (a list before 2025.12).
    """

def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that shapes broadcast to.

    Parameters
    ----------
    *shapes : tuples of ints
        shapes, each a tuple of sizes

    Returns
    -------
    tuple of ints; an empty one without arguments.
    """

def broadcast_to(x: Array, /, shape: tuple[int, ...]) -> Array:
    """An array broadcast to a shape.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape
    shape : tuple of ints
        shape that the array's shape broadcasts to

    Returns
    -------
    array of that shape and the data type of x; read-only where elements are repeated.
    """

def can_cast(from_: Array | DType, to: DType, /) -> _bool:
    """Whether one data type can be cast to another by type promotion.

    Parameters
    ----------
    from_ : array or dtype
        array or data type to cast from
    to : dtype (any)
        data type to cast to

    Returns
    -------
    bool; for an array by the promotion graph of its device, for a dtype by the whole one.
    """

def ceil(x: Array, /) -> Array:
    """The smallest integer that is not less than x, in the data type of x.

    Parameters
    ----------
    x : array (real numeric dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def clip(x: Array, /, min: Array | float | None = None, max: Array | float | None = None) -> Array:
    """The value, or the bound that it is beyond; NaN where one of them is. No lower bound may exceed an upper one.

    Parameters
    ----------
    x : array (real numeric dtype)
        input, of any shape
    min : array (real numeric dtype), Python scalar or None
        lower bounds of the data type of x, broadcast with x; None for none
    max : array (real numeric dtype), Python scalar or None
        upper bounds of the data type of x, broadcast with x; None for none

    Returns
    -------
    array of the broadcast shape and the data type of x.
    """

def concat(arrays: tuple[Array, ...] | list[Array], /, *, axis: int | None = 0) -> Array:
    """Arrays joined along an axis that they have; their shapes are equal but for that axis.

    Parameters
    ----------
    arrays : tuple or list of arrays (any dtype)
        one or more arrays on one device, whose data types promote to a common one
    axis : int or None
        axis along which they are joined, in [-N, N); None: they are flattened first

    Returns
    -------
    array of their shape, but for the axis, and of the data type that they promote to.
    """

def conj(x: Array, /) -> Array:
    """The complex conjugate; a real number is its own.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

@overload
def copysign(x1: Array, x2: Array | float, /) -> Array:
    """The magnitude of x1 with the sign of x2, also of zeros and NaN.

    Parameters
    ----------
    x1 : array (real floating-point dtype) or Python scalar
        first input, of any shape
    x2 : array (real floating-point dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def copysign(x1: float, x2: Array, /) -> Array: ...
def cos(x: Array, /) -> Array:
    """The cosine of an angle in radians; NaN of infinities.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def cosh(x: Array, /) -> Array:
    """The hyperbolic cosine.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def count_nonzero(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> Array:
    """How many elements are not zero (a complex number is zero if both parts are).

    Parameters
    ----------
    x : array (any dtype)
        input, of any shape
    axis : int, tuple of ints, or None
        axis or axes to reduce; None: all
    keepdims : bool
        whether reduced axes stay, with size 1

    Returns
    -------
    array of the default index data type, of the shape of x without the reduced axes.
    """

def cumulative_prod(
    x: Array,
    /,
    *,
    axis: int | None = None,
    dtype: DType | None = None,
    include_initial: _bool = False,
) -> Array:
    """The products of the first elements along an axis, of one element more each time.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape
    axis : int or None
        axis to go along, in [-N, N); required unless x is 1-d
    dtype : dtype (numeric) or None
        data type in which to compute, not of a lesser kind than that of x; None: that of x, or the device's default
        where that is a wider integer (unsigned as wide)
    include_initial : bool
        whether the result of no element comes first

    Returns
    -------
    array of the shape of x, with one element more along the axis if include_initial; of the data type in which it was
    computed.
    """

def cumulative_sum(
    x: Array,
    /,
    *,
    axis: int | None = None,
    dtype: DType | None = None,
    include_initial: _bool = False,
) -> Array:
    """The sums of the first elements along an axis, of one element more each time.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape
    axis : int or None
        axis to go along, in [-N, N); required unless x is 1-d
    dtype : dtype (numeric) or None
        data type in which to compute, not of a lesser kind than that of x; None: that of x, or the device's default
        where that is a wider integer (unsigned as wide)
    include_initial : bool
        whether the result of no element comes first

    Returns
    -------
    array of the shape of x, with one element more along the axis if include_initial; of the data type in which it was
    computed.
    """

def diff(
    x: Array,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Array | None = None,
    append: Array | None = None,
) -> Array:
    """The differences of neighbours along an axis, taken n times.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape
    axis : int
        axis to go along, in [-N, N)
    n : int
        how many times to take differences, not negative
    prepend : array (numeric dtype) or None
        put before x along the axis; of its data type
    append : array (numeric dtype) or None
        put after x along the axis; of its data type

    Returns
    -------
    array of the data type of x, n elements shorter along the axis than x and what is put beside it (but not below 0).
    """

@overload
def divide(x1: Array, x2: Array | complex, /) -> Array:
    """The quotient of floating-point numbers.

    Parameters
    ----------
    x1 : array (floating-point dtype) or Python scalar
        first input, of any shape
    x2 : array (floating-point dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def divide(x1: complex, x2: Array, /) -> Array: ...
def empty(shape: int | tuple[int, ...], *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """An array whose values are not set.

    Parameters
    ----------
    shape : int or tuple of ints
        shape of the result
    dtype : dtype (any) or None
        data type of the result; None: a default of the device
    device : device or None
        where the result is placed; None: the default device

    Returns
    -------
    array of the shape and dtype asked for, with any values.
    """

def empty_like(x: Array, /, *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """An array of the shape of x whose values are not set.

    Parameters
    ----------
    x : array (any dtype)
        array whose shape is taken
    dtype : dtype (any) or None
        data type of the result; None: that of x
    device : device or None
        where the result is placed; None: that of x

    Returns
    -------
    array of the shape and dtype asked for, with any values.
    """

@overload
def equal(x1: Array, x2: Array | complex, /) -> Array:
    """Whether x1 == x2.

    Parameters
    ----------
    x1 : array (any dtype) or Python scalar
        first input, of any shape
    x2 : array (any dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    bool array of the shape that both broadcast to.
    """

@overload
def equal(x1: complex, x2: Array, /) -> Array: ...
def exp(x: Array, /) -> Array:
    """e raised to the power of x.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def expand_dims(x: Array, /, axis: int | tuple[int, ...]) -> Array:
    """An array with new axes of size 1.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape
    axis : int or tuple of ints
        places of the new axes in the result, each in [-M, M) for its M axes; a tuple since 2025.12

    Returns
    -------
    array of the shape of x with the new axes, and of its data type.
    """

def expm1(x: Array, /) -> Array:
    """exp(x) - 1, exact also where x is near 0.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: DType | None = None,
    device: Device | None = None,
) -> Array:
    """A matrix with ones on one diagonal and zeros elsewhere.

    Parameters
    ----------
    n_rows : int
        number of rows
    n_cols : int or None
        number of columns; None: n_rows
    k : int
        diagonal: 0 the main one, positive above it, negative below it
    dtype : dtype (any) or None
        data type of the result; None: a default of the device
    device : device or None
        where the result is placed; None: the default device

    Returns
    -------
    array of shape (n_rows, n_cols) and of the data type asked for.
    """

def finfo(type: Array | DType, /) -> finfo_object:
    """Machine limits of a floating-point data type.

    Parameters
    ----------
    type : array or dtype
        floating-point array or data type

    Returns
    -------
    object with bits, eps, max, min, smallest_normal (Python scalars) and dtype (the real data type).
    """

def flip(x: Array, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """An array with the order of its elements reversed along axes.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape
    axis : int, tuple of ints, or None
        axis or axes to reverse, in [-N, N); None: all

    Returns
    -------
    array of the shape and data type of x.
    """

def floor(x: Array, /) -> Array:
    """The largest integer that is not greater than x, in the data type of x.

    Parameters
    ----------
    x : array (real numeric dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

@overload
def floor_divide(x1: Array, x2: Array | float, /) -> Array:
    """The quotient, rounded towards minus infinity.

    Parameters
    ----------
    x1 : array (real numeric dtype) or Python scalar
        first input, of any shape
    x2 : array (real numeric dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def floor_divide(x1: float, x2: Array, /) -> Array: ...
def from_dlpack(x: _SupportsDLPack, /, *, device: Device | None = None, copy: _bool | None = None) -> Array:
    """An array that holds the data of another library's array, through DLPack.

    Parameters
    ----------
    x : object with __dlpack__ and __dlpack_device__
        array of any library
    device : device or None
        where the result is placed; None: where x is (since 2023.12)
    copy : bool or None
        True: always copy; False: never; None: only where memory can't be shared (since 2023.12)

    Returns
    -------
    array of the shape and data type of x, which shares its memory where it can.
    """

def full(
    shape: int | tuple[int, ...],
    fill_value: complex,
    *,
    dtype: DType | None = None,
    device: Device | None = None,
) -> Array:
    """An array filled with one value.

    Parameters
    ----------
    shape : int or tuple of ints
        shape of the result
    fill_value : Python scalar (bool, int, float, complex)
        the value
    dtype : dtype (any) or None
        data type of the result; None: the device's default for the kind of fill_value
    device : device or None
        where the result is placed; None: the default device

    Returns
    -------
    array of the shape and dtype asked for, with fill_value everywhere.
    """

def full_like(x: Array, /, fill_value: complex, *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """An array of the shape of x, filled with one value.

    Parameters
    ----------
    x : array (any dtype)
        array whose shape is taken
    fill_value : Python scalar (bool, int, float, complex)
        the value
    dtype : dtype (any) or None
        data type of the result; None: that of x
    device : device or None
        where the result is placed; None: that of x

    Returns
    -------
    array of the shape and dtype asked for, with fill_value everywhere.
    """

@overload
def greater(x1: Array, x2: Array | float, /) -> Array:
    """Whether x1 > x2.

    Parameters
    ----------
    x1 : array (real numeric dtype) or Python scalar
        first input, of any shape
    x2 : array (real numeric dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    bool array of the shape that both broadcast to.
    """

@overload
def greater(x1: float, x2: Array, /) -> Array: ...
@overload
def greater_equal(x1: Array, x2: Array | float, /) -> Array:
    """Whether x1 >= x2.

    Parameters
    ----------
    x1 : array (real numeric dtype) or Python scalar
        first input, of any shape
    x2 : array (real numeric dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    bool array of the shape that both broadcast to.
    """

@overload
def greater_equal(x1: float, x2: Array, /) -> Array: ...
@overload
def hypot(x1: Array, x2: Array | float, /) -> Array:
    """The square root of x1² + x2², without overflow on the way; infinite where either is.

    Parameters
    ----------
    x1 : array (real floating-point dtype) or Python scalar
        first input, of any shape
    x2 : array (real floating-point dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def hypot(x1: float, x2: Array, /) -> Array: ...
def iinfo(type: Array | DType, /) -> iinfo_object:
    """Machine limits of an integer data type.

    Parameters
    ----------
    type : array or dtype
        integer array or data type

    Returns
    -------
    object with bits, max, min (Python ints) and dtype.
    """

def imag(x: Array, /) -> Array:
    """The imaginary part.

    Parameters
    ----------
    x : array (complex floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape of x; of the data type of its parts, if it is complex, else of its own.
    """

def isdtype(dtype: DType, kind: DType | _Kind | tuple[DType | _Kind, ...]) -> _bool:
    """Whether a data type is of a kind.

    Parameters
    ----------
    dtype : dtype (any)
        data type to look at
    kind : dtype, kind (str), or tuple of these
        'bool', 'signed integer', 'unsigned integer', 'integral', 'real floating', 'complex floating', 'numeric', a
        dtype, or a tuple of these

    Returns
    -------
    bool.
    """

def isfinite(x: Array, /) -> Array:
    """Whether x is neither infinite nor NaN, in both parts if complex.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape

    Returns
    -------
    bool array of the shape of x.
    """

@overload
def isin(x1: Array, x2: Array | int, /, *, invert: _bool = False) -> Array:
    """Whether each element of x1 is equal to an element of x2; one of the two may be a Python int.

    Parameters
    ----------
    x1 : array (integer dtype) or Python scalar
        what is looked for
    x2 : array (integer dtype) or Python scalar
        where it is looked for
    invert : bool
        whether to say which elements are not there

    Returns
    -------
    bool array of the shape of x1, 0-d for an int.
    """

@overload
def isin(x1: int, x2: Array, /, *, invert: _bool = False) -> Array: ...
def isinf(x: Array, /) -> Array:
    """Whether x, or a part of it, is infinite.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape

    Returns
    -------
    bool array of the shape of x.
    """

def isnan(x: Array, /) -> Array:
    """Whether x, or a part of it, is NaN.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape

    Returns
    -------
    bool array of the shape of x.
    """

@overload
def less(x1: Array, x2: Array | float, /) -> Array:
    """Whether x1 < x2.

    Parameters
    ----------
    x1 : array (real numeric dtype) or Python scalar
        first input, of any shape
    x2 : array (real numeric dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    bool array of the shape that both broadcast to.
    """

@overload
def less(x1: float, x2: Array, /) -> Array: ...
@overload
def less_equal(x1: Array, x2: Array | float, /) -> Array:
    """Whether x1 <= x2.

    Parameters
    ----------
    x1 : array (real numeric dtype) or Python scalar
        first input, of any shape
    x2 : array (real numeric dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    bool array of the shape that both broadcast to.
    """

@overload
def less_equal(x1: float, x2: Array, /) -> Array: ...
def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: DType | None = None,
    device: Device | None = None,
    endpoint: _bool = True,
) -> Array:
    """Evenly spaced numbers over an interval.

    Parameters
    ----------
    start : Python scalar (int, float, complex)
        first value
    stop : Python scalar (int, float, complex)
        last value, or the end that is not included
    num : int
        number of values, 0 or more
    dtype : dtype (floating-point) or None
        floating-point data type of the result; None: the device's default, complex if start or stop is
    device : device or None
        where the result is placed; None: the default device
    endpoint : bool
        whether stop is the last value

    Returns
    -------
    1-d array of num values, of the data type asked for.
    """

def log(x: Array, /) -> Array:
    """The natural logarithm: -infinity of zeros, NaN of negative real numbers.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def log10(x: Array, /) -> Array:
    """The logarithm to base 10: -infinity of zeros, NaN of negative real numbers.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def log1p(x: Array, /) -> Array:
    """log(1 + x), exact also where x is near 0; -infinity of -1, NaN of real numbers below.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def log2(x: Array, /) -> Array:
    """The logarithm to base 2: -infinity of zeros, NaN of negative real numbers.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

@overload
def logaddexp(x1: Array, x2: Array | float, /) -> Array:
    """log(exp(x1) + exp(x2)), without overflow on the way.

    Parameters
    ----------
    x1 : array (real floating-point dtype) or Python scalar
        first input, of any shape
    x2 : array (real floating-point dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def logaddexp(x1: float, x2: Array, /) -> Array: ...
@overload
def logical_and(x1: Array, x2: Array | _bool, /) -> Array:
    """Whether both are true.

    Parameters
    ----------
    x1 : array (boolean dtype) or Python scalar
        first input, of any shape
    x2 : array (boolean dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    bool array of the shape that both broadcast to.
    """

@overload
def logical_and(x1: _bool, x2: Array, /) -> Array: ...
def logical_not(x: Array, /) -> Array:
    """Whether x is false.

    Parameters
    ----------
    x : array (boolean dtype)
        input, of any shape

    Returns
    -------
    bool array of the shape of x.
    """

@overload
def logical_or(x1: Array, x2: Array | _bool, /) -> Array:
    """Whether at least one is true.

    Parameters
    ----------
    x1 : array (boolean dtype) or Python scalar
        first input, of any shape
    x2 : array (boolean dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    bool array of the shape that both broadcast to.
    """

@overload
def logical_or(x1: _bool, x2: Array, /) -> Array: ...
@overload
def logical_xor(x1: Array, x2: Array | _bool, /) -> Array:
    """Whether exactly one is true.

    Parameters
    ----------
    x1 : array (boolean dtype) or Python scalar
        first input, of any shape
    x2 : array (boolean dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    bool array of the shape that both broadcast to.
    """

@overload
def logical_xor(x1: _bool, x2: Array, /) -> Array: ...
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

def max(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> Array:
    """The largest element.

    Parameters
    ----------
    x : array (real numeric dtype)
        input, of any shape
    axis : int, tuple of ints, or None
        axis or axes to reduce, each in [-N, N) for N axes; None: all
    keepdims : bool
        whether reduced axes stay, with size 1

    Returns
    -------
    array of the shape of x without the reduced axes, and of its data type.
    """

@overload
def maximum(x1: Array, x2: Array | float, /) -> Array:
    """The larger of both; NaN where either is. Which of two zeros of different sign is taken is open.

    Parameters
    ----------
    x1 : array (real numeric dtype) or Python scalar
        first input, of any shape
    x2 : array (real numeric dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def maximum(x1: float, x2: Array, /) -> Array: ...
def mean(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> Array:
    """The arithmetic mean.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape
    axis : int, tuple of ints, or None
        axis or axes to reduce, each in [-N, N) for N axes; None: all
    keepdims : bool
        whether reduced axes stay, with size 1

    Returns
    -------
    array of the shape of x without the reduced axes, and of its data type.
    """

def meshgrid(*arrays: Array, indexing: Literal["xy", "ij"] = "xy") -> tuple[Array, ...]:
    """Coordinate matrices from coordinate vectors.

    Parameters
    ----------
    *arrays : arrays (numeric dtype)
        1-d arrays of one data type: the coordinates of each axis
    indexing : "xy" or "ij"
        'xy' swaps the first two axes of the results, 'ij' does not

    Returns
    -------
    tuple of arrays of their data type, one for each argument, with as many axes as there are arguments (a list before
    2025.12).
    """

def min(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> Array:
    """The smallest element.

    Parameters
    ----------
    x : array (real numeric dtype)
        input, of any shape
    axis : int, tuple of ints, or None
        axis or axes to reduce, each in [-N, N) for N axes; None: all
    keepdims : bool
        whether reduced axes stay, with size 1

    Returns
    -------
    array of the shape of x without the reduced axes, and of its data type.
    """

@overload
def minimum(x1: Array, x2: Array | float, /) -> Array:
    """The smaller of both; NaN where either is. Which of two zeros of different sign is taken is open.

    Parameters
    ----------
    x1 : array (real numeric dtype) or Python scalar
        first input, of any shape
    x2 : array (real numeric dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def minimum(x1: float, x2: Array, /) -> Array: ...
def moveaxis(x: Array, source: int | tuple[int, ...], destination: int | tuple[int, ...], /) -> Array:
    """An array with some axes at other places; the others keep their order.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape
    source : int or tuple of ints
        axis or axes to move, in [-N, N), each once
    destination : int or tuple of ints
        as many places for them, in [-N, N), each once

    Returns
    -------
    array of the data type of x; its shape has the sizes of x in the new order.
    """

@overload
def multiply(x1: Array, x2: Array | complex, /) -> Array:
    """The product.

    Parameters
    ----------
    x1 : array (numeric dtype) or Python scalar
        first input, of any shape
    x2 : array (numeric dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def multiply(x1: complex, x2: Array, /) -> Array: ...
def negative(x: Array, /) -> Array:
    """The value with the other sign.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

@overload
def nextafter(x1: Array, x2: Array | float, /) -> Array:
    """The next number after x1 towards x2, which has the same data type; x2 itself where they are equal.

    Parameters
    ----------
    x1 : array (real floating-point dtype) or Python scalar
        first input, of any shape
    x2 : array (real floating-point dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of their data type.
    """

@overload
def nextafter(x1: float, x2: Array, /) -> Array: ...
def nonzero(x: Array, /) -> tuple[Array, ...]:
    """The indices of the elements that are not zero, in C order; a complex number is zero if both parts are.

    Parameters
    ----------
    x : array (any dtype)
        array of at least one axis

    Returns
    -------
    tuple of 1-d arrays of the default data type of indices, one for each axis of x; their size depends on the values.
    """

@overload
def not_equal(x1: Array, x2: Array | complex, /) -> Array:
    """Whether x1 != x2.

    Parameters
    ----------
    x1 : array (any dtype) or Python scalar
        first input, of any shape
    x2 : array (any dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    bool array of the shape that both broadcast to.
    """

@overload
def not_equal(x1: complex, x2: Array, /) -> Array: ...
def ones(shape: int | tuple[int, ...], *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """An array of ones.

    Parameters
    ----------
    shape : int or tuple of ints
        shape of the result
    dtype : dtype (any) or None
        data type of the result; None: a default of the device
    device : device or None
        where the result is placed; None: the default device

    Returns
    -------
    array of the shape and dtype asked for, with 1 everywhere.
    """

def ones_like(x: Array, /, *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """An array of ones of the shape of x.

    Parameters
    ----------
    x : array (any dtype)
        array whose shape is taken
    dtype : dtype (any) or None
        data type of the result; None: that of x
    device : device or None
        where the result is placed; None: that of x

    Returns
    -------
    array of the shape and dtype asked for, with 1 everywhere.
    """

def permute_dims(x: Array, /, axes: tuple[int, ...]) -> Array:
    """An array with its axes in another order.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape
    axes : tuple of ints
        all axes of x in their new order, in [-N, N); negative ones since 2025.12

    Returns
    -------
    array of the data type of x; its shape has the sizes of x in the new order.
    """

def positive(x: Array, /) -> Array:
    """A copy of the value.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

@overload
def pow(x1: Array, x2: Array | complex, /) -> Array:
    """x1 raised to the power of x2; negative exponents of integers are refused.

    Parameters
    ----------
    x1 : array (numeric dtype) or Python scalar
        first input, of any shape
    x2 : array (numeric dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def pow(x1: complex, x2: Array, /) -> Array: ...
def prod(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DType | None = None,
    keepdims: _bool = False,
) -> Array:
    """The product of elements. Before 2023.12 that of floating-point numbers has the default data type.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape
    axis : int, tuple of ints, or None
        axis or axes to reduce, each in [-N, N) for N axes; None: all
    dtype : dtype (numeric) or None
        data type in which to compute, not of a lesser kind than that of x; None: that of x, or the device's default
        where that is a wider integer (unsigned as wide)
    keepdims : bool
        whether reduced axes stay, with size 1

    Returns
    -------
    array of the shape of x without the reduced axes, and of the data type in which it was computed.
    """

def real(x: Array, /) -> Array:
    """The real part; a real number is its own.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape

    Returns
    -------
    array of the shape of x; of the data type of its parts, if it is complex, else of its own.
    """

def reciprocal(x: Array, /) -> Array:
    """1 / x.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

@overload
def remainder(x1: Array, x2: Array | float, /) -> Array:
    """What remains of the floor division; it has the sign of x2.

    Parameters
    ----------
    x1 : array (real numeric dtype) or Python scalar
        first input, of any shape
    x2 : array (real numeric dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def remainder(x1: float, x2: Array, /) -> Array: ...
def repeat(x: Array, repeats: int | Array, /, *, axis: int | None = None) -> Array:
    """An array with each element repeated.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape
    repeats : int or array (integer dtype)
        how often each element is repeated: an int, or a 1-d array with one count, or as many as the axis has elements
    axis : int or None
        axis along which elements are repeated, in [-N, N); None: x is flattened first

    Returns
    -------
    array of the data type of x, and of its shape but for the axis.
    """

def reshape(x: Array, /, shape: tuple[int, ...], *, copy: _bool | None = None) -> Array:
    """An array with its elements, in C order, in another shape.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape
    shape : tuple of ints
        new shape of as many elements; one size may be -1 and is inferred
    copy : bool or None
        True: always copy; False: never, ValueError where it would be needed; None: only then

    Returns
    -------
    array of that shape and of the data type of x.
    """

def result_type(*arrays_and_dtypes: Array | DType | complex) -> DType:
    """The data type that the arguments promote to.

    Parameters
    ----------
    *arrays_and_dtypes : arrays, dtypes or Python scalars
        arrays, dtypes and (since 2024.12) Python scalars beside at least one of the former

    Returns
    -------
    dtype.
    """

def roll(x: Array, /, shift: int | tuple[int, ...], *, axis: int | tuple[int, ...] | None = None) -> Array:
    """An array with its elements shifted along axes; those that leave at one end come back at the other.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape
    shift : int or tuple of ints
        by how many places, towards larger indices; a tuple: one for each axis
    axis : int, tuple of ints, or None
        axis or axes to shift along, in [-N, N); None: along the flattened array

    Returns
    -------
    array of the shape and data type of x.
    """

def round(x: Array, /) -> Array:
    """The nearest integer, in the data type of x; the even one of two as near. Of complex numbers by parts.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def searchsorted(
    x1: Array,
    x2: Array | float,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: Array | None = None,
) -> Array:
    """The indices at which values can be inserted into a sorted array so that it stays sorted; NaNs come last.

    Parameters
    ----------
    x1 : array (real numeric dtype)
        1-d array, in ascending order as sort() gives it unless there is a sorter
    x2 : array (real numeric dtype) or Python scalar
        the values (a Python scalar since 2025.12)
    side : "left" or "right"
        whether the index before or after equal elements is meant
    sorter : array (integer dtype) or None
        indices that sort x1, as argsort() gives them, of the shape of x1

    Returns
    -------
    array of the shape of x2 and the default data type of indices.
    """

def sign(x: Array, /) -> Array:
    """-1, 0 or 1 as x is negative, zero or positive; of a complex number x / abs(x). NaN of NaN.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def signbit(x: Array, /) -> Array:
    """Whether the sign bit is set: of -0 and of negative NaN too.

    Parameters
    ----------
    x : array (real floating-point dtype)
        input, of any shape

    Returns
    -------
    bool array of the shape of x.
    """

def sin(x: Array, /) -> Array:
    """The sine of an angle in radians; NaN of infinities.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def sinh(x: Array, /) -> Array:
    """The hyperbolic sine.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def sort(x: Array, /, *, axis: int = -1, descending: _bool = False, stable: _bool = True) -> Array:
    """A sorted copy of an array; NaNs count as greater than all numbers, both zeros as equal.

    Parameters
    ----------
    x : array (real numeric dtype)
        array of at least one axis
    axis : int
        axis along which to sort
    descending : bool
        whether the greatest comes first
    stable : bool
        whether equal elements must keep their order; here they always do

    Returns
    -------
    array of the shape and data type of x, sorted along the axis.
    """

def sqrt(x: Array, /) -> Array:
    """The principal square root; NaN of negative real numbers.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def square(x: Array, /) -> Array:
    """The product of x with itself.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def squeeze(x: Array, /, axis: int | tuple[int, ...]) -> Array:
    """An array without some of its axes of size 1.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape
    axis : int or tuple of ints
        axis or axes of size 1 to take away, in [-N, N)

    Returns
    -------
    array of the shape of x without these axes, and of its data type.
    """

def stack(arrays: tuple[Array, ...] | list[Array], /, *, axis: int = 0) -> Array:
    """Arrays of one shape joined along a new axis.

    Parameters
    ----------
    arrays : tuple or list of arrays (any dtype)
        one or more arrays on one device, whose data types promote to a common one
    axis : int
        place of the new axis in the result, in [-M, M) for its M axes

    Returns
    -------
    array of the data type that they promote to, with one more axis.
    """

def std(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: float = 0.0,
    keepdims: _bool = False,
) -> Array:
    """The standard deviation: the square root of the variance.

    Parameters
    ----------
    x : array (real floating-point dtype)
        input, of any shape
    axis : int, tuple of ints, or None
        axis or axes to reduce, each in [-N, N) for N axes; None: all
    correction : Python scalar (int, float)
        what is taken off the number of elements to divide by
    keepdims : bool
        whether reduced axes stay, with size 1

    Returns
    -------
    array of the shape of x without the reduced axes, and of its data type.
    """

@overload
def subtract(x1: Array, x2: Array | complex, /) -> Array:
    """The difference.

    Parameters
    ----------
    x1 : array (numeric dtype) or Python scalar
        first input, of any shape
    x2 : array (numeric dtype) or Python scalar
        second input, of a shape that broadcasts with that of the first

    Returns
    -------
    array of the shape that both broadcast to, and of the data type that they promote to.
    """

@overload
def subtract(x1: complex, x2: Array, /) -> Array: ...
def sum(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DType | None = None,
    keepdims: _bool = False,
) -> Array:
    """The sum of elements. Before 2023.12 that of floating-point numbers has the default data type.

    Parameters
    ----------
    x : array (numeric dtype)
        input, of any shape
    axis : int, tuple of ints, or None
        axis or axes to reduce, each in [-N, N) for N axes; None: all
    dtype : dtype (numeric) or None
        data type in which to compute, not of a lesser kind than that of x; None: that of x, or the device's default
        where that is a wider integer (unsigned as wide)
    keepdims : bool
        whether reduced axes stay, with size 1

    Returns
    -------
    array of the shape of x without the reduced axes, and of the data type in which it was computed.
    """

def take(x: Array, indices: Array, /, *, axis: int | None = None) -> Array:
    """The elements at positions along an axis.

    Parameters
    ----------
    x : array (any dtype)
        array of one or more axes
    indices : array (integer dtype)
        1-d array of positions in [-n, n) for an axis of size n; negative ones count from the end
    axis : int or None
        axis along which elements are taken, in [-N, N); None for 1-d x only

    Returns
    -------
    array of the data type and shape of x, but for the axis, which has the size of indices.
    """

def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Array:
    """The elements at positions along an axis, with positions of its own for each vector along it.

    Parameters
    ----------
    x : array (any dtype)
        array of one or more axes
    indices : array (integer dtype)
        array of as many axes: positions in [-n, n); its shape broadcasts with that of x but for the axis
    axis : int
        axis along which elements are taken, in [-N, N)

    Returns
    -------
    array of the data type of x and the broadcast shape, but for the axis, which has the size of that of indices.
    """

def tan(x: Array, /) -> Array:
    """The tangent of an angle in radians; NaN of infinities.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def tanh(x: Array, /) -> Array:
    """The hyperbolic tangent.

    Parameters
    ----------
    x : array (floating-point dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
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

def tile(x: Array, repetitions: tuple[int, ...], /) -> Array:
    """An array made of copies of another, side by side along each axis.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape
    repetitions : tuple of ints
        how often x is repeated along each axis; ones are prepended to it, or axes to x, where one is shorter

    Returns
    -------
    array of the shape of x, each size times its repetitions, and of the data type of x.
    """

def tril(x: Array, /, *, k: int = 0) -> Array:
    """The lower triangle of matrices, zeros elsewhere.

    Parameters
    ----------
    x : array (any dtype)
        matrices, of shape (..., M, N)
    k : int
        diagonal: 0 the main one, positive above it, negative below it

    Returns
    -------
    array of the shape and data type of x.
    """

def triu(x: Array, /, *, k: int = 0) -> Array:
    """The upper triangle of matrices, zeros elsewhere.

    Parameters
    ----------
    x : array (any dtype)
        matrices, of shape (..., M, N)
    k : int
        diagonal: 0 the main one, positive above it, negative below it

    Returns
    -------
    array of the shape and data type of x.
    """

def trunc(x: Array, /) -> Array:
    """The integer part, in the data type of x.

    Parameters
    ----------
    x : array (real numeric dtype)
        input, of any shape

    Returns
    -------
    array of the shape and data type of x.
    """

def unique_all(x: Array, /) -> UniqueAllResult:
    """The different elements, where each occurs first, which of them every element is, and how often each occurs.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape, read in C order

    Returns
    -------
    named tuple of values (1-d, of the data type of x), and of the default data type of indices: indices and counts (of
    the shape of values) and inverse_indices (of the shape of x).
    """

def unique_counts(x: Array, /) -> UniqueCountsResult:
    """The different elements and how often each occurs.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape, read in C order

    Returns
    -------
    named tuple of values (1-d, of the data type of x) and counts (of their shape, of the default data type of indices).
    """

def unique_inverse(x: Array, /) -> UniqueInverseResult:
    """The different elements and which of them every element is.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape, read in C order

    Returns
    -------
    named tuple of values (1-d, of the data type of x) and inverse_indices (of the shape of x, of the default data type
    of indices).
    """

def unique_values(x: Array, /) -> Array:
    """The different elements.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape, read in C order

    Returns
    -------
    1-d array of the data type of x; its size depends on the values.
    """

def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
    """An array split along an axis, which goes away.

    Parameters
    ----------
    x : array (any dtype)
        array of any shape
    axis : int
        axis along which x is split, in [-N, N)

    Returns
    -------
    tuple of as many arrays as the axis has elements, of the shape of x without the axis and of its data type.
    """

def var(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: float = 0.0,
    keepdims: _bool = False,
) -> Array:
    """The variance: the mean of the squared distances from the mean.

    Parameters
    ----------
    x : array (real floating-point dtype)
        input, of any shape
    axis : int, tuple of ints, or None
        axis or axes to reduce, each in [-N, N) for N axes; None: all
    correction : Python scalar (int, float)
        what is taken off the number of elements to divide by
    keepdims : bool
        whether reduced axes stay, with size 1

    Returns
    -------
    array of the shape of x without the reduced axes, and of its data type.
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

@overload
def where(condition: Array, x1: Array, x2: Array | complex, /) -> Array:
    """The elements of one array or another, depending on a condition; one of the two may be a Python scalar (since
    2024.12).

    Parameters
    ----------
    condition : array (boolean dtype)
        what is chosen: true for x1, false for x2
    x1 : array (any dtype) or Python scalar
        values where the condition is true
    x2 : array (any dtype) or Python scalar
        values where it is false

    Returns
    -------
    array of the shape that all three broadcast to; its data type is what x1 and x2 promote to.
    """

@overload
def where(condition: Array, x1: complex, x2: Array, /) -> Array: ...
def zeros(shape: int | tuple[int, ...], *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """An array of zeros.

    Parameters
    ----------
    shape : int or tuple of ints
        shape of the result
    dtype : dtype (any) or None
        data type of the result; None: a default of the device
    device : device or None
        where the result is placed; None: the default device

    Returns
    -------
    array of the shape and dtype asked for, with 0 everywhere.
    """

def zeros_like(x: Array, /, *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """An array of zeros of the shape of x.

    Parameters
    ----------
    x : array (any dtype)
        array whose shape is taken
    dtype : dtype (any) or None
        data type of the result; None: that of x
    device : device or None
        where the result is placed; None: that of x

    Returns
    -------
    array of the shape and dtype asked for, with 0 everywhere.
    """

# --- end of what is generated
