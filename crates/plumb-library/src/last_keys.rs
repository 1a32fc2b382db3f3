//! Maps of plain YAML with a duplicate key: the last item is used, at the position of the first.
//!
//! As in ytt, this is done before overlays are applied. Keys that are collections are equal if
//! their items are equal and on the same lines.

use std::collections::HashMap;
use std::fmt::Write as _;

use plumb_source::{Origin, Sources};
use plumb_value::{Document, Map, Node};

/// Keeps the last item of each key in every map of these documents. Nodes without a duplicate key
/// stay shared.
pub(crate) fn keep(documents: &mut [Document], sources: &Sources) {
    for document in documents {
        if has_twins(&document.node, sources) {
            let mut settling = Settling { sources, settled: HashMap::new() };
            if let Some(node) = settling.settled(&document.node) {
                document.node = node;
            }
        }
    }
}

/// Returns whether a map has a duplicate key. Every plain document is searched, so this is a simple
/// recursion.
fn has_twins(node: &Node, sources: &Sources) -> bool {
    match node {
        Node::Map(map) => {
            survivors(map, sources).is_some()
                || map.items().iter().any(|item| has_twins(&item.node, sources))
        }
        Node::Array(array) => array.items.iter().any(|item| has_twins(&item.node, sources)),
        _ => false,
    }
}

struct Settling<'a> {
    sources: &'a Sources,
    /// The results for collections, by address: aliases share them.
    settled: HashMap<usize, Option<Node>>,
}

impl Settling<'_> {
    /// Returns the node with unique keys, or `None` if its keys are already unique.
    fn settled(&mut self, node: &Node) -> Option<Node> {
        let address = node.address()?;
        if let Some(known) = self.settled.get(&address) {
            return known.clone();
        }
        let mut changed = Vec::new();
        for (at, (_, child)) in node.children().enumerate() {
            if let Some(child) = self.settled(child) {
                changed.push((at, child));
            }
        }
        let mut settled = node.with_children(changed);
        if let Some(positions) = node.as_map().and_then(|map| survivors(map, self.sources)) {
            let map = settled.as_ref().unwrap_or(node).as_map().expect("it was a map before");
            let items = positions.into_iter().map(|at| map.items()[at].clone()).collect();
            settled = Some(Node::map(Map::new(items, map.origin)));
        }
        self.settled.insert(address, settled.clone());
        settled
    }
}

/// Returns the positions of the items to keep, in the order of their keys, or `None` to keep all.
fn survivors(map: &Map, sources: &Sources) -> Option<Vec<usize>> {
    if !map.may_have_twins() {
        return None;
    }
    let is_collection = |key: &Node| key.address().is_some();
    let has_collections = map.items().iter().any(|item| is_collection(&item.key));
    if map.twins().is_none() && !has_collections {
        return None;
    }
    let mut collections: HashMap<String, usize> = HashMap::new();
    let mut identities = Vec::new();
    if has_collections {
        identities = map.items().iter().map(|item| identity(&item.key, sources)).collect();
        collections.extend(identities.iter().cloned().zip(0..));
    }
    let mut is_taken = vec![false; map.len()];
    let mut positions = Vec::with_capacity(map.len());
    for (at, item) in map.items().iter().enumerate() {
        let last = if is_collection(&item.key) {
            collections[&identities[at]]
        } else {
            // A lookup never finds NaN as a key.
            map.position(&item.key).unwrap_or(at)
        };
        if !std::mem::replace(&mut is_taken[last], true) {
            positions.push(last);
        }
    }
    (positions.len() < map.len()).then_some(positions)
}

/// Returns a text that identifies a collection as a key: its values and lines. Empty for a scalar.
fn identity(key: &Node, sources: &Sources) -> String {
    if key.address().is_none() {
        return String::new();
    }
    let mut text = key.repr();
    add_lines(key, sources, &mut text);
    text
}

fn add_lines(node: &Node, sources: &Sources, text: &mut String) {
    let mut add = |origin: Origin, node: &Node| {
        if let Some(span) = origin.span() {
            let _ = write!(text, " {}", sources.get(span.file).line(span.start));
        }
        add_lines(node, sources, text);
    };
    match node {
        Node::Map(map) => {
            for item in map.items() {
                add(item.origin, &item.key);
                add(item.origin, &item.node);
            }
        }
        Node::Array(array) => {
            for item in &array.items {
                add(item.origin, &item.node);
            }
        }
        Node::Null
        | Node::Bool(_)
        | Node::Int(_)
        | Node::UInt(_)
        | Node::Float(_)
        | Node::String(_) => {}
    }
}
