//! Maps: ordered items, which are found by hash if there are many.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::OnceLock;

use hashbrown::{DefaultHashBuilder, HashTable};
use plumb_source::{Origin, Text};

use crate::{MapItem, Meta, Node};

/// Up to this many items a scan is faster than a hash.
const SCAN_LIMIT: usize = 8;
/// Up to this many items, a filter can prove that all keys differ.
const FILTER_LIMIT: usize = 16;

/// An ordered map. A map that was read from a file may contain a key twice; lookups find the last
/// item of a key, and callers decide what a duplicate means.
#[derive(Debug, Default)]
pub struct Map {
    items: Vec<MapItem>,
    /// Where the map was written: the place of the item or document that contains it.
    pub origin: Origin,
    /// Created by the first lookup in a large map.
    index: OnceLock<Box<Index>>,
}

/// The position of the last item of each key.
#[derive(Debug, Default)]
struct Index {
    positions: HashTable<u32>,
    hashing: DefaultHashBuilder,
}

impl Map {
    /// A map of these items, which may contain a key twice.
    pub fn new(items: Vec<MapItem>, origin: Origin) -> Self {
        Self { items, origin, index: OnceLock::new() }
    }

    /// Returns all items in order.
    pub fn items(&self) -> &[MapItem] {
        &self.items
    }

    /// Returns the items for any change. Discards the index of keys.
    pub fn items_mut(&mut self) -> &mut Vec<MapItem> {
        self.index = OnceLock::new();
        &mut self.items
    }

    /// Returns one item for changes. Its key must not be changed. Panics if `at` is out of range.
    pub fn item_mut(&mut self, at: usize) -> &mut MapItem {
        &mut self.items[at]
    }

    /// Returns the metadata and values of all items for changes. Keys must not be changed.
    pub(crate) fn children_mut(&mut self) -> impl Iterator<Item = (&mut Meta, &mut Node)> {
        self.items.iter_mut().map(|it| (&mut it.meta, &mut it.node))
    }

    /// Returns all items in order without a copy.
    pub fn into_items(mut self) -> Vec<MapItem> {
        std::mem::take(&mut self.items)
    }

    /// Adds an item at the end, and to the index of keys if there is one.
    pub fn push(&mut self, item: MapItem) {
        self.items.push(item);
        if let Some(index) = self.index.get_mut() {
            index.add(&self.items, self.items.len() - 1);
        }
    }

    /// Returns the number of items. A key that occurs twice counts twice.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether the map has no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the position of the last item with this key. Returns `None` if the key is missing.
    pub fn position(&self, key: &Node) -> Option<usize> {
        if self.items.len() <= SCAN_LIMIT {
            return self.items.iter().rposition(|item| same_key(&item.key, key));
        }
        self.index.get_or_init(|| Box::new(Index::of(&self.items))).find(&self.items, key)
    }

    /// Returns the position of the last item with this string as its key. Returns `None` if the key
    /// is missing.
    pub fn position_of(&self, key: &Text) -> Option<usize> {
        if self.items.len() <= SCAN_LIMIT {
            let is_key = |item: &MapItem| matches!(&item.key, Node::String(it) if it == key);
            return self.items.iter().rposition(is_key);
        }
        self.position(&Node::String(key.clone()))
    }

    /// Returns two items with the same key: the first item whose key occurs again, and the last
    /// item with its key. Returns `None` if all keys differ.
    pub fn twins(&self) -> Option<(&MapItem, &MapItem)> {
        self.items.iter().enumerate().find_map(|(at, item)| {
            let last = self.position(&item.key).filter(|&last| last != at)?;
            Some((item, &self.items[last]))
        })
    }

    /// Returns whether two items may have the same key. It is fast because it does not hash. In a
    /// small map whose keys all differ, it rarely returns true.
    pub fn may_have_twins(&self) -> bool {
        match self.items.len() {
            0 | 1 => false,
            2..=FILTER_LIMIT => passes_filter_twice(&self.items),
            _ => true,
        }
    }

    /// Returns the last item with this key. Returns `None` if the key is missing.
    pub fn get(&self, key: &Node) -> Option<&MapItem> {
        self.position(key).map(|at| &self.items[at])
    }

    /// Returns the value of a string key. Returns `None` if the key is missing.
    pub fn get_str(&self, key: &str) -> Option<&Node> {
        if self.items.len() <= SCAN_LIMIT {
            let is_key = |item: &&MapItem| matches!(&item.key, Node::String(it) if it == key);
            return self.items.iter().rfind(is_key).map(|item| &item.node);
        }
        self.get(&Node::String(Text::from(key))).map(|item| &item.node)
    }
}

impl Index {
    fn of(items: &[MapItem]) -> Self {
        let mut index = Self::default();
        for at in 0..items.len() {
            index.add(items, at);
        }
        index
    }

    fn find(&self, items: &[MapItem], key: &Node) -> Option<usize> {
        let is_key = |&at: &u32| same_key(&items[at as usize].key, key);
        self.positions.find(self.hash(key), is_key).map(|&at| at as usize)
    }

