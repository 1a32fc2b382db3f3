//! What ends a run.

use crate::Diagnostic;

/// Why a stage could not go on: everything that was found, and what was being done.
///
/// Cheap to pass up: one pointer. Stages add what they were doing with [`Failure::within`].
#[derive(Clone, Debug)]
pub struct Failure(Box<Content>);

#[derive(Clone, Debug)]
struct Content {
    context: Vec<String>,
    findings: Vec<Diagnostic>,
    peer: Option<String>,
}

impl Failure {
    /// A failure with several findings, and the one text that ytt has for them all.
    pub fn of_many(findings: Vec<Diagnostic>, peer: String) -> Self {
        Self(Box::new(Content { context: Vec::new(), findings, peer: Some(peer) }))
    }

    /// Says what was being done when this came up; called on the way out, innermost first.
    #[must_use]
    pub fn within(mut self, context: impl Into<String>) -> Self {
        self.0.context.insert(0, context.into());
        self
    }

    /// Says what was being done, unless template code itself failed: its errors stand alone.
    #[must_use]
    pub fn within_unless_traced(self, context: impl Into<String>) -> Self {
        let is_traced = self.0.findings.iter().any(|finding| finding.trace.is_some());
        if is_traced { self } else { self.within(context) }
    }

    /// What was being done, outermost first.
    pub fn context(&self) -> &[String] {
        &self.0.context
    }

    pub fn findings(&self) -> &[Diagnostic] {
        &self.0.findings
    }

    /// The text that ytt has for the findings, where it is not simply their messages.
    pub fn peer(&self) -> Option<&str> {
        self.0.peer.as_deref()
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        vec![diagnostic].into()
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(findings: Vec<Diagnostic>) -> Self {
        Self(Box::new(Content { context: Vec::new(), findings, peer: None }))
    }
}
