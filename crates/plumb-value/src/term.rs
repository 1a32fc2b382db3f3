//! Parts of messages that are facts: types and keys. Other renderers can express them in their own
//! words.

use plumb_source::message::{Plain, Term, plain, term};
use plumb_source::{Message, Origin};

use crate::{Datum, Node, Step};

/// A type that was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A boolean.
    Boolean,
    /// An integer.
    Integer,
    /// An integer that fits in 64 bits.
    Integer64,
    /// A number.
    Number,
    /// The number of items or characters.
    Length,
    /// The position of an item.
    Index,
}

impl Expected {
    /// Returns the type with an article.
    pub fn words(self) -> Term<&'static str> {
        let words = match self {
            Self::Boolean => "a boolean",
            Self::Integer | Self::Index => "an integer",
            Self::Integer64 => "an integer of 64 bits",
            Self::Number | Self::Length => "a number",
        };
        term(words, self)
    }
}

/// The type of a value of the template language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeName {
    /// A type with this name in the language, such as `dict`.
    Named(&'static str),
    /// A function that is not written in the language.
    Builtin,
    /// YAML of a template.
    Fragment,
}

impl TypeName {
    /// The type that a value has in the language.
    pub fn of(datum: &Datum) -> Self {
        match datum {
            Datum::Node(Node::Map(map)) if is_written(map.origin) => Self::Fragment,
            Datum::Node(Node::Array(array)) if is_written(array.origin) => Self::Fragment,
            Datum::Documents(_) => Self::Fragment,
            Datum::Function(function) if function.is_native() => Self::Builtin,
            Datum::Node(_) | Datum::Tuple(_) | Datum::Function(_) | Datum::Opaque(_) => {
                Self::Named(datum.type_name())
            }
        }
    }
}

/// Returns whether a collection was written in YAML. Others were computed.
fn is_written(origin: Origin) -> bool {
    match origin {
        Origin::Written(_) | Origin::Default(_) => true,
        Origin::Computed(_) | Origin::Unknown => false,
    }
}

impl Datum {
    /// Returns the name of the type in the template language, for a message.
    pub fn type_words(&self) -> Term<&'static str> {
        term(self.type_name(), TypeName::of(self))
    }
}

/// A key of a map.
#[derive(Clone, Debug)]
pub struct KeyName(pub Node);

impl KeyName {
    /// Returns a key for a message. A key that is not a string is written as in YAML.
    pub(crate) fn words(key: &Node) -> Message {
        match key {
            Node::String(text) => plain(text).into(),
            key => {
                let words: Plain<Step> = plain(Step::of_key(key));
                term(words, Self(key.clone())).into()
            }
        }
    }
}
