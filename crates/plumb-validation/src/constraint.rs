//! The built-in rules: annotations name them as keywords (`min_len=1`), and the template language
//! has them as functions (`assert.min_len(1)`).
//!
//! This file defines which values each rule accepts and how it is described: a description of a
//! valid value, and a failure, in Plumb's words and in ytt's for the rules that ytt has. Neither
//! contains the value.

use std::cmp::Ordering;

use plumb_cel::{EvaluationError, EvaluationErrorKind};
use plumb_regexp::Regexp;
use plumb_source::message::{plain, secret};
use plumb_source::{Message, Origin, Text, message};
use plumb_value::Node;

use crate::compare::{Incomparable, compare, first_repeated, is_same_value};
use crate::multiple::Multiple;
use crate::{Expression, Format, Words};

/// What a built-in rule requires. Closed: annotations can name these and no others.
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
    /// Boxed: a compiled expression is large, and most rules are not.
    Matches(Box<Regexp>),
    Format(Format),
    Even,
    Odd,
    MultipleOf(Multiple),
    /// An expression that is true for valid values.
    Cel(Expression),
}

/// The allowed values, and how their author wrote them.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The allowed values.
    pub values: Vec<Node>,
    /// The values as messages show them.
    pub shown: String,
}

/// The result of checking a value against a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    Broken {
        failure: Words,
        /// The prefix of ytt's words if they are raised as an error.
        raised_as: &'static str,
    },
    /// The rule could not be applied: the mistake is in the rule.
    Inapplicable(Inapplicable),
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

/// ytt's functions end with `fail`, except the one that looks for a single value by name.
const FAIL: &str = "fail: ";
const CHECK: &str = "check: ";
/// The prefix of the language's own errors about operand types.
const TYPE_ERROR: &str = "";

impl Constraint {
    /// What a valid value is.
    pub fn description(&self) -> Words {
        match self {
            Self::MinLen(n) => Words::new(
                message!("a length of at least {}", plain(n)),
                message!("length >= {}", plain(n)),
            ),
            Self::MaxLen(n) => Words::new(
                message!("a length of at most {}", plain(n)),
                message!("length <= {}", plain(n)),
            ),
            Self::Len(n) => Words::new(
                message!("a length of exactly {}", plain(n)),
                message!("length == {}", plain(n)),
            ),
            Self::Min(limit) => bound("at least", ">=", limit),
            Self::Max(limit) => bound("at most", "<=", limit),
            Self::GreaterThan(limit) => message!("greater than {}", plain(limit.repr())).into(),
            Self::LessThan(limit) => message!("less than {}", plain(limit.repr())).into(),
            Self::Unique => "items that are all different".into(),
            Self::OneOf(choices) => message!("one of {}", plain(&choices.shown)).into(),
            Self::NotNull => Words::new("a value that is not null", "not null"),
            Self::NotEmpty { .. } => "a value that is not empty".into(),
            Self::OneNotNull(None) => Words::new(
                "exactly one of its keys to be not null",
                "exactly one of all children to be not null",
            ),
            Self::OneNotNull(Some(keys)) => {
                message!("exactly one of {} to be not null", plain(&keys.shown)).into()
            }
            Self::StartsWith(text) => that("starts with", &Node::String(text.clone())),
            Self::EndsWith(text) => that("ends with", &Node::String(text.clone())),
            Self::Contains(part) => that("contains", part),
            Self::Matches(regexp) => that("matches", &regexp.as_str().into()),
            Self::Format(format) => {
                message!("a value in the format {}", plain(format.name())).into()
            }
            Self::Even => "an even number".into(),
            Self::Odd => "an odd number".into(),
            Self::MultipleOf(step) => {
                message!("a multiple of {}", plain(step.limit().repr())).into()
            }
            Self::Cel(expression) => {
                message!("`{}` to be true", plain(expression.source().trim())).into()
            }
        }
    }

