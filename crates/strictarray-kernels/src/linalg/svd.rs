//! Singular values and vectors, and what is made of them: pseudoinverses and ranks.

use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::svd::{self, ComputeSvdVectors, SvdParams};
use faer::{Accum, Auto, MatMut, MatRef, Par, Spec, linalg::matmul::matmul};
use strictarray_core::{DType, Operand, Result};
use strictarray_standard::rule;

use super::eigh::{rotate, rotation};
use super::matrix::{Fault, Number, View, for_each};
use super::qr::{Qr, identity};
use super::reflections;
use super::rotations::{self, Columns, Rotation};
use super::scale::{self, Power};
use super::values::Values;
use super::verify;
use crate::scratch::Scratch;
use crate::simd::Level;
use crate::{Ctx, run};

/// Up to so many rows or columns Jacobi's rotations are fast enough.
const SMALL: usize = 8;

/// Which singular vectors are computed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    None,
    Thin,
    Full,
}

/// Room for the decomposition of matrices of one size. What is decomposed has at least as many rows as columns: it is
/// the adjoint of a wide matrix.
struct Svd<'a, W> {
    ctx: &'a Ctx<'a>,
    rows: usize,
    columns: usize,
    adjoint: bool,
    wanted: Wanted,
    /// The columns of U.
    width: usize,
    matrix: Scratch<W>,
    u: Scratch<W>,
    v: Scratch<W>,
    values: Scratch<f64>,
    order: Scratch<usize>,
    diagonal: Scratch<W>,
    /// What is rotated: the matrix, or its triangular factor.
    square: Scratch<W>,
    probes: Scratch<W>,
    stack: Scratch<u8>,
    /// Finds values and vectors of what is not large.
    reflected: Option<Reflected<W>>,
    /// Finds values alone.
    alone: Option<Values<W>>,
    /// Made when it is first needed.
    qr: Option<Qr<W>>,
}

/// A decomposition of the matrix times the power.
struct Parts<'a, W> {
    u: &'a mut [W],
    values: &'a mut [f64],
    v: &'a mut [W],
    power: Power,
}

/// Room for a decomposition by the plain algorithm: reflections make the matrix bidiagonal, rotations diagonal.
struct Reflected<W> {
    level: Level,
    /// The rows, and from one column of the matrix, and of V, to the next.
    rows: usize,
    steps: [usize; 2],
    matrix: Scratch<W>,
    right: Scratch<W>,
    q: [Scratch<W>; 2],
    taus: [Scratch<W>; 2],
    room: Scratch<W>,
    numbers: [Scratch<f64>; 2],
    rotations: [Scratch<Rotation>; 2],
}

impl<W: Number> Reflected<W> {
    fn new(ctx: &Ctx<'_>, rows: usize, n: usize, width: usize) -> Result<Reflected<W>> {
        let steps @ [step, beyond] = [rows, n].map(reflections::step::<W>);
        let new = |size| Scratch::filled(ctx, size, W::NOUGHT);
        let square = super::elements(beyond, n)?;
        Ok(Reflected {
            level: ctx.simd(),
            rows,
            steps,
            matrix: new(super::elements(step, n)?)?,
            right: new(square)?,
            q: [new(super::elements(step, width)?)?, new(square)?],
            taus: [new(n)?, new(n)?],
            room: new(reflections::room(step))?,
            numbers: [Scratch::filled(ctx, n, 0.0)?, Scratch::filled(ctx, n, 0.0)?],
            rotations: [Scratch::filled(ctx, n, [0.0; 2])?, Scratch::filled(ctx, n, [0.0; 2])?],
        })
    }

