"""The device types of DLPack, as the array API standard spells them."""

from enum import IntEnum


class DLDeviceType(IntEnum):
    """What the first item of ``__dlpack_device__()`` is."""

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
