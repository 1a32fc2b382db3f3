//! The values that paths of rules select in a virtual machine.

use std::borrow::Cow;

use plumb_source::message::{plain, secret};
use plumb_source::{Message, message};
use plumb_value::Node;

use super::{Value, exists};
use crate::api::{self, ApiValue, Defaults, IntegerError, MissingReason};
use crate::jsonpath::{Budget, Literal, SelectError, SelectErrorKind, Selected};
use crate::rule::{Bound, Choice, Limit, RuleError, RuleErrorKind, RulePath};

/// A virtual machine, and how paths are looked up in it.
pub(crate) struct Lookup<'t, 'b> {
    pub machine: &'t Node,
    /// The annotation that contains the rules.
    pub annotation: &'t str,
    pub defaults: Defaults,
    pub budget: &'b Budget,
}

/// A fault, and the value that caused it, if there is one.
pub(crate) type LocatedRuleError<'t> = (RuleError, Option<&'t Node>);

impl<'t> Lookup<'t, '_> {
    /// Whether a path leads to an existing value. The reference object is not used. Fails if this
    /// costs too much, because the rule must not be skipped for that reason.
    pub(crate) fn leads_somewhere(&self, path: &'t RulePath) -> Result<bool, LocatedRuleError<'t>> {
        let machine = ApiValue::machine(self.machine, self.defaults);
        let found = path.template.select(machine, self.budget).or_else(|error| {
            path.at_machine().map_or(Err(error), |template| template.select(machine, self.budget))
        });
        self.spend(0, path)?;
        Ok(found.is_ok_and(|found| found.iter().any(exists)))
    }

    /// The values that a path selects: in the virtual machine's template, else in the reference
    /// object, else from the virtual machine as a whole. The next one is tried only if the path
    /// cannot be followed, not if it selects nothing. Written values take precedence:
    /// `.metadata.name` is the name of the virtual machine if its template has no name.
    pub(crate) fn values(
        &self,
        path: &'t RulePath,
    ) -> Result<Vec<Value<'t>>, LocatedRuleError<'t>> {
        let machine = ApiValue::machine(self.machine, self.defaults);
        if let Ok(found) = path.template.select(machine, self.budget) {
            let is_written = |it: &Value<'t>| it.value().is_none_or(|it| it.node().is_some());
            if found.is_empty() || found.iter().any(is_written) {
                return Ok(found);
            }
            let at_machine = path.at_machine().and_then(|it| it.select(machine, self.budget).ok());
            self.spend(0, path)?;
            return Ok(at_machine.filter(|it| it.iter().any(is_written)).unwrap_or(found));
        }
        let error = match path.template.select(ApiValue::reference(), self.budget) {
            Ok(found) => return Ok(found),
            Err(error) => error,
        };
        let at_machine = path.at_machine().and_then(|template| {
            let found = template.select(machine, self.budget);
            found.or_else(|_| template.select(ApiValue::reference(), self.budget)).ok()
        });
        self.spend(0, path)?;
        at_machine.ok_or_else(|| {
            let place = path.place(&error, self.annotation);
            let rule_error = RuleError::new(RuleErrorKind::Path, place, "invalid JSONPath");
            (
                rule_error
                    .own("the path of the rule cannot be evaluated")
                    .hint(why_nowhere(path, &error)),
                None,
            )
        })
    }

    pub(super) fn bound(
        &self,
        bound: Option<&'t Bound>,
    ) -> Result<Option<Limit>, LocatedRuleError<'t>> {
        match bound {
            None => Ok(None),
            Some(Bound::Literal(limit)) => Ok(Some(limit.clone())),
            Some(Bound::Path(path)) => {
                let values = self.values(path)?;
                let mut limits = Vec::with_capacity(values.len());
                for value in &values {
                    limits.push(limit(value, path)?);
                }
                only_one(limits, path).map(Some)
            }
        }
    }

    pub(super) fn choice(&self, choice: &'t Choice) -> Result<Cow<'t, str>, LocatedRuleError<'t>> {
        match choice {
            Choice::Literal(text) => Ok(Cow::Borrowed(text)),
            Choice::Path(path) => self.argument(path),
        }
    }

    /// The only value that a path selects, as a string.
    pub(super) fn argument(
        &self,
        path: &'t RulePath,
    ) -> Result<Cow<'t, str>, LocatedRuleError<'t>> {
        let values = self.values(path)?;
        let mut texts = Vec::with_capacity(values.len());
        for value in &values {
            texts.push(self.text(value, path)?);
        }
        only_one(texts, path)
    }

    /// A value as a string. A long string costs as much as many values.
    pub(super) fn text(
        &self,
        value: &Value<'t>,
        path: &RulePath,
    ) -> Result<Cow<'t, str>, LocatedRuleError<'t>> {
        let text = text(value);
        self.spend(text.len(), path)?;
        Ok(text)
    }

    pub(super) fn spend(&self, units: usize, path: &RulePath) -> Result<(), LocatedRuleError<'t>> {
        if self.budget.spend(units) {
            return Ok(());
        }
        let message = "the rules of this virtual machine take too long to apply";
        Err((RuleError::new(RuleErrorKind::Cost, path.at.clone(), message), None))
    }
}

