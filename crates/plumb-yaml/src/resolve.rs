//! The types of scalars: YAML 1.1 as libyaml and its relatives implement it.
//!
//! The reader resolves plain and tagged scalars. The printer resolves a string as if it were
//! printed plain, and quotes it if the result is not [`Scalar::Text`].

mod number;
mod timestamp;

use plumb_source::Text;
use plumb_value::Node;

/// The prefix of the tags of the core schema, whose short form is `!!`.
pub const CORE_TAG_PREFIX: &str = "tag:yaml.org,2002:";

/// The type of a scalar, with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer above `i64::MAX`.
    UInt(u64),
    Float(f64),
    /// A date or a time. The document model has no such type: it is read as a string.
    Timestamp,
    /// A string: the text itself.
    Text,
}

/// A tag that requires a type that the text does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct TagMismatch {
    /// The type of the text, such as `!!str`.
    pub found: &'static str,
    /// The type that the tag requires, such as `!!int`.
    pub wanted: &'static str,
    pub text: String,
}

/// Why a tagged scalar has no value.
#[derive(Clone, Debug, PartialEq)]
pub enum TagError {
    Mismatch(TagMismatch),
    /// The text of a `!!binary` is not base64.
    InvalidBase64,
}

/// Returns the type and value of a plain scalar without a tag.
pub fn plain(text: &str) -> Scalar {
    let Some(&first) = text.as_bytes().first() else {
        return Scalar::Null;
    };
    match first {
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => word(text),
        b'0'..=b'9' if timestamp::is_timestamp(text) => Scalar::Timestamp,
        b'0'..=b'9' | b'+' | b'-' => number::number(text),
        b'.' => number::dotted(text),
        _ => Scalar::Text,
    }
}

/// Returns the value of a scalar with an explicit tag in its long form (`tag:yaml.org,2002:int`),
/// with or without quotes. Tags outside of the core schema do not affect scalars.
pub fn tagged(tag: &str, text: &str) -> Result<Node, TagError> {
    let as_text = || Node::String(Text::from(text));
    let Some(name) = tag.strip_prefix(CORE_TAG_PREFIX) else {
        return Ok(as_text());
    };
    match name {
        "binary" => binary(text),
        "bool" | "int" | "float" | "null" | "timestamp" => {
            typed(name, text).map(|scalar| scalar.into_node(text)).map_err(TagError::Mismatch)
        }
        _ => Ok(as_text()),
    }
}

impl Scalar {
    /// Returns the short form of the type's tag, such as `!!int`.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Null => "!!null",
            Self::Bool(_) => "!!bool",
            Self::Int(_) | Self::UInt(_) => "!!int",
            Self::Float(_) => "!!float",
            Self::Timestamp => "!!timestamp",
            Self::Text => "!!str",
        }
    }

    /// Returns the value of a scalar written as `text`.
    pub fn into_node(self, text: &str) -> Node {
        match self {
            Self::Null => Node::Null,
            Self::Bool(value) => Node::Bool(value),
            Self::Int(value) => Node::Int(value),
            Self::UInt(value) => Node::UInt(value),
            Self::Float(value) => Node::Float(value),
            Self::Timestamp | Self::Text => Node::String(Text::from(text)),
        }
    }
}

/// Returns the type and value of a text that begins like a null or a boolean.
fn word(text: &str) -> Scalar {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Scalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Scalar::Bool(false)
        }
        "~" | "null" | "Null" | "NULL" => Scalar::Null,
        _ => Scalar::Text,
    }
}

fn typed(name: &str, text: &str) -> Result<Scalar, TagMismatch> {
    let found = match (name, plain(text)) {
        // A timestamp is recognized only with its own tag or without a tag; other tags ignore it.
        ("timestamp", found) => found,
        (_, Scalar::Timestamp) => number::number(text),
        (_, found) => found,
    };
    let wanted = match (name, found) {
        ("bool", Scalar::Bool(_))
        | ("int", Scalar::Int(_) | Scalar::UInt(_))
        | ("float", Scalar::Float(_))
        | ("null", Scalar::Null)
        | ("timestamp", Scalar::Timestamp) => return Ok(found),
        #[expect(clippy::cast_precision_loss, reason = "the tag requests a float")]
        ("float", Scalar::Int(value)) => return Ok(Scalar::Float(value as f64)),
        ("bool", _) => "!!bool",
        ("int", _) => "!!int",
        ("float", _) => "!!float",
        ("null", _) => "!!null",
        (_, _) => "!!timestamp",
    };
    Err(TagMismatch { found: found.tag(), wanted, text: text.to_owned() })
}

fn binary(text: &str) -> Result<Node, TagError> {
    let decoded = crate::base64::decode(text.as_bytes()).ok_or(TagError::InvalidBase64)?;
    Ok(Node::String(Text::from_bytes(&decoded)))
}
