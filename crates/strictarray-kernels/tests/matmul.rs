//! Products of matrices: against a plain reference, and the same bits whatever the layout and the instruction set.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may fail a test")]

mod common;

use common::{array, bytes};
use strictarray_core::{Array, Complex, DType, Device, Layout, Scalar, copy};
use strictarray_kernels::simd::Level;
use strictarray_kernels::{Ctx, matmul};

type C = Complex<f64>;

/// Irregular numbers of either sign; integers use the whole width.
fn matrix(shape: &[usize], dtype: DType, seed: u64) -> Array {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let n = shape.iter().product();
    let values: Vec<_> = (0..n)
        .map(|_| {
            let r = next();
            match dtype.integer_range() {
                Some((min, max)) => Scalar::Int(min + i128::from(r) % (max - min + 1)),
                None => {
                    let [re, im] = [r as i32, (r >> 32) as i32].map(|x| f64::from(x) / 2f64.powi(31));
                    if dtype.is_complex() { Scalar::Complex(C::new(re, im)) } else { Scalar::Float(re) }
                }
            }
        })
        .collect();
    array(&values, shape, dtype)
}

fn product(ctx: &Ctx<'_>, x1: &Array, x2: &Array) -> Array {
    let mut shape = x1.shape().to_vec();
    *shape.last_mut().unwrap() = *x2.shape().last().unwrap();
    let out = Array::uninit(&shape, x1.dtype(), Device::CPU).unwrap();
    matmul::matmul(ctx, &out.operand(), &x1.operand(), &x2.operand()).unwrap();
    out
}

fn numeric() -> impl Iterator<Item = DType> {
    DType::ALL.into_iter().filter(|d| *d != DType::Bool)
}

/// M, N and K around every size where the way to compute changes.
const SIZES: [[usize; 3]; 24] = [
    [300, 1, 40],
    [1, 300, 67],
    [1, 1, 1],
    [2, 2, 2],
    [4, 4, 4],
    [8, 8, 8],
    [3, 5, 7],
    [1, 40, 300],
    [40, 1, 300],
    [1, 1, 1000],
    [17, 1, 513],
    [9, 9, 9],
    [16, 16, 16],
    [31, 33, 65],
    [70, 130, 257],
    [5, 200, 600],
    [200, 3, 100],
    [65, 1030, 3],
    // Whole tiles, and one row and one column more or less than that.
    [12, 16, 300],
    [13, 17, 300],
    [11, 7, 258],
    [0, 3, 4],
    [3, 0, 4],
    [3, 4, 0],
];

#[test]
fn values_are_those_of_a_plain_reference() {
    for dtype in numeric() {
        for [m, n, k] in SIZES {
            let (a, b) = (matrix(&[m, k], dtype, 1), matrix(&[k, n], dtype, 2));
            let got = product(&Ctx::new(), &a, &b).to_scalars().unwrap();
            let [a, b] = [a, b].map(|x| x.to_scalars().unwrap());
            // Every sum, or of large products those of a few columns.
            let step = if m * n * k > 100_000 { 7 } else { 1 };
            for (i, j) in (0..m).flat_map(|i| (0..n).step_by(step).map(move |j| (i, j))) {
                let pairs = (0..k).map(|l| (a[i * k + l], b[l * n + j]));
                let title = format!("{dtype} {m} {n} {k} at {i}, {j}");
                if let Some((min, max)) = dtype.integer_range() {
                    let sum = pairs.fold(0i128, |sum, pair| match pair {
                        (Scalar::Int(a), Scalar::Int(b)) => sum.wrapping_add(a.wrapping_mul(b)),
                        other => panic!("{other:?}"),
                    });
                    let want = Scalar::Int((sum - min).rem_euclid(max - min + 1) + min);
                    assert_eq!(got[i * n + j], want, "{title}");
                } else {
                    let complex = |x| match x {
                        Scalar::Float(x) => C::new(x, 0.0),
                        Scalar::Complex(z) => z,
                        other => panic!("{other:?}"),
                    };
                    let sum: C = pairs.map(|(a, b)| complex(a) * complex(b)).sum();
                    let epsilon = if dtype.to_real() == DType::Float32 { f32::EPSILON.into() } else { f64::EPSILON };
                    let error = (complex(got[i * n + j]) - sum).norm();
                    assert!(error <= epsilon * 2.0 * k as f64, "{title}: {error}");
                }
            }
        }
    }
}

