//! The released versions of the standard and its draft.

use std::fmt;
use std::str::FromStr;

/// A version of the array API standard, in order of appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Version {
    /// The first release.
    V2021_12 = 0,
    /// Complex numbers, `take`, `isdtype`, the `fft` extension.
    V2022_12 = 1,
    /// The inspection API, `clip`, `searchsorted`, DLPack 1.0 keywords.
    V2023_12 = 2,
    /// Scalars in binary functions, `diff`, integer array indexing.
    V2024_12 = 3,
    /// `isin`, `broadcast_shapes`.
    V2025_12 = 4,
    /// The draft of the next release.
    V2026_12 = 5,
}

impl Version {
    /// Every version, oldest first.
    pub const ALL: [Version; 6] = [
        Version::V2021_12,
        Version::V2022_12,
        Version::V2023_12,
        Version::V2024_12,
        Version::V2025_12,
        Version::V2026_12,
    ];

    /// The newest released version: the default.
    pub const DEFAULT: Version = Version::V2025_12;

    /// The version as the standard spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Version::V2021_12 => "2021.12",
            Version::V2022_12 => "2022.12",
            Version::V2023_12 => "2023.12",
            Version::V2024_12 => "2024.12",
            Version::V2025_12 => "2025.12",
            Version::V2026_12 => "2026.12",
        }
    }

    /// The version with this number (its place in [`Version::ALL`]).
    pub const fn from_index(index: u8) -> Option<Version> {
        if (index as usize) < Self::ALL.len() { Some(Self::ALL[index as usize]) } else { None }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Version {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|v| v.as_str() == text).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips_and_order_is_that_of_release() {
        for (i, v) in Version::ALL.into_iter().enumerate() {
            assert_eq!(v.as_str().parse(), Ok(v));
            assert_eq!(Version::from_index(i as u8), Some(v));
        }
        assert!(Version::ALL.is_sorted());
        assert_eq!(Version::from_index(6), None);
        assert_eq!("2020.12".parse::<Version>(), Err(()));
    }
}
