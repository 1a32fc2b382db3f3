//! How much a selection may cost.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Units that selections share: about one for every value visited. `..` and unions multiply, and
/// rules may come from anyone.
#[derive(Debug)]
pub struct Budget {
    /// `None` once more was asked for than was left.
    left: Cell<Option<usize>>,
    stop: Stop,
}

/// Ends work that nobody waits for any more. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Budget {
    pub fn new(units: usize) -> Self {
        Self::with_stop(units, Stop::default())
    }

    /// A budget that is also spent once `stop` is requested.
    pub fn with_stop(units: usize, stop: Stop) -> Self {
        Self { left: Cell::new(Some(units)), stop }
    }

    /// Takes units off, and returns whether there were enough. Once it is spent, a budget stays so.
    pub(crate) fn spend(&self, units: usize) -> bool {
        let left = self.left.get().and_then(|left| left.checked_sub(units));
        self.left.set(left);
        left.is_some() && !self.stop.is_requested()
    }

    /// Whether more was asked for than there was, or the work was stopped.
    pub(crate) fn is_spent(&self) -> bool {
        !self.spend(0)
    }
}

impl Stop {
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
