//! `x[from:to:step]`.

use std::borrow::Cow;
use std::sync::Arc;

use plumb_source::Text;
use plumb_source::message::wrong_type;

use crate::Value;
use crate::error::{Error, Result, bail};
use crate::value::{List, Tuple, int};
use crate::value_error::ValueError;

pub(crate) fn slice(object: &Value, from: &Value, to: &Value, step: &Value) -> Result<Value> {
    if let Value::Host(host) = object {
        return host.slice(from, to, step);
    }
    let sliceable =
        matches!(object, Value::String(_) | Value::List(_) | Value::Tuple(_) | Value::Range(_));
    let Some(len) = object.length().filter(|_| sliceable) else {
        return Err(Error::new(ValueError::Slice { found: object.type_name() }));
    };
    if let Value::String(text) = object {
        let bytes = sliced(text.as_bytes(), from, to, step)?;
        return Ok(Value::String(Text::from_bytes(&bytes)));
    }
    let (from, to, step) = bounds(from, to, step, len)?;
    let positions = positions(from, to, step);
    Ok(match object {
        Value::List(list) => {
            let elements = list.elements();
            // The list cannot have become shorter since it was measured, because no other code ran.
            let kept = positions.filter_map(|at| elements.get(at).cloned());
            Value::List(Arc::new(kept.collect::<List>()))
        }
        Value::Tuple(tuple) => {
            Value::Tuple(positions.map(|at| tuple[at].clone()).collect::<Tuple>())
        }
        Value::Range(range) => Value::Range(Arc::new(range.slice(from, to, step))),
        _ => unreachable!("the types with a slice are listed above"),
    })
}

/// Returns the bytes of a slice.
pub(crate) fn sliced<'a>(
    bytes: &'a [u8],
    from: &Value,
    to: &Value,
    step: &Value,
) -> Result<Cow<'a, [u8]>> {
    let (from, to, step) = bounds(from, to, step, bytes.len())?;
    Ok(match step {
        1 => Cow::Borrowed(&bytes[as_range(from, to)]),
        _ => positions(from, to, step).map(|at| bytes[at]).collect(),
    })
}

/// Returns where a slice of a sequence begins and ends, and its step.
fn bounds(from: &Value, to: &Value, step: &Value, len: usize) -> Result<(i64, i64, i64)> {
    let step = if step.is_none() { 1 } else { step_of(step)? };
    let len = i64::try_from(len).unwrap_or(i64::MAX);
    let (from, to) = if step > 0 { indices(from, to, len)? } else { backwards(from, to, len)? };
    Ok((from, to, step))
}

fn step_of(step: &Value) -> Result<i64> {
    match int::to_index(step) {
        Ok(0) => bail!("zero is not a valid slice step"),
        Ok(step) => Ok(step),
        Err(_) => Err(Error::new(ValueError::SliceStep { found: step.type_name() })),
    }
}

/// Returns the bounds of a forward slice, within `0..=len`. The second is not before the first.
pub(crate) fn indices(from: &Value, to: &Value, len: i64) -> Result<(i64, i64)> {
    let from = bound(from, len, "start")?.unwrap_or(0).clamp(0, len);
    let to = bound(to, len, "end")?.unwrap_or(len).clamp(0, len);
    Ok((from, to.max(from)))
}

fn backwards(from: &Value, to: &Value, len: i64) -> Result<(i64, i64)> {
    let from = bound(from, len, "start")?.unwrap_or(len - 1).min(len - 1);
    let to = bound(to, len, "end")?.unwrap_or(-1).max(-1);
    Ok((from.max(to), to))
}

fn bound(value: &Value, len: i64, which: &'static str) -> Result<Option<i64>> {
    if value.is_none() {
        return Ok(None);
    }
    match int::to_index(value) {
        Ok(index) if index < 0 => Ok(Some(index + len)),
        Ok(index) => Ok(Some(index)),
        Err(_) => bail!("invalid {which} index: {}", wrong_type("int", value.type_name())),
    }
}

fn as_range(from: i64, to: i64) -> std::ops::Range<usize> {
    let clamp = |at: i64| usize::try_from(at).unwrap_or(0);
    clamp(from)..clamp(to)
}

/// Returns the positions of a slice. The step may be negative.
fn positions(from: i64, to: i64, step: i64) -> impl Iterator<Item = usize> {
    let mut at = from;
    std::iter::from_fn(move || {
        let more = if step > 0 { at < to } else { at > to };
        let position = usize::try_from(at).ok().filter(|_| more)?;
        at += step;
        Some(position)
    })
}
