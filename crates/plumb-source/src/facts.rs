//! Typed facts about findings, for renderers with different words.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// What a stage knows about a finding, a failure or an activity, as a value of a specific type: for
/// example a rule and how a value breaks it, or a file and why it could not be read.
///
/// A stage composes its message from these facts in our words, and attaches the facts. A renderer
/// that knows their type can express them in its own words; other renderers use the message. So a
/// text is only composed if it is needed.
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

/// Hides the facts: they contain values, and debug output may end up in logs.
impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facts").finish_non_exhaustive()
    }
}
