//! Fourier transforms against sums of their definition in twice the precision.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed unwrap is a failed test")]

mod common;

use std::f64::consts::TAU;

use strictarray_core::{Array, Complex, DType, Device, Layout, Scalar};
use strictarray_kernels::Ctx;
use strictarray_kernels::fft::{self, Direction};

type C = Complex<f64>;

// ---- numbers of twice the precision ----------------------------------------------------------------------------

/// An unevaluated sum of two floats, the second below half a unit of the first's last place.
#[derive(Clone, Copy)]
struct Double(f64, f64);

impl Double {
    fn sum(a: f64, b: f64) -> Double {
        let s = a + b;
        let t = s - a;
        Double(s, (a - (s - t)) + (b - t))
    }

    fn product(a: f64, b: f64) -> Double {
        let p = a * b;
        Double(p, a.mul_add(b, -p))
    }

    fn add(self, other: Double) -> Double {
        let Double(s, e) = Double::sum(self.0, other.0);
        let Double(s, e) = Double::sum(s, e + self.1 + other.1);
        Double(s, e)
    }

    fn mul(self, other: Double) -> Double {
        let Double(p, e) = Double::product(self.0, other.0);
        let Double(p, e) = Double::sum(p, e + (self.0 * other.1 + self.1 * other.0));
        Double(p, e)
    }

    fn times(self, x: f64) -> Double {
        self.mul(Double(x, 0.0))
    }

    fn neg(self) -> Double {
        Double(-self.0, -self.1)
    }

    /// The quotient of two integers below 2^53.
    fn quotient(a: f64, b: f64) -> Double {
        let q = a / b;
        Double(q, (-q).mul_add(b, a) / b)
    }
}

/// cos and sin of 2π·k/n, for k below n.
fn unit(k: usize, n: usize) -> [Double; 2] {
    // To an eighth of the circle, exactly: 8k = octant·n + rest.
    let (octant, rest) = (8 * k / n, 8 * k % n);
    let (octant, rest) = if octant % 2 == 1 { (octant + 1, n - rest) } else { (octant, rest) };
    let mirrored = 8 * k / n % 2 == 1;
    const TAU_LOW: f64 = 2.449_293_598_294_706_4e-16;
    let angle = Double::quotient(rest as f64, 8.0 * n as f64).mul(Double(TAU, TAU_LOW));
    let square = angle.mul(angle).neg();
    let (mut cos, mut sin) = (Double(1.0, 0.0), angle);
    let (mut even, mut odd) = (cos, sin);
    for i in 1..14 {
        let i = 2.0 * f64::from(i);
        even = even.mul(square).mul(Double::quotient(1.0, i * (i - 1.0)));
        odd = odd.mul(square).mul(Double::quotient(1.0, i * (i + 1.0)));
        (cos, sin) = (cos.add(even), sin.add(odd));
    }
    let sin = if mirrored { sin.neg() } else { sin };
    match octant / 2 % 4 {
        0 => [cos, sin],
        1 => [sin.neg(), cos],
        2 => [cos.neg(), sin.neg()],
        _ => [sin, cos.neg()],
    }
}

/// The sum of the definition at one place.
fn direct(x: &[C], k: usize, sign: f64, unit: &dyn Fn(usize) -> [Double; 2]) -> C {
    let (mut re, mut im) = (Double(0.0, 0.0), Double(0.0, 0.0));
    let mut at = 0;
    for z in x {
        let [cos, sin] = unit(at);
        let sin = sin.times(sign);
        re = re.add(cos.times(z.re)).add(sin.times(-z.im));
        im = im.add(cos.times(z.im)).add(sin.times(z.re));
        at = (at + k) % x.len();
    }
    C::new(re.0 + re.1, im.0 + im.1)
}

