//! Typed facts about findings, for renderers that have other words than ours.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// What a stage knows about a finding, a failure or an activity, as a value of a type of its own: a
/// rule and how a value breaks it, a file and why it could not be read.
///
/// A stage composes its message from these facts in our words, and attaches them. A renderer that
/// knows the type words the same facts in its own way; any other uses the message. Nothing is worded
/// twice, unless it is shown twice.
#[derive(Clone)]
pub struct Facts(Arc<dyn Any + Send + Sync>);

impl Facts {
    /// Facts of a type that renderers can ask for.
    pub fn new(facts: impl Any + Send + Sync) -> Self {
        Self(Arc::new(facts))
    }

    /// Returns the facts if they are of this type.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

/// Shows nothing of the facts: they contain values, and what is printed for developers may end up
/// in logs.
impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facts").finish_non_exhaustive()
    }
}
