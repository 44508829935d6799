"""The compiled part of strictarray. Its names are private; import `strictarray`.

The classes of its objects are here, for type checkers and for annotations under ``if TYPE_CHECKING``: the namespace of
the array API standard has no names for them.
"""

from collections.abc import Callable, Iterable, Iterator
from types import EllipsisType, ModuleType
from typing import (
    Any,
    ClassVar,
    Literal,
    Never,
    NoReturn,
    NotRequired,
    Self,
    SupportsIndex,
    TypeAlias,
    TypedDict,
    final,
    type_check_only,
)

from typing_extensions import Buffer, CapsuleType

from ._dlpack import DLDeviceType
from .typing import Namespace

__all__ = [
    "Array",
    "ArrayAPIStrictFlags",
    "AxisError",
    "CopyRefusedError",
    "DType",
    "Device",
    "LaterArgumentError",
    "LinAlgError",
    "NamespaceInfo",
    "NoSuchValueError",
    "_add_hook",
    "_counts",
    "_device",
    "_dtype",
    "_get_compat",
    "_install",
    "_mode",
    "_namespace",
    "_rebuild",
    "_register_mode",
    "_relaxations",
    "_remove_hook",
    "_rows",
    "_set_compat",
    "finfo_object",
    "iinfo_object",
]

_Kind: TypeAlias = Literal[
    "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"
]
_Bound: TypeAlias = SupportsIndex | None
_Index: TypeAlias = SupportsIndex | slice[_Bound, _Bound, _Bound] | EllipsisType
_Key: TypeAlias = Array | _Index | tuple[Array | _Index | None, ...] | None
_AssignKey: TypeAlias = Array | _Index | tuple[_Index, ...]
_Hook: TypeAlias = Callable[..., object]

_Capabilities = TypedDict(
    "_Capabilities",
    {"boolean indexing": bool, "data-dependent shapes": bool, "max dimensions": NotRequired[int]},
)

