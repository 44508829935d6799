//! The decomposition PA = LU with partial pivoting, and what is made of it: determinants, inverses, solutions.

use faer::dyn_stack::MemStack;
use faer::linalg::{lu::partial_pivoting::factor, matmul::triangular, triangular_inverse, triangular_solve};
use faer::{Accum, MatMut, MatRef, Par};
use strictarray_core::{Operand, Result};
use strictarray_standard::rule;

use super::matrix::{Fault, Number, View, for_each};
use super::scale::{self, Power};
use super::verify;
use crate::Ctx;
use crate::scratch::Scratch;

/// Up to this size the plain algorithm is the faster one.
const SMALL: usize = 16;

/// For more than two right sides it is so up to this size.
const FEW: usize = 8;

/// Numbers whose largest exponent is this are not made smaller: others would vanish.
const LEAST: i32 = -960;

/// A matrix that is decomposed, and room for it.
struct Lu<W> {
    n: usize,
    /// The matrix, times the power.
    matrix: Scratch<W>,
    /// L below the diagonal, without its ones, and U.
    factors: Scratch<W>,
    /// Row i of PA is this row of A.
    rows: Scratch<usize>,
    /// Where the library puts the inverse permutation.
    places: Scratch<usize>,
    stack: Scratch<u8>,
    /// For vectors that verify it.
    probes: Scratch<W>,
    /// For bounds of their errors.
    sizes: Scratch<f64>,
    /// Whether P is an odd permutation.
    odd: bool,
    /// The first pivot that is 0.
    zero: Option<usize>,
    /// What the matrix was multiplied by.
    power: Power,
}

/// The permutation's parity, and the first pivot that is 0.
type Pivots = (bool, Option<usize>);

impl<W: Number> Lu<W> {
    fn new(ctx: &Ctx<'_>, n: usize) -> Result<Lu<W>> {
        let size = super::elements(n, n)?;
        let stack = if n > SMALL {
            factor::lu_in_place_scratch::<usize, W>(n, n, Par::Seq, Default::default()).unaligned_bytes_required()
        } else {
            0
        };
        Ok(Lu {
            n,
            matrix: Scratch::filled(ctx, size, W::NOUGHT)?,
            factors: Scratch::filled(ctx, size, W::NOUGHT)?,
            rows: Scratch::filled(ctx, n, 0)?,
            places: Scratch::filled(ctx, n, 0)?,
            stack: Scratch::new(ctx, stack)?,
            probes: Scratch::filled(ctx, if n > FEW { 4 * n } else { 0 }, W::NOUGHT)?,
            sizes: Scratch::filled(ctx, if n > FEW { 2 * n } else { 0 }, 0.0)?,
            odd: false,
            zero: None,
            power: Power::ONE,
        })
    }

    /// The matrix, the factors and the rows.
    fn parts(&mut self) -> (&mut [W], &mut [W], &mut [usize]) {
        // SAFETY: all were set when they were made.
        unsafe { (self.matrix.values(), self.factors.values(), self.rows.values()) }
    }

    /// Decomposes a matrix; `false` if it is not finite, or its factors are not, however it is scaled.
    ///
    /// # Safety
    ///
    /// A matrix of n rows and columns of an operand whose numbers are computed in `W`.
    unsafe fn decompose(&mut self, view: View) -> bool {
        let n = self.n;
        let (matrix, ..) = self.parts();
        // SAFETY: as the caller promises.
        unsafe { view.load(matrix) };
        let Some(largest) = scale::largest(matrix) else { return false };
        // Tiny numbers gain from being larger, and lose nothing. Large ones stay, since others may be tiny.
        let power = if scale::exponent(largest) < -200 { scale::toward_one(largest) } else { Power::ONE };
        power.scale(matrix);
        self.power = power;
        if n <= SMALL {
            return self.eliminate();
        }
        // SAFETY: all were set when they were made.
        let ([matrix, factors, probes], [rows, places], sizes) = unsafe {
            (
                [self.matrix.values(), self.factors.values(), self.probes.values()],
                [self.rows.values(), self.places.values()],
                self.sizes.values(),
            )
        };
        factors.copy_from_slice(matrix);
        let info = super::library(|| {
            factor::lu_in_place(
                MatMut::from_column_major_slice_mut(&mut *factors, n, n),
                &mut *rows,
                places,
                Par::Seq,
                MemStack::new(self.stack.room()),
                Default::default(),
            )
            .0
        });
        let zero = (0..n).find(|k| factors[k * n + k] == W::NOUGHT);
        match info {
            Some(info) if zero.is_none() && verify::lu(matrix, factors, rows, probes, sizes) => {
                (self.odd, self.zero) = (info.transposition_count % 2 == 1, None);
                true
            }
            _ => self.eliminate(),
        }
    }

