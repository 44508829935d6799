//! The order of keys: which comes first, which next.
//!
//! A key's upper bits and its place are packed into one number, and these numbers are sorted: half the memory of pairs.
//! Where the bits that fit do not tell keys apart, the runs that they leave are sorted by the bits below.

use std::mem::MaybeUninit;

use strictarray_core::Result;

use super::key::Key;
use super::radix::{self, Field, width};
use crate::Ctx;
use crate::ctx::TICK;
use crate::scratch::Scratch;
use crate::simd::per_level;

/// Where a call works: reused from lane to lane.
pub(crate) struct Orderer {
    packed: Scratch<u64>,
    spare: Scratch<u64>,
    n: usize,
}

/// Places in the order of their keys, equal ones as they stood.
pub(crate) struct Places<'a> {
    packed: &'a [u64],
    mask: u64,
}

impl Places<'_> {
    #[inline(always)]
    pub(crate) fn at(&self, i: usize) -> usize {
        (self.packed[i] & self.mask) as usize
    }

    #[inline(always)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.packed.iter().map(|p| (p & self.mask) as usize)
    }
}

impl Orderer {
    /// For `n` keys at a time.
    pub(crate) fn new(ctx: &Ctx<'_>, n: usize) -> Result<Orderer> {
        Ok(Orderer { packed: Scratch::new(ctx, n)?, spare: Scratch::new(ctx, n)?, n })
    }

    /// The order of as many keys, none below `min` or above `max`.
    pub(crate) fn order<K: Key>(&mut self, ctx: &Ctx<'_>, keys: &[K], min: K, max: K) -> Result<Places<'_>> {
        let place_bits = width(self.n.saturating_sub(1) as u64);
        self.order_with(ctx, keys, min, max, place_bits)
    }

    /// Hands out the order of as many keys, none below `min` or above `max`: each number in the order with the key's place, in any
    /// sequence, each once.
    pub(crate) fn order_into<K: Key>(
        &mut self,
        ctx: &Ctx<'_>,
        keys: &[K],
        min: K,
        max: K,
        mut put: impl FnMut(usize, usize),
    ) -> Result<()> {
        if keys.len() == self.n && counted(self.n, min, max) {
            return count(ctx, keys, min, max, put);
        }
        for (i, place) in self.order(ctx, keys, min, max)?.iter().enumerate() {
            put(i, place);
        }
        Ok(())
    }

    fn order_with<K: Key>(&mut self, ctx: &Ctx<'_>, keys: &[K], min: K, max: K, bits: u32) -> Result<Places<'_>> {
        if keys.len() != self.n {
            return Err(crate::run::misuse("as many keys as were said"));
        }
        let room = self.packed.room();
        if counted(self.n, min, max) {
            count(ctx, keys, min, max, |i, place| {
                room[i].write(place as u64);
            })?;
            // SAFETY: as many places as keys were set, each once.
            return Ok(Places { packed: unsafe { self.packed.values() }, mask: u64::MAX });
        }
        for (i, place) in room.iter_mut().enumerate() {
            place.write(i as u64);
        }
        // SAFETY: all were set.
        let packed = unsafe { self.packed.values() };
        if keys.is_sorted() {
            return Ok(Places { packed, mask: u64::MAX });
        }
        let refine = Refine { ctx, keys, base: min.wide(), place_bits: bits };
        refine.run(packed, self.spare.room(), width(max.wide().saturating_sub(min.wide())))?;
        Ok(Places { packed, mask: (1u64 << bits).wrapping_sub(1) })
    }
}

/// Whether so many keys, none below `min` or above `max`, are of few values. Counting clears and sums its counters whatever the
/// number of keys: it is not for short lanes.
fn counted<K: Key>(n: usize, min: K, max: K) -> bool {
    n > radix::SMALL && width(max.wide().saturating_sub(min.wide())) <= radix::DIGIT
}

/// The order of keys of few values: counted, then each place is handed out where those of its value begin.
fn count<K: Key>(ctx: &Ctx<'_>, keys: &[K], min: K, max: K, mut put: impl FnMut(usize, usize)) -> Result<()> {
    let span = max.wide().saturating_sub(min.wide());
    let of = |key: K| (key.wide().wrapping_sub(min.wide())).min(span) as usize;
    let mut starts = [0usize; 1 << radix::DIGIT];
    for chunk in keys.chunks(TICK) {
        chunk.iter().for_each(|&key| starts[of(key)] += 1);
        ctx.check_cancelled()?;
    }
    let mut start = 0;
    for count in &mut starts {
        start += std::mem::replace(count, start);
    }
    let mut place = 0;
    for chunk in keys.chunks(TICK) {
        for &key in chunk {
            let start = &mut starts[of(key)];
            put(*start, place);
            *start += 1;
            place += 1;
        }
        ctx.check_cancelled()?;
    }
    Ok(())
}

struct Refine<'a, K> {
    ctx: &'a Ctx<'a>,
    keys: &'a [K],
    base: u64,
    /// How many bits a place takes, fewer than 64.
    place_bits: u32,
}

impl<K: Key> Refine<'_, K> {
    /// Sorts places, which ascend, by the lowest `bits` of their keys; the keys are equal above.
    ///
    /// Calls itself with fewer bits by what fits beside a place: a few times at most.
    fn run(&self, packed: &mut [u64], spare: &mut [MaybeUninit<u64>], bits: u32) -> Result<()> {
        let places = (1u64 << self.place_bits) - 1;
        let fit = bits.min(u64::BITS - self.place_bits);
        let below = bits - fit;
        if fit == 0 {
            return Ok(());
        }
        let mask = u64::MAX >> (u64::BITS - fit);
        for chunk in packed.chunks_mut(TICK) {
            for p in chunk {
                let place = *p & places;
                let key = self.keys[place as usize].wide().wrapping_sub(self.base);
                *p = (key >> below & mask) << self.place_bits | place;
            }
            self.ctx.check_cancelled()?;
        }
        let n = packed.len();
        let from = packed.as_ptr();
        let sorted = radix::sort(self.ctx, packed, spare, Field { base: 0, low: self.place_bits, bits: fit })?;
        if !std::ptr::eq(sorted.as_ptr(), from) {
            // SAFETY: the sorted ones are in the spare place, which is apart and as long.
            unsafe { std::ptr::copy_nonoverlapping(sorted.as_ptr(), from.cast_mut(), n) };
        }
        // SAFETY: so many numbers; the level is the machine's.
        if below == 0 || !unsafe { any_tie(self.ctx.simd())(packed.as_ptr(), n, self.place_bits) } {
            return Ok(());
        }
        let mut start = 0;
        while start < n {
            let key = packed[start] >> self.place_bits;
            let mut end = start + 1;
            while end < n && packed[end] >> self.place_bits == key {
                end += 1;
            }
            if end - start > 1 {
                self.run(&mut packed[start..end], spare, below)?;
            }
            start = end;
        }
        Ok(())
    }
}