/// The transform at these places, or its inverse times n.
fn transform_at(x: &[C], places: &[usize], sign: f64) -> Vec<C> {
    let n = x.len();
    if n <= 1 << 15 {
        let table: Vec<_> = (0..n).map(|k| unit(k, n)).collect();
        return places.iter().map(|&k| direct(x, k, sign, &|at| table[at])).collect();
    }
    // A product of two for each: the table would take longer than the sums.
    assert_eq!(n % 1024, 0);
    let coarse: Vec<_> = (0..n / 1024).map(|k| unit(1024 * k, n)).collect();
    let fine: Vec<_> = (0..1024).map(|k| unit(k, n)).collect();
    let of = |at: usize| {
        let ([a, b], [c, d]) = (coarse[at / 1024], fine[at % 1024]);
        [a.mul(c).add(b.mul(d).neg()), a.mul(d).add(b.mul(c))]
    };
    places.iter().map(|&k| direct(x, k, sign, &of)).collect()
}

#[test]
fn the_oracle_is_right() {
    for n in [1, 2, 3, 4, 5, 7, 8, 24, 100, 20_011] {
        for k in 0..n.min(300) {
            let ([cos, sin], angle) = (unit(k, n), TAU * k as f64 / n as f64);
            assert!((cos.0 - angle.cos()).abs() < 1e-15 && (sin.0 - angle.sin()).abs() < 1e-15, "{k}/{n}");
            let Double(one, rest) = cos.mul(cos).add(sin.mul(sin));
            assert!((one - 1.0 + rest).abs() < 1e-30, "{k}/{n}: {one} {rest:e}");
        }
    }
    // cos(2π/5) = (√5 - 1)/4, to 32 digits.
    let Double(high, low) = unit(1, 5)[0];
    assert_eq!(high, 0.309_016_994_374_947_45);
    assert!((low + 2.716_057_601_841_252_9e-17).abs() < 1e-31, "{low:e}");
}

// ---- arrays ----------------------------------------------------------------------------------------------------

/// Numbers between -1 and 1 that a float of 32 bits holds.
fn numbers(n: usize, seed: u64) -> Vec<C> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        f64::from((state >> 40) as i32 - (1 << 23)) / f64::from(1 << 23)
    };
    (0..n).map(|_| C::new(next(), next())).collect()
}

fn array(values: &[C], dtype: DType) -> Array {
    let scalars: Vec<Scalar> =
        values.iter().map(|z| if dtype.is_complex() { Scalar::Complex(*z) } else { Scalar::Float(z.re) }).collect();
    common::array(&scalars, &[values.len()], dtype)
}

fn values(x: &Array) -> Vec<C> {
    x.to_scalars().unwrap().into_iter().map(C::from).collect()
}

const PRECISIONS: [(DType, f64); 2] = [(DType::Complex64, f32::EPSILON as f64), (DType::Complex128, f64::EPSILON)];

fn complex(x: &[C], n: usize, direction: Direction, scale: f64, dtype: DType) -> Vec<C> {
    let out = Array::uninit(&[n], dtype, Device::CPU).unwrap();
    fft::complex(&Ctx::new(), &out.operand(), &array(x, dtype).operand(), 0, direction, scale).unwrap();
    values(&out)
}

fn real_to_half(x: &[C], n: usize, conjugate: bool, scale: f64, dtype: DType) -> Vec<C> {
    let out = Array::uninit(&[n / 2 + 1], dtype, Device::CPU).unwrap();
    let x = array(x, dtype.to_real());
    fft::real_to_half(&Ctx::new(), &out.operand(), &x.operand(), 0, n, conjugate, scale).unwrap();
    values(&out)
}

fn half_to_real(x: &[C], n: usize, conjugate: bool, scale: f64, dtype: DType) -> Vec<C> {
    let out = Array::uninit(&[n], dtype.to_real(), Device::CPU).unwrap();
    fft::half_to_real(&Ctx::new(), &out.operand(), &array(x, dtype).operand(), 0, conjugate, scale).unwrap();
    values(&out)
}

fn norm(x: &[C]) -> f64 {
    let add = |sum: Double, part: f64| sum.add(Double::product(part, part));
    x.iter().fold(Double(0.0, 0.0), |sum, z| add(add(sum, z.re), z.im)).0.sqrt()
}

/// What the error of each element may be, in units of the precision times the size of the input. It grows with the logarithm
/// of the length; those with a large prime factor have transforms of other lengths inside.
fn limit(n: usize) -> f64 {
    let factor = if n.is_power_of_two() { 0.75 } else { 2.0 };
    factor * ((n as f64).log2() + 2.0)
}

