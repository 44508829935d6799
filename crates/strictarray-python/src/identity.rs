//! The names that namespaces go by.
//!
//! One implementation may be known by two names in a process: `strictarray`, and `array_api_strict`, the name that code
//! written for that package asks for. Each has a namespace that follows the flags and one of each version; an array,
//! a data type and a device know which name they are to be called by. They may be mixed, and are the same in all else but
//! for what the stand-in lets pass ([`Relaxation`]).

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use strictarray_core::NamespaceId;
use strictarray_standard::{RELAXATIONS, Relaxation, Version};

/// The name that a namespace, its data types and its devices go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    Strictarray,
    /// The stand-in for `array_api_strict`.
    StandIn,
}

/// How many namespaces an identity has: one that follows the flags, and one of each version.
const EACH: u8 = 1 + Version::ALL.len() as u8;

/// How many namespaces there may be.
pub(crate) const NAMESPACES: usize = Identity::ALL.len() * EACH as usize;

impl Identity {
    pub(crate) const ALL: [Identity; 2] = [Identity::Strictarray, Identity::StandIn];

    /// The name of its module.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Identity::Strictarray => "strictarray",
            Identity::StandIn => "array_api_strict",
        }
    }

    /// The identity of this name.
    pub(crate) fn from_name(name: &str) -> Option<Identity> {
        Self::ALL.into_iter().find(|identity| identity.name() == name)
    }

    /// What its namespace calls its version. The stand-in is as new as the package that it stands in for, for code that
    /// compares versions, and says by a local version which library it is.
    pub(crate) const fn version(self) -> &'static str {
        match self {
            Identity::Strictarray => env!("CARGO_PKG_VERSION"),
            Identity::StandIn => concat!("2.6.1+strictarray.", env!("CARGO_PKG_VERSION")),
        }
    }

    /// Its namespace that follows the flags, or that of a version.
    pub(crate) const fn namespace(self, version: Option<Version>) -> NamespaceId {
        let place = match version {
            None => 0,
            Some(version) => 1 + version as u8,
        };
        NamespaceId(self as u8 * EACH + place)
    }

    /// The identity of a namespace.
    #[inline]
    pub(crate) const fn of(id: NamespaceId) -> Identity {
        if id.0 < EACH { Identity::Strictarray } else { Identity::StandIn }
    }

    /// Whether its namespaces let pass what is in the table of relaxations.
    #[inline]
    pub(crate) fn lenient(self) -> bool {
        self == Identity::StandIn && COMPAT.load(Ordering::Relaxed)
    }

    /// The same of one of them: they are in force together.
    #[inline]
    pub(crate) fn relaxes(self, _what: &'static Relaxation) -> bool {
        self.lenient()
    }
}

/// Whether the stand-in lets pass what suites that were written for array-api-strict rely on.
static COMPAT: AtomicBool = AtomicBool::new(false);

/// Lets the stand-in be as lenient as array-api-strict is in what its users rely on, or not.
#[pyfunction]
#[pyo3(name = "_set_compat")]
pub(crate) fn set_compat(on: bool) {
    COMPAT.store(on, Ordering::Relaxed);
}

/// Whether it is.
#[pyfunction]
#[pyo3(name = "_get_compat")]
pub(crate) fn get_compat() -> bool {
    COMPAT.load(Ordering::Relaxed)
}

/// What that lets pass, as plain Python data.
#[pyfunction]
#[pyo3(name = "_relaxations")]
pub(crate) fn relaxations(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let row = |each: &&Relaxation| {
        let row = PyDict::new(py);
        row.set_item("id", each.id)?;
        row.set_item("lifts", each.lifts.iter().map(|rule| rule.id).collect::<Vec<_>>())?;
        row.set_item("passes", each.passes)?;
        row.set_item("standard", each.standard)?;
        row.set_item("needed_by", each.needed_by)?;
        Ok(row)
    };
    RELAXATIONS.iter().map(row).collect()
}

/// The version of a namespace; `None` for one that follows the flags.
pub(crate) const fn version_of(id: NamespaceId) -> Option<Version> {
    match (id.0 % EACH).checked_sub(1) {
        Some(index) => Version::from_index(index),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_knows_its_identity_and_version() {
        let mut seen = Vec::new();
        for identity in Identity::ALL {
            assert_eq!(Identity::from_name(identity.name()), Some(identity));
            for version in std::iter::once(None).chain(Version::ALL.map(Some)) {
                let id = identity.namespace(version);
                assert_eq!((Identity::of(id), version_of(id)), (identity, version));
                assert!(usize::from(id.0) < NAMESPACES && !seen.contains(&id));
                seen.push(id);
            }
        }
        assert_eq!(seen.len(), NAMESPACES);
        // What the core gives an array that nobody placed.
        assert_eq!(NamespaceId::default(), Identity::Strictarray.namespace(None));
    }
}
