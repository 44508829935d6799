//! The walk over several operands of one shape.
//!
//! Axes of size 1 are dropped, axes are ordered by the first operand's strides where the order of the elements does not
//! matter, and neighbours that lie evenly in every operand are merged. What is left of most calls is one run: one call of
//! the kernel's inner loop.

use smallvec::SmallVec;

use crate::{Operand, Result};

/// Whether the elements must be visited in C order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Any order: each element stands for itself.
    Any,
    /// C order.
    C,
}

struct Axis<const N: usize> {
    size: usize,
    strides: [isize; N],
}

/// Calls `run` for each run: a pointer and a stride in bytes for each operand, and the number of elements.
///
/// All operands must have the shape of the first.
pub fn for_each_run<const N: usize>(
    operands: [&Operand<'_>; N],
    order: Order,
    mut run: impl FnMut([*mut u8; N], [isize; N], usize) -> Result<()>,
) -> Result<()> {
    let shape = operands[0].shape();
    debug_assert!(operands.iter().all(|o| o.shape() == shape));
    if shape.contains(&0) {
        return Ok(());
    }
    let mut pointers = operands.map(Operand::ptr);
    // The common case at once: all in C order, or one axis.
    if let [n] = shape {
        return run(pointers, std::array::from_fn(|k| operands[k].strides()[0]), *n);
    }
    let axes = plan(shape, operands, order);
    let Some((inner, outer)) = axes.split_last() else {
        return run(pointers, [0; N], 1);
    };
    if outer.is_empty() {
        return run(pointers, inner.strides, inner.size);
    }
    let mut counters: SmallVec<[usize; 8]> = SmallVec::from_elem(0, outer.len());
    loop {
        run(pointers, inner.strides, inner.size)?;
        let mut axis = outer.len();
        loop {
            if axis == 0 {
                return Ok(());
            }
            axis -= 1;
            let Axis { size, strides } = &outer[axis];
            counters[axis] += 1;
            if counters[axis] < *size {
                for k in 0..N {
                    pointers[k] = pointers[k].wrapping_offset(strides[k]);
                }
                break;
            }
            counters[axis] = 0;
            for k in 0..N {
                pointers[k] = pointers[k].wrapping_offset(-strides[k] * (*size as isize - 1));
            }
        }
    }
}

fn plan<const N: usize>(shape: &[usize], operands: [&Operand<'_>; N], order: Order) -> SmallVec<[Axis<N>; 4]> {
    let mut axes: SmallVec<[Axis<N>; 4]> = shape
        .iter()
        .enumerate()
        .filter(|(_, n)| **n != 1)
        .map(|(i, &size)| Axis { size, strides: std::array::from_fn(|k| operands[k].strides()[i]) })
        .collect();
    if order == Order::Any {
        // Stable, so that broadcast axes keep their place among equals.
        let key = |axis: &Axis<N>| std::cmp::Reverse(axis.strides.map(isize::unsigned_abs));
        if !axes.is_sorted_by_key(key) {
            axes.sort_by_key(key);
        }
    }
    let mut merged: SmallVec<[Axis<N>; 4]> = SmallVec::new();
    for axis in axes {
        match merged.last_mut() {
            Some(last) if (0..N).all(|k| last.strides[k] == axis.strides[k].wrapping_mul(axis.size as isize)) => {
                last.size *= axis.size;
                last.strides = axis.strides;
            }
            _ => merged.push(axis),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Array, DType, Device, Layout};

    fn visit(operands: [&Operand<'_>; 2], order: Order) -> (Vec<(i32, i32)>, usize) {
        let mut seen = Vec::new();
        let mut runs = 0;
        for_each_run(operands, order, |ptrs, strides, n| {
            runs += 1;
            for i in 0..n as isize {
                // SAFETY: the walk stays inside the operands' int32 elements.
                unsafe {
                    seen.push((
                        ptrs[0].offset(i * strides[0]).cast::<i32>().read(),
                        ptrs[1].offset(i * strides[1]).cast::<i32>().read(),
                    ));
                }
            }
            Ok(())
        })
        .unwrap();
        (seen, runs)
    }

    fn counting(shape: &[usize]) -> Array {
        let x = Array::zeros(shape, DType::Int32, Device::CPU).unwrap();
        for i in 0..x.size() {
            // SAFETY: C order, i below the size.
            unsafe { x.ptr().cast::<i32>().add(i).write(i as i32) };
        }
        x
    }

    #[test]
    fn contiguous_arrays_are_one_run_and_views_pair_the_right_elements() {
        let x = counting(&[3, 4, 5]);
        let (seen, runs) = visit([&x.operand(), &x.operand()], Order::Any);
        assert_eq!(runs, 1);
        assert_eq!(seen.len(), 60);
        let t = x.with_layout(x.layout().reversed()).unwrap();
        let y = counting(&[5, 4, 3]);
        for order in [Order::Any, Order::C] {
            let (mut seen, _) = visit([&t.operand(), &y.operand()], order);
            if order == Order::C {
                assert!(seen.windows(2).all(|w| w[0].1 < w[1].1), "C order of the shape");
            }
            seen.sort_by_key(|p| p.1);
            for (pair, (i, j, k)) in
                seen.iter().zip((0..5).flat_map(|i| (0..4).flat_map(move |j| (0..3).map(move |k| (i, j, k)))))
            {
                assert_eq!(pair.0, k * 20 + j * 5 + i);
            }
        }
        let (_, runs) = visit([&t.operand(), &t.operand()], Order::Any);
        assert_eq!(runs, 1, "F order is one run where order does not matter");
    }

    #[test]
    fn broadcasts_empties_and_scalars() {
        let x = counting(&[4]);
        let wide = x.with_layout(x.layout().broadcast_to(&[3, 4]).unwrap()).unwrap();
        let y = counting(&[3, 4]);
        let (seen, _) = visit([&y.operand(), &wide.operand()], Order::Any);
        assert!(seen.iter().all(|(a, b)| a % 4 == *b));
        assert_eq!(seen.len(), 12);
        let empty = counting(&[3, 0, 2]);
        assert_eq!(visit([&empty.operand(), &empty.operand()], Order::Any).0.len(), 0);
        let point = counting(&[]);
        assert_eq!(visit([&point.operand(), &point.operand()], Order::C), (vec![(0, 0)], 1));
        let ones = counting(&[1, 1, 1]);
        assert_eq!(visit([&ones.operand(), &ones.operand()], Order::Any), (vec![(0, 0)], 1));
        let layout = Layout::new(smallvec::smallvec![4], smallvec::smallvec![-4], 12);
        let back = x.with_layout(layout).unwrap();
        assert_eq!(visit([&x.operand(), &back.operand()], Order::Any).0, [(0, 3), (1, 2), (2, 1), (3, 0)]);
    }
}
