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

/// Quotients as exact fractions give them, where products of parts leave the range or parts are far from each other.
#[test]
#[allow(clippy::unreadable_literal, clippy::excessive_precision, reason = "as Python prints them")]
fn parts_of_quotients_are_right_however_far_they_are_from_each_other() {
    let cases = [
        (c(1e-150, 0.0), c(1e-200, 1e-312), c(1e50, -9.999999999984654e-63)),
        (c(1e300, 1e-300), c(1e-05, 1e-310), c(1e305, -0.9999999999999968)),
        (
            c(5.357543035931337e300, 0.0),
            c(8.452712498170644e270, 7.006492321624085e-46),
            c(6.338253001141147e29, -5.253807105661922e-287),
        ),
        (
            c(-2.2662777498902796e-218, 4.458702021205199e121),
            c(-2.2250738585072014e-308, 4.377636991201641e31),
            c(1.018517988167243e90, 0.0),
        ),
        (
            c(1.018517988167243e90, 5.1769430732724984e-250),
            c(3e-120, 2e-300),
            c(3.395059960557477e209, -2.2633733070383177e29),
        ),
        (c(1.5e-323, 1e308), c(1e308, 3.5e-323), c(0.0, 1.0)),
        (c(1.7e308, -1.7e308), c(1.7e308, 1.6e308), c(0.031192660550458703, -1.0293577981651376)),
        (c(2.5e-323, 1.5e-323), c(3.5e-323, -1e-323), c(0.5471698113207547, 0.5849056603773585)),
        (c(1.0, -5.75), c(-1.0000000280086565, -48.89084896022949), c(0.11714155950211749, 0.02284970677624845)),
        (c(1e-310, 1e-320), c(1e-05, 1e-15), c(9.999999999999968e-306, -1.113e-320)),
        (
            c(0.9999999999999999, 0.9999999999999997),
            c(0.9999999999999998, -0.9999999999999999),
            c(5.551115123125784e-17, 0.9999999999999999),
        ),
        (c(1e200, 1e-200), c(1e-200, 1e200), c(0.0, -1.0)),
        (c(0.0, 1e-300), c(10000000000.0, 1e-30), c(0.0, 1e-310)),
        (c(1.0, 0.0), c(1e-320, 1e-323), c(INF, -INF)),
        (c(1e308, 1e308), c(1e-10, 10000000000.0), c(1e298, -1e298)),
        (
            c(3.2138760885179806e60, 3.111507638930571e-61),
            c(-3.0, 1.9446922743316068e-62),
            c(-1.0712920295059935e60, -0.006944444444444444),
        ),
    ];
    for (a, b, want) in cases {
        let got = call("divide", &[a, b], DType::Complex128);
        assert!(close(got, want, DType::Complex128, 2.0), "{a} / {b}: {got:?}, not {want:?}");
        // As the parts of the dividend change places and signs, so do the quotient's.
        let got = call("divide", &[c(-a.im, a.re), b], DType::Complex128);
        assert!(close(got, c(-want.im, want.re), DType::Complex128, 2.0), "i {a} / {b}: {got:?}, not i {want:?}");
        if a == c(1.0, 0.0) {
            let got = call("reciprocal", &[b], DType::Complex128);
            assert!(close(got, want, DType::Complex128, 2.0), "1 / {b}: {got:?}, not {want:?}");
        }
    }
    // Single precision is computed in double.
    let (least, most) = (f64::from(f32::from_bits(1)), f64::from(f32::MAX));
    for (a, b, want) in [
        (c(1e-30, 0.0), c(1e-38, least), c(1e8, -1.4e1)),
        (c(most, least), c(most, -most), c(0.5, 0.5)),
        (c(3.0 * least, 5.0 * least), c(2.0 * least, 0.0), c(1.5, 2.5)),
    ] {
        let single = c(f64::from(b.re as f32), f64::from(b.im as f32));
        let got = call("divide", &[a, b], DType::Complex64);
        let a = c(f64::from(a.re as f32), f64::from(a.im as f32));
        let exact = call("divide", &[a, single], DType::Complex128);
        assert!(close(got, exact, DType::Complex64, 1.0), "{a} / {b}: {got:?}, not {exact:?}");
        assert!((got - want).norm() < 0.1 * want.norm(), "{a} / {b}: {got:?}");
    }
}

/// Whatever quotients and moduli are beside each other, in a block that is computed at once and alone.
#[test]
fn quotients_and_moduli_do_not_depend_on_their_neighbours() {
    let sizes = [0.0, 5e-324, 3e-310, 1e-250, 7e-161, 1e-140, 3e-60, 0.3, 1.0, 5.0, 1e60, 9e61, 3e150, 1e160, 1.7e308];
    let sizes: Vec<f64> = sizes.into_iter().chain([INF, NAN]).flat_map(|x| [x, -x]).collect();
    let pick = |k: usize| c(sizes[k % sizes.len()], sizes[k * 7 / 3 % sizes.len()]);
    let scalars = |step: usize| (0..300).map(|k| Scalar::Complex(pick(k * step + k / 31))).collect::<Vec<_>>();
    let (a, b) = (scalars(1), scalars(5));
    for dtype in [DType::Complex64, DType::Complex128] {
        let [x, y] = [&a, &b].map(|z| array(z, &[z.len()], dtype));
        let quotient = Array::uninit(&[a.len()], dtype, Device::CPU).unwrap();
        elementwise::binary("divide").unwrap()(&Ctx::new(), &quotient.operand(), &x.operand(), &y.operand()).unwrap();
        let modulus = Array::uninit(&[a.len()], common::result("abs", dtype).unwrap(), Device::CPU).unwrap();
        elementwise::unary("abs").unwrap()(&Ctx::new(), &modulus.operand(), &x.operand()).unwrap();
        let (quotients, moduli) = (quotient.to_scalars().unwrap(), modulus.to_scalars().unwrap());
        for k in 0..a.len() {
            let (Scalar::Complex(a), Scalar::Complex(b)) = (&a[k], &b[k]) else { panic!() };
            let (Scalar::Complex(got), Scalar::Float(size)) = (&quotients[k], &moduli[k]) else { panic!() };
            let want = call("divide", &[*a, *b], dtype);
            assert!(same(got.re, want.re) && same(got.im, want.im), "{dtype} {a} / {b}: {got:?}, alone {want:?}");
            let want = call("abs", &[*a], dtype).re;
            assert!(same(*size, want), "{dtype} |{a}|: {size:?}, alone {want:?}");
        }
    }
}

