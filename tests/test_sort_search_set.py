"""Sorting, searching and set functions: NumPy's values, stability, NaNs and zeros, refusals, devices, layouts."""

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from support import (
    COMPLEX_FLOATING,
    DEFAULT_DTYPES,
    DEVICE_DTYPES,
    DTYPES,
    INTEGER,
    REAL_FLOATING,
    REAL_NUMERIC,
    assert_same,
    device,
    dtype_name,
    flags,
    from_np,
    own,
    sample,
    to_np,
)

import strictarray as xp

NAN, INF = float("nan"), float("inf")
VALUES = {  # What a small array of a kind may hold; NaNs with a sign and a payload too.
    "real floating": (0.0, -0.0, 1.0, -INF, NAN),
    "integral": (0, 1, 5, 100),
    "signed": (0, -1, 5, -128),
}
# Sizes on both sides of every change of algorithm.
SIZES = (0, 1, 2, 15, 16, 17, 64, 255, 256, 257, 1000, 8192, 8193, 40_000)


def index_name(dev):
    """The default data type of indices of a device."""
    return DEFAULT_DTYPES[dev]["integral"]


def random(dt, n, seed, kind="wide"):
    """Random numbers of a data type: over all its range, or of few values."""
    rng = np.random.default_rng([seed, n])
    if dt == "bool":
        return rng.integers(0, 2, n).astype(bool)
    if dt in REAL_FLOATING:
        x = rng.standard_normal(n) * 10.0 ** rng.integers(-30, 30, n) if kind == "wide" else rng.integers(-3, 3, n) / 2
        x = np.where(rng.random(n) < 0.1, rng.choice([0.0, -0.0, NAN, -NAN, INF, -INF], n), x)
        return x.astype(dt)
    if dt in COMPLEX_FLOATING:
        part = REAL_FLOATING[COMPLEX_FLOATING.index(dt)]
        x = np.empty(n, dt)
        x.real, x.imag = random(part, n, seed, "few"), random(part, n, seed + 1, "few")
        return x
    info = np.iinfo(dt)
    low, high = (info.min, info.max) if kind == "wide" else (max(info.min, -4), 5)
    return rng.integers(low, high, n, dtype=dt, endpoint=True)


def reference_argsort(a, axis=-1, descending=False):
    """The stable order: NaNs count as the greatest."""
    if not descending:
        return np.argsort(a, axis=axis, kind="stable")
    n = a.shape[axis]
    return n - 1 - np.flip(np.argsort(np.flip(a, axis), axis=axis, kind="stable"), axis)


def reference_unique(a):
    """Values, first places, inverse and counts by the standard's words: value equality, in ascending order."""
    flat = a.ravel()
    found, first, counts, inverse = {}, [], [], np.empty(flat.size, np.int64)
    for i, value in enumerate(flat.tolist()):
        if value == value and value in found:
            j = found[value]
            counts[j] += 1
        else:
            j = len(first)
            if value == value:
                found[value] = j
            first.append(i)
            counts.append(1)
        inverse[i] = j
    order = np.argsort(flat[first], kind="stable") if first else np.zeros(0, np.int64)
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    first, counts = np.asarray(first, np.int64), np.asarray(counts, np.int64)
    return flat[first[order]], first[order], place[inverse].reshape(a.shape), counts[order]


def bits_equal(x, expected):
    """Every bit, signs of zeros and payloads of NaNs included."""
    got = to_np(x)
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    assert got.tobytes() == np.ascontiguousarray(expected).tobytes()


# ---- sort and argsort ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stable", [True, False])
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("kind", ["wide", "few"])
@pytest.mark.parametrize("dt", REAL_NUMERIC)
def test_sort_and_argsort_of_every_size(dt, kind, descending, stable):
    for n in SIZES:
        a = random(dt, n, 1, kind)
        x = own(a)
        order = reference_argsort(a, descending=descending)
        assert_same(xp.argsort(x, descending=descending, stable=stable), order, dt="int64")
        # Equal elements keep their order: so what comes out is exactly what the order says, to the bit.
        bits_equal(xp.sort(x, descending=descending, stable=stable), a[order])


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_every_small_array_of_special_values(dt):
    payload = np.array([0x7F800001], np.uint32).view(np.float32) if dt == "float32" else None
    if payload is None:
        payload = np.array([0x7FF0000000000001], np.uint64).view(np.float64)
    values = np.array([*VALUES["real floating"], -NAN], dt)
    values = np.concatenate([values, payload])
    for n in range(5):
        for pick in itertools.product(range(values.size), repeat=n):
            a = values[list(pick)]
            x = own(a)
            for descending in (False, True):
                order = reference_argsort(a, descending=descending)
                assert to_np(xp.argsort(x, descending=descending)).tolist() == order.tolist()
                assert to_np(xp.sort(x, descending=descending)).tobytes() == a[order].tobytes()


