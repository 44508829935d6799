//! Functions of each element, or each pair of elements, alone.
//!
//! To add one: implement `Unary` or `Binary` for a type that stands for it, in the file of its kind, and add one line
//! to a table below.

pub(crate) mod arithmetic;
mod bitwise;
mod compare;
pub(crate) mod complex;
mod division;
mod loops;
pub(crate) mod power;

use strictarray_core::{Element, Operand, Result, dispatch};

use crate::{Ctx, run};

/// Computes a function of one operand into `out`.
pub type UnaryKernel = fn(&Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()>;
/// Computes a function of two operands into `out`.
pub type BinaryKernel = fn(&Ctx<'_>, out: &Operand<'_>, x1: &Operand<'_>, x2: &Operand<'_>) -> Result<()>;

/// A function of one element.
pub(crate) trait Unary<T: Element> {
    type Out: Element;
    fn call(x: T) -> Self::Out;
}

/// A function of two elements.
pub(crate) trait Binary<T: Element> {
    type Out: Element;
    /// The value, whatever the elements are.
    fn call(a: T, b: T) -> Self::Out;
    /// Whether [`quick`](Binary::quick) is the way for most elements.
    const QUICK: bool = false;
    /// The value without a branch, so that it vectorises, where [`holds`](Binary::holds) says so. `call` gives the same bits
    /// there.
    #[inline(always)]
    fn quick(a: T, b: T) -> Self::Out {
        Self::call(a, b)
    }
    /// Whether `quick` gives the value of these elements.
    #[inline(always)]
    fn holds(_: T, _: T) -> bool {
        true
    }
}

/// [`dispatch!`], and a set that it lacks.
macro_rules! on {
    (INTEGER_OR_BOOL, $dtype:expr, $t:ident => $body:expr) => {
        match dispatch!(BOOL, $dtype, $t => $body) {
            None => dispatch!(INTEGER, $dtype, $t => $body),
            found => found,
        }
    };
    ($set:ident, $dtype:expr, $t:ident => $body:expr) => { dispatch!($set, $dtype, $t => $body) };
}

/// `"name" => Op: SET` for each function: a kernel that runs `Op` on the data types of the set of [`dispatch!`].
macro_rules! unary_table {
    ($($name:ident => $op:ty: $set:ident;)*) => {
        /// The kernel of the standard's function of this name, of one argument.
        pub fn unary(name: &str) -> Option<UnaryKernel> {
            match name {
                $(stringify!($name) => Some($name),)*
                _ => None,
            }
        }
        /// The functions of one argument that there are.
        pub const UNARY: &[&str] = &[$(stringify!($name)),*];
        $(fn $name(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
            let Some((dtypes, inner)) = on!($set, x.dtype(), T =>
                ((<$op as Unary<T>>::Out::DTYPE, T::DTYPE), loops::unary::<T, $op>(ctx.simd())))
            else {
                return Err(run::misuse(concat!(stringify!($name), ": data type")));
            };
            // SAFETY: `loops` gives loops for elements of these types at any strides, compiled for what the machine has.
            unsafe { run::unary(ctx, out, x, dtypes, inner) }
        })*
    };
}

macro_rules! binary_table {
    ($($name:ident => $op:ty: $set:ident $(, first $check:path)?;)*) => {
        /// The kernel of the standard's function of this name, of two arguments.
        pub fn binary(name: &str) -> Option<BinaryKernel> {
            match name {
                $(stringify!($name) => Some($name),)*
                _ => None,
            }
        }
        /// The functions of two arguments that there are.
        pub const BINARY: &[&str] = &[$(stringify!($name)),*];
        $(fn $name(ctx: &Ctx<'_>, out: &Operand<'_>, x1: &Operand<'_>, x2: &Operand<'_>) -> Result<()> {
            $($check(ctx, x2)?;)?
            let Some((dtypes, inner)) = on!($set, x1.dtype(), T =>
                ((<$op as Binary<T>>::Out::DTYPE, T::DTYPE), loops::binary::<T, $op>(ctx.simd())))
            else {
                return Err(run::misuse(concat!(stringify!($name), ": data type")));
            };
            // SAFETY: `loops` gives loops for elements of these types at any strides, compiled for what the machine has.
            unsafe { run::binary(ctx, out, x1, x2, dtypes, inner) }
        })*
    };
}

unary_table! {
    abs => arithmetic::Abs: NUMERIC;
    bitwise_invert => bitwise::Invert: INTEGER_OR_BOOL;
    negative => arithmetic::Negative: NUMERIC;
    positive => arithmetic::Positive: NUMERIC;
}

binary_table! {
    add => arithmetic::Add: NUMERIC;
    bitwise_and => bitwise::And: INTEGER_OR_BOOL;
    bitwise_left_shift => bitwise::LeftShift: INTEGER;
    bitwise_or => bitwise::Or: INTEGER_OR_BOOL;
    bitwise_right_shift => bitwise::RightShift: INTEGER;
    bitwise_xor => bitwise::Xor: INTEGER_OR_BOOL;
    divide => division::Divide: FLOATING;
    equal => compare::Equal: ALL;
    floor_divide => division::FloorDivide: REAL;
    greater => compare::Greater: REAL;
    greater_equal => compare::GreaterEqual: REAL;
    less => compare::Less: REAL;
    less_equal => compare::LessEqual: REAL;
    multiply => arithmetic::Multiply: NUMERIC;
    not_equal => compare::NotEqual: ALL;
    pow => power::Pow: NUMERIC, first power::check_exponents;
    remainder => division::Remainder: REAL;
    subtract => arithmetic::Subtract: NUMERIC;
}
