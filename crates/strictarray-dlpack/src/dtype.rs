//! Element types: constructors, sizes, names.

use core::fmt;

use crate::ffi::*;

macro_rules! common {
    ($($(#[$doc:meta])* $name:ident = $code:path, $bits:literal;)*) => {$(
        $(#[$doc])*
        pub const $name: DLDataType = DLDataType::new($code, $bits);
    )*};
}

impl DLDataType {
    common! {
        /// Boolean.
        BOOL = type_code::BOOL, 8;
        /// Signed 8-bit integer.
        INT8 = type_code::INT, 8;
        /// Signed 16-bit integer.
        INT16 = type_code::INT, 16;
        /// Signed 32-bit integer.
        INT32 = type_code::INT, 32;
        /// Signed 64-bit integer.
        INT64 = type_code::INT, 64;
        /// Unsigned 8-bit integer.
        UINT8 = type_code::UINT, 8;
        /// Unsigned 16-bit integer.
        UINT16 = type_code::UINT, 16;
        /// Unsigned 32-bit integer.
        UINT32 = type_code::UINT, 32;
        /// Unsigned 64-bit integer.
        UINT64 = type_code::UINT, 64;
        /// Half precision.
        FLOAT16 = type_code::FLOAT, 16;
        /// Single precision.
        FLOAT32 = type_code::FLOAT, 32;
        /// Double precision.
        FLOAT64 = type_code::FLOAT, 64;
        /// bfloat16.
        BFLOAT16 = type_code::BFLOAT, 16;
        /// Two single-precision parts.
        COMPLEX64 = type_code::COMPLEX, 64;
        /// Two double-precision parts.
        COMPLEX128 = type_code::COMPLEX, 128;
    }

    /// A type of one lane.
    pub const fn new(code: u8, bits: u8) -> Self {
        Self { code, bits, lanes: 1 }
    }

    /// Bits of one element, all lanes together.
    pub const fn item_bits(self) -> u32 {
        self.bits as u32 * self.lanes as u32
    }

    /// Bytes of one element, rounded up.
    pub const fn item_bytes(self) -> usize {
        self.item_bits().div_ceil(8) as usize
    }
}

/// The name as array libraries spell it, such as `float64`; `×4` is added for four lanes. A code
/// without a name is given as a number.
///
/// ```
/// use strictarray_dlpack::ffi::DLDataType;
/// assert_eq!(DLDataType::COMPLEX64.to_string(), "complex64");
/// let odd = DLDataType { code: 99, bits: 3, lanes: 2 };
/// assert_eq!(odd.to_string(), "type code 99 of 3 bits×2");
/// ```
impl fmt::Display for DLDataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.bits;
        // The names of these include the width; a width that does not fit is told.
        let fixed = |name: &str, width: u8, f: &mut fmt::Formatter<'_>| {
            f.write_str(name)?;
            if bits == width { Ok(()) } else { write!(f, " of {bits} bits") }
        };
        match self.code {
            type_code::INT => write!(f, "int{bits}"),
            type_code::UINT => write!(f, "uint{bits}"),
            type_code::FLOAT => write!(f, "float{bits}"),
            type_code::OPAQUE_HANDLE => write!(f, "opaque handle of {bits} bits"),
            type_code::BFLOAT => write!(f, "bfloat{bits}"),
            type_code::COMPLEX => write!(f, "complex{bits}"),
            type_code::BOOL => fixed("bool", 8, f),
            type_code::FLOAT8_E3M4 => fixed("float8_e3m4", 8, f),
            type_code::FLOAT8_E4M3 => fixed("float8_e4m3", 8, f),
            type_code::FLOAT8_E4M3B11FNUZ => fixed("float8_e4m3b11fnuz", 8, f),
            type_code::FLOAT8_E4M3FN => fixed("float8_e4m3fn", 8, f),
            type_code::FLOAT8_E4M3FNUZ => fixed("float8_e4m3fnuz", 8, f),
            type_code::FLOAT8_E5M2 => fixed("float8_e5m2", 8, f),
            type_code::FLOAT8_E5M2FNUZ => fixed("float8_e5m2fnuz", 8, f),
            type_code::FLOAT8_E8M0FNU => fixed("float8_e8m0fnu", 8, f),
            type_code::FLOAT6_E2M3FN => fixed("float6_e2m3fn", 6, f),
            type_code::FLOAT6_E3M2FN => fixed("float6_e3m2fn", 6, f),
            type_code::FLOAT4_E2M1FN => fixed("float4_e2m1fn", 4, f),
            code => write!(f, "type code {code} of {bits} bits"),
        }?;
        if self.lanes == 1 { Ok(()) } else { write!(f, "×{}", self.lanes) }
    }
}
