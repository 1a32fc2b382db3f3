//! Functions that create sequences, and functions that iterate over them.

use std::sync::Arc;

use ecow::EcoVec;

use plumb_source::message;
use plumb_source::message::{WantedCount, argument_count, wrong_type};

use super::sort::{Keys, sort};
use crate::Value;
use crate::args::{Args, Parameter};
use crate::error::{Error, Result, bail};
use crate::ops::CompareOp;
use crate::value::{Dict, List, Range, Set, Tuple, Values};
use crate::value_error::{NotAPair, ValueError};
use crate::vm::Thread;

/// The elements of an iterable, within the limits.
pub(crate) fn collect(thread: &mut Thread<'_>, values: Values) -> Result<EcoVec<Value>> {
    let (least, most) = values.size_hint();
    let expected = most.unwrap_or(least);
    thread.count_steps(expected)?;
    thread.check_memory(expected.saturating_mul(size_of::<Value>()))?;
    Ok(values.into_elements())
}

/// The single iterable that a function takes.
fn iterable(args: &Args<'_>, function: &'static str) -> Result<Option<Values>> {
    let [values] = args.unpack::<1>(function, 1)?;
    values.map(|it| it.iterable()).transpose()
}

pub(super) fn all(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    for value in iterable(args, "all")?.into_iter().flatten() {
        thread.count_steps(1)?;
        if !value.truth() {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

pub(super) fn any(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    for value in iterable(args, "any")?.into_iter().flatten() {
        thread.count_steps(1)?;
        if value.truth() {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

pub(super) fn len(_: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    args.check("len", 1, 1)?;
    let value = args.get(0).unwrap_or(&Value::None);
    match value.length() {
        Some(len) => Ok(Value::from(len)),
        None => bail!("len: {}", ValueError::NoLength { found: value.type_name() }),
    }
}

/// The optional iterable of a constructor, as elements.
fn optional(
    thread: &mut Thread<'_>,
    args: &Args<'_>,
    function: &'static str,
) -> Result<EcoVec<Value>> {
    let [values] = args.unpack::<1>(function, 0)?;
    match values {
        Some(values) => collect(thread, values.iterable()?),
        None => Ok(EcoVec::new()),
    }
}

pub(super) fn list(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    Ok(Value::List(Arc::new(List::from(optional(thread, args, "list")?))))
}

pub(super) fn tuple(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    Ok(Value::Tuple(Tuple::from(optional(thread, args, "tuple")?)))
}

pub(super) fn set(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let values = optional(thread, args, "set")?;
    let set = Set::from_values(values)
        .map_err(|error| error.map_message(|message| message!("set: {message}")))?;
    Ok(Value::Set(Arc::new(set)))
}

pub(super) fn reversed(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let values = match iterable(args, "reversed")? {
        Some(values) => collect(thread, values)?,
        None => EcoVec::new(),
    };
    Ok(Value::list(values.into_iter().rev()))
}

pub(super) fn enumerate(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let [values, start] = args.unpack::<2>("enumerate", 1)?;
    let Some(values) = values else { return Ok(Value::None) };
    let values = values.iterable()?;
    let start = start.map_or(Ok(0), |it| it.index())?;
    let values = collect(thread, values)?;
    let pairs = (start..).zip(values).map(|(at, value)| Value::tuple([Value::Int(at), value]));
    Ok(Value::list(pairs))
}

pub(super) fn zip(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    if args.named().len() > 0 {
        bail!("zip does not accept keyword arguments");
    }
    let mut columns = Vec::with_capacity(args.len());
    for (index, value) in args.positional().enumerate() {
        let Some(values) = value.iterate() else {
            let (position, found) = (index + 1, value.type_name());
            bail!("zip: {}", ValueError::NotZippable { position, found });
        };
        columns.push(values);
    }
    let mut rows = EcoVec::new();
    while !columns.is_empty() {
        thread.count_steps(columns.len())?;
        thread.check_memory(rows.len().saturating_mul(size_of::<Value>() * columns.len()))?;
        let row: Option<Tuple> = columns.iter_mut().map(Iterator::next).collect();
        match row {
            Some(row) => rows.push(Value::Tuple(row)),
            None => break,
        }
    }
    Ok(Value::List(Arc::new(List::from(rows))))
}

pub(super) fn range(_: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let [start, stop, step] = args.unpack::<3>("range", 1)?;
    let index =
        |argument: Option<crate::args::Argument<'_>>| argument.map(|it| it.index()).transpose();
    let (first, stop, step) = (index(start)?, index(stop)?, index(step)?.unwrap_or(1));
    if step == 0 {
        bail!("range: step argument must not be zero");
    }
    let first = first.unwrap_or(0);
    let (start, stop) = match stop {
        Some(stop) => (first, stop),
        None => (0, first),
    };
    Ok(Value::Range(Arc::new(Range::new(start, stop, step))))
}

pub(super) fn max(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    extremum(thread, args, "max", CompareOp::Greater)
}

pub(super) fn min(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    extremum(thread, args, "min", CompareOp::Less)
}

fn extremum(
    thread: &mut Thread<'_>,
    args: &Args<'_>,
    function: &'static str,
    op: CompareOp,
) -> Result<Value> {
    if args.get(0).is_none() {
        return Err(Error::new(ValueError::NothingToCompare { function }));
    }
    let (_, names, named) = args.slots();
    let keywords = Args::new(&[], names, named);
    let [key] = keywords.unpack_named(function, [Parameter::Optional("key")])?;
    let key = key.map(|it| it.callable().cloned()).transpose()?;
    let single = args.get(0).filter(|_| args.len() == 1).cloned();
    let values = single.unwrap_or_else(|| Value::tuple(args.positional().cloned()));
    let Some(mut values) = values.iterate() else {
        bail!("{function}: {}", ValueError::NotComparable { found: values.type_name() });
    };
    let key_of = |thread: &mut Thread<'_>, value: &Value| match &key {
        Some(key) => thread.call_one(key, value.clone()),
        None => Ok(value.clone()),
    };
    let Some(mut best) = values.next() else {
        bail!("{function}: argument is an empty sequence");
    };
    let mut best_key = key_of(thread, &best)?;
    for value in values {
        thread.count_steps(1)?;
        let value_key = key_of(thread, &value)?;
        let better = thread
            .compare(op, &value_key, &best_key)
            .map_err(|error| error.map_message(|message| message!("{function}: {message}")))?;
        if better {
            (best, best_key) = (value, value_key);
        }
    }
    Ok(best)
}

pub(super) fn sorted(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    if let Some(first) = args.get(0).filter(|it| args.len() <= 3 && it.iterate().is_none()) {
        // This error comes before any error about the names of other arguments.
        let error = wrong_type("iterable", first.type_name());
        bail!("sorted: for parameter iterable: {error}");
    }
    let [values, key, reverse] = args.unpack_named(
        "sorted",
        [
            Parameter::Required("iterable"),
            Parameter::Optional("key"),
            Parameter::Optional("reverse"),
        ],
    )?;
    let Some(values) = values else { return Ok(Value::None) };
    let values = values.iterable()?;
    let key = key.map(|it| it.callable().cloned()).transpose()?;
    let reverse = reverse.map_or(Ok(false), |it| it.bool())?;
    let values = collect(thread, values)?;
    // For the keys, for sorting them, and for the result.
    thread.check_memory(values.len().saturating_mul(5 * size_of::<Value>()))?;
    let order = match &key {
        Some(Value::Function(function)) => {
            let mut keys = Keys::with_capacity(values.len());
            thread.call_with_each(function, &values, |key| keys.push(key))?;
            keys.sort(thread, reverse)?
        }
        Some(key) => {
            let keys = thread.call_each(key, &values)?;
            let order = sort(thread, &keys.values, reverse)?;
            thread.drop_results(keys);
            order
        }
        None => sort(thread, &values, reverse)?,
    };
    Ok(Value::List(Arc::new(List::from(order.arrange(&values)))))
}

pub(super) fn dict(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    if args.len() > 1 {
        bail!("dict: {}", argument_count(WantedCount::AtMost(1), args.len()));
    }
    let dict = Arc::new(Dict::new());
    update_dict(thread, &dict, args)
        .map_err(|error| error.map_message(|message| message!("dict: {message}")))?;
    Ok(Value::Dict(dict))
}

/// Adds the keys and values of a mapping or of pairs, and those given by name.
pub(crate) fn update_dict(
    thread: &mut Thread<'_>,
    dict: &Arc<Dict>,
    args: &Args<'_>,
) -> Result<()> {
    thread.count_first_change(dict);
    match args.get(0) {
        Some(Value::Dict(other)) => add_items(thread, dict, other.items())?,
        Some(Value::Struct(fields)) => {
            for (name, value) in fields.fields() {
                dict.insert(thread.heap(), Value::String(name.clone()), value.clone())?;
            }
        }
        Some(other) => {
            let items = match other {
                Value::Host(host) => host.items(),
                _ => None,
            };
            match items {
                Some(items) => add_items(thread, dict, items)?,
                None => add_pairs(thread, dict, other)?,
            }
        }
        None => {}
    }
    let before = dict.len();
    for (name, value) in args.named() {
        dict.insert(thread.heap(), Value::String(name.clone()), value.clone())?;
    }
    if dict.len() < before + args.named().len() {
        let mut seen = hashbrown::HashSet::new();
        for (name, _) in args.named() {
            if !seen.insert(name) {
                let name = Value::String(name.clone()).shown().into();
                return Err(Error::new(ValueError::ArgumentTwice { name }));
            }
        }
    }
    Ok(())
}

/// Adds entries to a dictionary.
pub(crate) fn add_items(
    thread: &Thread<'_>,
    dict: &Arc<Dict>,
    items: Vec<(Value, Value)>,
) -> Result<()> {
    for (key, value) in items {
        dict.insert(thread.heap(), key, value)?;
    }
    Ok(())
}

fn add_pairs(thread: &mut Thread<'_>, dict: &Arc<Dict>, pairs: &Value) -> Result<()> {
    let Some(values) = pairs.iterate() else {
        return Err(Error::new(wrong_type("iterable", pairs.type_name())));
    };
    for (index, pair) in values.enumerate() {
        thread.count_steps(1)?;
        let wrong = |found| Err(Error::new(ValueError::Pair { index, found }));
        let Some(mut parts) = pair.iterate() else {
            return wrong(NotAPair::Single(pair.type_name()));
        };
        match pair.length() {
            None => return wrong(NotAPair::Endless(pair.type_name())),
            Some(2) => {}
            Some(len) => return wrong(NotAPair::Elements(len)),
        }
        let (key, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        dict.insert(thread.heap(), key, value)?;
    }
    Ok(())
}
