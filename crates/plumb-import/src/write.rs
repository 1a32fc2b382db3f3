//! Writes the schema as text: functions for alternatives, then a sample with annotations.

use std::fmt::Write as _;

use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

use crate::convert::Imported;
use crate::item::{Item, Keys, Sample};
use crate::literal::{MERGE, spelled, yaml};

/// The text of an imported schema. The title names its origin.
pub(crate) fn text(title: &str, imported: &Imported) -> String {
    let mut out = format!("#! Imported from {}\n", on_one_line(title));
    if imported.narrows_integers {
        out.push_str(
            "#! Here, integers have no fraction and at most 64 bits: 1.0 is not an integer\n",
        );
    }
    out.push('\n');
    for (name, item) in &imported.fragments {
        let _ = writeln!(out, "#@ def {name}():");
        document(item, &mut out);
        out.push_str("#@ end\n\n");
    }
    out.push_str("#@data/values-schema\n");
    document(&imported.root, &mut out);
    out
}

fn document(item: &Item, out: &mut String) {
    annotations(item, 0, out);
    out.push_str("---\n");
    match &item.sample {
        // As documents, these values would be printed as empty text.
        Sample::Value(Node::Map(map)) if map.is_empty() => out.push_str("{}\n"),
        Sample::Value(Node::Array(array)) if array.items.is_empty() => out.push_str("[]\n"),
        Sample::Value(node) => push_lines(&yaml(node), 0, out),
        Sample::Map(keys) if keys.is_empty() => out.push_str("{}\n"),
        Sample::Map(keys) => map(keys, 0, out),
        Sample::Array(item) => array(item, 0, out),
    }
}

fn annotations(item: &Item, indent: usize, out: &mut String) {
    for note in &item.notes {
        let _ = writeln!(out, "{:indent$}#! {}", "", on_one_line(note));
    }
    for annotation in &item.annotations {
        let _ = writeln!(out, "{:indent$}#@{}", "", spelled(&annotation.to_string()));
    }
    if !item.rules.is_empty() {
        let rules: Vec<String> = item.rules.iter().map(ToString::to_string).collect();
        let rules = rules.join(", ");
        let _ = writeln!(out, "{:indent$}#@schema/validation {}", "", spelled(&rules));
    }
}

fn map(keys: &Keys, indent: usize, out: &mut String) {
    for (key, item) in keys.items() {
        annotations(item, indent, out);
        let key = Node::from(key.as_str());
        match &item.sample {
            Sample::Value(node) => {
                push_lines(&with_float(&entry(&key, shown(node)), node), indent, out);
            }
            Sample::Map(below) if below.is_empty() => {
                push_lines(&format!("{} {{}}", head(&key)), indent, out);
            }
            Sample::Map(below) => {
                push_lines(&head(&key), indent, out);
                map(below, indent + 2, out);
            }
            Sample::Array(below) => {
                push_lines(&head(&key), indent, out);
                array(below, indent, out);
            }
        }
    }
}

fn array(item: &Item, indent: usize, out: &mut String) {
    annotations(item, indent, out);
    match &item.sample {
        Sample::Value(node) => {
            let items = vec![ArrayItem::new(shown(node), Origin::Unknown)];
            let text = yaml(&Node::array(Array::new(items, Origin::Unknown)));
            push_lines(&with_float(&text, node), indent, out);
        }
        Sample::Map(keys) if keys.is_empty() => {
            let _ = writeln!(out, "{:indent$}- {{}}", "");
        }
        Sample::Map(keys) => {
            let _ = writeln!(out, "{:indent$}-", "");
            map(keys, indent + 2, out);
        }
        Sample::Array(below) => {
            let _ = writeln!(out, "{:indent$}-", "");
            array(below, indent + 2, out);
        }
    }
}

/// A key with a colon, for a value on the lines below. A long key gets its own lines.
pub(crate) fn head(key: &Node) -> String {
    let text = entry(key, Node::Int(STAND_IN));
    text.trim_end().strip_suffix(" 0").expect("a placeholder after its key").to_owned()
}

/// A key and its value. The merge key is quoted, because it would otherwise merge its value.
pub(crate) fn entry(key: &Node, node: Node) -> String {
    let entry = MapItem::new(key.clone(), node, Origin::Unknown);
    let text = yaml(&Node::map(Map::new(vec![entry], Origin::Unknown)));
    match text.strip_prefix("<<:") {
        Some(rest) if key.as_str() == Some(MERGE) => format!("\"{MERGE}\":{rest}"),
        _ => text,
    }
}

/// A placeholder for a float that YAML would print as an integer.
const STAND_IN: i64 = 0;

pub(crate) fn shown(node: &Node) -> Node {
    if is_whole_float(node) { Node::Int(STAND_IN) } else { node.clone() }
}

fn is_whole_float(node: &Node) -> bool {
    matches!(node, Node::Float(value) if value.fract() == 0.0 && value.abs() < 1e15)
}

pub(crate) fn with_float(text: &str, node: &Node) -> String {
    if !is_whole_float(node) {
        return text.to_owned();
    }
    let before = text.trim_end().strip_suffix('0').unwrap_or_default();
    format!("{before}{}", yaml(node))
}

pub(crate) fn push_lines(text: &str, indent: usize, out: &mut String) {
    for line in text.lines() {
        if line.is_empty() {
            out.push('\n');
        } else {
            let _ = writeln!(out, "{:indent$}{line}", "");
        }
    }
}

/// A text on one line, without characters that YAML does not allow in a comment.
pub(crate) fn on_one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_refused =
        |it: char| it.is_control() || matches!(it, '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    words.join(" ").replace(is_refused, "\u{fffd}")
}
