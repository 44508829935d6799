//! Values without vectors: the singular values of bidiagonal matrices by the quotient-difference algorithm with shifts in
//! the form of Fernando and Parlett, which keeps the digits of small ones; the eigenvalues of symmetric tridiagonal
//! matrices by the QR algorithm of Pal, Walker and Kahan. No step of these takes a root.
//!
//! Small matrices are made bidiagonal or tridiagonal by reflections of ours, larger ones by the library. It finds values alone
//! by rotations, with roots, which take it longer than all that is before.

use faer::dyn_stack::MemStack;
use faer::linalg::evd::tridiag;
use faer::linalg::qr::no_pivoting::factor;
use faer::linalg::svd::bidiag;
use faer::{MatMut, Par};
use strictarray_core::Result;

use super::matrix::Number;
use super::reflections;
use crate::Ctx;
use crate::scratch::Scratch;
use crate::simd::Level;

/// Room for the values of matrices of one size: singular values of matrices with at least as many rows as columns, or
/// eigenvalues of Hermitian ones.
pub(super) struct Values<W> {
    rows: usize,
    columns: usize,
    /// Columns that are made triangular at once, before; 0 where the matrix is not.
    block: usize,
    /// Whether the reflections are ours.
    plain: bool,
    level: Level,
    work: Scratch<W>,
    square: Scratch<W>,
    taus: [Scratch<W>; 2],
    /// What reflections of ours work in.
    room: Scratch<W>,
    /// Squares on a diagonal and beside it, and room for what is made of them.
    numbers: [Scratch<f64>; 4],
    shifts: Scratch<Shift>,
    stack: Scratch<u8>,
}

impl<W: Number> Values<W> {
    /// From so many times as many rows as columns on, a matrix is made triangular first.
    const TALL: f64 = 11.0 / 6.0;

    /// Of singular values.
    pub(super) fn singular(ctx: &Ctx<'_>, rows: usize, columns: usize) -> Result<Values<W>> {
        if reflections::suit::<W>(rows, columns) {
            return Values::new(ctx, [rows, columns], 0, 0, true);
        }
        let block = if rows as f64 >= Self::TALL * columns as f64 {
            factor::recommended_block_size::<W>(rows, columns)
        } else {
            0
        };
        let stack = bidiag::bidiag_in_place_scratch::<W>(rows, columns, Par::Seq, Default::default());
        let stack = match block {
            0 => stack,
            _ => stack.or(factor::qr_in_place_scratch::<W>(rows, columns, block, Par::Seq, Default::default())),
        };
        Values::new(ctx, [rows, columns], block, stack.unaligned_bytes_required(), false)
    }

    /// Of eigenvalues.
    pub(super) fn hermitian(ctx: &Ctx<'_>, n: usize) -> Result<Values<W>> {
        if reflections::suit::<W>(n, n) {
            return Values::new(ctx, [n, n], 0, 0, true);
        }
        let stack = tridiag::tridiag_in_place_scratch::<W>(n, Par::Seq, Default::default());
        Values::new(ctx, [n, n], 0, stack.unaligned_bytes_required(), false)
    }

    fn new(ctx: &Ctx<'_>, [rows, columns]: [usize; 2], block: usize, stack: usize, plain: bool) -> Result<Values<W>> {
        let numbers = || Scratch::filled(ctx, columns, 0.0);
        let step = if plain { reflections::step::<W>(rows) } else { rows };
        let square = match (plain, block) {
            (true, _) => super::elements(reflections::step::<W>(columns), columns)?,
            (false, 0) => 0,
            (false, _) => super::elements(columns, columns)?,
        };
        Ok(Values {
            rows,
            columns,
            block,
            plain,
            level: ctx.simd(),
            work: Scratch::filled(ctx, super::elements(step, columns)?, W::NOUGHT)?,
            square: Scratch::filled(ctx, square, W::NOUGHT)?,
            taus: [
                Scratch::filled(ctx, super::elements(block.max(1), columns)?, W::NOUGHT)?,
                Scratch::filled(ctx, columns, W::NOUGHT)?,
            ],
            room: Scratch::filled(ctx, if plain { reflections::room(step) } else { 0 }, W::NOUGHT)?,
            numbers: [numbers()?, numbers()?, numbers()?, numbers()?],
            shifts: Scratch::filled(ctx, columns, Shift::default())?,
            stack: Scratch::new(ctx, stack)?,
        })
    }

