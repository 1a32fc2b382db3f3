//! What is wrong with an expression: in our words, and the kinds in Go's words.

use std::fmt;

/// A syntax error, and the part of the expression that caused it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub kind: SyntaxErrorKind,
    pub part: String,
}

/// What is wrong with an expression. A kind is displayed in Go's words.
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
        let part = &self.part;
        match self.kind {
            SyntaxErrorKind::CharacterRange => write!(f, "the range `{part}` is not valid"),
            SyntaxErrorKind::Escape => write!(f, "there is no escape `{part}`"),
            SyntaxErrorKind::NamedCapture => {
                write!(f, "a group is written `(?P<name>…)`, found `{part}`")
            }
            SyntaxErrorKind::PerlSyntax => write!(f, "`{part}` is not supported"),
            SyntaxErrorKind::NestedRepetition => {
                write!(f, "a repetition must not follow another one: `{part}`")
            }
            SyntaxErrorKind::RepeatCount => write!(f, "the repeat count `{part}` is not valid"),
            SyntaxErrorKind::MissingBracket => write!(f, "`]` is missing in `{part}`"),
            SyntaxErrorKind::MissingParenthesis => write!(f, "`)` is missing in `{part}`"),
            SyntaxErrorKind::MissingRepeatArgument => {
                write!(f, "there is nothing to repeat before `{part}`")
            }
            SyntaxErrorKind::TrailingBackslash => f.write_str("nothing follows the last backslash"),
            SyntaxErrorKind::UnexpectedParenthesis => {
                write!(f, "a `)` in `{part}` closes no group")
            }
            SyntaxErrorKind::TooDeep => f.write_str("its groups are nested too deeply"),
            SyntaxErrorKind::TooLarge => f.write_str("it is too large"),
        }
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
