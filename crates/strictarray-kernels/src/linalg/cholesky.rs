//! The decomposition LLᴴ of positive definite matrices.

use faer::dyn_stack::MemStack;
use faer::linalg::cholesky::llt::factor;
use faer::{MatMut, Par};
use strictarray_core::{Operand, Result};
use strictarray_standard::rule;

use super::matrix::{Fault, Number, for_each};
use super::scale::{self, Power};
use super::verify;
use crate::Ctx;
use crate::scratch::Scratch;

/// Up to this size the plain algorithm is the faster one.
const SMALL: usize = 32;

pub(super) fn cholesky<W: Number>(
    ctx: &Ctx<'_>,
    out: &Operand<'_>,
    x: &Operand<'_>,
    upper: bool,
    n: usize,
) -> Result<()> {
    let size = super::elements(n, n)?;
    let large = n > SMALL;
    let mut matrix = Scratch::filled(ctx, size, W::NOUGHT)?;
    let mut original = Scratch::filled(ctx, if large { size } else { 0 }, W::NOUGHT)?;
    let mut probes = Scratch::filled(ctx, if large { 4 * n } else { 0 }, W::NOUGHT)?;
    let stack = factor::cholesky_in_place_scratch::<W>(n, Par::Seq, Default::default());
    let mut stack = Scratch::<u8>::new(ctx, if large { stack.unaligned_bytes_required() } else { 0 })?;
    let cost = n.saturating_mul(n).saturating_mul(n) / 8 + 64;
    for_each(ctx, [(out, 2), (x, 2)], cost, |[out, x]| {
        // SAFETY: the operands' elements are computed in W; scratch memory is set.
        let (l, original, probes) = unsafe {
            // The upper triangle is the lower one of the transpose, conjugated, and so is the result.
            (if upper { x.transposed() } else { x }).load(matrix.values());
            (matrix.values(), original.values(), probes.values())
        };
        for j in 0..n {
            l[j * n..][..j].fill(W::NOUGHT);
            l[j * n + j] = W::of_real(l[j * n + j].real_part());
            if upper && W::COMPLEX {
                l[j * n..][..n].iter_mut().for_each(|x| *x = x.conjugate());
            }
        }
        let refused = |why: String| Err(Fault::Refused(&rule::NOT_POSITIVE_DEFINITE, format!("a matrix {why}")));
        let Some(largest) = scale::largest(l) else {
            return refused("with a value that is not finite".into());
        };
        // Tiny numbers gain from being larger, and lose nothing. An even power has a root.
        let e = scale::exponent(largest);
        let half = if e < -400 { -e / 2 } else { 0 };
        Power::new(2 * half).scale(l);
        let mut done = false;
        if large {
            original.copy_from_slice(l);
            let result = super::library(|| {
                factor::cholesky_in_place(
                    MatMut::from_column_major_slice_mut(&mut *l, n, n),
                    Default::default(),
                    Par::Seq,
                    MemStack::new(stack.room()),
                    Default::default(),
                )
            });
            // The triangle above may have been written, and imaginary parts be left on the diagonal.
            for j in 0..n {
                l[j * n..][..j].fill(W::NOUGHT);
                l[j * n + j] = W::of_real(l[j * n + j].real_part());
            }
            done = matches!(result, Some(Ok(_))) && verify::cholesky(original, l, n, probes);
            if !done {
                l.copy_from_slice(original);
            }
        }
        if !done && let Err(k) = decompose(l, n) {
            return refused(format!("whose leading minor of order {} is not positive", k + 1));
        }
        Power::new(-half).scale(l);
        if upper && W::COMPLEX {
            l.iter_mut().for_each(|x| *x = x.conjugate());
        }
        // SAFETY: as above.
        unsafe { (if upper { out.transposed() } else { out }).store(l) };
        Ok(())
    })
}

/// Decomposes a lower triangle in place; the place of a pivot that is not positive is an error.
fn decompose<W: Number>(a: &mut [W], n: usize) -> Result<(), usize> {
    for k in 0..n {
        let (left, right) = a.split_at_mut((k + 1) * n);
        let (pivot, below) = left[k * n + k..].split_at_mut(1);
        let square = pivot[0].real_part();
        if square <= 0.0 || !square.is_finite() {
            return Err(k);
        }
        let root = square.sqrt();
        pivot[0] = W::of_real(root);
        for x in below.iter_mut() {
            *x = W::of_parts(x.real_part() / root, x.imaginary_part() / root);
        }
        for (j, column) in right.chunks_exact_mut(n).enumerate() {
            let factor = below[j].conjugate();
            for (x, &l) in column[k + 1 + j..].iter_mut().zip(&below[j..]) {
                *x = x.less(l, factor);
            }
            // Of a product with its own conjugate nothing imaginary is left.
            column[k + 1 + j] = W::of_real(column[k + 1 + j].real_part());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::verify::tests::{both, matrices};

    #[test]
    fn the_plain_algorithm_is_right_for_large_matrices_too() {
        both!(W => for n in [1, 7, 20, 40] {
            for b in matrices::<W>(n, n) {
                // BᴴB + 1.
                let column = |j: usize| &b[j * n..][..n];
                let mut a: Vec<W> = (0..n * n).map(|k| verify::dot(column(k % n), column(k / n))).collect();
                (0..n).for_each(|k| a[k * n + k] += W::UNIT);
                let (mut l, mut room) = (a.clone(), vec![W::NOUGHT; 4 * n]);
                assert!(decompose(&mut l, n).is_ok());
                assert!(verify::cholesky(&a, &l, n, &mut room));
                // What is wrong is noticed.
                l[n * n - 1] += W::of_real(1e-9 * verify::norm(&a));
                assert!(!verify::cholesky(&a, &l, n, &mut room));
            }
        });
    }
}
