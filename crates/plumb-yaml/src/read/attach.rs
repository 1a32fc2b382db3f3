//! Adds comments to the items that they belong to.
//!
//! This happens at the end of a document, because only then it is known which items aliases share.
//! It is one walk over the tree, with an explicit stack.

mod shared;

use plumb_source::Origin;
use plumb_value::{Comment, Document, Meta, Node};

use super::comments::Target;

pub(super) use shared::to_shared;

/// Adds comments, given in the order of their items, to a document without aliases. Visits only the
/// places that have comments.
pub(super) fn to_unshared(document: &mut Document, given: Vec<(Target, Comment)>) {
    if given.is_empty() {
        return;
    }
    let mut given = given.into_iter().peekable();
    let root = std::mem::take(&mut document.node);
    let mut open = vec![OpenNode { node: root, at: 0, limit: u32::MAX }];
    while let Some(&(target, _)) = given.peek() {
        let top = open.last_mut().expect("the root has no limit");
        if target.start() >= top.limit {
            leave(&mut open);
            continue;
        }
        let limit = top.advance_to(target.start());
        let is_reached = item_at(&top.node, top.at) == Some(target);
        let (meta, value) = child_mut(&mut top.node, top.at);
        if is_reached {
            let comments = meta.comments_mut();
            if comments.is_empty() {
                // Most items have one.
                comments.reserve_exact(1);
            }
            comments.extend(given.next().map(|(_, comment)| comment));
        } else {
            let node = std::mem::take(value);
            open.push(OpenNode { node, at: 0, limit });
        }
    }
    while open.len() > 1 {
        leave(&mut open);
    }
    document.node = open.swap_remove(0).node;
}

/// A collection on the path to an item, taken out of its parent.
struct OpenNode {
    node: Node,
    /// The current item.
    at: usize,
    /// An offset at which the collection has certainly ended.
    limit: u32,
}

impl OpenNode {
    /// Moves to the item that contains the text at an offset. Returns where the next item begins.
    fn advance_to(&mut self, start: u32) -> u32 {
        while let Some(next) = item_at(&self.node, self.at + 1).map(Target::start) {
            if next > start {
                return next;
            }
            self.at += 1;
        }
        self.limit
    }
}

/// Puts the last open collection back into its parent.
fn leave(open: &mut Vec<OpenNode>) {
    let done = open.pop().expect("a collection is open");
    let parent = open.last_mut().expect("the root is not left");
    *child_mut(&mut parent.node, parent.at).1 = done.node;
}

/// The item of a collection at an index.
fn item_at(node: &Node, at: usize) -> Option<Target> {
    match node {
        Node::Map(map) => Some(Target::MapItem(start_of(map.items().get(at)?.origin))),
        Node::Array(array) => Some(Target::ArrayItem(start_of(array.items.get(at)?.origin))),
        _ => None,
    }
}

/// Returns the comments and the value of an item that exists.
fn child_mut(node: &mut Node, at: usize) -> (&mut Meta, &mut Node) {
    node.child_mut(at).expect("comments are given to items, and scalars have none")
}

fn start_of(origin: Origin) -> u32 {
    origin.span().expect("what was read has a place").start
}
