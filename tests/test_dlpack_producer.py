"""`x.__dlpack__(*, stream, max_version, dl_device, copy)`: one section per row of the producer's table."""

import ctypes
import enum
import itertools

import numpy as np
import pytest
from dlpack_structs import (
    IS_COPIED,
    LEGACY,
    READ_ONLY,
    VERSIONED,
    DeviceType,
    Producer,
    Seen,
    Tensor,
    address_of,
    data_pointer,
    dlpack_dtype,
)
from support import (
    CPU,
    DEVICE_DTYPES,
    DEVICE_NAMES,
    DTYPES,
    OFF_CPU,
    assert_same,
    device,
    err,
    flags,
    own,
    sample,
    stable_id,
    to_np,
)

import strictarray as xp

OUR_VERSION = (1, 3)

VERSIONED_ASKS = [(1, 0), (1, 1), (1, 2), (1, 3), (1, 99), (2, 0), (5, 7)]
LEGACY_ASKS = [None, (0, 0), (0, 5), (0, 8)]
CPU_ASKS = {
    "None": None,
    "ints": (1, 0),
    "our enum": (DeviceType.CPU, 0),
    "NumPy's enum": np.zeros(1).__dlpack_device__(),
    "a plain Enum": (enum.Enum("Other", {"CPU": 1}).CPU, 0),
}
OTHER_ASKS = [
    (1, 1),
    (1, -1),
    (2, 0),
    (2, 1),
    (3, 0),
    (10, 0),
    (13, 0),
    (99, 0),
    (DeviceType.CUDA, 0),
    (DeviceType.CPU, 1),
]


def read_bytes(address, size):
    return ctypes.string_at(address, size)


def read_only_array():
    return xp.from_dlpack(Producer(Tensor(np.arange(3.0), flags=READ_ONLY)))


# Row: any device, `__dlpack_device__()`


@pytest.mark.parametrize(("dev", "dt"), DEVICE_DTYPES)
def test_dlpack_device_is_the_cpu(dev, dt):
    kind, index = xp.zeros((2,), dtype=getattr(xp, dt), device=device(dev)).__dlpack_device__()
    assert isinstance(kind, enum.IntEnum)
    assert kind == 1
    assert kind.name == "CPU"
    assert type(index) is int
    assert index == 0


@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_dlpack_device_has_the_names_of_the_standard(dev):
    kind, _ = xp.zeros(1, device=device(dev)).__dlpack_device__()
    assert {m.name: m.value for m in type(kind)} == {m.name: m.value for m in DeviceType}
    assert len(type(kind)) == 10


def test_dlpack_device_takes_no_argument():
    with pytest.raises(TypeError):
        xp.zeros(1).__dlpack_device__(1)


# Row: CPU_DEVICE, dl_device None or (1, 0)


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("copy", [None, False])
@pytest.mark.parametrize("max_version", [None, (1, 0), (1, 3)])
@pytest.mark.parametrize("ask", CPU_ASKS)
def test_cpu_shares_memory(ask, max_version, copy, dt):
    x = own(sample(dt))
    seen = Seen(x.__dlpack__(dl_device=CPU_ASKS[ask], copy=copy, max_version=max_version))
    assert seen.data == data_pointer(x)
    assert seen.device == (1, 0)
    assert not seen.flags
    # A write through the capsule is seen by the array.
    ctypes.memset(seen.data, 1, 1)
    expected = np.frombuffer(b"\x01" + sample(dt).tobytes()[1:], dtype=dt).reshape(2, 3)
    assert_same(x, expected)


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("max_version", [None, (1, 0), (1, 3)])
@pytest.mark.parametrize("ask", CPU_ASKS)
def test_cpu_copy_is_physical(ask, max_version, dt):
    x = own(sample(dt))
    seen = Seen(x.__dlpack__(dl_device=CPU_ASKS[ask], copy=True, max_version=max_version))
    assert seen.data != data_pointer(x)
    if max_version is not None:
        assert seen.flags == IS_COPIED
    assert read_bytes(seen.data, sample(dt).nbytes) == sample(dt).tobytes()
    ctypes.memset(seen.data, 1, 1)
    assert_same(x, sample(dt))


