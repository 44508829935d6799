//! Rotations of neighbouring columns, many of them one after another, and what they make of tridiagonal and bidiagonal matrices:
//! their eigenvalues and singular values with the vectors, by the QR algorithm with implicit shifts.

use super::reflections::{Lane, WIDTH};
use super::verify;
use crate::simd::per_level;

/// Lanes of a column that are taken at once: no one waits for the one before.
const LANES: usize = 4;

/// A cosine and a sine.
pub(super) type Rotation = [f64; 2];

/// Columns of real numbers, and the distance from one to the next: a whole number of lanes.
pub(super) struct Columns<'a> {
    pub(super) a: &'a mut [f64],
    pub(super) step: usize,
}

/// Lanes of a column that are rotated while the next rotation is made, which has to wait for itself.
#[derive(Clone, Copy)]
struct Ahead<const N: usize> {
    /// The column that is next, as the rotations before left it.
    x: [Lane; N],
}

impl<const N: usize> Ahead<N> {
    #[inline(always)]
    fn lanes<'a>(columns: &'a mut Columns<'_>, k: usize) -> &'a mut [Lane] {
        &mut columns.a[k * columns.step..][..N * WIDTH].as_chunks_mut().0[..N]
    }

    #[inline(always)]
    fn new(columns: &mut Columns<'_>, start: usize) -> Ahead<N> {
        let column = Self::lanes(columns, start);
        Ahead { x: std::array::from_fn(|i| column[i]) }
    }

    /// Rotates column k, the one that is next, and the one after it.
    #[inline(always)]
    fn turn(&mut self, columns: &mut Columns<'_>, k: usize, [c, s]: Rotation) {
        let both = &mut columns.a[k * columns.step..];
        let (first, second) = both.split_at_mut(columns.step);
        let (first, second) = (&mut first[..N * WIDTH], &second[..N * WIDTH]);
        let (first, second) = (first.as_chunks_mut::<WIDTH>().0, second.as_chunks::<WIDTH>().0);
        for i in 0..N {
            let (x, y) = (self.x[i], second[i]);
            first[i] = std::array::from_fn(|l| x[l].mul_add(c, s * y[l]));
            self.x[i] = std::array::from_fn(|l| y[l].mul_add(c, -(s * x[l])));
        }
    }

    /// Writes the last column, and rotates what columns have beyond the lanes.
    #[inline(always)]
    fn finish(self, columns: &mut Columns<'_>, start: usize, rotations: &[Rotation]) {
        Self::lanes(columns, start + rotations.len()).copy_from_slice(&self.x);
        let step = columns.step;
        let a = &mut columns.a[start * step..];
        let (lanes, mut lane) = (step / WIDTH, N);
        while lane + LANES <= lanes {
            turn::<LANES>(a, step, lane, rotations);
            lane += LANES;
        }
        while lane < lanes {
            turn::<1>(a, step, lane, rotations);
            lane += 1;
        }
    }
}

/// Rotates some lanes of each column with those of the next one, from the first to the last.
#[inline(always)]
fn turn<const N: usize>(a: &mut [f64], step: usize, lane: usize, rotations: &[Rotation]) {
    let range = lane * WIDTH..(lane + N) * WIDTH;
    let mut columns = a.chunks_exact_mut(step).map(|a| a[range.clone()].as_chunks_mut::<WIDTH>().0);
    let Some(mut before) = columns.next() else { return };
    let mut x: [Lane; N] = std::array::from_fn(|i| before[i]);
    for (column, &[c, s]) in columns.zip(rotations) {
        for i in 0..N {
            let y = column[i];
            before[i] = std::array::from_fn(|l| x[i][l].mul_add(c, s * y[l]));
            x[i] = std::array::from_fn(|l| y[l].mul_add(c, -(s * x[i][l])));
        }
        before = column;
    }
    before[..N].copy_from_slice(&x);
}

