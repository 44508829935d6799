//! The flags that choose which standard is in force, small enough to be read in one load.

use crate::Version;

/// An extension of the standard: a namespace of its own inside the main one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extension {
    /// `linalg`.
    Linalg,
    /// `fft`.
    Fft,
}

impl Extension {
    /// Every extension, in the order of the standard's text.
    pub const ALL: [Extension; 2] = [Extension::Linalg, Extension::Fft];

    /// Its name in the main namespace.
    pub const fn name(self) -> &'static str {
        match self {
            Extension::Linalg => "linalg",
            Extension::Fft => "fft",
        }
    }

    /// The extension of this name.
    pub fn from_name(name: &str) -> Option<Extension> {
        Self::ALL.into_iter().find(|e| e.name() == name)
    }

    /// The version that brought it.
    pub const fn since(self) -> Version {
        match self {
            Extension::Linalg => Version::V2021_12,
            Extension::Fft => Version::V2022_12,
        }
    }

    /// What it is, for the docstring of its module.
    pub const fn title(self) -> &'static str {
        match self {
            Extension::Linalg => "Linear algebra",
            Extension::Fft => "Fourier transforms",
        }
    }
}

/// A set of extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extensions(u8);

impl Extensions {
    /// None.
    pub const NONE: Extensions = Extensions(0);
    /// Every extension of the standard.
    pub const ALL: Extensions = Extensions(3);

    /// These and one more.
    pub const fn with(self, extension: Extension) -> Extensions {
        Extensions(self.0 | 1 << extension as u8)
    }

    /// Those in both.
    pub const fn intersection(self, other: Extensions) -> Extensions {
        Extensions(self.0 & other.0)
    }

    /// Whether the extension is here.
    pub const fn contains(self, extension: Extension) -> bool {
        self.0 & 1 << extension as u8 != 0
    }

    /// Whether all of these are among the others.
    pub const fn is_subset(self, others: Extensions) -> bool {
        self.0 & !others.0 == 0
    }

    /// The extensions that this version of the standard has.
    pub fn of_version(version: Version) -> Extensions {
        let had = Extension::ALL.into_iter().filter(|e| e.since() <= version);
        had.fold(Self::NONE, Extensions::with)
    }

    /// The names, in the order of the standard's text.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Extension::ALL.into_iter().filter(move |e| self.contains(*e)).map(Extension::name)
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

    /// The same with another version. Extensions that it lacks are off; those that it has are on, unless somebody
    /// switched them off: where all are on that a version has, nobody did.
    #[must_use]
    pub fn with_version(self, version: Version) -> Flags {
        let available = Extensions::of_version(version);
        let chosen = self.extensions != Extensions::of_version(self.api_version);
        let extensions = if chosen { self.extensions.intersection(available) } else { available };
        Flags { api_version: version, extensions, ..self }
    }

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
        assert!(!Extensions::of_version(Version::V2021_12).contains(Extension::Fft));
        assert_eq!(Extensions::of_version(Version::V2022_12), Extensions::ALL);
        assert_eq!(Extensions::ALL.names().collect::<Vec<_>>(), ["linalg", "fft"]);
        assert_eq!(Extension::from_name("fft"), Some(Extension::Fft));
        let linalg = Extensions::NONE.with(Extension::Linalg);
        assert!(linalg.is_subset(Extensions::ALL) && !Extensions::ALL.is_subset(linalg));
    }

    #[test]
    fn a_version_switches_on_what_only_a_version_switched_off() {
        let names = |flags: Flags| flags.extensions.names().collect::<Vec<_>>();
        let old = Flags::DEFAULT.with_version(Version::V2021_12);
        assert_eq!(names(old), ["linalg"]);
        assert_eq!(names(old.with_version(Version::V2022_12)), ["linalg", "fft"]);
        let none = Flags { extensions: Extensions::NONE, ..Flags::DEFAULT };
        for version in Version::ALL {
            assert_eq!(none.with_version(version), Flags { api_version: version, ..none });
        }
        let fft = Flags { extensions: Extensions::NONE.with(Extension::Fft), ..Flags::DEFAULT };
        assert_eq!(names(fft.with_version(Version::V2024_12)), ["fft"]);
        assert_eq!(names(fft.with_version(Version::V2021_12)), [""; 0]);
    }
}
