//! A map while an overlay is applied to it. Items are found by hash, even after many additions and
//! removals.

use std::collections::BTreeSet;
use std::sync::Arc;

use plumb_value::{Map, MapItem, Node};

use super::{Left, Side, Slot};
use crate::matcher::MatchKey;

pub(crate) struct MapLeft {
    map: Arc<Map>,
    /// Removed items stay in the map until it is closed: removing them one by one would move all
    /// later items each time.
    removed: BTreeSet<Slot>,
}

impl MapLeft {
    pub(crate) fn open(map: Arc<Map>) -> Self {
        Self { map, removed: BTreeSet::new() }
    }

    pub(crate) fn close(mut self) -> Node {
        if !self.removed.is_empty() {
            let mut slots = 0..;
            let items = Arc::make_mut(&mut self.map).items_mut();
            items.retain(|_| !slots.next().is_some_and(|slot| self.removed.contains(&slot)));
        }
        Node::Map(self.map)
    }
}

impl Left for MapLeft {
    type Item = MapItem;

    fn item(&self, slot: Slot) -> &MapItem {
        &self.map.items()[slot]
    }

    fn item_mut(&mut self, slot: Slot) -> &mut MapItem {
        Arc::make_mut(&mut self.map).item_mut(slot)
    }

    fn n_slots(&self) -> usize {
        self.map.len()
    }

    fn slots(&self) -> Vec<Slot> {
        (0..self.n_slots()).filter(|slot| !self.removed.contains(slot)).collect()
    }

    fn sort(&self, slots: &mut [Slot]) {
        slots.sort_unstable();
    }

    fn place(&self, slot: Slot) -> MatchKey<'_> {
        MatchKey::Key(&self.item(slot).key)
    }

    fn at(&self, _position: usize) -> Option<Slot> {
        None
    }

    fn with_key_of(&self, right: &MapItem) -> Option<Slot> {
        self.map.position(&right.key).filter(|slot| !self.removed.contains(slot))
    }

    fn given(&self) -> Option<Slot> {
        None
    }

    fn replace(&mut self, slot: Slot, item: MapItem) {
        let has_same_key = self.map.position(&item.key) == Some(slot);
        let map = Arc::make_mut(&mut self.map);
        if has_same_key {
            *map.item_mut(slot) = item;
        } else {
            map.items_mut()[slot] = item;
        }
    }

    fn remove(&mut self, slot: Slot) {
        self.removed.insert(slot);
    }

    fn append(&mut self, item: MapItem) -> Option<Slot> {
        Arc::make_mut(&mut self.map).push(item);
        Some(self.map.len() - 1)
    }

    fn add(&mut self, item: MapItem) -> Option<Slot> {
        self.append(item)
    }

    fn insert(&mut self, _side: Side, _slot: Slot, _item: MapItem) -> Option<Slot> {
        None
    }
}
