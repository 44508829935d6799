//! Every function on every data type it takes: values against a plain reference, and the same bits whatever the layout and
//! the instruction set.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may fail a test")]

mod common;

use common::{LAYOUTS, all_functions, bytes, laid_out, result, samples};
use strictarray_core::{Array, Complex, DType, Device, Layout, Scalar, dispatch};
use strictarray_kernels::simd::Level;
use strictarray_kernels::{Ctx, elementwise};

type C = Complex<f64>;

fn call(ctx: &Ctx<'_>, name: &str, out: &Array, args: [&Array; 2]) {
    let [a, b] = args.map(Array::operand);
    match (elementwise::unary(name), elementwise::binary(name)) {
        (Some(kernel), _) => kernel(ctx, &out.operand(), &a),
        (_, Some(kernel)) => kernel(ctx, &out.operand(), &a, &b),
        _ => panic!("{name}"),
    }
    .unwrap_or_else(|e| panic!("{name}: {e}"));
}

/// Arguments that the function takes: no negative exponents of integers.
fn arguments(name: &str, dtype: DType, n: usize) -> [Array; 2] {
    let (a, mut b) = (samples(dtype, n, 1), samples(dtype, n, 2));
    if name == "pow" && dtype.is_integer() {
        let values: Vec<_> = b
            .to_scalars()
            .unwrap()
            .into_iter()
            .map(|x| if let Scalar::Int(i) = x { Scalar::Int(if i < 0 { !i } else { i }) } else { x })
            .collect();
        b = common::array(&values, &[n], dtype);
    }
    [a, b]
}

/// Bytes with every NaN made the same: which one comes out is open.
fn bits(x: &Array) -> Vec<u8> {
    let mut bytes = bytes(x);
    match x.dtype().to_real() {
        DType::Float32 => {
            for part in bytes.chunks_mut(4) {
                if f32::from_ne_bytes(part.try_into().unwrap()).is_nan() {
                    part.copy_from_slice(&f32::NAN.to_ne_bytes());
                }
            }
        }
        DType::Float64 => {
            for part in bytes.chunks_mut(8) {
                if f64::from_ne_bytes(part.try_into().unwrap()).is_nan() {
                    part.copy_from_slice(&f64::NAN.to_ne_bytes());
                }
            }
        }
        _ => {}
    }
    bytes
}

