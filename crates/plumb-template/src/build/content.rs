//! A node while it is built: its allowed content, and its pending annotations and key.

use std::sync::Arc;

use plumb_source::message;
use plumb_value::{Annotations, Array, ArrayItem, Document, Map, MapItem, Meta, Node};

use super::BuildError;
use crate::program::{PlanNode, Shell, Tag};

/// A partly built node.
#[derive(Debug)]
pub(super) enum Content {
    Documents(Vec<Document>),
    Document(Document),
    Map(Map),
    MapItem(MapItem),
    Array(Array),
    ArrayItem(ArrayItem),
}

/// Annotations and a key that were set before the node began.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) tag: Tag,
    pub(super) annotations: Annotations,
    pub(super) key: Option<Node>,
}

impl Content {
    pub(super) fn new(planned: &PlanNode) -> Self {
        let n_children = planned.n_children as usize;
        match &planned.shell {
            Shell::Documents => Self::Documents(Vec::with_capacity(n_children)),
            Shell::Document { origin, is_injected } => {
                let mut document = Document::new(Node::Null, *origin);
                document.is_injected = *is_injected;
                document.meta = planned.comments.clone();
                Self::Document(document)
            }
            Shell::Map { origin } => Self::Map(Map::new(Vec::with_capacity(n_children), *origin)),
            Shell::MapItem { key, origin } => {
                let meta = planned.comments.clone();
                Self::MapItem(MapItem { meta, ..MapItem::new(key.clone(), Node::Null, *origin) })
            }
            Shell::Array { origin } => {
                Self::Array(Array::new(Vec::with_capacity(n_children), *origin))
            }
            Shell::ArrayItem { origin } => {
                let meta = planned.comments.clone();
                Self::ArrayItem(ArrayItem { meta, ..ArrayItem::new(Node::Null, *origin) })
            }
        }
    }

    pub(super) fn take_pending(&mut self, pending: Pending) {
        let meta: Option<&mut Meta> = match self {
            Self::Document(document) => Some(&mut document.meta),
            Self::MapItem(item) => {
                if let Some(key) = pending.key {
                    item.key = key;
                }
                Some(&mut item.meta)
            }
            Self::ArrayItem(item) => Some(&mut item.meta),
            Self::Documents(_) | Self::Map(_) | Self::Array(_) => None,
        };
        if let Some(meta) = meta.filter(|_| !pending.annotations.is_empty()) {
            *meta.annotations_mut() = pending.annotations;
        }
    }

    pub(super) fn expect_child(&self, child: &Shell) -> Result<(), BuildError> {
        let fits = match self {
            Self::Documents(_) => matches!(child, Shell::Document { .. }),
            Self::Map(_) => matches!(child, Shell::MapItem { .. }),
            Self::Array(_) => matches!(child, Shell::ArrayItem { .. }),
            Self::Document(_) | Self::MapItem(_) | Self::ArrayItem(_) => {
                matches!(child, Shell::Map { .. } | Shell::Array { .. })
            }
        };
        if fits { Ok(()) } else { Err(self.refusal(child.type_name())) }
    }

    /// Removes and returns its last child.
    pub(super) fn take_last(&mut self) -> Option<Self> {
        let node = match self {
            Self::Documents(documents) => return documents.pop().map(Self::Document),
            Self::Map(map) => return map.items_mut().pop().map(Self::MapItem),
            Self::Array(array) => return array.items.pop().map(Self::ArrayItem),
            Self::Document(document) => &mut document.node,
            Self::MapItem(item) => &mut item.node,
            Self::ArrayItem(item) => &mut item.node,
        };
        match std::mem::take(node) {
            Node::Map(map) => Some(Self::Map(Arc::unwrap_or_clone(map))),
            Node::Array(array) => Some(Self::Array(Arc::unwrap_or_clone(array))),
            scalar => {
                *node = scalar;
                None
            }
        }
    }

    pub(super) fn refusal(&self, found: &'static str) -> BuildError {
        let rule = match self {
            Self::Documents(_) => "document sets can only contain documents",
            Self::Document(_) => "documents can only contain arrays, maps, or scalars",
            Self::Map(_) => "maps can only contain map items",
            Self::MapItem(_) => "map items can only contain arrays, maps, or scalars",
            Self::Array(_) => "arrays can only contain array items",
            Self::ArrayItem(_) => "array items can only contain maps, arrays, or scalars",
        };
        BuildError(message!("{rule}; this is a {found}"))
    }

    pub(super) fn hold(&mut self, node: Node) {
        match self {
            Self::Document(document) => document.node = node,
            Self::MapItem(item) => item.node = node,
            Self::ArrayItem(item) => item.node = node,
            Self::Documents(_) | Self::Map(_) | Self::Array(_) => {
                unreachable!("`expect_child` lets maps and arrays only into items and documents")
            }
        }
    }

    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Documents(_) => "document set",
            Self::Document(_) => "document",
            Self::Map(_) => "map",
            Self::MapItem(_) => "map item",
            Self::Array(_) => "array",
            Self::ArrayItem(_) => "array item",
        }
    }
}
