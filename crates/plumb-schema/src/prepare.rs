//! `@schema/validation-defaults-for-strings`: rules for all strings below a node.
//!
//! The annotation stands for one on each node below, so it is pushed down to them while a schema
//! document is still on its own: laid over another schema, it must say nothing about the other's
//! nodes. Which of the nodes are strings is known only when all schemas are one; the compiler
//! then leaves out the others, and those with rules of their own.

use plumb_value::{Annotation, Document, Meta, Node};

pub(crate) const STRING_DEFAULTS: &str = "schema/validation-defaults-for-strings";

/// Gives the nodes of a schema document the string defaults that hold for them. Call it before the
/// document is laid over others, or others over it.
pub fn push_down_string_defaults(document: &mut Document) {
    if !has_string_defaults(&document.meta, &document.node) {
        return;
    }
    let own = document.meta.annotation(STRING_DEFAULTS).cloned();
    push_down(&mut document.node, own.as_ref());
}

fn has_string_defaults(meta: &Meta, node: &Node) -> bool {
    if meta.annotations().has(STRING_DEFAULTS) {
        return true;
    }
    match node {
        Node::Map(map) => map.items().iter().any(|it| has_string_defaults(&it.meta, &it.node)),
        Node::Array(array) => array.items.iter().any(|it| has_string_defaults(&it.meta, &it.node)),
        Node::Null
        | Node::Bool(_)
        | Node::Int(_)
        | Node::UInt(_)
        | Node::Float(_)
        | Node::String(_) => false,
    }
}

fn push_down(node: &mut Node, inherited: Option<&Annotation>) {
    if let Some(map) = node.map_mut() {
        for at in 0..map.len() {
            let item = map.item_mut(at);
            let own = settle(&mut item.meta, inherited);
            push_down(&mut item.node, own.as_ref());
        }
    } else if let Some(array) = node.array_mut() {
        for item in &mut array.items {
            let own = settle(&mut item.meta, inherited);
            push_down(&mut item.node, own.as_ref());
        }
    }
}

/// The string defaults that hold for a node: its own, or those from above, which it then gets.
fn settle(meta: &mut Meta, inherited: Option<&Annotation>) -> Option<Annotation> {
    let own = meta.annotation(STRING_DEFAULTS).cloned();
    if own.is_none()
        && let Some(inherited) = inherited
    {
        meta.annotations_mut().set(inherited.clone());
    }
    own.or_else(|| inherited.cloned())
}
