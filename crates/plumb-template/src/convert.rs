//! Converts values of the language to nodes of documents, and back.

use std::sync::Arc;

use plumb_source::message::{plain, term};
use plumb_source::{Cancel, Message, Origin, message};
use plumb_starlark::{Budget, Bytes, Dict, Error, Limits, Result, Tally, Value};
use plumb_value::{Array, ArrayItem, Document, Map, MapItem, Node};

use crate::datum::NativeObject;
use crate::{DataStruct, Fragment, FragmentContent as Content, Object};

/// The maximum nesting depth of a value that is converted to a document. A value that contains
/// itself has infinite depth.
#[expect(clippy::cast_possible_truncation, reason = "the limit is small")]
pub(crate) const MAX_DEPTH: u32 = plumb_source::MAX_DEPTH as u32;

/// A value that has no form in data, such as the rule of a validation.
#[derive(Clone, Copy, Debug)]
pub struct NotEncodable;

const NOT_ENCODABLE: &str = "a value cannot be converted";

/// A value converted to data: a node, or documents.
#[derive(Clone, Debug)]
pub enum Data {
    Node(Node),
    Documents(Arc<Vec<Document>>),
}

/// Converts a value to a node; `origin` is the expression that computed it. Fails if the value is
/// not data or exceeds a limit. The memory is counted in `tally` before the node is created.
pub fn to_node(value: &Value, origin: Origin, tally: &mut Tally<'_>) -> Result<Node> {
    match to_data(value, origin, tally)? {
        Data::Node(node) => Ok(node),
        Data::Documents(_) => Err(documents_found()),
    }
}

/// Converts a value that is used as a key. Returns `None` for documents, which cannot be keys.
pub(crate) fn to_key(value: &Value) -> Result<Option<Node>> {
    /// Keys that are not strings are never larger. The copy is not charged to the run, so it must
    /// be small compared with any limit.
    const LARGEST: Limits = Limits::DEFAULT.memory(128 << 10).steps(1 << 12);
    match value {
        Value::String(text) => Ok(Some(Node::String(text.clone()))),
        Value::Int(it) => Ok(Some(Node::Int(*it))),
        other => {
            let budget = Budget::new(LARGEST, Cancel::default());
            match to_data(other, Origin::Unknown, &mut Tally::borrowed(&budget))? {
                Data::Node(node) => Ok(Some(node)),
                Data::Documents(_) => Ok(None),
            }
        }
    }
}

/// Converts a value to a node or documents; `origin` is the expression that computed it. Fails if
/// the value is not data or exceeds a limit. The memory is counted in `tally` before they are
/// created.
pub fn to_data(value: &Value, origin: Origin, tally: &mut Tally<'_>) -> Result<Data> {
    to_data_with_levels(value, origin, tally).map(|(data, _)| data)
}

/// Like [`to_data`]. Also returns an upper bound for the nesting depth of the data: see
/// [`Fragment`].
pub(crate) fn to_data_with_levels(
    value: &Value,
    origin: Origin,
    tally: &mut Tally<'_>,
) -> Result<(Data, u32)> {
    let fragment = value.downcast::<Fragment>();
    let data = match fragment.map(Fragment::content) {
        Some(Content::Documents(documents)) => {
            if Arc::strong_count(documents) > 1 {
                documents.iter().try_for_each(|it| count(&it.node, tally))?;
            }
            let levels = fragment.map_or(0, Fragment::levels);
            (Data::Documents(Arc::clone(documents)), levels)
        }
        _ => {
            let mut converter = Converter { origin, tally, levels: 0 };
            let node = converter.node(value, MAX_DEPTH)?;
            (Data::Node(node), converter.levels)
        }
    };
    tally.settle()?;
    Ok(data)
}

/// Counts all parts of a document, as if it was copied.
pub fn count_copy(node: &Node, tally: &mut Tally<'_>) -> Result<()> {
    count(node, tally)?;
    tally.settle()
}

