//! Tokens that begin with an indicator, which is a character such as `-`, `[`, `&` or `"`, and the end
//! of the text.

use lean_string::LeanString;

use super::block_scalar::block_scalar;
use super::error::Result;
use super::error_kind::SyntaxErrorKind;
use super::names;
use super::quoted::Quoted;
use super::scanner::{LongQuote, Scanner, offset};
use super::token::{Content, Kind, Token, TokenPlace};

impl<'a> Scanner<'a> {
    pub(super) fn stream_end(&mut self) -> Result<()> {
        self.cursor.finish_last_line();
        self.close_blocks(-1);
        self.drop_key()?;
        self.is_key_allowed = false;
        self.push_here(Kind::StreamEnd, 0);
        Ok(())
    }

    pub(super) fn document_indicator(&mut self) -> Result<()> {
        self.end_of_document_content()?;
        let kind = if self.cursor.byte() == b'-' { Kind::DocumentStart } else { Kind::DocumentEnd };
        self.push_here(kind, 3);
        Ok(())
    }

    /// Closes the collections that a directive or a document marker ends.
    fn end_of_document_content(&mut self) -> Result<()> {
        self.close_blocks(-1);
        self.drop_key()?;
        self.is_key_allowed = false;
        Ok(())
    }

    pub(super) fn flow_start(&mut self, kind: Kind) -> Result<()> {
        self.allow_key_here()?;
        self.keys.enter_flow();
        self.is_key_allowed = true;
        self.push_here(kind, 1);
        Ok(())
    }

    pub(super) fn flow_end(&mut self, kind: Kind) -> Result<()> {
        self.drop_key()?;
        self.keys.leave_flow();
        self.is_key_allowed = false;
        self.push_here(kind, 1);
        Ok(())
    }

    pub(super) fn flow_entry(&mut self) -> Result<()> {
        self.drop_key()?;
        self.is_key_allowed = true;
        self.push_here(Kind::FlowEntry, 1);
        Ok(())
    }

    pub(super) fn block_entry(&mut self) -> Result<()> {
        if !self.is_in_flow() {
            if !self.is_key_allowed {
                return Err(self.cursor.error(SyntaxErrorKind::BlockEntryNotAllowed));
            }
            let column = self.cursor.column();
            self.open_block(Kind::BlockSequenceStart, column, None, self.place_here(1));
        }
        self.drop_key()?;
        self.is_key_allowed = true;
        self.push_here(Kind::BlockEntry, 1);
        Ok(())
    }

    /// The `?` of a key that needs one.
    pub(super) fn key(&mut self) -> Result<()> {
        if !self.is_in_flow() {
            if !self.is_key_allowed {
                return Err(self.cursor.error(SyntaxErrorKind::KeyNotAllowed));
            }
            let column = self.cursor.column();
            self.open_block(Kind::BlockMappingStart, column, None, self.place_here(1));
        }
        self.drop_key()?;
        self.is_key_allowed = !self.is_in_flow();
        self.push_here(Kind::Key, 1);
        Ok(())
    }

    pub(super) fn value(&mut self) -> Result<()> {
        if let Some(key) = self.keys.take(&self.cursor) {
            let place = TokenPlace {
                kind: Kind::Key,
                is_one_line: true,
                line: key.line,
                start: offset(key.start),
                end: offset(key.start),
            };
            self.insert(key.token, Token { place, content: Content::Nothing });
            self.open_block(Kind::BlockMappingStart, key.column, Some(key.token), place);
            self.is_key_allowed = false;
        } else {
            if !self.is_in_flow() {
                if !self.is_key_allowed {
                    return Err(self.cursor.error(SyntaxErrorKind::ValueNotAllowed));
                }
                let column = self.cursor.column();
                self.open_block(Kind::BlockMappingStart, column, None, self.place_here(1));
            }
            self.is_key_allowed = !self.is_in_flow();
        }
        self.push_here(Kind::Value, 1);
        Ok(())
    }

    /// A line that begins with `%`.
    pub(super) fn directive(&mut self) -> Result<()> {
        self.end_of_document_content()?;
        let token = names::directive(&mut self.cursor)?;
        self.push(token);
        Ok(())
    }

    /// An anchor or an alias.
    pub(super) fn anchor(&mut self, kind: Kind) -> Result<()> {
        self.allow_key_here()?;
        self.is_key_allowed = false;
        let token = names::anchor(&mut self.cursor, kind)?;
        self.push(token);
        Ok(())
    }

    pub(super) fn tag(&mut self) -> Result<()> {
        self.allow_key_here()?;
        self.is_key_allowed = false;
        let token = names::tag(&mut self.cursor)?;
        self.push(token);
        Ok(())
    }

    pub(super) fn block_scalar(&mut self) -> Result<()> {
        self.drop_key()?;
        self.is_key_allowed = true;
        let mut text = std::mem::take(&mut self.scratch);
        let token = block_scalar(&mut self.cursor, self.indent, &mut text)?;
        self.reuse(text);
        self.push(token);
        Ok(())
    }

    pub(super) fn quoted_scalar(&mut self) -> Result<()> {
        self.allow_key_here()?;
        let token = self.quoted_token()?;
        self.push(token);
        Ok(())
    }

    /// The quoted scalar that begins here.
    pub(super) fn quoted_token(&mut self) -> Result<Token<'a>> {
        self.is_key_allowed = false;
        let start = self.cursor.pos;
        let line = self.cursor.line;
        let mut quoted = Quoted::begin(&mut self.cursor, self.options.surrogates);
        let content = if let Some(text) = quoted.verbatim() {
            Content::Borrowed(text)
        } else {
            let mut text = std::mem::take(&mut self.scratch);
            self.long_quote = Some(LongQuote { start, end_line: None });
            quoted.text(&mut text)?;
            self.long_quote = Some(LongQuote { start, end_line: Some(self.cursor.line) });
            let built = LeanString::from(text.as_str());
            self.reuse(text);
            Content::Built(built)
        };
        let place = TokenPlace {
            kind: Kind::QuotedScalar,
            is_one_line: self.cursor.line == line,
            line,
            start: offset(start),
            end: offset(self.cursor.pos),
        };
        Ok(Token { place, content })
    }
}
