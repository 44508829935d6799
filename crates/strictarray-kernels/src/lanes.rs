//! Some floats side by side, as wide as a level's registers, for what the compiler does not make of a loop over elements:
//! short tables that lie in registers, of which each lane takes an entry.
//!
//! A function is written once, generic over [`Lanes`], and gives the same bits at each width: `f32` and `f64` themselves are
//! one lane. It must be always inlined, down to the last closure: only so is it compiled for the level.

use std::num::Wrapping;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};

use strictarray_core::Element;

/// Entries of a table: as many as the widest register has lanes of `f32`.
pub(crate) const ENTRIES: usize = 16;
/// A table of which [`Lanes::entry`] takes entries.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Table<T>(pub(crate) [T; ENTRIES]);

/// A type of elements that registers hold, and its bits.
pub(crate) trait InRegisters: Element + From<f32> + PartialOrd + Lanes<Item = Self> {
    /// The lanes of the levels: named by [`per_lanes!`] alone.
    #[cfg(target_arch = "x86_64")]
    type Avx2: Lanes<Item = Self>;
    #[cfg(target_arch = "x86_64")]
    type Avx512: Lanes<Item = Self>;
    type Word: Copy;
    /// The bits of the fraction. (`DIGITS` would be the decimal ones of `f64` itself.)
    const FRACTION: u32;
    /// The sign's bit.
    const SIGN: Self::Word;
    /// All but the sign's.
    const SIZE: Self::Word;
    /// Sign and exponent.
    const POWER: Self::Word;
    /// No bit, and the lowest one.
    const NONE: Self::Word;
    const BIT: Self::Word;
    /// The bits of 1 and of 1/2.
    const ONE: Self::Word;
    const HALF: Self::Word;
}

macro_rules! in_registers {
    ($($ty:ident $word:ident $signed:ident $avx2:ident $avx512:ident;)*) => { $(
        impl InRegisters for $ty {
            #[cfg(target_arch = "x86_64")]
            type Avx2 = $avx2;
            #[cfg(target_arch = "x86_64")]
            type Avx512 = $avx512;
            type Word = $word;
            const FRACTION: u32 = $ty::MANTISSA_DIGITS - 1;
            const SIGN: $word = $signed::MIN.cast_unsigned();
            const SIZE: $word = $signed::MAX.cast_unsigned();
            const POWER: $word = $word::MAX << Self::FRACTION;
            const NONE: $word = 0;
            const BIT: $word = 1;
            const ONE: $word = $ty::to_bits(1.0);
            const HALF: $word = $ty::to_bits(0.5);
        }

        // SAFETY: of one lane.
        unsafe impl Lanes for $ty {
            type Item = $ty;
            const COUNT: usize = 1;
            type Mask = bool;
            type Bits = Wrapping<$word>;

            #[inline(always)]
            unsafe fn load(from: *const $ty) -> $ty {
                // SAFETY: as the caller promises.
                unsafe { from.read() }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $ty) {
                // SAFETY: as the caller promises.
                unsafe { to.write(self) }
            }
            #[inline(always)]
            fn splat(x: $ty) -> $ty {
                x
            }
            #[inline(always)]
            fn bits_of(x: $word) -> Wrapping<$word> {
                Wrapping(x)
            }
            #[inline(always)]
            fn mul_add(self, b: $ty, c: $ty) -> $ty {
                $ty::mul_add(self, b, c)
            }
            #[inline(always)]
            fn sqrt(self) -> $ty {
                $ty::sqrt(self)
            }
            #[inline(always)]
            fn min(self, other: $ty) -> $ty {
                if self < other { self } else { other }
            }
            #[inline(always)]
            fn max(self, other: $ty) -> $ty {
                if self > other { self } else { other }
            }
            #[inline(always)]
            fn less(self, other: $ty) -> bool {
                self < other
            }
            #[inline(always)]
            fn differs(self, other: $ty) -> bool {
                self != other
            }
            #[inline(always)]
            fn everywhere() -> bool {
                true
            }
            #[inline(always)]
            fn select(mask: bool, yes: $ty, no: $ty) -> $ty {
                if mask { yes } else { no }
            }
            #[inline(always)]
            fn all(mask: bool) -> bool {
                mask
            }
            #[inline(always)]
            fn to_bits(self) -> Wrapping<$word> {
                Wrapping($ty::to_bits(self))
            }
            #[inline(always)]
            fn from_bits(bits: Wrapping<$word>) -> $ty {
                $ty::from_bits(bits.0)
            }
            #[inline(always)]
            fn shift_left(bits: Wrapping<$word>, by: u32) -> Wrapping<$word> {
                Wrapping(bits.0 << by)
            }
            #[inline(always)]
            fn shift_right(bits: Wrapping<$word>, by: u32) -> Wrapping<$word> {
                Wrapping(bits.0 >> by)
            }
            #[inline(always)]
            fn equal(a: Wrapping<$word>, b: Wrapping<$word>) -> bool {
                a == b
            }
            #[inline(always)]
            fn below(a: Wrapping<$word>, b: Wrapping<$word>) -> bool {
                a < b
            }
            #[inline(always)]
            fn from_steps(bits: Wrapping<$word>) -> $ty {
                bits.0.cast_signed() as $ty
            }
            #[inline(always)]
            fn entry(table: &Table<$ty>, bits: Wrapping<$word>) -> $ty {
                table.0[bits.0 as usize % ENTRIES]
            }
        }
    )* };
}

