//! Balancing: a permutation that shows which eigenvalues stand on the diagonal, and a diagonal similarity that brings rows and
//! columns to sizes alike, so that small eigenvalues of badly scaled matrices are not lost in the rounding of large elements.

use std::ops::Range;

use strictarray_core::Complex;

use super::matrix::Number;
use super::scale::{self, Power};
use super::verify;

type C = Complex<f64>;

/// A similarity by a permutation P and a diagonal D of powers of two: A becomes D⁻¹PᵀAPD.
pub(super) struct Similarity<'a> {
    /// Which row and column of A stands there.
    pub(super) order: &'a mut [usize],
    /// The exponents of D.
    pub(super) exponents: &'a mut [i32],
}

impl Similarity<'_> {
    /// Balances a matrix, and says whether that changed it.
    pub(super) fn balance<W: Number>(&mut self, a: &mut [W]) -> bool {
        let n = self.order.len();
        self.exponents.fill(0);
        let [low, high] = self.isolate(a);
        self.scale_block(a, [low, high]);
        self.scale_beside(a, [low, high]);
        self.exponents.iter().any(|e| *e != 0) || (0..n).any(|i| self.order[i] != i)
    }

    /// Brings rows and columns to the ends that have nothing but 0 beside the diagonal in what is left: there the matrix is
    /// triangular, and its diagonal elements are eigenvalues as they are. Gives the bounds of the block between.
    fn isolate<W: Number>(&mut self, a: &mut [W]) -> [usize; 2] {
        let n = self.order.len();
        self.order.iter_mut().enumerate().for_each(|(i, place)| *place = i);
        let (mut low, mut high) = (0, n);
        let alone = |a: &[W], i: usize, range: [usize; 2], row: bool| {
            let at = |j: usize| if row { a[j * n + i] } else { a[i * n + j] };
            (range[0]..range[1]).all(|j| j == i || at(j).magnitude() == 0.0)
        };
        while let Some(i) = (low..high).rev().find(|&i| alone(a, i, [low, high], true)) {
            high -= 1;
            self.exchange(a, i, high);
        }
        while let Some(i) = (low..high).find(|&i| alone(a, i, [low, high], false)) {
            self.exchange(a, i, low);
            low += 1;
        }
        [low, high]
    }

    /// Exchanges two rows, and the columns.
    fn exchange<W: Number>(&mut self, a: &mut [W], i: usize, j: usize) {
        let n = self.order.len();
        if i != j {
            self.order.swap(i, j);
            a.chunks_exact_mut(n).for_each(|column| column.swap(i, j));
            (0..n).for_each(|row| a.swap(i * n + row, j * n + row));
        }
    }

    /// Scales rows and columns of the block until all are balanced.
    fn scale_block<W: Number>(&mut self, a: &mut [W], [low, high]: [usize; 2]) {
        let n = self.order.len();
        // Chains of elements that grow one way and shrink the other take about n² / 2 passes. With so many they take up to
        // fifteen times as long as what follows (n from 100 to 400), which LAPACK does not limit.
        let passes = 50 + 30 * n;
        for _ in 0..passes {
            let mut changed = false;
            for i in low..high {
                // Euclidean norms with the diagonal: by sums of magnitudes without it matrices are spoilt that need no balancing.
                let column = norm(low..high, |j| a[i * n + j]);
                let row = norm(low..high, |j| a[j * n + i]);
                // There is none where all elements vanished.
                let (Some(column), Some(row)) = (column, row) else { continue };
                let by = (row.1 - column.1) / 2;
                let unit = row.1.max(column.1);
                let size = |(x, exponent): (f64, i32), by: i32| Power::new(exponent + by - unit).times(x);
                // Only where it is worth it: a matrix that is balanced is left as it is.
                if size(column, by) + size(row, -by) >= 0.95 * (size(column, 0) + size(row, 0)) {
                    continue;
                }
                let (up, down) = (Power::new(by), Power::new(-by));
                changed = true;
                self.exponents[i] += by;
                for j in (low..high).filter(|j| *j != i) {
                    a[i * n + j] = up.times(a[i * n + j]);
                    a[j * n + i] = down.times(a[j * n + i]);
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// Scales what is above the block and right of it as the block was, and so that it is not larger.
    fn scale_beside<W: Number>(&mut self, a: &mut [W], [low, high]: [usize; 2]) {
        let n = self.order.len();
        let block = (low..high).flat_map(|j| &a[j * n..][low..high]).fold(0.0, |most: f64, x| most.max(x.magnitude()));
        if block == 0.0 {
            return;
        }
        let above = |a: &[W], rows: Range<usize>, j: usize| {
            let there = rows.map(|i| (a[j * n + i].magnitude(), i)).filter(|(x, _)| *x > 0.0);
            there.map(|(x, i)| scale::exponent(x) + self.exponents[j] - self.exponents[i]).max()
        };
        let beyond = |most: Option<i32>| most.map_or(0, |most| (most - scale::exponent(block)).max(0));
        let first = beyond((low..high).filter_map(|j| above(a, 0..low, j)).max());
        let last = -beyond((high..n).filter_map(|j| above(a, low..high, j)).max());
        self.exponents[..low].fill(first);
        self.exponents[high..].fill(last);
        for j in low..n {
            for i in 0..high.min(j) {
                if i < low || j >= high {
                    a[j * n + i] = Power::new(self.exponents[j] - self.exponents[i]).times(a[j * n + i]);
                }
            }
        }
    }

    /// Makes eigenvectors of A of those of the balanced matrix: of any length.
    pub(super) fn undo(&self, v: &mut [C], room: &mut [C]) {
        let n = self.order.len();
        let room = &mut room[..n];
        for column in v.chunks_exact_mut(n.max(1)) {
            // Exponents may differ by more than those of numbers do: what is then the largest element remains.
            let there = column.iter().zip(&*self.exponents).filter(|(x, _)| x.magnitude() != 0.0);
            let Some(most) = there.map(|(x, e)| e + scale::exponent(x.magnitude())).max() else { continue };
            for ((x, e), place) in column.iter().zip(&*self.exponents).zip(&*self.order) {
                room[*place] = Power::new(e - most).times(*x);
            }
            column.copy_from_slice(room);
        }
    }
}

/// The Euclidean norm of some numbers that are not all 0: from 1 to 2, and the exponent of the power of two to multiply it by.
fn norm<W: Number>(places: Range<usize>, at: impl Fn(usize) -> W) -> Option<(f64, i32)> {
    let most = places.clone().fold(0.0, |most: f64, j| most.max(at(j).magnitude()));
    let unit = scale::exponent(most);
    let down = Power::new(-unit);
    let norm = places.map(|j| down.times(at(j)).square()).sum::<f64>().sqrt();
    let beyond = scale::exponent(norm);
    (most > 0.0).then(|| (Power::new(-beyond).times(norm), unit + beyond))
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
        let (mut order, mut exponents) = ([0, 1, 2], [2000, 0, -1]);
        let similarity = Similarity { order: &mut order, exponents: &mut exponents };
        similarity.undo(&mut v, &mut [C::NOUGHT; 3]);
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
