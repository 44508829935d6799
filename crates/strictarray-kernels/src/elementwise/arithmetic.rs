//! Sums, differences, products, signs.

use std::mem::MaybeUninit;

use strictarray_core::{Complex, Element};

use super::{Binary, Unary};
use crate::float::Float;
use crate::simd::keep_turn;

/// Defines an operation on integers (which wrap), floats and complex numbers alike.
macro_rules! arithmetic {
    ($op:ident, $doc:literal, $wrapping:ident, |$a:ident, $b:ident| $real:expr, $complex:expr $(, blocks $blocks:path)?) => {
        #[doc = $doc]
        pub(crate) struct $op;
        arithmetic!(@integers $op, $wrapping, i8 i16 i32 i64 u8 u16 u32 u64);
        arithmetic!(@floats $op, $a, $b, $real, f32 f64);
        impl<F: Float> Binary<Complex<F>> for $op
        where
            Complex<F>: Element,
        {
            type Out = Complex<F>;
            #[inline(always)]
            fn call($a: Complex<F>, $b: Complex<F>) -> Complex<F> {
                $complex
            }
            $(
                const BLOCKS: bool = true;
                #[inline(always)]
                fn block(out: &mut [MaybeUninit<Complex<F>>], a: &[Complex<F>], b: &[Complex<F>]) -> bool {
                    $blocks(out, a, b);
                    true
                }
            )?
        }
    };
    (@integers $op:ident, $wrapping:ident, $($ty:ty)*) => { $(
        impl Binary<$ty> for $op {
            type Out = $ty;
            #[inline(always)]
            fn call(a: $ty, b: $ty) -> $ty {
                a.$wrapping(b)
            }
        }
    )* };
    (@floats $op:ident, $a:ident, $b:ident, $real:expr, $($ty:ty)*) => { $(
        impl Binary<$ty> for $op {
            type Out = $ty;
            #[inline(always)]
            fn call($a: $ty, $b: $ty) -> $ty {
                $real
            }
        }
    )* };
}

arithmetic!(Add, "The sum.", wrapping_add, |a, b| a + b, Complex::new(a.re + b.re, a.im + b.im));
arithmetic!(Subtract, "The difference.", wrapping_sub, |a, b| a - b, Complex::new(a.re - b.re, a.im - b.im));
// The textbook product, as the standard leaves open and NumPy does.
arithmetic!(
    Multiply,
    "The product.",
    wrapping_mul,
    |a, b| a * b,
    Complex::new(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re),
    blocks complex_products
);

/// The products of complex numbers, some vector registers of them at a time with the parts where they lie: loops over one
/// number after the other are vectorised with the parts drawn apart and put together again, which takes longer than the
/// products.
#[inline(always)]
pub(super) fn complex_products<F: Float>(out: &mut [MaybeUninit<Complex<F>>], a: &[Complex<F>], b: &[Complex<F>])
where
    Complex<F>: Element,
{
    if size_of::<F>() == 4 { products::<F, 16>(out, a, b) } else { products::<F, 8>(out, a, b) }
}

/// One loop for all: what is left at the end goes through it, too, so that optimised the same NaN comes out wherever a number
/// stands, as of one instruction for all. (Which of several NaNs it is, is open.)
#[inline(always)]
fn products<F: Float, const N: usize>(out: &mut [MaybeUninit<Complex<F>>], a: &[Complex<F>], b: &[Complex<F>])
where
    Complex<F>: Element,
{
    let rest = out.len() % N;
    let whole = out.len() - rest;
    let mut ends = [[Complex::new(F::ZERO, F::ZERO); N]; 2];
    let mut last = [const { MaybeUninit::uninit() }; N];
    if rest > 0 {
        ends[0][..rest].copy_from_slice(&a[whole..]);
        ends[1][..rest].copy_from_slice(&b[whole..]);
    }
    for start in (0..out.len()).step_by(N) {
        keep_turn();
        let (out, a, b) =
            match (out[start..].first_chunk_mut::<N>(), a[start..].first_chunk(), b[start..].first_chunk()) {
                (Some(out), Some(a), Some(b)) => (out, a, b),
                _ => (&mut last, &ends[0], &ends[1]),
            };
        let (mut first, mut second) = ([[F::ZERO; 2]; N], [[F::ZERO; 2]; N]);
        for k in 0..N {
            first[k] = [a[k].re * b[k].re, a[k].re * b[k].im];
            second[k] = [a[k].im * b[k].im, a[k].im * b[k].re];
        }
        for k in 0..N {
            out[k].write(Complex::new(first[k][0] - second[k][0], first[k][1] + second[k][1]));
        }
    }
    out[whole..].copy_from_slice(&last[..rest]);
}

