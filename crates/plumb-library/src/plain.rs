//! Whether a document is plain, or has template code in its comments.

use plumb_value::{Comment, Document, Meta, Node};

/// What plain values must be.
pub(crate) const NOT_PLAIN: &str =
    "Expected to be plain YAML, having no annotations (hint: remove comments starting with `#@`)";

/// The first comment in a document that is code or an annotation.
pub(crate) fn code(document: &Document) -> Option<&Comment> {
    let below = document.node.descendants().map(|(meta, _)| meta);
    std::iter::once(&document.meta).chain(below).find_map(code_of)
}

/// Whether an item of an evaluated node carries an annotation.
pub(crate) fn is_annotated(node: &Node) -> bool {
    node.descendants().any(|(meta, _)| !meta.annotations().is_empty())
}

fn code_of(meta: &Meta) -> Option<&Comment> {
    meta.comments().iter().find(|comment| {
        let annotation = comment.text.as_bytes().strip_prefix(b"@");
        annotation.is_some_and(|it| it.split(|&byte| byte == b' ').next() != Some(b"comment"))
    })
}
