//! Reflections that are applied to many columns at once, and what is made of them: triangular, Hessenberg, tridiagonal and
//! bidiagonal matrices. Plain algorithms, column by column, compiled for each instruction set: for matrices that fit into the
//! cache near the processor they are faster than blocks of reflections.
//!
//! Columns begin at whole numbers of lanes, the rows that this adds are 0, and remain so: no loop has a rest. A complex number is
//! two real ones: what multiplies a column by a complex number adds multiples of two real vectors, the other of which is the first
//! times -i.

use super::matrix::Number;
use super::qr::{identity, reflection};
use super::verify;
use crate::simd::per_level;

/// Real numbers that are taken at once.
pub(super) const WIDTH: usize = 8;
pub(super) type Lane = [f64; WIDTH];
/// Columns that are taken at once: each number of the vector is loaded once for all.
const TOGETHER: usize = 4;

/// How far it is from one column of so many rows to the next. Of long ones the same rows of all would find little room in the
/// cache near the processor, if this was a multiple of many lanes.
pub(super) fn step<W: Number>(rows: usize) -> usize {
    let lanes = (rows * W::PARTS).div_ceil(WIDTH);
    (lanes + usize::from(lanes.is_multiple_of(32))) * (WIDTH / W::PARTS)
}

/// Up to so many real numbers a matrix is small enough for reflections and rotations one by one, which do not come back to a
/// column before they have been at all others.
pub(super) const IN_CACHE: usize = 36_864;

/// Whether reflections and rotations one by one are faster than the library's blocks of them.
pub(super) fn suit<W: Number>(rows: usize, columns: usize) -> bool {
    rows.saturating_mul(columns).saturating_mul(W::PARTS) <= IN_CACHE
}

/// The room that reflections of columns of this step take. A tridiagonal matrix takes all of it: four vectors, and each of them
/// times -i. A bidiagonal one takes two such pairs, a third for rows, which are no longer than columns, and as much as a row.
pub(super) const fn room(step: usize) -> usize {
    8 * step
}

/// Copies columns to where each has a step of its own.
pub(super) fn spread<W: Number>(to: &mut [W], from: &[W], rows: usize) {
    if rows > 0 {
        let step = step::<W>(rows);
        for (to, from) in to.chunks_exact_mut(step).zip(from.chunks_exact(rows)) {
            to[..rows].copy_from_slice(from);
            to[rows..].fill(W::NOUGHT);
        }
    }
}

/// Copies them back, one after another.
pub(super) fn gather<W: Number>(to: &mut [W], from: &[W], rows: usize) {
    if rows > 0 {
        for (to, from) in to.chunks_exact_mut(rows).zip(from.chunks_exact(step::<W>(rows))) {
            to.copy_from_slice(&from[..rows]);
        }
    }
}

#[inline(always)]
fn lanes(x: &[f64]) -> &[Lane] {
    x.as_chunks().0
}

#[inline(always)]
fn lanes_mut(x: &mut [f64]) -> &mut [Lane] {
    x.as_chunks_mut().0
}

/// x + a·b.
#[inline(always)]
fn plus(x: Lane, a: Lane, b: Lane) -> Lane {
    std::array::from_fn(|l| a[l].mul_add(b[l], x[l]))
}

#[inline(always)]
fn total(x: Lane) -> f64 {
    let four: [f64; 4] = std::array::from_fn(|l| x[l] + x[l + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}

/// The sum of the squares of the parts.
#[inline(always)]
fn squares<W: Number>(x: &[W]) -> f64 {
    let mut sums = [[0.0; WIDTH]; 2];
    for (i, &x) in lanes(W::parts(x)).iter().enumerate() {
        sums[i % 2] = plus(sums[i % 2], x, x);
    }
    total(sums[0]) + total(sums[1])
}

/// A vector as real numbers, from a row on, and if it is complex the same times -i.
#[derive(Clone, Copy)]
struct Vectors<'a> {
    plain: &'a [Lane],
    turned: &'a [Lane],
}

/// A vector as real numbers: the second half of the room takes it times -i.
#[inline(always)]
fn vectors<W: Number>(room: &mut [W], first: usize) -> Vectors<'_> {
    let (plain, beside) = room.split_at_mut(room.len() / 2);
    turned(plain, beside, first)
}

