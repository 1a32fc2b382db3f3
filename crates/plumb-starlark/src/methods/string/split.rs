//! Splits strings.

use std::ops::Range;
use std::sync::Arc;

use ecow::EcoVec;

use super::find::{Finder, Look, first, last};
use super::{string, text as value};
use crate::Value;
use crate::args::Args;
use crate::error::{Result, bail};
use crate::text::{chars, decode_last, is_space};
use crate::value::List;
use crate::value_error::ValueError;
use crate::vm::Thread;

fn list<'a>(thread: &mut Thread<'_>, parts: impl IntoIterator<Item = &'a [u8]>) -> Result<Value> {
    let parts: EcoVec<Value> = parts.into_iter().map(value).collect();
    thread.count_steps(parts.len())?;
    Ok(Value::List(Arc::new(List::from(parts))))
}

/// Fails if the parts of a text do not fit into memory. There is at most one part for each `least`
/// bytes. Only if that many would not fit, `count` determines the exact number.
fn check(
    thread: &Thread<'_>,
    whole: &[u8],
    least: usize,
    count: impl FnOnce() -> usize,
) -> Result<()> {
    // A reference and a value, in vectors with a capacity of twice as many, and a text.
    const PART: usize = 2 * (size_of::<&[u8]>() + size_of::<Value>()) + 32;
    let memory = |n_parts: usize| whole.len().saturating_add(n_parts.saturating_mul(PART));
    if memory(whole.len() / least + 1) <= thread.memory_left() {
        return Ok(());
    }
    thread.check_memory(memory(count()))
}

/// The separator (`None`: white space), and the maximum number of splits (`None`: unlimited).
struct How<'a> {
    separator: Option<&'a [u8]>,
    most: Option<usize>,
}

impl<'a> How<'a> {
    fn new(args: &Args<'a>, method: &'static str) -> Result<Self> {
        let [separator, most] = args.unpack::<2>(method, 0)?;
        let most = most.map_or(Ok(-1), |it| it.index())?;
        let separator = match separator.map(|it| it.value) {
            None | Some(Value::None) => None,
            Some(Value::String(it)) if it.is_empty() => bail!("split: empty separator"),
            Some(Value::String(it)) => Some(it.as_bytes()),
            Some(other) => {
                bail!("split: {}", ValueError::Separator { found: other.type_name() })
            }
        };
        Ok(Self { separator, most: usize::try_from(most).ok() })
    }
}

pub(super) fn split(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let How { separator, most } = How::new(args, "split")?;
    let whole = string(receiver).as_bytes();
    thread.count_bytes(whole.len())?;
    let most = most.unwrap_or(usize::MAX);
    check_parts(thread, whole, separator)?;
    match separator {
        Some(separator) => {
            let n_parts = match *separator {
                [byte] => memchr::memchr_iter(byte, whole).count().min(most) + 1,
                _ => 1,
            };
            let mut parts = EcoVec::with_capacity(n_parts);
            parts.extend(split_at(whole, separator, most).map(|part| part_of(receiver, part)));
            thread.count_steps(parts.len())?;
            Ok(Value::List(Arc::new(List::from(parts))))
        }
        None => list(thread, split_space(whole, most)),
    }
}

pub(super) fn rsplit(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let How { separator, most } = How::new(args, "rsplit")?;
    let whole = string(receiver).as_bytes();
    thread.count_bytes(whole.len())?;
    check_parts(thread, whole, separator)?;
    let Some(separator) = separator else {
        return match most {
            Some(most) => list(thread, rsplit_space(whole, most)),
            None => list(thread, split_space(whole, usize::MAX)),
        };
    };
    let mut parts: Vec<_> = split_at(whole, separator, usize::MAX).map(|it| &whole[it]).collect();
    if let Some(most) = most
        && parts.len() > most + 1
    {
        // The parts on the left stay together, as one range of the whole text.
        let kept = parts.split_off(parts.len() - most);
        let tail: usize = kept.iter().map(|part| part.len() + separator.len()).sum();
        parts = vec![&whole[..whole.len() - tail]];
        parts.extend(kept);
    }
    list(thread, parts)
}

fn check_parts(thread: &Thread<'_>, whole: &[u8], separator: Option<&[u8]>) -> Result<()> {
    match separator {
        Some(separator) => check(thread, whole, separator.len(), || {
            let (finder, mut rest, mut n_parts) = (Finder::new(separator, whole), whole, 1);
            while let Some(at) = finder.find(rest) {
                rest = &rest[at + separator.len()..];
                n_parts += 1;
            }
            n_parts
        }),
        None => check(thread, whole, 2, || {
            let spaces = chars(whole).filter(|(_, c)| is_space(*c));
            spaces.count() + 1
        }),
    }
}

