//! Text to tokens, on demand.
//!
//! Block structure is found here: indentation becomes start and end tokens, as in libyaml. A key
//! is known as one only when its `:` is seen, so tokens that may begin a key wait in a queue
//! until that is settled. A key is at most 1024 characters on one line, so the queue is short.

use std::collections::VecDeque;

use super::cursor::Cursor;
use super::error::{Read, Trouble};
use super::problem::Problem;
use super::token::{Content, FoundComment, Kind, Place, Token};

/// The longest key that needs no `?`, in characters.
const MAX_KEY_CHARACTERS: usize = 1024;

pub(super) struct Scanner<'a> {
    pub(super) cursor: Cursor<'a>,
    /// Comments passed so far, until the parser takes them.
    pub(super) comments: Vec<FoundComment>,
    keeps_comments: bool,
    queue: VecDeque<Token<'a>>,
    /// Whether the first token of the queue is settled.
    is_head_ready: bool,
    /// How many tokens have left the queue.
    n_taken: usize,
    /// The column of the innermost open block; -1 outside of all.
    pub(super) indent: isize,
    /// The columns of the blocks around it.
    indents: Vec<isize>,
    /// Whether a key may begin here.
    pub(super) is_key_allowed: bool,
    /// What may turn out to be a key: one per open flow collection, and one for the block around.
    keys: Vec<PossibleKey>,
    /// All levels of `keys` below this one are settled.
    first_open_key: usize,
    /// Kept for its memory: where scalars are built.
    scratch: String,
}