/// The rotation that turns (x, y) to (r, 0), and r.
#[inline(always)]
fn rotation(x: f64, y: f64) -> (f64, f64, f64) {
    if y == 0.0 {
        return (1.0, 0.0, x);
    }
    let square = x * x + y * y;
    if square > 1e-280 && square < 1e280 {
        let r = square.sqrt();
        return (x / r, y / r, r);
    }
    let r = f64::hypot(x, y);
    (x / r, y / r, r)
}

/// The eigenvalues, in any order, of the symmetric matrix with this diagonal and these numbers beside it; the columns are multiplied
/// by its eigenvectors. `false` if they are not found.
///
/// # Safety
///
/// None but the level's.
#[inline(always)]
unsafe fn symmetric_of(d: &mut [f64], e: &mut [f64], rotations: &mut [Rotation], columns: &mut Columns<'_>) -> bool {
    match columns.step / WIDTH {
        8.. => symmetric_with::<8>(d, e, rotations, columns),
        4.. => symmetric_with::<4>(d, e, rotations, columns),
        _ => symmetric_with::<1>(d, e, rotations, columns),
    }
}

/// Where the block begins that ends with this row: what stands before it is nothing beside the diagonal.
#[inline(always)]
fn block_start(d: &[f64], e: &[f64], floor: f64, last: usize) -> usize {
    let nothing = |i: usize| e[i].abs() <= (verify::EPSILON * (d[i].abs() + d[i + 1].abs())).max(floor);
    (0..last).rev().find(|&i| nothing(i)).map_or(0, |i| i + 1)
}

/// With so many lanes that are rotated at once.
#[inline(always)]
fn symmetric_with<const N: usize>(
    d: &mut [f64],
    e: &mut [f64],
    rotations: &mut [Rotation],
    columns: &mut Columns<'_>,
) -> bool {
    let n = d.len();
    let norm = d.iter().chain(&*e).fold(0.0f64, |most, x| most.max(x.abs()));
    let floor = norm * 1e-20;
    let mut sweeps = 30 * n;
    let mut end = n;
    while end > 1 {
        let last = end - 1;
        let start = block_start(d, e, floor, last);
        if start == last {
            end -= 1;
            continue;
        }
        if sweeps == 0 {
            return false;
        }
        sweeps -= 1;
        // The eigenvalue of the last two rows that is nearer to the last element.
        let half = 0.5 * (d[last - 1] - d[last]);
        let beside = e[last - 1];
        let root = (half * half + beside * beside).sqrt();
        let shift = d[last] - beside * (beside / (half + root.copysign(half)));
        let (mut x, mut y) = (d[start] - shift, e[start]);
        let mut ahead = Ahead::<N>::new(columns, start);
        for k in start..last {
            let (c, s, r) = rotation(x, y);
            if k > start {
                e[k - 1] = r;
            }
            let t = s * (d[k + 1] - d[k]) + 2.0 * c * e[k];
            let by = s * t;
            d[k] += by;
            d[k + 1] -= by;
            x = c * t - e[k];
            e[k] = x;
            if k + 1 < last {
                y = s * e[k + 1];
                e[k + 1] *= c;
            }
            rotations[k - start] = [c, s];
            ahead.turn(columns, k, [c, s]);
        }
        ahead.finish(columns, start, &rotations[..last - start]);
    }
    true
}

/// The smaller singular value of [[f, g], [0, h]].
fn smaller(f: f64, g: f64, h: f64) -> f64 {
    let (f, g, h) = (f.abs(), g.abs(), h.abs());
    let (least, most) = (f.min(h), f.max(h));
    if least == 0.0 {
        return 0.0;
    }
    let sum = f64::hypot(most + least, g) + f64::hypot(most - least, g);
    2.0 * least * (most / sum)
}