    /// Checks a value against the rule.
    pub fn check(&self, value: &Node) -> Verdict {
        match self {
            Self::MinLen(n) => check_length(value, *n, &LengthRule::AT_LEAST),
            Self::MaxLen(n) => check_length(value, *n, &LengthRule::AT_MOST),
            Self::Len(n) => check_length(value, *n, &LengthRule::EXACT),
            Self::Min(limit) => check_bound(value, limit, Bound::Min),
            Self::Max(limit) => check_bound(value, limit, Bound::Max),
            Self::GreaterThan(limit) => check_bound(value, limit, Bound::Above),
            Self::LessThan(limit) => check_bound(value, limit, Bound::Below),
            Self::Unique => check_unique(value),
            Self::OneOf(choices) => {
                let is_one = choices.values.iter().any(|it| is_same_value(it, value));
                unless(is_one, Words::new("found another value", "not one of allowed values"))
            }
            Self::NotNull => unless(!value.is_null(), Words::new("found null", "value is null")),
            Self::NotEmpty { .. } => unless(!is_empty(value), "found an empty value".into()),
            Self::OneNotNull(keys) => check_one_not_null(value, keys.as_ref()),
            Self::StartsWith(text) => check_text(value, |it| it.starts_with(text.as_bytes())),
            Self::EndsWith(text) => check_text(value, |it| it.ends_with(text.as_bytes())),
            Self::Contains(part) => {
                unless(contains(value, part), "found a value that does not".into())
            }
            Self::Matches(regexp) => check_text(value, |it| regexp.is_match(it)),
            Self::Format(format) => match format.check(value) {
                Ok(()) => Verdict::Holds,
                Err(error) => unless(false, error.into()),
            },
            Self::Even => check_number(value, Multiple::of_two().divides(value)),
            Self::Odd => {
                let is_odd =
                    Multiple::of_one().divides(value) && !Multiple::of_two().divides(value);
                check_number(value, is_odd)
            }
            Self::MultipleOf(step) => check_number(value, step.divides(value)),
            Self::Cel(expression) => match expression.holds(value) {
                Ok(holds) => unless(holds, "found false".into()),
                Err(error) => Verdict::Inapplicable(Inapplicable::of(&error, expression.source())),
            },
        }
    }
}

