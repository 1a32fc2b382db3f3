//! What is wrong with a program before it runs, as facts, and our words for them. The facts of
//! [`CodeErrorKind`](crate::CodeErrorKind) are those with advice.

use plumb_source::message::{plain, term};
use plumb_source::{Message, Text, message};

/// A mistake in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramError {
    /// `break` outside of a loop.
    Break,
    /// `continue` outside of a loop.
    Continue,
    /// `return` outside of a function.
    Return,
    /// `load` inside a function.
    LoadInFunction,
    /// `load` of a name without text.
    EmptyLoadedName,
    /// `load` of a name that is not a string.
    LoadedNameNotText,
    /// `load` of a name that begins with an underscore.
    PrivateName { name: Text },
    /// Arguments in a wrong order.
    ArgumentOrder(ArgumentOrder),
    /// Several arguments, or else parameters, with these stars.
    SeveralStars { stars: &'static str, are_arguments: bool },
    /// An argument is given twice.
    ArgumentTwice { name: Text },
    /// An argument with `=` after something else than a name.
    ArgumentName,
    /// A parameter without a default after one with a default.
    RequiredAfterOptional,
    /// A parameter of this kind after the one with `**`, which has this name.
    AfterKeywords { kind: ParameterKind, name: Text },
    /// A `*` without a name, and without parameters after it.
    BareStar,
    /// A parameter is declared twice.
    ParameterTwice { name: Text },
    /// A condition in an expression without `else`.
    NoElse,
    /// A tuple that ends with a comma, and has no parentheses.
    BareTuple,
    /// The line, or else the code, ends inside of a string.
    OpenString { is_f_string: bool, is_line: bool },
    /// A backslash that does not end a line.
    Backslash,
    /// A character that begins no word. The text shows it in quotes.
    Character { shown: String },
    /// The left side of an assignment is an expression of this kind.
    Target(Target),
    /// The left side of an augmented assignment such as `+=` is a list or a tuple.
    AugmentedTargets { is_list: bool },
}

/// Expressions that no value can be assigned to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    EmptyTuple,
    EmptyList,
    Literal,
    Dict,
    Comprehension,
    Conditional,
    Unary,
    Binary,
    Slice,
    Call,
    Lambda,
}

/// What comes too late among the arguments of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentOrder {
    StarAfterKeywords,
    AfterKeywords,
    AfterStar,
    PositionalAfterNamed,
}

/// The kinds of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    Required,
    Optional,
    Star,
}

impl ProgramError {
    fn words(&self) -> Message {
        match self {
            Self::Break => "found `break` outside of a loop".into(),
            Self::Continue => "found `continue` outside of a loop".into(),
            Self::Return => "found `return` outside of a function".into(),
            Self::LoadInFunction => "found `load` inside a function".into(),
            Self::EmptyLoadedName => "expected a name to load, found an empty string".into(),
            Self::LoadedNameNotText => "expected a name to load in quotes".into(),
            Self::PrivateName { name } => {
                message!("a name that begins with `_` is private to its file: `{}`", plain(name))
            }
            Self::ArgumentOrder(order) => order.words().into(),
            Self::SeveralStars { stars, are_arguments: true } => {
                message!("expected one argument with `{stars}`, found several")
            }
            Self::SeveralStars { stars, are_arguments: false } => {
                message!("expected one parameter with `{stars}`, found several")
            }
            Self::ArgumentTwice { name } => {
                message!("expected one value for the argument `{}`, found two", plain(name))
            }
            Self::ArgumentName => "expected the name of an argument before `=`".into(),
            Self::RequiredAfterOptional => {
                "a parameter without a default must be before those with a default".into()
            }
            Self::AfterKeywords { name, .. } => {
                message!("all other parameters must be before `**{}`", plain(name))
            }
            Self::BareStar => "expected a parameter after `*`".into(),
            Self::ParameterTwice { name } => {
                message!("the parameter `{}` is declared twice", plain(name))
            }
            Self::NoElse => "expected `else` after the condition in an expression".into(),
            Self::BareTuple => "expected parentheses around a tuple that ends with a comma".into(),
            Self::OpenString { is_line: true, .. } => {
                "expected the end of the string, found the end of the line".into()
            }
            Self::OpenString { is_line: false, .. } => {
                "expected the end of the string, found the end of the code".into()
            }
            Self::Backslash => "expected the end of the line after a backslash".into(),
            Self::Character { shown } => message!("unexpected character {}", plain(shown)),
            Self::Target(found) => {
                message!(
                    "expected a variable, an item or a field before `=`, found {}",
                    found.words()
                )
            }
            Self::AugmentedTargets { is_list } => message!(
                "expected one variable, item or field on the left of the assignment, found a {}",
                if *is_list { "list" } else { "tuple" }
            ),
        }
    }
}

impl Target {
    fn words(self) -> &'static str {
        match self {
            Self::EmptyTuple => "an empty tuple",
            Self::EmptyList => "an empty list",
            Self::Literal => "a literal",
            Self::Dict => "a dict",
            Self::Comprehension => "a comprehension",
            Self::Conditional => "a conditional expression",
            Self::Unary | Self::Binary => "an operation",
            Self::Slice => "a slice",
            Self::Call => "a call",
            Self::Lambda => "a lambda",
        }
    }
}

impl ArgumentOrder {
    fn words(self) -> &'static str {
        match self {
            Self::StarAfterKeywords => "an argument with `*` must be before one with `**`",
            Self::AfterKeywords => "all other arguments must be before one with `**`",
            Self::AfterStar => "positional arguments must be before one with `*`",
            Self::PositionalAfterNamed => "positional arguments must be before named arguments",
        }
    }
}

impl From<ProgramError> for Message {
    fn from(error: ProgramError) -> Self {
        Self::of(&[&term(error.words(), error)])
    }
}
