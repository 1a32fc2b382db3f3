//! Compares the verdicts of exported policies with those of `vm check`.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use plumb_diagnostic::Diagnostic;
use plumb_source::message::plain;
use plumb_source::{Message, Values, message};
use plumb_value::Node;

use super::policy::Policy;
use super::{EXPORT_DIFFERS, NOT_COVERED, manifest, stored};
use crate::machine::{self, Source};
use crate::object::Object;
use crate::template::Templates;
use crate::verdict;

/// How the verdicts of policies and of `vm check` compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Virtual machines that both accept.
    pub accepted: usize,
    /// Virtual machines that both reject.
    pub refused: usize,
    /// Virtual machines with different verdicts.
    pub different: usize,
    /// Virtual machines that the policies do not cover.
    pub uncovered: usize,
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { accepted, refused, different, uncovered } = self;
        let n_machines = accepted + refused + different + uncovered;
        let plural = if n_machines == 1 { "" } else { "s" };
        write!(f, "{n_machines} virtual machine{plural} compared: ")?;
        write!(f, "{accepted} accepted and {refused} rejected by both, ")?;
        write!(f, "{different} different, {uncovered} not covered")
    }
}

/// Annotations with a rule that is not exported, and the name of that rule.
pub(super) type PartialRules = HashMap<Arc<str>, String>;

/// The decision about a virtual machine: the names of the rules that reject it, and of the rules
/// that warn.
#[derive(Debug, Default, PartialEq, Eq)]
struct Decision {
    refusing: BTreeSet<String>,
    warning: BTreeSet<String>,
}

pub(super) fn compare<'m>(
    machines: impl Iterator<Item = Object<'m>>,
    templates: &Templates,
    policies: &[Policy],
    partial: &PartialRules,
) -> (Comparison, Vec<Diagnostic>) {
    let (mut comparison, mut diagnostics) = (Comparison::default(), Vec::new());
    let parameters: Vec<Vec<Node>> = policies.iter().map(parameters).collect();
    for machine in machines {
        let seen = stored::as_stored(machine.node);
        let applying = applying(&seen, policies, &parameters);
        let name = machine.full_name();
        let expected = match expected(machine, templates, !applying.is_empty(), partial) {
            Ok(expected) => expected,
            Err(why) => {
                comparison.uncovered += 1;
                let message = message!("the policies do not cover `{}`: {why}", plain(name));
                diagnostics.push(Diagnostic::warning(NOT_COVERED, message).at(machine.origin, ""));
                continue;
            }
        };
        let found = decided(&seen, &applying);
        if found == expected {
            let count = if found.refusing.is_empty() {
                &mut comparison.accepted
            } else {
                &mut comparison.refused
            };
            *count += 1;
            continue;
        }
        comparison.different += 1;
        let message = message!("the policies and vm check disagree about `{}`", plain(name));
        let diagnostic = Diagnostic::error(EXPORT_DIFFERS, message).at(machine.origin, "");
        let diagnostic = diagnostic.help(message!("vm check: {}", expected.words()));
        diagnostics.push(diagnostic.help(message!("the policies: {}", found.words())));
    }
    (comparison, diagnostics)
}

impl Decision {
    fn words(&self) -> Message {
        let of = |rules: &BTreeSet<String>| {
            plain(rules.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
        };
        match (self.refusing.is_empty(), self.warning.is_empty()) {
            (true, true) => "accepted".into(),
            (true, false) => message!("accepted with warnings of {}", of(&self.warning)),
            (false, true) => message!("refused by {}", of(&self.refusing)),
            (false, false) => {
                message!("refused by {}, warnings of {}", of(&self.refusing), of(&self.warning))
            }
        }
    }
}

/// What `vm check` decides. Fails with the reason if the policies do not cover the virtual machine.
fn expected(
    machine: Object<'_>,
    templates: &Templates,
    is_matched: bool,
    partial: &PartialRules,
) -> Result<Decision, Message> {
    let source = machine::source(machine, templates, None);
    let rules = match &source {
        Source::Own(rules) => Some(&**rules),
        Source::Template(_, rules) => Some(*rules),
        Source::None(_) => None,
    };
    if let Some(rule) = rules.and_then(|it| partial.get(&it.text)) {
        return Err(message!("rule `{}` is not exported", plain(rule)));
    }
    if matches!(source, Source::Own(_)) && !is_matched {
        return Err("it has its own rules, which no template has".into());
    }
    let verdict = verdict::validate(machine, rules);
    if verdict.unchecked().any(|it| it.kind == "vm-decode") {
        return Err("a value has a type that KubeVirt's API rejects".into());
    }
    if let Some(key) = stored::key_in_other_case(machine.node) {
        return Err(message!("the API server ignores `{}`, which differs in case", plain(key)));
    }
    let warning = verdict.broken(Values::Masked).filter(|it| it.is_warning);
    let warning: BTreeSet<String> = warning.map(|it| it.rule.to_owned()).collect();
    let refusing = verdict.refusing().map(str::to_owned).collect();
    Ok(Decision { refusing, warning })
}

fn parameters(policy: &Policy) -> Vec<Node> {
    if policy.parameters.is_empty() {
        return vec![Node::Null];
    }
    policy.parameters.iter().map(|it| manifest::map([("data", manifest::data(it))])).collect()
}

/// The policies that apply to a virtual machine, with the matching parameters. If a condition
/// cannot be evaluated, the request is rejected, so the policy counts as applying.
fn applying<'p>(
    machine: &Node,
    policies: &'p [Policy],
    parameters: &'p [Vec<Node>],
) -> Vec<(&'p Policy, &'p Node)> {
    let pairs = policies.iter().zip(parameters);
    let pairs = pairs.flat_map(|(policy, nodes)| nodes.iter().map(move |it| (policy, it)));
    pairs
        .filter(|(policy, parameters)| {
            policy.conditions.iter().all(|(_, expression)| {
                expression.0.holds_for(&[machine, parameters]).unwrap_or(true)
            })
        })
        .collect()
}

/// The decision of the policies. A rule that cannot be evaluated counts as broken (`failurePolicy:
/// Fail`).
fn decided(machine: &Node, applying: &[(&Policy, &Node)]) -> Decision {
    let mut decision = Decision::default();
    for (policy, parameters) in applying {
        for validation in &policy.validations {
            let holds = validation.expression.0.holds_for(&[machine, parameters]);
            if !holds.unwrap_or(false) {
                let rules =
                    if policy.is_warning { &mut decision.warning } else { &mut decision.refusing };
                rules.insert(validation.rule.clone());
            }
        }
    }
    decision
}
