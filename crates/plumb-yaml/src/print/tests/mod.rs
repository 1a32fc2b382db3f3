//! The output of the printers, kind by kind.

mod format;
mod json;
mod laws;
mod positions;
mod strings;
mod structure;

use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

fn map_of<'a>(entries: impl IntoIterator<Item = (&'a str, Node)>) -> Node {
    keyed(entries.into_iter().map(|(key, node)| (key.into(), node)))
}

fn keyed(entries: impl IntoIterator<Item = (Node, Node)>) -> Node {
    let items = entries.into_iter().map(|(key, node)| MapItem::new(key, node, Origin::Unknown));
    Node::map(Map::new(items.collect(), Origin::Unknown))
}

fn array_of(nodes: impl IntoIterator<Item = Node>) -> Node {
    let items = nodes.into_iter().map(|node| ArrayItem::new(node, Origin::Unknown));
    Node::array(Array::new(items.collect(), Origin::Unknown))
}

/// Prints a node as YAML, twice: the second time must append the same bytes.
fn print(node: &Node) -> String {
    let mut out = Vec::new();
    super::node(node, &mut out);
    let first = out.clone();
    super::node(node, &mut out);
    assert_eq!(out, first.repeat(2));
    String::from_utf8(first).expect("YAML is UTF-8")
}
