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

    /// Whether template code itself failed.
    pub fn is_traced(&self) -> bool {
        self.0.findings.iter().any(|finding| finding.trace.is_some())
    }

    /// What was being done, outermost first.
    pub fn context(&self) -> &[String] {
        &self.0.context
    }

    pub fn findings(&self) -> &[Diagnostic] {
        &self.0.findings
    }

    /// The findings, each with what was being done.
    pub fn findings_in_context(&self) -> impl Iterator<Item = Diagnostic> {
        self.0.findings.iter().map(|finding| {
            let mut finding = finding.clone();
            finding.context.splice(0..0, self.0.context.iter().cloned());
            finding
        })
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
