//! The elements of a list that a slice selects.

use std::ops::Range;

use super::{End, SelectErrorKind, Slice};

impl Slice {
    /// The elements that the slice selects in a list of this length. Returns `None` if there are
    /// none.
    pub(super) fn range(self, length: usize) -> Result<Option<Range<usize>>, SelectErrorKind> {
        let length = i64::try_from(length).map_err(|_| SelectErrorKind::OutOfBounds)?;
        let from_end = |at: i64| if at < 0 { at.saturating_add(length) } else { at };
        let start = from_end(self.start.unwrap_or(0));
        let end = match self.end {
            End::Next => start.saturating_add(1),
            End::Last => length,
            End::At(end) => from_end(end),
        };
        if start == end {
            return Ok(None);
        }
        if !(0..length).contains(&start) || !(start..=length).contains(&end) {
            return Err(SelectErrorKind::OutOfBounds);
        }
        let index = |at: i64| usize::try_from(at).map_err(|_| SelectErrorKind::OutOfBounds);
        Ok(Some(index(start)?..index(end)?))
    }

    pub(super) fn step(self) -> Result<usize, SelectErrorKind> {
        let step = usize::try_from(self.step.unwrap_or(1)).unwrap_or(0);
        if step == 0 { Err(SelectErrorKind::StepNotPositive) } else { Ok(step) }
    }
}
