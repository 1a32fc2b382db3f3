//! A virtual machine in the form in which an API server passes it to policies.

use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

use crate::api::{Field, Struct, TABLE, Type};

/// A virtual machine as an API server stores it: without fields that are null. The values of labels
/// and annotations are texts.
pub(super) fn as_stored(node: &Node) -> Node {
    let Some(map) = node.as_map() else { return without_nulls(node) };
    let items = map.items().iter().filter(|it| !it.node.is_null()).map(|item| {
        let node = match item.key.as_str() {
            Some("metadata") => metadata(&item.node),
            _ => without_nulls(&item.node),
        };
        MapItem::new(item.key.clone(), node, item.origin)
    });
    Node::map(Map::new(items.collect(), Origin::Unknown))
}

fn metadata(node: &Node) -> Node {
    let Some(map) = node.as_map() else { return without_nulls(node) };
    let items = map.items().iter().filter(|it| !it.node.is_null()).map(|item| {
        let node = match item.key.as_str() {
            Some("labels" | "annotations") => texts(&item.node),
            _ => without_nulls(&item.node),
        };
        MapItem::new(item.key.clone(), node, item.origin)
    });
    Node::map(Map::new(items.collect(), Origin::Unknown))
}

fn texts(node: &Node) -> Node {
    let Some(map) = node.as_map() else { return node.clone() };
    let items = map.items().iter().map(|item| {
        let node = if item.node.is_null() { "".into() } else { item.node.clone() };
        MapItem::new(item.key.clone(), node, item.origin)
    });
    Node::map(Map::new(items.collect(), Origin::Unknown))
}

fn without_nulls(node: &Node) -> Node {
    match node {
        Node::Map(map) => {
            let items = map.items().iter().filter(|it| !it.node.is_null());
            let items =
                items.map(|it| MapItem::new(it.key.clone(), without_nulls(&it.node), it.origin));
            Node::map(Map::new(items.collect(), Origin::Unknown))
        }
        Node::Array(array) => {
            let items = array.items.iter();
            let items = items.map(|it| ArrayItem::new(without_nulls(&it.node), it.origin));
            Node::array(Array::new(items.collect(), Origin::Unknown))
        }
        other => other.clone(),
    }
}

/// A key that matches a field of the API only if case is ignored. `vm check` reads it, an API
/// server ignores it.
pub(super) fn key_in_other_case(machine: &Node) -> Option<&str> {
    find(machine, TABLE.named("VirtualMachine"))
}

fn find(node: &Node, ty: Type) -> Option<&str> {
    match (TABLE.target(ty), node) {
        (Type::Struct(at), Node::Map(map)) => {
            let ty = TABLE.get(at);
            map.items().iter().find_map(|item| {
                let key = item.key.as_str()?;
                match field(ty, key) {
                    Some(field) => find(&item.node, field.ty),
                    None => ty.has_key(key).then_some(key),
                }
            })
        }
        (Type::Map(value), Node::Map(map)) => {
            map.items().iter().find_map(|it| find(&it.node, TABLE.held(value)))
        }
        (Type::List(item), Node::Array(array)) => {
            array.items.iter().find_map(|it| find(&it.node, TABLE.held(item)))
        }
        _ => None,
    }
}

/// The field of a struct by its name in documents, also within inlined structs.
fn field(ty: &'static Struct, name: &str) -> Option<&'static Field> {
    let inlined = || {
        ty.inlined().find_map(|it| match TABLE.target(it.ty) {
            Type::Struct(at) => TABLE.get(at).field(name),
            _ => None,
        })
    };
    ty.field(name).or_else(inlined)
}
