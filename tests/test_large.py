"""Arrays that are larger than the caches: what is written past them is what would be written to them.

Each value is repeated, so that the result of a short array says what that of the long one is.
"""

import operator

import numpy as np
import pytest
from support import from_np, to_np
from test_layouts import BINARY, UNARY, values

import strictarray as xp

PERIOD = 1021
# Bytes of an array: an operand and a result are together larger than the largest cache that is believed in.
BYTES = 40 << 20


def long(dt, seed=0):
    """Many times the same values, from an odd place on, and these values."""
    short = values(dt, (PERIOD,), seed)
    return np.tile(short, -(-BYTES // short.nbytes)), short


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


# Where arithmetic takes the time, nothing goes past the caches.
ARITHMETIC = (
    "acos acosh asin asinh atan atanh cos cosh exp expm1 log log10 log1p log2 sin sinh tan tanh atan2 logaddexp"
)


def cases(table):
    return [
        (name, dt)
        for dtypes, names in table.items()
        for dt in ("float64", "float32", "complex128", "int64", "uint8", "bool")
        for name in names.split()
        if dt in dtypes and name not in ARITHMETIC.split()
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


@pytest.mark.parametrize("to", ["float64", "float32", "complex128", "int64", "uint8", "bool"])
@pytest.mark.parametrize("dt", ["float64", "float32", "int64", "uint8", "bool"])
def test_conversions(dt, to):
    a, short = long(dt)
    assert_repeats(xp.astype(from_np(a), getattr(xp, to)), xp.astype(from_np(short), getattr(xp, to)))


@pytest.mark.parametrize("dt", ["float64", "complex128", "uint8"])
def test_choices_and_copies(dt):
    a, short = long(dt)
    mask, short_mask = long("bool")
    x, m = from_np(a), from_np(mask[: a.size])
    m = m if m.size == a.size else from_np(np.tile(short_mask, a.size // PERIOD))
    assert_repeats(xp.where(m, x, x[0]), xp.where(from_np(short_mask), from_np(short), from_np(short)[0]))
    if dt != "complex128":
        assert_repeats(xp.clip(x, 2, 5), xp.clip(from_np(short), 2, 5))
    assert_repeats(xp.asarray(x, copy=True), from_np(short))
    assert_repeats(xp.concat((x, x)), from_np(short))


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
