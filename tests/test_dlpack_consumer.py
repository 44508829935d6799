"""`from_dlpack(x, *, device, copy)`: one section per row of the consumer's decision table."""

import array
import gc
import itertools
import re

import numpy as np
import pytest
from dlpack_structs import (
    CODES,
    IS_COPIED,
    LEGACY,
    READ_ONLY,
    SUBBYTE_PADDED,
    USED_LEGACY,
    USED_VERSIONED,
    VERSIONED,
    DeviceType,
    Producer,
    Producer2022,
    ProducerBare,
    ProducerVersionOnly,
    Seen,
    Tensor,
    address_of,
    capsule_get_name,
    data_pointer,
    dlpack_dtype,
)
from support import (
    CPU,
    DEVICE_DTYPES,
    DEVICE_NAMES,
    DTYPES,
    FLOATING,
    INTEGER,
    MISSING_DTYPES,
    OFF_CPU,
    READ_ONLY_ERRORS,
    assert_same,
    device,
    dtype,
    err,
    flags,
    own,
    sample,
    stable_id,
    to_np,
)

import strictarray as xp

# What `from_dlpack` raises where copy=False can't be honoured is both of these.
NO_COPY_ERRORS = (ValueError, BufferError)


def assert_refuses_copy(call):
    """copy=False that can't be honoured: one class that is a ValueError and a BufferError."""
    with pytest.raises(BufferError) as e:
        call()
    assert isinstance(e.value, ValueError)
    assert "copy" in err(e)


def assert_shares(x, a):
    assert data_pointer(x) == address_of(a)


def assert_own_memory(x, a):
    """A write to the NumPy side is not seen on ours."""
    before = to_np(x)
    a[...] = ~a if a.dtype == bool else a + 1
    np.testing.assert_array_equal(to_np(x), before)


# Row: one of our arrays, device omitted or None


@pytest.mark.parametrize(("dev", "dt"), DEVICE_DTYPES)
@pytest.mark.parametrize(
    "kwargs", [{}, {"device": None}, {"copy": None}, {"copy": False}, {"device": None, "copy": False}]
)
def test_own_array_without_device_is_shared(dev, dt, kwargs):
    x = own(sample(dt), dev)
    y = xp.from_dlpack(x, **kwargs)
    assert y.device == device(dev)
    assert_same(y, sample(dt))
    y[0, 0] = True if dt == "bool" else 5
    assert to_np(x)[0, 0] == to_np(y)[0, 0] != sample(dt)[0, 0]


@pytest.mark.parametrize(("dev", "dt"), DEVICE_DTYPES)
@pytest.mark.parametrize("kwargs", [{"copy": True}, {"device": None, "copy": True}])
def test_own_array_without_device_is_copied_on_request(dev, dt, kwargs):
    x = own(sample(dt), dev)
    y = xp.from_dlpack(x, **kwargs)
    assert y.device == device(dev)
    y[0, 0] = True if dt == "bool" else 5
    assert_same(x, sample(dt))


@pytest.mark.parametrize("dev", DEVICE_NAMES)
@pytest.mark.parametrize("copy", [None, False])
def test_own_array_with_its_own_device_is_shared(dev, copy):
    x = own(sample("int32"), dev)
    y = xp.from_dlpack(x, device=device(dev), copy=copy)
    assert y.device == device(dev)
    y[0, 0] = 5
    assert to_np(x)[0, 0] == 5


# Row: one of our arrays, another device

DEVICE_PAIRS = list(itertools.permutations(DEVICE_NAMES, 2))


@pytest.mark.parametrize(("source", "target"), DEVICE_PAIRS)
@pytest.mark.parametrize("copy", [None, True])
def test_own_array_to_another_device_is_a_copy(source, target, copy):
    x = own(sample("int32"), source)
    y = xp.from_dlpack(x, device=device(target), copy=copy)
    assert y.device == device(target)
    assert_same(y, sample("int32"))
    y[0, 0] = 5
    assert_same(x, sample("int32"))
    x[1, 1] = 77
    assert to_np(y)[1, 1] != 77


@pytest.mark.parametrize(("source", "target"), DEVICE_PAIRS)
def test_own_array_to_another_device_without_copy_raises(source, target):
    x = own(sample("int32"), source)
    assert_refuses_copy(lambda: xp.from_dlpack(x, device=device(target), copy=False))


@pytest.mark.parametrize(("target", "dt"), [(dev, dt) for dev in DEVICE_NAMES for dt in MISSING_DTYPES[dev]])
@pytest.mark.parametrize("source", ["CPU_DEVICE", "device1"])
def test_own_array_to_a_device_without_its_dtype(source, target, dt):
    x = own(sample(dt), source)
    with pytest.raises((BufferError, ValueError), match=dt):
        xp.from_dlpack(x, device=device(target))


