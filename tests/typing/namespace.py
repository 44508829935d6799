"""Functions that take a namespace, and a function for arrays of any library: a type checker must accept them."""

from __future__ import annotations

import math
from typing import Literal, Self, TypeVar, assert_type

import strictarray
from strictarray.typing import (
    FFT,
    Array,
    Device,
    DType,
    Linalg,
    Namespace,
    NamespaceWithExtensions,
    NamespaceWithFFT,
    NamespaceWithLinalg,
)


def standardise(x: Array, xp: Namespace, *, axis: int | None = None) -> Array:
    """A program that uses the namespace for all that it does."""
    mean = xp.mean(x, axis=axis, keepdims=True)
    spread = xp.std(x, axis=axis, correction=1, keepdims=True)
    smallest = xp.asarray(xp.finfo(x.dtype).eps, dtype=x.dtype, device=x.device)
    return (x - mean) / xp.where(spread > 0, spread, smallest)


def histogram(x: Array, edges: Array) -> Array:
    """A program that asks its argument for the namespace."""
    xp = x.__array_namespace__()
    assert_type(xp, Namespace[Array, DType, Device])
    index = xp.searchsorted(edges, xp.clip(x, 0, 9.5), side="right")
    found = xp.unique_counts(index)
    values, counts = found
    result = xp.zeros(edges.shape[0] + 1, dtype=counts.dtype, device=x.device)
    for i in range(values.shape[0]):
        result[int(values[i])] = found.counts[i]
    return result


def everything(x: Array, xp: Namespace) -> None:
    """Each kind of argument and of result."""
    assert_type(xp.add(x, 1), Array)
    assert_type(xp.add(1, x), Array)
    assert_type(xp.clip(x, None, 2.0), Array)
    assert_type(xp.clip(x, min=x), Array)
    assert_type(xp.where(x > 0, x, 0), Array)
    assert_type(xp.where(x > 0, 0, x), Array)
    assert_type(xp.sum(x, axis=(0, 1), dtype=xp.float64), Array)
    assert_type(xp.sum(x, axis=-1, keepdims=True), Array)
    assert_type(xp.result_type(x, 1, xp.float32), DType)
    assert_type(xp.astype(x, xp.int8, copy=False), Array)
    assert_type(xp.meshgrid(x[0, :], x[1, :], indexing="ij"), tuple[Array, ...])
    assert_type(xp.broadcast_shapes((2, 1), (3,)), tuple[int, ...])
    assert_type(xp.concat([x, x], axis=None), Array)
    assert_type(xp.stack((x, x)), Array)
    assert_type(xp.unstack(x), tuple[Array, ...])
    assert_type(xp.tensordot(x, x, axes=((0,), (1,))), Array)
    assert_type(xp.roll(x, (1, 2), axis=(0, 1)), Array)
    assert_type(xp.expand_dims(x, axis=(0, 1)), Array)
    assert_type(xp.isdtype(x.dtype, ("integral", xp.bool)), bool)
    assert_type(xp.can_cast(x, xp.float32), bool)
    assert_type(xp.iinfo(xp.int8).max, int)
    assert_type(xp.finfo(x).dtype, DType)
    values, indices, inverse, counts = xp.unique_all(x)
    assert_type((values, indices, inverse, counts), tuple[Array, Array, Array, Array])
    assert_type(xp.unique_inverse(x).inverse_indices, Array)
    assert_type((xp.e, xp.pi, xp.inf, xp.nan), tuple[float, float, float, float])
    assert_type(xp.newaxis, None)
    assert_type(xp.nonzero(x)[0], Array)
    info = xp.__array_namespace_info__()
    assert_type(info.default_device(), Device)
    assert_type(info.default_dtypes(device=x.device)["indexing"], DType)
    assert_type(info.dtypes(kind="real floating")["float32"], DType)
    assert_type(info.devices()[0], Device)


x = strictarray.asarray([[1.0, 2.0], [3.0, 5.0]])
assert_type(standardise(x, strictarray), Array)
standardise(x, x.__array_namespace__(api_version="2024.12"), axis=0)
histogram(x, strictarray.arange(10, dtype=strictarray.float64))
everything(x, strictarray)


def spectrum(x: Array, xp: NamespaceWithFFT) -> Array:
    """A program that needs an extension, and says so."""
    assert_type(xp.fft, FFT[Array, DType, Device])
    assert_type(xp.fft.rfftfreq(x.shape[0], d=0.5, dtype=xp.float64), Array)
    assert_type(xp.fft.fftn(xp.astype(x, xp.complex128), s=[8], axes=(0,), norm="ortho"), Array)
    assert_type(xp.fft.fftshift(x, axes=-1), Array)
    return xp.abs(xp.fft.rfft(x, axis=0))


spectrum(x, strictarray)
assert_type(strictarray.fft.irfft(strictarray.fft.rfft(x), n=2), Array)


def whitened(x: Array, xp: NamespaceWithLinalg) -> Array:
    """The same of the other one."""
    assert_type(xp.linalg, Linalg[Array, DType])
    values, vectors = xp.linalg.eigh(xp.matmul(x.mT, x))
    assert_type(xp.linalg.svd(x, full_matrices=False).Vh, Array)
    assert_type(xp.linalg.slogdet(vectors).logabsdet, Array)
    assert_type(xp.linalg.qr(x, mode="complete").R, Array)
    assert_type(xp.linalg.eig(vectors).eigenvalues, Array)
    assert_type(xp.linalg.trace(vectors, offset=1, dtype=xp.float64), Array)
    assert_type(xp.linalg.pinv(x, rtol=1e-9), Array)
    assert_type(xp.linalg.matrix_norm(x, ord="nuc"), Array)
    assert_type(xp.linalg.matrix_norm(x, ord=-1, keepdims=True), Array)
    return xp.matmul(x, vectors) / xp.linalg.vector_norm(values, ord=math.inf)


def both(x: Array, xp: NamespaceWithExtensions) -> None:
    whitened(x, xp)
    spectrum(x, xp)


whitened(x, strictarray)
both(x, strictarray)
assert_type(strictarray.linalg.solve(strictarray.eye(2), strictarray.ones(2)), Array)


class Numbers:
    """Another library's array, as far as the functions below need one."""

    def __sub__(self, other: Self, /) -> Self:
        return self


A = TypeVar("A", Array, Numbers)
D = TypeVar("D")
V = TypeVar("V")


def centred(x: A, xp: Namespace[A, D, V]) -> A:
    """A function for arrays of any library."""
    return x - xp.mean(x)


def kinds(xp: Namespace[A, D, V]) -> tuple[D, V, Literal[True]]:
    """The types of its dtypes and devices are kept."""
    return xp.float32, xp.__array_namespace_info__().default_device(), True


def of_another_library(x: Numbers, xp: Namespace[Numbers, int, str]) -> None:
    assert_type(centred(x, xp), Numbers)
    assert_type(kinds(xp), tuple[int, str, Literal[True]])
    assert_type(xp.zeros(3, dtype=xp.int8, device="cpu"), Numbers)


assert_type(centred(x, strictarray), Array)
assert_type(kinds(strictarray), tuple[DType, Device, Literal[True]])
