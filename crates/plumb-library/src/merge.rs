//! How given values are laid over those before them.

use std::sync::Arc;

use plumb_source::Text;
use plumb_value::{Annotation, Datum, Meta, Node};

/// What becomes of the values that were there before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merge {
    /// Maps are merged; everything else is replaced.
    Plain,
    /// These keys lead to one value, which is replaced whole. The items on the way are annotated
    /// as the overlay that they are.
    Leaf(Vec<Text>),
}

/// What the items on the way to a leaf carry. Shared: there may be many flags.
pub(crate) struct LeafAnnotations {
    /// The item is merged with one of its key, or added.
    merged: Meta,
    /// The item takes the place of one of its key, or is added.
    replaced: Meta,
}

impl LeafAnnotations {
    pub(crate) fn new() -> Self {
        let mut merged = Meta::default();
        merged.annotations_mut().set(annotation("overlay/match", "missing_ok"));
        let mut replaced = merged.clone();
        replaced.annotations_mut().set(annotation("overlay/replace", "or_add"));
        Self { merged, replaced }
    }

    /// What the item of one step of a key carries: the last one replaces.
    pub(crate) fn of_step(&self, is_last: bool) -> Meta {
        if is_last { self.replaced.clone() } else { self.merged.clone() }
    }
}

fn annotation(name: &str, flag: &str) -> Annotation {
    let kwargs = vec![(Arc::from(flag), Datum::Node(Node::Bool(true)))];
    Annotation::new(Arc::from(name), Vec::new(), kwargs, None)
}