# Row: foreign, reports (CPU, 0), device omitted or None


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("kwargs", [{}, {"device": None}, {"copy": None}, {"copy": False}])
def test_foreign_cpu_without_device_is_shared(dt, kwargs):
    a = sample(dt)
    x = xp.from_dlpack(a, **kwargs)
    assert x.device == CPU
    assert_same(x, a)
    assert_shares(x, a)
    x[0, 0] = True if dt == "bool" else 5
    assert a[0, 0] == (True if dt == "bool" else 5)


@pytest.mark.parametrize("dt", DTYPES)
def test_foreign_cpu_copy(dt):
    a = sample(dt)
    x = xp.from_dlpack(a, copy=True)
    assert x.device == CPU
    assert_same(x, a)
    assert_own_memory(x, a)


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("kind", [Producer, Producer2022, ProducerBare, ProducerVersionOnly])
def test_foreign_capsules_of_both_generations(kind, versioned):
    a = np.arange(6.0).reshape(2, 3)
    producer = kind(Tensor(a, versioned=versioned))
    x = xp.from_dlpack(producer)
    assert x.device == CPU
    assert_same(x, a)
    assert_shares(x, a)
    assert capsule_get_name(producer.capsules[0]) == (USED_VERSIONED if versioned else USED_LEGACY)
    producer.drop()
    assert producer.tensor.deleted == 0
    assert_same(x, a)
    del x
    gc.collect()
    assert producer.tensor.deleted == 1
    assert producer.tensor.deleted_with == [producer.tensor.address]


@pytest.mark.parametrize("reports", [(1, 0), (DeviceType.CPU, 0), np.zeros(1).__dlpack_device__()])
def test_foreign_cpu_reported_in_any_spelling(reports):
    assert xp.from_dlpack(Producer(reports=reports)).device == CPU


@pytest.mark.parametrize("kwargs", [{"device": None}, {"copy": None}, {"device": None, "copy": None}])
def test_none_is_the_same_as_omitted(kwargs):
    producer = Producer2022()
    assert_same(xp.from_dlpack(producer, **kwargs), np.arange(6.0).reshape(2, 3))


def test_the_consumer_asks_for_a_version_it_understands():
    producer = Producer()
    xp.from_dlpack(producer)
    assert producer.calls[0]["max_version"][0] == 1
    assert producer.calls[0].get("stream") is None
    assert producer.calls[0].get("dl_device") is None


@pytest.mark.parametrize("copy", [True, False])
def test_the_consumer_passes_copy_on(copy):
    producer = Producer()
    xp.from_dlpack(producer, copy=copy)
    assert producer.calls[0]["copy"] is copy


def test_copy_is_real_even_when_the_producer_ignores_it():
    a = np.arange(3.0)
    x = xp.from_dlpack(Producer(Tensor(a), honour_copy=False), copy=True)
    assert_same(x, np.arange(3.0))
    assert_own_memory(x, a)


def test_copy_false_refuses_a_capsule_that_says_it_was_copied():
    producer = Producer(Tensor(np.arange(3.0), flags=IS_COPIED))
    assert_refuses_copy(lambda: xp.from_dlpack(producer, copy=False))


# Row: foreign, reports a device we don't have


@pytest.mark.parametrize("copy", [None, True, False])
@pytest.mark.parametrize(
    ("reports", "named"),
    [
        ((DeviceType.CUDA, 0), "CUDA (2, 0)"),
        ((2, 1), "CUDA (2, 1)"),
        ((DeviceType.ROCM, 0), "ROCm (10, 0)"),
        ((DeviceType.METAL, 0), "Metal (8, 0)"),
        ((17, 0), "MAIA (17, 0)"),
        ((99, 3), "unknown device (99, 3)"),
        ((1, 1), "CPU (1, 1)"),
    ],
)
def test_foreign_device_we_do_not_have(reports, named, copy):
    tensor = Tensor(np.arange(3.0), device=tuple(map(int, reports)), data=8)
    producer = Producer(tensor, reports=reports)
    kwargs = {} if copy is None else {"copy": copy}
    with pytest.raises(BufferError, match=f"got an array on device {re.escape(named)}") as e:
        xp.from_dlpack(producer, **kwargs)
    assert (e.value.rule, e.value.argument) == ("dlpack-foreign-device", "x")
    producer.drop()
    assert tensor.deleted == len(producer.calls)


# Row: foreign, any device, device given


