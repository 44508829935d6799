"""The buffer protocol, `__array__`, NumPy on the other side, and what `asarray` takes."""

import array
import collections
import ctypes
import decimal
import fractions
import gc
import hashlib
import mmap
import pickle
import struct
import zlib

import numpy as np
import pytest
from dlpack_structs import READ_ONLY, Producer, Tensor, address_of, data_pointer
from support import (
    COMPLEX_FLOATING,
    CPU,
    DEVICE_DTYPES,
    DEVICE_NAMES,
    DTYPES,
    INTEGER,
    OFF_CPU,
    READ_ONLY_ERRORS,
    assert_same,
    device,
    dtype,
    err,
    from_np,
    own,
    sample,
    stable_id,
    to_np,
)

import strictarray as xp

# Exporting: the buffer protocol

FORMATS = {
    "bool": "?",
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "lq",
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "uint64": "LQ",
    "float32": "f",
    "float64": "d",
    "complex64": "Zf",
    "complex128": "Zd",
}


@pytest.mark.parametrize("dt", DTYPES)
def test_memoryview(dt):
    a = sample(dt, (3, 4))
    m = memoryview(own(a))
    assert m.shape == (3, 4)
    assert m.ndim == 2
    assert m.itemsize == a.itemsize
    assert m.strides == a.strides
    assert m.nbytes == a.nbytes
    assert not m.readonly
    assert m.c_contiguous
    assert m.format.lstrip("@=<") in FORMATS[dt]
    assert m.format.lstrip("@=<")
    assert m.tobytes() == a.tobytes()
    np.testing.assert_array_equal(np.asarray(m), a)
    assert np.asarray(m).dtype == a.dtype


@pytest.mark.parametrize("dt", [d for d in DTYPES if d not in COMPLEX_FLOATING])
def test_memoryview_items(dt):
    a = sample(dt, (4,))
    m = memoryview(own(a))
    assert m.tolist() == a.tolist()
    m[1] = a[2].item()
    assert m[1] == a[2]


@pytest.mark.parametrize("dt", DTYPES)
def test_memoryview_of_views(dt):
    a = sample(dt, (4, 6))
    x = own(a)
    for view, expected in [
        (x[::-1, ::2], a[::-1, ::2]),
        (x.T, a.T),
        (x[1:, 2:4], a[1:, 2:4]),
        (x[:, 3], a[:, 3]),
        (x[None, ...], a[None]),
        (x[2, 3], a[2, 3]),
        (x[2:2, :], a[2:2]),
    ]:
        m = memoryview(view)
        assert m.shape == expected.shape
        assert m.tobytes() == expected.tobytes()
        np.testing.assert_array_equal(np.asarray(m), expected)


def test_a_write_through_a_memoryview_is_seen():
    x = xp.zeros((2, 3))
    memoryview(x)[1, 2] = 5.0
    assert to_np(x)[1, 2] == 5.0
    x[0, 0] = 7.0
    assert memoryview(x)[0, 0] == 7.0


def test_simple_requests_need_contiguous_memory():
    """bytes() and struct ask for plain bytes."""
    x = xp.arange(6, dtype=xp.uint8)
    assert bytes(x) == bytes(range(6))
    assert struct.unpack("6B", x) == tuple(range(6))
    assert bytes(memoryview(x)[::2]) == bytes(range(0, 6, 2))
    with pytest.raises(BufferError):
        struct.unpack("3B", x[::2])


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0), (2, 1, 2)])
def test_who_asks_for_no_shape_sees_bytes_in_a_row(shape):
    """Hashes do, and pickles' buffers pass it on."""
    a = np.arange(np.prod(shape, dtype=int), dtype="float64").reshape(shape)
    x = xp.asarray(a)
    for buffer in (x, pickle.PickleBuffer(x), memoryview(x)):
        assert hashlib.sha1(buffer).digest() == hashlib.sha1(a.tobytes()).digest()
        assert zlib.crc32(buffer) == zlib.crc32(a.tobytes())


