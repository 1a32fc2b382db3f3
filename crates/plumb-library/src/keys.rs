//! Keys of data values: they must be unique in a map, and strings if templates refer to them.

use plumb_diagnostic::{Code, Diagnostic, Failure, Severity};
use plumb_source::message::plain;
use plumb_source::{Message, Sources, message};
use plumb_value::{Document, Map, MapItem, Node};

/// Plain data values have the same key twice in one map.
///
/// Only one of the two values can be used: remove the other.
pub(crate) const DUPLICATE_KEY: Code = Code::new("data-values/duplicate-key");

/// Rejects documents in which a map has a duplicate key.
pub(crate) fn check_unique(document: &Document) -> Result<(), Failure> {
    match document.node.maps().find_map(Map::twins) {
        Some(twins) => Err(duplicate(twins).into()),
        None => Ok(()),
    }
}

/// Returns a warning for each map of a document that has a duplicate key.
pub(crate) fn duplicates(document: &Document) -> Vec<Diagnostic> {
    let twins = document.node.maps().filter_map(Map::twins);
    let warning = |twins| Diagnostic { severity: Severity::Warning, ..duplicate(twins) };
    twins.map(|it| warning(it).help("the last value counts: remove the other")).collect()
}

fn duplicate((first, second): (&MapItem, &MapItem)) -> Diagnostic {
    let key = second.key.peer_key();
    let message = message!("Expected key '{}' to be in a map once, but was twice", plain(key));
    let mut diagnostic = Diagnostic::error(DUPLICATE_KEY, message);
    for (item, label) in [(second, "given again here"), (first, "given here")] {
        if let Some(span) = item.origin.span() {
            diagnostic = diagnostic.label(span, label);
        }
    }
    diagnostic
}

/// Rejects values with a key that is not a string: templates could not refer to it as a field.
pub(crate) fn check_named(values: &Node, sources: &Sources) -> Result<(), Message> {
    let Some(item) = values.maps().find_map(nameless) else {
        return Ok(());
    };
    let place = item.origin.span().map_or_else(|| "?".to_owned(), |span| sources.place(span));
    let (key, kind) = (item.key.repr(), item.key.kind());
    Err(message!(
        "Expected keys of data values to be strings, but key {} is of type {} ({}) \
         (hint: quote it)",
        plain(key),
        plain(kind),
        plain(place)
    ))
}

fn nameless(map: &Map) -> Option<&MapItem> {
    map.items().iter().find(|item| !matches!(item.key, Node::String(_)))
}
