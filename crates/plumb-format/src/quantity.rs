//! Kubernetes quantities: `4Gi`, `500m`, `1e9`.
//!
//! A rule compares integers. Kubernetes stores a quantity as a 64-bit integer only if it is written
//! as a whole number of its unit and with few enough digits (`1536Mi`, but not `1.5Gi` or `100Ti`).
//! KubeVirt's validator does not accept other quantities as integers. Plumb does the same, so that
//! a virtual machine does not pass here and fail in the cluster. The exact value of such a quantity
//! is still computed, to suggest how to write it.

use std::fmt;

/// A quantity as rules see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    Integer(i64),
    /// Not stored as an integer. Contains its value if the value is an integer.
    Other(Option<i128>),
}

/// The text is not a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityError {
    Format,
    Suffix,
    /// It is a quantity, but too large.
    Range,
}

/// Binary units with their powers of two, in descending order.
const BINARY_UNITS: [(&str, u32); 6] =
    [("Ei", 60), ("Pi", 50), ("Ti", 40), ("Gi", 30), ("Mi", 20), ("Ki", 10)];

/// Decimal numbers of at most this many digits are stored as integers.
const MAX_DIGITS: usize = 18;

impl Quantity {
    /// Parses a quantity such as `4Gi`.
    ///
    /// # Errors
    ///
    /// If the text is not a number with a known suffix.
    pub fn parse(text: &str) -> Result<Self, QuantityError> {
        let parts = Parts::split(text)?;
        let unit = Unit::parse(parts.suffix)?;
        let exact = parts.exact(unit);
        let is_kept = match unit {
            Unit::Decimal(exponent) => {
                let digits = parts.whole.len() + parts.fraction.len();
                let scale =
                    i64::from(exponent) - i64::try_from(parts.fraction.len()).unwrap_or(i64::MAX);
                digits <= MAX_DIGITS && scale >= 0
            }
            Unit::Binary(exponent) => {
                let unit_digits = exponent as usize * 3 / 10;
                parts.fraction.is_empty() && parts.whole.len() + unit_digits < 15
            }
        };
        match exact.and_then(|it| i64::try_from(it).ok()) {
            Some(value) if is_kept => Ok(Self::Integer(value)),
            _ => Ok(Self::Other(exact)),
        }
    }

    /// The value. Returns `None` if it is not an integer.
    pub fn exact(self) -> Option<i128> {
        match self {
            Self::Integer(value) => Some(value.into()),
            Self::Other(exact) => exact,
        }
    }
}

/// A quantity in billionths, the smallest unit that Kubernetes stores. Smaller fractions are
/// rounded up.
///
/// # Errors
///
/// If the text is not a quantity, or is too large.
pub fn billionths(text: &str) -> Result<i128, QuantityError> {
    let parts = Parts::split(text)?;
    let unit = Unit::parse(parts.suffix)?;
    parts.billionths(unit).ok_or(QuantityError::Range)
}

/// An integer in the largest binary unit that it is a multiple of. Returns `None` if there is no
/// such unit.
pub fn in_binary_unit(value: i128) -> Option<String> {
    let mut units = BINARY_UNITS.iter().filter(|_| value > 0);
    let (unit, exponent) = units.find(|(_, exponent)| value % (1 << exponent) == 0)?;
    Some(format!("{}{unit}", value >> exponent))
}

/// A way to write an integer so that Kubernetes stores it as an integer. Returns `None` if that is
/// not possible.
pub fn integer_spelling(value: i128) -> Option<String> {
    let in_units = BINARY_UNITS.iter().filter(|(_, exponent)| value % (1 << exponent) == 0);
    let spellings = in_units.map(|(unit, exponent)| format!("{}{unit}", value >> exponent));
    let mut spellings = spellings.chain([value.to_string()]);
    spellings.find(|it| matches!(Quantity::parse(it), Ok(Quantity::Integer(_))))
}

#[derive(Clone, Copy)]
enum Unit {
    /// A power of ten.
    Decimal(i32),
    /// A power of two.
    Binary(u32),
}

impl Unit {
    fn parse(suffix: &str) -> Result<Self, QuantityError> {
        let decimal = match suffix {
            "n" => -9,
            "u" => -6,
            "m" => -3,
            "" => 0,
            "k" => 3,
            "M" => 6,
            "G" => 9,
            "T" => 12,
            "P" => 15,
            "E" => 18,
            _ => {
                if let Some((_, exponent)) = BINARY_UNITS.iter().find(|(unit, _)| *unit == suffix) {
                    return Ok(Self::Binary(*exponent));
                }
                let exponent = suffix.strip_prefix(['e', 'E']).ok_or(QuantityError::Suffix)?;
                exponent.parse().map_err(|_| QuantityError::Suffix)?
            }
        };
        Ok(Self::Decimal(decimal))
    }
}

struct Parts<'a> {
    is_negative: bool,
    /// Without leading zeros; `0` for zero.
    whole: &'a str,
    fraction: &'a str,
    suffix: &'a str,
}

impl<'a> Parts<'a> {
    fn split(text: &'a str) -> Result<Self, QuantityError> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (digits, rest) = take_digits(unsigned);
        let (fraction, suffix) = rest.strip_prefix('.').map_or(("", rest), take_digits);
        let is_suffix_letter = |it: char| "eEinumkKMGTP".contains(it);
        let exponent = suffix.trim_start_matches(is_suffix_letter);
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let has_digits = digits.len() + fraction.len() > 0;
        if !has_digits || !take_digits(exponent).1.is_empty() {
            return Err(QuantityError::Format);
        }
        let whole = digits.trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        Ok(Self { is_negative: text.starts_with('-'), whole, fraction, suffix })
    }

