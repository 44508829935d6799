"""The same bits from every memory layout: C, F, negative, zero and offset strides, misaligned, size 0."""

import operator

import numpy as np
import pytest
from support import (
    COMPLEX_FLOATING,
    DTYPES,
    FLOATING,
    INTEGER,
    NUMERIC,
    REAL_NUMERIC,
    assert_same,
    dtype,
    from_np,
    own,
    sample,
    to_np,
)

import strictarray as xp

SHAPE = (4, 6)


def misaligned(a):
    b = np.frombuffer(bytearray(a.nbytes + 1), dtype=np.uint8)[1:].view(a.dtype).reshape(a.shape)
    b[...] = a
    return b


def padded(a):
    """Every second row and third column of something larger, from an offset."""
    b = np.zeros((2 * a.shape[0] + 1, 3 * a.shape[1] + 2), dtype=a.dtype)
    b[1::2, 2::3] = a
    return b[1::2, 2::3]


# {name: an array with the same values in another layout}
LAYOUTS = {
    "C": lambda a: a.copy(),
    "F": np.asfortranarray,
    "rows backwards": lambda a: a[::-1].copy()[::-1],
    "columns backwards": lambda a: a[:, ::-1].copy()[:, ::-1],
    "all backwards": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "F backwards": lambda a: np.asfortranarray(a[::-1])[::-1],
    "padded": padded,
    "padded F": lambda a: padded(a.T).T,
    "misaligned": misaligned,
    "misaligned backwards": lambda a: misaligned(a[:, ::-1])[:, ::-1],
}


def bits(a):
    """The bits of a NumPy array in C order."""
    return np.ascontiguousarray(a).tobytes()


def result_bits(x):
    if isinstance(x, tuple):
        return tuple(bits(to_np(y)) for y in x)
    return x.dtype, x.shape, bits(to_np(x))


