//! Dictionaries.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use ecow::EcoVec;

use super::Value;
use super::table::{Entry, Table};
use crate::error::{Result, bail};

/// A dictionary in the order of insertion, which can be changed until it is frozen.
#[derive(Default)]
pub struct Dict {
    live: Mutex<Table>,
    /// Set once, when the dictionary is frozen; read without the lock from then on.
    frozen: OnceLock<Table>,
    iterations: AtomicU32,
}

impl Dict {
    /// An empty dictionary.
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn read<T>(&self, look: impl FnOnce(&Table) -> T) -> T {
        match self.frozen.get() {
            Some(table) => look(table),
            None => look(&self.lock()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn change<T>(
        &self,
        verb: &'static str,
        change: impl FnOnce(&mut Table) -> T,
    ) -> Result<T> {
        if self.frozen.get().is_some() {
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

    /// Sets the value of a key. Returns whether the key is new.
    pub fn insert(&self, key: Value, value: Value) -> Result<bool> {
        self.change("insert into", |table| table.insert(key, value))?
    }

    /// All keys and values in order.
    pub fn items(&self) -> Vec<(Value, Value)> {
        self.read(|table| table.iter().cloned().collect())
    }

    /// Returns a copy of the keys, in the order of insertion.
    pub fn keys(&self) -> Vec<Value> {
        self.read(|table| table.iter().map(|(key, _)| key.clone()).collect())
    }

    pub(crate) fn entries(&self) -> EcoVec<Entry> {
        self.read(|table| table.entries().clone())
    }

    /// Freezes the dictionary. Returns its entries if it was not frozen before.
    pub(crate) fn freeze(&self) -> Option<EcoVec<Entry>> {
        if self.frozen.get().is_some() {
            return None;
        }
        let table = std::mem::take(&mut *self.lock());
        let entries = table.entries().clone();
        self.frozen.set(table).is_ok().then_some(entries)
    }

    pub(crate) fn begin_iteration(&self) {
        self.iterations.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn end_iteration(&self) {
        self.iterations.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn take_values(&mut self, out: &mut Vec<Value>) {
        let live = self.live.get_mut().unwrap_or_else(PoisonError::into_inner);
        live.take_values(out);
        if let Some(frozen) = self.frozen.get_mut() {
            frozen.take_values(out);
        }
    }
}

impl From<Table> for Dict {
    fn from(table: Table) -> Self {
        Self { live: Mutex::new(table), frozen: OnceLock::new(), iterations: AtomicU32::new(0) }
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
