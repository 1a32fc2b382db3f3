//! Values of the API as the integers and strings that rules compare.

use std::borrow::Cow;

use plumb_value::Node;

use super::table::Type;
use super::value::{ApiValue, At};
use crate::jsonpath::{Scalar, Tree};
use plumb_format::quantity::{self, Quantity};

/// The text of a whole object is truncated after this many bytes.
const MAX_TEXT: usize = 64 << 10;

/// A value that is not an integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum IntegerError {
    /// A quantity, and the same amount written as an integer if that is possible.
    Quantity(Option<String>),
    /// Something else, such as `a string`.
    Other(&'static str),
}

impl<'t> ApiValue<'t> {
    pub(crate) fn integer(self) -> Result<i128, IntegerError> {
        let value = self.target().ok_or(IntegerError::Other("nothing"))?;
        match (value.ty, value.at) {
            (Type::Quantity, At::Written(node)) => integer_quantity(plain_text(node).trim()),
            (Type::Quantity, _) => Ok(0),
            (Type::Any, At::Written(Node::String(text))) => {
                match text.as_str().map(Quantity::parse) {
                    Some(Ok(Quantity::Integer(value))) => Ok(value.into()),
                    Some(Ok(Quantity::Other(exact))) => Err(IntegerError::quantity(exact)),
                    Some(Err(_)) | None => Err(IntegerError::Other("a string")),
                }
            }
            _ => match value.scalar() {
                Some(Scalar::Int(value)) => Ok(value),
                _ => Err(IntegerError::Other(value.kind())),
            },
        }
    }

    pub(crate) fn is_quantity(self) -> bool {
        self.target().is_some_and(|it| it.ty == Type::Quantity)
    }

    /// The value as a string. Values other than strings are converted to JSON.
    pub(crate) fn text(self) -> Cow<'t, str> {
        let Some(value) = self.target() else { return Cow::Borrowed("null") };
        match (value.ty, value.at) {
            (_, At::Written(node)) => plain_text(node),
            (Type::Quantity | Type::IntOrString, _) => Cow::Borrowed("0"),
            _ => match value.scalar() {
                Some(Scalar::Text(text)) => String::from_utf8_lossy(text),
                Some(Scalar::Bool(value)) => Cow::Borrowed(if value { "true" } else { "false" }),
                Some(Scalar::Int(value)) => Cow::Owned(value.to_string()),
                Some(Scalar::Float(value)) => Cow::Owned(value.to_string()),
                None => Cow::Borrowed(if value.length().is_some() { "[]" } else { "{}" }),
            },
        }
    }

    fn kind(self) -> &'static str {
        match self.ty {
            Type::String | Type::Time => "a string",
            Type::Bool => "a boolean",
            Type::Integer(_) => "an integer",
            Type::Quantity => "a quantity",
            Type::IntOrString => "a port name or number",
            Type::List(_) => "a list",
            Type::Struct(_) | Type::Map(_) | Type::Pointer(_) => "an object",
            Type::Any => match self.node() {
                None | Some(Node::Null) => "nothing",
                Some(Node::Bool(_)) => "a boolean",
                Some(Node::Int(_) | Node::UInt(_)) => "an integer",
                Some(Node::Float(_)) => "a fraction",
                Some(Node::String(_)) => "a string",
                Some(Node::Map(_)) => "an object",
                Some(Node::Array(_)) => "a list",
            },
        }
    }
}

impl IntegerError {
    fn quantity(exact: Option<i128>) -> Self {
        Self::Quantity(exact.and_then(quantity::integer_spelling))
    }

    /// What the value is instead of an integer.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Quantity(_) => "a quantity that Kubernetes does not keep as an integer",
            Self::Other(kind) => kind,
        }
    }
}

fn integer_quantity(text: &str) -> Result<i128, IntegerError> {
    match Quantity::parse(text) {
        Ok(Quantity::Integer(value)) => Ok(value.into()),
        Ok(Quantity::Other(exact)) => Err(IntegerError::quantity(exact)),
        Err(_) => Err(IntegerError::Other("not a quantity")),
    }
}

/// A node as text: as it is written, or in JSON.
pub(crate) fn plain_text(node: &Node) -> Cow<'_, str> {
    match node {
        Node::String(text) => text.to_str_lossy(),
        Node::Null => Cow::Borrowed("null"),
        Node::Bool(value) => Cow::Borrowed(if *value { "true" } else { "false" }),
        Node::Int(value) => Cow::Owned(value.to_string()),
        Node::UInt(value) => Cow::Owned(value.to_string()),
        Node::Float(value) => Cow::Owned(value.to_string()),
        Node::Map(_) | Node::Array(_) => {
            let mut text = String::new();
            push_json(&mut text, node);
            Cow::Owned(text)
        }
    }
}

fn push_json(text: &mut String, node: &Node) {
    if text.len() > MAX_TEXT {
        return;
    }
    match node {
        Node::String(string) => {
            let quoted = serde_json::to_string(&string.to_str_lossy());
            text.push_str(&quoted.expect("a text can be written as JSON"));
        }
        Node::Map(map) => {
            let mut before = '{';
            for item in map.items() {
                text.push(std::mem::replace(&mut before, ','));
                push_json(text, &item.key);
                text.push(':');
                push_json(text, &item.node);
            }
            text.push_str(if before == '{' { "{}" } else { "}" });
        }
        Node::Array(array) => {
            let mut before = '[';
            for item in &array.items {
                text.push(std::mem::replace(&mut before, ','));
                push_json(text, &item.node);
            }
            text.push_str(if before == '[' { "[]" } else { "]" });
        }
        Node::Null | Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::Float(_) => {
            text.push_str(&plain_text(node));
        }
    }
}
