//! Order and equality of values, as in the template language.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use plumb_value::{ArrayItem, Map, Node};

/// Two values that have no order, by the names of their types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomparable {
    /// The type of the left value.
    pub left: &'static str,
    /// The type of the right value.
    pub right: &'static str,
}

/// Compares two values: numbers by value regardless of type, strings bytewise, lists item by item.
/// Returns `Ok(None)` if one of them is NaN, and an error if their types have no order.
pub fn compare(left: &Node, right: &Node) -> Result<Option<Ordering>, Incomparable> {
    match (left, right) {
        (Node::Null, Node::Null) => Ok(Some(Ordering::Equal)),
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

/// Returns whether two values are equal: numbers by value, maps regardless of their order.
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

/// Returns the positions of the first repeated item: that of the earlier item, then its own.
pub(crate) fn first_repeated(items: &[ArrayItem]) -> Option<(usize, usize)> {
    let mut seen: HashMap<u64, Vec<usize>> = HashMap::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let mut hasher = DefaultHasher::new();
        hash(&item.node, &mut hasher);
        let alike = seen.entry(hasher.finish()).or_default();
        let earlier = alike.iter().find(|&&it| is_same_value(&items[it].node, &item.node));
        if let Some(&earlier) = earlier {
            return Some((earlier, at));
        }
        alike.push(at);
    }
    None
}

/// Hashes a value such that values which are equal by [`is_same_value`] have equal hashes.
fn hash(node: &Node, hasher: &mut DefaultHasher) {
    match node {
        Node::Null => 0_u8.hash(hasher),
        Node::Bool(value) => (1_u8, value).hash(hasher),
        Node::Int(value) => (2_u8, i128::from(*value)).hash(hasher),
        Node::UInt(value) => (2_u8, i128::from(*value)).hash(hasher),
        #[expect(clippy::cast_possible_truncation, reason = "an integer of this size fits")]
        Node::Float(value) if value.fract() == 0.0 && value.abs() < 1e30 => {
            (2_u8, *value as i128).hash(hasher);
        }
        Node::Float(value) => (3_u8, value.to_bits()).hash(hasher),
        Node::String(text) => (4_u8, text.as_bytes()).hash(hasher),
        Node::Array(array) => {
            (5_u8, array.items.len()).hash(hasher);
            array.items.iter().for_each(|it| hash(&it.node, hasher));
        }
        // The order of keys does not matter, so the hashes of the values are added up.
        Node::Map(map) => {
            let sum = map.items().iter().fold(0_u64, |sum, item| {
                let mut hasher = DefaultHasher::new();
                hash(&item.node, &mut hasher);
                sum.wrapping_add(hasher.finish())
            });
            (6_u8, map.len(), sum).hash(hasher);
        }
    }
}

/// A number without loss of precision: integers of both signs, or a float.
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

/// Compares exactly: converting the integer to a float might round it.
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
    use plumb_value::{Array, MapItem};

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
    fn repeated_items_are_found_by_value() {
        let items = |nodes: &[Node]| -> Vec<ArrayItem> {
            nodes.iter().map(|it| ArrayItem::new(it.clone(), Origin::Unknown)).collect()
        };
        let map = |keys: [&str; 2], values: [i64; 2]| {
            let pairs = keys.into_iter().zip(values);
            let pairs = pairs
                .map(|(key, value)| MapItem::new(key.into(), Node::Int(value), Origin::Unknown));
            Node::map(Map::new(pairs.collect(), Origin::Unknown))
        };
        let repeated = |nodes: &[Node]| first_repeated(&items(nodes));
        assert_eq!(repeated(&[Node::Int(1), "1".into(), Node::Float(1.0)]), Some((0, 2)));
        assert_eq!(repeated(&[Node::Float(0.0), Node::Float(-0.0)]), Some((0, 1)));
        assert_eq!(repeated(&[Node::Float(f64::NAN), Node::Float(f64::NAN)]), None);
        assert_eq!(repeated(&[list(&[1, 2]), list(&[2, 1]), list(&[1, 2])]), Some((0, 2)));
        let maps = [map(["a", "b"], [1, 2]), map(["a", "b"], [2, 1]), map(["b", "a"], [2, 1])];
        assert_eq!(repeated(&maps), Some((0, 2)));
        assert_eq!(repeated(&[Node::Null, Node::Bool(false), "".into(), Node::Int(0)]), None);
    }

    #[test]
    fn lists_are_compared_item_by_item_and_maps_not_at_all() {
        assert_eq!(compare(&list(&[1, 2]), &list(&[1, 3])), Ok(Some(Ordering::Less)));
        assert_eq!(compare(&list(&[1, 2]), &list(&[1])), Ok(Some(Ordering::Greater)));
        assert_eq!(compare(&Node::Null, &Node::Null), Ok(Some(Ordering::Equal)));
        let map = Node::map(Map::default());
        let refusal = Incomparable { left: "dict", right: "int" };
        assert_eq!(compare(&map, &Node::Int(4)), Err(refusal));
    }
}
