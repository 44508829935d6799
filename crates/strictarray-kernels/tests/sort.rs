//! Sorts and sets: every length up to some hundred, patterns that mislead a choice of pivots, NaNs and zeros of all kinds, each
//! instruction set, layouts.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail a test")]

mod common;

use std::cmp::Ordering;

use common::{LAYOUTS, bytes, laid_out};
use strictarray_core::{Array, DType, Device, Element};
use strictarray_kernels::set::{Unique, Wanted};
use strictarray_kernels::{Ctx, simd::Level, sort};

/// An element with an order in which no two are equal unless the standard says so.
trait Real: Element + PartialOrd {
    fn of(bits: u64) -> Self;
    fn order(self, other: Self) -> Ordering {
        // What has no order is NaN: after all others.
        self.partial_cmp(&other).unwrap_or_else(|| self.nan().cmp(&other.nan()))
    }
    #[allow(clippy::eq_op, reason = "what tells NaNs")]
    fn nan(self) -> bool {
        self != self
    }
}

macro_rules! integers {
    ($($ty:ty)*) => { $(
        impl Real for $ty {
            fn of(bits: u64) -> $ty {
                bits as $ty
            }
        }
    )* };
}
integers!(i8 i16 i32 i64 u8 u16 u32 u64);

impl Real for f32 {
    fn of(bits: u64) -> f32 {
        bits as i64 as f32
    }
}

impl Real for f64 {
    fn of(bits: u64) -> f64 {
        bits as i64 as f64
    }
}

fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
}

fn array<T: Real>(values: &[T]) -> Array {
    Array::from_slice(values, &[values.len()], Device::CPU).unwrap()
}

fn sorted<T: Real>(values: &[T], descending: bool) -> Vec<T> {
    let mut expected = values.to_vec();
    expected.sort_by(|&a, &b| if descending { b.order(a) } else { a.order(b) });
    expected
}

/// In each order, with each instruction set: elements, their places, what is different among them, how often it occurs.
fn check<T: Real>(values: &[T], what: &str) {
    let x = array(values);
    let n = values.len();
    let ascending = sorted(values, false);
    let mut different: Vec<T> = Vec::new();
    let mut counts: Vec<i64> = Vec::new();
    for &value in &ascending {
        if different.last().is_some_and(|&last| last == value) {
            *counts.last_mut().unwrap() += 1;
        } else {
            different.push(value);
            counts.push(1);
        }
    }
    let (different, counts) =
        (bytes(&array(&different)), bytes(&Array::from_slice(&counts, &[counts.len()], Device::CPU).unwrap()));
    for level in Level::ALL {
        let ctx = Ctx::new().simd_at_most(level);
        let what = format!("{} {what}: {n}, {level:?}", T::DTYPE);
        for (descending, expected) in [(false, &ascending), (true, &sorted(values, true))] {
            let out = Array::zeros(&[n], T::DTYPE, Device::CPU).unwrap();
            sort::sort(&ctx, &out.operand(), &x.operand(), 0, descending).unwrap();
            assert!(bytes(&out) == bytes(&array(expected)), "{what}, descending: {descending}");
        }
        for wanted in [Wanted::default(), Wanted { places: false, counts: true }, Wanted { places: true, counts: true }]
        {
            let mut found = Unique::new(&ctx, &x, wanted).unwrap();
            let out = Array::zeros(&[found.len()], T::DTYPE, Device::CPU).unwrap();
            found.values(&out.operand()).unwrap();
            assert!(bytes(&out) == different, "{what}, {wanted:?}");
            if wanted.counts {
                let out = Array::zeros(&[found.len()], DType::Int64, Device::CPU).unwrap();
                found.counts(&ctx, &out.operand()).unwrap();
                assert!(bytes(&out) == counts, "{what}, {wanted:?}");
            }
            if wanted.places {
                let out = Array::zeros(&[n], DType::Int64, Device::CPU).unwrap();
                found.inverse(&ctx, &out.operand()).unwrap();
                let first = Array::zeros(&[found.len()], DType::Int64, Device::CPU).unwrap();
                found.first(&ctx, &first.operand()).unwrap();
                let (inverse, first) = (bytes(&out), bytes(&first));
                let at = |bytes: &[u8], i: usize| i64::from_ne_bytes(bytes[8 * i..8 * i + 8].try_into().unwrap());
                for (i, &value) in values.iter().enumerate() {
                    let which = at(&inverse, i) as usize;
                    let place = at(&first, which) as usize;
                    assert!(place <= i && (values[place] == value || place == i && value.nan()), "{what}, {i}");
                }
            }
        }
    }
}

