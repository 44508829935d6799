"""Indexing and assignment: what the standard's indexing chapter supports, and nothing else."""

import itertools

import numpy as np
import pytest
from dlpack_structs import READ_ONLY, Producer, Tensor
from hypothesis import given, settings
from hypothesis import strategies as st
from support import (
    CPU,
    DEVICE_DTYPES,
    DEVICE_NAMES,
    DTYPES,
    OFF_CPU,
    READ_ONLY_ERRORS,
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


class Index:
    """Something that is an integer to `operator.index` only."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

    def __repr__(self):
        return f"Index({self.value})"


A = np.arange(60).reshape(3, 4, 5)

# Basic indexing

BASIC = [
    (0, 0, 0),
    (2, 3, 4),
    (-1, -1, -1),
    (-3, -4, -5),
    (0, slice(None), slice(None)),
    (slice(None), 1, slice(None)),
    (slice(None), slice(None), -2),
    (slice(1, None), slice(None, 3), slice(None, None, 2)),
    (slice(None, None, -1),) * 3,
    (slice(2, None, -1), slice(3, 0, -2), slice(-1, -6, -1)),
    (slice(3, 3), slice(None), slice(None)),
    (slice(0, 0), slice(4, 4), slice(5, 5)),
    (slice(-3, 3), slice(-4, 4), slice(-5, 5)),
    (slice(Index(1), Index(3)), slice(np.int64(0), np.int8(2)), slice(None)),
    ...,
    (...,),
    (0, ...),
    (..., 0),
    (1, ..., 2),
    (slice(1, 3), ...),
    (..., slice(None, None, -1)),
    (0, 1, 2, ...),
    (..., 0, 1, 2),
    (0, ..., 1, 2),
    (None, ...),
    (..., None),
    (None, None, ..., None),
    (0, None, slice(None), None, 1),
    (None, 0, 0, 0),
    (0, 0, 0, None),
    (0, None, ..., None, 1),
    (xp.newaxis, ..., xp.newaxis),
    (Index(1), np.int64(2), np.uint8(3)),
]


@pytest.mark.parametrize("key", BASIC, ids=stable_id)
@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_basic(key, dev):
    x = own(A.astype("int32"), dev)
    np_key = tuple(k.__index__() if isinstance(k, Index) else k for k in key) if isinstance(key, tuple) else key
    got = x[key]
    assert_same(got, A.astype("int32")[np_key])
    assert got.device == device(dev)


@pytest.mark.parametrize("dt", DTYPES)
def test_the_result_has_the_dtype(dt):
    a = sample(dt, (3, 4))
    x = own(a)
    assert_same(x[1, ::-1], a[1, ::-1])
    assert_same(x[1, 2], a[1, 2])
    assert_same(x[x == x], a.ravel())


def test_a_single_element_is_a_0d_array():
    x = own(A)
    got = x[1, 2, 3]
    assert type(got) is type(x)
    assert got.shape == ()
    assert int(got) == 33


@pytest.mark.parametrize("key", [(), ..., (...,)], ids=stable_id)
def test_0d(key):
    x = xp.asarray(5)
    assert_same(x[key], np.asarray(5))
    assert x[None].shape == x[None,].shape == (1,)
    assert x[None, ..., None].shape == (1, 1)


@pytest.mark.parametrize("index", [0, np.int8(0), np.uint64(0), Index(0), Index(-5)], ids=stable_id)
def test_integers_of_any_kind(index):
    x = xp.arange(5)
    assert int(x[index]) == int(x[index,]) == 0
    x[index] = 7
    assert int(x[0]) == 7


@pytest.mark.parametrize(("dev", "dt"), [(d, t) for d, t in DEVICE_DTYPES if "int" in t])
def test_0d_integer_arrays_are_integers(dev, dt):
    x = own(A.astype("int32"), dev)
    i = xp.asarray(1, dtype=dtype(dt), device=device(dev))
    assert_same(x[i, i, i], A.astype("int32")[1, 1, 1])
    assert_same(x[i, 0, i], A.astype("int32")[1, 0, 1])
    assert_same(x[i, ...], A.astype("int32")[1])
    assert_same(x[:, i, :], A.astype("int32")[:, 1, :])
    assert_same(x[i:, ..., :i], A.astype("int32")[1:, :, :1])


SLICE_ENDS = [None, *range(-7, 8)]


def in_bounds(n, i, j, k):
    """The ranges that the standard requires."""
    start = i is None or -n <= i <= n
    if k is None or k > 0:
        return start and (j is None or -n <= j <= n)
    return start and (j is None or -n - 1 <= j <= max(0, n - 1))


@pytest.mark.parametrize("k", [None, 1, 2, 3, 7, -1, -2, -3, -7])
@pytest.mark.parametrize("n", range(5))
def test_every_slice_of_a_short_axis(n, k):
    a = np.arange(n)
    x = own(a)
    for i, j in itertools.product(SLICE_ENDS, SLICE_ENDS):
        key = slice(i, j, k)
        if in_bounds(n, i, j, k):
            assert to_np(x[key]).tolist() == list(range(n))[key], key
        else:
            with pytest.raises(IndexError):
                pytest.fail(f"{key} of size {n} gave {x[key]}")
            with pytest.raises(IndexError):
                x[key] = 0


def test_slices_are_views():
    x = own(A)
    y = x[1, ::2, ::-1]
    y[0, 0] = 99
    assert int(x[1, 0, 4]) == 99
    x[1, 2, 3] = 98
    assert int(y[1, 1]) == 98


# Integer arrays


def index_array(values, dev="CPU_DEVICE"):
    return xp.asarray(values, dtype=xp.int32 if dev == "no_x64" else xp.int64, device=device(dev))


INTEGER_ARRAYS = [
    ((4,), ([1, 0, 1, 3, -1],)),
    ((4,), ([[1, 0], [3, -4]],)),
    ((4,), ([],)),
    ((3, 4), ([0, 1], [2, 3])),
    ((3, 4), ([0, 1, 2], 3)),
    ((3, 4), (-1, [0, 3])),
    ((3, 4), ([[0], [1], [2]], [0, 2])),
    ((3, 4), ([[0, 1], [2, -1]], [[0], [3]])),
    ((3, 4), ([1], [0, 1, 2, 3])),
    ((3, 4), ([], [])),
    ((3, 4, 5), ([0, 1], 2, [3, 4])),
    ((3, 4, 5), ([0, 1], [2, 2], [3, 4])),
]


@pytest.mark.parametrize("case", INTEGER_ARRAYS, ids=str)
@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_integer_arrays(case, dev):
    shape, key = case
    a = sample("int32", shape)
    x = own(a, dev)
    ours = tuple(k if isinstance(k, int) else index_array(k, dev) for k in key)
    numpys = tuple(k if isinstance(k, int) else np.array(k, dtype=np.int64) for k in key)
    got = x[ours]
    assert_same(got, a[numpys])
    assert got.device == device(dev)
    if len(ours) == 1:
        assert_same(x[ours[0]], a[numpys])


def test_an_integer_array_and_0d_integer_arrays():
    a = sample("int32", (3, 4))
    x = own(a)
    assert_same(x[index_array([0, 1]), index_array(2)], a[[0, 1], 2])


def test_an_integer_array_result_is_a_copy():
    x = xp.arange(5)
    y = x[index_array([0, 1])]
    y[0] = 9
    assert_same(x, np.arange(5))


def test_integer_arrays_on_a_strided_array_and_by_a_strided_array():
    a = np.arange(24).reshape(4, 6)
    x = from_np(a)[::-1, ::2]
    i = index_array([9, 2, 9, 0, 9, 1])[1::2]
    assert_same(x[i, i], a[::-1, ::2][[2, 0, 1], [2, 0, 1]])


# Masks

MASKS = [
    ((5,), (5,)),
    ((3, 4), (3, 4)),
    ((3, 4), (3,)),
    ((3, 4, 5), (3, 4)),
    ((3, 4, 5), (3,)),
    ((0,), (0,)),
    ((0, 3), (0,)),
    ((3, 0), (3,)),
    ((1, 1), (1, 1)),
    ((257,), (257,)),
]


@pytest.mark.parametrize("shapes", MASKS, ids=str)
@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_masks(shapes, dev):
    a, m = sample("int32", shapes[0]), sample("bool", shapes[1])
    x, mask = own(a, dev), own(m, dev)
    for key in (mask, (mask,)):
        got = x[key]
        assert_same(got, a[m])
        assert got.device == device(dev)
    x[mask] = 99
    a[m] = 99
    assert_same(x, a)


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 2)])
def test_0d_masks(shape, value):
    a = sample("int32", shape)
    x = own(a)
    assert_same(x[xp.asarray(value)], a[None][: int(value)])
    x[xp.asarray(value)] = 99
    assert_same(x, np.full_like(a, 99) if value else a)


@pytest.mark.parametrize(
    ("shape", "mask", "result"),
    [
        ((3,), (0,), (0,)),
        ((3, 4), (0,), (0, 4)),
        ((3, 4), (0, 4), (0,)),
        ((3, 4), (3, 0), (0,)),
        ((3, 4, 5), (0, 0), (0, 5)),
    ],
)
def test_an_axis_of_a_mask_may_be_0(shape, mask, result):
    x = xp.ones(shape)
    got = x[xp.zeros(mask, dtype=xp.bool)]
    assert got.shape == result
    assert got.dtype == xp.float64


def test_masks_of_strided_arrays():
    a, m = np.arange(24).reshape(4, 6), sample("bool", (6, 4))
    x, mask = from_np(a).T[::-1, :], from_np(m)[:, ::-1]
    assert_same(x[mask], a.T[::-1][m[:, ::-1]])


def test_a_mask_result_is_a_copy():
    x = xp.arange(5)
    y = x[x > 2]
    y[0] = 99
    assert_same(x, np.arange(5))


@pytest.mark.parametrize("write", [False, True])
def test_masks_with_the_flag_off(write):
    x = xp.arange(5)
    with flags(boolean_indexing=False), pytest.raises(RuntimeError, match="boolean_indexing"):
        if write:
            x[x > 2] = 0
        else:
            x[x > 2]
    assert_same(x, np.arange(5))


# Refusals

I64 = xp.asarray([0, 1])
MASK3 = xp.asarray([True, False, True])
REFUSED = {
    # shape, key, also as a key to assign to
    "empty tuple of 1-d": ((3,), ()),
    "empty tuple of 2-d": ((3, 4), ()),
    "one int of 2": ((3, 4), 0),
    "one slice of 2": ((3, 4), slice(None)),
    "one int in a tuple": ((3, 4), (0,)),
    "two of 3": ((3, 4, 5), (0, slice(None))),
    "None only": ((3,), None),
    "None and one of 2": ((3, 4), (None, 0)),
    "one integer array of 2": ((3, 4), I64),
    "too many ints": ((3,), (0, 0)),
    "too many slices": ((3,), (slice(None), slice(None))),
    "too many beside an ellipsis": ((3,), (0, ..., 0)),
    "an int of 0-d": ((), 0),
    "a slice of 0-d": ((), slice(None)),
    "too many integer arrays": ((3,), (I64, I64)),
    "two ellipses": ((3, 4), (..., ...)),
    "two ellipses and an int": ((3, 4), (..., 0, ...)),
    "int too large": ((3,), 3),
    "int too small": ((3,), -4),
    "int far too large": ((3,), 2**70),
    "int far too small": ((3,), -(2**70)),
    "int of an empty axis": ((0,), 0),
    "second int too large": ((3, 4), (0, 4)),
    "slice far out": ((3,), slice(2**70, None)),
    "slice far out below": ((3,), slice(None, -(2**70))),
    "slice of np ints out": ((3,), slice(np.int64(4), None)),
    "integer array too large": ((3,), xp.asarray([0, 3])),
    "integer array too small": ((3,), xp.asarray([0, -4])),
    "integer array on an empty axis": ((0,), xp.asarray([0])),
    "0-d integer array too large": ((3,), xp.asarray(3)),
    "True": ((3,), True),
    "False": ((3,), False),
    "True in a tuple": ((3, 4), (True, 0)),
    "np.bool_": ((3,), np.True_),
    "float": ((3,), 1.0),
    "float in a tuple": ((3, 4), (0, 1.0)),
    "complex": ((3,), 1j),
    "str": ((3,), "0"),
    "bytes": ((3,), b"0"),
    "list": ((3,), [0, 1]),
    "list of bool": ((3,), [True, False, True]),
    "list in a tuple": ((3, 4), ([0, 1], 0)),
    "empty list": ((3,), []),
    "nested tuple": ((3, 4), ((0, 1), (0, 1))),
    "tuple in a tuple": ((3,), ((0,),)),
    "range": ((3,), range(2)),
    "object": ((3,), object()),
    "dict": ((3,), {}),
    "np integer array": ((3,), np.array([0, 1])),
    "np 1-element array": ((3,), np.array([0])),
    "np mask": ((3,), np.array([True, False, True])),
    "np array in a tuple": ((3, 4), (np.array([0]), 0)),
    "float array": ((3,), xp.asarray([0.0])),
    "0-d float array": ((3,), xp.asarray(0.0)),
    "complex array": ((3,), xp.asarray([0j])),
    "float array in a tuple": ((3, 4), (xp.asarray([0.0]), 0)),
    "mask and int": ((3, 4), (MASK3, 0)),
    "mask and slice": ((3, 4), (MASK3, slice(None))),
    "mask and ellipsis": ((3, 4), (MASK3, ...)),
    "ellipsis and mask": ((3,), (..., MASK3)),
    "mask and None": ((3,), (MASK3, None)),
    "two masks": ((3, 3), (MASK3, MASK3)),
    "mask and integer array": ((3, 4), (MASK3, I64)),
    "0-d mask and int": ((3,), (xp.asarray(True), 0)),
    "mask too long": ((2,), MASK3),
    "mask too short": ((4,), MASK3),
    "mask of another second axis": ((3, 4), xp.ones((3, 3), dtype=xp.bool)),
    "mask of size 1": ((3,), xp.asarray([True])),
    "mask with more axes": ((3,), xp.ones((3, 1), dtype=xp.bool)),
    "mask of a 0-d array": ((), xp.asarray([True])),
    "integer array and slice": ((3, 4), (I64, slice(None))),
    "slice and integer array": ((3, 4), (slice(None), I64)),
    "integer array and ellipsis": ((3, 4), (I64, ...)),
    "ellipsis and integer array": ((3, 4), (..., I64)),
    "integer array and None": ((3,), (None, I64)),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("write", [False, True], ids=["get", "set"])
def test_refused_keys(case, write):
    shape, key = REFUSED[case]
    a = sample("float64", shape)
    x = own(a)
    with pytest.raises(IndexError):
        if write:
            x[key] = 0.0
        else:
            pytest.fail(f"gave {x[key]}")
    assert_same(x, a)


@pytest.mark.parametrize(
    "key", [slice(0.0, 2.0), slice(None, 2.0), slice("0", None), slice(None, None, 1.0), slice([], None)], ids=stable_id
)
def test_a_slice_of_what_is_no_integer(key):
    x = xp.arange(3)
    with pytest.raises(IndexError) as e:
        x[key]
    assert (e.value.rule, e.value.argument) == ("slice-type", "key")
    with pytest.raises(IndexError) as e:
        x[key] = 0
    assert (e.value.rule, e.value.argument) == ("slice-type", "key")
    assert_same(x, np.arange(3))


@pytest.mark.parametrize("shapes", [((2,), (3,)), ((2, 1), (3, 2)), ((0,), (2,))], ids=str)
def test_integer_arrays_that_do_not_broadcast(shapes):
    x = xp.ones((3, 4))
    i, j = (xp.zeros(s, dtype=xp.int64) for s in shapes)
    with pytest.raises(IndexError, match="broadcast") as e:
        x[i, j]
    assert (e.value.rule, e.value.argument) == ("index-array-shapes", "key")


@pytest.mark.parametrize("step", [0, Index(0), np.int64(0)], ids=stable_id)
def test_a_slice_of_step_0(step):
    x = xp.arange(3)
    with pytest.raises((ValueError, IndexError), match="step"):
        x[::step]
    with pytest.raises((ValueError, IndexError), match="step"):
        x[::step] = 1


@pytest.mark.parametrize(
    "key", [(None, slice(None)), (slice(None), None), None, (None, ...), (..., None)], ids=stable_id
)
def test_no_newaxis_in_assignment(key):
    x = xp.arange(3)
    with pytest.raises(IndexError):
        x[key] = 0
    assert_same(x, np.arange(3))


@pytest.mark.parametrize("key", [(I64,), I64, (I64, I64), (I64, 0), (0, I64)], ids=lambda k: str(type(k)))
def test_no_integer_arrays_in_assignment(key):
    x = xp.ones((3, 3)) if isinstance(key, tuple) and len(key) == 2 else xp.ones(3)
    with pytest.raises(IndexError):
        x[key] = 0.0
    assert_same(x, np.ones(x.shape))


def test_no_deletion():
    x = xp.arange(3)
    with pytest.raises((TypeError, AttributeError)):
        del x[0]


def test_errors_of_index_are_passed_on():
    class Bad:
        def __index__(self):
            raise ZeroDivisionError("from __index__")

    for key in (Bad(), (Bad(),), slice(Bad(), None), slice(None, None, Bad())):
        with pytest.raises(ZeroDivisionError):
            xp.arange(3)[key]


@pytest.mark.parametrize("dev", OFF_CPU)
def test_keys_on_another_device(dev):
    d = device(dev)
    i = xp.asarray([0, 1], dtype=xp.int32, device=d)
    i0 = xp.asarray(1, dtype=xp.int32, device=d)
    m = xp.asarray([True, False, True], device=d)
    keys = [i, (i,), i0, (i0,), m, slice(i0, None), slice(None, i0), slice(None, None, i0)]
    x = xp.ones(3)
    for key in keys:
        with pytest.raises(ValueError, match="device"):
            x[key]
    for key in (m, slice(i0, None)):
        with pytest.raises(ValueError, match="device"):
            x[key] = 0.0
    x2 = xp.ones((3, 3), device=d)
    with pytest.raises(ValueError, match="device"):
        x2[i, index_array([0, 1])]
    assert_same(x, np.ones(3))


# Assignment

ASSIGNED = [k for k in BASIC if not (isinstance(k, tuple) and any(i is None for i in k))]


@pytest.mark.parametrize("key", ASSIGNED, ids=stable_id)
@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_assign_a_scalar(key, dev):
    a = A.astype("int32")
    x = own(a, dev)
    x[key] = -7
    a[tuple(k.__index__() if isinstance(k, Index) else k for k in key) if isinstance(key, tuple) else key] = -7
    assert_same(x, a)


@pytest.mark.parametrize("key", ASSIGNED, ids=stable_id)
def test_assign_an_array(key):
    a = A.copy()
    x = own(a)
    np_key = tuple(k.__index__() if isinstance(k, Index) else k for k in key) if isinstance(key, tuple) else key
    value = np.arange(1000, 1000 + a[np_key].size).reshape(a[np_key].shape)
    x[key] = own(value)
    a[np_key] = value
    assert_same(x, a)


BROADCASTS = [
    ((2, 3), (2, 3)),
    ((2, 3), (3,)),
    ((2, 3), (2, 1)),
    ((2, 3), ()),
    ((2, 3), (1, 1)),
    ((2, 3), (1,)),
    ((0, 3), (3,)),
    ((0, 3), (1, 1)),
    ((), ()),
]


@pytest.mark.parametrize("shapes", BROADCASTS, ids=str)
def test_assignment_broadcasts(shapes):
    a, b = np.zeros(shapes[0]), sample("float64", shapes[1])
    x = own(a)
    x[...] = own(b)
    a[...] = b
    assert_same(x, a)


@pytest.mark.parametrize(
    "shapes",
    [((3,), (2,)), ((3,), (0,)), ((2, 3), (2,)), ((3,), (2, 3)), ((), (2,)), ((1,), (3,)), ((0,), (2,))],
    ids=str,
)
def test_assignment_that_does_not_broadcast(shapes):
    x = xp.zeros(shapes[0])
    with pytest.raises(ValueError, match="shape|broadcast"):
        x[...] = xp.ones(shapes[1])
    assert_same(x, np.zeros(shapes[0]))


@pytest.mark.parametrize("left", DTYPES)
def test_the_value_must_promote_to_the_dtype(left):
    from test_operators import PROMOTED

    for right in DTYPES:
        x = own(sample(left, (3,)))
        value = own(sample(right, (3,)))
        if PROMOTED.get((left, right)) == left:
            x[...] = value
            assert_same(x, sample(right, (3,)).astype(left))
        else:
            for key in (..., slice(None), xp.ones(3, dtype=xp.bool)):
                with pytest.raises(TypeError, match="cast|promote|dtype"):
                    x[key] = value
            assert_same(x, sample(left, (3,)))


SCALAR_KINDS = {
    "bool": ({"bool"}, True),
    "int": ({d for d in DTYPES if d != "bool"}, 1),
    "float": ({"float32", "float64", "complex64", "complex128"}, 1.5),
    "complex": ({"complex64", "complex128"}, 1.5 + 2j),
}


@pytest.mark.parametrize("kind", SCALAR_KINDS)
@pytest.mark.parametrize("dt", DTYPES)
def test_scalar_values_by_kind(dt, kind):
    accepted, value = SCALAR_KINDS[kind]
    for key in (0, slice(1, None), ..., xp.asarray([False, True, True])):
        a = sample(dt, (3,))
        x = own(a)
        if dt in accepted:
            x[key] = value
            a[key if not isinstance(key, type(x)) else [False, True, True]] = value
        else:
            with pytest.raises(TypeError):
                x[key] = value
        assert_same(x, a)


@pytest.mark.parametrize("dt", [d for d in DTYPES if "int" in d])
def test_int_values_out_of_bounds(dt):
    x = xp.zeros(3, dtype=dtype(dt))
    info = np.iinfo(dt)
    for value in (int(info.max) + 1, int(info.min) - 1, 10**30):
        for key in (0, slice(None), ..., xp.asarray([True, True, False]), slice(0, 0)):
            with pytest.raises(OverflowError):
                x[key] = value
    assert_same(x, np.zeros(3, dtype=dt))
    x[0], x[1] = int(info.max), int(info.min)
    assert_same(x, np.array([info.max, info.min, 0], dtype=dt))


@pytest.mark.parametrize(
    "value",
    [
        np.ones(3),
        np.float64(1),
        np.int64(1),
        np.array(1.0),
        [1.0, 2.0, 3.0],
        (1.0,),
        None,
        "1",
        object(),
        type("F", (float,), {})(1),
    ],
    ids=lambda v: type(v).__name__,
)
@pytest.mark.parametrize("key", [..., 0, xp.asarray([True, False, True])], ids=["...", "0", "mask"])
def test_values_that_are_refused(key, value):
    x = xp.zeros(3)
    with pytest.raises(TypeError):
        x[key] = value
    assert_same(x, np.zeros(3))


@pytest.mark.parametrize("dev", OFF_CPU)
def test_values_on_another_device(dev):
    x = xp.zeros(3, dtype=xp.float32)
    for key in (..., 0, slice(0, 0), xp.asarray([True, False, False])):
        with pytest.raises(ValueError, match="device"):
            x[key] = xp.asarray(1.0, dtype=xp.float32, device=device(dev))
    assert_same(x, np.zeros(3, dtype="float32"))


MASK_VALUES = [(3, 4), (3,), ()]


@pytest.mark.parametrize("mask_shape", MASK_VALUES)
def test_masked_assignment_of_arrays(mask_shape):
    a = np.arange(12.0).reshape(3, 4)
    m = sample("bool", mask_shape) if mask_shape else np.array(True)
    for value in (a[m] * -1, np.array(-5.0), np.array([-6.0]), (a[m] * -2)[:1]):
        x, b = own(a), a.copy()
        x[own(m)] = own(value)
        b[m] = value
        assert_same(x, b)


def test_masked_assignment_of_too_many_values():
    x = xp.arange(4)
    mask = xp.asarray([True, False, True, False])
    for n in (3, 0, 4):
        with pytest.raises(ValueError):
            x[mask] = xp.zeros(n, dtype=xp.int64)
    assert_same(x, np.arange(4))


def test_masked_assignment_into_a_view():
    a = np.arange(24.0).reshape(4, 6)
    x = own(a)
    x[::-1, ::2].T[own(sample("bool", (3, 4)))] = -1.0
    a[::-1, ::2].T[sample("bool", (3, 4))] = -1.0
    assert_same(x, a)


OVERLAPS = {
    "shift up": (slice(1, None), slice(None, -1)),
    "shift down": (slice(None, -1), slice(1, None)),
    "reverse": (slice(None), slice(None, None, -1)),
    "self": (slice(None), slice(None)),
    "step": (slice(None, 8), slice(None, None, 2)),
    "step reversed": (slice(None, None, 2), slice(None, 8)),
    "reverse, shifted": (slice(1, None), slice(None, 0, -1)),
    "one element": (slice(None), slice(3, 4)),
}


@pytest.mark.parametrize("dt", ["int8", "float64", "complex128"])
@pytest.mark.parametrize("case", OVERLAPS)
def test_overlapping_assignment_is_as_if_copied_first(case, dt):
    to, source = OVERLAPS[case]
    a = sample(dt, (16,))
    x = own(a)
    x[to] = x[source]
    a[to] = a[source].copy()
    assert_same(x, a)


def test_overlapping_assignment_in_two_dimensions():
    a = np.arange(25.0).reshape(5, 5)
    for write in (
        lambda x, copy: x.__setitem__(..., copy(x.T)),
        lambda x, copy: x.__setitem__((slice(1, None), slice(None)), copy(x[:-1, :])),
        lambda x, copy: x.__setitem__((slice(None), slice(1, None)), copy(x[::-1, :-1])),
        lambda x, copy: x.__setitem__((slice(None), slice(None)), copy(x[2, :])),
    ):
        x, b = own(a), a.copy()
        write(x, lambda v: v)
        write(b, lambda v: v.copy())
        assert_same(x, b)


def test_overlapping_assignment_through_numpy_memory():
    """Two imports of one NumPy array share memory too."""
    a = np.arange(10.0)
    x, y = xp.from_dlpack(a), xp.from_dlpack(a[:-1])
    expected = a.copy()
    expected[1:] = expected[:-1].copy()
    x[1:] = y
    np.testing.assert_array_equal(a, expected)


def test_overlapping_masked_assignment():
    a = np.arange(10)
    x = own(a)
    x[x % 2 == 0] = x[::2][::-1]
    a[a % 2 == 0] = a[::2][::-1].copy()
    assert_same(x, a)


def test_augmented_assignment_to_an_item():
    x = xp.arange(4)
    x[1] += 10
    x[2:] *= 3
    assert_same(x, np.array([0, 11, 6, 9]))


def test_read_only_arrays_are_not_assigned():
    a = np.arange(3.0)
    x = xp.from_dlpack(Producer(Tensor(a, flags=READ_ONLY)))
    for key in (0, slice(None), ..., xp.asarray([True, False, True]), slice(0, 0), xp.asarray(False)):
        with pytest.raises(READ_ONLY_ERRORS, match="(?i)read.?only"):
            x[key] = 1.0
    np.testing.assert_array_equal(a, [0.0, 1.0, 2.0])


# Any shape, layout and valid key


@st.composite
def strided_arrays(draw):
    """A NumPy array of 0 to 4 dimensions, often not contiguous."""
    shape = draw(st.lists(st.integers(0, 5), max_size=4))
    steps = [draw(st.sampled_from([1, 1, 2, -1, -3])) for _ in shape]
    order = draw(st.permutations(range(len(shape))))
    a = np.arange(int(np.prod([n * abs(s) for n, s in zip(shape, steps)], dtype=int)))
    a = a.reshape([n * abs(s) for n, s in zip(shape, steps)])
    a = a[tuple(slice(None, None, s) for s in steps)] if shape else a
    return a.transpose(order)


def axis_key(n):
    def check(parts):
        return in_bounds(n, *parts)

    ends = st.none() | st.integers(-n - 1, n)
    slices = st.tuples(ends, ends, st.sampled_from([None, 1, 2, 3, -1, -2, -3])).filter(check).map(lambda p: slice(*p))
    return slices | st.integers(-n, n - 1) if n else slices


@st.composite
def basic_cases(draw, newaxis=True):
    a = draw(strided_arrays())
    keys = [draw(axis_key(n)) for n in a.shape]
    if draw(st.booleans()):
        i = draw(st.integers(0, len(keys)))
        j = draw(st.integers(i, len(keys)))
        keys[i:j] = [...]
    if newaxis:
        for _ in range(draw(st.integers(0, 2))):
            keys.insert(draw(st.integers(0, len(keys))), None)
    return a, (tuple(keys) if len(keys) != 1 or draw(st.booleans()) else keys[0])


@settings(max_examples=300, deadline=None)
@given(basic_cases())
def test_any_basic_key(case):
    a, key = case
    got = from_np(a)[key]
    assert_same(got, a[key], shape=np.asarray(a[key]).shape)


@settings(max_examples=300, deadline=None)
@given(basic_cases(newaxis=False), st.booleans())
def test_any_basic_assignment(case, array_value):
    a, key = case
    x = from_np(a.copy(order="K"))
    b = a.copy()
    shape = np.asarray(a[key]).shape
    if array_value:
        value = (np.arange(int(np.prod(shape, dtype=int))) - 1000).reshape(shape)
        x[key] = from_np(value)
        b[key] = value
    else:
        x[key] = -1
        b[key] = -1
    assert_same(x, b)


@st.composite
def mask_cases(draw):
    a = draw(strided_arrays())
    ndim = draw(st.integers(0, a.ndim))
    bits = draw(
        st.lists(
            st.booleans(),
            min_size=int(np.prod(a.shape[:ndim], dtype=int)),
            max_size=int(np.prod(a.shape[:ndim], dtype=int)),
        )
    )
    return a, np.array(bits, dtype=bool).reshape(a.shape[:ndim])


@settings(max_examples=200, deadline=None)
@given(mask_cases())
def test_any_mask(case):
    a, mask = case
    x = from_np(a.copy(order="K"))
    assert_same(x[from_np(mask)], a[mask])
    b = a.copy()
    x[from_np(mask)] = -1
    b[mask] = -1
    assert_same(x, b)


@st.composite
def integer_array_cases(draw):
    a = draw(strided_arrays().filter(lambda a: a.ndim and a.size))
    shape = tuple(draw(st.lists(st.integers(0, 3), max_size=3)))
    keys = []
    for n in a.shape:
        own_shape = tuple(1 if draw(st.booleans()) else s for s in shape)[draw(st.integers(0, len(shape))) :]
        size = int(np.prod(own_shape, dtype=int))
        values = draw(st.lists(st.integers(-n, n - 1), min_size=size, max_size=size))
        keys.append(np.array(values, dtype=np.int64).reshape(own_shape))
    return a, tuple(keys)


@settings(max_examples=200, deadline=None)
@given(integer_array_cases())
def test_any_integer_arrays(case):
    a, keys = case
    assert_same(from_np(a)[tuple(from_np(k) for k in keys)], np.asarray(a[keys]))


def test_results_are_on_the_cpu_by_default():
    assert xp.arange(3)[0].device == CPU


@pytest.mark.parametrize("index", [2**63 - 1, 2**70, -(2**63), -(2**70)])
def test_an_int_beyond_the_index_type_is_not_told_as_another(index):
    with pytest.raises(IndexError, match="or more" if index > 0 else "or less"):
        xp.zeros(3)[index]


@pytest.mark.parametrize(
    "key",
    [
        lambda e: (e, 9),
        lambda e: (99, e),
        lambda e: (xp.zeros((0, 1), dtype=xp.int64), xp.asarray([9])),
        lambda e: (xp.asarray([-4]), xp.zeros((0, 1), dtype=xp.int64)),
    ],
)
def test_an_index_beside_an_empty_one_has_bounds_too(key):
    with pytest.raises(IndexError) as e:
        xp.zeros((3, 4))[key(xp.zeros(0, dtype=xp.int64))]
    assert e.value.rule == "index-bounds"
