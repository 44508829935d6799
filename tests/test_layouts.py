"""The same bits from every memory layout, for every function, operator and way of indexing.

A table has one line or more for each of them: arrays of a given shape, and a call. Each call must give the same bits (or the
same refusal) whatever the layout of its arguments: C, F, permuted, backwards, with gaps, from an odd offset, with a stride of
0, of every short length, and without elements. A name that the table lacks fails the first test.
"""

import functools
import itertools
import operator
from typing import NamedTuple

import numpy as np
import pytest
from support import (
    COMPLEX_FLOATING,
    DTYPES,
    FLOATING,
    INTEGER,
    NUMERIC,
    REAL_FLOATING,
    REAL_NUMERIC,
    UNSIGNED,
    assert_same,
    dtype,
    from_np,
    own,
    public_functions,
)

import strictarray as xp

BOOL = ("bool",)
BITS = (*BOOL, *INTEGER)
NAN, INF = float("nan"), float("inf")

# --- values ---------------------------------------------------------------------------------------------------------


def shared(make):
    """Made once, and not to be written to."""

    @functools.cache
    def cached(*args, **kwargs):
        a = np.asarray(make(*args, **kwargs))
        a.flags.writeable = False
        return a

    return cached


@shared
def values(dt, shape, seed=0):
    """All kinds of values of a data type, its ends and the special ones among them."""
    size = int(np.prod(shape, dtype=np.int64))
    rng = np.random.default_rng([seed, size])
    if dt == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dt in INTEGER:
        info = np.iinfo(dt)
        a = rng.integers(info.min, info.max, size, dtype=dt, endpoint=True) >> rng.integers(0, info.bits, size).astype(
            dt
        )
        return (
            np.where(rng.random(size) < 0.1, rng.choice([info.min, info.max, 0, 1], size), a).astype(dt).reshape(shape)
        )
    if dt in COMPLEX_FLOATING:
        part = REAL_FLOATING[COMPLEX_FLOATING.index(dt)]
        z = np.empty(shape, dt)
        z.real, z.imag = values(part, shape, seed + 1000), values(part, shape, seed + 2000)
        return z
    a = rng.standard_normal(size) * 2.0 ** rng.integers(-8, 9, size)
    special = [0.0, -0.0, 1.0, -1.0, 0.5, INF, -INF, NAN, 1e-42, 3e38, 1e-310]
    return np.where(rng.random(size) < 0.2, rng.choice(special, size), a).astype(dt).reshape(shape)


@shared
def ordinary(dt, shape, seed=0):
    """Numbers of ordinary size."""
    a = np.random.default_rng([seed, 1]).uniform(-9, 9, shape)
    if dt in COMPLEX_FLOATING:
        return (a + 1j * np.random.default_rng([seed, 2]).uniform(-9, 9, shape)).astype(dt)
    return (a > 0) if dt == "bool" else np.abs(a).astype(dt) if dt in UNSIGNED else a.astype(dt)


@shared
def small(high, shape, seed=0, dt="int64"):
    """Integers from 0 to below `high`, if there are any."""
    return np.random.default_rng([seed, 3]).integers(0, max(high, 1), shape).astype(dt)


# --- layouts --------------------------------------------------------------------------------------------------------


def lay(a, order=None, steps=(1,), offset=0, shift=0):
    """The values of `a` in a larger memory full of something else, as (view, memory).

    `order` turns axes into their order in memory; `steps` are those of the axes, the last of them again for all further ones;
    `offset` elements lie before the first on each axis, `shift` before all.
    """
    axes = list(range(a.ndim)) if order is None else order(list(range(a.ndim)))
    steps = [*steps, *[steps[-1]] * a.ndim][: a.ndim]
    sizes = [a.shape[axis] * abs(steps[axis]) + 2 * offset for axis in axes]
    memory = np.full(shift + int(np.prod(sizes, dtype=np.int64)), 77).astype(a.dtype)
    key = [slice(offset, offset + a.shape[axis] * abs(steps[axis]), abs(steps[axis])) for axis in axes]
    backwards = [slice(None, None, -1 if step < 0 else 1) for step in steps]
    view = memory[shift:].reshape(sizes)[(*key, ...)].transpose(np.argsort(axes).astype(int))[(*backwards, ...)]
    view[...] = a
    return view, memory


def turned(axes):
    return axes[::-1]


def rotated(axes):
    return axes[1:] + axes[:1]


# {name: arguments of `lay`}
LAYOUTS = {
    "C": {},
    "F": {"order": turned},
    "backwards": {"steps": (-1,)},
    "first axis backwards": {"steps": (-1, 1)},
    "later axes backwards": {"steps": (1, -1)},
    "F backwards": {"order": turned, "steps": (-1,)},
    "permuted": {"order": rotated, "steps": (1, -1, 1)},
    "gaps": {"steps": (2, 3), "offset": 1},
    "F with gaps": {"order": turned, "steps": (3, -2), "offset": 2},
    "gaps between rows": {"steps": (2, 1)},
    "odd offset": {"shift": 1},
    "F, odd offset": {"order": turned, "shift": 3},
}


def misaligned(a):
    b = np.frombuffer(bytearray(a.nbytes + 1), dtype=np.uint8)[1:].view(a.dtype).reshape(a.shape)
    b[...] = a
    return b


VIEWS = {}


