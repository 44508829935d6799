//! What later versions added, against `data/behaviour.json`, which the tests in Python run row by row.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use serde_json::Value;
use strictarray_standard::{ADDITIONS, Feature, Function, REMOVALS, Version, added, function, method, removed};

fn rows() -> Vec<Value> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/data/behaviour.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap().as_array().unwrap().clone()
}

fn of<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap()
}

/// Changes of results, which nothing refuses and no table decides: both versions of vecdot's axis, attributes, exceptions.
const BY_HAND: [(&str, &str, &str); 20] = [
    ("__dlpack__", "exceptions", "2022.12"),
    ("vecdot", "negative", "2023.12"),
    ("vecdot", "conjugate", "2022.12"),
    ("searchsorted", "side", "2024.12"),
    ("clip", "nan", "2024.12"),
    ("can_cast", "device", "2024.12"),
    ("result_type", "device", "2024.12"),
    ("finfo", "dtype", "2022.12"),
    ("iinfo", "dtype", "2022.12"),
    ("from_dlpack", "exceptions", "2023.12"),
    ("fft.fftfreq", "dtype", "2023.12"),
    ("fft.rfftfreq", "dtype", "2023.12"),
    ("fft.irfft", "dtype", "2023.12"),
    ("fft.irfftn", "dtype", "2023.12"),
    ("linalg.cross", "negative", "2023.12"),
    ("linalg.matrix_rank", "dtype", "2022.12"),
    ("linalg.solve", "vector", "2024.12"),
    ("linalg.trace", "default", "2022.12"),
    ("linalg.vecdot", "conjugate", "2022.12"),
    ("linalg.vecdot", "negative", "2023.12"),
];

#[test]
fn every_row_is_an_addition_or_an_argument_that_came_later() {
    let (mut seen, mut removals, mut by_hand) = (0, 0, Vec::new());
    for row in rows() {
        let (name, id, version) = (of(&row, "function"), of(&row, "id"), of(&row, "version"));
        let there = function(name).is_some() || method(name).is_some() || name == "__iter__";
        assert!(there, "{name}");
        if let Some(known) = BY_HAND.iter().find(|known| **known == (name, id, version)) {
            by_hand.push(*known);
            continue;
        }
        seen += 1;
        let version = version.parse::<Version>().unwrap();
        let came = |f: &&Function| f.params.iter().any(|p| p.name == id && p.since > f.since && p.since == version);
        if function(name).is_some_and(|f| came(&f)) {
            continue;
        }
        if let Some(removal) = REMOVALS.iter().find(|r| r.functions.contains(&name) && r.since == version) {
            // The row speaks of what is left.
            assert_eq!((removal.feature, id), (Feature::Real, "complex"), "{name}");
            removals += 1;
            continue;
        }
        let feature = Feature::ALL.into_iter().find(|f| f.id() == id);
        assert_eq!(feature.map(|f| added(name, f)), Some(version), "{name}: {id}");
    }
    assert_eq!(removals, REMOVALS.iter().map(|r| r.functions.len()).sum::<usize>());
    assert!(seen > 100, "{seen} rows");
    assert!(BY_HAND.iter().all(|known| by_hand.contains(known)), "{by_hand:?}");
}

#[test]
fn what_is_taken_away_was_there() {
    for removal in REMOVALS {
        for name in removal.functions {
            assert!(function(name).is_some_and(|f| f.since < removal.since), "{name}");
            assert_eq!(removed(name, removal.feature), Some(removal.since));
            assert!(added(name, removal.feature) < removal.since);
        }
    }
    assert_eq!(removed("add", Feature::Real), None);
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
