//! Keywords as a document has them.

use plumb_value::{ArrayItem, Map, Node};

use crate::Keyword;

impl Keyword {
    /// The value of the keyword in a schema.
    pub fn of(self, schema: &Map) -> Option<&Node> {
        schema.get_str(self.name())
    }

    /// The value of the keyword in a node, if that is a schema and has it.
    pub fn within(self, schema: &Node) -> Option<&Node> {
        self.of(schema.as_map()?)
    }

    pub fn is_in(self, schema: &Map) -> bool {
        self.of(schema).is_some()
    }

    /// Whether the value of the keyword is `true`.
    pub fn is_on(self, schema: &Map) -> bool {
        matches!(self.of(schema), Some(Node::Bool(true)))
    }

    pub fn text(self, schema: &Map) -> Option<&str> {
        self.of(schema)?.as_str()
    }

    pub fn map(self, schema: &Map) -> Option<&Map> {
        self.of(schema)?.as_map()
    }

    /// The items of the keyword's list; empty if it has none.
    pub fn items(self, schema: &Map) -> &[ArrayItem] {
        self.of(schema).and_then(Node::as_array).map(|it| it.items.as_slice()).unwrap_or_default()
    }

    /// The strings in the keyword's list.
    pub fn texts(self, schema: &Map) -> impl Iterator<Item = &str> {
        self.items(schema).iter().filter_map(|it| it.node.as_str())
    }

    /// The keyword's value as a whole number that is not negative, however it is written.
    pub fn count(self, schema: &Map) -> Option<u64> {
        count(self.of(schema)?)
    }
}

/// A whole number that is not negative, however it is written.
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
