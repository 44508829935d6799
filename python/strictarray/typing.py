"""Names for annotations: the classes of strictarray's objects, and the protocol of an array namespace.

The standard gives these classes no names, so the namespace ``strictarray`` has none either; they are here::

    from strictarray.typing import Array, Namespace

    def standardise(x: Array, xp: Namespace) -> Array:
        return (x - xp.mean(x)) / xp.std(x)

``Namespace`` alone is a namespace of strictarray's own arrays: a type checker then refuses what the standard does not
have. ``Namespace[ArrayT, DTypeT, DeviceT]`` is one of any library's. Extensions are left to each library: one that has
``linalg`` is a ``NamespaceWithLinalg``, one that has ``fft`` a ``NamespaceWithFFT``, one that has both a
``NamespaceWithExtensions``.
"""

from __future__ import annotations

from builtins import bool as _bool
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

from strictarray._results import (
    EighResult,
    EigResult,
    QRResult,
    SlogdetResult,
    SVDResult,
    UniqueAllResult,
    UniqueCountsResult,
    UniqueInverseResult,
)
from strictarray._strictarray import Array, Device, DType, NamespaceInfo, finfo_object, iinfo_object

if TYPE_CHECKING:
    from typing_extensions import Buffer, TypeVar

    from strictarray import _Nested, _SupportsDLPack
    from strictarray._strictarray import _Kind

    ArrayT = TypeVar("ArrayT", default=Array)
    DTypeT = TypeVar("DTypeT", default=DType)
    DeviceT = TypeVar("DeviceT", default=Device)
    ArrayT_co = TypeVar("ArrayT_co", covariant=True, default=Array)
    DTypeT_co = TypeVar("DTypeT_co", covariant=True, default=DType)
    DTypeT_contra = TypeVar("DTypeT_contra", contravariant=True, default=DType)
    DeviceT_contra = TypeVar("DeviceT_contra", contravariant=True, default=Device)
else:
    from typing import TypeVar

    # Defaults of type variables came with Python 3.13.
    ArrayT = TypeVar("ArrayT")
    DTypeT = TypeVar("DTypeT")
    DeviceT = TypeVar("DeviceT")
    ArrayT_co = TypeVar("ArrayT_co", covariant=True)
    DTypeT_co = TypeVar("DTypeT_co", covariant=True)
    DTypeT_contra = TypeVar("DTypeT_contra", contravariant=True)
    DeviceT_contra = TypeVar("DeviceT_contra", contravariant=True)

__all__ = [
    "FFT",
    "QR",
    "SVD",
    "Array",
    "DType",
    "Device",
    "EigResult",
    "Eigen",
    "EighResult",
    "FInfo",
    "IInfo",
    "Info",
    "Linalg",
    "Namespace",
    "NamespaceInfo",
    "NamespaceWithExtensions",
    "NamespaceWithFFT",
    "NamespaceWithLinalg",
    "QRResult",
    "SVDResult",
    "SlogDet",
    "SlogdetResult",
    "UniqueAll",
    "UniqueAllResult",
    "UniqueCounts",
    "UniqueCountsResult",
    "UniqueInverse",
    "UniqueInverseResult",
    "finfo_object",
    "iinfo_object",
]


class FInfo(Protocol[DTypeT_co]):
    """What ``finfo`` returns."""

    @property
    def bits(self) -> int: ...

    @property
    def eps(self) -> float: ...

    @property
    def max(self) -> float: ...

    @property
    def min(self) -> float: ...

    @property
    def smallest_normal(self) -> float: ...

    @property
    def dtype(self) -> DTypeT_co: ...


class IInfo(Protocol[DTypeT_co]):
    """What ``iinfo`` returns."""

    @property
    def bits(self) -> int: ...

    @property
    def max(self) -> int: ...

    @property
    def min(self) -> int: ...

    @property
    def dtype(self) -> DTypeT_co: ...


class UniqueAll(Protocol[ArrayT_co]):
    """What ``unique_all`` returns: a named tuple."""

    @property
    def values(self) -> ArrayT_co: ...

    @property
    def indices(self) -> ArrayT_co: ...

    @property
    def inverse_indices(self) -> ArrayT_co: ...

    @property
    def counts(self) -> ArrayT_co: ...

    def __iter__(self) -> Iterator[ArrayT_co]: ...


class UniqueCounts(Protocol[ArrayT_co]):
    """What ``unique_counts`` returns: a named tuple."""

    @property
    def values(self) -> ArrayT_co: ...

    @property
    def counts(self) -> ArrayT_co: ...

    def __iter__(self) -> Iterator[ArrayT_co]: ...


class UniqueInverse(Protocol[ArrayT_co]):
    """What ``unique_inverse`` returns: a named tuple."""

    @property
    def values(self) -> ArrayT_co: ...

    @property
    def inverse_indices(self) -> ArrayT_co: ...

    def __iter__(self) -> Iterator[ArrayT_co]: ...