/// Asserts that elements are near those wanted, in units of the precision and of the elements' expected size.
fn assert_near(got: &[C], want: &[C], size: f64, eps: f64, n: usize, what: &str) {
    assert_eq!(got.len(), want.len());
    let worst = got.iter().zip(want).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(worst <= limit(n) * eps * size, "{what} of {n}: {} above {}", worst / (eps * size), limit(n));
}

/// Lengths with large prime factors.
const PRIMES: [usize; 12] = [131, 257, 509, 1009, 1021, 2053, 4099, 8191, 10_007, 16_411, 19_997, 20_011];

/// All places, or some of many.
fn places(n: usize) -> Vec<usize> {
    if n <= 128 { (0..n).collect() } else { (0..n).step_by(n / 5).chain([1, n / 2, n - 1]).collect() }
}

fn pick(x: &[C], places: &[usize]) -> Vec<C> {
    places.iter().map(|&k| x[k]).collect()
}

#[test]
fn complex_transforms_are_those_of_the_definition() {
    for n in (1..=128).chain(PRIMES) {
        let x = numbers(n, n as u64);
        for (direction, sign) in [(Direction::Forward, -1.0), (Direction::Inverse, 1.0)] {
            let want = transform_at(&x, &places(n), sign);
            for (dtype, eps) in PRECISIONS {
                let got = complex(&x, n, direction, 1.0, dtype);
                assert_near(&pick(&got, &places(n)), &want, norm(&x), eps, n, &format!("{direction:?} {dtype}"));
                let scaled = complex(&x, n, direction, 0.5, dtype);
                assert!(scaled.iter().zip(&got).all(|(a, b)| *a == b * 0.5));
            }
        }
    }
}

#[test]
fn real_transforms_are_those_of_the_definition() {
    for n in (1..=128).chain(PRIMES) {
        let x: Vec<C> = numbers(n, n as u64).into_iter().map(|z| C::new(z.re, 0.0)).collect();
        let half: Vec<usize> = places(n).into_iter().filter(|k| *k <= n / 2).collect();
        let want = transform_at(&x, &half, -1.0);
        // A half of its own, of which parts are not to be looked at; what it is the half of, and of what that comes.
        let mut given = numbers(n / 2 + 1, n as u64 + 1);
        let mut whole = vec![C::new(0.0, 0.0); n];
        for (k, z) in given.iter().enumerate() {
            whole[(n - k) % n] = z.conj();
            whole[k] = *z;
        }
        whole[0].im = 0.0;
        if n % 2 == 0 {
            whole[n / 2].im = 0.0;
        }
        given[0].im = 3.0;
        if n % 2 == 0 {
            given[n / 2].im = -3.0;
        }
        let back = transform_at(&whole, &places(n), 1.0);
        for (dtype, eps) in PRECISIONS {
            let got = real_to_half(&x, n, false, 1.0, dtype);
            assert_near(&pick(&got, &half), &want, norm(&x), eps, n, &format!("real {dtype}"));
            let conjugated = real_to_half(&x, n, true, 0.25, dtype);
            assert!(conjugated.iter().zip(&got).all(|(a, b)| *a == b.conj() * 0.25));
            let got = half_to_real(&given, n, false, 1.0, dtype);
            assert_near(&pick(&got, &places(n)), &back, norm(&whole), eps, n, &format!("half {dtype}"));
            let mirrored: Vec<C> = given.iter().map(C::conj).collect();
            let again = half_to_real(&mirrored, n, true, 2.0, dtype);
            assert!(again.iter().zip(&got).all(|(a, b)| *a == b * 2.0));
        }
    }
}

#[test]
fn inputs_are_cut_and_padded() {
    for (n, m) in [(8, 5), (5, 8), (7, 1), (1, 7), (16, 0), (6, 6), (1, 0), (2, 9), (9, 2)] {
        let x = numbers(m, 7);
        let mut padded = x.clone();
        padded.resize(n, C::new(0.0, 0.0));
        let mut half = x.clone();
        half.resize(n / 2 + 1, C::new(0.0, 0.0));
        for (dtype, _) in PRECISIONS {
            assert_eq!(
                complex(&x, n, Direction::Forward, 1.0, dtype),
                complex(&padded, n, Direction::Forward, 1.0, dtype)
            );
            assert_eq!(real_to_half(&x, n, false, 1.0, dtype), real_to_half(&padded, n, false, 1.0, dtype));
            assert_eq!(half_to_real(&x, n, false, 1.0, dtype), half_to_real(&half, n, false, 1.0, dtype));
        }
    }
}

