//! The elementwise functions of complex numbers: values, symmetries, cuts, ends, and one result for every loop.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may fail a test")]

mod common;

use common::{LAYOUTS, array, bytes, laid_out};
use serde_json::Value;
use strictarray_core::{Array, Complex, DType, Device, Scalar};
use strictarray_kernels::simd::Level;
use strictarray_kernels::{Ctx, elementwise};

type C = Complex<f64>;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const DTYPES: [DType; 2] = [DType::Complex128, DType::Complex64];
const NAMES: [&str; 20] = [
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "expm1", "log", "log10", "log1p", "log2",
    "sign", "sin", "sinh", "sqrt", "tan", "tanh",
];

fn run(ctx: &Ctx<'_>, name: &str, x: &Array) -> Array {
    let out = Array::uninit(x.shape(), x.dtype(), Device::CPU).unwrap();
    elementwise::unary(name).unwrap()(ctx, &out.operand(), &x.operand()).unwrap();
    out
}

fn numbers(z: &[C], dtype: DType) -> Array {
    let scalars: Vec<Scalar> = z.iter().map(|&z| Scalar::Complex(z)).collect();
    array(&scalars, &[z.len()], dtype)
}

fn call(name: &str, z: &[C], dtype: DType) -> Vec<C> {
    let out = bytes(&run(&Ctx::new(), name, &numbers(z, dtype)));
    if dtype == DType::Complex64 {
        let part = |b: &[u8]| f64::from(f32::from_ne_bytes(b.try_into().unwrap()));
        out.chunks_exact(8).map(|b| C::new(part(&b[..4]), part(&b[4..]))).collect()
    } else {
        let part = |b: &[u8]| f64::from_ne_bytes(b.try_into().unwrap());
        out.chunks_exact(16).map(|b| C::new(part(&b[..8]), part(&b[8..]))).collect()
    }
}

fn one(name: &str, re: f64, im: f64) -> C {
    call(name, &[C::new(re, im)], DType::Complex128)[0]
}

/// The unit of the last place.
fn unit(x: f64, dtype: DType) -> f64 {
    if dtype == DType::Complex64 {
        let x = (x as f32).abs();
        if x == f32::INFINITY { INF } else { f64::from(x.next_up()) - f64::from(x) }
    } else {
        x.abs().next_up() - x.abs()
    }
}

fn same(a: f64, b: f64) -> bool {
    a.is_nan() && b.is_nan() || a.to_bits() == b.to_bits()
}

/// All pairs of parts with signs: zeros, ends of the range, where other formulas begin, infinities, NaN.
fn grid() -> Vec<C> {
    let sizes = [
        0.0, 5e-324, 1e-310, 1e-200, 1e-151, 1e-121, 1e-60, 1e-20, 1e-8, 0.2, 0.25, 0.5, 0.7, 0.999, 1.0, 1.001, 1.5,
        2.0, 3.2, 22.0, 30.0, 500.0, 709.5, 711.0, 745.0, 1e4, 1e6, 2e6, 1e12, 2e12, 1e20, 1e100, 1e160, 1e300,
        1.7e308, INF, NAN,
    ];
    let parts: Vec<f64> = sizes.iter().flat_map(|&x| [x, -x]).collect();
    parts.iter().flat_map(|&re| parts.iter().map(move |&im| C::new(re, im))).collect()
}

#[test]
fn values_are_those_of_mpmath() {
    let tables: Value = serde_json::from_str(include_str!("data/complex_values.json")).unwrap();
    for name in NAMES {
        for dtype in DTYPES {
            let rows: Vec<[f64; 4]> = tables[name][dtype.name()]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| std::array::from_fn(|i| row[i].as_str().unwrap().parse().unwrap()))
                .collect();
            assert!(rows.len() >= 60);
            let z: Vec<C> = rows.iter().map(|row| C::new(row[0], row[1])).collect();
            for (z, (got, row)) in z.iter().zip(call(name, &z, dtype).into_iter().zip(&rows)) {
                let want = C::new(row[2], row[3]);
                // The real part of e^z - 1 may cancel away against 1: as far as it is then less than this part of the
                // imaginary one, it has an error of its size. Single precision is computed in double and rounded once.
                let lost = if name == "expm1" { want.im.abs() * 2f64.powi(-62) } else { 0.0 };
                let ulps = if dtype == DType::Complex64 { 1.0 } else { 2.0 };
                let near = |got: f64, want: f64, lost: f64| {
                    got == want || (got - want).abs() <= (ulps * unit(want, dtype)).max(lost)
                };
                assert!(
                    near(got.re, want.re, lost) && near(got.im, want.im, 0.0),
                    "{name} {dtype} {z}: {got}, not {want}"
                );
            }
        }
    }
}

