//! `"%s has %d".format([…])`, and values as text.

use std::fmt::Write as _;

use plumb_source::message;
use plumb_value::Node;

use crate::functions::{Context, time};
use crate::operate::{Budget, OperationError, Outcome};
use crate::quote;
use crate::value::Value;

/// The greatest precision of a number.
const MAX_PRECISION: usize = 100;

/// The digits of exponents, as superscripts.
const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

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
        let value = value
            .ok_or_else(|| OperationError::other("the format needs more values than it gets"))?;
        clause(verb, precision, &value, &mut out, context.budget)?;
        context.budget.pay_for_bytes(out.len().min(100))?;
    }
    out.push_str(rest);
    if values.next().is_some() {
        return Err(OperationError::other("the format gets more values than it needs"));
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
    let precision = precision
        .ok_or_else(|| OperationError::other("the format has a precision that is not valid"))?;
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
        ('f', _) => match fraction(value)? {
            value if value.is_finite() => grouped(&format!("{value:.*}", precision.unwrap_or(6))),
            value => not_finite(value).to_owned(),
        },
        // Kubernetes ignores the precision here.
        ('e', _) => match fraction(value)? {
            value if value.is_finite() => exponent(&format!("{value:.6e}")),
            value => format!("{:>6}", not_finite(value)),
        },
        ('b', Value::Bool(value)) => u8::from(*value).to_string(),
        ('b' | 'o' | 'x' | 'X', Value::Int(number)) => {
            let sign = if *number < 0 { "-" } else { "" };
            format!("{sign}{}", in_base(verb, number.unsigned_abs()))
        }
        ('b' | 'o' | 'x' | 'X', Value::UInt(number)) => in_base(verb, *number),
        ('x' | 'X', Value::String(text)) => hexadecimal(text.as_bytes(), verb),
        ('x' | 'X', Value::Bytes(bytes)) => hexadecimal(bytes, verb),
        ('d' | 'b' | 'o' | 'x' | 'X', other) => {
            // The verb is not shown: it may be part of a secret value.
            let kind = other.described();
            return Err(OperationError::other(message!(
                "the format has a verb that cannot show {kind}"
            )));
        }
        _ => return Err(OperationError::other("the format has a `%` without a known verb")),
    };
    budget.pay_for_bytes(shown.len())?;
    out.push_str(&shown);
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "the nearest float is intended")]
fn fraction(value: &Value<'_>) -> Result<f64, OperationError> {
    match value {
        Value::Double(value) => Ok(*value),
        Value::Int(value) => Ok(*value as f64),
        Value::UInt(value) => Ok(*value as f64),
        _ => Err(OperationError::other(
            "the format has a verb for numbers, found a value of another type",
        )),
    }
}

fn not_finite(value: f64) -> &'static str {
    match value {
        value if value.is_nan() => "NaN",
        value if value > 0.0 => "∞",
        _ => "-∞",
    }
}

/// The power of ten in superscript, with at least two digits: `3.140000×10⁻⁰⁶`.
fn exponent(text: &str) -> String {
    let Some((number, exponent)) = text.split_once('e') else {
        return text.to_owned();
    };
    let (sign, digits) = exponent.strip_prefix('-').map_or(("", exponent), |it| ("⁻", it));
    let raised = |it: char| it.to_digit(10).map_or(it, |digit| RAISED[digit as usize]);
    let digits: String = format!("{digits:0>2}").chars().map(raised).collect();
    format!("{number}×10{sign}{digits}")
}

/// A number with a comma after each group of three digits: `1,234,567.5`.
fn grouped(text: &str) -> String {
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let (sign, digits) = whole.split_at(usize::from(whole.starts_with('-')));
    if !digits.bytes().all(|it| it.is_ascii_digit()) {
        return text.to_owned();
    }
    let mut shown = sign.to_owned();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown + rest
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
                push_inner(&item, out, budget)?;
            }
            out.push(']');
        }
        Value::Map(entries) => {
            let mut shown = Vec::with_capacity(entries.len());
            for (key, value) in entries.iter() {
                let (mut name, mut text) = (String::new(), String::new());
                push_inner(&key, &mut name, budget)?;
                push_inner(&value, &mut text, budget)?;
                shown.push((name, text));
            }
            shown.sort();
            let shown: Vec<String> = shown.iter().map(|(key, it)| format!("{key}:{it}")).collect();
            budget.pay_for_bytes(shown.iter().map(String::len).sum())?;
            let _ = write!(out, "{{{}}}", shown.join(", "));
        }
        Value::Optional(_) | Value::Special(_) => {
            let kind = value.described();
            return Err(OperationError::other(message!("the format cannot show {kind}")));
        }
        other => out.push_str(&scalar(other)),
    }
    Ok(())
}

/// A value within a list or map, as `%s` shows it: in the syntax of CEL.
fn push_inner(
    value: &Value<'_>,
    out: &mut String,
    budget: &mut Budget,
) -> Result<(), OperationError> {
    match value {
        Value::String(text) => {
            budget.pay_for_bytes(text.len())?;
            out.push_str(&quote::shown(text));
        }
        Value::Bytes(bytes) => {
            budget.pay_for_bytes(bytes.len())?;
            let _ = write!(out, "b{}", quote::shown(&String::from_utf8_lossy(bytes)));
        }
        Value::Double(value) if value.is_finite() => {
            let _ = write!(out, "{value:.6}");
        }
        Value::Double(_) => {
            let _ = write!(out, "\"{}\"", scalar(value));
        }
        Value::Duration(_) => {
            let _ = write!(out, "duration(\"{}\")", scalar(value));
        }
        Value::Timestamp(_) => {
            let _ = write!(out, "timestamp(\"{}\")", scalar(value));
        }
        other => push(other, out, budget)?,
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
        Value::Double(value) => Node::Float(*value).repr(),
        Value::Duration(span) => time::shown_duration(*span),
        Value::Timestamp(time) => time.shown(),
        Value::Type(name) => (*name).to_owned(),
        Value::Optional(_)
        | Value::Special(_)
        | Value::String(_)
        | Value::Bytes(_)
        | Value::List(_)
        | Value::Map(_) => value.type_name().to_owned(),
    }
}
