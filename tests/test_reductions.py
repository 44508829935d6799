"""Statistical and utility functions, argmax, argmin and count_nonzero: along axes, in any layout, of every dtype."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from support import (
    CPU,
    DEFAULT_DTYPES,
    DEVICE_DTYPES,
    DTYPES,
    FLOATING,
    INTEGER,
    MISSING_DTYPES,
    NUMERIC,
    REAL_FLOATING,
    REAL_NUMERIC,
    SIGNED,
    UNSIGNED,
    assert_same,
    device,
    dtype,
    dtype_name,
    err,
    flags,
    from_np,
    own,
    sample,
    to_np,
)

import strictarray as xp


def bits(x):
    a = to_np(x)
    return a.dtype, a.shape, np.ascontiguousarray(a).tobytes()


def axes_of(ndim):
    """None, every axis counted from either end, every tuple of different axes."""
    tuples = [t for k in range(ndim + 1) for t in itertools.permutations(range(ndim), k)]
    negative = [tuple(i - ndim for i in t) for t in tuples if t]
    return [None, *range(-ndim, ndim), *tuples, *negative]


# {name: (function, NumPy's, the dtypes it takes)}
REDUCTIONS = {
    "sum": (xp.sum, np.sum, NUMERIC),
    "prod": (xp.prod, np.prod, NUMERIC),
    "max": (xp.max, np.max, REAL_NUMERIC),
    "min": (xp.min, np.min, REAL_NUMERIC),
    "mean": (xp.mean, np.mean, FLOATING),
    "var": (xp.var, np.var, REAL_FLOATING),
    "std": (xp.std, np.std, REAL_FLOATING),
    "all": (xp.all, np.all, DTYPES),
    "any": (xp.any, np.any, DTYPES),
    "count_nonzero": (xp.count_nonzero, np.count_nonzero, DTYPES),
}
PLACES = {"argmax": (xp.argmax, np.argmax, REAL_NUMERIC), "argmin": (xp.argmin, np.argmin, REAL_NUMERIC)}
CUMULATIVE = {
    "cumulative_sum": (xp.cumulative_sum, np.cumsum, NUMERIC),
    "cumulative_prod": (xp.cumulative_prod, np.cumprod, NUMERIC),
}
ALONG = {**PLACES, **CUMULATIVE, "diff": (xp.diff, np.diff, NUMERIC)}
EVERY = {**REDUCTIONS, **ALONG}


def assert_close(x, expected):
    """The dtype and shape of a NumPy array; equal, or close where the sum is rounded."""
    expected = np.asarray(expected)
    assert dtype_name(x.dtype) == expected.dtype.name
    assert x.shape == expected.shape
    rtol = 1e-5 if expected.dtype in (np.float32, np.complex64) else 1e-13
    np.testing.assert_allclose(to_np(x), expected, rtol=rtol, atol=rtol)


# Values

SHAPES = [(), (1,), (5,), (2, 3), (3, 1, 4), (2, 3, 4)]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_values_along_axes(name, shape, keepdims):
    function, theirs, dtypes = REDUCTIONS[name]
    for dt in dtypes:
        a = sample(dt, shape)
        for axis in axes_of(len(shape)):
            expected = theirs(a, axis=axis, keepdims=keepdims)
            if axis == ():  # count_nonzero of NumPy does not take the empty tuple as such.
                expected = (
                    np.asarray(expected).astype(expected.dtype) if name != "count_nonzero" else (a != 0).astype(int)
                )
            assert_close(function(own(a), axis=axis, keepdims=keepdims), expected)
        if not keepdims:
            assert_close(function(own(a)), theirs(a))


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", PLACES)
def test_places_along_axes(name, shape, keepdims):
    function, theirs, dtypes = PLACES[name]
    for dt in dtypes:
        a = sample(dt, shape)
        for axis in [None, *range(-len(shape), len(shape))]:
            assert_same(
                function(own(a), axis=axis, keepdims=keepdims), np.asarray(theirs(a, axis=axis, keepdims=keepdims))
            )


@pytest.mark.parametrize("shape", [(5,), (2, 3), (3, 1, 4), (2, 3, 4), (0,), (2, 0, 3)])
@pytest.mark.parametrize("name", CUMULATIVE)
def test_cumulative_along_axes(name, shape):
    function, theirs, dtypes = CUMULATIVE[name]
    for dt in dtypes:
        a = sample(dt, shape)
        for axis in range(-len(shape), len(shape)):
            expected = theirs(a, axis=axis)
            assert_same(function(own(a), axis=axis), expected)
            first = np.full_like(expected.take([0] if a.shape[axis] else [], axis=axis), name == "cumulative_prod")
            if not first.size:
                first = np.full(
                    [1 if i == axis % a.ndim else n for i, n in enumerate(shape)], name == "cumulative_prod"
                )
            got = function(own(a), axis=axis, include_initial=True)
            assert_same(got, np.concatenate([first, expected], axis=axis, dtype=expected.dtype))
        if len(shape) == 1:
            assert_same(function(own(a)), theirs(a))


@pytest.mark.parametrize("shape", [(5,), (2, 3), (3, 1, 4), (0,), (2, 0, 3)])
def test_diff_along_axes(shape):
    for dt in NUMERIC:
        a = sample(dt, shape)
        for axis in range(-len(shape), len(shape)):
            for n in (0, 1, 2, 3, 7, 2**70):
                assert_same(xp.diff(own(a), axis=axis, n=n), np.diff(a, axis=axis, n=min(n, 10)))
        assert_same(xp.diff(own(a)), np.diff(a))


def test_diff_of_what_is_put_beside():
    a = sample("int32", (2, 3, 4))
    for axis, size in [(0, 1), (1, 2), (-1, 0), (2, 3)]:
        shape = list(a.shape)
        shape[axis] = size
        b = sample("int32", shape)[..., ::-1]
        for n in (1, 2, 5):
            x = own(a)
            assert_same(xp.diff(x, axis=axis, n=n, prepend=from_np(b)), np.diff(a, axis=axis, n=n, prepend=b))
            assert_same(xp.diff(x, axis=axis, n=n, append=from_np(b)), np.diff(a, axis=axis, n=n, append=b))
            expected = np.diff(a, axis=axis, n=n, prepend=b, append=b)
            assert_same(xp.diff(x, axis=axis, n=n, prepend=own(b), append=own(b)), expected)
        # The size is that of all parts less n, for n = 0 too (where NumPy forgets the other parts).
        whole = np.concatenate([b, a, b], axis=axis)
        assert_same(xp.diff(own(a), axis=axis, n=0, prepend=own(b), append=own(b)), whole)
    x = xp.ones(3)
    y = xp.diff(x, n=0)
    y[0] = 5.0
    assert float(x[0]) == 1.0, "never x itself"


@pytest.mark.parametrize(
    "n", [1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 255, 257, 511, 513, 1000, 4097, 100_003]
)
def test_values_of_many_sizes(n):
    rng = np.random.default_rng(n)
    for dt in DTYPES:
        if dt == "bool":
            a = rng.random(n) < 0.9
        elif dt in INTEGER:
            info = np.iinfo(dt)
            a = rng.integers(info.min, info.max, n, dtype=dt, endpoint=True)
        elif dt in REAL_FLOATING:
            a = rng.uniform(0.5, 1.5, n).astype(dt)
        else:
            a = (rng.uniform(0.5, 1.5, n) + 1j * rng.uniform(-0.1, 0.1, n)).astype(dt)
        x = own(a)
        for name, (function, theirs, dtypes) in EVERY.items():
            if dt not in dtypes or (name in ("prod", "cumulative_prod") and dt in FLOATING and n > 100):
                continue
            expected = np.asarray(theirs(a))
            # NumPy's own sums of float32 are rounded in another order.
            rtol = 2e-5 if expected.dtype in (np.float32, np.complex64) else 1e-11
            got = to_np(function(x))
            assert got.dtype == expected.dtype
            if dt in FLOATING:
                np.testing.assert_allclose(got, expected, rtol=rtol, err_msg=f"{name} {dt}")
            else:
                np.testing.assert_array_equal(got, expected, err_msg=f"{name} {dt}")


# The same bits from every layout

LAYOUTS = {
    "C": lambda a: a.copy(),
    "F": np.asfortranarray,
    "rows backwards": lambda a: a[::-1].copy()[::-1],
    "all backwards": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "F backwards": lambda a: np.asfortranarray(a[::-1])[::-1],
    "columns apart": lambda a: np.repeat(a, 3, axis=1)[:, ::3],
    "rows apart": lambda a: np.repeat(a, 2, axis=0)[1::2],
    "F apart": lambda a: np.asfortranarray(np.repeat(np.repeat(a, 2, axis=0), 3, axis=1))[::2, ::3],
    "offset": lambda a: np.pad(a, 1)[1:-1, 1:-1],
}


def varied(dt, shape, seed=1):
    """Numbers of which no two sums in different orders have the same bits, with some zeros of either sign."""
    rng = np.random.default_rng(seed)
    if dt == "bool":
        return rng.random(shape) < 0.97
    if dt in INTEGER:
        info = np.iinfo(dt)
        return rng.integers(info.min, info.max, shape, dtype=dt, endpoint=True)
    a = rng.standard_normal(shape) * np.exp(rng.uniform(-3, 3, shape))
    a[rng.random(shape) < 0.05] = 0.0
    a[rng.random(shape) < 0.05] *= -1
    return (a + 1j * a[::-1] if dt.startswith("complex") else a).astype(dt)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(4, 6), (33, 70), (300, 7), (7, 300), (130, 1100), (2, 2500)])
@pytest.mark.parametrize("name", EVERY)
def test_layout_makes_no_difference(name, shape, layout):
    function, _, dtypes = EVERY[name]
    for dt in dtypes:
        a = varied(dt, shape)
        x, plain = from_np(LAYOUTS[layout](a)), own(a)
        np.testing.assert_array_equal(to_np(x), a)
        for axis in (0, 1) if name in ALONG else (None, 0, 1, ()):
            assert bits(function(x, axis=axis)) == bits(function(plain, axis=axis)), (dt, axis)


@pytest.mark.parametrize("name", EVERY)
def test_a_stride_of_0_makes_no_difference(name):
    function, _, dtypes = EVERY[name]
    for dt in dtypes:
        a = varied(dt, (40, 50))
        for b in (
            np.broadcast_to(a[0], (300, 50)),
            np.broadcast_to(a[:, :1], (40, 300)),
            np.broadcast_to(a[1, 1], (20, 30)),
        ):
            for axis in (0, 1):
                assert bits(function(from_np(b), axis=axis)) == bits(function(own(b), axis=axis)), (dt, axis)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_order_of_axes_makes_no_difference(name):
    """The elements come together in C order of the reduced axes, whatever lies between or beside these."""
    function, _, dtypes = REDUCTIONS[name]
    for dt in dtypes:
        a = varied(dt, (5, 40, 3, 30))
        for axes in [(1, 3), (3, 1), (-1, -3), (0, 1, 2), (0, 3), (1, 2), (0, 1, 2, 3)]:
            plain = bits(function(own(a), axis=axes))
            assert bits(function(from_np(np.asfortranarray(a)), axis=axes)) == plain
            kept = [i for i in range(4) if i not in {j % 4 for j in axes}]
            reduced = [i for i in range(4) if i not in kept]
            # The same elements as rows of one axis.
            flat = a.transpose(kept + reduced).reshape([a.shape[i] for i in kept] + [-1])
            assert bits(function(own(flat), axis=-1)) == plain


@pytest.mark.parametrize(
    "name", ["max", "min", "sum", "prod", "mean", "var", "std", "cumulative_sum", "argmax", "argmin"]
)
def test_nan_makes_no_difference_to_layouts(name):
    function, theirs, _ = EVERY[name]
    a = varied("float64", (70, 90))
    a[3, 4], a[50, 60] = np.nan, -np.nan
    a[6, 7], a[8, 9] = np.inf, -np.inf
    for layout, build in LAYOUTS.items():
        x = from_np(build(a))
        for axis in (0, 1):
            got = function(x, axis=axis)
            assert bits(got) == bits(function(own(a), axis=axis)), layout
            np.testing.assert_array_equal(np.isnan(to_np(got)), np.isnan(theirs(a, axis=axis) + 0.0))


# Accuracy


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_sums_are_as_exact_as_pairwise_ones(dt):
    rng = np.random.default_rng(7)
    eps = float(np.finfo(dt).eps) / 2
    for n in (10, 1000, 300_000):
        a = (rng.standard_normal(n) * np.exp(rng.uniform(-5, 5, n))).astype(dt)
        exact = math.fsum(a.tolist())
        scale = math.fsum(np.abs(a).tolist())
        # 7 sums in a lane of a block, 5 to join the lanes, one for each doubling of the blocks.
        depth = 7 + 5 + math.ceil(math.log2(n / 128 + 1))
        for x in (own(a), own(np.repeat(a, 2))[::2]):
            assert abs(float(xp.sum(x)) - exact) <= depth * eps * scale
            assert abs(float(xp.mean(x)) - exact / n) <= (depth * 2.0**-53 * scale + 2 * eps * abs(exact)) / n
        columns = own(np.stack([a, a[::-1]], axis=1))
        for got in np.asarray(xp.sum(columns, axis=0)).tolist():
            assert abs(got - exact) <= depth * eps * scale


@pytest.mark.parametrize("dt", REAL_FLOATING)
@pytest.mark.parametrize("shift", [0.0, 1.0, 1e3, 1e6])
def test_variance_is_sound_far_from_zero(dt, shift):
    rng = np.random.default_rng(11)
    a = (rng.standard_normal(3000) + shift).astype(dt)
    values = [Fraction(v) for v in a.tolist()]
    mean = sum(values) / len(values)
    for correction in (0, 1, 2.5):
        exact = float(sum((v - mean) ** 2 for v in values) / (len(values) - Fraction(correction)))
        eps = float(np.finfo(dt).eps)
        assert float(xp.var(own(a), correction=correction)) == pytest.approx(exact, rel=20 * 2.0**-52 + eps)
        assert float(xp.std(own(a), correction=correction)) == pytest.approx(math.sqrt(exact), rel=20 * 2.0**-52 + eps)


def test_float32_variance_does_not_overflow_early():
    x = xp.asarray([1e30, -1e30], dtype=xp.float32)
    assert float(xp.std(x)) == pytest.approx(1e30, rel=1e-6)
    assert float(xp.var(x)) == math.inf
    assert float(xp.mean(xp.asarray([3e38, 3e38], dtype=xp.float32))) == pytest.approx(3e38, rel=1e-6)


# Special values


def test_no_elements():
    for dt in NUMERIC:
        x = own(np.zeros((0, 3), dtype=dt))
        for axis in (None, 0):
            shape = () if axis is None else (3,)
            total = np.sum(np.zeros((0, 3), dtype=dt)).dtype
            assert_same(xp.sum(x, axis=axis), np.zeros(shape, dtype=total))
            assert_same(xp.prod(x, axis=axis), np.ones(shape, dtype=total))
            assert_same(xp.count_nonzero(x, axis=axis), np.zeros(shape, dtype=np.int64))
            assert_same(xp.all(x, axis=axis), np.ones(shape, dtype=bool))
            assert_same(xp.any(x, axis=axis), np.zeros(shape, dtype=bool))
            if dt in FLOATING:
                nan = complex(math.nan, math.nan) if dt.startswith("complex") else math.nan
                assert_same(xp.mean(x, axis=axis), np.full(shape, nan, dtype=dt))
            if dt in REAL_FLOATING:
                assert_same(xp.var(x, axis=axis), np.full(shape, np.nan, dtype=dt))
                assert_same(xp.std(x, axis=axis), np.full(shape, np.nan, dtype=dt))
        for function in (xp.sum, xp.prod, xp.count_nonzero, xp.all, xp.any):
            assert function(x, axis=1).shape == (0,)
            assert function(x, axis=1, keepdims=True).shape == (0, 1)
    for name in ("max", "min", "argmax", "argmin"):
        function = EVERY[name][0]
        for axis, shape in [(None, (0,)), (0, (0, 3)), (1, (3, 0)), (0, (0, 0))]:
            with pytest.raises(ValueError, match="at least one element") as e:
                function(xp.zeros(shape), axis=axis)
            assert e.value.argument == "x"
            assert e.value.rule == "empty-reduction"
        assert function(xp.zeros((0, 3)), axis=1).shape == (0,)


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_nan_propagates(dt):
    for n in (1, 2, 17, 300, 5000):
        for place in {0, n // 2, n - 1}:
            a = sample(dt, (n,))
            a[place] = np.nan
            x = own(a)
            for function in (xp.max, xp.min, xp.sum, xp.prod, xp.mean, xp.var, xp.std):
                assert math.isnan(float(function(x)))
            assert int(xp.argmax(x)) == int(xp.argmin(x)) == place
            y = own(np.stack([sample(dt, (n,)), a, a], axis=1))
            for function in (xp.max, xp.min, xp.sum, xp.mean, xp.std):
                assert to_np(xp.isnan(function(y, axis=0))).tolist() == [False, True, True]
    two = xp.asarray([1.0, math.nan, 5.0, math.nan], dtype=dtype(dt))
    assert int(xp.argmax(two)) == int(xp.argmin(two)) == 1


def test_complex_nans_stay_in_their_parts():
    for dt in ("complex64", "complex128"):
        x = xp.asarray([complex(math.nan, 1.0), complex(2.0, 3.0)], dtype=dtype(dt))
        for function, imag in [(xp.sum, 4.0), (xp.mean, 2.0)]:
            got = complex(function(x))
            assert math.isnan(got.real)
            assert got.imag == imag
        # What comes alone comes as it is: inf is not multiplied by an initial 1.
        one = xp.asarray([complex(math.inf, 0.0)], dtype=dtype(dt))
        assert complex(xp.prod(one)) == complex(xp.sum(one)) == complex(math.inf, 0.0)


@pytest.mark.parametrize("dt", FLOATING)
@pytest.mark.parametrize("n", [0, 1, 2, 7, 100, 5000])
def test_sums_begin_at_positive_zero(n, dt):
    """As NumPy's do, whatever the axis and the layout."""
    zero = complex(-0.0, -0.0) if dt.startswith("complex") else -0.0
    a = np.full((n, 3), zero, dtype=dt)
    for x in (xp.asarray(a), xp.asarray(np.asfortranarray(a)), xp.asarray(np.repeat(a, 2, axis=1))[:, ::2]):
        for function, reference in ((xp.sum, np.sum), *([(xp.mean, np.mean)] if n else [])):
            for axis in (None, 0, 1, (0, 1)):
                got, expected = to_np(function(x, axis=axis)), reference(a, axis=axis)
                for part, wanted in ((got.real, expected.real), (got.imag, expected.imag)):
                    assert np.array_equal(np.signbit(part), np.signbit(wanted)), (function, axis)
    for values in ([complex(-0.0, 1.0)], [complex(2.0, -0.0)], [complex(-3.0, -0.0), complex(1.0, -0.0)]):
        b = np.array(values, dtype=dt) if dt.startswith("complex") else np.array([z.real for z in values], dtype=dt)
        got, expected = to_np(xp.sum(xp.asarray(b))), np.sum(b)
        assert got == expected and np.signbit(got.real) == np.signbit(expected.real)
        assert np.signbit(got.imag) == np.signbit(expected.imag)


