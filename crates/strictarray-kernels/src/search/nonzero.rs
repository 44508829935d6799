//! The places of elements that are not zero.

use std::borrow::Cow;

use strictarray_core::{Array, Bool, DType, Device, Operand, Result};

use crate::ctx::TICK;
use crate::sort::lanes::Lane;
use crate::sort::{check_index, write_index};
use crate::{Ctx, cast, run};

/// What is not zero in an array, counted: the places are written when there is room for them.
pub struct Nonzero<'a> {
    /// A byte for each element in C order, not 0 where the element is not zero.
    mask: Cow<'a, Array>,
    count: usize,
}

impl<'a> Nonzero<'a> {
    /// Of any data type, of at least one axis.
    pub fn new(ctx: &Ctx<'_>, x: &'a Array) -> Result<Nonzero<'a>> {
        let mask = if x.dtype() == DType::Bool && x.is_c_contiguous() {
            Cow::Borrowed(x)
        } else {
            let mask = Array::uninit(x.shape(), DType::Bool, Device::CPU)?;
            cast::cast(ctx, &mask.operand(), &x.operand())?;
            Cow::Owned(mask)
        };
        let mut count = 0;
        for chunk in bytes(&mask).chunks(TICK) {
            count += count_set(chunk);
            ctx.check_cancelled()?;
        }
        Ok(Nonzero { mask, count })
    }

    /// How many elements are not zero.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Writes the places: an output for each axis, of one axis and as many contiguous int32 or int64 elements as were counted.
    pub fn places(&self, ctx: &Ctx<'_>, outs: &[Operand<'_>]) -> Result<()> {
        let shape = self.mask.shape();
        let fits = |out: &Operand<'_>| {
            out.shape() == [self.count] && (self.count < 2 || out.strides() == [out.dtype().size() as isize])
        };
        if outs.len() != shape.len() || !outs.iter().all(fits) {
            return Err(run::misuse("nonzero: outputs"));
        }
        let mut lanes = Vec::new();
        for out in outs {
            check_index(out.dtype())?;
            lanes.push((
                Lane { ptr: out.ptr(), stride: out.dtype().size() as isize, n: self.count },
                out.dtype() == DType::Int32,
            ));
        }
        let (Some((&row, outer)), Some(((last, narrow), others))) = (shape.split_last(), lanes.split_last()) else {
            return Err(run::misuse("nonzero: a 0-d array"));
        };
        let mut position = vec![0usize; outer.len()];
        let (mut done, mut since) = (0, 0);
        for row in bytes(&self.mask).chunks(row.max(1)) {
            let start = done;
            for (i, part) in row.chunks(TICK).enumerate() {
                // SAFETY: the lane has `count` elements of this data type, ours to write.
                unsafe {
                    done += if *narrow {
                        set_places(part, i * TICK, last.at::<i32>(done), last.n - done, |p| p as i32)
                    } else {
                        set_places(part, i * TICK, last.at::<i64>(done), last.n - done, |p| p as i64)
                    };
                }
                since += part.len();
                if since >= TICK {
                    since = 0;
                    ctx.check_cancelled()?;
                }
            }
            for (axis, &(lane, narrow)) in others.iter().enumerate() {
                for k in start..done {
                    // SAFETY: as above: k is below the count.
                    unsafe { write_index(lane, k, position[axis], narrow) };
                }
            }
            for axis in (0..outer.len()).rev() {
                position[axis] += 1;
                if position[axis] < outer[axis] {
                    break;
                }
                position[axis] = 0;
            }
        }
        // Another thread may have cleared elements since they were counted: what is left is set all the same.
        for &(lane, narrow) in &lanes {
            for k in done..self.count {
                // SAFETY: as above.
                unsafe { write_index(lane, k, 0, narrow) };
            }
        }
        Ok(())
    }
}

fn bytes(mask: &Array) -> &[u8] {
    // SAFETY: in C order, a byte an element; a `Bool` is any byte.
    unsafe { std::slice::from_raw_parts(mask.ptr(), mask.size() * size_of::<Bool>()) }
}

fn count_set(bytes: &[u8]) -> usize {
    // In short blocks, so that it vectorises with small counters.
    bytes.chunks(128).map(|block| block.iter().fold(0u8, |n, &b| n + u8::from(b != 0)) as usize).sum()
}

/// Writes the places of what is set, at most `room`, and says how many.
///
/// # Safety
///
/// Room for so many `T`.
#[inline(always)]
unsafe fn set_places<T>(bytes: &[u8], first: usize, out: *mut T, room: usize, index: impl Fn(usize) -> T) -> usize {
    const BLOCK: usize = 8;
    let mut done = 0;
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let mut place = first;
    // Every place is written, set or not, so that there is no branch on the data: the next one overwrites what was not.
    let put = |done: usize, place: usize| {
        // SAFETY: below the room, as is checked before.
        unsafe { out.add(done).write(index(place)) };
    };
    for block in blocks {
        if u64::from_ne_bytes(*block) != 0 {
            if room - done < BLOCK {
                break;
            }
            for (i, &byte) in block.iter().enumerate() {
                put(done, place + i);
                done += usize::from(byte != 0);
            }
        }
        place += BLOCK;
    }
    for &byte in &bytes[place - first..] {
        if done == room {
            break;
        }
        put(done, place);
        done += usize::from(byte != 0);
        place += 1;
    }
    done
}
