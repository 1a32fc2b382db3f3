//! Operators: equality, order and arithmetic, and the budget that limits their cost.
//!
//! Numbers of different types are equal and ordered by value, as in Kubernetes. Integers and floats
//! can be combined in arithmetic, because YAML does not reliably distinguish `1` from `1.0`.

use std::cmp::Ordering;
use std::ops::Range;

use plumb_source::{Message, message};
use plumb_value::Node;

use crate::EvaluationError;
use crate::ast::Operator;
use crate::identity as lists;
use crate::value::{Entries, Value};

/// The number of steps that are left.
pub(crate) struct Budget(u64);

/// Why there is no result. The caller adds the place.
#[derive(Debug)]
pub(crate) enum OperationError {
    Limit,
    /// The types of the values do not fit.
    Types,
    Other(Message),
}

pub(crate) type Outcome<'a> = Result<Value<'a>, OperationError>;

/// The number of bytes that one step covers.
const BYTES_PER_STEP: usize = 10;

impl Budget {
    pub(crate) fn new(n_steps: u64) -> Self {
        Self(n_steps)
    }

    pub(crate) fn left(&self) -> u64 {
        self.0
    }

    pub(crate) fn pay(&mut self, n_steps: usize) -> Result<(), OperationError> {
        self.0 = self.0.checked_sub(n_steps as u64).ok_or(OperationError::Limit)?;
        Ok(())
    }

    pub(crate) fn pay_for_bytes(&mut self, n_bytes: usize) -> Result<(), OperationError> {
        self.pay(n_bytes / BYTES_PER_STEP)
    }
}

impl OperationError {
    pub(crate) fn other(message: impl Into<Message>) -> Self {
        Self::Other(message.into())
    }

    /// Sets the message for types that do not fit: what was expected.
    pub(crate) fn or_types(self, expected: &'static str) -> Self {
        match self {
            Self::Types => Self::other(expected),
            other => other,
        }
    }

    pub(crate) fn at(self, at: &Range<usize>) -> EvaluationError {
        match self {
            Self::Limit => EvaluationError::limit(at.clone()),
            Self::Types => EvaluationError::new("these types do not match", at.clone()),
            Self::Other(message) => EvaluationError::new(message, at.clone()),
        }
    }
}

pub(crate) fn negate<'a>(operand: &Value<'a>) -> Outcome<'a> {
    match operand {
        Value::Int(value) => value.checked_neg().map(Value::Int).ok_or_else(overflow),
        Value::Double(value) => Ok(Value::Double(-value)),
        Value::Duration(value) => value.checked_neg().map(Value::Duration).ok_or_else(overflow),
        other => {
            Err(OperationError::other(message!("`-` cannot be applied to {}", other.described())))
        }
    }
}

pub(crate) fn binary<'a>(
    operator: Operator,
    left: &Value<'a>,
    right: &Value<'a>,
    budget: &mut Budget,
) -> Outcome<'a> {
    let result = match operator {
        Operator::Equal => return equal(left, right, budget).map(Value::Bool),
        Operator::NotEqual => return equal(left, right, budget).map(|it| Value::Bool(!it)),
        Operator::In => contains(right, left, budget).map(Value::Bool),
        Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
            compare(left, right, budget).map(|order| Value::Bool(is_ordered(operator, order)))
        }
        Operator::Add => add(left, right, budget),
        Operator::Subtract => subtract(left, right),
        Operator::Multiply | Operator::Divide | Operator::Remainder => {
            arithmetic(operator, left, right)
        }
    };
    result.map_err(|error| match error {
        OperationError::Types => {
            let (symbol, left, right) = (operator.symbol(), left.described(), right.described());
            OperationError::other(message!("`{symbol}` cannot be applied to {left} and {right}"))
        }
        other => other,
    })
}

fn is_ordered(operator: Operator, order: Option<Ordering>) -> bool {
    order.is_some_and(|order| match operator {
        Operator::Less => order.is_lt(),
        Operator::LessOrEqual => order.is_le(),
        Operator::Greater => order.is_gt(),
        _ => order.is_ge(),
    })
}

