//! The matrices of a batch, one after another, and the numbers in them.

use std::fmt::Write;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};
use std::slice;

use faer::traits::ComplexField;
use smallvec::SmallVec;
use strictarray_core::{Complex, DType, Error, Operand, Result};
use strictarray_standard::Rule;

use crate::Ctx;
use crate::float::{Float, InDouble};

/// What matrices are computed in: `f64` and `Complex<f64>`.
pub(super) trait Number:
    InDouble<Wide = Self>
    + ComplexField<Real = f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    const COMPLEX: bool;
    /// Real numbers that one is made of.
    const PARTS: usize;
    const NOUGHT: Self;
    const UNIT: Self;
    const NOT_A_NUMBER: Self;
    /// The same in single precision.
    type Single: InDouble<Wide = Self>;
    fn real_part(self) -> f64;
    fn imaginary_part(self) -> f64;
    fn conjugate(self) -> Self;
    fn of_real(x: f64) -> Self;
    /// With an imaginary part, which a real number does not take.
    fn of_parts(re: f64, im: f64) -> Self;
    /// The product with a real number.
    fn times(self, x: f64) -> Self;
    /// `self - a * b`.
    #[inline(always)]
    fn less(self, a: Self, b: Self) -> Self {
        self - a * b
    }
    /// The square of the modulus, which may overflow.
    fn square(self) -> f64;
    /// The modulus, which does not overflow on the way.
    fn modulus(self) -> f64;
    /// The larger of the parts' magnitudes.
    fn magnitude(self) -> f64;
    /// The quotient, which does not overflow on the way.
    fn over(self, divisor: Self) -> Self;
    /// The real numbers that these are made of.
    fn parts(values: &[Self]) -> &[f64];
    /// The same to change.
    fn parts_mut(values: &mut [Self]) -> &mut [f64];
}

impl Number for f64 {
    const COMPLEX: bool = false;
    const PARTS: usize = 1;
    const NOUGHT: f64 = 0.0;
    const UNIT: f64 = 1.0;
    const NOT_A_NUMBER: f64 = f64::NAN;
    type Single = f32;
    #[inline(always)]
    fn real_part(self) -> f64 {
        self
    }
    #[inline(always)]
    fn imaginary_part(self) -> f64 {
        0.0
    }
    #[inline(always)]
    fn conjugate(self) -> f64 {
        self
    }
    #[inline(always)]
    fn of_real(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn of_parts(re: f64, _: f64) -> f64 {
        re
    }
    #[inline(always)]
    fn times(self, x: f64) -> f64 {
        self * x
    }
    #[inline(always)]
    fn square(self) -> f64 {
        self * self
    }
    #[inline(always)]
    fn modulus(self) -> f64 {
        f64::abs(self)
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        f64::abs(self)
    }
    #[inline(always)]
    fn over(self, divisor: f64) -> f64 {
        self / divisor
    }
    #[inline(always)]
    fn parts(values: &[f64]) -> &[f64] {
        values
    }
    #[inline(always)]
    fn parts_mut(values: &mut [f64]) -> &mut [f64] {
        values
    }
}

impl Number for Complex<f64> {
    const COMPLEX: bool = true;
    const PARTS: usize = 2;
    const NOUGHT: Self = Complex::new(0.0, 0.0);
    const UNIT: Self = Complex::new(1.0, 0.0);
    const NOT_A_NUMBER: Self = Complex::new(f64::NAN, f64::NAN);
    type Single = Complex<f32>;
    #[inline(always)]
    fn real_part(self) -> f64 {
        self.re
    }
    #[inline(always)]
    fn imaginary_part(self) -> f64 {
        self.im
    }
    #[inline(always)]
    fn conjugate(self) -> Self {
        Complex::new(self.re, -self.im)
    }
    #[inline(always)]
    fn of_real(x: f64) -> Self {
        Complex::new(x, 0.0)
    }
    #[inline(always)]
    fn of_parts(re: f64, im: f64) -> Self {
        Complex::new(re, im)
    }
    #[inline(always)]
    fn times(self, x: f64) -> Self {
        Complex::new(self.re * x, self.im * x)
    }
    #[inline(always)]
    fn square(self) -> f64 {
        self.re * self.re + self.im * self.im
    }
    #[inline(always)]
    fn modulus(self) -> f64 {
        let square = self.square();
        if square > 1e-280 && square < 1e280 { square.sqrt() } else { f64::hypot(self.re, self.im) }
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        f64::abs(self.re).max(f64::abs(self.im))
    }
    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        let square = divisor.square();
        if square > 1e-280 && square < 1e280 {
            let z = self * divisor.conjugate();
            // Not by the reciprocal: a real quotient is rounded once.
            if divisor.im == 0.0 {
                return Complex::new(self.re / divisor.re, self.im / divisor.re);
            }
            if f64::abs(z.re) < f64::INFINITY && f64::abs(z.im) < f64::INFINITY {
                return Complex::new(Div::div(z.re, square), Div::div(z.im, square));
            }
        }
        Float::complex_divide(self, divisor)
    }
    #[inline(always)]
    fn parts(values: &[Self]) -> &[f64] {
        // SAFETY: a complex number is its two parts, one after the other, aligned as they are.
        unsafe { slice::from_raw_parts(values.as_ptr().cast(), 2 * values.len()) }
    }
    #[inline(always)]
    fn parts_mut(values: &mut [Self]) -> &mut [f64] {
        // SAFETY: as above; the parts are borrowed as the numbers were.
        unsafe { slice::from_raw_parts_mut(values.as_mut_ptr().cast(), 2 * values.len()) }
    }
}

