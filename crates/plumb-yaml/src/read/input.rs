//! Checks that a text contains only characters that YAML allows, before anything else reads it.

use std::str::Utf8Error;

use super::error::{ReadError, Result};
use super::error_kind::SyntaxErrorKind;

/// Returns the bytes as text: UTF-8 without control characters. Such a text has no NUL byte.
pub(super) fn check(bytes: &[u8]) -> Result<&str> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(error(bytes, 0, SyntaxErrorKind::TooLarge));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => match forbidden_character(text) {
            None => Ok(text),
            Some(at) => Err(error(bytes, at, SyntaxErrorKind::ControlCharacter)),
        },
        Err(error) => Err(invalid_utf8(bytes, error)),
    }
}

/// Returns the text before a problem that [`check`] found, up to the block of input that contains
/// the problem. ytt reads blocks of this size, and reports problems in earlier blocks first.
pub(super) fn checked_before<'a>(bytes: &'a [u8], problem: &ReadError) -> &'a str {
    const BLOCK: usize = 512;
    let end = problem.start() / BLOCK * BLOCK;
    let before = bytes[..end].utf8_chunks().next();
    before.map_or("", |chunk| chunk.valid())
}

fn error(bytes: &[u8], start: usize, problem: SyntaxErrorKind) -> ReadError {
    ReadError::new(problem, start, (start + 1).min(bytes.len()), 0)
}

/// Reports the first problem in the text: a bad sequence, or a forbidden character before it.
fn invalid_utf8(bytes: &[u8], utf8: Utf8Error) -> ReadError {
    let (valid, rest) = bytes.split_at(utf8.valid_up_to());
    let before = std::str::from_utf8(valid).expect("valid up to here");
    if let Some(at) = forbidden_character(before) {
        return error(bytes, at, SyntaxErrorKind::ControlCharacter);
    }
    error(bytes, valid.len(), sequence_problem(rest))
}

fn sequence_problem(sequence: &[u8]) -> SyntaxErrorKind {
    let (width, lead_bits) = match sequence[0] {
        lead @ 0xC0..=0xDF => (2, lead & 0x1F),
        lead @ 0xE0..=0xEF => (3, lead & 0x0F),
        lead @ 0xF0..=0xF7 => (4, lead & 0x07),
        _ => return SyntaxErrorKind::InvalidLeadingOctet,
    };
    let Some(trailing) = sequence.get(1..width) else {
        return SyntaxErrorKind::IncompleteSequence;
    };
    if trailing.iter().any(|byte| byte & 0xC0 != 0x80) {
        return SyntaxErrorKind::InvalidTrailingOctet;
    }
    let value = trailing
        .iter()
        .fold(u32::from(lead_bits), |value, byte| (value << 6) + u32::from(byte & 0x3F));
    let smallest = [0x80, 0x800, 0x1_0000][width - 2];
    if value < smallest {
        SyntaxErrorKind::OverlongSequence
    } else {
        SyntaxErrorKind::InvalidCharacter
    }
}

/// Returns the offset of the first character that YAML does not allow.
fn forbidden_character(text: &str) -> Option<usize> {
    const CHUNK: usize = 64;
    let bytes = text.as_bytes();
    for (nth, chunk) in bytes.chunks(CHUNK).enumerate() {
        // This has no branches, so that it processes many bytes at a time.
        if chunk.iter().fold(false, |any, &byte| any | is_suspicious(byte)) {
            let start = nth * CHUNK;
            let offsets = (start..start + chunk.len()).filter(|&at| is_suspicious(bytes[at]));
            if let Some(at) = offsets.into_iter().find(|&at| is_forbidden(&bytes[at..])) {
                return Some(at);
            }
        }
    }
    None
}

/// Returns whether a forbidden character may begin with this byte.
fn is_suspicious(byte: u8) -> bool {
    matches!(byte, 0x00..=0x08 | 0x0B | 0x0C | 0x0E..=0x1F | 0x7F | 0xC2 | 0xEF)
}

fn is_forbidden(at: &[u8]) -> bool {
    match *at {
        [0xC2, second, ..] => second < 0xA0 && second != 0x85,
        [0xEF, second, third, ..] => second == 0xBF && third >= 0xBE,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_problem(bytes: &[u8], at: usize, problem: SyntaxErrorKind) {
        let end = (at + 1).min(bytes.len());
        assert_eq!(check(bytes), Err(ReadError::new(problem, at, end, 0)));
    }

    #[test]
    fn sequences_that_are_not_utf8_are_distinguished() {
        check_problem(b"a\xFF", 1, SyntaxErrorKind::InvalidLeadingOctet);
        check_problem(b"a\x80", 1, SyntaxErrorKind::InvalidLeadingOctet);
        check_problem(b"a\xC3", 1, SyntaxErrorKind::IncompleteSequence);
        check_problem(b"a\xC3(", 1, SyntaxErrorKind::InvalidTrailingOctet);
        check_problem(b"\xC0\x80", 0, SyntaxErrorKind::OverlongSequence);
        check_problem(b"\xE0\x80\x80", 0, SyntaxErrorKind::OverlongSequence);
        check_problem(b"\xED\xA0\x80", 0, SyntaxErrorKind::InvalidCharacter);
        check_problem(b"\xF7\xBF\xBF\xBF", 0, SyntaxErrorKind::InvalidCharacter);
    }

    #[test]
    fn control_characters_are_found_wherever_they_stand() {
        check_problem(b"\0", 0, SyntaxErrorKind::ControlCharacter);
        check_problem(b"a: \x7F", 3, SyntaxErrorKind::ControlCharacter);
        check_problem("a: \u{80}".as_bytes(), 3, SyntaxErrorKind::ControlCharacter);
        check_problem("\u{FFFE}".as_bytes(), 0, SyntaxErrorKind::ControlCharacter);
        let mut long = vec![b'x'; 200];
        long[150] = 1;
        long[180] = 0xFF;
        check_problem(&long, 150, SyntaxErrorKind::ControlCharacter);
    }

    #[test]
    fn breaks_tabs_marks_and_the_rest_of_unicode_are_allowed() {
        let text = "a\tb\r\n\u{85}\u{A0}\u{FEFF}\u{FFFD}\u{1F600}\u{2028}";
        assert_eq!(check(text.as_bytes()), Ok(text));
    }
}
