//! Recovery from syntax errors, for editors: while someone types, a program is rarely correct.
//!
//! A recovering parser records an error and continues. Three methods are sufficient: missing parts
//! are made up (a closing bracket, an operand, a colon), text that cannot be read is skipped up to
//! the end of its line, and blocks that are still open at the end are closed there. An unclosed
//! bracket ends before a line that can only be a statement, and before the next instruction of the
//! host. Of several errors on a line, only the first is kept: the others are usually consequences.
//!
//! Without recovery, the parser stops at the first error, as ytt does.

use super::ast::{Expr, ExprId, Stmt};
use super::lexer::Lexer;
use super::literals::{Ended, Quotes};
use super::parser::Parser;
use super::token::{Tok, Token};
use crate::Value;
use crate::error::{Error, Result};
use crate::piece::Takes;

/// The maximum number of parts that may be made up before one token. Otherwise, an error in a list
/// could repeat forever.
const MAX_MADE_UP: u32 = 32;

/// The results of a recovering parser.
#[derive(Default)]
pub(crate) struct Recovery {
    pub(crate) errors: Vec<Error>,
    /// All tokens, in the order of the text.
    pub(crate) words: Vec<Token>,
    /// Each block: the line break after its colon, and the end of the word that closes it.
    pub(crate) blocks: Vec<(u32, u32)>,
    /// The position of the lexer's last word when the last error was recorded.
    noted_at: Option<usize>,
    made_up_at: u32,
    n_made_up: u32,
}

impl Recovery {
    /// Returns whether a part may be made up before the token that begins here.
    fn may_make_up(&mut self, at: u32) -> bool {
        if self.made_up_at != at {
            (self.made_up_at, self.n_made_up) = (at, 0);
        }
        self.n_made_up += 1;
        self.n_made_up <= MAX_MADE_UP
    }
}

impl Lexer<'_> {
    /// Stores an error, unless it is on the same line as the previous error.
    pub(super) fn note(&mut self, error: Error) {
        let (at, text) = (self.word_start, &self.script.text);
        let Some(recovery) = &mut self.recovery else { return };
        let is_new = recovery.noted_at.is_none_or(|last| {
            let between = &text[last.min(at)..at.max(last)];
            between.contains(&b'\n')
        });
        if is_new {
            recovery.errors.push(error);
        }
        recovery.noted_at = Some(at);
    }

    /// Returns the next token, and skips text that cannot be read.
    #[cold]
    pub(super) fn next_readable(&mut self) -> Token {
        loop {
            let token = match self.read() {
                Ok(token) => token,
                Err(error) => {
                    self.note(error);
                    match self.after_error() {
                        Some(token) => token,
                        None => continue,
                    }
                }
            };
            if let Some(recovery) = &mut self.recovery {
                recovery.words.push(token);
            }
            return token;
        }
    }

    /// Reads an f-string after one of its expressions, up to the next one or its end. `start` is
    /// where the f-string begins.
    pub(super) fn rest_of_f_string(
        &mut self,
        quotes: Quotes,
        start: u32,
    ) -> Result<(Vec<u8>, Ended)> {
        let from = self.at;
        let part = self.f_string_part(quotes, start as usize)?;
        let word = self.token(Tok::FString, from);
        if let Some(recovery) = &mut self.recovery {
            recovery.words.push(word);
        }
        Ok(part)
    }

    /// Moves past the word that could not be read. A string ends with its line.
    fn after_error(&mut self) -> Option<Token> {
        let start = self.word_start;
        let text = &self.script.text;
        let is_prefix = |byte: &&u8| matches!(byte, b'b' | b'f' | b'r');
        let prefix = text[start.min(text.len())..].iter().take(2).take_while(is_prefix).count();
        let first = text.get(start + prefix).copied();
        if !matches!(first, Some(b'"' | b'\'')) {
            let size = crate::text::decode(&text[start.min(text.len())..]).1;
            self.at = self.at.max(start + size.max(1)).min(text.len());
            return None;
        }
        let line = text[start..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let mut end = self.at.min(start + line.unwrap_or(text.len() - start));
        if let Some(operands_end) = self.operands_end().filter(|it| *it > start) {
            end = end.min(operands_end);
        }
        self.at = end.max(start + 1);
        self.literal = Some(Value::String(plumb_source::Text::default()));
        Some(self.token(Tok::String, start))
    }

    /// Where the operands of the last instruction end, if there is one.
    fn operands_end(&self) -> Option<usize> {
        let last = self.instructions.checked_sub(1)?;
        Some(self.script.instructions[last].operands_end as usize)
    }

    /// At the end of an instruction's operands: ignores brackets that were not closed in them.
    pub(super) fn leave_operands(&mut self) {
        if self.operands_end() == Some(self.at) {
            let last = self.script.instructions[self.instructions - 1];
            self.depth = if last.takes == Takes::Value { 2 } else { 1 };
        }
    }

    /// Returns whether the line that begins here can only be a new statement, although a bracket is
    /// open.
    pub(super) fn is_at_statement(&self) -> bool {
        let rest = self.rest();
        let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let start = self.at + blank;
        let next = self.script.instructions.get(self.instructions);
        if next.is_some_and(|placed| placed.offset as usize == start) {
            return true;
        }
        let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let length = rest[blank..].iter().take_while(is_letter).count();
        matches!(
            &rest[blank..blank + length],
            b"def" | b"load" | b"return" | b"while" | b"end" | b"break" | b"continue" | b"elif"
        )
    }
}

