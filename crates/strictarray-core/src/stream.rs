//! Writes that go past the caches.
//!
//! A store brings the line it writes to into the caches, from memory, and makes room for it there. What is larger than they
//! are gains nothing by that: the next reader finds it in memory anyway.

/// Whether an operation that reads and writes so many bytes is too large for the caches, so that it should write past them.
///
/// From 3/4 of the last-level cache on. Measured on Zen 3 with 32 MiB of it: from 5/8 on it is a gain more often than not,
/// depending on how much of the cache others take; from here on it always is one, also for what reads the result next.
#[inline]
pub fn is_past_caches(written: usize, read: usize) -> bool {
    /// For less it is not worth to look up the size of the caches.
    const LEAST: usize = 1 << 20;
    // Where little is written, there is little to gain.
    written >= LEAST && written >= read / 4 && imp::STREAMS && written.saturating_add(read) >= imp::last_cache() / 4 * 3
}

/// Bytes side by side that are worth to be written so: of short ones most lines would be written in parts.
pub const WORTH: usize = 1024;

/// Copies bytes past the caches.
///
/// # Safety
///
/// So many bytes are at both, apart from one another or at the same place. [`fence`] comes before anybody else reads them.
#[inline]
pub unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: as the caller promises.
    unsafe { imp::copy(to, from, bytes) }
}

/// Orders what [`copy`] wrote before what follows, for other threads.
#[inline]
pub fn fence() {
    imp::fence();
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod imp {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use raw_cpuid::{CacheType, CpuId};

    pub(super) const STREAMS: bool = true;

    /// Bytes of the last cache that a core reaches: a share of one that is larger than a core can hope for.
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
        /// Of a processor that does not say, and the bounds of what is believed.
        const LIKELY: usize = 32 << 20;
        const LEAST: usize = 8 << 20;
        const MOST: usize = 64 << 20;
        let caches = CpuId::new().get_cache_parameters().into_iter().flatten();
        let bytes = caches
            .filter(|cache| matches!(cache.cache_type(), CacheType::Unified))
            .map(|c| c.associativity() * c.physical_line_partitions() * c.coherency_line_size() * c.sets())
            .max();
        bytes.unwrap_or(LIKELY).clamp(LEAST, MOST)
    }

    /// # Safety
    ///
    /// As [`super::copy`].
    pub(super) unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize) {
        const LINE: usize = 64;
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

    /// # Safety
    ///
    /// As [`super::copy`].
    pub(super) unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize) {
        // SAFETY: as the caller promises.
        unsafe { std::ptr::copy(from, to, bytes) }
    }

    pub(super) fn fence() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_what_begins_and_ends_anywhere() {
        let from: Vec<u8> = (0..1000).map(|i| (i * 7 % 251) as u8).collect();
        for start in [0, 1, 15, 16, 63, 64, 65] {
            for at in [0, 1, 8, 16, 63] {
                for bytes in [0, 1, 15, 63, 64, 65, 127, 128, 200, 700] {
                    let mut to = vec![0; 1000];
                    let mut wanted = to.clone();
                    wanted[at..at + bytes].copy_from_slice(&from[start..start + bytes]);
                    // SAFETY: both are long enough and apart.
                    unsafe { copy(to.as_mut_ptr().add(at), from.as_ptr().add(start), bytes) };
                    fence();
                    assert_eq!(to, wanted, "{start} {at} {bytes}");
                }
            }
        }
    }

    #[test]
    fn only_what_is_large_goes_past_the_caches() {
        assert!(!is_past_caches(1 << 16, 1 << 40));
        assert!(!is_past_caches(1 << 30, 1 << 40));
        assert_eq!(is_past_caches(1 << 30, 1 << 30), cfg!(all(target_arch = "x86_64", not(miri))));
    }
}