/// As exact fractions give them.
#[test]
#[allow(clippy::unreadable_literal, clippy::excessive_precision, reason = "as Python prints them")]
fn parts_of_integer_powers_are_right_at_any_size_and_however_they_cancel() {
    let cases = [
        (c(-3.899421730054339, 1e-320), 4.0, c(231.2069209343477, -2.37168e-318)),
        (c(1e-320, -3.899421730054339), 7.0, c(-2.46090274e-316, 13708.863515821044)),
        (c(0.9238795325112867, 0.3826834323650898), 4.0, c(-6.415268145064686e-17, 1.0)),
        (c(0.9749279121818236, 0.2225209339563144), -7.0, c(9.708070133041677e-17, -0.9999999999999999)),
        (c(1e200, 1e-160), -1.0, c(1e-200, -0.0)),
        (c(1e150, 1e140), -3.0, c(0.0, -0.0)),
        (c(1e-103, 1e-110), 3.0, c(9.9999999999997e-310, 3e-316)),
        (c(1e-160, 1e-150), -2.0, c(-1e300, -1.9999999999999998e290)),
        (c(6e102, 6e102), 3.0, c(-INF, INF)),
        (c(1e-110, 3e-100), -3.0, c(-3.7037037037037037e288, 3.7037037037037033e298)),
        (c(2.0, 1e-310), -5.0, c(0.03125, -7.8125e-312)),
        (c(1000.0, 1e-305), -100.0, c(1e-300, -0.0)),
        (c(1.5, 1e308), -1.0, c(0.0, -1e-308)),
        (c(1e77, 1e70), 4.0, c(9.9999999999994e307, 3.9999999999999602e301)),
        (c(-0.005715577767211889, 0.002473351362642847), 100.0, c(-2.712411704607954e-221, -1.6292319324764846e-237)),
        (c(3e154, 1e154), 2.0, c(INF, INF)),
        (c(5e-162, 4e-162), 2.0, c(1e-323, 4e-323)),
        (c(5e-324, 5e-324), -1.0, c(INF, -INF)),
        (c(0.001, -1e-320), -96.0, c(9.99999999999998e287, 9.599893124953737e-28)),
        (c(4217293152016490.0, 1746860020068409.0), 4.0, c(-2.946808320066356e31, 4.341839637606149e62)),
        (c(-1746860020068409.0, 4217293152016490.0), -4.0, c(-1.563163224694789e-94, -2.3031711980761796e-63)),
        (c(4217293152016490.0, 1746860020068409.0), -12.0, c(2.4875855518656776e-219, 1.221739633519106e-188)),
        (c(2.7519121847712783e-39, 1.1398793493920381e-39), -4.0, c(-8.621864777885614e122, -1.2703491430980195e154)),
        (c(5170128475599457.0, 2984975067132296.0), 3.0, c(5170128475599457.0, 2.127708412654674e47)),
        (c(2984975067132296.0, -5170128475599457.0), -3.0, c(-4.699892118922121e-48, -1.142028951512561e-79)),
        (c(5170128475599457.0, 2984975067132296.0), -3.0, c(1.142028951512561e-79, -4.699892118922121e-48)),
    ];
    for (z, n, want) in cases {
        let got = call("pow", &[z, c(n, 0.0)], DType::Complex128);
        assert!(close(got, want, DType::Complex128, 1.0), "{z}^{n}: {got:?}, not {want:?}");
    }
}

/// Powers by i turn, conjugates mirror, to the bit, whatever the size of the parts.
#[test]
fn integer_powers_have_the_symmetries_of_their_base() {
    let sizes = [0.0, 5e-324, 1e-200, 1e-5, 0.7, 1.0, 1.1, 7.1481122970581055, 1e30, 1e200];
    let bits = |z: C| [z.re, z.im].map(|x| if x == 0.0 { 0 } else { x.to_bits() });
    for (x, y) in sizes.iter().flat_map(|&x| sizes.iter().map(move |&y| (x, y))).filter(|z| *z != (0.0, 0.0)) {
        for n in [-100i32, -7, -4, -3, -2, 3, 4, 5, 6, 24, 33, 100] {
            let power = |z: C| call("pow", &[z, c(n.into(), 0.0)], DType::Complex128);
            let (z, value) = (c(x, y), power(c(x, y)));
            assert_eq!(bits(power(z.conj())), bits(value.conj()), "{z}^{n} of the conjugate");
            let turned = match n.rem_euclid(4) {
                0 => value,
                1 => c(-value.im, value.re),
                2 => -value,
                _ => c(value.im, -value.re),
            };
            assert_eq!(bits(power(c(-y, x))), bits(turned), "(i {z})^{n}");
            if x == y {
                let (re, im) = (value.re.abs(), value.im.abs());
                assert!(if n % 2 == 0 { re.min(im) == 0.0 } else { re == im }, "{z}^{n}: {value}");
            }
        }
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