def view(a, layout):
    """An array of ours with these values in a layout. Read only: those of arrays that are shared are kept."""
    if (id(a), layout) in VIEWS:
        return VIEWS[id(a), layout][1]
    x = from_np(misaligned(a) if layout == "misaligned" else lay(a, **LAYOUTS[layout])[0])
    if not a.flags.writeable and a.size < 1000:
        VIEWS[id(a), layout] = (a, x)
    return x


def repeated(a):
    """Arrays of stride 0 or of overlapping elements, of the shape of `a`: values that are not those of `a`."""
    if a.ndim and a.size:
        for axis in range(a.ndim):
            yield np.broadcast_to(a.take([0], axis), a.shape)
        yield np.broadcast_to(a[..., ::-1][..., :1], a.shape)
        yield np.broadcast_to(a[(0,) * a.ndim], a.shape)
        yield np.broadcast_to(a[None], (2, *a.shape))[1]
        memory = np.resize(a, sum(a.shape)) if a.dtype == bool or a.ndim > 1 else np.resize(a, 2 * a.size)
        yield np.lib.stride_tricks.as_strided(memory, a.shape, [a.itemsize] * a.ndim)


# --- the table ------------------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """Arguments of a data type for a shape, and what is done with them."""

    dtypes: tuple
    make: object
    call: object
    # Whether the first argument is written.
    writes: bool = False
    # The least number of axes.
    ndim: int = 0


def x(dt, shape):
    return [values(dt, shape)]


def x_y(dt, shape):
    return [values(dt, shape, 1), values(dt, shape, 2)]


UNARY = {
    NUMERIC: "abs negative positive square sign conj real round isfinite isinf isnan",
    REAL_NUMERIC: "ceil floor trunc",
    FLOATING: "acos acosh asin asinh atan atanh cos cosh exp expm1 log log10 log1p log2 reciprocal sin sinh sqrt tan tanh",
    REAL_FLOATING: "signbit",
    COMPLEX_FLOATING: "imag",
    BOOL: "logical_not",
    BITS: "bitwise_invert",
}
BINARY = {
    NUMERIC: "add subtract multiply",
    FLOATING: "divide",
    REAL_NUMERIC: "floor_divide remainder maximum minimum less less_equal greater greater_equal",
    REAL_FLOATING: "atan2 copysign hypot logaddexp nextafter",
    BOOL: "logical_and logical_or logical_xor",
    BITS: "bitwise_and bitwise_or bitwise_xor",
    DTYPES: "equal not_equal",
}
OPERATORS = {
    "add": (operator.add, operator.iadd),
    "subtract": (operator.sub, operator.isub),
    "multiply": (operator.mul, operator.imul),
    "divide": (operator.truediv, operator.itruediv),
    "floor_divide": (operator.floordiv, operator.ifloordiv),
    "remainder": (operator.mod, operator.imod),
    "pow": (operator.pow, operator.ipow),
    "bitwise_and": (operator.and_, operator.iand),
    "bitwise_or": (operator.or_, operator.ior),
    "bitwise_xor": (operator.xor, operator.ixor),
    "bitwise_left_shift": (operator.lshift, operator.ilshift),
    "bitwise_right_shift": (operator.rshift, operator.irshift),
    "equal": (operator.eq, None),
    "not_equal": (operator.ne, None),
    "less": (operator.lt, None),
    "less_equal": (operator.le, None),
    "greater": (operator.gt, None),
    "greater_equal": (operator.ge, None),
}
UNARY_OPERATORS = {
    "abs": operator.abs,
    "negative": operator.neg,
    "positive": operator.pos,
    "bitwise_invert": operator.invert,
}

TABLE = {}


def row(name, *cases):
    TABLE.setdefault(name, []).extend(cases)


for dtypes, names in UNARY.items():
    for name in names.split():
        row(name, Case(dtypes, x, getattr(xp, name)))
        if name in UNARY_OPERATORS:
            row(f"operator {name}", Case(dtypes, x, UNARY_OPERATORS[name]))


def powers(dt, shape):
    """Bases and exponents; integers to powers that are not negative."""
    a, b = x_y(dt, shape)
    return [a, small(9, shape, dt=dt)] if dt in INTEGER else [a, b]


def shifts(dt, shape):
    return [values(dt, shape), small(np.iinfo(dt).bits, shape, dt=dt)]


SCALARS = {dtype(dt): True if dt == "bool" else 3 if dt in INTEGER else 2.5 for dt in DTYPES}


def scalar_of(a):
    return SCALARS[a.dtype]


def binary(name, dtypes, make=x_y):
    function = getattr(xp, name)
    row(
        name,
        Case(dtypes, make, function),
        # Broadcast both ways: a row and a column, and a scalar on either side.
        Case(dtypes, make, lambda a, b: function(a, b[:1, ...]), ndim=2),
        Case(dtypes, make, lambda a, b: function(a[..., :1], b), ndim=2),
        Case(dtypes, make, lambda a, b: function(a[:1, ...], b[..., :1]), ndim=2),
        Case(dtypes, x, lambda a: function(a, scalar_of(a))),
        Case(dtypes, lambda dt, shape: make(dt, shape)[1:], lambda a: function(scalar_of(a), a)),
    )
    if name in OPERATORS:
        forward, place = OPERATORS[name]
        row(f"operator {name}", Case(dtypes, make, forward), Case(dtypes, x, lambda a: forward(a, scalar_of(a))))
        if place:
            row(
                f"operator {name} in place",
                Case(dtypes, make, place, writes=True),
                Case(dtypes, make, lambda a, b: place(a, b[:1, ...]), writes=True, ndim=2),
                Case(dtypes, make, lambda a, b: place(a, b[..., :1]), writes=True, ndim=2),
                Case(dtypes, x, lambda a: place(a, scalar_of(a)), writes=True),
            )