fn every_length<T: Real>() {
    let mut next = random(T::DTYPE.size() as u64);
    for n in 0..=600 {
        let values: Vec<T> = (0..n).map(|_| T::of(next())).collect();
        check(&values, "random");
        let values: Vec<T> = (0..n).map(|_| T::of(next() % 5)).collect();
        check(&values, "of five values");
        if n % 3 == 0 {
            let values: Vec<T> = (0..n).map(|_| T::of((next() as i64 >> (next() % 64)) as u64)).collect();
            check(&values, "of every size");
        }
    }
}

#[test]
fn every_length_of_floats() {
    every_length::<f32>();
    every_length::<f64>();
}

#[test]
fn every_length_of_wide_integers() {
    every_length::<i32>();
    every_length::<i64>();
    every_length::<u32>();
    every_length::<u64>();
}

#[test]
fn every_length_of_narrow_integers() {
    every_length::<i8>();
    every_length::<i16>();
    every_length::<u8>();
    every_length::<u16>();
}

fn patterns<T: Real>() {
    for n in [1000u64, 4096, 30_000] {
        let mut next = random(n);
        let wide = 1 << (T::DTYPE.size() * 8 - 20).min(40);
        let go = |what: &str, value: &mut dyn FnMut(u64) -> u64| {
            let values: Vec<T> = (0..n).map(|i| T::of(value(i))).collect();
            check(&values, what);
        };
        go("ascending", &mut |i| i * wide);
        go("descending", &mut |i| (n - i) * wide);
        go("descending in pairs", &mut |i| (n - i) / 2 * wide);
        go("ascending, the last one least", &mut |i| (i + 1) % n * wide);
        go("descending, the last one greatest", &mut |i| {
            (n - 1 - i) * wide + if i == n - 1 { 2 * n * wide } else { 0 }
        });
        go("one value", &mut |_| 7 * wide);
        go("one value and the last one less", &mut |i| if i == n - 1 { 0 } else { wide });
        go("an organ pipe", &mut |i| i.min(n - i) * wide);
        go("a valley", &mut |i| i.max(n - i) * wide);
        for period in [2, 3, 16, 64, 100, 256] {
            go("a saw", &mut |i| i % period * wide);
            go("steps", &mut |i| i / period * wide);
        }
        go("two orders in turn", &mut |i| if i % 2 == 0 { i } else { 2 * n - i } * wide);
        go("random", &mut |_| next());
        let mut next = random(n);
        for values in [2, 3, 10, 1000] {
            go("few values", &mut |_| next() % values * wide);
        }
    }
}

#[test]
fn patterns_of_floats() {
    patterns::<f32>();
    patterns::<f64>();
}

#[test]
fn patterns_of_integers() {
    patterns::<i32>();
    patterns::<i64>();
    patterns::<u32>();
    patterns::<u64>();
}

