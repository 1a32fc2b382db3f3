//! The type of a value that has no declaration, as a JSON Schema.

use plumb_jsonschema::Keyword;
use plumb_source::Origin;
use plumb_value::{Map, MapItem, Node, NodeKind};

use crate::types::zero;

/// The schema of a value that is not a map with keys.
pub(crate) fn infer(value: &Node) -> Map {
    match value {
        Node::Array(array) if !array.items.is_empty() => {
            let items: Vec<&Node> = array.items.iter().map(|it| &it.node).collect();
            let items = Node::map(common(&items));
            schema(vec![schema_of(Keyword::Type, "array".into()), schema_of(Keyword::Items, items)])
        }
        _ => common(&[value]),
    }
}

/// A keyword and its value.
pub(crate) fn schema_of(keyword: Keyword, node: Node) -> MapItem {
    MapItem::new(keyword.name().into(), node, Origin::Unknown)
}

fn schema(keywords: Vec<MapItem>) -> Map {
    Map::new(keywords, Origin::Unknown)
}

/// The schema that several values have in common.
fn common(values: &[&Node]) -> Map {
    let is_all = |kind: NodeKind| values.iter().all(|it| it.kind() == kind);
    let is_number = |it: &&Node| matches!(it.kind(), NodeKind::Integer | NodeKind::Float);
    let of_type = |name: &str| schema(vec![schema_of(Keyword::Type, name.into())]);
    match values.first().map(|it| it.kind()) {
        Some(NodeKind::Boolean) if is_all(NodeKind::Boolean) => of_type("boolean"),
        Some(NodeKind::Integer) if is_all(NodeKind::Integer) => of_type("integer"),
        Some(NodeKind::Integer | NodeKind::Float) if values.iter().all(is_number) => {
            of_type("number")
        }
        Some(NodeKind::String) if is_all(NodeKind::String) => of_type("string"),
        Some(NodeKind::Array) if is_all(NodeKind::Array) => of_type("array"),
        Some(NodeKind::Map) if is_all(NodeKind::Map) => {
            let maps: Vec<&Map> = values.iter().filter_map(|it| it.as_map()).collect();
            of_maps(&maps)
        }
        _ => Map::default(),
    }
}

/// The schema of maps in a list. A key that all of them have is required; other keys are optional.
fn of_maps(maps: &[&Map]) -> Map {
    let mut keys: Vec<&str> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let named = maps.iter().flat_map(|it| it.items()).filter_map(|it| it.key.as_str());
    keys.extend(named.filter(|it| seen.insert(*it)));
    if keys.is_empty() {
        return schema(vec![schema_of(Keyword::Type, "object".into())]);
    }
    let properties = keys.iter().map(|key| {
        let values: Vec<&Node> = maps.iter().filter_map(|it| it.get_str(key)).collect();
        let mut property = common(&values);
        if values.len() == maps.len() {
            let kind = values.first().map_or(NodeKind::Null, |it| it.kind());
            let is_typed = !property.is_empty();
            let default = if is_typed { zero(kind) } else { Node::Null };
            property.push(schema_of(Keyword::Default, default));
        }
        MapItem::new((*key).into(), Node::map(property), Origin::Unknown)
    });
    let properties = Node::map(schema(properties.collect()));
    schema(vec![
        schema_of(Keyword::Type, "object".into()),
        schema_of(Keyword::Properties, properties),
        schema_of(Keyword::AdditionalProperties, Node::Bool(false)),
    ])
}
