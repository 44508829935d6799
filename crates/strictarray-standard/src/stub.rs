//! Typing stubs from rows: what `python/strictarray/__init__.pyi` says about a function, and the protocol of a namespace
//! in `python/strictarray/typing.py`.
//!
//! The text is as `ruff format` leaves it. The names that it uses beside Python's own (`Array`, `DType`, `_Nested` …) are
//! defined in the hand-written part of the stubs.

use std::fmt::Write;

use crate::{Accepts, DType, DTypeSet, Extension, Function, Param, ParamKind, ScalarKinds, ShapeRule, Version};

/// The longest line.
const WIDTH: usize = 120;

/// How a parameter is annotated.
type Annotation = Box<dyn Fn(&Param) -> String>;

/// The annotations of a function: one, or one for each overload where a Python scalar may stand beside an array but not
/// alone.
fn overloads(f: &Function) -> Vec<Annotation> {
    let beside: Vec<usize> = (0..f.params.len()).filter(|&i| is_array_or_scalar(f.params[i].accepts)).collect();
    if beside.len() < 2 {
        return vec![Box::new(|p| annotation(p.accepts))];
    }
    // Each overload has its first array at another place: before it there are scalars only.
    let names: Vec<&'static str> = f.params.iter().map(|p| p.name).collect();
    let of = |array: usize| -> Annotation {
        let names = names.clone();
        Box::new(move |p| {
            let place = names.iter().position(|name| *name == p.name);
            match (p.accepts, place) {
                (Accepts::ArrayOrScalar(set), Some(place)) if place < array => scalar_of(set).to_owned(),
                (Accepts::ArrayOrScalar(_), Some(place)) if place == array => "Array".to_owned(),
                (accepts, _) => annotation(accepts),
            }
        })
    };
    beside.iter().map(|&array| of(array)).collect()
}

/// The stub of a function: a `def`, or overloads.
pub fn stub(f: &Function) -> String {
    let mut text = String::new();
    let overloads = overloads(f);
    for (i, annotation) in overloads.iter().enumerate() {
        if overloads.len() > 1 {
            text.push_str(if i > 0 { "\n@overload\n" } else { "@overload\n" });
        }
        define(&mut text, f, annotation, i == 0);
    }
    text
}

/// The protocol's methods of a function, as lines of a class.
fn protocol_method(f: &Function) -> String {
    let generic = |annotation: &str| generic(annotation, f.extension().is_some());
    let mut text = String::new();
    for (i, annotation) in overloads(f).iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        if overloads(f).len() > 1 {
            text.push_str("    @overload\n");
        }
        let mut parts = vec!["self".to_owned()];
        parts.extend(parameters(f.params, &|p| generic(&annotation(p))));
        let returns = generic(returns(f));
        let name = f.attribute();
        let line = format!("    def {name}({}) -> {returns}:", parts.join(", "));
        // What editors show beside the signature stands at the first overload.
        let body = if i == 0 { "" } else { " ..." };
        if line.chars().count() + body.len() <= WIDTH {
            text.push_str(&line);
        } else {
            let _ = write!(text, "    def {name}(\n        {},\n    ) -> {returns}:", parts.join(",\n        "));
        }
        if i == 0 {
            let _ = write!(text, "\n        \"\"\"{}\"\"\"", wrapped(f.summary, 8, 6, WIDTH).trim_start());
        }
        let _ = writeln!(text, "{body}");
    }
    text
}

