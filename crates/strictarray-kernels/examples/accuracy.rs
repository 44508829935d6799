//! How far the elementwise functions of real numbers are from the exact values: `make accuracy`.
//!
//! The reference is CORE-MATH, whose functions are correctly rounded; of `logaddexp`, which it lacks, arithmetic in two
//! doubles. Errors of float32 are measured against the reference in double; those of float64 are distances to the
//! correctly rounded value, so 0 means an error of at most half a unit of the last place, and 1 one below 1.5.
//! The inputs are dense on the intervals that matter, spread over all exponents, near zeros, poles and ends, at and around
//! multiples of π/2, huge, and subnormal. A function beyond its limit makes the program fail.

#![allow(clippy::approx_constant, reason = "constants in parts")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a fault of a tool may end it")]

use std::process::ExitCode;

use strictarray_core::{Array, DType, Device, Element};
use strictarray_kernels::{Ctx, elementwise};

/// The largest error that is allowed, in units of the last place: the goal that the design sets.
const LIMIT: f64 = 1.0;

type One = fn(f64) -> f64;
type Two = fn(f64, f64) -> f64;

type Interval = (f64, f64);

/// Name, reference, intervals that matter, points of interest.
const UNARY: &[(&str, One, &[Interval], &[f64])] = &[
    ("acos", core_math::acos, &[(-1.0, 1.0)], &[-1.0, -0.5, 0.0, 0.5, 1.0]),
    ("acosh", core_math::acosh, &[(1.0, 2.0), (1.0, 100.0)], &[1.0, 2.0, 1e150]),
    ("asin", core_math::asin, &[(-1.0, 1.0)], &[-1.0, -0.5, 0.0, 0.5, 1.0]),
    ("asinh", core_math::asinh, &[(-1.0, 1.0), (-100.0, 100.0)], &[0.0, 0.4, 1.0, 1e150]),
    (
        "atan",
        core_math::atan,
        &[(-3.0, 3.0), (-100.0, 100.0)],
        &[0.0, 0.414_213_562_373_095, 1.0, 2.414_213_562_373_095],
    ),
    ("atanh", core_math::atanh, &[(-1.0, 1.0)], &[-1.0, 0.0, 0.17, 1.0]),
    ("cos", core_math::cos, &[(-10.0, 10.0), (-1e6, 1e6)], &[0.0, 1_073_741_824.0, 1e22, 1e300]),
    ("cosh", core_math::cosh, &[(-2.0, 2.0), (-715.0, 715.0)], &[0.0, 45.0, 88.72, 89.415, 709.78, 710.47]),
    ("exp", core_math::exp, &[(-2.0, 2.0), (-750.0, 715.0)], &[0.0, 88.72, -87.3, -103.97, 709.78, -708.4, -745.13]),
    ("expm1", core_math::expm1, &[(-2.0, 2.0), (-60.0, 715.0)], &[0.0, 0.346_573_59, -37.4, 88.72, 709.78]),
    ("log", core_math::log, &[(0.0, 2.0), (0.0, 1000.0)], &[1.0, 0.707_106_78, 1.414_213_56]),
    ("log10", core_math::log10, &[(0.0, 2.0), (0.0, 1000.0)], &[1.0, 10.0, 100.0, 1000.0, 0.1]),
    ("log1p", core_math::log1p, &[(-1.0, 2.0), (-1.0, 1000.0)], &[-1.0, 0.0, -0.29, 0.41]),
    ("log2", core_math::log2, &[(0.0, 2.0), (0.0, 1000.0)], &[1.0, 2.0, 4.0, 0.5]),
    ("reciprocal", f64::recip, &[(-4.0, 4.0)], &[0.0, 1.0, 1e-308, 1e-38]),
    ("sin", core_math::sin, &[(-10.0, 10.0), (-1e6, 1e6)], &[0.0, 1_073_741_824.0, 1e22, 1e300]),
    ("sinh", core_math::sinh, &[(-2.0, 2.0), (-715.0, 715.0)], &[0.0, 45.0, 88.72, 89.415, 709.78, 710.47]),
    ("sqrt", f64::sqrt, &[(0.0, 4.0)], &[1.0, 2.0]),
    ("square", |x| x * x, &[(-4.0, 4.0)], &[0.0, 1.0, 1e-154, 1e154, 1e19]),
    ("tan", core_math::tan, &[(-10.0, 10.0), (-1e6, 1e6)], &[0.0, 1_073_741_824.0, 1e22, 1e300]),
    ("tanh", core_math::tanh, &[(-2.0, 2.0), (-25.0, 25.0)], &[0.0, 0.346_573_59, 9.01, 19.06]),
];

