//! Strings in quotes, in blocks and in base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use memchr::memchr;

use super::{STEP, indentation};

/// The number of base64 characters on one line.
const BINARY_LINE: usize = 70;

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Appends a string in single quotes. A separator in it ends a line, and the next line is indented
/// as in a block.
pub(super) fn single(text: &str, has_separator: bool, indent: usize, out: &mut Vec<u8>) {
    out.push(b'\'');
    if has_separator {
        for (number, line) in Lines::of(text, true).enumerate() {
            if 0 < number && !line.content.is_empty() {
                indentation(indent + STEP, out);
            }
            push_doubled(line.content, out);
            out.extend_from_slice(line.ending.as_bytes());
        }
    } else {
        push_doubled(text, out);
    }
    out.push(b'\'');
}

/// Appends a string in double quotes, with escapes for everything that cannot be printed.
pub(super) fn double(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    // A text that begins with a byte order mark is escaped completely, as in libyaml.
    let is_escaped_whole = text.starts_with('\u{feff}');
    let mut shown = 0;
    for (at, char) in text.char_indices() {
        if is_escaped_whole || is_escaped(char) {
            out.extend_from_slice(&text.as_bytes()[shown..at]);
            escape(char, out);
            shown = at + char.len_utf8();
        }
    }
    out.extend_from_slice(&text.as_bytes()[shown..]);
    out.push(b'"');
}

/// Appends a string as a `|` block below the node at `indent`, and calls `after_line` after each line
/// of it. Returns whether the block ended its last line.
pub(super) fn literal(
    text: &str,
    has_separator: bool,
    indent: usize,
    out: &mut Vec<u8>,
    mut after_line: impl FnMut(&mut Vec<u8>),
) -> bool {
    out.push(b'|');
    if text.starts_with([' ', '\n', LINE_SEPARATOR, PARAGRAPH_SEPARATOR]) {
        out.push(b'0' + u8::try_from(STEP).expect("an indentation step is one digit"));
    }
    let ends_line = text.ends_with(BREAKS);
    let mut last = text.chars().rev().map(|char| BREAKS.contains(&char));
    match (last.next(), last.next()) {
        (Some(true), Some(false)) => {}
        (Some(true), _) => out.push(b'+'),
        _ => out.push(b'-'),
    }
    out.push(b'\n');
    for line in Lines::of(text, has_separator) {
        if !line.content.is_empty() {
            indentation(indent + STEP, out);
            out.extend_from_slice(line.content.as_bytes());
        }
        out.extend_from_slice(line.ending.as_bytes());
        after_line(out);
    }
    ends_line
}

/// Appends bytes that are not UTF-8, with their tag. Returns whether the last line is ended.
pub(super) fn binary(bytes: &[u8], indent: usize, out: &mut Vec<u8>) -> bool {
    out.extend_from_slice(b"!!binary ");
    let encoded = STANDARD.encode(bytes);
    if is_one_binary_line(bytes) {
        out.extend_from_slice(encoded.as_bytes());
        return false;
    }
    out.extend_from_slice(b"|\n");
    for line in encoded.as_bytes().chunks(BINARY_LINE) {
        indentation(indent + STEP, out);
        out.extend_from_slice(line);
        out.push(b'\n');
    }
    true
}

/// Returns whether bytes that are not UTF-8 need only one line, as a key must.
pub(super) fn is_one_binary_line(bytes: &[u8]) -> bool {
    bytes.len().div_ceil(3) * 4 <= BINARY_LINE
}

const LINE_SEPARATOR: char = '\u{2028}';
const PARAGRAPH_SEPARATOR: char = '\u{2029}';

/// The breaks that a block or single quotes can contain.
const BREAKS: [char; 3] = ['\n', LINE_SEPARATOR, PARAGRAPH_SEPARATOR];

/// The lines of a text, each with its line break.
struct Lines<'a> {
    rest: &'a str,
    has_separator: bool,
}

struct Line<'a> {
    content: &'a str,
    ending: &'a str,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str, has_separator: bool) -> Self {
        Self { rest: text, has_separator }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = if self.has_separator {
            self.rest.find(BREAKS)
        } else {
            memchr(b'\n', self.rest.as_bytes())
        };
        let (content, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let ending = rest.chars().next().map_or(0, char::len_utf8);
        let (ending, rest) = rest.split_at(ending);
        self.rest = rest;
        Some(Line { content, ending })
    }
}

/// Appends a text with its single quotes doubled.
fn push_doubled(text: &str, out: &mut Vec<u8>) {
    for piece in text.as_bytes().split_inclusive(|&byte| byte == b'\'') {
        out.extend_from_slice(piece);
        if piece.ends_with(b"'") {
            out.push(b'\'');
        }
    }
}

/// Returns whether double quotes can contain a character only as an escape.
fn is_escaped(char: char) -> bool {
    matches!(
        char,
        '"' | '\\'
            | '\0'..'\u{20}'
            | '\u{7f}'..'\u{a0}'
            | LINE_SEPARATOR
            | PARAGRAPH_SEPARATOR
            | '\u{feff}'
            | '\u{fffe}'..
    )
}

pub(super) fn escape(char: char, out: &mut Vec<u8>) {
    let short = match char {
        '\0' => b'0',
        '\u{7}' => b'a',
        '\u{8}' => b'b',
        '\t' => b't',
        '\n' => b'n',
        '\u{b}' => b'v',
        '\u{c}' => b'f',
        '\r' => b'r',
        '\u{1b}' => b'e',
        '"' => b'"',
        '\\' => b'\\',
        '\u{85}' => b'N',
        '\u{a0}' => b'_',
        LINE_SEPARATOR => b'L',
        PARAGRAPH_SEPARATOR => b'P',
        _ => return escape_by_number(u32::from(char), out),
    };
    out.extend_from_slice(&[b'\\', short]);
}

fn escape_by_number(number: u32, out: &mut Vec<u8>) {
    let (letter, width) = match number {
        0..=0xff => (b'x', 2),
        0x100..=0xffff => (b'u', 4),
        _ => (b'U', 8),
    };
    out.extend_from_slice(&[b'\\', letter]);
    out.extend((0..width).rev().map(|place| HEX[(number >> (place * 4) & 0xf) as usize]));
}
