//! The number of nodes that an item of an overlay may match: `expects=`, `missing_ok=` and `when=`.

use std::cmp::Ordering;

use plumb_diagnostic::Diagnostic;
use plumb_source::{Message, Text, message};
use plumb_value::{Datum, Node};

use crate::error::OverlayError;
use crate::finding::{BAD_ARGUMENT, FUNCTION_FAILED, finding, from_call};

/// The nesting depth of lists that contain functions. A list can contain itself.
const MAX_DEPTH: u32 = 64;

/// What an item declares about the number of its matches, or inherits from its parents. Only one of
/// the three may be set; that is checked when it is used, as in ytt.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expectation<'r> {
    expects: Option<&'r Datum>,
    missing_ok: Option<&'r Datum>,
    when: Option<&'r Datum>,
    /// The key by which items of arrays are matched if they have no matcher.
    pub(crate) list_key: Option<&'r Text>,
}

/// Whether the number of matches is right.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Met,
    /// `when=` is not true: the item is skipped.
    Skipped,
    /// The number is wrong. The places of the matches may be added to the message.
    Failed(Miss),
}

/// An expectation that was not met.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// Fewer than this: `2` or `>= 2`.
    TooFew(Message),
    /// More than this.
    TooMany(Message),
    /// A user's function returned false.
    Refused,
}

enum Outcome {
    Met,
    Missed(Miss),
}

impl<'r> Expectation<'r> {
    /// Sets a keyword argument. Returns false if the name is not one of the three.
    pub(crate) fn set(&mut self, name: &str, value: &'r Datum) -> bool {
        let place = match name {
            "expects" => &mut self.expects,
            "missing_ok" => &mut self.missing_ok,
            "when" => &mut self.when,
            _ => return false,
        };
        *place = Some(value);
        true
    }

    /// Fills in missing arguments from `inherited`.
    pub(crate) fn or(self, inherited: Self) -> Self {
        Self {
            expects: self.expects.or(inherited.expects),
            missing_ok: self.missing_ok.or(inherited.missing_ok),
            when: self.when.or(inherited.when),
            list_key: self.list_key.or(inherited.list_key),
        }
    }

    /// Returns whether the item itself states how many nodes it matches.
    pub(crate) fn is_counted(&self) -> bool {
        self.expects.is_some()
    }

    pub(crate) fn check(&self, n_matches: usize) -> Result<Verdict, Box<Diagnostic>> {
        let outcome = match (self.missing_ok, self.expects, self.when) {
            (Some(_), Some(_), _) => return Err(only_one("missing_ok", "expects")),
            (Some(_), _, Some(_)) => return Err(only_one("missing_ok", "when")),
            (_, Some(_), Some(_)) => return Err(only_one("when", "expects")),
            (Some(missing_ok), None, None) => check_missing_ok(missing_ok, n_matches)?,
            (None, Some(expects), None) => check_value(expects, "expects", n_matches, MAX_DEPTH)?,
            (None, None, Some(when)) => check_value(when, "when", n_matches, MAX_DEPTH)?,
            (None, None, None) => once(n_matches),
        };
        Ok(match outcome {
            Outcome::Met => Verdict::Met,
            Outcome::Missed(_) if self.when.is_some() => Verdict::Skipped,
            Outcome::Missed(miss) => Verdict::Failed(miss),
        })
    }
}

impl Miss {
    /// Returns the message. `lines` are the places of the nodes that matched.
    pub(crate) fn message(&self, mut lines: Vec<String>) -> Message {
        let error = match self {
            Self::Refused => OverlayError::MatchCountRefused,
            Self::TooFew(expected) | Self::TooMany(expected) => {
                lines.sort_unstable();
                OverlayError::MatchCount { expected: expected.clone(), lines }
            }
        };
        error.message()
    }
}

fn only_one(first: &'static str, second: &'static str) -> Box<Diagnostic> {
    finding(BAD_ARGUMENT, OverlayError::OnlyOne(first, second).message())
}

fn check_missing_ok(value: &Datum, n_matches: usize) -> Result<Outcome, Box<Diagnostic>> {
    match value {
        Datum::Node(Node::Bool(true)) if n_matches == 0 => Ok(Outcome::Met),
        Datum::Node(Node::Bool(_)) => Ok(once(n_matches)),
        _ => Err(finding(BAD_ARGUMENT, OverlayError::MissingOk.message())),
    }
}

