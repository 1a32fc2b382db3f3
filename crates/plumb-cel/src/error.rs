//! Errors of an expression, when it is compiled and when it is evaluated.

use std::ops::Range;

use plumb_source::Message;

/// An expression that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    pub message: String,
    /// The part of the expression that is wrong, in bytes.
    pub at: Range<usize>,
    /// What to do about it.
    pub help: Option<String>,
    /// Whether the expression uses the previous value: it is a rule about changes, which does not
    /// apply to a single value.
    pub is_about_change: bool,
}

/// An evaluation that has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluationError {
    pub kind: EvaluationErrorKind,
    pub message: Message,
    /// The part of the expression that was being evaluated, in bytes.
    pub at: Range<usize>,
    pub help: Option<Message>,
}

/// Why an evaluation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationErrorKind {
    /// The expression does not fit the value.
    Failed,
    /// The budget is used up.
    Limit,
}

impl CompileError {
    pub(crate) fn new(message: impl Into<String>, at: Range<usize>) -> Self {
        Self { message: message.into(), at, help: None, is_about_change: false }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl EvaluationError {
    pub(crate) fn new(message: impl Into<Message>, at: Range<usize>) -> Self {
        Self { kind: EvaluationErrorKind::Failed, message: message.into(), at, help: None }
    }

    pub(crate) fn limit(at: Range<usize>) -> Self {
        Self { kind: EvaluationErrorKind::Limit, ..Self::new("too many steps", at) }
            .help("check fewer items: `all` within `all` checks each pair")
    }

    pub(crate) fn help(self, help: impl Into<Message>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}