@pytest.mark.parametrize("reports", [(DeviceType.CPU, 0), (DeviceType.CUDA, 0), (99, 3)])
@pytest.mark.parametrize("copy", [None, True, False])
def test_explicit_cpu_is_asked_of_the_producer(reports, copy):
    producer = Producer(reports=reports)
    x = xp.from_dlpack(producer, device=CPU, copy=copy)
    assert x.device == CPU
    assert_same(x, np.arange(6.0).reshape(2, 3))
    assert tuple(producer.calls[0]["dl_device"]) == (1, 0)
    assert producer.calls[0].get("copy") is copy


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("copy", [None, False])
def test_explicit_cpu_shares_numpy_memory(dt, copy):
    a = sample(dt)
    x = xp.from_dlpack(a, device=CPU, copy=copy)
    assert_same(x, a)
    assert_shares(x, a)


@pytest.mark.parametrize(("dev", "dt"), [(d, t) for d, t in DEVICE_DTYPES if d != "CPU_DEVICE"])
@pytest.mark.parametrize("copy", [None, True])
def test_explicit_other_device_is_a_copy(dev, dt, copy):
    a = sample(dt)
    x = xp.from_dlpack(a, device=device(dev), copy=copy)
    assert x.device == device(dev)
    assert_same(x, a)
    assert_own_memory(x, a)


@pytest.mark.parametrize("dev", OFF_CPU)
def test_explicit_other_device_without_copy_raises(dev):
    a = np.arange(3, dtype=np.int32)
    assert_refuses_copy(lambda: xp.from_dlpack(a, device=device(dev), copy=False))


@pytest.mark.parametrize("dev", OFF_CPU)
@pytest.mark.parametrize("reports", [(DeviceType.CPU, 0), (DeviceType.CUDA, 0)])
def test_explicit_other_device_asks_the_producer_for_the_cpu(dev, reports):
    a = np.arange(3, dtype=np.float32)
    producer = Producer(Tensor(a), reports=reports)
    x = xp.from_dlpack(producer, device=device(dev))
    assert x.device == device(dev)
    assert_same(x, a)
    assert tuple(producer.calls[0]["dl_device"]) == (1, 0)


def test_explicit_device_and_a_producer_that_answers_with_another_one():
    tensor = Tensor(np.arange(3.0), device=(2, 0), data=8)
    producer = Producer(tensor, reports=(2, 0))
    with pytest.raises(BufferError):
        xp.from_dlpack(producer, device=CPU)
    producer.drop()
    assert tensor.deleted == 1


@pytest.mark.parametrize("bad", ["cpu", "CPU_DEVICE", 1, (1, 0), np.zeros(1).device])
def test_device_must_be_a_device(bad):
    with pytest.raises((TypeError, ValueError), match="device"):
        xp.from_dlpack(np.zeros(1), device=bad)


@pytest.mark.parametrize("bad", [0, 1, "yes", np.True_])
def test_copy_must_be_a_bool_or_none(bad):
    with pytest.raises(TypeError, match="copy"):
        xp.from_dlpack(np.zeros(1), copy=bad)


# Row: foreign, no `__dlpack__` or no `__dlpack_device__`


class OnlyDlpack:
    def __dlpack__(self, **kwargs):
        return Tensor().capsule()


class OnlyDevice:
    def __dlpack_device__(self):
        return (1, 0)


@pytest.mark.parametrize(
    ("bad", "missing"),
    [
        (object(), "__dlpack"),
        (3.0, "__dlpack"),
        ([1.0, 2.0], "__dlpack"),
        (None, "__dlpack"),
        (b"bytes", "__dlpack"),
        (array.array("d", [1.0]), "__dlpack"),
        (OnlyDlpack(), "__dlpack_device__"),
        (OnlyDevice(), "__dlpack__"),
    ],
    ids=lambda v: type(v).__name__,
)
def test_without_the_protocol(bad, missing):
    with pytest.raises(AttributeError, match=missing):
        xp.from_dlpack(bad)


def test_a_bare_capsule_is_no_array():
    capsule = Tensor().capsule()
    with pytest.raises(AttributeError):
        xp.from_dlpack(capsule)
    assert capsule_get_name(capsule) == VERSIONED


# Row: foreign, dtype outside the standard or not on the target device

