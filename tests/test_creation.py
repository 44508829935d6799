"""Creation functions: values against NumPy, the dtype rules, and everything they refuse."""

import itertools
import math
import sys

import numpy as np
import pytest
from support import (
    COMPLEX_FLOATING,
    DEVICE_NAMES,
    DTYPES,
    FLOATING,
    INTEGER,
    NUMERIC,
    REAL_FLOATING,
    REAL_NUMERIC,
    SIGNED,
    assert_same,
    device,
    dtype,
    flags,
    from_np,
    own,
    sample,
    stable_id,
    to_np,
)

import strictarray as xp

SHAPES = [0, 1, 5, (), (3,), (0,), (2, 3), (0, 3), (3, 0, 2), (2, 3, 4), (1,) * 64]


# zeros, ones, empty, full and the _like functions


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: str(s)[:12])
@pytest.mark.parametrize("dt", DTYPES)
def test_zeros_ones_empty_full(shape, dt):
    d = dtype(dt)
    assert_same(xp.zeros(shape, dtype=d), np.zeros(shape, dtype=dt))
    assert_same(xp.ones(shape, dtype=d), np.ones(shape, dtype=dt))
    value = True if dt == "bool" else 3
    assert_same(xp.full(shape, value, dtype=d), np.full(shape, value, dtype=dt))
    x = xp.empty(shape, dtype=d)
    assert x.dtype == d
    assert x.shape == (shape if isinstance(shape, tuple) else (shape,))


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 3)])
@pytest.mark.parametrize("source", DTYPES)
def test_like(shape, source):
    a = sample(source, shape)
    x = own(a)
    assert_same(xp.zeros_like(x), np.zeros_like(a))
    assert_same(xp.ones_like(x), np.ones_like(a))
    assert xp.empty_like(x).shape == shape
    assert xp.empty_like(x).dtype == dtype(source)
    value = True if source == "bool" else 2
    assert_same(xp.full_like(x, value), np.full_like(a, value))
    for target in DTYPES:
        assert_same(xp.zeros_like(x, dtype=dtype(target)), np.zeros(shape, dtype=target))
        assert_same(xp.ones_like(x, dtype=dtype(target)), np.ones(shape, dtype=target))
        assert xp.empty_like(x, dtype=dtype(target)).dtype == dtype(target)
    assert_same(x, a)


def test_like_of_strided_arrays():
    a = np.arange(24.0).reshape(4, 6)
    for x in (from_np(a).T, from_np(a)[::-1, ::2], from_np(np.broadcast_to(np.arange(3.0), (4, 3)))):
        assert_same(xp.ones_like(x), np.ones(x.shape))
        assert_same(xp.full_like(x, 2.5), np.full(x.shape, 2.5))


FILLS = {
    # kind of the fill value: dtypes it may fill
    "bool": (True, ("bool",)),
    "int": (3, NUMERIC),
    "float": (1.5, FLOATING),
    "complex": (1.5 - 2j, COMPLEX_FLOATING),
}


@pytest.mark.parametrize("kind", FILLS)
@pytest.mark.parametrize("dt", DTYPES)
def test_full_by_kind(kind, dt):
    value, accepted = FILLS[kind]
    x = xp.zeros(2, dtype=dtype(dt))
    for call in (lambda: xp.full(2, value, dtype=dtype(dt)), lambda: xp.full_like(x, value)):
        if dt in accepted:
            assert_same(call(), np.full(2, value, dtype=dt))
        else:
            with pytest.raises(TypeError, match="fill_value") as e:
                call()
            assert (e.value.rule, e.value.argument) == ("creation-cast", "fill_value")