/// Why a path cannot be followed, and which path is probably meant.
fn why_nowhere(path: &RulePath, error: &SelectError) -> Message {
    if path.text.starts_with(|it: char| it.is_alphanumeric()) {
        return message!("a path starts with a dot: `jsonpath::.{}`", plain(&path.text));
    }
    let way = path.template.way_to(&error.at).filter(|_| error.kind == SelectErrorKind::NotFound);
    match way.and_then(|(way, name)| api::missing(&way, name)) {
        Some(MissingReason::Misspelt(meant)) => {
            message!("{}; did you mean `{meant}`?", plain(error.kind))
        }
        Some(MissingReason::Below(holder)) => {
            let name = path.template.way_to(&error.at).map_or("", |(_, name)| name);
            message!("{}; did you mean `.{holder}.{}`?", plain(error.kind), plain(name))
        }
        Some(MissingReason::Key) => {
            "this virtual machine has no such key; add `valid` to apply the rule only to those that have it".into()
        }
        Some(MissingReason::Field) | None => plain(error.kind).into(),
    }
}

/// A value as a limit. Unlike a value that is compared with it, a limit may have a fraction.
fn limit<'t>(value: &Value<'t>, path: &RulePath) -> Result<Limit, LocatedRuleError<'t>> {
    let node = value.value().and_then(ApiValue::node);
    let fraction = match node {
        Some(Node::Float(number)) => Limit::parse(&number.to_string()),
        _ => None,
    };
    fraction.map_or_else(|| integer(value, path).map(Limit::from), Ok)
}

/// A value as an integer.
pub(crate) fn integer<'t>(
    value: &Value<'t>,
    path: &RulePath,
) -> Result<i128, LocatedRuleError<'t>> {
    let found = match value {
        Selected::Literal(Literal::Int(value)) => return Ok((*value).into()),
        Selected::Literal(_) => IntegerError::Other("a text"),
        Selected::Value(value) => match value.integer() {
            Ok(value) => return Ok(value),
            Err(error) => error,
        },
    };
    let kind = found.kind();
    let message = message!("mismatching type: {kind}, not int or resource.Quantity");
    let mut rule_error =
        RuleError::new(RuleErrorKind::Type, path.at.clone(), message).own(match kind {
            "nothing" => Message::from("it requires an integer, but the field is not set"),
            kind => message!("it requires an integer, but the value is {kind}"),
        });
    if let IntegerError::Quantity(spelling) = found {
        // The spelling reveals the value, and its absence does too.
        let spelling = spelling.map_or("there is none".to_owned(), |it| format!("`{it}`"));
        let spelling = secret(spelling);
        rule_error =
            rule_error.hint(message!("write it as a whole number of a smaller unit: {spelling}"));
    }
    Err((rule_error, value.value().and_then(ApiValue::node)))
}

/// A value as a string.
pub(crate) fn text<'t>(value: &Value<'t>) -> Cow<'t, str> {
    match value {
        Selected::Value(value) => value.text(),
        Selected::Literal(Literal::Text(text)) => Cow::Borrowed(text),
        Selected::Literal(Literal::Int(value)) => Cow::Owned(value.to_string()),
        Selected::Literal(Literal::Float(value)) => Cow::Owned(value.to_string()),
        Selected::Literal(Literal::Bool(value)) => Cow::Owned(value.to_string()),
    }
}

/// The only value of a path that is used as an argument. Fails if the path does not select exactly
/// one value.
fn only_one<'t, T>(mut values: Vec<T>, path: &RulePath) -> Result<T, LocatedRuleError<'t>> {
    match values.pop() {
        Some(value) if values.is_empty() => Ok(value),
        last => {
            let count = values.len() + usize::from(last.is_some());
            let message = message!("expected one value, found {count}");
            let rule_error = RuleError::new(RuleErrorKind::Argument, path.at.clone(), message);
            Err((
                rule_error
                    .own(message!("an argument must be one value, but this path selects {count}")),
                None,
            ))
        }
    }
}
