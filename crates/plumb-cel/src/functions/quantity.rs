//! Quantities: `quantity("1.5Gi").isLessThan(quantity("2Gi"))`.

use std::cmp::Ordering;

use plumb_format::quantity::{self, Quantity, QuantityError};

use crate::functions::special::Special;
use crate::functions::{Context, Function, global, member};
use crate::operate::{OperationError, Outcome};
use crate::value::Value;

const ONE: i128 = 1_000_000_000;

pub(super) const FUNCTIONS: &[Function] = &[
    global("quantity", 1..=1, of),
    global("isQuantity", 1..=1, is),
    member("isInteger", 0..=0, |args, _| Ok(Value::Bool(whole(&args[0])?.is_some()))),
    member("asInteger", 0..=0, as_integer),
    member("asApproximateFloat", 0..=0, as_float),
    global("sign", 1..=1, |args, _| Ok(Value::Int(as_sign(amount(&args[0])?.billionths)))),
    member("add", 1..=1, |args, _| combine(args, i128::checked_add)),
    member("sub", 1..=1, |args, _| combine(args, i128::checked_sub)),
    member("compareTo", 1..=1, |args, _| Ok(Value::Int(order(args)? as i64))),
    member("isLessThan", 1..=1, |args, _| Ok(Value::Bool(order(args)?.is_lt()))),
    member("isGreaterThan", 1..=1, |args, _| Ok(Value::Bool(order(args)?.is_gt()))),
];

/// A quantity, in billionths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amount {
    billionths: i128,
    /// Whether Kubernetes keeps it as an integer: `1.0`, `1.5Gi` and `100Ti` are kept as decimals,
    /// so they are not integers.
    is_integer: bool,
}

impl PartialEq for Amount {
    fn eq(&self, other: &Self) -> bool {
        self.billionths == other.billionths
    }
}

fn parse(args: &[Value<'_>], context: &mut Context<'_>) -> Result<Amount, OperationError> {
    let Value::String(text) = &args[0] else {
        return Err(OperationError::Types);
    };
    context.budget.pay_for_bytes(text.len())?;
    let billionths = quantity::billionths(text).map_err(|it| {
        OperationError::other(match it {
            QuantityError::Range => "the quantity is too large",
            QuantityError::Format | QuantityError::Suffix => {
                "the string is not a quantity, such as `500m` or `1.5Gi`"
            }
        })
    })?;
    let is_integer = matches!(Quantity::parse(text), Ok(Quantity::Integer(_)));
    Ok(Amount { billionths, is_integer })
}

fn of<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    parse(args, context).map(|it| Value::special(Special::Quantity(it)))
}

fn is<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    match parse(args, context) {
        Err(error @ (OperationError::Types | OperationError::Limit)) => Err(error),
        result => Ok(Value::Bool(result.is_ok())),
    }
}

fn amount(value: &Value<'_>) -> Result<Amount, OperationError> {
    match value {
        Value::Special(special) => match **special {
            Special::Quantity(amount) => Ok(amount),
            _ => Err(OperationError::Types),
        },
        _ => Err(OperationError::Types),
    }
}

/// The quantity as a 64-bit integer. Returns `None` if it is not one.
fn whole(value: &Value<'_>) -> Result<Option<i64>, OperationError> {
    let Amount { billionths, is_integer } = amount(value)?;
    let is_whole = is_integer && billionths % ONE == 0;
    Ok(if is_whole { i64::try_from(billionths / ONE).ok() } else { None })
}

fn as_sign(amount: i128) -> i64 {
    i64::try_from(amount.signum()).expect("a sign is -1, 0 or 1")
}

fn as_integer<'a>(args: &[Value<'a>], _: &mut Context<'_>) -> Outcome<'a> {
    let whole = whole(&args[0])?;
    whole
        .map(Value::Int)
        .ok_or_else(|| OperationError::other("the quantity is not a 64-bit integer"))
}

#[expect(clippy::cast_precision_loss, reason = "the nearest float is intended")]
fn as_float<'a>(args: &[Value<'a>], _: &mut Context<'_>) -> Outcome<'a> {
    Ok(Value::Double(amount(&args[0])?.billionths as f64 / ONE as f64))
}

/// Combines a quantity with another quantity or an integer.
fn combine<'a>(args: &[Value<'a>], combine: fn(i128, i128) -> Option<i128>) -> Outcome<'a> {
    let other = match &args[1] {
        Value::Int(number) => Amount { billionths: i128::from(*number) * ONE, is_integer: true },
        other => amount(other)?,
    };
    let one = amount(&args[0])?;
    let result = combine(one.billionths, other.billionths);
    let billionths = result.ok_or_else(|| OperationError::other("the quantity is too large"))?;
    let is_integer = one.is_integer && other.is_integer;
    Ok(Value::special(Special::Quantity(Amount { billionths, is_integer })))
}

/// The order of two quantities, or of two versions.
fn order(args: &[Value<'_>]) -> Result<Ordering, OperationError> {
    let (Value::Special(left), Value::Special(right)) = (&args[0], &args[1]) else {
        return Err(OperationError::Types);
    };
    match (&**left, &**right) {
        (Special::Quantity(left), Special::Quantity(right)) => {
            Ok(left.billionths.cmp(&right.billionths))
        }
        (Special::Semver(left), Special::Semver(right)) => Ok(left.cmp_precedence(right)),
        _ => Err(OperationError::Types),
    }
}
