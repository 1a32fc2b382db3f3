//! Equality of values, by hashes that are computed once.

use std::hash::{DefaultHasher, Hash, Hasher};

use plumb_value::{MapItem, Node};

/// The hash of a node and of the nodes below it.
#[derive(Debug)]
pub(crate) struct Hashed {
    pub(crate) hash: u64,
    pub(crate) children: Vec<Self>,
}

impl Hashed {
    /// Equal nodes have equal hashes. The order of keys does not matter.
    pub(crate) fn of(node: &Node) -> Self {
        let children: Vec<Self> = node.children().map(|(_, child)| Self::of(child)).collect();
        let hash = match node {
            Node::Map(map) => {
                let items = map.items().iter().zip(&children);
                let items =
                    items.map(|(item, child)| mixed(&(Self::of(&item.key).hash, child.hash)));
                mixed(&(0_u8, map.len(), items.fold(0_u64, u64::wrapping_add)))
            }
            Node::Array(_) => mixed(&(1_u8, children.iter().map(|it| it.hash).collect::<Vec<_>>())),
            Node::Null => mixed(&2_u8),
            Node::Bool(value) => mixed(&(3_u8, value)),
            Node::Int(value) => mixed(&(4_u8, value)),
            Node::UInt(value) => mixed(&(5_u8, value)),
            Node::Float(value) => mixed(&(6_u8, value.to_bits())),
            Node::String(text) => mixed(&(7_u8, text.as_bytes())),
        };
        Self { hash, children }
    }
}

fn mixed(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Whether two values are of the same type and equal. The order of keys does not matter.
pub(crate) fn is_identical(left: &Node, right: &Node) -> bool {
    match (left, right) {
        (Node::Map(left), Node::Map(right)) => {
            let is_there = |it: &MapItem| {
                right.get(&it.key).is_some_and(|other| is_identical(&it.node, &other.node))
            };
            left.len() == right.len() && left.items().iter().all(is_there)
        }
        (Node::Array(left), Node::Array(right)) => {
            let mut items = left.items.iter().zip(&right.items);
            left.items.len() == right.items.len()
                && items.all(|(left, right)| is_identical(&left.node, &right.node))
        }
        _ => left.is_same_scalar(right),
    }
}
