//! Anchors of a document, and the number of values that their aliases represent.

use std::collections::HashMap;

use plumb_value::Node;

use super::frame::Done;

/// The anchors so far. An anchor can be defined again; the last definition is used.
#[derive(Default)]
pub(super) struct Anchors<'a> {
    by_name: HashMap<&'a str, Anchor>,
    n_opened: u32,
}

/// The target of an anchor.
pub(super) enum Anchor {
    /// A collection that has not ended yet.
    Open(Opened),
    Value {
        node: Node,
        weight: u64,
        height: u32,
    },
}

/// Distinguishes open anchors with the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Opened(u32);

impl<'a> Anchors<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&Anchor> {
        self.by_name.get(name)
    }

    /// Forgets all anchors and frees their memory: the next document may have few.
    pub(super) fn clear(&mut self) {
        self.by_name = HashMap::new();
    }

    /// Defines an anchor for a collection that begins here.
    pub(super) fn open(&mut self, name: &'a str) -> Opened {
        let opened = Opened(self.n_opened);
        self.n_opened = self.n_opened.wrapping_add(1);
        self.by_name.insert(name, Anchor::Open(opened));
        opened
    }

    /// Defines an anchor for a value.
    pub(super) fn define(&mut self, name: &'a str, done: &Done) {
        let Done { node, weight, height, .. } = done;
        let value = Anchor::Value { node: node.clone(), weight: *weight, height: *height };
        self.by_name.insert(name, value);
    }

    /// Defines an anchor for a collection that has ended, unless its name was defined again inside
    /// it.
    pub(super) fn close(&mut self, name: &'a str, opened: Opened, done: &Done) {
        if matches!(self.by_name.get(name), Some(Anchor::Open(it)) if *it == opened) {
            self.define(name, done);
        }
    }
}
