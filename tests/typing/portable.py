"""A small program that a type checker must accept: code written for any array API library, and what is special here."""

from __future__ import annotations

import copy
import pickle
from collections import deque
from typing import Any, Protocol, Self, assert_type

import numpy as np

import strictarray as xp
from strictarray.typing import Array, DType, finfo_object, iinfo_object


class AnyArray(Protocol):
    """What a library's code may ask of an array of any namespace."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def mT(self) -> Self: ...
    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any: ...
    def __add__(self, other: Self | float, /) -> Self: ...
    def __mul__(self, other: Self | float, /) -> Self: ...
    def __rmul__(self, other: float, /) -> Self: ...
    def __matmul__(self, other: Self, /) -> Self: ...
    def __getitem__(self, key: int | slice, /) -> Self: ...
    def __bool__(self, /) -> bool: ...
    def __float__(self, /) -> float: ...


def scaled(x: AnyArray, by: float) -> AnyArray:
    xp = x.__array_namespace__()
    return xp.multiply(x, by) if x.ndim else 2 * x * by


# Creation
x = xp.zeros((2, 3), dtype=xp.float32, device=xp.CPU_DEVICE)
assert_type(x, Array)
assert_type(xp.meshgrid(xp.arange(3), xp.arange(4), indexing="ij"), tuple[Array, ...])
scaled(x, 2)
xp.asarray([[1, 2.5], [True, 1j]], dtype=xp.complex64, copy=True)
xp.asarray(range(3))
xp.asarray(deque([(1, 2), (3, 4)]))
xp.asarray(b"bytes", device=xp.Device("device1"))
xp.asarray(memoryview(b"bytes"))
xp.from_dlpack(np.ones(3), copy=None)
xp.full(3, 1j)
xp.eye(3, None, k=-1)
xp.linspace(0, 1, 10, endpoint=False)

# Functions: a scalar beside an array, either way round.
xp.add(x, 1)
xp.add(1.5, x)
xp.equal(x > 0, True)
xp.bitwise_and(3, xp.arange(3))
assert_type(xp.result_type(x, xp.float64, 1.0), DType)
assert_type(xp.isdtype(x.dtype, ("integral", xp.float32)), bool)
assert_type(xp.finfo(x.dtype), finfo_object)
assert_type(xp.iinfo(xp.int8), iinfo_object)
assert_type(xp.iinfo(xp.int8).max, int)
assert_type(xp.finfo(xp.float32).eps, float)
xp.astype(x, xp.float64, copy=False)

# Operators
assert_type(2 * x - x / 3.0 + -(x**2), Array)
assert_type(x == 0, Array)
assert_type(x != x, Array)
assert_type(0.5 < x, Array)
assert_type(~(x < 1) & (x > -1) | True, Array)
assert_type(x @ x.mT, Array)
assert_type(7 // xp.arange(1, 3) % 2 << 1, Array)
x += 1
x *= x
x @= xp.eye(3, dtype=x.dtype)
n = xp.arange(3)
n <<= 1
n |= n

# Indexing
assert_type(x[0, ...], Array)
x[:, ::2, None]
x[xp.asarray([0, 1, 1]), n - n]
x[x > 0]
x[None, ...]
x[..., -1] = 0.5
x[x > 0] = x[0, 0]
[1, 2, 3][xp.asarray(1)]
for row in xp.arange(3):
    assert_type(row, Array)

# Attributes, conversions, protocols
assert_type(x.shape, tuple[int, ...])
assert_type(x.dtype == xp.float32, bool)
assert_type(x.to_device(x.device).T, Array)
scalars = bool(x[0, 0]), int(x[0, 0]), float(x[0, 0]), complex(x[0, 0])
memoryview(x)
np.asarray(x)
np.from_dlpack(x)
copy.deepcopy(x)
pickle.dumps(x)
names = {xp.int8: "int8", xp.CPU_DEVICE: "CPU"}

# Flags and inspection
with xp.ArrayAPIStrictFlags(api_version="2022.12", enabled_extensions=("linalg",)):
    xp.set_array_api_strict_flags(boolean_indexing=False)
    assert_type(xp.get_array_api_strict_flags()["api_version"], str)
xp.reset_array_api_strict_flags()
info = xp.__array_namespace_info__()
assert_type(info.dtypes(kind="real floating", device=info.default_device()), dict[str, DType])
assert_type(info.default_dtypes()["integral"], DType)
assert_type(info.capabilities()["boolean indexing"], bool)
