//! The hash table under dictionaries and sets: keys in the order of their first insertion.
//!
//! Entries are a shared vector, so that a loop over a dictionary does not copy it. Most dictionaries
//! have few entries with short keys. These are found by comparing keys one by one, which takes less
//! time than to hash one. All others have an [`Index`].

use ecow::EcoVec;
use hashbrown::hash_table::{self, HashTable};

use super::Value;
use super::compare;
use crate::error::Result;

/// The maximum length of a text that is a key without an index.
const SHORT: usize = 64;

#[derive(Clone, Default)]
pub(crate) struct Table {
    /// Without an index, there are no gaps, and every key is [short](Table::is_short).
    entries: EcoVec<Entry>,
    index: Option<Box<Index>>,
}

/// Finds entries by the hash of their key.
///
/// A removed entry leaves a gap. Gaps are closed when there are as many gaps as entries.
#[derive(Clone, Default)]
struct Index {
    positions: HashTable<Position>,
    /// Entries that are gaps.
    gaps: u32,
    /// All entries before this position are gaps.
    first: u32,
}

#[derive(Clone, Copy)]
struct Position {
    /// In the entries.
    at: u32,
    /// The lower half of the key's hash.
    hash: u32,
}

/// The key and its value; `None` is a gap.
#[derive(Clone)]
pub(crate) struct Entry(Option<(Value, Value)>);

impl Entry {
    pub(crate) fn pair(&self) -> Option<&(Value, Value)> {
        self.0.as_ref()
    }

    fn has_key(&self, key: &Value) -> Result<bool> {
        match &self.0 {
            Some((found, _)) => compare::equals(key, found),
            None => Ok(false),
        }
    }
}

impl Position {
    fn new(at: usize, hash: u64) -> Self {
        let at = u32::try_from(at).expect("the memory limit is met before 2^32 entries");
        #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
        Self { at, hash: hash as u32 }
    }

    /// Returns the hash that the position is found by: the table uses bits from both ends of it.
    fn spread(self) -> u64 {
        u64::from(self.hash) << 32 | u64::from(self.hash)
    }
}

impl Index {
    fn find(&self, entries: &[Entry], hash: u64, key: &Value) -> Result<Option<usize>> {
        let wanted = Position::new(0, hash);
        let mut failed = Ok(());
        let found = self.positions.find(wanted.spread(), |it| {
            it.hash == wanted.hash
                && entries[it.at as usize].has_key(key).unwrap_or_else(|error| {
                    failed = Err(error);
                    true
                })
        });
        failed?;
        Ok(found.map(|it| it.at as usize))
    }

    /// Returns the position of a key. If there is none, the key will be the next entry.
    fn find_or_insert(
        &mut self,
        entries: &[Entry],
        hash: u64,
        key: &Value,
    ) -> Result<Option<usize>> {
        let wanted = Position::new(entries.len(), hash);
        let mut failed = Ok(());
        let is_key = |it: &Position| {
            it.hash == wanted.hash
                && entries[it.at as usize].has_key(key).unwrap_or_else(|error| {
                    failed = Err(error);
                    true
                })
        };
        let found = match self.positions.entry(wanted.spread(), is_key, |it| it.spread()) {
            hash_table::Entry::Occupied(found) => Some(found.get().at as usize),
            hash_table::Entry::Vacant(place) => {
                place.insert(wanted);
                None
            }
        };
        failed.map(|()| found)
    }

    fn insert(&mut self, at: usize, hash: u64) {
        let position = Position::new(at, hash);
        self.positions.insert_unique(position.spread(), position, |it| it.spread());
    }
}

impl Table {
    /// The maximum number of entries without an index.
    pub(crate) const SMALL: usize = 8;