/// Binds a name to what numbers of a floating data type are computed in. Where no output has elements there is nothing to compute,
/// and no memory to pay for.
macro_rules! numbers {
    ($outs:expr, $dtype:expr, $w:ident => $body:expr) => {
        match $dtype {
            _ if $outs.iter().all(|out| out.size() == 0) => Ok(()),
            strictarray_core::DType::Float32 | strictarray_core::DType::Float64 => {
                type $w = f64;
                $crate::linalg::afford()?;
                $body
            }
            strictarray_core::DType::Complex64 | strictarray_core::DType::Complex128 => {
                type $w = strictarray_core::Complex<f64>;
                $crate::linalg::afford()?;
                $body
            }
            _ => Err(crate::run::misuse("linalg: data type")),
        }
    };
}
pub(super) use numbers;

/// Where one matrix lies: a vector is a matrix of one column, a number one of one row as well.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub(super) ptr: *mut u8,
    down: isize,
    right: isize,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Whether its elements are of single precision.
    single: bool,
}

/// Columns of which a row is read or written at once.
const STRIP: usize = 16;

impl View {
    /// The columns of this matrix, conjugated or not by the caller, as rows.
    pub(super) fn transposed(self) -> View {
        View { down: self.right, right: self.down, rows: self.columns, columns: self.rows, ..self }
    }

    #[inline(always)]
    fn at<T>(&self, i: usize, j: usize) -> *mut T {
        self.ptr.wrapping_offset(self.down * i as isize + self.right * j as isize).cast()
    }

    /// Reads the elements, column after column.
    ///
    /// # Safety
    ///
    /// A matrix of an operand whose numbers are computed in `W`.
    pub(super) unsafe fn load<W: Number>(&self, to: &mut [W]) {
        // SAFETY: as the caller promises, of one of the two precisions.
        unsafe {
            if self.single {
                self.load_of::<W::Single, W>(to);
            } else {
                self.load_of::<W, W>(to);
            }
        }
    }

    /// # Safety
    ///
    /// A matrix of an operand of `T`.
    #[inline(always)]
    unsafe fn load_of<T: InDouble<Wide = W>, W: Number>(&self, to: &mut [W]) {
        debug_assert!(to.len() >= self.rows * self.columns);
        if self.rows == 0 {
            return;
        }
        if self.down == size_of::<T>() as isize || self.columns == 1 {
            for (j, column) in to.chunks_exact_mut(self.rows).take(self.columns).enumerate() {
                for (i, to) in column.iter_mut().enumerate() {
                    // SAFETY: an element of the matrix.
                    *to = unsafe { self.at::<T>(i, j).read() }.wide();
                }
            }
            return;
        }
        for first in (0..self.columns).step_by(STRIP) {
            for i in 0..self.rows {
                for j in first..self.columns.min(first + STRIP) {
                    // SAFETY: an element of the matrix.
                    to[j * self.rows + i] = unsafe { self.at::<T>(i, j).read() }.wide();
                }
            }
        }
    }

