//! Prints numbers as Go does, because users compare our output with the output of Go programs.
//!
//! A float is printed with the fewest digits that read back as the same value, in one of two forms:
//! plain (`0.25`) or with an exponent (`1e+21`). YAML and JSON switch between them at different
//! values.

use std::fmt;

/// The digits of a float: `d.ddd × 10^exponent`, with the fewest digits that distinguish it from
/// its neighbours.
struct Decimal {
    is_negative: bool,
    digits: [u8; MAX_DIGITS],
    len: usize,
    exponent: i32,
}

/// The text of a float from the formatter, without a heap allocation.
struct Written {
    bytes: [u8; 32],
    len: usize,
}

/// Seventeen digits distinguish every float from its neighbours.
const MAX_DIGITS: usize = 17;

/// Only with this many digits, two decimals can be so close that a float is exactly between them
/// and both read back as that float.
const TIED_DIGITS: usize = 16;

/// Appends an integer.
pub(super) fn integer(value: i64, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    unsigned(value.unsigned_abs(), out);
}

/// Appends an unsigned integer.
pub(super) fn unsigned(mut value: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = digit(value % 10);
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

/// Appends a float as YAML writes it, with an exponent below 0.0001 and from a million on.
pub(super) fn yaml_float(value: f64, out: &mut Vec<u8>) {
    if value.is_nan() {
        out.extend_from_slice(b".nan");
    } else if value.is_infinite() {
        out.extend_from_slice(if value < 0.0 { b"-.inf" } else { b".inf" });
    } else {
        general(value, out);
    }
}

/// Appends a float as Go's `%v` does, for texts that quote it.
pub(super) fn go_float(value: f64, out: &mut Vec<u8>) {
    if value.is_nan() {
        out.extend_from_slice(b"NaN");
    } else if value.is_infinite() {
        out.extend_from_slice(if value < 0.0 { b"-Inf" } else { b"+Inf" });
    } else {
        general(value, out);
    }
}

/// Appends a finite float as JSON writes it, with an exponent below 0.000001 and from 10^21 on.
pub(super) fn json_float(value: f64, out: &mut Vec<u8>) {
    let decimal = Decimal::shortest(value);
    if value != 0.0 && (decimal.exponent < -6 || 21 <= decimal.exponent) {
        decimal.scientific(1, out);
    } else {
        decimal.plain(out);
    }
}

/// Appends a float as Go's `%g` does, with as many digits as needed.
fn general(value: f64, out: &mut Vec<u8>) {
    let decimal = Decimal::shortest(value);
    if decimal.exponent < -4 || 6 <= decimal.exponent {
        decimal.scientific(2, out);
    } else {
        decimal.plain(out);
    }
}

fn digit(value: u64) -> u8 {
    b'0' + u8::try_from(value).expect("a digit is below ten")
}

impl Decimal {
    /// Returns the digits of a finite float. If two candidates are equally short and near, the one
    /// with an even last digit is used.
    fn shortest(value: f64) -> Self {
        let written = Written::of(format_args!("{:e}", value.abs()));
        let decimal = Self::read(value, written.as_str());
        if decimal.len < TIED_DIGITS {
            return decimal;
        }
        let places = decimal.len - 1;
        let rounded = Written::of(format_args!("{:.places$e}", value.abs()));
        if rounded.as_str().parse() == Ok(value.abs()) {
            Self::read(value, rounded.as_str())
        } else {
            decimal
        }
    }

    /// Reads `1.5e300`, the text of a float without its sign.
    fn read(value: f64, text: &str) -> Self {
        let (number, exponent) = text.split_once('e').expect("`{:e}` writes an exponent");
        let mut decimal = Self {
            is_negative: value.is_sign_negative(),
            digits: [0; MAX_DIGITS],
            len: 0,
            exponent: exponent.parse().expect("`{:e}` writes a small exponent"),
        };
        for byte in number.bytes().filter(|&byte| byte != b'.') {
            decimal.digits[decimal.len] = byte;
            decimal.len += 1;
        }
        decimal
    }

    fn digits(&self) -> &[u8] {
        &self.digits[..self.len]
    }

    fn sign(&self, out: &mut Vec<u8>) {
        if self.is_negative {
            out.push(b'-');
        }
    }

    /// Appends `1.5e+300`. A positive exponent has at least two digits, a negative one at least
    /// `least`.
    fn scientific(&self, least: usize, out: &mut Vec<u8>) {
        self.sign(out);
        let (first, rest) = self.digits().split_at(1);
        out.extend_from_slice(first);
        if !rest.is_empty() {
            out.push(b'.');
            out.extend_from_slice(rest);
        }
        out.extend_from_slice(if self.exponent < 0 { b"e-" } else { b"e+" });
        let exponent = u64::from(self.exponent.unsigned_abs());
        if exponent < 10 && (least == 2 || 0 <= self.exponent) {
            out.push(b'0');
        }
        unsigned(exponent, out);
    }

    /// Appends `1500` or `0.25`: without an exponent.
    fn plain(&self, out: &mut Vec<u8>) {
        self.sign(out);
        let digits = self.digits();
        let Ok(exponent) = usize::try_from(self.exponent) else {
            out.extend_from_slice(b"0.");
            let zeros = self.exponent.unsigned_abs() as usize - 1;
            out.resize(out.len() + zeros, b'0');
            out.extend_from_slice(digits);
            return;
        };
        let before = exponent + 1;
        if digits.len() <= before {
            out.extend_from_slice(digits);
            out.resize(out.len() + before - digits.len(), b'0');
        } else {
            out.extend_from_slice(&digits[..before]);
            out.push(b'.');
            out.extend_from_slice(&digits[before..]);
        }
    }
}

impl Written {
    fn of(arguments: fmt::Arguments<'_>) -> Self {
        let mut written = Self { bytes: [0; 32], len: 0 };
        fmt::write(&mut written, arguments).expect("17 digits and an exponent fit");
        written
    }

    fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..self.len]).expect("only whole strings are written")
    }
}

