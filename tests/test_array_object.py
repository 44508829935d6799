"""The array object: attributes, conversions, protocols it has and protocols it must not have."""

import copy
import gc
import math
import operator
import pickle
import re
import weakref

import numpy as np
import pytest
from dlpack_structs import data_pointer
from support import (
    COMPLEX_FLOATING,
    CPU,
    DEVICE_DTYPES,
    DEVICE_NAMES,
    DTYPES,
    FLOATING,
    INTEGER,
    OFF_CPU,
    REAL_FLOATING,
    assert_same,
    device,
    dtype,
    flags,
    own,
    sample,
    stable_id,
    to_np,
)

import strictarray as xp

Array = type(xp.zeros(1))

SHAPES = [(), (0,), (1,), (5,), (2, 3), (0, 3), (3, 0, 2), (2, 3, 4), (1,) * 64]


# Attributes


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: f"{len(s)}-d {s[:3]}")
@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_attributes(shape, dev):
    x = xp.ones(shape, dtype=xp.int32, device=device(dev))
    assert x.shape == shape
    assert type(x.shape) is tuple
    assert all(type(n) is int for n in x.shape)
    assert x.ndim == len(shape)
    assert type(x.ndim) is int
    assert x.size == math.prod(shape)
    assert type(x.size) is int
    assert x.dtype == xp.int32
    assert x.device == device(dev)


@pytest.mark.parametrize("name", ["shape", "ndim", "size", "dtype", "device", "T", "mT", "anything"])
def test_attributes_are_not_set(name):
    with pytest.raises(AttributeError):
        setattr(xp.zeros((2, 2)), name, 1)


@pytest.mark.parametrize("shape", [(2, 3), (0, 3), (1, 1)])
@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_transpose(shape, dev):
    a = sample("int32", shape)
    x = own(a, dev)
    assert_same(x.T, a.T)
    assert_same(x.T.T, a)
    assert x.T.device == device(dev)


@pytest.mark.parametrize("shape", [(2, 3), (4, 2, 3), (0, 2, 3), (2, 1, 3, 4)])
def test_matrix_transpose(shape):
    a = sample("float64", shape)
    assert_same(own(a).mT, np.swapaxes(a, -1, -2))


@pytest.mark.parametrize("shape", [(), (3,), (2, 3, 4), (1,) * 64])
def test_transpose_needs_two_dimensions(shape):
    with pytest.raises(ValueError, match="dim|axes"):
        xp.ones(shape).T  # noqa: B018


@pytest.mark.parametrize("shape", [(), (3,)])
def test_matrix_transpose_needs_two_dimensions(shape):
    with pytest.raises(ValueError, match="dim|axes"):
        xp.ones(shape).mT  # noqa: B018


# The namespace


@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_array_namespace(dev):
    x = xp.zeros(1, device=device(dev))
    assert x.__array_namespace__() is xp
    assert x.__array_namespace__(api_version=None) is xp
    assert x.__array_namespace__(api_version="2025.12") is xp


@pytest.mark.parametrize("bad", ["2020.10", "latest", "", "2025"])
def test_array_namespace_of_an_unknown_version(bad):
    with pytest.raises(ValueError, match="api_version|version"):
        xp.zeros(1).__array_namespace__(api_version=bad)


@pytest.mark.parametrize("bad", [2025.12, 2025, ("2025.12",)])
def test_array_namespace_version_must_be_a_string(bad):
    with pytest.raises(TypeError, match="api_version") as e:
        xp.zeros(1).__array_namespace__(api_version=bad)
    assert (e.value.rule, e.value.argument) == ("version-type", "api_version")


@pytest.mark.filterwarnings("ignore")
def test_asking_for_a_namespace_changes_no_flag():
    before = xp.get_array_api_strict_flags()
    xp.zeros(1).__array_namespace__(api_version="2022.12")
    assert xp.get_array_api_strict_flags() == before


# Conversions to Python scalars

# value, dtypes it is in
TRUTH = [
    (0, INTEGER + FLOATING, False),
    (1, INTEGER + FLOATING, True),
    (100, INTEGER + FLOATING, True),
    (-1, ("int8", "int64", *FLOATING), True),
    (-0.0, FLOATING, False),
    (0.5, FLOATING, True),
    (math.nan, FLOATING, True),
    (math.inf, FLOATING, True),
    (-math.inf, FLOATING, True),
    (complex(0, 1), COMPLEX_FLOATING, True),
    (complex(0, -0.0), COMPLEX_FLOATING, False),
    (complex(0, math.nan), COMPLEX_FLOATING, True),
    (complex(-0.0, math.inf), COMPLEX_FLOATING, True),
    (True, ("bool",), True),
    (False, ("bool",), False),
]


