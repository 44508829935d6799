//! The row of a function: all that the binding needs to parse, check, gate, record and describe a call.

use crate::{DTypeSet, Extension, Rule, Version};

/// How an argument may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// Before the `/`.
    PositionalOnly,
    /// Either way.
    PositionalOrKeyword,
    /// After the `*`.
    KeywordOnly,
    /// `*args`.
    VarPositional,
}

impl ParamKind {
    /// The kind as `inspect` and the data of the standard spell it.
    pub const fn as_str(self) -> &'static str {
        match self {
            ParamKind::PositionalOnly => "positional-only",
            ParamKind::PositionalOrKeyword => "positional-or-keyword",
            ParamKind::KeywordOnly => "keyword-only",
            ParamKind::VarPositional => "var-positional",
        }
    }
}

/// A set of kinds of Python scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScalarKinds(u8);

impl ScalarKinds {
    /// `bool`.
    pub const BOOL: ScalarKinds = ScalarKinds(1);
    /// `int`.
    pub const INT: ScalarKinds = ScalarKinds(2);
    /// `float`.
    pub const FLOAT: ScalarKinds = ScalarKinds(4);
    /// `complex`.
    pub const COMPLEX: ScalarKinds = ScalarKinds(8);
    /// `int` and `float`.
    pub const REAL: ScalarKinds = ScalarKinds(6);
    /// `int`, `float` and `complex`.
    pub const NUMERIC: ScalarKinds = ScalarKinds(14);
    /// All four.
    pub const ALL: ScalarKinds = ScalarKinds(15);

    /// Whether all of `other` are here.
    pub const fn contains(self, other: ScalarKinds) -> bool {
        self.0 & other.0 == other.0
    }

    /// The names, joined.
    pub fn describe(self) -> String {
        let names = [(Self::BOOL, "bool"), (Self::INT, "int"), (Self::FLOAT, "float"), (Self::COMPLEX, "complex")];
        names.iter().filter(|(k, _)| self.contains(*k)).map(|(_, n)| *n).collect::<Vec<_>>().join(", ")
    }
}

/// What an argument accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// An array with a data type of the set.
    Array(DTypeSet),
    /// Such an array, or None.
    ArrayOrNone(DTypeSet),
    /// Such an array, or a Python scalar beside another array (since 2024.12).
    ArrayOrScalar(DTypeSet),
    /// Such an array, a Python scalar, or None.
    ArrayOrScalarOrNone(DTypeSet),
    /// Arrays (`*arrays`), each with a data type of the set.
    Arrays(DTypeSet),
    /// Arrays, dtypes or Python scalars (`result_type`).
    ArraysOrDTypes,
    /// An array or a dtype, of the set.
    ArrayOrDType(DTypeSet),
    /// A Python scalar of these kinds.
    Scalar(ScalarKinds),
    /// A Python scalar of these kinds, or None.
    ScalarOrNone(ScalarKinds),
    /// A Python int.
    Int,
    /// A Python int that is not negative.
    Count,
    /// Such an int, or None.
    CountOrNone,
    /// An axis: a Python int in [-N, N).
    Axis,
    /// An axis, or None.
    AxisOrNone,
    /// A Python bool.
    Bool,
    /// A Python bool, or None.
    BoolOrNone,
    /// An int or a tuple of ints.
    Shape,
    /// An axis (an int) or a tuple of different axes.
    Axes,
    /// An axis, a tuple of axes, or None.
    AxesOrNone,
    /// A sequence (tuple, list or range) of different axes, or None.
    AxisSequenceOrNone,
    /// An axis, a sequence of different axes, or None.
    AxesOrSequenceOrNone,
    /// A sequence (tuple, list or range) of ints, or None.
    IntSequenceOrNone,
    /// A tuple of ints.
    Ints,
    /// A tuple of ints that are not negative.
    Sizes,
    /// Such tuples (`*shapes`).
    Shapes,
    /// A tuple of all axes.
    AllAxes,
    /// An int, or a tuple of ints: one for each of several axes.
    IntOrInts,
    /// A tuple or list of arrays, each with a data type of the set.
    ArraySequence(DTypeSet),
    /// An int that is not negative, or an array with a data type of the set.
    CountOrArray(DTypeSet),
    /// An int, or a tuple of two sequences of ints (`tensordot`).
    AxesPair,
    /// A dtype of the set.
    DType(DTypeSet),
    /// A dtype of the set, or None.
    DTypeOrNone(DTypeSet),
    /// A device, or None.
    DeviceOrNone,
    /// What `asarray` takes.
    Sequence,
    /// What `from_dlpack` takes.
    Exporter,
    /// A dtype, a kind, or a tuple of these (`isdtype`).
    DTypeKinds,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A Python scalar of these kinds, or one of these texts.
    ScalarOrChoice(ScalarKinds, &'static [&'static str]),
}

