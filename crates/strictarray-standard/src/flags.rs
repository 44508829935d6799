//! The flags that choose which standard is in force, small enough to be read in one load.

use crate::Version;

/// The extensions that a namespace may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extensions(u8);

impl Extensions {
    /// None.
    pub const NONE: Extensions = Extensions(0);
    /// `linalg`, since 2021.12.
    pub const LINALG: Extensions = Extensions(1);
    /// `fft`, since 2022.12.
    pub const FFT: Extensions = Extensions(2);
    /// Every extension of the standard.
    pub const ALL: Extensions = Extensions(3);

    /// The extension of this name.
    pub fn from_name(name: &str) -> Option<Extensions> {
        match name {
            "linalg" => Some(Self::LINALG),
            "fft" => Some(Self::FFT),
            _ => None,
        }
    }

    /// Those in either.
    pub const fn union(self, other: Extensions) -> Extensions {
        Extensions(self.0 | other.0)
    }

    /// Those in both.
    pub const fn intersection(self, other: Extensions) -> Extensions {
        Extensions(self.0 & other.0)
    }

    /// Whether all of `other` are here.
    pub const fn contains(self, other: Extensions) -> bool {
        self.0 & other.0 == other.0
    }

    /// The extensions that this version of the standard has.
    pub fn of_version(version: Version) -> Extensions {
        if version >= Version::V2022_12 { Self::ALL } else { Self::LINALG }
    }

    /// The names, in the order of the standard's text.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        [(Self::LINALG, "linalg"), (Self::FFT, "fft")]
            .into_iter()
            .filter(move |(e, _)| self.contains(*e))
            .map(|(_, n)| n)
    }
}

/// How many bits [`Flags::modes`] has.
pub const MODE_BITS: u32 = 32;

/// The flags and modes in force: array-api-strict's four flags, and a bit field for modes that show what the standard
/// leaves open. Packs into one `u64`, so that it can be read and published atomically.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flags {
    /// The version of the standard.
    pub api_version: Version,
    /// Whether boolean arrays may be keys.
    pub boolean_indexing: bool,
    /// Whether functions whose result's shape depends on values may be called.
    pub data_dependent_shapes: bool,
    /// Which extensions there are.
    pub extensions: Extensions,
    /// Bits that modes own (see the binding's mode registry).
    pub modes: u32,
}

impl Flags {
    /// What is in force when nobody said otherwise.
    pub const DEFAULT: Flags = Flags {
        api_version: Version::DEFAULT,
        boolean_indexing: true,
        data_dependent_shapes: true,
        extensions: Extensions::ALL,
        modes: 0,
    };

    /// All of it in one word.
    pub const fn pack(self) -> u64 {
        self.api_version as u64
            | (self.boolean_indexing as u64) << 8
            | (self.data_dependent_shapes as u64) << 9
            | (self.extensions.0 as u64) << 16
            | (self.modes as u64) << 32
    }

    /// The flags that [`Flags::pack`] packed; bits that it never writes are ignored.
    pub const fn unpack(word: u64) -> Flags {
        Flags {
            api_version: match Version::from_index(word as u8) {
                Some(version) => version,
                None => Version::DEFAULT,
            },
            boolean_indexing: word >> 8 & 1 != 0,
            data_dependent_shapes: word >> 9 & 1 != 0,
            extensions: Extensions((word >> 16) as u8 & Extensions::ALL.0),
            modes: (word >> 32) as u32,
        }
    }
}

impl Default for Flags {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_everything() {
        for api_version in Version::ALL {
            for bits in 0..16u8 {
                let flags = Flags {
                    api_version,
                    boolean_indexing: bits & 1 != 0,
                    data_dependent_shapes: bits & 2 != 0,
                    extensions: Extensions(bits >> 2),
                    modes: 0xdead_beef,
                };
                assert_eq!(Flags::unpack(flags.pack()), flags);
            }
        }
    }

    #[test]
    fn extensions_came_with_their_versions() {
        assert!(!Extensions::of_version(Version::V2021_12).contains(Extensions::FFT));
        assert_eq!(Extensions::of_version(Version::V2022_12), Extensions::ALL);
        assert_eq!(Extensions::ALL.names().collect::<Vec<_>>(), ["linalg", "fft"]);
        assert_eq!(Extensions::from_name("fft"), Some(Extensions::FFT));
    }
}
