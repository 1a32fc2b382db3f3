//! The direct children of a node, which is a map or an array: to read them, to change them, or to
//! replace some while the others remain shared.

use std::sync::Arc;

use plumb_source::Origin;

use crate::{Array, ArrayItem, Descendants, Map, MapItem, Meta, Node, Step};

/// The items of a node as pairs of metadata and value. A scalar has no items.
#[derive(Clone, Debug)]
pub struct Children<'a>(Items<'a>);

#[derive(Clone, Debug)]
enum Items<'a> {
    Map(std::slice::Iter<'a, MapItem>),
    Array(std::slice::Iter<'a, ArrayItem>),
    None,
}

impl Node {
    /// Returns the items of this node in order, as pairs of metadata and value.
    pub fn children(&self) -> Children<'_> {
        Children(match self {
            Self::Map(map) => Items::Map(map.items().iter()),
            Self::Array(array) => Items::Array(array.items.iter()),
            Self::Null
            | Self::Bool(_)
            | Self::Int(_)
            | Self::UInt(_)
            | Self::Float(_)
            | Self::String(_) => Items::None,
        })
    }

    /// Returns the origins and values of the items of this node in order.
    pub fn parts(&self) -> impl Iterator<Item = (Origin, &Self)> {
        let (map, array) = self.collections();
        let of_map = map.map_or(&[][..], Map::items).iter().map(|it| (it.origin, &it.node));
        let of_array = array.iter().map(|it| (it.origin, &it.node));
        of_map.chain(of_array)
    }

    /// Returns the items of this node in order: the step to each, its origin and its value.
    pub fn steps(&self) -> impl Iterator<Item = (Step, Origin, &Self)> {
        let (map, array) = self.collections();
        let of_map = map.map_or(&[][..], Map::items).iter();
        let of_map = of_map.map(|it| (Step::of_key(&it.key), it.origin, &it.node));
        let of_array = array.iter().enumerate();
        of_map.chain(of_array.map(|(at, it)| (Step::Index(at), it.origin, &it.node)))
    }

    /// Returns the origin and the value of the item that a step leads to. Returns `None` if there
    /// is no such item.
    pub fn below(&self, step: &Step) -> Option<(Origin, &Self)> {
        match (step, self) {
            (Step::Key(key), Self::Map(map)) => {
                map.get(&Self::String(key.clone())).map(|it| (it.origin, &it.node))
            }
            (Step::OtherKey(..), Self::Map(map)) => {
                let item = map.items().iter().find(|it| Step::of_key(&it.key) == *step);
                item.map(|it| (it.origin, &it.node))
            }
            (Step::Index(at), Self::Array(array)) => {
                array.items.get(*at).map(|it| (it.origin, &it.node))
            }
            _ => None,
        }
    }

    /// This node as a map, or the items of this node as an array. A scalar is neither.
    fn collections(&self) -> (Option<&Map>, &[ArrayItem]) {
        match self {
            Self::Map(map) => (Some(&**map), &[]),
            Self::Array(array) => (None, &array.items),
            Self::Null
            | Self::Bool(_)
            | Self::Int(_)
            | Self::UInt(_)
            | Self::Float(_)
            | Self::String(_) => (None, &[]),
        }
    }

    /// Returns the item at a position for changes. Copies this node first (one level) if it is
    /// shared. Returns `None` if there is no such item.
    pub fn child_mut(&mut self, at: usize) -> Option<(&mut Meta, &mut Self)> {
        match self {
            Self::Map(map) if at < map.len() => {
                let item = Arc::make_mut(map).item_mut(at);
                Some((&mut item.meta, &mut item.node))
            }
            Self::Array(array) if at < array.items.len() => {
                let item = &mut Arc::make_mut(array).items[at];
                Some((&mut item.meta, &mut item.node))
            }
            _ => None,
        }
    }

    /// Returns all items for changes. Copies this node first (one level) if it is shared.
    pub fn children_mut(&mut self) -> impl Iterator<Item = (&mut Meta, &mut Self)> {
        let (map, array) = match self {
            Self::Map(map) => (Some(Arc::make_mut(map)), None),
            Self::Array(array) => (None, Some(Arc::make_mut(array))),
            _ => (None, None),
        };
        let of_map = map.into_iter().flat_map(Map::children_mut);
        let of_array = array.into_iter().flat_map(|array| &mut array.items);
        of_map.chain(of_array.map(|it| (&mut it.meta, &mut it.node)))
    }

    /// Returns this node with other values at some positions; the rest is shared. Returns `None` if
    /// `others` is empty.
    pub fn with_children(&self, others: impl IntoIterator<Item = (usize, Self)>) -> Option<Self> {
        let mut whole = None;
        for (at, other) in others {
            let whole: &mut Self = whole.get_or_insert_with(|| self.clone());
            let (_, child) = whole.child_mut(at).expect("a position of one of the children");
            *child = other;
        }
        whole
    }

    /// Returns the items below this node at any depth, as pairs of metadata and value.
    pub fn descendants(&self) -> Descendants<'_> {
        Descendants::of(self)
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

impl<'a> Iterator for Children<'a> {
    type Item = (&'a Meta, &'a Node);

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Items::Map(items) => items.next().map(|it| (&it.meta, &it.node)),
            Items::Array(items) => items.next().map(|it| (&it.meta, &it.node)),
            Items::None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Items::Map(items) => items.size_hint(),
            Items::Array(items) => items.size_hint(),
            Items::None => (0, Some(0)),
        }
    }
}

impl ExactSizeIterator for Children<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(nodes: impl IntoIterator<Item = Node>) -> Node {
        let items = nodes.into_iter().map(|it| ArrayItem::new(it, Origin::Unknown));
        Node::array(Array::new(items.collect(), Origin::Unknown))
    }

    #[test]
    fn what_is_not_exchanged_stays_shared() {
        let before = array([array([Node::Int(1)]), Node::Int(2)]);
        let after = before.with_children([(1, Node::Int(3))]).expect("one is exchanged");
        assert_eq!(before.repr(), "[[1], 2]");
        assert_eq!(after.repr(), "[[1], 3]");
        let shared = |node: &Node| match node.children().next() {
            Some((_, Node::Array(it))) => Arc::as_ptr(it),
            _ => unreachable!("the first item is an array"),
        };
        assert_eq!(shared(&before), shared(&after));
    }

    #[test]
    fn nothing_is_made_where_nothing_is_exchanged() {
        assert!(array([Node::Int(1)]).with_children([]).is_none());
        assert!(Node::Int(1).child_mut(0).is_none());
        assert_eq!(Node::Int(1).children().count(), 0);
    }

    #[test]
    fn steps_lead_back_to_the_items() {
        let array = Node::array(Array::new(
            vec![ArrayItem::new(Node::Int(1), Origin::Unknown)],
            Origin::Unknown,
        ));
        let item = MapItem::new(Node::from("a"), array, Origin::Unknown);
        let map = Node::map(Map::new(vec![item], Origin::Unknown));
        let (step, _, array) = map.steps().next().expect("an item");
        assert_eq!(step, Step::Key("a".into()));
        assert_eq!(map.below(&step).map(|it| it.1.address()), Some(array.address()));
        let steps: Vec<Step> = array.steps().map(|it| it.0).collect();
        assert_eq!(steps, [Step::Index(0)]);
        assert!(array.below(&Step::Key("a".into())).is_none() && map.parts().count() == 1);
    }
}
