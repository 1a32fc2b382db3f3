//! Finds the place where a data value was last given. Several layers may give parts of a map or an
//! array; a finding about the whole value points to the last part.

use std::collections::HashMap;

use plumb_schema::Mismatch;
use plumb_source::{FileId, Origin};
use plumb_validation::{MistypedPaths, Violation};
use plumb_value::{DataPath, Document, Meta, Node, Step};

use crate::layer::Layer;

/// Data values with the layers that they were merged from, in the order of merging.
pub(crate) struct Laid {
    pub(crate) document: Document,
    pub(crate) layers: Vec<Layer>,
    pub(crate) mistyped: Mistyped,
}

/// Data values that do not conform to the schema.
pub(crate) struct Mistyped {
    /// Their paths. Empty in ytt's mode, which does not run rules about other values.
    pub(crate) values: MistypedPaths,
    /// Whether these are the only mistakes in the data values.
    pub(crate) is_all: bool,
}

impl Mistyped {
    pub(crate) fn add(&mut self, mismatches: &[Mismatch]) {
        for path in mismatches.iter().flat_map(Mismatch::blamed) {
            self.values.add(&path);
        }
    }
}

impl Laid {
    /// Makes violations of maps, arrays and the document point to the place where their value was
    /// last given. Scalars already have that place.
    pub(crate) fn blame_last_givers(&self, violations: &mut [Violation]) {
        let mut ranks = None;
        for violation in violations {
            let Some(node @ (Node::Map(_) | Node::Array(_))) = self.at(&violation.path) else {
                continue;
            };
            let mut layers = self.layers.iter().rev();
            let given = layers.find_map(|it| given_at(&it.document, &violation.path));
            let origin = match given {
                Some(origin) => Some(origin),
                None => {
                    let ranks = ranks.get_or_insert_with(|| self.ranks());
                    latest_below(node, violation.origin, ranks)
                }
            };
            if let Some(origin) = origin.filter(|it| it.span().is_some()) {
                violation.origin = origin;
            }
        }
    }

    fn at(&self, path: &DataPath) -> Option<&Node> {
        path.steps().iter().try_fold(&self.document.node, |node, step| Some(node.below(step)?.1))
    }

    /// The number of the last layer that has values of a source.
    fn ranks(&self) -> HashMap<FileId, usize> {
        let mut ranks = HashMap::new();
        for (rank, layer) in self.layers.iter().enumerate() {
            let mut rank_of = |origin: Origin| {
                ranks.extend(origin.span().map(|span| (span.file, rank)));
            };
            rank_of(layer.document.origin);
            see_origins(&layer.document.node, &mut rank_of);
        }
        ranks
    }
}

/// Returns the place at which a layer gives the value at a path of keys, or part of it. Array items
/// have other positions in a layer than in the result.
fn given_at(layer: &Document, path: &DataPath) -> Option<Origin> {
    let mut node = &layer.node;
    let mut origin = layer.origin;
    for step in path.steps() {
        let (Step::Key(key), Node::Map(map)) = (step, node) else {
            return None;
        };
        let item = map.get(&Node::String(key.clone()))?;
        if gives_nothing(&item.meta) {
            return None;
        }
        (node, origin) = (&item.node, item.origin);
    }
    Some(origin)
}

/// Returns whether an item of an overlay does not change the value.
fn gives_nothing(meta: &Meta) -> bool {
    let annotations = meta.annotations();
    annotations.has("overlay/noop") || annotations.has("overlay/assert")
}

/// Returns the first part of a value that comes from the latest layer, if that is later than the
/// layer of the value itself.
fn latest_below(node: &Node, own: Origin, ranks: &HashMap<FileId, usize>) -> Option<Origin> {
    let rank_of = |origin: Origin| origin.span().and_then(|span| ranks.get(&span.file).copied());
    let mut latest = (rank_of(own), None);
    see_origins(node, &mut |origin| {
        let rank = rank_of(origin);
        if rank > latest.0 {
            latest = (rank, Some(origin));
        }
    });
    latest.1
}

/// Calls a function with the origins of all items below a node, in order.
fn see_origins(node: &Node, see: &mut impl FnMut(Origin)) {
    for (origin, node) in node.parts() {
        see(origin);
        see_origins(node, see);
    }
}
