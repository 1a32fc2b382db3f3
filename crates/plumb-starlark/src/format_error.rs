//! Errors of `format % values` and `format.format(…)`: typed facts, and our messages for them.

use plumb_source::message::plain;
use plumb_source::{Message, Text, message};

use crate::error::parts_of_messages;

/// A mistake in a format string, or in the values for it.
#[derive(Clone, Debug)]
pub enum FormatError {
    /// `%` without a conversion.
    NoConversion,
    /// `%(` without `)`.
    OpenKey,
    /// `%(key)` with a value of this type.
    NoMapping { found: &'static str },
    /// `%c` with a number that is not the code point of a character.
    NotACodePoint { value: Message },
    /// A `{` or a `}` without its counterpart.
    Brace { is_open: bool },
    /// `format` needs more arguments.
    MoreFields,
    /// `format` has no argument of this name.
    NoField { name: Text },
    /// A field has a format specification: this text after its colon.
    FieldLayout { text: Text },
    /// A field refers to something other than an argument. Contains the text of the field.
    FieldPath { text: Text, kind: FieldPath },
    /// Fields with and without numbers are mixed. The field that is reported has no number if
    /// `is_automatic`.
    FieldNumbers { is_automatic: bool },
    /// A conversion such as `%d` needs an integer. The reason says why the operand is not one.
    NotAnInteger { conversion: char, reason: Message },
    /// A conversion such as `%f` needs a number, but the operand has this type.
    NotANumber { conversion: char, found: &'static str },
    /// `%c` with an operand of this type; `None` if it is a text that is not one character.
    NotACharacter { found: Option<&'static str> },
}

/// What a field of `format` refers to instead of an argument.
#[derive(Clone, Copy, Debug)]
pub enum FieldPath {
    Attribute,
    Element,
    Field,
}

impl FormatError {
    fn words(&self) -> Message {
        match self {
            Self::NoConversion => "expected a conversion such as `%s`, found `%` at the end".into(),
            Self::OpenKey => "expected `)` after `%(` and a key".into(),
            Self::NoMapping { found } => {
                message!("expected a dict, because `%(` begins a key; found {found}")
            }
            Self::NotACodePoint { value } => {
                message!("%c: expected the number of a Unicode character, found {value}")
            }
            Self::Brace { is_open: true } => {
                "expected `}` after `{`: write `{{` for a brace".into()
            }
            Self::Brace { is_open: false } => {
                "expected `{` before `}`: write `}}` for a brace".into()
            }
            Self::MoreFields => "expected an argument for each field, found fewer".into(),
            Self::NoField { name } => message!("expected an argument named `{name}`, found none"),
            Self::FieldLayout { .. } => {
                "expected `}` at the end of the field, found `:`: format specifications are not \
                 supported"
                    .into()
            }
            Self::FieldPath { text, kind } => {
                let what = match kind {
                    FieldPath::Attribute => "an attribute",
                    FieldPath::Element => "an element",
                    FieldPath::Field => "another field",
                };
                message!("expected a field that names an argument, found {what} in `{text}`")
            }
            Self::FieldNumbers { .. } => {
                "expected numbers in all fields or in none, found both".into()
            }
            Self::NotAnInteger { conversion, reason } => {
                message!("%{}: {reason}", plain(conversion))
            }
            Self::NotANumber { conversion, found } => {
                message!("%{}: expected a number, found {found}", plain(conversion))
            }
            Self::NotACharacter { found: None } => "%c: expected a string of one character".into(),
            Self::NotACharacter { found: Some(found) } => {
                message!("%c: expected a character or its number, found {found}")
            }
        }
    }
}

parts_of_messages!(FormatError);
