//! Where something stands in a source: twelve bytes, cheap to copy and to keep on every node.

/// Names a [`Source`](crate::Source) within its [`Sources`](crate::Sources).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub(crate) u32);

/// A byte range of one source. Offsets are 32 bits: a source is at most 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        debug_assert!(start <= end, "a span runs forward: {start}..{end}");
        Self { file, start, end }
    }

    /// Whether the other span lies within this one.
    pub fn contains(self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that holds both, which must be of one file.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.file, other.file, "spans of two files have no common span");
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
