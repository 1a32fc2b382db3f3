//! Limits how much a selection may cost.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Units that selections share: about one for every visited value. A budget is needed because the
/// cost of `..` and unions multiplies, and anyone may write rules.
#[derive(Debug)]
pub struct Budget {
    /// `None` once more units were requested than were left.
    left: Cell<Option<usize>>,
    stop: Stop,
}

/// Stops work whose result is no longer needed. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Budget {
    /// A budget of this many units that cannot be stopped from outside.
    pub fn new(units: usize) -> Self {
        Self::with_stop(units, Stop::default())
    }

    /// A budget that also counts as spent once `stop` is requested.
    pub fn with_stop(units: usize, stop: Stop) -> Self {
        Self { left: Cell::new(Some(units)), stop }
    }

    /// Takes units from the budget and returns whether there were enough. Once a budget is spent,
    /// it stays spent.
    pub(crate) fn spend(&self, units: usize) -> bool {
        let left = self.left.get().and_then(|left| left.checked_sub(units));
        self.left.set(left);
        left.is_some() && !self.stop.is_requested()
    }

    /// Whether more units were requested than there were, or the work was stopped.
    pub(crate) fn is_spent(&self) -> bool {
        !self.spend(0)
    }
}

impl Stop {
    /// Stops all work that shares this state. It cannot be undone.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`request`](Self::request) was called on this value or a clone of it.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
