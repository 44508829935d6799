//! The order in which elements come together, fixed by their places alone.
//!
//! The elements that make one result are numbered in C order of the reduced axes. Number `i` belongs to lane `i % LANES`;
//! a block is [`ROWS`] elements of each lane. In a block each lane is folded from first to last; blocks are joined in
//! pairs, these in pairs again, and so on; at the end the lanes are joined, halves onto halves. So the rounding error of a
//! sum grows as that of pairwise summation, a vector register holds several lanes of one result, and results that lie
//! side by side can be computed side by side, row by row, with the same bits.
//!
//! Where several axes are reduced and both the last one and the others are long, the others are folded first, and what they
//! come to then along the last one ([`nested_axis`](super::plan::nested_axis)): whichever end of them lies closest in memory, the elements
//! are read as they lie.

use std::mem::MaybeUninit;

use strictarray_core::Element;

use crate::simd::{keep_turn, per_level};

/// Elements of a lane in a block.
pub(crate) const ROWS: usize = 8;

/// How elements come together.
pub(crate) trait Fold: 'static {
    /// What lies in memory.
    type In: Element;
    /// What is accumulated.
    type Acc: Copy + 'static;
    /// What each result needs besides its elements.
    type Param: Copy + 'static;
    /// Lanes.
    const LANES: usize;
    /// Whether elements come to the same in any order: then the compiler chooses it for those side by side, and plans are
    /// [in any order](super::plan::Plan::in_any_order) too.
    const ANY_ORDER: bool = false;
    fn take(x: Self::In, param: Self::Param) -> Self::Acc;
    fn join(a: Self::Acc, b: Self::Acc) -> Self::Acc;
    /// Folds the lanes of a whole block that lies side by side: [`block`] with as many lanes.
    ///
    /// # Safety
    ///
    /// `LANES * ROWS` elements at `x`, room for `LANES` at `to`.
    unsafe fn block(x: *const Self::In, param: Self::Param, to: *mut Self::Acc);
    /// Folds one lane of a whole block for `w` results side by side: [`take_lane`] with as many columns at once as there are
    /// lanes.
    ///
    /// # Safety
    ///
    /// As [`take_lane`].
    unsafe fn lane(acc: *mut Self::Acc, x: *const u8, strides: [isize; 2], w: usize, params: *const Self::Param);
}

/// How what was accumulated becomes an element of the result.
pub(crate) trait Finish: 'static {
    type Acc: Copy + 'static;
    type Out: Copy + 'static;
    /// `count` elements were folded; `extra` is the function's own.
    fn finish(acc: Self::Acc, count: f64, extra: f64) -> Self::Out;
}

/// The blocks that are yet to be joined, of one result or of some side by side: a stack of lanes.
pub(crate) struct Tree {
    /// Room for [`levels`] times the lanes of all results.
    base: *mut u8,
    /// Results side by side.
    width: usize,
    /// Blocks on the stack.
    depth: usize,
    /// Blocks so far, those before its own included.
    blocks: usize,
    /// Blocks that are before its own: other than 0 in a part of a tree.
    before: usize,
    /// Elements of each result in the block that is not yet full.
    fill: usize,
}

/// How many blocks the stack holds at most when each result has `count` elements.
pub(crate) fn levels(count: usize, lanes: usize) -> usize {
    let blocks = count.div_ceil(lanes * ROWS).max(1);
    // One for each bit of their number, and one that is being made.
    (usize::BITS - blocks.leading_zeros()) as usize + 1
}

/// The same for a part of a tree, of so many elements.
pub(crate) fn part_levels(count: usize, lanes: usize) -> usize {
    // What can't be joined yet grows from either end of the part.
    2 * levels(count, lanes)
}

impl Tree {
    /// # Safety
    ///
    /// `base` has room for [`levels`] times `lanes * width` accumulators as long as the tree is used, aligned to them.
    pub(crate) unsafe fn new(base: *mut u8, width: usize) -> Tree {
        Tree { base, width, depth: 0, blocks: 0, before: 0, fill: 0 }
    }

    /// A part of a tree of one result, which begins behind so many blocks: what of it can be joined already.
    ///
    /// # Safety
    ///
    /// As [`Tree::new`], with room for [`part_levels`].
    pub(crate) unsafe fn part(base: *mut u8, before: usize) -> Tree {
        Tree { base, width: 1, depth: 0, blocks: before, before, fill: 0 }
    }

    /// One accumulator for each result.
    ///
    /// # Safety
    ///
    /// They are at `base` as long as the tree is used.
    pub(crate) unsafe fn of_one(base: *mut u8, width: usize) -> Tree {
        Tree { base, width, depth: 0, blocks: 0, before: 0, fill: 1 }
    }

