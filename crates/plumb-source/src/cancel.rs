//! Requests to stop work in progress.

use std::sync::{Arc, OnceLock};

/// A request to stop, visible to all clones.
///
/// A front end keeps one clone and passes another to a run. The run checks it regularly and ends
/// with an error once a reason was given: for example, a time limit has passed, or the result is no
/// longer needed.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<OnceLock<String>>);

impl Cancel {
    /// Requests that the work stops. Only the first reason is kept.
    pub fn request(&self, reason: impl Into<String>) {
        let _ = self.0.set(reason.into());
    }

    /// Returns why the work must stop. Returns `None` if it may continue.
    pub fn reason(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}
