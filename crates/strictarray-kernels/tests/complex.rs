//! Complex division, modulus and powers: accuracy, ends, and what the standard leaves to the textbook formulas.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may fail a test")]

mod common;

use common::array;
use strictarray_core::{Array, Complex, DType, Device, Scalar};
use strictarray_kernels::{Ctx, elementwise};

type C = Complex<f64>;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn c(re: f64, im: f64) -> C {
    C::new(re, im)
}

fn call(name: &str, args: &[C], dtype: DType) -> C {
    let x: Vec<Array> = args.iter().map(|&z| array(&[Scalar::Complex(z)], &[1], dtype)).collect();
    let out = Array::uninit(&[1], common::result(name, dtype).unwrap(), Device::CPU).unwrap();
    match &x[..] {
        [x] => elementwise::unary(name).unwrap()(&Ctx::new(), &out.operand(), &x.operand()).unwrap(),
        [a, b] => elementwise::binary(name).unwrap()(&Ctx::new(), &out.operand(), &a.operand(), &b.operand()).unwrap(),
        _ => panic!("{name}"),
    }
    match out.item().unwrap() {
        Scalar::Complex(z) => z,
        Scalar::Float(x) => c(x, 0.0),
        other => panic!("{other:?}"),
    }
}

fn same(a: f64, b: f64) -> bool {
    a.is_nan() && b.is_nan() || a == b
}

/// Both parts the same, or within so many units of the last place.
fn close(got: C, want: C, dtype: DType, ulps: f64) -> bool {
    let part = |got: f64, want: f64| {
        let epsilon = if dtype == DType::Complex64 { f32::EPSILON.into() } else { f64::EPSILON };
        let smallest = if dtype == DType::Complex64 { 1.5e-45 } else { 5e-324 };
        same(got, want) || (got - want).abs() <= (want.abs() * epsilon * ulps).max(smallest)
    };
    part(got.re, want.re) && part(got.im, want.im)
}

#[test]
fn division_neither_overflows_nor_loses_small_numbers() {
    let cases = [
        (c(1.0, 2.0), c(3.0, -4.0), c(-0.2, 0.4)),
        (c(1e308, 1e308), c(1e308, 1e308), c(1.0, 0.0)),
        (c(1e-308, 1e-308), c(1e-308, 1e-308), c(1.0, 0.0)),
        (c(1e308, 1e308), c(2.0, 0.0), c(5e307, 5e307)),
        (c(1e-320, -1e-320), c(1e-320, 0.0), c(1.0, -1.0)),
        (c(1.0, 1.0), c(1e308, 1e-308), c(1e-308, 1e-308)),
        (c(1e300, 1e-300), c(1e-5, 0.0), c(1e305, 1e-295)),
        (c(1e308, 0.0), c(0.5, 0.0), c(INF, 0.0)),
        (c(1e-300, 1e-300), c(1e300, 0.0), c(0.0, 0.0)),
        (c(5e-324, 0.0), c(0.0, 5e-324), c(0.0, -1.0)),
        (c(f64::MAX, f64::MAX), c(f64::MAX, -f64::MAX), c(0.0, 1.0)),
        (c(f64::MIN_POSITIVE, 0.0), c(f64::MAX, f64::MAX), c(0.0, 0.0)),
    ];
    for (a, b, want) in cases {
        let got = call("divide", &[a, b], DType::Complex128);
        assert!(close(got, want, DType::Complex128, 2.0), "{a} / {b}: {got}, not {want}");
    }
    let single = [
        (c(1.0, 2.0), c(3.0, -4.0), c(-0.2, 0.4)),
        (c(3e38, 3e38), c(3e38, 3e38), c(1.0, 0.0)),
        (c(1e-44, 1e-44), c(1e-44, 1e-44), c(1.0, 0.0)),
        (c(3e38, 0.0), c(0.5, 0.0), c(INF, 0.0)),
    ];
    for (a, b, want) in single {
        let got = call("divide", &[a, b], DType::Complex64);
        assert!(close(got, want, DType::Complex64, 1.0), "{a} / {b}: {got}, not {want}");
    }
}

#[test]
fn division_is_accurate_where_parts_cancel() {
    // (a·b) / b for integers small enough that a·b is exact: the quotient is a.
    let mut state = 1u64;
    for _ in 0..20_000 {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 38) as i64 - (1 << 25)) as f64
        };
        let (a, b) = (c(next(), next()), c(next(), next()));
        let product = c(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
        let got = call("divide", &[product, b], DType::Complex128);
        assert!(close(got, a, DType::Complex128, 2.0), "{product} / {b}: {got}, not {a}");
    }
}

