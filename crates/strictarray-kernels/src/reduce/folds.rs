//! Sums, products, extremes, means and variances: what comes together, and how.

use std::marker::PhantomData;

use strictarray_core::{Bool, Complex, DType, Element};

use super::plan::{Before, Folding, Nested, Pass};
use super::tree::{self, Finish, Fold};
use crate::cast::CastTo;
use crate::float::Float;
use crate::simd::Level;

/// What a result is made of.
pub(crate) trait Settled: Copy + 'static {
    /// With the one NaN that results have, so that its bits don't tell in which order it came about.
    fn settle(self) -> Self;

    /// The same of a sum: it begins at +0, as NumPy's does, so that it is never -0.
    #[inline(always)]
    fn total(self) -> Self {
        self.settle()
    }
}

macro_rules! settled {
    ($($ty:ty)*) => { $(
        impl Settled for $ty {
            #[inline(always)]
            fn settle(self) -> $ty {
                self
            }
        }
    )* };
}

settled!(i8 i16 i32 i64 u8 u16 u32 u64);

/// An accumulator: numbers that are added and multiplied, integers modulo their range.
pub(crate) trait Number: Element {
    /// As [`Fold::ANY_ORDER`].
    const ANY_ORDER: bool = false;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($ty:ty)*) => { $(
        impl Number for $ty {
            const ANY_ORDER: bool = true;
            #[inline(always)]
            fn plus(self, other: $ty) -> $ty {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn times(self, other: $ty) -> $ty {
                self.wrapping_mul(other)
            }
        }
    )* };
}

integers!(i32 i64 u8 u16 u32 u64);

macro_rules! floats {
    ($($ty:ty)*) => { $(
        impl Number for $ty {
            #[inline(always)]
            fn plus(self, other: $ty) -> $ty {
                self + other
            }
            #[inline(always)]
            fn times(self, other: $ty) -> $ty {
                self * other
            }
        }
        impl Settled for $ty {
            #[inline(always)]
            fn settle(self) -> $ty {
                if self.is_nan() { <$ty>::NAN } else { self }
            }
            #[inline(always)]
            fn total(self) -> $ty {
                (self + 0.0).settle()
            }
        }
        impl Number for Complex<$ty> {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                Complex::new(self.re + other.re, self.im + other.im)
            }
            // The textbook product, as `multiply`.
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                Complex::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
            }
        }
        impl Settled for Complex<$ty> {
            #[inline(always)]
            fn settle(self) -> Self {
                Complex::new(self.re.settle(), self.im.settle())
            }
            #[inline(always)]
            fn total(self) -> Self {
                Complex::new(self.re.total(), self.im.total())
            }
        }
    )* };
}

floats!(f32 f64);

/// The sum of elements of `T` as `A`.
pub(crate) struct Sum<T, A>(PhantomData<(T, A)>);
/// The product of elements of `T` as `A`.
pub(crate) struct Product<T, A>(PhantomData<(T, A)>);
/// The sum of squared distances of elements of `T` from a float64.
pub(crate) struct Squares<T>(PhantomData<T>);
/// The largest element; of zeros the positive one.
pub(crate) struct Max<T>(PhantomData<T>);
/// The smallest element; of zeros the negative one.
pub(crate) struct Min<T>(PhantomData<T>);
/// How many elements are not zero.
pub(crate) struct Count<T>(PhantomData<T>);

/// The result is what was accumulated.
pub(crate) struct Plain<A>(PhantomData<A>);
/// The same of a sum.
pub(crate) struct Total<A>(PhantomData<A>);
/// Divided by the number of elements, where the extra number is not 0 only if it fits into `O`: else infinite.
pub(crate) struct Mean<A, O>(PhantomData<(A, O)>);
/// Divided by the number of elements less a correction.
pub(crate) struct Variance<O>(PhantomData<O>);
/// The square root of the variance.
pub(crate) struct Deviation<O>(PhantomData<O>);
/// The square root of the sum of squares of elements that were multiplied by a power of two.
pub(crate) struct Length<O, const EXPONENT: i32>(PhantomData<O>);
/// What was accumulated in double precision, rounded.
pub(crate) struct Narrow<O>(PhantomData<O>);
/// A number of elements as an index.
pub(crate) struct Index<O>(PhantomData<O>);

