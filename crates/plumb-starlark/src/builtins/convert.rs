//! Conversions between types.

use plumb_source::message::{WantedCount, argument_count, wrong_type};
use plumb_source::{Text, message};

use super::number::{parse_float, parse_int};
use crate::Value;
use crate::args::{Args, Parameter};
use crate::conversion_error::ConversionError;
use crate::error::{Error, Result, bail};
use crate::text;
use crate::value::{Bytes, bytes, int};
use crate::vm::Thread;

pub(super) fn bool(_: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    args.check("bool", 0, 1)?;
    Ok(Value::Bool(args.get(0).is_some_and(Value::truth)))
}

/// Checks that there is exactly one argument, with the message of functions that count their
/// arguments themselves.
fn single<'a>(args: &Args<'a>, function: &'static str, wanted: WantedCount) -> Result<&'a Value> {
    if args.named().len() > 0 {
        bail!("{function} does not accept keyword arguments");
    }
    match args.get(0) {
        Some(value) if args.len() == 1 => Ok(value),
        _ => bail!("{function}: {}", argument_count(wanted, args.len())),
    }
}

pub(super) fn chr(_: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let value = single(args, "chr", WantedCount::Of(1))?;
    let Ok(number) = int::to_index(value) else {
        bail!("chr: {}", wrong_type("int", value.type_name()));
    };
    if !(0..=0x10_FFFF).contains(&number) {
        bail!("chr: {}", ConversionError::Character { number });
    }
    let c = u32::try_from(number).ok().and_then(char::from_u32).unwrap_or(text::REPLACEMENT);
    Ok(Value::from(c.to_string()))
}

pub(super) fn ord(_: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let value = single(args, "ord", WantedCount::Of(1))?;
    let Value::String(string) = value else {
        bail!("ord: {}", wrong_type("string", value.type_name()));
    };
    let mut chars = text::chars(string.as_bytes());
    if let (Some((_, c)), None) = (chars.next(), chars.next()) {
        return Ok(Value::Int(i64::from(u32::from(c))));
    }
    let count = text::chars(string.as_bytes()).count();
    bail!("ord: {}", ConversionError::NotACharacter { count })
}

pub(super) fn bytes(_: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    bytes::of(single(args, "bytes", WantedCount::Exactly(1))?)
}

pub(super) fn hash(_: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let [string] = args.unpack::<1>("hash", 1)?;
    if let Some(bytes) = args.get(0).and_then(Value::downcast::<Bytes>) {
        return Ok(Value::Int(i64::from(bytes::fnv(bytes.as_slice()))));
    }
    let mut hash = 0i32;
    if let Some(string) = string {
        for (_, c) in text::chars(string.text()?.as_bytes()) {
            hash = hash.wrapping_mul(31).wrapping_add(u32::from(c).cast_signed());
        }
    }
    Ok(Value::Int(i64::from(hash)))
}

pub(super) fn float(_: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    if args.named().len() > 0 {
        bail!("float does not accept keyword arguments");
    }
    let Some(value) = args.get(0) else { return Ok(Value::Float(0.0)) };
    if args.len() != 1 {
        return Err(Error::new(ConversionError::FloatArguments(args.len())));
    }
    Ok(Value::Float(match value {
        Value::Bool(it) => f64::from(u8::from(*it)),
        Value::Float(it) => *it,
        Value::Int(_) | Value::BigInt(_) => int::to_float(value).unwrap_or(f64::NAN),
        Value::String(it) => parse_float(it)?,
        other => return Err(Error::new(ConversionError::NotANumber { found: other.type_name() })),
    }))
}

pub(super) fn int(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let [value, base] =
        args.unpack_named("int", [Parameter::Required("x"), Parameter::Optional("base")])?;
    let Some(value) = value.map(|it| it.value) else { return Ok(Value::Int(0)) };
    if let Value::String(string) = value {
        let base = match base {
            None => 10,
            Some(base) => match int::to_index(base.value) {
                Ok(base) if base == 0 || (2..=36).contains(&base) => base,
                _ => bail!("int: {}", ConversionError::Base),
            },
        };
        thread.count_steps(int::parsing_steps(string.len()))?;
        return parse_int(string, u32::try_from(base).unwrap_or(10));
    }
    if base.is_some() {
        bail!("int: {}", ConversionError::BaseWithoutText { found: value.type_name() });
    }
    if let Value::Bool(it) = value {
        return Ok(Value::Int(i64::from(*it)));
    }
    int::from_number(value).map_err(|error| error.map_message(|message| message!("int: {message}")))
}

pub(super) fn repr(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    args.check("repr", 1, 1)?;
    thread.repr(args.get(0).unwrap_or(&Value::None)).map(Value::String)
}

pub(super) fn str(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let value = single(args, "str", WantedCount::Exactly(1))?;
    if let Value::Int(number) = value {
        return Ok(Value::String(Text::from(itoa::Buffer::new().format(*number))));
    }
    thread.write(|room| value.to_text(room)).map(Value::String)
}

pub(super) fn type_(_: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    Ok(Value::String(Text::from(single(args, "type", WantedCount::Exactly(1))?.type_name())))
}
