//! Numbers and strings as they are written in a program.

use std::fmt;

use num_bigint::BigInt;
use num_traits::Num;
use plumb_source::Text;
use plumb_source::message::plain;

use super::lexer::{Lexer, offset};
use super::token::{Tok, Token};
use crate::Value;
use crate::error::Result;
use crate::language::Language;
use crate::program_error::ProgramError;
use crate::value::{Bytes, int};

/// The prefix of a literal that ytt does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    /// `b`
    Bytes,
    /// `br` or `rb`
    RawBytes,
    /// `f`
    Formatted,
}

/// How an f-string is quoted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quotes {
    quote: u8,
    is_triple: bool,
}

/// What ended a part of the text of an f-string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The `{` of an expression.
    Brace,
    /// The closing quotes.
    Quotes,
}

impl Lexer<'_> {
    /// Returns the prefix of the literal that is next. Returns `None` for other words, and in ytt's
    /// language.
    pub(super) fn prefix(&self) -> Option<Prefix> {
        if self.script.language == Language::Ytt {
            return None;
        }
        match self.rest() {
            [b'b', b'"' | b'\'', ..] => Some(Prefix::Bytes),
            [b'b', b'r', b'"' | b'\'', ..] | [b'r', b'b', b'"' | b'\'', ..] => {
                Some(Prefix::RawBytes)
            }
            [b'f', b'"' | b'\'', ..] => Some(Prefix::Formatted),
            _ => None,
        }
    }

    /// Reads a literal after its prefix.
    pub(super) fn prefixed(&mut self, prefix: Prefix, start: usize) -> Result<Token> {
        let (length, read): (_, Unescape) = match prefix {
            Prefix::Bytes => (1, unescape_bytes),
            Prefix::RawBytes => (2, |written| Ok(unify_newlines(written))),
            Prefix::Formatted => return self.f_string(start),
        };
        self.at += length;
        let bytes = self.quoted(start, read)?;
        self.literal = Some(Bytes::value(&bytes));
        Ok(self.token(Tok::Bytes, start))
    }

    /// Reads an f-string up to its first expression.
    fn f_string(&mut self, start: usize) -> Result<Token> {
        self.at += 1;
        let quotes = self.quotes();
        self.at += if quotes.is_triple { 3 } else { 1 };
        let (text, ended) = self.f_string_part(quotes, start)?;
        self.literal = Some(Value::String(Text::from_bytes(&text)));
        let tok = if ended == Ended::Brace { Tok::FString } else { Tok::String };
        Ok(self.token(tok, start))
    }

    fn quotes(&self) -> Quotes {
        let quote = self.script.text[self.at];
        Quotes { quote, is_triple: self.rest().starts_with(&[quote; 3]) }
    }

    /// Returns the quotes of the f-string that begins at an offset.
    pub(super) fn quotes_of(&self, start: u32) -> Quotes {
        let text = &self.script.text[start as usize + 1..];
        Quotes { quote: text[0], is_triple: text.starts_with(&[text[0]; 3]) }
    }

    /// Returns whether a conversion of Python's f-strings, such as `!r`, comes next.
    pub(super) fn is_at_conversion(&self) -> bool {
        matches!(self.rest(), [b'!', b'r' | b's' | b'a', b'}' | b':', ..])
    }

    /// Reads the text of an f-string up to the next expression or its end. `start` is where the
    /// f-string begins.
    pub(super) fn f_string_part(
        &mut self,
        quotes: Quotes,
        start: usize,
    ) -> Result<(Vec<u8>, Ended)> {
        let Quotes { quote, is_triple } = quotes;
        let closing: &[u8] = if is_triple { &[quote; 3] } else { &[quote] };
        let mut text = Vec::new();
        let mut written = self.at;
        loop {
            let rest = self.rest();
            let ended = match rest {
                [] => {
                    return Err(self.error(
                        offset(start),
                        ProgramError::OpenString { is_f_string: true, is_line: false },
                    ));
                }
                [b'\n' | b'\r', ..] if !is_triple => {
                    return Err(self.error(
                        offset(start),
                        ProgramError::OpenString { is_f_string: true, is_line: true },
                    ));
                }
                rest if rest.starts_with(closing) => Some((Ended::Quotes, closing.len())),
                [b'{', b'{', ..] | [b'}', b'}', ..] => None,
                [b'{', rest @ ..] => {
                    let mut line = rest.split(|byte| matches!(byte, b'\n' | b'\r'));
                    if !is_triple && line.next().is_none_or(|it| !it.contains(&b'}')) {
                        let message = "'{' in f-string is not closed: write '{{' for a brace";
                        return Err(self.error(self.position(), message));
                    }
                    Some((Ended::Brace, 1))
                }
                [b'}', ..] => {
                    let message = "single '}' in f-string: write '}}' for a brace";
                    return Err(self.error(self.position(), message));
                }
                [b'\\', next, ..] if !matches!(next, b'{' | b'}') => {
                    self.at += 2;
                    continue;
                }
                _ => {
                    self.at += 1;
                    continue;
                }
            };
            // A brace that is doubled is part of the text.
            let end = self.at + usize::from(ended.is_none());
            let part = unescape(&self.script.text[written..end]);
            let part = part.map_err(|error| self.error(offset(start), plain(error)))?;
            text.extend_from_slice(&part);
            match ended {
                Some((ended, length)) => {
                    self.at += length;
                    return Ok((text, ended));
                }
                None => self.at += 2,
            }
            written = self.at;
        }
    }

    /// Reads a string whose opening quote is next. `start` is before its `r`, if it has one.
    pub(super) fn string(&mut self, start: usize) -> Result<Token> {
        let is_raw = start < self.at;
        let read: Unescape = if is_raw { |written| Ok(unify_newlines(written)) } else { unescape };
        let bytes = self.quoted(start, read)?;
        self.literal = Some(Value::String(Text::from_bytes(&bytes)));
        Ok(self.token(Tok::String, start))
    }

    /// Reads the text between quotes, the first of which is next.
    fn quoted(&mut self, start: usize, read: Unescape) -> Result<Vec<u8>> {
        let opening = self.at;
        let quote = self.script.text[opening];
        let triple = self.rest().starts_with(&[quote; 3]);
        self.at += if triple { 3 } else { 1 };
        let content = self.at;
        let mut run_of_quotes = 0;
        loop {
            let Some(byte) = self.peek() else {
                return Err(self.error(
                    offset(start),
                    ProgramError::OpenString { is_f_string: false, is_line: false },
                ));
            };
            if matches!(byte, b'\n' | b'\r') && !triple {
                self.read_newline();
                return Err(self.error(
                    offset(start),
                    ProgramError::OpenString { is_f_string: false, is_line: true },
                ));
            }
            self.at += 1;
            run_of_quotes = if byte == quote { run_of_quotes + 1 } else { 0 };
            if run_of_quotes == if triple { 3 } else { 1 } {
                break;
            }
            if byte == b'\\' {
                match self.peek() {
                    None => {
                        return Err(self.error(
                            offset(start),
                            ProgramError::OpenString { is_f_string: false, is_line: false },
                        ));
                    }
                    Some(b'\r' | b'\n') => self.read_newline(),
                    Some(_) => self.at += 1,
                }
            }
        }
        let end = self.at - if triple { 3 } else { 1 };
        let written = &self.script.text[content..end];
        read(written).map_err(|error| self.error(offset(opening), plain(error)))
    }

    /// Reads a number, or a dot that does not begin a number.
    pub(super) fn number(&mut self, start: usize) -> Result<Token> {
        let rest = self.rest();
        if rest[0] == b'.' && !rest.get(1).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
            return Ok(self.token(Tok::Dot, start));
        }
        if rest[0] == b'0' {
            match rest.get(1) {
                Some(b'x' | b'X') => return self.based(start, 16, "hex"),
                Some(b'o' | b'O') => return self.based(start, 8, "octal"),
                Some(b'b' | b'B') => return self.based(start, 2, "binary"),
                _ => {}
            }
        }
        self.skip_digits();
        let whole = &self.script.text[start..self.at];
        let mut float = false;
        if self.peek() == Some(b'.') {
            float = true;
            self.at += 1;
            self.skip_digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            float = true;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
                if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                    return Err(self.error(self.position(), "invalid float literal"));
                }
            }
            self.skip_digits();
        }
        if float { self.float(start) } else { self.decimal(start, whole) }
    }

    fn skip_digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn float(&mut self, start: usize) -> Result<Token> {
        let written = std::str::from_utf8(&self.script.text[start..self.at]);
        match written.map(str::parse::<f64>) {
            Ok(Ok(value)) if value.is_finite() => {
                self.literal = Some(Value::Float(value));
                Ok(self.token(Tok::Float, start))
            }
            _ => Err(self.error(self.position(), "invalid float literal")),
        }
    }

    fn decimal(&mut self, start: usize, digits: &[u8]) -> Result<Token> {
        if digits[0] == b'0' && digits.iter().any(|&digit| digit != b'0') {
            if digits.iter().all(|&digit| digit <= b'7') {
                let digits = String::from_utf8_lossy(&digits[1..]);
                let message = plain(format!("obsolete form of octal literal; use 0o{digits}"));
                return Err(self.error(self.position(), message));
            }
            return Err(self.error(offset(start), "invalid int literal"));
        }
        self.integer(start, digits, 10)
    }

    fn based(&mut self, start: usize, base: u32, name: &str) -> Result<Token> {
        self.at += 2;
        let digits = self.at;
        while self.peek().is_some_and(|byte| char::from(byte).is_digit(base)) {
            self.at += 1;
        }
        if self.at == digits {
            let at = if base == 16 { offset(start) } else { self.position() };
            return Err(self.error(at, plain(format!("invalid {name} literal"))));
        }
        self.integer(start, &self.script.text[digits..self.at], base)
    }

    fn integer(&mut self, start: usize, digits: &[u8], base: u32) -> Result<Token> {
        let digits = std::str::from_utf8(digits).expect("digits are ASCII");
        let small = i64::from_str_radix(digits, base).ok().map(Value::Int);
        // Only decimal and hexadecimal literals may be longer than 64 bits in this dialect.
        let may_be_big = matches!(base, 10 | 16) && digits.len() <= int::MAX_DIGITS;
        let value = small.or_else(|| {
            if may_be_big {
                BigInt::from_str_radix(digits, base).ok().map(int::from_big)
            } else {
                None
            }
        });
        let Some(value) = value else {
            return Err(self.error(offset(start), "invalid int literal"));
        };
        self.literal = Some(value);
        Ok(self.token(Tok::Int, start))
    }
}