macro_rules! block {
    ($lanes:literal) => {
        const LANES: usize = $lanes;
        #[inline(always)]
        unsafe fn block(x: *const Self::In, param: Self::Param, to: *mut Self::Acc) {
            // SAFETY: as the caller promises.
            unsafe { tree::block::<Self, $lanes>(x, param, to) }
        }
        #[inline(always)]
        unsafe fn lane(acc: *mut Self::Acc, x: *const u8, strides: [isize; 2], w: usize, params: *const Self::Param) {
            // SAFETY: as the caller promises.
            unsafe { tree::take_lane::<Self, $lanes>(acc, x, strides, w, params) }
        }
    };
}

macro_rules! sums {
    ($($from:ty => $to:ty: $lanes:literal $($nested:ident)?;)*) => { $(
        impl Fold for Sum<$from, $to> {
            type In = $from;
            type Acc = $to;
            type Param = ();
            const ANY_ORDER: bool = <$to as Number>::ANY_ORDER;
            block!($lanes);
            #[inline(always)]
            fn take(x: $from, (): ()) -> $to {
                x.cast()
            }
            #[inline(always)]
            fn join(a: $to, b: $to) -> $to {
                a.plus(b)
            }
        }
        impl Fold for Product<$from, $to> {
            type In = $from;
            type Acc = $to;
            type Param = ();
            const ANY_ORDER: bool = <$to as Number>::ANY_ORDER;
            block!($lanes);
            #[inline(always)]
            fn take(x: $from, (): ()) -> $to {
                x.cast()
            }
            #[inline(always)]
            fn join(a: $to, b: $to) -> $to {
                a.times(b)
            }
        }
    )*
        /// The fold of elements of one data type into another, if there is one without a cast before.
        pub(super) fn accumulating(level: Level, from: DType, to: DType, product: bool) -> Option<Folding> {
            $(
                if from == <$from>::DTYPE && to == <$to>::DTYPE {
                    #[allow(unused_mut, reason = "not all are nested")]
                    let mut folding = if product {
                        folding::<Product<$from, $to>, Plain<$to>>(level, 0.0)
                    } else {
                        folding::<Sum<$from, $to>, Total<$to>>(level, 0.0)
                    };
                    $(folding.nested = Some(if product {
                        $nested::<Product<$from, $to>, Product<$to, $to>, Plain<$to>>(level)
                    } else {
                        $nested::<Sum<$from, $to>, Sum<$to, $to>, Total<$to>>(level)
                    });)?
                    return Some(folding);
                }
            )*
            None
        }
    };
}

// Of integers of one size those without a sign do for both.
sums! {
    u8 => u8: 64; u16 => u16: 64; u32 => u32: 64; u64 => u64: 16;
    i8 => i64: 16; i16 => i64: 16; i32 => i64: 16;
    u8 => u64: 16; u16 => u64: 16; u32 => u64: 16;
    i8 => i32: 32; i16 => i32: 32;
    u8 => u32: 32; u16 => u32: 32;
    f32 => f32: 32 nested; f64 => f64: 16 nested; f32 => f64: 16 nested;
    Complex<f32> => Complex<f32>: 16 nested; Complex<f64> => Complex<f64>: 8 nested;
    Complex<f32> => Complex<f64>: 8 nested;
}

macro_rules! squares {
    ($($ty:ty)*) => { $(
        impl Fold for Squares<$ty> {
            type In = $ty;
            type Acc = f64;
            type Param = f64;
            block!(16);
            #[inline(always)]
            fn take(x: $ty, mean: f64) -> f64 {
                let distance = f64::from(x) - mean;
                distance * distance
            }
            #[inline(always)]
            fn join(a: f64, b: f64) -> f64 {
                a + b
            }
        }
    )* };
}

squares!(f32 f64);

/// The sum of the squared magnitudes of elements of `T`, which are multiplied by a power of two first, so that squares neither
/// overflow nor vanish.
pub(crate) struct Energy<T, const EXPONENT: i32>(PhantomData<T>);

