//! Selects the style of a string.
//!
//! A string is written plain if that reads back as the same string, otherwise in single quotes,
//! otherwise in double quotes. A string of several lines is written as a block if a block can
//! represent it.

use super::scan::{self, Seen};
use crate::resolve;

/// How a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Without quotes.
    Plain,
    Single,
    Double,
    /// A `|` block: every line is on a separate line.
    Literal,
}

/// The style of a string, and other properties that matter when it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) style: Style,
    /// Whether there is a line break of any kind, escaped or not.
    pub(super) is_multiline: bool,
    /// Whether U+2028 or U+2029 is among the breaks.
    pub(super) has_separator: bool,
}

/// What the first byte of a string means for its style.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// It begins a plain scalar that is a string.
    Ordinary,
    /// It begins something other than a scalar, or it is a space that would be lost.
    Indicator,
    /// It may begin a null or a boolean.
    Word,
    /// It may begin a number, a date or a mark.
    Doubtful,
}

/// The meaning of each byte at the beginning of a string.
const FIRSTS: [First; 256] = firsts();

/// The length of `false`, the longest word that is not a string.
const LONGEST_WORD: usize = 5;

/// The longest string that is written as a key without a `?` before it.
const MAX_SIMPLE_KEY: usize = 128;

impl Shape {
    pub(super) fn of(text: &str) -> Self {
        if scan::is_ordinary(text.as_bytes()) {
            let style = style_of_line(text);
            return Self { style, is_multiline: false, has_separator: false };
        }
        let seen = Seen::scan(text.as_bytes());
        Self {
            style: style_of_seen(&seen, text),
            is_multiline: seen.has_break,
            has_separator: seen.has_separator,
        }
    }

    /// Returns whether a key of this shape can be followed directly by its `:`.
    pub(super) fn is_simple_key(self, len: usize) -> bool {
        !self.is_multiline && len <= MAX_SIMPLE_KEY
    }
}

fn style_of_seen(seen: &Seen, text: &str) -> Style {
    if seen.has_hidden || seen.has_space_before_break {
        Style::Double
    } else if seen.has_feed {
        if text.ends_with(' ') { Style::Double } else { Style::Literal }
    } else if seen.has_separator {
        if seen.has_space_after_break { Style::Double } else { Style::Single }
    } else if seen.has_indicator {
        Style::Single
    } else {
        style_of_line(text)
    }
}

/// Returns the style of one line. It depends only on the first and last character and on the type
/// of the text.
fn style_of_line(text: &str) -> Style {
    let bytes = text.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else {
        return Style::Double;
    };
    match FIRSTS[usize::from(first)] {
        _ if last == b' ' => Style::Single,
        First::Ordinary => Style::Plain,
        First::Indicator => Style::Single,
        First::Word if LONGEST_WORD < bytes.len() => Style::Plain,
        First::Doubtful if is_mark(bytes) => Style::Single,
        First::Word | First::Doubtful if is_string(text) => Style::Plain,
        First::Word | First::Doubtful => Style::Double,
    }
}

/// Returns whether a string begins like an item, a key or a document marker.
fn is_mark(bytes: &[u8]) -> bool {
    match bytes {
        [b'-', b'-', b'-', ..] | [b'.', b'.', b'.', ..] => true,
        [b'-' | b'?', rest @ ..] => rest.first().is_none_or(|&next| next == b' '),
        _ => false,
    }
}

/// Returns whether a plain scalar of this text is a string and not a number, a date and so on.
fn is_string(text: &str) -> bool {
    matches!(resolve::plain(text), resolve::Scalar::Text) && !is_sexagesimal(text.as_bytes())
}

/// Returns whether other readers of YAML 1.1 would read a number in base 60, such as `1:30` or
/// `-12:30.5`.
fn is_sexagesimal(bytes: &[u8]) -> bool {
    let unsigned = bytes.strip_prefix(b"-").or_else(|| bytes.strip_prefix(b"+")).unwrap_or(bytes);
    let mut parts = unsigned.split(|&byte| byte == b':');
    let first = parts.next().expect("a split has at least one part");
    let is_first = first.first().is_some_and(u8::is_ascii_digit) && is_grouped_digits(first);
    let Some(last) = parts.next_back() else {
        return false;
    };
    let (last, fraction) = match last.iter().position(|&byte| byte == b'.') {
        Some(at) => (&last[..at], &last[at + 1..]),
        None => (last, &[][..]),
    };
    is_first && parts.all(is_sixtieth) && is_sixtieth(last) && is_grouped_digits(fraction)
}

/// Returns whether a part is one or two digits, and below sixty.
fn is_sixtieth(part: &[u8]) -> bool {
    matches!(part, [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'])
}

fn is_grouped_digits(part: &[u8]) -> bool {
    part.iter().all(|byte| byte.is_ascii_digit() || *byte == b'_')
}

const fn firsts() -> [First; 256] {
    let firsts = [First::Ordinary; 256];
    let firsts = with_all(firsts, b" #,[]{}&*!|>'\"%@`", First::Indicator);
    let firsts = with_all(firsts, b"~yYnNtTfFoO", First::Word);
    with_all(firsts, b"?+-.0123456789", First::Doubtful)
}

const fn with_all(mut firsts: [First; 256], bytes: &[u8], first: First) -> [First; 256] {
    let mut at = 0;
    while at < bytes.len() {
        firsts[bytes[at] as usize] = first;
        at += 1;
    }
    firsts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_sixty_is_distinguished_from_times_and_addresses() {
        for text in ["1:30", "-12:30.5", "+1:2:3", "190:20:30.15", "1_0:00.", "0:0"] {
            assert!(is_sexagesimal(text.as_bytes()), "{text}");
        }
        for text in ["1", "1:60", "1:", ":1", "1:2:", "1:2.3.4", "_1:2", "1:234", "1:2a", "1.5:2"] {
            assert!(!is_sexagesimal(text.as_bytes()), "{text}");
        }
    }
}