@pytest.mark.parametrize("dt", INTEGER)
def test_every_small_array_of_integers(dt):
    info = np.iinfo(dt)
    for n in range(4):
        for pick in itertools.product([info.min, info.max, 0, 1], repeat=n):
            a = np.array(pick, dt)
            bits_equal(xp.sort(own(a)), np.sort(a))
            bits_equal(xp.sort(own(a), descending=True), np.sort(a)[::-1])
            assert_same(xp.argsort(own(a)), np.argsort(a, kind="stable"), dt="int64")


@pytest.mark.parametrize("pattern", ["ascending", "descending", "equal", "sawtooth", "outlier", "low bits", "two runs"])
@pytest.mark.parametrize("dt", ["int64", "uint32", "float32", "float64"])
@pytest.mark.parametrize("n", [100, 3000, 70_000])
def test_patterns(pattern, dt, n):
    i = np.arange(n)
    a = {
        "ascending": i,
        "descending": i[::-1],
        "equal": np.zeros(n),
        "sawtooth": i % 7,
        # All but one number differ in their lowest bits only.
        "outlier": np.where(i == n // 2, 2**31 - 1, (i * 7919) % 11),
        "low bits": (2**30 + (i * 7919) % 1009),
        "two runs": np.concatenate([i[::2], i[1::2]]),
    }[pattern].astype(dt)
    if pattern == "outlier" and dt in REAL_FLOATING:
        a = (1 + a * np.finfo(dt).eps).astype(dt)
        a[n // 2], a[0] = np.finfo(dt).max, -np.finfo(dt).max
    for descending in (False, True):
        order = reference_argsort(a, descending=descending)
        assert_same(xp.argsort(own(a), descending=descending), order, dt="int64")
        bits_equal(xp.sort(own(a), descending=descending), a[order])


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4), (0, 3), (3, 0), (1, 5, 1), (4, 1, 3, 2)])
@pytest.mark.parametrize("dt", ["int8", "uint64", "float32", "float64"])
def test_axes(shape, dt):
    a = random(dt, int(np.prod(shape)), 3, "few").reshape(shape)
    x = own(a)
    for axis in range(-len(shape), len(shape)):
        for descending in (False, True):
            order = reference_argsort(a, axis, descending)
            assert_same(xp.argsort(x, axis=axis, descending=descending), order, dt="int64")
            bits_equal(xp.sort(x, axis=axis, descending=descending), np.take_along_axis(a, order, axis))
    assert_same(xp.argsort(x), reference_argsort(a), dt="int64")


@pytest.mark.parametrize("function", [xp.sort, xp.argsort])
def test_what_sort_refuses(function):
    x = xp.asarray([3, 1, 2])
    for axis in (1, -2, 10**30):
        with pytest.raises((ValueError, IndexError)) as e:
            function(x, axis=axis)
        assert (e.value.rule, e.value.argument) == ("axis", "axis")
    for zero_d in ({}, {"axis": 0}, {"axis": -1}):
        with pytest.raises((ValueError, IndexError)) as e:
            function(xp.asarray(1), **zero_d)
        assert e.value.rule == "axis"