    /// The singular values of a matrix, column after column, whose largest element is near 1: in descending order.
    /// `false` if they are not found.
    pub(super) fn of(&mut self, matrix: &[W], values: &mut [f64]) -> bool {
        let (rows, n, block) = (self.rows, self.columns, self.block);
        let stack = MemStack::new(self.stack.room());
        let [left, right] = &mut self.taus;
        let [q, e, other_q, other_e] = &mut self.numbers;
        // SAFETY: all were set when they were made.
        let ([work, square, left, right, room], [q, e, other_q, other_e], shifts) = unsafe {
            (
                [self.work.values(), self.square.values(), left.values(), right.values(), self.room.values()],
                [q.values(), e.values(), other_q.values(), other_e.values()],
                self.shifts.values(),
            )
        };
        if self.plain {
            let steps = [reflections::step::<W>(rows), reflections::step::<W>(n)];
            reflections::spread(work, matrix, rows);
            // SAFETY: the machine has the level.
            unsafe { reflections::bidiagonal(self.level)([work, square], [left, right], room, [q, e], steps) };
            q.iter_mut().chain(&mut e[..n - 1]).for_each(|x| *x *= *x);
            e[n - 1] = 0.0;
            return finish(Squares { q, e, room: [other_q, other_e], shifts }, values);
        }
        work.copy_from_slice(matrix);
        let result = super::library(|| {
            let mut whole = MatMut::from_column_major_slice_mut(&mut *work, rows, n);
            if block > 0 {
                let blocks = MatMut::from_column_major_slice_mut(&mut *left, block, n);
                let info = factor::qr_in_place(whole, blocks, Par::Seq, stack, Default::default());
                if info.rank == n {
                    for (j, (to, from)) in square.chunks_exact_mut(n).zip(work.chunks_exact(rows)).enumerate() {
                        to[..=j].copy_from_slice(&from[..=j]);
                        to[j + 1..].fill(W::NOUGHT);
                    }
                    whole = MatMut::from_column_major_slice_mut(&mut *square, n, n);
                } else {
                    // Where columns are 0 the library's reflections stand elsewhere.
                    work.copy_from_slice(matrix);
                    whole = MatMut::from_column_major_slice_mut(&mut *work, rows, n);
                }
            }
            bidiag::bidiag_in_place(
                whole.as_mut(),
                MatMut::from_column_major_slice_mut(&mut left[..n], 1, n),
                MatMut::from_column_major_slice_mut(&mut right[..n - 1], 1, n - 1),
                Par::Seq,
                stack,
                Default::default(),
            );
            for k in 0..n {
                q[k] = whole[(k, k)].square();
                e[k] = if k + 1 < n { whole[(k, k + 1)].square() } else { 0.0 };
            }
        });
        result.is_some() && finish(Squares { q, e, room: [other_q, other_e], shifts }, values)
    }

    /// The eigenvalues of a Hermitian matrix, whose largest element is near 1: in ascending order. `false` if they are
    /// not found.
    pub(super) fn of_hermitian(&mut self, matrix: &[W], values: &mut [f64]) -> bool {
        let n = self.columns;
        let stack = MemStack::new(self.stack.room());
        // SAFETY: all were set when they were made.
        let ([work, taus, room], e) =
            unsafe { ([self.work.values(), self.taus[0].values(), self.room.values()], self.numbers[0].values()) };
        if self.plain {
            reflections::spread(work, matrix, n);
            let step = reflections::step::<W>(n);
            // SAFETY: the machine has the level.
            unsafe { reflections::tridiagonal(self.level)(work, &mut taus[..n - 1], room, [values, e], step) };
            e[..n - 1].iter_mut().for_each(|x| *x *= *x);
            let found = diagonalise(values, &mut e[..n - 1]);
            values.sort_unstable_by(f64::total_cmp);
            return found;
        }
        work.copy_from_slice(matrix);
        let result = super::library(|| {
            let mut whole = MatMut::from_column_major_slice_mut(&mut *work, n, n);
            tridiag::tridiag_in_place(
                whole.as_mut(),
                MatMut::from_column_major_slice_mut(&mut taus[..n - 1], 1, n - 1),
                Par::Seq,
                stack,
                Default::default(),
            );
            for k in 0..n {
                values[k] = whole[(k, k)].real_part();
                e[k] = if k + 1 < n { whole[(k + 1, k)].square() } else { 0.0 };
            }
        });
        let found = result.is_some() && diagonalise(values, &mut e[..n - 1]);
        values.sort_unstable_by(f64::total_cmp);
        found
    }
}

