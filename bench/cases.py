"""What `make bench` times: one row for each operation. A new function of the standard gets one row here.

A row's code is timed as it stands, with `xp` one of the three libraries and the names that its set-up makes for that
library and size n. It must not change what another row sees: write to `w`, or to `k` of integers, which no row reads,
and so that it may be done any number of times: the values stay finite.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

SIZES = (4, 1_000, 100_000, 1_000_000)
MATRICES = (2, 4, 16, 64, 256)

Names = dict[str, Any]


def taken(xp: ModuleType, array: np.ndarray) -> Any:
    """A copy of a NumPy array in memory that xp itself allocated: that of `from_dlpack` the exporter may make."""
    return xp.asarray(xp.from_dlpack(array), copy=True)


PLAIN = ModuleType("plain")
PLAIN.add = np.add  # type: ignore[attr-defined]


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
        "h": (x / 10.0).astype(np.float32),
        "z": x + 1j * y,
        "i": i,
        "j": j,
        "k": i,
        "one": np.ones(n),
        "ones": np.ones(n, np.int64),
        "shift": i % 8,
        "small": (i % 100).astype(np.int8),
        "mask": x > y,
        "idx": rng.integers(0, n, n),
        "square": x[: side * side].reshape(side, side),
        "row": x[:side],
        "places": rng.integers(0, side, side),
        "mask_of_rows": (x > y)[:side],
        "grid": rng.integers(0, side, (side, side)),
        "s": np.asarray(1.5),
        "ascending": np.sort(x),
        "wide": rng.integers(-(2**62), 2**62, n),
        "square_wide": rng.standard_normal(side * side).reshape(side, side),
        "square_f": x[: side * side].reshape(side, side).astype(np.float32),
        "square_i": i[: side * side].reshape(side, side),
        "square_mask": (x > y)[: side * side].reshape(side, side),
        "descending": np.sort(x)[::-1],
        "i32": i.astype(np.int32),
    }
    return {
        **{name: taken(xp, array) for name, array in arrays.items()},
        "a": x.copy(),
        "numbers": x.tolist() if n <= 1000 else [],
        "np": np,
        "n": n,
        "side": side,
        "plain": PLAIN,
    }


def matrices(xp: ModuleType, n: int) -> Names:
    """n × n arrays."""
    rng = np.random.default_rng(20261101)
    m = rng.standard_normal((n, n))
    arrays = {"m": m, "f": m.astype(np.float32), "z": m + 1j * m.T, "k": rng.integers(0, 100, (n, n)), "v": m[0]}
    return {name: taken(xp, array) for name, array in arrays.items()}


# Decompositions: small ones, where the call counts, and large ones, where the library below does.
DECOMPOSED = (2, 3, 4, 16, 64, 256, 1_024)
NOT_LARGE = DECOMPOSED[:-1]
SMALL = (2, 3, 4)


def decomposed(xp: ModuleType, n: int) -> Names:
    """Matrices to decompose: well-conditioned (m, z), symmetric (sym), Hermitian (her), positive definite (pos), tall,
    and stacks of 10,000 small ones."""
    rng = np.random.default_rng(20261101)
    m = rng.standard_normal((n, n)) + 2 * np.eye(n)
    z = m + 1j * rng.standard_normal((n, n))
    arrays = {
        "m": m,
        "f": m.astype(np.float32),
        "z": z,
        "sym": m + m.T,
        "her": z + z.conj().T,
        "pos": m @ m.T + np.eye(n),
        "v": m[0],
        "tall": rng.standard_normal((2 * n, n)),
    }
    if n <= SMALL[-1]:
        stack = rng.standard_normal((10_000, n, n)) + 2 * np.eye(n)
        arrays |= {
            "stack": stack,
            "syms": stack + np.swapaxes(stack, -1, -2),
            "poss": stack @ np.swapaxes(stack, -1, -2) + np.eye(n),
        }
    return {name: taken(xp, array) for name, array in arrays.items()}


# Powers of two, and primes among them.
LENGTHS = (16, 17, 256, 1_009, 4_096, 10_007, 65_536, 1_048_576)
SHORT_LENGTHS = LENGTHS[:-2]


def signals(xp: ModuleType, n: int) -> Names:
    """1-D arrays of n elements, a square of about as many, and a matrix of eight columns of n elements."""
    rng = np.random.default_rng(20261101)
    x, y = rng.standard_normal(n), rng.standard_normal(n)
    z = x + 1j * y
    side = math.isqrt(n)
    arrays = {
        "x": x,
        "f": x.astype(np.float32),
        "z": z,
        "c": z.astype(np.complex64),
        "half": np.fft.rfft(x),
        "half_c": np.fft.rfft(x).astype(np.complex64),
        "square": z[: side * side].reshape(side, side),
        "square_x": x[: side * side].reshape(side, side),
        "columns": np.repeat(z[:, None], 8, axis=1) if n in SHORT_LENGTHS else z[:, None],
    }
    return {**{name: taken(xp, array) for name, array in arrays.items()}, "n": n}


@dataclass(frozen=True)
class Case:
    group: str
    code: str
    sizes: tuple[int, ...] = SIZES
    setup: Callable[[ModuleType, int], Names] = vectors


# Each function of one argument, and what it is timed on: float64 (x, or u up to 1), float32 (f, h), complex128 (z),
# int64 (i), bool (mask).
UNARY = {
    "abs": "x f z i",
    "acos": "u h z",
    "acosh": "x f z",
    "asin": "u h z",
    "asinh": "x f z",
    "atan": "x f z",
    "atanh": "u h z",
    "bitwise_invert": "i mask",
    "ceil": "x f i",
    "conj": "z",
    "cos": "x f z",
    "cosh": "x f z",
    "exp": "x f z",
    "expm1": "x f z",
    "floor": "x f i",
    "imag": "z",
    "isfinite": "x f z i",
    "isinf": "x f z i",
    "isnan": "x f z i",
    "log": "x f z",
    "log10": "x f z",
    "log1p": "x f z",
    "log2": "x f z",
    "logical_not": "mask",
    "negative": "x f z i",
    "positive": "x f z i",
    "real": "z",
    "reciprocal": "x f z",
    "round": "x f z i",
    "sign": "x f z i",
    "signbit": "x f",
    "sin": "x f z",
    "sinh": "x f z",
    "sqrt": "x f z",
    "square": "x f z i",
    "tan": "x f z",
    "tanh": "x f z",
    "trunc": "x f i",
}
# The same for functions of two arguments.
BINARY = {
    "add": "x,y f,g z,z i,j",
    "atan2": "x,y f,g",
    "bitwise_and": "i,j mask,mask",
    "bitwise_left_shift": "i,shift",
    "bitwise_or": "i,j mask,mask",
    "bitwise_right_shift": "i,shift",
    "bitwise_xor": "i,j mask,mask",
    "copysign": "x,y f,g",
    "divide": "x,y f,g z,z",
    "equal": "x,y f,g z,z i,j mask,mask",
    "floor_divide": "x,y f,g i,j",
    "greater": "x,y f,g i,j",
    "greater_equal": "x,y f,g i,j",
    "hypot": "x,y f,g",
    "less": "x,y f,g i,j",
    "less_equal": "x,y f,g i,j",
    "logaddexp": "x,y f,g",
    "logical_and": "mask,mask",
    "logical_or": "mask,mask",
    "logical_xor": "mask,mask",
    "maximum": "x,y f,g i,j",
    "minimum": "x,y f,g i,j",
    "multiply": "x,y f,g z,z i,j",
    "nextafter": "x,y f,g",
    "not_equal": "x,y f,g z,z i,j mask,mask",
    "pow": "x,y f,g z,z i,shift",
    "remainder": "x,y f,g i,j",
    "subtract": "x,y f,g z,z i,j",
}


def elementwise() -> list[Case]:
    """The functions by name; those of complex numbers are a group of their own."""
    calls = [
        (name, arguments) for table in (UNARY, BINARY) for name, many in table.items() for arguments in many.split()
    ]
    calls += [("clip", "x,1.0,5.0"), ("clip", "f,1.0,5.0"), ("clip", "i,1,500"), ("clip", "x,u,y + 1.0")]
    return [
        Case("complex" if arguments[0] == "z" else "elementwise", f"xp.{name}({arguments.replace(',', ', ')})")
        for name, arguments in calls
    ]


def operators() -> list[Case]:
    """Each operator between arrays, with a scalar on each side, and in place."""
    codes = ["-x", "+x", "abs(x)", "-f", "-z", "abs(z)", "-i", "abs(i)", "~i", "~mask"]
    for op in ("+", "-", "*", "/", "//", "%", "**"):
        codes += [f"x {op} y", f"f {op} g", f"x {op} 1.5", f"f {op} 1.5", f"1.5 {op} x"]
        codes += [f"w {op}= {'y' if op in '+-%' else 'one'}"]
        if op not in ("//", "%"):
            codes += [f"z {op} z", f"z {op} 1.5"]
        if op != "/":
            exponent = "shift" if op == "**" else "j"
            codes += [f"i {op} {exponent}", f"i {op} 3", f"3 {op} {exponent}"]
            codes += [f"k {op}= {'j' if op in '+-%' else 'ones'}"]
    codes += ["x ** 2", "x ** 3", "x ** 10", "x ** -1", "x ** 0.5", "f ** 2", "f ** 3", "z ** 2", "z ** 3", "i ** 2"]
    for op in ("&", "|", "^", "<<", ">>"):
        other = "shift" if op in ("<<", ">>") else "j"
        codes += [f"i {op} {other}", f"i {op} 3", f"3 {op} {other}"]
        codes += [f"k {op}= {'j' if other == 'j' else 'ones'}"]
    codes += [f"mask {op} mask" for op in "&|^"]
    for op in ("<", "<=", ">", ">=", "==", "!="):
        codes += [f"x {op} y", f"f {op} g", f"i {op} j", f"x {op} 1.5", f"i {op} 3"]
    codes += ["z == z", "z != z", "mask == mask"]
    # What does not lie as it is computed: cast, broadcast, strided.
    codes += ["f + y", "square + row", "x[::2] + y[::2]", "x[::2] < y[::2]", "square.T * square", "f * 2"]
    return [Case("operators", code) for code in codes]


ONCE = (4,)  # The size makes no difference.

CASES = [
    *operators(),
    *elementwise(),
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
    Case("indexing", "square[mask_of_rows]"),
    Case("indexing", "square[square_mask]"),
    Case("indexing", "square[places, places]"),
    Case("indexing", "square[1:, ::2]", ONCE),
    Case("indexing", "w[::2] = 1.5"),
    Case("indexing", "xp.take(x, idx)"),
    Case("indexing", "xp.take(square, places, axis=0)"),
    Case("indexing", "xp.take(square, places, axis=1)"),
    Case("indexing", "xp.take_along_axis(square, grid)"),
    Case("indexing", "xp.take_along_axis(square, grid, axis=0)"),
    Case("manipulation", "xp.broadcast_arrays(square, row)", ONCE),
    Case("manipulation", "xp.broadcast_shapes((side, 1), (1, side))", ONCE),
    Case("manipulation", "xp.broadcast_to(row, (side, side))", ONCE),
    Case("manipulation", "xp.concat((x, y))"),
    Case("manipulation", "xp.concat((x, f))"),
    Case("manipulation", "xp.concat((square, square), axis=1)"),
    Case("manipulation", "xp.concat((square, square.T))"),
    Case("manipulation", "xp.concat((square, square), axis=None)"),
    Case("manipulation", "xp.expand_dims(x, axis=0)", ONCE),
    Case("manipulation", "xp.flip(square)", ONCE),
    Case("manipulation", "xp.matrix_transpose(square)", ONCE),
    Case("manipulation", "xp.moveaxis(square, 0, 1)", ONCE),
    Case("manipulation", "xp.permute_dims(square, (1, 0))", ONCE),
    Case("manipulation", "xp.repeat(x, 3)"),
    Case("manipulation", "xp.repeat(x, shift)"),
    Case("manipulation", "xp.repeat(square, 3, axis=0)"),
    Case("manipulation", "xp.repeat(square, 3, axis=1)"),
    Case("manipulation", "xp.reshape(square, (side * side,))", ONCE),
    Case("manipulation", "xp.reshape(square.T, (side * side,))"),
    Case("manipulation", "xp.roll(x, 1)"),
    Case("manipulation", "xp.roll(square, 1, axis=1)"),
    Case("manipulation", "xp.squeeze(xp.reshape(s, (1,)), axis=0)", ONCE),
    Case("manipulation", "xp.stack((x, y))"),
    Case("manipulation", "xp.stack((x, y), axis=-1)"),
    Case("manipulation", "xp.stack((square, square), axis=1)"),
    Case("manipulation", "xp.tile(x, (3,))"),
    Case("manipulation", "xp.tile(square, (1, 3))"),
    Case("manipulation", "xp.tile(square, (3, 1))"),
    Case("manipulation", "xp.unstack(square)", (4, 1_000)),
    Case("products", "xp.vecdot(x, y)"),
    Case("products", "xp.vecdot(square, square)"),
    Case("products", "xp.vecdot(square, square, axis=-2)"),
    Case("products", "xp.vecdot(f, f)"),
    Case("products", "xp.vecdot(i, j)"),
    Case("products", "xp.vecdot(z, z)"),
    Case("products", "xp.tensordot(m, m, axes=1)", MATRICES, matrices),
    Case("products", "xp.tensordot(m, m)", MATRICES, matrices),
    Case("products", "xp.tensordot(v, v, axes=0)", MATRICES, matrices),
    *(
        Case("linalg", f"xp.linalg.{call}", DECOMPOSED, decomposed)
        for call in (
            "cholesky(pos)",
            "det(m)",
            "eig(m)",
            "eigh(sym)",
            "eigvals(m)",
            "eigvalsh(sym)",
            "inv(m)",
            "matrix_norm(m)",
            "matrix_norm(m, ord=1)",
            "matrix_norm(m, ord=2)",
            "matrix_power(m, 5)",
            "matrix_rank(m)",
            "pinv(m)",
            "qr(m)",
            "slogdet(m)",
            "solve(m, v)",
            "solve(m, m)",
            "svd(m)",
            "svdvals(m)",
        )
    ),
    *(
        Case("linalg", f"xp.linalg.{call}", NOT_LARGE, decomposed)
        for call in (
            "cholesky(her @ her)",
            "eig(z)",
            "eigh(her)",
            "inv(z)",
            "qr(z)",
            "svd(z)",
            "eigh(f + f.T)",
            "inv(f)",
            "qr(f)",
            "svd(f)",
            "qr(tall)",
            "svd(tall, full_matrices=False)",
            "pinv(tall)",
        )
    ),
    *(
        Case("linalg stacks", f"xp.linalg.{call}", SMALL, decomposed)
        for call in (
            "cholesky(poss)",
            "det(stack)",
            "eig(stack)",
            "eigh(syms)",
            "eigvalsh(syms)",
            "inv(stack)",
            "matrix_norm(stack)",
            "qr(stack)",
            "solve(stack, stack)",
            "svd(stack)",
            "svdvals(stack)",
            "trace(stack)",
        )
    ),
    Case("linalg", "xp.linalg.cross(xp.reshape(x[:n // 3 * 3], (-1, 3)), xp.reshape(y[:n // 3 * 3], (-1, 3)))"),
    Case("linalg", "xp.linalg.diagonal(square)", ONCE),
    Case("linalg", "xp.linalg.outer(row, row)"),
    Case("linalg", "xp.linalg.trace(square)"),
    Case("linalg", "xp.linalg.vector_norm(x)"),
    Case("linalg", "xp.linalg.vector_norm(f)"),
    Case("linalg", "xp.linalg.vector_norm(z)"),
    Case("linalg", "xp.linalg.vector_norm(square, axis=0)"),
    Case("linalg", "xp.linalg.vector_norm(square, axis=1)"),
    *(Case("linalg", f"xp.linalg.vector_norm(x, ord={order})") for order in ("1", "xp.inf", "3", "0", "-1")),
    Case("linalg", "xp.linalg.matmul(m, m)", MATRICES, matrices),
    Case("linalg", "xp.linalg.matrix_transpose(square)", ONCE),
    Case("linalg", "xp.linalg.tensordot(m, m, axes=1)", MATRICES, matrices),
    Case("linalg", "xp.linalg.vecdot(x, y)"),
    *(Case("fft", f"xp.fft.{name}({x})", LENGTHS, signals) for name in ("fft", "ifft") for x in ("z", "c")),
    *(Case("fft", f"xp.fft.rfft({x})", LENGTHS, signals) for x in ("x", "f")),
    *(Case("fft", f"xp.fft.irfft({x}, n=n)", LENGTHS, signals) for x in ("half", "half_c")),
    Case("fft", "xp.fft.hfft(half, n=n)", (16, 4_096), signals),
    Case("fft", "xp.fft.ihfft(x)", (16, 4_096), signals),
    Case("fft", "xp.fft.fft(columns, axis=0)", SHORT_LENGTHS, signals),
    Case("fft", "xp.fft.fft(z, n=n - 1, norm='ortho')", (17, 65_536), signals),
    Case("fft", "xp.fft.fftn(square)", LENGTHS, signals),
    Case("fft", "xp.fft.ifftn(square)", (16, 4_096), signals),
    Case("fft", "xp.fft.rfftn(square_x)", LENGTHS, signals),
    Case("fft", "xp.fft.irfftn(square)", LENGTHS, signals),
    Case("fft", "xp.fft.fftshift(z)", (16, 65_536), signals),
    Case("fft", "xp.fft.ifftshift(square)", (16, 65_536), signals),
    Case("fft", "xp.fft.fftfreq(n)", (16, 65_536), signals),
    Case("fft", "xp.fft.rfftfreq(n)", (16, 65_536), signals),
    # What a name costs: those of a plain module are measured beside it, and the libraries we are compared to are such.
    Case("attributes", "xp.add", ONCE),
    Case("attributes", "plain.add", ONCE),
    Case("attributes", "xp.float64", ONCE),
    Case("attributes", "xp.pi", ONCE),
    Case("attributes", "x.ndim", ONCE),
    Case("attributes", "x.size", ONCE),
    Case("attributes", "x.shape", ONCE),
    Case("attributes", "x.dtype", ONCE),
    Case("attributes", "x.device", ONCE),
    Case("attributes", "square.T", ONCE),
    Case("attributes", "square.mT", ONCE),
    Case("attributes", "x.to_device(x.device)"),
    Case("attributes", "x.__array_namespace__()", ONCE),
    Case("attributes", "float(s)", ONCE),
    Case("attributes", "bool(s)", ONCE),
    Case("attributes", "int(s)", ONCE),
    Case("attributes", "complex(s)", ONCE),
    Case("attributes", "repr(x)"),
    Case("creation", "xp.empty(n)"),
    Case("creation", "xp.empty_like(x)"),
    Case("creation", "xp.ones_like(x)"),
    Case("creation", "xp.full_like(x, 1.5)"),
    Case("creation", "xp.zeros(n)"),
    Case("creation", "xp.ones(n)"),
    Case("creation", "xp.full(n, 1.5)"),
    Case("creation", "xp.zeros_like(x)"),
    Case("creation", "xp.arange(n)"),
    Case("creation", "xp.arange(0.0, n, 1.0)"),
    Case("creation", "xp.arange(n, dtype=xp.int32)"),
    Case("creation", "xp.linspace(0.0, 1.0, n)"),
    Case("creation", "xp.linspace(0.0, 1.0, n, dtype=xp.float32)"),
    Case("creation", "xp.eye(side)"),
    Case("creation", "xp.meshgrid(row, row)"),
    Case("creation", "xp.tril(square)"),
    Case("creation", "xp.triu(square)"),
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
    *(
        Case("reductions", f"xp.{name}(square, axis={axis})")
        for name in ("prod", "min", "var", "argmin", "any", "count_nonzero", "cumulative_prod")
        for axis in (0, 1)
    ),
    *(
        Case("reductions", f"xp.{name}({x}, axis={axis})")
        for name in ("sum", "max", "argmax")
        for x in ("square_f", "square_i")
        for axis in (0, 1)
    ),
    *(
        Case("reductions", f"xp.{name}({x})")
        for name in ("sum", "max", "mean", "argmax")
        for x in ("square.T", "x[::2]", "x[::-1]", "square[:, ::2]")
    ),
    Case("dtypes", "xp.astype(x, xp.float32)"),
    Case("dtypes", "xp.astype(f, xp.float64)"),
    Case("dtypes", "xp.astype(i, xp.float64)"),
    Case("dtypes", "xp.astype(x, xp.int64)"),
    Case("dtypes", "xp.astype(i, xp.int32)"),
    Case("dtypes", "xp.astype(x, xp.complex128)"),
    Case("dtypes", "xp.astype(x, xp.bool)"),
    Case("dtypes", "xp.astype(mask, xp.float64)"),
    Case("dtypes", "xp.astype(x, xp.float64)"),
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
    Case("sorting", "xp.sort(x, descending=True)"),
    Case("sorting", "xp.sort(i32)"),
    Case("sorting", "xp.sort(small)"),
    Case("sorting", "xp.sort(ascending)"),
    Case("sorting", "xp.sort(descending)"),
    Case("sorting", "xp.sort(x[::-1])"),
    Case("sorting", "xp.sort(square_wide, axis=1)"),
    Case("sorting", "xp.sort(square_wide, axis=0)"),
    Case("sorting", "xp.argsort(x)"),
    Case("sorting", "xp.argsort(x, stable=False)"),
    Case("sorting", "xp.argsort(i)"),
    Case("sorting", "xp.argsort(f, descending=True)"),
    Case("sorting", "xp.argsort(wide)"),
    Case("sorting", "xp.argsort(small)"),
    Case("sorting", "xp.argsort(ascending)"),
    Case("sorting", "xp.argsort(descending)"),
    Case("sorting", "xp.argsort(square_wide, axis=0)"),
    Case("sorting", "xp.argsort(square_wide, axis=1)"),
    Case("searching", "xp.searchsorted(ascending, x)"),
    Case("searching", "xp.searchsorted(ascending, ascending, side='right')"),
    Case("searching", "xp.searchsorted(ascending, 3.0)"),
    Case("searching", "xp.nonzero(mask)"),
    Case("searching", "xp.nonzero(x)"),
    Case("searching", "xp.nonzero(square)"),
    Case("searching", "xp.where(mask, x, y)"),
    Case("searching", "xp.where(mask, x, 1.5)"),
    Case("searching", "xp.where(mask, f, x)"),
    Case("searching", "xp.where(square_mask, square, row)"),
    Case("sets", "xp.unique_values(x)"),
    Case("sets", "xp.unique_values(f)"),
    Case("sets", "xp.unique_values(small)"),
    Case("sets", "xp.unique_values(mask)"),
    Case("sets", "xp.unique_values(ascending)"),
    Case("sets", "xp.unique_values(i)"),
    Case("sets", "xp.unique_values(wide)"),
    Case("sets", "xp.unique_values(z)"),
    Case("sets", "xp.unique_counts(x)"),
    Case("sets", "xp.unique_counts(i)"),
    Case("sets", "xp.unique_inverse(x)"),
    Case("sets", "xp.unique_inverse(i)"),
    Case("sets", "xp.unique_all(x)"),
    Case("sets", "xp.unique_all(i)"),
    Case("sets", "xp.isin(i, j)"),
    Case("sets", "xp.isin(wide, wide)"),
    Case("sets", "xp.isin(i, 5)"),
    Case("exchange", "xp.from_dlpack(a)", ONCE),
    Case("exchange", "np.from_dlpack(x)", ONCE),
    Case("exchange", "np.from_dlpack(xp.from_dlpack(a))", ONCE),
    Case("exchange", "xp.from_dlpack(x)", ONCE),
    Case("exchange", "np.asarray(x)", ONCE),
    Case("exchange", "xp.from_dlpack(a, copy=True)"),
    Case("namespace", "xp.__array_namespace_info__()", ONCE),
    Case("namespace", "xp.__array_namespace_info__().capabilities()", ONCE),
    Case("namespace", "xp.__array_namespace_info__().dtypes()", ONCE),
    Case("namespace", "xp.__array_namespace_info__().default_dtypes()", ONCE),
    Case("namespace", "xp.__array_namespace_info__().devices()", ONCE),
    Case("namespace", "xp.__array_namespace_info__().default_device()", ONCE),
    Case("namespace", "xp.get_array_api_strict_flags()", ONCE),
    Case("namespace", "xp.set_array_api_strict_flags(boolean_indexing=True)", ONCE),
    Case("namespace", "xp.reset_array_api_strict_flags()", ONCE),
    Case("namespace", "with xp.ArrayAPIStrictFlags(boolean_indexing=True): xp.add", ONCE),
]
