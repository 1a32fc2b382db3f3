//! Dictionaries.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use ecow::EcoVec;

use super::Value;
use super::literal::Literal;
use super::table::{Entry, Table};
use crate::error::{Error, Result};
use crate::heap::{Heap, Tied};
use crate::value_error::ValueError;

/// A dictionary in the order of insertion, which can be changed until it is frozen.
///
/// Many dictionaries are written as literals with small values, and are never changed. These are small,
/// and are read without a lock.
#[derive(Default)]
pub struct Dict {
    /// The entries until the first change. They stay in memory afterwards.
    literal: Literal,
    /// The entries from the first change on.
    changed: OnceLock<Box<Changed>>,
    iterations: AtomicU32,
    is_frozen: AtomicBool,
    /// Whether the heap tracks it, because it may contain itself.
    is_tied: AtomicBool,
}

pub(crate) struct Changed {
    live: Mutex<Table>,
    /// Set once, when a dictionary that is not tied is frozen; read without the lock from then on.
    settled: OnceLock<Table>,
}

/// The entries of a dictionary as they were when it was read.
pub(crate) enum Entries {
    Literal(Literal),
    Table(EcoVec<Entry>),
}

impl Entries {
    /// Returns the number of positions, including those of removed entries.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Literal(literal) => literal.len(),
            Self::Table(entries) => entries.len(),
        }
    }

    /// Returns the entry at a position, or `None` if it was removed.
    pub(crate) fn pair(&self, at: usize) -> Option<(&Value, &Value)> {
        match self {
            Self::Literal(literal) => literal.pair(at),
            Self::Table(entries) => entries.get(at)?.pair().map(|(key, value)| (key, value)),
        }
    }

    /// Returns all keys and values.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Value, &Value)> {
        (0..self.len()).filter_map(|at| self.pair(at))
    }
}

