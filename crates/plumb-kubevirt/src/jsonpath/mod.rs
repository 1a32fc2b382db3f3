//! `JSONPath` in the dialect of kubectl: a template of text and `{expressions}`.
//!
//! [`JsonPath::parse`] reads a template. [`JsonPath::select`] evaluates it over any [`Tree`]: a
//! plain document, or a virtual machine seen through the types of KubeVirt's API.
//!
//! The dialect: `.field` with `\.` for a dot in a name, `['key']`, `[n]`, `[a:b:step]`, `[*]`,
//! `.*`, unions `[0,2]` and `['a','b']`, `..` for all descendants, filters `[?(@.a)]` and `[?(@.a
//! OP literal-or-path)]` with one comparison, `range` and `end`, and quoted text.

mod budget;
mod compare;
mod error;
mod node;
mod parse;
mod select;
mod tree;
mod unquote;

use std::ops::Range;

pub use budget::{Budget, Stop};
pub use compare::Scalar;
pub use error::{SelectError, SelectErrorKind};
pub use parse::SyntaxError;
pub use tree::{Selected, Tree};

/// A template. It selects the values of its blocks, one block after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonPath {
    blocks: Vec<Block>,
}

#[derive(Clone, Debug, PartialEq)]
enum Block {
    /// Text outside braces, which selects itself.
    Text(Literal),
    /// The expression between two braces.
    Expression(Vec<Step>),
}

/// One step of an expression: it maps the values selected so far to new values.
#[derive(Clone, Debug, PartialEq)]
struct Step {
    action: Action,
    /// The bytes of the template with this step.
    at: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
enum Action {
    Field(String),
    /// Every member of a map or element of a list.
    Wildcard,
    /// The value itself and all its descendants.
    Descend,
    Slice(Slice),
    Union(Vec<Vec<Step>>),
    /// Elements for which the path on the left selects something.
    Exists(Vec<Step>),
    Compare {
        left: Vec<Step>,
        operator: Operator,
        right: Vec<Step>,
    },
    Literal(Literal),
    /// Evaluates the blocks up to `End` for each selected value.
    Range,
    End,
    /// Well-formed, but unknown or unsupported: a word or an operator.
    Unknown,
}

/// `[start:end:step]`; a negative number counts from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slice {
    start: Option<i64>,
    end: End,
    step: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// `[n]`: one element.
    Next,
    Last,
    At(i64),
}

impl Slice {
    /// The elements that the slice selects in a list of this length. Returns `None` if there are
    /// none.
    pub(super) fn range(self, length: usize) -> Result<Option<Range<usize>>, SelectErrorKind> {
        let length = i64::try_from(length).map_err(|_| SelectErrorKind::OutOfBounds)?;
        let from_end = |at: i64| if at < 0 { at.saturating_add(length) } else { at };
        let start = from_end(self.start.unwrap_or(0));
        let end = match self.end {
            End::Next => start.saturating_add(1),
            End::Last => length,
            End::At(end) => from_end(end),
        };
        if start == end {
            return Ok(None);
        }
        if !(0..length).contains(&start) || !(start..=length).contains(&end) {
            return Err(SelectErrorKind::OutOfBounds);
        }
        let index = |at: i64| usize::try_from(at).map_err(|_| SelectErrorKind::OutOfBounds);
        Ok(Some(index(start)?..index(end)?))
    }

    pub(super) fn step(self) -> Result<usize, SelectErrorKind> {
        let step = usize::try_from(self.step.unwrap_or(1)).unwrap_or(0);
        if step == 0 { Err(SelectErrorKind::StepNotPositive) } else { Ok(step) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A value that the template itself contains.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Text(String),
    Int(i64),
    Float(f64),
    Bool(bool),
}

impl JsonPath {
    /// The fields from the root to the selected value, with `*` for every element of a list.
    /// Returns `None` if the template is not such a plain path.
    pub(crate) fn plain_path(&self) -> Option<Vec<&str>> {
        let [Block::Expression(steps)] = &*self.blocks else { return None };
        let names = steps.iter().map(|step| match &step.action {
            Action::Field(name) => Some(name.as_str()),
            Action::Wildcard | Action::Slice(Slice { start: None, end: End::Last, step: None }) => {
                Some("*")
            }
            _ => None,
        });
        names.collect()
    }

    /// What makes the template more than a plain path, in words. Returns `None` if it is one.
    pub(crate) fn special_step(&self) -> Option<&'static str> {
        let [Block::Expression(steps)] = &*self.blocks else {
            return Some("text or several paths");
        };
        steps.iter().find_map(|step| match &step.action {
            Action::Field(_)
            | Action::Wildcard
            | Action::Slice(Slice { start: None, end: End::Last, step: None }) => None,
            Action::Slice(Slice { end: End::Next, .. }) => Some("the index of an element"),
            Action::Slice(_) => Some("a slice"),
            Action::Descend => Some("all descendants (`..`)"),
            Action::Union(_) => Some("a union"),
            Action::Exists(_) | Action::Compare { .. } => Some("a filter"),
            Action::Literal(_) => Some("text"),
            Action::Range | Action::End => Some("a range"),
            Action::Unknown => Some("an unknown word"),
        })
    }

    /// The fields that the template starts with, up to the first step of another kind.
    pub(crate) fn leading_fields(&self) -> Vec<&str> {
        let steps = self.blocks.first().map_or(&[][..], Block::steps);
        let names = steps.iter().map_while(|step| match &step.action {
            Action::Field(name) => Some(name.as_str()),
            _ => None,
        });
        names.collect()
    }

    /// The fields that lead to the field at these bytes, with `*` for steps into elements, and its
    /// name.
    pub(crate) fn way_to(&self, at: &Range<usize>) -> Option<(Vec<&str>, &str)> {
        let steps = self.blocks.first().map_or(&[][..], Block::steps);
        let here = steps.iter().position(|step| step.at == *at)?;
        Some((steps[..here].iter().map(Step::name).collect(), steps[here].name()))
    }
}

impl Step {
    /// The name of the field, or `*`.
    fn name(&self) -> &str {
        match &self.action {
            Action::Field(name) => name,
            _ => "*",
        }
    }
}

impl Block {
    fn steps(&self) -> &[Step] {
        match self {
            Self::Text(_) => &[],
            Self::Expression(steps) => steps,
        }
    }
}