BAD_DTYPES = [
    ((CODES["float"], 16, 1), "float16"),
    ((CODES["bfloat"], 16, 1), "bfloat16"),
    ((CODES["float"], 128, 1), "float128"),
    ((CODES["float"], 80, 1), "float80"),
    ((CODES["complex"], 32, 1), "complex32"),
    ((CODES["int"], 4, 1), "int4"),
    ((CODES["int"], 128, 1), "int128"),
    ((CODES["uint"], 1, 1), "uint1"),
    ((CODES["uint"], 0, 1), "uint0|bits"),
    ((CODES["bool"], 1, 1), "bool"),
    ((CODES["bool"], 32, 1), "bool"),
    ((CODES["opaque"], 64, 1), "opaque|handle"),
    ((7, 8, 1), "float8|code 7"),
    ((10, 8, 1), "float8|code 10"),
    ((15, 6, 1), "float6|code 15"),
    ((17, 4, 1), "float4|code 17"),
    ((18, 8, 1), "18"),
    ((200, 64, 1), "200"),
    ((255, 255, 65535), "255"),
    ((CODES["float"], 32, 2), "lanes|[x×]2"),
    ((CODES["float"], 64, 0), "lanes|[x×]0"),
    ((CODES["int"], 8, 4), "lanes|[x×]4"),
    ((CODES["complex"], 64, 2), "lanes|[x×]2"),
]


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize(("bad", "named"), BAD_DTYPES)
def test_dtype_outside_the_standard(bad, named, versioned):
    tensor = Tensor(np.zeros(64), dtype=bad, shape=(2,), strides=(1,), versioned=versioned)
    producer = Producer(tensor)
    with pytest.raises(BufferError, match=f"(?i){named}"):
        xp.from_dlpack(producer)
    # A rejected capsule keeps its name, and its own destructor frees it.
    assert capsule_get_name(producer.capsules[0]) == (VERSIONED if versioned else LEGACY)
    assert tensor.deleted == 0
    producer.drop()
    assert tensor.deleted == 1


def test_numpy_half_is_refused():
    with pytest.raises(BufferError, match="float16"):
        xp.from_dlpack(np.zeros(3, dtype=np.float16))


@pytest.mark.parametrize(("dev", "dt"), [(dev, dt) for dev in DEVICE_NAMES for dt in MISSING_DTYPES[dev]])
@pytest.mark.parametrize("copy", [None, True])
def test_dtype_not_on_the_target_device(dev, dt, copy):
    with pytest.raises(BufferError, match=dt) as e:
        xp.from_dlpack(sample(dt), device=device(dev), copy=copy)
    assert dev in err(e)


@pytest.mark.parametrize("dt", DTYPES)
def test_every_dtype_of_the_standard_from_a_hand_made_capsule(dt):
    a = sample(dt)
    assert_same(xp.from_dlpack(Producer(Tensor(a, dtype=dlpack_dtype(dt)))), a)


def test_bool_bytes_other_than_0_and_1_are_true():
    a = np.array([0, 1, 2, 255], dtype=np.uint8)
    x = xp.from_dlpack(Producer(Tensor(a, dtype=(CODES["bool"], 8, 1))))
    y = x & xp.asarray(True)
    assert [bool(v) for v in x] == [False, True, True, True]
    assert_same(y, np.array([False, True, True, True]))
    assert_same(x == xp.asarray([False, True, True, True]), np.ones(4, dtype=bool))


# Row: foreign layouts

BASE = np.arange(120.0).reshape(4, 5, 6)
SHARED_LAYOUTS = {
    "C": BASE,
    "F": np.asfortranarray(BASE),
    "transposed": BASE.T,
    "step": BASE[::2, 1:, ::3],
    "negative": BASE[::-1, :, ::-1],
    "negative-step": BASE[:, ::-2, 4:1:-1],
    "offset": BASE[2, 3, 1:],
    "one-element": BASE[3:, 4:, 5:],
    "0-d": np.array(3.5),
    "0-d-of-larger": BASE[1, 2, 3:4].reshape(()),
    "size-0": np.zeros((3, 0, 2)),
    "size-0-of-larger": BASE[:, 2:2],
    "unit-axes": BASE[:, None, :1, None, :],
}
ODD_LAYOUTS = {
    "zero-stride": np.broadcast_to(np.arange(3.0), (4, 3)),
    "zero-stride-scalar": np.broadcast_to(np.float64(2.5), (2, 3)),
    "overlapping": np.lib.stride_tricks.sliding_window_view(np.arange(10.0), 4),
    "overlapping-negative": np.lib.stride_tricks.as_strided(np.arange(10.0)[4:], (4, 3), (-8, 8)),
    "misaligned": np.frombuffer(bytearray(8 * 6 + 1), dtype=np.uint8)[1:].view(np.float64).reshape(2, 3),
    "misaligned-strided": np.frombuffer(bytearray(8 * 6 + 3), dtype=np.uint8)[3:].view(np.float64)[::-2],
}
for _name in ("misaligned", "misaligned-strided"):
    ODD_LAYOUTS[_name][...] = np.arange(ODD_LAYOUTS[_name].size).reshape(ODD_LAYOUTS[_name].shape) - 1.5