const BINARY: &[(&str, Two)] = &[
    ("add", |a, b| a + b),
    ("atan2", core_math::atan2),
    ("divide", |a, b| a / b),
    ("floor_divide", floor_divide),
    ("hypot", core_math::hypot),
    ("logaddexp", log_add_exp),
    ("multiply", |a, b| a * b),
    ("pow", core_math::pow),
    ("remainder", remainder),
    ("subtract", |a, b| a - b),
];

/// Irregular and reproducible bits.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Any finite number of the type, spread evenly over all exponents.
    fn any(&mut self, single: bool) -> f64 {
        loop {
            let x = if single { f64::from(f32::from_bits(self.bits() as u32)) } else { f64::from_bits(self.bits()) };
            if x.is_finite() {
                return x;
            }
        }
    }
}

fn step(x: f64, n: i64, single: bool) -> f64 {
    if single {
        let mut y = x as f32;
        for _ in 0..n.unsigned_abs() {
            y = if n > 0 { y.next_up() } else { y.next_down() };
        }
        f64::from(y)
    } else {
        let mut y = x;
        for _ in 0..n.unsigned_abs() {
            y = if n > 0 { y.next_up() } else { y.next_down() };
        }
        y
    }
}

fn inputs(intervals: &[Interval], points: &[f64], single: bool, n: usize) -> Vec<f64> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut xs = Vec::new();
    for &(low, high) in intervals {
        xs.extend((0..n).map(|_| random.between(low, high)));
    }
    xs.extend((0..2 * n).map(|_| random.any(single)));
    // Exponents of ordinary size.
    xs.extend((0..n).map(|_| random.between(-2.0, 2.0) * 2f64.powi((random.bits() % 80) as i32 - 40)));
    for &point in points {
        for sign in [1.0, -1.0] {
            xs.extend((-200..=200).map(|i| sign * step(point, i, single)));
            // Ever nearer to it.
            xs.extend((0..n / 20).map(|_| {
                let near = 2f64.powi(-((random.bits() % 60) as i32)) * random.between(-1.0, 1.0);
                sign * (point + point.abs().max(1.0) * near)
            }));
        }
    }
    // Around multiples of π/2, small and large: where sine, cosine or tangent vanish or grow.
    for _ in 0..n / 4 {
        let k = (random.bits() >> (random.bits() % 60 + 4)) as f64;
        let x = k * std::f64::consts::FRAC_PI_2;
        xs.extend((-2..=2).map(|i| step(x, i, single)));
    }
    // Subnormal.
    xs.extend((0..n / 10).map(|_| {
        if single {
            f64::from(f32::from_bits(random.bits() as u32 & 0x807f_ffff))
        } else {
            f64::from_bits(random.bits() & 0x800f_ffff_ffff_ffff)
        }
    }));
    // The double nearest to a multiple of π/2 for its size.
    xs.push(6_381_956_970_095_103.0 * 2f64.powi(797));
    if single { xs.into_iter().map(|x| f64::from(x as f32)).collect() } else { xs }
}

fn pairs(name: &str, single: bool, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random(0xD134_2543_DE82_EF95);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let mut push = |x: f64, y: f64| {
        let round = |x: f64| if single { f64::from(x as f32) } else { x };
        a.push(round(x));
        b.push(round(y));
    };
    for _ in 0..n {
        push(random.between(-10.0, 10.0), random.between(-10.0, 10.0));
        push(random.between(-800.0, 800.0), random.between(-800.0, 800.0));
        push(random.any(single), random.any(single));
        let x = random.any(single);
        push(x, x * random.between(-4.0, 4.0));
        push(x, x * 2f64.powi((random.bits() % 140) as i32 - 70));
        push(random.between(0.0, 10.0), random.between(-300.0, 300.0));
    }
    if name == "pow" {
        // The product of exponent and logarithm is largest, and the logarithm nothing but its series, which is longest at
        // 1 + 1/32.
        let end = if single { 88.0 } else { 708.0 };
        for i in 0..4 * n {
            let x = if i % 4 == 0 { random.between(0.9375, 1.0625) } else { random.between(1.03, 1.0325) };
            let sign = if random.bits() & 1 == 0 { 1.0 } else { -1.0 };
            push(x, sign * random.between(0.88, 1.0) * end / x.ln());
        }
        // Negative bases give NaN nearly always.
        a.iter_mut().for_each(|a| *a = a.abs());
    }
    (a, b)
}

