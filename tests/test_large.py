"""Arrays that are larger than the caches: what is written past them is what would be written to them.

Each value is repeated, so that the result of a short array says what that of the long one is.
"""

import operator

import numpy as np
import pytest
from support import assert_same, from_np, to_np
from test_layouts import BINARY, UNARY, values

import strictarray as xp

# No multiple or part of any block.
PERIOD = 1021
# What is read and written together: more than 3/4 of the largest cache that is believed in.
BYTES = 50 << 20
DTYPES = ("float64", "float32", "complex128", "int64", "uint8", "bool")


def long(dt, seed=0, *, beside=None):
    """Many times the same values, as many as are enough together with as many of another data type; and these values."""
    short = values(dt, (PERIOD,), seed)
    size = BYTES // (short.itemsize + np.dtype(beside or dt).itemsize)
    return np.tile(short, -(-size // PERIOD)), short


def assert_repeats(found, expected):
    """NaNs count as equal: which of two an operation gives is left open."""
    found, expected = to_np(found), to_np(expected)
    assert found.dtype == expected.dtype
    whole = found[: found.size // expected.size * expected.size].reshape(-1, expected.size)
    rest = found[whole.size :]
    for part, wanted in ((whole, expected), (rest, expected[: rest.size])):
        if found.dtype.kind in "fc":
            real = found.real.dtype
            part, wanted = (np.ascontiguousarray(a).view(real) for a in (part, wanted))
            both = np.isnan(part) & np.isnan(wanted)
            bits = f"u{real.itemsize}"
            assert ((part.view(bits) == wanted.view(bits)) | both).all()
        else:
            assert (part == wanted).all()


# What memory does not limit has its own way, or writes little.
OTHERS = """
acos acosh asin asinh atan atanh cos cosh exp expm1 log log10 log1p log2 sin sinh sqrt tan tanh
atan2 hypot logaddexp nextafter
isfinite isinf isnan signbit equal not_equal less less_equal greater greater_equal
""".split()


def cases(table):
    return [
        (name, dt)
        for dtypes, names in table.items()
        for dt in DTYPES
        for name in names.split()
        if dt in dtypes and name not in OTHERS
    ]


@pytest.mark.parametrize(("name", "dt"), cases(UNARY))
def test_one_operand(name, dt):
    a, short = long(dt)
    f = getattr(xp, name)
    assert_repeats(f(from_np(a)), f(from_np(short)))


@pytest.mark.parametrize(("name", "dt"), cases(BINARY))
def test_two_operands(name, dt):
    (a, short_a), (b, short_b) = long(dt, 1), long(dt, 2)
    f = getattr(xp, name)
    x, y, s, t = map(from_np, (a, b, short_a, short_b))
    assert_repeats(f(x, y), f(s, t))
    # One element for all, and elements that lie apart.
    assert_repeats(f(x, t[0]), f(s, xp.broadcast_to(t[0], s.shape)))
    assert_repeats(f(s[0], y), f(xp.broadcast_to(s[0], t.shape), t))
    assert_repeats(f(x[::-1], y), f(from_np(np.ascontiguousarray(a[::-1][:PERIOD])), t))


@pytest.mark.parametrize("name", ["bitwise_left_shift", "bitwise_right_shift"])
@pytest.mark.parametrize("dt", ["int64", "uint8"])
def test_shifts(name, dt):
    a, short = long(dt)
    b, short_b = a % 8, short % 8
    f = getattr(xp, name)
    assert_repeats(f(from_np(a), from_np(b)), f(from_np(short), from_np(short_b)))


@pytest.mark.parametrize("to", DTYPES)
@pytest.mark.parametrize("dt", ["float64", "float32", "int64", "uint8", "bool"])
def test_conversions(dt, to):
    a, short = long(dt, beside=to)
    assert_repeats(xp.astype(from_np(a), getattr(xp, to)), xp.astype(from_np(short), getattr(xp, to)))


def test_operands_of_two_data_types():
    a, short = long("float64")
    b = np.tile(values("float32", (PERIOD,), 1), a.size // PERIOD)
    assert_repeats(from_np(a) + from_np(b), from_np(short) + from_np(b[:PERIOD]))
    assert_repeats(from_np(b) * from_np(a), from_np(b[:PERIOD]) * from_np(short))


@pytest.mark.parametrize("dt", ["float64", "complex128", "uint8"])
def test_choices_and_copies(dt):
    a, short = long(dt)
    short_mask = values("bool", (PERIOD,))
    x, m, s = from_np(a), from_np(np.tile(short_mask, a.size // PERIOD)), from_np(short)
    assert_repeats(xp.where(m, x, x[0]), xp.where(from_np(short_mask), s, s[0]))
    if dt != "complex128":
        assert_repeats(xp.clip(x, 2, 5), xp.clip(s, 2, 5))
    assert_repeats(xp.asarray(x, copy=True), s)
    assert_repeats(xp.concat((x, x)), s)


def test_parts_that_begin_anywhere():
    """The second array is converted into a place that is on no line."""
    a, short = long("float32", beside="float64")
    first = values("float64", (3,), 1)
    joined = xp.concat((from_np(first), from_np(a)))
    assert_same(joined[:3], first)
    assert_repeats(joined[3:], xp.astype(from_np(short), xp.float64))


SHAPES = {
    "short rows": (BYTES // 8 // 100, 100),
    "rows": (BYTES // 8 // 5003, 5003),
    "planes": (7, BYTES // 8 // 7 // 301, 301),
}


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_several_axes(shape, order):
    a = np.resize(values("float64", (PERIOD,)), shape).copy(order=order)
    x = from_np(a)
    with np.errstate(all="ignore"):
        assert_same(x[..., 1:] + x[..., :-1], a[..., 1:] + a[..., :-1])
        assert_same(x[1:, ...] * 1.5, a[1:] * 1.5)
        assert_same(x + x[0, ...], a + a[0])
        assert_same(-xp.permute_dims(x, tuple(range(len(shape)))[::-1]), -a.T)
    y = xp.zeros(shape, dtype=xp.float64)
    y[..., 1:] = x[..., :-1]
    assert_same(y[..., 1:], a[..., :-1])
    assert not xp.any(y[..., 0])


def test_onto_windows():
    """A target whose elements overlap is written in order, whatever its size says."""
    memory = np.zeros(7000)
    windows = np.lib.stride_tricks.as_strided(memory, (6000, 1000), (8, 8))
    a = np.resize(values("float64", (PERIOD,)), windows.shape)
    xp.from_dlpack(windows)[...] = from_np(a)
    np.testing.assert_array_equal(memory[:5999], a[:5999, 0])
    np.testing.assert_array_equal(memory[5999:6999], a[5999])


@pytest.mark.parametrize("at", [0, 1, 3, 7, 8])
@pytest.mark.parametrize("dt", ["float64", "float32", "uint8"])
def test_into_views(dt, at):
    """The output begins anywhere, and what is around it stays."""
    a, short = long(dt)
    for write in (lambda view, x: operator.setitem(view, ..., x), operator.iadd, operator.imul):
        memory = np.ones(a.size + 16, dt)
        view = xp.asarray(memory, copy=False)[at : at + a.size]
        short_view = xp.ones(PERIOD, dtype=view.dtype)
        write(view, from_np(a))
        write(short_view, from_np(short))
        assert_repeats(from_np(memory[at : at + a.size]), short_view)
        assert (memory[:at] == 1).all()
        assert (memory[at + a.size :] == 1).all()


@pytest.mark.parametrize("op", [operator.setitem, operator.iadd, operator.isub])
@pytest.mark.parametrize("slices", [(np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:]), (np.s_[:], np.s_[::-1])])
def test_shifted_onto_itself(op, slices):
    to, from_ = slices
    a, _ = long("float64")
    expected = a.copy()
    apply = (lambda x, y: operator.setitem(x, ..., y)) if op is operator.setitem else op
    with np.errstate(all="ignore"):
        apply(expected[to], expected[from_].copy())
    x = xp.asarray(a, copy=True)
    apply(x[to], x[from_])
    np.testing.assert_array_equal(to_np(x), expected)
