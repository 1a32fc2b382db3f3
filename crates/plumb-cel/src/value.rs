//! Values during evaluation. Parts of the validated value are borrowed, with what a schema declares
//! about them.

use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use plumb_value::{ArrayItem, Map, Node};

use crate::declared::{Declared, DeclaredKind, Identity};
use crate::functions::special::Special;
use crate::functions::time;
use crate::functions::timestamp::Timestamp;

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
    Timestamp(Timestamp),
    /// A value of a type that Kubernetes adds, such as a quantity or an address.
    Special(Rc<Special>),
}

#[derive(Clone)]
pub(crate) enum Str<'a> {
    Borrowed(&'a str),
    Shared(Rc<str>),
}

/// A list, and what is declared about it.
#[derive(Clone, Debug)]
pub(crate) enum List<'a> {
    Items(&'a [ArrayItem], Option<&'a Declared>),
    Values(Rc<[Value<'a>]>, Option<&'a Declared>),
}

#[derive(Clone, Debug)]
pub(crate) enum Entries<'a> {
    Node(&'a Map, Option<&'a Declared>),
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
    /// A value about which nothing is declared.
    pub(crate) fn of(node: &'a Node) -> Self {
        Self::declared(node, None)
    }

    /// A value as a schema declares it: a string with one of some formats becomes a duration, a
    /// timestamp or bytes. If it is malformed, it stays a string.
    pub(crate) fn declared(node: &'a Node, declared: Option<&'a Declared>) -> Self {
        let kind = declared.map(|it| &it.kind);
        match node {
            Node::Null => Self::Null,
            Node::Bool(value) => Self::Bool(*value),
            #[expect(clippy::cast_precision_loss, reason = "the nearest float is intended")]
            Node::Int(value) if kind == Some(&DeclaredKind::Double) => Self::Double(*value as f64),
            Node::Int(value) => Self::Int(*value),
            Node::UInt(value) => Self::UInt(*value),
            Node::Float(value) => Self::Double(*value),
            Node::String(text) => match text.as_str() {
                Some(text) => kind
                    .and_then(|it| formatted(text, it))
                    .unwrap_or(Self::String(Str::Borrowed(text))),
                None => Self::Bytes(text.as_bytes().into()),
            },
            Node::Array(array) => Self::List(List::Items(&array.items, declared)),
            Node::Map(map) => Self::Map(Entries::Node(map, declared)),
        }
    }

    pub(crate) fn text(text: impl Into<Rc<str>>) -> Self {
        Self::String(Str::Shared(text.into()))
    }

    pub(crate) fn list(values: Vec<Value<'a>>) -> Self {
        Self::List(List::Values(values.into(), None))
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
            Self::Items(items, _) => items.len(),
            Self::Values(values, _) => values.len(),
        }
    }

    pub(crate) fn get(&self, at: usize) -> Option<Value<'a>> {
        match self {
            Self::Items(items, declared) => {
                let declared = declared.and_then(Declared::each);
                items.get(at).map(|it| Value::declared(&it.node, declared))
            }
            Self::Values(values, _) => values.get(at).cloned(),
        }
    }

    /// What is declared about the list.
    pub(crate) fn schema(&self) -> Option<&'a Declared> {
        match self {
            Self::Items(_, declared) | Self::Values(_, declared) => *declared,
        }
    }

    /// What distinguishes its items.
    pub(crate) fn identity(&self) -> &'a Identity {
        self.schema().map_or(&Identity::Position, |it| &it.identity)
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
            Self::Node(map, _) => map.len(),
            Self::Values(entries) => entries.len(),
        }
    }

    pub(crate) fn entry(&self, at: usize) -> Option<(Value<'a>, Value<'a>)> {
        match self {
            Self::Node(map, declared) => map.items().get(at).map(|it| {
                let declared = declared.and_then(|declared| declared.under(it.key.as_str()?));
                (Value::of(&it.key), Value::declared(&it.node, declared))
            }),
            Self::Values(entries) => entries.get(at).cloned(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Value<'a>, Value<'a>)> + '_ {
        (0..self.len()).map(|at| self.entry(at).expect("the index is below the length"))
    }
}

/// A string as a value of the type that its format has. Returns `None` for other formats, and if
/// the string is malformed.
fn formatted<'a>(text: &str, kind: &DeclaredKind) -> Option<Value<'a>> {
    match kind {
        DeclaredKind::Bytes => base64(text).map(|it| Value::Bytes(it.into())),
        DeclaredKind::Duration => time::duration(text).map(Value::Duration),
        DeclaredKind::Timestamp => {
            let time = Timestamp::parse(text);
            let time = time.or_else(|| Timestamp::parse(&format!("{text}T00:00:00Z")));
            time.map(Value::Timestamp)
        }
        DeclaredKind::Dyn
        | DeclaredKind::Bool
        | DeclaredKind::Int
        | DeclaredKind::Double
        | DeclaredKind::String
        | DeclaredKind::List(_)
        | DeclaredKind::Map(_)
        | DeclaredKind::Object(_) => None,
    }
}

/// Decodes base64 with padding.
fn base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    if !text.len().is_multiple_of(4) || text.len() - digits.len() > 2 {
        return None;
    }
    let (mut bytes, mut bits, mut n_bits) = (Vec::new(), 0_u32, 0);
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push(u8::try_from(bits >> n_bits & 0xff).expect("it has eight bits"));
        }
    }
    Some(bytes)
}