#[derive(Clone, Copy, Default)]
struct PossibleKey {
    is_possible: bool,
    /// Whether nothing but a key can stand here.
    is_required: bool,
    /// The number of its token.
    token: usize,
    start: usize,
    line: u32,
    column: usize,
    /// Characters up to `counted_to`.
    n_characters: usize,
    counted_to: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, keeps_comments: bool) -> Self {
        Self {
            cursor: Cursor::new(text),
            comments: Vec::new(),
            keeps_comments,
            queue: VecDeque::with_capacity(16),
            is_head_ready: false,
            n_taken: 0,
            indent: -1,
            indents: Vec::new(),
            is_key_allowed: true,
            keys: vec![PossibleKey::default()],
            first_open_key: 1,
            scratch: String::new(),
        }
    }

    /// Puts a document marker before the text, which has none.
    pub(super) fn imply_document_start(&mut self) {
        self.push_here(Kind::DocumentStart, 0);
    }

    /// The place of the next token.
    pub(super) fn peek(&mut self) -> Read<Place> {
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

    /// Takes the token that was peeked at, and looks at the one behind it.
    pub(super) fn skip(&mut self) -> Read<Place> {
        self.take();
        self.peek()
    }

    pub(super) fn is_in_flow(&self) -> bool {
        self.keys.len() > 1
    }

    fn fetch_until_settled(&mut self) -> Read<()> {
        while self.queue.is_empty() || self.is_head_possible_key()? {
            self.fetch()?;
        }
        self.is_head_ready = true;
        Ok(())
    }

    fn fetch(&mut self) -> Read<()> {
        self.skip_to_token();
        self.check_required_key()?;
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
                Err(self.cursor.trouble(Problem::CannotStartToken(character)))
            }
            _ => self.plain_scalar(),
        }
    }

    /// Moves over blanks, line breaks and comments.
    fn skip_to_token(&mut self) {
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
        if self.keeps_comments {
            let (start, end) = (offset(start), offset(self.cursor.pos));
            self.comments.push(FoundComment { line: self.cursor.line, start, end });
        }
    }

    /// Closes the blocks that are indented more than a column; none within a flow collection.
    fn close_blocks(&mut self, column: isize) {
        while self.indent > column && !self.is_in_flow() {
            self.push_here(Kind::BlockEnd, 0);
            self.indent = self.indents.pop().expect("each open block has one around it");
        }
    }

    /// Opens a block at a column, unless one is open there; its token goes before the token of
    /// that number, or last.
    fn open_block(&mut self, kind: Kind, column: usize, before: Option<usize>, place: Place) {
        let column = column.cast_signed();
        if self.is_in_flow() || self.indent >= column {
            return;
        }
        self.indents.push(self.indent);
        self.indent = column;
        let token =
            Token { place: Place { kind, end: place.start, ..place }, content: Content::Nothing };
        match before {
            Some(number) => self.queue.insert(number - self.n_taken, token),
            None => self.queue.push_back(token),
        }
    }

    fn stream_end(&mut self) -> Read<()> {
        self.cursor.finish_last_line();
        self.close_blocks(-1);
        self.drop_key()?;
        self.is_key_allowed = false;
        self.push_here(Kind::StreamEnd, 0);
        Ok(())
    }

    fn document_indicator(&mut self) -> Read<()> {
        self.end_of_document_content()?;
        let kind = if self.cursor.byte() == b'-' { Kind::DocumentStart } else { Kind::DocumentEnd };
        self.push_here(kind, 3);
        Ok(())
    }

    /// Closes what a directive or a document indicator ends.
    pub(super) fn end_of_document_content(&mut self) -> Read<()> {
        self.close_blocks(-1);
        self.drop_key()?;
        self.is_key_allowed = false;
        Ok(())
    }

    fn flow_start(&mut self, kind: Kind) -> Read<()> {
        self.allow_key_here()?;
        self.keys.push(PossibleKey::default());
        self.is_key_allowed = true;
        self.push_here(kind, 1);
        Ok(())
    }

    fn flow_end(&mut self, kind: Kind) -> Read<()> {
        self.drop_key()?;
        if self.is_in_flow() {
            self.keys.pop();
            self.first_open_key = self.first_open_key.min(self.keys.len());
        }
        self.is_key_allowed = false;
        self.push_here(kind, 1);
        Ok(())
    }

    fn flow_entry(&mut self) -> Read<()> {
        self.drop_key()?;
        self.is_key_allowed = true;
        self.push_here(Kind::FlowEntry, 1);
        Ok(())
    }

    fn block_entry(&mut self) -> Read<()> {
        if !self.is_in_flow() {
            if !self.is_key_allowed {
                return Err(self.cursor.trouble(Problem::BlockEntryNotAllowed));
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
    fn key(&mut self) -> Read<()> {
        if !self.is_in_flow() {
            if !self.is_key_allowed {
                return Err(self.cursor.trouble(Problem::KeyNotAllowed));
            }
            let column = self.cursor.column();
            self.open_block(Kind::BlockMappingStart, column, None, self.place_here(1));
        }
        self.drop_key()?;
        self.is_key_allowed = !self.is_in_flow();
        self.push_here(Kind::Key, 1);
        Ok(())
    }

    fn value(&mut self) -> Read<()> {
        if let Some(key) = self.take_key() {
            let place = Place {
                kind: Kind::Key,
                is_one_line: true,
                line: key.line,
                start: offset(key.start),
                end: offset(key.start),
            };
            self.queue.insert(key.token - self.n_taken, Token { place, content: Content::Nothing });
            self.open_block(Kind::BlockMappingStart, key.column, Some(key.token), place);
            self.is_key_allowed = false;
        } else {
            if !self.is_in_flow() {
                if !self.is_key_allowed {
                    return Err(self.cursor.trouble(Problem::ValueNotAllowed));
                }
                let column = self.cursor.column();
                self.open_block(Kind::BlockMappingStart, column, None, self.place_here(1));
            }
            self.is_key_allowed = !self.is_in_flow();
        }
        self.push_here(Kind::Value, 1);
        Ok(())
    }

    /// Notes that what begins here may turn out to be a key.
    pub(super) fn allow_key_here(&mut self) -> Read<()> {
        if !self.is_key_allowed {
            return Ok(());
        }
        let (mut column, mut is_required) = (0, false);
        if !self.is_in_flow() {
            column = self.cursor.column();
            is_required = self.indent == column.cast_signed();
        }
        self.drop_key()?;
        let start = self.cursor.pos;
        let level = self.keys.len() - 1;
        self.keys[level] = PossibleKey {
            is_possible: true,
            is_required,
            token: self.n_taken + self.queue.len(),
            start,
            line: self.cursor.line,
            column,
            n_characters: 0,
            counted_to: start,
        };
        self.first_open_key = self.first_open_key.min(level);
        Ok(())
    }

    /// Settles that the possible key of the current level is none.
    pub(super) fn drop_key(&mut self) -> Read<()> {
        let key = self.keys.last_mut().expect("there is a level for blocks");
        if key.is_possible && key.is_required {
            return Err(self.missing_colon());
        }
        key.is_possible = false;
        Ok(())
    }

    /// The key that a `:` here makes one.
    fn take_key(&mut self) -> Option<PossibleKey> {
        let level = self.keys.len() - 1;
        let key = self.live_key(level)?;
        self.keys[level].is_possible = false;
        Some(key)
    }

    /// A key is on one line, so a required one is missed as soon as its line is over.
    fn check_required_key(&mut self) -> Read<()> {
        if self.keys[0].is_required && self.keys[0].is_possible && self.live_key(0).is_none() {
            return Err(self.missing_colon());
        }
        Ok(())
    }

    fn is_head_possible_key(&mut self) -> Read<bool> {
        self.check_required_key()?;
        while self.first_open_key < self.keys.len() {
            match self.live_key(self.first_open_key) {
                Some(key) if key.token >= self.n_taken => return Ok(key.token == self.n_taken),
                _ => self.first_open_key += 1,
            }
        }
        Ok(false)
    }

    /// The possible key of a level, if its line and length still allow one.
    fn live_key(&mut self, level: usize) -> Option<PossibleKey> {
        let key = &mut self.keys[level];
        if !key.is_possible {
            return None;
        }
        let mut is_stale = key.line < self.cursor.line;
        if !is_stale && self.cursor.pos - key.start > MAX_KEY_CHARACTERS {
            let more = self.cursor.slice(key.counted_to, self.cursor.pos);
            key.n_characters += more.chars().count();
            key.counted_to = self.cursor.pos;
            is_stale = key.n_characters > MAX_KEY_CHARACTERS;
        }
        if is_stale {
            key.is_possible = false;
            return None;
        }
        Some(*key)
    }

    fn missing_colon(&self) -> Trouble {
        self.cursor.trouble(Problem::MissingColon)
    }

    pub(super) fn place_here(&self, len: usize) -> Place {
        Place {
            kind: Kind::StreamEnd,
            is_one_line: true,
            line: self.cursor.line,
            start: offset(self.cursor.pos),
            end: offset(self.cursor.pos + len),
        }
    }

    /// Appends a token that begins here, and moves behind it.
    fn push_here(&mut self, kind: Kind, len: usize) {
        let place = Place { kind, ..self.place_here(len) };
        self.cursor.pos += len;
        self.push(Token { place, content: Content::Nothing });
    }

    /// An empty string to build a scalar in; to be given back with [`Self::reuse`].
    pub(super) fn scratch(&mut self) -> String {
        std::mem::take(&mut self.scratch)
    }

    pub(super) fn reuse(&mut self, mut scratch: String) {
        scratch.clear();
        self.scratch = scratch;
    }

    pub(super) fn push(&mut self, token: Token<'a>) {
        self.queue.push_back(token);
    }
}

/// Offsets fit: larger input is refused first.
pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
