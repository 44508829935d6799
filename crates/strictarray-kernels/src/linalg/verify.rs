//! Whether a decomposition that the library made is one: looked at from one direction, which costs n² operations. A fault
//! shows in every direction but for those of a plane.

use super::matrix::Number;

/// A rounding.
pub(super) const EPSILON: f64 = f64::EPSILON / 2.0;

/// Numbers of irregular size and sign between 1/2 and 1 or their opposites, always the same ones.
pub(super) fn probe<W: Number>(x: &mut [W]) {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // 52 bits of it as a number from 1 to 2.
        let x = f64::from_bits(state >> 12 | 0x3FF0_0000_0000_0000) - 1.5;
        if x < 0.0 { x - 0.5 } else { x + 0.5 }
    };
    x.iter_mut().for_each(|x| *x = W::of_parts(next(), if W::COMPLEX { next() } else { 0.0 }));
}

/// y += a·x, of columns.
fn add<W: Number>(y: &mut [W], a: W, x: &[W]) {
    y.iter_mut().zip(x).for_each(|(y, &x)| *y += a * x);
}

/// The lower triangle of a column-major matrix times x: with `units` on its diagonal instead of what is there.
fn lower<W: Number>(a: &[W], n: usize, x: &[W], y: &mut [W], units: bool) {
    y.fill(W::NOUGHT);
    for (k, column) in a.chunks_exact(n).enumerate() {
        add(&mut y[k + 1..], x[k], &column[k + 1..]);
        y[k] += if units { x[k] } else { column[k] * x[k] };
    }
}

/// Whether PA = LU, up to roundings.
pub(super) fn lu<W: Number>(a: &[W], factors: &[W], rows: &[usize], room: &mut [W]) -> bool {
    let n = rows.len();
    let [x, ux, lux, ax] = split(room, n);
    probe(x);
    ux.fill(W::NOUGHT);
    ax.fill(W::NOUGHT);
    // How large the numbers are that were added up.
    let (mut most, mut size) = (0.0f64, 0.0f64);
    for (k, (column, of_a)) in factors.chunks_exact(n).zip(a.chunks_exact(n)).enumerate() {
        add(&mut ux[..=k], x[k], &column[..=k]);
        add(ax, x[k], of_a);
        size = size.max(sum(&column[..=k]));
        most = most.max(1.0 + sum(&column[k + 1..]));
    }
    lower(factors, n, ux, lux, true);
    let bound = 16.0 * EPSILON * n as f64 * size * most;
    rows.iter().zip(&*lux).all(|(&i, &y)| (ax[i] - y).magnitude() <= bound)
}

/// Whether A = LLᴴ, of which there are the lower triangles, up to roundings.
pub(super) fn cholesky<W: Number>(a: &[W], l: &[W], n: usize, room: &mut [W]) -> bool {
    let [x, y, llx, ax] = split(room, n);
    probe(x);
    for (y, (k, column)) in y.iter_mut().zip(l.chunks_exact(n).enumerate()) {
        *y = dot(&column[k..], &x[k..]);
    }
    lower(l, n, y, llx, false);
    lower(a, n, x, ax, false);
    for (k, column) in a.chunks_exact(n).enumerate() {
        ax[k] += dot(&column[k + 1..], &x[k + 1..]);
    }
    let trace = (0..n).map(|k| a[k * n + k].real_part()).sum::<f64>();
    let bound = 32.0 * EPSILON * n as f64 * trace;
    ax.iter().zip(&*llx).all(|(&a, &b)| (a - b).magnitude() <= bound)
}

/// The sum of conjugates of a times b.
pub(super) fn dot<W: Number>(a: &[W], b: &[W]) -> W {
    a.iter().zip(b).fold(W::NOUGHT, |sum, (&a, &b)| sum + a.conjugate() * b)
}

fn sum<W: Number>(values: &[W]) -> f64 {
    values.iter().map(|x| x.real_part().abs() + x.imaginary_part().abs()).sum()
}

/// Room for some vectors.
fn split<W, const N: usize>(room: &mut [W], n: usize) -> [&mut [W]; N] {
    let mut rest = room;
    std::array::from_fn(|_| {
        let (vector, left) = std::mem::take(&mut rest).split_at_mut(n);
        rest = left;
        vector
    })
}
