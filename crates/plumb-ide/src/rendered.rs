//! The last output of a target, and the parts of it that come from a file.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::{Content, OutputFile, Rendered};
use plumb_source::{FileId, Origin, Sources, Span, lexical};
use plumb_value::{Document, Node};

use crate::TextRange;

/// The output of a target, with the source texts of its origins.
pub(crate) struct Output {
    pub(crate) files: Vec<OutputFile>,
    sources: Arc<Sources>,
    /// The directory that relative paths start from.
    here: PathBuf,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("n_files", &self.files.len()).finish_non_exhaustive()
    }
}

/// A value of the output that comes from an item of a file.
pub(crate) struct Item<'a> {
    /// The current place of the item in the file.
    pub(crate) range: TextRange,
    pub(crate) node: &'a Node,
}

impl Output {
    pub(crate) fn new(rendered: Rendered, sources: Arc<Sources>, here: &Path) -> Self {
        Self { files: rendered.files, sources, here: here.to_owned() }
    }

    /// The documents of a file of the output.
    pub(crate) fn documents(file: &OutputFile) -> &[Document] {
        match &file.content {
            Content::Yaml(documents) => documents,
            Content::Text(_) => &[],
        }
    }

    /// The values that come from the items of a file. Its text may have changed since the run.
    pub(crate) fn items(&self, path: &Path, text: &[u8]) -> Vec<Item<'_>> {
        let mut places = Places::new(self);
        let mut found = Vec::new();
        for document in self.files.iter().flat_map(Self::documents) {
            walk(&document.node, &mut |origin, node| {
                if let Some(range) = places.range(origin, path, text) {
                    found.push(Item { range, node });
                }
            });
        }
        found
    }

    /// Whether a place of a source has exactly these bytes.
    pub(crate) fn is_copy(&self, bytes: &[u8], span: Span) -> bool {
        let source = self.sources.get(span.file);
        source.bytes().get(span.start as usize..span.end as usize) == Some(bytes)
    }

    /// The path of a source file.
    pub(crate) fn path(&self, file: FileId) -> Option<PathBuf> {
        let source = self.sources.get(file);
        Some(lexical::clean(&self.here.join(source.path()?)))
    }
}

/// Calls a function for each item of a node.
pub(crate) fn walk<'a>(node: &'a Node, visit: &mut impl FnMut(Origin, &'a Node)) {
    each_child(node, &mut |origin, _, node| {
        visit(origin, node);
        walk(node, visit);
    });
}

/// Calls a function for each item directly in a node, with its key if it is in a map.
pub(crate) fn each_child<'a>(
    node: &'a Node,
    visit: &mut impl FnMut(Origin, Option<&'a str>, &'a Node),
) {
    match node {
        Node::Map(map) => {
            map.items().iter().for_each(|it| visit(it.origin, it.key.as_str(), &it.node));
        }
        Node::Array(array) => array.items.iter().for_each(|it| visit(it.origin, None, &it.node)),
        _ => {}
    }
}

/// Finds the current places of origins in files.
pub(crate) struct Places<'a> {
    output: &'a Output,
    known: HashMap<FileId, Known>,
}

/// What is known about a source.
struct Known {
    path: Option<PathBuf>,
    change: Option<Change>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(output: &'a Output) -> Self {
        Self { output, known: HashMap::new() }
    }

    /// The file of an origin.
    pub(crate) fn path(&mut self, origin: Origin) -> Option<&Path> {
        self.known(origin.span()?.file).path.as_deref()
    }

    /// The place of an origin in a file with this text. Returns `None` if it is in another file, or
    /// if the text has changed there.
    pub(crate) fn range(&mut self, origin: Origin, path: &Path, text: &[u8]) -> Option<TextRange> {
        let span = origin.span()?;
        let output = self.output;
        let known = self.known(span.file);
        if known.path.as_deref() != Some(path) {
            return None;
        }
        let change = known
            .change
            .get_or_insert_with(|| Change::between(output.sources.get(span.file).bytes(), text));
        change.moved(span.start..span.end)
    }

    fn known(&mut self, file: FileId) -> &mut Known {
        let output = self.output;
        let read = || Known { path: output.path(file), change: None };
        self.known.entry(file).or_insert_with(read)
    }
}

/// The part in which two texts differ.
struct Change {
    start: u32,
    old_end: u32,
    new_end: u32,
}

impl Change {
    fn between(old: &[u8], new: &[u8]) -> Self {
        let n_same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let (old_rest, new_rest) = (&old[n_same..], &new[n_same..]);
        let backwards = old_rest.iter().rev().zip(new_rest.iter().rev());
        let n_end = backwards.take_while(|(a, b)| a == b).count();
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self {
            start: offset(n_same),
            old_end: offset(old.len() - n_end),
            new_end: offset(new.len() - n_end),
        }
    }

    fn moved(&self, range: TextRange) -> Option<TextRange> {
        if range.end <= self.start {
            return Some(range);
        }
        let move_one = |at: u32| at - self.old_end + self.new_end;
        (range.start >= self.old_end).then(|| move_one(range.start)..move_one(range.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_move_with_a_change_before_them() {
        let change = Change::between(b"a: 1\nb: 2\nc: 3\n", b"a: 1\nb: long\nc: 3\n");
        assert_eq!(change.moved(0..4), Some(0..4));
        assert_eq!(change.moved(5..9), None);
        assert_eq!(change.moved(10..14), Some(13..17));
        let same = Change::between(b"a", b"a");
        assert_eq!(same.moved(0..1), Some(0..1));
    }
}