    /// The singular values in descending order and the vectors. `false` if they are not found.
    fn decompose(&mut self, a: &[W], sorted: &mut [f64], [u, v]: [&mut [W]; 2], order: &mut [usize]) -> bool {
        let (n, rows, steps @ [step, beyond]) = (sorted.len(), self.rows, self.steps);
        let ([q, p], [left, right], [values, beside]) = (&mut self.q, &mut self.taus, &mut self.numbers);
        let [first, second] = &mut self.rotations;
        // SAFETY: all were set when they were made; the machine has the level.
        let (q, p, values, found) = unsafe {
            let [matrix, vectors, q, p, left, right, room] = [
                self.matrix.values(),
                self.right.values(),
                q.values(),
                p.values(),
                left.values(),
                right.values(),
                self.room.values(),
            ];
            let (values, beside) = (values.values(), beside.values());
            reflections::spread(matrix, a, rows);
            reflections::bidiagonal(self.level)(
                [&mut *matrix, &mut *vectors],
                [&mut *left, &mut *right],
                room,
                [values, beside],
                steps,
            );
            reflections::product(self.level)(q, matrix, left, room, [step, 0]);
            reflections::product(self.level)(p, vectors, &right[..n - 1], room, [beyond, 1]);
            let found = rotations::bidiagonal(self.level)(
                [values, &mut beside[..n - 1]],
                [first.values(), second.values()],
                [
                    &mut Columns { a: W::parts_mut(q), step: step * W::PARTS },
                    &mut Columns { a: W::parts_mut(p), step: beyond * W::PARTS },
                ],
            );
            (q, p, values, found)
        };
        if !found {
            return false;
        }
        order.iter_mut().enumerate().for_each(|(i, place)| *place = i);
        order.sort_unstable_by(|&i, &j| values[j].abs().total_cmp(&values[i].abs()).then(i.cmp(&j)));
        for (((to, of_v), value), &j) in u.chunks_exact_mut(rows).zip(v.chunks_exact_mut(n)).zip(sorted).zip(&*order) {
            copy_as_unit(to, &q[j * step..][..rows], values[j] < 0.0);
            copy_as_unit(of_v, &p[j * beyond..][..n], false);
            *value = values[j].abs();
        }
        // Those that belong to no value.
        for (to, q) in u.chunks_exact_mut(rows).zip(q.chunks_exact(step)).skip(n) {
            to.copy_from_slice(&q[..rows]);
        }
        true
    }
}

/// Copies a vector, or that with the other sign, and gives it length 1: each rotation may change the length a little, and does so
/// to the same side where all are by small angles.
pub(super) fn copy_as_unit<W: Number>(to: &mut [W], from: &[W], negative: bool) {
    let factor = if negative { -1.0 } else { 1.0 } / verify::norm(from);
    to.iter_mut().zip(from).for_each(|(to, x)| *to = x.times(factor));
}

/// The library's parameters.
fn parameters<W: Number>() -> Spec<SvdParams, W> {
    // From so many rows on it divides and conquers. By itself it does from 128 on: rotations are slower before, too.
    Spec::new(SvdParams { recursion_threshold: 32, ..<SvdParams as Auto<W>>::auto() })
}

