//! The result of checking one virtual machine.

use plumb_source::message::plain;
use plumb_source::{Message, Origin, Values, message};
use plumb_value::Node;

use crate::api::{self, Mismatch};
use crate::check::{self, CheckedRule, Outcome, Violated};
use crate::jsonpath::Budget;
use crate::object::Object;
use crate::rule::{RuleError, Rules};

/// The outcome of all rules for a virtual machine.
#[derive(Debug)]
pub struct Verdict<'t> {
    pub(crate) machine: Object<'t>,
    pub(crate) rules: Option<&'t Rules>,
    /// Values that do not match the types of KubeVirt's API.
    pub(crate) mismatches: Vec<Mismatch>,
    pub(crate) checked_rules: Vec<CheckedRule<'t>>,
}

/// A rule that is broken.
#[derive(Clone, Debug)]
pub struct RuleMessage<'t> {
    pub rule: &'t str,
    /// The author's message and what is wrong. If values are shown, it is the message of KubeVirt's
    /// validator.
    pub message: Message,
    pub is_warning: bool,
}

/// A rule or value that could not be checked.
#[derive(Clone, Debug)]
pub struct Unchecked<'t> {
    /// The name of the rule; empty if no single rule is affected.
    pub rule: &'t str,
    pub kind: String,
    pub message: Message,
}

/// A broken or malformed rule, as the cause of a rejection.
#[derive(Clone, Debug)]
pub struct Cause<'t> {
    /// The path of the rule as written.
    pub field: &'t str,
    pub message: Message,
}

/// The maximum number of rules that a line names.
const MAX_NAMED: usize = 5;

/// The text that is added to a warning about a rule that cannot be evaluated.
pub(crate) const WOULD_BE_REFUSED: &str =
    "KubeVirt's own validator would reject this virtual machine";

/// Validates a virtual machine against rules. Rules that cannot be used are not applied. No rule is
/// applied to an object that does not match the types of KubeVirt's API.
pub fn validate<'t>(machine: Object<'t>, rules: Option<&'t Rules>) -> Verdict<'t> {
    validate_within(machine, rules, &Budget::new(check::BUDGET))
}

/// Like [`validate`], within a budget. A rule that would exceed the budget cannot be evaluated.
pub(crate) fn validate_within<'t>(
    machine: Object<'t>,
    rules: Option<&'t Rules>,
    budget: &Budget,
) -> Verdict<'t> {
    let mismatches = api::conform(machine.node, machine.origin);
    let usable = rules.filter(|rules| rules.unusable.is_empty() && mismatches.is_empty());
    let checked_rules =
        usable.map_or(Vec::new(), |rules| check::check(rules, machine.node, budget));
    Verdict { machine, rules, mismatches, checked_rules }
}

impl<'t> Verdict<'t> {
    /// Whether the virtual machine is accepted. Rules that only warn do not reject it.
    pub fn is_ok(&self) -> bool {
        let is_usable = self.rules.is_none_or(|rules| rules.unusable.is_empty());
        is_usable && self.mismatches.is_empty() && self.checked_rules.iter().all(CheckedRule::is_ok)
    }

