//! Docstrings from rows: what `help()` says about a function.

use std::fmt::Write;

use crate::stub::wrapped;
use crate::{
    Accepts, DTypeSet, Feature, Function, Open, Param, ParamKind, ResultDType, Rule, ShapeRule, added, removed, rule,
};

/// The longest line.
const WIDTH: usize = 96;

/// One thing that a function refuses: the rule, and when, as a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The rule.
    pub rule: &'static Rule,
    /// The arguments it is about, as the subject of the clause; empty where the clause has its own.
    pub arguments: Vec<&'static str>,
    /// When.
    pub when: String,
}

impl Function {
    /// The docstring, made from the row.
    pub fn docstring(&self) -> String {
        // Writing to a String can't fail.
        let mut text = format!("{}\n\nParameters\n----------\n", wrapped(self.summary, 0, 0, WIDTH));
        for p in self.params {
            let star = if p.kind == ParamKind::VarPositional { "*" } else { "" };
            let default = p.default.map(|d| format!(", default {d}")).unwrap_or_default();
            let since = if p.since > self.since { format!(" (since {})", p.since) } else { String::new() };
            let _ = writeln!(text, "{star}{} : {}{default}", p.name, p.accepts.describe());
            let _ = writeln!(text, "{}", wrapped(&format!("{}{since}", p.doc), 4, 0, WIDTH));
        }
        let _ = writeln!(text, "\nReturns\n-------\n{}", wrapped(self.returns, 0, 0, WIDTH));
        let _ = write!(text, "\nRaises\n------\n{}", self.raises());
        let left_open = self.open.describe();
        if !self.special.is_empty() || !left_open.is_empty() {
            text.push_str("\nNotes\n-----\n");
        }
        if !self.special.is_empty() {
            let _ = writeln!(text, "{}", wrapped(&format!("Special cases: {}", self.special), 0, 0, WIDTH));
        }
        if !self.special.is_empty() && !left_open.is_empty() {
            text.push('\n');
        }
        if !left_open.is_empty() {
            let left_open = format!("The standard leaves open {left_open}.");
            let _ = writeln!(text, "{}", wrapped(&left_open, 0, 0, WIDTH));
        }
        let _ = write!(
            text,
            "\nExamples\n--------\n{}\n\nSource: array API standard, {} (since {}{}).\n",
            self.example,
            self.section(),
            self.since,
            self.additions()
        );
        text
    }

    /// What later versions added or took away, each after a semicolon.
    fn additions(&self) -> String {
        let mut text = String::new();
        let complex = |p: &Param| match p.accepts {
            Accepts::Array(set)
            | Accepts::ArrayOrScalar(set)
            | Accepts::Arrays(set)
            | Accepts::ArraySequence(set)
            | Accepts::DType(set)
            | Accepts::DTypeOrNone(set) => !set.intersection(DTypeSet::COMPLEX_FLOATING).is_empty(),
            _ => false,
        };
        for feature in Feature::ALL {
            let since = added(self.name, feature);
            let has = feature != Feature::Complex || self.params.iter().any(complex);
            if has && since > self.since {
                let _ = write!(text, "; {} since {since}", feature.describe());
            }
            if let Some(until) = removed(self.name, feature) {
                let _ = write!(text, "; {} before {until}", feature.describe());
            }
        }
        text
    }

    /// The section about errors: for each exception what raises it, with the ids of the rules.
    fn raises(&self) -> String {
        let refused = self.refused();
        let mut exceptions: Vec<&'static str> = Vec::new();
        for each in &refused {
            if !exceptions.contains(&each.rule.exception.name()) {
                exceptions.push(each.rule.exception.name());
            }
        }
        let mut text = String::new();
        for exception in exceptions {
            let clauses: Vec<String> = refused
                .iter()
                .filter(|each| each.rule.exception.name() == exception)
                .map(|each| {
                    let subject = alternatives(&each.arguments);
                    let space = if subject.is_empty() { "" } else { " " };
                    format!("{subject}{space}{} [{}]", each.when, each.rule.id)
                })
                .collect();
            let _ = writeln!(text, "{exception}\n{}", wrapped(&format!("{}.", clauses.join("; ")), 4, 0, WIDTH));
        }
        if text.is_empty() { "TypeError\n    it is called with an argument [arguments].\n".into() } else { text }
    }

    /// What it refuses: what follows from the kinds of its parameters and its result, and what the row adds.
    pub fn refused(&self) -> Vec<Refused> {
        let mut found = Found(Vec::new());
        // Where there is an int for each axis, they add up.
        let several_times = self.params.iter().any(|p| p.accepts == Accepts::IntOrInts);
        for p in self.params {
            found.parameter(p, several_times);
        }
        found.together(self);
        for (rule, when) in self.refuses {
            found.push(rule, None, when);
        }
        found.0
    }

