//! Converts text to values, for the modules that decode.

use plumb_source::message::{plain, term};
use plumb_source::{SourceKind, Text, message};
use plumb_starlark::{Error, Result, Thread};
use plumb_template::Runtime;
use plumb_value::Node;
use plumb_yaml::ReadOptions;

use crate::memory::{max_aliased, too_much};

/// Parses a YAML text of one document.
pub(crate) fn yaml(thread: &Thread<'_>, text: &Text) -> Result<Node> {
    let sources = &Runtime::of(thread)?.sources;
    // The text stays in memory, because places refer to it.
    thread.budget().hold(text.len() as u64)?;
    let file = sources.add("", SourceKind::Memory, text.as_bytes().into());
    let mut options = ReadOptions { comments: false, ..ReadOptions::default() };
    let (usual, max) = (options.limits.aliased_values, max_aliased(thread));
    options.limits.aliased_values = usual.min(max);
    let documents = plumb_yaml::parse(file, text.as_bytes(), &options).map_err(|error| {
        let is_memory = error.is_expansion() && max < usual;
        if is_memory { too_much() } else { Error::new(error.message()) }
    })?;
    let mut documents = documents.into_iter();
    match (documents.next(), documents.next()) {
        (None, _) => Ok(Node::Null),
        (Some(document), None) => {
            check_keys(&document.node)?;
            Ok(document.node)
        }
        (Some(_), Some(_)) => {
            let words = "expected exactly one document, found several";
            Err(Error::new(term(words, DataError::SeveralDocuments)))
        }
    }
}

/// Why data cannot be a value of the language, or cannot be written in a format.
#[derive(Clone, Copy, Debug)]
pub enum DataError {
    /// Several documents where only one is allowed.
    SeveralDocuments,
    /// A key that its map has already.
    DuplicateKey,
    /// Something else than a map at the top level of TOML.
    NotATable,
    /// A key that is not a string, in a format that has no others.
    KeyNotString,
    /// A null in an array, in a format that has none.
    NullInArray,
}

/// Checks that all maps can be dictionaries.
fn check_keys(node: &Node) -> Result<()> {
    if let Node::Map(map) = node {
        if let Some((item, _)) = map.twins() {
            let key = item.key.key_words();
            let words = term("found the same key twice", DataError::DuplicateKey);
            return Err(Error::new(message!("{words}: {}", key.as_value())));
        }
        if let Some(item) = map.items().iter().find(|item| item.key.address().is_some()) {
            let found = message::found(plain(item.key.kind()));
            return Err(Error::new(message!("expected a key to be a scalar, {found}")));
        }
    }
    node.children().try_for_each(|(_, child)| check_keys(child))
}