/// Counts the parts of a document that are not shared with anything else.
pub fn count_new(node: &Node, tally: &mut Tally<'_>) -> Result<()> {
    match node {
        Node::Map(map) if Arc::strong_count(map) == 1 => {
            let index = map.len() * INDEXED;
            tally.element(COLLECTION + map.len() * size_of::<MapItem>() + index)?;
        }
        Node::Array(array) if Arc::strong_count(array) == 1 => {
            tally.element(COLLECTION + array.items.len() * size_of::<ArrayItem>())?;
        }
        _ => return Ok(()),
    }
    node.children().try_for_each(|(_, child)| count_new(child, tally))
}

/// Counts a part of a document that is used again: it is processed and printed for each use. Its
/// first use was counted when it was built.
fn count(node: &Node, tally: &mut Tally<'_>) -> Result<()> {
    tally.element(size_of_scalar(node))?;
    match node {
        Node::Map(map) => map.items().iter().try_for_each(|item| {
            tally.element(size_of::<MapItem>() + size_of_scalar(&item.key))?;
            count(&item.node, tally)
        }),
        Node::Array(array) => array.items.iter().try_for_each(|item| {
            tally.element(size_of::<ArrayItem>())?;
            count(&item.node, tally)
        }),
        _ => Ok(()),
    }
}

/// The bytes of a scalar in addition to its item: those of its text, which will be printed.
fn size_of_scalar(node: &Node) -> usize {
    match node {
        Node::String(text) => text.len(),
        _ => 0,
    }
}

/// The memory of an item that a template builds. A list that grows has room for up to twice as many
/// items as it has, and is copied to that room.
pub(crate) const ITEM: usize = 2 * size_of::<MapItem>();
/// The memory with which a map finds an item by its key.
const INDEXED: usize = 8;
/// The memory of a map or an array in addition to its items: counters, its head, and the overhead
/// of the allocator.
const COLLECTION: usize = size_of::<Map>() + 48;

struct Converter<'t, 'b> {
    origin: Origin,
    tally: &'t mut Tally<'b>,
    /// The nesting depth of the result.
    levels: u32,
}

impl Converter<'_, '_> {
    fn node(&mut self, value: &Value, depth: u32) -> Result<Node> {
        let Some(depth) = depth.checked_sub(1) else { return Err(too_deep()) };
        self.levels = self.levels.max(MAX_DEPTH - depth);
        Ok(match value {
            Value::None => Node::Null,
            Value::Bool(it) => Node::Bool(*it),
            Value::Int(it) => Node::Int(*it),
            Value::BigInt(it) => match u64::try_from(&**it) {
                Ok(it) => Node::uint(it),
                Err(_) => return Err(Error::new("expected an integer of at most 64 bits")),
            },
            Value::Float(it) => Node::Float(*it),
            Value::String(text) => {
                self.tally.element(text.len())?;
                Node::String(text.clone())
            }
            Value::List(list) => self.array(list.elements().iter(), depth)?,
            Value::Tuple(tuple) => self.array(tuple.iter(), depth)?,
            Value::Set(_) => {
                let elements: Vec<Value> = value.iterate().into_iter().flatten().collect();
                self.array(elements.iter(), depth)?
            }
            Value::Dict(dict) => self.map(&dict.items(), depth)?,
            Value::Struct(fields) => {
                let fields = fields.fields().map(|(k, v)| (Value::String(k.clone()), v.clone()));
                self.map(&fields.collect::<Vec<_>>(), depth)?
            }
            Value::Host(_) => return self.foreign(value, depth),
            Value::Range(_)
            | Value::StringIterable(_)
            | Value::Function(_)
            | Value::Builtin(_)
            | Value::Method(_)
            | Value::Module(_) => return Err(not_data(value)),
        })
    }