/// The roots of the eigenvalues, in descending order. `false` if they are not found.
fn finish(squares: Squares<'_>, values: &mut [f64]) -> bool {
    let found = eigenvalues(squares, values);
    values.iter_mut().for_each(|x| *x = x.sqrt());
    values.sort_unstable_by(|a, b| b.total_cmp(a));
    found
}

/// A difference between two numbers that follow one another, of those from 1 to 2.
const STEP: f64 = f64::EPSILON;

/// What the quotients of a block of rows are less, in two numbers, and the smallest of the distances that the last pass
/// left, or what is smaller: of all, of those without the last, without the last two.
#[derive(Clone, Copy, Default)]
struct Shift {
    sum: f64,
    rest: f64,
    least: [f64; 3],
}

impl Shift {
    /// With a further shift, and what is lost in the sum.
    fn plus(self, shift: f64, least: [f64; 3]) -> Shift {
        let sum = self.sum + shift;
        let part = sum - self.sum;
        let lost = (self.sum - (sum - part)) + (shift - part);
        Shift { sum, rest: self.rest + lost, least }
    }

    /// The same of the rows that are left without one more.
    fn without_last(self) -> Shift {
        let [_, second, third] = self.least;
        Shift { least: [second, third, third], ..self }
    }

    /// The eigenvalue that this one becomes without the shift.
    fn undone(self, value: f64) -> f64 {
        value + self.rest + self.sum
    }
}

/// The squares of a bidiagonal matrix, on the diagonal and beside it, and room for as many.
struct Squares<'a> {
    q: &'a mut [f64],
    e: &'a mut [f64],
    room: [&'a mut [f64]; 2],
    shifts: &'a mut [Shift],
}

/// The smallest distances of a pass: of all but the last two, of the last but one, and the last.
struct Least {
    before: f64,
    last: [f64; 2],
}

impl Least {
    fn of_all(&self) -> [f64; 3] {
        let second = self.before.min(self.last[0]);
        [second.min(self.last[1]), second, self.before]
    }

    /// Whether none is negative, or no number.
    fn is_definite(&self) -> bool {
        self.before >= 0.0 && self.last[0] >= 0.0 && self.last[1] >= 0.0
    }
}

/// One step of the algorithm with a shift, of three rows or more.
#[inline(always)]
fn pass(from: (&[f64], &[f64]), to: (&mut [f64], &mut [f64]), shift: f64) -> Least {
    let n = from.0.len();
    let mut distance = from.0[0] - shift;
    let (mut before, mut last) = (f64::INFINITY, [f64::INFINITY, distance]);
    let rows = from.0[1..].iter().zip(&from.1[..n - 1]).zip(&mut to.0[..n - 1]).zip(&mut to.1[..n - 1]);
    for (((&q, &e), to_q), to_e) in rows {
        let sum = distance + e;
        let ratio = q / sum;
        (*to_q, *to_e) = (sum, e * ratio);
        distance = distance * q / sum - shift;
        before = if last[0] < before { last[0] } else { before };
        last = [last[1], distance];
    }
    to.0[n - 1] = distance;
    Least { before, last }
}

/// The larger and the smaller eigenvalue of LLᵀ, where L has the squares a and b on its diagonal and e beside it.
fn pair(a: f64, b: f64, e: f64) -> (f64, f64) {
    let half = 0.5 * (a - b + e);
    let large = 0.5 * (a + b + e) + (half * half + b * e).sqrt();
    (large, if large > 0.0 { a * (b / large) } else { 0.0 })
}

/// A shift that is likely to be no more than the smallest eigenvalue: that of the last two rows, less as much as the row
/// before can make of it, or a part of the smallest distance.
fn shift(q: &[f64], e: &[f64], least: f64) -> f64 {
    let n = q.len();
    let (a, b, between, before) = (q[n - 2], q[n - 1], e[n - 2], e[n - 3]);
    let (_, small) = pair(a, b, between);
    let slope = (b * between).sqrt() / (a + between - small);
    let residual = (a * before).sqrt() * slope / (1.0 + slope * slope).sqrt();
    let guess = small - residual;
    // A NaN is no guess.
    if guess > 0.25 * least { guess.min(least) } else { 0.25 * least }
}