impl fmt::Write for Written {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(with: fn(f64, &mut Vec<u8>), value: f64) -> String {
        let mut out = Vec::new();
        with(value, &mut out);
        String::from_utf8(out).expect("numbers are ASCII")
    }

    #[test]
    fn floats_change_over_to_exponents_where_each_format_does() {
        // value, YAML, JSON
        let cases = [
            (0.0, "0", "0"),
            (-0.0, "-0", "-0"),
            (1.0, "1", "1"),
            (-1.5, "-1.5", "-1.5"),
            (0.1 + 0.2, "0.30000000000000004", "0.30000000000000004"),
            (123.456, "123.456", "123.456"),
            (0.0001, "0.0001", "0.0001"),
            (0.00012, "0.00012", "0.00012"),
            (0.00001, "1e-05", "0.00001"),
            (0.000_001, "1e-06", "0.000001"),
            (0.000_001_5, "1.5e-06", "0.0000015"),
            (0.000_000_9, "9e-07", "9e-7"),
            (1e-10, "1e-10", "1e-10"),
            (99_999.9, "99999.9", "99999.9"),
            (100_000.0, "100000", "100000"),
            (999_999.9, "999999.9", "999999.9"),
            (1e6, "1e+06", "1000000"),
            (1_234_567.0, "1.234567e+06", "1234567"),
            (1e20, "1e+20", "100000000000000000000"),
            (1e21, "1e+21", "1e+21"),
            (1.5e300, "1.5e+300", "1.5e+300"),
            (f64::MAX, "1.7976931348623157e+308", "1.7976931348623157e+308"),
            // Midway between two decimals of 17 digits: the even one.
            (-179_098_285_814_890.62, "-1.7909828581489062e+14", "-179098285814890.62"),
            (5e-324, "5e-324", "5e-324"),
            (-2.5e-8, "-2.5e-08", "-2.5e-8"),
        ];
        for (value, yaml, json) in cases {
            assert_eq!(print(yaml_float, value), yaml);
            assert_eq!(print(json_float, value), json);
        }
    }

    #[test]
    fn what_is_no_number_has_a_name() {
        assert_eq!(print(yaml_float, f64::NAN), ".nan");
        assert_eq!(print(yaml_float, f64::INFINITY), ".inf");
        assert_eq!(print(yaml_float, f64::NEG_INFINITY), "-.inf");
        assert_eq!(print(go_float, f64::INFINITY), "+Inf");
    }

    #[test]
    fn integers_reach_both_ends() {
        let mut out = Vec::new();
        integer(i64::MIN, &mut out);
        out.push(b' ');
        integer(0, &mut out);
        out.push(b' ');
        unsigned(u64::MAX, &mut out);
        assert_eq!(out, b"-9223372036854775808 0 18446744073709551615");
    }
}
