//! The four kinds of rules.

use std::borrow::Cow;
use std::ops::Range as Bytes;

use plumb_source::message::{plain, secret};
use plumb_source::{Message, Part, message};

use super::lookup::{LocatedRuleError, Lookup, integer};
use super::{Value, Violated, refused};
use crate::api::ApiValue;
use crate::pattern::{Pattern, PatternError};
use crate::rule::{Bound, Choice, Constraint, Limit, Rule, RuleError, RuleErrorKind};
use plumb_format::quantity;

/// A violation whose message is still empty, and all values as strings.
type Unworded<'t> = (Violated<'t>, Vec<Cow<'t, str>>);

/// A message lists at most this many values of an `enum` rule.
const MAX_LISTED: usize = 20;

/// Lists of values in messages are truncated after this many bytes.
const MAX_LIST: usize = 16 << 10;

/// The violation, or `None` if the rule is satisfied.
type Checked<'t> = Result<Option<Violated<'t>>, LocatedRuleError<'t>>;

/// The pattern that a rule requires.
struct Required<'a> {
    pattern: &'a Pattern,
    /// Where the rule has it.
    at: &'a Bytes<usize>,
    /// How messages describe it.
    words: Message,
}

impl<'t> Lookup<'t, '_> {
    /// Checks the values against the rule. Only the arguments of the rule's kind are looked up, and
    /// before the values.
    pub(super) fn constraint(&self, rule: &'t Rule) -> Checked<'t> {
        match &rule.constraint {
            Constraint::Integer { min, max } => self.integers(rule, min.as_ref(), max.as_ref()),
            Constraint::String { min_length, max_length } => {
                self.lengths(rule, min_length.as_ref(), max_length.as_ref())
            }
            Constraint::Enum(choices) => self.choices(rule, choices),
            Constraint::Regex(pattern, at) => {
                let words = message!("`{}`", plain(pattern.as_str()));
                self.matches(rule, &Required { pattern, at, words }, |message| {
                    (RuleError::new(RuleErrorKind::Regex, at.clone(), plain(message)), None)
                })
            }
            Constraint::RegexAt(path) => {
                let pattern = Pattern::new(self.argument(path)?.into_owned(), false);
                let words = value_of(&path.text);
                self.matches(rule, &Required { pattern: &pattern, at: &path.at, words }, |_| {
                    let message = "not a regular expression";
                    let rule_error = RuleError::new(RuleErrorKind::Match, path.at.clone(), message);
                    let own = message!("{} is not a regular expression", value_of(&path.text));
                    (rule_error.own(own), None)
                })
            }
        }
    }

    /// Matches every value with a pattern.
    fn matches(
        &self,
        rule: &'t Rule,
        required: &Required<'_>,
        malformed: impl Fn(PatternError) -> LocatedRuleError<'t>,
    ) -> Checked<'t> {
        let Required { pattern, at, words } = required;
        if pattern.needs_compiling() {
            self.spend(pattern.compile_cost(), &rule.path)?;
        }
        let compiled = pattern.compiled().map_err(malformed)?;
        let checked = self.texts(rule, |text| {
            self.spend(compiled.cost(text), &rule.path)?;
            let matched = compiled.is_match(text);
            matched.map_err(|message| {
                (RuleError::new(RuleErrorKind::Match, (*at).clone(), plain(message)), None)
            })
        })?;
        Ok(checked.map(|(violated, texts)| Violated {
            required: message!("a match of {words}"),
            detail: message!(
                "Some of [{}] do not match {}",
                joined(texts.iter().map(secret)),
                secret(pattern.as_str())
            ),
            ..violated
        }))
    }

    fn integers(
        &self,
        rule: &'t Rule,
        min: Option<&'t Bound>,
        max: Option<&'t Bound>,
    ) -> Checked<'t> {
        let range = self.range(min, max)?;
        let values = self.values(&rule.path)?;
        let mut integers = Vec::with_capacity(values.len());
        for value in &values {
            integers.push(integer(value, &rule.path)?);
        }
        if values.is_empty() {
            return Err(Self::no_values(rule));
        }
        let is_refused = |value: &&(_, &i128)| !range.includes(*value.1);
        let pairs: Vec<_> = values.iter().zip(&integers).collect();
        let refused: Vec<_> = pairs.iter().filter(is_refused).map(|it| refused(it.0)).collect();
        if refused.is_empty() {
            return Ok(None);
        }
        let details = integers.iter().map(|value| range.problem(*value));
        let is_quantity = |value: &Value<'_>| value.value().is_some_and(ApiValue::is_quantity);
        let spell = if values.iter().any(is_quantity) { quantity } else { number };
        let required = range.words("an integer", spell);
        Ok(Some(Violated { refused, required, detail: joined(details) }))
    }

    fn range(
        &self,
        min: Option<&'t Bound>,
        max: Option<&'t Bound>,
    ) -> Result<Range<'t>, LocatedRuleError<'t>> {
        let path = |bound: Option<&'t Bound>| match bound {
            Some(Bound::Path(path)) => Some(&*path.text),
            Some(Bound::Literal(_)) | None => None,
        };
        let end = |limit: Option<Limit>, path| limit.map(|limit| End { limit, path });
        let (low, high) = (self.bound(min)?, self.bound(max)?);
        Ok(Range { min: end(low, path(min)), max: end(high, path(max)) })
    }

    fn lengths(
        &self,
        rule: &'t Rule,
        min: Option<&'t Bound>,
        max: Option<&'t Bound>,
    ) -> Checked<'t> {
        let range = self.range(min, max)?;
        let length = |text: &str| i128::try_from(text.len()).unwrap_or(i128::MAX);
        let checked = self.texts(rule, |text| Ok(range.includes(length(text))))?;
        Ok(checked.map(|(violated, _)| Violated {
            required: message!("a length in bytes of {}", range.words("any number", number)),
            detail: message!("Lengths of some strings are not in interval {}", range.interval()),
            ..violated
        }))
    }

    fn choices(&self, rule: &'t Rule, choices: &'t [Choice]) -> Checked<'t> {
        let mut allowed = Vec::with_capacity(choices.len());
        for choice in choices {
            allowed.push(self.choice(choice)?);
        }
        let checked = self.texts(rule, |text| {
            self.spend(allowed.len(), &rule.path)?;
            Ok(allowed.iter().any(|it| it == text))
        })?;
        Ok(checked.map(|(violated, texts)| {
            let listed = choices.iter().take(MAX_LISTED).map(|choice| match choice {
                Choice::Literal(text) => message!("`{}`", plain(text)),
                Choice::Path(path) => value_of(&path.text),
            });
            let listed = Message::join(listed, ", ");
            let required = match allowed.len() {
                0 => "no value: the rule allows none".into(),
                1 => listed,
                n if n > MAX_LISTED => {
                    message!("one of {listed} or {} others", n - MAX_LISTED)
                }
                _ => message!("one of {listed}"),
            };
            let allowed = joined(allowed.iter().map(secret));
            let detail =
                message!("Some of [{}] are not in [{allowed}]", joined(texts.iter().map(secret)));
            Violated { required, detail, ..violated }
        }))
    }

    /// Checks every selected value as a string. The caller fills in the message of a violation, and
    /// gets the values for it.
    fn texts(
        &self,
        rule: &'t Rule,
        admits: impl Fn(&str) -> Result<bool, LocatedRuleError<'t>>,
    ) -> Result<Option<Unworded<'t>>, LocatedRuleError<'t>> {
        let values = self.values(&rule.path)?;
        if values.is_empty() {
            return Err(Self::no_values(rule));
        }
        let mut texts: Vec<Cow<'t, str>> = Vec::with_capacity(values.len());
        let mut refused_values = Vec::new();
        for value in &values {
            let text = self.text(value, &rule.path)?;
            if !admits(&text)? {
                refused_values.push(refused(value));
            }
            texts.push(text);
        }
        if refused_values.is_empty() {
            return Ok(None);
        }
        let (required, detail) = (Message::new(), Message::new());
        let violated = Violated { refused: refused_values, required, detail };
        Ok(Some((violated, texts)))
    }
}

