//! The array object: methods and the operators' functions.

use crate::{ParamKind, Version};

/// A method of the array object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// The name.
    pub name: &'static str,
    /// The parameters after `self`: name, kind, default.
    pub params: &'static [(&'static str, ParamKind, Option<&'static str>)],
    /// The version that brought it.
    pub since: Version,
    /// The function whose row and kernel an operator uses.
    pub function: Option<&'static str>,
    /// The name of its in-place and reflected forms without the underscores ("add"), for binary operators that have them.
    pub forms: Option<&'static str>,
}

const fn plain(name: &'static str, params: &'static [(&'static str, ParamKind, Option<&'static str>)]) -> Method {
    Method { name, params, since: Version::V2021_12, function: None, forms: None }
}

const OTHER: &[(&str, ParamKind, Option<&str>)] = &[("other", ParamKind::PositionalOnly, None)];
const KEY: (&str, ParamKind, Option<&str>) = ("key", ParamKind::PositionalOnly, None);

const fn unary(name: &'static str, function: &'static str) -> Method {
    Method { function: Some(function), ..plain(name, &[]) }
}

const fn compare(name: &'static str, function: &'static str) -> Method {
    Method { function: Some(function), ..plain(name, OTHER) }
}

const fn binary(name: &'static str, form: &'static str, function: &'static str) -> Method {
    Method { function: Some(function), forms: Some(form), ..plain(name, OTHER) }
}

use ParamKind::{KeywordOnly as Kw, PositionalOnly as Pos};

static METHODS: &[Method] = &[
    unary("__abs__", "abs"),
    binary("__add__", "add", "add"),
    binary("__and__", "and", "bitwise_and"),
    plain("__array_namespace__", &[("api_version", Kw, Some("None"))]),
    plain("__bool__", &[]),
    Method { since: Version::V2022_12, ..plain("__complex__", &[]) },
    plain(
        "__dlpack__",
        &[
            ("stream", Kw, Some("None")),
            ("max_version", Kw, Some("None")),
            ("dl_device", Kw, Some("None")),
            ("copy", Kw, Some("None")),
        ],
    ),
    plain("__dlpack_device__", &[]),
    compare("__eq__", "equal"),
    plain("__float__", &[]),
    binary("__floordiv__", "floordiv", "floor_divide"),
    compare("__ge__", "greater_equal"),
    plain("__getitem__", &[KEY]),
    compare("__gt__", "greater"),
    plain("__index__", &[]),
    plain("__int__", &[]),
    unary("__invert__", "bitwise_invert"),
    compare("__le__", "less_equal"),
    binary("__lshift__", "lshift", "bitwise_left_shift"),
    compare("__lt__", "less"),
    binary("__matmul__", "matmul", "matmul"),
    binary("__mod__", "mod", "remainder"),
    binary("__mul__", "mul", "multiply"),
    compare("__ne__", "not_equal"),
    unary("__neg__", "negative"),
    binary("__or__", "or", "bitwise_or"),
    unary("__pos__", "positive"),
    binary("__pow__", "pow", "pow"),
    binary("__rshift__", "rshift", "bitwise_right_shift"),
    plain("__setitem__", &[KEY, ("value", Pos, None)]),
    binary("__sub__", "sub", "subtract"),
    binary("__truediv__", "truediv", "divide"),
    binary("__xor__", "xor", "bitwise_xor"),
    plain("to_device", &[("device", Pos, None), ("stream", Kw, Some("None"))]),
];

/// The attributes of the array object and the version that brought each.
pub const ARRAY_ATTRIBUTES: [(&str, Version); 8] = [
    ("dtype", Version::V2021_12),
    ("device", Version::V2021_12),
    ("mT", Version::V2021_12),
    ("ndim", Version::V2021_12),
    ("shape", Version::V2021_12),
    ("size", Version::V2021_12),
    ("T", Version::V2021_12),
    ("__dlpack_c_exchange_api__", Version::V2026_12),
];

/// Every method of the array object.
pub fn methods() -> impl Iterator<Item = &'static Method> {
    METHODS.iter()
}

/// The row of this method.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|m| m.name == name)
}
