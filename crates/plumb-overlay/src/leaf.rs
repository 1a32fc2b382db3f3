//! Scalars as keys of hash maps. Two keys are equal if and only if overlays treat the scalars as
//! equal.

use plumb_source::Text;
use plumb_value::Node;

/// A scalar that can be looked up. An integer never equals a float, as in ytt.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Leaf {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    /// The bits of a number that is not NaN; negative zero is stored as zero.
    Float(u64),
    String(Text),
}

impl Leaf {
    /// Returns `None` for a collection, and for NaN, which equals nothing.
    pub(crate) fn of(node: &Node) -> Option<Self> {
        match node {
            Node::Null => Some(Self::Null),
            Node::Bool(value) => Some(Self::Bool(*value)),
            Node::Int(value) => Some(Self::Int(*value)),
            Node::UInt(value) => Some(Self::UInt(*value)),
            Node::Float(value) if value.is_nan() => None,
            Node::Float(value) => Some(Self::Float((value + 0.0).to_bits())),
            Node::String(text) => Some(Self::String(text.clone())),
            Node::Map(_) | Node::Array(_) => None,
        }
    }
}

/// Returns whether two scalars are equal; false if either is a collection.
#[expect(clippy::float_cmp, reason = "overlays match equal numbers, not similar ones")]
pub(crate) fn same_leaf(left: &Node, right: &Node) -> bool {
    match (left, right) {
        (Node::Null, Node::Null) => true,
        (Node::Bool(left), Node::Bool(right)) => left == right,
        (Node::Int(left), Node::Int(right)) => left == right,
        (Node::UInt(left), Node::UInt(right)) => left == right,
        (Node::Float(left), Node::Float(right)) => left == right,
        (Node::String(left), Node::String(right)) => left == right,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_equal_just_where_scalars_are() {
        let scalars = [
            Node::Null,
            Node::Bool(false),
            Node::Bool(true),
            Node::Int(0),
            Node::Int(1),
            Node::UInt(u64::MAX),
            Node::Float(0.0),
            Node::Float(-0.0),
            Node::Float(1.0),
            "".into(),
            "1".into(),
        ];
        for left in &scalars {
            for right in &scalars {
                let by_leaf = Leaf::of(left) == Leaf::of(right);
                assert_eq!(same_leaf(left, right), by_leaf, "{left:?} and {right:?}");
            }
        }
        assert_eq!(Leaf::of(&Node::Float(f64::NAN)), None);
        assert!(!same_leaf(&Node::Float(f64::NAN), &Node::Float(f64::NAN)));
    }
}
