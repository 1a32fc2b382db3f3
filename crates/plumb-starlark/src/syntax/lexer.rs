//! Splits the joined text of a program into tokens.
//!
//! Indentation has no meaning in this dialect, so there are no tokens for it here:
//! [`Blocks`](super::blocks::Blocks) creates them from `:` and `end`.

use plumb_source::Message;
use plumb_source::message::plain;

use super::recovery::Recovery;
use super::token::{Tok, Token};
use crate::Value;
use crate::error::{Error, ErrorKind, Result};
use crate::piece::Script;
use crate::program_error::ProgramError;
use crate::text;

pub(crate) struct Lexer<'a> {
    pub(super) script: &'a Script,
    /// The next byte to read. Syntax errors are reported here, after the unexpected token.
    pub(super) at: usize,
    /// The number of open brackets of any kind. Line breaks inside them have no meaning.
    pub(super) depth: usize,
    line_start: bool,
    /// Where the last word begins, even if it could not be read.
    pub(super) word_start: usize,
    /// How many of the script's instructions were read.
    pub(super) instructions: usize,
    /// The value of the last number or string, until the parser takes it.
    pub(super) literal: Option<Value>,
    /// The errors so far, if the parser continues after errors.
    pub(super) recovery: Option<Box<Recovery>>,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(script: &'a Script) -> Self {
        Self {
            script,
            at: 0,
            depth: 0,
            line_start: true,
            word_start: 0,
            instructions: 0,
            literal: None,
            recovery: None,
        }
    }

    pub(crate) fn position(&self) -> u32 {
        offset(self.at)
    }

    pub(crate) fn error(&self, at: u32, message: impl Into<Message>) -> Error {
        Error::at(ErrorKind::Syntax, self.script.spot(at), message)
    }

    pub(super) fn error_here<T>(&self, message: impl Into<Message>) -> Result<T> {
        Err(self.error(self.position(), message))
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        &self.script.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.script.text.get(self.at).copied()
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Result<Token> {
        if self.recovery.is_some() { Ok(self.next_readable()) } else { self.read() }
    }

    /// Reads one token.
    pub(super) fn read(&mut self) -> Result<Token> {
        loop {
            let blank = self.skip_space_and_comment();
            match self.peek() {
                Some(b'\n' | b'\r') => {
                    let start = self.at;
                    self.read_newline();
                    self.line_start = true;
                    if self.depth > 0 && self.recovery.is_some() && self.is_at_statement() {
                        self.depth = 0;
                    }
                    if self.depth == 0 && !blank {
                        return Ok(self.token(Tok::Newline, start));
                    }
                }
                None => return Ok(self.token(Tok::Eof, self.at)),
                Some(b'\\') => {
                    self.word_start = self.at;
                    self.at += 1;
                    if !matches!(self.peek(), Some(b'\n' | b'\r')) {
                        return self.error_here(ProgramError::Backslash);
                    }
                    self.read_newline();
                }
                Some(byte) => return self.word(byte),
            }
        }
    }

    /// Skips to the next token or line break. Returns whether the line was empty before it.
    fn skip_space_and_comment(&mut self) -> bool {
        let line_start = std::mem::take(&mut self.line_start);
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let blank = line_start && matches!(self.peek(), None | Some(b'#' | b'\n' | b'\r'));
        if self.peek() == Some(b'#') {
            self.skip_comment();
        }
        blank
    }

    /// Skips to the end of the line. A `#!` comment ends with the operands of the instruction that
    /// it is in; any other comment also hides the closing bracket, as in ytt.
    fn skip_comment(&mut self) {
        let rest = self.rest();
        let end_of_line = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let mut end = self.at + end_of_line.unwrap_or(rest.len());
        if rest.starts_with(b"#!") {
            let instruction = self.instructions.checked_sub(1);
            let operands_end =
                instruction.map_or(0, |at| self.script.instructions[at].operands_end as usize);
            if operands_end > self.at {
                end = end.min(operands_end);
            }
        }
        self.at = end;
    }

    pub(super) fn read_newline(&mut self) {
        self.at += if self.rest().starts_with(b"\r\n") { 2 } else { 1 };
    }

    fn word(&mut self, byte: u8) -> Result<Token> {
        let start = self.at;
        self.word_start = start;
        if self.recovery.is_some() {
            self.leave_operands();
        }
        let next = self.script.instructions.get(self.instructions);
        if next.is_some_and(|placed| placed.offset as usize == start) {
            self.instructions += 1;
            self.at += 1;
            return Ok(self.token(Tok::Host, start));
        }
        match byte {
            b'"' | b'\'' => self.string(start),
            b'0'..=b'9' | b'.' => self.number(start),
            b'r' if matches!(self.rest().get(1), Some(b'"' | b'\'')) => {
                self.at += 1;
                self.string(start)
            }
            b'b' | b'f' | b'r' => match self.prefix() {
                Some(prefix) => self.prefixed(prefix, start),
                None => self.identifier(start),
            },
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => self.identifier(start),
            _ => self.punctuation(byte, start),
        }
    }

    fn identifier(&mut self, start: usize) -> Result<Token> {
        while let Some(byte) = self.peek() {
            self.at += match byte {
                b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => 1,
                0x80.. => match text::decode(self.rest()) {
                    (Some(c), size) if text::is_letter(c) => size,
                    _ => break,
                },
                _ => break,
            };
        }
        if self.at == start {
            return self.unexpected_character();
        }
        let tok = Tok::keyword(&self.script.text[start..self.at]).unwrap_or(Tok::Ident);
        Ok(self.token(tok, start))
    }

    fn unexpected_character(&self) -> Result<Token> {
        let c = text::decode(self.rest()).0.unwrap_or(text::REPLACEMENT);
        let mut shown = Vec::new();
        crate::value::repr::quote_char(&mut shown, c);
        let shown = String::from_utf8_lossy(&shown);
        self.error_here(ProgramError::Character { shown: shown.into() })
    }

    fn punctuation(&mut self, byte: u8, start: usize) -> Result<Token> {
        match byte {
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' | b'}' if self.depth == 0 => {
                return self.error_here(plain(format!("unexpected '{}'", char::from(byte))));
            }
            b')' | b']' | b'}' => self.depth -= 1,
            b'!' if self.rest().get(1) != Some(&b'=') => {
                let message = ProgramError::Character { shown: "'!'".to_owned() };
                return Err(self.error(offset(start), message));
            }
            _ => {}
        }
        let rest = self.rest();
        let byte_at = |at: usize| rest.get(at).copied().unwrap_or_default();
        let Some((tok, size)) = operator(byte, byte_at(1), byte_at(2)) else {
            return self.unexpected_character();
        };
        self.at += size;
        Ok(self.token(tok, start))
    }

    pub(super) fn token(&self, tok: Tok, start: usize) -> Token {
        Token { tok, start: offset(start), end: offset(self.at) }
    }
}

pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("a script is shorter than 4 GiB")
}

/// Returns the longest operator that these bytes begin with, and its length.
fn operator(first: u8, second: u8, third: u8) -> Option<(Tok, usize)> {
    let tok = match (first, second, third) {
        (b'/', b'/', b'=') => (Tok::SlashSlashEq, 3),
        (b'<', b'<', b'=') => (Tok::LtLtEq, 3),
        (b'>', b'>', b'=') => (Tok::GtGtEq, 3),
        (b'/', b'/', _) => (Tok::SlashSlash, 2),
        (b'<', b'<', _) => (Tok::LtLt, 2),
        (b'>', b'>', _) => (Tok::GtGt, 2),
        (b'>', b'=', _) => (Tok::Ge, 2),
        (b'<', b'=', _) => (Tok::Le, 2),
        (b'=', b'=', _) => (Tok::EqEq, 2),
        (b'!', b'=', _) => (Tok::NotEq, 2),
        (b'+', b'=', _) => (Tok::PlusEq, 2),
        (b'-', b'=', _) => (Tok::MinusEq, 2),
        (b'*', b'=', _) => (Tok::StarEq, 2),
        (b'/', b'=', _) => (Tok::SlashEq, 2),
        (b'%', b'=', _) => (Tok::PercentEq, 2),
        (b'&', b'=', _) => (Tok::AmpEq, 2),
        (b'|', b'=', _) => (Tok::PipeEq, 2),
        (b'^', b'=', _) => (Tok::CircumflexEq, 2),
        (b'*', b'*', _) => (Tok::StarStar, 2),
        (b'+', ..) => (Tok::Plus, 1),
        (b'-', ..) => (Tok::Minus, 1),
        (b'*', ..) => (Tok::Star, 1),
        (b'/', ..) => (Tok::Slash, 1),
        (b'%', ..) => (Tok::Percent, 1),
        (b'&', ..) => (Tok::Amp, 1),
        (b'|', ..) => (Tok::Pipe, 1),
        (b'^', ..) => (Tok::Circumflex, 1),
        (b'~', ..) => (Tok::Tilde, 1),
        (b',', ..) => (Tok::Comma, 1),
        (b'=', ..) => (Tok::Eq, 1),
        (b';', ..) => (Tok::Semi, 1),
        (b':', ..) => (Tok::Colon, 1),
        (b'(', ..) => (Tok::LParen, 1),
        (b')', ..) => (Tok::RParen, 1),
        (b'[', ..) => (Tok::LBrack, 1),
        (b']', ..) => (Tok::RBrack, 1),
        (b'{', ..) => (Tok::LBrace, 1),
        (b'}', ..) => (Tok::RBrace, 1),
        (b'<', ..) => (Tok::Lt, 1),
        (b'>', ..) => (Tok::Gt, 1),
        _ => return None,
    };
    Some(tok)
}