/// The classes of this library in an annotation, replaced by the protocol's type variables and protocols. Extensions only take
/// dtypes and devices, they give none: type checkers then want another kind of variable.
fn generic(annotation: &str, only_taken: bool) -> String {
    let mut text = String::new();
    let mut rest = annotation;
    while !rest.is_empty() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, tail) = if end > 0 { rest.split_at(end) } else { rest.split_at(1) };
        text.push_str(match word {
            "Array" => "ArrayT",
            "DType" if only_taken => "DTypeT_contra",
            "Device" if only_taken => "DeviceT_contra",
            "DType" => "DTypeT",
            "Device" => "DeviceT",
            "NamespaceInfo" => "Info[DTypeT, DeviceT]",
            "UniqueAllResult" => "UniqueAll[ArrayT]",
            "UniqueCountsResult" => "UniqueCounts[ArrayT]",
            "UniqueInverseResult" => "UniqueInverse[ArrayT]",
            "EigResult" | "EighResult" => "Eigen[ArrayT]",
            "QRResult" => "QR[ArrayT]",
            "SlogdetResult" => "SlogDet[ArrayT]",
            "SVDResult" => "SVD[ArrayT]",
            "finfo_object" => "FInfo[DTypeT]",
            "iinfo_object" => "IInfo[DTypeT]",
            other => other,
        });
        rest = tail;
    }
    text
}

/// The body of the protocol that a namespace satisfies: constants, data types and the functions that it has by default.
pub fn protocol() -> String {
    let mut text = String::new();
    let mut property = |name: &str, of: &str| {
        let _ = write!(text, "    @property\n    def {name}(self) -> {of}: ...\n\n");
    };
    for (name, _) in crate::rows::CONSTANTS {
        property(name, "float");
    }
    property("newaxis", "None");
    for dtype in DType::ALL {
        property(dtype.name(), "DTypeT");
    }
    text + &protocol_methods(None)
}

/// The body of the protocol that an extension of a namespace satisfies.
pub fn extension_protocol(extension: Extension) -> String {
    protocol_methods(Some(extension))
}

fn protocol_methods(extension: Option<Extension>) -> String {
    let methods: Vec<String> = default_functions(extension).into_iter().map(protocol_method).collect();
    methods.join("\n")
}

fn is_array_or_scalar(accepts: Accepts) -> bool {
    matches!(accepts, Accepts::ArrayOrScalar(_))
}

fn define(text: &mut String, f: &Function, annotation: &dyn Fn(&Param) -> String, documented: bool) {
    let parts = parameters(f.params, annotation);
    let (name, returns) = (f.attribute(), returns(f));
    let line = format!("def {name}({}) -> {returns}:", parts.join(", "));
    if line.chars().count() <= WIDTH {
        text.push_str(&line);
    } else {
        let _ = write!(text, "def {name}(\n    {},\n) -> {returns}:", parts.join(",\n    "));
    }
    if !documented {
        text.push_str(" ...\n");
        return;
    }
    // Writing to a String can't fail.
    let _ = write!(text, "\n    \"\"\"{}", wrapped(f.summary, 4, 3, WIDTH).trim_start());
    if !f.params.is_empty() {
        text.push_str("\n\n    Parameters\n    ----------");
    }
    for p in f.params {
        let star = if p.kind == ParamKind::VarPositional { "*" } else { "" };
        let since = if p.since > f.since { format!(" (since {})", p.since) } else { String::new() };
        let _ = write!(
            text,
            "\n    {star}{} : {}",
            p.name,
            wrapped(&p.accepts.describe(), 8, p.name.len() + 7, WIDTH).trim_start()
        );
        let _ = write!(text, "\n{}", wrapped(&format!("{}{since}", p.doc), 8, 0, WIDTH));
    }
    let _ = write!(text, "\n\n    Returns\n    -------\n{}\n    \"\"\"\n", wrapped(f.returns, 4, 0, WIDTH));
}

