//! The types of JSON, and sets of them.

use plumb_value::{Node, NodeKind};

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Types(u8);

impl Types {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// Only null.
    pub const NULL: Self = Self(1);
    /// Only booleans.
    pub const BOOLEAN: Self = Self(2);
    /// Only integers.
    pub const INTEGER: Self = Self(4);
    /// All numbers.
    pub const NUMBER: Self = Self(8);
    /// Only strings.
    pub const STRING: Self = Self(16);
    /// Only maps, which JSON Schema calls `object`.
    pub const MAP: Self = Self(32);
    /// Only arrays.
    pub const ARRAY: Self = Self(64);
    /// Set if `1.0` is not an integer, as in draft 4.
    const EXACT: Self = Self(128);

    const NAMED: [(Self, &'static str, &'static str); 7] = [
        (Self::BOOLEAN, "boolean", "a boolean"),
        (Self::INTEGER, "integer", "an integer"),
        (Self::NUMBER, "number", "a number"),
        (Self::STRING, "string", "a string"),
        (Self::MAP, "object", "a map"),
        (Self::ARRAY, "array", "an array"),
        (Self::NULL, "null", "null"),
    ];

    /// Returns the type with this name; the empty set if the name is not known.
    pub fn of_name(name: &str) -> Self {
        let named = Self::NAMED.iter().find(|(_, it, _)| *it == name);
        named.map_or(Self::NONE, |(types, _, _)| *types)
    }

    /// Returns the types that the value of `type` names. Names that are not known are skipped.
    /// Returns `None` if the value is neither a string nor an array.
    pub fn of(value: &Node) -> Option<Self> {
        match value {
            Node::String(name) => Some(Self::of_name(name.as_str()?)),
            Node::Array(names) => {
                let names = names.items.iter().filter_map(|it| it.node.as_str());
                Some(names.fold(Self::NONE, |all, name| all.with(Self::of_name(name))))
            }
            _ => None,
        }
    }

    /// The union of both sets.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The same types, but `1.0` is not an integer.
    #[must_use]
    pub fn exact(self) -> Self {
        self.with(Self::EXACT)
    }

    /// Returns whether the sets have a type in common.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether the set has no types.
    pub fn is_empty(self) -> bool {
        self.0 & !Self::EXACT.0 == 0
    }

    /// Returns whether a value has one of the types.
    pub fn has_type_of(self, node: &Node) -> bool {
        match node {
            Node::Null => self.has(Self::NULL),
            Node::Bool(_) => self.has(Self::BOOLEAN),
            Node::Int(_) | Node::UInt(_) => self.has(Self::INTEGER) || self.has(Self::NUMBER),
            Node::Float(value) => {
                self.has(Self::NUMBER)
                    || self.has(Self::INTEGER) && !self.has(Self::EXACT) && value.fract() == 0.0
            }
            Node::String(_) => self.has(Self::STRING),
            Node::Map(_) => self.has(Self::MAP),
            Node::Array(_) => self.has(Self::ARRAY),
        }
    }

    /// The names of the types.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMED.into_iter().filter(move |(it, _, _)| self.has(*it)).map(|(_, name, _)| name)
    }

    /// The types in a sentence: `an integer or a string`.
    pub fn words(self) -> String {
        let names = Self::NAMED.iter().filter(|(it, _, _)| self.has(*it)).map(|(_, _, it)| *it);
        names.collect::<Vec<_>>().join(" or ")
    }
}

/// Returns the name of the type of values of a kind.
pub fn type_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Null => "null",
        NodeKind::Boolean => "boolean",
        NodeKind::Integer => "integer",
        NodeKind::Float => "number",
        NodeKind::String => "string",
        NodeKind::Map => "object",
        NodeKind::Array => "array",
    }
}

/// Returns the kind of values that have the type with this name, or `None` if the name is not
/// known.
pub fn kind_of_type(name: &str) -> Option<NodeKind> {
    use NodeKind::{Array, Boolean, Float, Integer, Map, Null, String};
    [Null, Boolean, Integer, Float, String, Map, Array]
        .into_iter()
        .find(|it| type_name(*it) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_fractions_are_integers_except_in_draft_4() {
        assert!(Types::INTEGER.has_type_of(&Node::Float(1.0)));
        assert!(!Types::INTEGER.has_type_of(&Node::Float(1.5)));
        assert!(!Types::INTEGER.exact().has_type_of(&Node::Float(1.0)));
        assert!(Types::NONE.exact().is_empty());
        assert_eq!(Types::STRING.with(Types::INTEGER).words(), "an integer or a string");
    }
}
