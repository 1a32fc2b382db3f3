//! Errors in the values of operations and of built-in functions.

use plumb_source::message::{plain, secret};
use plumb_source::{Message, message};
use plumb_starlark::{NotAPair, ValueError};

pub(crate) fn error(error: &ValueError) -> Message {
    match error {
        ValueError::DivisionByZero { is_floored: false } => "real division by zero".into(),
        ValueError::DivisionByZero { is_floored: true } => "floored division by zero".into(),
        ValueError::Contained { container, found, .. } => {
            let wanted = match *container {
                "range" => "integer",
                "bytes" => "bytes or int",
                container => container,
            };
            message!("'in <{container}>' requires {wanted} as left operand, not {found}")
        }
        ValueError::Slice { found } => message!("invalid slice operand {found}"),
        ValueError::SliceStep { found } => message!("got {found} for slice step, want int"),
        ValueError::ItemAssignment { object } => {
            message!("{object} value does not support item assignment")
        }
        ValueError::FieldAssignment { object, name } => {
            message!("can't assign to .{name} field of {object}")
        }
        ValueError::Unpack { found, .. } => message!("got {found} in sequence assignment"),
        ValueError::UnpackCount { found: Some(found), wanted } if found < wanted => {
            message!("too few values to unpack (got {found}, want {wanted})")
        }
        ValueError::UnpackCount { found, wanted } => {
            let found = found.map_or_else(|| "-1".to_owned(), |found| found.to_string());
            message!("too many values to unpack (got {}, want {wanted})", plain(found))
        }
        ValueError::Unhashable { found, can_change: true } => message!("unhashable type: {found}"),
        ValueError::Unhashable { found, can_change: false } => message!("unhashable: {found}"),
        ValueError::Unassigned { name, is_local } => message!(
            "{} variable {} referenced before assignment",
            if *is_local { "local" } else { "global" },
            plain(name)
        ),
        ValueError::Unchangeable { verb, is_list, is_in_loop } => {
            let what = if *is_list { "list" } else { "hash table" };
            if *is_in_loop {
                message!("cannot {verb} {what} during iteration")
            } else {
                message!("cannot {verb} frozen {what}")
            }
        }
        ValueError::NoLength { found } => message!("value of type {found} has no len"),
        ValueError::NothingToCompare { function } => {
            message!("{function} requires at least one positional argument")
        }
        ValueError::NotComparable { found } => message!("{found} value is not iterable"),
        ValueError::Base => "base must be an integer >= 2 && <= 36".into(),
        ValueError::BaseWithoutText { .. } => "can't convert non-string with explicit base".into(),
        ValueError::NotAnInteger { base, text } => {
            message!("invalid literal with base {base}: {text}")
        }
        ValueError::FloatArguments(found) => message!("float got {found} arguments, wants 1"),
        ValueError::NotANumber { found } => {
            message!("float got {found}, want number or string")
        }
        ValueError::NotACharacter { count } => {
            message!("string encodes {} Unicode code points, want 1", secret(count))
        }
        ValueError::Joined { found } => message!("in list, want string, got {found}"),
        ValueError::Separator { found } => message!("got {found} for separator, want string"),
        ValueError::ElementNotText { index, found } => {
            message!("want string, got {found}, for element {index}")
        }
        ValueError::Pair { index, found } => {
            message!("dictionary update sequence element #{index} {}", not_a_pair(*found))
        }
        ValueError::ArgumentTwice { name } => message!("duplicate keyword arg: {name}"),
        ValueError::NoConversion => "incomplete format".into(),
        ValueError::OpenKey => "incomplete format key".into(),
        ValueError::NoMapping { .. } => "format requires a mapping".into(),
        ValueError::NotACodePoint { value } => {
            message!("%c format requires a valid Unicode code point, got {value}")
        }
        ValueError::Brace { is_open: true } => "unmatched '{' in format".into(),
        ValueError::Brace { is_open: false } => "single '}' in format".into(),
        ValueError::MoreFields => "tuple index out of range".into(),
    }
}

fn not_a_pair(found: NotAPair) -> Message {
    match found {
        NotAPair::Single(found) => message!("is not iterable ({found})"),
        NotAPair::Endless(found) => message!("has unknown length ({found})"),
        NotAPair::Elements(count) => message!("has length {count}, want 2"),
    }
}
