"""torch on the other side, both ways."""

import numpy as np
import pytest
import torch
from dlpack_structs import IS_COPIED, READ_ONLY, Producer, Seen, Tensor, data_pointer
from support import CPU, DEVICE_NAMES, OFF_CPU, READ_ONLY_ERRORS, assert_same, device, dtype, own, sample, to_np

import strictarray as xp

pytestmark = pytest.mark.interop

# torch has all of the standard's dtypes.
DTYPES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "complex64",
    "complex128",
)


def torch_tensor(a):
    return torch.from_numpy(a)


# torch to us


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("kwargs", [{}, {"device": None}, {"copy": None}, {"device": CPU}])
def test_import_shares(dt, kwargs):
    a = sample(dt)
    t = torch_tensor(a)
    x = xp.from_dlpack(t, **kwargs)
    assert x.device == CPU
    assert x.dtype == dtype(dt)
    assert_same(x, a)
    assert data_pointer(x) == t.data_ptr()
    x[0, 0] = True if dt == "bool" else 5
    assert a[0, 0] == (True if dt == "bool" else 5)


@pytest.mark.parametrize("dt", DTYPES)
def test_import_copies_on_request(dt):
    a = sample(dt)
    t = torch_tensor(a)
    x = xp.from_dlpack(t, copy=True)
    assert data_pointer(x) != t.data_ptr()
    assert_same(x, a)


@pytest.mark.parametrize("dev", OFF_CPU)
def test_import_to_a_device(dev):
    a = sample("float32")
    x = xp.from_dlpack(torch_tensor(a), device=device(dev))
    assert x.device == device(dev)
    x[0, 0] = 5.0
    assert a[0, 0] != 5.0
    with pytest.raises(BufferError):
        xp.from_dlpack(torch_tensor(a), device=device(dev), copy=False)


LAYOUTS = {
    "transposed": lambda t: t.T,
    "step": lambda t: t[::2, 1::3],
    "offset": lambda t: t[1:, 2:],
    "row": lambda t: t[2],
    "element": lambda t: t[1, 2],
    "expanded": lambda t: t[0].expand(5, 6),
    "empty": lambda t: t[2:2],
    "window": lambda t: t.flatten().unfold(0, 4, 1),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_import_layouts(layout):
    t = LAYOUTS[layout](torch.arange(24.0, dtype=torch.float64).reshape(4, 6))
    assert_same(xp.from_dlpack(t), t.numpy())


@pytest.mark.parametrize("dt", [torch.float16, torch.bfloat16])
def test_import_of_other_dtypes(dt):
    with pytest.raises(BufferError, match=str(dt).removeprefix("torch.")):
        xp.from_dlpack(torch.zeros(3, dtype=dt))


def test_import_keeps_the_memory():
    t = torch.arange(1000)
    x = xp.from_dlpack(t)
    del t
    others = [torch.zeros(1000, dtype=torch.int64) for _ in range(20)]
    assert_same(x, np.arange(1000))
    assert len(others) == 20


def test_asarray_of_a_tensor_points_at_from_dlpack():
    with pytest.raises(TypeError, match="from_dlpack"):
        xp.asarray(torch.zeros(3))


# us to torch


@pytest.mark.parametrize("dt", DTYPES)
def test_export_shares(dt):
    x = own(sample(dt))
    t = torch.from_dlpack(x)
    assert t.data_ptr() == data_pointer(x)
    assert str(t.dtype) == f"torch.{dt}"
    np.testing.assert_array_equal(t.numpy(), sample(dt))
    t[0, 0] = True if dt == "bool" else 5
    assert to_np(x)[0, 0] == (True if dt == "bool" else 5)


@pytest.mark.parametrize("dt", DTYPES)
def test_export_layouts(dt):
    a = sample(dt, (4, 6))
    x = own(a)
    for key in [(slice(1, None), slice(None, None, 2)), (2, slice(None)), (1, 1), (slice(2, 2), slice(None))]:
        np.testing.assert_array_equal(torch.from_dlpack(x[key]).numpy(), a[key])
    np.testing.assert_array_equal(torch.from_dlpack(x.T).numpy(), a.T)


@pytest.mark.parametrize("dev", OFF_CPU)
def test_export_of_another_device_is_refused(dev):
    with pytest.raises(BufferError, match=dev):
        torch.from_dlpack(xp.ones(3, dtype=xp.float32, device=device(dev)))


def test_export_copies_on_request():
    x = xp.arange(3)
    t = torch.from_dlpack(x, copy=True)
    assert t.data_ptr() != data_pointer(x)
    t[0] = 9
    assert_same(x, np.arange(3))


@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_there_and_back(dev):
    x = own(sample("float32"), dev)
    y = xp.from_dlpack(torch.from_dlpack(x.to_device(CPU)), device=device(dev))
    assert y.device == device(dev)
    assert_same(y, sample("float32"))


def test_torchs_dl_device_enum_is_accepted():
    dl_device = torch.zeros(1).__dlpack_device__()
    seen = Seen(xp.arange(3).__dlpack__(dl_device=dl_device, max_version=(1, 0), copy=True))
    assert seen.flags == IS_COPIED


def test_a_read_only_array():
    x = xp.from_dlpack(Producer(Tensor(np.arange(3.0), flags=READ_ONLY)))
    with pytest.raises(READ_ONLY_ERRORS):
        x[0] = 1.0
    assert Seen(x.__dlpack__(max_version=(1, 0))).flags == READ_ONLY


# Operators do not mix


def test_operators_refuse_each_other():
    x, t = xp.ones(3), torch.ones(3)
    for call in (lambda: x + t, lambda: x * t, lambda: x == t, lambda: x < t, lambda: xp.add(x, t)):
        with pytest.raises(TypeError):
            call()
