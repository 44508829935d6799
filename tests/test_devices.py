"""The emulated devices: names, equality, dtypes, defaults, and memory that is really apart."""

import copy
import itertools
import pickle

import numpy as np
import pytest
from support import (
    DEFAULT_DTYPES,
    DEVICE_DTYPES,
    DEVICE_NAMES,
    DTYPES,
    MISSING_DTYPES,
    OFF_CPU,
    assert_same,
    device,
    dtype,
    own,
    sample,
    stable_id,
    to_np,
)

import strictarray as xp

# Device objects


def test_all_devices():
    assert type(xp.ALL_DEVICES) is tuple
    assert tuple(xp.Device(name) for name in DEVICE_NAMES) == xp.ALL_DEVICES
    assert xp.ALL_DEVICES[0] == xp.CPU_DEVICE
    assert len(set(xp.ALL_DEVICES)) == 5


def test_the_default_device():
    assert xp.Device() == xp.CPU_DEVICE
    assert xp.zeros(1).device == xp.CPU_DEVICE


@pytest.mark.parametrize("name", DEVICE_NAMES)
def test_equality_and_hash(name):
    assert xp.Device(name) == xp.Device(name)
    assert not xp.Device(name) != xp.Device(name)
    assert hash(xp.Device(name)) == hash(xp.Device(name))
    assert [d == xp.Device(name) for d in xp.ALL_DEVICES].count(True) == 1
    assert {xp.Device(name): 1}[xp.Device(name)] == 1
    for other in (name, None, 0, object(), "cpu"):
        assert xp.Device(name) != other
        assert not xp.Device(name) == other


@pytest.mark.parametrize("name", DEVICE_NAMES)
def test_repr(name):
    assert repr(xp.Device(name)) == f"strictarray.Device('{name}')"


@pytest.mark.parametrize("bad", ["cpu", "CPU", "device3", "", "cuda", "DEVICE1", " device1"])
def test_unknown_names(bad):
    with pytest.raises(ValueError, match="device"):
        xp.Device(bad)


@pytest.mark.parametrize("bad", [None, 1, b"device1", ("device1",), xp.CPU_DEVICE], ids=stable_id)
def test_names_are_strings(bad):
    with pytest.raises(TypeError) as e:
        xp.Device(bad)
    assert (e.value.rule, e.value.argument) == ("device-name-type", "device")


@pytest.mark.parametrize("name", DEVICE_NAMES)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(name, protocol):
    assert pickle.loads(pickle.dumps(xp.Device(name), protocol=protocol)) == xp.Device(name)


@pytest.mark.parametrize("name", DEVICE_NAMES)
def test_copy(name):
    d = xp.Device(name)
    assert copy.copy(d) == copy.deepcopy(d) == d


def test_devices_are_immutable():
    with pytest.raises(AttributeError):
        xp.Device("device1").name_of_mine = "device2"


# Dtypes of a device


@pytest.mark.parametrize(("name", "dt"), [(d, t) for d in DEVICE_NAMES for t in MISSING_DTYPES[d]])
def test_missing_dtypes_are_refused_everywhere(name, dt):
    d, t = device(name), dtype(dt)
    x = xp.ones(2, dtype=xp.float32, device=d)
    b = xp.ones(2, dtype=xp.bool, device=d)
    calls = {
        "zeros": lambda: xp.zeros(2, dtype=t, device=d),
        "ones": lambda: xp.ones(2, dtype=t, device=d),
        "empty": lambda: xp.empty(2, dtype=t, device=d),
        "full": lambda: xp.full(2, 1, dtype=t, device=d),
        "arange": lambda: xp.arange(2, dtype=t, device=d),
        "linspace": lambda: xp.linspace(0, 1, 2, dtype=t, device=d),
        "eye": lambda: xp.eye(2, dtype=t, device=d),
        "asarray": lambda: xp.asarray([1], dtype=t, device=d),
        "zeros_like": lambda: xp.zeros_like(x, dtype=t),
        "ones_like": lambda: xp.ones_like(x, dtype=t),
        "empty_like": lambda: xp.empty_like(x, dtype=t),
        "full_like": lambda: xp.full_like(x, 1, dtype=t),
        "astype": lambda: xp.astype(b, t),
        "astype to the device": lambda: xp.astype(xp.ones(2, dtype=xp.bool), t, device=d),
        "to_device": lambda: xp.ones(2, dtype=t).to_device(d),
        "asarray of an array": lambda: xp.asarray(xp.ones(2, dtype=t), device=d),
        "zeros_like to the device": lambda: xp.zeros_like(xp.ones(2, dtype=t), device=d),
        "full_like to the device": lambda: xp.full_like(xp.ones(2, dtype=t), 1, device=d),
    }
    for call, f in calls.items():
        if call in ("arange", "linspace") and "complex" in dt:
            continue  # refused for another reason
        if call == "linspace" and "int" in dt:
            continue
        with pytest.raises(ValueError, match=dt) as e:
            pytest.fail(f"{call} gave {f()}")
        assert name in str(e.value), call