def test_ctypes_shares_the_memory():
    x = xp.zeros(3)
    buffer = (ctypes.c_double * 3).from_buffer(x)
    buffer[1] = 4.0
    assert to_np(x).tolist() == [0.0, 4.0, 0.0]


def test_a_memoryview_keeps_the_memory():
    m = memoryview(xp.arange(1000))
    gc.collect()
    others = [xp.ones(1000) for _ in range(20)]
    assert m.tolist() == list(range(1000))
    assert len(others) == 20


def test_a_read_only_array_gives_a_read_only_buffer():
    x = xp.from_dlpack(Producer(Tensor(np.arange(3.0), flags=READ_ONLY)))
    assert memoryview(x).readonly
    assert not np.asarray(x).flags.writeable
    with pytest.raises((TypeError, BufferError)):
        (ctypes.c_double * 3).from_buffer(x)
    with pytest.raises(TypeError):
        memoryview(x)[0] = 1.0


@pytest.mark.parametrize(("dev", "dt"), [(d, t) for d, t in DEVICE_DTYPES if d != "CPU_DEVICE"])
def test_other_devices_export_no_buffer(dev, dt):
    with pytest.raises(BufferError, match=dev) as e:
        memoryview(xp.ones(2, dtype=dtype(dt), device=device(dev)))
    assert "to_device" in err(e) or "asarray" in err(e)


# Exporting: NumPy


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 3)])
def test_np_asarray_shares(dt, shape):
    x = own(sample(dt, shape))
    a = np.asarray(x)
    assert type(a) is np.ndarray
    assert a.dtype == np.dtype(dt)
    np.testing.assert_array_equal(a, sample(dt, shape))
    if a.size:
        assert address_of(a) == data_pointer(x)
        a[...] = True if dt == "bool" else 7
        assert (to_np(x) == (True if dt == "bool" else 7)).all()


def test_np_asarray_of_views():
    a = np.arange(24.0).reshape(4, 6)
    x = own(a)
    np.testing.assert_array_equal(np.asarray(x[::-1, ::2].T), a[::-1, ::2].T)
    assert np.asarray(x.T).strides == a.T.strides


def test_np_array_copies():
    x = xp.arange(3)
    a = np.array(x)
    a[0] = 99
    assert_same(x, np.arange(3))


@pytest.mark.parametrize("dev", OFF_CPU)
@pytest.mark.parametrize(
    "convert",
    [
        np.asarray,
        np.array,
        lambda x: np.asarray(x, dtype=np.float64),
        lambda x: np.array(x, copy=True),
        lambda x: np.stack([x, x]),
    ],
)
def test_numpy_refuses_other_devices(dev, convert):
    with pytest.raises(RuntimeError, match=dev):
        convert(xp.ones(2, dtype=xp.float32, device=device(dev)))


@pytest.mark.parametrize("dt", DTYPES)
def test_the_array_method(dt):
    x = own(sample(dt))
    np.testing.assert_array_equal(x.__array__(), sample(dt))
    assert type(x.__array__()) is np.ndarray
    assert address_of(x.__array__()) == data_pointer(x)
    assert x.__array__(np.dtype("complex128")).dtype == np.complex128
    assert x.__array__(dtype=None, copy=None).dtype == np.dtype(dt)
    copied = x.__array__(copy=True)
    assert address_of(copied) != data_pointer(x)
    assert address_of(x.__array__(copy=False)) == data_pointer(x)


def test_the_array_method_refuses_a_needed_copy():
    with pytest.raises(ValueError):
        xp.arange(3).__array__(dtype=np.dtype("float32"), copy=False)


