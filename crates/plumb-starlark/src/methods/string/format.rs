//! `"{}".format(…)`.

use plumb_source::Text;

use super::{string, text as value};
use crate::Value;
use crate::args::Args;
use crate::error::{Error, Result, bail};
use crate::format_error::{FieldPath, FormatError};
use crate::value::repr::{Room, write_repr, write_text};
use crate::vm::Thread;

/// The number of bytes that values usually add to a format.
const USUAL: usize = 32;

pub(super) fn format(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let mut rest = string(receiver).as_bytes();
    thread.count_bytes(rest.len())?;
    let mut out = Vec::with_capacity(rest.len() + USUAL);
    let mut fields = Fields { args, numbering: None, next: 0 };
    loop {
        let brace = rest.iter().position(|&byte| byte == b'{');
        write_literal(&mut out, &rest[..brace.unwrap_or(rest.len())])?;
        let Some(brace) = brace else { return Ok(value(&out)) };
        rest = &rest[brace + 1..];
        if let Some(after) = rest.strip_prefix(b"{") {
            out.push(b'{');
            rest = after;
            continue;
        }
        let Some(end) = rest.iter().position(|&byte| byte == b'}') else {
            bail!("format: {}", FormatError::Brace { is_open: true });
        };
        thread.write(|room| fields.write(&mut out, &rest[..end], room))?;
        rest = &rest[end + 1..];
    }
}

/// Text between fields, in which `}}` is a brace.
fn write_literal(out: &mut Vec<u8>, mut literal: &[u8]) -> Result<()> {
    while let Some(at) = literal.iter().position(|&byte| byte == b'}') {
        if literal.get(at + 1) != Some(&b'}') {
            bail!("format: {}", FormatError::Brace { is_open: false });
        }
        out.extend_from_slice(&literal[..=at]);
        literal = &literal[at + 2..];
    }
    out.extend_from_slice(literal);
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbering {
    Automatic,
    Manual,
}

struct Fields<'a> {
    args: &'a Args<'a>,
    numbering: Option<Numbering>,
    next: usize,
}

impl Fields<'_> {
    fn write(&mut self, out: &mut Vec<u8>, field: &[u8], room: &mut Room) -> Result<()> {
        let (name, conversion, spec) = parts(field);
        let argument = self.argument(name)?;
        if !spec.is_empty() {
            return Err(Error::new(FormatError::FieldLayout { text: Text::from_bytes(spec) }));
        }
        match conversion {
            b"s" => write_text(out, argument, room),
            b"r" => write_repr(out, argument, room),
            other => bail!("format: unknown conversion {}", value(other).shown()),
        }
    }

    fn argument(&mut self, name: &[u8]) -> Result<&Value> {
        if name.is_empty() {
            self.number(Numbering::Automatic)?;
            self.next += 1;
            return self.positional(self.next - 1);
        }
        if let Some(index) = decimal(name) {
            self.number(Numbering::Manual)?;
            return self.positional(index);
        }
        let mut named = self.args.named();
        if let Some((_, value)) = named.find(|(known, _)| known.as_bytes() == name) {
            return Ok(value);
        }
        let text = Text::from_bytes(name);
        let paths =
            [(b'.', FieldPath::Attribute), (b'[', FieldPath::Element), (b'{', FieldPath::Field)];
        match paths.into_iter().find(|(mark, _)| name.contains(mark)) {
            Some((_, kind)) => bail!("format: {}", FormatError::FieldPath { text, kind }),
            None => bail!("format: {}", FormatError::NoField { name: text }),
        }
    }

    fn number(&mut self, numbering: Numbering) -> Result<()> {
        if *self.numbering.get_or_insert(numbering) != numbering {
            let is_automatic = numbering == Numbering::Automatic;
            bail!("format: {}", FormatError::FieldNumbers { is_automatic });
        }
        Ok(())
    }

    fn positional(&self, index: usize) -> Result<&Value> {
        match self.args.get(index) {
            Some(value) => Ok(value),
            None => bail!("format: {}", FormatError::MoreFields),
        }
    }
}

/// Splits `name!conversion:spec`, where the last two may be missing.
fn parts(field: &[u8]) -> (&[u8], &[u8], &[u8]) {
    let cut = |whole: &'_ [u8], mark: u8| whole.iter().position(|&byte| byte == mark);
    let Some(bang) = cut(field, b'!') else {
        let colon = cut(field, b':');
        let spec = colon.map_or(&[][..], |colon| &field[colon + 1..]);
        return (&field[..colon.unwrap_or(field.len())], b"s", spec);
    };
    let rest = &field[bang + 1..];
    let colon = cut(rest, b':');
    let spec = colon.map_or(&[][..], |colon| &rest[colon + 1..]);
    (&field[..bang], &rest[..colon.unwrap_or(rest.len())], spec)
}

fn decimal(name: &[u8]) -> Option<usize> {
    if !name.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(name).ok()?.parse::<usize>().ok()
}
