//! The steps of the quicksort in any vectors, and the macro that compiles them for those of an instruction set.

use std::mem::MaybeUninit;

use strictarray_core::Result;

use super::network::{self, LANES, Vector};
use crate::Ctx;
use crate::ctx::TICK;

/// Defines the [`Steps`](super::Steps) of an instruction set, and what it has for elements as they are.
macro_rules! steps {
    ($name:ident: $features:literal) => {
        /// The steps for the keys of a vector.
        pub(in crate::sort) struct $name<V>(std::marker::PhantomData<V>);

        /// # Safety
        ///
        /// As the body; the machine has the features.
        #[target_feature(enable = $features)]
        unsafe fn middle<V: Vector, const R: usize>(from: *const V::Key, n: usize) -> V::Key {
            // SAFETY: as the caller promises.
            unsafe { super::steps::middle::<V, R>(from, n) }
        }

        /// # Safety
        ///
        /// As the body; the machine has the features.
        #[target_feature(enable = $features)]
        unsafe fn partition<V: Vector, const EQUAL: bool>(
            ctx: &$crate::Ctx<'_>,
            from: *const V::Key,
            n: usize,
            to: *mut V::Key,
            pivot: V::Key,
        ) -> strictarray_core::Result<usize> {
            // SAFETY: as the caller promises.
            unsafe { super::steps::partition::<V, EQUAL>(ctx, from, n, to, pivot) }
        }

        /// # Safety
        ///
        /// As the body; the machine has the features.
        #[target_feature(enable = $features)]
        unsafe fn partition_in_place<V: Vector, const EQUAL: bool>(
            ctx: &$crate::Ctx<'_>,
            keys: *mut V::Key,
            n: usize,
            pivot: V::Key,
        ) -> strictarray_core::Result<usize> {
            // SAFETY: as the caller promises.
            unsafe { super::steps::partition_in_place::<V, EQUAL>(ctx, keys, n, pivot) }
        }

        /// # Safety
        ///
        /// As the body; the machine has the features.
        #[target_feature(enable = $features)]
        unsafe fn rows<V: Vector, const R: usize>(from: *const V::Key, n: usize, to: *mut V::Key) {
            // SAFETY: as the caller promises.
            unsafe { super::network::sort::<V, R>(from, n, to) }
        }

        /// # Safety
        ///
        /// As the body; the machine has the features.
        #[target_feature(enable = $features)]
        unsafe fn distinct<V: Vector>(
            ctx: &$crate::Ctx<'_>,
            from: *const V::Key,
            n: usize,
            to: *mut V::Key,
        ) -> strictarray_core::Result<usize> {
            // SAFETY: as the caller promises.
            unsafe { super::steps::distinct::<V>(ctx, from, n, to) }
        }

        // SAFETY: keys are moved whole, each to a place of its own.
        unsafe impl<V: Vector<Key: $crate::sort::key::Sortable>> super::Steps for $name<V> {
            type Key = V::Key;
            const SMALL: usize = super::network::ROWS * V::LANES;

            #[inline(always)]
            unsafe fn middle(from: *const V::Key, n: usize) -> V::Key {
                /// From so many keys on the pivot is worth a closer look.
                const MANY: usize = 1024;
                // SAFETY: as the caller promises.
                unsafe {
                    if n < MANY { middle::<V, 4>(from, n) } else { middle::<V, { super::network::ROWS }>(from, n) }
                }
            }

            #[inline(always)]
            unsafe fn partition<const EQUAL: bool>(
                ctx: &$crate::Ctx<'_>,
                from: *const V::Key,
                n: usize,
                to: *mut V::Key,
                pivot: V::Key,
            ) -> strictarray_core::Result<usize> {
                // SAFETY: as the caller promises.
                unsafe { partition::<V, EQUAL>(ctx, from, n, to, pivot) }
            }

            #[inline(always)]
            unsafe fn partition_in_place<const EQUAL: bool>(
                ctx: &$crate::Ctx<'_>,
                keys: *mut V::Key,
                n: usize,
                pivot: V::Key,
            ) -> strictarray_core::Result<usize> {
                // SAFETY: as the caller promises.
                unsafe { partition_in_place::<V, EQUAL>(ctx, keys, n, pivot) }
            }

            #[inline(always)]
            unsafe fn small(from: *const V::Key, n: usize, to: *mut V::Key) {
                // SAFETY: as the caller promises: as many keys as these rows have, or less by up to two rows.
                unsafe {
                    if n <= V::LANES {
                        return rows::<V, 1>(from, n, to);
                    }
                    match n.div_ceil(2 * V::LANES) {
                        0 | 1 => rows::<V, 2>(from, n, to),
                        2 => rows::<V, 4>(from, n, to),
                        3 => rows::<V, 6>(from, n, to),
                        4 => rows::<V, 8>(from, n, to),
                        5 => rows::<V, 10>(from, n, to),
                        6 => rows::<V, 12>(from, n, to),
                        7 => rows::<V, 14>(from, n, to),
                        _ => rows::<V, { super::network::ROWS }>(from, n, to),
                    }
                }
            }
        }

        /// What there is for elements as they are.
        pub(in crate::sort) fn vectors<V: Vector<Key: $crate::sort::key::Sortable>>()
        -> $crate::sort::key::Vectors<V::Key> {
            $crate::sort::key::Vectors { sort: super::sort_into::<$name<V>>, distinct: distinct::<V> }
        }
    };
}
pub(super) use steps;

