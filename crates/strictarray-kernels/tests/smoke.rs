//! Every function runs on every data type it takes.
use strictarray_core::{Array, Device, Scalar};
use strictarray_kernels::{Ctx, elementwise};

#[test]
fn adds() {
    let x = Array::from_slice(&[1.0, 2.0, 3.0, 4.0], &[2, 2], Device::CPU).unwrap();
    let out = Array::uninit(&[2, 2], x.dtype(), Device::CPU).unwrap();
    let add = elementwise::binary("add").unwrap();
    add(&Ctx::new(), &out.operand(), &x.operand(), &x.operand()).unwrap();
    assert_eq!(out.to_scalars().unwrap(), [2.0, 4.0, 6.0, 8.0].map(Scalar::Float));
    let mm = Array::uninit(&[2, 2], x.dtype(), Device::CPU).unwrap();
    strictarray_kernels::matmul::matmul(&Ctx::new(), &mm.operand(), &x.operand(), &x.operand()).unwrap();
    assert_eq!(mm.to_scalars().unwrap(), [7.0, 10.0, 15.0, 22.0].map(Scalar::Float));
}
