"""The C exchange API: each entry of the table that `type(x).__dlpack_c_exchange_api__` holds."""

import ctypes
import gc

import numpy as np
import pytest
from dlpack_structs import (
    READ_ONLY,
    Deleter,
    DLManagedTensorVersioned,
    DLPackVersion,
    DLTensor,
    Producer,
    Tensor,
    address_of,
    capsule_get_name,
    capsule_get_pointer,
    data_pointer,
    dlpack_dtype,
)
from support import DTYPES, OFF_CPU, READ_ONLY_ERRORS, assert_same, device, own, sample, to_np

import strictarray as xp

Array = type(xp.zeros(1))
NAME = b"dlpack_exchange_api"

ManagedPointer = ctypes.POINTER(DLManagedTensorVersioned)
SetError = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)


class Header(ctypes.Structure):
    _fields_ = [("version", DLPackVersion), ("prev_api", ctypes.c_void_p)]


class ExchangeAPI(ctypes.Structure):
    _fields_ = [
        ("header", Header),
        ("managed_tensor_allocator", ctypes.c_void_p),
        ("managed_tensor_from_py_object_no_sync", ctypes.c_void_p),
        ("managed_tensor_to_py_object_no_sync", ctypes.c_void_p),
        ("dltensor_from_py_object_no_sync", ctypes.c_void_p),
        ("current_work_stream", ctypes.c_void_p),
    ]


assert ctypes.sizeof(ExchangeAPI) == 56

# Each returns 0 or -1; PYFUNCTYPE holds the GIL and raises the Python exception that a -1 comes with.
Allocator = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(DLTensor), ctypes.POINTER(ManagedPointer), ctypes.c_void_p, SetError
)
FromPy = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ManagedPointer))
ToPy = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
TensorFromPy = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))
WorkStream = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))


def table():
    return ExchangeAPI.from_address(capsule_get_pointer(Array.__dlpack_c_exchange_api__, NAME))


def from_py(x):
    """The managed tensor (a ctypes pointer) of an array."""
    out = ManagedPointer()
    assert FromPy(table().managed_tensor_from_py_object_no_sync)(x, ctypes.byref(out)) == 0
    return out


def to_py(address):
    """The array that takes a managed tensor over."""
    out = ctypes.c_void_p()
    assert ToPy(table().managed_tensor_to_py_object_no_sync)(address, ctypes.byref(out)) == 0
    x = ctypes.cast(out, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(x))
    return x


def tensor_from_py(x):
    out = DLTensor()
    assert TensorFromPy(table().dltensor_from_py_object_no_sync)(x, ctypes.byref(out)) == 0
    return out


def release(managed):
    Deleter(managed.contents.deleter)(ctypes.cast(managed, ctypes.c_void_p).value)


def fields(tensor):
    return {
        "data": (tensor.data or 0) + tensor.byte_offset,
        "device": (tensor.device.device_type, tensor.device.device_id),
        "shape": tuple(tensor.shape[i] for i in range(tensor.ndim)),
        "strides": tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.ndim else (),
        "dtype": (tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes),
    }


