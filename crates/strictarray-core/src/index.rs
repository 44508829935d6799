//! Basic indexing: ints, slices, an ellipsis, new axes. What comes out is a view.
//!
//! Only what the standard requires is accepted: it leaves clipping and flat indexing to the library, so both are refused.

use strictarray_standard::rule;

use crate::{Dims, Error, Layout, Result, Strides, check_ndim, show_shape};

/// One entry of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// `x[i]`.
    Int(isize),
    /// `x[start:stop:step]`. What exceeds an isize is saturated by the caller.
    Slice {
        /// First position.
        start: Option<isize>,
        /// Position before which it ends.
        stop: Option<isize>,
        /// Distance of two positions, not 0.
        step: isize,
    },
    /// `...`
    Ellipsis,
    /// `None`.
    NewAxis,
}

/// The view that a key selects.
///
/// Source: "Indexing".
pub fn select(layout: &Layout, keys: &[Index]) -> Result<Layout> {
    let ndim = layout.ndim();
    let axes = keys.iter().filter(|k| matches!(k, Index::Int(_) | Index::Slice { .. })).count();
    let ellipses = keys.iter().filter(|k| **k == Index::Ellipsis).count();
    check_count(layout.shape(), axes, ellipses)?;

    let mut shape = Dims::new();
    let mut strides = Strides::new();
    let mut offset = layout.offset();
    let mut axis = 0;
    for key in keys {
        match *key {
            Index::NewAxis => {
                shape.push(1);
                strides.push(0);
            }
            Index::Ellipsis => {
                for _ in 0..ndim - axes {
                    shape.push(layout.shape()[axis]);
                    strides.push(layout.strides()[axis]);
                    axis += 1;
                }
            }
            Index::Int(i) => {
                let at = position(i, layout.shape()[axis], axis)?;
                offset = offset.wrapping_add_signed(layout.strides()[axis] * at as isize);
                axis += 1;
            }
            Index::Slice { start, stop, step } => {
                let (n, stride) = (layout.shape()[axis], layout.strides()[axis]);
                let (first, count) = slice_of(start, stop, step, n, axis)?;
                if count > 0 {
                    offset = offset.wrapping_add_signed(stride * first as isize);
                }
                shape.push(count);
                // With one element or none the stride leads nowhere, and a huge step must not overflow it.
                strides.push(if count > 1 { stride * step } else { stride });
                axis += 1;
            }
        }
    }
    check_ndim(shape.len())?;
    if shape.contains(&0) {
        // Nothing is selected: stay inside the block, whatever the other indices added.
        offset = layout.offset();
    }
    Ok(Layout::new(shape, strides, offset))
}

/// Refuses a key with the wrong number of indices.
pub fn check_count(shape: &[usize], axes: usize, ellipses: usize) -> Result<()> {
    let ndim = shape.len();
    let got = || format!("got {axes} indices for shape {}", show_shape(shape));
    if ellipses > 1 {
        Err(Error::new(&rule::INDEX_ELLIPSES, format!("got {ellipses} ellipses")))
    } else if axes > ndim {
        Err(Error::new(&rule::INDEX_TOO_MANY, got()))
    } else if axes < ndim && ellipses == 0 {
        Err(Error::new(&rule::INDEX_FLAT, got()))
    } else {
        Ok(())
    }
}

/// The position that an int index means.
#[inline]
pub fn position(index: isize, size: usize, axis: usize) -> Result<usize> {
    let n = size as isize;
    let at = if index < 0 { index.wrapping_add(n) } else { index };
    if (0..n).contains(&at) { Ok(at as usize) } else { Err(out_of_bounds(index, size, axis)) }
}

#[cold]
fn out_of_bounds(index: isize, size: usize, axis: usize) -> Error {
    // Larger ones are cut to what fits.
    let index = match index {
        isize::MAX => format!("{} or more", isize::MAX),
        isize::MIN => format!("{} or less", isize::MIN),
        _ => index.to_string(),
    };
    Error::new(&rule::INDEX_BOUNDS, format!("got index {index} for axis {axis} of size {size}"))
}