    /// Decomposes the matrix by the plain algorithm; `false` if its factors are beyond what numbers can be.
    fn eliminate(&mut self) -> bool {
        let n = self.n;
        let mut step = 60;
        loop {
            let (matrix, factors, rows) = self.parts();
            factors.copy_from_slice(matrix);
            let pivots = eliminate(factors, rows, n);
            if scale::finite(factors) {
                (self.odd, self.zero) = pivots;
                return true;
            }
            // They grew, by up to 2^(n - 1). Smaller ones may grow as much; what is tiny beside them vanishes last.
            let largest = scale::exponent(scale::largest(matrix).unwrap_or(0.0));
            if largest <= LEAST {
                return false;
            }
            let less = Power::new(-step.min(largest - LEAST));
            less.scale(matrix);
            self.power = Power::new(self.power.exponent() + less.exponent());
            step *= 2;
        }
    }

    /// The determinant.
    fn determinant(&mut self) -> Product<W> {
        let (n, odd, power) = (self.n, self.odd, self.power);
        let (_, factors, _) = self.parts();
        let mut product = Product { value: if odd { -W::UNIT } else { W::UNIT }, exponent: 0 };
        for k in 0..n {
            product.multiply(factors[k * n + k]);
        }
        product.exponent -= i64::from(power.exponent()) * n as i64;
        product
    }

    /// Refuses a matrix that has no inverse.
    fn regular(&self) -> Result<(), Fault> {
        match self.zero {
            None => Ok(()),
            Some(k) => Err(Fault::Refused(&rule::SINGULAR, format!("a matrix whose pivot {k} is 0"))),
        }
    }

    /// Sets columns to the solutions for those of `b`.
    fn solve(&mut self, out: &mut [W], b: &[W]) {
        let (n, power) = (self.n, self.power);
        // SAFETY: all were set when they were made.
        let ([matrix, factors, probes], rows, sizes) = unsafe {
            (
                [self.matrix.values(), self.factors.values(), self.probes.values()],
                self.rows.values(),
                self.sizes.values(),
            )
        };
        let columns = b.len() / n.max(1);
        // One column after another is slower where there are many.
        if n > if columns > 2 { FEW } else { SMALL } {
            for (out, b) in out.chunks_exact_mut(n).zip(b.chunks_exact(n)) {
                out.iter_mut().zip(&*rows).for_each(|(out, &i)| *out = b[i]);
            }
            let triangles = MatRef::from_column_major_slice(&*factors, n, n);
            let mut x = MatMut::from_column_major_slice_mut(&mut *out, n, columns);
            triangular_solve::solve_unit_lower_triangular_in_place(triangles, x.as_mut(), Par::Seq);
            triangular_solve::solve_upper_triangular_in_place(triangles, x, Par::Seq);
            // The library's reciprocals overflow where quotients need not.
            if verify::solution(matrix, out, Some(b), n, probes, sizes) {
                return power.scale(out);
            }
        }
        for (x, b) in out.chunks_exact_mut(n.max(1)).zip(b.chunks_exact(n.max(1))) {
            substitute_scaled(factors, power, x, |x| x.iter_mut().zip(&*rows).for_each(|(x, &i)| *x = b[i]));
        }
    }

    /// Sets `out` to the inverse, and `room` to anything. The factors are gone then.
    fn invert(&mut self, out: &mut [W], room: &mut [W]) {
        let n = self.n;
        let power = self.power;
        let (_, factors, rows) = self.parts();
        if n > SMALL {
            let triangles = MatRef::from_column_major_slice(&*factors, n, n);
            let mut inverses = MatMut::from_column_major_slice_mut(&mut *room, n, n);
            triangular_inverse::invert_unit_lower_triangular(inverses.as_mut(), triangles, Par::Seq);
            triangular_inverse::invert_upper_triangular(inverses.as_mut(), triangles, Par::Seq);
            let inverses = inverses.as_ref();
            triangular::matmul(
                MatMut::from_column_major_slice_mut(&mut *factors, n, n),
                triangular::BlockStructure::Rectangular,
                Accum::Replace,
                inverses,
                triangular::BlockStructure::TriangularUpper,
                inverses,
                triangular::BlockStructure::UnitTriangularLower,
                W::UNIT,
                Par::Seq,
            );
            // Column i of U⁻¹L⁻¹ is column rows[i] of the inverse.
            for (column, &j) in factors.chunks_exact(n).zip(rows.iter()) {
                out[j * n..][..n].copy_from_slice(column);
            }
            // SAFETY: all were set when they were made.
            let (matrix, probes, sizes) = unsafe { (self.matrix.values(), self.probes.values(), self.sizes.values()) };
            // The library's reciprocals overflow where quotients need not.
            if verify::solution(matrix, out, None, n, probes, sizes) {
                return power.scale(out);
            }
            if !self.eliminate() {
                return out.fill(W::NOT_A_NUMBER);
            }
        }
        let power = self.power;
        let (_, factors, rows) = self.parts();
        for (i, &j) in rows.iter().enumerate() {
            substitute_scaled(factors, power, &mut out[j * n..][..n], |x| {
                x.fill(W::NOUGHT);
                x[i] = W::UNIT;
            });
        }
    }
}