class Eigen(Protocol[ArrayT_co]):
    """What ``eig`` and ``eigh`` of ``linalg`` return: a named tuple."""

    @property
    def eigenvalues(self) -> ArrayT_co: ...

    @property
    def eigenvectors(self) -> ArrayT_co: ...

    def __iter__(self) -> Iterator[ArrayT_co]: ...


class QR(Protocol[ArrayT_co]):
    """What ``linalg.qr`` returns: a named tuple."""

    @property
    def Q(self) -> ArrayT_co: ...

    @property
    def R(self) -> ArrayT_co: ...

    def __iter__(self) -> Iterator[ArrayT_co]: ...


class SlogDet(Protocol[ArrayT_co]):
    """What ``linalg.slogdet`` returns: a named tuple."""

    @property
    def sign(self) -> ArrayT_co: ...

    @property
    def logabsdet(self) -> ArrayT_co: ...

    def __iter__(self) -> Iterator[ArrayT_co]: ...


class SVD(Protocol[ArrayT_co]):
    """What ``linalg.svd`` returns: a named tuple."""

    @property
    def U(self) -> ArrayT_co: ...

    @property
    def S(self) -> ArrayT_co: ...

    @property
    def Vh(self) -> ArrayT_co: ...

    def __iter__(self) -> Iterator[ArrayT_co]: ...


class Info(Protocol[DTypeT_co, DeviceT]):
    """What ``__array_namespace_info__`` returns."""

    def capabilities(self) -> Mapping[str, Any]: ...

    def default_device(self) -> DeviceT: ...

    def default_dtypes(self, *, device: DeviceT | None = None) -> Mapping[str, DTypeT_co]: ...

    def devices(self) -> Sequence[DeviceT]: ...

    def dtypes(
        self, *, device: DeviceT | None = None, kind: _Kind | tuple[_Kind, ...] | None = None
    ) -> Mapping[str, DTypeT_co]: ...