LAYOUTS = SHARED_LAYOUTS | ODD_LAYOUTS


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("byte_offset", [0, 8, 4096, 7])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_layout_has_the_right_values(layout, byte_offset, versioned):
    a = LAYOUTS[layout]
    x = xp.from_dlpack(Producer(Tensor(a, byte_offset=byte_offset, versioned=versioned)))
    assert_same(x, a)
    assert_same(x + x, a + a)


@pytest.mark.parametrize("layout", SHARED_LAYOUTS)
def test_an_ordinary_layout_is_shared(layout):
    a = SHARED_LAYOUTS[layout]
    x = xp.from_dlpack(a, copy=False)
    assert_same(x, a)
    if a.size:
        assert_shares(x, a)


@pytest.mark.parametrize("layout", ODD_LAYOUTS)
def test_only_misaligned_data_is_not_shared(layout):
    a = ODD_LAYOUTS[layout]
    producer = Producer(Tensor(a))
    if layout.startswith("misaligned"):
        with pytest.raises(BufferError, match="copy") as e:
            xp.from_dlpack(producer, copy=False)
        assert isinstance(e.value, ValueError)
        assert e.value.rule == "dlpack-copy-needed"
    else:
        x = xp.from_dlpack(producer, copy=False)
        assert_same(x, a)
        assert_shares(x, a)


