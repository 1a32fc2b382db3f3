//! Requests to stop work in progress.

use std::sync::{Arc, OnceLock};

use crate::Limit;

/// A request to stop, visible to all clones.
///
/// A front end keeps one clone and passes another to a run. The run checks it regularly and ends
/// with an error once a reason was given: for example, a time limit has passed, or the result is no
/// longer needed.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<OnceLock<(Limit, String)>>);

impl Cancel {
    /// Requests that the work stops. Only the first reason is kept.
    pub fn request(&self, reason: impl Into<String>) {
        let _ = self.0.set((Limit::Cancelled, reason.into()));
    }

    /// Requests that the work stops because it took too long. Only the first reason is kept.
    pub fn time_out(&self, reason: impl Into<String>) {
        let _ = self.0.set((Limit::Time, reason.into()));
    }

    /// Returns why the work must stop. Returns `None` if it may continue.
    pub fn reason(&self) -> Option<&str> {
        self.0.get().map(|(_, reason)| reason.as_str())
    }

    /// Returns the limit that the work reached: time, or none that can be raised. Returns `None` if
    /// the work may continue.
    pub fn limit(&self) -> Option<Limit> {
        self.0.get().map(|(limit, _)| *limit)
    }
}
