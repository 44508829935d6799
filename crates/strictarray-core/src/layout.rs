//! Shapes, strides and the views made of them.

use smallvec::SmallVec;
use strictarray_standard::rule;

use crate::{Error, Result};

/// Sizes of the axes; up to four stand inline.
pub type Dims = SmallVec<[usize; 4]>;
/// Strides of the axes in bytes; up to four stand inline.
pub type Strides = SmallVec<[isize; 4]>;

/// The most dimensions that an array may have: a bound on what one call does per axis, and NumPy's.
pub const MAX_NDIM: usize = 64;

/// Where the elements of an array lie: shape, strides in bytes, and the first element's distance from the block's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    shape: Dims,
    strides: Strides,
    offset: usize,
}

/// A shape as Python writes it.
pub fn show_shape(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The number of bytes that an array takes, refused where it exceeds the address space.
///
/// Sizes of 0 are left out of the product, so that no later view of an empty array can overflow.
pub fn bytes_of(shape: &[usize], item: usize) -> Result<usize> {
    let mut empty = false;
    let mut bytes = item;
    for &n in shape {
        empty |= n == 0;
        let next = bytes.checked_mul(n.max(1)).filter(|&b| b <= isize::MAX as usize);
        bytes = next.ok_or_else(|| too_large(shape, item))?;
    }
    Ok(if empty { 0 } else { bytes })
}

#[cold]
fn too_large(shape: &[usize], item: usize) -> Error {
    Error::new(&rule::SHAPE_TOO_LARGE, format!("got shape {} of {item}-byte elements", show_shape(shape)))
}

/// Refuses more dimensions than there may be.
pub fn check_ndim(ndim: usize) -> Result<()> {
    if ndim <= MAX_NDIM { Ok(()) } else { Err(Error::new(&rule::NDIM, format!("got {ndim} dimensions"))) }
}

/// The shape that these broadcast to.
///
/// Source: "Broadcasting".
pub fn broadcast_shapes<'a>(shapes: impl IntoIterator<Item = &'a [usize]>) -> Result<Dims> {
    let mut shapes = shapes.into_iter();
    let mut result = Dims::from_slice(shapes.next().unwrap_or(&[]));
    for shape in shapes {
        if shape == &result[..] {
            continue;
        }
        while result.len() < shape.len() {
            result.insert(0, 1);
        }
        let skip = result.len() - shape.len();
        for i in 0..shape.len() {
            let (have, new) = (result[skip + i], shape[i]);
            if have != new && new != 1 {
                if have != 1 {
                    let got = format!("got shapes {} and {}", show_shape(&result), show_shape(shape));
                    return Err(Error::new(&rule::BROADCAST, got));
                }
                result[skip + i] = new;
            }
        }
    }
    Ok(result)
}

impl Layout {
    /// C order, first element at the block's start.
    pub fn c_order(shape: &[usize], item: usize) -> Result<Layout> {
        Ok(Self::c_order_bytes(shape, item)?.0)
    }

    /// C order, and the number of bytes of all elements.
    #[inline]
    pub(crate) fn c_order_bytes(shape: &[usize], item: usize) -> Result<(Layout, usize)> {
        check_ndim(shape.len())?;
        let mut strides = Strides::from_elem(0, shape.len());
        let mut stride = item as isize;
        let mut empty = false;
        for (s, &n) in strides.iter_mut().zip(shape).rev() {
            *s = stride;
            empty |= n == 0;
            // Sizes of 0 are left out of the product, as in `bytes_of`.
            let next = isize::try_from(n.max(1)).ok().and_then(|n| stride.checked_mul(n));
            stride = next.ok_or_else(|| too_large(shape, item))?;
        }
        Ok((Layout { shape: Dims::from_slice(shape), strides, offset: 0 }, if empty { 0 } else { stride as usize }))
    }

    /// Puts the first element elsewhere.
    pub(crate) fn shift_to(&mut self, offset: usize) {
        self.offset = offset;
    }

