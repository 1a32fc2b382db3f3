//! Errors in texts that cannot be read.

use std::ops::Range;

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::message::term;
use plumb_source::{FileId, Message, Span, message};

use super::error_kind::{Finder, SyntaxErrorKind};
use super::explain::{self, Explanation};

/// Why a text cannot be read, and where.
///
/// [`SyntaxError::diagnostic`] has our words and the actual place. Other words for the same error
/// need its [kind](SyntaxError::kind) and its [line](SyntaxError::counted_line).
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxError(Box<Content>);

#[derive(Clone, Debug, PartialEq)]
struct Content {
    kind: SyntaxErrorKind,
    /// The line in libyaml's text.
    counted_line: Option<u32>,
    file: FileId,
    /// The line of the primary place.
    line: usize,
    explanation: Explanation,
}

/// A problem and its place, while the text is being read. It is a single pointer, because the
/// results of many steps contain it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadError(Box<Details>);

#[derive(Clone, Debug, PartialEq)]
struct Details {
    problem: SyntaxErrorKind,
    start: usize,
    end: usize,
    line: u32,
    open: Option<Open>,
}

/// What the reader was reading when it found a problem, and where that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// A string in quotes that is not closed, or that has just ended and has several lines.
    Quote(usize),
    /// A list in brackets, or a map in braces.
    Bracket(usize),
    /// A key.
    Key(usize),
}

/// The result of a step of reading.
pub(super) type Result<T> = std::result::Result<T, ReadError>;

impl ReadError {
    /// Returns whether the problem would also be found without the text after `before`. Problems
    /// with values are reported at the end of their document, which may be in the later text.
    pub(super) fn is_clearly_in(&self, before: &str) -> bool {
        const LOOK_AHEAD: usize = 4;
        self.0.problem.is_reported_at_once() && self.0.end + LOOK_AHEAD < before.len()
    }

    pub(super) fn start(&self) -> usize {
        self.0.start
    }

    pub(super) fn end(&self) -> usize {
        self.0.end
    }

    /// The line, counted from 0.
    pub(super) fn line(&self) -> u32 {
        self.0.line
    }

    pub(super) fn kind(&self) -> &SyntaxErrorKind {
        &self.0.problem
    }

    /// A problem with a range of the text that begins on a line counted from 0.
    pub(super) fn new(problem: SyntaxErrorKind, start: usize, end: usize, line: u32) -> Self {
        Self(Box::new(Details { problem, start, end, line, open: None }))
    }

    /// Adds what the reader was reading.
    pub(super) fn while_reading(mut self, open: Option<Open>) -> Self {
        self.0.open = open;
        self
    }
}

impl SyntaxError {
    /// The error for a problem in a file. `begins` states whether the file begins with a document
    /// marker.
    pub(super) fn new(error: ReadError, file: FileId, bytes: &[u8], begins: Beginning) -> Self {
        let Details { problem: kind, start, end, line, open } = *error.0;
        let counted_line = match (kind.finder(), begins) {
            (Finder::Input | Finder::Decoder, _) => None,
            (_, Beginning::Marked) if line == 0 => None,
            (Finder::Scanner, _) => Some(line + 1),
            (Finder::Parser, _) => Some(line.max(1)),
        };
        let explanation = explain::explain(&kind, bytes, start..end, open);
        let before = bytes.get(..explanation.place.start).unwrap_or(bytes);
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        Self(Box::new(Content { kind, counted_line, file, line, explanation }))
    }

    /// Returns what is wrong.
    pub fn kind(&self) -> &SyntaxErrorKind {
        &self.0.kind
    }

    /// Returns the line in libyaml's text of the error, which is often not the line of its place.
    /// Returns `None` if that text has none.
    pub fn counted_line(&self) -> Option<u32> {
        self.0.counted_line
    }

    /// Returns the code of the finding, such as `yaml/syntax`.
    pub fn code(&self) -> Code {
        self.0.kind.code()
    }

    /// Returns whether aliases expand to more values than [`Limits`](super::Limits) allow.
    pub fn is_expansion(&self) -> bool {
        matches!(self.0.kind, SyntaxErrorKind::TooManyAliased(_))
    }

    /// Returns the place of the problem in the file.
    pub fn span(&self) -> Span {
        self.span_of(&self.0.explanation.place)
    }

    /// Returns the message for readers to whom no place is shown: it contains the line. The whole
    /// message is a fact that other renderers express in their own words.
    pub fn message(&self) -> Message {
        let Content { line, explanation, .. } = &*self.0;
        term(message!("line {}: {}", *line, explanation.message), self.clone()).into()
    }

    /// Returns the error as a finding: its message, its places, and what to do.
    pub fn diagnostic(&self) -> Diagnostic {
        let Explanation { message, place, note, other, help } = &self.0.explanation;
        let mut diagnostic = Diagnostic::error(self.code(), message.clone());
        diagnostic = diagnostic.label(self.span_of(place), *note);
        if let Some((place, note)) = other {
            diagnostic = diagnostic.label(self.span_of(place), *note);
        }
        diagnostic.help.extend(help.clone());
        diagnostic
    }

    fn span_of(&self, place: &Range<usize>) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(self.0.file, offset(place.start), offset(place.end))
    }
}

/// How a text begins. libyaml counts lines differently in each case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// With `---`.
    Marked,
    /// With anything else: the first document has no marker.
    Unmarked,
}

impl From<SyntaxError> for Failure {
    fn from(error: SyntaxError) -> Self {
        let diagnostic = error.diagnostic();
        diagnostic.with_facts(error).into()
    }
}