def expected_fields(x, a):
    return {
        "data": data_pointer(x),
        "device": (1, 0),
        "shape": a.shape,
        "strides": tuple(s // a.itemsize for s in a.strides),
        "dtype": dlpack_dtype(a.dtype),
    }


def read_only_array():
    return xp.from_dlpack(Producer(Tensor(np.arange(3.0), flags=READ_ONLY)))


# The table


def test_the_capsule():
    capsule = Array.__dlpack_c_exchange_api__
    assert type(capsule).__name__ == "PyCapsule"
    assert capsule_get_name(capsule) == NAME


def test_the_table_is_one_and_stays():
    address = capsule_get_pointer(Array.__dlpack_c_exchange_api__, NAME)
    gc.collect()
    assert capsule_get_pointer(Array.__dlpack_c_exchange_api__, NAME) == address
    assert capsule_get_pointer(xp.zeros(1, device=device("device1")).__dlpack_c_exchange_api__, NAME) == address


def test_the_header():
    assert (table().header.version.major, table().header.version.minor) == (1, 3)
    assert table().header.prev_api is None


@pytest.mark.parametrize("entry", [name for name, _ in ExchangeAPI._fields_[1:]])
def test_every_entry_is_there(entry):
    assert getattr(table(), entry)


# managed_tensor_from_py_object_no_sync


@pytest.mark.parametrize("dt", DTYPES)
def test_from_py_object(dt):
    a = sample(dt, (3, 4))
    x = own(a)
    for view, expected in [(x, a), (x[::-1, 1:], a[::-1, 1:]), (x.T, a.T), (x[1, 2:2], a[1, 2:2])]:
        managed = from_py(view)
        assert (managed.contents.version.major, managed.contents.version.minor) == (1, 3)
        assert managed.contents.flags == 0
        got, wanted = fields(managed.contents.dl_tensor), expected_fields(view, expected)
        if not expected.size:
            got["data"] = wanted["data"] = None
            got["strides"] = wanted["strides"] = None
        assert got == wanted
        release(managed)


def test_from_py_object_holds_the_memory():
    x = xp.arange(1000)
    managed = from_py(x)
    address = data_pointer(x)
    del x
    others = [xp.zeros(1000, dtype=xp.int64) for _ in range(20)]
    assert ctypes.string_at(address, 8000) == np.arange(1000).tobytes()
    release(managed)
    assert len(others) == 20


def test_from_py_object_of_a_read_only_array():
    managed = from_py(read_only_array())
    assert managed.contents.flags == READ_ONLY
    release(managed)


@pytest.mark.parametrize("dev", OFF_CPU)
def test_from_py_object_of_another_device(dev):
    x = xp.ones(2, dtype=xp.float32, device=device(dev))
    with pytest.raises(BufferError, match=dev):
        from_py(x)


NOT_ARRAYS = [None, 1, "x", np.zeros(1), [1.0], object(), Array]


@pytest.mark.parametrize("bad", NOT_ARRAYS, ids=lambda v: type(v).__name__)
def test_from_py_object_of_something_else(bad):
    with pytest.raises((TypeError, BufferError)):
        from_py(bad)
    with pytest.raises((TypeError, BufferError)):
        tensor_from_py(bad)


# managed_tensor_to_py_object_no_sync


@pytest.mark.parametrize("dt", DTYPES)
def test_to_py_object(dt):
    a = sample(dt, (3, 4))
    tensor = Tensor(a)
    x = to_py(tensor.address)
    assert type(x) is Array
    assert_same(x, a)
    assert data_pointer(x) == address_of(a)
    del x
    gc.collect()
    assert tensor.deleted == 1


def test_to_py_object_of_a_read_only_tensor():
    tensor = Tensor(np.arange(3.0), flags=READ_ONLY)
    x = to_py(tensor.address)
    with pytest.raises(READ_ONLY_ERRORS, match="(?i)read.?only"):
        x[0] = 1.0


@pytest.mark.parametrize(
    "bad",
    [
        {"dtype": (2, 16, 1)},
        {"device": (2, 0), "data": 8},
        {"ndim": -1},
        {"shape": (-1, 3)},
        {"version": (2, 0)},
        {"data": None},
    ],
    ids=str,
)
def test_to_py_object_of_what_we_do_not_take(bad):
    tensor = Tensor(np.arange(6.0).reshape(2, 3), **bad)
    with pytest.raises(BufferError):
        to_py(tensor.address)


@pytest.mark.parametrize("dt", DTYPES)
def test_round_trip(dt):
    a = sample(dt, (3, 4))
    x = own(a)
    y = to_py(ctypes.cast(from_py(x[::-1, ::2]), ctypes.c_void_p).value)
    assert_same(y, a[::-1, ::2])
    assert data_pointer(y) == data_pointer(x[::-1, ::2])
    y[0, 0] = True if dt == "bool" else 5
    assert to_np(x)[2, 0] == to_np(y)[0, 0]
    del x
    gc.collect()
    assert to_np(y)[0, 0] == (True if dt == "bool" else 5)


# dltensor_from_py_object_no_sync


@pytest.mark.parametrize("dt", DTYPES)
def test_dltensor_from_py_object(dt):
    a = sample(dt, (3, 4))
    x = own(a)
    for view, expected in [(x, a), (x[::-1, 1:], a[::-1, 1:]), (x.T, a.T)]:
        assert fields(tensor_from_py(view)) == expected_fields(view, expected)
    scalar = own(sample(dt, ()))
    assert tensor_from_py(scalar).ndim == 0


def test_dltensor_of_a_read_only_array_is_refused():
    """It has no field that could say so."""
    x = read_only_array()
    with pytest.raises(BufferError, match="(?i)read.?only"):
        tensor_from_py(x)


@pytest.mark.parametrize("dev", OFF_CPU)
def test_dltensor_of_another_device_is_refused(dev):
    x = xp.ones(2, dtype=xp.float32, device=device(dev))
    with pytest.raises(BufferError, match=dev):
        tensor_from_py(x)


# managed_tensor_allocator


class Errors:
    """The callback through which the allocator reports."""

    def __init__(self):
        self.seen = []
        self.callback = SetError(
            lambda context, kind, message: self.seen.append((context, kind.decode(), message.decode()))
        )


def prototype(shape, dtype=(2, 64, 1), device_type=1, device_id=0, ndim=None):
    tensor = DLTensor()
    tensor.ndim = len(shape) if ndim is None else ndim
    tensor.keep = (ctypes.c_int64 * max(len(shape), 1))(*shape)
    tensor.shape = ctypes.cast(tensor.keep, ctypes.POINTER(ctypes.c_int64))
    tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = dtype
    tensor.device.device_type, tensor.device.device_id = device_type, device_id
    return tensor


def allocate(tensor, errors, context=0x1234):
    out = ManagedPointer()
    status = Allocator(table().managed_tensor_allocator)(
        ctypes.byref(tensor), ctypes.byref(out), context, errors.callback
    )
    return status, out


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("shape", [(), (3,), (3, 4), (0, 3), (2, 3, 4)])
def test_allocate(dt, shape):
    errors = Errors()
    status, managed = allocate(prototype(shape, dlpack_dtype(dt)), errors)
    assert status == 0
    assert errors.seen == []
    got = fields(managed.contents.dl_tensor)
    assert got["shape"] == shape
    assert got["dtype"] == dlpack_dtype(dt)
    assert got["device"] == (1, 0)
    assert (managed.contents.version.major, managed.contents.version.minor) == (1, 3)
    assert managed.contents.flags == 0
    a = sample(dt, shape)
    if a.size:
        assert got["strides"] == tuple(s // a.itemsize for s in a.strides)
        ctypes.memmove(got["data"], a.tobytes(), a.nbytes)
    # What was allocated can be handed over, and is ours then.
    x = to_py(ctypes.cast(managed, ctypes.c_void_p).value)
    assert_same(x, a)
    if a.size:
        x[...] = True if dt == "bool" else 1


def test_allocate_and_release():
    for _ in range(100):
        status, managed = allocate(prototype((1000,)), Errors())
        assert status == 0
        release(managed)


@pytest.mark.parametrize(
    "bad",
    [
        {"shape": (3,), "device_type": 2},
        {"shape": (3,), "device_type": 99},
        {"shape": (3,), "device_id": 1},
        {"shape": (3,), "dtype": (2, 16, 1)},
        {"shape": (3,), "dtype": (2, 32, 4)},
        {"shape": (3,), "dtype": (200, 32, 1)},
        {"shape": (-3,)},
        {"shape": (2**62, 4)},
        {"shape": (2**40, 2**20)},
        {"shape": (3,), "ndim": -1},
        {"shape": (1,) * 65},
    ],
    ids=lambda b: str(b)[:60],
)
def test_what_is_not_allocated(bad):
    errors = Errors()
    status, managed = allocate(prototype(**bad), errors)
    assert status == -1
    assert not managed
    [(context, kind, message)] = errors.seen
    assert context == 0x1234
    assert kind in ("BufferError", "ValueError", "MemoryError", "TypeError", "OverflowError", "RuntimeError")
    assert message


# current_work_stream


def test_the_cpu_has_no_stream():
    out = ctypes.c_void_p(1)
    assert WorkStream(table().current_work_stream)(1, 0, ctypes.byref(out)) == 0
    assert out.value is None


# Nothing leaks


def test_references_are_balanced():
    x = xp.arange(10)
    import sys

    before = sys.getrefcount(x)
    for _ in range(1000):
        release(from_py(x))
        tensor_from_py(x)
        to_py(ctypes.cast(from_py(x), ctypes.c_void_p).value)
    assert sys.getrefcount(x) == before