#[test]
fn bits_depend_neither_on_layout_nor_on_instruction_set() {
    let n = 1203;
    for name in all_functions() {
        for dtype in DType::ALL {
            let Some(out_dtype) = result(name, dtype) else { continue };
            let [a, b] = arguments(name, dtype, n);
            let fresh = |n: usize| Array::uninit(&[n], out_dtype, Device::CPU).unwrap();
            let expected = fresh(n);
            call(&Ctx::new(), name, &expected, [&a, &b]);
            let expected = bits(&expected);
            let title = |what: &str, level: Level| format!("{name} {dtype} {what} {level:?}");
            for level in Level::ALL {
                let ctx = Ctx::new().simd_at_most(level);
                for layout in LAYOUTS {
                    for which in 0..4 {
                        let view = |x: &Array, i: usize| {
                            if which == i || which == 3 { laid_out(x, layout) } else { x.clone() }
                        };
                        let out = view(&fresh(n), 0);
                        call(&ctx, name, &out, [&view(&a, 1), &view(&b, 2)]);
                        assert!(bits(&out) == expected, "{}", title(layout, level));
                    }
                }
                // Each element alone.
                for i in (0..n).step_by(97) {
                    let one = |x: &Array| {
                        let item = x.dtype().size();
                        x.with_layout(Layout::new([1][..].into(), [item as isize][..].into(), i * item)).unwrap()
                    };
                    let out = fresh(1);
                    call(&ctx, name, &out, [&one(&a), &one(&b)]);
                    let item = out_dtype.size();
                    assert!(bits(&out) == expected[i * item..(i + 1) * item], "{}", title("alone", level));
                }
                if out_dtype == dtype {
                    for layout in LAYOUTS {
                        let x = laid_out(&a, layout);
                        call(&ctx, name, &x, [&x, &b]);
                        assert!(bits(&x) == expected, "{}", title("in place", level));
                        if elementwise::binary(name).is_some() {
                            let y = laid_out(&b, layout);
                            call(&ctx, name, &y, [&a, &y]);
                            assert!(bits(&y) == expected, "{}", title("in place of the second", level));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn repeated_and_many_dimensional_operands() {
    let shape = [7, 40, 11];
    let n: usize = shape.iter().product();
    for name in all_functions() {
        for dtype in [DType::Bool, DType::Int16, DType::UInt64, DType::Float32, DType::Float64, DType::Complex128] {
            let Some(out_dtype) = result(name, dtype) else { continue };
            let [a, b] = arguments(name, dtype, n);
            let item = dtype.size() as isize;
            // One along each axis, or all axes; the others as in C order, or transposed.
            for (a_strides, b_strides) in [
                ([440, 11, 1], [0, 0, 0]),
                ([0, 0, 0], [440, 11, 1]),
                ([440, 11, 1], [0, 11, 1]),
                ([1, 7, 280], [440, 11, 0]),
                ([0, 0, 1], [1, 7, 280]),
                ([440, 0, 1], [0, 0, 0]),
            ] {
                let view = |x: &Array, strides: [isize; 3]| {
                    let strides = strides.map(|s: isize| s * item);
                    x.with_layout(Layout::new(shape[..].into(), strides[..].into(), 0)).unwrap()
                };
                let (a, b) = (view(&a, a_strides), view(&b, b_strides));
                let out = Array::uninit(&shape, out_dtype, Device::CPU).unwrap();
                call(&Ctx::new(), name, &out, [&a, &b]);
                let expected = Array::uninit(&shape, out_dtype, Device::CPU).unwrap();
                let [a, b] = [a, b].map(|x| x.to_owned_copy().unwrap());
                call(&Ctx::new(), name, &expected, [&a, &b]);
                assert!(bits(&out) == bits(&expected), "{name} {dtype} {a_strides:?} {b_strides:?}");
            }
        }
    }
}

/// Operands of two data types, wherever they lie, give what those give that were converted before.
#[test]
fn operands_are_promoted_on_the_way() {
    let n = 1203;
    for name in ["add", "less", "pow", "divide"] {
        for (left, right) in [
            (DType::Float32, DType::Float64),
            (DType::Float64, DType::Complex64),
            (DType::Complex64, DType::Complex128),
            (DType::UInt8, DType::Int64),
            (DType::Int16, DType::UInt16),
            (DType::Int64, DType::Int8),
        ] {
            let dtype = strictarray_standard::promote(left, right).unwrap();
            let Some(out_dtype) = result(name, dtype) else { continue };
            let (a, b) = (arguments(name, left, n), arguments(name, right, n));
            let (a, b) = (&a[0], &b[1]);
            let converted = |x: &Array| {
                let out = Array::uninit(x.shape(), dtype, Device::CPU).unwrap();
                strictarray_kernels::cast::cast(&Ctx::new(), &out.operand(), &x.operand()).unwrap();
                out
            };
            let fresh = || Array::uninit(&[n], out_dtype, Device::CPU).unwrap();
            let expected = fresh();
            call(&Ctx::new(), name, &expected, [&converted(a), &converted(b)]);
            for level in Level::ALL {
                for layout in LAYOUTS {
                    let (a, b) = (laid_out(a, layout), laid_out(b, layout));
                    let out = laid_out(&fresh(), layout);
                    call(&Ctx::new().simd_at_most(level), name, &out, [&a, &b]);
                    assert!(bits(&out) == bits(&expected), "{name} {left} {right} {layout:?}");
                }
            }
            // One for all.
            let one = |x: &Array| x.with_layout(Layout::new([n][..].into(), [0][..].into(), 0)).unwrap();
            let (out, expected) = (fresh(), fresh());
            call(&Ctx::new(), name, &out, [a, &one(b)]);
            call(&Ctx::new(), name, &expected, [&converted(a), &converted(&one(b))]);
            assert!(bits(&out) == bits(&expected), "{name} {left} {right} one for all");
        }
    }
}

fn wrapped(value: i128, dtype: DType) -> Scalar {
    let (min, max) = dtype.integer_range().unwrap();
    Scalar::Int((value - min).rem_euclid(max - min + 1) + min)
}

fn integers(name: &str, a: i128, b: i128, dtype: DType) -> Scalar {
    let width = dtype.size() as i128 * 8;
    let value = match name {
        "abs" => a.abs(),
        "negative" => -a,
        "positive" | "ceil" | "floor" | "round" | "trunc" | "conj" | "real" => a,
        "sign" => a.signum(),
        "square" => (a as u128).wrapping_mul(a as u128) as i128,
        "maximum" => a.max(b),
        "minimum" => a.min(b),
        "isfinite" => return Scalar::Bool(true),
        "isinf" | "isnan" => return Scalar::Bool(false),
        "bitwise_invert" => !a,
        "add" => a + b,
        "subtract" => a - b,
        "multiply" => (a as u128).wrapping_mul(b as u128) as i128,
        "bitwise_and" => a & b,
        "bitwise_or" => a | b,
        "bitwise_xor" => a ^ b,
        "bitwise_left_shift" if (0..width).contains(&b) => a << b,
        "bitwise_left_shift" => 0,
        "bitwise_right_shift" => a >> if (0..width).contains(&b) { b } else { 127 },
        "floor_divide" | "remainder" if b == 0 => 0,
        "floor_divide" => a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0),
        "remainder" => a - b * (a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0)),
        "pow" => {
            let (mut result, mut base) = (1u64, a as u64);
            let mut left = b;
            while left > 0 {
                if left % 2 == 1 {
                    result = result.wrapping_mul(base);
                }
                base = base.wrapping_mul(base);
                left /= 2;
            }
            i128::from(result)
        }
        "equal" => return Scalar::Bool(a == b),
        "not_equal" => return Scalar::Bool(a != b),
        "less" => return Scalar::Bool(a < b),
        "less_equal" => return Scalar::Bool(a <= b),
        "greater" => return Scalar::Bool(a > b),
        "greater_equal" => return Scalar::Bool(a >= b),
        _ => panic!("{name}"),
    };
    wrapped(value, dtype)
}

fn bools(name: &str, a: bool, b: bool) -> Scalar {
    Scalar::Bool(match name {
        "bitwise_invert" | "logical_not" => !a,
        "bitwise_and" | "logical_and" => a && b,
        "bitwise_or" | "logical_or" => a || b,
        "bitwise_xor" | "logical_xor" | "not_equal" => a != b,
        "equal" => a == b,
        _ => panic!("{name}"),
    })
}

/// Of two numbers of single precision the result in double, rounded, is the right one for these operations.
fn reals(name: &str, a: f64, b: f64) -> Option<Scalar> {
    Some(Scalar::Float(match name {
        "abs" => a.abs(),
        "negative" => -a,
        "positive" | "conj" | "real" => a,
        "add" => a + b,
        "subtract" => a - b,
        "multiply" => a * b,
        "divide" => a / b,
        "ceil" => a.ceil(),
        "floor" => a.floor(),
        "trunc" => a.trunc(),
        "round" => {
            let near = a.round();
            if (a - a.trunc()).abs() == 0.5 { 2.0 * (a / 2.0).round() } else { near }.copysign(a)
        }
        "sign" => {
            if a.is_nan() || a == 0.0 {
                a.abs()
            } else {
                a.signum()
            }
        }
        "square" => a * a,
        "sqrt" => a.sqrt(),
        "reciprocal" => 1.0 / a,
        "copysign" => {
            if a.is_sign_negative() == b.is_sign_negative() {
                a
            } else {
                -a
            }
        }
        "maximum" | "minimum" if a.is_nan() || b.is_nan() => f64::NAN,
        // Which of two zeros is open.
        "maximum" | "minimum" if a == 0.0 && b == 0.0 => return None,
        "maximum" => a.max(b),
        "minimum" => a.min(b),
        "isfinite" => return Some(Scalar::Bool(a.abs() < f64::INFINITY)),
        "isinf" => return Some(Scalar::Bool(a.abs() == f64::INFINITY)),
        "isnan" => return Some(Scalar::Bool(a.is_nan())),
        "signbit" => return Some(Scalar::Bool(a.to_bits() >> 63 == 1)),
        "remainder" => {
            if b.is_infinite() && a.is_finite() && a != 0.0 {
                if (a < 0.0) == (b < 0.0) { a } else { b }
            } else {
                let rest = a % b;
                if rest == 0.0 {
                    0f64.copysign(b)
                } else if (rest < 0.0) != (b < 0.0) {
                    rest + b
                } else {
                    rest
                }
            }
        }
        "equal" => return Some(Scalar::Bool(a == b)),
        "not_equal" => return Some(Scalar::Bool(a != b)),
        "less" => return Some(Scalar::Bool(a < b)),
        "less_equal" => return Some(Scalar::Bool(a <= b)),
        "greater" => return Some(Scalar::Bool(a > b)),
        "greater_equal" => return Some(Scalar::Bool(a >= b)),
        // Tested on their own.
        _ => return None,
    }))
}

fn complexes(name: &str, a: C, b: C, single: bool) -> Option<Scalar> {
    let round = |x: f64| if single { f64::from(x as f32) } else { x };
    Some(Scalar::Complex(match name {
        "negative" => -a,
        "positive" => a,
        "add" => a + b,
        "subtract" => a - b,
        "multiply" => C::new(round(a.re * b.re) - round(a.im * b.im), round(a.re * b.im) + round(a.im * b.re)),
        "equal" => return Some(Scalar::Bool(a.re == b.re && a.im == b.im)),
        "not_equal" => return Some(Scalar::Bool(a.re != b.re || a.im != b.im)),
        "square" => C::new(round(a.re * a.re) - round(a.im * a.im), round(a.re * a.im) + round(a.im * a.re)),
        "conj" => C::new(a.re, -a.im),
        "real" => return Some(Scalar::Float(a.re)),
        "imag" => return Some(Scalar::Float(a.im)),
        "isfinite" => return Some(Scalar::Bool(a.re.is_finite() && a.im.is_finite())),
        "isinf" => return Some(Scalar::Bool(a.re.is_infinite() || a.im.is_infinite())),
        "isnan" => return Some(Scalar::Bool(a.re.is_nan() || a.im.is_nan())),
        "round" => C::new(a.re.round_ties_even(), a.im.round_ties_even()),
        // Tested on their own.
        _ => return None,
    }))
}

fn same(a: f64, b: f64) -> bool {
    a.is_nan() && b.is_nan() || a.to_bits() == b.to_bits()
}

#[test]
fn values_are_those_of_a_plain_reference() {
    for name in all_functions() {
        for dtype in DType::ALL {
            let Some(out_dtype) = result(name, dtype) else { continue };
            let n = 6007;
            let [a, b] = arguments(name, dtype, n);
            let out = Array::uninit(&[n], out_dtype, Device::CPU).unwrap();
            call(&Ctx::new(), name, &out, [&a, &b]);
            let [a, b, got] = [a, b, out].map(|x| x.to_scalars().unwrap());
            let single = dtype.to_real() == DType::Float32;
            let round = |x: f64| if single { f64::from(x as f32) } else { x };
            for i in 0..n {
                let want = match (a[i], b[i]) {
                    (Scalar::Bool(a), Scalar::Bool(b)) => Some(bools(name, a, b)),
                    (Scalar::Int(a), Scalar::Int(b)) => Some(integers(name, a, b, dtype)),
                    (Scalar::Float(a), Scalar::Float(b)) => reals(name, a, b),
                    (Scalar::Complex(a), Scalar::Complex(b)) => complexes(name, a, b, single),
                    other => panic!("{other:?}"),
                };
                let right = match (want, got[i]) {
                    (None, _) => true,
                    (Some(Scalar::Float(want)), Scalar::Float(got)) => same(round(want), got),
                    (Some(Scalar::Complex(want)), Scalar::Complex(got)) => {
                        same(round(want.re), got.re) && same(round(want.im), got.im)
                    }
                    (Some(want), got) => want == got,
                };
                assert!(right, "{name} {dtype}: {:?}, {:?}: {:?}, not {want:?}", a[i], b[i], got[i]);
            }
        }
    }
}

#[test]
fn floor_division_of_floats_is_the_floor_of_the_exact_quotient() {
    let n = 200_000;
    let [a, b] = [samples(DType::Float64, n, 5), samples(DType::Float64, n, 6)];
    let out = Array::uninit(&[n], DType::Float64, Device::CPU).unwrap();
    call(&Ctx::new(), "floor_divide", &out, [&a, &b]);
    let float = |x: &Scalar| if let Scalar::Float(x) = x { *x } else { panic!() };
    let values = [&a, &b, &out].map(|x| x.to_scalars().unwrap().iter().map(float).collect::<Vec<_>>());
    let mut checked = 0;
    for ((&a, &b), &got) in values[0].iter().zip(&values[1]).zip(&values[2]) {
        let ordinary = a.is_finite() && b.is_finite() && a != 0.0 && b != 0.0;
        let large = (a / b).abs() >= 2f64.powi(53);
        if !ordinary || large {
            assert!(same(got, a / b), "{a} // {b}: {got}");
            continue;
        }
        // The sign of a fused product and sum is exact: what remains has b's sign, and of the next quotient the other one.
        let (rest, next) = ((-got).mul_add(b, a) * b.signum(), (-1.0 - got).mul_add(b, a) * b.signum());
        assert!(got.trunc() == got && rest >= 0.0 && next < 0.0, "{a} // {b}: {got}");
        assert!(got != 0.0 || got.is_sign_negative() == ((a < 0.0) != (b < 0.0)), "{a} // {b}: {got}");
        checked += 1;
    }
    assert!(checked > 50_000, "{checked}");
}

#[test]
fn foreign_truth_values_count_as_true() {
    let memory = Array::from_slice(&[0u8, 1, 2, 255], &[4], Device::CPU).unwrap();
    let x = Array::from_parts(memory.buffer().clone(), memory.layout().clone(), DType::Bool, true).unwrap();
    let yes = common::array(&[Scalar::Bool(true); 4], &[4], DType::Bool);
    for (name, expected) in [
        ("equal", [0u8, 1, 1, 1]),
        ("not_equal", [1, 0, 0, 0]),
        ("bitwise_and", [0, 1, 1, 1]),
        ("bitwise_xor", [1, 0, 0, 0]),
        ("bitwise_or", [1, 1, 1, 1]),
        ("bitwise_invert", [1, 0, 0, 0]),
    ] {
        let out = Array::uninit(&[4], DType::Bool, Device::CPU).unwrap();
        call(&Ctx::new(), name, &out, [&x, &yes]);
        assert_eq!(bytes(&out), expected, "{name}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let ctx = Ctx::new();
    let array = |shape: &[usize], dtype| Array::zeros(shape, dtype, Device::CPU).unwrap();
    let (x, y) = (array(&[4], DType::Float64), array(&[5], DType::Float64));
    let (whole, truth) = (array(&[4], DType::Int32), array(&[4], DType::Bool));
    let add = elementwise::binary("add").unwrap();
    let bad = [
        add(&ctx, &x.operand(), &x.operand(), &y.operand()),
        add(&ctx, &y.operand(), &x.operand(), &x.operand()),
        add(&ctx, &x.operand(), &x.operand(), &whole.operand()),
        add(&ctx, &whole.operand(), &x.operand(), &x.operand()),
        add(&ctx, &truth.operand(), &truth.operand(), &truth.operand()),
        elementwise::binary("less").unwrap()(&ctx, &x.operand(), &x.operand(), &x.operand()),
        elementwise::unary("abs").unwrap()(&ctx, &x.operand(), &y.operand()),
        elementwise::unary("bitwise_invert").unwrap()(&ctx, &x.operand(), &x.operand()),
    ];
    for result in bad {
        assert_eq!(result.unwrap_err().rule().id, "internal");
    }
    assert!(elementwise::unary("add").is_none() && elementwise::binary("abs").is_none());
    // Sizes of 0 and no dimensions.
    let (empty, point) = (array(&[3, 0], DType::Float64), array(&[], DType::Float64));
    add(&ctx, &empty.operand(), &empty.operand(), &empty.operand()).unwrap();
    add(&ctx, &point.operand(), &point.operand(), &point.operand()).unwrap();
}

#[test]
fn a_large_call_stops_when_it_is_told_to() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 2;
    let ctx = Ctx::new().cancelled_by(&stop);
    let x = Array::zeros(&[2000, 2000], DType::Float32, Device::CPU).unwrap();
    let out = Array::zeros(&[2000, 2000], DType::Float32, Device::CPU).unwrap();
    let negative = elementwise::unary("negative").unwrap();
    let error = negative(&ctx, &out.operand(), &x.operand()).unwrap_err();
    assert_eq!(error.rule().id, "interrupted");
    assert_eq!(asked.load(Ordering::Relaxed), 3);
    // The first three parts are done, the rest is not.
    let done = bytes(&out).chunks(4).filter(|b| b[3] == 0x80).count();
    assert_eq!(done, 3 << 18);
    // Many short runs are counted together.
    asked.store(0, Ordering::Relaxed);
    let strided = Layout::new([2000, 1000][..].into(), [8000, 8][..].into(), 0);
    let x = x.with_layout(strided.clone()).unwrap();
    assert!(negative(&ctx, &out.with_layout(strided).unwrap().operand(), &x.operand()).is_err());
}

#[test]
fn every_function_of_the_tables_has_a_row() {
    for name in all_functions() {
        let row = strictarray_standard::function(name).unwrap();
        assert_eq!(row.params.len(), 1 + usize::from(elementwise::binary(name).is_some()), "{name}");
        for dtype in DType::ALL {
            let Some(out_dtype) = result(name, dtype) else { continue };
            let x = Array::zeros(&[3], dtype, Device::CPU).unwrap();
            let out = Array::zeros(&[3], out_dtype, Device::CPU).unwrap();
            call(&Ctx::new(), name, &out, [&x, &x]);
            assert!(dispatch!(ALL, dtype, T => size_of::<T>()).is_some());
        }
    }
}
