"""Dtypes and the data type functions: astype, can_cast, result_type, finfo, iinfo, isdtype."""

import itertools
import math
import operator
import warnings

import numpy as np
import pytest
from dlpack_structs import data_pointer
from support import (
    COMPLEX_FLOATING,
    DEVICE_NAMES,
    DTYPES,
    FLOATING,
    INTEGER,
    MISSING_DTYPES,
    NUMERIC,
    REAL_FLOATING,
    SIGNED,
    UNSIGNED,
    assert_same,
    device,
    dtype,
    flags,
    from_np,
    own,
    sample,
    to_np,
)
from test_operators import PROMOTED

import strictarray as xp

PAIRS = list(itertools.product(DTYPES, DTYPES))
COMPLEX_OF = {"float32": "complex64", "float64": "complex128", "complex64": "complex64", "complex128": "complex128"}


# Dtype objects


def test_dtypes_are_distinct_and_hashable():
    assert len({dtype(d) for d in DTYPES}) == 13
    for a, b in PAIRS:
        assert (dtype(a) == dtype(b)) is (a == b)
        assert (dtype(a) != dtype(b)) is (a != b)


@pytest.mark.parametrize("dt", DTYPES)
def test_dtype_repr(dt):
    assert repr(dtype(dt)) == str(dtype(dt)) == f"strictarray.{dt}"


@pytest.mark.parametrize("dt", DTYPES)
def test_dtypes_are_not_equal_to_others(dt):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for other in (dt, np.dtype(dt), np.dtype(dt).type, None, 0, float, object()):
            assert not dtype(dt) == other
            assert dtype(dt) != other


class Dtype:
    """As some library's."""


class Float64DType:
    """As pandas's, and one that can't be shown as text of C."""

    def __init__(self, shown="a\0b"):
        self.shown = shown

    def __repr__(self):
        return self.shown


class Text(str):
    def __repr__(self):
        raise ValueError("mine")


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize(
    "make",
    [str, np.dtype, lambda dt: np.dtype(dt).type, lambda dt: Dtype(), lambda dt: bool, lambda dt: int, lambda dt: float]
    + [
        lambda dt: complex,
        lambda dt: Float64DType(),
        lambda dt: Float64DType("\ud800"),
        lambda dt: Float64DType(1),
        Text,
    ],
)
def test_comparisons_that_are_true_elsewhere_warn(make, dt):
    for compare, want in ((operator.eq, False), (operator.ne, True)):
        with pytest.warns(
            UserWarning, match=rf"{dt} of strictarray is compared with .*: x.dtype == xp.{dt}\."
        ) as found:
            assert compare(dtype(dt), make(dt)) is want
        assert len(found) == 1 and found[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            assert dtype(dt) == make(dt)


@pytest.mark.parametrize(
    "other",
    [None, 0, 1.5, "numeric", "floa\ud800t64", "", object, object(), type, Dtype, xp.CPU_DEVICE, [], xp.ones(())]
    + [np.float64(1.0), np.ones(2), np.ma.masked, np.random.default_rng(0)],
)
def test_other_comparisons_of_dtypes_are_false_in_silence(other):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (xp.float64 == other) is False
        assert (xp.float64 != other) is True


@pytest.mark.parametrize(
    "name", ["kind", "itemsize", "dtype", "__numpy_dtype__", "na_value", "char", "str", "type", "byteorder"]
)
def test_names_a_dtype_does_not_have(name):
    assert not any(hasattr(dtype(dt), name) for dt in DTYPES)


def test_dtypes_are_immutable_and_not_called():
    with pytest.raises(AttributeError):
        xp.float64.name_of_mine = 1
    with pytest.raises(TypeError):
        xp.float64(1.0)
    with pytest.raises(TypeError):
        type(xp.float64)()


# astype


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_astype(source, target):
    a = sample(source, (2, 5))
    x = own(a)
    if source in COMPLEX_FLOATING and target not in ("bool", *COMPLEX_FLOATING):
        for copy in (True, False):
            with pytest.raises(TypeError, match="dtype") as e:
                xp.astype(x, dtype(target), copy=copy)
            assert source in str(e.value)
            assert target in str(e.value)
    elif source in ("float32", "float64") and target in UNSIGNED:
        # Negative values have no meaning there.
        assert_same(xp.astype(own(np.abs(a)), dtype(target)), np.abs(a).astype(target))
    else:
        assert_same(xp.astype(x, dtype(target)), a.astype(target))
        assert_same(xp.astype(x[::-1, ::2], dtype(target)), a[::-1, ::2].astype(target))
    assert_same(x, a)


@pytest.mark.parametrize("source", FLOATING)
def test_astype_to_bool(source):
    values = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        5e-324 if source in ("float64", "complex128") else 1e-45,
        math.nan,
        math.inf,
        -math.inf,
        0.5,
    ]
    expected = [False, False, True, True, True, True, True, True, True]
    assert_same(xp.astype(xp.asarray(values, dtype=dtype(source)), xp.bool), np.array(expected))


