//! Separates given values from values that a schema filled in.

use std::borrow::Cow;
use std::sync::Arc;

use plumb_source::Origin;
use plumb_validation::Work;
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

use crate::field::Field;

/// Returns the value to check against an alternative.
///
/// Given values are merged into the value of the annotated node. If the node's value fits an
/// alternative, the alternative is checked against the merged value. Other alternatives would fail
/// because of keys that were not given, so they are checked only against the given values, if there
/// are any. If the value of the annotated node is a map, an empty map is treated like that value.
pub(crate) fn seen_by<'a>(
    alternative: &'a Field,
    node: &'a Node,
    work: &Work<'_>,
) -> Cow<'a, Node> {
    let Some(foreign) = &alternative.foreign_default else {
        return Cow::Borrowed(node);
    };
    match without_defaults(node, work) {
        Node::Map(given) if given.is_empty() => {
            let is_empty = node.as_map().is_some_and(Map::is_empty);
            Cow::Borrowed(if is_empty && foreign.as_map().is_some() { foreign } else { node })
        }
        given => Cow::Owned(given),
    }
}

/// Returns the value without the map items that were not given, at any depth.
fn without_defaults(node: &Node, work: &Work<'_>) -> Node {
    let may_copy = |n_items: usize| work.count(1) && work.build_items(n_items);
    match node {
        Node::Map(map) if may_copy(map.len()) => {
            let given = map.items().iter().filter_map(|item| {
                let node = without_defaults(&item.node, work);
                is_given(&node, item.origin).then(|| MapItem { node, ..item.clone() })
            });
            Node::map(Map::new(given.collect(), map.origin))
        }
        Node::Array(array) if may_copy(array.items.len()) => {
            let items = array
                .items
                .iter()
                .map(|item| ArrayItem { node: without_defaults(&item.node, work), ..item.clone() });
            Node::Array(Arc::new(Array::new(items.collect(), array.origin)))
        }
        other => other.clone(),
    }
}

/// Returns whether an item, or a part of it, was given.
fn is_given(node: &Node, origin: Origin) -> bool {
    let is_default = matches!(origin, Origin::Default(_));
    !is_default || node.as_map().is_some_and(|map| !map.is_empty())
}
