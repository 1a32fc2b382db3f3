//! Ranges of integers, which do not store their elements.

use super::Value;

/// The result of `range(start, stop, step)`.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    pub(crate) start: i64,
    pub(crate) stop: i64,
    pub(crate) step: i64,
    len: usize,
}

impl Range {
    /// The step must not be zero.
    pub(crate) fn new(start: i64, stop: i64, step: i64) -> Self {
        let (start_, stop_, step_) = (i128::from(start), i128::from(stop), i128::from(step));
        let len = if step > 0 && stop > start {
            (stop_ - 1 - start_) / step_ + 1
        } else if step < 0 && start > stop {
            (start_ - 1 - stop_) / -step_ + 1
        } else {
            0
        };
        Self { start, stop, step, len: usize::try_from(len).unwrap_or(usize::MAX) }
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn get(&self, index: usize) -> Value {
        let index = i64::try_from(index).unwrap_or(i64::MAX);
        Value::Int(self.start.wrapping_add(index.wrapping_mul(self.step)))
    }

    /// Returns the elements from one index to another. Indices are in the range or at its ends.
    pub(crate) fn slice(&self, from: i64, to: i64, step: i64) -> Self {
        let at = |index: i64| self.start.saturating_add(self.step.saturating_mul(index));
        Self::new(at(from), at(to), self.step.saturating_mul(step))
    }

    pub(crate) fn contains(&self, value: i64) -> bool {
        let distance = i128::from(value) - i128::from(self.start);
        let step = i128::from(self.step);
        let index = distance / step;
        distance % step == 0 && 0 <= index && usize::try_from(index).is_ok_and(|it| it < self.len)
    }

    pub(crate) fn same_elements(&self, other: &Self) -> bool {
        self.len == other.len
            && (self.len == 0
                || self.start == other.start && (self.len == 1 || self.step == other.step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_ranges_do_not_overflow() {
        let range = Range::new(i64::MIN, i64::MAX, 1);
        assert_eq!(range.len(), usize::MAX);
        assert!(range.contains(0));
        assert_eq!(Range::new(i64::MAX, i64::MIN, i64::MIN).len(), 2);
    }
}
