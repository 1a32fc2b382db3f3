//! Finds the characters of a string that matter for its style.
//!
//! Most bytes do not affect how a string is written. Sixteen bytes at a time are checked for one
//! that does, and only pieces with such a byte are scanned byte by byte.

use std::ops::Range;

/// The characters of a string that matter for its style.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one observation, and all are independent"
)]
#[derive(Default)]
pub(super) struct Seen {
    /// A character that must be escaped.
    pub(super) has_hidden: bool,
    /// A line break of any kind, including U+0085 and carriage returns.
    pub(super) has_break: bool,
    pub(super) has_feed: bool,
    /// U+2028 or U+2029.
    pub(super) has_separator: bool,
    /// A `: ` or ` #`.
    pub(super) has_indicator: bool,
    pub(super) has_space_before_break: bool,
    pub(super) has_space_after_break: bool,
}

/// What a byte can mean for the string that contains it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Ordinary,
    LineFeed,
    CarriageReturn,
    Colon,
    Hash,
    /// A one-byte character that must be escaped.
    Control,
    /// Begins a character that may be a line break or may have to be escaped, depending on the next
    /// bytes.
    Lead,
    /// Begins a character outside the basic multilingual plane, which is always escaped.
    Astral,
}

/// The class of each byte.
const CLASSES: [Class; 256] = classes();

const LINE_SEPARATOR: &[u8] = "\u{2028}".as_bytes();
const PARAGRAPH_SEPARATOR: &[u8] = "\u{2029}".as_bytes();

/// The number of bytes that are checked together.
const PIECE: usize = 16;

/// Returns whether no byte matters. For strings that are not ASCII, it may return false although no
/// byte matters.
pub(super) fn is_ordinary(bytes: &[u8]) -> bool {
    if let Some(last) = bytes.last_chunk::<PIECE>() {
        let (pieces, _) = bytes.as_chunks::<PIECE>();
        return pieces.iter().all(is_ordinary_piece) && is_ordinary_piece(last);
    }
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => is_ordinary_word(*first) && is_ordinary_word(*last),
        _ => bytes.iter().all(|&byte| CLASSES[usize::from(byte)] == Class::Ordinary),
    }
}

/// Returns whether bytes are ASCII without controls, `:` and `#`. It has no branches, so that the
/// compiler checks all bytes at once.
#[expect(clippy::needless_bitwise_bool, reason = "a lazy operator would be a branch")]
fn is_ordinary_piece(bytes: &[u8; PIECE]) -> bool {
    let matters = |byte: u8| {
        // As a signed number, a byte that is not ASCII is negative.
        (byte.cast_signed() < 0x20) | (byte == 0x7f) | (byte == b':') | (byte == b'#')
    };
    !bytes.iter().fold(false, |any, &byte| any | matters(byte))
}

/// Like [`is_ordinary_piece`], for eight bytes. All bytes are checked with the same arithmetic: it
/// sets the top bit of each byte that matters.
fn is_ordinary_word(bytes: [u8; 8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let word = u64::from_ne_bytes(bytes);
    let controls = word.wrapping_sub(ONES * 0x20) & !word | word.wrapping_add(ONES);
    let colons = zeros(word ^ (ONES * u64::from(b':')));
    let hashes = zeros(word ^ (ONES * u64::from(b'#')));
    (word | controls | colons | hashes) & TOPS == 0
}

impl Seen {
    /// Scans a string.
    pub(super) fn scan(bytes: &[u8]) -> Self {
        let mut seen = Self::default();
        let (pieces, rest) = bytes.as_chunks::<PIECE>();
        for (nth, piece) in pieces.iter().enumerate() {
            if !is_ordinary_piece(piece) {
                seen.note_all(bytes, nth * PIECE..(nth + 1) * PIECE);
            }
        }
        seen.note_all(bytes, bytes.len() - rest.len()..bytes.len());
        seen
    }

    fn note_all(&mut self, bytes: &[u8], part: Range<usize>) {
        for at in part {
            let class = CLASSES[usize::from(bytes[at])];
            if class != Class::Ordinary {
                self.note(class, bytes, at);
            }
        }
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
        if rest.starts_with(LINE_SEPARATOR) || rest.starts_with(PARAGRAPH_SEPARATOR) {
            self.has_separator = true;
            self.note_break(bytes, at, LINE_SEPARATOR.len());
        } else if is_hidden(rest) {
            self.has_hidden = true;
            self.has_break |= rest.starts_with("\u{85}".as_bytes());
        }
    }

    fn note_break(&mut self, bytes: &[u8], at: usize, len: usize) {
        self.has_break = true;
        self.has_space_before_break |= at > 0 && bytes[at - 1] == b' ';
        self.has_space_after_break |= bytes.get(at + len) == Some(&b' ');
    }
}

/// Returns whether a character that begins with a [`Class::Lead`] must be escaped.
fn is_hidden(bytes: &[u8]) -> bool {
    match bytes {
        // C1 controls, including U+0085.
        [0xc2, next, ..] => *next < 0xa0,
        // The byte order mark, and the two noncharacters.
        [0xef, 0xbb, 0xbf, ..] | [0xef, 0xbf, 0xbe | 0xbf, ..] => true,
        _ => false,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte at every place of strings up to three pieces long.
    #[test]
    fn no_byte_that_matters_is_overlooked() {
        for len in 1..=48 {
            for at in 0..len {
                for byte in 0..=255 {
                    let mut bytes = vec![b'a'; len];
                    bytes[at] = byte;
                    let is_ordinary_class = CLASSES[usize::from(byte)] == Class::Ordinary;
                    let is_supported = len < 8 || byte.is_ascii();
                    assert_eq!(is_ordinary(&bytes), is_ordinary_class && is_supported, "{bytes:?}");
                    let seen = Seen::scan(&bytes);
                    assert_eq!(seen.has_feed, byte == b'\n', "{bytes:?}");
                    // What follows the first byte of a C1 control is not a space of Latin-1.
                    let is_control = byte == 0xc2 && at + 1 < len;
                    let is_hidden = matches!(byte, 0..=0x09 | 0x0b..=0x1f | 0x7f | 0xf0..);
                    let is_hidden = is_hidden || is_control;
                    assert_eq!(seen.has_hidden, is_hidden, "{bytes:?}");
                }
            }
        }
    }
}
