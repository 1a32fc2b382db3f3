//! Failures, which end a run.

use std::any::Any;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use plumb_source::{Message, Sources, Span};

use crate::{Diagnostic, Facts, Label};

/// Why a stage could not finish: all findings, and what the stage was doing.
///
/// A stage continues after a mistake if possible, and reports all of them. A report that ends at
/// the first mistake shows only [`Failure::first`].
///
/// A failure is one pointer, so it is cheap to return. Stages add what they were doing with
/// [`Failure::within`].
#[derive(Clone, Debug)]
pub struct Failure(Box<Content>);

#[derive(Clone, Debug)]
struct Content {
    activities: Vec<Facts>,
    findings: Findings,
    first: Start,
}

#[derive(Debug)]
enum Findings {
    Known(Vec<Diagnostic>),
    /// Never empty.
    Later(Later),
}

/// Findings that are created when they are first needed. A report that renders the common facts
/// itself does not need them.
struct Later {
    known: OnceLock<Vec<Diagnostic>>,
    /// `None` after it was called.
    describe: Mutex<Option<Describe>>,
}

type Describe = Box<dyn FnOnce() -> Vec<Diagnostic> + Send>;

/// The first of several failures, in the order in which they occurred.
#[derive(Clone, Debug)]
enum Start {
    /// This many findings, counted from the first.
    Findings(usize),
    Facts(Facts),
    Failure(Failure),
}

/// The content of a report that ends at the first mistake.
#[derive(Clone, Copy, Debug)]
pub enum First<'a> {
    /// These findings.
    Findings(&'a [Diagnostic]),
    /// Findings with common facts.
    Facts(&'a Facts),
    /// Another failure: see [`Failure::with_first`].
    Failure(&'a Failure),
}

impl Failure {
    /// A failure whose findings have facts in common.
    pub fn of(findings: Vec<Diagnostic>, facts: impl Any + Send + Sync) -> Self {
        Self::new(Findings::Known(findings), Start::Facts(Facts::new(facts)))
    }

    /// Like [`Failure::of`], for findings that `describe` creates from the facts when they are
    /// first needed. There must be at least one.
    pub fn described<T: Any + Send + Sync>(
        facts: T,
        describe: impl FnOnce(&T) -> Vec<Diagnostic> + Send + 'static,
    ) -> Self {
        let facts = Facts::new(facts);
        let own = facts.clone();
        let describe = move || describe(own.get().expect("they are of this type"));
        Self::new(Findings::Later(Later::new(describe)), Start::Facts(facts))
    }

    /// A failure that only follows from another one, which is reported elsewhere. It has no
    /// findings.
    pub fn consequence() -> Self {
        Self::from(Vec::new())
    }

    fn new(findings: Findings, first: Start) -> Self {
        Self(Box::new(Content { activities: Vec::new(), findings, first }))
    }

    /// Combines this failure with a later one.
    #[must_use]
    pub fn and(mut self, later: Self) -> Self {
        if self.is_consequence() {
            return later;
        }
        if later.is_consequence() {
            return self;
        }
        self.0.findings.known_mut().extend(later.into_findings());
        self
    }

    /// Sets the failure that occurred first, if the findings explain it better than its own text. A
    /// report that ends at the first mistake contains `first` instead of the findings.
    #[must_use]
    pub fn with_first(mut self, first: Self) -> Self {
        self.0.first = Start::Failure(first);
        self
    }

    /// Adds what was being done when this happened. Add the innermost activity first: a caller adds
    /// its own after the functions that it calls.
    #[must_use]
    pub fn within(mut self, activity: impl Any + Send + Sync) -> Self {
        self.0.activities.insert(0, Facts::new(activity));
        self
    }

    /// Adds a place to the findings that have none.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        let findings = self.0.findings.known_mut().iter_mut();
        for finding in findings.filter(|it| it.labels.is_empty()) {
            finding.labels.push(Label { span, message: Message::new() });
        }
        self
    }

    /// Returns whether template code raised the failure.
    pub fn is_traced(&self) -> bool {
        self.findings().iter().any(|finding| finding.trace.is_some())
    }

    /// Returns whether there is nothing to report: see [`Failure::consequence`].
    pub fn is_consequence(&self) -> bool {
        matches!(&self.0.findings, Findings::Known(findings) if findings.is_empty())
    }

    /// Returns what was being done, outermost first.
    pub fn activities(&self) -> &[Facts] {
        &self.0.activities
    }

    /// Returns all findings.
    pub fn findings(&self) -> &[Diagnostic] {
        self.0.findings.as_slice()
    }

    /// Returns all findings without a copy.
    pub fn into_findings(self) -> Vec<Diagnostic> {
        self.0.findings.into_known()
    }

    /// Returns what occurred first.
    pub fn first(&self) -> First<'_> {
        match &self.0.first {
            Start::Findings(n) => First::Findings(&self.findings()[..*n]),
            Start::Facts(facts) => First::Facts(facts),
            Start::Failure(failure) => First::Failure(failure),
        }
    }

    /// Reorders or filters the findings with `arrange`. What occurred first does not change.
    #[must_use]
    pub fn rearranged(mut self, arrange: impl FnOnce(Vec<Diagnostic>) -> Vec<Diagnostic>) -> Self {
        self.keep_first();
        self.0.findings = Findings::Known(arrange(self.0.findings.into_known()));
        self
    }

    /// Like [`Failure::rearranged`]. Findings that are not created yet are arranged when they are
    /// first needed. At least one must remain.
    #[must_use]
    pub fn rearranged_later(
        mut self,
        arrange: impl FnOnce(Vec<Diagnostic>) -> Vec<Diagnostic> + Send + 'static,
    ) -> Self {
        if let Findings::Known(_) = &self.0.findings {
            return self.rearranged(arrange);
        }
        let findings = self.0.findings;
        self.0.findings = Findings::Later(Later::new(move || arrange(findings.into_known())));
        self
    }

    /// Keeps a copy of the findings that occurred first, before they are rearranged.
    fn keep_first(&mut self) {
        if let Start::Findings(n) = self.0.first {
            let first = self.findings()[..n].to_vec();
            self.0.first = Start::Failure(Self::from(first));
        }
    }
}

