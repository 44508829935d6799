"""strictarray as the library that `cubed <https://cubed-dev.github.io/cubed/>`_ computes chunks with.

Tell cubed before it is imported, in each process::

    export CUBED_BACKEND_ARRAY_API_MODULE=strictarray.cubed_backend

Chunks are arrays of strictarray, computed by its functions, with its rules. This module has what cubed asks of a
backend beyond the standard, and no more:

- data types are NumPy's (``np.dtype``), since cubed makes NumPy's of all; they are translated where a function takes or
  gives one, and ``x.dtype`` of a chunk is strictarray's;
- `asarray` takes the NumPy arrays and scalars that cubed reads chunks as, without a copy, and gives a `Constant` for
  the Python scalars and lists that cubed puts into its plans;
- `divide` takes a total by its integer count, as cubed's ``mean`` does.

docs/engines.md says what of cubed works, and what does not and why.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

import strictarray as _xp

_DTYPES = {
    np.dtype(name): getattr(_xp, name)
    for name in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    + ("float32", "float64", "complex64", "complex128")
}
_NUMPYS = {dtype: numpys for numpys, dtype in _DTYPES.items()}
_Array: Any = type(_xp.empty(0))
_DType: Any = type(_xp.int8)


class Constant:
    """A small array of strictarray that stands in a plan of cubed.

    It has the shape, the data type as cubed wants it, and elements by index; a task that reads it gets the array by
    `asarray`.
    """

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape  # type: ignore[no-any-return]

    @property
    def dtype(self) -> np.dtype[Any]:
        return _NUMPYS[self.array.dtype]

    def __getitem__(self, key: Any) -> Constant:
        return Constant(self.array[key])

    def __str__(self) -> str:
        return str(self.array)


def _ours(value: Any) -> Any:
    """What strictarray takes in place of value."""
    if isinstance(value, np.dtype):
        if value not in _DTYPES:
            raise TypeError(
                f"cubed asks for {value!r}; strictarray has the data types of the standard, in native byte order"
            )
        return _DTYPES[value]
    if isinstance(value, Constant):
        return value.array
    return tuple(map(_ours, value)) if isinstance(value, tuple) else value


def _numpys(value: Any) -> Any:
    """What cubed takes in place of value."""
    if isinstance(value, dict):
        return {name: _numpys(dtype) for name, dtype in value.items()}
    return _NUMPYS[value] if isinstance(value, _DType) else value


def _translated(name: str) -> Callable[..., Any]:
    function = getattr(_xp, name)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return _numpys(function(*map(_ours, args), **{key: _ours(value) for key, value in kwargs.items()}))

    call.__module__ = __name__  # Plans are pickled; this function is found by its name.
    return call


# Those that take or give data types, and broadcast_to, which cubed calls on what asarray gave.
astype = _translated("astype")
can_cast = _translated("can_cast")
isdtype = _translated("isdtype")
result_type = _translated("result_type")
broadcast_to = _translated("broadcast_to")
cumulative_prod = _translated("cumulative_prod")
prod = _translated("prod")
sum = _translated("sum")
empty = _translated("empty")
empty_like = _translated("empty_like")
eye = _translated("eye")
full = _translated("full")
full_like = _translated("full_like")
linspace = _translated("linspace")
ones = _translated("ones")
ones_like = _translated("ones_like")
zeros = _translated("zeros")
zeros_like = _translated("zeros_like")


def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Any:
    """The array of what cubed read (shared, not copied), or the `Constant` of a Python scalar or sequence."""
    if isinstance(obj, np.generic):
        obj = np.asarray(obj)
    array = _xp.asarray(_ours(obj), dtype=_ours(dtype), device=device, copy=copy)
    return array if isinstance(obj, (_Array, Constant, np.ndarray)) else Constant(array)


def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
    # Without a dtype cubed calls it to see which dtype comes, before there is a plan.
    array = _xp.arange(start, stop, step, dtype=_ours(dtype), device=device)
    return Constant(array) if dtype is None else array


def cumulative_sum(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    # cubed's searchsorted adds up the sizes of chunks before there is a plan.
    array = _xp.cumulative_sum(_ours(x), axis=axis, dtype=_ours(dtype), include_initial=include_initial)
    return Constant(array) if isinstance(x, Constant) else array


def divide(x1: Any, x2: Any, /) -> Any:
    # cubed's mean divides floating-point totals by integer counts. (Its own divide refuses such kinds by result_type.)
    if isinstance(x1, _Array) and isinstance(x2, _Array) and _xp.isdtype(x2.dtype, "integral"):
        x2 = _xp.astype(x2, x1.dtype)
    return _xp.divide(x1, x2)


def finfo(type: Any, /) -> SimpleNamespace:
    info = _xp.finfo(_ours(type))
    names = ("bits", "eps", "max", "min", "smallest_normal", "dtype")
    return SimpleNamespace(**{name: _numpys(getattr(info, name)) for name in names})


def iinfo(type: Any, /) -> SimpleNamespace:
    info = _xp.iinfo(_ours(type))
    return SimpleNamespace(**{name: _numpys(getattr(info, name)) for name in ("bits", "max", "min", "dtype")})


class __array_namespace_info__:
    """Chunks go through the host's memory, so they are on one device, which cubed calls "cpu"."""

    def __init__(self) -> None:
        self._info = _xp.__array_namespace_info__()

    def capabilities(self) -> Any:
        return self._info.capabilities()

    def default_device(self) -> Any:
        return self._info.default_device()

    def devices(self) -> list[Any]:
        return [self._info.default_device()]

    def default_dtypes(self, *, device: Any = None) -> Any:
        return _numpys(self._info.default_dtypes(device=None if device == "cpu" else device))

    def dtypes(self, *, device: Any = None, kind: Any = None) -> Any:
        return _numpys(self._info.dtypes(device=None if device == "cpu" else device, kind=kind))


def __getattr__(name: str) -> Any:
    """All else is strictarray's own."""
    if name.startswith("__"):
        raise AttributeError(name)
    return _numpys(getattr(_xp, name))
