//! The flags of a versioned tensor.

use core::fmt;
use core::ops::BitOr;

use crate::ffi::*;

/// The flag bits of a versioned tensor. Unknown bits are kept and mean nothing.
///
/// ```
/// use strictarray_dlpack::Flags;
/// let flags = Flags::READ_ONLY | Flags::IS_COPIED;
/// assert!(flags.read_only() && flags.is_copied() && !flags.subbyte_padded());
/// assert_eq!(flags.to_string(), "READ_ONLY | IS_COPIED");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u64);

impl Flags {
    /// No flag set.
    pub const NONE: Flags = Flags(0);
    /// The consumer must not write.
    pub const READ_ONLY: Flags = Flags(DLPACK_FLAG_BITMASK_READ_ONLY);
    /// The producer made a copy for this consumer alone.
    pub const IS_COPIED: Flags = Flags(DLPACK_FLAG_BITMASK_IS_COPIED);
    /// Elements narrower than a byte take a whole byte each.
    pub const SUBBYTE_PADDED: Flags = Flags(DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);

    /// The flags with these bits, known or not.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// All bits, unknown ones included.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether every bit of `other` is set.
    pub const fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the consumer must not write.
    pub const fn read_only(self) -> bool {
        self.contains(Self::READ_ONLY)
    }

    /// Whether the producer made a copy for this consumer alone.
    pub const fn is_copied(self) -> bool {
        self.contains(Self::IS_COPIED)
    }

    /// Whether elements narrower than a byte take a whole byte each.
    pub const fn subbyte_padded(self) -> bool {
        self.contains(Self::SUBBYTE_PADDED)
    }
}

impl BitOr for Flags {
    type Output = Flags;

    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

/// The known flags by name, then the unknown bits as a number; `none` if nothing is set.
impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = [
            (Self::READ_ONLY, "READ_ONLY"),
            (Self::IS_COPIED, "IS_COPIED"),
            (Self::SUBBYTE_PADDED, "IS_SUBBYTE_TYPE_PADDED"),
        ];
        let mut rest = self.0;
        let mut separator = "";
        for (flag, name) in known {
            if self.contains(flag) {
                write!(f, "{separator}{name}")?;
                separator = " | ";
                rest &= !flag.0;
            }
        }
        if rest != 0 {
            write!(f, "{separator}{rest:#x}")
        } else if separator.is_empty() {
            f.write_str("none")
        } else {
            Ok(())
        }
    }
}