/// The text in lines that fit the width, indented; the first has that much less room.
pub(crate) fn wrapped(text: &str, indent: usize, taken: usize, width: usize) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    let mut room = width - indent - taken;
    for word in text.split(' ') {
        let line = lines.last_mut().map_or(0, |line| line.chars().count());
        if line > 0 && line + 1 + word.chars().count() > room {
            room = width - indent;
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    let indent = " ".repeat(indent);
    lines.iter().map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n")
}

fn parameters(params: &[Param], annotation: &dyn Fn(&Param) -> String) -> Vec<String> {
    let mut parts: Vec<String> = Vec::with_capacity(params.len() + 2);
    let mut star = false;
    for (i, p) in params.iter().enumerate() {
        if p.kind == ParamKind::KeywordOnly && !star {
            parts.push("*".into());
            star = true;
        }
        let prefix = if p.kind == ParamKind::VarPositional { "*" } else { "" };
        star |= p.kind == ParamKind::VarPositional;
        let default = p.default.map(|d| format!(" = {}", d.replace('\'', "\""))).unwrap_or_default();
        parts.push(format!("{prefix}{}: {}{default}", p.name, annotation(p)));
        let last = params.get(i + 1).is_none_or(|next| next.kind != ParamKind::PositionalOnly);
        if p.kind == ParamKind::PositionalOnly && last {
            parts.push("/".into());
        }
    }
    parts
}

/// The type of the Python scalars that may stand beside an array of a data type of the set. For type checkers an `int` is
/// a `float`, and a `float` a `complex`.
fn scalar_of(set: DTypeSet) -> &'static str {
    if set.intersection(DTypeSet::COMPLEX_FLOATING) != DTypeSet::EMPTY {
        "complex"
    } else if set.intersection(DTypeSet::FLOATING) != DTypeSet::EMPTY {
        "float"
    } else if set.intersection(DTypeSet::INTEGER) != DTypeSet::EMPTY {
        "int"
    } else {
        BOOL
    }
}

/// `bool` is a data type in the namespace.
const BOOL: &str = "_bool";

fn scalar(kinds: ScalarKinds) -> &'static str {
    if kinds.contains(ScalarKinds::COMPLEX) {
        "complex"
    } else if kinds.contains(ScalarKinds::FLOAT) {
        "float"
    } else if kinds.contains(ScalarKinds::INT) {
        "int"
    } else {
        BOOL
    }
}

fn annotation(accepts: Accepts) -> String {
    match accepts {
        Accepts::Array(_) | Accepts::Arrays(_) => "Array".into(),
        Accepts::ArrayOrNone(_) => "Array | None".into(),
        Accepts::ArrayOrScalar(set) => format!("Array | {}", scalar_of(set)),
        Accepts::ArrayOrScalarOrNone(set) => format!("Array | {} | None", scalar_of(set)),
        Accepts::ArraysOrDTypes => "Array | DType | complex".into(),
        Accepts::ArrayOrDType(_) => "Array | DType".into(),
        Accepts::Scalar(kinds) => scalar(kinds).into(),
        Accepts::ScalarOrNone(kinds) => format!("{} | None", scalar(kinds)),
        Accepts::Int | Accepts::Count | Accepts::Axis => "int".into(),
        Accepts::CountOrNone | Accepts::AxisOrNone => "int | None".into(),
        Accepts::Bool => BOOL.into(),
        Accepts::BoolOrNone => format!("{BOOL} | None"),
        Accepts::Ints | Accepts::Sizes | Accepts::AllAxes | Accepts::Shapes => "tuple[int, ...]".into(),
        Accepts::ArraySequence(_) => "tuple[Array, ...] | list[Array]".into(),
        Accepts::CountOrArray(_) => "int | Array".into(),
        Accepts::AxesPair => "int | tuple[Sequence[int], Sequence[int]]".into(),
        Accepts::Shape | Accepts::Axes | Accepts::IntOrInts => "int | tuple[int, ...]".into(),
        Accepts::AxesOrNone => "int | tuple[int, ...] | None".into(),
        Accepts::AxisSequenceOrNone | Accepts::IntSequenceOrNone => "Sequence[int] | None".into(),
        Accepts::AxesOrSequenceOrNone => "int | Sequence[int] | None".into(),
        Accepts::DType(_) => "DType".into(),
        Accepts::DTypeOrNone(_) => "DType | None".into(),
        Accepts::DeviceOrNone => "Device | None".into(),
        Accepts::Sequence => "Array | complex | _Nested | Buffer".into(),
        Accepts::Exporter => "_SupportsDLPack".into(),
        Accepts::DTypeKinds => "DType | _Kind | tuple[DType | _Kind, ...]".into(),
        Accepts::Choice(texts) => literal(texts),
        Accepts::ScalarOrChoice(kinds, texts) => format!("{} | {}", scalar(kinds), literal(texts)),
    }
}

