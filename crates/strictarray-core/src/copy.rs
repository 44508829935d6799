//! Copies of elements between layouts, without a change of data type.

use crate::iter::{Order, for_each_run};
use crate::stream::{self, Stream, WORTH};
use crate::{Operand, Result};

/// Copies `from` to `to`. Both have one shape and one data type, and `to` is not disturbed by `from` (the caller copies
/// first where it is).
pub fn copy_elements(to: &Operand<'_>, from: &Operand<'_>) -> Result<()> {
    copy_in_parts(to, from, usize::MAX, &mut || Ok(()))
}

/// As [`copy_elements`], and asks `stop` each time that about `part` elements were copied.
pub fn copy_in_parts(
    to: &Operand<'_>,
    from: &Operand<'_>,
    part: usize,
    stop: &mut dyn FnMut() -> Result<()>,
) -> Result<()> {
    debug_assert_eq!(to.dtype().size(), from.dtype().size());
    let item = to.dtype().size();
    // Elements are moved as bytes of their size; a complex128 as two words, since its alignment is 8.
    let run: Run = match item {
        1 => run::<u8>,
        2 => run::<u16>,
        4 => run::<u32>,
        8 if to.dtype().align() == 4 => run::<[u32; 2]>,
        8 => run::<u64>,
        _ => run::<[u64; 2]>,
    };
    let stream = Stream::open(to, &[from]);
    let mut since = 0usize;
    for_each_run([to, from], Order::Any, |[mut to, mut from], [to_stride, from_stride], mut n| {
        let side_by_side = item as isize;
        loop {
            // What is one block is copied fast.
            let now = n.min(if to_stride == side_by_side && from_stride == side_by_side {
                part.saturating_mul(4)
            } else {
                part
            });
            if to_stride == side_by_side && from_stride == side_by_side {
                let bytes = now * item;
                // SAFETY: so many elements side by side in both operands, which are apart or the same; those of `to` are apart
                // from one another where they are streamed, and nothing reads them before the end.
                unsafe {
                    match &stream {
                        Some(stream) if bytes >= WORTH => stream.copy(to, from, bytes),
                        _ => copy_bytes(to, from, bytes),
                    }
                }
            } else {
                // SAFETY: the walk gives n elements of `item` bytes, aligned, in both operands.
                unsafe { run(to, from, to_stride, from_stride, now) };
            }
            since += now;
            if since >= part {
                stop()?;
                since = 0;
            }
            n -= now;
            if n == 0 {
                return Ok(());
            }
            to = to.wrapping_offset(to_stride * now as isize);
            from = from.wrapping_offset(from_stride * now as isize);
        }
    })
}

/// Copies bytes side by side.
///
/// In pieces where the target is whole pages and some bytes behind the source: the instruction (`rep movsb`) by which C
/// libraries copy from 2 KiB to the size of the second-level cache takes 13 times as long then. Measured with glibc 2.36 on
/// Zen 3, where it does from 1 to 31 bytes; glibc's bug 30994 says the same of Zen 4. A line's length is on the safe side.
/// Pieces are copied backwards, so the next one has to be asked for.
///
/// # Safety
///
/// So many bytes are at both, apart from one another or at the same place.
#[inline]
pub unsafe fn copy_bytes(to: *mut u8, from: *const u8, bytes: usize) {
    const PAGE: usize = 4096;
    const LINE: usize = 64;
    const LEAST: usize = 2048;
    const MOST: usize = 1 << 20;
    const PIECE: usize = 512;
    let behind = to.addr().wrapping_sub(from.addr()) % PAGE;
    // SAFETY: as the caller promises.
    unsafe {
        if bytes <= LEAST || bytes >= MOST || behind == 0 || behind >= LINE {
            std::ptr::copy(from, to, bytes);
            return;
        }
        for start in (0..bytes).step_by(PIECE) {
            stream::ask_ahead(from.wrapping_add(start + PIECE), PIECE);
            stream::ask_ahead(to.wrapping_add(start + PIECE), PIECE);
            std::ptr::copy_nonoverlapping(from.add(start), to.add(start), PIECE.min(bytes - start));
        }
    }
}

type Run = unsafe fn(*mut u8, *mut u8, isize, isize, usize);

/// # Safety
///
/// `n` elements of `T` at these strides in both, aligned.
unsafe fn run<T: Copy>(to: *mut u8, from: *mut u8, to_stride: isize, from_stride: isize, n: usize) {
    let side_by_side = size_of::<T>() as isize;
    // SAFETY: as the caller promises; the branches let the compiler see constant strides.
    unsafe {
        match (to_stride, from_stride) {
            (s, 0) if s == side_by_side => {
                let value = from.cast::<T>().read();
                for i in 0..n {
                    to.cast::<T>().add(i).write(value);
                }
            }
            (s, _) if s == side_by_side => {
                for i in 0..n {
                    to.cast::<T>().add(i).write(from.offset(i as isize * from_stride).cast::<T>().read());
                }
            }
            _ => {
                for i in 0..n as isize {
                    to.offset(i * to_stride).cast::<T>().write(from.offset(i * from_stride).cast::<T>().read());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Array, DType, Device, Layout, Scalar};
    use smallvec::smallvec;

    #[test]
    fn bytes_at_every_distance() {
        let from: Vec<u8> = (0..10_000).map(|i| (i * 7 % 251) as u8).collect();
        for bytes in [0, 1, 64, 2047, 2048, 2049, 4096, 5000] {
            for at in (0..66).chain(4030..4100) {
                let mut to = vec![0; 10_000];
                // SAFETY: both are long enough and apart.
                unsafe { super::copy_bytes(to.as_mut_ptr().add(at), from.as_ptr(), bytes) };
                assert_eq!(to[at..at + bytes], from[..bytes], "{at} {bytes}");
                assert!(to[..at].iter().chain(&to[at + bytes..]).all(|&x| x == 0), "{at} {bytes}");
            }
        }
    }

    #[test]
    fn every_item_size_and_layout() {
        for dtype in DType::ALL {
            let item = dtype.size() as isize;
            let x = Array::zeros(&[2, 3], dtype, Device::CPU).unwrap();
            for i in 0..6 {
                let one = Scalar::Bool(i % 2 == 0).to_element(dtype).unwrap();
                let cell = x.with_layout(Layout::new(smallvec![], smallvec![], i * dtype.size())).unwrap();
                super::copy_elements(&cell.operand(), &crate::Operand::repeated(&one, dtype, &[])).unwrap();
            }
            let transposed = x.with_layout(x.layout().reversed()).unwrap();
            let copied = transposed.to_owned_copy().unwrap();
            assert!(copied.is_c_contiguous());
            assert_eq!(copied.to_scalars().unwrap(), transposed.to_scalars().unwrap(), "{dtype}");
            let backward = x.with_layout(Layout::new(smallvec![6], smallvec![-item], 5 * item as usize)).unwrap();
            let mut expected = x.to_scalars().unwrap();
            expected.reverse();
            assert_eq!(backward.to_owned_copy().unwrap().to_scalars().unwrap(), expected, "{dtype}");
            let repeated = x.with_layout(Layout::new(smallvec![4, 3], smallvec![0, item], 0)).unwrap();
            assert_eq!(
                repeated.to_owned_copy().unwrap().to_scalars().unwrap(),
                repeated.to_scalars().unwrap(),
                "{dtype}"
            );
        }
    }
}