/// The eigenvalues of LLᵀ in any order, of a bidiagonal L of which there are the squares of the diagonal (the first
/// quotients) and of what is beside it (the first differences), positive or 0. `false` if they are not found.
fn eigenvalues(squares: Squares<'_>, values: &mut [f64]) -> bool {
    let n = values.len();
    let Squares { q, e, room: [other_q, other_e], shifts } = squares;
    let (q, e) = (&mut q[..n], &mut e[..n - 1]);
    // What no eigenvalue needs be more than, to begin with.
    let least = q.iter().zip(e.iter().chain([&0.0])).fold(f64::INFINITY, |least, (q, e)| least.min(q + e));
    shifts.fill(Shift { least: [least; 3], ..Shift::default() });
    // More than ten times as many as any matrix was seen to take.
    let mut passes = 50 * n + 100;
    // More than the largest one, and no number if one is none.
    let most = q.iter().sum::<f64>() + e.iter().sum::<f64>();
    if !most.is_finite() {
        return false;
    }
    // Squares of what is far below the rounding of the largest numbers are nothing.
    let floor = most * (STEP / 64.0) * (STEP / 64.0) / n as f64;
    let mut end = n;
    while end > 0 {
        let last = end - 1;
        let mut now = shifts[last];
        // What stands between two rows is a part of the diagonal, and with the row behind it the square of what is beside it.
        // That the quotients are far apart says nothing: some eigenvalue of the rows before may be near all the same.
        let negligible = |i: usize| {
            let (e, limit) = (e[i], 0.125 * STEP * now.sum);
            let nothing = (STEP * STEP * (now.sum + q[i + 1])).max(floor);
            e <= nothing || e <= limit && q[i + 1] * e <= limit * limit
        };
        let start = e[..last].iter().rposition(|e| *e == 0.0).map_or(0, |i| i + 1);
        if start == last || negligible(last - 1) {
            values[last] = now.undone(q[last]);
            if start < last {
                e[last - 1] = 0.0;
                shifts[last - 1] = now.without_last();
            }
            end -= 1;
            continue;
        }
        if start + 1 == last || negligible(last - 2) {
            let (large, small) = pair(q[last - 1], q[last], e[last - 1]);
            (values[last - 1], values[last]) = (now.undone(large), now.undone(small));
            if start + 1 < last {
                e[last - 2] = 0.0;
                shifts[last - 2] = now.without_last().without_last();
            }
            end -= 2;
            continue;
        }
        // Small ones are found first, at the end.
        if 1.5 * q[start] < q[last] {
            q[start..end].reverse();
            e[start..last].reverse();
            now.least = [now.least[0]; 3];
        }
        let mut by = shift(&q[start..end], &e[start..last], now.least[0]);
        let mut tries = 0;
        let least = loop {
            if passes == 0 {
                return false;
            }
            passes -= 1;
            let to = (&mut other_q[start..end], &mut other_e[start..last]);
            let least = pass((&q[start..end], &e[start..last]), to, by);
            if least.is_definite() {
                break least.of_all();
            }
            // No eigenvalue is smaller than that, but for rounding, if only the last distance is negative.
            tries += 1;
            let late = by + least.last[1];
            by = if tries > 6 {
                0.0
            } else if tries < 3 && least.before > 0.0 && least.last[0] > 0.0 && late > 0.0 {
                late * (1.0 - 4.0 * STEP)
            } else {
                0.25 * by
            };
        };
        q[start..end].copy_from_slice(&other_q[start..end]);
        e[start..last].copy_from_slice(&other_e[start..last]);
        now = now.plus(by, least);
        // Where nothing is left between two rows there are two blocks.
        let (q, e) = (&q[start..end], &mut e[start..last]);
        let nothing = |i: usize, e: f64| e <= (STEP * STEP * (now.sum + q[i].min(q[i + 1]))).max(floor);
        if e.iter().enumerate().fold(false, |any, (i, &e)| any | nothing(i, e)) {
            for (i, e) in e.iter_mut().enumerate() {
                if nothing(i, *e) {
                    *e = 0.0;
                    shifts[start + i] = now;
                }
            }
        }
        shifts[last] = now;
    }
    true
}