    fn slot<F: Fold>(&self, level: usize) -> *mut F::Acc {
        self.base.cast::<F::Acc>().wrapping_add(level * F::LANES * self.width)
    }

    /// Joins the two topmost blocks, of which the upper one has so many lanes.
    ///
    /// # Safety
    ///
    /// There are two.
    #[inline(always)]
    unsafe fn join_top<F: Fold>(&mut self, lanes: usize) {
        self.depth -= 1;
        let (to, from) = (self.slot::<F>(self.depth - 1), self.slot::<F>(self.depth));
        // SAFETY: both are on the stack and hold these lanes.
        unsafe { join_all::<F>(to, from, lanes * self.width) };
    }

    /// The topmost block is full.
    ///
    /// # Safety
    ///
    /// Its lanes are set.
    #[inline(always)]
    unsafe fn close<F: Fold>(&mut self) {
        self.fill = 0;
        self.depth += 1;
        self.blocks += 1;
        // SAFETY: the block is on the stack.
        unsafe { self.join_from::<F>(0) };
    }

    /// The topmost on the stack are 2 to the power of `level` blocks that came together: joins them to their neighbours.
    ///
    /// # Safety
    ///
    /// They are.
    #[inline(always)]
    unsafe fn join_from<F: Fold>(&mut self, level: u32) {
        for level in level..self.blocks.trailing_zeros() {
            if self.blocks - self.before < 2 << level {
                // The neighbour is before this part.
                break;
            }
            // SAFETY: a number that ends in so many zeros has as many neighbours on the stack.
            unsafe { self.join_top::<F>(F::LANES) };
        }
    }
}

/// `to[i] = join(to[i], from[i])`.
///
/// # Safety
///
/// `n` in both, apart.
#[inline(always)]
unsafe fn join_all<F: Fold>(to: *mut F::Acc, from: *const F::Acc, n: usize) {
    for i in 0..n {
        // SAFETY: as the caller promises.
        unsafe { to.add(i).write(F::join(to.add(i).read(), from.add(i).read())) };
    }
}

/// Folds a whole block of one result, whose elements lie side by side, in registers.
///
/// # Safety
///
/// As [`Fold::block`], with `N` lanes.
#[inline(always)]
pub(crate) unsafe fn block<F: Fold, const N: usize>(x: *const F::In, param: F::Param, to: *mut F::Acc) {
    // SAFETY: as the caller promises; an array has the layout of its elements side by side.
    unsafe {
        let row = x.cast::<[F::In; N]>();
        let mut acc: [F::Acc; N] = row.read_unaligned().map(|x| F::take(x, param));
        for r in 1..ROWS {
            let next = row.add(r);
            for (acc, x) in acc.iter_mut().zip(*next) {
                *acc = F::join(*acc, F::take(x, param));
            }
        }
        to.cast::<[F::Acc; N]>().write(acc);
    }
}

/// Room for the elements of a block, or of a row, brought together.
#[repr(align(64))]
struct Gathered(MaybeUninit<[u8; Gathered::BYTES]>);

impl Gathered {
    /// Less than a page, so that the stack need not be probed.
    const BYTES: usize = 2048;
}

/// The most results side by side, of which each has `count` elements of `item` bytes: their lanes stay in the second-level
/// cache (what is read of a row before the next one should be long), and a row of elements that is brought together fits.
pub(crate) fn max_width(count: usize, lanes: usize, acc: usize, item: usize, together: bool) -> usize {
    let most = 131072 / (count.clamp(1, lanes) * acc);
    most.clamp(1, if together { usize::MAX } else { Gathered::BYTES / item })
}

/// Brings `n` elements together.
///
/// # Safety
///
/// They lie at this stride, and fit.
#[inline(always)]
unsafe fn gather<T: Copy>(to: &mut Gathered, from: *const u8, stride: isize, n: usize) -> *const T {
    debug_assert!(n * size_of::<T>() <= Gathered::BYTES);
    let to = to.0.as_mut_ptr().cast::<T>();
    let mut done = 0;
    // Of every second one vectors are made of vectors. The last ones are left out: what follows them may not be there.
    if stride == 2 * size_of::<T>() as isize {
        while done + 8 < n {
            // SAFETY: as the caller promises: one more lies behind these eight.
            unsafe {
                let x = from.cast::<[[T; 2]; 8]>().add(done / 8).read_unaligned();
                let x = [x[0][0], x[1][0], x[2][0], x[3][0], x[4][0], x[5][0], x[6][0], x[7][0]];
                to.add(done).cast::<[T; 8]>().write(x);
            }
            done += 8;
        }
    }
    if stride == -(size_of::<T>() as isize) {
        while done + 8 <= n {
            // SAFETY: as the caller promises: eight that end where the next one lies.
            unsafe {
                let x = from.offset((done as isize + 7) * stride).cast::<[T; 8]>().read_unaligned();
                to.add(done).cast::<[T; 8]>().write([x[7], x[6], x[5], x[4], x[3], x[2], x[1], x[0]]);
            }
            done += 8;
        }
    }
    for i in done..n {
        // SAFETY: as the caller promises.
        unsafe { to.add(i).write(from.offset(i as isize * stride).cast::<T>().read()) };
    }
    to
}