in_registers! {
    f32 u32 i32 F32x8 F32x16;
    f64 u64 i64 F64x4 F64x8;
}

/// The bits of an element of some lanes.
type Word<V> = <<V as Lanes>::Item as InRegisters>::Word;

/// The lanes of a register. Comparisons with NaN are false; sums and products round as those of one element do.
///
/// # Safety
///
/// Types of wider lanes execute instructions that not every machine has: only [`per_lanes!`] names them, for a loop that is
/// compiled for their level. All else is generic over lanes, and `f32` and `f64` are sound anywhere.
pub(crate) unsafe trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    type Item: InRegisters;
    /// How many there are.
    const COUNT: usize;
    /// Of each lane, yes or no.
    type Mask: Copy + BitAnd<Output = Self::Mask>;
    /// The bits of each lane, as integers that wrap around.
    type Bits: Copy
        + Add<Output = Self::Bits>
        + Sub<Output = Self::Bits>
        + BitAnd<Output = Self::Bits>
        + BitOr<Output = Self::Bits>
        + BitXor<Output = Self::Bits>;

    /// # Safety
    ///
    /// `COUNT` elements to read, and the machine has the instructions.
    unsafe fn load(from: *const Self::Item) -> Self;
    /// # Safety
    ///
    /// `COUNT` elements to write, and the machine has the instructions.
    unsafe fn store(self, to: *mut Self::Item);
    /// The same number everywhere.
    fn splat(x: Self::Item) -> Self;
    /// The same bits everywhere.
    fn bits_of(x: Word<Self>) -> Self::Bits;
    /// self · b + c, rounded once.
    fn mul_add(self, b: Self, c: Self) -> Self;
    fn sqrt(self) -> Self;
    /// The smaller one, or `other` if there is a NaN.
    fn min(self, other: Self) -> Self;
    /// The larger one, or `other` if there is a NaN.
    fn max(self, other: Self) -> Self;
    fn less(self, other: Self) -> Self::Mask;
    /// Whether it is another number, or one of them NaN.
    fn differs(self, other: Self) -> Self::Mask;
    /// Yes of each lane.
    fn everywhere() -> Self::Mask;
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether the mask says yes everywhere.
    fn all(mask: Self::Mask) -> bool;
    fn to_bits(self) -> Self::Bits;
    fn from_bits(bits: Self::Bits) -> Self;
    fn shift_left(bits: Self::Bits, by: u32) -> Self::Bits;
    fn shift_right(bits: Self::Bits, by: u32) -> Self::Bits;
    fn equal(a: Self::Bits, b: Self::Bits) -> Self::Mask;
    /// Whether a < b, both without a sign.
    fn below(a: Self::Bits, b: Self::Bits) -> Self::Mask;
    /// The bits as integers with a sign: steps of the exponent, as many as lie between a number and 1.
    fn from_steps(bits: Self::Bits) -> Self;
    /// The entry that the lowest four bits name.
    fn entry(table: &Table<Self::Item>, bits: Self::Bits) -> Self;
    /// The same of a table whose entries have no more than 20 digits behind the first.
    #[inline(always)]
    fn short_entry(table: &Table<Self::Item>, bits: Self::Bits) -> Self {
        Self::entry(table, bits)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self::from_bits(self.to_bits() & Self::bits_of(Self::Item::SIZE))
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        let (size, sign) = (self.to_bits() & Self::bits_of(Self::Item::SIZE), sign.to_bits());
        Self::from_bits(size | sign & Self::bits_of(Self::Item::SIGN))
    }
}

