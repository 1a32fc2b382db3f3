//! Documents, nodes and items.

use std::fmt;
use std::sync::Arc;

use plumb_source::{Origin, Text};

use crate::{Map, Meta, ShownComments};

/// One YAML document.
#[derive(Clone, Debug)]
pub struct Document {
    /// The content.
    pub node: Node,
    /// How the document came to be.
    pub origin: Origin,
    /// Its comments and annotations.
    pub meta: Meta,
    /// Whether the document was added only to contain the comments after the last node. It is never
    /// printed.
    pub is_injected: bool,
    /// Whether overlays were applied to the set of documents that contains this one.
    pub is_overlaid: bool,
    /// Which of its comments are printed with it.
    pub shown_comments: ShownComments,
    /// Comments after its last node.
    pub foot: Meta,
}

/// A scalar, a map or an array. Cloning shares maps and arrays.
#[derive(Clone, Debug, Default)]
pub enum Node {
    /// Null.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer above `i64::MAX`; smaller ones are always [`Node::Int`].
    UInt(u64),
    /// A floating-point number.
    Float(f64),
    /// A string, whose bytes need not be UTF-8.
    String(Text),
    /// A map, shared until it is changed.
    Map(Arc<Map>),
    /// An array, shared until it is changed.
    Array(Arc<Array>),
}

/// The kind of a [`Node`], for messages and for type checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// See [`Node::Null`].
    Null,
    /// See [`Node::Bool`].
    Boolean,
    /// See [`Node::Int`].
    Integer,
    /// See [`Node::Float`].
    Float,
    /// See [`Node::String`].
    String,
    /// See [`Node::Map`].
    Map,
    /// See [`Node::Array`].
    Array,
}

/// A key and its value in a map.
#[derive(Clone, Debug)]
pub struct MapItem {
    /// The key, usually a string.
    pub key: Node,
    /// The value.
    pub node: Node,
    /// How the item came to be.
    pub origin: Origin,
    /// Its comments and annotations.
    pub meta: Meta,
}

/// A sequence of items.
#[derive(Clone, Debug, Default)]
pub struct Array {
    /// The items, in their order.
    pub items: Vec<ArrayItem>,
    /// Where the array was written: the place of the item or document that contains it.
    pub origin: Origin,
}

/// A value in an array.
#[derive(Clone, Debug)]
pub struct ArrayItem {
    /// The value.
    pub node: Node,
    /// How the item came to be.
    pub origin: Origin,
    /// Its comments and annotations.
    pub meta: Meta,
}

impl Document {
    /// A document without comments and annotations.
    pub fn new(node: Node, origin: Origin) -> Self {
        Self {
            node,
            origin,
            meta: Meta::default(),
            is_injected: false,
            is_overlaid: false,
            shown_comments: ShownComments::None,
            foot: Meta::default(),
        }
    }
}

impl MapItem {
    /// A map item without comments and annotations.
    pub fn new(key: Node, node: Node, origin: Origin) -> Self {
        Self { key, node, origin, meta: Meta::default() }
    }
}

impl ArrayItem {
    /// An array item without comments and annotations.
    pub fn new(node: Node, origin: Origin) -> Self {
        Self { node, origin, meta: Meta::default() }
    }
}

impl Array {
    /// An array of these items. See [`Array::origin`] for the origin.
    pub fn new(items: Vec<ArrayItem>, origin: Origin) -> Self {
        Self { items, origin }
    }
}

impl Node {
    /// Removes the comments of all items below. Shared nodes with comments are copied.
    pub fn remove_comments(&mut self) {
        if self.descendants().any(|(meta, _)| !meta.comments().is_empty()) {
            self.remove_each_comment();
        }
    }

    fn remove_each_comment(&mut self) {
        let mut at = 0;
        while let Some((meta, child)) = self.child_mut(at) {
            if !meta.comments().is_empty() {
                meta.comments_mut().clear();
            }
            child.remove_each_comment();
            at += 1;
        }
    }

    /// Returns the kind of the node. Both integer variants are [`NodeKind::Integer`].
    pub fn kind(&self) -> NodeKind {
        match self {
            Self::Null => NodeKind::Null,
            Self::Bool(_) => NodeKind::Boolean,
            Self::Int(_) | Self::UInt(_) => NodeKind::Integer,
            Self::Float(_) => NodeKind::Float,
            Self::String(_) => NodeKind::String,
            Self::Map(_) => NodeKind::Map,
            Self::Array(_) => NodeKind::Array,
        }
    }