#[test]
fn division_at_the_ends_is_numpys() {
    let cases = [
        (c(1.0, 0.0), c(0.0, 0.0), c(INF, NAN)),
        (c(0.0, 0.0), c(0.0, 0.0), c(NAN, NAN)),
        (c(1.0, 1.0), c(0.0, 0.0), c(INF, INF)),
        (c(1.0, -1.0), c(-0.0, -0.0), c(INF, -INF)),
        (c(1.0, 0.0), c(INF, 0.0), c(0.0, 0.0)),
        (c(INF, 0.0), c(1.0, 0.0), c(INF, NAN)),
        (c(1.0, 1.0), c(INF, INF), c(NAN, NAN)),
        (c(1.0, 2.0), c(NAN, 0.0), c(NAN, NAN)),
    ];
    for dtype in [DType::Complex64, DType::Complex128] {
        for (a, b, want) in cases {
            let got = call("divide", &[a, b], dtype);
            assert!(same(got.re, want.re) && same(got.im, want.im), "{dtype} {a} / {b}: {got}, not {want}");
        }
    }
}

#[test]
fn modulus() {
    let cases = [
        (c(3.0, -4.0), 5.0),
        (c(0.0, -0.0), 0.0),
        (c(-0.0, -2.0), 2.0),
        (c(INF, NAN), INF),
        (c(NAN, -INF), INF),
        (c(NAN, 1.0), NAN),
        (c(0.0, NAN), NAN),
        (c(3e200, 4e200), 5e200),
        (c(3e-200, 4e-200), 5e-200),
        (c(5e-324, 0.0), 5e-324),
        (c(f64::MAX, 0.0), f64::MAX),
        (c(f64::MAX, f64::MAX), INF),
        (c(1.0, 1e-300), 1.0),
    ];
    for (z, want) in cases {
        let got = call("abs", &[z], DType::Complex128);
        assert!(close(got, c(want, 0.0), DType::Complex128, 1.0), "|{z}|: {got}, not {want}");
    }
    for (z, want) in [(c(3e30, 4e30), 5e30), (c(3e-45, 4e-45), 5e-45), (c(INF, NAN), INF), (c(3e38, 3e38), INF)] {
        let got = call("abs", &[z], DType::Complex64);
        assert!(close(got, c(want, 0.0), DType::Complex64, 1.0), "|{z}|: {got}, not {want}");
    }
}

#[test]
fn powers() {
    let one = c(1.0, 0.0);
    let cases = [
        (c(1.0, 2.0), c(2.0, 0.0), c(-3.0, 4.0)),
        (c(1.0, 1.0), c(8.0, 0.0), c(16.0, 0.0)),
        (c(0.0, 1.0), c(3.0, 0.0), c(0.0, -1.0)),
        (c(2.0, 0.0), c(-2.0, 0.0), c(0.25, 0.0)),
        (c(1.0, 2.0), c(-1.0, 0.0), c(0.2, -0.4)),
        (c(4.0, 0.0), c(0.5, 0.0), c(2.0, 0.0)),
        (c(std::f64::consts::E, 0.0), c(1.0, 1.0), c(1.468_693_939_915_885_2, 2.287_355_287_178_842_3)),
        (c(0.0, 1.0), c(0.0, 1.0), c(0.207_879_576_350_761_9, 0.0)),
        (c(NAN, 0.0), c(0.0, 0.0), one),
        (c(0.0, 0.0), c(0.0, 0.0), one),
        (c(0.0, 0.0), c(2.0, 0.0), c(0.0, 0.0)),
        (c(0.0, 0.0), c(0.5, 1.0), c(0.0, 0.0)),
        (c(0.0, 0.0), c(-1.0, 0.0), c(NAN, NAN)),
        (c(0.0, 0.0), c(0.0, 1.0), c(NAN, NAN)),
        (c(5.0, -7.0), c(1.0, 0.0), c(5.0, -7.0)),
        (c(INF, NAN), c(1.0, 0.0), c(INF, NAN)),
        (c(1.0, 0.0), c(NAN, 0.0), c(NAN, NAN)),
    ];
    for dtype in [DType::Complex64, DType::Complex128] {
        for (a, b, want) in cases {
            let got = call("pow", &[a, b], dtype);
            let nan_imaginary = want.re.is_nan() && got.re.is_nan();
            let size = want.norm().max(1e-300);
            let epsilon = if dtype == DType::Complex64 { 1e-6 } else { 1e-15 };
            let near = close(got, want, dtype, 4.0) || (got - want).norm() <= size * epsilon;
            assert!(near || nan_imaginary, "{dtype} {a}^{b}: {got}, not {want}");
        }
    }
    // Powers of a number of size 1 stay there, and large real exponents lose no more than the angle's rounding.
    let got = call("pow", &[c(0.6, 0.8), c(1e6, 0.0)], DType::Complex128);
    assert!((got.norm() - 1.0).abs() < 1e-9, "{got}");
    let got = call("pow", &[c(2.0, 0.0), c(1000.5, 0.0)], DType::Complex128);
    let want = 2f64.powf(1000.5);
    assert!(((got.re - want) / want).abs() < 1e-15, "{got}");
}