#[test]
fn symmetries_hold_to_the_bit() {
    let odd = ["asin", "asinh", "atan", "atanh", "sin", "sinh", "tan", "tanh"];
    let even = ["cos", "cosh"];
    let grid = grid();
    let conjugates: Vec<C> = grid.iter().map(C::conj).collect();
    let negatives: Vec<C> = grid.iter().map(|z| -z).collect();
    for dtype in DTYPES {
        for name in NAMES {
            let values = call(name, &grid, dtype);
            for ((z, value), mirrored) in grid.iter().zip(&values).zip(call(name, &conjugates, dtype)) {
                // sign(±0 ± 0i) is 0 without signs: the standard says so.
                if name == "sign" && *value == C::new(0.0, 0.0) {
                    continue;
                }
                // Beside NaN a sign may be any, and NaN's own sign says nothing.
                let want = value.conj();
                let right = |got: f64, want: f64, other: f64| {
                    same(got, want) || got.abs() == want.abs() && (other.is_nan() || z.im.is_nan())
                };
                assert!(
                    right(mirrored.re, want.re, want.im) && right(mirrored.im, want.im, want.re),
                    "{name} {dtype} of the conjugate of {z:?}: {mirrored:?}, not {want:?}"
                );
            }
            let sign = if odd.contains(&name) {
                -1.0
            } else if even.contains(&name) {
                1.0
            } else {
                continue;
            };
            for ((z, value), turned) in grid.iter().zip(&values).zip(call(name, &negatives, dtype)) {
                let want = value * sign;
                let right = |got: f64, want: f64| same(got, want) || got == want && (z.re.is_nan() || z.im.is_nan());
                assert!(
                    right(turned.re, want.re) && right(turned.im, want.im),
                    "{name} {dtype} of -{z:?}: {turned:?}, not {want:?}"
                );
            }
        }
    }
}

#[test]
fn cuts_are_continuous_from_the_side_that_the_zero_says() {
    // Cuts along the real axis: where, and whether left, right of it.
    let real: [(&str, f64, [bool; 2]); 9] = [
        ("acos", 1.0, [true, true]),
        ("asin", 1.0, [true, true]),
        ("acosh", 1.0, [true, false]),
        ("atanh", 1.0, [true, true]),
        ("log", 0.0, [true, false]),
        ("log2", 0.0, [true, false]),
        ("log10", 0.0, [true, false]),
        ("log1p", -1.0, [true, false]),
        ("sqrt", 0.0, [true, false]),
    ];
    let imaginary = ["asinh", "atan"];
    let close = |a: C, b: C| {
        (a.re - b.re).abs() <= 1e-9 * a.re.abs() + 1e-12 && (a.im - b.im).abs() <= 1e-9 * a.im.abs() + 1e-12
    };
    for distance in [1e-3, 0.5, 1.0, 7.0, 1e5, 1e13] {
        for (name, from, sides) in real {
            for (there, direction) in sides.iter().zip([-1.0, 1.0]) {
                if !there {
                    continue;
                }
                let x = if name == "log1p" { from - distance } else { direction * (from + distance) };
                for side in [1.0, -1.0] {
                    let (on, beside) = (one(name, x, 0.0 * side), one(name, x, 1e-14 * side));
                    assert!(close(on, beside), "{name}({x}, {}): {on}, beside it {beside}", 0.0 * side);
                }
                let (above, below) = (one(name, x, 0.0), one(name, x, -0.0));
                assert!(above != below, "{name}({x}): {above} on both sides");
            }
        }
        for name in imaginary {
            for direction in [-1.0, 1.0] {
                let y = direction * (1.0 + distance);
                for side in [1.0, -1.0] {
                    let (on, beside) = (one(name, 0.0 * side, y), one(name, 1e-14 * side, y));
                    assert!(close(on, beside), "{name}({}, {y}): {on}, beside it {beside}", 0.0 * side);
                }
                assert!(one(name, 0.0, y) != one(name, -0.0, y));
            }
        }
    }
}

