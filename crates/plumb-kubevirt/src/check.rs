//! What a rule says about a machine.

mod constraint;
mod lookup;

use plumb_source::{Message, Values, message};
use plumb_value::Node;

use crate::api::{ApiValue, Defaults};
use crate::jsonpath::{Budget, Selected, Tree};
use crate::rule::{Entry, Fault, FaultKind, Guard, Rule, Rules};
use lookup::{Faulty, Lookup};

/// A rule and what it says.
#[derive(Debug)]
pub(crate) struct Judgement<'t> {
    pub entry: &'t Entry,
    pub outcome: Outcome<'t>,
}

/// One enum, not three flags: a rule is never both skipped and satisfied.
#[derive(Debug)]
pub(crate) enum Outcome<'t> {
    /// The rule is unknown or faulty by itself, or its guard leads nowhere in this machine.
    NotApplicable,
    Satisfied,
    Violated(Violated<'t>),
    /// The rule is malformed, which shows only when it is used.
    Malformed(Fault),
    /// The rule cannot be evaluated on this machine, and the value that is the reason.
    Unevaluable(Fault, Option<&'t Node>),
}

/// How values break a rule.
#[derive(Debug)]
pub(crate) struct Violated<'t> {
    /// What was selected and is refused; never empty.
    pub refused: Vec<Refused<'t>>,
    /// What the rule asks for, such as `4 or less`. No value of the machine is in it.
    pub required: Message,
    /// How the values are not that, in the words of KubeVirt's validator.
    pub detail: Message,
}

impl Violated<'_> {
    /// What is wrong: with values in the words of KubeVirt's validator, which say little without.
    pub(crate) fn words(&self, values: Values) -> Message {
        match values {
            Values::Shown => self.detail.clone(),
            Values::Masked => message!("expected {}", &self.required),
        }
    }
}

/// Where a refused value is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refused<'t> {
    Written(&'t Node),
    /// It is not written; the object that lacks it is, unless that is the machine.
    Absent(Option<&'t Node>),
}

/// A value that a path of a rule selects.
type Value<'t> = Selected<'t, ApiValue<'t>>;

/// How much the rules of one machine may cost together: a second at the very most.
pub(crate) const BUDGET: usize = 10_000_000;

/// Applies every rule of an annotation that can be used.
pub(crate) fn check<'t>(
    rules: &'t Rules,
    machine: &'t Node,
    budget: &Budget,
) -> Vec<Judgement<'t>> {
    let judge = |entry: &'t Entry| {
        let outcome = match &entry.rule {
            Some(rule) => check_rule(rule, &rules.text, machine, budget),
            None => Outcome::NotApplicable,
        };
        Judgement { entry, outcome }
    };
    rules.entries.iter().map(judge).collect()
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
            Err((fault, node)) => return Outcome::Unevaluable(fault, node),
        }
    }
    match lookup.constraint(rule) {
        Ok(None) => Outcome::Satisfied,
        Ok(Some(violated)) => Outcome::Violated(violated),
        Err((fault, _)) if fault.kind == FaultKind::Regex => Outcome::Malformed(fault),
        Err((fault, node)) => Outcome::Unevaluable(fault, node),
    }
}

fn refused<'t>(value: &Value<'t>) -> Refused<'t> {
    match value.value() {
        Some(value) => value.node().map_or(Refused::Absent(value.near()), Refused::Written),
        None => Refused::Absent(None),
    }
}

impl<'t> Lookup<'t, '_> {
    fn no_values(rule: &Rule) -> Faulty<'t> {
        let fault = Fault::new(FaultKind::NoValues, rule.path.at.clone(), "no values were found");
        (fault.own("its path selects nothing in this machine"), None)
    }
}

/// Whether something that was selected counts as being there.
fn exists(value: &Value<'_>) -> bool {
    value.value().is_none_or(Tree::exists)
}