@pytest.mark.parametrize(("value", "dtypes", "expected"), TRUTH)
def test_bool(value, dtypes, expected):
    for dt in dtypes:
        assert bool(xp.asarray(value, dtype=dtype(dt))) is expected
        assert xp.asarray(value, dtype=dtype(dt)).__bool__() is expected


@pytest.mark.parametrize(
    ("value", "expected"), [(1.9, 1), (-1.9, -1), (-0.0, 0), (0.0, 0), (2.0**40, 2**40), (-(2.0**52), -(2**52))]
)
@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_int_of_a_float_is_its_integer_part(value, expected, dt):
    got = int(xp.asarray(value, dtype=dtype(dt)))
    assert got == expected
    assert type(got) is int


def test_int_of_a_large_float_is_exact():
    assert int(xp.asarray(1e300)) == int(1e300)
    assert int(xp.asarray(-1e300)) == int(-1e300)


@pytest.mark.parametrize("dt", REAL_FLOATING)
@pytest.mark.parametrize(
    ("value", "error"), [(math.nan, ValueError), (math.inf, OverflowError), (-math.inf, OverflowError)]
)
def test_int_of_what_is_no_number(dt, value, error):
    with pytest.raises(error):
        int(xp.asarray(value, dtype=dtype(dt)))


@pytest.mark.parametrize("dt", INTEGER)
def test_integers_convert_exactly(dt):
    info = np.iinfo(dt)
    for value in (int(info.min), int(info.max), 0, 1):
        x = xp.asarray(value, dtype=dtype(dt))
        assert int(x) == operator.index(x) == value
        assert type(int(x)) is type(operator.index(x)) is int
        assert float(x) == float(value)
        assert type(float(x)) is float
        assert complex(x) == complex(value)
        assert type(complex(x)) is complex


@pytest.mark.parametrize("value", [True, False])
def test_conversions_of_bool(value):
    x = xp.asarray(value)
    assert bool(x) is value
    assert int(x) == int(value)
    assert type(int(x)) is int
    assert float(x) == float(value)
    assert complex(x) == complex(value)


@pytest.mark.parametrize("dt", REAL_FLOATING)
@pytest.mark.parametrize("value", [1.5, -2.25, 0.0, -0.0, math.inf, -math.inf])
def test_float_and_complex_of_a_float(dt, value):
    x = xp.asarray(value, dtype=dtype(dt))
    got = float(x)
    assert got == value
    assert math.copysign(1, got) == math.copysign(1, value)
    assert complex(x) == complex(value, 0)
    assert math.copysign(1, complex(x).imag) == 1


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_float_and_complex_of_nan(dt):
    x = xp.asarray(math.nan, dtype=dtype(dt))
    assert math.isnan(float(x))
    # The standard wants NaN in both components.
    got = complex(x)
    assert math.isnan(got.real)
    assert math.isnan(got.imag)


def test_float32_converts_to_the_nearest_double():
    assert float(xp.asarray(0.1, dtype=xp.float32)) == float(np.float32(0.1))


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("value", [1.5 - 2.25j, complex(-0.0, 0.0), complex(math.inf, 1), complex(1, -math.inf)])
def test_complex_of_a_complex(dt, value):
    got = complex(xp.asarray(value, dtype=dtype(dt)))
    assert got == value
    assert math.copysign(1, got.real) == math.copysign(1, value.real)


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("convert", [int, float, operator.index])
def test_complex_is_no_real_number(dt, convert):
    with pytest.raises(TypeError):
        convert(xp.asarray(1 + 0j, dtype=dtype(dt)))


@pytest.mark.parametrize("dt", ["bool", *FLOATING])
def test_index_is_for_integers(dt):
    x = xp.ones((), dtype=dtype(dt))
    with pytest.raises(TypeError):
        operator.index(x)
    with pytest.raises(TypeError):
        [10, 20, 30][x]


def test_an_integer_array_indexes_a_list():
    assert [10, 20, 30][xp.asarray(1)] == 20
    assert list(range(xp.asarray(3, dtype=xp.int8))) == [0, 1, 2]


