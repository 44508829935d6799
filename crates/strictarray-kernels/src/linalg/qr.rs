//! The decomposition QR by reflections.

use faer::dyn_stack::MemStack;
use faer::linalg::householder::{
    apply_block_householder_sequence_on_the_left_in_place_scratch as apply_scratch,
    apply_block_householder_sequence_on_the_left_in_place_with_conj as apply,
};
use faer::linalg::qr::no_pivoting::factor;
use faer::{Conj, MatMut, MatRef, Par};
use strictarray_core::{Operand, Result};

use super::matrix::{Number, for_each};
use super::reflections;
use super::scale::{self, Power};
use super::verify;
use crate::Ctx;
use crate::scratch::Scratch;
use crate::simd::Level;

/// Up to so many rows or columns the plain algorithm is the faster one.
const SMALL: usize = 48;
/// And up to so many elements: real ones, and complex ones, which take more operations for as much memory.
const ELEMENTS: [usize; 2] = [reflections::IN_CACHE, 65_536];

/// Whether a matrix is decomposed by the plain algorithm.
fn small<W: Number>(rows: usize, columns: usize) -> bool {
    rows.min(columns) <= SMALL || rows.saturating_mul(columns) <= ELEMENTS[usize::from(W::COMPLEX)]
}

/// Columns of up to so many real numbers are too short for lanes.
const SHORT: usize = 12;

/// From one column of so many rows to the next, where the plain algorithm works.
fn step<W: Number>(rows: usize) -> usize {
    if rows * W::PARTS <= SHORT { rows } else { reflections::step::<W>(rows) }
}

/// Room for the decomposition of matrices of one size.
pub(super) struct Qr<W> {
    rows: usize,
    columns: usize,
    /// The columns of Q.
    width: usize,
    /// From one column to the next, where the plain algorithm works.
    step: usize,
    level: Level,
    /// The matrix, its columns scaled.
    matrix: Scratch<W>,
    /// R, and below it the vectors of the reflections.
    factors: Scratch<W>,
    q: Scratch<W>,
    taus: Scratch<W>,
    room: Scratch<W>,
    powers: Scratch<Power>,
    /// The library's blocks of reflections.
    blocks: Scratch<W>,
    block: usize,
    stack: Scratch<u8>,
    probes: Scratch<W>,
}

impl<W: Number> Qr<W> {
    /// Of matrices of so many rows and columns, with so many columns of Q.
    pub(super) fn new(ctx: &Ctx<'_>, rows: usize, columns: usize, width: usize) -> Result<Qr<W>> {
        let size = super::elements(rows, columns)?;
        let rank = rows.min(columns);
        let small = small::<W>(rows, columns);
        let (mut block, mut stack) = (0, 0);
        if !small {
            block = factor::recommended_block_size::<W>(rows, columns);
            stack = factor::qr_in_place_scratch::<W>(rows, columns, block, Par::Seq, Default::default())
                .or(apply_scratch::<W>(rows, block, width))
                .unaligned_bytes_required();
        }
        let probes = if !small { 4 * rows.max(columns).max(width) } else { 0 };
        let step = step::<W>(rows);
        Ok(Qr {
            rows,
            columns,
            width,
            step,
            level: ctx.simd(),
            matrix: Scratch::filled(ctx, size, W::NOUGHT)?,
            factors: Scratch::filled(ctx, super::elements(step, columns)?, W::NOUGHT)?,
            q: Scratch::filled(ctx, super::elements(step, width)?, W::NOUGHT)?,
            taus: Scratch::filled(ctx, rank, W::NOUGHT)?,
            room: Scratch::filled(ctx, reflections::room(step), W::NOUGHT)?,
            powers: Scratch::filled(ctx, columns, Power::ONE)?,
            blocks: Scratch::filled(ctx, super::elements(block, rank)?, W::NOUGHT)?,
            block,
            stack: Scratch::new(ctx, stack)?,
            probes: Scratch::filled(ctx, probes, W::NOUGHT)?,
        })
    }