    /// Fragments and data values are shared; other host values are not data.
    fn foreign(&mut self, value: &Value, depth: u32) -> Result<Node> {
        if let Some(values) = value.downcast::<DataStruct>() {
            let node = values.node();
            count(&node, self.tally)?;
            return Ok(node);
        }
        let fragment = value.downcast::<Fragment>();
        if let Some(fragment) = fragment {
            let levels = fragment.levels();
            if levels > depth {
                return Err(too_deep());
            }
            self.levels = self.levels.max(MAX_DEPTH - depth + levels);
        }
        match (fragment.map(Fragment::content), value.downcast::<Object>()) {
            (Some(Content::Empty), _) => Ok(Node::Null),
            (Some(Content::Map(map)), _) => {
                let is_used_already = Arc::strong_count(map) > 1;
                self.again(Node::Map(Arc::clone(map)), is_used_already)
            }
            (Some(Content::Array(array)), _) => {
                let is_used_already = Arc::strong_count(array) > 1;
                self.again(Node::Array(Arc::clone(array)), is_used_already)
            }
            (Some(Content::Documents(_)), _) => Err(documents_found()),
            (None, Some(object)) => {
                let words = term(NOT_ENCODABLE, NotEncodable);
                Err(Error::new(message!("{words}: {}", plain(object.encoding_hint()))))
            }
            (None, None) if value.downcast::<NativeObject>().is_some() => {
                let (words, type_name) = (term(NOT_ENCODABLE, NotEncodable), value.type_name());
                Err(Error::new(message!(
                    "{words}: {type_name} does not encode (did you mean to call check()?)"
                )))
            }
            (None, None) => Err(not_data(value)),
        }
    }

    fn again(&mut self, node: Node, is_used_already: bool) -> Result<Node> {
        if is_used_already {
            count(&node, self.tally)?;
        }
        Ok(node)
    }

    fn array<'a>(
        &mut self,
        elements: impl ExactSizeIterator<Item = &'a Value>,
        depth: u32,
    ) -> Result<Node> {
        self.tally.element(COLLECTION + elements.len() * size_of::<ArrayItem>())?;
        let origin = self.origin;
        let mut items = Vec::with_capacity(elements.len());
        for element in elements {
            items.push(ArrayItem::new(self.node(element, depth)?, origin));
        }
        Ok(Node::array(Array::new(items, origin)))
    }

    fn map(&mut self, entries: &[(Value, Value)], depth: u32) -> Result<Node> {
        self.tally.element(COLLECTION + entries.len() * (size_of::<MapItem>() + INDEXED))?;
        let origin = self.origin;
        let mut items = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            items.push(MapItem::new(self.node(key, depth)?, self.node(value, depth)?, origin));
        }
        Ok(Node::map(Map::new(items, origin)))
    }
}

pub(crate) fn too_deep() -> Error {
    Error::new(message!(
        "expected a value that nests at most {MAX_DEPTH} levels (does it contain itself?)"
    ))
}

fn not_data(value: &Value) -> Error {
    let hint = match value {
        Value::Range(_) | Value::StringIterable(_) => " (hint: use list(...) to get its elements)",
        Value::Function(_) | Value::Builtin(_) | Value::Method(_) => {
            " (hint: did you mean to call it?)"
        }
        _ if value.downcast::<Bytes>().is_some() => {
            " (hint: use str(...) to decode text, or base64.encode(...))"
        }
        _ => "",
    };
    Error::new(message!(
        "expected a value that YAML can represent, {}{hint}",
        message::found(value.type_name())
    ))
}

fn documents_found() -> Error {
    let found = message::found("a document set");
    Error::new(message!("expected a map, an array or a scalar, {found}"))
}

/// Converts a node to a value. Maps and arrays that were written as YAML become fragments; those
/// that code created become dictionaries and lists again.
pub fn to_value(node: &Node) -> Value {
    match to_content(node) {
        Some(content) => Fragment::from(content).into(),
        None => to_plain_value(node),
    }
}