impl Findings {
    fn as_slice(&self) -> &[Diagnostic] {
        match self {
            Self::Known(findings) => findings,
            Self::Later(later) => later.known.get_or_init(|| later.described()),
        }
    }

    fn known_mut(&mut self) -> &mut Vec<Diagnostic> {
        if let Self::Later(later) = self {
            *self = Self::Known(later.take());
        }
        match self {
            Self::Known(findings) => findings,
            Self::Later(_) => unreachable!("replaced above"),
        }
    }

    fn into_known(self) -> Vec<Diagnostic> {
        match self {
            Self::Known(findings) => findings,
            Self::Later(mut later) => later.take(),
        }
    }
}

impl Clone for Findings {
    fn clone(&self) -> Self {
        Self::Known(self.as_slice().to_vec())
    }
}

impl Later {
    fn new(describe: impl FnOnce() -> Vec<Diagnostic> + Send + 'static) -> Self {
        Self { known: OnceLock::new(), describe: Mutex::new(Some(Box::new(describe))) }
    }

    fn take(&mut self) -> Vec<Diagnostic> {
        self.known.take().unwrap_or_else(|| self.described())
    }

    fn described(&self) -> Vec<Diagnostic> {
        let describe = self.describe.lock().unwrap_or_else(PoisonError::into_inner).take();
        describe.map(|describe| describe()).unwrap_or_default()
    }
}

impl fmt::Debug for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Later").field("known", &self.known).finish_non_exhaustive()
    }
}

/// How a failure is rendered as one text. Templates can catch an error as a text, which is then
/// data.
#[derive(Clone, Copy, Debug)]
pub struct Wording {
    /// The whole failure.
    pub failure: fn(&Failure, &Sources) -> Message,
    /// A message alone.
    pub message: fn(&Message) -> Message,
}

/// Our words: the messages of the findings, one per line.
impl Default for Wording {
    fn default() -> Self {
        Self {
            failure: |it, _| Message::join(it.findings().iter().map(|it| &it.message), "\n"),
            message: Message::clone,
        }
    }
}

/// Failures of independent steps, in the order in which they would occur if the steps ran one after
/// the other.
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
    pub fn add_within<A: Any + Send + Sync>(&mut self, part: Self, activity: impl FnOnce() -> A) {
        if let Some(failure) = part.0 {
            self.add(failure.within(activity()));
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
        let first = Start::Findings(findings.len());
        Self::new(Findings::Known(findings), first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    fn failure(message: &'static str) -> Failure {
        Diagnostic::error(Code::new("test/wrong"), message).into()
    }

    fn first_messages(failure: &Failure) -> Vec<&str> {
        match failure.first() {
            First::Findings(findings) => findings.iter().map(|it| it.message.shown()).collect(),
            First::Failure(failure) => first_messages(failure),
            First::Facts(_) => Vec::new(),
        }
    }

    #[test]
    fn the_first_failure_and_what_was_being_done_there_are_known() {
        let mut failures = Failures::default();
        assert_eq!(failures.keep::<()>(Err(failure("one").within("First"))), None);
        failures.add(failure("two").within("Second"));
        let both = failures.into_result().expect_err("two were added");
        assert_eq!(both.findings().len(), 2);
        let doing = |it: &Failure| it.activities().iter().find_map(|it| it.get::<&str>().copied());
        assert_eq!((first_messages(&both), doing(&both)), (vec!["one"], Some("First")));
        let turned = both.rearranged(|findings| findings.into_iter().rev().collect());
        assert_eq!(turned.findings()[0].message.shown(), "two");
        assert_eq!((first_messages(&turned), doing(&turned)), (vec!["one"], Some("First")));
    }

    #[test]
    fn findings_are_described_when_they_are_first_needed() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let describe = move |facts: &&'static str| {
            sender.send("described").expect("somebody listens");
            let one = |message| Diagnostic::error(Code::new("test/wrong"), message);
            vec![one(*facts), one("two")]
        };
        let failure = Failure::described("one", describe).within("First");
        let failure = failure.rearranged_later(|findings| findings.into_iter().rev().collect());
        assert!(!failure.is_consequence() && receiver.try_recv().is_err());
        let messages = |it: &Failure| format!("{it}");
        assert_eq!(messages(&failure), "two\none");
        assert_eq!(receiver.try_iter().count(), 1);
        assert_eq!(messages(&failure.clone()), "two\none");
        assert!(matches!(failure.first(), First::Facts(it) if it.get() == Some(&"one")));
        let more = Diagnostic::error(Code::new("test/wrong"), "three");
        assert_eq!(messages(&failure.and(more.into())), "two\none\nthree");
        assert_eq!(receiver.try_iter().count(), 0, "they are described once");
    }

    #[test]
    fn a_consequence_adds_nothing() {
        let both = Failure::consequence().and(failure("one")).and(Failure::consequence());
        assert_eq!((both.findings().len(), first_messages(&both)), (1, vec!["one"]));
    }
}
