//! Fills in the defaults of several schemas that all apply to one value.
//!
//! Each schema has already filled in its own defaults. The results are merged, and a schema checks
//! the value again only for what the others added: schemas may be nested, and a second check at
//! every level would double the work with each of them.

use plumb_source::Origin;
use plumb_validation::Declared as _;
use plumb_value::Node;

use crate::conform::conform_value;
use crate::field::Field;

/// Returns the value with the defaults of all alternatives, given the result of each one. Returns
/// `None` if there is nothing to fill in, or if the results conflict.
pub(crate) fn filled(alternatives: &[Field], node: &Node, own: &[Option<Node>]) -> Option<Node> {
    let mut brought = own.iter().flatten();
    let mut whole = brought.next()?.clone();
    for other in brought {
        whole = united(&whole, other).unwrap_or(whole);
    }
    let mut is_settled = true;
    for (alternative, own) in alternatives.iter().zip(own) {
        if !own.as_ref().unwrap_or(node).is_same_object(&whole) {
            let (more, mismatches) = conform_value(alternative, &whole, Origin::Unknown);
            if !mismatches.is_empty() {
                return None;
            }
            is_settled &= more.is_none();
            whole = more.unwrap_or(whole);
        }
    }
    let is_fine = is_settled || alternatives.iter().all(|it| it.fit(&whole).is_some());
    is_fine.then_some(whole)
}

/// Adds to a value what another has in addition, at any depth. Returns `None` if that is nothing.
fn united(node: &Node, other: &Node) -> Option<Node> {
    if node.is_same_object(other) {
        return None;
    }
    match (node, other) {
        (Node::Map(map), Node::Map(others)) => {
            let changed = map.items().iter().enumerate().filter_map(|(at, item)| {
                Some((at, united(&item.node, &others.get(&item.key)?.node)?))
            });
            let mut whole = node.with_children(changed);
            for item in others.items().iter().filter(|it| map.position(&it.key).is_none()) {
                let whole = whole.get_or_insert_with(|| node.clone());
                whole.map_mut()?.push(item.clone());
            }
            whole
        }
        (Node::Array(array), Node::Array(others)) if array.items.len() == others.items.len() => {
            let pairs = array.items.iter().zip(&others.items).enumerate();
            let changed = pairs
                .filter_map(|(at, (item, other))| Some((at, united(&item.node, &other.node)?)));
            node.with_children(changed)
        }
        _ => None,
    }
}
