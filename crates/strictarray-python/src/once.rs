//! Values that are made at the first use.
//!
//! `PyOnceLock` lets go of the interpreter's lock while it holds its own: where another thread forks the process meanwhile,
//! nobody in the child ever opens that again, and the first use there hangs. What is here is filled in one step, under the
//! interpreter's lock (where Python has one), without which no thread of Python forks. What makes a value may therefore run on
//! two threads, and must do nothing else.

use std::sync::OnceLock;

use pyo3::prelude::*;

/// A value that is made at the first use, or by the first few of them at once: then one counts, and the others are dropped.
pub(crate) struct Once<T>(OnceLock<T>);

impl<T> Once<T> {
    pub(crate) const fn new() -> Once<T> {
        Once(OnceLock::new())
    }

    /// The value, if it was made.
    #[inline]
    pub(crate) fn get(&self, _py: Python<'_>) -> Option<&T> {
        self.0.get()
    }

    /// The value. What makes it may run Python code, and so let other threads come between.
    #[inline]
    pub(crate) fn get_or_init(&self, py: Python<'_>, make: impl FnOnce() -> T) -> &T {
        match self.get(py) {
            Some(value) => value,
            None => self.fill(py, make()),
        }
    }

    /// The same where making it may fail: then it is made again next time.
    #[inline]
    pub(crate) fn get_or_try_init<E>(&self, py: Python<'_>, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        match self.get(py) {
            Some(value) => Ok(value),
            None => Ok(self.fill(py, make()?)),
        }
    }

    #[cold]
    fn fill(&self, _py: Python<'_>, made: T) -> &T {
        self.0.get_or_init(|| made)
    }
}

/// A string of Python's that is made once.
macro_rules! interned {
    ($py:expr, $text:literal) => {{
        static TEXT: $crate::once::Once<pyo3::Py<pyo3::types::PyString>> = $crate::once::Once::new();
        let py: pyo3::Python<'_> = $py;
        TEXT.get_or_init(py, || pyo3::types::PyString::intern(py, $text).unbind()).bind(py)
    }};
}
pub(crate) use interned;
