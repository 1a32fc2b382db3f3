//! The four kinds of rules.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::lookup::{Faulty, Lookup, integer};
use super::{Value, Violated, refused};
use crate::api::ApiValue;
use crate::pattern::Pattern;
use crate::rule::{Bound, Choice, Constraint, Fault, FaultKind, Limit, Rule};
use plumb_format::quantity;

/// A violation without words, and all values as strings.
type Unworded<'t> = (Violated<'t>, Vec<Cow<'t, str>>);

/// A match may go back many times.
const MATCH_COST: usize = 5000;

/// A pattern is compiled in about a tenth of a millisecond; a long one takes longer.
const COMPILE_COST: usize = 2000;
const COMPILE_COST_OF_BYTE: usize = 100;

/// As many values of an `enum` rule are listed in a message.
const MAX_LISTED: usize = 20;

/// Lists of values in messages are cut off beyond so many bytes.
const MAX_LIST: usize = 16 << 10;

/// None if the rule is satisfied.
type Checked<'t> = Result<Option<Violated<'t>>, Faulty<'t>>;

impl<'t> Lookup<'t, '_> {
    /// Arguments are looked up first, and only those of the rule's kind.
    pub(super) fn constraint(&self, rule: &'t Rule) -> Checked<'t> {
        match &rule.constraint {
            Constraint::Integer { min, max } => self.integers(rule, min.as_ref(), max.as_ref()),
            Constraint::String { min_length, max_length } => {
                self.lengths(rule, min_length.as_ref(), max_length.as_ref())
            }
            Constraint::Enum(choices) => self.choices(rule, choices),
            Constraint::Regex(pattern, at) => {
                let words = format!("`{}`", pattern.as_str());
                self.matches(rule, pattern, at, &words, |message| {
                    (Fault::new(FaultKind::Regex, at.clone(), message), None)
                })
            }
            Constraint::RegexAt(path) => {
                let pattern = Pattern::new(self.argument(path)?.into_owned(), false);
                self.matches(rule, &pattern, &path.at, &value_of(&path.text), |_| {
                    let message = "not a regular expression";
                    let fault = Fault::new(FaultKind::Match, path.at.clone(), message);
                    let own = format!("{} is not a regular expression", value_of(&path.text));
                    (fault.own(own), None)
                })
            }
        }
    }

    /// Matches a pattern, which messages have in these words, with every value.
    fn matches(
        &self,
        rule: &'t Rule,
        pattern: &Pattern,
        at: &std::ops::Range<usize>,
        words: &str,
        malformed: impl Fn(String) -> Faulty<'t>,
    ) -> Checked<'t> {
        if pattern.needs_compiling() {
            let cost = COMPILE_COST + COMPILE_COST_OF_BYTE * pattern.as_str().len();
            self.spend(cost, &rule.path)?;
        }
        let compiled = pattern.compiled().map_err(malformed)?;
        let checked = self.texts(rule, |text| {
            self.spend(MATCH_COST, &rule.path)?;
            let matched = compiled.is_match(text);
            matched.map_err(|message| (Fault::new(FaultKind::Match, at.clone(), message), None))
        })?;
        Ok(checked.map(|(violated, texts)| Violated {
            required: format!("a match of {words}"),
            detail: format!("Some of [{}] do not match {}", joined(&texts), pattern.as_str()),
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
        let details: Vec<String> = integers.iter().map(|value| range.complaint(*value)).collect();
        let is_quantity = |value: &Value<'_>| value.value().is_some_and(ApiValue::is_quantity);
        let spell = if values.iter().any(is_quantity) { quantity } else { plain };
        let required = range.words("an integer", spell);
        Ok(Some(Violated { refused, required, detail: joined(&details) }))
    }

    fn range(
        &self,
        min: Option<&'t Bound>,
        max: Option<&'t Bound>,
    ) -> Result<Range<'t>, Faulty<'t>> {
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
            required: format!("a length of {} bytes", range.words("any number of", plain)),
            detail: format!("Lengths of some strings are not in interval {}", range.interval()),
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
                Choice::Literal(text) => format!("`{text}`"),
                Choice::Path(path) => value_of(&path.text),
            });
            let quoted: Vec<String> = listed.collect();
            let required = match allowed.len() {
                0 => "nothing: the rule allows no value".to_owned(),
                1 => quoted.join(""),
                n if n > MAX_LISTED => {
                    format!("one of {} or {} others", quoted.join(", "), n - MAX_LISTED)
                }
                _ => format!("one of {}", quoted.join(", ")),
            };
            let allowed = joined(&allowed);
            let detail = format!("Some of [{}] are not in [{allowed}]", joined(&texts));
            Violated { required, detail, ..violated }
        }))
    }

    /// Checks every selected value as a string. The words of a violation are left to the caller,
    /// who gets the values too.
    fn texts(
        &self,
        rule: &'t Rule,
        admits: impl Fn(&str) -> Result<bool, Faulty<'t>>,
    ) -> Result<Option<Unworded<'t>>, Faulty<'t>> {
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
        let violated =
            Violated { refused: refused_values, required: String::new(), detail: String::new() };
        Ok(Some((violated, texts)))
    }
}

