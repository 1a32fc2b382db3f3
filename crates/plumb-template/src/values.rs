//! Data values in templates: maps are structs, arrays are lists.
//!
//! A field is converted when it is first read, so a file that reads three of a thousand values only
//! converts three. Each file has its own conversions, so that changes of a list in one file do not
//! affect others.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use plumb_diagnostic::{Diagnostic, nearest};
use plumb_source::message::plain;
use plumb_source::{Message, Span, Text, message};
use plumb_starlark::{Budget, Error, HostValue, Result, Tally, Value};
use plumb_value::{Map, Node};

use crate::convert;
use crate::error::EVALUATION;
use crate::object::{field_name, unhashable};

/// A map of data values as a struct.
pub struct DataStruct {
    map: Arc<Map>,
    /// Whether it is a nested value instead of the root of all data values.
    is_nested: bool,
    /// Maps and arrays that were read, by their position.
    converted: Mutex<HashMap<usize, Value>>,
    /// The budget that the conversions are charged to.
    budget: Arc<Budget>,
}

/// A data value that a template names but that does not exist.
pub(crate) struct DataValueError {
    name: String,
    /// The names that exist.
    names: Vec<String>,
    /// Whether the name was looked up in a nested data value.
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

/// The finding about a data value that code refers to at a place, but that does not exist.
pub fn missing_value(name: &str, map: &Map, is_nested: bool, place: Span) -> Diagnostic {
    let names = names_in(map).map(Text::to_string).collect();
    let error = DataValueError { name: name.to_owned(), names, is_nested };
    let mut finding = Diagnostic::error(EVALUATION, error.message()).plain_label(place, "");
    finding.help.extend(error.remedy());
    finding
}

fn names_in(map: &Map) -> impl Iterator<Item = &Text> {
    map.items().iter().filter_map(|item| match &item.key {
        Node::String(text) => Some(text),
        _ => None,
    })
}

/// Converts data values: all maps become structs. The memory is counted before it is allocated: an
/// array with several aliases is converted several times.
pub fn to_structs(node: &Node, budget: &Arc<Budget>) -> Result<Value> {
    structs(node, false, &mut Conversion { tally: Tally::kept(budget), budget })
}

struct Conversion<'b> {
    tally: Tally<'b>,
    budget: &'b Arc<Budget>,
}

fn structs(node: &Node, is_nested: bool, conversion: &mut Conversion<'_>) -> Result<Value> {
    const COLLECTION: usize = 128;
    Ok(match node {
        Node::Map(map) => {
            conversion.tally.element(COLLECTION)?;
            let (map, converted) = (Arc::clone(map), Mutex::default());
            let budget = Arc::clone(conversion.budget);
            Value::host(DataStruct { map, is_nested, converted, budget })
        }
        Node::Array(array) => {
            let n_items = array.items.len();
            let size = n_items.saturating_mul(size_of::<Value>()).saturating_add(COLLECTION);
            conversion.tally.element(size)?;
            let mut values = Vec::with_capacity(n_items);
            for item in &array.items {
                values.push(structs(&item.node, true, conversion)?);
            }
            conversion.tally.settle()?;
            Value::list(values)
        }
        scalar => convert::to_plain_value(scalar),
    })
}

impl DataStruct {
    /// Returns the values as a shared node.
    pub fn node(&self) -> Node {
        Node::Map(Arc::clone(&self.map))
    }

    fn field(&self, name: &Text) -> Result<Option<Value>> {
        self.map.position_of(name).map(|at| self.field_at(at)).transpose()
    }

    fn field_at(&self, at: usize) -> Result<Value> {
        let node = &self.map.items()[at].node;
        if !matches!(node, Node::Map(_) | Node::Array(_)) {
            return Ok(convert::to_plain_value(node));
        }
        let mut converted = self.converted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = converted.get(&at) {
            return Ok(value.clone());
        }
        let tally = Tally::kept(&self.budget);
        let value = structs(node, true, &mut Conversion { tally, budget: &self.budget })?;
        converted.insert(at, value.clone());
        Ok(value)
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

    fn shows_fields(&self) -> bool {
        true
    }

    fn truth(&self) -> bool {
        !self.map.is_empty()
    }

    fn attribute(&self, name: &Text) -> Result<Option<Value>> {
        self.field(name)
    }

    fn missing_attribute(&self, name: &Text, error: Error) -> Error {
        let names = self.attribute_names().iter().map(Text::to_string).collect();
        let name = name.to_string();
        error.with_detail(DataValueError { name, names, is_nested: self.is_nested })
    }

    fn attribute_names(&self) -> Vec<Text> {
        names_in(&self.map).cloned().collect()
    }

    fn index(&self, key: &Value) -> Result<Option<Value>> {
        self.field(field_name(key)?)
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
        // A conversion fails only at a limit, which ends the run in any case.
        keys.enumerate().map(|(at, key)| Some((key, self.field_at(at).ok()?))).collect()
    }

    fn hash(&self) -> Result<u64> {
        Err(unhashable())
    }
}
