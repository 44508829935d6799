//! Functions of each element, or each pair of elements, alone.
//!
//! To add one: implement `Unary` or `Binary` for a type that stands for it, in the file of its kind, and add one line
//! to a table below.

pub(crate) mod arithmetic;
mod bitwise;
mod classes;
mod compare;
pub(crate) mod complex;
mod division;
mod extremes;
mod logic;
mod loops;
mod parts;
pub(crate) mod power;
mod real;
mod roots;
mod rounding;

pub use extremes::{any_greater, clip};

use std::mem::MaybeUninit;

use strictarray_core::{DType, Element, Operand, Result, dispatch};
use strictarray_standard::DTypeSet;

use crate::lanes::{InRegisters, Lanes};
use crate::run::{BinaryLoops, Bound, UnaryLoop};
use crate::simd::Level;
use crate::{Ctx, run};

/// Computes a function of one operand into `out`.
pub type UnaryKernel = fn(&Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()>;
/// Computes a function of two operands into `out`; operands of two data types are promoted.
pub type BinaryKernel = fn(&Ctx<'_>, out: &Operand<'_>, x1: &Operand<'_>, x2: &Operand<'_>) -> Result<()>;

/// A function of one element.
pub(crate) trait Unary<T: Element> {
    type Out: Element;
    /// The value, whatever the element is.
    fn call(x: T) -> Self::Out;
    /// Whether [`quick`](Unary::quick) is the way for most elements.
    const QUICK: bool = false;
    /// As [`Binary::quick`].
    #[inline(always)]
    fn quick(x: T) -> Self::Out {
        Self::call(x)
    }
    /// Whether `quick` gives the value of this element.
    #[inline(always)]
    fn holds(_: T) -> bool {
        true
    }
    /// As [`Binary::BLOCKS`].
    const BLOCKS: bool = false;
    /// As [`Binary::block`].
    #[inline(always)]
    fn block(_out: &mut [MaybeUninit<Self::Out>], _x: &[T]) -> bool {
        false
    }
    /// Its loop, for this level.
    #[inline]
    fn inner(level: Level) -> UnaryLoop
    where
        Self: Sized,
    {
        loops::unary::<T, Self>(level)
    }
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
    /// Whether [`block`](Binary::block) may know a shorter way.
    const BLOCKS: bool = false;
    /// Fills a block of up to [`loops::QUICK_BLOCK`] elements, where what is in it allows a shorter way to the same bits; else
    /// says false.
    #[inline(always)]
    fn block(_out: &mut [MaybeUninit<Self::Out>], _a: &[T], _b: &[T]) -> bool {
        false
    }
    /// Its loops, for this level.
    #[inline]
    fn inner(level: Level) -> BinaryLoops
    where
        Self: Sized,
    {
        loops::both::<T, Self>(level)
    }
}

/// A function of one element that is written in [`Lanes`], for most elements.
pub(crate) trait InLanes<T: InRegisters>: Unary<T, Out = T> {
    /// The values, and of which elements they hold. There `call` gives the same bits.
    fn lanes<V: Lanes<Item = T>>(x: V) -> (V, V::Mask);
    /// The value where they don't.
    fn elsewhere(x: T) -> T;
}

/// A function of two elements that is written in [`Lanes`], for most of them.
pub(crate) trait PairsInLanes<T: InRegisters>: Binary<T, Out = T> {
    /// The values, and of which elements they hold. There `call` gives the same bits.
    fn lanes<V: Lanes<Item = T>>(a: V, b: V) -> (V, V::Mask);
    /// The value where they don't.
    fn elsewhere(a: T, b: T) -> T;
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

/// The instruction set for a function that takes short vectors for these data types, if any: those of 64 bytes take a tenth
/// longer on what comes from memory (Zen 4), and gain nothing where there is an instruction for 32 that does the same. Products
/// of 64-bit integers, of which AVX2 makes three, take a fifth longer in the caches for it. Quotients and roots of 64 bytes
/// take twice the time of those of 32 or a little more (Intel: 7 %).
#[inline(always)]
fn vectors(ctx: &Ctx<'_>, dtype: DType, short: Option<DTypeSet>) -> Level {
    if short.is_some_and(|set| set.contains(dtype)) { ctx.simd().min(Level::Avx2) } else { ctx.simd() }
}

/// What takes the time of a function on large arrays of a data type: memory for those of the set.
#[inline(always)]
fn bound(dtype: DType, light: Option<DTypeSet>) -> Bound {
    if light.is_some_and(|set| set.contains(dtype)) { Bound::Memory } else { Bound::Arithmetic }
}

/// The set of this name, or none.
macro_rules! set {
    () => {
        None
    };
    ($set:ident) => {
        Some(DTypeSet::$set)
    };
}

/// `"name" => Op: SET` for each function: a kernel that runs `Op` on the data types of the set of [`dispatch!`]; for those of
/// the set `short` in short [`vectors`]; for those of the set `light` memory takes the time.
macro_rules! unary_table {
    ($($name:ident => $op:ty: $set:ident $(, short $short:ident)? $(, light $light:ident)?;)*) => {
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
            let (short, light) = (set!($($short)?), set!($($light)?));
            let Some((dtypes, inner)) = on!($set, x.dtype(), T =>
                ((<$op as Unary<T>>::Out::DTYPE, T::DTYPE), <$op as Unary<T>>::inner(vectors(ctx, T::DTYPE, short))))
            else {
                return Err(run::misuse(concat!(stringify!($name), ": data type")));
            };
            // SAFETY: `loops` gives loops for elements of these types side by side, compiled for what the machine has.
            unsafe { run::unary(ctx, out, x, dtypes, inner, bound(x.dtype(), light)) }
        })*
    };
}

