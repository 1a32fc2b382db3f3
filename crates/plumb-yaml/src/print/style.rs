//! Which way to write a string: one look at each byte decides.
//!
//! A string is written plainly where that reads back as the same string, then in single quotes,
//! then in double quotes; one of several lines as a block, where a block can hold it. Most bytes
//! have no say, so the scan stops only at those of a [`Class`] that does.

use crate::resolve;

/// How a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// As it is.
    Plain,
    Single,
    Double,
    /// A `|` block: every line on a line of its own.
    Literal,
}

/// The style of a string, and what else the scan saw on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) style: Style,
    /// Whether there is a line break of any kind, escaped or not.
    pub(super) is_multiline: bool,
    /// Whether U+2028 or U+2029 is among the breaks: they are breaks to YAML, but lines in a
    /// block or in single quotes do not end with them alone.
    pub(super) has_separator: bool,
}

/// What a byte can mean for the style of the string around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Ordinary,
    LineFeed,
    CarriageReturn,
    Colon,
    Hash,
    /// A character of one byte that cannot be shown.
    Control,
    /// Begins a character that may be a break or cannot be shown; the next bytes tell.
    Lead,
    /// Begins a character beyond the basic plane, none of which are shown as they are.
    Astral,
}

/// The class of each byte.
const CLASSES: [Class; 256] = classes();

/// Marks that begin something other than a plain scalar.
const INDICATORS: &[u8] = b"#,[]{}&*!|>'\"%@`";

/// Bytes that a scalar other than a string may begin with; no other one needs resolving.
const RESOLVABLE: [bool; 256] = resolvable();

/// The longest scalar that is written as a key without a `?` before it.
const MAX_SIMPLE_KEY: usize = 128;

const LINE_SEPARATOR: &[u8] = "\u{2028}".as_bytes();
const PARAGRAPH_SEPARATOR: &[u8] = "\u{2029}".as_bytes();

impl Shape {
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let seen = Seen::scan(bytes);
        Self {
            style: seen.style(text),
            is_multiline: seen.has_break,
            has_separator: seen.has_separator,
        }
    }

    /// Whether a key of this shape can be followed by its `:` at once.
    pub(super) fn is_simple_key(self, len: usize) -> bool {
        !self.is_multiline && len <= MAX_SIMPLE_KEY
    }
}

/// The length of the U+2028 or U+2029 that these bytes begin with, if they do.
fn separator_len(bytes: &[u8]) -> Option<usize> {
    let is_separator = bytes.starts_with(LINE_SEPARATOR) || bytes.starts_with(PARAGRAPH_SEPARATOR);
    is_separator.then_some(LINE_SEPARATOR.len())
}

/// Whether a character cannot be shown as it is, given that it begins with a [`Class::Lead`].
fn is_hidden(bytes: &[u8]) -> bool {
    match bytes {
        // C1 controls, U+0085 among them.
        [0xc2, next, ..] => *next < 0xa0,
        // The byte order mark, and the two that are no characters.
        [0xef, 0xbb, 0xbf, ..] | [0xef, 0xbf, 0xbe | 0xbf, ..] => true,
        _ => false,
    }
}

/// What stands out in a string.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one observation, and all are independent"
)]
#[derive(Default)]
struct Seen {
    has_hidden: bool,
    has_break: bool,
    has_feed: bool,
    has_separator: bool,
    has_indicator: bool,
    has_space_before_break: bool,
    has_space_after_break: bool,
}

impl Seen {
    fn scan(bytes: &[u8]) -> Self {
        let mut seen = Self::default();
        for (at, &byte) in bytes.iter().enumerate() {
            let class = CLASSES[usize::from(byte)];
            if class != Class::Ordinary {
                seen.note(class, bytes, at);
            }
        }
        seen
    }

    fn note(&mut self, class: Class, bytes: &[u8], at: usize) {
        match class {
            Class::Ordinary => {}
            Class::LineFeed => {
                self.has_feed = true;
                self.note_break(bytes, at, 1);
            }
            Class::CarriageReturn => {
                self.has_hidden = true;
                self.has_break = true;
            }
            Class::Colon => {
                self.has_indicator |= bytes.get(at + 1).is_none_or(|&next| next == b' ');
            }
            Class::Hash => self.has_indicator |= at > 0 && bytes[at - 1] == b' ',
            Class::Control | Class::Astral => self.has_hidden = true,
            Class::Lead => self.note_lead(bytes, at),
        }
    }

