//! Decompositions of matrices of many kinds, measured by what they must satisfy.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed unwrap is a failed test")]

mod common;

use strictarray_core::{Array, Complex, DType, Device, Error, Layout, Result, Scalar, copy};
use strictarray_kernels::{Ctx, linalg};
use strictarray_standard::rule;

type C = Complex<f64>;

const DTYPES: [DType; 4] = [DType::Float64, DType::Complex128, DType::Float32, DType::Complex64];

// ---- matrices --------------------------------------------------------------------------------------------------

/// A matrix, row after row.
#[derive(Clone, Debug, PartialEq)]
struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<C>,
}

impl Matrix {
    fn new(rows: usize, columns: usize, mut at: impl FnMut(usize, usize) -> C) -> Matrix {
        let values = (0..rows * columns).map(|k| at(k / columns, k % columns)).collect();
        Matrix { rows, columns, values }
    }

    fn real(rows: usize, columns: usize, mut at: impl FnMut(usize, usize) -> f64) -> Matrix {
        Matrix::new(rows, columns, |i, j| C::new(at(i, j), 0.0))
    }

    fn identity(n: usize) -> Matrix {
        Matrix::real(n, n, |i, j| f64::from(u8::from(i == j)))
    }

    fn at(&self, i: usize, j: usize) -> C {
        self.values[i * self.columns + j]
    }

    fn adjoint(&self) -> Matrix {
        Matrix::new(self.columns, self.rows, |i, j| self.at(j, i).conj())
    }

    fn times(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.columns, other.rows);
        let mut out = Matrix::new(self.rows, other.columns, |_, _| C::new(0.0, 0.0));
        for i in 0..self.rows {
            for k in 0..self.columns {
                let x = self.at(i, k);
                for j in 0..other.columns {
                    out.values[i * other.columns + j] += x * other.at(k, j);
                }
            }
        }
        out
    }

    fn less(&self, other: &Matrix) -> Matrix {
        assert_eq!((self.rows, self.columns), (other.rows, other.columns));
        Matrix::new(self.rows, self.columns, |i, j| self.at(i, j) - other.at(i, j))
    }

    fn scaled(&self, x: f64) -> Matrix {
        Matrix::new(self.rows, self.columns, |i, j| self.at(i, j) * x)
    }

    /// The largest magnitude.
    fn largest(&self) -> f64 {
        self.values.iter().map(|z| z.re.abs().max(z.im.abs())).fold(0.0, f64::max)
    }

    /// The Frobenius norm, without overflow.
    fn norm(&self) -> f64 {
        let largest = self.largest();
        if largest == 0.0 {
            return 0.0;
        }
        // By a power of two, in two steps, so that numbers below normal ones are not infinite.
        let sum: f64 = self.values.iter().map(|z| (z.re / largest).powi(2) + (z.im / largest).powi(2)).sum();
        largest * sum.sqrt()
    }

    fn array(&self, dtype: DType) -> Array {
        array(std::slice::from_ref(self), &[], dtype)
    }

    /// With the values that a data type has.
    fn rounded(&self, dtype: DType) -> Matrix {
        let round = |x: f64| if dtype.size() == dtype_size_of_double(dtype) { x } else { f64::from(x as f32) };
        let real = !dtype.is_complex();
        Matrix::new(self.rows, self.columns, |i, j| {
            let z = self.at(i, j);
            C::new(round(z.re), if real { 0.0 } else { round(z.im) })
        })
    }
}

fn dtype_size_of_double(dtype: DType) -> usize {
    if dtype.is_complex() { 16 } else { 8 }
}

/// Half the distance of 1 to the next number.
fn epsilon(dtype: DType) -> f64 {
    if dtype.size() == dtype_size_of_double(dtype) { f64::EPSILON / 2.0 } else { f64::from(f32::EPSILON) / 2.0 }
}

/// Matrices of one size as an array.
fn array(matrices: &[Matrix], batch: &[usize], dtype: DType) -> Array {
    let sizes = [matrices[0].rows, matrices[0].columns];
    let scalar = |z: &C| if dtype.is_complex() { Scalar::Complex(*z) } else { Scalar::Float(z.re) };
    let values: Vec<_> = matrices.iter().flat_map(|m| m.values.iter().map(scalar)).collect();
    common::array(&values, &[batch, &sizes].concat(), dtype)
}

fn value(scalar: Scalar) -> C {
    match scalar {
        Scalar::Float(x) => C::new(x, 0.0),
        Scalar::Complex(z) => z,
        Scalar::Int(i) => C::new(i as f64, 0.0),
        Scalar::Bool(_) => panic!("a bool"),
    }
}

/// The elements of an array.
fn values(x: &Array) -> Vec<C> {
    let x = x.to_owned_copy().unwrap();
    let x = x.with_layout(Layout::c_order(&[x.size()], x.dtype().size()).unwrap()).unwrap();
    x.to_scalars().unwrap().into_iter().map(value).collect()
}

/// An array as a matrix: a vector is one of one column.
fn matrix(x: &Array) -> Matrix {
    let shape = x.shape();
    Matrix { rows: shape[0], columns: shape.get(1).copied().unwrap_or(1), values: values(x) }
}

fn empty(shape: &[usize], dtype: DType) -> Array {
    Array::uninit(shape, dtype, Device::CPU).unwrap()
}

/// Numbers that are irregular and reproducible.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Between -1 and 1.
    fn real(&mut self) -> f64 {
        (self.next() as i64 as f64) / 2f64.powi(63)
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Matrix {
        Matrix::new(rows, columns, |_, _| C::new(self.real(), self.real()))
    }

    /// A matrix with orthonormal columns, made by reflections: exact enough to be one of any precision.
    fn unitary(&mut self, n: usize, complex: bool) -> Matrix {
        let mut q = Matrix::identity(n);
        for _ in 0..2.min(n) {
            let v: Vec<C> = (0..n).map(|_| C::new(self.real(), if complex { self.real() } else { 0.0 })).collect();
            let square: f64 = v.iter().map(C::norm_sqr).sum();
            for j in 0..n {
                let dot: C = (0..n).map(|i| v[i].conj() * q.at(i, j)).sum();
                for (i, v) in v.iter().enumerate() {
                    q.values[i * n + j] -= v * dot * (2.0 / square);
                }
            }
        }
        q
    }

    /// A matrix with given singular values.
    fn with_values(&mut self, rows: usize, columns: usize, values: &[f64], complex: bool) -> Matrix {
        let middle = Matrix::real(rows, columns, |i, j| if i == j { values[i] } else { 0.0 });
        self.unitary(rows, complex).times(&middle).times(&self.unitary(columns, complex))
    }
}

fn refused(result: Result<()>, rule: &'static strictarray_standard::Rule) -> Error {
    let error = result.unwrap_err();
    assert_eq!(error.rule(), rule, "{error}");
    error
}

// ---- functions of one matrix -----------------------------------------------------------------------------------

fn det(x: &Matrix, dtype: DType) -> C {
    let out = empty(&[], dtype);
    linalg::det(&Ctx::new(), &out.operand(), &x.array(dtype).operand()).unwrap();
    value(out.item().unwrap())
}

fn slogdet(x: &Matrix, dtype: DType) -> (C, f64) {
    let (sign, log) = (empty(&[], dtype), empty(&[], dtype.to_real()));
    linalg::slogdet(&Ctx::new(), &sign.operand(), &log.operand(), &x.array(dtype).operand()).unwrap();
    (value(sign.item().unwrap()), value(log.item().unwrap()).re)
}

fn inv(x: &Matrix, dtype: DType) -> Result<Matrix> {
    let out = empty(&[x.rows, x.columns], dtype);
    linalg::inv(&Ctx::new(), &out.operand(), &x.array(dtype).operand())?;
    Ok(matrix(&out))
}

