//! What is wrong with a value: facts, which the caller puts into words.
//!
//! A finding names what the schema requires and the value's kind, never its text, which may be
//! secret.

use std::fmt;

use plumb_source::{Message, Origin, Text};
use plumb_validation::{Constraint, Words};
use plumb_value::{DataPath, Node, NodeKind};

use crate::shape::{ShapeId, Width};
use crate::{Keyword, Types};

/// One way in which a value is not valid.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub problem: Problem,
    /// The path of the value. A key that is missing or unknown is not part of the path.
    pub path: DataPath,
    /// Where the value, or the value that lacks a key, was written.
    pub origin: Origin,
}

/// In which way a value is not valid.
#[derive(Clone, Debug)]
pub enum Problem {
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
        failure: Words,
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
    /// A key that the schema does not declare. `shape` has the declared ones.
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

impl Problem {
    /// What was expected, as a phrase after "expected"; empty if there is nothing to add.
    pub fn expected(&self) -> String {
        match self {
            Self::Never => "nothing".to_owned(),
            Self::Type { expected, .. } => match expected.words() {
                none if none.is_empty() => "nothing".to_owned(),
                words => words,
            },
            Self::Rule { constraint, .. } => constraint.description().own.shown().to_owned(),
            Self::Pattern { pattern } => {
                format!("a value that matches {}", Node::from(pattern.as_str()).repr())
            }
            Self::Format { name } => format!("a value in the format {name}"),
            Self::Width(Width::Int32) => "an integer of 32 bits".to_owned(),
            Self::Width(Width::Int64) => "an integer of 64 bits".to_owned(),
            Self::Width(Width::Base64) => "text in base64".to_owned(),
            Self::Missing { key } => format!("`{key}` in it"),
            Self::MissingBeside { key, other } => format!("`{key}` next to `{other}`"),
            Self::KeyNotText { .. } => "a key that is a string".to_owned(),
            Self::KeyName { .. } => "a key with a valid name".to_owned(),
            Self::Repeated { keys } => match keys.as_slice() {
                [] => "an item that is not there yet".to_owned(),
                keys => format!("an item with a {} of its own", keys.join(" and ")),
            },
            Self::MoreItems => "fewer items".to_owned(),
            Self::Contains { least, most, .. } => match most {
                None => format!("at least {least} of the items to match"),
                Some(most) => format!("{least} to {most} of the items to match"),
            },
            Self::NoneOf | Self::NotOneOf { .. } => {
                "a value that fits one of the alternatives".to_owned()
            }
            Self::RuledOut => "a value that is not ruled out".to_owned(),
            Self::Unknown { .. } | Self::Expression { message: Some(_), fault: None, .. } => {
                String::new()
            }
            Self::Expression { source, .. } => format!("`{}` to be true", source.trim()),
            Self::TooComplex => "a schema with fewer alternatives within alternatives".to_owned(),
        }
    }

    /// What was found, as a complete phrase such as `it is missing`.
    pub fn found(&self) -> String {
        match self {
            Self::Never => "found a value".to_owned(),
            Self::Type { found, .. } => format!("it is {}", found.with_article()),
            Self::Rule { failure, .. } => failure.own.masked().into_owned(),
            Self::Pattern { .. } | Self::Format { .. } => "found a value that does not".to_owned(),
            Self::Width(Width::Int32 | Width::Int64) => "found a number that needs more".to_owned(),
            Self::Width(Width::Base64) => "found other text".to_owned(),
            Self::Missing { .. } | Self::MissingBeside { .. } => "it is missing".to_owned(),
            Self::Unknown { .. } => "no such field".to_owned(),
            Self::KeyNotText { .. } => "quote it".to_owned(),
            Self::KeyName { .. } => "found another name".to_owned(),
            Self::Repeated { .. } => "there is one like it before".to_owned(),
            Self::MoreItems => "found more".to_owned(),
            Self::Contains { found, .. } => format!("found {found}"),
            Self::NoneOf => "it fits none of them".to_owned(),
            Self::NotOneOf { n_fitting } => format!("it fits {n_fitting} of them"),
            Self::RuledOut => "it is".to_owned(),
            Self::Expression { fault: Some(fault), .. } => {
                format!("its rule cannot be applied: {}", fault.masked())
            }
            Self::Expression { message: Some(message), .. } => message.clone(),
            Self::Expression { .. } => "found false".to_owned(),
            Self::TooComplex => "it takes too long to check".to_owned(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.expected() {
            none if none.is_empty() => f.write_str(&self.found()),
            expected => write!(f, "expected {expected}; {}", self.found()),
        }
    }
}
