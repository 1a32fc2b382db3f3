//! Reads keywords from a schema document.

use plumb_value::{ArrayItem, Map, Node};

use crate::Keyword;

impl Keyword {
    /// Returns the value of the keyword in a schema, or `None` if it is missing.
    pub fn of(self, schema: &Map) -> Option<&Node> {
        schema.get_str(self.name())
    }

    /// Returns the value of the keyword in a node, or `None` if the node is not a map or lacks the
    /// keyword.
    pub fn within(self, schema: &Node) -> Option<&Node> {
        self.of(schema.as_map()?)
    }

    /// Returns whether a schema has the keyword.
    pub fn is_in(self, schema: &Map) -> bool {
        self.of(schema).is_some()
    }

    /// Whether the value of the keyword is `true`.
    pub fn is_on(self, schema: &Map) -> bool {
        matches!(self.of(schema), Some(Node::Bool(true)))
    }

    /// Returns the keyword's value if it is a string, otherwise `None`.
    pub fn text(self, schema: &Map) -> Option<&str> {
        self.of(schema)?.as_str()
    }

    /// Returns the keyword's value if it is a map, otherwise `None`.
    pub fn map(self, schema: &Map) -> Option<&Map> {
        self.of(schema)?.as_map()
    }

    /// Returns the items of the keyword's list; empty if its value is missing or not a list.
    pub fn items(self, schema: &Map) -> &[ArrayItem] {
        self.of(schema).and_then(Node::as_array).map(|it| it.items.as_slice()).unwrap_or_default()
    }

    /// Returns the strings in the keyword's list. Items of other types are skipped.
    pub fn texts(self, schema: &Map) -> impl Iterator<Item = &str> {
        self.items(schema).iter().filter_map(|it| it.node.as_str())
    }

    /// Returns the keyword's value as an integer that is not negative, even if it is written as
    /// `1.0`. Returns `None` if it is missing or is not such a number.
    pub fn count(self, schema: &Map) -> Option<u64> {
        count(self.of(schema)?)
    }

    /// Returns whether a rule of this keyword applies to values of this kind: rules about numbers
    /// do not apply to strings, and vice versa.
    pub(crate) fn is_about(self, node: &Node) -> bool {
        match self {
            Self::MinLength | Self::MaxLength | Self::Format => matches!(node, Node::String(_)),
            Self::MinItems | Self::MaxItems | Self::UniqueItems => matches!(node, Node::Array(_)),
            Self::MinProperties | Self::MaxProperties => matches!(node, Node::Map(_)),
            Self::Minimum
            | Self::Maximum
            | Self::ExclusiveMinimum
            | Self::ExclusiveMaximum
            | Self::MultipleOf => matches!(node, Node::Int(_) | Node::UInt(_) | Node::Float(_)),
            _ => true,
        }
    }
}

/// Returns an integer that is not negative, even if it is written as `1.0`.
pub(crate) fn count(value: &Node) -> Option<u64> {
    match value {
        Node::Int(n) => u64::try_from(*n).ok(),
        Node::UInt(n) => Some(*n),
        #[expect(clippy::cast_possible_truncation, reason = "a whole number of this size fits")]
        #[expect(clippy::cast_sign_loss, reason = "it is not negative")]
        Node::Float(n) if n.fract() == 0.0 && (0.0..1e15).contains(n) => Some(*n as u64),
        _ => None,
    }
}
