"""What a type checker must refuse: each line ends with the code of its error."""

import math

import strictarray as xp
from strictarray.typing import Array, Namespace, NamespaceWithFFT, NamespaceWithLinalg

x = xp.ones((2, 3))
texts = ["abc"]
arrays = [x]

# Arguments
xp.zeros([2, 3])  # E: arg-type
xp.zeros("3")  # E: arg-type
xp.zeros((2, 3), dtype="float32")  # E: arg-type
xp.zeros((2, 3), dtype=float)  # E: arg-type
xp.zeros((2, 3), device="device1")  # E: arg-type
xp.zeros((2, 3), xp.float32)  # E: call-arg
xp.add(1, 2)  # E: call-overload
xp.add(x, "1")  # E: call-overload
xp.add(x1=x, x2=x)  # E: call-overload
xp.floor_divide(x, 1j)  # E: call-overload
xp.bitwise_and(x, 1.5)  # E: call-overload
xp.matmul(x, 2)  # E: arg-type
xp.abs(-1)  # E: arg-type
xp.asarray("abc")  # E: arg-type, but for pyright
xp.asarray(texts)  # E: arg-type
xp.asarray(arrays)  # E: arg-type
xp.asarray({1, 2})  # E: arg-type
xp.asarray(None)  # E: arg-type
xp.from_dlpack([1.0])  # E: arg-type
xp.meshgrid(x, indexing="zz")  # E: arg-type
xp.isdtype(x.dtype, "integer")  # E: arg-type
xp.full(3, None)  # E: arg-type
xp.set_array_api_strict_flags("2022.12")  # E: call-arg
xp.Device(1)  # E: arg-type

# Names outside the standard
xp.array([1])  # E: attr-defined
xp.Array  # E: attr-defined
xp.float16  # E: attr-defined
x.astype(xp.int8)  # E: attr-defined
x.sum()  # E: attr-defined
x.shape = (3, 2)  # E: misc

# What arrays do not do
len(x)  # E: arg-type
1.0 in x  # E: operator
del x[0]  # E: attr-defined
x + "1"  # E: operator
x + None  # E: operator
x & 1.5  # E: operator
x @ 2  # E: operator
2 @ x  # E: operator
x < 1j  # E: operator
x[[0, 1]]  # E: index
x[1.5]  # E: index
x["a"]  # E: index
x[0.5:]  # E: index
x[None] = 1.0  # E: index
x[0, 0] = "1"  # E: assignment
x.to_device("device1")  # E: arg-type
x.__dlpack__(stream=1)  # E: arg-type


# A namespace as an argument
def portable(x: Array, ns: Namespace) -> None:
    ns.add(1, 2)  # E: call-overload
    ns.where(x > 0, 1, 2)  # E: call-overload
    ns.zeros([2, 3])  # E: arg-type
    ns.astype(x, "float32")  # E: arg-type
    ns.astype(x, dtype=ns.float32)  # E: call-arg
    ns.sum(x, 0)  # E: call-arg
    ns.sum(x, axis=[0, 1])  # E: arg-type
    ns.clip(x, "0", None)  # E: arg-type
    ns.meshgrid([x, x])  # E: arg-type
    ns.concat(x)  # E: arg-type
    ns.unique_all(x).number  # E: attr-defined
    ns.array([1.0])  # E: attr-defined
    ns.float16  # E: attr-defined
    ns.e = 3.0  # E: misc
    x.__array_namespace__().concatenate([x, x])  # E: attr-defined


# An extension, which not every namespace has
def spectrum(ns: Namespace, with_fft: NamespaceWithFFT) -> None:
    ns.fft.fft(x)  # E: attr-defined
    with_fft.fft.fft(x, 3)  # E: call-arg
    with_fft.fft.fft(x, norm="none")  # E: arg-type
    with_fft.fft.fftn(x, axes=0)  # E: arg-type
    with_fft.fft.fft2(x)  # E: attr-defined


xp.fft.fft(x, n=3.0)  # E: arg-type
xp.fft.fft([1j])  # E: arg-type
xp.fft.fft2(x)  # E: attr-defined


def spread(with_linalg: NamespaceWithLinalg) -> None:
    with_linalg.fft  # E: attr-defined
    with_linalg.linalg.norm(x)  # E: attr-defined
    with_linalg.linalg.svd(x, False)  # E: call-arg
    with_linalg.linalg.matrix_norm(x, ord="frobenius")  # E: arg-type


xp.linalg.matrix_norm(x, ord=None)  # E: arg-type
xp.linalg.cholesky(x, upper=1)  # E: arg-type
portable(x, xp)
portable(x, math)  # E: arg-type
