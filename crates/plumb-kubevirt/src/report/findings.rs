//! The findings of a verdict: the values that break rules, and diagnostics for people.

use plumb_diagnostic::{Diagnostic, Severity};
use plumb_source::message::plain;
use plumb_source::{Message, Origin, Sources, Span, message};
use plumb_validation::{Violation, Words};

use super::annotation::Annotation;
use super::locate::{self, Located, Places};
use super::{NOT_A_MACHINE, RULE_BROKEN};
use crate::check::{Judgement, Outcome, Refused, Violated};
use crate::rule::{Entry, Rule};
use crate::verdict::Verdict;

/// At most this many refused values get a label.
const MAX_LABELS: usize = 5;

/// The findings of a verdict, with the places of everything that they mention.
pub struct Findings<'v> {
    verdict: &'v Verdict<'v>,
    sources: &'v Sources,
    /// `None` for a virtual machine without rules.
    annotation: Option<Annotation<'v>>,
    places: Places,
}

impl<'v> Findings<'v> {
    /// The findings of a verdict. `sources` must be the sources that the virtual machine and its
    /// rules were read from.
    pub fn of(verdict: &'v Verdict<'v>, sources: &'v Sources) -> Self {
        let annotation = verdict.rules.map(|rules| Annotation::new(rules, sources));
        Self { verdict, sources, annotation, places: places(verdict) }
    }

    /// For each broken rule, in the order of [`broken`](Verdict::broken), the values that break it,
    /// in the form that all validators report. Values that are missing in one place count once.
    pub fn violations(&self) -> Vec<Vec<Violation>> {
        let Some(annotation) = &self.annotation else { return Vec::new() };
        let broken = self.verdict.judgements.iter().filter_map(|judgement| {
            let rule = judgement.entry.rule.as_ref()?;
            if let Some((fault, node)) = judgement.softened() {
                let place = node.map_or(Refused::Absent(None), Refused::Written);
                let located = self.locate(place, rule);
                return Some(vec![violation(judgement, fault.words(), located, annotation)]);
            }
            let violated = judgement.violated()?;
            let mut violations: Vec<Violation> = Vec::new();
            for refused in &violated.refused {
                let located = self.locate(*refused, rule);
                let is_same =
                    |it: &Violation| (&it.path, it.origin) == (&located.path, located.origin);
                if !violations.last().is_some_and(is_same) {
                    violations.push(violation(judgement, &violated.required, located, annotation));
                }
            }
            Some(violations)
        });
        broken.collect()
    }

    /// All findings for people, in the order of the rules, including notes for the author of the
    /// rules.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mismatches = self.verdict.mismatches.iter().map(|mismatch| {
            let diagnostic = Diagnostic::error(NOT_A_MACHINE, mismatch.message());
            diagnostic.at(mismatch.origin, message!("expected {}", mismatch.expected))
        });
        let mut diagnostics: Vec<Diagnostic> = mismatches.collect();
        if let Some(annotation) = &self.annotation {
            diagnostics.extend(annotation.unusable());
            for judgement in &self.verdict.judgements {
                diagnostics.extend(self.judgement(judgement, annotation));
            }
        }
        diagnostics
    }

    fn judgement(&self, judgement: &Judgement<'_>, annotation: &Annotation<'_>) -> Vec<Diagnostic> {
        let entry = judgement.entry;
        let mut diagnostics: Vec<Diagnostic> =
            entry.faults.iter().map(|fault| annotation.faulty(entry, fault)).collect();
        diagnostics.extend(entry.notes.iter().map(|note| annotation.note(note)));
        match &judgement.outcome {
            Outcome::Malformed(fault) => diagnostics.push(annotation.faulty(entry, fault)),
            Outcome::Unevaluable(fault, node) => {
                let mut diagnostic = match severity(entry) {
                    Severity::Error => annotation.inapplicable(entry, fault),
                    Severity::Warning => annotation.softened(entry, fault),
                };
                let located = node.map(|node| self.places.find(self.verdict.machine, node));
                if let Some(span) = located.and_then(|it| it.span(self.sources)) {
                    diagnostic = diagnostic.label(span, "this is the value");
                }
                diagnostics.push(diagnostic);
            }
            Outcome::Violated(violated) => {
                diagnostics.push(self.broken_rule(entry, violated, annotation));
            }
            Outcome::NotApplicable | Outcome::Satisfied => {}
        }
        diagnostics
    }

    fn broken_rule(
        &self,
        entry: &Entry,
        violated: &Violated<'_>,
        annotation: &Annotation<'_>,
    ) -> Diagnostic {
        let mut diagnostic = match severity(entry) {
            Severity::Warning => Diagnostic::warning(RULE_BROKEN, plain(&entry.message)),
            Severity::Error => Diagnostic::error(RULE_BROKEN, plain(&entry.message)),
        };
        let Some(rule) = &entry.rule else { return diagnostic };
        let mut spans: Vec<Span> = Vec::new();
        for refused in &violated.refused {
            let located = self.locate(*refused, rule);
            let Some(span) = located.span(self.sources).filter(|span| !spans.contains(span)) else {
                continue;
            };
            let required = &violated.required;
            let about = if located.is_parameter(span, self.sources) {
                message!("expected {required}; the default of the parameter is not")
            } else if located.is_written() {
                message!("expected {required}")
            } else {
                message!("`{}` is not set here: expected {required}", plain(&entry.field))
            };
            diagnostic = diagnostic.label(span, about);
            spans.push(span);
            if spans.len() == MAX_LABELS {
                break;
            }
        }
        annotation.label(diagnostic, &entry.at, message!("by {}", entry.title()))
    }

    fn locate(&self, refused: Refused<'_>, rule: &Rule) -> Located {
        let machine = self.verdict.machine;
        match refused {
            Refused::Written(node) => self.places.find(machine, node),
            Refused::Absent(Some(near)) => self.places.find(machine, near).lacking(),
            Refused::Absent(None) => locate::nearest(machine, &rule.path),
        }
    }
}

/// The places of all nodes that a finding mentions.
fn places(verdict: &Verdict<'_>) -> Places {
    let nodes = verdict.judgements.iter().flat_map(|judgement| {
        let faulty = match &judgement.outcome {
            Outcome::Unevaluable(_, node) => *node,
            Outcome::NotApplicable
            | Outcome::Satisfied
            | Outcome::Violated(_)
            | Outcome::Malformed(_) => None,
        };
        let refused = judgement.violated().map_or(&[][..], |it| &it.refused);
        let refused = refused.iter().filter_map(|it| match it {
            Refused::Written(node) => Some(*node),
            Refused::Absent(near) => *near,
        });
        refused.chain(faulty).map(std::ptr::from_ref)
    });
    Places::of(verdict.machine, nodes)
}

fn violation(
    judgement: &Judgement<'_>,
    required: &Message,
    located: Located,
    annotation: &Annotation<'_>,
) -> Violation {
    let entry = judgement.entry;
    let rule = annotation.span(&entry.at);
    Violation {
        code: RULE_BROKEN,
        severity: severity(entry),
        path: located.path,
        origin: located.origin,
        rule: rule.map_or(Origin::Unknown, Origin::Written),
        required: required.clone().into(),
        found: Words::default(),
        message: plain(&entry.message).into(),
        is_worded_by_author: true,
        help: Vec::new(),
        trace: Vec::new(),
    }
}

fn severity(entry: &Entry) -> Severity {
    if entry.just_warning { Severity::Warning } else { Severity::Error }
}
