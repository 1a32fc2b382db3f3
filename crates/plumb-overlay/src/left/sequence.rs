//! Array items and documents while an overlay is applied to them: lists whose order changes with
//! insertions and removals.

use std::cell::OnceCell;

use super::{Side, Slot};
use crate::matcher::Positions;

/// The storage of a list's items. They are not copied until they are changed.
pub(crate) trait Storage {
    type Item;

    fn items(&self) -> &[Self::Item];
    fn items_mut(&mut self) -> &mut Vec<Self::Item>;
}

/// A list whose items keep their slots while others are added and removed.
pub(crate) struct Sequence<S> {
    storage: S,
    /// Whether the item of each slot was removed; empty if no item was removed.
    is_removed: Vec<bool>,
    /// `None` as long as the items are in the order of the storage.
    links: Option<Links>,
    /// The items that are not removed, computed on first use.
    present: OnceCell<Present>,
}

/// The order of slots as a linked list, so that an insertion has the same cost everywhere. Removed
/// items stay linked, because other items may have been inserted next to them.
struct Links {
    first: Option<Slot>,
    all: Vec<Link>,
    last: Option<Slot>,
    /// The position of each slot in the order, computed on first use.
    ranks: OnceCell<Vec<usize>>,
}

struct Link {
    before: Option<Slot>,
    after: Option<Slot>,
}

struct Present {
    slots: Vec<Slot>,
    /// The position of each slot in `slots`.
    position_of: Vec<usize>,
}

impl<S: Storage> Sequence<S> {
    pub(crate) fn open(storage: S) -> Self {
        Self { storage, is_removed: Vec::new(), links: None, present: OnceCell::new() }
    }

    pub(crate) fn item(&self, slot: Slot) -> &S::Item {
        &self.storage.items()[slot]
    }

    pub(crate) fn item_mut(&mut self, slot: Slot) -> &mut S::Item {
        &mut self.storage.items_mut()[slot]
    }

    pub(crate) fn n_slots(&self) -> usize {
        self.storage.items().len()
    }

    pub(crate) fn slots(&self) -> Vec<Slot> {
        if self.is_as_stored() {
            (0..self.n_slots()).collect()
        } else {
            self.present().slots.clone()
        }
    }

    pub(crate) fn at(&self, position: usize) -> Option<Slot> {
        if self.is_as_stored() {
            return (position < self.n_slots()).then_some(position);
        }
        self.present().slots.get(position).copied()
    }

    pub(crate) fn sort(&self, slots: &mut [Slot]) {
        match &self.links {
            None => slots.sort_unstable(),
            Some(_) if slots.len() < 2 => {}
            Some(links) => {
                let ranks = links.ranks();
                slots.sort_unstable_by_key(|slot| ranks[*slot]);
            }
        }
    }

    pub(crate) fn last(&self) -> Option<Slot> {
        match &self.links {
            None => self.n_slots().checked_sub(1),
            Some(links) => links.last,
        }
    }

    pub(crate) fn remove(&mut self, slot: Slot) {
        self.is_removed.resize(self.n_slots(), false);
        self.is_removed[slot] = true;
        self.present = OnceCell::new();
    }

    /// Inserts an item after another, or before all if `before` is `None`.
    pub(crate) fn insert_after(&mut self, before: Option<Slot>, item: S::Item) -> Slot {
        let slot = self.n_slots();
        if self.links.is_some() || before != slot.checked_sub(1) {
            self.links.get_or_insert_with(|| Links::as_stored(slot)).link(slot, before);
        }
        if !self.is_removed.is_empty() {
            self.is_removed.push(false);
        }
        self.storage.items_mut().push(item);
        self.present = OnceCell::new();
        slot
    }

    pub(crate) fn insert(&mut self, side: Side, beside: Slot, item: S::Item) -> Slot {
        let before = match side {
            Side::After => Some(beside),
            Side::Before => match &self.links {
                None => beside.checked_sub(1),
                Some(links) => links.all[beside].before,
            },
        };
        self.insert_after(before, item)
    }

    /// Returns the storage with its items in order and without the removed ones.
    pub(crate) fn close(mut self) -> S {
        if !self.is_as_stored() {
            let slots = self.slots();
            let items = self.storage.items_mut();
            let mut old: Vec<_> = std::mem::take(items).into_iter().map(Some).collect();
            items.extend(slots.into_iter().filter_map(|slot| old[slot].take()));
        }
        self.storage
    }

    fn is_as_stored(&self) -> bool {
        self.is_removed.is_empty() && self.links.is_none()
    }

    fn present(&self) -> &Present {
        self.present.get_or_init(|| {
            let is_there = |slot: &Slot| !self.is_removed.get(*slot).is_some_and(|it| *it);
            let slots: Vec<Slot> = match &self.links {
                None => (0..self.n_slots()).filter(is_there).collect(),
                Some(links) => links.iter().filter(is_there).collect(),
            };
            let mut position_of = vec![0; self.n_slots()];
            for (position, slot) in slots.iter().enumerate() {
                position_of[*slot] = position;
            }
            Present { slots, position_of }
        })
    }
}

impl<S: Storage> Positions for Sequence<S> {
    fn position_of(&self, slot: Slot) -> usize {
        if self.is_as_stored() { slot } else { self.present().position_of[slot] }
    }
}

impl Links {
    fn as_stored(n_items: usize) -> Self {
        let link = |slot: Slot| Link {
            before: slot.checked_sub(1),
            after: (slot + 1 < n_items).then_some(slot + 1),
        };
        let all = (0..n_items).map(link).collect();
        let first = (n_items > 0).then_some(0);
        Self { first, all, last: n_items.checked_sub(1), ranks: OnceCell::new() }
    }

    /// Links a new slot, the next in number, after another or before all.
    fn link(&mut self, slot: Slot, before: Option<Slot>) {
        let after = match before {
            Some(before) => self.all[before].after.replace(slot),
            None => self.first.replace(slot),
        };
        match after {
            Some(after) => self.all[after].before = Some(slot),
            None => self.last = Some(slot),
        }
        self.all.push(Link { before, after });
        self.ranks = OnceCell::new();
    }

    fn iter(&self) -> impl Iterator<Item = Slot> {
        std::iter::successors(self.first, |slot| self.all[*slot].after)
    }

    fn ranks(&self) -> &[usize] {
        self.ranks.get_or_init(|| {
            let mut ranks = vec![0; self.all.len()];
            for (rank, slot) in self.iter().enumerate() {
                ranks[slot] = rank;
            }
            ranks
        })
    }
}
