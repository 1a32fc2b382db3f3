//! Limits of rules: numbers, or paths to numbers.

use super::RulePath;

/// A limit of an `integer` or `string` rule.
#[derive(Debug)]
pub(crate) enum Bound {
    Literal(i128),
    Path(RulePath),
}

/// Beyond this no value lies, and a limit needs not be told from another.
const MAX_DIGITS: usize = 38;

/// A number of JSON as a limit: rounded to a whole one, halves away from zero, as KubeVirt's
/// validator does. None if it is beyond what JSON numbers can be relied upon to hold.
pub(super) fn round(text: &str) -> Option<i128> {
    let is_finite = text.parse::<f64>().is_ok_and(f64::is_finite);
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = [whole, fraction].concat();
    // Only a mantissa of zeros, or of many after the point, has an exponent beyond that of a float.
    let exponent =
        exponent.parse::<i64>().unwrap_or(if exponent.starts_with('-') { i64::MIN / 2 } else { 0 });
    let point = i64::try_from(whole.len()).ok()?.saturating_add(exponent);
    let magnitude = magnitude(&digits, point);
    is_finite.then_some(if mantissa.starts_with('-') { -magnitude } else { magnitude })
}

/// The number whose point stands behind so many of its digits, rounded.
fn magnitude(digits: &str, point: i64) -> i128 {
    let Ok(point) = usize::try_from(point) else { return 0 };
    let significant = digits.trim_start_matches('0');
    let leading_zeros = digits.len() - significant.len();
    if significant.is_empty() || point < leading_zeros {
        return 0;
    }
    let n_whole = point - leading_zeros;
    if n_whole > MAX_DIGITS {
        return i128::MAX;
    }
    let mut value: i128 = 0;
    for at in 0..n_whole {
        let digit = significant.as_bytes().get(at).map_or(0, |it| it - b'0');
        value = value.saturating_mul(10).saturating_add(digit.into());
    }
    let is_half = significant.as_bytes().get(n_whole).is_some_and(|it| *it >= b'5');
    value.saturating_add(is_half.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_away_from_zero() {
        let check = |text: &str, expected: i128| assert_eq!(round(text), Some(expected), "{text}");
        check("3.5", 4);
        check("4.4", 4);
        check("-0.5", -1);
        check("-0.4", 0);
        check("0.05e1", 1);
        check("0.049e1", 0);
        check("4e0", 4);
        check("40e-1", 4);
        check("1.25e2", 125);
        check("0", 0);
    }

    #[test]
    fn large_numbers_are_exact() {
        assert_eq!(round("9007199254740993"), Some(9_007_199_254_740_993));
        assert_eq!(round("9223372036854775808"), Some(1 << 63));
        assert_eq!(round("1e300"), Some(i128::MAX));
        assert_eq!(round("-1e300"), Some(-i128::MAX));
        assert_eq!(round("1e-999999999999999999999"), Some(0));
        assert_eq!(round("0e99999999999999999999"), Some(0));
        assert_eq!(round("1e400"), None);
    }
}
