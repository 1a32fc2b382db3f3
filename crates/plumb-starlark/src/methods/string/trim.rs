//! Removes characters from the ends of strings.

use super::{string, text as value};
use crate::Value;
use crate::args::Args;
use crate::error::Result;
use crate::text::{REPLACEMENT, chars, decode, decode_last, is_space};
use crate::vm::Thread;

pub(super) fn strip(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let cut = Cut::new(args, "strip")?;
    Ok(value(cut.right(cut.left(string(receiver).as_bytes()))))
}

pub(super) fn lstrip(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let cut = Cut::new(args, "lstrip")?;
    Ok(value(cut.left(string(receiver).as_bytes())))
}

pub(super) fn rstrip(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let cut = Cut::new(args, "rstrip")?;
    Ok(value(cut.right(string(receiver).as_bytes())))
}

/// The characters to remove: white space if none are given.
struct Cut(Option<Vec<char>>);

impl Cut {
    fn new(args: &Args<'_>, method: &'static str) -> Result<Self> {
        let [named] = args.unpack::<1>(method, 0)?;
        let named = named.map(|it| it.text()).transpose()?.filter(|it| !it.is_empty());
        Ok(Self(named.map(|it| chars(it.as_bytes()).map(|(_, c)| c).collect())))
    }

    fn includes(&self, c: Option<char>) -> bool {
        let c = c.unwrap_or(REPLACEMENT);
        match &self.0 {
            Some(named) => named.contains(&c),
            None => is_space(c),
        }
    }

    fn left<'a>(&self, mut bytes: &'a [u8]) -> &'a [u8] {
        while !bytes.is_empty() {
            let (c, size) = decode(bytes);
            if !self.includes(c) {
                break;
            }
            bytes = &bytes[size..];
        }
        bytes
    }

    fn right<'a>(&self, mut bytes: &'a [u8]) -> &'a [u8] {
        while !bytes.is_empty() {
            let (c, size) = decode_last(bytes);
            if !self.includes(c) {
                break;
            }
            bytes = &bytes[..bytes.len() - size];
        }
        bytes
    }
}

pub(super) fn removeprefix(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    remove(receiver, args, "removeprefix", <[u8]>::strip_prefix)
}

pub(super) fn removesuffix(_: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    remove(receiver, args, "removesuffix", <[u8]>::strip_suffix)
}

fn remove(
    receiver: &Value,
    args: &Args<'_>,
    method: &'static str,
    strip: for<'a> fn(&'a [u8], &[u8]) -> Option<&'a [u8]>,
) -> Result<Value> {
    let [part] = args.unpack::<1>(method, 1)?;
    let Some(part) = part else { return Ok(Value::None) };
    Ok(match strip(string(receiver).as_bytes(), part.text()?.as_bytes()) {
        Some(rest) => value(rest),
        None => receiver.clone(),
    })
}
