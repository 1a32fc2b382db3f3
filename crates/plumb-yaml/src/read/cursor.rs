//! A position in the text that moves forward, and tracks its line and column.

use memchr::memchr2;

use super::bytes::Bytes;
use super::direct::PlainKey;
use super::error::ReadError;
use super::error_kind::SyntaxErrorKind;

/// The position of the scanner. The text has no NUL byte (see `input`), so NUL can mean its end.
pub(super) struct Cursor<'a> {
    text: &'a str,
    pub(super) pos: usize,
    pub(super) line: u32,
    /// The column of `counted_to` in characters.
    column: usize,
    counted_to: usize,
}

/// The maximum length of a key without a `?`, in characters.
pub(super) const MAX_KEY_CHARACTERS: usize = 1024;

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, pos: 0, line: 0, column: 0, counted_to: 0 }
    }

    /// Moves to the start of a later line, which then counts as the first.
    pub(super) fn begin_at(&mut self, start: usize) {
        (self.pos, self.counted_to) = (start, start);
    }

    /// Returns the byte here; NUL at the end of the text.
    pub(super) fn byte(&self) -> u8 {
        self.byte_at(self.pos)
    }

    pub(super) fn byte_at(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    /// Like [`Self::slice`], for a range that may not exist.
    pub(super) fn get(&self, start: usize, end: usize) -> Option<&'a str> {
        self.text.get(start..end)
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.pos..]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.pos >= self.text.len()
    }

    pub(super) fn is_at_line_start(&mut self) -> bool {
        self.column() == 0
    }

    /// Returns the column here in characters, counted from 0.
    pub(super) fn column(&mut self) -> usize {
        let passed = &self.text.as_bytes()[self.counted_to..self.pos];
        self.column += passed.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        self.counted_to = self.pos;
        self.column
    }

    /// Returns the offset of the first byte from `at` on that is in a set, or of the end.
    pub(super) fn find(&self, at: usize, wanted: Bytes) -> usize {
        let bytes = &self.text.as_bytes()[at..];
        let found = bytes.iter().position(|&byte| wanted.has(byte));
        found.map_or(self.text.len(), |offset| at + offset)
    }

    /// Returns whether a plain scalar certainly begins here.
    pub(super) fn is_at_plain(&self) -> bool {
        match self.byte() {
            b'-' => !self.is_blank_or_end(self.pos + 1),
            byte => Bytes::PLAIN_START.has(byte),
        }
    }

    /// Returns the plain key that begins here. Returns `None` if there is no key on this line, or
    /// if a simple scan cannot decide.
    pub(super) fn plain_key(&self) -> Option<PlainKey> {
        if !self.is_at_plain() {
            return None;
        }
        let mut end = self.pos;
        let mut at = self.pos;
        loop {
            let stop = self.find(at, Bytes::BLOCK_PLAIN_END);
            if stop > at {
                end = stop;
            }
            at = stop + 1;
            match self.byte_at(stop) {
                b':' if self.is_blank_or_end(at) => {
                    let key = PlainKey { end, behind: at };
                    return (stop - self.pos <= MAX_KEY_CHARACTERS).then_some(key);
                }
                b':' => end = at,
                b' ' | b'\t' if self.byte_at(at) == b'#' => return None,
                b' ' | b'\t' => {}
                // A character that begins with the same byte as a line break.
                0xC2 | 0xE2 if self.break_len(stop) == 0 => end = at,
                _ => return None,
            }
        }
    }

    /// Returns the length of the line break at an offset; 0 if there is none.
    pub(super) fn break_len(&self, at: usize) -> usize {
        match self.byte_at(at) {
            b'\r' if self.byte_at(at + 1) == b'\n' => 2,
            b'\n' | b'\r' => 1,
            0xC2 if self.byte_at(at + 1) == 0x85 => 2,
            0xE2 if self.byte_at(at + 1) == 0x80 && matches!(self.byte_at(at + 2), 0xA8 | 0xA9) => {
                3
            }
            _ => 0,
        }
    }

    pub(super) fn is_break_or_end(&self, at: usize) -> bool {
        at >= self.text.len() || self.break_len(at) > 0
    }

    pub(super) fn is_blank(&self, at: usize) -> bool {
        matches!(self.byte_at(at), b' ' | b'\t')
    }

    pub(super) fn is_blank_or_end(&self, at: usize) -> bool {
        self.is_blank(at) || self.is_break_or_end(at)
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.is_blank(self.pos) {
            self.pos += 1;
        }
    }

    pub(super) fn skip_to_line_end(&mut self) {
        /// The number of bytes to look ahead at a time: a line may be long, and end with a rare
        /// line break.
        const AHEAD: usize = 256;
        while let Some(ahead) = self.text.as_bytes().get(self.pos..) {
            let ahead = &ahead[..ahead.len().min(AHEAD)];
            let end = memchr2(b'\n', b'\r', ahead);
            let line = &ahead[..end.unwrap_or(ahead.len())];
            if memchr2(0xC2, 0xE2, line).is_some() {
                break;
            }
            self.pos += line.len();
            if end.is_some() || line.is_empty() {
                return;
            }
        }
        loop {
            self.pos = self.find(self.pos, Bytes::LINE_END);
            if self.is_break_or_end(self.pos) {
                return;
            }
            self.pos += 1;
        }
    }

    /// Moves past the line break here, if there is one, and returns it in the form that scalars
    /// contain.
    pub(super) fn take_break(&mut self) -> Option<&'static str> {
        let len = self.break_len(self.pos);
        if len == 0 {
            return None;
        }
        let kept = match (len, self.byte_at(self.pos + 2)) {
            (3, 0xA8) => "\u{2028}",
            (3, _) => "\u{2029}",
            _ => "\n",
        };
        self.pos += len;
        self.line += 1;
        self.column = 0;
        self.counted_to = self.pos;
        Some(kept)
    }

    /// Moves to the text on the next line if it is clearly indented by less than `outer`. Otherwise
    /// does not move.
    pub(super) fn take_newline_before(&mut self, outer: usize) -> bool {
        if self.byte() != b'\n' {
            return false;
        }
        let start = self.pos + 1;
        let mut at = start;
        while self.byte_at(at) == b' ' {
            at += 1;
        }
        let is_text = !matches!(self.byte_at(at), b'\t' | b'\r' | b'\n' | 0x80..);
        if at - start >= outer || !is_text {
            return false;
        }
        self.line += 1;
        self.column = at - start;
        (self.pos, self.counted_to) = (at, at);
        true
    }

    /// Whether a line with `---` or `...` begins here.
    pub(super) fn is_at_document_indicator(&mut self) -> bool {
        (self.rest().starts_with(b"---") || self.rest().starts_with(b"..."))
            && self.is_blank_or_end(self.pos + 3)
            && self.is_at_line_start()
    }

    /// The end of the text counts as a separate line, even after an unfinished line.
    pub(super) fn finish_last_line(&mut self) {
        if !self.is_at_line_start() {
            self.line += 1;
            self.column = 0;
        }
    }

    /// Skips blanks, a comment and the line break. Fails if anything else is on the line.
    pub(super) fn end_line(&mut self, otherwise: SyntaxErrorKind) -> Result<(), ReadError> {
        self.skip_blanks();
        if self.byte() == b'#' {
            self.skip_to_line_end();
        }
        if !self.is_break_or_end(self.pos) {
            return Err(self.error(otherwise));
        }
        self.take_break();
        Ok(())
    }

    /// Returns a problem with the character here.
    pub(super) fn error(&self, problem: SyntaxErrorKind) -> ReadError {
        let end = self.pos + self.character().map_or(0, char::len_utf8);
        ReadError::new(problem, self.pos, end, self.line)
    }

    pub(super) fn character(&self) -> Option<char> {
        self.text[self.pos..].chars().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let mut cursor = Cursor::new("éa\n x");
        cursor.pos = 3;
        assert_eq!(cursor.column(), 2);
        assert_eq!(cursor.take_break(), Some("\n"));
        cursor.pos += 1;
        assert_eq!((cursor.line, cursor.column()), (1, 1));
    }

    #[test]
    fn every_line_break_of_yaml_is_known() {
        for (text, len, kept) in [
            ("\n\n", 1, "\n"),
            ("\r\n", 2, "\n"),
            ("\rx", 1, "\n"),
            ("\u{85}", 2, "\n"),
            ("\u{2028}", 3, "\u{2028}"),
            ("\u{2029}", 3, "\u{2029}"),
        ] {
            let mut cursor = Cursor::new(text);
            assert_eq!(cursor.take_break(), Some(kept));
            assert_eq!(cursor.pos, len);
        }
        assert_eq!(Cursor::new("\u{A0}").take_break(), None);
        assert_eq!(Cursor::new("…").take_break(), None);
    }
}