/// What to take: rows of elements, one for each result side by side.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    pub(crate) ptr: *const u8,
    pub(crate) count: usize,
    pub(crate) stride: isize,
    /// From result to result.
    pub(crate) column_stride: isize,
    /// A parameter for each result.
    pub(crate) params: *const u8,
}

/// Takes rows into a tree.
pub(crate) type FeedFn = unsafe fn(tree: &mut Tree, rows: Rows);
/// Takes the blocks of a part into the tree.
pub(crate) type AppendFn = unsafe fn(tree: &mut Tree, part: &Tree);
/// Joins what a tree holds and writes the results at a stride.
pub(crate) type FinishFn = unsafe fn(tree: &mut Tree, out: *mut u8, stride: isize, count: f64, extra: f64);

per_level! {
    /// Takes rows into a tree of `F`.
    fn feed<F: Fold>(tree: &mut Tree, rows: Rows) = feed_rows;
    /// Takes the blocks of a part into a tree of `F`.
    fn append<F: Fold>(tree: &mut Tree, part: &Tree) = append_part;
    /// Joins what a tree of `F` holds and writes the results.
    fn finish<F: Fold, G: FinishOf<F>>(tree: &mut Tree, out: *mut u8, stride: isize, count: f64, extra: f64) = finish_tree;
}

/// A way to finish a fold.
pub(crate) trait FinishOf<F: Fold>: Finish<Acc = F::Acc> {}
impl<F: Fold, G: Finish<Acc = F::Acc>> FinishOf<F> for G {}

/// Results side by side from which on elements that come to the same in any order are taken row after row: memory likes one
/// stream better than several.
const WIDE: usize = 64;

/// # Safety
///
/// The rows are elements of `F::In`, with parameters where `F` has some, and the tree is one of `F`.
#[inline(always)]
unsafe fn feed_rows<F: Fold>(tree: &mut Tree, rows: Rows) {
    let (w, item) = (tree.width, size_of::<F::In>() as isize);
    let Rows { mut ptr, mut count, stride, column_stride, params } = rows;
    let params = params.cast::<F::Param>();
    let mut room = Gathered(MaybeUninit::uninit());
    let block = F::LANES * ROWS;
    let fits = block * size_of::<F::In>() <= Gathered::BYTES;
    // SAFETY: as the caller promises; slots have room for all lanes of all results, and the first element of a lane in a
    // block is written before it is joined.
    unsafe {
        if w == 1 && count > 0 {
            let param = params.read();
            if F::ANY_ORDER && stride == item {
                let run = std::slice::from_raw_parts(ptr.cast::<F::In>(), count);
                let all = run[1..].iter().fold(F::take(run[0], param), |all, x| F::join(all, F::take(*x, param)));
                let acc = tree.slot::<F>(tree.depth);
                acc.write(if tree.fill == 0 { all } else { F::join(acc.read(), all) });
                tree.fill = tree.fill.max(1);
                return;
            }
            while count > 0 {
                if tree.fill == 0 && count >= block && (fits || stride == item) {
                    let x = if stride == item { ptr.cast() } else { gather::<F::In>(&mut room, ptr, stride, block) };
                    F::block(x, param, tree.slot::<F>(tree.depth));
                    tree.close::<F>();
                    ptr = ptr.wrapping_offset(block as isize * stride);
                    count -= block;
                    continue;
                }
                let lane = tree.fill % F::LANES;
                let n = (F::LANES - lane).min(count);
                const { assert!(F::LANES * size_of::<F::In>() <= Gathered::BYTES) };
                let x = if stride == item { ptr.cast() } else { gather::<F::In>(&mut room, ptr, stride, n) };
                let acc = tree.slot::<F>(tree.depth).add(lane);
                take_row::<F>(acc, x, n, tree.fill < F::LANES, |_| param);
                ptr = ptr.wrapping_offset(n as isize * stride);
                count -= n;
                tree.fill += n;
                if tree.fill == block {
                    tree.close::<F>();
                }
            }
            return;
        }
        let together = column_stride == item;
        if F::ANY_ORDER && together && w >= WIDE && tree.depth == 0 && tree.fill <= 1 {
            let acc = tree.slot::<F>(0);
            for _ in 0..count {
                take_row::<F>(acc, ptr.cast(), w, tree.fill == 0, |i| params.add(i).read());
                tree.fill = 1;
                ptr = ptr.wrapping_offset(stride);
            }
            return;
        }
        // Without parameters, rows that follow one another are one long row.
        let whole = together && stride == w as isize * item && size_of::<F::Param>() == 0;
        while count > 0 {
            if tree.fill == 0 && count >= block && w >= F::LANES {
                let to = tree.slot::<F>(tree.depth);
                for lane in 0..F::LANES {
                    let x = ptr.wrapping_offset(lane as isize * stride);
                    F::lane(to.add(lane * w), x, [F::LANES as isize * stride, column_stride], w, params);
                }
                tree.close::<F>();
                ptr = ptr.wrapping_offset(block as isize * stride);
                count -= block;
                continue;
            }
            let lane = tree.fill % F::LANES;
            let n = (F::LANES - lane).min(count);
            let first = tree.fill < F::LANES;
            let acc = tree.slot::<F>(tree.depth).add(lane * w);
            if whole {
                take_row::<F>(acc, ptr.cast(), n * w, first, |_| params.read());
                ptr = ptr.wrapping_offset(n as isize * stride);
            } else {
                for row in 0..n {
                    let x = if together { ptr.cast() } else { gather::<F::In>(&mut room, ptr, column_stride, w) };
                    take_row::<F>(acc.add(row * w), x, w, first, |i| params.add(i).read());
                    ptr = ptr.wrapping_offset(stride);
                }
            }
            count -= n;
            tree.fill += n;
            if tree.fill == block {
                tree.close::<F>();
            }
        }
    }
}

