//! Scalars in single or double quotes.

use super::bytes::Bytes;
use super::cursor::Cursor;
use super::error::Result;
use super::error_kind::SyntaxErrorKind;
use super::folding::Breaks;

/// The length of a surrogate pair in bytes, without the `\u` before it: `d83d\ude00`.
const PAIR_BYTES: usize = 10;

/// A quoted scalar that is being read.
pub(super) struct Quoted<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    quote: u8,
    /// Whether two escaped surrogates are one character.
    surrogates: bool,
}

impl<'c, 'a> Quoted<'c, 'a> {
    /// Begins to read the scalar whose opening quote is at the cursor.
    pub(super) fn begin(cursor: &'c mut Cursor<'a>, surrogates: bool) -> Self {
        let quote = cursor.byte();
        cursor.pos += 1;
        Self { cursor, quote, surrogates }
    }

    /// Moves past a scalar whose text is exactly the text between its quotes. Otherwise does not
    /// move.
    pub(super) fn verbatim(&mut self) -> Option<&'a str> {
        let quote = self.quote;
        let start = self.cursor.pos;
        let mut at = start;
        loop {
            at = self.cursor.find(at, Bytes::QUOTED_LINE_END);
            match self.cursor.byte_at(at) {
                found if found == quote => break,
                // This is the other quote, a backslash in single quotes, or a character that is not
                // a break.
                b'"' | b'\'' => at += 1,
                b'\\' if quote == b'\'' => at += 1,
                0xC2 | 0xE2 if self.cursor.break_len(at) == 0 => at += 1,
                _ => return None,
            }
        }
        if quote == b'\'' && self.cursor.byte_at(at + 1) == b'\'' {
            return None;
        }
        self.cursor.pos = at + 1;
        Some(self.cursor.slice(start, at))
    }

    /// Appends the text of the scalar, and moves past its closing quote.
    pub(super) fn text(&mut self, text: &mut String) -> Result<()> {
        let mut breaks = Breaks::default();
        loop {
            if self.cursor.is_at_document_indicator() {
                return Err(self.cursor.error(SyntaxErrorKind::DocumentIndicatorInQuotes));
            }
            if self.cursor.is_at_end() {
                return Err(self.cursor.error(SyntaxErrorKind::EndInQuotes));
            }
            self.word(text, &mut breaks)?;
            if self.cursor.byte() == self.quote {
                self.cursor.pos += 1;
                return Ok(());
            }
            self.blanks(text, &mut breaks);
            breaks.fold_into(text);
        }
    }

    /// Appends the text up to the closing quote, a blank or a line break.
    fn word(&mut self, text: &mut String, breaks: &mut Breaks) -> Result<()> {
        let quote = self.quote;
        loop {
            let start = self.cursor.pos;
            self.cursor.pos = self.cursor.find(start, Bytes::QUOTED_WORD_END);
            text.push_str(self.cursor.slice(start, self.cursor.pos));
            let byte = self.cursor.byte();
            if byte == quote {
                if quote == b'"' || self.cursor.byte_at(self.cursor.pos + 1) != b'\'' {
                    return Ok(());
                }
                text.push('\'');
                self.cursor.pos += 2;
            } else if byte == b'\\' && quote == b'"' {
                if self.cursor.break_len(self.cursor.pos + 1) > 0 {
                    self.cursor.pos += 1;
                    self.cursor.take_break();
                    breaks.push_escaped();
                    return Ok(());
                }
                text.push(self.escape()?);
            } else if self.cursor.is_blank_or_end(self.cursor.pos) {
                return Ok(());
            } else {
                let character = self.cursor.character().unwrap_or_default();
                text.push(character);
                self.cursor.pos += character.len_utf8();
            }
        }
    }

    /// Skips blanks and breaks. Blanks are kept in the text unless a break is next to them.
    fn blanks(&mut self, text: &mut String, breaks: &mut Breaks) {
        loop {
            let start = self.cursor.pos;
            self.cursor.skip_blanks();
            let blanks = self.cursor.slice(start, self.cursor.pos);
            if let Some(line_break) = self.cursor.take_break() {
                breaks.push(line_break);
            } else {
                if breaks.is_empty() {
                    text.push_str(blanks);
                }
                return;
            }
        }
    }

    fn escape(&mut self) -> Result<char> {
        let n_digits = match self.cursor.byte_at(self.cursor.pos + 1) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            simple => {
                let character = simple_escape(simple)
                    .ok_or_else(|| self.cursor.error(SyntaxErrorKind::UnknownEscape))?;
                self.cursor.pos += 2;
                return Ok(character);
            }
        };
        self.cursor.pos += 2;
        let digits = self.cursor.rest().get(..n_digits).unwrap_or_default();
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(self.cursor.error(SyntaxErrorKind::EscapeDigits));
        }
        let digits = self.cursor.slice(self.cursor.pos, self.cursor.pos + n_digits);
        let value = u32::from_str_radix(digits, 16).ok();
        let (character, n_bytes) = value
            .and_then(char::from_u32)
            .map(|it| (it, n_digits))
            .or_else(|| Some((self.paired(value?)?, PAIR_BYTES)))
            .ok_or_else(|| self.cursor.error(SyntaxErrorKind::EscapeValue))?;
        self.cursor.pos += n_bytes;
        Ok(character)
    }

    /// The character of a surrogate pair: a high surrogate, whose digits are next, and the low
    /// surrogate after it. Returns `None` if there is no such pair, or if pairs are not supported.
    fn paired(&self, high: u32) -> Option<char> {
        let pair = self.cursor.rest().get(..PAIR_BYTES).filter(|_| self.surrogates)?;
        let low = pair[4..].strip_prefix(b"\\u").and_then(|it| str::from_utf8(it).ok())?;
        let units = [u16::try_from(high).ok()?, u16::from_str_radix(low, 16).ok()?];
        char::decode_utf16(units).next()?.ok()
    }
}

fn simple_escape(byte: u8) -> Option<char> {
    Some(match byte {
        b'0' => '\0',
        b'a' => '\x07',
        b'b' => '\x08',
        b't' | b'\t' => '\t',
        b'n' => '\n',
        b'v' => '\x0B',
        b'f' => '\x0C',
        b'r' => '\r',
        b'e' => '\x1B',
        b' ' => ' ',
        b'"' => '"',
        b'\'' => '\'',
        b'\\' => '\\',
        b'N' => '\u{85}',
        b'_' => '\u{A0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        _ => return None,
    })
}
