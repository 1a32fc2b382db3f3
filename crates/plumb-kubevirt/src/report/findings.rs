//! The findings of a verdict: the values that break rules, and diagnostics for people.

use plumb_diagnostic::{Diagnostic, Severity};
use plumb_source::message::plain;
use plumb_source::{Message, Origin, Sources, Span, message};
use plumb_validation::{Cause, Violation};

use super::annotation::Annotation;
use super::locate::{self, Located, Places};
use super::{RULE_BROKEN, WRONG_TYPE};
use crate::check::{CheckedRule, Outcome, RefusedAt, Violated};
use crate::rule::{Entry, Rule};
use crate::verdict::Verdict;

/// The maximum number of rejected values that get a label.
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
    /// in the form that all validators report. Several values that are missing at the same place
    /// count as one.
    pub fn violations(&self) -> Vec<Vec<Violation>> {
        let Some(annotation) = &self.annotation else { return Vec::new() };
        let broken = self.verdict.checked_rules.iter().filter_map(|checked_rule| {
            let rule = checked_rule.entry.rule.as_ref()?;
            if let Some((rule_error, node)) = checked_rule.softened() {
                let place = node.map_or(RefusedAt::Absent(None), RefusedAt::Written);
                let located = self.locate(place, rule);
                return Some(vec![violation(
                    checked_rule,
                    rule_error.words(),
                    located,
                    annotation,
                )]);
            }
            let violated = checked_rule.violated()?;
            let mut violations: Vec<Violation> = Vec::new();
            for refused in &violated.refused {
                let located = self.locate(*refused, rule);
                let is_same =
                    |it: &Violation| (&it.path, it.origin) == (&located.path, located.origin);
                if !violations.last().is_some_and(is_same) {
                    violations.push(violation(
                        checked_rule,
                        &violated.required,
                        located,
                        annotation,
                    ));
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
            let diagnostic = Diagnostic::error(WRONG_TYPE, mismatch.message());
            diagnostic.at(mismatch.origin, message!("expected {}", mismatch.expected))
        });
        let mut diagnostics: Vec<Diagnostic> = mismatches.collect();
        if let Some(annotation) = &self.annotation {
            diagnostics.extend(annotation.unusable());
            for checked_rule in &self.verdict.checked_rules {
                diagnostics.extend(self.checked_rule(checked_rule, annotation));
            }
        }
        diagnostics
    }

    fn checked_rule(
        &self,
        checked_rule: &CheckedRule<'_>,
        annotation: &Annotation<'_>,
    ) -> Vec<Diagnostic> {
        let entry = checked_rule.entry;
        let mut diagnostics: Vec<Diagnostic> = entry
            .rule_errors
            .iter()
            .map(|rule_error| annotation.located_error(entry, rule_error))
            .collect();
        diagnostics.extend(entry.notes.iter().map(|note| annotation.note(note)));
        match &checked_rule.outcome {
            Outcome::Malformed(rule_error) => {
                diagnostics.push(annotation.located_error(entry, rule_error));
            }
            Outcome::Unevaluable(rule_error, node) => {
                let mut diagnostic = match severity(entry) {
                    Severity::Error => annotation.inapplicable(entry, rule_error),
                    Severity::Warning => annotation.softened(entry, rule_error),
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
                message!("expected {required}, found another default of the parameter")
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

    fn locate(&self, refused: RefusedAt<'_>, rule: &Rule) -> Located {
        let machine = self.verdict.machine;
        match refused {
            RefusedAt::Written(node) => self.places.find(machine, node),
            RefusedAt::Absent(Some(near)) => self.places.find(machine, near).lacking(),
            RefusedAt::Absent(None) => locate::nearest(machine, &rule.path),
        }
    }
}

/// The places of all nodes that a finding mentions.
fn places(verdict: &Verdict<'_>) -> Places {
    let nodes = verdict.checked_rules.iter().flat_map(|checked_rule| {
        let located_error = match &checked_rule.outcome {
            Outcome::Unevaluable(_, node) => *node,
            Outcome::NotApplicable
            | Outcome::Satisfied
            | Outcome::Violated(_)
            | Outcome::Malformed(_) => None,
        };
        let refused = checked_rule.violated().map_or(&[][..], |it| &it.refused);
        let refused = refused.iter().filter_map(|it| match it {
            RefusedAt::Written(node) => Some(*node),
            RefusedAt::Absent(near) => *near,
        });
        refused.chain(located_error).map(std::ptr::from_ref)
    });
    Places::of(verdict.machine, nodes)
}

fn violation(
    checked_rule: &CheckedRule<'_>,
    required: &Message,
    located: Located,
    annotation: &Annotation<'_>,
) -> Violation {
    let entry = checked_rule.entry;
    let rule = annotation.span(&entry.at);
    Violation {
        code: RULE_BROKEN,
        severity: severity(entry),
        path: located.path,
        document: 0,
        origin: located.origin,
        rule: rule.map_or(Origin::Unknown, Origin::Written),
        required: required.clone(),
        found: Message::new(),
        cause: Cause::Words,
        message: plain(&entry.message).into(),
        is_worded_by_author: true,
        help: Vec::new(),
        trace: Vec::new(),
    }
}

fn severity(entry: &Entry) -> Severity {
    if entry.just_warning { Severity::Warning } else { Severity::Error }
}
