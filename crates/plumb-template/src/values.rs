//! Data values in templates: maps are structs, arrays are lists.
//!
//! A file that reads three of a thousand values pays for three: each struct converts a field when
//! it is first read. The conversions belong to one file, so that a list which one file changes is
//! unchanged for all others.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use plumb_diagnostic::nearest;
use plumb_source::message::plain;
use plumb_source::{Message, Text, message};
use plumb_starlark::{Error, HostValue, Result, Value};
use plumb_value::{Map, Node};

use crate::convert;
use crate::object::{field_name, unhashable};

/// A map of data values as a struct.
pub struct DataStruct {
    map: Arc<Map>,
    /// Whether it is the value of a data value, not all of them.
    is_nested: bool,
    /// Maps and arrays that were read, by their position.
    converted: Mutex<HashMap<usize, Value>>,
}

/// A data value that a template names but that does not exist.
pub(crate) struct DataValueError {
    name: String,
    /// The existing names.
    names: Vec<String>,
    /// Whether the name is looked for in the value of a data value.
    is_nested: bool,
}

/// The maximum number of data values that a message lists.
const MAX_NAMED: usize = 9;

impl DataValueError {
    pub(crate) fn message(&self) -> Message {
        message!("there is no data value `{}` here", plain(&self.name))
    }

    pub(crate) fn remedy(&self) -> Option<Message> {
        let folded = |name: &str| name.to_lowercase().replace(['_', '-'], "");
        let written = folded(&self.name);
        let same = self.names.iter().find(|it| folded(it) == written).map(String::as_str);
        let meant = same.or_else(|| nearest(&self.name, self.names.iter().map(String::as_str)));
        match (meant, self.names.as_slice()) {
            (Some(meant), _) => Some(message!("did you mean `{}`?", plain(meant))),
            (None, []) if self.is_nested => {
                Some("this map has no keys; `hasattr` asks for a key that may be missing".into())
            }
            (None, []) => Some(
                "there are no data values here; schemas, data values and their rules cannot \
                 read them"
                    .into(),
            ),
            (None, names) if names.len() <= MAX_NAMED => {
                Some(message!("what is here: {}", plain(names.join(", "))))
            }
            (None, _) => None,
        }
    }
}

/// Converts data values: all maps become structs.
pub fn to_structs(node: &Node) -> Value {
    structs(node, false)
}

fn structs(node: &Node, is_nested: bool) -> Value {
    match node {
        Node::Map(map) => {
            let (map, converted) = (Arc::clone(map), Mutex::default());
            Value::host(DataStruct { map, is_nested, converted })
        }
        Node::Array(array) => Value::list(array.items.iter().map(|it| structs(&it.node, true))),
        scalar => convert::to_plain_value(scalar),
    }
}

impl DataStruct {
    /// Returns the values as a shared node.
    pub fn node(&self) -> Node {
        Node::Map(Arc::clone(&self.map))
    }

    fn field(&self, name: &Text) -> Option<Value> {
        self.map.position_of(name).map(|at| self.field_at(at))
    }

    fn field_at(&self, at: usize) -> Value {
        let node = &self.map.items()[at].node;
        if !matches!(node, Node::Map(_) | Node::Array(_)) {
            return convert::to_plain_value(node);
        }
        let mut converted = self.converted.lock().unwrap_or_else(PoisonError::into_inner);
        converted.entry(at).or_insert_with(|| structs(node, true)).clone()
    }
}

impl HostValue for DataStruct {
    fn type_name(&self) -> &'static str {
        "struct"
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn repr(&self) -> Text {
        "struct(...)".into()
    }

    fn truth(&self) -> bool {
        !self.map.is_empty()
    }

    fn attribute(&self, name: &Text) -> Result<Option<Value>> {
        Ok(self.field(name))
    }

    fn missing_attribute(&self, name: &Text, error: Error) -> Error {
        let names = self.attribute_names().iter().map(Text::to_string).collect();
        let name = name.to_string();
        error.with_detail(DataValueError { name, names, is_nested: self.is_nested })
    }

    fn attribute_names(&self) -> Vec<Text> {
        let keys = self.map.items().iter().filter_map(|item| match &item.key {
            Node::String(text) => Some(text.clone()),
            _ => None,
        });
        keys.collect()
    }

    fn index(&self, key: &Value) -> Result<Option<Value>> {
        Ok(self.field(field_name(key)?))
    }

    fn contains(&self, item: &Value) -> Option<Result<bool>> {
        Some(Ok(self.index(item).is_ok_and(|found| found.is_some())))
    }

    fn length(&self) -> Option<usize> {
        Some(self.map.len())
    }

    fn iterate(&self) -> Option<Box<dyn Iterator<Item = Value> + Send + Sync>> {
        let map = Arc::clone(&self.map);
        let keys = (0..map.len()).map(move |at| convert::to_plain_value(&map.items()[at].key));
        Some(Box::new(keys))
    }

    fn items(&self) -> Option<Vec<(Value, Value)>> {
        let keys = self.map.items().iter().map(|item| convert::to_plain_value(&item.key));
        Some(keys.enumerate().map(|(at, key)| (key, self.field_at(at))).collect())
    }

    fn hash(&self) -> Result<u64> {
        Err(unhashable())
    }
}
