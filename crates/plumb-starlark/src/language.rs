//! The version of the language of a run.

/// The features that programs may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// The dialect of ytt, plus later additions to the specification of Starlark: `removeprefix`
    /// and `removesuffix` of strings, `|` and `|=` of dictionaries, `-`, order and methods of sets,
    /// `bytes`, and structs that are printed with their fields. F-strings come from other dialects,
    /// not from the specification.
    #[default]
    Modern,
    /// Only the features of ytt. Other features are errors, in ytt's words.
    Ytt,
}