@pytest.mark.parametrize("dt", INTEGER)
def test_full_of_int_out_of_range(dt):
    info = np.iinfo(dt)
    for value in (int(info.max), int(info.min)):
        assert_same(xp.full(2, value, dtype=dtype(dt)), np.full(2, value, dtype=dt))
    for value in (int(info.max) + 1, int(info.min) - 1, 10**40):
        for call in (
            lambda: xp.full(2, value, dtype=dtype(dt)),
            lambda: xp.full_like(xp.zeros(2, dtype=dtype(dt)), value),
            lambda: xp.asarray(value, dtype=dtype(dt)),
            lambda: xp.asarray([0, value], dtype=dtype(dt)),
        ):
            with pytest.raises(OverflowError):
                call()


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 2**64, 10**30])
def test_int_out_of_range_of_the_default(value):
    for call in (
        lambda: xp.full(2, value),
        lambda: xp.asarray(value),
        lambda: xp.asarray([1, value]),
        lambda: xp.asarray([[value]]),
    ):
        with pytest.raises(OverflowError):
            call()


@pytest.mark.parametrize("dt", FLOATING)
def test_int_beyond_a_float(dt):
    for call in (lambda: xp.full(2, 10**400, dtype=dtype(dt)), lambda: xp.asarray(10**400, dtype=dtype(dt))):
        with pytest.raises(OverflowError):
            call()
    assert_same(xp.full(2, 2**53, dtype=dtype(dt)), np.full(2, 2**53, dtype=dt))


# Shapes

SHAPED = {
    "zeros": lambda s, d=xp.float64: xp.zeros(s, dtype=d),
    "ones": lambda s, d=xp.float64: xp.ones(s, dtype=d),
    "empty": lambda s, d=xp.float64: xp.empty(s, dtype=d),
    "full": lambda s, d=xp.float64: xp.full(s, True if d == xp.bool else 1, dtype=d),
}


HUGE = [
    2**62,
    2**63 - 1,
    2**63,
    2**64,
    2**100,
    (2**31, 2**31),
    (2**32, 2**32),
    (2**63, 2**63),
    (2**21, 2**21, 2**21),
    (2**62, 4),
    (3, 2**62),
    (2**62, 2**62, 0),
    (0, 2**63),
    (2**64, 0),
    (2**40, 2**20),
]


@pytest.mark.parametrize("huge", HUGE, ids=stable_id)
@pytest.mark.parametrize("name", SHAPED)
@pytest.mark.parametrize("dt", ["bool", "int64", "complex128"])
def test_a_huge_shape_raises_or_is_empty(name, huge, dt):
    """Never a crash, never an abort."""
    sizes = huge if isinstance(huge, tuple) else (huge,)
    fits = math.prod(max(size, 1) for size in sizes) * np.dtype(dt).itemsize < 2**63
    with pytest.raises(MemoryError if fits else ValueError) as e:
        SHAPED[name](huge, dtype(dt))
    # The _like functions find it where the array is made whose shape they take.
    assert (e.value.rule, e.value.argument) == ("out-of-memory" if fits else "shape-too-large", "shape")


@pytest.mark.parametrize(
    "call",
    [
        lambda: xp.eye(2**40),
        lambda: xp.eye(2**32, 2**32),
        lambda: xp.eye(2**62, 2**62),
        lambda: xp.arange(2**62),
        lambda: xp.arange(2**63 - 1),
        lambda: xp.arange(0, 1e300, 1.0),
        lambda: xp.arange(-(2**63), 2**63 - 1),
        lambda: xp.arange(0.0, 1.0, 1e-300),
        lambda: xp.linspace(0.0, 1.0, 2**60),
        lambda: xp.linspace(0.0, 1.0, 2**63 - 1),
        lambda: xp.linspace(0.0, 1.0, 2**64),
        lambda: xp.meshgrid(*[xp.zeros(2**10)] * 7),
    ],
)
def test_huge_results_raise(call):
    with pytest.raises(ValueError, match="address space") as e:
        call()
    assert e.value.rule == "shape-too-large"


@pytest.mark.parametrize(
    "call",
    [
        lambda: xp.eye(2**20, 2**28),
        lambda: xp.arange(2**48),
        lambda: xp.linspace(0.0, 1.0, 2**48),
        lambda: xp.meshgrid(*[xp.zeros(2**12)] * 4),
        lambda: xp.zeros(2**24)[:, None] + xp.zeros(2**24),
        lambda: xp.zeros(2**24)[:, None] == xp.zeros(2**24),
        lambda: xp.zeros((2**24, 0)) @ xp.zeros((0, 2**24)),
    ],
)
def test_results_that_no_memory_can_hold(call):
    with pytest.raises(MemoryError, match="bytes") as e:
        call()
    assert e.value.rule == "out-of-memory"
    assert_same(xp.ones(3), np.ones(3))


