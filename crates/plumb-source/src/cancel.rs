//! Asking work that is under way to stop.

use std::sync::{Arc, OnceLock};

/// A request to stop, seen by everyone who holds a clone of it.
///
/// A front end keeps one clone and hands the other to a run. The run looks at it regularly and
/// ends with an error once a reason was given: a time limit has passed, or nobody waits for the
/// result any more.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<OnceLock<String>>);

impl Cancel {
    /// Asks the work to stop. Only the first reason counts.
    pub fn request(&self, reason: impl Into<String>) {
        let _ = self.0.set(reason.into());
    }

    /// Why the work must stop. Returns None if it may go on.
    pub fn reason(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}