/// Returns the content of a fragment for a map or an array that was written as YAML.
pub(crate) fn to_content(node: &Node) -> Option<Content> {
    match node {
        Node::Map(map) if is_written(map.origin) => Some(Content::Map(Arc::clone(map))),
        Node::Array(array) if is_written(array.origin) => Some(Content::Array(Arc::clone(array))),
        _ => None,
    }
}

/// Converts a node to a value in which all maps are dictionaries and all arrays are lists.
pub fn to_plain_value(node: &Node) -> Value {
    match node {
        Node::Null => Value::None,
        Node::Bool(it) => Value::Bool(*it),
        Node::Int(it) => Value::Int(*it),
        Node::UInt(it) => Value::from(*it),
        Node::Float(it) => Value::Float(*it),
        Node::String(text) => Value::String(text.clone()),
        Node::Array(array) => {
            Value::list(array.items.iter().map(|item| to_plain_value(&item.node)))
        }
        Node::Map(map) => {
            let items = map.items().iter();
            let items = items.map(|it| (to_plain_value(&it.key), to_plain_value(&it.node)));
            let dict = Dict::from_items(items).unwrap_or_default();
            Value::Dict(Arc::new(dict))
        }
    }
}

/// Converts like [`to_plain_value`]. The memory is counted in `tally` before each part is created:
/// a node that occurs several times in a document is converted each time.
pub fn to_plain_value_within(node: &Node, tally: &mut Tally<'_>) -> Result<Value> {
    const COLLECTION: usize = 128;
    const ENTRY: usize = 4 * size_of::<Value>();
    Ok(match node {
        Node::Array(array) => {
            let n_items = array.items.len();
            tally.element(n_items.saturating_mul(size_of::<Value>()).saturating_add(COLLECTION))?;
            let mut values = Vec::with_capacity(n_items);
            for item in &array.items {
                values.push(to_plain_value_within(&item.node, tally)?);
            }
            Value::list(values)
        }
        Node::Map(map) => {
            tally.element(map.len().saturating_mul(ENTRY).saturating_add(COLLECTION))?;
            let mut entries = Vec::with_capacity(map.len());
            for item in map.items() {
                entries
                    .push((to_plain_value(&item.key), to_plain_value_within(&item.node, tally)?));
            }
            Value::Dict(Arc::new(Dict::from_items(entries).unwrap_or_default()))
        }
        scalar => to_plain_value(scalar),
    })
}

fn is_written(origin: Origin) -> bool {
    !matches!(origin, Origin::Computed(_))
}

/// Returns the name of a value's type for a message.
pub fn type_words(value: &Value) -> Message {
    term(value.type_name(), DataType::of(value)).into()
}

/// The type that a value has after its conversion to data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataType {
    Null,
    Boolean,
    Integer,
    BigInteger,
    Float,
    String,
    Array,
    Map,
    /// A map that was written as YAML.
    YamlMap,
    /// An array that was written as YAML.
    YamlArray,
    /// Documents that were written as YAML.
    YamlDocuments,
    /// A value that is not data.
    Object,
}

impl DataType {
    fn of(value: &Value) -> Self {
        match value {
            Value::None => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Int(_) => Self::Integer,
            Value::BigInt(_) => Self::BigInteger,
            Value::Float(_) => Self::Float,
            Value::String(_) => Self::String,
            Value::List(_) | Value::Tuple(_) | Value::Set(_) => Self::Array,
            Value::Dict(_) | Value::Struct(_) => Self::Map,
            Value::Host(_) => match value.downcast::<Fragment>().map(Fragment::content) {
                Some(Content::Empty) => Self::Null,
                Some(Content::Map(_)) => Self::YamlMap,
                Some(Content::Array(_)) => Self::YamlArray,
                Some(Content::Documents(_)) => Self::YamlDocuments,
                None if value.downcast::<DataStruct>().is_some() => Self::Map,
                None => Self::Object,
            },
            Value::Range(_)
            | Value::StringIterable(_)
            | Value::Function(_)
            | Value::Builtin(_)
            | Value::Method(_)
            | Value::Module(_) => Self::Object,
        }
    }
}