# ---- searchsorted --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("kind", ["wide", "few"])
@pytest.mark.parametrize("dt", REAL_NUMERIC)
def test_searchsorted(dt, kind, side):
    for n, m in [(0, 3), (1, 0), (1, 40), (2, 5), (7, 17), (100, 33), (1000, 1), (1000, 5000), (5000, 100)]:
        a, v = np.sort(random(dt, n, 5, kind)), random(dt, m, 6, kind)
        for values in (v, np.sort(v), np.sort(v)[::-1].copy()):
            expected = np.searchsorted(a, values, side=side)
            assert_same(xp.searchsorted(own(a), own(values), side=side), expected, dt="int64")
        unsorted = random(dt, n, 7, kind)
        order = np.argsort(unsorted, kind="stable")
        got = xp.searchsorted(own(unsorted), own(v), side=side, sorter=own(order))
        assert_same(got, np.searchsorted(unsorted, v, side=side, sorter=order), dt="int64")


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_searchsorted_is_consistent_with_sort(dt):
    values = np.array([-INF, -1.0, -0.0, 0.0, 2.0, INF, NAN], dt)
    for n in range(4):
        for pick in itertools.combinations_with_replacement(range(values.size), n):
            a = to_np(xp.sort(own(values[list(pick)])))
            for side in ("left", "right"):
                places = to_np(xp.searchsorted(own(a), own(values), side=side))
                for v, i in zip(values, places, strict=True):
                    inserted = np.insert(a, i, v)
                    np.testing.assert_array_equal(to_np(xp.sort(own(inserted))), inserted)
                    assert i == np.searchsorted(a, v, side=side)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 2), (2, 0, 3)])
def test_searchsorted_keeps_the_shape_of_the_values(shape):
    v = sample("float64", shape)
    a = np.sort(sample("float64", (9,)))
    assert_same(xp.searchsorted(own(a), own(v)), np.asarray(np.searchsorted(a, v)), dt="int64", shape=shape)


def test_searchsorted_promotes_and_takes_scalars():
    a = xp.asarray([1, 2, 2, 3], dtype=xp.int8)
    assert_same(xp.searchsorted(a, xp.asarray([2, 200], dtype=xp.uint8), side="right"), np.array([3, 4]))
    f = xp.asarray([1.0, 2.0], dtype=xp.float32)
    assert_same(xp.searchsorted(f, xp.asarray([1.5], dtype=xp.float64)), np.array([1]))
    assert_same(xp.searchsorted(a, 2), np.asarray(1), shape=())
    assert_same(xp.searchsorted(f, 3), np.asarray(2))
    assert_same(xp.searchsorted(f, NAN), np.asarray(2))
    with pytest.raises(OverflowError):
        xp.searchsorted(a, 128)
    for scalar in (1.5, 1j, True):
        with pytest.raises(TypeError) as e:
            xp.searchsorted(a, scalar)
        assert (e.value.rule, e.value.argument) == ("scalar-kind", "x2")
    with pytest.raises(TypeError):
        xp.searchsorted(f, 1j)
    with flags(api_version="2024.12"):
        assert_same(xp.searchsorted(a, xp.asarray(2, dtype=xp.int8)), np.asarray(1))
        with pytest.raises(TypeError) as e:
            xp.searchsorted(a, 2)
        assert (e.value.rule, e.value.argument) == ("later-behaviour", "x2")
    searchsorted = xp.searchsorted
    with flags(api_version="2022.12"):
        assert not hasattr(xp, "searchsorted")
        with pytest.raises(AttributeError) as e:
            searchsorted(a, a)
        assert e.value.rule == "later-name"


def test_what_searchsorted_refuses():
    a = xp.asarray([1.0, 2.0])
    cases = [
        (lambda: xp.searchsorted(xp.zeros((1, 2)), a), ValueError, "exactly-1d", "x1"),
        (lambda: xp.searchsorted(xp.asarray(1.0), a), ValueError, "exactly-1d", "x1"),
        (lambda: xp.searchsorted(a, a, sorter=xp.asarray([0])), ValueError, "sorter-shape", "sorter"),
        (lambda: xp.searchsorted(a, a, sorter=xp.asarray([[0, 1]])), ValueError, "sorter-shape", "sorter"),
        (lambda: xp.searchsorted(a, a, sorter=xp.asarray([0, 2])), ValueError, "sorter-bounds", "sorter"),
        (lambda: xp.searchsorted(a, a, sorter=xp.asarray([0, -1])), ValueError, "sorter-bounds", "sorter"),
        (
            lambda: xp.searchsorted(a, a, sorter=xp.asarray([0, 2**64 - 1], dtype=xp.uint64)),
            ValueError,
            "sorter-bounds",
            "sorter",
        ),
    ]
    for call, error, rule, argument in cases:
        with pytest.raises(error) as e:
            call()
        assert (e.value.rule, e.value.argument) == (rule, argument)


def test_an_unsorted_array_gives_places_inside_it():
    a, v = random("float64", 1000, 1), random("float64", 3000, 2)
    places = to_np(xp.searchsorted(own(a), own(v)))
    assert places.min() >= 0
    assert places.max() <= a.size


