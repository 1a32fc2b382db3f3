//! Maps with a duplicate key. Only an overlay can produce them.

use plumb_diagnostic::Diagnostic;
use plumb_source::{Origin, Sources};
use plumb_value::{Map, MapItem, Node};

use crate::error::OverlayError;
use crate::finding::DUPLICATE_KEY;
use crate::item::{Item, place};

/// Two items of one map that have the same key, in order.
pub(crate) struct Twins<'a> {
    first: &'a MapItem,
    last: &'a MapItem,
}

/// Finds the first map with a duplicate key. Returns `None` if there is no such map.
pub(crate) fn find<'a>(mut nodes: impl Iterator<Item = &'a Node>) -> Option<Twins<'a>> {
    nodes.find_map(|node| {
        let (first, last) = node.maps().find_map(Map::twins)?;
        Some(Twins { first, last })
    })
}

impl Twins<'_> {
    pub(crate) fn report(&self, sources: &Sources) -> Diagnostic {
        let key = self.last.key.key_words();
        let origins = [self.first.origin, self.last.origin];
        let lines = origins.map(|it| place(it, sources));
        let message = OverlayError::DuplicateKey { key, lines }.message();
        let mut report = Diagnostic::error(DUPLICATE_KEY, message).within(self.last.merging());
        for span in origins.into_iter().rev().filter_map(Origin::span) {
            report = report.label(span, "");
        }
        report
    }
}