/// The distance of two arrays, in units of the precision and of the second one's size.
fn distance(a: &[C], b: &[C], eps: f64) -> f64 {
    norm(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>()) / (eps * norm(b))
}

#[test]
fn errors_grow_no_faster_than_the_logarithm() {
    for bits in 4..=20 {
        let n = 1usize << bits;
        let x = numbers(n, bits);
        let (size, wide) = (norm(&x), complex(&x, n, Direction::Forward, 1.0, DType::Complex128));
        // The wide transform against its definition, the narrow one against the wide one.
        let places = if n <= 4096 { places(n) } else { vec![1, n / 2 - 1] };
        let want = transform_at(&x, &places, -1.0);
        assert_near(&pick(&wide, &places), &want, size, f64::EPSILON, n, "complex128");
        let narrow = complex(&x, n, Direction::Forward, 1.0, DType::Complex64);
        assert!(distance(&narrow, &wide, f32::EPSILON.into()) <= 0.25 * limit(n), "complex64 of {n}");
        for (dtype, eps, found) in
            [(DType::Complex64, f32::EPSILON.into(), &narrow), (DType::Complex128, f64::EPSILON, &wide)]
        {
            // Parseval, and back again.
            let ratio = norm(found) / (size * (n as f64).sqrt());
            assert!((ratio - 1.0).abs() <= limit(n) * eps, "{dtype} of {n}: {ratio}");
            let back = complex(found, n, Direction::Inverse, 1.0 / n as f64, dtype);
            assert!(distance(&back, &x, eps) <= 0.5 * limit(n), "{dtype} of {n}");
        }
    }
}

#[test]
fn what_is_transformed_back_is_what_it_was() {
    for n in (1..=64).chain([100, 360, 1000, 1009, 4096, 10_007, 65_536, 99_991, 100_000]) {
        let x: Vec<C> = numbers(n, n as u64).into_iter().map(|z| C::new(z.re, 0.0)).collect();
        for (dtype, eps) in PRECISIONS {
            let half = real_to_half(&x, n, false, 1.0, dtype);
            let back = half_to_real(&half, n, false, 1.0 / n as f64, dtype);
            assert!(distance(&back, &x, eps) <= limit(n), "real {dtype} of {n}");
            let half = real_to_half(&x, n, true, 1.0 / n as f64, dtype);
            let back = half_to_real(&half, n, true, 1.0, dtype);
            assert!(distance(&back, &x, eps) <= limit(n), "Hermitian {dtype} of {n}");
            // Parseval, of which the half has the elements between its ends twice.
            let full = real_to_half(&x, n, false, 1.0, dtype);
            let ends = [0].into_iter().chain((n % 2 == 0 && n > 1).then_some(n / 2));
            let once: f64 = ends.map(|k| full[k].norm_sqr()).sum();
            let total = 2.0 * norm(&full).powi(2) - once;
            assert!((total / (n as f64 * norm(&x).powi(2)) - 1.0).abs() <= 2.0 * limit(n) * eps, "{dtype} of {n}");
        }
    }
}

/// Views of all kinds of a matrix of some shape: the same elements elsewhere.
fn views(x: &Array) -> Vec<Array> {
    let (shape, item) = (x.shape(), x.dtype().size() as isize);
    let strides: [&[isize]; 6] = [&[45, 1], &[1, 45], &[-90, 2], &[3, -120], &[50, 50 * 40], &[120, 3]];
    strides
        .iter()
        .map(|strides| {
            let strides: Vec<isize> = strides.iter().map(|s| s * item).collect();
            let low: isize = strides.iter().zip(shape).map(|(s, n)| (s * (*n as isize - 1)).min(0)).sum();
            let memory = Array::zeros(&[200_000], x.dtype(), Device::CPU).unwrap();
            let layout = Layout::new(shape.into(), strides[..].into(), (-low) as usize);
            let view = memory.with_layout(layout).unwrap();
            strictarray_core::copy::copy_elements(&view.operand(), &x.operand()).unwrap();
            view
        })
        .collect()
}

