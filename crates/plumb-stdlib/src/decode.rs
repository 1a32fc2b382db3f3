//! Text to values, for the modules that decode.

use plumb_source::{SourceKind, Text};
use plumb_starlark::{Error, Result, Thread};
use plumb_template::Runtime;
use plumb_value::Node;
use plumb_yaml::ReadOptions;

/// The first document of a YAML text.
pub(crate) fn yaml(thread: &Thread<'_>, text: &Text) -> Result<Node> {
    let sources = &Runtime::of(thread)?.sources;
    let file = sources.add("", SourceKind::Memory, text.as_bytes().into());
    let options = ReadOptions { comments: false, ..ReadOptions::default() };
    let documents = plumb_yaml::parse(file, text.as_bytes(), &options)
        .map_err(|error| Error::new(error.to_string()))?;
    Ok(documents.into_iter().next().map_or(Node::Null, |document| document.node))
}
