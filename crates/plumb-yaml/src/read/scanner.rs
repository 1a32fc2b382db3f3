//! Text to tokens, on demand.
//!
//! Block structure is found here: indentation becomes start and end tokens, as in libyaml. A key is
//! recognised only at its `:`, so tokens that may begin a key wait in a queue until then. A key is
//! at most 1024 characters on one line, so the queue is short.

use std::collections::VecDeque;

use super::ReadOptions;
use super::cursor::Cursor;
use super::error::Result;
use super::error_kind::SyntaxErrorKind;
use super::keys::{PossibleKey, PossibleKeys};
use super::token::{Content, FoundComment, Kind, Token, TokenPlace};

pub(super) struct Scanner<'a> {
    pub(super) cursor: Cursor<'a>,
    /// Comments found so far that the parser has not taken yet.
    pub(super) comments: Vec<FoundComment>,
    pub(super) options: ReadOptions,
    queue: VecDeque<Token<'a>>,
    /// Whether the first token of the queue is final.
    is_head_ready: bool,
    /// The number of tokens that have left the queue.
    n_taken: usize,
    /// The column of the innermost open block; -1 outside of all blocks.
    pub(super) indent: isize,
    /// The columns of the enclosing blocks.
    indents: Vec<isize>,
    /// Whether a key may begin here.
    pub(super) is_key_allowed: bool,
    pub(super) keys: PossibleKeys,
    /// The last quoted scalar that was not read in one piece.
    pub(super) long_quote: Option<LongQuote>,
    /// An empty buffer for scalars, kept to reuse its memory. Give it back with [`Self::reuse`].
    pub(super) scratch: String,
}