@type_check_only
class _Lender:
    """The buffer protocol: a slot of C, which Python shows as a method since 3.12."""

    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Array(_Lender):
    """An n-dimensional array of the array API standard, on an emulated device.

    Arrays are made by creation functions such as `asarray`.
    """

    __array_ufunc__: ClassVar[None]
    __dlpack_c_exchange_api__: ClassVar[CapsuleType]

    def __new__(cls, *args: Never, **kwargs: Never) -> NoReturn: ...
    @property
    def dtype(self) -> DType:
        """The data type of the elements."""

    @property
    def device(self) -> Device:
        """The device that the array is on."""

    @property
    def ndim(self) -> int:
        """The number of axes."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes, as a tuple."""

    @property
    def size(self) -> int:
        """The number of elements."""

    @property
    def T(self) -> Array:
        """The transpose of a matrix; exactly two axes are required."""

    @property
    def mT(self) -> Array:
        """The transposes of a stack of matrices: the last two axes are swapped."""

    def to_device(self, device: Device, /, *, stream: None = None) -> Array:
        """A copy on another device; on its own device the array itself."""

    # Indexing. An array of one axis iterates over its elements; `in` is refused.
    def __getitem__(self, key: _Key, /) -> Array: ...
    def __setitem__(self, key: _AssignKey, value: Array | complex, /) -> None: ...
    def __iter__(self) -> Iterator[Array]: ...
    def __contains__(self, key: Never, /) -> NoReturn: ...

    # Arithmetic
    def __abs__(self) -> Array: ...
    def __neg__(self) -> Array: ...
    def __pos__(self) -> Array: ...
    def __add__(self, value: Array | complex, /) -> Array: ...
    def __radd__(self, value: complex, /) -> Array: ...
    def __iadd__(self, value: Array | complex, /) -> Self: ...
    def __sub__(self, value: Array | complex, /) -> Array: ...
    def __rsub__(self, value: complex, /) -> Array: ...
    def __isub__(self, value: Array | complex, /) -> Self: ...
    def __mul__(self, value: Array | complex, /) -> Array: ...
    def __rmul__(self, value: complex, /) -> Array: ...
    def __imul__(self, value: Array | complex, /) -> Self: ...
    def __truediv__(self, value: Array | complex, /) -> Array: ...
    def __rtruediv__(self, value: complex, /) -> Array: ...
    def __itruediv__(self, value: Array | complex, /) -> Self: ...
    def __floordiv__(self, value: Array | float, /) -> Array: ...
    def __rfloordiv__(self, value: float, /) -> Array: ...
    def __ifloordiv__(self, value: Array | float, /) -> Self: ...
    def __mod__(self, value: Array | float, /) -> Array: ...
    def __rmod__(self, value: float, /) -> Array: ...
    def __imod__(self, value: Array | float, /) -> Self: ...
    def __pow__(self, value: Array | complex, mod: None = None, /) -> Array: ...
    def __rpow__(self, value: complex, mod: None = None, /) -> Array: ...
    def __ipow__(self, value: Array | complex, /) -> Self: ...  # type: ignore[misc]
    def __matmul__(self, value: Array, /) -> Array: ...
    def __rmatmul__(self, value: Never, /) -> Array: ...
    def __imatmul__(self, value: Array, /) -> Self: ...

    # Bits, of integers and bool
    def __invert__(self) -> Array: ...
    def __and__(self, value: Array | int, /) -> Array: ...
    def __rand__(self, value: int, /) -> Array: ...
    def __iand__(self, value: Array | int, /) -> Self: ...
    def __or__(self, value: Array | int, /) -> Array: ...
    def __ror__(self, value: int, /) -> Array: ...
    def __ior__(self, value: Array | int, /) -> Self: ...
    def __xor__(self, value: Array | int, /) -> Array: ...
    def __rxor__(self, value: int, /) -> Array: ...
    def __ixor__(self, value: Array | int, /) -> Self: ...
    def __lshift__(self, value: Array | int, /) -> Array: ...
    def __rlshift__(self, value: int, /) -> Array: ...
    def __ilshift__(self, value: Array | int, /) -> Self: ...
    def __rshift__(self, value: Array | int, /) -> Array: ...
    def __rrshift__(self, value: int, /) -> Array: ...
    def __irshift__(self, value: Array | int, /) -> Self: ...

    # Comparisons give arrays: what `object` says of == and != does not hold.
    def __eq__(self, value: Array | complex, /) -> Array: ...  # type: ignore[override]
    def __ne__(self, value: Array | complex, /) -> Array: ...  # type: ignore[override]
    def __lt__(self, value: Array | float, /) -> Array: ...
    def __le__(self, value: Array | float, /) -> Array: ...
    def __gt__(self, value: Array | float, /) -> Array: ...
    def __ge__(self, value: Array | float, /) -> Array: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

    # Python scalars, of arrays without axes
    def __bool__(self) -> bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int: ...

    # Protocols
    def __array_namespace__(self, /, *, api_version: str | None = None) -> Namespace:
        """The namespace of the standard that the array belongs to."""

    def __dlpack__(
        self,
        /,
        *,
        stream: None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> CapsuleType:
        """A DLPack capsule of the data."""

    def __dlpack_device__(self, /) -> tuple[DLDeviceType, int]:
        """The device in DLPack's terms: `(DLDeviceType.CPU, 0)` for each, because all memory is the host's."""

    def __array__(self, /, dtype: Any = None, copy: bool | None = None) -> Any:
        """NumPy's view of an array on the CPU: it shares memory unless a dtype or `copy` asks for a copy."""

    def __copy__(self, /) -> Array: ...
    def __deepcopy__(self, memo: object, /) -> Array: ...
    def __format__(self, spec: str, /) -> str: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...
    def __reduce_ex__(self, protocol: SupportsIndex, /) -> tuple[Any, ...]: ...

@final
class DType:
    """A data type of the array API standard."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...

@final
class Device:
    """An emulated device, with memory of its own."""

    def __new__(cls, device: str = "CPU_DEVICE") -> Self: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...

@final
class ArrayAPIStrictFlags:
    """A block in which flags have other values: in this thread or asyncio task only.

    Blocks may end out of order: one that is still open keeps its flags.
    """

    def __new__(
        cls,
        *,
        api_version: str | None = None,
        boolean_indexing: bool | None = None,
        data_dependent_shapes: bool | None = None,
        enabled_extensions: Iterable[str] | None = None,
    ) -> Self: ...
    def __enter__(self, /) -> None: ...
    def __exit__(self, /, *exc: object) -> None: ...

@final
class NamespaceInfo:
    """What the namespace can do."""

    def capabilities(self, /) -> _Capabilities:
        """The optional features."""

    def default_device(self, /) -> Device:
        """The device that functions use when none is given."""

    def default_dtypes(self, /, *, device: Device | None = None) -> dict[str, DType]:
        """The default data types of a device."""

    def devices(self, /) -> tuple[Device, ...]:
        """The devices: a tuple (a list before 2025.12)."""

    def dtypes(
        self, /, *, device: Device | None = None, kind: _Kind | tuple[_Kind, ...] | None = None
    ) -> dict[str, DType]:
        """The data types of a device, by name: all, or those of a kind."""

@final
class finfo_object:
    """Machine limits of a floating-point data type."""

    @property
    def bits(self) -> int:
        """Number of bits of a real number (of one part, for a complex data type)."""

    @property
    def eps(self) -> float:
        """Distance of 1 and the next larger number."""

    @property
    def max(self) -> float:
        """Largest number."""

    @property
    def min(self) -> float:
        """Smallest number, the negative of `max`."""

    @property
    def smallest_normal(self) -> float:
        """Smallest positive number with full precision."""

    @property
    def dtype(self) -> DType:
        """The real data type."""

@final
class iinfo_object:
    """Machine limits of an integer data type."""

    @property
    def bits(self) -> int:
        """Number of bits."""

    @property
    def max(self) -> int:
        """Largest number."""

    @property
    def min(self) -> int:
        """Smallest number."""

    @property
    def dtype(self) -> DType:
        """The data type."""

class AxisError(ValueError, IndexError):
    """An axis that the array does not have."""

class CopyRefusedError(ValueError, BufferError):
    """copy=False, but a copy is needed: a ValueError and a BufferError."""

class LinAlgError(ValueError):
    """A matrix that does not have what is asked for (an inverse, say): a ValueError."""

class LaterArgumentError(TypeError, ValueError):
    """An argument that came with a later version: a TypeError and a ValueError."""

class NoSuchValueError(AttributeError, ValueError):
    """An attribute that this array does not have: an AttributeError and a ValueError."""

def _add_hook(*, before: _Hook | None = None, after: _Hook | None = None, failed: _Hook | None = None) -> int: ...
def _counts(array: Array) -> tuple[int, int]: ...
def _device(name: str, library: str) -> Device: ...
def _dtype(name: str, library: str = "strictarray") -> DType: ...
def _get_compat() -> bool: ...
def _install(module: ModuleType, name: str) -> ModuleType: ...
def _mode(name: str, value: int) -> ArrayAPIStrictFlags: ...
def _namespace(id: int, extension: str | None = None) -> ModuleType: ...
def _rebuild(
    dtype: str, shape: tuple[int, ...], device: str, little_endian: bool, data: Buffer, library: str = "strictarray"
) -> Array: ...
def _register_mode(name: str, bits: int = 1) -> int: ...
def _relaxations() -> list[dict[str, Any]]: ...
def _remove_hook(id: int) -> bool: ...
def _rows() -> dict[str, Any]: ...
def _set_compat(on: bool) -> None: ...