for dtypes, names in BINARY.items():
    for name in names.split():
        binary(name, dtypes)
binary("pow", NUMERIC, powers)
for name in ("bitwise_left_shift", "bitwise_right_shift"):
    binary(name, INTEGER, shifts)


# Operands of two data types, which are cast.
def mixed(other):
    return lambda dt, shape: [values(dt, shape, 1), values(other, shape, 2)]


for name in ("add", "maximum", "less", "atan2"):
    row(name, Case(("float32",), mixed("float64"), getattr(xp, name)))
for name in ("multiply", "equal"):
    row(name, Case(("int16", "int64"), mixed("uint8"), getattr(xp, name)))
    row(name, Case(("float64",), mixed("complex64"), getattr(xp, name)))
row("operator add in place", Case(("float64", "complex128"), mixed("float32"), operator.iadd, writes=True))


def bounded(dt, shape):
    low, high = np.sort([values(dt, shape, 2), values(dt, shape, 3)], axis=0)
    return [values(dt, shape, 1), low, high]


row(
    "clip",
    Case(REAL_NUMERIC, bounded, xp.clip),
    Case(REAL_NUMERIC, bounded, lambda a, low, high: xp.clip(a, low)),
    Case(REAL_NUMERIC, bounded, lambda a, low, high: xp.clip(a, max=high)),
    Case(REAL_NUMERIC, bounded, lambda a, low, high: xp.clip(a, low[:1, ...], None), ndim=2),
    Case(REAL_NUMERIC, x, lambda a: xp.clip(a, 1, 5)),
)


def with_condition(make):
    return lambda dt, shape: [values("bool", shape), *make(dt, shape)]


row(
    "where",
    Case(DTYPES, with_condition(x_y), xp.where),
    Case(DTYPES, with_condition(x_y), lambda c, a, b: xp.where(c[:1, ...], a, b[..., :1]), ndim=2),
    Case(DTYPES, with_condition(x_y), lambda c, a, b: xp.where(c[..., :1], a[:1, ...], b), ndim=2),
    Case(DTYPES, with_condition(x), lambda c, a: xp.where(c, a, scalar_of(a))),
    Case(("float64",), with_condition(mixed("float32")), xp.where),
)

# Reductions, sorting, searching and sets


def every_axis(a):
    return range(a.ndim)


def sets_of_axes(a):
    every = range(a.ndim)
    return [None, *every, *itertools.combinations(every, 2), tuple(every)]


def one_or_all(a):
    return [None, *range(-a.ndim, 0)]


def along(name, axes, **keywords):
    """The results for each axis or set of axes."""
    function = getattr(xp, name)
    return lambda a: [function(a, axis=axis, **keywords) for axis in axes(a)]


def numbers(dt, shape):
    return [ordinary(dt, shape)]


def few(high):
    """Integers below a number, so that there are equal ones."""
    return lambda dt, shape: [small(high, shape, dt=dt)]


REDUCTIONS = {
    NUMERIC: "sum prod",
    FLOATING: "mean",
    REAL_NUMERIC: "max min",
    DTYPES: "all any count_nonzero",
    REAL_FLOATING: "var std",
}
for dtypes, names in REDUCTIONS.items():
    for name in names.split():
        # Of the ordinary numbers no sum is lost to an infinity.
        row(name, *[Case(dtypes, make, along(name, sets_of_axes)) for make in (x, numbers)])
        row(name, Case(dtypes, x, along(name, sets_of_axes, keepdims=True)))
for name in ("sum", "prod"):
    row(name, Case(("int8", "uint16"), x, along(name, sets_of_axes, dtype=xp.int32)))
    row(name, Case(("float32",), x, along(name, sets_of_axes, dtype=xp.float64)))
for name in ("argmax", "argmin"):
    for keepdims in (False, True):
        row(name, Case(REAL_NUMERIC, x, along(name, one_or_all, keepdims=keepdims)))
for name in ("cumulative_sum", "cumulative_prod"):
    row(name, *[Case(NUMERIC, make, along(name, every_axis), ndim=1) for make in (x, numbers)])
    row(name, Case(NUMERIC, x, along(name, every_axis, include_initial=True), ndim=1))
    row(name, Case(("int8",), x, along(name, every_axis, dtype=xp.int64), ndim=1))
row(
    "diff",
    Case(NUMERIC, x, along("diff", every_axis), ndim=1),
    Case(NUMERIC, x, along("diff", every_axis, n=2), ndim=1),
    Case(NUMERIC, x_y, lambda a, b: xp.diff(a, prepend=b, append=b), ndim=1),
)
for name in ("sort", "argsort"):
    for keywords in ({}, {"descending": True}, {"stable": False}):
        row(name, *[Case(REAL_NUMERIC, make, along(name, every_axis, **keywords), ndim=1) for make in (x, few(4))])


def last(a):
    """One axis: the first row, column …"""
    return a[(0,) * (a.ndim - 1) + (...,)]


def sorted_and_sought(dt, shape):
    return [np.sort(values(dt, shape, 1)), values(dt, shape, 2)]


def with_sorter(dt, shape):
    return [*x_y(dt, shape), np.argsort(values(dt, shape, 1))]