/// Joins values into a list that is short enough to read.
fn joined<P: Part>(values: impl Iterator<Item = P>) -> Message {
    let mut list = Message::new();
    for (at, value) in values.enumerate() {
        if at > 0 {
            list.push(&", ");
        }
        if list.shown().len() > MAX_LIST {
            list.push(&"…");
            break;
        }
        list.push(&value);
    }
    list
}

/// A limit that the rule's author wrote.
fn number(limit: &Limit) -> Message {
    plain(limit).into()
}

/// A limit as a number of bytes, and in a binary unit.
fn quantity(limit: &Limit) -> Message {
    match limit.whole().and_then(quantity::in_binary_unit) {
        Some(spelling) => message!("{} ({})", plain(limit), plain(spelling)),
        None => number(limit),
    }
}

/// The text that replaces a value of the virtual machine in messages that do not show it.
fn value_of(path: &str) -> Message {
    message!("the value of `{}`", plain(path))
}

/// A range that includes both ends.
struct Range<'t> {
    min: Option<End<'t>>,
    max: Option<End<'t>>,
}

/// An end of a range.
struct End<'t> {
    limit: Limit,
    /// The path in the virtual machine where it was found; `None` if the rule contains it.
    path: Option<&'t str>,
}

impl Range<'_> {
    fn includes(&self, value: i128) -> bool {
        self.min.as_ref().is_none_or(|min| min.limit.is_at_most(value))
            && self.max.as_ref().is_none_or(|max| max.limit.is_at_least(value))
    }

    fn words(&self, unlimited: &'static str, spell: fn(&Limit) -> Message) -> Message {
        let spell = |end: &End<'_>| end.path.map_or_else(|| spell(&end.limit), value_of);
        match (self.min.as_ref().map(spell), self.max.as_ref().map(spell)) {
            (Some(min), Some(max)) => message!("{min} to {max}"),
            (Some(min), None) => message!("{min} or more"),
            (None, Some(max)) => message!("{max} or less"),
            (None, None) => unlimited.into(),
        }
    }

    fn interval(&self) -> Message {
        let end = |end: &Option<End<'_>>| end.as_ref().map_or("N/A".into(), End::shown);
        message!("[{}, {}]", end(&self.min), end(&self.max))
    }

    /// The message for a value outside the range. Empty for a value in range.
    fn problem(&self, value: i128) -> Message {
        let mut problem = Message::new();
        if let Some(min) = self.min.as_ref().filter(|min| !min.limit.is_at_most(value)) {
            let (value, min) = (secret(value), min.shown());
            problem.push(&message!("value {value} is lower than minimum [{min}]"));
        }
        if let Some(max) = self.max.as_ref().filter(|max| !max.limit.is_at_least(value)) {
            let (value, max) = (secret(value), max.shown());
            problem.push(&message!("value {value} is higher than maximum [{max}]"));
        }
        problem
    }
}

impl End<'_> {
    /// The limit. It counts as a value of the virtual machine if it was found there.
    fn shown(&self) -> Message {
        match self.path {
            Some(_) => secret(&self.limit).into(),
            None => number(&self.limit),
        }
    }
}