fn solve(a: &Matrix, b: &Matrix, dtype: DType) -> Result<Matrix> {
    let out = empty(&[b.rows, b.columns], dtype);
    linalg::solve(&Ctx::new(), &out.operand(), &a.array(dtype).operand(), &b.array(dtype).operand())?;
    Ok(matrix(&out))
}

fn cholesky(x: &Matrix, upper: bool, dtype: DType) -> Result<Matrix> {
    let out = empty(&[x.rows, x.columns], dtype);
    linalg::cholesky(&Ctx::new(), &out.operand(), &x.array(dtype).operand(), upper)?;
    Ok(matrix(&out))
}

/// Asserts that a number is at most so many times n roundings.
fn small(what: &str, error: f64, limit: f64, n: usize, dtype: DType) {
    let error = error / (epsilon(dtype) * n.max(1) as f64);
    assert!(error <= limit, "{what}, n = {n}, {dtype}: {error} times n roundings");
}

const SIZES: [usize; 15] = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 40, 65, 130];

#[test]
fn inverses_and_solutions() {
    let mut random = Random(1);
    for dtype in DTYPES {
        for n in SIZES {
            let a = random.matrix(n, n).rounded(dtype);
            let x = inv(&a, dtype).unwrap();
            let scale = a.norm() * x.norm();
            small("ax - 1", a.times(&x).less(&Matrix::identity(n)).norm() / scale.max(1.0), 2.0, n, dtype);
            for columns in [0, 1, 3] {
                let b = random.matrix(n, columns).rounded(dtype);
                let y = solve(&a, &b, dtype).unwrap();
                small("ay - b", a.times(&y).less(&b).norm() / (a.norm() * y.norm()).max(1.0), 2.0, n, dtype);
            }
        }
    }
}

#[test]
fn determinants() {
    let mut random = Random(2);
    for dtype in DTYPES {
        for n in SIZES {
            // The determinant of a product of triangles is that of their diagonals.
            let lower = random.matrix(n, n);
            let lower = Matrix::new(n, n, |i, j| match i.cmp(&j) {
                std::cmp::Ordering::Less => C::new(0.0, 0.0),
                std::cmp::Ordering::Equal => C::new(1.0, 0.0),
                std::cmp::Ordering::Greater => lower.at(i, j) / n as f64,
            });
            let upper = random.matrix(n, n);
            let upper = Matrix::new(n, n, |i, j| match i.cmp(&j) {
                std::cmp::Ordering::Greater => C::new(0.0, 0.0),
                std::cmp::Ordering::Equal => upper.at(i, j).scale(0.5) + C::new(1.5, 0.0),
                std::cmp::Ordering::Less => upper.at(i, j) / n as f64,
            });
            let (lower, upper) = if dtype.is_complex() {
                (lower, upper)
            } else {
                (lower.rounded(DType::Float64), upper.rounded(DType::Float64))
            };
            let expected: C = (0..n).map(|i| upper.at(i, i)).product();
            let mut x = lower.times(&upper);
            // Two rows change places.
            let expected = if n > 2 {
                for j in 0..n {
                    x.values.swap(j, (n - 1) * n + j);
                }
                -expected
            } else {
                expected
            };
            let det = det(&x, dtype);
            // The condition of the matrix is small, and the determinant has the sum of n errors.
            small("det", (det - expected).norm() / expected.norm(), 30.0, n, dtype);
            let (sign, log) = slogdet(&x, dtype);
            small("sign", (sign - expected / expected.norm()).norm(), 30.0, n, dtype);
            small("log", (log - expected.norm().ln()).abs() / log.abs().max(1.0), 30.0, n, dtype);
        }
        let singular = Matrix::real(3, 3, |i, j| (i * 3 + j) as f64 * f64::from(u8::from(j != 1)));
        assert_eq!(det(&singular, dtype), C::new(0.0, 0.0));
        assert_eq!(slogdet(&singular, dtype), (C::new(0.0, 0.0), f64::NEG_INFINITY));
    }
    assert_eq!(det(&Matrix::identity(0), DType::Float64), C::new(1.0, 0.0));
    assert_eq!(slogdet(&Matrix::identity(0), DType::Float64), (C::new(1.0, 0.0), 0.0));
}

#[test]
fn determinants_do_not_overflow_on_the_way() {
    let big = 2f64.powi(1000);
    for dtype in [DType::Float64, DType::Complex128] {
        let diagonal =
            |values: &[f64]| Matrix::real(values.len(), values.len(), |i, j| if i == j { values[i] } else { 0.0 });
        assert_eq!(det(&diagonal(&[big, big, big.recip(), big.recip()]), dtype).re, 1.0);
        assert_eq!(det(&diagonal(&[big.recip(), big.recip(), big, big]), dtype).re, 1.0);
        assert_eq!(det(&diagonal(&[5e-324, 1.0]), dtype).re, 5e-324);
        assert_eq!(det(&diagonal(&[1e200, -1e200]), dtype).re, f64::NEG_INFINITY);
        for n in [3, 20, 100] {
            for x in [1e300, 1e-300, 5e-324] {
                let (sign, log) = slogdet(&diagonal(&vec![x; n]), dtype);
                assert_eq!(sign, C::new(1.0, 0.0));
                let exact = n as f64 * x.ln();
                assert!((log / exact - 1.0).abs() < 1e-14, "{log} {exact}");
            }
        }
    }
    // A determinant that is out of the range of single precision, but not of double.
    let x = Matrix::real(3, 3, |i, j| if i == j { 1e20 } else { 0.0 });
    assert_eq!(det(&x, DType::Float32).re, f64::INFINITY);
}

#[test]
fn logarithms_of_determinants_near_1_have_all_digits() {
    for dtype in [DType::Float64, DType::Complex128] {
        for x in [0.999_999_9, 1.000_000_1, -0.999_999_9, 1.0 - f64::EPSILON / 2.0, 1.0] {
            for n in [1, 2, 20] {
                let a = Matrix::real(n, n, |i, j| {
                    if i != j {
                        0.0
                    } else if i == 0 {
                        x
                    } else {
                        1.0
                    }
                });
                let (sign, log) = slogdet(&a, dtype);
                assert_eq!(sign, C::new(x.signum(), 0.0));
                // The difference to 1 is exact.
                let exact = (x.abs() - 1.0).ln_1p();
                assert!((log - exact).abs() <= 1e-15 * exact.abs(), "{log} {exact}");
            }
        }
    }
}

#[test]
fn inverses_and_solutions_at_the_ends_of_the_range() {
    let mut random = Random(3);
    for dtype in [DType::Float64, DType::Complex128] {
        for n in [1, 2, 3, 5, 16, 17, 40] {
            for scale in [1e-300, 1e-200, 1e-160, 1e160, 1e200, 1e300] {
                let a = random.matrix(n, n).rounded(dtype);
                let scaled = a.scaled(scale);
                // Scaled by what is no power of two, the matrix has other roundings: both are compared by what they
                // solve.
                let x = inv(&scaled, dtype).unwrap().scaled(scale);
                let limit = (a.norm() * x.norm()).max(1.0);
                small("ax - 1", a.times(&x).less(&Matrix::identity(n)).norm() / limit, 4.0, n, dtype);
                let b = random.matrix(n, 2).rounded(dtype);
                let y = solve(&scaled, &b.scaled(scale), dtype).unwrap();
                small("ay - b", a.times(&y).less(&b).norm() / (a.norm() * y.norm()).max(1.0), 4.0, n, dtype);
            }
        }
        // Rows of very different size.
        for n in [2, 30] {
            let a = Matrix::real(n, n, |i, j| if i == j { if i % 2 == 0 { 1e200 } else { 1e-200 } } else { 0.0 });
            let x = inv(&a, dtype).unwrap();
            assert!((0..n).all(|i| ((x.at(i, i) * a.at(i, i)).re - 1.0).abs() < 1e-15));
        }
    }
}