/// The same matrices in memory of another order; the last axis steps over `apart` elements.
fn laid_out(x: &Array, transposed: bool, apart: usize, back: bool) -> Array {
    let item = x.dtype().size() as isize;
    let &[.., rows, columns] = x.shape() else { panic!() };
    let batch: usize = x.shape()[..x.ndim() - 2].iter().product();
    let (inner, outer) = if transposed { (rows, columns) } else { (columns, rows) };
    let apart_bytes = apart as isize * item;
    let line = (inner as isize * apart_bytes).max(item);
    let block = line * outer as isize;
    let [mut down, right] = if transposed { [apart_bytes, line] } else { [line, apart_bytes] };
    let mut offset = 0;
    if back && x.size() > 0 {
        offset = (rows as isize - 1) * down;
        down = -down;
    }
    let mut strides: Vec<isize> = vec![0; x.ndim()];
    let mut stride = block;
    for (s, &n) in strides[..x.ndim() - 2].iter_mut().zip(x.shape()).rev() {
        *s = stride;
        stride *= n as isize;
    }
    strides[x.ndim() - 2] = down;
    strides[x.ndim() - 1] = right;
    let memory = Array::zeros(&[(block * batch as isize / item) as usize + 1], x.dtype(), Device::CPU).unwrap();
    let layout = Layout::new(x.shape().into(), strides[..].into(), offset as usize);
    let view = memory.with_layout(layout).unwrap();
    copy::copy_elements(&view.operand(), &x.operand()).unwrap();
    view
}

#[test]
fn bits_depend_neither_on_layout_nor_on_instruction_set() {
    for dtype in numeric() {
        for [m, n, k] in SIZES {
            let (a, b) = (matrix(&[m, k], dtype, 3), matrix(&[k, n], dtype, 4));
            let expected = bytes(&product(&Ctx::new(), &a, &b));
            for level in Level::ALL {
                // Without fused operations these take seconds.
                if level == Level::Baseline && m * n * k > 100_000 && dtype != DType::Float64 {
                    continue;
                }
                let ctx = Ctx::new().simd_at_most(level);
                for way in 0..8 {
                    let [first, second, third] = [way & 1 != 0, way & 2 != 0, way & 4 != 0];
                    let (x, y) = (laid_out(&a, first, 1 + way % 3, third), laid_out(&b, second, 1 + way % 2, second));
                    let out = laid_out(&Array::zeros(&[m, n], dtype, Device::CPU).unwrap(), third, 1 + way % 3, first);
                    matmul::matmul(&ctx, &out.operand(), &x.operand(), &y.operand()).unwrap();
                    assert!(bytes(&out) == expected, "{dtype} {m} {n} {k} {level:?} {way}");
                }
            }
        }
    }
}

/// A view of the same elements with the last two axes swapped.
fn transposed(x: &Array) -> Array {
    let (mut shape, mut strides) = (x.shape().to_vec(), x.layout().strides().to_vec());
    let n = shape.len();
    shape.swap(n - 1, n - 2);
    strides.swap(n - 1, n - 2);
    x.with_layout(Layout::new(shape[..].into(), strides[..].into(), x.layout().offset())).unwrap()
}