    fn add(&mut self, items: &[MapItem], at: usize) {
        let key = &items[at].key;
        let position = u32::try_from(at).expect("a map has fewer than 2^32 items");
        let hash = self.hash(key);
        let is_key = |&at: &u32| same_key(&items[at as usize].key, key);
        if let Some(earlier) = self.positions.find_mut(hash, is_key) {
            *earlier = position;
        } else {
            let hashing = &self.hashing;
            let rehash = |&at: &u32| hash_key(&items[at as usize].key, hashing);
            self.positions.insert_unique(hash, position, rehash);
        }
    }

    fn hash(&self, key: &Node) -> u64 {
        hash_key(key, &self.hashing)
    }
}

/// Does not copy the index: a map is cloned in order to change it.
impl Clone for Map {
    fn clone(&self) -> Self {
        Self::new(self.items.clone(), self.origin)
    }
}

/// Returns whether two keys are the same: of the same type and equal. Keys that are collections are
/// never the same.
pub fn same_key(left: &Node, right: &Node) -> bool {
    match (left, right) {
        (Node::String(left), Node::String(right)) => left == right,
        (Node::Null, Node::Null) => true,
        (Node::Bool(left), Node::Bool(right)) => left == right,
        (Node::Int(left), Node::Int(right)) => left == right,
        (Node::UInt(left), Node::UInt(right)) => left == right,
        (Node::Float(left), Node::Float(right)) => left.partial_cmp(right) == Some(Ordering::Equal),
        _ => false,
    }
}

/// Returns whether two keys set the same bit of a filter, or one key is not a string.
fn passes_filter_twice(items: &[MapItem]) -> bool {
    let mut filter = [0_u64; 4];
    items.iter().any(|item| match &item.key {
        Node::String(text) => {
            let hash = fingerprint(text.as_bytes());
            let word = &mut filter[(hash >> 6 & 3) as usize];
            let bit = 1 << (hash & 63);
            let is_seen = *word & bit != 0;
            *word |= bit;
            is_seen
        }
        _ => true,
    })
}

/// Reduces the length and the last bytes to eight bits, which differ for most keys of a map.
fn fingerprint(bytes: &[u8]) -> u64 {
    let half = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
    let tail = match (bytes.last_chunk::<8>(), bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(tail), ..) => u64::from_le_bytes(*tail),
        // These may overlap.
        (None, Some(first), Some(last)) => half(first) << 32 | half(last),
        _ => bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte)),
    };
    (tail ^ bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56
}

fn hash_key(key: &Node, hashing: &DefaultHashBuilder) -> u64 {
    let mut hasher = hashing.build_hasher();
    std::mem::discriminant(key).hash(&mut hasher);
    match key {
        Node::String(text) => text.hash(&mut hasher),
        Node::Bool(value) => value.hash(&mut hasher),
        Node::Int(value) => value.hash(&mut hasher),
        Node::UInt(value) => value.hash(&mut hasher),
        // Positive and negative zero are the same value.
        Node::Float(value) => (value + 0.0).to_bits().hash(&mut hasher),
        Node::Null | Node::Map(_) | Node::Array(_) => {}
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map_of(keys: &[&str]) -> Map {
        let items = keys.iter().map(|&key| MapItem::new(key.into(), Node::Null, Origin::Unknown));
        Map::new(items.collect(), Origin::Unknown)
    }

    #[test]
    fn the_last_item_of_a_key_is_found_in_small_and_large_maps() {
        let small = map_of(&["a", "b", "a"]);
        assert_eq!(small.position(&"a".into()), Some(2));
        let keys: Vec<String> = (0..100).map(|n| format!("k{}", n % 60)).collect();
        let large = map_of(&keys.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(large.position(&"k3".into()), Some(63));
        assert_eq!(large.position(&"k50".into()), Some(50));
        assert_eq!(large.position(&"none".into()), None);
    }

    #[test]
    fn a_map_with_twins_is_never_said_to_have_none() {
        assert!(map_of(&["a", "b", "a"]).may_have_twins());
        assert!(!map_of(&["a", "b", "c"]).may_have_twins());
        assert!(!map_of(&["a"]).may_have_twins());
        let keys: Vec<String> = (0..20).map(|n| n.to_string()).collect();
        assert!(map_of(&keys.iter().map(String::as_str).collect::<Vec<_>>()).may_have_twins());
    }

    #[test]
    fn a_changed_map_is_looked_up_anew() {
        let mut map = map_of(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]);
        assert_eq!(map.position(&"a".into()), Some(0));
        map.items_mut().remove(0);
        assert_eq!(map.position(&"a".into()), None);
        assert_eq!(map.position(&"b".into()), Some(0));
    }

    #[test]
    fn an_added_item_is_found() {
        let mut map = map_of(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]);
        assert_eq!(map.position(&"k".into()), None);
        map.push(MapItem::new("k".into(), Node::Null, Origin::Unknown));
        map.push(MapItem::new("a".into(), Node::Null, Origin::Unknown));
        assert_eq!(map.position(&"k".into()), Some(10));
        assert_eq!(map.position(&"a".into()), Some(11));
    }

    #[test]
    fn keys_of_two_types_differ() {
        let keys = vec![Node::Int(1), Node::Float(1.0), "1".into(), Node::Bool(true)];
        let items = keys.into_iter().map(|key| MapItem::new(key, Node::Null, Origin::Unknown));
        let map = Map::new(items.collect(), Origin::Unknown);
        assert_eq!(map.position(&Node::Int(1)), Some(0));
        assert_eq!(map.position(&"1".into()), Some(2));
    }
}