    /// Where the matrix is put before it is decomposed, column after column.
    pub(super) fn matrix(&mut self) -> &mut [W] {
        // SAFETY: set when it was made.
        unsafe { self.matrix.values() }
    }

    /// Decomposes the matrix; `None` if it is not finite, else Q and R, which has as many rows as Q has columns.
    pub(super) fn decompose(&mut self) -> Option<(&[W], R<'_, W>)> {
        let (rows, columns, width, step) = (self.rows, self.columns, self.width, self.step);
        let rank = rows.min(columns);
        // SAFETY: all were set when they were made.
        let ([matrix, all_factors, all_of_q, taus, room, blocks, probes], powers) = unsafe {
            (
                [
                    self.matrix.values(),
                    self.factors.values(),
                    self.q.values(),
                    self.taus.values(),
                    self.room.values(),
                    self.blocks.values(),
                    self.probes.values(),
                ],
                self.powers.values(),
            )
        };
        // Each column by its own power: then R's columns are multiplied by their inverses, and Q is the same.
        for (column, power) in matrix.chunks_exact_mut(rows.max(1)).zip(powers.iter_mut()) {
            *power = Power::new(-scale::exponent(scale::largest(column)?));
            power.scale(column);
        }
        let mut done = false;
        if !small::<W>(rows, columns) {
            let (factors, q) = (&mut all_factors[..rows * columns], &mut all_of_q[..rows * width]);
            factors.copy_from_slice(matrix);
            let stack = MemStack::new(self.stack.room());
            let block = self.block;
            let found = super::library(|| {
                let info = factor::qr_in_place(
                    MatMut::from_column_major_slice_mut(&mut *factors, rows, columns),
                    MatMut::from_column_major_slice_mut(&mut *blocks, block, rank),
                    Par::Seq,
                    stack,
                    Default::default(),
                );
                // Where columns are 0 the library's reflections stand elsewhere.
                if info.rank < rank {
                    return false;
                }
                identity(q, rows);
                apply(
                    MatRef::from_column_major_slice(&factors[..rows * rank], rows, rank),
                    MatRef::from_column_major_slice(&*blocks, block, rank),
                    Conj::No,
                    MatMut::from_column_major_slice_mut(&mut *q, rows, width),
                    Par::Seq,
                    stack,
                );
                true
            });
            done = found == Some(true) && {
                real_diagonal(factors, q, rows, rank);
                verify::qr(matrix, q, &R { factors, powers, rows, columns, width, step: rows }, probes)
            };
        }
        if !done {
            plain(self.level, matrix, [all_of_q, all_factors, taus, room], rows);
        }
        let step = if done { rows } else { step };
        Some((&all_of_q[..rows * width], R { factors: all_factors, powers, rows, columns, width, step }))
    }
}

/// The triangular factor.
pub(super) struct R<'a, W> {
    factors: &'a [W],
    powers: &'a [Power],
    rows: usize,
    columns: usize,
    width: usize,
    /// From one column to the next.
    step: usize,
}

impl<W: Number> R<'_, W> {
    /// That of the matrix with scaled columns: the part of a column that need not be 0.
    pub(super) fn scaled_column(&self, j: usize) -> &[W] {
        &self.factors[j * self.step..][..self.width.min(j + 1)]
    }

    /// The rows and columns of the matrix, and the columns of Q.
    pub(super) fn sizes(&self) -> (usize, usize, usize) {
        (self.rows, self.columns, self.width)
    }

    /// Writes its first rows, as many as it has columns, column after column.
    pub(super) fn copy_square_to(&self, out: &mut [W]) {
        for (j, column) in out.chunks_exact_mut(self.columns.max(1)).enumerate() {
            let (upper, lower) = column.split_at_mut(j + 1);
            lower.fill(W::NOUGHT);
            upper.copy_from_slice(&self.scaled_column(j)[..=j]);
            Power::new(-self.powers[j].exponent()).scale(upper);
        }
    }

    /// Writes it, column after column.
    pub(super) fn copy_to(&self, out: &mut [W]) {
        for j in 0..self.columns {
            let (upper, lower) = out[j * self.width..][..self.width].split_at_mut(self.width.min(j + 1));
            lower.fill(W::NOUGHT);
            upper.copy_from_slice(self.scaled_column(j));
            Power::new(-self.powers[j].exponent()).scale(upper);
        }
    }
}