# ---- nonzero -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(0,), (1,), (7,), (8,), (9,), (100,), (3, 5), (2, 3, 4), (2, 0, 3), (1, 1, 1, 6)])
@pytest.mark.parametrize("dt", DTYPES)
def test_nonzero(dt, shape):
    for density in (0.0, 0.2, 1.0):
        rng = np.random.default_rng(4)
        a = np.where(rng.random(shape) < density, sample(dt, shape) | True if dt == "bool" else 3, 0).astype(dt)
        got = xp.nonzero(own(a))
        expected = np.nonzero(a)
        assert type(got) is tuple
        assert len(got) == len(expected) == len(shape)
        for g, e in zip(got, expected, strict=True):
            assert_same(g, e, dt="int64")


def test_what_is_nonzero():
    assert_same(xp.nonzero(xp.asarray([0.0, -0.0, NAN, 5e-324]))[0], np.array([2, 3]))
    assert_same(xp.nonzero(xp.asarray([0j, 1j, -0.0 - 0j, complex(0, NAN), 1]))[0], np.array([1, 3, 4]))
    # A foreign boolean may be any byte.
    foreign = np.array([0, 1, 2, 255, 0], np.uint8).view(bool)
    assert_same(xp.nonzero(from_np(foreign))[0], np.array([1, 2, 3]))
    large = np.random.default_rng(1).random(300_000) < 0.5
    assert_same(xp.nonzero(own(large))[0], np.nonzero(large)[0], dt="int64")


def test_what_nonzero_refuses():
    with pytest.raises(ValueError, match="0-d") as e:
        xp.nonzero(xp.asarray(1))
    assert (e.value.rule, e.value.argument) == ("at-least-1d", "x")


# ---- where ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dt", DTYPES)
def test_where(dt):
    shapes = [
        ((3, 4), (3, 4), (3, 4)),
        ((4,), (3, 1), (3, 4)),
        ((3, 1), (), (4,)),
        ((), (2,), (2,)),
        ((0,), (1,), (0,)),
    ]
    for condition, first, second in shapes:
        c, a, b = (
            sample("bool", condition),
            sample(dt, first),
            sample(dt, second)[::-1] if second else sample(dt, second),
        )
        got = xp.where(own(c), own(a), own(b))
        bits_equal(got, np.where(c, a, b))
    c, a, b = sample("bool", (40_000,)), random(dt, 40_000, 1), random(dt, 40_000, 2)
    bits_equal(xp.where(own(c), own(a), own(b)), np.where(c, a, b))
    bits_equal(xp.where(from_np(c[::-1]), from_np(a[::-1]), own(b)), np.where(c[::-1], a[::-1], b))


def test_where_takes_any_byte_for_true():
    c = from_np(np.array([0, 1, 2, 255], np.uint8).view(bool))
    assert_same(xp.where(c, xp.asarray(1), xp.asarray(0)), np.array([0, 1, 1, 1]))


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        ("int8", "uint8", "int16"),
        ("float32", "float64", "float64"),
        ("float64", "complex64", "complex128"),
        ("bool", "bool", "bool"),
        ("int32", 5, "int32"),
        (2.5, "float32", "float32"),
        (3, "float64", "float64"),
        ("float32", 1j, "complex64"),
        (True, "bool", "bool"),
    ],
)
def test_where_promotes(a, b, result):
    c = xp.asarray([True, False])
    first, second = (own(np.ones(2, v)) if isinstance(v, str) else v for v in (a, b))
    got = xp.where(c, first, second)
    expected = np.array([complex(1 if isinstance(a, str) else a), complex(1 if isinstance(b, str) else b)])
    assert_same(got, expected if result.startswith("complex") else expected.real, dt=result)


def test_what_where_refuses():
    c, f = xp.asarray([True, False]), xp.asarray([1.0, 2.0])
    with pytest.raises(ValueError) as e:
        xp.where(c, f, xp.ones(3))
    assert e.value.rule == "broadcast"
    with flags(api_version="2023.12"):
        assert_same(xp.where(c, f, f), np.array([1.0, 2.0]))
        for call, argument in [(lambda: xp.where(c, f, 1.0), "x2"), (lambda: xp.where(c, 1.0, f), "x1")]:
            with pytest.raises(TypeError) as e:
                call()
            assert (e.value.rule, e.value.argument) == ("later-behaviour", argument)


