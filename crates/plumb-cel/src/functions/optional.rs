//! Optional values.

use std::rc::Rc;

use crate::functions::{Context, Function, global, member};
use crate::operate::{OperationError, Outcome};
use crate::value::{List, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    global("optional.of", 1..=1, |args, _| Ok(Value::some(args[0].clone()))),
    global("optional.none", 0..=0, |_, _| Ok(Value::Optional(None))),
    global("optional.ofNonZeroValue", 1..=1, |args, _| Ok(of_non_zero(&args[0]))),
    global("optional.unwrap", 1..=1, unwrap),
    member("unwrapOpt", 0..=0, unwrap),
    member("first", 0..=0, |args, _| end(args, |list| list.get(0))),
    member("last", 0..=0, |args, _| end(args, |list| list.get(list.len().wrapping_sub(1)))),
    member("hasValue", 0..=0, has_value),
    member("value", 0..=0, value),
    member("or", 1..=1, or),
    member("orValue", 1..=1, or_value),
];

fn of_non_zero<'a>(value: &Value<'a>) -> Value<'a> {
    let is_zero = match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Int(value) => *value == 0,
        Value::UInt(value) => *value == 0,
        Value::Double(value) => *value == 0.0,
        Value::String(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::List(list) => list.is_empty(),
        Value::Map(entries) => entries.len() == 0,
        Value::Optional(inner) => inner.is_none(),
        Value::Duration(span) => *span == 0,
        Value::Timestamp(time) => time.is_first(),
        Value::Type(_) | Value::Special(_) => false,
    };
    if is_zero { Value::Optional(None) } else { Value::some(value.clone()) }
}

/// The present values of a list of optionals.
fn unwrap<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let Value::List(list) = &args[0] else {
        return Err(OperationError::Types);
    };
    context.budget.pay(list.len())?;
    let mut values = Vec::new();
    for item in list.iter() {
        match item {
            Value::Optional(inner) => values.extend(inner.map(|it| Value::clone(&it))),
            _ => return Err(OperationError::Types),
        }
    }
    Ok(Value::list(values))
}

fn end<'a>(args: &[Value<'a>], pick: fn(&List<'a>) -> Option<Value<'a>>) -> Outcome<'a> {
    match &args[0] {
        Value::List(list) => Ok(Value::Optional(pick(list).map(Rc::new))),
        _ => Err(OperationError::Types),
    }
}

fn has_value<'a>(args: &[Value<'a>], _: &mut Context<'_>) -> Outcome<'a> {
    match &args[0] {
        Value::Optional(inner) => Ok(Value::Bool(inner.is_some())),
        _ => Err(OperationError::Types),
    }
}

fn value<'a>(args: &[Value<'a>], _: &mut Context<'_>) -> Outcome<'a> {
    match &args[0] {
        Value::Optional(Some(inner)) => Ok(Value::clone(inner)),
        Value::Optional(None) => Err(OperationError::other("the optional has no value")),
        _ => Err(OperationError::Types),
    }
}

fn or<'a>(args: &[Value<'a>], _: &mut Context<'_>) -> Outcome<'a> {
    match (&args[0], &args[1]) {
        (Value::Optional(None), other @ Value::Optional(_)) => Ok(other.clone()),
        (it @ Value::Optional(Some(_)), Value::Optional(_)) => Ok(it.clone()),
        _ => Err(OperationError::Types),
    }
}

fn or_value<'a>(args: &[Value<'a>], _: &mut Context<'_>) -> Outcome<'a> {
    match &args[0] {
        Value::Optional(Some(inner)) => Ok(Value::clone(inner)),
        Value::Optional(None) => Ok(args[1].clone()),
        _ => Err(OperationError::Types),
    }
}
