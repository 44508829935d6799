//! The eigenvalues and eigenvectors of any square matrix.
//!
//! The plain algorithm makes the matrix Hessenberg by reflections, then triangular by shifted QR steps, real matrices
//! up to blocks of two rows with a pair of conjugate eigenvalues; the vectors follow by substitution. Real matrices are
//! never made complex: so pairs are exactly conjugate, and what belongs to a real eigenvalue is real.

use std::mem::MaybeUninit;

use faer::diag::DiagMut;
use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::evd::{self, ComputeEigenvectors};
use faer::{MatMut, MatRef, Par};
use strictarray_core::{Complex, Operand, Result};
use strictarray_standard::rule;

use super::balance::{self, Similarity};
use super::matrix::{Fault, Number, for_each};
use super::qr::reflection;
use super::reflections;
use super::scale::{self, Power};
use super::svd::length;
use super::verify;
use crate::Ctx;
use crate::scratch::Scratch;
use crate::simd::{Level, per_level};

type C = Complex<f64>;

/// What is different for real and complex matrices.
pub(super) trait Spectrum: Number {
    /// Up to this size the plain algorithm is the faster one: with vectors, and without.
    const SMALL: [usize; 2];

    /// What the library needs to work in.
    fn library_scratch(n: usize, vectors: ComputeEigenvectors) -> StackReq;

    /// The library's eigenvalues, and its vectors as it writes them; `false` if it found none.
    fn library(
        a: &[Self],
        n: usize,
        values: &mut [C],
        parts: &mut [Self],
        v: Option<&mut [Self]>,
        stack: &mut MemStack,
    ) -> bool;

    /// Makes a Hessenberg matrix triangular, but for blocks of two rows with conjugate eigenvalues, and multiplies `z`
    /// by what does it, unless it is empty: then only the eigenvalues of its diagonal are right. `false` if that has no end.
    fn schur(level: Level, h: &mut [Self], z: &mut [Self], n: usize) -> bool;
}

impl Spectrum for f64 {
    const SMALL: [usize; 2] = [100, 224];

    fn library_scratch(n: usize, vectors: ComputeEigenvectors) -> StackReq {
        evd::evd_scratch::<f64>(n, ComputeEigenvectors::No, vectors, Par::Seq, Default::default())
    }

    fn library(
        a: &[f64],
        n: usize,
        values: &mut [C],
        parts: &mut [f64],
        v: Option<&mut [f64]>,
        stack: &mut MemStack,
    ) -> bool {
        let (re, im) = parts.split_at_mut(n);
        let result = evd::evd_real(
            MatRef::from_column_major_slice(a, n, n),
            DiagMut::from_slice_mut(re),
            DiagMut::from_slice_mut(im),
            None,
            v.map(|v| MatMut::from_column_major_slice_mut(v, n, n)),
            Par::Seq,
            stack,
            Default::default(),
        );
        for (value, (&re, &im)) in values.iter_mut().zip(re.iter().zip(&*im)) {
            *value = C::new(re, im);
        }
        result.is_ok() && pairs(values)
    }

    fn schur(level: Level, h: &mut [f64], z: &mut [f64], n: usize) -> bool {
        // SAFETY: the machine has the level.
        unsafe { real_schur(level)(h, z, n) }
    }
}

impl Spectrum for C {
    const SMALL: [usize; 2] = [16, 16];

    fn library_scratch(n: usize, vectors: ComputeEigenvectors) -> StackReq {
        evd::evd_scratch::<C>(n, ComputeEigenvectors::No, vectors, Par::Seq, Default::default())
    }

    fn library(a: &[C], n: usize, values: &mut [C], _: &mut [C], v: Option<&mut [C]>, stack: &mut MemStack) -> bool {
        let result = evd::evd_cplx::<f64>(
            MatRef::from_column_major_slice(a, n, n),
            DiagMut::from_slice_mut(values),
            None,
            v.map(|v| MatMut::from_column_major_slice_mut(v, n, n)),
            Par::Seq,
            stack,
            Default::default(),
        );
        result.is_ok()
    }

    fn schur(level: Level, h: &mut [C], z: &mut [C], n: usize) -> bool {
        // SAFETY: the machine has the level.
        unsafe { complex_schur(level)(h, z, n) }
    }
}

