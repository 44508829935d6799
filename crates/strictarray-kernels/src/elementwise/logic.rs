//! Truth values and their functions.

use strictarray_core::Bool;

use super::{Binary, Unary};

/// Whether both are true.
pub(crate) struct And;
/// Whether one is true.
pub(crate) struct Or;
/// Whether exactly one is true.
pub(crate) struct Xor;
/// Whether it is false.
pub(crate) struct Not;

macro_rules! logic {
    ($($op:ident, $operator:tt;)*) => { $(
        impl Binary<Bool> for $op {
            type Out = Bool;
            #[inline(always)]
            fn call(a: Bool, b: Bool) -> Bool {
                Bool::new(a.get() $operator b.get())
            }
        }
    )* };
}

logic! {
    And, &;
    Or, |;
    Xor, ^;
}

impl Unary<Bool> for Not {
    type Out = Bool;
    #[inline(always)]
    fn call(x: Bool) -> Bool {
        Bool::new(!x.get())
    }
}