fn literal(texts: &[&str]) -> String {
    format!("Literal[{}]", texts.iter().map(|t| format!("{t:?}")).collect::<Vec<_>>().join(", "))
}

fn returns(f: &Function) -> &'static str {
    match (f.name, f.shape) {
        ("broadcast_shapes", _) => "tuple[int, ...]",
        ("broadcast_arrays" | "meshgrid" | "nonzero" | "unstack", _) => "tuple[Array, ...]",
        ("unique_all", _) => "UniqueAllResult",
        ("unique_counts", _) => "UniqueCountsResult",
        ("unique_inverse", _) => "UniqueInverseResult",
        ("linalg.eig", _) => "EigResult",
        ("linalg.eigh", _) => "EighResult",
        ("linalg.qr", _) => "QRResult",
        ("linalg.slogdet", _) => "SlogdetResult",
        ("linalg.svd", _) => "SVDResult",
        ("can_cast" | "isdtype", _) => BOOL,
        ("finfo", _) => "finfo_object",
        ("iinfo", _) => "iinfo_object",
        ("result_type", _) => "DType",
        ("__array_namespace_info__", _) => "NamespaceInfo",
        // Not known here: a test finds it.
        (_, ShapeRule::NoArray) => "object",
        _ => "Array",
    }
}

/// The functions that a namespace has by default, in the order of their names.
fn default_functions(extension: Option<Extension>) -> Vec<&'static Function> {
    let mut functions: Vec<_> = crate::functions_of(extension).filter(|f| f.since <= Version::DEFAULT).collect();
    functions.sort_unstable_by_key(|f| f.name);
    functions
}

/// The stubs of all functions that the namespace has by default, after its `__all__`.
pub fn stubs() -> String {
    let functions = default_functions(None);
    let extensions = Extension::ALL.into_iter().filter(|e| !default_functions(Some(*e)).is_empty());
    let own = OWN.iter().copied().chain(["newaxis"]).chain(extensions.map(Extension::name));
    let constants = crate::rows::CONSTANTS.iter().map(|(name, _)| *name);
    let mut names: Vec<&str> = functions.iter().map(|f| f.name).chain(own).chain(constants).collect();
    names.extend(DType::ALL.map(DType::name));
    stubs_of(names, functions)
}

/// The stubs of all functions that an extension has by default, after its `__all__`.
pub fn extension_stubs(extension: Extension) -> String {
    let functions = default_functions(Some(extension));
    stubs_of(functions.iter().map(|f| f.attribute()).collect(), functions)
}

fn stubs_of(mut names: Vec<&str>, functions: Vec<&'static Function>) -> String {
    names.sort_unstable_by_key(|name| order(name));
    let all: String = names.iter().map(|name| format!("    {name:?},\n")).collect();
    let mut text = format!("__all__ = [\n{all}]\n");
    for f in functions {
        // After a function without a body in lines of its own there is no empty line.
        if !text.ends_with(" ...\n") {
            text.push('\n');
        }
        text.push_str(&stub(f));
    }
    text
}

/// The names beside the standard's, which the binding adds.
const OWN: [&str; 7] = [
    "ALL_DEVICES",
    "ArrayAPIStrictFlags",
    "CPU_DEVICE",
    "Device",
    "get_array_api_strict_flags",
    "reset_array_api_strict_flags",
    "set_array_api_strict_flags",
];

/// The place of a name in a sorted `__all__`: constants, classes, all else; numbers in it by their value.
fn order(name: &str) -> (u8, Vec<(&str, u32)>) {
    let class = match name.as_bytes() {
        [b'A'..=b'Z', b'A'..=b'Z', ..] => 0,
        [b'A'..=b'Z', ..] => 1,
        _ => 2,
    };
    let (mut parts, mut rest) = (Vec::new(), name);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (letters, tail) = rest.split_at(digits);
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        parts.push((letters, tail[..end].parse().unwrap_or(0)));
        rest = &tail[end..];
    }
    (class, parts)
}
