//! How a library is evaluated.

/// How the files of a library are read and checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct LibraryOptions {
    /// Whether only the strict subset of YAML is accepted.
    pub is_strict: bool,
    /// Whether comments without `#@` and `#!` are ignored instead of being an error.
    pub ignores_unknown_comments: bool,
    /// Whether a duplicate key replaces the earlier one instead of being an error.
    pub overrides_map_keys: bool,
    /// Whether rules on data values are skipped; types are always checked.
    pub skips_validation: bool,
    /// Whether rules on output documents are skipped.
    pub skips_output_validation: bool,
}