for side in ("left", "right"):
    row(
        "searchsorted",
        Case(REAL_NUMERIC, sorted_and_sought, lambda a, v, side=side: xp.searchsorted(last(a), v, side=side), ndim=1),
        Case(
            REAL_NUMERIC,
            with_sorter,
            lambda a, v, s, side=side: xp.searchsorted(last(a), v, side=side, sorter=last(s)),
            ndim=1,
        ),
    )
for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
    row(name, Case(DTYPES, x, getattr(xp, name)), Case(NUMERIC, few(5), getattr(xp, name)))
row(
    "isin",
    Case(INTEGER, lambda dt, shape: [small(9, shape, 1, dt), small(5, shape, 2, dt)], xp.isin),
    Case(INTEGER, x_y, lambda a, b: xp.isin(a, b, invert=True)),
    Case(INTEGER, x_y, lambda a, b: xp.isin(a, b[..., ::2]), ndim=1),
    Case(INTEGER, x, lambda a: [xp.isin(a, 3), xp.isin(3, a)]),
)
row("nonzero", Case(DTYPES, x, xp.nonzero, ndim=1), Case(NUMERIC, few(2), xp.nonzero, ndim=1))

# Products


def of_shapes(*shapes, make=ordinary):
    """Arrays of shapes that depend on the one that is asked for."""
    return lambda dt, shape: [make(dt, of(shape), i) for i, of in enumerate(shapes)]


def same(shape):
    return shape


def transposed(shape):
    return shape[:-2] + shape[-2:][::-1]


def vector(shape):
    return shape[-1:]


row(
    "matmul",
    Case(NUMERIC, of_shapes(same, transposed), xp.matmul, ndim=1),
    Case(NUMERIC, of_shapes(same, transposed), lambda a, b: xp.matmul(a[..., :1, :], b), ndim=2),
    Case(NUMERIC, of_shapes(same, transposed), lambda a, b: xp.matmul(a, b[..., :1]), ndim=2),
    Case(NUMERIC, of_shapes(same, vector), xp.matmul, ndim=1),
    Case(NUMERIC, of_shapes(vector, transposed), xp.matmul, ndim=1),
    Case(FLOATING, of_shapes(same, transposed, make=values), xp.matmul, ndim=1),
)
row("operator matmul", Case(NUMERIC, of_shapes(same, transposed), operator.matmul, ndim=1))
row(
    "operator matmul in place",
    Case(NUMERIC, of_shapes(same, lambda shape: shape[-1:] * 2), operator.imatmul, writes=True, ndim=2),
)
row("vecdot", Case(NUMERIC, x_y, xp.vecdot, ndim=1))
for axis in (-1, -2, -3):
    call = lambda a, b, axis=axis: xp.vecdot(a, b, axis=axis)  # noqa: E731
    row("vecdot", Case(NUMERIC, of_shapes(same, same), call, ndim=-axis))
row(
    "tensordot",
    Case(NUMERIC, of_shapes(same, lambda s: s[::-1]), lambda a, b: xp.tensordot(a, b, axes=1), ndim=1),
    Case(NUMERIC, of_shapes(vector, vector), lambda a, b: xp.tensordot(a, b, axes=0), ndim=1),
    Case(NUMERIC, of_shapes(same, lambda s: (*s[-2:], 2)), xp.tensordot, ndim=2),
    Case(
        NUMERIC,
        of_shapes(same, lambda s: (s[1], s[0], 2)),
        lambda a, b: xp.tensordot(a, b, axes=((1, 0), (0, 1))),
        ndim=2,
    ),
    Case(NUMERIC, of_shapes(same, lambda s: (2, s[0])), lambda a, b: xp.tensordot(a, b, axes=((0,), (-1,))), ndim=1),
)

# Linear algebra. The kernels of the names that the main namespace has too are the same.


def square(shape):
    return (*shape[:-1], shape[-2])


def definite(dt, shape):
    """Hermitian matrices that are positive definite."""
    a = ordinary(dt, square(shape)).astype("complex128")
    a = a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(shape[-2])
    return [a.astype(dt) if dt in COMPLEX_FLOATING else a.real.astype(dt)]


def or_rule(f):
    """What it gives, or by which rule it is refused: a matrix of equal rows has no inverse."""

    def call(*arrays):
        try:
            return f(*arrays)
        except ValueError as error:
            assert error.rule in ("singular-matrix", "not-positive-definite"), error
            return error.rule

    return call


def alias(name, *shapes, ndim, **keywords):
    function = getattr(xp.linalg, name)
    row(f"linalg.{name}", Case(NUMERIC, of_shapes(*shapes), lambda *a: function(*a, **keywords), ndim=ndim))


alias("matmul", same, transposed, ndim=2)
alias("matrix_transpose", same, ndim=2)
alias("tensordot", vector, vector, ndim=1, axes=0)
alias("vecdot", same, same, ndim=1)
# NaN and infinities go through these.
for name in ("det", "slogdet"):
    function = getattr(xp.linalg, name)
    row(
        f"linalg.{name}",
        *[Case(FLOATING, of_shapes(square, make=make), function, ndim=2) for make in (ordinary, values)],
    )
for name in ("eig", "eigh", "eigvals", "eigvalsh"):
    row(f"linalg.{name}", Case(FLOATING, of_shapes(square), getattr(xp.linalg, name), ndim=2))
