//! Sorting networks on keys in vectors: as many rows of them as there is need for, up to sixteen.
//!
//! The columns are sorted first, by exchanges of whole rows; then columns next to each other are merged, twice as many each
//! time. Of two that are merged the second is read from its last row to its first, and all merges but the last leave every
//! second group of lanes turned around: so what is compared always stands in the other half of its group.

/// Some keys in a register.
///
/// # Safety
///
/// The methods do what they say; the machine must have their instruction set.
pub(in crate::sort) unsafe trait Vector: Copy {
    type Key: Copy + PartialOrd;
    /// How many keys: 4, 8 or 16.
    const LANES: usize;
    /// A key that none comes after.
    const LAST: Self::Key;

    /// # Safety
    ///
    /// As many keys as lanes.
    unsafe fn load(from: *const Self::Key) -> Self;
    /// The first `n` keys, if there are fewer than lanes followed by last ones.
    ///
    /// # Safety
    ///
    /// So many keys.
    unsafe fn load_first(from: *const Self::Key, n: isize) -> Self;
    /// # Safety
    ///
    /// Room for as many keys as lanes.
    unsafe fn store(self, to: *mut Self::Key);
    /// # Safety
    ///
    /// The machine has the instruction set: as for all that follow.
    unsafe fn splat(key: Self::Key) -> Self;
    /// In each lane the lesser of both, and the greater.
    ///
    /// # Safety
    ///
    /// As [`splat`](Vector::splat).
    unsafe fn exchanged(self, other: Self) -> [Self; 2];
    /// The lanes whose keys are below the other's, as a set of bits.
    ///
    /// # Safety
    ///
    /// As [`splat`](Vector::splat).
    unsafe fn below(self, other: Self) -> usize;
    /// The keys of a set of lanes first, each in order, then any.
    ///
    /// # Safety
    ///
    /// As [`splat`](Vector::splat); no other bits.
    unsafe fn to_front(self, lanes: usize) -> Self;
    /// Writes the keys of a set of lanes from `to` on, the others so that they end at `end`. What else is written, in a whole
    /// vector from `to` on and another one before `end`, is any key.
    ///
    /// # Safety
    ///
    /// As [`to_front`](Vector::to_front); room for as many keys as lanes from `to` on, and as many before `end`.
    unsafe fn part(self, lanes: usize, to: *mut Self::Key, end: *mut Self::Key);
    /// Writes those of `n` keys that are below the pivot (or equal to it, where that is asked for) from `to` on, the others so
    /// that they end at `end`, and says how many are in front. What else is written lies between them.
    ///
    /// # Safety
    ///
    /// As [`splat`](Vector::splat); so many keys, no more than lanes, and room for as many between `to` and `end`, apart from
    /// the keys.
    #[inline(always)]
    unsafe fn part_first<const EQUAL: bool>(
        from: *const Self::Key,
        n: usize,
        pivot: Self::Key,
        to: *mut Self::Key,
        end: *mut Self::Key,
    ) -> usize {
        let (mut front, mut back) = (0, 0);
        // SAFETY: as the caller promises: both places are in the room as long as there are keys.
        unsafe {
            for i in 0..n {
                let key = from.add(i).read();
                let before = if EQUAL { key <= pivot } else { key < pivot };
                to.add(front).write(key);
                end.sub(back + 1).write(key);
                front += usize::from(before);
                back += usize::from(!before);
            }
        }
        front
    }
    /// Writes the first `n` keys.
    ///
    /// # Safety
    ///
    /// As [`splat`](Vector::splat); no more than lanes, and room for as many.
    #[inline(always)]
    unsafe fn store_first(self, to: *mut Self::Key, n: usize) {
        let mut keys = [Self::LAST; LANES];
        // SAFETY: as the caller promises.
        unsafe {
            self.store(keys.as_mut_ptr());
            for (i, &key) in keys[..n].iter().enumerate() {
                to.add(i).write(key);
            }
        }
    }
    /// The halves of each group of lanes swapped.
    ///
    /// # Safety
    ///
    /// As [`splat`](Vector::splat).
    unsafe fn swapped<const GROUP: usize>(self) -> Self;
    /// What is left of a merge within groups of lanes when rows were compared: sorts each group that rises and then falls,
    /// every second one the other way around.
    ///
    /// # Safety
    ///
    /// As [`splat`](Vector::splat).
    unsafe fn merged<const GROUP: usize>(self) -> Self;
}

/// The most rows.
pub(super) const ROWS: usize = 16;
/// The most lanes.
pub(super) const LANES: usize = 16;

/// Exchanges pairs of those rows that there are. A row beyond the last would be one of last keys, with which an exchange
/// changes nothing.
macro_rules! exchange_rows {
    ($x:ident: $($a:literal $b:literal,)*) => { $(
        if $b < R {
            [$x[$a], $x[$b]] = $x[$a].exchanged($x[$b]);
        }
    )* };
}

