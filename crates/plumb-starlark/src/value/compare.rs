//! Equality and order.

use std::cmp::Ordering;
use std::sync::Arc;

use plumb_source::message;

use super::{Dict, Value, bytes, int};
use crate::budget::too_many_steps;
use crate::code_error::CodeErrorKind;
use crate::error::{Error, Result};
use crate::ops::CompareOp;
use crate::value_error::ValueError;

/// The maximum depth of a comparison of nested values.
pub(crate) const MAX_DEPTH: u32 = 10;
/// The maximum number of elements that a comparison without a charge may visit. Lists that contain
/// each other many times can have more elements than any program could visit.
const MAX_ELEMENTS: u64 = 1_000_000;
/// Bytes of text that take about as long to compare as one element.
const BYTES_PER_ELEMENT: usize = 8;
/// The same for integers.
const BITS_PER_ELEMENT: u64 = 8 * BYTES_PER_ELEMENT as u64;

pub(crate) fn equals(left: &Value, right: &Value) -> Result<bool> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => Ok(left == right),
        (Value::Int(left), Value::Int(right)) => Ok(left == right),
        (Value::String(_), _) => Ok(false),
        _ => compare(CompareOp::Equal, left, right),
    }
}

pub(crate) fn compare(op: CompareOp, left: &Value, right: &Value) -> Result<bool> {
    compare_within(op, left, right, MAX_ELEMENTS).0
}

/// Compares two values within a maximum number of elements. Also returns the number of visited
/// elements.
pub(crate) fn compare_within(
    op: CompareOp,
    left: &Value,
    right: &Value,
    max_elements: u64,
) -> (Result<bool>, u64) {
    let mut comparison = Comparison { elements: 0, max_elements };
    let result = comparison.compare(op, left, right, MAX_DEPTH);
    (result, comparison.elements)
}

/// Returns the order of two values that are both small integers or both texts, which are the usual
/// keys. Returns `None` for all other values.
#[inline]
pub(crate) fn simple_order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

/// Returns the cost of comparing two values themselves, in elements.
#[inline]
fn cost(left: &Value, right: &Value) -> u64 {
    match (left, right) {
        (Value::String(left), Value::String(right)) => {
            1 + (left.len().min(right.len()) / BYTES_PER_ELEMENT) as u64
        }
        (Value::BigInt(left), Value::BigInt(right)) => {
            1 + left.bits().min(right.bits()) / BITS_PER_ELEMENT
        }
        (Value::Host(_), Value::Host(_)) => {
            1 + (bytes::length(left).min(bytes::length(right)) / BYTES_PER_ELEMENT) as u64
        }
        _ => 1,
    }
}

/// Returns the maximum number of elements that a comparison with a key of the same type visits, if
/// both are integers, texts, or tuples of these. Returns `None` for other keys.
pub(crate) fn elements_of_key(key: &Value) -> Option<u64> {
    match key {
        Value::Int(_) | Value::String(_) => Some(cost(key, key)),
        Value::Tuple(tuple) => tuple.iter().try_fold(1, |sum, it| match it {
            Value::Int(_) | Value::String(_) => Some(sum + cost(it, it)),
            _ => None,
        }),
        _ => None,
    }
}

struct Comparison {
    elements: u64,
    max_elements: u64,
}

impl Comparison {
    fn compare(&mut self, op: CompareOp, left: &Value, right: &Value, depth: u32) -> Result<bool> {
        if depth < 1 {
            return Err(Error::new(ValueError::TooDeepToCompare));
        }
        self.count(left, right)?;
        match (left, right) {
            (Value::Bool(left), Value::Bool(right)) => Ok(op.holds(left.cmp(right))),
            (Value::None, Value::None) => Ok(op.holds(Ordering::Equal)),
            (Value::Int(_) | Value::BigInt(_), Value::Int(_) | Value::BigInt(_)) => {
                Ok(int::compare(left, right).is_some_and(|order| op.holds(order)))
            }
            (Value::Float(left), Value::Float(right)) => Ok(compare_floats(op, *left, *right)),
            (Value::Int(_) | Value::BigInt(_), Value::Float(float)) => {
                Ok(compare_int_and_float(left, *float).is_some_and(|order| op.holds(order)))
            }
            (Value::Float(float), Value::Int(_) | Value::BigInt(_)) => {
                Ok(compare_float_and_int(*float, right).is_some_and(|order| op.holds(order)))
            }
            (Value::String(left), Value::String(right)) => Ok(op.holds(left.cmp(right))),
            (Value::List(left), Value::List(right)) => {
                self.sequences(op, &left.elements(), &right.elements(), depth)
            }
            (Value::Tuple(left), Value::Tuple(right)) => self.sequences(op, left, right, depth),
            (Value::Dict(left), Value::Dict(right)) => match equality(op) {
                Some(equal) => Ok(self.dicts(left, right, depth)? == equal),
                None => Self::not_implemented(op, "dict", "dict"),
            },
            (Value::Set(left), Value::Set(right)) => match equality(op) {
                Some(equal) => Ok(same_keys(&left.0, &right.0)? == equal),
                None => Self::not_implemented(op, "set", "set"),
            },
            (Value::Range(left), Value::Range(right)) => match equality(op) {
                Some(equal) => Ok(left.same_elements(right) == equal),
                None => Self::not_implemented(op, "range", "range"),
            },
            _ => Self::others(op, left, right),
        }
    }

