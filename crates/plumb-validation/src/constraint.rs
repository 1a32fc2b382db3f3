//! The built-in rules: annotations have them as keywords (`min_len=1`), and the template language
//! as functions (`assert.min_len(1)`).
//!
//! This file defines which values each rule accepts, and two texts: the description of a valid
//! value, and the failure. Neither contains the value.

use std::cmp::Ordering;
use std::sync::Arc;

use plumb_cel::{EvaluationError, EvaluationErrorKind};
use plumb_regexp::Regexp;
use plumb_source::message::plain;
use plumb_source::{Message, Origin, Text, message};
use plumb_value::{MapItem, Node, NodeKind};

use crate::compare::{Incomparable, compare, first_repeated, is_same_value};
use crate::multiple::Multiple;
use crate::{Expression, Format, Work};

/// The requirement of a built-in rule. The enum is closed: annotations can only have these rules.
#[derive(Clone, Debug)]
pub enum Constraint {
    MinLen(i128),
    MaxLen(i128),
    Len(i128),
    Min(Node),
    Max(Node),
    GreaterThan(Node),
    LessThan(Node),
    /// No two items of an array are equal.
    Unique,
    OneOf(Choices),
    NotNull,
    /// Not `""`, zero or `[]`, and not null unless null is allowed.
    NotEmpty {
        lets_null_be: bool,
    },
    /// Exactly one of these keys, or of all keys, is not null.
    OneNotNull(Option<Choices>),
    StartsWith(Text),
    EndsWith(Text),
    Contains(Node),
    Matches(Arc<Regexp>),
    Format(Format),
    Even,
    Odd,
    MultipleOf(Multiple),
    /// An expression that is true for valid values.
    Cel(Expression),
}

/// The allowed values, and their form in messages.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The allowed values.
    pub values: Vec<Node>,
    /// The values as messages show them.
    pub shown: String,
}

/// The result of checking a value against a rule.
#[derive(Clone, Debug)]
pub enum Verdict {
    Holds,
    Broken(Shortfall),
    /// The rule could not be applied: the mistake is in the rule.
    Inapplicable(Inapplicable),
}

/// How a value breaks a rule.
#[derive(Clone, Debug)]
pub enum Shortfall {
    /// Its length is not allowed.
    Length { length: usize, of: Counted },
    /// It has no length.
    NoLength(ValueType),
    /// It is beyond the limit.
    Beyond,
    /// It cannot be compared with the limit, which has a type of this name.
    Incomparable { found: ValueType, limit: &'static str },
    /// It is not one of the allowed values.
    NotAllowed,
    /// It is null.
    Null,
    /// It is a map without keys, but one key must not be null.
    NoKeys,
    /// All these keys are null, but one must not be.
    AllNull(Vec<Node>),
    /// These keys are not null, but only one may be.
    SeveralKeys(Vec<Node>),
    /// It is not a map.
    NotAMap(ValueType),
    /// Another reason, in these words.
    Other(Message),
}

/// The unit of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    Characters,
    Items,
}

/// The type of a value that a rule does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueType {
    /// Its kind.
    pub kind: NodeKind,
    /// Its name in the template language.
    pub name: &'static str,
    /// Whether it is an empty map or array that was written in a document.
    pub is_written_empty: bool,
}

/// A rule that could not be applied to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inapplicable {
    /// Why the rule could not be applied.
    pub problem: Message,
    /// What the author of the rule can do.
    pub help: Option<Message>,
    /// Whether a limit was exceeded.
    pub is_limit: bool,
}

impl Constraint {
    /// What a valid value is.
    pub fn description(&self) -> Message {
        match self {
            Self::MinLen(n) => message!("a length of at least {}", plain(n)),
            Self::MaxLen(n) => message!("a length of at most {}", plain(n)),
            Self::Len(n) => message!("a length of exactly {}", plain(n)),
            Self::Min(limit) => message!("at least {}", plain(limit.repr())),
            Self::Max(limit) => message!("at most {}", plain(limit.repr())),
            Self::GreaterThan(limit) => message!("greater than {}", plain(limit.repr())),
            Self::LessThan(limit) => message!("less than {}", plain(limit.repr())),
            Self::Unique => "items that are all different".into(),
            Self::OneOf(choices) => message!("one of {}", plain(&choices.shown)),
            Self::NotNull => "a value that is not null".into(),
            Self::NotEmpty { .. } => "a value that is not empty".into(),
            Self::OneNotNull(None) => "exactly one of its keys to be not null".into(),
            Self::OneNotNull(Some(keys)) => {
                message!("exactly one of {} to be not null", plain(&keys.shown))
            }
            Self::StartsWith(text) => that("starts with", &Node::String(text.clone())),
            Self::EndsWith(text) => that("ends with", &Node::String(text.clone())),
            Self::Contains(part) => that("contains", part),
            Self::Matches(regexp) => that("matches", &regexp.as_str().into()),
            Self::Format(format) => message!("a value in the format {}", plain(format.name())),
            Self::Even => "an even number".into(),
            Self::Odd => "an odd number".into(),
            Self::MultipleOf(step) => message!("a multiple of {}", plain(step.limit().repr())),
            Self::Cel(expression) => {
                message!("`{}` to be true", plain(expression.source().trim()))
            }
        }
    }