/// Whether some columns vanish beside others. Of such a matrix the library finds values that are none, of the right sum.
fn is_graded<W: Number>(a: &[W], n: usize) -> bool {
    // Found of columns that are 1e-100 of others, not of 1e-60.
    const FAR: f64 = 1e-50;
    let largest = |column: &[W]| column.iter().fold(0.0, |most: f64, x| most.max(x.magnitude()));
    let sizes = a.chunks_exact(n.max(1)).map(largest).filter(|size| *size > 0.0);
    let (least, most) =
        sizes.fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), size| (least.min(size), most.max(size)));
    least < FAR * most
}

/// Whether values that are not real come in conjugate pairs, one after another.
fn pairs(values: &[C]) -> bool {
    let mut k = 0;
    while k < values.len() {
        if values[k].im == 0.0 {
            k += 1;
        } else if values.get(k + 1) == Some(&values[k].conj()) {
            k += 2;
        } else {
            return false;
        }
    }
    true
}

pub(super) fn eig<W: Spectrum>(
    ctx: &Ctx<'_>,
    values: &Operand<'_>,
    vectors: Option<&Operand<'_>>,
    x: &Operand<'_>,
    n: usize,
) -> Result<()> {
    let size = super::elements(n, n)?;
    let large = n > W::SMALL[usize::from(vectors.is_none())];
    let if_large = |size| if large { size } else { 0 };
    let if_wanted = |size| if vectors.is_some() { size } else { 0 };
    let mut matrix = Scratch::filled(ctx, size, W::NOUGHT)?;
    let mut original = Scratch::filled(ctx, if_large(size), W::NOUGHT)?;
    let mut source = Scratch::filled(ctx, if_wanted(size), W::NOUGHT)?;
    let mut exponents = Scratch::filled(ctx, n, 0)?;
    let mut order = Scratch::filled(ctx, n, 0)?;
    let mut bases = Scratch::filled(ctx, if_wanted(size), W::NOUGHT)?;
    let mut found = Scratch::filled(ctx, if_wanted(size), C::NOUGHT)?;
    let mut spectrum = Scratch::filled(ctx, n, C::NOUGHT)?;
    let mut parts = Scratch::filled(ctx, 2 * n, W::NOUGHT)?;
    let mut room = Scratch::filled(ctx, 4 * n, C::NOUGHT)?;
    let compute = if vectors.is_some() { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No };
    let stack = if large { W::library_scratch(n, compute).unaligned_bytes_required() } else { 0 };
    let mut stack = Scratch::<u8>::new(ctx, stack)?;
    let mut reflected = if large { None } else { Some(Reflected::<W>::new(ctx, n, vectors.is_some())?) };
    let cost = n.saturating_mul(n).saturating_mul(n).saturating_mul(25) + 64;
    let (other, axes) = vectors.map_or((values, 1), |vectors| (vectors, 2));
    for_each(ctx, [(values, 1), (other, axes), (x, 2)], cost, |[values, other, x]| {
        // SAFETY: the elements of x are computed in W; scratch memory is set.
        let ([a, original, source, z, parts], [v, spectrum, room], mut similarity) = unsafe {
            x.load(matrix.values());
            (
                [matrix.values(), original.values(), source.values(), bases.values(), parts.values()],
                [found.values(), spectrum.values(), room.values()],
                Similarity { order: order.values(), exponents: exponents.values() },
            )
        };
        let Some(largest) = scale::largest(a) else {
            return Err(Fault::Refused(&rule::NOT_FINITE, "a matrix with a value that is not finite".into()));
        };
        let power = scale::toward_one(largest);
        let source = vectors.is_some().then(|| {
            source.copy_from_slice(a);
            power.scale(source);
            &*source
        });
        // Elements that vanish beside the largest may be as large as any once the matrix is balanced.
        let above = scale::toward_top(largest);
        above.scale(a);
        let balanced = similarity.balance(a);
        // Balancing makes nothing larger than the largest element was.
        let near = scale::largest(a).map_or(Power::ONE, scale::toward_one);
        near.scale(a);
        // The power of two by which the eigenvalues found are too large.
        let mut unit = above.exponent() + near.exponent();
        // Once more as it came, where balancing did not serve the vectors.
        for again in [false, true] {
            let mut done = false;
            if large && (vectors.is_some() || !is_graded(a, n)) {
                original.copy_from_slice(a);
                // What another matrix of the stack left there must not show.
                spectrum.fill(C::NOUGHT);
                z.fill(W::NOUGHT);
                parts.fill(W::NOUGHT);
                stack.room().fill(MaybeUninit::new(0));
                let wanted = vectors.is_some().then_some(&mut *z);
                let stack = MemStack::new(stack.room());
                let result = super::library(|| W::library(original, n, spectrum, parts, wanted, stack));
                done = result == Some(true);
                if done && vectors.is_some() {
                    unpack(v, z, spectrum, n);
                }
                let vectors = vectors.is_some().then_some(&*v);
                done = done && verify::eig(original, spectrum, vectors, n, room);
            }
            if !done {
                let reflected = match &mut reflected {
                    Some(reflected) => reflected,
                    none => none.insert(Reflected::new(ctx, n, vectors.is_some())?),
                };
                reflected.hessenberg(a, z, n);
                if !W::schur(ctx.simd(), a, z, n) {
                    return Err(Fault::Refused(
                        &rule::NO_CONVERGENCE,
                        "a matrix whose eigenvalues were not found".into(),
                    ));
                }
                values_of(a, n, spectrum);
                if vectors.is_some() {
                    vectors_of(a, z, n, spectrum, v, room);
                }
            }
            let Some(source) = source.filter(|_| balanced && !again) else { break };
            similarity.undo(v, room);
            for (x, value) in v.chunks_exact_mut(n.max(1)).zip(&*spectrum) {
                normalise(x, W::COMPLEX || value.im != 0.0);
            }
            if balance::holds(source, spectrum, Power::new(power.exponent() - unit), v, n, room) {
                break;
            }
            a.copy_from_slice(source);
            unit = power.exponent();
        }
        Power::new(-unit).scale(spectrum);
        // SAFETY: the operands are ours to write, and their elements computed in complex numbers.
        unsafe {
            values.store(spectrum);
            if vectors.is_some() {
                other.store(v);
            }
        }
        Ok(())
    })
}

