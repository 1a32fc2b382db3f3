//! The methods of sets. ytt's dialect only has `union` with one argument.

use std::sync::Arc;

use ecow::EcoVec;
use plumb_source::message;

use super::of_elements;
use crate::Value;
use crate::args::Args;
use crate::builtins::collect;
use crate::error::{Result, bail};
use crate::language::Language;
use crate::value::Set;
use crate::value::builtin::MethodDefinition;
use crate::vm::Thread;

pub(super) const METHODS: &[MethodDefinition] = &[
    of_elements("add", add).modern(),
    of_elements("clear", clear).modern(),
    of_elements("difference", difference).modern(),
    of_elements("difference_update", difference_update).modern(),
    of_elements("discard", discard).modern(),
    of_elements("intersection", intersection).modern(),
    of_elements("intersection_update", intersection_update).modern(),
    of_elements("isdisjoint", isdisjoint).modern(),
    of_elements("issubset", issubset).modern(),
    of_elements("issuperset", issuperset).modern(),
    of_elements("pop", pop).modern(),
    of_elements("remove", remove).modern(),
    of_elements("symmetric_difference", symmetric_difference).modern(),
    of_elements("symmetric_difference_update", symmetric_difference_update).modern(),
    of_elements("union", union),
    of_elements("update", update).modern(),
];

fn set(receiver: &Value) -> &Arc<Set> {
    match receiver {
        Value::Set(set) => set,
        _ => unreachable!("methods are looked up by the type of their receiver"),
    }
}

/// Puts the name of the method before the message.
fn named<T>(method: &'static str, result: Result<T>) -> Result<T> {
    result.map_err(|error| error.map_message(|message| message!("{method}: {message}")))
}

/// The elements of the only argument.
fn other(thread: &mut Thread<'_>, args: &Args<'_>, method: &'static str) -> Result<EcoVec<Value>> {
    let [values] = args.unpack::<1>(method, 1)?;
    match values {
        Some(values) => collect(thread, values.iterable()?),
        None => Ok(EcoVec::new()),
    }
}

/// The elements of each of any number of arguments.
fn others(
    thread: &mut Thread<'_>,
    args: &Args<'_>,
    method: &'static str,
) -> Result<Vec<EcoVec<Value>>> {
    let arguments = args.unpack_all(method)?;
    arguments.map(|it| collect(thread, it.iterable()?)).collect()
}

/// A new set of these elements. Its memory is charged first.
fn made(thread: &mut Thread<'_>, method: &'static str, elements: Vec<Value>) -> Result<Value> {
    thread.count_steps(elements.len())?;
    thread.check_memory(elements.len().saturating_mul(2 * size_of::<Value>()))?;
    Ok(Value::Set(Arc::new(named(method, Set::from_values(elements))?)))
}

/// The elements of a set that are in all of the others, or in none of them.
fn filtered(
    thread: &mut Thread<'_>,
    receiver: &Value,
    args: &Args<'_>,
    method: &'static str,
    is_kept: bool,
) -> Result<Vec<Value>> {
    let mut kept = set(receiver).elements();
    for other in others(thread, args, method)? {
        thread.count_steps(kept.len())?;
        let other = named(method, Set::from_values(other))?;
        kept.retain(|it| other.contains(it).unwrap_or(false) == is_kept);
    }
    Ok(kept)
}

/// Replaces the elements of a set by some of them.
fn replace(
    thread: &mut Thread<'_>,
    receiver: &Value,
    method: &'static str,
    elements: Vec<Value>,
) -> Result<Value> {
    thread.count_steps(elements.len())?;
    let set = set(receiver);
    named(method, set.0.clear())?;
    for element in elements {
        named(method, set.insert(thread.heap(), element))?;
    }
    Ok(Value::None)
}

fn add(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("add", 1, 1)?;
    let element = args.get(0).cloned().unwrap_or_default();
    named("add", set(receiver).insert(thread.heap(), element))?;
    Ok(Value::None)
}

fn clear(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("clear", 0, 0)?;
    named("clear", set(receiver).0.clear())?;
    Ok(Value::None)
}

fn difference(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let kept = filtered(thread, receiver, args, "difference", false)?;
    made(thread, "difference", kept)
}

fn difference_update(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let kept = filtered(thread, receiver, args, "difference_update", false)?;
    replace(thread, receiver, "difference_update", kept)
}

fn discard(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("discard", 1, 1)?;
    named("discard", set(receiver).0.remove(args.get(0).unwrap_or(&Value::None)))?;
    Ok(Value::None)
}

fn intersection(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let kept = filtered(thread, receiver, args, "intersection", true)?;
    made(thread, "intersection", kept)
}

fn intersection_update(
    thread: &mut Thread<'_>,
    receiver: &Value,
    args: &Args<'_>,
) -> Result<Value> {
    let kept = filtered(thread, receiver, args, "intersection_update", true)?;
    replace(thread, receiver, "intersection_update", kept)
}

fn isdisjoint(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    for element in &other(thread, args, "isdisjoint")? {
        if named("isdisjoint", set(receiver).contains(element))? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn issubset(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let other = other(thread, args, "issubset")?;
    let other = named("issubset", Set::from_values(other))?;
    thread.count_steps(set(receiver).len())?;
    Ok(Value::Bool(set(receiver).is_subset(&other)))
}

fn issuperset(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    for element in &other(thread, args, "issuperset")? {
        if !named("issuperset", set(receiver).contains(element))? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn pop(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("pop", 0, 0)?;
    match named("pop", set(receiver).0.remove_first())? {
        Some((element, _)) => Ok(element),
        None => bail!("pop: empty set"),
    }
}

fn remove(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("remove", 1, 1)?;
    match named("remove", set(receiver).0.remove(args.get(0).unwrap_or(&Value::None)))? {
        Some(_) => Ok(Value::None),
        None => bail!("remove: missing key"),
    }
}

fn symmetric_difference(
    thread: &mut Thread<'_>,
    receiver: &Value,
    args: &Args<'_>,
) -> Result<Value> {
    let other = other(thread, args, "symmetric_difference")?;
    let other = named("symmetric_difference", Set::from_values(other))?;
    thread.count_steps(set(receiver).len())?;
    made(thread, "symmetric_difference", set(receiver).in_one_of(&other))
}

fn symmetric_difference_update(
    thread: &mut Thread<'_>,
    receiver: &Value,
    args: &Args<'_>,
) -> Result<Value> {
    let other = other(thread, args, "symmetric_difference_update")?;
    let other = named("symmetric_difference_update", Set::from_values(other))?;
    thread.count_steps(set(receiver).len())?;
    let elements = set(receiver).in_one_of(&other);
    replace(thread, receiver, "symmetric_difference_update", elements)
}

fn union(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    if thread.language() == Language::Ytt {
        args.check("union", 0, 1)?;
    }
    let others = others(thread, args, "union")?;
    thread.count_steps(set(receiver).len())?;
    let mut elements = set(receiver).elements();
    elements.extend(others.into_iter().flatten());
    made(thread, "union", elements)
}

fn update(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    for other in others(thread, args, "update")? {
        thread.check_memory(other.len().saturating_mul(2 * size_of::<Value>()))?;
        for element in other {
            named("update", set(receiver).insert(thread.heap(), element))?;
        }
    }
    Ok(Value::None)
}
