//! Possible keys without a `?`.
//!
//! Such a key is on one line and has at most 1024 characters. Its tokens wait in the scanner's
//! queue until its `:` is found, or can no longer follow. Whether a key is still possible is
//! checked only when it is needed, so that a token does not have to visit all open flow
//! collections.

use super::cursor::{Cursor, MAX_KEY_CHARACTERS};
use super::error::{ReadError, Result};
use super::error_kind::SyntaxErrorKind;

/// One possible key per open flow collection, and one for the block around them.
pub(super) struct PossibleKeys {
    /// The levels. Never empty.
    levels: Vec<PossibleKey>,
    /// All levels below this one are decided.
    first_open: usize,
}

#[derive(Clone, Copy, Default)]
pub(super) struct PossibleKey {
    is_possible: bool,
    /// Whether only a key is allowed here. Never set in a flow collection.
    is_required: bool,
    /// The number of its token.
    pub(super) token: usize,
    pub(super) start: usize,
    pub(super) line: u32,
    pub(super) column: usize,
    /// Characters up to `counted_to`.
    n_characters: usize,
    counted_to: usize,
}

impl Default for PossibleKeys {
    fn default() -> Self {
        Self { levels: vec![PossibleKey::default()], first_open: 1 }
    }
}

impl PossibleKey {
    /// A key that begins at the cursor.
    pub(super) fn new(cursor: &Cursor<'_>, column: usize, is_required: bool, token: usize) -> Self {
        let (start, line) = (cursor.pos, cursor.line);
        let (n_characters, counted_to) = (0, start);
        let is_possible = true;
        Self { is_possible, is_required, token, start, line, column, n_characters, counted_to }
    }
}

impl PossibleKeys {
    pub(super) fn is_in_flow(&self) -> bool {
        self.levels.len() > 1
    }

    pub(super) fn enter_flow(&mut self) {
        self.levels.push(PossibleKey::default());
    }

    pub(super) fn leave_flow(&mut self) {
        if self.is_in_flow() {
            self.levels.pop();
            self.first_open = self.first_open.min(self.levels.len());
        }
    }

    /// Records a possible key of the current level; the one before it must have been dropped.
    pub(super) fn allow(&mut self, key: PossibleKey) {
        let level = self.levels.len() - 1;
        self.levels[level] = key;
        self.first_open = self.first_open.min(level);
    }

    /// Decides that the possible key of the current level is not a key.
    pub(super) fn drop(&mut self, cursor: &Cursor<'_>) -> Result<()> {
        let key = self.levels.last_mut().expect("there is a level for blocks");
        if key.is_possible && key.is_required {
            return Err(missing_colon(cursor));
        }
        key.is_possible = false;
        Ok(())
    }

    /// Returns the possible key that a `:` at the cursor confirms.
    pub(super) fn take(&mut self, cursor: &Cursor<'_>) -> Option<PossibleKey> {
        let level = self.levels.len() - 1;
        let key = self.live(level, cursor)?;
        self.levels[level].is_possible = false;
        Some(key)
    }

    /// Fails if a required key is missing and can no longer follow.
    pub(super) fn check_required(&mut self, cursor: &Cursor<'_>) -> Result<()> {
        if self.awaits_required() && self.live(0, cursor).is_none() {
            return Err(missing_colon(cursor));
        }
        Ok(())
    }

    /// Returns whether a token may belong to a key. All tokens before it have been taken.
    pub(super) fn is_possible(&mut self, token: usize, cursor: &Cursor<'_>) -> Result<bool> {
        self.check_required(cursor)?;
        while self.first_open < self.levels.len() {
            match self.live(self.first_open, cursor) {
                Some(key) if key.token >= token => return Ok(key.token == token),
                _ => self.first_open += 1,
            }
        }
        Ok(false)
    }

    /// Returns whether the last taken token must be followed by a colon.
    pub(super) fn awaits_required(&self) -> bool {
        self.levels[0].is_possible && self.levels[0].is_required
    }

    /// Decides that no text before the cursor is the key of a block.
    pub(super) fn forget(&mut self) {
        self.levels[0].is_possible = false;
    }

    /// Returns where the last possible key of a block begins, even if it was decided since then.
    pub(super) fn start_in_block(&self) -> usize {
        self.levels[0].start
    }

    /// Returns the possible key of a level, if its line and length still allow a key.
    fn live(&mut self, level: usize, cursor: &Cursor<'_>) -> Option<PossibleKey> {
        let key = &mut self.levels[level];
        if !key.is_possible {
            return None;
        }
        let mut is_stale = key.line < cursor.line;
        if !is_stale && cursor.pos - key.start > MAX_KEY_CHARACTERS {
            key.n_characters += cursor.slice(key.counted_to, cursor.pos).chars().count();
            key.counted_to = cursor.pos;
            is_stale = key.n_characters > MAX_KEY_CHARACTERS;
        }
        if is_stale {
            key.is_possible = false;
            return None;
        }
        Some(*key)
    }
}

fn missing_colon(cursor: &Cursor<'_>) -> ReadError {
    cursor.error(SyntaxErrorKind::MissingColon)
}
