"""What `make bench` times: one row for each operation. A new function of the standard gets one row here.

A row's code is timed as it stands, with `xp` one of the three libraries and the names that its set-up makes for that
library and size n. It must not change what another row sees: write to `w`, which no row reads.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

SIZES = (4, 1_000, 1_000_000)
MATRICES = (2, 4, 16, 64, 256)

Names = dict[str, Any]


def taken(xp: ModuleType, array: np.ndarray) -> Any:
    """A copy of a NumPy array in memory that xp itself allocated."""
    return xp.from_dlpack(array, copy=True)


def vectors(xp: ModuleType, n: int) -> Names:
    """1-D arrays of n elements, and squares of about as many."""
    rng = np.random.default_rng(20261101)
    x, y = rng.uniform(0.5, 10.0, n), rng.uniform(0.5, 10.0, n)
    i, j = rng.integers(1, 1000, n), rng.integers(1, 1000, n)
    side = math.isqrt(n)
    arrays = {
        "x": x,
        "y": y,
        "w": x,
        "u": x / 10.0,
        "f": x.astype(np.float32),
        "g": y.astype(np.float32),
        "z": x + 1j * y,
        "i": i,
        "j": j,
        "shift": i % 8,
        "small": (i % 100).astype(np.int8),
        "mask": x > y,
        "idx": rng.integers(0, n, n),
        "square": x[: side * side].reshape(side, side),
        "row": x[:side],
        "places": rng.integers(0, side, side),
        "grid": rng.integers(0, side, (side, side)),
        "s": np.asarray(1.5),
        "ascending": np.sort(x),
        "wide": rng.integers(-(2**62), 2**62, n),
        "square_wide": rng.standard_normal(side * side).reshape(side, side),
    }
    return {
        **{name: taken(xp, array) for name, array in arrays.items()},
        "a": x.copy(),
        "numbers": x.tolist() if n <= 1000 else [],
        "np": np,
        "n": n,
        "side": side,
    }


def matrices(xp: ModuleType, n: int) -> Names:
    """n × n arrays."""
    rng = np.random.default_rng(20261101)
    m = rng.standard_normal((n, n))
    arrays = {"m": m, "f": m.astype(np.float32), "z": m + 1j * m.T, "k": rng.integers(0, 100, (n, n)), "v": m[0]}
    return {name: taken(xp, array) for name, array in arrays.items()}


@dataclass(frozen=True)
class Case:
    group: str
    code: str
    sizes: tuple[int, ...] = SIZES
    setup: Callable[[ModuleType, int], Names] = vectors


ONCE = (4,)  # The size makes no difference.

CASES = [
    Case("arithmetic", "x + y"),
    Case("arithmetic", "f + g"),
    Case("arithmetic", "i + j"),
    Case("arithmetic", "z + z"),
    Case("arithmetic", "x + 1.5"),
    Case("arithmetic", "f + y"),
    Case("arithmetic", "square + row"),
    Case("arithmetic", "x[::2] + y[::2]"),
    Case("arithmetic", "w += y"),
    Case("arithmetic", "xp.add(x, y)"),
    Case("arithmetic", "x - y"),
    Case("arithmetic", "x * y"),
    Case("arithmetic", "z * z"),
    Case("arithmetic", "x / y"),
    Case("arithmetic", "z / z"),
    Case("arithmetic", "x // y"),
    Case("arithmetic", "i // j"),
    Case("arithmetic", "x % y"),
    Case("arithmetic", "i % j"),
    Case("arithmetic", "x ** 2"),
    Case("arithmetic", "x ** y"),
    Case("arithmetic", "f ** g"),
    Case("arithmetic", "-x"),
    Case("arithmetic", "abs(x)"),
    Case("arithmetic", "abs(z)"),
    Case("comparison", "x < y"),
    Case("comparison", "i == j"),
    Case("comparison", "xp.equal(x, y)"),
    Case("bits", "i & j"),
    Case("bits", "mask ^ mask"),
    Case("bits", "~i"),
    Case("bits", "i << shift"),
    Case("elementwise", "xp.acosh(x)"),
    Case("elementwise", "xp.asinh(x)"),
    Case("elementwise", "xp.atan(x)"),
    Case("elementwise", "xp.ceil(x)"),
    Case("elementwise", "xp.cos(x)"),
    Case("elementwise", "xp.cosh(x)"),
    Case("elementwise", "xp.exp(x)"),
    Case("elementwise", "xp.expm1(x)"),
    Case("elementwise", "xp.floor(x)"),
    Case("elementwise", "xp.isfinite(x)"),
    Case("elementwise", "xp.isinf(x)"),
    Case("elementwise", "xp.isnan(x)"),
    Case("elementwise", "xp.log(x)"),
    Case("elementwise", "xp.log10(x)"),
    Case("elementwise", "xp.log1p(x)"),
    Case("elementwise", "xp.log2(x)"),
    Case("elementwise", "xp.reciprocal(x)"),
    Case("elementwise", "xp.round(x)"),
    Case("elementwise", "xp.sign(x)"),
    Case("elementwise", "xp.signbit(x)"),
    Case("elementwise", "xp.sin(x)"),
    Case("elementwise", "xp.sinh(x)"),
    Case("elementwise", "xp.sqrt(x)"),
    Case("elementwise", "xp.square(x)"),
    Case("elementwise", "xp.tan(x)"),
    Case("elementwise", "xp.tanh(x)"),
    Case("elementwise", "xp.trunc(x)"),
    Case("elementwise", "xp.exp(f)"),
    Case("elementwise", "xp.log(f)"),
    Case("elementwise", "xp.sin(f)"),
    Case("elementwise", "xp.tanh(f)"),
    Case("elementwise", "xp.sqrt(f)"),
    Case("elementwise", "xp.acos(u)"),
    Case("elementwise", "xp.asin(u)"),
    Case("elementwise", "xp.atanh(u)"),
    Case("elementwise", "xp.conj(z)"),
    Case("elementwise", "xp.imag(z)"),
    Case("elementwise", "xp.real(z)"),
    Case("complex", "xp.acos(z)"),
    Case("complex", "xp.acosh(z)"),
    Case("complex", "xp.asin(z)"),
    Case("complex", "xp.asinh(z)"),
    Case("complex", "xp.atan(z)"),
    Case("complex", "xp.atanh(z)"),
    Case("complex", "xp.cos(z)"),
    Case("complex", "xp.cosh(z)"),
    Case("complex", "xp.exp(z)"),
    Case("complex", "xp.expm1(z)"),
    Case("complex", "xp.log(z)"),
    Case("complex", "xp.log10(z)"),
    Case("complex", "xp.log1p(z)"),
    Case("complex", "xp.log2(z)"),
    Case("complex", "xp.reciprocal(z)"),
    Case("complex", "xp.round(z)"),
    Case("complex", "xp.sign(z)"),
    Case("complex", "xp.sin(z)"),
    Case("complex", "xp.sinh(z)"),
    Case("complex", "xp.sqrt(z)"),
    Case("complex", "xp.square(z)"),
    Case("complex", "xp.tan(z)"),
    Case("complex", "xp.tanh(z)"),
    Case("complex", "z ** z"),
    Case("elementwise", "xp.atan2(x, y)"),
    Case("elementwise", "xp.copysign(x, y)"),
    Case("elementwise", "xp.hypot(x, y)"),
    Case("elementwise", "xp.logaddexp(x, y)"),
    Case("elementwise", "xp.maximum(x, y)"),
    Case("elementwise", "xp.minimum(x, y)"),
    Case("elementwise", "xp.nextafter(x, y)"),
    Case("elementwise", "xp.maximum(i, j)"),
    Case("elementwise", "xp.clip(x, 1.0, 5.0)"),
    Case("elementwise", "xp.clip(i, 1, 500)"),
    Case("elementwise", "xp.logical_and(mask, mask)"),
    Case("elementwise", "xp.logical_or(mask, mask)"),
    Case("elementwise", "xp.logical_xor(mask, mask)"),
    Case("elementwise", "xp.logical_not(mask)"),
    Case("matmul", "m @ m", MATRICES, matrices),
    Case("matmul", "f @ f", MATRICES, matrices),
    Case("matmul", "z @ z", MATRICES, matrices),
    Case("matmul", "k @ k", MATRICES, matrices),
    Case("matmul", "m @ v", MATRICES, matrices),
    Case("matmul", "v @ v", MATRICES, matrices),
    Case("matmul", "xp.matmul(m.T, m)", MATRICES, matrices),
    Case("indexing", "x[0]"),
    Case("indexing", "x[1:3]"),
    Case("indexing", "square[0, :]"),
    Case("indexing", "x[..., None]"),
    Case("indexing", "x[mask]"),
    Case("indexing", "x[idx]"),
    Case("indexing", "w[0] = 1.5"),
    Case("indexing", "w[...] = x"),
    Case("indexing", "w[1:3] = 1.5"),
    Case("indexing", "w[mask] = 1.5"),
    Case("indexing", "xp.take(x, idx)"),
    Case("indexing", "xp.take(square, places, axis=1)"),
    Case("indexing", "xp.take_along_axis(square, grid)"),
    Case("indexing", "xp.take_along_axis(square, grid, axis=0)"),
    Case("manipulation", "xp.broadcast_arrays(square, row)", ONCE),
    Case("manipulation", "xp.broadcast_to(row, (side, side))", ONCE),
    Case("manipulation", "xp.concat((x, y))"),
    Case("manipulation", "xp.concat((x, f))"),
    Case("manipulation", "xp.concat((square, square), axis=1)"),
    Case("manipulation", "xp.expand_dims(x, axis=0)", ONCE),
    Case("manipulation", "xp.flip(square)", ONCE),
    Case("manipulation", "xp.matrix_transpose(square)", ONCE),
    Case("manipulation", "xp.moveaxis(square, 0, 1)", ONCE),
    Case("manipulation", "xp.permute_dims(square, (1, 0))", ONCE),
    Case("manipulation", "xp.repeat(x, 3)"),
    Case("manipulation", "xp.repeat(x, shift)"),
    Case("manipulation", "xp.reshape(square, (side * side,))", ONCE),
    Case("manipulation", "xp.reshape(square.T, (side * side,))"),
    Case("manipulation", "xp.roll(x, 1)"),
    Case("manipulation", "xp.roll(square, 1, axis=1)"),
    Case("manipulation", "xp.squeeze(xp.reshape(s, (1,)), axis=0)", ONCE),
    Case("manipulation", "xp.stack((x, y))"),
    Case("manipulation", "xp.stack((x, y), axis=-1)"),
    Case("manipulation", "xp.tile(square, (1, 3))"),
    Case("manipulation", "xp.unstack(square)", (4, 1_000)),
    Case("products", "xp.vecdot(x, y)"),
    Case("products", "xp.vecdot(square, square)"),
    Case("products", "xp.vecdot(z, z)"),
    Case("products", "xp.tensordot(m, m, axes=1)", MATRICES, matrices),
    Case("products", "xp.tensordot(m, m)", MATRICES, matrices),
    Case("products", "xp.tensordot(v, v, axes=0)", MATRICES, matrices),
    Case("attributes", "x.shape", ONCE),
    Case("attributes", "x.dtype", ONCE),
    Case("attributes", "x.device", ONCE),
    Case("attributes", "square.T", ONCE),
    Case("attributes", "float(s)", ONCE),
    Case("attributes", "bool(s)", ONCE),
    Case("attributes", "repr(x)"),
    Case("creation", "xp.zeros(n)"),
    Case("creation", "xp.ones(n)"),
    Case("creation", "xp.full(n, 1.5)"),
    Case("creation", "xp.zeros_like(x)"),
    Case("creation", "xp.arange(n)"),
    Case("creation", "xp.linspace(0.0, 1.0, n)"),
    Case("creation", "xp.eye(side)"),
    Case("creation", "xp.meshgrid(row, row)"),
    Case("creation", "xp.tril(square)"),
    Case("creation", "xp.asarray(numbers)", (4, 1_000)),
    Case("creation", "xp.asarray(x, copy=True)"),
    Case("creation", "xp.asarray(1.5)", ONCE),
    *(Case("reductions", f"xp.{name}({x})") for name in ("sum", "prod") for x in ("x", "f", "i", "z", "small")),
    *(
        Case("reductions", f"xp.{name}({x})")
        for name in ("max", "min", "argmax", "argmin")
        for x in ("x", "f", "i", "small")
    ),
    *(Case("reductions", f"xp.{name}({x})") for name in ("mean", "var", "std") for x in ("x", "f")),
    Case("reductions", "xp.mean(z)"),
    *(
        Case("reductions", f"xp.{name}({x})")
        for name in ("all", "any", "count_nonzero")
        for x in ("x", "i", "z", "mask")
    ),
    *(Case("reductions", f"xp.{name}({x})") for name in ("cumulative_sum", "cumulative_prod") for x in ("x", "i")),
    *(Case("reductions", f"xp.diff({x})") for x in ("x", "i")),
    *(
        Case("reductions", f"xp.{name}(square, axis={axis})")
        for name in ("sum", "max", "mean", "std", "argmax", "all", "cumulative_sum", "diff")
        for axis in (0, 1)
    ),
    Case("reductions", "xp.sum(x[::2])"),
    Case("dtypes", "xp.astype(x, xp.float32)"),
    Case("dtypes", "xp.astype(i, xp.float64)"),
    Case("dtypes", "xp.result_type(x, f)", ONCE),
    Case("dtypes", "xp.result_type(xp.float32, xp.float64)", ONCE),
    Case("dtypes", "xp.can_cast(xp.float32, xp.float64)", ONCE),
    Case("dtypes", "xp.finfo(xp.float64)", ONCE),
    Case("dtypes", "xp.finfo(xp.float64).eps", ONCE),
    Case("dtypes", "xp.iinfo(xp.int32).max", ONCE),
    Case("dtypes", "xp.isdtype(xp.float64, 'real floating')", ONCE),
    Case("sorting", "xp.sort(x)"),
    Case("sorting", "xp.sort(x, stable=False)"),
    Case("sorting", "xp.sort(f, stable=False)"),
    Case("sorting", "xp.sort(wide, stable=False)"),
    Case("sorting", "xp.sort(i, descending=True)"),
    Case("sorting", "xp.sort(ascending)"),
    Case("sorting", "xp.sort(square_wide, axis=0)"),
    Case("sorting", "xp.argsort(x)"),
    Case("sorting", "xp.argsort(x, stable=False)"),
    Case("sorting", "xp.argsort(i)"),
    Case("sorting", "xp.argsort(f, descending=True)"),
    Case("sorting", "xp.argsort(ascending)"),
    Case("searching", "xp.searchsorted(ascending, x)"),
    Case("searching", "xp.searchsorted(ascending, ascending, side='right')"),
    Case("searching", "xp.searchsorted(ascending, 3.0)"),
    Case("searching", "xp.nonzero(mask)"),
    Case("searching", "xp.nonzero(x)"),
    Case("searching", "xp.nonzero(square)"),
    Case("searching", "xp.where(mask, x, y)"),
    Case("searching", "xp.where(mask, x, 1.5)"),
    Case("sets", "xp.unique_values(x)"),
    Case("sets", "xp.unique_values(i)"),
    Case("sets", "xp.unique_values(wide)"),
    Case("sets", "xp.unique_values(z)"),
    Case("sets", "xp.unique_counts(x)"),
    Case("sets", "xp.unique_counts(i)"),
    Case("sets", "xp.unique_inverse(i)"),
    Case("sets", "xp.unique_all(x)"),
    Case("sets", "xp.isin(i, j)"),
    Case("sets", "xp.isin(wide, wide)"),
    Case("sets", "xp.isin(i, 5)"),
    Case("exchange", "xp.from_dlpack(a)", ONCE),
    Case("exchange", "np.from_dlpack(x)", ONCE),
    Case("exchange", "np.from_dlpack(xp.from_dlpack(a))", ONCE),
    Case("exchange", "xp.from_dlpack(x)", ONCE),
    Case("exchange", "np.asarray(x)", ONCE),
    Case("exchange", "xp.from_dlpack(a, copy=True)"),
]
