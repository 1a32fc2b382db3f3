//! Lists.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ecow::EcoVec;

use super::Value;
use crate::error::{Error, Result};
use crate::heap::{Heap, Tied};
use crate::value_error::ValueError;

/// A list, which can be changed until it is frozen.
///
/// The elements are a shared vector: a reader gets a handle to it, without holding a lock. A change
/// copies the elements if such a handle exists. The language forbids changes during iteration, so
/// in practice nothing is copied.
#[derive(Default)]
pub struct List {
    live: Mutex<EcoVec<Value>>,
    /// Set once, when a list that is not tied is frozen; read without the lock from then on.
    settled: OnceLock<EcoVec<Value>>,
    /// The number of iterations in progress.
    iterations: AtomicU32,
    is_frozen: AtomicBool,
    /// Whether the heap tracks it, because it may contain itself.
    is_tied: AtomicBool,
}

impl List {
    /// Returns the elements as they are now. Takes constant time.
    pub fn elements(&self) -> EcoVec<Value> {
        match self.settled.get() {
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

    pub(crate) fn read<T>(&self, look: impl FnOnce(&EcoVec<Value>) -> T) -> T {
        match self.settled.get() {
            Some(elements) => look(elements),
            None => look(&self.lock()),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, EcoVec<Value>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the list if that is allowed now; `verb` is for the error message. Values that are
    /// added must be [tied](Self::tie).
    fn change<T>(
        &self,
        verb: &'static str,
        change: impl FnOnce(&mut EcoVec<Value>) -> T,
    ) -> Result<T> {
        self.check_mutable(verb)?;
        Ok(change(&mut self.lock()))
    }

    pub(crate) fn check_mutable(&self, verb: &'static str) -> Result<()> {
        let unchangeable =
            |is_in_loop| ValueError::Unchangeable { verb, is_list: true, is_in_loop };
        if self.is_frozen.load(Ordering::Relaxed) {
            return Err(Error::new(unchangeable(false)));
        }
        if self.iterations.load(Ordering::Relaxed) > 0 {
            return Err(Error::new(unchangeable(true)));
        }
        Ok(())
    }

    /// Appends an element. Fails if the list is frozen or being iterated over.
    pub(crate) fn append(self: &Arc<Self>, heap: &Heap, value: Value) -> Result<()> {
        self.tie(heap, value.nests());
        self.change("append to", |elements| elements.push(value))
    }

    /// Appends elements to a list that the program cannot see yet: they cannot contain it.
    pub(crate) fn build(&self, values: impl IntoIterator<Item = Value>) -> Result<()> {
        self.change("extend", |elements| elements.extend(values))
    }

    /// Inserts an element. A negative index counts from the end.
    pub(crate) fn insert(self: &Arc<Self>, heap: &Heap, at: i64, value: Value) -> Result<()> {
        self.tie(heap, value.nests());
        self.change("insert into", |elements| {
            let len = i64::try_from(elements.len()).unwrap_or(i64::MAX);
            let at = if at < 0 { at + len } else { at }.clamp(0, len);
            elements.insert(usize::try_from(at).unwrap_or(0), value);
        })
    }

    /// Replaces an element, if there is one at the index.
    pub(crate) fn replace(self: &Arc<Self>, heap: &Heap, at: usize, value: Value) -> Result<()> {
        self.tie(heap, value.nests());
        self.change("assign to element of", |elements| {
            if let Some(element) = elements.make_mut().get_mut(at) {
                *element = value;
            }
        })
    }

    /// Replaces an element by a value that contains no others, if the list can be changed now and
    /// has an element at the index. Returns the value otherwise. It locks the list only once.
    #[inline]
    pub(crate) fn replace_simply(&self, at: usize, value: Value) -> Option<Value> {
        let is_iterated = self.iterations.load(Ordering::Relaxed) > 0;
        if value.nests() || is_iterated || self.is_frozen.load(Ordering::Relaxed) {
            return Some(value);
        }
        match self.lock().make_mut().get_mut(at) {
            Some(element) => {
                *element = value;
                None
            }
            None => Some(value),
        }
    }

    /// Appends elements; `verb` is for the error message.
    pub(crate) fn extend(
        self: &Arc<Self>,
        heap: &Heap,
        values: EcoVec<Value>,
        verb: &'static str,
    ) -> Result<()> {
        self.tie(heap, values.iter().any(Value::nests));
        self.change(verb, |elements| elements.extend(values))
    }

    /// Removes an element. Returns `None` if there are not that many.
    pub(crate) fn remove(&self, at: usize, verb: &'static str) -> Result<Option<Value>> {
        self.change(verb, |elements| (at < elements.len()).then(|| elements.remove(at)))
    }

    /// Removes all elements.
    pub(crate) fn clear(&self) -> Result<()> {
        self.change("clear", EcoVec::clear)
    }

    /// Informs the heap that a value is added that may contain this list.
    fn tie(self: &Arc<Self>, heap: &Heap, nests: bool) {
        if nests && !self.is_tied.swap(true, Ordering::Relaxed) {
            heap.tie(Tied::List(Arc::downgrade(self)));
        }
    }

    /// Returns whether it may contain itself.
    pub(crate) fn is_tied(&self) -> bool {
        self.is_tied.load(Ordering::Relaxed)
    }

    /// Drops the elements of a list that is tied.
    pub(crate) fn empty(&self) {
        let elements = std::mem::take(&mut *self.lock());
        drop(elements);
    }

    /// Freezes the list. Returns its elements if it was not frozen before.
    pub(crate) fn freeze(&self) -> Option<EcoVec<Value>> {
        if self.is_frozen.swap(true, Ordering::Relaxed) {
            return None;
        }
        if self.is_tied() {
            return Some(self.lock().clone());
        }
        let elements = std::mem::take(&mut *self.lock());
        let handle = elements.clone();
        self.settled.set(elements).is_ok().then_some(handle)
    }

    pub(crate) fn begin_iteration(&self) {
        self.iterations.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn end_iteration(&self) {
        self.iterations.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn take(&mut self) -> EcoVec<Value> {
        let live = self.live.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.settled.take().unwrap_or_else(|| std::mem::take(live))
    }
}

impl From<EcoVec<Value>> for List {
    fn from(elements: EcoVec<Value>) -> Self {
        let (settled, iterations, is_frozen, is_tied) = Default::default();
        Self { live: Mutex::new(elements), settled, iterations, is_frozen, is_tied }
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Self {
        Self::from(elements.into_iter().collect::<EcoVec<_>>())
    }
}