/// The same of a vector and of room for it times -i.
#[inline(always)]
fn turned<'a, W: Number>(plain: &'a [W], turned: &'a mut [W], first: usize) -> Vectors<'a> {
    if W::COMPLEX {
        for (turned, plain) in turned[first..].iter_mut().zip(&plain[first..]) {
            *turned = W::of_parts(plain.imaginary_part(), -plain.real_part());
        }
    }
    Vectors { plain: lanes(W::parts(&plain[first..])), turned: lanes(W::parts(&turned[first..])) }
}

/// The row of a whole number of lanes at or before a row.
#[inline(always)]
fn whole<W: Number>(row: usize) -> usize {
    row - row % (WIDTH / W::PARTS)
}

/// Puts the vector of a reflection from row k on, as a column has it below, to the room.
#[inline(always)]
fn unpack<'a, W: Number>(column: &[W], k: usize, room: &'a mut [W]) -> Vectors<'a> {
    let first = whole::<W>(k);
    room[first..k].fill(W::NOUGHT);
    room[k] = W::UNIT;
    room[k + 1..column.len()].copy_from_slice(&column[k + 1..]);
    vectors(room, first)
}

/// As [`reflection`], of the rows from k on.
#[inline(always)]
fn make<W: Number>(column: &mut [W], k: usize, room: &mut [W]) -> W {
    let first = whole::<W>(k);
    let (alpha, v) = (column[k], &mut room[..column.len()]);
    v[first..=k].fill(W::NOUGHT);
    v[k + 1..].copy_from_slice(&column[k + 1..]);
    let (rest, head) = (squares(&v[first..]), alpha.square());
    // Others lose digits, or there is nothing to do.
    if !(rest > 1e-200 && rest < 1e200 && head < 1e200) {
        return reflection(&mut column[k..]);
    }
    let norm = (head + rest).sqrt();
    let beta = if alpha.real_part() > 0.0 { -norm } else { norm };
    let factor = W::UNIT.over(alpha - W::of_real(beta));
    column[k + 1..].iter_mut().for_each(|x| *x *= factor);
    column[k] = W::of_real(beta);
    (W::of_real(beta) - alpha).times(1.0 / beta)
}

/// Some columns from a row on, as real numbers.
#[inline(always)]
fn columns<W: Number, const N: usize>(a: &mut [W], step: usize, first: usize) -> [&mut [Lane]; N] {
    let mut rest = a;
    let mut columns: [&mut [Lane]; N] = std::array::from_fn(|_| Default::default());
    for column in &mut columns {
        let (this, others) = rest.split_at_mut(step);
        rest = others;
        *column = lanes_mut(W::parts_mut(&mut this[first..]));
    }
    columns
}

/// The numbers by which a vector, and it times -i, are multiplied where it is by a number of `W`.
#[inline(always)]
fn factors<W: Number>(x: W) -> [Lane; 2] {
    // z v = Re z · v - Im z · (-i v).
    [[x.real_part(); WIDTH], [-x.imaginary_part(); WIDTH]]
}

/// x -= τ v (vᴴ x), of columns.
#[inline(always)]
fn reflect<W: Number>(tau: W, v: Vectors<'_>, a: &mut [W], step: usize, first: usize) {
    let mut some = a.chunks_exact_mut(TOGETHER * step);
    for a in some.by_ref() {
        reflect_some::<W, TOGETHER>(tau, v, columns(a, step, first), [None; TOGETHER]);
    }
    for a in some.into_remainder().chunks_exact_mut(step) {
        reflect_some::<W, 1>(tau, v, columns(a, step, first), [None]);
    }
}