fn array<T: Element>(xs: &[T]) -> Array {
    Array::from_slice(xs, &[xs.len()], Device::CPU).unwrap()
}

/// What the kernel gives for these arguments, which the type holds.
fn computed(name: &str, args: &[&[f64]], dtype: DType) -> Vec<f64> {
    let args: Vec<Array> =
        args.iter()
            .map(|xs| {
                if dtype == DType::Float32 {
                    array(&xs.iter().map(|&x| x as f32).collect::<Vec<_>>())
                } else {
                    array(xs)
                }
            })
            .collect();
    let out = Array::uninit(args[0].shape(), dtype, Device::CPU).unwrap();
    let ctx = Ctx::new();
    match &args[..] {
        [x] => elementwise::unary(name).unwrap()(&ctx, &out.operand(), &x.operand()).unwrap(),
        [a, b] => elementwise::binary(name).unwrap()(&ctx, &out.operand(), &a.operand(), &b.operand()).unwrap(),
        _ => panic!("{name}"),
    }
    out.to_scalars()
        .unwrap()
        .iter()
        .map(|x| if let strictarray_core::Scalar::Float(x) = x { *x } else { f64::NAN })
        .collect()
}

fn ulp(x: f64, single: bool) -> f64 {
    if single {
        let x = (x as f32).abs().min(f32::MAX);
        f64::from(x.next_up().min(f32::MAX) - x)
            .max(f64::from(x - x.next_down()).min(f64::from(f32::from_bits(1)).max(0.0)))
    } else {
        let x = x.abs().min(f64::MAX);
        if x == f64::MAX { x - x.next_down() } else { x.next_up() - x }
    }
}

/// In units of the last place; `scale` is a number whose unit counts where it is larger than the value's.
fn error(got: f64, want: f64, scale: f64, single: bool) -> f64 {
    let rounded = if single { f64::from(want as f32) } else { want };
    if rounded.is_nan() || got.is_nan() || rounded.is_infinite() || got.is_infinite() || rounded == 0.0 {
        let same = rounded.is_nan() && got.is_nan() || rounded.to_bits() == got.to_bits();
        // Of single precision the reference may round to what the exact value would not, at the very end of the range.
        return if same { 0.0 } else { f64::INFINITY };
    }
    (got - want).abs() / ulp(want.abs().max(scale), single)
}

struct Worst {
    largest: f64,
    at: String,
    sum: f64,
    count: usize,
}

impl Worst {
    fn new() -> Worst {
        Worst { largest: 0.0, at: String::new(), sum: 0.0, count: 0 }
    }

    fn add(&mut self, error: f64, at: impl FnOnce() -> String) {
        if error > self.largest {
            self.largest = error;
            self.at = at();
        }
        self.sum += error;
        self.count += 1;
    }

    /// Prints a line; whether the limit holds.
    fn report(&self, name: &str, dtype: DType) -> bool {
        let holds = self.largest <= LIMIT;
        let mark = if holds { "" } else { "   beyond the limit" };
        println!(
            "{name:10} {:8} {:9} {:8.3} {:8.4}   {}{mark}",
            dtype.to_string(),
            self.count,
            self.largest,
            self.sum / self.count as f64,
            self.at
        );
        holds
    }
}

