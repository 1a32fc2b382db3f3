//! Methods of lists.

use std::sync::Arc;

use plumb_source::message;

use super::of_elements;
use crate::Value;
use crate::args::Args;
use crate::error::{Error, Result, bail};
use crate::ops::{CompareOp, extend as extend_list, indices, out_of_range};
use crate::value::List;
use crate::value::builtin::MethodDefinition;
use crate::vm::Thread;

pub(super) const METHODS: &[MethodDefinition] = &[
    of_elements("append", append).keeping(keep),
    of_elements("clear", clear),
    of_elements("extend", extend),
    of_elements("index", index),
    of_elements("insert", insert),
    of_elements("pop", pop),
    of_elements("remove", remove),
];

fn list(receiver: &Value) -> &Arc<List> {
    match receiver {
        Value::List(list) => list,
        _ => unreachable!("methods are looked up by the type of their receiver"),
    }
}

/// Puts the name of the method before the message.
fn named<T>(method: &'static str, result: Result<T>) -> Result<T> {
    result.map_err(|error| error.map_message(|message| message!("{method}: {message}")))
}

fn append(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("append", 1, 1)?;
    keep(thread, receiver, args.get(0).cloned().unwrap_or_default())?;
    Ok(Value::None)
}

fn keep(thread: &mut Thread<'_>, receiver: &Value, value: Value) -> Result<()> {
    named("append", list(receiver).append(thread.heap(), value))
}

fn clear(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("clear", 0, 0)?;
    named("clear", list(receiver).clear())?;
    Ok(Value::None)
}

fn extend(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let [values] = args.unpack::<1>("extend", 1)?;
    if let Some(values) = values {
        let count = values.iterable()?.size_hint().1.unwrap_or(0);
        thread.count_steps(count)?;
        thread.check_memory(count.saturating_mul(size_of::<Value>()))?;
        named("extend", extend_list(thread.heap(), list(receiver), values.value, "extend"))?;
    }
    Ok(Value::None)
}

fn index(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("index", 1, 3)?;
    let elements = list(receiver).elements();
    let none = &Value::None;
    let bound = |at| args.get(at).unwrap_or(none);
    let len = i64::try_from(elements.len()).unwrap_or(i64::MAX);
    let (start, end) = named("index", indices(bound(1), bound(2), len))?;
    thread.count_steps(elements.len())?;
    for at in start..end {
        let element = &elements[usize::try_from(at).unwrap_or(0)];
        if named("index", thread.compare(CompareOp::Equal, element, bound(0)))? {
            return Ok(Value::Int(at));
        }
    }
    bail!("index: value not in list")
}

fn insert(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let [at, value] = args.unpack::<2>("insert", 2)?;
    let (Some(at), Some(value)) = (at, value) else { return Ok(Value::None) };
    let at = at.index()?;
    named("insert", list(receiver).insert(thread.heap(), at, value.value.clone()))?;
    Ok(Value::None)
}

fn remove(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("remove", 1, 1)?;
    let list = list(receiver);
    named("remove", list.check_mutable("remove from"))?;
    let value = args.get(0).unwrap_or(&Value::None);
    let elements = list.elements();
    thread.count_steps(elements.len())?;
    for (at, element) in elements.iter().enumerate() {
        if named("remove", thread.compare(CompareOp::Equal, element, value))? {
            drop(elements);
            named("remove", list.remove(at, "remove from"))?;
            return Ok(Value::None);
        }
    }
    bail!("remove: element not found")
}

fn pop(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let [at] = args.unpack::<1>("pop", 0)?;
    let list = list(receiver);
    let len = list.len();
    let last = i64::try_from(len).unwrap_or(i64::MAX) - 1;
    let index = at.map_or(Ok(last), |it| it.index())?;
    let from_start = if index < 0 { index + last + 1 } else { index };
    let at = usize::try_from(from_start).ok().filter(|&at| at < len);
    let Some(at) = at else { return named("pop", Err(out_of_range("list", len, index))) };
    thread.count_steps((len - at) / 64)?;
    let gone = || Error::new("list index out of range");
    named("pop", list.remove(at, "pop from"))?.ok_or_else(gone)
}
