//! Keys of a schema that are not strings, which templates cannot refer to.

use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message;
use plumb_value::{Document, Map, Node};

/// A key of a schema is not a string.
///
/// Templates refer to data values by names: put the key in quotes. YAML reads `on`, `no`, `y` and
/// `n` as booleans.
pub const KEY_TYPE: Code = Code::new("schema/key-type");

/// Warns about each key of a schema that is not a string.
pub fn nameless_keys(schema: &Document) -> Vec<Diagnostic> {
    let items = schema.node.maps().flat_map(Map::items);
    let nameless = items.filter(|item| !matches!(item.key, Node::String(_)));
    let warning = nameless.map(|item| {
        let (key, kind) = (item.key.key_words(), item.key.kind().with_article());
        let message = message!(
            "the schema declares a key that is {kind}: `{key}`; templates can refer only to strings"
        );
        let help = "to use it as text, quote it";
        Diagnostic::warning(KEY_TYPE, message).at(item.origin, "").help(help)
    });
    warning.collect()
}