/// Gaussian elimination with partial pivoting, in place.
pub(super) fn eliminate<W: Number>(a: &mut [W], rows: &mut [usize], n: usize) -> Pivots {
    let (mut odd, mut zero) = (false, None);
    for (i, row) in rows.iter_mut().enumerate() {
        *row = i;
    }
    for k in 0..n {
        let column = &a[k * n..][..n];
        // The sum of the parts' magnitudes serves as well as the modulus.
        let size = |x: W| x.real_part().abs() + x.imaginary_part().abs();
        let (mut pivot, mut most) = (k, size(column[k]));
        for (i, &x) in column.iter().enumerate().skip(k + 1) {
            if size(x) > most {
                (pivot, most) = (i, size(x));
            }
        }
        if most == 0.0 {
            zero = zero.or(Some(k));
            continue;
        }
        if pivot != k {
            odd = !odd;
            rows.swap(k, pivot);
            for j in 0..n {
                a.swap(j * n + k, j * n + pivot);
            }
        }
        let (left, right) = a.split_at_mut((k + 1) * n);
        let (pivot, below) = left[k * n + k..].split_at_mut(1);
        for x in below.iter_mut() {
            *x = x.over(pivot[0]);
        }
        for column in right.chunks_exact_mut(n) {
            let (factor, rest) = column[k..].split_at_mut(1);
            if factor[0] != W::NOUGHT {
                for (x, &l) in rest.iter_mut().zip(&*below) {
                    *x = x.less(l, factor[0]);
                }
            }
        }
    }
    (odd, zero)
}

/// Sets x to the solution of LUx = b, times the power. `set` sets it to b.
fn substitute_scaled<W: Number>(factors: &[W], power: Power, x: &mut [W], set: impl Fn(&mut [W])) {
    let mut less = 0;
    loop {
        set(x);
        Power::new(-less).scale(x);
        substitute(factors, x.len(), x);
        if less > 900 || scale::finite(x) {
            break;
        }
        // What comes on the way may be too large where the solution is not.
        less = if less == 0 { 60 } else { 2 * less };
    }
    Power::new(power.exponent() + less).scale(x);
}

/// Solves LUx = b, in place.
fn substitute<W: Number>(factors: &[W], n: usize, x: &mut [W]) {
    // What is 0 at the top stays so.
    let first = x.iter().position(|&x| x != W::NOUGHT).unwrap_or(n);
    for k in first..n {
        let (value, rest) = x[k..].split_at_mut(1);
        for (x, &l) in rest.iter_mut().zip(&factors[k * n + k + 1..(k + 1) * n]) {
            *x = x.less(l, value[0]);
        }
    }
    for k in (0..n).rev() {
        let column = &factors[k * n..][..=k];
        let (rest, value) = x[..=k].split_at_mut(k);
        value[0] = value[0].over(column[k]);
        for (x, &u) in rest.iter_mut().zip(column) {
            *x = x.less(u, value[0]);
        }
    }
}

/// A product of many factors: the value times 2^exponent.
struct Product<W> {
    value: W,
    exponent: i64,
}

impl<W: Number> Product<W> {
    fn multiply(&mut self, factor: W) {
        let mut taken = |x: W| {
            let e = scale::exponent(x.magnitude());
            self.exponent += i64::from(e);
            if e == 0 { x } else { Power::new(-e).times(x) }
        };
        let (a, b) = (taken(self.value), taken(factor));
        self.value = a * b;
    }

    fn value(&self) -> W {
        Power::new(self.exponent.clamp(-3000, 3000) as i32).times(self.value)
    }

    /// Its sign (of complex numbers: their direction) and the logarithm of its modulus.
    fn sign_and_logarithm(&self) -> (W, f64) {
        let modulus = self.value.modulus();
        if modulus == 0.0 {
            return (W::NOUGHT, f64::NEG_INFINITY);
        }
        // Near 1 the logarithm of the value and that of the power would cancel.
        let whole = self.value().modulus();
        let logarithm =
            if whole.is_normal() { whole.ln() } else { modulus.ln() + self.exponent as f64 * std::f64::consts::LN_2 };
        (self.value.over(W::of_real(modulus)), logarithm)
    }
}

fn cost(n: usize) -> usize {
    n.saturating_mul(n).saturating_mul(n) / 4 + 64
}

