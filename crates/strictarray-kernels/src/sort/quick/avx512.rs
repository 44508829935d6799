//! The vectors of the quicksort with AVX-512: keys are brought to both ends by a table, or compressed where that would be too
//! large. Compressed in registers alone: some processors take long to store what is compressed on the way.

use std::arch::x86_64::*;

use super::network::Vector;
use super::steps::steps;

steps! { Avx512: "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt" }

/// For each set of eight lanes those of the set, then the others.
static FRONT_OF_8: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut at, mut wanted) = (0, 1);
        while at < 8 {
            let mut lane = 0;
            while lane < 8 {
                if set >> lane & 1 == wanted {
                    table[set][at] = lane as u8;
                    at += 1;
                }
                lane += 1;
            }
            wanted = 0;
        }
        set += 1;
    }
    table
};

macro_rules! vector {
    ($name:ident: $key:ty, $last:expr, $register:ty, $lanes:literal, $mask:ty,
     $splat:ident $load:ident $mask_load:ident $store:ident $mask_store:ident $min:ident $max:ident $mask_max:ident
     $compress:ident, |$a:ident, $b:ident| $below:expr, |$k:ident, $set:ident| $front:expr,
     |$self:ident, $lanes_of:ident, $to:ident, $end:ident| $part:expr, |$x:ident, $group:ident| $swapped:expr,
     |$y:ident| $merged:expr) => {
        #[derive(Clone, Copy)]
        pub(in crate::sort) struct $name($register);

        impl $name {
            /// The lanes below `n`, which are no more than all.
            #[inline(always)]
            fn first(n: usize) -> $mask {
                ((1u32 << n) - 1) as $mask
            }

            /// The lesser of the keys at a distance of half a group to those lanes that are not set, the greater to the others.
            #[inline(always)]
            unsafe fn halves<const GROUP: usize, const GREATER: u16>(self) -> $name {
                // SAFETY: as the caller promises.
                unsafe {
                    let other = self.swapped::<GROUP>();
                    $name($mask_max($min(self.0, other.0), GREATER as $mask, self.0, other.0))
                }
            }
        }

        // SAFETY: what is done to the keys is what the methods say.
        unsafe impl Vector for $name {
            type Key = $key;
            const LANES: usize = $lanes;
            const LAST: $key = $last;

            #[inline(always)]
            unsafe fn load(from: *const $key) -> $name {
                // SAFETY: as the caller promises.
                unsafe { $name($load(from.cast())) }
            }

            #[inline(always)]
            unsafe fn load_first(from: *const $key, n: isize) -> $name {
                // SAFETY: as the caller promises: only lanes below n are read.
                unsafe {
                    let there = Self::first(n.clamp(0, $lanes) as usize);
                    $name($mask_load(Self::splat($last).0, there, from.cast()))
                }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut $key) {
                // SAFETY: as the caller promises.
                unsafe { $store(to.cast(), self.0) }
            }

            #[inline(always)]
            unsafe fn store_first(self, to: *mut $key, n: usize) {
                // SAFETY: as the caller promises.
                unsafe { $mask_store(to.cast(), Self::first(n), self.0) }
            }

            #[inline(always)]
            unsafe fn splat(key: $key) -> $name {
                // SAFETY: as the caller promises.
                unsafe { $name($splat(key as _)) }
            }

            #[inline(always)]
            unsafe fn exchanged(self, other: $name) -> [$name; 2] {
                // SAFETY: as the caller promises.
                unsafe { [$name($min(self.0, other.0)), $name($max(self.0, other.0))] }
            }

            #[inline(always)]
            unsafe fn below(self, other: $name) -> usize {
                let ($a, $b) = (self.0, other.0);
                // SAFETY: as the caller promises.
                unsafe { usize::from($below) }
            }

            #[inline(always)]
            unsafe fn to_front(self, lanes: usize) -> $name {
                let ($k, $set) = (self.0, lanes);
                // SAFETY: as the caller promises: the set is one of lanes.
                unsafe { $name($front) }
            }

            #[inline(always)]
            unsafe fn part(self, lanes: usize, to: *mut $key, end: *mut $key) {
                let ($self, $lanes_of, $to, $end) = (self, lanes, to, end);
                // SAFETY: as the caller promises.
                unsafe { $part }
            }

            #[inline(always)]
            unsafe fn part_first<const EQUAL: bool>(
                from: *const $key,
                n: usize,
                pivot: $key,
                to: *mut $key,
                end: *mut $key,
            ) -> usize {
                // SAFETY: as the caller promises: only lanes below n are read, and as many keys written.
                unsafe {
                    let pivots = Self::splat(pivot);
                    let there = Self::first(n);
                    let x = $name($mask_load(pivots.0, there, from.cast()));
                    let front = if EQUAL { !(pivots.below(x) as $mask) } else { x.below(pivots) as $mask } & there;
                    let count = front.count_ones() as usize;
                    $name($compress(front, x.0)).store_first(to, count);
                    $name($compress(!front & there, x.0)).store_first(end.sub(n - count), n - count);
                    count
                }
            }

            #[inline(always)]
            unsafe fn swapped<const $group: usize>(self) -> $name {
                let $x = self.0;
                // SAFETY: as the caller promises.
                unsafe { $name($swapped) }
            }

            #[inline(always)]
            unsafe fn merged<const $group: usize>(self) -> $name {
                let $y = self;
                // SAFETY: as the caller promises.
                unsafe { $merged }
            }
        }
    };
}

