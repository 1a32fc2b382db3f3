//! Assigns comments to nodes.
//!
//! A comment on the line of a node belongs to the last node that begins on that line. A comment on
//! a separate line belongs to the first node of the next line with a node. Documents, map items and
//! array items are nodes in this sense. Comments after the last node of a document belong to the
//! next document, or to an empty document that is added at the end.

use plumb_source::{FileId, Origin, Span, Text, room};
use plumb_value::{Comment, Document, Node};

use super::token::FoundComment;

/// Assigns comments to nodes, in the order of the text.
pub(super) struct Comments<'a> {
    text: &'a str,
    file: FileId,
    /// The last node, and its line.
    last: Option<(u32, Target)>,
    /// The number of comments in the document that are assigned to nodes.
    n_given: usize,
    given: Vec<(Target, Comment)>,
    /// Comments after the last node of the documents so far.
    left_over: Vec<Comment>,
}

/// A node that has comments. Items are identified by the offset at which they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Document,
    MapItem(u32),
    ArrayItem(u32),
}

impl Target {
    /// Returns where an item begins. A document begins before all items.
    pub(super) fn start(self) -> u32 {
        match self {
            Self::Document => 0,
            Self::MapItem(start) | Self::ArrayItem(start) => start,
        }
    }
}

impl<'a> Comments<'a> {
    pub(super) fn new(text: &'a str, file: FileId) -> Self {
        let (given, left_over) = (Vec::new(), Vec::new());
        Self { text, file, last: None, n_given: 0, given, left_over }
    }

    /// Records that a node begins on a line. `found` contains all comments before it.
    pub(super) fn register(&mut self, found: &[FoundComment], line: u32, target: Target) {
        while let Some(comment) = found.get(self.n_given)
            && comment.line < line
        {
            self.give(*comment, Some(target));
        }
        self.last = Some((line, target));
    }

    /// Assigns a comment to the node on its line, or to the next node.
    fn give(&mut self, comment: FoundComment, next: Option<Target>) {
        self.n_given += 1;
        match (self.last, next) {
            (Some((line, target)), _) if line == comment.line => {
                let comment = self.comment(comment, true);
                room::push(&mut self.given, (target, comment));
            }
            (_, Some(target)) => {
                let comment = self.comment(comment, false);
                room::push(&mut self.given, (target, comment));
            }
            (_, None) => {
                let comment = self.comment(comment, false);
                self.left_over.push(comment);
            }
        }
    }

    /// Ends a document: adds the comments left over from the previous document, and returns the
    /// comments of its items.
    pub(super) fn finish(
        &mut self,
        document: &mut Document,
        found: &mut Vec<FoundComment>,
    ) -> Vec<(Target, Comment)> {
        if !self.left_over.is_empty() {
            document.meta.comments_mut().append(&mut self.left_over);
        }
        while let Some(comment) = found.get(self.n_given) {
            self.give(*comment, None);
        }
        found.clear();
        self.n_given = 0;
        self.last = None;
        let mut given = std::mem::take(&mut self.given);
        let n_of_document = given.iter().take_while(|(it, _)| *it == Target::Document).count();
        if n_of_document > 0 {
            let of_document = given.drain(..n_of_document).map(|(_, comment)| comment);
            document.meta.comments_mut().extend(of_document);
        }
        given
    }

    /// Returns the empty document for comments after the last node. Returns `None` if there are no
    /// such comments.
    pub(super) fn injected_document(&mut self) -> Option<Document> {
        if self.left_over.is_empty() {
            return None;
        }
        let mut document = Document::new(Node::Null, Origin::Unknown);
        document.is_injected = true;
        *document.meta.comments_mut() = std::mem::take(&mut self.left_over);
        Some(document)
    }

    fn comment(&self, found: FoundComment, is_inline: bool) -> Comment {
        let FoundComment { start, end, .. } = found;
        let text = Text::from(&self.text[start as usize + 1..end as usize]);
        Comment { text, span: Span::new(self.file, start, end), is_inline }
    }
}