    /// Describes how a value differs from the description, if it breaks the rule in this way.
    pub fn failure(&self, shortfall: &Shortfall) -> Message {
        let found = |it: &ValueType| it.kind.with_article();
        match shortfall {
            Shortfall::Length { length: 0, .. } => "found an empty value".into(),
            Shortfall::Length { of, .. } => match (self, of) {
                (Self::MinLen(_), Counted::Characters) => "found a shorter value".into(),
                (Self::MinLen(_), Counted::Items) => "found fewer items".into(),
                (Self::MaxLen(_), Counted::Characters) => "found a longer value".into(),
                (Self::MaxLen(_), Counted::Items) => "found more items".into(),
                (_, Counted::Characters) => "found a value of another length".into(),
                (_, Counted::Items) => "found another number of items".into(),
            },
            Shortfall::NoLength(it) => message!("found {}, which has no length", found(it)),
            Shortfall::Beyond => match self {
                Self::Min(_) => "found a smaller value".into(),
                Self::Max(_) => "found a larger value".into(),
                Self::GreaterThan(_) => "found a value that is not greater".into(),
                _ => "found a value that is not less".into(),
            },
            Shortfall::Incomparable { found: it, .. } => {
                message!("found {}, which cannot be compared with it", found(it))
            }
            Shortfall::NotAllowed => "found another value".into(),
            Shortfall::Null => "found null".into(),
            Shortfall::NoKeys => "found an empty map".into(),
            Shortfall::AllNull(keys) => match self {
                Self::OneNotNull(None) => message!("found none of {}", key_names(keys.iter())),
                _ => "found none".into(),
            },
            Shortfall::SeveralKeys(keys) => {
                message!("found several: {}", key_names(keys.iter()))
            }
            Shortfall::NotAMap(it) => message!("found {}", found(it)),
            Shortfall::Other(words) => words.clone(),
        }
    }

    /// Like [`Self::check`], but counts the cost. The verdict is meaningless if the cost exceeds
    /// the limit.
    pub fn check_within(&self, value: &Node, work: &Work<'_>) -> Verdict {
        if let Self::Cel(expression) = self {
            let (holds, n_steps) = expression.holds_counted(value);
            work.count(n_steps);
            return expression.verdict(holds);
        }
        if !work.count(self.steps(value)) {
            return Verdict::Holds;
        }
        self.check(value)
    }

    /// Returns the approximate number of steps to check a value, except for rules in CEL.
    fn steps(&self, value: &Node) -> u64 {
        const BYTES_PER_STEP: usize = 64;
        let steps = match (self, value) {
            (Self::Matches(regexp), Node::String(text)) => regexp.work(text.len()) / BYTES_PER_STEP,
            (Self::OneOf(choices) | Self::OneNotNull(Some(choices)), _) => choices.values.len(),
            (_, Node::String(text)) => text.len() / BYTES_PER_STEP,
            (Self::Unique | Self::Contains(_), Node::Array(array)) => array.items.len(),
            (Self::OneNotNull(None), Node::Map(map)) => map.len(),
            (
                Self::MinLen(_)
                | Self::MaxLen(_)
                | Self::Len(_)
                | Self::Min(_)
                | Self::Max(_)
                | Self::GreaterThan(_)
                | Self::LessThan(_)
                | Self::Unique
                | Self::NotNull
                | Self::NotEmpty { .. }
                | Self::OneNotNull(None)
                | Self::StartsWith(_)
                | Self::EndsWith(_)
                | Self::Contains(_)
                | Self::Matches(_)
                | Self::Format(_)
                | Self::Even
                | Self::Odd
                | Self::MultipleOf(_)
                | Self::Cel(_),
                _,
            ) => 0,
        };
        1 + steps as u64
    }