/// The library's vectors with norm 1: of a pair of eigenvalues of a real matrix it gives the real and the imaginary
/// parts.
fn unpack<W: Number>(v: &mut [C], packed: &[W], values: &[C], n: usize) {
    let column = |k: usize| &packed[k * n..][..n];
    let mut k = 0;
    while k < n {
        if W::COMPLEX || values[k].im == 0.0 {
            for (to, x) in v[k * n..][..n].iter_mut().zip(column(k)) {
                *to = C::new(x.real_part(), x.imaginary_part());
            }
            normalise(&mut v[k * n..][..n], W::COMPLEX);
            k += 1;
        } else {
            let (first, second) = v[k * n..][..2 * n].split_at_mut(n);
            for (to, (re, im)) in first.iter_mut().zip(column(k).iter().zip(column(k + 1))) {
                *to = C::new(re.real_part(), im.real_part());
            }
            normalise(first, true);
            second.iter_mut().zip(first).for_each(|(to, x)| *to = x.conj());
            k += 2;
        }
    }
}

/// Gives a vector norm 1, and turns one that need not be real so that its largest element is.
fn normalise(x: &mut [C], turn: bool) {
    let norm = length(x);
    if norm == 0.0 || !norm.is_finite() {
        return;
    }
    let power = Power::new(-scale::exponent(norm));
    let factor = 1.0 / power.times(norm);
    x.iter_mut().for_each(|x| *x = power.times(*x).times(factor));
    if turn {
        let mut place = 0;
        for (i, z) in x.iter().enumerate() {
            if z.square() > x[place].square() {
                place = i;
            }
        }
        let phase = x[place].conj().times(1.0 / x[place].modulus());
        x.iter_mut().for_each(|z| *z *= phase);
        x[place].im = 0.0;
    }
}

/// What the reflections that make matrices of one size Hessenberg work in.
struct Reflected<W> {
    level: Level,
    matrix: Scratch<W>,
    q: Scratch<W>,
    taus: Scratch<W>,
    room: Scratch<W>,
}

