//! Kinds of values: those that a schema lets in, and samples of them.

use plumb_source::Origin;
use plumb_value::{Array, Map, Node, NodeKind};

use crate::alternatives::bare_types;
use crate::annotation::Annotation;
use crate::item::{Item, Kinds, Sample};

/// What kinds of values a schema lets in.
pub(crate) struct Types {
    /// Null is not among them.
    pub(crate) kinds: Vec<NodeKind>,
    pub(crate) is_nullable: bool,
    pub(crate) is_any: bool,
}

impl Types {
    pub(crate) fn of(map: &Map) -> Self {
        let is_on = |keyword: &str| matches!(map.get_str(keyword), Some(Node::Bool(true)));
        let mut names: Vec<&str> = match map.get_str("type") {
            Some(Node::String(name)) => name.as_str().into_iter().collect(),
            Some(Node::Array(array)) => {
                array.items.iter().filter_map(|it| it.node.as_str()).collect()
            }
            _ => bare_types(map).unwrap_or_default(),
        };
        let is_int_or_string = is_on("x-kubernetes-int-or-string")
            || map.get_str("format").and_then(Node::as_str) == Some("int-or-string");
        if is_int_or_string {
            names = vec!["integer", "string"];
        }
        let mut kinds: Vec<NodeKind> = names.iter().filter_map(|it| kind(it)).collect();
        if kinds.is_empty() && !names.contains(&"null") {
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
        let lets_null_be = |it: &NodeKind| *it == NodeKind::Null;
        let is_nullable =
            is_on("nullable") || names.contains(&"null") || kinds.iter().any(lets_null_be);
        kinds.retain(|it| *it != NodeKind::Null);
        let is_any = kinds.is_empty();
        Self { kinds, is_nullable, is_any }
    }
}

/// The kinds of a schema that does not name them: those of its keys, items or choices.
fn kinds_by_content(map: &Map) -> Vec<NodeKind> {
    let has = |keyword: &str| map.get_str(keyword).is_some();
    if has("properties") || has("additionalProperties") || has("patternProperties") {
        return vec![NodeKind::Map];
    }
    if has("items") {
        return vec![NodeKind::Array];
    }
    let choices = map.get_str("enum").and_then(Node::as_array);
    let choices = choices.into_iter().flat_map(|it| &it.items).map(|it| it.node.kind());
    let kinds: Vec<NodeKind> = choices.chain(map.get_str("const").map(Node::kind)).collect();
    let mut others = kinds.iter().filter(|it| **it != NodeKind::Null);
    // Choices of several kinds say by themselves what there may be.
    match others.next() {
        Some(first) if others.all(|it| it == first) => kinds,
        _ => Vec::new(),
    }
}

fn kind(name: &str) -> Option<NodeKind> {
    Some(match name {
        "boolean" => NodeKind::Boolean,
        "integer" => NodeKind::Integer,
        "number" => NodeKind::Float,
        "string" => NodeKind::String,
        "array" => NodeKind::Array,
        "object" => NodeKind::Map,
        _ => return None,
    })
}

/// A value of several kinds, or of one that says nothing about what is in it.
pub(crate) fn of_kinds(kinds: &[NodeKind]) -> Item {
    let sample = kinds.first().map_or(Node::Null, |it| zero(*it));
    let annotations = vec![Annotation::Types(kinds.to_vec())];
    Item { annotations, kinds: Kinds::Named(kinds.to_vec()), ..Item::of(sample) }
}

/// The emptiest value of a kind.
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

/// A value as a sample shows it: where that is a float, it is one too.
#[expect(clippy::cast_precision_loss, reason = "a number that is meant to be a float")]
pub(crate) fn as_sample(node: &Node, sample: &Sample) -> Node {
    match (node, sample) {
        (Node::Int(value), Sample::Value(Node::Float(_))) => Node::Float(*value as f64),
        (Node::UInt(value), Sample::Value(Node::Float(_))) => Node::Float(*value as f64),
        _ => node.clone(),
    }
}
