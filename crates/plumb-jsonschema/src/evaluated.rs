//! The keys or items of a value that were evaluated. `unevaluatedProperties` and `unevaluatedItems`
//! apply to all others.

use plumb_value::{Node, Step};

use crate::check::Checker;
use crate::finding::FindingKind;
use crate::shape::Rare;

/// The positions of evaluated keys or items.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluated {
    is_all: bool,
    positions: Vec<bool>,
}

impl Evaluated {
    fn has(&self, at: usize) -> bool {
        self.is_all || self.positions.get(at).copied().unwrap_or(false)
    }

    fn set(&mut self, at: usize) {
        if self.positions.len() <= at {
            self.positions.resize(at + 1, false);
        }
        self.positions[at] = true;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.is_all |= other.is_all;
        for (at, _) in other.positions.iter().enumerate().filter(|(_, is_set)| **is_set) {
            self.set(at);
        }
    }
}

/// Records that a key or item was evaluated, if that is needed.
pub(crate) fn mark(seen: &mut Option<&mut Evaluated>, at: usize) {
    if let Some(seen) = seen {
        seen.set(at);
    }
}

impl Rare {
    pub(crate) fn asks_for_evaluated(&self) -> bool {
        self.unevaluated_items.is_some() || self.unevaluated_properties.is_some()
    }
}

impl Checker<'_> {
    /// Checks the keys and items that no other keyword evaluated.
    pub(crate) fn unevaluated(&mut self, rare: &Rare, node: &Node, seen: &mut Evaluated) {
        match (node, rare.unevaluated_properties, rare.unevaluated_items) {
            (Node::Map(map), Some(shape), _) => {
                let is_never = self.shapes.get(shape).is_never();
                for (_, item) in map.items().iter().enumerate().filter(|(at, _)| !seen.has(*at)) {
                    match &item.key {
                        Node::String(key) if is_never => {
                            let kind = FindingKind::Unknown { key: key.clone(), shape };
                            self.report(kind, item.origin);
                        }
                        key => self.below(Step::of_key(key), shape, &item.node, item.origin),
                    }
                }
                seen.is_all = true;
            }
            (Node::Array(array), _, Some(shape)) => {
                let items = array.items.iter().enumerate().filter(|(at, _)| !seen.has(*at));
                for (at, item) in items {
                    self.below(Step::Index(at), shape, &item.node, item.origin);
                }
                seen.is_all = true;
            }
            _ => {}
        }
    }
}
