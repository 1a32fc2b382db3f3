//! Going through all that is in a node: parents before their children, in the order of the text.

use crate::{Map, Meta, Node};

/// The items below a node, at any depth.
#[derive(Debug)]
pub struct Descendants<'a> {
    /// What comes next, last first.
    ahead: Vec<(&'a Meta, &'a Node)>,
}

impl Node {
    /// The items below this node: what is said about each, and its value.
    pub fn descendants(&self) -> Descendants<'_> {
        let mut descendants = Descendants { ahead: Vec::new() };
        descendants.enter(self);
        descendants
    }

    /// The maps in this node, itself among them.
    pub fn maps(&self) -> impl Iterator<Item = &Map> {
        let nodes = std::iter::once(self).chain(self.descendants().map(|(_, node)| node));
        nodes.filter_map(|node| match node {
            Self::Map(map) => Some(&**map),
            _ => None,
        })
    }
}

impl<'a> Descendants<'a> {
    fn enter(&mut self, node: &'a Node) {
        match node {
            Node::Map(map) => {
                self.ahead.extend(map.items().iter().rev().map(|it| (&it.meta, &it.node)));
            }
            Node::Array(array) => {
                self.ahead.extend(array.items.iter().rev().map(|it| (&it.meta, &it.node)));
            }
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::UInt(_)
            | Node::Float(_)
            | Node::String(_) => {}
        }
    }
}

impl<'a> Iterator for Descendants<'a> {
    type Item = (&'a Meta, &'a Node);

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.ahead.pop()?;
        self.enter(next.1);
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use plumb_source::Origin;

    use super::*;
    use crate::{Array, ArrayItem, MapItem};

    #[test]
    fn parents_come_first_in_the_order_of_the_text() {
        let array = |items: Vec<Node>| {
            let items = items.into_iter().map(|it| ArrayItem::new(it, Origin::Unknown));
            Node::array(Array::new(items.collect(), Origin::Unknown))
        };
        let map = |key: &str, node| {
            let item = MapItem::new(key.into(), node, Origin::Unknown);
            Node::map(Map::new(vec![item], Origin::Unknown))
        };
        let node =
            array(vec![map("a", array(vec![Node::Int(1)])), Node::Int(2), map("b", Node::Int(3))]);
        let kinds: Vec<String> = node.descendants().map(|(_, node)| node.repr()).collect();
        assert_eq!(kinds, ["{\"a\": [1]}", "[1]", "1", "2", "{\"b\": 3}", "3"]);
        assert_eq!(node.maps().count(), 2);
    }
}