impl Accepts {
    /// The data types of what it accepts: none where that has no data type.
    #[inline]
    pub const fn dtypes(self) -> DTypeSet {
        match self {
            Accepts::Array(set)
            | Accepts::ArrayOrNone(set)
            | Accepts::ArrayOrScalar(set)
            | Accepts::ArrayOrScalarOrNone(set)
            | Accepts::Arrays(set)
            | Accepts::ArrayOrDType(set)
            | Accepts::ArraySequence(set)
            | Accepts::CountOrArray(set)
            | Accepts::DType(set)
            | Accepts::DTypeOrNone(set) => set,
            _ => DTypeSet::EMPTY,
        }
    }

    /// The kind of value in words, for docstrings.
    pub fn describe(self) -> String {
        match self {
            Accepts::Array(set) => format!("array ({} dtype)", set.describe()),
            Accepts::ArrayOrNone(set) => format!("array ({} dtype) or None", set.describe()),
            Accepts::ArrayOrScalar(set) => format!("array ({} dtype) or Python scalar", set.describe()),
            Accepts::ArrayOrScalarOrNone(set) => format!("array ({} dtype), Python scalar or None", set.describe()),
            Accepts::Arrays(set) => format!("arrays ({} dtype)", set.describe()),
            Accepts::ArraysOrDTypes => "arrays, dtypes or Python scalars".into(),
            Accepts::ArrayOrDType(_) => "array or dtype".into(),
            Accepts::Scalar(kinds) => format!("Python scalar ({})", kinds.describe()),
            Accepts::ScalarOrNone(kinds) => format!("Python scalar ({}) or None", kinds.describe()),
            Accepts::Int | Accepts::Count | Accepts::Axis => "int".into(),
            Accepts::CountOrNone | Accepts::AxisOrNone => "int or None".into(),
            Accepts::Bool => "bool".into(),
            Accepts::BoolOrNone => "bool or None".into(),
            Accepts::Ints | Accepts::Sizes | Accepts::AllAxes => "tuple of ints".into(),
            Accepts::Shapes => "tuples of ints".into(),
            Accepts::ArraySequence(set) => format!("tuple or list of arrays ({} dtype)", set.describe()),
            Accepts::CountOrArray(set) => format!("int or array ({} dtype)", set.describe()),
            Accepts::AxesPair => "int or tuple of two sequences of ints".into(),
            Accepts::Shape | Accepts::Axes | Accepts::IntOrInts => "int or tuple of ints".into(),
            Accepts::AxesOrNone => "int, tuple of ints, or None".into(),
            Accepts::AxisSequenceOrNone | Accepts::IntSequenceOrNone => "sequence of ints or None".into(),
            Accepts::AxesOrSequenceOrNone => "int, sequence of ints, or None".into(),
            Accepts::DType(set) => format!("dtype ({})", set.describe()),
            Accepts::DTypeOrNone(set) => format!("dtype ({}) or None", set.describe()),
            Accepts::DeviceOrNone => "device or None".into(),
            Accepts::Sequence => "array, Python scalar, (nested) sequence of Python scalars, or buffer".into(),
            Accepts::Exporter => "object with __dlpack__ and __dlpack_device__".into(),
            Accepts::DTypeKinds => "dtype, kind (str), or tuple of these".into(),
            Accepts::Choice(texts) => choices(texts),
            Accepts::ScalarOrChoice(kinds, texts) => {
                format!("Python scalar ({}) or {}", kinds.describe(), choices(texts))
            }
        }
    }
}

/// The texts, in quotation marks.
fn choices(texts: &[&str]) -> String {
    texts.iter().map(|t| format!("{t:?}")).collect::<Vec<_>>().join(" or ")
}

