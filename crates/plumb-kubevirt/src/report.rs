//! Verdicts in words: the machine's own line first, and then the rule inside the annotation.

mod locate;

use std::ops::Range;

use plumb_diagnostic::{Code, Diagnostic, Severity};
use plumb_source::{Origin, Sources, Span};
use plumb_validation::{Violation, Words};

use crate::check::{Judgement, Outcome, Refused, Violated};
use crate::machine::Why;
use crate::object::Object;
use crate::place;
use crate::rule::{Entry, Fault, Rule, Rules};
use crate::verdict::Verdict;
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
pub const NO_RULES: Code = Code::new("kubevirt/no-rules");

/// More refused values than this are not pointed at.
const MAX_LABELS: usize = 5;

impl Verdict<'_> {
    /// Every value that breaks a rule, as all that judge values have it.
    pub fn violations(&self, sources: &Sources) -> Vec<Violation> {
        let mut violations = Vec::new();
        let places = self.places();
        for judgement in &self.judgements {
            let (Some(violated), Some(rule)) = (judgement.violated(), &judgement.entry.rule) else {
                continue;
            };
            for refused in &violated.refused {
                let located = self.locate(*refused, rule, &places);
                violations.push(self.violation(judgement, violated, located, sources));
            }
        }
        violations
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
        for fault in &rules.unusable {
            diagnostics.push(unreadable(rules, fault, sources));
        }
        let places = self.places();
        for judgement in &self.judgements {
            diagnostics.extend(self.judgement(judgement, rules, &places, sources));
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
        rules: &Rules,
        places: &Places,
        sources: &Sources,
    ) -> Vec<Diagnostic> {
        let entry = judgement.entry;
        let mut diagnostics: Vec<Diagnostic> =
            entry.faults.iter().map(|fault| faulty(entry, rules, fault, sources)).collect();
        diagnostics.extend(entry.notes.iter().map(|note| {
            let diagnostic = Diagnostic::warning(IGNORED, note.message.clone());
            label(diagnostic, rules, &note.at, "", sources)
        }));
        match &judgement.outcome {
            Outcome::Faulty(fault, node) => {
                let mut diagnostic = faulty(entry, rules, fault, sources);
                let located = node.map(|node| places.find(self.machine, node));
                if let Some(span) = located.and_then(|it| it.span(sources)) {
                    diagnostic = diagnostic.label(span, "this is the value");
                }
                diagnostics.push(diagnostic);
            }
            Outcome::Violated(violated) => {
                diagnostics.push(self.broken_rule(judgement, violated, rules, places, sources));
            }
            Outcome::NotApplicable | Outcome::Satisfied => {}
        }
        diagnostics
    }

    fn broken_rule(
        &self,
        judgement: &Judgement<'_>,
        violated: &Violated<'_>,
        rules: &Rules,
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
            let about = if located.is_written() {
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
        label(diagnostic, rules, &rule.at, &format!("by {}", title(entry)), sources)
    }

    fn violation(
        &self,
        judgement: &Judgement<'_>,
        violated: &Violated<'_>,
        located: Located,
        sources: &Sources,
    ) -> Violation {
        let entry = judgement.entry;
        let at = entry.rule.as_ref().map(|rule| &rule.at);
        let rule = self.rules.zip(at).and_then(|(rules, at)| span(rules, at, sources));
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

    fn locate(&self, refused: Refused<'_>, rule: &Rule, places: &Places) -> Located {
        match refused {
            Refused::Written(node) => places.find(self.machine, node),
            Refused::Absent(Some(near)) => places.find(self.machine, near).lacking(),
            Refused::Absent(None) => locate::nearest(self.machine, &rule.path),
        }
    }
}

impl Rules {
    /// What is wrong with the rules by themselves, whatever the machine.
    pub fn diagnostics(&self, sources: &Sources) -> Vec<Diagnostic> {
        let unusable = self.unusable.iter().map(|fault| unreadable(self, fault, sources));
        let faults = self.entries.iter().flat_map(|entry| {
            let pattern = entry.rule.as_ref().and_then(Rule::malformed_pattern);
            let faults = entry.faults.iter().cloned().chain(pattern);
            faults.map(|fault| faulty(entry, self, &fault, sources))
        });
        unusable.chain(faults).collect()
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
    let diagnostic = Diagnostic::warning(NO_RULES, message);
    Some(match machine.origin.span() {
        Some(span) => diagnostic.label(span, ""),
        None => diagnostic,
    })
}

fn severity(entry: &Entry) -> Severity {
    if entry.just_warning { Severity::Warning } else { Severity::Error }
}

fn faulty(entry: &Entry, rules: &Rules, fault: &Fault, sources: &Sources) -> Diagnostic {
    let message = format!("{}: {}", title(entry), fault.words());
    let diagnostic = Diagnostic::error(RULE_FAULTY, message);
    label(diagnostic, rules, &fault.at, fault.hint.as_deref().unwrap_or(""), sources)
}

fn title(entry: &Entry) -> String {
    match entry.name.as_str() {
        "" => "a rule without a name".to_owned(),
        name => format!("rule `{name}`"),
    }
}

fn unreadable(rules: &Rules, fault: &Fault, sources: &Sources) -> Diagnostic {
    let message = format!("the rules cannot be read: {}", fault.words());
    let diagnostic = Diagnostic::error(RULES_UNREADABLE, message);
    let hint = fault.hint.as_deref().unwrap_or("");
    let diagnostic = label(diagnostic, rules, &fault.at, hint, sources);
    let found = rules.text.get(fault.at.clone()).unwrap_or("");
    let before = rules.text.get(..fault.at.start).unwrap_or("");
    let line = before.rsplit('\n').find(|line| !line.trim().is_empty()).unwrap_or("");
    if found.contains(['“', '”', '‘', '’']) || line.contains(['“', '”']) {
        diagnostic.help("JSON knows only the straight quote `\"`")
    } else if fault.message.ends_with("after object key:value pair") && found == "\"" {
        diagnostic.help("a comma is missing before it")
    } else {
        diagnostic
    }
}

fn label(
    diagnostic: Diagnostic,
    rules: &Rules,
    at: &Range<usize>,
    message: &str,
    sources: &Sources,
) -> Diagnostic {
    match span(rules, at, sources) {
        Some(span) => diagnostic.label(span, message),
        None if message.is_empty() => diagnostic,
        None => diagnostic.help(message),
    }
}

/// Where bytes of an annotation stand in its source.
fn span(rules: &Rules, at: &Range<usize>, sources: &Sources) -> Option<Span> {
    place::within_scalar(sources, rules.origin, &rules.text, at)
}
