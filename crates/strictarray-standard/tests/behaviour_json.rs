//! What later versions added, against `data/behaviour.json`, which the tests in Python run row by row.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use serde_json::Value;
use strictarray_standard::{ADDITIONS, Feature, Version, added, function, method};

fn rows() -> Vec<Value> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/data/behaviour.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap().as_array().unwrap().clone()
}

fn of<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap()
}

/// Changes of results, which nothing refuses and no table decides: both versions of vecdot's axis, attributes, exceptions.
const BY_HAND: [(&str, &str); 10] = [
    ("__dlpack__", "exceptions"),
    ("vecdot", "negative"),
    ("vecdot", "conjugate"),
    ("searchsorted", "side"),
    ("clip", "nan"),
    ("can_cast", "device"),
    ("result_type", "device"),
    ("finfo", "dtype"),
    ("iinfo", "dtype"),
    ("from_dlpack", "exceptions"),
];

#[test]
fn every_row_is_an_addition_or_an_argument_that_came_later() {
    let (mut seen, mut by_hand) = (0, Vec::new());
    for row in rows() {
        let (name, id, version) = (of(&row, "function"), of(&row, "id"), of(&row, "version"));
        let there = function(name).is_some() || method(name).is_some() || name == "__iter__";
        if !there {
            // The extensions have no rows yet.
            assert!(name.starts_with("linalg.") || name.starts_with("fft."), "{name}");
            continue;
        }
        if let Some(known) = BY_HAND.iter().find(|known| **known == (name, id)) {
            by_hand.push(*known);
            continue;
        }
        seen += 1;
        let version = version.parse::<Version>().unwrap();
        if let Some(param) = function(name).and_then(|f| f.params.iter().find(|p| p.name == id && p.since > f.since)) {
            assert_eq!(param.since, version, "{name}: {id}");
            continue;
        }
        let feature = Feature::ALL.into_iter().find(|f| f.id() == id);
        assert_eq!(feature.map(|f| added(name, f)), Some(version), "{name}: {id}");
    }
    assert!(seen > 100, "{seen} rows");
    assert!(BY_HAND.iter().all(|known| by_hand.contains(known)), "{by_hand:?}");
}

#[test]
fn every_addition_is_a_row() {
    let rows = rows();
    for addition in ADDITIONS {
        // The binding asks nothing of the table under the default version.
        assert!(addition.since <= Version::DEFAULT);
        for name in addition.functions {
            let found = rows.iter().any(|row| {
                (of(row, "function"), of(row, "id"), of(row, "version"))
                    == (*name, addition.feature.id(), addition.since.as_str())
            });
            assert!(found, "{name}: {}", addition.feature.id());
            assert_eq!(added(name, addition.feature), addition.since, "{name} stands in two additions");
        }
    }
}
