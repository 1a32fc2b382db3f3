//! The formats in which values are read and written.

mod hcl;
mod json_text;
mod order;
mod read;
mod tree;

use std::fmt;

use plumb_value::{ArrayItem, Node};
use plumb_yaml::print::json::JsonStyle;

use crate::error::{Error, Function};

pub(crate) use order::sort_keys;
pub(crate) use read::{
    Parsed, documents_of_json, json_places, key_text, node_of, parsed, parsed_input, value_of,
    value_within, yaml_documents,
};
pub(crate) use tree::{MAX_DEPTH, node_from_json};
/// The default number of spaces per level.
const INDENT: usize = 2;
/// The column at which YAML is folded, as in jk.
const YAML_WIDTH: usize = 80;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    #[default]
    FromExtension,
    Json,
    Yaml,
    Raw,
    YamlStream,
    JsonStream,
    Hcl,
}

impl Format {
    /// The format with this number in scripts.
    pub(crate) fn from_number(number: u32) -> Option<Self> {
        let all = [
            Self::FromExtension,
            Self::Json,
            Self::Yaml,
            Self::Raw,
            Self::YamlStream,
            Self::JsonStream,
            Self::Hcl,
        ];
        all.get(number as usize).copied()
    }

    /// Its number in scripts.
    pub(crate) fn number(self) -> u32 {
        self as u32
    }

    /// The format that reads all values of a file.
    pub(crate) fn of_all_values(path: &str) -> Self {
        match extension(path) {
            "yaml" | "yml" => Self::YamlStream,
            "json" => Self::JsonStream,
            _ => Self::FromExtension,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FromExtension => "FromExtension",
            Self::Json => "JSON",
            Self::Yaml => "YAML",
            Self::Raw => "Raw",
            Self::YamlStream => "YAMLStream",
            Self::JsonStream => "JSONStream",
            Self::Hcl => "HCL",
        })
    }
}

/// The order in which keys are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyOrder {
    Kept,
    /// The order of printed YAML.
    Natural,
}

impl KeyOrder {
    /// The order of keys in a format, or in a file if its extension determines it.
    pub(crate) fn of(format: Format, path: &str) -> Self {
        match (format, extension(path)) {
            (Format::Yaml | Format::YamlStream, _) | (Format::FromExtension, "yaml" | "yml") => {
                Self::Natural
            }
            _ => Self::Kept,
        }
    }
}

/// Prints a value whose keys are already in the order of the format. For [`Format::Raw`], the value
/// must be a text.
pub(crate) fn print(
    node: &Node,
    path: &str,
    format: Format,
    indent: Option<usize>,
) -> Result<Vec<u8>, Error> {
    let indent = indent.unwrap_or(INDENT);
    match (format, extension(path)) {
        (Format::Yaml, _) | (Format::FromExtension, "yaml" | "yml") => Ok(yaml(node)),
        (Format::YamlStream, _) => Ok(yaml_stream(items(node)?)),
        (Format::JsonStream, _) => json_stream(items(node)?),
        (Format::Hcl, _) | (Format::FromExtension, "hcl" | "tf") => hcl::print(node, indent),
        (Format::Json, _) | (Format::FromExtension, "json") => json_lines(node, indent),
        (Format::Raw | Format::FromExtension, _) => match node {
            Node::String(text) if format == Format::Raw => Ok(text.as_bytes().to_vec()),
            Node::String(text) => Ok([text.as_bytes(), b"\n"].concat()),
            node => json_lines(node, indent),
        },
    }
}

/// A value as a part of a stream on standard output.
#[derive(Debug)]
pub(crate) struct StreamPart {
    bytes: Vec<u8>,
    /// Whether the first value of the part is a map or an array; `None` if it has no values.
    starts_with_collection: Option<bool>,
}

