//! The lines of nodes, asked for one after the other.

use std::sync::Arc;

use plumb_source::{FileId, Origin, Source, Sources};

use crate::read;

/// Finds the lines of nodes. Neighbours are nearly always of one source, which is kept at hand.
pub(super) struct LineFinder<'s> {
    sources: &'s Sources,
    last: Option<(FileId, Arc<Source>)>,
}

impl<'s> LineFinder<'s> {
    pub(super) fn new(sources: &'s Sources) -> Self {
        Self { sources, last: None }
    }

    /// The source and the line of an origin, if it has any.
    pub(super) fn find(&mut self, origin: Origin) -> Option<(&Source, u32)> {
        let span = origin.span()?;
        let sources = self.sources;
        self.last.take_if(|(last, _)| *last != span.file);
        let (_, source) = self.last.get_or_insert_with(|| (span.file, sources.get(span.file)));
        Some((source, source.line(span.start)))
    }

    /// The line that ytt shows for an element within a key: it counts from zero, and puts a line
    /// before a text that does not begin with a document marker. Zero if the element has no place.
    pub(super) fn line_in_key(&mut self, origin: Origin) -> u32 {
        self.find(origin)
            .map_or(0, |(source, line)| line - u32::from(read::begins_with_marker(source.bytes())))
    }
}
