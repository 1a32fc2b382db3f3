//! How much a selection may cost.

use std::cell::Cell;

/// Units that selections share: about one for every value looked at. `..` and unions multiply, and
/// rules may come from anyone.
#[derive(Debug)]
pub struct Budget(Cell<usize>);

impl Budget {
    pub fn new(units: usize) -> Self {
        Self(Cell::new(units))
    }

    /// Takes units off, and says whether there were enough. Once spent, a budget stays so.
    pub(crate) fn spend(&self, units: usize) -> bool {
        let left = self.0.get().checked_sub(units);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }
}
