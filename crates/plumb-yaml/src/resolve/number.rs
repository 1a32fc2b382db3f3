//! Integers and floats of plain scalars.
//!
//! The rules combine Go's number parsing and YAML 1.1: bases by prefix (`0x`, `0b`, `0o`, a leading
//! `0`), underscores anywhere between digits, and floats for numbers that are too large for an
//! integer.

use std::borrow::Cow;

use super::Scalar;

/// Returns the type and value of a text that begins with a digit or a sign.
pub(super) fn number(text: &str) -> Scalar {
    if let Some(scalar) = short_decimal(text) {
        return scalar;
    }
    match text {
        "+.inf" | "+.Inf" | "+.INF" => return Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Scalar::Float(f64::NEG_INFINITY),
        _ => {}
    }
    let digits = without_underscores(text);
    integer(&digits).or_else(|| float(&digits)).or_else(|| binary(&digits)).unwrap_or(Scalar::Text)
}

/// Returns the type and value of a text that begins with a dot.
pub(super) fn dotted(text: &str) -> Scalar {
    match text {
        ".inf" | ".Inf" | ".INF" => return Scalar::Float(f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" => return Scalar::Float(f64::NAN),
        _ => {}
    }
    // Unlike after a digit, underscores here must be between digits.
    if !text.contains('_') {
        return float(text).unwrap_or(Scalar::Text);
    }
    let bytes = text.as_bytes();
    let is_between_digits = |at: usize| {
        bytes[at - 1].is_ascii_digit() && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    };
    if (1..bytes.len()).any(|at| bytes[at] == b'_' && !is_between_digits(at)) {
        return Scalar::Text;
    }
    float(&without_underscores(text)).unwrap_or(Scalar::Text)
}

/// The common case: a decimal without sign, separators or leading zero that certainly fits.
fn short_decimal(text: &str) -> Option<Scalar> {
    let digits = text.as_bytes();
    if digits.len() > 18 || (digits[0] == b'0' && digits.len() > 1) {
        return None;
    }
    let mut value = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    Some(Scalar::Int(value))
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') { text.replace('_', "").into() } else { text.into() }
}

fn integer(text: &str) -> Option<Scalar> {
    let (sign, magnitude) = match text.as_bytes().first()? {
        b'-' => (Sign::Minus, &text[1..]),
        b'+' => (Sign::Plus, &text[1..]),
        _ => (Sign::None, text),
    };
    let (base, digits) = base_of(magnitude);
    let value = parse_digits(digits, base)?;
    match (sign, i64::try_from(value)) {
        (Sign::Plus | Sign::None, Ok(value)) => Some(Scalar::Int(value)),
        (Sign::None, Err(_)) => Some(Scalar::UInt(value)),
        (Sign::Plus, Err(_)) => None,
        (Sign::Minus, _) => 0_i64.checked_sub_unsigned(value).map(Scalar::Int),
    }
}

enum Sign {
    Plus,
    Minus,
    None,
}

fn base_of(magnitude: &str) -> (u32, &str) {
    match magnitude.as_bytes() {
        [b'0', b'x' | b'X', _, ..] => (16, &magnitude[2..]),
        [b'0', b'b' | b'B', _, ..] => (2, &magnitude[2..]),
        [b'0', b'o' | b'O', _, ..] => (8, &magnitude[2..]),
        [b'0', _, ..] => (8, &magnitude[1..]),
        _ => (10, magnitude),
    }
}

/// Parses at least one digit, without a sign.
fn parse_digits(digits: &str, base: u32) -> Option<u64> {
    if digits.as_bytes().first()?.is_ascii_alphanumeric() {
        u64::from_str_radix(digits, base).ok()
    } else {
        None
    }
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, unless it is too large for a float.
fn float(text: &str) -> Option<Scalar> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let whole = digits_at(unsigned.as_bytes());
    let mut rest = &unsigned.as_bytes()[whole..];
    if let [b'.', after @ ..] = rest {
        let fraction = digits_at(after);
        if whole + fraction == 0 {
            return None;
        }
        rest = &after[fraction..];
    } else if whole == 0 {
        return None;
    }
    if let [b'e' | b'E', after @ ..] = rest {
        let exponent = after.strip_prefix(b"-").or(after.strip_prefix(b"+")).unwrap_or(after);
        let n_digits = digits_at(exponent);
        if n_digits == 0 {
            return None;
        }
        rest = &exponent[n_digits..];
    }
    if !rest.is_empty() {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite()).map(Scalar::Float)
}

fn digits_at(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Parses a binary integer, which may also have its sign after the prefix: `0b-101`.
fn binary(text: &str) -> Option<Scalar> {
    let digits = text.strip_prefix("0b")?;
    match digits.as_bytes().first()? {
        b'+' | b'-' => i64::from_str_radix(digits, 2).ok().map(Scalar::Int),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::plain;
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Scalar) {
        assert_eq!(plain(text), expected, "{text}");
    }

    #[test]
    fn integers_of_all_bases() {
        check("0", Scalar::Int(0));
        check("-0", Scalar::Int(0));
        check("12", Scalar::Int(12));
        check("+12", Scalar::Int(12));
        check("0x1F", Scalar::Int(31));
        check("-0X1f", Scalar::Int(-31));
        check("0b11", Scalar::Int(3));
        check("-0b1", Scalar::Int(-1));
        check("0b-101", Scalar::Int(-5));
        check("0b+1", Scalar::Int(1));
        check("-0b-1", Scalar::Text);
        check("0o17", Scalar::Int(15));
        check("0755", Scalar::Int(493));
        check("0o8", Scalar::Text);
        check("0b", Scalar::Text);
        check("0x", Scalar::Text);
        check("-", Scalar::Text);
        check("+-1", Scalar::Text);
        check("0x+1", Scalar::Text);
    }

    #[test]
    fn underscores_are_dropped() {
        check("1_000", Scalar::Int(1000));
        check("1__0_", Scalar::Int(10));
        check("0_x1F", Scalar::Int(31));
        check("+_1", Scalar::Int(1));
        check("1_000.5", Scalar::Float(1000.5));
        check(".5_0", Scalar::Float(0.5));
        check(".5_", Scalar::Text);
        check("._5", Scalar::Text);
        check(".1__0", Scalar::Text);
    }

    #[test]
    fn large_integers_change_type() {
        check("9223372036854775807", Scalar::Int(i64::MAX));
        check("-9223372036854775808", Scalar::Int(i64::MIN));
        check("9223372036854775808", Scalar::UInt(1 << 63));
        check("18446744073709551615", Scalar::UInt(u64::MAX));
        check("18446744073709551616", Scalar::Float(18_446_744_073_709_551_616.0));
        check("+18446744073709551615", Scalar::Float(18_446_744_073_709_551_616.0));
        check("-9223372036854775809", Scalar::Float(-9_223_372_036_854_775_808.0));
        check("0xFFFFFFFFFFFFFFFFF", Scalar::Text);
    }

    #[test]
    fn floats_need_a_digit_and_a_finite_value() {
        check("08", Scalar::Float(8.0));
        check("1.", Scalar::Float(1.0));
        check("1.e5", Scalar::Float(100_000.0));
        check("-.5", Scalar::Float(-0.5));
        check(".5e1_0", Scalar::Float(5e9));
        check("1e3", Scalar::Float(1000.0));
        check("1e999", Scalar::Text);
        check(".5e999", Scalar::Text);
        check(".", Scalar::Text);
        check(".e5", Scalar::Text);
        check("1e", Scalar::Text);
        check("0x1p-2", Scalar::Text);
        check("-.INF", Scalar::Float(f64::NEG_INFINITY));
        check("+.nan", Scalar::Text);
        assert!(matches!(plain(".NaN"), Scalar::Float(value) if value.is_nan()));
    }
}