# arange

ARANGES = [
    (3,),
    (0,),
    (-3,),
    (2, 5),
    (5, 2),
    (2, 2),
    (0, 10, 3),
    (0, 9, 3),
    (0, 8, 3),
    (10, 0, -3),
    (9, 0, -3),
    (0, 10, -1),
    (-5, 5, 2),
    (2**62, 2**62 + 3),
    (3.0,),
    (2.5,),
    (0.0, 1.0, 0.25),
    (0, 1, 0.1),
    (1, 0, -0.25),
    (0.5, 4),
    (0.0, -1.0),
    (-1.5, 1.5, 0.5),
    (0.0, 0.0, 1.0),
]


@pytest.mark.parametrize("args", ARANGES, ids=str)
def test_arange(args):
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
    x = xp.arange(*args)
    size = max(0, math.ceil((stop - start) / step))
    assert x.shape == (size,)
    is_float = any(isinstance(v, float) for v in args)
    assert x.dtype == (xp.float64 if is_float else xp.int64)
    expected = [start + i * step for i in range(size)]
    if is_float:
        np.testing.assert_allclose(to_np(x), np.array(expected, dtype="float64"), rtol=1e-15, atol=1e-15)
    else:
        assert to_np(x).tolist() == expected


@pytest.mark.parametrize("dt", REAL_NUMERIC)
def test_arange_dtype(dt):
    assert_same(xp.arange(1, 10, 3, dtype=dtype(dt)), np.arange(1, 10, 3).astype(dt))
    assert_same(xp.arange(5, dtype=dtype(dt)), np.arange(5).astype(dt))


@pytest.mark.parametrize("dt", ["bool", *COMPLEX_FLOATING])
def test_arange_is_real(dt):
    with pytest.raises(TypeError, match="dtype") as e:
        xp.arange(3, dtype=dtype(dt))
    assert (e.value.rule, e.value.argument) == ("dtype-argument", "dtype")


@pytest.mark.parametrize("dt", INTEGER)
def test_arange_of_floats_is_no_integer_array(dt):
    for args in ((3.0,), (0, 3.0), (0, 3, 1.5), (0.5, 3)):
        with pytest.raises(TypeError, match="dtype|start|stop|step"):
            xp.arange(*args, dtype=dtype(dt))


@pytest.mark.parametrize("step", [0, 0.0, -0.0])
def test_arange_step_is_not_0(step):
    for args in ((0, 3, step), (0, 0, step), (3, 0, step), (0.0, 1.0, step)):
        with pytest.raises(ValueError, match="step"):
            xp.arange(*args)


@pytest.mark.parametrize(
    "args",
    [(math.nan,), (math.inf,), (0, math.inf), (0, math.nan), (0, 1, math.nan), (-math.inf, 0), (math.inf, math.inf)],
    ids=str,
)
def test_arange_of_what_has_no_length(args):
    nan = any(math.isnan(a) for a in args) or (len(args) == 2 and args[0] == args[1])
    with pytest.raises(ValueError) as e:
        xp.arange(*args)
    assert e.value.rule == ("value" if nan else "shape-too-large")


def test_arange_by_keyword():
    assert_same(xp.arange(1, stop=7, step=2), np.arange(1, 7, 2))
    assert_same(xp.arange(3, step=1), np.arange(3))
    assert_same(xp.arange(3, stop=None, step=1), np.arange(3))
    with pytest.raises(TypeError):
        xp.arange(start=3)
    with pytest.raises(TypeError):
        xp.arange()
    with pytest.raises(TypeError):
        xp.arange(0, 3, 1, xp.int64)


SCALAR_ARGUMENT = [
    True,
    1j,
    np.int64(3),
    np.float64(3),
    np.array(3),
    xp.asarray(3),
    "3",
    [3],
    type("F", (float,), {})(3),
]


