//! How given values are laid over those before them, said with the annotations of overlays.

use std::sync::Arc;

use plumb_value::{Annotation, Datum, Document, Meta, Node};

/// What items of given values carry. Shared: a file of values may have many items.
pub(crate) struct Merging {
    /// The item is merged with one of its key, or added.
    merged: Meta,
    /// The item takes the place of one of its key, or is added.
    replaced: Meta,
}

impl Merging {
    pub(crate) fn new() -> Self {
        let mut merged = Meta::default();
        merged.annotations_mut().set(annotation("overlay/match", "missing_ok"));
        let mut replaced = merged.clone();
        replaced.annotations_mut().set(annotation("overlay/replace", "or_add"));
        Self { merged, replaced }
    }

    /// Lets a document merge its maps, and replace everything else.
    pub(crate) fn plain(&self, document: &mut Document) {
        document.meta = self.of(&document.node);
        self.plain_below(&mut document.node);
    }

    fn plain_below(&self, node: &mut Node) {
        let Some(map) = node.map_mut() else {
            return;
        };
        for at in 0..map.len() {
            let item = map.item_mut(at);
            item.meta = self.of(&item.node);
            self.plain_below(&mut item.node);
        }
    }

    fn of(&self, node: &Node) -> Meta {
        match node {
            Node::Map(_) => self.merged.clone(),
            _ => self.replaced.clone(),
        }
    }

    /// What the item of the `at`-th step of a key carries: the last one replaces.
    pub(crate) fn of_step(&self, is_last: bool) -> Meta {
        if is_last { self.replaced.clone() } else { self.merged.clone() }
    }
}

fn annotation(name: &str, flag: &str) -> Annotation {
    let kwargs = vec![(Arc::from(flag), Datum::Node(Node::Bool(true)))];
    Annotation { name: Arc::from(name), args: Vec::new(), kwargs, span: None }
}