/// Why an escape is not valid.
#[derive(Debug, PartialEq, Eq)]
enum EscapeError {
    Truncated(String),
    Invalid(String),
}

impl fmt::Display for EscapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated(escape) => write!(f, "truncated escape sequence {escape}"),
            Self::Invalid(escape) => write!(f, "invalid escape sequence {escape}"),
        }
    }
}

/// Replaces the escapes of a literal.
type Unescape = fn(&[u8]) -> std::result::Result<Vec<u8>, EscapeError>;

/// Returns the content of bytes, with escapes replaced. This includes numeric escapes of
/// characters, which strings do not have in this dialect.
fn unescape_bytes(written: &[u8]) -> std::result::Result<Vec<u8>, EscapeError> {
    let mut out = Vec::with_capacity(written.len());
    let mut rest = written;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
        let length = match rest.get(at + 1) {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => {
                // The escape may be longer than two bytes, but does not contain another backslash.
                let end = (at + 2).min(rest.len());
                let next = rest[end..].iter().position(|&byte| byte == b'\\');
                let end = next.map_or(rest.len(), |next| end + next);
                out.extend(unescape(&rest[..end])?);
                rest = &rest[end..];
                continue;
            }
        };
        out.extend(unescape(&rest[..at])?);
        let shown =
            |end: usize| String::from_utf8_lossy(&rest[at..end.min(rest.len())]).into_owned();
        let end = at + 2 + length;
        let digits = rest.get(at + 2..end).ok_or_else(|| EscapeError::Truncated(shown(end)))?;
        let number =
            std::str::from_utf8(digits).ok().and_then(|it| u32::from_str_radix(it, 16).ok());
        let c = number.and_then(char::from_u32).ok_or_else(|| EscapeError::Invalid(shown(end)))?;
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        rest = &rest[end..];
    }
    out.extend(unescape(rest)?);
    Ok(out)
}

