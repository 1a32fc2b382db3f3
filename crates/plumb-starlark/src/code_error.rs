//! What is wrong with a program, as facts, and our words for them. A host that gives advice, or has
//! other words, reads the facts.

use plumb_source::message::plain;
use plumb_source::{Message, Text, message};

use crate::ops::{BinaryOp, CompareOp};
use crate::syntax::Tok;

/// The detail of an error for which a host may have advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeErrorKind {
    /// A name is not defined. The nearest name that is visible, if there is one.
    Undefined { name: Text, nearest: Option<Text> },
    /// The program has another token than expected.
    Unexpected { found: Tok, wanted: Wanted },
    /// A block is not closed.
    OpenBlock,
    /// `end` without an open block.
    StrayEnd,
    /// `pass`, which is not a statement.
    Pass,
    /// A `load` without the name of a symbol.
    NothingLoaded,
    /// A `load` with this token in the place of the name of a symbol.
    LoadOperand { found: Tok },
    /// A `load` with this name of a symbol, which is not written as a string.
    LoadedName { name: Text },
    /// A `load` whose module is not written as a string.
    LoadedModule,
    /// A word that is reserved, in the place of a name.
    ReservedName { word: String },
    /// A comparison of a comparison.
    Chained { before: Tok, after: Tok },
    /// Types for which the operator is not defined.
    Operation { op: BinaryOp, left: &'static str, right: &'static str },
    /// A type for which the operator, which has one operand, is not defined.
    UnaryOperation { symbol: &'static str, operand: &'static str },
    /// Types that are not ordered.
    Comparison { op: CompareOp, left: &'static str, right: &'static str },
    /// A type that has no items of this key.
    Index { object: &'static str, key: &'static str },
    /// A value of this type has no field or method of this name. The nearest name that it has, or
    /// all of them, if a message can say so.
    NoAttribute { object: &'static str, name: Text, nearest: Option<Text>, members: Vec<Text> },
    /// A value of this type has no such key.
    NoKey { object: &'static str, key: Message },
    /// A value of this type is not a sequence.
    NotIterable { found: &'static str },
    /// A module that cannot be loaded.
    Load { module: Text },
    /// A module does not define this name. It defines the names in `known`.
    NotInModule { name: Text, module: Text, nearest: Option<Text>, known: Vec<Text> },
}

/// What the parser expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Token(Tok),
    Name,
    /// An operand of an expression.
    Operand,
    Parameter,
    Argument,
    /// The bracket that ends an expression in an f-string.
    EndInFString,
    /// Another clause of a comprehension, or the bracket at its end.
    Clause {
        end: Tok,
    },
}

impl Wanted {
    /// Returns our words for it.
    pub fn words(self) -> Message {
        match self {
            Self::Token(tok) => tok.words(),
            Self::Name => "a name".into(),
            Self::Operand => "an expression".into(),
            Self::Parameter => "a parameter".into(),
            Self::Argument => "an argument".into(),
            Self::EndInFString => "`}` at the end of an expression in an f-string".into(),
            Self::Clause { end } => message!("`{}`, `for` or `if`", end.text()),
        }
    }
}

impl Tok {
    pub(crate) fn words(self) -> Message {
        let words = match self {
            Self::Illegal => "a reserved word or character",
            Self::Eof => "the end of the code",
            Self::Newline => "the end of the line",
            Self::Indent => "a deeper indentation",
            Self::Outdent => "the end of the block",
            Self::Ident | Self::Host => "a name",
            Self::Int => "an integer",
            Self::Float => "a number",
            Self::String => "a string",
            Self::Bytes => "bytes",
            Self::FString => "an f-string",
            other => return message!("`{}`", plain(other.text())),
        };
        words.into()
    }
}
