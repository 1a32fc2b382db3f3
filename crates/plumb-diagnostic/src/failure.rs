//! What ends a run.

use std::fmt;

use plumb_source::{Message, Sources, Span};

use crate::{Diagnostic, Label, peer};

/// Why a stage could not finish: everything that was found, and what was being done.
///
/// ytt stops at the first mistake; we go on where that makes sense, and report all of them. A
/// failure therefore knows which of its findings ytt reports: see [`Failure::and`].
///
/// Cheap to pass up: one pointer. Stages add what they were doing with [`Failure::within`].
#[derive(Clone, Debug)]
pub struct Failure(Box<Content>);

#[derive(Clone, Debug)]
struct Content {
    /// Shown in ytt's layout only.
    context: Vec<String>,
    findings: Vec<Diagnostic>,
    /// How many of the findings, from the first, ytt reports, unless it has a text of its own. It
    /// stops before it meets the others.
    n_in_peer: usize,
    peer: Option<Message>,
}

impl Failure {
    /// A failure with several findings, and the one text that ytt has for them all.
    pub fn of_many(findings: Vec<Diagnostic>, peer: impl Into<Message>) -> Self {
        Self::new(findings, Some(peer.into()))
    }

    /// A failure that only follows from another one, which is reported elsewhere: it has nothing
    /// to report itself.
    pub fn consequence() -> Self {
        Self::new(Vec::new(), None)
    }

    fn new(findings: Vec<Diagnostic>, peer: Option<Message>) -> Self {
        let n_in_peer = findings.len();
        Self(Box::new(Content { context: Vec::new(), findings, n_in_peer, peer }))
    }

    /// This failure and one that came up after it. ytt reports only the first of the two.
    #[must_use]
    pub fn and(mut self, later: Self) -> Self {
        if self.is_consequence() {
            return later;
        }
        self.0.findings.extend(later.0.findings);
        self
    }

    /// Says what was being done when this came up; called on the way out, innermost first.
    #[must_use]
    pub fn within(mut self, context: impl Into<String>) -> Self {
        self.0.context.insert(0, context.into());
        self
    }

    /// Points at a place, in findings that do not point at any.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        for finding in self.0.findings.iter_mut().filter(|it| it.labels.is_empty()) {
            finding.labels.push(Label { span, message: Message::new() });
        }
        self
    }

    /// Whether template code itself failed.
    pub fn is_traced(&self) -> bool {
        self.0.findings.iter().any(|finding| finding.trace.is_some())
    }

    /// Whether there is nothing to report: see [`Failure::consequence`].
    pub fn is_consequence(&self) -> bool {
        self.0.findings.is_empty()
    }

    /// What was being done, outermost first.
    pub fn context(&self) -> &[String] {
        &self.0.context
    }

    pub fn findings(&self) -> &[Diagnostic] {
        &self.0.findings
    }

    pub fn into_findings(self) -> Vec<Diagnostic> {
        self.0.findings
    }

    /// The same failure with its findings in another order, or fewer of them. What ytt reports
    /// stays as it is.
    #[must_use]
    pub fn rearranged(
        mut self,
        sources: &Sources,
        arrange: impl FnOnce(Vec<Diagnostic>) -> Vec<Diagnostic>,
    ) -> Self {
        if self.0.peer.is_none() {
            self.0.peer = Some(peer::body(self.findings_in_peer(), sources));
        }
        self.0.findings = arrange(self.0.findings);
        self
    }

    /// The findings that ytt reports.
    pub(crate) fn findings_in_peer(&self) -> &[Diagnostic] {
        &self.0.findings[..self.0.n_in_peer]
    }

    /// The text that ytt has for the findings, where it is not simply their messages.
    pub fn peer(&self) -> Option<&Message> {
        self.0.peer.as_ref()
    }
}

/// Failures of steps that do not depend on each other, in the order in which ytt would meet them.
#[derive(Debug, Default)]
pub struct Failures(Option<Failure>);

impl Failures {
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn add(&mut self, failure: Failure) {
        self.0 = Some(match self.0.take() {
            Some(before) => before.and(failure),
            None => failure,
        });
    }

    /// The result of a step if it did not fail; its failure is added otherwise.
    pub fn keep<T>(&mut self, result: Result<T, Failure>) -> Option<T> {
        result.map_err(|failure| self.add(failure)).ok()
    }

    /// Adds the failures of a part, with what was being done in it.
    pub fn add_within(&mut self, part: Self, context: impl FnOnce() -> String) {
        if let Some(failure) = part.0 {
            self.add(failure.within(context()));
        }
    }

    pub fn into_result(self) -> Result<(), Failure> {
        self.0.map_or(Ok(()), Err)
    }
}

/// The first line of each finding, with values masked. [`crate::pretty`] also shows the places.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, finding) in self.findings().iter().enumerate() {
            let message = finding.message.masked();
            let line = message.lines().next().unwrap_or_default();
            write!(f, "{}{line}", if at == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        vec![diagnostic].into()
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(findings: Vec<Diagnostic>) -> Self {
        Self::new(findings, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    fn failure(message: &'static str) -> Failure {
        Diagnostic::error(Code::new("test/wrong"), message).into()
    }

    #[test]
    fn ytt_reports_the_first_failure_and_what_was_being_done_there() {
        let mut failures = Failures::default();
        assert_eq!(failures.keep::<()>(Err(failure("one").within("First"))), None);
        failures.add(failure("two").within("Second"));
        let both = failures.into_result().expect_err("two were added");
        assert_eq!(both.findings().len(), 2);
        assert_eq!(peer::text(&both, &Sources::new()).shown(), "First: one");
    }

    #[test]
    fn a_consequence_adds_nothing() {
        let both = Failure::consequence().and(failure("one")).and(Failure::consequence());
        assert_eq!(both.findings().len(), 1);
        assert_eq!(peer::text(&both, &Sources::new()).shown(), "one");
    }
}