impl Parser<'_> {
    pub(super) fn recovers(&self) -> bool {
        self.blocks.lexer.recovery.is_some()
    }

    /// Stores an error and uses `made_up` in place of the missing part. Without recovery, fails
    /// with the error.
    pub(super) fn or_make_up<T>(&mut self, error: Error, made_up: T) -> Result<T> {
        let at = self.token.start;
        let recovery = self.blocks.lexer.recovery.as_mut();
        if !recovery.is_some_and(|it| it.may_make_up(at)) {
            return Err(error);
        }
        self.blocks.lexer.note(error);
        Ok(made_up)
    }

    /// A made-up operand for a missing one.
    pub(super) fn made_up_operand(&mut self) -> ExprId {
        let at = self.token.start;
        self.push(Expr::Literal { value: Value::None, at })
    }

    /// Continues after a statement that could not be read: keeps its names, skips the rest of its
    /// line, and reads the block that it opens.
    pub(super) fn skip_statement(&mut self, error: Error, begun: Begun, to: &mut Vec<Stmt>) {
        self.blocks.lexer.note(error);
        let ids = begun.n_exprs..u32::try_from(self.ast.exprs.len()).unwrap_or(begun.n_exprs);
        let ids = ids.map(ExprId);
        to.extend(ids.filter(|it| matches!(self.ast.expr(*it), Expr::Ident(_))).map(Stmt::Expr));
        while !matches!(self.tok(), Tok::Eof | Tok::Outdent | Tok::Newline | Tok::Indent) {
            if self.tok() == Tok::Host {
                self.instructions += 1;
            }
            if self.advance().is_err() {
                return;
            }
        }
        if begun.opens_block && self.tok() == Tok::Newline && !self.has_colon_since(begun.start) {
            self.blocks.open_next();
        }
        if self.tok() == Tok::Newline && self.advance().is_err() {
            return;
        }
        // A block fails only if it is nested too deeply. Its lines are then read as if outside of
        // it.
        if self.tok() == Tok::Indent && self.nested(|it| it.block(to)).is_err() {
            let _ = self.advance();
        }
    }

    fn has_colon_since(&self, start: u32) -> bool {
        let words = self.blocks.lexer.recovery.as_ref().map_or(&[][..], |it| &it.words);
        let since = words.iter().rev().take_while(|it| it.start >= start);
        since.into_iter().any(|it| it.tok == Tok::Colon)
    }

    /// Returns the start of a statement, from which the parser can continue if it cannot read the
    /// statement.
    pub(super) fn begun(&self) -> Begun {
        Begun {
            start: self.token.start,
            n_exprs: u32::try_from(self.ast.exprs.len()).expect("fewer than bytes of text"),
            opens_block: matches!(self.tok(), Tok::Def | Tok::If | Tok::For | Tok::While),
        }
    }

    /// Skips to the colon of the header of a block, or to the end of its line, after a condition
    /// that could not be read.
    pub(super) fn skip_to_colon(&mut self, error: Error) -> Result<ExprId> {
        if !self.recovers() {
            return Err(error);
        }
        self.blocks.lexer.note(error);
        let made_up = self.made_up_operand();
        while !matches!(self.tok(), Tok::Colon | Tok::Newline | Tok::Eof | Tok::Outdent) {
            if self.tok() == Tok::Host {
                self.instructions += 1;
            }
            self.advance()?;
        }
        Ok(made_up)
    }
}

/// A statement that is being read.
#[derive(Clone, Copy)]
pub(super) struct Begun {
    pub(super) start: u32,
    n_exprs: u32,
    /// Whether it is the header of a block.
    opens_block: bool,
}
