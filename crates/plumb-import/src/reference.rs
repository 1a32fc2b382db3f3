//! References within a document.

use plumb_jsonschema::{Keyword, percent_decoded};
use plumb_value::Node;

/// The target of a reference such as `#/definitions/port` or `#port`.
pub(crate) fn resolve<'a>(document: &'a Node, reference: &str) -> Option<&'a Node> {
    let path = reference.strip_prefix('#')?;
    if !path.is_empty() && !path.starts_with('/') {
        return anchored(document, path);
    }
    let mut node = document;
    for step in path.split('/').skip(1) {
        let step = unescaped(step);
        node = match node {
            Node::Map(map) => map.get_str(&step)?,
            Node::Array(array) => &array.items.get(step.parse::<usize>().ok()?)?.node,
            _ => return None,
        };
    }
    Some(node)
}

/// The only schema with an anchor. Older drafts write it as `$id: "#name"`.
fn anchored<'a>(document: &'a Node, name: &str) -> Option<&'a Node> {
    let mut found = None;
    let mut left = vec![document];
    while let Some(node) = left.pop() {
        if let Node::Map(map) = node {
            let text = |keyword: Keyword| keyword.text(map);
            let is_named = text(Keyword::Anchor) == Some(name)
                || [Keyword::Id, Keyword::OldId]
                    .iter()
                    .any(|it| text(*it).and_then(|it| it.strip_prefix('#')) == Some(name));
            if is_named && found.replace(node).is_some() {
                return None;
            }
        }
        left.extend(node.children().map(|(_, child)| child));
    }
    found
}

/// A step without the escapes of JSON pointers (`~1` for a slash) and of URIs (`%20`).
fn unescaped(step: &str) -> String {
    percent_decoded(step).replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone() {
        assert_eq!(unescaped("a~1b~0c%20d%"), "a/b~c d%");
    }
}
