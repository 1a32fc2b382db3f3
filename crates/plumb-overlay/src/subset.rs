//! Checks whether one node is contained in another. If not, finds the first difference.
//!
//! This is the comparison of `overlay.subset` and of `@overlay/assert`: every key of an expected
//! map must exist, an expected array must be a prefix of the array found, and scalars must be
//! equal.

use std::slice;

use plumb_value::{ArrayItem, Map, MapItem, Node, NodeKind};

use crate::leaf::same_leaf;

/// The first difference between what was found and what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// A map or an array was expected, and a node of another kind was found.
    Kind { expected: NodeKind, found: NodeKind },
    /// Another scalar was found.
    Leaf { found: NodeKind, expected: NodeKind },
    /// A key of the expected map does not exist.
    MissingKey,
    /// The expected array has more items.
    TooFewItems,
}

/// A map or an array whose items are being compared. Kept on an explicit stack: documents may be
/// nested deeper than the call stack allows.
enum Open<'a> {
    Map { found: &'a Map, expected: slice::Iter<'a, MapItem> },
    Array { found: slice::Iter<'a, ArrayItem>, expected: slice::Iter<'a, ArrayItem> },
}

pub(crate) fn contains(found: &Node, expected: &Node) -> Result<(), Mismatch> {
    let mut open = Vec::new();
    compare(found, expected, &mut open)?;
    while let Some(top) = open.last_mut() {
        match top.next_pair()? {
            Some((found, expected)) => compare(found, expected, &mut open)?,
            None => drop(open.pop()),
        }
    }
    Ok(())
}

fn compare<'a>(
    found: &'a Node,
    expected: &'a Node,
    open: &mut Vec<Open<'a>>,
) -> Result<(), Mismatch> {
    match (found, expected) {
        (Node::Map(found), Node::Map(expected)) => {
            open.push(Open::Map { found, expected: expected.items().iter() });
        }
        (Node::Array(found), Node::Array(expected)) => {
            let (found, expected) = (found.items.iter(), expected.items.iter());
            open.push(Open::Array { found, expected });
        }
        (_, Node::Map(_) | Node::Array(_)) => {
            return Err(Mismatch::Kind { expected: expected.kind(), found: found.kind() });
        }
        _ if same_leaf(found, expected) => {}
        _ => return Err(Mismatch::Leaf { found: found.kind(), expected: expected.kind() }),
    }
    Ok(())
}

impl<'a> Open<'a> {
    /// Returns the next two nodes to compare, or `None` if all items were compared.
    fn next_pair(&mut self) -> Result<Option<(&'a Node, &'a Node)>, Mismatch> {
        match self {
            Self::Map { found, expected } => {
                let Some(item) = expected.next() else { return Ok(None) };
                let same = found.get(&item.key).ok_or(Mismatch::MissingKey)?;
                Ok(Some((&same.node, &item.node)))
            }
            Self::Array { found, expected } => {
                let Some(item) = expected.next() else { return Ok(None) };
                let same = found.next().ok_or(Mismatch::TooFewItems)?;
                Ok(Some((&same.node, &item.node)))
            }
        }
    }
}
