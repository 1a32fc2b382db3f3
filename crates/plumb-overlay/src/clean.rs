//! Removes overlay annotations from results.
//!
//! Values that an overlay adds to a document lose their `@overlay/…` annotations, at any depth.
//! Most added values have none and are shared with the overlay. A value with such annotations is
//! copied once, even if it is added several times.

use std::collections::{HashMap, HashSet};
use std::marker::PhantomData;

use plumb_value::{Meta, Node};

use crate::annotation::NAMESPACE;
use crate::select::count_uses;

/// Cleaned values of the right side, by address. The values outlive this map.
#[derive(Default)]
pub(crate) struct Cleaner<'r> {
    cleaned: HashMap<usize, Node>,
    right: PhantomData<&'r Node>,
}

impl<'r> Cleaner<'r> {
    /// Returns a value of the right side without overlay annotations, ready to be part of a result.
    pub(crate) fn clean(&mut self, node: &'r Node) -> Node {
        let Some(address) = node.address() else { return node.clone() };
        self.cleaned.entry(address).or_insert_with(|| cleaned(node.clone())).clone()
    }
}

/// Returns the node without overlay annotations below it; the same node if it has none.
pub(crate) fn cleaned(node: Node) -> Node {
    let unclean = unclean(&node);
    if unclean.is_empty() { node } else { rewritten(node, &unclean) }
}

/// Prepares the annotations and comments of an item to be part of a result.
pub(crate) fn clean_meta(meta: &mut Meta) {
    if is_unclean(meta) {
        meta.annotations_mut().retain(|it| !it.name.starts_with(NAMESPACE));
    }
}

fn is_unclean(meta: &Meta) -> bool {
    meta.annotations().iter().any(|it| it.name.starts_with(NAMESPACE))
}

/// Returns the addresses of the collections that have overlay annotations in or below them.
///
/// The walk keeps its own stack: documents may be nested deeper than the call stack allows.
fn unclean(root: &Node) -> HashSet<usize> {
    struct Seen<'a> {
        node: &'a Node,
        parent: usize,
        is_unclean: bool,
    }
    let mut seen = vec![Seen { node: root, parent: 0, is_unclean: false }];
    let mut at = 0;
    while at < seen.len() {
        for (meta, child) in seen[at].node.children() {
            if is_unclean(meta) {
                seen[at].is_unclean = true;
                // It is part of the added value.
                count_uses(meta);
            }
            if child.address().is_some() {
                seen.push(Seen { node: child, parent: at, is_unclean: false });
            }
        }
        at += 1;
    }
    // Children come after their parents.
    for at in (1..seen.len()).rev() {
        let parent = seen[at].parent;
        seen[parent].is_unclean |= seen[at].is_unclean;
    }
    seen.iter().filter(|it| it.is_unclean).filter_map(|it| it.node.address()).collect()
}

/// A collection whose first items are clean, taken out of its parent.
struct Open {
    node: Node,
    n_done: usize,
}

fn rewritten(root: Node, unclean: &HashSet<usize>) -> Node {
    let mut parents: Vec<Open> = Vec::new();
    let mut open = Open { node: root, n_done: 0 };
    loop {
        if let Some((meta, child)) = open.node.child_mut(open.n_done) {
            clean_meta(meta);
            open.n_done += 1;
            if child.address().is_some_and(|it| unclean.contains(&it)) {
                let child = Open { node: std::mem::take(child), n_done: 0 };
                parents.push(std::mem::replace(&mut open, child));
            }
            continue;
        }
        let Some(parent) = parents.pop() else { return open.node };
        let done = std::mem::replace(&mut open, parent).node;
        if let Some((_, place)) = open.node.child_mut(open.n_done - 1) {
            *place = done;
        }
    }
}
