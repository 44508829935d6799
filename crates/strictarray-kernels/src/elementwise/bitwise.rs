//! Bits of integers, and the same on truth values.

use strictarray_core::Bool;

use super::{Binary, Unary};

macro_rules! bitwise {
    ($op:ident, $doc:literal, |$a:ident, $b:ident| $expr:expr) => {
        #[doc = $doc]
        pub(crate) struct $op;
        bitwise!(@integers $op, $a, $b, $expr, i8 i16 i32 i64 u8 u16 u32 u64);
        impl Binary<Bool> for $op {
            type Out = Bool;
            #[inline(always)]
            fn call(a: Bool, b: Bool) -> Bool {
                let ($a, $b) = (a.get(), b.get());
                Bool::new($expr)
            }
        }
    };
    (@integers $op:ident, $a:ident, $b:ident, $expr:expr, $($ty:ty)*) => { $(
        impl Binary<$ty> for $op {
            type Out = $ty;
            #[inline(always)]
            fn call($a: $ty, $b: $ty) -> $ty {
                $expr
            }
        }
    )* };
}

bitwise!(And, "The bitwise AND.", |a, b| a & b);
bitwise!(Or, "The bitwise OR.", |a, b| a | b);
bitwise!(Xor, "The bitwise exclusive OR.", |a, b| a ^ b);

/// Every bit inverted; of a truth value the other one.
pub(crate) struct Invert;
/// The bits moved left. A count outside the width, also a negative one, gives NumPy's value: 0.
pub(crate) struct LeftShift;
/// The bits moved right, the sign kept. A count outside the width gives NumPy's value: all bits the sign.
pub(crate) struct RightShift;

macro_rules! shifts {
    ($($ty:ty, $unsigned:ty;)*) => { $(
        impl Unary<$ty> for Invert {
            type Out = $ty;
            #[inline(always)]
            fn call(x: $ty) -> $ty {
                !x
            }
        }
        impl Binary<$ty> for LeftShift {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                // A negative count is a large unsigned one.
                let inside = (b as $unsigned) < <$ty>::BITS as $unsigned;
                if inside { a.wrapping_shl(b as u32) } else { 0 }
            }
        }
        impl Binary<$ty> for RightShift {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                let inside = (b as $unsigned) < <$ty>::BITS as $unsigned;
                // Of a signed number half the width at least is all sign; of an unsigned one two steps leave nothing.
                let last = <$ty>::BITS - 1;
                let sign = if <$ty>::MIN == 0 { 0 } else { a.wrapping_shr(last) };
                if inside { a.wrapping_shr(b as u32) } else { sign }
            }
        }
    )* };
}

shifts! {
    i8, u8;
    i16, u16;
    i32, u32;
    i64, u64;
    u8, u8;
    u16, u16;
    u32, u32;
    u64, u64;
}

impl Unary<Bool> for Invert {
    type Out = Bool;
    #[inline(always)]
    fn call(x: Bool) -> Bool {
        Bool::new(!x.get())
    }
}