class Namespace(Protocol[ArrayT, DTypeT, DeviceT]):
    """A namespace of the array API standard 2025.12: a module that has its functions, data types and constants."""

    # --- generated from the rows of strictarray-standard: edit those, not this

    @property
    def e(self) -> float: ...

    @property
    def inf(self) -> float: ...

    @property
    def nan(self) -> float: ...

    @property
    def pi(self) -> float: ...

    @property
    def newaxis(self) -> None: ...

    @property
    def bool(self) -> DTypeT: ...

    @property
    def int8(self) -> DTypeT: ...

    @property
    def int16(self) -> DTypeT: ...

    @property
    def int32(self) -> DTypeT: ...

    @property
    def int64(self) -> DTypeT: ...

    @property
    def uint8(self) -> DTypeT: ...

    @property
    def uint16(self) -> DTypeT: ...

    @property
    def uint32(self) -> DTypeT: ...

    @property
    def uint64(self) -> DTypeT: ...

    @property
    def float32(self) -> DTypeT: ...

    @property
    def float64(self) -> DTypeT: ...

    @property
    def complex64(self) -> DTypeT: ...

    @property
    def complex128(self) -> DTypeT: ...

    def __array_namespace_info__(self) -> Info[DTypeT, DeviceT]:
        """What this namespace can do: its devices, data types, defaults and optional features."""

    def abs(self, x: ArrayT, /) -> ArrayT:
        """The absolute value; of a complex number its modulus."""

    def acos(self, x: ArrayT, /) -> ArrayT:
        """The angle in [0, pi] whose cosine is x; NaN outside [-1, 1], where a complex number has one of its own."""

    def acosh(self, x: ArrayT, /) -> ArrayT:
        """The inverse hyperbolic cosine, which is not negative; NaN below 1."""

    @overload
    def add(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT:
        """The sum."""

    @overload
    def add(self, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def all(self, x: ArrayT, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> ArrayT:
        """Whether no element is zero; a complex number is zero if both parts are."""

    def any(self, x: ArrayT, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> ArrayT:
        """Whether an element is not zero; a complex number is zero if both parts are."""

    def arange(
        self,
        start: float,
        /,
        stop: float | None = None,
        step: float = 1,
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT:
        """Evenly spaced values in the half-open interval [start, stop)."""

    def argmax(self, x: ArrayT, /, *, axis: int | None = None, keepdims: _bool = False) -> ArrayT:
        """The index of the first of the largest elements, or of the first NaN. No elements are refused."""

    def argmin(self, x: ArrayT, /, *, axis: int | None = None, keepdims: _bool = False) -> ArrayT:
        """The index of the first of the smallest elements, or of the first NaN. No elements are refused."""

    def argsort(self, x: ArrayT, /, *, axis: int = -1, descending: _bool = False, stable: _bool = True) -> ArrayT:
        """The indices that sort an array along an axis; NaNs count as greater than all numbers, both zeros as equal."""

    def asarray(
        self,
        obj: ArrayT | complex | _Nested | Buffer,
        /,
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
        copy: _bool | None = None,
    ) -> ArrayT:
        """Convert an array, a Python scalar, a (nested) sequence of Python scalars, or a buffer to an array."""

    def asin(self, x: ArrayT, /) -> ArrayT:
        """The angle in [-pi/2, pi/2] whose sine is x; NaN outside [-1, 1], where a complex number has one of its
        own."""

    def asinh(self, x: ArrayT, /) -> ArrayT:
        """The inverse hyperbolic sine."""

    def astype(self, x: ArrayT, dtype: DTypeT, /, *, copy: _bool = True, device: DeviceT | None = None) -> ArrayT:
        """Cast an array to a data type, whatever type promotion says; complex to real is refused."""

    def atan(self, x: ArrayT, /) -> ArrayT:
        """The angle in [-pi/2, pi/2] whose tangent is x."""

    @overload
    def atan2(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """The angle in [-pi, pi] of the point with the ordinate x1 and the abscissa x2; the signs of zeros count."""

    @overload
    def atan2(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def atanh(self, x: ArrayT, /) -> ArrayT:
        """The inverse hyperbolic tangent: infinite at -1 and 1, NaN beyond."""

    @overload
    def bitwise_and(self, x1: ArrayT, x2: ArrayT | int, /) -> ArrayT:
        """The bitwise AND."""

    @overload
    def bitwise_and(self, x1: int, x2: ArrayT, /) -> ArrayT: ...

    def bitwise_invert(self, x: ArrayT, /) -> ArrayT:
        """Every bit inverted; of bool the logical NOT."""

    @overload
    def bitwise_left_shift(self, x1: ArrayT, x2: ArrayT | int, /) -> ArrayT:
        """The bits of x1 shifted left by x2, which must be in [0, width)."""

    @overload
    def bitwise_left_shift(self, x1: int, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def bitwise_or(self, x1: ArrayT, x2: ArrayT | int, /) -> ArrayT:
        """The bitwise OR."""

    @overload
    def bitwise_or(self, x1: int, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def bitwise_right_shift(self, x1: ArrayT, x2: ArrayT | int, /) -> ArrayT:
        """The bits of x1 shifted right by x2, which must be in [0, width); the sign is kept."""

    @overload
    def bitwise_right_shift(self, x1: int, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def bitwise_xor(self, x1: ArrayT, x2: ArrayT | int, /) -> ArrayT:
        """The bitwise exclusive OR."""

    @overload
    def bitwise_xor(self, x1: int, x2: ArrayT, /) -> ArrayT: ...

    def broadcast_arrays(self, *arrays: ArrayT) -> tuple[ArrayT, ...]:
        """Arrays broadcast against one another."""

    def broadcast_shapes(self, *shapes: tuple[int, ...]) -> tuple[int, ...]:
        """The shape that shapes broadcast to."""

    def broadcast_to(self, x: ArrayT, /, shape: tuple[int, ...]) -> ArrayT:
        """An array broadcast to a shape."""

    def can_cast(self, from_: ArrayT | DTypeT, to: DTypeT, /) -> _bool:
        """Whether one data type can be cast to another by type promotion."""

    def ceil(self, x: ArrayT, /) -> ArrayT:
        """The smallest integer that is not less than x, in the data type of x."""

    def clip(self, x: ArrayT, /, min: ArrayT | float | None = None, max: ArrayT | float | None = None) -> ArrayT:
        """The value, or the bound that it is beyond; NaN where one of them is. No lower bound may exceed an upper
        one."""

    def concat(self, arrays: tuple[ArrayT, ...] | list[ArrayT], /, *, axis: int | None = 0) -> ArrayT:
        """Arrays joined along an axis that they have; their shapes are equal but for that axis."""

    def conj(self, x: ArrayT, /) -> ArrayT:
        """The complex conjugate; a real number is its own."""

    @overload
    def copysign(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """The magnitude of x1 with the sign of x2, also of zeros and NaN."""

    @overload
    def copysign(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def cos(self, x: ArrayT, /) -> ArrayT:
        """The cosine of an angle in radians; NaN of infinities."""

    def cosh(self, x: ArrayT, /) -> ArrayT:
        """The hyperbolic cosine."""

    def count_nonzero(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        keepdims: _bool = False,
    ) -> ArrayT:
        """How many elements are not zero (a complex number is zero if both parts are)."""

    def cumulative_prod(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | None = None,
        dtype: DTypeT | None = None,
        include_initial: _bool = False,
    ) -> ArrayT:
        """The products of the first elements along an axis, of one element more each time."""

    def cumulative_sum(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | None = None,
        dtype: DTypeT | None = None,
        include_initial: _bool = False,
    ) -> ArrayT:
        """The sums of the first elements along an axis, of one element more each time."""

    def diff(
        self,
        x: ArrayT,
        /,
        *,
        axis: int = -1,
        n: int = 1,
        prepend: ArrayT | None = None,
        append: ArrayT | None = None,
    ) -> ArrayT:
        """The differences of neighbours along an axis, taken n times."""

    @overload
    def divide(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT:
        """The quotient of floating-point numbers."""

    @overload
    def divide(self, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def empty(
        self,
        shape: int | tuple[int, ...],
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT:
        """An array whose values are not set."""

    def empty_like(self, x: ArrayT, /, *, dtype: DTypeT | None = None, device: DeviceT | None = None) -> ArrayT:
        """An array of the shape of x whose values are not set."""

    @overload
    def equal(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT:
        """Whether x1 == x2."""

    @overload
    def equal(self, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def exp(self, x: ArrayT, /) -> ArrayT:
        """e raised to the power of x."""

    def expand_dims(self, x: ArrayT, /, axis: int | tuple[int, ...]) -> ArrayT:
        """An array with new axes of size 1."""

    def expm1(self, x: ArrayT, /) -> ArrayT:
        """exp(x) - 1, exact also where x is near 0."""

    def eye(
        self,
        n_rows: int,
        n_cols: int | None = None,
        /,
        *,
        k: int = 0,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT:
        """A matrix with ones on one diagonal and zeros elsewhere."""

    def finfo(self, type: ArrayT | DTypeT, /) -> FInfo[DTypeT]:
        """Machine limits of a floating-point data type."""

    def flip(self, x: ArrayT, /, *, axis: int | tuple[int, ...] | None = None) -> ArrayT:
        """An array with the order of its elements reversed along axes."""

    def floor(self, x: ArrayT, /) -> ArrayT:
        """The largest integer that is not greater than x, in the data type of x."""

    @overload
    def floor_divide(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """The quotient, rounded towards minus infinity."""

    @overload
    def floor_divide(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def from_dlpack(self, x: _SupportsDLPack, /, *, device: DeviceT | None = None, copy: _bool | None = None) -> ArrayT:
        """An array that holds the data of another library's array, through DLPack."""

    def full(
        self,
        shape: int | tuple[int, ...],
        fill_value: complex,
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT:
        """An array filled with one value."""

    def full_like(
        self,
        x: ArrayT,
        /,
        fill_value: complex,
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT:
        """An array of the shape of x, filled with one value."""

    @overload
    def greater(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """Whether x1 > x2."""

    @overload
    def greater(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def greater_equal(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """Whether x1 >= x2."""

    @overload
    def greater_equal(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def hypot(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """The square root of x1² + x2², without overflow on the way; infinite where either is."""

    @overload
    def hypot(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def iinfo(self, type: ArrayT | DTypeT, /) -> IInfo[DTypeT]:
        """Machine limits of an integer data type."""

    def imag(self, x: ArrayT, /) -> ArrayT:
        """The imaginary part."""

    def isdtype(self, dtype: DTypeT, kind: DTypeT | _Kind | tuple[DTypeT | _Kind, ...]) -> _bool:
        """Whether a data type is of a kind."""

    def isfinite(self, x: ArrayT, /) -> ArrayT:
        """Whether x is neither infinite nor NaN, in both parts if complex."""

    @overload
    def isin(self, x1: ArrayT, x2: ArrayT | int, /, *, invert: _bool = False) -> ArrayT:
        """Whether each element of x1 is equal to an element of x2; one of the two may be a Python int."""

    @overload
    def isin(self, x1: int, x2: ArrayT, /, *, invert: _bool = False) -> ArrayT: ...

    def isinf(self, x: ArrayT, /) -> ArrayT:
        """Whether x, or a part of it, is infinite."""

    def isnan(self, x: ArrayT, /) -> ArrayT:
        """Whether x, or a part of it, is NaN."""

    @overload
    def less(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """Whether x1 < x2."""

    @overload
    def less(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def less_equal(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """Whether x1 <= x2."""

    @overload
    def less_equal(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def linspace(
        self,
        start: complex,
        stop: complex,
        /,
        num: int,
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
        endpoint: _bool = True,
    ) -> ArrayT:
        """Evenly spaced numbers over an interval."""

    def log(self, x: ArrayT, /) -> ArrayT:
        """The natural logarithm: -infinity of zeros, NaN of negative real numbers."""

    def log10(self, x: ArrayT, /) -> ArrayT:
        """The logarithm to base 10: -infinity of zeros, NaN of negative real numbers."""

    def log1p(self, x: ArrayT, /) -> ArrayT:
        """log(1 + x), exact also where x is near 0; -infinity of -1, NaN of real numbers below."""

    def log2(self, x: ArrayT, /) -> ArrayT:
        """The logarithm to base 2: -infinity of zeros, NaN of negative real numbers."""

    @overload
    def logaddexp(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """log(exp(x1) + exp(x2)), without overflow on the way."""

    @overload
    def logaddexp(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def logical_and(self, x1: ArrayT, x2: ArrayT | _bool, /) -> ArrayT:
        """Whether both are true."""

    @overload
    def logical_and(self, x1: _bool, x2: ArrayT, /) -> ArrayT: ...

    def logical_not(self, x: ArrayT, /) -> ArrayT:
        """Whether x is false."""

    @overload
    def logical_or(self, x1: ArrayT, x2: ArrayT | _bool, /) -> ArrayT:
        """Whether at least one is true."""

    @overload
    def logical_or(self, x1: _bool, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def logical_xor(self, x1: ArrayT, x2: ArrayT | _bool, /) -> ArrayT:
        """Whether exactly one is true."""

    @overload
    def logical_xor(self, x1: _bool, x2: ArrayT, /) -> ArrayT: ...

    def matmul(self, x1: ArrayT, x2: ArrayT, /) -> ArrayT:
        """The matrix product; leading axes broadcast, a vector counts as a row on the left and as a column on the
        right."""

    def matrix_transpose(self, x: ArrayT, /) -> ArrayT:
        """The transposes of matrices."""

    def max(self, x: ArrayT, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> ArrayT:
        """The largest element."""

    @overload
    def maximum(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """The larger of both; NaN where either is. Which of two zeros of different sign is taken is open."""

    @overload
    def maximum(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def mean(self, x: ArrayT, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> ArrayT:
        """The arithmetic mean."""

    def meshgrid(self, *arrays: ArrayT, indexing: Literal["xy", "ij"] = "xy") -> tuple[ArrayT, ...]:
        """Coordinate matrices from coordinate vectors."""

    def min(self, x: ArrayT, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> ArrayT:
        """The smallest element."""

    @overload
    def minimum(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """The smaller of both; NaN where either is. Which of two zeros of different sign is taken is open."""

    @overload
    def minimum(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def moveaxis(self, x: ArrayT, source: int | tuple[int, ...], destination: int | tuple[int, ...], /) -> ArrayT:
        """An array with some axes at other places; the others keep their order."""

    @overload
    def multiply(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT:
        """The product."""

    @overload
    def multiply(self, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def negative(self, x: ArrayT, /) -> ArrayT:
        """The value with the other sign."""

    @overload
    def nextafter(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """The next number after x1 towards x2, which has the same data type; x2 itself where they are equal."""

    @overload
    def nextafter(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def nonzero(self, x: ArrayT, /) -> tuple[ArrayT, ...]:
        """The indices of the elements that are not zero, in C order; a complex number is zero if both parts are."""

    @overload
    def not_equal(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT:
        """Whether x1 != x2."""

    @overload
    def not_equal(self, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def ones(
        self,
        shape: int | tuple[int, ...],
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT:
        """An array of ones."""

    def ones_like(self, x: ArrayT, /, *, dtype: DTypeT | None = None, device: DeviceT | None = None) -> ArrayT:
        """An array of ones of the shape of x."""

    def permute_dims(self, x: ArrayT, /, axes: tuple[int, ...]) -> ArrayT:
        """An array with its axes in another order."""

    def positive(self, x: ArrayT, /) -> ArrayT:
        """A copy of the value."""

    @overload
    def pow(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT:
        """x1 raised to the power of x2; negative exponents of integers are refused."""

    @overload
    def pow(self, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def prod(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        dtype: DTypeT | None = None,
        keepdims: _bool = False,
    ) -> ArrayT:
        """The product of elements. Before 2023.12 that of floating-point numbers has the default data type."""

    def real(self, x: ArrayT, /) -> ArrayT:
        """The real part; a real number is its own."""

    def reciprocal(self, x: ArrayT, /) -> ArrayT:
        """1 / x."""

    @overload
    def remainder(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT:
        """What remains of the floor division; it has the sign of x2."""

    @overload
    def remainder(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def repeat(self, x: ArrayT, repeats: int | ArrayT, /, *, axis: int | None = None) -> ArrayT:
        """An array with each element repeated."""

    def reshape(self, x: ArrayT, /, shape: tuple[int, ...], *, copy: _bool | None = None) -> ArrayT:
        """An array with its elements, in C order, in another shape."""

    def result_type(self, *arrays_and_dtypes: ArrayT | DTypeT | complex) -> DTypeT:
        """The data type that the arguments promote to."""

    def roll(self, x: ArrayT, /, shift: int | tuple[int, ...], *, axis: int | tuple[int, ...] | None = None) -> ArrayT:
        """An array with its elements shifted along axes; those that leave at one end come back at the other."""

    def round(self, x: ArrayT, /) -> ArrayT:
        """The nearest integer, in the data type of x; the even one of two as near. Of complex numbers by parts."""

    def searchsorted(
        self,
        x1: ArrayT,
        x2: ArrayT | float,
        /,
        *,
        side: Literal["left", "right"] = "left",
        sorter: ArrayT | None = None,
    ) -> ArrayT:
        """The indices at which values can be inserted into a sorted array so that it stays sorted; NaNs come last."""

    def sign(self, x: ArrayT, /) -> ArrayT:
        """-1, 0 or 1 as x is negative, zero or positive; of a complex number x / abs(x). NaN of NaN."""

    def signbit(self, x: ArrayT, /) -> ArrayT:
        """Whether the sign bit is set: of -0 and of negative NaN too."""

    def sin(self, x: ArrayT, /) -> ArrayT:
        """The sine of an angle in radians; NaN of infinities."""

    def sinh(self, x: ArrayT, /) -> ArrayT:
        """The hyperbolic sine."""

    def sort(self, x: ArrayT, /, *, axis: int = -1, descending: _bool = False, stable: _bool = True) -> ArrayT:
        """A sorted copy of an array; NaNs count as greater than all numbers, both zeros as equal."""

    def sqrt(self, x: ArrayT, /) -> ArrayT:
        """The principal square root; NaN of negative real numbers."""

    def square(self, x: ArrayT, /) -> ArrayT:
        """The product of x with itself."""

    def squeeze(self, x: ArrayT, /, axis: int | tuple[int, ...]) -> ArrayT:
        """An array without some of its axes of size 1."""

    def stack(self, arrays: tuple[ArrayT, ...] | list[ArrayT], /, *, axis: int = 0) -> ArrayT:
        """Arrays of one shape joined along a new axis."""

    def std(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        correction: float = 0.0,
        keepdims: _bool = False,
    ) -> ArrayT:
        """The standard deviation: the square root of the variance."""

    @overload
    def subtract(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT:
        """The difference."""

    @overload
    def subtract(self, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def sum(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        dtype: DTypeT | None = None,
        keepdims: _bool = False,
    ) -> ArrayT:
        """The sum of elements. Before 2023.12 that of floating-point numbers has the default data type."""

    def take(self, x: ArrayT, indices: ArrayT, /, *, axis: int | None = None) -> ArrayT:
        """The elements at positions along an axis."""

    def take_along_axis(self, x: ArrayT, indices: ArrayT, /, *, axis: int = -1) -> ArrayT:
        """The elements at positions along an axis, with positions of its own for each vector along it."""

    def tan(self, x: ArrayT, /) -> ArrayT:
        """The tangent of an angle in radians; NaN of infinities."""

    def tanh(self, x: ArrayT, /) -> ArrayT:
        """The hyperbolic tangent."""

    def tensordot(self, x1: ArrayT, x2: ArrayT, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> ArrayT:
        """The sum of products over pairs of axes of the same size."""

    def tile(self, x: ArrayT, repetitions: tuple[int, ...], /) -> ArrayT:
        """An array made of copies of another, side by side along each axis."""

    def tril(self, x: ArrayT, /, *, k: int = 0) -> ArrayT:
        """The lower triangle of matrices, zeros elsewhere."""

    def triu(self, x: ArrayT, /, *, k: int = 0) -> ArrayT:
        """The upper triangle of matrices, zeros elsewhere."""

    def trunc(self, x: ArrayT, /) -> ArrayT:
        """The integer part, in the data type of x."""

    def unique_all(self, x: ArrayT, /) -> UniqueAll[ArrayT]:
        """The different elements, where each occurs first, which of them every element is, and how often each
        occurs."""

    def unique_counts(self, x: ArrayT, /) -> UniqueCounts[ArrayT]:
        """The different elements and how often each occurs."""

    def unique_inverse(self, x: ArrayT, /) -> UniqueInverse[ArrayT]:
        """The different elements and which of them every element is."""

    def unique_values(self, x: ArrayT, /) -> ArrayT:
        """The different elements."""

    def unstack(self, x: ArrayT, /, *, axis: int = 0) -> tuple[ArrayT, ...]:
        """An array split along an axis, which goes away."""

    def var(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        correction: float = 0.0,
        keepdims: _bool = False,
    ) -> ArrayT:
        """The variance: the mean of the squared distances from the mean."""

    def vecdot(self, x1: ArrayT, x2: ArrayT, /, *, axis: int = -1) -> ArrayT:
        """The dot products of vectors."""

    @overload
    def where(self, condition: ArrayT, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT:
        """The elements of one array or another, depending on a condition; one of the two may be a Python scalar
        (since 2024.12)."""

    @overload
    def where(self, condition: ArrayT, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def zeros(
        self,
        shape: int | tuple[int, ...],
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT:
        """An array of zeros."""

    def zeros_like(self, x: ArrayT, /, *, dtype: DTypeT | None = None, device: DeviceT | None = None) -> ArrayT:
        """An array of zeros of the shape of x."""

    # --- end of what is generated


class Linalg(Protocol[ArrayT, DTypeT_contra]):
    """The extension ``linalg`` of a namespace of the array API standard 2025.12."""

    # --- generated from the rows of strictarray-standard: edit those, not this

    def cholesky(self, x: ArrayT, /, *, upper: _bool = False) -> ArrayT:
        """The Cholesky decompositions of positive definite symmetric or Hermitian matrices."""

    def cross(self, x1: ArrayT, x2: ArrayT, /, *, axis: int = -1) -> ArrayT:
        """The cross products of vectors."""

    def det(self, x: ArrayT, /) -> ArrayT:
        """The determinants of square matrices."""

    def diagonal(self, x: ArrayT, /, *, offset: int = 0) -> ArrayT:
        """A diagonal of each matrix."""

    def eig(self, x: ArrayT, /) -> Eigen[ArrayT]:
        """The eigenvalues and eigenvectors of square matrices: x v = λ v."""

    def eigh(self, x: ArrayT, /) -> Eigen[ArrayT]:
        """The eigenvalues and eigenvectors of symmetric or Hermitian matrices: x = Q Λ Qᴴ."""

    def eigvals(self, x: ArrayT, /) -> ArrayT:
        """The eigenvalues of square matrices."""

    def eigvalsh(self, x: ArrayT, /) -> ArrayT:
        """The eigenvalues of symmetric or Hermitian matrices."""

    def inv(self, x: ArrayT, /) -> ArrayT:
        """The inverses of square matrices; those of nearly singular ones are far off, and not refused."""

    def matmul(self, x1: ArrayT, x2: ArrayT, /) -> ArrayT:
        """The matrix product; leading axes broadcast, a vector counts as a row on the left and as a column on the
        right."""

    def matrix_norm(
        self,
        x: ArrayT,
        /,
        *,
        keepdims: _bool = False,
        ord: float | Literal["fro", "nuc"] = "fro",
    ) -> ArrayT:
        """The norms of matrices."""

    def matrix_power(self, x: ArrayT, n: int, /) -> ArrayT:
        """The powers of square matrices."""

    def matrix_rank(self, x: ArrayT, /, *, rtol: ArrayT | float | None = None) -> ArrayT:
        """The ranks of matrices: how many singular values are not 0."""

    def matrix_transpose(self, x: ArrayT, /) -> ArrayT:
        """The transposes of matrices."""

    def outer(self, x1: ArrayT, x2: ArrayT, /) -> ArrayT:
        """The outer product of two vectors: each element of one times each of the other."""

    def pinv(self, x: ArrayT, /, *, rtol: ArrayT | float | None = None) -> ArrayT:
        """The pseudo-inverses (Moore and Penrose) of matrices."""

    def qr(self, x: ArrayT, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QR[ArrayT]:
        """The QR decompositions of matrices: x = Q R."""

    def slogdet(self, x: ArrayT, /) -> SlogDet[ArrayT]:
        """The signs of the determinants of square matrices, and the logarithms of their magnitudes."""

    def solve(self, x1: ArrayT, x2: ArrayT, /) -> ArrayT:
        """The solutions of systems of linear equations: A X = B."""

    def svd(self, x: ArrayT, /, *, full_matrices: _bool = True) -> SVD[ArrayT]:
        """The singular value decompositions of matrices: x = U S Vh."""

    def svdvals(self, x: ArrayT, /) -> ArrayT:
        """The singular values of matrices."""

    def tensordot(self, x1: ArrayT, x2: ArrayT, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> ArrayT:
        """The sum of products over pairs of axes of the same size."""

    def trace(self, x: ArrayT, /, *, offset: int = 0, dtype: DTypeT_contra | None = None) -> ArrayT:
        """The sum along a diagonal of each matrix."""

    def vecdot(self, x1: ArrayT, x2: ArrayT, /, *, axis: int = -1) -> ArrayT:
        """The dot products of vectors."""

    def vector_norm(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        keepdims: _bool = False,
        ord: float = 2,
    ) -> ArrayT:
        """The norms of vectors."""

    # --- end of what is generated


class FFT(Protocol[ArrayT, DTypeT_contra, DeviceT_contra]):
    """The extension ``fft`` of a namespace of the array API standard 2025.12."""

    # --- generated from the rows of strictarray-standard: edit those, not this

    def fft(
        self,
        x: ArrayT,
        /,
        *,
        n: int | None = None,
        axis: int = -1,
        norm: Literal["backward", "ortho", "forward"] = "backward",
    ) -> ArrayT:
        """The discrete Fourier transform along an axis: at k the sum of x[j] * exp(-2πi * j * k / n)."""

    def fftfreq(
        self,
        n: int,
        /,
        *,
        d: float = 1.0,
        dtype: DTypeT_contra | None = None,
        device: DeviceT_contra | None = None,
    ) -> ArrayT:
        """The frequencies that the elements of fft belong to: 0, 1, … and from the middle on those below 0, divided
        by d * n."""

    def fftn(
        self,
        x: ArrayT,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: Literal["backward", "ortho", "forward"] = "backward",
    ) -> ArrayT:
        """The discrete Fourier transform along several axes."""

    def fftshift(self, x: ArrayT, /, *, axes: int | Sequence[int] | None = None) -> ArrayT:
        """The elements shifted along axes so that the first one, that of frequency 0, comes to the middle."""

    def hfft(
        self,
        x: ArrayT,
        /,
        *,
        n: int | None = None,
        axis: int = -1,
        norm: Literal["backward", "ortho", "forward"] = "backward",
    ) -> ArrayT:
        """The discrete Fourier transform along an axis of what has Hermitian symmetry: of it, its first half is
        given."""

    def ifft(
        self,
        x: ArrayT,
        /,
        *,
        n: int | None = None,
        axis: int = -1,
        norm: Literal["backward", "ortho", "forward"] = "backward",
    ) -> ArrayT:
        """The inverse of fft along an axis: at j the sum of x[k] * exp(2πi * j * k / n), divided by n."""

    def ifftn(
        self,
        x: ArrayT,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: Literal["backward", "ortho", "forward"] = "backward",
    ) -> ArrayT:
        """The inverse of fftn along several axes."""

    def ifftshift(self, x: ArrayT, /, *, axes: int | Sequence[int] | None = None) -> ArrayT:
        """The inverse of fftshift."""

    def ihfft(
        self,
        x: ArrayT,
        /,
        *,
        n: int | None = None,
        axis: int = -1,
        norm: Literal["backward", "ortho", "forward"] = "backward",
    ) -> ArrayT:
        """The inverse of hfft along an axis: the first half of what has Hermitian symmetry."""

    def irfft(
        self,
        x: ArrayT,
        /,
        *,
        n: int | None = None,
        axis: int = -1,
        norm: Literal["backward", "ortho", "forward"] = "backward",
    ) -> ArrayT:
        """The inverse of rfft along an axis. The first element, and the last one where n is even, count as real."""

    def irfftn(
        self,
        x: ArrayT,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: Literal["backward", "ortho", "forward"] = "backward",
    ) -> ArrayT:
        """The inverse of rfftn along several axes."""

    def rfft(
        self,
        x: ArrayT,
        /,
        *,
        n: int | None = None,
        axis: int = -1,
        norm: Literal["backward", "ortho", "forward"] = "backward",
    ) -> ArrayT:
        """The discrete Fourier transform of real numbers along an axis: its first half, which the rest mirrors."""

    def rfftfreq(
        self,
        n: int,
        /,
        *,
        d: float = 1.0,
        dtype: DTypeT_contra | None = None,
        device: DeviceT_contra | None = None,
    ) -> ArrayT:
        """The frequencies that the elements of rfft belong to: 0, 1, … up to n//2, divided by d * n."""

    def rfftn(
        self,
        x: ArrayT,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: Literal["backward", "ortho", "forward"] = "backward",
    ) -> ArrayT:
        """The discrete Fourier transform of real numbers along several axes: along the last one its first half."""

    # --- end of what is generated


class NamespaceWithLinalg(Namespace[ArrayT, DTypeT, DeviceT], Protocol[ArrayT, DTypeT, DeviceT]):
    """A namespace that has the extension ``linalg``, which the standard leaves to each library."""

    @property
    def linalg(self) -> Linalg[ArrayT, DTypeT]: ...


class NamespaceWithFFT(Namespace[ArrayT, DTypeT, DeviceT], Protocol[ArrayT, DTypeT, DeviceT]):
    """A namespace that has the extension ``fft``, which the standard leaves to each library."""

    @property
    def fft(self) -> FFT[ArrayT, DTypeT, DeviceT]: ...


class NamespaceWithExtensions(
    NamespaceWithLinalg[ArrayT, DTypeT, DeviceT],
    NamespaceWithFFT[ArrayT, DTypeT, DeviceT],
    Protocol[ArrayT, DTypeT, DeviceT],
):
    """A namespace that has both extensions."""
