//! `x + y` and similar operators.

use std::sync::Arc;

use num_bigint::BigInt;
use plumb_source::{Text, message};

use super::BinaryOp;
use crate::Value;
use crate::code_error::CodeErrorKind;
use crate::error::{Error, Result, bail};
use crate::heap::Heap;
use crate::value::compare::equals;
use crate::value::int::{self, bounded, floor_divide, floor_modulo, to_big};
use crate::value::repr::check_length;
use crate::value::{List, Set, Tuple, bytes};
use crate::value_error::ValueError;

/// The maximum number of elements (bytes of a string) that repetition creates.
pub(crate) const MAX_REPEAT: i64 = 1 << 30;
/// The maximum number of bits by which an integer is shifted to the left.
pub(crate) const MAX_SHIFT: i64 = 511;

/// Computes an operation, except for `text % values`. Texts have at most `max_text` bytes.
pub(crate) fn binary(op: BinaryOp, left: &Value, right: &Value, max_text: usize) -> Result<Value> {
    let result = match op {
        BinaryOp::Add => add(left, right, max_text)?,
        BinaryOp::Subtract => match (left, right) {
            (Value::Int(a), Value::Int(b)) => match a.checked_sub(*b) {
                Some(it) => Some(Value::Int(it)),
                None => big(left, right, |a, b| a - b)?,
            },
            _ => arithmetic(left, right, |a, b| a - b, |a, b| a - b)?,
        },
        BinaryOp::Multiply => multiply(left, right, max_text)?,
        BinaryOp::Divide => divide(left, right)?,
        BinaryOp::FloorDivide => floor(left, right)?,
        BinaryOp::Modulo => modulo(left, right)?,
        BinaryOp::In => contains(left, right)?.map(Value::Bool),
        BinaryOp::And => match (left, right) {
            (Value::Int(a), Value::Int(b)) => Some(Value::Int(a & b)),
            (Value::Set(a), Value::Set(b)) => Some(Value::Set(Arc::new(a.intersection(b)?))),
            _ => big(left, right, |a, b| a & b)?,
        },
        BinaryOp::Or => match (left, right) {
            (Value::Int(a), Value::Int(b)) => Some(Value::Int(a | b)),
            (Value::Set(a), Value::Set(_)) => right.iterate().map(|b| union(a, b)).transpose()?,
            _ => big(left, right, |a, b| a | b)?,
        },
        BinaryOp::Xor => match (left, right) {
            (Value::Int(a), Value::Int(b)) => Some(Value::Int(a ^ b)),
            (Value::Set(a), Value::Set(b)) => {
                Some(Value::Set(Arc::new(a.symmetric_difference(b)?)))
            }
            _ => big(left, right, |a, b| a ^ b)?,
        },
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => shift(op, left, right)?,
    };
    match result {
        Some(result) => Ok(result),
        None => binary_of_bytes(op, left, right, max_text),
    }
}

#[cold]
fn binary_of_bytes(op: BinaryOp, left: &Value, right: &Value, max_text: usize) -> Result<Value> {
    bytes::binary(op, left, right, max_text)?.ok_or_else(|| {
        let (left, right) = (left.type_name(), right.type_name());
        let symbol = op.symbol();
        let words = message!("the operator `{symbol}` is not defined for {left} and {right}");
        Error::of_code(words, CodeErrorKind::Operation { op, left, right })
    })
}

/// Computes an operation of two integers if the result is an integer of 64 bits and the operation
/// is common. Returns `None` in all other cases.
#[inline]
pub(crate) fn small(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        BinaryOp::Modulo => {
            let remainder = left.checked_rem(right)?;
            let has_wrong_sign = remainder != 0 && (remainder < 0) != (right < 0);
            Some(if has_wrong_sign { remainder + right } else { remainder })
        }
        BinaryOp::FloorDivide => {
            let (quotient, remainder) = (left.checked_div(right)?, left.checked_rem(right)?);
            Some(quotient - i64::from(remainder != 0 && (remainder < 0) != (right < 0)))
        }
        BinaryOp::And => Some(left & right),
        BinaryOp::Or => Some(left | right),
        BinaryOp::Xor => Some(left ^ right),
        BinaryOp::Divide | BinaryOp::ShiftLeft | BinaryOp::ShiftRight | BinaryOp::In => None,
    }
}

