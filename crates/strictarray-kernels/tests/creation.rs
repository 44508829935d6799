//! Creation: NumPy's values, and the ends.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may fail a test")]

mod common;

use common::from_hex;
use serde_json::Value;
use strictarray_core::{Array, Complex, DType, Device, Layout, Scalar};
use strictarray_kernels::{Ctx, creation};

fn number(row: &Value, key: &str) -> f64 {
    from_hex(row[key].as_str().unwrap())
}

fn empty(n: usize, dtype: DType) -> Array {
    Array::uninit(&[n], dtype, Device::CPU).unwrap()
}

fn floats(x: &Array) -> Vec<f64> {
    let float = |x| match x {
        Scalar::Float(x) => x,
        other => panic!("{other:?}"),
    };
    x.to_scalars().unwrap().into_iter().map(float).collect()
}

#[test]
fn arange_and_linspace_give_numpys_floats() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("data/creation.json")).unwrap();
    for row in &rows {
        let dtype: DType = row["dtype"].as_str().unwrap().parse().unwrap();
        let want: Vec<f64> = row["values"].as_array().unwrap().iter().map(|v| from_hex(v.as_str().unwrap())).collect();
        let (start, stop) = (number(row, "start"), number(row, "stop"));
        let got = if row["f"] == "arange" {
            let step = Scalar::Float(number(row, "step"));
            let n = creation::arange_len(Scalar::Float(start), Scalar::Float(stop), step).unwrap();
            let out = empty(n, dtype);
            creation::arange(&Ctx::new(), &out.operand(), Scalar::Float(start), step).unwrap();
            floats(&out)
        } else {
            let out = empty(want.len(), dtype);
            let [start, stop] = [start, stop].map(|x| Complex::new(x, 0.0));
            creation::linspace(&Ctx::new(), &out.operand(), start, stop, row["endpoint"] == true).unwrap();
            floats(&out)
        };
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&got), bits(&want), "{row}: {got:?}");
    }
    assert_eq!(rows.len(), 50);
}

#[test]
fn arange_of_integers_is_exact() {
    let arange = |start: i128, step: i128, n: usize, dtype: DType| {
        let out = empty(n, dtype);
        creation::arange(&Ctx::new(), &out.operand(), Scalar::Int(start), Scalar::Int(step)).unwrap();
        out.to_scalars().unwrap()
    };
    for dtype in DType::ALL.into_iter().filter(|d| d.is_integer()) {
        let (min, max) = dtype.integer_range().unwrap();
        assert_eq!(arange(max, -1, 3, dtype), [max, max - 1, max - 2].map(Scalar::Int), "{dtype}");
        assert_eq!(arange(min, 2, 3, dtype), [min, min + 2, min + 4].map(Scalar::Int), "{dtype}");
        assert_eq!(arange(min, max - min, 2, dtype), [min, max].map(Scalar::Int), "{dtype}");
    }
    let big = (1 << 60) + 1;
    assert_eq!(arange(0, big, 8, DType::UInt64)[7], Scalar::Int(7 * big));
    // As floats each number is rounded once.
    assert_eq!(arange(0, 1, 3, DType::Float32), [0.0, 1.0, 2.0].map(Scalar::Float));
    assert_eq!(arange(3, -2, 3, DType::Float64), [3.0, 1.0, -1.0].map(Scalar::Float));
}

#[test]
fn lengths() {
    let ints = |a: i128, b: i128, c: i128| creation::arange_len(Scalar::Int(a), Scalar::Int(b), Scalar::Int(c));
    let floats = |a: f64, b: f64, c: f64| creation::arange_len(Scalar::Float(a), Scalar::Float(b), Scalar::Float(c));
    assert_eq!(ints(0, 10, 3).unwrap(), 4);
    assert_eq!(ints(10, 0, -3).unwrap(), 4);
    assert_eq!(ints(0, 10, -1).unwrap(), 0);
    assert_eq!(ints(5, 5, 1).unwrap(), 0);
    assert_eq!(ints(i64::MIN.into(), i64::MAX.into(), 1 << 60).unwrap(), 16);
    assert_eq!(ints((1 << 62) - 1, 1 << 62, 1).unwrap(), 1);
    assert_eq!(ints(i128::MIN, i128::MAX, i128::MAX).unwrap(), 3);
    assert_eq!(floats(0.0, 1.0, 0.1).unwrap(), 10);
    assert_eq!(floats(0.0, -1.0, 0.1).unwrap(), 0);
    assert_eq!(floats(0.0, 1.0, f64::INFINITY).unwrap(), 1);
    assert_eq!(floats(0.0, 5e-324, 1e300).unwrap(), 1);
    assert_eq!(floats(0.0, 5e-324, -1e300).unwrap(), 0);
    assert_eq!(floats(1.0, 1.0, 1.0).unwrap(), 0);
    assert_eq!(creation::arange_len(Scalar::Int(0), Scalar::Float(2.5), Scalar::Int(1)).unwrap(), 3);
    let rule = |result: strictarray_core::Result<usize>| result.unwrap_err().rule().id;
    assert_eq!(rule(ints(0, 1, 0)), "step-zero");
    assert_eq!(rule(floats(0.0, 1.0, -0.0)), "step-zero");
    assert_eq!(rule(floats(f64::NAN, 1.0, 1.0)), "value");
    assert_eq!(rule(floats(0.0, f64::NAN, 1.0)), "value");
    assert_eq!(rule(floats(f64::INFINITY, f64::INFINITY, 1.0)), "value");
    assert_eq!(rule(floats(0.0, f64::INFINITY, 1.0)), "shape-too-large");
    assert_eq!(rule(floats(0.0, 1e300, 1e-10)), "shape-too-large");
    assert_eq!(rule(floats(-1e308, 1e308, 1.0)), "shape-too-large");
    assert_eq!(rule(ints(0, i128::MAX, 1)), "shape-too-large");
}

