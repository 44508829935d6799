//! The emulated devices: names, data types, defaults, and what they let the host see.

use std::fmt;

use strictarray_standard::{DType, DTypeSet, rule};

use crate::{Error, Result};

/// What a device gives to the host on request of another library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostExport {
    /// Its memory is host memory: exports share it.
    Shared,
    /// Nothing: data leaves by an explicit transfer only.
    Refused,
    /// A copy, when the consumer asks for the host explicitly (as CUDA libraries do). No built-in device has this.
    OnRequest,
}

/// The default data types of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefaultDTypes {
    /// Of real numbers.
    pub real_floating: DType,
    /// Of complex numbers.
    pub complex_floating: DType,
    /// Of integers.
    pub integral: DType,
    /// Of indices.
    pub indexing: DType,
}

/// What a device is.
#[derive(Debug, PartialEq, Eq)]
pub struct DeviceSpec {
    /// The name that `Device(name)` takes.
    pub name: &'static str,
    /// The data types that it has.
    pub dtypes: DTypeSet,
    /// Those it chooses when nobody says.
    pub defaults: DefaultDTypes,
    /// What it gives to the host.
    pub host_export: HostExport,
}

/// A device. Two are equal if they are the same place.
#[derive(Clone, Copy)]
pub struct Device {
    id: u8,
    spec: &'static DeviceSpec,
}

const WIDE: DefaultDTypes = DefaultDTypes {
    real_floating: DType::Float64,
    complex_floating: DType::Complex128,
    integral: DType::Int64,
    indexing: DType::Int64,
};
const SINGLE: DefaultDTypes =
    DefaultDTypes { real_floating: DType::Float32, complex_floating: DType::Complex64, ..WIDE };
const NARROW: DefaultDTypes = DefaultDTypes { integral: DType::Int32, indexing: DType::Int32, ..SINGLE };
const DOUBLES: DTypeSet = DTypeSet::of(&[DType::Float64, DType::Complex128]);
const LONGS: DTypeSet = DTypeSet::of(&[DType::Int64, DType::UInt64]);

static SPECS: [DeviceSpec; 5] = [
    DeviceSpec { name: "CPU_DEVICE", dtypes: DTypeSet::ALL, defaults: WIDE, host_export: HostExport::Shared },
    DeviceSpec { name: "device1", dtypes: DTypeSet::ALL, defaults: WIDE, host_export: HostExport::Refused },
    // Has float64, defaults to float32: as torch does on the CPU.
    DeviceSpec { name: "device2", dtypes: DTypeSet::ALL, defaults: SINGLE, host_export: HostExport::Refused },
    // Has no float64 at all: as MPS.
    DeviceSpec {
        name: "no_float64",
        dtypes: DTypeSet::ALL.without(DOUBLES),
        defaults: SINGLE,
        host_export: HostExport::Refused,
    },
    // Has nothing of 64 bits a number: as JAX by default.
    DeviceSpec {
        name: "no_x64",
        dtypes: DTypeSet::ALL.without(DOUBLES).without(LONGS),
        defaults: NARROW,
        host_export: HostExport::Refused,
    },
];

impl Device {
    /// The host.
    pub const CPU: Device = Device { id: 0, spec: &SPECS[0] };

    /// Every built-in device, the host first.
    pub fn all() -> impl ExactSizeIterator<Item = Device> {
        SPECS.iter().enumerate().map(|(i, spec)| Device { id: i as u8, spec })
    }

    /// The device of this name.
    pub fn from_name(name: &str) -> Result<Device> {
        Self::all().find(|d| d.spec.name == name).ok_or_else(|| Error::new(&rule::DEVICE_NAME, format!("got {name:?}")))
    }

    /// A number that tells devices apart.
    pub const fn id(self) -> u8 {
        self.id
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.spec.name
    }

    /// What it is.
    pub const fn spec(self) -> &'static DeviceSpec {
        self.spec
    }

    /// Its default data types.
    pub const fn defaults(self) -> &'static DefaultDTypes {
        &self.spec.defaults
    }

    /// Whether it has this data type.
    pub const fn supports(self, dtype: DType) -> bool {
        self.spec.dtypes.contains(dtype)
    }

    /// Refuses a data type that it does not have.
    #[inline]
    pub fn check(self, dtype: DType) -> Result<()> {
        if self.supports(dtype) { Ok(()) } else { Err(self.lacks(dtype)) }
    }

    #[cold]
    fn lacks(self, dtype: DType) -> Error {
        Error::new(&rule::DEVICE_DTYPE, format!("got {dtype} on device {self}"))
    }

    /// A device of a test, with a policy that no built-in one has. Its id is none of theirs.
    #[cfg(test)]
    pub(crate) const fn of_test(spec: &'static DeviceSpec) -> Device {
        Device { id: u8::MAX, spec }
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        self.id == other.id
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({:?})", self.name())
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_supported_and_names_find_their_device() {
        for device in Device::all() {
            let d = device.defaults();
            for dtype in [d.real_floating, d.complex_floating, d.integral, d.indexing, DType::Bool] {
                assert!(device.check(dtype).is_ok(), "{device}: {dtype}");
            }
            assert_eq!(Device::from_name(device.name()).unwrap(), device);
            assert_eq!(device.spec().host_export == HostExport::Shared, device == Device::CPU);
        }
        assert!(Device::from_name("cuda").is_err());
        assert_eq!(Device::from_name("no_x64").unwrap().check(DType::Int64).unwrap_err().rule().id, "device-dtype");
    }
}
