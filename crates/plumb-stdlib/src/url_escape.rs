//! Percent-escapes. The bytes that must be escaped depend on the part of the URL.
//!
//! The sets are those of Go's `net/url`, which follow RFC 3986 except for a few marks.

use plumb_source::message::secret;
use plumb_source::{Message, Text, message};
use plumb_starlark::{Result, Value};

use crate::decode_error::DecodeError;

/// A part of a URL, which determines the bytes that must be escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Path,
    PathSegment,
    /// A name or a value of a query; a space is written as `+`.
    Query,
    /// A user's name or password.
    User,
    Host,
    /// The text after the `%25` in an IPv6 host.
    Zone,
    Fragment,
}

impl Part {
    /// Returns whether a byte does not have to be escaped.
    pub(crate) fn is_plain(self, byte: u8) -> bool {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => true,
            _ => self.marks().contains(&byte),
        }
    }

    fn marks(self) -> &'static [u8] {
        match self {
            Self::Path => b"$&+,/:;=@",
            Self::PathSegment => b"$&+:=@",
            Self::Query => b"",
            Self::User => b"$&+,;=",
            Self::Host | Self::Zone => b"!$&'()*+,;=:[]<>\"",
            Self::Fragment => b"$&+,/:;=?@!()*",
        }
    }

    /// Returns whether a well-formed escape is not allowed in this part.
    fn refuses(self, escape: &[u8], byte: u8) -> bool {
        match self {
            // In a host, only bytes beyond ASCII and the `%` before a zone may be escaped.
            Self::Host => byte < 0x80 && escape != b"%25",
            Self::Zone => escape != b"%25" && byte != b' ' && !Self::Host.is_plain(byte),
            _ => false,
        }
    }
}

pub(crate) fn escape(bytes: &[u8], part: Part) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        if part.is_plain(byte) {
            out.push(byte);
        } else if byte == b' ' && part == Part::Query {
            out.push(b'+');
        } else {
            let (high, low) = (usize::from(byte >> 4), usize::from(byte & 15));
            out.extend([b'%', DIGITS[high], DIGITS[low]]);
        }
    }
    out
}

pub(crate) fn unescape(bytes: &[u8], part: Part) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match byte {
            b'%' => {
                let escape = &bytes[bytes.len() - behind.len() - 1..];
                let escape = &escape[..escape.len().min(3)];
                out.push(escaped_byte(escape, part)?);
                rest = &behind[2..];
            }
            b'+' if part == Part::Query => out.push(b' '),
            0..0x80 if matches!(part, Part::Host | Part::Zone) && !part.is_plain(byte) => {
                let shown = Message::from(secret(quoted(&[byte])?));
                let words = message!("expected the name of a host, found the character {shown}");
                return Err(DecodeError::UrlHost(shown).in_words(words));
            }
            _ => out.push(byte),
        }
    }
    Ok(out)
}

/// Decodes `%` and two digits.
fn escaped_byte(escape: &[u8], part: Part) -> Result<u8> {
    let byte = match escape {
        [_, high, low] => digit(*high).zip(digit(*low)).map(|(high, low)| high << 4 | low),
        _ => None,
    };
    match byte {
        Some(byte) if !part.refuses(escape, byte) => Ok(byte),
        _ => {
            let shown = Message::from(secret(quoted(escape)?));
            let words = message!("expected an escape such as `%2F`, found {shown}");
            Err(DecodeError::UrlEscape(shown).in_words(words))
        }
    }
}

fn digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

/// Formats a text in double quotes, as messages show it.
pub(crate) fn quoted(bytes: &[u8]) -> Result<Text> {
    Value::String(Text::from_bytes(bytes)).repr()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIXED: &str = "a b/c?d#e%f+g&h=i@j:k$l,m;n~o-p_q.r!s*t'u(v)w\"x<y>é\n";

    #[test]
    fn each_part_escapes_its_own_set() {
        let check = |part, expected: &str| {
            let escaped = escape(MIXED.as_bytes(), part);
            assert_eq!(String::from_utf8_lossy(&escaped), expected, "{part:?}");
            if !matches!(part, Part::Host | Part::Zone) {
                assert_eq!(unescape(&escaped, part).expect("valid escapes"), MIXED.as_bytes());
            }
        };
        check(
            Part::PathSegment,
            "a%20b%2Fc%3Fd%23e%25f+g&h=i@j:k$l%2Cm%3Bn~o-p_q.r%21s%2At%27u%28v%29w%22x%3Cy%3E%C3%A9%0A",
        );
        check(
            Part::Query,
            "a+b%2Fc%3Fd%23e%25f%2Bg%26h%3Di%40j%3Ak%24l%2Cm%3Bn~o-p_q.r%21s%2At%27u%28v%29w%22x%3Cy%3E%C3%A9%0A",
        );
        check(
            Part::Host,
            "a%20b%2Fc%3Fd%23e%25f+g&h=i%40j:k$l,m;n~o-p_q.r!s*t'u(v)w\"x<y>%C3%A9%0A",
        );
    }

    #[test]
    fn a_broken_escape_is_shown() {
        let check = |text: &[u8], part, expected: &str| {
            let error = unescape(text, part).expect_err("a broken escape");
            assert_eq!(error.message().shown(), expected);
        };
        check(b"a%20b%zz", Part::PathSegment, r#"expected an escape such as `%2F`, found "%zz""#);
        check(b"a%2", Part::PathSegment, r#"expected an escape such as `%2F`, found "%2""#);
        check(b"a%", Part::PathSegment, r#"expected an escape such as `%2F`, found "%""#);
        check(b"a%\n\"x", Part::PathSegment, r#"expected an escape such as `%2F`, found "%\n\"""#);
        check(b"%\xff", Part::Fragment, r#"expected an escape such as `%2F`, found "%\xff""#);
        check(b"h%20", Part::Host, r#"expected an escape such as `%2F`, found "%20""#);
        check(b"h\\", Part::Host, r#"expected the name of a host, found the character "\\""#);
    }
}