/// One parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// The name.
    pub name: &'static str,
    /// How it may be given.
    pub kind: ParamKind,
    /// The default as Python text, if it has one.
    pub default: Option<&'static str>,
    /// What it accepts.
    pub accepts: Accepts,
    /// The version that brought it.
    pub since: Version,
    /// What it means.
    pub doc: &'static str,
}

impl Param {
    const fn new(name: &'static str, kind: ParamKind, accepts: Accepts, doc: &'static str) -> Param {
        Param { name, kind, default: None, accepts, since: Version::V2021_12, doc }
    }

    /// A positional-only parameter.
    pub const fn pos(name: &'static str, accepts: Accepts, doc: &'static str) -> Param {
        Self::new(name, ParamKind::PositionalOnly, accepts, doc)
    }

    /// A parameter that may be given either way.
    pub const fn any(name: &'static str, accepts: Accepts, doc: &'static str) -> Param {
        Self::new(name, ParamKind::PositionalOrKeyword, accepts, doc)
    }

    /// A keyword-only parameter.
    pub const fn kw(name: &'static str, accepts: Accepts, doc: &'static str) -> Param {
        Self::new(name, ParamKind::KeywordOnly, accepts, doc)
    }

    /// `*name`.
    pub const fn var(name: &'static str, accepts: Accepts, doc: &'static str) -> Param {
        Self::new(name, ParamKind::VarPositional, accepts, doc)
    }

    /// With a default.
    pub const fn or(self, default: &'static str) -> Param {
        Param { default: Some(default), ..self }
    }

    /// Since a version.
    pub const fn since(self, since: Version) -> Param {
        Param { since, ..self }
    }
}

/// The sections of the main namespace, and the extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Category {
    Creation,
    DataType,
    Elementwise,
    Indexing,
    LinearAlgebra,
    Manipulation,
    Searching,
    Set,
    Sorting,
    Statistical,
    Utility,
    Info,
    Linalg,
    Fft,
}

impl Category {
    /// The section's title in the standard.
    pub const fn title(self) -> &'static str {
        match self {
            Category::Creation => "Creation Functions",
            Category::DataType => "Data Type Functions",
            Category::Elementwise => "Elementwise Functions",
            Category::Indexing => "Indexing Functions",
            Category::LinearAlgebra => "Linear Algebra Functions",
            Category::Manipulation => "Manipulation Functions",
            Category::Searching => "Searching Functions",
            Category::Set => "Set Functions",
            Category::Sorting => "Sorting Functions",
            Category::Statistical => "Statistical Functions",
            Category::Utility => "Utility Functions",
            Category::Info => "Inspection",
            Category::Linalg => "Linear Algebra Extension",
            Category::Fft => "Fourier Transform Extension",
        }
    }

    /// The extension that it is; `None` for a section of the main namespace.
    pub const fn extension(self) -> Option<Extension> {
        match self {
            Category::Linalg => Some(Extension::Linalg),
            Category::Fft => Some(Extension::Fft),
            _ => None,
        }
    }

    /// The name that the data of the standard uses.
    pub const fn data_name(self) -> &'static str {
        match self {
            Category::Creation => "creation_functions",
            Category::DataType => "data_type_functions",
            Category::Elementwise => "elementwise_functions",
            Category::Indexing => "indexing_functions",
            Category::LinearAlgebra => "linear_algebra_functions",
            Category::Manipulation => "manipulation_functions",
            Category::Searching => "searching_functions",
            Category::Set => "set_functions",
            Category::Sorting => "sorting_functions",
            Category::Statistical => "statistical_functions",
            Category::Utility => "utility_functions",
            Category::Info => "info",
            Category::Linalg => "linalg",
            Category::Fft => "fft",
        }
    }
}

/// How the shape of the result follows from the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeRule {
    /// The shape of the first argument.
    Same,
    /// The arrays' shapes broadcast.
    Broadcast,
    /// The argument `shape`.
    Argument,
    /// The matrix product's.
    Matmul,
    /// That of the first argument without the axes that are reduced (of size 1 with `keepdims`).
    Reduced,
    /// Computed from other arguments (`arange`, `eye`, `linspace`, `meshgrid`).
    Computed,
    /// That of the object (`asarray`, `from_dlpack`).
    Object,
    /// No array comes out.
    NoArray,
}

