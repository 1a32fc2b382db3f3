//! Documents without template code in their comments, and without annotations.

use plumb_value::{Comment, Document, Meta, Node};

/// Returns the first comment in a document that is code or an annotation.
pub(crate) fn code(document: &Document) -> Option<&Comment> {
    let below = document.node.descendants().map(|(meta, _)| meta);
    std::iter::once(&document.meta).chain(below).find_map(code_of)
}

/// Returns whether an item of an evaluated node has an annotation.
pub(crate) fn is_annotated(node: &Node) -> bool {
    node.descendants().any(|(meta, _)| !meta.annotations().is_empty())
}

/// Removes all annotations from a document. Nodes without annotations stay shared.
pub(crate) fn strip(document: &mut Document) {
    strip_meta(&mut document.meta);
    if let Some(node) = stripped(&document.node) {
        document.node = node;
    }
}

/// Returns the node without annotations below it, or `None` if it has none.
fn stripped(node: &Node) -> Option<Node> {
    let mut whole: Option<Node> = None;
    for (at, (meta, child)) in node.children().enumerate() {
        let changed = stripped(child);
        if changed.is_none() && meta.annotations().is_empty() {
            continue;
        }
        let whole = whole.get_or_insert_with(|| node.clone());
        let (meta, child) = whole.child_mut(at).expect("it has the children of the node");
        strip_meta(meta);
        if let Some(changed) = changed {
            *child = changed;
        }
    }
    whole
}

fn strip_meta(meta: &mut Meta) {
    if !meta.annotations().is_empty() {
        meta.annotations_mut().retain(|_| false);
    }
}

fn code_of(meta: &Meta) -> Option<&Comment> {
    meta.comments().iter().find(|comment| {
        let annotation = comment.text.as_bytes().strip_prefix(b"@");
        annotation.is_some_and(|it| it.split(|&byte| byte == b' ').next() != Some(b"comment"))
    })
}