# ---- unique --------------------------------------------------------------------------------------------------------


def check_unique(a, dev="CPU_DEVICE"):
    x = own(a, dev)
    values, first, inverse, counts = reference_unique(a)
    index = index_name(dev)
    got = xp.unique_all(x)
    assert got._fields == ("values", "indices", "inverse_indices", "counts")
    bits_equal(got.values, values)
    assert_same(got.indices, first, dt=index)
    assert_same(got.inverse_indices, inverse, dt=index, shape=a.shape)
    assert_same(got.counts, counts, dt=index)
    bits_equal(xp.unique_values(x), values)
    got = xp.unique_counts(x)
    assert got._fields == ("values", "counts")
    bits_equal(got.values, values)
    assert_same(got.counts, counts, dt=index)
    got = xp.unique_inverse(x)
    assert got._fields == ("values", "inverse_indices")
    bits_equal(got.values, values)
    assert_same(got.inverse_indices, inverse, dt=index, shape=a.shape)


@pytest.mark.parametrize("kind", ["wide", "few"])
@pytest.mark.parametrize("dt", DTYPES)
def test_unique_of_every_size(dt, kind):
    for n in (0, 1, 2, 17, 256, 257, 1000, 9000):
        check_unique(random(dt, n, 8, kind))
    check_unique(random(dt, 24, 9, kind).reshape(2, 3, 4))
    check_unique(random(dt, 1, 9, kind).reshape(()))
    check_unique(random(dt, 0, 9, kind).reshape(2, 0, 3))


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_unique_of_every_small_array(dt):
    values = np.array([*VALUES["real floating"], -NAN], dt)
    for n in range(5):
        for pick in itertools.product(range(values.size), repeat=n):
            check_unique(values[list(pick)])


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
def test_unique_of_every_small_complex_array(dt):
    values = np.array([0, complex(-0.0, 0), complex(0, -0.0), 1, 1j, complex(NAN, 0), complex(0, NAN)], dt)
    for n in range(4):
        for pick in itertools.product(range(values.size), repeat=n):
            check_unique(values[list(pick)])


@pytest.mark.parametrize("name", ["unique_all", "unique_counts", "unique_inverse"])
def test_named_tuples(name):
    x = xp.asarray([2, 1, 2])
    result = getattr(xp, name)(x)
    kind = type(result)
    assert isinstance(result, tuple)
    assert kind is type(getattr(xp, name)(x))
    assert kind.__name__ == "".join(word.title() for word in name.split("_")) + "Result"
    copy = pickle.loads(pickle.dumps(result))
    assert type(copy) is kind
    for a, b in zip(result, copy, strict=True):
        assert_same(a, to_np(b))
    assert copy.values is copy[0]


UNIQUE = (xp.unique_all, xp.unique_counts, xp.unique_inverse, xp.unique_values)


@pytest.mark.parametrize("function", [*UNIQUE, xp.nonzero])
def test_data_dependent_shapes(function):
    with flags(data_dependent_shapes=False):
        with pytest.raises(RuntimeError) as e:
            function(xp.asarray([1, 2]))
        assert e.value.rule == "flag-off"
        # Sorting and choosing have shapes that are known.
        xp.sort(xp.asarray([1, 2]))
        xp.where(xp.asarray([True]), xp.asarray([1]), 2)
        xp.isin(xp.asarray([1]), 2)
    function(xp.asarray([1, 2]))


@pytest.mark.parametrize("function", [*UNIQUE, xp.nonzero])
def test_complex_numbers_came_with_2022(function):
    z = xp.asarray([1j])
    with flags(api_version="2022.12"):
        function(z)
    with flags(api_version="2021.12"):
        with pytest.raises(TypeError) as e:
            function(z)
        assert (e.value.rule, e.value.argument) == ("later-behaviour", "x")
        function(xp.asarray([1.0]))


