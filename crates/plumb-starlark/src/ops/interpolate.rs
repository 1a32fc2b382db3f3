//! `format % values`.

use std::borrow::Cow;

use plumb_source::message::secret;
use plumb_source::{Text, message};

use super::binary::{find_bytes, to_float};
use crate::Value;
use crate::error::{Error, Result, bail};
use crate::format_error::FormatError;
use crate::text;
use crate::value::float::{self, Layout};
use crate::value::int;
use crate::value::repr::{Room, check_length, write_repr, write_text};

/// The number of bytes that values usually add to a format.
const USUAL: usize = 32;

/// Computes `format % values`. `out` is an empty vector, which may have been used before.
pub(crate) fn interpolate(
    format: &Text,
    values: &Value,
    room: &mut Room,
    out: &mut Vec<u8>,
) -> Result<Text> {
    out.reserve(format.len() + USUAL);
    let mut operands = Operands { values, next: 0 };
    let mut rest = format.as_bytes();
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(b"%") {
            out.push(b'%');
            rest = after;
            continue;
        }
        let operand = match rest.strip_prefix(b"(") {
            Some(after) => {
                let Some(end) = find_bytes(after, b")") else {
                    return Err(Error::new(FormatError::OpenKey));
                };
                rest = &after[end + 1..];
                operands.named(&after[..end])?
            }
            None => operands.positional()?,
        };
        let Some((&conversion, after)) = rest.split_first() else {
            return Err(Error::new(FormatError::NoConversion));
        };
        convert(out, conversion, rest, &operand, room)?;
        rest = after;
        operands.next += 1;
    }
    out.extend_from_slice(rest);
    if operands.next < operands.count() {
        bail!("too many arguments for format string");
    }
    Ok(Text::from_bytes(out))
}

struct Operands<'a> {
    values: &'a Value,
    next: usize,
}

impl<'a> Operands<'a> {
    fn count(&self) -> usize {
        match self.values {
            Value::Tuple(tuple) => tuple.len(),
            _ => 1,
        }
    }

    fn positional(&self) -> Result<Cow<'a, Value>> {
        if self.next >= self.count() {
            bail!("not enough arguments for format string");
        }
        Ok(Cow::Borrowed(match self.values {
            Value::Tuple(tuple) => &tuple[self.next],
            other => other,
        }))
    }

    fn named(&self, key: &[u8]) -> Result<Cow<'a, Value>> {
        let key = Value::String(Text::from_bytes(key));
        let found = match self.values {
            Value::Dict(dict) => dict.get(&key)?,
            Value::Struct(fields) => key.as_text().and_then(|name| fields.get(name)).cloned(),
            Value::Host(host) if host.items().is_some() => host.index(&key).unwrap_or(None),
            other => return Err(Error::new(FormatError::NoMapping { found: other.type_name() })),
        };
        let missing = || {
            Error::new(message!(
                "key not found: {}",
                secret(key.as_text().map_or_else(String::new, Text::to_string))
            ))
        };
        found.map(Cow::Owned).ok_or_else(missing)
    }
}

/// Appends an operand; `rest` begins with the conversion.
fn convert(
    out: &mut Vec<u8>,
    conversion: u8,
    rest: &[u8],
    operand: &Value,
    room: &mut Room,
) -> Result<()> {
    match conversion {
        b's' => write_text(out, operand, room),
        b'r' => write_repr(out, operand, room),
        b'd' | b'i' | b'o' | b'x' | b'X' => integer(out, conversion, operand, room),
        b'e' | b'f' | b'g' | b'E' | b'F' | b'G' => real(out, conversion, operand),
        b'c' => character(out, operand),
        b'%' => {
            out.push(b'%');
            Ok(())
        }
        _ => {
            let mut shown = Vec::new();
            let first = rest.first().copied().unwrap_or_default();
            text::push_char(&mut shown, char::from(first));
            bail!("unknown conversion %{}", secret(String::from_utf8_lossy(&shown)))
        }
    }
}

fn integer(out: &mut Vec<u8>, conversion: u8, operand: &Value, room: &mut Room) -> Result<()> {
    if let (b'd', Value::Int(number)) = (conversion, operand) {
        out.extend_from_slice(itoa::Buffer::new().format(*number).as_bytes());
        return check_length(out.len(), room.bytes);
    }
    let number = int::from_number(operand).map_err(|error| {
        let conversion = char::from(conversion);
        error.map_message(|reason| {
            let reason = reason.clone();
            FormatError::NotAnInteger { conversion, reason }.into()
        })
    })?;
    let big = || int::to_big(&number).unwrap_or_default();
    let written = match conversion {
        b'o' => big().to_str_radix(8),
        b'x' => big().to_str_radix(16),
        b'X' => big().to_str_radix(16).to_uppercase(),
        _ => return write_repr(out, &number, room),
    };
    out.extend_from_slice(written.as_bytes());
    Ok(())
}

fn real(out: &mut Vec<u8>, conversion: u8, operand: &Value) -> Result<()> {
    let Some(number) = to_float(operand) else {
        let (conversion, found) = (char::from(conversion), operand.type_name());
        return Err(Error::new(FormatError::NotANumber { conversion, found }));
    };
    let layout = match conversion.to_ascii_lowercase() {
        b'e' => Layout::Exponent,
        b'f' => Layout::Fixed,
        _ => Layout::Shortest,
    };
    let mut written = float::format_as(number, layout);
    if number.is_finite() && conversion.is_ascii_uppercase() {
        written = written.to_uppercase();
    }
    out.extend_from_slice(written.as_bytes());
    Ok(())
}

fn character(out: &mut Vec<u8>, operand: &Value) -> Result<()> {
    match operand {
        Value::Int(_) | Value::BigInt(_) => {
            let index = int::to_index(operand).ok().filter(|it| (0..=0x10_FFFF).contains(it));
            let Some(index) = index else {
                let value = operand.shown().into();
                return Err(Error::new(FormatError::NotACodePoint { value }));
            };
            let c = u32::try_from(index).ok().and_then(char::from_u32);
            text::push_char(out, c.unwrap_or(text::REPLACEMENT));
        }
        Value::String(string) => {
            let bytes = string.as_bytes();
            let single = !bytes.is_empty() && text::decode(bytes).1 == bytes.len();
            if !single {
                return Err(Error::new(FormatError::NotACharacter { found: None }));
            }
            text::push_char(out, text::decode(bytes).0.unwrap_or(text::REPLACEMENT));
        }
        other => {
            let found = Some(other.type_name());
            return Err(Error::new(FormatError::NotACharacter { found }));
        }
    }
    Ok(())
}