macro_rules! of_8 {
    ($name:ident: $key:ty, $last:expr, $register:ty, $splat:ident $load:ident $mask_load:ident $store:ident $mask_store:ident
     $min:ident $max:ident $mask_max:ident $compress:ident $permute:ident $bits:ident $of_bits:ident,
     |$a:ident, $b:ident| $below:expr) => {
        vector! {
            $name: $key, $last, $register, 8, __mmask8,
            $splat $load $mask_load $store $mask_store $min $max $mask_max $compress, |$a, $b| $below,
            |x, set| {
                debug_assert!(set < FRONT_OF_8.len());
                let lanes = _mm_loadl_epi64(FRONT_OF_8.as_ptr().add(set).cast());
                $permute(_mm512_cvtepu8_epi64(lanes), x)
            },
            |x, set, to, end| {
                let x = x.to_front(set);
                x.store(to);
                x.store(end.sub(8));
            },
            |x, GROUP| {
                let x = $bits(x);
                $of_bits(match GROUP {
                    2 => _mm512_shuffle_epi32::<0b01_00_11_10>(x),
                    4 => _mm512_permutex_epi64::<0b01_00_11_10>(x),
                    _ => _mm512_shuffle_i64x2::<0b01_00_11_10>(x, x),
                })
            },
            |x| match GROUP {
                2 => x.halves::<2, 0b0110_0110>(),
                4 => x.halves::<4, 0b0011_1100>().halves::<2, 0b0101_1010>(),
                _ => x.halves::<8, 0b1111_0000>().halves::<4, 0b1100_1100>().halves::<2, 0b1010_1010>(),
            }
        }
    };
}

macro_rules! of_16 {
    ($name:ident: $key:ty, $last:expr, $register:ty, $splat:ident $load:ident $mask_load:ident $store:ident $mask_store:ident
     $min:ident $max:ident $mask_max:ident $compress:ident $bits:ident $of_bits:ident, |$a:ident, $b:ident| $below:expr) => {
        vector! {
            $name: $key, $last, $register, 16, __mmask16,
            $splat $load $mask_load $store $mask_store $min $max $mask_max $compress, |$a, $b| $below,
            |x, set| $compress(set as __mmask16, x),
            |x, set, to, end| {
                let others = 16 - set.count_ones() as usize;
                x.to_front(set).store(to);
                x.to_front(!set & 0xFFFF).store_first(end.sub(others), others);
            },
            |x, GROUP| {
                let x = $bits(x);
                $of_bits(match GROUP {
                    2 => _mm512_shuffle_epi32::<0b10_11_00_01>(x),
                    4 => _mm512_shuffle_epi32::<0b01_00_11_10>(x),
                    8 => _mm512_permutex_epi64::<0b01_00_11_10>(x),
                    _ => _mm512_shuffle_i64x2::<0b01_00_11_10>(x, x),
                })
            },
            |x| match GROUP {
                2 => x.halves::<2, 0x6666>(),
                4 => x.halves::<4, 0x3C3C>().halves::<2, 0x5A5A>(),
                8 => x.halves::<8, 0x0FF0>().halves::<4, 0x33CC>().halves::<2, 0x55AA>(),
                _ => x.halves::<16, 0xFF00>().halves::<8, 0xF0F0>().halves::<4, 0xCCCC>().halves::<2, 0xAAAA>(),
            }
        }
    };
}

