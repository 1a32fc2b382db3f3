//! Keys of data values: they must be unique in a map, and strings if templates refer to them.

use plumb_diagnostic::{Code, Diagnostic, Failure, Failures, Severity};
use plumb_source::message::term;
use plumb_source::{Origin, message};
use plumb_value::{Document, Map, MapItem, Node};

use crate::input_error::InputError;

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
    let warning = |twins| {
        let mut finding = duplicate(twins);
        finding.severity = Severity::Warning;
        finding.help("the last value is used: remove the other")
    };
    twins.map(warning).collect()
}

fn duplicate((first, second): (&MapItem, &MapItem)) -> Diagnostic {
    let error = InputError::DuplicateKey(second.key.key_words());
    let mut diagnostic = Diagnostic::error(DUPLICATE_KEY, error.message());
    for (item, label) in [(second, "given again here"), (first, "given here")] {
        if let Some(span) = item.origin.span() {
            diagnostic = diagnostic.label(span, label);
        }
    }
    diagnostic
}

/// A key of data values is not a string.
///
/// Templates refer to data values by names: put the key in quotes. YAML reads `on`, `no` and `y` as
/// booleans.
pub const KEY_TYPE: Code = Code::new("data-values/key-type");

/// Rejects values with a key that is not a string, because templates cannot refer to it as a field.
pub(crate) fn check_named(values: &Node) -> Result<(), Failure> {
    let mut failures = Failures::default();
    for item in values.maps().flat_map(nameless) {
        failures.add(wrong_key(item).into());
    }
    failures.into_result()
}

fn nameless(map: &Map) -> impl Iterator<Item = &MapItem> {
    map.items().iter().filter(|item| !matches!(item.key, Node::String(_)))
}

/// A key of data values that is not a string.
#[derive(Clone, Debug)]
pub struct NamelessKey {
    pub key: Node,
    pub origin: Origin,
}

fn wrong_key(item: &MapItem) -> Diagnostic {
    let (key, kind) = (item.key.key_words(), item.key.kind().with_article());
    let message = term(
        message!("expected keys of data values to be strings, found {kind}: `{key}`"),
        NamelessKey { key: item.key.clone(), origin: item.origin },
    );
    Diagnostic::error(KEY_TYPE, message).at(item.origin, "").help("to use it as text, quote it")
}