impl<W: Number> Reflected<W> {
    fn new(ctx: &Ctx<'_>, n: usize, vectors: bool) -> Result<Reflected<W>> {
        let step = reflections::step::<W>(n);
        let size = super::elements(step, n)?;
        let new = |size| Scratch::filled(ctx, size, W::NOUGHT);
        Ok(Reflected {
            level: ctx.simd(),
            matrix: new(size)?,
            q: new(if vectors { size } else { 0 })?,
            taus: new(n.saturating_sub(1))?,
            room: new(reflections::room(step))?,
        })
    }

    /// Makes a matrix Hessenberg, and sets `z` to the product of the reflections, unless it is empty.
    fn hessenberg(&mut self, a: &mut [W], z: &mut [W], n: usize) {
        let step = reflections::step::<W>(n);
        // SAFETY: all were set when they were made; the machine has the level.
        unsafe {
            let [matrix, q, taus, room] =
                [self.matrix.values(), self.q.values(), self.taus.values(), self.room.values()];
            reflections::spread(matrix, a, n);
            reflections::hessenberg(self.level)(matrix, taus, room, step);
            if !z.is_empty() {
                reflections::product(self.level)(q, matrix, taus, room, [step, 1]);
                reflections::gather(z, q, n);
            }
            reflections::gather(a, matrix, n);
        }
        for (k, column) in a.chunks_exact_mut(n).enumerate() {
            column[n.min(k + 2)..].fill(W::NOUGHT);
        }
    }
}

/// Steps after which the search for one eigenvalue is given up: nobody has seen that.
const STEPS: usize = 300;

/// Where the last part of a Hessenberg matrix that does not fall apart begins, of those that end before `end`. Elements
/// below the diagonal that make no difference are set to 0.
#[inline(always)]
fn active<W: Number>(h: &mut [W], n: usize, end: usize, norm: f64, steps: usize) -> usize {
    let size = |x: W| x.real_part().abs() + x.imaginary_part().abs();
    let mut start = end - 1;
    while start > 0 {
        let beside = size(h[(start - 1) * n + start - 1]) + size(h[start * n + start]);
        // What is small beside the whole makes no difference either, but keeps small eigenvalues exact if it can.
        let beside = if beside == 0.0 || steps > 30 { norm } else { beside };
        let below = &mut h[(start - 1) * n + start];
        // Beyond this, quotients of elements might overflow.
        if size(*below) <= (verify::EPSILON * beside).max(norm * 1e-140) {
            *below = W::NOUGHT;
            break;
        }
        start -= 1;
    }
    start
}

per_level! {
    /// Makes a real Hessenberg matrix triangular, but for blocks of two rows.
    fn real_schur<>(h: &mut [f64], z: &mut [f64], n: usize) -> bool = schur_real;
    /// Makes a complex Hessenberg matrix triangular.
    fn complex_schur<>(h: &mut [C], z: &mut [C], n: usize) -> bool = schur_complex;
}

/// # Safety
///
/// None but the level's.
#[inline(always)]
unsafe fn schur_real(h: &mut [f64], z: &mut [f64], n: usize) -> bool {
    let norm = verify::norm(h);
    let (mut end, mut steps) = (n, 0);
    while end > 0 {
        let start = active(h, n, end, norm, steps);
        if start + 2 >= end {
            if start + 2 == end {
                part(h, z, n, start);
            }
            (end, steps) = (start, 0);
            continue;
        }
        steps += 1;
        if steps > STEPS {
            return false;
        }
        double_step(h, z, n, start, end, steps);
    }
    true
}

