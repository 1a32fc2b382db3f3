//! Blocks of this dialect: opened by `:` at the end of a line, closed by `end`, or by the `elif` or
//! `else:` that continues them.

use std::collections::VecDeque;

use plumb_source::Message;
use plumb_source::message::term;

use super::lexer::Lexer;
use super::token::{Tok, Token};
use crate::code_error::CodeErrorKind;
use crate::error::{Error, Result};

/// The tokens of a program with an `Indent` and `Outdent` around each block.
pub(crate) struct Blocks<'a> {
    pub(super) lexer: Lexer<'a>,
    /// Tokens that were read ahead, each with whether its block is already closed.
    ahead: VecDeque<(Token, bool)>,
    /// The last two tokens that were returned.
    last: [Tok; 2],
    last_start: u32,
    /// Where each open block begins: the line break after its colon.
    open: Vec<u32>,
}

impl<'a> Blocks<'a> {
    pub(crate) fn new(lexer: Lexer<'a>) -> Self {
        let last = [Tok::Newline; 2];
        Self { lexer, ahead: VecDeque::new(), last, last_start: 0, open: Vec::new() }
    }

    pub(crate) fn next(&mut self) -> Result<Token> {
        let token = loop {
            match self.next_inner() {
                // The unexpected word is left out.
                Err(error) if self.lexer.recovery.is_some() => self.lexer.note(error),
                other => break other?,
            }
        };
        self.last = [self.last[1], token.tok];
        self.last_start = token.start;
        Ok(token)
    }

    fn next_inner(&mut self) -> Result<Token> {
        if self.last == [Tok::Colon, Tok::Newline] {
            self.open.push(self.last_start);
            return Ok(self.boundary(Tok::Indent));
        }
        let (token, closed) = match self.ahead.pop_front() {
            Some(ahead) => ahead,
            None => (self.lexer.next()?, false),
        };
        match token.tok {
            // An `else` without a colon belongs to an expression.
            Tok::Else if !closed => {
                let next = self.lexer.next()?;
                if next.tok == Tok::Colon {
                    self.ahead.push_back((token, true));
                    self.ahead.push_back((next, false));
                    return self.close(token);
                }
                self.ahead.push_back((next, false));
                Ok(token)
            }
            Tok::Elif if !closed => {
                self.ahead.push_back((token, true));
                self.close(token)
            }
            Tok::Pass => {
                let message = "use of reserved keyword 'pass' is not allowed";
                Err(self.misplaced(token, message).with_detail(CodeErrorKind::Pass))
            }
            Tok::Ident if self.text(&token) == b"end" => {
                let next = self.lexer.next()?;
                if next.tok != Tok::Newline {
                    self.ahead.push_back((next, false));
                }
                self.close(token)
            }
            Tok::Eof => match self.open.last() {
                Some(&start) => {
                    let kind = CodeErrorKind::OpenBlock;
                    let words = "expected `end` to close this block, found the end of the code";
                    let message = term(words, kind.clone());
                    let error = self.lexer.error(start, message).with_detail(kind);
                    let Some(recovery) = &mut self.lexer.recovery else { return Err(error) };
                    recovery.errors.push(error);
                    self.ahead.push_back((token, false));
                    self.close(token)
                }
                None => Ok(token),
            },
            _ => Ok(token),
        }
    }

    fn close(&mut self, by: Token) -> Result<Token> {
        match self.open.pop() {
            Some(start) => {
                if let Some(recovery) = &mut self.lexer.recovery {
                    recovery.blocks.push((start, by.end));
                }
                Ok(self.boundary(Tok::Outdent))
            }
            None => {
                if self.ahead.front().is_some_and(|(word, _)| word.start == by.start) {
                    self.ahead.pop_front();
                }
                let kind = CodeErrorKind::StrayEnd;
                let message = term("found `end` without an open block", kind.clone());
                Err(self.misplaced(by, message).with_detail(kind))
            }
        }
    }

    /// Opens a block after the current line break, although its header has no colon.
    pub(super) fn open_next(&mut self) {
        self.last[0] = Tok::Colon;
    }

    /// Skips the brackets of an instruction without operands, whose mark was read last. Returns
    /// false if they were read before or are inside other brackets.
    pub(super) fn skip_brackets(&mut self) -> bool {
        let can_skip = self.ahead.is_empty() && self.lexer.depth == 0;
        if can_skip {
            self.lexer.at += "()".len();
        }
        can_skip
    }

    /// An error at the end of an unexpected word.
    fn misplaced(&self, word: Token, message: impl Into<Message>) -> Error {
        let error = self.lexer.error(self.lexer.position(), message);
        error.about(self.lexer.script.spot(word.start))
    }

    fn boundary(&self, tok: Tok) -> Token {
        Token { tok, start: self.last_start, end: self.last_start }
    }

    pub(crate) fn text(&self, token: &Token) -> &'a [u8] {
        &self.lexer.script.text[token.start as usize..token.end as usize]
    }
}