@pytest.mark.parametrize("source", COMPLEX_FLOATING)
def test_astype_complex_to_bool(source):
    values = [0j, complex(-0.0, -0.0), 1j, 1 + 0j, complex(0, math.nan), complex(math.nan, 0), complex(0, -math.inf)]
    x = xp.asarray(values, dtype=dtype(source))
    assert_same(xp.astype(x, xp.bool), np.array([False, False, True, True, True, True, True]))


@pytest.mark.parametrize(("source", "target"), [(s, t) for s, t in PAIRS if s in INTEGER and t in INTEGER])
def test_astype_between_integers_wraps(source, target):
    info = np.iinfo(source)
    a = np.array([info.min, info.max, 0, 1, info.max // 2], dtype=source)
    assert_same(xp.astype(own(a), dtype(target)), a.astype(target))


@pytest.mark.parametrize("target", SIGNED)
def test_astype_of_floats_truncates(target):
    a = np.array([1.9, -1.9, 0.5, -0.5, -0.0, 100.999, -100.999])
    assert_same(xp.astype(own(a), dtype(target)), np.array([1, -1, 0, 0, 0, 100, -100], dtype=target))


def test_astype_rounds_to_nearest():
    a = np.array([0.1, 1 + 2**-25, 2.0**24 + 1, 1e300, 1e-320, 3.4028236e38])
    assert_same(xp.astype(own(a), xp.float32), a.astype("float32"))
    big = np.array([2**53 + 1, 2**63 - 1, -(2**63)])
    assert_same(xp.astype(own(big), xp.float64), big.astype("float64"))
    assert_same(xp.astype(own(big), xp.float32), big.astype("float32"))
    unsigned = np.array([2**64 - 1, 2**63 + 1], dtype="uint64")
    assert_same(xp.astype(own(unsigned), xp.float64), unsigned.astype("float64"))
    assert_same(xp.astype(own(unsigned), xp.float32), unsigned.astype("float32"))


@pytest.mark.parametrize("source", REAL_FLOATING)
@pytest.mark.parametrize("target", INTEGER)
def test_astype_of_what_does_not_fit_does_not_crash(source, target):
    x = xp.asarray([math.nan, math.inf, -math.inf, 1e30, -1e30, -1.0], dtype=dtype(source))
    assert xp.astype(x, dtype(target)).shape == (6,)


@pytest.mark.parametrize("dt", DTYPES)
def test_astype_of_the_same_dtype(dt):
    x = own(sample(dt))
    assert xp.astype(x, dtype(dt), copy=False) is x
    y = xp.astype(x, dtype(dt))
    assert y is not x
    assert data_pointer(y) != data_pointer(x)
    y = xp.astype(x, dtype(dt), copy=True)
    assert data_pointer(y) != data_pointer(x)


@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_astype_honours_the_device(dev):
    x = own(sample("int32"))
    for copy in (True, False):
        y = xp.astype(x, xp.int32, copy=copy, device=device(dev))
        assert y.device == device(dev)
        assert xp.astype(x, xp.float32, copy=copy, device=device(dev)).device == device(dev)
        assert xp.astype(y, xp.float32, copy=copy).device == device(dev)
        assert xp.astype(y, xp.float32, copy=copy, device=None).device == device(dev)


def test_astype_is_positional():
    with pytest.raises(TypeError):
        xp.astype(x=xp.zeros(1), dtype=xp.float32)
    with pytest.raises(TypeError):
        xp.astype(xp.zeros(1), dtype=xp.float32)
    with pytest.raises(TypeError):
        xp.astype(xp.zeros(1), xp.float32, True)


@pytest.mark.parametrize("version", ["2022.12"])
def test_astype_device_came_in_2023(version):
    with flags(api_version=version):
        with pytest.raises(TypeError, match="device"):
            xp.astype(xp.zeros(1), xp.float32, device=xp.CPU_DEVICE)
        assert xp.astype(xp.zeros(1), xp.float32).dtype == xp.float32


# can_cast


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_can_cast(source, target):
    expected = PROMOTED.get((source, target)) == target
    got = xp.can_cast(dtype(source), dtype(target))
    assert got is expected
    assert xp.can_cast(own(sample(source)), dtype(target)) is expected


@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_can_cast_follows_the_device_of_an_array(dev):
    for source, target in PAIRS:
        if source in MISSING_DTYPES[dev]:
            continue
        x = xp.ones(2, dtype=dtype(source), device=device(dev))
        expected = PROMOTED.get((source, target)) == target and target not in MISSING_DTYPES[dev]
        assert xp.can_cast(x, dtype(target)) is expected


def test_can_cast_to_is_no_array():
    with pytest.raises(TypeError, match="to"):
        xp.can_cast(xp.float32, xp.zeros(1))


# result_type


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_result_type_of_two(left, right):
    expected = PROMOTED.get((left, right))
    x, y = own(sample(left)), own(sample(right, ()))
    for args in ((dtype(left), dtype(right)), (x, y), (x, dtype(right)), (dtype(left), y)):
        if expected is None:
            with pytest.raises(TypeError):
                xp.result_type(*args)
        else:
            assert xp.result_type(*args) == dtype(expected)


@pytest.mark.parametrize("dt", DTYPES)
def test_result_type_of_one(dt):
    assert xp.result_type(dtype(dt)) == xp.result_type(own(sample(dt))) == dtype(dt)


def test_result_type_is_associative():
    for a, b, c in itertools.product(SIGNED + UNSIGNED[:3], repeat=3):
        joined = PROMOTED[PROMOTED[a, b], c]
        assert xp.result_type(dtype(a), dtype(b), dtype(c)) == dtype(joined)
        assert xp.result_type(dtype(c), dtype(a), dtype(b)) == dtype(joined)


def test_result_type_of_many():
    assert xp.result_type(*[xp.int8] * 100, xp.uint8) == xp.int16
    assert xp.result_type(xp.float32, xp.complex64, xp.float64) == xp.complex128


SCALARS = {"bool": True, "int": 1, "float": 1.5, "complex": 2j}


@pytest.mark.parametrize("kind", SCALARS)
@pytest.mark.parametrize("dt", DTYPES)
def test_result_type_with_scalars(kind, dt):
    accepted = {
        "bool": dt if dt == "bool" else None,
        "int": dt if dt in NUMERIC else None,
        "float": dt if dt in FLOATING else None,
        "complex": COMPLEX_OF.get(dt),
    }[kind]
    s = SCALARS[kind]
    for args in ((dtype(dt), s), (s, dtype(dt)), (own(sample(dt)), s), (s, dtype(dt), s)):
        if accepted is None:
            with pytest.raises(TypeError):
                xp.result_type(*args)
        else:
            assert xp.result_type(*args) == dtype(accepted)


@pytest.mark.parametrize("args", [(), (1,), (1, 2.0), (True,), (1j, 1)], ids=str)
def test_result_type_needs_an_array_or_a_dtype(args):
    with pytest.raises((TypeError, ValueError)):
        xp.result_type(*args)


@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_result_type_follows_the_device(dev):
    x = xp.ones(2, dtype=xp.float32, device=device(dev))
    i, u = (xp.ones(2, dtype=d, device=device(dev)) for d in (xp.int32, xp.uint32))
    if "float64" in MISSING_DTYPES[dev]:
        with pytest.raises((TypeError, ValueError)):
            xp.result_type(x, xp.float64)
    else:
        assert xp.result_type(x, xp.float64) == xp.float64
    if "int64" in MISSING_DTYPES[dev]:
        with pytest.raises((TypeError, ValueError)):
            xp.result_type(i, u)
    else:
        assert xp.result_type(i, u) == xp.int64
    assert xp.result_type(x, 1j) == xp.complex64
    assert xp.result_type(xp.int32, xp.uint32) == xp.int64


def test_result_type_of_mixed_devices():
    with pytest.raises(ValueError, match="device"):
        xp.result_type(xp.ones(1), xp.ones(1, device=device("device1")))


def test_result_type_of_scalars_came_in_2024():
    with flags(api_version="2023.12"):
        with pytest.raises(TypeError):
            xp.result_type(xp.float64, 1)
        assert xp.result_type(xp.float64, xp.float32) == xp.float64


# finfo, iinfo


@pytest.mark.parametrize("dt", FLOATING)
def test_finfo(dt):
    real = {"complex64": "float32", "complex128": "float64"}.get(dt, dt)
    expected = np.finfo(real)
    for info in (xp.finfo(dtype(dt)), xp.finfo(own(sample(dt)))):
        assert info.bits == expected.bits
        assert type(info.bits) is int
        for name in ("eps", "max", "min", "smallest_normal"):
            assert type(getattr(info, name)) is float
            assert getattr(info, name) == float(getattr(expected, name))
        assert info.dtype == dtype(real)
        assert {n for n in dir(info) if not n.startswith("_")} == {
            "bits",
            "eps",
            "max",
            "min",
            "smallest_normal",
            "dtype",
        }


@pytest.mark.parametrize("dt", INTEGER)
def test_iinfo(dt):
    expected = np.iinfo(dt)
    for info in (xp.iinfo(dtype(dt)), xp.iinfo(own(sample(dt)))):
        for name in ("bits", "max", "min"):
            assert type(getattr(info, name)) is int
            assert getattr(info, name) == int(getattr(expected, name))
        assert info.dtype == dtype(dt)
        assert {n for n in dir(info) if not n.startswith("_")} == {"bits", "max", "min", "dtype"}


def test_finfo_of_integers_and_iinfo_of_floats():
    for dt in INTEGER:
        with pytest.raises(TypeError):
            xp.finfo(dtype(dt))
    for dt in FLOATING:
        with pytest.raises(TypeError):
            xp.iinfo(dtype(dt))


def test_info_objects_are_read_only():
    for info in (xp.finfo(xp.float32), xp.iinfo(xp.int8)):
        with pytest.raises(AttributeError):
            info.bits = 1


# isdtype

KINDS = {
    "bool": ("bool",),
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": INTEGER,
    "real floating": REAL_FLOATING,
    "complex floating": COMPLEX_FLOATING,
    "numeric": NUMERIC,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dt", DTYPES)
def test_isdtype_of_a_kind(kind, dt):
    assert xp.isdtype(dtype(dt), kind) is (dt in KINDS[kind])
    assert xp.isdtype(dtype=dtype(dt), kind=kind) is (dt in KINDS[kind])


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_isdtype_of_a_dtype(left, right):
    assert xp.isdtype(dtype(left), dtype(right)) is (left == right)


@pytest.mark.parametrize("dt", DTYPES)
def test_isdtype_of_a_tuple(dt):
    for a, b in itertools.combinations(KINDS, 2):
        assert xp.isdtype(dtype(dt), (a, b)) is (dt in KINDS[a] or dt in KINDS[b])
    assert xp.isdtype(dtype(dt), ("bool", xp.int8)) is (dt in ("bool", "int8"))
    assert xp.isdtype(dtype(dt), (xp.int8, xp.float64)) is (dt in ("int8", "float64"))
    assert xp.isdtype(dtype(dt), (dtype(dt),)) is True
    assert xp.isdtype(dtype(dt), ()) is False


def test_a_bool_array_from_odd_bytes_casts_to_0_and_1():
    from dlpack_structs import Producer, Tensor

    a = np.array([0, 1, 2, 255], dtype=np.uint8)
    x = xp.from_dlpack(Producer(Tensor(a, dtype=(6, 8, 1))))
    for dt in ("int8", "float64", "complex64"):
        assert_same(xp.astype(x, dtype(dt)), np.array([0, 1, 1, 1], dtype=dt))


def test_casts_of_strided_and_misaligned_arrays():
    a = np.frombuffer(bytearray(8 * 10 + 3), dtype=np.uint8)[3:].view(np.float64)
    a[...] = np.arange(10) - 4.5
    assert_same(xp.astype(from_np(a)[::-2], xp.int32), a[::-2].astype("int32"))
    assert to_np(xp.astype(from_np(a), xp.float32)).tolist() == a.astype("float32").tolist()
