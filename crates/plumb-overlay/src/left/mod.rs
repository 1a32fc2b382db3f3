//! The left side: collections of items that an overlay is laid over, one level at a time.
//!
//! Each level is taken out of its parent, changed, and put back, so that a level that nobody else
//! holds is changed in place and a shared one is copied once, when it is first changed. A position
//! ([`Slot`]) stays good while a level is open: what is removed keeps its slot, and what is added
//! gets a new one.

mod array;
mod documents;
mod map;
mod sequence;

use crate::item::Item;
use crate::matcher::Place;

pub(crate) use array::ArrayLeft;
pub(crate) use documents::{Choice, DocumentsLeft};
pub(crate) use map::MapLeft;

/// The position of an item in an open level.
pub(crate) type Slot = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
}

pub(crate) trait Left {
    type Item: Item;

    fn item(&self, slot: Slot) -> &Self::Item;
    fn item_mut(&mut self, slot: Slot) -> &mut Self::Item;

    /// How many slots there are, with those of removed items.
    fn n_slots(&self) -> usize;

    /// The items that are there, in order.
    fn slots(&self) -> Vec<Slot>;

    /// Brings slots of items that are there into order.
    fn sort(&self, slots: &mut [Slot]);

    /// What a matcher is told about where the item is.
    fn place(&self, slot: Slot) -> Place<'_>;

    /// The item at a position; none where items have keys instead of positions.
    fn at(&self, position: usize) -> Option<Slot>;

    /// The item with the key of the overlay's item; none where items have no keys.
    fn with_key_of(&self, right: &Self::Item) -> Option<Slot>;

    /// The item that is matched without asking: the one document of a data values overlay.
    fn given(&self) -> Option<Slot>;

    fn replace(&mut self, slot: Slot, item: Self::Item);
    fn remove(&mut self, slot: Slot);

    /// Adds an item at the end; none if there is nothing to add it to.
    fn append(&mut self, item: Self::Item) -> Option<Slot>;

    /// Adds an item that was to replace one that is not there; none as for `append`.
    fn add(&mut self, item: Self::Item) -> Option<Slot>;

    /// Puts an item beside another; none where items have no order.
    fn insert(&mut self, side: Side, slot: Slot, item: Self::Item) -> Option<Slot>;
}