/// Multiplies columns of Q, and rows of R by the conjugates, so that R's diagonal is real: the library's need not be.
fn real_diagonal<W: Number>(factors: &mut [W], q: &mut [W], rows: usize, rank: usize) {
    for k in 0..rank {
        let pivot = factors[k * rows + k];
        if pivot.imaginary_part() == 0.0 {
            continue;
        }
        let modulus = pivot.modulus();
        let phase = pivot.over(W::of_real(modulus));
        q[k * rows..][..rows].iter_mut().for_each(|x| *x *= phase);
        factors[k * rows + k] = W::of_real(modulus);
        for x in factors[k * rows + k..].iter_mut().step_by(rows).skip(1) {
            *x *= phase.conjugate();
        }
    }
}

/// Columns of the identity.
pub(super) fn identity<W: Number>(q: &mut [W], rows: usize) {
    q.fill(W::NOUGHT);
    for (j, column) in q.chunks_exact_mut(rows.max(1)).enumerate() {
        if let Some(x) = column.get_mut(j) {
            *x = W::UNIT;
        }
    }
}

/// Makes the reflection I - τvvᴴ, v[0] = 1, whose adjoint turns x into (β, 0, …) with a real β: leaves β and the rest
/// of v.
pub(super) fn reflection<W: Number>(x: &mut [W]) -> W {
    let Some((head, tail)) = x.split_first_mut() else { return W::NOUGHT };
    // Squares of what is tiny would lose digits, and the reflection be none.
    let most = tail.iter().fold(head.magnitude(), |most, x| most.max(x.magnitude()));
    let power = if most > 1e-100 && most < 1e100 { Power::ONE } else { Power::new(-scale::exponent(most)) };
    let alpha = power.times(*head);
    let rest: f64 = tail.iter().map(|&x| power.times(x).square()).sum();
    if rest == 0.0 && alpha.imaginary_part() == 0.0 {
        tail.fill(W::NOUGHT);
        return W::NOUGHT;
    }
    let norm = (alpha.square() + rest).sqrt();
    let beta = if alpha.real_part() > 0.0 { -norm } else { norm };
    let factor = W::UNIT.over(alpha - W::of_real(beta));
    tail.iter_mut().for_each(|x| *x = power.times(*x) * factor);
    *head = Power::new(-power.exponent()).times(W::of_real(beta));
    (W::of_real(beta) - alpha).times(1.0 / beta)
}

/// x -= τ v (vᴴ x), with v[0] = 1 and the rest given.
#[inline(always)]
fn apply_reflection<W: Number>(tau: W, v: &[W], x: &mut [W]) {
    let Some((head, tail)) = x.split_first_mut() else { return };
    let dot = tau * (*head + verify::dot(v, tail));
    *head -= dot;
    for (x, &v) in tail.iter_mut().zip(v) {
        *x = x.less(v, dot);
    }
}

/// Makes a matrix with short columns triangular by reflections, which are left below the diagonal.
fn reflect<W: Number>(a: &mut [W], taus: &mut [W], rows: usize, columns: usize) {
    for (k, tau) in taus.iter_mut().enumerate().take(columns) {
        let (left, right) = a.split_at_mut((k + 1) * rows);
        let column = &mut left[k * rows + k..];
        *tau = reflection(column);
        if *tau != W::NOUGHT {
            for x in right.chunks_exact_mut(rows) {
                apply_reflection(tau.conjugate(), &column[1..], &mut x[k..]);
            }
        }
    }
}