@pytest.mark.parametrize("kwargs", [{"copy": None}, {"copy": False}, {"copy": True}])
def test_a_copy_outlives_the_array_and_a_view_keeps_it_alive(kwargs):
    x = own(np.arange(1000.0))
    capsule = x.__dlpack__(max_version=(1, 0), **kwargs)
    del x
    others = [xp.ones(1000) for _ in range(20)]
    assert read_bytes(Seen(capsule).data, 8000) == np.arange(1000.0).tobytes()
    assert len(others) == 20


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_the_fields_of_a_capsule(dt, max_version):
    a = sample(dt, (2, 3, 4))
    x = own(a)
    cases = {
        "whole": (x, a),
        "step": (x[:, ::2, 1:3], a[:, ::2, 1:3]),
        "negative": (x[::-1, ..., ::-1], a[::-1, ..., ::-1]),
        "matrix transpose": (x.mT, np.swapaxes(a, 1, 2)),
        "new axis": (x[:, None, ...], a[:, None, ...]),
        "size 0": (x[:, 3:, :], a[:, 3:, :]),
        "1-d": (x[1, 2, :], a[1, 2, :]),
    }
    for name, (view, expected) in cases.items():
        seen = Seen(view.__dlpack__(max_version=max_version))
        assert seen.name == (LEGACY if max_version is None else VERSIONED), name
        assert seen.dtype == dlpack_dtype(dt), name
        assert seen.device == (1, 0), name
        assert seen.ndim == expected.ndim, name
        assert seen.shape == expected.shape, name
        # A 1.2+ producer writes strides whenever there is an axis.
        assert seen.strides is not None, name
        read = [
            read_bytes(seen.data + sum(i * s for i, s in zip(index, seen.strides)) * a.itemsize, a.itemsize)
            for index in itertools.product(*map(range, seen.shape))
        ]
        assert b"".join(read) == expected.tobytes(), name


def test_the_fields_of_a_0d_capsule():
    seen = Seen(own(np.array(2.5)).__dlpack__(max_version=(1, 0)))
    assert seen.ndim == 0
    assert seen.shape == ()
    assert read_bytes(seen.data, 8) == np.float64(2.5).tobytes()


@pytest.mark.parametrize("copy", [None, False, True])
def test_a_size_0_capsule(copy):
    seen = Seen(xp.zeros((3, 0, 2)).__dlpack__(max_version=(1, 0), copy=copy))
    assert seen.shape == (3, 0, 2)
    assert len(seen.strides) == 3


def test_every_capsule_has_a_deleter():
    for max_version in (None, (1, 0)):
        assert Seen(xp.zeros(1).__dlpack__(max_version=max_version)).managed.deleter


# Row: CPU_DEVICE, any other dl_device


@pytest.mark.parametrize("ask", OTHER_ASKS, ids=str)
@pytest.mark.parametrize("copy", [None, True, False])
@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_cpu_refuses_other_devices(ask, copy, max_version):
    with pytest.raises(BufferError, match="dl_device"):
        xp.zeros(3).__dlpack__(dl_device=ask, copy=copy, max_version=max_version)


@pytest.mark.parametrize("ask", [1, "cpu", (1,), (1, 0, 0), ("cpu", 0), (1.0, 0), [], ()], ids=stable_id)
def test_cpu_refuses_a_malformed_dl_device(ask):
    with pytest.raises((TypeError, ValueError, BufferError), match="dl_device"):
        xp.zeros(3).__dlpack__(dl_device=ask)


# Row: CPU_DEVICE, stream not None


@pytest.mark.parametrize(
    "stream", [-1, 0, 1, 2, 12345, object(), False, "stream"], ids=lambda s: type(s).__name__ + str(s)[:6]
)
@pytest.mark.parametrize("kwargs", [{}, {"max_version": (1, 0)}, {"dl_device": (1, 0)}, {"copy": True}])
def test_cpu_has_no_streams(stream, kwargs):
    with pytest.raises(BufferError, match="stream") as e:
        xp.zeros(3).__dlpack__(stream=stream, **kwargs)
    assert "CPU" in err(e)


