//! The radix sort of keys: digit by digit from the lowest, each pass stable.
//!
//! Only the bits in which keys differ are looked at, up to eleven in a pass: small numbers take one pass whatever their data
//! type. The time depends on nothing else in the data, and nothing recurses.

use std::mem::MaybeUninit;
use std::slice;

use strictarray_core::Result;

use super::key::Key;
use crate::Ctx;
use crate::ctx::TICK;

/// The most bits that a pass looks at.
pub(super) const DIGIT: u32 = 11;
/// Up to so many keys a comparison sort is faster than counting.
pub(super) const SMALL: usize = 256;
/// Up to so many keys digits are narrower: their tables would be most of the work.
const MEDIUM: usize = 1 << 13;

/// The bits that keys differ in: `bits` of them from `low` up, after `base` is taken away.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) base: u64,
    pub(crate) low: u32,
    pub(crate) bits: u32,
}

impl Field {
    /// The field of keys between two.
    pub(crate) fn between<K: Key>(min: K, max: K) -> Field {
        Field { base: min.wide(), low: 0, bits: width(max.wide().saturating_sub(min.wide())) }
    }
}

/// How many bits a number has.
pub(crate) fn width(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

/// Whether so many keys are better sorted in vectors, if the machine has a way to do it.
fn in_vectors<K: Key>(n: usize, field: Field) -> bool {
    if size_of::<K>() == 4 {
        return elements_in_vectors(n, field.bits);
    }
    // Of keys of 64 bits three passes take longer than a sort in vectors.
    n <= SMALL || field.bits > 2 * DIGIT
}

/// Whether so many elements that differ in these bits at least are better sorted in vectors as they are.
pub(super) fn elements_in_vectors(n: usize, bits: u32) -> bool {
    // Counting is faster where there are many of few values.
    bits > DIGIT || n <= 64.max(2 << bits)
}

type Counts = [usize; 1 << DIGIT];

/// Sorts keys by a field; what lies outside it must be equal, or below it and ascending among keys that are equal in the
/// field. The sorted keys are in one of the two places: the one that comes back.
pub(crate) fn sort<'a, K: Key>(
    ctx: &Ctx<'_>,
    keys: &'a mut [K],
    spare: &'a mut [MaybeUninit<K>],
    field: Field,
) -> Result<&'a mut [K]> {
    let n = keys.len();
    debug_assert!(spare.len() >= n);
    if in_vectors::<K>(n, field)
        && let Some(vectors) = K::in_vectors(ctx.simd())
    {
        let place = keys.as_mut_ptr();
        // SAFETY: the keys, which are sorted where they are.
        unsafe { (vectors.sort)(ctx, place, n, place)? };
        return Ok(keys);
    }
    if n <= SMALL || field.bits == 0 {
        keys.sort_unstable();
        return Ok(keys);
    }
    let widest = if n <= MEDIUM { 8 } else { DIGIT };
    let passes = field.bits.div_ceil(widest);
    let digit = field.bits.div_ceil(passes);
    let mask = (1usize << digit) - 1;
    let of = |key: K, pass: u32| (key.wide().wrapping_sub(field.base) >> (field.low + pass * digit)) as usize & mask;
    let (mut from, mut to): (*mut K, *mut K) = (keys.as_mut_ptr(), spare.as_mut_ptr().cast());
    let mut counts: Counts = [0; 1 << DIGIT];
    for chunk in keys.chunks(TICK) {
        for &key in chunk {
            counts[of(key, 0)] += 1;
        }
        ctx.check_cancelled()?;
    }
    for pass in 0..passes {
        let mut next: Counts = [0; 1 << DIGIT];
        // SAFETY: `from` has n keys that are set: those given, or those that a pass wrote.
        let keys = unsafe { slice::from_raw_parts(from.cast_const(), n) };
        let counting = pass + 1 < passes;
        if counts[of(keys[0], pass)] == n {
            // Nothing to move.
            if counting {
                for chunk in keys.chunks(TICK) {
                    for &key in chunk {
                        next[of(key, pass + 1)] += 1;
                    }
                    ctx.check_cancelled()?;
                }
            }
        } else {
            let mut start = 0;
            for count in &mut counts[..=mask] {
                start += std::mem::replace(count, start);
            }
            for chunk in keys.chunks(TICK) {
                for &key in chunk {
                    let place = &mut counts[of(key, pass)];
                    // SAFETY: counted over these very keys, which are ours alone: each gets a place of its own below n.
                    unsafe { to.add(*place).write(key) };
                    *place += 1;
                    if counting {
                        next[of(key, pass + 1)] += 1;
                    }
                }
                ctx.check_cancelled()?;
            }
            std::mem::swap(&mut from, &mut to);
        }
        counts = next;
    }
    // SAFETY: one of the two places, both borrowed as long as the result, with n keys that are set.
    Ok(unsafe { slice::from_raw_parts_mut(from, n) })
}

/// Sorts keys that are all of what there is: those of few values by counting alone.
pub(crate) fn sort_values<'a, K: Key>(
    ctx: &Ctx<'_>,
    keys: &'a mut [K],
    spare: &'a mut [MaybeUninit<K>],
    field: Field,
) -> Result<&'a mut [K]> {
    // A value that may occur costs as much as some keys.
    match field.bits {
        0..=8 if 1 << field.bits <= 4 * keys.len() => count::<K, { 1 << 8 }>(ctx, keys, field)?,
        9..=DIGIT if 1 << field.bits <= 4 * keys.len() => count::<K, { 1 << DIGIT }>(ctx, keys, field)?,
        _ => return sort(ctx, keys, spare, field),
    }
    Ok(keys)
}

