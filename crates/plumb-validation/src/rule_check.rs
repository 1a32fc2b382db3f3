//! Checks one value against one rule.

use std::sync::Arc;

use plumb_diagnostic::{Code, Frame};
use plumb_source::message::plain;
use plumb_source::{Message, message};
use plumb_value::{CallError, Callable, Datum, Node, Step};

use crate::constraint::Inapplicable;
use crate::message::{message_on_one_line, on_one_line};
use crate::{
    Assertion, Cause, CheckFailed, RULE_BROKEN, RULE_FAILED, RULE_STOPPED, Rule, Verdict, Work,
};

/// Why a value is rejected.
pub(crate) struct BrokenRule {
    pub(crate) code: Code,
    pub(crate) failure: Message,
    pub(crate) cause: Cause,
    pub(crate) trace: Vec<Frame>,
    /// The path to the child that the rule blames.
    pub(crate) at: Vec<Step>,
    pub(crate) help: Vec<Message>,
}

impl Rule {
    pub(crate) fn check(&self, value: &Node, work: &Work<'_>) -> Option<BrokenRule> {
        let function = match &self.assertion {
            Assertion::Constraint(constraint) => match constraint.check_within(value, work) {
                Verdict::Holds => return None,
                Verdict::Broken(shortfall) => {
                    let failure = constraint.failure(&shortfall);
                    let constraint = Arc::clone(constraint);
                    let is_described = self.description.is_some();
                    let cause = Cause::Rule { constraint, shortfall, is_described };
                    return Some(BrokenRule::broken(failure, cause));
                }
                Verdict::Inapplicable(inapplicable) => {
                    return Some(BrokenRule::inapplicable(inapplicable));
                }
            },
            Assertion::Function(function) => function,
        };
        match function.call(vec![Datum::Node(value.clone())]) {
            Ok(result) => self.check_result(function.as_ref(), &result),
            Err(error) => Some(self.raised(error, function.as_ref())),
        }
    }

    fn check_result(&self, function: &dyn Callable, result: &Datum) -> Option<BrokenRule> {
        match result {
            Datum::Node(Node::Null | Node::Bool(true)) => None,
            Datum::Tuple(items) if is_approval(items) => None,
            Datum::Tuple(items) if items.is_empty() => {
                let failure = message!("{} returned ()", plain(self.called(function)));
                Some(BrokenRule::without_text(failure))
            }
            Datum::Node(Node::Bool(false)) => {
                let failure = message!("{} returned False", plain(self.called(function)));
                Some(BrokenRule::without_text(failure))
            }
            Datum::Tuple(items) => Some(match BrokenRule::returned(items) {
                Some(broken) if broken.failure.is_empty() => {
                    let failure = message!("{} returned False", plain(self.called(function)));
                    BrokenRule { failure, ..broken }
                }
                Some(broken) => broken,
                None => self.odd_result(function, result),
            }),
            Datum::Node(node) if is_false(node) => {
                let failure =
                    message!("{} returned {}", plain(self.called(function)), plain(node.repr()));
                Some(BrokenRule::without_text(failure))
            }
            _ => Some(self.odd_result(function, result)),
        }
    }

    fn odd_result(&self, function: &dyn Callable, result: &Datum) -> BrokenRule {
        let failure = message!(
            "{} returned {}; a rule returns None, True, False, (True, \"why\") or (False, \"why\")",
            plain(self.called(function)),
            plain(outline(result))
        );
        BrokenRule { code: RULE_FAILED, ..BrokenRule::without_text(failure) }
    }

    /// The result of a rule that ended with an error: a failure of the rule itself, or an error
    /// that it raised to reject the value.
    fn raised(&self, error: CallError, function: &dyn Callable) -> BrokenRule {
        let without = |message: &Message, prefix: &str| message.without_prefix(prefix);
        let text = without(&error.message, "fail: ").unwrap_or_else(|| error.message.clone());
        let text = without(&text, "check: ").unwrap_or(text);
        let by_code = ["assert.validate: ", "assert.valid: "];
        let check = error.facts.as_ref().and_then(|it| it.get::<CheckFailed>());
        let failure = match (check, by_code.iter().find_map(|it| without(&text, it))) {
            // The function delegated the check to an assertion.
            (Some(check), _) => check.message(),
            // The complete message becomes part of another one.
            (None, Some(message)) => message.without_final_stops(),
            (None, None) => without(&text, "assert.fail: fail: ")
                .or_else(|| error.finding.map(|it| it.message))
                .unwrap_or_else(|| text.clone()),
        };
        let failure = message_on_one_line(&failure);
        let (code, failure) = if error.is_deliberate {
            (RULE_BROKEN, failure)
        } else {
            let code = if error.limit.is_some() { RULE_STOPPED } else { RULE_FAILED };
            (code, message!("{} failed: {failure}", plain(self.called(function))))
        };
        let cause = Cause::Function(text);
        let help = error.help.filter(|_| !error.is_deliberate);
        let help = help.into_iter().map(|it| *it).collect();
        BrokenRule { code, failure, cause, at: error.at.into_vec(), trace: error.frames, help }
    }