/// Two to this power.
const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

macro_rules! energies {
    ($($ty:ty: |$x:ident, $factor:ident| $square:expr;)*) => { $(
        impl<const EXPONENT: i32> Fold for Energy<$ty, EXPONENT> {
            type In = $ty;
            type Acc = f64;
            type Param = ();
            block!(16);
            #[inline(always)]
            fn take($x: $ty, (): ()) -> f64 {
                let $factor = const { power_of_two(EXPONENT) };
                $square
            }
            #[inline(always)]
            fn join(a: f64, b: f64) -> f64 {
                a + b
            }
        }
    )* };
}

/// The sum of powers of magnitudes of real elements of `T`: the magnitudes themselves, cubes, fourth powers, or reciprocals.
pub(crate) struct Powers<T, const ORDER: i32>(PhantomData<T>);

macro_rules! powers {
    ($($ty:ty)*) => { $(
        impl<const ORDER: i32> Fold for Powers<$ty, ORDER> {
            type In = $ty;
            type Acc = f64;
            type Param = ();
            block!(16);
            #[inline(always)]
            fn take(x: $ty, (): ()) -> f64 {
                const { assert!(matches!(ORDER, 1 | 3 | 4 | -1)) };
                let x = f64::from(x.abs());
                match ORDER {
                    1 => x,
                    3 => x * x * x,
                    4 => (x * x) * (x * x),
                    _ => 1.0 / x,
                }
            }
            #[inline(always)]
            fn join(a: f64, b: f64) -> f64 {
                a + b
            }
        }
    )* };
}

powers!(f32 f64);

#[inline(always)]
fn squared(x: f64) -> f64 {
    x * x
}

energies! {
    f32: |x, factor| squared(f64::from(x) * factor);
    f64: |x, factor| squared(x * factor);
    Complex<f32>: |z, factor| squared(f64::from(z.re) * factor) + squared(f64::from(z.im) * factor);
    Complex<f64>: |z, factor| squared(z.re * factor) + squared(z.im * factor);
}

macro_rules! extremes {
    ({ $($int:ty: $int_lanes:literal;)* } { $($float:ty: $lanes:literal;)* }) => {
        $(
            extremes!(@integer Max, $int, $int_lanes, max);
            extremes!(@integer Min, $int, $int_lanes, min);
        )*
        $(
            extremes!(@float Max, $float, $lanes, >, &);
            extremes!(@float Min, $float, $lanes, <, |);
        )*
        extremes!(@pick $($int)* $($float)*);
    };
    (@pick $($ty:ty)*) => {
        /// The fold that gives the largest or the smallest element.
        pub(super) fn extreme(level: Level, dtype: DType, largest: bool) -> Option<Folding> {
            $(
                if dtype == <$ty>::DTYPE {
                    return Some(if largest {
                        folding::<Max<$ty>, Plain<$ty>>(level, 0.0)
                    } else {
                        folding::<Min<$ty>, Plain<$ty>>(level, 0.0)
                    });
                }
            )*
            None
        }
    };
    (@integer $op:ident, $ty:ty, $lanes:literal, $keep:ident) => {
        impl Fold for $op<$ty> {
            type In = $ty;
            type Acc = $ty;
            type Param = ();
            block!($lanes);
            #[inline(always)]
            fn take(x: $ty, (): ()) -> $ty {
                x
            }
            #[inline(always)]
            fn join(a: $ty, b: $ty) -> $ty {
                a.$keep(b)
            }
        }
    };
    (@float $op:ident, $ty:ty, $lanes:literal, $better:tt, $signs:tt) => {
        impl Fold for $op<$ty> {
            type In = $ty;
            type Acc = $ty;
            type Param = ();
            block!($lanes);
            #[inline(always)]
            fn take(x: $ty, (): ()) -> $ty {
                x
            }
            #[inline(always)]
            fn join(a: $ty, b: $ty) -> $ty {
                // Equal numbers differ in the sign of zeros only: so the order makes no difference. No branch, so that it
                // vectorises.
                let (one, other) = (if a $better b { a } else { b }, if b $better a { b } else { a });
                let best = <$ty>::from_bits(one.to_bits() $signs other.to_bits());
                if a.is_nan() | b.is_nan() { <$ty>::NAN } else { best }
            }
        }
    };
}

