//! Blocks of memory: where the data of arrays lives.
//!
//! A block is one allocation: a header of one cache line, then the data, 64-byte aligned. Arrays and exports hold the
//! block by counts, so that a DLPack deleter only counts down. A block may instead describe borrowed memory: then the
//! header alone is ours, and the lender's owner is dropped with it.
//!
//! Freed blocks are kept for reuse, small ones per thread, large ones in a pool with a cap: a page fault costs more than
//! the arithmetic on the page.

use std::alloc::{Layout as Allocation, alloc_zeroed, dealloc};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, TryLockError};

use strictarray_standard::rule;

use crate::{Device, Error, Result};

const ALIGN: usize = 64;
const HEADER: usize = 64;
/// One array, one export in [`Header::counts`].
const ONE_ARRAY: u64 = 1;
const ONE_EXPORT: u64 = 1 << 32;
const ARRAYS: u64 = ONE_EXPORT - 1;

#[repr(C, align(64))]
struct Header {
    /// Live arrays in the low half, live exports in the high one.
    counts: AtomicU64,
    data: NonNull<u8>,
    len: usize,
    /// What the pool needs to take the block back.
    ticket: pool::Ticket,
    made: OnceLock<Box<Box<str>>>,
    lender: Option<Box<dyn Send + Sync>>,
}

const _: () = assert!(size_of::<Header>() <= HEADER && align_of::<Header>() == ALIGN);

/// A counted reference of an array to its block.
#[derive(Debug)]
pub struct Buffer {
    block: NonNull<Header>,
    device: Device,
}

/// A counted reference of an export to a block.
#[derive(Debug)]
pub struct ExportRef(NonNull<Header>);

// SAFETY: the header's fields are atomic, written once before it is shared, or (`made`) a OnceLock; the data is reached
// by raw pointers only, whose users keep to the rules of this crate; the lender is Send + Sync.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}
// SAFETY: as above.
unsafe impl Send for ExportRef {}
// SAFETY: as above.
unsafe impl Sync for ExportRef {}

impl Buffer {
    /// A block of bytes of any value, those of an earlier block perhaps: for a kernel that writes each of them.
    #[inline]
    pub fn uninit(len: usize, device: Device) -> Result<Buffer> {
        Self::own(len, device, false)
    }

    /// A block of zeros.
    pub fn zeroed(len: usize, device: Device) -> Result<Buffer> {
        Self::own(len, device, true)
    }

    #[inline]
    fn own(len: usize, device: Device, zero: bool) -> Result<Buffer> {
        let (block, ticket) = pool::take(len, zero).ok_or_else(|| no_memory(len))?;
        // SAFETY: `take` gave at least HEADER + len bytes aligned to 64, ours alone; the data starts inside or one past.
        unsafe {
            let data = NonNull::new_unchecked(block.as_ptr().add(HEADER));
            let block = block.cast::<Header>();
            block.write(Header {
                counts: AtomicU64::new(ONE_ARRAY),
                data,
                len,
                ticket,
                made: OnceLock::new(),
                lender: None,
            });
            Ok(Buffer { block, device })
        }
    }

    /// Borrowed memory. The lender is dropped when the last array and the last export of it are gone.
    ///
    /// # Safety
    ///
    /// `data` must be valid for reads of `len` bytes (and for writes, unless every array of it is read-only) until the
    /// lender is dropped.
    pub unsafe fn borrowed(
        data: NonNull<u8>,
        len: usize,
        device: Device,
        lender: Box<dyn Send + Sync>,
    ) -> Result<Buffer> {
        let (block, ticket) = pool::take(0, false).ok_or_else(|| no_memory(0))?;
        let block = block.cast::<Header>();
        // SAFETY: `take` gave at least HEADER bytes aligned to 64, ours alone.
        unsafe {
            block.write(Header {
                counts: AtomicU64::new(ONE_ARRAY),
                data,
                len,
                ticket,
                made: OnceLock::new(),
                lender: Some(lender),
            });
        }
        Ok(Buffer { block, device })
    }

