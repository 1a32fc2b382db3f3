//! Checks whether one number is a multiple of another, in decimal.
//!
//! People write numbers in decimal, and so does JSON: 0.3 is a multiple of 0.1 although their
//! binary approximations are not. A number is therefore converted to its shortest decimal form,
//! digits × 10^exponent, and the division uses integers. A string that is a Kubernetes quantity,
//! such as `4Gi`, is converted to its number.

use plumb_format::quantity;
use plumb_value::Node;

use crate::compare::Number;

/// A number that others must be a multiple of; never zero.
#[derive(Clone, Debug)]
pub struct Multiple {
    limit: Node,
    step: Decimal,
}

/// `digits` × 10^`exponent`, where `digits` has no trailing zeros. The sign does not matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Decimal {
    digits: u128,
    exponent: i32,
}

impl Multiple {
    /// Creates a step. Returns `None` for zero, for infinity, and for a value that is neither a
    /// number nor a quantity.
    pub fn new(limit: &Node) -> Option<Self> {
        let step = Decimal::of(limit)?;
        (step.digits != 0).then(|| Self { limit: limit.clone(), step })
    }

    pub(crate) fn is_zero(limit: &Node) -> bool {
        Decimal::of(limit).is_some_and(|it| it.digits == 0)
    }

    pub(crate) fn of_one() -> Self {
        Self { limit: Node::Int(1), step: Decimal { digits: 1, exponent: 0 } }
    }

    pub(crate) fn of_two() -> Self {
        Self { limit: Node::Int(2), step: Decimal { digits: 2, exponent: 0 } }
    }

    /// The limit as it was written.
    pub fn limit(&self) -> &Node {
        &self.limit
    }

    /// The limit as a positive number.
    pub fn number(&self) -> Node {
        match &self.limit {
            Node::Int(value) => Node::uint(value.unsigned_abs()),
            Node::Float(value) => Node::Float(value.abs()),
            Node::String(_) => self.step.to_number(),
            other => other.clone(),
        }
    }

    /// The limit as an integer, or `None` if it has a fraction.
    pub(crate) fn whole(&self) -> Option<i64> {
        match self.number() {
            Node::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Returns whether a value is a multiple; false if it is neither a number nor a quantity.
    pub fn divides(&self, value: &Node) -> bool {
        Decimal::of(value).is_some_and(|value| value.is_multiple_of(self.step))
    }
}

impl Decimal {
    fn of(node: &Node) -> Option<Self> {
        if let Node::String(text) = node {
            let billionths = quantity::billionths(text.as_str()?).ok()?;
            return Some(Self::trimmed(billionths.unsigned_abs(), -9));
        }
        match Number::of(node)? {
            Number::Int(value) => Some(Self::trimmed(value.unsigned_abs(), 0)),
            Number::Float(value) if value.is_finite() => {
                let text = format!("{:e}", value.abs());
                let (mantissa, exponent) = text.split_once('e').expect("`{:e}` has an exponent");
                let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
                let digits = format!("{whole}{fraction}").parse().expect("at most 17 digits");
                let exponent: i32 = exponent.parse().expect("an exponent of a float");
                let scale = i32::try_from(fraction.len()).expect("at most 16 digits");
                Some(Self::trimmed(digits, exponent - scale))
            }
            Number::Float(_) => None,
        }
    }

    fn trimmed(mut digits: u128, mut exponent: i32) -> Self {
        if digits == 0 {
            return Self { digits, exponent: 0 };
        }
        while digits.is_multiple_of(10) {
            digits /= 10;
            exponent += 1;
        }
        Self { digits, exponent }
    }

    fn to_number(self) -> Node {
        let scale = u32::try_from(self.exponent).ok().and_then(|it| 10_u128.checked_pow(it));
        let whole = scale.and_then(|it| u64::try_from(self.digits.checked_mul(it)?).ok());
        match whole {
            Some(whole) => Node::uint(whole),
            #[expect(clippy::cast_precision_loss, reason = "the nearest float is intended")]
            None => Node::Float(self.digits as f64 * 10_f64.powi(self.exponent)),
        }
    }

    fn is_multiple_of(self, step: Self) -> bool {
        if self.digits == 0 {
            return true;
        }
        // The digits are below 2^100, so ten times the digits fits. A power that does not fit is
        // larger than all digits.
        let shift = self.exponent - step.exponent;
        if shift < 0 {
            let scale = 10_u128.checked_pow(shift.unsigned_abs());
            let step = scale.and_then(|scale| step.digits.checked_mul(scale));
            return step.is_some_and(|step| self.digits.is_multiple_of(step));
        }
        let mut remainder = self.digits % step.digits;
        for _ in 0..shift {
            if remainder == 0 {
                return true;
            }
            remainder = remainder * 10 % step.digits;
        }
        remainder == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_are_those_of_decimal_arithmetic() {
        let float = Node::Float;
        let cases = [
            (Node::Int(2048), Node::Int(1024), true),
            (Node::Int(2049), Node::Int(1024), false),
            (Node::Int(-4), Node::Int(2), true),
            (Node::Int(0), Node::Int(7), true),
            (float(0.3), float(0.1), true),
            (float(0.35), float(0.1), false),
            (float(4.0), Node::Int(2), true),
            (float(1e308), float(1e-308), true),
            (float(1e-308), float(1e308), false),
            (Node::UInt(u64::MAX), Node::Int(5), true),
            (Node::UInt(u64::MAX), float(1e19), false),
            (float(f64::INFINITY), Node::Int(1), false),
            (Node::from("4"), Node::Int(2), true),
            (Node::from("3"), Node::Int(2), false),
            (Node::from("4Gi"), Node::Int(1024), true),
            (Node::from("1500m"), Node::Int(1), false),
            (Node::from("1500m"), Node::from("500m"), true),
            (Node::from("1Gi"), Node::from("64Mi"), true),
            (Node::from("1G"), Node::from("64Mi"), false),
            (Node::Int(128 << 20), Node::from("64Mi"), true),
            (Node::from("four"), Node::Int(2), false),
        ];
        for (value, step, expected) in cases {
            let multiple = Multiple::new(&step).expect("no step here is zero");
            assert_eq!(multiple.divides(&value), expected, "{value:?} of {step:?}");
        }
        assert!(Multiple::new(&Node::Int(0)).is_none());
        assert!(Multiple::new(&Node::from("0Gi")).is_none());
        assert!(Multiple::new(&Node::from("two")).is_none());
    }
}
