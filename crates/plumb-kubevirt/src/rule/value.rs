//! Reads the values of a rule's keys, each with the type that the key requires.

use std::ops::Range;

use plumb_source::message::plain;

use super::bound::{Bound, Limit};
use super::draft::{Regex, Written};
use super::parse::Parser;
use super::path::{PREFIX, RulePath, meant};
use super::{Choice, RuleError, RuleErrorKind};
use crate::json::{Reader, Shape, SyntaxError};
use plumb_format::quantity::Quantity;

/// The greatest number of values of an `enum` rule.
const MAX_VALUES: usize = 10_000;

impl<'a> Parser<'a> {
    pub(super) fn string(
        &mut self,
        reader: &mut Reader<'a>,
        key: &str,
    ) -> Result<Option<Written>, SyntaxError> {
        let start = reader.position();
        match reader.shape()? {
            Shape::Null => reader.null().map(|()| None),
            Shape::String => {
                let text = reader.string()?.into_owned();
                Ok(Some(Written { text, at: start..reader.position() }))
            }
            shape => self.mistyped(reader, &format!("`{key}`"), "a string", shape).map(|()| None),
        }
    }

    pub(super) fn bool(&mut self, reader: &mut Reader<'a>, key: &str) -> Result<bool, SyntaxError> {
        match reader.shape()? {
            Shape::Null => reader.null().map(|()| false),
            Shape::Bool => reader.bool(),
            shape => {
                let expected = "`true` or `false`";
                self.mistyped(reader, &format!("`{key}`"), expected, shape).map(|()| false)
            }
        }
    }

    pub(super) fn path(
        &mut self,
        reader: &mut Reader<'a>,
        key: &str,
    ) -> Result<Option<RulePath>, SyntaxError> {
        let shape = reader.shape()?;
        if shape != Shape::String {
            let expected = format!("a path that starts with `{PREFIX}`");
            return self.mistyped(reader, &format!("`{key}`"), &expected, shape).map(|()| None);
        }
        let start = reader.position();
        let text = reader.string()?;
        Ok(self.well_formed(&text, start..reader.position()))
    }

    /// A pattern, or a path to one.
    pub(super) fn regex(&mut self, reader: &mut Reader<'a>) -> Result<Option<Regex>, SyntaxError> {
        let Some(written) = self.string(reader, "regex")? else { return Ok(None) };
        if written.text.starts_with(PREFIX) {
            return Ok(self.well_formed(&written.text, written.at).map(Regex::Path));
        }
        Ok(Some(Regex::Pattern(written)))
    }

    fn well_formed(&mut self, text: &str, at: Range<usize>) -> Option<RulePath> {
        RulePath::parse(text, at, self.text).map_err(|rule_error| self.unusable(rule_error)).ok()
    }

    pub(super) fn bound(
        &mut self,
        reader: &mut Reader<'a>,
        key: &str,
    ) -> Result<Option<Bound>, SyntaxError> {
        let start = reader.position();
        match reader.shape()? {
            Shape::Null => reader.null().map(|()| None),
            Shape::Number => {
                let text = reader.number()?;
                let value = Limit::parse(text);
                if value.is_none() {
                    let message = format!("`{key}` is out of range: {text}");
                    let at = start..reader.position();
                    self.unusable(RuleError::new(RuleErrorKind::Parse, at, plain(message)));
                }
                Ok(value.map(Bound::Literal))
            }
            Shape::String => {
                let text = reader.string()?;
                let at = start..reader.position();
                if text.starts_with(PREFIX) {
                    return Ok(self.well_formed(&text, at).map(Bound::Path));
                }
                self.unusable(not_a_bound(&text, key, at));
                Ok(None)
            }
            shape => {
                let expected = format!("a number or a path that starts with `{PREFIX}`");
                self.mistyped(reader, &format!("`{key}`"), &expected, shape).map(|()| None)
            }
        }
    }

    /// Reads strings, paths, numbers and booleans, which are all compared as text.
    pub(super) fn values(&mut self, reader: &mut Reader<'a>) -> Result<Vec<Choice>, SyntaxError> {
        let mut choices = Vec::new();
        match reader.shape()? {
            Shape::Null => reader.null()?,
            Shape::Array => reader.array(|reader| {
                if choices.len() == MAX_VALUES {
                    return Err(reader.too_many_values());
                }
                choices.extend(self.choice(reader)?);
                Ok(())
            })?,
            shape => self.mistyped(reader, "`values`", "a list", shape)?,
        }
        Ok(choices)
    }

    fn choice(&mut self, reader: &mut Reader<'a>) -> Result<Option<Choice>, SyntaxError> {
        let start = reader.position();
        match reader.shape()? {
            Shape::Null => reader.null().map(|()| Some(Choice::Literal("".into()))),
            Shape::Number => {
                reader.number().map(|text| Some(Choice::Literal(rendered(text).into())))
            }
            Shape::Bool => {
                reader.bool().map(|value| Some(Choice::Literal(value.to_string().into())))
            }
            Shape::String => {
                let text = reader.string()?;
                if text.starts_with(PREFIX) {
                    return Ok(self
                        .well_formed(&text, start..reader.position())
                        .map(|it| Choice::Path(Box::new(it))));
                }
                Ok(Some(Choice::Literal(text.into())))
            }
            shape @ (Shape::Array | Shape::Object) => {
                let expected = "a string, a number or a boolean";
                self.mistyped(reader, "an element of `values`", expected, shape).map(|()| None)
            }
        }
    }

    /// Reports a value of the wrong type, and skips it.
    pub(super) fn mistyped(
        &mut self,
        reader: &mut Reader<'a>,
        what: &str,
        expected: &str,
        found: Shape,
    ) -> Result<(), SyntaxError> {
        let start = reader.position();
        reader.skip()?;
        let message = format!("{what} must be {expected}, not {}", describe(found));
        self.unusable(RuleError::new(
            RuleErrorKind::Parse,
            start..reader.position(),
            plain(message),
        ));
        Ok(())
    }
}

/// A number in the form in which values of a virtual machine are converted to text: `4.0` and `4e0`
/// become `4`.
fn rendered(number: &str) -> String {
    match number.parse::<f64>() {
        Ok(value) if value.is_finite() && number.contains(['.', 'e', 'E']) => value.to_string(),
        _ => number.to_owned(),
    }
}

/// The error for a string instead of a number or a path; it may be a quantity.
fn not_a_bound(text: &str, key: &str, at: Range<usize>) -> RuleError {
    let rule_error = RuleError::new(RuleErrorKind::Parse, at, "invalid JSONPath")
        .own(plain(format!("`{key}` must be a number or a path that starts with `{PREFIX}`")));
    match Quantity::parse(text).map(Quantity::exact) {
        Ok(Some(value)) => rule_error.hint(plain(format!("write it as the number {value}"))),
        _ => match meant(text).filter(|_| text.contains('.')) {
            Some(path) => rule_error.hint(plain(format!("write `{PREFIX}{path}`"))),
            None => rule_error,
        },
    }
}

fn describe(shape: Shape) -> &'static str {
    match shape {
        Shape::Null => "null",
        Shape::Bool => "a boolean",
        Shape::Number => "a number",
        Shape::String => "a string",
        Shape::Array => "a list",
        Shape::Object => "an object",
    }
}
