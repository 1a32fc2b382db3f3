//! The kind of value that rules are about, as far as it is known.

use plumb_value::NodeKind;

/// What kind of value the rules are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Boolean,
    Integer,
    Float,
    String,
    Map,
    Array,
    /// A number or a text, as Kubernetes has them for ports and amounts.
    IntegerOrString,
    Any,
}

impl ValueKind {
    /// What values of any of these kinds have in common.
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

    /// The kind, if there is one only.
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