    /// How many arrays it takes: 2 stands for several.
    fn arrays(&self) -> usize {
        let of = |accepts| match accepts {
            Accepts::Arrays(_) | Accepts::ArraySequence(_) => 2,
            Accepts::Array(_)
            | Accepts::ArrayOrNone(_)
            | Accepts::ArrayOrScalar(_)
            | Accepts::ArrayOrScalarOrNone(_)
            | Accepts::CountOrArray(_) => 1,
            Accepts::ArraysOrDTypes => 2,
            _ => 0,
        };
        self.params.iter().map(|p| of(p.accepts)).sum()
    }
}

struct Found(Vec<Refused>);

impl Found {
    /// Adds a refusal; arguments for which the same holds share a clause.
    fn push(&mut self, rule: &'static Rule, argument: Option<&'static str>, when: &str) {
        let same = |each: &&mut Refused| std::ptr::eq(each.rule, rule) && each.when == when;
        match (self.0.iter_mut().find(same), argument) {
            (Some(each), Some(argument)) => each.arguments.push(argument),
            (Some(_), None) => {}
            (None, argument) => {
                self.0.push(Refused { rule, arguments: argument.into_iter().collect(), when: when.into() })
            }
        }
    }

    /// What follows from the kind of one parameter; in some functions an axis may be named several times.
    fn parameter(&mut self, p: &Param, several_times: bool) {
        let mut add = |rule, when: &str| self.push(rule, Some(p.name), when);
        match p.accepts {
            Accepts::Array(_) | Accepts::ArrayOrNone(_) => {
                add(&rule::NOT_AN_ARRAY, "is not an array of this namespace")
            }
            Accepts::Arrays(_) => add(&rule::NOT_AN_ARRAY, "are not all arrays of this namespace"),
            Accepts::ArraySequence(_) => {
                add(&rule::NOT_A_SEQUENCE, "is not a tuple or list");
                add(&rule::NOT_AN_ARRAY, "has items that are not arrays of this namespace");
            }
            Accepts::ArrayOrScalar(_) | Accepts::ArrayOrScalarOrNone(_) => {
                add(&rule::NOT_ARRAY_OR_SCALAR, "is neither an array of this namespace nor a Python scalar")
            }
            Accepts::ArraysOrDTypes => {
                add(&rule::NOT_A_DTYPE, "are not all arrays or dtypes of this namespace or Python scalars")
            }
            Accepts::ArrayOrDType(_) => add(&rule::NOT_A_DTYPE, "is neither an array nor a dtype of this namespace"),
            Accepts::CountOrArray(_) => {
                add(&rule::NOT_AN_INT, "is neither an int nor an array of this namespace");
            }
            Accepts::Scalar(kinds) | Accepts::ScalarOrNone(kinds) => {
                add(&rule::NOT_A_SCALAR, &format!("is not a Python scalar ({})", kinds.describe()));
                add(&rule::SCALAR_RANGE, "is out of range");
            }
            Accepts::Int => add(&rule::NOT_AN_INT, "is not an int"),
            Accepts::Count | Accepts::CountOrNone => {
                add(&rule::NOT_AN_INT, "is not an int");
                add(&rule::VALUE, "is negative");
            }
            Accepts::Axis | Accepts::AxisOrNone => {
                add(&rule::NOT_AN_INT, "is not an int");
                add(&rule::AXIS, "is out of bounds");
            }
            Accepts::Bool | Accepts::BoolOrNone => add(&rule::NOT_A_BOOL, "is not a bool"),
            Accepts::Shape => {
                add(&rule::SHAPE_TYPE, "is neither an int nor a tuple of ints");
                add(&rule::SHAPE_NEGATIVE, "has a negative size");
                add(&rule::NDIM, "has more than 64 sizes");
                add(&rule::SHAPE_TOO_LARGE, "is too large for the address space");
                add(&rule::MEMORY, "is too large for the memory");
            }
            Accepts::IntOrInts => add(&rule::NOT_AN_INT, "is neither an int nor a tuple of ints"),
            Accepts::Axes | Accepts::AxesOrNone => {
                add(&rule::AXES_TYPE, "is neither an int nor a tuple of ints");
                add(&rule::AXIS, "is out of bounds");
                if !several_times {
                    add(&rule::AXIS_REPEATED, "names an axis twice");
                }
            }
            Accepts::AxisSequenceOrNone | Accepts::AxesOrSequenceOrNone => {
                let int = if p.accepts == Accepts::AxesOrSequenceOrNone { "neither an int nor" } else { "not" };
                add(&rule::AXES_TYPE, &format!("is {int} a sequence of ints"));
                add(&rule::AXIS, "is out of bounds");
                add(&rule::AXIS_REPEATED, "names an axis twice");
            }
            Accepts::IntSequenceOrNone => {
                add(&rule::AXES_TYPE, "is not a sequence");
                add(&rule::NOT_AN_INT, "has items that are not ints");
            }
            Accepts::AllAxes => {
                add(&rule::NOT_A_TUPLE, "is not a tuple");
                add(&rule::AXES_TYPE, "has items that are not ints");
                add(&rule::AXIS, "is out of bounds");
                add(&rule::AXIS_REPEATED, "names an axis twice");
            }
            Accepts::Ints | Accepts::Sizes => add(&rule::NOT_A_TUPLE, "is not a tuple"),
            Accepts::Shapes => add(&rule::NOT_A_TUPLE, "are not all tuples"),
            Accepts::AxesPair => add(&rule::AXES_TYPE, "is neither an int nor a tuple of two sequences of ints"),
            Accepts::DType(_) | Accepts::DTypeOrNone(_) => add(&rule::NOT_A_DTYPE, "is not a dtype of this namespace"),
            Accepts::DTypeKinds => {
                add(&rule::NOT_A_DTYPE, "is neither a dtype of this namespace nor a str");
                add(&rule::NOT_A_CHOICE, "is another text");
            }
            Accepts::DeviceOrNone => add(&rule::NOT_A_DEVICE, "is not a device of this namespace"),
            Accepts::Choice(_) => add(&rule::NOT_A_CHOICE, "is anything else"),
            Accepts::ScalarOrChoice(kinds, _) => {
                add(&rule::NOT_A_SCALAR, &format!("is neither a Python scalar ({}) nor a str", kinds.describe()));
                add(&rule::NOT_A_CHOICE, "is another text");
                add(&rule::SCALAR_RANGE, "is out of range");
            }
            Accepts::Sequence => {
                add(&rule::ASARRAY_OBJECT, "is or holds something else");
                add(&rule::ASARRAY_RAGGED, "has sequences of different lengths side by side");
            }
            Accepts::Exporter => add(&rule::DLPACK_NO_PROTOCOL, "does not have these methods"),
        }
        match p.accepts {
            Accepts::Array(set)
            | Accepts::ArrayOrNone(set)
            | Accepts::Arrays(set)
            | Accepts::ArrayOrScalar(set)
            | Accepts::ArrayOrScalarOrNone(set)
            | Accepts::CountOrArray(set)
            | Accepts::ArraySequence(set)
                if set != DTypeSet::ALL =>
            {
                add(&rule::DTYPE_KIND, &format!("has a dtype that is not {}", set.describe()));
            }
            Accepts::DType(set) | Accepts::DTypeOrNone(set) | Accepts::ArrayOrDType(set) if set != DTypeSet::ALL => {
                add(&rule::DTYPE_ARGUMENT, &format!("is not {}", set.describe()));
            }
            _ => {}
        }
    }