fn main() -> ExitCode {
    let filters: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| filters.is_empty() || filters.iter().any(|f| f == name);
    let n = 100_000;
    println!("{:10} {:8} {:>9} {:>8} {:>8}   at", "function", "dtype", "inputs", "max ulp", "mean");
    let mut good = true;
    for dtype in [DType::Float64, DType::Float32] {
        let single = dtype == DType::Float32;
        for &(name, reference, intervals, points) in UNARY {
            if !wanted(name) {
                continue;
            }
            let xs = inputs(intervals, points, single, n);
            let got = computed(name, &[&xs], dtype);
            let mut worst = Worst::new();
            for (&x, got) in xs.iter().zip(got) {
                worst.add(error(got, reference(x), 0.0, single), || format!("{x:e}: {got:e}, not {:e}", reference(x)));
            }
            good &= worst.report(name, dtype);
        }
        for &(name, reference) in BINARY {
            if !wanted(name) {
                continue;
            }
            let (a, b) = pairs(name, single, n / 2);
            let got = computed(name, &[&a, &b], dtype);
            let mut worst = Worst::new();
            for ((&a, &b), got) in a.iter().zip(&b).zip(got) {
                // Where e^a + e^b is near 1 its logarithm has fewer digits than the larger argument.
                let scale = if name == "logaddexp" { a.max(b).abs().min(f64::MAX) } else { 0.0 };
                let want = reference(a, b);
                worst.add(error(got, want, scale, single), || format!("{a:e}, {b:e}: {got:e}, not {want:e}"));
            }
            good &= worst.report(name, dtype);
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What is left of a, with the sign of b: exact but for the last addition.
fn remainder(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest == 0.0 {
        rest.abs().copysign(b)
    } else if (rest < 0.0) == (b < 0.0) {
        rest
    } else {
        rest + b
    }
}

/// The floor of a/b: the quotient of what the remainder leaves is whole, but for its rounding.
fn floor_divide(a: f64, b: f64) -> f64 {
    if !a.is_finite() || !b.is_finite() || b == 0.0 {
        return (a / b).floor();
    }
    // Halves do not overflow, and wholes do not underflow.
    let (half, rest) = if a.abs() > 1e300 { (0.5, 0.5 * remainder(a, b)) } else { (1.0, remainder(a, b)) };
    let quotient = (half * a - rest) / b / half;
    if quotient == 0.0 {
        return 0f64.copysign(a / b);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

/// ln(e^a + e^b) in two doubles.
fn log_add_exp(a: f64, b: f64) -> f64 {
    let (larger, smaller) = if a > b { (a, b) } else { (b, a) };
    if a.is_nan() || b.is_nan() {
        return f64::NAN;
    }
    if smaller - larger < -760.0 || larger.is_infinite() {
        return larger;
    }
    let distance = Double::sum(smaller, -larger);
    let x = distance.exp();
    // Newton's step doubles the digits of y = ln(1 + x): y + (1 + x)/e^y - 1.
    let y = Double(x.0.ln_1p(), 0.0);
    let minus = Double(-y.0, 0.0);
    let inverse = minus.exp_less_one();
    // (1 + x)(1 + e) - 1 = x + e + xe
    let rest = x.plus(inverse).plus(x.times(inverse));
    let y = y.plus(rest);
    let value = Double(larger, 0.0).plus(y);
    value.0 + value.1
}

/// A sum of two doubles.
#[derive(Clone, Copy)]
struct Double(f64, f64);

impl Double {
    fn sum(a: f64, b: f64) -> Double {
        let high = a + b;
        let back = high - a;
        Double(high, (a - (high - back)) + (b - back))
    }

    fn plus(self, other: Double) -> Double {
        let (high, low) = (Double::sum(self.0, other.0), Double::sum(self.1, other.1));
        let high = Double::sum(high.0, high.1 + low.0);
        Double::sum(high.0, high.1 + low.1)
    }

    fn times(self, other: Double) -> Double {
        let high = self.0 * other.0;
        let low = self.0.mul_add(other.0, -high) + (self.0 * other.1 + self.1 * other.0);
        Double::sum(high, low)
    }

    fn exp_less_one(self) -> Double {
        if self.0.abs() < 0.5 {
            let mut term = self;
            let mut total = self;
            for i in 2..40 {
                let inverse = 1.0 / f64::from(i);
                let third = Double(inverse, (-inverse).mul_add(f64::from(i), 1.0) / f64::from(i));
                term = term.times(self).times(third);
                total = total.plus(term);
            }
            total
        } else {
            self.exp().plus(Double(-1.0, 0.0))
        }
    }

    /// e^x by the series for what is left of a multiple of ln 2.
    fn exp(self) -> Double {
        const LN2: [f64; 3] = [0.6931471805599453, 2.3190468138462996e-17, 5.707708438416212e-34];
        let k = (self.0 / std::f64::consts::LN_2).round();
        let part = |x: f64| Double(-k * x, (-k).mul_add(x, k * x));
        let rest = self.plus(part(LN2[0])).plus(part(LN2[1])).plus(part(LN2[2]));
        let value = rest.exp_less_one().plus(Double(1.0, 0.0));
        let half = 2f64.powi((k / 2.0) as i32);
        let other = 2f64.powi(k as i32 - (k / 2.0) as i32);
        Double(value.0 * half * other, value.1 * half * other)
    }
}
