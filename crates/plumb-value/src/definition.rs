//! The definitions of annotations: each crate that reads annotations has a table of them.
//!
//! `plumb-library` combines the tables. They are used to report unknown names in templates, and to
//! show annotations in editors.

/// An annotation that a stage reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnnotationDefinition {
    /// The name without its `@`, such as `overlay/match`.
    pub name: &'static str,
    /// Which arguments it reads.
    pub reads: Reads,
    /// The arguments as documentation shows them, such as `by=…, expects=…`.
    pub arguments: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
}

/// The arguments that an annotation reads. Other arguments have no effect, so they are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// None.
    Nothing,
    /// Positional arguments. The code that reads them checks them.
    Positional,
    /// Keyword arguments. The code that reads them checks their names.
    Keywords,
    /// Only these keywords.
    Only(&'static [&'static str]),
    /// All arguments. The code that reads them checks them.
    All,
    /// Like `All`, but positional arguments are names of annotations.
    AnnotationNames,
}

impl AnnotationDefinition {
    /// Defines an annotation without arguments.
    pub const fn bare(name: &'static str, summary: &'static str) -> Self {
        Self { name, reads: Reads::Nothing, arguments: "", summary }
    }

    /// Defines an annotation with arguments.
    pub const fn new(
        name: &'static str,
        reads: Reads,
        arguments: &'static str,
        summary: &'static str,
    ) -> Self {
        Self { name, reads, arguments, summary }
    }

    /// Returns the annotation with its arguments, as it is written: `@schema/title text`.
    pub fn signature(&self) -> String {
        format!("@{} {}", self.name, self.arguments).trim_end().to_owned()
    }

    /// Returns the part of the name before the slash.
    pub fn namespace(&self) -> Option<&'static str> {
        self.name.split_once('/').map(|(namespace, _)| namespace)
    }
}
