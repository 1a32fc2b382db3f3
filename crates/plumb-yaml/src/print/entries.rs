//! The entries of a map as they are printed: each key once.
//!
//! A map that was read from a plain file may contain a key twice. Then the last value is printed,
//! at the place of the first key. Such maps are rare, so the common case is detected without
//! hashing.

use plumb_value::{Map, MapItem, Node};

/// A key and the item with its value. If two items have the same key, the key is that of the first
/// and the value that of the last.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) key: &'a Node,
    pub(super) item: &'a MapItem,
}

pub(super) struct Entries<'a> {
    items: std::slice::Iter<'a, MapItem>,
    /// Set if a key may occur twice.
    doubt: Option<Box<Doubt<'a>>>,
}

/// A map, and which of its items are already printed.
struct Doubt<'a> {
    map: &'a Map,
    is_printed: Vec<bool>,
}

impl<'a> Entries<'a> {
    pub(super) fn of(map: &'a Map) -> Self {
        let doubt = map
            .may_have_twins()
            .then(|| Box::new(Doubt { map, is_printed: vec![false; map.len()] }));
        Self { items: map.items().iter(), doubt }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        let Some(doubt) = &mut self.doubt else {
            return self.items.next().map(|item| Entry { key: &item.key, item });
        };
        self.items.find_map(|item| doubt.resolve(item))
    }
}

impl<'a> Doubt<'a> {
    /// Returns the entry of an item. Returns `None` if its key is already printed.
    fn resolve(&mut self, item: &'a MapItem) -> Option<Entry<'a>> {
        let Some(last) = self.map.position(&item.key) else {
            // Lookups do not find keys that are collections or NaN.
            return Some(Entry { key: &item.key, item });
        };
        let is_printed = std::mem::replace(&mut self.is_printed[last], true);
        (!is_printed).then(|| Entry { key: &item.key, item: &self.map.items()[last] })
    }
}