    /// Returns the name of the type in the template language.
    pub fn type_name(&self) -> &'static str {
        match self.kind() {
            NodeKind::Null => "NoneType",
            NodeKind::Boolean => "bool",
            NodeKind::Integer => "int",
            NodeKind::Float => "float",
            NodeKind::String => "string",
            NodeKind::Map => "dict",
            NodeKind::Array => "list",
        }
    }

    /// A node that shares its map with its clones.
    pub fn map(map: Map) -> Self {
        Self::Map(Arc::new(map))
    }

    /// A node that shares its array with its clones.
    pub fn array(array: Array) -> Self {
        Self::Array(Arc::new(array))
    }

    /// An integer in its canonical form: [`Node::Int`] if it fits, [`Node::UInt`] otherwise.
    pub fn uint(value: u64) -> Self {
        i64::try_from(value).map_or(Self::UInt(value), Self::Int)
    }

    /// Returns whether the node is a map or an array.
    pub fn is_collection(&self) -> bool {
        matches!(self, Self::Map(_) | Self::Array(_))
    }

    /// Returns whether the node is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns the text of a string. Returns `None` for other kinds, and for a string that is not
    /// UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => text.as_str(),
            _ => None,
        }
    }

    /// Returns the map. Returns `None` for other kinds.
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Self::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the array. Returns `None` for other kinds.
    pub fn as_array(&self) -> Option<&Array> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    /// Returns whether both nodes are scalars of the same type with the same bits: a NaN is the same
    /// as itself, and 0.0 is not the same as -0.0.
    pub fn is_same_scalar(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(left), Self::Bool(right)) => left == right,
            (Self::Int(left), Self::Int(right)) => left == right,
            (Self::UInt(left), Self::UInt(right)) => left == right,
            (Self::Float(left), Self::Float(right)) => left.to_bits() == right.to_bits(),
            (Self::String(left), Self::String(right)) => left == right,
            _ => false,
        }
    }

    /// Returns whether both nodes are the same map or array in memory. Always false for scalars.
    pub fn is_same_object(&self, other: &Self) -> bool {
        self.address().is_some_and(|it| other.address() == Some(it))
    }

    /// Returns the address of a map or an array, which is the same for all nodes that share it.
    /// Returns `None` for scalars.
    pub fn address(&self) -> Option<usize> {
        match self {
            Self::Map(map) => Some(Arc::as_ptr(map).addr()),
            Self::Array(array) => Some(Arc::as_ptr(array).addr()),
            Self::Null
            | Self::Bool(_)
            | Self::Int(_)
            | Self::UInt(_)
            | Self::Float(_)
            | Self::String(_) => None,
        }
    }

    /// Returns the map for changes. Copies it first (one level) if it is shared. Returns `None` for
    /// other kinds.
    pub fn map_mut(&mut self) -> Option<&mut Map> {
        match self {
            Self::Map(map) => Some(Arc::make_mut(map)),
            _ => None,
        }
    }

    /// Returns the array for changes. Copies it first (one level) if it is shared. Returns `None`
    /// for other kinds.
    pub fn array_mut(&mut self) -> Option<&mut Array> {
        match self {
            Self::Array(array) => Some(Arc::make_mut(array)),
            _ => None,
        }
    }

    /// Returns whether the node is null, or a `{}` or `[]` that is not the result of an expression.
    /// A document with such a node is left out of the output. An empty value that was computed is
    /// printed, because it is intended.
    pub fn is_empty_document(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Map(map) => map.is_empty() && !map.origin.is_computed(),
            Self::Array(array) => array.items.is_empty() && !array.origin.is_computed(),
            Self::Bool(_) | Self::Int(_) | Self::UInt(_) | Self::Float(_) | Self::String(_) => {
                false
            }
        }
    }
}

impl From<bool> for Node {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self::String(Text::from(text))
    }
}

impl NodeKind {
    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Float => "float",
            Self::String => "string",
            Self::Map => "map",
            Self::Array => "array",
        }
    }

    /// Returns the kind with its article, such as `an integer`.
    pub fn with_article(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Integer => "an integer",
            Self::Float => "a float",
            Self::String => "a string",
            Self::Map => "a map",
            Self::Array => "an array",
        }
    }
}

impl fmt::Display for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_the_same_by_type_and_bits() {
        let scalars = [
            Node::Null,
            Node::Bool(false),
            Node::Int(0),
            Node::UInt(0),
            Node::Float(0.0),
            Node::Float(-0.0),
            Node::Float(f64::NAN),
            Node::from("0"),
            Node::from(""),
        ];
        for (at, left) in scalars.iter().enumerate() {
            for (other_at, right) in scalars.iter().enumerate() {
                assert_eq!(left.is_same_scalar(right), at == other_at, "{left:?} and {right:?}");
            }
        }
        let map = Node::map(Map::default());
        assert!(!map.is_same_scalar(&map));
    }

    #[test]
    fn an_item_is_no_larger_than_seven_words() {
        assert!(size_of::<Node>() <= 16);
        assert!(size_of::<MapItem>() <= 56);
    }
}