/// # Safety
///
/// Both are of `F` and one result, the tree ends where the part begins, and the part where a block does.
#[inline(always)]
unsafe fn append_part<F: Fold>(tree: &mut Tree, part: &Tree) {
    debug_assert!(tree.fill == 0 && part.fill == 0 && tree.blocks == part.before);
    for place in 0..part.depth {
        // From the left the largest that begins where a block of its size does, and fits: all smaller ones were joined.
        let left = part.blocks - tree.blocks;
        let level = tree.blocks.trailing_zeros().min(left.ilog2());
        // SAFETY: as the caller promises; the part's memory is apart, and there is room for what all blocks come to.
        unsafe {
            std::ptr::copy_nonoverlapping(part.slot::<F>(place), tree.slot::<F>(tree.depth), F::LANES);
            tree.depth += 1;
            tree.blocks += 1 << level;
            tree.join_from::<F>(level);
        }
    }
}

/// Folds one lane of a whole block for `w` results side by side, whose elements are rows: `COLUMNS` of them at once, in
/// registers.
///
/// # Safety
///
/// [`ROWS`] rows of `w` elements at these strides (from row to row, from column to column), as many accumulators and
/// parameters.
#[inline(always)]
pub(crate) unsafe fn take_lane<F: Fold, const COLUMNS: usize>(
    acc: *mut F::Acc,
    x: *const u8,
    [stride, column]: [isize; 2],
    w: usize,
    params: *const F::Param,
) {
    let mut start = 0;
    // SAFETY: as the caller promises. Of every second one the last are left out: what follows them may not be there.
    unsafe {
        let group = |start: usize| (acc.add(start), x.wrapping_offset(start as isize * column), params.add(start));
        if column == size_of::<F::In>() as isize {
            while start + COLUMNS <= w {
                take_columns::<F, COLUMNS, 1>(group(start), [stride, column]);
                start += COLUMNS;
            }
        } else if column == 2 * size_of::<F::In>() as isize {
            while start + COLUMNS < w {
                take_columns::<F, COLUMNS, 2>(group(start), [stride, column]);
                start += COLUMNS;
            }
        }
        while start + COLUMNS <= w {
            take_columns::<F, COLUMNS, 0>(group(start), [stride, column]);
            start += COLUMNS;
        }
        for i in start..w {
            take_columns::<F, 1, 0>(group(i), [stride, column]);
        }
    }
}

