//! Balancing: a diagonal similarity that brings rows and columns to sizes alike, so that small eigenvalues of badly scaled
//! matrices are not lost in the rounding of large elements.

use strictarray_core::Complex;

use super::matrix::Number;
use super::scale::{self, Power};
use super::verify;

type C = Complex<f64>;

/// Makes D⁻¹AD of A, where D is diagonal and holds powers of two, whose exponents are given. Says whether D is more than the
/// identity.
pub(super) fn balance<W: Number>(a: &mut [W], exponents: &mut [i32], n: usize) -> bool {
    /// More passes than any matrix has been seen to need.
    const PASSES: usize = 50;
    exponents.fill(0);
    for _ in 0..PASSES {
        let mut changed = false;
        for i in 0..n {
            let (mut column, mut row) = (0.0, 0.0);
            for j in (0..n).filter(|j| *j != i) {
                column += a[i * n + j].magnitude();
                row += a[j * n + i].magnitude();
            }
            if column == 0.0 || row == 0.0 {
                continue;
            }
            let by = (scale::exponent(row) - scale::exponent(column)) / 2;
            let (up, down) = (Power::new(by), Power::new(-by));
            // Only where it is worth it: a matrix that is balanced is left as it is.
            if up.times(column) + down.times(row) >= 0.95 * (column + row) {
                continue;
            }
            changed = true;
            exponents[i] += by;
            for j in (0..n).filter(|j| *j != i) {
                a[i * n + j] = up.times(a[i * n + j]);
                a[j * n + i] = down.times(a[j * n + i]);
            }
        }
        if !changed {
            break;
        }
    }
    exponents.iter().any(|e| *e != 0)
}

/// Makes eigenvectors of A of those of D⁻¹AD: of any length.
pub(super) fn undo(v: &mut [C], exponents: &[i32]) {
    let Some(most) = exponents.iter().max() else { return };
    for column in v.chunks_exact_mut(exponents.len()) {
        for (x, e) in column.iter_mut().zip(exponents) {
            *x = Power::new(e - most).times(*x);
        }
    }
}

/// Whether these are eigenvalues and eigenvectors, as near as rounding of a matrix of this size allows: each is looked at.
/// Balancing serves eigenvalues, but may spoil the vectors of a matrix that rounding has already blurred.
pub(super) fn holds<W: Number>(a: &[W], values: &[C], v: &[C], n: usize, room: &mut [C]) -> bool {
    let limit = 10.0 * verify::EPSILON * n as f64 * verify::norm(a);
    let rest = &mut room[..n];
    v.chunks_exact(n.max(1)).zip(values).all(|(x, &value)| {
        for (rest, &x) in rest.iter_mut().zip(x) {
            *rest = -(value * x);
        }
        for (column, &x) in a.chunks_exact(n).zip(x) {
            for (rest, &a) in rest.iter_mut().zip(column) {
                *rest += C::new(a.real_part(), a.imaginary_part()) * x;
            }
        }
        verify::norm(rest) <= limit
    })
}
