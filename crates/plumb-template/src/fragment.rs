//! YAML as values of the template language: the results of functions that build YAML.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use plumb_source::message::term;
use plumb_source::{Text, message};
use plumb_starlark::{CompareOp, Error, HostValue, Result, Value};
use plumb_value::{Array, Document, Expected, Map, Node};

use crate::convert::{self, DataType};

/// The function that returns an item of a fragment. Our messages do not name it.
#[derive(Clone, Debug)]
pub enum FragmentGet {
    Item,
    /// An item of documents. ytt shows the key instead of the function, and always calls it a
    /// string.
    Document {
        key: Node,
    },
}

/// An operation that fragments do not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FragmentOperation {
    Assign,
    Slice,
    Compare,
}

impl FragmentOperation {
    fn error(self) -> Error {
        let words = match self {
            Self::Assign => "cannot assign to an item of a YAML fragment",
            Self::Slice => "cannot slice a YAML fragment",
            Self::Compare => "cannot compare YAML fragments",
        };
        Error::new(term(words, self))
    }
}

const TYPE_NAME: &str = "yamlfragment";

/// A map, an array or documents that were written as YAML. A fragment is immutable and shared.
#[derive(Clone, Debug)]
pub struct Fragment {
    content: Content,
    /// An upper bound for its nesting depth. The constant parts of templates are not counted.
    levels: OnceLock<u32>,
}

/// What a fragment contains.
#[derive(Clone, Debug)]
pub enum Content {
    /// The result of a function that built nothing.
    Empty,
    Map(Arc<Map>),
    Array(Arc<Array>),
    Documents(Arc<Vec<Document>>),
}

impl Fragment {
    /// A fragment with at most this nesting depth.
    pub(crate) fn of_levels(content: Content, levels: u32) -> Self {
        Self { content, levels: levels.into() }
    }

    /// Returns what the fragment contains.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// Returns an upper bound for its nesting depth. If a template did not build it, this walks
    /// through it.
    pub(crate) fn levels(&self) -> u32 {
        *self.levels.get_or_init(|| self.content.levels())
    }

    /// Converts a node of this fragment to a value.
    fn child(&self, node: &Node) -> Value {
        let Some(content) = convert::to_content(node) else {
            return convert::to_plain_value(node);
        };
        let fragment = match self.levels.get() {
            Some(levels) => Self::of_levels(content, levels.saturating_sub(1)),
            None => content.into(),
        };
        fragment.into()
    }

    fn nth(&self, at: usize) -> Option<Value> {
        match &self.content {
            Content::Empty | Content::Map(_) => None,
            Content::Array(array) => array.items.get(at).map(|item| self.child(&item.node)),
            Content::Documents(documents) => {
                documents.get(at).map(|document| self.child(&document.node))
            }
        }
    }

    fn entry_at(&self, key: &Value, kind: &'static str) -> Result<Option<Value>> {
        let other = match key {
            Value::Int(at) => return Ok(usize::try_from(*at).ok().and_then(|at| self.nth(at))),
            other => other,
        };
        let data = convert::to_key(other)?;
        let (getter, found) = match (&self.content, data) {
            (Content::Documents(_), Some(key)) => {
                let found = term(other.type_name(), DataType::String).into();
                (FragmentGet::Document { key }, found)
            }
            _ => (FragmentGet::Item, convert::type_words(other)),
        };
        Err(Error::new(message!(
            "{} {kind} index to be {}, {}",
            term("expected", getter),
            Expected::Index.words(),
            message::found(found)
        )))
    }

    fn find(&self, key: &Value) -> Result<Option<Value>> {
        match &self.content {
            Content::Empty => Ok(None),
            Content::Map(map) => match convert::to_key(key)? {
                Some(key) => Ok(map.get(&key).map(|item| self.child(&item.node))),
                None => Ok(None),
            },
            Content::Array(_) => self.entry_at(key, "array"),
            Content::Documents(_) => self.entry_at(key, "document set"),
        }
    }
}

