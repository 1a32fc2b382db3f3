//! What is wrong with a value, as facts. The caller turns them into messages.
//!
//! A finding names what the schema requires and the value's kind, never its text, which may be
//! secret.

use plumb_source::message::{plain, secret};
use plumb_source::{Message, Origin, Text, message};
use plumb_validation::{Constraint, Shortfall};
use plumb_value::{DataPath, Node, NodeKind};

use crate::shape::{ShapeId, Width};
use crate::{Keyword, Types};

/// One way in which a value is not valid.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub kind: FindingKind,
    /// The path of the value. A key that is missing or unknown is not part of the path.
    pub path: DataPath,
    /// Where the value was written. For a missing key, the map without the key.
    pub origin: Origin,
}

/// The kinds of findings.
#[derive(Clone, Debug)]
pub enum FindingKind {
    /// No value is valid here.
    Never,
    Type {
        expected: Types,
        found: NodeKind,
        hint: Option<Hint>,
    },
    /// A rule about the value itself is broken.
    Rule {
        keyword: Keyword,
        constraint: Constraint,
        shortfall: Shortfall,
    },
    Pattern {
        pattern: String,
    },
    Format {
        name: &'static str,
    },
    Width(Width),
    /// A key is missing.
    Missing {
        key: Text,
    },
    /// A key is missing that another key requires.
    MissingBeside {
        key: Text,
        other: Text,
    },
    /// A key that the schema does not declare. `shape` has the declared keys.
    Unknown {
        key: Text,
        shape: ShapeId,
    },
    /// A key that is not a string.
    KeyNotText {
        key: Text,
    },
    /// The name of a key is not valid.
    KeyName {
        key: Text,
    },
    /// An item equals an earlier one, as a whole or in these keys.
    Repeated {
        keys: Vec<String>,
    },
    /// There are more items than the schema allows.
    MoreItems,
    Contains {
        least: u64,
        most: Option<u64>,
        found: u64,
    },
    NoneOf,
    /// The number of alternatives that are satisfied is not exactly one.
    NotOneOf {
        n_fitting: usize,
    },
    RuledOut,
    /// A rule in CEL is broken, or could not be applied for the given reason.
    Expression {
        source: String,
        message: Option<String>,
        /// The message that an expression computes for the value. It may contain parts of the
        /// value.
        computed: Option<String>,
        fault: Option<Message>,
    },
    /// The check was stopped: the schema has too many nested alternatives.
    TooComplex,
}

/// What the author of a value of the wrong type probably has to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    Quote,
    Unquote,
}

impl FindingKind {
    /// What was expected, as a phrase after "expected"; empty if there is nothing to add.
    pub fn expected(&self) -> Message {
        match self {
            Self::Never => "nothing".into(),
            Self::Type { expected, .. } => match expected.words() {
                none if none.is_empty() => "nothing".into(),
                words => plain(words).into(),
            },
            Self::Rule { constraint, .. } => constraint.description(),
            Self::Pattern { pattern } => {
                message!("a value that matches {}", plain(Node::from(pattern.as_str()).repr()))
            }
            Self::Format { name } => message!("a value in the format {}", *name),
            Self::Width(Width::Int32) => "a 32-bit integer".into(),
            Self::Width(Width::Int64) => "a 64-bit integer".into(),
            Self::Width(Width::Base64) => "text in base64".into(),
            Self::Missing { key } => message!("the key `{}`", plain(key)),
            Self::MissingBeside { key, other } => {
                message!("`{}` next to `{}`", plain(key), plain(other))
            }
            Self::KeyNotText { .. } => "a key that is a string".into(),
            Self::KeyName { .. } => "a key with a valid name".into(),
            Self::Repeated { keys } => match keys.as_slice() {
                [] => "an item that differs from all others".into(),
                keys => {
                    message!("an item with a {} that no other item has", plain(keys.join(" and ")))
                }
            },
            Self::MoreItems => "fewer items".into(),
            Self::Contains { least, most, .. } => match most {
                None => message!("at least {} of the items to match", plain(least)),
                Some(most) => message!("{} to {} of the items to match", plain(least), plain(most)),
            },
            Self::NoneOf => "a value that matches one of the alternatives".into(),
            Self::NotOneOf { .. } => "a value that matches exactly one of the alternatives".into(),
            Self::RuledOut => "a value that does not match the schema under `not`".into(),
            Self::Unknown { .. } | Self::Expression { message: Some(_), fault: None, .. } => {
                Message::new()
            }
            Self::Expression { source, .. } => message!("`{}` to be true", plain(source.trim())),
            Self::TooComplex => "a schema with fewer nested alternatives".into(),
        }
    }

    /// What was found, as a complete phrase such as `it is missing`.
    pub fn found(&self) -> Message {
        match self {
            Self::Never => "found a value".into(),
            Self::Type { found, .. } => message!("found {}", found.with_article()),
            Self::Rule { constraint, shortfall, .. } => constraint.failure(shortfall),
            Self::Pattern { .. } => "found a value that does not".into(),
            Self::Format { .. } => "found another value".into(),
            Self::Width(Width::Int32 | Width::Int64) => {
                "found a number that needs more bits".into()
            }
            Self::Width(Width::Base64) => "found other text".into(),
            Self::Missing { .. } | Self::MissingBeside { .. } => "it is missing".into(),
            Self::Unknown { .. } => "no such field".into(),
            Self::KeyNotText { .. } => "found another type: quote it".into(),
            Self::KeyName { .. } => "found another name".into(),
            Self::Repeated { keys } if keys.is_empty() => "found an equal item before it".into(),
            Self::Repeated { .. } => "found an earlier item that has it".into(),
            Self::MoreItems => "found more".into(),
            Self::Contains { found, .. } => message!("found {}", plain(found)),
            Self::NoneOf => "found a value that matches none of them".into(),
            Self::NotOneOf { n_fitting } => {
                message!("found a value that matches {n_fitting} of them")
            }
            Self::RuledOut => "found a value that matches it".into(),
            Self::Expression { fault: Some(fault), .. } => {
                message!("its rule cannot be applied: {fault}")
            }
            Self::Expression { message, computed: Some(computed), .. } => match message {
                Some(message) => message!("{}: {}", plain(message), secret(computed)),
                None => message!("its message: {}", secret(computed)),
            },
            Self::Expression { message: Some(message), .. } => plain(message).into(),
            Self::Expression { .. } => "found false".into(),
            Self::TooComplex => "this one takes too long to check".into(),
        }
    }

    /// The whole message: what was expected and what was found.
    pub fn message(&self) -> Message {
        match self.expected() {
            none if none.is_empty() => self.found(),
            expected => message!("expected {expected}; {}", self.found()),
        }
    }
}
