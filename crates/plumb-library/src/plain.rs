//! Whether a document is plain, or has template code in its comments.

use plumb_value::{Comment, Document, Meta, Node};

/// What plain values must be.
pub(crate) const NOT_PLAIN: &str =
    "Expected to be plain YAML, having no annotations (hint: remove comments starting with `#@`)";

/// The first comment in a document that is code or an annotation.
pub(crate) fn code(document: &Document) -> Option<&Comment> {
    let mut ahead = vec![(&document.meta, &document.node)];
    while let Some((meta, node)) = ahead.pop() {
        if let Some(comment) = code_of(meta) {
            return Some(comment);
        }
        match node {
            Node::Map(map) => ahead.extend(map.items().iter().rev().map(|it| (&it.meta, &it.node))),
            Node::Array(array) => {
                ahead.extend(array.items.iter().rev().map(|it| (&it.meta, &it.node)));
            }
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::UInt(_)
            | Node::Float(_)
            | Node::String(_) => {}
        }
    }
    None
}

/// Whether an item of an evaluated node carries an annotation.
pub(crate) fn is_annotated(node: &Node) -> bool {
    let is_annotated_item =
        |meta: &Meta, node: &Node| !meta.annotations().is_empty() || is_annotated(node);
    match node {
        Node::Map(map) => map.items().iter().any(|it| is_annotated_item(&it.meta, &it.node)),
        Node::Array(array) => array.items.iter().any(|it| is_annotated_item(&it.meta, &it.node)),
        Node::Null
        | Node::Bool(_)
        | Node::Int(_)
        | Node::UInt(_)
        | Node::Float(_)
        | Node::String(_) => false,
    }
}

fn code_of(meta: &Meta) -> Option<&Comment> {
    meta.comments().iter().find(|comment| {
        let annotation = comment.text.as_bytes().strip_prefix(b"@");
        annotation.is_some_and(|it| it.split(|&byte| byte == b' ').next() != Some(b"comment"))
    })
}
