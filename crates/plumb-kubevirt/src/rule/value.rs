//! The values of a rule's keys, each of the type that the key asks for.

use std::ops::Range;

use super::bound::{self, Bound};
use super::draft::Written;
use super::parse::Parser;
use super::path::{PREFIX, RulePath};
use super::{Choice, Fault, FaultKind};
use crate::json::{Reader, Shape, SyntaxError};
use plumb_format::quantity::Quantity;

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

    fn well_formed(&mut self, text: &str, at: Range<usize>) -> Option<RulePath> {
        RulePath::parse(text, at, self.text).map_err(|fault| self.faults.push(fault)).ok()
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
                let value = bound::round(text);
                if value.is_none() {
                    let message = format!("`{key}` is out of range: {text}");
                    let at = start..reader.position();
                    self.faults.push(Fault::new(FaultKind::Parse, at, message));
                }
                Ok(value.map(Bound::Literal))
            }
            Shape::String => {
                let text = reader.string()?;
                let at = start..reader.position();
                if text.starts_with(PREFIX) {
                    return Ok(self.well_formed(&text, at).map(Bound::Path));
                }
                self.faults.push(not_a_bound(&text, key, at));
                Ok(None)
            }
            shape => {
                let expected = format!("a number, or a path that starts with `{PREFIX}`");
                self.mistyped(reader, &format!("`{key}`"), &expected, shape).map(|()| None)
            }
        }
    }

    /// Strings and paths, or numbers; all of one kind, since the value is compared as text.
    pub(super) fn values(&mut self, reader: &mut Reader<'a>) -> Result<Vec<Choice>, SyntaxError> {
        let mut choices = Vec::new();
        let mut first: Option<Shape> = None;
        match reader.shape()? {
            Shape::Null => reader.null()?,
            Shape::Array => reader.array(|reader| {
                let shape = reader.shape()?;
                let kind = if shape == Shape::Null { Shape::String } else { shape };
                if *first.get_or_insert(kind) != kind {
                    let expected = "all strings or all numbers";
                    return self.mistyped(reader, "the elements of `values`", expected, shape);
                }
                choices.extend(self.choice(reader, shape)?);
                Ok(())
            })?,
            shape => self.mistyped(reader, "`values`", "a list", shape)?,
        }
        Ok(choices)
    }

    fn choice(
        &mut self,
        reader: &mut Reader<'a>,
        shape: Shape,
    ) -> Result<Option<Choice>, SyntaxError> {
        let start = reader.position();
        match shape {
            Shape::Null => reader.null().map(|()| Some(Choice::Literal(String::new()))),
            Shape::Number => reader.number().map(|text| Some(Choice::Literal(text.to_owned()))),
            Shape::String => {
                let text = reader.string()?;
                if text.starts_with(PREFIX) {
                    return Ok(self.well_formed(&text, start..reader.position()).map(Choice::Path));
                }
                Ok(Some(Choice::Literal(text.into_owned())))
            }
            Shape::Bool | Shape::Array | Shape::Object => {
                let expected = "strings or numbers";
                self.mistyped(reader, "the elements of `values`", expected, shape).map(|()| None)
            }
        }
    }

    /// Tells of a value of the wrong type, and reads over it.
    pub(super) fn mistyped(
        &mut self,
        reader: &mut Reader<'a>,
        what: &str,
        expected: &str,
        found: Shape,
    ) -> Result<(), SyntaxError> {
        let start = reader.position();
        reader.skip()?;
        let verb = if what.starts_with("the ") { "are" } else { "is" };
        let message = format!("{what} {verb} {expected}, not {}", describe(found));
        self.faults.push(Fault::new(FaultKind::Parse, start..reader.position(), message));
        Ok(())
    }
}

/// A string where a number or a path is wanted; it may be a quantity.
fn not_a_bound(text: &str, key: &str, at: Range<usize>) -> Fault {
    let fault = Fault::new(FaultKind::Parse, at, "invalid JSONPath")
        .own(format!("`{key}` is a number, or a path that starts with `{PREFIX}`, not a text"));
    match Quantity::parse(text).map(Quantity::exact) {
        Ok(Some(value)) => fault.hint(format!("write it as the number {value}")),
        _ => fault,
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
