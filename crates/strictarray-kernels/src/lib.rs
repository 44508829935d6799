//! The math of strictarray on buffers and layouts.