/// Sorts each column.
///
/// # Safety
///
/// The machine has the instruction set.
#[inline(always)]
pub(super) unsafe fn sort_columns<V: Vector, const R: usize>(x: &mut [V; R]) {
    const { assert!(R <= ROWS) };
    // SAFETY: as the caller promises.
    unsafe {
        if R > 8 {
            exchange_rows! { x:
                0 1, 2 3, 4 5, 6 7, 8 9, 10 11, 12 13, 14 15,
                0 2, 1 3, 4 6, 5 7, 8 10, 9 11, 12 14, 13 15,
                0 4, 1 5, 2 6, 3 7, 8 12, 9 13, 10 14, 11 15,
                0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15,
                1 2, 3 12, 4 8, 5 10, 6 9, 7 11, 13 14,
                1 4, 2 8, 7 13, 11 14,
                2 4, 5 6, 9 10, 11 13, 3 8, 7 12,
                6 8, 10 12, 3 5, 7 9,
                3 4, 5 6, 7 8, 9 10, 11 12,
                6 7, 8 9,
            }
        } else {
            exchange_rows! { x:
                0 1, 2 3, 4 5, 6 7,
                0 2, 1 3, 4 6, 5 7,
                1 2, 5 6, 0 4, 3 7,
                1 5, 2 6,
                1 4, 3 6,
                2 4, 3 5,
                3 4,
            }
        }
    }
}

/// Compares the rows of each block with the other half of their groups of lanes, from the ends of the block to its middle.
///
/// # Safety
///
/// The machine has the instruction set.
#[inline(always)]
unsafe fn compare_rows<V: Vector, const R: usize, const GROUP: usize, const BLOCK: usize>(x: &mut [V; R]) {
    for start in (0..R).step_by(BLOCK) {
        for i in 0..BLOCK / 2 {
            let (low, high) = (start + i, start + BLOCK - 1 - i);
            if high < R {
                // SAFETY: as the caller promises.
                [x[low], x[high]] = unsafe { x[low].exchanged(x[high].swapped::<GROUP>()) };
            }
        }
    }
}

/// Merges the sorted halves of each group of lanes.
///
/// # Safety
///
/// The machine has the instruction set.
#[inline(always)]
unsafe fn merge<V: Vector, const R: usize, const GROUP: usize>(x: &mut [V; R]) {
    // SAFETY: as the caller promises.
    unsafe {
        if R > 8 {
            compare_rows::<V, R, GROUP, 16>(x);
        }
        if R > 4 {
            compare_rows::<V, R, GROUP, 8>(x);
        }
        if R > 2 {
            compare_rows::<V, R, GROUP, 4>(x);
        }
        compare_rows::<V, R, GROUP, 2>(x);
        for row in x {
            *row = row.merged::<GROUP>();
        }
    }
}

/// Sorts the keys of rows, row by row.
///
/// # Safety
///
/// The machine has the instruction set.
#[inline(always)]
pub(super) unsafe fn sort_rows<V: Vector, const R: usize>(x: &mut [V; R]) {
    const { assert!(V::LANES == 4 || V::LANES == 8 || V::LANES == LANES) };
    // SAFETY: as the caller promises.
    unsafe {
        sort_columns(x);
        merge::<V, R, 2>(x);
        merge::<V, R, 4>(x);
        if V::LANES >= 8 {
            merge::<V, R, 8>(x);
        }
        if V::LANES == 16 {
            merge::<V, R, 16>(x);
        }
    }
}

/// Sorts keys of which there are as many as `R` rows have, or less by up to two rows.
///
/// # Safety
///
/// So many keys, and room for as many, which may be the same; the machine has the instruction set.
#[inline(always)]
pub(super) unsafe fn sort<V: Vector, const R: usize>(from: *const V::Key, n: usize, to: *mut V::Key) {
    let whole = R.saturating_sub(2);
    debug_assert!(n <= R * V::LANES && n >= whole * V::LANES);
    // SAFETY: as the caller promises: what is read and written lies before n. All is read before anything is written.
    unsafe {
        // No closures: those of functions for every machine would keep the instructions from being inlined.
        let mut x = [V::splat(V::LAST); R];
        for (r, row) in x.iter_mut().enumerate() {
            let start = r * V::LANES;
            let from = from.wrapping_add(start);
            *row = if r < whole { V::load(from) } else { V::load_first(from, n as isize - start as isize) };
        }
        sort_rows(&mut x);
        for (r, row) in x.into_iter().enumerate() {
            let start = r * V::LANES;
            if r < whole || start + V::LANES <= n {
                row.store(to.add(start));
            } else if start < n {
                row.store_first(to.add(start), n - start);
            }
        }
    }
}