/// A quoted scalar that has escapes or several lines, or is not closed.
#[derive(Clone, Copy)]
pub(super) struct LongQuote {
    pub(super) start: usize,
    /// The line that it ends on; `None` if it is not closed.
    pub(super) end_line: Option<u32>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, options: &ReadOptions) -> Self {
        Self {
            cursor: Cursor::new(text),
            comments: Vec::new(),
            options: *options,
            queue: VecDeque::with_capacity(16),
            is_head_ready: false,
            n_taken: 0,
            indent: -1,
            indents: Vec::new(),
            is_key_allowed: true,
            keys: PossibleKeys::default(),
            long_quote: None,
            scratch: String::new(),
        }
    }

    /// Adds a document marker before a text without one.
    pub(super) fn imply_document_start(&mut self) {
        self.push_here(Kind::DocumentStart, 0);
    }

    /// Returns the place of the next token.
    pub(super) fn peek(&mut self) -> Result<TokenPlace> {
        if !self.is_head_ready {
            self.fetch_until_settled()?;
        }
        Ok(self.queue[0].place)
    }

    /// Takes the token that was peeked at.
    pub(super) fn take(&mut self) -> Token<'a> {
        self.is_head_ready = false;
        self.n_taken += 1;
        self.queue.pop_front().expect("it was peeked at")
    }

    /// Takes the token that was peeked at, and peeks at the next one.
    pub(super) fn skip(&mut self) -> Result<TokenPlace> {
        self.take();
        self.peek()
    }

    pub(super) fn is_in_flow(&self) -> bool {
        self.keys.is_in_flow()
    }

    /// Returns whether no token waits: the parser has seen everything up to the cursor.
    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    fn fetch_until_settled(&mut self) -> Result<()> {
        while self.queue.is_empty() || self.keys.is_possible(self.n_taken, &self.cursor)? {
            self.fetch()?;
        }
        self.is_head_ready = true;
        Ok(())
    }

    fn fetch(&mut self) -> Result<()> {
        self.skip_to_token();
        self.keys.check_required(&self.cursor)?;
        if !self.is_in_flow() {
            let column = self.cursor.column().cast_signed();
            self.close_blocks(column);
        }
        if self.cursor.is_at_end() {
            return self.stream_end();
        }
        let next_is_blank = |cursor: &Cursor<'_>| cursor.is_blank_or_end(cursor.pos + 1);
        match self.cursor.byte() {
            b'%' if self.cursor.is_at_line_start() => self.directive(),
            b'-' | b'.' if self.cursor.is_at_document_indicator() => self.document_indicator(),
            b'[' => self.flow_start(Kind::FlowSequenceStart),
            b'{' => self.flow_start(Kind::FlowMappingStart),
            b']' => self.flow_end(Kind::FlowSequenceEnd),
            b'}' => self.flow_end(Kind::FlowMappingEnd),
            b',' => self.flow_entry(),
            b'-' if next_is_blank(&self.cursor) => self.block_entry(),
            b'?' if self.is_in_flow() || next_is_blank(&self.cursor) => self.key(),
            b':' if self.is_in_flow() || next_is_blank(&self.cursor) => self.value(),
            b'*' => self.anchor(Kind::Alias),
            b'&' => self.anchor(Kind::Anchor),
            b'!' => self.tag(),
            b'|' | b'>' if !self.is_in_flow() => self.block_scalar(),
            b'\'' | b'"' => self.quoted_scalar(),
            b'\t' | b'|' | b'>' | b'%' | b'@' | b'`' => {
                let character = self.cursor.character().unwrap_or_default();
                Err(self.cursor.error(SyntaxErrorKind::CannotStartToken(character)))
            }
            _ => self.plain_scalar(),
        }
    }

    /// Moves over blanks, line breaks and comments.
    pub(super) fn skip_to_token(&mut self) {
        // Skipped text never begins with one of these.
        if matches!(self.cursor.byte(), b'$'..=0x7F) {
            return;
        }
        loop {
            let tabs_count = self.is_in_flow() || !self.is_key_allowed;
            while self.cursor.byte() == b' ' || (tabs_count && self.cursor.byte() == b'\t') {
                self.cursor.pos += 1;
            }
            if self.cursor.byte() == b'#' {
                self.comment();
            }
            if self.cursor.take_break().is_none() {
                return;
            }
            if !self.is_in_flow() {
                self.is_key_allowed = true;
            }
        }
    }

    fn comment(&mut self) {
        let start = self.cursor.pos;
        self.cursor.skip_to_line_end();
        if self.options.comments {
            let (start, end) = (offset(start), offset(self.cursor.pos));
            self.comments.push(FoundComment { line: self.cursor.line, start, end });
        }
    }

    /// Closes the blocks that are indented more than a column. Does nothing in a flow collection.
    pub(super) fn close_blocks(&mut self, column: isize) {
        while self.indent > column && !self.is_in_flow() {
            self.push_here(Kind::BlockEnd, 0);
            self.leave_block();
        }
    }

    /// Opens a block without a token for it.
    pub(super) fn enter_block(&mut self, column: usize) {
        self.indents.push(self.indent);
        self.indent = column.cast_signed();
    }

    /// Closes a block without a token for it.
    pub(super) fn leave_block(&mut self) {
        self.indent = self.indents.pop().expect("each open block has one around it");
    }

    /// Opens a block at a column, unless one is open there. Its token is inserted before the token
    /// with that number, or last.
    pub(super) fn open_block(
        &mut self,
        kind: Kind,
        column: usize,
        before: Option<usize>,
        place: TokenPlace,
    ) {
        if self.is_in_flow() || self.indent >= column.cast_signed() {
            return;
        }
        self.enter_block(column);
        let token = Token {
            place: TokenPlace { kind, end: place.start, ..place },
            content: Content::Nothing,
        };
        match before {
            Some(number) => self.insert(number, token),
            None => self.push(token),
        }
    }

    pub(super) fn place_here(&self, len: usize) -> TokenPlace {
        TokenPlace {
            kind: Kind::StreamEnd,
            is_one_line: true,
            line: self.cursor.line,
            start: offset(self.cursor.pos),
            end: offset(self.cursor.pos + len),
        }
    }

    /// Appends a token that begins here, and moves past it.
    pub(super) fn push_here(&mut self, kind: Kind, len: usize) {
        let place = TokenPlace { kind, ..self.place_here(len) };
        self.cursor.pos += len;
        self.push(Token { place, content: Content::Nothing });
    }

    /// Gives back the buffer for scalars.
    pub(super) fn reuse(&mut self, mut scratch: String) {
        scratch.clear();
        self.scratch = scratch;
    }

    /// Records that the text here may turn out to be a key.
    pub(super) fn allow_key_here(&mut self) -> Result<()> {
        if !self.is_key_allowed {
            return Ok(());
        }
        let (column, is_required) = if self.is_in_flow() {
            (0, false)
        } else {
            let column = self.cursor.column();
            (column, self.indent == column.cast_signed())
        };
        self.drop_key()?;
        let token = self.n_taken + self.queue.len();
        self.keys.allow(PossibleKey::new(&self.cursor, column, is_required, token));
        Ok(())
    }

    /// Decides that the possible key of the current level is not a key.
    pub(super) fn drop_key(&mut self) -> Result<()> {
        self.keys.drop(&self.cursor)
    }

    /// Inserts a token before the one with that number, which is still in the queue.
    pub(super) fn insert(&mut self, number: usize, token: Token<'a>) {
        self.queue.insert(number - self.n_taken, token);
    }

    pub(super) fn push(&mut self, token: Token<'a>) {
        self.queue.push_back(token);
    }
}

/// Converts an offset, which always fits: larger input is rejected first.
pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
