//! Converts the argument of `template.replace` to documents or items.

use plumb_source::message::{plain, term};
use plumb_source::{Message, Origin, message};
use plumb_value::{Array, ArrayItem, Document, Map, MapItem, Node};

use super::BuildError;
use crate::convert::DataType;

/// The replacement of a node by `template.replace`.
#[derive(Debug)]
pub(crate) enum Replacement {
    Documents(Vec<Document>),
    /// A map or array, and whether its items were written as YAML: a duplicate key is then a
    /// mistake.
    Node {
        node: Node,
        is_written: bool,
    },
}

impl Replacement {
    pub(super) fn into_documents(self, origin: Origin) -> Result<Vec<Document>, BuildError> {
        match self {
            Self::Documents(documents) => Ok(documents),
            Self::Node { node: Node::Array(array), is_written: false } => {
                let origin = origin.span().map_or(Origin::Unknown, Origin::Computed);
                let nodes = array.items.iter().map(|item| as_computed(&item.node, origin));
                Ok(nodes.map(|node| Document::new(node, Origin::Unknown)).collect())
            }
            Self::Node { .. } => Err(self.mismatch("document set")),
        }
    }

    pub(super) fn into_map_items(self) -> Result<(Vec<MapItem>, bool), BuildError> {
        match self {
            Self::Node { node: Node::Map(map), is_written } => {
                Ok((map.items().to_vec(), is_written))
            }
            Self::Documents(_) | Self::Node { .. } => Err(self.mismatch("map")),
        }
    }

    pub(super) fn into_array_items(self) -> Result<Vec<ArrayItem>, BuildError> {
        match self {
            Self::Node { node: Node::Array(array), .. } => Ok(array.items.clone()),
            Self::Documents(_) | Self::Node { .. } => Err(self.mismatch("array")),
        }
    }

    fn mismatch(&self, expected: &'static str) -> BuildError {
        let found = match self {
            Self::Documents(_) => "document set".into(),
            Self::Node { node, .. } => type_words(node, self.is_written()),
        };
        BuildError(message!("expected value to be {expected}, {}", message::found(found)))
    }

    fn is_written(&self) -> bool {
        matches!(self, Self::Node { is_written: true, .. })
    }
}

/// Converts a value to a document: an empty one is printed only if it is marked as computed.
fn as_computed(node: &Node, origin: Origin) -> Node {
    match node {
        Node::Map(map) if map.is_empty() => Node::map(Map::new(Vec::new(), origin)),
        Node::Array(array) if array.items.is_empty() => Node::array(Array::new(Vec::new(), origin)),
        other => other.clone(),
    }
}

/// The name of a value's type.
fn type_words(node: &Node, is_written: bool) -> Message {
    let kind = plain(node.kind());
    match node {
        Node::Map(_) if !is_written => term(kind, DataType::Map).into(),
        Node::Array(_) if !is_written => term(kind, DataType::Array).into(),
        _ => kind.into(),
    }
}