#[test]
fn values_on_the_axes_are_those_of_the_real_functions() {
    let close = |got: f64, want: f64| got == want || (got - want).abs() <= 3.0 * unit(want, DType::Complex128);
    type Real = fn(f64) -> f64;
    let functions: [(&str, Real, &[f64]); 18] = [
        ("acos", f64::acos, &[-1.0, -0.5, 0.0, 1e-9, 0.999, 1.0]),
        ("acosh", f64::acosh, &[1.0, 2.0, 1e9]),
        ("asin", f64::asin, &[-1.0, -0.5, 0.0, 1e-300, 0.999, 1.0]),
        ("asinh", f64::asinh, &[-1e9, -1.0, 0.0, 1e-300, 0.1, 1e200]),
        ("atan", f64::atan, &[-1e9, -1.0, 0.0, 1e-300, 0.1, 1e200]),
        ("atanh", f64::atanh, &[-0.5, 0.0, 1e-300, 0.1]),
        ("cos", f64::cos, &[-3.0, 0.0, 1e-9, 1.0, 1e9]),
        ("cosh", f64::cosh, &[-3.0, 0.0, 1e-9, 1.0, 710.0]),
        ("exp", f64::exp, &[-745.0, -1.0, 0.0, 1e-9, 1.0, 709.5]),
        ("expm1", f64::exp_m1, &[-745.0, -1.0, -1e-9, 1e-300, 1.0, 709.5]),
        ("log", f64::ln, &[5e-324, 0.999, 1.0, 1.001, 2.0, 1e300]),
        ("log10", f64::log10, &[1e-300, 0.999, 1.0, 1000.0, 1e300]),
        ("log1p", f64::ln_1p, &[-0.999, -1e-300, 1e-9, 1.0, 1e300]),
        ("log2", f64::log2, &[5e-324, 0.999, 1.0, 8.0, 1e300]),
        ("sin", f64::sin, &[-3.0, 0.0, 1e-300, 1.0, 1e9]),
        ("sinh", f64::sinh, &[-3.0, 0.0, 1e-300, 0.2, 1.0, 710.0]),
        ("sqrt", f64::sqrt, &[0.0, 5e-324, 2.0, 4.0, 1.7e308]),
        ("tanh", f64::tanh, &[-3.0, 0.0, 1e-300, 0.2, 1.0, 710.0]),
    ];
    for (name, real, points) in functions {
        for &x in points {
            let got = one(name, x, 0.0);
            assert!(close(got.re, real(x)), "{name}({x}): {got}, not {}", real(x));
            assert_eq!(got.im, 0.0, "{name}({x}): {got}");
        }
    }
    // Powers of the base.
    for k in 0..300 {
        assert_eq!(one("log2", 2f64.powi(3 * k - 450), 0.0).re, f64::from(3 * k - 450));
    }
    for k in 0..23 {
        assert_eq!(one("log10", 10f64.powi(k), 0.0).re, f64::from(k));
    }
    // Roots of negative numbers and squares.
    assert_eq!(one("sqrt", -4.0, 0.0), C::new(0.0, 2.0));
    assert_eq!(one("sqrt", -4.0, -0.0), C::new(0.0, -2.0));
    assert_eq!(one("sqrt", 3.0, 4.0), C::new(2.0, 1.0));
    assert_eq!(one("sqrt", -3.0, -4.0), C::new(1.0, -2.0));
}

#[test]
fn what_overflows_on_the_way_is_finite_at_the_end() {
    // e^710 overflows, times a small cosine it does not.
    let z = one("exp", 709.9, 1.5);
    assert!(z.re.is_finite() && z.re > 1e306 && z.im == INF);
    let z = one("sinh", 711.5, 1.57);
    assert!(z.re.is_finite() && z.re > 1e304 && z.im == INF);
    // The smallest angle times the largest exponential.
    let z = one("exp", 1000.0, 5e-324);
    assert!(z.re == INF && z.im > 1e110 && z.im < 1e111, "{z}");
    // Products of the smallest numbers are not lost where they are brought back.
    assert_eq!(one("tan", 5e-324, 0.0), C::new(5e-324, 0.0));
    assert_eq!(one("tanh", 0.0, 5e-324), C::new(0.0, 5e-324));
    assert_eq!(one("log", 1.0, 1e-150).re, 5e-301);
    assert_eq!(one("log1p", -(2f64.powi(-1001)), 2f64.powi(-500)).re, 0.0);
    assert_eq!(one("log", 1.7e308, 1.7e308).im, std::f64::consts::FRAC_PI_4);
    let large = 2f64.powi(1000);
    assert_eq!(one("atanh", large, 1e-300), C::new(1.0 / large, std::f64::consts::FRAC_PI_2));
    let z = one("atanh", 1.0, 1e-300);
    assert!((z.re - 345.734_337_4).abs() < 1e-6 && z.im == std::f64::consts::FRAC_PI_4, "{z}");
}