/// A key in the middle of those of some vectors that lie equally far from each other: the middle one of the middle ones of
/// their lanes.
///
/// # Safety
///
/// So many keys or more; the machine has the instruction set.
#[inline(always)]
pub(super) unsafe fn middle<V: Vector, const R: usize>(from: *const V::Key, n: usize) -> V::Key {
    let step = (n - V::LANES) / (R - 1);
    let mut row = [V::LAST; LANES];
    // SAFETY: as the caller promises: the vectors lie before n, and in the row.
    unsafe {
        let mut x = [V::splat(V::LAST); R];
        for (r, row) in x.iter_mut().enumerate() {
            *row = V::load(from.add(r * step));
        }
        network::sort_columns(&mut x);
        // There is none in the middle of an even number: the upper one of rows, the lower one of lanes.
        let mut middles = [x[R / 2]];
        network::sort_rows(&mut middles);
        middles[0].store(row.as_mut_ptr());
    }
    row[V::LANES / 2 - 1]
}

/// Where keys go: those before the pivot from `left` on, the others so that they end at `right`.
struct Ends<K> {
    to: *mut K,
    left: usize,
    right: usize,
}

impl<K: Copy> Ends<K> {
    /// # Safety
    ///
    /// Room for a vector from `left` on and for another one before `right`, and for the keys between them; the machine has the
    /// instruction set.
    #[inline(always)]
    unsafe fn place<V: Vector<Key = K>, const EQUAL: bool>(&mut self, x: V, pivots: V) {
        let all = (1 << V::LANES) - 1;
        // SAFETY: as the caller promises.
        unsafe {
            let front = if EQUAL { !pivots.below(x) & all } else { x.below(pivots) };
            x.part(front, self.to.add(self.left), self.to.add(self.right));
            let count = front.count_ones() as usize;
            self.left += count;
            self.right -= V::LANES - count;
        }
    }

    /// Places vectors that lie at a distance of each other, some at a time.
    ///
    /// # Safety
    ///
    /// [`UNROLL`] vectors, the distance in keys; room as for [`place`](Ends::place) whenever one is placed.
    #[inline(always)]
    unsafe fn place_some<V: Vector<Key = K>, const EQUAL: bool>(&mut self, from: *const K, step: isize, pivots: V) {
        let mut x = [pivots; UNROLL];
        // SAFETY: as the caller promises.
        unsafe {
            for (i, x) in x.iter_mut().enumerate() {
                *x = V::load(from.offset(i as isize * step));
            }
            for x in x {
                self.place::<V, EQUAL>(x, pivots);
            }
        }
    }

    /// Places keys that fill what is between `left` and `right`.
    ///
    /// # Safety
    ///
    /// `n` keys, apart from where they go; the machine has the instruction set.
    #[inline(always)]
    unsafe fn place_all<V: Vector<Key = K>, const EQUAL: bool>(
        &mut self,
        ctx: &Ctx<'_>,
        from: *const K,
        n: usize,
        pivot: K,
    ) -> Result<()> {
        let mut done = 0;
        // SAFETY: what is read lies before n. Between `left` and `right` there are as many places as keys are left: two
        // vectors' at least when one is placed, so that neither end touches the other.
        unsafe {
            let pivots = V::splat(pivot);
            while n - done >= (UNROLL + 1) * V::LANES {
                self.place_some::<V, EQUAL>(from.add(done), V::LANES as isize, pivots);
                done += UNROLL * V::LANES;
                if done.is_multiple_of(TICK) {
                    ctx.check_cancelled()?;
                }
            }
            while n - done >= 2 * V::LANES {
                self.place::<V, EQUAL>(V::load(from.add(done)), pivots);
                done += V::LANES;
            }
            while done < n {
                let now = (n - done).min(V::LANES);
                let (to, end) = (self.to.add(self.left), self.to.add(self.right));
                let front = V::part_first::<EQUAL>(from.add(done), now, pivot, to, end);
                self.left += front;
                self.right -= now - front;
                done += now;
            }
        }
        Ok(())
    }
}

