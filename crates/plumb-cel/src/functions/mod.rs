//! The functions of CEL and those that Kubernetes adds, with a file for each of its libraries.
//!
//! A function gets the value that it is called on as its first argument. It charges the budget for
//! what it reads. If the types do not fit, it returns [`OperationError::Types`], and the caller
//! adds the types to the message.
//!
//! [`OperationError::Types`]: crate::operate::OperationError::Types

mod convert;
pub(crate) mod lists;
mod named_format;
mod network;
mod optional;
mod quantity;
mod regex;
mod semver;
pub(crate) mod special;
mod strings;
mod text_format;
pub(crate) mod time;
pub(crate) mod timestamp;
mod url;

use std::ops::RangeInclusive;

use plumb_regexp::Regexp;

use crate::functions::timestamp::Timestamp;
use crate::operate::{Budget, Outcome};
use crate::value::Value;

/// The prefixes of related functions, before the dot, such as `ip.isCanonical`.
pub(crate) const NAMESPACES: [&str; 6] = ["format", "ip", "lists", "optional", "sets", "strings"];

#[derive(Debug)]
pub(crate) struct Function {
    name: &'static str,
    style: Style,
    /// The number of arguments, without the value that it is called on.
    pub(crate) n_args: RangeInclusive<usize>,
    /// The index of the argument that is a regular expression.
    pub(crate) pattern: Option<usize>,
    pub(crate) run: for<'a> fn(&[Value<'a>], &mut Context<'_>) -> Outcome<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `size(value)`
    Global,
    /// `value.size()`
    Member,
}

/// What a function needs besides its arguments.
pub(crate) struct Context<'c> {
    pub(crate) budget: &'c mut Budget,
    /// The regular expression among its arguments, if it is a literal in the expression.
    pub(crate) pattern: Option<&'c Regexp>,
}

type Run = for<'a> fn(&[Value<'a>], &mut Context<'_>) -> Outcome<'a>;

const fn global(name: &'static str, n_args: RangeInclusive<usize>, run: Run) -> Function {
    Function { name, style: Style::Global, n_args, pattern: None, run }
}

const fn member(name: &'static str, n_args: RangeInclusive<usize>, run: Run) -> Function {
    Function { name, style: Style::Member, n_args, pattern: None, run }
}

fn all() -> impl Iterator<Item = &'static Function> {
    let libraries: [&'static [Function]; 11] = [
        convert::FUNCTIONS,
        lists::FUNCTIONS,
        named_format::FUNCTIONS,
        network::FUNCTIONS,
        optional::FUNCTIONS,
        quantity::FUNCTIONS,
        regex::FUNCTIONS,
        semver::FUNCTIONS,
        strings::FUNCTIONS,
        time::FUNCTIONS,
        url::FUNCTIONS,
    ];
    libraries.into_iter().flatten()
}

pub(crate) fn find(name: &str, style: Style) -> Option<&'static Function> {
    all().find(|it| it.name == name && it.style == style)
}

pub(crate) fn names(style: Style) -> impl Iterator<Item = &'static str> {
    all().filter(move |it| it.style == style).map(|it| it.name)
}

/// Returns what is wrong with a literal that is converted to a duration or a timestamp.
pub(crate) fn wrong_time(function: &str, text: &str) -> Option<&'static str> {
    match function {
        "duration" if time::duration(text).is_none() => Some(convert::NO_DURATION),
        "timestamp" if Timestamp::parse(text).is_none() => Some(convert::NO_TIMESTAMP),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::signatures;

    #[test]
    fn every_function_has_a_signature_and_the_other_way_round() {
        let known: BTreeSet<(&str, bool)> =
            all().map(|it| (it.name, it.style == Style::Member)).collect();
        let declared: BTreeSet<(&str, bool)> =
            signatures::names().filter(|it| !it.0.contains('_') && it.0 != "!_").collect();
        assert_eq!(known, declared);
    }

    #[test]
    fn no_two_functions_have_the_same_name() {
        let mut names: Vec<(&str, bool)> =
            all().map(|it| (it.name, it.style == Style::Member)).collect();
        let n_functions = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n_functions);
    }
}
