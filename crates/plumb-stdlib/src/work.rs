//! Checks values against rules and schemas within the budget of a run.

use std::cell::Cell;

use plumb_starlark::Budget;
use plumb_validation::{Cost, LimitError, Work};

/// Whether the values that the work builds stay in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Built {
    Kept,
    Dropped,
}

/// Does some work. Each part of it counts as a step of the run, and the values that it builds count
/// as memory.
pub fn within<T>(
    budget: &Budget,
    built: Built,
    check: impl FnOnce(&Work<'_>) -> T,
) -> Result<T, LimitError> {
    let bytes = Cell::new(0);
    let meter = |cost: Cost| {
        bytes.update(|it| it + cost.bytes);
        let paid = budget.spend(cost.steps).and_then(|()| budget.hold(cost.bytes));
        paid.map_err(|it| it.message().clone())
    };
    let result = Work::within(&meter, check);
    if built == Built::Dropped {
        budget.release(bytes.get());
    }
    result
}