    /// Returns the approximate size of the rule in bytes, in addition to its arguments.
    pub fn size(&self) -> usize {
        match self {
            Self::Matches(regexp) => regexp.kept_size(),
            Self::Cel(expression) => expression.size(),
            Self::OneOf(choices) | Self::OneNotNull(Some(choices)) => {
                let n_nodes: usize =
                    choices.values.iter().map(|it| 1 + it.descendants().count()).sum();
                choices.shown.len() + n_nodes * size_of::<MapItem>()
            }
            Self::MinLen(_)
            | Self::MaxLen(_)
            | Self::Len(_)
            | Self::Min(_)
            | Self::Max(_)
            | Self::GreaterThan(_)
            | Self::LessThan(_)
            | Self::Unique
            | Self::NotNull
            | Self::NotEmpty { .. }
            | Self::OneNotNull(None)
            | Self::StartsWith(_)
            | Self::EndsWith(_)
            | Self::Contains(_)
            | Self::Format(_)
            | Self::Even
            | Self::Odd
            | Self::MultipleOf(_) => 0,
        }
    }

    /// Checks a value against the rule.
    pub fn check(&self, value: &Node) -> Verdict {
        match self {
            Self::MinLen(n) => check_length(value, |length| length >= *n),
            Self::MaxLen(n) => check_length(value, |length| length <= *n),
            Self::Len(n) => check_length(value, |length| length == *n),
            Self::Min(limit) => check_bound(value, limit, Ordering::is_ge),
            Self::Max(limit) => check_bound(value, limit, Ordering::is_le),
            Self::GreaterThan(limit) => check_bound(value, limit, Ordering::is_gt),
            Self::LessThan(limit) => check_bound(value, limit, Ordering::is_lt),
            Self::Unique => check_unique(value),
            Self::OneOf(choices) => {
                let is_one = choices.values.iter().any(|it| is_same_value(it, value));
                unless(is_one, Shortfall::NotAllowed)
            }
            Self::NotNull => unless(!value.is_null(), Shortfall::Null),
            Self::NotEmpty { .. } => unless(!is_empty(value), "found an empty value"),
            Self::OneNotNull(keys) => check_one_not_null(value, keys.as_ref()),
            Self::StartsWith(text) => check_text(value, |it| it.starts_with(text.as_bytes())),
            Self::EndsWith(text) => check_text(value, |it| it.ends_with(text.as_bytes())),
            Self::Contains(part) => unless(contains(value, part), "found a value that does not"),
            Self::Matches(regexp) => check_text(value, |it| regexp.is_match(it)),
            Self::Format(format) => match format.check(value) {
                Ok(()) => Verdict::Holds,
                Err(error) => unless(false, error),
            },
            Self::Even => check_number(value, Multiple::of_two().divides(value)),
            Self::Odd => {
                let is_odd =
                    Multiple::of_one().divides(value) && !Multiple::of_two().divides(value);
                check_number(value, is_odd)
            }
            Self::MultipleOf(step) => check_number(value, step.divides(value)),
            Self::Cel(expression) => expression.verdict(expression.holds_counted(value).0),
        }
    }
}

impl Verdict {
    /// Returns whether the value satisfies the rule.
    pub fn is_positive(&self) -> bool {
        matches!(self, Self::Holds)
    }
}

impl Inapplicable {
    pub(crate) fn of(error: &EvaluationError, expression: &str) -> Self {
        let is_limit = error.kind == EvaluationErrorKind::Limit;
        // The position at which the limit was exceeded is not helpful.
        let part = expression.get(error.at.clone()).filter(|_| !is_limit).unwrap_or(expression);
        let problem = message!("`{}`: {}", plain(shortened(part)), &error.message);
        Self { problem, help: error.help.clone(), is_limit }
    }
}

/// Shortens a part of an expression for a message.
fn shortened(part: &str) -> String {
    let end = part.char_indices().nth(60).map(|(at, _)| at);
    end.map_or_else(|| part.to_owned(), |end| format!("{}…", &part[..end]))
}

/// Returns whether a value is empty. Maps and `false` are never empty.
fn is_empty(value: &Node) -> bool {
    match value {
        Node::Null | Node::Int(0) => true,
        Node::Float(value) => *value == 0.0,
        Node::String(text) => text.is_empty(),
        Node::Array(array) => array.items.is_empty(),
        Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::Map(_) => false,
    }
}

/// Returns the length of a value: the characters of a string, the items of a map or array. Returns
/// `None` for other values.
pub(crate) fn length(value: &Node) -> Option<usize> {
    match value {
        Node::String(text) => Some(match text.as_str() {
            Some(text) => text.chars().count(),
            None => text.as_bytes().utf8_chunks().map(|chunk| count_characters(&chunk)).sum(),
        }),
        Node::Map(map) => Some(map.len()),
        Node::Array(array) => Some(array.items.len()),
        Node::Null | Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::Float(_) => None,
    }
}

fn count_characters(chunk: &std::str::Utf8Chunk<'_>) -> usize {
    chunk.valid().chars().count() + chunk.invalid().len()
}