def test_infinities_and_zeros():
    inf = math.inf
    assert math.isnan(float(xp.sum(xp.asarray([inf, -inf]))))
    assert float(xp.sum(xp.asarray([inf, 1.0]))) == inf
    assert math.isnan(float(xp.prod(xp.asarray([inf, 0.0]))))
    assert float(xp.max(xp.asarray([-inf, -inf]))) == -inf
    assert float(xp.min(xp.asarray([inf, inf]))) == inf
    for n in (1, 2, 40, 700):
        zeros = xp.asarray(np.full(n, -0.0))
        for x in (xp.max(zeros), xp.min(zeros)):
            assert math.copysign(1.0, float(x)) == -1.0
        assert to_np(xp.all(xp.asarray([math.nan, inf, -inf, 5e-324]))) == np.True_
        assert not bool(xp.any(zeros))
    for z, truth in [(0j, False), (1j, True), (complex(-0.0, -0.0), False), (complex(0.0, math.nan), True)]:
        x = xp.asarray([z])
        assert bool(xp.any(x)) is bool(xp.all(x)) is truth
        assert int(xp.count_nonzero(x)) == truth


def test_ties_are_the_first():
    for dt in REAL_NUMERIC:
        for n in (2, 30, 600, 2000):
            a = np.full(n, 3, dtype=dt)
            assert int(xp.argmax(own(a))) == int(xp.argmin(own(a))) == 0
            a[n // 2] = a[n - 1] = 5
            assert int(xp.argmax(own(a))) == n // 2
            a[n // 2] = a[n - 1] = 1
            assert int(xp.argmin(own(a))) == n // 2
    zeros = xp.asarray([0.0, -0.0, 0.0])
    assert int(xp.argmax(zeros)) == int(xp.argmin(zeros)) == 0


@pytest.mark.parametrize("dt", REAL_NUMERIC)
def test_a_place_is_found_wherever_it_is(dt):
    for n in (1, 7, 8, 31, 33, 130, 300):
        a = np.full(n, 3, dtype=dt)
        for place in range(n):
            a[place] = 5
            assert int(xp.argmax(own(a))) == place
            a[place] = 1
            assert int(xp.argmin(own(a))) == place
            a[place] = 3


@pytest.mark.parametrize("dt", DTYPES)
def test_one_element_answers_for_its_column_only(dt):
    for rows, columns in [(1, 16), (3, 1), (5, 40), (8, 2100)]:
        for row in range(rows):
            for column in {0, 1 % columns, columns // 2, columns - 1}:
                for function, usual in ((xp.any, 0), (xp.all, 1)):
                    a = np.full((rows, columns), usual, dtype=dt)
                    a[row, column] = 1 - usual
                    want = np.full(columns, usual, dtype=bool)
                    want[column] = not usual
                    assert_same(function(own(a), axis=0), want)


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_extremes_tell_zeros_apart_and_find_every_nan(dt):
    """Wherever they stand: the positive zero is the larger, whatever way along the axis is taken."""
    for n in (2, 5, 9, 31, 64, 300):
        for place in {0, 1, n // 2, n - 1}:
            for zero, function in ((0.0, xp.max), (-0.0, xp.min)):
                # Nothing but zeros of the other sign, and numbers that are not in question.
                a = np.full(n, -zero, dtype=dt)
                a[(place + 1) % n] = -5 if function is xp.max else 5
                a[place] = zero
                nan = a.copy()
                nan[place] = np.nan
                for build in (own, lambda a: own(np.repeat(a, 2))[::2], lambda a: own(a[::-1].copy())[::-1]):
                    assert np.signbit(to_np(function(build(a)))) == np.signbit(zero)
                    assert np.isnan(to_np(function(build(nan))))
                    assert int(xp.argmax(build(nan))) == int(xp.argmin(build(nan))) == place
                for columns in (1, 3, 8, 70):
                    wide = np.repeat(a[:, None], columns, axis=1)
                    wide[:, -1] = nan
                    for x in (own(wide), own(np.asfortranarray(wide)), own(np.repeat(wide, 2, axis=1))[:, ::2]):
                        got = to_np(function(x, axis=0))
                        assert np.isnan(got[-1]) and (np.signbit(got[:-1]) == np.signbit(zero)).all()


def test_integers_wrap_and_extremes_are_found():
    for dt in INTEGER:
        info = np.iinfo(dt)
        x = own(np.array([info.max, 1, info.min, 0], dtype=dt))
        assert int(xp.max(x)) == info.max
        assert int(xp.min(x)) == info.min
        assert int(xp.argmax(x)) == 0
        expected = np.cumsum(np.array([info.max, 1], dtype=dt), dtype=dt)
        assert_same(xp.cumulative_sum(x[:2], dtype=dtype(dt)), expected)
        assert_same(xp.sum(x[:2], dtype=dtype(dt)), expected[-1])


# Data types


@pytest.mark.parametrize(("dev", "dt"), DEVICE_DTYPES)
def test_result_dtypes_follow_the_device(dev, dt):
    defaults = DEFAULT_DTYPES[dev]
    x = own(sample(dt, (2, 3)), dev)
    wide = int(defaults["integral"][3:])
    total = dt
    if dt in SIGNED and int(dt[3:]) < wide:
        total = defaults["integral"]
    if dt in UNSIGNED and int(dt[4:]) < wide:
        total = f"uint{wide}"
    for name, (function, _, dtypes) in EVERY.items():
        if dt not in dtypes:
            continue
        y = function(x, axis=1)
        assert y.device == device(dev)
        expected = dt
        if name in ("sum", "prod", "cumulative_sum", "cumulative_prod"):
            expected = total
        elif name in ("argmax", "argmin", "count_nonzero"):
            expected = defaults["integral"]
        elif name in ("all", "any"):
            expected = "bool"
        assert dtype_name(y.dtype) == expected, name


ACCUMULATING = ("sum", "prod", "cumulative_sum", "cumulative_prod")


@pytest.mark.parametrize("name", ACCUMULATING)
def test_dtype_argument(name):
    function, theirs, _ = EVERY[name]
    kinds = {"i": 0, "u": 0, "f": 1, "c": 2}
    for dt, to in itertools.product(NUMERIC, NUMERIC):
        a = sample(dt, (2, 3))
        if kinds[np.dtype(to).kind] < kinds[np.dtype(dt).kind]:
            with pytest.raises(TypeError) as e:
                function(own(a), axis=0, dtype=dtype(to))
            assert e.value.rule == "lossy-dtype"
            assert e.value.argument == "dtype"
            continue
        expected = theirs(a.astype(to), axis=0, dtype=to)
        assert_same(function(own(a), axis=0, dtype=dtype(to)), expected)
        assert_same(
            function(from_np(a[::-1, ::-1]), axis=1, dtype=dtype(to)),
            theirs(a[::-1, ::-1].astype(to), axis=1, dtype=to),
        )
    with pytest.raises(TypeError, match="numeric"):
        function(xp.ones(3), dtype=xp.bool)
    for dev, missing in MISSING_DTYPES.items():
        for to in missing:
            if to in INTEGER:
                with pytest.raises(ValueError, match="does not support"):
                    function(xp.ones(3, dtype=xp.int8, device=device(dev)), dtype=dtype(to))


@pytest.mark.parametrize("name", ["var", "std"])
def test_correction(name):
    function, theirs, _ = EVERY[name]
    a = sample("float64", (5, 3))
    for correction in (0, 1, 0.5, 4, -2, 4.999):
        assert_close(function(own(a), axis=0, correction=correction), theirs(a, axis=0, ddof=correction))
    for correction in (5, 5.0, 6, 1e300, math.inf, math.nan, 10**400):
        if correction == 10**400:
            with pytest.raises(OverflowError):
                function(own(a), axis=0, correction=correction)
            continue
        assert np.isnan(to_np(function(own(a), axis=0, correction=correction))).all()
    for bad in (True, 1j, np.float64(1), np.int64(1), "1", None, xp.asarray(1.0)):
        with pytest.raises(TypeError) as e:
            function(own(a), correction=bad)
        assert e.value.argument == "correction"


# Refusals: every function, every argument


class IntLike:
    def __index__(self):
        return 0


NOT_INTS = [True, 0.0, np.int64(0), xp.asarray(0), IntLike(), "0"]


@pytest.mark.parametrize("name", EVERY)
def test_refused_axes(name):
    function, _, dtypes = EVERY[name]
    x = own(sample(dtypes[-1], (2, 3)))
    bad = [*NOT_INTS, [0], [0, 1], {0}, range(2), np.array([0])]
    if name in REDUCTIONS:
        bad += [(0, True), (0, 1.0), (np.int64(0),), ((0,),), (0, None)]
    else:
        bad += [(0,), (0, 1)]
    if name == "diff":
        bad.append(None)
    for axis in bad:
        with pytest.raises(TypeError) as e:
            function(x, axis=axis)
        assert e.value.argument == "axis", axis
        assert "axis" in err(e)
    for axis in (2, -3, 2**70, -(2**70)):
        for error in (IndexError, ValueError):
            with pytest.raises(error) as e:
                function(x, axis=axis)
            assert (e.value.rule, e.value.argument) == ("axis", "axis")
        if name in REDUCTIONS:
            with pytest.raises(IndexError):
                function(x, axis=(0, axis))
    if name in REDUCTIONS:
        for axis in [(0, 0), (1, -1), (0, 1, -2)]:
            with pytest.raises(ValueError, match="once") as e:
                function(x, axis=axis)
            assert (e.value.rule, e.value.argument) == ("axis-repeated", "axis")
    for axis in (0, -1):
        with pytest.raises(ValueError):
            function(own(sample(dtypes[-1], ())), axis=axis)


@pytest.mark.parametrize("name", EVERY)
def test_refused_arrays_and_arguments(name):
    function, _, dtypes = EVERY[name]
    for bad in (1.0, [1.0], (1.0,), None, np.ones(3), np.float64(1), "x"):
        with pytest.raises(TypeError) as e:
            function(bad)
        assert (e.value.rule, e.value.argument) == ("not-an-array", "x")
    for dt in set(DTYPES) - set(dtypes):
        with pytest.raises(TypeError, match="Only") as e:
            function(own(sample(dt, (3,))))
        assert (e.value.rule, e.value.argument) == ("dtype-kind", "x")
    x = own(sample(dtypes[-1], (3,)))
    for keyword in ("keepdims", "include_initial"):
        takes = keyword in str(function.__text_signature__)
        for bad in (0, 1, None, np.True_, "True", xp.asarray(True)):
            with pytest.raises(TypeError) as e:
                function(x, **{keyword: bad})
            if takes:
                assert e.value.argument == keyword
    with pytest.raises(TypeError):
        function(x, 0)
    with pytest.raises(TypeError):
        function(x=x)
    with pytest.raises(TypeError):
        function(x, out=x)


@pytest.mark.parametrize("name", ACCUMULATING)
def test_refused_dtypes(name):
    function = EVERY[name][0]
    for bad in (np.float64, float, "float64", np.dtype("float64")):
        with pytest.raises(TypeError) as e:
            function(xp.ones(3), dtype=bad)
        assert e.value.argument == "dtype"


@pytest.mark.parametrize("name", CUMULATIVE)
def test_cumulative_needs_an_axis(name):
    function = CUMULATIVE[name][0]
    for shape in [(2, 3), (1, 5), (1, 1, 1)]:
        for arguments in ({}, {"axis": None}):
            with pytest.raises(ValueError, match="axis") as e:
                function(xp.ones(shape), **arguments)
            assert (e.value.rule, e.value.argument) == ("axis-required", "axis")
    for arguments in ({}, {"axis": None}, {"axis": 0}, {"axis": -1}):
        with pytest.raises(ValueError, match="0-d"):
            function(xp.ones(()), **arguments)


def test_refused_arguments_of_diff():
    x = xp.ones((2, 3))
    for bad in (True, 1.0, np.int64(1), None, xp.asarray(1)):
        with pytest.raises(TypeError) as e:
            xp.diff(x, n=bad)
        assert e.value.argument == "n"
    with pytest.raises(ValueError, match="negative") as e:
        xp.diff(x, n=-1)
    assert e.value.argument == "n"
    with pytest.raises(ValueError):
        xp.diff(xp.ones(()))
    for name in ("prepend", "append"):
        for bad, error in [
            (1.0, TypeError),
            ([1.0], TypeError),
            (np.ones((2, 1)), TypeError),
            (xp.ones((2, 1), dtype=xp.float32), TypeError),
            (xp.ones((2, 1), dtype=xp.int64), TypeError),
            (xp.ones((2, 1), device=device("device1")), ValueError),
            (xp.ones((3, 1)), ValueError),
            (xp.ones((2,)), ValueError),
            (xp.ones(()), ValueError),
            (xp.ones((1, 2, 1)), ValueError),
        ]:
            with pytest.raises(error) as e:
                xp.diff(x, **{name: bad})
            assert e.value.argument == name
        xp.diff(x, **{name: None})


# Versions

SINCE = {"cumulative_sum": "2023.12", "cumulative_prod": "2024.12", "diff": "2024.12", "count_nonzero": "2024.12"}
COMPLEX_SINCE = {"mean": "2024.12"}
VERSIONS = ["2021.12", "2022.12", "2023.12", "2024.12", "2025.12", "2026.12"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", EVERY)
def test_versions(name, version):
    function, _, dtypes = EVERY[name]
    x, z = own(sample("float64", (3,))), own(sample("complex128", (3,)))
    with flags(api_version=version):
        if version < SINCE.get(name, ""):
            assert not hasattr(xp, name)
            with pytest.raises(AttributeError, match=SINCE[name]):
                function(x)
            return
        function(x)
        if "complex128" not in dtypes:
            return
        if version < COMPLEX_SINCE.get(name, "2022.12"):
            with pytest.raises(TypeError) as e:
                function(z)
            assert (e.value.rule, e.value.argument) == ("later-behaviour", "x")
        else:
            function(z)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("dev", "dt"), [(dev, dt) for dev, dt in DEVICE_DTYPES if dt in FLOATING])
@pytest.mark.parametrize("name", ["sum", "prod"])
def test_sums_of_floats_had_the_default_dtype(name, dev, dt):
    function = EVERY[name][0]
    x = own(sample(dt, (3,)), dev)
    kind = "complex floating" if dt.startswith("complex") else "real floating"
    default = DEFAULT_DTYPES[dev][kind]
    wider = default if np.dtype(default).itemsize > np.dtype(dt).itemsize else dt
    for version in VERSIONS:
        with flags(api_version=version):
            if version == "2021.12" and dt.startswith("complex"):
                continue
            expected = wider if version < "2023.12" else dt
            y = function(x)
            assert dtype_name(y.dtype) == expected
            np.testing.assert_allclose(to_np(y), getattr(np, name)(sample(dt, (3,)), dtype=expected), rtol=1e-6)
            assert dtype_name(function(x, dtype=dtype(dt)).dtype) == dt


# Devices, namespaces, what else may happen


@pytest.mark.parametrize("name", EVERY)
def test_every_device(name, device_name):
    function, theirs, dtypes = EVERY[name]
    for dt in dtypes:
        if dt in MISSING_DTYPES[device_name]:
            continue
        a = sample(dt, (3, 4))
        got = function(own(a, device_name), axis=0)
        assert got.device == device(device_name)
        np.testing.assert_allclose(to_np(got), theirs(a, axis=0), rtol=1e-6)
    assert function(own(sample(dtypes[-1], (3,)))).device == CPU


def test_results_are_apart_from_their_operands():
    x = xp.ones((3, 1))
    for function in (xp.sum, xp.max, xp.min, xp.mean, xp.prod):
        y = function(x, axis=1)
        y[0] = 7.0
        assert float(x[0, 0]) == 1.0
    y = xp.cumulative_sum(x, axis=1)
    y[0, 0] = 7.0
    assert float(x[0, 0]) == 1.0


def test_65_axes_are_too_many_and_64_are_not():
    x = xp.ones((1,) * 63 + (3,))
    assert x.ndim == 64
    assert float(xp.sum(x)) == 3.0
    assert xp.sum(x, axis=tuple(range(64)), keepdims=True).shape == (1,) * 64
    assert xp.max(x, axis=63).shape == (1,) * 63


def test_foreign_bools_of_any_byte_are_true():
    a = np.frombuffer(bytes([0, 1, 2, 255]), dtype=np.uint8).view(np.bool_)
    x = from_np(a)
    assert int(xp.count_nonzero(x)) == 3
    assert bool(xp.any(x[2:]))
    assert bool(xp.all(x[1:]))
    assert not bool(xp.all(x))
    assert to_np(xp.any(xp.asarray(x, copy=True)[:, None], axis=1)).view(np.uint8).tolist() == [0, 1, 1, 1]
