//! Adds the declaration of a data value to a schema.

use plumb_value::{Document, Node};

use crate::Edit;
use crate::data_path::Step;
use crate::file::{File, SCHEMA};
use crate::knowledge::Knowledge;
use crate::overlay::Overlay;

/// The change that declares a data value in the schema that declares the map around it.
pub(crate) fn declaration(
    path: &[Step],
    value: &Node,
    overlay: &Overlay,
    knowledge: &Knowledge,
) -> Option<Edit> {
    let (Step::Key(key), parents) = path.split_last()? else { return None };
    for path in knowledge.files() {
        let Some(text) = overlay.text(path) else { continue };
        let file = File::read(path, text);
        let is_schema = |it: &&Document| {
            plumb_template::annotation_names(&it.meta).any(|name| SCHEMA.contains(&name))
        };
        for document in file.documents.iter().filter(is_schema) {
            let Some(node) = below(&document.node, parents) else { continue };
            let Some(place) = insertion_point(&file, node) else { continue };
            let text = format!("{}{}", place.before, lines(key, value, place.column));
            return Some(Edit { path: path.clone(), range: place.at..place.at, text });
        }
    }
    None
}

fn below<'a>(node: &'a Node, path: &[Step]) -> Option<&'a Node> {
    let mut here = node;
    for step in path {
        here = match step {
            Step::Key(key) => here.as_map()?.get_str(key)?,
            Step::Item => &here.as_array()?.items.first()?.node,
        };
    }
    Some(here)
}

/// Where a key is added to a map.
struct InsertionPoint {
    at: u32,
    column: usize,
    /// A line break, if the last line does not end with one.
    before: &'static str,
}

/// The place after the last item of a block map. Returns `None` for flow maps and empty maps.
fn insertion_point(file: &File, node: &Node) -> Option<InsertionPoint> {
    let first = node.as_map()?.items().first()?.origin.span()?;
    let line = file.line_start(first.start);
    let indent = &file.text[line as usize..first.start as usize];
    if !indent.iter().all(|it| matches!(it, b' ' | b'-')) {
        return None;
    }
    let end = file.line_end(end_of(node)?);
    let has_break = file.text.get(end as usize).is_some();
    let (at, before) = if has_break { (end + 1, "") } else { (end, "\n") };
    let at = at.min(u32::try_from(file.text.len()).ok()?);
    Some(InsertionPoint { at, column: (first.start - line) as usize, before })
}

/// The place of the last item in a node.
fn end_of(node: &Node) -> Option<u32> {
    let (origin, node) = match node {
        Node::Map(map) => map.items().last().map(|it| (it.origin, &it.node))?,
        Node::Array(array) => array.items.last().map(|it| (it.origin, &it.node))?,
        _ => return None,
    };
    let own = origin.span()?.end;
    Some(end_of(node).unwrap_or(own).max(own))
}

/// The lines that declare a key, with a value of the same type.
fn lines(key: &str, value: &Node, column: usize) -> String {
    let indent = " ".repeat(column);
    match value {
        Node::Null => format!("{indent}#@schema/nullable\n{indent}{key}: \"\"\n"),
        Node::Bool(_) => format!("{indent}{key}: false\n"),
        Node::Int(_) | Node::UInt(_) => format!("{indent}{key}: 0\n"),
        Node::Float(_) => format!("{indent}{key}: 0.0\n"),
        Node::String(_) => format!("{indent}{key}: \"\"\n"),
        Node::Map(map) if map.is_empty() => {
            format!("{indent}#@schema/type any=True\n{indent}{key}: {{}}\n")
        }
        Node::Map(map) => {
            let items = map.items().iter();
            let below = items.filter_map(|it| Some(lines(it.key.as_str()?, &it.node, column + 2)));
            format!("{indent}{key}:\n{}", below.collect::<String>())
        }
        Node::Array(array) => match array.items.first() {
            None => format!("{indent}#@schema/type any=True\n{indent}{key}: []\n"),
            Some(first) => format!("{indent}{key}:\n{}", item(&first.node, column)),
        },
    }
}

/// The only item of an array in a schema.
fn item(value: &Node, column: usize) -> String {
    // As a key of the same width as the dash, which then replaces it.
    let declared = lines("-", value, column);
    let dash = format!("{}-:", " ".repeat(column));
    let mut text = String::new();
    for line in declared.lines() {
        match line.strip_prefix(&dash) {
            Some("") => {}
            Some(rest) => {
                text.push_str(&dash[..=column]);
                text.push_str(rest);
                text.push('\n');
            }
            None if text.is_empty() && !line.trim_start().starts_with('#') => {
                text.push_str(&dash[..=column]);
                text.push_str(&line[column + 1..]);
                text.push('\n');
            }
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_has_the_type_of_the_value() {
        let sources = plumb_source::Sources::new();
        let text = "a: 1\nb: {c: x, d: [true]}\ne:\n- f: 1.5\n  g: null\nh: []\n";
        let id = sources.add("a", plumb_source::SourceKind::Memory, text.as_bytes().into());
        let read = plumb_yaml::parse(id, text.as_bytes(), &plumb_yaml::ReadOptions::default());
        let node = read.expect("it is valid").remove(0).node;
        let expected = "  k:\n    a: 0\n    b:\n      c: \"\"\n      d:\n      - false\n    e:\n    - f: 0.0\n      \
                        #@schema/nullable\n      g: \"\"\n    #@schema/type any=True\n    h: []\n";
        assert_eq!(lines("k", &node, 2), expected);
    }
}
