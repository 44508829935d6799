//! Copies, repetitions and gathers: values for layouts that a caller may have, refusals, and that they can be stopped.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::sync::atomic::{AtomicUsize, Ordering};

use strictarray_core::{Array, Device, Element, Layout, Operand, Result, Scalar, dispatch};
use strictarray_kernels::arrange::{Counts, copy, copy_each, counts, repeat, take, take_along};
use strictarray_kernels::vecdot::vecdot;
use strictarray_kernels::{Ctx, simd::Level};
use strictarray_standard::DType;

fn array<T: Element>(values: &[T], shape: &[usize]) -> Array {
    Array::from_slice(values, shape, Device::CPU).unwrap()
}

fn empty(shape: &[usize], dtype: DType) -> Array {
    Array::zeros(shape, dtype, Device::CPU).unwrap()
}

fn view(x: &Array, layout: Layout) -> Array {
    x.with_layout(layout).unwrap()
}

fn ints(x: &Array) -> Vec<i64> {
    let value = |s| if let Scalar::Int(i) = s { i as i64 } else { unreachable!() };
    x.to_scalars().unwrap().into_iter().map(value).collect()
}

fn counting(shape: &[usize]) -> Array {
    array(&(0..shape.iter().product::<usize>() as i64).collect::<Vec<_>>(), shape)
}

#[test]
fn repeats_by_one_count_and_by_many() {
    let x = counting(&[2, 3, 2]);
    for axis in 0..3 {
        for count in [0, 1, 2, 5, 40] {
            let mut shape = [2, 3, 2];
            let each = vec![count; shape[axis]];
            shape[axis] *= count;
            let (same, many) = (empty(&shape, DType::Int64), empty(&shape, DType::Int64));
            repeat(&Ctx::new(), &same.operand(), &x.operand(), axis, Counts::Same(count)).unwrap();
            repeat(&Ctx::new(), &many.operand(), &x.operand(), axis, Counts::Each(&each)).unwrap();
            assert_eq!(ints(&same), ints(&many));
            let inner: usize = [2, 3, 2][axis + 1..].iter().product();
            let n = [2, 3, 2][axis];
            let expected: Vec<i64> = (0..12 / (n * inner))
                .flat_map(|o| (0..n).flat_map(move |i| (0..count).map(move |_| (o, i))))
                .flat_map(|(o, i)| (0..inner).map(move |k| ((o * n + i) * inner + k) as i64))
                .collect();
            assert_eq!(ints(&same), expected, "axis {axis}, {count} times");
        }
    }
}

#[test]
fn repeats_of_every_size_of_elements() {
    for dtype in DType::ALL {
        for inner in [1, 2, 3, 4, 33] {
            let n = 2500;
            let x = empty(&[n, inner], dtype);
            let bytes = n * inner * dtype.size();
            // SAFETY: the array has as many bytes, ours alone.
            unsafe { std::slice::from_raw_parts_mut(x.ptr(), bytes) }
                .iter_mut()
                .enumerate()
                .for_each(|(i, b)| *b = (i * 7 / 3) as u8);
            let various: Vec<usize> = (0..n).map(|i| if i == 77 { 3000 } else { i % 7 }).collect();
            for same in 0..6 {
                let each = if same == 0 { various.clone() } else { vec![same; n] };
                let counts = if same == 0 { Counts::Each(&each) } else { Counts::Same(same) };
                let out = empty(&[each.iter().sum(), inner], dtype);
                repeat(&Ctx::new(), &out.operand(), &x.operand(), 0, counts).unwrap();
                let row = inner * dtype.size();
                // SAFETY: as above, read only.
                let (from, to) = unsafe {
                    (
                        std::slice::from_raw_parts(x.ptr(), bytes),
                        std::slice::from_raw_parts(out.ptr(), out.size() * dtype.size()),
                    )
                };
                let mut at = 0;
                for (i, &count) in each.iter().enumerate() {
                    for _ in 0..count {
                        assert!(to[at..at + row] == from[i * row..(i + 1) * row], "{dtype} {inner} {i}");
                        at += row;
                    }
                }
                assert_eq!(at, to.len());
            }
        }
    }
}

