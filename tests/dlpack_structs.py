"""The DLPack 1.3 ABI in ctypes, capsules, and producers that can lie about anything.

Nothing here uses the library under test.
"""

import atexit
import ctypes
import enum

import numpy as np

CODES = {"int": 0, "uint": 1, "float": 2, "opaque": 3, "bfloat": 4, "complex": 5, "bool": 6}
READ_ONLY, IS_COPIED, SUBBYTE_PADDED = 1, 2, 4

LEGACY, VERSIONED = b"dltensor", b"dltensor_versioned"
USED_LEGACY, USED_VERSIONED = b"used_dltensor", b"used_dltensor_versioned"


class DeviceType(enum.IntEnum):
    """The names the standard gives to DLPack's device types."""

    CPU = 1
    CUDA = 2
    CPU_PINNED = 3
    OPENCL = 4
    VULKAN = 7
    METAL = 8
    VPI = 9
    ROCM = 10
    CUDA_MANAGED = 13
    ONE_API = 14


class DLDevice(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class DLDataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", DLDevice),
        ("ndim", ctypes.c_int32),
        ("dtype", DLDataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


# The argument is the address of the managed tensor.
Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("dl_tensor", DLTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class DLPackVersion(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)]


class DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = [
        ("version", DLPackVersion),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("dl_tensor", DLTensor),
    ]


assert ctypes.sizeof(DLTensor) == 48
assert ctypes.sizeof(DLManagedTensor) == 64
assert ctypes.sizeof(DLManagedTensorVersioned) == 80
assert DLManagedTensorVersioned.dl_tensor.offset == 32


def _api(name, restype, *argtypes):
    function = ctypes.PYFUNCTYPE(restype, *argtypes)((name, ctypes.pythonapi))
    return function


CapsuleDestructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
capsule_new = _api("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
capsule_get_pointer = _api("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
capsule_get_name = _api("PyCapsule_GetName", ctypes.c_char_p, ctypes.py_object)
capsule_set_name = _api("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_is_valid_at = _api("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer_at = _api("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)


class Seen:
    """What a capsule holds, read through ctypes."""

    def __init__(self, capsule):
        self.capsule = capsule
        self.name = capsule_get_name(capsule)
        address = capsule_get_pointer(capsule, self.name)
        self.address = address
        if self.name == VERSIONED:
            self.managed = DLManagedTensorVersioned.from_address(address)
            self.version = (self.managed.version.major, self.managed.version.minor)
            self.flags = self.managed.flags
        else:
            assert self.name == LEGACY, self.name
            self.managed = DLManagedTensor.from_address(address)
            self.version = None
            self.flags = None
        tensor = self.tensor = self.managed.dl_tensor
        self.ndim = tensor.ndim
        self.shape = tuple(tensor.shape[i] for i in range(self.ndim))
        self.strides = tuple(tensor.strides[i] for i in range(self.ndim)) if tensor.strides else None
        self.dtype = (tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes)
        self.device = (tensor.device.device_type, tensor.device.device_id)
        self.data = (tensor.data or 0) + tensor.byte_offset

    def call_deleter(self):
        if self.managed.deleter:
            Deleter(self.managed.deleter)(self.address)


def dlpack_dtype(dt):
    """(code, bits, lanes) of a NumPy dtype or its name."""
    dt = np.dtype(dt)
    code = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}[dt.kind]
    return CODES[code], dt.itemsize * 8, 1


def address_of(a):
    """Where a NumPy array's first element is."""
    return a.__array_interface__["data"][0]


def data_pointer(x):
    """Where the first element of a CPU array of the library under test is."""
    return Seen(x.__dlpack__(max_version=(1, 0))).data


_UNSET = object()
_alive = {}  # tensors that a capsule or a consumer may still refer to
_producers = []  # so that no capsule of theirs is dropped while an exception is in flight: a destructor in Python can't stand that


class Tensor:
    """A hand-made managed tensor whose deleter counts its calls.

    By default it describes `array`; each field can be given instead, also as nonsense.
    `shape=None` and `strides=None` write NULL pointers, `data=None` too.
    """

    def __init__(
        self,
        array=None,
        *,
        versioned=True,
        version=(1, 3),
        flags=0,
        deleter=True,
        device=(1, 0),
        ndim=_UNSET,
        dtype=_UNSET,
        shape=_UNSET,
        strides=_UNSET,
        data=_UNSET,
        byte_offset=0,
    ):
        array = np.arange(6.0).reshape(2, 3) if array is None else array
        self.array = array
        self.versioned = versioned
        self.deleted = 0
        self.deleted_with = []
        self.managed = (DLManagedTensorVersioned if versioned else DLManagedTensor)()
        if versioned:
            self.managed.version.major, self.managed.version.minor = version
            self.managed.flags = flags
        tensor = self.managed.dl_tensor
        tensor.data = address_of(array) - byte_offset if data is _UNSET else data
        tensor.byte_offset = byte_offset
        tensor.device.device_type, tensor.device.device_id = device
        tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = (
            dlpack_dtype(array.dtype) if dtype is _UNSET else dtype
        )
        shape = array.shape if shape is _UNSET else shape
        if strides is _UNSET:
            strides = tuple(s // array.itemsize for s in array.strides)
        tensor.ndim = (len(shape) if shape is not None else 0) if ndim is _UNSET else ndim
        self._shape = None if shape is None else (ctypes.c_int64 * max(len(shape), 1))(*shape)
        self._strides = None if strides is None else (ctypes.c_int64 * max(len(strides), 1))(*strides)
        if self._shape is not None:
            tensor.shape = ctypes.cast(self._shape, ctypes.POINTER(ctypes.c_int64))
        if self._strides is not None:
            tensor.strides = ctypes.cast(self._strides, ctypes.POINTER(ctypes.c_int64))
        self.address = ctypes.addressof(self.managed)
        self._deleter = Deleter(self._on_delete)
        if deleter:
            self.managed.deleter = ctypes.cast(self._deleter, ctypes.c_void_p).value
        _alive[self.address] = self

    def _on_delete(self, address):
        self.deleted += 1
        self.deleted_with.append(address)

    def capsule(self):
        return capsule_new(
            self.address,
            VERSIONED if self.versioned else LEGACY,
            ctypes.cast(_destructor, ctypes.c_void_p),
        )


@CapsuleDestructor
def _destructor(capsule):
    """What a producer's capsule does when it is dropped: the deleter, unless someone consumed it."""
    for name in (VERSIONED, LEGACY):
        if _is_valid_at(capsule, name):
            address = _pointer_at(capsule, name)
            tensor = _alive[address]
            if tensor.managed.deleter:
                Deleter(tensor.managed.deleter)(address)


class Producer:
    """A foreign array that knows all four keywords, and records what it was asked for."""

    def __init__(self, tensor=None, *, reports=(DeviceType.CPU, 0), honour_copy=True):
        self.tensor = Tensor() if tensor is None else tensor
        self.reports = reports
        self.honour_copy = honour_copy
        self.calls = []
        self.capsules = []
        _producers.append(self)

    def __dlpack_device__(self):
        return self.reports

    def _export(self, kwargs):
        self.calls.append(kwargs)
        tensor = self.tensor
        if kwargs.get("copy") and self.honour_copy:
            tensor = Tensor(self.tensor.array.copy(), flags=IS_COPIED)
        # The producer keeps its capsule, so that a test decides when it is dropped.
        self.capsules.append(tensor.capsule())
        return self.capsules[-1]

    def __dlpack__(self, *, stream=_UNSET, max_version=_UNSET, dl_device=_UNSET, copy=_UNSET):
        given = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        return self._export({k: v for k, v in given.items() if v is not _UNSET})

    def drop(self):
        """Let go of the capsules."""
        self.capsules.clear()


@atexit.register
def _drop_all():
    """Before the interpreter takes the names away that `_destructor` needs."""
    for producer in _producers:
        producer.drop()


class Producer2022(Producer):
    """A producer of the 2022.12 standard: it knows `stream` only."""

    def __dlpack__(self, *, stream=None):
        return self._export({})


class ProducerBare(Producer):
    """A producer that knows no keyword at all."""

    def __dlpack__(self):
        return self._export({})


class ProducerVersionOnly(Producer):
    """A producer that knows `stream` and `max_version`, but neither `dl_device` nor `copy`."""

    def __dlpack__(self, *, stream=None, max_version=None):
        return self._export({"max_version": max_version})