    /// Any layout; whether it fits its block is checked where the two meet.
    pub fn new(shape: Dims, strides: Strides, offset: usize) -> Layout {
        debug_assert_eq!(shape.len(), strides.len());
        Layout { shape, strides, offset }
    }

    /// Sizes of the axes.
    #[inline]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Strides of the axes in bytes.
    #[inline]
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// Distance of the first element from the block's start, in bytes.
    #[inline]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Number of axes.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements.
    #[inline]
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether the elements stand side by side in C order.
    #[inline]
    pub fn is_c_contiguous(&self, item: usize) -> bool {
        contiguous(self.shape.iter().zip(&self.strides).rev(), item)
    }

    /// Whether the elements stand side by side in Fortran order.
    pub fn is_f_contiguous(&self, item: usize) -> bool {
        contiguous(self.shape.iter().zip(&self.strides), item)
    }

    /// The bytes that the elements touch, as distances from the block's start: first, one past the last.
    ///
    /// `None` where they leave the address space or reach before the block.
    pub fn extent(&self, item: usize) -> Option<(usize, usize)> {
        if self.shape.contains(&0) {
            return Some((self.offset, self.offset));
        }
        let (mut low, mut high) = (self.offset as i128, self.offset as i128 + item as i128);
        for (&n, &s) in self.shape.iter().zip(&self.strides) {
            let reach = (n as i128 - 1) * s as i128;
            if reach < 0 { low += reach } else { high += reach }
        }
        (low >= 0 && high <= isize::MAX as i128).then_some((low as usize, high as usize))
    }

    /// The strides with which this layout's elements are repeated over a shape.
    pub fn broadcast_strides(&self, shape: &[usize]) -> Option<Strides> {
        if self.shape[..] == *shape {
            return Some(Strides::from_slice(&self.strides));
        }
        let skip = shape.len().checked_sub(self.ndim())?;
        let mut strides = Strides::from_elem(0, shape.len());
        for (i, (&n, &s)) in self.shape.iter().zip(&self.strides).enumerate() {
            if n == shape[skip + i] {
                strides[skip + i] = s;
            } else if n != 1 {
                return None;
            }
        }
        Some(strides)
    }

    /// This layout broadcast to a shape.
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Layout> {
        check_ndim(shape.len())?;
        match self.broadcast_strides(shape) {
            Some(strides) => Ok(Layout { shape: Dims::from_slice(shape), strides, offset: self.offset }),
            None => {
                let got = format!("got shape {} for shape {}", show_shape(&self.shape), show_shape(shape));
                Err(Error::new(&rule::BROADCAST, got))
            }
        }
    }

    /// The axes in reverse order.
    pub fn reversed(&self) -> Layout {
        let mut result = self.clone();
        result.shape.reverse();
        result.strides.reverse();
        result
    }

    /// The axes in another order; `axes` names each once.
    #[must_use]
    pub fn permuted(&self, axes: &[usize]) -> Layout {
        debug_assert_eq!(axes.len(), self.ndim());
        Layout {
            shape: axes.iter().map(|&axis| self.shape[axis]).collect(),
            strides: axes.iter().map(|&axis| self.strides[axis]).collect(),
            offset: self.offset,
        }
    }

    /// The elements in reverse order along some axes, each named once.
    #[must_use]
    pub fn flipped(&self, axes: &[usize]) -> Layout {
        let mut result = self.clone();
        if self.shape.contains(&0) {
            return result;
        }
        for &axis in axes {
            let (n, stride) = (self.shape[axis], self.strides[axis]);
            // The last element along the axis lies inside the block, as all do.
            result.offset = result.offset.wrapping_add_signed(stride * (n as isize - 1));
            // With one element the stride leads nowhere.
            result.strides[axis] = if n > 1 { -stride } else { stride };
        }
        result
    }

