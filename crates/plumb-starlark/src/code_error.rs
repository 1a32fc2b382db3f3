//! What is wrong with a program, as facts. A host that gives advice reads them instead of the text
//! of the error.

use std::fmt;

use plumb_source::Text;

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
    /// A `load` with something else than the name of a symbol.
    LoadedName,
    /// Types for which the operator is not defined.
    Operation { op: BinaryOp, left: &'static str, right: &'static str },
    /// Types that are not ordered.
    Comparison { op: CompareOp, left: &'static str, right: &'static str },
    /// A type that has no items of this key.
    Index { object: &'static str, key: &'static str },
    /// A value of this type has no field or method of this name.
    NoAttribute { object: &'static str, name: Text },
    /// A value of this type has no such key.
    NoKey { object: &'static str },
    /// A value of this type is not a sequence.
    NotIterable { found: &'static str },
    /// A module that cannot be loaded.
    Load { module: Text },
    /// A module does not define this name. It defines the names in `known`.
    NotInModule { name: Text, module: Text, known: Vec<Text> },
}

/// What the parser expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Token(Tok),
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

/// The words of messages.
impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(tok) => f.write_str(&tok.shown()),
            Self::Operand => f.write_str("primary expression"),
            Self::Parameter => f.write_str("parameter"),
            Self::Argument => f.write_str("argument"),
            Self::EndInFString => f.write_str("'}' in f-string"),
            Self::Clause { end } => write!(f, "'{}', for, or if", end.text()),
        }
    }
}
