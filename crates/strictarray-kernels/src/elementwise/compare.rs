//! Comparisons. NaN is unequal to everything and neither less nor greater than anything.

use strictarray_core::{Bool, Complex, Element};

use super::Binary;

/// Whether both are equal.
pub(crate) struct Equal;
/// Whether both differ.
pub(crate) struct NotEqual;

macro_rules! equality {
    ($($ty:ty)*) => { $(
        equality!(@one $ty, a, b => a == b);
    )* };
    (@one $ty:ty, $a:ident, $b:ident => $equal:expr) => {
        impl Binary<$ty> for Equal {
            type Out = Bool;
            #[inline(always)]
            fn call($a: $ty, $b: $ty) -> Bool {
                Bool::new($equal)
            }
        }
        impl Binary<$ty> for NotEqual {
            type Out = Bool;
            #[inline(always)]
            fn call($a: $ty, $b: $ty) -> Bool {
                Bool::new(!($equal))
            }
        }
    };
}

equality!(Bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
// Without a branch between the parts, so that it vectorises.
equality!(@one Complex<f32>, a, b => (a.re == b.re) & (a.im == b.im));
equality!(@one Complex<f64>, a, b => (a.re == b.re) & (a.im == b.im));

macro_rules! order {
    ($op:ident, $doc:literal, $operator:tt) => {
        #[doc = $doc]
        pub(crate) struct $op;
        impl<T: Element + PartialOrd> Binary<T> for $op {
            type Out = Bool;
            #[inline(always)]
            fn call(a: T, b: T) -> Bool {
                Bool::new(a $operator b)
            }
        }
    };
}

order!(Greater, "Whether the first is greater.", >);
order!(GreaterEqual, "Whether the first is greater or both are equal.", >=);
order!(Less, "Whether the first is less.", <);
order!(LessEqual, "Whether the first is less or both are equal.", <=);