/// A transform of rows or columns from every layout into every layout, against one of each lane.
fn check_layouts(of: DType, to: DType, read: usize, written: usize, kernel: impl Fn(&Array, &Array, usize)) {
    for axis in [0, 1] {
        let side = 37;
        let shape = |n: usize| if axis == 0 { [n, side] } else { [side, n] };
        let x =
            array(&numbers(read * side, 3), of).with_layout(Layout::c_order(&shape(read), of.size()).unwrap()).unwrap();
        let want = Array::zeros(&shape(written), to, Device::CPU).unwrap();
        for i in 0..side {
            let lane = |x: &Array, n: usize| {
                x.with_layout(x.layout().narrowed(1 - axis, i, 1).reshaped(&[n], x.dtype().size()).unwrap()).unwrap()
            };
            kernel(&lane(&want, written), &lane(&x, read), 0);
        }
        for x in views(&x) {
            let before = common::bytes(&x);
            for out in views(&Array::zeros(&shape(written), to, Device::CPU).unwrap()) {
                kernel(&out, &x, axis);
                assert!(common::bytes(&out) == common::bytes(&want), "axis {axis}");
            }
            assert_eq!(common::bytes(&x), before);
            if of == to && read == written {
                kernel(&x, &x, axis);
                assert!(common::bytes(&x) == common::bytes(&want), "axis {axis} in place");
            }
        }
    }
}

#[test]
fn results_do_not_depend_on_the_layout() {
    let ctx = Ctx::new();
    for (dtype, _) in PRECISIONS {
        for (read, written) in [(13, 13), (20, 16), (16, 20), (1, 5)] {
            check_layouts(dtype, dtype, read, written, |out, x, axis| {
                fft::complex(&ctx, &out.operand(), &x.operand(), axis, Direction::Forward, 0.3).unwrap();
            });
        }
        for (read, n) in [(13, 13), (16, 16), (20, 15), (9, 20)] {
            check_layouts(dtype.to_real(), dtype, read, n / 2 + 1, |out, x, axis| {
                fft::real_to_half(&ctx, &out.operand(), &x.operand(), axis, n, true, 0.3).unwrap();
            });
            check_layouts(dtype, dtype.to_real(), read, n, |out, x, axis| {
                fft::half_to_real(&ctx, &out.operand(), &x.operand(), axis, true, 0.3).unwrap();
            });
        }
    }
}

#[test]
fn lanes_without_elements_and_misuse() {
    let ctx = Ctx::new();
    let zeros = |shape: &[usize]| Array::zeros(shape, DType::Complex64, Device::CPU).unwrap();
    let (out, x) = (zeros(&[0, 4]), zeros(&[0, 4]));
    fft::complex(&ctx, &out.operand(), &x.operand(), 1, Direction::Forward, 1.0).unwrap();
    let padded = zeros(&[3, 4]);
    fft::complex(&ctx, &padded.operand(), &x.operand(), 0, Direction::Forward, 1.0).unwrap();
    let refused = |result: strictarray_core::Result<()>| assert_eq!(result.unwrap_err().rule().id, "internal");
    // To no elements, along an axis that is not there, other shapes, other data types, another half.
    refused(fft::complex(&ctx, &out.operand(), &padded.operand(), 0, Direction::Forward, 1.0));
    refused(fft::complex(&ctx, &out.operand(), &x.operand(), 2, Direction::Forward, 1.0));
    refused(fft::complex(&ctx, &padded.operand(), &zeros(&[3, 5]).operand(), 0, Direction::Forward, 1.0));
    let real = Array::zeros(&[3, 4], DType::Float64, Device::CPU).unwrap();
    refused(fft::complex(&ctx, &padded.operand(), &real.operand(), 1, Direction::Forward, 1.0));
    refused(fft::real_to_half(&ctx, &padded.operand(), &real.operand(), 1, 4, false, 1.0));
    refused(fft::half_to_real(&ctx, &real.operand(), &padded.operand(), 1, false, 1.0));
    let real = Array::zeros(&[3, 4], DType::Float32, Device::CPU).unwrap();
    refused(fft::real_to_half(&ctx, &padded.operand(), &real.operand(), 1, 4, false, 1.0));
    refused(fft::real_to_half(&ctx, &padded.operand(), &real.operand(), 1, 0, false, 1.0));
}

