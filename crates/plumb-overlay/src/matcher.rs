//! The matchers that the `overlay` module creates: native values, called without an interpreter.
//!
//! To templates, a matcher is a function of three arguments, so it is a [`Callable`]; annotations
//! that contain one are recognised and evaluated here. `and_op`, `or_op` and `not_op` may contain
//! functions that users wrote, which are then called.

use std::any::Any;
use std::sync::Arc;

use plumb_diagnostic::Code;
use plumb_source::message::{Term, WrongCall, term};
use plumb_source::{Message, Text, message};
use plumb_value::{CallError, Callable, Datum, Expected, Node};

use crate::error::OverlayError;
use crate::finding::{FUNCTION_FAILED, MISSING_KEY};
use crate::leaf::same_leaf;
use crate::left::Slot;
use crate::subset::contains;

/// How deep `and_op`, `or_op` and `not_op` may be nested.
const DEPTH_LIMIT: usize = 200;

/// A matcher: the value of `overlay.all`, `overlay.index(…)` and the like.
#[derive(Clone, Debug)]
pub struct Matcher(pub(crate) Rule);

/// The kinds of matchers. The enum is closed on purpose: the `overlay` module has exactly these.
#[derive(Clone, Debug)]
pub(crate) enum Rule {
    All,
    Index(i64),
    MapKey(Text),
    Subset(Node),
    And(Parts),
    Or(Parts),
    Not(Parts),
}

/// The parts of a combining matcher: native matchers, functions of users, or values that turn out
/// not to be functions when they are called.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) data: Vec<Datum>,
    depth: usize,
}

/// The arguments of a matcher.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) place: MatchKey<'a>,
    pub(crate) left: &'a Node,
    pub(crate) right: &'a Node,
}

