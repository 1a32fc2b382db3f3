//! The hash table under dictionaries and sets: keys in the order of their first insertion.
//!
//! Entries are a shared vector, so that a loop over a dictionary does not copy it. A removed entry
//! leaves a gap; gaps are closed when there are as many gaps as entries. Up to [`SMALL`] entries
//! are found by linear search, which is faster than hashing.

use ecow::EcoVec;
use hashbrown::HashTable;

use super::Value;
use super::compare;
use crate::error::Result;

const SMALL: usize = 8;

#[derive(Clone, Default)]
pub(crate) struct Table {
    entries: EcoVec<Entry>,
    /// Positions in `entries` by hash, unless there are few of them. Most dictionaries are small,
    /// so this is a single pointer.
    positions: Option<Box<HashTable<u32>>>,
    /// The number of entries that are gaps.
    gaps: u32,
    /// All entries before this position are gaps.
    first: u32,
}

#[derive(Clone)]
pub(crate) struct Entry {
    hash: u64,
    /// The key and its value; `None` is a gap.
    pair: Option<(Value, Value)>,
}

impl Entry {
    pub(crate) fn pair(&self) -> Option<&(Value, Value)> {
        self.pair.as_ref()
    }

    fn has_key(&self, key: &Value) -> Result<bool> {
        match &self.pair {
            Some((found, _)) => compare::equals(key, found),
            None => Ok(false),
        }
    }
}

impl Table {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { entries: EcoVec::with_capacity(capacity), ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len() - self.gaps as usize
    }

    fn first(&self) -> usize {
        self.first as usize
    }

    /// Returns the entries, including gaps.
    pub(crate) fn entries(&self) -> &EcoVec<Entry> {
        &self.entries
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(Value, Value)> {
        self.entries[self.first()..].iter().filter_map(Entry::pair)
    }

    pub(crate) fn get(&self, key: &Value) -> Result<Option<&Value>> {
        let at = self.find(key.hash()?, key)?;
        Ok(at.and_then(|at| self.entries[at].pair()).map(|(_, value)| value))
    }

    fn find(&self, hash: u64, key: &Value) -> Result<Option<usize>> {
        let Some(positions) = &self.positions else {
            for (at, entry) in self.entries.iter().enumerate().skip(self.first()) {
                if entry.hash == hash && entry.has_key(key)? {
                    return Ok(Some(at));
                }
            }
            return Ok(None);
        };
        let mut failed = Ok(());
        let found = positions.find(hash, |&at| {
            let entry = &self.entries[at as usize];
            entry.hash == hash
                && entry.has_key(key).unwrap_or_else(|error| {
                    failed = Err(error);
                    true
                })
        });
        failed?;
        Ok(found.map(|&at| at as usize))
    }

    /// Sets the value of a key. Returns whether the key is new.
    pub(crate) fn insert(&mut self, key: Value, value: Value) -> Result<bool> {
        let hash = key.hash()?;
        if let Some(at) = self.find(hash, &key)? {
            if let Some((_, old)) = &mut self.entries.make_mut()[at].pair {
                *old = value;
            }
            return Ok(false);
        }
        self.entries.push(Entry { hash, pair: Some((key, value)) });
        if let Some(positions) = &mut self.positions {
            let (at, entries) = (position(self.entries.len() - 1), &self.entries);
            positions.insert_unique(hash, at, |&at| entries[at as usize].hash);
        } else if self.entries.len() > SMALL {
            self.rebuild();
        }
        Ok(true)
    }

    /// Closes all gaps and rebuilds the positions.
    fn rebuild(&mut self) {
        if self.gaps > 0 {
            self.entries.retain(|entry| entry.pair.is_some());
        }
        (self.gaps, self.first) = (0, 0);
        let positions = self.positions.take();
        if self.entries.len() <= SMALL {
            return;
        }
        let mut positions = positions.unwrap_or_default();
        positions.clear();
        let entries = &self.entries;
        for (at, entry) in entries.iter().enumerate() {
            positions.insert_unique(entry.hash, position(at), |&at| entries[at as usize].hash);
        }
        self.positions = Some(positions);
    }

    pub(crate) fn remove(&mut self, key: &Value) -> Result<Option<Value>> {
        if self.entries.is_empty() {
            return Ok(None);
        }
        let hash = key.hash()?;
        let found = self.find(hash, key)?;
        Ok(found.and_then(|at| self.remove_at(at)).map(|(_, value)| value))
    }

    pub(crate) fn remove_first(&mut self) -> Option<(Value, Value)> {
        let at = (self.first()..self.entries.len()).find(|&at| self.entries[at].pair.is_some())?;
        self.remove_at(at)
    }

    fn remove_at(&mut self, at: usize) -> Option<(Value, Value)> {
        let hash = self.entries[at].hash;
        let pair = self.entries.make_mut()[at].pair.take()?;
        self.gaps += 1;
        if let Some(positions) = &mut self.positions
            && let Ok(position) = positions.find_entry(hash, |&it| it as usize == at)
        {
            position.remove();
        }
        while self.entries.get(self.first()).is_some_and(|entry| entry.pair.is_none()) {
            self.first += 1;
        }
        if self.entries.len() > SMALL && self.len() * 2 < self.entries.len() {
            self.rebuild();
        }
        Some(pair)
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Moves out the keys and values that contain others, if nothing else refers to the entries.
    pub(crate) fn take_nested(&mut self, out: &mut Vec<Value>) {
        if self.entries.is_unique() {
            let pairs = self.entries.make_mut().iter_mut().filter_map(|it| it.pair.as_mut());
            for (key, value) in pairs {
                key.take_nested(out);
                value.take_nested(out);
            }
        }
    }
}

fn position(at: usize) -> u32 {
    u32::try_from(at).expect("the memory limit is met before 2^32 entries")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(table: &Table) -> Vec<i64> {
        let as_int = |(key, _): &(Value, Value)| match key {
            Value::Int(it) => *it,
            _ => -1,
        };
        table.iter().map(as_int).collect()
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