fn union(set: &Set, others: crate::value::Values) -> Result<Value> {
    Ok(Value::Set(Arc::new(set.union(others)?)))
}

/// Returns the size of the product in bytes if it repeats a sequence, to check it before it is
/// computed.
pub(crate) fn product_size(left: &Value, right: &Value) -> usize {
    let (sequence, times) = match (left, right) {
        (Value::Int(times), sequence) | (sequence, Value::Int(times)) => (sequence, *times),
        _ => return 0,
    };
    let elements = sequence.length().unwrap_or(0);
    let total = i64::try_from(elements).unwrap_or(i64::MAX).saturating_mul(times.max(0));
    match sequence {
        // A larger result is rejected with another message.
        _ if total >= MAX_REPEAT => 0,
        Value::String(_) => usize::try_from(total).unwrap_or(0),
        Value::List(_) | Value::Tuple(_) => {
            usize::try_from(total).unwrap_or(0).saturating_mul(size_of::<Value>())
        }
        _ => 0,
    }
}

/// Returns the size of the sum of two sequences in bytes, to check it before it is computed.
pub(crate) fn sum_size(left: &Value, right: &Value) -> usize {
    match (left, right) {
        (Value::List(_), Value::List(_)) | (Value::Tuple(_), Value::Tuple(_)) => {
            let len = left.length().unwrap_or(0).saturating_add(right.length().unwrap_or(0));
            len.saturating_mul(2 * size_of::<Value>())
        }
        _ => 0,
    }
}

/// Computes `left += right`. A list is changed in place, and so is a string if it is not shared.
pub(crate) fn add_in_place(
    heap: &Heap,
    left: &mut Value,
    right: &Value,
    max_text: usize,
) -> Result<()> {
    match (&mut *left, right) {
        (Value::Int(a), Value::Int(b)) if a.checked_add(*b).is_some() => *a += b,
        (Value::String(text), Value::String(more)) => {
            check_length(text.len() + more.len(), max_text)?;
            text.push(more);
        }
        (Value::List(list), Value::List(_)) => extend(heap, list, right, "apply += to")?,
        (Value::List(list), _) if right.iterate().is_some() => {
            extend(heap, list, right, "apply += to")?;
        }
        _ => *left = binary(BinaryOp::Add, left, right, max_text)?,
    }
    Ok(())
}

/// Appends the elements of an iterable to a list.
pub(crate) fn extend(
    heap: &Heap,
    list: &Arc<List>,
    iterable: &Value,
    verb: &'static str,
) -> Result<()> {
    list.check_mutable(verb)?;
    let more = match iterable {
        Value::List(other) => other.elements(),
        other => other.iterate().into_iter().flatten().collect(),
    };
    list.extend(heap, more, verb)
}

fn add(left: &Value, right: &Value, max_text: usize) -> Result<Option<Value>> {
    Ok(match (left, right) {
        (Value::Int(a), Value::Int(b)) => match a.checked_add(*b) {
            Some(it) => Some(Value::Int(it)),
            None => big(left, right, |a, b| a + b)?,
        },
        (Value::String(a), Value::String(b)) => Some(Value::String(join(a, b, max_text)?)),
        (Value::List(a), Value::List(b)) => {
            let mut joined = a.elements();
            joined.extend(b.elements());
            Some(Value::List(Arc::new(List::from(joined))))
        }
        (Value::Tuple(a), Value::Tuple(b)) => {
            Some(Value::Tuple(a.iter().chain(b.iter()).cloned().collect()))
        }
        _ => arithmetic(left, right, |a, b| a + b, |a, b| a + b)?,
    })
}

