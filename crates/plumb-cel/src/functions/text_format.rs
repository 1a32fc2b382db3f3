//! `"%s has %d".format([…])`, and values as text.

use std::fmt::Write as _;

use plumb_source::message;

use crate::functions::{Context, time};
use crate::operate::{Budget, OperationError, Outcome};
use crate::value::Value;

/// The greatest precision of a number.
const MAX_PRECISION: usize = 100;

pub(super) fn format<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let (Value::String(template), Value::List(values)) = (&args[0], &args[1]) else {
        return Err(OperationError::Types);
    };
    context.budget.pay_for_bytes(template.len())?;
    let mut out = String::new();
    let mut values = values.iter();
    let mut rest: &str = template;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let precision;
        (precision, rest) = self::precision(rest)?;
        let verb = rest.chars().next().unwrap_or(' ');
        rest = rest.get(verb.len_utf8()..).unwrap_or_default();
        let value = values.next();
        let value =
            value.ok_or_else(|| OperationError::other("the format asks for more values"))?;
        clause(verb, precision, &value, &mut out, context.budget)?;
        context.budget.pay_for_bytes(out.len().min(100))?;
    }
    out.push_str(rest);
    if values.next().is_some() {
        return Err(OperationError::other("the format asks for fewer values"));
    }
    Ok(Value::text(out))
}

/// Reads a precision such as `.3` before a verb.
fn precision(text: &str) -> Result<(Option<usize>, &str), OperationError> {
    let Some(digits) = text.strip_prefix('.') else {
        return Ok((None, text));
    };
    let end = digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len());
    let precision = digits[..end].parse().ok().filter(|it| *it <= MAX_PRECISION);
    let precision =
        precision.ok_or_else(|| OperationError::other("the precision is not understood"))?;
    Ok((Some(precision), &digits[end..]))
}

fn clause(
    verb: char,
    precision: Option<usize>,
    value: &Value<'_>,
    out: &mut String,
    budget: &mut Budget,
) -> Result<(), OperationError> {
    let shown = match (verb, value) {
        ('s', _) => {
            let mut shown = String::new();
            push(value, &mut shown, budget)?;
            shown
        }
        ('d', Value::Int(number)) => number.to_string(),
        ('d', Value::UInt(number)) => number.to_string(),
        ('f', _) => format!("{:.*}", precision.unwrap_or(6), fraction(value)?),
        ('e', _) => exponent(&format!("{:.*e}", precision.unwrap_or(6), fraction(value)?)),
        ('b', Value::Bool(value)) => u8::from(*value).to_string(),
        ('b' | 'o' | 'x' | 'X', Value::Int(number)) => {
            let sign = if *number < 0 { "-" } else { "" };
            format!("{sign}{}", in_base(verb, number.unsigned_abs()))
        }
        ('b' | 'o' | 'x' | 'X', Value::UInt(number)) => in_base(verb, *number),
        ('x' | 'X', Value::String(text)) => hexadecimal(text.as_bytes(), verb),
        ('x' | 'X', Value::Bytes(bytes)) => hexadecimal(bytes, verb),
        ('d' | 'b' | 'o' | 'x' | 'X', other) => {
            // The verb may be part of a value.
            let kind = other.described();
            return Err(OperationError::other(message!(
                "the format has a verb that cannot show {kind}"
            )));
        }
        _ => return Err(OperationError::other("the format has a `%` that is not understood")),
    };
    budget.pay_for_bytes(shown.len())?;
    out.push_str(&shown);
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "the nearest fraction is meant")]
fn fraction(value: &Value<'_>) -> Result<f64, OperationError> {
    match value {
        Value::Double(value) => Ok(*value),
        Value::Int(value) => Ok(*value as f64),
        Value::UInt(value) => Ok(*value as f64),
        _ => Err(OperationError::other("a format for numbers cannot show another value")),
    }
}

/// The exponent with a sign and at least two digits.
fn exponent(text: &str) -> String {
    let Some((number, exponent)) = text.split_once('e') else {
        return text.to_owned();
    };
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |it| ('-', it));
    format!("{number}e{sign}{digits:0>2}")
}

fn in_base(verb: char, number: u64) -> String {
    match verb {
        'b' => format!("{number:b}"),
        'o' => format!("{number:o}"),
        'x' => format!("{number:x}"),
        _ => format!("{number:X}"),
    }
}

fn hexadecimal(bytes: &[u8], verb: char) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = if verb == 'x' { write!(out, "{byte:02x}") } else { write!(out, "{byte:02X}") };
    }
    out
}

/// A value as `%s` shows it.
fn push(value: &Value<'_>, out: &mut String, budget: &mut Budget) -> Result<(), OperationError> {
    budget.pay(1)?;
    match value {
        Value::String(text) => {
            budget.pay_for_bytes(text.len())?;
            out.push_str(text);
        }
        Value::Bytes(bytes) => {
            budget.pay_for_bytes(bytes.len())?;
            out.push_str(&String::from_utf8_lossy(bytes));
        }
        Value::List(list) => {
            out.push('[');
            for (at, item) in list.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                push(&item, out, budget)?;
            }
            out.push(']');
        }
        Value::Map(entries) => {
            out.push('{');
            for (at, (key, value)) in entries.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                push(&key, out, budget)?;
                out.push_str(": ");
                push(&value, out, budget)?;
            }
            out.push('}');
        }
        other => out.push_str(&scalar(other)),
    }
    Ok(())
}

/// A scalar that is not a string, as text.
pub(super) fn scalar(value: &Value<'_>) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::UInt(value) => value.to_string(),
        Value::Double(value) if value.is_nan() => "NaN".to_owned(),
        Value::Double(value) if value.is_infinite() && *value > 0.0 => "Infinity".to_owned(),
        Value::Double(value) if value.is_infinite() => "-Infinity".to_owned(),
        Value::Double(value) => value.to_string(),
        Value::Duration(span) => time::shown_duration(*span),
        Value::Timestamp(time) => time::shown_timestamp(*time),
        Value::Type(name) => (*name).to_owned(),
        Value::Optional(_)
        | Value::Special(_)
        | Value::String(_)
        | Value::Bytes(_)
        | Value::List(_)
        | Value::Map(_) => value.type_name().to_owned(),
    }
}