/// Folds one lane of a whole block for `COLUMNS` results side by side, in registers: of elements of a row that follow one
/// another or are every second one (`EVERY`), or that lie anyhow (0).
///
/// # Safety
///
/// As [`take_lane`], for so many results; of every second element there is another one behind the last.
#[inline(always)]
unsafe fn take_columns<F: Fold, const COLUMNS: usize, const EVERY: usize>(
    (acc, x, params): (*mut F::Acc, *const u8, *const F::Param),
    [stride, column]: [isize; 2],
) {
    if COLUMNS > 1 {
        keep_turn();
    }
    // SAFETY: as the caller promises.
    unsafe {
        let param: [F::Param; COLUMNS] = params.cast::<[F::Param; COLUMNS]>().read();
        let first = row_of::<F::In, COLUMNS, EVERY>(x, column);
        let mut columns: [F::Acc; COLUMNS] = std::array::from_fn(|i| F::take(first[i], param[i]));
        for r in 1..ROWS {
            let next = row_of::<F::In, COLUMNS, EVERY>(x.wrapping_offset(r as isize * stride), column);
            for i in 0..COLUMNS {
                columns[i] = F::join(columns[i], F::take(next[i], param[i]));
            }
        }
        acc.cast::<[F::Acc; COLUMNS]>().write(columns);
    }
}

/// Some elements of a row.
///
/// # Safety
///
/// They are there, at this stride; they lie as `EVERY` says: see [`take_columns`].
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "iterators over arrays in registers are not always inlined")]
unsafe fn row_of<T: Copy, const N: usize, const EVERY: usize>(x: *const u8, stride: isize) -> [T; N] {
    // SAFETY: as the caller promises; an array has the layout of its elements side by side.
    unsafe {
        let mut row = MaybeUninit::<[T; N]>::uninit();
        let to = row.as_mut_ptr().cast::<T>();
        match EVERY {
            1 => return x.cast::<[T; N]>().read(),
            2 => {
                let pairs = x.cast::<[[T; 2]; N]>().read();
                for i in 0..N {
                    to.add(i).write(pairs[i][0]);
                }
            }
            _ => {
                for i in 0..N {
                    to.add(i).write(x.wrapping_offset(i as isize * stride).cast::<T>().read());
                }
            }
        }
        row.assume_init()
    }
}

/// Joins `n` elements to as many accumulators, or sets these.
///
/// # Safety
///
/// `n` of both.
#[inline(always)]
unsafe fn take_row<F: Fold>(
    acc: *mut F::Acc,
    x: *const F::In,
    n: usize,
    first: bool,
    param: impl Fn(usize) -> F::Param,
) {
    // SAFETY: as the caller promises.
    unsafe {
        if first {
            for i in 0..n {
                acc.add(i).write(F::take(x.add(i).read(), param(i)));
            }
        } else {
            for i in 0..n {
                acc.add(i).write(F::join(acc.add(i).read(), F::take(x.add(i).read(), param(i))));
            }
        }
    }
}

/// # Safety
///
/// The tree is one of `F` and got an element at least; there is room for the results.
#[inline(always)]
unsafe fn finish_tree<F: Fold, G: FinishOf<F>>(tree: &mut Tree, out: *mut u8, stride: isize, count: f64, extra: f64) {
    // SAFETY: as the caller promises. One result is so common that its loops are compiled apart.
    unsafe {
        if tree.width == 1 {
            finish_width::<F, G>(tree, 1, (out, stride), count, extra);
        } else {
            finish_width::<F, G>(tree, tree.width, (out, stride), count, extra);
        }
    }
}

/// # Safety
///
/// As [`finish_tree`], and `w` is the width.
#[inline(always)]
unsafe fn finish_width<F: Fold, G: FinishOf<F>>(
    tree: &mut Tree,
    w: usize,
    (out, stride): (*mut u8, isize),
    count: f64,
    extra: f64,
) {
    let mut lanes = F::LANES;
    // SAFETY: as the caller promises: lanes that got no element are left out.
    unsafe {
        if tree.fill > 0 {
            lanes = tree.fill.min(F::LANES);
            tree.depth += 1;
        }
        while tree.depth > 1 {
            tree.join_top::<F>(lanes);
            lanes = F::LANES;
        }
        let acc = tree.slot::<F>(0);
        let mut half = F::LANES / 2;
        while half > 0 {
            if lanes > half {
                join_all::<F>(acc, acc.add(half * w), (lanes - half) * w);
                lanes = half;
            }
            half /= 2;
        }
        for i in 0..w {
            let value = G::finish(acc.add(i).read(), count, extra);
            out.offset(i as isize * stride).cast::<G::Out>().write(value);
        }
    }
}
