//! The formats that values are read and written in. Between scripts and these, every value is a
//! JSON text.

mod hcl;
pub(crate) mod json_text;
mod order;
mod read;
mod tree;

use std::fmt;

use plumb_value::{ArrayItem, Node};
use plumb_yaml::print::json::JsonStyle;

pub(crate) use read::{
    documents_of_json, input_to_json, json_of_all, json_places, to_json, value_of, yaml_documents,
    yaml_to_json,
};
pub(crate) use tree::{KeyOrder, MAX_DEPTH, node_from_json};

/// Spaces per level where nothing else is asked for.
const INDENT: usize = 2;
/// Beyond this column YAML is folded, as jk does.
const YAML_WIDTH: usize = 80;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    FromExtension,
    Json,
    Yaml,
    Raw,
    YamlStream,
    JsonStream,
    Hcl,
}

impl Format {
    /// The format that scripts know by this number.
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

    /// The number that scripts know it by.
    pub(crate) fn number(self) -> u32 {
        self as u32
    }

    /// The format that holds every value of a file.
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

/// What is written for a value: its JSON text, or for [`Format::Raw`] the text itself.
pub(crate) fn print(
    text: &str,
    path: &str,
    format: Format,
    indent: Option<usize>,
) -> Result<Vec<u8>, String> {
    let indent = indent.unwrap_or(INDENT);
    match (format, extension(path)) {
        (Format::Raw, _) => Ok(text.as_bytes().to_vec()),
        (Format::Yaml, _) | (Format::FromExtension, "yaml" | "yml") => yaml(text),
        (Format::YamlStream, _) => yaml_stream(text),
        (Format::JsonStream, _) => json_stream(text),
        (Format::Hcl, _) | (Format::FromExtension, "hcl" | "tf") => hcl::print(text, indent),
        (Format::Json, _) | (Format::FromExtension, "json") => json_lines(text, indent),
        (Format::FromExtension, _) => text_or_json(text, indent),
    }
}

/// What `parse()` gives for a text: a JSON text.
pub(crate) fn parse(text: &str, format: Format) -> Result<String, String> {
    match format {
        Format::Json | Format::Yaml | Format::JsonStream | Format::YamlStream => {
            to_json("", text.as_bytes(), format)
        }
        Format::FromExtension | Format::Raw | Format::Hcl => Err(format!(
            "unsupported format for parse: expected JSON, YAML, JSONStream or YAMLStream, found {format}"
        )),
    }
}

/// What `stringify()` gives for the JSON text of a value.
pub(crate) fn stringify(text: &str, format: Format) -> Result<Vec<u8>, String> {
    match format {
        Format::Json => {
            let mut out = Vec::new();
            json(&node_from_json(text, KeyOrder::Kept)?, 0, &mut out)?;
            Ok(out)
        }
        Format::Yaml | Format::YamlStream | Format::JsonStream | Format::Hcl => {
            print(text, "", format, None)
        }
        Format::FromExtension | Format::Raw => Err(format!(
            "unsupported format for stringify: expected JSON, YAML, JSONStream, YAMLStream or HCL, \
             found {format}"
        )),
    }
}

/// A path and a name below it.
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

fn yaml(text: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len() * 2);
    plumb_yaml::print::folded(&node_from_json(text, KeyOrder::Natural)?, YAML_WIDTH, &mut out);
    Ok(out)
}

fn yaml_stream(text: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len() * 2);
    for (at, item) in items(&node_from_json(text, KeyOrder::Natural)?)?.iter().enumerate() {
        let is_collection = matches!(&item.node, Node::Map(_) | Node::Array(_));
        if at > 0 {
            out.extend_from_slice(if is_collection { b"---\n" } else { b"--- " });
        }
        plumb_yaml::print::folded(&item.node, YAML_WIDTH, &mut out);
    }
    Ok(out)
}

fn json_stream(text: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len());
    for item in items(&node_from_json(text, KeyOrder::Kept)?)? {
        json(&item.node, 0, &mut out)?;
        out.push(b'\n');
    }
    Ok(out)
}

fn items(node: &Node) -> Result<&[ArrayItem], String> {
    let array = node.as_array().ok_or("a stream is written from an array of values")?;
    Ok(&array.items)
}

fn json_lines(text: &str, indent: usize) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len() * 2);
    json(&node_from_json(text, KeyOrder::Kept)?, indent, &mut out)?;
    out.push(b'\n');
    Ok(out)
}

/// Strings as they are, everything else as JSON.
fn text_or_json(text: &str, indent: usize) -> Result<Vec<u8>, String> {
    match node_from_json(text, KeyOrder::Kept)? {
        Node::String(text) => Ok([text.as_bytes(), b"\n"].concat()),
        node => {
            let mut out = Vec::with_capacity(text.len() * 2);
            json(&node, indent, &mut out)?;
            out.push(b'\n');
            Ok(out)
        }
    }
}

fn json(node: &Node, indent: usize, out: &mut Vec<u8>) -> Result<(), String> {
    let style = JsonStyle { indent, escapes_html: true };
    plumb_yaml::print::json::node(node, style, out).map_err(|error| error.to_string())
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
