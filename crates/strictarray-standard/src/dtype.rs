//! The thirteen data types of the standard and sets of them.

use std::fmt;
use std::str::FromStr;

use crate::Version;

/// A data type of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum DType {
    Bool = 0,
    Int8 = 1,
    Int16 = 2,
    Int32 = 3,
    Int64 = 4,
    UInt8 = 5,
    UInt16 = 6,
    UInt32 = 7,
    UInt64 = 8,
    Float32 = 9,
    Float64 = 10,
    Complex64 = 11,
    Complex128 = 12,
}

/// The kinds among which promotion is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Kind {
    Bool,
    SignedInteger,
    UnsignedInteger,
    RealFloating,
    ComplexFloating,
}

impl DType {
    /// Every data type, in the order of the standard's text.
    pub const ALL: [DType; 13] = [
        DType::Bool,
        DType::Int8,
        DType::Int16,
        DType::Int32,
        DType::Int64,
        DType::UInt8,
        DType::UInt16,
        DType::UInt32,
        DType::UInt64,
        DType::Float32,
        DType::Float64,
        DType::Complex64,
        DType::Complex128,
    ];

    /// The name in the namespace.
    pub const fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::Int8 => "int8",
            DType::Int16 => "int16",
            DType::Int32 => "int32",
            DType::Int64 => "int64",
            DType::UInt8 => "uint8",
            DType::UInt16 => "uint16",
            DType::UInt32 => "uint32",
            DType::UInt64 => "uint64",
            DType::Float32 => "float32",
            DType::Float64 => "float64",
            DType::Complex64 => "complex64",
            DType::Complex128 => "complex128",
        }
    }

    /// Bytes of one element (a complex number counts both parts).
    pub const fn size(self) -> usize {
        match self {
            DType::Bool | DType::Int8 | DType::UInt8 => 1,
            DType::Int16 | DType::UInt16 => 2,
            DType::Int32 | DType::UInt32 | DType::Float32 => 4,
            DType::Int64 | DType::UInt64 | DType::Float64 | DType::Complex64 => 8,
            DType::Complex128 => 16,
        }
    }

    /// Alignment of one element: that of one part for complex numbers.
    pub const fn align(self) -> usize {
        match self {
            DType::Complex64 => 4,
            DType::Complex128 => 8,
            other => other.size(),
        }
    }

    /// The kind.
    pub const fn kind(self) -> Kind {
        match self {
            DType::Bool => Kind::Bool,
            DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64 => Kind::SignedInteger,
            DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64 => Kind::UnsignedInteger,
            DType::Float32 | DType::Float64 => Kind::RealFloating,
            DType::Complex64 | DType::Complex128 => Kind::ComplexFloating,
        }
    }

    /// The complex data type whose parts are of this real floating-point one; a complex one stays.
    pub const fn to_complex(self) -> Option<DType> {
        match self {
            DType::Float32 | DType::Complex64 => Some(DType::Complex64),
            DType::Float64 | DType::Complex128 => Some(DType::Complex128),
            _ => None,
        }
    }

    /// The data type of the parts of a complex one; any other stays.
    pub const fn to_real(self) -> DType {
        match self {
            DType::Complex64 => DType::Float32,
            DType::Complex128 => DType::Float64,
            other => other,
        }
    }

    /// Whether it is `float32` to `complex128`.
    pub const fn is_floating(self) -> bool {
        DTypeSet::FLOATING.contains(self)
    }

    /// Whether it is an integer.
    pub const fn is_integer(self) -> bool {
        DTypeSet::INTEGER.contains(self)
    }

    /// The version of the standard that brought it.
    pub const fn since(self) -> Version {
        if self.is_complex() { Version::V2022_12 } else { Version::V2021_12 }
    }

    /// Whether it is complex.
    pub const fn is_complex(self) -> bool {
        DTypeSet::COMPLEX_FLOATING.contains(self)
    }

    /// The range of an integer data type, else `None`.
    pub const fn integer_range(self) -> Option<(i128, i128)> {
        let bits = self.size() as u32 * 8;
        match self.kind() {
            Kind::SignedInteger => Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)),
            Kind::UnsignedInteger => Some((0, (1i128 << bits) - 1)),
            _ => None,
        }
    }

    /// The data type with this number.
    pub const fn from_index(index: u8) -> Option<DType> {
        if (index as usize) < Self::ALL.len() { Some(Self::ALL[index as usize]) } else { None }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DType {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|d| d.name() == text).ok_or(())
    }
}

/// A set of data types: what an argument accepts, what a device supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DTypeSet(u16);