#[test]
fn factors_that_grow_do_not_overflow() {
    // Elimination doubles the last column with each row.
    let wilkinson = |n: usize, scale: f64| {
        Matrix::real(n, n, |i, j| if i == j || j == n - 1 { scale } else { -scale * f64::from(u8::from(i > j)) })
    };
    for dtype in [DType::Float64, DType::Complex128] {
        for (n, e) in [(16, 1023), (128, 996), (200, 897), (300, 1000), (1030, 0)] {
            // Many are slow: one data type will do.
            if n > 300 && dtype.is_complex() {
                continue;
            }
            let a = wilkinson(n, 2f64.powi(e));
            let (sign, log) = slogdet(&a, dtype);
            assert_eq!(sign, C::new(1.0, 0.0));
            let exact = (n as f64 * f64::from(e) + (n - 1) as f64) * std::f64::consts::LN_2;
            assert!((log / exact - 1.0).abs() < 1e-14, "{log} {exact}");
            // All that is computed is a power of two, or 0.
            let b = Matrix::real(n, 1, |i, _| a.at(i, n - 1).re);
            let last = Matrix::real(n, 1, |i, _| f64::from(u8::from(i == n - 1)));
            assert_eq!(solve(&a, &b, dtype).unwrap(), last);
            if n <= 300 {
                let x = inv(&a, dtype).unwrap();
                assert!(x.values.iter().all(|x| x.re.is_finite()));
                assert!(x.times(&b).less(&last).norm() < 1e-15);
            }
        }
    }
}

#[test]
fn matrices_without_an_inverse_are_refused_by_their_place() {
    for dtype in DTYPES {
        for n in [1, 2, 3, 5, 20] {
            let good = Matrix::identity(n);
            let bad = Matrix::real(n, n, |_, j| j as f64);
            let x = array(&[good.clone(), good.clone(), good, bad.clone()], &[2, 2], dtype);
            let out = empty(x.shape(), dtype);
            let error = refused(linalg::inv(&Ctx::new(), &out.operand(), &x.operand()), &rule::SINGULAR);
            assert!(error.got().ends_with(", at index (1, 1)"), "{error}");
            refused(inv(&bad, dtype).map(drop), &rule::SINGULAR);
            refused(solve(&bad, &Matrix::identity(n), dtype).map(drop), &rule::SINGULAR);
        }
    }
}

#[test]
fn what_is_not_finite_gives_nan_or_is_refused() {
    for dtype in DTYPES {
        for bad in [f64::NAN, f64::INFINITY] {
            for n in [1, 2, 5, 20] {
                let x = Matrix::real(n, n, |i, j| if (i, j) == (n - 1, 0) { bad } else { (i * n + j * j) as f64 });
                let nan = |z: &C| z.re.is_nan();
                assert!(nan(&det(&x, dtype)));
                assert!(nan(&slogdet(&x, dtype).0) && slogdet(&x, dtype).1.is_nan());
                assert!(inv(&x, dtype).unwrap().values.iter().all(nan));
                assert!(solve(&x, &Matrix::identity(n), dtype).unwrap().values.iter().all(nan));
                refused(cholesky(&x, false, dtype).map(drop), &rule::NOT_POSITIVE_DEFINITE);
                let complex = if epsilon(dtype) > 1e-10 { DType::Complex64 } else { DType::Complex128 };
                let (x, ctx) = (x.array(dtype), Ctx::new());
                let (a, b, s) = (empty(&[n, n], dtype), empty(&[n, n], dtype), empty(&[n], dtype.to_real()));
                let (a, b, s, x) = (a.operand(), b.operand(), s.operand(), x.operand());
                let rtol = Array::zeros(&[], DType::Float64, Device::CPU).unwrap();
                let (eigen, rank) = (empty(&[n], complex), empty(&[], DType::Int64));
                refused(linalg::svd(&ctx, &a, &s, &b, &x), &rule::NOT_FINITE);
                refused(linalg::svdvals(&ctx, &s, &x), &rule::NOT_FINITE);
                refused(linalg::eigh(&ctx, &s, Some(&a), &x), &rule::NOT_FINITE);
                refused(linalg::eig(&ctx, &eigen.operand(), None, &x), &rule::NOT_FINITE);
                refused(linalg::pinv(&ctx, &a, &x, &rtol.operand()), &rule::NOT_FINITE);
                refused(linalg::matrix_rank(&ctx, &rank.operand(), &x, &rtol.operand()), &rule::NOT_FINITE);
                linalg::qr(&ctx, &a, &b, &x).unwrap();
            }
        }
    }
}

#[test]
fn cholesky_of_positive_definite_matrices_and_of_no_others() {
    let mut random = Random(4);
    for dtype in DTYPES {
        for n in SIZES {
            let b =
                random.matrix(n, n + 1).rounded(if dtype.is_complex() { DType::Complex128 } else { DType::Float64 });
            let a = b.times(&b.adjoint()).rounded(dtype);
            for scale in [1.0, 1e-300, 1e300] {
                if epsilon(dtype) > 1e-10 && scale != 1.0 {
                    continue;
                }
                let scaled = a.scaled(scale);
                let l = cholesky(&scaled, false, dtype).unwrap().scaled(scale.sqrt().recip());
                let u = cholesky(&scaled, true, dtype).unwrap().scaled(scale.sqrt().recip());
                small("llᴴ - a", l.times(&l.adjoint()).less(&a).norm() / a.norm().max(1e-300), 2.0, n, dtype);
                small("uᴴu - a", u.adjoint().times(&u).less(&a).norm() / a.norm().max(1e-300), 2.0, n, dtype);
                for i in 0..n {
                    assert!(l.at(i, i).re > 0.0 && l.at(i, i).im == 0.0);
                    assert!((0..i).all(|j| l.at(j, i) == C::new(0.0, 0.0) && u.at(i, j) == C::new(0.0, 0.0)));
                }
            }
            // The other triangle is not read.
            let nan = C::new(f64::NAN, 0.0);
            let half = Matrix::new(n, n, |i, j| if i < j { nan } else { a.at(i, j) });
            assert_eq!(cholesky(&half, false, dtype).unwrap(), cholesky(&a, false, dtype).unwrap());
            let half = Matrix::new(n, n, |i, j| if i > j { nan } else { a.at(i, j) });
            assert_eq!(cholesky(&half, true, dtype).unwrap(), cholesky(&a, true, dtype).unwrap());
            if n > 0 {
                let mut bad = a.clone();
                bad.values[n * n - 1] = C::new(-1.0, 0.0);
                let error = refused(cholesky(&bad, false, dtype).map(drop), &rule::NOT_POSITIVE_DEFINITE);
                assert!(error.got().contains(&format!("order {n} ")), "{error}");
            }
        }
    }
}

// ---- decompositions of hard matrices ---------------------------------------------------------------------------

/// x · 2^e, for what need not be a normal number.
fn shifted(x: f64, e: i32) -> f64 {
    let half = e / 2;
    x * 2f64.powi(half) * 2f64.powi(e - half)
}

impl Matrix {
    /// This matrix times 2^e as an array, and what that array holds, divided by it again.
    fn given(&self, e: i32, dtype: DType) -> (Array, Matrix) {
        let scaled = Matrix::new(self.rows, self.columns, |i, j| {
            let z = self.at(i, j);
            C::new(shifted(z.re, e), shifted(z.im, e))
        });
        let scaled = scaled.rounded(dtype);
        (scaled.array(dtype), scaled.shifted(-e))
    }

    fn shifted(&self, e: i32) -> Matrix {
        Matrix::new(self.rows, self.columns, |i, j| C::new(shifted(self.at(i, j).re, e), shifted(self.at(i, j).im, e)))
    }

