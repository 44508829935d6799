"""Tables and small helpers that the test modules share."""

import contextlib
import json
import operator
import pathlib
import re

import numpy as np

import strictarray as xp

DATA = pathlib.Path(__file__).parent / "data"

DEVICE_NAMES = ("CPU_DEVICE", "device1", "device2", "no_float64", "no_x64")
CPU = xp.CPU_DEVICE
OFF_CPU = tuple(name for name in DEVICE_NAMES if name != "CPU_DEVICE")

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGER = SIGNED + UNSIGNED
REAL_FLOATING = ("float32", "float64")
COMPLEX_FLOATING = ("complex64", "complex128")
FLOATING = REAL_FLOATING + COMPLEX_FLOATING
REAL_NUMERIC = INTEGER + REAL_FLOATING
NUMERIC = INTEGER + FLOATING
DTYPES = ("bool", *NUMERIC)

# What each device lacks, and its default dtypes by kind.
MISSING_DTYPES = {
    "CPU_DEVICE": (),
    "device1": (),
    "device2": (),
    "no_float64": ("float64", "complex128"),
    "no_x64": ("float64", "complex128", "int64", "uint64"),
}
DEFAULT_DTYPES = {
    "CPU_DEVICE": {"real floating": "float64", "complex floating": "complex128", "integral": "int64"},
    "device1": {"real floating": "float64", "complex floating": "complex128", "integral": "int64"},
    "device2": {"real floating": "float32", "complex floating": "complex64", "integral": "int64"},
    "no_float64": {"real floating": "float32", "complex floating": "complex64", "integral": "int64"},
    "no_x64": {"real floating": "float32", "complex floating": "complex64", "integral": "int32"},
}

# Every (device, dtype) pair that exists.
DEVICE_DTYPES = [(dev, dt) for dev in DEVICE_NAMES for dt in DTYPES if dt not in MISSING_DTYPES[dev]]

# What a write into a read-only array raises.
READ_ONLY_ERRORS = ValueError


EXTENSIONS = tuple(name for name in ("linalg", "fft") if hasattr(xp, name))


def function(name):
    """The function of this name: "add", or with its extension "fft.rfft"."""
    return operator.attrgetter(name)(xp)


def public_functions():
    """The names of all functions (and classes) of the namespace and of its extensions."""
    names = [
        *xp.__all__,
        *(f"{extension}.{name}" for extension in EXTENSIONS for name in getattr(xp, extension).__all__),
    ]
    return {name for name in names if callable(function(name)) and name not in DTYPES}


def dtype(name):
    """The strictarray dtype of that name."""
    return getattr(xp, name)


def dtype_name(dt):
    """The name of a strictarray dtype, by identity with the namespace's own."""
    for name in DTYPES:
        if dt == getattr(xp, name):
            return name
    raise AssertionError(f"{dt!r} is none of the standard's dtypes")


def device(name):
    return xp.Device(name)


def to_np(x):
    """A NumPy copy of an array that may be on any device."""
    assert type(x) is type(xp.zeros(1)), f"not a strictarray array: {type(x)}"
    return np.array(np.asarray(x.to_device(CPU)), copy=True)


def from_np(a, dev="CPU_DEVICE"):
    """The array with the values (on the CPU: also the memory and layout) of a NumPy array."""
    x = xp.from_dlpack(np.asarray(a))
    return x if dev == "CPU_DEVICE" else x.to_device(xp.Device(dev))


def own(a, dev="CPU_DEVICE"):
    """A writable array with the values of a NumPy array, in C order and in memory of our own."""
    x = from_np(np.array(a, copy=True, order="C"))
    return xp.asarray(x, copy=True) if dev == "CPU_DEVICE" else x.to_device(xp.Device(dev))


def assert_same(x, expected, *, dt=None, shape=None):
    """Same dtype, shape and bits (all NaNs being equal) as a NumPy array."""
    got = to_np(x)
    expected = np.asarray(expected)
    assert dtype_name(x.dtype) == (dt or expected.dtype.name)
    assert x.shape == (expected.shape if shape is None else shape)
    if dt is not None:
        expected = expected.astype(dt)
    np.testing.assert_array_equal(got, expected)
    if got.dtype.kind in "fc" and got.size:
        for part in ("real", "imag") if got.dtype.kind == "c" else ("real",):
            g, e = getattr(got, part), getattr(expected, part)
            real_numbers = ~np.isnan(e)
            np.testing.assert_array_equal(np.signbit(g)[real_numbers], np.signbit(e)[real_numbers])


def sample(dt, shape=(2, 3)):
    """A NumPy array of small varied values, exact in every dtype that can hold them."""
    size = int(np.prod(shape, dtype=np.int64))
    values = np.arange(size)
    if dt == "bool":
        return (values % 3 == 1).reshape(shape)
    if dt in UNSIGNED:
        return (values % 7 + 1).astype(dt).reshape(shape)
    if dt in SIGNED:
        return (values % 7 - 3).astype(dt).reshape(shape)
    if dt in REAL_FLOATING:
        return (values * 0.5 - 1.5).astype(dt).reshape(shape)
    return (values * 0.5 - 1.5 + 1j * (values % 4 - 2)).astype(dt).reshape(shape)


@contextlib.contextmanager
def flags(**kwargs):
    """Flags set for one block."""
    with xp.ArrayAPIStrictFlags(**kwargs):
        yield


def load_json(name):
    with open(DATA / name, encoding="utf-8") as f:
        return json.load(f)


def stable_id(value):
    """A test id without an address: parallel workers must collect the same ids."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def err(exc_info):
    """The text of a caught exception."""
    return str(exc_info.value)
