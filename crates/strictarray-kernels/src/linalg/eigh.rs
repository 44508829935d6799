//! The eigenvalues and eigenvectors of Hermitian matrices.

use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::evd::{self, ComputeEigenvectors, SelfAdjointEvdParams};
use faer::{Auto, MatMut, MatRef, Par, Spec};
use strictarray_core::{Operand, Result};
use strictarray_standard::rule;

use super::matrix::{Fault, Number, for_each};
use super::qr::identity;
use super::reflections;
use super::rotations::{self, Columns, Rotation};
use super::scale::{self, Power};
use super::svd::copy_as_unit;
use super::values::Values;
use super::verify;
use crate::Ctx;
use crate::scratch::Scratch;
use crate::simd::Level;

/// Up to this size Jacobi's rotations are fast enough.
const SMALL: usize = 5;

/// The library's parameters.
fn parameters<W: Number>() -> Spec<SelfAdjointEvdParams, W> {
    // From so many rows on it divides and conquers. By itself it does from 128 on: rotations are slower before, too.
    Spec::new(SelfAdjointEvdParams { recursion_threshold: 32, ..<SelfAdjointEvdParams as Auto<W>>::auto() })
}

/// Room for eigenvalues and vectors by the plain algorithm: reflections make the matrix tridiagonal, rotations diagonal.
struct Reflected<W> {
    level: Level,
    step: usize,
    matrix: Scratch<W>,
    q: Scratch<W>,
    taus: Scratch<W>,
    room: Scratch<W>,
    values: Scratch<f64>,
    beside: Scratch<f64>,
    rotations: Scratch<Rotation>,
}

impl<W: Number> Reflected<W> {
    fn new(ctx: &Ctx<'_>, n: usize) -> Result<Reflected<W>> {
        let step = reflections::step::<W>(n);
        let size = super::elements(step, n)?;
        Ok(Reflected {
            level: ctx.simd(),
            step,
            matrix: Scratch::filled(ctx, size, W::NOUGHT)?,
            q: Scratch::filled(ctx, size, W::NOUGHT)?,
            taus: Scratch::filled(ctx, n - 1, W::NOUGHT)?,
            room: Scratch::filled(ctx, reflections::room(step), W::NOUGHT)?,
            values: Scratch::filled(ctx, n, 0.0)?,
            beside: Scratch::filled(ctx, n, 0.0)?,
            rotations: Scratch::filled(ctx, n, [0.0; 2])?,
        })
    }

    /// The eigenvalues in ascending order and the vectors. `false` if they are not found.
    fn decompose(&mut self, a: &[W], sorted: &mut [f64], v: &mut [W], order: &mut [usize]) -> bool {
        let (n, step) = (sorted.len(), self.step);
        // SAFETY: all were set when they were made; the machine has the level.
        let (q, values, found) = unsafe {
            let [matrix, q, taus, room] =
                [self.matrix.values(), self.q.values(), self.taus.values(), self.room.values()];
            let (values, beside) = (self.values.values(), self.beside.values());
            reflections::spread(matrix, a, n);
            reflections::tridiagonal(self.level)(matrix, taus, room, [values, beside], step);
            reflections::product(self.level)(q, matrix, taus, room, [step, 1]);
            let mut columns = Columns { a: W::parts_mut(q), step: step * W::PARTS };
            let rotations = self.rotations.values();
            let found = rotations::symmetric(self.level)(values, &mut beside[..n - 1], rotations, &mut columns);
            (q, values, found)
        };
        if !found {
            return false;
        }
        order.iter_mut().enumerate().for_each(|(i, place)| *place = i);
        order.sort_unstable_by(|&i, &j| values[i].total_cmp(&values[j]).then(i.cmp(&j)));
        for ((to, value), &j) in v.chunks_exact_mut(n).zip(sorted).zip(&*order) {
            copy_as_unit(to, &q[j * step..][..n], false);
            *value = values[j];
        }
        true
    }
}