@pytest.mark.parametrize("dt", ["int16", "int64", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("shift", [1, 2, 3, 4, 7])
def test_misaligned_data_of_every_width(dt, shift):
    a = np.frombuffer(bytearray(16 * 5 + shift), dtype=np.uint8)[shift:].view(dt)[:5]
    a[...] = sample(dt, (5,))
    x = xp.from_dlpack(a)
    assert_same(x, sample(dt, (5,)))
    assert_same(x * x, sample(dt, (5,)) * sample(dt, (5,)))
    assert_same(x[::-2], sample(dt, (5,))[::-2])


@pytest.mark.parametrize("ndim", [1, 2, 3])
@pytest.mark.parametrize("versioned", [True, False])
def test_null_strides_mean_c_order(ndim, versioned):
    a = np.arange(24.0).reshape({1: (24,), 2: (4, 6), 3: (2, 3, 4)}[ndim])
    x = xp.from_dlpack(Producer(Tensor(a, strides=None, versioned=versioned)))
    assert_same(x, a)
    assert_shares(x, a)


@pytest.mark.parametrize("versioned", [True, False])
def test_null_shape_and_strides_of_a_0d_tensor(versioned):
    x = xp.from_dlpack(Producer(Tensor(np.array(2.5), shape=None, strides=None, versioned=versioned)))
    assert_same(x, np.array(2.5))


@pytest.mark.parametrize("data", [None, 0x10])
@pytest.mark.parametrize("strides", [None, (0, 0), (5, 1), (-3, 2)])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_size_0_data_is_never_read(data, strides, shape):
    tensor = Tensor(np.zeros(shape), data=data, shape=shape, strides=strides)
    x = xp.from_dlpack(Producer(tensor))
    assert x.shape == shape
    assert (x + x).shape == shape


def test_strides_of_axes_of_size_1_mean_nothing():
    a = np.arange(3.0)
    x = xp.from_dlpack(Producer(Tensor(a, shape=(1, 3, 1), strides=(2**62, 1, -(2**62)))))
    assert_same(x, a.reshape(1, 3, 1))


def test_64_dimensions_are_accepted():
    a = np.arange(2.0).reshape((1,) * 63 + (2,))
    assert_same(xp.from_dlpack(a), a)


# Hostile structs: an exception, without a read out of bounds

HOSTILE = {
    "data NULL": {"data": None},
    "shape NULL": {"shape": None, "ndim": 2},
    "ndim negative": {"ndim": -1},
    "ndim INT32_MIN": {"ndim": -(2**31)},
    "ndim 65": {"shape": (1,) * 65, "strides": (1,) * 65},
    "ndim INT32_MAX": {"ndim": 2**31 - 1},
    "shape negative": {"shape": (-1, 3), "strides": (3, 1)},
    "shape INT64_MIN": {"shape": (-(2**63), 3), "strides": (3, 1)},
    "shape negative beside 0": {"shape": (0, -3), "strides": (3, 1)},
    "size overflows": {"shape": (2**62, 2**62), "strides": (0, 0)},
    "size overflows to small": {"shape": (2**32, 2**32), "strides": (1, 1)},
    "bytes overflow": {"shape": (2**62,), "strides": (1,)},
    "bytes overflow, C order": {"shape": (2**61, 2), "strides": None},
    "strides overflow": {"shape": (2, 3), "strides": (2**62, 1)},
    "strides INT64_MIN": {"shape": (2, 3), "strides": (-(2**63), 1)},
    "strides INT64_MAX": {"shape": (3, 3), "strides": (2**63 - 1, 2**63 - 1)},
    "byte_offset wraps": {"byte_offset": 2**64 - 8, "data": 4096},
    "device of the capsule differs": {"device": (2, 0), "data": 8},
    "device id of the capsule differs": {"device": (1, 7)},
    "device unknown": {"device": (12345, 0), "data": 8},
    "device negative": {"device": (-1, -1), "data": 8},
}


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_struct(case, versioned):
    tensor = Tensor(np.arange(6.0).reshape(2, 3), versioned=versioned, **HOSTILE[case])
    producer = Producer(tensor)
    with pytest.raises(BufferError):
        xp.from_dlpack(producer)
    assert capsule_get_name(producer.capsules[0]) == (VERSIONED if versioned else LEGACY)
    assert tensor.deleted == 0
    producer.drop()
    assert tensor.deleted == 1


@pytest.mark.parametrize("version", [(0, 8), (2, 0), (3, 9), (2**32 - 1, 2**32 - 1)])
def test_unknown_major_version(version):
    tensor = Tensor(version=version, data=1, ndim=-5, device=(77, 77), dtype=(99, 99, 99))
    producer = Producer(tensor)
    with pytest.raises(BufferError, match="(?i)version"):
        xp.from_dlpack(producer)
    producer.drop()
    gc.collect()
    assert tensor.deleted == 1


@pytest.mark.parametrize("version", [(1, 0), (1, 1), (1, 3), (1, 4), (1, 2**32 - 1)])
def test_unknown_minor_version_is_usable(version):
    assert_same(xp.from_dlpack(Producer(Tensor(version=version))), np.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize("extra", [SUBBYTE_PADDED, 8, 2**63])
def test_flags_that_mean_nothing_here_are_ignored(extra):
    x = xp.from_dlpack(Producer(Tensor(np.arange(3.0), flags=extra)))
    x[0] = 7.0
    assert_same(x, np.array([7.0, 1.0, 2.0]))


@pytest.mark.parametrize("versioned", [True, False])
def test_a_null_deleter_is_accepted(versioned):
    producer = Producer(Tensor(np.arange(3.0), deleter=False, versioned=versioned))
    x = xp.from_dlpack(producer)
    assert_same(x, np.arange(3.0))
    producer.drop()
    del x
    gc.collect()
    assert producer.tensor.deleted == 0


@pytest.mark.parametrize("name", [USED_VERSIONED, USED_LEGACY, b"other", b""])
def test_a_capsule_of_another_name_is_refused(name):
    from dlpack_structs import capsule_set_name

    tensor = Tensor()

    class Renamed(Producer):
        def _export(self, kwargs):
            capsule = super()._export(kwargs)
            capsule_set_name(capsule, name)
            return capsule

    producer = Renamed(tensor)
    with pytest.raises((BufferError, ValueError)):
        xp.from_dlpack(producer)
    assert capsule_get_name(producer.capsules[0]) == name
    producer.drop()
    assert tensor.deleted == 0


@pytest.mark.parametrize("answer", [None, 3, "capsule", object()], ids=stable_id)
def test_a_producer_that_returns_no_capsule(answer):
    class NoCapsule:
        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **kwargs):
            return answer

    with pytest.raises((BufferError, TypeError)):
        xp.from_dlpack(NoCapsule())


@pytest.mark.parametrize("reports", [None, 1, (1,), (1, 0, 0), ("cpu", 0), (None, None), (2**80, 0)], ids=stable_id)
def test_a_nonsense_device_tuple(reports):
    with pytest.raises(BufferError) as e:
        xp.from_dlpack(Producer(reports=reports))
    assert e.value.rule == ("dlpack-foreign-device" if reports == (2**80, 0) else "dlpack-invalid")


# Row: foreign, READ_ONLY flag


def read_only_import(dt="float64", shape=(2, 2)):
    a = sample(dt, shape)
    return a, xp.from_dlpack(Producer(Tensor(a, flags=READ_ONLY)))


def _setitem(key, value):
    def write(x):
        x[key] = value

    return write


def _inplace(symbol, value):
    def write(x):
        exec(f"x {symbol}= value", {"x": x, "value": value})

    return write


def _view(take):
    def write(x):
        take(x)[...] = 9.0

    return write


FLOAT_WRITES = {
    "int": _setitem((0, 0), 9.0),
    "slice": _setitem((slice(None), slice(None)), 9.0),
    "ellipsis": _setitem(..., 9.0),
    "empty slice": _setitem((slice(0, 0), ...), 9.0),
    "array value": _setitem(..., xp.ones((2, 2))),
    "mask": lambda x: x.__setitem__(x == x, 9.0),
    "mask of nothing": lambda x: x.__setitem__(x != x, 9.0),
    "view": _view(lambda x: x[1:, :]),
    "transposed view": _view(lambda x: x.T),
    "matrix-transposed view": _view(lambda x: x.mT),
    "new axis view": _view(lambda x: x[None, ...]),
    "asarray": _view(xp.asarray),
    "asarray copy=False": _view(lambda x: xp.asarray(x, copy=False)),
    "from_dlpack": _view(xp.from_dlpack),
    "from_dlpack copy=False": _view(lambda x: xp.from_dlpack(x, copy=False)),
    "astype copy=False": _view(lambda x: xp.astype(x, xp.float64, copy=False)),
    **{f"{symbol}=": _inplace(symbol, 2.0) for symbol in ("+", "-", "*", "/", "//", "%", "**")},
    "@=": _inplace("@", xp.ones((2, 2))),
}
INT_WRITES = {f"{symbol}=": _inplace(symbol, 1) for symbol in ("+", "&", "|", "^", "<<", ">>", "//", "%", "**")}


@pytest.mark.parametrize("write", FLOAT_WRITES)
def test_read_only_refuses_every_write(write):
    a, x = read_only_import()
    before = a.copy()
    with pytest.raises(READ_ONLY_ERRORS, match="(?i)read.?only"):
        FLOAT_WRITES[write](x)
    np.testing.assert_array_equal(a, before)


@pytest.mark.parametrize("write", INT_WRITES)
def test_read_only_refuses_every_integer_write(write):
    a, x = read_only_import("int32")
    before = a.copy()
    with pytest.raises(READ_ONLY_ERRORS, match="(?i)read.?only"):
        INT_WRITES[write](x)
    np.testing.assert_array_equal(a, before)


def test_read_only_array_still_computes():
    a, x = read_only_import()
    assert_same(x + x, a + a)
    assert_same(x[0, :], a[0])
    y = x + 0.0
    y[0, 0] = 9.0
    assert to_np(y)[0, 0] == 9.0


@pytest.mark.parametrize(
    "copied",
    [
        lambda x: xp.asarray(x, copy=True),
        lambda x: xp.from_dlpack(x, copy=True),
        lambda x: xp.astype(x, xp.float32),
        lambda x: xp.astype(x, xp.float64),
        lambda x: x.to_device(device("device1")),
        lambda x: xp.zeros_like(x),
    ],
    ids=["asarray", "from_dlpack", "astype", "astype-same", "to_device", "zeros_like"],
)
def test_a_copy_of_a_read_only_array_is_writable(copied):
    a, x = read_only_import()
    before = a.copy()
    y = copied(x)
    y[0, 0] = 9.0
    assert to_np(y)[0, 0] == 9.0
    np.testing.assert_array_equal(a, before)


def test_read_only_is_told_to_the_next_consumer():
    a, x = read_only_import()
    assert Seen(x.__dlpack__(max_version=(1, 0))).flags & READ_ONLY
    assert not np.from_dlpack(x).flags.writeable
    assert memoryview(x).readonly
    with pytest.raises(BufferError, match="(?i)read.?only"):
        x.__dlpack__()


def test_read_only_numpy_array():
    a = np.arange(3.0)
    a.flags.writeable = False
    x = xp.from_dlpack(a)
    assert_shares(x, a)
    with pytest.raises(READ_ONLY_ERRORS, match="(?i)read.?only"):
        x[0] = 1.0


def test_a_legacy_capsule_is_writable():
    a = np.arange(3.0)
    x = xp.from_dlpack(Producer2022(Tensor(a, versioned=False)))
    x[0] = 7.0
    assert a[0] == 7.0


# Row: foreign that does not know the new keywords


@pytest.mark.parametrize("kind", [Producer2022, ProducerBare])
def test_old_producer_gets_one_retry(kind):
    producer = kind(Tensor(np.arange(3.0), versioned=False))
    assert_same(xp.from_dlpack(producer), np.arange(3.0))
    assert len(producer.calls) == 1


@pytest.mark.parametrize("kind", [Producer2022, ProducerBare, ProducerVersionOnly])
@pytest.mark.parametrize("kwargs", [{"copy": False}, {"device": CPU, "copy": False}])
def test_old_producer_and_copy_false_is_not_dropped(kind, kwargs):
    producer = kind(Tensor(np.arange(3.0), versioned=False))
    with pytest.raises((TypeError, BufferError)):
        xp.from_dlpack(producer, **kwargs)


@pytest.mark.parametrize("kind", [Producer2022, ProducerBare, ProducerVersionOnly])
def test_old_producer_and_copy_true_is_not_dropped(kind):
    a = np.arange(3.0)
    producer = kind(Tensor(a, versioned=False))
    try:
        x = xp.from_dlpack(producer, copy=True)
    except (TypeError, BufferError):
        return
    assert_own_memory(x, a)


@pytest.mark.parametrize("kind", [Producer2022, ProducerBare, ProducerVersionOnly])
@pytest.mark.parametrize("target", DEVICE_NAMES)
def test_old_producer_on_another_device_and_an_explicit_device_is_not_dropped(kind, target):
    producer = kind(Tensor(np.arange(3, dtype=np.int32)), reports=(2, 0))
    with pytest.raises((TypeError, BufferError)):
        xp.from_dlpack(producer, device=device(target))


@pytest.mark.parametrize("kwargs", [{}, {"copy": True}, {"copy": False}, {"device": CPU}])
@pytest.mark.parametrize("message", ["no buffer today", "got an unexpected keyword argument 'spam'"])
def test_type_error_inside_the_producer_is_passed_on(kwargs, message):
    calls = []
    raised = TypeError(message)

    class Broken(Producer):
        def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
            calls.append(max_version)
            if max_version is None:
                return self._export({})  # what a blind retry would get
            self.fail()

        def fail(self):
            raise raised

    with pytest.raises(TypeError) as e:
        xp.from_dlpack(Broken(), **kwargs)
    assert e.value is raised
    assert len(calls) == 1


@pytest.mark.parametrize(
    "error", [BufferError, ValueError, RuntimeError, KeyboardInterrupt, MemoryError, ZeroDivisionError]
)
@pytest.mark.parametrize("where", ["__dlpack__", "__dlpack_device__"])
def test_other_errors_of_the_producer_are_passed_on(error, where):
    raised = error("from the producer")

    def fail(self, **kwargs):
        raise raised

    producer = type("Failing", (Producer,), {where: fail})()
    with pytest.raises(error) as e:
        xp.from_dlpack(producer)
    assert e.value is raised


# Row: api_version < 2023.12 and device or copy given


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("version", ["2021.12", "2022.12"])
@pytest.mark.parametrize("kwargs", [{"copy": True}, {"copy": False}, {"copy": None}, {"device": CPU}, {"device": None}])
@pytest.mark.parametrize("source", ["foreign", "own"])
def test_keywords_of_2023_in_an_older_version(version, kwargs, source):
    x = np.zeros(3) if source == "foreign" else xp.zeros(3)
    with flags(api_version=version):
        with pytest.raises(TypeError, match="unexpected keyword argument") as e:
            xp.from_dlpack(x, **kwargs)
        assert isinstance(e.value, ValueError)
        assert next(iter(kwargs)) in err(e)
        assert_same(xp.from_dlpack(x), np.zeros(3))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("version", ["2023.12", "2024.12", "2025.12", "2026.12"])
@pytest.mark.parametrize("copy", [None, True, False])
def test_keywords_of_2023_since_then(version, copy):
    with flags(api_version=version):
        assert_same(xp.from_dlpack(np.arange(3.0), device=CPU, copy=copy), np.arange(3.0))


# NumPy as the producer, for everything at once


@pytest.mark.parametrize("dt", INTEGER + FLOATING + ("bool",))
@pytest.mark.parametrize("dev", [None, *DEVICE_NAMES])
@pytest.mark.parametrize("copy", [None, True, False])
def test_numpy_round_trip(dt, dev, copy):
    a = sample(dt, (3, 4))[::-1, ::2]
    kwargs = {} if dev is None else {"device": device(dev)}
    if dev is not None and dt in MISSING_DTYPES[dev]:
        with pytest.raises(BufferError, match=dt if copy is not False else None):
            xp.from_dlpack(a, copy=copy, **kwargs)
    elif dev in OFF_CPU and copy is False:
        assert_refuses_copy(lambda: xp.from_dlpack(a, copy=copy, **kwargs))
    else:
        x = xp.from_dlpack(a, copy=copy, **kwargs)
        assert x.device == device(dev or "CPU_DEVICE")
        assert x.dtype == dtype(dt)
        assert_same(x, a)