@pytest.mark.parametrize("dev", OFF_CPU)
def test_the_array_method_of_other_devices(dev):
    x = xp.ones(2, dtype=xp.float32, device=device(dev))
    for call in (x.__array__, lambda: x.__array__(copy=True), lambda: x.__array__(np.dtype("float32"))):
        with pytest.raises(RuntimeError, match=dev):
            call()


def test_array_ufunc_is_none():
    assert xp.zeros(1).__array_ufunc__ is None


NUMPY_CALLS = {
    "ufunc": lambda x: np.sin(x),
    "ufunc with ndarray": lambda x: np.add(np.ones(2), x),
    "ndarray + x": lambda x: np.ones(2) + x,
    "x + ndarray": lambda x: x + np.ones(2),
    "ndarray @ x": lambda x: np.ones(2) @ x,
    "np.float64 * x": lambda x: np.float64(2) * x,
    "x * np.float64": lambda x: x * np.float64(2),
    "ndarray < x": lambda x: np.ones(2) < x,
    "out=": lambda x: np.add(np.ones(2), np.ones(2), out=x),
}


@pytest.mark.parametrize("call", NUMPY_CALLS)
def test_numpy_operators_and_ufuncs_fail(call):
    with pytest.raises(TypeError):
        NUMPY_CALLS[call](xp.ones(2))


def test_numpy_in_place_fails():
    a = np.ones(2)
    with pytest.raises(TypeError):
        a += xp.ones(2)
    np.testing.assert_array_equal(a, np.ones(2))


# asarray of what exports a buffer


def test_asarray_of_bytes_is_read_only():
    x = xp.asarray(b"abc")
    assert_same(x, np.array([97, 98, 99], dtype=np.uint8))
    with pytest.raises(READ_ONLY_ERRORS, match="(?i)read.?only"):
        x[0] = 1


def test_asarray_of_a_copy_of_bytes_is_writable():
    data = b"abc"
    x = xp.asarray(data, copy=True)
    x[0] = 1
    assert data == b"abc"


@pytest.mark.parametrize("code", "bBhHiIlLqQfd")
def test_asarray_of_array_array(code):
    source = array.array(code, [1, 2, 3])
    x = xp.asarray(source)
    assert_same(x, np.array([1, 2, 3], dtype=np.dtype(code)))
    x[0] = 7
    assert source[0] == 7


@pytest.mark.parametrize("dt", DTYPES)
def test_asarray_of_numpy_shares(dt):
    a = sample(dt, (3, 4))
    for source in (a, a.T, a[::-1, ::2], a[1:, 1]):
        for copy in (None, False):
            x = xp.asarray(source, copy=copy)
            assert x.device == CPU
            assert_same(x, source)
            assert data_pointer(x) == address_of(source)
    x = xp.asarray(a)
    x[0, 0] = True if dt == "bool" else 5
    assert a[0, 0] == (True if dt == "bool" else 5)


@pytest.mark.parametrize("dt", DTYPES)
def test_asarray_of_numpy_copies_on_request(dt):
    a = sample(dt)
    x = xp.asarray(a, copy=True)
    assert data_pointer(x) != address_of(a)
    assert_same(x, sample(dt))


@pytest.mark.parametrize(
    "build",
    [
        lambda: bytearray(b"\x01\x02\x03"),
        lambda: memoryview(bytearray(b"\x01\x02\x03")),
        lambda: memoryview(b"\x01\x02\x03"),
        lambda: (ctypes.c_uint8 * 3)(1, 2, 3),
        lambda: array.array("B", [1, 2, 3]),
        lambda: memoryview(bytearray(b"\x03\x02\x01"))[::-1],
        lambda: memoryview(bytearray(b"\x01\x00\x02\x00\x03"))[::2],
    ],
)
def test_asarray_of_byte_buffers(build):
    assert_same(xp.asarray(build()), np.array([1, 2, 3], dtype=np.uint8))
    assert_same(xp.asarray(build(), copy=False), np.array([1, 2, 3], dtype=np.uint8))
    assert_same(xp.asarray(build(), copy=True), np.array([1, 2, 3], dtype=np.uint8))