/// Whether two values are equal. Values of different types are not, except for numbers.
pub(crate) fn equal(
    left: &Value<'_>,
    right: &Value<'_>,
    budget: &mut Budget,
) -> Result<bool, OperationError> {
    budget.pay(1)?;
    Ok(match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::String(left), Value::String(right)) => {
            budget.pay_for_bytes(left.len().min(right.len()))?;
            **left == **right
        }
        (Value::Bytes(left), Value::Bytes(right)) => {
            budget.pay_for_bytes(left.len().min(right.len()))?;
            left == right
        }
        (Value::Type(left), Value::Type(right)) => left == right,
        (Value::Duration(left), Value::Duration(right)) => left == right,
        (Value::Timestamp(left), Value::Timestamp(right)) => left == right,
        (Value::Special(left), Value::Special(right)) => left == right,
        (Value::Null, Value::Null) | (Value::Optional(None), Value::Optional(None)) => true,
        (Value::Optional(Some(left)), Value::Optional(Some(right))) => equal(left, right, budget)?,
        (Value::List(left), Value::List(right)) => {
            left.len() == right.len() && lists::equal(left, right, budget)?
        }
        (Value::Map(left), Value::Map(right)) => {
            left.len() == right.len() && {
                left.iter().try_fold(true, |all, (key, value)| {
                    let other = lookup(right, &key, budget)?;
                    Ok::<bool, OperationError>(match other {
                        Some(other) => all && equal(&value, &other, budget)?,
                        None => false,
                    })
                })?
            }
        }
        _ => match (Number::of(left), Number::of(right)) {
            (Some(left), Some(right)) => left.order(right) == Some(Ordering::Equal),
            _ => false,
        },
    })
}

/// The order of two values. Returns `None` if one of them is NaN.
pub(crate) fn compare(
    left: &Value<'_>,
    right: &Value<'_>,
    budget: &mut Budget,
) -> Result<Option<Ordering>, OperationError> {
    Ok(match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Some(left.cmp(right)),
        (Value::String(left), Value::String(right)) => {
            budget.pay_for_bytes(left.len().min(right.len()))?;
            Some((**left).cmp(&**right))
        }
        (Value::Bytes(left), Value::Bytes(right)) => {
            budget.pay_for_bytes(left.len().min(right.len()))?;
            Some(left.cmp(right))
        }
        (Value::Duration(left), Value::Duration(right)) => Some(left.cmp(right)),
        (Value::Timestamp(left), Value::Timestamp(right)) => Some(left.cmp(right)),
        _ => match (Number::of(left), Number::of(right)) {
            (Some(left), Some(right)) => left.order(right),
            _ => return Err(OperationError::Types),
        },
    })
}

/// `value in range`
pub(crate) fn contains(
    range: &Value<'_>,
    value: &Value<'_>,
    budget: &mut Budget,
) -> Result<bool, OperationError> {
    match range {
        Value::Map(entries) => Ok(lookup(entries, value, budget)?.is_some()),
        Value::List(list) => {
            for item in list.iter() {
                if equal(&item, value, budget)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        _ => Err(OperationError::Types),
    }
}

/// The value of a key. Returns `None` if it is missing.
pub(crate) fn lookup<'a>(
    entries: &Entries<'a>,
    key: &Value<'_>,
    budget: &mut Budget,
) -> Result<Option<Value<'a>>, OperationError> {
    budget.pay(1)?;
    match entries {
        Entries::Node(map, declared) => {
            let found = match key {
                Value::String(text) => map.get_str(text),
                Value::Bool(value) => map.get(&Node::Bool(*value)).map(|it| &it.node),
                Value::UInt(value) => map.get(&Node::uint(*value)).map(|it| &it.node),
                other => position(other).and_then(|it| Some(&map.get(&Node::Int(it))?.node)),
            };
            let declared = match key {
                Value::String(text) => declared.and_then(|it| it.under(text)),
                _ => None,
            };
            Ok(found.map(|it| Value::declared(it, declared)))
        }
        Entries::Values(entries) => {
            for (other, value) in entries.iter() {
                if equal(other, key, budget)? {
                    return Ok(Some(value.clone()));
                }
            }
            Ok(None)
        }
    }
}

/// A number as an index. A float without a fraction is accepted.
pub(crate) fn position(value: &Value<'_>) -> Option<i64> {
    match value {
        Value::Int(value) => Some(*value),
        Value::UInt(value) => i64::try_from(*value).ok(),
        #[expect(clippy::cast_possible_truncation, reason = "it is an integer in range")]
        Value::Double(value) if value.fract() == 0.0 && value.abs() < 9e15 => Some(*value as i64),
        _ => None,
    }
}