extremes! {
    { i8: 64; i16: 64; i32: 32; i64: 16; u8: 64; u16: 64; u32: 32; u64: 16; }
    { f32: 32; f64: 16; }
}

/// Whether an element is there that is not zero.
pub(crate) struct Any<T>(PhantomData<T>);
/// Whether no element is zero.
pub(crate) struct All<T>(PhantomData<T>);

macro_rules! truths {
    ($op:ident, $ty:ty, $a:ident, $b:ident, $join:expr) => {
        impl Fold for $op<$ty> {
            type In = $ty;
            type Acc = u8;
            type Param = ();
            block!(64);
            #[inline(always)]
            fn take(x: $ty, (): ()) -> u8 {
                u8::from(CastTo::<Bool>::cast(x).get())
            }
            #[inline(always)]
            fn join($a: u8, $b: u8) -> u8 {
                $join
            }
        }
    };
}

macro_rules! counts {
    ($($ty:ty)*) => { $(
        truths!(Any, $ty, a, b, a | b);
        truths!(All, $ty, a, b, a & b);
        impl Fold for Count<$ty> {
            type In = $ty;
            type Acc = u64;
            type Param = ();
            block!(16);
            #[inline(always)]
            fn take(x: $ty, (): ()) -> u64 {
                u64::from(CastTo::<Bool>::cast(x).get())
            }
            #[inline(always)]
            fn join(a: u64, b: u64) -> u64 {
                a + b
            }
        }
    )*
        /// The fold that counts what is not zero, or asks for it.
        pub(super) fn nonzero(level: Level, dtype: DType, question: Question) -> Option<Folding> {
            // With AVX-512 the compiler counts one by one.
            let short = level.min(Level::Avx2);
            $(
                if dtype == <$ty>::DTYPE {
                    return Some(match question {
                        Question::Any => folding::<Any<$ty>, Plain<u8>>(level, 0.0),
                        Question::All => folding::<All<$ty>, Plain<u8>>(level, 0.0),
                        Question::Count(DType::Int32) => folding::<Count<$ty>, Index<i32>>(short, 0.0),
                        Question::Count(_) => folding::<Count<$ty>, Index<i64>>(short, 0.0),
                    });
                }
            )*
            None
        }
    };
}

/// What is asked about elements that are not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Any,
    All,
    /// How many there are, as an index of this data type.
    Count(DType),
}

counts!(u8 u16 u32 u64 f32 f64 Complex<f32> Complex<f64>);

impl<A: Settled> Finish for Plain<A> {
    type Acc = A;
    type Out = A;
    #[inline(always)]
    fn finish(acc: A, _: f64, _: f64) -> A {
        acc.settle()
    }
}

impl<A: Settled> Finish for Total<A> {
    type Acc = A;
    type Out = A;
    #[inline(always)]
    fn finish(acc: A, _: f64, _: f64) -> A {
        acc.total()
    }
}

/// A sum divided by the number of elements, where it must fit into `O`: infinite if it does not.
#[inline(always)]
fn quotient<O>(sum: f64, count: f64, must_fit: f64) -> f64
where
    f64: CastTo<O>,
    O: Float + CastTo<f64>,
{
    let narrow: f64 = CastTo::<O>::cast(sum).cast();
    if must_fit != 0.0 && narrow.is_infinite() { narrow } else { sum / count }
}

impl<O: Float> Finish for Mean<f64, O>
where
    f64: CastTo<O>,
    O: Settled + CastTo<f64>,
{
    type Acc = f64;
    type Out = O;
    #[inline(always)]
    fn finish(acc: f64, count: f64, sum_must_fit: f64) -> O {
        quotient::<O>(acc.total(), count, sum_must_fit).cast().settle()
    }
}