    /// A diagonal matrix.
    fn diagonal(values: &[C]) -> Matrix {
        let n = values.len();
        Matrix::new(n, n, |i, j| if i == j { values[i] } else { C::new(0.0, 0.0) })
    }

    /// What it differs from having orthonormal columns.
    fn skew(&self) -> f64 {
        self.adjoint().times(self).less(&Matrix::identity(self.columns)).norm()
    }

    /// The Hermitian matrix that has its lower triangle.
    fn hermitian(&self) -> Matrix {
        Matrix::new(self.rows, self.rows, |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Less => self.at(j, i).conj(),
            std::cmp::Ordering::Equal => C::new(self.at(i, i).re, 0.0),
            std::cmp::Ordering::Greater => self.at(i, j),
        })
    }
}

/// The largest error that is allowed, over roundings, n and the norm.
const LIMIT: f64 = 50.0;

/// A matrix as it is given to a function, with what is needed to say how wrong the result is.
struct Case {
    name: &'static str,
    dtype: DType,
    /// The matrix, and the array, which is 2^e times that.
    a: Matrix,
    x: Array,
    e: i32,
}

impl Case {
    fn new(name: &'static str, a: &Matrix, e: i32, dtype: DType) -> Case {
        let (x, a) = a.given(e, dtype);
        Case { name, dtype, a, x, e }
    }

    /// Asserts that an error is small: `relative` to something. The results that were scaled back may have been rounded
    /// to where numbers are no longer normal, each by `times` the least number.
    fn small(&self, what: &str, error: f64, relative: f64, times: f64) {
        let n = self.a.rows.max(self.a.columns).max(1) as f64;
        let least = if epsilon(self.dtype) > 1e-10 { f64::from(f32::from_bits(1)) } else { f64::from_bits(1) };
        let allowed = LIMIT * n * epsilon(self.dtype) * relative + times * n * shifted(least, -self.e);
        assert!(
            error <= allowed,
            "{what} of {} ({}, times 2^{}): {error:e} > {allowed:e}\n{:?}",
            self.name,
            self.dtype,
            self.e,
            self.shown()
        );
    }

    /// The matrix, if it is small.
    fn shown(&self) -> Option<&Matrix> {
        (self.a.values.len() <= 36).then_some(&self.a)
    }

    fn result(&self, shape: &[usize], real: bool) -> Array {
        empty(shape, if real { self.dtype.to_real() } else { self.dtype })
    }

    fn qr(&self) {
        let (m, n) = (self.a.rows, self.a.columns);
        for k in if m > n { vec![n, m] } else { vec![m.min(n)] } {
            let (q, r) = (self.result(&[m, k], false), self.result(&[k, n], false));
            linalg::qr(&Ctx::new(), &q.operand(), &r.operand(), &self.x.operand()).unwrap();
            let (q, r) = (matrix(&q), matrix(&r).shifted(-self.e));
            self.small("qᴴq - 1", q.skew(), 1.0, 0.0);
            self.small("qr - a", q.times(&r).less(&self.a).norm(), self.a.norm(), 1.0);
            assert!((0..k).all(|i| (0..i.min(n)).all(|j| r.at(i, j) == C::new(0.0, 0.0))), "{}", self.name);
        }
    }

    fn eigh(&self) {
        let n = self.a.rows;
        let a = self.a.hermitian();
        let (values, vectors) = (self.result(&[n], true), self.result(&[n, n], false));
        linalg::eigh(&Ctx::new(), &values.operand(), Some(&vectors.operand()), &self.x.operand()).unwrap();
        let (values, v) = (matrix(&values).shifted(-self.e), matrix(&vectors));
        assert!(values.values.is_sorted_by(|a, b| a.re <= b.re), "{}: {values:?}", self.name);
        self.small("vᴴv - 1", v.skew(), 1.0, 0.0);
        self.small("av - vλ", a.times(&v).less(&v.times(&Matrix::diagonal(&values.values))).norm(), a.norm(), 1.0);
        let alone = self.result(&[n], true);
        linalg::eigh(&Ctx::new(), &alone.operand(), None, &self.x.operand()).unwrap();
        self.small("values alone", matrix(&alone).shifted(-self.e).less(&values).norm(), a.norm(), 2.0);
    }
}

impl Case {
    fn svd(&self) {
        let (m, n) = (self.a.rows, self.a.columns);
        let k = m.min(n);
        for (left, right) in if m == n { vec![(m, n)] } else { vec![(k, k), (m, n)] } {
            let (u, s, vh) = (self.result(&[m, left], false), self.result(&[k], true), self.result(&[right, n], false));
            linalg::svd(&Ctx::new(), &u.operand(), &s.operand(), &vh.operand(), &self.x.operand()).unwrap();
            let (u, s, vh) = (matrix(&u), matrix(&s).shifted(-self.e), matrix(&vh));
            assert!(s.values.is_sorted_by(|a, b| a.re >= b.re && b.re >= 0.0), "{}: {s:?}", self.name);
            self.small("uᴴu - 1", u.skew(), 1.0, 0.0);
            self.small("vᴴv - 1", vh.adjoint().skew(), 1.0, 0.0);
            let middle = Matrix::new(left, right, |i, j| if i == j { s.values[i] } else { C::new(0.0, 0.0) });
            self.small("usvᴴ - a", u.times(&middle).times(&vh).less(&self.a).norm(), self.a.norm(), 1.0);
            let alone = self.result(&[k], true);
            linalg::svdvals(&Ctx::new(), &alone.operand(), &self.x.operand()).unwrap();
            self.small("values alone", matrix(&alone).shifted(-self.e).less(&s).norm(), self.a.norm(), 2.0);
        }
    }

    /// The pseudoinverse and the rank, where the tolerance parts what is 0 from what is not.
    fn pinv(&self) {
        let (m, n) = (self.a.rows, self.a.columns);
        let k = m.min(n);
        let s = self.result(&[k], true);
        linalg::svdvals(&Ctx::new(), &s.operand(), &self.x.operand()).unwrap();
        let s = matrix(&s).shifted(-self.e).values;
        let largest = s.first().map_or(0.0, |s| s.re);
        let rtol = m.max(n) as f64 * 2.0 * epsilon(self.dtype);
        let rank = s.iter().filter(|s| s.re > rtol * largest).count();
        let rtol = common::array(&[Scalar::Float(rtol)], &[], DType::Float64);
        for dtype in [DType::Int64, DType::Int32] {
            let out = empty(&[], dtype);
            linalg::matrix_rank(&Ctx::new(), &out.operand(), &self.x.operand(), &rtol.operand()).unwrap();
            if self.e == 0 {
                assert_eq!(value(out.item().unwrap()).re, rank as f64, "{}, {}", self.name, self.dtype);
            }
        }
        let out = self.result(&[n, m], false);
        linalg::pinv(&Ctx::new(), &out.operand(), &self.x.operand(), &rtol.operand()).unwrap();
        let x = matrix(&out).shifted(self.e);
        // Near the tolerance the cut may lie on either side of a value.
        let clear = s.get(rank).is_none_or(|s| s.re < largest * epsilon(self.dtype) * 0.1) && x.largest() < 1e100;
        if self.e.abs() < 900 && clear {
            let condition = (self.a.norm() * x.norm()).max(1.0);
            let product = self.a.times(&x);
            self.small("axa - a", product.times(&self.a).less(&self.a).norm(), self.a.norm() * condition, 0.0);
            self.small("xax - x", x.times(&product).less(&x).norm(), x.norm() * condition, 0.0);
            self.small("(ax)ᴴ - ax", product.adjoint().less(&product).norm(), condition, 0.0);
            let product = x.times(&self.a);
            self.small("(xa)ᴴ - xa", product.adjoint().less(&product).norm(), condition, 0.0);
        }
    }
}

