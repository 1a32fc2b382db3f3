//! Scalars without quotes.

use lean_string::LeanString;

use super::bytes::Bytes;
use super::error::Result;
use super::error_kind::SyntaxErrorKind;
use super::folding::Breaks;
use super::scanner::{Scanner, offset};
use super::token::{Content, Kind, Token, TokenPlace};

/// Why a line of plain text ends.
#[derive(PartialEq)]
enum LineEnd {
    Break,
    /// The scalar has ended: an indicator, a comment, or the end of the text follows.
    Scalar,
}

impl<'a> Scanner<'a> {
    pub(super) fn plain_scalar(&mut self) -> Result<()> {
        self.allow_key_here()?;
        let token = self.plain_token()?;
        self.push(token);
        Ok(())
    }

    /// Reads the scalar that begins here. Moves to the text after it, even on a later line.
    pub(super) fn plain_token(&mut self) -> Result<Token<'a>> {
        self.is_key_allowed = false;
        let start = self.cursor.pos;
        let mut place = self.place_here(0);
        place.kind = Kind::PlainScalar;
        let (end, line_end) = self.plain_line();
        if line_end == LineEnd::Break && !self.ends_after_break() {
            return self.plain_lines(place, end);
        }
        place.end = offset(end);
        Ok(Token { place, content: Content::Borrowed(self.cursor.slice(start, end)) })
    }

    /// Returns whether the scalar ends at the line break here: the text after it does not continue
    /// the scalar. In this case, moves to that text. Otherwise does not move.
    fn ends_after_break(&mut self) -> bool {
        let outer = usize::try_from(self.indent + 1).unwrap_or(0);
        if self.is_in_flow() || !self.cursor.take_newline_before(outer) {
            return false;
        }
        self.is_key_allowed = true;
        true
    }

    /// Reads the scalar whose first line ends here, before a line break.
    fn plain_lines(&mut self, place: TokenPlace, first_end: usize) -> Result<Token<'a>> {
        let first = self.cursor.slice(place.start as usize, first_end);
        let mut text = std::mem::take(&mut self.scratch);
        let mut breaks = Breaks::default();
        let (mut end, mut line_end) = (first_end, LineEnd::Break);
        while line_end == LineEnd::Break {
            self.plain_breaks(&mut breaks)?;
            let line_start = self.cursor.pos;
            if self.ends_plain_scalar() {
                break;
            }
            let (next_end, next_line_end) = self.plain_line();
            if next_end == line_start {
                break;
            }
            if text.is_empty() {
                text.push_str(first);
            }
            breaks.fold_into(&mut text);
            text.push_str(self.cursor.slice(line_start, next_end));
            (end, line_end) = (next_end, next_line_end);
        }
        if !breaks.is_empty() {
            self.is_key_allowed = true;
        }
        let is_one_line = text.is_empty();
        let content = if is_one_line {
            Content::Borrowed(first)
        } else {
            Content::Built(LeanString::from(text.as_str()))
        };
        self.reuse(text);
        Ok(Token { place: TokenPlace { is_one_line, end: offset(end), ..place }, content })
    }

    /// Moves to the end of the text on this line and the blanks after it. Returns where the text
    /// ends.
    fn plain_line(&mut self) -> (usize, LineEnd) {
        let ends = if self.is_in_flow() { Bytes::FLOW_PLAIN_END } else { Bytes::BLOCK_PLAIN_END };
        let cursor = &mut self.cursor;
        let mut end = cursor.pos;
        loop {
            let at = cursor.find(cursor.pos, ends);
            if at > cursor.pos {
                end = at;
                cursor.pos = at;
            }
            match cursor.byte() {
                b' ' | b'\t' => {
                    cursor.skip_blanks();
                    if cursor.byte() == b'#' {
                        return (end, LineEnd::Scalar);
                    }
                }
                b':' if !cursor.is_blank_or_end(at + 1) => {
                    cursor.pos += 1;
                    end = cursor.pos;
                }
                // This is a line break, or a character that begins with the same byte.
                b'\n' | b'\r' | 0xC2 | 0xE2 => {
                    if cursor.break_len(at) > 0 {
                        return (end, LineEnd::Break);
                    }
                    cursor.pos += 1;
                    end = cursor.pos;
                }
                _ => return (end, LineEnd::Scalar),
            }
        }
    }

    /// Skips line breaks and blanks at the start of lines.
    fn plain_breaks(&mut self, breaks: &mut Breaks) -> Result<()> {
        loop {
            if let Some(line_break) = self.cursor.take_break() {
                breaks.push(line_break);
            } else if self.cursor.byte() == b' ' {
                self.cursor.pos += 1;
            } else if self.cursor.byte() == b'\t' {
                if self.cursor.column().cast_signed() <= self.indent {
                    return Err(self.cursor.error(SyntaxErrorKind::TabInPlain));
                }
                self.cursor.pos += 1;
            } else {
                return Ok(());
            }
        }
    }

    /// Returns whether this line begins with something that does not belong to the scalar before
    /// it.
    fn ends_plain_scalar(&mut self) -> bool {
        let is_outdented = !self.is_in_flow() && self.cursor.column().cast_signed() <= self.indent;
        is_outdented || self.cursor.byte() == b'#' || self.cursor.is_at_document_indicator()
    }
}
