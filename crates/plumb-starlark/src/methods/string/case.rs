//! Upper, lower and title case, and kinds of characters.

use super::{string, text as value};
use crate::Value;
use crate::args::Args;
use crate::error::Result;
use crate::text::{self, chars, is_cased, push_char, to_lower, to_title, to_upper};
use crate::vm::Thread;

fn map(
    thread: &mut Thread<'_>,
    receiver: &Value,
    mut change: impl FnMut(usize, char) -> char,
) -> Result<Value> {
    let bytes = string(receiver).as_bytes();
    thread.count_bytes(bytes.len())?;
    let mut out = Vec::with_capacity(bytes.len());
    for (at, c) in chars(bytes) {
        push_char(&mut out, change(at, c));
    }
    Ok(value(&out))
}

pub(super) fn upper(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("upper", 0, 0)?;
    let bytes = string(receiver).as_bytes();
    if bytes.is_ascii() {
        thread.count_bytes(bytes.len())?;
        return Ok(value(&bytes.to_ascii_uppercase()));
    }
    map(thread, receiver, |_, c| to_upper(c))
}

pub(super) fn lower(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("lower", 0, 0)?;
    let bytes = string(receiver).as_bytes();
    if bytes.is_ascii() {
        thread.count_bytes(bytes.len())?;
        return Ok(value(&bytes.to_ascii_lowercase()));
    }
    map(thread, receiver, |_, c| to_lower(c))
}

pub(super) fn capitalize(
    thread: &mut Thread<'_>,
    receiver: &Value,
    args: &Args<'_>,
) -> Result<Value> {
    args.check("capitalize", 0, 0)?;
    map(thread, receiver, |at, c| if at == 0 { to_title(c) } else { to_lower(c) })
}

pub(super) fn title(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("title", 0, 0)?;
    let mut in_word = false;
    map(thread, receiver, |_, c| {
        let c = if in_word { to_lower(c) } else { to_title(c) };
        in_word = is_cased(c);
        c
    })
}

/// Returns whether there are characters and all are of a kind.
fn all(
    thread: &mut Thread<'_>,
    receiver: &Value,
    args: &Args<'_>,
    name: &'static str,
    is: fn(char) -> bool,
) -> Result<Value> {
    args.check(name, 0, 0)?;
    let bytes = string(receiver).as_bytes();
    thread.count_bytes(bytes.len())?;
    Ok(Value::Bool(!bytes.is_empty() && chars(bytes).all(|(_, c)| is(c))))
}

pub(super) fn isalnum(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    all(thread, receiver, args, "isalnum", |c| text::is_letter(c) || text::is_digit(c))
}

pub(super) fn isalpha(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    all(thread, receiver, args, "isalpha", text::is_letter)
}

pub(super) fn isdigit(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    all(thread, receiver, args, "isdigit", text::is_digit)
}

pub(super) fn isspace(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    all(thread, receiver, args, "isspace", text::is_space)
}

/// Returns whether some character has a case and all have the case of `change`.
fn in_case(
    thread: &mut Thread<'_>,
    receiver: &Value,
    args: &Args<'_>,
    name: &'static str,
    change: fn(char) -> char,
) -> Result<Value> {
    args.check(name, 0, 0)?;
    let bytes = string(receiver).as_bytes();
    thread.count_bytes(bytes.len())?;
    let cased = chars(bytes).any(|(_, c)| is_cased(c));
    let valid = string(receiver).as_str().is_some();
    Ok(Value::Bool(cased && valid && chars(bytes).all(|(_, c)| change(c) == c)))
}

pub(super) fn islower(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    in_case(thread, receiver, args, "islower", to_lower)
}

pub(super) fn isupper(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    in_case(thread, receiver, args, "isupper", to_upper)
}

pub(super) fn istitle(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    args.check("istitle", 0, 0)?;
    thread.count_bytes(string(receiver).len())?;
    let (mut cased, mut in_word) = (false, false);
    for (_, c) in chars(string(receiver).as_bytes()) {
        let starts = c.is_ascii_uppercase() || text::is_title(c);
        if starts || text::is_lower(c) {
            if in_word == starts {
                return Ok(Value::Bool(false));
            }
            (cased, in_word) = (true, true);
        } else if text::is_upper(c) {
            return Ok(Value::Bool(false));
        } else {
            in_word = false;
        }
    }
    Ok(Value::Bool(cased))
}
