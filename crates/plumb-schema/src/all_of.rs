//! What several schemas that all hold for one value fill in.
//!
//! Each has filled in its own already. That is laid together, and no schema looks at the value again
//! but for what others brought: schemas may be nested in each other, and a second look at every level
//! would double the work with each of them.

use plumb_source::Origin;
use plumb_validation::Declared as _;
use plumb_value::Node;

use crate::conform::conform_value;
use crate::field::Field;

/// The value with what each of the alternatives fills in, given what each does on its own; none if
/// that is nothing, or if they get in each other's way.
pub(crate) fn filled(alternatives: &[Field], node: &Node, own: &[Option<Node>]) -> Option<Node> {
    let mut brought = own.iter().flatten();
    let mut whole = brought.next()?.clone();
    for other in brought {
        whole = united(&whole, other).unwrap_or(whole);
    }
    let mut is_settled = true;
    for (alternative, own) in alternatives.iter().zip(own) {
        if !is_same(own.as_ref().unwrap_or(node), &whole) {
            let (more, objections) = conform_value(alternative, &whole, Origin::Unknown);
            if !objections.is_empty() {
                return None;
            }
            is_settled &= more.is_none();
            whole = more.unwrap_or(whole);
        }
    }
    let is_fine = is_settled || alternatives.iter().all(|it| it.fit(&whole).is_some());
    is_fine.then_some(whole)
}

/// A value with what another has more than it, at any depth; none if that is nothing.
fn united(node: &Node, other: &Node) -> Option<Node> {
    if is_same(node, other) {
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

/// Whether two maps or arrays are one.
fn is_same(left: &Node, right: &Node) -> bool {
    left.address().is_some_and(|it| right.address() == Some(it))
}
