//! Declared types: defaults, conformance and export.
