//! Dictionaries.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use ecow::EcoVec;

use super::Value;
use super::table::{Entry, Table};
use crate::error::{Result, bail};
use crate::heap::{Heap, Tied};

/// A dictionary in the order of insertion, which can be changed until it is frozen.
#[derive(Default)]
pub struct Dict {
    live: Mutex<Table>,
    /// Set once, when a dictionary that is not tied is frozen; read without the lock from then on.
    settled: OnceLock<Table>,
    iterations: AtomicU32,
    is_frozen: AtomicBool,
    /// Whether the heap tracks it, because it may contain itself.
    is_tied: AtomicBool,
}

impl Dict {
    /// An empty dictionary.
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn read<T>(&self, look: impl FnOnce(&Table) -> T) -> T {
        match self.settled.get() {
            Some(table) => look(table),
            None => look(&self.lock()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the dictionary if that is allowed now; `verb` is for the error message. Values that
    /// are added must be [tied](Self::tie).
    fn change<T>(&self, verb: &'static str, change: impl FnOnce(&mut Table) -> T) -> Result<T> {
        if self.is_frozen.load(Ordering::Relaxed) {
            bail!("cannot {verb} frozen hash table");
        }
        if self.iterations.load(Ordering::Relaxed) > 0 {
            bail!("cannot {verb} hash table during iteration");
        }
        Ok(change(&mut self.lock()))
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.read(Table::len)
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of a key. Fails if the key cannot be hashed.
    pub fn get(&self, key: &Value) -> Result<Option<Value>> {
        self.read(|table| table.get(key).map(Option::<&Value>::cloned))
    }

    /// Returns whether the key exists. A value that cannot be hashed is never a key.
    pub(crate) fn contains(&self, key: &Value) -> bool {
        self.read(|table| table.get(key).is_ok_and(|found| found.is_some()))
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

    /// Drops the entries of a dictionary that is tied.
    pub(crate) fn empty(&self) {
        let table = std::mem::take(&mut *self.lock());
        drop(table);
    }

    /// All keys and values in order.
    pub fn items(&self) -> Vec<(Value, Value)> {
        self.read(|table| {
            let mut items = Vec::with_capacity(table.len());
            items.extend(table.iter().cloned());
            items
        })
    }

    /// Returns a copy of the keys, in the order of insertion.
    pub fn keys(&self) -> Vec<Value> {
        self.collect(|(key, _)| key.clone())
    }

    /// Returns a copy of the values, in the order of insertion.
    pub(crate) fn values(&self) -> Vec<Value> {
        self.collect(|(_, value)| value.clone())
    }

    fn collect(&self, part: impl Fn(&(Value, Value)) -> Value) -> Vec<Value> {
        self.read(|table| {
            let mut parts = Vec::with_capacity(table.len());
            parts.extend(table.iter().map(part));
            parts
        })
    }

    pub(crate) fn entries(&self) -> EcoVec<Entry> {
        self.read(|table| table.entries().clone())
    }

    /// Freezes the dictionary. Returns its entries if it was not frozen before.
    pub(crate) fn freeze(&self) -> Option<EcoVec<Entry>> {
        if self.is_frozen.swap(true, Ordering::Relaxed) {
            return None;
        }
        if self.is_tied() {
            return Some(self.lock().entries().clone());
        }
        let table = std::mem::take(&mut *self.lock());
        let entries = table.entries().clone();
        self.settled.set(table).is_ok().then_some(entries)
    }

    pub(crate) fn begin_iteration(&self) {
        self.iterations.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn end_iteration(&self) {
        self.iterations.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn take_nested(&mut self, out: &mut Vec<Value>) {
        let live = self.live.get_mut().unwrap_or_else(PoisonError::into_inner);
        live.take_nested(out);
        if let Some(settled) = self.settled.get_mut() {
            settled.take_nested(out);
        }
    }
}

impl From<Table> for Dict {
    fn from(table: Table) -> Self {
        let (settled, iterations, is_frozen, is_tied) = Default::default();
        Self { live: Mutex::new(table), settled, iterations, is_frozen, is_tied }
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