@pytest.mark.parametrize(("name", "dt"), DEVICE_DTYPES)
def test_supported_dtypes(name, dt):
    x = xp.ones(2, dtype=dtype(dt), device=device(name))
    assert x.dtype == dtype(dt)
    assert x.device == device(name)
    assert_same(x, np.ones(2, dtype=dt))


# Creation functions with device= and no dtype

DEFAULTS = {
    "zeros": (lambda d: xp.zeros(2, device=d), "real floating"),
    "ones": (lambda d: xp.ones(2, device=d), "real floating"),
    "empty": (lambda d: xp.empty(2, device=d), "real floating"),
    "eye": (lambda d: xp.eye(2, device=d), "real floating"),
    "linspace": (lambda d: xp.linspace(0, 1, 3, device=d), "real floating"),
    "linspace of complex": (lambda d: xp.linspace(0, 1j, 3, device=d), "complex floating"),
    "arange of int": (lambda d: xp.arange(3, device=d), "integral"),
    "arange of float": (lambda d: xp.arange(3.0, device=d), "real floating"),
    "full of int": (lambda d: xp.full(2, 1, device=d), "integral"),
    "full of float": (lambda d: xp.full(2, 1.0, device=d), "real floating"),
    "full of complex": (lambda d: xp.full(2, 1j, device=d), "complex floating"),
    "asarray of int": (lambda d: xp.asarray([1, 2], device=d), "integral"),
    "asarray of float": (lambda d: xp.asarray([1, 2.0], device=d), "real floating"),
    "asarray of complex": (lambda d: xp.asarray([1, 2.0, 3j], device=d), "complex floating"),
    "asarray of one int": (lambda d: xp.asarray(1, device=d), "integral"),
    "asarray of one float": (lambda d: xp.asarray(1.0, device=d), "real floating"),
    "asarray of nothing": (lambda d: xp.asarray([], device=d), "real floating"),
}


@pytest.mark.parametrize("name", DEVICE_NAMES)
@pytest.mark.parametrize("call", DEFAULTS)
def test_defaults_follow_the_device(call, name):
    build, kind = DEFAULTS[call]
    x = build(device(name))
    assert x.device == device(name)
    assert x.dtype == dtype(DEFAULT_DTYPES[name][kind])


@pytest.mark.parametrize("name", DEVICE_NAMES)
def test_bool_is_bool_everywhere(name):
    assert xp.asarray([True], device=device(name)).dtype == xp.bool
    assert xp.full(2, True, device=device(name)).dtype == xp.bool


@pytest.mark.parametrize("name", DEVICE_NAMES)
def test_ints_beyond_the_default_dtype(name):
    limit = np.iinfo(DEFAULT_DTYPES[name]["integral"])
    for build in (
        lambda v: xp.asarray(v, device=device(name)),
        lambda v: xp.asarray([0, v], device=device(name)),
        lambda v: xp.full(2, v, device=device(name)),
    ):
        for value in (int(limit.max), int(limit.min)):
            assert value in to_np(build(value)).ravel().tolist()
        with pytest.raises(OverflowError):
            build(int(limit.max) + 1)
        with pytest.raises(OverflowError):
            build(int(limit.min) - 1)


LIKE = {
    "zeros_like": lambda x, **kw: xp.zeros_like(x, **kw),
    "ones_like": lambda x, **kw: xp.ones_like(x, **kw),
    "empty_like": lambda x, **kw: xp.empty_like(x, **kw),
    "full_like": lambda x, **kw: xp.full_like(x, 1, **kw),
    "asarray": lambda x, **kw: xp.asarray(x, **kw),
    "from_dlpack": lambda x, **kw: xp.from_dlpack(x, **kw),
}


@pytest.mark.parametrize("source", DEVICE_NAMES)
@pytest.mark.parametrize("call", LIKE)
def test_the_device_is_inferred_from_the_array(call, source):
    x = own(sample("int32"), source)
    assert LIKE[call](x).device == device(source)
    assert LIKE[call](x, device=None).device == device(source)
    assert xp.astype(x, xp.float32).device == device(source)
    assert xp.tril(x).device == xp.triu(x).device == device(source)
    assert all(m.device == device(source) for m in xp.meshgrid(x[0, :], x[1, :]))


@pytest.mark.parametrize("source", DEVICE_NAMES)
@pytest.mark.parametrize("target", DEVICE_NAMES)
@pytest.mark.parametrize("call", LIKE)
def test_an_explicit_device_is_honoured(call, source, target):
    x = own(sample("int32"), source)
    y = LIKE[call](x, device=device(target))
    assert y.device == device(target)
    assert y.dtype == xp.int32


# Transfers

TRANSFERS = {
    "to_device": lambda x, d: x.to_device(d),
    "asarray": lambda x, d: xp.asarray(x, device=d),
    "asarray copy=True": lambda x, d: xp.asarray(x, device=d, copy=True),
    "from_dlpack": lambda x, d: xp.from_dlpack(x, device=d),
    "astype": lambda x, d: xp.astype(x, x.dtype, device=d),
    "astype copy=False": lambda x, d: xp.astype(x, x.dtype, copy=False, device=d),
}
DEVICE_PAIRS = list(itertools.permutations(DEVICE_NAMES, 2))


