//! Places in a source. A place has twelve bytes, so it is cheap to copy and to store in every node.

use std::num::NonZeroU32;

/// Identifies a [`Source`](crate::Source) within its [`Sources`](crate::Sources).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(NonZeroU32);

/// A byte range of one source. Offsets are 32 bits: a source is at most 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The source.
    pub file: FileId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl FileId {
    /// Identifies the source at this position. It is never zero, so that an optional span is not larger
    /// than a span.
    pub(crate) fn of_position(at: usize) -> Self {
        let number = u32::try_from(at).ok().and_then(|it| NonZeroU32::MIN.checked_add(it));
        Self(number.expect("fewer than 2^32 sources"))
    }

    pub(crate) fn position(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl Span {
    /// The bytes from `start` up to `end`, which must not be less than `start`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        debug_assert!(start <= end, "a span runs forward: {start}..{end}");
        Self { file, start, end }
    }

    /// Returns whether the other span lies within this one.
    pub fn contains(self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// Returns the smallest span that contains both. They must be of the same file.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.file, other.file, "spans of two files have no common span");
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_span_has_twelve_bytes() {
        assert_eq!(size_of::<Option<Span>>(), 12);
    }
}