/// The first argument of a matcher.
#[derive(Clone, Copy)]
pub(crate) enum MatchKey<'a> {
    /// The position of an array item or document, computed only if it is needed.
    Position(&'a dyn Positions, Slot),
    /// The key of a map item.
    Key(&'a Node),
}

/// A list that knows the positions of its items.
pub(crate) trait Positions {
    fn position_of(&self, slot: Slot) -> usize;
}

/// Why a matcher failed.
#[derive(Clone, Debug)]
pub(crate) struct MatchError {
    pub(crate) code: Code,
    pub(crate) error: Box<CallError>,
}

impl Matcher {
    /// `overlay.all`: matches every item.
    pub fn all() -> Self {
        Self(Rule::All)
    }

    /// `overlay.index(position)`: matches the item at a position, counted from 0.
    pub fn index(position: i64) -> Self {
        Self(Rule::Index(position))
    }

    /// `overlay.map_key(name)`, and `by="name"` of an annotation: matches items that have an equal
    /// value at the key `name`.
    pub fn map_key(name: Text) -> Self {
        Self(Rule::MapKey(name))
    }

    /// `overlay.subset(expected)`: matches items that contain `expected`. Fails if `expected` is
    /// not data.
    pub fn subset(expected: &Datum) -> Result<Self, CallError> {
        let node = expected.to_node().ok_or_else(|| {
            let found = expected.type_name();
            CallError::new(OverlayError::ArgumentNotData { found }.message())
        })?;
        Ok(Self(Rule::Subset(node)))
    }

    /// `overlay.and_op(part, …)`: matches if all parts do. Fails if matchers are nested too deeply.
    pub fn and(parts: Vec<Datum>) -> Result<Self, CallError> {
        Parts::new(parts).map(|it| Self(Rule::And(it)))
    }

    /// `overlay.or_op(part, …)`: matches if any part does. Fails if matchers are nested too deeply.
    pub fn or(parts: Vec<Datum>) -> Result<Self, CallError> {
        Parts::new(parts).map(|it| Self(Rule::Or(it)))
    }

    /// `overlay.not_op(part)`: matches if the part does not. Fails if matchers are nested too
    /// deeply.
    pub fn not(part: Datum) -> Result<Self, CallError> {
        Parts::new(vec![part]).map(|it| Self(Rule::Not(it)))
    }

    /// Returns the matcher as a value for annotations and templates.
    pub fn into_datum(self) -> Datum {
        Datum::Function(Arc::new(self))
    }

    /// Returns the matcher in a value, or `None` if the value is not a native matcher.
    pub(crate) fn of(datum: &Datum) -> Option<&Self> {
        datum.as_function()?.as_any().downcast_ref()
    }

    /// Returns whether the matcher has an answer for every pair: it neither fails nor calls a
    /// user's function.
    pub(crate) fn is_total(&self) -> bool {
        match &self.0 {
            Rule::All | Rule::Subset(_) => true,
            Rule::Index(_) | Rule::MapKey(_) => false,
            Rule::And(parts) | Rule::Or(parts) | Rule::Not(parts) => {
                parts.data.iter().all(|it| Self::of(it).is_some_and(Self::is_total))
            }
        }
    }

    pub(crate) fn matches(&self, pair: Pair<'_>) -> Result<bool, MatchError> {
        let answer = match &self.0 {
            Rule::All => Ok(true),
            Rule::Index(position) => is_at(*position, pair.place),
            Rule::MapKey(name) => same_value_of(name, pair.left, pair.right),
            Rule::Subset(expected) => Ok(contains(pair.left, expected).is_ok()),
            Rule::And(parts) => parts.first(false, pair).map(|found| !found),
            Rule::Or(parts) => parts.first(true, pair),
            Rule::Not(parts) => parts.first(false, pair),
        };
        answer.map_err(|error| error.within(self))
    }

    /// The name in messages, and in ytt's messages, where `not_op` has the name of `or_op`.
    fn names(&self) -> (&'static str, &'static str) {
        match &self.0 {
            Rule::All => ("overlay.all", "overlay.all"),
            Rule::Index(_) => ("overlay.index", "overlay.index_matcher"),
            Rule::MapKey(_) => ("overlay.map_key", "overlay.map_key_matcher"),
            Rule::Subset(_) => ("overlay.subset", "overlay.subset_matcher"),
            Rule::And(_) => ("overlay.and_op", "overlay.and_op"),
            Rule::Or(_) => ("overlay.or_op", "overlay.or_op"),
            Rule::Not(_) => ("overlay.not_op", "overlay.or_op"),
        }
    }

    fn name_term(&self) -> Term<&'static str> {
        let (own, of_ytt) = self.names();
        term(own, MatcherName(of_ytt))
    }
}

