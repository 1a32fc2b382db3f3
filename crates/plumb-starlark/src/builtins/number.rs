//! Parses numbers in strings.

use num_bigint::BigInt;
use num_traits::Num;
use plumb_source::message::term;
use plumb_source::{Limit, Message, Text, message};

use crate::Value;
use crate::conversion_error::ConversionError;
use crate::error::{Error, Result};
use crate::value::int;

/// Parses an integer. A base of 0 means the base of its prefix.
pub(super) fn parse_int(string: &Text, base: u32) -> Result<Value> {
    let invalid = |base| {
        let error = ConversionError::NotAnInteger { base, text: string.clone() };
        Error::new(message!("int: {error}"))
    };
    let written = string.as_bytes();
    let (negative, digits) = match written.first() {
        Some(b'-') => (true, &written[1..]),
        Some(b'+') => (false, &written[1..]),
        _ => (false, written),
    };
    let (prefix, digits) = match digits {
        [b'0', b'o' | b'O', rest @ ..] if !rest.is_empty() => (8, rest),
        [b'0', b'x' | b'X', rest @ ..] if !rest.is_empty() => (16, rest),
        [b'0', b'b' | b'B', rest @ ..] if !rest.is_empty() => (2, rest),
        _ => (0, digits),
    };
    if prefix == 0 && base == 0 && digits.len() > 1 && digits[0] == b'0' {
        let zero = digits.iter().all(|&digit| digit == b'0');
        return if zero { Ok(Value::Int(0)) } else { Err(invalid(base)) };
    }
    if base != 0 && prefix != 0 && prefix != base {
        return Err(invalid(base));
    }
    let base = match (base, prefix) {
        (0, 0) => 10,
        (0, prefix) => prefix,
        (base, _) => base,
    };
    let is_digit = |&byte: &u8| char::from(byte).is_digit(base);
    if digits.is_empty() || !digits.iter().all(is_digit) {
        return Err(invalid(base));
    }
    if digits.len() > int::MAX_DIGITS {
        return Err(Error::limit(
            Limit::Fixed,
            message!("integer of more than {} digits", int::MAX_DIGITS),
        ));
    }
    let digits = std::str::from_utf8(digits).map_err(|_| invalid(base))?;
    if let Ok(small) = i64::from_str_radix(digits, base) {
        return Ok(Value::Int(if negative { -small } else { small }));
    }
    let big = BigInt::from_str_radix(digits, base).map_err(|_| invalid(base))?;
    Ok(int::from_big(if negative { -big } else { big }))
}

/// A text that `float` cannot convert. Contains the text, quoted.
#[derive(Clone, Debug)]
pub enum FloatError {
    /// It is not a number.
    Syntax(Message),
    /// It is a number that is too large for a float.
    Range(Message),
}

/// Parses a float. Digits may be separated by underscores. `inf` and `nan` are accepted in any
/// case.
pub(super) fn parse_float(string: &Text) -> Result<f64> {
    let shown = Message::from(Value::String(string.clone()).shown());
    let invalid = || {
        let message = message!("expected a number, found {shown}");
        Error::new(message!("float: {}", term(message, FloatError::Syntax(shown.clone()))))
    };
    let written = string.as_str().ok_or_else(invalid)?;
    let unsigned = written.strip_prefix(['+', '-']).unwrap_or(written);
    let named = ["inf", "infinity", "nan"].iter().any(|it| unsigned.eq_ignore_ascii_case(it));
    if named {
        if unsigned.eq_ignore_ascii_case("nan") && unsigned.len() < written.len() {
            return Err(invalid());
        }
        return written.parse().map_err(|_| invalid());
    }
    let number = match hexadecimal(written) {
        Some(number) => number,
        None if decimal(unsigned) => {
            written.replace('_', "").parse::<f64>().map_err(|_| invalid())?
        }
        None => return Err(invalid()),
    };
    if number.is_infinite() {
        let message = message!("{shown} is out of range");
        return Err(Error::new(message!("float: {}", term(message, FloatError::Range(shown)))));
    }
    Ok(number)
}

/// Returns whether a string consists of digits with a point and an exponent, with underscores only
/// between digits.
fn decimal(written: &str) -> bool {
    let bytes = written.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    bytes.iter().any(u8::is_ascii_digit)
        && bytes.iter().enumerate().all(|(at, byte)| match byte {
            b'_' => at > 0 && digit(at - 1) && digit(at + 1),
            b'0'..=b'9' | b'.' | b'e' | b'E' => true,
            b'+' | b'-' => at > 0 && matches!(bytes[at - 1], b'e' | b'E'),
            _ => false,
        })
}

/// Parses numbers such as `0x1.8p3`: a hexadecimal mantissa and a power of two.
fn hexadecimal(written: &str) -> Option<f64> {
    let (negative, unsigned) = match written.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, written.strip_prefix('+').unwrap_or(written)),
    };
    let digits = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X"))?;
    let (mantissa, exponent) = digits.split_once(['p', 'P'])?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || all.len() > 13 || !all.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let number = u64::from_str_radix(&all, 16).ok()?;
    #[expect(clippy::cast_precision_loss, reason = "thirteen hexadecimal digits are 52 bits")]
    let number = number as f64;
    let scale = exponent - 4 * i32::try_from(fraction.len()).ok()?;
    let value = number * f64::powi(2.0, scale);
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_must_agree_with_the_base() {
        let check = |written: &str, base: u32, expected: &str| {
            let result = parse_int(&Text::from(written), base);
            let shown = result.map_or_else(
                |error| error.message().shown().to_owned(),
                |value| value.short_repr(),
            );
            assert_eq!(shown, expected, "{written} in base {base}");
        };
        check("0x1F", 16, "31");
        check("0x1F", 0, "31");
        check("1f", 16, "31");
        check("-0b11", 0, "-3");
        check("000", 0, "0");
        check("012", 0, "int: expected an integer, found '012'");
        check("0x1F", 10, "int: expected an integer, found '0x1F'");
        check("", 10, "int: expected an integer, found ''");
        check("+-1", 10, "int: expected an integer, found '+-1'");
        check("9223372036854775808", 10, "9223372036854775808");
        check("-9223372036854775808", 10, "-9223372036854775808");
    }
}
