//! What was expected and what was found. Other renderers have other words, or another order.

use super::{Message, Part, Term, term};

/// The word between what was expected and what was found: see [`found`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundInstead;

/// Says what was found instead of what was expected: `expected a string, found int`.
#[expect(clippy::needless_pass_by_value, reason = "callers pass what they have just computed")]
pub fn found<P: Part>(what: P) -> Message {
    Message::of(&[&term("found", FoundInstead), &" ", &what])
}

/// The type of a value, which other renderers quote: see [`found_type`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundType(pub &'static str);

/// Says of which type the value is that was found: `found int`.
pub fn found_type(name: &'static str) -> Term<Message> {
    term(Message::of(&[&"found ", &name]), FoundType(name))
}

/// A value of a wrong type: see [`wrong_type`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongType {
    /// The names of the types that are allowed.
    pub wanted: &'static str,
    /// The name of the type of the value.
    pub found: &'static str,
}

/// Says that a value is of a wrong type: `expected string, found int`.
pub fn wrong_type(wanted: &'static str, found: &'static str) -> Term<Message> {
    let words = Message::of(&[&"expected ", &wanted, &", found ", &found]);
    term(words, WrongType { wanted, found })
}

/// How many arguments a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedCount {
    /// This number.
    Of(usize),
    /// This number, in functions whose messages stress it.
    Exactly(usize),
    /// This number or more.
    AtLeast(usize),
    /// This number or fewer.
    AtMost(usize),
}

/// A wrong number of arguments: see [`argument_count`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentCount {
    /// How many the function takes.
    pub wanted: WantedCount,
    /// How many were given.
    pub found: usize,
}

/// Says that a function was called with a wrong number of arguments:
/// `expected at most 2 arguments, found 3`.
pub fn argument_count(wanted: WantedCount, found: usize) -> Term<Message> {
    let (words, count) = match wanted {
        WantedCount::Of(count) => ("expected ", count),
        WantedCount::Exactly(count) => ("expected exactly ", count),
        WantedCount::AtLeast(count) => ("expected at least ", count),
        WantedCount::AtMost(count) => ("expected at most ", count),
    };
    let arguments = if count == 1 { " argument, found " } else { " arguments, found " };
    let words = Message::of(&[&words, &count, &arguments, &found]);
    term(words, ArgumentCount { wanted, found })
}
