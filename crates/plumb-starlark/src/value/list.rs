//! Lists.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use ecow::EcoVec;

use super::Value;
use crate::error::{Result, bail};

/// A list, which can be changed until it is frozen.
///
/// The elements are a shared vector: a reader gets a handle to it, and keeps no lock. A change
/// copies the elements if there is such a handle. The language forbids changes during iteration, so
/// in practice nothing is copied.
#[derive(Default)]
pub struct List {
    live: Mutex<EcoVec<Value>>,
    /// Set once, when the list is frozen; read without the lock from then on.
    frozen: OnceLock<EcoVec<Value>>,
    /// The number of iterations in progress.
    iterations: AtomicU32,
}

impl List {
    /// Returns the elements as they are now. Takes constant time.
    pub fn elements(&self) -> EcoVec<Value> {
        match self.frozen.get() {
            Some(elements) => elements.clone(),
            None => self.lock().clone(),
        }
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.read(EcoVec::len)
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a copy of an element, counted from 0. Returns `None` if there are not that many.
    pub fn get(&self, index: usize) -> Option<Value> {
        self.read(|elements| elements.get(index).cloned())
    }

    fn read<T>(&self, look: impl FnOnce(&EcoVec<Value>) -> T) -> T {
        match self.frozen.get() {
            Some(elements) => look(elements),
            None => look(&self.lock()),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, EcoVec<Value>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the list if that is allowed now; `verb` is for the error message.
    pub(crate) fn change<T>(
        &self,
        verb: &'static str,
        change: impl FnOnce(&mut EcoVec<Value>) -> T,
    ) -> Result<T> {
        self.check_mutable(verb)?;
        Ok(change(&mut self.lock()))
    }

    pub(crate) fn check_mutable(&self, verb: &'static str) -> Result<()> {
        if self.frozen.get().is_some() {
            bail!("cannot {verb} frozen list");
        }
        if self.iterations.load(Ordering::Relaxed) > 0 {
            bail!("cannot {verb} list during iteration");
        }
        Ok(())
    }

    /// Appends an element. Fails if the list is frozen or being iterated over.
    pub fn append(&self, value: Value) -> Result<()> {
        self.change("append to", |elements| elements.push(value))
    }

    /// Freezes the list. Returns its elements if it was not frozen before.
    pub(crate) fn freeze(&self) -> Option<EcoVec<Value>> {
        if self.frozen.get().is_some() {
            return None;
        }
        let elements = std::mem::take(&mut *self.lock());
        let handle = elements.clone();
        self.frozen.set(elements).is_ok().then_some(handle)
    }

    pub(crate) fn begin_iteration(&self) {
        self.iterations.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn end_iteration(&self) {
        self.iterations.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn take(&mut self) -> EcoVec<Value> {
        let live = self.live.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.frozen.take().unwrap_or_else(|| std::mem::take(live))
    }
}

impl From<EcoVec<Value>> for List {
    fn from(elements: EcoVec<Value>) -> Self {
        Self { live: Mutex::new(elements), frozen: OnceLock::new(), iterations: AtomicU32::new(0) }
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Self {
        Self::from(elements.into_iter().collect::<EcoVec<_>>())
    }
}