/// Sorts keys of so many values at most.
fn count<K: Key, const VALUES: usize>(ctx: &Ctx<'_>, keys: &mut [K], field: Field) -> Result<()> {
    let mut counts = [0usize; VALUES];
    for chunk in keys.chunks(TICK) {
        for &key in chunk {
            counts[key.wide().wrapping_sub(field.base) as usize & (VALUES - 1)] += 1;
        }
        ctx.check_cancelled()?;
    }
    let mut done = 0;
    for (value, &count) in counts.iter().enumerate() {
        if count > 0 {
            keys[done..done + count].fill(K::narrow(field.base.wrapping_add(value as u64)));
            done += count;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Level;

    fn random(n: usize, bits: u32) -> Vec<u64> {
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        (0..n)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> (64 - bits)
            })
            .collect()
    }

    fn check(keys: &[u64], field: Field) {
        for level in Level::ALL {
            check_with(Ctx::new().simd_at_most(level), keys, field);
        }
    }

    fn check_with(ctx: Ctx<'_>, keys: &[u64], field: Field) {
        if field.base == 0 && field.bits <= 32 {
            let mut narrow: Vec<u32> = keys.iter().map(|&k| k as u32).collect();
            let mut expected = narrow.clone();
            expected.sort_unstable();
            let mut spare = vec![MaybeUninit::uninit(); keys.len()];
            assert_eq!(*sort(&ctx, &mut narrow, &mut spare, field).unwrap(), expected[..], "{field:?}");
        }
        let mut expected = keys.to_vec();
        expected.sort_unstable();
        for sort in [sort::<u64>, sort_values::<u64>] {
            let mut keys = keys.to_vec();
            let mut spare = vec![MaybeUninit::uninit(); keys.len()];
            assert_eq!(*sort(&ctx, &mut keys, &mut spare, field).unwrap(), expected[..], "{field:?}");
        }
    }

    #[test]
    fn every_width_and_size_is_sorted() {
        for n in [0, 1, 2, 3, 255, 256, 257, 300, 5000, 20_000] {
            for bits in [1, 2, 7, 8, 9, 10, 11, 12, 16, 17, 22, 23, 31, 32, 33, 44, 45, 55, 63, 64] {
                let keys = random(n, bits);
                let (min, max) = (keys.iter().copied().min().unwrap_or(0), keys.iter().copied().max().unwrap_or(0));
                check(&keys, Field::between(min, max));
            }
        }
    }

    #[test]
    fn keys_far_from_zero_and_keys_that_share_a_digit() {
        for base in [0, 1 << 40, u64::MAX - (1 << 20)] {
            let keys: Vec<u64> = random(3000, 20).into_iter().map(|k| base + k).collect();
            check(&keys, Field::between(base, base + (1 << 20) - 1));
            let spread: Vec<u64> = random(3000, 1).into_iter().map(|k| k << 40).collect();
            check(&spread, Field::between(0u64, 1 << 40));
        }
        check(&[7; 1000], Field::between(7u64, 7));
    }

    #[test]
    fn equal_digits_keep_their_order() {
        let ctx = Ctx::new();
        for n in [100, 1000, 20_000] {
            // The low 20 bits number the keys, the field above them has few values.
            let mut keys: Vec<u64> = random(n, 5).into_iter().enumerate().map(|(i, k)| k << 20 | i as u64).collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            let mut spare = vec![MaybeUninit::uninit(); n];
            let sorted = sort(&ctx, &mut keys, &mut spare, Field { base: 0, low: 20, bits: 5 }).unwrap();
            assert_eq!(*sorted, expected[..]);
        }
    }

    #[test]
    fn few_different_keys_and_bad_pivots() {
        for n in [300usize, 3000, 20_000] {
            for values in [1u64, 2, 3, 10] {
                let keys: Vec<u64> = random(n, 62).into_iter().map(|k| k % values * 0x1_0000_0001_0000).collect();
                check(&keys, Field { base: 0, low: 0, bits: 64 });
            }
            let up: Vec<u64> = (0..n as u64).map(|k| k << 30).collect();
            let organ: Vec<u64> = (0..n as u64).map(|k| k.min(n as u64 - k) << 30).collect();
            let mut down = up.clone();
            down.reverse();
            for keys in [up, down, organ] {
                check(&keys, Field { base: 0, low: 0, bits: 64 });
            }
        }
        for n in 0..300 {
            check(&random(n, 64), Field { base: 0, low: 0, bits: 64 });
            check(&random(n, 32), Field { base: 0, low: 0, bits: 32 });
            check(&vec![u64::MAX; n], Field { base: 0, low: 0, bits: 64 });
        }
    }

    #[test]
    fn a_long_sort_can_be_stopped() {
        let stop = || true;
        for level in Level::ALL {
            let ctx = Ctx::new().simd_at_most(level).cancelled_by(&stop);
            let mut keys = random(100_000, 64);
            let mut spare = vec![MaybeUninit::uninit(); keys.len()];
            let stopped = sort(&ctx, &mut keys, &mut spare, Field::between(0u64, u64::MAX));
            assert_eq!(stopped.map(|_| ()).unwrap_err().rule().id, "interrupted");
        }
    }
}