impl<'a, W: Number> Svd<'a, W> {
    fn new(ctx: &'a Ctx<'a>, [m, n]: [usize; 2], wanted: Wanted) -> Result<Svd<'a, W>> {
        let (rows, columns, adjoint) = if m >= n { (m, n, false) } else { (n, m, true) };
        let width = if wanted == Wanted::Full { rows } else { columns };
        let large = columns > SMALL;
        let vectors = if wanted == Wanted::Full { ComputeSvdVectors::Full } else { ComputeSvdVectors::Thin };
        let plain = large && wanted != Wanted::None && reflections::suit::<W>(rows, width);
        let stack = if large && wanted != Wanted::None && !plain {
            svd::svd_scratch::<W>(rows, columns, vectors, vectors, Par::Seq, parameters::<W>())
                .unaligned_bytes_required()
        } else {
            0
        };
        let square = super::elements(columns, columns)?;
        let matrix = super::elements(rows, columns)?;
        let if_wanted = |size| if wanted == Wanted::None { 0 } else { size };
        Ok(Svd {
            ctx,
            rows,
            columns,
            adjoint,
            wanted,
            width,
            matrix: Scratch::filled(ctx, matrix, W::NOUGHT)?,
            u: Scratch::filled(ctx, if_wanted(super::elements(rows, width)?), W::NOUGHT)?,
            v: Scratch::filled(ctx, if_wanted(square), W::NOUGHT)?,
            values: Scratch::filled(ctx, columns, 0.0)?,
            order: Scratch::filled(ctx, columns, 0)?,
            diagonal: Scratch::filled(ctx, columns, W::NOUGHT)?,
            square: Scratch::filled(ctx, if large { 0 } else { square }, W::NOUGHT)?,
            probes: Scratch::filled(ctx, if large { 4 * rows } else { 0 }, W::NOUGHT)?,
            stack: Scratch::new(ctx, stack)?,
            reflected: if plain { Some(Reflected::new(ctx, rows, columns, width)?) } else { None },
            alone: if large && wanted == Wanted::None { Some(Values::singular(ctx, rows, columns)?) } else { None },
            qr: None,
        })
    }

    /// Operations that one matrix takes, about.
    fn cost(&self) -> usize {
        let width = if self.wanted == Wanted::Full { self.width } else { self.columns };
        self.rows.saturating_mul(width).saturating_mul(self.columns).saturating_mul(16) + 64
    }

    /// Decomposes a matrix. Of vectors that are not wanted there are none.
    ///
    /// # Safety
    ///
    /// A matrix of this size, or as it stands its adjoint, of an operand whose numbers are computed in `W`.
    unsafe fn decompose(&mut self, view: View) -> Result<Parts<'_, W>, Fault> {
        let (rows, columns) = (self.rows, self.columns);
        // SAFETY: all were set when they were made; the view is the caller's.
        let ([matrix, u, v, diagonal, probes], values) = unsafe {
            (if self.adjoint { view.transposed() } else { view }).load(self.matrix.values());
            (
                [self.matrix.values(), self.u.values(), self.v.values(), self.diagonal.values(), self.probes.values()],
                self.values.values(),
            )
        };
        if self.adjoint && W::COMPLEX {
            matrix.iter_mut().for_each(|x| *x = x.conjugate());
        }
        let Some(largest) = scale::largest(matrix) else {
            return Err(Fault::Refused(&rule::NOT_FINITE, "a matrix with a value that is not finite".into()));
        };
        let power = scale::toward_one(largest);
        power.scale(matrix);
        let mut done = false;
        if let Some(alone) = &mut self.alone {
            done = alone.of(matrix, values) && verify::svd(matrix, values, None, probes);
        } else if let Some(reflected) = &mut self.reflected {
            // SAFETY: set when it was made.
            let order = unsafe { self.order.values() };
            done = reflected.decompose(matrix, values, [u, v], order)
                && verify::svd(matrix, values, Some((&*u, &*v)), probes);
        } else if columns > SMALL {
            // What the last matrix of a stack left is not overwritten in whole.
            u.fill(W::NOUGHT);
            v.fill(W::NOUGHT);
            let result = super::library(|| {
                svd::svd(
                    MatRef::from_column_major_slice(&*matrix, rows, columns),
                    DiagMut::from_slice_mut(&mut *diagonal),
                    Some(MatMut::from_column_major_slice_mut(&mut *u, rows, self.width)),
                    Some(MatMut::from_column_major_slice_mut(&mut *v, columns, columns)),
                    Par::Seq,
                    MemStack::new(self.stack.room()),
                    parameters::<W>(),
                )
            });
            for (to, from) in values.iter_mut().zip(&*diagonal) {
                *to = from.real_part();
            }
            done = matches!(result, Some(Ok(()))) && verify::svd(matrix, values, Some((&*u, &*v)), probes);
        }
        if !done {
            self.rotate()?;
        }
        // SAFETY: set when they were made.
        let (u, v, values) = unsafe { (self.u.values(), self.v.values(), self.values.values()) };
        Ok(Parts { u, values, v, power })
    }

    /// Decomposes the matrix by rotations of its columns.
    fn rotate(&mut self) -> Result<(), Fault> {
        let (rows, n, width) = (self.rows, self.columns, self.width);
        let size = super::elements(n, n)?;
        // SAFETY: all were set when they were made.
        let ([matrix, u, v], values, order) = unsafe {
            ([self.matrix.values(), self.u.values(), self.v.values()], self.values.values(), self.order.values())
        };
        if n > SMALL {
            self.square = Scratch::filled(self.ctx, size, W::NOUGHT)?;
        }
        // SAFETY: set where it was made.
        let square = unsafe { self.square.values() };
        let mut q = None;
        if rows > n {
            let qr = match &mut self.qr {
                Some(qr) => qr,
                none => none.insert(Qr::new(self.ctx, rows, n, width)?),
            };
            qr.matrix().copy_from_slice(matrix);
            let Some((of_q, r)) = qr.decompose() else { return Err(run::misuse("svd: not finite").into()) };
            r.copy_square_to(square);
            q = Some(of_q);
        } else {
            square.copy_from_slice(matrix);
        }
        identity(v, n);
        if !orthogonalise(square, v, n) {
            return Err(Fault::Refused(&rule::NO_CONVERGENCE, "a matrix whose singular values were not found".into()));
        }
        for ((value, place), (i, column)) in
            values.iter_mut().zip(order.iter_mut()).zip(square.chunks_exact(n.max(1)).enumerate())
        {
            (*value, *place) = (length(column), i);
        }
        order.sort_unstable_by(|&i, &j| values[j].total_cmp(&values[i]).then(i.cmp(&j)));
        if self.wanted != Wanted::None {
            // The matrix is no longer needed: it takes the vectors in their order.
            let sorted = &mut matrix[..size];
            for (to, &j) in sorted.chunks_exact_mut(n.max(1)).zip(&*order) {
                to.copy_from_slice(&v[j * n..][..n]);
            }
            v.copy_from_slice(sorted);
            let nothing = verify::norm(square) * NOTHING * 10.0;
            let mut known = 0;
            for (to, &j) in sorted.chunks_exact_mut(n.max(1)).zip(&*order) {
                // Columns that were not rotated get a direction among those that are left.
                if values[j] > nothing {
                    let column = &square[j * n..][..n];
                    let power = Power::new(-scale::exponent(values[j]));
                    let factor = 1.0 / power.times(values[j]);
                    to.iter_mut().zip(column).for_each(|(to, &x)| *to = power.times(x).times(factor));
                    known += 1;
                }
            }
            (known..n).for_each(|k| complete(sorted, k, n));
            match q {
                None => u.copy_from_slice(sorted),
                Some(q) => {
                    u.copy_from_slice(q);
                    matmul(
                        MatMut::from_column_major_slice_mut(&mut u[..rows * n], rows, n),
                        Accum::Replace,
                        MatRef::from_column_major_slice(&q[..rows * n], rows, n),
                        MatRef::from_column_major_slice(&*sorted, n, n),
                        W::UNIT,
                        Par::Seq,
                    );
                }
            }
        }
        values.sort_unstable_by(|a, b| b.total_cmp(a));
        Ok(())
    }
}

