//! Problems of a template that are found before it runs.

use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message::term;
use plumb_source::{Message, Sources};
use plumb_value::Comment;

use crate::text;

/// A comment in a template is neither code nor an annotation nor marked as a comment.
///
/// In a file with `#@` comments, write plain comments with `#!`, or allow all comments with
/// `--ignore-unknown-comments`.
pub const UNKNOWN_COMMENT: Code = Code::new("template/unknown-comment");

/// A node has both a written and a computed value.
///
/// Remove one of them.
pub const TWO_VALUES: Code = Code::new("template/two-values");

/// There is code between an `if/end` (or `for/end`, `def/end`, …) and its node.
///
/// Move the code up, or use the long form that is closed by `end`.
pub const CODE_AFTER_NODE_KEYWORD: Code = Code::new("template/code-after-node-keyword");

/// A text template opens or closes code in the wrong place.
///
/// Code in text is between `(@` and `@)`, and cannot be nested.
pub const TEXT_SYNTAX: Code = Code::new("template/text-syntax");

/// This comment was being read.
#[derive(Clone, Debug)]
pub struct ReadComment(pub Comment);

/// What is wrong with a comment of a template.
#[derive(Clone, Debug)]
pub enum CommentError {
    /// It is neither `#@` nor `#!`.
    Unknown,
    /// It is the second value of a node, at this place.
    TwoValues(String),
    /// It is code after `if/end` or the like, at this place.
    AfterKeyword(String),
}

impl CommentError {
    fn message(self) -> Message {
        let words = match &self {
            Self::Unknown => "expected a comment that begins with `#@` or `#!`",
            Self::TwoValues(_) => "expected a computed or a written value, found both",
            Self::AfterKeyword(_) => "expected a node after `/end`, found code",
        };
        term(words, self).into()
    }
}

pub(super) fn unknown_comment(comment: &Comment) -> Diagnostic {
    Diagnostic::error(UNKNOWN_COMMENT, CommentError::Unknown.message())
        .within(ReadComment(comment.clone()))
        .label(comment.span, "this comment is neither `#@` nor `#!`")
        .help("write `#!` for a comment, or pass `--ignore-unknown-comments`")
}

pub(super) fn two_values(sources: &Sources, comment: &Comment) -> Diagnostic {
    let error = CommentError::TwoValues(sources.place(comment.span));
    Diagnostic::error(TWO_VALUES, error.message())
        .label(comment.span, "this value is computed, and another is written before it")
        .help("remove one of the two")
}

pub(super) fn misplaced_code(sources: &Sources, comment: &Comment) -> Diagnostic {
    let error = CommentError::AfterKeyword(sources.place(comment.span));
    Diagnostic::error(CODE_AFTER_NODE_KEYWORD, error.message())
        .label(comment.span, "this code is between the keyword and its node")
        .help("move the code above, or close the block with `end` instead of `/end`")
}

/// A mistake in a text template that is a file or a string.
pub(super) fn text_error(error: &text::TextError, whole: &'static str) -> Diagnostic {
    Diagnostic::error(TEXT_SYNTAX, error.message(whole))
}
