//! How given values are merged into earlier ones.

use std::sync::Arc;

use plumb_source::Text;
use plumb_value::{Annotation, Datum, Meta, Node};

/// What happens to the existing values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merge {
    /// Maps are merged; everything else is replaced.
    Plain,
    /// These keys lead to one value, which is replaced as a whole. The items on the path have the
    /// annotations of an overlay.
    Leaf(Vec<Text>),
}

/// The annotations of the items on the path to a leaf. Shared: there may be many flags.
pub(crate) struct LeafAnnotations {
    /// The item is merged with one that has its key, or added.
    merged: Meta,
    /// The item replaces one that has its key, or is added.
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

    /// Returns the annotations for one step of a key: the last one replaces.
    pub(crate) fn of_step(&self, is_last: bool) -> Meta {
        if is_last { self.replaced.clone() } else { self.merged.clone() }
    }
}

fn annotation(name: &str, flag: &str) -> Annotation {
    let kwargs = vec![(Arc::from(flag), Datum::Node(Node::Bool(true)))];
    Annotation::new(Arc::from(name), Vec::new(), kwargs, None)
}
