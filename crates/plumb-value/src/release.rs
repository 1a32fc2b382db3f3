//! Frees deep documents without deep recursion: dropping a document of 10,000 levels must not
//! overflow the stack of the thread.

use std::cell::Cell;
use std::sync::Arc;

use crate::{Array, Map, Node};

/// Up to this depth, dropping is recursive, which is faster than a list of nodes.
const MAX_RECURSION: u32 = 64;

thread_local! {
    /// The number of nested maps and arrays that are being dropped.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

impl Drop for Map {
    fn drop(&mut self) {
        let nests = |it: &crate::MapItem| it.node.is_collection() || it.key.is_collection();
        if self.items().iter().any(nests) {
            let items = std::mem::take(self.items_mut());
            drop_children(items, |it, open| open.extend([it.node, it.key]));
        }
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if self.items.iter().any(|it| it.node.is_collection()) {
            let items = std::mem::take(&mut self.items);
            drop_children(items, |it, open| open.push(it.node));
        }
    }
}

/// Drops items that may contain maps or arrays.
fn drop_children<T>(items: Vec<T>, take: impl Fn(T, &mut Vec<Node>)) {
    let depth = DEPTH.get();
    if depth < MAX_RECURSION {
        DEPTH.set(depth + 1);
        drop(items);
        DEPTH.set(depth);
        return;
    }
    let mut open = Vec::new();
    for item in items {
        take(item, &mut open);
    }
    release(open);
}

/// Drops nodes one by one, together with everything that is not shared with other nodes.
fn release(mut open: Vec<Node>) {
    while let Some(node) = open.pop() {
        match node {
            Node::Map(map) => {
                if let Some(mut map) = Arc::into_inner(map) {
                    let items = std::mem::take(map.items_mut());
                    open.extend(items.into_iter().flat_map(|it| [it.node, it.key]));
                }
            }
            Node::Array(array) => {
                if let Some(mut array) = Arc::into_inner(array) {
                    let items = std::mem::take(&mut array.items);
                    open.extend(items.into_iter().map(|it| it.node));
                }
            }
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::UInt(_)
            | Node::Float(_)
            | Node::String(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use plumb_source::Origin;

    use super::*;
    use crate::{ArrayItem, MapItem};

    #[test]
    fn a_deep_document_is_dropped_on_a_small_stack() {
        let mut node = Node::Null;
        for level in 0..200_000 {
            node = match level % 2 {
                0 => Node::array(Array::new(
                    vec![ArrayItem::new(node, Origin::Unknown)],
                    Origin::Unknown,
                )),
                _ => Node::map(Map::new(
                    vec![MapItem::new("key".into(), node, Origin::Unknown)],
                    Origin::Unknown,
                )),
            };
        }
        let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(move || drop(node));
        thread.expect("a thread can be started").join().expect("the stack is large enough");
    }
}
