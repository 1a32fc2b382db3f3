//! Strings. Positions count characters.

use crate::functions::convert::int_of;
use crate::functions::{Context, Function, global, member, text_format};
use crate::operate::{OperationError, Outcome};
use crate::value::{Str, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    member("contains", 1..=1, |args, context| {
        test(args, context, |text, part| text.contains(part))
    }),
    member("startsWith", 1..=1, |args, context| {
        test(args, context, |text, part| text.starts_with(part))
    }),
    member("endsWith", 1..=1, |args, context| {
        test(args, context, |text, part| text.ends_with(part))
    }),
    member("charAt", 1..=1, char_at),
    member("lowerAscii", 0..=0, |args, context| map(args, context, str::to_ascii_lowercase)),
    member("upperAscii", 0..=0, |args, context| map(args, context, str::to_ascii_uppercase)),
    member("trim", 0..=0, |args, context| map(args, context, |it| it.trim().to_owned())),
    member("replace", 2..=3, replace),
    member("split", 1..=2, split),
    member("substring", 1..=2, substring),
    member("join", 0..=1, join),
    member("format", 1..=1, text_format::format),
    global("strings.quote", 1..=1, |args, context| map(args, context, crate::quote::shown)),
];

fn text<'v>(args: &'v [Value<'_>], at: usize) -> Result<&'v str, OperationError> {
    match args.get(at) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(OperationError::Types),
    }
}

fn paid<'v>(
    args: &'v [Value<'_>],
    at: usize,
    context: &mut Context<'_>,
) -> Result<&'v str, OperationError> {
    let text = text(args, at)?;
    context.budget.pay_for_bytes(text.len())?;
    Ok(text)
}

fn test<'a>(
    args: &[Value<'a>],
    context: &mut Context<'_>,
    holds: fn(&str, &str) -> bool,
) -> Outcome<'a> {
    let subject = paid(args, 0, context)?;
    Ok(Value::Bool(holds(subject, paid(args, 1, context)?)))
}

fn map<'a>(
    args: &[Value<'a>],
    context: &mut Context<'_>,
    change: fn(&str) -> String,
) -> Outcome<'a> {
    Ok(Value::text(change(paid(args, 0, context)?)))
}

fn whole(value: Option<&Value<'_>>) -> Result<Option<i64>, OperationError> {
    match value {
        None => Ok(None),
        Some(Value::Int(value)) => Ok(Some(*value)),
        Some(_) => Err(OperationError::Types),
    }
}

/// The byte offset of a character. The end of the text is a valid position too.
fn offset(text: &str, position: i64) -> Result<usize, OperationError> {
    let outside = || OperationError::other("the position is outside of the string");
    let position = usize::try_from(position).map_err(|_| outside())?;
    let mut offsets = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    offsets.nth(position).ok_or_else(outside)
}

fn char_at<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let subject = paid(args, 0, context)?;
    let position = whole(args.get(1))?.unwrap_or_default();
    let start = offset(subject, position)?;
    let character = subject[start..].chars().next();
    Ok(Value::text(character.map(String::from).unwrap_or_default()))
}

pub(super) fn index_of<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let (subject, part) = (paid(args, 0, context)?, text(args, 1)?);
    let position = whole(args.get(2))?.unwrap_or_default();
    if let Some(found) = without_search(subject, part, position)? {
        return Ok(found);
    }
    let start = offset(subject, position)?;
    let found = subject[start..].find(part).map(|at| start + at);
    Ok(found.map_or(Value::Int(-1), |at| int_of(subject[..at].chars().count())))
}

pub(super) fn last_index_of<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let (subject, part) = (paid(args, 0, context)?, text(args, 1)?);
    let end = match whole(args.get(2))? {
        None => subject.len(),
        Some(position) => {
            if let Some(found) = without_search(subject, part, position)? {
                return Ok(found);
            }
            subject.len().min(offset(subject, position)? + part.len())
        }
    };
    let end = (0..=end).rev().find(|it| subject.is_char_boundary(*it)).unwrap_or_default();
    let found = subject[..end].rfind(part);
    Ok(found.map_or(Value::Int(-1), |at| int_of(subject[..at].chars().count())))
}

/// The result of a search from a position, if it does not depend on the text: an empty string is
/// found at every position, and nothing is found after the end. A negative position is an error.
fn without_search<'a>(
    subject: &str,
    part: &str,
    position: i64,
) -> Result<Option<Value<'a>>, OperationError> {
    if position < 0 {
        return Err(OperationError::other("the position is outside of the string"));
    }
    Ok(match offset(subject, position) {
        _ if part.is_empty() => Some(Value::Int(position)),
        Ok(offset) if offset < subject.len() => None,
        _ => Some(Value::Int(-1)),
    })
}

fn replace<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let (subject, old, new) = (paid(args, 0, context)?, text(args, 1)?, text(args, 2)?);
    let limit = limit(args.get(3))?;
    let n_found = subject.matches(old).take(limit).count();
    context.budget.pay_for_bytes(n_found.saturating_mul(new.len()))?;
    Ok(Value::text(subject.replacen(old, new, n_found)))
}

/// A limit. A negative number means no limit.
fn limit(value: Option<&Value<'_>>) -> Result<usize, OperationError> {
    let limit = whole(value)?.unwrap_or(-1);
    Ok(usize::try_from(limit).unwrap_or(usize::MAX))
}

fn split<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let (subject, separator) = (paid(args, 0, context)?, text(args, 1)?);
    let limit = limit(args.get(2))?;
    if limit == 0 {
        return Ok(Value::list(Vec::new()));
    }
    let n_parts = match separator {
        "" => subject.chars().take(limit).count(),
        _ => subject.splitn(limit, separator).count(),
    };
    context.budget.pay(n_parts)?;
    let parts: Vec<&str> = if separator.is_empty() {
        let starts = subject.char_indices().map(|(at, _)| at).take(limit);
        let starts: Vec<usize> = starts.collect();
        let ends = starts.iter().skip(1).copied().chain([subject.len()]);
        starts.iter().zip(ends).map(|(start, end)| &subject[*start..end]).collect()
    } else {
        subject.splitn(limit, separator).collect()
    };
    Ok(Value::list(parts.into_iter().map(Value::text).collect()))
}

fn substring<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let subject = paid(args, 0, context)?;
    let start = offset(subject, whole(args.get(1))?.unwrap_or_default())?;
    let end = match whole(args.get(2))? {
        Some(end) => offset(subject, end)?,
        None => subject.len(),
    };
    let part = subject.get(start..end);
    let part = part.ok_or_else(|| OperationError::other("the end is before the start"))?;
    Ok(match &args[0] {
        // A part of a borrowed string is borrowed too.
        Value::String(Str::Borrowed(whole)) => Value::String(Str::Borrowed(&whole[start..end])),
        _ => Value::text(part),
    })
}

fn join<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let Value::List(list) = &args[0] else {
        return Err(OperationError::Types);
    };
    let separator = if args.len() > 1 { text(args, 1)? } else { "" };
    let mut out = String::new();
    for (at, item) in list.iter().enumerate() {
        let Value::String(item) = item else {
            return Err(OperationError::other(
                "expected a list of strings, found an item of another type",
            ));
        };
        context.budget.pay_for_bytes(10 + separator.len() + item.len())?;
        if at > 0 {
            out.push_str(separator);
        }
        out.push_str(&item);
    }
    Ok(Value::text(out))
}