    fn billionths(&self, unit: Unit) -> Option<i128> {
        let digits = [self.whole, self.fraction.trim_end_matches('0')];
        let mut value: i128 = 0;
        let mut exponent = 9_i32.checked_sub(i32::try_from(digits[1].len()).ok()?)?;
        for digit in digits.concat().bytes() {
            value = value.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
        }
        match unit {
            Unit::Binary(power) => value = value.checked_mul(1 << power)?,
            Unit::Decimal(power) => exponent = exponent.checked_add(power)?,
        }
        if value == 0 {
            return Some(0);
        }
        let factor = 10_i128.checked_pow(exponent.unsigned_abs());
        let value = match factor {
            Some(factor) if exponent >= 0 => value.checked_mul(factor)?,
            Some(factor) => value / factor + i128::from(value % factor != 0),
            None if exponent >= 0 => return None,
            None => 1,
        };
        Some(if self.is_negative { -value } else { value })
    }

    /// The value. Returns `None` if it is not an integer or does not fit.
    fn exact(&self, unit: Unit) -> Option<i128> {
        let mut fraction = self.fraction.trim_end_matches('0');
        let mut value: i128 = self.whole.parse().ok()?;
        let mut exponent = match unit {
            Unit::Binary(exponent) => {
                let mut below: i128 =
                    if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
                below = below.checked_mul(1 << exponent)?;
                let scale = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
                if below % scale != 0 {
                    return None;
                }
                value = value.checked_mul(1 << exponent)?.checked_add(below / scale)?;
                fraction = "";
                0
            }
            Unit::Decimal(exponent) => exponent,
        };
        for digit in fraction.bytes() {
            value = value.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
            exponent = exponent.checked_sub(1)?;
        }
        while value != 0 && exponent != 0 {
            if exponent > 0 {
                value = value.checked_mul(10)?;
                exponent -= 1;
            } else if value % 10 == 0 {
                value /= 10;
                exponent += 1;
            } else {
                return None;
            }
        }
        Some(if self.is_negative { -value } else { value })
    }
}

fn take_digits(text: &str) -> (&str, &str) {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at(length)
}

impl fmt::Display for QuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Format => {
                "quantities must match the regular expression \
                 '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
            }
            Self::Suffix => "unable to parse quantity's suffix",
            Self::Range => "the quantity is too large",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Quantity) {
        assert_eq!(Quantity::parse(text), Ok(expected), "{text}");
    }

    #[test]
    fn whole_numbers_of_a_unit_are_integers() {
        check("0", Quantity::Integer(0));
        check("4Gi", Quantity::Integer(4 << 30));
        check("1536Mi", Quantity::Integer(1536 << 20));
        check("4194304Ki", Quantity::Integer(1 << 32));
        check("10Ti", Quantity::Integer(10 << 40));
        check("128M", Quantity::Integer(128_000_000));
        check("1.5G", Quantity::Integer(1_500_000_000));
        check("-1k", Quantity::Integer(-1000));
        check("+007", Quantity::Integer(7));
        check("1e9", Quantity::Integer(1_000_000_000));
        check("12E6", Quantity::Integer(12_000_000));
        check("1E", Quantity::Integer(1_000_000_000_000_000_000));
        check("999999999999999999", Quantity::Integer(999_999_999_999_999_999));
    }

    #[test]
    fn what_kubernetes_does_not_keep_as_an_integer_is_none() {
        check("1.5Gi", Quantity::Other(Some(3 << 29)));
        check("1.0", Quantity::Other(Some(1)));
        check("2000m", Quantity::Other(Some(2)));
        check("500m", Quantity::Other(None));
        check("100Ti", Quantity::Other(Some(100 << 40)));
        check("1Pi", Quantity::Other(Some(1 << 50)));
        check("9223372036854775807", Quantity::Other(Some(i64::MAX.into())));
        check("10E", Quantity::Other(Some(10_000_000_000_000_000_000)));
        check("1e999999", Quantity::Other(None));
        check("1e-999999", Quantity::Other(None));
        check("0.1Ki", Quantity::Other(None));
    }

    #[test]
    fn other_texts_are_not_quantities() {
        for text in ["", "lots", "1 Gi", "1GiB", "1gi", "true", " 1", "Gi", "+", "."] {
            assert_eq!(Quantity::parse(text), Err(QuantityError::Format), "{text}");
        }
        for text in ["1K", "1Gi1", "1ee5", "1e", "1mi"] {
            assert_eq!(Quantity::parse(text), Err(QuantityError::Suffix), "{text}");
        }
    }

    #[test]
    fn every_quantity_is_a_number_of_billionths() {
        const ONE: i128 = 1_000_000_000;
        let cases = [
            ("1", ONE),
            ("500m", ONE / 2),
            ("-1.5", -ONE * 3 / 2),
            ("1n", 1),
            ("0.1n", 1),
            ("1e-999", 1),
            ("0e999", 0),
            ("1.5Gi", ONE * (3 << 29)),
            ("1E", ONE * ONE * ONE),
            ("100", 100 * ONE),
        ];
        for (text, expected) in cases {
            assert_eq!(billionths(text), Ok(expected), "{text}");
        }
        for text in ["1e30", "99999999999999999999999999999999999999999", "1e2147483647"] {
            assert_eq!(billionths(text), Err(QuantityError::Range), "{text}");
        }
        assert_eq!(billionths("1e2147483648"), Err(QuantityError::Suffix));
    }

    #[test]
    fn a_spelling_that_is_kept_is_found() {
        assert_eq!(integer_spelling(3 << 29).as_deref(), Some("1536Mi"));
        assert_eq!(integer_spelling(100 << 40).as_deref(), Some("109951162777600"));
        assert_eq!(integer_spelling(i128::MAX), None);
    }
}
