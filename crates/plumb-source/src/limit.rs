//! The limits of a run. Several crates count against them; the finding names the limit that was reached.

use crate::Message;

/// A limit of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The number of steps.
    Steps,
    /// Active calls.
    Depth,
    /// The memory of values and documents.
    Memory,
    /// The time of the run.
    Time,
    /// The size of a regular expression.
    Regexp,
    /// A limit that users cannot change.
    Fixed,
    /// The caller no longer needs the result.
    Cancelled,
}

/// A limit was reached before the work was done.
#[derive(Clone, Debug)]
pub struct LimitError {
    /// Which limit it is.
    pub limit: Limit,
    /// What is said about it.
    pub message: Message,
}

impl Limit {
    /// Returns the flag that raises the limit. Returns `None` if no flag does.
    pub fn flag(self) -> Option<&'static str> {
        match self {
            Self::Steps => Some("--step-limit"),
            Self::Depth => Some("--depth-limit"),
            Self::Memory => Some("--memory-limit"),
            Self::Time => Some("--time-limit"),
            Self::Regexp => Some("--regexp-limit"),
            Self::Fixed | Self::Cancelled => None,
        }
    }
}