/// Returns one text followed by the other.
pub(crate) fn join(left: &Text, right: &Text, max_text: usize) -> Result<Text> {
    check_length(left.len() + right.len(), max_text)?;
    let mut joined = left.clone();
    joined.push(right);
    Ok(joined)
}

/// Computes an operation of two numbers. Returns `None` if the operands are not numbers.
fn arithmetic(
    left: &Value,
    right: &Value,
    ints: impl Fn(&BigInt, &BigInt) -> BigInt,
    floats: impl Fn(f64, f64) -> f64,
) -> Result<Option<Value>> {
    match (left, right) {
        (Value::Float(_), _) | (_, Value::Float(_)) => {
            let (Some(a), Some(b)) = (to_float(left), to_float(right)) else { return Ok(None) };
            Ok(Some(Value::Float(floats(a, b))))
        }
        _ => big(left, right, ints),
    }
}

fn big(
    left: &Value,
    right: &Value,
    op: impl Fn(&BigInt, &BigInt) -> BigInt,
) -> Result<Option<Value>> {
    let (Some(a), Some(b)) = (to_big(left), to_big(right)) else { return Ok(None) };
    bounded(op(&a, &b)).map(Some)
}

pub(crate) fn to_float(value: &Value) -> Option<f64> {
    match value {
        Value::Float(it) => Some(*it),
        _ => int::to_float(value),
    }
}

fn multiply(left: &Value, right: &Value, max_text: usize) -> Result<Option<Value>> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => match a.checked_mul(*b) {
            Some(it) => Ok(Some(Value::Int(it))),
            None => big(left, right, |a, b| a * b),
        },
        (Value::Int(_) | Value::BigInt(_), Value::String(_) | Value::List(_) | Value::Tuple(_)) => {
            repeat(right, left, max_text).map(Some)
        }
        (Value::String(_) | Value::List(_) | Value::Tuple(_), Value::Int(_) | Value::BigInt(_)) => {
            repeat(left, right, max_text).map(Some)
        }
        _ => arithmetic(left, right, |a, b| a * b, |a, b| a * b),
    }
}

/// Returns how often a sequence of this length is repeated.
pub(crate) fn repetitions(len: usize, times: &Value) -> Result<usize> {
    let times = if len == 0 {
        0
    } else {
        let too_large = |_| Error::new(ValueError::Repetitions { times: times.shown().into() });
        int::to_index(times).map_err(too_large)?
    };
    let total = i64::try_from(len).unwrap_or(i64::MAX).saturating_mul(times.max(0));
    if total >= MAX_REPEAT {
        return Err(Error::new(ValueError::RepeatedElements { total }));
    }
    Ok(usize::try_from(times).unwrap_or(0))
}

fn repeat(sequence: &Value, times: &Value, max_text: usize) -> Result<Value> {
    let len = sequence.length().unwrap_or(0);
    let times = repetitions(len, times)?;
    if matches!(sequence, Value::String(_)) {
        check_length(len * times, max_text)?;
    }
    let elements = |elements: &[Value]| {
        let total = elements.len() * times;
        elements.iter().cycle().take(total).cloned().collect::<ecow::EcoVec<Value>>()
    };
    Ok(match sequence {
        Value::String(text) => Value::String(Text::from_bytes(&text.as_bytes().repeat(times))),
        Value::List(list) => Value::List(Arc::new(List::from(elements(&list.elements())))),
        Value::Tuple(tuple) => Value::Tuple(Tuple::from(elements(tuple))),
        _ => Value::None,
    })
}

fn divide(left: &Value, right: &Value) -> Result<Option<Value>> {
    let (Some(a), Some(b)) = (to_float(left), to_float(right)) else { return Ok(None) };
    if b == 0.0 {
        return Err(Error::new(ValueError::DivisionByZero { is_floored: false }));
    }
    Ok(Some(Value::Float(a / b)))
}

