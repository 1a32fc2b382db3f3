//! Comments of documents with aliases.
//!
//! The items below an anchor occur again below each of its aliases. A comment on a separate line is
//! added to the first occurrence of its item. A comment after an item is added to the last
//! occurrence. If only one occurrence has a comment, the path to it is no longer shared.

use std::collections::{HashMap, HashSet};

use plumb_value::{Comment, Document, Node};

use super::super::comments::Target;
use super::{child_mut, item_at};

/// Adds comments to a document with aliases.
pub(in crate::read) fn to_shared(document: &mut Document, given: Vec<(Target, Comment)>) {
    let (inline, above): (Vec<_>, Vec<_>) =
        given.into_iter().partition(|(_, comment)| comment.is_inline);
    put(&mut document.node, above, Direction::Forward);
    put(&mut document.node, inline, Direction::Backward);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// Adds each comment to the first occurrence of its item in that direction.
fn put(root: &mut Node, given: Vec<(Target, Comment)>, direction: Direction) {
    if given.is_empty() {
        return;
    }
    let mut wanted: HashMap<Target, Vec<Comment>> = HashMap::new();
    for (target, comment) in given {
        wanted.entry(target).or_default().push(comment);
    }
    let mut unvisited = holders(root, &wanted);
    let mut open = vec![Visit::new(std::mem::take(root), direction)];
    while let Some(top) = open.last_mut() {
        let Some(at) = top.next() else {
            let done = open.pop().expect("it was looked at").node;
            match open.last_mut() {
                Some(parent) => *child_mut(&mut parent.node, parent.at).1 = done,
                None => *root = done,
            }
            continue;
        };
        let target = item_at(&top.node, at).expect("the index is in range");
        if let Some(comments) = wanted.remove(&target) {
            child_mut(&mut top.node, at).0.comments_mut().extend(comments);
        }
        let value = value_at(&top.node, at);
        if value.address().is_some_and(|address| unvisited.remove(&address)) {
            let node = std::mem::take(child_mut(&mut top.node, at).1);
            open.push(Visit::new(node, direction));
        }
    }
}

/// A collection that is being walked, taken out of its parent.
struct Visit {
    node: Node,
    at: usize,
    n_left: usize,
    direction: Direction,
}

impl Visit {
    fn new(node: Node, direction: Direction) -> Self {
        let n_left = node.children().len();
        let at = match direction {
            // Before the first item.
            Direction::Forward => usize::MAX,
            Direction::Backward => n_left,
        };
        Self { node, at, n_left, direction }
    }

    fn next(&mut self) -> Option<usize> {
        self.n_left = self.n_left.checked_sub(1)?;
        self.at = match self.direction {
            Direction::Forward => self.at.wrapping_add(1),
            Direction::Backward => self.at - 1,
        };
        Some(self.at)
    }
}

/// Returns the addresses of all collections that contain a wanted item, at any depth. Each is
/// visited once.
fn holders(root: &Node, wanted: &HashMap<Target, Vec<Comment>>) -> HashSet<usize> {
    let mut holders = HashSet::new();
    let mut seen = HashSet::new();
    let mut open = vec![Search { node: root, at: 0, holds: false }];
    while let Some(top) = open.last_mut() {
        let Some(target) = item_at(top.node, top.at) else {
            let done = open.pop().expect("it was looked at");
            if done.holds {
                holders.extend(done.node.address());
                open.last_mut().into_iter().for_each(|parent| parent.holds = true);
            }
            continue;
        };
        let value = value_at(top.node, top.at);
        top.at += 1;
        top.holds |= wanted.contains_key(&target);
        if let Some(address) = value.address() {
            top.holds |= holders.contains(&address);
            if seen.insert(address) {
                open.push(Search { node: value, at: 0, holds: false });
            }
        }
    }
    holders
}

/// A collection that is being searched.
struct Search<'a> {
    node: &'a Node,
    /// The next item.
    at: usize,
    holds: bool,
}

fn value_at(node: &Node, at: usize) -> &Node {
    match node {
        Node::Map(map) => &map.items()[at].node,
        Node::Array(array) => &array.items[at].node,
        _ => unreachable!("scalars have no items"),
    }
}
