//! What the two real floating-point types have in common.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use strictarray_core::{Complex, Element};

/// `f32` and `f64`.
pub(crate) trait Float:
    Element
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;
    const INFINITY: Self;
    /// Twice where every number from there on is an integer: the integers up to it are numbers.
    const INTEGERS: Self;
    fn abs(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    fn floor(self) -> Self;
    /// `self * a + b`, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    fn complex_divide(a: Complex<Self>, b: Complex<Self>) -> Complex<Self>;
    fn complex_quick_divide(a: Complex<Self>, b: Complex<Self>) -> Complex<Self>;
    fn complex_divide_holds(a: Complex<Self>, b: Complex<Self>) -> bool;
    fn modulus(z: Complex<Self>) -> Self;
    /// What is the modulus if the second value says so.
    fn quick_modulus(z: Complex<Self>) -> (Self, bool);
}

macro_rules! float {
    ($ty:ident, $integers:expr) => {
        impl Float for $ty {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const INFINITY: Self = $ty::INFINITY;
            const INTEGERS: Self = $integers;
            #[inline(always)]
            fn abs(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                self.copysign(sign)
            }
            #[inline(always)]
            fn floor(self) -> Self {
                self.floor()
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                self.mul_add(a, b)
            }
            #[inline(always)]
            fn complex_divide(a: Complex<Self>, b: Complex<Self>) -> Complex<Self> {
                crate::elementwise::complex::arithmetic::$ty::divide(a, b)
            }
            #[inline(always)]
            fn complex_quick_divide(a: Complex<Self>, b: Complex<Self>) -> Complex<Self> {
                crate::elementwise::complex::arithmetic::$ty::quick_divide(a, b)
            }
            #[inline(always)]
            fn complex_divide_holds(a: Complex<Self>, b: Complex<Self>) -> bool {
                crate::elementwise::complex::arithmetic::$ty::divide_holds(a, b)
            }
            #[inline(always)]
            fn modulus(z: Complex<Self>) -> Self {
                crate::elementwise::complex::arithmetic::$ty::modulus(z)
            }
            #[inline(always)]
            fn quick_modulus(z: Complex<Self>) -> (Self, bool) {
                crate::elementwise::complex::arithmetic::$ty::quick_modulus(z)
            }
        }
    };
}

float!(f32, 16_777_216.0);
float!(f64, 9_007_199_254_740_992.0);

/// Real and complex numbers of both precisions, for what is computed in double. (Methods, not closures, which are not sure to
/// be inlined.)
pub(crate) trait InDouble: Element {
    /// Holds every value of this type.
    type Wide: Element;
    const ZERO: Self::Wide;
    fn wide(self) -> Self::Wide;
    fn narrow(wide: Self::Wide) -> Self;

    /// Whether it is its own wide type.
    fn is_wide() -> bool {
        Self::DTYPE == Self::Wide::DTYPE
    }
}

macro_rules! in_double {
    ($($real:ty),*) => { $(
        impl InDouble for $real {
            type Wide = f64;
            const ZERO: f64 = 0.0;
            #[inline(always)]
            fn wide(self) -> f64 {
                self.into()
            }
            #[inline(always)]
            fn narrow(wide: f64) -> $real {
                wide as $real
            }
        }

        impl InDouble for Complex<$real> {
            type Wide = Complex<f64>;
            const ZERO: Complex<f64> = Complex::new(0.0, 0.0);
            #[inline(always)]
            fn wide(self) -> Complex<f64> {
                Complex::new(self.re.into(), self.im.into())
            }
            #[inline(always)]
            fn narrow(wide: Complex<f64>) -> Complex<$real> {
                Complex::new(wide.re as $real, wide.im as $real)
            }
        }
    )* };
}

in_double!(f32, f64);