impl Changed {
    fn read<T>(&self, look: impl FnOnce(&Table) -> T) -> T {
        match self.settled.get() {
            Some(table) => look(table),
            None => look(&self.lock()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<Table> for Changed {
    fn from(table: Table) -> Self {
        Self { live: Mutex::new(table), settled: OnceLock::new() }
    }
}

impl Dict {
    /// An empty dictionary.
    pub fn new() -> Self {
        Self::default()
    }

    /// Changes the dictionary if that is allowed now; `verb` is for the error message. If values that
    /// contain others are added, the caller must [tie](Heap::tie) it.
    fn change<T>(&self, verb: &'static str, change: impl FnOnce(&mut Table) -> T) -> Result<T> {
        self.check_change(verb)?;
        let changed = self.changed.get_or_init(|| Box::new(Changed::from(self.literal.table())));
        Ok(change(&mut changed.lock()))
    }

    /// Fails if the dictionary cannot be changed now.
    fn check_change(&self, verb: &'static str) -> Result<()> {
        let unchangeable =
            |is_in_loop| ValueError::Unchangeable { verb, is_list: false, is_in_loop };
        if self.is_frozen.load(Ordering::Relaxed) {
            return Err(Error::new(unchangeable(false)));
        }
        if self.iterations.load(Ordering::Relaxed) > 0 {
            return Err(Error::new(unchangeable(true)));
        }
        Ok(())
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        match self.changed.get() {
            None => self.literal.len(),
            Some(changed) => changed.read(Table::len),
        }
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of a key. Fails if the key cannot be hashed.
    pub fn get(&self, key: &Value) -> Result<Option<Value>> {
        self.look_up(key, |found| found.map(Value::clone_element))
    }

    /// Returns whether the key exists. A value that cannot be hashed is never a key.
    pub(crate) fn contains(&self, key: &Value) -> bool {
        self.look_up(key, |found| found.is_some()).unwrap_or(false)
    }

    /// Passes the value of a key on, without a copy. Fails if the key cannot be hashed.
    #[inline]
    pub(crate) fn look_up<T>(
        &self,
        key: &Value,
        look: impl FnOnce(Option<&Value>) -> T,
    ) -> Result<T> {
        match self.changed.get() {
            None => self.literal.get(key).map(look),
            Some(changed) => changed.read(|table| table.get(key).map(look)),
        }
    }

    /// Sets the value of a key. Returns whether the key is new.
    pub(crate) fn insert(self: &Arc<Self>, heap: &Heap, key: Value, value: Value) -> Result<bool> {
        if (key.nests() || value.nests()) && self.begins_to_nest() {
            heap.tie(Tied::Dict(Arc::downgrade(self)));
        }
        self.change("insert into", |table| table.insert(key, value))?
    }

    /// Sets the value of a key in a dictionary that the program cannot see yet: neither of them can
    /// contain it. Returns whether the key is new.
    pub(crate) fn build(&self, key: Value, value: Value) -> Result<bool> {
        self.change("insert into", |table| table.insert(key, value))?
    }

    /// Removes a key, and returns its value.
    pub(crate) fn remove(&self, key: &Value) -> Result<Option<Value>> {
        self.check_change("delete from")?;
        if !self.is_changed() && self.literal.get(key)?.is_none() {
            return Ok(None);
        }
        self.change("delete from", |table| table.remove(key))?
    }

    /// Removes the first key and its value.
    pub(crate) fn remove_first(&self) -> Result<Option<(Value, Value)>> {
        self.change("delete from", Table::remove_first)
    }

    /// Removes all keys.
    pub(crate) fn clear(&self) -> Result<()> {
        self.change("clear", Table::clear)
    }

    /// Marks that it may contain itself. Returns whether this is new: the caller must then tie it.
    pub(crate) fn begins_to_nest(&self) -> bool {
        !self.is_tied.swap(true, Ordering::Relaxed)
    }

    /// Returns whether it may contain itself.
    pub(crate) fn is_tied(&self) -> bool {
        self.is_tied.load(Ordering::Relaxed)
    }

    /// Drops the entries of a dictionary that is tied. One that was not changed is not part of a cycle.
    pub(crate) fn empty(&self) {
        if let Some(changed) = self.changed.get() {
            let table = std::mem::take(&mut *changed.lock());
            drop(table);
        }
    }

    /// All keys and values in order.
    pub fn items(&self) -> Vec<(Value, Value)> {
        self.collect(|key, value| (key.clone(), value.clone()))
    }

    /// Returns a copy of the keys, in the order of insertion.
    pub fn keys(&self) -> Vec<Value> {
        self.collect(|key, _| key.clone())
    }

    /// Returns a copy of the values, in the order of insertion.
    pub(crate) fn values(&self) -> Vec<Value> {
        self.collect(|_, value| value.clone())
    }

    fn collect<T>(&self, part: impl Fn(&Value, &Value) -> T) -> Vec<T> {
        let entries = self.entries();
        let mut parts = Vec::with_capacity(self.len());
        parts.extend(entries.pairs().map(|(key, value)| part(key, value)));
        parts
    }

    pub(crate) fn entries(&self) -> Entries {
        match self.changed.get() {
            None => Entries::Literal(self.literal.clone()),
            Some(changed) => changed.read(|table| Entries::Table(table.entries().clone())),
        }
    }

    /// Returns whether the dictionary is no longer what a literal created.
    pub(crate) fn is_changed(&self) -> bool {
        self.changed.get().is_some()
    }

    /// Returns the values of the literal that created the dictionary. A dictionary that was changed
    /// has copies of them, or others.
    pub(crate) fn first_values(&self) -> &EcoVec<Value> {
        self.literal.values()
    }

    /// Freezes the dictionary. Returns its entries if it was not frozen before.
    pub(crate) fn freeze(&self) -> Option<Entries> {
        if self.is_frozen.swap(true, Ordering::Relaxed) {
            return None;
        }
        if let Some(changed) = self.changed.get()
            && !self.is_tied()
        {
            let table = std::mem::take(&mut *changed.lock());
            changed.settled.set(table).ok()?;
        }
        Some(self.entries())
    }

    pub(crate) fn begin_iteration(&self) {
        self.iterations.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn end_iteration(&self) {
        self.iterations.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn take_nested(&mut self, out: &mut Vec<Value>) {
        if let Some(Changed { live, settled }) = self.changed.get_mut().map(|it| &mut **it) {
            live.get_mut().unwrap_or_else(PoisonError::into_inner).take_nested(out);
            if let Some(settled) = settled.get_mut() {
                settled.take_nested(out);
            }
        }
    }
}

impl From<Literal> for Dict {
    fn from(literal: Literal) -> Self {
        let (changed, iterations, is_frozen, is_tied) = Default::default();
        Self { literal, changed, iterations, is_frozen, is_tied }
    }
}

impl From<Table> for Dict {
    fn from(table: Table) -> Self {
        let (literal, iterations, is_frozen, is_tied) = Default::default();
        let changed = OnceLock::from(Box::new(Changed::from(table)));
        Self { literal, changed, iterations, is_frozen, is_tied }
    }
}

impl Dict {
    /// A dictionary of these keys and values. Fails if a key cannot be hashed.
    pub fn from_items(items: impl IntoIterator<Item = (Value, Value)>) -> Result<Self> {
        let items = items.into_iter();
        let mut table = Table::with_capacity(items.size_hint().0);
        for (key, value) in items {
            table.insert(key, value)?;
        }
        Ok(Self::from(table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::literal::KnownKeys;

    #[test]
    fn a_literal_can_be_changed_until_it_is_frozen() {
        let keys = ["a", "b"].map(Value::from).into_iter().collect();
        let keys = Arc::new(KnownKeys::new(keys).expect("different and short"));
        let values = || [Value::Int(1), Value::Int(2)].into_iter();
        let (same, dict) = [(); 2].map(|()| Dict::from(Literal::new(&keys, values()))).into();
        let shown = |dict: &Dict| format!("{:?}", dict.items());

        assert!(dict.get(&Value::list([])).is_err(), "a list is not a key");
        assert!(dict.get(&Value::Int(1)).expect("it can be a key").is_none());
        assert!(!dict.build("b".into(), Value::Int(3)).expect("not frozen"));
        assert!(dict.build("c".into(), Value::None).expect("not frozen"));
        assert!(dict.remove(&"a".into()).expect("not frozen").is_some());
        assert_eq!(shown(&dict), r#"[("b", 3), ("c", None)]"#);
        assert_eq!(shown(&same), r#"[("a", 1), ("b", 2)]"#);

        for dict in [same, dict] {
            let before = shown(&dict);
            assert!(dict.freeze().is_some());
            assert!(dict.freeze().is_none(), "it is frozen already");
            assert!(dict.build("d".into(), Value::None).is_err());
            assert_eq!(shown(&dict), before);
        }
    }

    #[test]
    fn a_dictionary_and_its_counters_are_64_bytes() {
        assert_eq!(size_of::<Dict>() + 2 * size_of::<usize>(), 64);
    }
}
