//! The inspection API.

use crate::{Category, Function, Open, ResultDType, ShapeRule, Version};

pub(super) static ROWS: &[Function] = &[Function {
    name: "__array_namespace_info__",
    category: Category::Info,
    params: &[],
    since: Version::V2023_12,
    shape: ShapeRule::NoArray,
    result: ResultDType::NoArray,
    open: Open::NOTHING,
    refuses: &[],
    special: "",
    summary: "What this namespace can do: its devices, data types, defaults and optional features.",
    returns: "object with capabilities(), default_device(), default_dtypes(device=), devices() and dtypes(device=, kind=).",
    example: ">>> xp.__array_namespace_info__().default_device()\nstrictarray.Device('CPU_DEVICE')",
}];
