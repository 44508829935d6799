//! Writes that go past the caches.
//!
//! A store brings the line it writes to into the caches, from memory, and makes room for it there. What is larger than they
//! are gains nothing by that: the next reader finds it in memory anyway.

use crate::Operand;

/// Bytes side by side that are worth writing so: of short ones most lines would be written in parts.
pub const WORTH: usize = 1024;

/// The writes of one call past the caches. Dropped, it orders them before what follows.
pub struct Stream(());

impl Stream {
    /// For a call that reads these operands and writes `out`, where all of them together are too large for the caches: from
    /// 3/4 of the last-level cache on. Measured on Zen 3 with 32 MiB of it: from 5/8 on it is a gain more often than not,
    /// depending on how much of the cache others take; from here on it always is one, also for what reads the result next.
    ///
    /// Not where the output is one of the operands, nor where it overlaps itself: then the caches have its lines.
    #[inline]
    pub fn open(out: &Operand<'_>, operands: &[&Operand<'_>]) -> Option<Stream> {
        /// Few elements are not worth the look at the operands.
        const FEW: usize = 1 << 17;
        if out.size() < FEW { None } else { Stream::of_many(out, operands) }
    }

    #[cold]
    fn of_many(out: &Operand<'_>, operands: &[&Operand<'_>]) -> Option<Stream> {
        let read = operands.iter().map(|x| x.bytes()).fold(0, usize::saturating_add);
        let large = is_large(out.bytes(), read, imp::last_cache());
        let apart = !out.overlaps_itself() && operands.iter().all(|x| x.ptr() != out.ptr());
        (imp::STREAMS && large && apart).then_some(Stream(()))
    }

    /// Copies bytes past the caches.
    ///
    /// # Safety
    ///
    /// So many bytes are at both, apart from one another or at the same place. Nobody, this thread included, reads or writes
    /// those at `to` before the stream is dropped.
    #[inline]
    pub unsafe fn copy(&self, to: *mut u8, from: *const u8, bytes: usize) {
        // SAFETY: as the caller promises.
        unsafe { imp::copy(to, from, bytes) }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        imp::fence();
    }
}

/// Asks for the lines of so many bytes.
#[inline(always)]
pub(crate) fn ask_ahead(from: *const u8, bytes: usize) {
    imp::ask_ahead(from, bytes);
}

/// The bounds of what is believed of a last-level cache.
const LEAST_CACHE: usize = 8 << 20;
const MOST_CACHE: usize = 64 << 20;

