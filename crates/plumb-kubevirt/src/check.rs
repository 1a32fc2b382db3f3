//! The outcome of a rule for a virtual machine.

mod constraint;
pub(crate) mod lookup;

use plumb_source::{Message, Values, message};
use plumb_value::Node;

use crate::api::{ApiValue, Defaults};
use crate::jsonpath::{Budget, Selected, Tree};
use crate::rule::{Entry, Guard, Rule, RuleError, RuleErrorKind, Rules};
use lookup::{LocatedRuleError, Lookup};

/// A rule and its outcome.
#[derive(Debug)]
pub(crate) struct CheckedRule<'t> {
    pub entry: &'t Entry,
    pub outcome: Outcome<'t>,
}

/// The outcome. It is one enum, not three flags: a rule is never both skipped and satisfied.
#[derive(Debug)]
pub(crate) enum Outcome<'t> {
    /// The rule is unknown or malformed, or its guard selects nothing in this virtual machine.
    NotApplicable,
    Satisfied,
    Violated(Violated<'t>),
    /// The rule is malformed, which is only detected when it is used.
    Malformed(RuleError),
    /// The rule cannot be evaluated on this virtual machine because of this value, if there is one.
    Unevaluable(RuleError, Option<&'t Node>),
}

/// How values break a rule.
#[derive(Debug)]
pub(crate) struct Violated<'t> {
    /// The selected values that the rule rejects; never empty.
    pub refused: Vec<RefusedAt<'t>>,
    /// What the rule requires, such as `4 or less`. It contains no value of the virtual machine.
    pub required: Message,
    /// How the values differ from the requirement, with the message of KubeVirt's validator.
    pub detail: Message,
}

impl Violated<'_> {
    /// What is wrong. If values are shown, this is the message of KubeVirt's validator, which is
    /// not useful without values.
    pub(crate) fn words(&self, values: Values) -> Message {
        match values {
            Values::Shown => self.detail.clone(),
            Values::Masked => message!("expected {}", &self.required),
        }
    }
}

/// The place of a rejected value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RefusedAt<'t> {
    Written(&'t Node),
    /// The value is missing from this object, or from the virtual machine itself if there is none.
    Absent(Option<&'t Node>),
}

/// A value that a path of a rule selects.
pub(crate) type Value<'t> = Selected<'t, ApiValue<'t>>;

/// The maximum cost of all rules of one virtual machine. It corresponds to less than about a
/// second.
pub(crate) const BUDGET: usize = 10_000_000;

/// Applies every rule of an annotation that can be used.
pub(crate) fn check<'t>(
    rules: &'t Rules,
    machine: &'t Node,
    budget: &Budget,
) -> Vec<CheckedRule<'t>> {
    let validate = |entry: &'t Entry| {
        let outcome = match &entry.rule {
            Some(rule) => check_rule(rule, &rules.text, machine, budget),
            None => Outcome::NotApplicable,
        };
        CheckedRule { entry, outcome }
    };
    rules.entries.iter().map(validate).collect()
}

fn check_rule<'t>(
    rule: &'t Rule,
    annotation: &'t str,
    machine: &'t Node,
    budget: &Budget,
) -> Outcome<'t> {
    let defaults = match &rule.guard {
        Some(Guard::Defaulted) => Defaults::Assumed,
        Some(Guard::Path(_)) | None => Defaults::AsWritten,
    };
    let lookup = Lookup { machine, annotation, defaults, budget };
    if let Some(Guard::Path(guard)) = &rule.guard {
        match lookup.leads_somewhere(guard) {
            Ok(true) => {}
            Ok(false) => return Outcome::NotApplicable,
            Err((rule_error, node)) => return Outcome::Unevaluable(rule_error, node),
        }
    }
    match lookup.constraint(rule) {
        Ok(None) => Outcome::Satisfied,
        Ok(Some(violated)) => Outcome::Violated(violated),
        Err((rule_error, _)) if rule_error.kind == RuleErrorKind::Regex => {
            Outcome::Malformed(rule_error)
        }
        Err((rule_error, node)) => Outcome::Unevaluable(rule_error, node),
    }
}

fn refused<'t>(value: &Value<'t>) -> RefusedAt<'t> {
    match value.value() {
        Some(value) => value.node().map_or(RefusedAt::Absent(value.near()), RefusedAt::Written),
        None => RefusedAt::Absent(None),
    }
}

impl<'t> Lookup<'t, '_> {
    fn no_values(rule: &Rule) -> LocatedRuleError<'t> {
        let rule_error =
            RuleError::new(RuleErrorKind::NoValues, rule.path.at.clone(), "no values were found");
        (rule_error.own("its path selects nothing in this virtual machine"), None)
    }
}

/// Whether a selected value counts as present.
pub(crate) fn exists(value: &Value<'_>) -> bool {
    value.value().is_none_or(Tree::exists)
}