    /// New axes of size 1 at these places of the result, each named once.
    pub fn expanded(&self, axes: &[usize]) -> Result<Layout> {
        let ndim = self.ndim() + axes.len();
        check_ndim(ndim)?;
        let mut result =
            Layout { shape: Dims::with_capacity(ndim), strides: Strides::with_capacity(ndim), offset: self.offset };
        let mut old = self.shape.iter().zip(&self.strides);
        for place in 0..ndim {
            let axis = if axes.contains(&place) { None } else { old.next() };
            let (&n, &stride) = axis.unwrap_or((&1, &0));
            result.shape.push(n);
            result.strides.push(stride);
        }
        Ok(result)
    }

    /// Without some axes, at their first position: for axes of size 1 nothing is lost.
    #[must_use]
    pub fn without(&self, axes: &[usize]) -> Layout {
        let mut result = Layout { shape: Dims::new(), strides: Strides::new(), offset: self.offset };
        for axis in (0..self.ndim()).filter(|axis| !axes.contains(axis)) {
            result.shape.push(self.shape[axis]);
            result.strides.push(self.strides[axis]);
        }
        result
    }

    /// A part of an axis: `count` positions from `start`, which the axis must have.
    #[must_use]
    pub fn narrowed(&self, axis: usize, start: usize, count: usize) -> Layout {
        debug_assert!(start + count <= self.shape[axis]);
        let mut result = self.clone();
        if count > 0 && !self.shape.contains(&0) {
            result.offset = result.offset.wrapping_add_signed(self.strides[axis] * start as isize);
        }
        result.shape[axis] = count;
        result
    }

    /// The same elements in C order seen in another shape of as many: `None` where no strides can express it.
    ///
    /// Old and new axes are split into the smallest groups with as many elements each. In a group of more than one old axis
    /// these must lie evenly, so that they are one axis, which the group's new axes then divide.
    pub fn reshaped(&self, shape: &[usize], item: usize) -> Option<Layout> {
        debug_assert_eq!(self.size(), shape.iter().product::<usize>());
        if shape.contains(&0) || self.is_c_contiguous(item) {
            return Self::c_order(shape, item).ok().map(|layout| Layout { offset: self.offset, ..layout });
        }
        let old: SmallVec<[(usize, isize); 8]> =
            self.shape.iter().copied().zip(self.strides.iter().copied()).filter(|(n, _)| *n != 1).collect();
        let mut strides = Strides::from_elem(item as isize, shape.len());
        let (mut i, mut j) = (0, 0);
        while i < old.len() {
            let (mut have, mut want) = (old[i].0, 1);
            let (mut end, mut new_end) = (i + 1, j);
            while have != want {
                if want < have {
                    want *= shape.get(new_end)?;
                    new_end += 1;
                } else {
                    have *= old.get(end)?.0;
                    end += 1;
                }
            }
            if old[i..end].windows(2).any(|w| w[0].1 != w[1].1.wrapping_mul(w[1].0 as isize)) {
                return None;
            }
            let mut stride = old[end - 1].1;
            for k in (j..new_end).rev() {
                strides[k] = stride;
                // Beyond the group's first axis the product is not used: it may be anything.
                stride = stride.wrapping_mul(shape[k] as isize);
            }
            (i, j) = (end, new_end);
        }
        Some(Layout { shape: Dims::from_slice(shape), strides, offset: self.offset })
    }

    /// The last two axes swapped; `None` where there are none.
    pub fn matrix_transposed(&self) -> Option<Layout> {
        let n = self.ndim();
        (n >= 2).then(|| {
            let mut result = self.clone();
            result.shape.swap(n - 2, n - 1);
            result.strides.swap(n - 2, n - 1);
            result
        })
    }
}