row(
    "linalg.inv",
    *[Case(FLOATING, of_shapes(square, make=make), or_rule(xp.linalg.inv), ndim=2) for make in (ordinary, values)],
)
row(
    "linalg.cholesky",
    Case(FLOATING, definite, or_rule(xp.linalg.cholesky), ndim=2),
    Case(FLOATING, definite, or_rule(lambda a: xp.linalg.cholesky(a, upper=True)), ndim=2),
)
row(
    "linalg.solve",
    Case(FLOATING, of_shapes(square, same), or_rule(xp.linalg.solve), ndim=2),
    Case(FLOATING, of_shapes(square, lambda s: s[-2:-1]), or_rule(xp.linalg.solve), ndim=2),
    Case(FLOATING, of_shapes(lambda s: square(s[-2:]), same, make=values), or_rule(xp.linalg.solve), ndim=2),
)
row(
    "linalg.matrix_power",
    Case(FLOATING, of_shapes(square), or_rule(lambda a: [xp.linalg.matrix_power(a, n) for n in (-2, 0, 1, 3)]), ndim=2),
)
row(
    "linalg.qr",
    Case(FLOATING, numbers, xp.linalg.qr, ndim=2),
    Case(FLOATING, x, lambda a: xp.linalg.qr(a, mode="complete"), ndim=2),
)
row(
    "linalg.svd",
    Case(FLOATING, numbers, xp.linalg.svd, ndim=2),
    Case(FLOATING, numbers, lambda a: xp.linalg.svd(a, full_matrices=False), ndim=2),
)
row("linalg.svdvals", Case(FLOATING, numbers, xp.linalg.svdvals, ndim=2))
for name in ("pinv", "matrix_rank"):
    function = getattr(xp.linalg, name)
    row(
        f"linalg.{name}",
        Case(FLOATING, numbers, function, ndim=2),
        Case(
            REAL_FLOATING, of_shapes(same, lambda s: s[:-2]), lambda a, b, f=function: f(a, rtol=xp.abs(b) / 20), ndim=2
        ),
    )
for order in ("fro", "nuc", 1, -1, 2, -2, INF, -INF):
    call = lambda a, order=order: xp.linalg.matrix_norm(a, ord=order, keepdims=True)  # noqa: E731
    # Of no elements there is no smallest sum.
    call = call if isinstance(order, str) or order > 0 else lambda a, f=call: f(a) if a.size else a
    row("linalg.matrix_norm", Case(FLOATING, numbers, call, ndim=2))
for order in (2, 1, INF, -INF, 0, 3, -1.5):
    call = lambda a, axis, order=order: xp.linalg.vector_norm(a, axis=axis, ord=order)  # noqa: E731
    call = call if order != -INF else lambda a, axis, f=call: f(a, axis) if a.size else a
    every = lambda a, f=call: [f(a, axes) for axes in sets_of_axes(a)]  # noqa: E731
    row("linalg.vector_norm", *[Case(FLOATING, make, every) for make in (x, numbers)])
row("linalg.outer", Case(NUMERIC, of_shapes(vector, vector), xp.linalg.outer, ndim=1))
row("linalg.cross", Case(NUMERIC, of_shapes(*[lambda s: (*s, 3)] * 2), xp.linalg.cross))
row(
    "linalg.cross", Case(NUMERIC, of_shapes(*[lambda s: (3, *s)] * 2), lambda a, b: xp.linalg.cross(a, b, axis=-a.ndim))
)
for offset in (0, 1, -2, 9):
    row("linalg.diagonal", Case(DTYPES, x, lambda a, k=offset: xp.linalg.diagonal(a, offset=k), ndim=2))
    row("linalg.trace", Case(NUMERIC, x, lambda a, k=offset: xp.linalg.trace(a, offset=k), ndim=2))

# Fourier transforms


def lengths(name):
    """Along each axis: as many elements as there are (the half of one is of none), fewer, more."""
    function = getattr(xp.fft, name)

    def call(a):
        counts = [(axis, n) for axis in range(a.ndim) for n in (None if a.shape[axis] != 1 else 1, 4, 9)]
        return [function(a, n=n, axis=axis, norm="ortho") for axis, n in counts]

    return call


def several_axes(name):
    """Over all axes, each, and two of them cut and padded."""
    function = getattr(xp.fft, name)

    def call(a):
        given = [{"s": (9, 4), "axes": axes} for axes in ((0, 1), (-1, 0)) if a.ndim > 1]
        given += [{"axes": (i,)} for i in range(a.ndim) if a.shape[i] != 1]
        given += [{}] if a.shape[-1] != 1 else []
        return [function(a, **keywords) for keywords in given]

    return call


for dtypes, names in {COMPLEX_FLOATING: "fft ifft irfft hfft", REAL_FLOATING: "rfft ihfft"}.items():
    for name in names.split():
        row(f"fft.{name}", *[Case(dtypes, make, lengths(name), ndim=1) for make in (x, numbers)])
for dtypes, names in {COMPLEX_FLOATING: "fftn ifftn irfftn", REAL_FLOATING: "rfftn"}.items():
    for name in names.split():
        row(f"fft.{name}", Case(dtypes, numbers, several_axes(name), ndim=1))
for name in ("fftshift", "ifftshift"):
    function = getattr(xp.fft, name)
    row(f"fft.{name}", Case(FLOATING, x, lambda a, f=function: [f(a), *[f(a, axes=i) for i in range(a.ndim)]]))

# Creation, manipulation, indexing

