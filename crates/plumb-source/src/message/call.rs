//! What is wrong with a call: the value that is called, or its arguments. Other renderers have other
//! words for it.

use super::{Message, Part, Term, plain, term};
use crate::message;

/// A call that is not possible: see [`WrongCall::term`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the comments of the variants say what their fields are")]
pub enum WrongCall {
    /// A value of this type is called, and is not a function.
    NotAFunction { found: &'static str },
    /// A function is called with too many arguments, or with too many of them by position.
    TooMany { function: String, wanted: Positional, found: usize },
    /// A function is called without the arguments of these parameters.
    Missing { function: String, parameters: Vec<String> },
    /// A parameter gets two arguments. Its name is in quotes.
    Twice { function: String, parameter: Message },
    /// A function has no parameter of this name, which is in quotes.
    Unknown { function: String, parameter: Message },
    /// As [`Twice`](Self::Twice), for a built-in function whose name is before the message.
    TwiceInBuiltIn { parameter: Message },
    /// As [`Missing`](Self::Missing), for a built-in function whose name is before the message.
    MissingInBuiltIn { parameter: &'static str },
    /// A value of this type follows `*`, and has no elements.
    NoElements { found: &'static str },
    /// A value of this type follows `**`, and has no keys.
    NoKeys { found: &'static str },
    /// A value that follows `**` has a key of this type.
    KeyNotString { found: &'static str },
}

/// How many arguments a function takes by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Positional {
    /// The function has no parameters.
    None,
    /// This number.
    Exactly(usize),
    /// This number or fewer.
    AtMost(usize),
}

impl WrongCall {
    /// Returns our words, with the facts.
    pub fn term(self) -> Term<Message> {
        term(self.words(), self)
    }

    fn words(&self) -> Message {
        match self {
            Self::NotAFunction { found } => {
                message!("expected a function to call, found {found}")
            }
            Self::TooMany { function, wanted, found } => {
                message!("function {}: expected {}, found {found}", plain(function), wanted.words())
            }
            Self::Missing { function, parameters } => message!(
                "function {}: expected {} more argument{}: {}",
                plain(function),
                parameters.len(),
                plural(parameters.len()),
                plain(parameters.join(", "))
            ),
            Self::Twice { function, parameter } => message!(
                "function {}: expected one value for parameter {parameter}, found two",
                plain(function)
            ),
            Self::Unknown { function, parameter } => {
                message!("function {}: unexpected keyword argument {parameter}", plain(function))
            }
            Self::TwiceInBuiltIn { parameter } => {
                message!("expected one value for parameter {parameter}, found two")
            }
            Self::MissingInBuiltIn { parameter } => {
                message!("expected 1 more argument: {parameter}")
            }
            Self::NoElements { found } => {
                message!("expected a list or another iterable value after `*`, found {found}")
            }
            Self::NoKeys { found } => {
                message!("expected a dict after `**`, found {found}")
            }
            Self::KeyNotString { found } => {
                message!("expected a dict whose keys are strings after `**`, found {found}")
            }
        }
    }
}

impl Positional {
    fn words(self) -> Message {
        match self {
            Self::None => "no arguments".into(),
            Self::Exactly(n) => message!("{n} positional argument{}", plural(n)),
            Self::AtMost(n) => message!("at most {n} positional argument{}", plural(n)),
        }
    }
}

/// A call that is not possible as a part of a message, in our words.
impl Part for WrongCall {
    fn add_to(&self, message: &mut Message) {
        message.push(&self.clone().term());
    }
}

impl From<WrongCall> for Message {
    fn from(call: WrongCall) -> Self {
        call.term().into()
    }
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}
