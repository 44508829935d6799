//! The vectors of the quicksort with AVX2: keys are brought to the front and to the end of a register by a table.

use std::arch::x86_64::*;

use super::network::Vector;
use super::steps::steps;

steps! { Avx2: "avx2,bmi1,bmi2,lzcnt,popcnt" }

/// For each set of lanes the words of four bytes in which those of the set come first, the others after them.
const fn to_the_front<const SETS: usize>(lanes: usize) -> [[u32; 8]; SETS] {
    let words = 8 / lanes;
    let mut table = [[0; 8]; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut at, mut wanted) = (0, 1);
        while at < 8 {
            let mut lane = 0;
            while lane < lanes {
                if set >> lane & 1 == wanted {
                    let mut word = 0;
                    while word < words {
                        table[set][at] = (lane * words + word) as u32;
                        at += 1;
                        word += 1;
                    }
                }
                lane += 1;
            }
            wanted = 0;
        }
        set += 1;
    }
    table
}

static FRONT_OF_4: [[u32; 8]; 16] = to_the_front(4);
static FRONT_OF_8: [[u32; 8]; 256] = to_the_front(8);

macro_rules! vector {
    ($name:ident: $key:ty, $last:expr, $bits:ty, $flip:expr, $lanes:literal, $front:ident,
     $splat:ident $load:ident $greater:ident $cast:ident $movemask:ident $numbers:expr,
     |$k:ident| $number:expr, |$a:ident, $b:ident| $exchanged:expr, $below:expr, |$x:ident, $group:ident| $swapped:expr, |$y:ident| $merged:expr) => {
        /// Keys as numbers that the instructions compare: unsigned ones with their highest bit flipped.
        #[derive(Clone, Copy)]
        pub(in crate::sort) struct $name(__m256i);

        impl $name {
            /// The lesser of the keys at a distance of half a group to those lanes, of which the words are not set, the
            /// greater to the others.
            #[inline(always)]
            unsafe fn halves<const GROUP: usize, const GREATER: i32>(self) -> $name {
                // SAFETY: as the caller promises.
                unsafe {
                    let [less, greater] = self.exchanged(self.swapped::<GROUP>());
                    $name(_mm256_blend_epi32::<GREATER>(less.0, greater.0))
                }
            }

            #[inline(always)]
            unsafe fn flipped(x: __m256i) -> __m256i {
                const FLIP: $bits = $flip;
                // SAFETY: as the caller promises.
                unsafe { if FLIP == 0 { x } else { _mm256_xor_si256(x, $splat(FLIP)) } }
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
                unsafe { $name(Self::flipped(_mm256_loadu_si256(from.cast()))) }
            }

            #[inline(always)]
            unsafe fn load_first(from: *const $key, n: isize) -> $name {
                // SAFETY: as the caller promises: only lanes below n are read.
                unsafe {
                    let there = $greater($splat(n as $bits), $numbers);
                    let keys = Self::flipped($load(from.cast(), there));
                    $name(_mm256_blendv_epi8(Self::splat($last).0, keys, there))
                }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut $key) {
                // SAFETY: as the caller promises.
                unsafe { _mm256_storeu_si256(to.cast(), Self::flipped(self.0)) }
            }

            #[inline(always)]
            unsafe fn splat($k: $key) -> $name {
                // SAFETY: as the caller promises.
                unsafe { $name(Self::flipped($splat($number as $bits))) }
            }

            #[inline(always)]
            unsafe fn exchanged(self, other: $name) -> [$name; 2] {
                let ($a, $b) = (self.0, other.0);
                // SAFETY: as the caller promises.
                let [less, greater] = unsafe { $exchanged };
                [$name(less), $name(greater)]
            }

            #[inline(always)]
            unsafe fn below(self, other: $name) -> usize {
                let ($a, $b) = (self.0, other.0);
                // SAFETY: as the caller promises.
                unsafe { $movemask($below) as usize }
            }

            #[inline(always)]
            unsafe fn to_front(self, lanes: usize) -> $name {
                debug_assert!(lanes < $front.len());
                // SAFETY: as the caller promises: the set is one of lanes, for each of which the table has a row.
                unsafe {
                    let words = _mm256_loadu_si256($front.as_ptr().add(lanes).cast());
                    $name(_mm256_permutevar8x32_epi32(self.0, words))
                }
            }

            #[inline(always)]
            unsafe fn part(self, lanes: usize, to: *mut $key, end: *mut $key) {
                // SAFETY: as the caller promises.
                unsafe {
                    let x = self.to_front(lanes);
                    x.store(to);
                    x.store(end.sub($lanes));
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

macro_rules! of_4 {
    ($name:ident: $key:ty, $last:expr, $flip:expr, |$k:ident| $number:expr, |$a:ident, $b:ident| $exchanged:expr, $below:expr) => {
        vector! {
            $name: $key, $last, i64, $flip, 4, FRONT_OF_4,
            _mm256_set1_epi64x _mm256_maskload_epi64 _mm256_cmpgt_epi64 _mm256_castsi256_pd _mm256_movemask_pd
            _mm256_setr_epi64x(0, 1, 2, 3),
            |$k| $number, |$a, $b| $exchanged, $below,
            |x, GROUP| match GROUP {
                2 => _mm256_shuffle_epi32::<0b01_00_11_10>(x),
                _ => _mm256_permute2x128_si256::<1>(x, x),
            },
            |x| match GROUP {
                2 => x.halves::<2, 0b0011_1100>(),
                _ => x.halves::<4, 0b1111_0000>().halves::<2, 0b1100_1100>(),
            }
        }
    };
}

macro_rules! of_8 {
    ($name:ident: $key:ty, $last:expr, $flip:expr, |$k:ident| $number:expr, |$a:ident, $b:ident| $exchanged:expr, $below:expr) => {
        vector! {
            $name: $key, $last, i32, $flip, 8, FRONT_OF_8,
            _mm256_set1_epi32 _mm256_maskload_epi32 _mm256_cmpgt_epi32 _mm256_castsi256_ps _mm256_movemask_ps
            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
            |$k| $number, |$a, $b| $exchanged, $below,
            |x, GROUP| match GROUP {
                2 => _mm256_shuffle_epi32::<0b10_11_00_01>(x),
                4 => _mm256_shuffle_epi32::<0b01_00_11_10>(x),
                _ => _mm256_permute2x128_si256::<1>(x, x),
            },
            |x| match GROUP {
                2 => x.halves::<2, 0b0110_0110>(),
                4 => x.halves::<4, 0b0011_1100>().halves::<2, 0b0101_1010>(),
                _ => x.halves::<8, 0b1111_0000>().halves::<4, 0b1100_1100>().halves::<2, 0b1010_1010>(),
            }
        }
    };
}

/// Of zeros of both signs either may be taken for the other.
macro_rules! floats {
    ($of:ident, $name:ident: $key:ty, $cast:ident $back:ident $min:ident $max:ident $cmp:ident) => {
        $of! {
            $name: $key, <$key>::INFINITY, 0, |key| key.to_bits(),
            |a, b| [$back($min($cast(a), $cast(b))), $back($max($cast(a), $cast(b)))],
            $cmp::<_CMP_LT_OQ>($cast(a), $cast(b))
        }
    };
}

floats! { of_4, F64: f64, _mm256_castsi256_pd _mm256_castpd_si256 _mm256_min_pd _mm256_max_pd _mm256_cmp_pd }
floats! { of_8, F32: f32, _mm256_castsi256_ps _mm256_castps_si256 _mm256_min_ps _mm256_max_ps _mm256_cmp_ps }

macro_rules! integers {
    ($($name64:ident: $key64:ty, $flip64:expr; $name32:ident: $key32:ty, $flip32:expr;)*) => { $(
        of_4! {
            $name64: $key64, <$key64>::MAX, $flip64, |key| key,
            |a, b| {
                let greater = _mm256_cmpgt_epi64(a, b);
                [_mm256_blendv_epi8(a, b, greater), _mm256_blendv_epi8(b, a, greater)]
            },
            _mm256_castsi256_pd(_mm256_cmpgt_epi64(b, a))
        }
        of_8! {
            $name32: $key32, <$key32>::MAX, $flip32, |key| key,
            |a, b| [_mm256_min_epi32(a, b), _mm256_max_epi32(a, b)],
            _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a))
        }
    )* };
}

integers! {
    I64: i64, 0; I32: i32, 0;
    U64: u64, i64::MIN; U32: u32, i32::MIN;
}