D1, D2 = xp.Device("device1"), xp.Device("device2")
OF_ANY_ARRAY = {
    "asarray": lambda a: [xp.asarray(a), xp.asarray(a, copy=True), xp.asarray(a, dtype=xp.complex128)],
    "astype": lambda a: [xp.astype(a, to) for to in (xp.bool, xp.complex64, xp.complex128)],
    "broadcast_to": lambda a: xp.broadcast_to(a, (2, *a.shape)),
    "copy.copy": lambda a: a.__copy__(),
    # Its values are whatever is there.
    "empty_like": lambda x: xp.zeros_like(xp.empty_like(x)),
    "expand_dims": lambda a: [xp.expand_dims(a, axis=i) for i in range(a.ndim + 1)],
    "flip": lambda a: [xp.flip(a), *[xp.flip(a, axis=i) for i in range(a.ndim)]],
    "from_dlpack": lambda a: [xp.from_dlpack(a), xp.from_dlpack(a, copy=True), xp.from_dlpack(a, device=D1)],
    "full_like": lambda a: xp.full_like(a, scalar_of(a)),
    "ones_like": xp.ones_like,
    "pickle": lambda a: a.__reduce__()[1][-1],
    "repeat": lambda a: [xp.repeat(a, 3), *[xp.repeat(a, 2, axis=i) for i in range(a.ndim)]],
    "repr": repr,
    "reshape": lambda a: [xp.reshape(a, (-1,) if a.size else (0,)), xp.reshape(a, (1, *a.shape[::-1], 1))],
    "roll": lambda a: [xp.roll(a, 3), *[xp.roll(a, -1, axis=i) for i in range(a.ndim)]],
    "squeeze": lambda a: xp.squeeze(xp.expand_dims(a, axis=0), axis=0),
    "tile": lambda a: [xp.tile(a, (2,)), xp.tile(a, (2, 1, 3))],
    "to_device": lambda a: a.to_device(D2),
    "zeros_like": xp.zeros_like,
}
for name, call in OF_ANY_ARRAY.items():
    row(name, Case(DTYPES, x, call))
real_dtypes = tuple(dt for dt in DTYPES if dt not in COMPLEX_FLOATING)
row("astype", *[Case(real_dtypes, x, lambda a, to=to: xp.astype(a, dtype(to))) for to in real_dtypes])
row("element", Case(DTYPES, x, lambda a: [convert(a[(0,) * a.ndim]) for convert in (bool, complex)] if a.size else []))
row("iteration", Case(DTYPES, x, lambda a: list(last(a)) if 0 not in a.shape[:-1] else [], ndim=1))
OF_MATRICES = {
    "matrix_transpose": xp.matrix_transpose,
    "mT": lambda a: a.mT,
    "T": lambda a: (a[(0,) * (a.ndim - 2) + (...,)] if a.size else a[..., 0] if a.ndim == 3 else a).T,
    "moveaxis": lambda a: [xp.moveaxis(a, 0, -1), xp.moveaxis(a, (0, 1), (1, 0))],
    "permute_dims": lambda a: [xp.permute_dims(a, axes) for axes in itertools.permutations(range(a.ndim))],
    "roll": lambda a: xp.roll(a, (1, 2), axis=(0, -1)),
    "tril": lambda a: [xp.tril(a, k=k) for k in (-1, 0, 2)],
    "triu": lambda a: [xp.triu(a, k=k) for k in (-1, 0, 2)],
}
for name, call in OF_MATRICES.items():
    row(name, Case(DTYPES, x, call, ndim=2))
for indexing in ("xy", "ij"):
    call = lambda a, b, indexing=indexing: xp.meshgrid(last(a), last(b[::-1, ...]), indexing=indexing)  # noqa: E731
    row("meshgrid", Case(NUMERIC, x_y, call, ndim=1))
row("unstack", Case(DTYPES, x, lambda a: [xp.unstack(a, axis=i) for i in range(a.ndim)], ndim=1))
row("concat", Case(DTYPES, x_y, lambda a, b: [xp.concat((a, b, a), axis=i) for i in (*range(a.ndim), None)], ndim=1))
row("concat", Case(("float32",), mixed("float64"), lambda a, b: xp.concat((a, b)), ndim=1))
row("stack", Case(DTYPES, x_y, lambda a, b: [xp.stack((a, b), axis=i) for i in range(a.ndim + 1)]))
row("broadcast_arrays", Case(DTYPES, x_y, lambda a, b: xp.broadcast_arrays(a, b[:1, ...], b[..., :1]), ndim=2))


def with_places(axis, places, dt="int64"):
    """Positions on an axis, as many as `places` makes of the shape."""
    # Within the data type, too.
    return lambda to, shape: [values(to, shape), small(min(shape[axis], 99), places(shape), dt=dt)]


def with_counts(dt, shape):
    return [values(dt, shape), small(4, shape[:1])]


def seven(shape):
    return (7,)


row("repeat", Case(DTYPES, with_counts, lambda a, n: xp.repeat(a, n, axis=0), ndim=1))
row("take", Case(DTYPES, with_places(-1, seven), lambda a, i: xp.take(a, i, axis=-1), ndim=1))
row("take_along_axis", Case(DTYPES, with_places(0, same), lambda a, i: xp.take_along_axis(a, i, axis=0), ndim=1))
for dt in INTEGER:
    some = ("int8", "float64", "complex128")
    row("take", Case(some, with_places(0, seven, dt), lambda a, i: xp.take(a, i, axis=0), ndim=1))
    row("take_along_axis", Case(some, with_places(-1, same, dt), xp.take_along_axis, ndim=1))


def keys(a):
    found = [(slice(None, None, -1), ...), (..., slice(1, None, 2)), (None, ..., None), ...]
    return [*found, (0,) * a.ndim, (-1, ...), (..., 0)] if a.size else found


