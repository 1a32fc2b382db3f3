//! Completes a custom resource as an API server does before it validates it.
//!
//! Shapes of custom resources contain no references, so no shape contains itself.

use plumb_jsonschema::{Shape, ShapeId, Shapes};
use plumb_source::Origin;
use plumb_value::{Map, MapItem, Node};

/// The value with the defaults of its schema, without nulls that are not allowed, and with floats
/// instead of integers if the schema requires floats. Returns `None` if nothing changes.
pub(crate) fn filled(shapes: &Shapes, id: ShapeId, node: &Node) -> Option<Node> {
    let shape = shapes.get(id);
    match node {
        Node::Map(map) => filled_map(shapes, shape, map),
        Node::Array(array) => {
            let items = shape.items?;
            let changed = array.items.iter().enumerate();
            let changed =
                changed.filter_map(|(at, it)| Some((at, filled(shapes, items, &it.node)?)));
            node.with_children(changed)
        }
        #[expect(clippy::cast_precision_loss, reason = "the nearest float is intended")]
        Node::Int(value) if shape.is_fraction => Some(Node::Float(*value as f64)),
        #[expect(clippy::cast_precision_loss, reason = "the nearest float is intended")]
        Node::UInt(value) if shape.is_fraction => Some(Node::Float(*value as f64)),
        Node::Null
        | Node::Bool(_)
        | Node::Int(_)
        | Node::UInt(_)
        | Node::Float(_)
        | Node::String(_) => None,
    }
}

fn filled_map(shapes: &Shapes, shape: &Shape, map: &Map) -> Option<Node> {
    let mut items = Vec::with_capacity(map.len());
    let mut is_changed = false;
    for item in map.items() {
        let field = field_of(shape, &item.key);
        let is_dropped = item.node.is_null() && field.is_some_and(|it| !shapes.get(it).is_nullable);
        if is_dropped {
            is_changed = true;
            continue;
        }
        let node = field.and_then(|it| filled(shapes, it, &item.node));
        is_changed |= node.is_some();
        items.push(MapItem { node: node.unwrap_or_else(|| item.node.clone()), ..item.clone() });
    }
    for (key, field) in shape.fields.iter() {
        let below = shapes.get(field);
        let Some(default) = &below.default else {
            continue;
        };
        let given = map.position_of(key).map(|at| &map.items()[at].node);
        if given.is_none_or(|it| it.is_null() && !below.is_nullable) {
            let node = filled(shapes, field, default).unwrap_or_else(|| default.clone());
            items.push(MapItem::new(Node::String(key.clone()), node, Origin::Unknown));
            is_changed = true;
        }
    }
    is_changed.then(|| Node::map(Map::new(items, map.origin)))
}

/// The shape of the value of a key.
fn field_of(shape: &Shape, key: &Node) -> Option<ShapeId> {
    match key {
        Node::String(key) => shape.field(key),
        _ => None,
    }
}