/// Returns the places of the parts between separators. The last one is what remains after `most`.
fn split_at(whole: &[u8], separator: &[u8], most: usize) -> impl Iterator<Item = Range<usize>> {
    let finder = Finder::new(separator, whole);
    let (mut start, mut left) = (Some(0), most);
    std::iter::from_fn(move || {
        let from = start?;
        let found = if left > 0 { finder.find(&whole[from..]) } else { None };
        left = left.saturating_sub(1);
        start = found.map(|at| from + at + separator.len());
        Some(from..found.map_or(whole.len(), |at| from + at))
    })
}

/// Returns a part of a text. A part of valid UTF-8 is usually known to be valid.
fn part_of(receiver: &Value, part: Range<usize>) -> Value {
    let whole = string(receiver);
    match whole.as_str().and_then(|it| it.get(part.clone())) {
        Some(part) => Value::from(part),
        None => value(&whole.as_bytes()[part]),
    }
}

fn split_space(whole: &[u8], most: usize) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut start = None;
    for (at, c) in chars(whole) {
        match (is_space(c), start) {
            (true, Some(from)) => {
                if parts.len() == most {
                    break;
                }
                parts.push(&whole[from..at]);
                start = None;
            }
            (false, None) => start = Some(at),
            (true, None) | (false, Some(_)) => {}
        }
    }
    parts.extend(start.map(|from| &whole[from..]));
    parts
}

fn rsplit_space(whole: &[u8], most: usize) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut end = None;
    let mut at = whole.len();
    while at > 0 {
        let (c, size) = decode_last(&whole[..at]);
        match (c.is_some_and(is_space), end) {
            (true, Some(to)) => {
                if parts.len() == most {
                    break;
                }
                parts.push(&whole[at..to]);
                end = None;
            }
            (false, None) => end = Some(at),
            (true, None) | (false, Some(_)) => {}
        }
        at -= size;
    }
    parts.extend(end.map(|to| &whole[..to]));
    parts.reverse();
    parts
}

pub(super) fn splitlines(
    thread: &mut Thread<'_>,
    receiver: &Value,
    args: &Args<'_>,
) -> Result<Value> {
    let [keep_ends] = args.unpack::<1>("splitlines", 0)?;
    let keep_ends = keep_ends.map_or(Ok(false), |it| it.bool())?;
    thread.count_bytes(string(receiver).len())?;
    let whole = string(receiver).as_bytes();
    check(thread, whole, 1, || memchr::memchr_iter(b'\n', whole).count() + 1)?;
    let lines = whole.split_inclusive(|&byte| byte == b'\n');
    let shown = |line: &'_ [u8]| if keep_ends { line.len() } else { without_break(line) };
    list(thread, lines.map(|line| &line[..shown(line)]))
}

fn without_break(line: &[u8]) -> usize {
    line.strip_suffix(b"\n").unwrap_or(line).len()
}

pub(super) fn partition(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let whole = string(receiver).as_bytes();
    let (at, separator) = separator(whole, args, "partition", first)?;
    Ok(match at {
        Some(at) => parted(whole, at, separator),
        None => Value::tuple([receiver.clone(), value(b""), value(b"")]),
    })
}

pub(super) fn rpartition(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let whole = string(receiver).as_bytes();
    let (at, separator) = separator(whole, args, "rpartition", last)?;
    Ok(match at {
        Some(at) => parted(whole, at, separator),
        None => Value::tuple([value(b""), value(b""), receiver.clone()]),
    })
}

fn separator<'a>(
    whole: &[u8],
    args: &Args<'a>,
    method: &'static str,
    look: Look,
) -> Result<(Option<usize>, &'a [u8])> {
    let [separator] = args.unpack::<1>(method, 1)?;
    let separator = separator.map(|it| it.text()).transpose()?;
    let separator = separator.map(plumb_source::Text::as_bytes).unwrap_or_default();
    if separator.is_empty() {
        bail!("{method}: empty separator");
    }
    Ok((look(whole, separator), separator))
}

fn parted(whole: &[u8], at: usize, separator: &[u8]) -> Value {
    let after = &whole[at + separator.len()..];
    Value::tuple([value(&whole[..at]), value(separator), value(after)])
}
