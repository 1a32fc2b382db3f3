//! Where a value came from.

use crate::Span;

/// Where a value came from. A value derived from another keeps the first origin, so that the last
/// overlay still points to the line that the user typed.
///
/// Values of flags and of the environment are [`Written`](Self::Written), in a source of their own
/// kind (see [`SourceKind`](crate::SourceKind)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Written by a person, at this place.
    Written(Span),
    /// The result of the expression at this place.
    Computed(Span),
    /// Filled in from the schema node at this place.
    Default(Span),
    /// Made by code that has no place of its own, such as a decoded string.
    #[default]
    Unknown,
}

impl Origin {
    /// Returns whether the value is the result of an expression.
    pub fn is_computed(self) -> bool {
        matches!(self, Self::Computed(_))
    }

    /// Returns the place that a finding should point to. Returns `None` if the origin is unknown.
    pub fn span(self) -> Option<Span> {
        match self {
            Self::Written(span) | Self::Computed(span) | Self::Default(span) => Some(span),
            Self::Unknown => None,
        }
    }
}

impl From<Origin> for Option<Span> {
    fn from(origin: Origin) -> Self {
        origin.span()
    }
}
