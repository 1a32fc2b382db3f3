//! Literal (`|`) and folded (`>`) scalars.

use lean_string::LeanString;

use super::error::Result;
use super::error_kind::SyntaxErrorKind;
use super::scanner::{Scanner, offset};
use super::token::{Content, Kind, Token, TokenPlace};

/// The header of a block scalar.
struct Header {
    is_literal: bool,
    chomping: Chomping,
    /// How much more the text is indented than the enclosing block.
    increment: Option<u8>,
}

/// What happens to the line breaks at the end.
enum Chomping {
    Clip,
    Strip,
    Keep,
}

impl Scanner<'_> {
    pub(super) fn block_scalar(&mut self) -> Result<()> {
        self.drop_key()?;
        self.is_key_allowed = true;
        let start = self.cursor.pos;
        let line = self.cursor.line;
        let header = self.block_header()?;
        let mut text = self.scratch();
        let end = self.block_text(&header, &mut text)?;
        let content = Content::Built(LeanString::from(text.as_str()));
        self.reuse(text);
        let place = TokenPlace {
            kind: Kind::QuotedScalar,
            is_one_line: false,
            line,
            start: offset(start),
            end: offset(end),
        };
        self.push(Token { place, content });
        Ok(())
    }

    fn block_header(&mut self) -> Result<Header> {
        let is_literal = self.cursor.byte() == b'|';
        self.cursor.pos += 1;
        let mut chomping = self.chomping();
        let increment = self.increment()?;
        if matches!(chomping, Chomping::Clip) {
            chomping = self.chomping();
        }
        self.cursor.skip_blanks();
        if self.cursor.byte() == b'#' {
            self.cursor.skip_to_line_end();
        }
        if !self.cursor.is_break_or_end(self.cursor.pos) {
            return Err(self.cursor.error(SyntaxErrorKind::BlockHeaderEnd));
        }
        self.cursor.take_break();
        Ok(Header { is_literal, chomping, increment })
    }

    fn chomping(&mut self) -> Chomping {
        let chomping = match self.cursor.byte() {
            b'+' => Chomping::Keep,
            b'-' => Chomping::Strip,
            _ => return Chomping::Clip,
        };
        self.cursor.pos += 1;
        chomping
    }

    fn increment(&mut self) -> Result<Option<u8>> {
        match self.cursor.byte() {
            b'0' => Err(self.cursor.error(SyntaxErrorKind::ZeroIndentation)),
            digit @ b'1'..=b'9' => {
                self.cursor.pos += 1;
                Ok(Some(digit - b'0'))
            }
            _ => Ok(None),
        }
    }

    /// Appends the text below a header, and returns where it ends.
    fn block_text(&mut self, header: &Header, text: &mut String) -> Result<usize> {
        let outer = usize::try_from(self.indent).unwrap_or(0);
        let increment = header.increment.map(|digit| outer + usize::from(digit));
        // The line break after the last line, and the empty lines after it.
        let mut line_break = "";
        let mut empty_lines = String::new();
        let (indent, mut end) = self.block_indentation(increment, &mut empty_lines)?;
        let mut was_indented_more = false;
        while self.cursor.column() == indent && !self.cursor.is_at_end() {
            let is_indented_more = self.cursor.is_blank(self.cursor.pos);
            let folds = !header.is_literal && !was_indented_more && !is_indented_more;
            was_indented_more = is_indented_more;
            if !folds || line_break != "\n" {
                text.push_str(line_break);
            } else if empty_lines.is_empty() {
                text.push(' ');
            }
            text.push_str(&empty_lines);
            empty_lines.clear();
            let start = self.cursor.pos;
            self.cursor.skip_to_line_end();
            text.push_str(self.cursor.slice(start, self.cursor.pos));
            line_break = self.cursor.take_break().unwrap_or_default();
            (_, end) = self.block_indentation(Some(indent), &mut empty_lines)?;
        }
        if !matches!(header.chomping, Chomping::Strip) {
            text.push_str(line_break);
        }
        if matches!(header.chomping, Chomping::Keep) {
            text.push_str(&empty_lines);
        }
        Ok(end)
    }

    /// Skips empty lines, and the indentation of the line after them.
    ///
    /// Returns the indentation of the text, which is detected if it is not known, and the end of
    /// the empty lines.
    fn block_indentation(
        &mut self,
        known: Option<usize>,
        empty_lines: &mut String,
    ) -> Result<(usize, usize)> {
        let mut end = self.cursor.pos;
        let mut deepest = 0;
        loop {
            let line_start = self.cursor.pos;
            let limit = known.map_or(usize::MAX, |indent| line_start.saturating_add(indent));
            while self.cursor.pos < limit && self.cursor.byte() == b' ' {
                self.cursor.pos += 1;
            }
            deepest = deepest.max(self.cursor.pos - line_start);
            if self.cursor.pos < limit && self.cursor.byte() == b'\t' {
                return Err(self.cursor.error(SyntaxErrorKind::TabInBlock));
            }
            match self.cursor.take_break() {
                Some(line_break) => empty_lines.push_str(line_break),
                None => break,
            }
            end = self.cursor.pos;
        }
        let outer = usize::try_from(self.indent + 1).unwrap_or(0);
        Ok((known.unwrap_or(deepest.max(outer).max(1)), end))
    }
}