#[test]
fn a_long_transform_of_many_lanes_is_cancelled() {
    let stop = || true;
    let (x, out) = (
        Array::zeros(&[100, 4096], DType::Complex64, Device::CPU).unwrap(),
        Array::zeros(&[100, 4096], DType::Complex64, Device::CPU).unwrap(),
    );
    let ctx = Ctx::new().cancelled_by(&stop);
    let error = fft::complex(&ctx, &out.operand(), &x.operand(), 1, Direction::Forward, 1.0).unwrap_err();
    assert_eq!(error.rule().id, "interrupted");
}

#[test]
fn more_lengths_than_plans_are_kept_for() {
    for round in 0..2 {
        for n in 200..300 {
            let x = numbers(n, 5);
            let got = complex(&x, n, Direction::Forward, 1.0, DType::Complex128);
            let want = transform_at(&x, &[3], -1.0);
            assert_near(&got[3..4], &want, norm(&x), f64::EPSILON, n, &format!("round {round}"));
        }
    }
    std::thread::scope(|scope| {
        for seed in 0..4 {
            scope.spawn(move || {
                for n in 500..560 {
                    let x = numbers(n, seed);
                    let got = complex(&x, n, Direction::Inverse, 1.0, DType::Complex64);
                    let want = transform_at(&x, &[1], 1.0);
                    assert_near(&got[1..2], &want, norm(&x), f32::EPSILON.into(), n, "threads");
                }
            });
        }
    });
}

#[test]
fn frequencies_are_those_of_the_definition() {
    for n in [1usize, 2, 3, 4, 5, 8, 9, 100, 101] {
        for d in [1.0, 0.1, -2.0, 1e300] {
            let f = |i: i64| i as f64 / (d * n as f64);
            let half = (n as i64 + 1) / 2;
            let all: Vec<f64> = (0..n as i64).map(|i| f(if i < half { i } else { i - n as i64 })).collect();
            let first: Vec<f64> = (0..=n as i64 / 2).map(f).collect();
            for (want, whole) in [(all, true), (first, false)] {
                for dtype in [DType::Float32, DType::Float64] {
                    let out = Array::zeros(&[want.len()], dtype, Device::CPU).unwrap();
                    fft::frequencies(&Ctx::new(), &out.operand(), n, d, whole).unwrap();
                    let got: Vec<f64> = values(&out).iter().map(|z| z.re).collect();
                    let want: Vec<f64> =
                        want.iter().map(|&x| if dtype == DType::Float32 { f64::from(x as f32) } else { x }).collect();
                    assert_eq!(got, want, "{n} {d} {dtype}");
                }
            }
        }
    }
}

#[test]
fn the_longest() {
    // A signal whose transform is known: one frequency, at one place.
    let (n, at) = (1usize << 24, 12_345_677usize);
    let x = Array::uninit(&[n], DType::Complex64, Device::CPU).unwrap();
    for j in 0..n {
        let angle = TAU * (j * at % n) as f64 / n as f64;
        // SAFETY: C order, j below the size.
        unsafe { x.ptr().cast::<Complex<f32>>().add(j).write(Complex::new(angle.cos() as f32, angle.sin() as f32)) };
    }
    fft::complex(&Ctx::new(), &x.operand(), &x.operand(), 0, Direction::Forward, 1.0).unwrap();
    let worst = (0..n)
        .map(|j| {
            // SAFETY: C order, j below the size.
            let z = unsafe { x.ptr().cast::<Complex<f32>>().add(j).read() };
            (z - if j == at { n as f32 } else { 0.0 }).norm()
        })
        .fold(0.0, f32::max);
    assert!(f64::from(worst) <= limit(n) * f64::from(f32::EPSILON) * n as f64, "{worst}");
}