def test_asarray_of_a_multi_dimensional_memoryview():
    m = memoryview(bytearray(range(24))).cast("B", (2, 3, 4))
    assert_same(xp.asarray(m), np.arange(24, dtype=np.uint8).reshape(2, 3, 4))
    assert_same(xp.asarray(m.cast("B").cast("h")), np.frombuffer(bytes(range(24)), dtype=np.int16))


def test_asarray_of_a_0d_memoryview():
    m = memoryview(bytearray(struct.pack("d", 2.5))).cast("d", ())
    assert_same(xp.asarray(m), np.array(2.5))


def test_asarray_of_mmap():
    with mmap.mmap(-1, 4096) as m:
        m[:3] = b"\x01\x02\x03"
        x = xp.asarray(m, copy=True)
    assert_same(x[:3], np.array([1, 2, 3], dtype=np.uint8))
    assert x.shape == (4096,)


def test_a_shared_buffer_is_held():
    source = bytearray(b"abcd")
    x = xp.asarray(source)
    with pytest.raises(BufferError):
        source.extend(b"more")
    del x
    gc.collect()
    source.extend(b"more")


def test_asarray_of_a_read_only_numpy_array():
    a = np.arange(3.0)
    a.flags.writeable = False
    x = xp.asarray(a)
    assert data_pointer(xp.asarray(x)) == address_of(a)
    with pytest.raises(READ_ONLY_ERRORS, match="(?i)read.?only"):
        x += 1.0


BIG_ENDIAN = [f">{c}" for c in ("i2", "i4", "i8", "u2", "u4", "u8", "f4", "f8", "c8", "c16")]


@pytest.mark.parametrize("dt", BIG_ENDIAN)
@pytest.mark.parametrize("copy", [None, True, False])
def test_big_endian_buffers_are_refused(dt, copy):
    source = np.zeros(2, dtype=dt)
    with pytest.raises(TypeError, match=">") as e:
        xp.asarray(source, copy=copy)
    assert memoryview(source).format in err(e)


REFUSED_FORMATS = {
    "half": np.zeros(2, dtype=np.float16),
    "struct": np.zeros(2, dtype=[("a", "i4"), ("b", "f8")]),
    "padded struct": np.zeros(2, dtype={"names": ["a"], "formats": ["i4"], "itemsize": 16}),
    "bytes items": np.array([b"ab", b"cd"]),
    "str items": np.array(["ab", "cd"]),
    "objects": np.array([object(), object()]),
    "char": memoryview(bytearray(b"abc")).cast("c"),
    "wide char": array.array("u", "abc"),
    "pointer": (ctypes.c_void_p * 2)(),
    "ctypes struct": (
        type("S", (ctypes.Structure,), {"_fields_": [("a", ctypes.c_int8), ("b", ctypes.c_int64)]}) * 2
    )(),
    "long double": np.zeros(2, dtype=np.longdouble),
    "complex long double": np.zeros(2, dtype=np.clongdouble),
}


@pytest.mark.parametrize("case", REFUSED_FORMATS)
@pytest.mark.parametrize("copy", [None, True])
def test_other_formats_are_refused(case, copy):
    source = REFUSED_FORMATS[case]
    with pytest.raises(TypeError, match="format") as e:
        xp.asarray(source, copy=copy)
    assert memoryview(source).format in err(e)


@pytest.mark.parametrize(
    "source", [np.array(["2020-01-01"], dtype="M8[D]"), np.array([1], dtype="m8[s]")], ids=["datetime", "timedelta"]
)
def test_numpy_dtypes_without_a_buffer_are_refused(source):
    with pytest.raises(TypeError, match="buffer") as e:
        xp.asarray(source)
    assert (e.value.rule, e.value.argument) == ("buffer-format", "obj")


