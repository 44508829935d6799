//! Hands a matrix from a producer to a consumer, and shows who owns it when.
//!
//! `cargo run -p strictarray-dlpack --example hand_over`

use std::cell::Cell;
use std::error::Error;
use std::ffi::{CStr, c_void};

use strictarray_dlpack::ffi::{DLDataType, DLDevice};
use strictarray_dlpack::{Carrier, ConsumeError, Export, SpecStrides, TensorSpec, consume, consume_if, destroy};

/// What keeps the data alive, and says when it stops.
struct Matrix(Vec<f64>);

impl Drop for Matrix {
    fn drop(&mut self) {
        println!("producer: {} numbers freed", self.0.len());
    }
}

/// Stands in for a capsule of an interpreter.
struct Capsule {
    pointer: *mut c_void,
    name: Cell<&'static CStr>,
}

impl Carrier for Capsule {
    type Error = &'static str;

    fn name(&self) -> Option<&CStr> {
        Some(self.name.get())
    }

    fn pointer(&self, name: &CStr) -> Result<*mut c_void, Self::Error> {
        if name == self.name.get() { Ok(self.pointer) } else { Err("the capsule has another name") }
    }

    fn set_name(&self, name: &'static CStr) -> Result<(), Self::Error> {
        println!("capsule:  {:?} becomes {name:?}", self.name.get());
        self.name.set(name);
        Ok(())
    }
}

impl Drop for Capsule {
    fn drop(&mut self) {
        // SAFETY: `produce` fills capsules with live tensors, and this one is about to go.
        let done = unsafe { destroy(self) };
        println!("capsule:  gone ({done:?})");
    }
}

fn produce() -> Result<Capsule, Box<dyn Error>> {
    let mut matrix = Matrix(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let spec = TensorSpec {
        // 3×2, transposed out of 2×3.
        strides: SpecStrides::Elements(&[1, 3]),
        ..TensorSpec::new(matrix.0.as_mut_ptr().cast(), DLDevice::CPU, DLDataType::FLOAT64, &[3usize, 2])
    };
    // SAFETY: the matrix keeps six numbers alive and is handed over with them.
    let tensor = unsafe { Export::new(matrix, spec) }.into_raw(true)?;
    Ok(Capsule { pointer: tensor.as_ptr(), name: Cell::new(tensor.capsule_name()) })
}

fn main() -> Result<(), Box<dyn Error>> {
    let capsule = produce()?;

    // A consumer that only takes integers leaves the capsule as it is.
    // SAFETY: the capsule holds what its name says, and nobody else works on it.
    let refused = unsafe {
        consume_if(&capsule, |view, _| {
            if view.dtype() == DLDataType::INT64 { Ok(()) } else { Err(format!("{} is not supported", view.dtype())) }
        })
    };
    if let Err(error) = refused {
        println!("consumer: {error}");
    }

    // SAFETY: as above.
    let tensor = unsafe { consume(&capsule) }?;
    println!("consumer: {tensor:?}");
    // SAFETY: as above.
    if let Err(ConsumeError::AlreadyUsed) = unsafe { consume(&capsule) } {
        println!("consumer: a second one gets nothing");
    }
    drop(capsule);

    let view = tensor.view();
    for row in 0..3 {
        let at = |column: isize| {
            let offset = row * view.byte_stride(0)? + column * view.byte_stride(1)?;
            // SAFETY: within the shape, aligned, and alive as long as the tensor.
            Some(unsafe { *view.first().byte_offset(offset).cast::<f64>() })
        };
        println!("consumer: {:?} {:?}", at(0), at(1));
    }
    Ok(())
}
