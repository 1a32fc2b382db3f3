//! YAML inside the template language: the results of functions that build YAML.

use std::any::Any;
use std::sync::Arc;

use plumb_source::{Text, message};
use plumb_starlark::{CompareOp, Error, HostValue, Result, Value};
use plumb_value::{Array, Document, Map, Node};

use crate::convert;

const TYPE_NAME: &str = "yamlfragment";

/// A map, an array or documents that were written as YAML. A fragment is immutable and shared.
#[derive(Clone, Debug)]
pub enum Fragment {
    /// The result of a function that built nothing.
    Empty,
    Map(Arc<Map>),
    Array(Arc<Array>),
    Documents(Arc<Vec<Document>>),
}

impl Fragment {
    fn nth(&self, at: usize) -> Option<Value> {
        match self {
            Self::Empty | Self::Map(_) => None,
            Self::Array(array) => array.items.get(at).map(|item| convert::to_value(&item.node)),
            Self::Documents(documents) => {
                documents.get(at).map(|document| convert::to_value(&document.node))
            }
        }
    }

    fn entry_at(&self, key: &Value, kind: &'static str) -> Result<Option<Value>> {
        match key {
            Value::Int(at) => Ok(usize::try_from(*at).ok().and_then(|at| self.nth(at))),
            other => Err(Error::new(message!(
                "{TYPE_NAME}.Get: Expected {kind} index to be an int64, but was {}",
                other.type_name()
            ))),
        }
    }

    fn find(&self, key: &Value) -> Result<Option<Value>> {
        match self {
            Self::Empty => Ok(None),
            Self::Map(map) => match convert::to_key(key)? {
                Some(key) => Ok(map.get(&key).map(|item| convert::to_value(&item.node))),
                None => Ok(None),
            },
            Self::Array(_) => self.entry_at(key, "array"),
            Self::Documents(_) => self.entry_at(key, "document set"),
        }
    }
}

impl HostValue for Fragment {
    fn type_name(&self) -> &'static str {
        TYPE_NAME
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    /// ytt's text, which shows its own types here.
    fn repr(&self) -> Text {
        let inner = match self {
            Self::Empty => "<nil>",
            Self::Map(_) => "*yamlmeta.Map",
            Self::Array(_) => "*yamlmeta.Array",
            Self::Documents(_) => "*yamlmeta.DocumentSet",
        };
        format!("{TYPE_NAME}({inner})").into()
    }

    fn truth(&self) -> bool {
        self.length() != Some(0)
    }

    /// Values that are passed to rules can be read by attribute as well as by key.
    fn attribute(&self, name: &Text) -> Result<Option<Value>> {
        match self {
            Self::Map(_) => self.find(&Value::String(name.clone())),
            Self::Empty | Self::Array(_) | Self::Documents(_) => Ok(None),
        }
    }

    fn index(&self, key: &Value) -> Result<Option<Value>> {
        self.find(key)
    }

    fn set_index(&self, _key: &Value, _value: &Value) -> Result<()> {
        Err(Error::new(message!("{TYPE_NAME}.SetKey: Not implemented")))
    }

    fn slice(&self, _from: &Value, _to: &Value, _step: &Value) -> Result<Value> {
        Err(Error::new(message!("{TYPE_NAME}.Slice: Not implemented")))
    }

    /// A value that cannot be a key or index is not contained.
    fn contains(&self, item: &Value) -> Option<Result<bool>> {
        Some(Ok(self.find(item).is_ok_and(|found| found.is_some())))
    }

    fn length(&self) -> Option<usize> {
        Some(match self {
            Self::Empty => 0,
            Self::Map(map) => map.len(),
            Self::Array(array) => array.items.len(),
            Self::Documents(documents) => documents.len(),
        })
    }

    fn iterate(&self) -> Option<Box<dyn Iterator<Item = Value> + Send + Sync>> {
        let fragment = self.clone();
        let n_entries = self.length().unwrap_or_default();
        Some(match self {
            Self::Map(map) => {
                let map = Arc::clone(map);
                Box::new((0..n_entries).map(move |at| convert::to_value(&map.items()[at].key)))
            }
            Self::Empty | Self::Array(_) | Self::Documents(_) => {
                Box::new((0..n_entries).filter_map(move |at| fragment.nth(at)))
            }
        })
    }

    fn items(&self) -> Option<Vec<(Value, Value)>> {
        match self {
            Self::Empty => Some(Vec::new()),
            Self::Map(map) => {
                let items = map.items().iter();
                let pairs =
                    items.map(|it| (convert::to_value(&it.key), convert::to_value(&it.node)));
                Some(pairs.collect())
            }
            Self::Array(_) | Self::Documents(_) => None,
        }
    }

    fn compare(&self, _op: CompareOp, _other: &Value) -> Option<Result<bool>> {
        Some(Err(Error::new(message!("{TYPE_NAME}.CompareSameType: Not implemented"))))
    }

    fn hash(&self) -> Result<u64> {
        Err(Error::new(message!("unhashable type: {TYPE_NAME}")))
    }
}

impl From<Fragment> for Value {
    fn from(fragment: Fragment) -> Self {
        Self::host(fragment)
    }
}

impl From<&Node> for Fragment {
    /// Scalars have no fragment and become the empty one.
    fn from(node: &Node) -> Self {
        match node {
            Node::Map(map) => Self::Map(Arc::clone(map)),
            Node::Array(array) => Self::Array(Arc::clone(array)),
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::UInt(_)
            | Node::Float(_)
            | Node::String(_) => Self::Empty,
        }
    }
}
