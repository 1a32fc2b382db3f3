//! `@overlay/assert`: checks that the matched node is as the overlay expects.

use plumb_diagnostic::Diagnostic;
use plumb_source::message::plain;
use plumb_value::{Callable, Datum, Node};

use crate::annotation::assert_via_not_a_function;
use crate::error::OverlayError;
use crate::finding::{ASSERTION_FAILED, FUNCTION_FAILED, finding, from_call, label_left};
use crate::item::Item;
use crate::subset::contains;

/// Checks a matched item, with a function if there is one.
pub(crate) fn check<I: Item>(
    left: &I,
    right: &I,
    via: Option<&Datum>,
) -> Result<(), Box<Diagnostic>> {
    let result = match via {
        None => contains(left.node(), right.node()).map_err(|mismatch| {
            finding(ASSERTION_FAILED, OverlayError::NotEqual(mismatch).message())
        }),
        Some(Datum::Function(via)) => {
            call_via(&**via, left.node(), right.node()).and_then(|it| check_result(&it))
        }
        Some(other) => Err(assert_via_not_a_function(other)),
    };
    result.map_err(|it| label_left(it, "fails here", [left.origin()].into_iter()))
}

/// Calls the `via=` of an annotation.
pub(crate) fn call_via(
    via: &dyn Callable,
    left: &Node,
    right: &Node,
) -> Result<Datum, Box<Diagnostic>> {
    let args = vec![Datum::Node(left.clone()), Datum::Node(right.clone())];
    via.call(args).map_err(|error| from_call(FUNCTION_FAILED, error))
}

/// Checks the value that the function of an assertion returned.
fn check_result(result: &Datum) -> Result<(), Box<Diagnostic>> {
    let answer = match result {
        Datum::Node(Node::Null) => return Ok(()),
        Datum::Node(Node::Bool(answer)) => Some((*answer, None)),
        Datum::Tuple(parts) => match &parts[..] {
            [Datum::Node(answer), Datum::Node(message)] => answer_of(answer, message),
            _ => None,
        },
        Datum::Node(Node::Array(array)) => match &array.items[..] {
            [answer, message] => answer_of(&answer.node, &message.node),
            _ => None,
        },
        Datum::Node(_) | Datum::Documents(_) | Datum::Function(_) | Datum::Opaque(_) => None,
    };
    match answer {
        Some((true, _)) => Ok(()),
        Some((false, message)) => {
            let message = message.map(|it| plain(it).into());
            Err(finding(ASSERTION_FAILED, OverlayError::AssertionFailed(message).message()))
        }
        None => Err(finding(FUNCTION_FAILED, OverlayError::WrongAnswer.message())),
    }
}

fn answer_of(answer: &Node, message: &Node) -> Option<(bool, Option<String>)> {
    match (answer, message) {
        (Node::Bool(answer), Node::String(message)) => Some((*answer, Some(message.to_string()))),
        _ => None,
    }
}