    fn count(&mut self, left: &Value, right: &Value) -> Result<()> {
        self.elements += cost(left, right);
        if self.elements > self.max_elements { Err(too_many_steps()) } else { Ok(()) }
    }

    /// Compares values without an order.
    fn others(op: CompareOp, left: &Value, right: &Value) -> Result<bool> {
        let (left_type, right_type) = (left.type_name(), right.type_name());
        if left_type == right_type
            && let Value::Host(host) = left
            && let Some(result) = host.compare(op, right)
        {
            return result;
        }
        match equality(op) {
            Some(equal) => Ok(is_identical(left, right) == equal),
            None => Self::not_implemented(op, left_type, right_type),
        }
    }

    fn not_implemented(op: CompareOp, left: &'static str, right: &'static str) -> Result<bool> {
        let symbol = op.symbol();
        let words = message!("the operator `{symbol}` is not defined for {left} and {right}");
        Err(Error::of_code(words, CodeErrorKind::Comparison { op, left, right }))
    }

    fn sequences(
        &mut self,
        op: CompareOp,
        left: &[Value],
        right: &[Value],
        depth: u32,
    ) -> Result<bool> {
        if let Some(equal) = equality(op)
            && left.len() != right.len()
        {
            return Ok(!equal);
        }
        for (left, right) in left.iter().zip(right) {
            if depth > 1
                && let Some(order) = simple_order(left, right)
            {
                self.count(left, right)?;
                if order.is_eq() {
                    continue;
                }
                return Ok(op.holds(order));
            }
            if !self.compare(CompareOp::Equal, left, right, depth - 1)? {
                return match equality(op) {
                    Some(equal) => Ok(!equal),
                    None => self.compare(op, left, right, depth - 1),
                };
            }
        }
        Ok(op.holds(left.len().cmp(&right.len())))
    }

    fn dicts(&mut self, left: &Dict, right: &Dict, depth: u32) -> Result<bool> {
        if left.len() != right.len() {
            return Ok(false);
        }
        for (key, value) in left.entries().pairs() {
            let Some(other) = right.get(key)? else { return Ok(false) };
            if !self.compare(CompareOp::Equal, value, &other, depth - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the required result if the operator only tests for equality.
fn equality(op: CompareOp) -> Option<bool> {
    match op {
        CompareOp::Equal => Some(true),
        CompareOp::NotEqual => Some(false),
        CompareOp::Less
        | CompareOp::LessOrEqual
        | CompareOp::Greater
        | CompareOp::GreaterOrEqual => None,
    }
}

fn same_keys(left: &Dict, right: &Dict) -> Result<bool> {
    if left.len() != right.len() {
        return Ok(false);
    }
    for key in left.keys() {
        if right.get(&key)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn compare_floats(op: CompareOp, left: f64, right: f64) -> bool {
    match left.partial_cmp(&right) {
        Some(order) => op.holds(order),
        None => op == CompareOp::NotEqual,
    }
}

/// Returns `None` if the float is NaN: then every comparison is false, even `!=`.
fn compare_int_and_float(int: &Value, float: f64) -> Option<Ordering> {
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    int::compare_float(int, float)
}

/// An infinite float on the left compares the wrong way round in this dialect.
fn compare_float_and_int(float: f64, int: &Value) -> Option<Ordering> {
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    int::compare_float(int, float).map(Ordering::reverse)
}

/// Returns whether two values are identical.
fn is_identical(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Function(left), Value::Function(right)) => Arc::ptr_eq(left, right),
        (Value::Builtin(left), Value::Builtin(right)) => Arc::ptr_eq(left, right),
        (Value::Method(left), Value::Method(right)) => Arc::ptr_eq(left, right),
        (Value::Struct(left), Value::Struct(right)) => Arc::ptr_eq(left, right),
        (Value::Module(left), Value::Module(right)) => Arc::ptr_eq(left, right),
        (Value::Host(left), Value::Host(right)) => Arc::ptr_eq(left, right),
        (Value::StringIterable(left), Value::StringIterable(right)) => {
            (&left.string, left.parts, left.ordinals)
                == (&right.string, right.parts, right.ordinals)
        }
        _ => false,
    }
}