def test_stream_none_is_fine():
    assert Seen(xp.zeros(3).__dlpack__(stream=None)).name == LEGACY


# Rows: CPU_DEVICE, max_version


@pytest.mark.parametrize("max_version", VERSIONED_ASKS)
@pytest.mark.parametrize("copy", [None, True, False])
@pytest.mark.parametrize("ask", [None, (1, 0)])
def test_versioned_capsule(max_version, copy, ask):
    seen = Seen(xp.zeros(3).__dlpack__(max_version=max_version, copy=copy, dl_device=ask))
    assert seen.name == VERSIONED
    assert seen.version == OUR_VERSION


@pytest.mark.parametrize("max_version", LEGACY_ASKS)
@pytest.mark.parametrize("copy", [None, True, False])
@pytest.mark.parametrize("ask", [None, (1, 0)])
def test_legacy_capsule(max_version, copy, ask):
    assert Seen(xp.zeros(3).__dlpack__(max_version=max_version, copy=copy, dl_device=ask)).name == LEGACY


def test_legacy_capsule_by_default():
    assert Seen(xp.zeros(3).__dlpack__()).name == LEGACY


@pytest.mark.parametrize("max_version", LEGACY_ASKS)
@pytest.mark.parametrize("copy", [None, False])
def test_legacy_capsule_of_a_read_only_array(max_version, copy):
    x = read_only_array()
    with pytest.raises(BufferError, match="(?i)read.?only"):
        x.__dlpack__(max_version=max_version, copy=copy)


@pytest.mark.parametrize("max_version", VERSIONED_ASKS)
def test_versioned_capsule_of_a_read_only_array(max_version):
    x = read_only_array()
    assert Seen(x.__dlpack__(max_version=max_version)).flags == READ_ONLY
    assert Seen(x.__dlpack__(max_version=max_version, copy=False)).flags == READ_ONLY
    assert Seen(x.__dlpack__(max_version=max_version, copy=True)).flags & IS_COPIED


@pytest.mark.parametrize("bad", ["1.0", 1, 1.0, (1,), (1, 0, 0), ("1", "0"), (1.0, 0.0), ()], ids=stable_id)
def test_a_malformed_max_version(bad):
    with pytest.raises((TypeError, ValueError), match="max_version"):
        xp.zeros(3).__dlpack__(max_version=bad)


@pytest.mark.parametrize("bad", [0, 1, "yes", np.True_])
def test_copy_must_be_a_bool_or_none(bad):
    with pytest.raises(TypeError, match="copy"):
        xp.zeros(3).__dlpack__(copy=bad)


@pytest.mark.parametrize("args", [(None,), (None, (1, 0))])
def test_every_argument_is_by_keyword(args):
    with pytest.raises(TypeError):
        xp.zeros(3).__dlpack__(*args)


def test_an_unknown_keyword():
    with pytest.raises(TypeError, match="order"):
        xp.zeros(3).__dlpack__(order="C")


# Row: another device, anything at all


@pytest.mark.parametrize("dev", OFF_CPU)
@pytest.mark.parametrize("copy", [None, True, False])
@pytest.mark.parametrize("ask", [None, (1, 0), (DeviceType.CPU, 0), (1, 1), (2, 0)], ids=str)
@pytest.mark.parametrize("max_version", [None, (0, 8), (1, 0), (1, 3), (2, 0)], ids=str)
@pytest.mark.parametrize("stream", [None, -1, 1])
def test_another_device_exports_nothing(dev, copy, ask, max_version, stream):
    x = xp.zeros(3, device=device(dev))
    with pytest.raises(BufferError) as e:
        x.__dlpack__(dl_device=ask, copy=copy, max_version=max_version, stream=stream)
    if stream is None:
        # It names the device and says what to write instead.
        assert dev in err(e)
        assert "to_device" in err(e) or "asarray" in err(e)


