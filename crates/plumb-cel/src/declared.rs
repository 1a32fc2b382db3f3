//! What a schema declares about a value: its type, for the type checker, and its largest size, for
//! the cost estimate.
//!
//! The sizes are those of an API server. If a schema has no limit, the server assumes the largest
//! value that fits into one request.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::quote;

/// The largest request that an API server accepts, in bytes.
const MAX_REQUEST: u64 = 3 * 1024 * 1024;
/// The maximum number of characters of a text in a request, without its two quotes.
const MAX_TEXT: u64 = MAX_REQUEST - 2;

/// A declared value. Two objects have the same type only if both come from the same declaration.
#[derive(Debug, PartialEq)]
pub struct Declared {
    pub(crate) kind: DeclaredKind,
    /// The maximum number of characters, bytes, items or keys. Zero for values without any.
    pub(crate) max_elements: u64,
    /// The minimum length of the value in JSON, in bytes.
    min_size: u64,
    /// What distinguishes the items of a list.
    pub(crate) identity: Identity,
}

/// What distinguishes the items of a list (`x-kubernetes-list-type`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Identity {
    /// Their position.
    #[default]
    Position,
    /// Their value. The order does not matter.
    Value,
    /// The values of these keys. The order does not matter.
    Keys(Vec<String>),
}

#[derive(Debug, PartialEq)]
pub(crate) enum DeclaredKind {
    /// Nothing is known before there is a value.
    Dyn,
    Bool,
    Int,
    Double,
    String,
    Bytes,
    Duration,
    Timestamp,
    List(Arc<Declared>),
    /// Any keys, with values of one type.
    Map(Arc<Declared>),
    /// Declared keys. Their names are escaped, as expressions spell them.
    Object(BTreeMap<String, Arc<Declared>>),
}

/// A key of an object.
#[derive(Debug)]
pub struct DeclaredKey {
    /// The name as documents spell it.
    pub name: String,
    pub value: Declared,
    /// Whether every object has the key in a request: it is required, and has no default.
    pub is_sent: bool,
}

impl Declared {
    /// A text without a size: the server does not give the keys of maps a size.
    pub(crate) const NO_SIZE: Self = Self {
        kind: DeclaredKind::String,
        max_elements: 0,
        min_size: 2,
        identity: Identity::Position,
    };

    fn new(kind: DeclaredKind, max_elements: u64, min_size: u64) -> Self {
        Self { kind, max_elements, min_size, identity: Identity::Position }
    }

    /// A boolean.
    pub fn boolean() -> Self {
        Self::new(DeclaredKind::Bool, 0, 4)
    }

    /// An integer.
    pub fn integer() -> Self {
        Self::new(DeclaredKind::Int, 0, 1)
    }

    /// A number, which is a double in an expression even if it has no fraction.
    pub fn number() -> Self {
        Self::new(DeclaredKind::Double, 0, 1)
    }

    /// An integer or a text, or anything else that is only known at run time.
    pub fn dynamic(max_length: Option<u64>) -> Self {
        let most = max_length.map_or(MAX_TEXT, in_bytes);
        Self::new(DeclaredKind::Dyn, most, 1)
    }

    /// A text. Without a limit, it is as long as the longest of `values`, if only these are
    /// allowed.
    pub fn string(max_length: Option<u64>, values: &[&str]) -> Self {
        let longest = values.iter().map(|it| it.len() as u64).max();
        let most = max_length.map(in_bytes).or(longest).unwrap_or(MAX_TEXT);
        Self::new(DeclaredKind::String, most, 2)
    }

    /// A text with a format that has its own type. Returns `None` for other formats.
    pub fn formatted(format: &str, max_length: Option<u64>) -> Option<Self> {
        Some(match format {
            "byte" => Self::new(DeclaredKind::Bytes, max_length.unwrap_or(MAX_TEXT), 2),
            "duration" => Self::new(DeclaredKind::Duration, 32, 3),
            "date" => Self::new(DeclaredKind::Timestamp, 12, 12),
            "date-time" => Self::new(DeclaredKind::Timestamp, 32, 21),
            _ => return None,
        })
    }

    /// A list.
    pub fn list(item: Self, max_items: Option<u64>) -> Self {
        let most = max_items.unwrap_or_else(|| (MAX_REQUEST - 2) / (item.min_size + 1));
        Self::new(DeclaredKind::List(Arc::new(item)), most, 2)
    }

    /// The same list, with another way to distinguish its items than their position.
    #[must_use]
    pub fn identified_by(self, identity: Identity) -> Self {
        Self { identity, ..self }
    }

    /// A map with any keys.
    pub fn map(value: Self, max_properties: Option<u64>) -> Self {
        // The smallest key is `"":`, followed by a value and a comma.
        let most = max_properties.unwrap_or_else(|| (MAX_REQUEST - 2) / (value.min_size + 6));
        Self::new(DeclaredKind::Map(Arc::new(value)), most, 2)
    }

    /// A map with declared keys. Keys whose names cannot be written in an expression are left out.
    pub fn object(keys: impl IntoIterator<Item = DeclaredKey>) -> Self {
        let mut min_size = 2;
        let mut fields = BTreeMap::new();
        for DeclaredKey { name, value, is_sent } in keys {
            if is_sent {
                min_size += name.len() as u64 + value.min_size + 4;
            }
            if let Some(field) = quote::field_name(&name) {
                fields.insert(field, Arc::new(value));
            }
        }
        Self::new(DeclaredKind::Object(fields), 0, min_size)
    }

    /// What is declared about a key of an object, by the name that documents spell.
    pub fn field(&self, name: &str) -> Option<Arc<Self>> {
        match &self.kind {
            DeclaredKind::Object(fields) => fields.get(&quote::field_name(name)?).cloned(),
            _ => None,
        }
    }

    /// What is declared about the items of a list, or the values of a map.
    pub fn item(self: &Arc<Self>) -> Option<Arc<Self>> {
        match &self.kind {
            DeclaredKind::List(item) | DeclaredKind::Map(item) => Some(Arc::clone(item)),
            _ => None,
        }
    }

    /// What is declared about the items of a list.
    pub(crate) fn each(&self) -> Option<&Self> {
        match &self.kind {
            DeclaredKind::List(item) => Some(item),
            _ => None,
        }
    }

    /// What is declared about the value of a key, by the name that documents spell.
    pub(crate) fn under(&self, key: &str) -> Option<&Self> {
        match &self.kind {
            DeclaredKind::Map(value) => Some(value),
            DeclaredKind::Object(fields) => fields.get(&quote::field_name(key)?).map(|it| &**it),
            _ => None,
        }
    }

    /// The same for a key as expressions spell it.
    pub(crate) fn under_escaped(&self, field: &str) -> Option<&Self> {
        match &self.kind {
            DeclaredKind::Object(fields) => fields.get(field).map(|it| &**it),
            _ => self.under(field),
        }
    }

    /// How many such values a request can contain, if nothing limits their number.
    pub fn max_in_request(&self) -> u64 {
        MAX_REQUEST / (self.min_size + 1)
    }
}

/// Limits count characters, which have up to four bytes.
fn in_bytes(max_length: u64) -> u64 {
    max_length.saturating_mul(4)
}
