//! The lanes of AVX2 and AVX-512.

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

/// The classes of zeros, subnormal and negative numbers, infinities and NaN: all that there are.
const NOT_ORDINARY: i32 = 0xff;

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
        fn is_ordinary(self) -> __mmask16 {
            // SAFETY: as above.
            !unsafe { _mm512_fpclass_ps_mask::<{ NOT_ORDINARY }>(self.0) }
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
        fn is_ordinary(self) -> __mmask8 {
            // SAFETY: as above.
            !unsafe { _mm512_fpclass_pd_mask::<{ NOT_ORDINARY }>(self.0) }
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
