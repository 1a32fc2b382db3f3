//! Errors of a rule, in the rule itself or when it is applied to a virtual machine.

use std::fmt;
use std::ops::Range;

use plumb_source::Message;

/// A rule that could not be applied. It rejects the virtual machine, unless the rule only warns.
#[derive(Clone, Debug)]
pub struct RuleError {
    pub kind: RuleErrorKind,
    /// The message of KubeVirt's validator, if it has one.
    pub message: Message,
    /// A message for people at a terminal, if `message` is not suitable.
    pub(crate) own: Option<Box<Message>>,
    /// An explanation of the place.
    pub(crate) hint: Option<Box<Message>>,
    /// The bytes of the annotation that are wrong.
    pub(crate) at: Range<usize>,
}

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleErrorKind {
    /// The annotation is not JSON, or does not follow the format.
    Parse,
    MissingKey,
    DuplicateName,
    UnknownRule,
    /// A path that cannot be followed.
    Path,
    /// A path that is used as an argument does not select exactly one value.
    Argument,
    /// A path that selects nothing.
    NoValues,
    /// A value that does not have the rule's type.
    Type,
    /// A pattern that does not compile.
    Regex,
    /// A pattern that cannot be matched against a value.
    Match,
    /// Checking would take too long.
    Cost,
}

impl RuleError {
    pub(crate) fn new(kind: RuleErrorKind, at: Range<usize>, message: impl Into<Message>) -> Self {
        Self { kind, message: message.into(), own: None, hint: None, at }
    }

    pub(crate) fn own(mut self, own: impl Into<Message>) -> Self {
        self.own = Some(Box::new(own.into()));
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<Message>) -> Self {
        self.hint = Some(Box::new(hint.into()));
        self
    }

    /// The message for people.
    pub(crate) fn words(&self) -> &Message {
        self.own.as_deref().unwrap_or(&self.message)
    }
}

impl fmt::Display for RuleErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Parse => "parse",
            Self::MissingKey => "missing-key",
            Self::DuplicateName => "duplicate-name",
            Self::UnknownRule => "unknown-rule",
            Self::Path => "path",
            Self::Argument => "argument",
            Self::NoValues => "no-values",
            Self::Type => "type",
            Self::Regex => "regex",
            Self::Match => "match",
            Self::Cost => "cost",
        })
    }
}
