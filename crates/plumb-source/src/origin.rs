//! The origin of a value.

use crate::Span;

/// The origin of a value. A value that is derived from another one keeps the first origin, so that
/// a finding points to the line that the user wrote, even after several overlays.
///
/// Values of flags and of the environment are [`Written`](Self::Written), in a source of a special
/// kind (see [`SourceKind`](crate::SourceKind)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Written by a person, at this place.
    Written(Span),
    /// The result of the expression at this place.
    Computed(Span),
    /// Filled in from the schema node at this place.
    Default(Span),
    /// Created by code without a place, such as a decoded string.
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
