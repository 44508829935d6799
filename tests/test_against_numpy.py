"""Every function against NumPy, on random arrays: all dtypes, shapes, layouts and special values.

A table has a line for each function of the namespace, each operator and each kind of indexing: how arguments are drawn, what
NumPy computes from them, and how close the two have to be. What NumPy can't be asked is in `OTHERWISE`, with the reason.

`make fuzz` runs the same with more examples and another seed each time (STRICTARRAY_FUZZ_EXAMPLES, --hypothesis-seed); the
default run is reproducible.
"""

import functools
import itertools
import math
import operator
import os
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import (
    COMPLEX_FLOATING,
    DTYPES,
    FLOATING,
    INTEGER,
    NUMERIC,
    REAL_FLOATING,
    REAL_NUMERIC,
    SIGNED,
    UNSIGNED,
    assert_same,
    dtype,
    dtype_name,
    function,
    own,
    public_functions,
    to_np,
)

import strictarray as xp

FUZZ = int(os.environ.get("STRICTARRAY_FUZZ_EXAMPLES", "0"))
SETTINGS = settings(
    max_examples=FUZZ or 25,
    derandomize=not FUZZ,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
BOOL = ("bool",)
BITS = (*BOOL, *INTEGER)
WIDE = np.finfo(np.longdouble).nmant > 52

# --- values ---------------------------------------------------------------------------------------------------------

PART = {"complex64": "float32", "complex128": "float64"}
# From the plainest on: examples shrink to the first.
SHAPES = [
    *[(), (1,), (2,), (0,), (3,), (2, 2), (2, 3), (0, 2), (2, 0, 3), (3, 1), (7,), (2, 3, 4)],
    *[(1, 4, 1), (17,), (5, 7), (2, 1, 3, 2), (40,), (70,)],
]


@functools.cache
def pool(dt, kind):
    """What arrays of a data type are made of, from the plainest value on: `any`, `finite`, `moderate` or `small` ones."""
    rng = np.random.default_rng(len(kind))
    n = 1 << 16
    if dt == "bool":
        return np.arange(n) % 2 == 1
    if dt in INTEGER:
        info = np.iinfo(dt)
        low, high = (max(info.min, -3), 9) if kind in ("small", "moderate") else (info.min, info.max)
        wide = rng.integers(low, high, n, dtype=dt, endpoint=True)
        if kind in ("small", "moderate"):
            return np.concatenate([[0, 1, 2, 3], wide[4:]]).astype(dt)
        wide >>= rng.integers(0, info.bits, n).astype(dt)
        ends = np.array([0, 1, 2, info.max, info.min, info.max - 1, info.min + 1, 3], dt)
        return np.where(rng.random(n) < 0.2, rng.choice(ends, n), np.concatenate([ends, wide[8:]])).astype(dt)
    info = np.finfo(dt)
    moderate = rng.standard_normal(n) * 2.0 ** rng.integers(-7, 8, n)
    whole = rng.integers(-9, 10, n).astype(float)
    plain = np.where(rng.random(n) < 0.3, whole, np.where(rng.random(n) < 0.1, rng.choice([0.0, -0.0], n), moderate))
    plain[:6] = [0, 1, -1, 2, 0.5, -0.0]
    if kind in ("moderate", "small"):
        return plain.astype(dt)
    exponents = rng.integers(info.minexp - info.nmant, info.maxexp, n)
    everywhere = np.ldexp(rng.uniform(1, 2, n) * rng.choice([-1, 1], n), exponents)
    ends = [info.max, -info.max, info.tiny, -info.tiny, info.smallest_subnormal, 1 + info.eps, 1 - info.epsneg]
    found = np.where(rng.random(n) < 0.3, everywhere, plain)
    found = np.where(rng.random(n) < 0.1, rng.choice(np.array(ends, float), n), found)
    if kind == "any":
        found = np.where(rng.random(n) < 0.12, rng.choice([math.inf, -math.inf, math.nan], n), found)
    found[:6] = plain[:6]
    return found.astype(dt)


class Draw:
    """Draws the arguments of one example."""

    def __init__(self, data):
        self.data = data
        # One number stands for all small choices, so that examples are drawn fast; 0 for the plainest.
        self.random = random.Random(data.draw(st.integers(0, 2**32 - 1), label="choices"))

    def one_of(self, choices):
        return self.random.choice(list(choices))

    def chance(self, p=0.5):
        return self.random.random() < p

    def shape(self, least=0, most=4, filled=False):
        fitting = [s for s in SHAPES if least <= len(s) <= most and not (filled and 0 in s)]
        return self.data.draw(st.sampled_from(fitting), label="shape")

    def dtype(self, dtypes):
        return self.data.draw(st.sampled_from(dtypes), label="dtype")

    def values(self, dt, shape, kind="any"):
        """A NumPy array."""
        if dt in COMPLEX_FLOATING:
            z = np.empty(shape, dt)
            z.real, z.imag = (self.values(PART[dt], shape, kind) for _ in range(2))
            return z
        size = math.prod(shape)
        raw = self.data.draw(st.binary(min_size=2 * size, max_size=2 * size), label="values")
        return pool(dt, kind)[np.frombuffer(raw, "<u2")].reshape(shape)

    def laid(self, a):
        """Our array of these values, and NumPy's: views, made in the same way on both sides of a larger array."""
        a = np.asarray(a)
        if a.ndim == 0 or self.chance(0.3):
            return own(a), a
        order = list(range(a.ndim))
        self.random.shuffle(order)
        steps = [self.one_of((1, 1, 2, -1, -3)) for _ in order]
        start = self.one_of((0, 1, 2))
        big = np.full([start + a.shape[axis] * abs(steps[axis]) for axis in order], 77).astype(a.dtype)
        key = tuple(slice(start, None, abs(step)) for step in steps)
        flipped = tuple(axis for axis, step in enumerate(steps) if step < 0)
        turn = np.argsort(order).tolist()
        b = np.flip(big.transpose(turn)[key], flipped)
        b[...] = a
        x = xp.flip(xp.permute_dims(own(big), tuple(turn))[key], axis=flipped)
        return x, b

    def array(self, dt, shape, kind="any"):
        """Our array and NumPy's, of random values and layout; now and then repeated along an axis by a stride of 0."""
        if shape and self.chance(0.15):
            once = [1 if n and self.chance() else n for n in shape]
            x, a = self.laid(self.values(dt, once, kind))
            return xp.broadcast_to(x, shape), np.broadcast_to(a, shape)
        return self.laid(self.values(dt, shape, kind))

    def one(self, dtypes, kind="any", least=0, most=4, filled=False):
        return self.array(self.dtype(dtypes), self.shape(least, most, filled), kind)

    def broadcastable(self, shape):
        """A shape that broadcasts with this one to this one."""
        if self.chance(0.6):
            return shape
        return tuple(1 if self.chance() else n for n in shape)[self.random.randint(0, len(shape)) :]

    def two(self, dtypes, kinds=("any", "any"), same=False):
        """Two operands that broadcast and promote; one may be a Python scalar."""
        dt = self.dtype(dtypes)
        other = dt if same or self.chance(0.6) else self.one_of(d for d in dtypes if promotes(dt, d))
        shape = self.shape()
        shapes = [shape, self.broadcastable(shape)]
        dts = [dt, other]
        self.random.shuffle(shapes)
        pairs = [self.array(d, s, kind) for d, s, kind in zip(dts, shapes, kinds)]
        if self.chance(0.15):
            # NumPy gives scalars no data type of their own either.
            place = self.random.randint(0, 1)
            array = dts[1 - place]
            scalars = [2.5, 1.5 - 2j] if array in COMPLEX_FLOATING else pool(array, kinds[place])
            value = self.one_of(scalars) if array in COMPLEX_FLOATING else scalars[self.random.randint(0, 65535)].item()
            pairs[place] = (value, value)
        return tuple(zip(*pairs))

    def axis(self, ndim):
        return self.random.randint(-ndim, ndim - 1)

    def axes(self, ndim):
        """None, an axis, or several."""
        how = self.random.random()
        if how < 0.3 or ndim == 0:
            return None
        if how < 0.6:
            return self.axis(ndim)
        several = self.random.sample(range(ndim), self.random.randint(0, ndim))
        return tuple(axis - ndim if self.chance(0.3) else axis for axis in several)


def promotes(a, b):
    """Whether the standard promotes the two."""
    if "uint64" in (a, b) and (a in SIGNED or b in SIGNED):
        return False
    return any(a in kind and b in kind for kind in (BOOL, INTEGER, FLOATING))


# --- comparisons ----------------------------------------------------------------------------------------------------


def exact(got, want, dt=None):
    """Data type, shape and every value: signs of zeros too, all NaNs alike."""
    assert_same(got, np.asarray(want), dt=dt)


def every_part(got, want):
    """Of sequences of arrays."""
    assert len(got) == len(want)
    for g, w in zip(got, want):
        exact(g, w)


def order(a):
    """Real floating-point numbers as integers in their order, one apart where no number lies between them."""
    bits = a.view({4: np.int32, 8: np.int64}[a.dtype.itemsize]).astype(object)
    return np.where(bits < 0, -(bits & (2 ** (8 * a.dtype.itemsize - 1) - 1)), bits)


def ulps(limit, slack=0.0, least=0.0):
    """Values within so many units of the last place of what NumPy computes in a wider type; NaNs, signs and infinities alike.

    Parts of complex numbers may also be off by `slack` times the modulus, or times `least`: NumPy's own wider functions are.
    """

    def check(got, want):
        g = to_np(got)
        assert g.shape == np.shape(want)
        want = np.asarray(want)
        if g.dtype.kind == "c":
            size = np.maximum(np.abs(want), least)
            parts = [(g.real, want.real), (g.imag, want.imag)]
        else:
            size, parts = 0, [(g, want)]
        for g, wide in parts:
            w = wide.astype(g.dtype)
            nan = np.isnan(w)
            np.testing.assert_array_equal(np.isnan(g), nan)
            g, w = (np.atleast_1d(np.where(nan, g.dtype.type(0), part)) for part in (g, w))
            near = np.abs(order(g) - order(w)) <= limit
            if slack:
                near |= np.abs(g - wide) <= slack * size
            else:
                near &= np.signbit(g) == np.signbit(w)
            assert near.all(), f"got {g[~near]}, not {w[~near]}"

    return check


def of_modulus(limit):
    """Complex numbers within so many units of their modulus: parts that cancel have no more digits than that.

    Which parts are infinite and which NaN, of zero to some power and beyond the range, is open.
    """

    def check(got, want):
        g, info = to_np(got), np.finfo(to_np(got).dtype)
        assert g.shape == np.shape(want)
        size = np.abs(want)
        near = np.abs(g - want) <= limit * (info.eps * size + info.smallest_subnormal)
        assert (near | ~(size < info.max)).all(), f"got {g}, not {want}"

    return check


def products(got, want):
    """Exact, of complex numbers but for the roundings of each part's two products."""
    (of_modulus(4) if to_np(got).dtype.kind == "c" else exact)(got, want)


WIDER = {"float32": "float64", "float64": "longdouble", "complex64": "complex128", "complex128": "clongdouble"}


def wider(a):
    """In the type in which NumPy computes what we compare with: it has 11 more bits at least, where there is one."""
    if isinstance(a, (bool, int, float, complex)):
        return a
    return a.astype(WIDER[a.dtype.name])


def sums(terms, size):
    """Sums of so many terms: within the rounding of each of them, times the sum of moduli that `size` gives."""

    def check(got, want):
        g = to_np(got)
        if g.dtype.kind in "biu":
            return exact(got, want)
        assert g.shape == np.shape(want)
        # Pairwise: far fewer roundings than terms; NumPy's wider sum is nearly exact.
        limit = (2 * math.log2(terms + 2) + 4) * np.finfo(g.dtype).eps * np.asarray(size) + np.finfo(g.dtype).tiny
        np.testing.assert_array_equal(np.isnan(g), np.isnan(want))
        assert (np.abs(g - want) <= limit)[~np.isnan(g)].all(), f"got {g}, not {want}"
        return None

    return check


# --- the table ------------------------------------------------------------------------------------------------------

# {name: a function that draws one example and compares it}
TABLE = {}


def row(*names):
    def add(check):
        for name in names:
            TABLE[name] = functools.partial(check, name)
        return check

    return add


def by_name(name):
    return getattr(xp, name), getattr(np, name)


# Complex functions are held to what the special cases of the standard are held to, of ordinary numbers: which zeros, NaNs and
# infinities come of special ones is for the standard to say (test_special_cases.py). The slack is NumPy's: its wider complex
# functions lose digits of the smaller part.
COMPLEX_SLACK = {"complex64": 2.0**-40, "complex128": 2.0**-58 if WIDE else 2.0**-49}
COMPLEX_CLOSE = {dt: ulps(8, slack) for dt, slack in COMPLEX_SLACK.items()}
# NumPy adds 1 first, so that small numbers lose their digits.
COMPLEX_LOG1P = {dt: ulps(8, slack, least=1.0) for dt, slack in COMPLEX_SLACK.items()}

EXACT = {
    NUMERIC: "negative positive conj round isfinite isinf isnan real",
    COMPLEX_FLOATING: "imag",
    REAL_NUMERIC: "ceil floor trunc",
    REAL_FLOATING: "signbit",
    BOOL: "logical_not",
    BITS: "bitwise_invert",
}
for dtypes, names in EXACT.items():

    @row(*names.split())
    def exact_of_one(name, d, dtypes=dtypes):
        ours, theirs = by_name(name)
        x, a = d.one(dtypes)
        exact(ours(x), theirs(a))


@row("abs", "sign", "square", "sqrt", "reciprocal")
def correctly_rounded(name, d):
    ours, theirs = by_name(name)
    if d.chance(0.7):
        x, a = d.one(REAL_FLOATING if name in ("sqrt", "reciprocal") else REAL_NUMERIC)
        exact(ours(x), theirs(a))
    else:
        x, a = d.one(COMPLEX_FLOATING, "moderate")
        if name == "reciprocal":
            # What 1/0 is, of complex numbers, is open.
            x, a = d.laid(np.where(a == 0, 1, a).astype(a.dtype))
        check = of_modulus(4) if name == "square" else COMPLEX_CLOSE[a.dtype.name]
        check(ours(x), theirs(wider(a)))


# One unit is the library's limit (examples/accuracy.rs); where NumPy has nothing wider than float64, its own error comes to it.
REAL_CLOSE = ulps(1 if WIDE else 4)


@row(*"acos acosh asin asinh atan atanh cos cosh exp expm1 log log10 log1p log2 sin sinh tan tanh".split())
def of_floats(name, d):
    ours, theirs = by_name(name)
    if d.chance(0.7):
        x, a = d.one(REAL_FLOATING)
        REAL_CLOSE(ours(x), theirs(wider(a)))
    else:
        x, a = d.one(COMPLEX_FLOATING, "moderate")
        check = COMPLEX_LOG1P if name == "log1p" else COMPLEX_CLOSE
        check[a.dtype.name](ours(x), theirs(wider(a)))


@row("atan2", "hypot", "logaddexp")
def of_two_floats(name, d):
    ours, theirs = by_name(name)
    (x, y), (a, b) = d.two(REAL_FLOATING)
    result = np.result_type(a, b)
    REAL_CLOSE(ours(x, y), theirs(wider(np.asarray(a, result)), wider(np.asarray(b, result))))


EXACT_OF_TWO = {
    REAL_FLOATING: "copysign nextafter",
    BOOL: "logical_and logical_or logical_xor",
    BITS: "bitwise_and bitwise_or bitwise_xor",
    DTYPES: "equal not_equal",
    REAL_NUMERIC: "greater greater_equal less less_equal",
    NUMERIC: "add subtract",
}
# {name: symbol, forward, in place}
OPERATORS = {
    "add": ("+", operator.add, operator.iadd),
    "subtract": ("-", operator.sub, operator.isub),
    "multiply": ("*", operator.mul, operator.imul),
    "divide": ("/", operator.truediv, operator.itruediv),
    "floor_divide": ("//", operator.floordiv, operator.ifloordiv),
    "remainder": ("%", operator.mod, operator.imod),
    "pow": ("**", operator.pow, operator.ipow),
    "bitwise_and": ("&", operator.and_, operator.iand),
    "bitwise_or": ("|", operator.or_, operator.ior),
    "bitwise_xor": ("^", operator.xor, operator.ixor),
    "bitwise_left_shift": ("<<", operator.lshift, operator.ilshift),
    "bitwise_right_shift": (">>", operator.rshift, operator.irshift),
    "equal": ("==", operator.eq, None),
    "not_equal": ("!=", operator.ne, None),
    "less": ("<", operator.lt, None),
    "less_equal": ("<=", operator.le, None),
    "greater": (">", operator.gt, None),
    "greater_equal": (">=", operator.ge, None),
}


def of_two(name, pair, check, theirs=None):
    """The function, the operator and the operator in place."""
    ours, theirs = getattr(xp, name), theirs or getattr(np, name)

    def function(d):
        (x, y), (a, b) = pair(d)
        check(ours(x, y), theirs(a, b))

    TABLE[name] = function
    if name not in OPERATORS:
        return
    symbol, operation, place = OPERATORS[name]

    def forward(d):
        (x, y), (a, b) = pair(d)
        check(operation(x, y), theirs(a, b))

    TABLE[f"x {symbol} y"] = forward

    def in_place(d):
        _, (a, b) = pair(d)
        kind = np.result_type(a, b)
        x, a = d.laid(np.broadcast_to(np.asarray(a, kind), np.broadcast_shapes(np.shape(a), np.shape(b))))
        y = b if isinstance(b, (bool, int, float, complex)) else d.laid(b)[0]
        check(place(x, y), theirs(a, b))

    if place:
        TABLE[f"x {symbol}= y"] = in_place


def any_two(dtypes, kinds=("any", "any"), same=False):
    return lambda d: d.two(dtypes, kinds, same)


def either(first, second, p=0.7):
    return lambda d: first(d) if d.chance(p) else second(d)


def but_for_zeros(got, want):
    """NumPy gives one zero or the other where both are there; so may we."""
    want = np.asarray(want)
    if want.dtype.kind == "f":
        zero = want == 0
        assert (to_np(got)[zero] == 0).all()
        want = np.where(zero, to_np(got), want)
    exact(got, want)


def complex_quotients(d):
    """None by zero: which infinities and NaNs that gives is open."""
    (x, y), (a, b) = d.two(COMPLEX_FLOATING, ("moderate", "moderate"))
    if np.any(b == 0):
        b = np.where(b == 0, 1, b).astype(b.dtype) if isinstance(b, np.ndarray) else 2.5
        y = d.laid(b)[0] if isinstance(b, np.ndarray) else b
    return (x, y), (a, b)


def exact_floor(a, b):
    """NumPy's, but for quotients with a digit or two after the point, or none, of which NumPy misses a unit: those are computed
    exactly while they have room, and rounded once, as all quotients are, where floating-point numbers are all integers."""
    want, (a, b) = np.asarray(np.floor_divide(a, b)), np.broadcast_arrays(a, b)
    if want.dtype.kind != "f":
        return want
    a, b, want = a.astype(want.dtype), b.astype(want.dtype), want.copy()
    quotient, digits = np.divide(a, b), np.finfo(want.dtype).nmant + 1
    for place in np.argwhere(np.isfinite(quotient) & (np.abs(quotient) >= 2.0 ** (digits - 3))):
        i = tuple(place)
        exactly = math.floor(Fraction(float(a[i])) / Fraction(float(b[i])))
        want[i] = exactly if abs(quotient[i]) < 2.0**digits else quotient[i]
    return want


def pow_arguments(d):
    if d.chance(0.3):
        # Negative powers of integers are refused.
        (x, y), (a, b) = d.two(INTEGER, ("any", "small"), same=True)
        if isinstance(b, int):
            return (x, abs(b)), (a, abs(b))
        b = np.abs(b)
        return (x, d.laid(b)[0]), (a, b)
    if d.chance(0.7):
        return d.two(REAL_FLOATING)
    return d.two(COMPLEX_FLOATING, ("moderate", "moderate"))


def wide_pow(a, b):
    kind = np.result_type(a, b)
    if kind.kind in "iu":
        return np.power(a, b)
    return np.power(wider(np.asarray(a, kind)), wider(np.asarray(b, kind)))


def pow_close(got, want):
    g = to_np(got)
    if g.dtype.kind in "iu":
        exact(got, want)
    elif g.dtype.kind == "f":
        REAL_CLOSE(got, want)
    else:
        of_modulus(8)(got, want)


for dtypes, names in EXACT_OF_TWO.items():
    for name in names.split():
        of_two(name, any_two(dtypes, same=name == "nextafter"), exact)
of_two("maximum", any_two(REAL_NUMERIC), but_for_zeros)
of_two("minimum", any_two(REAL_NUMERIC), but_for_zeros)
of_two("multiply", either(any_two(REAL_NUMERIC), any_two(FLOATING, ("moderate", "moderate"))), products)
of_two("divide", either(any_two(REAL_FLOATING), complex_quotients), products)
# Of infinities NumPy makes NaN or -1 where the standard has an infinity or -0 (test_special_cases.py).
of_two("floor_divide", any_two(REAL_NUMERIC, ("finite", "finite")), exact, exact_floor)
of_two("remainder", any_two(REAL_NUMERIC), exact)
of_two("bitwise_left_shift", any_two(INTEGER, ("any", "small")), exact)
of_two("bitwise_right_shift", any_two(INTEGER, ("any", "small")), exact)
of_two("pow", pow_arguments, pow_close, wide_pow)

for symbol, operation, dtypes in [
    ("abs(x)", operator.abs, REAL_NUMERIC),
    ("-x", operator.neg, NUMERIC),
    ("+x", operator.pos, NUMERIC),
    ("~x", operator.invert, BITS),
]:

    def of_one(d, operation=operation, dtypes=dtypes):
        x, a = d.one(dtypes)
        exact(operation(x), operation(a))

    TABLE[symbol] = of_one


@row("clip")
def clip(name, d):
    dt, shape = d.dtype(REAL_NUMERIC), d.shape()
    x, a = d.array(dt, shape)
    (low, lo), (high, hi) = (d.array(dt, d.broadcastable(shape)) for _ in range(2))
    lo, hi = np.minimum(lo, hi), np.maximum(lo, hi)
    low, high = d.laid(lo)[0], d.laid(hi)[0]
    if d.chance(0.3):
        scalars = sorted(pool(dt, "finite")[d.random.randint(0, 65535)].item() for _ in range(2))
        low, high = lo, hi = scalars
    if d.chance(0.2):
        low = lo = None
    if d.chance(0.2):
        high = hi = None
    want = a if lo is None and hi is None else np.clip(a, lo, hi)
    but_for_zeros(xp.clip(x, low, high), want)


@row("where")
def where(name, d):
    (x, y), (a, b) = d.two(DTYPES)
    c, condition = d.array("bool", d.broadcastable(np.broadcast_shapes(np.shape(a), np.shape(b))))
    exact(xp.where(c, x, y), np.where(condition, a, b))


# Reductions


def how(d, ndim):
    return {"axis": d.axes(ndim), "keepdims": d.chance(0.3)}


@row("all", "any", "count_nonzero")
def of_truth(name, d):
    ours, theirs = by_name(name)
    x, a = d.one(DTYPES)
    if d.chance():
        x, a = d.laid(a * (np.random.default_rng(a.size).random(a.shape) < 0.2))
    keywords = how(d, a.ndim)
    exact(ours(x, **keywords), theirs(a, **keywords))


@row("max", "min")
def extremes(name, d):
    ours, theirs = by_name(name)
    x, a = d.one(REAL_NUMERIC, filled=True)
    keywords = how(d, a.ndim)
    but_for_zeros(ours(x, **keywords), theirs(a, **keywords))


@row("argmax", "argmin")
def places_of_extremes(name, d):
    ours, theirs = by_name(name)
    x, a = d.one(REAL_NUMERIC, d.one_of(("any", "small")), filled=True)
    keywords = {"axis": d.axis(a.ndim) if a.ndim and d.chance(0.7) else None, "keepdims": d.chance(0.3)}
    exact(ours(x, **keywords), theirs(a, **keywords), dt="int64")


def counted(a, axis):
    axes = range(a.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return math.prod(a.shape[axis] for axis in axes)


@row("sum", "mean")
def totals(name, d):
    ours, theirs = by_name(name)
    x, a = d.one(NUMERIC if name == "sum" else FLOATING, "moderate", filled=name == "mean")
    keywords = how(d, a.ndim)
    if a.dtype.kind in "iu":
        exact(ours(x, **keywords), theirs(a, **keywords))
    else:
        b, n = wider(a), counted(a, keywords["axis"])
        sums(n, theirs(np.abs(b), **keywords))(ours(x, **keywords), theirs(b, **keywords))


@row("prod")
def product(name, d):
    x, a = d.one(NUMERIC, "any" if d.chance() else "small", most=2)
    if a.dtype.kind in "fc":
        # Far from overflow, where an intermediate result would decide.
        b = np.where(np.isfinite(a.real), np.exp2(np.sin(a.real)), 1)
        x, a = d.laid((b * 1j if a.dtype.kind == "c" else b).astype(a.dtype))
    keywords = how(d, a.ndim)
    if a.dtype.kind in "iu":
        exact(xp.prod(x, **keywords), np.prod(a, **keywords))
    else:
        want, n = np.prod(wider(a), **keywords), counted(a, keywords["axis"])
        limit = (2 * n + 1) * np.finfo(a.dtype).eps
        assert (np.abs(to_np(xp.prod(x, **keywords)) - want) <= limit * np.abs(want)).all()


@row("var", "std")
def spread(name, d):
    ours, theirs = by_name(name)
    x, a = d.one(REAL_FLOATING, "moderate", filled=True)
    keywords = how(d, a.ndim)
    n, correction = counted(a, keywords["axis"]), d.one_of((0, 1, 0.5, 2.5))
    if n <= correction:
        correction = 0
    want = theirs(wider(a), correction=correction, **keywords)
    # The mean is off by a rounding of the largest element for each level of the sum, and one: so much too large is the
    # deviation of equal elements, which is 0, and by its square the variance.
    eps = np.finfo(a.dtype).eps
    mean = eps / 2 * (2 + math.log2(n + 1)) * np.longdouble(np.max(np.abs(a)) if a.size else 0)
    limit = 8 * eps * np.abs(want) + (mean if name == "std" else mean**2)
    assert (np.abs(to_np(ours(x, correction=correction, **keywords)) - want) <= limit).all()


@row("cumulative_sum", "cumulative_prod")
def cumulative(name, d):
    ours, theirs = by_name(name)
    integers = d.chance()
    x, a = d.one(INTEGER if integers else FLOATING, "any" if integers else "moderate", least=1)
    axis = None if a.ndim == 1 and d.chance() else d.axis(a.ndim)
    keywords = {"axis": axis, "include_initial": d.chance(0.3)}
    if integers:
        exact(ours(x, **keywords), theirs(a, **keywords))
    else:
        # One rounding for each element passed; of products relative to what came of them, of sums to the sum of moduli.
        b, n = wider(a), a.shape[-1 if axis is None else axis] + 1
        want = theirs(b, **keywords)
        size = theirs(np.abs(b), **keywords)
        limit = 4 * n * np.finfo(a.dtype).eps * size + np.finfo(a.dtype).tiny * 2.0 ** (10 * n)
        got = to_np(ours(x, **keywords))
        # What overflowed once stays so, though zeros follow; a part of a product may overflow a little before the product.
        inside = np.logical_and.accumulate(size < np.finfo(a.dtype).max / 4, axis=-1 if axis is None else axis)
        assert (np.abs(got - want) <= limit)[inside].all(), f"got {got}, not {want}"


@row("diff")
def diff(name, d):
    dt, shape = d.dtype(NUMERIC), d.shape(least=1)
    x, a = d.array(dt, shape, "any" if dt in REAL_NUMERIC else "moderate")
    axis, n = d.axis(a.ndim), d.random.randint(0, 3)
    ends, theirs = {}, {}
    for end in ("prepend", "append"):
        if n and d.chance(0.3):
            piece = list(shape)
            piece[axis] = d.random.randint(0, 2)
            ends[end], theirs[end] = d.array(dt, tuple(piece), "moderate")
    exact(xp.diff(x, axis=axis, n=n, **ends), np.diff(a, axis=axis, n=n, **theirs))


# Sorting, searching, sets


def stable_order(a, axis, descending):
    if not descending:
        return np.argsort(a, axis=axis, kind="stable")
    n = a.shape[axis]
    return n - 1 - np.flip(np.argsort(np.flip(a, axis), axis=axis, kind="stable"), axis)


@row("sort", "argsort")
def sorting(name, d):
    x, a = d.one(REAL_NUMERIC, d.one_of(("any", "small")), least=1)
    axis, descending, stable = d.axis(a.ndim), d.chance(), d.chance()
    places = stable_order(a, axis, descending)
    got = getattr(xp, name)(x, axis=axis, descending=descending, stable=stable)
    if name == "argsort":
        exact(got, places, dt="int64")
    else:
        exact(got, np.take_along_axis(a, places, axis))


@row("searchsorted")
def searchsorted(name, d):
    dt, kind, side = d.dtype(REAL_NUMERIC), d.one_of(("any", "small")), d.one_of(("left", "right"))
    a = d.values(dt, d.shape(least=1, most=1), kind)
    y, v = d.array(dt, d.shape(), kind)
    if d.chance():
        sorter = np.argsort(a, kind="stable")
        x, a = d.laid(a)
        places = d.laid(sorter.astype(d.one_of(INTEGER)))[0]
        want = np.searchsorted(a, v, side=side, sorter=sorter)
        exact(xp.searchsorted(x, y, side=side, sorter=places), want, dt="int64")
    else:
        x, a = d.laid(np.sort(a))
        exact(xp.searchsorted(x, y, side=side), np.searchsorted(a, v, side=side), dt="int64")


@row("unique_all", "unique_counts", "unique_inverse", "unique_values")
def unique(name, d):
    x, a = d.one(DTYPES, d.one_of(("any", "small")))
    want = np.unique(a, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)
    values, first, inverse, counts = want
    parts = {"values": values, "indices": first, "inverse_indices": inverse.reshape(a.shape), "counts": counts}
    got = getattr(xp, name)(x)
    for part in ("values",) if name == "unique_values" else got._fields:
        g = got if name == "unique_values" else getattr(got, part)
        exact(g, parts[part], dt=None if part == "values" else "int64")


@row("isin")
def isin(name, d):
    (x, y), (a, b) = d.two(INTEGER, (d.one_of(("any", "small")),) * 2)
    if d.chance():
        # Of another number of dimensions.
        x, a = d.one((dtype_name((x if hasattr(x, "dtype") else y).dtype),), "small")
    invert = d.chance()
    exact(xp.isin(x, y, invert=invert), np.isin(a, b, invert=invert))


@row("nonzero")
def nonzero(name, d):
    x, a = d.one(DTYPES, d.one_of(("any", "small")), least=1)
    got = xp.nonzero(x)
    assert len(got) == a.ndim
    for g, w in zip(got, np.nonzero(a)):
        exact(g, w, dt="int64")


# Products of matrices


def pair_of(d, shape1, shape2):
    dt = d.dtype(NUMERIC)
    other = dt if d.chance(0.7) else d.one_of(t for t in NUMERIC if promotes(dt, t))
    integers = dt in INTEGER
    return [d.array(t, shape, "any" if integers else "moderate") for t, shape in ((dt, shape1), (other, shape2))]


def product_check(got, theirs, a, b, terms):
    if to_np(got).dtype.kind in "iu":
        exact(got, theirs(a, b))
    else:
        a, b = wider(a), wider(b)
        sums(2 * terms, theirs(np.abs(a), np.abs(b)))(got, theirs(a, b))


def matrix_shapes(d):
    m, k, n = (d.one_of((0, 1, 2, 3, 5, 17)) for _ in range(3))
    left, right = d.one_of([((m, k), (k, n)), ((k,), (k, n)), ((m, k), (k,)), ((k,), (k,))])
    stack = d.one_of([(), (2,), (2, 1), (0,)])
    if len(left) == 2 and d.chance(0.3):
        left = (*stack, *left)
    if len(right) == 2 and d.chance(0.3):
        right = (*d.broadcastable(stack), *right)
    return left, right, k


@row("matmul", "x @ y", "linalg.matmul")
def matmul(name, d):
    left, right, k = matrix_shapes(d)
    (x, a), (y, b) = pair_of(d, left, right)
    product_check(x @ y if name == "x @ y" else function(name)(x, y), np.matmul, a, b, k)


@row("x @= y")
def matmul_in_place(name, d):
    k = d.one_of((0, 1, 2, 3, 5))
    (x, a), (y, b) = pair_of(d, d.one_of([(k,), (3, k), (2, 3, k)]), (k, k))
    kind = np.result_type(a, b)
    x, a = d.laid(a.astype(kind))
    want, before = np.matmul(wider(a) if kind.kind in "fc" else a, b), a.copy()
    x @= y
    if kind.kind in "iu":
        exact(x, want)
    else:
        sums(2 * k, np.matmul(np.abs(wider(before)), np.abs(wider(b))))(x, want)


@row("vecdot", "linalg.vecdot")
def vecdot(name, d):
    shape, k, axis = d.shape(most=2), d.one_of((0, 1, 3, 8, 16, 17, 40)), d.one_of((-1, -2))
    axis = axis if shape else -1
    full = (*shape, k) if axis == -1 else (*shape[:-1], k, shape[-1])
    (x, a), (y, b) = pair_of(d, full, full)
    product_check(function(name)(x, y, axis=axis), lambda a, b: np.vecdot(a, b, axis=axis), a, b, k)


@row("tensordot", "linalg.tensordot")
def tensordot(name, d):
    shape = d.shape(most=3)
    n = d.random.randint(0, len(shape))
    if d.chance():
        left, right, axes = (2, *shape[:n]), (*shape[:n], 3), n
    else:
        pick = d.random.sample(range(len(shape)), n)
        left, right = shape, tuple(shape[i] for i in pick[::-1]) + (2,)
        axes = (tuple(pick), tuple(range(n))[::-1])
    (x, a), (y, b) = pair_of(d, left, right)
    product_check(function(name)(x, y, axes=axes), lambda a, b: np.tensordot(a, b, axes=axes), a, b, max(a.size, 1))


# Manipulation


@row("broadcast_to")
def broadcast_to(name, d):
    shape = d.shape()
    x, a = d.array(d.dtype(DTYPES), d.broadcastable(shape))
    exact(xp.broadcast_to(x, shape), np.broadcast_to(a, shape))


@row("broadcast_arrays")
def broadcast_arrays(name, d):
    shape = d.shape()
    pairs = [d.array(d.dtype(DTYPES), d.broadcastable(shape)) for _ in range(d.random.randint(1, 3))]
    every_part(xp.broadcast_arrays(*[x for x, _ in pairs]), np.broadcast_arrays(*[a for _, a in pairs]))


@row("broadcast_shapes")
def broadcast_shapes(name, d):
    shape = d.shape()
    shapes = [d.broadcastable(shape) for _ in range(d.random.randint(1, 4))]
    assert xp.broadcast_shapes(*shapes) == np.broadcast_shapes(*shapes)


@row("concat", "stack")
def joined(name, d):
    ours, theirs = by_name(name)
    shape, axis = list(d.shape(least=1)), None
    first = d.dtype(DTYPES)
    axis = d.axis(len(shape) + (name == "stack"))
    pairs = []
    for _ in range(d.random.randint(1, 3)):
        if name == "concat":
            shape[axis] = d.random.randint(0, 3)
        last = pairs[-1][1].dtype.name if pairs else first
        dt = first if d.chance(0.7) else d.one_of(t for t in DTYPES if promotes(first, t) and promotes(last, t))
        pairs.append(d.array(dt, tuple(shape)))
    kinds = [a.dtype.name for _, a in pairs]
    if any(not promotes(a, b) for a, b in itertools.combinations(kinds, 2)):
        pairs = pairs[:1]
    if name == "concat" and d.chance(0.2):
        axis = None
    exact(ours([x for x, _ in pairs], axis=axis), theirs([a for _, a in pairs], axis=axis))


@row("expand_dims")
def expand_dims(name, d):
    x, a = d.one(DTYPES, most=3)
    axis = d.axis(a.ndim + 1) if d.chance(0.7) else tuple(d.random.sample(range(a.ndim + 2), 2))
    exact(xp.expand_dims(x, axis=axis), np.expand_dims(a, axis))


@row("squeeze")
def squeeze(name, d):
    shape = d.shape()
    ones = sorted({d.random.randint(0, len(shape)) for _ in range(d.random.randint(1, 3))})
    for place in ones:
        shape = (*shape[:place], 1, *shape[place:])
    x, a = d.array(d.dtype(DTYPES), shape)
    axis = d.one_of((tuple(ones), ones[0], ones[-1] - a.ndim))
    exact(xp.squeeze(x, axis), np.squeeze(a, axis))


@row("flip")
def flip(name, d):
    x, a = d.one(DTYPES)
    axis = d.axes(a.ndim)
    exact(xp.flip(x, axis=axis), np.flip(a, axis=axis))


@row("matrix_transpose", "linalg.matrix_transpose", "x.mT", "x.T")
def transposes(name, d):
    x, a = d.one(DTYPES, least=2, most=2 if name == "x.T" else 4)
    want = np.matrix_transpose(a)
    exact(getattr(x, name[2:]) if name in ("x.mT", "x.T") else function(name)(x), want)


@row("moveaxis")
def moveaxis(name, d):
    x, a = d.one(DTYPES, least=1)
    n = d.random.randint(1, a.ndim)
    source, destination = (tuple(d.random.sample(range(a.ndim), n)) for _ in range(2))
    if d.chance(0.3):
        source, destination = d.axis(a.ndim), d.axis(a.ndim)
    exact(xp.moveaxis(x, source, destination), np.moveaxis(a, source, destination))


@row("permute_dims")
def permute_dims(name, d):
    x, a = d.one(DTYPES)
    axes = tuple(i - a.ndim if d.chance(0.2) else i for i in d.random.sample(range(a.ndim), a.ndim))
    exact(xp.permute_dims(x, axes), np.permute_dims(a, axes))


@row("repeat")
def repeat(name, d):
    x, a = d.one(DTYPES)
    axis = d.axis(a.ndim) if a.ndim and d.chance(0.7) else None
    if d.chance():
        counts = theirs = d.random.randint(0, 3)
    else:
        n = a.size if axis is None else a.shape[axis]
        counts, theirs = d.array(d.one_of(("int8", "int64", "uint16")), (n,), "small")
        theirs = np.abs(theirs)
        counts = d.laid(theirs)[0]
    exact(xp.repeat(x, counts, axis=axis), np.repeat(a, theirs, axis=axis))


@row("reshape")
def reshape(name, d):
    x, a = d.one(DTYPES)
    shapes = [(a.size,), a.shape[::-1], (1, *a.shape), (*a.shape, 1)]
    shape = d.one_of([*shapes, (-1,), (-1, *a.shape[1:])] if a.size else shapes)
    exact(xp.reshape(x, shape, copy=d.one_of((None, True))), np.reshape(a, shape))


@row("roll")
def roll(name, d):
    x, a = d.one(DTYPES)
    axis = d.axes(a.ndim)
    shift = tuple(d.random.randint(-9, 9) for _ in axis) if isinstance(axis, tuple) else d.random.randint(-99, 99)
    exact(xp.roll(x, shift, axis=axis), np.roll(a, shift, axis=axis))


@row("tile")
def tile(name, d):
    x, a = d.one(DTYPES, most=3)
    times = tuple(d.random.randint(0, 3) for _ in range(d.random.randint(0, a.ndim + 1)))
    exact(xp.tile(x, times), np.tile(a, times))


@row("unstack")
def unstack(name, d):
    x, a = d.one(DTYPES, least=1)
    axis = d.axis(a.ndim)
    every_part(xp.unstack(x, axis=axis), np.unstack(a, axis=axis))


@row("take")
def take(name, d):
    x, a = d.one(DTYPES, least=1)
    axis = d.axis(a.ndim)
    n = min(a.shape[axis], 100)
    i = np.array([d.random.randint(-n, n - 1) for _ in range(7 if n else 0)], d.one_of(SIGNED))
    y, i = d.laid(i)
    if a.ndim == 1 and d.chance():
        exact(xp.take(x, y), np.take(a, i))
    else:
        exact(xp.take(x, y, axis=axis), np.take(a, i, axis=axis))


@row("take_along_axis")
def take_along_axis(name, d):
    x, a = d.one(DTYPES, least=1)
    axis, shape = d.axis(a.ndim), list(a.shape)
    n = min(a.shape[axis], 100)
    shape[axis] = d.random.randint(0, 4) if n else 0
    i = np.random.default_rng(d.random.randint(0, 99)).integers(-n, max(n, 1), shape).astype(d.one_of(SIGNED))
    y, i = d.laid(i)
    exact(xp.take_along_axis(x, y, axis=axis), np.take_along_axis(a, i, axis=axis))


# Creation


@row("tril", "triu")
def triangles(name, d):
    ours, theirs = by_name(name)
    x, a = d.one(DTYPES, least=2)
    k = d.random.randint(-4, 4)
    exact(ours(x, k=k), theirs(a, k=k))


@row("meshgrid")
def meshgrid(name, d):
    dt, indexing = d.dtype(NUMERIC), d.one_of(("xy", "ij"))
    pairs = [d.array(dt, d.shape(1, 1)) for _ in range(d.random.randint(1, 3))]
    pairs = [(x[:5], a[:5]) if a.size > 5 else (x, a) for x, a in pairs]
    want = np.meshgrid(*[a for _, a in pairs], indexing=indexing)
    every_part(xp.meshgrid(*[x for x, _ in pairs], indexing=indexing), want)


@row("arange")
def arange(name, d):
    if d.chance():
        start, stop, step = (d.random.randint(-50, 50) for _ in range(3))
        kind = {"dtype": None} if d.chance() else {"dtype": d.one_of(("int64", "int32", "float64", "float32"))}
    else:
        # In steps of an eighth, so that no rounding decides how many there are.
        start, stop, step = (d.random.randint(-400, 400) / 8 for _ in range(3))
        kind = {"dtype": d.one_of((None, "float64", "float32"))}
    ours = {"dtype": kind["dtype"] and dtype(kind["dtype"])}
    exact(xp.arange(start, stop, step or 1, **ours), np.arange(start, stop, step or 1, **kind))
    exact(xp.arange(abs(start)), np.arange(abs(start)))


@row("linspace")
def linspace(name, d):
    start, stop = (pool("float64", "moderate")[d.random.randint(0, 65535)].item() for _ in range(2))
    if d.chance(0.2):
        start, stop = complex(start, stop), complex(stop, -1.0)
    n, endpoint = d.random.randint(0, 70), d.chance()
    kind = "complex128" if isinstance(start, complex) else d.one_of(("float64", "float32"))
    got = to_np(xp.linspace(start, stop, n, endpoint=endpoint, dtype=dtype(kind)))
    want = np.linspace(np.clongdouble(start), stop, n, endpoint=endpoint)
    assert got.shape == want.shape
    assert (np.abs(got - want) <= 2 * np.finfo(kind).eps * max(abs(start), abs(stop))).all()
    if n:
        assert got[0] == np.asarray(start, kind)
    if n > 1 and endpoint:
        assert got[-1] == np.asarray(stop, kind)


@row("eye")
def eye(name, d):
    n, m, k = d.random.randint(0, 6), d.one_of((None, 0, 1, 5)), d.random.randint(-7, 7)
    dt = d.dtype(DTYPES)
    exact(xp.eye(n, m, k=k, dtype=dtype(dt)), np.eye(n, m, k=k, dtype=dt))


@row("zeros", "ones", "full", "zeros_like", "ones_like", "full_like")
def filled(name, d):
    ours, theirs = by_name(name)
    dt = d.dtype(DTYPES)
    x, a = d.one((dt,))
    value = pool(dt if dt in REAL_NUMERIC + BOOL else "float64", "any")[d.random.randint(0, 65535)].item()
    fill = (value,) if "full" in name else ()
    if "like" in name:
        exact(ours(x, *fill), theirs(a, *fill))
        exact(ours(x, *fill, dtype=dtype(dt)), theirs(a, *fill, dtype=dt))
    else:
        exact(ours(a.shape, *fill, dtype=dtype(dt)), theirs(a.shape, *fill, dtype=dt))


@row("empty", "empty_like")
def uninitialised(name, d):
    x, a = d.one(DTYPES)
    got = xp.empty(a.shape, dtype=x.dtype) if name == "empty" else xp.empty_like(x)
    assert (got.shape, got.dtype) == (a.shape, x.dtype)


@row("asarray")
def asarray(name, d):
    x, a = d.one(DTYPES)
    exact(xp.asarray(a), a)
    exact(xp.asarray(x, copy=True), a)
    if 0 not in a.shape:
        kind = {"b": "bool", "i": "int64", "u": "int64", "f": "float64", "c": "complex128"}[a.dtype.kind]
        if a.dtype != np.uint64:
            exact(xp.asarray(a.tolist()), a.astype(kind))
        exact(xp.asarray(a.tolist(), dtype=x.dtype), a)


@row("from_dlpack")
def from_dlpack(name, d):
    x, a = d.one(DTYPES)
    exact(xp.from_dlpack(a), a)
    exact(xp.from_dlpack(x, copy=d.one_of((None, True, False))), a)
    np.testing.assert_array_equal(np.from_dlpack(x), a)


# Data types


@row("astype")
def astype(name, d):
    x, a = d.one(DTYPES, "moderate")
    to = d.one_of(DTYPES)
    if a.dtype.kind == "c" and to in REAL_NUMERIC:
        to = "complex64"
    if a.dtype.kind == "f" and to in UNSIGNED:
        # Out of range the standard leaves the value open.
        x, a = d.laid(np.abs(a) % 200)
    exact(xp.astype(x, dtype(to), copy=d.chance()), a.astype(to))


@row("result_type")
def result_type(name, d):
    dts = [d.dtype(DTYPES)]
    for _ in range(d.random.randint(0, 2)):
        dts.append(d.one_of(t for t in DTYPES if all(promotes(t, u) for u in dts)))
    if "uint64" in dts and any(t in SIGNED for t in dts):
        dts = dts[:1]
    ours = [xp.zeros(2, dtype=dtype(t)) if d.chance() else dtype(t) for t in dts]
    assert dtype_name(xp.result_type(*ours)) == np.result_type(*dts).name


@row("can_cast")
def can_cast(name, d):
    a = d.dtype(DTYPES)
    b = d.one_of(t for t in DTYPES if promotes(a, t))
    # Between kinds NumPy casts where the standard has no promotion.
    assert xp.can_cast(dtype(a), dtype(b)) == np.can_cast(a, b)
    assert xp.can_cast(xp.zeros(1, dtype=dtype(a)), dtype(b)) == np.can_cast(a, b)


@row("isdtype")
def isdtype(name, d):
    dt = d.dtype(DTYPES)
    kinds = ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric")
    kind = d.one_of(kinds) if d.chance(0.7) else tuple(d.random.sample(kinds, 2))
    assert xp.isdtype(dtype(dt), kind) == np.isdtype(np.dtype(dt), kind)
    other = d.one_of(DTYPES)
    assert xp.isdtype(dtype(dt), dtype(other)) == np.isdtype(np.dtype(dt), np.dtype(other))


@row("finfo", "iinfo")
def limits(name, d):
    dt = d.dtype(FLOATING if name == "finfo" else INTEGER)
    ours, theirs = getattr(xp, name)(dtype(dt)), getattr(np, name)(dt)
    for part in ("bits", "max", "min", *(("eps", "smallest_normal") if name == "finfo" else ())):
        assert getattr(ours, part) == getattr(theirs, part), part


# Indexing


def basic_key(d, shape, new_axes=True):
    """Integers, slices, new axes, an ellipsis: with bounds that the standard guarantees."""
    key = []
    for n in shape:
        how = d.random.random()
        if how < 0.25 and n:
            key.append(d.random.randint(-n, n - 1))
        elif how < 0.5:
            key.append(slice(None, None, d.one_of((None, 1, 2, -1, -3))))
        else:
            start, stop, step = d.random.randint(0, n), d.random.randint(0, n), d.one_of((None, 1, 2))
            key.append(slice(start, stop, step))
    if d.chance(0.3):
        at = d.random.randint(0, len(key))
        key[at : at + d.random.randint(0, 2)] = [...]
    if new_axes and d.chance(0.2):
        key.insert(d.random.randint(0, len(key)), None)
    return tuple(key)


@row("x[basic]")
def basic_indexing(name, d):
    x, a = d.one(DTYPES)
    key = basic_key(d, a.shape)
    exact(x[key], a[key])


@row("x[mask]")
def mask_indexing(name, d):
    x, a = d.one(DTYPES)
    m, mask = d.array("bool", a.shape[: d.random.randint(0, a.ndim)] if d.chance(0.3) else a.shape)
    exact(x[m], a[mask])


def index_arrays(d, shape):
    common = d.shape(most=2)
    pairs = []
    for n in shape:
        n = min(n, 100)
        i = np.random.default_rng(d.random.randint(0, 999)).integers(-n, n, d.broadcastable(common))
        pairs.append(d.laid(i.astype(d.one_of(SIGNED))))
    return zip(*pairs)


@row("x[arrays]")
def array_indexing(name, d):
    x, a = d.one(DTYPES, least=1, filled=True)
    ours, theirs = index_arrays(d, a.shape)
    exact(x[ours], a[theirs])


@row("x[basic] = value")
def basic_assignment(name, d):
    x, a = d.laid(d.one(DTYPES)[1].copy())
    key = basic_key(d, a.shape, new_axes=False)
    target = a[key]
    y, b = d.array(a.dtype.name, d.broadcastable(np.shape(target)))
    if d.chance(0.2):
        y = b = True if a.dtype == bool else 1
    x[key] = y
    a[key] = b
    exact(x, a)


@row("x[mask] = value")
def mask_assignment(name, d):
    x, a = d.laid(d.one(DTYPES)[1].copy())
    m, mask = d.array("bool", a.shape)
    y, b = d.array(a.dtype.name, ())
    if d.chance(0.3):
        y = b = True if a.dtype == bool else 1
    x[m] = y
    a[mask] = b
    exact(x, a)


# Scalars, iteration, attributes


@row("bool, int, float, complex, index")
def conversions(name, d):
    dt = d.dtype(DTYPES)
    x, a = d.array(dt, ())
    assert bool(x) is bool(a)
    assert repr(complex(x)) == repr(complex(a)) or np.isnan(a)
    if dt not in COMPLEX_FLOATING:
        assert repr(float(x)) == repr(float(a))
        if np.isfinite(a):
            assert int(x) == int(a)
    if dt in INTEGER:
        assert operator.index(x) == operator.index(a[()])


@row("iteration")
def iteration(name, d):
    x, a = d.one(DTYPES, least=1, most=1)
    every_part(list(x), list(a))


@row("to_device", "shape, size, ndim")
def attributes(name, d):
    x, a = d.one(DTYPES)
    assert (x.shape, x.size, x.ndim) == (a.shape, a.size, a.ndim)
    exact(x.to_device(xp.Device("device1")), a)


# Linear algebra: decompositions are compared by what they are to give, test_linalg.py has the hard matrices.


def norms(a):
    """The largest magnitude of the elements of each matrix, times its size: no norm of it is larger."""
    return np.abs(a).max(axis=(-2, -1), initial=0) * max(a.shape[-2:])


def near(got, want, size, steps=1):
    """Within so many roundings of the size, which is one for each matrix (or the like)."""
    g, want = to_np(got), np.asarray(want)
    assert g.shape == want.shape
    limit = 50 * (steps + 1) * np.finfo(g.dtype).eps * np.asarray(size) + np.finfo(g.dtype).tiny
    missing = g.ndim - np.ndim(limit)
    assert (np.abs(g - want) <= np.reshape(limit, np.shape(limit) + (1,) * missing)).all(), f"got {g}, not {want}"


def double(a):
    """In double precision: NumPy has no decompositions in a wider one."""
    return np.asarray(a, "complex128" if a.dtype.kind == "c" else "float64")


def hermitian(a):
    return np.conj(np.swapaxes(a, -1, -2))


def of_matrices(d, square=False, dtypes=FLOATING):
    """Matrices, or stacks of them."""
    m, n = d.one_of((0, 1, 2, 3, 4, 5, 8)), d.one_of((0, 1, 2, 3, 4, 6, 17))
    return d.array(d.dtype(dtypes), (*d.one_of([(), (2,), (0,), (2, 3)]), m, m if square else n), "moderate")


def unitary(q):
    """Whether columns are orthonormal."""
    q = to_np(q)
    near(
        own(hermitian(q) @ q), np.broadcast_to(np.eye(q.shape[-1]), (*q.shape[:-2], *q.shape[-1:] * 2)), 1, q.shape[-2]
    )


@row("linalg.det", "linalg.slogdet")
def determinants(name, d):
    x, a = of_matrices(d, square=True)
    wide = double(a)
    want = np.linalg.det(wide)
    # Hadamard's bound of it.
    size = np.prod(np.sqrt(np.sum(np.abs(wide) ** 2, axis=-1)), axis=-1)
    got = function(name)(x)
    if name == "linalg.slogdet":
        sign, logabsdet = map(to_np, got)
        assert (np.isclose(np.abs(sign), 1) | (sign == 0)).all()
        assert (logabsdet.dtype == sign.real.dtype) and ((sign != 0) | (logabsdet == -np.inf)).all()
        got = own((sign * np.exp(logabsdet)).astype(a.dtype))
        size = size * (1 + np.abs(np.log(np.maximum(size, 1e-300))))
    near(got, want, size, a.shape[-1])


@row("linalg.inv", "linalg.solve", "linalg.matrix_power")
def inverses(name, d):
    x, a = of_matrices(d, square=True)
    n = a.shape[-1]
    eye = np.broadcast_to(np.eye(n), a.shape)
    try:
        if name == "linalg.inv":
            got, b = xp.linalg.inv(x), eye
        elif name == "linalg.solve":
            y, b = d.array(a.dtype.name, (*a.shape[:-1], d.one_of((0, 1, 3))), "moderate")
            got = xp.linalg.solve(x, y)
        else:
            power = d.random.randint(-1, 4)
            got = xp.linalg.matrix_power(x, power)
            if power >= 0:
                want = np.linalg.matrix_power(wider(a), power)
                near(got, want, norms(np.linalg.matrix_power(np.abs(wider(a)), power)), n * power)
                return
            b = eye
    except ValueError as error:
        assert error.rule == "singular-matrix"
        # A pivot is 0 to the last bit only where the matrix is as good as singular.
        assert (np.linalg.matrix_rank(a) < n).any()
        return
    g = to_np(got)
    if not np.isfinite(g).all():
        return
    error, bound = np.abs(wider(a) @ wider(g) - b), np.abs(wider(a)) @ np.abs(wider(g)) + np.abs(b)
    assert g.shape == b.shape
    # Each column has its own size.
    limit = 50 * (n + 1) * np.finfo(g.dtype).eps * bound.max(axis=-2, initial=0, keepdims=True)
    assert (error <= limit + np.finfo(g.dtype).tiny).all(), f"{error} > {limit}"


@row("linalg.cholesky")
def cholesky(name, d):
    _, a = of_matrices(d, square=True)
    a = (a @ hermitian(a) + np.eye(a.shape[-1])).astype(a.dtype)
    x, a = d.laid(a)
    upper = d.chance()
    t = to_np(xp.linalg.cholesky(x, upper=upper))
    assert (t == (np.triu(t) if upper else np.tril(t))).all() and t.dtype == a.dtype
    diagonal = np.diagonal(t, axis1=-2, axis2=-1)
    assert (diagonal.real > 0).all() and (diagonal.imag == 0).all()
    near(own(hermitian(t) @ t if upper else t @ hermitian(t)), a, norms(a), a.shape[-1])


@row("linalg.qr")
def orthogonal_and_triangular(name, d):
    x, a = of_matrices(d)
    mode = d.one_of(("reduced", "complete"))
    q, r = xp.linalg.qr(x, mode=mode)
    m, n = a.shape[-2:]
    k = m if mode == "complete" else min(m, n)
    assert q.shape == (*a.shape[:-1], k) and r.shape == (*a.shape[:-2], k, n)
    unitary(q)
    r = to_np(r)
    assert (r == np.triu(r)).all() and (np.diagonal(r, axis1=-2, axis2=-1).imag == 0).all()
    near(own(to_np(q) @ r), a, norms(a), m)


@row("linalg.svd", "linalg.svdvals")
def singular_values(name, d):
    x, a = of_matrices(d)
    want = np.linalg.svd(double(a), compute_uv=False)
    if name == "linalg.svdvals":
        s = xp.linalg.svdvals(x)
    else:
        full = d.chance()
        u, s, vh = xp.linalg.svd(x, full_matrices=full)
        (m, n), k = a.shape[-2:], min(a.shape[-2:])
        assert u.shape == (*a.shape[:-1], m if full else k) and vh.shape == (*a.shape[:-2], n if full else k, n)
        unitary(u)
        unitary(own(hermitian(to_np(vh))))
        product = (to_np(u)[..., :k] * to_np(s)[..., None, :]) @ to_np(vh)[..., :k, :]
        near(own(product.astype(a.dtype)), a, norms(a), m + n)
    values = to_np(s)
    assert (values >= 0).all() and (np.diff(values) <= 0).all()
    near(s, want, norms(a), sum(a.shape[-2:]))


@row("linalg.eigh", "linalg.eigvalsh")
def eigenvalues_of_hermitian(name, d):
    _, a = of_matrices(d, square=True)
    x, a = d.laid((a + hermitian(a)).astype(a.dtype))
    want = np.linalg.eigvalsh(double(a))
    values = xp.linalg.eigvalsh(x)
    if name == "linalg.eigh":
        values, vectors = xp.linalg.eigh(x)
        unitary(vectors)
        v = to_np(vectors)
        near(own((a @ v).astype(a.dtype)), v * to_np(values)[..., None, :], norms(a), a.shape[-1])
    near(values, want, norms(a), a.shape[-1])


@row("linalg.eig", "linalg.eigvals")
def eigenvalues(name, d):
    x, a = of_matrices(d, square=True)
    if name == "linalg.eigvals":
        values = to_np(xp.linalg.eigvals(x))
    else:
        values, v = map(to_np, xp.linalg.eig(x))
        near(own(a @ v), v * values[..., None, :], norms(a), a.shape[-1])
        near(own(np.sum(np.abs(v) ** 2, axis=-2)), np.ones(values.shape), 1, a.shape[-1])
    assert values.shape == a.shape[:-1]
    # Eigenvalues may depend on the last bits as much as a root does, but not their sum.
    near(own(values.sum(axis=-1)), np.trace(wider(a), axis1=-2, axis2=-1), norms(a), a.shape[-1])


@row("linalg.pinv", "linalg.matrix_rank")
def ranks(name, d):
    x, a = of_matrices(d)
    wide = double(a)
    s = np.linalg.svd(wide, compute_uv=False)
    given = d.one_of((None, 0.1, 0.0, 1))
    rtol = given if given is not None else max(a.shape[-2:]) * np.finfo(a.dtype).eps
    top = s.max(axis=-1, initial=0, keepdims=True)
    got = to_np(function(name)(x, rtol=given))
    # Where one lies near the bound it may fall on either side of it.
    clear = (np.abs(s - rtol * top) > 100 * sum(a.shape[-2:]) * np.finfo(a.dtype).eps * top) | (top == 0)
    clear = clear.all(axis=-1)
    if name == "linalg.matrix_rank":
        assert got.shape == a.shape[:-2] and got.dtype == np.int64
        assert (got == (s > rtol * top).sum(axis=-1))[clear].all()
        return
    want = np.linalg.pinv(wide, rtol=rtol)
    assert got.shape == want.shape
    least = np.where(s > rtol * top, s, np.inf).min(axis=-1, initial=np.inf)
    size = top[..., 0] / least**2
    near(own(got[clear]), want[clear], size[clear], 4 * sum(a.shape[-2:]))


@row("linalg.matrix_norm")
def norms_of_matrices(name, d):
    x, a = of_matrices(d)
    order = d.one_of(("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf))
    keepdims = d.chance()
    if a.size == 0 and order in (-1, -2, -math.inf):
        return
    wide = double(a) if order in ("nuc", 2, -2) else wider(a)
    if a.size:
        want = np.linalg.norm(wide, ord=order, axis=(-2, -1), keepdims=keepdims)
    else:
        want = np.zeros((*a.shape[:-2], 1, 1) if keepdims else a.shape[:-2])
    got = xp.linalg.matrix_norm(x, ord=order, keepdims=keepdims)
    assert dtype_name(got.dtype) == PART.get(a.dtype.name, a.dtype.name)
    size = norms(a)
    near(got, want, size[..., None, None] if keepdims else size, sum(a.shape[-2:]))


@row("linalg.vector_norm")
def norms_of_vectors(name, d):
    x, a = d.one(FLOATING, d.one_of(("moderate", "finite")))
    axis, keepdims = d.axes(a.ndim), d.chance()
    order = d.one_of((2, 1, math.inf, -math.inf, 0, 3, 0.5, -1, -2, 10.5))
    if a.size == 0 and order <= 0:
        return
    axes = tuple(range(a.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    # In the widest precision there is: powers of float32 numbers overflow float64.
    wide = np.abs(wider(a)).astype(np.longdouble)
    if order == 0:
        want = np.count_nonzero(a, axis=axes, keepdims=keepdims)
    elif a.size == 0:
        want = np.sum(wide, axis=axes, keepdims=keepdims)
    elif math.isinf(order):
        want = (np.max if order > 0 else np.min)(wide, axis=axes, keepdims=keepdims)
    else:
        want = np.sum(wide**order, axis=axes, keepdims=keepdims) ** (np.longdouble(1) / np.longdouble(order))
    got = to_np(xp.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=order))
    info = np.finfo(got.dtype)
    assert got.shape == want.shape
    # 0.5 makes of a rounding the square of the number of terms.
    limit = (4 + math.log2(a.size + 2)) * 4 * info.eps * want + info.smallest_subnormal
    inside = want < info.max
    assert (np.abs(got - want) <= limit)[inside].all(), f"got {got}, not {want}"
    assert (got >= info.max * (1 - 64 * info.eps))[~inside].all()


@row("linalg.cross", "linalg.outer", "linalg.diagonal", "linalg.trace")
def products_and_diagonals(name, d):
    if name == "linalg.outer":
        m, n = d.one_of((0, 1, 3, 17)), d.one_of((0, 1, 2, 40))
        (x, a), (y, b) = pair_of(d, (m,), (n,))
        product_check(xp.linalg.outer(x, y), lambda a, b: a[:, None] * b, a, b, 1)
    elif name == "linalg.cross":
        shape = d.shape(most=2)
        full = (*shape, 3)
        (x, a), (y, b) = pair_of(d, full, (3,) if d.chance(0.3) else full)
        want = lambda a, b: np.cross(*np.broadcast_arrays(a, b))  # noqa: E731
        got = xp.linalg.cross(x, y)
        if to_np(got).dtype.kind in "iu":
            exact(got, want(a, b))
        else:
            sums(4, np.max(np.abs(a), initial=0) * np.max(np.abs(b), initial=0))(got, want(wider(a), wider(b)))
    else:
        x, a = d.one(NUMERIC if name == "linalg.trace" else DTYPES, "moderate", least=2)
        offset = d.random.randint(-4, 4)
        inside = -a.shape[-2] <= offset <= a.shape[-1]
        want = np.diagonal(a, offset if inside else a.shape[-1], axis1=-2, axis2=-1)
        if name == "linalg.diagonal":
            exact(xp.linalg.diagonal(x, offset=offset), want)
        elif a.dtype.kind in "iu":
            exact(xp.linalg.trace(x, offset=offset), want.sum(axis=-1))
        else:
            wide = wider(want)
            sums(want.shape[-1], np.abs(wide).sum(axis=-1))(xp.linalg.trace(x, offset=offset), wide.sum(axis=-1))


# Fourier transforms

NORMS = ("backward", "ortho", "forward")


def transforms(got, want, terms):
    """Within the rounding of so many terms, of the size of all results."""
    g = to_np(got)
    assert g.shape == want.shape and g.dtype == (want.astype(g.dtype)).dtype
    eps, size = np.finfo(g.dtype).eps, math.sqrt(np.mean(np.abs(want) ** 2)) if want.size else 0.0
    limit = 4 * (math.log2(terms) + 2) * eps * size
    assert (np.abs(g - want) <= limit).all(), f"got {g}, not {want}"


def of_half(name):
    return name in ("irfft", "hfft", "irfftn")


@row(*("fft." + name for name in "fft ifft rfft irfft hfft ihfft".split()))
def transform(name, d):
    name = name.split(".")[1]
    x, a = d.one(REAL_FLOATING if name in ("rfft", "ihfft") else COMPLEX_FLOATING, "moderate", least=1)
    axis, n = d.axis(a.ndim), d.one_of((None, None, 1, 2, 5, 8, 33))
    size = a.shape[axis]
    if n is None and size < (2 if of_half(name) else 1):
        n = 3
    norm = d.one_of(NORMS)
    # NumPy pads no axis that has no elements.
    b = a if size else np.zeros([1 if i == axis % a.ndim else m for i, m in enumerate(a.shape)], a.dtype)
    want = getattr(np.fft, name)(wider(b), n=n, axis=axis, norm=norm)
    transforms(getattr(xp.fft, name)(x, n=n, axis=axis, norm=norm), want, n or 2 * size)


@row(*("fft." + name for name in "fftn ifftn rfftn irfftn".split()))
def transform_of_axes(name, d):
    name = name.split(".")[1]
    least = 1 if name in ("rfftn", "irfftn") else 0
    x, a = d.one(REAL_FLOATING if name == "rfftn" else COMPLEX_FLOATING, "moderate", least=least, filled=True)
    axes = d.random.sample(range(a.ndim), d.random.randint(least, a.ndim))
    s = None
    last = of_half(name) and axes
    if d.chance() or (last and a.shape[axes[-1]] < 2):
        s = [d.one_of((1, 2, 5, 9, *((-1,) if not last or axis != axes[-1] else ()))) for axis in axes]
    elif set(axes) == set(range(a.ndim)) and d.chance():
        axes = None
        if last and a.shape[-1] < 2:
            axes = list(range(a.ndim))[::-1]
            s = [3] * a.ndim
    sequence = d.one_of((list, tuple))
    given = {"s": s and sequence(s), "axes": axes if axes is None else sequence(axes), "norm": d.one_of(NORMS)}
    want = getattr(np.fft, name)(wider(a), **given) if axes != [] else wider(a)
    transforms(getattr(xp.fft, name)(x, **given), want, 2 * max(1, a.size, want.size))


@row("fft.fftshift", "fft.ifftshift")
def shifts_of_spectra(name, d):
    name = name.split(".")[1]
    x, a = d.one(FLOATING)
    axes = d.axes(a.ndim)
    # NumPy shifts no array without axes.
    want = a if axes == () or (axes is None and a.ndim == 0) else getattr(np.fft, name)(a, axes=axes)
    exact(getattr(xp.fft, name)(x, axes=axes), want)


@row("fft.fftfreq", "fft.rfftfreq")
def frequencies(name, d):
    n, spacing = d.one_of((1, 2, 3, 8, 9, 100)), d.one_of((1, 1.0, 0.1, -3.5, 1e-300))
    name = name.split(".")[1]
    # NumPy multiplies by a rounded reciprocal, where the standard divides.
    want = np.rint(getattr(np.fft, name)(n) * n) / (np.float64(spacing) * n)
    exact(getattr(xp.fft, name)(n, d=spacing), want)
    exact(getattr(xp.fft, name)(n, d=spacing, dtype=xp.float32), want.astype(np.float32))


# Functions of the library itself, which NumPy does not have: each has tests of its own.
OTHERWISE = {
    "ArrayAPIStrictFlags": "flags: test_flags.py",
    "Device": "devices: test_devices.py",
    "__array_namespace_info__": "what devices and data types there are: test_devices.py, test_dtypes.py",
    "get_array_api_strict_flags": "flags: test_flags.py",
    "reset_array_api_strict_flags": "flags: test_flags.py",
    "set_array_api_strict_flags": "flags: test_flags.py",
}


def test_the_table_has_every_function():
    public = public_functions()
    assert public == {name for name in TABLE if name in public} | set(OTHERWISE)
    assert not set(TABLE) & set(OTHERWISE)


@pytest.mark.parametrize("name", TABLE)
@SETTINGS
@given(data=st.data())
def test_against_numpy(name, data):
    TABLE[name](Draw(data))
