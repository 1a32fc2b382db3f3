//! Verdicts in words: the machine's own line first, and then the rule inside the annotation.

mod annotation;
mod locate;

use plumb_diagnostic::{Code, Diagnostic, Severity};
use plumb_source::{Origin, Sources, Span};
use plumb_validation::{Violation, Words};

use crate::check::{Judgement, Outcome, Refused, Violated};
use crate::machine::{self, Why};
use crate::object::Object;
use crate::rule::{Entry, Rule, Rules};
use crate::verdict::Verdict;
use annotation::Annotation;
use locate::{Located, Places};

/// The machine breaks a rule of the template that it was made from.
///
/// Bring the value within the rule, or choose a template with wider limits.
pub const RULE_BROKEN: Code = Code::new("kubevirt/rule-broken");

/// A rule is malformed, or cannot be applied to this machine.
///
/// A rule that cannot be applied refuses the machine: whoever wrote it wants it heard. Most often
/// its path names a field that machines do not have, or selects nothing in this one; give the rule
/// a `valid` if it is meant for some machines only.
pub const RULE_FAULTY: Code = Code::new("kubevirt/rule-faulty");

/// The annotation with the rules cannot be read, so that none of them can be applied.
///
/// It must be a JSON list of objects. JSON knows straight quotes only, has a comma between any two
/// members and none behind the last, and no comments.
pub const RULES_UNREADABLE: Code = Code::new("kubevirt/rules-unreadable");

/// A value is of a type that KubeVirt does not take there.
///
/// The cluster would refuse the machine, whatever its rules.
pub const NOT_A_MACHINE: Code = Code::new("kubevirt/not-a-machine");

/// Something in a rule is not known, and ignored.
///
/// It may be meant for a later version of the format. If not, it is misspelt.
pub const IGNORED: Code = Code::new("kubevirt/ignored");

/// No rules hold for a machine that seems to have some.
///
/// A machine has rules of its own in `vm.kubevirt.io/validations`, or names a template by the labels
/// `vm.kubevirt.io/template` and `vm.kubevirt.io/template.namespace`. Give that template with
/// `--template`, or add what the machine lacks.
pub const NO_RULES: Code = Code::new("kubevirt/no-rules");

/// More refused values than this are not pointed at.
const MAX_LABELS: usize = 5;

impl Verdict<'_> {
    /// For each broken rule, in the order of [`broken`](Self::broken), the values that break it, as
    /// all that judge values have it. Values that are missing in one place count once.
    pub fn violations(&self, sources: &Sources) -> Vec<Vec<Violation>> {
        let Some(rules) = self.rules else { return Vec::new() };
        let annotation = Annotation::new(rules, sources);
        let places = self.places();
        let broken = self.judgements.iter().filter_map(|judgement| {
            let (violated, rule) = judgement.violated().zip(judgement.entry.rule.as_ref())?;
            let mut violations: Vec<Violation> = Vec::new();
            for refused in &violated.refused {
                let located = self.locate(*refused, rule, &places);
                let is_same =
                    |it: &Violation| (&it.path, it.origin) == (&located.path, located.origin);
                if !violations.last().is_some_and(is_same) {
                    violations.push(violation(judgement, violated, located, &annotation));
                }
            }
            Some(violations)
        });
        broken.collect()
    }

    /// All there is to say, for people: in the order of the rules, what the author should know
    /// included.
    pub fn diagnostics(&self, sources: &Sources) -> Vec<Diagnostic> {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        for mismatch in &self.mismatches {
            let mut diagnostic = Diagnostic::error(NOT_A_MACHINE, mismatch.to_string());
            if let Some(span) = mismatch.origin.span() {
                diagnostic = diagnostic.label(span, format!("expected {}", mismatch.expected));
            }
            diagnostics.push(diagnostic);
        }
        let Some(rules) = self.rules else { return diagnostics };
        let annotation = Annotation::new(rules, sources);
        diagnostics.extend(annotation.unusable());
        let places = self.places();
        for judgement in &self.judgements {
            diagnostics.extend(self.judgement(judgement, &annotation, &places, sources));
        }
        diagnostics
    }

    /// The places of all nodes that there is something to say about.
    fn places(&self) -> Places {
        let nodes = self.judgements.iter().flat_map(|judgement| {
            let faulty = match &judgement.outcome {
                Outcome::Faulty(_, node) => *node,
                Outcome::NotApplicable | Outcome::Satisfied | Outcome::Violated(_) => None,
            };
            let refused = judgement.violated().map_or(&[][..], |it| &it.refused);
            let refused = refused.iter().filter_map(|it| match it {
                Refused::Written(node) => Some(*node),
                Refused::Absent(near) => *near,
            });
            refused.chain(faulty).map(std::ptr::from_ref)
        });
        Places::of(self.machine, nodes)
    }

    fn judgement(
        &self,
        judgement: &Judgement<'_>,
        annotation: &Annotation<'_>,
        places: &Places,
        sources: &Sources,
    ) -> Vec<Diagnostic> {
        let entry = judgement.entry;
        let mut diagnostics: Vec<Diagnostic> =
            entry.faults.iter().map(|fault| annotation.faulty(entry, fault)).collect();
        diagnostics.extend(entry.notes.iter().map(|note| annotation.ignored(note)));
        match &judgement.outcome {
            Outcome::Faulty(fault, node) => {
                let mut diagnostic = annotation.faulty(entry, fault);
                let located = node.map(|node| places.find(self.machine, node));
                if let Some(span) = located.and_then(|it| it.span(sources)) {
                    diagnostic = diagnostic.label(span, "this is the value");
                }
                diagnostics.push(diagnostic);
            }
            Outcome::Violated(violated) => {
                diagnostics
                    .push(self.broken_rule(judgement, violated, annotation, places, sources));
            }
            Outcome::NotApplicable | Outcome::Satisfied => {}
        }
        diagnostics
    }

    fn broken_rule(
        &self,
        judgement: &Judgement<'_>,
        violated: &Violated<'_>,
        annotation: &Annotation<'_>,
        places: &Places,
        sources: &Sources,
    ) -> Diagnostic {
        let entry = judgement.entry;
        let mut diagnostic = match severity(entry) {
            Severity::Warning => Diagnostic::warning(RULE_BROKEN, entry.message.clone()),
            Severity::Error => Diagnostic::error(RULE_BROKEN, entry.message.clone()),
        };
        let Some(rule) = &entry.rule else { return diagnostic };
        let mut spans: Vec<Span> = Vec::new();
        for refused in &violated.refused {
            let located = self.locate(*refused, rule, places);
            let Some(span) = located.span(sources).filter(|span| !spans.contains(span)) else {
                continue;
            };
            let about = if located.is_parameter(span, sources) {
                format!("expected {}; the default of the parameter is not", violated.required)
            } else if located.is_written() {
                format!("expected {}", violated.required)
            } else {
                format!("`{}` is not set here: expected {}", entry.field, violated.required)
            };
            diagnostic = diagnostic.label(span, about);
            spans.push(span);
            if spans.len() == MAX_LABELS {
                break;
            }
        }
        annotation.label(diagnostic, &rule.at, &format!("by {}", entry.title()))
    }

    fn locate(&self, refused: Refused<'_>, rule: &Rule, places: &Places) -> Located {
        match refused {
            Refused::Written(node) => places.find(self.machine, node),
            Refused::Absent(Some(near)) => places.find(self.machine, near).lacking(),
            Refused::Absent(None) => locate::nearest(self.machine, &rule.path),
        }
    }
}

