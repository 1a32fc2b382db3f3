//! `cel=`: an expression, `("message", "expression")`, or a list of these.

use plumb_value::{Datum, Node};

use super::{ArgumentError, expected, message_of};
use crate::Rule;
use crate::parse::argument::expression;

/// Returns a rule for each expression.
pub(super) fn rules(value: &Datum, ordinal: usize) -> Result<Vec<Rule>, ArgumentError> {
    match value {
        Datum::Node(Node::Array(list)) => {
            let items = list.items.iter().map(|it| Datum::Node(it.node.clone()));
            let ordinals = ordinal..;
            items.zip(ordinals).map(|(item, ordinal)| rule(&item, ordinal)).collect()
        }
        _ => Ok(vec![rule(value, ordinal)?]),
    }
}

fn rule(value: &Datum, ordinal: usize) -> Result<Rule, ArgumentError> {
    let wrong = || {
        let wanted = "an expression, (\"message\", \"expression\") or a list of these";
        expected("cel", wanted, value)
    };
    let (message, source) = match (value, pair(value)) {
        (_, Some([message, source])) => (Some(message_of(&message)?), source),
        (Datum::Node(Node::String(_)), None) => (None, value.clone()),
        _ => return Err(wrong()),
    };
    let constraint = expression(source.as_str().ok_or_else(wrong)?).map_err(|error| {
        let first = pair(value).and_then(|[first, _]| expression(first.as_str()?).ok());
        let is_swapped = first.is_some();
        let help = "the message comes before the expression: (\"message\", \"expression\")";
        if is_swapped { error.help(help) } else { error }
    })?;
    let assertion = constraint.into();
    Ok(Rule { assertion, description: None, message, ordinal, is_named: true, span: None })
}

/// Returns the items of a pair: a tuple, or inside a list, a list of two items.
fn pair(value: &Datum) -> Option<[Datum; 2]> {
    let items: Vec<Datum> = match value {
        Datum::Tuple(items) => items.clone(),
        Datum::Node(Node::Array(array)) => {
            array.items.iter().map(|it| Datum::Node(it.node.clone())).collect()
        }
        _ => return None,
    };
    items.try_into().ok()
}
