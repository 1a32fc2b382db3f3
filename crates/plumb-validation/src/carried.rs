//! The rules that documents carry themselves: whether there are any, and documents without them.

use plumb_value::{Array, Document, Map, Meta, Node};

use crate::ASSERT_VALIDATE;

/// Whether a document has an `@assert/validate` anywhere. Most have none, and need no walk that
/// keeps track of paths.
pub fn carries_rules(document: &Document) -> bool {
    is_annotated(&document.meta) || document.node.descendants().any(|(meta, _)| is_annotated(meta))
}

/// Takes the `@assert/validate` annotations off a document whose rules have had their say. What
/// has none is left shared.
pub fn drop_rules(document: &mut Document) {
    drop_annotation(&mut document.meta);
    if let Some(node) = without_rules(&document.node) {
        document.node = node;
    }
}

fn is_annotated(meta: &Meta) -> bool {
    meta.annotations().has(ASSERT_VALIDATE)
}

fn drop_annotation(meta: &mut Meta) {
    if is_annotated(meta) {
        meta.annotations_mut().retain(|it| &*it.name != ASSERT_VALIDATE);
    }
}

/// The node without annotations below it; none if there are none.
fn without_rules(node: &Node) -> Option<Node> {
    match node {
        Node::Map(map) => {
            let items = map.items().iter().map(|it| (&it.meta, &it.node));
            let changes = changes(items)?;
            let mut whole = Map::clone(map);
            for (at, node) in changes {
                let item = whole.item_mut(at);
                drop_annotation(&mut item.meta);
                item.node = node.unwrap_or_else(|| item.node.clone());
            }
            Some(Node::map(whole))
        }
        Node::Array(array) => {
            let items = array.items.iter().map(|it| (&it.meta, &it.node));
            let changes = changes(items)?;
            let mut whole = Array::clone(array);
            for (at, node) in changes {
                let item = &mut whole.items[at];
                drop_annotation(&mut item.meta);
                item.node = node.unwrap_or_else(|| item.node.clone());
            }
            Some(Node::array(whole))
        }
        Node::Null
        | Node::Bool(_)
        | Node::Int(_)
        | Node::UInt(_)
        | Node::Float(_)
        | Node::String(_) => None,
    }
}

/// The items that change, with their new nodes where those change too; none if no item does.
fn changes<'a>(
    items: impl Iterator<Item = (&'a Meta, &'a Node)>,
) -> Option<Vec<(usize, Option<Node>)>> {
    let changes = items.enumerate().filter_map(|(at, (meta, node))| {
        let node = without_rules(node);
        (node.is_some() || is_annotated(meta)).then_some((at, node))
    });
    let changes: Vec<_> = changes.collect();
    (!changes.is_empty()).then_some(changes)
}