#[test]
fn nans_zeros_and_infinities() {
    let nans = |bits: u64| {
        let sign = bits << 63;
        f64::from_bits(0x7FF0_0000_0000_0000 | sign | 1 << (bits % 52) | (bits >> 20 & 1) << 51)
    };
    let nans32 = |bits: u64| f32::from_bits(0x7F80_0000 | (bits as u32) << 31 | 1 << (bits % 23));
    let mut next = random(3);
    for n in (0..300).chain([1000, 5000, 70_000]) {
        for special in [2, 4, 40] {
            let bits: Vec<[u64; 2]> = (0..n).map(|_| [next(), next()]).collect();
            let double = |&[bits, kind]: &[u64; 2]| match kind % special {
                0 => [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324, nans(bits), nans(bits)]
                    [(kind >> 8) as usize % 8],
                _ => f64::of(bits) / 1e18,
            };
            let single = |&[bits, kind]: &[u64; 2]| match kind % special {
                0 => [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e-45, nans32(bits), nans32(bits)]
                    [(kind >> 8) as usize % 8],
                _ => f32::of(bits) / 1e18,
            };
            let doubles: Vec<f64> = bits.iter().map(double).collect();
            let singles: Vec<f32> = bits.iter().map(single).collect();
            check(&doubles, "special values");
            check(&singles, "special values");
            // Zeros only, NaNs only, and some that are sorted but for these.
            let zeros: Vec<f64> = bits.iter().map(|b| if b[0] % 2 == 0 { 0.0 } else { -0.0 }).collect();
            check(&zeros, "zeros");
            check(&bits.iter().map(|b| nans(b[0])).collect::<Vec<_>>(), "NaNs");
            check(&sorted(&doubles, false), "sorted special values");
            check(&sorted(&singles, true), "special values from the greatest");
        }
    }
}

#[test]
fn many_elements() {
    let mut next = random(9);
    let bits: Vec<u64> = (0..(1 << 18) + 1000).map(|_| next()).collect();
    check(&bits.iter().map(|&b| f64::of(b)).collect::<Vec<_>>(), "many");
    check(&bits.iter().map(|&b| f32::of(b)).collect::<Vec<_>>(), "many");
    check(&bits.iter().map(|&b| i64::of(b)).collect::<Vec<_>>(), "many");
    check(&bits.iter().map(|&b| u32::of(b % 1_000_000)).collect::<Vec<_>>(), "many");
    check(&bits.iter().map(|&b| i8::of(b)).collect::<Vec<_>>(), "many");
}

fn layouts<T: Real>(value: impl Fn(u64) -> T) {
    let mut next = random(4);
    for n in [1, 5, 100, 3000] {
        let values: Vec<T> = (0..n).map(|_| value(next())).collect();
        for values in [values.clone(), sorted(&values, false), sorted(&values, true)] {
            let x = array(&values);
            for from in LAYOUTS {
                for to in LAYOUTS {
                    for descending in [false, true] {
                        let out = laid_out(&x, to);
                        let x = laid_out(&x, from);
                        sort::sort(&Ctx::new(), &out.operand(), &x.operand(), 0, descending).unwrap();
                        let expected = bytes(&array(&sorted(&values, descending)));
                        assert!(bytes(&out) == expected, "{} {n}: {from} to {to}, {descending}", T::DTYPE);
                    }
                }
            }
        }
    }
}

#[test]
fn every_layout() {
    layouts(|bits| match bits % 5 {
        0 => -0.0,
        1 => 0.0,
        2 => f64::from_bits(0x7FF8_0000_0000_0000 | bits >> 32),
        _ => f64::of(bits),
    });
    layouts(f32::of);
    layouts(i64::of);
    layouts(u32::of);
    layouts(i8::of);
}

#[test]
fn a_long_sort_can_be_stopped() {
    let mut next = random(1);
    let x = array(&(0..100_000).map(|_| f64::of(next())).collect::<Vec<_>>());
    let out = Array::zeros(&[100_000], DType::Float64, Device::CPU).unwrap();
    let stop = || true;
    for level in Level::ALL {
        let ctx = Ctx::new().simd_at_most(level).cancelled_by(&stop);
        let stopped = sort::sort(&ctx, &out.operand(), &x.operand(), 0, false);
        assert_eq!(stopped.unwrap_err().rule().id, "interrupted");
    }
}
