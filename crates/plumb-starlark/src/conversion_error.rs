//! What is wrong with the arguments of `int`, `float`, `chr`, `ord` and `bytes`, as facts. Here are
//! our words for them.

use plumb_source::message::{secret, term};
use plumb_source::{Message, Part, Text, message};

/// A value that cannot become a number, a character or a byte.
#[derive(Clone, Debug)]
pub enum ConversionError {
    /// The base of an integer.
    Base,
    /// A value of this type is converted with a base, and is not a string.
    BaseWithoutText { found: &'static str },
    /// A text is not an integer in this base.
    NotAnInteger { base: u32, text: Text },
    /// `float` is called with this number of arguments.
    FloatArguments(usize),
    /// A value of this type cannot become a float.
    NotANumber { found: &'static str },
    /// A text of this number of characters is not a single one.
    NotACharacter { count: usize },
    /// A number that is not a byte, at this index of a sequence.
    ByteAt { index: usize, value: Message },
    /// A number that is not a byte.
    Byte { value: Message },
    /// A number that is not the number of a character.
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

/// The error as a part of a message: our words, with the facts.
impl Part for ConversionError {
    fn add_to(&self, message: &mut Message) {
        message.push(&term(self.words(), self.clone()));
    }
}

impl From<ConversionError> for Message {
    fn from(error: ConversionError) -> Self {
        Self::of(&[&error])
    }
}
