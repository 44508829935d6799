//! Whether a decomposition that the library made is one: looked at from one direction, which costs n² operations. A
//! fault shows in every direction but for those of a hyperplane. Where there are no vectors to look at, of eigenvalues and
//! singular values alone, only sums are compared: faults that leave them as they are do not show.

use strictarray_core::Complex;

use super::matrix::Number;

type C = Complex<f64>;

/// A rounding.
pub(super) const EPSILON: f64 = f64::EPSILON / 2.0;

/// Numbers of irregular size and sign between 1/2 and 1 or their opposites, always the same ones.
fn irregular<W: Number>() -> impl FnMut() -> W {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // 52 bits of it as a number from 1 to 2.
        let x = f64::from_bits(state >> 12 | 0x3FF0_0000_0000_0000) - 1.5;
        if x < 0.0 { x - 0.5 } else { x + 0.5 }
    };
    move || W::of_parts(next(), if W::COMPLEX { next() } else { 0.0 })
}

/// Sets a vector to such numbers.
pub(super) fn probe<W: Number>(x: &mut [W]) {
    let mut next = irregular();
    x.iter_mut().for_each(|x| *x = next());
}

/// y += a·x, of columns.
pub(super) fn add<W: Number>(y: &mut [W], a: W, x: &[W]) {
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

/// Whether PA = LU, up to roundings. The room is for four vectors, that for sizes for two.
pub(super) fn lu<W: Number>(a: &[W], factors: &[W], rows: &[usize], room: &mut [W], sizes: &mut [f64]) -> bool {
    let n = rows.len();
    let [x, ux, lux, ax] = split(room, n);
    let [most, bound] = split(sizes, n);
    most.fill(0.0);
    for (k, column) in factors.chunks_exact(n).enumerate() {
        raise(&mut most[..=k], &column[..=k]);
    }
    probe(x);
    // Sums of what is nearly too large for a number are of smaller numbers.
    if most.iter().any(|&most| most > 1e290) {
        let less = 2f64.powi(-64);
        x.iter_mut().for_each(|x| *x = x.times(less));
        most.iter_mut().for_each(|most| *most *= less);
    }
    ux.fill(W::NOUGHT);
    ax.fill(W::NOUGHT);
    // What products below all numbers lose is allowed, too.
    bound.fill(f64::MIN_POSITIVE * n as f64);
    for (k, (column, of_a)) in factors.chunks_exact(n).zip(a.chunks_exact(n)).enumerate() {
        add(&mut ux[..=k], x[k], &column[..=k]);
        add(ax, x[k], of_a);
        bound[k] += most[k];
        for (bound, l) in bound[k + 1..].iter_mut().zip(&column[k + 1..]) {
            *bound += l.magnitude() * most[k];
        }
    }
    lower(factors, n, ux, lux, true);
    // An element of LU has up to n roundings of |L||U|, mostly √n, and the product of a row of them with x, whose signs
    // are irregular, √n times that of one. A bound that is not finite bounds nothing.
    let roundings = 8.0 * EPSILON * n as f64;
    rows.iter()
        .zip(&*lux)
        .zip(&*bound)
        .all(|((&i, &y), &bound)| bound < f64::INFINITY && (ax[i] - y).magnitude() <= roundings * bound)
}

/// Whether AX = B, up to roundings of |A||X| and |B|: looked at in one combination of the columns. Without B it is the
/// identity. The room is for three vectors, that for sizes for two.
pub(super) fn solution<W: Number>(
    a: &[W],
    x: &[W],
    b: Option<&[W]>,
    n: usize,
    room: &mut [W],
    sizes: &mut [f64],
) -> bool {
    let [xw, bw, axw] = split(room, n);
    let [of_x, bound] = split(sizes, n);
    xw.fill(W::NOUGHT);
    bw.fill(W::NOUGHT);
    // What products below all numbers lose is allowed, too.
    of_x.fill(f64::MIN_POSITIVE);
    bound.fill(f64::MIN_POSITIVE);
    let mut next = irregular::<W>();
    for (j, x) in x.chunks_exact(n).enumerate() {
        let w = next();
        add(xw, w, x);
        of_x.iter_mut().zip(x).for_each(|(size, x)| *size += x.magnitude());
        match b {
            Some(b) => {
                let b = &b[j * n..][..n];
                add(bw, w, b);
                bound.iter_mut().zip(b).for_each(|(size, b)| *size += b.magnitude());
            }
            None => {
                bw[j] = w;
                bound[j] += 1.0;
            }
        }
    }
    axw.fill(W::NOUGHT);
    for ((column, &x), &size) in a.chunks_exact(n).zip(&*xw).zip(&*of_x) {
        add(axw, x, column);
        bound.iter_mut().zip(column).for_each(|(bound, a)| *bound += a.magnitude() * size);
    }
    // Pivoting mixes rows: the errors are small beside the largest of them.
    let bound = bound.iter().fold(0.0f64, |most, &bound| most.max(bound));
    let limit = 16.0 * EPSILON * n as f64 * bound;
    limit < f64::INFINITY && axw.iter().zip(&*bw).all(|(&x, &b)| (x - b).magnitude() <= limit)
}

/// Raises each number to the magnitude of another, if that is larger.
fn raise<W: Number>(most: &mut [f64], x: &[W]) {
    for (most, x) in most.iter_mut().zip(x) {
        let magnitude = x.magnitude();
        if magnitude > *most {
            *most = magnitude;
        }
    }
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

/// Sums that are made side by side: no one waits for the one before.
const SIDE_BY_SIDE: usize = 8;

/// The sum of conjugates of a times b.
pub(super) fn dot<W: Number>(a: &[W], b: &[W]) -> W {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut sums = [W::NOUGHT; SIDE_BY_SIDE];
    let (blocks, others) = (a.chunks_exact(SIDE_BY_SIDE), b.chunks_exact(SIDE_BY_SIDE));
    let rest = blocks.remainder().iter().zip(others.remainder());
    let rest = rest.fold(W::NOUGHT, |sum, (&a, &b)| sum + a.conjugate() * b);
    for (a, b) in blocks.zip(others) {
        for (sum, (&a, &b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a.conjugate() * b;
        }
    }
    sums.into_iter().fold(rest, |sum, x| sum + x)
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

/// The Frobenius norm of numbers whose squares are numbers.
pub(super) fn norm<W: Number>(values: &[W]) -> f64 {
    let blocks = values.chunks_exact(SIDE_BY_SIDE);
    let rest: f64 = blocks.remainder().iter().map(|x| x.square()).sum();
    let mut sums = [0.0; SIDE_BY_SIDE];
    for block in blocks {
        sums.iter_mut().zip(block).for_each(|(sum, x)| *sum += x.square());
    }
    (rest + sums.into_iter().sum::<f64>()).sqrt()
}

/// Whether the norm is 1, but for roundings.
pub(super) fn is_unit(x: &[C]) -> bool {
    (norm(x) - 1.0).abs() < 1e-12
}

/// y = Ax, of a matrix with as many rows as y.
fn multiply<W: Number>(a: &[W], x: &[W], y: &mut [W]) {
    y.fill(W::NOUGHT);
    for (column, &x) in a.chunks_exact(y.len().max(1)).zip(x) {
        add(y, x, column);
    }
}

/// y = Aᴴx, of a matrix with as many rows as x.
fn multiply_adjoint<W: Number>(a: &[W], x: &[W], y: &mut [W]) {
    for (column, y) in a.chunks_exact(x.len().max(1)).zip(y) {
        *y = dot(column, x);
    }
}

/// Whether two vectors differ by as much as n roundings of numbers of this size can make, or less. A NaN differs.
fn close<W: Number>(x: &[W], y: &[W], n: usize, size: f64) -> bool {
    let distance = x.iter().zip(y).map(|(&x, &y)| (x - y).square()).sum::<f64>().sqrt();
    distance <= 16.0 * EPSILON * n as f64 * size
}

/// Whether the columns of a matrix, `rows` long, are orthonormal. The room is for three vectors.
fn orthonormal<W: Number>(q: &[W], rows: usize, room: &mut [W]) -> bool {
    let width = q.len() / rows.max(1);
    let [x, qx, back] = split(room, rows.max(width));
    let (x, qx, back) = (&mut x[..width], &mut qx[..rows], &mut back[..width]);
    probe(x);
    multiply(q, x, qx);
    multiply_adjoint(q, qx, back);
    close(x, back, rows, norm(x))
}

/// Whether A = QR and Q has orthonormal columns.
pub(super) fn qr<W: Number>(a: &[W], q: &[W], r: &super::qr::R<'_, W>, room: &mut [W]) -> bool {
    let (rows, columns, width) = r.sizes();
    let [x, ax, rx, qrx] = split(room, rows.max(columns).max(width));
    let (x, ax, rx, qrx) = (&mut x[..columns], &mut ax[..rows], &mut rx[..width], &mut qrx[..rows]);
    probe(x);
    multiply(a, x, ax);
    rx.fill(W::NOUGHT);
    for (j, &x) in x.iter().enumerate() {
        let column = r.scaled_column(j);
        add(&mut rx[..column.len()], x, column);
    }
    multiply(q, rx, qrx);
    close(ax, qrx, rows.max(columns), norm(a)) && orthonormal(q, rows, room)
}

/// Whether these are the eigenvalues, in their order, and eigenvectors of a Hermitian matrix. Without vectors, only
/// their sum and that of their squares are looked at.
pub(super) fn eigh<W: Number>(a: &[W], values: &[f64], vectors: Option<&[W]>, n: usize, room: &mut [W]) -> bool {
    let size = norm(a);
    if !values.is_sorted() || !values.iter().all(|x| x.is_finite()) {
        return false;
    }
    let Some(v) = vectors else {
        let trace: f64 = (0..n).map(|k| a[k * n + k].real_part()).sum();
        let bound = 32.0 * EPSILON * n as f64 * size;
        let of_values = norm(values);
        return (values.iter().sum::<f64>() - trace).abs() <= bound && (of_values - size).abs() <= bound;
    };
    let [x, vx, avx, other] = split(room, n);
    probe(x);
    multiply(v, x, vx);
    multiply(a, vx, avx);
    x.iter_mut().zip(values).for_each(|(x, &value)| *x = x.times(value));
    multiply(v, x, other);
    close(avx, other, n, size) && orthonormal(v, n, room)
}

/// Whether these are the singular values, in their order, and vectors of a matrix. Without vectors, only the sum of
/// their squares is looked at.
pub(super) fn svd<W: Number>(a: &[W], values: &[f64], vectors: Option<(&[W], &[W])>, room: &mut [W]) -> bool {
    let n = values.len();
    let rows = a.len() / n.max(1);
    let size = norm(a);
    let sorted = values.windows(2).all(|pair| pair[0] >= pair[1]);
    if !sorted || !values.iter().all(|x| x.is_finite() && *x >= 0.0) {
        return false;
    }
    let Some((u, v)) = vectors else {
        return (norm(values) - size).abs() <= 16.0 * EPSILON * rows as f64 * size;
    };
    let [x, vx, ax, uvx] = split(room, rows);
    let (x, vx) = (&mut x[..n], &mut vx[..n]);
    probe(x);
    multiply(a, x, ax);
    multiply_adjoint(v, x, vx);
    vx.iter_mut().zip(values).for_each(|(x, &value)| *x = x.times(value));
    multiply(u, vx, uvx);
    close(ax, uvx, rows, size) && orthonormal(u, rows, room) && orthonormal(v, n, room)
}

/// Whether these are the eigenvalues of a matrix, and eigenvectors with norm 1. Without vectors, only the sum of the
/// values and that of their squares are looked at; with them those as well, since a pair that is there twice is no less
/// one of each.
pub(super) fn eig<W: Number>(a: &[W], values: &[C], vectors: Option<&[C]>, n: usize, room: &mut [C]) -> bool {
    let lift = |x: W| C::new(x.real_part(), x.imaginary_part());
    let size = norm(a);
    let bound = 32.0 * EPSILON * n as f64 * size;
    let [x, vx, avx, other] = split(room, n);
    let (mut trace, mut squares) = (C::NOUGHT, C::NOUGHT);
    for i in 0..n {
        trace += lift(a[i * n + i]);
        for j in 0..n {
            squares += lift(a[i * n + j] * a[j * n + i]);
        }
    }
    let of_values = values.iter().fold((C::NOUGHT, C::NOUGHT), |(sum, squares), x| (sum + x, squares + x * x));
    let sums = (trace - of_values.0).magnitude() <= bound && (squares - of_values.1).magnitude() <= bound * size;
    let Some(v) = vectors else { return sums };
    if !sums {
        return false;
    }
    if !v.chunks_exact(n).all(is_unit) {
        return false;
    }
    probe(x);
    multiply(v, x, vx);
    avx.fill(C::NOUGHT);
    for (column, &x) in a.chunks_exact(n).zip(&*vx) {
        avx.iter_mut().zip(column).for_each(|(y, &a)| *y += lift(a) * x);
    }
    x.iter_mut().zip(values).for_each(|(x, value)| *x *= value);
    multiply(v, x, other);
    close(avx, other, n, size)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::linalg::lu::eliminate;

    /// Runs a block for real and for complex numbers.
    macro_rules! both {
        ($w:ident => $body:expr) => {{
            type $w = f64;
            $body
        }
        {
            type $w = strictarray_core::Complex<f64>;
            $body
        }};
    }
    pub(in crate::linalg) use both;

    /// Matrices of some kinds.
    pub(in crate::linalg) fn matrices<W: Number>(rows: usize, columns: usize) -> Vec<Vec<W>> {
        let mut dense = vec![W::NOUGHT; rows * columns];
        probe(&mut dense);
        let made = |at: &dyn Fn(usize, usize) -> f64| {
            (0..rows * columns).map(|k| W::of_real(at(k % rows, k / rows))).collect::<Vec<W>>()
        };
        vec![
            dense,
            made(&|_, _| 0.0),
            made(&|_, _| 1.0),
            made(&|i, j| f64::from(u8::from(i == j || i + 1 == j))),
            made(&|i, j| f64::from(u8::from(i == j + 1))),
            made(&|i, j| if i == j + 1 { -1.0 } else { f64::from(u8::from(i <= j && j <= i + 3)) }),
            made(&|i, j| 1.0 / (i + j + 1) as f64),
            made(&|i, j| 10f64.powi(-((i + j) as i32))),
            made(&|i, j| ((i * 7 + j * 3) % 5) as f64 - 2.0),
        ]
    }

    /// A square matrix with orthonormal columns, by reflections of an irregular one.
    pub(in crate::linalg) fn orthogonal<W: Number>(n: usize) -> Vec<W> {
        let mut qr = crate::linalg::qr::Qr::<W>::new(&crate::Ctx::new(), n, n, n).unwrap();
        probe(qr.matrix());
        qr.decompose().unwrap().0.to_vec()
    }

    /// QDQᴴ, of a diagonal D of which one half is the first value, one the second.
    pub(in crate::linalg) fn with_values<W: Number>(q: &[W], n: usize, values: [f64; 2]) -> Vec<W> {
        let mut a = vec![W::NOUGHT; n * n];
        for (k, q) in q.chunks_exact(n).enumerate() {
            for (a, &x) in a.chunks_exact_mut(n).zip(q) {
                add(a, x.conjugate().times(values[usize::from(2 * k >= n)]), q);
            }
        }
        a
    }

    /// The Frobenius norm of QᴴQ - I.
    pub(in crate::linalg) fn skew<W: Number>(q: &[W], n: usize) -> f64 {
        let all = || q.chunks_exact(n).enumerate();
        let square: f64 = all()
            .flat_map(|(i, x)| all().map(move |(j, y)| (dot(x, y) - W::of_real(f64::from(i == j))).square()))
            .sum();
        square.sqrt()
    }

    /// What rotations of equal values are allowed. Of 190 real columns, or 135 complex ones, they leave 190 to 535 roundings; where
    /// all their cosines err to the same side, and lengths are not made 1, 1800 to 4400.
    pub(in crate::linalg) fn skew_allowed(n: usize) -> f64 {
        6.0 * n as f64 * EPSILON
    }

    #[test]
    fn small_faults_of_large_factors_are_noticed() {
        both!(W => {
            let n = 300;
            let mut a = vec![W::NOUGHT; n * n];
            probe(&mut a);
            // As it is, and where sums are too large for numbers, or squares too small.
            for power in [0, 1015, -900] {
                let scale = 2f64.powi(power);
                let a: Vec<W> = a.iter().map(|x| x.times(scale)).collect();
                let (mut factors, mut rows) = (a.clone(), vec![0; n]);
                let (mut room, mut sizes) = (vec![W::NOUGHT; 4 * n], vec![0.0; 2 * n]);
                eliminate(&mut factors, &mut rows, n);
                assert!(lu(&a, &factors, &rows, &mut room, &mut sizes));
                for (i, j) in [(0, 0), (0, n - 1), (n - 1, n - 1), (17, 200), (150, 150), (200, 17), (n - 1, 0)] {
                    let right = factors[j * n + i];
                    // L has no scale.
                    factors[j * n + i] += W::of_real(1e-9 * if i > j { 1.0 } else { scale });
                    assert!(!lu(&a, &factors, &rows, &mut room, &mut sizes), "({i}, {j}) times 2^{power}");
                    factors[j * n + i] = right;
                }
                // Two rows that changed places.
                rows.swap(100, 101);
                assert!(!lu(&a, &factors, &rows, &mut room, &mut sizes));
            }
            // Factors that are not finite are none.
            let (mut room, mut sizes) = (vec![W::NOUGHT; 8], vec![0.0; 4]);
            for bad in [f64::INFINITY, f64::NAN] {
                let factors = [W::UNIT, W::UNIT, W::of_real(bad), W::UNIT];
                assert!(!lu(&[W::UNIT; 4], &factors, &[0, 1], &mut room, &mut sizes));
            }
        });
    }

    #[test]
    fn faults_of_solutions_are_noticed() {
        both!(W => for n in [9, 40] {
            let mut a = vec![W::NOUGHT; n * n];
            probe(&mut a);
            let (mut room, mut sizes) = (vec![W::NOUGHT; 3 * n], vec![0.0; 2 * n]);
            for columns in [1, 3, 2 * n] {
                // Of whole numbers, so that nothing is rounded.
                let a: Vec<W> = a.iter().map(|a| W::of_real((a.real_part() * 10.0).round())).collect();
                let mut x: Vec<W> = (0..n * columns).map(|k| W::of_real((k * 7 % 11) as f64 - 5.0)).collect();
                let mut b = vec![W::NOUGHT; n * columns];
                for (x, b) in x.chunks_exact(n).zip(b.chunks_exact_mut(n)) {
                    multiply(&a, x, b);
                }
                assert!(solution(&a, &x, Some(&b), n, &mut room, &mut sizes));
                for k in [0, n / 2, n * columns - 1] {
                    x[k] += W::of_real(1e-9);
                    assert!(!solution(&a, &x, Some(&b), n, &mut room, &mut sizes));
                    x[k] = W::NOT_A_NUMBER;
                    assert!(!solution(&a, &x, Some(&b), n, &mut room, &mut sizes));
                    x[k] = W::of_real((k * 7 % 11) as f64 - 5.0);
                }
            }
            // The inverse of a bidiagonal matrix of ones: an upper triangle of ones, whose signs change.
            let a: Vec<W> =
                (0..n * n).map(|k| W::of_real(f64::from(k % n == k / n || k % n + 1 == k / n))).collect();
            let sign = |k: usize| if (k / n - k % n).is_multiple_of(2) { 1.0 } else { -1.0 };
            let mut x: Vec<W> =
                (0..n * n).map(|k| W::of_real(if k % n <= k / n { sign(k) } else { 0.0 })).collect();
            assert!(solution(&a, &x, None, n, &mut room, &mut sizes));
            x[n] += W::of_real(1e-9);
            assert!(!solution(&a, &x, None, n, &mut room, &mut sizes));
        });
    }

    #[test]
    fn eigenvectors_that_are_there_twice_are_noticed() {
        let n = 3;
        let a = [1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, -1.5];
        let mut room = [C::NOUGHT; 12];
        let mut is_right = |places: [usize; 3]| {
            let values = places.map(|k| C::of_real(a[4 * k]));
            let vectors: Vec<C> =
                places.iter().flat_map(|&k| (0..n).map(move |i| C::of_real(f64::from(i == k)))).collect();
            eig(&a, &values, Some(&vectors), n, &mut room)
        };
        assert!(is_right([0, 1, 2]) && is_right([2, 0, 1]));
        assert!(!is_right([0, 0, 2]) && !is_right([1, 1, 1]) && !is_right([2, 1, 2]));
    }
}