#[test]
fn linspace_keeps_its_ends() {
    let linspace = |start: C, stop: C, n: usize, endpoint: bool, dtype: DType| {
        let out = empty(n, dtype);
        creation::linspace(&Ctx::new(), &out.operand(), start, stop, endpoint).unwrap();
        out
    };
    type C = Complex<f64>;
    let real = |x: f64| C::new(x, 0.0);
    for (start, stop) in [(-1.7e308, 1.7e308), (f64::MAX, f64::MIN), (0.1, 0.7), (1e-320, -1e308)] {
        for n in [2, 3, 7, 1000] {
            let values = floats(&linspace(real(start), real(stop), n, true, DType::Float64));
            assert_eq!((values[0], values[n - 1]), (start, stop));
            assert!(values.iter().all(|x| x.is_finite()), "{values:?}");
            let rises = values.windows(2).all(|w| (w[1] > w[0]) == (stop > start));
            assert!(rises, "{values:?}");
            let half = floats(&linspace(real(start), real(stop), n, false, DType::Float64));
            assert!(half[n - 1] != stop && half[0] == start && half.iter().all(|x| x.is_finite()));
        }
    }
    let z = linspace(C::new(0.0, 1.0), C::new(4.0, -1.0), 5, true, DType::Complex128).to_scalars().unwrap();
    let want = [(0.0, 1.0), (1.0, 0.5), (2.0, 0.0), (3.0, -0.5), (4.0, -1.0)];
    assert_eq!(z, want.map(|(re, im)| Scalar::Complex(C::new(re, im))));
    let single = linspace(C::new(0.0, 1.0), C::new(4.0, -1.0), 2, false, DType::Complex64).to_scalars().unwrap();
    assert_eq!(single[1], Scalar::Complex(C::new(2.0, 0.0)));
    // One number is the start, also where the step is infinite or NaN.
    assert_eq!(floats(&linspace(real(3.0), real(f64::INFINITY), 1, true, DType::Float64)), [3.0]);
    assert_eq!(floats(&linspace(real(3.0), real(f64::NAN), 1, false, DType::Float64)), [3.0]);
    let whole = empty(2, DType::Int32);
    assert!(creation::linspace(&Ctx::new(), &whole.operand(), real(0.0), real(1.0), true).is_err());
}

#[test]
fn eye_and_triangles() {
    let one = |x: Scalar| match x {
        Scalar::Bool(b) => i128::from(b),
        Scalar::Int(i) => i,
        Scalar::Float(x) => x as i128,
        Scalar::Complex(z) => z.re as i128,
    };
    for dtype in DType::ALL {
        for (rows, columns) in [(3, 3), (2, 5), (5, 2), (0, 4), (4, 0), (1, 1)] {
            for k in [0, 1, -1, 4, -4, 5, -5, 100, -100, i128::MAX, i128::MIN] {
                let out = Array::zeros(&[rows, columns], dtype, Device::CPU).unwrap();
                creation::eye(&Ctx::new(), &out.operand(), k).unwrap();
                let got: Vec<i128> = out.to_scalars().unwrap().into_iter().map(one).collect();
                let on = |i: usize, j: usize| (j as i128).checked_sub(i as i128) == Some(k);
                let want: Vec<_> = (0..rows * columns).map(|p| i128::from(on(p / columns, p % columns))).collect();
                assert_eq!(got, want, "{dtype} {rows} {columns} {k}");
                for lower in [true, false] {
                    let n = 2 * rows * columns;
                    let values: Vec<_> = (0..n)
                        .map(|i| if dtype == DType::Bool { Scalar::Bool(true) } else { Scalar::Int(1 + i as i128) })
                        .collect();
                    let x = common::array(&values, &[2, rows, columns], dtype);
                    let out = Array::uninit(x.shape(), dtype, Device::CPU).unwrap();
                    creation::triangle(&Ctx::new(), &out.operand(), &x.operand(), k, lower).unwrap();
                    let got: Vec<i128> = out.to_scalars().unwrap().into_iter().map(one).collect();
                    let kept = |p: usize| {
                        let (i, j) = (p / columns % rows, p % columns);
                        let d = j as i128 - i as i128;
                        if lower { d <= k } else { d >= k }
                    };
                    let want: Vec<_> = (0..n).map(|p| if kept(p) { one(values[p]) } else { 0 }).collect();
                    assert_eq!(got, want, "{dtype} {rows} {columns} {k} {lower}");
                }
            }
        }
    }
    // A transposed output and input.
    let x = common::array(&[1, 2, 3, 4].map(Scalar::Int), &[2, 2], DType::Int64);
    let t = x.with_layout(x.layout().reversed()).unwrap();
    let out = Array::uninit(&[2, 2], DType::Int64, Device::CPU).unwrap();
    let out = out.with_layout(out.layout().reversed()).unwrap();
    creation::triangle(&Ctx::new(), &out.operand(), &t.operand(), 0, true).unwrap();
    assert_eq!(out.to_scalars().unwrap(), [1, 0, 2, 4].map(Scalar::Int));
    let flat = Layout::c_order(&[4], 8).unwrap();
    let flat = x.with_layout(flat).unwrap();
    assert!(creation::triangle(&Ctx::new(), &flat.operand(), &flat.operand(), 0, true).is_err());
    assert!(creation::eye(&Ctx::new(), &flat.operand(), 0).is_err());
}