/// A step of QR with two shifts, which are conjugate or both real, on the rows from `start` to `end`, at least three.
#[inline(always)]
fn double_step(h: &mut [f64], z: &mut [f64], n: usize, start: usize, end: usize, steps: usize) {
    let at = |i: usize, j: usize| j * n + i;
    let [k, l] = [end - 2, end - 1];
    let (mut a, mut d, mut bc) = (h[at(k, k)], h[at(l, l)], h[at(k, l)] * h[at(l, k)]);
    if steps.is_multiple_of(10) {
        // Other shifts, where these lead nowhere.
        let s = h[at(l, k)].abs() + h[at(k, k - 1)].abs();
        (a, d, bc) = (d + 0.75 * s, d + 0.75 * s, -0.4375 * s * s);
    }
    let (h00, h10) = (h[at(start, start)], h[at(start + 1, start)]);
    let mut x = [
        ((a - h00) * (d - h00) - bc) / h10 + h[at(start, start + 1)],
        h[at(start + 1, start + 1)] - h00 - (a - h00) - (d - h00),
        h[at(start + 2, start + 1)],
    ];
    // Where nobody asks for vectors, what is beside the active rows and columns has done its part.
    let (top, beyond) = if z.is_empty() { (start, end) } else { (0, n) };
    for k in start..end - 1 {
        let three = end - k > 2;
        if k > start {
            x = [h[at(k, k - 1)], h[at(k + 1, k - 1)], if three { h[at(k + 2, k - 1)] } else { 0.0 }];
        }
        let (beta, tau, v) = short_reflection(x);
        if k > start {
            h[at(k, k - 1)] = beta;
            h[at(k + 1, k - 1)] = 0.0;
            if three {
                h[at(k + 2, k - 1)] = 0.0;
            }
        }
        if tau == 0.0 {
            continue;
        }
        let all = h[k * n..beyond * n].chunks_exact_mut(n);
        if three {
            all.for_each(|column| reflect(tau, v, column[k..].first_chunk_mut::<3>()));
        } else {
            all.for_each(|column| reflect(tau, v, column[k..].first_chunk_mut::<2>()));
        }
        columns_reflected(&mut h[k * n..], n, [top, end.min(k + 4)], tau, v, three);
        if !z.is_empty() {
            columns_reflected(&mut z[k * n..], n, [0, n], tau, v, three);
        }
    }
}

/// As [`reflection`] of three numbers: what the first becomes, τ, and the rest of the vector.
#[inline(always)]
fn short_reflection(mut x: [f64; 3]) -> (f64, f64, [f64; 2]) {
    let (head, rest) = (x[0] * x[0], x[1] * x[1] + x[2] * x[2]);
    if rest > 1e-200 && rest < 1e200 && head < 1e200 {
        let beta = -(head + rest).sqrt().copysign(x[0]);
        let factor = 1.0 / (x[0] - beta);
        return (beta, (beta - x[0]) / beta, [x[1] * factor, x[2] * factor]);
    }
    let tau = reflection(&mut x);
    (x[0], tau, [x[1], x[2]])
}

/// x -= τ v (vᵀ x), with v[0] = 1 and the rest given.
#[inline(always)]
fn reflect<const N: usize>(tau: f64, v: [f64; 2], x: Option<&mut [f64; N]>) {
    let Some(x) = x else { return };
    let mut dot = x[0];
    for (x, v) in x[1..].iter().zip(v) {
        dot += v * x;
    }
    dot *= tau;
    x[0] -= dot;
    for (x, v) in x[1..].iter_mut().zip(v) {
        *x -= v * dot;
    }
}

/// Reflects the elements of some rows of two or three columns.
#[inline(always)]
fn columns_reflected(a: &mut [f64], n: usize, [top, bottom]: [usize; 2], tau: f64, [v1, v2]: [f64; 2], three: bool) {
    let (first, rest) = a.split_at_mut(n);
    let (second, rest) = rest.split_at_mut(n);
    let (first, second) = (&mut first[top..bottom], &mut second[top..bottom]);
    if three {
        for ((x, y), z) in first.iter_mut().zip(second).zip(&mut rest[top..bottom]) {
            let dot = tau * (*x + v1 * *y + v2 * *z);
            *x -= dot;
            *y -= dot * v1;
            *z -= dot * v2;
        }
    } else {
        for (x, y) in first.iter_mut().zip(second) {
            let dot = tau * (*x + v1 * *y);
            *x -= dot;
            *y -= dot * v1;
        }
    }
}

/// Half the difference of the diagonal elements of two rows and columns, its square plus the product of the others, and
/// the power of two by which both are too large (the second twice).
fn discriminant([a, b, c, d]: [f64; 4]) -> (f64, f64, Power) {
    let most = [a, b, c, d].into_iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let power = Power::new(-scale::exponent(most));
    let [a, b, c, d] = [a, b, c, d].map(|x| power.times(x));
    let half = 0.5 * a - 0.5 * d;
    (half, half * half + b * c, power)
}

