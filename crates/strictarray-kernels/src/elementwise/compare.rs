//! Comparisons. NaN is unequal to everything and neither less nor greater than anything.

use strictarray_core::{Bool, Element};

use super::Binary;

/// Whether both are equal.
pub(crate) struct Equal;
/// Whether both differ.
pub(crate) struct NotEqual;

impl<T: Element> Binary<T> for Equal {
    type Out = Bool;
    #[inline(always)]
    fn call(a: T, b: T) -> Bool {
        Bool::new(a == b)
    }
}

impl<T: Element> Binary<T> for NotEqual {
    type Out = Bool;
    #[inline(always)]
    fn call(a: T, b: T) -> Bool {
        Bool::new(a != b)
    }
}

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