#[test]
fn sign_at_the_ends_is_numpys() {
    let cases = [
        (INF, 1.0, 1.0, 0.0),
        (-INF, 0.0, -1.0, 0.0),
        (1.0, INF, 0.0, 1.0),
        (-0.0, -INF, 0.0, -1.0),
        (INF, NAN, 1.0, 0.0),
        (NAN, -INF, 0.0, -1.0),
        (INF, INF, NAN, NAN),
        (NAN, 1.0, NAN, NAN),
        (0.0, NAN, NAN, NAN),
        (3.0, -0.0, 1.0, -0.0),
        (1.7e308, 1.7e308, 0.5f64.sqrt(), 0.5f64.sqrt()),
        (5e-324, -5e-324, 0.5f64.sqrt(), -(0.5f64.sqrt())),
    ];
    for (x, y, re, im) in cases {
        let got = one("sign", x, y);
        let near = |a: f64, b: f64| a.is_nan() && b.is_nan() || (a - b).abs() <= 2e-16;
        assert!(near(got.re, re) && near(got.im, im), "sign({x}, {y}): {got}");
    }
}

#[test]
fn bits_depend_neither_on_layout_nor_on_instruction_set() {
    let grid = grid();
    for dtype in DTYPES {
        let x = numbers(&grid, dtype);
        for name in NAMES {
            let reference = bytes(&run(&Ctx::new().simd_at_most(Level::Baseline), name, &x));
            // NaN's bits are the machine's business.
            let nan_apart = |bytes: Vec<u8>| -> Vec<u64> {
                let wide = dtype == DType::Complex128;
                let part = |b: &[u8]| {
                    let value = if wide {
                        f64::from_ne_bytes(b.try_into().unwrap())
                    } else {
                        f32::from_ne_bytes(b.try_into().unwrap()).into()
                    };
                    if value.is_nan() { u64::MAX } else { value.to_bits() }
                };
                bytes.chunks_exact(if wide { 8 } else { 4 }).map(part).collect()
            };
            let reference = nan_apart(reference);
            for level in Level::ALL {
                for layout in LAYOUTS {
                    let got = bytes(&run(&Ctx::new().simd_at_most(level), name, &laid_out(&x, layout)));
                    assert!(nan_apart(got) == reference, "{name} {dtype} {layout} at {level:?}");
                }
            }
            // One at a time.
            for (i, z) in grid.iter().enumerate().step_by(7) {
                let got = nan_apart(bytes(&run(&Ctx::new(), name, &numbers(&[*z], dtype))));
                assert_eq!(got, reference[2 * i..2 * i + 2], "{name} {dtype} {z}");
            }
        }
    }
}

fn power(a: C, b: C) -> C {
    let [x, y] = [a, b].map(|z| numbers(&[z], DType::Complex128));
    let out = Array::uninit(&[1], DType::Complex128, Device::CPU).unwrap();
    elementwise::binary("pow").unwrap()(&Ctx::new(), &out.operand(), &x.operand(), &y.operand()).unwrap();
    match out.item().unwrap() {
        Scalar::Complex(z) => z,
        other => panic!("{other:?}"),
    }
}

#[test]
fn powers_of_whole_numbers_are_exact() {
    for (re, im) in (-9..=9).flat_map(|re| (-9..=9).map(move |im| (re, im))).filter(|z| *z != (0, 0)) {
        let mut want: (i128, i128) = (1, 0);
        for n in 1..=16 {
            want = (want.0 * re - want.1 * im, want.0 * im + want.1 * re);
            let got = power(C::new(re as f64, im as f64), C::new(n.into(), 0.0));
            // Rounded to nearest, where a number does not hold it.
            assert_eq!((got.re, got.im), (want.0 as f64, want.1 as f64), "({re}, {im})^{n}");
        }
    }
}

#[test]
fn powers_are_those_of_mpmath() {
    #[allow(clippy::unreadable_literal, clippy::excessive_precision, reason = "as mpmath prints them")]
    let cases = [
        ((1.5, -2.5), (0.5, 0.25), (2.1417412959468902, -0.5415869811401655)),
        ((-3.0, 0.5), (1.5, 0.0), (-1.3005338716521893, -5.1421190526197105)),
        ((0.6, 0.8), (40.5, -20.25), (141438284.007395, -20459322.442172345)),
        ((1e200, 1e-05), (-0.5, 1.5), (9.305603952199015e-101, -3.661384312636146e-101)),
        ((-0.25, -1e300), (0.75, 0.125), (-1.1448968611150137e225, -4.12533450642368e224)),
        ((1.0000001, 1e-09), (900.5, 0.0), (1.0000900540497677, 9.005810036139588e-07)),
    ];
    for ((x, y), (u, v), (re, im)) in cases {
        let got = power(C::new(x, y), C::new(u, v));
        let near = |got: f64, want: f64| (got - want).abs() <= 2.0 * unit(want, DType::Complex128);
        assert!(near(got.re, re) && near(got.im, im), "({x}, {y})^({u}, {v}): {got}, not ({re}, {im})");
    }
}
