//! The left side: collections of items that an overlay is applied to, one level at a time.
//!
//! Each level is taken out of its parent, changed, and put back. So a level with only one owner is
//! changed in place, and a shared level is copied once, on its first change. A position ([`Slot`])
//! is valid as long as a level is open: a removed item keeps its slot, and an added item gets a new
//! one.

mod array;
mod documents;
mod map;
mod sequence;

use crate::item::Item;
use crate::matcher::MatchKey;

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

    /// The number of slots, including those of removed items.
    fn n_slots(&self) -> usize;

    /// The slots of all items that are not removed, in order.
    fn slots(&self) -> Vec<Slot>;

    /// Sorts slots by the order of their items. The items must not be removed.
    fn sort(&self, slots: &mut [Slot]);

    /// The place of the item, as it is passed to a matcher.
    fn place(&self, slot: Slot) -> MatchKey<'_>;

    /// The item at a position, or `None` if items have keys instead of positions.
    fn at(&self, position: usize) -> Option<Slot>;

    /// The item with the key of the overlay's item, or `None` if items have no keys.
    fn with_key_of(&self, right: &Self::Item) -> Option<Slot>;

    /// The item that is matched without a matcher: the one document of a data values overlay.
    fn given(&self) -> Option<Slot>;

    fn replace(&mut self, slot: Slot, item: Self::Item);
    fn remove(&mut self, slot: Slot);

    /// Adds an item at the end. Returns `None` if there is nothing to add it to.
    fn append(&mut self, item: Self::Item) -> Option<Slot>;

    /// Adds an item that should replace a missing one. Returns `None` as `append` does.
    fn add(&mut self, item: Self::Item) -> Option<Slot>;

    /// Inserts an item next to another. Returns `None` if items have no order.
    fn insert(&mut self, side: Side, slot: Slot, item: Self::Item) -> Option<Slot>;
}
