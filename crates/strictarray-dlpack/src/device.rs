//! Devices: constructors, names.

use core::fmt;

use crate::ffi::*;

impl DLDevice {
    /// Host memory.
    pub const CPU: DLDevice = DLDevice { device_type: device_type::CPU, device_id: 0 };

    /// The device with these numbers.
    pub const fn new(device_type: DLDeviceType, device_id: i32) -> Self {
        Self { device_type, device_id }
    }

    /// The name of the device type, or `None` for a number DLPack 1.3 does not define.
    pub const fn type_name(self) -> Option<&'static str> {
        Some(match self.device_type {
            device_type::CPU => "CPU",
            device_type::CUDA => "CUDA",
            device_type::CUDA_HOST => "CUDA host",
            device_type::OPENCL => "OpenCL",
            device_type::VULKAN => "Vulkan",
            device_type::METAL => "Metal",
            device_type::VPI => "VPI",
            device_type::ROCM => "ROCm",
            device_type::ROCM_HOST => "ROCm host",
            device_type::EXT_DEV => "extension device",
            device_type::CUDA_MANAGED => "CUDA managed",
            device_type::ONE_API => "oneAPI",
            device_type::WEBGPU => "WebGPU",
            device_type::HEXAGON => "Hexagon",
            device_type::MAIA => "MAIA",
            device_type::TRN => "Trainium",
            _ => return None,
        })
    }

    /// Whether the device type is one whose `data` is an address the host can read.
    pub const fn is_host_accessible(self) -> bool {
        matches!(
            self.device_type,
            device_type::CPU | device_type::CUDA_HOST | device_type::ROCM_HOST | device_type::CUDA_MANAGED
        )
    }
}

/// Name and numbers, such as `CPU (1, 0)`.
///
/// ```
/// use strictarray_dlpack::ffi::DLDevice;
/// assert_eq!(DLDevice::CPU.to_string(), "CPU (1, 0)");
/// assert_eq!(DLDevice::new(-5, 2).to_string(), "unknown device (-5, 2)");
/// ```
impl fmt::Display for DLDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.type_name().unwrap_or("unknown device");
        write!(f, "{name} ({}, {})", self.device_type, self.device_id)
    }
}
