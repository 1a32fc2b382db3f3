//! Counts how often an annotation had an effect, for coverage.

use std::sync::atomic::{AtomicU32, Ordering};

/// Counts the uses of an annotation: how often its rule was satisfied or broken, or how often its
/// overlay operation was applied.
#[derive(Debug, Default)]
pub struct Uses {
    held: AtomicU32,
    broken: AtomicU32,
}

impl Uses {
    /// Counts a use. `holds` states whether the rule was satisfied, or the operation was applied.
    pub fn count(&self, holds: bool) {
        let counter = if holds { &self.held } else { &self.broken };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// How often a rule was satisfied, or an operation was applied.
    pub fn n_held(&self) -> u32 {
        self.held.load(Ordering::Relaxed)
    }

    /// How often a rule was broken.
    pub fn n_broken(&self) -> u32 {
        self.broken.load(Ordering::Relaxed)
    }
}