/// The first position and the number of positions of a slice.
fn slice_of(
    start: Option<isize>,
    stop: Option<isize>,
    step: isize,
    size: usize,
    axis: usize,
) -> Result<(usize, usize)> {
    let n = size as isize;
    if step == 0 {
        return Err(Error::new(&rule::SLICE_STEP, format!("got a slice of axis {axis} with step 0")));
    }
    let (stop_low, stop_high) = if step > 0 { (-n, n) } else { (-n - 1, (n - 1).max(0)) };
    let bad = |what: &str, value: isize, low: isize, high: isize| {
        let got = format!("got slice {what} {value} for axis {axis} of size {size}");
        let requires = format!("{what} must be in [{low}, {high}] here ({})", rule::SLICE_BOUNDS.requires);
        Error::new(&rule::SLICE_BOUNDS, got).requires(requires)
    };
    if let Some(start) = start.filter(|s| !(-n..=n).contains(s)) {
        return Err(bad("start", start, -n, n));
    }
    if let Some(stop) = stop.filter(|s| !(stop_low..=stop_high).contains(s)) {
        return Err(bad("stop", stop, stop_low, stop_high));
    }
    // As a Python list does: count from the end, then clip to the positions that the step can reach.
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let place = |bound: isize| (if bound < 0 { bound + n } else { bound }).clamp(low, high);
    let first = start.map_or(if step > 0 { low } else { high }, place);
    let end = stop.map_or(if step > 0 { high } else { low }, place);
    let span = if step > 0 { end - first } else { first - end };
    let count = if span > 0 { (span as usize - 1) / step.unsigned_abs() + 1 } else { 0 };
    Ok((first.max(0) as usize, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a Python list gives, written from the language's definition.
    fn python(n: isize, start: Option<isize>, stop: Option<isize>, step: isize) -> Vec<isize> {
        let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
        let place = |b: isize| (if b < 0 { b + n } else { b }).clamp(low, high);
        let mut at = start.map_or(if step > 0 { 0 } else { n - 1 }, place);
        let end = stop.map_or(if step > 0 { n } else { -1 }, place);
        let mut out = vec![];
        while if step > 0 { at < end } else { at > end } {
            out.push(at);
            at += step;
        }
        out
    }

    #[test]
    fn slices_are_those_of_lists_within_the_bounds_and_refused_outside() {
        for n in 0..6isize {
            let layout = Layout::c_order(&[n as usize], 4).unwrap();
            for step in (-7..=7).filter(|s| *s != 0) {
                for start in (-9..=9).map(Some).chain([None]) {
                    for stop in (-9..=9).map(Some).chain([None]) {
                        let (low, high) = if step > 0 { (-n, n) } else { (-n - 1, (n - 1).max(0)) };
                        let fine = start.is_none_or(|s| (-n..=n).contains(&s))
                            && stop.is_none_or(|s| (low..=high).contains(&s));
                        let got = select(&layout, &[Index::Slice { start, stop, step }]);
                        assert_eq!(got.is_ok(), fine, "[{start:?}:{stop:?}:{step}] of {n}");
                        let Ok(view) = got else { continue };
                        let at: Vec<_> = (0..view.shape()[0] as isize)
                            .map(|i| (view.offset() as isize + i * view.strides()[0]) / 4)
                            .collect();
                        assert_eq!(at, python(n, start, stop, step), "[{start:?}:{stop:?}:{step}] of {n}");
                    }
                }
            }
        }
    }

    #[test]
    fn keys_with_the_wrong_number_of_indices_are_refused() {
        let layout = Layout::c_order(&[2, 3], 1).unwrap();
        let rule_of = |keys: &[Index]| select(&layout, keys).unwrap_err().rule().id;
        assert_eq!(rule_of(&[Index::Int(0)]), "index-flat");
        assert_eq!(rule_of(&[]), "index-flat");
        assert_eq!(rule_of(&[Index::Int(0); 3]), "index-too-many");
        assert_eq!(rule_of(&[Index::Ellipsis, Index::Ellipsis]), "index-ellipses");
        assert_eq!(rule_of(&[Index::Int(2), Index::Int(0)]), "index-bounds");
        assert_eq!(rule_of(&[Index::Int(-3), Index::Int(0)]), "index-bounds");
        assert_eq!(rule_of(&[Index::Int(isize::MIN), Index::Int(0)]), "index-bounds");
        let zero = Index::Slice { start: None, stop: None, step: 0 };
        assert_eq!(rule_of(&[zero, Index::Int(0)]), "slice-step");
        assert_eq!(rule_of(&[&[Index::NewAxis; 63][..], &[Index::Ellipsis]].concat()), "max-dimensions");
    }

    #[test]
    fn ellipses_and_new_axes_go_where_they_stand() {
        let layout = Layout::c_order(&[2, 3, 4], 1).unwrap();
        let view =
            select(&layout, &[Index::NewAxis, Index::Int(1), Index::Ellipsis, Index::NewAxis, Index::Int(-1)]).unwrap();
        assert_eq!((view.shape(), view.offset()), (&[1, 3, 1][..], 15));
        let point = Layout::c_order(&[], 1).unwrap();
        assert_eq!(select(&point, &[]).unwrap(), point);
        assert_eq!(select(&point, &[Index::Ellipsis, Index::NewAxis]).unwrap().shape(), [1]);
    }

    #[test]
    fn huge_steps_do_not_overflow() {
        let layout = Layout::c_order(&[5], 8).unwrap();
        for step in [isize::MAX, isize::MIN, isize::MIN + 1] {
            let view = select(&layout, &[Index::Slice { start: None, stop: None, step }]).unwrap();
            assert_eq!(view.shape(), [1]);
            assert_eq!(view.offset(), if step > 0 { 0 } else { 32 });
        }
    }
}
