//! Errors of `int`, `float`, `chr`, `ord` and `bytes`: typed facts, and our messages for them.

use plumb_source::message::secret;
use plumb_source::{Message, Text, message};

use crate::error::parts_of_messages;

/// A value that cannot be converted to a number, a character or a byte.
#[derive(Clone, Debug)]
pub enum ConversionError {
    /// The base of an integer is not valid.
    Base,
    /// `int` is called with a base, and with a value of this type instead of a string.
    BaseWithoutText { found: &'static str },
    /// The text is not an integer in this base.
    NotAnInteger { base: u32, text: Text },
    /// `float` is called with this number of arguments.
    FloatArguments(usize),
    /// A value of this type cannot be converted to a float.
    NotANumber { found: &'static str },
    /// `ord` is called with a text of this number of characters instead of one.
    NotACharacter { count: usize },
    /// The number at this index of a sequence is not a byte.
    ByteAt { index: usize, value: Message },
    /// A number is not a byte.
    Byte { value: Message },
    /// A number is not the code point of a character.
    Character { number: i64 },
}

impl ConversionError {
    fn words(&self) -> Message {
        match self {
            Self::Base => "expected a base from 2 to 36, or 0".into(),
            Self::BaseWithoutText { found } => {
                message!("expected a string, because there is a base; found {found}")
            }
            Self::NotAnInteger { base: 0 | 10, text } => {
                message!("expected an integer, found '{text}'")
            }
            Self::NotAnInteger { base, text } => {
                message!("expected an integer in base {base}, found '{text}'")
            }
            Self::FloatArguments(found) => {
                message!("float: expected at most 1 argument, found {found}")
            }
            Self::NotANumber { found } => {
                message!("float: expected number or string, found {found}")
            }
            Self::NotACharacter { count } => {
                message!("expected one character, found {}", secret(count))
            }
            Self::ByteAt { index, value } => {
                message!("expected numbers from 0 to 255, found {value} at index {index}")
            }
            Self::Byte { value } => message!("expected a number from 0 to 255, found {value}"),
            Self::Character { number } => {
                message!("expected the number of a Unicode character, found {number}")
            }
        }
    }
}

parts_of_messages!(ConversionError);
