//! Values of the language to and from nodes of documents.

use std::sync::Arc;

use plumb_source::Origin;
use plumb_starlark::{Dict, Error, Result, Value};
use plumb_value::{Array, ArrayItem, Document, Map, MapItem, Node};

use crate::datum::NativeObject;
use crate::{DataStruct, Fragment, Object};

/// How deep a value may nest on its way into a document; one that contains itself has no end.
const MAX_DEPTH: u32 = 10_000;

/// A value that is data: a node, or documents.
#[derive(Clone, Debug)]
pub enum Data {
    Node(Node),
    Documents(Arc<Vec<Document>>),
}

/// The node for a value; `origin` is what computed it.
pub fn to_node(value: &Value, origin: Origin) -> Result<Node> {
    match to_data(value, origin)? {
        Data::Node(node) => Ok(node),
        Data::Documents(_) => {
            Err(Error::new("expected a map, an array or a scalar, but was a document set"))
        }
    }
}

/// The node or the documents for a value; `origin` is what computed it.
pub fn to_data(value: &Value, origin: Origin) -> Result<Data> {
    if let Some(Fragment::Documents(documents)) = value.downcast::<Fragment>() {
        return Ok(Data::Documents(Arc::clone(documents)));
    }
    node(value, origin, MAX_DEPTH).map(Data::Node)
}

fn node(value: &Value, origin: Origin, depth: u32) -> Result<Node> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Error::new(format!(
            "expected a value that nests at most {MAX_DEPTH} levels (does it contain itself?)"
        )));
    };
    Ok(match value {
        Value::None => Node::Null,
        Value::Bool(it) => Node::Bool(*it),
        Value::Int(it) => Node::Int(*it),
        Value::BigInt(it) => match u64::try_from(&**it) {
            Ok(it) => Node::uint(it),
            Err(_) => return Err(Error::new("expected an integer of at most 64 bits")),
        },
        Value::Float(it) => Node::Float(*it),
        Value::String(text) => Node::String(text.clone()),
        Value::List(list) => array(list.elements().iter(), origin, depth)?,
        Value::Tuple(tuple) => array(tuple.iter(), origin, depth)?,
        Value::Set(_) => {
            let elements: Vec<Value> = value.iterate().into_iter().flatten().collect();
            array(elements.iter(), origin, depth)?
        }
        Value::Dict(dict) => map(&dict.items(), origin, depth)?,
        Value::Struct(fields) => {
            let fields = fields.fields().map(|(k, v)| (Value::String(k.clone()), v.clone()));
            map(&fields.collect::<Vec<_>>(), origin, depth)?
        }
        Value::Host(_) => return foreign(value),
        Value::Range(_)
        | Value::StringIterable(_)
        | Value::Function(_)
        | Value::Builtin(_)
        | Value::Method(_)
        | Value::Module(_) => return Err(not_data(value)),
    })
}

/// Fragments and data values are shared; other values of the host are no data.
fn foreign(value: &Value) -> Result<Node> {
    if let Some(values) = value.downcast::<DataStruct>() {
        return Ok(values.node());
    }
    match (value.downcast::<Fragment>(), value.downcast::<Object>()) {
        (Some(Fragment::Empty), _) => Ok(Node::Null),
        (Some(Fragment::Map(map)), _) => Ok(Node::Map(Arc::clone(map))),
        (Some(Fragment::Array(array)), _) => Ok(Node::Array(Arc::clone(array))),
        (Some(Fragment::Documents(_)), _) => {
            Err(Error::new("expected a map, an array or a scalar, but was a document set"))
        }
        (None, Some(object)) => {
            Err(Error::new(format!("Unable to convert value: {}", object.encoding_hint())))
        }
        (None, None) if value.downcast::<NativeObject>().is_some() => Err(Error::new(format!(
            "Unable to convert value: {} does not encode (did you mean to call check()?)",
            value.type_name()
        ))),
        (None, None) => Err(not_data(value)),
    }
}

fn not_data(value: &Value) -> Error {
    let hint = match value {
        Value::Range(_) | Value::StringIterable(_) => " (hint: use list(...) to get its elements)",
        Value::Function(_) | Value::Builtin(_) | Value::Method(_) => {
            " (hint: did you mean to call it?)"
        }
        _ => "",
    };
    Error::new(format!("expected a value that YAML can hold, but was {}{hint}", value.type_name()))
}

fn array<'a>(
    elements: impl Iterator<Item = &'a Value>,
    origin: Origin,
    depth: u32,
) -> Result<Node> {
    let items = elements.map(|it| Ok(ArrayItem::new(node(it, origin, depth)?, origin)));
    Ok(Node::array(Array::new(items.collect::<Result<_>>()?, origin)))
}

fn map(entries: &[(Value, Value)], origin: Origin, depth: u32) -> Result<Node> {
    let items = entries.iter().map(|(key, value)| {
        Ok(MapItem::new(node(key, origin, depth)?, node(value, origin, depth)?, origin))
    });
    Ok(Node::map(Map::new(items.collect::<Result<_>>()?, origin)))
}

/// The value for a node. Maps and arrays that were written as YAML stay YAML; those that code
/// made are dictionaries and lists again.
pub fn to_value(node: &Node) -> Value {
    match node {
        Node::Map(map) if is_written(map.origin) => Fragment::Map(Arc::clone(map)).into(),
        Node::Array(array) if is_written(array.origin) => Fragment::Array(Arc::clone(array)).into(),
        other => to_plain_value(other),
    }
}

/// The value for a node, with maps as dictionaries and arrays as lists throughout.
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

fn is_written(origin: Origin) -> bool {
    !matches!(origin, Origin::Computed(_))
}

/// What ytt calls the type of a value once it is data: the name of the Go type.
pub fn peer_type(value: &Value) -> &'static str {
    match value {
        Value::None => "<nil>",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int64",
        Value::BigInt(_) => "uint64",
        Value::Float(_) => "float64",
        Value::String(_) => "string",
        Value::List(_) | Value::Tuple(_) | Value::Set(_) => "[]interface {}",
        Value::Dict(_) | Value::Struct(_) => "*orderedmap.Map",
        Value::Host(_) => match value.downcast::<Fragment>() {
            Some(Fragment::Empty) => "<nil>",
            Some(Fragment::Map(_)) => "*yamlmeta.Map",
            Some(Fragment::Array(_)) => "*yamlmeta.Array",
            Some(Fragment::Documents(_)) => "*yamlmeta.DocumentSet",
            None if value.downcast::<DataStruct>().is_some() => "*orderedmap.Map",
            None => "object",
        },
        Value::Range(_)
        | Value::StringIterable(_)
        | Value::Function(_)
        | Value::Builtin(_)
        | Value::Method(_)
        | Value::Module(_) => "object",
    }
}