    #[cold]
    fn note_lead(&mut self, bytes: &[u8], at: usize) {
        let rest = &bytes[at..];
        if let Some(len) = separator_len(rest) {
            self.has_separator = true;
            self.note_break(bytes, at, len);
        } else if is_hidden(rest) {
            self.has_hidden = true;
            self.has_break |= rest.starts_with(b"\xc2\x85");
        }
    }

    fn note_break(&mut self, bytes: &[u8], at: usize, len: usize) {
        self.has_break = true;
        self.has_space_before_break |= at > 0 && bytes[at - 1] == b' ';
        self.has_space_after_break |= bytes.get(at + len) == Some(&b' ');
    }

    fn style(&self, text: &str) -> Style {
        let bytes = text.as_bytes();
        let ends_in_space = bytes.last() == Some(&b' ');
        if self.has_hidden || self.has_space_before_break {
            return Style::Double;
        }
        if self.has_feed {
            return if ends_in_space { Style::Double } else { Style::Literal };
        }
        if self.has_separator {
            return if self.has_space_after_break { Style::Double } else { Style::Single };
        }
        if ends_in_space || self.has_indicator || begins_otherwise(bytes) {
            return Style::Single;
        }
        if reads_as_string(text) { Style::Plain } else { Style::Double }
    }
}

/// Whether a plain scalar that begins so would be something else, or lose its first space.
fn begins_otherwise(bytes: &[u8]) -> bool {
    match bytes {
        [] => false,
        [b' ', ..] | [b'-', b'-', b'-', ..] | [b'.', b'.', b'.', ..] => true,
        // A colon is an indicator wherever a space or nothing follows; so are these at the start.
        [b'-' | b'?', rest @ ..] => rest.first().is_none_or(|&next| next == b' '),
        [first, ..] => INDICATORS.contains(first),
    }
}

/// Whether a plain scalar of this text is the string itself and not a number, a date and so on.
fn reads_as_string(text: &str) -> bool {
    match text.as_bytes() {
        [] => false,
        [first, ..] if RESOLVABLE[usize::from(*first)] => {
            matches!(resolve::plain(text), resolve::Scalar::Text)
                && !is_sexagesimal(text.as_bytes())
        }
        _ => true,
    }
}

/// Whether other readers of YAML 1.1 would see a number of base 60, such as `1:30` or `-12:30.5`.
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

/// One or two digits below sixty.
fn is_sixtieth(part: &[u8]) -> bool {
    matches!(part, [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'])
}

fn is_grouped_digits(part: &[u8]) -> bool {
    part.iter().all(|byte| byte.is_ascii_digit() || *byte == b'_')
}

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Ordinary; 256];
    let mut byte = 0;
    while byte < 0x20 {
        classes[byte] = Class::Control;
        byte += 1;
    }
    classes[0x7f] = Class::Control;
    classes[b'\n' as usize] = Class::LineFeed;
    classes[b'\r' as usize] = Class::CarriageReturn;
    classes[b':' as usize] = Class::Colon;
    classes[b'#' as usize] = Class::Hash;
    classes[0xc2] = Class::Lead;
    classes[0xe2] = Class::Lead;
    classes[0xef] = Class::Lead;
    let mut byte = 0xf0;
    while byte < 0x100 {
        classes[byte] = Class::Astral;
        byte += 1;
    }
    classes
}

const fn resolvable() -> [bool; 256] {
    let firsts = b"+-.~0123456789yYnNtTfFoO";
    let mut resolvable = [false; 256];
    let mut at = 0;
    while at < firsts.len() {
        resolvable[firsts[at] as usize] = true;
        at += 1;
    }
    resolvable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_sixty_is_told_from_times_and_addresses() {
        for text in ["1:30", "-12:30.5", "+1:2:3", "190:20:30.15", "1_0:00.", "0:0"] {
            assert!(is_sexagesimal(text.as_bytes()), "{text}");
        }
        for text in ["1", "1:60", "1:", ":1", "1:2:", "1:2.3.4", "_1:2", "1:234", "1:2a", "1.5:2"] {
            assert!(!is_sexagesimal(text.as_bytes()), "{text}");
        }
    }
}
