//! Which version of the language a run has.

/// What programs may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// The dialect of ytt, and what the specification of Starlark added later: `removeprefix` and
    /// `removesuffix` of strings, `|` and `|=` of dictionaries, `-`, order and methods of sets,
    /// `bytes`, and structs that are printed with their fields. F-strings come from other dialects, not
    /// from the specification.
    #[default]
    Modern,
    /// Only what ytt has: the rest is an error, in ytt's words.
    Ytt,
}
