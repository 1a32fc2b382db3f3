//! Checks values against rules and schemas within the budget of a run.

use std::cell::Cell;

use plumb_source::LimitError;
use plumb_starlark::Budget;
use plumb_validation::{Cost, Work};

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
        budget.pay(cost.steps, cost.bytes)
    };
    let result = Work::within(&meter, check);
    if built == Built::Dropped {
        budget.release(bytes.get());
    }
    result
}