/// Makes a block of two rows triangular, if its eigenvalues are real.
#[inline(always)]
fn part(h: &mut [f64], z: &mut [f64], n: usize, k: usize) {
    let at = |i: usize, j: usize| j * n + i;
    let block = [h[at(k, k)], h[at(k, k + 1)], h[at(k + 1, k)], h[at(k + 1, k + 1)]];
    let (half, square, power) = discriminant(block);
    if square < 0.0 {
        return;
    }
    // An eigenvector, and what turns the first axis to it.
    let x = half + square.sqrt().copysign(half);
    let y = power.times(block[2]);
    let norm = x.hypot(y);
    let (c, s) = if norm > 0.0 { (x / norm, y / norm) } else { (1.0, 0.0) };
    let (top, beyond) = if z.is_empty() { (k, k + 2) } else { (0, n) };
    for column in h[k * n..beyond * n].chunks_exact_mut(n) {
        let (x, y) = (column[k], column[k + 1]);
        (column[k], column[k + 1]) = (c * x + s * y, c * y - s * x);
    }
    let turn = |a: &mut [f64], top: usize, bottom: usize| {
        let (left, right) = a[k * n..].split_at_mut(n);
        for (x, y) in left[top..bottom].iter_mut().zip(&mut right[top..bottom]) {
            (*x, *y) = (c * *x + s * *y, c * *y - s * *x);
        }
    };
    turn(h, top, k + 2);
    if !z.is_empty() {
        turn(z, 0, n);
    }
    h[at(k + 1, k)] = 0.0;
}

/// # Safety
///
/// None but the level's.
#[inline(always)]
unsafe fn schur_complex(h: &mut [C], z: &mut [C], n: usize) -> bool {
    let norm = verify::norm(h);
    let at = |i: usize, j: usize| j * n + i;
    let (mut end, mut steps) = (n, 0);
    while end > 0 {
        let start = active(h, n, end, norm, steps);
        if start + 1 == end {
            (end, steps) = (start, 0);
            continue;
        }
        steps += 1;
        if steps > STEPS {
            return false;
        }
        let [k, l] = [end - 2, end - 1];
        let shift = if steps.is_multiple_of(10) {
            // Another shift, where the usual one leads nowhere.
            h[at(l, l)] + C::new(h[at(l, k)].modulus(), 0.0) * 0.75
        } else {
            // The eigenvalue of the last two rows that is nearer to the last element.
            let bc = h[at(k, l)] * h[at(l, k)];
            let half = (h[at(k, k)] - h[at(l, l)]) * 0.5;
            let root = (half * half + bc).sqrt();
            let root = if half.re * root.re + half.im * root.im < 0.0 { -root } else { root };
            let sum = half + root;
            if sum == C::NOUGHT { h[at(l, l)] } else { h[at(l, l)] - bc.over(sum) }
        };
        let (top, beyond) = if z.is_empty() { (start, end) } else { (0, n) };
        for k in start..end - 1 {
            let (x, y) = if k == start {
                (h[at(k, k)] - shift, h[at(k + 1, k)])
            } else {
                (h[at(k, k - 1)], h[at(k + 1, k - 1)])
            };
            if y == C::NOUGHT {
                continue;
            }
            // Of the smallest numbers, moduli are not exact enough, and their reciprocals infinite.
            let most = x.magnitude().max(y.magnitude());
            let unit = if most < 1e-250 { scale::exponent(most) } else { 0 };
            let [x, y] = [x, y].map(|x| Power::new(-unit).times(x));
            let (a, b) = (x.modulus(), y.modulus());
            let norm = a.hypot(b);
            let phase = phase(x);
            // The rows' first elements are turned to (phase · norm, 0).
            let (c, s) = (a / norm, phase * y.conj().times(1.0 / norm));
            if k > start {
                h[at(k, k - 1)] = Power::new(unit).times(phase.times(norm));
                h[at(k + 1, k - 1)] = C::NOUGHT;
            }
            for column in h[k * n..beyond * n].chunks_exact_mut(n) {
                let (x, y) = (column[k], column[k + 1]);
                (column[k], column[k + 1]) = (x.times(c) + s * y, y.times(c) - s.conj() * x);
            }
            let turn = |a: &mut [C], top: usize, bottom: usize| {
                let (left, right) = a[k * n..].split_at_mut(n);
                for (x, y) in left[top..bottom].iter_mut().zip(&mut right[top..bottom]) {
                    (*x, *y) = (x.times(c) + s.conj() * *y, y.times(c) - s * *x);
                }
            };
            turn(h, top, end.min(k + 3));
            if !z.is_empty() {
                turn(z, 0, n);
            }
        }
    }
    true
}

