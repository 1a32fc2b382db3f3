//! Order and equality of values as the template language has them.

use std::cmp::Ordering;

use plumb_value::{Map, Node};

/// Two values that have no order, by the names of their types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomparable {
    pub left: &'static str,
    pub right: &'static str,
}

/// The order of two values: numbers by value whatever their type, strings bytewise, lists item by
/// item. `Ok(None)` where one is not a number.
pub fn compare(left: &Node, right: &Node) -> Result<Option<Ordering>, Incomparable> {
    match (left, right) {
        (Node::String(left), Node::String(right)) => Ok(Some(left.cmp(right))),
        (Node::Bool(left), Node::Bool(right)) => Ok(Some(left.cmp(right))),
        (Node::Array(left), Node::Array(right)) => {
            let pairs = left.items.iter().zip(&right.items);
            let mut unlike = pairs.filter(|(left, right)| !is_same_value(&left.node, &right.node));
            match unlike.next() {
                Some((left, right)) => compare(&left.node, &right.node),
                None => Ok(Some(left.items.len().cmp(&right.items.len()))),
            }
        }
        _ => match (Number::of(left), Number::of(right)) {
            (Some(left), Some(right)) => Ok(left.order(right)),
            _ => Err(Incomparable { left: left.type_name(), right: right.type_name() }),
        },
    }
}

/// Whether two values are equal: numbers by value, maps whatever their order.
pub fn is_same_value(left: &Node, right: &Node) -> bool {
    match (left, right) {
        (Node::Null, Node::Null) => true,
        (Node::Bool(left), Node::Bool(right)) => left == right,
        (Node::String(left), Node::String(right)) => left == right,
        (Node::Map(left), Node::Map(right)) => left.len() == right.len() && is_within(left, right),
        (Node::Array(left), Node::Array(right)) => {
            left.items.len() == right.items.len()
                && left.items.iter().zip(&right.items).all(|(l, r)| is_same_value(&l.node, &r.node))
        }
        _ => match (Number::of(left), Number::of(right)) {
            (Some(left), Some(right)) => left.order(right) == Some(Ordering::Equal),
            _ => false,
        },
    }
}

fn is_within(left: &Map, right: &Map) -> bool {
    left.items()
        .iter()
        .all(|item| right.get(&item.key).is_some_and(|it| is_same_value(&item.node, &it.node)))
}

/// A number without loss: integers of both signs fit, floats are kept as they are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    pub(crate) fn of(node: &Node) -> Option<Self> {
        match node {
            Node::Int(value) => Some(Self::Int(i128::from(*value))),
            Node::UInt(value) => Some(Self::Int(i128::from(*value))),
            Node::Float(value) => Some(Self::Float(*value)),
            Node::Null | Node::Bool(_) | Node::String(_) | Node::Map(_) | Node::Array(_) => None,
        }
    }

    fn order(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(left), Self::Int(right)) => Some(left.cmp(&right)),
            (Self::Float(left), Self::Float(right)) => left.partial_cmp(&right),
            (Self::Int(left), Self::Float(right)) => order_mixed(left, right),
            (Self::Float(left), Self::Int(right)) => {
                order_mixed(right, left).map(Ordering::reverse)
            }
        }
    }
}

/// Exact, where turning the integer into a float might round it.
fn order_mixed(int: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the cast saturates, and no integer here comes near its bounds"
    )]
    let whole = float.floor() as i128;
    let fraction = if float.fract() == 0.0 { Ordering::Equal } else { Ordering::Less };
    Some(int.cmp(&whole).then(fraction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_source::Origin;
    use plumb_value::{Array, ArrayItem};

    fn list(items: &[i64]) -> Node {
        let items = items.iter().map(|&it| ArrayItem::new(Node::Int(it), Origin::Unknown));
        Node::array(Array::new(items.collect(), Origin::Unknown))
    }

    #[test]
    fn integers_and_floats_are_compared_exactly() {
        let large = 9_007_199_254_740_993;
        let near = Node::Float(9_007_199_254_740_992.0);
        assert_eq!(compare(&Node::Int(large), &near), Ok(Some(Ordering::Greater)));
        assert_eq!(compare(&near, &Node::Int(large)), Ok(Some(Ordering::Less)));
        assert_eq!(compare(&Node::Int(-1), &Node::Float(-0.5)), Ok(Some(Ordering::Less)));
        assert_eq!(compare(&Node::Int(0), &Node::Float(-0.5)), Ok(Some(Ordering::Greater)));
        assert_eq!(compare(&Node::UInt(u64::MAX), &Node::Float(1e30)), Ok(Some(Ordering::Less)));
        assert_eq!(compare(&Node::Int(1), &Node::Float(f64::NAN)), Ok(None));
        assert!(is_same_value(&Node::Int(1), &Node::Float(1.0)));
    }

    #[test]
    fn lists_are_compared_item_by_item_and_maps_not_at_all() {
        assert_eq!(compare(&list(&[1, 2]), &list(&[1, 3])), Ok(Some(Ordering::Less)));
        assert_eq!(compare(&list(&[1, 2]), &list(&[1])), Ok(Some(Ordering::Greater)));
        let map = Node::map(Map::default());
        let refusal = Incomparable { left: "dict", right: "int" };
        assert_eq!(compare(&map, &Node::Int(4)), Err(refusal));
    }
}