#[cfg(target_arch = "x86_64")]
use x86::{F32x8, F32x16, F64x4, F64x8};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::*;

    /// `Type: operator method, intrinsic;` for each.
    macro_rules! operators {
        ($($ty:ident: $op:ident $method:ident, $intrinsic:ident;)*) => { $(
            impl $op for $ty {
                type Output = $ty;
                #[inline(always)]
                fn $method(self, other: $ty) -> $ty {
                    // SAFETY: as of `Lanes` below: only a loop for the level has values.
                    $ty(unsafe { $intrinsic(self.0, other.0) })
                }
            }
        )* };
    }

    /// What both widths say alike: `method, argument... = intrinsic;`.
    macro_rules! lanes {
        ($floats:ident $bits:ident $item:ident $count:literal
         load $load:ident store $store:ident splat $splat:ident bits_of $bits_of:ident mul_add $mul_add:ident
         sqrt $sqrt:ident min $min:ident max $max:ident to_bits $to_bits:ident from_bits $from_bits:ident
         left $left:ident right $right:ident
         rest { $($rest:tt)* }) => {
            impl Neg for $floats {
                type Output = $floats;
                #[inline(always)]
                fn neg(self) -> $floats {
                    $floats::from_bits(self.to_bits() ^ $floats::bits_of($item::SIGN))
                }
            }

            // SAFETY: private but for `InRegisters`, whose wide types only `per_lanes!` names. So the machine has the
            // instructions of each call here; elements are those that the caller of `load` or `store` promises.
            unsafe impl Lanes for $floats {
                type Item = $item;
                const COUNT: usize = $count;
                type Bits = $bits;

                #[inline(always)]
                unsafe fn load(from: *const $item) -> Self {
                    // SAFETY: as above.
                    $floats(unsafe { $load(from) })
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $item) {
                    // SAFETY: as above.
                    unsafe { $store(to, self.0) }
                }
                #[inline(always)]
                fn splat(x: $item) -> Self {
                    // SAFETY: as above.
                    $floats(unsafe { $splat(x) })
                }
                #[inline(always)]
                fn bits_of(x: Word<Self>) -> $bits {
                    // SAFETY: as above.
                    $bits(unsafe { $bits_of(x.cast_signed()) })
                }
                #[inline(always)]
                fn mul_add(self, b: Self, c: Self) -> Self {
                    // SAFETY: as above.
                    $floats(unsafe { $mul_add(self.0, b.0, c.0) })
                }
                #[inline(always)]
                fn sqrt(self) -> Self {
                    // SAFETY: as above.
                    $floats(unsafe { $sqrt(self.0) })
                }
                #[inline(always)]
                fn min(self, other: Self) -> Self {
                    // SAFETY: as above.
                    $floats(unsafe { $min(self.0, other.0) })
                }
                #[inline(always)]
                fn max(self, other: Self) -> Self {
                    // SAFETY: as above.
                    $floats(unsafe { $max(self.0, other.0) })
                }
                #[inline(always)]
                fn to_bits(self) -> $bits {
                    // SAFETY: as above.
                    $bits(unsafe { $to_bits(self.0) })
                }
                #[inline(always)]
                fn from_bits(bits: $bits) -> Self {
                    // SAFETY: as above.
                    $floats(unsafe { $from_bits(bits.0) })
                }
                #[inline(always)]
                fn shift_left(bits: $bits, by: u32) -> $bits {
                    // SAFETY: as above.
                    $bits(unsafe { $left(bits.0, _mm_cvtsi32_si128(by.cast_signed())) })
                }
                #[inline(always)]
                fn shift_right(bits: $bits, by: u32) -> $bits {
                    // SAFETY: as above.
                    $bits(unsafe { $right(bits.0, _mm_cvtsi32_si128(by.cast_signed())) })
                }
                $($rest)*
            }
        };
    }

    /// Eight lanes, of AVX2.
    #[derive(Clone, Copy)]
    pub(crate) struct F32x8(__m256);
    #[derive(Clone, Copy)]
    pub(crate) struct Bits8(__m256i);
    #[derive(Clone, Copy)]
    pub(crate) struct Mask8(__m256);
    /// Sixteen lanes, of AVX-512.
    #[derive(Clone, Copy)]
    pub(crate) struct F32x16(__m512);
    #[derive(Clone, Copy)]
    pub(crate) struct Bits16(__m512i);
    /// Four lanes, of AVX2.
    #[derive(Clone, Copy)]
    pub(crate) struct F64x4(__m256d);
    #[derive(Clone, Copy)]
    pub(crate) struct Bits4(__m256i);
    #[derive(Clone, Copy)]
    pub(crate) struct Mask4(__m256d);
    /// Eight lanes, of AVX-512.
    #[derive(Clone, Copy)]
    pub(crate) struct F64x8(__m512d);
    #[derive(Clone, Copy)]
    pub(crate) struct Bits8Wide(__m512i);

    operators! {
        F32x8: Add add, _mm256_add_ps;
        F32x8: Sub sub, _mm256_sub_ps;
        F32x8: Mul mul, _mm256_mul_ps;
        F32x8: Div div, _mm256_div_ps;
        Bits8: Add add, _mm256_add_epi32;
        Bits8: Sub sub, _mm256_sub_epi32;
        Bits8: BitAnd bitand, _mm256_and_si256;
        Bits8: BitOr bitor, _mm256_or_si256;
        Bits8: BitXor bitxor, _mm256_xor_si256;
        Mask8: BitAnd bitand, _mm256_and_ps;
        F32x16: Add add, _mm512_add_ps;
        F32x16: Sub sub, _mm512_sub_ps;
        F32x16: Mul mul, _mm512_mul_ps;
        F32x16: Div div, _mm512_div_ps;
        Bits16: Add add, _mm512_add_epi32;
        Bits16: Sub sub, _mm512_sub_epi32;
        Bits16: BitAnd bitand, _mm512_and_si512;
        Bits16: BitOr bitor, _mm512_or_si512;
        Bits16: BitXor bitxor, _mm512_xor_si512;
        F64x4: Add add, _mm256_add_pd;
        F64x4: Sub sub, _mm256_sub_pd;
        F64x4: Mul mul, _mm256_mul_pd;
        F64x4: Div div, _mm256_div_pd;
        Bits4: Add add, _mm256_add_epi64;
        Bits4: Sub sub, _mm256_sub_epi64;
        Bits4: BitAnd bitand, _mm256_and_si256;
        Bits4: BitOr bitor, _mm256_or_si256;
        Bits4: BitXor bitxor, _mm256_xor_si256;
        Mask4: BitAnd bitand, _mm256_and_pd;
        F64x8: Add add, _mm512_add_pd;
        F64x8: Sub sub, _mm512_sub_pd;
        F64x8: Mul mul, _mm512_mul_pd;
        F64x8: Div div, _mm512_div_pd;
        Bits8Wide: Add add, _mm512_add_epi64;
        Bits8Wide: Sub sub, _mm512_sub_epi64;
        Bits8Wide: BitAnd bitand, _mm512_and_si512;
        Bits8Wide: BitOr bitor, _mm512_or_si512;
        Bits8Wide: BitXor bitxor, _mm512_xor_si512;
    }

    lanes! {
        F32x8 Bits8 f32 8
        load _mm256_loadu_ps store _mm256_storeu_ps splat _mm256_set1_ps bits_of _mm256_set1_epi32 mul_add _mm256_fmadd_ps
        sqrt _mm256_sqrt_ps min _mm256_min_ps max _mm256_max_ps to_bits _mm256_castps_si256 from_bits _mm256_castsi256_ps
        left _mm256_sll_epi32 right _mm256_srl_epi32
        rest {
            type Mask = Mask8;

            #[inline(always)]
            fn less(self, other: Self) -> Mask8 {
                // SAFETY: as above.
                Mask8(unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) })
            }
            #[inline(always)]
            fn differs(self, other: Self) -> Mask8 {
                // SAFETY: as above.
                Mask8(unsafe { _mm256_cmp_ps::<_CMP_NEQ_UQ>(self.0, other.0) })
            }
            #[inline(always)]
            fn everywhere() -> Mask8 {
                Mask8(Self::from_bits(Self::bits_of(u32::MAX)).0)
            }
            #[inline(always)]
            fn select(mask: Mask8, yes: Self, no: Self) -> Self {
                // SAFETY: as above.
                F32x8(unsafe { _mm256_blendv_ps(no.0, yes.0, mask.0) })
            }
            #[inline(always)]
            fn all(mask: Mask8) -> bool {
                // SAFETY: as above.
                unsafe { _mm256_movemask_ps(mask.0) == 0xff }
            }
            #[inline(always)]
            fn equal(a: Bits8, b: Bits8) -> Mask8 {
                // SAFETY: as above.
                Mask8(unsafe { _mm256_castsi256_ps(_mm256_cmpeq_epi32(a.0, b.0)) })
            }
            #[inline(always)]
            fn below(a: Bits8, b: Bits8) -> Mask8 {
                let (a, b) = (a ^ Self::bits_of(f32::SIGN), b ^ Self::bits_of(f32::SIGN));
                // SAFETY: as above.
                Mask8(unsafe { _mm256_castsi256_ps(_mm256_cmpgt_epi32(b.0, a.0)) })
            }
            #[inline(always)]
            fn from_steps(bits: Bits8) -> Self {
                // SAFETY: as above.
                F32x8(unsafe { _mm256_cvtepi32_ps(bits.0) })
            }
            /// Of both halves one entry each; the fourth bit, moved to the sign's place, chooses.
            #[inline(always)]
            fn entry(table: &Table<f32>, bits: Bits8) -> Self {
                // SAFETY: as above, and the table has two registers of entries.
                unsafe {
                    let low = _mm256_permutevar8x32_ps(_mm256_load_ps(table.0.as_ptr()), bits.0);
                    let high = _mm256_permutevar8x32_ps(_mm256_load_ps(table.0.as_ptr().add(8)), bits.0);
                    F32x8(_mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32::<28>(bits.0))))
                }
            }
        }
    }

    lanes! {
        F32x16 Bits16 f32 16
        load _mm512_loadu_ps store _mm512_storeu_ps splat _mm512_set1_ps bits_of _mm512_set1_epi32 mul_add _mm512_fmadd_ps
        sqrt _mm512_sqrt_ps min _mm512_min_ps max _mm512_max_ps to_bits _mm512_castps_si512 from_bits _mm512_castsi512_ps
        left _mm512_sll_epi32 right _mm512_srl_epi32
        rest {
            type Mask = __mmask16;

            #[inline(always)]
            fn less(self, other: Self) -> __mmask16 {
                // SAFETY: as above.
                unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0) }
            }
            #[inline(always)]
            fn differs(self, other: Self) -> __mmask16 {
                // SAFETY: as above.
                unsafe { _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(self.0, other.0) }
            }
            #[inline(always)]
            fn everywhere() -> __mmask16 {
                __mmask16::MAX
            }
            #[inline(always)]
            fn select(mask: __mmask16, yes: Self, no: Self) -> Self {
                // SAFETY: as above.
                F32x16(unsafe { _mm512_mask_blend_ps(mask, no.0, yes.0) })
            }
            #[inline(always)]
            fn all(mask: __mmask16) -> bool {
                mask == __mmask16::MAX
            }
            #[inline(always)]
            fn equal(a: Bits16, b: Bits16) -> __mmask16 {
                // SAFETY: as above.
                unsafe { _mm512_cmpeq_epi32_mask(a.0, b.0) }
            }
            #[inline(always)]
            fn below(a: Bits16, b: Bits16) -> __mmask16 {
                // SAFETY: as above.
                unsafe { _mm512_cmplt_epu32_mask(a.0, b.0) }
            }
            #[inline(always)]
            fn from_steps(bits: Bits16) -> Self {
                // SAFETY: as above.
                F32x16(unsafe { _mm512_cvtepi32_ps(bits.0) })
            }
            #[inline(always)]
            fn entry(table: &Table<f32>, bits: Bits16) -> Self {
                // SAFETY: as above, and the table has a register of entries.
                F32x16(unsafe { _mm512_permutexvar_ps(bits.0, _mm512_load_ps(table.0.as_ptr())) })
            }
        }
    }

    lanes! {
        F64x4 Bits4 f64 4
        load _mm256_loadu_pd store _mm256_storeu_pd splat _mm256_set1_pd bits_of _mm256_set1_epi64x mul_add _mm256_fmadd_pd
        sqrt _mm256_sqrt_pd min _mm256_min_pd max _mm256_max_pd to_bits _mm256_castpd_si256 from_bits _mm256_castsi256_pd
        left _mm256_sll_epi64 right _mm256_srl_epi64
        rest {
            type Mask = Mask4;

            #[inline(always)]
            fn less(self, other: Self) -> Mask4 {
                // SAFETY: as above.
                Mask4(unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0) })
            }
            #[inline(always)]
            fn differs(self, other: Self) -> Mask4 {
                // SAFETY: as above.
                Mask4(unsafe { _mm256_cmp_pd::<_CMP_NEQ_UQ>(self.0, other.0) })
            }
            #[inline(always)]
            fn everywhere() -> Mask4 {
                Mask4(Self::from_bits(Self::bits_of(u64::MAX)).0)
            }
            #[inline(always)]
            fn select(mask: Mask4, yes: Self, no: Self) -> Self {
                // SAFETY: as above.
                F64x4(unsafe { _mm256_blendv_pd(no.0, yes.0, mask.0) })
            }
            #[inline(always)]
            fn all(mask: Mask4) -> bool {
                // SAFETY: as above.
                unsafe { _mm256_movemask_pd(mask.0) == 0xf }
            }
            #[inline(always)]
            fn equal(a: Bits4, b: Bits4) -> Mask4 {
                // SAFETY: as above.
                Mask4(unsafe { _mm256_castsi256_pd(_mm256_cmpeq_epi64(a.0, b.0)) })
            }
            #[inline(always)]
            fn below(a: Bits4, b: Bits4) -> Mask4 {
                let (a, b) = (a ^ Self::bits_of(f64::SIGN), b ^ Self::bits_of(f64::SIGN));
                // SAFETY: as above.
                Mask4(unsafe { _mm256_castsi256_pd(_mm256_cmpgt_epi64(b.0, a.0)) })
            }
            /// Shifted to the lowest bits, where a large number has its digits.
            #[inline(always)]
            fn from_steps(bits: Bits4) -> Self {
                const SHIFTER: f64 = 6_755_399_441_055_744.0;
                let biased = Self::shift_right(bits + Self::bits_of(f64::ONE), f64::FRACTION);
                let steps = Self::from_bits(biased + Self::bits_of(SHIFTER.to_bits())) - Self::splat(SHIFTER + 1023.0);
                steps * Self::splat(4_503_599_627_370_496.0)
            }
            #[inline(always)]
            fn entry(table: &Table<f64>, bits: Bits4) -> Self {
                let bits = bits & Self::bits_of(ENTRIES as u64 - 1);
                // SAFETY: as above, and the indices are below the table's length.
                F64x4(unsafe { _mm256_i64gather_pd::<8>(table.0.as_ptr(), bits.0) })
            }
            /// The upper halves of the entries: as of a table of `f32`.
            #[inline(always)]
            fn short_entry(table: &Table<f64>, bits: Bits4) -> Self {
                let mut upper = Table([0u32; ENTRIES]);
                let mut i = 0;
                while i < ENTRIES {
                    upper.0[i] = (table.0[i].to_bits() >> 32) as u32;
                    i += 1;
                }
                let at = Self::shift_left(bits, 32);
                // SAFETY: as above, and the table has two registers of halves.
                unsafe {
                    let halves = upper.0.as_ptr().cast::<__m256i>();
                    let low = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(halves.read(), at.0));
                    let high = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(halves.add(1).read(), at.0));
                    let found = _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32::<28>(at.0)));
                    Self::from_bits(Bits4(_mm256_castps_si256(found)) & Self::bits_of(u64::MAX << 32))
                }
            }
        }
    }

    lanes! {
        F64x8 Bits8Wide f64 8
        load _mm512_loadu_pd store _mm512_storeu_pd splat _mm512_set1_pd bits_of _mm512_set1_epi64 mul_add _mm512_fmadd_pd
        sqrt _mm512_sqrt_pd min _mm512_min_pd max _mm512_max_pd to_bits _mm512_castpd_si512 from_bits _mm512_castsi512_pd
        left _mm512_sll_epi64 right _mm512_srl_epi64
        rest {
            type Mask = __mmask8;

            #[inline(always)]
            fn less(self, other: Self) -> __mmask8 {
                // SAFETY: as above.
                unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0) }
            }
            #[inline(always)]
            fn differs(self, other: Self) -> __mmask8 {
                // SAFETY: as above.
                unsafe { _mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(self.0, other.0) }
            }
            #[inline(always)]
            fn everywhere() -> __mmask8 {
                __mmask8::MAX
            }
            #[inline(always)]
            fn select(mask: __mmask8, yes: Self, no: Self) -> Self {
                // SAFETY: as above.
                F64x8(unsafe { _mm512_mask_blend_pd(mask, no.0, yes.0) })
            }
            #[inline(always)]
            fn all(mask: __mmask8) -> bool {
                mask == __mmask8::MAX
            }
            #[inline(always)]
            fn equal(a: Bits8Wide, b: Bits8Wide) -> __mmask8 {
                // SAFETY: as above.
                unsafe { _mm512_cmpeq_epi64_mask(a.0, b.0) }
            }
            #[inline(always)]
            fn below(a: Bits8Wide, b: Bits8Wide) -> __mmask8 {
                // SAFETY: as above.
                unsafe { _mm512_cmplt_epu64_mask(a.0, b.0) }
            }
            #[inline(always)]
            fn from_steps(bits: Bits8Wide) -> Self {
                // SAFETY: as above.
                F64x8(unsafe { _mm512_cvtepi64_pd(bits.0) })
            }
            #[inline(always)]
            fn entry(table: &Table<f64>, bits: Bits8Wide) -> Self {
                let halves = table.0.as_ptr();
                // SAFETY: as above, and the table has two registers of entries.
                F64x8(unsafe {
                    _mm512_permutex2var_pd(_mm512_load_pd(halves), bits.0, _mm512_load_pd(halves.add(8)))
                })
            }
        }
    }
}