@pytest.mark.parametrize("dev", DEVICE_NAMES)
@pytest.mark.parametrize("copy", [None, True, False])
def test_asarray_of_a_buffer_on_a_device(dev, copy):
    a = np.arange(3, dtype=np.int32)
    if dev in OFF_CPU and copy is False:
        with pytest.raises(ValueError, match="copy"):
            xp.asarray(a, device=device(dev), copy=copy)
        return
    x = xp.asarray(a, device=device(dev), copy=copy)
    assert x.device == device(dev)
    a[0] = 99
    assert to_np(x)[0] == (99 if dev == "CPU_DEVICE" and not copy else 0)


def test_asarray_of_a_buffer_with_a_dtype():
    a = np.arange(3, dtype=np.int32)
    assert_same(xp.asarray(a, dtype=xp.int32, copy=False), a)
    assert data_pointer(xp.asarray(a, dtype=xp.int32)) == address_of(a)
    assert_same(xp.asarray(a, dtype=xp.int64), a.astype("int64"))
    assert_same(xp.asarray(a, dtype=xp.float64), a.astype("float64"))
    with pytest.raises(ValueError, match="copy"):
        xp.asarray(a, dtype=xp.int64, copy=False)


# asarray of Python scalars and sequences of them


@pytest.mark.parametrize("value", [1, 1.5, 1j, True, [1, 2], [[1.5], [2.5]], (True, False), []], ids=stable_id)
def test_copy_false_is_refused_for_python_objects(value):
    with pytest.raises(ValueError, match="copy"):
        xp.asarray(value, copy=False)
    xp.asarray(value, copy=True)
    xp.asarray(value, copy=None)


class MyList(list):
    pass


class MySequence(collections.abc.Sequence):
    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


@pytest.mark.parametrize(
    "value",
    [[1, 2], (1, 2), MyList([1, 2]), range(1, 3), MySequence(1, 2), collections.deque([1, 2])],
    ids=lambda v: type(v).__name__,
)
def test_sequences(value):
    assert_same(xp.asarray(value), np.array([1, 2]))


class OnlyArray:
    def __array__(self, dtype=None, copy=None):
        return np.ones(2)


class OnlyInterface:
    __array_interface__ = np.ones(2).__array_interface__


class MyFloat(float):
    pass


class MyInt(int):
    pass


ARRAYS_AND_SCALARS = {
    "np.float64": np.float64(1),
    "np.float32": np.float32(1),
    "np.int64": np.int64(1),
    "np.int8": np.int8(1),
    "np.bool_": np.bool_(True),
    "np.complex128": np.complex128(1),
    "ndarray": np.ones(2),
    "0-d ndarray": np.array(1.0),
    "our array": xp.ones(2),
    "our 0-d array": xp.asarray(1.0),
    "bytes": b"ab",
    "bytearray": bytearray(b"ab"),
    "memoryview": memoryview(b"ab"),
    "array.array": array.array("d", [1.0, 2.0]),
    "str": "ab",
    "None": None,
    "object": object(),
    "set": {1, 2},
    "dict": {1: 2},
    "float subclass": MyFloat(1),
    "int subclass": MyInt(1),
    "Fraction": fractions.Fraction(1),
    "Decimal": decimal.Decimal(1),
    "dtype": xp.float64,
    "Ellipsis": ...,
    "slice": slice(1),
    "__array__": OnlyArray(),
}


@pytest.mark.parametrize("item", ARRAYS_AND_SCALARS)
@pytest.mark.parametrize(
    "wrap",
    [
        lambda v: [v],
        lambda v: (v,),
        lambda v: [1.0, v],
        lambda v: [[v]],
        lambda v: [[1.0, 2.0], [v, 1.0]],
        lambda v: ((1.0, (v,)),),
    ],
    ids=["[v]", "(v,)", "[1, v]", "[[v]]", "in a row", "ragged"],
)
def test_sequences_hold_python_scalars_only(item, wrap):
    value = wrap(ARRAYS_AND_SCALARS[item])
    # A ValueError where the nesting is found to be ragged first.
    ragged = len(value) == 1 and len(value[0]) == 2 if isinstance(value[0], tuple) else False
    with pytest.raises(ValueError if ragged else TypeError) as e:
        xp.asarray(value)
    assert (e.value.rule, e.value.argument) == ("asarray-ragged" if ragged else "asarray-object", "obj")