/// Returns the content of a string, with escapes replaced.
fn unescape(written: &[u8]) -> std::result::Result<Vec<u8>, EscapeError> {
    let mut out = Vec::with_capacity(written.len());
    let mut rest = written;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'\\' | b'\r')) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        if rest[0] == b'\r' {
            out.push(b'\n');
            rest = rest.strip_prefix(b"\r\n").unwrap_or(&rest[1..]);
            continue;
        }
        let simple = match rest.get(1) {
            Some(b'a') => 7,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'v') => 11,
            Some(&quoted @ (b'\\' | b'\'' | b'"')) => quoted,
            Some(b'\n') => {
                rest = &rest[2..];
                continue;
            }
            Some(b'\r') => {
                rest = rest[1..].strip_prefix(b"\r\n").unwrap_or(&rest[2..]);
                continue;
            }
            Some(b'0'..=b'7') => {
                rest = octal_escape(rest, &mut out)?;
                continue;
            }
            Some(b'x') => {
                rest = hex_escape(rest, &mut out)?;
                continue;
            }
            Some(_) => {
                out.extend_from_slice(&rest[..2]);
                rest = &rest[2..];
                continue;
            }
            None => return Err(EscapeError::Truncated("\\".to_owned())),
        };
        out.push(simple);
        rest = &rest[2..];
    }
    out.extend_from_slice(rest);
    Ok(out)
}