#[test]
fn a_matrix_times_its_transpose_has_the_bits_of_any_product() {
    let nan = |bits: u64| array(&[Scalar::Float(f64::from_bits(bits))], &[1, 1], DType::Float64);
    let nans = [nan(0x7ff8_0000_0000_0001), nan(0xfff8_0000_0000_0002)];
    for dtype in numeric() {
        for (shape, with_nans) in
            [(&[9, 9][..], false), (&[50, 17], false), (&[3, 33, 40], false), (&[280, 300], false), (&[40, 50], true)]
        {
            if with_nans && dtype != DType::Float64 {
                continue;
            }
            let x = matrix(shape, dtype, 5);
            for (place, nan) in [3, 170, 171, 1203].into_iter().zip(nans.iter().cycle()).filter(|_| with_nans) {
                // SAFETY: one element of float64 each, inside both.
                unsafe { x.ptr().cast::<f64>().add(place).write(nan.ptr().cast::<f64>().read()) };
            }
            let copy = x.to_owned_copy().unwrap();
            for level in Level::ALL {
                let ctx = Ctx::new().simd_at_most(level);
                let case = format!("{dtype} {shape:?} {level:?}");
                let same = bytes(&product(&ctx, &transposed(&x), &x));
                assert!(same == bytes(&product(&ctx, &transposed(&x), &copy)), "{case}");
                let same = bytes(&product(&ctx, &x, &transposed(&x)));
                assert!(same == bytes(&product(&ctx, &x, &transposed(&copy))), "{case}, turned");
            }
        }
    }
}

#[test]
fn slices_of_one_matrix_that_begin_at_one_place_are_two_matrices() {
    let rows = |x: &Array, m: usize| {
        let mut shape = x.shape().to_vec();
        let n = shape.len();
        shape[n - 2] = m;
        let strides = x.layout().strides();
        x.with_layout(Layout::new(shape[..].into(), strides.into(), x.layout().offset())).unwrap()
    };
    for dtype in numeric() {
        for (leading, [m, n, k]) in [
            (&[][..], [40, 100, 64]),
            (&[], [100, 40, 64]),
            (&[], [9, 12, 8]),
            (&[], [12, 9, 8]),
            (&[], [300, 2, 40]),
            (&[], [2, 300, 40]),
            (&[3], [30, 20, 10]),
            (&[3], [20, 30, 10]),
        ] {
            let shape = [leading, &[m.max(n), k]].concat();
            let x = matrix(&shape, dtype, 6);
            let (a, b) = (rows(&x, m), rows(&x, n));
            let copy = b.to_owned_copy().unwrap();
            for level in Level::ALL {
                let ctx = Ctx::new().simd_at_most(level);
                let case = format!("{dtype} {leading:?} {m} {n} {k} {level:?}");
                let expected = bytes(&product(&ctx, &a, &transposed(&copy)));
                assert!(bytes(&product(&ctx, &a, &transposed(&b))) == expected, "{case}");
                // The other way round, columns begin at one place.
                let (a, b) = (transposed(&a), transposed(&b));
                let [a, b] = [a, b].map(|x| x.to_owned_copy().unwrap());
                let narrow = |x: &Array, columns: usize| {
                    let mut shape = x.shape().to_vec();
                    let last = shape.len() - 1;
                    shape[last] = columns;
                    let strides = x.layout().strides();
                    x.with_layout(Layout::new(shape[..].into(), strides.into(), x.layout().offset())).unwrap()
                };
                let (wide, few) = if m > n { (&a, n) } else { (&b, m) };
                let narrow = narrow(wide, few);
                let expected = bytes(&product(&ctx, &transposed(&narrow.to_owned_copy().unwrap()), wide));
                assert!(bytes(&product(&ctx, &transposed(&narrow), wide)) == expected, "{case}, turned");
            }
        }
    }
}

#[test]
fn batches_are_products_of_their_own_and_may_be_repeated() {
    for dtype in [DType::Int32, DType::Float32, DType::Complex128] {
        for [m, n, k] in [[2, 3, 4], [1, 5, 6], [20, 21, 22], [3, 2, 0]] {
            let a = matrix(&[2, 3, m, k], dtype, 5);
            let b = matrix(&[k, n], dtype, 6);
            let item = dtype.size() as isize;
            let layout = Layout::new([2, 3, k, n][..].into(), [0, 0, n as isize * item, item][..].into(), 0);
            let repeated = b.with_layout(layout).unwrap();
            let out = product(&Ctx::new(), &a, &repeated);
            let whole = bytes(&out);
            for i in 0..6 {
                let one = |x: &Array, i: usize, rows: usize, columns: usize| {
                    let layout = Layout::c_order(&[rows, columns], dtype.size()).unwrap();
                    let offset = i * rows * columns * dtype.size();
                    x.with_layout(Layout::new(layout.shape().into(), layout.strides().into(), offset)).unwrap()
                };
                let part = bytes(&product(&Ctx::new(), &one(&a, i, m, k), &b));
                assert_eq!(whole[i * part.len()..][..part.len()], part, "{dtype} {m} {n} {k} {i}");
            }
        }
    }
}