impl Content {
    /// Returns the nesting depth of the content. It does not recurse, because the content may be
    /// too deep.
    fn levels(&self) -> u32 {
        let mut open: Vec<(&Node, u32)> = Vec::new();
        let mut deepest = 1;
        match self {
            Self::Empty => {}
            Self::Map(map) => open.extend(map.items().iter().map(|it| (&it.node, 2))),
            Self::Array(array) => open.extend(array.items.iter().map(|it| (&it.node, 2))),
            Self::Documents(documents) => open.extend(documents.iter().map(|it| (&it.node, 2))),
        }
        while let Some((node, level)) = open.pop() {
            deepest = deepest.max(level);
            open.extend(node.children().map(|(_, child)| (child, level + 1)));
        }
        deepest
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
        let inner = match &self.content {
            Content::Empty => "<nil>",
            Content::Map(_) => "*yamlmeta.Map",
            Content::Array(_) => "*yamlmeta.Array",
            Content::Documents(_) => "*yamlmeta.DocumentSet",
        };
        format!("{TYPE_NAME}({inner})").into()
    }

    fn truth(&self) -> bool {
        self.length() != Some(0)
    }

    /// The fields of values that are passed to rules can be read as attributes and as items.
    fn attribute(&self, name: &Text) -> Result<Option<Value>> {
        match &self.content {
            Content::Map(_) => self.find(&Value::String(name.clone())),
            Content::Empty | Content::Array(_) | Content::Documents(_) => Ok(None),
        }
    }

    fn index(&self, key: &Value) -> Result<Option<Value>> {
        self.find(key)
    }

    fn set_index(&self, _key: &Value, _value: &Value) -> Result<()> {
        Err(FragmentOperation::Assign.error())
    }

    fn slice(&self, _from: &Value, _to: &Value, _step: &Value) -> Result<Value> {
        Err(FragmentOperation::Slice.error())
    }

    /// A value that cannot be a key or index is not contained.
    fn contains(&self, item: &Value) -> Option<Result<bool>> {
        Some(Ok(self.find(item).is_ok_and(|found| found.is_some())))
    }

    fn length(&self) -> Option<usize> {
        Some(match &self.content {
            Content::Empty => 0,
            Content::Map(map) => map.len(),
            Content::Array(array) => array.items.len(),
            Content::Documents(documents) => documents.len(),
        })
    }

    fn iterate(&self) -> Option<Box<dyn Iterator<Item = Value> + Send + Sync>> {
        let fragment = self.clone();
        let n_entries = self.length().unwrap_or_default();
        Some(match &self.content {
            Content::Map(map) => {
                let map = Arc::clone(map);
                Box::new((0..n_entries).map(move |at| convert::to_value(&map.items()[at].key)))
            }
            Content::Empty | Content::Array(_) | Content::Documents(_) => {
                Box::new((0..n_entries).filter_map(move |at| fragment.nth(at)))
            }
        })
    }

    fn items(&self) -> Option<Vec<(Value, Value)>> {
        match &self.content {
            Content::Empty => Some(Vec::new()),
            Content::Map(map) => {
                let items = map.items().iter();
                let pairs = items.map(|it| (convert::to_value(&it.key), self.child(&it.node)));
                Some(pairs.collect())
            }
            Content::Array(_) | Content::Documents(_) => None,
        }
    }

    fn compare(&self, _op: CompareOp, _other: &Value) -> Option<Result<bool>> {
        Some(Err(FragmentOperation::Compare.error()))
    }

    fn hash(&self) -> Result<u64> {
        Err(Error::unhashable(TYPE_NAME, true))
    }
}

impl From<Fragment> for Value {
    fn from(fragment: Fragment) -> Self {
        Self::host(fragment)
    }
}

impl From<Content> for Fragment {
    fn from(content: Content) -> Self {
        Self { content, levels: OnceLock::new() }
    }
}

impl From<&Node> for Fragment {
    fn from(node: &Node) -> Self {
        Content::from(node).into()
    }
}

impl From<&Node> for Content {
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