    /// The name of the function for messages; its place if it has no name.
    fn called(&self, function: &dyn Callable) -> String {
        match function.name() {
            "" | "lambda" => format!("the {} rule", ordinal(self.ordinal)),
            name => format!("\"{name}()\""),
        }
    }
}

impl BrokenRule {
    fn broken(failure: Message, cause: Cause) -> Self {
        let (trace, at, help) = (Vec::new(), Vec::new(), Vec::new());
        Self { code: RULE_BROKEN, failure, cause, trace, at, help }
    }

    /// The result of a function that gave no reason.
    fn without_text(failure: Message) -> Self {
        Self::broken(failure, Cause::Function(Message::new()))
    }

    fn inapplicable(inapplicable: Inapplicable) -> Self {
        let code = if inapplicable.is_limit { RULE_STOPPED } else { RULE_FAILED };
        let help = inapplicable.help.into_iter().collect();
        Self { code, help, ..Self::broken(inapplicable.problem, Cause::Words) }
    }

    /// Reads `(False,)`, `(False, "why")` or `(False, "why", ["child", 0])`. Returns `None` for
    /// anything else.
    fn returned(items: &[Datum]) -> Option<Self> {
        let [Datum::Node(Node::Bool(false)), reasons @ ..] = items else {
            return None;
        };
        let (why, at) = match reasons {
            [] => ("", Vec::new()),
            [why] => (why.as_str()?, Vec::new()),
            [why, at] => (why.as_str()?, steps(&at.to_node()?)?),
            _ => return None,
        };
        let (failure, cause) = (plain(on_one_line(why)), Cause::Function(plain(why).into()));
        Some(Self { at, ..Self::broken(failure.into(), cause) })
    }
}

/// Returns whether the language treats a value as false: zero, or an empty value. Such a value is
/// not secret and can be shown.
fn is_false(node: &Node) -> bool {
    match node {
        Node::Null => false,
        Node::Bool(value) => !value,
        Node::Int(value) => *value == 0,
        Node::UInt(value) => *value == 0,
        Node::Float(value) => *value == 0.0,
        Node::String(text) => text.as_bytes().is_empty(),
        Node::Map(map) => map.is_empty(),
        Node::Array(array) => array.items.is_empty(),
    }
}

/// Reads a tuple that a function returned as its decision. Returns `None` if it does not have the
/// right form.
pub(crate) fn verdict(items: &[Datum]) -> Option<bool> {
    if is_approval(items) {
        return Some(true);
    }
    BrokenRule::returned(items).map(|_| false)
}

/// Recognizes `(True,)` or `(True, "why")`: the value is valid, and the reason is ignored.
fn is_approval(items: &[Datum]) -> bool {
    match items {
        [Datum::Node(Node::Bool(true))] => true,
        [Datum::Node(Node::Bool(true)), why] => {
            matches!(why, Datum::Node(Node::Null | Node::String(_)))
        }
        _ => false,
    }
}

/// Describes a result without the values in it, which may be secret.
pub(crate) fn outline(result: &Datum) -> String {
    let items = match result {
        Datum::Node(Node::Null) => return "None".to_owned(),
        Datum::Tuple(items) => items,
        _ => return with_article(result.type_name()),
    };
    let items: Vec<&str> = items
        .iter()
        .map(|item| match item {
            Datum::Node(Node::Bool(true)) => "True",
            Datum::Node(Node::Bool(false)) => "False",
            other => other.type_name(),
        })
        .collect();
    match items.as_slice() {
        [only] => format!("({only},)"),
        several => format!("({})", several.join(", ")),
    }
}

pub(crate) fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Converts a list of keys and indexes to a path. Returns `None` if it is not such a list.
pub fn steps(path: &Node) -> Option<Vec<Step>> {
    let items = path.as_array()?.items.iter();
    items
        .map(|item| match &item.node {
            Node::String(key) => Some(Step::Key(key.clone())),
            Node::Int(index) => Some(Step::Index(usize::try_from(*index).ok()?)),
            _ => None,
        })
        .collect()
}

fn ordinal(n: usize) -> String {
    let suffix = match (n % 10, n % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{n}{suffix}")
}
