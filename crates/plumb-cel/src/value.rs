//! Values during evaluation. Parts of the validated value are borrowed.

use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use plumb_value::{ArrayItem, Map, Node};

use crate::functions::special::Special;

#[derive(Clone, Debug)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Double(f64),
    String(Str<'a>),
    Bytes(Rc<[u8]>),
    List(List<'a>),
    Map(Entries<'a>),
    Type(&'static str),
    Optional(Option<Rc<Value<'a>>>),
    /// A duration in nanoseconds.
    Duration(i64),
    /// Nanoseconds since 1970.
    Timestamp(i128),
    /// A value of a type that Kubernetes adds, such as a quantity or an address.
    Special(Rc<Special>),
}

#[derive(Clone)]
pub(crate) enum Str<'a> {
    Borrowed(&'a str),
    Shared(Rc<str>),
}

#[derive(Clone, Debug)]
pub(crate) enum List<'a> {
    Items(&'a [ArrayItem]),
    Values(Rc<[Value<'a>]>),
}

#[derive(Clone, Debug)]
pub(crate) enum Entries<'a> {
    Node(&'a Map),
    Values(Rc<[(Value<'a>, Value<'a>)]>),
}

impl Deref for Str<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &**self)
    }
}

impl<'a> Value<'a> {
    pub(crate) fn of(node: &'a Node) -> Self {
        match node {
            Node::Null => Self::Null,
            Node::Bool(value) => Self::Bool(*value),
            Node::Int(value) => Self::Int(*value),
            Node::UInt(value) => Self::UInt(*value),
            Node::Float(value) => Self::Double(*value),
            Node::String(text) => match text.as_str() {
                Some(text) => Self::String(Str::Borrowed(text)),
                None => Self::Bytes(text.as_bytes().into()),
            },
            Node::Array(array) => Self::List(List::Items(&array.items)),
            Node::Map(map) => Self::Map(Entries::Node(map)),
        }
    }

    pub(crate) fn text(text: impl Into<Rc<str>>) -> Self {
        Self::String(Str::Shared(text.into()))
    }

    pub(crate) fn list(values: Vec<Value<'a>>) -> Self {
        Self::List(List::Values(values.into()))
    }

    pub(crate) fn some(value: Value<'a>) -> Self {
        Self::Optional(Some(Rc::new(value)))
    }

    pub(crate) fn special(special: Special) -> Self {
        Self::Special(Rc::new(special))
    }

    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::UInt(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Type(_) => "type",
            Self::Optional(_) => "optional_type",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::Special(special) => special.type_name(),
        }
    }

    /// A description of its type for messages.
    pub(crate) fn described(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Optional(_) => "an optional value",
            Self::Duration(_) => "a duration",
            Self::Timestamp(_) => "a timestamp",
            Self::Int(_) => "an int",
            Self::UInt(_) => "a uint",
            Self::Bool(_) => "a bool",
            Self::Double(_) => "a double",
            Self::String(_) => "a string",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
            Self::Type(_) => "a type",
            Self::Special(special) => special.described(),
        }
    }
}

impl<'a> List<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Items(items) => items.len(),
            Self::Values(values) => values.len(),
        }
    }

    pub(crate) fn get(&self, at: usize) -> Option<Value<'a>> {
        match self {
            Self::Items(items) => items.get(at).map(|it| Value::of(&it.node)),
            Self::Values(values) => values.get(at).cloned(),
        }
    }

    pub(crate) fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = Value<'a>> + ExactSizeIterator + '_ {
        (0..self.len()).map(|at| self.get(at).expect("the index is below the length"))
    }
}

impl<'a> Entries<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Node(map) => map.len(),
            Self::Values(entries) => entries.len(),
        }
    }

    pub(crate) fn entry(&self, at: usize) -> Option<(Value<'a>, Value<'a>)> {
        match self {
            Self::Node(map) => {
                map.items().get(at).map(|it| (Value::of(&it.key), Value::of(&it.node)))
            }
            Self::Values(entries) => entries.get(at).cloned(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Value<'a>, Value<'a>)> + '_ {
        (0..self.len()).map(|at| self.entry(at).expect("the index is below the length"))
    }
}