fn is_large(written: usize, read: usize, cache: usize) -> bool {
    // Where little is written, there is little to gain.
    written >= read / 4 && written.saturating_add(read) >= cache / 4 * 3
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod imp {
    use std::arch::x86_64::{__m128i, _MM_HINT_T0, _mm_loadu_si128, _mm_prefetch, _mm_sfence, _mm_stream_si128};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use raw_cpuid::{CacheType, CpuId};

    pub(super) const STREAMS: bool = true;

    /// Bytes of the last cache that a core reaches, within what is believed: a large one is shared by many.
    pub(super) fn last_cache() -> usize {
        static BYTES: AtomicUsize = AtomicUsize::new(0);
        match BYTES.load(Ordering::Relaxed) {
            0 => {
                let bytes = detect();
                BYTES.store(bytes, Ordering::Relaxed);
                bytes
            }
            bytes => bytes,
        }
    }

    #[cold]
    fn detect() -> usize {
        /// Of a processor that does not say.
        const LIKELY: usize = 32 << 20;
        let caches = CpuId::new().get_cache_parameters().into_iter().flatten();
        let bytes = caches
            .filter(|cache| matches!(cache.cache_type(), CacheType::Unified))
            .map(|c| c.associativity() * c.physical_line_partitions() * c.coherency_line_size() * c.sets())
            .max();
        bytes.unwrap_or(LIKELY).clamp(super::LEAST_CACHE, super::MOST_CACHE)
    }

    const LINE: usize = 64;

    #[inline(always)]
    pub(super) fn ask_ahead(from: *const u8, bytes: usize) {
        for at in (0..bytes).step_by(LINE) {
            // SAFETY: a hint, to which any address may be given.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add(at).cast()) };
        }
    }

    /// # Safety
    ///
    /// As [`super::Stream::copy`].
    pub(super) unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize) {
        const PARTS: usize = LINE / size_of::<__m128i>();
        let before = to.align_offset(LINE).min(bytes);
        let lines = (bytes - before) / LINE;
        let after = bytes - before - lines * LINE;
        // SAFETY: as the caller promises; the lines of `to` are aligned, each is read before it is written, and the
        // instructions are those of every x86-64.
        unsafe {
            std::ptr::copy(from, to, before);
            let (mut to, mut from) = (to.add(before), from.add(before));
            for _ in 0..lines {
                let line: [__m128i; PARTS] = std::array::from_fn(|k| _mm_loadu_si128(from.cast::<__m128i>().add(k)));
                for (k, part) in line.into_iter().enumerate() {
                    _mm_stream_si128(to.cast::<__m128i>().add(k), part);
                }
                (to, from) = (to.add(LINE), from.add(LINE));
            }
            std::ptr::copy(from, to, after);
        }
    }

    pub(super) fn fence() {
        // SAFETY: every x86-64 has the instruction.
        unsafe { _mm_sfence() };
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
mod imp {
    pub(super) const STREAMS: bool = false;

    pub(super) fn last_cache() -> usize {
        usize::MAX
    }

    pub(super) fn ask_ahead(_: *const u8, _: usize) {}

    /// # Safety
    ///
    /// As [`super::Stream::copy`].
    pub(super) unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize) {
        // SAFETY: as the caller promises.
        unsafe { std::ptr::copy(from, to, bytes) }
    }

    pub(super) fn fence() {}
}

#[cfg(test)]
mod tests {
    use smallvec::smallvec;

    use super::*;
    use crate::{Array, DType, Device, Layout};

    #[test]
    fn copies_what_begins_and_ends_anywhere() {
        let from: Vec<u8> = (0..1000).map(|i| (i * 7 % 251) as u8).collect();
        for start in [0, 1, 15, 16, 63, 64, 65] {
            for at in [0, 1, 8, 16, 63] {
                for bytes in [0, 1, 15, 63, 64, 65, 127, 128, 200, 700] {
                    let mut to = vec![0; 1000];
                    let mut wanted = to.clone();
                    wanted[at..at + bytes].copy_from_slice(&from[start..start + bytes]);
                    // SAFETY: both are long enough and apart, and the stream is dropped at once.
                    unsafe { Stream(()).copy(to.as_mut_ptr().add(at), from.as_ptr().add(start), bytes) };
                    assert_eq!(to, wanted, "{start} {at} {bytes}");
                }
            }
        }
    }

    #[test]
    fn what_is_larger_than_the_caches() {
        assert!(is_large(24 << 20, 0, 32 << 20) && is_large(8 << 20, 16 << 20, 32 << 20));
        assert!(!is_large(12 << 20, 11 << 20, 32 << 20) && !is_large(10 << 20, 80 << 20, 32 << 20));
        assert!(!is_large(usize::MAX / 8, usize::MAX, usize::MAX));
        if imp::STREAMS {
            assert!((LEAST_CACHE..=MOST_CACHE).contains(&imp::last_cache()));
        }
    }

    #[test]
    fn outputs_that_the_caches_have_are_not_streamed() {
        let n = MOST_CACHE / 8;
        let [x, y] = [(); 2].map(|()| Array::zeros(&[n], DType::Float64, Device::CPU).unwrap());
        let opens = |out: &Array, operands: &[&Array]| {
            let operands: Vec<_> = operands.iter().map(|x| x.operand()).collect();
            Stream::open(&out.operand(), &operands.iter().collect::<Vec<_>>()).is_some()
        };
        assert_eq!(opens(&x, &[&y]), imp::STREAMS);
        assert!(!opens(&x, &[&x]) && !opens(&x, &[&y, &x]));
        // Windows that overlap, and the same element again and again.
        let windows = x.with_layout(Layout::new(smallvec![n / 4, 1000], smallvec![8, 8], 0)).unwrap();
        let again = x.with_layout(Layout::new(smallvec![n, 2], smallvec![8, 0], 0)).unwrap();
        assert!(!opens(&windows, &[&y]) && !opens(&again, &[&y]));
        // One element for all is read once.
        let one = y.with_layout(Layout::new(smallvec![n / 2], smallvec![0], 0)).unwrap();
        let half = x.with_layout(Layout::new(smallvec![n / 2], smallvec![8], 0)).unwrap();
        assert_eq!(one.operand().bytes(), 8);
        assert_eq!(opens(&half, &[&one]), imp::STREAMS && imp::last_cache() / 4 * 3 <= n / 2 * 8);
    }
}