@pytest.mark.parametrize("shape", [(1,), (0,), (2,), (1, 1), (2, 3), (1,) * 64], ids=lambda s: f"{len(s)}-d {s[:2]}")
@pytest.mark.parametrize("convert", [bool, int, float, complex, operator.index])
@pytest.mark.parametrize("dt", DTYPES)
def test_only_0d_arrays_convert(shape, convert, dt):
    with pytest.raises(TypeError):
        convert(xp.ones(shape, dtype=dtype(dt)))


@pytest.mark.parametrize("dev", OFF_CPU)
def test_conversions_work_on_every_device(dev):
    x = xp.asarray(2, dtype=xp.int32, device=device(dev))
    assert (bool(x), int(x), float(x), complex(x), operator.index(x)) == (True, 2, 2.0, 2 + 0j, 2)


# Iteration, len, in, hash


@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_a_1d_array_iterates_as_0d_arrays(dev):
    items = list(own(np.array([3, 1, 2], dtype="int32"), dev))
    assert [int(i) for i in items] == [3, 1, 2]
    for item in items:
        assert type(item) is Array
        assert item.shape == ()
        assert item.dtype == xp.int32
        assert item.device == device(dev)


def test_iteration_of_views_and_of_nothing():
    assert [int(i) for i in xp.arange(10)[::-3]] == [9, 6, 3, 0]
    assert list(xp.zeros(0)) == []
    a, b = xp.asarray([1.5, 2.5])
    assert float(a) + float(b) == 4.0


def test_an_iterator_keeps_its_array():
    it = iter(xp.arange(1000))
    gc.collect()
    assert sum(int(i) for i in it) == 499500
    with pytest.raises(StopIteration):
        next(it)


@pytest.mark.parametrize("shape", [(), (2, 3), (1, 1), (0, 2), (2, 0, 1)])
def test_other_arrays_do_not_iterate(shape):
    x = xp.ones(shape)
    for call in (iter, list, tuple, lambda x: next(iter(x)), lambda x: [*x]):
        with pytest.raises(TypeError):
            call(x)


@pytest.mark.parametrize("shape", [(), (3,), (0,), (2, 3)])
def test_protocols_a_strict_array_does_not_have(shape):
    x = xp.ones(shape)
    for call in (len, hash, reversed, lambda x: 1.0 in x, lambda x: x in x, lambda x: {x}, lambda x: {x: 1}):
        with pytest.raises(TypeError):
            call(x)


ABSENT = """
    astype flags nbytes itemsize strides data base chunks iloc mask name real imag flat item tolist tobytes reshape
    ravel flatten sum mean max min any all sort argsort copy view fill squeeze transpose swapaxes conj dot round clip
    compute persist numpy cpu cuda requires_grad detach at
    __len__ __array_function__ __array_interface__ __array_struct__ __cuda_array_interface__ __dataframe__
    __divmod__ __rdivmod__ __reversed__
""".split()


@pytest.mark.parametrize("name", ABSENT)
def test_names_an_array_does_not_have(name):
    assert not hasattr(xp.zeros((2, 2)), name)


def test_the_type():
    assert Array.__name__ == "Array"
    assert Array.__module__.split(".")[0] == "strictarray"
    assert Array.__mro__ == (Array, object)
    assert Array.__array_ufunc__ is None


@pytest.mark.parametrize("args", [(), (1,), ([1, 2],), ((2, 3),), (xp.zeros(1),)], ids=lambda a: str(len(a)))
def test_the_type_is_not_called(args):
    with pytest.raises(TypeError):
        Array(*args)
    with pytest.raises(TypeError):
        Array.__new__(Array, *args)


def test_the_type_can_be_patched(monkeypatch):
    x = xp.zeros((2, 3))
    with monkeypatch.context() as patch:
        patch.setattr(Array, "shape", property(lambda self: (None, 3)))
        patch.setattr(Array, "__bool__", lambda self: True)
        patch.setattr(Array, "new_name", 5, raising=False)
        assert x.shape == (None, 3)
        assert bool(x) is True
        assert x.new_name == 5
    assert x.shape == (2, 3)
    assert not hasattr(x, "new_name")
    with pytest.raises(TypeError):
        bool(x)


# Printing