impl<M: Into<Message>> From<M> for Shortfall {
    fn from(words: M) -> Self {
        Self::Other(words.into())
    }
}

impl ValueType {
    fn of(value: &Node) -> Self {
        let is_written = |it| matches!(it, Origin::Written(_) | Origin::Default(_));
        let is_written_empty = match value {
            Node::Map(map) => map.is_empty() && is_written(map.origin),
            Node::Array(array) => array.items.is_empty() && is_written(array.origin),
            _ => false,
        };
        Self { kind: value.kind(), name: value.type_name(), is_written_empty }
    }
}

fn unless(holds: bool, shortfall: impl Into<Shortfall>) -> Verdict {
    if holds { Verdict::Holds } else { Verdict::Broken(shortfall.into()) }
}

fn that(verb: &str, part: &Node) -> Message {
    message!("a value that {} {}", plain(verb), plain(part.repr()))
}

fn check_length(value: &Node, fits: impl Fn(i128) -> bool) -> Verdict {
    let Some(length) = length(value) else {
        return Verdict::Broken(Shortfall::NoLength(ValueType::of(value)));
    };
    let of = match value {
        Node::String(_) => Counted::Characters,
        _ => Counted::Items,
    };
    let holds = fits(i128::try_from(length).expect("a value has fewer than 2^127 items"));
    unless(holds, Shortfall::Length { length, of })
}

fn check_bound(value: &Node, limit: &Node, admits: fn(Ordering) -> bool) -> Verdict {
    match compare(value, limit) {
        Ok(order) => unless(order.is_some_and(admits), Shortfall::Beyond),
        Err(Incomparable { left, right }) => {
            let found = ValueType { name: left, ..ValueType::of(value) };
            Verdict::Broken(Shortfall::Incomparable { found, limit: right })
        }
    }
}

fn check_unique(value: &Node) -> Verdict {
    let Node::Array(array) = value else {
        let found = value.kind().with_article();
        return unless(false, message!("found {}", plain(found)));
    };
    match first_repeated(&array.items) {
        None => Verdict::Holds,
        Some((first, second)) => {
            unless(false, message!("items [{}] and [{}] are equal", plain(first), plain(second)))
        }
    }
}

fn check_number(value: &Node, fits: bool) -> Verdict {
    let found = match value {
        Node::Int(_) | Node::UInt(_) | Node::Float(_) => "found a number that is not",
        Node::String(_) if Format::Quantity.check(value).is_ok() => "found a quantity that is not",
        Node::String(_) => "found a string that is not a quantity",
        other => {
            return unless(fits, message!("found {}", other.kind().with_article()));
        }
    };
    unless(fits, found)
}

fn check_text(value: &Node, fits: impl Fn(&[u8]) -> bool) -> Verdict {
    match value {
        Node::String(text) => unless(fits(text.as_bytes()), "found a value that does not"),
        other => unless(false, message!("found {}", other.kind().with_article())),
    }
}

fn contains(value: &Node, part: &Node) -> bool {
    match (value, part) {
        (Node::String(text), Node::String(part)) => {
            let (text, part) = (text.as_bytes(), part.as_bytes());
            part.is_empty() || memchr::memmem::find(text, part).is_some()
        }
        (Node::Array(array), _) => array.items.iter().any(|item| is_same_value(&item.node, part)),
        (Node::Map(map), _) => map.items().iter().any(|item| is_same_value(&item.key, part)),
        _ => false,
    }
}

fn check_one_not_null(value: &Node, keys: Option<&Choices>) -> Verdict {
    let Node::Map(map) = value else {
        return Verdict::Broken(Shortfall::NotAMap(ValueType::of(value)));
    };
    let present = map.items().iter().filter(|item| !item.node.is_null());
    let present: Vec<&Node> = match keys {
        None => present.map(|item| &item.key).collect(),
        Some(keys) => keys
            .values
            .iter()
            .filter(|key| map.get(key).is_some_and(|item| !item.node.is_null()))
            .collect(),
    };
    Verdict::Broken(match present.as_slice() {
        [_] => return Verdict::Holds,
        [] if map.is_empty() => Shortfall::NoKeys,
        [] => Shortfall::AllNull(map.items().iter().map(|item| item.key.clone()).collect()),
        several => Shortfall::SeveralKeys(several.iter().copied().cloned().collect()),
    })
}

/// Lists keys. If there are many, lists only the first ones.
fn key_names<'a>(keys: impl ExactSizeIterator<Item = &'a Node>) -> Message {
    const MAX_NAMED: usize = 10;
    let n_more = keys.len().saturating_sub(MAX_NAMED);
    let names = Message::join(keys.take(MAX_NAMED).map(Node::key_words), ", ");
    if n_more == 0 { names } else { message!("{names} and {n_more} more") }
}