fn octal_escape<'a>(
    escape: &'a [u8],
    out: &mut Vec<u8>,
) -> std::result::Result<&'a [u8], EscapeError> {
    let digits = escape[1..].iter().take(3).take_while(|digit| (b'0'..=b'7').contains(digit));
    let size = 1 + digits.clone().count();
    let number = digits.fold(0u32, |number, digit| number * 8 + u32::from(digit - b'0'));
    let byte = u8::try_from(number).map_err(|_| EscapeError::Invalid(format!("\\{number:03o}")))?;
    out.push(byte);
    Ok(&escape[size..])
}

fn hex_escape<'a>(
    escape: &'a [u8],
    out: &mut Vec<u8>,
) -> std::result::Result<&'a [u8], EscapeError> {
    let Some(digits) = escape.get(2..4) else {
        let shown = String::from_utf8_lossy(escape);
        return Err(EscapeError::Truncated(shown.into_owned()));
    };
    let digit = |at: usize| char::from(digits[at]).to_digit(16);
    let (Some(high), Some(low)) = (digit(0), digit(1)) else {
        let shown = String::from_utf8_lossy(&escape[..4]);
        return Err(EscapeError::Invalid(shown.into_owned()));
    };
    out.push(u8::try_from(high * 16 + low).expect("two hexadecimal digits are a byte"));
    Ok(&escape[4..])
}

/// Returns the content of a raw string, in which every line break is one `\n`.
fn unify_newlines(written: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(written.len());
    let mut rest = written;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\r') {
        out.extend_from_slice(&rest[..at]);
        out.push(b'\n');
        rest = rest[at..].strip_prefix(b"\r\n").unwrap_or(&rest[at + 1..]);
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_escapes_stay_as_they_are() {
        let check = |written: &str, expected: &[u8]| {
            assert_eq!(unescape(written.as_bytes()).as_deref(), Ok(expected), "{written}");
        };
        check(r"a\qb", br"a\qb");
        check(r"\u00e9", br"\u00e9");
        check(r"\x41\101\0", b"AA\0");
        check("a\\\nb\r\nc", b"ab\nc");
    }

    #[test]
    fn broken_escapes_are_shown() {
        assert_eq!(unescape(br"\400"), Err(EscapeError::Invalid(r"\400".to_owned())));
        assert_eq!(unescape(br"\xzz!"), Err(EscapeError::Invalid(r"\xzz".to_owned())));
        assert_eq!(unescape(br"\x1"), Err(EscapeError::Truncated(r"\x1".to_owned())));
    }
}