/// The absolute value; of a complex number its modulus.
pub(crate) struct Abs;
/// The value with the other sign.
pub(crate) struct Negative;
/// The value.
pub(crate) struct Positive;

macro_rules! signs {
    ($($ty:ty, $x:ident => $abs:expr, $negative:expr;)*) => { $(
        impl Unary<$ty> for Abs {
            type Out = $ty;
            #[inline(always)]
            fn call($x: $ty) -> $ty {
                $abs
            }
        }
        impl Unary<$ty> for Negative {
            type Out = $ty;
            #[inline(always)]
            fn call($x: $ty) -> $ty {
                $negative
            }
        }
    )* };
}

signs! {
    i8, x => x.wrapping_abs(), x.wrapping_neg();
    i16, x => x.wrapping_abs(), x.wrapping_neg();
    i32, x => x.wrapping_abs(), x.wrapping_neg();
    i64, x => x.wrapping_abs(), x.wrapping_neg();
    u8, x => x, x.wrapping_neg();
    u16, x => x, x.wrapping_neg();
    u32, x => x, x.wrapping_neg();
    u64, x => x, x.wrapping_neg();
    f32, x => x.abs(), -x;
    f64, x => x.abs(), -x;
}

impl<F: Float> Unary<Complex<F>> for Abs
where
    Complex<F>: Element,
{
    type Out = F;
    #[inline(always)]
    fn call(x: Complex<F>) -> F {
        F::modulus(x)
    }
    const BLOCKS: bool = true;
    /// Value and condition in one loop: they share most of the work.
    #[inline(always)]
    fn block(out: &mut [MaybeUninit<F>], x: &[Complex<F>]) -> bool {
        let mut all = true;
        for (out, x) in out.iter_mut().zip(x) {
            let (value, holds) = F::quick_modulus(*x);
            out.write(value);
            all &= holds;
        }
        all
    }
}

impl<F: Float> Unary<Complex<F>> for Negative
where
    Complex<F>: Element,
{
    type Out = Complex<F>;
    #[inline(always)]
    fn call(x: Complex<F>) -> Complex<F> {
        Complex::new(-x.re, -x.im)
    }
}

impl<T: Element> Unary<T> for Positive {
    type Out = T;
    #[inline(always)]
    fn call(x: T) -> T {
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ctx;
    use crate::simd::Level;

    /// Of two numbers the same bits come out wherever they stand. NaNs count as one: without optimisation their signs differ.
    #[test]
    fn complex_products_do_not_depend_on_the_place() {
        let special = [f64::INFINITY, f64::NAN, -0.0, f64::NEG_INFINITY, 0.0, -f64::NAN, 1e200, -3.5];
        let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
        let of = |i: usize| Complex::new(special[i % 8], special[(i / 3 + 5 * i) % 7]);
        let (a, b): (Vec<_>, Vec<_>) = ((0..64).map(of).collect(), (0..64).map(|i| of(3 * i + 1)).collect());
        for level in Level::ALL.map(|level| Ctx::new().simd_at_most(level).simd()) {
            let products = |start: usize, n: usize| {
                let mut out = vec![Complex::new(0.0f64, 0.0); n];
                let run = <Multiply as Binary<Complex<f64>>>::inner(level).apart;
                // SAFETY: there are n elements of each, and the loop is for what the machine has.
                unsafe { run(out.as_mut_ptr().cast(), a[start..].as_ptr().cast(), b[start..].as_ptr().cast(), n) };
                out.iter().map(|z| [z.re, z.im].map(bits)).collect::<Vec<_>>()
            };
            let whole = products(0, 64);
            for start in 0..24 {
                for n in 0..40 {
                    assert_eq!(products(start, n), whole[start..start + n], "{start} {n} {level:?}");
                }
            }
            for (found, (a, b)) in whole.iter().zip(a.iter().zip(&b)) {
                let wanted: Complex<f64> = Multiply::call(*a, *b);
                assert_eq!(*found, [wanted.re, wanted.im].map(bits));
            }
        }
    }
}
