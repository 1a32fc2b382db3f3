//! Bounds for the size of a value, and saturating arithmetic for costs.

/// The minimum and maximum number of characters, bytes, items or keys of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) min: u64,
    pub(crate) max: u64,
}

/// The sizes of the entries of a list or map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntrySize {
    pub(crate) is_list: bool,
    pub(crate) key: Size,
    pub(crate) value: Size,
}

/// The cost of reading one character of a text.
pub(crate) const PER_CHARACTER: f64 = 0.1;
/// The cost of one character of a regular expression, for each character that it reads.
pub(crate) const PER_PATTERN_CHARACTER: f64 = 0.25;

impl Size {
    pub(crate) const UNKNOWN: Self = Self { min: 0, max: u64::MAX };
    pub(crate) const ONE: Self = Self::exactly(1);
    /// The neutral element of a union.
    pub(crate) const NONE: Self = Self { min: u64::MAX, max: 0 };

    pub(crate) const fn exactly(size: u64) -> Self {
        Self { min: size, max: size }
    }

    pub(crate) const fn at_most(max: u64) -> Self {
        Self { min: 0, max }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self { min: self.min.saturating_add(other.min), max: self.max.saturating_add(other.max) }
    }

    pub(crate) fn times(self, other: Self) -> Self {
        Self { min: self.min.saturating_mul(other.min), max: self.max.saturating_mul(other.max) }
    }

    /// The highest cost if each element costs `factor`.
    pub(crate) fn cost(self, factor: f64) -> u64 {
        scaled(self.max, factor)
    }
}

impl EntrySize {
    pub(crate) fn or(self, other: Self) -> Self {
        let (key, value) = (self.key.or(other.key), self.value.or(other.value));
        Self { is_list: self.is_list, key, value }
    }
}

/// A multiple of a number, rounded up.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is an estimate; the cast saturates, and nothing is negative"
)]
pub(crate) fn scaled(number: u64, factor: f64) -> u64 {
    (number as f64 * factor).ceil() as u64
}
