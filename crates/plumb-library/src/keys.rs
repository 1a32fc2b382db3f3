//! Keys of data values: each once in its map, and a string where templates are to name it.

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::Sources;
use plumb_value::{Document, Map, MapItem, Node};

/// Plain data values have the same key twice in one map.
///
/// Only one of the two values can be used: remove the other.
pub(crate) const DUPLICATE_KEY: Code = Code::new("data-values/duplicate-key");

/// Refuses documents in which a map has a key twice.
pub(crate) fn check_unique(document: &Document) -> Result<(), Failure> {
    let Some((first, second)) = document.node.maps().find_map(Map::twins) else {
        return Ok(());
    };
    let key = second.key.peer_key();
    let message = format!("Expected key '{key}' to be in a map once, but was twice");
    let mut diagnostic = Diagnostic::error(DUPLICATE_KEY, message);
    for (item, label) in [(second, "given again here"), (first, "given here")] {
        if let Some(span) = item.origin.span() {
            diagnostic = diagnostic.label(span, label);
        }
    }
    Err(diagnostic.into())
}

/// Refuses values with a key that no template could name: fields have names.
pub(crate) fn check_named(values: &Node, sources: &Sources) -> Result<(), String> {
    let Some(item) = values.maps().find_map(nameless) else {
        return Ok(());
    };
    let place = item.origin.span().map_or_else(|| "?".to_owned(), |span| sources.place(span));
    let (key, kind) = (item.key.repr(), item.key.kind());
    Err(format!(
        "Expected keys of data values to be strings, but key {key} is of type {kind} ({place}) \
         (hint: quote it)"
    ))
}

fn nameless(map: &Map) -> Option<&MapItem> {
    map.items().iter().find(|item| !matches!(item.key, Node::String(_)))
}