fn floor(left: &Value, right: &Value) -> Result<Option<Value>> {
    if let (Value::Int(a), Value::Int(b)) = (left, right) {
        if *b == 0 {
            return Err(Error::new(ValueError::DivisionByZero { is_floored: true }));
        }
        if let Some(quotient) = small(BinaryOp::FloorDivide, *a, *b) {
            return Ok(Some(Value::Int(quotient)));
        }
    }
    let (Some(a), Some(b)) = (to_float(left), to_float(right)) else { return Ok(None) };
    if b == 0.0 {
        return Err(Error::new(ValueError::DivisionByZero { is_floored: true }));
    }
    if let Some(value) = big(left, right, floor_divide)? {
        return Ok(Some(value));
    }
    Ok(Some(Value::Float((a / b).floor())))
}

fn modulo(left: &Value, right: &Value) -> Result<Option<Value>> {
    if let (Value::Int(a), Value::Int(b)) = (left, right)
        && let Some(remainder) = small(BinaryOp::Modulo, *a, *b)
    {
        return Ok(Some(Value::Int(remainder)));
    }
    let (Some(a), Some(b)) = (to_float(left), to_float(right)) else { return Ok(None) };
    let floats = matches!(left, Value::Float(_)) || matches!(right, Value::Float(_));
    if b == 0.0 {
        bail!("{} modulo by zero", if floats { "float" } else { "integer" });
    }
    if floats { Ok(Some(Value::Float(a % b))) } else { big(left, right, floor_modulo) }
}

fn shift(op: BinaryOp, left: &Value, right: &Value) -> Result<Option<Value>> {
    let Some(number) = to_big(left) else { return Ok(None) };
    let count = int::to_index(right)?;
    if count < 0 {
        return Err(Error::new(ValueError::Shift { count }));
    }
    if op == BinaryOp::ShiftRight {
        // Beyond the size of the largest number, every shift has the same result.
        let count = count.min(i64::from(i32::MAX));
        return Ok(Some(int::from_big(number >> count)));
    }
    if count > MAX_SHIFT {
        return Err(Error::new(ValueError::Shift { count }));
    }
    bounded(number << count).map(Some)
}

/// Computes `left in right`. Returns `None` if the right side does not support it.
fn contains(item: &Value, container: &Value) -> Result<Option<bool>> {
    Ok(Some(match container {
        Value::List(list) => contains_element(&list.elements(), item)?,
        Value::Tuple(tuple) => contains_element(tuple, item)?,
        Value::Dict(dict) => dict.contains(item),
        Value::Set(set) => set.contains(item)?,
        Value::Struct(fields) => item.as_text().is_some_and(|name| fields.get(name).is_some()),
        Value::String(text) => match item {
            Value::String(part) => find_bytes(text.as_bytes(), part.as_bytes()).is_some(),
            other => {
                return Err(not_contained("string", "a string", other));
            }
        },
        Value::Range(range) => match int::from_number(item) {
            Ok(Value::Int(number)) => i32::try_from(number).is_ok() && range.contains(number),
            Ok(number) => number.is_none(),
            Err(_) => {
                return Err(not_contained("range", "an integer", item));
            }
        },
        Value::Host(host) => return host.contains(item).transpose(),
        _ => return Ok(None),
    }))
}

/// The error for a value that a container of this type can never contain.
pub(crate) fn not_contained(container: &'static str, wanted: &'static str, item: &Value) -> Error {
    Error::new(ValueError::Contained { container, wanted, found: item.type_name() })
}

fn contains_element(elements: &[Value], item: &Value) -> Result<bool> {
    for element in elements {
        if equals(element, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns where a byte string first occurs in another.
pub(crate) fn find_bytes(text: &[u8], part: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, part)
}