macro_rules! binary_table {
    ($($name:ident => $op:ty: $set:ident $(, first $check:path)? $(, short $short:ident)? $(, light $light:ident)?;)*) => {
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
            $(
                let uniform = $check(ctx, x2)?;
                let repeated = uniform.as_ref().map(|value| Operand::repeated(value, x2.dtype(), x2.shape()));
                let x2 = repeated.as_ref().unwrap_or(x2);
            )?
            let (short, light) = (set!($($short)?), set!($($light)?));
            let Some((dtypes, inner)) = on!($set, run::common(x1, x2)?, T =>
                ((<$op as Binary<T>>::Out::DTYPE, T::DTYPE), <$op as Binary<T>>::inner(vectors(ctx, T::DTYPE, short))))
            else {
                return Err(run::misuse(concat!(stringify!($name), ": data type")));
            };
            // SAFETY: `loops` gives loops for elements of these types side by side, compiled for what the machine has.
            unsafe { run::binary(ctx, out, x1, x2, dtypes, inner, bound(dtypes.1, light)) }
        })*
    };
}

unary_table! {
    abs => arithmetic::Abs: NUMERIC, short REAL, light REAL;
    acos => real::Acos: FLOATING;
    acosh => real::Acosh: FLOATING;
    asin => real::Asin: FLOATING;
    asinh => real::Asinh: FLOATING;
    atan => real::Atan: FLOATING;
    atanh => real::Atanh: FLOATING;
    bitwise_invert => bitwise::Invert: INTEGER_OR_BOOL, short ALL, light ALL;
    ceil => rounding::Ceil: REAL, short ALL, light ALL;
    conj => parts::Conj: NUMERIC, short ALL, light ALL;
    cos => real::Cos: FLOATING;
    cosh => real::Cosh: FLOATING;
    exp => real::Exp: FLOATING;
    expm1 => real::Expm1: FLOATING;
    floor => rounding::Floor: REAL, short ALL, light ALL;
    imag => parts::Imag: COMPLEX_FLOATING, light ALL;
    isfinite => classes::IsFinite: NUMERIC;
    isinf => classes::IsInf: NUMERIC;
    isnan => classes::IsNan: NUMERIC;
    log => real::Log: FLOATING;
    log10 => real::Log10: FLOATING;
    log1p => real::Log1p: FLOATING;
    log2 => real::Log2: FLOATING;
    logical_not => logic::Not: BOOL, short ALL, light ALL;
    negative => arithmetic::Negative: NUMERIC, short ALL, light ALL;
    positive => arithmetic::Positive: NUMERIC, short ALL, light ALL;
    real => parts::Real: NUMERIC, light ALL;
    reciprocal => roots::Reciprocal: FLOATING, short REAL_FLOATING, light REAL_FLOATING;
    round => rounding::Round: NUMERIC, short ALL, light ALL;
    sign => classes::Sign: NUMERIC, light REAL;
    signbit => classes::SignBit: REAL_FLOATING;
    sin => real::Sin: FLOATING;
    sinh => real::Sinh: FLOATING;
    sqrt => roots::Sqrt: FLOATING, short REAL_FLOATING;
    square => roots::Square: NUMERIC, short REAL, light ALL;
    tan => real::Tan: FLOATING;
    tanh => real::Tanh: FLOATING;
    trunc => rounding::Trunc: REAL, short ALL, light ALL;
}

binary_table! {
    add => arithmetic::Add: NUMERIC, short ALL, light ALL;
    atan2 => real::Atan2: REAL_FLOATING;
    bitwise_and => bitwise::And: INTEGER_OR_BOOL, short ALL, light ALL;
    bitwise_left_shift => bitwise::LeftShift: INTEGER, short ALL, light ALL;
    bitwise_or => bitwise::Or: INTEGER_OR_BOOL, short ALL, light ALL;
    bitwise_right_shift => bitwise::RightShift: INTEGER, light ALL;
    bitwise_xor => bitwise::Xor: INTEGER_OR_BOOL, short ALL, light ALL;
    copysign => classes::CopySign: REAL_FLOATING, short ALL;
    divide => division::Divide: FLOATING, short REAL_FLOATING, light REAL_FLOATING;
    equal => compare::Equal: ALL, short BOOL;
    floor_divide => division::FloorDivide: REAL;
    greater => compare::Greater: REAL;
    greater_equal => compare::GreaterEqual: REAL;
    hypot => real::Hypot: REAL_FLOATING;
    less => compare::Less: REAL;
    less_equal => compare::LessEqual: REAL;
    logaddexp => real::LogAddExp: REAL_FLOATING;
    logical_and => logic::And: BOOL, short ALL, light ALL;
    logical_or => logic::Or: BOOL, short ALL, light ALL;
    logical_xor => logic::Xor: BOOL, short ALL, light ALL;
    maximum => extremes::Maximum: REAL, light ALL;
    minimum => extremes::Minimum: REAL, light ALL;
    multiply => arithmetic::Multiply: NUMERIC, short ALL, light ALL;
    nextafter => classes::NextAfter: REAL_FLOATING;
    not_equal => compare::NotEqual: ALL, short BOOL;
    pow => power::Pow: NUMERIC, first power::check_exponents;
    remainder => division::Remainder: REAL;
    subtract => arithmetic::Subtract: NUMERIC, short ALL, light ALL;
}
