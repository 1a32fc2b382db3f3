//! Going through all that is in a node: parents before their children, in the order of the text.

use crate::{ArrayItem, Map, MapItem, Meta, Node};

/// The items below a node, at any depth.
#[derive(Debug)]
pub struct Descendants<'a> {
    /// What is left of the collections that are being gone through, innermost last.
    open: Vec<Items<'a>>,
}

#[derive(Debug)]
enum Items<'a> {
    Map(std::slice::Iter<'a, MapItem>),
    Array(std::slice::Iter<'a, ArrayItem>),
}

impl Node {
    /// The items below this node: what is said about each, and its value.
    pub fn descendants(&self) -> Descendants<'_> {
        Descendants { open: Items::of(self).into_iter().collect() }
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

impl<'a> Items<'a> {
    fn of(node: &'a Node) -> Option<Self> {
        match node {
            Node::Map(map) => Some(Self::Map(map.items().iter())),
            Node::Array(array) => Some(Self::Array(array.items.iter())),
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::UInt(_)
            | Node::Float(_)
            | Node::String(_) => None,
        }
    }

    fn next(&mut self) -> Option<(&'a Meta, &'a Node)> {
        match self {
            Self::Map(items) => items.next().map(|it| (&it.meta, &it.node)),
            Self::Array(items) => items.next().map(|it| (&it.meta, &it.node)),
        }
    }
}

impl<'a> Iterator for Descendants<'a> {
    type Item = (&'a Meta, &'a Node);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(next) = self.open.last_mut()?.next() {
                self.open.extend(Items::of(next.1));
                return Some(next);
            }
            self.open.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use plumb_source::Origin;

    use super::*;
    use crate::Array;

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
