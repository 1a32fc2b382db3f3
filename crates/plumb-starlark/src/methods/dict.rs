//! Methods of dictionaries.

use std::sync::Arc;

use plumb_source::message;
use plumb_source::message::{WantedCount, argument_count};

use super::of_elements;
use crate::Value;
use crate::args::Args;
use crate::builtins::update_dict;
use crate::error::{Result, bail};
use crate::value::Dict;
use crate::value::builtin::MethodDefinition;
use crate::vm::Thread;

pub(super) const METHODS: &[MethodDefinition] = &[
    of_elements("clear", clear),
    of_elements("get", get),
    of_elements("items", items),
    of_elements("keys", keys),
    of_elements("pop", pop),
    of_elements("popitem", popitem),
    of_elements("setdefault", setdefault),
    of_elements("update", update),
    of_elements("values", values),
];

fn dict(receiver: &Value) -> &Arc<Dict> {
    match receiver {
        Value::Dict(dict) => dict,
        _ => unreachable!("methods are looked up by the type of their receiver"),
    }
}

fn named<T>(method: &'static str, result: Result<T>) -> Result<T> {
    result.map_err(|error| error.map_message(|message| message!("{method}: {message}")))
}

fn clear(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("clear", 0, 0)?;
    thread.count_first_change(dict(receiver));
    dict(receiver).clear()?;
    Ok(Value::None)
}

fn get(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("get", 1, 2)?;
    let found = named("get", dict(receiver).get(args.get(0).unwrap_or(&Value::None)))?;
    Ok(found.unwrap_or_else(|| args.get(1).cloned().unwrap_or_default()))
}

fn items(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("items", 0, 0)?;
    let items = dict(receiver).items();
    thread.count_steps(items.len())?;
    Ok(Value::list(items.into_iter().map(|(key, value)| Value::tuple([key, value]))))
}

fn keys(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("keys", 0, 0)?;
    let keys = dict(receiver).keys();
    thread.count_steps(keys.len())?;
    Ok(Value::list(keys))
}

fn values(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("values", 0, 0)?;
    let values = dict(receiver).values();
    thread.count_steps(values.len())?;
    Ok(Value::list(values))
}

fn pop(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("pop", 1, 2)?;
    let key = args.get(0).unwrap_or(&Value::None);
    let dict = dict(receiver);
    if !dict.is_changed() && dict.contains(key) {
        thread.count_first_change(dict);
    }
    match (named("pop", dict.remove(key))?, args.get(1)) {
        (Some(value), _) => Ok(value),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => bail!("pop: missing key"),
    }
}

fn popitem(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("popitem", 0, 0)?;
    if dict(receiver).is_empty() {
        bail!("popitem: empty dict");
    }
    thread.count_first_change(dict(receiver));
    match named("popitem", dict(receiver).remove_first())? {
        Some((key, value)) => Ok(Value::tuple([key, value])),
        None => bail!("popitem: empty dict"),
    }
}

fn setdefault(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("setdefault", 1, 2)?;
    let key = args.get(0).unwrap_or(&Value::None);
    if let Some(found) = named("setdefault", dict(receiver).get(key))? {
        return Ok(found);
    }
    let default = args.get(1).cloned().unwrap_or_default();
    thread.count_first_change(dict(receiver));
    named("setdefault", dict(receiver).insert(thread.heap(), key.clone(), default.clone()))?;
    Ok(default)
}

fn update(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    if args.len() > 1 {
        bail!("update: {}", argument_count(WantedCount::AtMost(1), args.len()));
    }
    named("update", update_dict(thread, dict(receiver), args))?;
    Ok(Value::None)
}