/// The name of a matcher in ytt's messages, where it differs from that of the function.
#[derive(Clone, Copy, Debug)]
pub struct MatcherName(pub &'static str);

impl Callable for Matcher {
    fn name(&self) -> &'static str {
        self.names().1
    }

    fn is_native(&self) -> bool {
        true
    }

    fn arity(&self) -> Option<usize> {
        Some(3)
    }

    /// An error's message begins with the matcher's name.
    fn call(&self, args: Vec<Datum>) -> Result<Datum, CallError> {
        let wrong = |message: Message| CallError::new(message!("{}: {message}", self.name_term()));
        let [place, left, right] = <[Datum; 3]>::try_from(args)
            .map_err(|_| wrong("expected exactly 3 arguments".into()))?;
        let not_data = || wrong(OverlayError::MatchedNotData.message());
        let place = place.to_node().ok_or_else(not_data)?;
        let left = left.to_node().ok_or_else(not_data)?;
        let right = right.to_node().ok_or_else(not_data)?;
        let pair = Pair { place: MatchKey::Key(&place), left: &left, right: &right };
        let answer = self.matches(pair).map_err(|error| *error.error)?;
        Ok(Datum::Node(Node::Bool(answer)))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Parts {
    fn new(data: Vec<Datum>) -> Result<Self, CallError> {
        let depth_of = |matcher: &Matcher| match &matcher.0 {
            Rule::And(parts) | Rule::Or(parts) | Rule::Not(parts) => parts.depth,
            Rule::All | Rule::Index(_) | Rule::MapKey(_) | Rule::Subset(_) => 0,
        };
        let depth = 1 + data.iter().filter_map(Matcher::of).map(depth_of).max().unwrap_or(0);
        if depth > DEPTH_LIMIT {
            let limit = message!("matchers contain each other more than {DEPTH_LIMIT} levels deep");
            return Err(CallError::new(limit));
        }
        Ok(Self { data, depth })
    }

    /// Returns whether any part gives this answer. Later parts are not called.
    fn first(&self, answer: bool, pair: Pair<'_>) -> Result<bool, MatchError> {
        for part in &self.data {
            if ask(part, pair)? == answer {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl MatchError {
    fn new(code: Code, message: impl Into<Message>) -> Self {
        Self { code, error: Box::new(CallError::new(message)) }
    }

    fn within(mut self, matcher: &Matcher) -> Self {
        self.error.message = message!("{}: {}", matcher.name_term(), self.error.message);
        self
    }
}

impl MatchKey<'_> {
    fn to_datum(self) -> Datum {
        Datum::Node(match self {
            Self::Position(list, slot) => {
                let position = list.position_of(slot);
                Node::Int(i64::try_from(position).expect("items fit in memory"))
            }
            Self::Key(key) => key.clone(),
        })
    }
}

/// Calls a matcher or a user's function.
pub(crate) fn ask(function: &Datum, pair: Pair<'_>) -> Result<bool, MatchError> {
    if let Some(matcher) = Matcher::of(function) {
        return matcher.matches(pair);
    }
    let Some(callable) = function.as_function() else {
        let error = WrongCall::NotAFunction { found: function.type_name() };
        return Err(MatchError::new(FUNCTION_FAILED, error));
    };
    let (left, right) = (pair.left.clone(), pair.right.clone());
    let args = vec![pair.place.to_datum(), Datum::Node(left), Datum::Node(right)];
    let answer = callable
        .call(args)
        .map_err(|error| MatchError { code: FUNCTION_FAILED, error: Box::new(error) })?;
    to_bool(&answer)
}

pub(crate) fn to_bool(datum: &Datum) -> Result<bool, MatchError> {
    match datum {
        Datum::Node(Node::Bool(value)) => Ok(*value),
        other => Err(MatchError::new(FUNCTION_FAILED, not_a_bool(other))),
    }
}

pub(crate) fn not_a_bool(datum: &Datum) -> Message {
    message!("expected {}, {}", Expected::Boolean.words(), message::found(datum.type_words()))
}

fn is_at(position: i64, place: MatchKey<'_>) -> Result<bool, MatchError> {
    match place {
        MatchKey::Position(list, slot) => {
            Ok(i64::try_from(list.position_of(slot)).is_ok_and(|at| at == position))
        }
        MatchKey::Key(Node::Int(at)) => Ok(*at == position),
        MatchKey::Key(_) => {
            let message = message!("expected {}", Expected::Integer.words());
            Err(MatchError::new(FUNCTION_FAILED, message))
        }
    }
}

/// Compares scalars by value. A collection cannot be a name, so it matches nothing.
fn same_value_of(name: &Text, left: &Node, right: &Node) -> Result<bool, MatchError> {
    let left = value_of(name, left)?;
    let right = value_of(name, right)?;
    Ok(same_leaf(left, right))
}

fn value_of<'a>(name: &Text, node: &'a Node) -> Result<&'a Node, MatchError> {
    let Some(map) = node.as_map() else {
        let error = OverlayError::NotAMap { found: node.kind() };
        return Err(MatchError::new(MISSING_KEY, error.message()));
    };
    map.get(&Node::String(name.clone())).map(|item| &item.node).ok_or_else(|| {
        MatchError::new(MISSING_KEY, OverlayError::NoItem { key: name.clone() }.message())
    })
}
