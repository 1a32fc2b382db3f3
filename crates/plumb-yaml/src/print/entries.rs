//! The entries of a map as they are printed: each key once.
//!
//! A map that was read from a plain file may hold a key twice. Then the last value counts, and it
//! stands where the key stood first. Nearly no map does, so that is found out without hashing.

use plumb_value::{Map, MapItem, Node};

/// A key and the item that holds its value; of two items with one key, the key is the first's and
/// the value the last's.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) key: &'a Node,
    pub(super) item: &'a MapItem,
}

pub(super) struct Entries<'a> {
    items: std::slice::Iter<'a, MapItem>,
    /// Set where a key may be there twice.
    doubt: Option<Box<Doubt<'a>>>,
}

/// A map, and which of its items were printed already.
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
    /// The entry of an item, unless its key was printed already.
    fn resolve(&mut self, item: &'a MapItem) -> Option<Entry<'a>> {
        let Some(last) = self.map.position(&item.key) else {
            // Collections and not-a-numbers are keys that no lookup finds.
            return Some(Entry { key: &item.key, item });
        };
        let is_printed = std::mem::replace(&mut self.is_printed[last], true);
        (!is_printed).then(|| Entry { key: &item.key, item: &self.map.items()[last] })
    }
}
