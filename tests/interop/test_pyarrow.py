"""pyarrow on the other side: it exports 1-D arrays without nulls through DLPack, and takes buffers and NumPy arrays."""

import numpy as np
import pyarrow as pa
import pytest
from dlpack_structs import data_pointer
from support import CPU, OFF_CPU, READ_ONLY_ERRORS, assert_same, device, dtype, own, sample

import strictarray as xp

pytestmark = pytest.mark.interop

DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")


# pyarrow to us


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("kwargs", [{}, {"device": None}, {"copy": None}])
def test_import_shares(dt, kwargs):
    a = sample(dt, (6,))
    p = pa.array(a)
    x = xp.from_dlpack(p, **kwargs)
    assert x.device == CPU
    assert x.dtype == dtype(dt)
    assert_same(x, a)
    assert data_pointer(x) == p.buffers()[1].address


@pytest.mark.parametrize("dt", DTYPES)
def test_import_of_a_slice(dt):
    a = sample(dt, (6,))
    assert_same(xp.from_dlpack(pa.array(a)[2:5]), a[2:5])


@pytest.mark.parametrize("dev", OFF_CPU)
def test_import_to_a_device_is_a_copy_or_refused(dev):
    """pyarrow doesn't know every keyword: what it can't do is refused, never dropped."""
    p = pa.array(sample("float32", (6,)))
    try:
        x = xp.from_dlpack(p, device=device(dev))
    except (TypeError, BufferError):
        x = xp.from_dlpack(p).to_device(device(dev))
    assert x.device == device(dev)
    assert_same(x, sample("float32", (6,)))


@pytest.mark.parametrize(
    "p", [pa.array([True, False]), pa.array(["a", "b"]), pa.array([1, None, 3])], ids=["bool", "string", "nulls"]
)
def test_what_pyarrow_does_not_export(p):
    """Its own error is passed on."""
    with pytest.raises((TypeError, ValueError, BufferError, pa.ArrowException)):
        xp.from_dlpack(p)


def test_import_of_half():
    with pytest.raises(BufferError, match="float16"):
        xp.from_dlpack(pa.array(np.zeros(3, dtype=np.float16)))


def test_import_keeps_the_memory():
    x = xp.from_dlpack(pa.array(np.arange(1000)))
    others = [pa.array(np.zeros(1000)) for _ in range(20)]
    assert_same(x, np.arange(1000))
    assert len(others) == 20


def test_asarray_of_an_arrow_buffer():
    b = pa.py_buffer(b"abc")
    x = xp.asarray(b)
    assert x.shape == (3,)
    assert x.dtype in (xp.uint8, xp.int8)
    assert [int(v) for v in x] == [97, 98, 99]
    with pytest.raises(READ_ONLY_ERRORS, match="(?i)read.?only"):
        x[0] = 1


# us to pyarrow


@pytest.mark.parametrize("dt", DTYPES)
def test_export_through_the_buffer(dt):
    x = own(sample(dt, (6,)))
    b = pa.py_buffer(x)
    assert b.address == data_pointer(x)
    assert b.to_pybytes() == sample(dt, (6,)).tobytes()


@pytest.mark.parametrize("dt", DTYPES)
def test_export_through_numpy(dt):
    x = own(sample(dt, (6,)))
    assert pa.array(np.from_dlpack(x)).to_pylist() == sample(dt, (6,)).tolist()


@pytest.mark.parametrize("dev", OFF_CPU)
def test_export_of_another_device_is_refused(dev):
    x = xp.ones(3, dtype=xp.float32, device=device(dev))
    with pytest.raises((BufferError, RuntimeError), match=dev):
        pa.py_buffer(x)
    with pytest.raises((BufferError, RuntimeError), match=dev):
        pa.array(np.asarray(x))


# Operators do not mix


def test_operators_refuse_each_other():
    x, p = xp.ones(3), pa.array([1.0, 2.0, 3.0])
    for call in (lambda: x + p, lambda: x * p, lambda: x < p, lambda: xp.add(x, p)):
        with pytest.raises(TypeError):
            call()
