//! Failures, which end a run.

use std::fmt;

use plumb_source::{Message, Sources, Span};

use crate::{Diagnostic, Label, peer};

/// Why a stage could not finish: all findings, and what the stage was doing.
///
/// ytt stops at the first mistake. Plumb continues if possible, and reports all of them. A failure
/// therefore knows which of its findings ytt reports: see [`Failure::and`].
///
/// A failure is one pointer, so it is cheap to return. Stages add what they were doing with
/// [`Failure::within`].
#[derive(Clone, Debug)]
pub struct Failure(Box<Content>);

#[derive(Clone, Debug)]
struct Content {
    /// Shown only in ytt's layout.
    context: Vec<Message>,
    findings: Vec<Diagnostic>,
    /// How many of the findings, counted from the first, ytt reports; it stops before it reaches
    /// the others. Not used if ytt has a text of its own.
    n_in_peer: usize,
    peer: Option<Message>,
}

impl Failure {
    /// A failure with several findings, for which ytt has one common text.
    pub fn of_many(findings: Vec<Diagnostic>, peer: impl Into<Message>) -> Self {
        Self::new(findings, Some(peer.into()))
    }

    /// A failure that only follows from another one, which is reported elsewhere. It has no
    /// findings.
    pub fn consequence() -> Self {
        Self::new(Vec::new(), None)
    }

    fn new(findings: Vec<Diagnostic>, peer: Option<Message>) -> Self {
        let n_in_peer = findings.len();
        Self(Box::new(Content { context: Vec::new(), findings, n_in_peer, peer }))
    }

    /// Combines this failure with a later one. ytt reports only the first of the two.
    #[must_use]
    pub fn and(mut self, later: Self) -> Self {
        if self.is_consequence() {
            return later;
        }
        self.0.findings.extend(later.0.findings);
        self
    }

    /// Adds what was being done when this happened. Callers add theirs after the functions that
    /// they call, so the innermost is added first.
    #[must_use]
    pub fn within(mut self, context: impl Into<Message>) -> Self {
        self.0.context.insert(0, context.into());
        self
    }

    /// Adds a place to the findings that have none.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        for finding in self.0.findings.iter_mut().filter(|it| it.labels.is_empty()) {
            finding.labels.push(Label { span, message: Message::new() });
        }
        self
    }

    /// Returns whether template code itself failed.
    pub fn is_traced(&self) -> bool {
        self.0.findings.iter().any(|finding| finding.trace.is_some())
    }

    /// Returns whether there is nothing to report: see [`Failure::consequence`].
    pub fn is_consequence(&self) -> bool {
        self.0.findings.is_empty()
    }

    /// Returns what was being done, outermost first.
    pub fn context(&self) -> &[Message] {
        &self.0.context
    }

    /// Returns all findings, including those that ytt does not report.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.0.findings
    }

    /// Returns all findings without a copy.
    pub fn into_findings(self) -> Vec<Diagnostic> {
        self.0.findings
    }

    /// Reorders or filters the findings with `arrange`. What ytt reports does not change.
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

    /// Returns the text that ytt has for the findings. Returns `None` if that is simply their
    /// messages.
    pub fn peer(&self) -> Option<&Message> {
        self.0.peer.as_ref()
    }
}

/// Failures of independent steps, in the order in which ytt would run into them.
#[derive(Debug, Default)]
pub struct Failures(Option<Failure>);

impl Failures {
    /// Returns whether no step has failed.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Adds the failure of a later step.
    pub fn add(&mut self, failure: Failure) {
        self.0 = Some(match self.0.take() {
            Some(before) => before.and(failure),
            None => failure,
        });
    }

    /// Returns the result of a step. If the step failed, adds its failure and returns `None`.
    pub fn keep<T>(&mut self, result: Result<T, Failure>) -> Option<T> {
        result.map_err(|failure| self.add(failure)).ok()
    }

    /// Adds the failures of a part, if any, with a description of what the part was doing.
    pub fn add_within(&mut self, part: Self, context: impl FnOnce() -> Message) {
        if let Some(failure) = part.0 {
            self.add(failure.within(context()));
        }
    }

    /// Returns all failures as one error, or `Ok` if there are none.
    pub fn into_result(self) -> Result<(), Failure> {
        self.0.map_or(Ok(()), Err)
    }
}

/// Prints the first line of each finding, with values masked. [`crate::pretty`] also shows the
/// places.
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