/// The number over its modulus; 1 for 0.
fn phase(x: C) -> C {
    let size = x.magnitude();
    if size == 0.0 {
        return C::UNIT;
    }
    let x = if size < 1e-250 { Power::new(-scale::exponent(size)).times(x) } else { x };
    x.times(1.0 / x.modulus())
}

/// The eigenvalues of a matrix that is triangular but for blocks of two rows with conjugate ones.
fn values_of<W: Number>(t: &[W], n: usize, values: &mut [C]) {
    let at = |i: usize, j: usize| t[j * n + i];
    let mut k = 0;
    while k < n {
        if k + 1 < n && at(k + 1, k) != W::NOUGHT {
            let block = [at(k, k), at(k, k + 1), at(k + 1, k), at(k + 1, k + 1)].map(W::real_part);
            let (_, square, power) = discriminant(block);
            let im = Power::new(-power.exponent()).times((-square).max(0.0).sqrt());
            let re = 0.5 * block[0] + 0.5 * block[3];
            (values[k], values[k + 1]) = (C::new(re, im), C::new(re, -im));
            k += 2;
        } else {
            values[k] = C::new(at(k, k).real_part(), at(k, k).imaginary_part());
            k += 1;
        }
    }
}

/// The eigenvectors of Z T Zᴴ, for a T as above and its eigenvalues.
fn vectors_of<W: Number>(t: &[W], z: &[W], n: usize, values: &[C], v: &mut [C], room: &mut [C]) {
    let least = (verify::norm(t) * verify::EPSILON).max(1e-290);
    let x = &mut room[..n];
    let mut k = 0;
    while k < n {
        let value = values[k];
        let pair = k + 1 < n && t[k * n + k + 1] != W::NOUGHT;
        let end = if pair { k + 2 } else { k + 1 };
        x.fill(C::NOUGHT);
        if pair {
            let block = [t[k * n + k], t[(k + 1) * n + k], t[k * n + k + 1], t[(k + 1) * n + k + 1]].map(W::real_part);
            let (half, square, power) = discriminant(block);
            // Scaled by the same power, which a vector does not mind.
            x[k] = C::new(power.times(block[1]), 0.0);
            x[k + 1] = C::new(-half, (-square).max(0.0).sqrt());
        } else {
            x[k] = C::UNIT;
        }
        let real = !W::COMPLEX && !pair;
        if real {
            substitute::<W, f64>(t, n, k, end, value.re, least, x);
        } else {
            substitute::<W, C>(t, n, k, end, value, least, x);
        }
        let column = &mut v[k * n..][..n];
        column.fill(C::NOUGHT);
        for (z, &x) in z.chunks_exact(n).zip(&x[..end]) {
            for (to, z) in column.iter_mut().zip(z) {
                *to += lift::<W, C>(*z) * x;
            }
        }
        normalise(column, !real);
        if pair {
            let (first, second) = v[k * n..][..2 * n].split_at_mut(n);
            second.iter_mut().zip(first).for_each(|(to, x)| *to = x.conj());
        }
        k = end;
    }
}

#[inline(always)]
fn lift<W: Number, N: Number>(x: W) -> N {
    N::of_parts(x.real_part(), x.imaginary_part())
}

