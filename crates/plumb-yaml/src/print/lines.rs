//! The lines of nodes, looked up in order.

use std::sync::Arc;

use plumb_source::{FileId, Origin, Source, Sources};

use crate::read;

/// Finds the lines of nodes. The last source is cached, because neighbours almost always have the
/// same source.
pub(super) struct LineFinder<'s> {
    sources: &'s Sources,
    last: Option<(FileId, Arc<Source>)>,
}

impl<'s> LineFinder<'s> {
    pub(super) fn new(sources: &'s Sources) -> Self {
        Self { sources, last: None }
    }

    /// Returns the source and the line of an origin. Returns `None` if it has no place.
    pub(super) fn find(&mut self, origin: Origin) -> Option<(&Source, u32)> {
        let span = origin.span()?;
        let sources = self.sources;
        self.last.take_if(|(last, _)| *last != span.file);
        let (_, source) = self.last.get_or_insert_with(|| (span.file, sources.get(span.file)));
        Some((source, source.line(span.start)))
    }

    /// Returns the line that ytt shows for an element inside a key. ytt counts from zero, and adds
    /// a line before a text that does not begin with a document marker. Returns zero if the element
    /// has no place.
    pub(super) fn line_in_key(&mut self, origin: Origin) -> u32 {
        self.find(origin)
            .map_or(0, |(source, line)| line - u32::from(read::begins_with_marker(source.bytes())))
    }
}