impl Case {
    fn eig(&self) {
        let n = self.a.rows;
        let complex = if self.dtype.size() == self.dtype.to_real().size() {
            if self.dtype == DType::Float32 { DType::Complex64 } else { DType::Complex128 }
        } else {
            self.dtype
        };
        let (values, vectors) = (empty(&[n], complex), empty(&[n, n], complex));
        linalg::eig(&Ctx::new(), &values.operand(), Some(&vectors.operand()), &self.x.operand()).unwrap();
        let (raw, v) = (matrix(&values), matrix(&vectors));
        let values = raw.shifted(-self.e);
        let norms = Matrix::real(n, 1, |j, _| (0..n).map(|i| v.at(i, j).norm_sqr()).sum::<f64>().sqrt() - 1.0);
        self.small("norms of vectors", norms.norm(), 1.0, 0.0);
        let error = self.a.times(&v).less(&v.times(&Matrix::diagonal(&values.values)));
        for j in 0..n {
            let column = Matrix::new(n, 1, |i, _| error.at(i, j));
            self.small("av - vλ", column.norm(), self.a.norm(), 1.0);
        }
        if !self.dtype.is_complex() {
            // Where both parts are no longer normal numbers, the imaginary one may have vanished.
            let least = if epsilon(self.dtype) > 1e-10 { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
            let mut k = 0;
            while k < n {
                if raw.values[k].im == 0.0 {
                    let real = (0..n).all(|i| v.at(i, k).im == 0.0);
                    assert!(real || raw.values[k].re.abs() < least, "{}", self.name);
                    k += 1;
                } else {
                    assert!(raw.values[k].im > 0.0, "{}", self.name);
                    assert_eq!(raw.values[k + 1], raw.values[k].conj(), "{}", self.name);
                    assert!((0..n).all(|i| v.at(i, k + 1) == v.at(i, k).conj()), "{}", self.name);
                    k += 2;
                }
            }
        }
        // Each value makes the matrix nearly singular when it is subtracted.
        let alone = empty(&[n], complex);
        linalg::eig(&Ctx::new(), &alone.operand(), None, &self.x.operand()).unwrap();
        for value in matrix(&alone).shifted(-self.e).values.into_iter().step_by(1 + n / 8) {
            let x = Matrix::new(n, n, |i, j| self.a.at(i, j) - if i == j { value } else { C::new(0.0, 0.0) });
            let s = empty(&[n], DType::Float64);
            linalg::svdvals(&Ctx::new(), &s.operand(), &x.array(DType::Complex128).operand()).unwrap();
            self.small("value alone", matrix(&s).values[n - 1].re, self.a.norm(), 1.0);
        }
    }
}

/// Square matrices that have been hard for somebody.
fn hard(random: &mut Random, n: usize, complex: bool) -> Vec<(&'static str, Matrix)> {
    let part = |z: C| if complex { z } else { C::new(z.re, 0.0) };
    let zero = C::new(0.0, 0.0);
    let one = C::new(1.0, 0.0);
    let dense = |random: &mut Random| {
        let x = random.matrix(n, n);
        Matrix::new(n, n, |i, j| part(x.at(i, j)))
    };
    let grade = |i: usize| 10f64.powf(-16.0 * i as f64 / n.max(2) as f64);
    let mut all = vec![
        ("zero", Matrix::new(n, n, |_, _| zero)),
        ("identity", Matrix::identity(n)),
        ("ones", Matrix::new(n, n, |_, _| one)),
        ("random", dense(random)),
        ("cycle", Matrix::new(n, n, |i, j| if (i + 1) % n.max(1) == j { one } else { zero })),
        ("jordan of 0", Matrix::new(n, n, |i, j| if i + 1 == j { one } else { zero })),
        ("jordan of 1", Matrix::new(n, n, |i, j| if i + 1 == j || i == j { one } else { zero })),
        ("lower jordan of 0.1", Matrix::real(n, n, |i, j| if i == j { 0.1 } else { f64::from(u8::from(i == j + 1)) })),
        (
            "jordan blocks of 2",
            Matrix::real(n, n, |i, j| if i == j { 0.7 } else { f64::from(u8::from(i + 1 == j && i % 2 == 0)) }),
        ),
        (
            "jordan blocks of 3",
            Matrix::real(n, n, |i, j| if i == j { -0.3 } else { f64::from(u8::from(i + 1 == j && i % 3 != 2)) }),
        ),
        ("tiny across", Matrix::real(n, n, |i, j| if i == j { 1.0 } else { 1e-9 * (i as f64 - j as f64) })),
        ("hilbert", Matrix::real(n, n, |i, j| 1.0 / (i + j + 1) as f64)),
        ("skew", Matrix::real(n, n, |i, j| (i as f64 - j as f64) * 0.25)),
        ("integers", Matrix::real(n, n, |i, j| (i * n + j) as f64)),
        (
            "second difference",
            Matrix::real(n, n, |i, j| match i.abs_diff(j) {
                0 => 2.0,
                1 => -1.0,
                _ => 0.0,
            }),
        ),
        (
            "wilkinson",
            Matrix::real(n, n, |i, j| match i.abs_diff(j) {
                0 => (n as f64 / 2.0 - i as f64).abs(),
                1 => 1.0,
                _ => 0.0,
            }),
        ),
        (
            "kahan",
            Matrix::real(n, n, |i, j| {
                0.6f64.powi(i as i32)
                    * match i.cmp(&j) {
                        std::cmp::Ordering::Equal => 1.0,
                        std::cmp::Ordering::Less => -0.8,
                        _ => 0.0,
                    }
            }),
        ),
        ("grcar", Matrix::real(n, n, |i, j| if i == j + 1 { -1.0 } else { f64::from(u8::from(i <= j && j <= i + 3)) })),
        (
            "huge corner",
            Matrix::real(n, n, |i, j| if (i, j) == (0, n - 1) { 1e12 } else { ((i * 7 + j * 3) % 5) as f64 - 2.0 }),
        ),
        ("huge and tiny", Matrix::real(n, n, |i, j| if i == j { if i % 2 == 0 { 1.0 } else { 1e-250 } } else { 0.0 })),
    ];
    let x = dense(random);
    all.push(("graded rows", Matrix::new(n, n, |i, j| x.at(i, j) * grade(i))));
    all.push(("graded columns", Matrix::new(n, n, |i, j| x.at(i, j) * grade(j))));
    all.push(("graded", Matrix::new(n, n, |i, j| x.at(i, j) * grade(i) * grade(j))));
    all.push(("graded upward", Matrix::new(n, n, |i, j| x.at(i, j) * grade(n - 1 - i) * grade(n - 1 - j))));
    all.push(("triangular", Matrix::new(n, n, |i, j| if i <= j { x.at(i, j) } else { zero })));
    all.push(("nilpotent", Matrix::new(n, n, |i, j| if i < j { x.at(i, j) } else { zero })));
    let coarse = |z: C| C::new((z.re * 1.9).trunc(), (z.im * 1.9).trunc());
    all.push(("few values", Matrix::new(n, n, |i, j| part(coarse(x.at(i, j))))));
    let x = dense(random);
    all.push(("mostly zeros", Matrix::new(n, n, |i, j| if (i * 5 + j * 3) % 7 == 0 { x.at(i, j) } else { zero })));
    // The polynomial (x - 1)^n, and x^n - 1 with small numbers between.
    let mut binomial = vec![1.0];
    for k in 0..n.min(40) {
        binomial.push(binomial[k] * (n - k) as f64 / (k + 1) as f64);
    }
    binomial.resize(n + 1, 0.0);
    all.push((
        "companion",
        Matrix::real(n, n, |i, j| {
            if i == 0 {
                if j % 2 == 0 { binomial[j + 1] } else { -binomial[j + 1] }
            } else {
                f64::from(u8::from(i == j + 1))
            }
        }),
    ));
    let ranked = |rank: usize, random: &mut Random| {
        let (x, y) = (dense(random), dense(random));
        let thin = Matrix::new(n, rank, |i, j| x.at(i, j));
        thin.times(&Matrix::new(rank, n, |i, j| y.at(i, j)))
    };
    all.push(("rank 1", ranked(1.min(n), random)));
    all.push(("rank n - 1", ranked(n.saturating_sub(1), random)));
    all.push(("half the rank", ranked(n / 2, random)));
    let values: Vec<f64> = (0..n).map(|i| if i < n / 2 { 1.0 } else { 2.0 }).collect();
    all.push(("two values", random.with_values(n, n, &values, complex)));
    let values: Vec<f64> = (0..n).map(|i| 1.0 + 1e-13 * i as f64).collect();
    all.push(("cluster", random.with_values(n, n, &values, complex)));
    let values: Vec<f64> = (0..n).map(grade).collect();
    all.push(("condition 1e16", random.with_values(n, n, &values, complex)));
    let (q, values) = (random.unitary(n, complex), values.iter().map(|&x| C::new(x, 0.0)).collect::<Vec<_>>());
    all.push(("definite", q.times(&Matrix::diagonal(&values)).times(&q.adjoint())));
    let values: Vec<_> = (0..n).map(|i| C::new(if i % 2 == 0 { 1.0 } else { -1.0 }, 0.0)).collect();
    all.push(("reflection", q.times(&Matrix::diagonal(&values)).times(&q.adjoint())));
    all.push(("unitary", q));
    let x = dense(random);
    let twice = Matrix::new(n, n, |i, j| x.at(i, j / 2));
    all.push(("columns twice", twice));
    if n == 0 {
        all.retain(|(name, _)| *name == "zero");
    }
    all
}

/// By which powers of two matrices are multiplied: the last one takes the smaller ones to where numbers are not normal.
fn shifts(dtype: DType) -> &'static [i32] {
    if epsilon(dtype) > 1e-10 { &[0, -60, 60, -130] } else { &[0, -700, 700, -990, 980, -1050] }
}

