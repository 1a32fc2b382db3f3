//! The schema as text: a sample with annotations, and functions for alternatives before it.

use std::fmt::Write as _;

use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

use crate::convert::Imported;
use crate::item::{Item, Sample};
use crate::literal::yaml;
use crate::origin::Found;

pub(crate) fn schema(found: &Found<'_>, imported: &Imported) -> String {
    let mut out = format!("#! Imported from {}\n\n", on_one_line(&found.title));
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
        // Printed as documents, these have no text.
        Sample::Value(Node::Map(map)) if map.is_empty() => out.push_str("{}\n"),
        Sample::Value(Node::Array(array)) if array.items.is_empty() => out.push_str("[]\n"),
        Sample::Value(node) => push_lines(&yaml(node), 0, out),
        Sample::Map(items) if items.is_empty() => out.push_str("{}\n"),
        Sample::Map(items) => map(items, 0, out),
        Sample::Array(item) => array(item, 0, out),
    }
}

fn annotations(item: &Item, indent: usize, out: &mut String) {
    for note in &item.notes {
        let _ = writeln!(out, "{:indent$}#! {}", "", on_one_line(note));
    }
    for annotation in &item.annotations {
        let _ = writeln!(out, "{:indent$}#@{annotation}", "");
    }
    if !item.rules.is_empty() {
        let _ = writeln!(out, "{:indent$}#@schema/validation {}", "", item.rules.join(", "));
    }
}

fn map(items: &[(String, Item)], indent: usize, out: &mut String) {
    for (key, item) in items {
        annotations(item, indent, out);
        match &item.sample {
            Sample::Value(node) => {
                let entry = MapItem::new(key.as_str().into(), shown(node), Origin::Unknown);
                let text = yaml(&Node::map(Map::new(vec![entry], Origin::Unknown)));
                push_lines(&with_float(&text, node), indent, out);
            }
            Sample::Map(below) if below.is_empty() => {
                let _ = writeln!(out, "{:indent$}{}: {{}}", "", key_text(key));
            }
            Sample::Map(below) => {
                let _ = writeln!(out, "{:indent$}{}:", "", key_text(key));
                map(below, indent + 2, out);
            }
            Sample::Array(below) => {
                let _ = writeln!(out, "{:indent$}{}:", "", key_text(key));
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
        Sample::Map(items) if items.is_empty() => {
            let _ = writeln!(out, "{:indent$}- {{}}", "");
        }
        Sample::Map(items) => {
            let _ = writeln!(out, "{:indent$}-", "");
            map(items, indent + 2, out);
        }
        Sample::Array(below) => {
            let _ = writeln!(out, "{:indent$}-", "");
            array(below, indent + 2, out);
        }
    }
}

fn key_text(key: &str) -> String {
    let entry = MapItem::new(key.into(), Node::Int(0), Origin::Unknown);
    let text = yaml(&Node::map(Map::new(vec![entry], Origin::Unknown)));
    text.trim_end().strip_suffix(": 0").unwrap_or(key).to_owned()
}

/// What stands in for a float that YAML would print as an integer.
const STAND_IN: i64 = 0;

fn shown(node: &Node) -> Node {
    if is_whole_float(node) { Node::Int(STAND_IN) } else { node.clone() }
}

fn is_whole_float(node: &Node) -> bool {
    matches!(node, Node::Float(value) if value.fract() == 0.0 && value.abs() < 1e15)
}

fn with_float(text: &str, node: &Node) -> String {
    if !is_whole_float(node) {
        return text.to_owned();
    }
    let before = text.trim_end().strip_suffix('0').unwrap_or_default();
    format!("{before}{}", yaml(node))
}

fn push_lines(text: &str, indent: usize, out: &mut String) {
    for line in text.lines() {
        if line.is_empty() {
            out.push('\n');
        } else {
            let _ = writeln!(out, "{:indent$}{line}", "");
        }
    }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
