//! What is wrong with a text that values are inserted into, by `%` or by `format`, or with the
//! values, as facts. Here are our words for them.

use plumb_source::message::{plain, term};
use plumb_source::{Message, Part, Text, message};

/// A mistake in a format, or in the values for it.
#[derive(Clone, Debug)]
pub enum FormatError {
    /// `%` without a conversion.
    NoConversion,
    /// `%(` without `)`.
    OpenKey,
    /// `%(key)` with a value of this type.
    NoMapping { found: &'static str },
    /// A value is not the number of a character.
    NotACodePoint { value: Message },
    /// A `{` or a `}` alone in a text for `format`.
    Brace { is_open: bool },
    /// `format` needs more arguments.
    MoreFields,
    /// `format` has no argument of this name.
    NoField { name: Text },
    /// Text between the colon and the brace of a field.
    FieldLayout { text: Text },
    /// A field names more than an argument: its text.
    FieldPath { text: Text, kind: FieldPath },
    /// A field has no number, or else has one, and the fields before it are of the other kind.
    FieldNumbers { is_automatic: bool },
    /// A conversion of `%` with an integer. The reason says why the operand is not an integer.
    NotAnInteger { conversion: char, reason: Message },
    /// A conversion of `%` with a number, and an operand of this type.
    NotANumber { conversion: char, found: &'static str },
    /// `%c` with an operand of this type, or with a text that is not one character.
    NotACharacter { found: Option<&'static str> },
}

/// What a field of `format` names instead of an argument.
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
                "expected `}` in the field, found `:`: a field cannot say how its value is written"
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

/// The error as a part of a message: our words, with the facts.
impl Part for FormatError {
    fn add_to(&self, message: &mut Message) {
        message.push(&term(self.words(), self.clone()));
    }
}

impl From<FormatError> for Message {
    fn from(error: FormatError) -> Self {
        Self::of(&[&error])
    }
}