/// Calls for hard matrices of many sizes, and of each data type.
fn for_each_hard(seed: u64, sizes: &[usize], call: impl Fn(&Case)) {
    for dtype in DTYPES {
        let mut random = Random(seed);
        for &n in sizes {
            for (name, a) in hard(&mut random, n, dtype.is_complex()) {
                for &e in shifts(dtype) {
                    // A huge element would be infinite.
                    let most = if epsilon(dtype) > 1e-10 { 120.0 } else { 1015.0 };
                    if a.largest().log2() + f64::from(e) < most && (e == 0 || n < 10) {
                        call(&Case::new(name, &a, e, dtype));
                    }
                }
            }
        }
    }
}

/// Calls for hard matrices with some of their rows, or columns.
fn for_each_oblong(seed: u64, call: impl Fn(&Case)) {
    for dtype in DTYPES {
        let mut random = Random(seed);
        for [m, n] in
            [[0, 3], [3, 0], [1, 4], [4, 1], [5, 3], [3, 5], [17, 2], [2, 17], [20, 19], [40, 18], [18, 40], [90, 20]]
        {
            for (name, a) in hard(&mut random, m.max(n), dtype.is_complex()) {
                let a = Matrix::new(m, n, |i, j| a.at(i, j));
                for &e in shifts(dtype) {
                    let most = if epsilon(dtype) > 1e-10 { 120.0 } else { 1015.0 };
                    if a.largest().log2() + f64::from(e) < most {
                        call(&Case::new(name, &a, e, dtype));
                    }
                }
            }
        }
    }
}

