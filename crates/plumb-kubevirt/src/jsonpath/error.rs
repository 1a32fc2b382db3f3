//! Why a JSONPath template cannot be evaluated on a tree.

use std::fmt;
use std::ops::Range;

use super::Step;

/// A JSONPath template that cannot be evaluated on a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectError {
    /// The bytes of the template that cannot be evaluated.
    pub at: Range<usize>,
    pub kind: SelectErrorKind,
}

/// The reason why a template cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectErrorKind {
    NotFound,
    NotAList,
    OutOfBounds,
    StepNotPositive,
    SeveralValues,
    NotComparable,
    NotInRange,
    Unknown,
    TooMuch,
}

/// An error in a step, or in a nested step, whose position is already known.
pub(super) enum StepError {
    Own(SelectErrorKind),
    Placed(SelectError),
}

impl StepError {
    pub(super) fn at(self, step: &Step) -> SelectError {
        match self {
            Self::Own(kind) => SelectError { at: step.at.clone(), kind },
            Self::Placed(error) => error,
        }
    }
}

impl From<SelectErrorKind> for StepError {
    fn from(kind: SelectErrorKind) -> Self {
        Self::Own(kind)
    }
}

impl From<SelectError> for StepError {
    fn from(error: SelectError) -> Self {
        Self::Placed(error)
    }
}

impl fmt::Display for SelectErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFound => "there is no such field",
            Self::NotAList => "this is not a list",
            Self::OutOfBounds => "the list has no such element",
            Self::StepNotPositive => "the step must be above 0",
            Self::SeveralValues => "only one value can be compared",
            Self::NotComparable => "these values cannot be compared",
            Self::NotInRange => "there is no range to end",
            Self::Unknown => "there is no such word or operator",
            Self::TooMuch => "this selects too many values",
        })
    }
}
