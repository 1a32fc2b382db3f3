//! Why a pattern cannot be used.

use std::borrow::Cow;
use std::fmt::{self, Display as _};

use fancy_regex::{CompileError, Error, RuntimeError};

use super::MAX_RECURSION;

/// Why a pattern cannot be compiled, or cannot be matched with a value. Its text never contains a
/// part of the value.
#[derive(Debug)]
pub(crate) enum PatternError {
    /// It is not a regular expression. Contains the reason.
    Malformed(Cow<'static, str>),
    /// A construct of PCRE that is not supported here.
    Unsupported(String),
    /// A group calls itself, and the value is too long for the recursion limit.
    LongValue,
    /// An error of the engine. Its position refers to the translated pattern, which the user has
    /// not seen.
    Engine(Box<Error>),
}

impl PatternError {
    pub(super) fn malformed(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Malformed(reason.into())
    }
}

impl From<&'static str> for PatternError {
    fn from(reason: &'static str) -> Self {
        Self::malformed(reason)
    }
}

impl From<Error> for PatternError {
    fn from(error: Error) -> Self {
        Self::Engine(Box::new(error))
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(reason) => f.write_str(reason),
            Self::Unsupported(what) => write!(f, "{what} is not supported"),
            Self::LongValue => write!(
                f,
                "a pattern in which a group calls itself is not supported for values of more than \
                 {MAX_RECURSION} bytes"
            ),
            Self::Engine(error) => engine_words(error, f),
        }
    }
}

impl std::error::Error for PatternError {}

fn engine_words(error: &Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match error {
        Error::ParseError(_, error) => error.fmt(f),
        Error::CompileError(error) => match &**error {
            CompileError::PatternTooComplex => f.write_str("the pattern is too large"),
            CompileError::LeftRecursiveSubroutineCall(_) => f.write_str(
                "a group that calls itself before it matches a character is not supported",
            ),
            CompileError::NeverEndingRecursion => f.write_str("a group calls itself without end"),
            error => error.fmt(f),
        },
        Error::RuntimeError(RuntimeError::BacktrackLimitExceeded | RuntimeError::StackOverflow) => {
            f.write_str("the pattern backtracks too often on this value")
        }
        error => error.fmt(f),
    }
}