    /// Writes the elements, which lie column after column.
    ///
    /// # Safety
    ///
    /// A matrix, ours to write, of an operand whose numbers are computed in `W`.
    pub(super) unsafe fn store<W: Number>(&self, from: &[W]) {
        // SAFETY: as the caller promises, of one of the two precisions.
        unsafe {
            if self.single {
                self.store_of::<W::Single, W>(from);
            } else {
                self.store_of::<W, W>(from);
            }
        }
    }

    /// # Safety
    ///
    /// A matrix, ours to write, of an operand of `T`.
    #[inline(always)]
    unsafe fn store_of<T: InDouble<Wide = W>, W: Number>(&self, from: &[W]) {
        debug_assert!(from.len() >= self.rows * self.columns);
        for first in (0..self.columns).step_by(STRIP) {
            for i in 0..self.rows {
                for j in first..self.columns.min(first + STRIP) {
                    // SAFETY: an element of the matrix.
                    unsafe { self.at::<T>(i, j).write(T::narrow(from[j * self.rows + i])) };
                }
            }
        }
    }

    /// Writes one value everywhere.
    ///
    /// # Safety
    ///
    /// As for `store`.
    pub(super) unsafe fn fill<W: Number>(&self, value: W) {
        for j in 0..self.columns {
            let column = View { ptr: self.at(0, j), columns: 1, ..*self };
            for i in 0..self.rows {
                let element = View { ptr: column.at(i, 0), rows: 1, ..column };
                // SAFETY: as the caller promises.
                unsafe { element.store(&[value]) };
            }
        }
    }
}

/// Why a matrix has no result.
pub(super) enum Fault {
    /// It is refused: the rule, and what was got.
    Refused(&'static Rule, String),
    /// Something else.
    Failed(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Failed(error)
    }
}

/// Operations of about a millisecond.
const TICK: usize = 1 << 20;

/// Calls `each` for what operands have at every position of their leading axes, which are the same: matrices, vectors
/// or numbers, by how many `axes` each of them keeps. `cost` says how many operations one position takes, about. Asks
/// between whether to stop.
pub(super) fn for_each<const N: usize>(
    ctx: &Ctx<'_>,
    operands: [(&Operand<'_>, usize); N],
    cost: usize,
    mut each: impl FnMut([View; N]) -> Result<(), Fault>,
) -> Result<()> {
    let (first, axes) = operands[0];
    let leading = first.shape().len() - axes;
    let batch = &first.shape()[..leading];
    if batch.contains(&0) {
        return Ok(());
    }
    let mut views = operands.map(|(operand, axes)| {
        let from = operand.shape().len() - axes;
        let (shape, strides) = (&operand.shape()[from..], &operand.strides()[from..]);
        let single = matches!(operand.dtype(), DType::Float32 | DType::Complex64);
        let get = |axis| (*shape.get(axis).unwrap_or(&1), *strides.get(axis).unwrap_or(&0));
        let ((rows, down), (columns, right)) = (get(0), get(1));
        View { ptr: operand.ptr(), down, right, rows, columns, single }
    });
    let mut index: SmallVec<[usize; 8]> = SmallVec::from_elem(0, leading);
    let mut since = 0usize;
    loop {
        each(views).map_err(|fault| match fault {
            Fault::Failed(error) => error,
            Fault::Refused(rule, got) => refusal(rule, got, &index),
        })?;
        since = since.saturating_add(cost);
        if since >= TICK {
            since = 0;
            ctx.check_cancelled()?;
        }
        let mut axis = leading;
        loop {
            if axis == 0 {
                return Ok(());
            }
            axis -= 1;
            index[axis] += 1;
            let steps = if index[axis] < batch[axis] { 1 } else { 1 - batch[axis] as isize };
            for (view, (operand, _)) in views.iter_mut().zip(operands) {
                view.ptr = view.ptr.wrapping_offset(operand.strides()[axis] * steps);
            }
            if steps == 1 && index[axis] < batch[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
}

/// Says which matrix of the batch was meant, if there is more than one axis to count.
#[cold]
fn refusal(rule: &'static Rule, mut got: String, index: &[usize]) -> Error {
    if let [i] = index {
        let _ = write!(got, ", at index ({i},)");
    } else if !index.is_empty() {
        let index: Vec<_> = index.iter().map(ToString::to_string).collect();
        let _ = write!(got, ", at index ({})", index.join(", "));
    }
    Error::new(rule, format!("got {got}"))
}
