//! Parses texts in any format.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use plumb_source::{FileId, Origin, SourceKind, Sources, Span};
use plumb_value::{Array, ArrayItem, Document, Map, MapItem, Node};
use plumb_yaml::ReadOptions;
use plumb_yaml::print::json::JsonError;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::{Format, MAX_DEPTH, json_text, node_from_json};
use crate::error::{Error, Function};

/// The contents of a text.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// A JSON text that was not parsed yet: the engine parses it, so that scripts get its errors.
    Json(String),
    /// One value.
    Node(Node),
    /// All documents of a YAML text.
    Documents(Vec<Document>),
}

/// The value or values of a text. The extension of a file determines whether it is JSON, or YAML,
/// of which only the first document is read.
pub(crate) fn parsed(path: &str, bytes: &[u8], format: Format) -> Result<Parsed, Error> {
    match (format, super::extension(path)) {
        (Format::Yaml, _) | (Format::FromExtension, "yaml" | "yml") => {
            let documents = yaml_documents(unplaced(path), bytes)?;
            Ok(Parsed::Node(documents.into_iter().next().map_or(Node::Null, |it| it.node)))
        }
        (Format::YamlStream, _) => Ok(Parsed::Documents(yaml_documents(unplaced(path), bytes)?)),
        (Format::JsonStream, _) => Ok(Parsed::Json(json_values(bytes)?)),
        (Format::Json | Format::FromExtension, _) => Ok(Parsed::Json(json_value(bytes))),
        (Format::Raw | Format::Hcl, _) => {
            Err(Error::Unsupported { function: Function::Read, format })
        }
    }
}

/// Like [`parsed`], for a file of the command line. A text that is not JSON is rejected here,
/// because its path is known.
pub(crate) fn parsed_input(path: &str, bytes: &[u8], format: Format) -> Result<Parsed, Error> {
    let parsed = parsed(path, bytes, format)?;
    if let (Parsed::Json(json), Format::FromExtension) = (&parsed, format) {
        serde_json::from_str::<IgnoredAny>(json)?;
    }
    Ok(parsed)
}

/// The documents of a JSON text from [`parsed_input`]. They have no places.
pub(crate) fn documents_of_json(json: &str, format: Format) -> Result<Vec<Document>, Error> {
    let document = |node: Node| Document::new(node, Origin::Unknown);
    match (format, node_from_json(json)?) {
        (Format::JsonStream, Node::Array(array)) => {
            Ok(array.items.iter().map(|item| document(item.node.clone())).collect())
        }
        (_, node) => Ok(vec![document(node)]),
    }
}

/// The contents of a text as a JSON tree for schemas. Fails if it is deeper than `max_depth`.
pub(crate) fn value_within(parsed: &Parsed, max_depth: usize) -> Result<Value, Error> {
    match parsed {
        Parsed::Json(json) if depth(json) > max_depth => Err(Error::TooDeep(max_depth)),
        Parsed::Json(json) => json_text::read(json, PhantomData::<Value>),
        Parsed::Node(node) => value_of(node, max_depth),
        Parsed::Documents(documents) => {
            let values = documents.iter().map(|it| value_of(&it.node, max_depth));
            Ok(Value::Array(values.collect::<Result<_, _>>()?))
        }
    }
}