    /// A table of at most [`SMALL`](Self::SMALL) entries. The keys are different and
    /// [short](Self::is_short). It has space for one more entry.
    pub(crate) fn of_known(pairs: impl ExactSizeIterator<Item = (Value, Value)>) -> Self {
        let mut entries = EcoVec::with_capacity(pairs.len() + 1);
        entries.extend(pairs.map(|pair| Entry(Some(pair))));
        Self { entries, index: None }
    }

    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { entries: EcoVec::with_capacity(capacity), index: None }
    }

    /// Allocates memory for the entries of an empty table.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.entries.reserve(count);
        if count > Self::SMALL && self.entries.is_empty() {
            let positions = HashTable::with_capacity(count);
            self.index = Some(Box::new(Index { positions, ..Index::default() }));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len() - self.index.as_ref().map_or(0, |it| it.gaps as usize)
    }

    /// Returns the entries, including gaps.
    pub(crate) fn entries(&self) -> &EcoVec<Entry> {
        &self.entries
    }

    pub(crate) fn get(&self, key: &Value) -> Result<Option<&Value>> {
        let at = match &self.index {
            Some(index) => index.find(&self.entries, key.hash()?, key)?,
            None => self.find_small(key)?,
        };
        Ok(at.and_then(|at| self.entries[at].pair()).map(|(_, value)| value))
    }

    /// Finds a key in a table without an index.
    fn find_small(&self, key: &Value) -> Result<Option<usize>> {
        if !matches!(key, Value::String(_) | Value::Int(_)) {
            // It may equal an integer. Fails if it cannot be a key.
            key.hash()?;
        }
        for (at, entry) in self.entries.iter().enumerate() {
            if entry.has_key(key)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Sets the value of a key. Returns whether the key is new.
    pub(crate) fn insert(&mut self, key: Value, value: Value) -> Result<bool> {
        let Some(index) = &mut self.index else { return self.insert_small(key, value) };
        match index.find_or_insert(&self.entries, key.hash()?, &key)? {
            Some(at) => self.replace(at, value),
            None => {
                self.entries.push(Entry(Some((key, value))));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Like [`insert`](Self::insert), in a table without an index.
    fn insert_small(&mut self, key: Value, value: Value) -> Result<bool> {
        if let Some(at) = self.find_small(&key)? {
            self.replace(at, value);
            return Ok(false);
        }
        if self.entries.len() == Self::SMALL || !Self::is_short(&key) {
            let mut index = Index::default();
            for (at, entry) in self.entries.iter().enumerate() {
                if let Some((key, _)) = entry.pair() {
                    index.insert(at, key.hash()?);
                }
            }
            index.insert(self.entries.len(), key.hash()?);
            self.index = Some(Box::new(index));
        }
        self.entries.push(Entry(Some((key, value))));
        Ok(true)
    }

    fn replace(&mut self, at: usize, value: Value) {
        if let Some((_, old)) = &mut self.entries.make_mut()[at].0 {
            *old = value;
        }
    }

    pub(crate) fn remove(&mut self, key: &Value) -> Result<Option<Value>> {
        if self.entries.is_empty() {
            return Ok(None);
        }
        let Some(index) = &self.index else {
            let at = self.find_small(key)?;
            let removed = at.and_then(|at| self.entries.remove(at).0);
            return Ok(removed.map(|(_, value)| value));
        };
        let hash = key.hash()?;
        let found = index.find(&self.entries, hash, key)?;
        Ok(found.and_then(|at| self.remove_at(at, hash)).map(|(_, value)| value))
    }

    pub(crate) fn remove_first(&mut self) -> Option<(Value, Value)> {
        let Some(index) = &self.index else {
            return (!self.entries.is_empty()).then(|| self.entries.remove(0).0)?;
        };
        let first = index.first as usize;
        let at = (first..self.entries.len()).find(|&at| self.entries[at].pair().is_some())?;
        let hash = self.entries[at].pair()?.0.hash().ok()?;
        self.remove_at(at, hash)
    }

    /// Removes an entry of a table with an index.
    fn remove_at(&mut self, at: usize, hash: u64) -> Option<(Value, Value)> {
        let index = self.index.as_mut()?;
        let position = Position::new(at, hash);
        if let Ok(found) = index.positions.find_entry(position.spread(), |it| it.at == position.at)
        {
            found.remove();
        }
        let pair = self.entries.make_mut()[at].0.take()?;
        index.gaps += 1;
        while self.entries.get(index.first as usize).is_some_and(|it| it.pair().is_none()) {
            index.first += 1;
        }
        if self.entries.len() > Self::SMALL && self.len() * 2 < self.entries.len() {
            self.close_gaps();
        }
        Some(pair)
    }

    fn close_gaps(&mut self) {
        let Some(index) = &mut self.index else { return };
        let mut hashes = vec![0; self.entries.len()];
        for position in &index.positions {
            hashes[position.at as usize] = position.hash;
        }
        index.positions.clear();
        let kept = self.entries.iter().zip(hashes).filter(|(entry, _)| entry.pair().is_some());
        for (at, (_, hash)) in kept.enumerate() {
            index.insert(at, u64::from(hash));
        }
        (index.gaps, index.first) = (0, 0);
        self.entries.retain(|entry| entry.pair().is_some());
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Moves out the keys and values that contain others, if nothing else refers to the entries.
    pub(crate) fn take_nested(&mut self, out: &mut Vec<Value>) {
        let nests = |(key, value): &(Value, Value)| key.nests() || value.nests();
        if self.entries.iter().filter_map(Entry::pair).any(nests) && self.entries.is_unique() {
            let pairs = self.entries.make_mut().iter_mut().filter_map(|it| it.0.as_mut());
            for (key, value) in pairs {
                key.take_nested(out);
                value.take_nested(out);
            }
        }
    }

    /// Returns whether comparing a key takes little time and cannot fail.
    pub(crate) fn is_short(key: &Value) -> bool {
        match key {
            Value::Int(_) => true,
            Value::String(text) => text.len() <= SHORT,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(table: &Table) -> Vec<i64> {
        let as_int = |(key, _): &(Value, Value)| match key {
            Value::Int(it) => *it,
            _ => -1,
        };
        table.entries.iter().filter_map(Entry::pair).map(as_int).collect()
    }

    #[test]
    fn order_is_that_of_first_insertion_through_removals() {
        let mut table = Table::default();
        for number in 0..20 {
            assert!(table.insert(Value::Int(number), Value::None).expect("hashable"));
        }
        for number in 0..15 {
            assert!(table.remove(&Value::Int(number)).expect("hashable").is_some());
        }
        assert!(!table.insert(Value::Int(17), Value::Bool(true)).expect("hashable"));
        assert!(table.insert(Value::Int(3), Value::None).expect("hashable"));
        assert_eq!(keys(&table), [15, 16, 17, 18, 19, 3]);
        assert_eq!(table.len(), 6);
        assert!(matches!(table.get(&Value::Int(17)), Ok(Some(Value::Bool(true)))));
        assert!(matches!(table.get(&Value::Int(2)), Ok(None)));
    }

    #[test]
    fn keys_that_are_equal_are_one_key_in_small_and_large_tables() {
        let texts = || ["", "a", "b"].map(Value::from).into_iter();
        let others = [Value::Float(1.0), Value::Bool(true), Value::tuple([Value::Int(1)])];
        for n_more in [0, 3, 10] {
            let mut table = Table::default();
            let long = Value::from("x".repeat(SHORT + 1));
            let keys = texts().chain((0..n_more).map(Value::Int)).chain([long]);
            let keys: Vec<Value> = keys.chain(others.clone().into_iter().skip(1)).collect();
            for key in &keys {
                assert!(table.insert(key.clone(), Value::None).expect("hashable"), "{key:?}");
                assert!(!table.insert(key.clone(), Value::None).expect("hashable"), "{key:?}");
            }
            let is_one = table.get(&others[0]).expect("hashable").is_some();
            assert_eq!(is_one, n_more > 1, "1.0 is the integer");
            assert!(table.get(&Value::list([])).is_err(), "a list is not a key");
            for key in &keys {
                assert!(table.remove(key).expect("hashable").is_some(), "{key:?}");
                assert!(table.get(key).expect("hashable").is_none(), "{key:?}");
            }
            assert_eq!(table.len(), 0);
        }
    }

    #[test]
    fn taking_the_first_entry_over_and_over_is_not_quadratic() {
        let mut table = Table::default();
        for number in 0..100_000 {
            table.insert(Value::Int(number), Value::None).expect("hashable");
        }
        for number in 0..100_000 {
            let first = table.remove_first();
            assert!(matches!(first, Some((Value::Int(found), _)) if found == number));
        }
        assert_eq!(table.len(), 0);
    }
}
