//! Nodes that are written in one piece: they are classified once, and then written.

use plumb_value::Node;

use super::style::{Shape, Style};
use super::{number, text};

/// A scalar or an empty collection that is ready to be written.
pub(super) enum Leaf<'a> {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    Text(&'a str, Shape),
    /// A string that is not UTF-8.
    Binary(&'a [u8]),
    EmptyMap,
    EmptyArray,
}

impl<'a> Leaf<'a> {
    /// Returns the leaf for a node. Returns `None` if the node is a collection with items.
    pub(super) fn of(node: &'a Node) -> Option<Self> {
        Some(match node {
            Node::Null => Self::Null,
            Node::Bool(value) => Self::Bool(*value),
            Node::Int(value) => Self::Int(*value),
            Node::UInt(value) => Self::UInt(*value),
            Node::Float(value) => Self::Float(*value),
            Node::String(text) => match text.as_str() {
                Some(text) => Self::Text(text, Shape::of(text)),
                None => Self::Binary(text.as_bytes()),
            },
            Node::Map(map) if map.is_empty() => Self::EmptyMap,
            Node::Array(array) if array.items.is_empty() => Self::EmptyArray,
            Node::Map(_) | Node::Array(_) => return None,
        })
    }

    /// Returns whether it can be a key without a `?` before it.
    pub(super) fn is_simple_key(&self) -> bool {
        match self {
            Self::Text(text, shape) => shape.is_simple_key(text.len()),
            _ => self.is_one_line(),
        }
    }

    /// Returns whether it is written on one line.
    pub(super) fn is_one_line(&self) -> bool {
        match self {
            Self::Text(_, shape) => !shape.is_multiline || shape.style == Style::Double,
            Self::Binary(bytes) => text::is_one_binary_line(bytes),
            Self::Null
            | Self::Bool(_)
            | Self::Int(_)
            | Self::UInt(_)
            | Self::Float(_)
            | Self::EmptyMap
            | Self::EmptyArray => true,
        }
    }

    /// Appends the leaf. Further lines are indented one step more than `indent`. Returns whether it
    /// ended its last line, as a block does.
    pub(super) fn write(&self, indent: usize, out: &mut Vec<u8>) -> bool {
        match *self {
            Self::Text(text, shape) => match shape.style {
                Style::Plain => out.extend_from_slice(text.as_bytes()),
                Style::Single => text::single(text, shape.has_separator, indent, out),
                Style::Double => text::double(text, out),
                Style::Literal => {
                    return text::literal(text, shape.has_separator, indent, out, |_| ());
                }
            },
            Self::Binary(bytes) => return text::binary(bytes, indent, out),
            Self::Null => out.extend_from_slice(b"null"),
            Self::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
            Self::Int(value) => number::integer(value, out),
            Self::UInt(value) => number::unsigned(value, out),
            Self::Float(value) => number::yaml_float(value, out),
            Self::EmptyMap => out.extend_from_slice(b"{}"),
            Self::EmptyArray => out.extend_from_slice(b"[]"),
        }
        false
    }
}
