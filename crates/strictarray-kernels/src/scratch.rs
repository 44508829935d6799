//! Memory to work in, of one type.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::slice;

use strictarray_core::{Buffer, Result, bytes_of};

use crate::Ctx;

/// Room for values of a type, from the pool. They are not set until somebody does.
pub(crate) struct Scratch<T> {
    memory: Buffer,
    len: usize,
    of: PhantomData<T>,
}

impl<T: Copy> Scratch<T> {
    pub(crate) fn new(ctx: &Ctx<'_>, len: usize) -> Result<Scratch<T>> {
        const { assert!(align_of::<T>() <= 64, "blocks are aligned to 64") };
        Ok(Scratch { memory: ctx.scratch(bytes_of(&[len], size_of::<T>())?)?, len, of: PhantomData })
    }

    /// The room.
    #[inline(always)]
    pub(crate) fn room(&mut self) -> &mut [MaybeUninit<T>] {
        // SAFETY: the block has room for `len` values, aligned, and this scratch is its only user.
        unsafe { slice::from_raw_parts_mut(self.memory.data().as_ptr().cast(), self.len) }
    }

    /// Where the room begins: for those who keep pointers into it, which a new slice would end.
    #[inline(always)]
    pub(crate) fn start(&mut self) -> *mut T {
        self.memory.data().as_ptr().cast()
    }

    /// The values.
    ///
    /// # Safety
    ///
    /// All must have been set.
    #[inline(always)]
    pub(crate) unsafe fn values(&mut self) -> &mut [T] {
        // SAFETY: as above, and the caller promises that they are set.
        unsafe { slice::from_raw_parts_mut(self.memory.data().as_ptr().cast(), self.len) }
    }

    /// All values set to one.
    pub(crate) fn filled(ctx: &Ctx<'_>, len: usize, value: T) -> Result<Scratch<T>> {
        let mut scratch = Scratch::new(ctx, len)?;
        scratch.room().fill(MaybeUninit::new(value));
        Ok(scratch)
    }
}

/// Whether there are so many bytes now: to be asked before a library takes them that ends the process where it finds none.
pub(crate) fn there_are(bytes: usize) -> bool {
    let mut asked = Vec::<u8>::new();
    let found = asked.try_reserve_exact(bytes).is_ok();
    // Else the compiler would see that nobody uses the memory, and not ask for it.
    std::hint::black_box(asked.as_mut_ptr());
    found
}