#[test]
fn nothing_to_sum_gives_zeros_and_nothing_to_fill_is_fine() {
    for dtype in numeric() {
        let out = matrix(&[3, 2], dtype, 7);
        let (a, b) = (matrix(&[3, 0], dtype, 1), matrix(&[0, 2], dtype, 1));
        matmul::matmul(&Ctx::new(), &out.operand(), &a.operand(), &b.operand()).unwrap();
        assert!(bytes(&out).iter().all(|&b| b == 0), "{dtype}");
        let empty = product(&Ctx::new(), &matrix(&[4, 0, 3], dtype, 1), &matrix(&[4, 3, 5], dtype, 1));
        assert_eq!(empty.shape(), [4, 0, 5]);
    }
}

#[test]
fn what_is_not_finite_spreads_as_it_should() {
    for n in [2, 9, 40] {
        for level in Level::ALL {
            let ctx = Ctx::new().simd_at_most(level);
            let mut a = vec![0.0; n * n];
            a[0] = f64::INFINITY;
            let zeros = vec![0.0; n * n];
            let [a, zeros] = [a, zeros].map(|x| Array::from_slice(&x, &[n, n], Device::CPU).unwrap());
            let Scalar::Float(_) = product(&ctx, &a, &zeros).to_scalars().unwrap()[0] else { panic!() };
            for (x, y) in [(&a, &zeros), (&zeros, &a)] {
                let values = product(&ctx, x, y).to_scalars().unwrap();
                let nan = |x: &Scalar| matches!(x, Scalar::Float(x) if x.is_nan());
                // inf·0 is NaN in the row of the infinity (or its column), and 0 elsewhere.
                assert_eq!(values.iter().filter(|x| nan(x)).count(), n, "{n} {level:?}");
            }
        }
    }
}

#[test]
fn misuse_is_refused_and_large_products_stop() {
    let ctx = Ctx::new();
    let x = |shape: &[usize], dtype| Array::zeros(shape, dtype, Device::CPU).unwrap();
    let f = DType::Float64;
    for [out, a, b] in [
        [x(&[2, 2], f), x(&[2, 3], f), x(&[2, 2], f)],
        [x(&[2, 3], f), x(&[2, 3], f), x(&[3, 2], f)],
        [x(&[2, 2], f), x(&[2, 3], f), x(&[3, 2], DType::Float32)],
        [x(&[1, 2, 2], f), x(&[2, 2, 2], f), x(&[2, 2, 2], f)],
        [x(&[2], f), x(&[2], f), x(&[2], f)],
        [x(&[2, 2], DType::Bool), x(&[2, 2], DType::Bool), x(&[2, 2], DType::Bool)],
    ] {
        let error = matmul::matmul(&ctx, &out.operand(), &a.operand(), &b.operand()).unwrap_err();
        assert_eq!(error.rule().id, "internal");
    }
    let stop = || true;
    let ctx = ctx.cancelled_by(&stop);
    for [m, n, k] in [[400, 400, 400], [3000, 1, 3000], [1, 3000, 3000]] {
        let (out, a, b) = (x(&[m, n], f), x(&[m, k], f), x(&[k, n], f));
        let error = matmul::matmul(&ctx, &out.operand(), &a.operand(), &b.operand()).unwrap_err();
        assert_eq!(error.rule().id, "interrupted");
    }
    // Many small ones are counted together.
    let (out, a) = (x(&[100_000, 4, 4], f), x(&[100_000, 4, 4], f));
    assert!(matmul::matmul(&ctx, &out.operand(), &a.operand(), &a.operand()).is_err());
}