# ---- isin ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["wide", "few"])
@pytest.mark.parametrize("dt", INTEGER)
def test_isin(dt, kind):
    for n, m in [(0, 0), (0, 5), (5, 0), (1, 1), (100, 3), (100, 8), (100, 9), (1000, 300), (3, 5000), (5000, 3000)]:
        a, b = random(dt, n, 1, kind), random(dt, m, 2, kind)
        b[: m // 2] = np.resize(a, m // 2) if n else b[: m // 2]
        for invert in (False, True):
            assert_same(xp.isin(own(a), own(b), invert=invert), np.isin(a, b, invert=invert))
    a = random(dt, 24, 3, kind).reshape(2, 3, 4)
    assert_same(xp.isin(own(a), own(a[0])), np.isin(a, a[0]))
    assert_same(xp.isin(own(a[0, 0, 0]), own(a)), np.asarray(True), shape=())


def test_isin_compares_values_over_dtypes_and_takes_ints():
    a = xp.asarray([-1, 1, 127], dtype=xp.int8)
    assert_same(xp.isin(a, xp.asarray([255, 1], dtype=xp.uint8)), np.array([False, True, False]))
    assert_same(xp.isin(xp.asarray([255, 1], dtype=xp.uint8), a), np.array([False, True]))
    assert_same(xp.isin(a, 1), np.array([False, True, False]))
    assert_same(xp.isin(1, a), np.asarray(True), shape=())
    assert_same(xp.isin(1, a, invert=True), np.asarray(False), shape=())
    assert_same(xp.isin(2, xp.zeros((0,), dtype=xp.int8)), np.asarray(False), shape=())
    wide = xp.asarray([0, 2**63 - 1, 5], dtype=xp.int64)
    assert_same(xp.isin(wide, xp.asarray([-(2**63), 2**63 - 1] * 8, dtype=xp.int64)), np.array([False, True, False]))


def test_isin_came_in_2025():
    i = xp.asarray([1, 2])
    isin = xp.isin
    with flags(api_version="2024.12"):
        assert not hasattr(xp, "isin")
        with pytest.raises(AttributeError) as e:
            isin(i, i)
        assert e.value.rule == "later-name"


# ---- devices, layouts, properties ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("dev", "dt"), DEVICE_DTYPES)
def test_results_are_on_the_device_and_indices_in_its_dtype(dev, dt):
    a = sample(dt, (3, 4))
    x = own(a, dev)
    index = index_name(dev)
    results = [
        xp.nonzero(x)[1],
        xp.unique_all(x).indices,
        xp.unique_inverse(x).inverse_indices,
        xp.unique_counts(x).counts,
    ]
    if dt in REAL_NUMERIC:
        results += [xp.argsort(x), xp.searchsorted(xp.sort(xp.unique_values(x)), x)]
        assert_same(xp.sort(x, axis=0), np.sort(a, axis=0))
        assert_same(results[-2], np.argsort(a, kind="stable"), dt=index)
        flat = own(a.ravel(), dev)
        sorter = xp.argsort(flat)
        assert_same(
            xp.searchsorted(flat, x, sorter=sorter), np.searchsorted(np.sort(a.ravel()), a), dt=index, shape=a.shape
        )
    for result in results:
        assert dtype_name(result.dtype) == index
        assert result.device == device(dev)
    chosen = xp.where(own(a == a, dev), x, x)
    assert chosen.device == device(dev)
    assert_same(chosen, a)
    if dt in INTEGER:
        found = xp.isin(x, x)
        assert found.device == device(dev)
        assert xp.isin(1, x).device == device(dev)
    check_unique(a, dev)


def layouts(a):
    """Views of the values of a 2-d array in different layouts."""
    padded = np.zeros((2 * a.shape[0] + 1, 3 * a.shape[1] + 2), a.dtype)
    padded[1::2, 2::3] = a
    return [
        a.copy(),
        np.asfortranarray(a),
        a[::-1, ::-1].copy()[::-1, ::-1],
        np.asfortranarray(a[:, ::-1])[:, ::-1],
        padded[1::2, 2::3],
    ]


FUNCTIONS = {
    "sort": (lambda x: xp.sort(x), REAL_NUMERIC),
    "sort axis 0": (lambda x: xp.sort(x, axis=0, descending=True), REAL_NUMERIC),
    "argsort": (lambda x: xp.argsort(x), REAL_NUMERIC),
    "argsort axis 0": (lambda x: xp.argsort(x, axis=0, descending=True), REAL_NUMERIC),
    "searchsorted": (lambda x: xp.searchsorted(xp.sort(x, axis=0)[:, 0], x), REAL_NUMERIC),
    "searchsorted in a column": (lambda x: xp.searchsorted(x[:, 1], x, sorter=xp.argsort(x[:, 1])), REAL_NUMERIC),
    "nonzero": (xp.nonzero, DTYPES),
    "where": (lambda x: xp.where(x == x, x, x[::-1, :]), DTYPES),
    "where with a scalar": (lambda x: xp.where(x != x, x, True if x.dtype == xp.bool else 1), DTYPES),
    "where with a broadcast": (lambda x: xp.where(x == x[:1, :], x[:, :1], x[1, :]), DTYPES),
    "unique_all": (xp.unique_all, DTYPES),
    "unique_values": (xp.unique_values, DTYPES),
    "isin few": (lambda x: xp.isin(x, x[1, :3]), INTEGER),
    "isin": (lambda x: xp.isin(x, x[1:3, :], invert=True), INTEGER),
}


@pytest.mark.parametrize(("name", "dt"), [(name, dt) for name, (_, dts) in FUNCTIONS.items() for dt in dts])
def test_results_do_not_depend_on_the_layout(name, dt):
    function, _ = FUNCTIONS[name]
    a = random(dt, 42, 5, "few").reshape(6, 7)
    expected = None
    for view in layouts(a):
        result = function(from_np(view))
        result = result if isinstance(result, tuple) else (result,)
        got = [(y.shape, dtype_name(y.dtype), to_np(y).tobytes()) for y in result]
        assert expected in (None, got)
        expected = got


def test_repeated_elements():
    a = np.broadcast_to(np.array([3.0, 1.0, 2.0]), (4, 3))
    for axis in (0, 1):
        assert_same(xp.sort(from_np(a), axis=axis), np.sort(a, axis=axis))
        assert_same(xp.argsort(from_np(a), axis=axis), np.argsort(a, axis=axis, kind="stable"), dt="int64")
    for got, expected in zip(xp.unique_all(from_np(a)), reference_unique(a), strict=True):
        assert_same(got, expected)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_sort_like_numpy(data):
    dt = data.draw(st.sampled_from(REAL_NUMERIC))
    a = data.draw(hnp.arrays(dt, hnp.array_shapes(max_dims=3, min_side=0, max_side=6)))
    axis = data.draw(st.integers(-a.ndim, a.ndim - 1))
    descending = data.draw(st.booleans())
    order = reference_argsort(a, axis, descending)
    assert_same(xp.argsort(from_np(a), axis=axis, descending=descending), order, dt="int64")
    bits_equal(xp.sort(from_np(a), axis=axis, descending=descending), np.take_along_axis(a, order, axis))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_search_like_numpy(data):
    dt = data.draw(st.sampled_from(REAL_NUMERIC))
    a = np.sort(data.draw(hnp.arrays(dt, st.integers(0, 60))))
    v = data.draw(
        hnp.arrays(
            dt, hnp.array_shapes(max_dims=2, min_side=0), elements=st.sampled_from(a.tolist()) if a.size else None
        )
    )
    side = data.draw(st.sampled_from(["left", "right"]))
    assert_same(xp.searchsorted(from_np(a), from_np(v), side=side), np.searchsorted(a, v, side=side), dt="int64")


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_sets_like_their_definition(data):
    dt = data.draw(st.sampled_from(DTYPES))
    few = data.draw(hnp.arrays(dt, 5)).tolist()
    a = data.draw(hnp.arrays(dt, hnp.array_shapes(max_dims=3, min_side=0, max_side=5), elements=st.sampled_from(few)))
    check_unique(a)
    if dt in INTEGER:
        b = data.draw(hnp.arrays(dt, st.integers(0, 20), elements=st.sampled_from(few)))
        invert = data.draw(st.booleans())
        assert_same(xp.isin(from_np(a), from_np(b), invert=invert), np.isin(a, b, invert=invert))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_where_like_numpy(data):
    dt = data.draw(st.sampled_from(DTYPES))
    shapes, _ = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=4))
    c = data.draw(hnp.arrays("bool", shapes[0]))
    a, b = (data.draw(hnp.arrays(dt, shape)) for shape in shapes[1:])
    bits_equal(xp.where(from_np(c), from_np(a), from_np(b)), np.where(c, a, b))
    for got, expected in zip(xp.nonzero(from_np(a)) if a.ndim else (), np.nonzero(a) if a.ndim else (), strict=True):
        assert_same(got, expected, dt="int64")