fn add<'a>(left: &Value<'a>, right: &Value<'a>, budget: &mut Budget) -> Outcome<'a> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => {
            budget.pay_for_bytes(left.len() + right.len())?;
            Ok(Value::text([&**left, &**right].concat()))
        }
        (Value::Bytes(left), Value::Bytes(right)) => {
            budget.pay_for_bytes(left.len() + right.len())?;
            Ok(Value::Bytes([&**left, &**right].concat().into()))
        }
        (Value::List(left), Value::List(right)) => {
            budget.pay(left.len() + right.len())?;
            lists::joined(left, right, budget)
        }
        (Value::Duration(left), Value::Duration(right)) => {
            left.checked_add(*right).map(Value::Duration).ok_or_else(overflow)
        }
        (Value::Timestamp(time), Value::Duration(span))
        | (Value::Duration(span), Value::Timestamp(time)) => {
            time.plus(i128::from(*span)).map(Value::Timestamp)
        }
        _ => arithmetic(Operator::Add, left, right),
    }
}

fn subtract<'a>(left: &Value<'a>, right: &Value<'a>) -> Outcome<'a> {
    match (left, right) {
        (Value::Duration(left), Value::Duration(right)) => {
            left.checked_sub(*right).map(Value::Duration).ok_or_else(overflow)
        }
        (Value::Timestamp(time), Value::Duration(span)) => {
            time.plus(-i128::from(*span)).map(Value::Timestamp)
        }
        (Value::Timestamp(left), Value::Timestamp(right)) => {
            let span = left.nanoseconds - right.nanoseconds;
            i64::try_from(span).map(Value::Duration).map_err(|_| overflow())
        }
        _ => arithmetic(Operator::Subtract, left, right),
    }
}

fn arithmetic<'a>(operator: Operator, left: &Value<'a>, right: &Value<'a>) -> Outcome<'a> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => {
            calculated(operator, *left, *right).map(Value::Int)
        }
        (Value::UInt(left), Value::UInt(right)) => {
            calculated(operator, *left, *right).map(Value::UInt)
        }
        _ => {
            let (Some(left), Some(right)) = (fraction(left), fraction(right)) else {
                return Err(OperationError::Types);
            };
            Ok(Value::Double(match operator {
                Operator::Add => left + right,
                Operator::Subtract => left - right,
                Operator::Multiply => left * right,
                Operator::Divide => left / right,
                _ => return Err(OperationError::Types),
            }))
        }
    }
}

/// Computes in 128 bits, which cannot overflow, and fails if the result does not fit into the 64
/// bits of `T`.
fn calculated<T>(operator: Operator, left: T, right: T) -> Result<T, OperationError>
where
    T: TryFrom<i128>,
    i128: From<T>,
{
    let (left, right) = (i128::from(left), i128::from(right));
    let divides = matches!(operator, Operator::Divide | Operator::Remainder);
    if divides && right == 0 {
        return Err(OperationError::other("division by zero"));
    }
    let fitting = |result: i128| T::try_from(result).map_err(|_| overflow());
    match operator {
        Operator::Add => fitting(left + right),
        Operator::Subtract => fitting(left - right),
        Operator::Multiply => fitting(left.checked_mul(right).ok_or_else(overflow)?),
        Operator::Divide => fitting(left / right),
        // The remainder is only defined if the quotient fits.
        _ => fitting(left / right).and_then(|_| fitting(left % right)),
    }
}

/// An integer or a float as a float.
fn fraction(value: &Value<'_>) -> Option<f64> {
    match value {
        #[expect(clippy::cast_precision_loss, reason = "the nearest float is intended")]
        Value::Int(value) => Some(*value as f64),
        Value::Double(value) => Some(*value),
        _ => None,
    }
}

fn overflow() -> OperationError {
    OperationError::other("the result is too large for 64 bits")
}

/// A number without loss of precision.
#[derive(Clone, Copy)]
enum Number {
    Whole(i128),
    Fraction(f64),
}

impl Number {
    fn of(value: &Value<'_>) -> Option<Self> {
        match value {
            Value::Int(value) => Some(Self::Whole((*value).into())),
            Value::UInt(value) => Some(Self::Whole((*value).into())),
            Value::Double(value) => Some(Self::Fraction(*value)),
            _ => None,
        }
    }

    fn order(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Whole(left), Self::Whole(right)) => Some(left.cmp(&right)),
            (Self::Fraction(left), Self::Fraction(right)) => left.partial_cmp(&right),
            (Self::Whole(left), Self::Fraction(right)) => order(left, right),
            (Self::Fraction(left), Self::Whole(right)) => order(right, left).map(Ordering::reverse),
        }
    }
}

/// Compares a 64-bit integer with a float exactly.
fn order(whole: i128, fraction: f64) -> Option<Ordering> {
    if fraction.is_nan() {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates beyond 64 bits")]
    let cut = fraction.trunc() as i128;
    let rest = || 0.0.partial_cmp(&fraction.fract());
    Some(whole.cmp(&cut).then(rest().unwrap_or(Ordering::Equal)))
}