@pytest.mark.parametrize("args", [(200,), (-200, 0), (0, 300, 200)], ids=str)
def test_arange_that_does_not_fit(args):
    with pytest.raises(OverflowError):
        xp.arange(*args, dtype=xp.int8)


# linspace


@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.parametrize("num", [0, 1, 2, 3, 5, 50, 1000])
@pytest.mark.parametrize(
    "ends",
    [(0, 1), (0.0, 1.0), (1, 0), (-2.5, 7.25), (3.0, 3.0), (1e300, -1e300), (1e-300, 2e-300), (0, 2**60)],
    ids=str,
)
def test_linspace(ends, num, endpoint):
    x = xp.linspace(*ends, num, endpoint=endpoint)
    a = np.linspace(*ends, num, endpoint=endpoint)
    assert x.dtype == xp.float64
    assert x.shape == (num,)
    got = to_np(x)
    np.testing.assert_allclose(got, a, rtol=4e-16, atol=np.finfo(float).eps * max(map(abs, ends)))
    if num:
        assert got[0] == ends[0]
    if num > 1 and endpoint:
        assert got[-1] == ends[1]


@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.parametrize("ends", [(0, 1j), (1 + 2j, 3 - 4j), (0.5, 1 - 1j), (1j, 2)], ids=str)
def test_linspace_of_complex(ends, endpoint):
    x = xp.linspace(*ends, 7, endpoint=endpoint)
    assert x.dtype == xp.complex128
    np.testing.assert_allclose(to_np(x), np.linspace(*ends, 7, endpoint=endpoint), rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("dt", FLOATING)
def test_linspace_dtype(dt):
    x = xp.linspace(0, 1, 5, dtype=dtype(dt))
    assert_same(x, np.linspace(0, 1, 5).astype(dt))


@pytest.mark.parametrize("dt", ["bool", *INTEGER])
def test_linspace_is_floating(dt):
    with pytest.raises(TypeError, match="dtype") as e:
        xp.linspace(0, 4, 5, dtype=dtype(dt))
    assert (e.value.rule, e.value.argument) == ("dtype-argument", "dtype")


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_linspace_of_complex_is_no_real_array(dt):
    for ends in ((0, 1j), (1j, 0.0)):
        with pytest.raises(TypeError, match="dtype|start|stop"):
            xp.linspace(*ends, 5, dtype=dtype(dt))


@pytest.mark.parametrize("num", [-1, -(2**70)])
def test_linspace_num_is_not_negative(num):
    with pytest.raises(ValueError, match="num") as e:
        xp.linspace(0, 1, num)
    assert (e.value.rule, e.value.argument) == ("value", "num")


# eye, tril, triu, meshgrid


@pytest.mark.parametrize("shape", [(0,), (1,), (3,), (3, 4), (4, 3), (0, 3), (3, 0), (3, None)], ids=str)
@pytest.mark.parametrize("k", [0, 1, -1, 2, -2, 5, -5, 2**40, -(2**40)])
def test_eye(shape, k):
    assert_same(xp.eye(*shape, k=k), np.eye(*shape, k=k))


@pytest.mark.parametrize("dt", DTYPES)
def test_eye_dtype(dt):
    assert_same(xp.eye(3, 4, k=1, dtype=dtype(dt)), np.eye(3, 4, k=1, dtype=dt))


@pytest.mark.parametrize("args", [(-1,), (2, -1), (-1, 2)], ids=str)
def test_eye_is_not_negative(args):
    with pytest.raises(ValueError, match="n_rows|n_cols"):
        xp.eye(*args)


@pytest.mark.parametrize("shape", [(3, 3), (3, 4), (4, 3), (2, 3, 4), (0, 3), (3, 0), (2, 0, 3), (1, 1)], ids=str)
@pytest.mark.parametrize("k", [0, 1, -1, 2, -3, 10, -10])
@pytest.mark.parametrize("dt", ["bool", "int8", "float64", "complex64"])
def test_tril_triu(shape, k, dt):
    a = sample(dt, shape)
    x = own(a)
    assert_same(xp.tril(x, k=k), np.tril(a, k=k))
    assert_same(xp.triu(x, k=k), np.triu(a, k=k))
    assert_same(x, a)


def test_tril_triu_drop_what_is_not_kept():
    a = np.full((3, 3), np.nan)
    assert to_np(xp.tril(own(a)))[0, 2] == 0.0
    assert to_np(xp.triu(own(a)))[2, 0] == 0.0


@pytest.mark.parametrize("f", [xp.tril, xp.triu])
@pytest.mark.parametrize("shape", [(), (3,)])
def test_tril_triu_need_matrices(f, shape):
    with pytest.raises(ValueError, match="dim|axes"):
        f(xp.ones(shape))


@pytest.mark.parametrize("indexing", ["xy", "ij"])
@pytest.mark.parametrize("sizes", [(), (3,), (2, 3), (2, 3, 4), (2, 0), (1, 1, 1, 1), (0,)], ids=str)
def test_meshgrid(sizes, indexing):
    arrays = [np.arange(n) * 1.5 for n in sizes]
    got = xp.meshgrid(*map(own, arrays), indexing=indexing)
    expected = np.meshgrid(*arrays, indexing=indexing)
    assert type(got) is tuple
    assert len(got) == len(expected)
    for x, a in zip(got, expected):
        assert_same(x, a)


@pytest.mark.parametrize("version", ["2022.12", "2023.12", "2024.12"])
def test_meshgrid_gave_a_list_before_2025(version):
    with flags(api_version=version):
        assert type(xp.meshgrid(xp.arange(2), xp.arange(3))) is list


def test_meshgrid_default_is_xy():
    assert xp.meshgrid(xp.arange(2), xp.arange(3))[0].shape == (3, 2)


def test_meshgrid_results_are_independent():
    x = xp.arange(3)
    a, b = xp.meshgrid(x, x)
    a[0, 0] = 99
    assert_same(x, np.arange(3))
    assert_same(b, np.meshgrid(np.arange(3), np.arange(3))[1])


@pytest.mark.parametrize("shape", [(), (2, 2)])
def test_meshgrid_takes_vectors(shape):
    with pytest.raises(ValueError, match="(?i)dim|1-d"):
        xp.meshgrid(xp.ones(shape), xp.ones(2))


@pytest.mark.parametrize("other", [d for d in DTYPES if d != "float64"])
def test_meshgrid_takes_one_dtype(other):
    with pytest.raises(TypeError, match="dtype") as e:
        xp.meshgrid(xp.ones(2), xp.ones(2, dtype=dtype(other)))
    assert (e.value.rule, e.value.argument) == ("dtype-kind", "arrays")


# asarray of Python scalars and nested sequences

INFERRED = [
    (True, "bool"),
    ([True, False], "bool"),
    (1, "int64"),
    ([1, 2], "int64"),
    ([True, 2], "int64"),
    ([2, True], "int64"),
    (1.5, "float64"),
    ([1, 2.5], "float64"),
    ([True, 2.5], "float64"),
    ([True, 1, 2.5], "float64"),
    (1j, "complex128"),
    ([1, 2.5, 3j], "complex128"),
    ([True, 3j], "complex128"),
    ([3j, True], "complex128"),
    ([[1, 2], [3.0, 4]], "float64"),
    ([[True], [1]], "int64"),
    ([], "float64"),
    ([[], []], "float64"),
    ([[[]]], "float64"),
    ((), "float64"),
    ([math.nan, 1], "float64"),
    (-0.0, "float64"),
    ([[[[1, 2], [3, 4]]]], "int64"),
    (([1, 2], (3, 4)), "int64"),
]


@pytest.mark.parametrize(("value", "dt"), INFERRED, ids=str)
def test_asarray_infers_the_dtype(value, dt):
    x = xp.asarray(value)
    a = np.asarray(value)
    assert x.dtype == dtype(dt)
    assert_same(x, a.astype(dt))


@pytest.mark.parametrize(
    "value",
    [
        [1, [2]],
        [[1], 2],
        [[1, 2], [3]],
        [[1], [2, 3]],
        [[[1]], [[2, 3]]],
        [[], [1]],
        [[1], []],
        [[[]], [1]],
        [1, []],
        [[], 1],
    ],
    ids=str,
)
@pytest.mark.parametrize("dt", [None, "float64"])
def test_ragged_sequences_are_refused(value, dt):
    with pytest.raises(ValueError, match="obj|ragged|length|nest"):
        xp.asarray(value, dtype=dt and dtype(dt))


CONVERTS = {
    # kind of the Python value: dtypes it converts to
    "bool": (True, DTYPES),
    "int": (2, NUMERIC),
    "float": (1.5, FLOATING),
    "complex": (1.5 + 2j, COMPLEX_FLOATING),
}


@pytest.mark.parametrize("kind", CONVERTS)
@pytest.mark.parametrize("dt", DTYPES)
def test_asarray_never_loses_a_kind(kind, dt):
    value, accepted = CONVERTS[kind]
    for obj in (value, [value], [[value, value]]):
        if dt in accepted:
            assert_same(xp.asarray(obj, dtype=dtype(dt)), np.asarray(obj).astype(dt))
        else:
            with pytest.raises(TypeError, match="dtype") as e:
                xp.asarray(obj, dtype=dtype(dt))
            assert (e.value.rule, e.value.argument) == ("creation-cast", "obj")


@pytest.mark.parametrize("dt", REAL_FLOATING + COMPLEX_FLOATING)
def test_asarray_of_special_floats(dt):
    values = [math.nan, math.inf, -math.inf, -0.0, 5e-324, sys.float_info.max]
    assert_same(xp.asarray(values, dtype=dtype(dt)), np.array(values).astype(dt))


def test_asarray_of_a_long_list():
    values = list(range(100_000))
    assert_same(xp.asarray(values), np.arange(100_000))
    assert_same(xp.asarray([values, values]), np.array([values, values]))


KIND = {dt: kind for kind, dts in enumerate([("bool",), INTEGER, REAL_FLOATING, COMPLEX_FLOATING]) for dt in dts}


@pytest.mark.parametrize(("source", "target"), list(itertools.product(DTYPES, DTYPES)))
def test_asarray_of_an_array_with_a_dtype(source, target):
    """What promotes works, int to float works, and no kind is lost."""
    from test_operators import PROMOTED

    x = own(sample(source, (3,)))
    if PROMOTED.get((source, target)) == target or (source in INTEGER and target in REAL_FLOATING):
        assert_same(xp.asarray(x, dtype=dtype(target)), sample(source, (3,)).astype(target))
    elif KIND[source] > KIND[target] and source in FLOATING and target != "bool":
        with pytest.raises(TypeError, match="dtype"):
            xp.asarray(x, dtype=dtype(target))
    else:
        assert xp.asarray(x).dtype == dtype(source)


def test_asarray_takes_one_positional_argument():
    with pytest.raises(TypeError):
        xp.asarray()
    with pytest.raises(TypeError):
        xp.asarray([1], xp.int64)
    with pytest.raises(TypeError):
        xp.asarray(obj=[1])
    with pytest.raises(TypeError):
        xp.asarray([1], order="C")


@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_fresh_arrays_are_writable_and_apart(dev):
    a, b = (xp.zeros(3, device=device(dev)) for _ in range(2))
    a[0] = 1.0
    assert to_np(b).tolist() == [0.0, 0.0, 0.0]


def test_zeros_are_zero_after_reuse():
    """Memory that comes back from a pool is cleared."""
    for n in (1, 4, 100, 10_000, 1_000_000):
        for _ in range(3):
            x = xp.full(n, 7.0)
            del x
            assert not to_np(xp.zeros(n)).any()


@pytest.mark.parametrize("dt", SIGNED)
def test_constants_are_python_floats(dt):
    assert (xp.e, xp.pi, xp.inf) == (math.e, math.pi, math.inf)
    assert math.isnan(xp.nan)
    assert xp.newaxis is None
    assert all(type(c) is float for c in (xp.e, xp.pi, xp.inf, xp.nan))
    assert xp.full(1, 1, dtype=dtype(dt)).dtype == dtype(dt)