pub(super) fn det<W: Number>(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, n: usize) -> Result<()> {
    let mut lu = Lu::<W>::new(ctx, n)?;
    for_each(ctx, [(out, 0), (x, 2)], cost(n), |[out, x]| {
        // SAFETY: the operands' elements are computed in W.
        unsafe {
            let value = if lu.decompose(x) { lu.determinant().value() } else { W::NOT_A_NUMBER };
            out.store(&[value]);
        }
        Ok(())
    })
}

pub(super) fn slogdet<W: Number>(ctx: &Ctx<'_>, [sign, logarithm, x]: [&Operand<'_>; 3], n: usize) -> Result<()> {
    let mut lu = Lu::<W>::new(ctx, n)?;
    for_each(ctx, [(sign, 0), (logarithm, 0), (x, 2)], cost(n), |[sign, logarithm, x]| {
        // SAFETY: the operands' elements are computed in W, those of the logarithms in f64.
        unsafe {
            let of_nan = (W::NOT_A_NUMBER, f64::NAN);
            let values = if lu.decompose(x) { lu.determinant().sign_and_logarithm() } else { of_nan };
            sign.store(&[values.0]);
            logarithm.store(&[values.1]);
        }
        Ok(())
    })
}

pub(super) fn inv<W: Number>(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, n: usize) -> Result<()> {
    let mut lu = Lu::<W>::new(ctx, n)?;
    let size = super::elements(n, n)?;
    let mut result = Scratch::filled(ctx, size, W::NOUGHT)?;
    let mut room = Scratch::filled(ctx, if n > SMALL { size } else { 0 }, W::NOUGHT)?;
    for_each(ctx, [(out, 2), (x, 2)], 3 * cost(n), |[out, x]| {
        // SAFETY: the operands' elements are computed in W; scratch memory is set.
        unsafe {
            if !lu.decompose(x) {
                out.fill(W::NOT_A_NUMBER);
                return Ok(());
            }
            lu.regular()?;
            lu.invert(result.values(), room.values());
            out.store(result.values());
        }
        Ok(())
    })
}

pub(super) fn solve<W: Number>(ctx: &Ctx<'_>, [out, a, b]: [&Operand<'_>; 3], n: usize, columns: usize) -> Result<()> {
    let mut lu = Lu::<W>::new(ctx, n)?;
    let size = super::elements(n, columns)?;
    let mut right = Scratch::filled(ctx, size, W::NOUGHT)?;
    let mut result = Scratch::filled(ctx, size, W::NOUGHT)?;
    // A matrix that repeats is decomposed once.
    let mut last = None;
    let cost = cost(n).saturating_add(size.saturating_mul(n) / 2);
    for_each(ctx, [(out, 2), (a, 2), (b, 2)], cost, |[out, a, b]| {
        // SAFETY: the operands' elements are computed in W; scratch memory is set.
        unsafe {
            let finite = match last {
                Some((ptr, finite)) if std::ptr::eq(ptr, a.ptr) => finite,
                _ => lu.decompose(a),
            };
            last = Some((a.ptr, finite));
            if !finite {
                out.fill(W::NOT_A_NUMBER);
                return Ok(());
            }
            lu.regular()?;
            b.load(right.values());
            lu.solve(result.values(), right.values());
            out.store(result.values());
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::verify::tests::{both, matrices};

    #[test]
    fn the_plain_algorithm_is_right_for_large_matrices_too() {
        both!(W => for n in [1, 7, 20, 40] {
            for a in matrices::<W>(n, n) {
                let (mut factors, mut rows) = (a.clone(), vec![0; n]);
                let (mut room, mut sizes) = (vec![W::NOUGHT; 4 * n], vec![0.0; 2 * n]);
                let (_, zero) = eliminate(&mut factors, &mut rows, n);
                assert!(verify::lu(&a, &factors, &rows, &mut room, &mut sizes));
                if zero.is_none() {
                    let mut x: Vec<W> = (0..n).map(|i| W::of_real(i as f64)).collect();
                    let b: Vec<W> = rows.iter().map(|&i| x[i]).collect();
                    x.copy_from_slice(&b);
                    substitute(&factors, n, &mut x);
                    let mut back = vec![W::NOUGHT; n];
                    a.chunks_exact(n).zip(&x).for_each(|(column, &x)| verify::add(&mut back, x, column));
                    let size = verify::norm(&x) * verify::norm(&a);
                    assert!((0..n).all(|i| (back[i] - W::of_real(i as f64)).modulus() <= 1e-13 * size));
                }
                // What is wrong is noticed.
                factors[n * n - 1] += W::of_real(1e-9 * verify::norm(&a).max(1.0));
                assert!(!verify::lu(&a, &factors, &rows, &mut room, &mut sizes));
            }
        });
    }
}
