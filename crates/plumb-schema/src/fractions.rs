//! The places that a schema declares as floats, for rules in CEL.

use std::collections::HashMap;
use std::sync::Arc;

use plumb_validation::{Assertion, Constraint, Fractions, Validation};
use plumb_value::NodeKind;

use crate::field::{Field, Scalar, Type};

/// Passes the floats that a field declares to the CEL expressions among its rules.
pub(crate) fn declare(field: &Field, validations: &mut [Validation]) {
    let rules = validations.iter_mut().flat_map(|it| &mut it.rules);
    let mut expressions = rules.filter_map(|it| match &mut it.assertion {
        Assertion::Constraint(constraint) => match Arc::make_mut(constraint) {
            Constraint::Cel(expression) => Some(expression),
            _ => None,
        },
        Assertion::Function(_) => None,
    });
    let Some(first) = expressions.next() else {
        return;
    };
    if let Some(fractions) = of(field).map(Arc::new) {
        first.declare(&fractions);
        expressions.for_each(|it| it.declare(&fractions));
    }
}

/// Returns the places, or `None` if the field declares no floats.
fn of(field: &Field) -> Option<Fractions> {
    match &field.ty {
        Type::Scalar(Scalar::Float) => Some(Fractions::Here),
        Type::Kinds(kinds) if kinds.as_slice() == [NodeKind::Float] => Some(Fractions::Here),
        Type::Map(ty) => {
            let named = ty
                .entries()
                .filter_map(|(key, field)| Some((key.as_str()?.to_owned(), of(field)?)));
            let named: HashMap<_, _> = named.collect();
            let others = ty.any_key().and_then(of).map(Box::new);
            let is_any = !named.is_empty() || others.is_some();
            is_any.then_some(Fractions::Keys { named, others })
        }
        Type::Array(ty) => of(&ty.item).map(|it| Fractions::Items(Box::new(it))),
        Type::Scalar(_) | Type::Kinds(_) | Type::Choice(_) | Type::Any => None,
    }
}