/// Solves (T - λ)x = 0 for the elements before `start`, given those up to `end`; others are 0. Divisors are at least so
/// large. The vector may be scaled on the way.
fn substitute<W: Number, N: Number>(t: &[W], n: usize, start: usize, end: usize, value: N, least: f64, x: &mut [C]) {
    let at = |i: usize, j: usize| lift::<W, N>(t[j * n + i]);
    let get = |x: C| lift::<C, N>(x);
    let put = |x: N| C::new(x.real_part(), x.imaginary_part());
    // x[..row] is what the elements known so far add up to there, with the other sign.
    let subtract = |x: &mut [C], rows: usize, j: usize| {
        let factor = get(x[j]);
        for (x, &t) in x.iter_mut().zip(&t[j * n..][..rows]) {
            *x = put(get(*x).less(lift(t), factor));
        }
    };
    for j in start..end {
        subtract(x, start, j);
    }
    let safe = |x: N| if x.modulus() < least { N::of_real(least) } else { x };
    let mut row = start;
    while row > 0 {
        let j = row - 1;
        if j > 0 && t[(j - 1) * n + j] != W::NOUGHT {
            let i = j - 1;
            // Elimination with the largest element as its pivot.
            let (mut a, mut b, mut c, mut d) = (at(i, i) - value, at(i, j), at(j, i), at(j, j) - value);
            let (mut first, mut second) = (get(x[i]), get(x[j]));
            let most = |x: N, y: N| x.modulus().max(y.modulus());
            if most(c, d) > most(a, b) {
                (a, b, c, d) = (c, d, a, b);
                (first, second) = (second, first);
            }
            let exchanged = b.modulus() > a.modulus();
            if exchanged {
                (a, b, c, d) = (b, a, d, c);
            }
            let a = safe(a);
            let factor = c.over(a);
            let last = second.less(factor, first).over(safe(d.less(factor, b)));
            let other = first.less(b, last).over(a);
            (x[i], x[j]) = if exchanged { (put(last), put(other)) } else { (put(other), put(last)) };
            row = i;
            subtract(x, row, i);
            subtract(x, row, j);
        } else {
            x[j] = put(get(x[j]).over(safe(at(j, j) - value)));
            row = j;
            subtract(x, row, j);
        }
        let most = x[..end].iter().fold(0.0f64, |most, x| most.max(x.magnitude()));
        if most > 1e100 {
            Power::new(-scale::exponent(most)).scale(&mut x[..end]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::verify::tests::{both, matrices};

    #[test]
    fn the_plain_algorithm_is_right_for_large_matrices_too() {
        both!(W => for n in [1, 7, 20, 40] {
            for a in matrices::<W>(n, n) {
                let (mut t, mut z) = (a.clone(), a.clone());
                let (mut h, ctx) = (a.clone(), Ctx::new());
                let (mut values, mut v, mut probes) =
                    (vec![C::NOUGHT; n], vec![C::NOUGHT; n * n], vec![C::NOUGHT; 4 * n]);
                let mut reflected = Reflected::new(&ctx, n, true).unwrap();
                reflected.hessenberg(&mut t, &mut z, n);
                assert!(W::schur(ctx.simd(), &mut t, &mut z, n));
                // The same bits at each level.
                let all = Level::ALL.map(|level| {
                    let ctx = Ctx::new().simd_at_most(level);
                    let (mut t, mut z, mut alone) = (a.clone(), a.clone(), a.clone());
                    let mut reflected = Reflected::new(&ctx, n, true).unwrap();
                    reflected.hessenberg(&mut t, &mut z, n);
                    let hessenberg = (t.clone(), z.clone());
                    assert!(W::schur(ctx.simd(), &mut t, &mut z, n));
                    reflected.hessenberg(&mut alone, &mut [], n);
                    assert!(W::schur(ctx.simd(), &mut alone, &mut [], n));
                    (hessenberg, t, z, alone)
                });
                assert!(all.iter().all(|one| *one == all[0]));
                // Without vectors less is computed.
                reflected.hessenberg(&mut h, &mut [], n);
                assert!(W::schur(ctx.simd(), &mut h, &mut [], n));
                values_of(&h, n, &mut values);
                assert!(W::COMPLEX || pairs(&values));
                assert!(verify::eig(&a, &values, None, n, &mut probes));
                values_of(&t, n, &mut values);
                vectors_of(&t, &z, n, &values, &mut v, &mut probes);
                assert!(W::COMPLEX || pairs(&values));
                assert!(verify::eig(&a, &values, Some(&v), n, &mut probes));
                assert!(verify::eig(&a, &values, None, n, &mut probes));
                // What is wrong is noticed.
                values[n - 1] += 1e-9 * verify::norm(&a).max(1.0);
                assert!(!verify::eig(&a, &values, Some(&v), n, &mut probes));
                assert!(!verify::eig(&a, &values, None, n, &mut probes));
            }
        });
    }
}
