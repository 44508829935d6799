//! Times of elementwise kernels, casts and matmul on one thread: nanoseconds an element, or a call at 4 elements.
//!
//! `cargo bench -p strictarray-kernels --bench elementwise -- [part of a name …]`. `LEVEL=0` or `1` holds it to a lower
//! instruction set.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may fail a test")]

use std::hint::black_box;
use std::time::Instant;

use strictarray_core::{Array, DType, Device, ElementBytes, Layout, Operand};
use strictarray_kernels::simd::Level;
use strictarray_kernels::{Ctx, cast, elementwise, matmul};

fn best(mut run: impl FnMut()) -> f64 {
    let mut rounds = 1;
    let mut best = f64::INFINITY;
    let begin = Instant::now();
    while begin.elapsed().as_millis() < 60 {
        let start = Instant::now();
        for _ in 0..rounds {
            run();
        }
        let nanos = start.elapsed().as_nanos() as f64;
        best = best.min(nanos / rounds as f64);
        if nanos < 2e5 {
            rounds *= 2;
        }
    }
    best
}

/// Numbers from 1 up to about 50, spread irregularly.
fn data(shape: &[usize], dtype: DType, seed: u64) -> Array {
    let n: usize = shape.iter().product();
    let mut state = seed;
    let values: Vec<f64> = (0..n)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            1.0 + (state >> 40) as f64 / (1u64 << 24) as f64 * 50.0
        })
        .collect();
    let x = Array::from_slice(&values, shape, Device::CPU).unwrap();
    let out = Array::uninit(shape, dtype, Device::CPU).unwrap();
    cast::cast(&Ctx::new(), &out.operand(), &x.operand()).unwrap();
    out
}

fn strided(x: &Array) -> Array {
    let item = x.dtype().size();
    let shape = [x.size() / 2];
    let layout = Layout::new(shape[..].into(), [2 * item as isize][..].into(), 0);
    x.with_layout(layout).unwrap()
}

fn main() {
    let filters: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let wanted = |name: &str| filters.is_empty() || filters.iter().any(|f| name.contains(f.as_str()));
    let level = std::env::var("LEVEL").ok().and_then(|l| l.parse::<usize>().ok());
    let ctx = Ctx::new().simd_at_most(level.map_or(Level::detected(), |l| Level::ALL[l]));
    let names = ["bool", "int8", "int32", "int64", "uint64", "float32", "float64", "complex64", "complex128"];
    let dtypes: Vec<DType> = names.iter().map(|n| n.parse().unwrap()).collect();
    for &dtype in &dtypes {
        for &name in elementwise::BINARY {
            let title = format!("{name} {dtype}");
            if !wanted(&title) {
                continue;
            }
            let kernel = elementwise::binary(name).unwrap();
            let out_dtype = if name.contains("equal") || name.starts_with(['g', 'l']) { DType::Bool } else { dtype };
            let mut row = Vec::new();
            for n in [4, 1000, 100_000, 1_000_000] {
                let (a, b) = (data(&[n], dtype, 1), data(&[n], dtype, 2));
                let out = Array::uninit(&[n], out_dtype, Device::CPU).unwrap();
                let (out, a, b) = (out.operand(), a.operand(), b.operand());
                if kernel(&ctx, &out, &a, &b).is_err() {
                    break;
                }
                let time = best(|| kernel(black_box(&ctx), black_box(&out), black_box(&a), black_box(&b)).unwrap());
                row.push(if n == 4 { time } else { time / n as f64 });
            }
            if row.is_empty() {
                continue;
            }
            let n = 10_000;
            let (a, b) = (data(&[n], dtype, 1), data(&[n], dtype, 2));
            let out = Array::uninit(&[n], out_dtype, Device::CPU).unwrap();
            let value = ElementBytes([3; 16]);
            let shape = [n];
            let scalar = Operand::repeated(&value, dtype, &shape);
            let time = best(|| kernel(&ctx, &out.operand(), &a.operand(), black_box(&scalar)).unwrap());
            row.push(time / n as f64);
            if out_dtype == dtype {
                row.push(best(|| kernel(&ctx, &a.operand(), &a.operand(), &b.operand()).unwrap()) / n as f64);
            } else {
                row.push(f64::NAN);
            }
            let (a, b, out) = (strided(&a), strided(&b), strided(&out));
            row.push(best(|| kernel(&ctx, &out.operand(), &a.operand(), &b.operand()).unwrap()) / out.size() as f64);
            println!(
                "{title:30} 4: {:6.1} ns   1e3: {:7.3}  1e5: {:7.3}  1e6: {:7.3}  scalar: {:7.3}  in place: {:7.3}  strided: {:7.3}",
                row[0], row[1], row[2], row[3], row[4], row[5], row[6]
            );
        }
        for &name in elementwise::UNARY {
            let title = format!("{name} {dtype}");
            if !wanted(&title) {
                continue;
            }
            let kernel = elementwise::unary(name).unwrap();
            let out_dtype = if name == "abs" { dtype.to_real() } else { dtype };
            let n = 100_000;
            let (x, out) = (data(&[n], dtype, 1), Array::uninit(&[n], out_dtype, Device::CPU).unwrap());
            if dtype.is_floating() && matches!(name, "acos" | "asin" | "atanh") {
                // Into the domain.
                let inverse = elementwise::unary("reciprocal").unwrap();
                inverse(&ctx, &x.operand(), &x.operand()).unwrap();
            }
            if kernel(&ctx, &out.operand(), &x.operand()).is_ok() {
                let time = best(|| kernel(&ctx, &out.operand(), black_box(&x.operand())).unwrap()) / n as f64;
                println!("{title:30} 1e5: {time:7.3}");
            }
        }
        for &to in &dtypes {
            let title = format!("cast {dtype} {to}");
            if !wanted(&title) {
                continue;
            }
            let n = 100_000;
            let (x, out) = (data(&[n], dtype, 1), Array::uninit(&[n], to, Device::CPU).unwrap());
            let time = best(|| cast::cast(&ctx, &out.operand(), black_box(&x.operand())).unwrap()) / n as f64;
            println!("{title:30} 1e5: {time:7.3}");
        }
        for [m, n, k] in [[1000, 1, 1000], [1, 1000, 1000]] {
            let title = format!("matmul {dtype} {m}x{k}x{n}");
            if dtype == DType::Bool || !wanted(&title) {
                continue;
            }
            let (a, b) = (data(&[m, k], dtype, 1), data(&[k, n], dtype, 2));
            let out = Array::uninit(&[m, n], dtype, Device::CPU).unwrap();
            let time = best(|| matmul::matmul(&ctx, &out.operand(), &a.operand(), black_box(&b.operand())).unwrap());
            println!("{title:30} {:12.1} us", time / 1e3);
        }
        for n in [2, 4, 8, 16, 64, 256, 1024] {
            let title = format!("matmul {dtype} {n}");
            if dtype == DType::Bool || !wanted(&title) {
                continue;
            }
            let (a, b) = (data(&[n, n], dtype, 1), data(&[n, n], dtype, 2));
            let out = Array::uninit(&[n, n], dtype, Device::CPU).unwrap();
            let time = best(|| matmul::matmul(&ctx, &out.operand(), &a.operand(), black_box(&b.operand())).unwrap());
            println!("{title:30} {:12.1} us   {:7.2} Gflop/s", time / 1e3, 2.0 * (n as f64).powi(3) / time);
        }
    }
}