@pytest.mark.parametrize("item", ARRAYS_AND_SCALARS)
def test_a_list_of_one_such_object_is_a_type_error(item):
    with pytest.raises(TypeError, match="obj"):
        xp.asarray([ARRAYS_AND_SCALARS[item]])
    with pytest.raises(TypeError, match="obj"):
        xp.asarray([ARRAYS_AND_SCALARS[item]], dtype=xp.float64)


REFUSED = {
    "np.float64": np.float64(1),
    "np.float32": np.float32(1),
    "np.int64": np.int64(1),
    "np.uint8": np.uint8(1),
    "np.bool_": np.bool_(True),
    "np.complex128": np.complex128(1),
    "float subclass": MyFloat(1),
    "int subclass": MyInt(1),
    "str": "abc",
    "empty str": "",
    "None": None,
    "set": {1, 2},
    "frozenset": frozenset([1]),
    "dict": {0: 1},
    "dict keys": {0: 1}.keys(),
    "generator": (i for i in range(3)),
    "iterator": iter([1, 2]),
    "map": map(int, "12"),
    "object": object(),
    "type": int,
    "function": len,
    "Fraction": fractions.Fraction(1, 2),
    "Decimal": decimal.Decimal(1),
    "dtype": xp.float64,
    "device": CPU,
    "Ellipsis": ...,
    "slice": slice(3),
    "only __array__": OnlyArray(),
    "only __array_interface__": OnlyInterface(),
}


@pytest.mark.parametrize("case", REFUSED)
def test_asarray_refuses(case):
    with pytest.raises(TypeError, match="obj|asarray"):
        xp.asarray(REFUSED[case])


def test_asarray_of_a_string_is_recognised_by_its_text():
    with pytest.raises(TypeError, match="str"):
        xp.asarray("abc")


def test_asarray_of_a_dlpack_exporter_points_at_from_dlpack():
    producer = Producer()
    with pytest.raises(TypeError, match="from_dlpack"):
        xp.asarray(producer)
    assert producer.calls == []
    assert_same(xp.from_dlpack(producer), np.arange(6.0).reshape(2, 3))


def test_asarray_of_a_list_that_holds_itself():
    endless = []
    endless.append(endless)
    with pytest.raises(ValueError, match="64") as e:
        xp.asarray(endless)
    assert (e.value.rule, e.value.argument) == ("max-dimensions", "obj")


def test_a_sequence_that_lies_about_its_length():
    """Refused; never read beyond its end."""

    class Short(MySequence):
        def __getitem__(self, i):
            if i > 0:
                raise IndexError(i)
            return 1

    class Long(MySequence):
        def __len__(self):
            return 1

    for liar in (Short(1, 2, 3), Long(1, 2, 3), [Short(1, 2, 3)], [Long(1, 2)]):
        with pytest.raises(ValueError, match="length") as e:
            xp.asarray(liar)
        assert (e.value.rule, e.value.argument) == ("asarray-ragged", "obj")


@pytest.mark.parametrize("dt", INTEGER)
def test_both_sides_see_each_others_writes(dt):
    a = np.zeros(4, dtype=dt)
    x = from_np(a)
    b = np.asarray(x)
    y = xp.asarray(b)
    a[0] = 1
    x[1] = 2
    b[2] = 3
    y[3] = 4
    for view in (a, b, to_np(x), to_np(y)):
        assert view.tolist() == [1, 2, 3, 4]