    fn header(&self) -> &Header {
        // SAFETY: the header lives while a count is held, and this reference holds one.
        unsafe { self.block.as_ref() }
    }

    /// The first byte.
    #[inline]
    pub fn data(&self) -> NonNull<u8> {
        self.header().data
    }

    /// How many bytes there are.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "a size in bytes, not a collection")]
    pub fn len(&self) -> usize {
        self.header().len
    }

    /// The device whose memory it is.
    #[inline]
    pub fn device(&self) -> Device {
        self.device
    }

    /// Whether the memory belongs to someone else.
    pub fn is_borrowed(&self) -> bool {
        self.header().lender.is_some()
    }

    /// How many arrays live on it.
    pub fn arrays(&self) -> u64 {
        self.header().counts.load(Ordering::Relaxed) & ARRAYS
    }

    /// How many exports of it live.
    pub fn exports(&self) -> u64 {
        self.header().counts.load(Ordering::Relaxed) / ONE_EXPORT
    }

    /// Whether both are the same block.
    #[inline]
    pub fn same_block(&self, other: &Buffer) -> bool {
        self.block == other.block
    }

    /// Where it was made, if somebody noted it.
    pub fn made(&self) -> Option<&str> {
        self.header().made.get().map(|s| &***s)
    }

    /// Notes where it was made; the first note stays.
    pub fn note_made(&self, site: Box<str>) {
        let _ = self.header().made.set(Box::new(site));
    }

    /// A reference for an export.
    pub fn export(&self) -> ExportRef {
        check_count(self.header().counts.fetch_add(ONE_EXPORT, Ordering::Relaxed) / ONE_EXPORT);
        ExportRef(self.block)
    }
}

impl Clone for Buffer {
    #[inline]
    fn clone(&self) -> Buffer {
        check_count(self.header().counts.fetch_add(ONE_ARRAY, Ordering::Relaxed) & ARRAYS);
        Buffer { block: self.block, device: self.device }
    }
}

impl Drop for Buffer {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: this reference holds one array.
        unsafe { release(self.block, ONE_ARRAY) }
    }
}

impl Drop for ExportRef {
    fn drop(&mut self) {
        // SAFETY: this reference holds one export.
        unsafe { release(self.0, ONE_EXPORT) }
    }
}

/// Gives a count back and frees the block with the last one.
///
/// # Safety
///
/// The caller holds that count and gives it up.
#[inline]
unsafe fn release(block: NonNull<Header>, count: u64) {
    // SAFETY: the header lives, since the caller holds a count. Release, and Acquire before freeing, as in Arc: all uses
    // by other threads happen before the block is freed.
    let before = unsafe { block.as_ref() }.counts.fetch_sub(count, Ordering::Release);
    if before == count {
        std::sync::atomic::fence(Ordering::Acquire);
        // SAFETY: the last count is gone: nobody else reaches the block.
        let Header { ticket, lender, made, .. } = unsafe { block.read() };
        drop(made);
        // SAFETY: the block came from `take` with this ticket, and nobody reaches it.
        unsafe { pool::give(block.cast(), ticket) }
        if let Some(lender) = lender {
            give_back(lender);
        }
    }
}

/// Ends the process where a count comes near to running over, as `Arc` does: what follows would be a use after free. Two
/// billion references need some hundred gigabytes before.
#[inline]
fn check_count(count: u64) {
    if count > u64::from(u32::MAX / 2) {
        std::process::abort();
    }
}

type Lender = Box<dyn Send + Sync>;