    /// What depends on several arguments.
    fn together(&mut self, f: &Function) {
        let mut add = |rule, when: &str| self.push(rule, None, when);
        let beside: Vec<DTypeSet> = f.params.iter().filter_map(beside_scalars).collect();
        let alone = f.params.iter().filter(|p| matches!(p.accepts, Accepts::ArrayOrScalar(_))).count() < 2;
        if let Some(set) = beside.first() {
            add(&rule::SCALAR_KIND, "a Python scalar is not of the kind of the array");
            if *set != DTypeSet::BOOL {
                add(&rule::SCALAR_RANGE, "a Python scalar is out of the range of the dtype");
            }
        }
        if !alone {
            add(&rule::ONLY_SCALARS, "there are scalars only");
        }
        // Real and complex floating-point numbers promote to one another.
        let mixed = |set: &DTypeSet| !set.without(DTypeSet::FLOATING).is_empty() && *set != DTypeSet::BOOL;
        let kinds = f.params.iter().any(|p| mixed(&p.accepts.dtypes()));
        if beside.iter().any(mixed) || f.result == ResultDType::Promoted && beside.is_empty() && kinds {
            add(&rule::PROMOTION, "the dtypes do not promote to a common one");
        }
        if f.arrays() > 1 {
            add(&rule::DEVICE_MIXED, "the arrays are on different devices");
            if f.shape == ShapeRule::Broadcast {
                add(&rule::BROADCAST, "the shapes do not broadcast");
            }
        }
        let dtype = f.params.iter().any(|p| matches!(p.accepts, Accepts::DType(_) | Accepts::DTypeOrNone(_)));
        let device = f.params.iter().any(|p| matches!(p.accepts, Accepts::DeviceOrNone));
        if f.shape != ShapeRule::NoArray && (dtype || device) {
            add(&rule::DEVICE_DTYPE, "the device does not have the dtype");
        }
    }
}

/// The data types of an argument that may be a Python scalar.
fn beside_scalars(p: &Param) -> Option<DTypeSet> {
    match p.accepts {
        Accepts::ArrayOrScalar(set) | Accepts::ArrayOrScalarOrNone(set) => Some(set),
        _ => None,
    }
}

/// The arguments in words: "x", "x or y", "x, y or z".
fn alternatives(arguments: &[&str]) -> String {
    match arguments {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => arguments.concat(),
    }
}

impl Open {
    /// What is left open, in words; empty for nothing.
    pub fn describe(self) -> String {
        let words: Vec<&str> =
            Open::EACH.iter().filter(|(open, ..)| self.contains(*open)).map(|(.., words)| *words).collect();
        words.join(", ")
    }
}
