//! Type promotion, exactly the graph of the standard: nothing between kinds except real to complex floating-point.
//!
//! Source: "Type Promotion Rules".

use crate::{DType, DTypeSet, Kind, ScalarKinds};

/// The data type that both promote to, or `None` where the standard defines none.
pub const fn promote(a: DType, b: DType) -> Option<DType> {
    TABLE[a as usize][b as usize]
}

/// The data type that all promote to; `None` for no data types, or where the standard defines none.
///
/// The result does not depend on the order: where one order is undefined (`int8` beside `uint64`), each is.
pub fn promote_all(dtypes: impl IntoIterator<Item = DType>) -> Option<DType> {
    let mut result = None;
    for dtype in dtypes {
        result = Some(match result {
            None => dtype,
            Some(so_far) => promote(so_far, dtype)?,
        });
    }
    result
}

/// Whether a value of `from` may be cast to `to` under promotion: `to` is what both promote to.
pub fn can_cast(from: DType, to: DType) -> bool {
    promote(from, to) == Some(to)
}

/// The data type that a Python scalar of this kind takes beside an array of `dtype`, or `None` where mixing is undefined.
///
/// Source: "Mixing arrays with Python scalars".
pub fn promote_scalar(dtype: DType, scalar: ScalarKinds) -> Option<DType> {
    let allowed = match scalar {
        ScalarKinds::BOOL => DTypeSet::BOOL,
        ScalarKinds::INT => DTypeSet::NUMERIC,
        ScalarKinds::FLOAT => DTypeSet::FLOATING,
        ScalarKinds::COMPLEX => return if dtype.is_floating() { dtype.to_complex() } else { None },
        _ => DTypeSet::EMPTY,
    };
    if allowed.contains(dtype) { Some(dtype) } else { None }
}

static TABLE: [[Option<DType>; 13]; 13] = build();

const fn build() -> [[Option<DType>; 13]; 13] {
    let mut table = [[None; 13]; 13];
    let mut i = 0;
    while i < 13 {
        let mut j = 0;
        while j < 13 {
            table[i][j] = rule(DType::ALL[i], DType::ALL[j]);
            j += 1;
        }
        i += 1;
    }
    table
}

const fn rule(a: DType, b: DType) -> Option<DType> {
    let larger = if a.size() >= b.size() { a } else { b };
    match (a.kind(), b.kind()) {
        (Kind::Bool, Kind::Bool) => Some(DType::Bool),
        (Kind::SignedInteger, Kind::SignedInteger)
        | (Kind::UnsignedInteger, Kind::UnsignedInteger)
        | (Kind::RealFloating, Kind::RealFloating)
        | (Kind::ComplexFloating, Kind::ComplexFloating) => Some(larger),
        (Kind::SignedInteger, Kind::UnsignedInteger) => mixed_sign(a, b),
        (Kind::UnsignedInteger, Kind::SignedInteger) => mixed_sign(b, a),
        (Kind::RealFloating, Kind::ComplexFloating) => mixed_complex(a, b),
        (Kind::ComplexFloating, Kind::RealFloating) => mixed_complex(b, a),
        _ => None,
    }
}

/// The smallest signed type that holds both ranges; none for `uint64`.
const fn mixed_sign(signed: DType, unsigned: DType) -> Option<DType> {
    if signed.size() > unsigned.size() {
        return Some(signed);
    }
    match unsigned {
        DType::UInt8 => Some(DType::Int16),
        DType::UInt16 => Some(DType::Int32),
        DType::UInt32 => Some(DType::Int64),
        _ => None,
    }
}

const fn mixed_complex(real: DType, complex: DType) -> Option<DType> {
    match real {
        DType::Float64 => Some(DType::Complex128),
        _ => Some(complex),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DType::*;

    /// The tables of the standard, copied row by row.
    const SIGNED: [(DType, DType, DType); 10] = [
        (Int8, Int8, Int8),
        (Int8, Int16, Int16),
        (Int8, Int32, Int32),
        (Int8, Int64, Int64),
        (Int16, Int16, Int16),
        (Int16, Int32, Int32),
        (Int16, Int64, Int64),
        (Int32, Int32, Int32),
        (Int32, Int64, Int64),
        (Int64, Int64, Int64),
    ];
    const MIXED: [(DType, DType, DType); 12] = [
        (Int8, UInt8, Int16),
        (Int8, UInt16, Int32),
        (Int8, UInt32, Int64),
        (Int16, UInt8, Int16),
        (Int16, UInt16, Int32),
        (Int16, UInt32, Int64),
        (Int32, UInt8, Int32),
        (Int32, UInt16, Int32),
        (Int32, UInt32, Int64),
        (Int64, UInt8, Int64),
        (Int64, UInt16, Int64),
        (Int64, UInt32, Int64),
    ];
    const FLOATS: [(DType, DType, DType); 10] = [
        (Float32, Float32, Float32),
        (Float32, Float64, Float64),
        (Float64, Float64, Float64),
        (Float32, Complex64, Complex64),
        (Float32, Complex128, Complex128),
        (Float64, Complex64, Complex128),
        (Float64, Complex128, Complex128),
        (Complex64, Complex64, Complex64),
        (Complex64, Complex128, Complex128),
        (Complex128, Complex128, Complex128),
    ];

    fn expected(a: DType, b: DType) -> Option<DType> {
        let unsigned = |d: DType| match d {
            Int8 => UInt8,
            Int16 => UInt16,
            Int32 => UInt32,
            _ => UInt64,
        };
        let mut rows: Vec<_> = SIGNED.iter().chain(&MIXED).chain(&FLOATS).copied().collect();
        rows.extend(SIGNED.map(|(x, y, z)| (unsigned(x), unsigned(y), unsigned(z))));
        rows.push((Bool, Bool, Bool));
        rows.iter().find(|r| (r.0, r.1) == (a, b) || (r.1, r.0) == (a, b)).map(|r| r.2)
    }

    #[test]
    fn every_pair_is_as_in_the_tables() {
        for a in DType::ALL {
            for b in DType::ALL {
                assert_eq!(promote(a, b), expected(a, b), "{a} with {b}");
                assert_eq!(can_cast(a, b), expected(a, b) == Some(b), "{a} to {b}");
            }
        }
    }

    #[test]
    fn promotion_of_many_does_not_depend_on_their_order() {
        for a in DType::ALL {
            for b in DType::ALL {
                for c in DType::ALL {
                    let results = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]].map(promote_all);
                    assert!(results.iter().all(|r| *r == results[0]), "{a} {b} {c}: {results:?}");
                }
            }
        }
        assert_eq!(promote_all([]), None);
    }

    #[test]
    fn scalars_follow_the_array() {
        for d in DType::ALL {
            assert_eq!(promote_scalar(d, ScalarKinds::BOOL), (d == Bool).then_some(d));
            assert_eq!(promote_scalar(d, ScalarKinds::INT), (d != Bool).then_some(d));
            assert_eq!(promote_scalar(d, ScalarKinds::FLOAT), d.is_floating().then_some(d));
            assert_eq!(promote_scalar(d, ScalarKinds::COMPLEX), if d.is_floating() { d.to_complex() } else { None });
        }
    }
}