def squeeze(text):
    return re.sub(r"\s+", " ", text).replace("[ ", "[").replace(", ", ",").replace(",", ", ").replace(", )", ",)")


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda: xp.asarray([1, 2]), "Array([1, 2], dtype=strictarray.int64)"),
        (lambda: xp.asarray(5, dtype=xp.uint8), "Array(5, dtype=strictarray.uint8)"),
        (lambda: xp.asarray([True, True]), "Array([True, True], dtype=strictarray.bool)"),
        (lambda: xp.asarray([[1, 2], [3, 4]], dtype=xp.int8), "Array([[1, 2], [3, 4]], dtype=strictarray.int8)"),
        (
            lambda: xp.asarray([1, 2], device=device("device1")),
            "Array([1, 2], dtype=strictarray.int64, device=strictarray.Device('device1'))",
        ),
        (lambda: xp.zeros((0, 3)), "empty((0, 3), dtype=strictarray.float64)"),
        (lambda: xp.zeros((0,), dtype=xp.bool), "empty((0,), dtype=strictarray.bool)"),
        (
            lambda: xp.zeros((2, 0), device=device("no_x64")),
            "empty((2, 0), dtype=strictarray.float32, device=strictarray.Device('no_x64'))",
        ),
    ],
)
def test_repr(build, expected):
    x = build()
    assert squeeze(repr(x)) == expected
    assert str(x) == repr(x)


NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+|inf|nan)j?")


@pytest.mark.parametrize("dt", [d for d in DTYPES if d not in ("bool", *COMPLEX_FLOATING)])
def test_repr_shows_the_values(dt):
    a = sample(dt, (2, 4))
    text = repr(own(a))
    shown = [float(n) for n in NUMBER.findall(text.rsplit("dtype", 1)[0].replace("Array", ""))]
    assert shown == [float(v) for v in a.ravel()]
    assert f"dtype=strictarray.{dt}" in text


def test_repr_of_special_floats():
    text = repr(xp.asarray([math.nan, math.inf, -math.inf, -0.0, 1e-300, 1e300]))
    for part in ("nan", "inf", "-inf", "-0", "e-300", "e+300" if "e+300" in text else "e300"):
        assert part in text


@pytest.mark.parametrize("dt", FLOATING)
@pytest.mark.parametrize("scale", [1.0, 1e-30, 1e30])
def test_repr_has_the_digits_of_its_precision(dt, scale):
    """float32(sqrt(5)) is 2.236068, not 2.23606801, which are digits of a float64."""
    a = (np.sqrt(np.arange(1, 30)) * scale).astype(dt)
    if a.dtype.kind == "c":
        a += a[::-1] * np.array(1j, dtype=dt)
    for z in a:
        ours = NUMBER.findall(repr(own(np.array([z]))).rsplit("dtype", 1)[0])
        parts = [z.real, z.imag] if a.dtype.kind == "c" else [z]
        assert len(ours) == len(parts)
        for text, part in zip(ours, parts, strict=True):
            digits, _, exponent = text.strip("+j").partition("e")
            shortest = np.format_float_scientific(part, unique=True, trim="-").split("e")[0]
            assert math.isclose(float(text.strip("j")), part, rel_tol=1e-7)
            # Eight digits after the point at most; where fewer tell the number apart, no others.
            if len(shortest) <= 10:
                assert digits.strip("0.") == shortest.strip("0."), (text, shortest)


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
def test_repr_of_complex(dt):
    text = repr(xp.asarray([1.5 - 2j, -0.25 + 0j], dtype=dtype(dt)))
    assert "1.5" in text
    assert "j" in text
    assert "-0.25" in text


@pytest.mark.parametrize("shape", [(100_000,), (1000, 1000), (100, 100, 100)], ids=str)
def test_repr_of_long_arrays_is_short(shape):
    text = repr(xp.zeros(shape, dtype=xp.int8))
    assert len(text) < 8000
    assert "..." in text


def test_repr_of_a_short_array_is_whole():
    assert "..." not in repr(xp.arange(100))


def test_repr_of_many_dimensions_ends():
    assert repr(xp.zeros((1,) * 64, dtype=xp.int8)).count("[") == 64