pub(super) fn eigh<W: Number>(
    ctx: &Ctx<'_>,
    values: &Operand<'_>,
    vectors: Option<&Operand<'_>>,
    x: &Operand<'_>,
    n: usize,
) -> Result<()> {
    let size = super::elements(n, n)?;
    let large = n > SMALL;
    let if_large = |size| if large { size } else { 0 };
    let mut matrix = Scratch::filled(ctx, size, W::NOUGHT)?;
    let if_library = |size| if vectors.is_some() && !reflections::suit::<W>(n, n) { if_large(size) } else { 0 };
    let mut original = Scratch::filled(ctx, if_library(size), W::NOUGHT)?;
    let mut found = Scratch::filled(ctx, if vectors.is_some() { size } else { 0 }, W::NOUGHT)?;
    let mut sorted = Scratch::filled(ctx, n, 0.0)?;
    let mut order = Scratch::filled(ctx, n, 0)?;
    let mut diagonal = Scratch::filled(ctx, n, W::NOUGHT)?;
    let mut probes = Scratch::filled(ctx, if_large(4 * n), W::NOUGHT)?;
    let mut alone = if large && vectors.is_none() { Some(Values::<W>::hermitian(ctx, n)?) } else { None };
    let plain = large && vectors.is_some() && reflections::suit::<W>(n, n);
    let mut reflected = if plain { Some(Reflected::<W>::new(ctx, n)?) } else { None };
    let stack = if large && vectors.is_some() && !plain {
        evd::self_adjoint_evd_scratch::<W>(n, ComputeEigenvectors::Yes, Par::Seq, parameters::<W>())
            .unaligned_bytes_required()
    } else {
        0
    };
    let mut stack = Scratch::<u8>::new(ctx, stack)?;
    let cost = n.saturating_mul(n).saturating_mul(n).saturating_mul(8) + 64;
    let (other, axes) = vectors.map_or((values, 1), |vectors| (vectors, 2));
    for_each(ctx, [(values, 1), (other, axes), (x, 2)], cost, |[values, other, x]| {
        // SAFETY: the operands' elements are computed in W; scratch memory is set.
        let ([a, original, v, probes, diagonal], sorted, order) = unsafe {
            x.load(matrix.values());
            (
                [matrix.values(), original.values(), found.values(), probes.values(), diagonal.values()],
                sorted.values(),
                order.values(),
            )
        };
        complete(a, n);
        let Some(largest) = scale::largest(a) else {
            return Err(Fault::Refused(&rule::NOT_FINITE, "a matrix with a value that is not finite".into()));
        };
        let power = scale::toward_one(largest);
        power.scale(a);
        let mut done = false;
        if let Some(alone) = &mut alone {
            done = alone.of_hermitian(a, sorted) && verify::eigh(a, sorted, None, n, probes);
        } else if let Some(reflected) = &mut reflected {
            done = reflected.decompose(a, sorted, v, order) && verify::eigh(a, sorted, Some(&*v), n, probes);
        } else if large {
            original.copy_from_slice(a);
            let result = super::library(|| {
                evd::self_adjoint_evd(
                    MatRef::from_column_major_slice(&*a, n, n),
                    DiagMut::from_slice_mut(&mut *diagonal),
                    Some(MatMut::from_column_major_slice_mut(&mut *v, n, n)),
                    Par::Seq,
                    MemStack::new(stack.room()),
                    parameters::<W>(),
                )
            });
            for (to, from) in sorted.iter_mut().zip(&*diagonal) {
                *to = from.real_part();
            }
            done = matches!(result, Some(Ok(()))) && verify::eigh(original, sorted, Some(&*v), n, probes);
        }
        if !done && !diagonalise(a, v, n, sorted, order) {
            return Err(Fault::Refused(&rule::NO_CONVERGENCE, "a matrix whose eigenvalues were not found".into()));
        }
        Power::new(-power.exponent()).scale(sorted);
        // SAFETY: the operands are ours to write; the elements of values are computed in f64, of vectors in W.
        unsafe {
            values.store(sorted);
            if vectors.is_some() {
                other.store(v);
            }
        }
        Ok(())
    })
}

