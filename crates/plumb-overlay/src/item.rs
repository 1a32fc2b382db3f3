//! Items: the units that overlays match and merge. Documents, map items and array items have the
//! same parts; they differ in their names in messages and in their origin.

use plumb_source::{Origin, Sources};
use plumb_value::{ArrayItem, Document, MapItem, Meta, Node};

use crate::finding::{Activity, OverlayItem, OverlayItemKind};

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

    /// Sets the item's value to the value of an overlay's item. Its own comments and annotations
    /// are kept.
    fn take_value(&mut self, node: Node, from: &Self);

    /// Sets the origin of the item to the origin of the plain data that was merged into it.
    fn follow(&mut self, merged: &Self);

    /// Returns the kind of the item, with its key if it has one.
    fn described(&self) -> OverlayItemKind;

    /// Returns the merging of this item, as an activity.
    fn merging(&self) -> Activity {
        Activity::Merge(OverlayItem { kind: self.described(), origin: self.origin() })
    }
}

/// Returns the place of an item, as `file:line`.
pub(crate) fn place(origin: Origin, sources: &Sources) -> String {
    origin.span().map_or_else(|| "?".to_owned(), |span| sources.place(span))
}

/// The methods of [`Item`] that return a field.
macro_rules! accessors {
    () => {
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
    };
}

impl Item for Document {
    const KIND: Kind = Kind::Document;

    accessors!();

    /// A document keeps its origin, even with another value.
    fn take_value(&mut self, node: Node, _from: &Self) {
        self.node = node;
    }

    /// A document keeps its origin.
    fn follow(&mut self, _merged: &Self) {}

    fn described(&self) -> OverlayItemKind {
        OverlayItemKind::Document
    }
}

impl Item for MapItem {
    const KIND: Kind = Kind::MapItem;

    accessors!();

    fn take_value(&mut self, node: Node, from: &Self) {
        self.node = node;
        self.origin = from.origin;
    }

    fn follow(&mut self, merged: &Self) {
        self.origin = merged.origin;
    }

    fn described(&self) -> OverlayItemKind {
        OverlayItemKind::MapItem(self.key.clone())
    }
}

impl Item for ArrayItem {
    const KIND: Kind = Kind::ArrayItem;

    accessors!();

    fn take_value(&mut self, node: Node, from: &Self) {
        self.node = node;
        self.origin = from.origin;
    }

    fn follow(&mut self, merged: &Self) {
        self.origin = merged.origin;
    }

    fn described(&self) -> OverlayItemKind {
        OverlayItemKind::ArrayItem
    }
}