@pytest.mark.parametrize("ndim", [14, 27, 40, 64])
def test_repr_of_many_short_axes_is_short(ndim):
    """None of the axes is long, but together they are."""
    text = repr(xp.broadcast_to(xp.asarray(1.5), (2,) * ndim if ndim < 62 else (2,) * 20 + (1,) * (ndim - 20)))
    # 5000 numbers, and between two rows up to as many line ends and brackets as there are axes.
    assert len(text) < 5000 * (10 + 3 * ndim)
    assert "..." in text and text.count("[") == text.count("]")


def test_repr_of_a_view():
    assert squeeze(repr(xp.arange(6)[::-2])) == "Array([5, 3, 1], dtype=strictarray.int64)"


# Pickle, copy, weak references


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(("dev", "dt"), DEVICE_DTYPES)
def test_pickle(dev, dt, protocol):
    for shape in ((2, 3), (), (0, 3)):
        x = own(sample(dt, shape), dev)
        y = pickle.loads(pickle.dumps(x, protocol=protocol))
        assert type(y) is Array
        assert_same(y, sample(dt, shape))
        assert y.device == device(dev)
        if shape == (2, 3):
            y[0, 0] = True if dt == "bool" else 5
            assert_same(x, sample(dt, shape))


@pytest.mark.parametrize(("dev", "dt"), DEVICE_DTYPES)
def test_a_pickle_beside_its_elements(dev, dt):
    """Protocol 5: what lies on the host travels without a copy, and shares its memory where it arrives."""
    device = xp.Device(dev)
    x = xp.astype(xp.asarray([[0, 1, 1], [1, 0, 1]], device=device), dtype(dt))
    for y in (x, x.T, x[:, ::2], x[:0, :], x[0, 0], xp.broadcast_to(x[0, :], (2, 3))):
        buffers = []
        data = pickle.dumps(y, protocol=5, buffer_callback=buffers.append)
        assert len(buffers) == 1 and memoryview(buffers[0]).nbytes == y.size * np.dtype(dt).itemsize
        back = pickle.loads(data, buffers=buffers)
        assert (back.dtype, back.device, back.shape) == (y.dtype, y.device, y.shape)
        assert xp.all(back == y)
        # What transports give instead: bytes, which can't be written to, or memory that can.
        for carrier in (bytes, bytearray, lambda b: memoryview(bytearray(b)), lambda b: memoryview(bytes(b))):
            carried = [carrier(buffer.raw()) for buffer in buffers]
            back = pickle.loads(data, buffers=carried)
            assert xp.all(back == y) and back.device == device
            back[...] = xp.zeros((), dtype=back.dtype, device=device)
            assert not xp.any(xp.astype(back, xp.bool))
            assert xp.all(pickle.loads(data, buffers=buffers) == y)


def test_a_pickle_beside_its_elements_shares_their_memory():
    x = xp.zeros(1000)
    buffers = []
    data = pickle.dumps(x, protocol=5, buffer_callback=buffers.append)
    assert len(data) < 500
    y = pickle.loads(data, buffers=buffers)
    x[0] = 1.0
    assert float(y[0]) == 1.0
    carried = bytearray(buffers[0].raw())
    z = pickle.loads(data, buffers=[carried])
    z[1] = 5.0
    assert memoryview(carried).cast("d")[1] == 5.0
    # Misaligned memory is copied; so is what goes to another device.
    shifted = memoryview(bytearray(8008))[1:8001]
    assert float(xp.sum(pickle.loads(data, buffers=[shifted]))) == 0.0
    far = x.to_device(xp.Device("device1"))
    data = pickle.dumps(far, protocol=5, buffer_callback=buffers.append)
    carried = bytearray(buffers[-1].raw())
    there = pickle.loads(data, buffers=[carried])
    there[0] = 7.0
    assert memoryview(carried).cast("d")[0] == 1.0 and float(far[0]) == 1.0
    with pytest.raises(ValueError, match="whole"):
        pickle.loads(data, buffers=[bytearray(16)])
    with pytest.raises(TypeError):
        pickle.loads(data, buffers=[memoryview(b"abc")[0]])


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_of_a_view_holds_the_view_only(protocol):
    x = xp.arange(100_000)
    y = x[10:0:-3]
    data = pickle.dumps(y, protocol=protocol)
    assert len(data) < 2000
    assert_same(pickle.loads(data), np.arange(100_000)[10:0:-3])
    assert_same(pickle.loads(pickle.dumps(xp.ones((2, 3)).T, protocol=protocol)), np.ones((3, 2)))


