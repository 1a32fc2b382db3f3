//! Strict mode: accepts only plain scalars that all readers interpret in the same way.
//!
//! A plain scalar must have the same value for a simple reader (`true`, `false`, decimal numbers,
//! an empty value; otherwise a text) and for YAML 1.1. Texts that are easily misread must be
//! quoted.

use plumb_source::message::{plain as shown, secret, term};
use plumb_source::{Message, message};
use plumb_value::Node;

use crate::json::NumberError;
use crate::resolve::{self, Scalar};

/// Why strict mode does not accept a plain scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrictError {
    /// Readers interpret it as values with these two tags.
    Ambiguous { text: String, tags: [&'static str; 2] },
    /// It contains characters that are easily misread.
    MustBeQuoted { text: String, contains: &'static str },
}

impl StrictError {
    fn message(self) -> Message {
        let words = match &self {
            Self::Ambiguous { text, tags: [one, other] } => message!(
                "'{}' is ambiguous: it can be {} or {}",
                secret(text),
                shown(one),
                shown(other)
            ),
            Self::MustBeQuoted { text, contains } => {
                let contains = match *contains {
                    "colon" => "a colon",
                    "triple-dash" => "three dashes",
                    whitespace => whitespace,
                };
                message!("a text with {contains} must be quoted: '{}'", secret(text))
            }
        };
        term(words, self).into()
    }
}

/// Returns the value of a plain scalar, or why it is ambiguous.
pub(super) fn plain(text: &str) -> Result<Node, Message> {
    let native = resolve::plain(text);
    let cautious = cautious(text)?;
    if cautious.tag() == native.tag() {
        return Ok(native.into_node(text));
    }
    let tags = [cautious.tag(), native.tag()];
    Err(StrictError::Ambiguous { text: text.to_owned(), tags }.message())
}

fn cautious(text: &str) -> Result<Scalar, Message> {
    match text {
        "" => return Ok(Scalar::Null),
        "true" => return Ok(Scalar::Bool(true)),
        "false" => return Ok(Scalar::Bool(false)),
        _ => {}
    }
    match number_form(text) {
        Some(Form::Integer) => return integer(text),
        Some(Form::Float) => return float(text),
        None => {}
    }
    let contains = if text.contains(char::is_whitespace) {
        "whitespace"
    } else if text.contains(':') {
        "colon"
    } else if text.contains("---") {
        "triple-dash"
    } else {
        return Ok(Scalar::Text);
    };
    Err(StrictError::MustBeQuoted { text: text.to_owned(), contains }.message())
}

fn integer(text: &str) -> Result<Scalar, Message> {
    match (text.parse(), text.parse()) {
        (Ok(value), _) => Ok(Scalar::Int(value)),
        (Err(_), Ok(value)) => Ok(Scalar::UInt(value)),
        (Err(_), Err(_)) => Err(unparsable(NumberError::Integer, text)),
    }
}

fn float(text: &str) -> Result<Scalar, Message> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Scalar::Float(value)),
        _ => Err(unparsable(NumberError::Float, text)),
    }
}

/// The message for a well-formed number that is too large.
fn unparsable(error: fn(String) -> NumberError, text: &str) -> Message {
    let message = message!("expected a number that fits in 64 bits, found {}", secret(text));
    term(message, error(text.to_owned())).into()
}

enum Form {
    Integer,
    Float,
}

/// `-?(0|[1-9][0-9]*)`, and for floats `(\.[0-9]+)?([eE][-+]?[0-9]+)?` after it.
fn number_form(text: &str) -> Option<Form> {
    let unsigned = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let n_digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = match unsigned.first()? {
        b'0' => 1,
        b'1'..=b'9' => n_digits(unsigned),
        _ => return None,
    };
    let mut rest = &unsigned[whole..];
    if rest.is_empty() {
        return Some(Form::Integer);
    }
    if let [b'.', fraction @ ..] = rest {
        let n_fraction = n_digits(fraction);
        if n_fraction == 0 {
            return None;
        }
        rest = &fraction[n_fraction..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let digits =
            exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+")).unwrap_or(exponent);
        let n_exponent = n_digits(digits);
        if n_exponent == 0 {
            return None;
        }
        rest = &digits[n_exponent..];
    }
    rest.is_empty().then_some(Form::Float)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found =
            plain(text).map_or_else(|error| error.shown().to_owned(), |node| format!("{node:?}"));
        assert_eq!(found, expected);
    }

    #[test]
    fn the_plain_form_of_a_value_is_accepted() {
        check("", "Null");
        check("true", "Bool(true)");
        check("-12", "Int(-12)");
        check("18446744073709551615", "UInt(18446744073709551615)");
        check("1.5e3", "Float(1500.0)");
        check("text", "String(\"text\")");
    }

    #[test]
    fn what_others_may_read_differently_is_refused() {
        check("yes", "'yes' is ambiguous: it can be !!str or !!bool");
        check("~", "'~' is ambiguous: it can be !!str or !!null");
        check("0755", "'0755' is ambiguous: it can be !!str or !!int");
        check("1.", "'1.' is ambiguous: it can be !!str or !!float");
        check("2020-01-01", "'2020-01-01' is ambiguous: it can be !!str or !!timestamp");
    }

    #[test]
    fn texts_that_are_easily_misread_need_quotes() {
        check("a b", "a text with whitespace must be quoted: 'a b'");
        check("a:b", "a text with a colon must be quoted: 'a:b'");
        check("a---b", "a text with three dashes must be quoted: 'a---b'");
    }

    #[test]
    fn numbers_that_are_too_large_are_refused() {
        let digits = "9".repeat(30);
        check(&digits, &format!("expected a number that fits in 64 bits, found {digits}"));
        check("1e999", "expected a number that fits in 64 bits, found 1e999");
    }
}
