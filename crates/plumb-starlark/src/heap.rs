//! The owner of the values of a run, which frees values in cycles when the run ends.
//!
//! Values are reference-counted, so a cycle would never be freed. A new value only refers to older
//! values, so every cycle contains an edge that was added by changing an existing value. Such an
//! edge is one of the following:
//!
//! - A variable of a module. The heap owns the variables of all modules, and functions refer to
//!   them weakly.
//! - A variable that inner functions share, or an element that was added to a list, a dictionary or
//!   a set. The first change that adds a value with other values in it *ties* the container to the
//!   heap.
//!
//! At the end of the run, the heap drops the variables of modules and empties the tied containers,
//! so that no cycle remains. If another kind of value becomes changeable, it must be added here.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use hashbrown::HashSet;

use crate::error::{Error, Result};
use crate::value::function::{SharedVariable, Variable};
use crate::value::measure::Measurement;
use crate::value::{Dict, List, Set, Value};

/// The number of tied containers at which dropped ones are first removed.
const FIRST_SWEEP: usize = 1 << 10;

/// Owns the variables of modules, and tracks the containers that can be part of a cycle.
#[derive(Default)]
pub(crate) struct Heap {
    content: Mutex<Content>,
    has_ended: AtomicBool,
}

#[derive(Default)]
struct Content {
    modules: Vec<Arc<[Variable]>>,
    tied: Vec<Tied>,
    /// The number of containers at which dropped ones are removed.
    next_sweep: usize,
    /// Addresses of values that stay until the run ends and were already counted.
    kept: HashSet<usize>,
}

/// A container that was changed to contain a value with other values in it.
pub(crate) enum Tied {
    List(Weak<List>),
    Dict(Weak<Dict>),
    Set(Weak<Set>),
    Variable(Weak<SharedVariable>),
}

impl Heap {
    /// Fails if the run has ended.
    pub(crate) fn check(&self) -> Result<()> {
        if self.has_ended.load(Ordering::Relaxed) { Err(ended()) } else { Ok(()) }
    }

    /// Owns the variables of a module until the run ends.
    pub(crate) fn own(&self, variables: &Arc<[Variable]>) {
        self.lock().modules.push(Arc::clone(variables));
    }

    /// Records a container.
    #[cold]
    pub(crate) fn tie(&self, container: Tied) {
        let mut content = self.lock();
        if content.tied.len() >= content.next_sweep.max(FIRST_SWEEP) {
            content.tied.retain(Tied::is_alive);
            content.next_sweep = 2 * content.tied.len();
        }
        content.tied.push(container);
    }

    /// Counts frozen values that stay until the run ends. Returns how many bytes they take in
    /// addition to those that were counted before.
    pub(crate) fn keep<'a>(&self, values: impl IntoIterator<Item = &'a Value>) -> u64 {
        let mut content = self.lock();
        let mut measurement = Measurement::of_kept(std::mem::take(&mut content.kept));
        values.into_iter().for_each(|it| measurement.add(it));
        let bytes = measurement.bytes();
        content.kept = measurement.into_seen();
        bytes
    }

    /// Measures the values that `roots` adds, and the contents of tied containers, which the
    /// program may have lost in a cycle. Returns the bytes in addition to those that were counted
    /// as kept.
    pub(crate) fn measure(&self, roots: impl FnOnce(&mut Measurement<'_>)) -> u64 {
        let content = self.lock();
        let mut measurement = Measurement::beside(&content.kept);
        roots(&mut measurement);
        for container in &content.tied {
            container.measure(&mut measurement);
        }
        measurement.bytes()
    }

    /// Ends the run: its functions can no longer be called, and no cycle of its values remains.
    pub(crate) fn end(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
        let Content { modules, tied, .. } = std::mem::take(&mut *self.lock());
        // The values are dropped without the lock, because dropping a host's value may run any
        // code.
        for container in tied {
            container.empty();
        }
        drop(modules);
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A budget may be dropped without an end, if no value refers to it.
impl Drop for Heap {
    fn drop(&mut self) {
        self.end();
    }
}

impl fmt::Debug for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Heap").finish_non_exhaustive()
    }
}

impl Tied {
    fn is_alive(&self) -> bool {
        let n_holders = match self {
            Self::List(list) => list.strong_count(),
            Self::Dict(dict) => dict.strong_count(),
            Self::Set(set) => set.strong_count(),
            Self::Variable(variable) => variable.strong_count(),
        };
        n_holders > 0
    }

    fn measure(&self, measurement: &mut Measurement<'_>) {
        match self {
            Self::List(list) => measurement.add_some(list.upgrade().map(Value::List)),
            Self::Dict(dict) => measurement.add_some(dict.upgrade().map(Value::Dict)),
            Self::Set(set) => measurement.add_some(set.upgrade().map(Value::Set)),
            Self::Variable(variable) => {
                measurement.add_some(variable.upgrade().and_then(|it| it.get()));
            }
        }
    }

    fn empty(self) {
        match self {
            Self::List(list) => list.upgrade().iter().for_each(|it| it.empty()),
            Self::Dict(dict) => dict.upgrade().iter().for_each(|it| it.empty()),
            Self::Set(set) => set.upgrade().iter().for_each(|it| it.0.empty()),
            Self::Variable(variable) => variable.upgrade().iter().for_each(|it| it.empty()),
        }
    }
}

pub(crate) fn ended() -> Error {
    Error::new("the run that this function belongs to has ended")
}
