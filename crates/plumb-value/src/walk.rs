//! A walk over everything in a node: parents before their children, in the order of the text.

use crate::{Children, Meta, Node};

/// The items below a node, at any depth.
#[derive(Debug)]
pub struct Descendants<'a> {
    /// The remaining items of the current collection.
    here: Children<'a>,
    /// The remaining items of the collections around it, innermost last.
    above: Vec<Children<'a>>,
}

impl<'a> Descendants<'a> {
    pub(crate) fn of(node: &'a Node) -> Self {
        Self { here: node.children(), above: Vec::new() }
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

    use plumb_source::Origin;

    use super::*;
    use crate::{Array, ArrayItem, Map, MapItem};

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