#[test]
fn repeats_of_chunks_that_no_cache_holds() {
    let n = (1 << 20) + 77;
    let values: Vec<u8> = (0..2 * n).map(|i| (i * 7 / 3) as u8).collect();
    let x = array(&values, &[2, n]);
    for each in [[3, 0], [1, 5], [9, 1]] {
        let total: usize = each.iter().sum();
        let out = empty(&[total, n], DType::UInt8);
        repeat(&Ctx::new(), &out.operand(), &x.operand(), 0, Counts::Each(&each)).unwrap();
        // SAFETY: the array has as many bytes, read only from now on.
        let got = unsafe { std::slice::from_raw_parts(out.ptr(), total * n) };
        for (k, row) in got.chunks(n).enumerate() {
            let first = if k < each[0] { 0 } else { n };
            assert!(row == &values[first..first + n], "{each:?} {k}");
        }
    }
}

#[test]
fn counts_are_read_from_any_integers_and_not_negative() {
    assert_eq!(counts(&array(&[3u8, 0, 255], &[3]).operand()).unwrap(), [3, 0, 255]);
    let x = array(&[1i64, 9, 2, 9, 3], &[5]);
    let every_second = view(&x, Layout::new([3].into_iter().collect(), [16].into_iter().collect(), 0));
    assert_eq!(counts(&every_second.operand()).unwrap(), [1, 2, 3]);
    assert_eq!(counts(&array(&[1i8, -1], &[2]).operand()).unwrap_err().rule().id, "repetitions");
    assert_eq!(counts(&array(&[1.0f64], &[1]).operand()).unwrap_err().rule().id, "internal");
}

#[test]
fn takes_along_the_first_axis_from_any_layout() {
    let x = counting(&[3, 4, 5]);
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1]] {
        for flips in [&[][..], &[0], &[1, 2], &[0, 1, 2]] {
            let x = view(&x, x.layout().permuted(&order).flipped(flips));
            let indices = array(&[2i8, -1, 0, 0, -3, 1], &[6]);
            let [_, a, b] = *x.shape() else { unreachable!() };
            let out = empty(&[6, a, b], DType::Int64);
            take(&Ctx::new(), &out.operand(), &x.operand(), &indices.operand(), 0).unwrap();
            let n = x.shape()[0];
            let flat = ints(&x);
            let expected: Vec<i64> =
                [2, n - 1, 0, 0, n - 3, 1].iter().flat_map(|i| flat[i * a * b..(i + 1) * a * b].to_vec()).collect();
            assert_eq!(ints(&out), expected, "{order:?} {flips:?}");
        }
    }
}

