//! Sizes, types and conversions.

use crate::functions::special::Special;
use crate::functions::timestamp::Timestamp;
use crate::functions::{Context, Function, global, member, text_format, time};
use crate::operate::{OperationError, Outcome};
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    global("size", 1..=1, size),
    member("size", 0..=0, size),
    global("type", 1..=1, |args, _| Ok(Value::Type(args[0].type_name()))),
    global("dyn", 1..=1, |args, _| Ok(args[0].clone())),
    global("bool", 1..=1, bool),
    global("int", 1..=1, int),
    global("uint", 1..=1, uint),
    global("double", 1..=1, double),
    global("string", 1..=1, string),
    global("bytes", 1..=1, bytes),
    global("duration", 1..=1, duration),
    global("timestamp", 1..=1, timestamp),
];

pub(super) const NO_DURATION: &str = "the string is not a duration, such as `1h30m` or `500ms`";
pub(super) const NO_TIMESTAMP: &str =
    "the string is not a timestamp, such as `2026-01-31T12:00:00Z`";

fn size<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let size = match &args[0] {
        Value::String(text) => {
            context.budget.pay_for_bytes(text.len())?;
            text.chars().count()
        }
        Value::Bytes(bytes) => bytes.len(),
        Value::List(list) => list.len(),
        Value::Map(entries) => entries.len(),
        _ => return Err(OperationError::Types),
    };
    Ok(int_of(size))
}

pub(super) fn int_of<'a>(n: usize) -> Value<'a> {
    Value::Int(i64::try_from(n).expect("a value has fewer than 2^63 items"))
}

fn bool<'a>(args: &[Value<'a>], _: &mut Context<'_>) -> Outcome<'a> {
    match &args[0] {
        Value::Bool(value) => Ok(Value::Bool(*value)),
        Value::String(text) => match &**text {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Value::Bool(true)),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Value::Bool(false)),
            _ => Err(OperationError::other("the string is neither true nor false")),
        },
        _ => Err(OperationError::Types),
    }
}

fn int<'a>(args: &[Value<'a>], _: &mut Context<'_>) -> Outcome<'a> {
    let value = match &args[0] {
        Value::Int(value) => Some(*value),
        Value::UInt(value) => i64::try_from(*value).ok(),
        #[expect(clippy::cast_possible_truncation, reason = "checked to be in range")]
        Value::Double(value) if value.abs() < 9_223_372_036_854_775_807.0 => Some(*value as i64),
        Value::Double(_) => None,
        Value::String(text) => {
            let value =
                text.parse().map_err(|_| OperationError::other("the string is not an integer"))?;
            Some(value)
        }
        Value::Timestamp(time) => i64::try_from(time.second()).ok(),
        Value::Duration(span) => Some(*span),
        _ => return Err(OperationError::Types),
    };
    value.map(Value::Int).ok_or_else(|| OperationError::other("the number is too large for an int"))
}

fn uint<'a>(args: &[Value<'a>], _: &mut Context<'_>) -> Outcome<'a> {
    let value = match &args[0] {
        Value::Int(value) => u64::try_from(*value).ok(),
        Value::UInt(value) => Some(*value),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked to be in range"
        )]
        Value::Double(value) if (0.0..18_446_744_073_709_551_615.0).contains(value) => {
            Some(*value as u64)
        }
        Value::Double(_) => None,
        Value::String(text) => {
            let value =
                text.parse().map_err(|_| OperationError::other("the string is not an integer"))?;
            Some(value)
        }
        _ => return Err(OperationError::Types),
    };
    value.map(Value::UInt).ok_or_else(|| OperationError::other("the number does not fit a uint"))
}

#[expect(clippy::cast_precision_loss, reason = "the nearest float is intended")]
fn double<'a>(args: &[Value<'a>], _: &mut Context<'_>) -> Outcome<'a> {
    Ok(Value::Double(match &args[0] {
        Value::Int(value) => *value as f64,
        Value::UInt(value) => *value as f64,
        Value::Double(value) => *value,
        Value::String(text) => {
            let is_infinite = text.to_ascii_lowercase().contains("inf");
            let number = text.parse().ok();
            // A number that is too large is an error, not infinity.
            let number = number.filter(|it: &f64| is_infinite || !it.is_infinite());
            number.ok_or_else(|| OperationError::other("the string is not a number"))?
        }
        _ => return Err(OperationError::Types),
    }))
}

fn string<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    match &args[0] {
        Value::String(text) => Ok(Value::String(text.clone())),
        Value::Bytes(bytes) => {
            context.budget.pay_for_bytes(bytes.len())?;
            let text = str::from_utf8(bytes);
            let text = text.map_err(|_| OperationError::other("the bytes are not UTF-8"))?;
            Ok(Value::text(text))
        }
        Value::Bool(_)
        | Value::Int(_)
        | Value::UInt(_)
        | Value::Double(_)
        | Value::Duration(_)
        | Value::Timestamp(_) => Ok(Value::text(text_format::scalar(&args[0]))),
        Value::Special(special) => match &**special {
            Special::Ip(address) => Ok(Value::text(address.to_string())),
            Special::Cidr(cidr) => Ok(Value::text(format!("{}/{}", cidr.address, cidr.prefix))),
            Special::Url(_) | Special::Quantity(_) | Special::Semver(_) | Special::Format(_) => {
                Err(OperationError::Types)
            }
        },
        _ => Err(OperationError::Types),
    }
}

fn bytes<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    match &args[0] {
        Value::Bytes(bytes) => Ok(Value::Bytes(bytes.clone())),
        Value::String(text) => {
            context.budget.pay_for_bytes(text.len())?;
            Ok(Value::Bytes(text.as_bytes().into()))
        }
        _ => Err(OperationError::Types),
    }
}

fn duration<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    match &args[0] {
        Value::Duration(span) | Value::Int(span) => Ok(Value::Duration(*span)),
        Value::String(text) => {
            context.budget.pay_for_bytes(text.len())?;
            let span = time::duration(text);
            span.map(Value::Duration).ok_or_else(|| OperationError::other(NO_DURATION))
        }
        _ => Err(OperationError::Types),
    }
}

fn timestamp<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    match &args[0] {
        Value::Timestamp(time) => Ok(Value::Timestamp(*time)),
        Value::Int(seconds) => Timestamp::from_second(*seconds).map(Value::Timestamp),
        Value::String(text) => {
            context.budget.pay_for_bytes(text.len())?;
            let time = Timestamp::parse(text);
            time.map(Value::Timestamp).ok_or_else(|| OperationError::other(NO_TIMESTAMP))
        }
        _ => Err(OperationError::Types),
    }
}
