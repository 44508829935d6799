//! The text of an array: values in rows, data type, device; long arrays shortened.
//!
//! Numbers are printed with as many digits as tell them apart, at most eight after the point, aligned in columns.

use std::fmt::Write;

use pyo3::prelude::*;
use strictarray_core::{Array, DType, Device, Scalar, index, show_shape};

use crate::errors::Outcome;
use crate::identity::Identity;

/// Arrays of more elements are shortened.
const THRESHOLD: usize = 1000;
/// Elements that stay at either end of an axis that is shortened.
const EDGE: usize = 3;
/// Elements that are shown at most, however many short axes there are.
const MOST: usize = 5000;
/// Length of a line.
const LINE: usize = 75;
/// Length of the last line with data type and device.
const SUFFIX_LINE: usize = 100;
/// Digits after the point.
const PRECISION: usize = 8;

/// `Array([1, 2], dtype=strictarray.int64)`.
pub(super) fn repr(_py: Python<'_>, x: &Array) -> Outcome<String> {
    let library = Identity::of(x.namespace()).name();
    let mut suffix = format!(", dtype={library}.{}", x.dtype());
    if x.device() != Device::CPU {
        // Writing to a String can't fail.
        let _ = write!(suffix, ", device={library}.Device('{}')", x.device());
    }
    suffix.push(')');
    if x.size() == 0 {
        return Ok(format!("empty({}{suffix}", show_shape(x.shape())));
    }
    let extents = extents(x);
    let mut shown = Vec::new();
    collect(x, &extents, &mut shown)?;
    let format = Format::of(&shown, matches!(x.dtype(), DType::Float32 | DType::Complex64));
    let mut cells = shown.iter().map(|s| format.cell(*s));
    let mut text = String::from("Array(");
    let indent = text.len();
    Lines { text: &mut text, indent, room: LINE }.axis(x.shape(), &extents, 0, &mut cells);
    // Data type and device follow on the last line where they fit, else on one of their own.
    let last = text.rsplit('\n').next().map_or(0, str::len);
    if x.ndim() > 0 && last > indent + 1 && last + suffix.len() > SUFFIX_LINE {
        text.push_str(",\n");
        text.extend(std::iter::repeat_n(' ', indent));
        text.push_str(suffix.trim_start_matches(", "));
    } else {
        text.push_str(&suffix);
    }
    Ok(text)
}

/// How much of an axis is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    All,
    Ends,
    First,
}

/// How much of each axis is shown: all of it, in long arrays its ends; the first element of outer axes where that is still
/// too much.
fn extents(x: &Array) -> Vec<Extent> {
    let mut extents = vec![if x.size() > THRESHOLD { Extent::Ends } else { Extent::All }; x.ndim()];
    let count = |extents: &[Extent]| {
        let sizes = x.shape().iter().zip(extents).map(|(&n, &extent)| positions(n, extent).iter().flatten().count());
        sizes.fold(1usize, usize::saturating_mul)
    };
    for axis in 0..x.ndim() {
        if count(&extents) <= MOST {
            break;
        }
        extents[axis] = Extent::First;
    }
    extents
}

/// The positions of an axis that are shown; `None` stands for those left out.
fn positions(n: usize, extent: Extent) -> Vec<Option<usize>> {
    match extent {
        Extent::Ends if n > 2 * EDGE => (0..EDGE).map(Some).chain([None]).chain((n - EDGE..n).map(Some)).collect(),
        Extent::First if n > 1 => vec![Some(0), None],
        _ => (0..n).map(Some).collect(),
    }
}

fn collect(x: &Array, extents: &[Extent], shown: &mut Vec<Scalar>) -> Outcome<()> {
    let Some((&extent, inner)) = extents.split_first() else {
        shown.push(x.item()?);
        return Ok(());
    };
    for position in positions(x.shape()[0], extent).into_iter().flatten() {
        let key = [index::Index::Int(position as isize), index::Index::Ellipsis];
        let part = x.with_layout(index::select(x.layout(), &key)?)?;
        collect(&part, inner, shown)?;
    }
    Ok(())
}

struct Lines<'a> {
    text: &'a mut String,
    indent: usize,
    room: usize,
}

impl Lines<'_> {
    fn axis(&mut self, shape: &[usize], extents: &[Extent], depth: usize, cells: &mut dyn Iterator<Item = String>) {
        let (Some((&n, inner)), Some((&extent, extents))) = (shape.split_first(), extents.split_first()) else {
            self.text.extend(cells.next());
            return;
        };
        self.text.push('[');
        let margin = self.indent + depth + 1;
        let mut column = margin;
        for (i, position) in positions(n, extent).into_iter().enumerate() {
            if !inner.is_empty() {
                if i > 0 {
                    self.text.push(',');
                    // One line between rows, one more for each axis above them.
                    self.text.extend(std::iter::repeat_n('\n', inner.len()));
                    self.text.extend(std::iter::repeat_n(' ', margin));
                }
                match position {
                    Some(_) => self.axis(inner, extents, depth + 1, cells),
                    None => self.text.push_str("..."),
                }
                continue;
            }
            let cell = match position {
                Some(_) => cells.next().unwrap_or_default(),
                None => "...".to_owned(),
            };
            let width = cell.chars().count();
            if i > 0 {
                self.text.push(',');
                if column + width + 2 > self.room.max(margin + width + 2) {
                    self.text.push('\n');
                    self.text.extend(std::iter::repeat_n(' ', margin));
                    column = margin;
                } else {
                    self.text.push(' ');
                    column += 2;
                }
            }
            self.text.push_str(&cell);
            column += width;
        }
        self.text.push(']');
    }
}