@pytest.mark.parametrize(("source", "target"), DEVICE_PAIRS)
@pytest.mark.parametrize("call", TRANSFERS)
def test_a_transfer_is_a_copy(call, source, target):
    for dt in DTYPES:
        if dt in MISSING_DTYPES[source] or dt in MISSING_DTYPES[target]:
            continue
        for shape in ((2, 3), (), (0, 2)):
            x = own(sample(dt, shape), source)
            y = TRANSFERS[call](x, device(target))
            assert y.device == device(target)
            assert x.device == device(source)
            assert_same(y, sample(dt, shape))
            if shape != (2, 3):
                continue
            y[0, 0] = True if dt == "bool" else 5
            assert_same(x, sample(dt))
            x[1, 1] = True if dt == "bool" else 6
            expected = sample(dt)
            expected[0, 0] = True if dt == "bool" else 5
            assert_same(y, expected)


@pytest.mark.parametrize(("source", "target"), DEVICE_PAIRS)
def test_a_transfer_of_a_view(source, target):
    a = sample("int32", (4, 6))
    x = own(a, source)
    y = x[::-1, ::2].T.to_device(device(target))
    assert_same(y, a[::-1, ::2].T)
    y[...] = 0
    assert_same(x, a)


@pytest.mark.parametrize(("source", "target"), DEVICE_PAIRS)
@pytest.mark.parametrize(
    "call", [lambda x, d: xp.asarray(x, device=d, copy=False), lambda x, d: xp.from_dlpack(x, device=d, copy=False)]
)
def test_a_transfer_without_copy_is_refused(call, source, target):
    with pytest.raises(ValueError, match="copy"):
        call(own(sample("int32"), source), device(target))


@pytest.mark.parametrize("name", DEVICE_NAMES)
@pytest.mark.parametrize("copy_arg", [None, False])
@pytest.mark.parametrize("explicit", [True, False])
def test_asarray_on_the_same_device_shares(name, copy_arg, explicit):
    x = own(sample("int32"), name)
    y = xp.asarray(x, copy=copy_arg, **({"device": device(name)} if explicit else {}))
    y[0, 0] = 5
    assert to_np(x)[0, 0] == 5


@pytest.mark.parametrize("name", DEVICE_NAMES)
def test_asarray_on_the_same_device_copies_on_request(name):
    x = own(sample("int32"), name)
    y = xp.asarray(x, copy=True)
    y[0, 0] = 5
    assert_same(x, sample("int32"))


@pytest.mark.parametrize("name", DEVICE_NAMES)
def test_to_device_of_its_own(name):
    x = own(sample("int32"), name)
    y = x.to_device(device(name))
    assert y.device == device(name)
    assert_same(y, sample("int32"))


@pytest.mark.parametrize("name", OFF_CPU)
def test_foreign_memory_never_becomes_device_memory(name):
    d = device(name)
    for build in (
        lambda a: xp.asarray(a, device=d),
        lambda a: xp.asarray(memoryview(a), device=d),
        lambda a: xp.from_dlpack(a, device=d),
        lambda a: xp.from_dlpack(a).to_device(d),
    ):
        a = np.arange(4, dtype=np.int32)
        x = build(a)
        assert x.device == d
        a[0] = 99
        assert_same(x, np.arange(4, dtype=np.int32))


# Mixing


@pytest.mark.parametrize(("left", "right"), DEVICE_PAIRS)
def test_devices_do_not_mix(left, right):
    x = xp.ones((2, 2), dtype=xp.float32, device=device(left))
    y = xp.ones((2, 2), dtype=xp.float32, device=device(right))
    for call in (
        lambda: x + y,
        lambda: xp.add(x, y),
        lambda: x @ y,
        lambda: xp.matmul(x, y),
        lambda: x == y,
        lambda: xp.meshgrid(x[0, :], y[0, :]),
        lambda: xp.result_type(x, y),
        lambda: x.__setitem__(..., y),
        lambda: x.__iadd__(y),
    ):
        with pytest.raises(ValueError, match="device"):
            call()


def test_asarray_with_a_dtype_the_device_lacks_says_so():
    for name in ("no_float64", "no_x64"):
        with pytest.raises(ValueError, match="float64"):
            xp.asarray(np.ones(2), device=device(name))


@pytest.mark.parametrize("name", DEVICE_NAMES)
def test_results_have_the_dtypes_of_the_device(name):
    x = xp.asarray([1.5, 2.5], device=device(name))
    assert (x + 1).dtype == (x * 2.0).dtype == dtype(DEFAULT_DTYPES[name]["real floating"])
    assert (x * 1j).dtype == dtype(DEFAULT_DTYPES[name]["complex floating"])
    assert abs(x * 1j).dtype == dtype(DEFAULT_DTYPES[name]["real floating"])
