//! Casts: every pair of data types, and NumPy's values of floats that an integer type does not hold.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may fail a test")]

mod common;

use common::{LAYOUTS, bytes, from_hex, laid_out, samples};
use serde_json::Value;
use strictarray_core::{Array, Complex, DType, Device, Scalar};
use strictarray_kernels::simd::Level;
use strictarray_kernels::{Ctx, cast};

fn cast_to(ctx: &Ctx<'_>, x: &Array, dtype: DType) -> Array {
    let out = Array::uninit(x.shape(), dtype, Device::CPU).unwrap();
    cast::cast(ctx, &out.operand(), &x.operand()).unwrap();
    out
}

#[test]
fn floats_out_of_range_become_numpys_values() {
    let table: Value = serde_json::from_str(include_str!("data/casts.json")).unwrap();
    for from in [DType::Float32, DType::Float64] {
        let rows = &table[from.name()];
        let values: Vec<f64> =
            rows["values"].as_array().unwrap().iter().map(|v| from_hex(v.as_str().unwrap())).collect();
        // Many times over, so that whole vectors are converted and single ones too.
        let repeated: Vec<_> = values.iter().cycle().take(values.len() * 5).map(|&x| Scalar::Float(x)).collect();
        let x = common::array(&repeated, &[repeated.len()], from);
        for to in DType::ALL.into_iter().filter(|d| d.is_integer()) {
            let want: Vec<i128> =
                rows[to.name()].as_array().unwrap().iter().map(|v| v.to_string().parse().unwrap()).collect();
            for level in Level::ALL {
                let ctx = Ctx::new().simd_at_most(level);
                let complex = cast_to(&ctx, &x, from.to_complex().unwrap());
                for x in [&x, &complex] {
                    for (i, got) in cast_to(&ctx, x, to).to_scalars().unwrap().into_iter().enumerate() {
                        let at = i % values.len();
                        assert_eq!(got, Scalar::Int(want[at]), "{} of {} as {to} at {level:?}", values[at], x.dtype());
                    }
                }
            }
        }
    }
}

fn expected(value: Scalar, from: DType, to: DType) -> Option<Scalar> {
    let single = |x: f64| if to.to_real() == DType::Float32 { f64::from(x as f32) } else { x };
    let (re, im) = match value {
        Scalar::Bool(b) => (f64::from(u8::from(b)), 0.0),
        // At once: through f64 a 64-bit number would be rounded twice.
        Scalar::Int(i) if to.to_real() == DType::Float32 => (f64::from(i as f32), 0.0),
        Scalar::Int(i) => (i as f64, 0.0),
        Scalar::Float(x) => (x, 0.0),
        Scalar::Complex(z) => (z.re, z.im),
    };
    Some(match to {
        DType::Bool => Scalar::Bool(re != 0.0 || im != 0.0),
        DType::Float32 | DType::Float64 => Scalar::Float(single(re)),
        DType::Complex64 | DType::Complex128 => Scalar::Complex(Complex::new(single(re), single(im))),
        _ => {
            let (min, max) = to.integer_range()?;
            let whole = match value {
                Scalar::Int(i) => i,
                Scalar::Bool(b) => b.into(),
                // Others are in the table of the other test.
                _ if re.abs() < 1e9 && from.is_floating() => re as i128,
                _ => return None,
            };
            Scalar::Int((whole - min).rem_euclid(max - min + 1) + min)
        }
    })
}

fn same(a: Scalar, b: Scalar) -> bool {
    let same = |a: f64, b: f64| a.is_nan() && b.is_nan() || a.to_bits() == b.to_bits();
    match (a, b) {
        (Scalar::Float(a), Scalar::Float(b)) => same(a, b),
        (Scalar::Complex(a), Scalar::Complex(b)) => same(a.re, b.re) && same(a.im, b.im),
        _ => a == b,
    }
}

#[test]
fn every_pair_of_data_types() {
    let n = 1009;
    for from in DType::ALL {
        let x = samples(from, n, 3);
        let values = x.to_scalars().unwrap();
        for to in DType::ALL {
            let out = cast_to(&Ctx::new(), &x, to);
            for (value, got) in values.iter().zip(out.to_scalars().unwrap()) {
                if let Some(want) = expected(*value, from, to) {
                    assert!(same(want, got), "{value:?} from {from} to {to}: {got:?}, not {want:?}");
                }
            }
            for level in Level::ALL {
                let ctx = Ctx::new().simd_at_most(level);
                for layout in LAYOUTS {
                    let view = laid_out(&Array::zeros(&[n], to, Device::CPU).unwrap(), layout);
                    cast::cast(&ctx, &view.operand(), &laid_out(&x, layout).operand()).unwrap();
                    assert!(bytes(&view) == bytes(&out), "{from} to {to} {layout} {level:?}");
                }
            }
        }
    }
}

#[test]
fn shapes_must_be_equal_and_foreign_truth_values_become_ours() {
    let ctx = Ctx::new();
    let [x, y] = [3, 4].map(|n| Array::zeros(&[n], DType::Int8, Device::CPU).unwrap());
    assert!(cast::cast(&ctx, &x.operand(), &y.operand()).is_err());
    let memory = Array::from_slice(&[0u8, 1, 2, 255], &[4], Device::CPU).unwrap();
    let x = Array::from_parts(memory.buffer().clone(), memory.layout().clone(), DType::Bool, true).unwrap();
    for to in [DType::Bool, DType::Int8, DType::UInt8] {
        assert_eq!(bytes(&cast_to(&ctx, &x, to)), [0, 1, 1, 1], "{to}");
    }
}
