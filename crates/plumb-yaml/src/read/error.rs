//! Errors in texts that cannot be read.

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::{FileId, Message, Span, message};

use super::advice;
use super::error_kind::{Finder, SyntaxErrorKind};

/// Why a text cannot be read, and where.
///
/// [`SyntaxError::message`] is libyaml's text (`yaml: line 2: did not find expected key`), with
/// lines counted as libyaml counts them. [`SyntaxError::diagnostic`] has the same words and the
/// actual place.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxError(Box<Content>);

#[derive(Clone, Debug, PartialEq)]
struct Content {
    problem: SyntaxErrorKind,
    span: Span,
    /// The line in libyaml's text.
    counted_line: Option<u32>,
    /// The help, if the lines around the place show more than the problem itself.
    advice: Option<&'static str>,
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
        Self(Box::new(Details { problem, start, end, line }))
    }
}

impl SyntaxError {
    /// The error for a problem in a file. `begins` states whether the file begins with a document
    /// marker.
    pub(super) fn new(error: ReadError, file: FileId, bytes: &[u8], begins: Beginning) -> Self {
        let Details { problem, start, end, line } = *error.0;
        let counted_line = match (problem.finder(), begins) {
            (Finder::Input | Finder::Decoder, _) => None,
            (_, Beginning::Marked) if line == 0 => None,
            (Finder::Scanner, _) => Some(line + 1),
            (Finder::Parser, _) => Some(line.max(1)),
        };
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span::new(file, offset(start), offset(end));
        let advice = advice::of(&problem, bytes, start);
        Self(Box::new(Content { problem, span, counted_line, advice }))
    }

    /// Returns the code of the finding, such as `yaml/syntax`.
    pub fn code(&self) -> Code {
        self.0.problem.code()
    }

    /// Returns whether aliases expand to more values than [`Limits`](super::Limits) allow.
    pub fn is_expansion(&self) -> bool {
        matches!(self.0.problem, SyntaxErrorKind::TooManyAliased(_))
    }

    /// Returns the place of the problem in the file.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// Returns the error as a finding: its message, its place, and what to do.
    pub fn diagnostic(&self) -> Diagnostic {
        let Content { problem, span, advice, .. } = &*self.0;
        let mut message = problem.message();
        if matches!(problem, SyntaxErrorKind::SelfReference(_)) {
            // An existing anchor is a name. An unknown one may be an unquoted text that is secret.
            message.reveal(|_| true);
        }
        let mut diagnostic = Diagnostic::error(problem.code(), message).label(*span, "");
        diagnostic.help.extend(advice.map(Message::from).or_else(|| problem.help()));
        diagnostic
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

impl SyntaxError {
    /// Returns libyaml's text of the error.
    pub fn message(&self) -> Message {
        let Content { problem, counted_line, .. } = &*self.0;
        match counted_line {
            Some(line) => message!("yaml: line {line}: {}", problem.message()),
            None => message!("yaml: {}", problem.message()),
        }
    }
}

impl From<SyntaxError> for Failure {
    fn from(error: SyntaxError) -> Self {
        let diagnostic = error.diagnostic();
        diagnostic.with_facts(error).into()
    }
}
