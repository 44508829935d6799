//! The Python face of strictarray.