def with_mask(dt, shape):
    return [values(dt, shape), values("bool", shape)]


def with_arrays(dt, shape):
    """An index array for each axis, which broadcast."""
    return [values(dt, shape), *[small(n, (6, 1) if i == 0 else (5,), i) for i, n in enumerate(shape)]]


def assign(a, key, value):
    a[key] = value
    return a


row(
    "x[key]",
    Case(DTYPES, x, lambda a: [a[key] for key in keys(a)], ndim=1),
    Case(DTYPES, with_mask, lambda a, mask: a[mask]),
    Case(DTYPES, with_mask, lambda a, mask: a[mask[..., 0]] if mask.shape[-1] else a[mask], ndim=2),
    Case(DTYPES, with_arrays, lambda a, *arrays: a[arrays], ndim=1),
)
row(
    "x[key] = value",
    Case(DTYPES, x_y, lambda a, b: assign(a, ..., b), writes=True),
    Case(DTYPES, x_y, lambda a, b: assign(a, ..., b[:1, ...]), writes=True, ndim=2),
    Case(DTYPES, x_y, lambda a, b: assign(a, ..., b[..., :1]), writes=True, ndim=2),
    Case(DTYPES, x_y, lambda a, b: assign(a, (slice(None, None, -2), ...), b[::2, ...]), writes=True, ndim=1),
    Case(DTYPES, x_y, lambda a, b: assign(a, (0, ...), b[0, ...]) if a.shape[0] else a, writes=True, ndim=1),
    Case(DTYPES, x, lambda a: assign(a, ..., scalar_of(a)), writes=True),
    Case(DTYPES, with_mask, lambda a, mask: assign(a, mask, scalar_of(a)), writes=True),
    Case(
        DTYPES,
        lambda dt, shape: [*with_mask(dt, shape), values(dt, ())],
        lambda a, mask, v: assign(a, mask, v),
        writes=True,
    ),
    Case(("float64", "complex128"), mixed("float32"), lambda a, b: assign(a, ..., b), writes=True),
)

# What has no elements of an array to read, and so no layout.
NO_LAYOUT = {
    "takes no array": "arange empty eye full linspace ones zeros fft.fftfreq fft.rfftfreq",
    "reads types or shapes only": "broadcast_shapes can_cast finfo iinfo isdtype result_type",
    "is about the library, not about arrays": "ArrayAPIStrictFlags Device __array_namespace_info__"
    " get_array_api_strict_flags set_array_api_strict_flags reset_array_api_strict_flags",
}


def test_the_table_has_every_function_and_operator():
    public = public_functions()
    without = {name for names in NO_LAYOUT.values() for name in names.split()}
    assert public == {name for name in TABLE if name in public} | without
    assert not set(TABLE) & without
    for name, (_, place) in OPERATORS.items():
        assert f"operator {name}" in TABLE
        assert not place or f"operator {name} in place" in TABLE


# --- the tests ------------------------------------------------------------------------------------------------------

Array, DType = type(xp.zeros(1)), type(xp.int8)


def bits(result):
    """Whatever a call gives, down to the bits of its arrays."""
    if isinstance(result, (list, tuple)):
        return [bits(part) for part in result]
    if isinstance(result, Array):
        host = result if result.device == xp.CPU_DEVICE else result.to_device(xp.CPU_DEVICE)
        return result.dtype, result.shape, np.asarray(host).tobytes()
    return repr(result)


def outcome(call, arrays):
    """The bits of what a call gives, or how it was refused."""
    try:
        return bits(call(*arrays))
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        return type(error), error.rule, error.argument


def refused(found):
    return isinstance(found, tuple) and isinstance(found[0], type)


def expected(case, arrays):
    """The bits from C order, in memory of our own."""
    found = outcome(case.call, [own(a) for a in arrays])
    # A refusal proves nothing, but where there are no elements to reduce.
    assert not refused(found) or not all(a.size for a in arrays), found
    return found


def cases(name, shape):
    for case in TABLE[name]:
        if len(shape) >= case.ndim:
            for dt in case.dtypes:
                yield case, dt, case.make(dt, shape)


def choices(count, shape, every):
    """Layouts for so many arguments: all in one, each beside others; every pair, where that is asked for."""
    names = [*LAYOUTS, "misaligned"] if shape else ["C", "odd offset", "misaligned"]
    if count == 2 and every:
        return list(itertools.product(names, repeat=2))
    return [
        [names[(i + k * j) % len(names)] for j in range(count)]
        for i in range(len(names))
        for k in ((0, 5) if count > 1 else (0,))
    ]


def check_reading(case, dt, arrays, shape, every):
    plain = expected(case, arrays)
    for choice in choices(len(arrays), shape, every):
        assert outcome(case.call, [view(a, layout) for a, layout in zip(arrays, choice)]) == plain, (dt, choice)


def check_writing(case, dt, arrays, shape):
    """Also: what lies between the elements stays as it was, and so do the other arguments."""
    plain = expected(case, arrays)
    names = list(LAYOUTS) if shape else ["C", "odd offset"]
    for i, layout in enumerate(names):
        others = {layout, names[(i + 5) % len(names)]} if len(arrays) > 1 else {layout}
        for other in sorted(others):
            target, memory = lay(arrays[0], **LAYOUTS[layout])
            before = memory.tobytes()
            x, rest = from_np(target), [view(a, other) for a in arrays[1:]]
            assert outcome(case.call, [x, *rest]) == plain, (dt, layout, other)
            assert refused(plain) or bits(x) == plain, (dt, layout, other)
            target[...] = arrays[0]
            assert memory.tobytes() == before, (dt, layout, other)
            assert [bits(v) for v in rest] == [bits(own(a)) for a in arrays[1:]], (dt, layout, other)