/// The eigenvalues of a Hermitian matrix in their order, and the vectors, if there is room for them, by the plain
/// algorithm. The matrix is gone then. `false` if it has no end.
fn diagonalise<W: Number>(a: &mut [W], v: &mut [W], n: usize, values: &mut [f64], order: &mut [usize]) -> bool {
    identity(v, n);
    if !jacobi(a, v, n) {
        return false;
    }
    for (i, (place, value)) in order.iter_mut().zip(values.iter_mut()).enumerate() {
        (*place, *value) = (i, a[i * n + i].real_part());
    }
    // In place: equal values keep their order by their places.
    order.sort_unstable_by(|&i, &j| values[i].total_cmp(&values[j]).then(i.cmp(&j)));
    values.sort_unstable_by(f64::total_cmp);
    if !v.is_empty() {
        for (column, &j) in a.chunks_exact_mut(n).zip(&*order) {
            column.copy_from_slice(&v[j * n..][..n]);
        }
        v.copy_from_slice(a);
    }
    true
}

/// Makes a matrix Hermitian after its lower triangle.
fn complete<W: Number>(a: &mut [W], n: usize) {
    for j in 0..n {
        a[j * n + j] = W::of_real(a[j * n + j].real_part());
        for i in j + 1..n {
            a[i * n + j] = a[j * n + i].conjugate();
        }
    }
}

/// Turns a Hermitian matrix into a diagonal one by rotations, cyclically, and multiplies `v` by them, unless it is
/// empty. `false` if that has no end, which nobody has seen.
pub(super) fn jacobi<W: Number>(a: &mut [W], v: &mut [W], n: usize) -> bool {
    const SWEEPS: usize = 100;
    let norm = verify::norm(a);
    // Less than this, compared with the whole, does not show, whatever is beside it.
    let nothing = norm * 1e-25;
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for q in 1..n {
            for p in 0..q {
                let across = a[q * n + p];
                let (first, second) = (a[p * n + p].real_part(), a[q * n + q].real_part());
                let modulus = across.modulus();
                if modulus <= nothing || modulus <= verify::EPSILON * 0.25 * first.abs().min(second.abs()) {
                    continue;
                }
                rotated = true;
                let (t, c, s) = rotation(first, second, modulus);
                // What turns the element across to its modulus.
                let phase = across.over(W::of_real(modulus)).conjugate();
                let (sine, cosine) = (phase.times(s), phase.times(c));
                rotate(a, n, p, q, c, s, sine, cosine);
                for i in 0..n {
                    a[i * n + p] = a[p * n + i].conjugate();
                    a[i * n + q] = a[q * n + i].conjugate();
                }
                a[p * n + p] = W::of_real(first - t * modulus);
                a[q * n + q] = W::of_real(second + t * modulus);
                a[q * n + p] = W::NOUGHT;
                a[p * n + q] = W::NOUGHT;
                if !v.is_empty() {
                    rotate(v, n, p, q, c, s, sine, cosine);
                }
            }
        }
        if !rotated {
            return true;
        }
    }
    false
}

/// The tangent, cosine and sine of the smaller rotation that makes [[a, x], [x, b]] diagonal, for an x above 0.
#[inline(always)]
pub(super) fn rotation(a: f64, b: f64, x: f64) -> (f64, f64, f64) {
    let theta = (b - a) / (2.0 * x);
    // Where the square overflows, the root is the number itself.
    let root = if theta.abs() < 1e150 { (theta * theta + 1.0).sqrt() } else { theta.abs() };
    let t = 1.0 / (theta.abs() + root);
    let t = if theta < 0.0 { -t } else { t };
    let c = 1.0 / (t * t + 1.0).sqrt();
    (t, c, t * c)
}

