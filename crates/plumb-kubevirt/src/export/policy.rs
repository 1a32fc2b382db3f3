//! Policies: the translated rules of a unit, ready to be written and to be evaluated.

use std::collections::HashMap;

use plumb_cel::{CompileError, Program};
use plumb_diagnostic::Diagnostic;
use plumb_source::message::plain;
use plumb_source::{Sources, message};

use super::names::{OBJECT, PARAMETERS};
use super::translate::{self, End, Number};
use super::unit::{LimitId, Unit, Units};
use super::{NOT_EXPORTED, UntranslatableError, matching};
use crate::report::annotation::Annotation;
use crate::rule::{Constraint, Entry, Rules};

/// A policy, which either rejects or warns.
#[derive(Debug)]
pub(super) struct Policy {
    pub name: String,
    /// The name that the policies of one unit and their parameters share.
    pub unit: String,
    pub is_warning: bool,
    pub conditions: Vec<(&'static str, Expression)>,
    pub validations: Vec<Validation>,
    /// The parameters. Empty if the limits are part of the policy.
    pub parameters: Vec<Parameters>,
}

/// A translated rule.
#[derive(Debug)]
pub(super) struct Validation {
    pub rule: String,
    pub message: String,
    pub expression: Expression,
}

/// The values of one object with parameters, by key.
#[derive(Debug)]
pub(super) struct Parameters(pub Vec<(String, String)>);

/// An expression that compiles.
#[derive(Debug)]
pub(super) struct Expression(pub Program);

/// A rule that is not part of any policy.
pub(super) struct LeftOut<'u> {
    entry: &'u Entry,
    rules: &'u Rules,
    n_templates: usize,
    error: UntranslatableError,
}

/// The maximum length of a name that is also the value of a label.
const MAX_NAME: usize = 63;

impl Expression {
    fn new(text: &str) -> Result<Self, CompileError> {
        Program::with_variables(&[OBJECT, PARAMETERS], text).map(Self)
    }
}

impl LeftOut<'_> {
    /// The name of the rule.
    pub(super) fn rule(&self) -> &str {
        &self.entry.name
    }

    pub(super) fn diagnostic(&self, sources: &Sources) -> Diagnostic {
        let message =
            message!("{} is not exported: {}", self.entry.title(), plain(&self.error.why));
        let diagnostic = Diagnostic::warning(NOT_EXPORTED, message);
        let annotation = Annotation::new(self.rules, sources);
        let diagnostic = annotation.label(diagnostic, &self.error.at, "");
        let diagnostic = match self.n_templates {
            0 | 1 => diagnostic,
            n => diagnostic.help(message!("{n} templates have this rule")),
        };
        diagnostic.help("the policies do not apply this rule; the webhook does")
    }
}

/// The policies of a unit: one for rules that reject, and one for rules that only warn.
pub(super) fn policies<'u>(
    unit: &'u Unit,
    units: &Units,
    prefix: &str,
) -> (Vec<Policy>, Vec<LeftOut<'u>>) {
    let rules = unit.rules();
    let keys = if unit.variants.len() > 1 { parameter_keys(unit) } else { HashMap::new() };
    let has_parameters = unit.variants.len() > 1;
    let name = unit_name(prefix, rules);
    let mut left_out = Vec::new();
    let mut validations = [Vec::new(), Vec::new()];
    for (at, entry) in rules.entries.iter().enumerate() {
        let Some(rule) = &entry.rule else { continue };
        let limit = |end, limit: &_| match keys.get(&LimitId { rule: at, end }) {
            Some(key) => {
                Number::Read(format!("int({PARAMETERS}.data[{}])", plumb_cel::quoted(key)))
            }
            None => Number::Known(Clone::clone(limit)),
        };
        let translated = translate::rule(rule, &rules.text, &limit).and_then(|condition| {
            Expression::new(&condition.to_text()).map_err(|error| UntranslatableError {
                at: entry.at.clone(),
                why: format!("its expression does not compile: {}", error.message),
            })
        });
        match translated {
            Ok(expression) => validations[usize::from(entry.just_warning)].push(Validation {
                rule: entry.name.clone(),
                message: one_line(entry),
                expression,
            }),
            Err(error) => {
                left_out.push(LeftOut { entry, rules, n_templates: unit.n_templates(), error });
            }
        }
    }
    let mut policies = Vec::new();
    for (validations, is_warning) in validations.into_iter().zip([false, true]) {
        if validations.is_empty() {
            continue;
        }
        let conditions = matching::conditions(unit, units, has_parameters);
        let conditions = conditions.into_iter().map(|(name, text)| {
            (name, Expression::new(&text).expect("conditions for virtual machines compile"))
        });
        policies.push(Policy {
            name: String::new(),
            unit: name.clone(),
            is_warning,
            conditions: conditions.collect(),
            validations,
            parameters: if has_parameters { parameters(unit, &keys) } else { Vec::new() },
        });
    }
    (policies, left_out)
}