/// How the data type of the result follows from the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultDType {
    /// What the arrays promote to.
    Promoted,
    /// The first array's.
    Same,
    /// The real data type of the parts of the first array's.
    RealPart,
    /// The complex data type of the precision of the first array's.
    Complex,
    /// `bool`.
    Bool,
    /// The device's default for indices.
    Index,
    /// The argument `dtype`; else the first array's, or the device's default where that is a smaller integer.
    Accumulated,
    /// The argument `dtype`, or a default of the device.
    Argument,
    /// That of the object.
    Object,
    /// No array comes out.
    NoArray,
}

/// What the standard leaves open for a function: each of these takes NumPy's value by default; modes will vary it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Open(u16);

impl Open {
    /// Nothing.
    pub const NOTHING: Open = Open(0);
    /// What integer arithmetic gives when it overflows.
    pub const OVERFLOW: Open = Open(1);
    /// What integers give when divided by zero.
    pub const ZERO_DIVISION: Open = Open(1 << 1);
    /// Shifts by a negative count, or by the width or more.
    pub const SHIFT_RANGE: Open = Open(1 << 2);
    /// Values that the target of a cast can't represent: NaN and out of range to integers, beyond the precision of a
    /// floating-point data type.
    pub const CAST: Open = Open(1 << 3);
    /// Whether the result is a view or a copy: where strides can express it ("libraries may do either").
    pub const VIEW_OR_COPY: Open = Open(1 << 4);
    /// The order of the results.
    pub const ORDER: Open = Open(1 << 5);
    /// Which of equal elements is taken: of zeros of different sign, or in a sort that need not be stable.
    pub const TIES: Open = Open(1 << 6);
    /// Where NaNs go.
    pub const NAN_PLACE: Open = Open(1 << 7);
    /// Signs of parts of complex results at infinities and NaNs.
    pub const SIGN: Open = Open(1 << 8);
    /// Negative integer exponents.
    pub const INTEGER_POWER: Open = Open(1 << 9);
    /// The values themselves (`empty`).
    pub const VALUES: Open = Open(1 << 10);
    /// The last bits of floating-point results: what the standard calls approximations, sums, linear algebra.
    pub const ROUNDING: Open = Open(1 << 11);
    /// The last bits of complex results, where real ones must be correctly rounded.
    pub const COMPLEX_ROUNDING: Open = Open(1 << 12);
    /// Complex products and quotients of infinities and NaNs, which depend on how complex infinity is modelled.
    pub const COMPLEX_INFINITY: Open = Open(1 << 13);
    /// Signs and phases of the vectors of decompositions, and which vectors belong to values that are equal.
    pub const VECTORS: Open = Open(1 << 14);

    /// Each bit with its name, and what a docstring says of it.
    pub(crate) const EACH: [(Open, &'static str, &'static str); 15] = [
        (Self::OVERFLOW, "overflow", "what integers give on overflow (here they wrap around)"),
        (Self::ZERO_DIVISION, "zero division", "what integers give when divided by zero (here 0)"),
        (Self::SHIFT_RANGE, "shift range", "shifts by negative counts, or by the width or more (here as in NumPy)"),
        (Self::CAST, "cast", "casts to integers of NaN, of infinities and of what is out of range (here as in NumPy)"),
        (Self::VIEW_OR_COPY, "view or copy", "whether the result shares memory (here it does where it can)"),
        (Self::ORDER, "order", "the order of the elements (do not rely on the one here)"),
        (
            Self::TIES,
            "ties",
            "which of equal elements is taken, or comes first (here the first, or as the special cases say)",
        ),
        (Self::NAN_PLACE, "nan place", "where NaNs go (here as the special cases say)"),
        (Self::SIGN, "sign", "some signs (of parts of complex results at infinities and NaNs)"),
        (Self::INTEGER_POWER, "integer power", "negative powers of integers (here refused)"),
        (Self::VALUES, "values", "the values (here 0)"),
        (Self::ROUNDING, "rounding", "the last bits of floating-point results"),
        (Self::COMPLEX_ROUNDING, "complex rounding", "the last bits of complex results"),
        (
            Self::COMPLEX_INFINITY,
            "complex infinity",
            "complex results of infinities and NaNs (here each part is computed as its formula says)",
        ),
        (
            Self::VECTORS,
            "vectors",
            "signs and phases of the vectors, and which vectors belong to equal values: compare products, not vectors",
        ),
    ];