#[inline]
fn contiguous<'a>(axes: impl Iterator<Item = (&'a usize, &'a isize)> + Clone, item: usize) -> bool {
    let mut expected = item as isize;
    for (&n, &s) in axes.clone() {
        if n != 1 && s != expected {
            return axes.clone().any(|(&n, _)| n == 0);
        }
        // An empty or checked shape: the product can't overflow before it is compared.
        expected = expected.wrapping_mul(n as isize);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::smallvec;

    #[test]
    fn c_order_counts_from_the_last_axis() {
        let layout = Layout::c_order(&[2, 3, 4], 8).unwrap();
        assert_eq!(layout.strides(), [96, 32, 8]);
        assert!(layout.is_c_contiguous(8) && !layout.is_f_contiguous(8));
        assert_eq!(layout.extent(8), Some((0, 192)));
        assert!(layout.reversed().is_f_contiguous(8));
        assert_eq!(layout.matrix_transposed().unwrap().shape(), [2, 4, 3]);
        assert!(Layout::c_order(&[], 8).unwrap().matrix_transposed().is_none());
    }

    #[test]
    fn sizes_that_overflow_are_refused_also_beside_a_zero() {
        for shape in [&[usize::MAX][..], &[1 << 40, 1 << 40], &[0, 1 << 40, 1 << 40], &[isize::MAX as usize / 8 + 1]] {
            assert_eq!(Layout::c_order(shape, 8).unwrap_err().rule().id, "shape-too-large", "{shape:?}");
        }
        assert_eq!(Layout::c_order(&[1; 65], 8).unwrap_err().rule().id, "max-dimensions");
        assert_eq!(bytes_of(&[0, 5], 8).unwrap(), 0);
        assert_eq!(bytes_of(&[], 8).unwrap(), 8);
    }

    #[test]
    fn broadcasting_follows_the_standards_examples() {
        type Case<'a> = (&'a [&'a [usize]], Option<&'a [usize]>);
        let cases: [Case<'_>; 10] = [
            (&[&[8, 1, 6, 1], &[7, 1, 5]], Some(&[8, 7, 6, 5])),
            (&[&[5, 4], &[1]], Some(&[5, 4])),
            (&[&[5, 4], &[4]], Some(&[5, 4])),
            (&[&[15, 3, 5], &[15, 1, 5]], Some(&[15, 3, 5])),
            (&[&[15, 3, 5], &[3, 1]], Some(&[15, 3, 5])),
            (&[&[3], &[4]], None),
            (&[&[2, 1], &[8, 4, 3]], None),
            (&[&[0], &[1]], Some(&[0])),
            (&[&[0], &[2]], None),
            (&[&[], &[2, 3], &[1]], Some(&[2, 3])),
        ];
        for (shapes, expected) in cases {
            let got = broadcast_shapes(shapes.iter().copied());
            assert_eq!(got.as_deref().ok(), expected, "{shapes:?}");
        }
    }

    #[test]
    fn broadcast_repeats_with_stride_zero() {
        let layout = Layout::c_order(&[3, 1], 4).unwrap().broadcast_to(&[2, 3, 5]).unwrap();
        assert_eq!(layout.strides(), [0, 4, 0]);
        assert!(Layout::c_order(&[3], 4).unwrap().broadcast_to(&[4]).is_err());
        assert!(Layout::c_order(&[3, 1], 4).unwrap().broadcast_to(&[3]).is_err());
    }

    /// The distances of all elements from the block's start, in C order.
    fn places(layout: &Layout) -> Vec<isize> {
        let mut places = vec![layout.offset() as isize];
        for (&n, &stride) in layout.shape().iter().zip(layout.strides()) {
            places = places.iter().flat_map(|&p| (0..n as isize).map(move |i| p + i * stride)).collect();
        }
        places
    }

    #[test]
    fn views_select_the_elements_they_name() {
        let x = Layout::c_order(&[2, 3, 4], 1).unwrap();
        assert_eq!(x.permuted(&[2, 0, 1]).shape(), [4, 2, 3]);
        assert_eq!(x.permuted(&[2, 0, 1]).strides(), [1, 12, 4]);
        let mut back = places(&x);
        back.reverse();
        assert_eq!(places(&x.flipped(&[0, 1, 2])), back);
        assert_eq!(places(&x.flipped(&[1]))[..4], [8, 9, 10, 11]);
        assert_eq!(x.flipped(&[1]).flipped(&[1]), x);
        let empty = Layout::c_order(&[0, 3], 1).unwrap();
        assert_eq!(empty.flipped(&[0, 1]), empty);
        let wide = x.expanded(&[0, 2, 5]).unwrap();
        assert_eq!(wide.shape(), [1, 2, 1, 3, 4, 1]);
        assert_eq!(wide.without(&[0, 2, 5]), x);
        assert!(x.expanded(&(0..62).collect::<Vec<_>>()).is_err());
        assert_eq!(places(&x.narrowed(1, 2, 1)), [8, 9, 10, 11, 20, 21, 22, 23]);
        assert_eq!(x.narrowed(1, 3, 0).offset(), 0);
    }

    #[test]
    fn reshapes_are_views_exactly_where_strides_can_express_them() {
        fn divisions(size: usize, depth: usize) -> Vec<Vec<usize>> {
            let mut all = vec![vec![size]];
            if depth > 0 {
                for n in (1..=size).filter(|n| size.is_multiple_of(*n)) {
                    all.extend(divisions(size / n, depth - 1).into_iter().map(|tail| [vec![n], tail].concat()));
                }
            }
            all
        }
        let base = Layout::c_order(&[2, 3, 4], 2).unwrap();
        let mut layouts = vec![base.clone(), base.flipped(&[0, 1, 2]), base.flipped(&[1]), base.reversed()];
        layouts.push(base.permuted(&[1, 0, 2]));
        layouts.push(base.narrowed(1, 1, 2));
        layouts.push(base.narrowed(2, 1, 2));
        layouts.push(base.expanded(&[0, 2]).unwrap());
        layouts.push(Layout::c_order(&[1, 3, 1], 2).unwrap().broadcast_to(&[4, 3, 2]).unwrap());
        layouts.push(Layout::c_order(&[1], 2).unwrap().broadcast_to(&[4, 6]).unwrap());
        for layout in layouts {
            for shape in divisions(layout.size(), 3) {
                let expected = places(&layout);
                // A view exists where the places, in C order of the new shape, are a sum of one term for each axis.
                let mut strides = Strides::new();
                let mut step = layout.size();
                for &n in &shape {
                    step /= n;
                    strides.push(if n > 1 { expected[step] - expected[0] } else { 0 });
                }
                let candidate = Layout::new(Dims::from_slice(&shape), strides, layout.offset());
                let exists = places(&candidate) == expected;
                let got = layout.reshaped(&shape, 2);
                assert_eq!(got.is_some(), exists, "{layout:?} to {shape:?}");
                if let Some(view) = got {
                    assert_eq!((view.shape(), places(&view)), (&shape[..], expected), "{layout:?}");
                }
            }
        }
        let empty = Layout::new(smallvec![0, 3], smallvec![999, 7], 4);
        assert_eq!(empty.reshaped(&[5, 0], 2).unwrap().offset(), 4);
        let point = Layout::c_order(&[], 2).unwrap();
        assert_eq!(point.reshaped(&[1, 1], 2).unwrap().shape(), [1, 1]);
    }

    #[test]
    fn extents_see_negative_strides_and_absurd_ones() {
        let layout = Layout::new(smallvec![3, 2], smallvec![-8, 4], 16);
        assert_eq!(layout.extent(4), Some((0, 24)));
        assert_eq!(Layout::new(smallvec![4], smallvec![-8], 16).extent(4), None);
        assert_eq!(Layout::new(smallvec![3], smallvec![isize::MAX], 0).extent(4), None);
        assert_eq!(Layout::new(smallvec![0, 9], smallvec![isize::MAX, isize::MAX], 0).extent(4), Some((0, 0)));
    }

    #[test]
    fn contiguity_ignores_axes_of_one_and_empty_arrays() {
        assert!(Layout::new(smallvec![3, 1, 2], smallvec![8, 999, 4], 0).is_c_contiguous(4));
        assert!(Layout::new(smallvec![3, 0, 2], smallvec![1, 2, 3], 0).is_c_contiguous(4));
        assert!(!Layout::new(smallvec![3, 2], smallvec![4, 12], 0).is_c_contiguous(4));
        assert!(!Layout::new(smallvec![3], smallvec![0], 0).is_c_contiguous(4));
    }
}
