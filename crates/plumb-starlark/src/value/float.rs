//! Floats as the dialect prints them.

/// The decimal digits of a float without trailing zeros, and the position of the point.
struct Digits {
    digits: Vec<u8>,
    point: i32,
}

/// How a number is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `%e`, six digits after the point.
    Exponent,
    /// `%f`, six digits after the point.
    Fixed,
    /// `%g`, as many digits as identify the number.
    Shortest,
}

/// Formats a float as `str(x)` does, with at most six digits.
pub(crate) fn format(float: f64) -> String {
    special(float).unwrap_or_else(|| general(float, &Digits::rounded(float, 6)))
}

pub(crate) fn format_as(float: f64, layout: Layout) -> String {
    if let Some(special) = special(float) {
        return special;
    }
    match layout {
        Layout::Exponent => exponent_form(&format!("{float:.6e}")),
        Layout::Fixed => format!("{float:.6}"),
        Layout::Shortest => general(float, &Digits::parse(&format!("{float:e}"))),
    }
}

fn special(float: f64) -> Option<String> {
    if float.is_nan() {
        return Some("NaN".to_owned());
    }
    let infinity = if float > 0.0 { "+Inf" } else { "-Inf" };
    float.is_infinite().then(|| infinity.to_owned())
}

/// Formats `1.5e7` with a sign and two digits in the exponent, as Go does.
fn exponent_form(written: &str) -> String {
    let (mantissa, exponent) = written.split_once('e').unwrap_or((written, "0"));
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{digits:0>2}")
}

fn general(float: f64, number: &Digits) -> String {
    let sign = if float.is_sign_negative() { "-" } else { "" };
    let exponent = number.point - 1;
    let digits: String = number.digits.iter().map(|&digit| char::from(digit)).collect();
    if !(-4..6).contains(&exponent) && float != 0.0 {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        return exponent_form(&format!("{sign}{first}{dot}{rest}e{exponent}"));
    }
    match usize::try_from(number.point) {
        Ok(point) if point >= digits.len() => format!("{sign}{digits:0<point$}"),
        Ok(point) if point > 0 => format!("{sign}{}.{}", &digits[..point], &digits[point..]),
        _ if float == 0.0 => format!("{sign}0"),
        _ => {
            let zeros = "0".repeat(usize::try_from(-number.point).unwrap_or(0));
            format!("{sign}0.{zeros}{digits}")
        }
    }
}

impl Digits {
    fn rounded(float: f64, count: usize) -> Self {
        Self::parse(&format!("{float:.*e}", count - 1))
    }

    fn parse(written: &str) -> Self {
        let (mantissa, exponent) = written.split_once('e').unwrap_or((written, "0"));
        let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
        while digits.len() > 1 && digits.last() == Some(&b'0') {
            digits.pop();
        }
        Self { digits, point: exponent.parse().unwrap_or(0) + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_are_printed_and_no_trailing_zeros() {
        let check = |float: f64, expected: &str| assert_eq!(format(float), expected, "{float:?}");
        check(3.5, "3.5");
        check(3.0, "3");
        check(0.1 + 0.2, "0.3");
        check(100_000.0, "100000");
        check(1_000_000.0, "1e+06");
        check(1_234_567.0, "1.23457e+06");
        check(0.0001, "0.0001");
        check(0.000_01, "1e-05");
        check(-0.0, "-0");
        check(0.0, "0");
        check(1e100, "1e+100");
        check(-2.5e-7, "-2.5e-07");
        check(999_999.5, "1e+06");
    }

    #[test]
    fn the_shortest_digits_that_identify_a_number() {
        assert_eq!(format_as(123_456_789.0, Layout::Shortest), "1.23456789e+08");
        assert_eq!(format_as(0.1, Layout::Shortest), "0.1");
        assert_eq!(format_as(1.5, Layout::Exponent), "1.500000e+00");
    }
}