/// Gives each policy a unique name. Units whose rules have the same names are numbered.
pub(super) fn name_apart(policies: &mut [Policy]) {
    let mut n_of_name: HashMap<String, usize> = HashMap::new();
    let mut previous: Option<String> = None;
    let mut is_after_warning = false;
    for policy in policies {
        let is_same_unit =
            previous.as_ref() == Some(&policy.unit) && policy.is_warning && !is_after_warning;
        let written = policy.unit.clone();
        let n = n_of_name.entry(written.clone()).or_default();
        *n += usize::from(!is_same_unit);
        if *n > 1 {
            policy.unit = format!("{written}-{n}");
        }
        policy.name =
            if policy.is_warning { format!("{}-warn", policy.unit) } else { policy.unit.clone() };
        previous = Some(written);
        is_after_warning = policy.is_warning;
    }
}

fn unit_name(prefix: &str, rules: &Rules) -> String {
    let mut name = prefix.to_owned();
    for entry in rules.entries.iter().filter(|it| it.rule.is_some()) {
        let next = slug(&entry.name);
        // Leaves room for a number and for `-warn`.
        if name.len() + next.len() + 10 > MAX_NAME {
            break;
        }
        if !next.is_empty() {
            name = format!("{name}-{next}");
        }
    }
    name
}

/// A name in lower case with hyphens.
fn slug(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words = lower.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| !it.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// The keys of the limits that differ.
fn parameter_keys(unit: &Unit) -> HashMap<LimitId, String> {
    let mut taken = Vec::new();
    let mut keys = HashMap::new();
    for place in unit.differing() {
        let entry = &unit.rules().entries[place.rule];
        let is_length = entry
            .rule
            .as_ref()
            .is_some_and(|it| matches!(it.constraint, Constraint::String { .. }));
        let end = match (place.end, is_length) {
            (End::Min, false) => "min",
            (End::Max, false) => "max",
            (End::Min, true) => "minLength",
            (End::Max, true) => "maxLength",
        };
        let mut key = format!("{}.{end}", slug(&entry.name));
        if taken.contains(&key) || slug(&entry.name).is_empty() {
            key = format!("rule-{}.{end}", place.rule + 1);
        }
        taken.push(key.clone());
        keys.insert(place, key);
    }
    keys
}

fn parameters(unit: &Unit, keys: &HashMap<LimitId, String>) -> Vec<Parameters> {
    let of_variant = |variant: &super::unit::Variant| {
        let mut values = Vec::new();
        for place in unit.differing() {
            let limit = variant.limit(place).expect("the variants of a unit have the same limits");
            values.push((keys[&place].clone(), limit.to_string()));
        }
        values.push((matching::TEMPLATES.to_owned(), variant.templates.join("\n")));
        for (at, text) in variant.texts.iter().enumerate() {
            values.push((format!("{}{}", matching::TEXTS, at + 1), text.to_string()));
        }
        Parameters(values)
    };
    unit.variants.values().map(of_variant).collect()
}

/// The author's message. A policy allows only one line, which must not be blank.
fn one_line(entry: &Entry) -> String {
    let words: Vec<&str> = entry.message.split_whitespace().collect();
    match &*words {
        [] => format!("rule {}", entry.name),
        _ => words.join(" "),
    }
}
