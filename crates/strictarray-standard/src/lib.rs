//! The Python array API standard as data: versions, names, signatures, dtype kinds, promotion, rules.
