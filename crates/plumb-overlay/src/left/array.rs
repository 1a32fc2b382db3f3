//! An array while an overlay is applied to it.

use std::sync::Arc;

use plumb_value::{Array, ArrayItem, Node};

use super::sequence::{Sequence, Storage};
use super::{Left, Side, Slot};
use crate::matcher::MatchKey;

pub(crate) struct ArrayLeft(Sequence<Arc<Array>>);

impl ArrayLeft {
    pub(crate) fn open(array: Arc<Array>) -> Self {
        Self(Sequence::open(array))
    }

    pub(crate) fn close(self) -> Node {
        Node::Array(self.0.close())
    }
}

impl Left for ArrayLeft {
    type Item = ArrayItem;

    fn item(&self, slot: Slot) -> &ArrayItem {
        self.0.item(slot)
    }

    fn item_mut(&mut self, slot: Slot) -> &mut ArrayItem {
        self.0.item_mut(slot)
    }

    fn n_slots(&self) -> usize {
        self.0.n_slots()
    }

    fn slots(&self) -> Vec<Slot> {
        self.0.slots()
    }

    fn sort(&self, slots: &mut [Slot]) {
        self.0.sort(slots);
    }

    fn place(&self, slot: Slot) -> MatchKey<'_> {
        MatchKey::Position(&self.0, slot)
    }

    fn at(&self, position: usize) -> Option<Slot> {
        self.0.at(position)
    }

    fn with_key_of(&self, _right: &ArrayItem) -> Option<Slot> {
        None
    }

    fn given(&self) -> Option<Slot> {
        None
    }

    fn replace(&mut self, slot: Slot, item: ArrayItem) {
        *self.0.item_mut(slot) = item;
    }

    fn remove(&mut self, slot: Slot) {
        self.0.remove(slot);
    }

    fn append(&mut self, item: ArrayItem) -> Option<Slot> {
        Some(self.0.insert_after(self.0.last(), item))
    }

    fn add(&mut self, item: ArrayItem) -> Option<Slot> {
        self.append(item)
    }

    fn insert(&mut self, side: Side, slot: Slot, item: ArrayItem) -> Option<Slot> {
        Some(self.0.insert(side, slot, item))
    }
}

impl Storage for Arc<Array> {
    type Item = ArrayItem;

    fn items(&self) -> &[ArrayItem] {
        &self.items
    }

    fn items_mut(&mut self) -> &mut Vec<ArrayItem> {
        &mut Self::make_mut(self).items
    }
}
