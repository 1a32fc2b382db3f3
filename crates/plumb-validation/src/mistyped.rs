//! Places of a document that are known to be wrong before its rules run.

use std::collections::HashMap;

use plumb_value::{DataPath, Step};

/// The paths of values that do not have their declared type. Rules about these values, about values
/// in them and about values that contain them cannot be checked; all others can.
#[derive(Debug, Default)]
pub struct MistypedPaths {
    is_mistyped: bool,
    below: HashMap<Step, MistypedPaths>,
}

impl MistypedPaths {
    /// Marks the value at a path as wrong.
    pub fn add(&mut self, path: &DataPath) {
        let mut at = self;
        for step in path.steps() {
            at = at.below.entry(step.clone()).or_default();
        }
        at.is_mistyped = true;
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.is_mistyped && self.below.is_empty()
    }

    /// Whether the value itself is wrong, not only a part of it.
    pub(crate) fn is_mistyped(&self) -> bool {
        self.is_mistyped
    }

    /// What is known about a child, or `None` if neither it nor anything in it is wrong.
    pub(crate) fn child(&self, step: &Step) -> Option<&Self> {
        self.below.get(step)
    }
}