BITS = ("bool", *INTEGER)
UNARY = {
    "abs": (xp.abs, NUMERIC),
    "negative": (xp.negative, NUMERIC),
    "positive": (xp.positive, NUMERIC),
    "bitwise_invert": (xp.bitwise_invert, BITS),
    "tril": (xp.tril, DTYPES),
    "triu": (lambda x: xp.triu(x, k=1), DTYPES),
    "zeros_like": (xp.zeros_like, DTYPES),
    "ones_like": (xp.ones_like, DTYPES),
    "asarray copy": (lambda x: xp.asarray(x, copy=True), DTYPES),
    "from_dlpack copy": (lambda x: xp.from_dlpack(x, copy=True), DTYPES),
    "to_device": (lambda x: x.to_device(xp.Device("device1")), DTYPES),
    "astype bool": (lambda x: xp.astype(x, xp.bool), DTYPES),
    "astype complex128": (lambda x: xp.astype(x, xp.complex128), DTYPES),
    "astype float32": (lambda x: xp.astype(x, xp.float32), [d for d in DTYPES if d not in COMPLEX_FLOATING]),
    "astype int16": (lambda x: xp.astype(x, xp.int16), [d for d in DTYPES if d not in COMPLEX_FLOATING]),
    "T": (lambda x: x.T, DTYPES),
    "mT": (lambda x: x.mT, DTYPES),
    "index": (lambda x: x[1:, ::-2], DTYPES),
    "row": (lambda x: x[2, :], DTYPES),
    "element": (lambda x: x[2, 3], DTYPES),
    "new axis": (lambda x: x[:, None, :], DTYPES),
    "mask": (lambda x: x[x == x], DTYPES),
    "row mask": (lambda x: x[xp.asarray([True, False, True, True])], DTYPES),
    "integer arrays": (lambda x: x[xp.asarray([0, 3, -1]), xp.asarray([[5], [1]])], DTYPES),
    "meshgrid": (lambda x: xp.meshgrid(x[0, :], x[:, 0]), NUMERIC),
    "scalar right": (lambda x: x * 2, NUMERIC),
    "scalar left": (lambda x: 2 - x, NUMERIC),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", UNARY)
def test_unary(name, layout):
    call, dtypes = UNARY[name]
    for dt in dtypes:
        a = sample(dt, SHAPE)
        x = from_np(LAYOUTS[layout](a))
        assert_same(x, a)
        assert result_bits(call(x)) == result_bits(call(own(a))), dt


BINARY = {
    "add": (operator.add, NUMERIC),
    "subtract": (operator.sub, NUMERIC),
    "multiply": (operator.mul, NUMERIC),
    "divide": (operator.truediv, FLOATING),
    "floor_divide": (operator.floordiv, REAL_NUMERIC),
    "remainder": (operator.mod, REAL_NUMERIC),
    "pow": (operator.pow, ("float32", "float64", "complex64", "complex128", "uint8", "uint64")),
    "bitwise_and": (operator.and_, BITS),
    "bitwise_or": (operator.or_, BITS),
    "bitwise_xor": (operator.xor, BITS),
    "bitwise_left_shift": (operator.lshift, INTEGER),
    "bitwise_right_shift": (operator.rshift, INTEGER),
    "equal": (operator.eq, DTYPES),
    "not_equal": (operator.ne, DTYPES),
    "less": (operator.lt, REAL_NUMERIC),
    "less_equal": (operator.le, REAL_NUMERIC),
    "greater": (operator.gt, REAL_NUMERIC),
    "greater_equal": (operator.ge, REAL_NUMERIC),
    "matmul": (lambda x, y: x @ y.T, NUMERIC),
}
MUTATING = {
    "add": operator.iadd,
    "subtract": operator.isub,
    "multiply": operator.imul,
    "divide": operator.itruediv,
    "floor_divide": operator.ifloordiv,
    "remainder": operator.imod,
    "pow": operator.ipow,
    "bitwise_and": operator.iand,
    "bitwise_or": operator.ior,
    "bitwise_xor": operator.ixor,
    "bitwise_left_shift": operator.ilshift,
    "bitwise_right_shift": operator.irshift,
}


def operands(name, dt):
    a, b = sample(dt, SHAPE), sample(dt, SHAPE)[:, ::-1].copy()
    if "divide" in name or name == "remainder":
        b[b == 0] = 2
    if "shift" in name or (name == "pow" and dt in INTEGER):
        b = (np.arange(24).reshape(SHAPE) % 5).astype(dt)
    if name == "pow" and dt not in INTEGER:
        a = np.abs(a).astype(dt) + np.array(0.5, dtype=dt)
    return a, b


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", BINARY)
def test_binary(name, layout):
    call, dtypes = BINARY[name]
    build = LAYOUTS[layout]
    for dt in dtypes:
        a, b = operands(name, dt)
        plain = result_bits(call(own(a), own(b)))
        # Products add up in an order that may follow the layout: compare values there, bits elsewhere.
        for x, y in [(build(a), b), (a, build(b)), (build(a), build(b)), (build(a), LAYOUTS["F"](b))]:
            got = call(from_np(x), from_np(y))
            if name == "matmul":
                np.testing.assert_allclose(to_np(got), to_np(call(own(a), own(b))), rtol=1e-6)
            else:
                assert result_bits(got) == plain, dt


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", MUTATING)
def test_in_place(name, layout):
    build = LAYOUTS[layout]
    for dt in BINARY[name][1]:
        a, b = operands(name, dt)
        plain = result_bits(MUTATING[name](own(a), own(b)))
        for right in (b, build(b)):
            target = build(a)
            assert not np.shares_memory(target, a)
            assert result_bits(MUTATING[name](from_np(target), from_np(right))) == plain, dt
            # It was written into NumPy's memory, where that is shared.
            if layout in ("C", "F", "padded", "all backwards"):
                assert bits(target) == plain[2], dt


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dt", DTYPES)
def test_assignment(dt, layout):
    build = LAYOUTS[layout]
    a, b = sample(dt, SHAPE), sample(dt, SHAPE)[::-1].copy()
    for value in (b, build(b), b[:1], b[:, :1], b[0, 0]):
        x = from_np(build(a))
        x[...] = from_np(value)
        assert_same(x, np.broadcast_to(value, SHAPE))
    mask = b == b
    mask[1, 2] = mask[3, 0] = False
    x = from_np(build(a))
    x[from_np(build(mask))] = from_np(b[0, 0])
    expected = a.copy()
    expected[mask] = b[0, 0]
    assert_same(x, expected)


# Broadcast by a stride of 0

BROADCASTS = {
    "rows": lambda a: np.broadcast_to(a[0], SHAPE),
    "columns": lambda a: np.broadcast_to(a[:, :1], SHAPE),
    "one value": lambda a: np.broadcast_to(a[1, 1], SHAPE),
    "rows backwards": lambda a: np.broadcast_to(a[0, ::-1], SHAPE),
    "three axes": lambda a: np.broadcast_to(a[0], (2, *SHAPE))[0],
    "sliding window": lambda a: np.lib.stride_tricks.sliding_window_view(a.ravel(), 6)[:4],
}


@pytest.mark.parametrize("layout", BROADCASTS)
@pytest.mark.parametrize("name", BINARY)
def test_binary_with_a_stride_of_0(name, layout):
    call, dtypes = BINARY[name]
    for dt in dtypes:
        a, b = operands(name, dt)
        x, y = BROADCASTS[layout](a), BROADCASTS[layout](b)
        if name == "matmul":
            np.testing.assert_allclose(to_np(call(from_np(x), from_np(y))), to_np(call(own(x), own(y))), rtol=1e-6)
            continue
        for left, right in [(x, y), (x, b), (a, y)]:
            assert result_bits(call(from_np(left), from_np(right))) == result_bits(call(own(left), own(right))), dt


@pytest.mark.parametrize("layout", BROADCASTS)
@pytest.mark.parametrize("name", UNARY)
def test_unary_with_a_stride_of_0(name, layout):
    call, dtypes = UNARY[name]
    for dt in dtypes:
        a = BROADCASTS[layout](sample(dt, SHAPE))
        assert result_bits(call(from_np(a))) == result_bits(call(own(a))), dt


# Size 0

EMPTY = {
    "C": lambda dt: np.zeros((0, 6), dtype=dt),
    "F": lambda dt: np.zeros((6, 0), dtype=dt).T,
    "slice": lambda dt: sample(dt, SHAPE)[2:2],
    "slice backwards": lambda dt: sample(dt, SHAPE)[1:1:-1, ::-1],
    "stride 0": lambda dt: np.broadcast_to(np.zeros((), dtype=dt), (0, 6)),
}


@pytest.mark.parametrize("layout", EMPTY)
def test_size_0(layout):
    for name, (call, dtypes) in BINARY.items():
        for dt in dtypes:
            a = EMPTY[layout](dt)
            x = from_np(a)
            got = call(x, own(np.zeros((0, 6), dtype=dt)))
            assert got.size == 0, (name, dt)
            assert got.shape == ((0, 0) if name == "matmul" else (0, 6))
            assert got.dtype == call(own(np.ones((1, 6), dtype=dt)), own(np.ones((1, 6), dtype=dt))).dtype
    for name in ("abs", "negative", "asarray copy", "to_device", "astype complex128", "T", "new axis", "mask"):
        assert UNARY[name][0](from_np(EMPTY[layout]("float64"))).size == 0, name
    x = from_np(np.array(EMPTY[layout]("float64")))
    x += 1.0
    x[...] = 2.0
    assert x.size == 0


@pytest.mark.parametrize("dt", DTYPES)
def test_many_dimensions_of_every_order(dt):
    """Five axes in another order than memory has them."""
    a = sample(dt, (2, 3, 4, 2, 3))
    for order in [(4, 3, 2, 1, 0), (2, 0, 4, 1, 3), (1, 0, 2, 4, 3)]:
        view = a.transpose(order)[::-1, ..., ::-1]
        x = from_np(view)
        assert_same(x, view)
        assert_same(x == x, np.ones(view.shape, dtype=bool))
        assert_same(xp.asarray(x, copy=True), view)
        assert x.dtype == dtype(dt)
