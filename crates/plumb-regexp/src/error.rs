//! What is wrong with an expression, in Go's words.

use std::fmt;

/// A syntax error, and the part of the expression that caused it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub kind: SyntaxErrorKind,
    pub part: String,
}

/// What is wrong with an expression. It is displayed in Go's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    CharacterRange,
    Escape,
    NamedCapture,
    PerlSyntax,
    NestedRepetition,
    RepeatCount,
    MissingBracket,
    MissingParenthesis,
    MissingRepeatArgument,
    TrailingBackslash,
    UnexpectedParenthesis,
    TooDeep,
    TooLarge,
}

impl SyntaxError {
    pub(crate) fn new(kind: SyntaxErrorKind, part: &str) -> Self {
        Self { kind, part: part.to_owned() }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error parsing regexp: {}: `{}`", self.kind, self.part)
    }
}

impl fmt::Display for SyntaxErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CharacterRange => "invalid character class range",
            Self::Escape => "invalid escape sequence",
            Self::NamedCapture => "invalid named capture",
            Self::PerlSyntax => "invalid or unsupported Perl syntax",
            Self::NestedRepetition => "invalid nested repetition operator",
            Self::RepeatCount => "invalid repeat count",
            Self::MissingBracket => "missing closing ]",
            Self::MissingParenthesis => "missing closing )",
            Self::MissingRepeatArgument => "missing argument to repetition operator",
            Self::TrailingBackslash => "trailing backslash at end of expression",
            Self::UnexpectedParenthesis => "unexpected )",
            Self::TooDeep => "expression nests too deeply",
            Self::TooLarge => "expression too large",
        })
    }
}

impl std::error::Error for SyntaxError {}