/// The same, after multiples of other vectors were added.
#[inline(always)]
fn reflect_some<W: Number, const N: usize>(
    tau: W,
    v: Vectors<'_>,
    mut x: [&mut [Lane]; N],
    before: [Option<(Vectors<'_>, [Lane; 2])>; N],
) {
    let count = v.plain.len();
    for x in &mut x {
        *x = &mut std::mem::take(x)[..count];
    }
    let turned = if W::COMPLEX { &v.turned[..count] } else { v.plain };
    let mut sums = [[[0.0; WIDTH]; 2]; N];
    for i in 0..count {
        for j in 0..N {
            let mut y = x[j][i];
            if let Some((u, by)) = before[j] {
                y = plus(y, u.plain[i], by[0]);
                if W::COMPLEX {
                    y = plus(y, u.turned[i], by[1]);
                }
                x[j][i] = y;
            }
            sums[j][0] = plus(sums[j][0], v.plain[i], y);
            if W::COMPLEX {
                sums[j][1] = plus(sums[j][1], turned[i], y);
            }
        }
    }
    // By loops: closures of `map` are not compiled for the level.
    let mut by = [[[0.0; WIDTH]; 2]; N];
    for j in 0..N {
        // The imaginary part of vᴴx is the product with iv.
        let dot = W::of_parts(total(sums[j][0]), if W::COMPLEX { -total(sums[j][1]) } else { 0.0 });
        by[j] = factors(-(tau * dot));
    }
    for i in 0..count {
        for j in 0..N {
            let mut y = plus(x[j][i], v.plain[i], by[j][0]);
            if W::COMPLEX {
                y = plus(y, turned[i], by[j][1]);
            }
            x[j][i] = y;
        }
    }
}

/// y = Σ sⱼxⱼ, of the rows from `first` on; the second half of y is room.
#[inline(always)]
fn combine<W: Number>(a: &[W], step: usize, first: usize, s: &[W], y: &mut [W]) {
    let (re, im) = y.split_at_mut(step);
    let (re, im) = (&mut re[first..], &mut im[first..]);
    re.fill(W::NOUGHT);
    im.fill(W::NOUGHT);
    let sums = [lanes_mut(W::parts_mut(re)), lanes_mut(W::parts_mut(im))];
    combine_some(a, step, first, s, sums);
    join(y, step, first);
}

/// The sums with real parts of factors, to which those with imaginary ones are added.
#[inline(always)]
fn join<W: Number>(y: &mut [W], step: usize, first: usize) {
    if W::COMPLEX {
        let (re, im) = y.split_at_mut(step);
        for (re, im) in re[first..].iter_mut().zip(&im[first..]) {
            *re += W::of_parts(-im.imaginary_part(), im.real_part());
        }
    }
}

#[inline(always)]
fn combine_some<W: Number>(a: &[W], step: usize, first: usize, s: &[W], [re, im]: [&mut [Lane]; 2]) {
    let some = (a.chunks_exact(TOGETHER * step), s.chunks_exact(TOGETHER));
    let rest = (some.0.remainder(), some.1.remainder());
    for (a, s) in some.0.zip(some.1) {
        let (mut x, mut by) = ([&[] as &[Lane]; TOGETHER], [[[0.0; WIDTH]; 2]; TOGETHER]);
        for j in 0..TOGETHER {
            x[j] = &lanes(W::parts(&a[j * step + first..(j + 1) * step]))[..re.len()];
            by[j] = [[s[j].real_part(); WIDTH], [s[j].imaginary_part(); WIDTH]];
        }
        for (i, (re, im)) in re.iter_mut().zip(im.iter_mut()).enumerate() {
            for j in 0..TOGETHER {
                *re = plus(*re, x[j][i], by[j][0]);
                if W::COMPLEX {
                    *im = plus(*im, x[j][i], by[j][1]);
                }
            }
        }
    }
    for (a, s) in rest.0.chunks_exact(step).zip(rest.1) {
        for (x, (re, im)) in lanes(W::parts(&a[first..])).iter().zip(re.iter_mut().zip(im.iter_mut())) {
            *re = plus(*re, *x, [s.real_part(); WIDTH]);
            if W::COMPLEX {
                *im = plus(*im, *x, [s.imaginary_part(); WIDTH]);
            }
        }
    }
}

/// x += s·v.
#[inline(always)]
fn add<W: Number>(x: &mut [W], v: Vectors<'_>, s: W) {
    let by = factors(s);
    for (i, x) in lanes_mut(W::parts_mut(x)).iter_mut().enumerate() {
        *x = plus(*x, v.plain[i], by[0]);
        if W::COMPLEX {
            *x = plus(*x, v.turned[i], by[1]);
        }
    }
}

/// Makes a matrix triangular by reflections, which are left below the diagonal.
///
/// # Safety
///
/// None but the level's.
#[inline(always)]
unsafe fn triangular_of<W: Number>(a: &mut [W], taus: &mut [W], room: &mut [W], step: usize) {
    let room = &mut room[..2 * step];
    for (k, tau) in taus.iter_mut().enumerate() {
        let (left, right) = a.split_at_mut((k + 1) * step);
        let column = &mut left[k * step..];
        *tau = make(column, k, room);
        if *tau != W::NOUGHT {
            reflect(tau.conjugate(), unpack(column, k, room), right, step, whole::<W>(k));
        }
    }
}

/// The product of the reflections that the columns of `factors` have below the row `below` their own, as many columns of it as
/// there is room for.
///
/// # Safety
///
/// None but the level's.
#[inline(always)]
unsafe fn product_of<W: Number>(q: &mut [W], factors: &[W], taus: &[W], room: &mut [W], sizes: [usize; 2]) {
    let [step, below] = sizes;
    let room = &mut room[..2 * step];
    identity(q, step);
    for (k, &tau) in taus.iter().enumerate().rev() {
        let row = k + below;
        if tau != W::NOUGHT && row * step < q.len() {
            let v = unpack(&factors[k * step..][..step], row, room);
            // The columns before are 0 where the reflection acts.
            reflect(tau, v, &mut q[row * step..], step, whole::<W>(row));
        }
    }
}

/// Makes a square matrix Hessenberg by a similarity of reflections, which are left below.
///
/// # Safety
///
/// None but the level's.
#[inline(always)]
unsafe fn hessenberg_of<W: Number>(a: &mut [W], taus: &mut [W], room: &mut [W], step: usize) {
    let n = taus.len() + 1;
    let (v, y) = room[..4 * step].split_at_mut(2 * step);
    for (k, tau) in taus.iter_mut().enumerate() {
        let (left, right) = a.split_at_mut((k + 1) * step);
        let column = &mut left[k * step..];
        *tau = make(column, k + 1, v);
        if *tau == W::NOUGHT {
            continue;
        }
        reflect(tau.conjugate(), unpack(column, k + 1, v), right, step, whole::<W>(k + 1));
        let v = &v[k + 1..n];
        combine(right, step, 0, v, y);
        let y = vectors(y, 0);
        for (x, v) in right.chunks_exact_mut(step).zip(v) {
            add(x, y, -(*tau * v.conjugate()));
        }
    }
}

/// What the next step of a reduction does to columns before it looks at them: adds multiples of two vectors.
#[derive(Clone, Copy)]
struct Update<'a> {
    v: Vectors<'a>,
    w: Vectors<'a>,
}

/// x += multiples of the vectors of an update, and sums += s·x.
#[inline(always)]
fn update_some<W: Number, const N: usize>(
    mut x: [&mut [Lane]; N],
    update: Update<'_>,
    by: [[W; 2]; N],
    s: [W; N],
    [re, im]: [&mut [Lane]; 2],
) {
    let count = re.len();
    for x in &mut x {
        *x = &mut std::mem::take(x)[..count];
    }
    let Update { v, w } = update;
    let (v, w) = (
        [&v.plain[..count], if W::COMPLEX { &v.turned[..count] } else { v.plain }],
        [&w.plain[..count], if W::COMPLEX { &w.turned[..count] } else { w.plain }],
    );
    let (mut of_v, mut of_w, mut of_x) = ([[[0.0; WIDTH]; 2]; N], [[[0.0; WIDTH]; 2]; N], [[[0.0; WIDTH]; 2]; N]);
    for j in 0..N {
        (of_v[j], of_w[j]) = (factors(by[j][0]), factors(by[j][1]));
        of_x[j] = [[s[j].real_part(); WIDTH], [s[j].imaginary_part(); WIDTH]];
    }
    let im = &mut im[..count];
    for i in 0..count {
        let (mut sum, mut turned) = (re[i], im[i]);
        for j in 0..N {
            let mut y = plus(plus(x[j][i], v[0][i], of_v[j][0]), w[0][i], of_w[j][0]);
            if W::COMPLEX {
                y = plus(plus(y, v[1][i], of_v[j][1]), w[1][i], of_w[j][1]);
                turned = plus(turned, y, of_x[j][1]);
            }
            x[j][i] = y;
            sum = plus(sum, y, of_x[j][0]);
        }
        re[i] = sum;
        if W::COMPLEX {
            im[i] = turned;
        }
    }
}

/// Makes a Hermitian matrix, of which both triangles are there, tridiagonal by a similarity of reflections, which are left below:
/// gives the diagonal and what is beside it, which is real.
///
/// # Safety
///
/// None but the level's.
#[inline(always)]
unsafe fn tridiagonal_of<W: Number>(
    a: &mut [W],
    taus: &mut [W],
    room: &mut [W],
    [diagonal, beside]: [&mut [f64]; 2],
    step: usize,
) {
    let n = taus.len() + 1;
    let (first, rest) = room.split_at_mut(2 * step);
    let (second, rest) = rest.split_at_mut(2 * step);
    let (third, fourth) = rest.split_at_mut(2 * step);
    let (mut v, mut w, mut next, mut y) = (first, second, third, &mut fourth[..2 * step]);
    // What is still to be subtracted: vwᴴ + wvᴴ.
    let mut pending = false;
    for k in 0..n {
        let (left, right) = a.split_at_mut((k + 1) * step);
        let column = &mut left[k * step..];
        if pending {
            let first = whole::<W>(k);
            let (of_w, of_v) = (-w[k].conjugate(), -v[k].conjugate());
            add(&mut column[first..], vectors(v, first), of_w);
            add(&mut column[first..], vectors(w, first), of_v);
        }
        diagonal[k] = column[k].real_part();
        if k + 1 == n {
            return;
        }
        let first = whole::<W>(k + 1);
        let tau = make(column, k + 1, next);
        (taus[k], beside[k]) = (tau, column[k + 1].real_part());
        unpack(column, k + 1, next);
        let s = &next[k + 1..n];
        y[first..step].fill(W::NOUGHT);
        y[step + first..].fill(W::NOUGHT);
        let (re, im) = y.split_at_mut(step);
        let sums = [lanes_mut(W::parts_mut(&mut re[first..])), lanes_mut(W::parts_mut(&mut im[first..]))];
        if pending {
            let [re, im] = sums;
            let whole_columns = s.len() / TOGETHER * TOGETHER;
            let (v_plain, v_turned) = v.split_at_mut(step);
            let (w_plain, w_turned) = w.split_at_mut(step);
            let update = Update { v: turned::<W>(v_plain, v_turned, first), w: turned::<W>(w_plain, w_turned, first) };
            let factors = |j: usize| [-w_plain[k + 1 + j].conjugate(), -v_plain[k + 1 + j].conjugate()];
            let (many, few) = right.split_at_mut(whole_columns * step);
            for (i, a) in many.chunks_exact_mut(TOGETHER * step).enumerate() {
                let j = i * TOGETHER;
                let by = [factors(j), factors(j + 1), factors(j + 2), factors(j + 3)];
                let s = [s[j], s[j + 1], s[j + 2], s[j + 3]];
                update_some::<W, TOGETHER>(columns(a, step, first), update, by, s, [&mut *re, &mut *im]);
            }
            for (i, a) in few.chunks_exact_mut(step).enumerate() {
                let j = whole_columns + i;
                update_some::<W, 1>(columns(a, step, first), update, [factors(j)], [s[j]], [&mut *re, &mut *im]);
            }
        } else {
            combine_some(right, step, first, s, sums);
        }
        pending = tau != W::NOUGHT;
        if pending {
            join(y, step, first);
            // w = τAv - τ/2·((τAv)ᴴv)·v
            let y_here = &mut y[..step];
            y_here[first..=k].fill(W::NOUGHT);
            y_here[k + 1..].iter_mut().for_each(|y| *y *= tau);
            let by = (tau * verify::dot(&y_here[k + 1..n], s)).times(-0.5);
            y_here[k + 1..n].iter_mut().zip(s).for_each(|(y, v)| *y += by * *v);
            std::mem::swap(&mut v, &mut next);
            std::mem::swap(&mut w, &mut y);
        }
    }
}

/// Makes a matrix with at least as many rows as columns bidiagonal by reflections from both sides: the left ones are left below
/// the diagonal, the right ones in columns of `right`. Gives the diagonal and what is right of it, which are real.
///
/// # Safety
///
/// None but the level's.
#[inline(always)]
unsafe fn bidiagonal_of<W: Number>(
    [a, right]: [&mut [W]; 2],
    [left_taus, right_taus]: [&mut [W]; 2],
    room: &mut [W],
    [diagonal, beside]: [&mut [f64]; 2],
    [step, beyond]: [usize; 2],
) {
    let n = left_taus.len();
    let (v, rest) = room.split_at_mut(2 * step);
    let (y, rest) = rest.split_at_mut(2 * step);
    let (r, rest) = rest.split_at_mut(2 * beyond);
    let c = &mut rest[..n];
    let mut pending = false;
    for k in 0..n {
        let (done, others) = a.split_at_mut((k + 1) * step);
        let column = &mut done[k * step..];
        let first = whole::<W>(k);
        if pending {
            add(&mut column[first..], vectors(y, first), c[k]);
        }
        let tau = make(column, k, v);
        (left_taus[k], diagonal[k]) = (tau, column[k].real_part());
        if k + 1 == n {
            return;
        }
        let vector = unpack(column, k, v);
        if pending {
            let before = vectors(y, first);
            let c = &c[k + 1..];
            let whole_columns = c.len() / TOGETHER * TOGETHER;
            let (many, few) = others.split_at_mut(whole_columns * step);
            for (a, c) in many.chunks_exact_mut(TOGETHER * step).zip(c.chunks_exact(TOGETHER)) {
                let before = [c[0], c[1], c[2], c[3]].map(|c| Some((before, factors(c))));
                reflect_some::<W, TOGETHER>(tau.conjugate(), vector, columns(a, step, first), before);
            }
            for (a, &c) in few.chunks_exact_mut(step).zip(&c[whole_columns..]) {
                let before = [Some((before, factors(c)))];
                reflect_some::<W, 1>(tau.conjugate(), vector, columns(a, step, first), before);
            }
        } else if tau != W::NOUGHT {
            reflect(tau.conjugate(), vector, others, step, first);
        }
        let row = &mut right[k * beyond..][..beyond];
        row.fill(W::NOUGHT);
        for (to, a) in row[k + 1..].iter_mut().zip(others.chunks_exact(step)) {
            *to = a[k].conjugate();
        }
        let tau = make(row, k + 1, r);
        (right_taus[k], beside[k]) = (tau, row[k + 1].real_part());
        pending = tau != W::NOUGHT;
        if pending {
            unpack(row, k + 1, r);
            let r = &r[k + 1..n];
            combine(others, step, whole::<W>(k + 1), r, y);
            c[k + 1..].iter_mut().zip(r).for_each(|(c, r)| *c = -(tau * r.conjugate()));
        }
    }
}

per_level! {
    /// Makes a matrix triangular: `(columns, taus, room, step)`.
    fn triangular<W: Number>(a: &mut [W], taus: &mut [W], room: &mut [W], step: usize) = triangular_of;
    /// The product of reflections: `(q, factors, taus, room, [step, below])`.
    fn product<W: Number>(q: &mut [W], factors: &[W], taus: &[W], room: &mut [W], sizes: [usize; 2]) = product_of;
    /// Makes a matrix Hessenberg: `(columns, taus, room, step)`.
    fn hessenberg<W: Number>(a: &mut [W], taus: &mut [W], room: &mut [W], step: usize) = hessenberg_of;
    /// Makes a Hermitian matrix tridiagonal: `(columns, taus, room, [diagonal, beside], step)`.
    fn tridiagonal<W: Number>(a: &mut [W], taus: &mut [W], room: &mut [W], to: [&mut [f64]; 2], step: usize) = tridiagonal_of;
    /// Makes a matrix bidiagonal: `([columns, right], [left taus, right taus], room, [diagonal, beside], [step, step of right])`.
    fn bidiagonal<W: Number>(
        a: [&mut [W]; 2],
        taus: [&mut [W]; 2],
        room: &mut [W],
        to: [&mut [f64]; 2],
        steps: [usize; 2],
    ) = bidiagonal_of;
}
