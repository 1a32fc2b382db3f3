//! Maps that hold a key twice, which only an overlay can make.

use plumb_diagnostic::Diagnostic;
use plumb_source::{Origin, Sources};
use plumb_value::{MapItem, Node};

use crate::item::{Item, place};
use crate::problem::DUPLICATE_KEY;

/// Two items of one map with one key, in order.
pub(crate) struct Twins<'a> {
    first: &'a MapItem,
    last: &'a MapItem,
}

/// The first map in which a key is twice.
pub(crate) fn find<'a>(nodes: impl Iterator<Item = &'a Node>) -> Option<Twins<'a>> {
    let mut nodes: Vec<&Node> = nodes.collect();
    nodes.reverse();
    while let Some(node) = nodes.pop() {
        match node {
            Node::Map(map) => {
                for (at, item) in map.items().iter().enumerate() {
                    if let Some(last) = map.position(&item.key).filter(|last| *last != at) {
                        return Some(Twins { first: item, last: &map.items()[last] });
                    }
                }
                nodes.extend(map.items().iter().rev().map(|it| &it.node));
            }
            Node::Array(array) => nodes.extend(array.items.iter().rev().map(|it| &it.node)),
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::UInt(_)
            | Node::Float(_)
            | Node::String(_) => {}
        }
    }
    None
}

impl Twins<'_> {
    pub(crate) fn report(&self, sources: &Sources) -> Diagnostic {
        let key = self.last.key.peer_key();
        let origins = [self.first.origin, self.last.origin];
        let lines = origins.map(|it| place(it, sources)).join(", ");
        let message =
            format!("Expected key '{key}' to be in a map once, but was twice (lines: {lines})");
        let mut report =
            Diagnostic::error(DUPLICATE_KEY, message).within(self.last.describe(sources));
        for span in origins.into_iter().rev().filter_map(Origin::span) {
            report = report.label(span, "");
        }
        report
    }
}