#[test]
fn positions_outside_are_refused_for_every_type_of_index() {
    let (x, out) = (counting(&[5]), empty(&[1], DType::Int64));
    let (wide, along) = (counting(&[5, 1]), empty(&[1, 1], DType::Int64));
    for dtype in DType::ALL.into_iter().filter(|d| d.is_integer()) {
        let (low, high) = dtype.integer_range().unwrap();
        for index in [low, high, 5, 4, 0, -1, -5, -6].into_iter().filter(|i| (low..=high).contains(i)) {
            let element = Scalar::Int(index).to_element(dtype).unwrap();
            let at = Array::full(&[1], element, dtype, Device::CPU).unwrap();
            for level in Level::ALL {
                let ctx = Ctx::new().simd_at_most(level);
                let taken = take(&ctx, &out.operand(), &x.operand(), &at.operand(), 7);
                let column = view(&at, at.layout().expanded(&[1]).unwrap());
                let picked = take_along(&ctx, &along.operand(), &wide.operand(), &column.operand(), 0);
                if (-5..5).contains(&index) {
                    taken.unwrap();
                    picked.unwrap();
                    assert_eq!((ints(&out), ints(&along)), (vec![(index as i64).rem_euclid(5)], ints(&out)));
                } else {
                    for refused in [taken, picked] {
                        assert_eq!(refused.unwrap_err().rule().id, "index-bounds", "{index} of {dtype}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let (x, out, floats) = (counting(&[4]), empty(&[4], DType::Int64), empty(&[4], DType::Float64));
    let indices = array(&[0i64], &[1]);
    let ctx = Ctx::new();
    let results: [Result<()>; 9] = [
        copy(&ctx, &out.operand(), &counting(&[3]).operand()),
        take(&ctx, &out.operand(), &x.operand(), &indices.operand(), 0),
        take(&ctx, &floats.operand(), &x.operand(), &x.operand(), 0),
        take(&ctx, &out.operand(), &x.operand(), &floats.operand(), 0),
        take_along(&ctx, &out.operand(), &x.operand(), &x.operand(), 1),
        take_along(&ctx, &floats.operand(), &x.operand(), &x.operand(), 0),
        repeat(&ctx, &out.operand(), &x.operand(), 0, Counts::Same(2)),
        repeat(&ctx, &out.operand(), &x.operand(), 0, Counts::Each(&[1, 1, 2])),
        repeat(&ctx, &out.operand(), &x.operand(), 1, Counts::Same(1)),
    ];
    for result in results {
        assert_eq!(result.unwrap_err().rule().id, "internal");
    }
    let dots: [Result<()>; 3] = [
        vecdot(&ctx, &out.operand(), &x.operand(), &x.operand()),
        vecdot(&ctx, &empty(&[], DType::Int32).operand(), &x.operand(), &x.operand()),
        vecdot(&ctx, &empty(&[], DType::Int64).operand(), &x.operand(), &counting(&[3]).operand()),
    ];
    for result in dots {
        assert_eq!(result.unwrap_err().rule().id, "internal");
    }
}

#[test]
fn long_ones_can_be_stopped() {
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 1;
    let n = 1 << 22;
    let (x, out) = (empty(&[n], DType::Float64), empty(&[n], DType::Float64));
    let every =
        view(&empty(&[2 * n], DType::Float64), Layout::new([n].into_iter().collect(), [16].into_iter().collect(), 0));
    let point = empty(&[], DType::Float64);
    let few = empty(&[4], DType::Float64);
    let positions = empty(&[n], DType::Int32);
    let run = |what: &str, kernel: &dyn Fn(&Ctx<'_>) -> Result<()>| {
        asked.store(0, Ordering::Relaxed);
        let error = kernel(&Ctx::new().cancelled_by(&stop)).unwrap_err();
        assert_eq!((error.rule().id, asked.load(Ordering::Relaxed)), ("interrupted", 2), "{what}");
    };
    let op = Array::operand;
    run("copy", &|ctx| copy(ctx, &op(&out), &op(&x)));
    run("strided copy", &|ctx| copy(ctx, &op(&out), &op(&every)));
    run("repeat", &|ctx| repeat(ctx, &op(&out), &op(&few), 0, Counts::Same(n / 4)));
    run("take", &|ctx| take(ctx, &op(&out), &op(&few), &op(&positions), 0));
    run("take_along", &|ctx| take_along(ctx, &op(&out), &op(&few), &op(&positions), 0));
    run("vecdot", &|ctx| vecdot(ctx, &op(&point), &op(&x), &op(&out)));
}

/// A product in any order, exactly.
fn sums<T: Element + Copy>(x: &Array) -> Vec<u8> {
    let bytes = x.size() * size_of::<T>();
    // SAFETY: a contiguous array of as many bytes.
    unsafe { std::slice::from_raw_parts(x.ptr(), bytes) }.to_vec()
}

#[test]
fn dot_products_have_the_same_bits_on_every_level_and_layout() {
    for dtype in DType::ALL.into_iter().filter(|d| *d != DType::Bool) {
        for k in [0, 1, 5, 16, 17, 31, 100, 4096, 4097, 9000] {
            let rows = 3;
            let size = rows * k;
            let fill = |shift: usize| {
                let x = empty(&[rows, k], dtype);
                for i in 0..size {
                    let value = ((i * 37 + shift) % 101) as f64 / 7.0 - 7.0;
                    let scalar =
                        if dtype.is_integer() { Scalar::Int(value.abs() as i128) } else { Scalar::Float(value) };
                    let element = scalar.to_element(dtype).unwrap();
                    // SAFETY: element i of an array in C order, of the size of its data type.
                    unsafe {
                        std::ptr::copy_nonoverlapping(element.0.as_ptr(), x.ptr().add(i * dtype.size()), dtype.size());
                    }
                }
                x
            };
            let (a, b) = (fill(1), fill(50));
            let dot = |ctx: &Ctx<'_>, a: &Operand<'_>, b: &Operand<'_>| {
                let out = empty(&[rows], dtype);
                vecdot(ctx, &out.operand(), a, b).unwrap();
                dispatch!(NUMERIC, dtype, T => sums::<T>(&out)).unwrap()
            };
            let first = dot(&Ctx::new(), &a.operand(), &b.operand());
            for level in Level::ALL {
                let ctx = Ctx::new().simd_at_most(level);
                assert_eq!(dot(&ctx, &a.operand(), &b.operand()), first, "{dtype} {k} {level:?}");
                // The same values in Fortran order.
                let turned = |x: &Array| {
                    let copy = view(x, x.layout().reversed()).to_owned_copy().unwrap();
                    view(&copy, copy.layout().reversed())
                };
                assert_eq!(dot(&ctx, &turned(&a).operand(), &b.operand()), first, "{dtype} {k} {level:?}");
            }
        }
    }
}

#[test]
fn copies_that_lie_between_one_another_are_those_of_each() {
    for dtype in [DType::UInt8, DType::Int16, DType::Float64, DType::Complex128] {
        // Of one part, of some and a rest, of lines that are longer than a part; and what shares no cache line.
        for shape in [&[7][..], &[40_001], &[3, 9_001], &[2, 300, 5], &[0, 4], &[]] {
            for count in [1, 2, 3, 4, 9, 70] {
                let size: usize = shape.iter().product();
                let numbers = counting(&[count, size]);
                let cast = empty(&[count, size], dtype);
                copy(&Ctx::new(), &cast.operand(), &numbers.operand()).unwrap();
                // What has no elements begins where its memory does.
                let offset = |elements: usize| if size == 0 { 0 } else { elements * dtype.size() };
                let x = |k: usize| {
                    let layout = Layout::c_order(shape, dtype.size()).unwrap();
                    let strides = layout.strides().into();
                    view(&cast, Layout::new(shape.into(), strides, offset(k * size)))
                };
                let mut joined = shape.to_vec();
                joined.push(count);
                let out = empty(&joined, dtype);
                let to = |k: usize| {
                    let strides = out.layout().strides()[..shape.len()].into();
                    view(&out, Layout::new(shape.into(), strides, offset(k)))
                };
                let pairs: Vec<(Array, Array)> = (0..count).map(|k| (to(k), x(k))).collect();
                let operands: Vec<_> = pairs.iter().map(|(to, x)| (to.operand(), x.operand())).collect();
                copy_each(&Ctx::new(), &operands).unwrap();
                for (to, x) in &pairs {
                    assert_eq!(to.to_scalars().unwrap(), x.to_scalars().unwrap(), "{dtype} {shape:?} {count}");
                }
            }
        }
    }
}

#[test]
fn two_that_alternate_come_from_any_layout() {
    let shape = [300, 70];
    let plain = counting(&shape);
    let columns = counting(&[70, 300]);
    let turned = view(&columns, columns.layout().reversed());
    for (x, y) in [(&plain, &turned), (&turned, &plain), (&turned, &turned)] {
        let out = empty(&[300, 70, 2], DType::Int64);
        let to = |k: usize| view(&out, Layout::new(shape[..].into(), [70 * 16, 16][..].into(), 8 * k));
        let (first, second) = (to(0), to(1));
        copy_each(&Ctx::new(), &[(first.operand(), x.operand()), (second.operand(), y.operand())]).unwrap();
        assert_eq!((ints(&first), ints(&second)), (ints(x), ints(y)));
    }
}

#[test]
fn copies_between_one_another_can_be_stopped() {
    let n = 3 << 18;
    let (x, out) = (empty(&[n], DType::Int64), empty(&[n, 2], DType::Int64));
    let to = |k: usize| view(&out, Layout::new([n][..].into(), [16][..].into(), 8 * k));
    let (first, second) = (to(0), to(1));
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) == 2;
    let ctx = Ctx::new().cancelled_by(&stop);
    let pairs = [(first.operand(), x.operand()), (second.operand(), x.operand())];
    assert_eq!(copy_each(&ctx, &pairs).unwrap_err().rule().id, "interrupted");
    assert_eq!(asked.load(Ordering::Relaxed), 3);
}

#[test]
fn parts_of_operands_lie_inside_them() {
    let x = counting(&[5, 3]);
    let x = x.operand();
    let part = x.part(2, &[3, 3]).unwrap();
    assert_eq!((part.shape(), part.ptr()), (&[3, 3][..], x.at(2).ptr()));
    assert!(x.part(5, &[0, 3]).is_some());
    for (start, shape) in [(3, &[3, 3][..]), (0, &[6, 3]), (0, &[2, 2]), (0, &[2]), (0, &[]), (usize::MAX, &[2, 3])] {
        assert!(x.part(start, shape).is_none(), "{start} {shape:?}");
    }
    assert!(counting(&[]).operand().part(0, &[]).is_none());
}

/// A thread writes indices, all inside or all outside, while others are looked up: what is given is of x, or refused.
#[test]
fn indices_that_another_thread_writes_stay_inside() {
    // Behind the elements of x there are others, so that a fault shows and reads nothing else.
    let all: Vec<i8> = (0..200).map(|i| i8::from(i < 100)).collect();
    let all = Array::from_slice(&all, &[200], Device::CPU).unwrap();
    let x = all.operand().part(0, &[100]).unwrap();
    let indices = Array::zeros(&[1024], DType::Int8, Device::CPU).unwrap();
    let place = std::sync::atomic::AtomicPtr::new(indices.ptr());
    let stop = std::sync::atomic::AtomicBool::new(false);
    let relaxed = Ordering::Relaxed;
    let (mut given, mut refused, mut faults) = (0, 0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut index = 0;
            while !stop.load(relaxed) {
                index = 127 - index;
                for i in 0..1024 {
                    // SAFETY: an element of the indices, which are there until the thread has ended.
                    unsafe { place.load(relaxed).add(i).write_volatile(index) };
                }
            }
        });
        let out = Array::zeros(&[1024], DType::Int8, Device::CPU).unwrap();
        let start = std::time::Instant::now();
        while start.elapsed().as_millis() < 500 {
            match take(&Ctx::new(), &out.operand(), &x, &indices.operand(), 0) {
                Ok(()) => {
                    given += 1;
                    // SAFETY: so many elements, which nobody else writes.
                    let got = unsafe { std::slice::from_raw_parts(out.ptr().cast::<i8>(), 1024) };
                    faults += usize::from(got.iter().any(|value| *value != 1));
                }
                Err(error) => {
                    refused += 1;
                    faults += usize::from(error.rule().id != "index-bounds");
                }
            }
        }
        stop.store(true, relaxed);
    });
    assert!(given > 0 && refused > 0 && faults == 0, "{given} {refused} {faults}");
}