impl StreamPart {
    /// The values of an array as separate values of the stream, or else the value itself.
    pub(crate) fn new(node: &Node, format: Format, is_spliced: bool) -> Result<Self, Error> {
        let single;
        let items = match node.as_array().filter(|_| is_spliced) {
            Some(array) => &*array.items,
            None => {
                single = [ArrayItem::new(node.clone(), plumb_source::Origin::Unknown)];
                &single
            }
        };
        let bytes = match format {
            Format::YamlStream => yaml_stream(items),
            _ => json_stream(items)?,
        };
        let starts_with_collection = items.first().map(|it| is_collection(&it.node));
        Ok(Self { bytes, starts_with_collection })
    }

    /// Appends the part to a stream.
    pub(crate) fn append_to(&self, out: &mut Vec<u8>, format: Format) {
        if let (Format::YamlStream, Some(is_collection), false) =
            (format, self.starts_with_collection, out.is_empty())
        {
            out.extend_from_slice(separator(is_collection));
        }
        out.extend_from_slice(&self.bytes);
    }

    /// Its size in bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
}

/// The result of `parse()` for a text.
pub(crate) fn parse(text: &str, format: Format) -> Result<Parsed, Error> {
    match format {
        Format::Json | Format::Yaml | Format::JsonStream | Format::YamlStream => {
            parsed("", text.as_bytes(), format)
        }
        Format::FromExtension | Format::Raw | Format::Hcl => {
            Err(Error::Unsupported { function: Function::Parse, format })
        }
    }
}

/// The result of `stringify()` for a value.
pub(crate) fn stringify(node: &Node, format: Format) -> Result<Vec<u8>, Error> {
    match format {
        Format::Json => {
            let mut out = Vec::new();
            json(node, 0, &mut out)?;
            Ok(out)
        }
        Format::Yaml | Format::YamlStream | Format::JsonStream | Format::Hcl => {
            print(node, "", format, None)
        }
        Format::FromExtension | Format::Raw => {
            Err(Error::Unsupported { function: Function::Stringify, format })
        }
    }
}
/// Joins a path and a name below it.
pub(crate) fn join_paths(base: &str, name: &str) -> String {
    let joined = format!("{base}/{name}");
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if joined.starts_with('/') => {}
            part => parts.push(part),
        }
    }
    let start = if base.starts_with('/') { "/" } else { "" };
    match format!("{start}{}", parts.join("/")) {
        empty if empty.is_empty() => ".".to_owned(),
        path => path,
    }
}

fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn yaml(node: &Node) -> Vec<u8> {
    let mut out = Vec::new();
    plumb_yaml::print::folded(node, YAML_WIDTH, &mut out);
    out
}

fn yaml_stream(items: &[ArrayItem]) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.extend_from_slice(separator(is_collection(&item.node)));
        }
        plumb_yaml::print::folded(&item.node, YAML_WIDTH, &mut out);
    }
    out
}

/// The separator between a document and the one before it.
fn separator(is_collection: bool) -> &'static [u8] {
    if is_collection { b"---\n" } else { b"--- " }
}

fn is_collection(node: &Node) -> bool {
    matches!(node, Node::Map(_) | Node::Array(_))
}

fn json_stream(items: &[ArrayItem]) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    for item in items {
        json(&item.node, 0, &mut out)?;
        out.push(b'\n');
    }
    Ok(out)
}

fn items(node: &Node) -> Result<&[ArrayItem], Error> {
    Ok(&node.as_array().ok_or(Error::NotAnArray)?.items)
}

fn json_lines(node: &Node, indent: usize) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    json(node, indent, &mut out)?;
    out.push(b'\n');
    Ok(out)
}

fn json(node: &Node, indent: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let style = JsonStyle { indent, escapes_html: true };
    Ok(plumb_yaml::print::json::node(node, style, out)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_clean() {
        assert_eq!(join_paths("a/b", "c"), "a/b/c");
        assert_eq!(join_paths(".", "c"), "c");
        assert_eq!(join_paths("a/..", "."), ".");
        assert_eq!(join_paths("..", "c"), "../c");
        assert_eq!(join_paths("/a", "../../c"), "/c");
    }
}
