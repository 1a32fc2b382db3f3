//! Finds and removes the rules that are annotated in documents.

use plumb_value::{Document, Meta, Node};

use crate::ASSERT_VALIDATE;

/// Returns whether a document has an `@assert/validate` anywhere. Most documents have none, and do
/// not need a walk that keeps track of paths.
pub fn carries_rules(document: &Document) -> bool {
    is_annotated(&document.meta) || document.node.descendants().any(|(meta, _)| is_annotated(meta))
}

/// Removes the `@assert/validate` annotations from a document after its rules have run. Nodes
/// without annotations stay shared.
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

/// Returns the node without annotations below it, or `None` if it has none.
fn without_rules(node: &Node) -> Option<Node> {
    let mut whole: Option<Node> = None;
    for (at, (meta, child)) in node.children().enumerate() {
        let changed = without_rules(child);
        if changed.is_none() && !is_annotated(meta) {
            continue;
        }
        let whole = whole.get_or_insert_with(|| node.clone());
        let (meta, child) = whole.child_mut(at).expect("it has the children of the node");
        drop_annotation(meta);
        if let Some(changed) = changed {
            *child = changed;
        }
    }
    whole
}
