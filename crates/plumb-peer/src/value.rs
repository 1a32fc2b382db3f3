//! Errors in the values of operations and of built-in functions.

use plumb_source::message::{plain, secret};
use plumb_source::{Message, message};
use plumb_starlark::{ConversionError, FieldPath, FormatError, NotAPair, ValueError};

use crate::term;

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
        ValueError::Joined { found } => message!("in list, want string, got {found}"),
        ValueError::Separator { found } => message!("got {found} for separator, want string"),
        ValueError::ElementNotText { index, found } => {
            message!("want string, got {found}, for element {index}")
        }
        ValueError::Pair { index, found } => {
            message!("dictionary update sequence element #{index} {}", not_a_pair(*found))
        }
        ValueError::ArgumentTwice { name } => message!("duplicate keyword arg: {name}"),
        ValueError::Repetitions { times } => message!("repeat count {times} too large"),
        ValueError::RepeatedElements { total } => message!("excessive repeat ({total} elements)"),
        ValueError::Shift { count } if *count < 0 => message!("negative shift count: {count}"),
        ValueError::Shift { count } => message!("shift count too large: {count}"),
        ValueError::NotZippable { position, found } => {
            message!("argument #{position} is not iterable: {found}")
        }
        ValueError::TooDeepToCompare => "comparison exceeded maximum recursion depth".into(),
        ValueError::KeyTwice { key } => message!("duplicate key: {key}"),
    }
}

/// Errors of `int`, `float`, `chr`, `ord` and `bytes`.
pub(crate) fn conversion_error(error: &ConversionError) -> Message {
    match error {
        ConversionError::Base => "base must be an integer >= 2 && <= 36".into(),
        ConversionError::BaseWithoutText { .. } => {
            "can't convert non-string with explicit base".into()
        }
        ConversionError::NotAnInteger { base, text } => {
            message!("invalid literal with base {base}: {text}")
        }
        ConversionError::FloatArguments(found) => message!("float got {found} arguments, wants 1"),
        ConversionError::NotANumber { found } => {
            message!("float got {found}, want number or string")
        }
        ConversionError::NotACharacter { count } => {
            message!("string encodes {} Unicode code points, want 1", secret(count))
        }
        ConversionError::ByteAt { index, value } => {
            message!("at index {index}, {value} out of range (want 0 to 255)")
        }
        ConversionError::Byte { value } => message!("int in bytes: {value} out of range"),
        ConversionError::Character { number } if *number < 0 => {
            message!("Unicode code point {number} out of range (<0)")
        }
        ConversionError::Character { number } => {
            let number = secret(format!("{number:X}"));
            message!("Unicode code point U+{number} out of range (>0x10FFFF)")
        }
    }
}

/// Errors of `format % values` and `format.format(…)`.
pub(crate) fn format_error(error: &FormatError) -> Message {
    match error {
        FormatError::NoConversion => "incomplete format".into(),
        FormatError::OpenKey => "incomplete format key".into(),
        FormatError::NoMapping { .. } => "format requires a mapping".into(),
        FormatError::NotACodePoint { value } => {
            message!("%c format requires a valid Unicode code point, got {value}")
        }
        FormatError::Brace { is_open: true } => "unmatched '{' in format".into(),
        FormatError::Brace { is_open: false } => "single '}' in format".into(),
        FormatError::MoreFields => "tuple index out of range".into(),
        FormatError::NoField { name } => message!("keyword {name} not found"),
        FormatError::FieldLayout { text } => {
            message!("format spec features not supported in replacement fields: {text}")
        }
        FormatError::FieldPath { kind: FieldPath::Attribute, text } => {
            message!("attribute syntax x.y is not supported in replacement fields: {text}")
        }
        FormatError::FieldPath { kind: FieldPath::Element, text } => {
            message!("element syntax a[i] is not supported in replacement fields: {text}")
        }
        FormatError::FieldPath { kind: FieldPath::Field, .. } => {
            "nested replacement fields not supported".into()
        }
        FormatError::FieldNumbers { is_automatic: true } => {
            "cannot switch from manual field specification to automatic field numbering".into()
        }
        FormatError::FieldNumbers { is_automatic: false } => {
            "cannot switch from automatic field numbering to manual field specification".into()
        }
        FormatError::NotAnInteger { conversion, reason } => {
            let reason = term::message(reason);
            message!("%{} format requires integer: {reason}", plain(conversion))
        }
        FormatError::NotANumber { conversion, found } => {
            message!("%{} format requires float, not {found}", plain(conversion))
        }
        FormatError::NotACharacter { found: None } => {
            "%c format requires a single-character string".into()
        }
        FormatError::NotACharacter { found: Some(found) } => {
            message!("%c format requires int or single-character string, not {found}")
        }
    }
}

fn not_a_pair(found: NotAPair) -> Message {
    match found {
        NotAPair::Single(found) => message!("is not iterable ({found})"),
        NotAPair::Endless(found) => message!("has unknown length ({found})"),
        NotAPair::Elements(count) => message!("has length {count}, want 2"),
    }
}
