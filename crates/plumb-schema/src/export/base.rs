//! The value that is used if none is given, and whether this value is valid.

use std::sync::Arc;

use plumb_validation::{Assertion, Declared, Work};
use plumb_value::Node;

use crate::field::{Field, Type};

/// Returns whether a conforming value also satisfies all rules that the schema can express.
pub(crate) fn is_valid(field: &Field, value: &Node, work: &Work<'_>) -> bool {
    if !work.count(1) {
        return false;
    }
    let are_children_valid = match value {
        Node::Map(map) => map.items().iter().all(|item| {
            Declared::entry(field, &item.key).is_none_or(|field| is_valid(field, &item.node, work))
        }),
        Node::Array(array) => array.items.iter().all(|item| {
            Declared::item(field).is_none_or(|field| is_valid(field, &item.node, work))
        }),
        _ => true,
    };
    let is_complete = Declared::missing(field, value).is_empty();
    let are_children_valid = are_children_valid && is_complete;
    are_children_valid && breaks_no_rule(field, value) && is_among_alternatives(field, value, work)
}

fn is_among_alternatives(field: &Field, value: &Node, work: &Work<'_>) -> bool {
    let Type::Choice(choice) = &field.ty else {
        return true;
    };
    if value.is_null() && field.is_nullable {
        return true;
    }
    let satisfied = choice.alternatives.iter();
    let satisfied = satisfied
        .filter(|it| it.fit(value, work).is_some_and(|value| is_valid(it, &value, work)))
        .count();
    choice.mode.is_met(satisfied, choice.alternatives.len())
}

pub(super) fn breaks_no_rule(field: &Field, value: &Node) -> bool {
    field.validations.iter().filter(|it| it.when.is_none()).all(|validation| {
        let is_checked = !value.is_null() || validation.forbids_null();
        let mut rules = validation.rules.iter();
        !is_checked
            || rules.all(|rule| match &rule.assertion {
                Assertion::Constraint(constraint) => constraint.check(value).is_positive(),
                Assertion::Function(_) => true,
            })
    })
}

/// Returns whether the default of a map consists only of the defaults of its keys, which are
/// exported with the keys.
pub(super) fn is_described_by_keys(field: &Field) -> bool {
    match (&field.ty, &field.default) {
        (Type::Map(ty), Node::Map(default)) => Arc::ptr_eq(ty.default(), default),
        _ => false,
    }
}