per_level! {
    fn any_tie<>(packed: *const u64, n: usize, place_bits: u32) -> bool = any_tie_loop;
}

/// Whether any two numbers next to each other are equal above the bits of places.
///
/// # Safety
///
/// So many numbers.
#[inline(always)]
unsafe fn any_tie_loop(packed: *const u64, n: usize, place_bits: u32) -> bool {
    /// Numbers that are compared without a branch.
    const BLOCK: usize = 256;
    // SAFETY: as the caller promises.
    let packed = unsafe { std::slice::from_raw_parts(packed, n) };
    let Some(rest) = packed.get(1..) else { return false };
    packed
        .chunks(BLOCK)
        .zip(rest.chunks(BLOCK))
        .any(|(packed, rest)| packed.iter().zip(rest).fold(false, |any, (a, b)| any | ((a ^ b) >> place_bits == 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(keys: &[u64], place_bits: u32) {
        let ctx = Ctx::new();
        let (min, max) = (keys.iter().min().copied().unwrap_or(0), keys.iter().max().copied().unwrap_or(0));
        let mut orderer = Orderer::new(&ctx, keys.len()).unwrap();
        let places = orderer.order_with(&ctx, keys, min, max, place_bits).unwrap();
        let mut expected: Vec<usize> = (0..keys.len()).collect();
        expected.sort_by_key(|&i| keys[i]);
        assert_eq!(places.iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn keys_that_differ_anywhere_are_told_apart() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state
        };
        for n in [0usize, 1, 2, 3, 100, 1000, 5000] {
            let bits = width(n.saturating_sub(1) as u64);
            let random: Vec<u64> = (0..n).map(|_| next()).collect();
            // Keys that are equal in their upper half, in all but the lowest bits, and everywhere.
            for mask in [u64::MAX, 0xFFFF_FFFF, 0xFF, 1, 0, 0xFF00_0000_0000_00FF, 1 << 63 | 3] {
                let keys: Vec<u64> = random.iter().map(|k| k & mask).collect();
                // More bits than the places need leave fewer for the keys: more rounds.
                for place_bits in [bits, 13.max(bits), 32, 47, 60] {
                    check(&keys, place_bits);
                }
            }
        }
    }
}
