//! Plain documents as trees.

use plumb_value::Node;

use super::{Scalar, Tree};

impl<'t> Tree<'t> for &'t Node {
    fn is_null(self) -> bool {
        Node::is_null(self)
    }

    fn exists(self) -> bool {
        true
    }

    fn field(self, name: &str) -> Option<Self> {
        self.as_map()?.get_str(name)
    }

    fn length(self) -> Option<usize> {
        self.as_array().map(|array| array.items.len())
    }

    fn element(self, at: usize) -> Option<Self> {
        Some(&self.as_array()?.items.get(at)?.node)
    }

    fn children(self, visit: &mut dyn FnMut(Self)) {
        match self {
            Node::Map(map) => map.items().iter().for_each(|item| visit(&item.node)),
            Node::Array(array) => array.items.iter().for_each(|item| visit(&item.node)),
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::UInt(_)
            | Node::Float(_)
            | Node::String(_) => {}
        }
    }

    fn scalar(self) -> Option<Scalar<'t>> {
        Scalar::of(self)
    }
}
