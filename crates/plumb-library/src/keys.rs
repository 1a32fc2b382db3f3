//! Keys of data values: each once in its map, and a string where templates are to name it.

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::Sources;
use plumb_value::{Document, Map, MapItem, Node};

/// Plain data values have a key twice in one map.
///
/// Only one of the two could count: remove the other.
pub(crate) const DUPLICATE_KEY: Code = Code::new("data-values/duplicate-key");

/// Refuses documents in which a map has a key twice.
pub(crate) fn check_unique(document: &Document) -> Result<(), Failure> {
    let Some((first, second)) = find(&document.node, twins) else {
        return Ok(());
    };
    let key = second.key.peer_key();
    let message = format!("Expected key '{key}' to be in a map once, but was twice");
    let mut diagnostic = Diagnostic::error(DUPLICATE_KEY, message);
    for (item, label) in [(second, "given again here"), (first, "given here")] {
        if let Some(span) = item.origin.span() {
            diagnostic = diagnostic.value_label(span, label);
        }
    }
    Err(diagnostic.into())
}

/// Refuses values with a key that no template could name: fields have names.
pub(crate) fn check_named(values: &Node, sources: &Sources) -> Result<(), String> {
    let Some(item) = find(values, nameless) else {
        return Ok(());
    };
    let place = item.origin.span().map_or_else(|| "?".to_owned(), |span| sources.place(span));
    let (key, kind) = (item.key.repr(), item.key.kind());
    Err(format!(
        "Expected keys of data values to be strings, but key {key} is of type {kind} ({place}) \
         (hint: quote it)"
    ))
}

fn twins(map: &Map) -> Option<(&MapItem, &MapItem)> {
    map.items().iter().enumerate().find_map(|(at, item)| {
        let last = map.position(&item.key).filter(|&last| last != at)?;
        Some((item, &map.items()[last]))
    })
}

fn nameless(map: &Map) -> Option<&MapItem> {
    map.items().iter().find(|item| !matches!(item.key, Node::String(_)))
}

/// What is found in the first of all maps in a node where there is anything to find.
fn find<'a, T>(node: &'a Node, look: fn(&'a Map) -> Option<T>) -> Option<T> {
    let mut ahead = vec![node];
    while let Some(node) = ahead.pop() {
        match node {
            Node::Map(map) => {
                if let Some(found) = look(map) {
                    return Some(found);
                }
                ahead.extend(map.items().iter().rev().map(|it| &it.node));
            }
            Node::Array(array) => ahead.extend(array.items.iter().rev().map(|it| &it.node)),
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
