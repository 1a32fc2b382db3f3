//! The entries of a map as they are printed: each key once.
//!
//! A map that was read from a plain file may hold a key twice. Then the last value counts, and it
//! stands where the key stood first. Nearly no map does, so that is found out without hashing.

use plumb_value::{Map, MapItem, Node};

/// A map with more items is looked up key by key.
const FILTERED: usize = 16;

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
        let doubt = may_repeat(map.items())
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

/// Whether two items may have one key; seldom true where they have not.
fn may_repeat(items: &[MapItem]) -> bool {
    if items.len() <= 1 {
        return false;
    }
    if FILTERED < items.len() {
        return true;
    }
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

/// Eight bits of the length and the last bytes, which tell most keys of a map apart.
fn fingerprint(bytes: &[u8]) -> u64 {
    let tail = match bytes.last_chunk::<8>() {
        Some(tail) => u64::from_le_bytes(*tail),
        None => bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte)),
    };
    (tail ^ bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56
}
