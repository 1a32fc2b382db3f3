//! Items: what overlays match and merge one by one. Documents, map items and array items have the
//! same parts and differ in how they are called and where they are from.

use plumb_source::{Origin, Sources};
use plumb_value::{ArrayItem, Document, MapItem, Meta, Node};

/// The kind of an [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Document,
    MapItem,
    ArrayItem,
}

pub(crate) trait Item: Clone {
    const KIND: Kind;

    fn node(&self) -> &Node;
    fn node_mut(&mut self) -> &mut Node;
    fn origin(&self) -> Origin;
    fn meta(&self) -> &Meta;
    fn meta_mut(&mut self) -> &mut Meta;

    /// Gives the item the value of an overlay's item; its own comments and annotations stay.
    fn take_value(&mut self, node: Node, from: &Self);

    /// Says that the item is where an item of plain data is that was merged into it.
    fn follow(&mut self, merged: &Self);

    /// How messages call the item, such as `Array item on line a.yml:1`.
    fn describe(&self, sources: &Sources) -> String;
}

/// Where an item is, as `file:line`.
pub(crate) fn place(origin: Origin, sources: &Sources) -> String {
    origin.span().map_or_else(|| "?".to_owned(), |span| sources.place(span))
}

impl Item for Document {
    const KIND: Kind = Kind::Document;

    fn node(&self) -> &Node {
        &self.node
    }

    fn node_mut(&mut self) -> &mut Node {
        &mut self.node
    }

    fn origin(&self) -> Origin {
        self.origin
    }

    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn meta_mut(&mut self) -> &mut Meta {
        &mut self.meta
    }

    /// A document stays where it is, whatever it holds.
    fn take_value(&mut self, node: Node, _from: &Self) {
        self.node = node;
    }

    /// A document stays where it is.
    fn follow(&mut self, _merged: &Self) {}

    fn describe(&self, sources: &Sources) -> String {
        format!("Document on line {}", place(self.origin, sources))
    }
}

impl Item for MapItem {
    const KIND: Kind = Kind::MapItem;

    fn node(&self) -> &Node {
        &self.node
    }

    fn node_mut(&mut self) -> &mut Node {
        &mut self.node
    }

    fn origin(&self) -> Origin {
        self.origin
    }

    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn meta_mut(&mut self) -> &mut Meta {
        &mut self.meta
    }

    fn take_value(&mut self, node: Node, from: &Self) {
        self.node = node;
        self.origin = from.origin;
    }

    fn follow(&mut self, merged: &Self) {
        self.origin = merged.origin;
    }

    fn describe(&self, sources: &Sources) -> String {
        let line = place(self.origin, sources);
        format!("Map item (key '{}') on line {line}", self.key.peer_key())
    }
}

impl Item for ArrayItem {
    const KIND: Kind = Kind::ArrayItem;

    fn node(&self) -> &Node {
        &self.node
    }

    fn node_mut(&mut self) -> &mut Node {
        &mut self.node
    }

    fn origin(&self) -> Origin {
        self.origin
    }

    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn meta_mut(&mut self) -> &mut Meta {
        &mut self.meta
    }

    fn take_value(&mut self, node: Node, from: &Self) {
        self.node = node;
        self.origin = from.origin;
    }

    fn follow(&mut self, merged: &Self) {
        self.origin = merged.origin;
    }

    fn describe(&self, sources: &Sources) -> String {
        format!("Array item on line {}", place(self.origin, sources))
    }
}