@pytest.mark.parametrize(("dev", "dt"), [(d, t) for d, t in DEVICE_DTYPES if d != "CPU_DEVICE"])
def test_another_device_exports_nothing_of_any_dtype(dev, dt):
    x = own(sample(dt), dev)
    with pytest.raises(BufferError, match=dev):
        x.__dlpack__()
    with pytest.raises(BufferError, match=dev):
        np.from_dlpack(x)
    with pytest.raises(BufferError, match=dev):
        np.from_dlpack(x, device="cpu", copy=True)
    assert_same(xp.from_dlpack(x), sample(dt))


@pytest.mark.parametrize("dev", OFF_CPU)
@pytest.mark.parametrize("move", ["to_device", "asarray", "from_dlpack"])
def test_the_way_out_of_another_device(dev, move):
    x = own(sample("int32"), dev)
    y = {
        "to_device": lambda: x.to_device(CPU),
        "asarray": lambda: xp.asarray(x, device=CPU),
        "from_dlpack": lambda: xp.from_dlpack(x, device=CPU),
    }[move]()
    np.testing.assert_array_equal(np.from_dlpack(y), sample("int32"))


# Row: api_version < 2023.12


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("version", ["2021.12", "2022.12"])
@pytest.mark.parametrize("dev", ["CPU_DEVICE", "device1"])
@pytest.mark.parametrize(
    "kwargs",
    [
        {"max_version": (1, 0)},
        {"max_version": None},
        {"dl_device": (1, 0)},
        {"dl_device": None},
        {"copy": True},
        {"copy": False},
        {"copy": None},
        {"max_version": (1, 0), "dl_device": (1, 0), "copy": None},
    ],
    ids=str,
)
def test_keywords_of_2023_in_an_older_version(version, dev, kwargs):
    x = xp.zeros(3, device=device(dev))
    with flags(api_version=version), pytest.raises(TypeError, match="unexpected keyword argument") as e:
        x.__dlpack__(**kwargs)
    assert isinstance(e.value, ValueError)
    assert any(name in err(e) for name in kwargs)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("version", ["2021.12", "2022.12"])
def test_the_retry_of_consumers_works_in_an_older_version(version):
    x = own(np.arange(3.0))
    with flags(api_version=version):
        assert Seen(x.__dlpack__()).name == LEGACY
        assert Seen(x.__dlpack__(stream=None)).name == LEGACY
        np.testing.assert_array_equal(np.from_dlpack(x), np.arange(3.0))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("version", ["2023.12", "2024.12", "2025.12", "2026.12"])
def test_keywords_of_2023_since_then(version):
    with flags(api_version=version):
        seen = Seen(xp.zeros(3).__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=True))
    assert seen.name == VERSIONED
    assert seen.flags == IS_COPIED


# NumPy as the consumer


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("copy", [None, True, False])
@pytest.mark.parametrize("dev", [None, "cpu"])
def test_numpy_consumes(dt, copy, dev):
    x = own(sample(dt))
    a = np.from_dlpack(x, device=dev, copy=copy)
    np.testing.assert_array_equal(a, sample(dt))
    assert a.dtype == np.dtype(dt)
    assert (address_of(a) == data_pointer(x)) == (copy is not True)
    if copy is not True:
        a[0, 0] = True if dt == "bool" else 5
        assert to_np(x)[0, 0] == a[0, 0]


@pytest.mark.parametrize("dt", DTYPES)
def test_numpy_consumes_every_layout(dt):
    x, a = own(sample(dt, (4, 5, 6))), sample(dt, (4, 5, 6))
    for key in [..., (slice(None, None, -1), ..., slice(1, None, 2)), (2, ...), (0, 0, slice(3, 3)), (None, ..., 1)]:
        np.testing.assert_array_equal(np.from_dlpack(x[key]), a[key])
    np.testing.assert_array_equal(np.from_dlpack(x.mT), np.swapaxes(a, 1, 2))
    np.testing.assert_array_equal(np.from_dlpack(x[1, 2, 3]), a[1, 2, 3])


def test_exporting_twice_gives_two_capsules():
    x = own(np.arange(3.0))
    first, second = x.__dlpack__(max_version=(1, 0)), x.__dlpack__(max_version=(1, 0))
    assert Seen(first).data == Seen(second).data
    assert Seen(first).address != Seen(second).address
    del first
    assert read_bytes(Seen(second).data, 24) == np.arange(3.0).tobytes()