/// The product of the reflections, as many columns of it as there is room for.
fn build<W: Number>(q: &mut [W], factors: &[W], taus: &[W], rows: usize) {
    identity(q, rows);
    for (k, &tau) in taus.iter().enumerate().rev() {
        if tau != W::NOUGHT {
            let v = &factors[k * rows + k + 1..(k + 1) * rows];
            // The columns before are 0 where the reflection acts.
            for x in q[k * rows..].chunks_exact_mut(rows) {
                apply_reflection(tau, v, &mut x[k..]);
            }
        }
    }
}

/// Decomposes a matrix: Q lies column after column then, what the factors are in the steps of reflections.
fn plain<W: Number>(level: Level, matrix: &[W], [q, factors, taus, room]: [&mut [W]; 4], rows: usize) {
    if rows * W::PARTS <= SHORT {
        factors.copy_from_slice(matrix);
        reflect(factors, taus, rows, matrix.len() / rows.max(1));
        return build(q, factors, taus, rows);
    }
    let step = reflections::step::<W>(rows);
    reflections::spread(factors, matrix, rows);
    // SAFETY: the machine has the level.
    unsafe {
        reflections::triangular::<W>(level)(factors, taus, room, step);
        reflections::product::<W>(level)(q, factors, taus, room, [step, 0]);
    }
    for j in 1..q.len() / step.max(1) {
        q.copy_within(j * step..j * step + rows, j * rows);
    }
}

pub(super) fn qr<W: Number>(
    ctx: &Ctx<'_>,
    [q, r, x]: [&Operand<'_>; 3],
    [rows, columns]: [usize; 2],
    width: usize,
) -> Result<()> {
    let mut work = Qr::<W>::new(ctx, rows, columns, width)?;
    let mut room = Scratch::filled(ctx, super::elements(width, columns)?, W::NOUGHT)?;
    let cost = rows.saturating_mul(columns).saturating_mul(rows.min(columns) + width) + 64;
    for_each(ctx, [(q, 2), (r, 2), (x, 2)], cost, |[q, r, x]| {
        // SAFETY: the operands' elements are computed in W; scratch memory is set.
        unsafe {
            x.load(work.matrix());
            match work.decompose() {
                Some((of_q, of_r)) => {
                    of_r.copy_to(room.values());
                    q.store(of_q);
                    r.store(room.values());
                }
                None => {
                    q.fill(W::NOT_A_NUMBER);
                    r.fill(W::NOT_A_NUMBER);
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::verify::tests::{both, matrices};

    #[test]
    fn the_plain_algorithm_is_right_and_the_same_at_each_level() {
        let sizes = [[1, 1], [7, 5], [5, 7], [8, 8], [9, 9], [40, 40], [40, 20], [20, 40], [67, 35], [35, 67]];
        for [rows, columns] in sizes {
            both!(W => for a in matrices::<W>(rows, columns) {
                for width in [rows.min(columns), rows] {
                    let step = step::<W>(rows);
                    let found = Level::ALL.map(|level| {
                        let [mut factors, mut taus, mut q, mut work] =
                            [step * columns, rows.min(columns), step * width, reflections::room(step)]
                                .map(|size| vec![W::NOUGHT; size]);
                        let level = Ctx::new().simd_at_most(level).simd();
                        plain(level, &a, [&mut q, &mut factors, &mut taus, &mut work], rows);
                        q.truncate(rows * width);
                        (q, factors, taus)
                    });
                    assert!(found.iter().all(|one| *one == found[0]));
                    let [(mut q, factors, _), ..] = found;
                    let powers = vec![Power::ONE; columns];
                    let mut room = vec![W::NOUGHT; 4 * rows.max(columns)];
                    let r = R { factors: &factors, powers: &powers, rows, columns, width, step };
                    assert!(verify::qr(&a, &q, &r, &mut room));
                    // What is wrong is noticed.
                    q[0] += W::of_real(1e-9);
                    assert!(!verify::qr(&a, &q, &r, &mut room));
                }
            });
        }
    }
}