/// A length that does not show beside the whole.
const NOTHING: f64 = 1e-20;

/// Rotates columns, of as many rows, until they are orthogonal, and those of `v`, if it has any, with them. `false` if
/// that has no end, which nobody has seen.
fn orthogonalise<W: Number>(a: &mut [W], v: &mut [W], n: usize) -> bool {
    const SWEEPS: usize = 60;
    // The square of a length that does not show beside the whole: such columns are roundings of others.
    let nothing = (verify::norm(a) * NOTHING).powi(2);
    for sweep in 0..SWEEPS {
        // Products of n factors have about √n roundings. The last sweeps are content with more.
        let tolerance = verify::EPSILON * (n as f64).sqrt() * if sweep < SWEEPS / 2 { 1.0 } else { 8.0 };
        let mut rotated = false;
        for q in 1..n {
            for p in 0..q {
                let (left, right) = a.split_at(q * n);
                let (x, y) = (&left[p * n..][..n], &right[..n]);
                let (mut first, mut second, mut across) = (0.0, 0.0, W::NOUGHT);
                for (&x, &y) in x.iter().zip(y) {
                    first += x.square();
                    second += y.square();
                    across += x.conjugate() * y;
                }
                let modulus = across.modulus();
                if modulus <= tolerance * (first.sqrt() * second.sqrt()) || first.min(second) <= nothing {
                    continue;
                }
                rotated = true;
                let (_, c, s) = rotation(first, second, modulus);
                let phase = across.over(W::of_real(modulus)).conjugate();
                rotate(a, n, p, q, c, s, phase.times(s), phase.times(c));
                if !v.is_empty() {
                    rotate(v, n, p, q, c, s, phase.times(s), phase.times(c));
                }
            }
        }
        if !rotated {
            return true;
        }
    }
    false
}

/// The Euclidean norm, whatever its size.
pub(super) fn length<W: Number>(x: &[W]) -> f64 {
    let square: f64 = x.iter().map(|x| x.square()).sum();
    if square > 1e-250 && square < 1e250 {
        return square.sqrt();
    }
    let most = x.iter().fold(0.0f64, |most, x| most.max(x.magnitude()));
    let power = Power::new(-scale::exponent(most));
    let square: f64 = x.iter().map(|&x| power.times(x).square()).sum();
    Power::new(-power.exponent()).times(square.sqrt())
}