/// Vectors that are read before any of them is placed.
const UNROLL: usize = 4;
/// Vectors that are placed before it is asked again from which end to read: fewer ask too often, and the answer is hard to
/// foresee for the processor.
const AT_ONCE: usize = 2 * UNROLL;

/// As [`Steps::partition`](super::Steps::partition).
///
/// # Safety
///
/// As there.
#[inline(always)]
pub(super) unsafe fn partition<V: Vector, const EQUAL: bool>(
    ctx: &Ctx<'_>,
    from: *const V::Key,
    n: usize,
    to: *mut V::Key,
    pivot: V::Key,
) -> Result<usize> {
    let mut ends = Ends { to, left: 0, right: n };
    // SAFETY: as the caller promises: as many places as keys.
    unsafe { ends.place_all::<V, EQUAL>(ctx, from, n, pivot)? };
    Ok(ends.left)
}

/// As [`Steps::partition_in_place`](super::Steps::partition_in_place).
///
/// # Safety
///
/// As there.
#[inline(always)]
pub(super) unsafe fn partition_in_place<V: Vector, const EQUAL: bool>(
    ctx: &Ctx<'_>,
    keys: *mut V::Key,
    n: usize,
    pivot: V::Key,
) -> Result<usize> {
    const { assert!(V::LANES <= LANES) };
    // The first and the last keys are put aside; then as many places are free as they had, at both ends together.
    let block = AT_ONCE * V::LANES;
    let aside = block + block / 2;
    let mut room = MaybeUninit::<[V::Key; 4 * AT_ONCE * LANES]>::uninit();
    let room = room.as_mut_ptr().cast::<V::Key>();
    let mut ends = Ends { to: keys, left: 0, right: n };
    // SAFETY: what is read lies before n, and the room has four blocks. Keys from `start` to `end` have not been read: before
    // a block of them is, `start - left` and `right - end` are three blocks together. It is read from the left if there is
    // less than a block and three quarters, so that there is more than a block at the right; else that much is at the left.
    // So the end that is not read from has room for all of the block. At the other end vectors are read from the outside
    // in, each before one is placed: what is placed there goes where keys have been read.
    unsafe {
        if n < 4 * block {
            std::ptr::copy_nonoverlapping(keys, room, n);
            ends.place_all::<V, EQUAL>(ctx, room, n, pivot)?;
            return Ok(ends.left);
        }
        let pivots = V::splat(pivot);
        let (mut start, mut end) = (aside, n - aside);
        std::ptr::copy_nonoverlapping(keys, room, aside);
        std::ptr::copy_nonoverlapping(keys.add(end), room.add(aside), aside);
        let mut since = 0;
        while end - start >= block {
            let lanes = V::LANES as isize;
            if start - ends.left < block + block / 4 * 3 {
                for i in 0..AT_ONCE / UNROLL {
                    ends.place_some::<V, EQUAL>(keys.add(start + i * UNROLL * V::LANES), lanes, pivots);
                }
                start += block;
            } else {
                for i in 0..AT_ONCE / UNROLL {
                    ends.place_some::<V, EQUAL>(keys.add(end - (i * UNROLL + 1) * V::LANES), -lanes, pivots);
                }
                end -= block;
            }
            since += block;
            if since >= TICK {
                since = 0;
                ctx.check_cancelled()?;
            }
        }
        std::ptr::copy_nonoverlapping(keys.add(start), room.add(2 * aside), end - start);
        ends.place_all::<V, EQUAL>(ctx, room, 2 * aside + end - start, pivot)?;
    }
    Ok(ends.left)
}

/// Those of sorted keys, in the same place or another one, that are below the next.
///
/// # Safety
///
/// `n` keys and room for as many; the machine has the instruction set.
#[inline(always)]
pub(super) unsafe fn distinct<V: Vector>(
    ctx: &Ctx<'_>,
    from: *const V::Key,
    n: usize,
    to: *mut V::Key,
) -> Result<usize> {
    let (mut done, mut count) = (0, 0);
    // SAFETY: what is read lies before n. What is written has no more keys before it than were read, and of a vector none after
    // those that were.
    unsafe {
        while n - done > V::LANES {
            let x = V::load(from.add(done));
            let last = x.below(V::load(from.add(done + 1)));
            x.to_front(last).store(to.add(count));
            count += last.count_ones() as usize;
            done += V::LANES;
            if done.is_multiple_of(TICK) {
                ctx.check_cancelled()?;
            }
        }
        while done < n {
            let key = from.add(done).read();
            to.add(count).write(key);
            done += 1;
            count += usize::from(done == n || key < from.add(done).read());
        }
    }
    Ok(count)
}