/// Values in a list, as many as anyone would read.
fn joined<S: AsRef<str>>(values: &[S]) -> String {
    let mut list = String::new();
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            list.push_str(", ");
        }
        if list.len() > MAX_LIST {
            list.push('…');
            break;
        }
        list.push_str(value.as_ref());
    }
    list
}

fn plain(limit: &Limit) -> String {
    limit.to_string()
}

/// A number of bytes, and the same in a binary unit.
fn quantity(limit: &Limit) -> String {
    match limit.whole().and_then(quantity::in_binary_unit) {
        Some(spelling) => format!("{limit} ({spelling})"),
        None => limit.to_string(),
    }
}

/// What stands for a value of the machine in words that do not show it.
fn value_of(path: &str) -> String {
    format!("the value of `{path}`")
}

/// Both ends are included.
struct Range<'t> {
    min: Option<End<'t>>,
    max: Option<End<'t>>,
}

/// An end of a range.
struct End<'t> {
    limit: Limit,
    /// Where in the machine it was found; `None` if the rule has it.
    path: Option<&'t str>,
}

impl Range<'_> {
    fn includes(&self, value: i128) -> bool {
        self.min.as_ref().is_none_or(|min| min.limit.is_at_most(value))
            && self.max.as_ref().is_none_or(|max| max.limit.is_at_least(value))
    }

    fn words(&self, unlimited: &str, spell: fn(&Limit) -> String) -> String {
        let spell = |end: &End<'_>| end.path.map_or_else(|| spell(&end.limit), value_of);
        match (self.min.as_ref().map(spell), self.max.as_ref().map(spell)) {
            (Some(min), Some(max)) => format!("{min} to {max}"),
            (Some(min), None) => format!("{min} or more"),
            (None, Some(max)) => format!("{max} or less"),
            (None, None) => unlimited.to_owned(),
        }
    }

    fn interval(&self) -> String {
        let end = |end: &Option<End<'_>>| match end {
            Some(end) => end.limit.to_string(),
            None => "N/A".to_owned(),
        };
        format!("[{}, {}]", end(&self.min), end(&self.max))
    }

    /// Nothing for a value in range.
    fn complaint(&self, value: i128) -> String {
        let mut complaint = String::new();
        let (min, max) = (self.min.as_ref(), self.max.as_ref());
        if let Some(min) = min.map(|it| &it.limit).filter(|min| !min.is_at_most(value)) {
            let _ = write!(complaint, "value {value} is lower than minimum [{min}]");
        }
        if let Some(max) = max.map(|it| &it.limit).filter(|max| !max.is_at_least(value)) {
            let _ = write!(complaint, "value {value} is higher than maximum [{max}]");
        }
        complaint
    }
}
