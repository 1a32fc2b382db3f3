//! Maps of plain YAML that give a key twice: the last item counts, in the place of the first.
//!
//! ytt settles this before overlays see the documents, and so do we. Keys that are collections are
//! the same if their items are, and are on the same lines.

use std::collections::HashMap;
use std::fmt::Write as _;

use plumb_source::{Origin, Sources};
use plumb_value::{Document, Map, Node};

/// Leaves the last item of each key in every map of these documents. What has no key twice stays
/// shared.
pub(crate) fn keep(documents: &mut [Document], sources: &Sources) {
    for document in documents {
        if document.node.maps().any(|map| survivors(map, sources).is_some()) {
            let mut settling = Settling { sources, settled: HashMap::new() };
            if let Some(node) = settling.settled(&document.node) {
                document.node = node;
            }
        }
    }
}

struct Settling<'a> {
    sources: &'a Sources,
    /// What became of collections, by their addresses: aliases share them.
    settled: HashMap<usize, Option<Node>>,
}

impl Settling<'_> {
    /// The node with each key once; none if it is that already.
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

/// The positions of the items that count, in the order of their keys; none if all do.
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
            // A lookup never finds a key that is not a number.
            map.position(&item.key).unwrap_or(at)
        };
        if !std::mem::replace(&mut is_taken[last], true) {
            positions.push(last);
        }
    }
    (positions.len() < map.len()).then_some(positions)
}

/// A text that two collections share if they are the same key: their values and lines. Empty for a
/// scalar.
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