/// Drops a lender. Its drop may free another borrowed block, and so on along a chain of exchanges of any length: those wait
/// here until the first one is done, so that the chain does not become a depth of the stack.
#[cold]
fn give_back(lender: Lender) {
    thread_local! {
        /// What waits, while this thread is dropping a lender.
        static WAITING: RefCell<Option<Vec<Lender>>> = const { RefCell::new(None) };
    }
    let mut lender = Some(lender);
    let nested = WAITING.try_with(|waiting| {
        let mut waiting = waiting.borrow_mut();
        match &mut *waiting {
            Some(list) => {
                list.extend(lender.take());
                true
            }
            None => {
                *waiting = Some(Vec::new());
                false
            }
        }
    });
    if nested == Ok(true) {
        return;
    }
    while let Some(next) = lender.take() {
        drop(next);
        // A thread that is ending has no list: then this one was dropped at once, as were those behind it.
        lender = WAITING.try_with(|waiting| waiting.borrow_mut().as_mut().and_then(Vec::pop)).ok().flatten();
    }
    let _ = WAITING.try_with(|waiting| waiting.borrow_mut().take());
}

#[cold]
fn no_memory(len: usize) -> Error {
    Error::new(&rule::MEMORY, format!("{len} bytes asked for"))
}

mod pool {
    use super::*;

    /// Blocks up to this size stay with their thread.
    const SMALL: usize = HEADER + 256;
    const SMALL_CLASSES: usize = SMALL / ALIGN;
    const SMALL_KEPT: usize = 64;
    /// Four classes for each power of two from 512 bytes up; larger blocks are not kept.
    const LARGE_CLASSES: usize = 4 * 22;
    const SMALLEST_SHIFT: u32 = 9;
    /// What the pool keeps at most: two operands and a result of 1e7 doubles.
    const CAP: usize = 256 << 20;

    /// The size of a block (a multiple of 64), and in its low bits how far behind its allocation's start it begins.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Ticket(usize);

    impl Ticket {
        fn size(self) -> usize {
            self.0 & !(ALIGN - 1)
        }

        fn shift(self) -> usize {
            self.0 & (ALIGN - 1)
        }
    }

    type Block = (NonNull<u8>, Ticket);

    struct Local([Vec<NonNull<u8>>; SMALL_CLASSES]);

    impl Drop for Local {
        fn drop(&mut self) {
            for (class, blocks) in self.0.iter_mut().enumerate() {
                for block in blocks.drain(..) {
                    // SAFETY: blocks of this list have this class's size and no shift, and nobody else reaches them.
                    unsafe { free(block, Ticket((class + 1) * ALIGN)) }
                }
            }
        }
    }

    thread_local! {
        static LOCAL: RefCell<Local> = const { RefCell::new(Local([const { Vec::new() }; SMALL_CLASSES])) };
    }

    /// The blocks of a class, all of one size, the last one given back at the end; and when one was last taken or given back.
    struct Kept {
        blocks: VecDeque<Block>,
        used: u64,
    }
    // SAFETY: the blocks are free memory that belongs to the pool alone.
    unsafe impl Send for Kept {}

    static LARGE: [Mutex<Kept>; LARGE_CLASSES] =
        [const { Mutex::new(Kept { blocks: VecDeque::new(), used: 0 }) }; LARGE_CLASSES];
    static KEPT_BYTES: AtomicUsize = AtomicUsize::new(0);
    /// Counts what is given back.
    static NOW: AtomicU64 = AtomicU64::new(0);

    /// The class of a large size and the size that its blocks have.
    fn large(size: usize) -> Option<(usize, usize)> {
        let size = size.max(1 << SMALLEST_SHIFT);
        let shift = usize::BITS - 1 - size.leading_zeros();
        let step = 1usize << (shift - 2);
        let rounded = size.checked_add(step - 1)? & !(step - 1);
        let shift = usize::BITS - 1 - rounded.leading_zeros();
        let quarter = (rounded >> (shift - 2)) & 3;
        let class = (shift - SMALLEST_SHIFT) as usize * 4 + quarter;
        (rounded <= isize::MAX as usize - ALIGN).then_some((class, rounded))
    }