@pytest.mark.parametrize("shape", [(), (3, 7), (2, 3, 5)], ids=str)
@pytest.mark.parametrize("name", TABLE)
def test_every_layout(name, shape):
    for case, dt, arrays in cases(name, shape):
        if case.writes:
            check_writing(case, dt, arrays, shape)
        else:
            check_reading(case, dt, arrays, shape, every=case is TABLE[name][0] and len(shape) == 2)


@pytest.mark.parametrize("name", TABLE)
def test_a_stride_of_0(name):
    for case, dt, arrays in cases(name, (3, 7)):
        # What is read, on the left or the right of what is written.
        first = int(case.writes)
        for row in zip(*(repeated(a) for a in arrays[first:])):
            arrays[first:] = row
            plain = expected(case, arrays)
            for i in range(first, len(arrays)):
                mixed = [from_np(a) if i == j else own(a) for j, a in enumerate(arrays)]
                assert outcome(case.call, mixed) == plain, dt
            assert outcome(case.call, [*map(own, arrays[:first]), *map(from_np, row)]) == plain, dt


@pytest.mark.parametrize("name", TABLE)
def test_every_short_length(name):
    """The ends of vectors: lengths up to 70, from an odd offset, backwards and with gaps."""
    layouts = ["odd offset", "backwards", "gaps"]
    for case, dt, arrays in cases(name, (70,)):
        whole = [[view(a, layout) for a in arrays] for layout in layouts]
        plain = [own(a) for a in arrays]
        for n in range(71):
            choice = [whole[(n + j) % len(layouts)][j] for j in range(len(arrays))]
            if case.writes:
                # A copy of the argument that is written, and room around it.
                both = [own(np.zeros(3 * 72, arrays[0].dtype))[1 : 1 + step * 70 : step] for step in (1, 3)]
                for x in both:
                    x[...] = plain[0]
                wanted, got = ([x, *rest] for x, rest in zip(both, (plain[1:], choice[1:])))
            else:
                wanted, got = plain, choice
            wanted, got = ([x[:n] if x.shape == (70,) else x for x in xs] for xs in (wanted, got))
            first = outcome(case.call, wanted)
            if refused(first) and n:
                # A position beyond this length, say: arguments that fit it, for some lengths.
                if n % 7 not in (1, 3):
                    continue
                fitting = case.make(dt, (n,))
                first = expected(case, fitting)
                got = [view(a, layouts[(n + j) % len(layouts)]) for j, a in enumerate(fitting)]
            assert outcome(case.call, got) == first, (dt, n)


@pytest.mark.parametrize("shape", [(0,), (0, 6), (3, 0), (2, 0, 4)], ids=str)
@pytest.mark.parametrize("name", TABLE)
def test_size_0(name, shape):
    for case, dt, arrays in cases(name, shape):
        plain = expected(case, arrays)
        for layout in ("C", "F", "backwards", "gaps", "odd offset", "misaligned"):
            assert outcome(case.call, [view(a, layout) for a in arrays]) == plain, dt


@pytest.mark.parametrize("name", [name for name in TABLE if name in public_functions()])
def test_large(name):
    """Enough for every blocked loop."""
    for case, dt, arrays in cases(name, (70, 130)):
        plain = expected(case, arrays)
        for layout in ("F", "backwards", "gaps", "permuted"):
            assert outcome(case.call, [view(a, layout) for a in arrays]) == plain, (dt, layout)


@pytest.mark.parametrize("name", [name for names in BINARY.values() for name in names.split()])
def test_one_element_beside_many(name):
    """One operand is repeated: loops of their own read it once."""
    function = getattr(xp, name)
    case = TABLE[name][0]
    for dt in case.dtypes:
        a, b = case.make(dt, (301,))
        for k in (0, 1, 2, 7):
            one = from_np(np.broadcast_to(b[k], a.shape))
            many = own(np.full(a.shape, b[k]))
            assert bits(function(own(a), one)) == bits(function(own(a), many)), (dt, b[k])
            assert bits(function(one, own(a))) == bits(function(many, own(a))), (dt, b[k])


@pytest.mark.parametrize("dt", ["float64", "complex128", "int64", "uint64", "float32"])
@pytest.mark.parametrize("name", ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"])
def test_comparisons_of_what_comes_from_memory(name, dt):
    """Long runs ask for what is far ahead; what is left of them, and shorter ones, do not."""
    if dt in COMPLEX_FLOATING and name not in ("equal", "not_equal"):
        return
    a, b = values(dt, ((1 << 19) + 77,)), values(dt, ((1 << 19) + 77,), 1)
    a = np.where(np.arange(a.size) % 3 == 0, b, a)
    assert_same(getattr(xp, name)(own(a), own(b)), getattr(np, name)(a, b))


@pytest.mark.parametrize("dt", DTYPES)
def test_many_dimensions_of_every_order(dt):
    """Five axes in another order than memory has them."""
    a = values(dt, (2, 3, 4, 2, 3))
    for order in [(4, 3, 2, 1, 0), (2, 0, 4, 1, 3), (1, 0, 2, 4, 3)]:
        view = a.transpose(order)[::-1, ..., ::-1]
        assert_same(from_np(view), view)
        assert_same(xp.asarray(from_np(view), copy=True), view)
