//! The documents of several files, as one list that records the file of each document.

use plumb_value::Document;

use super::sequence::{Sequence, Storage};
use super::{Left, Side, Slot};
use crate::matcher::MatchKey;

pub(crate) struct DocumentsLeft {
    documents: Sequence<Vec<Document>>,
    /// For each slot, the number of the set that the document belongs to.
    set_of: Vec<usize>,
    n_sets: usize,
    /// The last slot of the first set. Documents that should replace a missing one are added there.
    end_of_first: Option<Slot>,
    is_exact: bool,
}

/// How the overlay selects documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Matched,
    /// There is exactly one document, which is always selected: for data values and schemas.
    Exact,
}

impl DocumentsLeft {
    pub(crate) fn open(sets: Vec<Vec<Document>>, choice: Choice) -> Self {
        let n_sets = sets.len();
        let end_of_first = sets.first().and_then(|set| set.len().checked_sub(1));
        let numbered = sets.iter().enumerate();
        let set_of = numbered.flat_map(|(at, set)| std::iter::repeat_n(at, set.len())).collect();
        let documents = Sequence::open(sets.into_iter().flatten().collect());
        Self { documents, set_of, n_sets, end_of_first, is_exact: choice == Choice::Exact }
    }

    pub(crate) fn close(self) -> Vec<Vec<Document>> {
        let slots = self.documents.slots();
        let mut sets: Vec<Vec<Document>> = vec![Vec::new(); self.n_sets];
        for (slot, document) in slots.into_iter().zip(self.documents.close()) {
            sets[self.set_of[slot]].push(document);
        }
        sets
    }

    fn insert_into(&mut self, set: usize, before: Option<Slot>, document: Document) -> Slot {
        let slot = self.documents.insert_after(before, document);
        self.set_of.push(set);
        if set == 0 && before == self.end_of_first {
            self.end_of_first = Some(slot);
        }
        slot
    }
}

impl Left for DocumentsLeft {
    type Item = Document;

    fn item(&self, slot: Slot) -> &Document {
        self.documents.item(slot)
    }

    fn item_mut(&mut self, slot: Slot) -> &mut Document {
        self.documents.item_mut(slot)
    }

    fn n_slots(&self) -> usize {
        self.documents.n_slots()
    }

    fn slots(&self) -> Vec<Slot> {
        self.documents.slots()
    }

    fn sort(&self, slots: &mut [Slot]) {
        self.documents.sort(slots);
    }

    fn place(&self, slot: Slot) -> MatchKey<'_> {
        MatchKey::Position(&self.documents, slot)
    }

    fn at(&self, position: usize) -> Option<Slot> {
        self.documents.at(position)
    }

    fn with_key_of(&self, _right: &Document) -> Option<Slot> {
        None
    }

    fn given(&self) -> Option<Slot> {
        self.is_exact.then_some(0)
    }

    fn replace(&mut self, slot: Slot, document: Document) {
        *self.documents.item_mut(slot) = document;
    }

    fn remove(&mut self, slot: Slot) {
        self.documents.remove(slot);
    }

    /// Appends to the last file.
    fn append(&mut self, document: Document) -> Option<Slot> {
        let last_set = self.n_sets.checked_sub(1)?;
        let last = self.documents.last();
        Some(self.insert_into(last_set, last, document))
    }

    /// Appends to the first file.
    fn add(&mut self, document: Document) -> Option<Slot> {
        (self.n_sets > 0).then(|| self.insert_into(0, self.end_of_first, document))
    }

    fn insert(&mut self, side: Side, beside: Slot, document: Document) -> Option<Slot> {
        let slot = self.documents.insert(side, beside, document);
        self.set_of.push(self.set_of[beside]);
        if side == Side::After && self.end_of_first == Some(beside) {
            self.end_of_first = Some(slot);
        }
        Some(slot)
    }
}

impl Storage for Vec<Document> {
    type Item = Document;

    fn items(&self) -> &[Document] {
        self
    }

    fn items_mut(&mut self) -> &mut Self {
        self
    }
}