/// Sets column k of a square matrix to one that is orthonormal to those before.
fn complete<W: Number>(q: &mut [W], k: usize, n: usize) {
    let (known, rest) = q.split_at_mut(k * n);
    let column = &mut rest[..n];
    // The direction of the axis that lies in the others' span the least.
    let share = |i: usize| known.chunks_exact(n).map(|q| q[i].square()).sum::<f64>();
    let axis = (0..n).min_by(|&i, &j| share(i).total_cmp(&share(j))).unwrap_or(0);
    column.fill(W::NOUGHT);
    column[axis] = W::UNIT;
    for _ in 0..3 {
        for q in known.chunks_exact(n) {
            let dot = verify::dot(q, column);
            column.iter_mut().zip(q).for_each(|(x, &q)| *x = x.less(q, dot));
        }
        let factor = 1.0 / length(column);
        column.iter_mut().for_each(|x| *x = x.times(factor));
    }
}

/// How much smaller than the largest element one may be to count as equal.
const TIE: f64 = 1e-8;

/// Gives real singular vectors the signs by which the largest element of each left one is positive: of those that are equal, but
/// for rounding, the first. So rounding, which differs between machines, does not decide them.
fn orient<W: Number>(left: &mut [W], right: &mut [W], [m, n]: [usize; 2]) {
    if m == 0 || n == 0 {
        return;
    }
    // Left vectors that belong to no value have no right one.
    let mut right = right.chunks_exact_mut(n);
    for left in left.chunks_exact_mut(m) {
        let right = right.next().unwrap_or_default();
        let largest = left.iter().map(|x| x.magnitude()).fold(0.0, f64::max);
        let first = left.iter().find(|x| x.magnitude() >= largest * (1.0 - TIE));
        if first.is_some_and(|x| x.real_part() < 0.0) {
            left.iter_mut().chain(right).for_each(|x| *x = -*x);
        }
    }
}

