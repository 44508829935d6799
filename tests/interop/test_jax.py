"""jax on the other side, both ways. It hands out legacy capsules only, so nothing says that they are read-only."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from dlpack_structs import data_pointer
from support import CPU, OFF_CPU, assert_same, device, dtype, own, sample

import strictarray as xp

jax.config.update("jax_enable_x64", True)

pytestmark = pytest.mark.interop

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


# jax to us


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("kwargs", [{}, {"device": None}, {"copy": None}])
def test_import_shares(dt, kwargs):
    a = sample(dt)
    j = jnp.asarray(a)
    x = xp.from_dlpack(j, **kwargs)
    assert x.device == CPU
    assert x.dtype == dtype(dt)
    assert_same(x, a)
    assert data_pointer(x) == j.unsafe_buffer_pointer()


@pytest.mark.parametrize("dt", DTYPES)
def test_import_copies_on_request(dt):
    j = jnp.asarray(sample(dt))
    x = xp.from_dlpack(j, copy=True)
    assert data_pointer(x) != j.unsafe_buffer_pointer()
    assert_same(x, sample(dt))


@pytest.mark.parametrize("dev", OFF_CPU)
def test_import_to_a_device(dev):
    x = xp.from_dlpack(jnp.asarray(sample("float32")), device=device(dev))
    assert x.device == device(dev)
    assert_same(x, sample("float32"))
    with pytest.raises(BufferError):
        xp.from_dlpack(jnp.asarray(sample("float32")), device=device(dev), copy=False)


@pytest.mark.parametrize("shape", [(), (3,), (0, 3), (2, 3, 4)])
def test_import_shapes(shape):
    assert_same(xp.from_dlpack(jnp.asarray(sample("float64", shape))), sample("float64", shape))


@pytest.mark.parametrize("dt", ["float16", "bfloat16"])
def test_import_of_other_dtypes(dt):
    with pytest.raises(BufferError, match=dt):
        xp.from_dlpack(jnp.zeros(3, dtype=dt))


def test_import_keeps_the_memory():
    x = xp.from_dlpack(jnp.arange(1000))
    others = [jnp.zeros(1000) + i for i in range(20)]
    assert_same(x, np.arange(1000))
    assert len(others) == 20


# us to jax


@pytest.mark.parametrize("dt", DTYPES)
def test_export(dt):
    x = own(sample(dt))
    j = jnp.from_dlpack(x)
    assert j.dtype == dt
    np.testing.assert_array_equal(np.asarray(j), sample(dt))


@pytest.mark.parametrize("dt", [d for d in DTYPES if d != "bool"])
def test_export_shares(dt):
    x = own(sample(dt))
    j = jnp.from_dlpack(x, copy=False)
    assert j.unsafe_buffer_pointer() == data_pointer(x)


@pytest.mark.parametrize("dev", OFF_CPU)
def test_export_of_another_device_is_refused(dev):
    with pytest.raises(BufferError, match=dev):
        jnp.from_dlpack(xp.ones(3, dtype=xp.float32, device=device(dev)))


def test_export_outlives_the_array():
    x = xp.arange(1000)
    j = jnp.from_dlpack(x)
    del x
    others = [xp.zeros(1000) for _ in range(20)]
    np.testing.assert_array_equal(np.asarray(j), np.arange(1000))
    assert len(others) == 20


@pytest.mark.parametrize("dev", ["CPU_DEVICE", *OFF_CPU])
def test_there_and_back(dev):
    x = own(sample("float32"), dev)
    y = xp.from_dlpack(jnp.from_dlpack(x.to_device(CPU)), device=device(dev))
    assert y.device == device(dev)
    assert_same(y, sample("float32"))


# Operators do not mix


def test_operators_refuse_each_other():
    x, j = xp.ones(3), jnp.ones(3)
    for call in (lambda: x + j, lambda: x * j, lambda: x == j, lambda: x < j, lambda: xp.add(x, j)):
        with pytest.raises(TypeError):
            call()
