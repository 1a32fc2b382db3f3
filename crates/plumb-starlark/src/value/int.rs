//! Integers of any size: 64 bits if they fit, more if they do not.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};

use plumb_source::message::{plain, wrong_type};
use plumb_source::{Limit, message};

use super::Value;
use crate::error::{Error, Result, bail};

/// The maximum number of digits of a string or literal that becomes a number.
pub(crate) const MAX_DIGITS: usize = 30_000;
/// The maximum number of bits of an integer. Printing an integer of this size takes about a
/// millisecond.
const MAX_BITS: u64 = 100_000;
/// The bits of a digit of base 36, rounded up.
const MAX_BITS_PER_DIGIT: u64 = 6;
/// Products of two words of 64 bits that take about as long as one step.
const PRODUCTS_PER_STEP: u64 = 64;

pub(crate) fn from_big(big: BigInt) -> Value {
    match big.to_i64() {
        Some(small) => Value::Int(small),
        None => Value::BigInt(Arc::new(big)),
    }
}

/// Like [`from_big`], for results that may have grown.
pub(crate) fn bounded(big: BigInt) -> Result<Value> {
    if big.bits() > MAX_BITS {
        return Err(Error::limit(
            Limit::Fixed,
            message!("integer of more than {} bits", plain(MAX_BITS)),
        ));
    }
    Ok(from_big(big))
}

/// Returns the steps that it takes to multiply or divide integers of these lengths in bits.
pub(crate) fn product_steps(left: u64, right: u64) -> u64 {
    (left / 64).saturating_mul(right / 64) / PRODUCTS_PER_STEP
}

/// Returns the steps that it takes to convert an integer of that many bits from or to decimal
/// digits, which is quadratic.
pub(crate) fn conversion_steps(bits: u64) -> u64 {
    product_steps(bits, bits)
}

/// Returns the steps that it takes to read an integer of that many digits. More than the maximum
/// are rejected before they are read.
pub(crate) fn parsing_steps(digits: usize) -> usize {
    let bits = digits.min(MAX_DIGITS) as u64 * MAX_BITS_PER_DIGIT;
    usize::try_from(conversion_steps(bits)).unwrap_or(usize::MAX)
}

/// Returns how many bits a value has, if it is a big integer.
pub(crate) fn big_bits(value: &Value) -> u64 {
    if let Value::BigInt(it) = value { it.bits() } else { 0 }
}

/// Returns the value as a big integer, if it is an integer.
pub(crate) fn to_big(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(it) => Some(BigInt::from(*it)),
        Value::BigInt(it) => Some((**it).clone()),
        _ => None,
    }
}

/// Returns the nearest float to an integer.
pub(crate) fn to_float(value: &Value) -> Option<f64> {
    match value {
        #[expect(clippy::cast_precision_loss, reason = "the nearest float is intended")]
        Value::Int(it) => Some(*it as f64),
        Value::BigInt(it) => it.to_f64(),
        _ => None,
    }
}

/// Returns the integer part of a finite float.
pub(crate) fn from_float(float: f64) -> Option<Value> {
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    if -9.2e18 < float && float < 9.2e18 {
        return Some(Value::Int(float as i64));
    }
    BigInt::from_f64(float.trunc()).map(from_big)
}

/// Returns an integer for positions and counts, which must fit in 32 bits in this dialect.
pub(crate) fn to_index(value: &Value) -> Result<i64> {
    match value {
        Value::Int(it) if i32::try_from(*it).is_ok() => Ok(*it),
        Value::Int(it) => bail!("{it} out of range"),
        Value::BigInt(_) => bail!("{} out of range", value.shown()),
        other => Err(Error::new(wrong_type("int", other.type_name()))),
    }
}

/// Returns an integer, or the integer part of a float.
pub(crate) fn from_number(value: &Value) -> Result<Value> {
    match value {
        Value::Int(_) | Value::BigInt(_) => Ok(value.clone()),
        Value::Float(it) => match from_float(*it) {
            Some(whole) => Ok(whole),
            None if it.is_nan() => bail!("cannot convert float NaN to integer"),
            None => bail!("cannot convert float infinity to integer"),
        },
        other => bail!("cannot convert {} to int", other.type_name()),
    }
}

/// Returns the order of two integers.
pub(crate) fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        (Value::BigInt(left), Value::BigInt(right)) => Some(left.cmp(right)),
        (Value::Int(_), Value::BigInt(right)) => Some(opposite_of_sign(right)),
        (Value::BigInt(left), Value::Int(_)) => Some(opposite_of_sign(left).reverse()),
        _ => None,
    }
}

fn opposite_of_sign(big: &BigInt) -> Ordering {
    if big.sign() == Sign::Minus { Ordering::Greater } else { Ordering::Less }
}

/// Returns the exact order of an integer and a finite float.
pub(crate) fn compare_float(int: &Value, float: f64) -> Option<Ordering> {
    let whole = from_float(float)?;
    let order = compare(int, &whole)?;
    let fraction = float.fract();
    Some(order.then(if fraction > 0.0 {
        Ordering::Less
    } else if fraction < 0.0 {
        Ordering::Greater
    } else {
        Ordering::Equal
    }))
}

/// Quotient rounded down; the divisor is not zero.
pub(crate) fn floor_divide(left: &BigInt, right: &BigInt) -> BigInt {
    let quotient = left / right;
    let remainder = left % right;
    if !remainder.is_zero() && remainder.is_negative() != right.is_negative() {
        quotient - 1
    } else {
        quotient
    }
}

/// Remainder with the sign of the divisor, which is not zero.
pub(crate) fn floor_modulo(left: &BigInt, right: &BigInt) -> BigInt {
    let remainder = left % right;
    if !remainder.is_zero() && remainder.is_negative() != right.is_negative() {
        remainder + right
    } else {
        remainder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_between_integers_are_ordered_exactly() {
        let big = 1i64 << 53;
        #[expect(clippy::cast_precision_loss, reason = "2^53 is exact")]
        let float = big as f64;
        assert_eq!(compare_float(&Value::Int(big + 1), float), Some(Ordering::Greater));
        assert_eq!(compare_float(&Value::Int(1), 1.5), Some(Ordering::Less));
        assert_eq!(compare_float(&Value::Int(-1), -1.5), Some(Ordering::Greater));
    }
}