impl Inapplicable {
    fn of(error: &EvaluationError, expression: &str) -> Self {
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
/// `None` for all others.
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

fn unless(holds: bool, failure: Words) -> Verdict {
    if holds { Verdict::Holds } else { Verdict::Broken { failure, raised_as: FAIL } }
}

fn bound(own: &str, peer: &str, limit: &Node) -> Words {
    let limit = &limit.repr();
    Words::new(
        message!("{} {}", plain(own), plain(limit)),
        message!("a value {} {}", plain(peer), plain(limit)),
    )
}

fn that(verb: &str, part: &Node) -> Words {
    message!("a value that {} {}", plain(verb), plain(part.repr())).into()
}

/// How a length is compared, and the failure of a text and of a collection that does not fit. The length itself is
/// not shown, because the value may be secret.
struct LengthRule {
    fits: fn(&i128, &i128) -> bool,
    text: &'static str,
    items: &'static str,
}

impl LengthRule {
    const AT_LEAST: Self =
        Self { fits: i128::ge, text: "found a shorter value", items: "found fewer items" };
    const AT_MOST: Self =
        Self { fits: i128::le, text: "found a longer value", items: "found more items" };
    const EXACT: Self = Self {
        fits: i128::eq,
        text: "found a value of another length",
        items: "found another number of items",
    };
}

fn check_length(value: &Node, limit: i128, rule: &LengthRule) -> Verdict {
    let Some(length) = length(value) else {
        let peer = message!("len: value of type {} has no len", plain(value.type_name()));
        return Verdict::Broken {
            failure: Words::new(
                message!("found {}, which has no length", plain(value.kind().with_article())),
                peer,
            ),
            raised_as: TYPE_ERROR,
        };
    };
    if (rule.fits)(&i128::try_from(length).expect("memory holds fewer items"), &limit) {
        return Verdict::Holds;
    }
    let own = match value {
        _ if length == 0 => "found an empty value",
        Node::String(_) => rule.text,
        _ => rule.items,
    };
    unless(false, Words::new(own, message!("length = {}", secret(length))))
}

#[derive(Clone, Copy)]
enum Bound {
    Min,
    Max,
    Above,
    Below,
}

impl Bound {
    fn admits(self, order: Ordering) -> bool {
        match self {
            Self::Min => order.is_ge(),
            Self::Max => order.is_le(),
            Self::Above => order.is_gt(),
            Self::Below => order.is_lt(),
        }
    }
}

fn check_bound(value: &Node, limit: &Node, bound: Bound) -> Verdict {
    let (operator, opposite, own) = match bound {
        Bound::Min => (">=", "<", "found a smaller value"),
        Bound::Max => ("<=", ">", "found a larger value"),
        Bound::Above => (">", "<=", "found a value that is not greater"),
        Bound::Below => ("<", ">=", "found a value that is not less"),
    };
    match compare(value, limit) {
        Ok(Some(order)) if bound.admits(order) => Verdict::Holds,
        Ok(_) => {
            // Texts are shown without quotes here.
            let limit = limit.as_str().map_or_else(|| limit.repr(), str::to_owned);
            unless(false, Words::new(own, message!("value {} {}", plain(opposite), plain(limit))))
        }
        Err(Incomparable { left, right }) => Verdict::Broken {
            failure: Words::new(
                message!(
                    "found {}, which cannot be compared with it",
                    plain(value.kind().with_article())
                ),
                message!(
                    "{} {} {} not implemented",
                    plain(peer_type_name(value, left)),
                    plain(operator),
                    plain(right)
                ),
            ),
            raised_as: TYPE_ERROR,
        },
    }
}

/// ytt's name for the type of a value in messages of its own rules, where an empty map or array of
/// a document counts as no value.
fn peer_type_name(value: &Node, type_name: &'static str) -> &'static str {
    let is_of_a_document = |origin| matches!(origin, Origin::Written(_) | Origin::Default(_));
    match value {
        Node::Map(map) if map.is_empty() && is_of_a_document(map.origin) => "NoneType",
        Node::Array(array) if array.items.is_empty() && is_of_a_document(array.origin) => {
            "NoneType"
        }
        _ => type_name,
    }
}

fn check_unique(value: &Node) -> Verdict {
    let Node::Array(array) = value else {
        let found = value.kind().with_article();
        return unless(false, message!("found {}", plain(found)).into());
    };
    match first_repeated(&array.items) {
        None => Verdict::Holds,
        Some((first, second)) => unless(
            false,
            message!("items [{}] and [{}] are equal", plain(first), plain(second)).into(),
        ),
    }
}

fn check_number(value: &Node, fits: bool) -> Verdict {
    let found = match value {
        Node::Int(_) | Node::UInt(_) | Node::Float(_) => "found a number that is not",
        Node::String(_) if Format::Quantity.check(value).is_ok() => "found a quantity that is not",
        Node::String(_) => "found a string that is not a quantity",
        other => {
            return unless(fits, message!("found {}", plain(other.kind().with_article())).into());
        }
    };
    unless(fits, found.into())
}

fn check_text(value: &Node, fits: impl Fn(&[u8]) -> bool) -> Verdict {
    match value {
        Node::String(text) => unless(fits(text.as_bytes()), "found a value that does not".into()),
        other => unless(false, message!("found {}", plain(other.kind().with_article())).into()),
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
    let broken = |own: Message, peer: Message| Verdict::Broken {
        failure: Words::new(own, peer),
        raised_as: CHECK,
    };
    let Node::Map(map) = value else {
        let peer = message!(
            "value must be a map or dict, but was '{}'",
            plain(peer_type_name(value, value.type_name()))
        );
        return broken(message!("found {}", plain(value.kind().with_article())), peer);
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
    match present.as_slice() {
        [_] => Verdict::Holds,
        [] if map.is_empty() => broken("found an empty map".into(), "value is empty".into()),
        [] if keys.is_some() => broken("found none".into(), "all values are null".into()),
        [] => {
            let names = key_names(map.items().iter().map(|item| &item.key));
            broken(message!("found none of {names}"), "all values are null".into())
        }
        several => {
            let reprs: Vec<String> = several.iter().map(|key| key.repr()).collect();
            broken(
                message!("found several: {}", key_names(several.iter().copied())),
                message!("[{}] are not null", plain(reprs.join(", "))),
            )
        }
    }
}

/// Lists keys; of many, the first ones.
fn key_names<'a>(keys: impl ExactSizeIterator<Item = &'a Node>) -> Message {
    const MAX_NAMED: usize = 10;
    let n_more = keys.len().saturating_sub(MAX_NAMED);
    let names = Message::join(keys.take(MAX_NAMED).map(Node::key_words), ", ");
    if n_more == 0 { names } else { message!("{names} and {n_more} more") }
}