pub(super) fn svd<W: Number>(
    ctx: &Ctx<'_>,
    [u, s, vh, x]: [&Operand<'_>; 4],
    sizes: [usize; 2],
    wanted: Wanted,
) -> Result<()> {
    let mut work = Svd::<W>::new(ctx, sizes, wanted)?;
    let (adjoint, cost) = (work.adjoint, work.cost());
    for_each(ctx, [(u, 2), (s, 1), (vh, 2), (x, 2)], cost, |[u, s, vh, x]| {
        // SAFETY: the operands' elements are computed in W, those of s in f64.
        unsafe {
            let parts = work.decompose(x)?;
            Power::new(-parts.power.exponent()).scale(parts.values);
            s.store(parts.values);
            // Of a wide matrix the adjoint was decomposed, into VSUᴴ.
            let (left, right) = if adjoint { (parts.v, parts.u) } else { (parts.u, parts.v) };
            if !W::COMPLEX {
                orient(left, right, sizes);
            }
            u.store(left);
            if W::COMPLEX {
                right.iter_mut().for_each(|x| *x = x.conjugate());
            }
            vh.transposed().store(right);
        }
        Ok(())
    })
}

pub(super) fn svdvals<W: Number>(ctx: &Ctx<'_>, s: &Operand<'_>, x: &Operand<'_>, sizes: [usize; 2]) -> Result<()> {
    let mut work = Svd::<W>::new(ctx, sizes, Wanted::None)?;
    let cost = work.cost();
    for_each(ctx, [(s, 1), (x, 2)], cost, |[s, x]| {
        // SAFETY: as in svd.
        unsafe {
            let parts = work.decompose(x)?;
            Power::new(-parts.power.exponent()).scale(parts.values);
            s.store(parts.values);
        }
        Ok(())
    })
}

pub(super) fn matrix_rank<W: Number>(
    ctx: &Ctx<'_>,
    [out, x, rtol]: [&Operand<'_>; 3],
    sizes: [usize; 2],
) -> Result<()> {
    let long = match out.dtype() {
        DType::Int64 => true,
        DType::Int32 => false,
        _ => return Err(run::misuse("matrix_rank: data type")),
    };
    let mut work = Svd::<W>::new(ctx, sizes, Wanted::None)?;
    let cost = work.cost();
    for_each(ctx, [(out, 0), (x, 2), (rtol, 0)], cost, |[out, x, rtol]| {
        // SAFETY: the elements of x are computed in W, those of rtol are floats, those of out integers of this size.
        unsafe {
            let values = work.decompose(x)?.values;
            let mut limit = [0.0];
            rtol.load(&mut limit);
            let limit = limit[0] * values.first().copied().unwrap_or(0.0);
            let rank = values.iter().filter(|&&s| s > limit).count();
            if long {
                out.ptr.cast::<i64>().write(rank as i64);
            } else {
                out.ptr.cast::<i32>().write(rank as i32);
            }
        }
        Ok(())
    })
}

pub(super) fn pinv<W: Number>(ctx: &Ctx<'_>, [out, x, rtol]: [&Operand<'_>; 3], sizes: [usize; 2]) -> Result<()> {
    let mut work = Svd::<W>::new(ctx, sizes, Wanted::Thin)?;
    let (rows, n, adjoint, cost) = (work.rows, work.columns, work.adjoint, work.cost());
    let mut result = Scratch::filled(ctx, super::elements(rows, n)?, W::NOUGHT)?;
    for_each(ctx, [(out, 2), (x, 2), (rtol, 0)], cost, |[out, x, rtol]| {
        // SAFETY: the elements of out and x are computed in W, those of rtol are floats; scratch memory is set.
        unsafe {
            let Parts { u, values, v, power } = work.decompose(x)?;
            let mut limit = [0.0];
            rtol.load(&mut limit);
            let limit = limit[0] * values.first().copied().unwrap_or(0.0);
            let counts = |&&s: &&f64| s > limit && s > 0.0;
            // Reciprocals of what is tiny are infinite: then all are made smaller.
            let least = values.iter().filter(counts).fold(1.0f64, |least, &s| least.min(s));
            let spare = Power::new(if least < 1e-290 { 100 } else { 0 });
            // Of what was decomposed the adjoint of the pseudoinverse is US⁻¹Vᴴ.
            for (column, s) in v.chunks_exact_mut(n.max(1)).zip(&*values) {
                let factor = if counts(&s) { 1.0 / spare.times(*s) } else { 0.0 };
                column.iter_mut().for_each(|x| *x = x.times(factor));
            }
            let result = result.values();
            product_with_adjoint(result, u, v, rows, n);
            Power::new(power.exponent() + spare.exponent()).scale(result);
            if adjoint {
                out.store(result);
            } else {
                if W::COMPLEX {
                    result.iter_mut().for_each(|x| *x = x.conjugate());
                }
                out.transposed().store(result);
            }
        }
        Ok(())
    })
}

/// UVᴴ, of n columns each.
fn product_with_adjoint<W: Number>(out: &mut [W], u: &[W], v: &[W], rows: usize, n: usize) {
    if n > SMALL {
        return matmul(
            MatMut::from_column_major_slice_mut(out, rows, n),
            Accum::Replace,
            MatRef::from_column_major_slice(u, rows, n),
            MatRef::from_column_major_slice(v, n, n).adjoint(),
            W::UNIT,
            Par::Seq,
        );
    }
    out.fill(W::NOUGHT);
    for (u, v) in u.chunks_exact(rows.max(1)).zip(v.chunks_exact(n.max(1))) {
        for (out, v) in out.chunks_exact_mut(rows.max(1)).zip(v) {
            verify::add(out, v.conjugate(), u);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::verify::tests::{both, matrices};

    #[test]
    fn rotations_without_an_end_are_noticed() {
        // Nothing makes these columns orthogonal.
        both!(W => for n in [2, 5] {
            let (mut a, mut v) = (vec![W::NOT_A_NUMBER; n * n], vec![W::NOUGHT; n * n]);
            assert!(!orthogonalise(&mut a, &mut v, n));
        });
    }

    #[test]
    fn reflections_and_rotations_are_right_and_the_same_at_each_level() {
        both!(W => for [m, n] in [[2, 2], [9, 9], [20, 16], [33, 9], [40, 40], [70, 35], [70, 70]] {
            for a in matrices::<W>(m, n) {
                for width in [n, m] {
                    let found = Level::ALL.map(|level| {
                        let ctx = Ctx::new().simd_at_most(level);
                        let mut reflected = Reflected::<W>::new(&ctx, m, n, width).unwrap();
                        let (mut u, mut v) = (vec![W::NOUGHT; m * width], vec![W::NOUGHT; n * n]);
                        let (mut values, mut order) = (vec![0.0; n], vec![0; n]);
                        assert!(reflected.decompose(&a, &mut values, [&mut u, &mut v], &mut order));
                        assert!(verify::svd(&a, &values, Some((&u, &v)), &mut vec![W::NOUGHT; 4 * m]));
                        (values, u, v)
                    });
                    assert!(found.iter().all(|one| *one == found[0]));
                }
            }
        });
        both!(W => for n in [6, 40] {
            let mut reflected = Reflected::<W>::new(&Ctx::new(), n, n, n).unwrap();
            let (mut u, mut v) = (vec![W::NOUGHT; n * n], vec![W::NOUGHT; n * n]);
            let (mut values, mut order) = (vec![0.0; n], vec![0; n]);
            let a = vec![W::NOT_A_NUMBER; n * n];
            assert!(!reflected.decompose(&a, &mut values, [&mut u, &mut v], &mut order));
        });
    }

    #[test]
    fn the_plain_algorithm_is_right_for_large_matrices_too() {
        both!(W => for [rows, columns] in [[1, 1], [7, 5], [20, 20], [40, 40], [40, 20]] {
            for a in matrices::<W>(rows, columns) {
                for wanted in [Wanted::Thin, Wanted::Full] {
                    let ctx = Ctx::new();
                    let mut svd = Svd::<W>::new(&ctx, [rows, columns], wanted).unwrap();
                    // SAFETY: set when they were made.
                    let (u, v, values) = unsafe {
                        svd.matrix.values().copy_from_slice(&a);
                        assert!(svd.rotate().is_ok());
                        (svd.u.values(), svd.v.values(), svd.values.values())
                    };
                    let mut room = vec![W::NOUGHT; 4 * rows];
                    let mut alone = Svd::<W>::new(&ctx, [rows, columns], Wanted::None).unwrap();
                    // SAFETY: as above.
                    unsafe {
                        alone.matrix.values().copy_from_slice(&a);
                        assert!(alone.rotate().is_ok());
                        assert_eq!(alone.values.values(), values);
                        assert!(alone.u.values().is_empty() && alone.v.values().is_empty());
                    }
                    assert!(verify::svd(&a, values, Some((u, v)), &mut room));
                    assert!(verify::svd(&a, values, None, &mut room));
                    // What is wrong is noticed.
                    u[0] += W::of_real(1e-9);
                    assert!(!verify::svd(&a, values, Some((u, v)), &mut room));
                    u[0] -= W::of_real(1e-9);
                    v[0] += W::of_real(1e-9);
                    assert!(!verify::svd(&a, values, Some((u, v)), &mut room));
                    v[0] -= W::of_real(1e-9);
                    values[0] += 1e-9 * verify::norm(&a).max(1.0);
                    assert!(!verify::svd(&a, values, Some((u, v)), &mut room));
                    assert!(!verify::svd(&a, values, None, &mut room));
                }
            }
        });
    }

    #[test]
    fn vectors_of_equal_values_are_orthonormal() {
        // Values that are equal but for rounding take the most rotations.
        both!(W => {
            let n = if W::COMPLEX { 135 } else { 190 };
            let q = verify::tests::orthogonal::<W>(n);
            for of in [[1.0, 1.0], [2.0, 2.0], [1.0, 0.5]] {
                let mut a = if of[0] == of[1] { q.clone() } else { verify::tests::with_values(&q, n, of) };
                a.iter_mut().for_each(|x| *x = x.times(of[0]));
                let mut reflected = Reflected::<W>::new(&Ctx::new(), n, n, n).unwrap();
                let (mut u, mut v) = (a.clone(), a.clone());
                let (mut values, mut order) = (vec![0.0; n], vec![0; n]);
                assert!(reflected.decompose(&a, &mut values, [&mut u, &mut v], &mut order));
                for q in [u, v] {
                    assert!(verify::tests::skew(&q, n) < verify::tests::skew_allowed(n));
                }
            }
        });
    }
}
