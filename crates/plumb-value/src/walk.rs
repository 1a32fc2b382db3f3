//! A walk over everything in a node: parents before their children, in the order of the text.

use plumb_source::Origin;

use crate::{Array, ArrayItem, Children, Map, MapItem, Meta, Node};

/// The items below a node, at any depth.
#[derive(Debug)]
pub struct Descendants<'a> {
    /// The remaining items of the current collection.
    here: Children<'a>,
    /// The remaining items of the collections around it, innermost last.
    above: Vec<Children<'a>>,
}

impl Node {
    /// Returns the items below this node at any depth, as pairs of metadata and value.
    pub fn descendants(&self) -> Descendants<'_> {
        Descendants { here: self.children(), above: Vec::new() }
    }

    /// Returns the maps in this node at any depth, including itself.
    pub fn maps(&self) -> impl Iterator<Item = &Map> {
        let nodes = std::iter::once(self).chain(self.descendants().map(|(_, node)| node));
        nodes.filter_map(Self::as_map)
    }

    /// Returns the same values with other origins, at any depth.
    #[must_use]
    pub fn with_origins(&self, origin: &impl Fn(Origin) -> Origin) -> Self {
        match self {
            Self::Map(map) => {
                let items = map.items().iter().map(|item| MapItem {
                    key: item.key.clone(),
                    node: item.node.with_origins(origin),
                    origin: origin(item.origin),
                    meta: item.meta.clone(),
                });
                Self::map(Map::new(items.collect(), origin(map.origin)))
            }
            Self::Array(array) => {
                let items = array.items.iter().map(|item| ArrayItem {
                    node: item.node.with_origins(origin),
                    origin: origin(item.origin),
                    meta: item.meta.clone(),
                });
                Self::array(Array::new(items.collect(), origin(array.origin)))
            }
            scalar => scalar.clone(),
        }
    }
}

impl<'a> Iterator for Descendants<'a> {
    type Item = (&'a Meta, &'a Node);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(next) = self.here.next() {
                let below = next.1.children();
                if below.len() > 0 {
                    self.above.push(std::mem::replace(&mut self.here, below));
                }
                return Some(next);
            }
            self.here = self.above.pop()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use plumb_source::{SourceKind, Sources, Span};

    use super::*;

    fn array(items: Vec<Node>) -> Node {
        let items = items.into_iter().map(|it| ArrayItem::new(it, Origin::Unknown));
        Node::array(Array::new(items.collect(), Origin::Unknown))
    }

    #[test]
    fn parents_come_first_in_the_order_of_the_text() {
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

    #[test]
    fn origins_are_given_at_any_depth() {
        let file = Sources::new().add("a.yml", SourceKind::File, b"a"[..].into());
        let here = Origin::Computed(Span::new(file, 0, 1));
        let deep = array(vec![array(vec![Node::Int(1)])]).with_origins(&|_| here);
        let inner = &deep.as_array().expect("an array").items[0];
        assert_eq!(inner.origin, here);
        assert_eq!(inner.node.as_array().expect("an array").items[0].origin, inner.origin);
    }
}
