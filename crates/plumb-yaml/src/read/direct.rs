//! The common forms of block YAML, read without tokens.
//!
//! Nearly every line is `key: value`, `key:`, `- value` or `- key: value`, with plain or quoted
//! scalars. If no token is waiting in the scanner, these are read directly from the text, and the
//! scanner is left as if their tokens had been taken. For everything else, including errors, the
//! result is [`Direct::Unusual`]: nothing was read, and the text is read by tokens.

use std::cmp::Ordering;

use super::error::Result;
use super::frame::{Done, State};
use super::parser::Parser;
use super::scanner::offset;
use super::token::{Content, Kind, Token, TokenPlace};

/// A plain key that begins at the cursor.
#[derive(Clone, Copy)]
pub(super) struct PlainKey {
    pub(super) end: usize,
    /// The place after its colon.
    pub(super) behind: usize,
}

/// Whether text of a common form was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direct {
    Result,
    /// Nothing was read except white space.
    Unusual,
}

impl Parser<'_> {
    /// Continues with the innermost open collection if the following text has a common form.
    pub(super) fn direct_step(&mut self) -> Result<Direct> {
        let state = self.builder.top().state;
        let is_direct =
            matches!(state, State::BlockMapKey | State::BlockSequence | State::IndentlessSequence);
        if !is_direct || !self.scanner.is_idle() || self.scanner.keys.awaits_required() {
            return Ok(Direct::Unusual);
        }
        self.scanner.skip_to_token();
        // After a quoted scalar of several lines, more text may follow on its last line.
        if !self.scanner.is_key_allowed || self.scanner.cursor.is_at_end() {
            return Ok(Direct::Unusual);
        }
        let column = self.scanner.cursor.column().cast_signed();
        let indent = self.scanner.indent;
        match state {
            // A dash here may begin a document marker.
            State::BlockMapKey if column == 0 && self.scanner.cursor.byte() == b'-' => {
                return Ok(Direct::Unusual);
            }
            State::BlockMapKey if column == indent => {
                let key = self.scanner.cursor.plain_key();
                return self.direct_pairs(key);
            }
            _ if self.is_at_entry(column) => {
                let key = self.direct_entry()?;
                self.direct_pairs(key)?;
                return Ok(Direct::Result);
            }
            // The root ends with its document.
            _ if self.builder.frames.len() == 1 => return Ok(Direct::Unusual),
            State::IndentlessSequence if column <= indent => {}
            State::BlockMapKey | State::BlockSequence if column < indent => {
                self.scanner.leave_block();
            }
            _ => return Ok(Direct::Unusual),
        }
        let done = self.builder.close(offset(self.scanner.cursor.pos));
        self.builder.deliver(done, &self.scanner.comments);
        Ok(Direct::Result)
    }

    /// Returns whether the dash of an item of the innermost block is here.
    fn is_at_entry(&self, column: isize) -> bool {
        let cursor = &self.scanner.cursor;
        column == self.scanner.indent
            && cursor.byte() == b'-'
            && cursor.is_blank_or_end(cursor.pos + 1)
    }

    /// Reads a pair, then the first pair of the map that is its value, and so on.
    fn direct_pairs(&mut self, mut key: Option<PlainKey>) -> Result<Direct> {
        if key.is_none() {
            return Ok(Direct::Unusual);
        }
        while let Some(it) = key {
            key = self.direct_pair(it)?;
        }
        Ok(Direct::Result)
    }

    /// Reads a key and its value. If the value is a map, opens it and returns its first key.
    fn direct_pair(&mut self, key: PlainKey) -> Result<Option<PlainKey>> {
        let cursor = &mut self.scanner.cursor;
        let content = Content::Borrowed(cursor.slice(cursor.pos, key.end));
        let place = TokenPlace {
            kind: Kind::PlainScalar,
            is_one_line: true,
            line: cursor.line,
            start: offset(cursor.pos),
            end: offset(key.end),
        };
        let colon = TokenPlace { start: offset(key.behind - 1), end: offset(key.behind), ..place };
        cursor.pos = key.behind;
        self.scanner.keys.forget();
        self.scanner.is_key_allowed = false;
        self.deliver_scalar(Token { place, content });
        self.direct_value(colon)
    }

    /// Reads the text after the colon of a key.
    fn direct_value(&mut self, colon: TokenPlace) -> Result<Option<PlainKey>> {
        let cursor = &mut self.scanner.cursor;
        cursor.skip_blanks();
        let token = match cursor.byte() {
            _ if cursor.is_at_plain() => self.scanner.plain_token()?,
            b'"' | b'\'' => self.scanner.quoted_token()?,
            b'\n' | b'\r' | b'#' => return self.direct_block(colon),
            _ => return self.token_value(colon),
        };
        self.deliver_scalar(token);
        Ok(None)
    }

    /// Reads a value that begins on a later line than its key.
    fn direct_block(&mut self, colon: TokenPlace) -> Result<Option<PlainKey>> {
        self.scanner.skip_to_token();
        let column = self.scanner.cursor.column();
        let cursor = &self.scanner.cursor;
        if cursor.is_at_end() {
            return self.token_value(colon);
        }
        let is_entry = cursor.byte() == b'-' && cursor.is_blank_or_end(cursor.pos + 1);
        match column.cast_signed().cmp(&self.scanner.indent) {
            Ordering::Greater if is_entry => {
                self.builder.open(State::BlockSequence, None, self.scanner.place_here(1))?;
                self.scanner.enter_block(column);
                self.direct_entry()
            }
            Ordering::Equal if is_entry => {
                self.builder.open(State::IndentlessSequence, None, self.scanner.place_here(1))?;
                self.direct_entry()
            }
            Ordering::Greater => match cursor.plain_key() {
                Some(key) => self.block_map(column, key).map(Some),
                None => self.token_value(colon),
            },
            Ordering::Equal if cursor.plain_key().is_none() => self.token_value(colon),
            // This is the next item of this map, or of an enclosing one.
            Ordering::Equal | Ordering::Less => {
                let done = Done::empty(colon.end, colon.line);
                self.builder.deliver(done, &self.scanner.comments);
                Ok(None)
            }
        }
    }

    /// Opens a map whose first key begins here.
    fn block_map(&mut self, column: usize, key: PlainKey) -> Result<PlainKey> {
        self.builder.open(State::BlockMapKey, None, self.scanner.place_here(0))?;
        self.scanner.enter_block(column);
        Ok(key)
    }

    /// Reads the dash of an item and its value. If the value is a map, opens it and returns its
    /// first key.
    fn direct_entry(&mut self) -> Result<Option<PlainKey>> {
        let dash = self.scanner.place_here(1);
        self.builder.begin_entry(dash, &self.scanner.comments);
        self.scanner.cursor.pos += 1;
        self.scanner.keys.forget();
        self.scanner.is_key_allowed = true;
        while self.scanner.cursor.byte() == b' ' {
            self.scanner.cursor.pos += 1;
        }
        if let Some(key) = self.scanner.cursor.plain_key() {
            let column = self.scanner.cursor.column();
            return self.block_map(column, key).map(Some);
        }
        if self.scanner.cursor.is_at_plain() {
            let token = self.scanner.plain_token()?;
            self.deliver_scalar(token);
            return Ok(None);
        }
        let done = self.entry_value(dash)?;
        self.deliver_done(done);
        Ok(None)
    }

    /// Reads the value after a colon by its tokens.
    fn token_value(&mut self, colon: TokenPlace) -> Result<Option<PlainKey>> {
        let done = self.block_value(colon)?;
        self.deliver_done(done);
        Ok(None)
    }

    fn deliver_scalar(&mut self, token: Token<'_>) {
        let done = self.bare_scalar(token);
        self.builder.deliver(done, &self.scanner.comments);
    }

    fn deliver_done(&mut self, done: Option<Done>) {
        if let Some(done) = done {
            self.builder.deliver(done, &self.scanner.comments);
        }
    }
}
