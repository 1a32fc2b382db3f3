//! The kind of value that rules apply to, as far as it is known.

use plumb_value::NodeKind;

/// The kind of value that rules apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Boolean,
    Integer,
    Float,
    String,
    Map,
    Array,
    /// An integer or a string, which Kubernetes uses for ports and quantities.
    IntegerOrString,
    Any,
}

impl ValueKind {
    /// Returns the kind that includes values of all these kinds.
    pub fn of(kinds: &[NodeKind]) -> Self {
        use NodeKind::{Array, Boolean, Float, Integer, Map, String};
        match kinds {
            [Boolean] => Self::Boolean,
            [Integer] => Self::Integer,
            [Float] => Self::Float,
            [String] => Self::String,
            [Map] => Self::Map,
            [Array] => Self::Array,
            [Integer, String] | [String, Integer] => Self::IntegerOrString,
            _ => Self::Any,
        }
    }

    /// Returns the kind of node, or `None` if there are several.
    pub(crate) fn node_kind(self) -> Option<NodeKind> {
        match self {
            Self::Boolean => Some(NodeKind::Boolean),
            Self::Integer => Some(NodeKind::Integer),
            Self::Float => Some(NodeKind::Float),
            Self::String => Some(NodeKind::String),
            Self::Map => Some(NodeKind::Map),
            Self::Array => Some(NodeKind::Array),
            Self::IntegerOrString | Self::Any => None,
        }
    }
}
