//! Formats verdicts: the first place is in the virtual machine, the second is the rule inside the
//! annotation.

pub(crate) mod annotation;
mod findings;
mod locate;

use std::collections::HashMap;
use std::ops::Range;

use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message::plain;
use plumb_source::{Message, Sources, message};

use crate::machine::{self, NoRulesReason};
use crate::object::Object;
use crate::rule::{Entry, Rules};
use crate::template::VmTemplate;
use annotation::Annotation;

pub use findings::Findings;

/// The virtual machine breaks a rule of its template.
///
/// Change the value so that it satisfies the rule, or choose a template with wider limits.
pub const RULE_BROKEN: Code = Code::new("kubevirt/rule-broken");

/// A rule is malformed, or cannot be applied to this virtual machine.
///
/// Such a rule rejects the virtual machine, because its author wants it applied. If it has
/// `justWarning` and is well-formed, it is a warning instead. Often its path names a field that
/// virtual machines do not have, or selects nothing in this one. If the rule is meant only for some
/// virtual machines, add a `valid` path to it.
pub const RULE_FAULTY: Code = Code::new("kubevirt/rule-faulty");

/// The annotation with the rules cannot be read, so none of them can be applied.
///
/// It must be a JSON list of objects. JSON has only straight quotes, has commas between members but
/// not after the last one, and has no comments.
pub const RULES_UNREADABLE: Code = Code::new("kubevirt/rules-unreadable");

/// A value has a type that KubeVirt does not accept there.
///
/// The cluster would reject the virtual machine, regardless of its rules.
pub const WRONG_TYPE: Code = Code::new("kubevirt/wrong-type");

/// A part of a rule is ignored.
///
/// An unknown key or kind may come from a later version of the format; if not, it is misspelt. An
/// argument of another kind of rule has no effect.
pub const IGNORED: Code = Code::new("kubevirt/ignored");

/// A rule is valid, but its author probably intended something else.
///
/// An `enum` rule without `values` rejects all virtual machines, and a `regex` rule without `regex`
/// accepts all. No value is within limits if the lower one is above the upper one. An empty name
/// does not identify a rule, and a key in a different case is still read. Correct the rule.
pub const DOUBTFUL: Code = Code::new("kubevirt/doubtful-rule");

/// No rules apply to a virtual machine that probably should have rules.
///
/// A virtual machine has its own rules in `vm.kubevirt.io/validations`, or names a template with
/// the labels `vm.kubevirt.io/template` and `vm.kubevirt.io/template.namespace`. Pass that template
/// with `--template`, or add the missing labels or rules.
pub const NO_RULES: Code = Code::new("kubevirt/no-rules");

impl VmTemplate {
    /// The errors in the rules of the template, as messages that name the template, the annotation
    /// and the place.
    pub fn findings(&self, sources: &Sources) -> Vec<Message> {
        let Some(rules) = &self.rules else { return Vec::new() };
        let annotation = Annotation::new(rules, sources);
        let (template, key) = (self.full_name(), self.rules_annotation());
        let said = |at: &Range<usize>, words: &Message| {
            let place = match annotation.span(at) {
                Some(span) => message!("{}: ", plain(sources.place(span))),
                None => Message::new(),
            };
            message!("{place}template `{}`, annotation `{key}`: {words}", plain(&template))
        };
        let mut findings: Vec<Message> = rules
            .unusable
            .iter()
            .map(|it| said(&it.at, &message!("the rules cannot be read: {}", it.words())))
            .collect();
        for entry in &rules.entries {
            let rule_errors = entry.all_errors();
            findings.extend(
                rule_errors.map(|it| said(&it.at, &message!("{}: {}", entry.title(), it.words()))),
            );
        }
        findings
    }
}

impl Rules {
    /// Findings about the rules themselves, which do not depend on a virtual machine.
    pub fn diagnostics(&self, sources: &Sources) -> Vec<Diagnostic> {
        let annotation = Annotation::new(self, sources);
        let mut diagnostics: Vec<Diagnostic> = annotation.unusable().collect();
        for entry in &self.entries {
            let rule_errors = entry.all_errors();
            diagnostics
                .extend(rule_errors.map(|rule_error| annotation.located_error(entry, &rule_error)));
            diagnostics.extend(entry.notes.iter().map(|note| annotation.note(note)));
        }
        diagnostics
    }
}

/// Findings about rules of a template that share a name with a rule in another of its annotations.
pub(crate) fn shared_names(annotations: &[Rules], sources: &Sources) -> Vec<Diagnostic> {
    let mut first: HashMap<&str, (usize, &Entry)> = HashMap::new();
    let mut diagnostics = Vec::new();
    let shown: Vec<Annotation<'_>> =
        annotations.iter().map(|it| Annotation::new(it, sources)).collect();
    for (at, rules) in annotations.iter().enumerate() {
        for entry in rules.entries.iter().filter(|it| !it.name.is_empty()) {
            let (first_at, other) = *first.entry(&entry.name).or_insert((at, entry));
            if first_at == at {
                continue;
            }
            let message =
                message!("{}: another rule of the template has the same name", entry.title());
            let diagnostic = Diagnostic::error(RULE_FAULTY, message);
            let diagnostic = shown[at].label(diagnostic, &entry.at, "");
            diagnostics.push(shown[first_at].label(diagnostic, &other.at, "the other rule"));
        }
    }
    diagnostics
}

/// The finding about a virtual machine without rules. Returns `None` if it is not expected to have
/// rules.
pub fn without_rules(machine: Object<'_>, why: &NoRulesReason) -> Option<Diagnostic> {
    let name = plain(machine.name());
    let message: Message = match why {
        NoRulesReason::BeingDeleted | NoRulesReason::Skipped => return None,
        NoRulesReason::Unbound => {
            message!("no rules apply to `{name}`: it has no rules and names no template")
        }
        NoRulesReason::IncompleteName => message!(
            "no rules apply to `{name}`: it must name its template and the template's namespace, \
             both in labels or both in annotations"
        ),
        NoRulesReason::UnknownTemplate(template) => {
            message!(
                "no rules apply to `{name}`: its template `{}` is not among the given templates",
                plain(template)
            )
        }
        NoRulesReason::NoRules(template) => {
            message!("no rules apply to `{name}`: its template `{}` has none", plain(template))
        }
    };
    let mut diagnostic = Diagnostic::warning(NO_RULES, message);
    if let Some(span) = machine.origin.span() {
        diagnostic = diagnostic.label(span, "");
    }
    Some(match machine.misspelt_annotation(machine::RULES) {
        Some(key) => {
            diagnostic.help(message!("did you mean `{}` by `{}`?", machine::RULES, plain(key)))
        }
        None => diagnostic,
    })
}

/// The finding about a template without rules: it does not restrict its virtual machines.
pub(crate) fn template_without_rules(template: Object<'_>) -> Diagnostic {
    let message = message!("template `{}` has no rules", plain(template.full_name()));
    let diagnostic = Diagnostic::warning(NO_RULES, message);
    let diagnostic = diagnostic.at(template.origin, "");
    diagnostic.help(message!(
        "write rules in the annotation `{}` of its virtual machine, or in its own annotation `validations`",
        machine::RULES
    ))
}