impl DTypeSet {
    /// No data type.
    pub const EMPTY: DTypeSet = DTypeSet(0);
    /// `bool`.
    pub const BOOL: DTypeSet = DTypeSet::of(&[DType::Bool]);
    /// `int8` to `int64`.
    pub const SIGNED_INTEGER: DTypeSet = DTypeSet::of(&[DType::Int8, DType::Int16, DType::Int32, DType::Int64]);
    /// `uint8` to `uint64`.
    pub const UNSIGNED_INTEGER: DTypeSet = DTypeSet::of(&[DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64]);
    /// All integers.
    pub const INTEGER: DTypeSet = Self::SIGNED_INTEGER.union(Self::UNSIGNED_INTEGER);
    /// Integers and `bool`.
    pub const INTEGER_OR_BOOL: DTypeSet = Self::INTEGER.union(Self::BOOL);
    /// `float32`, `float64`.
    pub const REAL_FLOATING: DTypeSet = DTypeSet::of(&[DType::Float32, DType::Float64]);
    /// `complex64`, `complex128`.
    pub const COMPLEX_FLOATING: DTypeSet = DTypeSet::of(&[DType::Complex64, DType::Complex128]);
    /// Real and complex floating-point.
    pub const FLOATING: DTypeSet = Self::REAL_FLOATING.union(Self::COMPLEX_FLOATING);
    /// Integers and real floating-point.
    pub const REAL: DTypeSet = Self::INTEGER.union(Self::REAL_FLOATING);
    /// Everything but `bool`.
    pub const NUMERIC: DTypeSet = Self::INTEGER.union(Self::FLOATING);
    /// Everything.
    pub const ALL: DTypeSet = Self::NUMERIC.union(Self::BOOL);

    /// The set of these.
    pub const fn of(dtypes: &[DType]) -> DTypeSet {
        let mut bits = 0;
        let mut i = 0;
        while i < dtypes.len() {
            bits |= 1 << dtypes[i] as u16;
            i += 1;
        }
        DTypeSet(bits)
    }

    /// What is in either.
    pub const fn union(self, other: DTypeSet) -> DTypeSet {
        DTypeSet(self.0 | other.0)
    }

    /// What is in both.
    pub const fn intersection(self, other: DTypeSet) -> DTypeSet {
        DTypeSet(self.0 & other.0)
    }

    /// What is here and not in the other.
    pub const fn without(self, other: DTypeSet) -> DTypeSet {
        DTypeSet(self.0 & !other.0)
    }

    /// Whether this data type is in the set.
    pub const fn contains(self, dtype: DType) -> bool {
        self.0 & (1 << dtype as u16) != 0
    }

    /// Whether nothing is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members, in the order of [`DType::ALL`].
    pub fn iter(self) -> impl Iterator<Item = DType> {
        DType::ALL.into_iter().filter(move |&d| self.contains(d))
    }

    /// The set's name as the standard speaks of it ("numeric", "real floating-point" …), or its members.
    pub fn describe(self) -> String {
        let named: [(DTypeSet, &str); 11] = [
            (Self::ALL, "any"),
            (Self::NUMERIC, "numeric"),
            (Self::REAL, "real numeric"),
            (Self::FLOATING, "floating-point"),
            (Self::REAL_FLOATING, "real floating-point"),
            (Self::COMPLEX_FLOATING, "complex floating-point"),
            (Self::INTEGER, "integer"),
            (Self::INTEGER_OR_BOOL, "integer or boolean"),
            (Self::SIGNED_INTEGER, "signed integer"),
            (Self::UNSIGNED_INTEGER, "unsigned integer"),
            (Self::BOOL, "boolean"),
        ];
        match named.iter().find(|(set, _)| *set == self) {
            Some((_, name)) => (*name).to_owned(),
            None => self.iter().map(DType::name).collect::<Vec<_>>().join(", "),
        }
    }

    /// The set that a `kind` text of `isdtype` and of the inspection API names.
    pub fn from_kind(kind: &str) -> Option<DTypeSet> {
        Some(match kind {
            "bool" => Self::BOOL,
            "signed integer" => Self::SIGNED_INTEGER,
            "unsigned integer" => Self::UNSIGNED_INTEGER,
            "integral" => Self::INTEGER,
            "real floating" => Self::REAL_FLOATING,
            "complex floating" => Self::COMPLEX_FLOATING,
            "numeric" => Self::NUMERIC,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_numbers_are_places() {
        for (i, d) in DType::ALL.into_iter().enumerate() {
            assert_eq!(d.name().parse(), Ok(d));
            assert_eq!(d as usize, i);
            assert_eq!(DType::from_index(i as u8), Some(d));
        }
        assert_eq!(DType::from_index(13), None);
        assert_eq!("float16".parse::<DType>(), Err(()));
    }

    #[test]
    fn ranges_are_those_of_twos_complement() {
        assert_eq!(DType::Int8.integer_range(), Some((-128, 127)));
        assert_eq!(DType::Int64.integer_range(), Some((i64::MIN.into(), i64::MAX.into())));
        assert_eq!(DType::UInt64.integer_range(), Some((0, u64::MAX.into())));
        assert_eq!(DType::Bool.integer_range(), None);
        assert_eq!(DType::Float64.integer_range(), None);
    }

    #[test]
    fn sets_partition_the_dtypes() {
        let parts = [
            DTypeSet::BOOL,
            DTypeSet::SIGNED_INTEGER,
            DTypeSet::UNSIGNED_INTEGER,
            DTypeSet::REAL_FLOATING,
            DTypeSet::COMPLEX_FLOATING,
        ];
        for d in DType::ALL {
            assert_eq!(parts.iter().filter(|s| s.contains(d)).count(), 1);
        }
        assert_eq!(parts.into_iter().fold(DTypeSet::EMPTY, DTypeSet::union), DTypeSet::ALL);
        assert_eq!(DTypeSet::REAL.without(DTypeSet::INTEGER), DTypeSet::REAL_FLOATING);
        assert_eq!(DTypeSet::of(&[DType::Bool, DType::Int8]).describe(), "bool, int8");
        assert_eq!(DTypeSet::INTEGER_OR_BOOL.describe(), "integer or boolean");
    }
}
