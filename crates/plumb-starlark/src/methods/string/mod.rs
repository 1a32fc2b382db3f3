//! Methods of strings.

mod case;
mod find;
mod format;
mod split;
mod trim;

use std::sync::Arc;

use plumb_source::Text;

use super::method;
use crate::Value;
use crate::args::Args;
use crate::error::{Result, bail};
use crate::value::StringIterable;
use crate::value::builtin::{MethodDefinition, Reads};
use crate::value::repr::check_length;
use crate::value::string_iterable::Parts;
use crate::value_error::ValueError;
use crate::vm::Thread;

pub(super) const METHODS: &[MethodDefinition] = &[
    method("capitalize", case::capitalize),
    method("codepoint_ords", |_, it, args| iterable(it, args, Parts::Characters, true))
        .reading(Reads::Nothing),
    method("codepoints", |_, it, args| iterable(it, args, Parts::Characters, false))
        .reading(Reads::Nothing),
    method("count", find::count),
    method("elem_ords", |_, it, args| iterable(it, args, Parts::Bytes, true))
        .reading(Reads::Nothing),
    method("elems", |_, it, args| iterable(it, args, Parts::Bytes, false)).reading(Reads::Nothing),
    method("endswith", find::endswith).reading(Reads::Arguments),
    method("find", find::find),
    method("format", format::format),
    method("index", find::index),
    method("isalnum", case::isalnum),
    method("isalpha", case::isalpha),
    method("isdigit", case::isdigit),
    method("islower", case::islower),
    method("isspace", case::isspace),
    method("istitle", case::istitle),
    method("isupper", case::isupper),
    method("join", join),
    method("lower", case::lower),
    method("lstrip", trim::lstrip),
    method("partition", split::partition),
    method("removeprefix", trim::removeprefix).modern(),
    method("removesuffix", trim::removesuffix).modern(),
    method("replace", replace),
    method("rfind", find::rfind),
    method("rindex", find::rindex),
    method("rpartition", split::rpartition),
    method("rsplit", split::rsplit),
    method("rstrip", trim::rstrip),
    method("split", split::split),
    method("splitlines", split::splitlines),
    method("startswith", find::startswith).reading(Reads::Arguments),
    method("strip", trim::strip),
    method("title", case::title),
    method("upper", case::upper),
];

/// The receiver of a method of strings.
fn string(receiver: &Value) -> &Text {
    match receiver {
        Value::String(text) => text,
        _ => unreachable!("methods are looked up by the type of their receiver"),
    }
}

fn text(bytes: &[u8]) -> Value {
    Value::String(Text::from_bytes(bytes))
}

fn iterable(receiver: &Value, args: &Args<'_>, parts: Parts, ordinals: bool) -> Result<Value> {
    let iterable = StringIterable { string: string(receiver).clone(), parts, ordinals };
    args.check(iterable.method(), 0, 0)?;
    Ok(Value::StringIterable(Arc::new(iterable)))
}

fn join(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let [parts] = args.unpack::<1>("join", 1)?;
    let separator = string(receiver).as_bytes();
    let Some(parts) = parts else { return Ok(text(&[])) };
    let (mut joined, max) = (Vec::new(), thread.max_text());
    let mut is_first = true;
    let mut add = |joined: &mut Vec<u8>, value: &Value| {
        thread.count_steps(1)?;
        if !std::mem::take(&mut is_first) {
            joined.extend_from_slice(separator);
        }
        let Value::String(part) = value else {
            bail!("join: {}", ValueError::Joined { found: value.type_name() });
        };
        check_length(joined.len() + part.len(), max)?;
        joined.extend_from_slice(part.as_bytes());
        Ok(())
    };
    if let Value::List(list) = parts.value {
        let values = list.elements();
        let length = |value: &Value| value.as_text().map_or(0, Text::len) + separator.len();
        let expected = values.iter().map(length).fold(0, usize::saturating_add);
        joined.reserve(expected.min(max));
        values.iter().try_for_each(|value| add(&mut joined, value))?;
    } else {
        parts.iterable()?.try_for_each(|value| add(&mut joined, &value))?;
    }
    Ok(text(&joined))
}

fn replace(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let [old, new, count] = args.unpack::<3>("replace", 2)?;
    let (Some(old), Some(new)) = (old, new) else { return Ok(Value::None) };
    let (old, new) = (old.text()?.as_bytes(), new.text()?.as_bytes());
    let count = count.map_or(Ok(-1), |it| it.index())?;
    let mut left = usize::try_from(count).unwrap_or(usize::MAX);
    let mut rest = string(receiver).as_bytes();
    thread.count_bytes(rest.len())?;
    let max = thread.max_text();
    let mut out = Vec::with_capacity(rest.len());
    if old.is_empty() {
        replace_nothing(rest, new, left, &mut out, max)?;
        return Ok(text(&out));
    }
    let finder = find::Finder::new(old, rest);
    while left > 0
        && let Some(at) = finder.find(rest)
    {
        check_length(out.len() + at + new.len(), max)?;
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(new);
        rest = &rest[at + old.len()..];
        left -= 1;
    }
    out.extend_from_slice(rest);
    Ok(text(&out))
}

/// Inserts a string before every character and at the end, at most a number of times.
fn replace_nothing(
    whole: &[u8],
    new: &[u8],
    mut left: usize,
    out: &mut Vec<u8>,
    max: usize,
) -> Result<()> {
    let mut last = 0;
    let starts = crate::text::chars(whole).map(|(at, _)| at).chain([whole.len()]);
    for at in starts {
        out.extend_from_slice(&whole[last..at]);
        last = at;
        if left == 0 {
            break;
        }
        left -= 1;
        check_length(out.len() + new.len(), max)?;
        out.extend_from_slice(new);
    }
    out.extend_from_slice(&whole[last..]);
    Ok(())
}