    /// The names of what is open.
    pub fn names(self) -> Vec<&'static str> {
        Self::EACH.iter().filter(|(open, ..)| self.contains(*open)).map(|(_, name, _)| *name).collect()
    }

    /// All of both.
    pub const fn and(self, other: Open) -> Open {
        Open(self.0 | other.0)
    }

    /// Whether all of `other` are here.
    pub const fn contains(self, other: Open) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A function of the main namespace or of an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name in the main namespace, which no other has: with that of its extension and a dot before it, if it has one.
    pub name: &'static str,
    /// Its section, or the extension that it belongs to.
    pub category: Category,
    /// The parameters in order.
    pub params: &'static [Param],
    /// The version that brought it.
    pub since: Version,
    /// The shape of the result.
    pub shape: ShapeRule,
    /// The data type of the result.
    pub result: ResultDType,
    /// What the standard leaves open.
    pub open: Open,
    /// What it refuses beyond what follows from the kinds of its parameters: the rule, and when, as a clause.
    pub refuses: &'static [(&'static Rule, &'static str)],
    /// What it gives for special values, in a sentence or two; empty where there is nothing to say.
    pub special: &'static str,
    /// What it does, one sentence.
    pub summary: &'static str,
    /// What comes out, one sentence.
    pub returns: &'static str,
    /// An example that runs as a doctest: what is typed and what it prints.
    pub example: &'static str,
}

impl Function {
    /// The extension that it belongs to, if any.
    #[inline]
    pub const fn extension(&self) -> Option<Extension> {
        self.category.extension()
    }

    /// The name in its own namespace: without that of the extension.
    pub fn attribute(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }

    /// The section of the standard that describes it.
    pub fn section(&self) -> String {
        format!("{}: {}", self.category.title(), self.attribute())
    }

    /// Its section in a version: some functions moved.
    pub fn category_in(&self, version: Version) -> Category {
        match self.name {
            "broadcast_arrays" | "broadcast_to" if version < Version::V2022_12 => Category::DataType,
            _ => self.category,
        }
    }

    /// The signature as `inspect` reads it.
    pub fn text_signature(&self) -> String {
        text_signature(self.params)
    }

    /// The signature that a version of the standard has: without the parameters that came later.
    pub fn text_signature_in(&self, version: Version) -> String {
        let params: Vec<Param> = self.params.iter().filter(|p| p.since <= version).copied().collect();
        text_signature(&params)
    }

    /// The place of a parameter.
    pub fn param(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|p| p.name == name)
    }

    /// With what it gives for special values.
    pub const fn special(self, special: &'static str) -> Function {
        Function { special, ..self }
    }

    /// With what the standard leaves open.
    pub(crate) const fn open(self, open: Open) -> Function {
        Function { open, ..self }
    }

    /// With what it refuses beyond what follows from the kinds of its parameters.
    pub const fn refuses(self, refuses: &'static [(&'static Rule, &'static str)]) -> Function {
        Function { refuses, ..self }
    }
}

/// A parameter list as Python text.
pub(crate) fn text_signature(params: &[Param]) -> String {
    let mut parts: Vec<String> = Vec::with_capacity(params.len() + 2);
    let mut star = false;
    for (i, p) in params.iter().enumerate() {
        match p.kind {
            ParamKind::VarPositional => {
                parts.push(format!("*{}", p.name));
                star = true;
            }
            ParamKind::KeywordOnly if !star => {
                parts.push("*".into());
                star = true;
            }
            _ => {}
        }
        if p.kind != ParamKind::VarPositional {
            parts.push(match p.default {
                Some(default) => format!("{}={default}", p.name),
                None => p.name.into(),
            });
        }
        let last = params.get(i + 1).is_none_or(|next| next.kind != ParamKind::PositionalOnly);
        if p.kind == ParamKind::PositionalOnly && last {
            parts.push("/".into());
        }
    }
    format!("({})", parts.join(", "))
}
