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
            let alone = |at: &dyn Fn(usize) -> W| (0..n).filter(|j| *j != i).all(|j| at(j).magnitude() == 0.0);
            let (of_column, of_row) = (|j: usize| a[i * n + j], |j: usize| a[j * n + i]);
            if alone(&of_column) || alone(&of_row) {
                continue;
            }
            // Euclidean norms with the diagonal: by sums of magnitudes without it matrices are spoilt that need no balancing.
            let (column, row) = (norm(n, of_column), norm(n, of_row));
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

/// The Euclidean norm of so many numbers, whose squares may overflow or vanish.
fn norm<W: Number>(n: usize, at: impl Fn(usize) -> W) -> f64 {
    let most = (0..n).fold(0.0, |most: f64, j| most.max(at(j).magnitude()));
    let exponent = scale::exponent(most);
    let (down, up) = (Power::new(-exponent), Power::new(exponent));
    up.times((0..n).map(|j| down.times(at(j)).square()).sum::<f64>().sqrt())
}

/// Makes eigenvectors of A of those of D⁻¹AD: of any length.
pub(super) fn undo(v: &mut [C], exponents: &[i32]) {
    for column in v.chunks_exact_mut(exponents.len().max(1)) {
        // Exponents may differ by more than those of numbers do: what is then the largest element remains.
        let there = column.iter().zip(exponents).filter(|(x, _)| x.magnitude() != 0.0);
        let Some(most) = there.map(|(x, e)| e + scale::exponent(x.magnitude())).max() else { continue };
        for (x, e) in column.iter_mut().zip(exponents) {
            *x = Power::new(e - most).times(*x);
        }
    }
}

/// Whether these are eigenvalues and eigenvectors of norm 1, as near as rounding of a matrix of this size allows: each is
/// looked at, a value times the unit that all are given in. Balancing serves eigenvalues, but may spoil the vectors of a
/// matrix that rounding has already blurred.
pub(super) fn holds<W: Number>(a: &[W], values: &[C], unit: Power, v: &[C], n: usize, room: &mut [C]) -> bool {
    let limit = 10.0 * verify::EPSILON * n as f64 * verify::norm(a);
    let rest = &mut room[..n];
    v.chunks_exact(n.max(1)).zip(values).all(|(x, &value)| {
        let value = unit.times(value);
        for (rest, &x) in rest.iter_mut().zip(x) {
            *rest = -(value * x);
        }
        for (column, &x) in a.chunks_exact(n).zip(x) {
            for (rest, &a) in rest.iter_mut().zip(column) {
                *rest += C::new(a.real_part(), a.imaginary_part()) * x;
            }
        }
        verify::norm(rest) <= limit && verify::is_unit(x)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_keep_their_largest_elements() {
        // Where the exponent is largest there is nothing, or little.
        let of = C::of_real;
        let mut v = [of(0.0), of(3.0), C::new(0.0, -1.0), of(1e-300), of(1.0), of(0.0), of(0.0), of(0.0), of(0.0)];
        undo(&mut v, &[2000, 0, -1]);
        assert_eq!(v[..3], [of(0.0), of(1.5), C::new(0.0, -0.25)]);
        assert!(v[3].re >= 1.0 && v[3].re < 2.0);
        assert!(v[4].re > 0.0 && v[4].re < 1e-300);
        assert_eq!(v[5..], [of(0.0); 4]);
    }

    #[test]
    fn what_is_no_eigenvector_is_noticed() {
        let a = [1.0, 0.0, 0.0, 2.0];
        let values = [1.0, 2.0].map(C::of_real);
        let is_right = |v: [f64; 4]| holds(&a, &values, Power::ONE, &v.map(C::of_real), 2, &mut [C::NOUGHT; 2]);
        assert!(is_right([1.0, 0.0, 0.0, -1.0]));
        assert!(!is_right([0.0, 1.0, 0.0, -1.0]));
        // Of what is 0 or short little is left, too.
        assert!(!is_right([0.0, 0.0, 0.0, 1.0]) && !is_right([1.0, 0.0, 0.0, 1e-20]) && !is_right([f64::NAN; 4]));
    }
}