    /// Broken rules, and rules that only warn and cannot be evaluated on this virtual machine.
    pub fn broken(&self, values: Values) -> impl Iterator<Item = RuleMessage<'t>> {
        self.checked_rules.iter().filter_map(move |checked_rule| {
            let entry = checked_rule.entry;
            let message = match (checked_rule.violated(), checked_rule.softened()) {
                (Some(violated), _) => entry.message_with(&violated.words(values)),
                (None, Some((rule_error, _))) => {
                    entry.message_with(&message!("{}; {WOULD_BE_REFUSED}", rule_error.words()))
                }
                (None, None) => return None,
            };
            Some(RuleMessage { rule: &entry.name, message, is_warning: entry.just_warning })
        })
    }

    /// Rules and values that could not be checked, each with the reason. They reject the virtual
    /// machine.
    pub fn unchecked(&self) -> impl Iterator<Item = Unchecked<'t>> {
        let unusable = self.rules.map_or(&[][..], |rules| &rules.unusable);
        let unusable = unusable.iter().map(|rule_error| unchecked("", rule_error));
        let mismatches = self.mismatches.iter().map(|mismatch| Unchecked {
            rule: "",
            kind: "vm-decode".to_owned(),
            message: mismatch.message(),
        });
        let rule_errors = self.checked_rules.iter().flat_map(|checked_rule| {
            checked_rule
                .rule_errors()
                .map(|rule_error| unchecked(&checked_rule.entry.name, rule_error))
        });
        unusable.chain(mismatches).chain(rule_errors).collect::<Vec<_>>().into_iter()
    }

    /// Why the virtual machine is rejected. Empty if it is accepted. Rules that only warn are not
    /// causes.
    pub fn causes(&self, values: Values) -> Vec<Cause<'t>> {
        let causes = self.checked_rules.iter().flat_map(|checked_rule| {
            let entry = checked_rule.entry;
            let rule_errors = checked_rule
                .rule_errors()
                .map(move |rule_error| entry.error_message(rule_error, values));
            let violated = checked_rule.violated().filter(|_| !entry.just_warning);
            let violated = violated.map(|it| entry.message_with(&it.words(values)));
            rule_errors.chain(violated).map(|message| Cause { field: &entry.field, message })
        });
        causes.collect()
    }

    /// The names of the rules that reject the virtual machine.
    pub(crate) fn refusing(&self) -> impl Iterator<Item = &'t str> {
        let refusing = self.checked_rules.iter().filter(|it| !it.is_ok());
        refusing.map(|it| it.entry.name.as_str())
    }

    /// The rules that reject the virtual machine, with their authors' messages.
    pub(crate) fn refusing_rules(&self) -> Message {
        let refusing = self.checked_rules.iter().filter(|it| !it.is_ok());
        let words = refusing.enumerate().take(MAX_NAMED + 1).map(|(at, it)| match at {
            MAX_NAMED => "and others".into(),
            _ => message!("{}: {}", it.entry.title(), plain(&it.entry.message)),
        });
        Message::join(words, ", ")
    }

    /// Where the virtual machine is written.
    pub fn origin(&self) -> Origin {
        self.machine.origin
    }
}

impl CheckedRule<'_> {
    fn is_ok(&self) -> bool {
        let is_violated = self.violated().is_some() && !self.entry.just_warning;
        !is_violated && self.rule_errors().next().is_none()
    }

    pub(crate) fn violated(&self) -> Option<&Violated<'_>> {
        match &self.outcome {
            Outcome::Violated(violated) => Some(violated),
            Outcome::NotApplicable
            | Outcome::Satisfied
            | Outcome::Malformed(_)
            | Outcome::Unevaluable(..) => None,
        }
    }

    /// The errors in the rule itself and, unless it only warns, those on this virtual machine.
    pub(crate) fn rule_errors(&self) -> impl Iterator<Item = &RuleError> {
        let here = match &self.outcome {
            Outcome::Malformed(rule_error) => Some(rule_error),
            Outcome::Unevaluable(rule_error, _) if !self.entry.just_warning => Some(rule_error),
            Outcome::NotApplicable
            | Outcome::Satisfied
            | Outcome::Violated(_)
            | Outcome::Unevaluable(..) => None,
        };
        self.entry.rule_errors.iter().chain(here)
    }

    /// Why a rule that only warns cannot be evaluated on this virtual machine, and the value that
    /// causes this.
    pub(crate) fn softened(&self) -> Option<(&RuleError, Option<&Node>)> {
        match &self.outcome {
            Outcome::Unevaluable(rule_error, node) if self.entry.just_warning => {
                Some((rule_error, *node))
            }
            _ => None,
        }
    }
}

pub(crate) fn unchecked<'t>(rule: &'t str, rule_error: &RuleError) -> Unchecked<'t> {
    let mut message = rule_error.message.clone();
    for more in [&rule_error.own, &rule_error.hint].into_iter().filter_map(Option::as_deref) {
        message.push(&": ");
        message.push(more);
    }
    Unchecked { rule, kind: rule_error.kind.to_string(), message }
}
