//! The kinds of values that a schema accepts, and samples of them.

use plumb_jsonschema::{Keyword, kind_of_type};
use plumb_source::Origin;
use plumb_value::{Array, Map, Node, NodeKind};

use crate::alternatives::bare_types;
use crate::annotation::Annotation;
use crate::item::{Item, Kinds, Sample};

/// The kinds of values that a schema accepts.
pub(crate) struct Types {
    /// The kinds. Null is included only if it is the only one.
    pub(crate) kinds: Vec<NodeKind>,
    pub(crate) is_nullable: bool,
    pub(crate) is_any: bool,
    /// Whether the schema does not name its types, so that they are derived from its keys or items.
    pub(crate) is_guessed: bool,
}

impl Types {
    pub(crate) fn of(map: &Map) -> Self {
        let mut names: Vec<&str> = match Keyword::Type.of(map) {
            Some(Node::String(name)) => name.as_str().into_iter().collect(),
            Some(Node::Array(array)) => {
                array.items.iter().filter_map(|it| it.node.as_str()).collect()
            }
            _ => bare_types(map).unwrap_or_default(),
        };
        let is_int_or_string =
            Keyword::IntOrString.is_on(map) || Keyword::Format.text(map) == Some("int-or-string");
        if is_int_or_string {
            names = vec!["integer", "string"];
        }
        let mut kinds: Vec<NodeKind> = names.iter().filter_map(|it| kind(it)).collect();
        let is_named = Keyword::Type.is_in(map) || !names.is_empty();
        if kinds.is_empty() && !is_named {
            kinds = kinds_by_content(map);
        }
        if kinds.contains(&NodeKind::Float) {
            kinds.retain(|it| *it != NodeKind::Integer);
        }
        let mut seen = Vec::new();
        kinds.retain(|it| {
            !seen.contains(it) && {
                seen.push(*it);
                true
            }
        });
        let is_null = |it: &NodeKind| *it == NodeKind::Null;
        let is_null_named = names.contains(&"null") || kinds.iter().any(is_null);
        let is_nullable = Keyword::Nullable.is_on(map) || is_null_named;
        kinds.retain(|it| *it != NodeKind::Null);
        let has_unknown = names.iter().any(|it| *it != "null" && kind(it).is_none());
        let is_any = kinds.is_empty() && (!is_null_named || has_unknown);
        let is_container = matches!(kinds.as_slice(), [NodeKind::Map | NodeKind::Array]);
        let is_guessed = !is_named && is_container && !has_choices(map);
        if kinds.is_empty() && !is_any {
            kinds.push(NodeKind::Null);
        }
        Self { kinds, is_nullable, is_any, is_guessed }
    }
}

/// The kinds of a schema that does not name them, derived from its keys, items or choices.
fn kinds_by_content(map: &Map) -> Vec<NodeKind> {
    let has = |keyword: Keyword| keyword.is_in(map);
    if has_choices(map) {
        let choices = Keyword::Enum.of(map).and_then(Node::as_array);
        let choices = choices.into_iter().flat_map(|it| &it.items).map(|it| it.node.kind());
        let kinds: Vec<NodeKind> = choices.chain(Keyword::Const.of(map).map(Node::kind)).collect();
        let mut others = kinds.iter().filter(|it| **it != NodeKind::Null);
        // Choices of several kinds describe the values sufficiently.
        return match others.next() {
            Some(first) if others.all(|it| it == first) => kinds,
            None => kinds,
            Some(_) => Vec::new(),
        };
    }
    if has(Keyword::Properties)
        || has(Keyword::AdditionalProperties)
        || has(Keyword::PatternProperties)
    {
        return vec![NodeKind::Map];
    }
    if has(Keyword::Items) { vec![NodeKind::Array] } else { Vec::new() }
}

/// Whether a schema lists its values.
fn has_choices(map: &Map) -> bool {
    Keyword::Enum.is_in(map) || Keyword::Const.is_in(map)
}

/// The kind with this name. Returns `None` for null.
fn kind(name: &str) -> Option<NodeKind> {
    kind_of_type(name).filter(|it| *it != NodeKind::Null)
}

/// An item for values of several kinds, or of one kind without a description of its contents.
pub(crate) fn of_kinds(kinds: &[NodeKind]) -> Item {
    let sample = kinds.first().map_or(Node::Null, |it| zero(*it));
    let annotations = vec![Annotation::Types(kinds.to_vec())];
    Item { annotations, kinds: Kinds::Named(kinds.to_vec()), ..Item::of(sample) }
}

/// The empty or zero value of a kind.
pub(crate) fn zero(kind: NodeKind) -> Node {
    match kind {
        NodeKind::Null => Node::Null,
        NodeKind::Boolean => Node::Bool(false),
        NodeKind::Integer => Node::Int(0),
        NodeKind::Float => Node::Float(0.0),
        NodeKind::String => "".into(),
        NodeKind::Map => Node::map(Map::new(Vec::new(), Origin::Unknown)),
        NodeKind::Array => Node::array(Array::default()),
    }
}

/// A value with the type of the sample: an integer becomes a float if the sample is one.
#[expect(clippy::cast_precision_loss, reason = "the number is intended as a float")]
pub(crate) fn as_sample(node: &Node, sample: &Sample) -> Node {
    match (node, sample) {
        (Node::Int(value), Sample::Value(Node::Float(_))) => Node::Float(*value as f64),
        (Node::UInt(value), Sample::Value(Node::Float(_))) => Node::Float(*value as f64),
        _ => node.clone(),
    }
}