    /// A lock that a thread never waits for: whoever finds it taken goes to the allocator. So a child of fork(), in which
    /// the thread that held it does not exist, only loses the pool.
    fn lock(class: usize) -> Option<std::sync::MutexGuard<'static, Kept>> {
        match LARGE.get(class)?.try_lock() {
            Ok(kept) => Some(kept),
            Err(TryLockError::Poisoned(kept)) => Some(kept.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// At least HEADER + len bytes, aligned to 64; with `zero` the bytes after the header are 0, else what an earlier user
    /// left there or 0.
    #[inline]
    pub(super) fn take(len: usize, zero: bool) -> Option<Block> {
        let size = len.checked_add(HEADER)?;
        let kept = if size <= SMALL {
            let class = (size - 1) / ALIGN;
            let kept = LOCAL.try_with(|local| local.try_borrow_mut().ok()?.0[class].pop()).ok().flatten();
            match kept {
                Some(block) => (block, Ticket((class + 1) * ALIGN)),
                None => return fresh_small((class + 1) * ALIGN),
            }
        } else {
            let (class, size) = large(size)?;
            let take = |mut kept: std::sync::MutexGuard<'_, Kept>| {
                kept.used = NOW.load(Ordering::Relaxed);
                kept.blocks.pop_back()
            };
            match lock(class).and_then(take) {
                Some(block) => {
                    KEPT_BYTES.fetch_sub(size, Ordering::Relaxed);
                    block
                }
                None => return fresh_large(size),
            }
        };
        if zero {
            // SAFETY: the block has HEADER + len bytes, ours alone.
            unsafe { kept.0.as_ptr().add(HEADER).write_bytes(0, len) }
        }
        Some(kept)
    }

    /// What a block holds when it is new: zeros, so that blocks that were kept never hold bytes that nobody set.
    #[cold]
    fn fresh_small(size: usize) -> Option<Block> {
        let allocation = Allocation::from_size_align(size, ALIGN).ok()?;
        // SAFETY: the size is not 0.
        let block = unsafe { alloc_zeroed(allocation) };
        Some((NonNull::new(block)?, Ticket(size)))
    }

    /// As [`fresh_small`]. Large blocks are asked for with the allocator's own alignment and aligned here: only so do zeros
    /// come as untouched zero pages (an over-aligned request is cleared by hand).
    #[cold]
    fn fresh_large(size: usize) -> Option<Block> {
        if size >= system::ENOUGH {
            return Some((system::map(size)?, Ticket(size)));
        }
        let allocation = Allocation::from_size_align(size + ALIGN, 16).ok()?;
        // SAFETY: the size is not 0.
        let start = NonNull::new(unsafe { alloc_zeroed(allocation) })?;
        let shift = start.as_ptr().addr().wrapping_neg() % ALIGN;
        // SAFETY: the allocation has `size` + 64 bytes, and the shift is below 64.
        Some((unsafe { start.add(shift) }, Ticket(size | shift)))
    }

    /// Blocks straight from the system, on huge pages where it gives them to those who ask: with small ones page faults and
    /// misses of the translation cache take up to three quarters of the time of a cheap loop over large arrays. The
    /// allocator can't be asked for them: what it has is often on small pages already.
    #[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
    mod system {
        use std::ptr::{NonNull, null_mut};

        /// Smaller blocks hardly contain a huge page.
        pub(super) const ENOUGH: usize = 4 << 20;
        const HUGE_PAGE: usize = 2 << 20;

        /// Zeros, at the start of a huge page. The size is a class's from [`ENOUGH`] on: a multiple of 1 MiB.
        pub(super) fn map(size: usize) -> Option<NonNull<u8>> {
            let all = size.checked_add(HUGE_PAGE)?;
            let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            // SAFETY: a new mapping, at an address that the system chooses.
            let start = unsafe { libc::mmap(null_mut(), all, access, kind, -1, 0) };
            if start == libc::MAP_FAILED {
                return None;
            }
            let before = start.addr().wrapping_neg() % HUGE_PAGE;
            let block = start.wrapping_byte_add(before);
            // SAFETY: whole pages of the new mapping, which nobody has seen: those before and behind the block, if any, and
            // advice on the block, which leaves what it holds. An error of one of them changes nothing.
            unsafe {
                if before > 0 {
                    libc::munmap(start, before);
                }
                libc::munmap(block.wrapping_byte_add(size), HUGE_PAGE - before);
                libc::madvise(block, size, libc::MADV_HUGEPAGE);
            }
            NonNull::new(block.cast())
        }

        /// Gives a block back.
        ///
        /// # Safety
        ///
        /// It came from [`map`] with this size, and nobody reaches it any more.
        pub(super) unsafe fn unmap(block: NonNull<u8>, size: usize) {
            // SAFETY: as the caller promises.
            unsafe { libc::munmap(block.as_ptr().cast(), size) };
        }
    }

    #[cfg(not(all(target_os = "linux", target_pointer_width = "64", not(miri))))]
    mod system {
        use std::ptr::NonNull;

        pub(super) const ENOUGH: usize = usize::MAX;

        pub(super) fn map(_: usize) -> Option<NonNull<u8>> {
            None
        }

        pub(super) unsafe fn unmap(_: NonNull<u8>, _: usize) {}
    }

    /// Gives a block back to the allocator.
    ///
    /// # Safety
    ///
    /// It came from [`take`] with this ticket, and nobody reaches it any more.
    unsafe fn free(block: NonNull<u8>, ticket: Ticket) {
        let size = ticket.size();
        // SAFETY: these are the sizes, alignments and starts with which `fresh_small` and `fresh_large` asked, or mapped.
        unsafe {
            if size <= SMALL {
                dealloc(block.as_ptr(), Allocation::from_size_align_unchecked(size, ALIGN));
            } else if size >= system::ENOUGH {
                system::unmap(block, size);
            } else {
                let start = block.as_ptr().sub(ticket.shift());
                dealloc(start, Allocation::from_size_align_unchecked(size + ALIGN, 16));
            }
        }
    }

    /// Takes a block back.
    ///
    /// # Safety
    ///
    /// It came from [`take`] with this ticket, and nobody reaches it any more.
    #[inline]
    pub(super) unsafe fn give(block: NonNull<u8>, ticket: Ticket) {
        let size = ticket.size();
        let kept = if size <= SMALL { keep_small(block, size / ALIGN - 1) } else { keep_large(block, ticket) };
        if !kept {
            // SAFETY: as the caller promises.
            unsafe { free(block, ticket) }
        }
    }

    /// Whether the thread's list took it; a thread that is ending has none any more.
    #[inline]
    fn keep_small(block: NonNull<u8>, class: usize) -> bool {
        let keep = |local: &RefCell<Local>| {
            local.try_borrow_mut().is_ok_and(|mut local| {
                let room = local.0[class].len() < SMALL_KEPT;
                if room {
                    local.0[class].push(block);
                }
                room
            })
        };
        LOCAL.try_with(keep).unwrap_or(false)
    }

    fn keep_large(block: NonNull<u8>, ticket: Ticket) -> bool {
        let size = ticket.size();
        let Some((class, _)) = large(size) else { return false };
        if size > CAP {
            return false;
        }
        loop {
            let over = (KEPT_BYTES.load(Ordering::Relaxed) + size).saturating_sub(CAP);
            if over == 0 {
                break;
            }
            if !free_oldest(over) {
                return false;
            }
        }
        let Some(mut kept) = lock(class) else { return false };
        kept.blocks.push_back((block, ticket));
        kept.used = NOW.fetch_add(1, Ordering::Relaxed);
        KEPT_BYTES.fetch_add(size, Ordering::Relaxed);
        true
    }

    /// Gives so many bytes, or all there are, of the class that was not asked for the longest back to the system; says whether
    /// there were any. Else blocks of sizes that nobody wants any more would keep all others out.
    #[cold]
    fn free_oldest(wanted: usize) -> bool {
        let age = |class| {
            let kept = lock(class)?;
            (!kept.blocks.is_empty()).then_some((kept.used, class))
        };
        let Some((_, class)) = (0..LARGE_CLASSES).filter_map(age).min() else { return false };
        // Another thread may have been faster.
        let Some(mut kept) = lock(class) else { return false };
        let Some(size) = kept.blocks.front().map(|(_, ticket)| ticket.size()) else { return false };
        let count = wanted.div_ceil(size).min(kept.blocks.len());
        let freed: Vec<Block> = kept.blocks.drain(..count).collect();
        drop(kept);
        KEPT_BYTES.fetch_sub(count * size, Ordering::Relaxed);
        for (block, ticket) in freed {
            // SAFETY: the block was the pool's alone, and came from `take`.
            unsafe { free(block, ticket) };
        }
        true
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn classes_are_monotone_and_hold_their_sizes() {
            let mut last = (0, 0);
            for size in (1..200_000).step_by(7).chain((18..50).map(|s| (1usize << s) + 1)) {
                let (class, rounded) = large(size).unwrap();
                assert!(rounded >= size && rounded <= size.max(512) + size / 4 + 1, "{size}: {rounded}");
                assert_eq!(large(rounded), Some((class, rounded)), "{size}: a block must come back to its own class");
                assert!((class, rounded) >= last, "{size}");
                assert!(rounded < system::ENOUGH || rounded % (1 << 20) == 0, "{size}: not whole pages");
                last = (class, rounded);
            }
            assert_eq!(large(isize::MAX as usize + 2), None);
            assert_eq!(large(usize::MAX), None);
        }

        #[test]
        fn many_small_blocks_make_room_at_once() {
            // Of 640 bytes: each by itself would be looked for among all.
            let many: Vec<_> = (0..200_000).map(|_| take(600, false).unwrap()).collect();
            for (block, ticket) in many {
                // SAFETY: as it was taken.
                unsafe { give(block, ticket) };
            }
            let (block, ticket) = take(CAP - (48 << 20), false).unwrap();
            let start = std::time::Instant::now();
            // SAFETY: as it was taken.
            unsafe { give(block, ticket) };
            // Some milliseconds; one by one it was seconds.
            assert!(start.elapsed().as_secs_f64() < 1.0, "{:?}", start.elapsed());
        }

        #[test]
        fn blocks_that_nobody_wants_any_more_make_room() {
            // What it was marked with before: a block that is new holds zeros.
            let mark = |len| {
                let (block, ticket) = take(len, false).unwrap();
                // SAFETY: as it was taken, ours alone, with so many bytes, of which each is set.
                unsafe {
                    let place = block.as_ptr().add(len);
                    let before = place.replace(7);
                    give(block, ticket);
                    before
                }
            };
            // Other tests use the pool, too: so it is tried some times.
            let again = (0..20).any(|_| {
                let many: Vec<_> = (0..CAP / (40 << 20) + 1).map(|_| take(36 << 20, false).unwrap()).collect();
                for (block, ticket) in many {
                    // SAFETY: as it was taken.
                    unsafe { give(block, ticket) };
                }
                mark(50 << 20);
                mark(50 << 20) == 7
            });
            assert!(again);
            let kept: usize = (0..LARGE_CLASSES)
                .filter_map(lock)
                .map(|kept| kept.blocks.iter().map(|(_, ticket)| ticket.size()).sum::<usize>())
                .sum();
            assert!(kept <= CAP + (64 << 20), "{kept}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    struct Flag(Arc<AtomicUsize>);
    impl Drop for Flag {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn arrays_and_exports_are_counted_apart_and_the_last_frees() {
        let dropped = Arc::new(AtomicUsize::new(0));
        let mut memory = vec![7u8; 100].into_boxed_slice();
        let data = NonNull::new(memory.as_mut_ptr()).unwrap();
        // SAFETY: the memory outlives the buffer below.
        let buffer = unsafe { Buffer::borrowed(data, 100, Device::CPU, Box::new(Flag(dropped.clone()))) }.unwrap();
        assert!(buffer.is_borrowed());
        let second = buffer.clone();
        let export = buffer.export();
        assert_eq!((buffer.arrays(), buffer.exports()), (2, 1));
        drop(buffer);
        assert_eq!((second.arrays(), second.exports()), (1, 1));
        drop(second);
        assert_eq!(dropped.load(Ordering::SeqCst), 0, "the export still holds it");
        std::thread::spawn(move || drop(export)).join().unwrap();
        assert_eq!(dropped.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_long_chain_of_borrowed_blocks_is_freed_without_depth() {
        static DROPPED: AtomicUsize = AtomicUsize::new(0);
        struct Link(#[allow(dead_code, reason = "held, not read")] Buffer);
        impl Drop for Link {
            fn drop(&mut self) {
                DROPPED.fetch_add(1, Ordering::Relaxed);
            }
        }
        let mut chain = Buffer::zeroed(8, Device::CPU).unwrap();
        let data = chain.data();
        for _ in 0..200_000 {
            // SAFETY: the first buffer of the chain keeps the bytes.
            chain = unsafe { Buffer::borrowed(data, 8, Device::CPU, Box::new(Link(chain))) }.unwrap();
        }
        drop(chain);
        assert_eq!(DROPPED.load(Ordering::Relaxed), 200_000);
    }

    #[test]
    fn data_is_aligned_zeroed_on_request_and_apart() {
        for len in [0, 1, 8, 63, 64, 65, 256, 257, 1000, 4096, 1 << 20, 3 << 20] {
            let a = Buffer::uninit(len, Device::CPU).unwrap();
            // SAFETY: `len` bytes, ours alone.
            unsafe { a.data().as_ptr().write_bytes(0xff, len) };
            drop(a);
            let z = Buffer::zeroed(len, Device::CPU).unwrap();
            assert_eq!(z.data().as_ptr() as usize % 64, 0);
            assert_eq!(z.len(), len);
            // SAFETY: zeroed: `len` initialised bytes, nobody writes them.
            let bytes = unsafe { std::slice::from_raw_parts(z.data().as_ptr(), len) };
            assert!(bytes.iter().all(|&b| b == 0), "{len}");
            let other = Buffer::zeroed(len, Device::CPU).unwrap();
            assert!(!z.same_block(&other));
        }
    }

    #[test]
    fn the_counts_have_room_for_more_exports_than_memory_has() {
        let buffer = Buffer::zeroed(8, Device::CPU).unwrap();
        const MANY: u64 = 1 << 25;
        for _ in 0..MANY {
            std::mem::forget(buffer.export());
        }
        assert_eq!((buffer.arrays(), buffer.exports()), (1, MANY));
    }

    #[test]
    fn absurd_sizes_are_an_error() {
        for len in [usize::MAX, isize::MAX as usize, isize::MAX as usize - 64, 1 << 60] {
            assert_eq!(Buffer::uninit(len, Device::CPU).unwrap_err().rule().id, "out-of-memory");
        }
    }

    #[test]
    fn the_first_note_of_where_it_was_made_stays() {
        let buffer = Buffer::zeroed(8, Device::CPU).unwrap();
        assert_eq!(buffer.made(), None);
        buffer.note_made("here".into());
        buffer.note_made("there".into());
        assert_eq!(buffer.clone().made(), Some("here"));
    }

    #[test]
    fn blocks_may_be_freed_on_other_threads() {
        let threads: Vec<_> = (0..4)
            .map(|i| {
                std::thread::spawn(move || {
                    (0..200).map(|k| Buffer::zeroed((i * 37 + k * 11) % 5000, Device::CPU).unwrap()).collect::<Vec<_>>()
                })
            })
            .collect();
        let all: Vec<_> = threads.into_iter().flat_map(|t| t.join().unwrap()).collect();
        assert!(all.iter().all(|b| b.arrays() == 1));
    }
}
