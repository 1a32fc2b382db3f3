//! Limits of rules: numbers, or paths to numbers.

use std::fmt;

use super::RulePath;

/// A limit of an `integer` or `string` rule.
#[derive(Debug)]
pub(crate) enum Bound {
    Literal(Limit),
    Path(RulePath),
}

/// An exact limit. It may have a fraction; the values that are compared with it are integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    /// The greatest integer that is at most the limit.
    floor: i128,
    /// The limit as its author wrote it, if it is not an integer.
    fraction: Option<Box<str>>,
}

/// The maximum number of digits that are considered: no value is larger.
const MAX_DIGITS: usize = 38;

impl Limit {
    /// Reads a JSON number. Returns `None` if its magnitude exceeds a 64-bit float.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if !text.parse::<f64>().is_ok_and(f64::is_finite) {
            return None;
        }
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let digits = [whole, fraction].concat();
        // An exponent outside i64 belongs to zero, or makes the number almost zero.
        let extreme = if exponent.starts_with('-') { i64::MIN / 2 } else { 0 };
        let exponent = exponent.parse::<i64>().unwrap_or(extreme);
        let point = i64::try_from(whole.len()).ok()?.saturating_add(exponent);
        let (magnitude, is_whole) = magnitude(&digits, point);
        let floor = match (mantissa.starts_with('-'), is_whole) {
            (false, _) => magnitude,
            (true, true) => -magnitude,
            (true, false) => -magnitude - 1,
        };
        Some(Self { floor, fraction: (!is_whole).then(|| text.into()) })
    }

    /// Whether the limit is at most the value.
    pub(crate) fn is_at_most(&self, value: i128) -> bool {
        self.ceiling() <= value
    }

    /// Whether the limit is at least the value.
    pub(crate) fn is_at_least(&self, value: i128) -> bool {
        value <= self.floor
    }

    /// Whether no integer is both at least this limit and at most the other.
    pub(crate) fn excludes_all_up_to(&self, most: &Self) -> bool {
        most.floor < self.ceiling()
    }

    /// The limit. Returns `None` if it is not an integer.
    pub(crate) fn whole(&self) -> Option<i128> {
        self.fraction.is_none().then_some(self.floor)
    }

    /// The greatest integer that is at most the limit.
    pub(crate) fn floor(&self) -> i128 {
        self.floor
    }

    /// The smallest integer that is at least the limit.
    pub(crate) fn ceiling(&self) -> i128 {
        self.floor.saturating_add(self.fraction.is_some().into())
    }
}

impl From<i128> for Limit {
    fn from(value: i128) -> Self {
        Self { floor: value, fraction: None }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fraction {
            Some(text) => f.write_str(text),
            None => self.floor.fmt(f),
        }
    }
}

/// The integer part of the number whose decimal point is after `point` digits, and whether the
/// number has no fraction.
fn magnitude(digits: &str, point: i64) -> (i128, bool) {
    let significant = digits.trim_start_matches('0').as_bytes();
    let leading_zeros = digits.len() - significant.len();
    if significant.is_empty() {
        return (0, true);
    }
    let Ok(point) = usize::try_from(point) else { return (0, false) };
    let Some(n_whole) = point.checked_sub(leading_zeros) else { return (0, false) };
    if n_whole > MAX_DIGITS {
        return (i128::MAX, true);
    }
    let mut value: i128 = 0;
    for at in 0..n_whole {
        let digit = significant.get(at).map_or(0, |it| it - b'0');
        value = value.saturating_mul(10).saturating_add(digit.into());
    }
    let is_whole = significant.iter().skip(n_whole).all(|it| *it == b'0');
    (value, is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> Limit {
        Limit::parse(text).expect("the number is in range")
    }

    #[test]
    fn a_limit_with_a_fraction_is_between_two_integers() {
        let check = |text: &str, below: i128| {
            let limit = limit(text);
            let above = below + 1;
            assert!(!limit.is_at_most(below) && limit.is_at_most(above), "{text}");
            assert!(limit.is_at_least(below) && !limit.is_at_least(above), "{text}");
            assert_eq!(limit.to_string(), text);
        };
        check("3.5", 3);
        check("3.0000000000000000000000000001", 3);
        check("-0.5", -1);
        check("-2.75", -3);
        check("0.05e1", 0);
        check("25e-1", 2);
        check("1e-999999999999999999999", 0);
        check("9007199254740993.5", 9_007_199_254_740_993);
    }

    #[test]
    fn a_whole_limit_is_that_integer_however_it_is_written() {
        let check = |text: &str, expected: i128| {
            assert_eq!(limit(text), Limit::from(expected), "{text}");
        };
        check("4e0", 4);
        check("40e-1", 4);
        check("4.00", 4);
        check("1.25e2", 125);
        check("0", 0);
        check("-0.0", 0);
        check("0e99999999999999999999", 0);
        check("9007199254740993", 9_007_199_254_740_993);
        check("9223372036854775808", 1 << 63);
        check("1e300", i128::MAX);
        check("-1e300", -i128::MAX);
        assert_eq!(Limit::parse("1e400"), None);
    }

    #[test]
    fn limits_may_leave_no_integer_between_them() {
        assert!(limit("2.2").excludes_all_up_to(&limit("2.8")));
        assert!(limit("3").excludes_all_up_to(&limit("2.8")));
        assert!(!limit("2.2").excludes_all_up_to(&limit("3.8")));
        assert!(!limit("3").excludes_all_up_to(&limit("3")));
    }
}
