//! How flags refer to a data value: `@LIBRARY:KEY`, where the steps of a key are separated by dots.

use memchr::memmem;
use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::message::plain;
use plumb_source::{Message, Text, message};

use crate::input_error::InputError;

/// A flag that sets data values has the wrong format.
///
/// Write `KEY=VALUE`, or `@NAME:KEY=VALUE` for a library.
pub(crate) const WRONG_VALUE_FLAG: Code = Code::new("data-values/wrong-flag");

/// The maximum number of steps of a key, which is the maximum depth of a document.
const MAX_STEPS: usize = 10_000;

/// Splits `@LIBRARY:REST`.
pub(crate) fn split_library(argument: &str) -> Result<(Option<&str>, &str), Failure> {
    match argument.split_once(':').filter(|_| argument.starts_with('@')) {
        None => Ok((None, argument)),
        Some(("@", _)) => Err(wrong(InputError::NoLibraryName.message())),
        Some((library, rest)) => {
            check_library(library)?;
            Ok((Some(library), rest))
        }
    }
}

/// Rejects a text that is not `@PATH`, `@~ALIAS` or `@PATH~ALIAS`, or a sequence of these.
fn check_library(library: &str) -> Result<(), Failure> {
    for step in library.split('@').skip(1) {
        match step.split_once('~') {
            None => {}
            Some((_, "")) => return Err(wrong(InputError::NoAlias.message())),
            Some((_, alias)) if !alias.contains('~') => {}
            Some(_) => {
                let error = InputError::LibraryForm(plain(library).into());
                return Err(wrong(error.message()));
            }
        }
    }
    Ok(())
}

/// Splits `@LIBRARY:KEY`. A key contains no `:`.
pub(crate) fn split_key_library(argument: &str) -> Result<(Option<&str>, &str), Failure> {
    let (library, key) = split_library(argument)?;
    if key.contains(':') {
        return Err(wrong(InputError::SeveralSeparators(key.to_owned()).message()));
    }
    Ok((library, key))
}

/// Returns the steps of a key on the command line. A dot that is part of a step is written `\.`.
pub(crate) fn of_flag(key: &str) -> Result<Vec<Text>, Failure> {
    let mut steps = Vec::new();
    let mut step = String::new();
    let mut letters = key.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '.' => steps.push(std::mem::take(&mut step).into()),
            '\\' if letters.next_if_eq(&'.').is_some() => step.push('.'),
            _ => step.push(letter),
        }
    }
    steps.push(step.into());
    limited(steps)
}

/// Returns the steps of a key in the name of a variable, where two underscores mean a dot.
pub(crate) fn of_variable(key: &[u8]) -> Result<Vec<Text>, Failure> {
    let mut steps = Vec::new();
    let mut start = 0;
    for at in memmem::find_iter(key, b"__") {
        steps.push(Text::from_bytes(&key[start..at]));
        start = at + 2;
    }
    steps.push(Text::from_bytes(&key[start..]));
    limited(steps)
}

fn limited(steps: Vec<Text>) -> Result<Vec<Text>, Failure> {
    if steps.len() > MAX_STEPS {
        let found = steps.len();
        return Err(wrong(message!("expected a key of at most {MAX_STEPS} steps, found {found}")));
    }
    Ok(steps)
}

pub(crate) fn wrong(message: impl Into<Message>) -> Failure {
    wrong_with(message, "write KEY=VALUE, or @LIBRARY:KEY=VALUE for a library")
}

pub(crate) fn wrong_with(message: impl Into<Message>, help: &'static str) -> Failure {
    Diagnostic::error(WRONG_VALUE_FLAG, message).help(help).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(steps: &[Text]) -> Vec<String> {
        steps.iter().map(Text::to_string).collect()
    }

    #[test]
    fn dots_part_the_steps_of_a_key() {
        assert_eq!(steps(&of_flag("a.b").expect("it is short")), ["a", "b"]);
        assert_eq!(steps(&of_flag("a..b").expect("it is short")), ["a", "", "b"]);
        assert_eq!(steps(&of_flag("").expect("it is short")), [""]);
        assert_eq!(
            steps(&of_flag("example\\.com.x\\y").expect("it is short")),
            ["example.com", "x\\y"]
        );
    }

    #[test]
    fn two_underscores_part_the_steps_of_a_variable() {
        assert_eq!(steps(&of_variable(b"a__b").expect("it is short")), ["a", "b"]);
        assert_eq!(steps(&of_variable(b"_a").expect("it is short")), ["_a"]);
        assert_eq!(steps(&of_variable(b"a___b").expect("it is short")), ["a", "_b"]);
    }

    #[test]
    fn a_library_precedes_a_colon() {
        assert_eq!(split_library("@lib:a").expect("right"), (Some("@lib"), "a"));
        assert_eq!(split_library("a:b").expect("right"), (None, "a:b"));
        assert_eq!(split_library("@a").expect("right"), (None, "@a"));
        assert_eq!(split_library("@a~b@c:d").expect("right"), (Some("@a~b@c"), "d"));
        assert!(split_library("@:a").is_err());
        assert!(split_library("@lib~:a").is_err());
        assert!(split_library("@a~b~c:d").is_err());
        assert!(split_key_library("@lib:a:b").is_err());
    }
}