impl<O: Float> Finish for Mean<Complex<f64>, Complex<O>>
where
    f64: CastTo<O>,
    O: Settled + CastTo<f64>,
{
    type Acc = Complex<f64>;
    type Out = Complex<O>;
    #[inline(always)]
    fn finish(acc: Complex<f64>, count: f64, sum_must_fit: f64) -> Complex<O> {
        let sum = acc.total();
        let part = |sum: f64| quotient::<O>(sum, count, sum_must_fit).cast().settle();
        Complex::new(part(sum.re), part(sum.im))
    }
}

/// The variance; NaN where the correction leaves nothing to divide by, as the standard says.
#[inline(always)]
fn variance(squares: f64, count: f64, correction: f64) -> f64 {
    let divisor = count - correction;
    if divisor > 0.0 { squares / divisor } else { f64::NAN }
}

impl<O: Float> Finish for Variance<O>
where
    f64: CastTo<O>,
    O: Settled,
{
    type Acc = f64;
    type Out = O;
    #[inline(always)]
    fn finish(acc: f64, count: f64, correction: f64) -> O {
        variance(acc, count, correction).cast().settle()
    }
}

impl<O: Float> Finish for Deviation<O>
where
    f64: CastTo<O>,
    O: Settled,
{
    type Acc = f64;
    type Out = O;
    #[inline(always)]
    fn finish(acc: f64, count: f64, correction: f64) -> O {
        variance(acc, count, correction).sqrt().cast().settle()
    }
}

impl<O: Float, const EXPONENT: i32> Finish for Length<O, EXPONENT>
where
    f64: CastTo<O>,
    O: Settled,
{
    type Acc = f64;
    type Out = O;
    #[inline(always)]
    fn finish(acc: f64, _: f64, _: f64) -> O {
        (acc.sqrt() * const { power_of_two(-EXPONENT) }).cast().settle()
    }
}

impl<O: Float> Finish for Narrow<O>
where
    f64: CastTo<O>,
    O: Settled,
{
    type Acc = f64;
    type Out = O;
    #[inline(always)]
    fn finish(acc: f64, _: f64, _: f64) -> O {
        acc.cast().settle()
    }
}

impl<O: 'static + Copy> Finish for Index<O>
where
    u64: CastTo<O>,
{
    type Acc = u64;
    type Out = O;
    #[inline(always)]
    fn finish(acc: u64, _: f64, _: f64) -> O {
        acc.cast()
    }
}

fn pass<F: Fold, G: Finish<Acc = F::Acc>>(level: Level) -> Pass {
    Pass { feed: tree::feed::<F>(level), append: tree::append::<F>(level), finish: tree::finish::<F, G>(level) }
}

fn folding<F: Fold, G: Finish<Acc = F::Acc>>(level: Level, extra: f64) -> Folding {
    Folding {
        lanes: F::LANES,
        acc: size_of::<F::Acc>(),
        item: size_of::<F::In>(),
        before: None,
        pass: pass::<F, G>(level),
        nested: None,
        extra,
    }
}

/// How what `F` accumulates comes together by `J` and becomes a result by `G`.
fn nested<F, J, G>(level: Level) -> Nested
where
    F: Fold<Acc: Element + Settled>,
    J: Fold<In = F::Acc, Acc = F::Acc>,
    G: Finish<Acc = F::Acc>,
{
    Nested {
        leave: tree::finish::<F, Plain<F::Acc>>(level),
        dtype: F::Acc::DTYPE,
        lanes: J::LANES,
        pass: pass::<J, G>(level),
    }
}

/// A fold of elements that are added, all at once or nested.
fn adding<F, G>(level: Level, extra: f64) -> Folding
where
    F: Fold<Acc: Element + Settled>,
    Sum<F::Acc, F::Acc>: Fold<In = F::Acc, Acc = F::Acc>,
    G: Finish<Acc = F::Acc>,
{
    Folding { nested: Some(nested::<F, Sum<F::Acc, F::Acc>, G>(level)), ..folding::<F, G>(level, extra) }
}

