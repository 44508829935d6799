//! The rows against `data/standard.json`, which lists the names and signatures of every version of the standard.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed unwrap is a failed test")]

use std::collections::BTreeSet;

use serde_json::Value;
use strictarray_standard::{
    ARRAY_ATTRIBUTES, Extension, Extensions, ParamKind, Version, functions, functions_of, methods,
};

fn standard() -> Value {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/data/standard.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn key(version: Version) -> &'static str {
    if version == Version::V2026_12 { "draft" } else { version.as_str() }
}

type Signature = Vec<(String, String, Option<String>)>;

fn signature(of: &Value) -> Signature {
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    of.as_array().unwrap().iter().map(|p| (text(&p["name"]), text(&p["kind"]), p.get("default").map(text))).collect()
}

#[test]
fn functions_have_the_signature_of_each_version_that_has_them() {
    let all = standard();
    for f in functions() {
        for version in Version::ALL {
            let entry = match f.extension() {
                None => all[key(version)]["functions"].get(f.name),
                Some(extension) => all[key(version)]["extensions"][extension.name()].get(f.attribute()),
            };
            assert_eq!(entry.is_some(), version >= f.since, "{} in {version}", f.name);
            let Some(entry) = entry else { continue };
            assert_eq!(entry["category"], f.category_in(version).data_name(), "{} in {version}", f.name);
            let ours: Signature = f
                .params
                .iter()
                .filter(|p| p.since <= version)
                .map(|p| (p.name.to_owned(), p.kind.as_str().to_owned(), p.default.map(str::to_owned)))
                .collect();
            assert_eq!(ours, signature(&entry["parameters"]), "{} in {version}", f.name);
        }
    }
}

#[test]
fn functions_of_extensions_are_named_by_them() {
    for f in functions() {
        let prefix = f.extension().map_or(String::new(), |extension| format!("{}.", extension.name()));
        assert_eq!(f.name, format!("{prefix}{}", f.attribute()));
        assert!(f.extension().is_none_or(|extension| f.since >= extension.since()), "{}", f.name);
    }
}

#[test]
fn every_function_of_every_version_is_there() {
    let all = standard();
    for version in Version::ALL {
        let names = |of: Option<Extension>| -> BTreeSet<&str> {
            functions_of(of).filter(|f| f.since <= version).map(|f| f.attribute()).collect()
        };
        let theirs = |of: &'static str, all: &Value| -> BTreeSet<String> {
            all[of].as_object().unwrap().keys().cloned().collect()
        };
        let all = &all[key(version)];
        assert!(names(None).into_iter().eq(&theirs("functions", all)), "{version}");
        for extension in Extension::ALL {
            let there = all["extensions"].get(extension.name()).is_some();
            assert_eq!(there, extension.since() <= version, "{} in {version}", extension.name());
            assert_eq!(there, Extensions::of_version(version).contains(extension));
            if there {
                assert!(names(Some(extension)).into_iter().eq(&theirs(extension.name(), &all["extensions"])));
            }
        }
    }
}

#[test]
fn every_method_of_every_version_is_there_with_its_signature() {
    let all = standard();
    for version in Version::ALL {
        let theirs = all[key(version)]["array_methods"].as_object().unwrap();
        let ours: Vec<_> = methods().filter(|m| m.since <= version).map(|m| m.name).collect();
        let mut names: Vec<_> = theirs.keys().map(String::as_str).collect();
        names.sort_unstable();
        let mut sorted = ours.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, names, "{version}");
    }
    let draft = all["draft"]["array_methods"].as_object().unwrap();
    for m in methods() {
        let ours: Signature =
            m.params.iter().map(|(n, k, d)| ((*n).to_owned(), k.as_str().to_owned(), d.map(str::to_owned))).collect();
        assert_eq!(ours, signature(&draft[m.name]), "{}", m.name);
    }
}

#[test]
fn attributes_came_with_their_versions() {
    let all = standard();
    for version in Version::ALL {
        let mut theirs: Vec<_> = all[key(version)]["array_attributes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|a| a.as_str().unwrap().to_owned())
            .collect();
        theirs.sort_unstable();
        let mut ours: Vec<_> =
            ARRAY_ATTRIBUTES.iter().filter(|(_, since)| *since <= version).map(|(n, _)| (*n).to_owned()).collect();
        ours.sort_unstable();
        assert_eq!(ours, theirs, "{version}");
    }
}

/// The text with one space between words.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn operators_name_a_function_that_exists_and_rows_are_complete() {
    for m in methods() {
        if let Some(name) = m.function {
            let f = strictarray_standard::function(name).unwrap_or_else(|| panic!("{}: no row {name}", m.name));
            assert_eq!(f.params.len(), m.params.len() + 1, "{}", m.name);
        }
    }
    for f in functions() {
        assert!(f.summary.ends_with('.') && f.returns.ends_with('.') && f.example.starts_with(">>> "), "{}", f.name);
        assert!(f.params.iter().all(|p| !p.doc.is_empty() && !p.doc.ends_with('.')), "{}", f.name);
        let variadic = f.params.iter().filter(|p| p.kind == ParamKind::VarPositional).count();
        assert!(variadic <= 1 && words(&f.docstring()).starts_with(&words(f.summary)), "{}", f.name);
    }
}