def test_pickle_keeps_the_bits_of_nan_and_zero():
    a = np.array([math.nan, -0.0, math.inf, 5e-324])
    got = pickle.loads(pickle.dumps(own(a)))
    assert to_np(got).tobytes() == a.tobytes()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("dt", DTYPES)
def test_pickle_of_a_dtype(dt, protocol):
    got = pickle.loads(pickle.dumps(dtype(dt), protocol=protocol))
    assert got == dtype(dt)
    assert hash(got) == hash(dtype(dt))


@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_copy_and_deepcopy(dev):
    a = sample("int32")
    x = own(a, dev)
    for y in (copy.copy(x), copy.deepcopy(x)):
        assert y is not x
        assert type(y) is Array
        assert y.device == device(dev)
        assert_same(y, a)
    deep = copy.deepcopy(x)
    deep[0, 0] = 5
    assert_same(x, a)
    assert_same(copy.deepcopy({"x": [x.T]})["x"][0], a.T)


def test_deepcopy_keeps_identity_within_one_object():
    x = xp.arange(3)
    a, b = copy.deepcopy([x, x])
    assert a is b


def test_weak_references():
    x = xp.arange(3)
    dead = []
    ref = weakref.ref(x, dead.append)
    assert ref() is x
    del x
    gc.collect()
    assert ref() is None
    assert len(dead) == 1
    weakref.WeakValueDictionary(x=xp.arange(3))


# Dimensions


def test_64_dimensions():
    x = xp.ones((1,) * 63 + (2,))
    assert x.ndim == 64
    assert_same(x + x, np.full((1,) * 63 + (2,), 2.0))
    assert x[..., 0].ndim == 63
    assert x.mT.shape == (1,) * 62 + (2, 1)
    assert_same(xp.asarray(x, copy=True), np.ones((1,) * 63 + (2,)))


def test_65_dimensions_are_refused():
    x = xp.ones((1,) * 64)
    nested = 1
    for _ in range(65):
        nested = [nested]
    for build in (
        lambda: xp.zeros((1,) * 65),
        lambda: xp.full((1,) * 65, 1),
        lambda: xp.empty((0,) * 65),
        lambda: xp.asarray(nested),
        lambda: xp.zeros((1,) * 100_000),
    ):
        with pytest.raises(ValueError, match="64"):
            build()
    with pytest.raises(ValueError, match="64") as e:
        x[..., None]
    assert (e.value.rule, e.value.argument) == ("max-dimensions", "key")


def test_elements_are_not_deleted():
    x = xp.arange(3)
    for key in (0, slice(None), ..., "a"):
        with pytest.raises(TypeError, match="del") as e:
            del x[key]
        assert (e.value.rule, e.value.argument) == ("deletion", "key")
    assert_same(x, np.arange(3))


# to_device


@pytest.mark.parametrize("stream", [1, 0, -1, object()])
def test_to_device_has_no_streams(stream):
    with pytest.raises(ValueError, match="stream") as e:
        xp.zeros(1).to_device(CPU, stream=stream)
    assert (e.value.rule, e.value.argument) == ("stream", "stream")


@pytest.mark.parametrize("bad", ["device1", None, 1, "cpu", xp.float64], ids=stable_id)
def test_to_device_takes_a_device(bad):
    with pytest.raises(ValueError, match="device") as e:
        xp.zeros(1).to_device(bad)
    assert (e.value.rule, e.value.argument) == ("not-a-device", "device")


def test_to_device_is_positional():
    with pytest.raises(TypeError):
        xp.zeros(1).to_device(device=CPU)
    with pytest.raises(TypeError):
        xp.zeros(1).to_device(CPU, None)
    assert xp.zeros(1).to_device(CPU, stream=None).device == CPU


# Flags that concern the object


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("version", ["2021.12", "2022.12", "2023.12", "2024.12", "2025.12", "2026.12"])
def test_the_basics_work_in_every_version(version):
    with flags(api_version=version):
        assert xp.__array_api_version__ == version
        x = xp.arange(3)
        assert int((x + 1)[2]) == 3
        assert repr(x) == "Array([0, 1, 2], dtype=strictarray.int64)"
    assert xp.__array_api_version__ == "2025.12"


def test_fresh_memory_is_aligned():
    for n in (1, 3, 100, 10_000):
        x = xp.zeros(n)
        assert data_pointer(x) % 64 == 0
