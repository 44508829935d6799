//! Reductions: against plain references, and the same bits whatever the layout and the instruction set.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may fail a test")]

mod common;

use common::{array, bytes, samples};
use strictarray_core::{Array, DType, Device, Layout, Operand, Result, Scalar, copy};
use strictarray_kernels::simd::Level;
use strictarray_kernels::{Ctx, reduce};

type Kernel = fn(&Ctx<'_>, &Operand<'_>, &Operand<'_>) -> Result<()>;

const FLOATING: [DType; 4] = [DType::Float32, DType::Float64, DType::Complex64, DType::Complex128];

fn takes_real(dtype: DType) -> bool {
    dtype != DType::Bool && !dtype.is_complex()
}

fn var(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    reduce::var(ctx, out, x, 1.0)
}

fn std(ctx: &Ctx<'_>, out: &Operand<'_>, x: &Operand<'_>) -> Result<()> {
    reduce::std(ctx, out, x, 0.0)
}

/// Every kernel that takes a data type, and the data type of its result.
fn kernels(dtype: DType) -> Vec<(&'static str, Kernel, DType)> {
    let mut all: Vec<(&'static str, Kernel, DType)> = vec![
        ("any", reduce::any, DType::Bool),
        ("all", reduce::all, DType::Bool),
        ("count_nonzero", reduce::count_nonzero, DType::Int64),
        ("count_nonzero", reduce::count_nonzero, DType::Int32),
    ];
    if takes_real(dtype) {
        all.extend([("max", reduce::max as Kernel, dtype), ("min", reduce::min, dtype)]);
        for index in [DType::Int32, DType::Int64] {
            all.extend([("argmax", reduce::argmax as Kernel, index), ("argmin", reduce::argmin, index)]);
        }
    }
    if FLOATING.contains(&dtype) {
        all.push(("mean", reduce::mean, dtype));
        if !dtype.is_complex() {
            all.extend([("var", var as Kernel, dtype), ("std", std, dtype)]);
        }
    }
    if dtype != DType::Bool {
        for to in DType::ALL.into_iter().filter(|to| *to != DType::Bool && (to.is_floating() || !dtype.is_floating())) {
            if dtype.is_complex() && !to.is_complex() {
                continue;
            }
            all.extend([("sum", reduce::sum as Kernel, to), ("prod", reduce::prod, to)]);
        }
    }
    all
}

/// The result with 1 for each of these axes.
fn reduced(ctx: &Ctx<'_>, kernel: Kernel, x: &Array, axes: &[usize], dtype: DType) -> Array {
    let shape: Vec<usize> = x.shape().iter().enumerate().map(|(i, &n)| if axes.contains(&i) { 1 } else { n }).collect();
    let out = Array::uninit(&shape, dtype, Device::CPU).unwrap();
    kernel(ctx, &out.operand(), &x.operand()).unwrap();
    out
}

fn shaped(x: &Array, shape: &[usize]) -> Array {
    x.with_layout(Layout::c_order(shape, x.dtype().size()).unwrap()).unwrap()
}

/// The same elements, axes in another order in memory, some of them backwards and with gaps.
fn relaid(x: &Array, order: &[usize], step: isize) -> Array {
    let item = x.dtype().size() as isize;
    let gap = step.unsigned_abs();
    let mut strides = vec![0isize; x.ndim()];
    let mut reach = item * gap as isize;
    for &axis in order.iter().rev() {
        strides[axis] = reach;
        reach *= x.shape()[axis] as isize;
    }
    let memory = Array::zeros(&[(x.size() * gap).max(1)], x.dtype(), Device::CPU).unwrap();
    let mut offset = 0;
    if step < 0 {
        for (stride, &n) in strides.iter_mut().zip(x.shape()) {
            offset += *stride * (n as isize - 1);
            *stride = -*stride;
        }
    }
    let view = memory.with_layout(Layout::new(x.shape().into(), strides[..].into(), offset as usize)).unwrap();
    copy::copy_elements(&view.operand(), &x.operand()).unwrap();
    view
}

#[test]
fn neither_layout_nor_instruction_set_changes_a_bit() {
    let shapes: [&[usize]; 5] = [&[300, 37], &[520, 70], &[5, 40, 30], &[2, 1500], &[4099]];
    // Along some axes of these, floating-point numbers are folded along one after the others.
    let nested: [&[usize]; 3] = [&[17, 20, 33], &[3, 260, 33], &[260, 3, 33]];
    for dtype in DType::ALL {
        let nested = if FLOATING.contains(&dtype) { &nested[..] } else { &[] };
        for &shape in shapes.iter().chain(nested) {
            let x = shaped(&samples(dtype, shape.iter().product(), 3), shape);
            let last = shape.len() - 1;
            let all: Vec<usize> = (0..=last).collect();
            let backward: Vec<usize> = all.iter().rev().copied().collect();
            let mut axes = vec![all.clone(), vec![0], vec![last], vec![]];
            if last == 2 {
                axes.extend([vec![1], vec![0, 2], vec![0, 1], vec![1, 2]]);
            }
            for (name, kernel, to) in kernels(dtype) {
                for axes in &axes {
                    let plain = bytes(&reduced(&Ctx::new().simd_at_most(Level::Baseline), kernel, &x, axes, to));
                    for level in Level::ALL {
                        let ctx = Ctx::new().simd_at_most(level);
                        assert_eq!(bytes(&reduced(&ctx, kernel, &x, axes, to)), plain, "{name} {dtype} {level:?}");
                        for (order, step) in [(&all, -1), (&backward, 1), (&backward, -2), (&all, 3), (&all, 2)] {
                            let y = relaid(&x, order, step);
                            let got = bytes(&reduced(&ctx, kernel, &y, axes, to));
                            assert_eq!(got, plain, "{name} {dtype} {to} {shape:?} {axes:?} {order:?} {step} {level:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn folds_of_several_long_axes_are_as_exact_as_of_one() {
    let ctx = Ctx::new();
    for (shape, axes) in [
        (&[300, 40][..], &[0, 1][..]),
        (&[20, 30, 50], &[0, 1, 2]),
        (&[3, 300, 40], &[1, 2]),
        (&[300, 3, 40], &[0, 2]),
        (&[300, 40, 5], &[0, 1]),
    ] {
        // Multiples of a power of two whose sums and squares a float64 holds: the reference is exact.
        let n = shape.iter().product();
        let values: Vec<f64> = (0..n).map(|i| ((i * 7919) % 2003) as f64 / 64.0 + 1.0).collect();
        let singles: Vec<f32> = values.iter().map(|&v| v as f32).collect();
        let x = Array::from_slice(&values, shape, Device::CPU).unwrap();
        let single = Array::from_slice(&singles, shape, Device::CPU).unwrap();
        let kept: Vec<usize> = (0..shape.len()).filter(|axis| !axes.contains(axis)).collect();
        let results: usize = kept.iter().map(|&axis| shape[axis]).product();
        let (mut sums, mut squares) = (vec![0.0; results], vec![0.0; results]);
        for (i, value) in values.iter().enumerate() {
            let mut place = 0;
            for &axis in &kept {
                let after: usize = shape[axis + 1..].iter().product();
                place = place * shape[axis] + i / after % shape[axis];
            }
            sums[place] += value;
            squares[place] += value * value;
        }
        let count = (n / results) as f64;
        let near = |kernel: Kernel, expected: &dyn Fn(usize) -> f64, ulps: f64| {
            let got = bytes(&reduced(&ctx, kernel, &x, axes, DType::Float64));
            let got: Vec<f64> = got.chunks_exact(8).map(|b| f64::from_ne_bytes(b.try_into().unwrap())).collect();
            let got32 = bytes(&reduced(&ctx, kernel, &single, axes, DType::Float32));
            let got32: Vec<f32> = got32.chunks_exact(4).map(|b| f32::from_ne_bytes(b.try_into().unwrap())).collect();
            assert_eq!(got.len(), results);
            for i in 0..results {
                let expected = expected(i);
                assert!((got[i] - expected).abs() <= ulps * f64::EPSILON * expected.abs(), "{shape:?} {axes:?} {i}");
                let error = (f64::from(got32[i]) - expected).abs();
                assert!(error <= ulps * f64::from(f32::EPSILON) * expected.abs(), "{shape:?} {axes:?} {i} float32");
            }
        };
        near(reduce::sum, &|i| sums[i], 4.0);
        near(reduce::mean, &|i| sums[i] / count, 2.0);
        // The reference cancels some digits here.
        near(var, &|i| (squares[i] - sums[i] * sums[i] / count) / (count - 1.0), 32.0);
        near(std, &|i| ((squares[i] - sums[i] * sums[i] / count) / count).sqrt(), 16.0);
    }
}

#[test]
fn running_sums_are_those_of_a_plain_loop_in_any_layout() {
    type Cumulative = fn(&Ctx<'_>, &Operand<'_>, &Operand<'_>, usize) -> Result<()>;
    let kernels: [(Cumulative, bool); 2] = [(reduce::cumulative_sum, false), (reduce::cumulative_prod, true)];
    for dtype in DType::ALL.into_iter().filter(|d| *d != DType::Bool) {
        let x = shaped(&samples(dtype, 7 * 30 * 5, 9), &[7, 30, 5]);
        for ((kernel, product), axis) in kernels.into_iter().flat_map(|k| (0..3).map(move |axis| (k, axis))) {
            let run = |ctx: &Ctx<'_>, x: &Array| {
                let out = Array::uninit(x.shape(), dtype, Device::CPU).unwrap();
                kernel(ctx, &out.operand(), &x.operand(), axis).unwrap();
                bytes(&out)
            };
            let plain = run(&Ctx::new().simd_at_most(Level::Baseline), &x);
            for level in Level::ALL {
                let ctx = Ctx::new().simd_at_most(level);
                for (order, step) in [([0, 1, 2], 1), ([2, 1, 0], -1), ([1, 0, 2], 2), ([0, 2, 1], 1)] {
                    assert_eq!(run(&ctx, &relaid(&x, &order, step)), plain, "{dtype} {axis} {order:?} {level:?}");
                }
            }
            let Some((min, max)) = dtype.integer_range() else { continue };
            let out = Array::uninit(x.shape(), dtype, Device::CPU).unwrap();
            kernel(&Ctx::new(), &out.operand(), &x.operand(), axis).unwrap();
            let (values, got) = (x.to_scalars().unwrap(), out.to_scalars().unwrap());
            let stride = [150, 5, 1][axis];
            for (i, value) in values.iter().enumerate() {
                let Scalar::Int(value) = value else { panic!("{value:?}") };
                let first = i / stride % x.shape()[axis] == 0;
                let want = match (first, got[i.saturating_sub(stride)]) {
                    (true, _) => *value,
                    (false, Scalar::Int(before)) if product => before.wrapping_mul(*value),
                    (false, Scalar::Int(before)) => before + value,
                    other => panic!("{other:?}"),
                };
                let want = (want - min).rem_euclid(max - min + 1) + min;
                assert_eq!(got[i], Scalar::Int(want), "{dtype} {axis} {i}");
            }
        }
    }
}

#[test]
fn integers_add_and_multiply_modulo_their_range() {
    for dtype in DType::ALL.into_iter().filter(|d| d.is_integer()) {
        for n in [1, 2, 63, 64, 65, 512, 1000, 5000] {
            let x = samples(dtype, n, n as u64);
            let exact: Vec<i128> = x
                .to_scalars()
                .unwrap()
                .iter()
                .map(|v| if let Scalar::Int(i) = v { *i } else { panic!("{v:?}") })
                .collect();
            for to in DType::ALL.into_iter().filter(|to| to.is_integer() && to.size() >= dtype.size()) {
                let (min, max) = to.integer_range().unwrap();
                let wrap = |v: i128| (v - min).rem_euclid(max - min + 1) + min;
                let sum = exact.iter().fold(0, |sum, v| wrap(sum + v));
                let prod = exact.iter().fold(1, |prod: i128, v| wrap(prod.wrapping_mul(wrap(*v))));
                let got = reduced(&Ctx::new(), reduce::sum, &x, &[0], to).to_scalars().unwrap();
                assert_eq!(got, [Scalar::Int(sum)], "{dtype} {to} {n}");
                let got = reduced(&Ctx::new(), reduce::prod, &x, &[0], to).to_scalars().unwrap();
                assert_eq!(got, [Scalar::Int(prod)], "{dtype} {to} {n}");
            }
        }
    }
}

#[test]
fn extremes_and_their_places_are_those_of_a_plain_search() {
    for dtype in DType::ALL.into_iter().filter(|d| takes_real(*d)) {
        for n in [1, 2, 31, 129, 511, 512, 513, 2000] {
            for seed in 0..4 {
                let x = samples(dtype, n, seed * 1000 + n as u64);
                let values = x.to_scalars().unwrap();
                let order = |a: &Scalar, b: &Scalar| match (a, b) {
                    (Scalar::Int(a), Scalar::Int(b)) => a.cmp(b) as i8,
                    (Scalar::Float(a), Scalar::Float(b)) => a.partial_cmp(b).unwrap() as i8,
                    other => panic!("{other:?}"),
                };
                let nan = values.iter().position(|v| matches!(v, Scalar::Float(x) if x.is_nan()));
                for (sign, extreme, place) in
                    [(1, reduce::max as Kernel, reduce::argmax as Kernel), (-1, reduce::min, reduce::argmin)]
                {
                    let want = nan.unwrap_or_else(|| {
                        (1..n).fold(0, |best, i| if order(&values[i], &values[best]) * sign > 0 { i } else { best })
                    });
                    let got = reduced(&Ctx::new(), place, &x, &[0], DType::Int64).to_scalars().unwrap();
                    assert_eq!(got, [Scalar::Int(want as i128)], "{dtype} {n}");
                    let got = reduced(&Ctx::new(), extreme, &x, &[0], dtype).to_scalars().unwrap();
                    match (nan, got[0]) {
                        (Some(_), Scalar::Float(x)) => assert!(x.is_nan()),
                        (_, got) => assert_eq!(got, values[want], "{dtype} {n}"),
                    }
                }
            }
        }
    }
}

/// The mean by a sum in the data type is the other mean, but where that sum is infinite.
#[test]
fn a_mean_of_a_sum_that_must_fit() {
    let ctx = Ctx::new();
    let (max, half_ulp) = (f32::MAX, 2f32.powi(103));
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let cases: [(&[f32], f32, f32); 8] = [
        (&[max, max], max, inf),
        (&[-max, -max, -1.0], -max * (2.0 / 3.0), -inf),
        (&[max, half_ulp], max / 2.0, inf),
        (&[max, half_ulp * 0.75], max / 2.0, max / 2.0),
        (&[max, max, -max], max / 3.0, max / 3.0),
        (&[inf, 1.0], inf, inf),
        (&[inf, -inf], nan, nan),
        (&[1.0, 2.0], 1.5, 1.5),
    ];
    for (values, expected, of_sum) in cases {
        let x = Array::from_slice(values, &[values.len()], Device::CPU).unwrap();
        for (kernel, expected) in [(reduce::mean as Kernel, expected), (reduce::mean_of_sum, of_sum)] {
            let got = reduced(&ctx, kernel, &x, &[0], DType::Float32).item().unwrap();
            let strictarray_core::Scalar::Float(got) = got else { panic!("{got:?}") };
            let close = (got - f64::from(expected)).abs() <= f64::from(expected).abs() * f64::from(f32::EPSILON);
            assert!(got == f64::from(expected) || close || (got.is_nan() && expected.is_nan()), "{values:?} {got}");
        }
    }
}

#[test]
fn misuse_is_refused() {
    let x = samples(DType::Float64, 6, 1);
    let ctx = Ctx::new();
    let wrong: [(Kernel, &[usize], DType); 9] = [
        (reduce::sum, &[2], DType::Float64),
        (reduce::sum, &[1, 1], DType::Float64),
        (reduce::max, &[1], DType::Float32),
        (reduce::mean, &[1], DType::Float32),
        (var, &[1], DType::Int64),
        (reduce::any, &[1], DType::UInt8),
        (reduce::all, &[1], DType::Float64),
        (reduce::count_nonzero, &[1], DType::UInt64),
        (reduce::argmax, &[1], DType::Int16),
    ];
    for (kernel, shape, dtype) in wrong {
        let out = Array::zeros(shape, dtype, Device::CPU).unwrap();
        assert_eq!(kernel(&ctx, &out.operand(), &x.operand()).unwrap_err().rule().id, "internal");
    }
    let empty = array(&[], &[0], DType::Float64);
    let out = Array::zeros(&[1], DType::Float64, Device::CPU).unwrap();
    assert!(reduce::max(&ctx, &out.operand(), &empty.operand()).is_err());
    let place = Array::zeros(&[1], DType::Int64, Device::CPU).unwrap();
    assert!(reduce::argmin(&ctx, &place.operand(), &empty.operand()).is_err());
    assert!(reduce::cumulative_sum(&ctx, &x.operand(), &x.operand(), 1).is_err());
}

#[test]
fn long_reductions_can_be_stopped() {
    let x = Array::zeros(&[1 << 20, 2], DType::Float64, Device::CPU).unwrap();
    let turned = x.with_layout(x.layout().reversed()).unwrap();
    let stop = || true;
    let ctx = Ctx::new().cancelled_by(&stop);
    for (name, kernel, to) in kernels(DType::Float64) {
        for (x, axes) in [(&x, &[0, 1][..]), (&x, &[0]), (&x, &[1]), (&turned, &[0]), (&turned, &[0, 1])] {
            if name == "any" || name == "all" && axes.len() == 2 {
                continue; // Known at once.
            }
            let shape: Vec<usize> =
                x.shape().iter().enumerate().map(|(i, &n)| if axes.contains(&i) { 1 } else { n }).collect();
            let out = Array::zeros(&shape, to, Device::CPU).unwrap();
            let error = kernel(&ctx, &out.operand(), &x.operand()).unwrap_err();
            assert_eq!(error.rule().id, "interrupted", "{name} {axes:?}");
        }
    }
}

#[test]
fn long_lines_that_lie_across_memory_come_together_in_the_same_order() {
    // So long that they are taken in parts, few enough that they are not nested; lengths at and off the ends of blocks.
    for shape in [&[3, 20_000][..], &[2, 65_536], &[9, 5_003], &[2, 17, 4_099], &[33, 4_224]] {
        let all: Vec<usize> = (0..shape.len()).collect();
        let backward: Vec<usize> = all.iter().rev().copied().collect();
        for dtype in FLOATING {
            let x = shaped(&samples(dtype, shape.iter().product(), 5), shape);
            for (name, kernel, to) in kernels(dtype).into_iter().filter(|(.., to)| *to == dtype) {
                let plain = bytes(&reduced(&Ctx::new().simd_at_most(Level::Baseline), kernel, &x, &all, to));
                for (order, step) in [(&backward, 1), (&backward, -1), (&backward, 2)] {
                    let y = relaid(&x, order, step);
                    for level in Level::ALL {
                        let got = bytes(&reduced(&Ctx::new().simd_at_most(level), kernel, &y, &all, to));
                        assert_eq!(got, plain, "{name} {dtype} {shape:?} {step} {level:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn many_results_side_by_side_are_those_of_one_at_a_time() {
    // So many that their lanes are joined one by one: of some whole blocks and what is left, and of runs that end in a block.
    for (shape, axes) in [
        (&[1100, 260][..], &[0][..]),
        (&[70, 1030], &[0]),
        (&[11, 600], &[0]),
        (&[7, 150, 300], &[0, 1]),
        (&[2, 260, 300], &[1]),
    ] {
        let all: Vec<usize> = (0..shape.len()).collect();
        let backward: Vec<usize> = all.iter().rev().copied().collect();
        for dtype in FLOATING.into_iter().chain([DType::Int64, DType::UInt8]) {
            let x = shaped(&samples(dtype, shape.iter().product(), 7), shape);
            for (name, kernel, to) in kernels(dtype).into_iter().filter(|(.., to)| *to == dtype) {
                // Here the elements of a result lie side by side.
                let turned = relaid(&x, &backward, 1);
                let plain = bytes(&reduced(&Ctx::new().simd_at_most(Level::Baseline), kernel, &turned, axes, to));
                for level in Level::ALL {
                    let ctx = Ctx::new().simd_at_most(level);
                    for step in [1, -1, 2] {
                        let got = bytes(&reduced(&ctx, kernel, &relaid(&x, &all, step), axes, to));
                        assert_eq!(got, plain, "{name} {dtype} {shape:?} {step} {level:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn integer_extremes_are_found_at_every_place_of_rows_of_every_length() {
    for dtype in DType::ALL.into_iter().filter(|dtype| dtype.is_integer()) {
        let (min, max) = dtype.integer_range().unwrap();
        for n in (1..=40).chain([63, 64, 65, 96, 127, 128, 129, 255, 257, 300]) {
            for place in (0..n).filter(|place| n <= 40 || place % 7 == 0 || n - place < 9) {
                // All others are the smallest but one; the last ones are as large as the one looked for.
                let value = |i: usize| if i == place || i > place + 2 { max } else { min + 1 };
                let values: Vec<Scalar> = (0..n).map(|i| Scalar::Int(value(i))).collect();
                let turned: Vec<Scalar> = (0..n).map(|i| Scalar::Int(max - value(i) + min)).collect();
                let (x, y) = (array(&values, &[n], dtype), array(&turned, &[n], dtype));
                for level in Level::ALL {
                    let ctx = Ctx::new().simd_at_most(level);
                    let of = |kernel, x, to| reduced(&ctx, kernel, x, &[0], to).to_scalars().unwrap()[0];
                    let title = format!("{dtype} {n} {place} {level:?}");
                    assert_eq!(of(reduce::max as Kernel, &x, dtype), Scalar::Int(max), "{title}");
                    assert_eq!(of(reduce::min as Kernel, &y, dtype), Scalar::Int(min), "{title}");
                    let place = Scalar::Int(place as i128);
                    assert_eq!(of(reduce::argmax as Kernel, &x, DType::Int64), place, "{title}");
                    assert_eq!(of(reduce::argmin as Kernel, &y, DType::Int64), place, "{title}");
                }
            }
        }
    }
}
