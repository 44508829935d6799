//! Linear algebra on matrices: decompositions, and what is made of them.
//!
//! Operands have shapes `(…, M, N)` in any layout, with the same leading axes, and one floating data type; where
//! results are real they have the real data type of the same precision. Outputs overlap no input. A matrix that a
//! function refuses is named by its place among the others.
//!
//! Everything is computed in double precision. Small matrices are decomposed by plain algorithms of our own, larger
//! ones by faer, whose results are verified: where that fails the plain algorithm decides, which is slow and sure. faer
//! chooses its own instruction set, so the last bits depend on the machine, but not on the layout.

mod balance;
mod cholesky;
mod eig;
mod eigh;
mod lu;
mod matrix;
mod products;
mod qr;
mod reflections;
mod rotations;
mod scale;
mod svd;
mod values;
mod verify;

use std::cell::Cell;
use std::panic;

use strictarray_core::{DType, Error, Operand, Result, bytes_of};
use strictarray_standard::rule;

use crate::scratch::there_are;
use crate::{Ctx, run};
use matrix::numbers;
pub use products::{cross, matrix_power};

/// Calls the library. It panics where it finds itself wrong: then the plain algorithms decide.
fn library<R>(call: impl FnOnce() -> R) -> Option<R> {
    // What it was writing is set anew, or not looked at.
    panic::catch_unwind(panic::AssertUnwindSafe(call)).ok()
}

/// How many elements a matrix has.
fn elements(rows: usize, columns: usize) -> Result<usize> {
    // With their size: what fits is counted in bytes.
    match bytes_of(&[rows, columns], size_of::<strictarray_core::Complex<f64>>()) {
        Ok(bytes) => Ok(bytes / size_of::<strictarray_core::Complex<f64>>()),
        Err(_) => {
            Err(Error::new(&rule::MEMORY, format!("got no room for a matrix of {rows} rows and {columns} columns")))
        }
    }
}

/// Asks for as much memory as the library may take for itself, at its first call on a thread: where it finds none, it ends the
/// process.
fn afford() -> Result<()> {
    /// It keeps buffers of twice the largest cache.
    const BYTES: usize = 1 << 26;
    thread_local! {
        static ASKED: Cell<bool> = const { Cell::new(false) };
    }
    if ASKED.get() {
        return Ok(());
    }
    if !there_are(BYTES) {
        return Err(Error::new(&rule::MEMORY, format!("got no {BYTES} bytes to work in")));
    }
    ASKED.set(true);
    Ok(())
}

/// The shape of an operand that holds matrices: what leads, M and N.
fn split<'a>(x: &Operand<'a>) -> Result<(&'a [usize], [usize; 2])> {
    match x.shape().split_last_chunk() {
        Some((batch, &sizes)) => Ok((batch, sizes)),
        None => Err(run::misuse("linalg: no matrices")),
    }
}

/// The same of square matrices.
fn split_square<'a>(x: &Operand<'a>) -> Result<(&'a [usize], usize)> {
    match split(x)? {
        (batch, [m, n]) if m == n => Ok((batch, n)),
        _ => Err(run::misuse("linalg: matrices are not square")),
    }
}

/// Refuses an operand of another shape (after the leading axes) or data type.
fn expect(x: &Operand<'_>, batch: &[usize], sizes: &[usize], dtype: DType) -> Result<()> {
    let shape = x.shape();
    if x.dtype() != dtype {
        return Err(run::misuse("linalg: data types"));
    }
    let leading = shape.len().wrapping_sub(sizes.len());
    if shape.get(..leading) == Some(batch) && shape.get(leading..) == Some(sizes) {
        Ok(())
    } else {
        Err(run::misuse("linalg: shapes"))
    }
}

/// The Cholesky decomposition: the lower triangular L with x = LLᴴ, or the upper triangular U with x = UᴴU. Only that
/// triangle of x is read; the other one of the result is 0.
pub fn cholesky(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, upper: bool) -> Result<()> {
    let (batch, n) = split_square(x)?;
    expect(out, batch, &[n, n], x.dtype())?;
    numbers!([out], x.dtype(), W => cholesky::cholesky::<W>(ctx, out, x, upper, n))
}

/// The determinant, to `(…)`: 1 of a matrix without elements.
pub fn det(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    let (batch, n) = split_square(x)?;
    expect(out, batch, &[], x.dtype())?;
    numbers!([out], x.dtype(), W => lu::det::<W>(ctx, out, x, n))
}

/// The sign of the determinant and the logarithm of its modulus, which is real: 0 and -inf where it is 0.
pub fn slogdet(ctx: &Ctx<'_>, sign: &Operand<'_>, logabsdet: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    let (batch, n) = split_square(x)?;
    expect(sign, batch, &[], x.dtype())?;
    expect(logabsdet, batch, &[], x.dtype().to_real())?;
    numbers!([sign], x.dtype(), W => lu::slogdet::<W>(ctx, [sign, logabsdet, x], n))
}

/// The inverse.
pub fn inv(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    let (batch, n) = split_square(x)?;
    expect(out, batch, &[n, n], x.dtype())?;
    numbers!([out], x.dtype(), W => lu::inv::<W>(ctx, out, x, n))
}

