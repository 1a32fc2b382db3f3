//! Plain documents as trees.

use plumb_value::{Map, Node};

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

    fn breadth(self) -> usize {
        self.as_map().map_or(0, Map::len)
    }

    fn length(self) -> Option<usize> {
        self.as_array().map(|array| array.items.len())
    }

    fn element(self, at: usize) -> Option<Self> {
        Some(&self.as_array()?.items.get(at)?.node)
    }

    fn children(self, visit: &mut dyn FnMut(Self)) {
        Node::children(self).for_each(|(_, child)| visit(child));
    }

    fn scalar(self) -> Option<Scalar<'t>> {
        Scalar::of(self)
    }
}