#[inline(always)]
fn as_it_is(x: __m512i) -> __m512i {
    x
}

macro_rules! integers {
    ($($of:ident, $name:ident: $key:ty, $splat:ident $load:ident $mask_load:ident $store:ident $mask_store:ident
       $min:ident $max:ident $mask_max:ident $compress:ident $($permute:ident)?, $below:ident;)*) => { $(
        $of! {
            $name: $key, <$key>::MAX, __m512i, $splat $load $mask_load $store $mask_store $min $max $mask_max
            $compress $($permute)? as_it_is as_it_is, |a, b| $below(a, b)
        }
    )* };
}

// Of zeros of both signs either may be taken for the other.
of_8! {
    F64: f64, f64::INFINITY, __m512d, _mm512_set1_pd _mm512_loadu_pd _mm512_mask_loadu_pd _mm512_storeu_pd
    _mm512_mask_storeu_pd _mm512_min_pd _mm512_max_pd _mm512_mask_max_pd _mm512_maskz_compress_pd _mm512_permutexvar_pd
    _mm512_castpd_si512 _mm512_castsi512_pd, |a, b| _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b)
}
of_16! {
    F32: f32, f32::INFINITY, __m512, _mm512_set1_ps _mm512_loadu_ps _mm512_mask_loadu_ps _mm512_storeu_ps
    _mm512_mask_storeu_ps _mm512_min_ps _mm512_max_ps _mm512_mask_max_ps _mm512_maskz_compress_ps
    _mm512_castps_si512 _mm512_castsi512_ps, |a, b| _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b)
}
integers! {
    of_8, I64: i64, _mm512_set1_epi64 _mm512_loadu_epi64 _mm512_mask_loadu_epi64 _mm512_storeu_epi64
        _mm512_mask_storeu_epi64 _mm512_min_epi64 _mm512_max_epi64 _mm512_mask_max_epi64 _mm512_maskz_compress_epi64
        _mm512_permutexvar_epi64, _mm512_cmplt_epi64_mask;
    of_8, U64: u64, _mm512_set1_epi64 _mm512_loadu_epi64 _mm512_mask_loadu_epi64 _mm512_storeu_epi64
        _mm512_mask_storeu_epi64 _mm512_min_epu64 _mm512_max_epu64 _mm512_mask_max_epu64 _mm512_maskz_compress_epi64
        _mm512_permutexvar_epi64, _mm512_cmplt_epu64_mask;
    of_16, I32: i32, _mm512_set1_epi32 _mm512_loadu_epi32 _mm512_mask_loadu_epi32 _mm512_storeu_epi32
        _mm512_mask_storeu_epi32 _mm512_min_epi32 _mm512_max_epi32 _mm512_mask_max_epi32 _mm512_maskz_compress_epi32,
        _mm512_cmplt_epi32_mask;
    of_16, U32: u32, _mm512_set1_epi32 _mm512_loadu_epi32 _mm512_mask_loadu_epi32 _mm512_storeu_epi32
        _mm512_mask_storeu_epi32 _mm512_min_epu32 _mm512_max_epu32 _mm512_mask_max_epu32 _mm512_maskz_compress_epi32,
        _mm512_cmplt_epu32_mask;
}
