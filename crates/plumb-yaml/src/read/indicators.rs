//! Tokens of one to three characters that structure a text, and its end.

use super::error::Result;
use super::error_kind::SyntaxErrorKind;
use super::scanner::{Scanner, offset};
use super::token::{Content, Kind, Token, TokenPlace};

impl Scanner<'_> {
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
    pub(super) fn end_of_document_content(&mut self) -> Result<()> {
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
}
