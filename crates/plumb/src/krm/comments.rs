//! Keeps the comments of resources, which templates ignore.

use plumb_value::{ArrayItem, Meta, Node};

/// Restores the comments of the nodes that still exist.
pub(super) fn keep(before: &Node, after: &mut Node) {
    match (before, &*after) {
        (Node::Map(before), Node::Map(_)) => {
            let Some(map) = after.map_mut() else {
                return;
            };
            for at in 0..map.len() {
                let item = map.item_mut(at);
                if let Some(earlier) = before.get(&item.key) {
                    keep_on(&earlier.meta, &mut item.meta);
                    keep(&earlier.node, &mut item.node);
                }
            }
        }
        (Node::Array(before), Node::Array(_)) => {
            let Some(array) = after.array_mut() else {
                return;
            };
            let is_same_length = before.items.len() == array.items.len();
            for (at, item) in array.items.iter_mut().enumerate() {
                let same = before.items.get(at).filter(|it| is_same_length || is_named(it, item));
                let Some(earlier) = same else {
                    continue;
                };
                keep_on(&earlier.meta, &mut item.meta);
                keep(&earlier.node, &mut item.node);
            }
        }
        _ => {}
    }
}

/// New comments are kept.
fn keep_on(before: &Meta, after: &mut Meta) {
    if after.comments().is_empty() && !before.comments().is_empty() {
        after.comments_mut().extend_from_slice(before.comments());
    }
}

/// Returns whether two items have the same name.
fn is_named(left: &ArrayItem, right: &ArrayItem) -> bool {
    let name = |it: &ArrayItem| -> Option<String> {
        it.node.as_map()?.get_str("name")?.as_str().map(str::to_owned)
    };
    name(left).is_some_and(|it| Some(it) == name(right))
}
