//! Searching for strings in strings.

use memchr::memmem;

use plumb_source::message;
use plumb_source::message::wrong_type;

use super::string;
use crate::Value;
use crate::args::Args;
use crate::error::{Result, bail};
use crate::ops::indices;
use crate::text::chars;
use crate::value_error::ValueError;
use crate::vm::Thread;

/// In texts up to this length, a search takes less time than its preparation.
const SHORT: usize = 64;

/// Searches for one string many times.
pub(super) enum Finder<'a> {
    Byte(u8),
    /// In a short text.
    Short(&'a [u8]),
    Long(Box<memmem::Finder<'a>>),
}

impl<'a> Finder<'a> {
    /// Prepares to search for a string in a text.
    pub(super) fn new(part: &'a [u8], text: &[u8]) -> Self {
        match *part {
            [byte] => Self::Byte(byte),
            _ if text.len() <= SHORT => Self::Short(part),
            _ => Self::Long(Box::new(memmem::Finder::new(part))),
        }
    }

    /// Returns where the string first occurs in a part of the text.
    pub(super) fn find(&self, text: &[u8]) -> Option<usize> {
        match self {
            Self::Byte(byte) => memchr::memchr(*byte, text),
            Self::Short(part) => memmem::find(text, part),
            Self::Long(finder) => finder.find(text),
        }
    }
}

/// Returns the part of the receiver between the bounds in the second and third argument, and its
/// offset.
fn between<'a>(
    receiver: &'a Value,
    args: &Args<'_>,
    method: &'static str,
) -> Result<(&'a [u8], usize)> {
    let bytes = string(receiver).as_bytes();
    let bound = |at: usize| args.get(at).unwrap_or(&Value::None);
    let len = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let (start, end) = indices(bound(1), bound(2), len)
        .map_err(|error| error.map_message(|message| message!("{method}: {message}")))?;
    let position = |at: i64| usize::try_from(at).unwrap_or(0);
    Ok((&bytes[position(start)..position(end)], position(start)))
}

/// Returns where the first argument occurs.
fn locate(
    thread: &mut Thread<'_>,
    receiver: &Value,
    args: &Args<'_>,
    method: &'static str,
    look: Look,
) -> Result<Option<usize>> {
    let [part, _, _] = args.unpack::<3>(method, 1)?;
    let Some(part) = part else { return Ok(None) };
    let part = part.text()?;
    let (text, start) = between(receiver, args, method)?;
    thread.count_bytes(text.len())?;
    Ok(look(text, part.as_bytes()).map(|at| at + start))
}

/// Searches a text for a string, and returns one of its occurrences.
pub(super) type Look = fn(&[u8], &[u8]) -> Option<usize>;

pub(super) fn first(text: &[u8], part: &[u8]) -> Option<usize> {
    memmem::find(text, part)
}

pub(super) fn last(text: &[u8], part: &[u8]) -> Option<usize> {
    memmem::rfind(text, part)
}

fn found(at: Option<usize>) -> Value {
    at.map_or(Value::Int(-1), Value::from)
}

pub(super) fn find(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    Ok(found(locate(thread, receiver, args, "find", first)?))
}

pub(super) fn rfind(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    Ok(found(locate(thread, receiver, args, "rfind", last)?))
}

pub(super) fn index(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    match locate(thread, receiver, args, "index", first)? {
        Some(at) => Ok(Value::from(at)),
        None => bail!("index: substring not found"),
    }
}

pub(super) fn rindex(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    match locate(thread, receiver, args, "rindex", last)? {
        Some(at) => Ok(Value::from(at)),
        None => bail!("rindex: substring not found"),
    }
}

pub(super) fn count(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let [part, _, _] = args.unpack::<3>("count", 1)?;
    let Some(part) = part else { return Ok(Value::None) };
    let part = part.text()?.as_bytes();
    let (mut text, _) = between(receiver, args, "count")?;
    thread.count_bytes(text.len())?;
    if part.is_empty() {
        return Ok(Value::from(chars(text).count() + 1));
    }
    let finder = Finder::new(part, text);
    let mut count = 0usize;
    while let Some(at) = finder.find(text) {
        count += 1;
        text = &text[at + part.len()..];
    }
    Ok(Value::from(count))
}

pub(super) fn startswith(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    at_end(receiver, args, "startswith", <[u8]>::starts_with)
}

pub(super) fn endswith(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    at_end(receiver, args, "endswith", <[u8]>::ends_with)
}

fn at_end(
    receiver: &Value,
    args: &Args<'_>,
    method: &'static str,
    holds: fn(&[u8], &[u8]) -> bool,
) -> Result<Value> {
    args.check(method, 1, 3)?;
    let (text, _) = between(receiver, args, method)?;
    match args.get(0).unwrap_or(&Value::None) {
        Value::String(part) => Ok(Value::Bool(holds(text, part.as_bytes()))),
        Value::Tuple(parts) => {
            for (index, part) in parts.iter().enumerate() {
                let Value::String(part) = part else {
                    let found = part.type_name();
                    bail!("{method}: {}", ValueError::ElementNotText { index, found });
                };
                if holds(text, part.as_bytes()) {
                    return Ok(Value::Bool(true));
                }
            }
            Ok(Value::Bool(false))
        }
        other => bail!("{method}: {}", wrong_type("string or tuple of string", other.type_name())),
    }
}