/// How all numbers of an array are written.
enum Format {
    /// Booleans and integers, right-aligned.
    Plain(usize),
    Float(Real),
    Complex(Real, Real),
}

impl Format {
    /// `single`: the values are those of single precision.
    fn of(shown: &[Scalar], single: bool) -> Format {
        let floats = |pick: fn(&Scalar) -> Option<f64>| shown.iter().filter_map(pick).collect::<Vec<f64>>();
        match shown.first() {
            Some(Scalar::Float(_)) => {
                let values = floats(|s| if let Scalar::Float(x) = s { Some(*x) } else { None });
                Format::Float(Real::of(&values, single, false))
            }
            Some(Scalar::Complex(_)) => Format::Complex(
                Real::of(&floats(|s| if let Scalar::Complex(z) = s { Some(z.re) } else { None }), single, false),
                Real::of(&floats(|s| if let Scalar::Complex(z) = s { Some(z.im) } else { None }), single, true),
            ),
            _ => Format::Plain(shown.iter().map(|s| plain(*s).len()).max().unwrap_or(0)),
        }
    }

    fn cell(&self, scalar: Scalar) -> String {
        match (self, scalar) {
            (Format::Float(real), Scalar::Float(x)) => real.cell(x),
            (Format::Complex(re, im), Scalar::Complex(z)) => {
                // The j stands behind the digits, the blanks that align them behind the j.
                let imaginary = im.cell(z.im);
                let digits = imaginary.trim_end_matches(' ');
                format!("{}{digits}j{}", re.cell(z.re), &imaginary[digits.len()..])
            }
            (Format::Plain(width), scalar) => format!("{:>width$}", plain(scalar)),
            _ => String::new(),
        }
    }
}

fn plain(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool(true) => "True".to_owned(),
        Scalar::Bool(false) => "False".to_owned(),
        Scalar::Int(i) => i.to_string(),
        other => format!("{other:?}"),
    }
}

/// How the real numbers of an array are written.
struct Real {
    exponent: bool,
    /// Values of single precision, which fewer digits tell apart.
    single: bool,
    /// Digits after the point that all numbers together need.
    digits: usize,
    /// Width before the point, sign included.
    left: usize,
    /// Width behind it, point included.
    right: usize,
    /// A sign in front of positive numbers too (imaginary parts).
    plus: bool,
}

impl Real {
    fn of(values: &[f64], single: bool, plus: bool) -> Real {
        let finite: Vec<f64> = values.iter().copied().filter(|x| x.is_finite() && *x != 0.0).map(f64::abs).collect();
        let largest = finite.iter().copied().fold(0.0, f64::max);
        let smallest = finite.iter().copied().fold(f64::INFINITY, f64::min);
        let exponent =
            !finite.is_empty() && (largest >= 1e16 || smallest < 1e-4 || largest / smallest > 1000.0 && largest >= 1e8);
        let mut real = Real { exponent, single, digits: 0, left: 0, right: 0, plus };
        real.digits =
            values.iter().filter(|x| x.is_finite()).map(|x| fraction(&real.shortest(*x)).len()).max().unwrap_or(0);
        for &x in values {
            let text = real.bare(x);
            let (left, right) = split(&text);
            real.left = real.left.max(left);
            real.right = real.right.max(right);
        }
        real
    }

    /// The shortest text that tells the number apart, with at most [`PRECISION`] digits after the point.
    fn shortest(&self, x: f64) -> String {
        let x = x.abs();
        let exact = match (self.single, self.exponent) {
            (true, true) => format!("{:e}", x as f32),
            (true, false) => format!("{}", x as f32),
            (false, true) => format!("{x:e}"),
            (false, false) => format!("{x}"),
        };
        if fraction(&exact).len() <= PRECISION {
            return exact;
        }
        if self.exponent {
            let rounded = format!("{x:.PRECISION$e}");
            let (mantissa, power) = rounded.split_once('e').unwrap_or((&rounded, "0"));
            return format!("{}e{power}", mantissa.trim_end_matches('0'));
        }
        format!("{x:.PRECISION$}").trim_end_matches('0').to_owned()
    }

    fn bare(&self, x: f64) -> String {
        let sign = if x.is_sign_negative() && !x.is_nan() {
            "-"
        } else if self.plus {
            "+"
        } else {
            ""
        };
        let x = x.abs();
        if x.is_nan() {
            return format!("{sign}nan");
        }
        if x.is_infinite() {
            return format!("{sign}inf");
        }
        if self.exponent {
            let text = self.shortest(x);
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
            let exponent: i32 = exponent.parse().unwrap_or(0);
            let (width, minus) = (self.digits, if exponent < 0 { '-' } else { '+' });
            return format!("{sign}{whole}.{fraction:0<width$}e{minus}{:02}", exponent.abs());
        }
        let text = self.shortest(x);
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        format!("{sign}{whole}.{fraction}")
    }

    fn cell(&self, x: f64) -> String {
        let text = self.bare(x);
        let (left, right) = split(&text);
        let (before, after) = (self.left.saturating_sub(left), self.right.saturating_sub(right));
        if x.is_finite() {
            format!("{:before$}{text}{:after$}", "", "")
        } else {
            // What has no point stands at the right.
            format!("{:>width$}", text, width = self.left + self.right)
        }
    }
}

/// Lengths before and behind (with) the point.
fn split(text: &str) -> (usize, usize) {
    match text.find('.') {
        Some(at) => (at, text.len() - at),
        None => (text.len(), 0),
    }
}

fn fraction(text: &str) -> &str {
    let mantissa = text.split('e').next().unwrap_or(text);
    mantissa.split_once('.').map_or("", |(_, fraction)| fraction)
}
