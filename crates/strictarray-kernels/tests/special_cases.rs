//! The standard's special cases, row by row.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may fail a test")]

mod common;

use serde_json::Value;
use strictarray_core::{Array, Complex, DType, Device, Scalar};
use strictarray_kernels::simd::Level;
use strictarray_kernels::{Ctx, elementwise};

type C = Complex<f64>;

fn real(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().unwrap(),
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        _ => value.as_f64().unwrap(),
    }
}

/// A number, or a pair of parts.
fn number(value: &Value) -> (C, bool) {
    match value {
        Value::Array(parts) => (C::new(real(&parts[0]), real(&parts[1])), true),
        _ => (C::new(real(value), 0.0), false),
    }
}

fn holds(x: f64, dtype: DType) -> bool {
    dtype.to_real() == DType::Float64 || x.is_nan() || f64::from(x as f32) == x
}

fn close(got: f64, want: f64, dtype: DType, ulps: f64) -> bool {
    let single = dtype.to_real() == DType::Float32;
    let want = if single { f64::from(want as f32) } else { want };
    if want.is_nan() {
        return got.is_nan();
    }
    if want == 0.0 || want.is_infinite() {
        return got == want && got.is_sign_negative() == want.is_sign_negative();
    }
    let ulp = if single {
        f64::from((want as f32).abs().next_up() - (want as f32).abs())
    } else {
        want.abs().next_up() - want.abs()
    };
    (got - want).abs() <= ulps * ulp
}

fn call(name: &str, args: &[C], dtype: DType, level: Level) -> C {
    let scalar = |z: C| if dtype.is_complex() { Scalar::Complex(z) } else { Scalar::Float(z.re) };
    let args: Vec<Array> = args.iter().map(|&z| common::array(&[scalar(z)], &[1], dtype)).collect();
    let out = Array::uninit(&[1], common::result(name, dtype).unwrap(), Device::CPU).unwrap();
    let ctx = Ctx::new().simd_at_most(level);
    match &args[..] {
        [x] if name == "clip" => elementwise::clip(&ctx, &out.operand(), &x.operand(), None, None).unwrap(),
        [x] => elementwise::unary(name).unwrap()(&ctx, &out.operand(), &x.operand()).unwrap(),
        [a, b] => elementwise::binary(name).unwrap()(&ctx, &out.operand(), &a.operand(), &b.operand()).unwrap(),
        _ => panic!("{name}"),
    }
    match out.item().unwrap() {
        Scalar::Float(x) => C::new(x, 0.0),
        Scalar::Complex(z) => z,
        Scalar::Bool(truth) => C::new(f64::from(u8::from(truth)), 0.0),
        other => panic!("{other:?}"),
    }
}

/// How many rows were checked and how many left out, because the type does not hold their arguments.
fn check(dtype: DType) -> (usize, usize) {
    let rows: Vec<Value> = serde_json::from_str(include_str!("data/special_cases.json")).unwrap();
    let (mut checked, mut left_out, mut wrong) = (0, 0, Vec::new());
    for row in &rows {
        let name = row["function"].as_str().unwrap();
        let args: Vec<_> = row["args"].as_array().unwrap().iter().map(number).collect();
        if args.iter().any(|(_, complex)| *complex) != dtype.is_complex() {
            continue;
        }
        if dtype.is_complex() && !COMPLEX.contains(&name) {
            continue;
        }
        let args: Vec<C> = args.into_iter().map(|(z, _)| z).collect();
        if !args.iter().all(|z| holds(z.re, dtype) && holds(z.im, dtype)) {
            left_out += 1;
            continue;
        }
        checked += 1;
        for level in Level::ALL {
            let got = call(name, &args, dtype, level);
            let right = if let Some(sign) = row.get("sign") {
                !got.re.is_nan() && got.re.is_sign_negative() == (sign.as_i64() == Some(-1))
            } else {
                let ulps = if dtype.is_complex() { 8.0 } else { 4.0 };
                row["accept"].as_array().unwrap().iter().any(|accepted| {
                    let (want, complex) = number(accepted);
                    close(got.re, want.re, dtype, ulps) && (!complex || close(got.im, want.im, dtype, ulps))
                })
            };
            if !right {
                wrong.push(format!("{name} {args:?} at {level:?}: {got}, not {row}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{dtype}: {} wrong:\n{}", wrong.len(), wrong.join("\n"));
    (checked, left_out)
}

#[test]
fn float64() {
    assert_eq!(check(DType::Float64), (3512, 0));
}

#[test]
fn float32() {
    assert_eq!(check(DType::Float32), (2294, 1218));
}

/// `complex.rs` has the standard's words on the other functions.
#[test]
fn complex() {
    assert_eq!(check(DType::Complex128), (4, 0));
    assert_eq!(check(DType::Complex64), (4, 0));
}

/// The functions whose rows of complex numbers are checked here.
const COMPLEX: &[&str] = &["sign"];
