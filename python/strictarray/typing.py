"""Names for annotations: the classes of strictarray's objects, and the protocol of an array namespace.

The standard gives these classes no names, so the namespace ``strictarray`` has none either; they are here::

    from strictarray.typing import Array, Namespace

    def standardise(x: Array, xp: Namespace) -> Array:
        return (x - xp.mean(x)) / xp.std(x)

``Namespace`` alone is a namespace of strictarray's own arrays: a type checker then refuses what the standard does not
have. ``Namespace[ArrayT, DTypeT, DeviceT]`` is one of any library's.
"""

from __future__ import annotations

from builtins import bool as _bool
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

from strictarray._results import UniqueAllResult, UniqueCountsResult, UniqueInverseResult
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
else:
    from typing import TypeVar

    # Defaults of type variables came with Python 3.13.
    ArrayT = TypeVar("ArrayT")
    DTypeT = TypeVar("DTypeT")
    DeviceT = TypeVar("DeviceT")
    ArrayT_co = TypeVar("ArrayT_co", covariant=True)
    DTypeT_co = TypeVar("DTypeT_co", covariant=True)

__all__ = [
    "Array",
    "DType",
    "Device",
    "FInfo",
    "IInfo",
    "Info",
    "Namespace",
    "NamespaceInfo",
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

    def __array_namespace_info__(self) -> Info[DTypeT, DeviceT]: ...

    def abs(self, x: ArrayT, /) -> ArrayT: ...

    def acos(self, x: ArrayT, /) -> ArrayT: ...

    def acosh(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def add(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT: ...

    @overload
    def add(self, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def all(self, x: ArrayT, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> ArrayT: ...

    def any(self, x: ArrayT, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> ArrayT: ...

    def arange(
        self,
        start: float,
        /,
        stop: float | None = None,
        step: float = 1,
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT: ...

    def argmax(self, x: ArrayT, /, *, axis: int | None = None, keepdims: _bool = False) -> ArrayT: ...

    def argmin(self, x: ArrayT, /, *, axis: int | None = None, keepdims: _bool = False) -> ArrayT: ...

    def argsort(self, x: ArrayT, /, *, axis: int = -1, descending: _bool = False, stable: _bool = True) -> ArrayT: ...

    def asarray(
        self,
        obj: ArrayT | complex | _Nested | Buffer,
        /,
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
        copy: _bool | None = None,
    ) -> ArrayT: ...

    def asin(self, x: ArrayT, /) -> ArrayT: ...

    def asinh(self, x: ArrayT, /) -> ArrayT: ...

    def astype(self, x: ArrayT, dtype: DTypeT, /, *, copy: _bool = True, device: DeviceT | None = None) -> ArrayT: ...

    def atan(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def atan2(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

    @overload
    def atan2(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def atanh(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def bitwise_and(self, x1: ArrayT, x2: ArrayT | int, /) -> ArrayT: ...

    @overload
    def bitwise_and(self, x1: int, x2: ArrayT, /) -> ArrayT: ...

    def bitwise_invert(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def bitwise_left_shift(self, x1: ArrayT, x2: ArrayT | int, /) -> ArrayT: ...

    @overload
    def bitwise_left_shift(self, x1: int, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def bitwise_or(self, x1: ArrayT, x2: ArrayT | int, /) -> ArrayT: ...

    @overload
    def bitwise_or(self, x1: int, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def bitwise_right_shift(self, x1: ArrayT, x2: ArrayT | int, /) -> ArrayT: ...

    @overload
    def bitwise_right_shift(self, x1: int, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def bitwise_xor(self, x1: ArrayT, x2: ArrayT | int, /) -> ArrayT: ...

    @overload
    def bitwise_xor(self, x1: int, x2: ArrayT, /) -> ArrayT: ...

    def broadcast_arrays(self, *arrays: ArrayT) -> tuple[ArrayT, ...]: ...

    def broadcast_shapes(self, *shapes: tuple[int, ...]) -> tuple[int, ...]: ...

    def broadcast_to(self, x: ArrayT, /, shape: tuple[int, ...]) -> ArrayT: ...

    def can_cast(self, from_: ArrayT | DTypeT, to: DTypeT, /) -> _bool: ...

    def ceil(self, x: ArrayT, /) -> ArrayT: ...

    def clip(self, x: ArrayT, /, min: ArrayT | float | None = None, max: ArrayT | float | None = None) -> ArrayT: ...

    def concat(self, arrays: tuple[ArrayT, ...] | list[ArrayT], /, *, axis: int | None = 0) -> ArrayT: ...

    def conj(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def copysign(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

    @overload
    def copysign(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def cos(self, x: ArrayT, /) -> ArrayT: ...

    def cosh(self, x: ArrayT, /) -> ArrayT: ...

    def count_nonzero(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        keepdims: _bool = False,
    ) -> ArrayT: ...

    def cumulative_prod(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | None = None,
        dtype: DTypeT | None = None,
        include_initial: _bool = False,
    ) -> ArrayT: ...

    def cumulative_sum(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | None = None,
        dtype: DTypeT | None = None,
        include_initial: _bool = False,
    ) -> ArrayT: ...

    def diff(
        self,
        x: ArrayT,
        /,
        *,
        axis: int = -1,
        n: int = 1,
        prepend: ArrayT | None = None,
        append: ArrayT | None = None,
    ) -> ArrayT: ...

    @overload
    def divide(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT: ...

    @overload
    def divide(self, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def empty(
        self,
        shape: int | tuple[int, ...],
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT: ...

    def empty_like(self, x: ArrayT, /, *, dtype: DTypeT | None = None, device: DeviceT | None = None) -> ArrayT: ...

    @overload
    def equal(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT: ...

    @overload
    def equal(self, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def exp(self, x: ArrayT, /) -> ArrayT: ...

    def expand_dims(self, x: ArrayT, /, axis: int | tuple[int, ...]) -> ArrayT: ...

    def expm1(self, x: ArrayT, /) -> ArrayT: ...

    def eye(
        self,
        n_rows: int,
        n_cols: int | None = None,
        /,
        *,
        k: int = 0,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT: ...

    def finfo(self, type: ArrayT | DTypeT, /) -> FInfo[DTypeT]: ...

    def flip(self, x: ArrayT, /, *, axis: int | tuple[int, ...] | None = None) -> ArrayT: ...

    def floor(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def floor_divide(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

    @overload
    def floor_divide(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def from_dlpack(
        self,
        x: _SupportsDLPack,
        /,
        *,
        device: DeviceT | None = None,
        copy: _bool | None = None,
    ) -> ArrayT: ...

    def full(
        self,
        shape: int | tuple[int, ...],
        fill_value: complex,
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT: ...

    def full_like(
        self,
        x: ArrayT,
        /,
        fill_value: complex,
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT: ...

    @overload
    def greater(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

    @overload
    def greater(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def greater_equal(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

    @overload
    def greater_equal(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def hypot(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

    @overload
    def hypot(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def iinfo(self, type: ArrayT | DTypeT, /) -> IInfo[DTypeT]: ...

    def imag(self, x: ArrayT, /) -> ArrayT: ...

    def isdtype(self, dtype: DTypeT, kind: DTypeT | _Kind | tuple[DTypeT | _Kind, ...]) -> _bool: ...

    def isfinite(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def isin(self, x1: ArrayT, x2: ArrayT | int, /, *, invert: _bool = False) -> ArrayT: ...

    @overload
    def isin(self, x1: int, x2: ArrayT, /, *, invert: _bool = False) -> ArrayT: ...

    def isinf(self, x: ArrayT, /) -> ArrayT: ...

    def isnan(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def less(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

    @overload
    def less(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def less_equal(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

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
    ) -> ArrayT: ...

    def log(self, x: ArrayT, /) -> ArrayT: ...

    def log10(self, x: ArrayT, /) -> ArrayT: ...

    def log1p(self, x: ArrayT, /) -> ArrayT: ...

    def log2(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def logaddexp(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

    @overload
    def logaddexp(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def logical_and(self, x1: ArrayT, x2: ArrayT | _bool, /) -> ArrayT: ...

    @overload
    def logical_and(self, x1: _bool, x2: ArrayT, /) -> ArrayT: ...

    def logical_not(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def logical_or(self, x1: ArrayT, x2: ArrayT | _bool, /) -> ArrayT: ...

    @overload
    def logical_or(self, x1: _bool, x2: ArrayT, /) -> ArrayT: ...

    @overload
    def logical_xor(self, x1: ArrayT, x2: ArrayT | _bool, /) -> ArrayT: ...

    @overload
    def logical_xor(self, x1: _bool, x2: ArrayT, /) -> ArrayT: ...

    def matmul(self, x1: ArrayT, x2: ArrayT, /) -> ArrayT: ...

    def matrix_transpose(self, x: ArrayT, /) -> ArrayT: ...

    def max(self, x: ArrayT, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> ArrayT: ...

    @overload
    def maximum(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

    @overload
    def maximum(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def mean(self, x: ArrayT, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> ArrayT: ...

    def meshgrid(self, *arrays: ArrayT, indexing: Literal["xy", "ij"] = "xy") -> tuple[ArrayT, ...]: ...

    def min(self, x: ArrayT, /, *, axis: int | tuple[int, ...] | None = None, keepdims: _bool = False) -> ArrayT: ...

    @overload
    def minimum(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

    @overload
    def minimum(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def moveaxis(self, x: ArrayT, source: int | tuple[int, ...], destination: int | tuple[int, ...], /) -> ArrayT: ...

    @overload
    def multiply(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT: ...

    @overload
    def multiply(self, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def negative(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def nextafter(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

    @overload
    def nextafter(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def nonzero(self, x: ArrayT, /) -> tuple[ArrayT, ...]: ...

    @overload
    def not_equal(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT: ...

    @overload
    def not_equal(self, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def ones(
        self,
        shape: int | tuple[int, ...],
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT: ...

    def ones_like(self, x: ArrayT, /, *, dtype: DTypeT | None = None, device: DeviceT | None = None) -> ArrayT: ...

    def permute_dims(self, x: ArrayT, /, axes: tuple[int, ...]) -> ArrayT: ...

    def positive(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def pow(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT: ...

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
    ) -> ArrayT: ...

    def real(self, x: ArrayT, /) -> ArrayT: ...

    def reciprocal(self, x: ArrayT, /) -> ArrayT: ...

    @overload
    def remainder(self, x1: ArrayT, x2: ArrayT | float, /) -> ArrayT: ...

    @overload
    def remainder(self, x1: float, x2: ArrayT, /) -> ArrayT: ...

    def repeat(self, x: ArrayT, repeats: int | ArrayT, /, *, axis: int | None = None) -> ArrayT: ...

    def reshape(self, x: ArrayT, /, shape: tuple[int, ...], *, copy: _bool | None = None) -> ArrayT: ...

    def result_type(self, *arrays_and_dtypes: ArrayT | DTypeT | complex) -> DTypeT: ...

    def roll(
        self,
        x: ArrayT,
        /,
        shift: int | tuple[int, ...],
        *,
        axis: int | tuple[int, ...] | None = None,
    ) -> ArrayT: ...

    def round(self, x: ArrayT, /) -> ArrayT: ...

    def searchsorted(
        self,
        x1: ArrayT,
        x2: ArrayT | float,
        /,
        *,
        side: Literal["left", "right"] = "left",
        sorter: ArrayT | None = None,
    ) -> ArrayT: ...

    def sign(self, x: ArrayT, /) -> ArrayT: ...

    def signbit(self, x: ArrayT, /) -> ArrayT: ...

    def sin(self, x: ArrayT, /) -> ArrayT: ...

    def sinh(self, x: ArrayT, /) -> ArrayT: ...

    def sort(self, x: ArrayT, /, *, axis: int = -1, descending: _bool = False, stable: _bool = True) -> ArrayT: ...

    def sqrt(self, x: ArrayT, /) -> ArrayT: ...

    def square(self, x: ArrayT, /) -> ArrayT: ...

    def squeeze(self, x: ArrayT, /, axis: int | tuple[int, ...]) -> ArrayT: ...

    def stack(self, arrays: tuple[ArrayT, ...] | list[ArrayT], /, *, axis: int = 0) -> ArrayT: ...

    def std(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        correction: float = 0.0,
        keepdims: _bool = False,
    ) -> ArrayT: ...

    @overload
    def subtract(self, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT: ...

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
    ) -> ArrayT: ...

    def take(self, x: ArrayT, indices: ArrayT, /, *, axis: int | None = None) -> ArrayT: ...

    def take_along_axis(self, x: ArrayT, indices: ArrayT, /, *, axis: int = -1) -> ArrayT: ...

    def tan(self, x: ArrayT, /) -> ArrayT: ...

    def tanh(self, x: ArrayT, /) -> ArrayT: ...

    def tensordot(
        self,
        x1: ArrayT,
        x2: ArrayT,
        /,
        *,
        axes: int | tuple[Sequence[int], Sequence[int]] = 2,
    ) -> ArrayT: ...

    def tile(self, x: ArrayT, repetitions: tuple[int, ...], /) -> ArrayT: ...

    def tril(self, x: ArrayT, /, *, k: int = 0) -> ArrayT: ...

    def triu(self, x: ArrayT, /, *, k: int = 0) -> ArrayT: ...

    def trunc(self, x: ArrayT, /) -> ArrayT: ...

    def unique_all(self, x: ArrayT, /) -> UniqueAll[ArrayT]: ...

    def unique_counts(self, x: ArrayT, /) -> UniqueCounts[ArrayT]: ...

    def unique_inverse(self, x: ArrayT, /) -> UniqueInverse[ArrayT]: ...

    def unique_values(self, x: ArrayT, /) -> ArrayT: ...

    def unstack(self, x: ArrayT, /, *, axis: int = 0) -> tuple[ArrayT, ...]: ...

    def var(
        self,
        x: ArrayT,
        /,
        *,
        axis: int | tuple[int, ...] | None = None,
        correction: float = 0.0,
        keepdims: _bool = False,
    ) -> ArrayT: ...

    def vecdot(self, x1: ArrayT, x2: ArrayT, /, *, axis: int = -1) -> ArrayT: ...

    @overload
    def where(self, condition: ArrayT, x1: ArrayT, x2: ArrayT | complex, /) -> ArrayT: ...

    @overload
    def where(self, condition: ArrayT, x1: complex, x2: ArrayT, /) -> ArrayT: ...

    def zeros(
        self,
        shape: int | tuple[int, ...],
        *,
        dtype: DTypeT | None = None,
        device: DeviceT | None = None,
    ) -> ArrayT: ...

    def zeros_like(self, x: ArrayT, /, *, dtype: DTypeT | None = None, device: DeviceT | None = None) -> ArrayT: ...

    # --- end of what is generated