/// The solution of a·out = b: `(…, N, K)` from `(…, N, N)` and `(…, N, K)`.
pub fn solve(ctx: &Ctx<'_>, out: &Operand<'_>, a: &Operand<'_>, b: &Operand<'_>) -> Result<()> {
    let (batch, n) = split_square(a)?;
    let (_, [_, columns]) = split(b)?;
    expect(b, batch, &[n, columns], a.dtype())?;
    expect(out, batch, &[n, columns], a.dtype())?;
    numbers!([out], a.dtype(), W => lu::solve::<W>(ctx, [out, a, b], n, columns))
}

/// The decomposition x = q·r: q `(…, M, K)` with orthonormal columns, r `(…, K, N)` upper triangular, where K is the
/// lesser of M and N, or M.
pub fn qr(ctx: &Ctx<'_>, q: &Operand<'_>, r: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    let (batch, [rows, columns]) = split(x)?;
    let (_, [_, width]) = split(q)?;
    if width != rows && width != rows.min(columns) {
        return Err(run::misuse("linalg: shapes"));
    }
    expect(q, batch, &[rows, width], x.dtype())?;
    expect(r, batch, &[width, columns], x.dtype())?;
    numbers!([q, r], x.dtype(), W => qr::qr::<W>(ctx, [q, r, x], [rows, columns], width))
}

/// The eigenvalues, real and ascending, to `(…, N)`, and orthonormal eigenvectors, the columns of `(…, N, N)`, of the
/// Hermitian matrix whose lower triangle x has. The rest of x is not looked at, nor are imaginary parts on its
/// diagonal.
pub fn eigh(ctx: &Ctx<'_>, values: &Operand<'_>, vectors: Option<&Operand<'_>>, x: &Operand<'_>) -> Result<()> {
    let (batch, n) = split_square(x)?;
    expect(values, batch, &[n], x.dtype().to_real())?;
    if let Some(vectors) = vectors {
        expect(vectors, batch, &[n, n], x.dtype())?;
    }
    numbers!([values], x.dtype(), W => eigh::eigh::<W>(ctx, values, vectors, x, n))
}

/// The singular value decomposition x = u·diag(s)·vh: s `(…, K)` real and descending, where K is the lesser of M and N;
/// u `(…, M, M)` and vh `(…, N, N)`, or `(…, M, K)` and `(…, K, N)`.
pub fn svd(ctx: &Ctx<'_>, u: &Operand<'_>, s: &Operand<'_>, vh: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    let (batch, [rows, columns]) = split(x)?;
    let k = rows.min(columns);
    let ((_, [_, left]), (_, [right, _])) = (split(u)?, split(vh)?);
    let wanted = if (left, right) == (k, k) { svd::Wanted::Thin } else { svd::Wanted::Full };
    if wanted == svd::Wanted::Full && (left, right) != (rows, columns) {
        return Err(run::misuse("linalg: shapes"));
    }
    expect(u, batch, &[rows, left], x.dtype())?;
    expect(s, batch, &[k], x.dtype().to_real())?;
    expect(vh, batch, &[right, columns], x.dtype())?;
    numbers!([u, s, vh], x.dtype(), W => svd::svd::<W>(ctx, [u, s, vh, x], [rows, columns], wanted))
}

/// The singular values, descending, to `(…, K)`, where K is the lesser of M and N.
pub fn svdvals(ctx: &Ctx<'_>, s: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    let (batch, [rows, columns]) = split(x)?;
    expect(s, batch, &[rows.min(columns)], x.dtype().to_real())?;
    numbers!([s], x.dtype(), W => svd::svdvals::<W>(ctx, s, x, [rows, columns]))
}

/// The pseudoinverse, to `(…, N, M)`: singular values up to `rtol` times the largest count as 0. `rtol` is float64,
/// `(…)`.
pub fn pinv(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, rtol: &Operand<'_>) -> Result<()> {
    let (batch, [rows, columns]) = split(x)?;
    expect(out, batch, &[columns, rows], x.dtype())?;
    expect(rtol, batch, &[], DType::Float64)?;
    numbers!([out], x.dtype(), W => svd::pinv::<W>(ctx, [out, x, rtol], [rows, columns]))
}

/// The number of singular values above `rtol` times the largest, to `(…)` of int64 or int32. `rtol` is float64, `(…)`.
pub fn matrix_rank(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>, rtol: &Operand<'_>) -> Result<()> {
    let (batch, [rows, columns]) = split(x)?;
    expect(out, batch, &[], out.dtype())?;
    expect(rtol, batch, &[], DType::Float64)?;
    numbers!([out], x.dtype(), W => svd::matrix_rank::<W>(ctx, [out, x, rtol], [rows, columns]))
}

/// The eigenvalues, to `(…, N)`, and eigenvectors, the columns of `(…, N, N)`, of any square matrix: complex ones of
/// its precision. Vectors have norm 1. Those of a real matrix are real where the eigenvalue is; others come in
/// conjugate pairs, the one with the positive imaginary part first.
pub fn eig(ctx: &Ctx<'_>, values: &Operand<'_>, vectors: Option<&Operand<'_>>, x: &Operand<'_>) -> Result<()> {
    let (batch, n) = split_square(x)?;
    let complex = match x.dtype() {
        DType::Float32 | DType::Complex64 => DType::Complex64,
        _ => DType::Complex128,
    };
    expect(values, batch, &[n], complex)?;
    if let Some(vectors) = vectors {
        expect(vectors, batch, &[n, n], complex)?;
    }
    numbers!([values], x.dtype(), W => eig::eig::<W>(ctx, values, vectors, x, n))
}