/// Checks an argument in which lists are nested to at most this depth.
fn check_value(
    value: &Datum,
    argument: &str,
    n_matches: usize,
    depth: u32,
) -> Result<Outcome, Box<Diagnostic>> {
    match value {
        Datum::Node(node) => check_node(node, argument, n_matches),
        Datum::Function(function) => {
            let given = Datum::Node(Node::Int(i64::try_from(n_matches).expect("they are counted")));
            let answer = function.call(vec![given]).map_err(|it| from_call(FUNCTION_FAILED, it))?;
            match answer {
                Datum::Node(Node::Bool(true)) => Ok(Outcome::Met),
                Datum::Node(Node::Bool(false)) => Ok(Outcome::Missed(Miss::Refused)),
                _ => {
                    let error = OverlayError::NotBoolean { argument: argument.to_owned() };
                    Err(finding(FUNCTION_FAILED, error.message()))
                }
            }
        }
        // A list that contains a function is not plain data.
        Datum::Opaque(list) => match (list.elements(), depth.checked_sub(1)) {
            (Some(parts), Some(depth)) => {
                any_of(&parts, |part| check_value(part, argument, n_matches, depth))
            }
            _ => Err(wrong_type(argument, value)),
        },
        Datum::Tuple(_) | Datum::Documents(_) => Err(wrong_type(argument, value)),
    }
}

fn check_node(node: &Node, argument: &str, n_matches: usize) -> Result<Outcome, Box<Diagnostic>> {
    match node {
        Node::Int(expected) => Ok(count(*expected, n_matches)),
        Node::UInt(expected) => Ok(Outcome::Missed(Miss::TooFew(message!("{expected}")))),
        Node::String(text) => at_least(&text.to_str_lossy(), n_matches),
        Node::Array(array) => any_of(&array.items, |it| check_node(&it.node, argument, n_matches)),
        Node::Null | Node::Bool(_) | Node::Float(_) | Node::Map(_) => {
            Err(wrong_type(argument, &Datum::Node(node.clone())))
        }
    }
}

/// Returns the outcome of the first alternative that is satisfied, otherwise that of the last one.
/// An empty list is satisfied.
fn any_of<T>(
    alternatives: &[T],
    check: impl Fn(&T) -> Result<Outcome, Box<Diagnostic>>,
) -> Result<Outcome, Box<Diagnostic>> {
    let mut last = Ok(Outcome::Met);
    for alternative in alternatives {
        last = check(alternative);
        if let Ok(Outcome::Met) = last {
            break;
        }
    }
    last
}

/// The expectation of an item that does not declare one.
fn once(n_matches: usize) -> Outcome {
    match n_matches {
        0 => Outcome::Missed(Miss::TooFew("1".into())),
        1 => Outcome::Met,
        _ => Outcome::Missed(Miss::TooMany("1".into())),
    }
}

fn count(expected: i64, n_matches: usize) -> Outcome {
    let found = i64::try_from(n_matches).expect("they are counted");
    let words = || message!("{expected}");
    match found.cmp(&expected) {
        Ordering::Less => Outcome::Missed(Miss::TooFew(words())),
        Ordering::Equal => Outcome::Met,
        Ordering::Greater => Outcome::Missed(Miss::TooMany(words())),
    }
}

/// `2+`
fn at_least(text: &str, n_matches: usize) -> Result<Outcome, Box<Diagnostic>> {
    let least = text.strip_suffix('+').and_then(|number| number.parse::<i64>().ok());
    let Some(least) = least else {
        let error = OverlayError::NotACount(text.to_owned());
        let mut finding = finding(BAD_ARGUMENT, error.message());
        finding
            .help
            .push("write a number, a text such as \"1+\", a list of them, or a function".into());
        return Err(finding);
    };
    if i64::try_from(n_matches).is_ok_and(|found| found >= least) {
        Ok(Outcome::Met)
    } else {
        Ok(Outcome::Missed(Miss::TooFew(message!(">= {least}"))))
    }
}

fn wrong_type(argument: &str, found: &Datum) -> Box<Diagnostic> {
    let found = found.type_words().into();
    let error = OverlayError::CountType { argument: argument.to_owned(), found };
    finding(BAD_ARGUMENT, error.message())
}