fn violation(
    judgement: &Judgement<'_>,
    violated: &Violated<'_>,
    located: Located,
    annotation: &Annotation<'_>,
) -> Violation {
    let entry = judgement.entry;
    let rule = entry.rule.as_ref().and_then(|rule| annotation.span(&rule.at));
    Violation {
        code: RULE_BROKEN,
        severity: severity(entry),
        path: located.path,
        origin: located.origin,
        rule: rule.map_or(Origin::Unknown, Origin::Written),
        required: violated.required.clone().into(),
        found: Words::default(),
        message: entry.message.clone(),
        is_worded_by_author: true,
        help: Vec::new(),
        trace: Vec::new(),
    }
}

impl Rules {
    /// What is wrong with the rules by themselves, whatever the machine.
    pub fn diagnostics(&self, sources: &Sources) -> Vec<Diagnostic> {
        let annotation = Annotation::new(self, sources);
        let mut diagnostics: Vec<Diagnostic> = annotation.unusable().collect();
        for entry in &self.entries {
            let faults = entry.all_faults();
            diagnostics.extend(faults.map(|fault| annotation.faulty(entry, &fault)));
            diagnostics.extend(entry.notes.iter().map(|note| annotation.ignored(note)));
        }
        diagnostics
    }
}

/// A machine without rules, if that may surprise.
pub fn without_rules(machine: Object<'_>, why: &Why) -> Option<Diagnostic> {
    let name = machine.name();
    let message = match why {
        Why::BeingDeleted | Why::Skipped => return None,
        Why::Unbound => format!("no rules hold for `{name}`: it has none, and names no template"),
        Why::IncompleteName => format!(
            "no rules hold for `{name}`: it must name its template and the template's namespace, \
             both in labels or both in annotations"
        ),
        Why::UnknownTemplate(template) => {
            format!(
                "no rules hold for `{name}`: its template `{template}` is not among those given"
            )
        }
        Why::NoRules(template) => {
            format!("no rules hold for `{name}`: its template `{template}` has none")
        }
    };
    let mut diagnostic = Diagnostic::warning(NO_RULES, message);
    if let Some(span) = machine.origin.span() {
        diagnostic = diagnostic.label(span, "");
    }
    Some(match machine.misspelt_annotation(machine::RULES) {
        Some(key) => diagnostic.help(format!("did you mean `{}` by `{key}`?", machine::RULES)),
        None => diagnostic,
    })
}

/// A template without rules: it has nothing to say about its machines.
pub(crate) fn template_without_rules(template: Object<'_>) -> Diagnostic {
    let message = format!("template `{}` has no rules", template.full_name());
    let diagnostic = Diagnostic::warning(NO_RULES, message);
    let diagnostic = match template.origin.span() {
        Some(span) => diagnostic.label(span, ""),
        None => diagnostic,
    };
    diagnostic.help(format!(
        "they stand in the annotation `{}` of its machine, or `validations` of its own",
        machine::RULES
    ))
}

fn severity(entry: &Entry) -> Severity {
    if entry.just_warning { Severity::Warning } else { Severity::Error }
}