/// Compiles an `#[inline(always)]` unsafe function that is generic over [`Lanes`] of an element and another type for each
/// [`Level`](crate::simd::Level), and defines a function that gives the instance of a level: as
/// [`per_level!`](crate::simd::per_level) does.
macro_rules! per_lanes {
    ($(
        $(#[$doc:meta])*
        fn $pick:ident<$item:ident, $generic:ident: $bound:path>($($arg:ident: $ty:ty),* $(,)?) = $body:ident;
    )*) => { $(
        $(#[$doc])*
        #[inline]
        pub(crate) fn $pick<$item: $crate::lanes::InRegisters, $generic: $bound>(level: $crate::simd::Level) -> unsafe fn($($ty),*) {
            /// # Safety
            ///
            /// As the loop requires.
            unsafe fn baseline<$item: $crate::lanes::InRegisters, $generic: $bound>($($arg: $ty),*) {
                // SAFETY: as the caller promises.
                unsafe { $body::<$item, $generic>($($arg),*) }
            }
            /// # Safety
            ///
            /// As the loop requires; the machine has the features.
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn avx2<$item: $crate::lanes::InRegisters, $generic: $bound>($($arg: $ty),*) {
                // SAFETY: as the caller promises.
                unsafe { $body::<$item::Avx2, $generic>($($arg),*) }
            }
            /// # Safety
            ///
            /// As the loop requires; the machine has the features.
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn avx512<$item: $crate::lanes::InRegisters, $generic: $bound>($($arg: $ty),*) {
                // SAFETY: as the caller promises.
                unsafe { $body::<$item::Avx512, $generic>($($arg),*) }
            }
            match level {
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Level::Avx2 => avx2::<$item, $generic>,
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Level::Avx512 => avx512::<$item, $generic>,
                _ => baseline::<$item, $generic>,
            }
        }
    )* };
}
pub(crate) use per_lanes;

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::simd::Level;

    /// What each operation gives of each lane, as bits; masks choose between the two first numbers.
    #[inline(always)]
    unsafe fn everything<V: Lanes>(x: *const V::Item, out: *mut V::Item, table: &Table<V::Item>) {
        // SAFETY: as the caller promises: three registers to read, and one to write for each result.
        unsafe {
            let [a, b, c] = [V::load(x), V::load(x.add(ROOM)), V::load(x.add(2 * ROOM))];
            let power = a.abs().to_bits() & V::bits_of(V::Item::POWER);
            let results: [V; RESULTS] = [
                a + b,
                a - b,
                a * b,
                a / b,
                -a,
                a.mul_add(b, c),
                a.abs().sqrt(),
                a.min(b),
                a.max(b),
                a.abs(),
                a.copysign(b),
                V::select(a.less(b), a, b),
                V::select(a.differs(b), a, b),
                V::select(a.less(b) & b.less(c), a, b),
                V::select(V::everywhere(), a, b),
                V::select(V::equal(a.to_bits(), b.to_bits()), a, b),
                V::select(V::below(a.to_bits(), b.to_bits()), a, b),
                V::from_bits(a.to_bits() + b.to_bits()),
                V::from_bits(a.to_bits() - b.to_bits()),
                V::from_bits(a.to_bits() & b.to_bits()),
                V::from_bits(a.to_bits() | b.to_bits()),
                V::from_bits(a.to_bits() ^ b.to_bits()),
                V::from_bits(V::shift_left(a.to_bits(), 7)),
                V::from_bits(V::shift_right(a.to_bits(), 7)),
                V::from_steps(power - V::bits_of(V::Item::ONE)),
                V::entry(table, a.to_bits()),
                V::short_entry(table, b.to_bits()),
            ];
            let mut i = 0;
            while i < results.len() {
                results[i].store(out.add(i * ROOM));
                i += 1;
            }
        }
    }

    /// Room for the widest register.
    const ROOM: usize = 16;
    const RESULTS: usize = 27;

    macro_rules! widths {
        ($($name:ident: $ty:ident $word:ident $avx2:ident $avx512:ident;)*) => { $(
            #[test]
            fn $name() {
                #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
                unsafe fn avx2(x: *const $ty, out: *mut $ty, table: &Table<$ty>) {
                    // SAFETY: as the caller promises.
                    unsafe { everything::<$avx2>(x, out, table) }
                }
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
                unsafe fn avx512(x: *const $ty, out: *mut $ty, table: &Table<$ty>) {
                    // SAFETY: as the caller promises.
                    unsafe { everything::<$avx512>(x, out, table) }
                }
                let mut seed = 88_172_645_463_325_252u64;
                let mut random = || {
                    seed ^= seed << 13;
                    seed ^= seed >> 7;
                    seed ^= seed << 17;
                    seed.wrapping_mul(0x2545_F491_4F6C_DD1D)
                };
                let special = [0.0, -0.0, 1.0, -1.0, $ty::INFINITY, $ty::NEG_INFINITY, $ty::NAN, $ty::MIN_POSITIVE, 1e-40];
                for round in 0..400 {
                    let mut x = [0.0; 3 * ROOM];
                    for x in &mut x {
                        *x = match random() % 8 {
                            0 => special[random() as usize % special.len()],
                            1..4 => $ty::from_bits((random() >> 3) as $word),
                            _ => (random() as i64 as $ty) / (i64::MAX as $ty) * 8.0,
                        };
                    }
                    let table = Table(std::array::from_fn(|i| (i * i + 3 * round) as $ty * 0.0625));
                    let (mut narrow, mut wide) = ([0.0; RESULTS * ROOM], [0.0; RESULTS * ROOM]);
                    for i in 0..ROOM {
                        // SAFETY: an element and its results; the arrays have room for all.
                        unsafe { everything::<$ty>(x.as_ptr().add(i), narrow.as_mut_ptr().add(i), &table) }
                    }
                    for (level, function, count) in [
                        (Level::Avx2, avx2 as unsafe fn(*const $ty, *mut $ty, &Table<$ty>), $avx2::COUNT),
                        (Level::Avx512, avx512, $avx512::COUNT),
                    ] {
                        if Level::detected() < level {
                            continue;
                        }
                        for start in (0..ROOM).step_by(count) {
                            // SAFETY: the machine has the level, and the arrays have room for all registers.
                            unsafe { function(x.as_ptr().add(start), wide.as_mut_ptr().add(start), &table) }
                        }
                        for i in 0..RESULTS * ROOM {
                            let (a, b): ($ty, $ty) = (narrow[i], wide[i]);
                            let same = a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
                            let [a, b, c] = [0, 1, 2].map(|k| x[k * ROOM + i % ROOM]);
                            assert!(same, "{level:?}, result {} of {a:e} {b:e} {c:e}: {} and {}", i / ROOM, narrow[i], wide[i]);
                        }
                    }
                }
            }
        )* };
    }

    widths! {
        each_width_computes_as_f32_does: f32 u32 F32x8 F32x16;
        each_width_computes_as_f64_does: f64 u64 F64x4 F64x8;
    }
}
