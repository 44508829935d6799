//! Which instruction set a loop is compiled for, and the macro that compiles it for each.

use std::sync::atomic::{AtomicU8, Ordering};

/// A set of instructions beyond what every machine of the target has. A higher one includes the lower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Level {
    /// What the target guarantees.
    Baseline = 0,
    /// AVX2, FMA, BMI1, BMI2, LZCNT and POPCNT.
    Avx2 = 1,
    /// AVX-512 F, BW, DQ and VL besides.
    Avx512 = 2,
}

impl Level {
    /// Every level.
    pub const ALL: [Level; 3] = [Level::Baseline, Level::Avx2, Level::Avx512];

    /// The best level that this machine has.
    #[inline]
    pub fn detected() -> Level {
        const UNKNOWN: u8 = u8::MAX;
        static DETECTED: AtomicU8 = AtomicU8::new(UNKNOWN);
        match DETECTED.load(Ordering::Relaxed) {
            0 => Level::Baseline,
            1 => Level::Avx2,
            2 => Level::Avx512,
            _ => {
                let level = Level::detect();
                DETECTED.store(level as u8, Ordering::Relaxed);
                level
            }
        }
    }

    #[cold]
    fn detect() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let avx2 = has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
            let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
            match (avx2, avx512) {
                (true, true) => return Level::Avx512,
                (true, false) => return Level::Avx2,
                _ => {}
            }
        }
        Level::Baseline
    }
}

/// Compiles a generic `#[inline(always)]` unsafe function once for each [`Level`], and defines a function that gives the
/// instance of a level.
///
/// `per_level! { fn pick<T: Bound, …>(arg: Type, …) = body; }` defines `pick::<T, …>(level)`, which gives
/// `body::<T, …>` compiled for it as an `unsafe fn(Type, …)`, with a result if one is named. Besides what `body` requires, calling it requires that the
/// machine has the level: which [`Ctx`](crate::Ctx) guarantees of its own.
macro_rules! per_level {
    ($(
        $(#[$doc:meta])*
        fn $pick:ident<$($generic:ident: $bound:path),*>($($arg:ident: $ty:ty),* $(,)?) $(-> $out:ty)? = $body:ident;
    )*) => { $(
        $(#[$doc])*
        #[inline]
        pub(crate) fn $pick<$($generic: $bound),*>(level: $crate::simd::Level) -> unsafe fn($($ty),*) $(-> $out)? {
            /// # Safety
            ///
            /// As the loop requires.
            unsafe fn baseline<$($generic: $bound),*>($($arg: $ty),*) $(-> $out)? {
                // SAFETY: as the caller promises.
                unsafe { $body::<$($generic),*>($($arg),*) }
            }
            /// # Safety
            ///
            /// As the loop requires; the machine has the features.
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn avx2<$($generic: $bound),*>($($arg: $ty),*) $(-> $out)? {
                // SAFETY: as the caller promises.
                unsafe { $body::<$($generic),*>($($arg),*) }
            }
            /// # Safety
            ///
            /// As the loop requires; the machine has the features.
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn avx512<$($generic: $bound),*>($($arg: $ty),*) $(-> $out)? {
                // SAFETY: as the caller promises.
                unsafe { $body::<$($generic),*>($($arg),*) }
            }
            match level {
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Level::Avx2 => avx2::<$($generic),*>,
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Level::Avx512 => avx512::<$($generic),*>,
                _ => baseline::<$($generic),*>,
            }
        }
    )* };
}
pub(crate) use per_level;

/// Does nothing, but a loop that calls it is not vectorised: what is in one turn of it stays together. Where a turn is already
/// of vectors, the compiler may else take the same element of many turns together, and with AVX-512 gathers and scatters them.
#[inline(always)]
pub(crate) fn keep_turn() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: no instruction.
    unsafe {
        std::arch::asm!("", options(nomem, nostack, preserves_flags));
    }
}

/// What memory is asked for: to read it, or to write to it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    Read,
    Write,
}

/// Asks for the lines of so many bytes that lie `ahead` of an address. The processor asks ahead by itself, but within a page
/// only, and not for what stores reach from line to line.
#[inline(always)]
pub(crate) fn ask_ahead(what: Ask, address: *const u8, ahead: usize, bytes: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_ET0, _MM_HINT_T0, _mm_prefetch};
        const LINE: usize = 64;
        let mut at = 0;
        while at < bytes {
            let line = address.wrapping_add(ahead + at).cast();
            // SAFETY: a hint, to which any address may be given.
            unsafe {
                match what {
                    Ask::Read => _mm_prefetch::<_MM_HINT_T0>(line),
                    Ask::Write => _mm_prefetch::<_MM_HINT_ET0>(line),
                }
            }
            at += LINE;
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (what, address, ahead, bytes);
}

/// How far ahead memory hears of what is needed, in bytes.
pub(crate) const AHEAD: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_ordered_and_detection_is_stable() {
        assert!(Level::Baseline < Level::Avx2 && Level::Avx2 < Level::Avx512);
        assert_eq!(Level::detected(), Level::detect());
        assert_eq!(Level::detected(), Level::detected());
    }
}