/// The eigenvalues, in any order, of the symmetric matrix with these numbers on its diagonal and these squares beside it:
/// by the QR algorithm without roots of Pal, Walker and Kahan. `false` if they are not found.
fn diagonalise(d: &mut [f64], e: &mut [f64]) -> bool {
    /// Where this is all that is left of a square, the next one is made of the limit.
    const VANISHED: f64 = 1e-280;
    // More than the largest one, and no number if one is none.
    let most = d.iter().map(|x| x * x).sum::<f64>() + e.iter().sum::<f64>();
    if !most.is_finite() {
        return false;
    }
    // Squares of what is far below the rounding of the largest numbers are nothing.
    let floor = most * (STEP / 64.0) * (STEP / 64.0) / d.len() as f64;
    // More than ten times as many as any matrix was seen to take.
    let mut passes = 30 * d.len();
    let mut end = d.len();
    while end > 1 {
        let last = end - 1;
        let nothing = |i: usize| e[i] <= (STEP * STEP * (d[i] * d[i + 1]).abs()).max(floor);
        let start = (0..last).rev().find(|&i| nothing(i)).map_or(0, |i| i + 1);
        if start > 0 {
            e[start - 1] = 0.0;
        }
        if start == last {
            end -= 1;
            continue;
        }
        if passes == 0 {
            return false;
        }
        passes -= 1;
        // The eigenvalue of the last two rows that is nearer to the last element.
        let root = e[last - 1].sqrt();
        let slope = (d[last - 1] - d[last]) / (2.0 * root);
        let length = (slope * slope + 1.0).sqrt();
        let shift = d[last] - root / (slope + if slope < 0.0 { -length } else { length });
        let (mut cosine, mut sine) = (1.0, 0.0);
        let mut gamma = d[start] - shift;
        let mut square = gamma * gamma;
        for i in start..last {
            let across = e[i];
            let sum = square + across;
            if i > start {
                e[i - 1] = sine * sum;
            }
            // Three quotients at once: no one waits for the other.
            let (before, ratio) = (cosine, sum / square);
            (cosine, sine) = (square / sum, across / sum);
            let old = gamma;
            gamma = cosine * (d[i + 1] - shift) - sine * old;
            d[i] = old + (d[i + 1] - gamma);
            square = if square > VANISHED { gamma * gamma * ratio } else { before * across };
        }
        e[last - 1] = sine * square;
        d[last] = shift + gamma;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values by a count of those that are less, which needs nothing but signs: how many eigenvalues of the matrix are less
    /// than x.
    fn count(d: &[f64], beside: &[f64], x: f64) -> usize {
        let mut pivot = d[0] - x;
        let mut count = usize::from(pivot < 0.0);
        for (d, b) in d[1..].iter().zip(beside) {
            let before = if pivot.abs() < 1e-290 { 1e-290f64.copysign(pivot) } else { pivot };
            pivot = d - x - b * b / before;
            count += usize::from(pivot < 0.0);
        }
        count
    }

    fn found(d: &[f64], beside: &[f64]) -> Vec<f64> {
        let mut values = d.to_vec();
        let mut e: Vec<f64> = beside.iter().map(|x| x * x).collect();
        assert!(diagonalise(&mut values, &mut e));
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    /// The singular values of a bidiagonal matrix.
    fn singular(diagonal: &[f64], beside: &[f64]) -> Vec<f64> {
        let n = diagonal.len();
        let square = |x: &f64| x * x;
        let (mut q, mut e): (Vec<f64>, Vec<f64>) =
            (diagonal.iter().map(square).collect(), beside.iter().map(square).collect());
        let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
        let (mut shifts, mut values) = (vec![Shift::default(); n], vec![0.0; n]);
        let squares = Squares { q: &mut q, e: &mut e, room: [&mut a, &mut b], shifts: &mut shifts };
        assert!(eigenvalues(squares, &mut values));
        values.iter_mut().for_each(|x| *x = x.sqrt());
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    /// Matrices of some kinds: diagonals, and what is beside them.
    fn kinds(n: usize) -> Vec<(Vec<f64>, Vec<f64>)> {
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let made = |d: &mut dyn FnMut(usize) -> f64, b: &mut dyn FnMut(usize) -> f64| {
            ((0..n).map(d).collect::<Vec<f64>>(), (0..n - 1).map(b).collect::<Vec<f64>>())
        };
        let powers: Vec<f64> = (0..n).map(|i| 10f64.powf(-16.0 * i as f64 / n as f64)).collect();
        let dense: Vec<f64> = (0..3 * n).map(|_| next()).collect();
        vec![
            made(&mut |i| 2.0 * dense[i] - 1.0, &mut |i| dense[n + i] * ((n - i) as f64).sqrt()),
            made(&mut |_| 2.0, &mut |_| 1.0),
            made(&mut |i| if i == 0 || i == n - 1 { 1.0 } else { 2.0 }, &mut |_| 1.0),
            made(&mut |i| (i as f64 - n as f64 / 2.0).abs(), &mut |_| 1.0),
            made(&mut |i| powers[i], &mut |i| 0.3 * powers[i]),
            made(&mut |i| powers[n - 1 - i], &mut |i| 0.3 * powers[n - 1 - i]),
            made(&mut |_| 0.0, &mut |_| 1.0),
            made(&mut |_| 0.0, &mut |_| 0.0),
            made(&mut |i| dense[i], &mut |_| 0.0),
            made(&mut |i| f64::from(u8::from(i % 3 == 0)), &mut |i| f64::from(u8::from(i % 4 == 1))),
            made(&mut |_| 1.0, &mut |_| 1e-9),
            made(&mut |_| 1.0, &mut |i| 1e-14 * dense[i]),
            made(&mut |_| -1.0, &mut |i| 1e-8 * dense[i]),
            made(&mut |i| (i % 2) as f64 * 1e-8, &mut |i| 1e-8 * dense[i]),
            made(&mut |i| dense[i] * 10f64.powi(-((i * 7 % 13) as i32)), &mut |i| 10f64.powi(-((i * 5 % 17) as i32))),
        ]
    }

    /// How far values may be from where they belong, beside the size of the whole: LAPACK's are half as far.
    fn limit(n: usize, d: &[f64], beside: &[f64]) -> f64 {
        let largest = |x: &[f64]| x.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        (8.0 + 0.2 * n as f64) * f64::EPSILON * (largest(d) + 2.0 * largest(beside)) + f64::MIN_POSITIVE
    }

    #[test]
    fn eigenvalues_are_where_signs_change() {
        for n in [1, 2, 3, 4, 7, 20, 65, 200] {
            for (k, (d, beside)) in kinds(n).into_iter().enumerate() {
                let limit = limit(n, &d, &beside);
                for (i, x) in found(&d, &beside).into_iter().enumerate() {
                    let (below, above) = (count(&d, &beside, x - limit), count(&d, &beside, x + limit));
                    assert!(below <= i && i < above, "kind {k}, n = {n}, value {i}: {x} ({below}, {above})");
                }
            }
        }
    }

    #[test]
    fn singular_values_are_where_signs_change() {
        for n in [1, 2, 3, 4, 7, 20, 65, 200] {
            for (k, (d, beside)) in kinds(n).into_iter().enumerate() {
                let limit = limit(n, &d, &beside);
                // They and their opposites are the eigenvalues of the matrix with a diagonal of zeros, and both in turn beside it.
                let mixed: Vec<f64> =
                    (0..2 * n - 1).map(|i| if i % 2 == 0 { d[i / 2] } else { beside[i / 2] }).collect();
                let zeros = vec![0.0; 2 * n];
                for (i, x) in singular(&d, &beside).into_iter().enumerate() {
                    let (below, above) = (count(&zeros, &mixed, x - limit), count(&zeros, &mixed, x + limit));
                    assert!(below <= n + i && n + i < above, "kind {k}, n = {n}, value {i}: {x} ({below}, {above})");
                }
            }
        }
    }

    #[test]
    fn small_singular_values_keep_their_digits() {
        // Bidiagonal: the products of the values are the determinant, the smallest is far below the rounding of the largest.
        for n in [3, 8, 30] {
            let q: Vec<f64> = (0..n).map(|i| 100f64.powi(-((i % 6) as i32))).collect();
            let e: Vec<f64> = (0..n).map(|i| 0.01 * q[i]).collect();
            let root = |x: &[f64]| x.iter().map(|x| x.sqrt()).collect::<Vec<f64>>();
            let values = singular(&root(&q), &root(&e[..n - 1]));
            let determinant = |x: &[f64]| x.iter().map(|x| x.ln()).sum::<f64>();
            let difference = determinant(&values) - determinant(&root(&q));
            assert!(difference.abs() < 1e-13 * n as f64, "n = {n}: {difference}");
        }
    }

    #[test]
    fn what_is_no_number_has_no_values() {
        for bad in [f64::NAN, f64::INFINITY] {
            let (mut q, mut e, mut a, mut b) = ([1.0, bad, 2.0], [0.5; 3], [0.0; 3], [0.0; 3]);
            let (mut shifts, mut values) = ([Shift::default(); 3], [0.0; 3]);
            let squares = Squares { q: &mut q, e: &mut e, room: [&mut a, &mut b], shifts: &mut shifts };
            assert!(!eigenvalues(squares, &mut values));
            assert!(!diagonalise(&mut [1.0, bad, 2.0], &mut [0.5; 2]));
            assert!(!diagonalise(&mut [1.0; 3], &mut [bad, 0.5]));
        }
    }
}
