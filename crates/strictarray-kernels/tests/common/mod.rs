//! What the tests share: arrays of given numbers, views of every kind of layout.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of this module")]

use strictarray_core::{Array, Complex, DType, Device, Layout, Scalar, copy};
use strictarray_kernels::elementwise;

/// An array of these numbers, each rounded to the type (an integer type takes integers).
pub fn array(values: &[Scalar], shape: &[usize], dtype: DType) -> Array {
    let out = Array::uninit(shape, dtype, Device::CPU).unwrap();
    assert_eq!(out.size(), values.len());
    for (i, value) in values.iter().enumerate() {
        let bytes = value.to_element(dtype).unwrap_or_else(|| panic!("{value:?} as {dtype}"));
        // SAFETY: C order, i below the size.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.0.as_ptr(), out.ptr().add(i * dtype.size()), dtype.size());
        }
    }
    out
}

/// The bytes of the elements in C order.
pub fn bytes(x: &Array) -> Vec<u8> {
    let copy = x.to_owned_copy().unwrap();
    // SAFETY: a fresh copy in C order has exactly these bytes.
    unsafe { std::slice::from_raw_parts(copy.ptr(), copy.size() * copy.dtype().size()) }.to_vec()
}

/// The kinds of layout that [`laid_out`] knows.
pub const LAYOUTS: [&str; 5] = ["contiguous", "strided", "every second", "reversed", "reversed and strided"];

/// The same elements (of one axis) in new memory of a layout.
pub fn laid_out(x: &Array, layout: &str) -> Array {
    let (n, item) = (x.size(), x.dtype().size() as isize);
    let last = (n as isize - 1).max(0);
    let (room, stride, offset) = match layout {
        "contiguous" => (n, item, 0),
        "strided" => (3 * n, 3 * item, item),
        // Nothing follows the last one.
        "every second" => ((2 * n).saturating_sub(1), 2 * item, 0),
        "reversed" => (n, -item, last * item),
        _ => (2 * n, -2 * item, 2 * last * item),
    };
    let memory = Array::zeros(&[room.max(1)], x.dtype(), Device::CPU).unwrap();
    let view = Layout::new([n][..].into(), [stride][..].into(), offset as usize);
    let view = memory.with_layout(view).unwrap();
    copy::copy_elements(&view.operand(), &x.operand()).unwrap();
    view
}

/// The data type of a function's result, or `None` where it does not take the type.
pub fn result(name: &str, dtype: DType) -> Option<DType> {
    let row = strictarray_standard::function(name).unwrap();
    let set = match row.params[0].accepts {
        strictarray_standard::Accepts::Array(set) | strictarray_standard::Accepts::ArrayOrScalar(set) => set,
        _ => panic!("{name}"),
    };
    set.contains(dtype).then_some(match row.result {
        strictarray_standard::ResultDType::Bool => DType::Bool,
        strictarray_standard::ResultDType::RealPart => dtype.to_real(),
        _ => dtype,
    })
}

pub fn all_functions() -> impl Iterator<Item = &'static str> {
    elementwise::UNARY.iter().chain(elementwise::BINARY).copied()
}

/// Numbers of every kind that a type has, those at its ends too: `n` of them, irregular and reproducible.
pub fn samples(dtype: DType, n: usize, seed: u64) -> Array {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    };
    const FLOATS: [f64; 16] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        5e-324,
        -1e-300,
        1e300,
        -1e38,
        1e-40,
        0.5,
        -2.5,
        3.0,
        9_007_199_254_740_993.0,
    ];
    let mut float = move || {
        let r = next();
        match r % 4 {
            0 => FLOATS[(r >> 8) as usize % 16],
            1 => (next() % 41) as f64 - 20.0,
            2 => (next() as i64 as f64) / 2f64.powi(60),
            _ => (next() as i64 as f64 / 2f64.powi(63)) * 2f64.powi((next() % 160) as i32 - 80),
        }
    };
    let mut state = seed.wrapping_mul(0xD134_2543_DE82_EF95) | 1;
    let mut whole = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (min, max) = dtype.integer_range().unwrap_or((0, 1));
        let r = i128::from(state >> 11);
        match r % 5 {
            0 => [min, max, min + 1, 0, 1, max - 1, (-1).max(min)][(r / 5 % 7) as usize],
            1 | 2 => (r / 5 % 15 - 4).clamp(min, max),
            3 => min + (i128::from(state) << 3) % (max - min + 1),
            _ => (r % (1 << 24)).clamp(min, max),
        }
    };
    let values: Vec<Scalar> = (0..n)
        .map(|_| match dtype {
            DType::Bool => Scalar::Bool(whole() & 1 == 1),
            d if d.is_integer() => Scalar::Int(whole()),
            d if d.is_complex() => Scalar::Complex(Complex::new(float(), float())),
            _ => Scalar::Float(float()),
        })
        .collect();
    array(&values, &[n], dtype)
}

/// A float as Python's `float.hex` writes it.
pub fn from_hex(text: &str) -> f64 {
    let (sign, text) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    sign * match text.strip_prefix("0x") {
        None => text.parse().unwrap(),
        Some(text) => {
            let (digits, exponent) = text.split_once('p').unwrap();
            let (whole, fraction) = digits.split_once('.').unwrap();
            let mantissa = u64::from_str_radix(&format!("{whole}{fraction}"), 16).unwrap() as f64;
            let exponent = exponent.parse::<i32>().unwrap() - 4 * fraction.len() as i32;
            // In two steps: the power alone may be below the smallest float.
            mantissa * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
        }
    }
}
