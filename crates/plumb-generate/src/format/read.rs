//! Texts in any format to JSON, which is what scripts are given.

use std::sync::Arc;

use plumb_source::{FileId, Origin, SourceKind, Sources, Span};
use plumb_value::{Document, Map, Node};
use plumb_yaml::ReadOptions;
use plumb_yaml::print::json::JsonStyle;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::{Format, KeyOrder, node_from_json};

/// The value or values of a text as one JSON text. By its extension a file is YAML, of which the
/// first document is read, or else JSON.
pub(crate) fn to_json(path: &str, bytes: &[u8], format: Format) -> Result<String, String> {
    match (format, super::extension(path)) {
        (Format::Yaml, _) | (Format::FromExtension, "yaml" | "yml") => yaml_to_json(path, bytes),
        (Format::YamlStream, _) => yaml_values(path, bytes),
        (Format::JsonStream, _) => json_values(bytes),
        (Format::Json | Format::FromExtension, _) => Ok(json_value(bytes)),
        (Format::Raw | Format::Hcl, _) => Err(format!("unsupported format for reading: {format}")),
    }
}

/// The first document of a YAML text.
pub(crate) fn yaml_to_json(path: &str, bytes: &[u8]) -> Result<String, String> {
    let documents = yaml_documents(unplaced(path), bytes)?;
    documents.first().map_or_else(|| Ok("null".to_owned()), |first| json_of(&first.node))
}

/// All documents of a YAML text, as an array.
fn yaml_values(path: &str, bytes: &[u8]) -> Result<String, String> {
    json_of_all(&yaml_documents(unplaced(path), bytes)?)
}

/// As [`to_json`], for a file that no script asked for: what is no JSON is refused here, where its
/// path is known.
pub(crate) fn input_to_json(path: &str, bytes: &[u8], format: Format) -> Result<String, String> {
    let json = to_json(path, bytes, format)?;
    if format == Format::FromExtension {
        serde_json::from_str::<IgnoredAny>(&json).map_err(|error| error.to_string())?;
    }
    Ok(json)
}

/// The documents of a JSON text that [`input_to_json`] gave. They have no places.
pub(crate) fn documents_of_json(json: &str, format: Format) -> Result<Vec<Document>, String> {
    let document = |node: Node| Document::new(node, Origin::Unknown);
    match (format, node_from_json(json, KeyOrder::Kept)?) {
        (Format::JsonStream, Node::Array(array)) => {
            Ok(array.items.iter().map(|item| document(item.node.clone())).collect())
        }
        (_, node) => Ok(vec![document(node)]),
    }
}

/// Documents as scripts get them.
pub(crate) fn json_of_all(documents: &[Document]) -> Result<String, String> {
    let mut out = vec![b'['];
    for (at, document) in documents.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        json(&document.node, &mut out)?;
    }
    out.push(b']');
    Ok(text(&out).into_owned())
}

/// A node as a JSON text. Keys that are no strings become some.
fn json_of(node: &Node) -> Result<String, String> {
    let mut out = Vec::new();
    json(node, &mut out)?;
    Ok(text(&out).into_owned())
}

/// A node as a tree of JSON, for schemas: to some drafts, `1.0` is not an integer. Keys that are no
/// strings become some.
pub(crate) fn value_of(node: &Node) -> Result<Value, String> {
    Ok(match node {
        Node::Null => Value::Null,
        Node::Bool(value) => Value::Bool(*value),
        Node::Int(value) => Value::from(*value),
        Node::UInt(value) => Value::from(*value),
        Node::Float(value) => serde_json::Number::from_f64(*value)
            .map(Value::Number)
            .ok_or_else(|| format!("expected a finite number, found {value}"))?,
        Node::String(text) => Value::String(text.to_str_lossy().into_owned()),
        Node::Array(array) => {
            let items = array.items.iter().map(|item| value_of(&item.node));
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        Node::Map(map) => {
            let items = map.items().iter().map(|item| {
                let key = key_name(&item.key).unwrap_or_else(|| match &item.key {
                    Node::String(text) => text.to_str_lossy().into_owned(),
                    key => key.repr(),
                });
                Ok((key, value_of(&item.node)?))
            });
            Value::Object(items.collect::<Result<_, String>>()?)
        }
    })
}

fn json_value(bytes: &[u8]) -> String {
    text(bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)).into_owned()
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Values one behind the other, as an array.
fn json_values(bytes: &[u8]) -> Result<String, String> {
    let text = json_value(bytes);
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>();
    let mut array = String::with_capacity(text.len() + 2);
    let mut start = 0;
    while let Some(value) = values.next() {
        value.map_err(|error| error.to_string())?;
        let end = values.byte_offset();
        array.push(if start == 0 { '[' } else { ',' });
        array.push_str(&text[start..end]);
        start = end;
    }
    array.push_str(if start == 0 { "[]" } else { "]" });
    Ok(array)
}

fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The documents of a YAML text, with their places in it.
pub(crate) fn yaml_documents(file: FileId, bytes: &[u8]) -> Result<Vec<Document>, String> {
    let options = ReadOptions { comments: false, ..ReadOptions::default() };
    let parsed = plumb_yaml::parse(file, bytes, &options);
    let mut documents = parsed.map_err(|error| error.to_string())?;
    documents.retain(|it| !it.is_injected);
    Ok(documents)
}

/// An id for a text whose places no one asks for.
fn unplaced(path: &str) -> FileId {
    Sources::new().add(path, SourceKind::File, Arc::default())
}

/// The values of a JSON text as documents that know their places. A single value is read as YAML,
/// of which JSON is a part, and all of it has places; of several, each has its own.
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

fn json(node: &Node, out: &mut Vec<u8>) -> Result<(), String> {
    let style = JsonStyle { indent: 0, escapes_html: false };
    let printed = if has_unnamed_keys(node) {
        let mut named = node.clone();
        name_keys(&mut named);
        plumb_yaml::print::json::node(&named, style, out)
    } else {
        plumb_yaml::print::json::node(node, style, out)
    };
    printed.map_err(|error| error.to_string())
}

fn has_unnamed_keys(node: &Node) -> bool {
    node.maps().any(|map| map.items().iter().any(|item| key_name(&item.key).is_some()))
}

/// Turns keys that are not strings into the strings that are written for them.
fn name_keys(node: &mut Node) {
    for item in node.map_mut().into_iter().flat_map(Map::items_mut) {
        if let Some(name) = key_name(&item.key) {
            item.key = name.as_str().into();
        }
    }
    node.children_mut().for_each(|(_, child)| name_keys(child));
}

fn key_name(key: &Node) -> Option<String> {
    match key {
        Node::Null => Some("null".to_owned()),
        Node::Bool(value) => Some(value.to_string()),
        Node::Int(value) => Some(value.to_string()),
        Node::UInt(value) => Some(value.to_string()),
        Node::Float(value) => Some(value.to_string()),
        Node::String(_) | Node::Map(_) | Node::Array(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_one_behind_the_other_become_an_array() {
        assert_eq!(json_values(b"{\"a\":1} 2\n[3]"), Ok("[{\"a\":1}, 2,\n[3]]".to_owned()));
        assert_eq!(json_values(b" \n"), Ok("[]".to_owned()));
        assert!(json_values(b"{} {").is_err());
    }
}