/// Column p becomes c·p - sine·q, column q becomes s·p + cosine·q.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the numbers of one rotation")]
pub(super) fn rotate<W: Number>(a: &mut [W], rows: usize, p: usize, q: usize, c: f64, s: f64, sine: W, cosine: W) {
    let (left, right) = a.split_at_mut(q * rows);
    for (x, y) in left[p * rows..][..rows].iter_mut().zip(&mut right[..rows]) {
        (*x, *y) = (x.times(c) - sine * *y, x.times(s) + cosine * *y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::verify::tests::{both, matrices};

    #[test]
    fn the_plain_algorithm_is_right_for_large_matrices_too() {
        both!(W => for n in [1, 7, 20, 40] {
            for mut a in matrices::<W>(n, n) {
                complete(&mut a, n);
                let (mut work, mut v, mut room) = (a.clone(), a.clone(), vec![W::NOUGHT; 4 * n]);
                let (mut values, mut order) = (vec![0.0; n], vec![0; n]);
                assert!(diagonalise(&mut work, &mut v, n, &mut values, &mut order));
                assert!(verify::eigh(&a, &values, Some(&v), n, &mut room));
                assert!(verify::eigh(&a, &values, None, n, &mut room));
                // What is wrong is noticed.
                v[n * n - 1] += W::of_real(1e-9);
                assert!(!verify::eigh(&a, &values, Some(&v), n, &mut room));
                v[n * n - 1] -= W::of_real(1e-9);
                values[n - 1] += 1e-9 * verify::norm(&a).max(1.0);
                assert!(!verify::eigh(&a, &values, Some(&v), n, &mut room));
                assert!(!verify::eigh(&a, &values, None, n, &mut room));
            }
        });
    }

    #[test]
    fn reflections_and_rotations_are_right_and_the_same_at_each_level() {
        both!(W => for n in [2, 6, 8, 9, 20, 33, 40, 70] {
            for mut a in matrices::<W>(n, n) {
                complete(&mut a, n);
                let found = Level::ALL.map(|level| {
                    let mut reflected = Reflected::<W>::new(&Ctx::new().simd_at_most(level), n).unwrap();
                    let (mut values, mut v, mut order) = (vec![0.0; n], a.clone(), vec![0; n]);
                    assert!(reflected.decompose(&a, &mut values, &mut v, &mut order));
                    assert!(verify::eigh(&a, &values, Some(&v), n, &mut vec![W::NOUGHT; 4 * n]));
                    (values, v)
                });
                assert!(found.iter().all(|one| *one == found[0]));
            }
        });
    }

    #[test]
    fn rotations_without_an_end_are_noticed() {
        both!(W => for n in [6, 40] {
            let (mut values, mut v, mut order) = (vec![0.0; n], vec![W::NOUGHT; n * n], vec![0; n]);
            let mut reflected = Reflected::<W>::new(&Ctx::new(), n).unwrap();
            assert!(!reflected.decompose(&vec![W::NOT_A_NUMBER; n * n], &mut values, &mut v, &mut order));
        });
    }

    #[test]
    fn vectors_of_equal_values_have_length_1() {
        // Values that are equal but for rounding take the most rotations.
        both!(W => for (n, values) in [(if W::COMPLEX { 135 } else { 190 }, [1.0, 1.0]), (64, [1.0, 0.5])] {
            let mut q = verify::tests::orthogonal::<W>(n);
            let mut a = verify::tests::with_values(&q, n, values);
            complete(&mut a, n);
            let mut reflected = Reflected::<W>::new(&Ctx::new(), n).unwrap();
            let (mut values, mut order) = (vec![0.0; n], vec![0; n]);
            assert!(reflected.decompose(&a, &mut values, &mut q, &mut order));
            assert!(verify::tests::skew(&q, n) < verify::tests::skew_allowed(n));
        });
    }
}