/// The fold that gives the mean.
pub(super) fn mean(level: Level, dtype: DType, sum_must_fit: bool) -> Option<Folding> {
    let extra = f64::from(sum_must_fit);
    Some(match dtype {
        DType::Float32 => adding::<Sum<f32, f64>, Mean<f64, f32>>(level, extra),
        DType::Float64 => adding::<Sum<f64, f64>, Mean<f64, f64>>(level, extra),
        DType::Complex64 => adding::<Sum<Complex<f32>, Complex<f64>>, Mean<Complex<f64>, Complex<f32>>>(level, extra),
        DType::Complex128 => adding::<Sum<Complex<f64>, Complex<f64>>, Mean<Complex<f64>, Complex<f64>>>(level, extra),
        _ => return None,
    })
}

/// The folds that give the variance or its root: first the mean, then the squares of the distances from it.
pub(super) fn spread(level: Level, dtype: DType, correction: f64, root: bool) -> Option<Folding> {
    fn before<T>(level: Level) -> Before
    where
        Sum<T, f64>: Fold<In = T, Acc = f64>,
    {
        Before {
            pass: pass::<Sum<T, f64>, Mean<f64, f64>>(level),
            nested: nested::<Sum<T, f64>, Sum<f64, f64>, Mean<f64, f64>>(level),
        }
    }
    let (folding, before) = match (dtype, root) {
        (DType::Float32, false) => (adding::<Squares<f32>, Variance<f32>>(level, correction), before::<f32>(level)),
        (DType::Float32, true) => (adding::<Squares<f32>, Deviation<f32>>(level, correction), before::<f32>(level)),
        (DType::Float64, false) => (adding::<Squares<f64>, Variance<f64>>(level, correction), before::<f64>(level)),
        (DType::Float64, true) => (adding::<Squares<f64>, Deviation<f64>>(level, correction), before::<f64>(level)),
        _ => return None,
    };
    Some(Folding { before: Some(before), ..folding })
}

/// The fold that gives the root of the sum of squared magnitudes, computed of elements times a power of two.
pub(super) fn length<const EXPONENT: i32>(level: Level, dtype: DType) -> Option<Folding> {
    Some(match dtype {
        DType::Float32 => adding::<Energy<f32, EXPONENT>, Length<f32, EXPONENT>>(level, 0.0),
        DType::Float64 => adding::<Energy<f64, EXPONENT>, Length<f64, EXPONENT>>(level, 0.0),
        DType::Complex64 => adding::<Energy<Complex<f32>, EXPONENT>, Length<f32, EXPONENT>>(level, 0.0),
        DType::Complex128 => adding::<Energy<Complex<f64>, EXPONENT>, Length<f64, EXPONENT>>(level, 0.0),
        _ => return None,
    })
}

/// The fold that gives the sum of magnitudes of real numbers.
pub(super) fn sum_of_magnitudes(level: Level, dtype: DType) -> Option<Folding> {
    Some(match dtype {
        DType::Float32 => adding::<Powers<f32, 1>, Narrow<f32>>(level, 0.0),
        DType::Float64 => adding::<Powers<f64, 1>, Narrow<f64>>(level, 0.0),
        _ => return None,
    })
}

/// The fold that gives the sum of powers of magnitudes of real numbers in double precision, if they are made of few
/// operations.
pub(super) fn sum_of_powers(level: Level, dtype: DType, order: f64) -> Option<Folding> {
    fn of<T>(level: Level, order: f64) -> Option<Folding>
    where
        Powers<T, 3>: Fold<Acc = f64>,
        Powers<T, 4>: Fold<Acc = f64>,
        Powers<T, -1>: Fold<Acc = f64>,
    {
        if order == 3.0 {
            Some(adding::<Powers<T, 3>, Narrow<f64>>(level, 0.0))
        } else if order == 4.0 {
            Some(adding::<Powers<T, 4>, Narrow<f64>>(level, 0.0))
        } else if order == -1.0 {
            Some(adding::<Powers<T, -1>, Narrow<f64>>(level, 0.0))
        } else {
            None
        }
    }
    match dtype {
        DType::Float32 => of::<f32>(level, order),
        DType::Float64 => of::<f64>(level, order),
        _ => None,
    }
}