const SMALL: [usize; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
/// On both sides of where the plain algorithms end.
const MEDIUM: [usize; 6] = [12, 16, 17, 24, 33, 50];

#[test]
fn qr_of_hard_matrices() {
    for_each_hard(11, &SMALL, Case::qr);
    for_each_hard(12, &MEDIUM, Case::qr);
    for_each_oblong(13, Case::qr);
}

#[test]
fn eigh_of_hard_matrices() {
    for_each_hard(21, &SMALL, Case::eigh);
    for_each_hard(22, &MEDIUM, Case::eigh);
}

#[test]
fn svd_of_hard_matrices() {
    for_each_hard(31, &SMALL, Case::svd);
    for_each_hard(32, &MEDIUM, Case::svd);
    for_each_oblong(33, Case::svd);
}

#[test]
fn pinv_and_rank_of_hard_matrices() {
    for_each_hard(41, &SMALL, Case::pinv);
    for_each_hard(42, &MEDIUM, Case::pinv);
    for_each_oblong(43, Case::pinv);
}

#[test]
fn pinv_of_tiny_singular_values() {
    let ctx = Ctx::new();
    let rtol = Array::zeros(&[], DType::Float64, Device::CPU).unwrap();
    for dtype in [DType::Float64, DType::Complex128] {
        for [m, n] in [[2, 2], [3, 2], [2, 3], [8, 8]] {
            // The reciprocal is too large for a number; nothing beside it is.
            for (tiny, inverse) in
                [(1e-310, f64::INFINITY), (5e-324, f64::INFINITY), (2f64.powi(-1023), 2f64.powi(1023))]
            {
                let x = Matrix::real(m, n, |i, j| {
                    if i != j {
                        0.0
                    } else if i == 1 {
                        tiny
                    } else {
                        1.0
                    }
                });
                let out = empty(&[n, m], dtype);
                linalg::pinv(&ctx, &out.operand(), &x.array(dtype).operand(), &rtol.operand()).unwrap();
                let out = matrix(&out);
                for i in 0..n {
                    for j in 0..m {
                        let expected = if i != j {
                            0.0
                        } else if i == 1 {
                            inverse
                        } else {
                            1.0
                        };
                        assert_eq!(out.at(i, j).re, expected, "{tiny:e}, {m} times {n}: ({i}, {j})");
                    }
                }
            }
        }
    }
}

#[test]
fn eig_of_hard_matrices() {
    for_each_hard(51, &SMALL, Case::eig);
    for_each_hard(52, &MEDIUM, Case::eig);
}

/// Exponents that differ by more than numbers' do: vectors of the balanced matrix must not vanish on the way back.
#[test]
fn eig_of_matrices_that_balancing_stretches() {
    let mut random = Random(53);
    for dtype in DTYPES {
        let tinies: &[f64] = if epsilon(dtype) > 1e-10 { &[1e-20, 1e-37] } else { &[1e-60, 1e-150, 1e-300] };
        for &tiny in tinies {
            let counted = |n: usize| Matrix::real(n, n, |i, j| if i <= j { (i * n + j + 1) as f64 } else { 0.0 });
            for n in [2, 4, 16, 40, 100] {
                for (name, upper) in [("counted", counted(n)), ("random", random.matrix(n, n))] {
                    let a = Matrix::new(n, n, |i, j| match i.cmp(&j) {
                        std::cmp::Ordering::Equal | std::cmp::Ordering::Less if dtype.is_complex() => upper.at(i, j),
                        std::cmp::Ordering::Equal | std::cmp::Ordering::Less => C::new(upper.at(i, j).re, 0.0),
                        _ => C::new(if i == j + 1 { tiny } else { 0.0 }, 0.0),
                    });
                    Case::new(name, &a, 0, dtype).eig();
                }
                // A cycle of tiny numbers, but for one.
                let cycle = Matrix::real(n, n, |i, j| match (i, j) {
                    (0, j) if j == n - 1 => 1.0,
                    (i, j) if i == j + 1 => tiny,
                    _ => 0.0,
                });
                Case::new("cycle", &cycle, 0, dtype).eig();
            }
        }
    }
}

#[test]
fn large_matrices() {
    let mut random = Random(61);
    for dtype in [DType::Float64, DType::Complex128] {
        for n in [100, 150] {
            let chosen = ["random", "jordan of 1", "grcar", "two values", "graded", "half the rank", "kahan", "ones"];
            for (name, a) in hard(&mut random, n, dtype.is_complex()) {
                if chosen.contains(&name) {
                    let case = Case::new(name, &a, 0, dtype);
                    case.qr();
                    case.eigh();
                    case.svd();
                    // The values alone are held to account by as many decompositions as there are values.
                    if n == 100 {
                        case.eig();
                    }
                }
            }
        }
        let a = random.matrix(300, 300);
        let case = Case::new("random", &a, 0, dtype);
        case.qr();
        case.eigh();
        case.svd();
    }
}

#[test]
fn where_the_plain_algorithms_end() {
    let mut random = Random(62);
    for dtype in DTYPES {
        let sizes = if dtype.is_complex() { [135, 136] } else { [192, 193] };
        for n in sizes {
            for shape in [[n, n], [2 * n, n / 2], [n / 2, 2 * n]] {
                let a = random.matrix(shape[0], shape[1]);
                // With all columns independent, and with few.
                let low = random.matrix(shape[0], 3).times(&random.matrix(3, shape[1]));
                for (name, a) in [("random", a), ("of rank 3", low)] {
                    let case = Case::new(name, &a, 0, dtype);
                    case.qr();
                    case.svd();
                    case.pinv();
                    if shape == [n, n] {
                        case.eigh();
                    }
                }
            }
        }
        if dtype.is_complex() {
            for shape in [[256, 256], [256, 257], [257, 256]] {
                Case::new("random", &random.matrix(shape[0], shape[1]), 0, dtype).qr();
            }
        }
        for n in [63, 64, 65, 99, 100, 101] {
            Case::new("random", &random.matrix(n, n), 0, dtype).eig();
        }
        // Values alone are those that come with vectors, but for rounding.
        for n in [100, 101, 223, 224, 225] {
            let x = random.matrix(n, n).array(dtype);
            let complex = if epsilon(dtype) > 1e-10 { DType::Complex64 } else { DType::Complex128 };
            let (with, without) = (empty(&[n], complex), empty(&[n], complex));
            let vectors = empty(&[n, n], complex);
            linalg::eig(&Ctx::new(), &with.operand(), Some(&vectors.operand()), &x.operand()).unwrap();
            linalg::eig(&Ctx::new(), &without.operand(), None, &x.operand()).unwrap();
            let (with, without) = (values(&with), values(&without));
            let off = |x: &C, all: &[C]| all.iter().map(|y| (x - y).norm()).fold(f64::INFINITY, f64::min);
            let most = with.iter().map(|x| off(x, &without)).chain(without.iter().map(|x| off(x, &with)));
            // They are badly conditioned, but not much.
            small("values alone", most.fold(0.0, f64::max), 1000.0, n, dtype);
        }
    }
}

/// The matrices of an array.
fn matrices(x: &Array) -> Vec<Matrix> {
    let sizes = &x.shape()[1..];
    let (rows, columns) = (sizes[0], sizes.get(1).copied().unwrap_or(1));
    let values = values(x);
    values.chunks_exact(rows * columns).map(|chunk| Matrix { rows, columns, values: chunk.to_vec() }).collect()
}

/// Each function on 25 000 real and as many complex matrices whose elements are zeros, ones, equal, tiny, irregular:
/// there are few kinds of small matrices, and all of them occur.
#[test]
fn very_many_small_matrices() {
    const COUNT: usize = 5000;
    let ctx = Ctx::new();
    let mut random = Random(71);
    for dtype in [DType::Float64, DType::Complex128] {
        for n in 2..7 {
            let all: Vec<_> = (0..COUNT)
                .map(|k| {
                    let element = |random: &mut Random| match random.next() >> 40 & 15 {
                        0..6 => 0.0,
                        6..10 => [1.0, -1.0, 2.0, 0.5][(random.next() >> 40 & 3) as usize],
                        10 => [1e-8, 1e-16, 1e-30, 1e-170][(random.next() >> 40 & 3) as usize],
                        11 if k % 2 == 0 => 1e8,
                        _ => random.real(),
                    };
                    Matrix::new(n, n, |_, _| {
                        C::new(element(&mut random), if k % 3 == 0 { 0.0 } else { element(&mut random) })
                    })
                    .rounded(dtype)
                })
                .collect();
            let x = array(&all, &[COUNT], dtype);
            let square = || empty(&[COUNT, n, n], dtype);
            let (q, r) = (square(), square());
            linalg::qr(&ctx, &q.operand(), &r.operand(), &x.operand()).unwrap();
            let (u, s, vh) = (square(), empty(&[COUNT, n], DType::Float64), square());
            linalg::svd(&ctx, &u.operand(), &s.operand(), &vh.operand(), &x.operand()).unwrap();
            let (w, v) = (empty(&[COUNT, n], DType::Float64), square());
            linalg::eigh(&ctx, &w.operand(), Some(&v.operand()), &x.operand()).unwrap();
            let complex = DType::Complex128;
            let (values, vectors) = (empty(&[COUNT, n], complex), empty(&[COUNT, n, n], complex));
            linalg::eig(&ctx, &values.operand(), Some(&vectors.operand()), &x.operand()).unwrap();
            let ([q, r, u, s], [vh, w, v], [values, vectors]) = (
                [q, r, u, s].map(|x| matrices(&x)),
                [vh, w, v].map(|x| matrices(&x)),
                [values, vectors].map(|x| matrices(&x)),
            );
            for (k, a) in all.iter().enumerate() {
                let small = |what: &str, error: f64, relative: f64| {
                    let allowed = 20.0 * n as f64 * epsilon(dtype) * relative;
                    assert!(error <= allowed, "{what}: {error:e} > {allowed:e}, {dtype}, {a:?}");
                };
                small("qr - a", q[k].times(&r[k]).less(a).norm(), a.norm());
                small("qᴴq - 1", q[k].skew(), 1.0);
                small("usvᴴ - a", u[k].times(&Matrix::diagonal(&s[k].values)).times(&vh[k]).less(a).norm(), a.norm());
                small("uᴴu - 1", u[k].skew(), 1.0);
                small("vᴴv - 1", vh[k].skew(), 1.0);
                let h = a.hermitian();
                let error = h.times(&v[k]).less(&v[k].times(&Matrix::diagonal(&w[k].values)));
                small("hv - vλ", error.norm(), h.norm());
                small("vᴴv - 1 (eigh)", v[k].skew(), 1.0);
                let error = a.times(&vectors[k]).less(&vectors[k].times(&Matrix::diagonal(&values[k].values)));
                small("av - vλ", error.norm(), a.norm());
                let norms =
                    Matrix::real(n, 1, |j, _| (0..n).map(|i| vectors[k].at(i, j).norm_sqr()).sum::<f64>() - 1.0);
                small("norms", norms.norm(), 1.0);
            }
        }
    }
}

// ---- layouts ---------------------------------------------------------------------------------------------------

/// The same elements in other memory: steps of some elements along each axis, negative ones too.
fn laid_out(x: &Array, steps: &[isize]) -> Array {
    let item = x.dtype().size() as isize;
    let (mut strides, mut room, mut offset) = (Vec::new(), item, 0);
    for (&n, &step) in x.shape().iter().zip(steps).rev() {
        let stride = room * step;
        strides.push(stride);
        if step < 0 {
            offset -= stride * (n as isize - 1).max(0);
        }
        room *= step.abs() * n as isize;
    }
    strides.reverse();
    let memory = Array::zeros(&[(room / item).max(1) as usize], x.dtype(), Device::CPU).unwrap();
    let layout = Layout::new(x.shape().into(), strides[..].into(), offset as usize);
    let view = memory.with_layout(layout).unwrap();
    copy::copy_elements(&view.operand(), &x.operand()).unwrap();
    view
}

/// The views of an array that a result must not depend on: transposed memory, steps, backwards.
fn layouts(x: &Array) -> Vec<Array> {
    let axes = x.ndim();
    let mut order: Vec<usize> = (0..axes).collect();
    order.reverse();
    let reversed = x.with_layout(x.layout().permuted(&order)).unwrap().to_owned_copy().unwrap();
    let transposed = reversed.with_layout(reversed.layout().permuted(&order)).unwrap();
    let mut all = vec![x.clone(), transposed];
    for steps in [2, -1, -3] {
        all.push(laid_out(x, &vec![steps; axes]));
    }
    all
}

/// Asserts that a function of an array gives the same bits from every layout, to every layout.
fn same_bits(name: &str, x: &Array, outs: &[Array], call: impl Fn(&[Array], &Array) -> Result<()>) {
    let mut expected = None;
    for x in layouts(x) {
        let each: Vec<_> = outs.iter().map(layouts).collect();
        for k in 0..5 {
            let outs: Vec<_> = each.iter().map(|layouts| layouts[k].clone()).collect();
            call(&outs, &x).unwrap();
            let bytes: Vec<_> = outs.iter().map(common::bytes).collect();
            match &expected {
                None => expected = Some(bytes),
                Some(expected) => assert_eq!(&bytes, expected, "{name}, {}, {:?}", x.dtype(), x.layout()),
            }
        }
    }
}

#[test]
fn results_do_not_depend_on_the_layout() {
    let mut random = Random(5);
    let ctx = Ctx::new();
    for dtype in DTYPES {
        for n in [1, 2, 3, 5, 18, 33] {
            let real = dtype.to_real();
            let squares: Vec<_> = (0..4).map(|_| random.matrix(n, n)).collect();
            let x = array(&squares, &[2, 2], dtype);
            let zeros = |shape: &[usize], dtype| Array::zeros(shape, dtype, Device::CPU).unwrap();
            let square = zeros(&[2, 2, n, n], dtype);
            same_bits("det", &x, &[zeros(&[2, 2], dtype)], |out, x| linalg::det(&ctx, &out[0].operand(), &x.operand()));
            same_bits("slogdet", &x, &[zeros(&[2, 2], dtype), zeros(&[2, 2], real)], |out, x| {
                linalg::slogdet(&ctx, &out[0].operand(), &out[1].operand(), &x.operand())
            });
            same_bits("inv", &x, std::slice::from_ref(&square), |out, x| {
                linalg::inv(&ctx, &out[0].operand(), &x.operand())
            });
            same_bits("solve", &x, std::slice::from_ref(&square), |out, x| {
                linalg::solve(&ctx, &out[0].operand(), &x.operand(), &x.operand())
            });
            let vector = zeros(&[2, 2, n], real);
            same_bits("qr", &x, &[square.clone(), zeros(&[2, 2, n, n], dtype)], |out, x| {
                linalg::qr(&ctx, &out[0].operand(), &out[1].operand(), &x.operand())
            });
            same_bits("eigh", &x, &[vector.clone(), square.clone()], |out, x| {
                linalg::eigh(&ctx, &out[0].operand(), Some(&out[1].operand()), &x.operand())
            });
            let complex = if epsilon(dtype) > 1e-10 { DType::Complex64 } else { DType::Complex128 };
            let eigen = [zeros(&[2, 2, n], complex), zeros(&[2, 2, n, n], complex)];
            same_bits("eig", &x, &eigen, |out, x| {
                linalg::eig(&ctx, &out[0].operand(), Some(&out[1].operand()), &x.operand())
            });
            same_bits("svdvals", &x, std::slice::from_ref(&vector), |out, x| {
                linalg::svdvals(&ctx, &out[0].operand(), &x.operand())
            });
            let rtol = zeros(&[2, 2], DType::Float64);
            same_bits("pinv", &x, std::slice::from_ref(&square), |out, x| {
                linalg::pinv(&ctx, &out[0].operand(), &x.operand(), &rtol.operand())
            });
            // Of a wide matrix and of a tall one.
            for [m, n] in [[n, n + 2], [n + 1, n]] {
                let oblong: Vec<_> = (0..4).map(|_| random.matrix(m, n)).collect();
                let oblong = array(&oblong, &[2, 2], dtype);
                let k = m.min(n);
                let outs = [
                    zeros(&[2, 2, m, k], dtype),
                    zeros(&[2, 2, k], real),
                    zeros(&[2, 2, k, n], dtype),
                    zeros(&[2, 2], DType::Int64),
                ];
                same_bits("svd", &oblong, &outs, |out, x| {
                    linalg::svd(&ctx, &out[0].operand(), &out[1].operand(), &out[2].operand(), &x.operand())?;
                    linalg::matrix_rank(&ctx, &out[3].operand(), &x.operand(), &rtol.operand())
                });
            }
            let definite: Vec<_> = squares.iter().map(|m| m.times(&m.adjoint())).collect();
            let definite: Vec<_> = definite.iter().map(|m| m.less(&Matrix::identity(n).scaled(-1.0))).collect();
            for upper in [false, true] {
                same_bits("cholesky", &array(&definite, &[2, 2], dtype), std::slice::from_ref(&square), |out, x| {
                    linalg::cholesky(&ctx, &out[0].operand(), &x.operand(), upper)
                });
            }
        }
    }
}

#[test]
fn a_repeated_matrix_is_a_matrix() {
    let mut random = Random(6);
    let ctx = Ctx::new();
    for dtype in DTYPES {
        for n in [2, 20] {
            let a = random.matrix(n, n).array(dtype);
            let wide = a.with_layout(a.layout().broadcast_to(&[3, n, n]).unwrap()).unwrap();
            let copied = wide.to_owned_copy().unwrap();
            let b = array(&[random.matrix(n, 2), random.matrix(n, 2), random.matrix(n, 2)], &[3], dtype);
            let (out, other) = (empty(&[3, n, 2], dtype), empty(&[3, n, 2], dtype));
            linalg::solve(&ctx, &out.operand(), &wide.operand(), &b.operand()).unwrap();
            linalg::solve(&ctx, &other.operand(), &copied.operand(), &b.operand()).unwrap();
            assert_eq!(common::bytes(&out), common::bytes(&other));
            // All elements are one: rows and columns repeat.
            let one = common::array(&[Scalar::Float(2.0)], &[1, 1], dtype);
            let ones = one.with_layout(one.layout().broadcast_to(&[2, n, n]).unwrap()).unwrap();
            let out = empty(&[2], dtype);
            linalg::det(&ctx, &out.operand(), &ones.operand()).unwrap();
            assert_eq!(values(&out), [C::new(0.0, 0.0); 2]);
        }
    }
}

#[test]
fn batches_without_matrices_are_fine_and_long_ones_can_be_stopped() {
    for dtype in DTYPES {
        let x = empty(&[0, 3, 3], dtype);
        linalg::inv(&Ctx::new(), &x.operand(), &x.operand()).unwrap();
        let x = Array::zeros(&[4, 0, 0], dtype, Device::CPU).unwrap();
        let out = empty(&[4], dtype);
        linalg::det(&Ctx::new(), &out.operand(), &x.operand()).unwrap();
        assert_eq!(values(&out), [C::new(1.0, 0.0); 4]);
        let stop = || true;
        let ctx = Ctx::new().cancelled_by(&stop);
        let x = Array::zeros(&[100_000, 3, 3], dtype, Device::CPU).unwrap();
        let out = empty(&[100_000], dtype);
        refused(linalg::det(&ctx, &out.operand(), &x.operand()), &rule::INTERRUPTED);
    }
}