/// The depth of a JSON text.
fn depth(json: &str) -> usize {
    let (mut deepest, mut depth) = (0, 0_usize);
    let mut is_string = false;
    let mut bytes = json.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if is_string => _ = bytes.next(),
            b'"' => is_string = !is_string,
            b'[' | b'{' if !is_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !is_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// A node as a JSON tree for schemas: in some drafts, `1.0` is not an integer. Keys that are not
/// strings are converted to strings. Fails if the node is deeper than `max_depth`.
pub(crate) fn value_of(node: &Node, max_depth: usize) -> Result<Value, Error> {
    let below = || max_depth.checked_sub(1).ok_or(Error::TooDeep(MAX_DEPTH));
    Ok(match node {
        Node::Null => Value::Null,
        Node::Bool(value) => Value::Bool(*value),
        Node::Int(value) => Value::from(*value),
        Node::UInt(value) => Value::from(*value),
        Node::Float(value) => Value::Number(
            serde_json::Number::from_f64(*value)
                .ok_or(JsonError::Number { value: *value, origin: Origin::Unknown })?,
        ),
        Node::String(text) => Value::String(text.to_str_lossy().into_owned()),
        Node::Array(array) => {
            let below = below()?;
            let items = array.items.iter().map(|item| value_of(&item.node, below));
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        Node::Map(map) => {
            let below = below()?;
            let items = map
                .items()
                .iter()
                .map(|item| Ok((key_text(&item.key).into_owned(), value_of(&item.node, below)?)));
            Value::Object(items.collect::<Result<_, Error>>()?)
        }
    })
}

/// A JSON tree as a node.
pub(crate) fn node_of(value: &Value) -> Node {
    match value {
        Value::Null => Node::Null,
        Value::Bool(value) => Node::Bool(*value),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(value), _) => Node::Int(value),
            (None, Some(value)) => Node::uint(value),
            (None, None) => Node::Float(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => {
            let items = items.iter().map(|it| ArrayItem::new(node_of(it), Origin::Unknown));
            Node::array(Array::new(items.collect(), Origin::Unknown))
        }
        Value::Object(items) => {
            let items = items.iter().map(|(key, value)| {
                MapItem::new(key.as_str().into(), node_of(value), Origin::Unknown)
            });
            Node::map(Map::new(items.collect(), Origin::Unknown))
        }
    }
}

fn json_value(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)).into_owned()
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Consecutive values as an array.
fn json_values(bytes: &[u8]) -> Result<String, Error> {
    let text = json_value(bytes);
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>();
    let mut array = String::with_capacity(text.len() + 2);
    let mut start = 0;
    while let Some(value) = values.next() {
        value?;
        let end = values.byte_offset();
        array.push(if start == 0 { '[' } else { ',' });
        array.push_str(&text[start..end]);
        start = end;
    }
    array.push_str(if start == 0 { "[]" } else { "]" });
    Ok(array)
}

/// The documents of a YAML text, with their places in it.
pub(crate) fn yaml_documents(file: FileId, bytes: &[u8]) -> Result<Vec<Document>, Error> {
    let options = ReadOptions { comments: false, ..ReadOptions::default() };
    let mut documents = plumb_yaml::parse(file, bytes, &options)?;
    documents.retain(|it| !it.is_injected);
    Ok(documents)
}

/// An id for a text whose places are not needed.
fn unplaced(path: &str) -> FileId {
    Sources::new().add(path, SourceKind::File, Arc::default())
}

/// The values of a JSON text as documents with places. A single value is read as YAML, which
/// includes JSON, and all of its parts have places; of several values, only each value as a whole
/// has one.
pub(crate) fn json_places(file: FileId, bytes: &[u8]) -> Vec<Document> {
    let text = String::from_utf8_lossy(bytes);
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>();
    let mut spans = Vec::new();
    let mut start = 0;
    while let Some(Ok(_)) = values.next() {
        let end = values.byte_offset();
        let blank = text[start..end].len() - text[start..end].trim_start().len();
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        spans.push(Span::new(file, place(start + blank), place(end)));
        start = end;
    }
    match yaml_documents(file, bytes) {
        Ok(documents) if spans.len() == 1 && documents.len() == 1 => documents,
        _ => {
            let document = |span| Document::new(Node::Null, Origin::Written(span));
            spans.into_iter().map(document).collect()
        }
    }
}

/// The text of a key. Keys that are not strings are converted to their text in YAML.
pub(crate) fn key_text(key: &Node) -> Cow<'_, str> {
    match key {
        Node::String(text) => text.to_str_lossy(),
        Node::Null => "null".into(),
        Node::Bool(value) => value.to_string().into(),
        Node::Int(value) => value.to_string().into(),
        Node::UInt(value) => value.to_string().into(),
        Node::Float(value) => value.to_string().into(),
        Node::Map(_) | Node::Array(_) => key.repr().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_one_after_the_other_become_an_array() {
        let array = |text: &[u8]| json_values(text).expect("values");
        assert_eq!(array(b"{\"a\":1} 2\n[3]"), "[{\"a\":1}, 2,\n[3]]");
        assert_eq!(array(b" \n"), "[]");
        assert!(json_values(b"{} {").is_err());
    }
}