/// The singular values, in any order and with any sign, of the bidiagonal matrix with this diagonal and these numbers right of it;
/// the columns of both are multiplied by its singular vectors. `false` if they are not found.
///
/// # Safety
///
/// None but the level's.
#[inline(always)]
unsafe fn bidiagonal_of(
    [d, e]: [&mut [f64]; 2],
    [left, right]: [&mut [Rotation]; 2],
    columns: [&mut Columns<'_>; 2],
) -> bool {
    match columns[0].step.min(columns[1].step) / WIDTH {
        8.. => bidiagonal_with::<8>([d, e], [left, right], columns),
        4.. => bidiagonal_with::<4>([d, e], [left, right], columns),
        _ => bidiagonal_with::<1>([d, e], [left, right], columns),
    }
}

/// With so many lanes that are rotated at once.
#[inline(always)]
fn bidiagonal_with<const N: usize>(
    [d, e]: [&mut [f64]; 2],
    [left, right]: [&mut [Rotation]; 2],
    [u, v]: [&mut Columns<'_>; 2],
) -> bool {
    let n = d.len();
    let norm = d.iter().chain(&*e).fold(0.0f64, |most, x| most.max(x.abs()));
    let floor = norm * 1e-20;
    let mut sweeps = 30 * n;
    let mut end = n;
    while end > 1 {
        let last = end - 1;
        let start = block_start(d, e, floor, last);
        if start > 0 {
            e[start - 1] = 0.0;
        }
        if start == last {
            end -= 1;
            continue;
        }
        if sweeps == 0 {
            return false;
        }
        sweeps -= 1;
        let shift = smaller(d[last - 1], e[last - 1], d[last]);
        let large = d[start].abs();
        let (mut of_u, mut of_v) = (Ahead::<N>::new(u, start), Ahead::<N>::new(v, start));
        // A shift that does not show beside the first element would only spoil small values; without one, a 0 on the diagonal
        // makes the last element right of it 0.
        let shifted = shift > 1e-8 * large && d[start..last].iter().all(|d| d.abs() > floor);
        if shifted {
            let mut f = (large - shift) * (1f64.copysign(d[start]) + shift / d[start]);
            let mut g = e[start];
            for k in start..last {
                let (c, s, r) = rotation(f, g);
                if k > start {
                    e[k - 1] = r;
                }
                right[k - start] = [c, s];
                f = c * d[k] + s * e[k];
                let across = c * e[k] - s * d[k];
                g = s * d[k + 1];
                let below = c * d[k + 1];
                let (c, s, r) = rotation(f, g);
                left[k - start] = [c, s];
                d[k] = r;
                f = c * across + s * below;
                d[k + 1] = c * below - s * across;
                if k + 1 < last {
                    g = s * e[k + 1];
                    e[k + 1] *= c;
                }
                of_v.turn(v, k, right[k - start]);
                of_u.turn(u, k, left[k - start]);
            }
            e[last - 1] = f;
        } else {
            let (mut cosine, mut before) = (1.0, [1.0, 0.0]);
            for k in start..last {
                let (c, s, r) = rotation(d[k] * cosine, e[k]);
                cosine = c;
                if k > start {
                    e[k - 1] = before[1] * r;
                }
                let (of_c, of_s, diagonal) = rotation(before[0] * r, d[k + 1] * s);
                d[k] = diagonal;
                before = [of_c, of_s];
                right[k - start] = [c, s];
                left[k - start] = before;
                of_v.turn(v, k, right[k - start]);
                of_u.turn(u, k, left[k - start]);
            }
            let below = d[last] * cosine;
            d[last] = below * before[0];
            e[last - 1] = below * before[1];
        }
        of_u.finish(u, start, &left[..last - start]);
        of_v.finish(v, start, &right[..last - start]);
    }
    true
}

per_level! {
    /// The eigenvalues and vectors of a symmetric tridiagonal matrix: `(diagonal, beside, room, columns)`.
    fn symmetric<>(d: &mut [f64], e: &mut [f64], rotations: &mut [Rotation], columns: &mut Columns<'_>) -> bool = symmetric_of;
    /// The singular values and vectors of a bidiagonal matrix: `([diagonal, beside], rooms, [left, right])`.
    fn bidiagonal<>(numbers: [&mut [f64]; 2], room: [&mut [Rotation]; 2], columns: [&mut Columns<'_>; 2]) -> bool = bidiagonal_of;
}
